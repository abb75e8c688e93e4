// Private to mech: linear equations with expressions, kept free of divisions as long as possible.
#pragma once

#include "mech/form.h"

typedef enum mech_linear {
  MECH_SOLVED,
  MECH_SINGULAR, // the determinant is zero everywhere
  MECH_LARGE     // what number pivots leave is too large for Cramer's rule
} mech_linear;

// K X = B for K (n by n) and B (n by k), row-major, as X = Y / D with one common denominator D.
// D is the determinant up to a number, so Y and D exist also where D vanishes.
mech_linear mech_linear_fraction(const mech_system* s, int n, int k, const expr* K, const expr* B,
                                 expr* Y, expr* D);

// G X = B for a symmetric G that is positive definite wherever the result is used: elimination
// along the diagonal then never meets a zero pivot. Cost n^3 nodes, no simplification.
void mech_linear_positive(const mech_system* s, int n, int k, const expr* G, const expr* B,
                          expr* X);
