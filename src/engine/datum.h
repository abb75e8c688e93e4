// The data of the engine: program, mode, state and work space. Reached through the door, engine.h.
#pragma once

#include "base/base.h"
#include "code/code.h"
#include "engine/delay.h"
#include "engine/features.h"
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
  int count, nodes;  // corners; nodes, of which several may be one corner in other words
  expr* node;        // as it stands in the equations, inner ones first
  expr* smooth;      // with the side as a symbol
  int* of;           // the corner of a node
  expr* side;        // those symbols
  expr* s;           // switching functions, themselves smooth
  expr* rate;        // their time derivatives, holding accelerations
  bool* slides;      // a jump by sign(): the motion may be held at s = 0, between the sides
  bool* reactive;    // s holds a reaction: the side is found with the accelerations
  bool* outside;     // s holds no coordinate or velocity: time or params alone pass it
  bool* energetic;   // an energy holds the node
  int* rubs;         // 1 + the constraint whose friction jumps here and nowhere else; 0: none
  base_place* place; // of a statement `kinetic` or `potential` that holds the node; else nowhere
} engine_corners;

// the nodes found in a list of expressions; the last `cuts` of them may be nodes that jump without
// a corner, atan2; `reaction` are the symbols of the m reactions
engine_corners engine_corners_find(expr_pool* p, base_arena* arena, int n, const expr* list,
                                   int cuts, int m, const expr* reaction);
// of each corner, whether the state has a part in it, whether energies do, and their statement
void engine_corners_tell(const struct engine_program* p, engine_corners* modes);
// which jumps are friction of constraints that cannot let go
void engine_corners_rub(const struct engine_program* p, engine_corners* modes);
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

// A part of a system with a program and an engine of its own (divide.c): a group in which something
// switches, or all others together. Numbers are those of the whole.
typedef struct engine_part
{
  const struct engine_program* program;
  struct engine* e; // of an engine; null in a program
  int n, m;
  int *coord, *row, *corner;
  int others, *other; // coordinates of other parts that its forces depend on
  bool* param;        // params among those that change that it depends on
} engine_part;

typedef struct engine_curved engine_curved;
typedef struct contact_inequalities contact_inequalities;
typedef struct engine_sparse engine_sparse;
struct rate_fused_set;
struct engine_tree_kernels;
struct engine_hung;

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
//   velocities of the others it depends on; params given with the run
// What a system becomes once and for many runs: kernels, the layout of their inputs, parts and
// groups. Const once made, kept with the system, and shared by all engines of it in all threads.
typedef struct engine_program
{
  const mech_system* s;
  const model* model;
  base_arena* arena;
  int n, m, p;
  bool sparse;  // no full matrices (sparse.c)
  bool is_part; // of a whole; only what the motion needs is made
  int others;   // of a part: coordinates that are inputs, their places, then their velocities
  const expr* other_symbol;
  int* changing; // param numbers of the p changing ones
  // Params given with each run, which do not change along it (given.c): numbers of them all, and of
  // those that the others follow from; all of them, then the bounds that hold some, by these.
  int givens, *given;
  int free_givens, *free_given;
  code_kernel* given_values;
  // params that never change, and their numbers
  int fixed;
  expr *fixed_from, *fixed_to;

  int inputs;
  expr* input; // their symbols

  code_kernel* eom;       // M, F, A, c; where the masses hang as a deep tree, for M its terms
  int masses;             // outputs of it before F
  code_kernel* levels;    // f0, f1, A
  code_kernel* momenta;   // dT/dq'; none where there are no events, stages and corners
  code_kernel* energy;    // H, T, power
  code_kernel* work;      // power alone
  code_kernel* columns;   // what a row shows beyond t, q, v, lambda; then the plots
  code_kernel* integrals; // declared integrals of the motion, each with the size of its terms
  code_kernel* watches;   // events, then the ends of stages
  code_kernel* delayed;   // what is delayed
  engine_corners modes;   // corners and jumps in the equations
  code_kernel* guards;    // of contacts, then their normal forces
  code_kernel* feet;      // of contacts in flight, how near a point of the base is
  code_kernel* switches;  // their switching functions, then the rates of these
  code_kernel* turns;     // second rates of the jumps that have them; with `coupling` their slopes
  bool* turning;          // which: their first rate need not feel the jump, as x' of sign(x)
  bool forces_feel;       // some force depends on a reaction
  bool* felt;             // which
  code_kernel* coupling;  // dF/dLambda (n by m), dF/dside (n by corners), drate/dq'' (corners by n)

  bool work_needs_reactions;
  bool* watch_needs_accelerations; // per watch
  bool* watch_needs_state;         // the same; not those of the time alone
  bool any_watch_needs_accelerations, any_watch_needs_velocities;
  // of contacts with friction: coefficient times normal force over reaction; each part of the slip,
  // dslip/dq'
  code_kernel* slips;

  code_kernel*
      curved;         // f, df/dq'', d2f/dq''2 of constraints nonlinear in q''; null: there are none
  int* curved_degree; // of each as a polynomial in q'', 0: it is none
  size_t scratch;     // doubles that any of the kernels needs

  expr power;   // as in the energy kernel
  bool* drives; // does a rate of this param enter the equations of motion?
  bool timed;   // what depends on time may lie in wait (timed.c)

  engine_groups groups;
  int parts; // of what does not belong together; 0: it is one
  engine_part* part;
  int *part_of_coord, *part_of_row;
  engine_coupling coupled;
} engine_program;

// how the motion stands to a corner: elsewhere, at it, or at it and no longer held there
typedef enum engine_stand { ENGINE_APART, ENGINE_STANDS, ENGINE_LETS_GO } engine_stand;

// All that is discrete at an instant, but for the sides of corners and what holds, which kernels
// read and which stand in the block of inputs. Const between happenings.
typedef struct engine_mode
{
  bool* held;      // corners at which the motion is held, their `side` being between -1 and 1
  int held_count;  // how many
  bool* twice;     // corners at which the motion stands with its rate: the second one counts
  int twice_count; // how many
  engine_stand* standing; // corners at the instant that is being decided
  bool* resting;          // that stand at a jump because others are held
  bool* pressed; // of these, those at which contacts hold the motion by their pressure alone

  // accelerations found together with reactions and controls (coupled.c)
  bool coupled; // now: forces depend on reactions, or a control acts
  bool* leads;  // constraints whose accelerations determine the controls (control_rows.c)
  bool curved;  // one of them holds now
  int regime;   // the inequality in a sliding regime, -1: accelerations and reactions come together

  // which constraints hold now
  bool* active;
  bool*
      implied; // active, but following from the others on the constraint surface: not used in steps
  int implied_count;
  bool* still; // not active, at its limit and kept there by what else holds: states are put back
               // on it (contact/still.c)
  int still_count;
  bool* open_load; // their reactions may be exchanged for those of others: not determined
  int rows;
  int* row;          // their numbers
  bool all_linear;   // velocity level of the active ones affine
  int ranked;        // of the rows, those whose rank counts (engine_rank_counts)
  bool second_order; // some active one binds accelerations only

  engine_ramp* ramp; // one per changing param
} engine_mode;

// Work space of the solvers: nothing in it means anything from one call to the next, unless
// `factored` says so.
typedef struct engine_work
{
  double* watched_scratch;
  double* foot_out;
  double* guard;     // values of the guards
  double* switching; // values of the switching functions, then their rates
  double* turn_out;  // second rates, then their slopes
  double *hold_G, *hold_b;
  int *hold_pivot, *hold_list;
  double* scratch;
  double *coupling_out, *coupling_before, *K, *K_right, *K_column, *K_row;
  int* K_pivot;
  void* K_apart;    // of blocks that nothing couples
  num_null* K_null; // for corners that hold the motion together
  double *K_kept, *K_basis, *K_step;
  bool* lead_used;
  double* slip_out;
  int* fused_order; // work space: 2 m
  // work space of the linear problem
  num_null* null;
  double *eom_out, *level_out; // outputs of these kernels
  double* norm_seen;           // largest gradient of each constraint so far
  double *Ar, *br, *Z, *S, *MZ, *w, *x, *g;
  double* weight;      // what coordinates are measured by in it, powers of two (weights.c)
  double *mass, *unit; // of each coordinate, and 1/sqrt(mass), what it is like to full digits
  double *own, *lent;  // work space: n
  double* here;        // masses, or 1/sqrt of them, at the present state: work space, n
} engine_work;

// the sign of the determinant of the coupled problem (coupled.c), and what it is of; 0: not known
typedef struct engine_orientation
{
  int sign, size, held;
  unsigned sides;
} engine_orientation;

typedef struct engine
{
  const engine_program* program;
  engine_mode mode;
  engine_work work;
  const mech_system* s;
  const model* model;
  base_arena* arena;
  BASE_LIST(engine_attached) attached; // freed with the engine
  int n, m, p;
  double *q, *v, *par, *rate, *rate2, *a, *lambda, *holds, *side, *other, *given,
      *told;          // into `in`
  double* free_given; // numbers of the params that the given ones follow from; work space behind
  double* in;

  int parts; // of what does not belong together; 0: it is one
  engine_part* part;
  const int *part_of_coord, *part_of_row;
  int others; // of a part: coordinates of others, and their accelerations
  double* other_a;
  const code_kernel* watched; // further expressions asked for, with work space of its own; or null
  double* pull;               // per contact when it first pulls
  double *push, *shown;       // and its largest force, pressing and in either direction
  bool *leaves, *left;        // per contact of surfaces: watched for coming apart; came apart
  bool trial;     // the state is one that a step tries, and may be no part of the motion
  bool deciding;  // find the sides of corners in the reactions, too
  bool siconos;   // is asked first about contacts
  bool ambiguous; // more than one answer was found when the sides were last decided

  // constraints nonlinear in the accelerations (curved.c); null where the model has none
  engine_curved* least;
  model_beyond beyond; // what a run does where Painleve's paradox is met
  bool look_ahead;     // in a run: impacts are made, ties of accelerations resolved by what follows

  bool by_impulses; // time-stepping: which inequalities act is decided in every step
  bool in_flight;   // near bodies that meet are found by the steps
  // told after every count of the rows: laws of friction without a value now are held; or null
  void (*hold_laws)(struct engine* e);
  void (*part_laws)(struct engine* e); // of a system of parts, before they count theirs; or null
  // unilateral constraints (contact); null where the model has none
  contact_inequalities* unilateral;
  engine_scales* scales;             // what is small, for each coordinate
  long evaluations;                  // of right-hand sides so far
  struct engine_hung* hung;          // M by numbers along a deep tree (tree_mass.c), else null
  struct engine_tree_kernels* along; // motions along the tree of masses (tree_motion.c)
  struct rate_fused_set* fused;      // right-hand sides as one kernel (rate)
  engine_features features;          // of the system, once they are known
  bool features_known;
  engine_delays* delays; // what delayed values remember; null where there are none
  double t_rest;         // told by the method: the time meant is t + t_rest (step_ode.rest)
  engine_profile* profile;

  const engine_passage* passage; // a singular position is being passed, else null
  engine_sparse* sparse;         // many coordinates (sparse.c): no full matrices; else null
  // the problem as evaluated last, and the levels of the constraints with their gradients
  double *M, *F, *A, *c;
  double *f0, *f1, *LA;
  engine_orientation orientation;
  int rank;
  double margin;  // of the last factorisation
  bool every_bit; // states are put on the constraints to the last bit: residuals left alone do work
  bool factored;  // null, Ar and Z belong to the rows of the state in the input block
  bool bound;     // of these rows it is known that they are independent, without their factors
  char reason[320];
} engine;
