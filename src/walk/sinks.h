// What is kept of a run as it goes: a table of sinks, told at fixed moments. Private to walk.
#pragma once

#include "walk/instant.h"

// Moments that mean nothing to a sink are null. None of them changes a step.
typedef struct walk_sink
{
  const char* name;
  void (*open)(walk_job* r);                  // the engine stands at the start, as r->y_start
  void (*met)(walk_job* r);                   // the end of a step was put on the constraints
  void (*step)(walk_job* r, const double* y); // the engine stands at y, the end of a step or run
  // the last step is known from one time to another, at which something happens or the step ends
  void (*along)(walk_job* r, double from, double to, bool ends);
  void (*enter)(walk_job* r);  // the engine stands at an instant, before what happens there
  void (*before)(walk_job* r); // something is set at the engine's state
  void (*jump)(walk_job* r, const walk_instant* in); // and was set, struck or let go
  // what was found at an instant, at the state y; `name` where it is not an event of the model
  void (*happening)(walk_job* r, const walk_found* found, const char* name, const double* y);
  void (*turn)(walk_job* r); // once more around the loop
} walk_sink;

// each of them is told
void walk_sinks_open(walk_job* r);
void walk_sinks_met(walk_job* r);
void walk_sinks_step(walk_job* r, const double* y);
void walk_sinks_along(walk_job* r, double from, double to, bool ends);
void walk_sinks_enter(walk_job* r);
void walk_sinks_before(walk_job* r);
void walk_sinks_jump(walk_job* r, const walk_instant* in);
void walk_sinks_happening(walk_job* r, const walk_found* found, const char* name, const double* y);
void walk_sinks_turn(walk_job* r);
