// Happenings: what ends a smooth piece of the motion. Private to walk.
//
// Each kind is a row of one table: `look` finds the instants of a step at which it falls due,
// `happen` makes the mode and state behind it. Whatever falls on one instant happens there, kind by
// kind in the order of the table.
#pragma once

#include "contact/contact.h"
#include "rate/rate.h"

typedef struct walk_job walk_job;

// times of a step whose values are kept
enum { WALK_CACHED = 64 };

typedef enum walk_kind {
  WALK_INPUT,    // params given with the run get other values from outside
  WALK_EVENT,    // event of the model
  WALK_STAGE,    // the end of a stage
  WALK_DELAY,    // a break of what is delayed arrives
  WALK_REST,     // the limit of impacts that accumulate, of a contact that is held until then
  WALK_LEAVING,  // contact of surfaces that comes apart or meets again
  WALK_FOOT,     // contact in flight: another point of its base becomes the nearest
  WALK_FACING,   // flat shapes: other corners and sides face each other
  WALK_CORNER,   // a force meets its corner or jump, or ceases to be held there
  WALK_GAP,      // inequality: the gap closes, or what it presses with comes to zero
  WALK_SLIP,     // inequality with friction: sticking ends, slip begins or comes to its end
  WALK_GRIP,     // friction of surfaces: it begins to stick, or to slip
  WALK_BRANCH,   // another branch of a curved constraint becomes the least
  WALK_GRADIENT, // a constraint loses its gradient
  WALK_KINDS
} walk_kind;

typedef struct walk_found
{
  walk_kind kind;
  int index; // of the event, stage, contact, corner, inequality, grip or constraint
  double t;
  int direction; // in which what was looked at passes zero
} walk_found;

typedef BASE_LIST(walk_found) walk_found_list;

// Sides of jumps in the last bounces (bounce_sides.c): of jump k the integral over time, by contact
// that at its last impact, the means over the last bounce and the one before, and in how many in a
// row the motion was held at it.
typedef struct walk_bounce_sides
{
  int jumps, *jump; // corners of the program
  double at;        // the time of `swept`
  double* swept;
  double* held;                 // when the motion was held at it last
  double *mark, *mean, *before; // contacts by jumps
  int* stood;
  bool* fixed; // corners: what is taken of them now is no side that the motion could leave
} walk_bounce_sides;

// What is looked at during a step, and what was found in it
typedef struct walk_events
{
  rate_flow* flow;
  step_stepper* stepper;
  int stage;    // under way, -1
  int count;    // events and stages
  int contacts; // inequalities
  double* value;
  double* last[WALK_KINDS]; // when each fired, nan before
  bool* came;               // events and stages: they came to zero, from whichever side
  bool* stands;             // events and stages: at zero since the start, or since they came there
  double* freed;  // of those that stand: when something last happened that may let them go
  int look_count; // kinds of which this system may have any
  walk_kind looks[WALK_KINDS];
  double *y, *near;
  bool felt;        // the value cleared last depends on the state
  double* gradient; // of a nonlinear constraint at the start of the step
  int looking_at;
  int astray; // a corner that was seen on the other side than the one that is taken, or -1
  double tolerance;
  walk_found_list found;
  walk_found_list ended;    // at the end of the step
  walk_found_list followed; // what the restart at an instant has brought about
  double same;              // times nearer than this are one instant
  double begun;             // up to here it is the start of the run
  double searched_to;
  // values of all events at times of this step already looked at: they share the first samples
  int cached;
  double* cache_t;
  double* cache;
  contact_accumulation* swing; // passages of each corner
  walk_bounce_sides sides;
  // contacts that are held while the rest of their impacts is looked through, whatever they press
  // with; null: nothing is
  const bool* carried;
  // when those that are held, with something else happening meanwhile, have come to rest: infinity
  // where none has to, and the first of them (bounce_limits.c)
  double *rests, rest_next;
  int corners_cached; // the same for all corners
  double *corner_t, *corner;
  long loads;      // states looked at for instants in the steps so far
  int gaps_cached; // and for all inequalities, by one of their values
  void (*values)(engine* e, double* value);
  bool by_places; // which need no velocities
  double *gap_t, *gap;
} walk_events;

// An instant, and what has become of it so far. Whatever is found there acts on the engine's state
// and mode; y stays the state before.
typedef struct walk_instant
{
  double t, until; // and the time behind what takes a moment, as the last bits of a slip
  double* y;
  double work;
  int count;
  const walk_found* found;
  bool ends;      // the step ends there
  bool entered;   // the engine is at the state, ready to be changed
  bool shown;     // the state before has a row
  bool set;       // something was set, imposed or released
  bool recounted; // so that the constraints in use are others
  bool touched, cornered, gripped, branched, faced;
  int arrived;         // the lowest derivative that jumps in what is delayed
  bool chosen;         // sides and branches have been
  bool jumped;         // velocities, or the energy otherwise
  bool* closing;       // gaps known to stand at their limit
  double H;            // before
  double* excess_rate; // of the force of a grip over what friction holds, up to the instant
  // the mode before: rows that hold, the sliding regime; sides and holds of all corners
  bool *active, *held, *stands;
  double *side, *switching;
  int* regime;
  contact_before kept;
  bool* parts; // of the system, in which something was found or set
} walk_instant;

typedef struct walk_kind_row
{
  const char* name;
  // a method that decides in its steps what switches has done so
  bool decided;
  // instants of the last step from time `from` on, into w->found
  void (*look)(walk_events* w, double from);
  // what is kept of it with the state before; null: nothing
  void (*tell)(walk_job* r, walk_instant* in, const walk_found* found);
  // what it makes of the state and mode, or has to be decided with the others
  void (*happen)(walk_job* r, walk_instant* in, const walk_found* found);
  // Instants of this kind that follow each other within `within` of the time, at least of a
  // millisecond, do not get on: after `most` of them the run ends, `endless` says why.
  double within;
  int most;
  const char* endless;
} walk_kind_row;

extern const walk_kind_row walk_kinds[WALK_KINDS];

walk_events* walk_events_new(rate_flow* flow);
void walk_events_free(walk_events* w);
// how many there are of a kind
int walk_events_of(const engine* e, walk_kind kind);
// value of one watch at a state: event, or events + stage
double walk_events_value(walk_events* w, int which, double t, const double* y);
// the same, 0 where it is no more than what the rounding of the state makes of it
double walk_events_clear_value(walk_events* w, int which, double t, const double* y);
// Everything found in the stepper's last step from time `from` on, into w->found, by time; stage is
// the one under way, -1 for none. Up to w->searched_to nothing is missing.
void walk_events_step(walk_events* w, step_stepper* s, double from, int stage);
// the flow's state at time t of the last step is loaded; 0, or 1 with the engine's reason
int walk_events_load(walk_events* w, double t);
void walk_events_found(walk_events* w, walk_kind kind, int index, double t, int direction);
// A value above zero as long as something holds, whose roots are not all of it: what has next to
// nothing left may fall through zero within less of the start than can be searched, as friction
// does where its contact is about to open and its instant was met a rounding too early. The instant
// at which it shows to be below zero, by more than `most`; nan: it does not, or was from the start.
double walk_events_shows(num_function* value, walk_events* w, double from, double to, double most);

// ---- the rows -----------------------------------------------------------------------------------

void walk_input_happen(walk_job* r, walk_instant* in, const walk_found* found);
void walk_event_look(walk_events* w, double from);
void walk_event_tell(walk_job* r, walk_instant* in, const walk_found* found);
void walk_event_happen(walk_job* r, walk_instant* in, const walk_found* found);
void walk_stage_look(walk_events* w, double from);
void walk_stage_tell(walk_job* r, walk_instant* in, const walk_found* found);
void walk_stage_happen(walk_job* r, walk_instant* in, const walk_found* found);
void walk_delay_look(walk_events* w, double from);
void walk_delay_happen(walk_job* r, walk_instant* in, const walk_found* found);
void walk_rest_tell(walk_job* r, walk_instant* in, const walk_found* found);
void walk_leaving_look(walk_events* w, double from);
void walk_leaving_tell(walk_job* r, walk_instant* in, const walk_found* found);
void walk_leaving_happen(walk_job* r, walk_instant* in, const walk_found* found);
void walk_foot_look(walk_events* w, double from);
void walk_foot_happen(walk_job* r, walk_instant* in, const walk_found* found);
void walk_facing_look(walk_events* w, double from);
void walk_facing_happen(walk_job* r, walk_instant* in, const walk_found* found);
void walk_corner_look(walk_events* w, double from);
void walk_corner_happen(walk_job* r, walk_instant* in, const walk_found* found);
void walk_gap_look(walk_events* w, double from);
void walk_gap_tell(walk_job* r, walk_instant* in, const walk_found* found);
void walk_gap_happen(walk_job* r, walk_instant* in, const walk_found* found);
void walk_slip_look(walk_events* w, double from);
void walk_grip_look(walk_events* w, double from);
void walk_grip_tell(walk_job* r, walk_instant* in, const walk_found* found);
void walk_grip_happen(walk_job* r, walk_instant* in, const walk_found* found);
void walk_branch_look(walk_events* w, double from);
void walk_branch_tell(walk_job* r, walk_instant* in, const walk_found* found);
void walk_branch_happen(walk_job* r, walk_instant* in, const walk_found* found);
void walk_gradient_look(walk_events* w, double from);
void walk_gradient_happen(walk_job* r, walk_instant* in, const walk_found* found);

// the root t of gap i, found to the tolerance, to the rounding of its own instant
double walk_impact_instant(walk_events* w, int i, double t);
// redundant contacts: the first instant after `from` at which one of them changes
void walk_redundant_look(walk_events* w, double from);
