// Small help around jansson: texts that may be damaged, numbers that may not be finite.
#pragma once

#include <jansson.h>

#include "base/base.h"

// never null: bytes that are no UTF-8 become "?"
json_t* out_json_string(const char* text);
// null in JSON when x is not finite
json_t* out_json_real(double x);
json_t* out_json_reals(int n, const double* x);
json_t* out_json_table(int rows, int columns, const double* x); // a list for each row
// set a member; the value is taken over
void out_json_set(json_t* object, const char* key, json_t* value);
void out_json_push(json_t* array, json_t* value);
// append and release; pretty: two spaces of indent and a line feed at the end
void out_json_print(base_text* out, json_t* value, bool pretty);

// an object written by hand, a member a line: open with '{', then members, then close
typedef struct out_json_object
{
  base_text* out;
  int indent;
  bool begun;
} out_json_object;
out_json_object out_json_open(base_text* out, int indent);
void out_json_key(out_json_object* o,
                  const char* key); // the value is written after it by the caller
void out_json_member(out_json_object* o, const char* key, json_t* value);
void out_json_close(out_json_object* o);
// "[1, null, 3]" of every stride-th number
void out_json_numbers(base_text* out, const double* x, int count, int stride);
