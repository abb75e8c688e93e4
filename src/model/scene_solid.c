// Shapes that contacts speak of are what their bodies look like; a half space is ground.

#include "model/scene_sight.h"

#include <math.h>
#include <string.h>

static void place(const model_solid* b, model_part* p)
{
  memcpy(p->at, b->p, sizeof p->at);
  memcpy(p->rotation, b->R, sizeof p->rotation);
  p->turns = true;
  p->shown = p->held = true; // of a contact, not of a statement `show`
}

static void add_ground(model_scene_list* l, const model_solid* b, int axis)
{
  model_part p = model_scene_part(l->s, MODEL_PART_GROUND, b->name, NULL);
  memcpy(p.at, b->p, sizeof p.at);
  memcpy(p.to, b->p, sizeof p.to);
  for (int i = 0; i < 3; i++) p.normal[i] = b->R[3 * i + axis];
  base_push(&l->parts, p);
}

// the points of a hull lie about its origin: edges of the box they fill, no thinner than it is
// round
static void add_box(model_scene_list* l, const model_sight* x, const model_solid* b)
{
  model_part p = model_scene_part(l->s, MODEL_PART_BOX, b->name, NULL);
  double edge[3], most = 0;
  for (int k = 0; k < 3; k++) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < b->points; i++) {
      const double at = model_sight_number(x, b->point[i][k]);
      low = fmin(low, at), high = fmax(high, at);
    }
    edge[k] = high - low + 2 * model_sight_number(x, b->radius);
    most = fmax(most, edge[k]);
  }
  place(b, &p);
  for (int k = 0; k < 3; k++) p.size[k] = expr_double(l->s->pool, fmax(edge[k], 0.2 * most));
  if (isfinite(most)) base_push(&l->parts, p);
}

static void add_round(model_scene_list* l, const model_solid* b)
{
  model_part p = model_scene_part(l->s, MODEL_PART_BALL, b->name, NULL);
  place(b, &p);
  p.size[0] = b->radius;
  base_push(&l->parts, p);
}

void model_scene_solids(model_scene_list* l)
{
  const model* m = l->s->m;
  model_sight x;
  if (m->solids && model_sight_open(&x, l))
    for (int i = 0; i < m->solids; i++) {
      const model_solid* b = &m->solid[i];
      if (b->kind == MODEL_SOLID_PLANE)
        add_ground(l, b, b->flat ? 1 : 2);
      else if (b->kind == MODEL_SOLID_HULL && b->fixed && b->flat && b->points == 2)
        add_ground(l, b, 1);
      else if (b->kind == MODEL_SOLID_HULL && b->points == 1)
        add_round(l, b);
      else if (b->kind == MODEL_SOLID_HULL && b->points > 1)
        add_box(l, &x, b);
    }
  if (m->solids) model_sight_close(&x);
}
