// A sign change inside a bracket, narrowed on the function itself.
#pragma once

#include "num/num.h"

// t in [lo, hi] with f_lo f_hi < 0 to within `tolerance`; ITP method, at most as many evaluations
// as bisection plus a few
double num_bracket(num_function* f, void* context, double lo, double f_lo, double hi, double f_hi,
                   double tolerance);
