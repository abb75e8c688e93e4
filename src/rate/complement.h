// Velocities from quasi-velocities by what was found where these were chosen. Private to rate.
#pragma once

#include "rate/rate.h"

// With the choice just made, C and the basis in the engine's Z and null: what goes with it.
void rate_complement_make(rate_flow* f);
// another choice is made
void rate_complement_leave(rate_flow* f);
// The engine's velocities from u at a state that a step tries. False where another way is needed:
// the choice is old, or near to being singular; then nothing is said of them.
bool rate_complement_velocities(rate_flow* f, const double* u);
