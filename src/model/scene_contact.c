// What there is to see of a contact: both surfaces, the point where they touch, the force there.

#include "model/scene.h"

#include "model/roll.h"

// a ball as a sphere and a disc with a sharp rim are drawn as what they are
static bool is_own_shape(const model_touch* c)
{
  const int shape = c->body->shape;
  if (c->on_body.size[0] != c->body->radius) return false;
  if (c->on_body.kind == MODEL_SPHERE) return shape == LANG_BALL;
  return c->on_body.kind == MODEL_CIRCLE && shape == LANG_DISC;
}

// does the surface belong to the body: to itself, to its frame, or to a frame fixed beside it?
static bool bounds(const model_touch* c, const model_entry* body)
{
  if (c->body == body) return !is_own_shape(c);
  if (!body->carrier || body->own || c->body->sort != MODEL_IS_FRAME) return false;
  return c->body == body->carrier || c->body->carrier == body->carrier;
}

bool model_scene_has_surface(const model_scope* s, const model_entry* body)
{
  for (int i = 0; i < s->entries.n; i++) {
    const model_entry* e = s->entries.at[i];
    if (e->sort == MODEL_IS_CONTACT && e->touch && bounds(e->touch, body)) return true;
  }
  return false;
}

static model_chart chart_of(model_surface_kind kind)
{
  switch (kind) {
  case MODEL_PLANE:
    return MODEL_CHART_PLANE;
  case MODEL_SPHERE:
  case MODEL_ELLIPSOID:
    return MODEL_CHART_ROUND;
  case MODEL_CYLINDER:
    return MODEL_CHART_TUBE;
  case MODEL_TORUS:
  case MODEL_CIRCLE:
    return MODEL_CHART_TORUS;
  case MODEL_CONE:
    return MODEL_CHART_CONE;
  case MODEL_PARABOLOID:
  case MODEL_PATCH:
    return MODEL_CHART_OPEN;
  }
  return MODEL_CHART_OPEN;
}

void model_scene_surface(model_scene_list* l, const model_surface* x, const model_place* at,
                         const model_axes* axes, model_part p)
{
  model_scene_place(l->s, at, p.at);
  model_scene_axes(l->s, axes, &p);
  p.chart = chart_of(x->kind);
  p.u = x->u;
  p.v = x->v;
  for (int i = 0; i < 3; i++) p.r[i] = x->r[i];
  base_push(&l->parts, p);
}

// a rim without thickness is drawn as the disc it bounds
static void add_rim(model_scene_list* l, const model_touch* c)
{
  model_part p = model_scene_part(l->s, MODEL_PART_DISC, c->body->name, c->body);
  model_scene_place(l->s, c->centre, p.at);
  model_scene_axes(l->s, c->body->axes, &p);
  p.size[0] = c->on_body.size[0];
  p.normal[2] = expr_int(l->s->pool, 1);
  base_push(&l->parts, p);
}

void model_scene_contact(model_scene_list* l, const model_entry* e)
{
  const model_touch* c = e->touch;
  const model_contact* x = &l->s->m->contact[e->contact];
  model_part p = model_scene_part(l->s, MODEL_PART_SURFACE, c->body->name, c->body);
  p.touch[0] = x->value[0];
  p.touch[1] = x->value[1];
  if (c->on_body.kind == MODEL_CIRCLE && !is_own_shape(c))
    add_rim(l, c);
  else if (!is_own_shape(c))
    model_scene_surface(l, &c->on_body, c->centre, c->body->axes, p);
  p = model_scene_part(l->s, MODEL_PART_SURFACE, c->base->name, c->base);
  p.touch[0] = x->value[2];
  p.touch[1] = x->value[3];
  p.is_base = true;
  p.inside = c->side < 0;
  model_scene_surface(l, &c->on_base, c->base->origin, c->base->axes, p);
  p = model_scene_part(l->s, MODEL_PART_CONTACT, e->name, c->base);
  model_scene_place(l->s, e->origin, p.at);
  for (int i = 0; i < 3; i++) p.force[i] = x->force[i];
  base_push(&l->parts, p);
}
