// Where things turn against each other: a frame at a fixed place of its carrier that is turned
// against it, and joints.

#include "model/scene_sight.h"

#include <math.h>
#include <string.h>

// The axis of the turn between two frames, in the axes of the carrier, where it is always the same
// one: a rotation by an angle a about n has R - R^T = 2 sin(a) [n]x.
static bool one_axis(const model_sight* x, const expr turn[9], double axis[3])
{
  static const int low[3] = {7, 2, 3}, high[3] = {5, 6, 1};
  double n[3][MODEL_SIGHTS], best = 0;
  for (int i = 0; i < 3; i++) {
    double a[MODEL_SIGHTS], b[MODEL_SIGHTS];
    model_sight_values(x, turn[low[i]], a);
    model_sight_values(x, turn[high[i]], b);
    for (int k = 0; k < MODEL_SIGHTS; k++) n[i][k] = a[k] - b[k];
  }
  int chosen = -1;
  for (int k = 0; k < MODEL_SIGHTS; k++) {
    const double size = sqrt(n[0][k] * n[0][k] + n[1][k] * n[1][k] + n[2][k] * n[2][k]);
    if (size > best) best = size, chosen = k;
  }
  if (chosen < 0) return false;
  for (int i = 0; i < 3; i++) axis[i] = n[i][chosen] / best;
  for (int k = 0; k < MODEL_SIGHTS; k++) {
    const double along = axis[0] * n[0][k] + axis[1] * n[1][k] + axis[2] * n[2][k];
    for (int i = 0; i < 3; i++)
      if (!(fabs(n[i][k] - along * axis[i]) <= 1e-9 * best)) return false;
  }
  return true;
}

static bool turns_against(const model_sight* x, const model_entry* e, const model_entry* on,
                          expr turn[9])
{
  const model_kin* kin = &x->s->kin;
  expr own[9], carrier[9];
  model_axes_rotation(kin, e->axes, own);
  model_axes_rotation(kin, on->axes, carrier);
  bool state = false;
  for (int i = 0; i < 9; i++) {
    expr term[3];
    for (int k = 0; k < 3; k++)
      term[k] = expr_mul(x->s->pool, carrier[3 * k + i / 3], own[3 * k + i % 3]);
    turn[i] = expr_sum(x->s->pool, 3, term);
    double y[MODEL_SIGHTS];
    model_sight_values(x, turn[i], y);
    state = state || model_sight_varies(y);
  }
  return state;
}

// a body that turns freely about its centre needs nothing to hold it there
static bool is_centre(const model_scene_list* l, const model_entry* e, const expr at[3])
{
  for (int i = 0; i < l->parts.n; i++) {
    const model_part* p = &l->parts.at[i];
    const bool body = p->kind == MODEL_PART_BODY || p->kind == MODEL_PART_BALL ||
                      p->kind == MODEL_PART_DISC || p->kind == MODEL_PART_BOX;
    if (body && strcmp(p->carrier, e->name) == 0 && memcmp(p->at, at, sizeof p->at) == 0)
      return true;
  }
  return false;
}

static void push_joint(model_scene_list* l, const model_sight* x, const model_entry* e,
                       const model_entry* on, const expr at[3])
{
  model_scope* s = l->s;
  model_part p = model_scene_part(s, MODEL_PART_HINGE, e->name, on);
  expr turn[9], R[9];
  double axis[3];
  if (!turns_against(x, e, on, turn)) return;
  memcpy(p.at, at, sizeof p.at);
  p.fixed = on == s->world;
  const bool hinge = one_axis(x, turn, axis);
  if (!hinge && is_centre(l, e, at)) return;
  if (hinge) {
    model_axes_rotation(&s->kin, on->axes, R);
    for (int i = 0; i < 3; i++) {
      expr term[3];
      for (int k = 0; k < 3; k++)
        term[k] = expr_mul(s->pool, R[3 * i + k], expr_double(s->pool, axis[k]));
      p.normal[i] = expr_sum(s->pool, 3, term);
    }
  }
  base_push(&l->parts, p);
}

static bool is_still(const model_sight* x, const expr at[3])
{
  for (int k = 0; k < 3; k++) {
    double y[MODEL_SIGHTS];
    model_sight_values(x, at[k], y);
    if (model_sight_varies(y)) return false;
  }
  return true;
}

// is something with mass there that this frame carries?
static bool is_body(const model_scope* s, const model_entry* frame)
{
  for (int i = 0; i < s->entries.n; i++) {
    const model_entry* e = s->entries.at[i];
    if (e->mass && (e == frame || e->carrier == frame)) return true;
  }
  return false;
}

// does a frame stay at one place of another?
static bool stays_in(const model_sight* x, const model_entry* e, const model_entry* on)
{
  expr apart[3];
  model_place_between(&x->s->kin, on->origin, e->origin, on->axes, apart);
  return is_still(x, apart);
}

// Frames between one turn and the next carry nothing: what a body turns on is the next that does,
// or the world, and there is a joint where it stays at one place of that.
static void look_at(model_scene_list* l, const model_sight* x, const model_entry* e)
{
  const model_scope* s = l->s;
  expr at[3];
  if (e->poisoned || !e->carrier) return;
  // what slides along a guide is drawn on it
  if (e->sort == MODEL_IS_JOINT && e->places && !e->rail) {
    const model_place* place =
        model_place_add(&l->s->kin, e->carrier->origin, e->carrier->axes, e->way);
    model_scene_place(s, place, at);
    push_joint(l, x, e, e->carrier, at);
  }
  if (e->sort != MODEL_IS_FRAME || e == s->world || !is_body(s, e)) return;
  const model_entry* on = e->carrier;
  while (on != s->world && !is_body(s, on)) {
    if (!stays_in(x, e, on) || !on->carrier) return;
    on = on->carrier;
  }
  if (e->axes == on->axes || !stays_in(x, e, on)) return;
  model_scene_place(s, e->origin, at);
  push_joint(l, x, e, on, at);
}

void model_scene_joints(model_scene_list* l)
{
  model_sight x;
  if (model_sight_open(&x, l))
    for (int i = 0; i < l->s->entries.n; i++) look_at(l, &x, l->s->entries.at[i]);
  model_sight_close(&x);
}
