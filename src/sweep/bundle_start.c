// The start of many runs side by side: given values, guesses, velocities put on the constraints.
#include "sweep/bundle_build.h"

#include <math.h>
#include <string.h>

enum { default_end = 10 };

// guesses and given values as in start.c; a velocity that is given stays
typedef struct beginning
{
  expr t_from, t_to;
  expr *q, *v;
  double* weight; // of velocities; 0: given
} beginning;

static beginning find_beginning(const sweep_builder* w)
{
  const model* m = w->s->model;
  const int n = w->b->n;
  beginning g = {.q = sweep_build_take(w, n), .v = sweep_build_take(w, n)};
  g.weight = base_arena_take(w->arena, sizeof(double) * (size_t)(n + 1));
  g.t_from = m->has_run ? m->run_from : expr_int(w->pool, 0);
  g.t_to = m->has_run ? m->run_to : expr_int(w->pool, default_end);
  for (int i = 0; i < n; i++) {
    g.q[i] = expr_int(w->pool, m->coord[i].start);
    g.v[i] = expr_int(w->pool, 0);
    g.weight[i] = 1;
  }
  for (int i = 0; i < m->initials; i++) {
    const model_initial* x = &m->initial[i];
    (x->order ? g.v : g.q)[x->coord] = x->value;
    if (x->order) g.weight[x->coord] = x->guess ? 10 : 0;
  }
  // a given value stands above a guess
  for (int i = 0; i < m->initials; i++) {
    const model_initial* x = &m->initial[i];
    if (x->guess) continue;
    (x->order ? g.v : g.q)[x->coord] = x->value;
    if (x->order) g.weight[x->coord] = 0;
  }
  return g;
}

// expressions of the state at the start, with the velocities v
static bool at_start(const sweep_builder* w, const beginning* g, const expr* v, int count,
                     expr* list)
{
  const int n = w->b->n;
  expr *from = sweep_build_take(w, 2 * n + 1), *to = sweep_build_take(w, 2 * n + 1);
  from[2 * n] = w->s->model->t;
  to[2 * n] = g->t_from;
  memcpy(from, w->s->q, sizeof(expr) * (size_t)n);
  memcpy(from + n, w->s->v, sizeof(expr) * (size_t)n);
  memcpy(to, g->q, sizeof(expr) * (size_t)n);
  memcpy(to + n, v, sizeof(expr) * (size_t)n);
  // values may hold the time
  expr_substitute_all(w->pool, 2 * n, to, 1, from + 2 * n, to + 2 * n, to);
  expr_substitute_all(w->pool, count, list, 2 * n + 1, from, to, list);
  return sweep_build_fix(w, count, list);
}

// the velocities nearest to the guesses that meet the constraints, those given kept:
//   D d = A_f^T lambda, A_f d + f1 = 0
static bool build_nearest(sweep_builder* w, const beginning* g)
{
  const int n = w->b->n, m = w->b->m, l = w->r->l;
  const mech_system* s = w->s;
  int* which = base_arena_take(w->arena, sizeof(int) * (size_t)(n + 1));
  int count = 0;
  for (int i = 0; i < n; i++)
    if (g->weight[i] > 0) which[count++] = i;
  if (!m || count < m) return true;
  expr *D = sweep_build_take(w, count * count), *zero = sweep_build_take(w, count),
       *A = sweep_build_take(w, m * count);
  expr *f = sweep_build_take(w, m), *d = sweep_build_take(w, count), *v = sweep_build_take(w, n),
       *other = sweep_build_take(w, l + m);
  memcpy(v, g->v, sizeof(expr) * (size_t)n);
  for (int i = 0; i < count; i++) {
    const double weight = g->weight[which[i]];
    d[i] = expr_symbol(w->pool, base_arena_printf(w->arena, "change(%d)", i));
    v[which[i]] = expr_add(w->pool, v[which[i]], d[i]);
    zero[i] = expr_int(w->pool, 0);
    for (int k = 0; k < count; k++)
      D[i * count + k] = expr_int(w->pool, k == i ? (long)(weight * weight) : 0);
    for (int k = 0; k < m; k++) A[k * count + i] = s->A[k * n + which[i]];
  }
  memcpy(f, s->f1, sizeof(expr) * (size_t)m);
  memcpy(other, w->r->meaning, sizeof(expr) * (size_t)l);
  memcpy(other + l, s->f1, sizeof(expr) * (size_t)m);
  if (!at_start(w, g, g->v, m, f) || !at_start(w, g, g->v, m * count, A) ||
      !at_start(w, g, v, l + m, other))
    return false;
  const code_linear problem = {.n = count,
                               .rows = m,
                               .M = D,
                               .F = zero,
                               .A = A,
                               .b = f,
                               .tolerance = sweep_build_pivot,
                               .others = l + m,
                               .other = other,
                               .unknown = d};
  w->b->free = count;
  w->b->nearest =
      code_build_solve(w->pool, &problem, w->b->axes, w->input + w->inputs - w->b->axes, NULL);
  return true;
}

bool sweep_build_start(sweep_builder* w)
{
  const int n = w->b->n, l = w->r->l, m = w->b->m, bounds = w->s->model->bounds;
  const int count = 2 + n + l + m + bounds;
  const beginning g = find_beginning(w);
  expr* list = sweep_build_take(w, count);
  list[0] = g.t_from;
  list[1] = isnan(w->o->until) ? g.t_to : expr_double(w->pool, w->o->until);
  memcpy(list + 2, w->s->q, sizeof(expr) * (size_t)n);
  memcpy(list + 2 + n, w->r->meaning, sizeof(expr) * (size_t)l);
  if (m) memcpy(list + 2 + n + l, w->s->f1, sizeof(expr) * (size_t)m);
  if (bounds) memcpy(list + 2 + n + l + m, w->s->model->bound, sizeof(expr) * (size_t)bounds);
  w->b->bounds = bounds;
  if (!at_start(w, &g, g.v, count, list)) return false;
  w->b->start =
      code_build(w->pool, count, list, w->b->axes, w->input + w->inputs - w->b->axes, NULL);
  return w->b->start && build_nearest(w, &g);
}
