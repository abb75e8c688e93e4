// engine: system -> program: kernels, layout, work space; the problem at an instant.
// Takes a derived system; gives accelerations, reactions, projections and jumps of velocities for
// the rows and sides that are told to hold.
// Does not decide what holds: that is contact's; knows no steps.
#pragma once

#include "base/base.h"
#include "code/code.h"
#include "engine/scales.h"
#include "expr/expr.h"
#include "least/least.h"
#include "mech/mech.h"
#include "model/model.h"
#include "num/num.h"

// ---- corners and jumps --------------------------------------------------------------------------

// Each such node has a switching function s; on either side of s = 0 the node is smooth. During a
// step the side is held (an input of the kernels, +1 or -1), and the step ends where s passes
// through zero.
typedef struct engine_corners
{
  int count;
  expr* node;        // as it stands in the equations, inner ones first
  expr* smooth;      // with the side as a symbol
  expr* side;        // those symbols
  expr* s;           // switching functions, themselves smooth
  expr* rate;        // their time derivatives, holding accelerations
  bool* slides;      // a jump by sign(): the motion may be held at s = 0, between the sides
  bool* reactive;    // s holds a reaction: the side is found with the accelerations
  bool* outside;     // s holds no coordinate or velocity: time or params alone pass it
  base_place* place; // of a statement `kinetic` or `potential` that holds the node; else nowhere
} engine_corners;

// the nodes found in a list of expressions; `reaction` are the symbols of the m reactions
engine_corners engine_corners_find(expr_pool* p, base_arena* arena, int n, const expr* list, int m,
                                   const expr* reaction);
// the nodes below e that may jump, as many as returned; the list is the caller's
int engine_corners_jumping(const expr_pool* p, expr e, expr** out);
// the same list with every node replaced by its smooth form
void engine_corners_hold(const engine_corners* m, expr_pool* p, int n, const expr* list, expr* out);

// ---- groups
// --------------------------------------------------------------------------------------

// What is coupled at an instant through M, A and what switches (groups.c). Numbers of groups;
// corners of time alone belong to none, -1. Plain: nothing switches in it.
typedef struct engine_groups
{
  int count;
  int *of_coord, *of_row, *of_corner;
  bool* plain;
} engine_groups;

// A part of a system with an engine of its own (parts.c): a group in which something switches, or
// all others together. Numbers are those of the whole.
typedef struct engine_part
{
  struct engine* e;
  int n, m;
  int *coord, *row, *corner;
  int others, *other; // coordinates of other parts that its forces depend on
  bool* param;        // params among those that change that it depends on
} engine_part;

typedef struct engine_curved engine_curved;
typedef struct contact_inequalities contact_inequalities;
typedef struct engine_sparse engine_sparse;
struct rate_fused_set;

// A param that changes: constant, or moving smoothly from one value to another.
typedef struct engine_ramp
{
  double from, to;
  double start, length; // length 0: constant at `to`
} engine_ramp;

// The shape of a smooth change, x in [0, 1]: value and two derivatives.
typedef void engine_profile(double x, double* s, double* s1, double* s2);
void engine_profile_quintic(double x, double* s, double* s1, double* s2);
void engine_profile_septic(double x, double* s, double* s1, double* s2);

// what a later room keeps with an engine
typedef struct engine_attached
{
  void (*release)(void*);
  void* thing;
} engine_attached;

struct engine;
// Where the equations have no value though the motion goes on, it is given from outside: true if
// the state in the input block is such a one; accelerations and reactions are then put there.
typedef struct engine_passage
{
  void* context;
  bool (*gives)(void* context, struct engine* e);
} engine_passage;

// outputs of the energy kernel
enum { engine_power = 2, engine_energies = 4 };

// Input block of all kernels:
//   t, q (n), v (n), changing params (p), their rates (p), second rates (p), a (n), lambda (m),
//   which constraints hold (m), sides of the corners (modes.count); of a part then places and
//   velocities of the others it depends on
typedef struct engine
{
  const mech_system* s;
  const model* model;
  base_arena* arena;
  BASE_LIST(engine_attached) attached; // freed with the engine
  int n, m, p;
  int* changing; // param numbers of the p changing ones

  int inputs;
  double *q, *v, *par, *rate, *rate2, *a, *lambda, *holds, *side, *other; // into `in`
  double* in;
  expr* input; // their symbols

  engine_groups groups;
  int parts; // of what does not belong together; 0: it is one
  engine_part* part;
  int *part_of_coord, *part_of_row;
  bool is_part;
  int others; // of a part: coordinates of others, and their accelerations
  const expr* other_symbol;
  double* other_a;

  code_kernel* eom;     // M, F, A, c
  code_kernel* levels;  // f0, f1, A
  code_kernel* momenta; // dT/dq'
  code_kernel* energy;  // H, T, power
  code_kernel* columns; // what a row shows beyond t, q, v, lambda; then the plots
  code_kernel* watched; // further expressions asked for, with work space of its own; or null
  double* watched_scratch;
  code_kernel* integrals; // declared integrals of the motion, each with the size of its terms
  code_kernel* watches;   // events, then the ends of stages
  engine_corners modes;   // corners and jumps in the equations
  code_kernel* guards;    // of contacts, then their normal forces
  code_kernel* feet;      // of contacts in flight, how near a point of the base is
  double* foot_out;
  double *guard, *pull;  // their values; per contact when it first pulls
  double *push, *shown;  // and its largest force, in steps and in rows
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
  engine_curved* least;
  bool curved;     // one of them holds now
  bool look_ahead; // in a run: impacts are made, ties of accelerations resolved by what follows

  bool by_impulses; // time-stepping (moreau.c): which inequalities act is decided in every step
  int regime; // the inequality in a sliding regime, -1: accelerations and reactions come together
  // told after every count of the rows: laws of friction without a value now are held; or null
  void (*hold_laws)(struct engine* e);
  void (*part_laws)(struct engine* e); // of a system of parts, before they count theirs; or null
  // unilateral constraints (contact); null where the model has none
  contact_inequalities* unilateral;
  code_kernel* slips; // of contacts with friction: coefficient times normal force over reaction;
                      // each part of the slip, dslip/dq'
  double* slip_out;
  engine_scales* scales; // what is small, for each coordinate

  expr power;                   // as in the energy kernel
  long evaluations;             // of right-hand sides so far
  struct rate_fused_set* fused; // right-hand sides as one kernel (fused.c)
  int* fused_order;             // work space: 2 m

  // which constraints hold now
  bool* active;
  bool*
      implied; // active, but following from the others on the constraint surface: not used in steps
  int implied_count;
  int rows;
  int* row;          // their numbers
  bool all_linear;   // velocity level of the active ones affine
  bool second_order; // some active one binds accelerations only

  engine_ramp* ramp; // one per changing param
  double t_rest;     // told by the method: the time meant is t + t_rest (step_ode.rest)
  engine_profile* profile;
  bool* drives; // does a rate of this param enter the equations of motion?

  const engine_passage* passage; // a singular position is being passed, else null
  engine_sparse* sparse;         // many coordinates (sparse.c): no full matrices; else null
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
} engine;

// declared integrals of the motion
int engine_integral_count(const model* m);
const model_output* engine_integral_at(const model* m, int which);
// expressions of the integrals kernel, value and size of each; returns how many
int engine_integral_list(const mech_system* s, base_arena* arena, expr** list);

// expressions of the columns kernel, to be freed; returns how many
int engine_column_list(const engine* e, expr** list);

// memory of the engine's arena, zero; at least one element
void* engine_take(engine* e, size_t count, size_t size);
double* engine_doubles(engine* e, int count);
// inputs laid out, every kernel built; false with errors noted
bool engine_build(engine* e, base_notes* notes);

// limits of full matrices, and whether systems of many coordinates go without them (e->sparse)
typedef struct engine_kind
{
  int most;
  bool large;
  bool divide;  // into parts
  bool is_part; // only what the motion needs is made
  int others;   // coordinates that are inputs: their places, then their velocities
  const expr* other;
} engine_kind;
// Null with errors noted; elements that switch are put to it by contact_engine_new (contact).
engine* engine_plain(const mech_system* s, engine_kind kind, base_notes* notes);
void engine_free(engine* e);
// what a later room keeps with the engine, and how it is freed with it
void engine_attach(engine* e, void (*release)(void*), void* thing);

engine_groups engine_groups_find(engine* e);
// Divide the system into parts, each built by the function; false with errors noted.
typedef engine* engine_build_part(const mech_system* s, engine_kind kind, base_notes* notes);
bool engine_divide(engine* e, engine_build_part* build, base_notes* notes);
// the system of a part whose coordinates and rows are known, made of the groups that are `in`; and
// what else it depends on
mech_system* engine_part_system(engine* e, engine_part* p, const engine_groups* g, const bool* in);
void engine_parts_free(engine* e);
// lend the instant in the input block to a part; take back its state, accelerations, reactions,
// sides and rows
engine* engine_part_enter(engine* e, int which);
void engine_part_leave(engine* e, int which);
// one after the other, as long as it goes well; 0, or what went wrong
int engine_each_part(engine* e, int (*what)(engine*));
// engine_kick in one part alone
bool engine_is_large(const engine* e); // many coordinates, in the whole or in a part
int engine_part_kick(engine* e, int which, const double* g);
// M, F, A, c of a part as evaluated last, into the full matrices of the whole
void engine_part_show(engine* e, int which);
// rows alone: what holds was changed by, or in, the parts
void engine_rows_count(engine* e);
void engine_parts_take_rows(engine* e);
// of rows set aside, those in the same part as row k
int engine_implied_beside(const engine* e, int k);
// the state in the input block a moment h later along the accelerations a
void engine_glide(engine* e, double h, const double* a);

// expressions to be evaluated with every row; false with errors noted
bool engine_watch(engine* e, int count, const expr* list, base_notes* notes);

// expressions with fixed params as numbers and corners on their sides; EXPR_NONE where one divides
// by zero
void engine_fix(engine* e, int count, const expr* list, expr* fixed);
// make machine code of what is evaluated again and again, before the first step
void engine_native(engine* e);
// recount the active rows after `active` was changed, in its parts, too
void engine_rows(engine* e);
// put t and the params with their rates at t into the input block
void engine_time(engine* e, double t);
// how far a change has come at t + rest: 0 at its start, 1 at its end
double engine_ramp_phase(const engine_ramp* r, double t, double rest);
void engine_state(engine* e, double t, const double* q, const double* v);

// accelerations for the sides given, without looking for those that hold
int engine_plain_accelerations(engine* e);
// the same together with reactions, controls and the values of held corners, for coupled systems;
// while e->deciding the sides of corners in the reactions are found, too
int engine_coupled_accelerations(engine* e);
// the same for the sides as they are
int engine_coupled_solve(engine* e);
// choose the constraints that lead the controls at the state in the input block
void engine_control_rows(engine* e);
// does constraint k give a reaction along its own gradient?
bool engine_is_ideal(const engine* e, int k);

// Rows of A, their norms, and the masses on the diagonal of M, as evaluated last
double engine_row_dot(const engine* e, int k, const double* x);
double engine_row_norm(const engine* e, int k);
double engine_level_norm(const engine* e, int k); // the same of the levels kernel
double engine_mass_of(const engine* e, int i);

// reactions of least norm at the accelerations just computed, into e->lambda; returns what is left
double engine_plain_reactions(engine* e);
// the same for the constraints used in steps alone, those set aside carrying nothing
void engine_kept_reactions(engine* e);
// is the motion at the state in the input block given from outside?
bool engine_is_passing(engine* e);

// Factor the rows that hold as evaluated last with the equations of motion: their rank
int engine_factor(engine* e);
// Factor the rows that bind velocities at the engine's positions: their rank; Z is then their null
// space, Ar and br hold A and the right side of A v = -a0, margin how near a loss of rank is.
int engine_velocity_rows(engine* e);

// how near a loss of rank the constraints are at the state in the input block, into e->margin
void engine_see_margin(engine* e);

// largest residual of each level at the state in the input block, per constraint; distances: f over
// the norm of its gradient. Arrays of m, may be null.
void engine_residuals(engine* e, double* position, double* velocity);
// the same from what e->levels gave last, as after engine_project
void engine_residuals_found(const engine* e, double* position, double* velocity);

// Move e->q to the nearest point of the position constraints, e->v to the nearest admissible
// velocity. Returns 0, or 1 with e->reason. *moved is set when anything changed noticeably.
int engine_project(engine* e, bool* moved);
int engine_project_positions(engine* e, bool* moved);
// v+ with Z^T (M (v+ - v) - g) = 0 and f1(v+) = 0: the admissible velocity after an impulse g
// (null: none), i.e. the nearest in the metric of the kinetic energy. Changes e->v.
int engine_kick(engine* e, const double* g);
// the same where controls act: their impulses are along their own directions
bool engine_kick_by_controls(const engine* e);
int engine_kick_controls(engine* e, const double* g);

// What the table shows of a contact beyond coordinates and quasi-velocities of the model: its own
// coordinates, their rates, its speeds, the force, the moment of friction. Returns how many.
enum { ENGINE_CONTACT_COLUMNS = 2 * MODEL_CONTACT_COORDS + 9 };
int engine_contact_columns(const model_contact* c, expr* out);
int engine_contact_names(const model_contact* c, base_arena* a, const char** name,
                         const char** unit);
int engine_contacts_shown(const model* m); // columns of all contacts

// value of an expression at the state in the input block (slow; for changes and bounds of a run)
double engine_value(engine* e, expr x);
void engine_values(engine* e, int count, const expr* x, double* out);

// Find the active constraints that depend on those before them at and around this state, and set
// them aside: beside the constraint surface, where the stages of a step lie, they would look
// independent. Returns how many.
int engine_set_aside(engine* e);
// x somewhere within `size` of `from`, each of its n entries, the same for the same seed
void engine_shake(double* x, int n, const double* from, double size, uint64_t* seed);
// take from x what the orthonormal rows of Q have of it; returns the norm of what is left
double engine_left_over(int kept, int n, const double* Q, double* x);

// the next end of a smooth change after t, or infinity
double engine_ramp_next(const engine* e, double t);

// ---- lists of expressions that kernels are made of ----------------------------------------------

// guards of contacts, coefficients of friction, normal forces
int engine_guard_count(const model* m);
void engine_guard_list(const model* m, expr_pool* p, expr* out);
// what is looked at of the nearest point of a base, into `out` if not null; how many
int engine_foot_list(const model* m, expr* out);

// ---- how near the rows that bind velocities are to a loss of rank -------------------------------

// The rows of A that bind velocities, each over its largest norm along the run: a row of length
// zero counts like rows that have become dependent. W A = diag(sigma) U.
typedef struct engine_rank
{
  engine* e;
  int rows, n;
  double* seen; // largest norm of each constraint's row so far
  double* A;    // rows by n
  double *U, *W, *sigma, *slope;
  double *up, *down, *state, *G, *x; // work space; x: left vector of the least, as found last
  num_null* null;
} engine_rank;

engine_rank* engine_rank_new(engine* e);
// Does the row of constraint k count? It binds velocities, and its reaction acts along it: rows
// that controls hold may follow from each other all the time.
bool engine_rank_counts(const engine* e, int k);
// the state for which e->levels was run last is one of the motion: the norms of its rows are seen
void engine_rank_see(engine_rank* k);
// the rows at that state
void engine_rank_take(engine_rank* k);
// smallest singular value of the rows taken, nearly; 0 where they have lost rank
double engine_rank_margin(engine_rank* k);
// smallest pivot of the rows taken over their largest, as e->margin has it
double engine_rank_pivot(engine_rank* k);
// singular values of the rows at the state in the input block, and their rates along its velocity
void engine_rank_values(engine_rank* k);
// the rows at q + h v, t + h over the state in the input block, which stays
void engine_rank_ahead(engine_rank* k, double h, double* A);

// ---- many coordinates ---------------------------------------------------------------------------

struct engine_sparse
{
  num_rows M, A;                   // their patterns; those of the system
  int M_count, A_count;            // entries
  int* diagonal;                   // where M_ii is
  const double *M_value, *A_value; // as evaluated last, in the engine's block
  num_saddle* motion;              // M a = F + A^T Lambda, A a = c
  bool stiff;                      // M alone is singular: see num/saddle.c
  bool factored;                   // the factor belongs to some state near the present one
  bool* use;                       // rows that hold and are not set aside
  double* lambda;                  // as found with the accelerations
  double *f, *c, *x, *y;           // work space: n, m, n, m
  double* unit;                    // entries of a unit matrix in the pattern of M
};

// Is the system one for this path? Where it is not and no other is left, null in *fine, with an
// error noted.
bool engine_sparse_wanted(engine* e, bool* fine, base_notes* notes);
// lists of expressions of the kernels: M, F, A, c, and f0, f1
int engine_sparse_motion_list(engine* e, expr** list);
// when the kernels are there: work space, order of elimination; false with an error noted
bool engine_sparse_prepare(engine* e, base_notes* notes);
void engine_sparse_free(engine* e);
// which rows are in use now
void engine_sparse_rows(engine* e);

int engine_sparse_accelerations(engine* e);
double engine_sparse_reactions(engine* e);
void engine_sparse_kept_reactions(engine* e);
// largest acceleration a single reaction would give: what is small against it is rounding
double engine_sparse_push(const engine* e);
int engine_sparse_kick(engine* e, const double* g);
// level 0 positions, 1 velocities; y is e->q or e->v
int engine_sparse_project(engine* e, int level, double noise, double* y, bool* moved);
// W = a + Gamma, M Gamma = h, split in the metric of M (point.c); nan where M is singular
void engine_sparse_split(engine* e, const double* a, double* Gamma, double* WL, double* WK);
// evaluate and factor at the state in the input block; 0, or 1 with e->reason
int engine_sparse_factor(engine* e, const bool* use, double tolerance);
// constraints that follow from the others at and around this state, into e->implied; how many
int engine_sparse_set_aside(engine* e);

// Initial equations: count residuals F and their derivatives by q and v, sparse.
// x += step of least weighted norm towards F = 0 for the rows taking part; returns 0 when solved.
typedef struct engine_sparse_newton
{
  engine* e;
  int count;           // of equations
  num_rows J;          // by the 2n unknowns q, v
  const double* value; // F, then the entries of J, as `evaluate` leaves them
  void (*evaluate)(void* context);
  void* context;
  const double* weight; // 2n
} engine_sparse_newton;
bool engine_sparse_solve(const engine_sparse_newton* w, int rows, const int* row, int offset,
                         int unknowns);

// ---- constraints nonlinear in the accelerations -------------------------------------------------

enum { ENGINE_CURVED_DEGREE = 6, ENGINE_CURVED_MINIMA = 16 };

struct engine_curved
{
  code_kernel* kernel; // f, df/dq'', d2f/dq''2 of every such constraint
  int count;           // of such constraints
  int* of;             // their numbers
  int* degree;         // as polynomials in the accelerations, 0: none
  double* out;
  // the problem at the state last set up
  int active, *now; // those that hold
  int l;
  double *ap, *Z, *H, *r;
  least_stationary* solver;
  least_monomial* term;
  int term_room;
  // the branch followed: its place at the start of the step, and at the state last evaluated
  double *anchor_a, *anchor_lambda, *found_lambda;
  double *rival_a, *rival_lambda; // another branch that has become less
  double U;
  bool lost;              // the branch was not found at the state last evaluated
  bool late;              // the rival was less already when the step began
  int looked, *looked_at; // the constraints that held when all minima were last looked for
  // local minima at the state last looked at
  int minima;
  least_stationary_point minimum[ENGINE_CURVED_MINIMA];
  bool complete, continuum;
};

int engine_curved_list(const engine* e, expr** out);
engine_curved* engine_curved_new(engine* e, code_kernel* kernel);
void engine_curved_free(engine_curved* f);

// values, gradients and second derivatives of the constraints that hold, by w; context: the engine
int engine_curved_evaluate(void* context, const double* w, double* phi, double* grad, double* hess);
// those constraints as polynomials in w into `out`, null where they are none or too long
const least_polynomial* engine_curved_polynomials(engine* e, least_polynomial* out);

// Z, a_p, H and r at the state in the input block
void engine_curved_set_up(engine* e);
// the answer w, with the equations and their factorisation as contact_reactions() needs them
void engine_curved_take(engine* e, const double* w);
// w and lambda of accelerations and reactions given in full
void engine_curved_reduce(const engine* e, const double* a, const double* all_lambda, double* w,
                          double* lambda);
const char* engine_curved_name(const engine* e); // of the first constraint that holds

// accelerations of the branch followed; 0, or 1 with e->reason
int engine_curved_accelerations(engine* e);
// the branch as it is at the engine's accelerations is the one to follow from here
void engine_curved_anchor(engine* e);
// all local minima; 0, or 1 with e->reason
int engine_curved_minima(engine* e);
// take the least of all; where several are least, with `ahead` the one that is the least a moment
// later. 0, or 1 with e->reason.
int engine_curved_choose(engine* e, bool ahead);
// is another minimum less than the branch followed here? it is the rival then
bool engine_curved_find_rival(engine* e);
// how far above the branch followed the rival lies; infinite where it does not exist yet
double engine_curved_lead(engine* e);
// gain of Gauss's function at the admissible accelerations nearest to some thrown far around those
// of the engine (one number of -1 .. 1 per direction), relative to the distance
double engine_curved_gain(engine* e, const double* thrown);
// Places in which such constraints may hold: the system itself, or its parts (curved_parts.c). Does
// one hold there? Its engine with the instant lent to it. The first that holds, by its name.
int engine_curved_places(const engine* e);
bool engine_curved_holds(const engine* e, int which);
engine* engine_curved_enter(engine* e, int which);
const char* engine_curved_name_at(const engine* e, int which);
// the place whose branch was not found at the state last evaluated, -1
int engine_curved_lost(const engine* e);
// are all minima known where the branches were chosen last?
bool engine_curved_complete(const engine* e);
// accelerations of the branches followed, at the start of the step
void engine_curved_anchored(const engine* e, double* a);
// how much the accelerations in a place differ from those before, relative to their size; *most:
// the coordinate where they differ most
double engine_curved_change(const engine* e, int which, const double* before, int* most);
// choose and anchor, in each of the parts
int engine_parts_curved_choose(engine* e, bool ahead);
void engine_parts_curved_anchor(engine* e);
