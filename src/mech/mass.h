// Private to mech: equations with the mass matrix.
#pragma once

#include "mech/form.h"

// is the determinant of M zero everywhere, as far as that can be proved?
bool mech_mass_is_singular(const mech_system* s);
// M X = B (n by k), block by block; what is divided by is assumed not to be zero
void mech_mass_solve(mech_equations* e, const mech_system* s, int k, const expr* B, expr* X);
