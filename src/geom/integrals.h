// Private to geom: what a motion keeps, as linear equations near a point.
#pragma once

#include "geom/jets.h"

geom_pde geom_integrals_positions(const geom_local* x);
geom_pde geom_integrals_linear(const geom_local* x);
geom_pde geom_integrals_quadratic(const geom_local* x);
geom_pde geom_integrals_measure(const geom_local* x);
geom_pde geom_integrals_symmetries(const geom_local* x);
// number of K_ab among the unknowns of quadratic ones
int geom_integrals_pair(int l, int a, int b);

// ---- invariant.c --------------------------------------------------------------------------------

// how many of the integrals all symmetries keep; -1: not known
int geom_invariant_count(const geom_local* x, const geom_jets* symmetries, const geom_jets* of,
                         bool quadratic);
// symmetries whose fields are constant
geom_jets geom_invariant_shifts(const geom_local* x, base_arena* arena);
// the equations of what these keep, too
geom_pde geom_invariant_under(const geom_local* x, const geom_jets* shifts, const geom_pde* of);
