// The numbers of a system at an instant: kernels, the input block, the linear problem. Private to
// sim.
#pragma once

#include "sim/modes.h"
#include "sim/sim.h"

typedef struct sim_least sim_least;
typedef struct sim_unilateral sim_unilateral;
typedef struct sim_sparse sim_sparse;
struct sim_fused_set;

// A param that changes: constant, or moving smoothly from one value to another.
typedef struct sim_ramp
{
  double from, to;
  double start, length; // length 0: constant at `to`
} sim_ramp;

// The shape of a smooth change, x in [0, 1]: value and two derivatives.
typedef void sim_profile(double x, double* s, double* s1, double* s2);
void sim_profile_quintic(double x, double* s, double* s1, double* s2);
void sim_profile_septic(double x, double* s, double* s1, double* s2);

// outputs of the energy kernel
enum { sim_power = 2, sim_energies = 4 };

// Input block of all kernels:
//   t, q (n), v (n), changing params (p), their rates (p), second rates (p), a (n), lambda (m),
//   which constraints hold (m), sides of the corners (modes.count)
typedef struct sim_engine
{
  const mech_system* s;
  const model* model;
  base_arena* arena;
  int n, m, p;
  int* changing; // param numbers of the p changing ones

  int inputs;
  double *q, *v, *par, *rate, *rate2, *a, *lambda, *holds, *side; // into `in`
  double* in;
  expr* input; // their symbols

  code_kernel* eom;     // M, F, A, c
  code_kernel* levels;  // f0, f1, A
  code_kernel* momenta; // dT/dq'
  code_kernel* energy;  // H, T, power
  code_kernel* columns; // what a row shows beyond t, q, v, lambda; then the plots
  code_kernel* watched; // further expressions asked for, with work space of its own; or null
  double* watched_scratch;
  code_kernel* integrals; // declared integrals of the motion, each with the size of its terms
  code_kernel* watches;   // events, then the ends of stages
  sim_modes modes;        // corners and jumps in the equations
  code_kernel* guards;    // of contacts, then their normal forces
  code_kernel* feet;      // of contacts in flight, how near a point of the base is
  double* foot_out;
  double *guard, *pull, *push; // their values; per contact when it first pulls, its largest force
  bool *leaves, *left;   // per contact of surfaces: watched for coming apart; came apart (leave.c)
  code_kernel* switches; // their switching functions, then the rates of these
  double* switching;     // and their values
  bool* held;            // corners at which the motion is held, their `side` being between -1 and 1
  int held_count;        // how many
  double *hold_G, *hold_b;
  int *hold_pivot, *hold_list;
  double* scratch;

  // accelerations found together with reactions and controls (coupled.c)
  bool coupled;          // now: forces depend on reactions, or a control acts
  bool forces_feel;      // some force depends on a reaction
  bool* felt;            // which
  bool deciding;         // find the sides of corners in the reactions, too
  bool siconos;          // is asked first about contacts
  bool ambiguous;        // more than one answer was found when the sides were last decided
  code_kernel* coupling; // dF/dLambda (n by m), dF/dside (n by corners), drate/dq'' (corners by n)
  double *coupling_out, *coupling_before, *K, *K_right;
  int* K_pivot;
  num_null* K_null; // for corners that hold the motion together
  double *K_kept, *K_basis, *K_step;
  bool *leads, *lead_used; // constraints whose accelerations determine the controls (lead.c)

  bool work_needs_reactions;
  bool* watch_needs_accelerations; // per watch
  bool any_watch_needs_accelerations;

  // constraints nonlinear in the accelerations (least.c); null where the model has none
  sim_least* least;
  bool curved;     // one of them holds now
  bool look_ahead; // in a run: impacts are made, ties of accelerations resolved by what follows

  bool by_impulses; // time-stepping (moreau.c): which inequalities act is decided in every step
  // unilateral constraints (unilateral.c); null where the model has none
  sim_unilateral* unilateral;
  code_kernel* slips; // of contacts with friction: coefficient times normal force over reaction;
                      // each part of the slip, dslip/dq'
  double* slip_out;
  // largest coordinate, velocity, acceleration and force met so far: what is small against them is
  // rounding, also where forces balance
  double length_seen, speed_seen, acceleration_seen, force_seen;

  expr power;                  // as in the energy kernel
  long evaluations;            // of right-hand sides so far
  struct sim_fused_set* fused; // right-hand sides as one kernel (fused.c)
  int* fused_order;            // work space: 2 m

  // which constraints hold now
  bool* active;
  bool*
      implied; // active, but following from the others on the constraint surface: not used in steps
  int implied_count;
  int rows;
  int* row;          // their numbers
  bool all_linear;   // velocity level of the active ones affine
  bool second_order; // some active one binds accelerations only

  sim_ramp* ramp; // one per changing param
  double t_rest;  // told by the method: the time meant is t + t_rest (num_ode.rest)
  sim_profile* profile;
  bool* drives; // does a rate of this param enter the equations of motion?

  sim_sparse* sparse; // many coordinates (sparse.c): no full matrices; else null
  // work space of the linear problem
  num_null* null;
  double *eom_out, *M, *F, *A, *c;
  double *level_out, *f0, *f1, *LA;
  double* norm_seen; // largest gradient of each constraint so far
  double *Ar, *br, *Z, *S, *w, *x, *g;
  int rank;
  double margin;  // of the last factorisation
  bool every_bit; // states are put on the constraints to the last bit: residuals left alone do work
  bool factored;  // null, Ar and Z belong to the rows of the state in the input block
  char reason[200];
} sim_engine;

// expressions of the integrals kernel, value and size of each; returns how many
int sim_integral_list(const mech_system* s, base_arena* arena, expr** list);

// expressions of the columns kernel, to be freed; returns how many
int sim_column_list(const sim_engine* e, expr** list);

// memory of the engine's arena, zero; at least one element
void* sim_engine_take(sim_engine* e, size_t count, size_t size);
double* sim_engine_doubles(sim_engine* e, int count);
// inputs laid out, every kernel built; false with errors noted
bool sim_engine_build(sim_engine* e, base_notes* notes);

sim_engine* sim_engine_new(const mech_system* s, base_notes* notes);
// the same for runs by time-stepping, which are made for more
sim_engine* sim_engine_new_full(const mech_system* s, base_notes* notes);
// the same, without full matrices where the system has many coordinates (e->sparse)
sim_engine* sim_engine_new_large(const mech_system* s, base_notes* notes);
void sim_engine_free(sim_engine* e);

// expressions to be evaluated with every row; false with errors noted
bool sim_engine_watch(sim_engine* e, int count, const expr* list, base_notes* notes);

// expressions with fixed params as numbers and corners on their sides; EXPR_NONE where one divides
// by zero
void sim_engine_fix(sim_engine* e, int count, const expr* list, expr* fixed);
// make machine code of what is evaluated again and again, before the first step
void sim_engine_native(sim_engine* e);
// recount the active rows after `active` was changed
void sim_engine_rows(sim_engine* e);
// put t and the params with their rates at t into the input block
void sim_engine_time(sim_engine* e, double t);
// how far a change has come at t + rest: 0 at its start, 1 at its end
double sim_ramp_phase(const sim_ramp* r, double t, double rest);
void sim_engine_state(sim_engine* e, double t, const double* q, const double* v);

// Take the side of every corner from the state in the input block; where a switching function is
// zero, the side to which the motion goes, or the hold where it is driven back from both. 0, or 1
// with e->reason.
int sim_sides(sim_engine* e);
void sim_clear_sides(sim_engine* e); // only of corners that the state stands beside
// the motion meets corner i coming up (direction 1) or down (-1): it passes, or is held there
int sim_meet_corner(sim_engine* e, int i, int direction);
// accelerations for the sides given, without looking for those that hold
int sim_plain_accelerations(sim_engine* e);
// the same together with reactions, controls and the values of held corners, for coupled systems;
// while e->deciding the sides of corners in the reactions are found, too
int sim_coupled_accelerations(sim_engine* e);
// the same for the sides as they are
int sim_coupled_solve(sim_engine* e);
// choose the constraints that lead the controls at the state in the input block
void sim_lead(sim_engine* e);
// does constraint k give a reaction along its own gradient?
bool sim_is_ideal(const sim_engine* e, int k);

// Rows of A, their norms, and the masses on the diagonal of M, as evaluated last
double sim_row_dot(const sim_engine* e, int k, const double* x);
double sim_row_norm(const sim_engine* e, int k);
double sim_level_norm(const sim_engine* e, int k); // the same of the levels kernel
double sim_mass_of(const sim_engine* e, int i);

// Accelerations at the state in the input block, into e->a. 0, or 1 with e->reason set.
int sim_accelerations(sim_engine* e);
// reactions of least norm at the accelerations just computed, into e->lambda; returns what is left
double sim_reactions(sim_engine* e);
// the same for the constraints used in steps alone, those set aside carrying nothing
void sim_kept_reactions(sim_engine* e);

// Factor the rows that bind velocities at the engine's positions: their rank; Z is then their null
// space, Ar and br hold A and the right side of A v = -a0, margin how near a loss of rank is.
int sim_velocity_rows(sim_engine* e);

// largest residual of each level at the state in the input block, per constraint; distances: f over
// the norm of its gradient. Arrays of m, may be null.
void sim_residuals(sim_engine* e, double* position, double* velocity);
// the same from what e->levels gave last, as after sim_project
void sim_residuals_found(const sim_engine* e, double* position, double* velocity);

// Move e->q to the nearest point of the position constraints, e->v to the nearest admissible
// velocity. Returns 0, or 1 with e->reason. *moved is set when anything changed noticeably.
int sim_project(sim_engine* e, bool* moved);
int sim_project_positions(sim_engine* e, bool* moved);
// v+ with Z^T (M (v+ - v) - g) = 0 and f1(v+) = 0: the admissible velocity after an impulse g
// (null: none), i.e. the nearest in the metric of the kinetic energy. Changes e->v.
int sim_kick(sim_engine* e, const double* g);
// the same where controls act: their impulses are along their own directions
bool sim_kick_by_controls(const sim_engine* e);
int sim_kick_controls(sim_engine* e, const double* g);

// ---- initial state ------------------------------------------------------------------------------

// Solve the initial equations with the active constraints at time t; result in e->q, e->v.
bool sim_start(sim_engine* e, double t, int count, const model_initial* initial, base_notes* notes);
// Find the active constraints that depend on those before them at and around this state, and set
// them aside: beside the constraint surface, where the stages of a step lie, they would look
// independent. Returns how many.
int sim_set_aside(sim_engine* e);

// can the accelerations be found at this state, and do redundant constraints agree? errors noted
bool sim_first_accelerations(sim_engine* e, base_notes* notes);
// is there a constraint that nothing can hold at the start? with errors noted
bool sim_gradient_missing(sim_engine* e, base_notes* notes);

// ---- changes ------------------------------------------------------------------------------------

// Carry out a change (stage or event) at the state in the input block; e->q, e->v, params and
// active constraints become those after it. 0, or 1 with an error noted.
int sim_change(sim_engine* e, const model_change* c, base_notes* notes);
// the first stage, before the initial state is solved: params and constraints only
int sim_change_first(sim_engine* e, const model_change* c, base_notes* notes);
// the next end of a smooth change after t, or infinity
double sim_ramp_next(const sim_engine* e, double t);

// accelerations and reactions by a form's own equations, into the input block; false with errors
// noted
bool sim_by_form(sim_engine* e, const mech_form* form, base_notes* notes);
// The same at one state after another: equations made for a state serve others as well, where what
// they take for independent is so.
typedef struct sim_forms sim_forms;
sim_forms* sim_forms_new(void);
void sim_forms_free(sim_forms* f);
bool sim_forms_solve(sim_forms* f, sim_engine* e, const mech_form* form, base_notes* notes);
// by the which-th equations made earlier; false where there are none, or singular ones
bool sim_forms_again(sim_forms* f, sim_engine* e, const mech_form* form, int which);

// What the table shows of a contact beyond coordinates and quasi-velocities of the model: its own
// coordinates, their rates, its speeds, the force, the moment of friction. Returns how many.
enum { SIM_CONTACT_COLUMNS = 2 * MODEL_CONTACT_COORDS + 9 };
int sim_contact_columns(const model_contact* c, expr* out);
int sim_contact_names(const model_contact* c, base_arena* a, const char** name, const char** unit);
int sim_contacts_shown(const model* m); // columns of all contacts

// value of an expression at the state in the input block (slow; for changes and bounds of a run)
double sim_value(sim_engine* e, expr x);
void sim_values(sim_engine* e, int count, const expr* x, double* out);
