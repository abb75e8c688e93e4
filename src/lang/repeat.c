// Repetitions: the text in the braces (or the summand) is read once for each value of the index.
//
// Bounds need the values of params, which may be written anywhere in the model: a model that
// repeats is read twice, and in the first reading repetitions are passed over (parse.c).
#include "lang/repeat.h"
#include "lang/reader.h"

#include <string.h>

// the brace that closes the one at `open`; kind TOKEN_END where there is none
static lang_token closing_brace(const lang_parser* p, lang_token open)
{
  int braces = 0;
  for (lang_token t = open;; t = lang_scan(&p->source, t.to)) {
    if (t.kind == TOKEN_END) return t;
    braces += t.kind == TOKEN_BRACE;
    if (t.kind == TOKEN_UNBRACE && --braces == 0) return t;
  }
}

// go on behind a token, whatever was reported before
static void jump_behind(lang_parser* p, lang_token t)
{
  p->now = t;
  p->round = 0;
  lang_parser_advance(p);
}

// after an error in `for i in ...`: its braces are passed over
static void pass_over(lang_parser* p, lang_token from)
{
  lang_token t = from;
  while (t.kind != TOKEN_BRACE && t.kind != TOKEN_NEWLINE && t.kind != TOKEN_END)
    t = lang_scan(&p->source, t.to);
  if (t.kind == TOKEN_BRACE) jump_behind(p, closing_brace(p, t));
}

static bool is_settled(const lang_parser* p)
{
  return !p->reader || p->reader->settled;
}

static const char* const taken[] = {"t", "pi", "world"};

// may this name be an index here?
static void check_name(lang_parser* p, lang_word name)
{
  if (!name.text) return;
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
    if (strcmp(name.text, taken[i]) == 0)
      lang_parser_fail(p, name.place, "`%s` means something else already", name.text);
  if (strchr(name.text, '[')) lang_parser_fail(p, name.place, "an index has no index itself");
  if (p->reader && lang_declared_has(p->reader, name.text))
    lang_parser_fail(p, name.place, "`%s` is declared in the model: call the index otherwise",
                     name.text);
}

typedef struct range
{
  lang_word name;
  long from, to;
} range;

// can it be done at all within the limit that all repetitions share?
static bool is_short(lang_parser* p, const range* r, base_place place)
{
  const long turns = r->to - r->from + 1;
  if (turns <= p->limits->repetitions) return true;
  lang_parser_fail(
      p, place,
      "this repetition has %ld turns; all repetitions of a model together have at most "
      "%d",
      turns, p->limits->repetitions);
  base_help(p->notes, "count to a smaller number");
  return false;
}

// i in a .. b
static bool read_range(lang_parser* p, range* r)
{
  r->name = lang_name_read(p, "the name of an index");
  check_name(p, r->name);
  lang_parser_expect_word(p, "in");
  const lang_node* from = lang_expression_value(p);
  lang_parser_expect(p, TOKEN_DOTS, "`..`");
  const lang_node* to = lang_expression_value(p);
  if (lang_parser_failed(p)) return false;
  if (!is_settled(p)) return true;
  return lang_constant_whole(p, from, "a bound", &r->from) &&
         lang_constant_whole(p, to, "a bound", &r->to) && is_short(p, r, to->place);
}

static lang_repeated* repeated_by(lang_parser* p)
{
  return p->reader ? &p->reader->repeated : &p->repeated;
}

// one more turn of a repetition: none may take more than the limits together
static bool has_room(lang_parser* p, base_place place)
{
  lang_repeated* all = repeated_by(p);
  const bool many = all->turns++ >= p->limits->repetitions;
  if (!many && all->bytes <= p->limits->repeated) return true;
  if (p->reader && p->reader->full) return false;
  if (many)
    lang_parser_fail(p, place, "more than %d turns of repetitions", p->limits->repetitions);
  else
    lang_parser_fail(p, place, "repetitions come to more than %zu MiB of text",
                     p->limits->repeated >> 20);
  if (p->reader) p->reader->full = true;
  return false;
}

static void enter(lang_parser* p, lang_index* x, const range* r, long value, int file)
{
  *x = (lang_index){r->name.text, value, x->outer};
  p->index = x;
  p->source.file = base_notes_source_again(p->notes, file, lang_index_text(p));
}

// its tokens are looked for once
static void keep_tokens(lang_parser* p, uint32_t from, uint32_t to)
{
  if (p->source.kept && p->source.kept_from <= from && to <= p->source.kept_to) return;
  p->source.kept = base_arena_take(p->arena, sizeof *p->source.kept * (to - from + 1));
  p->source.kept_from = from;
  p->source.kept_to = to;
}

static void turn_all(lang_parser* p, const range* r, lang_token open, lang_token close,
                     lang_repeat_body* body, void* context)
{
  const int file = p->source.file, errors = base_notes_errors(p->notes);
  lang_index x = {.outer = p->index};
  if (r->to > r->from) keep_tokens(p, open.to, close.to);
  for (long i = r->from; i <= r->to && has_room(p, r->name.place); i++) {
    enter(p, &x, r, i, file);
    p->spoilt = false;
    repeated_by(p)->bytes += close.from - open.to;
    jump_behind(p, open);
    body(p, close.from, context);
    // what is wrong for one value is wrong for all, as a rule
    if (base_notes_errors(p->notes) > errors) break;
  }
  p->index = x.outer;
  p->source.file = file;
  p->spoilt = base_notes_errors(p->notes) > errors;
}

void lang_repeat_read(lang_parser* p, lang_repeat_body* body, void* context)
{
  const lang_token word = p->now;
  const base_place place = lang_parser_place(p);
  p->usage = "for i in 1..N { ... }";
  lang_parser_advance(p);
  range r = {0};
  const bool fine = read_range(p, &r);
  const lang_token open = p->now;
  if (fine && open.kind != TOKEN_BRACE && lang_parser_unexpected(p, "`{`")) lang_parser_usage(p);
  if (lang_parser_failed(p)) {
    pass_over(p, word);
    return;
  }
  const lang_token close = closing_brace(p, open);
  if (close.kind == TOKEN_END) {
    if (lang_parser_fail(p, place, "the braces of this repetition are not closed"))
      base_help(p->notes, "a `}` is missing");
    p->now = close;
    return;
  }
  if (is_settled(p))
    turn_all(p, &r, open, close, body, context);
  else
    p->reader->repeats = true;
  const bool spoilt = p->spoilt;
  jump_behind(p, close);
  p->spoilt = p->spoilt || spoilt;
}

// ---- sums ---------------------------------------------------------------------------------------

bool lang_repeat_is_sum(const lang_parser* p)
{
  if (p->now.kind != TOKEN_OPEN) return false;
  const lang_token name = lang_parser_ahead(p);
  const lang_token in = lang_scan(&p->source, name.to);
  return name.kind == TOKEN_NAME && in.kind == TOKEN_NAME && in.to - in.from == 2 &&
         memcmp(p->source.text + in.from, "in", 2) == 0;
}

static void read_summand(lang_parser* p, lang_token colon, int round,
                         void (*add)(lang_parser* p, void* context), void* context)
{
  p->now = colon;
  p->round = round;
  lang_parser_advance(p);
  add(p, context);
}

static void forget(lang_parser* p, void* context)
{
  (void)context;
  lang_expression_value(p);
}

void lang_repeat_sum(lang_parser* p, void (*add)(lang_parser* p, void* context), void* context)
{
  range r = {0};
  p->usage = "sum(i in 1..N: x[i]^2)";
  if (!read_range(p, &r)) return;
  const lang_token colon = p->now;
  const int round = p->round, file = p->source.file;
  if (colon.kind != TOKEN_COLON) {
    if (lang_parser_unexpected(p, "`:`")) lang_parser_usage(p);
    return;
  }
  lang_index x = {.outer = p->index};
  const bool settled = is_settled(p);
  if (!settled) p->reader->repeats = true;
  for (long i = r.from; settled && i <= r.to && has_room(p, r.name.place); i++) {
    enter(p, &x, &r, i, file);
    read_summand(p, colon, round, add, context);
    if (lang_parser_failed(p)) break;
    repeated_by(p)->bytes += p->now.from - colon.to;
  }
  // nothing to add: the summand is read to find its end
  if (!settled || r.from > r.to) {
    enter(p, &x, &r, r.from, file);
    read_summand(p, colon, round, settled ? forget : add, context);
  }
  p->index = x.outer;
  p->source.file = file;
}
