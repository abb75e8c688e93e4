// Singular positions of the constraints, looked for in every step. Private to walk.
#pragma once

#include "walk/run.h"

typedef struct walk_singular walk_singular;

// null where no constraint binds velocities, or the run does not watch them
walk_singular* walk_singular_new(walk_job* r);
void walk_singular_free(walk_singular* w);
// Before a step: leaves a passage that was made, begins one where the constraints are about to lose
// rank. The time the step must not pass; the run may be over.
double walk_singular_before(walk_job* r);
// After a step: a singular position lies inside, and it was thrown away; true then
bool walk_singular_inside(walk_job* r);
// No step is possible any more: true if a singular position is why, and a passage was found or the
// run is over
bool walk_singular_blocks(walk_job* r);
// The end of a step cannot be put on the constraints: true if a singular position is why, and the
// run is over
bool walk_singular_lost(walk_job* r);
// the steps start anew from the engine's state: a passage under way is over
void walk_singular_restart(walk_job* r);
// End the run at the engine's state, where the constraints lose rank: what meets there
void walk_singular_stop(walk_job* r, engine_rank* k, double t);
