// A constraint on a point of the plane that is neither a distance nor a height: a wire, where it
// holds both ways, else uneven ground.

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

bool model_scene_curve(model_scene_list* l, const model_sight* x, const model_constraint* c)
{
  model_scope* s = l->s;
  int coord[2];
  if (coordinates_of(s, c->f, 2, coord) != 2) return false;
  if (model_scope_uses(s, c->f) & (MODEL_USES_TIME | MODEL_USES_VELOCITY | MODEL_USES_REACTION))
    return false;
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
