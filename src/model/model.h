// model: syntax tree -> what is meant: coordinates, energies, forces, constraints, stages, wishes.
// Takes a tree and overrides of params; gives expressions in coordinates, velocities, params and t.
// Knows kinematics and units; derives no equations of motion and computes no numbers of a motion.
#pragma once

#include "base/base.h"
#include "expr/expr.h"
#include "model/pictures.h"
#include "model/shapes.h"
#include "model/surfaces.h"

// Symbols in the pool: "x", "x'", "x''" of a coordinate (rates set: x -> x' -> x'' -> x'''), "t"
// (rate 1), each param by its name, "reaction(NAME)" of each constraint. A driven param a (set by
// some stage or event and meeting the mechanics) has rates "a'" and "a''" (and "a'''").

typedef struct model_coord
{
  const char* name;
  const char* unit; // as written, "" if none
  expr q, v, a;
  int start;  // guess where nothing is said: 0, and 1 for the first part of a unit quaternion
  int vector; // the same for the parts of one unit vector or quaternion; 0: it is none
  base_place place;
} model_coord;

typedef struct model_param
{
  const char* name;
  const char* unit; // as written, "" if none
  const char* note; // the user's words, "" if none
  expr symbol;
  expr value;       // exact, other params replaced by their values; in SI
  double number;    // the same as a double
  double scale;     // SI value of one in the unit written behind it
  expr definition;  // the same by other params; EXPR_NONE: a number
  bool given;       // with each run
  bool changes;     // some stage or event sets it
  bool counts;      // repetitions or indices
  bool input;       // given from outside
  bool made;        // nobody has written it: it stands for something else, as a delayed value
  expr rate, rate2; // symbols a', a'' when it changes, else EXPR_NONE
  base_place place;
} model_param;

// delay(x, T): the param that stands for what x was a time T ago
typedef struct model_delay
{
  expr x, lag; // in t, q, q', params; in params
  int param;
  const char *name, *written;
  expr symbol, rate, rate2;
  base_place place;
} model_delay;

// where no reactions, or several, obey the laws of friction (Painleve): the run ends where there
// are none; velocities jump; of several the one that slips; it ends in either case
typedef enum model_beyond {
  MODEL_BEYOND_NONE,
  MODEL_BEYOND_IMPACT,
  MODEL_BEYOND_SLIP,
  MODEL_BEYOND_STOP,
  MODEL_BEYONDS
} model_beyond;
// by its word, `impact`, `slip` or `stop`; MODEL_BEYONDS: there is none
model_beyond model_beyond_of(const char* word);

typedef struct model_constraint
{
  const char* name;
  const char* unit; // of its reaction, where the model is weighed; null where it is not known
  expr f;           // left - right
  int order;        // 0, 1, 2: the highest derivative of a coordinate in it
  bool linear;      // affine in the highest derivatives (order 1, 2); order 0: true
  bool starts_off;  // the first stage that mentions it imposes it, or no stage: events only impose
  int sense;        // unilateral: 1 for f >= 0, -1 for f <= 0; 0 for f = 0
  expr restitution; // of impacts on a unilateral constraint of order 0, in params; EXPR_NONE: 0
  model_impact impact;
  // contact with Coulomb friction (else EXPR_NONE): coefficient, normal force over the reaction; of
  // a point on a curve the normal force itself. One part of slip in the plane, two in space; the
  // force while it slips already stands in the forces Q.
  expr friction, pressure, normal;
  int slips;
  expr slip[2];
  // of two coefficients: slip[k] is that along axis k times stretch[k], and a force along slip[k]
  // is one of stretch[k] as much along that axis, unstretched[k] the slip itself; EXPR_NONE: as
  // they are
  expr stretch[2], unstretched[2];
  int stick[2];  // in space: numbers of the constraints that hold it while it sticks
  int during;    // 1 + number of the inequality while which it holds; 0: always
  bool guides;   // holds both ways, with friction in space: a contact that cannot let go
  bool sticks;   // one of the constraints in `stick` of another
  bool internal; // belongs to the coordinates themselves, as the norm of a quaternion: not shown
  // a servo constraint is held by a control, not by an ideal reaction: `along` (one per coordinate)
  // is the direction d pi/d q' in which it acts, null where the constraint is ideal; the control is
  // the constraint's reaction symbol and already stands in the forces Q
  expr* along;
  const char* by; // the coordinate or quasi-velocity after `by`, null where there is none
  bool hidden;    // not written, but found to follow from a servo constraint
  int limit;      // of a mechanism: the sense that it had; nothing is held by it
  int contact;    // 1 + number of the contact whose force it carries; 0: none
  base_place place;
} model_constraint;

typedef struct model_quasi
{
  const char* name;
  const char* unit;
  expr value;
  int order; // 1: quasi-velocity, 2: pseudo-acceleration
  base_place place;
} model_quasi;

typedef struct model_output
{
  const char* name;
  const char* unit;
  expr value;    // may hold accelerations and reactions
  bool integral; // declared to stay constant: in t, q, q', params and their rates alone
  base_place place;
} model_output;

// A part of the inertia, vectors in axes of its own: T = 1/2 sum p . v over all of them, and
// d/dt dT/dq_i' - dT/dq_i = sum rate . dv/dq_i' (model/inertia.c)
typedef struct model_inertia
{
  expr v[3];    // velocity of a point, or angular velocity
  expr p[3];    // momentum, or angular momentum
  expr rate[3]; // its absolute rate; holds accelerations
} model_inertia;

typedef enum model_target { MODEL_SET_PARAM, MODEL_SET_COORD, MODEL_SET_VELOCITY } model_target;

typedef struct model_set
{
  model_target target;
  int index;  // of the param or coordinate
  expr value; // may depend on the state at that instant
  expr over;  // duration of a smooth change, EXPR_NONE if instantaneous; params only
  base_place place;
} model_set;

typedef enum model_carry {
  MODEL_CARRY_LIMIT,
  MODEL_CARRY_VELOCITY,
  MODEL_CARRY_MOMENTUM
} model_carry;

// what happens at the start of a stage or at an event
typedef struct model_change
{
  int sets;
  model_set* set;
  model_carry carry;
  int releases, imposes;
  int *release, *impose; // constraint numbers
  base_place place;
} model_change;

typedef struct model_stage
{
  const char* name; // "1", "2", ... if it has none
  model_change change;
  expr until;      // the stage ends when this rises through zero; EXPR_NONE: never
  expr until_time; // where the condition is `t >= e` with e free of the state: e; else EXPR_NONE
  base_place place;
} model_stage;

// LEAVE: something of the model has no meaning beyond, and the motion ends; the name says what
typedef enum model_action { MODEL_STOP, MODEL_REPORT, MODEL_CHANGE, MODEL_LEAVE } model_action;

typedef struct model_event
{
  const char* name;
  expr g;        // left - right
  int direction; // +1 rising, -1 falling, 0 both
  model_action action;
  model_change change; // for MODEL_CHANGE
  expr every, from;    // of a sample: the time between, and the first; EXPR_NONE: it is none
  base_place place;
} model_event;

// coord of an equation `t = value` given beside the model
enum { MODEL_TIME = -2 };

typedef struct model_initial
{
  expr f;     // left - right (one scalar; vectors are taken apart)
  bool guess; // written with ~
  int coord;  // when f is just `coordinate or velocity - value`: its number, else -1
  int order;  // 0 the coordinate, 1 its velocity
  expr value; // then the right side
  base_place place;
} model_initial;

// where a run starts: as the initial equations say, at the equilibrium near that, or in the steady
// motion near it
typedef enum model_settle { MODEL_AS_WRITTEN, MODEL_AT_REST, MODEL_STEADY } model_settle;

typedef struct model_plot
{
  const char* title; // "" if none
  int curves;
  expr* y;
  const char** y_label; // as written, with the unit when it is known: "eta [m]"
  expr x;
  const char* x_label;
  bool same_scale; // both axes are lengths of the same unit: equal scale
  int section;     // 1 + number of the event where points are drawn; 0: curves
} model_plot;

// what a statement `kinetic` or `potential` adds
typedef struct model_energy_term
{
  expr f;
  bool kinetic;
  base_place place;
} model_energy_term;

// how a joint takes part: it places a body by its coordinates, or closes a loop by its equations
typedef struct model_joint
{
  const char *name, *kind, *body, *on;
  bool places;
  int freedoms;    // that a joint of its kind leaves
  int first, rows; // of a loop: its constraints; those that always hold are none of them
} model_joint;

typedef struct model model;
struct model
{
  base_arena* arena;
  expr_pool* pool;
  const char* title; // "" if none
  expr t;
  int coords, params, constraints, quasis, outputs, stages, events, initials, plots, shows;
  int contacts, solids, meetings, facings, footings, delays;
  model_delay* delay;
  int silent;     // of the events: samples, and where something is left
  int places;     // coordinates with a place; those behind them are states of first order (state.c)
  bool mechanism; // kinematics alone: masses are one for every coordinate, and nothing acts
  bool massless;  // some coordinates have no inertia: norms of quaternions, places of contacts
  model_coord* coord;
  model_param* param;
  model_constraint* constraint;
  model_quasi* quasi;
  model_output* output;
  model_stage* stage;
  model_event* event;
  model_initial* initial;
  model_plot* plot;
  model_show* show;
  model_contact* contact;
  model_solid* solid;
  model_meeting* meeting;
  model_facing* facing;
  model_footing* footing;
  int tells;
  model_tell* tell;
  expr T;        // kinetic energy in t, q, q', params and their rates; and T_states
  expr T_states; // the inertia of states, which is no energy: 1/2 sum z^2
  expr V;        // potential energy in t, q, params
  // made on demand by model_inertia_make, which says how many there are
  int inertias;
  int joints;
  model_joint* joint; // as written
  model_inertia* inertia;
  expr T_added; // of T what the model adds to the masses
  int energy_terms;
  model_energy_term* energy_term;
  expr* Q;        // generalised forces without the potential, one per coordinate
  expr* reaction; // symbols, one per constraint: "reaction(NAME)", of a servo one "control(NAME)"
  // symbols, one per constraint: 1 while it holds, 0 while it is released. A law of resistance of a
  // constraint that stages or events switch carries this factor.
  expr* holds;
  model_settle settle;
  base_place settle_place;
  bool has_run;
  expr run_from, run_to; // numbers or expressions of params
  double tolerance;      // 0 if not said
  const char* method;    // "" if not said
  model_beyond beyond;
  base_place method_place;
  // expressions in params that must not be negative, and those whose numbers decide what it is
  int bounds, asked;
  expr *bound, *ask;
  bool weighed;              // some unit of a mass, force or the like is written
  bool weighed_out;          // the inertias were made
  bool hung;                 // `tree` was looked for
  struct model_tree* tree;   // the masses as they hang on each other, or null
  struct model_scope* scope; // names, frames, points: private to the room
};

typedef struct model_override
{
  const char* name; // a param
  // an expression in params, as text; null: it stays a symbol with rates, as if an event set it,
  // and a name that is no param is passed over
  const char* value;
} model_override;

typedef struct lang_tree lang_tree; // see lang.h
// Null if there were errors (all of them in the notes). The tree and its arena may be freed after.
model* model_build(const lang_tree* tree, int overrides, const model_override* override,
                   base_notes* notes);
void model_free(model* m);
// the i-th function that expressions know, and how it is called; null behind the last
const char* model_function_word(int i, const char** usage);

// What runs of one model may differ in: a param, or the start of a coordinate or velocity.
typedef struct model_varied
{
  int param;        // its number, -1
  int coord, order; // else of the coordinate; 0 its place, 1 its velocity
} model_varied;
// by name ("m", "x", "x'"); false with an error noted, `option` being the text it stands in
bool model_varied_find(const model* m, const char* option, const char* name, base_notes* notes,
                       model_varied* out);
// A coordinate or velocity starts at this value (as a guess where the model gives a guess).
void model_start_set(model* m, const model_varied* v, expr value);
// A further param that changes, or is given, as that value: returns its number. Before mech_derive.
int model_start_param(model* m, const model_varied* v);
int model_start_given(model* m, const model_varied* v);
// This param and those defined through it are given with each run from here on; false where what
// the model is depends on one of them. Before mech_derive.
bool model_give(model* m, int param);
// the equations of contact i in its own coordinates, for a contact without `why_not`
void model_contact_write(const model* m, int i);

// the kinetic energy alone, without the inertia of states
expr model_kinetic(const model* m);

int model_param_find(const model* m, const char* name); // -1 if there is none
int model_coord_find(const model* m, const char* name);
int model_constraint_find(const model* m, const char* name);
// constraints that are the user's own, not part of what his coordinates are
int model_constraints_shown(const model* m);
bool model_constraint_is_shown(const model* m, int k);
// does constraint k hold at the start, after what the first stage switches?
bool model_constraint_starts(const model* m, int k);
// does it take freedom away? Inequalities do not; contacts of surfaces do while they touch
int model_constraint_sticks(const model_constraint* c); // how many in `stick` hold its slip
bool model_constraint_binds(const model* m, int k);

// made on demand, in the model's arena and pool
model_scene* model_scene_make(model* m);
// angular momentum of all declared masses about the origin of the world
void model_turning(model* m, expr out[3]);

// how many parts of inertia there are: 0 where there are no masses, or one of them is not told by
// its inertia
int model_inertia_make(model* m);
// is every mass moved by at most so many coordinates?
bool model_inertia_is_near(const model* m, int most);

// A part of the masses that moves as one (tree.c); parents come before what hangs on them.
typedef struct model_joint_slope
{
  int coord;
  expr slope[6]; // of (w, v) against the parent, in the node's axes, by the velocity of coord
} model_joint_slope;
typedef struct model_node
{
  int parent;             // -1: the world
  expr turn[9], r[3];     // parent = turn * own, row-major; its origin in the axes of the parent
  expr spin[3], drift[3]; // its spin in its own axes, r' in the parent's,
  expr spin_rate[3], drift_rate[3]; // and their rates at zero accelerations
  expr m, mr[3], J[6]; // mass, first moments, inertia xx yy zz xy xz yz about its origin
  int joints;
  model_joint_slope* joint;
  bool by_quaternion; // the joints are the parts of a unit quaternion,
  int norm;           // which this constraint keeps one
} model_node;
typedef struct model_tree
{
  int nodes;
  model_node* node;
  bool rigid;                // no inertia changes
  expr gravity[3], V_beside; // the field in the axes of the world, the potential but for its
} model_tree;
// Null where the masses do not hang on each other so that every coordinate belongs to one node, or
// where not all kinetic energy is that of masses.
model_tree* model_tree_make(model* m);

// Further equations in the names of the model, as for --state "x=1, x'=2": appended to nothing,
// given back in the model's arena. Returns how many, -1 with errors noted.
int model_equations(model* m, const char* origin, const char* text, base_notes* notes,
                    model_initial** out);
