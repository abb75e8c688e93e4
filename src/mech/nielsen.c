// Nielsen's equations: from the time derivative of the kinetic energy.
#include "mech/closure.h"

// T' = dT/dt as a function of t, q, q', q'' (linear in q''):
//   N_i = dT'/dq_i' - 2 dT/dq_i,   T' differentiated by q_i' at fixed q''
// is the left side of Lagrange's equations (Do Shan 1973, (2.1); errata D19-D21: the factor 2 comes
// from dw/dq_i' = 2 dv/dq_i). Closures (2.2): multipliers, independent, pseudo.

static mech_sides sides_of(mech_equations* e, const mech_system* s)
{
  expr_pool* p = s->pool;
  const model* m = s->model;
  int n = s->n;
  expr *N = mech_take(e->arena, n), *Tq = mech_take(e->arena, n);
  expr rate = mech_total(s, m->T);
  expr_gradient(p, rate, n, s->v, N);
  expr_gradient(p, m->T, n, s->q, Tq);
  for (int i = 0; i < n; i++) N[i] = expr_sub(p, N[i], expr_mul(p, expr_int(p, 2), Tq[i]));
  mech_sides_of_turning(s, N);
  if (s->small) {
    mech_add_definition(e, "T", mech_name_symbol(s, e->arena, "T", ""), mech_tidy(s, m->T));
    mech_add_definition(e, "T'", mech_name_symbol(s, e->arena, "T", "'"), mech_tidy(s, rate));
  }
  return mech_sides_from(s, N, e->arena);
}

static mech_equations* derive(mech_system* s, const mech_choice* choice, base_notes* notes)
{
  (void)choice;
  mech_equations* e = mech_equations_new(&mech_form_nielsen);
  mech_sides sides = sides_of(e, s);
  mech_close_multipliers(e, s, &sides);
  return mech_equations_finish(e, s, notes);
}

static mech_equations* derive_independent(mech_system* s, const mech_choice* choice,
                                          base_notes* notes)
{
  mech_equations* e = mech_equations_new(&mech_form_nielsen_independent);
  mech_sides sides = sides_of(e, s);
  mech_close_independent(e, s, &sides, choice, notes);
  return mech_equations_finish(e, s, notes);
}

static mech_equations* derive_pseudo(mech_system* s, const mech_choice* choice, base_notes* notes)
{
  mech_equations* e = mech_equations_new(&mech_form_nielsen_pseudo);
  mech_sides sides = sides_of(e, s);
  mech_close_pseudo(e, s, &sides, choice, MECH_ACCELERATIONS_FIRST, notes);
  return mech_equations_finish(e, s, notes);
}

const mech_form mech_form_nielsen = {
    .name = "nielsen",
    .aliases = "nielsen:multipliers",
    .title = "Nielsen's equations with multipliers",
    .needs = "T and its time derivative; any constraints; singular "
             "where Lagrange's equations are",
    .curved = true,
    .speeds = MECH_ANGULAR,
    .unsuited = mech_suits_all,
    .derive = derive,
};

const mech_form mech_form_nielsen_independent = {
    .name = "nielsen:independent",
    .aliases = "",
    .title = "Nielsen's equations, dependent accelerations eliminated",
    .needs = "T and its time derivative; constraints solved for the accelerations of some "
             "coordinates; singular where these do not determine them",
    .curved = true,
    .speeds = MECH_ANGULAR,
    .unsuited = mech_suits_all,
    .derive = derive_independent,
};

const mech_form mech_form_nielsen_pseudo = {
    .name = "nielsen:pseudo",
    .aliases = "",
    .title = "Nielsen's equations along pseudo-accelerations",
    .needs = "T and its time derivative; pseudo-accelerations or quasi-velocities as declared or "
             "chosen, singular where their gradients and those of the constraints become dependent",
    .curved = true,
    .speeds = MECH_AS_DECLARED,
    .unsuited = mech_suits_all,
    .derive = derive_pseudo,
};
