// Statements that are short for constraints: ropes through points, and couplings of coordinates.
#include "lang/law.h"
#include "lang/node.h"

#include <string.h>

enum { most_points = 1000 };

static lang_part call(lang_parser* p, const char* name, lang_part x)
{
  if (lang_parser_failed(p) || !x.node) return x;
  lang_part y = lang_node_over(p, LANG_CALL, x.node->place, x);
  if (!lang_parser_failed(p)) y.node->text = name;
  return y;
}

// a place as a vector: of a name that of its point
static lang_part place(lang_parser* p)
{
  lang_part x = {lang_expression_value(p), 1};
  return x.node && x.node->kind == LANG_NAME ? call(p, "pos", x) : x;
}

// L - (|P Q| + |Q R| + ...) >= 0: the reaction is the tension
void lang_law_rope(lang_parser* p, lang_statement* s)
{
  s->name = lang_name_read(p, "a name for the rope");
  lang_parser_expect(p, TOKEN_COLON, "`:`");
  lang_part way = {0}, last = place(p);
  int points = 1;
  while (lang_parser_accept(p, TOKEN_COMMA) && points < most_points) {
    const lang_part next = place(p);
    if (lang_parser_failed(p)) return;
    const lang_part side = call(p, "norm", lang_node_binary(p, LANG_SUB, next, last));
    way = way.node ? lang_node_binary(p, LANG_ADD, way, side) : side;
    last = next;
    points++;
  }
  if (points < 2)
    lang_parser_fail(p, lang_parser_place(p), "a rope goes through two points or more");
  lang_parser_expect_word(p, "length");
  s->left = lang_expression_value(p);
  s->relation = LANG_AT_LEAST;
  s->right = way.node;
  while (lang_parser_accept_word(p, "with")) lang_law_with(p, s);
}

// a constraint that has to have a name
void lang_law_couple(lang_parser* p, lang_statement* s)
{
  if (p->now.kind == TOKEN_NAME && lang_parser_after_name(p).kind == TOKEN_COLON)
    lang_law_constraint(p, s);
  else
    lang_parser_unexpected(p, "a name and `:`");
  if (s->left && s->relation != LANG_EQUAL)
    lang_parser_fail(p, s->left->place, "a coupling is an equation");
}
