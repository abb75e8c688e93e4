// walk: program and options -> track: start, steps, happenings, rows.
// Takes a derived system and options; gives a track: rows, events, residuals, energy balance,
// counts. Knows no files and no text formats.
#pragma once

#include "base/base.h"
#include "expr/expr.h"
#include "mech/mech.h"
#include "model/model.h"
#include "step/step.h"

typedef struct engine engine; // see engine.h

// ---- what is asked ------------------------------------------------------------------------------

typedef struct walk_progress
{
  double t, t_from, t_to, step, residual;
  long steps;
} walk_progress;

typedef struct walk_track walk_track;

// Who keeps a run as it goes. A run that takes long starts anew now and then from what a checkpoint
// holds (checkpoint.h), whoever keeps it or not: so one that was broken off goes on from there to
// the same bits.
typedef struct walk_keeper
{
  void* context;
  // after every step: there may be new rows
  void (*rows)(void* context, const walk_track* t);
  // the run goes on from here: its track so far, and as bytes what else has to be known
  void (*checkpoint)(void* context, const walk_track* t, const char* bytes, size_t n);
} walk_keeper;

// Where a run goes on: the bytes of a checkpoint, and the tables and happenings of its track, which
// are taken out of it.
typedef struct walk_onward
{
  const char* bytes;
  size_t n;
  walk_track* track;
} walk_onward;

// How contacts go: event by event; or by steps of time where events are slow or cannot go on. Where
// nothing is said the latter is so for several contacts with friction in space, unless a tolerance
// or something beyond paradoxes is asked for, which steps of time do not have.
typedef enum walk_contacts {
  WALK_CONTACTS_UNSAID = 0,
  WALK_CONTACTS_EVENTS,
  WALK_CONTACTS_BY_NEED
} walk_contacts;

typedef struct walk_options
{
  double until;        // end of the run; nan: the model's own
  double tolerance;    // 0: the model's own, else 1e-10
  const char* method;  // null: the model's own, else chosen
  double step;         // of the method moreau, s; 0: chosen
  double effort;       // products on contacts of a step before laws may hold nearly; 0: 1e8
  model_beyond beyond; // where Painleve's paradox is met; 0: as the model says
  bool siconos;        // solves the contacts with friction, where it is on this machine
  walk_contacts contacts;
  int at_count; // exact times of the rows; else `every`, else `points`
  const double* at;
  double every; // 0: not said
  int points;   // 0: not said
  bool no_rows; // but that of the start
  bool curves;  // also record the finer table the plots are drawn from
  int watched;  // expressions of state, accelerations and reactions to record with every row
  const expr* watch;
  const double* number; // values of the params by their numbers, for those given; null: the model's
  double off_at_first;  // share of itself that each number of the first state is off by
  // asked now and then; returning false stops the run, what was computed is kept
  bool (*progress)(void* context, const walk_progress* p);
  void* progress_context;
  const walk_keeper* keeper; // null: nobody
  const walk_onward* onward; // null: from the start
  long between_checkpoints;  // steps made and tried; 0: by the work of a step
} walk_options;

walk_options walk_options_default(void);

// ---- what comes out -----------------------------------------------------------------------------

typedef struct walk_table
{
  int width, rows, room;
  double* value; // rows by width
  double* low;   // what is to be added to them, where the run has twice the digits; else null
  int* stage;    // per row: stage number, -1
  int* event;    // per row: event number; -1: none; -2 - i: happening i, which is none of the model
} walk_table;

typedef struct walk_happening
{
  const char* name; // where it is none of the model's events, else null
  int event;        // number of the model's event, -1
  double t;
  int direction;
  double* row;           // the values of the columns there
  const double* impulse; // of an impact: one for each constraint of the model, else null
} walk_happening;

typedef enum walk_status {
  WALK_DONE,
  WALK_STOPPED,     // a stop event of the model
  WALK_INTERRUPTED, // the caller's progress function said stop
  WALK_UNFINISHED   // could not go on; the reason is in the notes and in `reason`
} walk_status;

typedef struct walk_residual
{
  double position, velocity,
      acceleration; // largest seen at any step; nan where the level is absent
} walk_residual;

// A declared integral of the motion
typedef struct walk_integral
{
  const char* name;
  double start; // its value at the start
  double drift; // largest change between jumps, relative to the largest sum of its terms' sizes
} walk_integral;

// a guess of the initial state that had to give way: as text, "x ~ 0.3", and by how much
typedef struct walk_guess
{
  const char* text;
  double moved;
} walk_guess;

typedef struct walk_guesses
{
  base_arena* arena;
  int count;
  walk_guess* at;
} walk_guesses;

// How many digits of the numbers of the last row, places and velocities, are good
typedef struct walk_digits
{
  bool asked;
  double good;     // of the one known least, by its size; nan: unknown; unasked: at most
  int column;      // the one known least; -1: all are known to the last
  const char* why; // they are not known
  double* size;    // 2n: of places and speeds along the run
} walk_digits;

// How well the impulses of time-stepping obey the laws of contacts
typedef struct walk_laws
{
  long problems;  // solved in all; 0: the run did not go by time-stepping
  long rows;      // of the largest
  double fault;   // the worst breach of a law, of the largest velocity that contacts change
  long unsolved;  // steps with more than a billionth of it
  long halved;    // steps made in two halves for it
  double overlap; // the deepest of contacts between shapes at the end of a step
  double gained;  // the most energy that contacts gave in a step
  double rest;    // the time since which all rests at the end of the run; nan: something moves
} walk_laws;

struct walk_track
{
  const model* model;
  base_arena* arena;
  base_arena* kept; // what happenings hold
  walk_status status;
  const char* reason; // "" when done
  const char* doubt;  // why these numbers are not to be trusted; "": no reason is known
  int columns;
  const char** column; // "t", "x", "x'", quasi names, "reaction.NAME", "control.NAME", outputs
  const char** unit;   // "" where unknown
  int forces;          // columns of reactions and controls
  int* force;          // the constraint of each
  walk_table table;
  int curve_columns; // t first, then for each plot x, y1, y2, ...
  walk_table curves;
  int thinned;        // how often rows of those were left out
  walk_table watched; // the expressions asked for, one row for each of `table`
  int happenings;
  walk_happening* happening;
  const char* method;
  const char* method_why; // how it was chosen
  double tolerance, t_from, t_to, t_reached;
  step_counts counts;
  long impacts;            // made inside the steps, by a method that decides there
  int restarts;            // stages, events and changes of the velocity basis
  int basis_changes;       // of those, new choices of quasi-velocities
  walk_residual* residual; // one per constraint
  double energy_start, energy_end, energy_work, energy_balance; // balance = change - work
  double energy_jumps; // of H at instantaneous changes; not part of the work
  double energy_scale; // largest |H|, kinetic or work seen: what the balance is compared with
  walk_laws laws;
  int integrals;
  walk_integral* integral;
  int redundant; // constraints that depend on the others
  int* redundant_row;
  walk_guesses guesses; // those that were moved
  walk_digits digits;
  int closed; // contacts at the end, where it could not go on
  bool slow;  // it could, but it would take too long
  double seconds;
};

// Null only when the input is wrong (errors noted): then nothing was computed.
walk_track* walk_run(mech_system* s, const walk_options* o, base_notes* notes);
// all that is made before the first step of such a run; false with errors noted where it has none
bool walk_run_try(mech_system* s, const walk_options* o, base_notes* notes);
// how many digits are good, of a run made with these options: into its track. It takes a second
// pass.
void walk_digits_find(mech_system* s, const walk_options* o, walk_track* t);
// it is not found out, for this reason
// the size of a place or speed by its number among those shown
double walk_digits_size(const walk_track* t, int shown);
void walk_digits_leave(walk_track* t, const char* why);
// a run as exact as is needed for so many digits, whatever tolerance and step the options say; a
// doubt where they are not reached. Null as of walk_run().
walk_track* walk_digits_run(mech_system* s, const walk_options* o, double wanted,
                            base_notes* notes);
// Methods of integration: those of num, and time-stepping; name and one line on each, null behind
// the last
const char* walk_method_name(int i);
const char* walk_method_summary(int i);
// is there one of that name? if not, that is noted as an error
bool walk_method_known(const char* name, base_place place, base_notes* notes);
// names of the columns of any run of the model; returns how many
int walk_columns(const model* m, base_arena* arena, const char*** name);
// how far the energy balance of such a run may be off before it is not to be trusted (trust.c)
double walk_trust_allowed(double tolerance);
// what a happening is called
const char* walk_happening_name(const walk_track* t, const walk_happening* h);
// the columns' names and units, from the model, into the track
void walk_rows_columns(walk_track* track);
void walk_track_free(walk_track* t);

// How much of a track is known already.
typedef struct walk_known
{
  int rows, curves, thinned, happenings;
} walk_known;
// What is new in the tables and happenings of a track since so much of it was known, as bytes, and
// put behind what another one has: false where the bytes are not such. A track to put them into.
void walk_track_pack(const walk_track* t, walk_known* known, base_text* out);
bool walk_track_unpack(walk_track* t, const char** at, size_t* left);
walk_track* walk_track_new(const model* m);
// one happening more; tables and happenings of one run in place of those of another
void walk_track_add(walk_track* t, walk_happening h);
void walk_track_move(walk_track* to, walk_track* from);

// ---- runs taken along
// -----------------------------------------------------------------------------

// A run that begins, meets what happens and ends as every run does, but whose plain stretches may
// be stepped over by someone else.
typedef struct walk_escort walk_escort;
// at its start; null with errors noted. The notes are the run's until it is closed.
walk_escort* walk_escort_open(mech_system* s, const walk_options* o, base_notes* notes);
bool walk_escort_is_over(const walk_escort* w);
double walk_escort_time(const walk_escort* w);
double walk_escort_end(const walk_escort* w); // when it is over, infinite where that is not known
// one step of its own, with what lies in it
void walk_escort_turn(walk_escort* w);
// A plain stretch: smooth motion in one mode, up to a known instant at most, unless a value that is
// watched passes zero before.
typedef struct walk_stretch
{
  engine* e; // at its beginning; its memory is the run's
  double t, until;
  double longest; // step
  double work;    // of the forces so far
  double tolerance;
  int stage; // under way, -1
} walk_stretch;
// may one begin here?
bool walk_escort_is_plain(const walk_escort* w, walk_stretch* out);
// the run goes on from there
void walk_escort_set_down(walk_escort* w, double t, const double* q, const double* v, double work);
// the end: what it leaves, null where it was not over
walk_track* walk_escort_close(walk_escort* w);

// ---- a run that is led from outside ------------------------------------------------------------

// It goes on when it is told to, with params given in between.
typedef struct walk_state walk_state;

// at the start; of the options those of the rows are passed over. Null with errors noted.
walk_state* walk_state_new(mech_system* s, const walk_options* o, base_notes* notes);
void walk_state_free(walk_state* w);
// other values of the params that are given, by their numbers, from the next step on
void walk_state_give(walk_state* w, const double* number);
// go on by so much time; where it ends before, the track says why
void walk_state_go_on(walk_state* w, double dt, base_notes* notes);
double walk_state_time(const walk_state* w);
// Other places and speeds (2n) at this instant, and what was given: put onto the constraints that
// hold, contacts decided anew. Where that cannot be the run is over.
void walk_state_put(walk_state* w, const double* place, base_notes* notes);
// the same run back to where it was saved; false where that does not fit
bool walk_state_again(walk_state* w, const char* bytes, size_t n, base_notes* notes);
// the engine at the present state, which is left as it is; null: it has none there
engine* walk_state_engine(walk_state* w);
int walk_state_stage(const walk_state* w); // -1: the model has none
// the method, where it makes steps that decide what switches; else null
const char* walk_state_method(const walk_state* w);
const double* walk_state_number(const walk_state* w);
const walk_track* walk_state_track(const walk_state* w);
// the columns of the track at the present state; false with an error noted
bool walk_state_row(walk_state* w, double* row, base_notes* notes);
// What it goes on from, as bytes: from here on it goes the same way as one that is made of them.
// False with an error noted.
bool walk_state_save(walk_state* w, base_text* out, base_notes* notes);
// In the place of one at the start; null with an error noted where they do not fit.
walk_state* walk_state_load(mech_system* s, const walk_options* o, const char* bytes, size_t n,
                            base_notes* notes);

// ---- beginnings of a run, for studies of one state ----------------------------------------------

// Solve the initial equations with the active constraints at time t; result in e->q, e->v. moved:
// which guesses gave way, with the arena given; or null.
bool walk_start(engine* e, double t, int count, const model_initial* initial, base_notes* notes,
                walk_guesses* moved);

// can the accelerations be found at this state, and do redundant constraints agree? errors noted
bool walk_first_accelerations(engine* e, base_notes* notes);
// start_fault.c: why there are none, by the engine's reason
void walk_start_fault(const engine* e, base_notes* notes);
// the same file: does an admitted motion cost no kinetic energy but for rounding? with errors noted
bool walk_start_cancels(engine* e, base_notes* notes);
// is there a constraint that nothing can hold at the start? with errors noted
bool walk_gradient_missing(engine* e, base_notes* notes);
// the first stage, before the initial state is solved: params and constraints only
int walk_change_first(engine* e, const model_change* c, base_notes* notes);

// dI/dt along the motion, relative to the sum of its terms' sizes; the engine holds the state and
// its accelerations
double walk_integral_rate(engine* e, const model_output* x);
