// sim: system + code + numbers -> a trajectory, or the accelerations at one state.
// Takes a derived system and options; gives a track: rows, events, residuals, energy balance,
// counts. Knows no files and no text formats.
#pragma once

#include "base/base.h"
#include "code/code.h"
#include "expr/expr.h"
#include "mech/mech.h"
#include "model/model.h"
#include "num/num.h"

// ---- what is asked ------------------------------------------------------------------------------

typedef struct sim_progress
{
  double t, t_from, t_to, step, residual;
  long steps;
} sim_progress;

typedef struct sim_options
{
  double until;       // end of the run; nan: the model's own
  double tolerance;   // 0: the model's own, else 1e-10
  const char* method; // null: the model's own, else chosen
  double step;        // of the method moreau, s; 0: chosen
  bool siconos;       // solves the contacts with friction, where it is on this machine
  int at_count;       // exact times of the rows; else `every`, else `points`
  const double* at;
  double every; // 0: not said
  int points;   // 0: not said
  bool curves;  // also record the finer table the plots are drawn from
  int watched;  // expressions of state, accelerations and reactions to record with every row
  const expr* watch;
  // asked now and then; returning false stops the run, what was computed is kept
  bool (*progress)(void* context, const sim_progress* p);
  void* progress_context;
} sim_options;

sim_options sim_options_default(void);

// ---- what comes out -----------------------------------------------------------------------------

typedef struct sim_table
{
  int width, rows, room;
  double* value; // rows by width
  double* low;   // what is to be added to them, where the run has twice the digits; else null
  int* stage;    // per row: stage number, -1
  int* event;    // per row: event number; -1: none; -2 - i: happening i, which is none of the model
} sim_table;

typedef struct sim_happening
{
  const char* name; // where it is none of the model's events, else null
  int event;        // number of the model's event, -1
  double t;
  int direction;
  double* row;           // the values of the columns there
  const double* impulse; // of an impact: one for each constraint of the model, else null
} sim_happening;

typedef enum sim_status {
  SIM_DONE,
  SIM_STOPPED,     // a stop event of the model
  SIM_INTERRUPTED, // the caller's progress function said stop
  SIM_UNFINISHED   // could not go on; the reason is in the notes and in `reason`
} sim_status;

typedef struct sim_residual
{
  double position, velocity,
      acceleration; // largest seen at any step; nan where the level is absent
} sim_residual;

// A declared integral of the motion
typedef struct sim_integral
{
  const char* name;
  double start; // its value at the start
  double drift; // largest change between jumps, relative to the largest sum of its terms' sizes
} sim_integral;

typedef struct sim_track
{
  const model* model;
  base_arena* arena;
  sim_status status;
  const char* reason; // "" when done
  const char* doubt;  // why these numbers are not to be trusted; "": no reason is known
  int columns;
  const char** column; // "t", "x", "x'", quasi names, "reaction.NAME", "control.NAME", outputs
  const char** unit;   // "" where unknown
  int forces;          // columns of reactions and controls
  int* force;          // the constraint of each
  sim_table table;
  int curve_columns; // t first, then for each plot x, y1, y2, ...
  sim_table curves;
  sim_table watched; // the expressions asked for, one row for each of `table`
  int happenings;
  sim_happening* happening;
  const char* method;
  const char* method_why; // how it was chosen
  double tolerance, t_from, t_to, t_reached;
  num_counts counts;
  int restarts;           // stages, events and changes of the velocity basis
  int basis_changes;      // of those, new choices of quasi-velocities
  sim_residual* residual; // one per constraint
  double energy_start, energy_end, energy_work, energy_balance; // balance = change - work
  double energy_jumps; // of H at instantaneous changes; not part of the work
  double energy_scale; // largest |H|, kinetic or work seen: what the balance is compared with
  int integrals;
  sim_integral* integral;
  int redundant; // constraints that depend on the others
  int* redundant_row;
  double seconds, seconds_steps; // all of it, and from the first step on
} sim_track;

// Null only when the input is wrong (errors noted): then nothing was computed.
sim_track* sim_run(mech_system* s, const sim_options* o, base_notes* notes);
// Methods of integration: those of num, and time-stepping; name and one line on each, null behind
// the last
const char* sim_method_name(int i);
const char* sim_method_summary(int i);
// names of the columns of any run of the model; returns how many
int sim_columns(const model* m, base_arena* arena, const char*** name);
// what a happening is called
const char* sim_happening_name(const sim_track* t, const sim_happening* h);
void sim_track_free(sim_track* t);

// ---- runs side by side --------------------------------------------------------------------------

// A system made ready for many runs that differ in params: everything they need as kernels, several
// runs at a time. Made for smooth motion without events that change it, under linear constraints of
// velocities; const once made, so that threads may share it.
typedef struct sim_bundle sim_bundle;

// `param` are the params that differ, marked as changing; `column` those of the table wanted at the
// end. events: also those that report or stop, for a text that locates them. Null where the model
// is not of this kind, and *why says it.
sim_bundle* sim_bundle_new(mech_system* s, const sim_options* o, int axes, const int* param,
                           int columns, const int* column, bool events, const char** why);
void sim_bundle_free(sim_bundle* b);

// Its kernels as functions of a GPU, with its sizes as macros (bundle_source.c).
void sim_bundle_print(const sim_bundle* b, base_text* out);
// operations of one evaluation of the rates
int sim_bundle_operations(const sim_bundle* b);

// one thread's runs
typedef struct sim_bundle_worker sim_bundle_worker;
sim_bundle_worker* sim_bundle_open(const sim_bundle* b);
void sim_bundle_close(sim_bundle_worker* w);
// values: count by axes, in SI; results: count by columns. done[i] is false where a run could not
// be made this way: the ordinary way will tell why, or make it.
void sim_bundle_run(sim_bundle_worker* w, int count, const double* value, double* result,
                    bool* done);

// ---- one state ----------------------------------------------------------------------------------

// The released and the comparison system of the principle of least constraint (released.c)
typedef struct sim_released
{
  double *w0, *w;   // accelerations of the released and of the comparison system
  double* alpha;    // the second time derivative (order 2: the value) of each f in the motion
  bool* takes_part; // can be stressed at this state, and is ideal
  const bool* named;
  bool* kept;                            // in the comparison system
  double from_released, from_comparison; // S(w, w0), S(w, w*)
} sim_released;

typedef struct sim_point
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
  sim_released* released; // null: not asked for
} sim_point;

// The consistent initial state of the model (or of `given` equations in place of the model's own),
// with accelerations and reactions by the form (null: the common problem). Null with errors noted.
sim_point* sim_point_solve(mech_system* s, const mech_form* form, int given,
                           const model_initial* state, base_notes* notes);
// the released and the comparison system without the constraints `named` (one flag each), into the
// point; false with errors noted
bool sim_point_release(mech_system* s, sim_point* p, const bool* named, base_notes* notes);
void sim_point_free(sim_point* p);

// all symbols of the model with their values at a state, for expr_values
int sim_point_symbols(const mech_system* s, const sim_point* p, base_arena* arena, expr** symbols,
                      double** values);

// ---- many states --------------------------------------------------------------------------------

// One form against the common problem, at random consistent states around the initial one.
typedef struct sim_agreement
{
  const mech_form* form;
  const char* unsuited; // the reason why it was not tried, or null
  int states;           // where it could be evaluated
  int refused;          // where its equations were singular
  double difference;    // largest, relative, in accelerations and reactions
} sim_agreement;

// A declared integral of the motion put to the test
typedef struct sim_conservation
{
  const char* name;
  double rate;  // largest |dI/dt| at the random states, relative to the sum of its terms' sizes
  double drift; // in the model's run
  double bound; // what the tolerance and the steps of that run allow
  bool steady;  // the rate is zero up to rounding
  bool conserved;
} sim_conservation;

typedef struct sim_verdict
{
  base_arena* arena;
  int states;
  int forms;
  sim_agreement* agreement;
  // Gauss's function at the motion against random admissible accelerations: the least relative gain
  // of any of them (not below zero, up to rounding, where the motion is least)
  double gauss_gain;
  int integrals;
  sim_conservation* integral;
  double run_from, run_to; // where they were followed
  bool agrees, least, conserves;
} sim_verdict;

// Null with errors noted when the initial state cannot be solved.
sim_verdict* sim_verify(mech_system* s, int states, base_notes* notes);
void sim_verdict_free(sim_verdict* v);

// ---- stability ----------------------------------------------------------------------------------

typedef enum sim_stability_verdict { SIM_UNSTABLE, SIM_MARGINAL, SIM_STABLE } sim_stability_verdict;

typedef struct sim_stability_options
{
  double period; // s, of the motion from the initial state; 0: a steady motion is looked for
  int given;     // equations in place of the model's initial ones
  const model_initial* state; // null: the model's own
  bool all;                   // look for further steady motions, too
  // a steady motion of nearly the same params, to start from in place of the initial state; or null
  const struct sim_stability* near;
} sim_stability_options;

// Chetaev's criterion for a top on a vibrating pivot (stability_chetaev.c): in a plane of two
// coordinates z'' = gyro J z' + b(t) z. It speaks, for instability, where gyro^2 - 4 min b < 0.
typedef struct sim_chetaev
{
  bool fits, speaks;
  int pair[2]; // the coordinates
  double gyro, least, value;
} sim_chetaev;

// A steady motion (all accelerations zero, only ignorable coordinates move) or a periodic one, and
// what the linearised equations on the constraint surface say of it.
typedef struct sim_stability
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
  bool own_period;             // found in the equations, which depend on time
  // Periodic: what is missing for the state to come back, relative. It may come back after a map
  // q -> C q + c of the symmetries; C is null where it comes back by itself.
  double closure;
  int multipliers;
  double *multiplier_re, *multiplier_im;
  double* multiplier_blur; // moduli nearer to one than this are not told from it
  double symplectic;       // how far the map over a period is from a canonical one, relative
  sim_chetaev chetaev;
  double largest; // real part of the eigenvalues, or modulus of the multipliers less one
  sim_stability_verdict verdict;
  const char* why;    // in words
  const char* remark; // what the energy says beside; or null
  int others;         // further steady motions, where they were asked for
  struct sim_stability** other;
} sim_stability;

// Null with errors noted.
sim_stability* sim_stability_find(mech_system* s, const sim_stability_options* o,
                                  base_notes* notes);
void sim_stability_free(sim_stability* r);
const char* sim_stability_word(sim_stability_verdict v); // "stable"

// The same over a param: `at` gives the motion with a value of it next to another one, or null
// where there is none.
typedef sim_stability* sim_stability_at(void* context, double value, const sim_stability* near);
typedef struct sim_critical
{
  double value;      // of the param
  double im;         // imaginary part of the eigenvalue (argument of the multiplier) that crosses
  bool rising;       // more of them are unstable above it
  const char* kind;  // divergence, Hopf, ...
  int before, after; // numbers of steady motions, where they were asked for and change; else 0
} sim_critical;
typedef struct sim_scan
{
  base_arena* arena;
  int points;
  double* value;
  sim_stability** point; // null where there is no such motion
  int criticals;
  sim_critical* critical;
} sim_scan;
sim_scan* sim_stability_scan(double from, double to, int points, const sim_stability* near,
                             sim_stability_at* at, void* context);
void sim_scan_free(sim_scan* s);
