// A run under way, shared by the files that make it. Private to sim.
#pragma once

#include "sim/record.h"
#include "sim/watch.h"

// H = sum q' dT/dq' - T + V, kinetic energy, and E = T + V
typedef struct sim_energy
{
  double H, T, E;
} sim_energy;

// an integral under way: its value after the last jump, its largest change and size since
typedef struct sim_held_integral
{
  double from, off, size;
} sim_held_integral;

typedef struct sim_moreau sim_moreau;
typedef struct sim_ends sim_ends;

typedef struct sim_job
{
  mech_system* s;
  sim_engine* e;
  sim_flow* f;
  sim_abreast* abreast; // made for this run, else null
  sim_ends* ends;       // ends of steps are noted several at a time; else null
  bool placed;          // the engine's state is the end of the last step, on the constraints
  num_stepper* stepper;
  sim_record* record;
  sim_watch* watch;
  sim_track* track;
  const sim_options* o;
  base_notes* notes;
  double t_end;
  int stage;           // under way, -1 when the model has none
  double stage_until;  // known end of it, infinity if not known
  double *y, *y_start; // work space; the state at the start
  sim_energy start;
  double jumps;       // of H
  double last_change; // when velocities or params last changed at once
  int idle_changes;   // changes without progress of time
  double last_corner; // when a force last turned a corner
  int corners;        // corners without progress of time
  double milestone;   // time and steps when progress was last looked at
  long milestone_steps;
  double longest_step; // of systems that depend on time by themselves
  int just_changed;    // event that set the state at the start of this step, -1
  double approach;     // rate at which its value came to zero
  int rapid;           // changing events in a row that followed at once
  double usual_step;   // the last one away from singular positions
  double* before;      // values of the watches before the first change at the instant before_t
  double before_t;
  double instant;         // inside the last step, of what happens there; nan
  bool may_change_method; // it was chosen, not asked for
  bool told_ambiguous;    // that a law of resistance admits several motions
  bool told_gained;       // that a law of impact gave energy
  sim_held_integral* integral;
  double* integral_out; // value and size of each
  sim_moreau* moreau;   // the run goes by time-stepping; else null
  double work;          // then that of the forces, and values of the events
  double* watched;
  bool by_impulses; // by time-stepping
  bool over;
} sim_job;

// A run in three parts, each of which may take the longest: all that is made before its first step
// (s, o and notes are given; false with errors noted), its steps, and the end, where the track
// stays.
bool sim_run_open(sim_job* r);
void sim_run_steps(sim_job* r);
void sim_run_close(sim_job* r);
// before the first step: span, rows, method, initial state; false with errors noted
bool sim_run_prepare(sim_job* r);
// of that, the span of the run and the times of its rows
bool sim_run_span(sim_job* r);
bool sim_run_rows(sim_job* r);
void sim_run_warn_redundant(sim_job* r);
void sim_run_begin_stage(sim_job* r, int stage);
// warn, once, where more than one motion was found possible
void sim_run_warn_laws(sim_job* r, double t);

// end the run
void sim_run_stop(sim_job* r, sim_status status, const char* reason);
void sim_run_give_up(sim_job* r, const char* reason);

sim_energy sim_run_energy(sim_job* r); // at the engine's state
void sim_run_note_residuals(sim_job* r);
void sim_run_note_energy(sim_job* r, const double* y);
// the same, of energies and residuals that are known
void sim_run_keep_energy(sim_job* r, sim_energy now, double work);
void sim_run_keep_residuals(sim_job* r, const double* position, const double* velocity);

// Trust: reasons for doubt go to the track and the notes; the help says what may mend it (trust.c)
double sim_trust_allowed(double tolerance); // of the energy balance
void sim_trust_energy(sim_job* r, double allowed, const char* help);
void sim_trust_constraints(sim_job* r, const char* help);

// rows
void sim_run_add_row(sim_job* r, double t, const double* y, int event);

// what was found at one instant of a step happens; true if the step ends there
bool sim_run_happen(sim_job* r, const sim_found* found, int count);
// the event at the state y is kept with its row; `name` where it is not one of the model
void sim_run_remember(sim_job* r, const sim_found* found, const char* name, const double* y);
// the same for the row recorded last
void sim_run_keep(sim_job* r, const sim_found* found, const char* name);
// unilateral constraints at their limit: impacts, and which of them hold from here on
void sim_run_contact(sim_job* r, const sim_found* found, int count, const double* y);
// keep what the last decision changed for each of them; tell it, with the state after it
void sim_contact_note(sim_job* r);
void sim_contact_tell(sim_job* r, double t);
// where forces have jumped: contacts that would pull now are decided anew. 0, or 1 with the reason
int sim_contact_follow(sim_job* r);
// the corners among what was found: on their other side, or held there
int sim_run_meet_corners(sim_job* r, const sim_found* found, int count);
// at the end of a step: slip in space that has come to an end
bool sim_contact_step(sim_job* r);
// the least of Gauss's function passes to another branch at t
void sim_run_change_branch(sim_job* r, double t, const double* y);
// no step is possible any more since the branch followed ends: go on along another, or stop
void sim_run_branch_lost(sim_job* r);
// start the steps anew at the engine's state; false when the run is over
bool sim_run_restart(sim_job* r, double t, double work);
// before what may jump at t: values of the events, compared behind the restart
void sim_run_keep_before(sim_job* r, double t, const double* y);
// the stage under way is over at t
void sim_run_change_stage(sim_job* r, double t, const double* y);
