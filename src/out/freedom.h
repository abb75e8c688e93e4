// Degrees of freedom of a model at a state.
#pragma once

#include "out/out.h"

// Coordinates less the independent position constraints, and less what constraints of velocities
// hold that are found to be integrable, alone or together: which surface they mean is left to the
// start. A start where gradients vanish does not count: g, if given, knows the rank near it.
int out_freedom_positions(const mech_system* s, const study_point* p, const geom_report* g);
// coordinates less the position and velocity constraints that do not depend on others
int out_freedom_velocities(const mech_system* s, const study_point* p);
