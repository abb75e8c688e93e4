// step: integrators: a right-hand side and a state in, the next state and dense output out.
// Takes functions of doubles and tolerances; gives steps, counts and a reason where it stops.
// Knows no mechanics: a step never asks which model this is.
#pragma once

#include "base/base.h"
#include "num/num.h"

// ---- runs side by side --------------------------------------------------------------------------

// y' = f(t, y) of `width` (4 or 8) runs or twice as many at once by dop853, each lane with steps of
// its own: what a run gives does not depend on its neighbours. No dense output.
typedef struct step_lanes_problem
{
  int n;          // components of y
  int places;     // of these, the first so many are of one kind, the others of another: each kind
                  // is held to its own largest size
  int width;      // lanes of a block
  int inputs;     // of the rates: t, y (n), then what stays the same in a run
  int outputs;    // of the rates
  const int* row; // output that is the rate of each component
  int guard;      // output that must be above zero for the rates to be right
  int along;      // output whose integral is carried along with no say in the steps; -1: none
  // outputs, from the first on, that must stay above zero as long as the rates are those of the
  // motion: a run in which one does not, in a step or at a stage of it, leaves before that step
  int watch, watches;
  bool before; // a run leaves before the step that would end it, too
  double rel_tol;
  void (*rates)(void* context, const double* in, double* out); // in[i*width + lane]
  // put t, y of the inputs where the motion may be, and say of each lane by a number above zero
  // that it went well; null: steps end there by themselves
  void (*settle)(void* context, double* in, double* well);
  // All stages of a step at once, as step_lanes_spell has them: in has the inputs at the beginning
  // of the step, its length and the outputs that are kept (step_lanes_kept) there; out
  // step_lanes_made rows. null: stage by stage
  void (*stages)(void* context, const double* in, double* out);
  // The same of two blocks of `width` lanes, that of the second behind all rows of the first. Then
  // there are twice as many lanes, and rates and the rest are asked block by block. null: one block
  void (*pair)(void* context, const double* in, double* out);
} step_lanes_problem;

// Who writes down the operations of a step: values are numbers of its own.
typedef struct step_lanes_pen
{
  void* context;
  int (*number)(void* context, double x);
  int (*fma)(void* context, int a, int b, int c); // a b + c
  int (*mul)(void* context, int a, int b);
  int (*sub)(void* context, int a, int b);
  int (*least)(void* context, int a, int b);
  void (*rates)(void* context, const int* in, int* out);
} step_lanes_pen;

// Outputs of the rates that are kept at each stage: the rates (n), what is carried along if
// anything, what is watched. What the stages make: the slope of the step of each of the first two,
// both error sums and the slope at the last stage (n each), the least guard, and of what is watched
// the least and what it is at three stages (4 each).
int step_lanes_kept(const step_lanes_problem* p);
int step_lanes_made(const step_lanes_problem* p);
void step_lanes_spell(const step_lanes_problem* p, const step_lanes_pen* pen, const int* given,
                      int* made);

typedef struct step_lanes_run
{
  double t, t_end, longest; // longest step, may be infinite
  const double *y, *rest;
} step_lanes_run;

typedef enum step_lanes_state {
  STEP_LANES_IDLE,
  STEP_LANES_RUNNING,
  STEP_LANES_ENDED, // at t_end, or before the step to it
  STEP_LANES_LEFT,  // before a step in which something watched happens
  STEP_LANES_LOST   // cannot go on
} step_lanes_state;

typedef struct step_lanes step_lanes;
int step_lanes_abreast(const step_lanes_problem* p); // lanes in all
step_lanes* step_lanes_new(const step_lanes_problem* p, void* context);
void step_lanes_free(step_lanes* s);
// a run begins in this lane; every lane must have had one, or go along with one, before a step
void step_lanes_put(step_lanes* s, int lane, const step_lanes_run* r);
// The same where runs come one after the other: `width` of them wait, every place with a run, and
// are begun at once; then each goes from its place into a lane, once or not at all.
void step_lanes_wait(step_lanes* s, int place, const step_lanes_run* r);
void step_lanes_take(step_lanes* s, int lane, int place);
void step_lanes_idle(step_lanes* s, int lane, int with);
// One trial in every lane. The lanes, a bit each, in which a run came to
// its end, left, or cannot go on.
uint32_t step_lanes_step(step_lanes* s);
step_lanes_state step_lanes_look(const step_lanes* s, int lane);
// the state of a lane; its time is returned
double step_lanes_get(const step_lanes* s, int lane, double* y, int64_t* steps);
// the integral carried along
double step_lanes_sum(const step_lanes* s, int lane);

// ---- integrators: one table of methods ----------------------------------------------------------

// f at eight states side by side, for methods whose stages do not wait for each other. Arrays of
// eight belong to the caller of the method; the method writes Y, reads F.
enum { STEP_ABREAST = 8 };
typedef struct step_abreast
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
  // the same of components with Y alone, quicker than all; null: it is not. By component: does that
  // need its states?
  int (*turn)(void* context);
  const bool* turning;
} step_abreast;

// For methods whose steps lead over many impacts of bodies that fly by themselves in between.
typedef struct step_flights
{
  void* context;
  // all of them fly from t on, with the state y
  int (*launch)(void* context, double t, const double* y);
  // from there, or from where it came last, up to `to` or as far as one step goes: the instant
  // reached. As rhs.
  int (*fly)(void* context, double to, double* reached);
  // the state at an instant of that way
  void (*at)(void* context, double t, double* y);
} step_flights;

// y' = f(t, y). rhs returns 0, or a code > 0: "not evaluable here, try a shorter step",
// or < 0: "give up" (kept as the stepper's reason).
typedef struct step_ode
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
  // ends its steps so at a tolerance of step_all_digits; null: they end as they do
  int (*wide_settle)(void* context, base_wide t, base_wide* y);
  // for methods that take states side by side; null: there are none
  const step_abreast* abreast;
  // for methods that decide in each step what switches (moreau): the state at the instant `to` of
  // the motion through (t, y), whose velocities may jump on the way; as rhs. The length of a step.
  int (*leap)(void* context, double t, const double* y, double to, double* y_to);
  double leap_length;
  // for methods that take flights (null: there are none)
  const step_flights* flights;
  // weights: error of component i is measured against abs_tol[i] + rel_tol * |y_i|
  double rel_tol;
  const double* abs_tol;
  // slopes are known to this only: errors of a step below it times its length are rounding, for
  // methods that heed it (null: no more than that of the slopes themselves)
  const double* slope_noise;
  // components i with quiet[i] are integrated but do not steer the step (null: none)
  const bool* quiet;
  // told by dop853 and taylor before rhs and series are called, and after a step: the time meant is
  // t + *rest, where t alone is rounded (null: not wanted)
  double* rest;
} step_ode;

// a tolerance up to this means: as exact as doubles are
static const double step_all_digits = 2e-15;

// what rounding takes from t + by (Knuth's two-sum), and `more`, told to the right-hand side
static inline void step_ode_tell(const step_ode* o, double t, double by, double more)
{
  if (!o->rest) return;
  const double sum = t + by, part = sum - t;
  *o->rest = (t - (sum - part)) + (by - part) + more;
}

typedef enum step_status {
  STEP_OK = 0,
  STEP_STEP_TOO_SMALL = -1,
  STEP_RHS_FAILED = -2,
  STEP_NOT_FINITE = -3,
  STEP_SOLVER = -4,  // the library behind the method said no; see step_stepper_reason
  STEP_TOO_MANY = -5 // steps, for who has asked (step_carry)
} step_status;

typedef struct step_counts
{
  long steps, rejected, evaluations;
  double smallest_step, largest_step, last_step;
  int order; // of the method
} step_counts;

typedef struct step_stepper step_stepper;
typedef struct step_method step_method;
struct step_method
{
  const char* name;    // "dop853"
  const char* summary; // one line for --method list
  bool implicit_form;  // needs step_ode.residual
  bool series_form;    // needs step_ode.series
  bool abreast_form;   // takes step_ode.abreast
  bool leap_form;      // takes step_ode.leap: velocities jump on the way of a step
  bool flight_form;    // takes step_ode.flights
  bool decides;        // what switches is decided inside its steps
  bool heeds_noise;    // takes step_ode.slope_noise
  bool has_history;    // goes on from several steps: other variables are a new start for it
  step_stepper* (*create)(const step_method* method, const step_ode* ode);
  void (*destroy)(step_stepper* s);
  // (re)start at t, y; direction and first step size are chosen from t_end
  step_status (*start)(step_stepper* s, double t, const double* y, double t_end);
  // one accepted step, never past t_limit
  step_status (*step)(step_stepper* s, double t_limit);
  // y at t inside the last step, by dense output: continuous from step to step, and ending in the
  // amended state where there is one; nan (and a reason) where the right-hand side refuses inside
  void (*dense)(step_stepper* s, double t, double* y);
  // replace the state at the end of the last step (after a projection that moved it by about the
  // tolerance): no loss of order or step size. A state moved by much more is a new start.
  step_status (*amend)(step_stepper* s, const double* y);
  // the last step made anew, to end at t inside it: where dense output is no state to go on from.
  // null: it is
  step_status (*cut)(step_stepper* s, double t);
};

// every stepper begins with these
struct step_stepper
{
  const step_method* method;
  step_ode ode;
  double t_old, t; // the last step
  double* y;       // state at t
  step_counts counts;
  // a step may err this many times the tolerance: more than 1 where the caller knows that f is
  // noisy there, less where what happens next asks for it
  double slack;
  // a step no longer than this is taken where a shorter one is no better, f being noisy there; 0
  // unless the caller knows
  double least_step;
  // of the trial before, where that erred too much: how long it was, and its error
  double tried_length, tried_error;
  char reason[160];
};

extern const step_method
    step_method_dop853; // our own, order 8, dense output of order 7, PI control
extern const step_method step_method_taylor;    // our own, power series of any order
int step_method_taylor_order(double tolerance); // the order it takes
// the same with twice the digits, for tolerances below 1e-15 down to 1e-30; not in the table
extern const step_method step_method_taylor_wide;
int step_method_taylor_wide_order(double tolerance);
// its start with twice the digits, and its dense output
step_status step_method_taylor_wide_start(step_stepper* s, base_wide t, const base_wide* y,
                                          double t_end);
void step_method_taylor_wide_dense(step_stepper* s, double t, base_wide* y);
base_wide step_method_taylor_wide_time(const step_stepper* s, double t); // what t stands for
extern const step_method step_method_gauss16; // our own, Gauss with eight stages, of order 16
extern const step_method step_method_adams;   // CVODE, variable-order Adams
extern const step_method step_method_bdf;     // CVODE, BDF, for stiff systems
extern const step_method step_method_ida;     // IDA on the implicit form
extern const step_method step_method_moreau;  // our own, fixed steps in which velocities jump
extern const step_method step_method_flights; // our own, an event queue of bodies in free flight

// ---- from one instant to another ----------------------------------------------------------------

// The way there: how many steps it may take, and what is asked behind each of them, which may read
// dense output, amend the state, or end the way by another status than STEP_OK (null: nothing).
typedef struct step_way
{
  long most_steps;
  step_status (*ask)(void* context, step_stepper* s);
  void* context;
} step_way;

// Carry y from t to the instant `to`, before or behind it, where s->y is the state then. Whoever
// does not walk with all that may happen (walk/run.c) goes by this loop.
step_status step_carry(step_stepper* s, double t, const double* y, double to, const step_way* way);

// One implicit step of high order from t, y over h, by collocation at `stages` (2 to 9) points
// t + c_i h, the last of which is t + h; the right-hand side is never asked for at t (allocates;
// not for steps). Y: on entry guesses of the state at the points, stages by n, on success that
// state. width: of the differences for derivatives by y, 0 where there is no dependence.
bool step_radau(const step_ode* ode, int stages, double t, const double* y, double h,
                const double* width, double* Y);
void step_radau_points(int stages, double* c);

// ---- the first step away from where the right-hand side has no value ----------------------------

enum { STEP_ONSET_POINTS = 6 }; // at which its states are found, those of step_radau_points

// What is asked on the way to a step that serves.
typedef struct step_onset
{
  const step_ode* ode;
  double t;
  const double* y; // where it begins
  void* context;
  // is a step of length h still worth it? guesses of the states at its points; widths, as for
  // step_radau
  bool (*is_worth)(void* context, double h);
  bool (*guess)(void* context, double h, double* Y);
  void (*widths)(void* context, double h, double* width);
  // a step that is exact enough and ends in y: will it do?
  bool (*accept)(void* context, double h, const double* y);
  double* Y; // the states at its points
} step_onset;

// The length of the step, no more than h, nan where none serves; room: that many doubles, kept in
// use for the value of the step at a share of its length.
size_t step_onset_room(int n);
double step_onset_find(step_onset* o, double h, double* room);
void step_onset_value(const step_onset* o, double share, double* y);

int step_method_count(void);
const step_method* step_method_at(int i);
const step_method* step_method_find(const char* name); // null if there is none

// ---- a step across instants at which the right-hand side has no value ---------------------------

// With fourteen nodes a span of half the radius of the motion's power series is exact to rounding.
enum { STEP_BRIDGE_NODES = 14 };

typedef struct step_bridge_span
{
  double from, to;
  double origin, *y; // the state y is known at the instant `origin` of the span
  // of each component, beside its own size: one that stays at zero has the rounding of what it is
  // bound to
  const double* scale;
  double node[STEP_BRIDGE_NODES];
} step_bridge_span;

// not in the table of methods: create makes it, and cross takes the place of start
extern const step_method step_method_bridge;

// The motion through the state known; Y: on entry guesses of the states at the nodes, nodes by n,
// then these states (the caller's, kept in use). False where it does not settle. `step` then goes
// from the origin to the end of the span.
bool step_bridge_cross(step_stepper* s, const step_bridge_span* span, double* Y);
// what the polynomial leaves out, over the size of each component: the largest
double step_bridge_error(const step_stepper* s);
// y' at t, from the polynomial
void step_bridge_slopes(const step_stepper* s, double t, double* dy);
// Other quantities known at the nodes (nodes by count), as polynomials of the span: coefficients c
// (nodes by count), and their values at t.
void step_bridge_fit(const step_stepper* s, int count, const double* at_nodes, double* c);
void step_bridge_value(const step_stepper* s, int count, const double* c, double t, double* out);
