// Private to mech: the derivation of systems of many coordinates, row by row.
#pragma once

#include "mech/form.h"

// M, h, G, F, A, c, f0, f1 and the roles, in a time that grows with what they hold; p: momenta,
// EXPR_NONE where they were not needed
void mech_sparse_fill(mech_system* s, expr* p);
// is T quadratic in the velocities?
bool mech_is_quadratic(const mech_system* s);
// M and A as full matrices too, for what works on those
void mech_sparse_spread(mech_system* s);
// Few coordinates: their matrices by rows as well, where that is worth it and no position can make
// the constraints dependent.
void mech_sparse_thin(mech_system* s);
// a division by the number zero anywhere?
bool mech_sparse_whole(const mech_system* s);
