// A constraint on a point that is neither a distance nor a height: in the plane a wire, where it
// holds both ways, else uneven ground; in space a surface.

#include "model/scene_sight.h"

#include <string.h>

// the axis along which the coordinate moves the point, and it alone; -1: none
static int axis_of(const model_sight_point* p, expr q)
{
  for (int k = 0; k < 3; k++)
    if (p->at[k] == q) return k;
  return -1;
}

// the coordinates in f, at most `room`; room + 1 where there are more
static int coordinates_of(const model_scope* s, expr f, int room, int* out)
{
  int n = 0;
  for (int i = 0; i < s->m->coords && n <= room; i++)
    if (expr_has(s->pool, f, s->m->coord[i].q)) {
      if (n < room) out[n] = i;
      n++;
    }
  return n;
}

// A point of space that stays on z = g(x, y), or above or below it: f without bend along one axis.
static bool add_surface(model_scene_list* l, const model_sight_point* p, const model_constraint* c)
{
  model_scope* s = l->s;
  expr_pool* pool = s->pool;
  for (int k = 2; k >= 0; k--) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const expr slope = expr_simplify(pool, expr_diff(pool, c->f, p->at[k]));
    if (slope == expr_int(pool, 0) || !model_sight_is_free(s, slope)) continue;
    model_part w = model_scene_part(s, MODEL_PART_SURFACE, c->name, NULL);
    w.u = expr_symbol(pool, "surface.u"), w.v = expr_symbol(pool, "surface.v");
    w.touch[0] = p->at[i], w.touch[1] = p->at[j];
    const expr from[2] = {p->at[i], p->at[j]}, to[2] = {w.u, w.v};
    const expr g = expr_sub(pool, p->at[k], expr_div(pool, c->f, slope));
    w.r[k] = expr_substitute(pool, expr_simplify(pool, g), 2, from, to);
    w.r[i] = w.u, w.r[j] = w.v;
    w.chart = MODEL_CHART_OPEN;
    w.is_base = true;
    if (expr_has(pool, w.r[k], p->at[k])) continue;
    base_push(&l->parts, w);
    return true;
  }
  return false;
}

bool model_scene_curve(model_scene_list* l, const model_sight* x, const model_constraint* c)
{
  model_scope* s = l->s;
  int coord[3];
  const int coords = coordinates_of(s, c->f, 3, coord);
  if (coords < 2 || coords > 3) return false;
  if (model_scope_uses(s, c->f) & (MODEL_USES_TIME | MODEL_USES_VELOCITY | MODEL_USES_REACTION))
    return false;
  for (int i = 0; i < x->points.n && coords == 3; i++) {
    bool is = x->points.at[i].heavy;
    for (int k = 0; k < 3; k++) is = is && axis_of(&x->points.at[i], s->m->coord[coord[k]].q) >= 0;
    if (is) return add_surface(l, &x->points.at[i], c);
  }
  if (coords == 3) return false;
  for (int i = 0; i < x->points.n; i++) {
    const model_sight_point* p = &x->points.at[i];
    const int axis[2] = {axis_of(p, s->m->coord[coord[0]].q), axis_of(p, s->m->coord[coord[1]].q)};
    if (axis[0] < 0 || axis[1] < 0 || !p->heavy) continue;
    model_part w = model_scene_part(s, MODEL_PART_CURVE, c->name, NULL);
    memcpy(w.at, p->at, sizeof w.at);
    memcpy(w.to, p->at, sizeof w.to);
    w.r[0] = c->f;
    w.u = s->m->coord[coord[0]].q;
    w.v = s->m->coord[coord[1]].q;
    for (int k = 0; k < 2; k++) w.r[1 + k] = expr_int(s->pool, axis[k]);
    w.normal[3 - axis[0] - axis[1]] = expr_int(s->pool, c->sense < 0 ? -1 : 1);
    w.both = !c->sense;
    base_push(&l->parts, w);
    return true;
  }
  return false;
}
