// The reduced form of the exported motion: coordinates and independent quasi-velocities u.
//
// Where all constraints bind velocities alone and hold always, q' = V(t, q, u) keeps them whatever
// u is, and u' = (dU/dq') a + dU/dt along q' for u = U(t, q, q').
#include "out/exported.h"

static bool is_plain(const out_exported* x)
{
  for (int k = 0; k < x->s->m; k++)
    if (x->sense[k] || !x->ideal[k] || !x->starts[k] || x->during[k] >= 0 || x->friction_of[k] >= 0)
      return false;
  return true;
}

void out_exported_reduce(out_exported* x)
{
  const mech_system* s = x->s;
  expr_pool* p = s->pool;
  const int n = s->n;
  // a state moves by itself: it is no velocity
  const bool suits = is_plain(x) && s->model->places == s->n;
  const mech_reduction* r = suits ? mech_reduce(s, x->arena) : NULL;
  x->speeds = r ? r->l : 0;
  x->speed = r ? r->u : NULL;
  x->reduced = base_arena_take(x->arena, sizeof(expr) * (size_t)(x->speeds * (n + 2) + 1));
  x->velocity = r ? r->velocity : NULL;
  for (int i = 0; i < x->speeds; i++) {
    x->reduced[i] = r->meaning[i];
    const expr rate = expr_substitute(p, expr_total(p, r->meaning[i]), n, s->a, s->zero);
    x->reduced[x->speeds + i] = rate;
    expr_gradient(p, r->meaning[i], n, s->v, x->reduced + 2 * x->speeds + i * n);
  }
}
