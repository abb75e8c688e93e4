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
// the start of a run from its params (bundle_start.c)
bool sweep_build_start(sweep_builder* w);
