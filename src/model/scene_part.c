// A part of a picture before anything is said about it; places and axes in those of the world.

#include "model/scene.h"

model_part model_scene_part(const model_scope* s, model_part_kind kind, const char* name,
                            const model_entry* carrier)
{
  const expr zero = expr_int(s->pool, 0);
  model_part p = {.kind = kind, .name = name, .mass = zero, .u = zero, .v = zero};
  p.carrier = carrier && carrier != s->world ? carrier->name : "";
  for (int i = 0; i < 3; i++) {
    p.at[i] = p.to[i] = p.third[i] = p.size[i] = p.normal[i] = p.force[i] = p.r[i] = zero;
    p.inertia[i] = p.inertia[3 + i] = zero;
  }
  for (int i = 0; i < 9; i++) p.rotation[i] = expr_int(s->pool, i % 4 == 0);
  p.touch[0] = p.touch[1] = zero;
  return p;
}

void model_scene_place(const model_scope* s, const model_place* p, expr out[3])
{
  model_place_between(&s->kin, NULL, p, NULL, out);
}

void model_scene_axes(const model_scope* s, const model_axes* a, model_part* p)
{
  p->turns = true;
  model_axes_rotation(&s->kin, a, p->rotation);
}
