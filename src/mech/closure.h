// Private to mech: the three ways to close the equations of a base.
#pragma once

#include "mech/basis.h"
#include "mech/split.h"

// each adds the equations of motion, the constraints, unknowns, residuals and reactions
void mech_close_multipliers(mech_equations* e, const mech_system* s, const mech_sides* sides);
void mech_close_independent(mech_equations* e, const mech_system* s, const mech_sides* sides,
                            const mech_choice* choice, base_notes* notes);
void mech_close_pseudo(mech_equations* e, const mech_system* s, const mech_sides* sides,
                       const mech_choice* choice, mech_basis_kind kind, base_notes* notes);
// quasi-velocities by q', then q' by quasi-velocities
void mech_define_quasi(mech_equations* e, const mech_system* s, const mech_basis* b);
// suits every model
const char* mech_suits_all(const mech_system* s, base_arena* arena);
