// Private to geom: the position constraint hidden in a velocity constraint.
#pragma once

#include "geom/pfaff.h"

// P with dP parallel to omega, so that omega = 0 says P = const; EXPR_NONE where none is found.
// omega is known to be integrable by itself.
expr geom_potential_find(const geom_pfaff* f, const expr* w);
