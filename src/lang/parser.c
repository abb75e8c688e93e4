// Where we are in a text: tokens taken, expected, refused; the way on after an error.
#include "lang/parser.h"

#include "lang/reader.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// a model that is read twice has its sources once
static int source_of(lang_parser* p, const char* name, const char* text, size_t length)
{
  lang_reader* r = p->reader;
  if (r && r->settled && r->source < r->sources.n) {
    const int known = r->sources.at[r->source];
    if (!strcmp(base_notes_source_name(p->notes, known), name)) {
      r->source++;
      return known;
    }
  }
  const int file = base_notes_source(p->notes, name, text, length);
  if (r) base_push(&r->sources, file);
  return file;
}

void lang_parser_start(lang_parser* p, const char* name, const char* text, size_t length)
{
  assert(length < UINT32_MAX);
  int file = source_of(p, name, text, length);
  p->source = (lang_source){.text = text, .length = (uint32_t)length, .file = file};
  // a byte order mark says nothing in UTF-8
  uint32_t start = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  p->now = (lang_token){.kind = TOKEN_NEWLINE, .from = start, .to = start};
  p->round = 0;
  p->spoilt = false;
  lang_parser_advance(p);
}

// ---- tokens -------------------------------------------------------------------------------------

// a line that ends in an operator or a comma goes on
static bool joins(lang_token_kind kind)
{
  return TOKEN_COMMA <= kind && kind <= TOKEN_GE;
}

static void report_fault(lang_parser* p)
{
  p->stuck = p->now;
  p->now.kind = TOKEN_FAILED;
  p->spoilt = true;
  lang_scan_report(&p->source, p->stuck, p->notes);
}

void lang_parser_advance(lang_parser* p)
{
  if (lang_parser_failed(p)) return;
  bool on = joins(p->now.kind) || p->round > 0;
  p->last = p->now.to;
  p->joined = false;
  p->now = lang_scan(&p->source, p->now.to);
  while (on && p->now.kind == TOKEN_NEWLINE) {
    p->joined = true;
    p->now = lang_scan(&p->source, p->now.to);
  }
  if (p->now.kind == TOKEN_FAULT) report_fault(p);
}

lang_token lang_parser_ahead(const lang_parser* p)
{
  return lang_scan(&p->source, p->now.to);
}

base_place lang_parser_place(const lang_parser* p)
{
  lang_token t = lang_parser_failed(p) ? p->stuck : p->now;
  // a line end is pointed at, not underlined
  return (base_place){p->source.file, t.from, t.kind == TOKEN_NEWLINE ? t.from : t.to};
}

base_place lang_parser_since(const lang_parser* p, base_place from)
{
  if (p->last > from.from) from.to = p->last;
  return from;
}

bool lang_parser_accept(lang_parser* p, lang_token_kind kind)
{
  if (p->now.kind != kind) return false;
  lang_parser_advance(p);
  return true;
}

bool lang_parser_expect(lang_parser* p, lang_token_kind kind, const char* what)
{
  if (p->now.kind != kind) lang_parser_unexpected(p, what);
  return lang_parser_accept(p, kind);
}

static bool is_text(const lang_parser* p, lang_token t, const char* word)
{
  if (p->source.text[t.from] != *word) return false;
  const size_t n = strlen(word);
  return t.to - t.from == n && memcmp(p->source.text + t.from, word, n) == 0;
}

bool lang_parser_is_word(const lang_parser* p, const char* word)
{
  return p->now.kind == TOKEN_NAME && is_text(p, p->now, word);
}

bool lang_parser_accept_word(lang_parser* p, const char* word)
{
  if (!lang_parser_is_word(p, word)) return false;
  lang_parser_advance(p);
  return true;
}

bool lang_parser_expect_word(lang_parser* p, const char* word)
{
  char what[40];
  snprintf(what, sizeof what, "`%s`", word);
  if (!lang_parser_is_word(p, word)) lang_parser_unexpected(p, what);
  return lang_parser_accept_word(p, word);
}

lang_token lang_parser_after_name(const lang_parser* p)
{
  uint32_t end = p->now.to;
  lang_token next = lang_scan(&p->source, end);
  while (next.kind == TOKEN_UNIT && next.from == end) {
    end = next.to;
    next = lang_scan(&p->source, end);
  }
  return next;
}

const char* lang_parser_string(lang_parser* p)
{
  lang_token t = p->now;
  if (!lang_parser_expect(p, TOKEN_STRING, "a text in quotes")) return NULL;
  return base_arena_strndup(p->arena, p->source.text + t.from + 1, t.to - t.from - 2);
}

lang_unit lang_parser_unit(lang_parser* p)
{
  lang_unit unit = {.place = lang_parser_place(p)};
  lang_token t = p->now;
  if (!lang_parser_accept(p, TOKEN_UNIT)) return unit;
  uint32_t from = t.from + 1, to = t.to - 1;
  while (from < to && strchr(" \t", p->source.text[from])) from++;
  while (from < to && strchr(" \t", p->source.text[to - 1])) to--;
  unit.text = base_arena_strndup(p->arena, p->source.text + from, to - from);
  return unit;
}

void* lang_parser_seal(lang_parser* p, void* list, int n, size_t size)
{
  void* copy = n ? base_arena_take(p->arena, (size_t)n * size) : NULL;
  if (n) memcpy(copy, list, (size_t)n * size);
  free(list);
  return copy;
}

void* lang_parser_append(lang_parser* p, void* list, int n, size_t size, const void* item)
{
  enum { first = 8 };
  // full when empty, or at a power of two from `first` on
  if (n == 0 || (n >= first && (n & (n - 1)) == 0)) {
    char* larger = base_arena_take(p->arena, size * (size_t)(n ? 2 * n : first));
    if (n) memcpy(larger, list, size * (size_t)n);
    list = larger;
  }
  memcpy((char*)list + size * (size_t)n, item, size);
  return list;
}

// ---- errors -------------------------------------------------------------------------------------

bool lang_parser_failed(const lang_parser* p)
{
  return p->now.kind == TOKEN_FAILED;
}

bool lang_parser_fail(lang_parser* p, base_place place, const char* format, ...)
{
  if (lang_parser_failed(p)) return false;
  p->stuck = p->now;
  p->now.kind = TOKEN_FAILED;
  p->spoilt = true;
  va_list args;
  va_start(args, format);
  char* reason = base_vprintf(format, args);
  va_end(args);
  base_error(p->notes, place, "%s", reason);
  free(reason);
  return true;
}

void lang_parser_usage(lang_parser* p)
{
  if (p->usage) base_help(p->notes, "it is written: %s", p->usage);
}

bool lang_parser_unexpected(lang_parser* p, const char* wanted)
{
  base_place place = lang_parser_place(p);
  // what is missing is missing where the text was left, not lines later
  bool dangles = lang_parser_dangles(p);
  if (dangles || p->now.kind == TOKEN_END) place.from = place.to = p->last;
  if (dangles)
    return lang_parser_fail(p, place, "expected %s; the line goes on to a new statement", wanted);
  const char* found = p->source.text + p->now.from;
  int n = (int)(p->now.to - p->now.from);
  switch (p->now.kind) {
  case TOKEN_END:
  case TOKEN_NEWLINE:
    if (!lang_parser_fail(p, place, "expected %s before the end of the %s", wanted,
                          p->now.kind == TOKEN_END ? "text" : "line"))
      return false;
    if (strcmp(wanted, "a value") == 0) lang_parser_usage(p);
    return true;
  case TOKEN_STRING:
    return lang_parser_fail(p, place, "expected %s, found a text in quotes", wanted);
  case TOKEN_UNIT:
    if (!lang_parser_fail(p, place, "the unit `%.*s` cannot stand here", n, found)) return false;
    if (strcmp(wanted, "a value") == 0)
      base_help(p->notes, "the brackets of a formula are round: (a + b)*c; square ones hold units");
    else
      base_help(p->notes, "units belong to params, coordinates and numbers: param m = 7 [kg]");
    return false;
  default:
    if (!lang_parser_fail(p, place, "expected %s, found `%.*s`", wanted, n, found)) return false;
    lang_habits_help(p, wanted);
    return true;
  }
}

// a statement word that is the first thing on its line
static bool begins_statement(const lang_parser* p, lang_token before, lang_token t)
{
  return before.kind == TOKEN_NEWLINE && t.kind == TOKEN_NAME &&
         p->begins(p->source.text + t.from, t.to - t.from);
}

static bool is_first_on_line(const lang_parser* p, lang_token t)
{
  uint32_t at = t.from;
  while (at > 0 && (p->source.text[at - 1] == ' ' || p->source.text[at - 1] == '\t')) at--;
  return at == 0 || p->source.text[at - 1] == '\n';
}

bool lang_parser_at_statement(const lang_parser* p)
{
  lang_token newline = {.kind = TOKEN_NEWLINE};
  return is_first_on_line(p, p->now) && begins_statement(p, newline, p->now);
}

// `2*` at the end of a line and then `output a = ...`: no expression goes on like that
bool lang_parser_dangles(const lang_parser* p)
{
  if (!p->joined || !lang_parser_at_statement(p)) return false;
  lang_token_kind next = lang_parser_ahead(p).kind;
  return next == TOKEN_NAME || next == TOKEN_STRING || next == TOKEN_NUMBER;
}

static bool ends_item(lang_token_kind kind)
{
  return kind == TOKEN_SEMICOLON || kind == TOKEN_NEWLINE || kind == TOKEN_UNBRACE;
}

// Skip from the token we are stuck at to a line end outside brackets and braces, or, since a
// bracket may never be closed, to a line that begins with a statement word. Items also end at ; and
// }.
static void skip(lang_parser* p, bool item)
{
  assert(lang_parser_failed(p));
  lang_token t = p->stuck, before = {0};
  if (is_first_on_line(p, t)) before.kind = TOKEN_NEWLINE;
  bool stuck = true;
  int open = p->round, braces = item ? 1 : 0;
  for (;; before = t, t = lang_scan(&p->source, t.to), stuck = false) {
    if (t.kind == TOKEN_END) break;
    if (t.kind == TOKEN_OPEN) open++;
    if (t.kind == TOKEN_CLOSE && open > 0) open--;
    if (t.kind == TOKEN_BRACE) braces++;
    if ((open > 0 || braces > 0 || stuck) && begins_statement(p, before, t)) break;
    // braces never stand inside brackets, so one that closes ends those too
    if (t.kind == TOKEN_UNBRACE) open = 0;
    if (item && braces == 1 && open == 0 && ends_item(t.kind)) break;
    if (t.kind == TOKEN_UNBRACE && braces > 0) braces--;
    if (!item && braces == 0 && open == 0 && t.kind == TOKEN_NEWLINE) break;
  }
  p->round = 0;
  p->now = t;
}

void lang_parser_resume(lang_parser* p)
{
  skip(p, false);
}

void lang_parser_resume_item(lang_parser* p)
{
  skip(p, true);
}
