// Private to geom: maps that the model itself gives.
#pragma once

#include "geom/embedding.h"

enum { GEOM_SQUARES = 64 }; // most functions of such a map

// sqrt(mass) times the places of all masses, as functions of the space's coordinates into x; 0
// where there are none, too many, or more to T than masses and constants
int geom_masses_places(const geom_space* s, expr* x);
