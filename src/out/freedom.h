// Degrees of freedom of a model at a state.
#pragma once

#include "out/out.h"

// is the constraint on at the start of the motion?
bool out_freedom_is_active(const model* m, int k);
// Coordinates less the independent position constraints. A velocity constraint takes no position
// away: even where it is integrable, which surface it means is left to the start.
int out_freedom_positions(const mech_system* s, const sim_point* p);
// coordinates less the rank of all constraints
int out_freedom_velocities(const mech_system* s, const sim_point* p);
