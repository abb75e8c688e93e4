// Inside of the homotopy: the two systems, the ends of the paths.
#pragma once

#include "least/stationary.h"

#include <complex.h>

// Legend. Unknowns X = (x_0, x_1 .. x_n, mu_0 .. mu_m): homogeneous coordinates of the point x /
// x_0 and of the multipliers (lambda = mu_j / mu_0), each on a random complex patch. Target F
// (Fritz John's conditions, so that points with dependent gradients, mu_0 = 0, are seen):
//   mu_0 (x_a + o_a x_0) x_0^(D-1) - sum_j mu_j x_0^(D - d_j + 1) d phi_j/d x_a = 0,  a = 1..n,
//   phi_j = 0,  j = 1..m,      d_j = deg phi_j,  D = max(1, d_j - 1).
// o is where the origin lies seen from the free motion (mu_0 in units that make it at most one): a
// set small beside its distance is looked at from w = 0 in its own unit. Start G: products of
// random linear forms, D in x and one in mu for the first kind, d_j in x for the second: its roots
// are C(n, m) D^(n-m) prod d_j, the two-homogeneous Bezout number, which bounds the isolated roots
// of F (Sommese and Wampler 2005, chapter 8).
typedef double complex cx;

enum {
  PATHS_MOST = 2000,
  PATHS_DEGREE = 12,
  PATHS_SIDE = 2 * STATIONARY_L + 2,
  PATHS_FORM = STATIONARY_L + 1
};

typedef enum path_end { END_REGULAR, END_SINGULAR, END_INFINITE, END_FAILED } path_end;

struct least_stationary_paths
{
  least_stationary_frame q;             // the paths' own
  double pull[STATIONARY_L], pull_unit; // o / pull_unit, max(1, |o|)
  int n, m, N, D, count;
  int degree[STATIONARY_L];
  double care; // steps are this much shorter than usual
  cx gamma;
  cx in_x[STATIONARY_L][PATHS_DEGREE][PATHS_FORM]; // forms of the first kind
  cx in_mu[STATIONARY_L][PATHS_FORM];
  cx in_phi[STATIONARY_L][PATHS_DEGREE][PATHS_FORM];
  cx patch_x[PATHS_FORM], patch_mu[PATHS_FORM];
  path_end kind[PATHS_MOST];
  cx* end; // count by N
};

// LU with partial pivoting of a complex matrix, in place; false: singular
bool least_stationary_complex_lu(int n, cx* A, int* pivot);
void least_stationary_complex_solve(int n, const cx* A, const int* pivot, cx* x);

// choose gamma, forms and patches from a seed
void least_stationary_paths_choose(least_stationary_paths* h, unsigned seed);
// root number k of the start system; false: its forms are dependent (never, in practice)
bool least_stationary_paths_start(const least_stationary_paths* h, int k, cx* X);
// values and Jacobians (N by N) of target and start, without the two patch rows' difference
void least_stationary_paths_target(const least_stationary_paths* h, const cx* X, cx* F, cx* J);
void least_stationary_paths_origin(const least_stationary_paths* h, const cx* X, cx* G, cx* J);
// follow path k to its end
path_end least_stationary_paths_track(const least_stationary_paths* h, int k, cx* X);
