// Private to mech: pseudo-accelerations, and q'' in terms of them.
#pragma once

#include "mech/basis.h"

// pi_v'' = meaning_v(t, q, q', q''), v = 1..l, and with the constraints q'' = Z pi'' + k.
// Do Shan (1973), 1.4 with (1.12) not zero.
typedef struct mech_pseudo
{
  mech_basis* b;
  expr* pi;      // l symbols: w1, v', or q'' of a coordinate
  expr* meaning; // l
  expr* speed;   // l: the quasi-velocity it is the derivative of, in q'; EXPR_NONE if there is none
  expr* k;       // n
} mech_pseudo;

mech_pseudo* mech_pseudo_choose(const mech_system* s, const mech_choice* choice,
                                mech_basis_kind kind, base_arena* arena, base_notes* notes);
// row i of Z pi'' + k
expr mech_pseudo_acceleration(const mech_system* s, const mech_pseudo* u, int i);
// those that are not accelerations of coordinates as unknowns, with q'' = Z pi'' + k as residuals
void mech_pseudo_unknowns(mech_equations* e, const mech_system* s, const mech_pseudo* u);
