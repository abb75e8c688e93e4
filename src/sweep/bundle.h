// What many runs side by side need: kernels of params and states. Private to sweep.
#pragma once

#include "contact/contact.h"
#include "engine/engine.h"
#include "sweep/settle.h"
#include "sweep/sweep.h"

// Inputs of rates and results: t, q (n), u (l), the params that differ (axes); of starts: the
// latter alone.
struct sweep_bundle
{
  int n, l, m, axes, columns;
  int rows; // equations that the start must meet
  double tolerance;
  bool by_time;        // the equations hold the time by itself: steps are bounded
  int width;           // lanes
  code_kernel* rates;  // u' (l), guard, q' (n), the power of the forces, what must stay above zero
  int* row;            // step_lanes_problem.row
  code_kernel* stages; // of a step, made of them; null: they are too long for that
  bool pairs;          // two blocks of lanes at once
  int work;            // where the power is; -1: they do no work
  int watch, watches;  // and the latter
  sweep_settle settle; // where u are all velocities: what puts steps on the constraints
  code_kernel* start;  // t_from, t_to, q (n), u (l), what is left of each equation of the start
                       // (rows), what must not be negative (bounds)
  int bounds;
  code_kernel*
      nearest;         // velocities put on the constraints: changes (free), guard, u, left; or null
  int free;            // velocities that may change
  code_kernel* energy; // H, T at a state
  double allowed;      // of the energy balance: a run that is off by more goes the ordinary way
  code_kernel* results; // `before` outputs, a guard if any, then the columns
  int events;           // of the model, where they are watched
  code_kernel* looks;   // their values; null: none
  bool* stops;          // per event: it ends the run
  int* jump;            // per event: its number among those that change the state, -1
  int jumps;            // how many those are
  code_kernel* changed; // q, u behind each of them; null: none
  int* direction;
  int before; // outputs in front of the columns, the last of them the guard; 0: none
};

// of sweep_bundle_new: the kernels; false with *why
bool sweep_bundle_build(sweep_bundle* b, engine* e, const walk_options* o, const int* param,
                        const int* column, bool events, const char** why);
