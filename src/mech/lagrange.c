// Lagrange's equations: with multipliers, and with the dependent accelerations eliminated.
#include "mech/closure.h"

// E_i = d/dt dT/dq_i' - dT/dq_i and G_i = Q_i - dV/dq_i:
//   multipliers   E_i = G_i + sum_k Lambda_k A_ki, i = 1..n      Kondrenkina (2018), I(3.20)
//   independent   E_v + sum_h g_hv E_h = G_v + sum_h g_hv G_h    Do Shan (1973), (1.16)
// with the constraints differentiated up to accelerations. Unknown are all q'', and all Lambda in
// the first. The third closure, along pseudo-accelerations, is Maggi's (maggi.c).

static mech_equations* derive(mech_system* s, const mech_choice* choice, base_notes* notes)
{
  (void)choice;
  mech_equations* e = mech_equations_new(&mech_form_lagrange);
  mech_sides sides = mech_sides_lagrange(s);
  mech_close_multipliers(e, s, &sides);
  return mech_equations_finish(e, s, notes);
}

static mech_equations* derive_independent(mech_system* s, const mech_choice* choice,
                                          base_notes* notes)
{
  mech_equations* e = mech_equations_new(&mech_form_lagrange_independent);
  mech_sides sides = mech_sides_lagrange(s);
  mech_close_independent(e, s, &sides, choice, notes);
  return mech_equations_finish(e, s, notes);
}

const mech_form mech_form_lagrange = {
    .name = "lagrange",
    .aliases = "lagrange:multipliers",
    .title = "Lagrange's equations with multipliers",
    .needs = "any constraints; singular where the mass matrix is "
             "singular along the admissible directions",
    .curved = true,
    .speeds = MECH_ANGULAR,
    .unsuited = mech_suits_all,
    .derive = derive,
};

const mech_form mech_form_lagrange_independent = {
    .name = "lagrange:independent",
    .aliases = "",
    .title = "Lagrange's equations, dependent accelerations eliminated",
    .needs = "independent constraints, solved for the accelerations of some coordinates; singular "
             "where these do not determine them",
    .curved = true,
    .speeds = MECH_ANGULAR,
    .unsuited = mech_suits_all,
    .derive = derive_independent,
};
