// A run under way, shared by the files that make it. Private to walk.
#pragma once

#include "walk/happenings.h"
#include "walk/rows.h"
#include "walk/watchdog.h"

// H = sum q' dT/dq' - T + V, kinetic energy, and E = T + V
typedef struct walk_energy
{
  double H, T, E;
} walk_energy;

// an integral under way: its value after the last jump, its largest change and size since
typedef struct walk_held_integral
{
  double from, off, size;
} walk_held_integral;

typedef struct walk_moreau walk_moreau;
typedef struct walk_flights walk_flights;
typedef struct walk_ends walk_ends;
typedef struct walk_singular walk_singular;
typedef struct walk_losses walk_losses;

// when a kind last happened, and how often in a row without progress of time
typedef struct walk_idle
{
  double last;
  int count;
} walk_idle;

// an event at known times: of the first, between them, and how many were
typedef struct walk_sample
{
  double first, every;
  long taken;
} walk_sample;

struct walk_job
{
  mech_system* s;
  engine* e;
  rate_flow* f;
  rate_lanes* abreast;     // made for this run, else null
  walk_singular* singular; // watches for singular positions; else null
  walk_ends* ends;         // ends of steps are noted several at a time; else null
  bool placed;             // the engine's state is the end of the last step, on the constraints
  step_stepper* stepper;
  walk_rows* record;
  walk_events* watch;
  walk_track* track;
  const walk_options* o;
  base_notes* notes;
  double t_end;
  int stage;           // under way, -1 when the model has none
  walk_sample* sample; // by event
  double sample_next;  // when the next is due
  double stage_until;  // known end of it, infinity if not known
  double open_time;    // of the motion, as it was at the start of the stage
  double *y, *y_start; // work space; the state at the start
  walk_energy start;
  double jumps;               // of H
  walk_idle idle[WALK_KINDS]; // instants of each kind without progress of time
  walk_watchdog watchdog, pace;
  double* places;      // of both
  long turns;          // steps made and tried in vain
  long checkpoint;     // of those, at which it starts anew next
  double longest_step; // of systems that depend on time by themselves
  int just_changed;    // event that set the state, until the motion behind it shows; -1
  double changed_at;   // when that was
  int just_happened;   // the last event that changed something, the pause before it, and whether
  double pause;        // that is shorter than the one before
  bool faster;
  double changed_value; // of the event: less than this is nothing
  double* approach;     // rate at which the value of each event came to zero
  int rapid;            // changing events in a row that followed at once
  double usual_step;    // the last one away from singular positions
  double fineness;      // of the tolerance: steps are held to this while bounces are low
  double* least_before; // accelerations before another branch is taken
  bool* least_jumps;    // the places of the engine where it is another (engine_curved_places)
  double* before;       // values of the watches before the first change at the instant before_t
  double before_t;
  const char* doing;      // what fails where no reason is given
  double instant;         // inside the last step, of what happens there; nan
  bool may_change_method; // it was chosen, not asked for
  int told;               // notes when the steps began
  bool told_ambiguous;    // that a law of resistance admits several motions
  bool told_gained;       // that a law of impact gave energy
  bool told_slow;         // that contacts are slow event by event
  bool asked_need;        // whether steps of time take over
  long looked;            // states that are counted in it
  double looking;         // what looking for instants has cost (need.c)
  bool told_stage;        // that the run goes on behind the end of the last stage
  walk_held_integral* integral;
  double* integral_out;  // value and size of each
  walk_moreau* moreau;   // the run goes by time-stepping; else null
  walk_flights* flights; // the run goes by flights; else null
  walk_losses* losses;   // of contacts that the model asks for, where events tell them; else null
  const double* put;     // places and speeds that the next input gives, 2n of them; else null
  bool over;
};

// A run in three parts, each of which may take the longest: all that is made before its first step
// (s, o and notes are given; false with errors noted), its steps, and the end, where the track
// stays.
bool walk_run_open(walk_job* r);
// of the steps, the very start; false where the run is over at once
bool walk_run_begin(walk_job* r);
void walk_run_steps(walk_job* r);
// from there up to its end; of that, one step with what lies in it
void walk_run_go_on(walk_job* r);
void walk_run_turn(walk_job* r);
// behind the last step: what its numbers are worth
void walk_run_end(walk_job* r);
void walk_run_close(walk_job* r);
// before the first step: span, rows, method, initial state; false with errors noted
bool walk_run_prepare(walk_job* r);
// of that, the span of the run and the times of its rows
bool walk_run_span(walk_job* r);
bool walk_run_rows(walk_job* r);
void walk_run_warn_redundant(walk_job* r);
// are there velocities that nothing determines, where drives have to? with errors noted
bool walk_freedom_left(engine* e, base_notes* notes);
void walk_run_begin_stage(walk_job* r, int stage);
// warn, once, where more than one motion was found possible
void walk_run_warn_laws(walk_job* r, double t);

// end the run
// cold: what leads to them is kept out of the way of the steps
__attribute__((cold)) void walk_run_stop(walk_job* r, walk_status status, const char* reason);
__attribute__((cold)) void walk_run_give_up(walk_job* r, const char* reason);
// coordinates that no longer tell places apart at the state in the input block (folded.c), by name;
// how many
int walk_folded_name(engine* e, base_text* out);
// need.c: are contacts slow event by event? It is told once, or ends the run where another way may
// be taken
void walk_need_look(walk_job* r);
// a run by the options as they are
walk_track* walk_run_plainly(mech_system* s, const walk_options* o, base_notes* notes);

// delays.c: what is delayed, along a piece of the last step, or of a motion given by its states
typedef void (*walk_states_of)(void* context, double t, double* y);
void walk_delay_along(walk_job* r, double from, double to);
void walk_delay_record(walk_job* r, double from, double to, walk_states_of states, void* context);
// What accumulates ends at its limit, in->until, without steps up to it: along the parabola that
// ends there, as its rows are.
void walk_delay_limit(walk_job* r, const walk_instant* in);
// breaks of it that are due; how the motion goes on from an instant
void walk_delay_due(walk_job* r, double t, walk_found_list* list);
// the next break before `limit`; one at that instant, but for rounding, comes with it
double walk_delay_before(const walk_job* r, double limit);
void walk_delay_go_on(walk_job* r, const walk_instant* in);

walk_energy walk_run_energy(walk_job* r); // at the engine's state
void walk_run_note_residuals(walk_job* r);
void walk_run_note_energy(walk_job* r, const double* y);
// their sizes alone, at an instant inside a step
void walk_run_see_energy(walk_job* r, walk_energy now, double work);
// the same, of energies and residuals that are known
void walk_run_keep_energy(walk_job* r, walk_energy now, double work);
void walk_run_keep_residuals(walk_job* r, const double* position, const double* velocity);

// Trust: reasons for doubt go to the track and the notes; the help says what may mend it (trust.c)
void walk_trust_energy(walk_job* r, double allowed, const char* help);
void walk_trust_constraints(walk_job* r, const char* help);
void walk_trust_sides(walk_job* r, const char* help);
// the size of a place (level 0) or speed by which its digits are counted: what was seen of it, or,
// where nothing moves it, what it could have been
double walk_trust_rest(const walk_job* r, int coord, int level);
// laws of contacts that the impulses of time-stepping do not obey to the tolerance
void walk_trust_laws(walk_job* r, const char* help);

void walk_run_note_accelerations(walk_job* r);
// the caller's progress function is asked; false where it has ended the run
bool walk_run_asks(walk_job* r, double t, double step, long steps);
// bring the end of the last step back to the constraints, and note what it is worth
void walk_run_finish_step(walk_job* r);

// Where the method goes on from ends of steps alone, and something of what was found at one instant
// of the last step, behind time `from` of it, changes the motion: the step is made to end there,
// the instant is where it then lies. True if so.
bool walk_run_cut(walk_job* r, double from, walk_found* found, int count);

// rows due in the last step up to a time of it, and curves from one time to another
void walk_run_rows_up_to(walk_job* r, double until, bool to_the_end);
void walk_run_curves_up_to(walk_job* r, double from, double until);
void walk_run_add_row(walk_job* r, double t, const double* y, int event);

// Whatever was found at one instant of a step happens there, and what follows from it at once; true
// if the step ends there.
bool walk_run_happen(walk_job* r, const walk_found* found, int count);
// what the restart at an instant has brought about happens, until nothing more does
void walk_run_follow_up(walk_job* r);
// once more of this kind at t: has it happened there too often? then the run is over
bool walk_run_idles(walk_job* r, walk_kind kind, double t);
// the event at the state y is kept with its row; `name` where it is not one of the model
void walk_run_remember(walk_job* r, const walk_found* found, const char* name, const double* y);
// the same for the row recorded last
void walk_run_keep(walk_job* r, const walk_found* found, const char* name);
// keep what the last decision changed for each of them; tell it, with the state after it
void walk_contact_note(walk_job* r);
void walk_contact_tell(walk_job* r, double t, const double* y);
// what friction does since the instant was entered, where it is one of the jumps of the forces
void walk_contact_slips(walk_job* r, const walk_instant* in);
// Where forces have jumped: contacts that would pull now are decided anew; those that bounce all
// but no more come to rest. 0, or 1 with the reason
int walk_contact_follow(walk_job* r, walk_instant* in);
// slip in space, or of surfaces, that has come to an end with the last step, into `out`
void walk_slip_ended(walk_job* r, walk_found_list* out);
void walk_grips_ended(walk_job* r, walk_found_list* out);
// is the end of the stage under way reached at a state?
bool walk_stage_is_over(walk_job* r, double t, const double* y);
// Of a run whose end is not known as a time: how far the next step may go, a time by which any end
// is expected, and the end of patience.
double walk_open_next(const walk_job* r);
double walk_open_far(const walk_job* r);
void walk_open_watch(walk_job* r);
// no step is possible any more since the branch followed ends: go on along another, or stop
__attribute__((cold)) void walk_run_branch_lost(walk_job* r);
// start the steps anew at the engine's state, what that brings about is in r->watch->followed;
// false when the run is over
bool walk_run_restart(walk_job* r, double t, double work);
// before what may jump at t: values of the events, compared behind the restart
void walk_run_keep_before(walk_job* r, double t, const double* y);
// events that passed zero by the jump at t, into w->followed
void walk_run_find_jumped(walk_job* r, double t);
// the next of the instants that are known as times: the end of the stage, samples, ends of bounces
static inline double walk_run_due(const walk_job* r)
{
  const double first = r->sample_next < r->stage_until ? r->sample_next : r->stage_until;
  return r->watch->rest_next < first ? r->watch->rest_next : first;
}
// the last stage is at its end, and `run` of the model keeps it going: told once
void walk_run_tell_stage_over(walk_job* r, double t);

// ---- flights ------------------------------------------------------------------------------------

// the bodies and gaps of the model at the engine's state; why it cannot go by flights, or null
const char* walk_flights_open(walk_job* r);
// who makes the steps; what the last one is worth; the end
void walk_flights_prepare(walk_job* r);
void walk_flights_note(walk_job* r);
void walk_flights_free(walk_flights* f);

// ---- changes ------------------------------------------------------------------------------------

// Carry out a change (stage or event) at the state in the input block; e->q, e->v, params and
// active constraints become those after it. 0, or 1 with an error noted.
// bounce_limits.c: limits of impacts that accumulate, of contacts that are held until then: of one
// from now on; those due at t are listed; what a decision before it says of the contact
void walk_limit_open(walk_events* w, const engine* e);
void walk_limit_set(walk_job* r, int i, double t);
void walk_limit_due(walk_job* r, double t, walk_found_list* list);
contact_change walk_limit_change(walk_job* r, int i, contact_change now);
// samples.c: those due at the start are taken; those due at t are listed; one was taken
void walk_sample_open(walk_job* r);
void walk_sample_plan(walk_job* r);
bool walk_sample_start(walk_job* r);
void walk_sample_due(walk_job* r, double t, walk_found_list* list);
// is that all that was found at an instant?
bool walk_sample_alone(const walk_job* r, int count, const walk_found* found);
void walk_sample_taken(walk_job* r, int i);

int walk_change(engine* e, const model_change* c, base_notes* notes);
// The same for params given with the run; refused where a place would have to jump.
int walk_change_given(engine* e, const double* number, base_notes* notes);
