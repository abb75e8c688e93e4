// Generalised forces. A force F at the point P and a torque M on the body B give
//   Q_i = F . dv_P/dq_i',   Q_i = M . domega_B/dq_i'
// with the velocities resolved in the axes in which F and M are written.

#include <stdlib.h>
#include <string.h>

#include "model/parts.h"

typedef BASE_LIST(expr) terms;

typedef struct forces
{
  model_scope* s;
  terms* on; // one list per coordinate
  expr *speed, *slope;
} forces;

// no force may hold these; the last two are told apart in the message
enum { NEVER = MODEL_USES_JERK | MODEL_USES_ACCELERATION };

static bool may_act(model_scope* s, const lang_node* n, const expr* F, int parts)
{
  for (int i = 0; i < parts; i++) {
    if (model_scope_uses(s, F[i]) & MODEL_USES_REACTION) {
      base_error(s->notes, n->place, "a force that depends on reactions is not supported yet");
      return false;
    }
    if (!model_expect_free(s, n, F[i], NEVER, "a force")) return false;
  }
  return true;
}

static void force_on_coordinate(forces* f, const lang_statement* st)
{
  model_scope* s = f->s;
  expr Q;
  model_dim d;
  model_entry* e = model_names_find(&s->names, st->name.text);
  bool is_coord = e && e->sort == MODEL_IS_COORD;
  if (!e) {
    model_scope_unknown(s, "coordinate", st->name.text, st->name.place, 1 << MODEL_IS_COORD);
  } else if (!is_coord && e->sort != MODEL_IS_UNSUPPORTED) {
    base_error(s->notes, st->name.place, "a force acts on a coordinate, `%s` is %s", e->name,
               model_sort_text(e));
    base_help(s->notes, "a force at a point is written: force (fx, fy, fz) in F at P");
  }
  if (!model_eval_scalar(s, st->value, "a generalised force", &Q, &d)) return;
  if (!may_act(s, st->value, &Q, 1) || !is_coord) return;
  model_dim energy = model_dim_of(2, 1, -2);
  if (e->value.d[0].kind == MODEL_DIM_KNOWN &&
      !model_expect_dim(s, st->value, d, model_dim_div(energy, e->value.d[0]),
                        "this generalised force"))
    return;
  base_push(&f->on[e->index], Q);
}

// F . dv/dq_i' for all coordinates
static void add_projection(forces* f, const expr F[3], const expr v[3])
{
  model* m = f->s->m;
  expr_pool* p = f->s->pool;
  expr zero = expr_int(p, 0);
  for (int k = 0; k < 3; k++) {
    if (F[k] == zero || v[k] == zero) continue;
    expr_gradient(p, v[k], m->coords, f->speed, f->slope);
    for (int i = 0; i < m->coords; i++)
      if (f->slope[i] != zero) base_push(&f->on[i], expr_mul(p, F[k], f->slope[i]));
  }
}

static bool read_vector(model_scope* s, const lang_statement* st, const char* what, model_dim dim,
                        expr F[3])
{
  model_dim d[3];
  if (!model_eval_vector(s, st->vector, what, F, d)) return false;
  for (int i = 0; i < 3; i++)
    if (!model_expect_dim(s, st->vector, d[i], dim, what)) return false;
  return may_act(s, st->vector, F, 3);
}

static void force_at_point(forces* f, const lang_statement* st)
{
  model_scope* s = f->s;
  expr F[3], v[3];
  const model_place* point;
  bool fine = read_vector(s, st, "a force", model_dim_of(1, 1, -2), F);
  const model_entry* frame = model_scope_frame(s, st->in);
  model_value at = model_eval(s, st->at);
  if (at.kind != MODEL_THING && at.kind != MODEL_POISON)
    base_error(s->notes, st->at->place, "a force acts at a point, frame or body, this is %s",
               model_value_describe(&at));
  if (!fine || !frame || at.kind != MODEL_THING) return;
  point = at.thing->origin;
  model_place_velocity(&s->kin, point, frame->axes, v);
  add_projection(f, F, v);
}

static void torque_on_body(forces* f, const lang_statement* st)
{
  model_scope* s = f->s;
  expr M[3], w[3];
  bool fine = read_vector(s, st, "a torque", model_dim_of(2, 1, -2), M);
  const model_entry* frame = model_scope_frame(s, st->in);
  const model_entry* body = model_scope_frame(s, st->on);
  if (!fine || !frame || !body) return;
  model_axes_omega(&s->kin, body->axes, frame->axes, w);
  add_projection(f, M, w);
}

void model_force_build(model_scope* s)
{
  model* m = s->m;
  size_t n = (size_t)m->coords + 1;
  forces f = {.s = s,
              .on = base_alloc(n * sizeof *f.on),
              .speed = base_alloc(n * sizeof(expr)),
              .slope = base_alloc(n * sizeof(expr))};
  for (int i = 0; i < m->coords; i++) f.speed[i] = m->coord[i].v;
  for (int i = 0; i < s->tree->count && !expr_pool_full(s->pool); i++) {
    const lang_statement* st = &s->tree->at[i];
    if (st->kind == LANG_TORQUE) torque_on_body(&f, st);
    if (st->kind != LANG_FORCE) continue;
    if (st->name.text)
      force_on_coordinate(&f, st);
    else
      force_at_point(&f, st);
  }
  m->Q = base_arena_take(s->arena, n * sizeof *m->Q);
  for (int i = 0; i < m->coords; i++) {
    expr Q = f.on[i].n ? expr_sum(s->pool, f.on[i].n, f.on[i].at) : expr_int(s->pool, 0);
    m->Q[i] = model_simpler(s, Q);
    base_list_free(&f.on[i]);
  }
  free(f.on);
  free(f.speed);
  free(f.slope);
}
