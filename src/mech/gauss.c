// Gauss's principle of least constraint, as the minimisation it is.
#include "mech/closure.h"

// The accelerations make Gauss's function least,
//   U = 1/2 sum_ij M_ij a_i a_j - sum_i F_i a_i + ...,   F = G - h,
// among those with A a = c (Do Shan 1973, (1.2), terms free of accelerations left out), or with f =
// 0 where f is nonlinear in the accelerations; then the equations hold at every stationary point,
// and the motion takes the least. With the Lagrangian U - sum_k Lambda_k (A_k a - c_k) the least
// point is where all its derivatives by a and Lambda vanish (Karush, Kuhn, Tucker), unique where M
// is positive definite on the null space of A.

// An inequality: alpha = A a - c >= 0 loosens it, Lambda >= 0 holds it, and one of them is zero
// (Sinitsyn 1990, (1.2), (1.4)). The constraint just written becomes the first of the three.
static void complementary(mech_equations* e, const mech_system* s, int k)
{
  const model_constraint* f = &s->model->constraint[k];
  mech_equation* loosens = &e->equation[e->count - 1];
  loosens->sense = f->sense;
  const expr alpha = expr_sub(s->pool, loosens->left, loosens->right);
  mech_add_equation(e, f->name, s->model->reaction[k], s->zero[0]);
  e->equation[e->count - 1].sense = f->sense;
  mech_add_equation(e, f->name, expr_mul(s->pool, s->model->reaction[k], alpha), s->zero[0]);
}

static mech_equations* derive(mech_system* s, const mech_choice* choice, base_notes* notes)
{
  (void)choice;
  expr_pool* p = s->pool;
  int n = s->n;
  mech_equations* e = mech_equations_new(&mech_form_gauss);
  expr U = s->zero[0], bound = s->zero[0];
  for (int i = 0; i < n; i++) {
    expr half = expr_mul(p, expr_ratio(p, 1, 2), mech_dot(p, n, mech_mass(s) + i * n, 1, s->a, 1));
    U = expr_add(p, U, expr_mul(p, s->a[i], expr_sub(p, half, s->F[i])));
  }
  for (int k = 0; k < s->m; k++) {
    expr f = mech_is_nonlinear(s, k)
                 ? s->model->constraint[k].f
                 : expr_sub(p, mech_dot(p, n, s->A + k * n, 1, s->a, 1), s->c[k]);
    bound = expr_add(p, bound, expr_mul(p, s->model->reaction[k], f));
  }
  mech_add_definition(e, "U", mech_name_symbol(s, e->arena, "U", ""), mech_tidy(s, U));
  expr* slope = mech_take(e->arena, n);
  expr_gradient(p, expr_sub(p, U, bound), n, s->a, slope);
  for (int i = 0; i < n; i++) {
    mech_add_residual(e, slope[i]);
    mech_add_equation(e, s->model->coord[i].name, mech_tidy(s, slope[i]), s->zero[0]);
  }
  for (int k = 0; k < s->m; k++) {
    mech_add_constraint(e, s, k);
    if (s->model->constraint[k].sense) complementary(e, s, k);
  }
  mech_add_accelerations(e, s);
  for (int k = 0; k < s->m; k++) mech_add_unknown(e, s->model->reaction[k]);
  return mech_equations_finish(e, s, notes);
}

const mech_form mech_form_gauss = {
    .name = "gauss",
    .aliases = "",
    .title = "Gauss's principle of least constraint",
    .needs =
        "any constraints; the least point is unique where they are affine in the accelerations "
        "and the mass matrix is positive definite along the admissible directions",
    .curved = true,
    .speeds = MECH_ANGULAR,
    .unsuited = mech_suits_all,
    .derive = derive,
};
