// Hamilton's equations with multipliers: momenta in place of velocities.
#include "mech/closure.h"
#include "mech/mass.h"

// p_i = dT/dq_i' = sum_j M_ij q_j' + p0_i,   H(t, q, p) = sum_i p_i q_i' - T + V with q' = q'(t, q,
// p):
//   H = 1/2 (p - p0) M^-1 (p - p0) - T0 + V,   T0 = T at q' = 0, and
//   q_i' = dH/dp_i,   p_i' = -dH/dq_i + Q_i + sum_k Lambda_k A_ki
// with the constraints at the level of accelerations. q'' comes from the first row, differentiated
// along the second: q'' = d/dt dH/dp with p' put in. Unknown are then q'' and Lambda.
//
// In large systems H is not differentiated: dH/dq_i = -dL/dq_i at q' = dH/dp, L = T - V, and the
// second row is taken with p' as the rate of what p means.

static const char* unsuited(const mech_system* s, base_arena* arena)
{
  (void)arena;
  for (int i = 0; i < s->n * s->n; i++)
    if (expr_has_any(s->pool, mech_mass(s)[i], s->n, s->v))
      return "the kinetic energy is not quadratic in the velocities";
  if (mech_mass_is_singular(s))
    return "the mass matrix is singular: the momenta do not determine the velocities";
  return NULL;
}

typedef struct work
{
  mech_system* s;
  mech_equations* e;
  expr *p, *pdot; // symbols
  expr* meaning;  // p in terms of q'
  expr *Hp, *Hq;  // derivatives of H
  expr* force;    // -dH/dq + Q + sum Lambda A, what p' is
  bool large;
} work;

static void momenta(work* w)
{
  const mech_system* s = w->s;
  base_arena* arena = w->e->arena;
  w->p = mech_take(arena, s->n);
  w->pdot = mech_take(arena, s->n);
  w->meaning = mech_take(arena, s->n);
  if (w->large)
    mech_gradient(s, s->model->T, s->v, w->meaning);
  else
    expr_gradient(s->pool, s->model->T, s->n, s->v, w->meaning);
  for (int i = 0; i < s->n; i++) {
    char* name = base_arena_printf(arena, "p_%s", s->model->coord[i].name);
    w->p[i] = mech_name_symbol(s, arena, name, "");
    w->pdot[i] = mech_name_symbol(s, arena, name, "'");
    w->meaning[i] = mech_tidy(s, w->meaning[i]);
    mech_add_definition(w->e, name, w->p[i], w->meaning[i]);
  }
}

static void hamiltonian(work* w)
{
  const mech_system* s = w->s;
  expr_pool* p = s->pool;
  base_arena* arena = w->e->arena;
  int n = s->n;
  expr *p0 = mech_take(arena, n), *x = mech_take(arena, n);
  w->Hp = mech_take(arena, n);
  w->Hq = mech_take(arena, n);
  expr_substitute_all(p, n, w->meaning, n, s->v, s->zero, p0);
  for (int i = 0; i < n; i++) x[i] = expr_sub(p, w->p[i], p0[i]);
  mech_mass_solve(w->e, s, 1, x, w->Hp);
  expr T0 = expr_substitute(p, s->model->T, n, s->v, s->zero);
  expr H = expr_mul(p, expr_ratio(p, 1, 2), mech_dot(p, n, x, 1, w->Hp, 1));
  H = expr_add(p, expr_sub(p, H, T0), s->model->V);
  mech_add_definition(w->e, "H", mech_name_symbol(s, arena, "H", ""), mech_tidy(s, H));
  if (w->large)
    mech_gradient(s, expr_sub(p, s->model->V, s->model->T), s->q, w->Hq); // where q' = dH/dp
  else
    expr_gradient(p, H, n, s->q, w->Hq);
}

// p_i' = -dH/dq_i + Q_i + sum_k Lambda_k A_ki, printed in momenta
static void second_row(work* w, int i)
{
  const mech_system* s = w->s;
  expr_pool* p = s->pool;
  expr force = mech_dot(p, s->m, s->A + i, s->n, s->model->reaction, 1);
  force = expr_add(p, force, s->model->Q[i]);
  w->force[i] = expr_sub(p, force, w->Hq[i]);
  expr right = mech_tidy(s, expr_substitute(p, w->force[i], s->n, s->v, w->Hp));
  mech_add_equation(w->e, expr_name(p, w->p[i]), w->pdot[i], right);
}

// q_i'' = d/dt dH/dp_i, or d/dt p_i = p_i'
static void add_residual(work* w, int i)
{
  const mech_system* s = w->s;
  expr_pool* p = s->pool;
  if (w->large) {
    mech_add_residual(w->e, expr_sub(p, expr_total(p, w->meaning[i]), w->force[i]));
    return;
  }
  expr* by = mech_take(w->e->arena, s->n);
  expr_gradient(p, w->Hp[i], s->n, w->p, by);
  expr rate = expr_add(p, expr_total(p, w->Hp[i]), mech_dot(p, s->n, by, 1, w->force, 1));
  rate = expr_substitute(p, rate, s->n, w->p, w->meaning);
  mech_add_residual(w->e, expr_sub(p, s->a[i], rate));
}

static mech_equations* derive(mech_system* s, const mech_choice* choice, base_notes* notes)
{
  if (mech_form_refuses(&mech_form_hamilton, s, notes)) return NULL;
  (void)choice;
  work w = {.s = s, .e = mech_equations_new(&mech_form_hamilton), .large = mech_is_large(s)};
  momenta(&w);
  hamiltonian(&w);
  w.force = mech_take(w.e->arena, s->n);
  for (int i = 0; i < s->n; i++) mech_add_equation(w.e, s->model->coord[i].name, s->v[i], w.Hp[i]);
  for (int i = 0; i < s->n; i++) second_row(&w, i);
  for (int i = 0; i < s->n; i++) add_residual(&w, i);
  for (int k = 0; k < s->m; k++) mech_add_constraint(w.e, s, k);
  mech_add_accelerations(w.e, s);
  for (int k = 0; k < s->m; k++) mech_add_unknown(w.e, s->model->reaction[k]);
  return mech_equations_finish(w.e, s, notes);
}

const mech_form mech_form_hamilton = {
    .name = "hamilton",
    .aliases = "hamilton:multipliers",
    .title = "Hamilton's equations with multipliers",
    .needs = "T quadratic in the velocities with a regular mass matrix; any constraints affine in "
             "the accelerations",
    .unsuited = unsuited,
    .derive = derive,
};
