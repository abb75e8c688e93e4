// study: program -> verdicts: one state, forms against each other, stability, orbits.
// Takes a derived system; gives points, agreements and stabilities, with the reasons in words.
// Knows no files and no text formats.
#pragma once

#include "base/base.h"
#include "expr/expr.h"
#include "mech/mech.h"
#include "model/model.h"
#include "study/along.h"
#include "study/manifold.h"

// ---- one state ----------------------------------------------------------------------------------

// The released and the comparison system of the principle of least constraint (released.c)
typedef struct study_released
{
  double *w0, *w;   // accelerations of the released and of the comparison system
  double* alpha;    // the second time derivative (order 2: the value) of each f in the motion
  bool* takes_part; // can be stressed at this state, and is ideal
  const bool* named;
  bool* kept;                            // in the comparison system
  double from_released, from_comparison; // S(w, w0), S(w, w*)
} study_released;

typedef struct study_point
{
  base_arena* arena;
  int n, m;
  double t;
  double *q, *v, *a, *lambda;
  double* holds;   // 1 for each constraint that holds, 0 for others; null: all hold
  double *WK, *WL; // accelerations q'' + Gamma split: fixed by the constraints, left to the forces
  double* Gamma;   // W = a + Gamma
  double *position, *velocity; // residual of each constraint at this state
  int rank;
  int redundant;
  int* redundant_row;
  int operations; // of one evaluation of M, F, A and c, what is shared computed once
  const char* form;
  study_released* released; // null: not asked for
} study_point;

// The consistent initial state of the model (or of `given` equations in place of the model's own),
// with accelerations and reactions by the form (null: the common problem). Null with errors noted.
study_point* study_point_solve(mech_system* s, const mech_form* form, int given,
                               const model_initial* state, base_notes* notes);
// the released and the comparison system without the constraints `named` (one flag each), into the
// point; false with errors noted
bool study_point_release(mech_system* s, study_point* p, const bool* named, base_notes* notes);
void study_point_free(study_point* p);

// all symbols of the model with their values at a state, for expr_values
int study_point_symbols(const mech_system* s, const study_point* p, base_arena* arena,
                        expr** symbols, double** values);

// ---- many states --------------------------------------------------------------------------------

// One form against the common problem, at random consistent states around the initial one.
typedef struct study_agreement
{
  const mech_form* form;
  const char* unsuited; // the reason why it was not tried, or null
  int states;           // where it could be evaluated
  int refused;          // where its equations were singular
  double difference;    // largest, relative, in accelerations and reactions
  bool disagrees;       // by more than rounding makes at a state
} study_agreement;

// A declared integral of the motion put to the test
typedef struct study_conservation
{
  const char* name;
  double rate;  // largest |dI/dt| at the random states, relative to the sum of its terms' sizes
  double drift; // in the model's run
  double bound; // what the tolerance and the steps of that run allow
  bool steady;  // the rate is zero up to rounding
  bool conserved;
} study_conservation;

typedef struct study_verdict
{
  base_arena* arena;
  int states;
  int forms;
  study_agreement* agreement;
  // Gauss's function at the motion against random admissible accelerations: the least relative gain
  // of any of them (not below zero, up to rounding, where the motion is least)
  double gauss_gain;
  int integrals;
  study_conservation* integral;
  double run_from, run_to; // where they were followed
  bool agrees, least, conserves;
} study_verdict;

// Null with errors noted when the initial state cannot be solved.
study_verdict* study_verify(mech_system* s, int states, base_notes* notes);
void study_verdict_free(study_verdict* v);

// ---- linear models ------------------------------------------------------------------------------

typedef enum study_where { STUDY_AT_STATE, STUDY_AT_REST, STUDY_AT_STEADY } study_where;

typedef struct study_linearise_options
{
  study_where where; // next to the state
  int given;         // equations in place of the model's initial ones
  const model_initial* state;
  int inputs, outputs;
  const char* const* input; // params, or coordinates along which forces act
  const char* const* output;
  bool symbolic; // in symbols, too
} study_linearise_options;

// z' = A z + B u, y = C z + D u for small changes about a state
typedef struct study_linearised
{
  base_arena* arena;
  const model* model;
  int n;
  double t, *q, *v;
  int states, *state; // below n a coordinate, else the velocity of that number - n
  int inputs, outputs;
  const char *const *input, *const *output;
  double *A, *B, *C, *D; // row by row
  double *re, *im;       // eigenvalues of A
  expr* symbolic[4];     // the same matrices in symbols; null where they were not asked for
} study_linearised;

// Null with errors noted.
study_linearised* study_linearise(mech_system* s, const study_linearise_options* o,
                                  base_notes* notes);
void study_linearised_free(study_linearised* r);

// The state that the model's `initial rest` or `initial steady` asks for: n places and n speeds,
// and 2n as the initial equations alone would have it. False with errors noted.
bool study_settle(mech_system* s, double* before, double* q, double* v, base_notes* notes);

// ---- chaos --------------------------------------------------------------------------------------

typedef struct study_chaos_options
{
  double until; // s; infinite: until the largest exponent is known well, or so many steps are made
  double tolerance;
  int given; // equations in place of the model's initial ones
  const model_initial* state;
  expr section; // points are taken where this rises through zero; EXPR_NONE: nowhere
  double every; // or at multiples of this time; 0: not
} study_chaos_options;

typedef struct study_chaos
{
  base_arena* arena;
  const model* model;
  int n;
  int exponents;
  double *value, *error; // falling; standard errors of the means of batches
  bool chaotic; // the largest is above zero, by more than errors and powers of time explain
  double sum, dimension;    // of all exponents; of the attractor by Kaplan and Yorke
  double from, to, counted; // times; what is left of them behind the transient
  long steps;
  int points;    // on the section
  double* point; // t, q, v of each
} study_chaos;

// Null with errors noted.
study_chaos* study_chaos_find(mech_system* s, const study_chaos_options* o, base_notes* notes);
void study_chaos_free(study_chaos* r);

// ---- mechanisms ---------------------------------------------------------------------------------

// All positions in which a mechanism can be assembled at the start, where drives and exact initial
// equations leave no freedom.
typedef struct study_assemblies
{
  base_arena* arena;
  const model* model;
  double t;
  int n, count;
  double* q;     // count by n
  int solutions; // with complex numbers, these among them
  int beyond;    // left out, as an inequality does not hold there
  bool whole;    // the search was not broken off
  int lost;      // paths whose end could not be told
} study_assemblies;
// Null with errors noted.
study_assemblies* study_assemblies_find(mech_system* s, base_notes* notes);
void study_assemblies_free(study_assemblies* r);

// A motion of some coordinates: at each time their places, velocities, accelerations.
typedef struct study_motion
{
  int rows, coords;
  int* coord;    // their numbers
  double* t;     // rows
  double* value; // rows by 3 by coords
} study_motion;
// The forces along chosen coordinates that make it.
typedef struct study_inverse
{
  base_arena* arena;
  const model* model;
  int rows, forces, n;
  int* along;      // coordinates
  const double* t; // of the motion
  double* force;   // rows by forces
  double* q;       // rows by n: all places
  int freedoms, redundant;
  double scale; // of forces
} study_inverse;
// Null with errors noted. The motion must outlive the result.
study_inverse* study_inverse_find(mech_system* s, const study_motion* motion, int forces,
                                  const int* along, base_notes* notes);
void study_inverse_free(study_inverse* r);

// ---- stability ----------------------------------------------------------------------------------

typedef enum study_stability_verdict {
  STUDY_UNSTABLE,
  STUDY_MARGINAL,
  STUDY_STABLE
} study_stability_verdict;

typedef struct study_stability_options
{
  double period; // s, of the motion from the initial state; 0: a steady motion is looked for
  bool orbit;    // a periodic motion is, of whatever period
  int given;     // equations in place of the model's initial ones
  const model_initial* state; // null: the model's own
  bool all;                   // look for further steady motions, too
  bool swings;                // how far coordinates swing along a periodic motion
  // a steady motion of nearly the same params, to start from in place of the initial state; or null
  const struct study_stability* near;
} study_stability_options;

// Chetaev's criterion for a top on a vibrating pivot (stability_chetaev.c): in a plane of two
// coordinates z'' = gyro J z' + b(t) z. It speaks, for instability, where gyro^2 - 4 min b < 0.
typedef struct study_chetaev
{
  bool fits, speaks;
  int pair[2]; // the coordinates
  double gyro, least, value;
} study_chetaev;

// A steady motion (all accelerations zero, only ignorable coordinates move) or a periodic one, and
// what the linearised equations on the constraint surface say of it.
typedef struct study_stability
{
  base_arena* arena;
  const model* model;
  int n;
  double t, *q, *v;
  bool* ignorable; // coordinates that the equations do not hold
  bool moved;      // the steady motion is not the initial state but one near it
  // A relative equilibrium: v = C q + c for a symmetry of the equations (n by n, n); null where the
  // motion is steady in the coordinates themselves.
  double *C, *c;
  int dimension; // of the constraint surface in the space of states
  int family;    // dimension of the family of steady motions: its eigenvalues are not listed
  int count;     // the other eigenvalues, by real part
  double *re, *im;
  double *shape_re, *shape_im; // count by 2n: changes of q, then of v
  double period;               // s; 0: steady
  study_swing* swing;          // of a periodic motion: that of each coordinate; or null
  bool own_period;             // found in the equations, which depend on time
  // Periodic: what is missing for the state to come back, relative. It may come back after a map
  // q -> C q + c of the symmetries; C is null where it comes back by itself.
  double closure;
  int multipliers, idle; // all; those that are one by themselves, as shifts along the motion
  double *multiplier_re, *multiplier_im;
  double* multiplier_blur; // moduli nearer to one than this are not told from it
  double symplectic;       // how far the map over a period is from a canonical one, relative
  study_chetaev chetaev;
  bool hybrid;    // made by runs, through all that happens: events, stages, impacts, stick and slip
  int happenings; // along it
  study_happening* happening;
  uint64_t way;   // which, as one number: other ones are other motions
  double derived; // error of the derivatives that the multipliers come from
  double largest; // real part of the eigenvalues, or modulus of the multipliers less one
  study_stability_verdict verdict;
  const char* why;    // in words
  const char* remark; // what the energy says beside; or null
  int others;         // further steady motions, where they were asked for
  struct study_stability** other;
} study_stability;

// Null with errors noted.
study_stability* study_stability_find(mech_system* s, const study_stability_options* o,
                                      base_notes* notes);
void study_stability_free(study_stability* r);
const char* study_stability_word(study_stability_verdict v); // "stable"

// The same over a param: `at` gives the motion with a value of it next to another one, or null
// where there is none.
typedef study_stability* study_stability_at(void* context, double value,
                                            const study_stability* near);
typedef struct study_critical
{
  double value;      // of the param
  double im;         // imaginary part of the eigenvalue (argument of the multiplier) that crosses
  bool rising;       // more of them are unstable above it
  const char* kind;  // divergence, Hopf, ...
  int before, after; // numbers of steady motions, where they were asked for and change; else 0
  const study_stability* above; // the motion at the next value above, no other critical one between
} study_critical;
typedef struct study_scan
{
  base_arena* arena;
  int points;
  double* value;
  study_stability** point; // null where there is no such motion
  int criticals;
  study_critical* critical;
} study_scan;
// what a motion becomes there, as it is said of one value alone; null where no value tells
const char* study_critical_becomes(const study_critical* c);
// ---- branches over a param ----------------------------------------------------------------------

typedef struct study_special
{
  const char* kind; // fold, branch, hopf, krein, doubling, torus
  const char* form; // of a branch point: pitchfork, transcritical, multiple; of a fold: below,
                    // above, where the motions lie; or null
  const char* criticality; // super, sub; degenerate; or null
  double value;            // of the param
  double im;               // imaginary part of the eigenvalue (argument of the multiplier)
  double l1;               // first Lyapunov coefficient of a Hopf point; nan: not known
  double a; // coefficient of the normal form of a fold (its size), doubling, torus; nan: not known
  double growth;  // of the pair at a Hopf point, d Re/dp; nan: not known
  double* square; // and of the squares of the amplitudes of coordinates, over p; null: not known
  bool up;        // the param grows there along the branch
  int before, behind; // how many eigenvalues are unstable on both sides, along the branch
  int several;        // real ones that go through zero there at once, where they are more than one
  study_stability* at;
} study_special;

typedef struct study_path
{
  const char* kind; // equilibrium, relative, orbit
  int points;
  double* value; // of the param
  study_stability** point;
  int start; // the point it was followed from
  int specials;
  study_special* special;
  const char* ends[2];
  int from;          // number of the branch it leaves, -1: none
  double from_value; // and where
} study_path;

// a special point on a curve of special points in two params
typedef struct study_locus_point
{
  const char* kind; // cusp, bogdanov-takens, bautin, fold-hopf, ...
  double a, b;      // values of the params
  double form[2];   // coefficients of the normal form where a zero is double; nan: not known
  study_stability* at;
} study_locus_point;

typedef struct study_locus
{
  const char* kind; // fold, hopf, doubling, torus
  int branch;       // on which the point lies that it was followed from
  int points;
  double *a, *b, *u; // values of both params; all unknowns
  study_stability** point;
  int specials;
  study_locus_point* special;
  const char* ends[2];
} study_locus;

typedef struct study_branches
{
  base_arena* arena;
  int count;
  study_path* path;
  int loci; // curves of special points in two params
  study_locus* locus;
  bool more; // there were more of them than are followed
  int grids; // values asked for; the motions there on the part of the first branch that it began on
  study_stability** grid;
  struct study_branches* next; // whose paths stand among these
} study_branches;

// what a branch is followed over: a param; or, of periodic motions that are one of a family, what
// tells them apart
typedef enum study_over { STUDY_OVER_PARAM, STUDY_OVER_ENERGY, STUDY_OVER_PERIOD } study_over;

#define STUDY_EXACT 1e-12 // of periodic motions that are followed, unless it is told

typedef struct study_branches_options
{
  study_over over;
  int param; // given with the run (model_give); not asked for over another thing
  double from, to;
  double period;    // s, of a periodic motion from the initial state; 0: a steady motion
  bool orbit;       // a periodic motion, of whatever period
  bool all;         // those that leave it, too
  int points;       // over the range, about
  double tolerance; // of periodic motions on a mesh, relative; 0: STUDY_EXACT
  int values;       // of the param, at which motions are asked for
  const double* value;
  int given; // equations in place of the model's initial ones
  const model_initial* state;
  bool both;  // special points are followed over a second param, given with the run, too
  int second; // which
  double second_from, second_to;
} study_branches_options;

// Null with errors noted.
study_branches* study_branches_find(mech_system* s, const study_branches_options* o,
                                    base_notes* notes);
void study_branches_free(study_branches* b);
// what `grid` and the special points of the first branch tell over the values asked for; takes the
// motions out of b. Numbers of the param are divided by `scale`.
study_scan* study_branches_scan(study_branches* b, int values, const double* value, double scale);

study_scan* study_stability_scan(double from, double to, int points, const study_stability* near,
                                 study_stability_at* at, void* context);
void study_scan_free(study_scan* s);

// ---- the equations as functions -----------------------------------------------------------------

// At states y = (q, v), with what holds, presses and slips decided at each of them.
typedef struct study_functions study_functions;
// number: values of the params by their numbers, for those given; null: the model's. Null with
// errors noted: the motion has no start with them.
study_functions* study_functions_new(mech_system* s, const double* number, base_notes* notes);
void study_functions_free(study_functions* f);
// other values; false with an error noted
bool study_functions_give(study_functions* f, const double* number, base_notes* notes);
// Accelerations at the state whose numbers lie `stride` apart; false with an error noted. What
// follows is asked for behind it.
bool study_functions_at(study_functions* f, double t, const double* y, int stride,
                        base_notes* notes);
void study_functions_rates(const study_functions* f, double* rates, int stride); // (v, a)
// The same of states side by side, at most STEP_ABREAST at a time, their numbers `stride` apart;
// false: what some of them have is found one by one. Begin says whether there is such a way at this
// time, with the values of now.
bool study_functions_begin_lanes(study_functions* f, double t);
bool study_functions_lanes(study_functions* f, const double* y, int count, int stride,
                           double* rates);
void study_functions_reactions(study_functions* f, double* lambda);
// M a = F + A^T Lambda; false with an error noted: it has no full matrices
bool study_functions_mass(study_functions* f, double* M, base_notes* notes);
bool study_functions_forces(study_functions* f, double* F, base_notes* notes);
// d(rates)/dy, 2n by 2n
bool study_functions_jacobian(study_functions* f, double* J, base_notes* notes);
