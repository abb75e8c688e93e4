// Expressions. Loosest first:
//   condition  joined [or joined], joined  compared [and compared]
//   compared   [not] value [< <= > >= value]
//   value      product {+ - product}
//   product    signed {* / signed}
//   signed     {+ -} power
//   power      postfix [^ {+ -} power]        so -x^2 = -(x^2) and a^b^c = a^(b^c)
//   postfix    primary {' .field ²}
//   primary    number, name, name(arguments), sum(i in a..b: value), (value), (vector, of, values)
//   name       letters {[value]}              whole numbers, with nothing between
// The text decides only how wide a tree gets: long chains become balanced trees, brackets are
// counted, so every later walk may recurse.
#include "lang/node.h"

#include "lang/repeat.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { short_chain = 8, most_primes = 9 };

// one operand of a chain; inverse: subtracted or divided by
typedef struct term
{
  lang_part x;
  bool inverse;
} term;

// ---- brackets -----------------------------------------------------------------------------------

static bool open_bracket(lang_parser* p)
{
  base_place place = lang_parser_place(p);
  if (p->now.kind != TOKEN_OPEN) return lang_parser_unexpected(p, "`(`"), false;
  if (p->round >= p->limits->nesting) {
    lang_parser_fail(p, place, "more than %d brackets are open here", p->limits->nesting);
    return false;
  }
  p->round++;
  lang_parser_advance(p);
  return true;
}

// where the line of the bracket is over, the bracket is shown, not what comes later
static void close_bracket(lang_parser* p, base_place opened)
{
  if (lang_parser_failed(p)) return;
  if (p->now.kind != TOKEN_CLOSE) {
    const char* between = p->source.text + p->last;
    bool later = p->now.kind == TOKEN_END || memchr(between, '\n', p->now.from - p->last);
    if (later && lang_parser_fail(p, opened, "the bracket is not closed"))
      base_help(p->notes, "a `)` is missing");
    lang_parser_unexpected(p, "`)`");
    return;
  }
  p->round--;
  lang_parser_advance(p);
}

// `relative to F` behind a value, or null
static lang_node* observer(lang_parser* p)
{
  if (!lang_parser_accept_word(p, "relative")) return NULL;
  lang_parser_expect_word(p, "to");
  const lang_word frame = lang_name_read(p, "the name of a frame");
  lang_node* n = frame.text ? lang_node_leaf(p, LANG_NAME, frame.place) : NULL;
  if (n) n->text = frame.text;
  return n;
}

// the values up to the closing bracket become the kids of a call or a vector
static lang_part list(lang_parser* p, lang_kind kind, base_place from, base_place opened,
                      lang_part first)
{
  BASE_LIST(lang_node*) kids = {0};
  int height = first.height;
  if (first.node) base_push(&kids, first.node);
  if (!first.node && p->now.kind == TOKEN_CLOSE) {
    // no arguments
  } else if (!first.node || lang_parser_accept(p, TOKEN_COMMA)) {
    do {
      lang_part x = lang_condition_read(p);
      if (x.node) base_push(&kids, x.node);
      if (x.height > height) height = x.height;
    } while (lang_parser_accept(p, TOKEN_COMMA));
  }
  lang_node* to = kind == LANG_CALL && kids.n == 1 ? observer(p) : NULL;
  const bool relative = to != NULL;
  if (to) base_push(&kids, to);
  close_bracket(p, opened);
  lang_node* node = lang_node_leaf(p, kind, lang_parser_since(p, from));
  lang_node_adopt(p, node, kids.at, kids.n);
  free(kids.at);
  p->relative = relative;
  return lang_node_grown(p, node, height + 1);
}

static lang_part bracket(lang_parser* p)
{
  base_place from = lang_parser_place(p);
  if (!open_bracket(p)) return (lang_part){0};
  if (p->now.kind == TOKEN_CLOSE) lang_parser_unexpected(p, "a value");
  lang_part x = lang_condition_read(p);
  if (p->now.kind == TOKEN_COMMA) return list(p, LANG_TUPLE, from, from, x);
  close_bracket(p, from);
  if (x.node) x.node->place = lang_parser_since(p, from);
  return x;
}

// ---- from tight to loose ------------------------------------------------------------------------

// an index of a repetition is the number it stands for
static lang_part index_value(lang_parser* p, base_place place, long value)
{
  char text[32];
  const int n = snprintf(text, sizeof text, "%ld", labs(value));
  lang_part x = lang_node_number(p, place, text, (size_t)n);
  return value < 0 ? lang_node_over(p, LANG_NEGATE, place, x) : x;
}

// sum(i in 1..N: value): the value is read anew for each i
typedef struct summands
{
  BASE_LIST(term) list;
} summands;

static lang_part value(lang_parser* p);
static lang_part fold(lang_parser* p, const term* t, int n, lang_op plain, lang_op inverse);

static void add_summand(lang_parser* p, void* context)
{
  summands* s = context;
  base_push(&s->list, (term){value(p), false});
}

static lang_part sum(lang_parser* p, lang_word word, base_place opened)
{
  summands s = {0};
  if (!open_bracket(p)) return (lang_part){0};
  lang_repeat_sum(p, add_summand, &s);
  close_bracket(p, opened);
  lang_part x = {0};
  if (!lang_parser_failed(p))
    x = s.list.n ? fold(p, s.list.at, s.list.n, LANG_ADD, LANG_SUB)
                 : lang_node_number(p, word.place, "0", 1);
  if (x.node) x.node->place = lang_parser_since(p, word.place);
  base_list_free(&s.list);
  return x;
}

static lang_part name_or_call(lang_parser* p)
{
  lang_word word = lang_name_word(p, "a value");
  base_place opened = lang_parser_place(p);
  const lang_index* index = word.text ? lang_index_find(p, word.text) : NULL;
  if (index) return index_value(p, word.place, index->value);
  if (word.text && strcmp(word.text, "sum") == 0 && lang_repeat_is_sum(p))
    return sum(p, word, opened);
  lang_part x;
  if (p->now.kind == TOKEN_OPEN)
    x = open_bracket(p) ? list(p, LANG_CALL, word.place, opened, (lang_part){0}) : (lang_part){0};
  else
    x = (lang_part){lang_node_leaf(p, LANG_NAME, word.place), 1};
  if (x.node) x.node->text = word.text;
  // what an observer sees is a function of its own; it may stand behind the bracket, too
  if (x.node && x.node->kind == LANG_CALL && x.node->n == 1) {
    lang_node* kids[2] = {x.node->kid[0], observer(p)};
    if (kids[1]) lang_node_adopt(p, x.node, kids, 2);
    p->relative = kids[1] != NULL;
  }
  if (x.node && x.node->kind == LANG_CALL && p->relative && word.text)
    x.node->text = base_arena_printf(p->arena, "%s_relative", word.text);
  return x;
}

// 45 [deg]; behind a param the unit is that of the whole
static lang_part number(lang_parser* p, lang_token t, base_place place)
{
  lang_part x = lang_node_number(p, place, p->source.text + t.from, t.to - t.from);
  if (!p->units && p->now.kind == TOKEN_UNIT) {
    x.node->unit = lang_parser_unit(p);
    x.node->place = lang_parser_since(p, place);
  }
  return x;
}

static lang_part primary(lang_parser* p)
{
  lang_token t = p->now;
  base_place place = lang_parser_place(p);
  if (lang_parser_dangles(p)) lang_parser_unexpected(p, "a value");
  switch (p->now.kind) {
  case TOKEN_NUMBER:
    lang_parser_advance(p);
    return number(p, t, place);
  case TOKEN_NAME:
    return name_or_call(p);
  case TOKEN_OPEN:
    return bracket(p);
  case TOKEN_OVER:
    // a second habit: // as the start of a comment
    if (t.from > 0 && p->source.text[t.from - 1] == '/' &&
        lang_parser_fail(p, place, "expected a value, found `/`"))
      base_help(p->notes, "a comment starts with #");
    break;
  default:
    break;
  }
  lang_parser_unexpected(p, "a value");
  return (lang_part){0};
}

// ″ is the double prime
static int primes(lang_parser* p)
{
  int n = 0;
  while (p->now.kind == TOKEN_PRIME) {
    n += (unsigned char)p->source.text[p->now.to - 1] == 0xB3 ? 2 : 1;
    if (n > most_primes)
      lang_parser_fail(p, lang_parser_place(p), "more than %d primes", most_primes);
    lang_parser_advance(p);
  }
  return n;
}

static lang_part derivative(lang_parser* p, lang_part x)
{
  base_place from = x.node->place;
  if (x.node->kind == LANG_NUMBER) {
    lang_parser_fail(p, lang_parser_place(p), "a number has no derivative");
    return x;
  }
  int n = primes(p);
  if (lang_parser_failed(p)) return x;
  x = lang_node_over(p, LANG_PRIMES, lang_parser_since(p, from), x);
  x.node->primes = n;
  return x;
}

static lang_part field(lang_parser* p, lang_part x)
{
  base_place from = x.node->place;
  if (x.node->kind == LANG_NUMBER) {
    lang_parser_fail(p, lang_parser_place(p), "a number has no parts");
    return x;
  }
  lang_parser_advance(p);
  // what stands behind a dot belongs to what stands before it, and is no name of the part that is
  // being read
  const struct lang_scope* scope = p->scope;
  p->scope = NULL;
  lang_word word = lang_name_read(p, "the name of a part after the dot");
  p->scope = scope;
  if (lang_parser_failed(p)) return x;
  x = lang_node_over(p, LANG_FIELD, lang_parser_since(p, from), x);
  x.node->text = word.text;
  return x;
}

static lang_part postfix(lang_parser* p)
{
  lang_part x = primary(p);
  for (;;) {
    base_place place = lang_parser_place(p);
    switch (p->now.kind) {
    case TOKEN_PRIME:
      x = derivative(p, x);
      break;
    case TOKEN_DOT:
      x = field(p, x);
      break;
    case TOKEN_SQUARE:
    case TOKEN_CUBE:
      x = lang_node_binary(p, LANG_POW, x,
                           lang_node_number(p, place, p->now.kind == TOKEN_SQUARE ? "2" : "3", 1));
      lang_parser_advance(p);
      break;
    default:
      return x;
    }
  }
}

// any number of signs; two minuses cancel
static bool signs(lang_parser* p)
{
  bool negative = false;
  for (;;) {
    if (lang_parser_accept(p, TOKEN_MINUS))
      negative = !negative;
    else if (!lang_parser_accept(p, TOKEN_PLUS))
      return negative;
  }
}

static lang_part negated(lang_parser* p, lang_part x, bool negative, base_place from)
{
  if (!negative || lang_parser_failed(p)) return x;
  return lang_node_over(p, LANG_NEGATE, base_place_join(from, x.node->place), x);
}

static lang_part power(lang_parser* p)
{
  lang_part x = postfix(p);
  if (p->now.kind != TOKEN_POWER) return x;
  // operands first, then folded from the right; `inverse` here: the exponent has a minus
  BASE_LIST(term) chain = {0};
  BASE_LIST(base_place) from = {0};
  base_push(&chain, (term){x, false});
  base_push(&from, lang_parser_place(p));
  while (lang_parser_accept(p, TOKEN_POWER)) {
    base_push(&from, lang_parser_place(p));
    bool negative = signs(p);
    base_push(&chain, (term){postfix(p), negative});
  }
  lang_part e = chain.at[chain.n - 1].x;
  for (int i = chain.n - 1; i > 0; i--) {
    e = negated(p, e, chain.at[i].inverse, from.at[i]);
    e = lang_node_binary(p, LANG_POW, chain.at[i - 1].x, e);
  }
  free(chain.at);
  free(from.at);
  return e;
}

static lang_part with_sign(lang_parser* p)
{
  base_place from = lang_parser_place(p);
  bool negative = signs(p);
  return negated(p, power(p), negative, from);
}

// ---- chains -------------------------------------------------------------------------------------

// the chain as if its first term were not inverse: short ones from left to right, long ones by
// halves, a - b - c - d = (a - b) - (c + d)
static lang_part fold(lang_parser* p, const term* t, int n, lang_op plain, lang_op inverse)
{
  if (n <= short_chain) {
    lang_part x = t[0].x;
    for (int i = 1; i < n; i++)
      x = lang_node_binary(p, t[i].inverse != t[0].inverse ? inverse : plain, x, t[i].x);
    return x;
  }
  int half = n / 2;
  lang_op op = t[half].inverse != t[0].inverse ? inverse : plain;
  lang_part left = fold(p, t, half, plain, inverse);
  return lang_node_binary(p, op, left, fold(p, t + half, n - half, plain, inverse));
}

// what is above the line, and what is below: a divisor may never hold a vector that stood above
static lang_part fold_product(lang_parser* p, term* t, int n)
{
  if (n <= short_chain) return fold(p, t, n, LANG_MUL, LANG_DIV);
  BASE_LIST(term) above = {0}, below = {0};
  for (int i = 0; i < n; i++) {
    term x = {t[i].x, false};
    if (t[i].inverse)
      base_push(&below, x);
    else
      base_push(&above, x);
  }
  lang_part x = fold(p, above.at, above.n, LANG_MUL, LANG_DIV);
  if (below.n) x = lang_node_binary(p, LANG_DIV, x, fold(p, below.at, below.n, LANG_MUL, LANG_DIV));
  free(above.at);
  free(below.at);
  return x;
}

static lang_part product(lang_parser* p)
{
  lang_part x = with_sign(p);
  if (p->now.kind != TOKEN_TIMES && p->now.kind != TOKEN_OVER) return x;
  BASE_LIST(term) chain = {0};
  base_push(&chain, (term){x, false});
  while (p->now.kind == TOKEN_TIMES || p->now.kind == TOKEN_OVER) {
    bool inverse = p->now.kind == TOKEN_OVER;
    lang_parser_advance(p);
    base_push(&chain, (term){with_sign(p), inverse});
  }
  x = fold_product(p, chain.at, chain.n);
  free(chain.at);
  return x;
}

static lang_part value(lang_parser* p)
{
  lang_part x = product(p);
  if (p->now.kind != TOKEN_PLUS && p->now.kind != TOKEN_MINUS) return x;
  BASE_LIST(term) chain = {0};
  base_push(&chain, (term){x, false});
  while (p->now.kind == TOKEN_PLUS || p->now.kind == TOKEN_MINUS) {
    bool inverse = p->now.kind == TOKEN_MINUS;
    lang_parser_advance(p);
    base_push(&chain, (term){product(p), inverse});
  }
  x = fold(p, chain.at, chain.n, LANG_ADD, LANG_SUB);
  free(chain.at);
  return x;
}

static bool comparison(lang_token_kind kind, lang_op* op)
{
  switch (kind) {
  case TOKEN_LT:
    return *op = LANG_LT, true;
  case TOKEN_LE:
    return *op = LANG_LE, true;
  case TOKEN_GT:
    return *op = LANG_GT, true;
  case TOKEN_GE:
    return *op = LANG_GE, true;
  default:
    return false;
  }
}

lang_part lang_expression_compared(lang_parser* p)
{
  lang_part x = value(p);
  lang_op op, second;
  if (!comparison(p->now.kind, &op)) return x;
  lang_parser_advance(p);
  x = lang_node_binary(p, op, x, value(p));
  if (comparison(p->now.kind, &second) &&
      lang_parser_fail(p, lang_parser_place(p), "comparisons cannot be chained"))
    base_help(p->notes, "compare two values at a time, and join them by `and`");
  return x;
}

lang_node* lang_expression_value(lang_parser* p)
{
  return value(p).node;
}

lang_node* lang_expression_condition(lang_parser* p)
{
  return lang_condition_read(p).node;
}

lang_node* lang_expression_bracket(lang_parser* p)
{
  base_place opened = lang_parser_place(p);
  if (!open_bracket(p)) return NULL;
  lang_node* node = value(p).node;
  close_bracket(p, opened);
  return node;
}
