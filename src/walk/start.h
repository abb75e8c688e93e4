// The equations of an initial state. Private to walk.
#pragma once

#include "engine/engine.h"

// one scalar equation and where it comes from
typedef struct walk_start_origin
{
  expr f;
  base_place place;
  const char* constraint; // its name, or null for an initial equation
  bool holds_velocity;
} walk_start_origin;

typedef struct walk_start_problem
{
  engine* e;
  int count;
  walk_start_origin* eq;
  // the equations and unknowns of the present attempt
  int rows, unknowns;
  int* row;            // numbers into eq
  int offset;          // first unknown: 0 positions, n velocities
  code_kernel* kernel; // F of all equations, then J of all equations by q and v
  double* out;
  double* scratch;
  double* weight; // 2n
  num_rows J;     // many coordinates: pattern of the derivatives by q and v
} walk_start_problem;

// why no state was found: what is off at the engine's state, the nearest one
void walk_start_report(walk_start_problem* p, base_notes* notes);
