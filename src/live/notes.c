// Notes as JSON, with the place that their first line names.
#include "live/live.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char* level_of(zw_level l)
{
  return l == ZW_ERROR ? "error" : l == ZW_WARNING ? "warning" : "info";
}

// "name:LINE:COLUMN: ...": the name may hold colons, the numbers end at the first ": "
static bool place_of(const char* text, long* line, long* column)
{
  const char* end = strstr(text, ": ");
  const char* newline = strchr(text, '\n');
  if (!end || (newline && newline < end)) return false;
  const char* at[2];
  const char* c = end;
  for (int k = 1; k >= 0; k--) {
    while (c > text && c[-1] >= '0' && c[-1] <= '9') c--;
    at[k] = c;
    if (c == end || c == text || *--c != ':') return false;
    end = c;
  }
  *line = strtol(at[0], NULL, 10);
  *column = strtol(at[1], NULL, 10);
  return true;
}

char* live_notes_json(const zw_notes* n, int* told)
{
  json_t* list = json_array();
  for (; n && *told < zw_notes_count(n); (*told)++) {
    const char* text = zw_notes_text(n, *told);
    json_t* note = json_object();
    long line, column;
    json_object_set_new(note, "level", json_string(level_of(zw_notes_level(n, *told))));
    json_object_set_new(note, "text", json_string(text));
    if (place_of(text, &line, &column)) {
      json_object_set_new(note, "line", json_integer(line));
      json_object_set_new(note, "column", json_integer(column));
    }
    json_array_append_new(list, note);
  }
  char* text = json_dumps(list, JSON_COMPACT);
  json_decref(list);
  return text;
}
