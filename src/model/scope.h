// The names of a model and what they stand for; evaluation of syntax trees into expressions.
#pragma once

#include "base/base.h"
#include "expr/expr.h"
#include "lang/lang.h"
#include "model/dim.h"
#include "model/kin.h"
#include "model/model.h"

enum { MODEL_FEW_PARTS = 4 };
typedef struct model_entry model_entry;
typedef struct model_scope model_scope;

// ---- values -------------------------------------------------------------------------------------

// POISON: an error was already reported; whatever is made from it is poison too, in silence
typedef enum model_kind { MODEL_POISON, MODEL_SCALAR, MODEL_VECTOR, MODEL_THING } model_kind;

typedef struct model_value
{
  model_kind kind;
  expr e[3];
  model_dim d[3];
  model_entry* thing; // a frame, point or body
} model_value;

model_value model_value_poison(void);
model_value model_value_scalar(expr e, model_dim d);
model_value model_value_vector(const expr e[3], model_dim d);
const char* model_value_describe(const model_value* v); // "a number", "a vector", "a point"

// ---- entries ------------------------------------------------------------------------------------

typedef enum model_sort {
  MODEL_IS_PARAM,
  MODEL_IS_COORD,
  MODEL_IS_LET,
  MODEL_IS_QUASI,
  MODEL_IS_FRAME,
  MODEL_IS_POINT, // particles too
  MODEL_IS_BODY,  // body, rod, plate, disc, ball
  MODEL_IS_ORIENTATION,
  MODEL_IS_SURFACE,
  MODEL_IS_CONTACT, // a point too
  MODEL_IS_SPRING,  // pulls too
  MODEL_IS_FUNCTION,
  MODEL_IS_STATE, // of first order
  MODEL_IS_TABLE,
  MODEL_IS_UNSUPPORTED,
  // not in the common name space:
  MODEL_IS_CONSTRAINT,
  MODEL_IS_MEETING, // contacts between shapes
  MODEL_IS_JOINT,
  MODEL_IS_OUTPUT,
  MODEL_IS_KINETIC,  // kinetic()
  MODEL_IS_POTENTIAL // potential()
} model_sort;

typedef enum model_state { MODEL_UNTOUCHED, MODEL_WAITING, MODEL_DONE } model_state;

// mass spread over 1, 2 or 3 points of a frame (particle or body, rod, plate), and the inertia of
// what turns with it
typedef struct model_mass
{
  expr m;
  const model_axes* axes;
  const model_place* origin; // of the frame
  int points;
  expr r[3][3];
  expr J[6]; // xx yy zz xy xz yz about the centre of mass, in the frame's axes
  bool has_J;
  expr spin[3]; // angular velocity of what turns, in the frame's axes
} model_mass;

enum { MODEL_RUBS_BEING_READ = 2 };

struct model_entry
{
  model_sort sort;
  const char* name;
  base_place place;
  const lang_statement* statement; // these two only while building
  const lang_node* node;           // param: its value
  int part;                        // param, coord: which of the statement's list
  int index;                       // in the model's list of its sort
  model_state state;
  bool poisoned;
  model_value value; // param, coord, let, quasi
  bool follows;      // param: defined through a changing one
  expr scale;        // param: of its unit
  // frame, point, body
  const model_axes* axes;
  const model_place* origin;
  model_dim length; // of its positions
  int frames;       // how deep frames are carried by frames
  bool turns;       // turns in its frame, so it carries no axes
  model_mass* mass;
  // orientation: its unit quaternion; coordinates, quasi-velocities: made by another declaration
  expr quaternion[4];
  bool own;                  // body: makes a frame of its own name
  bool is_rolled;            // such a body is placed by a contact
  model_entry* joint;        // such a body is placed by a joint
  model_entry* orientation;  // joint: how it turns, where it turns freely
  bool places;               // joint: it places a body, else it closes a loop
  int rows;                  // such a joint: how many equations hold it
  expr force[3], moment[3];  // what it does to its first body, in world axes
  expr way[3];               // from A's origin to its place on B, in A's axes
  struct model_guide* guide; // what has friction along it: a curve or surface; else null
  struct model_rail* rail;   // joint: the curve or surface its point is on, for pictures; else null
  bool carries;              // it places a body, and its force and moment were found
  struct model_surface* surface;
  // for pictures: kind of its statement (-1: none), what carries it, a ball's or disc's radius, a
  // disc's normal; a contact with all its geometry
  int shape;
  const model_entry* carrier;
  expr radius, normal[3], size[3]; // and the edges of a box
  const struct model_touch* touch;
  const model_place* ends[2]; // the length of a spring or pull: its ends
  bool damped;                // of a spring: it has a damper
  // constraint: the first two points whose motion it speaks of, and how many there are
  const model_entry* spoken[2];
  int speaks_of;
  int contact; // contact: its number
  bool made;
  int start, vector; // of a made coordinate
  bool met;          // on the way from one statement to another (beside.c)
  const char* unit;
  // constraint: numbers in the model's list; -1 for a part of a vector that always holds
  int parts;
  int* part_index;
  int few_parts[MODEL_FEW_PARTS];
  bool splits; // constraint: an inequality about the least or most of several, which are its parts
  int rubs;    // its friction: 0 not read yet, 1 read, 2 being read, -1 with errors
  struct model_meeting_entry* meeting; // contacts between shapes
  struct model_table* table;
};

// what a table is asked for, and must not be outside its range
typedef struct model_range
{
  const model_entry* table;
  int argument;
  expr x;
  base_place place;
} model_range;

// what an expression holds
enum {
  MODEL_USES_COORD = 1,
  MODEL_USES_VELOCITY = 2,
  MODEL_USES_ACCELERATION = 4,
  MODEL_USES_JERK = 8, // third derivative of a coordinate or of a changing param
  MODEL_USES_REACTION = 16,
  MODEL_USES_TIME = 32,
  MODEL_USES_CHANGING = 64, // a param that stages or events set
  MODEL_USES_RATE = 128,    // its first or second derivative
  MODEL_USES_FIRST = 256,   // a state of first order, or its rate
  MODEL_USES_DELAY = 512,   // what something was some time ago
  MODEL_USES_TOLD = 1024,   // what only the steps of a run know
  MODEL_USES_STATE = 1 | 2 | 4 | 16,
};

// what is written first in a product: params, then time, then coordinates
enum { MODEL_RANK_PARAM = 1, MODEL_RANK_TIME = 1 << 20, MODEL_RANK_COORD };

typedef BASE_LIST(model_entry*) model_entries;

typedef struct model_names
{
  int room; // power of two
  int n;
  struct model_name_slot* slot;
} model_names;

// a name that means something in one statement only
typedef struct model_local
{
  const char* name;
  model_value value;
} model_local;

// displacements and turns
enum { MODEL_GIVES = 6 };

struct model_scope
{
  model* m;
  base_arena* arena;
  expr_pool* pool;
  base_notes* notes;     // only while building or reading equations
  const lang_tree* tree; // the same
  model_kin kin;
  model_entries entries;     // all of them
  model_entries constraints; // in the order written
  model_names names;         // the common name space
  model_names constraint_names, output_names;
  // bodies that joints name first, and those that they place: entries with a statement of a joint
  model_names joined, placed;
  model_entry *world, *kinetic, *potential;
  int depth;  // of the evaluation
  int locals; // names of the surface or function being read
  const model_local* local;
  long called;                  // functions of the model, so far
  int made_constraints;         // room for those that belong to coordinates themselves
  bool outputs_too;             // names of outputs may be used here
  const model_entry* spoken[2]; // the first points of pos, vel and acc since speaks_of was 0
  int speaks_of;                // how many different ones there were, counted up to 3
  bool has_gravity;             // some `gravity`
  expr gravity[3];
  expr beside_weight; // the potential but for that of gravity
  bool has_kinetic;   // some `kinetic EXPR`
  expr kinetic_added; // their sum
  BASE_LIST(model_energy_term) energy_terms;
  int errors_before;                 // in the notes when the build began
  BASE_LIST(unsigned short) symbols; // what each symbol is, by its number
  int symbol_count;
  int uses_of_any;    // of all symbols together
  int *stamps, stamp; // what was seen in a stage or event, while they are read
  expr* buffer;       // room for all symbols
  int buffer_room;
  BASE_LIST(base_place) bad_units;
  BASE_LIST(model_range) ranges;
  BASE_LIST(model_event) ends; // that the motion does not go beyond
  BASE_LIST(model_delay) delays;
  // coordinates, velocities and accelerations of all, made when first asked for
  int rate_count[3];
  expr* rate_list[3];
  expr_index* rate_index[3];
  int overrides; // only while building
  const model_override* override;
  bool acts;            // all forces are known
  const char* released; // the joint that is let go, see joint_force.c; null: none
  // how far it gives, and the rates
  expr give[MODEL_GIVES], give_v[MODEL_GIVES], give_a[MODEL_GIVES];
  // the same text up to its forces, in the same pool, with this joint let go; to be dropped
  model* (*again)(const model_scope* s, const char* joint, base_notes* notes);
  void (*drop)(model* m);
  // while the geometry of a contact is read: pos() of the touching point gives these symbols
  struct model_contact_point* touch;
};

// the point that touches, found while a constraint with friction is read again
typedef struct model_contact_point
{
  const model_entry *thing, *frame; // frame null: the world
  expr at[3];                       // symbols of its place
  bool several;                     // more than one point is spoken of
} model_contact_point;

// names: null where there is none
model_entry* model_names_find(const model_names* t, const char* name);
void model_names_add(model_names* t, model_entry* e);
void model_names_free(model_names* t);

model_entry* model_scope_new_entry(model_scope* s, model_sort sort, const char* name,
                                   base_place place);
// puts the entry into the common name space; errors where the name is taken or reserved
void model_scope_declare(model_scope* s, model_entry* e);
const char* model_sort_text(const model_entry* e); // "a param"
// the error for a name that does not exist, with the nearest one of the sorts in the mask
enum { MODEL_ANY_SORT = -1 };
void model_scope_unknown(model_scope* s, const char* what, const char* name, base_place place,
                         int sorts);
void model_scope_unknown_constraint(model_scope* s, const char* name, base_place place);
// frame, point or body after `in`, `on`, or as a parent; null with an error noted
model_entry* model_scope_frame(model_scope* s, lang_word word);

// e where the joint that is let go does not give: what the model is must not be decided by it
expr model_scope_held(model_scope* s, expr e);
void model_scope_hold(model_scope* s, int n, expr* e);
void model_scope_mark(model_scope* s, expr symbol, int uses);
int model_scope_uses(model_scope* s, expr e);
int model_scope_uses_value(model_scope* s, const model_value* v);
// value of an expression of params and numbers, all params replaced by their exact values
expr model_scope_exact(model_scope* s, expr e);
// the same where it decides what the model is
expr model_scope_asked(model_scope* s, expr e);
double model_scope_number(model_scope* s, expr e); // nan where it is not one
// the number where no more is asked of it than that it is not negative
double model_scope_bound(model_scope* s, expr e);
// the unit of a declaration; an unreadable one is reported once
void model_scope_unit(model_scope* s, lang_unit unit, model_dim* dim, expr* scale);

// have two statements nothing to do with each other, but by forces?
bool model_is_beside(const model_scope* s, const lang_statement* a, const lang_statement* b);

// ---- evaluation ---------------------------------------------------------------------------------

model_value model_eval(model_scope* s, const lang_node* n);
model_value model_eval_call(model_scope* s, const lang_node* n); // functions.c
// a number or a vector, nothing else; false with errors noted
bool model_eval_scalar(model_scope* s, const lang_node* n, const char* what, expr* e, model_dim* d);
bool model_eval_vector(model_scope* s, const lang_node* n, const char* what, expr e[3],
                       model_dim d[3]);
// a comparison `a > b`: smaller and larger side; false with errors noted
typedef struct model_comparison
{
  expr low, high; // low < high or low <= high is asked
  bool strict;
} model_comparison;
bool model_eval_comparison(model_scope* s, const lang_node* n, model_comparison* out);
// comparisons, joined or alone: g, positive where they hold; and one of two by them
bool model_expect_condition(model_scope* s, const lang_node* n, expr* g);
bool model_expect_choice(model_scope* s, const lang_node* n, expr yes, expr no, expr* out);
// the point named by an expression: a point, frame, body, or a vector in the world's axes
bool model_eval_place(model_scope* s, const lang_node* n, const model_place** out);
bool model_is_comparison(const lang_node* n);

// error where the dimension is surely not the wanted one
// degrees.c: a coordinate that is an angle; a word where the number of an angle looks like degrees
bool model_degrees_is_angle(const model_coord* c);
void model_degrees_hint(model_scope* s, const lang_node* n, expr angle);
bool model_expect_dim(model_scope* s, const lang_node* n, model_dim d, model_dim wanted,
                      const char* what);
// error where the expression holds what it must not; names it: "a mass", "a place"
bool model_expect_free(model_scope* s, const lang_node* n, expr e, int forbidden, const char* what);
// both sides of an equation; false with errors noted
bool model_eval_sides(model_scope* s, const lang_node* left, const lang_node* right, int* count,
                      expr a[3], expr b[3], model_dim d[3]);
bool model_dim_check(model_scope* s, base_place place, const char* verb, model_dim a, model_dim b,
                     model_dim* sum);

// functions: of numbers and vectors; of the mechanics
typedef struct model_function
{
  const char* name;
  int least, most; // number of arguments; most -1: any number
  const char* usage;
  model_value (*call)(model_scope* s, const lang_node* n, int which);
  int which;
  bool dynamic; // forces or masses enter: there is none of a mechanism alone
} model_function;
const model_function* model_function_find(const char* name);
int model_function_count(void);
const model_function* model_function_at(int i);
extern const model_function model_math_functions[];
extern const int model_math_function_count;
extern const model_function model_mechanics_functions[];
extern const int model_mechanics_function_count;

// ---- order of work ------------------------------------------------------------------------------

// everything the entries need is worked out before them; cycles are reported
void model_resolve_all(model_scope* s);
// outputs come last: they may ask for what the forces do
void model_resolve_outputs(model_scope* s);
