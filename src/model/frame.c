// Frames and points: where they are and how their axes are turned.

#include <string.h>

#include "model/parts.h"

// frames carried by frames carried by frames ... at most this deep
enum { DEEPEST = 2000 };

enum {
  MOVING = MODEL_USES_VELOCITY | MODEL_USES_ACCELERATION | MODEL_USES_JERK | MODEL_USES_REACTION |
           MODEL_USES_RATE
};

bool model_frame_rotate(model_scope* s, const lang_rotation* r, const model_axes** axes)
{
  expr angle;
  model_dim d;
  if (r->axis == 'q') {
    const model_entry* Q = model_names_find(&s->names, r->by.text);
    if (Q && Q->sort == MODEL_IS_ORIENTATION) {
      *axes = model_axes_orient(&s->kin, *axes, Q->quaternion);
      return true;
    }
    model_scope_unknown(s, "orientation", r->by.text, r->by.place, 1 << MODEL_IS_ORIENTATION);
    return false;
  }
  if (!model_eval_scalar(s, r->angle, "an angle", &angle, &d)) return false;
  if (model_dim_has_unit(&d)) {
    base_error(s->notes, r->angle->place, "an angle is a pure number, this is in [%s]",
               model_dim_text(s->arena, &d));
    if (r->angle->kind == LANG_NAME)
      base_help(s->notes, "a unit belongs to all names of its statement: give `%s` one of its own",
                r->angle->text);
    return false;
  }
  if (!model_expect_free(s, r->angle, angle, MOVING, "an angle")) return false;
  model_degrees_hint(s, r->angle, angle);
  if (r->axis == 'a') return r->about && model_joint_frame_about(s, r->about, angle, axes);
  *axes = model_axes_turn(&s->kin, *axes, r->axis - 'x', angle);
  return true;
}

void model_frame_resolve(model_scope* s, model_entry* e)
{
  const lang_statement* st = e->statement;
  const model_entry* parent = model_scope_frame(s, st->in);
  expr r[3];
  bool fine = true;
  e->poisoned = true;
  e->length = parent ? parent->length : model_dim_unknown();
  model_vec_zero(s->pool, r);
  if (st->at) fine = model_place_vector(s, st->at, "a place", r, &e->length);
  const model_axes* axes = parent ? parent->axes : NULL;
  for (int i = 0; i < st->rotations; i++) fine &= model_frame_rotate(s, &st->rotation[i], &axes);
  if (!parent || !fine) return;
  e->carrier = parent;
  e->frames = parent->frames + 1;
  if (e->frames > DEEPEST) {
    base_error(s->notes, e->place, "more than %d frames, each carried by the one before", DEEPEST);
    return;
  }
  e->axes = axes;
  e->origin = model_place_add(&s->kin, parent->origin, parent->axes, r);
  e->poisoned = false;
}

void model_point_resolve(model_scope* s, model_entry* e)
{
  const lang_statement* st = e->statement;
  const model_entry* frame = model_scope_frame(s, st->in);
  expr r[3];
  e->poisoned = true;
  e->length = frame ? frame->length : model_dim_unknown();
  bool fine = model_place_vector(s, st->value, "a place", r, &e->length);
  if (!frame || !fine) return;
  e->carrier = frame;
  e->axes = frame->axes;
  e->frames = frame->frames;
  e->origin = model_place_add(&s->kin, frame->origin, frame->axes, r);
  e->poisoned = false;
  if (st->kind == LANG_PARTICLE) model_particle_mass(s, e, r);
}
