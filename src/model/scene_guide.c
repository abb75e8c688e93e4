// Curves and surfaces that joints hold points on: wires and bowls, fast to what they belong to.

#include "model/joint.h"
#include "model/scene.h"

// where it is drawn, kept while the text of the model is at hand
typedef struct model_rail
{
  model_surface x;
  const model_place* at;
  const model_axes* axes;
  expr touch[2]; // the coordinates of the point on it
} model_rail;

static bool coordinate(model_scope* s, const model_entry* e, char part, expr* out)
{
  const char* name = base_arena_printf(s->arena, "%s.%c", e->name, part);
  const model_entry* c = model_names_find(&s->names, name);
  if (!c || c->sort != MODEL_IS_COORD) return false;
  *out = c->value.e[0];
  return true;
}

void model_scene_note_rail(model_scope* s, model_entry* e)
{
  const lang_statement* st = e->statement;
  if (!model_joint_is_guided(model_joint_kind_of(s, st))) return;
  const model_entry* on = model_scope_frame(s, st->end[1].body);
  model_joint_frame frame[2];
  model_rail* r = base_arena_take(s->arena, sizeof *r);
  if (!on || !model_joint_frames(s, e, frame) || !model_surface_read_guide(s, st->left, &r->x))
    return;
  r->at = model_place_add(&s->kin, on->origin, on->axes, frame[1].r);
  r->axes = model_joint_frame_turn(s, on->axes, frame[1].R, false);
  r->touch[0] = r->touch[1] = expr_int(s->pool, 0);
  if (r->x.curve) r->x.v = r->x.u;
  if (!coordinate(s, e, 'u', &r->touch[0])) return;
  if (!r->x.curve && !coordinate(s, e, 'v', &r->touch[1])) return;
  e->rail = r;
}

void model_scene_guides(model_scene_list* l)
{
  for (int i = 0; i < l->s->entries.n; i++) {
    const model_entry* e = l->s->entries.at[i];
    const model_rail* r = e->rail;
    if (e->poisoned || !r) continue;
    model_part p = model_scene_part(l->s, r->x.curve ? MODEL_PART_WIRE : MODEL_PART_SURFACE,
                                    e->name, e->carrier);
    for (int k = 0; k < 2; k++) p.touch[k] = r->touch[k];
    p.is_base = !r->x.curve;
    model_scene_surface(l, &r->x, r->at, r->axes, p);
  }
}
