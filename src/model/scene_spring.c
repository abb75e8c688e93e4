// What energies and forces look like. A term of the potential that is quadratic in a distance is a
// spring, one over a distance a centre that draws things to it; quadratic in how far a point has
// gone along an axis, a spring to a wall across that axis.

#include "model/scene_sight.h"

#include <math.h>
#include <string.h>

enum { DEEPEST = 6, MOST_TERMS = 64 };

typedef struct springs
{
  model_scene_list* l;
  model_sight sight;
  int terms;
} springs;

static expr number(const springs* x, double value)
{
  return expr_double(x->l->s->pool, value);
}

static bool same(const expr a[3], const expr b[3])
{
  return memcmp(a, b, sizeof(expr) * 3) == 0;
}

static bool is_there(const springs* x, const model_part* p)
{
  for (int i = 0; i < x->l->parts.n; i++) {
    const model_part* o = &x->l->parts.at[i];
    if (o->kind == p->kind &&
        ((same(o->at, p->at) && same(o->to, p->to)) || (same(o->at, p->to) && same(o->to, p->at))))
      return true;
  }
  return false;
}

static void push_between(springs* x, model_part_kind kind, const model_sight_distance* d,
                         double natural)
{
  model_part p = model_scene_part(x->l->s, kind, "spring", NULL);
  const expr* other = d->other < 0 ? d->place : x->sight.points.at[d->other].at;
  memcpy(p.at, other, sizeof p.at);
  memcpy(p.to, x->sight.points.at[d->point].at, sizeof p.to);
  p.size[0] = number(x, natural);
  p.held = d->other < 0; // the page marks where it is fastened
  if (!is_there(x, &p)) base_push(&x->l->parts, p);
}

static void push_centre(springs* x, const model_sight_distance* d)
{
  model_part p = model_scene_part(x->l->s, MODEL_PART_CENTRE, "centre", NULL);
  memcpy(p.at, d->place, sizeof p.at);
  memcpy(p.to, d->place, sizeof p.to);
  if (d->other < 0 && !is_there(x, &p)) base_push(&x->l->parts, p);
}

// is a column that much of a value that it is no rounding?
static bool matters(double by, const double* column, const double* value)
{
  double part = 0, whole = 0;
  for (int k = 0; k < MODEL_SIGHTS; k++) {
    if (!isfinite(column[k]) || !isfinite(value[k])) continue;
    part = fmax(part, fabs(by * column[k]));
    whole = fmax(whole, fabs(value[k]));
  }
  return part > 1e-6 * whole;
}

// ---- a term of a distance -----------------------------------------------------------------------

static bool by_root(springs* x, expr term, const double* value)
{
  expr root[4];
  const int n = model_sight_roots(&x->sight, term, 4, root);
  for (int r = 0; r < n; r++) {
    const expr s = expr_call(x->l->s->pool, EXPR_SQRT, 1, &root[r]);
    double d[MODEL_SIGHTS], square[MODEL_SIGHTS], over[MODEL_SIGHTS], one[MODEL_SIGHTS], by[3];
    model_sight_distance apart;
    model_sight_values(&x->sight, s, d);
    for (int k = 0; k < MODEL_SIGHTS; k++) one[k] = 1, square[k] = d[k] * d[k], over[k] = 1 / d[k];
    const bool spring =
        model_sight_fit(3, (const double* const[]){one, d, square}, value, by) == MODEL_FIT_GOOD &&
        by[2] > 0;
    const bool draws = !spring && model_sight_fit(2, (const double* const[]){one, over}, value,
                                                  by) == MODEL_FIT_GOOD;
    if (!(spring || draws) || !model_sight_distance_of(&x->sight, s, &apart)) continue;
    if (spring)
      push_between(x, MODEL_PART_SPRING, &apart, fmax(0, -by[1] / (2 * by[2])));
    else
      push_centre(x, &apart);
    return true;
  }
  return false;
}

// ---- along an axis ------------------------------------------------------------------------------

static void push_to_wall(springs* x, model_part_kind kind, const model_sight_point* point, int axis,
                         expr rest)
{
  model_part p = model_scene_part(x->l->s, kind, "spring", NULL);
  memcpy(p.at, point->at, sizeof p.at);
  memcpy(p.to, point->at, sizeof p.to);
  p.at[axis] = rest;
  p.normal[axis] = expr_int(x->l->s->pool, 1);
  p.fixed = true;
  if (!is_there(x, &p)) base_push(&x->l->parts, p);
}

// value = a + b p + c p^2 along one axis of a point, c > 0
static bool along_axis(springs* x, const double* value)
{
  for (int i = 0; i < x->sight.points.n; i++)
    for (int k = 0; k < 3; k++) {
      const model_sight_point* p = &x->sight.points.at[i];
      double square[MODEL_SIGHTS], one[MODEL_SIGHTS], by[3];
      if (!p->moves[k] || !p->heavy || p->moves[0] + p->moves[1] + p->moves[2] > 2) continue;
      for (int j = 0; j < MODEL_SIGHTS; j++) one[j] = 1, square[j] = p->x[k][j] * p->x[k][j];
      if (model_sight_fit(3, (const double* const[]){one, p->x[k], square}, value, by) !=
              MODEL_FIT_GOOD ||
          !(by[2] > 0) || !matters(by[2], square, value))
        continue;
      const double rest = -by[1] / (2 * by[2]);
      push_to_wall(x, MODEL_PART_SPRING, p, k, number(x, fabs(rest) < 1e-12 ? 0 : rest));
      return true;
    }
  return false;
}

// value = a + b d + c d^2, c > 0, with d how far one thing is before another on a line that both go
// along: a spring between them, of the length |b|/(2 c)
static bool along_line(springs* x, const double* value)
{
  for (int i = 0; i < x->sight.points.n; i++)
    for (int j = i + 1; j < x->sight.points.n; j++) {
      const model_sight_point *p = &x->sight.points.at[i], *o = &x->sight.points.at[j];
      const int k = model_sight_line_of(p);
      if (k < 0 || k != model_sight_line_of(o) || !(p->heavy || o->heavy)) continue;
      double d[MODEL_SIGHTS], square[MODEL_SIGHTS], one[MODEL_SIGHTS], by[3];
      for (int n = 0; n < MODEL_SIGHTS; n++)
        one[n] = 1, d[n] = p->x[k][n] - o->x[k][n], square[n] = d[n] * d[n];
      if (model_sight_fit(3, (const double* const[]){one, d, square}, value, by) !=
              MODEL_FIT_GOOD ||
          !(by[2] > 0) || !matters(by[2], square, value))
        continue;
      const model_sight_distance apart = {.point = i, .other = j};
      push_between(x, MODEL_PART_SPRING, &apart, fabs(by[1]) / (2 * by[2]));
      return true;
    }
  return false;
}

// ---- terms --------------------------------------------------------------------------------------

static bool is_spring(springs* x, expr term)
{
  double value[MODEL_SIGHTS];
  model_sight_distance d;
  model_sight_values(&x->sight, term, value);
  if (!model_sight_varies(value) || by_root(x, term, value)) return true;
  if (model_sight_distance_of(&x->sight, term, &d) && d.squared && d.scale > 0) {
    push_between(x, MODEL_PART_SPRING, &d, 0);
    return true;
  }
  return along_axis(x, value) || along_line(x, value);
}

// a sum by its terms, a product with a sum by the terms of that
static void take_apart(springs* x, expr e, int depth)
{
  expr_pool* pool = x->l->s->pool;
  if (depth > DEEPEST || x->terms++ > MOST_TERMS || is_spring(x, e)) return;
  const expr_kind kind = expr_kind_of(pool, e);
  const int n = expr_arg_count(pool, e);
  for (int i = 0; i < n && kind == EXPR_SUM; i++) take_apart(x, expr_arg(pool, e, i), depth + 1);
  for (int i = 0; i < n && kind == EXPR_PRODUCT; i++) {
    const expr sum = expr_arg(pool, e, i);
    if (expr_kind_of(pool, sum) != EXPR_SUM || model_sight_is_free(x->l->s, sum)) continue;
    const expr rest = expr_div(pool, e, sum);
    if (rest == EXPR_NONE || !model_sight_is_free(x->l->s, rest)) continue;
    for (int k = 0; k < expr_arg_count(pool, sum); k++)
      take_apart(x, expr_mul(pool, rest, expr_arg(pool, sum, k)), depth + 1);
    return;
  }
}

// ---- forces -------------------------------------------------------------------------------------

// A force -k (q - rest) on a coordinate that moves a point along an axis, and beside it -c q'.
static void by_force(springs* x, int coord)
{
  model_scope* s = x->l->s;
  expr_pool* pool = s->pool;
  const model_coord* c = &s->m->coord[coord];
  const expr Q = s->m->Q[coord], by_q = expr_simplify(pool, expr_diff(pool, Q, c->q));
  if (!model_sight_is_free(s, by_q) || !(model_sight_number(&x->sight, by_q) < 0)) return;
  const expr by_v = expr_simplify(pool, expr_diff(pool, Q, c->v));
  const expr zero = expr_int(pool, 0);
  const expr still = expr_substitute(pool, Q, 1, &c->v, &zero);
  expr rest = expr_simplify(pool, expr_sub(pool, c->q, expr_div(pool, still, by_q)));
  if (!model_sight_is_free(s, rest) || model_scope_uses(s, rest) & MODEL_USES_TIME) rest = zero;
  for (int i = 0; i < x->sight.points.n; i++)
    for (int k = 0; k < 3; k++) {
      const model_sight_point* p = &x->sight.points.at[i];
      if (!p->heavy || p->at[k] != c->q) continue;
      push_to_wall(x, MODEL_PART_SPRING, p, k, rest);
      if (model_sight_is_free(s, by_v) && model_sight_number(&x->sight, by_v) < 0)
        push_to_wall(x, MODEL_PART_DAMPER, p, k, rest);
      return;
    }
}

// weight that a potential says, where no `gravity` does: -dV/dp where it is a constant
static void find_weight(springs* x)
{
  model_scope* s = x->l->s;
  bool found = false;
  for (int i = 0; i < x->sight.points.n && !found && !s->has_gravity; i++) {
    const model_sight_point* p = &x->sight.points.at[i];
    for (int k = 0; k < 3 && p->heavy; k++)
      for (int c = 0; c < s->m->coords; c++) {
        if (p->at[k] != s->m->coord[c].q) continue;
        const expr force = expr_neg(s->pool, expr_diff(s->pool, s->m->V, p->at[k]));
        const double size = model_sight_number(&x->sight, expr_simplify(s->pool, force));
        if (!(fabs(size) > 0) || !isfinite(size)) continue;
        x->l->weight[k] = force;
        found = true;
      }
  }
  x->l->weighs = found;
}

void model_scene_springs(model_scene_list* l)
{
  springs x = {.l = l};
  const model* m = l->s->m;
  if (model_sight_open(&x.sight, l)) {
    find_weight(&x);
    for (int i = 0; i < m->energy_terms; i++)
      if (!m->energy_term[i].kinetic) take_apart(&x, m->energy_term[i].f, 0);
    for (int i = 0; i < m->coords && !m->mechanism; i++)
      if (m->Q[i]) by_force(&x, i);
  }
  model_sight_close(&x.sight);
}
