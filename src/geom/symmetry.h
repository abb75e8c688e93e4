// Private to geom: directions along which the metric does not change.
#pragma once

#include "geom/space.h"

// For two coordinates: c with sum c_i d g_ab / d q_i = 0 identically, proved; the larger of its
// entries is 1 and `along` its number. False where there is none with constant entries.
bool geom_symmetry_find(const geom_space* s, double* c, expr* exact, int* along);
