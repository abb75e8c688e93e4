// Lagrange's equations with multipliers.
#include "mech/form.h"

// d/dt dT/dq_i' - dT/dq_i = Q_i + sum_k Lambda_k A_ki, i = 1..n, with the constraints
// differentiated up to accelerations; unknown are all q'' and all Lambda. Kondrenkina (2018),
// I(3.20).

static const char* unsuited(const mech_system* s, base_arena* arena)
{
  (void)s, (void)arena;
  return NULL;
}

static mech_equations* derive(mech_system* s, const mech_choice* choice, base_notes* notes)
{
  (void)choice, (void)notes;
  expr_pool* p = s->pool;
  int n = s->n, m = s->m;
  mech_equations* e = mech_equations_new(
      &mech_form_lagrange, (mech_room){.equations = n + m, .unknowns = n + m, .residuals = n + m});
  expr* unit = base_arena_take(e->arena, sizeof(expr) * (size_t)(n + 1));
  for (int i = 0; i < n; i++) unit[i] = expr_int(p, 0);
  for (int i = 0; i < n; i++) {
    // row i is the projection on the i-th axis
    unit[i] = expr_int(p, 1);
    expr reactions = mech_dot(p, m, s->A + i, n, s->model->reaction, 1);
    mech_add_projected(e, s, s->model->coord[i].name, unit, 1, reactions);
    mech_add_residual(e, expr_sub(p, mech_lagrange_residual(s, i), reactions));
    mech_add_unknown(e, s->a[i]);
    unit[i] = expr_int(p, 0);
  }
  for (int k = 0; k < m; k++) {
    mech_add_constraint(e, s, k);
    mech_add_unknown(e, s->model->reaction[k]);
  }
  return e;
}

const mech_form mech_form_lagrange = {
    .name = "lagrange",
    .aliases = "lagrange:multipliers",
    .title = "Lagrange's equations with multipliers",
    .needs = "any constraints affine in the accelerations; singular where the mass matrix is "
             "singular along the admissible directions",
    .unsuited = unsuited,
    .derive = derive,
};
