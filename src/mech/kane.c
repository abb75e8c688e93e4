// Kane's equations: generalised active and inertia forces along generalised speeds.
#include <stdlib.h>

#include "mech/frame.h"

// Generalised speeds u_r, r = 1..l, affine in q' and such that the constraints hold by themselves:
//   q' = sum_r Z_r u_r + k,   Z_r the partial velocities in configuration space.
// Active forces F_r = sum_i Z_ir G_i, inertia forces F*_r = -sum_i Z_ir (sum_j M_ij q_j'' + h_i),
// with q'' = sum_r Z_r u_r' + rates of Z and k. Kane and Levinson (1985):
//   F_r + F*_r = 0,   r = 1..l
// in u, u' and q alone. A rigid body's sum of mass times acceleration times partial velocity is, by
// d'Alembert, the same as Z_r times the left side of Lagrange's equations, which is what T gives.

static void add_row(mech_equations* e, const mech_system* s, const mech_frame* f, int r)
{
  const mech_pseudo* u = f->u;
  const mech_basis* b = u->b;
  expr_pool* p = s->pool;
  int n = s->n, l = f->l;
  const expr* z = b->Z + r;
  expr active = mech_dot(p, n, z, l, s->G, 1), inertia = s->zero[0], rest = s->zero[0];
  expr_slope_list row = {0};
  mech_row_times(s, z, l, mech_mass(s), &row);
  for (int k = 0; k < row.n; k++)
    rest = expr_add(p, rest, expr_mul(p, row.at[k].value, u->k[row.at[k].number]));
  rest = expr_add(p, rest, mech_dot(p, n, z, l, s->h, 1));
  for (int q = 0; q < l; q++) {
    expr mass = s->zero[0];
    for (int k = 0; k < row.n; k++)
      mass = expr_add(p, mass, expr_mul(p, row.at[k].value, b->Z[row.at[k].number * l + q]));
    if (mass == s->zero[0]) continue;
    inertia = expr_sub(p, inertia, expr_mul(p, mech_tidy(s, mass), u->pi[q]));
  }
  base_list_free(&row);
  mech_add_residual(e, expr_sub(p, expr_add(p, active, inertia), rest));
  active = mech_tidy(s, mech_frame_in(s, f, active));
  rest = mech_tidy(s, mech_frame_in(s, f, mech_tidy(s, rest)));
  expr left = expr_sub(p, expr_add(p, active, mech_frame_in(s, f, inertia)), rest);
  mech_add_equation(e, b->label[r], mech_tidy(s, left), s->zero[0]);
}

static mech_equations* derive(mech_system* s, const mech_choice* choice, base_notes* notes)
{
  if (mech_form_refuses(&mech_form_kane, s, notes)) return NULL;
  mech_equations* e = mech_equations_new(&mech_form_kane);
  const mech_frame* f = mech_frame_choose(s, choice, e->arena, notes);
  if (!f) {
    base_error(notes, BASE_NOWHERE, "the velocities are not affine in generalised speeds");
    mech_equations_free(e);
    return NULL;
  }
  const mech_basis* b = f->u->b;
  mech_frame_define(e, s, f, false);
  for (int r = 0; r < f->l; r++) add_row(e, s, f, r);
  mech_pseudo_unknowns(e, s, f->u);
  mech_sides sides = mech_sides_lagrange(s);
  mech_add_reactions(e, s, &sides, b->rank, b->row, b->R, b->D, notes);
  mech_basis_tell(e, s, b);
  return mech_equations_finish(e, s, notes);
}

const mech_form mech_form_kane = {
    .name = "kane",
    .aliases = "",
    .title = "Kane's equations",
    .needs = "constraints linear in the velocities; generalised speeds as declared or chosen, "
             "singular where their gradients and those of the constraints become dependent",
    .speeds = MECH_AS_DECLARED,
    .unsuited = mech_basis_obstacle,
    .derive = derive,
};
