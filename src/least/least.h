// least: stationary points of a quadratic on a curved set.
// Takes a quadratic and functions with derivatives; gives all points that were found, judged.
// Knows no mechanics, though Gauss's least constraint is what it is for.
#pragma once

#include "base/base.h"
#include "num/num.h"

// ---- stationary points of a quadratic on a curved set (Gauss's least constraint) ----------------

// Gauss: among the w in R^l with phi_j(w) = 0, j = 1..s, the motion takes one that minimises
//   U(w) = 1/2 (w - w0)^T H (w - w0),  w0 = H^-1 r,  H > 0
// (= 1/2 w^T H w - r^T w up to a constant; zero at the free motion w0). Stationarity, with the sign
//   H w - r = sum_j lambda_j grad phi_j(w),  phi(w) = 0:
// lambda_j grad phi_j is the reaction. (Do Shan's lambda, dS/dq'' = Q - lambda df/dq'', is minus
// this one.) Units are free: lengths are measured by H, constraints by their own gradients.
enum { LEAST_STATIONARY_MOST = 12, LEAST_STATIONARY_POINTS = 256 }; // largest l; most points kept

// phi (s), grad (s by l) and hess (s by l by l, symmetric), each filled unless null. Nonzero
// return: not evaluable here. Must not keep state between calls that changes its answers.
typedef int least_constraints(void* context, const double* w, double* phi, double* grad,
                              double* hess);

typedef struct least_monomial
{
  double c;
  unsigned char power[LEAST_STATIONARY_MOST]; // of w_1 .. w_l
} least_monomial;

typedef struct least_polynomial
{
  int terms;
  const least_monomial* term;
} least_polynomial;

typedef struct least_stationary_problem
{
  int l, s;        // 1 <= l <= LEAST_STATIONARY_MOST, 0 <= s <= l
  const double* H; // l by l, symmetric positive definite
  const double* r; // l
  // one of the two; where the polynomials are given (s of them), eval is never called
  least_constraints* eval;
  void* context;
  const least_polynomial* polynomial;
  // where neighbouring problems are alike in a = place + basis w: numbers of a (0: in w itself),
  // place, basis (wide by l, orthonormal)
  int wide;
  const double *place, *basis;
} least_stationary_problem;

typedef enum least_stationary_kind {
  LEAST_STATIONARY_MINIMUM,    // strict local minimum of U on the set
  LEAST_STATIONARY_SADDLE,     // a direction of descent along the set: saddle or maximum
  LEAST_STATIONARY_DEGENERATE, // second-order test undecided: a fold, or part of a continuum
  LEAST_STATIONARY_SINGULAR    // gradients dependent there (apex, crossing): multipliers need not
                               // exist
} least_stationary_kind;

typedef struct least_stationary_point
{
  double w[LEAST_STATIONARY_MOST];
  double lambda[LEAST_STATIONARY_MOST]; // least squares where singular
  double U;
  least_stationary_kind kind;
  // smallest eigenvalue of H - sum lambda_j hess phi_j on the tangent space, in the metric H:
  // 1 for affine constraints (and where the tangent space is nothing), 0 at a fold, negative:
  // saddle
  double curvature;
  int index;       // eigenvalues below zero there: 0 minimum, l - rank maximum
  double residual; // of stationarity and of phi, relative to the sizes of their terms
  int rank;        // of the gradients; < s: some constraints are redundant or the point is singular
  bool continuum;  // neighbours along a null direction are stationary with the same U; of all the
                   // points of continua with one value of U (and one rank) one is kept
} least_stationary_point;

typedef struct least_stationary_set
{
  int count; // sorted by U, least first; singular points stand among them as candidates
  least_stationary_point point[LEAST_STATIONARY_POINTS];
  bool complete;    // all isolated points found by a method that finds all; else by search only
  bool empty;       // no w with phi(w) = 0 was found; with complete: there is none
  bool continuum;   // point[0] is one of a continuum of minimisers
  double least_phi; // empty: least |phi| reached, over the size of phi's terms; else 0
  double least_at[LEAST_STATIONARY_MOST]; // ... and the w where it was reached
  const char* method;                     // "affine", "quadric", "homotopy", "search"
  int paths;                              // homotopy paths tracked, 0 where none
} least_stationary_set;

// everything the calls below need; create once, no allocation in the calls
typedef struct least_stationary least_stationary;
least_stationary* least_stationary_new(int l_max, int s_max);
void least_stationary_free(least_stationary* f);

// All real stationary points. The answer belongs to f and lasts until the next call of
// least_stationary_all. Null when H is not positive definite, a number is not finite, or (without
// polynomials) phi is evaluable nowhere near w0. Deterministic.
const least_stationary_set* least_stationary_all(least_stationary* f,
                                                 const least_stationary_problem* p);

// The same, where p is the problem of the last call after a small change, as along a motion: what
// was known then is followed where it can be shown that nothing is missed.
const least_stationary_set* least_stationary_again(least_stationary* f,
                                                   const least_stationary_problem* p);
// the next problem has nothing to do with the last one
void least_stationary_forget(least_stationary* f);

typedef enum least_stationary_status {
  LEAST_STATIONARY_FOLLOWED = 0,
  LEAST_STATIONARY_LOST = 1, // Newton does not converge from here
  LEAST_STATIONARY_FOLD = 2, // converged, but curvature < least_curvature: see the result
  LEAST_STATIONARY_RANK = 3, // gradients dependent: no unique multipliers
  LEAST_STATIONARY_UNEVALUABLE =
      4 // eval said no, or numbers not finite, or H not positive definite
} least_stationary_status;

typedef struct least_stationary_step
{
  double U, curvature, residual;
  double moved; // distance from the guess in the metric H over the length of w - w0 (or of w)
  int iterations;
} least_stationary_step;

// The stationary point next to the guess (w, lambda), by Newton to rounding; w and lambda are
// replaced when the status is FOLLOWED or FOLD, else kept. For use inside integration steps.
// least_curvature 0 means: still a minimum (1e-9).
least_stationary_status least_stationary_follow(least_stationary* f,
                                                const least_stationary_problem* p,
                                                double least_curvature, double* w, double* lambda,
                                                least_stationary_step* out);
