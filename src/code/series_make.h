// While the kernels of a code_series are made. Private to the room.
#pragma once

#include "code/series.h"

#define SERIES_NONE UINT32_MAX // no value: a coefficient that is zero in every order

// what an input of the step is
typedef enum series_kind {
  SERIES_SUM,     // of a pair
  SERIES_EARLY,   // a number of order 0
  SERIES_LATE,    // one that needs x_0
  SERIES_ORDER,   // k
  SERIES_X,       // x_0
  SERIES_INVERSE, // of K_0
  SERIES_INPUT    // a coefficient of an input
} series_kind;

typedef struct series_given
{
  series_kind kind;
  uint32_t what;
} series_given;

// a value of the source
typedef struct series_value
{
  bool late;       // it needs x_0
  uint32_t now;    // its coefficient k in the step, or none
  uint32_t number; // the input of the step that is its coefficient 0, or none
  uint32_t series; // where its coefficients are factors of a sum, or none
} series_value;

// a series that is a factor of sums: of a value, of k times another one, or a helper
typedef struct series_factor
{
  uint32_t value;  // of the source, or none
  uint32_t now;    // of a helper: coefficient k, once it is known
  uint32_t of;     // it is k times this one, or none
  uint32_t slopes; // that one, or none
  uint32_t pairs;  // the last pair with it in front, or none
} series_factor;

// sum over j = 1 .. k-1 of f_j g_(k-j), divided by k or not
typedef struct series_pair
{
  uint32_t f, g;
  bool over;
  uint32_t sum;  // the input of the step
  uint32_t next; // with the same f
} series_pair;

typedef struct series_maker
{
  code_maker from, step; // the source, to which numbers of order 0 are added; orders above 0
  BASE_LIST(series_value) value;
  BASE_LIST(series_factor) factor;
  BASE_LIST(series_pair) pair;
  BASE_LIST(series_given) given;
  uint32_t k; // in the step
} series_maker;

// the problem
typedef struct series_problem
{
  const code_series_plan* plan;
  uint32_t *K, *r; // values of the source, none for zero
  uint32_t also;
  bool* needed; // by value of the source
  int values;   // of the source before numbers were added
  uint32_t* x;  // in the step
  int* block;   // by unknown: the first one it is coupled with
} series_problem;

// ---- series_make.c ------------------------------------------------------------------------------

uint32_t series_given_make(series_maker* m, series_kind kind, uint32_t what);
// a value of the source more
uint32_t series_source(series_maker* m, uint32_t op, uint32_t a, uint32_t b, uint32_t c);
uint32_t series_source_number(series_maker* m, double x);
uint32_t series_number(series_maker* m, uint32_t v); // coefficient 0 of a value, in the step
// coefficients k; none is zero
uint32_t series_add(series_maker* m, uint32_t x, uint32_t y);
uint32_t series_sub(series_maker* m, uint32_t x, uint32_t y);
uint32_t series_mul(series_maker* m, uint32_t x, uint32_t y);
uint32_t series_neg(series_maker* m, uint32_t x);
// factors of sums
uint32_t series_helper(series_maker* m);
uint32_t series_factor_of(series_maker* m, uint32_t v);
uint32_t series_slopes(series_maker* m, uint32_t f);
uint32_t series_sum(series_maker* m, uint32_t f, uint32_t g, bool over);
uint32_t series_product(series_maker* m, uint32_t a, uint32_t b); // of two values
uint32_t series_factor_now(series_maker* m, uint32_t f);          // coefficient k

// ---- series_layout.c ----------------------------------------------------------------------------

// places of inputs and outputs, and the kernels
void series_layout(series_maker* m, code_series* c, const series_problem* s);

// ---- series_tangent.c ---------------------------------------------------------------------------

// coefficient k of a value, from those of its operands
void series_tangent(series_maker* m, uint32_t v);
