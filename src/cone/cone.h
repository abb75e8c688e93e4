// cone: complementarity and cones: who presses, who slips, and by what impulses.
// Takes matrices of doubles and the laws of the rows; gives forces, modes and a status.
// Never heard of a body: an answer that does not exist is an answer.
#pragma once

#include "base/base.h"
#include "num/num.h"

#include <stdint.h>

// ---- Siconos ------------------------------------------------------------------------------------

// A second solver of contacts with friction: null where it can be used, else why not. It is asked
// where our own methods find nothing, or first where that is wished.
const char* cone_siconos_absent(void);

// ---- many contacts ------------------------------------------------------------------------------

// Linear equations with a band: A is r by r, A_ij = 0 where |i - j| > b. Grows as it must.
typedef struct cone_band cone_band;
cone_band* cone_band_new(void);
void cone_band_free(cone_band* f);
// a matrix of zeros; the place of A_ij, |i - j| <= b
void cone_band_clear(cone_band* f, int r, int b);
double* cone_band_at(cone_band* f, int i, int j);
// LU with row pivoting; false: singular to the last bit
bool cone_band_factor(cone_band* f);
void cone_band_solve(const cone_band* f, double* x);

// w = G x + q, G sparse, and for each row one law:
//   equal    w = 0
//   normal   x >= 0, w >= 0, x w = 0
//   tangent  |x| <= mu x_n of its normal row n, w = 0 inside, w against x on the bound; in space
//   the
//            same for the vectors of two tangents, perpendicular to one another
typedef enum cone_many_kind { CONE_MANY_EQUAL, CONE_MANY_NORMAL, CONE_MANY_TANGENT } cone_many_kind;

// Where G = A W^-1 A^T comes from: rows over coordinates, and W, which holds blocks of coordinates
// together and is zero between them.
typedef struct cone_many_origin
{
  const int *start, *column; // of row i of A: entries start[i] .. start[i + 1] - 1
  const double* value;
  int blocks;
  const int *block_start, *block_of, *place; // coordinates of a block; of each its block, its place
  const size_t* W_start;                     // where a block begins, row-major
  const double* W;
} cone_many_origin;

typedef struct cone_many_problem
{
  int r;
  const int *start, *column; // row i: entries start[i] .. start[i + 1] - 1, the diagonal among them
  const double* G;           // their values; the pattern is symmetric, G_ii > 0
  const double* q;
  const cone_many_kind* kind;
  const int* of;    // normal row of a tangent
  const double* mu; // of a tangent
  const int* pair;  // the other tangent of its contact, -1 in the plane; null: none has another
  const cone_many_origin* origin; // null: not told
  bool may_fail; // who asks has an easier one: that rows exclude one another is answer enough
  // who asks makes a shorter step where laws are not obeyed: what takes longest is not tried
  bool may_halve;
  // 0, or a fault that is allowed of what so many products in sweeps and linear systems, and a few
  // times more, have not brought to 1e-9
  double graded, effort;
} cone_many_problem;

typedef struct cone_many_result
{
  bool solved;
  double fault;         // largest breach of a law, relative to the largest number in its island
  double allowed;       // 1e-9, and after much work more, to what is asked for
  double work;          // products in sweeps and linear systems
  int sweeps;           // of Gauss and Seidel
  int turns;            // linear systems solved
  int changes;          // rows that came into active sets or left them
  int islands, largest; // problems that know nothing of each other, rows of the largest
} cone_many_result;

typedef struct cone_many cone_many;
extern const double cone_many_tolerance; // of the fault
cone_many* cone_many_new(int r_max);
void cone_many_free(cone_many* f);
void cone_many_use_siconos(cone_many* f); // first, and ours where it finds nothing
// x: a guess (zeros if there is none), then the answer, or the best that was found; w belongs to it
cone_many_result cone_many_solve(cone_many* f, const cone_many_problem* p, double* x, double* w);

// ---- contacts that come and go ------------------------------------------------------------------

// Contacts as numbers, found anew at every step of time: rows over the velocities q', each with few
// entries. All rows of a contact have the same columns; row k of contact c is
//   value[c.value + k * c.columns + i] at column[c.column + i],  i < c.columns,
// k = 0 the rate of the gap; behind it the velocity of slip along perpendicular directions, the
// rate of rolling about these, and that of pivoting about the normal. Rates of turning are times a
// length of the bodies, moments over it: velocities and impulses as the others.
enum { CONE_TOUCH_ROWS = 6 };
typedef struct cone_touch
{
  // the same as long as it is the same place of the same two bodies: the impulses of a step are the
  // guess of the next. No two contacts of a list have the same.
  uint64_t id;
  int rows;                      // all of them
  int slips;                     // 0 smooth, 1 in the plane, 2 in space
  int rolls, pivots;             // 0, or 1 in the plane, 2 in space; 0, or 1 in space
  int columns;                   // coordinates that they hold
  int column;                    // where these begin in the list of columns
  int value;                     // and its numbers in the list of values
  double gap;                    // negative: overlap
  double drift[CONE_TOUCH_ROWS]; // of each row, what moves without q': walls that are led
  double mu;                     // bounds of these rows over the normal impulse
  double rolling, pivoting;
  double restitution;
} cone_touch;

typedef struct cone_touches
{
  BASE_LIST(cone_touch) touch;
  BASE_LIST(int) column;
  BASE_LIST(double) value;
} cone_touches;

// Who finds them. Gaps and rows belong to the state (t, q) that is asked for.
typedef struct cone_toucher
{
  void* context;
  // Into an empty list: every contact that could close within h from here, that is whose gap is at
  // most h times a bound of the speeds of its two bodies, plus `within`. The order depends on
  // nothing but the state. 0, or 1 with *reason.
  int (*find)(void* context, double t, const double* q, const double* v, double h, double within,
              cone_touches* list, const char** reason);
  // the contacts of a list at another state: new gap, values, drift; the same ids, order, columns
  int (*look)(void* context, double t, const double* q, cone_touches* list, const char** reason);
  // May be null. A step is done: impulses, CONE_TOUCH_ROWS to each, on the rows of the list
  // at its start, and its length: forces are impulses over it.
  void (*done)(void* context, const cone_touches* list, const double* impulse, double h);
} cone_toucher;

// ---- complementarity: constraints that can let go -----------------------------------------------

// Sinitsyn (1990): of the constraints that could act, those do that the minimum of Gauss's function
// under inequalities needs. All workspaces are created once; no allocation in the calls. Arrays in
// a result belong to the workspace and last until its next call. Deterministic.

// what became of a unilateral constraint
typedef enum cone_lcp_mode {
  CONE_LCP_LOOSE = 0,     // lambda = 0, alpha > 0
  CONE_LCP_ACTIVE = 1,    // lambda > 0, alpha = 0
  CONE_LCP_DEGENERATE = 2 // both 0 to the tolerance: the next derivative decides
} cone_lcp_mode;

typedef enum cone_lcp_status {
  CONE_LCP_SOLVED = 0,
  CONE_LCP_INFEASIBLE = 1, // there is no solution, and y proves it
  CONE_LCP_FAILED = -1     // not decided; see reason
} cone_lcp_status;

typedef struct cone_lcp_result
{
  cone_lcp_status status;
  const char* reason;        // never null
  const double* lambda;      // r, solved only
  const double* alpha;       // r, solved only
  const cone_lcp_mode* mode; // r, solved only
  const double* y;           // r, infeasible only: y >= 0, A y = 0, q.y < 0
  bool unique;               // lambda is the only one (alpha always is)
  int active, degenerate;    // how many have these modes
  int pivots;
  // largest violation of alpha >= 0, lambda >= 0, alpha_s = 0 where lambda_s > 0, in the scaled
  // variables, over the largest of them; below 1e-12 unless A is at the edge of its rank.
  // infeasible: |A y| over |y|, scaled
  double residual;
} cone_lcp_result;

// alpha = A lambda + q >= 0, lambda >= 0, lambda.alpha = 0; A symmetric positive semidefinite, r by
// r. Comparisons are made on alpha_s / sqrt(A_ss) and lambda_s * sqrt(A_ss), so units do not
// matter. Where lambda is not unique the one with sum A_ss lambda_s^2 least is given (table on four
// legs: equal loads).
typedef struct cone_lcp cone_lcp;
cone_lcp* cone_lcp_new(int r_max);
void cone_lcp_free(cone_lcp* f);
// guess (r, may be null): constraints believed active. noise (r, may be null): how far each q_s may
// be off; an emptiness within it is not believed, and zero is told from not zero by it.
cone_lcp_result cone_lcp_solve(cone_lcp* f, int r, const double* A, const double* q,
                               const bool* guess, const double* noise);

// Any square matrix B: w = B z + q >= 0, z >= 0, z.w = 0, by Lemke with the lexicographic rule.
// INFEASIBLE is never given: a ray is FAILED ("secondary ray"), from which nothing follows in
// general.
cone_lcp_status cone_lcp_lemke(cone_lcp* f, int r, const double* B, const double* q, double* z);

// min 1/2 w^T M w - F^T w  (= 1/2 (w - w0)^T M (w - w0), M w0 = F, up to a constant)
// with N_B w + d_B = 0 (b rows, redundant ones allowed), alpha = N_U w + d_U >= 0 (u rows):
//   M w = F + N_B^T lambda_B + N_U^T lambda_U,  lambda_U >= 0,  lambda_U.alpha = 0.
// M symmetric, positive definite on ker N_B.
typedef struct cone_least_problem
{
  int n, b, u;
  const double *M, *F;     // n by n, n
  const double *N_B, *d_B; // b by n, b
  const double *N_U, *d_U; // u by n, u
  const bool* guess;       // u, constraints believed active; may be null
  // b, u; may be null: how far d_B, d_U may be off, where that is more than their rounding
  const double *noise_B, *noise_U;
  const double* unit; // n, what the unknowns are measured by; null: 1/sqrt(M_jj)
} cone_least_problem;

typedef enum cone_least_status {
  CONE_LEAST_SOLVED = 0,
  CONE_LEAST_CONTRADICTION = 1, // the bilateral rows contradict each other
  CONE_LEAST_INFEASIBLE = 2,    // no w obeys all rows; y_B, y_U prove it
  CONE_LEAST_SINGULAR = 3,      // M not positive definite on ker N_B: not well posed; see direction
  CONE_LEAST_FAILED = -1
} cone_least_status;

typedef struct cone_least_result
{
  cone_least_status status;
  const char* reason;
  const double* w;        // n
  const double* lambda_B; // b, least norm
  const double* lambda_U; // u, least scaled norm as cone_lcp
  const double* alpha_U;  // u
  const cone_lcp_mode* mode;
  bool unique;            // lambda_U
  int rank_B;             // below b: redundant bilateral rows, lambda_B is not unique
  int active, degenerate; // unilateral ones
  int pivots;
  double residual; // as cone_lcp_result, the bilateral rows and the balance of forces included
  // infeasible: y_U >= 0, N_U^T y_U + N_B^T y_B = 0, d_U.y_U + d_B.y_B < 0
  const double *y_B, *y_U;
  const double* direction; // singular: n, N_B x = 0 and x^T M x <= 0 to rounding
} cone_least_result;

typedef struct cone_least cone_least;
cone_least* cone_least_new(int n_max, int b_max, int u_max);
void cone_least_free(cone_least* f);
cone_least_result cone_least_solve(cone_least* f, const cone_least_problem* p);

// ---- contacts with Coulomb friction -------------------------------------------------------------

// M w = F + N_B^T lambda_B + N^T lambda_N + T^T lambda_T, N_B w + d_B = 0,
//   alpha_N = N w + d_N >= 0, lambda_N >= 0, lambda_N.alpha_N = 0,
//   alpha_T = T w + d_T; a contact with slip s != 0: lambda_T = -mu lambda_N s/|s|;
//   with s = 0: |lambda_T| <= mu lambda_N, lambda_T = -mu lambda_N alpha_T/|alpha_T| where
//   alpha_T != 0.
// Accelerations: w = q'', F the forces. Velocities (an impact): w = v+, F = M v-, s = 0.
// Not a minimum any more: there may be no solution, or several (Painleve).
enum { CONE_CONTACT_ENUMERATED = 6, CONE_CONTACT_SOLUTIONS = 16 };

typedef enum cone_contact_mode {
  CONE_CONTACT_OPEN = 0, // lambda = 0, alpha_N >= 0
  CONE_CONTACT_STICK = 1,
  CONE_CONTACT_SLIP = 2,     // planar: alpha_T (or the slip) > 0, lambda_T = -mu lambda_N
  CONE_CONTACT_SLIP_BACK = 3 // planar only: alpha_T (or the slip) < 0
} cone_contact_mode;

typedef struct cone_contact_problem
{
  int n, b, contacts;
  int tangents;            // 0 smooth, 1 planar, 2 spatial
  const double *M, *F;     // n by n, n
  const double *N_B, *d_B; // b by n, b
  const double *N, *d_N;   // contacts by n, contacts
  const double *T, *d_T;   // contacts * tangents by n; tangents of one contact together
  const double* mu;        // contacts
  const double* slip;      // contacts * tangents; null: none slips. Exact zeros mean: at rest
  const cone_contact_mode* guess; // contacts; may be null
  const double* unit;             // as in cone_least_problem
  // contacts, may be null: what presses besides lambda_N and counts in the bound of friction. With
  // no normal row and d_N > 0 that is a friction whose bound is given.
  const double* base;
  // contacts, may be null: those that hold both ways, alpha_N = 0 with lambda_N of either sign, and
  // |lambda_N| in the bound of friction
  const bool* both;
  // Null, or the motion without contacts (n) and what a unit of each of their forces adds to it
  // (contacts * (1 + tangents) by n, the normal of each before its tangents): in the place of M, F
  // and the bilateral rows, for forces that do not act along the rows. Needs b = 0.
  const double *w0, *W;
} cone_contact_problem;

typedef enum cone_contact_status {
  CONE_CONTACT_SOLVED = 0,
  CONE_CONTACT_SEVERAL = 1, // several motions; all are in the result (planar, few contacts)
  CONE_CONTACT_NONE = 2,    // proved by enumeration: there is no solution
  CONE_CONTACT_CONTRADICTION = 3,
  CONE_CONTACT_SINGULAR = 4,
  CONE_CONTACT_FAILED = -1 // none found, nothing proved; see reason
} cone_contact_status;

typedef struct cone_contact_solution
{
  const double* w;        // n
  const double* lambda_B; // b
  const double* lambda_N; // contacts
  const double* lambda_T; // contacts * tangents
  const double* alpha_N;  // contacts
  const double* alpha_T;  // contacts * tangents
  const cone_contact_mode* mode;
  double residual; // scaled, as cone_lcp_result
} cone_contact_solution;

typedef struct cone_contact_result
{
  cone_contact_status status;
  const char* reason;
  const char* method; // "least", "guess", "lemke", "newton", "enumeration", "siconos"
  bool enumerated;    // count is the number of motions, not only of those found
  int count; // solution[0 .. count), distinct in w; the first agrees with guess if one does
  cone_contact_solution solution[CONE_CONTACT_SOLUTIONS];
  bool unique; // the forces of solution[0] are the only ones with its motion, as far as known
  int sign;    // of cone_contact_go_on: that of the determinant of its problem, 0: it is none
} cone_contact_result;

typedef struct cone_contact cone_contact;
cone_contact* cone_contact_new(int n_max, int b_max, int contacts_max, int tangents);
void cone_contact_free(cone_contact* f);
void cone_contact_use_siconos(cone_contact* f); // first, and ours where it finds nothing
// enumerate: try every combination of modes (planar, at most CONE_CONTACT_ENUMERATED contacts), so
// that none and several are told apart; else only after Lemke found nothing
cone_contact_result cone_contact_solve(cone_contact* f, const cone_contact_problem* p,
                                       bool enumerate);
// The motion in which every contact stays in the mode of the guess, whether forces obey their
// bounds or not: they may not during a step that is to end where one leaves them. Of forces that
// are not the only ones the shortest. No solution where a contact cannot stay, or begins to slip.
cone_contact_result cone_contact_go_on(cone_contact* f, const cone_contact_problem* p);

// For contacts in these modes, slipping ones with their slips: how much the gap of each opens by a
// unit of its own normal force, friction and the answers of the others included, over the same
// without friction (1: not pressing). Zero and less: Painleve's paradox. False: not known.
bool cone_contact_margins(cone_contact* f, const cone_contact_problem* p,
                          const cone_contact_mode* mode, double* margin);

// ---- friction over a patch ----------------------------------------------------------------------

// the pressure over a small round patch, and whether Zhuravlev's quotients stand for its law
typedef enum cone_patch_pressure { CONE_PATCH_HERTZ, CONE_PATCH_UNIFORM } cone_patch_pressure;
typedef struct cone_patch
{
  cone_patch_pressure pressure;
  bool rational;
} cone_patch;

// force over mu N and moment over mu N a, for slip v and pivoting u, the radius times the angular
// velocity: neither negative, not both zero
void cone_patch_law(cone_patch patch, double v, double u, double* F, double* M);
// the least mu N that holds the force (T_1, T_2) and the moment a T_3, and with which share of slip
// and pivoting, of length one, it gives way
double cone_patch_size(cone_patch patch, const double T[3], double direction[3]);

// ---- impacts ------------------------------------------------------------------------------------

// M (v+ - v-) = N_B^T P_B + N^T P_N + T^T P_T, N_B v+ + d_B = 0, g = N v + d_N (closed contacts)
typedef enum cone_impact_law {
  CONE_IMPACT_NEWTON,   // 0 <= P _|_ g+ + e g- >= 0
  CONE_IMPACT_POISSON,  // compression with e = 0 (impulse P_c), then expansion by at least e P_c
  CONE_IMPACT_MOREAU,   // v+ = v_c + e (v_c - v-), v_c the projection of v- (e = 0); for different
                        // e per contact and for friction: the rule of NEWTON
  CONE_IMPACT_ENERGETIC // one contact after the other, each followed through its impulse:
                        // expansion gives e^2 of the normal work of compression back (Stronge)
} cone_impact_law;

typedef struct cone_impact_problem
{
  cone_contact_problem contact; // F and slip are not read; d_B, d_N, d_T are of velocities
  const double* v;              // n, before
  const double* e;              // contacts
  cone_impact_law law;
  bool sequential; // one contact after the other, the fastest first (Newton's cradle)
  int most;        // repetitions while a closed contact approaches; then e = 0. 0 means 100
} cone_impact_problem;

typedef struct cone_impact_result
{
  cone_contact_status status;
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
} cone_impact_result;

typedef struct cone_impact cone_impact;
cone_impact* cone_impact_new(int n_max, int b_max, int contacts_max, int tangents);
void cone_impact_free(cone_impact* f);
void cone_impact_use_siconos(cone_impact* f);
cone_impact_result cone_impact_solve(cone_impact* f, const cone_impact_problem* p);
