// A line of a source as it can be shown, with the caret under the place.
#include "base/excerpt.h"

#include <assert.h>
#include <string.h>
#include <utf8proc.h>

enum { most_columns = 100, context = 40 };

// One character as shown: what is unprintable becomes the replacement sign.
typedef struct glyph
{
  const char* show;
  size_t shown; // bytes of show
  size_t bytes; // bytes of the source it stands for
  int columns;
} glyph;

static const glyph replacement = {"\xEF\xBF\xBD", 3, 1, 1};

static glyph next(const char* text, size_t n)
{
  assert(n > 0);
  utf8proc_int32_t code;
  utf8proc_ssize_t room = n < 4 ? (utf8proc_ssize_t)n : 4;
  utf8proc_ssize_t length = utf8proc_iterate((const utf8proc_uint8_t*)text, room, &code);
  if (length <= 0) return replacement;
  glyph g = {text, (size_t)length, (size_t)length, utf8proc_charwidth(code)};
  if (code == '\t' || code == '\n' || code == '\r') {
    g = (glyph){" ", 1, 1, 1};
    return g;
  }
  switch (utf8proc_category(code)) {
  case UTF8PROC_CATEGORY_CC:
  case UTF8PROC_CATEGORY_CF:
  case UTF8PROC_CATEGORY_CN:
  case UTF8PROC_CATEGORY_CO:
  case UTF8PROC_CATEGORY_ZL:
  case UTF8PROC_CATEGORY_ZP:
    g = replacement;
    g.bytes = (size_t)length;
    return g;
  default:
    return g;
  }
}

void base_excerpt_clean(base_text* out, const char* text, size_t n)
{
  base_text_addn(out, "", 0);
  for (size_t i = 0; i < n;) {
    glyph g = next(text + i, n - i);
    base_text_addn(out, g.show, g.shown);
    i += g.bytes;
  }
}

static size_t line_start(const char* text, size_t at)
{
  const char* newline = memrchr(text, '\n', at);
  return newline ? (size_t)(newline - text) + 1 : 0;
}

static size_t line_end(const char* text, size_t length, size_t at)
{
  const char* newline = memchr(text + at, '\n', length - at);
  size_t end = newline ? (size_t)(newline - text) : length;
  // the carriage return of CRLF belongs to the line end
  return end > at && text[end - 1] == '\r' ? end - 1 : end;
}

void base_excerpt_where(const char* text, size_t length, size_t at, int* line, int* column)
{
  assert(at <= length);
  *line = 1;
  for (const char* p = text; (p = memchr(p, '\n', (size_t)(text + at - p))); p++) ++*line;
  *column = 1;
  // plain letters the short way: a line may be megabytes long
  for (size_t i = line_start(text, at); i < at; ++*column)
    i += (unsigned char)text[i] < 0x80 ? 1 : next(text + i, length - i).bytes;
}

static bool is_wider(const char* text, size_t n, int columns)
{
  for (size_t i = 0; i < n && columns >= 0;) {
    glyph g = next(text + i, n - i);
    columns -= g.columns, i += g.bytes;
  }
  return columns < 0;
}

// the nearest start of a character at or before `at` that lies `columns` to its left
static size_t step_left(const char* text, size_t start, size_t at, int columns)
{
  // a character has at most 4 bytes, so look no further back than that allows
  size_t far = (size_t)columns * 4;
  size_t from = at - start > far ? at - far : start;
  while (from > start && (text[from] & 0xC0) == 0x80) from--;
  int total = 0;
  for (size_t i = from; i < at;) {
    glyph g = next(text + i, at - i);
    total += g.columns, i += g.bytes;
  }
  while (from < at && total > columns) {
    glyph g = next(text + from, at - from);
    total -= g.columns, from += g.bytes;
  }
  return from;
}

// the carets below the character at i, before which there are so many columns
static void mark(base_text* carets, base_place p, size_t i, glyph g, int columns, int* marked)
{
  const bool before = i + g.bytes <= p.from, inside = !before && (i < p.to || *marked == 0);
  if (inside && *marked == 0 && g.columns == 0 && columns > 0)
    carets->at[carets->n - 1] = '^', *marked = 1;
  for (int k = 0; k < g.columns && (before || inside); k++)
    base_text_add(carets, before ? " " : (*marked)++ ? "~" : "^");
}

void base_excerpt_show(base_text* out, const char* text, size_t length, base_place p, int line)
{
  size_t start = line_start(text, p.from), end = line_end(text, length, p.from);
  // a line too long to be shown begins a little before the place
  size_t near = step_left(text, start, p.from, context);
  bool cut = near > start && is_wider(text + start, end - start, most_columns);
  if (cut) start = near;

  base_text carets = {0};
  size_t before_number = out->n;
  base_text_printf(out, "%5d | ", line);
  base_text_printf(&carets, "%*s", (int)(out->n - before_number), "| ");
  base_text_add(out, cut ? "…" : "");
  base_text_add(&carets, cut ? " " : "");
  int columns = 0, marked = 0;
  size_t i = start;
  while (i < end) {
    glyph g = next(text + i, end - i);
    // marks that combine belong to the character before them, also at the edge
    if (columns >= most_columns && g.columns > 0) break;
    base_text_addn(out, g.show, g.shown);
    mark(&carets, p, i, g, columns, &marked);
    columns += g.columns;
    i += g.bytes;
  }
  if (marked == 0) base_text_add(&carets, "^");
  base_text_printf(out, "%s\n%s\n", i < end ? "…" : "", carets.at);
  base_text_free(&carets);
}
