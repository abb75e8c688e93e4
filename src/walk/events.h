// Events: what is watched during a step, and what was found in it. Private to walk.
#pragma once

#include "rate/rate.h"

// another branch becomes the least
enum { WALK_FOUND_BRANCH = -1000000000 };
// contact i of surfaces comes apart or meets again: WALK_FOUND_LEAVING + i
enum { WALK_FOUND_LEAVING = -500000000 };
// another point of its base becomes the nearest in flight: WALK_FOUND_FOOT + i
enum { WALK_FOUND_FOOT = -450000000 };
// its k-th grip begins to stick, or to slip: WALK_FOUND_STICKING + MODEL_GRIPS i + k
enum { WALK_FOUND_STICKING = -400000000 };

typedef struct walk_found
{
  int watch; // number of the event; events + stage for the end of a stage, then corners, then
             // unilateral constraints; -1 - k: constraint k
             // lost; WALK_FOUND_LEAVING + contact of surfaces; WALK_FOUND_BRANCH
  double t;
  int direction;
} walk_found;

typedef struct walk_events
{
  rate_flow* flow;
  step_stepper* stepper;
  int count;    // events and stages; corners follow, then unilateral constraints
  int contacts; // unilateral constraints
  double* value;
  double* last; // when each fired, nan before
  double *y, *near;
  double* gradient; // of a nonlinear constraint at the start of the step
  int looking_at;
  double tolerance;
  BASE_LIST(walk_found) found;
  double same; // times nearer than this are one instant
  double searched_to;
  // values of all events at times of this step already looked at: they share the first samples
  int cached;
  double* cache_t;
  double* cache;
  int corners_cached; // the same for all corners
  double *corner_t, *corner;
} walk_events;

walk_events* walk_events_new(rate_flow* flow);
// value of one watch at a state
double walk_events_value(walk_events* w, int which, double t, const double* y);
// the same, 0 where it is no more than what the rounding of the state makes of it
double walk_events_clear_value(walk_events* w, int which, double t, const double* y);
// Everything found in the stepper's last step from time `from` on, into w->found, by time; stage is
// the one under way, -1 for none. Up to w->searched_to nothing is missing.
void walk_events_step(walk_events* w, step_stepper* s, double from, int stage);
void walk_events_free(walk_events* w);
// redundant.c: the first instant after `from` at which one of redundant contacts changes
void walk_redundant_look(walk_events* w, double from);
// where another point is nearer in the last step from time `from` on, into w->found
void walk_foot_look(walk_events* w, double from);
