// The kernels of a bundle while they are made. Private to sweep.
#pragma once

#include "sweep/bundle.h"

typedef struct sweep_builder
{
  sweep_bundle* b;
  engine* e;
  const mech_system* s;
  expr_pool* pool;
  base_arena* arena;
  const mech_reduction* r;
  bool whole; // u are all velocities
  const walk_options* o;
  const int* param;
  bool events;
  int inputs;
  expr* input; // t, q, u, params
  int fixed;   // params that are numbers, and rates that are zero
  expr *from, *to;
} sweep_builder;

// smallest share of itself a pivot may be reduced to
extern const double sweep_build_pivot;
expr* sweep_build_take(const sweep_builder* w, int count);
// fixed params as numbers, rates of the others as zero; false where one divides by zero
bool sweep_build_fix(const sweep_builder* w, int count, expr* list);
// the same in u in place of q'
bool sweep_build_reduce(const sweep_builder* w, int count, expr* list);
// the start of a run from its params (bundle_start.c): null, or why it is not found so; its
// kernels; expressions as they are there
const char* sweep_build_start_obstacle(const sweep_builder* w);
bool sweep_build_start(sweep_builder* w);
bool sweep_build_at_start(const sweep_builder* w, int count, expr* list);
// events that are located, and what they do (bundle_events.c): null, or why not; their kernels
const char* sweep_build_events_obstacle(const sweep_builder* w);
bool sweep_build_events(sweep_builder* w);
// all velocities, with multipliers (bundle_whole.c): null, or why not; the velocities as their own
// quasi-velocities; rates and what puts steps on the constraints
const char* sweep_build_whole_obstacle(const sweep_builder* w);
const mech_reduction* sweep_build_whole(const sweep_builder* w);
bool sweep_build_whole_rates(sweep_builder* w);
