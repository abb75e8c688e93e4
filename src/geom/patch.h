// Private to geom: a map from a box of coordinates into a Euclidean space, as polynomials.
#pragma once

#include "geom/space.h"

// x_k(q) = sum over multi-indices of c_k T_i(xi_1) T_j(xi_2) ..., with xi in [-1, 1] on the box:
// all of total degree <= d, or in a full patch all with entries <= d.
typedef struct geom_patch
{
  int n, N, degree;
  const double *low, *high;
  int basis;  // number of multi-indices by total degree, the constant first
  int* power; // basis by n
  double* c;  // N by basis
} geom_patch;

geom_patch geom_patch_take(base_arena* arena, int n, int N, int degree, const double* low,
                           const double* high);
geom_patch geom_patch_take_full(base_arena* arena, int n, int N, int degree, const double* low,
                                const double* high);
// basis functions at q with derivatives by q: value (basis), slope (basis by n), bend (basis by n
// by n); those that are null are not asked for. room: geom_patch_room doubles.
int geom_patch_room(const geom_patch* p);
void geom_patch_basis(const geom_patch* p, const double* q, double* room, double* value,
                      double* slope, double* bend);
// the same functions in a patch of higher degree or more dimensions
void geom_patch_copy(const geom_patch* from, geom_patch* to);
// x (N), dx (N by n), ddx (N by n by n); null: not asked for
void geom_patch_eval(const geom_patch* p, const double* q, double* x, double* dx, double* ddx);

// ---- one coordinate -----------------------------------------------------------------------------

// the place of node `at` of degree + 1 Gauss-Chebyshev nodes
double geom_patch_node(const geom_patch* p, int at);
// component k from its values at the nodes
void geom_patch_series(geom_patch* p, int k, const double* value);
// size of the last coefficients of a component against its largest
double geom_patch_tail(const geom_patch* p, int k);
// component k by its antiderivative that vanishes in the middle
void geom_patch_integrate(geom_patch* p, int k);
