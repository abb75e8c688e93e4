// What stands in the braces of a stage or an event.
#include "lang/block.h"
#include "lang/repeat.h"

#include <string.h>

// a coordinate that another statement makes, as that of a joint, is a name like others
static void join_name(lang_parser* p, lang_node* n)
{
  if (n->kind == LANG_PRIMES) n = n->kid[0];
  if (n->kind != LANG_FIELD || n->kid[0]->kind != LANG_NAME) return;
  n->text = base_arena_printf(p->arena, "%s.%s", n->kid[0]->text, n->text);
  n->kind = LANG_NAME;
  n->n = 0;
}

// a name, or a name with primes: what `set` may set
static bool can_be_set(const lang_node* n)
{
  return n->kind == LANG_NAME || (n->kind == LANG_PRIMES && n->kid[0]->kind == LANG_NAME);
}

// `a = 1, b = 2 over 0.3`: both move within it
static void share_over(lang_block* b, int first)
{
  for (int i = b->sets - 2; i >= first; i--) {
    if (b->set[i].over || !b->set[i + 1].over) continue;
    b->set[i].over = b->set[i + 1].over;
    b->set[i].shares = true;
  }
}

static void read_set(lang_parser* p, lang_block* b)
{
  const int first = b->sets;
  do {
    lang_set s = {.target = lang_expression_value(p)};
    if (!lang_parser_failed(p)) join_name(p, s.target);
    if (!lang_parser_failed(p) && !can_be_set(s.target))
      lang_parser_fail(p, s.target->place, "only a name can be set, with or without primes");
    lang_parser_expect(p, TOKEN_EQUAL, "`=`");
    s.value = lang_expression_value(p);
    if (lang_parser_accept_word(p, "over")) s.over = lang_expression_value(p);
    b->set = lang_parser_append(p, b->set, b->sets++, sizeof s, &s);
  } while (lang_parser_accept(p, TOKEN_COMMA));
  share_over(b, first);
}

static bool at_item_end(const lang_parser* p)
{
  return p->now.kind == TOKEN_SEMICOLON || p->now.kind == TOKEN_NEWLINE ||
         p->now.kind == TOKEN_UNBRACE || p->now.kind == TOKEN_END;
}

static void read_names(lang_parser* p, int* n, lang_word** words)
{
  do {
    lang_word word = lang_name_read(p, "the name of a constraint");
    *words = lang_parser_append(p, *words, (*n)++, sizeof word, &word);
  } while (lang_parser_accept(p, TOKEN_COMMA));
  // an equation in the place of a name
  if (!at_item_end(p) && lang_parser_unexpected(p, "`,` or the end of the names"))
    base_help(p->notes, "`impose` and `release` take names: write the equation as a statement,"
                        " `constraint NAME: left = right`, and its name here");
}

static void read_until(lang_parser* p, lang_block* b, base_place word)
{
  if (b->until) lang_parser_fail(p, word, "`until` is given twice");
  b->until = lang_expression_condition(p);
}

static void read_carry(lang_parser* p, lang_block* b, base_place word)
{
  static const char* const laws[] = {"limit", "velocity", "momentum"};
  if (b->carry.text) lang_parser_fail(p, word, "`carry` is given twice");
  b->carry = lang_name_choice(p, "`limit`, `velocity` or `momentum`", laws, 3);
}

// `k = k + 1` without the word, which is how samples have it
static bool is_set(const lang_parser* p)
{
  if (p->now.kind != TOKEN_NAME) return false;
  const lang_token_kind next = lang_parser_after_name(p).kind;
  return next == TOKEN_EQUAL || next == TOKEN_PRIME || next == TOKEN_DOT;
}

static void read_item(lang_parser* p, lang_block* b)
{
  static const char* const words[] = {"set", "until", "carry", "release", "impose"};
  base_place place = lang_parser_place(p);
  if (b->plain || is_set(p)) {
    lang_parser_accept_word(p, "set");
    read_set(p, b);
    return;
  }
  lang_word word = lang_name_choice(p, "`set`, `until`, `carry`, `release` or `impose`", words, 5);
  if (!word.text) return;
  if (strcmp(word.text, "set") == 0)
    read_set(p, b);
  else if (strcmp(word.text, "until") == 0)
    read_until(p, b, place);
  else if (strcmp(word.text, "carry") == 0)
    read_carry(p, b, place);
  else if (strcmp(word.text, "release") == 0)
    read_names(p, &b->releases, &b->release);
  else
    read_names(p, &b->imposes, &b->impose);
}

static void read_items(lang_parser* p, uint32_t end, void* context);

static void read_one(lang_parser* p, lang_block* b)
{
  if (lang_parser_is_word(p, "for"))
    lang_repeat_read(p, read_items, b);
  else
    read_item(p, b);
  if (!at_item_end(p)) lang_parser_unexpected(p, "`;` or `}`");
  // one error does not hide those of the items after it
  if (lang_parser_failed(p)) lang_parser_resume_item(p);
}

static void skip_blanks(lang_parser* p)
{
  while (lang_parser_accept(p, TOKEN_SEMICOLON) || lang_parser_accept(p, TOKEN_NEWLINE)) {
  }
}

// the items in the braces of a repetition, up to this byte, or to a line that begins a statement:
// what follows an error is not read across one
static void read_items(lang_parser* p, uint32_t end, void* context)
{
  for (skip_blanks(p); p->now.from < end && p->now.kind != TOKEN_END; skip_blanks(p)) {
    const uint32_t from = p->now.from;
    read_one(p, context);
    if (p->now.from == from) return;
  }
}

void lang_block_read(lang_parser* p, lang_block* b)
{
  base_place opened = lang_parser_place(p);
  if (!lang_parser_expect(p, TOKEN_BRACE, "`{`")) return;
  for (;;) {
    skip_blanks(p);
    if (lang_parser_accept(p, TOKEN_UNBRACE)) return;
    const bool other = lang_parser_at_statement(p) && !lang_parser_is_word(p, "for");
    if (p->now.kind == TOKEN_END || other) {
      if (lang_parser_fail(p, opened, "the brace is not closed"))
        base_help(p->notes, "a `}` is missing");
      return;
    }
    read_one(p, b);
  }
}
