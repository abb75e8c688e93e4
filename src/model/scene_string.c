// The length of a string: a rod that is shown between two points, where an inequality of the model
// bounds their distance d from above.
//
// With g = d^2 or g = d such a constraint is f = r - c g, with r and c free of the coordinates, and
// the string is taut at g = r/c. It bounds from above where f >= 0 and c > 0, or f <= 0 and c < 0.

#include "model/scene.h"

#include <math.h>
#include <stdlib.h>

static bool is_free(model_scope* s, expr e)
{
  return e != EXPR_NONE && !(model_scope_uses(s, e) & MODEL_USES_STATE);
}

// the number of an expression in params, with their values at the start; at t = 0
static double number_of(model_scope* s, expr e)
{
  const model* m = s->m;
  expr* symbol = base_alloc(sizeof(expr) * (size_t)(m->params + 1));
  double *value = base_alloc(sizeof(double) * (size_t)(m->params + 1)), x = NAN;
  for (int i = 0; i < m->params; i++) {
    symbol[i] = m->param[i].symbol;
    value[i] = m->param[i].number;
  }
  symbol[m->params] = m->t;
  value[m->params] = 0;
  expr_values(s->pool, 1, &e, m->params + 1, symbol, value, &x);
  free(symbol);
  free(value);
  return x;
}

// c and r of f = r - c g, from the first coordinate that g depends on
static bool split(model_scope* s, expr f, expr g, expr* c, expr* r)
{
  const model* m = s->m;
  const expr zero = expr_int(s->pool, 0);
  for (int i = 0; i < m->coords; i++) {
    const expr slope = expr_diff(s->pool, g, m->coord[i].q);
    if (slope == zero || expr_is_zero(s->pool, slope) == EXPR_YES) continue;
    const expr by = expr_diff(s->pool, f, m->coord[i].q);
    if (by == zero) return false;
    const expr ratio = expr_div(s->pool, expr_neg(s->pool, by), slope);
    if (ratio == EXPR_NONE) return false;
    *c = expr_simplify(s->pool, ratio);
    if (!is_free(s, *c) || expr_is_zero(s->pool, *c) == EXPR_YES) return false;
    *r = expr_simplify(s->pool, expr_add(s->pool, f, expr_mul(s->pool, *c, g)));
    return is_free(s, *r);
  }
  return false;
}

// the value of g at f = 0
static bool level(model_scope* s, expr f, expr g, expr* c, expr* limit)
{
  expr r;
  if (!split(s, f, g, c, &r)) return false;
  *limit = expr_div(s->pool, r, *c);
  return *limit != EXPR_NONE;
}

static bool bounds(model_scope* s, const model_constraint* k, expr g, expr* limit)
{
  expr c;
  if (!k->sense || k->order || k->internal || !level(s, k->f, g, &c, limit)) return false;
  return k->sense * number_of(s, c) > 0;
}

// the square of the distance, and the distance
static void distances(model_scope* s, const expr from[3], const expr to[3], expr out[2])
{
  expr apart[3];
  model_vec_sub(s->pool, to, from, apart);
  out[0] = model_vec_dot(s->pool, apart, apart);
  out[1] = expr_call(s->pool, EXPR_SQRT, 1, out);
}

expr model_scene_length(model_scope* s, expr f, const expr from[3], const expr to[3])
{
  expr g[2], c, limit;
  distances(s, from, to, g);
  if (level(s, f, g[0], &c, &limit)) return expr_call(s->pool, EXPR_SQRT, 1, &limit);
  return level(s, f, g[1], &c, &limit) ? limit : EXPR_NONE;
}

expr model_scene_string(model_scope* s, const expr from[3], const expr to[3])
{
  const model* m = s->m;
  expr g[2], limit;
  distances(s, from, to, g);
  for (int i = 0; i < m->constraints; i++) {
    if (bounds(s, &m->constraint[i], g[0], &limit)) return expr_call(s->pool, EXPR_SQRT, 1, &limit);
    if (bounds(s, &m->constraint[i], g[1], &limit)) return limit;
  }
  return expr_int(s->pool, 0);
}
