// repeat: `for i in 1..N { ... }`, `sum(i in 1..N: ...)`, indexed names, and the params they need.
#pragma once

#include "lang/parser.h"

// ---- indices (index.c) --------------------------------------------------------------------------

// the index of this name in the repetitions we are in, or null
const lang_index* lang_index_find(const lang_parser* p, const char* name);
// "i = 1, j = 2"
const char* lang_index_text(const lang_parser* p);

// ---- whole numbers (constant.c) -----------------------------------------------------------------

// names that have values before the model has a meaning: its params, as written or as overridden
typedef struct lang_constant
{
  const char* name;
  const lang_node* value;
  bool has_unit, changes; // carries a unit; is set by a stage or an event
  bool counts;            // some bound or index was made of it
} lang_constant;

typedef struct lang_constants
{
  int n;
  lang_constant* at; // by name
} lang_constants;

// those of the statements of a first reading
lang_constants lang_constants_collect(lang_statement* const* list, int n, base_arena* arena);
lang_constant* lang_constants_find(const lang_constants* c, const char* name); // or null
// the value of an expression that must be a whole number; false with an error noted
bool lang_constant_whole(lang_parser* p, const lang_node* n, const char* what, long* value);

// ---- repetitions (repeat.c) ---------------------------------------------------------------------

// read what stands in the braces, up to this byte
typedef void lang_repeat_body(lang_parser* p, uint32_t end, void* context);
// `for i in a..b { body }`, from the word `for` on
void lang_repeat_read(lang_parser* p, lang_repeat_body* body, void* context);

// is the bracket after `sum` that of a sum over an index?
bool lang_repeat_is_sum(const lang_parser* p);
// `i in a..b: value`, the bracket open: `add` reads the value once for each i
void lang_repeat_sum(lang_parser* p, void (*add)(lang_parser* p, void* context), void* context);
