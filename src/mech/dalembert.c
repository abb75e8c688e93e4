// M and h from the inertia of each mass, where that takes fewer operations than T does.
#include "mech/form.h"

// Legend: v velocities of the masses (three for each part), p their momenta, p* the absolute rates
// of these; q' the velocities of the coordinates. Lagrange's central equation:
//   E_i = sum p* . dv/dq_i' = sum_j M_ij q_j'' + h_i,   M_ij = sum dp/dq_j' . dv/dq_i'
// The sums are pulled back from the masses to the coordinates along the frames that carry them, so
// that what a frame carries is added up once, as Newton's and Euler's equations are solved from the
// last link of a chain to the first (Luh, Walker and Paul, 1980).

// what T gives is what people know: it stays where it is short, or little would be won
#define SHORT 100
#define WORTH 0.95
// nodes of T times coordinates from which on T is not tried: each entry of M by it has a term for
// each mass behind both joints of a chain, which all the links before would repeat
#define LARGE 3500
// how far apart counts of operations with params as symbols must be to be believed
#define CLEAR 0.7

typedef struct parts
{
  int n;
  expr *v, *p, *rest; // rest: p* without its terms in q''
} parts;

static parts gather(const mech_system* s, base_arena* arena)
{
  const model* m = s->model;
  int n = 3 * m->inertias;
  parts w = {n, mech_take(arena, n), mech_take(arena, n), mech_take(arena, n)};
  for (int i = 0; i < n; i++) {
    w.v[i] = m->inertia[i / 3].v[i % 3];
    w.p[i] = m->inertia[i / 3].p[i % 3];
    w.rest[i] = m->inertia[i / 3].rate[i % 3];
  }
  expr_substitute_all(s->pool, n, w.rest, s->n, s->a, s->zero, w.rest);
  return w;
}

static void fill_mass(const mech_system* s, const parts* w, expr* M, base_arena* arena)
{
  int n = s->n;
  expr* column = mech_take(arena, w->n);
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < w->n; k++) column[k] = expr_diff(s->pool, w->p[k], s->v[j]);
    expr_pullback(s->pool, w->n, w->v, column, j + 1, s->v, M + j * n);
    for (int i = 0; i < j; i++) M[i * n + j] = M[j * n + i];
  }
}

// one way to write M and h, and the operations it takes, with symbols and with numbers for the
// params; 0: not yet counted
typedef struct choice
{
  const expr *M, *h;
  double counted[2];
} choice;

// operations of M and h together; fixed: params that never change as numbers
static double work(const mech_system* s, choice* c, bool fixed, base_arena* arena)
{
  const model* m = s->model;
  int n = s->n, count = 0;
  if (c->counted[fixed] > 0) return c->counted[fixed];
  expr *all = mech_take(arena, n * n + n), *from = mech_take(arena, m->params),
       *to = mech_take(arena, m->params);
  for (int i = 0; i < n * n; i++) all[i] = c->M[i];
  for (int i = 0; i < n; i++) all[n * n + i] = c->h[i];
  for (int i = 0; i < m->params && fixed; i++) {
    if (m->param[i].changes) continue;
    from[count] = m->param[i].symbol;
    to[count++] = m->param[i].value;
  }
  if (count) expr_substitute_all(s->pool, n * n + n, all, count, from, to, all);
  return c->counted[fixed] = expr_work(s->pool, n * n + n, all);
}

// Does a take less than `share` of the work of b? Numbers for the params decide where symbols do
// not do so clearly: putting them in costs as much as many derivatives.
static bool is_less(const mech_system* s, choice* a, choice* b, double share, base_arena* arena)
{
  double ratio = work(s, a, false, arena) / work(s, b, false, arena);
  if (s->small || (ratio > CLEAR * share && ratio < share / CLEAR))
    ratio = work(s, a, true, arena) / work(s, b, true, arena);
  return ratio < share;
}

// in small systems as short as that they are compared with
static void shorten_mass(const mech_system* s, expr* M)
{
  int n = s->n;
  for (int j = 0; j < n && s->small; j++)
    for (int i = 0; i <= j; i++) M[i * n + j] = M[j * n + i] = mech_tidy(s, M[j * n + i]);
}

bool mech_dalembert_alone(const mech_system* s)
{
  const model* m = s->model;
  return m->inertias && (double)s->n * (double)expr_size(s->pool, 1, &m->T) > LARGE;
}

void mech_dalembert_fill(mech_system* s)
{
  base_arena* arena = base_arena_new();
  const parts w = gather(s, arena);
  expr_pullback(s->pool, w.n, w.v, w.rest, s->n, s->v, s->h);
  fill_mass(s, &w, s->M, arena);
  base_arena_free(arena);
}

void mech_dalembert(mech_system* s)
{
  if (mech_dalembert_alone(s)) return;
  base_arena* arena = base_arena_new();
  int n = s->n;
  expr *M = mech_take(s->arena, n * n), *h = mech_take(s->arena, n);
  choice by_T = {s->M, s->h, {0}}, by_masses = {M, h, {0}}, mixed = {s->M, h, {0}};
  if (s->model->inertias && work(s, &by_T, s->small, arena) > SHORT && !expr_pool_full(s->pool)) {
    parts w = gather(s, arena);
    expr_pullback(s->pool, w.n, w.v, w.rest, n, s->v, h);
    for (int j = 0; j < n && s->small; j++) h[j] = mech_tidy(s, h[j]);
    const bool h_is_less = is_less(s, &mixed, &by_T, WORTH, arena);
    if (h_is_less) s->h = h;
    // in larger systems the whole may win even if h alone does not
    if (h_is_less || !s->small) {
      fill_mass(s, &w, M, arena);
      shorten_mass(s, M);
      choice* best = h_is_less ? &mixed : &by_T;
      if (is_less(s, &by_masses, best, h_is_less ? 1 : WORTH, arena)) s->M = M, s->h = h;
    }
  }
  base_arena_free(arena);
}
