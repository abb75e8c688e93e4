// Events: what is watched during a step, and what was found in it. Private to sim.
#pragma once

#include "rate/rate.h"

// another branch becomes the least
enum { SIM_FOUND_BRANCH = -1000000000 };
// contact i of surfaces comes apart or meets again: SIM_FOUND_LEAVING + i
enum { SIM_FOUND_LEAVING = -500000000 };
// another point of its base becomes the nearest in flight: SIM_FOUND_FOOT + i
enum { SIM_FOUND_FOOT = -450000000 };
// its k-th grip begins to stick, or to slip: SIM_FOUND_STICKING + MODEL_GRIPS i + k
enum { SIM_FOUND_STICKING = -400000000 };

typedef struct sim_found
{
  int watch; // number of the event; events + stage for the end of a stage, then corners, then
             // unilateral constraints; -1 - k: constraint k
             // lost; SIM_FOUND_LEAVING + contact of surfaces; SIM_FOUND_BRANCH
  double t;
  int direction;
} sim_found;

typedef struct sim_watch
{
  sim_flow* flow;
  num_stepper* stepper;
  int count;    // events and stages; corners follow, then unilateral constraints
  int contacts; // unilateral constraints
  double* value;
  double* last; // when each fired, nan before
  double* y;
  double* gradient; // of a nonlinear constraint at the start of the step
  int looking_at;
  double tolerance;
  BASE_LIST(sim_found) found;
  double same; // times nearer than this are one instant
  double searched_to;
  // values of all events at times of this step already looked at: they share the first samples
  int cached;
  double* cache_t;
  double* cache;
  int corners_cached; // the same for all corners
  double *corner_t, *corner;
} sim_watch;

sim_watch* sim_watch_new(sim_flow* flow);
// value of one watch at a state
double sim_watch_value(sim_watch* w, int which, double t, const double* y);
// Everything found in the stepper's last step from time `from` on, into w->found, by time; stage is
// the one under way, -1 for none. Up to w->searched_to nothing is missing.
void sim_watch_step(sim_watch* w, num_stepper* s, double from, int stage);
void sim_watch_free(sim_watch* w);
// redundant.c: the first instant after `from` at which one of redundant contacts changes
void sim_redundant_look(sim_watch* w, double from);
// where another point is nearer in the last step from time `from` on, into w->found
void sim_foot_look(sim_watch* w, double from);
