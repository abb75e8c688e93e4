// Where the reactions of constraints may be drawn. A constraint f acts on the coordinates with
// Lambda df/dq (the highest derivatives in place of q); a force F at a point r(q) acts with
// (dr/dq)^T F. Where df/dq = (dr/dq)^T n, the reaction is the force Lambda n at that point, and
// where it is the sum of two such terms, forces at two points. Whether there are such n is seen in
// numbers, along the motion; here the points are named that may carry them.

#include "model/scene.h"

// coordinates, and forces to try, up to which this is looked at
enum { MOST_COORDS = 24, MOST_TRIED = 48 };

static void try_point(model_scene_list* l, int k, const char* name, const expr at[3])
{
  const model* m = l->s->m;
  expr_pool* pool = l->s->pool;
  const model_constraint* c = &m->constraint[k];
  const size_t n = (size_t)m->coords;
  model_part p = model_scene_part(l->s, MODEL_PART_FORCE, c->name, NULL);
  expr* q = base_arena_take(l->s->arena, sizeof(expr) * n);
  expr* by = base_arena_take(l->s->arena, sizeof(expr) * n);
  p.carrier = name;
  p.holds = k;
  p.reaction = m->reaction[k];
  p.gradient = base_arena_take(l->s->arena, sizeof(expr) * n);
  p.jacobian = base_arena_take(l->s->arena, sizeof(expr) * 3 * n);
  for (int i = 0; i < m->coords; i++) {
    q[i] = m->coord[i].q;
    by[i] = c->order == 0 ? m->coord[i].q : c->order == 1 ? m->coord[i].v : m->coord[i].a;
  }
  expr_gradient(pool, c->f, m->coords, by, p.gradient);
  for (int i = 0; i < 3; i++) {
    p.at[i] = at[i];
    expr_gradient(pool, at[i], m->coords, q, p.jacobian + (size_t)i * n);
  }
  base_push(&l->parts, p);
}

static bool may_carry(model_part_kind kind)
{
  return kind == MODEL_PART_PARTICLE || kind == MODEL_PART_POINT || kind == MODEL_PART_BODY ||
         kind == MODEL_PART_DISC || kind == MODEL_PART_BALL;
}

// the one or two points a constraint speaks of, else all that could carry its force
static void try_constraint(model_scene_list* l, const model_entry* e, int k, int parts, int* tried)
{
  const model_constraint* c = &l->s->m->constraint[k];
  if (c->internal || c->contact || c->along || c->by || e->speaks_of > 2) return;
  for (int i = 0; i < e->speaks_of && *tried < MOST_TRIED; i++, (*tried)++) {
    expr at[3];
    model_scene_place(l->s, e->spoken[i]->origin, at);
    try_point(l, k, e->spoken[i]->name, at);
  }
  if (e->speaks_of) return;
  for (int i = 0; i < parts; i++) {
    const model_part p = l->parts.at[i];
    if (may_carry(p.kind) && (*tried)++ < MOST_TRIED) try_point(l, k, p.name, p.at);
  }
}

void model_scene_forces(model_scene_list* l)
{
  const model_scope* s = l->s;
  const int parts = l->parts.n;
  int tried = 0;
  if (s->m->coords > MOST_COORDS) return;
  for (int i = 0; i < s->constraints.n; i++) {
    const model_entry* e = s->constraints.at[i];
    for (int j = 0; j < e->parts && !e->poisoned; j++)
      if (e->part_index[j] >= 0) try_constraint(l, e, e->part_index[j], parts, &tried);
  }
}
