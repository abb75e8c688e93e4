// Declared integrals of the motion. Private to sim.
#pragma once

#include "walk/run.h"

// a run: before the first step, after a jump of state or params, after each step; the engine holds
// the state
void sim_integrals_start(sim_job* r);
void sim_integrals_jump(sim_job* r);
void sim_integrals_note(sim_job* r);
// the same, of values and sizes that are known, `apart` from each other
void sim_integrals_keep(sim_job* r, const double* value, int apart);
