// lang: text -> tokens -> syntax tree, every node with its place in the text.
// Takes UTF-8 text; gives statements as written, `use` files already taken in.
// Knows no meaning: names are not looked up, vectors and scalars look alike.
#pragma once

#include "base/base.h"

typedef enum lang_op {
  LANG_ADD,
  LANG_SUB,
  LANG_MUL,
  LANG_DIV,
  LANG_POW,
  LANG_LT,
  LANG_LE,
  LANG_GT,
  LANG_GE,
  LANG_AND, // of comparisons
  LANG_OR,
} lang_op;

typedef enum lang_kind {
  LANG_NUMBER, // text, unit
  LANG_NAME,   // text
  LANG_PRIMES, // kid[0], primes
  LANG_FIELD,  // kid[0], text
  LANG_CALL,   // text, kids
  LANG_TUPLE,  // kids: (a, b, c)
  LANG_NEGATE, // kid[0]
  LANG_BINARY, // op, kid[0], kid[1]; comparisons too
} lang_kind;

// A name as written, with its place; text null where it is absent.
typedef struct lang_word
{
  const char* text;
  base_place place;
} lang_word;

// A unit in brackets as written, without the brackets; text null where it is absent.
typedef lang_word lang_unit;

typedef struct lang_node lang_node;
struct lang_node
{
  lang_kind kind;
  base_place place;
  lang_op op;
  int primes;
  const char* text;
  lang_unit unit;
  int n;
  lang_node** kid;
};

typedef struct lang_param
{
  lang_word name;
  lang_node* value;
  lang_unit unit;
  const char* note; // the text in quotes, or null
} lang_param;

typedef struct lang_rotation
{
  char axis;        // 'x', 'y', 'z'; 'q' for "by Q"; 'a' for "about (…) by angle"
  lang_node* angle; // null for "by Q"
  lang_node* about;
  lang_word by;
} lang_rotation;

// one "a = 1 over 0.3" of a set
typedef struct lang_set
{
  lang_node* target; // a name, or a name with primes
  lang_node* value;
  lang_node* over; // null: instantaneous
  bool shares;     // the one written behind a later param of the same list
} lang_set;

// the inside of a stage or of an event's braces
typedef struct lang_block
{
  bool plain; // of a sample: `set` need not stand before what is set
  int sets;
  lang_set* set;
  lang_node* until; // null when absent
  lang_word carry;  // "limit", "velocity", "momentum"; text null when absent
  int releases, imposes;
  lang_word *release, *impose;
} lang_block;

typedef enum lang_relation { LANG_EQUAL, LANG_AT_LEAST, LANG_AT_MOST, LANG_GUESS } lang_relation;

typedef enum lang_statement_kind {
  LANG_MODEL,
  LANG_PARAM,
  LANG_COORD,
  LANG_ORIENTATION,
  LANG_LET,
  LANG_FRAME,
  LANG_POINT,
  LANG_PARTICLE,
  LANG_BODY,
  LANG_ROD,
  LANG_PLATE,
  LANG_DISC,
  LANG_SOLID_BODY, // box, cylinder, cone, shell, mesh: shape
  LANG_BALL,
  LANG_KINETIC,
  LANG_POTENTIAL,
  LANG_GRAVITY,
  LANG_FORCE,   // on a coordinate: name and value; at a point: vector, in, at
  LANG_TORQUE,  // vector, in, on
  LANG_SPRING,  // between places: from, to, stiffness, natural, damping, preload
  LANG_PULL,    // between places: from, to, value
  LANG_TORSION, // on a joint: on, stiffness, natural (the angle), damping
  LANG_BUSHING, // between two bodies: end, stiffness, damping, turning of each
  LANG_FUNCTION,
  LANG_STATE,  // of first order: names with units and values, where they start
  LANG_RATE,   // of such a state: name and value
  LANG_MEMORY, // params that samples and events change: names with units and values
  LANG_INPUT,  // params given from outside: the same
  LANG_SAMPLE, // name, from, to (the time between), block
  LANG_TABLE,  // a function by its values: arguments as params, table
  LANG_JOINT,
  LANG_CONSTRAINT,
  LANG_RESIST,
  LANG_QUASI,
  LANG_SURFACE,
  LANG_ROLL,
  LANG_SLIDE,
  LANG_CONTACT,  // between two shapes
  LANG_CONTACTS, // among many
  LANG_INITIAL,
  LANG_STAGE,
  LANG_EVENT,
  LANG_OUTPUT,
  LANG_INTEGRAL,
  LANG_RUN,
  LANG_TOLERANCE,
  LANG_METHOD,
  LANG_BEYOND,
  LANG_PLOT,
  LANG_SHOW,
  LANG_TRACE,
} lang_statement_kind;

// One statement. Which fields are set is said beside each; the rest are zero.
// what friction at a contact acts against: slip, rolling, pivoting about the normal
typedef enum lang_rub { LANG_RUB_SLIP, LANG_RUB_ROLLING, LANG_RUB_PIVOTING, LANG_RUBS } lang_rub;

// a body that touches others, and its shape
typedef struct lang_solid
{
  lang_word name; // of a body or frame
  bool all;       // it holds [*]: every one that has an index there
  lang_word shape;
  int sizes; // in round brackets behind it
  lang_node** size;
  const char* file; // in quotes behind it, null if none
  const char* data; // what is in the file, with a zero byte behind it
  size_t bytes;
  base_place file_place;
  base_place place;
} lang_solid;

// one of the two that a joint joins
typedef struct lang_end
{
  lang_word body; // or frame
  lang_node *at, *axis, *normal;
} lang_end;

// values of a function, written out or in a file
typedef struct lang_table
{
  int rows; // tuples of arguments and value
  lang_node** row;
  const char *file, *data; // else: in quotes, and what is in the file, with a zero byte behind it
  size_t bytes;
  base_place file_place;
  const char* column; // of the value, null: the one behind the arguments
  base_place column_place;
  lang_unit unit;    // of the value
  lang_word way;     // "linear", "cubic", "steps", or absent
  lang_word outside; // "hold", "extend", "refuse", or absent
} lang_table;

typedef struct lang_statement
{
  lang_statement_kind kind;
  base_place place; // the whole statement
  lang_word name;   // the thing declared: let, frame, point, bodies, quasi, surface, stage, event,
                    // output, constraint (made up as "c1", "c2", ... by the model when absent),
  // method, beyond; force: the coordinate; resist: the constraint; trace: the point
  const char* text; // model: title; plot: title or null
  int params;       // param: list; coord and orientation: names with units, no values
  lang_param* param;
  lang_node* value; // let, kinetic, potential, force on a coordinate, quasi, output, tolerance,
                    // resist; point, particle: the vector; surface: the tuple
  lang_node* mass;  // particle and bodies
  lang_node *density, *scale; // bodies in the place of a mass; mesh
  lang_node* about;           // body: the point of its inertia
  const lang_solid* mesh;     // body: its file
  lang_node* radius;          // disc, ball, show ball
  lang_node* vector; // gravity, force, torque, body: inertia tuple, disc: normal, show box: sizes
  lang_node *from, *to;                               // rod, run, show rod, spring, pull
  lang_node *stiffness, *natural, *damping, *preload; // spring
  lang_node* turning[2]; // bushing: stiffness and damping against turns
  lang_node* corner[3];  // plate
  lang_node* at;         // frame, body, disc, ball: place; force, show ball: the point
  lang_word in;          // frame: the parent; others: the frame after `in`
  lang_word on;          // torque: the body or frame; plot: the event at which points are drawn
  int rotations;         // frame; initial: right side z(0.1) x(pi/2)
  lang_rotation* rotation;
  lang_node *left, *right;           // constraint, initial, event: both sides
  lang_relation relation;            // constraint, initial
  lang_node *restitution, *friction; // constraint `with`
  // roll, slide: coefficients of friction by what they act against, dry and viscous
  lang_node* rub[LANG_RUBS][2];
  lang_node* patch;     // slide: the radius after `with friction mu over radius`, or null
  lang_word pressure;   // of the patch: "hertz", "uniform", or absent
  lang_word rational;   // its law as Zhuravlev's quotients: "rational", or absent
  lang_word impact_law; // "newton", "poisson", … after the restitution
  lang_word slip[2];    // the speeds after `with friction mu along`, or absent
  lang_word pull;       // roll, slide: "release", "hold" after `with`, or absent
  lang_word rubber;     // roll: "pivoting" after `without`, or absent
  lang_word by;         // constraint: servo control; resist: along
  lang_word during;     // constraint: the inequality after `while`, or absent
  lang_block block;     // stage, event with braces
  lang_word direction;  // event: "rising", "falling", or absent
  lang_word action;     // event: "stop", "report"; absent with braces
  int curves;           // plot: what is drawn (the y's)
  lang_node** curve;
  lang_node* against; // plot: the x
  lang_word shape;    // show: "ball", "box", "rod"; joint: its kind; a solid body: what it is;
                      // initial: "rest" or "steady", in the place of an equation
  lang_end* end;      // joint: what it places, and on what; pitch, natural (the length)
  lang_node* pitch;
  bool closes; // joint: `as constraint`
  lang_table* table;
  int solids; // contact, contacts: who may touch whom
  lang_solid* solid;
  // surface: the two names of S(u, v) are params without values, of a curve there is one; so are
  // those of a function. joint of the kind `point`: left the curve or surface, direction what it
  // was called.
  // roll, slide: name the body, left its surface, on the base, right the surface of the base,
  // direction "inside" or absent, by the name of the contact, rub, pull
} lang_statement;

// how a model that repeats is read again, with other values of its params
typedef struct lang_again lang_again;

typedef struct lang_tree
{
  int count;
  lang_statement** at;     // each stays where it was read
  const lang_again* again; // null: nothing is repeated
  int counting;            // params that bounds of repetitions and indices are made of
  const char** counts;     // their names
  bool mechanism;          // read for its kinematics alone
  bool driven;             // by an option
} lang_tree;

// A model read for its kinematics alone: masses and inertias may be left out. Drives are given
// beside the text, "NAME=FROM..TO" evenly over the time of the run, or "NAME=EXPRESSION".
typedef struct lang_mechanism
{
  int drives;
  const char* const* drive;
  double until; // end of the run; nan: the model's own, else 1 s
} lang_mechanism;

// What may be read: a text never makes us take more than this.
typedef struct lang_limits
{
  size_t file_bytes;               // 8 MiB
  int nesting;                     // 200 brackets or operators deep
  int files;                       // 64 files taken in by `use`
  int statements;                  // 100,000, repetitions counted out
  int repetitions;                 // 200,000 turns of all repetitions and sums together
  size_t repeated;                 // 16 MiB of text read in these turns
  const lang_mechanism* mechanism; // null: a model with masses and forces
} lang_limits;
lang_limits lang_limits_default(void);

// Parse a text known to the notes as `name`. `folder` is where `use` may look (null: `use` is an
// error). All errors of all files go to the notes; the tree holds what could be understood. Null
// only when nothing could be read at all. The tree lives in the arena.
lang_tree* lang_parse(const char* name, const char* text, size_t length, const char* folder,
                      const lang_limits* limits, base_arena* arena, base_notes* notes);
lang_tree* lang_parse_file(const char* path, const lang_limits* limits, base_arena* arena,
                           base_notes* notes);
// The tree with other values of params, which may count repetitions: read again where it repeats
// (the notes of the first reading are replaced), else the tree itself.
typedef struct lang_setting
{
  const char *name, *value;
} lang_setting;
const lang_tree* lang_parse_again(const lang_tree* tree, int settings, const lang_setting* setting,
                                  base_arena* arena, base_notes* notes);
// one expression alone, as for --set a=VALUE; null with errors noted
lang_node* lang_parse_expression(const char* name, const char* text, base_arena* arena,
                                 base_notes* notes);
// "x=1, x'=2, z ~ 3" as for --state: a list of equations; returns how many, -1 with errors noted
typedef struct lang_equation
{
  lang_node *left, *right;
  lang_relation relation;
} lang_equation;
int lang_parse_equations(const char* name, const char* text, base_arena* arena, base_notes* notes,
                         lang_equation** out);

// the syntax tree as text with full brackets, for tests and people
// The text with blanks and indents as is the custom, into an empty `out`; false where it holds what
// is no token (parsing it tells).
bool lang_layout(const char* text, size_t length, base_text* out);

// the i-th word that a statement begins with, and how one is written; null behind the last
const char* lang_statement_word(int i, const char** usage);

// a name in a text, as a token: what it is part of, as `.x`, does not count
typedef struct lang_mention
{
  uint32_t from, to;
  bool begins; // a statement
  bool part;   // of what stands before its dot
} lang_mention;
typedef BASE_LIST(lang_mention) lang_mentions;
// all names of a text, those in indices too, up to the first sign that is no token
void lang_mentions_list(const char* text, size_t length, lang_mentions* out);

// is the name one of those that a pattern with [*] stands for? [*] is one index or several
bool lang_name_matches(const char* pattern, const char* name);

void lang_print_node(const lang_node* n, base_text* out);
void lang_print_tree(const lang_tree* t, base_text* out);

// ---- the parts that come with the program -------------------------------------------------------

// files of parts by number; null behind the last
const char* lang_library_name(int file);
const char* lang_library_title(int file);
const char* lang_library_text(int file);
// a part as one who would put it somewhere sees it
typedef struct lang_sheet_param
{
  const char *name, *value; // as written
  const char *unit, *note;  // or null
} lang_sheet_param;
typedef struct lang_sheet
{
  const char *name, *told; // what is said of it, or null
  int params;
  lang_sheet_param* param;
} lang_sheet;
// how many there are in a file
int lang_library_parts(int file, base_arena* arena, lang_sheet** out);
