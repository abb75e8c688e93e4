// num: numbers only: dense linear algebra, integrators, roots, nonlinear equations.
// Takes doubles and functions of doubles; gives doubles and a status.
// Never heard of a skater.
#pragma once

#include "base/base.h"

// ---- dense linear algebra: row-major, no allocation, no calls per step beyond these -------------

// Orthogonal factorisation of a wide matrix A (m rows, n columns, m <= n usual) by Householder with
// row pivoting (QR of A^T): rank, null space, least-norm solutions. Rows are scaled first so that
// the rank does not depend on the units of a row.
typedef struct num_null num_null;
num_null* num_null_new(int m_max, int n_max);
void num_null_free(num_null* f);
// factor; a pivot below `tolerance` times the largest ends the rank. tolerance 0 means 1e-11.
// returns the rank
int num_null_factor(num_null* f, int m, int n, const double* A, double tolerance);
int num_null_rank(const num_null* f);
// rows in the order chosen: rows order[rank..m) depend on the ones before (at this tolerance)
const int* num_null_order(const num_null* f);
// smallest kept pivot over the largest: a measure of how near the next loss of rank is
double num_null_margin(const num_null* f);
// orthonormal basis of the null space, n by (n - rank), row-major
void num_null_basis(const num_null* f, double* Z);
// x of least norm with A x = b on the independent rows; returns the largest residual over ALL rows
// relative to the scale of each row (tells contradictory right sides apart from redundant ones)
double num_null_solve(const num_null* f, const double* A, const double* b, double* x);
// y (m) of least norm with A^T y = g in the least-squares sense; returns the norm of what is left
double num_null_solve_t(const num_null* f, const double* A, const double* g, double* y);

// Cholesky of a symmetric positive definite matrix in place (lower part); false if a pivot falls
// below tolerance * its diagonal before elimination (0 means 1e-13)
bool num_cholesky(int n, double* S, double tolerance);
void num_cholesky_solve(int n, const double* L, double* x);
// LU with partial pivoting in place; false if singular to working precision
bool num_lu(int n, double* A, int* pivot);
void num_lu_solve(int n, const double* A, const int* pivot, double* x);
// rank of an m by n matrix by QR with column pivoting on a scaled copy (allocates; not for steps)
int num_rank(int m, int n, const double* A, double tolerance);
// x with |A x - b| least, A m by n (m >= n) row-major of full column rank; A and b are overwritten,
// the triangle R of A = Q R stands on top of A (allocates from 96 unknowns on)
void num_least_squares(int m, int n, double* A, double* b, double* x);

// ---- sparse linear algebra (saddle.c) -----------------------------------------------------------

// a pattern of entries, row by row: those of row i are column[start[i] .. start[i + 1])
typedef struct num_rows
{
  const int *start, *column;
} num_rows;

// K x + A^T y = f, A x = c with sparse K (n by n, symmetric, its lower triangle) and A (m by n).
// The order of elimination is found once; factor and solve allocate nothing, and cost what the
// factor holds: linear in n along chains and trees.
typedef struct num_saddle num_saddle;
// stiff: for K that is positive definite only along the directions A leaves free. Null where the
// factor would have more than 67 million entries.
num_saddle* num_saddle_new(int n, const num_rows* K, int m, const num_rows* A, bool stiff);
void num_saddle_free(num_saddle* s);
size_t num_saddle_entries(const num_saddle* s); // of the factor
double num_saddle_work(const num_saddle* s);    // multiplications of a factorisation
// Values in the order of the patterns. Rows not in use (null: all are) drop out with y = 0, and so
// do rows that depend on others: those whose pivot is below `tolerance` of what it was. share:
// - share a K^-1 a^T is put on the diagonal of each row. -1, or the coordinate without mass.
int num_saddle_factor(num_saddle* s, const double* K, const double* A, const bool* use,
                      double share, double tolerance);
bool num_saddle_is_dependent(const num_saddle* s, int k); // or not in use
// null f, c: zero; null y: not wanted
void num_saddle_solve(num_saddle* s, const double* f, const double* c, double* x, double* y);

// Eigenvalues of a real matrix (allocates; not for steps), by real part, then imaginary part; pairs
// are exactly conjugate. False where the matrix is not finite or the iteration does not end.
bool num_eigen(int n, const double* A, double* re, double* im);
// the vector of an eigenvalue found, its largest entry one
void num_eigen_vector(int n, const double* A, double re, double im, double* x_re, double* x_im);
// ---- Siconos ------------------------------------------------------------------------------------

// A second solver of contacts with friction: null where it can be used, else why not. It is asked
// where our own methods find nothing, or first where that is wished.
const char* num_siconos_absent(void);

// ---- many contacts ------------------------------------------------------------------------------

// Linear equations with a band: A is r by r, A_ij = 0 where |i - j| > b. Grows as it must.
typedef struct num_band num_band;
num_band* num_band_new(void);
void num_band_free(num_band* f);
// a matrix of zeros; the place of A_ij, |i - j| <= b
void num_band_clear(num_band* f, int r, int b);
double* num_band_at(num_band* f, int i, int j);
// LU with row pivoting; false: singular to the last bit
bool num_band_factor(num_band* f);
void num_band_solve(const num_band* f, double* x);

// w = G x + q, G sparse, and for each row one law:
//   equal    w = 0
//   normal   x >= 0, w >= 0, x w = 0
//   tangent  |x| <= mu x_n of its normal row n, w = 0 inside, w against x on the bound; in space
//   the
//            same for the vectors of two tangents, perpendicular to one another
typedef enum num_many_kind { NUM_MANY_EQUAL, NUM_MANY_NORMAL, NUM_MANY_TANGENT } num_many_kind;

typedef struct num_many_problem
{
  int r;
  const int *start, *column; // row i: entries start[i] .. start[i + 1] - 1, the diagonal among them
  const double* G;           // their values; the pattern is symmetric, G_ii > 0
  const double* q;
  const num_many_kind* kind;
  const int* of;    // normal row of a tangent
  const double* mu; // of a tangent
  const int* pair;  // the other tangent of its contact, -1 in the plane; null: none has another
} num_many_problem;

typedef struct num_many_result
{
  bool solved;
  double fault; // largest breach of a law, relative to the largest number in it
  int sweeps;   // of Gauss and Seidel
  int turns;    // linear systems solved
} num_many_result;

typedef struct num_many num_many;
extern const double num_many_tolerance; // of the fault
num_many* num_many_new(int r_max);
void num_many_free(num_many* f);
void num_many_use_siconos(num_many* f); // first, and ours where it finds nothing
// x: a guess (zeros if there is none), then the answer; w belongs to it
num_many_result num_many_solve(num_many* f, const num_many_problem* p, double* x, double* w);

// ---- runs side by side --------------------------------------------------------------------------

// y' = f(t, y) of `width` (4 or 8) runs at once by dop853, each lane with steps of its own: what a
// run gives does not depend on its neighbours. No dense output.
typedef struct num_lanes_problem
{
  int n;          // components of y
  int places;     // of these, the first so many are of one kind, the others of another: each kind
                  // is held to its own largest size
  int width;      // lanes
  int inputs;     // of the rates: t, y (n), then what stays the same in a run
  int outputs;    // of the rates
  const int* row; // output that is the rate of each component
  int guard;      // output that must be above zero for the rates to be right
  double rel_tol;
  void (*rates)(void* context, const double* in, double* out); // in[i*width + lane]
} num_lanes_problem;

typedef struct num_lanes_run
{
  double t, t_end, longest; // longest step, may be infinite
  const double *y, *rest;
} num_lanes_run;

typedef enum num_lanes_state {
  NUM_LANES_IDLE,
  NUM_LANES_RUNNING,
  NUM_LANES_ENDED, // at t_end
  NUM_LANES_LOST   // cannot go on
} num_lanes_state;

typedef struct num_lanes num_lanes;
num_lanes* num_lanes_new(const num_lanes_problem* p, void* context);
void num_lanes_free(num_lanes* s);
// a run begins in this lane; every lane must have had one, or go along with one, before a step
void num_lanes_put(num_lanes* s, int lane, const num_lanes_run* r);
void num_lanes_idle(num_lanes* s, int lane, int with);
// one trial in every lane
void num_lanes_step(num_lanes* s);
num_lanes_state num_lanes_look(const num_lanes* s, int lane);
// the state of a lane; its time is returned
double num_lanes_get(const num_lanes* s, int lane, double* y, int64_t* steps);

// ---- nonlinear equations ------------------------------------------------------------------------

// F: n unknowns, m equations; J row-major m by n. Nonzero return: not evaluable here.
typedef int num_equations(void* context, const double* x, double* F, double* J);

typedef struct num_newton_result
{
  bool solved;
  int iterations;
  double residual; // largest |F_i| / scale_i at the end; infinite if the guess cannot be evaluated
  int worst;       // index of that equation (0 where residual is infinite)
  int nudges;      // moves of all unknowns away from points where J says nothing
} num_newton_result;

// Nearest solution to the guess: Gauss-Newton with least-norm steps (weights w_j > 0 make x_j move
// less; null: all one), damped by backtracking, finished to rounding. Redundant consistent
// equations are fine. scale (m, may be null) are the natural sizes of the equations.
num_newton_result num_newton(int m, int n, num_equations* f, void* context, const double* weight,
                             const double* scale, double tolerance, int most, double* x);

// ---- stationary points of a quadratic on a curved set (Gauss's least constraint) ----------------

// Gauss: among the w in R^l with phi_j(w) = 0, j = 1..s, the motion takes one that minimises
//   U(w) = 1/2 (w - w0)^T H (w - w0),  w0 = H^-1 r,  H > 0
// (= 1/2 w^T H w - r^T w up to a constant; zero at the free motion w0). Stationarity, with the sign
//   H w - r = sum_j lambda_j grad phi_j(w),  phi(w) = 0:
// lambda_j grad phi_j is the reaction. (Do Shan's lambda, dS/dq'' = Q - lambda df/dq'', is minus
// this one.) Units are free: lengths are measured by H, constraints by their own gradients.
enum { NUM_STATIONARY_MOST = 12, NUM_STATIONARY_POINTS = 256 }; // largest l; most points kept

// phi (s), grad (s by l) and hess (s by l by l, symmetric), each filled unless null. Nonzero
// return: not evaluable here. Must not keep state between calls that changes its answers.
typedef int num_constraints(void* context, const double* w, double* phi, double* grad,
                            double* hess);

typedef struct num_monomial
{
  double c;
  unsigned char power[NUM_STATIONARY_MOST]; // of w_1 .. w_l
} num_monomial;

typedef struct num_polynomial
{
  int terms;
  const num_monomial* term;
} num_polynomial;

typedef struct num_stationary_problem
{
  int l, s;        // 1 <= l <= NUM_STATIONARY_MOST, 0 <= s <= l
  const double* H; // l by l, symmetric positive definite
  const double* r; // l
  // one of the two; where the polynomials are given (s of them), eval is never called
  num_constraints* eval;
  void* context;
  const num_polynomial* polynomial;
  // where neighbouring problems are alike in a = place + basis w: numbers of a (0: in w itself),
  // place, basis (wide by l, orthonormal)
  int wide;
  const double *place, *basis;
} num_stationary_problem;

typedef enum num_stationary_kind {
  NUM_STATIONARY_MINIMUM,    // strict local minimum of U on the set
  NUM_STATIONARY_SADDLE,     // a direction of descent along the set: saddle or maximum
  NUM_STATIONARY_DEGENERATE, // second-order test undecided: a fold, or part of a continuum
  NUM_STATIONARY_SINGULAR // gradients dependent there (apex, crossing): multipliers need not exist
} num_stationary_kind;

typedef struct num_stationary_point
{
  double w[NUM_STATIONARY_MOST];
  double lambda[NUM_STATIONARY_MOST]; // least squares where singular
  double U;
  num_stationary_kind kind;
  // smallest eigenvalue of H - sum lambda_j hess phi_j on the tangent space, in the metric H:
  // 1 for affine constraints (and where the tangent space is nothing), 0 at a fold, negative:
  // saddle
  double curvature;
  int index;       // eigenvalues below zero there: 0 minimum, l - rank maximum
  double residual; // of stationarity and of phi, relative to the sizes of their terms
  int rank;        // of the gradients; < s: some constraints are redundant or the point is singular
  bool continuum;  // neighbours along a null direction are stationary with the same U; of all the
                   // points of continua with one value of U (and one rank) one is kept
} num_stationary_point;

typedef struct num_stationary_set
{
  int count; // sorted by U, least first; singular points stand among them as candidates
  num_stationary_point point[NUM_STATIONARY_POINTS];
  bool complete;    // all isolated points found by a method that finds all; else by search only
  bool empty;       // no w with phi(w) = 0 was found; with complete: there is none
  bool continuum;   // point[0] is one of a continuum of minimisers
  double least_phi; // empty: least |phi| reached, over the size of phi's terms; else 0
  double least_at[NUM_STATIONARY_MOST]; // ... and the w where it was reached
  const char* method;                   // "affine", "quadric", "homotopy", "search"
  int paths;                            // homotopy paths tracked, 0 where none
} num_stationary_set;

// everything the calls below need; create once, no allocation in the calls
typedef struct num_stationary num_stationary;
num_stationary* num_stationary_new(int l_max, int s_max);
void num_stationary_free(num_stationary* f);

// All real stationary points. The answer belongs to f and lasts until the next call of
// num_stationary_all. Null when H is not positive definite, a number is not finite, or (without
// polynomials) phi is evaluable nowhere near w0. Deterministic.
const num_stationary_set* num_stationary_all(num_stationary* f, const num_stationary_problem* p);

// The same, where p is the problem of the last call after a small change, as along a motion: what
// was known then is followed where it can be shown that nothing is missed.
const num_stationary_set* num_stationary_again(num_stationary* f, const num_stationary_problem* p);
// the next problem has nothing to do with the last one
void num_stationary_forget(num_stationary* f);

typedef enum num_stationary_status {
  NUM_STATIONARY_FOLLOWED = 0,
  NUM_STATIONARY_LOST = 1,       // Newton does not converge from here
  NUM_STATIONARY_FOLD = 2,       // converged, but curvature < least_curvature: see the result
  NUM_STATIONARY_RANK = 3,       // gradients dependent: no unique multipliers
  NUM_STATIONARY_UNEVALUABLE = 4 // eval said no, or numbers not finite, or H not positive definite
} num_stationary_status;

typedef struct num_stationary_step
{
  double U, curvature, residual;
  double moved; // distance from the guess in the metric H over the length of w - w0 (or of w)
  int iterations;
} num_stationary_step;

// The stationary point next to the guess (w, lambda), by Newton to rounding; w and lambda are
// replaced when the status is FOLLOWED or FOLD, else kept. For use inside integration steps.
// least_curvature 0 means: still a minimum (1e-9).
num_stationary_status num_stationary_follow(num_stationary* f, const num_stationary_problem* p,
                                            double least_curvature, double* w, double* lambda,
                                            num_stationary_step* out);

// ---- complementarity: constraints that can let go -----------------------------------------------

// Sinitsyn (1990): of the constraints that could act, those do that the minimum of Gauss's function
// under inequalities needs. All workspaces are created once; no allocation in the calls. Arrays in
// a result belong to the workspace and last until its next call. Deterministic.

// what became of a unilateral constraint
typedef enum num_lcp_mode {
  NUM_LCP_LOOSE = 0,     // lambda = 0, alpha > 0
  NUM_LCP_ACTIVE = 1,    // lambda > 0, alpha = 0
  NUM_LCP_DEGENERATE = 2 // both 0 to the tolerance: the next derivative decides
} num_lcp_mode;

typedef enum num_lcp_status {
  NUM_LCP_SOLVED = 0,
  NUM_LCP_INFEASIBLE = 1, // there is no solution, and y proves it
  NUM_LCP_FAILED = -1     // not decided; see reason
} num_lcp_status;

typedef struct num_lcp_result
{
  num_lcp_status status;
  const char* reason;       // never null
  const double* lambda;     // r, solved only
  const double* alpha;      // r, solved only
  const num_lcp_mode* mode; // r, solved only
  const double* y;          // r, infeasible only: y >= 0, A y = 0, q.y < 0
  bool unique;              // lambda is the only one (alpha always is)
  int active, degenerate;   // how many have these modes
  int pivots;
  // largest violation of alpha >= 0, lambda >= 0, alpha_s = 0 where lambda_s > 0, in the scaled
  // variables, over the largest of them; below 1e-12 unless A is at the edge of its rank.
  // infeasible: |A y| over |y|, scaled
  double residual;
} num_lcp_result;

// alpha = A lambda + q >= 0, lambda >= 0, lambda.alpha = 0; A symmetric positive semidefinite, r by
// r. Comparisons are made on alpha_s / sqrt(A_ss) and lambda_s * sqrt(A_ss), so units do not
// matter. Where lambda is not unique the one with sum A_ss lambda_s^2 least is given (table on four
// legs: equal loads).
typedef struct num_lcp num_lcp;
num_lcp* num_lcp_new(int r_max);
void num_lcp_free(num_lcp* f);
// guess (r, may be null): constraints believed active. noise (r, may be null): how far each q_s may
// be off; an emptiness within it is not believed, and zero is told from not zero by it.
num_lcp_result num_lcp_solve(num_lcp* f, int r, const double* A, const double* q, const bool* guess,
                             const double* noise);

// Any square matrix B: w = B z + q >= 0, z >= 0, z.w = 0, by Lemke with the lexicographic rule.
// INFEASIBLE is never given: a ray is FAILED ("secondary ray"), from which nothing follows in
// general.
num_lcp_status num_lcp_lemke(num_lcp* f, int r, const double* B, const double* q, double* z);

// min 1/2 w^T M w - F^T w  (= 1/2 (w - w0)^T M (w - w0), M w0 = F, up to a constant)
// with N_B w + d_B = 0 (b rows, redundant ones allowed), alpha = N_U w + d_U >= 0 (u rows):
//   M w = F + N_B^T lambda_B + N_U^T lambda_U,  lambda_U >= 0,  lambda_U.alpha = 0.
// M symmetric, positive definite on ker N_B.
typedef struct num_least_problem
{
  int n, b, u;
  const double *M, *F;     // n by n, n
  const double *N_B, *d_B; // b by n, b
  const double *N_U, *d_U; // u by n, u
  const bool* guess;       // u, constraints believed active; may be null
  // b, u; may be null: how far d_B, d_U may be off, where that is more than their rounding
  const double *noise_B, *noise_U;
} num_least_problem;

typedef enum num_least_status {
  NUM_LEAST_SOLVED = 0,
  NUM_LEAST_CONTRADICTION = 1, // the bilateral rows contradict each other
  NUM_LEAST_INFEASIBLE = 2,    // no w obeys all rows; y_B, y_U prove it
  NUM_LEAST_SINGULAR = 3,      // M not positive definite on ker N_B: not well posed; see direction
  NUM_LEAST_FAILED = -1
} num_least_status;

typedef struct num_least_result
{
  num_least_status status;
  const char* reason;
  const double* w;        // n
  const double* lambda_B; // b, least norm
  const double* lambda_U; // u, least scaled norm as num_lcp
  const double* alpha_U;  // u
  const num_lcp_mode* mode;
  bool unique;            // lambda_U
  int rank_B;             // below b: redundant bilateral rows, lambda_B is not unique
  int active, degenerate; // unilateral ones
  int pivots;
  double residual; // as num_lcp_result, the bilateral rows and the balance of forces included
  // infeasible: y_U >= 0, N_U^T y_U + N_B^T y_B = 0, d_U.y_U + d_B.y_B < 0
  const double *y_B, *y_U;
  const double* direction; // singular: n, N_B x = 0 and x^T M x <= 0 to rounding
} num_least_result;

typedef struct num_least num_least;
num_least* num_least_new(int n_max, int b_max, int u_max);
void num_least_free(num_least* f);
num_least_result num_least_solve(num_least* f, const num_least_problem* p);

// ---- contacts with Coulomb friction -------------------------------------------------------------

// M w = F + N_B^T lambda_B + N^T lambda_N + T^T lambda_T, N_B w + d_B = 0,
//   alpha_N = N w + d_N >= 0, lambda_N >= 0, lambda_N.alpha_N = 0,
//   alpha_T = T w + d_T; a contact with slip s != 0: lambda_T = -mu lambda_N s/|s|;
//   with s = 0: |lambda_T| <= mu lambda_N, lambda_T = -mu lambda_N alpha_T/|alpha_T| where
//   alpha_T != 0.
// Accelerations: w = q'', F the forces. Velocities (an impact): w = v+, F = M v-, s = 0.
// Not a minimum any more: there may be no solution, or several (Painleve).
enum { NUM_CONTACT_ENUMERATED = 6, NUM_CONTACT_SOLUTIONS = 16 };

typedef enum num_contact_mode {
  NUM_CONTACT_OPEN = 0, // lambda = 0, alpha_N >= 0
  NUM_CONTACT_STICK = 1,
  NUM_CONTACT_SLIP = 2,     // planar: alpha_T (or the slip) > 0, lambda_T = -mu lambda_N
  NUM_CONTACT_SLIP_BACK = 3 // planar only: alpha_T (or the slip) < 0
} num_contact_mode;

typedef struct num_contact_problem
{
  int n, b, contacts;
  int tangents;                  // 0 smooth, 1 planar, 2 spatial
  const double *M, *F;           // n by n, n
  const double *N_B, *d_B;       // b by n, b
  const double *N, *d_N;         // contacts by n, contacts
  const double *T, *d_T;         // contacts * tangents by n; tangents of one contact together
  const double* mu;              // contacts
  const double* slip;            // contacts * tangents; null: none slips. Exact zeros mean: at rest
  const num_contact_mode* guess; // contacts, planar; may be null
} num_contact_problem;

typedef enum num_contact_status {
  NUM_CONTACT_SOLVED = 0,
  NUM_CONTACT_SEVERAL = 1, // several motions; all are in the result (planar, few contacts)
  NUM_CONTACT_NONE = 2,    // proved by enumeration: there is no solution
  NUM_CONTACT_CONTRADICTION = 3,
  NUM_CONTACT_SINGULAR = 4,
  NUM_CONTACT_FAILED = -1 // none found, nothing proved; see reason
} num_contact_status;

typedef struct num_contact_solution
{
  const double* w;        // n
  const double* lambda_B; // b
  const double* lambda_N; // contacts
  const double* lambda_T; // contacts * tangents
  const double* alpha_N;  // contacts
  const double* alpha_T;  // contacts * tangents
  const num_contact_mode* mode;
  double residual; // scaled, as num_lcp_result
} num_contact_solution;

typedef struct num_contact_result
{
  num_contact_status status;
  const char* reason;
  const char* method; // "least", "guess", "lemke", "newton", "enumeration", "siconos"
  bool enumerated;    // count is the number of motions, not only of those found
  int count; // solution[0 .. count), distinct in w; the first agrees with guess if one does
  num_contact_solution solution[NUM_CONTACT_SOLUTIONS];
  bool unique; // the forces of solution[0] are the only ones with its motion, as far as known
} num_contact_result;

typedef struct num_contact num_contact;
num_contact* num_contact_new(int n_max, int b_max, int contacts_max, int tangents);
void num_contact_free(num_contact* f);
void num_contact_use_siconos(num_contact* f); // first, and ours where it finds nothing
// enumerate: try every combination of modes (planar, at most NUM_CONTACT_ENUMERATED contacts), so
// that none and several are told apart; else only after Lemke found nothing
num_contact_result num_contact_solve(num_contact* f, const num_contact_problem* p, bool enumerate);

// ---- impacts ------------------------------------------------------------------------------------

// M (v+ - v-) = N_B^T P_B + N^T P_N + T^T P_T, N_B v+ + d_B = 0, g = N v + d_N (closed contacts)
typedef enum num_impact_law {
  NUM_IMPACT_NEWTON,  // 0 <= P _|_ g+ + e g- >= 0
  NUM_IMPACT_POISSON, // compression with e = 0 (impulse P_c), then expansion by at least e P_c
  NUM_IMPACT_MOREAU   // v+ = v_c + e (v_c - v-), v_c the projection of v- (e = 0); for different
                      // e per contact and for friction: the rule of NEWTON
} num_impact_law;

typedef struct num_impact_problem
{
  num_contact_problem contact; // F and slip are not read; d_B, d_N, d_T are of velocities
  const double* v;             // n, before
  const double* e;             // contacts
  num_impact_law law;
  bool sequential; // one contact after the other, the fastest first (Newton's cradle); no friction
  int most;        // repetitions while a closed contact approaches; then e = 0. 0 means 100
} num_impact_problem;

typedef struct num_impact_result
{
  num_contact_status status;
  const char* reason;
  const double* v;   // n, after
  const double* P_B; // b; all impulses are sums over the repetitions
  const double* P_N; // contacts
  const double* P_T; // contacts * tangents
  const double* g;   // contacts, normal velocities after
  double energy_before, energy_after;
  double work; // of the impulses at the contacts, without that of surfaces that move
  bool gained; // it is positive: a law that can (Newton with friction)
  bool unique; // of the impulses
  int rounds;  // impacts solved
  bool damped; // the cap was reached and the last was taken with e = 0
} num_impact_result;

typedef struct num_impact num_impact;
num_impact* num_impact_new(int n_max, int b_max, int contacts_max, int tangents);
void num_impact_free(num_impact* f);
void num_impact_use_siconos(num_impact* f);
num_impact_result num_impact_solve(num_impact* f, const num_impact_problem* p);

// ---- roots on an interval -----------------------------------------------------------------------

enum { num_series_most = 30 }; // highest order of a power series

typedef double num_function(void* context, double t);
// All sign changes and touching zeros of a smooth f on [a, b], ascending, each to `tolerance` in t:
// Chebyshev interpolation with recursive halving until the tail is below noise, roots isolated on
// the polynomial, polished on f itself. Returns how many were found (at most room).
typedef struct num_root
{
  double t;
  int direction; // +1 rising, -1 falling, 0 touching without change of sign
} num_root;
int num_roots(num_function* f, void* context, double a, double b, double tolerance, int room,
              num_root* out);
// The same for a function that differs from the polynomial sum_k c_k (t - origin)^k, of a degree up
// to num_series_most, by no more than `noise`: its roots are isolated on the polynomial, none is
// missed where the function stands out of the noise, and f is asked near them only.
int num_roots_series(num_function* f, void* context, double origin, int degree, const double* c,
                     double noise, double a, double b, double tolerance, int room, num_root* out);

// ---- integrators: one table of methods ----------------------------------------------------------

// f at eight states side by side, for methods whose stages do not wait for each other. Arrays of
// eight belong to the caller of the method; the method writes Y, reads F.
enum { NUM_ABREAST = 8 };
typedef struct num_abreast
{
  double* const* Y;       // where the states of component i go; null: f does not need them
  const double* const* F; // where their slopes are found; null where there is a rate. A component
                          // with neither is not integrated, but set by the caller between steps
  const int* rate;        // component i' = component rate[i] in every state; -1: not so
  int version;            // changes when the above do, which is between steps
  // the eight instants of what follows
  void (*times)(void* context, const double* t);
  // F from Y; as rhs
  int (*evaluate)(void* context);
} num_abreast;

// y' = f(t, y). rhs returns 0, or a code > 0: "not evaluable here, try a shorter step",
// or < 0: "give up" (kept as the stepper's reason).
typedef struct num_ode
{
  int n;
  int (*rhs)(void* context, double t, const double* y, double* dy);
  void* context;
  // for methods that take the implicit form (IDA): r = F(t, y, y'), of dimension dae_n;
  // y holds the ode's y first, then algebraic unknowns. null where there is none.
  int dae_n;
  int (*residual)(void* context, double t, const double* y, const double* dy, double* r);
  // consistent start of the implicit form from the ode's y; fills y and dy (dae_n each)
  int (*consistent)(void* context, double t, const double* ode_y, double* y, double* dy);
  // for methods that take power series: the coefficients of the solution through (t, y), c[k*n + i]
  // for orders k = 0 .. order (at most num_series_most); nonzero where there are none. null:
  // unknown
  int (*series)(void* context, double t, const double* y, int order, double* c);
  // the same with twice the digits; from order `wide` + 1 on doubles are enough
  int (*wide_series)(void* context, base_wide t, const base_wide* y, int order, int wide,
                     base_wide* c);
  // put a state on what it must satisfy, with twice the digits; 0, or 1 where that fails. gauss16
  // ends its steps so at a tolerance of num_all_digits; null: they end as they do
  int (*wide_settle)(void* context, base_wide t, base_wide* y);
  // for methods that take states side by side; null: there are none
  const num_abreast* abreast;
  // weights: error of component i is measured against abs_tol[i] + rel_tol * |y_i|
  double rel_tol;
  const double* abs_tol;
  // components i with quiet[i] are integrated but do not steer the step (null: none)
  const bool* quiet;
  // told by dop853 and taylor before rhs and series are called, and after a step: the time meant is
  // t + *rest, where t alone is rounded (null: not wanted)
  double* rest;
} num_ode;

// a tolerance up to this means: as exact as doubles are
static const double num_all_digits = 2e-15;

// what rounding takes from t + by (Knuth's two-sum), and `more`, told to the right-hand side
static inline void num_ode_tell(const num_ode* o, double t, double by, double more)
{
  if (!o->rest) return;
  const double sum = t + by, part = sum - t;
  *o->rest = (t - (sum - part)) + (by - part) + more;
}

typedef enum num_status {
  NUM_OK = 0,
  NUM_STEP_TOO_SMALL = -1,
  NUM_RHS_FAILED = -2,
  NUM_NOT_FINITE = -3,
  NUM_SOLVER = -4 // the library behind the method said no; see num_stepper_reason
} num_status;

typedef struct num_counts
{
  long steps, rejected, evaluations;
  double smallest_step, largest_step, last_step;
  int order; // of the method
} num_counts;

typedef struct num_stepper num_stepper;
typedef struct num_method num_method;
struct num_method
{
  const char* name;    // "dop853"
  const char* summary; // one line for --method list
  bool implicit_form;  // needs num_ode.residual
  bool series_form;    // needs num_ode.series
  bool abreast_form;   // takes num_ode.abreast
  num_stepper* (*create)(const num_method* method, const num_ode* ode);
  void (*destroy)(num_stepper* s);
  // (re)start at t, y; direction and first step size are chosen from t_end
  num_status (*start)(num_stepper* s, double t, const double* y, double t_end);
  // one accepted step, never past t_limit
  num_status (*step)(num_stepper* s, double t_limit);
  // y at t inside the last step, by dense output: continuous from step to step, and ending in the
  // amended state where there is one; nan (and a reason) where the right-hand side refuses inside
  void (*dense)(num_stepper* s, double t, double* y);
  // replace the state at the end of the last step (after a projection that moved it by about the
  // tolerance): no loss of order or step size. A state moved by much more is a new start.
  num_status (*amend)(num_stepper* s, const double* y);
};

// every stepper begins with these
struct num_stepper
{
  const num_method* method;
  num_ode ode;
  double t_old, t; // the last step
  double* y;       // state at t
  num_counts counts;
  // a step may err this many times the tolerance; 1 unless the caller knows that f is noisy here
  // (dop853 heeds it)
  double slack;
  // a step no longer than this is taken whatever its error (dop853): where f is noisy, shorter ones
  // are no better; 0 unless the caller knows
  double least_step;
  char reason[160];
};

extern const num_method num_method_dop853; // our own, order 8, dense output of order 7, PI control
extern const num_method num_method_taylor; // our own, power series of any order
int num_method_taylor_order(double tolerance); // the order it takes
// the same with twice the digits, for tolerances below 1e-15 down to 1e-30; not in the table
extern const num_method num_method_taylor_wide;
int num_method_taylor_wide_order(double tolerance);
// its start with twice the digits, and its dense output
num_status num_method_taylor_wide_start(num_stepper* s, base_wide t, const base_wide* y,
                                        double t_end);
void num_method_taylor_wide_dense(num_stepper* s, double t, base_wide* y);
base_wide num_method_taylor_wide_time(const num_stepper* s, double t); // what t stands for
extern const num_method num_method_gauss16; // our own, Gauss with eight stages, of order 16
extern const num_method num_method_adams;   // CVODE, variable-order Adams
extern const num_method num_method_bdf;     // CVODE, BDF, for stiff systems
extern const num_method num_method_ida;     // IDA on the implicit form

// One implicit step of high order from t, y over h, by collocation at `stages` (2 to 9) points
// t + c_i h, the last of which is t + h; the right-hand side is never asked for at t (allocates;
// not for steps). Y: on entry guesses of the state at the points, stages by n, on success that
// state. width: of the differences for derivatives by y, 0 where there is no dependence.
bool num_radau(const num_ode* ode, int stages, double t, const double* y, double h,
               const double* width, double* Y);
void num_radau_points(int stages, double* c);

int num_method_count(void);
const num_method* num_method_at(int i);
const num_method* num_method_find(const char* name); // null if there is none
