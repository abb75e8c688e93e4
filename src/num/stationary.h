// Inside of the search for stationary points: the frame all parts of it work in.
#pragma once

#include "num/null.h"

// Legend. H = C C^T; u = C^T (w - w0) measures lengths by H. Affine constraints are solved first;
// what is left is   w = origin + T x,  x in R^n,  T^T H T = unit^2 1,
//   minimise |x|^2 / 2  subject to  phi_j(w) / size_j = 0,  j = 1..m,
// all pure numbers near one. `full` is T before the affine constraints (l by l).
enum { STATIONARY_L = NUM_STATIONARY_MOST, STATIONARY_KKT = 2 * NUM_STATIONARY_MOST };

typedef struct num_stationary_frame
{
  const num_stationary_problem* p;
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
} num_stationary_frame;

// what the second-order test saw beside the smallest eigenvalue
typedef struct num_stationary_flat
{
  double least; // smallest |eigenvalue| on the tangent space, infinite if it is nothing
  double along[STATIONARY_L]; // its direction in w, of length one in the metric H
  bool polished;              // known to rounding
} num_stationary_flat;

typedef struct num_stationary_paths num_stationary_paths;
typedef struct num_stationary_known num_stationary_known;
typedef struct num_stationary_general num_stationary_general;

struct num_stationary
{
  int l_max, s_max;
  num_stationary_frame frame;
  num_null* gradients; // s by l
  num_null* jacobian;  // l + s + 1 by l + s
  num_stationary_paths* paths;
  num_stationary_known* known;
  num_stationary_general* general;
  double best_phi; // least |phi| / size seen, at best_at
  double best_at[STATIONARY_L];
  num_stationary_flat flat[NUM_STATIONARY_POINTS];
  bool overflow; // a point found no room
  num_stationary_set set;
};

// constraints of the problem at w; false where they cannot be evaluated
bool num_stationary_eval(const num_stationary_problem* p, const double* w, double* phi,
                         double* grad, double* hess);
int num_stationary_degree(const num_polynomial* f, int l);
// sum |c| prod |w_i|^p_i: the size of the terms of f at w
double num_stationary_terms(const num_polynomial* f, int l, const double* w);

// false: H not positive definite or a number not finite
bool num_stationary_frame_make(num_stationary* f, const num_stationary_problem* p);
// the frame for a point near w: no constraint solved first, sizes from w; false also: not evaluable
bool num_stationary_frame_near(num_stationary* f, const num_stationary_problem* p, const double* w);
// the m constraints of the frame, scaled, with derivatives in x (each may be null)
bool num_stationary_frame_eval(const num_stationary_frame* q, const double* w, double* phi,
                               double* grad, double* hess);
void num_stationary_frame_place(const num_stationary_frame* q, const double* x, double* w);
void num_stationary_frame_coordinates(const num_stationary_frame* q, const double* w, double* x);
// of a difference of two w, in the metric H
double num_stationary_frame_length(const num_stationary_frame* q, const double* d);

// eigenvalues e (ascending) and eigenvectors (columns of V) of the symmetric n by n matrix A, which
// is destroyed
void num_stationary_eigen(int n, double* A, double* V, double* e);

// Newton on the stationarity system of the frame from (w, multipliers of the frame); true when it
// converged to rounding.
bool num_stationary_newton(const num_stationary_frame* q, double* w, double* lambda, int most,
                           int* iterations);
// multipliers of the frame at w by least squares
void num_stationary_multipliers(const num_stationary_frame* q, const double* w, double* lambda);
// second-order test and all other fields of a point at w
bool num_stationary_judge(num_stationary* f, const double* w, num_stationary_point* out,
                          num_stationary_flat* flat);

// Levenberg-Marquardt on F(z) = 0, M equations, N unknowns; returns the last |F| (infinite where F
// cannot be evaluated at the start)
typedef bool num_stationary_system(const num_stationary_frame* q, const double* z, double* F,
                                   double* J);
double num_stationary_levenberg(const num_stationary_frame* q, num_stationary_system* f, int M,
                                int N, int most, double* z);
num_stationary_system num_stationary_kkt, num_stationary_feasible, num_stationary_dependent;

// hand a candidate over: polished, judged, merged with its likes. Returns true if it is a
// stationary or singular point
bool num_stationary_add(num_stationary* f, const double* w, const double* lambda);
bool num_stationary_add_singular(num_stationary* f, const double* w);

// the three ways to find them
void num_stationary_quadric(num_stationary* f);
bool num_stationary_homotopy(num_stationary* f);                  // true: proved complete
int num_stationary_homotopy_paths(const num_stationary_frame* q); // 0: too many, or not polynomial
num_stationary_paths* num_stationary_paths_new(int l_max, int s_max);
void num_stationary_paths_free(num_stationary_paths* h);
// Once the frame is made and the paths are prepared: all roots from those of the last problem;
// false where these do not show that nothing is missed.
num_stationary_known* num_stationary_known_new(int l_max, int s_max);
void num_stationary_known_free(num_stationary_known* k);
bool num_stationary_known_follow(num_stationary* f);
// all was looked for by paths; plain: their ends were found and nothing else
void num_stationary_known_looked(num_stationary* f, bool plain);
// the ends of paths from a general problem, made where there is none for this one; false: not all
num_stationary_general* num_stationary_general_new(int l_max, int s_max);
void num_stationary_general_free(num_stationary_general* g);
void num_stationary_general_forget(num_stationary_general* g);
int num_stationary_general_count(const num_stationary_general* g); // of its roots, 0: not made
bool num_stationary_general_follow(num_stationary* f);
// the paths' own frame and the forms of the target, from the frame of the search
void num_stationary_paths_prepare(num_stationary* f);
// all real ends to the set; false: one that looks real led to nothing
bool num_stationary_paths_collect(num_stationary* f);
void num_stationary_search(num_stationary* f, int starts);
// the curve through x (a point of the set), where the set is a curve
void num_stationary_trace(num_stationary* f, const double* x);
