// Conditions: comparisons joined by `and`, `or`, turned by `not`.
#include "lang/node.h"

static bool negates(const lang_parser* p)
{
  if (!lang_parser_is_word(p, "not")) return false;
  const lang_token_kind next = lang_parser_ahead(p).kind;
  return next == TOKEN_NAME || next == TOKEN_NUMBER || next == TOKEN_OPEN || next == TOKEN_MINUS;
}

static lang_part turned(lang_parser* p)
{
  const base_place place = lang_parser_place(p);
  if (!negates(p)) return lang_expression_compared(p);
  lang_parser_advance(p);
  lang_part x = turned(p);
  if (!lang_parser_failed(p) && !lang_node_negate(x.node) &&
      lang_parser_fail(p, x.node->place, "expected a comparison behind `not`"))
    base_help(p->notes, "such as not x > 1");
  if (x.node) x.node->place.from = place.from;
  return x;
}

// values joined by a word are comparisons
static lang_part joined(lang_parser* p, const char* word, lang_op op, lang_part x,
                        lang_part (*next)(lang_parser* p))
{
  while (lang_parser_is_word(p, word)) {
    lang_parser_advance(p);
    const lang_part y = next(p);
    const lang_node* of[2] = {x.node, y.node};
    for (int i = 0; i < 2 && !lang_parser_failed(p); i++)
      if (of[i]->kind != LANG_BINARY || of[i]->op < LANG_LT)
        lang_parser_fail(p, of[i]->place, "expected a comparison beside `%s`", word);
    x = lang_node_binary(p, op, x, y);
  }
  return x;
}

static lang_part conjunction(lang_parser* p)
{
  return joined(p, "and", LANG_AND, turned(p), turned);
}

lang_part lang_condition_read(lang_parser* p)
{
  return joined(p, "or", LANG_OR, conjunction(p), conjunction);
}

lang_node* lang_condition_join(lang_parser* p, lang_node* first)
{
  const lang_part x = joined(p, "and", LANG_AND, (lang_part){first, 1}, turned);
  return joined(p, "or", LANG_OR, x, conjunction).node;
}
