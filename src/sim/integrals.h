// Declared integrals of the motion. Private to sim.
#pragma once

#include "sim/run.h"

int sim_integral_count(const model* m);
const model_output* sim_integral_at(const model* m, int which);

// a run: before the first step, after a jump of state or params, after each step; the engine holds
// the state
void sim_integrals_start(sim_job* r);
void sim_integrals_jump(sim_job* r);
void sim_integrals_note(sim_job* r);
// the same, of values and sizes that are known, `apart` from each other
void sim_integrals_keep(sim_job* r, const double* value, int apart);

// dI/dt along the motion, relative to the sum of its terms' sizes; the engine holds the state and
// its accelerations
double sim_integral_rate(sim_engine* e, const model_output* x);
