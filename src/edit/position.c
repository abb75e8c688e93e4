// Places as editors count them: a line, and UTF-16 units from its beginning.
#include "edit/document.h"

// bytes of the character at `at`, and the units it takes
static size_t character(const edit_document* d, size_t at, int* units)
{
  const unsigned char c = (unsigned char)d->text[at];
  const size_t bytes = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
  *units = bytes == 4 ? 2 : 1;
  return at + bytes <= d->length ? bytes : 1;
}

size_t edit_position_read(const edit_document* d, const json_t* position)
{
  json_int_t line = json_integer_value(json_object_get(position, "line"));
  json_int_t column = json_integer_value(json_object_get(position, "character"));
  size_t at = 0;
  for (; line > 0 && at < d->length; at++) line -= d->text[at] == '\n';
  while (column > 0 && at < d->length && d->text[at] != '\n') {
    int units;
    at += character(d, at, &units);
    column -= units;
  }
  return at < d->length ? at : d->length;
}

static json_t* position_of(const edit_document* d, size_t place)
{
  int line = 0, column = 0;
  for (size_t at = 0; at < place && at < d->length;) {
    if (d->text[at] == '\n') {
      line++;
      column = 0;
      at++;
    } else {
      int units;
      at += character(d, at, &units);
      column += units;
    }
  }
  return json_pack("{s:i, s:i}", "line", line, "character", column);
}

json_t* edit_position_range(const edit_document* d, size_t from, size_t to)
{
  return json_pack("{s:o, s:o}", "start", position_of(d, from), "end", position_of(d, to));
}
