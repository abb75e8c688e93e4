// Linear algebra on a tape: matrices of values, with zeros known in advance left out. Private to
// the room.
#pragma once

#include "code/tape.h"

// no value: a zero that is there in every state
#define CODE_ABSENT UINT32_MAX

// ---- algebra with absent values -----------------------------------------------------------------

uint32_t code_solve_value(const code_maker* m, uint32_t v); // a constant zero becomes absent
uint32_t code_solve_present(code_maker* m, uint32_t v);     // and back
uint32_t code_solve_times(code_maker* m, uint32_t a, uint32_t b);
uint32_t code_solve_add(code_maker* m, uint32_t x, uint32_t a, uint32_t b); // x + a*b
uint32_t code_solve_sub(code_maker* m, uint32_t x, uint32_t a, uint32_t b); // x - a*b
uint32_t code_solve_neg(code_maker* m, uint32_t a);
uint32_t code_solve_inverse(code_maker* m, uint32_t a);
// guard becomes the smaller of itself and x; a number above zero needs no guarding
void code_solve_guard(code_maker* m, uint32_t* guard, uint32_t x);

// ---- symmetric problems -------------------------------------------------------------------------

// S x = y, of which the lower triangle of S (n by n, row-major) is used up and y becomes x. The
// first `positive` diagonal entries belong to a positive definite block; the others are absent, and
// negative once that block is eliminated. The guard stays above zero as long as every pivot is
// more than `tolerance` of what it was before other unknowns were eliminated from it.
void code_ldl(code_maker* m, int n, int positive, uint32_t* S, uint32_t* y, double tolerance,
              uint32_t* guard);
