// Words of the user and numbers, made fit for a terminal: clean, padded, wrapped.
#include "out/text.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// bytes of a control character at s (also those of two bytes and those that turn text around)
static size_t control_length(const unsigned char* s)
{
  if (s[0] < 0x20 || s[0] == 0x7f) return 1;
  if (s[0] == 0xc2 && s[1] >= 0x80 && s[1] < 0xa0) return 2;
  // U+2028 .. U+202E and U+2066 .. U+2069: line separators and direction overrides
  if (s[0] == 0xe2 && s[1] == 0x80 && s[2] >= 0xa8 && s[2] <= 0xae) return 3;
  if (s[0] == 0xe2 && s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9) return 3;
  return 0;
}

void out_text_plain(base_text* out, const char* words)
{
  assert(words);
  const char* end = words + strlen(words);
  base_text_add(out, "");
  while (words < end) {
    ptrdiff_t fault = base_utf8_fault(words, (size_t)(end - words));
    const char* stop = fault < 0 ? end : words + fault;
    while (words < stop) {
      size_t control = control_length((const unsigned char*)words);
      base_text_addn(out, control ? " " : words, 1);
      words += control ? control : 1;
    }
    if (fault >= 0) {
      base_text_add(out, "?");
      words++;
    }
  }
}

char* out_text_clean(base_arena* arena, const char* words)
{
  base_text t = {0};
  out_text_plain(&t, words);
  char* clean = base_arena_strdup(arena, t.at);
  base_text_free(&t);
  return clean;
}

int out_text_columns(const char* words)
{
  return base_utf8_columns(words, strlen(words));
}

void out_text_pad(base_text* out, const char* words, int columns)
{
  size_t before = out->n;
  out_text_plain(out, words);
  int used = base_utf8_columns(out->at + before, out->n - before);
  for (; used < columns; used++) base_text_add(out, " ");
}

void out_text_number(base_text* out, double x, int digits)
{
  if (isnan(x))
    base_text_add(out, "-");
  else
    base_text_printf(out, "%.*g", digits, x == 0 ? 0.0 : x);
}

// May a formula be broken at i: behind a +, - or = that stands between spaces?
static bool is_break(const char* formula, size_t i)
{
  return i >= 3 && formula[i - 1] == ' ' && strchr("+-=", formula[i - 2]) && formula[i - 3] == ' ';
}

// end of the line that starts at `from`: the last break of least depth that fits, else the first
// break that comes, else the end
static size_t line_end(const char* formula, size_t n, size_t from, int room)
{
  size_t best = 0;
  int depth = 0, best_depth = 0, best_columns = 0, columns = 0;
  for (size_t i = from; i < n; i++) {
    if (formula[i] == '(') depth++;
    if (formula[i] == ')') depth--;
    if (i > from && is_break(formula, i)) {
      if (columns > room && best) return best;
      // shallow is better, between the sides is best, but no line is left nearly empty
      int here = formula[i - 2] == '=' ? -1 : depth;
      if (!best || here <= best_depth || best_columns < room / 2)
        best = i, best_depth = here, best_columns = columns;
      if (columns > room) return best;
    }
    if (((unsigned char)formula[i] & 0xc0) != 0x80) columns++;
  }
  return columns <= room || !best ? n : best;
}

void out_text_wrap(base_text* out, const char* formula, int at, int indent, int width)
{
  size_t n = strlen(formula), from = 0;
  base_text_add(out, "");
  while (from < n) {
    size_t to = line_end(formula, n, from, width - at);
    size_t stop = to;
    while (to < n && stop > from && formula[stop - 1] == ' ') stop--;
    base_text_addn(out, formula + from, stop - from);
    if (to < n) base_text_printf(out, "\n%*s", indent, "");
    from = to;
    at = indent;
  }
}
