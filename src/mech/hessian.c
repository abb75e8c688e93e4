// M and h from a kinetic energy as it is written, however its parts are shared.
#include "mech/form.h"

#include <stdlib.h>

// Legend: T kinetic energy, v = q', p = dT/dv the momenta.
//   M_ij = dp_i/dv_j,   h_i = (d/dt p_i without its terms in q'') - dT/dq_i
// All p and all dT/dq come of one pass each from T down to the symbols (reverse accumulation:
// Griewank and Walther, Evaluating Derivatives, 2nd ed., 2008, 3.2), the rates of all p of one pass
// up, each row of M of one pass from p_i down over what p_i holds. What many velocities or many
// momenta share (the motion of a link that all later ones ride on, the momentum of all links behind
// a joint) is passed once in each, and T need not be of second degree in v.

struct mech_hessian
{
  const mech_system* s;
  expr T;
  const expr* p;
  expr_pull* along; // from momenta to velocities
};

mech_hessian* mech_hessian_of(const mech_system* s, const expr* p)
{
  mech_hessian* w = base_alloc(sizeof *w);
  *w = (mech_hessian){s, EXPR_NONE, p, expr_pull_new(s->pool, s->n, p, s->n, s->v)};
  return w;
}

mech_hessian* mech_hessian_new(const mech_system* s, expr T, expr* p)
{
  mech_gradient(s, T, s->v, p);
  mech_hessian* w = mech_hessian_of(s, p);
  w->T = T;
  return w;
}

void mech_hessian_free(mech_hessian* w)
{
  if (!w) return;
  expr_pull_free(w->along);
  free(w);
}

void mech_hessian_row(mech_hessian* w, int i, expr_slope_list* out)
{
  const expr_slope one = {i, expr_int(w->s->pool, 1)};
  expr_pull_run(w->along, 1, &one, i + 1, out);
}

void mech_hessian_rest(mech_hessian* w, expr* h)
{
  const mech_system* s = w->s;
  expr* Tq = base_alloc(sizeof(expr) * (size_t)(s->n + 1));
  mech_gradient(s, w->T, s->q, Tq);
  expr_totals_at(s->pool, s->n, w->p, s->n, s->v, h);
  for (int i = 0; i < s->n; i++) h[i] = expr_sub(s->pool, h[i], Tq[i]);
  free(Tq);
}
