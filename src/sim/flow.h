// The motion as a first-order system for the integrators. Private to sim.
#pragma once

#include "sim/engine.h"

// y = (q, u, work). u are quasi-velocities u = C v, as many as the constraints leave free (the rest
// of their n places stays zero), chosen at some state and kept until the choice grows poor; where
// they do not serve (constraints nonlinear in the velocities, implicit methods) u = v. The work of
// the forces is carried along for the energy balance and steers no step.
typedef struct sim_series sim_series;
typedef struct sim_fused sim_fused;
typedef struct sim_wide sim_wide;
typedef struct sim_abreast sim_abreast;

typedef struct sim_flow
{
  sim_engine* e;
  num_ode ode;
  int rows0; // position rows of the implicit form
  bool reduced;
  bool full;     // asked for: u = v always
  bool settling; // states inside the present step are put on the constraints first
  int l;
  double* C;              // l by n, row-major
  const sim_fused* fused; // u are velocities, and y' is found by one kernel; else null
  int effort;             // that was worth when the choice was made
  double* CZ;             // work space: l by l
  int* pivot;
  double* abs_tol;
  bool* quiet; // components that do not steer the step
  double tolerance;
  double seen[2];       // largest position and velocity so far: the scale of the absolute tolerance
  double scaled[2];     // what it is scaled by
  sim_series* series;   // for methods that take power series, else null
  sim_wide* wide;       // the run has twice the digits, else null
  sim_wide* levels;     // the steps meet the constraints themselves, with twice the digits
  sim_abreast* abreast; // for methods that take states side by side, else null
  double quality;       // of the choice at the state loaded last: 1 where it was made, 0 singular
  double best;          // least pivot of C Z where it was made
  double least;         // quality below which another choice is better
} sim_flow;

// full: keep u = v, for methods that take the implicit form
sim_flow* sim_flow_new(sim_engine* e, double tolerance, bool full);
// choose the quasi-velocities anew at the engine's state; also after the active constraints changed
int sim_flow_rebase(sim_flow* f);
// is another choice better at the state loaded last?
bool sim_flow_is_poor(const sim_flow* f);
// let the absolute tolerance follow the size of the motion, seen at a state y of it
void sim_flow_scale(sim_flow* f, const double* y);
// the engine's state as the flow's y
void sim_flow_store(const sim_flow* f, double work, double* y);
// states by the kernels of this from here on, where the flow has u = v
void sim_flow_take_kernel(sim_flow* f, sim_abreast* abreast);
// no more states by one kernel from here on
void sim_flow_leave_kernel(sim_flow* f);
// decide, with the engine at the start of a step, how its stages are evaluated
void sim_flow_before_step(sim_flow* f);
// the flow's y as the engine's state; 0, or 1 with the engine's reason
int sim_flow_load(sim_flow* f, double t, const double* y);
