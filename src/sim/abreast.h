// Accelerations at eight states side by side, for methods that take them. Private to sim.
#pragma once

#include "sim/flow.h"

// why the motion of this system is not found by one kernel at its present state, or null
const char* sim_abreast_unsuited(sim_engine* e);
// num_ode.abreast of a flow with u = v (but for turns), in the engine's arena; the context of its
// functions is the flow
sim_abreast* sim_abreast_new(sim_engine* e, bool turning);
const num_abreast* sim_abreast_ode(const sim_abreast* s);
void sim_abreast_free(sim_abreast* s);        // what is not in the arena
bool sim_abreast_ready(const sim_abreast* s); // there is a kernel
// the kernel for the rows that are active now; also after they changed
void sim_abreast_rebase(sim_abreast* s);
// In the input block, put the velocities that the kernel eliminates or takes turned where the
// others want them; those eliminated also from there into y, where they are not integrated.
void sim_abreast_settle(sim_abreast* s);
void sim_abreast_put_back(const sim_abreast* s, double* y);
// the velocities of the engine's state as the kernel takes them, where they are turned
void sim_abreast_turn(sim_abreast* s, double* x);
// settle for input blocks side by side, as many as the processor has lanes
void sim_abreast_settle_lanes(sim_abreast* s, double* in);
bool sim_abreast_eliminates(const sim_abreast* s); // are there such velocities?
// do all constraints hold by what the kernel makes of the velocities? Those of positions do not.
bool sim_abreast_meets(const sim_abreast* s);
// What the kernel puts out: by coordinate its acceleration where it does not depend, its velocity
// where it does; guard and power (-1: none). A kernel that is null: there is none.
typedef struct sim_abreast_outputs
{
  const code_kernel* kernel;
  const bool* depends;
  const int *put, *put_rate;
  int guard, power;
} sim_abreast_outputs;
sim_abreast_outputs sim_abreast_now(const sim_abreast* s);
// y' at one state; false where the guard warns
bool sim_abreast_rates(sim_abreast* s, double t, const double* y, double* dy);
