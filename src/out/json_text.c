// Small help around jansson: texts that may be damaged, numbers that may not be finite.
#include "out/json_text.h"

#include <math.h>
#include <string.h>

#include "out/number.h"
#include "out/out.h"

json_t* out_json_string(const char* text)
{
  json_t* s = json_string(text);
  if (s) return s;
  // a text cut in the middle of a letter, or worse
  base_text clean = {0};
  const char* end = text + strlen(text);
  while (text < end) {
    ptrdiff_t fault = base_utf8_fault(text, (size_t)(end - text));
    base_text_addn(&clean, text, fault < 0 ? (size_t)(end - text) : (size_t)fault);
    if (fault < 0) break;
    base_text_add(&clean, "?");
    text += fault + 1;
  }
  s = json_string(clean.at ? clean.at : "");
  base_text_free(&clean);
  if (!s) base_no_room();
  return s;
}

json_t* out_json_real(double x)
{
  return isfinite(x) ? json_real(x) : json_null();
}

json_t* out_json_reals(int n, const double* x)
{
  json_t* list = json_array();
  for (int i = 0; i < n; i++) out_json_push(list, out_json_real(x[i]));
  return list;
}

json_t* out_json_table(int rows, int columns, const double* x)
{
  json_t* list = json_array();
  for (int i = 0; i < rows; i++) out_json_push(list, out_json_reals(columns, x + i * columns));
  return list;
}

void out_json_set(json_t* object, const char* key, json_t* value)
{
  // names of a model are valid UTF-8: only lack of memory fails
  if (json_object_set_new(object, key, value) != 0) base_no_room();
}

void out_json_push(json_t* array, json_t* value)
{
  if (json_array_append_new(array, value) != 0) base_no_room();
}

static int dump_piece(const char* bytes, size_t n, void* out)
{
  base_text_addn(out, bytes, n);
  return 0;
}

void out_json_print(base_text* out, json_t* value, bool pretty)
{
  size_t flags = JSON_ENCODE_ANY | JSON_REAL_PRECISION(17) | (pretty ? JSON_INDENT(2) : 0);
  json_dump_callback(value, dump_piece, out, flags);
  if (pretty) base_text_add(out, "\n");
  json_decref(value);
}

void out_json_quote(const char* text, base_text* out)
{
  out_json_print(out, out_json_string(text), false);
}

out_json_object out_json_open(base_text* out, int indent)
{
  base_text_add(out, "{");
  return (out_json_object){out, indent + 2, false};
}

void out_json_key(out_json_object* o, const char* key)
{
  base_text_printf(o->out, "%s\n%*s", o->begun ? "," : "", o->indent, "");
  out_json_print(o->out, out_json_string(key), false);
  base_text_add(o->out, ": ");
  o->begun = true;
}

void out_json_member(out_json_object* o, const char* key, json_t* value)
{
  out_json_key(o, key);
  out_json_print(o->out, value, false);
}

void out_json_close(out_json_object* o)
{
  if (o->begun) base_text_printf(o->out, "\n%*s", o->indent - 2, "");
  base_text_add(o->out, "}");
}

void out_json_numbers(base_text* out, const double* x, int count, int stride)
{
  base_text_add(out, "[");
  for (int i = 0; i < count; i++) {
    double value = x[(size_t)i * (size_t)stride];
    if (i > 0) base_text_add(out, ", ");
    if (isfinite(value))
      out_number_add(out, value);
    else
      base_text_add(out, "null");
  }
  base_text_add(out, "]");
}
