// The conditions of a motion that a group carries along, and their derivatives.
//
// With a symmetry eta(q) = C q + c of the equations (symmetry.c), C = sum xi_k C_k, a state with
//   v = C q + c,  a(q, v) = C v
// is led along q(t) = exp(t eta) q for ever. Unknowns are (q, xi), and the param p where the
// equations are differentiated by one; v follows, dv = C dq + sum dxi_k eta_k(q).
#include "study/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double noise = 1e-12; // relative entries of a linear system that are rounding
static const double rounding =
    1e-2; // the same of gradients of constraints against each other, over that

static double* doubles(base_arena* a, int count)
{
  return base_arena_take(a, sizeof(double) * (size_t)(count + 1));
}

// A row by (q, v, p) becomes one by (q, xi, p). What cancels is made nothing: rounding would look
// like a direction.
static void fold(const study_carried* c, const double* by_q, const double* by_v, double by_p,
                 double least, double* to)
{
  const int n = c->s->n, g = c->s->count;
  double size = least;
  for (int j = 0; j < n + g; j++) {
    to[j] = j < n ? by_q[j] : 0;
    for (int i = 0; i < n; i++) {
      const double term = by_v[i] * (j < n ? c->C[i * n + j] : c->eta[(j - n) * n + i]);
      size = fmax(size, fabs(term));
      to[j] += term;
    }
    size = fmax(size, j < n ? fabs(by_q[j]) : 0);
  }
  for (int j = 0; j < n + g; j++)
    if (!c->plain && fabs(to[j]) < noise * size) to[j] = 0;
  if (c->wide > n + g) to[n + g] = by_p;
}

// a - C v with its derivatives
static void balance(const study_carried* c, double* F, double* J)
{
  const study_linear* l = c->l;
  const engine* e = l->e;
  const int n = e->n, N = 2 * n, g = c->s->count, wide = c->wide;
  double size = 0, *row = c->row;
  for (int i = 0; i < N * N; i++) size = fmax(size, fabs(l->J[i]));
  for (int i = 0; i < n; i++) {
    F[i] = e->a[i];
    for (int j = 0; j < n; j++) F[i] -= c->C[i * n + j] * e->v[j];
    if (!J) continue;
    for (int j = 0; j < N; j++) {
      row[j] = l->J[(n + i) * N + j] - (j >= n ? c->C[i * n + j - n] : 0);
      if (!c->plain && fabs(row[j]) < noise * size) row[j] = 0;
    }
    fold(c, row, row + n, l->Jp[i], 0, J + i * wide);
    for (int k = 0; k < g; k++) J[i * wide + n + k] -= c->Cv[k * n + i];
  }
  if (!J || c->plain) return;
  size = 0;
  for (int i = 0; i < n * wide; i++) size = fmax(size, fabs(J[i]));
  for (int i = 0; i < n * wide; i++)
    if (fabs(J[i]) < noise * size) J[i] = 0;
}

// the state of these unknowns into the engine; 1 where it has none
static int enter(study_carried* c, const double* x)
{
  engine* e = c->l->e;
  const study_symmetry* s = c->s;
  const int n = e->n;
  if (c->wide > n + s->count && !engine_given_move(e, c->l->param, x[n + s->count])) return 1;
  study_symmetry_sum(s, x + n, 0, c->C, c->c);
  memcpy(e->q, x, sizeof(double) * (size_t)n);
  study_symmetry_apply(n, c->C, c->c, e->q, e->v);
  for (int k = 0; k < s->count; k++) {
    study_symmetry_apply(n, s->C + k * n * n, s->c + k * n, e->q, c->eta + k * n);
    study_symmetry_apply(n, s->C + k * n * n, NULL, e->v, c->Cv + k * n);
  }
  e->factored = false;
  return 0;
}

int study_carried_at(void* context, const double* x, double* F, double* J)
{
  study_carried* c = context;
  study_linear* l = c->l;
  engine* e = l->e;
  const int n = e->n, N = 2 * n, wide = c->wide, last = l->width - 1;
  if (enter(c, x) || study_linear_at(l)) return 1;
  study_linear_tangent(l);
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  balance(c, F, J);
  int at = n;
  double size = 0;
  for (int i = 0; i < l->rows * N; i++) size = fmax(size, fabs(l->G[i]));
  for (int r = 0, g = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r], order = e->model->constraint[k].order;
    for (int level = order; level <= 1; level++, at++, g++) {
      F[at] = level ? e->f1[k] : e->f0[k];
      const double by_p = (level ? l->D1 : l->D0)[k * l->width + last];
      if (J) fold(c, l->G + g * N, l->G + g * N + n, by_p, rounding * size, J + at * wide);
    }
  }
  study_kept_run(e, &c->kept);
  for (int k = 0; k < c->kept.count; k++, at++) {
    const double* slope = c->kept.value + c->kept.count + k * N;
    F[at] = c->kept.value[k];
    if (J) fold(c, slope, slope + n, c->kept.value[c->kept.count * (N + 1) + k], 0, J + at * wide);
  }
  int bad = 0;
  for (int i = 0; i < at; i++) bad |= !isfinite(F[i]);
  return bad;
}

static bool holds_speed(const engine* e, const model_initial* g)
{
  return expr_has_any(e->s->pool, g->f, e->n, e->s->v);
}

// initial equations that stay: level 0 all that are exact, 1 those that hold a speed, 2 none
void study_carried_keep_initial(study_carried* c, int level, int count,
                                const model_initial* initial)
{
  engine* e = c->l->e;
  BASE_LIST(expr) list = {0};
  for (int i = 0; i < count && level < 2; i++)
    if (study_kept_is_exact(&initial[i]) && (level == 0 || holds_speed(e, &initial[i])))
      base_push(&list, initial[i].f);
  study_carried_keep(c, list.n, list.at);
  base_list_free(&list);
}

void study_carried_keep(study_carried* c, int count, const expr* f)
{
  c->rows -= c->kept.count;
  study_kept_free(&c->kept);
  study_kept_build(c->l->e, c->wide > c->s->n + c->s->count ? c->l->param : -1, count, f, &c->kept);
  c->rows += c->kept.count;
}

study_carried study_carried_new(study_linear* l, const study_symmetry* s, bool over,
                                base_arena* arena)
{
  engine* e = l->e;
  const int n = e->n, g = s->count;
  study_carried c = {.l = l, .s = s, .wide = n + g + over, .rows = n};
  c.C = doubles(arena, n * n);
  c.c = doubles(arena, n);
  c.eta = doubles(arena, g * n);
  c.Cv = doubles(arena, g * n);
  c.row = doubles(arena, 2 * n);
  for (int r = 0; r < e->mode.rows; r++) {
    const int order = e->model->constraint[e->mode.row[r]].order;
    c.rows += order == 0 ? 2 : order == 1;
  }
  return c;
}
