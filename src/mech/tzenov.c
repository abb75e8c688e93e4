// Tzenov's equations of the second kind: from the second time derivative of the kinetic energy.
#include "mech/closure.h"

// T'' = d2T/dt2 as a function of t, q, q', q'', q''':
//   P = (T'' - 3 sum_i (dT/dq_i) q_i'')/2,   R = P - sum_i G_i q_i''
// with dT/dq_i not differentiated by q''. Then dP/dq_i'' = E_i, Lagrange's left side; q''' stands
// in T'' only as (dT/dq_i') q_i''' and drops out. Do Shan (1973), section 3, with errata D23-D29
// (as printed, P has dT/dq_i' in place of dT/dq_i and is wrong):
//   multipliers   dR/dq_i'' = sum_k Lambda_k A_ki
//   independent   dR/dq_v'' + sum_h g_hv dR/dq_h'' = 0
//   pseudo        sum_i (dR/dq_i'') dq_i''/dpi_v'' = 0

// the part of R with accelerations: R = sum_ij M_ij a_i a_j / 2 + sum_i (h_i - G_i) a_i + ...
static expr readable(const mech_system* s, const mech_sides* sides)
{
  expr_pool* p = s->pool;
  expr sum = s->zero[0];
  for (int i = 0; i < s->n; i++) {
    expr half = mech_dot(p, s->n, sides->M + i * s->n, 1, s->a, 1);
    half = expr_mul(p, expr_ratio(p, 1, 2), half);
    half = expr_add(p, half, expr_sub(p, sides->h[i], sides->G[i]));
    sum = expr_add(p, sum, expr_mul(p, s->a[i], half));
  }
  return mech_tidy(s, sum);
}

static mech_sides sides_of(mech_equations* e, const mech_system* s)
{
  expr_pool* p = s->pool;
  const model* m = s->model;
  int n = s->n;
  expr *P = mech_take(e->arena, n), *Tq = mech_take(e->arena, n);
  expr second = mech_total(s, mech_total(s, m->T));
  expr_gradient(p, second, n, s->a, P);
  expr_gradient(p, m->T, n, s->q, Tq);
  for (int i = 0; i < n; i++) {
    P[i] = expr_sub(p, P[i], expr_mul(p, expr_int(p, 3), Tq[i]));
    P[i] = expr_mul(p, expr_ratio(p, 1, 2), P[i]);
  }
  mech_sides_of_turning(s, P);
  mech_sides sides = mech_sides_from(s, P, e->arena);
  if (!s->small) return sides;
  mech_add_definition(e, "T", mech_name_symbol(s, e->arena, "T", ""), mech_tidy(s, m->T));
  mech_add_definition(e, "T''", mech_name_symbol(s, e->arena, "T", "''"), mech_tidy(s, second));
  mech_add_definition(e, "R", mech_name_symbol(s, e->arena, "R", ""), readable(s, &sides));
  return sides;
}

static mech_equations* derive(mech_system* s, const mech_choice* choice, base_notes* notes)
{
  (void)choice;
  mech_equations* e = mech_equations_new(&mech_form_tzenov);
  mech_sides sides = sides_of(e, s);
  mech_close_multipliers(e, s, &sides);
  return mech_equations_finish(e, s, notes);
}

static mech_equations* derive_independent(mech_system* s, const mech_choice* choice,
                                          base_notes* notes)
{
  mech_equations* e = mech_equations_new(&mech_form_tzenov_independent);
  mech_sides sides = sides_of(e, s);
  mech_close_independent(e, s, &sides, choice, notes);
  return mech_equations_finish(e, s, notes);
}

static mech_equations* derive_pseudo(mech_system* s, const mech_choice* choice, base_notes* notes)
{
  mech_equations* e = mech_equations_new(&mech_form_tzenov_pseudo);
  mech_sides sides = sides_of(e, s);
  mech_close_pseudo(e, s, &sides, choice, MECH_ACCELERATIONS_FIRST, notes);
  return mech_equations_finish(e, s, notes);
}

const mech_form mech_form_tzenov = {
    .name = "tzenov",
    .aliases = "tzenov:multipliers",
    .title = "Tzenov's equations with multipliers",
    .needs = "T and its second time derivative; any constraints; "
             "singular where Lagrange's equations are",
    .curved = true,
    .speeds = MECH_ANGULAR,
    .unsuited = mech_suits_all,
    .derive = derive,
};

const mech_form mech_form_tzenov_independent = {
    .name = "tzenov:independent",
    .aliases = "",
    .title = "Tzenov's equations, dependent accelerations eliminated",
    .needs = "T and its second time derivative; constraints solved for the accelerations of some "
             "coordinates; singular where these do not determine them",
    .curved = true,
    .speeds = MECH_ANGULAR,
    .unsuited = mech_suits_all,
    .derive = derive_independent,
};

const mech_form mech_form_tzenov_pseudo = {
    .name = "tzenov:pseudo",
    .aliases = "",
    .title = "Tzenov's equations along pseudo-accelerations",
    .needs = "T and its second time derivative; pseudo-accelerations or quasi-velocities as "
             "declared or chosen, singular where their gradients and those of the constraints "
             "become dependent",
    .curved = true,
    .speeds = MECH_AS_DECLARED,
    .unsuited = mech_suits_all,
    .derive = derive_pseudo,
};
