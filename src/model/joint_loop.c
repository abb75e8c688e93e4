// Joints that close loops: constraints between two frames, and the force and moment that they are.

#include "model/guide.h"
#include "model/joint.h"

#include <string.h>

enum { most_rows = 6 };

// one equation f = 0, called as the joint where it has no part of its own; its reaction, zero where
// it holds by itself, in this unit: a force of a distance, a moment of a turn
static expr hold(model_scope* s, model_entry* e, const char* part, const char* unit, expr f)
{
  const expr held = model_scope_held(s, f);
  if (held == expr_int(s->pool, 0) || expr_is_zero(s->pool, held) == EXPR_YES)
    return expr_int(s->pool, 0);
  if (model_highest_order(s, f) < 0) {
    base_error(s->notes, e->place, "the joint `%s` can never hold: its two ends are always apart",
               e->name);
    e->poisoned = true;
    return expr_int(s->pool, 0);
  }
  const model_constraint c = {.name = part ? base_arena_printf(s->arena, "%s.%s", e->name, part)
                                           : e->name,
                              .unit = unit,
                              .f = f,
                              .linear = true,
                              .restitution = EXPR_NONE,
                              .place = e->place};
  const int number = model_constraint_append(s, c);
  e->rows++;
  e->part_index[e->parts++] = number;
  return s->m->reaction[number];
}

// lambda times a vector of the axes `of`, added in those of the world
static void act(model_scope* s, expr lambda, const model_axes* of, const expr v[3], expr sum[3])
{
  expr world[3];
  if (lambda == expr_int(s->pool, 0)) return;
  model_axes_change(&s->kin, of, NULL, v, world);
  model_vec_scale(s->pool, lambda, world, world);
  model_vec_add(s->pool, sum, world, sum);
}

// The equation u.w = 0 of the axis k of A and w of B, both in A's axes: its reaction turns B about
// w x u.
static void hold_turn(model_scope* s, model_entry* e, const char* part, const model_axes* on_a,
                      const expr w[3], int k)
{
  expr u[3], about[3];
  for (int i = 0; i < 3; i++) u[i] = expr_int(s->pool, i == k);
  model_vec_cross(s->pool, w, u, about);
  act(s, hold(s, e, part, "N*m", w[k]), on_a, about, e->moment);
}

static bool hold_distance(model_scope* s, model_entry* e, const model_axes* on_a,
                          const expr apart[3])
{
  const lang_node* n = e->statement->natural;
  expr length;
  model_dim d;
  if (!n) {
    base_error(s->notes, e->place, "a distance has a length");
    base_help(s->notes, "joint %s: distance B on A length l", e->name);
    return false;
  }
  if (!model_eval_scalar(s, n, "a length", &length, &d) ||
      !model_expect_dim(s, n, d, model_dim_of(1, 0, 0), "a length") ||
      !model_expect_free(s, n, length, MODEL_USES_STATE | MODEL_USES_JERK | MODEL_USES_RATE,
                         "a length"))
    return false;
  const expr now = expr_fn1(s->pool, EXPR_SQRT, model_vec_dot(s->pool, apart, apart));
  const expr lambda = hold(s, e, "length", "N", expr_sub(s->pool, now, length));
  act(s, expr_div(s->pool, lambda, now), on_a, apart, e->force);
  return true;
}

// column k of the joint's frame on B, in that on A
static void axis_of(model_scope* s, const model_axes* on_b, const model_axes* on_a, int k,
                    expr out[3])
{
  expr v[3];
  for (int i = 0; i < 3; i++) v[i] = expr_int(s->pool, i == k);
  model_axes_change(&s->kin, on_b, on_a, v, out);
}

// the parts of the distance that vanish, in A's axes
static void hold_places(model_scope* s, model_entry* e, int places, const model_axes* on_a,
                        const expr apart[3], expr lambda[3])
{
  static const char* const part[3] = {"x", "y", "z"};
  for (int i = 0; i < 3; i++) {
    expr u[3];
    for (int j = 0; j < 3; j++) u[j] = expr_int(s->pool, i == j);
    lambda[i] = places & 1 << i ? hold(s, e, part[i], "N", apart[i]) : expr_int(s->pool, 0);
    act(s, lambda[i], on_a, u, e->force);
  }
}

// A rough surface holds its point by one force along the normal; those along its tangents vanish,
// and place u and v under the point.
static void hold_on_surface(model_scope* s, model_entry* e, const model_axes* on_a,
                            const expr apart[3])
{
  expr t[2][3], n[3];
  model_guide_axes(s, e->guide, t, n);
  act(s, hold(s, e, NULL, "N", model_vec_dot(s->pool, n, apart)), on_a, n, e->force);
  act(s, hold(s, e, "along", "N", model_vec_dot(s->pool, t[0], apart)), on_a, t[0], e->force);
  act(s, hold(s, e, "across", "N", model_vec_dot(s->pool, t[1], apart)), on_a, t[1], e->force);
}

// of a joint with friction: what its point is guided by
static bool find_guide(model_scope* s, model_entry* e, const expr y[3], const expr at[3])
{
  const model_joint_kind k = model_joint_kind_of(s, e->statement);
  if (!e->statement->friction) return true;
  if (!model_joint_is_guided(k)) return false; // told already
  e->guide = base_arena_take(s->arena, sizeof *e->guide);
  e->guide->ways = k == MODEL_ON_CURVE ? 1 : 2;
  memcpy(e->guide->y, y, sizeof e->guide->y);
  memcpy(e->guide->at, at, sizeof e->guide->at);
  for (int i = 0; i < e->guide->ways; i++) {
    const char* name = base_arena_printf(s->arena, "%s.%c", e->name, "uv"[i]);
    const model_entry* x = model_names_find(&s->names, name);
    if (!x || x->sort != MODEL_IS_COORD) return false;
    e->guide->way[i] = x->value.e[0];
    e->guide->rate[i] = expr_total(s->pool, x->value.e[0]);
  }
  return true;
}

bool model_joint_close(model_scope* s, model_entry* e)
{
  const lang_statement* st = e->statement;
  const model_joint_kind k = model_joint_kind_of(s, st);
  model_joint_frame frame[2];
  const model_entry* thing[2];
  const model_axes* axes[2];
  const model_place* at[2];
  expr apart[3], x[3], z[3], guide[3], lambda[3] = {0};
  bool fine = model_joint_frames(s, e, frame) && model_joint_guide(s, e, guide);
  for (int i = 0; i < 2; i++) {
    thing[i] = model_scope_frame(s, st->end[i].body);
    fine = fine && thing[i];
  }
  if (!fine) return false;
  if (k == MODEL_SCREW || k == MODEL_FREE) {
    base_error(s->notes, e->place, "a joint of the kind `%s` places a body: it closes no loop",
               model_joint_laws[k].name);
    return false;
  }
  for (int i = 0; i < 2; i++) {
    axes[i] = model_joint_frame_turn(s, thing[i]->axes, frame[i].R, false);
    at[i] = model_place_add(&s->kin, thing[i]->origin, thing[i]->axes, frame[i].r);
  }
  e->index = s->m->constraints;
  e->part_index = base_arena_take(s->arena, sizeof(int) * most_rows);
  model_vec_zero(s->pool, e->force);
  model_vec_zero(s->pool, e->moment);
  model_place_between(&s->kin, at[1], at[0], axes[1], apart);
  if (!find_guide(s, e, apart, guide)) return false;
  model_vec_sub(s->pool, apart, guide, apart);
  model_place_between(&s->kin, thing[1]->origin, at[0], thing[1]->axes, e->way);
  e->carrier = thing[1];
  e->axes = thing[0]->axes;
  if (k == MODEL_DISTANCE) return hold_distance(s, e, axes[1], apart);
  if (e->guide && k == MODEL_ON_SURFACE)
    hold_on_surface(s, e, axes[1], apart);
  else
    hold_places(s, e, model_joint_laws[k].places, axes[1], apart, lambda);
  if (e->guide) memcpy(e->guide->reaction, lambda, sizeof lambda);
  axis_of(s, axes[0], axes[1], 2, z);
  axis_of(s, axes[0], axes[1], 0, x);
  if (model_joint_laws[k].turns == 1) hold_turn(s, e, "cross", axes[1], z, 2);
  if (model_joint_laws[k].turns >= 2) hold_turn(s, e, "lean", axes[1], z, 0);
  if (model_joint_laws[k].turns >= 2) hold_turn(s, e, "tilt", axes[1], z, 1);
  if (model_joint_laws[k].turns == 3) hold_turn(s, e, "turn", axes[1], x, 1);
  if (!e->rows && !e->poisoned)
    base_warning(s->notes, e->place,
                 "the joint `%s` holds already: others share its load, it counts for none of it",
                 e->name);
  return !e->poisoned;
}
