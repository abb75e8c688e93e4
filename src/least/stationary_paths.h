// Inside of the homotopy: the two systems, the ends of the paths.
#pragma once

#include "least/stationary.h"

#include "num/num.h"

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

static inline cx cx_times(cx a, cx b)
{
  return num_complex_times(a, b);
}

// All monomials of M variables, degree by degree: monomial i of degree k times variable v is number
// times[k][i * M + v] of degree k + 1; power[k] + i * M are its exponents.
typedef struct path_monomials
{
  int M, degree; // up to which degree they are made
  int count[PATHS_DEGREE + 1];
  int* times[PATHS_DEGREE + 1];
  unsigned char* power[PATHS_DEGREE + 1];
  double *product, *next; // work space: coefficients of the highest degree
  cx* value;              // ... and values of the monomials, degree after degree
} path_monomials;

// A system of the paths: the quadratic mu_0 (S x + o x_0) of the first kind of equations, and the
// forms phi_j by their second derivatives, from which the first and the value follow (Euler):
//   hess_ab = sum_i second[j][i * pairs + (a, b)] (monomial i of degree d_j - 2),  a <= b.
// Of a complex problem the second part of `second` is imaginary.
typedef struct path_system
{
  int parts;
  cx S[STATIONARY_L * STATIONARY_L], o[STATIONARY_L];
  double* second[2][STATIONARY_L];
  int room[2][STATIONARY_L];
} path_system;

// where the problem of a system lies in the coordinates x of the paths: its w = origin + T x
typedef struct path_place
{
  const least_stationary_problem* p;
  double T[STATIONARY_L * STATIONARY_L], origin[STATIONARY_L];
} path_place;

// regular roots of a problem, in its w and its multipliers
typedef struct path_roots
{
  int count;
  cx *w, *lambda; // count by l, count by m
} path_roots;

// w of one problem = R w + shift of another, both being the same accelerations
typedef struct path_passage
{
  double R[STATIONARY_L * STATIONARY_L], shift[STATIONARY_L];
} path_passage;

struct least_stationary_paths
{
  least_stationary_frame q;             // the paths' own
  double pull[STATIONARY_L], pull_unit; // o / pull_unit, max(1, |o|)
  int n, m, N, D, count;
  int degree[STATIONARY_L];
  double care; // steps are this much shorter than usual
  bool near;   // they start at the roots of `before`, else at those of the products of forms
  bool real;   // the target is, so that complex roots come in pairs
  cx gamma;
  cx in_x[STATIONARY_L][PATHS_DEGREE][PATHS_FORM]; // forms of the first kind
  cx in_mu[STATIONARY_L][PATHS_FORM];
  cx in_phi[STATIONARY_L][PATHS_DEGREE][PATHS_FORM];
  cx patch_x[PATHS_FORM], patch_mu[PATHS_FORM];
  path_monomials monomials;
  path_system target, before;
  path_end kind[PATHS_MOST];
  cx* start; // where path k begins, when near: count by N
  cx* end;   // count by N
};

// all monomials up to the largest degree of the paths
void least_stationary_monomials_make(path_monomials* k, int M, int degree);
void least_stationary_monomials_free(path_monomials* k);
// their values up to a degree; returns where those of the highest begin
const cx* least_stationary_monomials_at(const path_monomials* k, int degree, const cx* X);
// second derivatives of the polynomial y, of the given degree, times `scale`, written in x
void least_stationary_form_make(const path_monomials* k, const path_place* at,
                                const least_polynomial* y, int degree, double scale,
                                double* second);

// choose gamma, forms and patches from a seed
void least_stationary_paths_choose(least_stationary_paths* h, unsigned seed);
// root number k of the start system; false: its forms are dependent (never, in practice)
bool least_stationary_paths_start(const least_stationary_paths* h, int k, cx* X);
// scale both halves of X onto their patches; false where one has no place there
bool least_stationary_paths_patch(const least_stationary_paths* h, cx* X);
// A system for one problem, or two as real and imaginary part, whose w passes to the w of the
// frame. exact: S and o are the frame's own
void least_stationary_paths_write(least_stationary_paths* h, path_system* s, int parts,
                                  const least_stationary_problem* p, const path_passage* y);
void least_stationary_paths_write_target(least_stationary_paths* h);
// values and Jacobians (N by N) of a system and of the start, without the two patch rows
void least_stationary_paths_system(const least_stationary_paths* h, const path_system* s,
                                   const cx* X, cx* F, cx* J);
void least_stationary_paths_origin(const least_stationary_paths* h, const cx* X, cx* G, cx* J);
// follow path k to its end
path_end least_stationary_paths_track(const least_stationary_paths* h, int k, cx* X);
// from products of linear forms to all roots of the target; true: nothing was missed
bool least_stationary_paths_track_all(least_stationary_paths* h);
// From the roots of `before`, one step after another; false: not all of them lead to an end that is
// regular, or at infinity where `far`.
bool least_stationary_paths_track_near(least_stationary_paths* h, const path_roots* k,
                                       const path_passage* y, bool far);
// the regular ends as roots of the target; false where other ends are finite
bool least_stationary_roots_keep(path_roots* k, const least_stationary_paths* h);
path_roots least_stationary_roots_new(int l_max, int s_max);
void least_stationary_roots_free(path_roots* k);
// no path jumped to another: regular ends differ (in x and mu), complex ones come in pairs
bool least_stationary_paths_consistent(const least_stationary_paths* h);
