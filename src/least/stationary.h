// Inside of the search for stationary points: the frame all parts of it work in.
#pragma once

#include "least/least.h"

// Legend. H = C C^T; u = C^T (w - w0) measures lengths by H. Affine constraints are solved first;
// what is left is   w = origin + T x,  x in R^n,  T^T H T = unit^2 1,
//   minimise |x|^2 / 2  subject to  phi_j(w) / size_j = 0,  j = 1..m,
// all pure numbers near one. `full` is T before the affine constraints (l by l).
enum { STATIONARY_L = LEAST_STATIONARY_MOST, STATIONARY_KKT = 2 * LEAST_STATIONARY_MOST };

typedef struct least_stationary_frame
{
  const least_stationary_problem* p;
  int l, n, m;
  int index[STATIONARY_L];  // constraint j of the frame is number index[j] of the problem
  int degree[STATIONARY_L]; // of the problem's polynomials; 0 where there are none
  int generic_rank;         // of the gradients of all s constraints at a general place
  bool contradictory;       // the affine constraints have no common solution
  double apart;             // ... by this much, over the size of what was tried
  double C[STATIONARY_L * STATIONARY_L];
  double free[STATIONARY_L]; // H^-1 r
  double origin[STATIONARY_L];
  double full[STATIONARY_L * STATIONARY_L];
  double T[STATIONARY_L * STATIONARY_L]; // l by n
  double unit;
  double shortest;           // least natural length of a constraint, infinite where none has one
  double longest;            // largest one
  double size[STATIONARY_L]; // of all s constraints
} least_stationary_frame;

// what the second-order test saw beside the smallest eigenvalue
typedef struct least_stationary_flat
{
  double least; // smallest |eigenvalue| on the tangent space, infinite if it is nothing
  double along[STATIONARY_L]; // its direction in w, of length one in the metric H
  bool polished;              // known to rounding
} least_stationary_flat;

typedef struct least_stationary_paths least_stationary_paths;
typedef struct least_stationary_known least_stationary_known;
typedef struct least_stationary_general least_stationary_general;

struct least_stationary
{
  int l_max, s_max;
  least_stationary_frame frame;
  num_null* gradients; // s by l
  num_null* jacobian;  // l + s + 1 by l + s
  least_stationary_paths* paths;
  least_stationary_known* known;
  least_stationary_general* general;
  double best_phi; // least |phi| / size seen, at best_at
  double best_at[STATIONARY_L];
  least_stationary_flat flat[LEAST_STATIONARY_POINTS];
  bool overflow; // a point found no room
  least_stationary_set set;
};

// constraints of the problem at w; false where they cannot be evaluated
bool least_stationary_eval(const least_stationary_problem* p, const double* w, double* phi,
                           double* grad, double* hess);
int least_stationary_degree(const least_polynomial* f, int l);
// sum |c| prod |w_i|^p_i: the size of the terms of f at w
double least_stationary_terms(const least_polynomial* f, int l, const double* w);

// false: H not positive definite or a number not finite
bool least_stationary_frame_make(least_stationary* f, const least_stationary_problem* p);
// the frame for a point near w: no constraint solved first, sizes from w; false also: not evaluable
bool least_stationary_frame_near(least_stationary* f, const least_stationary_problem* p,
                                 const double* w);
// the m constraints of the frame, scaled, with derivatives in x (each may be null)
bool least_stationary_frame_eval(const least_stationary_frame* q, const double* w, double* phi,
                                 double* grad, double* hess);
void least_stationary_frame_place(const least_stationary_frame* q, const double* x, double* w);
void least_stationary_frame_coordinates(const least_stationary_frame* q, const double* w,
                                        double* x);
// of a difference of two w, in the metric H
double least_stationary_frame_length(const least_stationary_frame* q, const double* d);

// eigenvalues e (ascending) and eigenvectors (columns of V) of the symmetric n by n matrix A, which
// is destroyed
void least_stationary_eigen(int n, double* A, double* V, double* e);

// Newton on the stationarity system of the frame from (w, multipliers of the frame); true when it
// converged to rounding.
bool least_stationary_newton(const least_stationary_frame* q, double* w, double* lambda, int most,
                             int* iterations);
// multipliers of the frame at w by least squares
void least_stationary_multipliers(const least_stationary_frame* q, const double* w, double* lambda);
// second-order test and all other fields of a point at w
bool least_stationary_judge(least_stationary* f, const double* w, least_stationary_point* out,
                            least_stationary_flat* flat);

// Levenberg-Marquardt on F(z) = 0, M equations, N unknowns; returns the last |F| (infinite where F
// cannot be evaluated at the start)
typedef bool least_stationary_system(const least_stationary_frame* q, const double* z, double* F,
                                     double* J);
double least_stationary_levenberg(const least_stationary_frame* q, least_stationary_system* f,
                                  int M, int N, int most, double* z);
least_stationary_system least_stationary_kkt, least_stationary_feasible, least_stationary_dependent;

// hand a candidate over: polished, judged, merged with its likes. Returns true if it is a
// stationary or singular point
bool least_stationary_add(least_stationary* f, const double* w, const double* lambda);
bool least_stationary_add_singular(least_stationary* f, const double* w);

// the three ways to find them
void least_stationary_quadric(least_stationary* f);
bool least_stationary_homotopy(least_stationary* f); // true: proved complete
int least_stationary_homotopy_paths(
    const least_stationary_frame* q); // 0: too many, or not polynomial
least_stationary_paths* least_stationary_paths_new(int l_max, int s_max);
void least_stationary_paths_free(least_stationary_paths* h);
// Once the frame is made and the paths are prepared: all roots from those of the last problem;
// false where these do not show that nothing is missed.
least_stationary_known* least_stationary_known_new(int l_max, int s_max);
void least_stationary_known_free(least_stationary_known* k);
bool least_stationary_known_follow(least_stationary* f);
// all was looked for by paths; plain: their ends were found and nothing else
void least_stationary_known_looked(least_stationary* f, bool plain);
// the ends of paths from a general problem, made where there is none for this one; false: not all
least_stationary_general* least_stationary_general_new(int l_max, int s_max);
void least_stationary_general_free(least_stationary_general* g);
void least_stationary_general_forget(least_stationary_general* g);
int least_stationary_general_count(const least_stationary_general* g); // of its roots, 0: not made
// has it all that p has?
bool least_stationary_general_covers(const least_stationary_general* g,
                                     const least_stationary_problem* p);
bool least_stationary_general_follow(least_stationary* f);
// the paths' own frame and the forms of the target, from the frame of the search
void least_stationary_paths_prepare(least_stationary* f);
// all real ends to the set; false: one that looks real led to nothing
bool least_stationary_paths_collect(least_stationary* f);
void least_stationary_search(least_stationary* f, int starts);
// the curve through x (a point of the set), where the set is a curve
void least_stationary_trace(least_stationary* f, const double* x);
