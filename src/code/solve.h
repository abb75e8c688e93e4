// Linear algebra on a tape: matrices of values, with zeros known in advance left out. Private to
// the room.
#pragma once

#include "code/tape.h"

// no value: a zero that is there in every state
#define CODE_ABSENT UINT32_MAX

// ---- algebra with absent values -----------------------------------------------------------------

uint32_t code_solve_value(const code_maker* m, uint32_t v); // a constant zero becomes absent
uint32_t code_solve_present(code_maker* m, uint32_t v);     // and back
// a list of them, behind the first *at of `out`
void code_solve_list(code_maker* m, int count, const uint32_t* v, uint32_t* out, int* at);
// a without the signs before it; *minus changes with each
uint32_t code_solve_unsigned(const code_maker* m, uint32_t a, bool* minus);
uint32_t code_solve_times(code_maker* m, uint32_t a, uint32_t b);
uint32_t code_solve_add(code_maker* m, uint32_t x, uint32_t a, uint32_t b); // x + a*b
uint32_t code_solve_sub(code_maker* m, uint32_t x, uint32_t a, uint32_t b); // x - a*b
uint32_t code_solve_neg(code_maker* m, uint32_t a);
uint32_t code_solve_inverse(code_maker* m, uint32_t a);
// guard becomes the smaller of itself and x; a number above zero needs no guarding, nor does what
// bounds of sines and squares keep there
void code_solve_guard(code_maker* m, uint32_t* guard, uint32_t x);

// ---- the problem on the tape --------------------------------------------------------------------

typedef struct code_problem
{
  code_maker* m;
  int n, rows;
  uint32_t *M, *F, *A, *b; // M whole, both triangles
  uint32_t *a, *lambda;    // found
  uint32_t* W;             // null, or found in the place of lambda: what a unit of each row adds
  double tolerance, row_tolerance;
  const double* weight;
  uint32_t guard;
} code_problem;

uint32_t* code_solve_block(size_t n); // absent values
// unknowns that are not dependent; returns how many
int code_solve_independent(int n, int rows, const int* dependent, int* independent);
// all of a and lambda by elimination of the dependent unknowns; false where their columns of A are
// singular in every state
bool code_solve_rows(code_problem* p, const int* dependent);
// all of a and lambda from the whole symmetric matrix
void code_solve_whole(code_problem* p);
// the dependent ones of a alone, from A a + b = 0 and the others, which are there
bool code_solve_dependent(code_problem* p, const int* dependent);
// R a_I = y, of which the lower triangle of R is used up and y becomes a_I
typedef struct code_reduced
{
  uint32_t *R, *y;
  int made, *order; // steps already made, by unknown, as code_exact_pivots leaves them
} code_reduced;

// all of a and lambda from rows that are cleared (row_of: by dependent unknown), and what they
// leave; lambda needs the rows of M and F that belong to the dependent unknowns
void code_solve_cleared(code_problem* p, const int* dependent, uint32_t* rows, int* row_of,
                        const code_reduced* left);

// ---- symmetric problems -------------------------------------------------------------------------

// S x = y, of which the lower triangle of S (n by n, row-major) is read and y becomes x. The
// first `positive` unknowns belong to a positive definite block; the diagonal entries of the others
// are absent or negative, and negative once that block is eliminated. The guard stays above zero as
// long as every pivot is more than `tolerance` of what it was before other unknowns were eliminated
// from it.
void code_ldl(code_maker* m, int n, int positive, const uint32_t* S, uint32_t* y, double tolerance,
              uint32_t* guard);
// The same of a matrix whose entries that are there are put one by one, each once for both of its
// places; solving uses it up.
typedef struct code_symmetric code_symmetric;
code_symmetric* code_symmetric_new(code_maker* m, int n, int positive);
void code_symmetric_put(code_symmetric* f, int i, int k, uint32_t value);
void code_symmetric_solve(code_symmetric* f, uint32_t* y, double tolerance, uint32_t* guard);

// ---- along a tree -------------------------------------------------------------------------------

// all of a and lambda by the nodes of the tree, whose values are those of `limb`
struct code_limb;
void code_tree_solve(code_problem* p, const code_tree* t, struct code_limb* limb);
