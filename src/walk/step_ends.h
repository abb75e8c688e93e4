// The ends of steps, noted several side by side. Private to sim.
#pragma once

#include "walk/run.h"

// What is noted of the ends of a run by states side by side in which nothing happens on the way;
// null for other runs. In the engine's arena.
sim_ends* sim_ends_new(sim_job* r);
// the end of a step, with the state y of the flow; the engine's state is that, if it was put on the
// constraints
void sim_ends_add(sim_job* r, double t, const double* y);
// what was added since is noted
void sim_ends_note(sim_job* r);
