// Forces that have a potential have one however they are written: as `force` as well.
//
// Of the forces Q(q, v) the part Q0(q) = Q(q, 0) has a potential where
//   dQ0_i/dq_j = dQ0_j/dq_i
// everywhere. Then H - integral of Q0 dq stays constant where the rest Q - Q0 does no work
// (Coriolis forces do none), and falls where it only takes energy. Only slopes of it are needed,
// which are Q0 itself; differences are integrals along straight lines.
#include "study/energy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// are all of Q0 functions of the positions, and their derivatives proved to be symmetric?
static bool is_gradient(const engine* e, const expr* Q0)
{
  const mech_system* s = e->s;
  expr_pool* p = s->pool;
  const int n = e->n;
  for (int i = 0; i < n; i++) {
    if (Q0[i] == EXPR_NONE || expr_has(p, Q0[i], e->program->input[0])) return false;
    for (int j = 0; j < i; j++) {
      const expr a = expr_diff(p, Q0[i], s->q[j]), b = expr_diff(p, Q0[j], s->q[i]);
      if (a == EXPR_NONE || b == EXPR_NONE) return false;
      const expr off = expr_sub(p, a, b);
      if (off == EXPR_NONE || expr_pool_full(p) || expr_is_zero(p, off) != EXPR_YES) return false;
    }
  }
  return true;
}

void study_energy_take_potential(study_energy* y)
{
  engine* e = y->l->e;
  const mech_system* s = e->s;
  expr_pool* p = s->pool;
  const int n = e->n;
  bool any = false;
  y->power = s->power;
  if (e->program->forces_feel || e->program->modes.count) return;
  expr* Q0 = base_arena_take(y->arena, sizeof(expr) * (size_t)(2 * n + 1));
  expr* zero = Q0 + n;
  for (int i = 0; i < n; i++) zero[i] = expr_int(p, 0);
  for (int i = 0; i < n; i++) {
    Q0[i] = i < e->model->places ? expr_substitute(p, e->model->Q[i], n, s->v, zero) : zero[i];
    any = any || Q0[i] != zero[i];
  }
  if (!any || !is_gradient(e, Q0)) return;
  expr rest = s->power;
  for (int i = 0; i < n; i++) rest = expr_sub(p, rest, expr_mul(p, Q0[i], s->v[i]));
  if (rest == EXPR_NONE || expr_pool_full(p)) return;
  y->pull = Q0;
  y->power = expr_simplify(p, rest);
}

expr study_energy_slope(const study_energy* y, expr E, int j)
{
  const engine* e = y->l->e;
  expr_pool* p = e->s->pool;
  const expr slope = expr_diff(p, E, j < e->n ? e->s->q[j] : e->s->v[j - e->n]);
  return y->pull && j < e->n ? expr_sub(p, slope, y->pull[j]) : slope;
}

// Gauss and Legendre's rule of eight points on (0, 1)
double study_energy_of_pull(const study_energy* y, const double* from)
{
  static const double at[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                               0.9602898564975363};
  static const double share[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                  0.1012285362903763};
  engine* e = y->l->e;
  const int n = e->n;
  if (!y->pull) return 0;
  double *to = base_alloc(sizeof(double) * (size_t)(2 * n + 1)), *Q = to + n, sum = 0;
  memcpy(to, e->q, sizeof(double) * (size_t)n);
  for (int k = 0; k < 8; k++) {
    const double s = (1 + (k % 2 ? -1 : 1) * at[k / 2]) / 2;
    for (int i = 0; i < n; i++) e->q[i] = from[i] + s * (to[i] - from[i]);
    engine_values(e, n, y->pull, Q);
    for (int i = 0; i < n; i++) sum -= share[k / 2] / 2 * Q[i] * (to[i] - from[i]);
  }
  memcpy(e->q, to, sizeof(double) * (size_t)n);
  e->factored = false;
  free(to);
  return sum;
}
