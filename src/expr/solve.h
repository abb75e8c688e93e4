// The road of expr_solve over polynomials.
#pragma once

#include "expr/pool.h"

// rows: n rows of n + k expressions. YES: solved; NO: singular; UNKNOWN: too much work.
expr_truth expr_solve_ring(expr_pool* p, int n, int k, const expr* rows, expr* x,
                           expr* determinant);
