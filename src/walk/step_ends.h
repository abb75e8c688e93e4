// The ends of steps, noted several side by side. Private to walk.
#pragma once

#include "walk/run.h"

// What is noted of the ends of a run by states side by side in which nothing happens on the way;
// null for other runs. In the engine's arena.
walk_ends* walk_ends_new(walk_job* r);
// the end of a step, with the state y of the flow; the engine's state is that, if it was put on the
// constraints
void walk_ends_add(walk_job* r, double t, const double* y);
// what was added since is noted
void walk_ends_note(walk_job* r);
