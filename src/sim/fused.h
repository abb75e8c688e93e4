// The right-hand side of a motion as one kernel. Private to sim.
#pragma once

#include "sim/flow.h"
#include "sim/turned.h"

// y' of the flow from the engine's input block: velocities and accelerations by elimination of the
// dependent velocities that were chosen when the kernel was made, and the power.
typedef struct sim_fused
{
  code_kernel* kernel;        // null where elimination was not safe when it was tried
  int effort;                 // with which it was made
  int rows, *row, *dependent; // active rows and the velocities they make dependent
  int l, *independent;
  bool brief;  // its outputs are those of sim_fused_abreast
  double* out; // a (n), guard, v (n), power
  double* scratch;
} sim_fused;

// How much work a kernel is worth after the evaluations made so far: none, a kernel, a kernel of
// equations that were simplified.
int sim_fused_effort(const sim_engine* e);
// The kernel for the velocities that the active constraints leave free at the engine's state, made
// where there is none yet; null where the equations are not those of one linear problem, are too
// large or too few were evaluated to be worth it, or where elimination is not safe at this state.
const sim_fused* sim_fused_choose(sim_engine* e);
// y' at (t, y); false where elimination is not safe there
bool sim_fused_rates(const sim_fused* f, sim_engine* e, double t, const double* y, double* dy);
void sim_fused_free(sim_engine* e);

// why there is no such kernel of this system with its present constraints, or null
const char* sim_fused_unsuited(sim_engine* e);
// A kernel that serves at every state: velocities are eliminated only where their columns of A are
// numbers (depends: which), some of them after a turn (rows: which) where turning is wanted, else
// all are taken as they are. Null: none. Its outputs: x' of what is not eliminated, guard, q' of
// what is or was turned, power if there is any.
code_kernel* sim_fused_abreast(sim_engine* e, bool turning, bool* depends, sim_rows* rows);
// by coordinate: its equations depend on it; returns whether they depend on time or changing params
bool sim_fused_needs(sim_engine* e, bool* coordinate);
