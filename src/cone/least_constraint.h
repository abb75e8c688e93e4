// Inside of cone_least, for neighbours that reduce by the bilateral rows in the same way.
#pragma once

#include "cone/cone.h"

// Legend: w = C x with C = diag(1/sqrt(M_jj)): units do not matter. Z basis of ker N_B C,
// H = Z^T C M C Z = L L^T (m by m), x = x_b + Z L^-T z with x_b the motion with the bilateral rows
// only; then |z|^2 is the metric, and row s of G is L^-1 Z^T C N_s^T: alpha = G z + q, A = G G^T.
struct cone_least
{
  int n_max, b_max, u_max;
  int n, m, b, u;
  num_null *null_B, *null_G;
  cone_lcp* lcp;
  double *C, *M, *N, *Z, *L;
  double *x, *z, *g, *scratch; // n each
  double *G, *A, *q, *noise, *lambda, *alpha, *y_U;
  double *lambda_B, *y_B, *rest;
  double *w, *direction;
  double *active, *lift; // rows of G that press; their corrections
  int* pressed;
  double size; // of the motion with the bilateral rows only, scaled
};

// C, Z, L and x_b; false with status and reason set
bool cone_least_reduce(cone_least* f, const cone_least_problem* p, cone_least_result* out);
// row N (n) reduced to g (m); false, and g = 0, where it depends on the bilateral rows
bool cone_least_row(cone_least* f, const double* N, double* g);
// w = C (x_b + Z L^-T z)
void cone_least_motion(cone_least* f, const double* z, double* w);
// lambda_B of least norm with N_B^T lambda_B = force, and what is left over, scaled
double cone_least_bilateral(cone_least* f, const double* force, double* lambda_B);
