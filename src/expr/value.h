// One operation of an expression in doubles. Private to expr.
#pragma once

#include "expr/pool.h"

// powers that are not left to pow()
typedef enum expr_powering { EXPR_BY_POW, EXPR_ROOT, EXPR_SQUARE, EXPR_INVERSE } expr_powering;

typedef struct expr_step
{
  expr_kind kind;
  expr_fn fn;
  expr_powering exponent;
} expr_step;

expr_step expr_step_of(const expr_pool* p, expr e);
// of the values of its arguments; number: that of a number
double expr_step_value(const expr_step* s, int n, const double* a, double number);
