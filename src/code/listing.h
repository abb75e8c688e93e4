// Expressions of a linear problem on their way to a tape. Private to the room.
#pragma once

#include "code/pack.h"
#include "code/solve.h"

// Expressions are listed, lowered, and their values read back in the same order.
typedef struct code_listing
{
  expr_pool* pool;
  const code_linear* s;
  int inputs;
  const expr* in;
  BASE_LIST(expr) list;
  code_maker m;
  const uint32_t* next; // the value to read
  BASE_LIST(code_bound) bound;
  uint32_t guard;  // of x
  code_twin* twin; // inputs that are alike (twins.h), or null
} code_listing;

void code_listing_add(code_listing* l, int count, const expr* e);
void code_listing_add_lower(code_listing* l, int n, const expr* e); // triangle of an n by n matrix
// all of them onto the tape; false where a symbol is missing
bool code_listing_lower(code_listing* l, expr* missing);
// values in the order of their expressions; a constant zero is absent
void code_listing_read(code_listing* l, int count, uint32_t* to);
void code_listing_read_lower(code_listing* l, int n, uint32_t* to); // into both triangles
// outputs: a, lambda when asked for, the guard, the others
bool code_listing_put_out(code_listing* l, const code_problem* p, expr* missing);
code_kernel* code_listing_finish(code_listing* l, bool fine);

// guard: of what was solved before
code_problem code_problem_new(code_maker* m, const code_linear* s, uint32_t guard);
void code_problem_free(code_problem* p);
