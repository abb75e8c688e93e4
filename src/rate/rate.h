// rate: program and mode -> y' for one state, eight, a series, twice the digits.
// Takes an engine whose mode is decided; gives the first-order system that the integrators step.
// Does not decide what holds and knows no steps.
#pragma once

#include "base/base.h"
#include "code/code.h"
#include "contact/contact.h"
#include "engine/engine.h"
#include "expr/expr.h"
#include "num/num.h"
#include "step/step.h"

// ---- the motion as a first-order system ---------------------------------------------------------

// y = (q, u, work). u are quasi-velocities u = C v, as many as the constraints leave free (the rest
// of their n places stays zero), chosen at some state and kept until the choice grows poor; where
// they do not serve (constraints nonlinear in the velocities, implicit methods) u = v. The work of
// the forces is carried along for the energy balance and steers no step.
typedef struct rate_series rate_series;
typedef struct rate_fused rate_fused;
typedef struct rate_wide rate_wide;
typedef struct rate_lanes rate_lanes;

// A motion that is decided step by step at the level of velocities (time-stepping). The forces at a
// state are the means over the last step.
typedef struct rate_leaps
{
  int (*leap)(void* context, double t, const double* y, double to,
              double* y_to); // as step_ode.leap
  // sides, accelerations and reactions, with the engine at a state of the last step
  void (*load)(void* context);
  void* context;
} rate_leaps;

typedef struct rate_flow
{
  engine* e;
  step_ode ode;
  int rows0; // position rows of the implicit form
  bool reduced;
  bool full;     // asked for: u = v always
  bool lasting;  // a choice is kept while it serves: a new one costs the method its history
  bool settling; // states inside the present step are put on the constraints first
  int l;
  double* C;                          // l by n, row-major
  engine_features features;           // of the system and what holds since the choice was made
  const rate_fused* fused;            // u are velocities, and y' is found by one kernel; else null
  int effort;                         // that was worth when the choice was made
  double* CZ;                         // work space: l by l
  struct rate_complement* complement; // of that choice, where one serves; else null
  int* pivot;
  double *abs_tol, *slope_noise;
  double* rate_noise; // work space
  bool heeds_noise;   // the method asks for that of the slopes
  bool* quiet;        // components that do not steer the step
  double tolerance;
  rate_series* series;     // for methods that take power series, else null
  rate_wide* wide;         // the run has twice the digits, else null
  rate_wide* levels;       // the steps meet the constraints themselves, with twice the digits
  rate_lanes* abreast;     // for methods that take states side by side, else null
  bool meets;              // what holds is met by the velocities that the kernel in use makes
  const rate_leaps* leaps; // for methods that decide in their steps, else null
  double quality; // of the choice at the state loaded last: 1 where it was made, 0 singular
  double best;    // least pivot of C Z where it was made
  double least;   // quality below which another choice is better
} rate_flow;

// full: keep u = v, for methods that take the implicit form
// full: all velocities, as for systems of many coordinates in any case
rate_flow* rate_flow_new(engine* e, double tolerance, bool full);
// choose the quasi-velocities anew at the engine's state; also after the active constraints changed
int rate_flow_rebase(rate_flow* f);
// is another choice better at the state loaded last?
bool rate_flow_is_poor(const rate_flow* f);
// let the absolute tolerance follow the size of the motion, seen at a state y of it
void rate_flow_scale(rate_flow* f, const double* y);
// the scale of component i of y
double rate_flow_size(const rate_flow* f, int i);
// the same of what has rested so far by what its forces could do
double rate_flow_size_at_rest(const rate_flow* f, int i);
// of quasi-velocity k, by these sizes of the velocities
double rate_flow_speed_size(const rate_flow* f, int k, const double* speed);
// the absolute tolerances that follow from the scales of the engine
void rate_flow_set_tolerances(rate_flow* f);
// the engine's state as the flow's y
void rate_flow_store(const rate_flow* f, double work, double* y);
// states by the kernels of this from here on, where the flow has u = v
void rate_flow_take_kernel(rate_flow* f, rate_lanes* lanes);
// no more states by one kernel from here on
void rate_flow_leave_kernel(rate_flow* f);
// decide, with the engine at the start of a step, how its stages are evaluated
void rate_flow_before_step(rate_flow* f);
// the flow's y as the engine's state; 0, or 1 with the engine's reason
int rate_flow_load(rate_flow* f, double t, const double* y);
// the same of its places; velocities are not those of the motion
static inline void rate_flow_load_places(rate_flow* f, double t, const double* y)
{
  engine_state(f->e, t, y, y + f->e->n);
}
// the accelerations and reactions at the state loaded; 0, or 1 with the engine's reason
int rate_flow_forces(rate_flow* f);
// steps of this length are decided by these
void rate_flow_take_leaps(rate_flow* f, const rate_leaps* leaps, double length);

// y' by velocities and accelerations (contact_ways), whatever is asked for; as rate.one
int rate_flow_general(rate_flow* f, double t, const double* y, double* dy);
// what is asked for now: what holds since the choice was made, and what may pass any time
static inline engine_features rate_flow_features(const rate_flow* f)
{
  return f->features | (f->settling ? ENGINE_NEAR_SINGULAR : 0u) |
         (f->e->mode.held_count ? ENGINE_HOLDS_JUMP : 0u);
}

// ---- the table of rates -------------------------------------------------------------------------

// not safe at this state, or nothing was made for it: the next in the table is asked
enum { RATE_ELSEWHERE = -1 };

// A way to evaluate y' and the features of systems and modes that it takes. In the forms that it
// has, else null: of one state, of eight side by side (step_abreast.evaluate), as a power series,
// as one with twice the digits (step_ode.wide_series). 0, 1 with the engine's reason, or elsewhere.
typedef struct rate_way
{
  const char* name;
  engine_features takes;
  int (*one)(rate_flow* f, double t, const double* y, double* dy);
  int (*eight)(void* flow);
  int (*series)(rate_flow* f, const double* y, int order, double* c);
  int (*twice)(void* flow, base_wide t, const base_wide* y, int order, int wide, base_wide* c);
} rate_way;

// What they take. The inputs of a kernel may change; a linear problem with all digits may be large,
// or bind accelerations alone.
enum {
  RATE_TAKES_DIRECT = ENGINE_STAGES | ENGINE_CHANGES | ENGINE_PARAMS | ENGINE_HOLDS_PARTS,
  RATE_TAKES_FUSED = RATE_TAKES_DIRECT | ENGINE_CORNERS | ENGINE_DELAYS,
  RATE_TAKES_LANES = RATE_TAKES_DIRECT | ENGINE_NEAR_SINGULAR | ENGINE_DELAYS | ENGINE_MANY,
  RATE_TAKES_WIDE = ENGINE_LARGE | ENGINE_HOLDS_ACCELERATIONS | ENGINE_HOLDS_NONLINEAR |
                    ENGINE_HOLDS_PARTS | ENGINE_NEAR_SINGULAR,
  RATE_TAKES_SERIES = RATE_TAKES_DIRECT | ENGINE_CORNERS | RATE_TAKES_WIDE | ENGINE_INEQUALITIES |
                      ENGINE_HOLDS_IMPLIED
};

// the quicker ones first
enum {
  RATE_FUSED,
  RATE_DIRECT,
  RATE_GENERAL,
  RATE_LANES,
  RATE_RECURRENCE,
  RATE_JETS,
  RATE_WIDE,
  RATES
};
extern const rate_way rate_table[RATES];

typedef enum rate_form { RATE_ONE, RATE_EIGHT, RATE_SERIES, RATE_TWICE } rate_form;

// what the system and its mode ask for at the engine's state
engine_features rate_features(engine* e);
// the same without what may pass at any time: whether the motion is held at a jump
engine_features rate_lasting_features(engine* e);
// why no rate has this form for what is asked, or null
const char* rate_refusal(rate_form form, engine_features asked);
static inline bool rate_takes(const rate_way* r, engine_features asked)
{
  return !(asked & ~r->takes);
}
// step_ode.rhs and step_ode.series of a flow, the latter with u = v: by the first that takes what
// is asked for and does not send elsewhere
int rate_of_one(void* flow, double t, const double* y, double* dy);
int rate_of_series(void* flow, double t, const double* y, int order, double* c);

// ---- one kernel ---------------------------------------------------------------------------------

// The equations of motion for the active rows, in velocities x (the symbols of the velocities):
//   M x' = F + A^T Lambda,   A x' + b = 0,   A x + a0 = 0
typedef struct rate_rows
{
  int n, rows;
  expr *M, *F, *A, *b, *a0, *lambda, power;
  expr* rate; // q' by x
  int turns;  // pairs of velocities that were turned
  int* pair;  // coordinates i, j of each
  // of each, by the velocities: x_i, its slopes by v_i and v_j, and x_i' where v' = 0
  expr (*turned)[4];
} rate_rows;

// The equations of a program with fixed params as numbers: M, F, A, -c, A v + a0 at rest, power.
typedef struct rate_equations
{
  base_arena* arena;
  int count;
  expr* all; // in one list; for M its terms where the masses hang as a deep tree, and then M is
             // null; of many coordinates M and A are the entries of their rows, and a0 is zero
  expr *M, *F, *A, *b, *a0, power;
  bool undefined; // some has no value
  bool* needed;   // by coordinate: they depend on it
  bool timed;     // they depend on time or on params that change
} rate_equations;

// of the rows that hold, with x = q'; in the arena
rate_rows rate_rows_of(const engine* e, base_arena* arena, const rate_equations* q);
// Turn the velocities of every row that binds two of them as a blade does; false if there is none.
bool rate_rows_turn(const engine_program* program, rate_rows* p);

// ---- what all engines of a program share --------------------------------------------------------

// A kernel, or the problem it is made of, depends on its key alone. The lock of the system is held
// from looking for it to keeping it; but for the equations, which are made in any case.
const rate_equations* rate_shared_equations(const engine_program* p);

// The problem of the rows that hold now; as far as they can be turned, if so wanted.
typedef struct rate_problem
{
  base_arena* arena;
  rate_rows rows;
  bool turned;           // some were
  code_kernel *A, *turn; // then: rows.A and rows.turned
} rate_problem;
const rate_problem* rate_shared_problem(engine* e, bool turned);

void rate_shared_keep_kernel(engine* e, base_key key, code_kernel* kernel);

// ---- one kernel ---------------------------------------------------------------------------------

// y' of the flow from the engine's input block: velocities and accelerations by elimination of the
// dependent velocities that were chosen when the kernel was made, and the power.
typedef struct rate_fused
{
  const code_kernel* kernel;  // null where elimination was not safe when it was tried
  int effort;                 // with which it was made
  int rows, *row, *dependent; // active rows and the velocities they make dependent
  int l, *independent;
  bool brief; // only x' of what is not eliminated, guard, q' of what is or was turned, power if any
  double* out; // a (n), guard, v (n), power
  double* scratch;
} rate_fused;

// features.c: a kernel with the whole of M in it is too large
bool rate_matrix_is_large(const engine* e);

// How much work a kernel is worth after the evaluations made so far: none, a kernel, a kernel of
// equations that were simplified.
int rate_fused_effort(const engine* e);
// dependent.c: the velocity that each active row makes dependent, by the gradients A; false where
// some row has none that is safe
bool rate_choose_dependent(engine* e, const double* A, int* dependent);
// The kernel for the velocities that the active constraints leave free at the engine's state, made
// where there is none yet; null where the equations are not those of one linear problem, are too
// large or too few were evaluated to be worth it, or where elimination is not safe at this state.
const rate_fused* rate_fused_choose(engine* e);
// y' at (t, y): 0, or elsewhere where elimination is not safe there
int rate_fused_rates(const rate_fused* f, engine* e, double t, const double* y, double* dy);

// Velocities of a kernel for states side by side: those that are left when some were eliminated, of
// pairs that were turned as well, or all of them, of states that need not be on the constraints.
typedef enum rate_velocities { RATE_ELIMINATED, RATE_TURNED, RATE_ALL } rate_velocities;

// ---- states side by side ------------------------------------------------------------------------

// step_ode.abreast of a flow with u = v (but for turns), in the engine's arena; the context of its
// functions is the flow
rate_lanes* rate_lanes_new(engine* e, rate_velocities which);
const step_abreast* rate_lanes_ode(const rate_lanes* s);
// is there a kernel for the rows that are active now? It is chosen
bool rate_lanes_ready(rate_lanes* s);
// the same, and all is set for it with the inputs of now; also after rows changed
void rate_lanes_rebase(rate_lanes* s);
// In the input block, put the velocities that the kernel eliminates or takes turned where the
// others want them; those eliminated also from there into y, where they are not integrated.
void rate_lanes_settle(rate_lanes* s);
void rate_lanes_put_back(const rate_lanes* s, double* y);
// the velocities of the engine's state as the kernel takes them, where they are turned
void rate_lanes_turn(rate_lanes* s, double* x);
// and the accelerations of the engine's state as its rates of them
void rate_lanes_turn_rates(rate_lanes* s, double* rates);
// settle for input blocks side by side, as many as the processor has lanes
void rate_lanes_settle_lanes(rate_lanes* s, double* in);
bool rate_lanes_eliminates(const rate_lanes* s); // are there such velocities?
// do all constraints hold by what the kernel makes of the velocities? Those of positions do not.
bool rate_lanes_meets(const rate_lanes* s);
// What the kernel puts out: by coordinate its acceleration where it does not depend, its velocity
// where it does; guard and power (-1: none). A kernel that is null: there is none.
typedef struct rate_lanes_outputs
{
  const code_kernel* kernel;
  const bool* depends;
  const int *put, *put_rate;
  int guard, power;
} rate_lanes_outputs;
rate_lanes_outputs rate_lanes_now(const rate_lanes* s);
// y' at all of them
int rate_lanes_evaluate(void* flow);
// y' at one state: 0, or elsewhere where the guard warns
int rate_lanes_rates(rate_lanes* s, double t, const double* y, double* dy);

// ---- power series -------------------------------------------------------------------------------

// of a program and an order
typedef struct rate_series_shared
{
  code_jet *eom, *power, *watches;
  code_series* native;
} rate_series_shared;

struct rate_series
{
  engine* e;
  int order;             // at most
  const code_jet* eom;   // M, F, A, c; the unknowns x are kept beside its inputs
  const code_jet* power; // of the work
  double *eom_scratch, *power_scratch;
  int rows, *row; // active rows the list of products was made for
  bool listed;
  int products;
  code_jet_product* product;
  double* ramp;            // coefficients of the params on their way
  double t;                // of the last expansion
  int expanded;            // its order, 0 if there is none
  double *start, *motion;  // its inputs of order 0 and its coefficients, for the events
  const code_jet* watches; // event functions; null where they are not smooth
  double* watch_scratch;
  bool watching;               // their series belong to the last expansion
  bool works;                  // the power is not a number
  double* K0;                  // the matrix of x at order 0, of all rows
  double *K, *scale, *x, *sum; // factored matrix of x, scales of its rows, work
  double* inverse;             // of K_0 where that is quicker, by columns
  double* multiplier;          // -Lambda of the active rows by order, for the events
  const code_series* native;   // the same recurrence as machine code; null where there is none
  double *native_scratch, *right, *whole; // of it: right side at order 0, inverse for all rows
  const code_series* direct;              // of the kernel of `direct_of`; null where there is none
  const code_kernel* direct_of;
  double *direct_scratch, *direct_right;
  int* pivot;
};

// Where things are among the outputs of the equations of motion: M (n n), F (n), A (m n), c (m).
static inline int rate_eom_M(const engine_program* p, int i, int j)
{
  return i * p->n + j;
}
static inline int rate_eom_F(const engine_program* p, int i)
{
  return p->n * p->n + i;
}
static inline int rate_eom_A(const engine_program* p, int row, int j)
{
  return p->n * p->n + p->n + row * p->n + j;
}
static inline int rate_eom_c(const engine_program* p, int row)
{
  return p->n * p->n + p->n + p->m * p->n + row;
}

enum { rate_series_inverted = 12, rate_series_ramp_orders = 6 };
// made from the program's kernels, in the engine's arena
rate_series* rate_series_new(engine* e, int order);
// time and params of order k > 0 as inputs of a jet
void rate_series_given(const rate_series* s, const code_jet* j, double* scratch, int k);
// Expand the event functions along the step that began at t.
void rate_series_watch(rate_series* s, double t);
// Roots of one of them on [a, b] inside that step, as num_roots: f is its value.
int rate_series_roots(rate_series* s, int which, num_function* f, void* context, double a, double b,
                      double tolerance, int room, num_root* out);
// a power of two that brings `most` near `size` without rounding
double rate_series_scale(double size, double most);
// K_0 of the active rows factored, from K0; 1 where it is singular
int rate_series_factor(rate_series* s);
// coefficients k of a param on its way and of its derivatives
void rate_series_ramp(const rate_series* s, int param, int k, double of[3]);
// The same as machine code, null where there is none; and an expansion, false where it is not
// finite.
code_series* rate_series_native_new(const engine_program* p, int order, bool works);
bool rate_series_native_expand(rate_series* s, const double* y, int order, double* c);
// The same from accelerations that one kernel gives for the active rows, where that is cheaper.
void rate_series_direct_make(rate_flow* f);
bool rate_series_direct_expand(rate_flow* f, const double* y, int order, double* c);
// The same by jets, through corners, too.
int rate_series_jets(rate_flow* f, const double* y, int order, double* c);
// before one of these at (t, y): state, params on their way, the products of the active rows; what
// is kept behind it for the events; and why there is none, 1
void rate_series_prepare(rate_series* s, double t, const double* y);
void rate_series_keep(rate_series* s, double t, int order, const double* c);
int rate_series_refuse(rate_series* s, const char* why);

// ---- twice the digits ---------------------------------------------------------------------------

// one kernel with its scratch block
typedef struct rate_wide_part
{
  code_wide* code;
  double* scratch;
} rate_wide_part;

struct rate_wide
{
  engine* e;
  step_stepper* stepper; // of the run
  base_wide* in;         // the input block
  rate_wide_part eom, power, levels, columns;
  bool works;     // the power is not a number
  int rows, *row; // active rows the list of products was made for
  bool listed;
  int products;
  code_jet_product* product;
  double *K, *scale, *right; // factored matrix of the unknowns in doubles, powers of two
  int* pivot;
  base_wide *K0, *x, *sum, *r; // the matrix itself, unknowns, work space
  double *plain, *position, *velocity;
  base_wide *y, *c; // a state, and its series of first order
};

// made from the engine's equations, in its arena; rate_wide_free frees what is not there
rate_wide* rate_wide_new(engine* e, int order);
void rate_wide_free(rate_wide* w);
// step_ode.wide_series and step_ode.wide_settle of a flow with u = v
int rate_wide_expand(void* flow, base_wide t, const base_wide* y, int order, int wide,
                     base_wide* c);
int rate_wide_settle(void* flow, base_wide t, base_wide* y);
// residuals of the constraints at the end of the last step, as engine_residuals
void rate_wide_residuals(rate_wide* w, double* position, double* velocity);
// the initial state from the one found in doubles, with `count` initial equations; false with an
// error noted
bool rate_wide_start(rate_wide* w, base_wide t, int count, const model_initial* initial,
                     base_notes* notes);
// Of a motion in doubles only its constraints, in the engine's arena; null where there are none or
// none with twice the digits. And step_ode.wide_settle of its flow, to which states come that are
// nearly there: one turn for each level.
rate_wide* rate_wide_levels_new(engine* e);
int rate_wide_nudge(void* flow, base_wide t, base_wide* y);

// for the files of it: time and state into the input block, and order 0 of a part
void rate_wide_load(rate_wide* w, base_wide t, const base_wide* y);
void rate_wide_evaluate(const rate_wide* w, const rate_wide_part* part);
rate_wide_part rate_wide_part_new(engine* e, int count, const expr* list, int order, int extra,
                                  bool exact);
