// The layout of a model's text: blanks and indents as the models of the gallery have them, nothing
// else changed. Tokens are copied one by one; blanks that mean something (x[1] and 1 [m], f(x) and
// `box (1, 2)`) or make columns stay as they are.
#include "lang/lang.h"
#include "lang/scan.h"

#include <string.h>

enum { indent = 2, further = 4, most_turns = 20 };

typedef struct layout
{
  lang_source source;
  base_text* out;
  int depth, round;    // braces and round brackets that are open
  bool goes_on;        // the last line was not the end of its statement
  bool is_for;         // bounds of a repetition are written tightly
  lang_token last;     // on this line; TOKEN_NEWLINE before the first
  lang_token_kind end; // of the last line that said something
  bool unary;          // the last token is a sign of its own
} layout;

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

// ---- between two tokens -------------------------------------------------------------------------

static bool is_sign(lang_token_kind k)
{
  return k == TOKEN_PLUS || k == TOKEN_MINUS;
}

static bool is_relation(lang_token_kind k)
{
  return k == TOKEN_EQUAL || k == TOKEN_TILDE || (TOKEN_LT <= k && k <= TOKEN_GE);
}

static bool is_tight(lang_token_kind k)
{
  return k == TOKEN_TIMES || k == TOKEN_OVER || k == TOKEN_POWER || k == TOKEN_DOT;
}

// what a value can end with
static bool ends_value(lang_token_kind k)
{
  return k == TOKEN_NAME || k == TOKEN_NUMBER || k == TOKEN_CLOSE || k == TOKEN_UNIT ||
         (TOKEN_PRIME <= k && k <= TOKEN_CUBE);
}

static bool has_blank_behind(const layout* l, lang_token t)
{
  return t.to < l->source.length &&
         (is_blank(l->source.text[t.to]) || l->source.text[t.to] == '\n');
}

// `axis -x`: a sign of its own behind a word
static bool is_unary(const layout* l, lang_token t, bool blank)
{
  const lang_token_kind before = l->last.kind == TOKEN_NEWLINE ? l->end : l->last.kind;
  if (l->last.kind == TOKEN_NEWLINE && !l->goes_on) return true;
  if (!ends_value(before)) return true;
  return before == TOKEN_NAME && blank && !has_blank_behind(l, t);
}

// signs that never have a blank before them, or behind them
static bool clings(lang_token_kind a, lang_token_kind b)
{
  static const lang_token_kind before[] = {TOKEN_COMMA, TOKEN_SEMICOLON, TOKEN_CLOSE,
                                           TOKEN_PRIME, TOKEN_SQUARE,    TOKEN_CUBE};
  for (size_t i = 0; i < sizeof before / sizeof *before; i++)
    if (b == before[i]) return true;
  return a == TOKEN_OPEN || is_tight(a) || is_tight(b);
}

static bool parts(lang_token_kind a, lang_token_kind b)
{
  return a == TOKEN_COMMA || a == TOKEN_SEMICOLON || a == TOKEN_COLON || is_relation(a) ||
         is_relation(b) || a == TOKEN_BRACE || b == TOKEN_BRACE || a == TOKEN_UNBRACE ||
         b == TOKEN_UNBRACE || a == TOKEN_STRING || b == TOKEN_STRING;
}

static bool gap(const layout* l, lang_token b, bool blank, bool unary)
{
  const lang_token_kind a = l->last.kind;
  if (clings(a, b.kind)) return false;
  if (parts(a, b.kind)) return true;
  if (l->unary) return false;
  if (l->is_for && (is_sign(a) || is_sign(b.kind))) return blank;
  if (is_sign(a)) return true;
  if (is_sign(b.kind)) return !unary || blank;
  return blank;
}

// ---- columns ------------------------------------------------------------------------------------

static uint32_t line_start(const layout* l, uint32_t at)
{
  while (at > 0 && l->source.text[at - 1] != '\n') at--;
  return at;
}

// does a word, or a number behind its sign, begin in that column of the line from `start`?
static bool begins_there(const layout* l, uint32_t start, uint32_t column)
{
  for (uint32_t i = 0; i < column; i++)
    if (start + i >= l->source.length || l->source.text[start + i] == '\n') return false;
  const uint32_t at = start + column;
  return at < l->source.length && !is_blank(l->source.text[at]) && l->source.text[at] != '\n' &&
         (is_blank(l->source.text[at - 1]) || strchr("+-", l->source.text[at - 1]));
}

// Several blanks stay where they put words of neighbouring lines below each other.
static bool is_aligned(const layout* l, uint32_t at)
{
  const uint32_t start = line_start(l, at), column = at - start;
  uint32_t next = at;
  while (next < l->source.length && l->source.text[next] != '\n') next++;
  return (start > 0 && begins_there(l, line_start(l, start - 1), column)) ||
         begins_there(l, next + 1, column);
}

// ---- a line -------------------------------------------------------------------------------------

static bool is_word(const layout* l, lang_token t, const char* word)
{
  const size_t n = strlen(word);
  return t.to - t.from == n && memcmp(l->source.text + t.from, word, n) == 0;
}

static void begin_line(layout* l, lang_token first)
{
  const bool closes = first.kind == TOKEN_UNBRACE && !l->goes_on;
  const int level = l->depth - closes > 0 ? l->depth - closes : 0;
  for (int i = 0; i < indent * level + (l->goes_on ? further : 0); i++) base_text_add(l->out, " ");
  if (!l->goes_on) l->is_for = is_word(l, first, "for");
}

// `blanks`: so many stood before it
static void put(layout* l, lang_token t, uint32_t blanks)
{
  const bool blank = blanks > 0;
  const bool unary = is_sign(t.kind) && is_unary(l, t, blank);
  if (l->last.kind == TOKEN_NEWLINE)
    begin_line(l, t);
  else if (gap(l, t, blank, unary))
    for (uint32_t i = blanks > 1 && is_aligned(l, t.from) ? blanks : 1; i > 0; i--)
      base_text_add(l->out, " ");
  base_text_addn(l->out, l->source.text + t.from, t.to - t.from);
  l->depth += (t.kind == TOKEN_BRACE) - (t.kind == TOKEN_UNBRACE);
  l->round += (t.kind == TOKEN_OPEN) - (t.kind == TOKEN_CLOSE);
  if (t.kind == TOKEN_SEMICOLON || t.kind == TOKEN_BRACE) l->is_for = false;
  l->last = t;
  l->unary = unary;
}

// a comment from `at` to the end of the line, so many blanks behind the last token; where it ends
static uint32_t put_comment(layout* l, uint32_t at, uint32_t blanks)
{
  uint32_t end = at;
  while (end < l->source.length && l->source.text[end] != '\n') end++;
  uint32_t to = end;
  while (to > at && is_blank(l->source.text[to - 1])) to--;
  if (l->last.kind == TOKEN_NEWLINE)
    begin_line(l, (lang_token){.from = at, .to = at});
  else
    for (uint32_t i = 0; i < (blanks ? blanks : 1); i++) base_text_add(l->out, " ");
  base_text_addn(l->out, l->source.text + at, to - at);
  return end;
}

// where the line from `at` says something: its end, if it says nothing
static uint32_t first_of(const layout* l, uint32_t at)
{
  while (at < l->source.length && is_blank(l->source.text[at])) at++;
  return at;
}

static bool is_end(const layout* l, uint32_t at)
{
  return at >= l->source.length || l->source.text[at] == '\n';
}

// the line from `at` on, up to its end; false at what is no token
static bool put_line(layout* l, uint32_t* at)
{
  l->last = (lang_token){.kind = TOKEN_NEWLINE};
  for (;;) {
    const uint32_t to = first_of(l, *at);
    if (is_end(l, to)) break;
    if (l->source.text[to] == '#') {
      *at = put_comment(l, to, to - *at);
      continue;
    }
    const lang_token t = lang_scan(&l->source, to);
    if (t.kind == TOKEN_FAULT) return false;
    put(l, t, to - *at);
    *at = t.to;
  }
  base_text_add(l->out, "\n");
  if (l->last.kind == TOKEN_NEWLINE) return true;
  l->goes_on = (TOKEN_COMMA <= l->last.kind && l->last.kind <= TOKEN_GE) || l->round > 0;
  l->end = l->last.kind;
  return true;
}

static bool lay_out(const char* text, size_t length, base_text* out)
{
  layout l = {.source = {.text = text, .length = (uint32_t)length}, .out = out};
  uint32_t at = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  bool waiting = false; // an empty line is due
  while (at < length) {
    const uint32_t first = first_of(&l, at);
    if (is_end(&l, first)) {
      waiting = out->n > 0;
    } else {
      if (waiting) base_text_add(out, "\n");
      waiting = false;
      at = first;
      if (!put_line(&l, &at)) return false;
    }
    at = first_of(&l, at) + 1;
  }
  return true;
}

// Columns that are no longer below each other make others lose theirs: until nothing changes.
bool lang_layout(const char* text, size_t length, base_text* out)
{
  // comments are not looked into by the scanner, and a text ends at its first zero
  if (base_utf8_fault(text, length) >= 0 || memchr(text, 0, length)) return false;
  bool fine = lay_out(text, length, out);
  for (int turn = 0; fine && turn < most_turns; turn++) {
    base_text next = {0};
    fine = lay_out(out->at ? out->at : "", out->n, &next);
    const bool same = next.n == out->n && (!next.n || memcmp(next.at, out->at, next.n) == 0);
    base_text_free(out);
    *out = next;
    if (same) break;
  }
  return fine;
}
