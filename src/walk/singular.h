// Singular positions of the constraints, looked for in every step. Private to walk.
#pragma once

#include "walk/passage.h"
#include "walk/run.h"

// Watches for singular positions during a run
struct walk_singular
{
  engine_rank* rank;
  walk_passage* passage; // made when first needed
  double t;              // the rows below belong to this time
  double *A, *A_before;  // rows there, and those noted before them
  int rows;
  double margin, before; // smallest singular value; the one noted before it
  double seen;           // largest of these so far
  double fastest;        // largest velocity at the start of a step near a position
  double change;         // of the rows between these two, its square
  double pivot;          // what the flow goes by: smallest pivot over the largest
  int level;             // of those below
  int worked;            // the one from which the last passage was made: none is tried before it
  double limit;          // for the next steps
  double ahead, rate;    // a passage is to be tried at once; nan
  double closing;        // the run ends at this time, shortly before a position; nan
  bool fresh;            // the steps have just started
  bool loaded;           // the engine is at the end of the last step, its levels evaluated
  double* y;             // state at the start of the step
  // of the usual steps, while a passage is made
  step_stepper* parked;
  rate_flow kept;
};

enum { WALK_SINGULAR_LEVELS = 8 };
// a state is at a position where its margin is less than this share of the largest met
static const double walk_at_position = 0.02;

// null where no constraint binds velocities, or the run does not watch them
walk_singular* walk_singular_new(walk_job* r);
void walk_singular_free(walk_singular* w);
// Before a step: leaves a passage that was made, begins one where the constraints are about to lose
// rank. The time the step must not pass; the run may be over.
double walk_singular_before(walk_job* r);
// After a step: a singular position lies inside, and it was thrown away; true then
bool walk_singular_inside(walk_job* r);
// No step is possible any more: true if a singular position is why, and a passage was found or the
// run is over
bool walk_singular_blocks(walk_job* r);
// The end of a step cannot be put on the constraints: true if a singular position is why, and the
// run is over
bool walk_singular_lost(walk_job* r);
// the steps start anew from the engine's state: a passage under way is over
void walk_singular_restart(walk_job* r);
// End the run at the engine's state, where the constraints lose rank: what meets there
void walk_singular_stop(walk_job* r, engine_rank* k, double t);

// ---- shared by the files of this subject --------------------------------------------------------

// Is there something to watch in the rows that hold now? Velocities that a kernel eliminates are
// watched by its guard.
static inline bool walk_singular_is_watched(const walk_job* r)
{
  return r->singular && r->e->mode.ranked && !r->f->meets;
}
// rows and margin at a state in the flow's terms; see: it is one of the motion
double walk_singular_margin_at(walk_job* r, double t, const double* y, bool see);
// the rows at the end of the last step, and how much they have changed since they were noted
void walk_singular_note(walk_job* r);
// the square of how much the rows looked at last differ from others
double walk_singular_change(const walk_singular* w, const double* since);
// the margin at which a passage is tried next; that below which its rate is looked at
double walk_singular_level(const walk_singular* w);
double walk_singular_near(const walk_singular* w);
