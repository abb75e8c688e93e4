// Orientations: four coordinates that are a unit quaternion, and the angular velocity as speeds.
// With q = (w, r), |q| = 1, the axes turned by it have, in their own axes,
//   omega = 2 (w r' - w' r - r x r'),   and back   w' = -r.omega/2,  r' = (w omega + r x omega)/2.

#include "model/parts.h"

static const char* const part[4] = {"w", "x", "y", "z"};
static const char* const own_part[4] = {"qw", "qx", "qy", "qz"};
static const char* const speed[3] = {"wx", "wy", "wz"};

// a name declared twice, which is an error said elsewhere, has its speeds once
static void make_speed(model_scope* s, const model_entry* Q, const char* name)
{
  const char* full = base_arena_printf(s->arena, "%s.%s", Q->name, name);
  if (model_names_find(&s->names, full)) return;
  model_entry* e = model_scope_new_entry(s, MODEL_IS_QUASI, full, Q->place);
  e->made = true;
  model_names_add(&s->names, e);
}

void model_orientation_declare(model_scope* s, model_entry* e)
{
  model_coord_make_vector(s, e, 4, e->own ? own_part : part, 0, 1);
  for (int i = 0; i < 3; i++) make_speed(s, e, speed[i]);
  s->made_constraints++;
  e->state = MODEL_DONE;
}

static model_entry* find_part(model_scope* s, const model_entry* Q, const char* name)
{
  return model_names_find(&s->names, base_arena_printf(s->arena, "%s.%s", Q->name, name));
}

// w^2 + r.r - 1 = 0
static void add_norm(model_scope* s, const model_entry* Q)
{
  expr_pool* p = s->pool;
  expr square[5];
  for (int i = 0; i < 4; i++) square[i] = expr_mul(p, Q->quaternion[i], Q->quaternion[i]);
  square[4] = expr_int(p, -1);
  model_constraint_append(s, (model_constraint){
                                 .name = base_arena_printf(s->arena, "%s.norm", Q->name),
                                 .f = expr_sum(p, 5, square),
                                 .linear = true,
                                 .internal = true,
                                 .place = Q->place,
                             });
}

void model_orientation_own(model_scope* s, model_entry* body)
{
  for (int i = 0; i < 3; i++) model_coord_make(s, body, part[1 + i], "m", 0);
  model_coord_make_vector(s, body, 4, own_part, 0, 1);
  s->made_constraints++;
  body->own = true;
}

void model_orientation_own_speeds(model_scope* s, model_entry* body)
{
  for (int i = 0; i < 3; i++) make_speed(s, body, speed[i]);
}

void model_orientation_place(model_scope* s, model_entry* body)
{
  expr r[3];
  for (int i = 0; i < 3; i++) r[i] = find_part(s, body, part[1 + i])->value.e[0];
  body->axes = model_axes_orient(&s->kin, NULL, body->quaternion);
  body->origin = model_place_add(&s->kin, NULL, NULL, r);
  body->frames = 1;
  body->length = model_dim_of(1, 0, 0);
}

static void build(model_scope* s, model_entry* Q)
{
  expr w[3];
  const char* const* names = Q->own ? own_part : part;
  for (int i = 0; i < 4; i++) Q->quaternion[i] = find_part(s, Q, names[i])->value.e[0];
  add_norm(s, Q);
  s->m->massless = true;
  if (Q->own && Q->is_rolled) return;
  model_axes_spin(&s->kin, model_axes_orient(&s->kin, NULL, Q->quaternion), w);
  for (int i = 0; i < 3; i++) {
    model_entry* e = find_part(s, Q, speed[i]);
    e->value = model_value_scalar(w[i], model_dim_rate(model_dim_weak(), 1));
    e->state = MODEL_DONE;
    s->m->quasi[e->index] = (model_quasi){
        .name = e->name, .unit = "rad/s", .value = w[i], .order = 1, .place = e->place};
  }
}

void model_orientation_build(model_scope* s)
{
  for (int i = 0; i < s->entries.n; i++)
    if (s->entries.at[i]->sort == MODEL_IS_ORIENTATION ||
        (s->entries.at[i]->own && !s->entries.at[i]->joint))
      build(s, s->entries.at[i]);
}
