// The motion as a first-order system for the integrators. Private to sim.
#pragma once

#include "sim/engine.h"

// y = (q, v, work): the work of the forces is carried along for the energy balance and steers no
// step
typedef struct sim_flow
{
  sim_engine* e;
  num_ode ode;
  int rows0; // position rows of the implicit form
} sim_flow;

sim_flow* sim_flow_new(sim_engine* e, double tolerance);
// after the active constraints changed
void sim_flow_update(sim_flow* f);
// state of the flow into the engine's input block
void sim_flow_load(const sim_flow* f, double t, const double* y);
