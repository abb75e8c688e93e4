// An expression while it is read as a polynomial. Private to expr.
#pragma once

#include "expr/poly.h"

// The same recursion runs twice: first it collects kernels, then it builds the polynomial. Its
// depth is bounded; what lies deeper makes the whole fail.
typedef struct expr_reading
{
  expr_ring* r;
  bool collect;
  int depth;
} expr_reading;

expr_poly expr_reading_read(expr_reading* x, expr e);
expr_poly expr_reading_of_kernel(expr_reading* x, expr e, int power);
expr_poly expr_reading_times(expr_reading* x, expr_poly a, expr_poly b);
expr_poly expr_reading_one(expr_reading* x);
// ring_angles.c: a function, sines and cosines of sums of angles opened where that is wanted
expr_poly expr_reading_of_call(expr_reading* x, expr e);
