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
    if (x->coord < 0) continue;
    (x->order ? g.v : g.q)[x->coord] = x->value;
    if (x->order) g.weight[x->coord] = x->guess ? 10 : 0;
  }
  // a given value stands above a guess
  for (int i = 0; i < m->initials; i++) {
    const model_initial* x = &m->initial[i];
    if (x->guess || x->coord < 0) continue;
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

bool sweep_build_at_start(const sweep_builder* w, int count, expr* list)
{
  const beginning g = find_beginning(w);
  return at_start(w, &g, g.v, count, list);
}

// ---- equations of the start ---------------------------------------------------------------------

// those that velocities are to meet, the first so many, and those that the places must
typedef struct equations
{
  int count, moving;
  expr* f;
} equations;

// an equation of several velocities, linear in them; or of places, which values given must meet
static bool is_moving(const sweep_builder* w, const model_initial* x)
{
  return expr_has_any(w->pool, x->f, w->b->n, w->s->v);
}

const char* sweep_build_start_obstacle(const sweep_builder* w)
{
  const model* m = w->s->model;
  const int n = w->s->n;
  expr* slope = sweep_build_take(w, n);
  for (int i = 0; i < m->initials; i++) {
    const model_initial* x = &m->initial[i];
    if (x->coord >= 0) continue;
    if (x->coord == MODEL_TIME || x->guess) return "an initial equation is not of one coordinate";
    expr_gradient(w->pool, x->f, n, w->s->v, slope);
    for (int j = 0; j < n; j++)
      if (slope[j] == EXPR_NONE || expr_has_any(w->pool, slope[j], n, w->s->v) ||
          expr_has_any(w->pool, x->f, n, w->s->a))
        return "an initial equation is not linear in the velocities";
  }
  return NULL;
}

static equations list_equations(const sweep_builder* w)
{
  const mech_system* s = w->s;
  const model* m = s->model;
  equations e = {.f = sweep_build_take(w, 2 * s->m + m->initials)};
  for (int k = 0; k < s->m; k++) e.f[e.count++] = s->f1[k];
  for (int i = 0; i < m->initials; i++)
    if (m->initial[i].coord < 0 && is_moving(w, &m->initial[i])) e.f[e.count++] = m->initial[i].f;
  e.moving = e.count;
  for (int k = 0; k < s->m; k++)
    if (m->constraint[k].order == 0) e.f[e.count++] = s->f0[k];
  for (int i = 0; i < m->initials; i++)
    if (m->initial[i].coord < 0 && !is_moving(w, &m->initial[i])) e.f[e.count++] = m->initial[i].f;
  return e;
}

// The velocities nearest to the guesses that meet the equations, those given kept:
//   D d = A_f^T lambda, A_f d + f1 = 0
// What is nearest is a matter of measure, and an ordinary run has another: beyond constraints of
// velocities alone they must be all that the equations leave.
static bool build_nearest(sweep_builder* w, const beginning* g, const equations* x)
{
  const int n = w->b->n, rows = x->moving, l = w->r->l;
  int* which = base_arena_take(w->arena, sizeof(int) * (size_t)(n + 1));
  int count = 0;
  for (int i = 0; i < n; i++)
    if (g->weight[i] > 0) which[count++] = i;
  const bool plain = !w->whole && rows == w->b->m;
  if (!rows || count < rows || (!plain && count > rows)) return true;
  expr *D = sweep_build_take(w, count * count), *zero = sweep_build_take(w, count),
       *A = sweep_build_take(w, rows * count), *slope = sweep_build_take(w, n);
  expr *f = sweep_build_take(w, rows), *d = sweep_build_take(w, count), *v = sweep_build_take(w, n),
       *other = sweep_build_take(w, l + x->count);
  memcpy(v, g->v, sizeof(expr) * (size_t)n);
  for (int i = 0; i < count; i++) {
    const double weight = g->weight[which[i]];
    d[i] = expr_symbol(w->pool, base_arena_printf(w->arena, "change(%d)", i));
    v[which[i]] = expr_add(w->pool, v[which[i]], d[i]);
    zero[i] = expr_int(w->pool, 0);
    for (int k = 0; k < count; k++)
      D[i * count + k] = expr_int(w->pool, k == i ? (long)(weight * weight) : 0);
  }
  for (int k = 0; k < rows; k++) {
    expr_gradient(w->pool, x->f[k], n, w->s->v, slope);
    for (int i = 0; i < count; i++) A[k * count + i] = slope[which[i]];
  }
  memcpy(f, x->f, sizeof(expr) * (size_t)rows);
  memcpy(other, w->r->meaning, sizeof(expr) * (size_t)l);
  memcpy(other + l, x->f, sizeof(expr) * (size_t)x->count);
  if (!at_start(w, g, g->v, rows, f) || !at_start(w, g, g->v, rows * count, A) ||
      !at_start(w, g, v, l + x->count, other))
    return false;
  const code_linear problem = {.n = count,
                               .rows = rows,
                               .M = D,
                               .F = zero,
                               .A = A,
                               .b = f,
                               .tolerance = sweep_build_pivot,
                               .others = l + x->count,
                               .other = other,
                               .unknown = d};
  w->b->free = count;
  w->b->nearest =
      code_build_solve(w->pool, &problem, w->b->axes, w->input + w->inputs - w->b->axes, NULL);
  return true;
}

bool sweep_build_start(sweep_builder* w)
{
  const int n = w->b->n, l = w->r->l, bounds = w->s->model->bounds;
  const beginning g = find_beginning(w);
  const equations x = list_equations(w);
  const int count = 2 + n + l + x.count + bounds;
  expr* list = sweep_build_take(w, count);
  list[0] = g.t_from;
  list[1] = isnan(w->o->until) ? g.t_to : expr_double(w->pool, w->o->until);
  memcpy(list + 2, w->s->q, sizeof(expr) * (size_t)n);
  memcpy(list + 2 + n, w->r->meaning, sizeof(expr) * (size_t)l);
  if (x.count) memcpy(list + 2 + n + l, x.f, sizeof(expr) * (size_t)x.count);
  if (bounds) memcpy(list + 2 + n + l + x.count, w->s->model->bound, sizeof(expr) * (size_t)bounds);
  w->b->bounds = bounds;
  w->b->rows = x.count;
  if (!at_start(w, &g, g.v, count, list)) return false;
  w->b->start =
      code_build(w->pool, count, list, w->b->axes, w->input + w->inputs - w->b->axes, NULL);
  return w->b->start && build_nearest(w, &g, &x);
}
