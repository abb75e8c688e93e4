// Declared integrals of the motion. Private to walk.
#pragma once

#include "walk/run.h"

// a run: before the first step, after a jump of state or params, after each step; the engine holds
// the state
void walk_integrals_start(walk_job* r);
void walk_integrals_jump(walk_job* r);
void walk_integrals_note(walk_job* r);
// the same, of values and sizes that are known, `apart` from each other
void walk_integrals_keep(walk_job* r, const double* value, int apart);
