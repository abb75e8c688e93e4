// Maggi's equations: the motion along independent quasi-velocities, reactions apart from it.
#include "mech/closure.h"

// sum_s (E_s - G_s) dq_s'/dv_lambda = 0,         lambda = 1..l   Kondrenkina (2018), I(3.17)
// Lambda_kappa = sum_s (E_s - G_s) dq_s'/df_kappa                  I(3.18)
// with E_s = d/dt dT/dq_s' - dT/dq_s and G_s the force; Maggi (1896) for linear constraints,
// Przeborski (1931) for nonlinear ones of first order and linear ones of second.
// Unknown are the q'' alone.

static mech_equations* derive(mech_system* s, const mech_choice* choice, base_notes* notes)
{
  mech_equations* e = mech_equations_new(&mech_form_maggi);
  mech_sides sides = mech_sides_lagrange(s);
  mech_close_pseudo(e, s, &sides, choice, MECH_VELOCITIES_FIRST, notes);
  return mech_equations_finish(e, s, notes);
}

const mech_form mech_form_maggi = {
    .name = "maggi",
    .aliases = "lagrange:pseudo",
    .title = "Maggi's equations",
    .needs =
        "independent constraints; quasi-velocities as declared or chosen, singular where their "
        "gradients and those of the constraints become dependent",
    .curved = true,
    .speeds = MECH_AS_DECLARED,
    .unsuited = mech_suits_all,
    .derive = derive,
};
