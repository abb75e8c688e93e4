// What resists the motion, mass by mass, for d'Alembert's principle.
// For a point of a mass with absolute velocity v, momentum p and p* the absolute rate of p, all in
// axes that turn with w:
//   T = 1/2 sum p . v,   d/dt dT/dq_i' - dT/dq_i = sum p* . dv/dq_i',   p* = p' + w x p
// and the same with the spin of a body for v and J spin for p (Lagrange's central equation). It
// needs masses and inertias free of the coordinates, and spins that belong to an attitude.
// Velocities and accelerations go from each place to those it carries:
//   v = R v_before + u,   v* = R v*_before + u' + w x u

#include <stdlib.h>

#include "model/parts.h"

static void carry(const model_kin* kin, model_place* p)
{
  expr_pool* pool = kin->pool;
  expr u[3];
  model_place_term(kin, p->axes, p->u, u);
  for (int i = 0; i < 3; i++) {
    p->v[i] = p->u[i];
    p->rate[i] = u[i];
  }
  if (p->prev) {
    model_axes_change(kin, p->prev->axes, p->axes, p->prev->v, u);
    model_vec_add(pool, u, p->v, p->v);
    model_axes_change(kin, p->prev->axes, p->axes, p->prev->rate, u);
    model_vec_add(pool, u, p->rate, p->rate);
  }
  p->carried = true;
}

void model_place_reach(const model_kin* kin, model_place* p)
{
  BASE_LIST(model_place*) chain = {0};
  for (; p && !p->carried; p = (model_place*)p->prev) base_push(&chain, p);
  while (chain.n > 0) carry(kin, chain.at[--chain.n]);
  base_list_free(&chain);
}

static bool is_free(model_scope* s, expr e)
{
  return !(model_scope_uses(s, e) & (MODEL_USES_COORD | MODEL_USES_VELOCITY));
}

static bool suits(model_scope* s, const model_entry* e)
{
  const model_mass* b = e->mass;
  bool fine = !e->poisoned && is_free(s, b->m) && !(e->turns && b->has_J);
  for (int i = 0; i < 6; i++) fine = fine && is_free(s, b->J[i]);
  return fine;
}

typedef BASE_LIST(model_inertia) pieces;

// sum += weight times the vector, turned into other axes
static void add_turned(model_scope* s, const model_axes* from, const model_axes* to, expr weight,
                       const expr v[3], expr sum[3])
{
  expr x[3];
  model_axes_change(&s->kin, from, to, v, x);
  model_vec_scale(s->pool, weight, x, x);
  model_vec_add(s->pool, sum, x, sum);
}

// momenta m sum_j G_ij v_j of the points; a point that stays at the world's origin has none
static void add_points(model_scope* s, const model_mass* b, pieces* out)
{
  expr_pool* p = s->pool;
  const model_place* at[3];
  for (int i = 0; i < b->points; i++) {
    at[i] = model_place_add(&s->kin, b->origin, b->axes, b->r[i]);
    model_place_reach(&s->kin, (model_place*)at[i]);
  }
  for (int i = 0; i < b->points; i++) {
    if (!at[i]) continue;
    model_inertia x;
    for (int k = 0; k < 3; k++) {
      x.v[k] = at[i]->v[k];
      x.p[k] = x.rate[k] = expr_int(p, 0);
    }
    for (int j = 0; j < b->points; j++) {
      if (!at[j]) continue;
      expr mass = expr_mul(p, model_mass_moment(s, b, i, j), b->m);
      add_turned(s, at[j]->axes, at[i]->axes, mass, at[j]->v, x.p);
      add_turned(s, at[j]->axes, at[i]->axes, mass, at[j]->rate, x.rate);
      add_turned(s, at[j]->axes, at[i]->axes, expr_total(p, mass), at[j]->v, x.rate);
    }
    base_push(out, x);
  }
}

static void add_spin(model_scope* s, const model_mass* b, pieces* out)
{
  model_inertia x;
  for (int k = 0; k < 3; k++) x.v[k] = b->spin[k];
  model_mass_angular(s, b, x.p);
  model_place_term(&s->kin, b->axes, x.p, x.rate);
  base_push(out, x);
}

static void build(model_scope* s)
{
  model* m = s->m;
  pieces list = {0};
  bool fine = !s->kinetic->poisoned;
  for (int i = 0; i < s->entries.n && fine && !expr_pool_full(s->pool); i++) {
    const model_entry* e = s->entries.at[i];
    if (!e->mass) continue;
    fine = suits(s, e);
    if (fine) add_points(s, e->mass, &list);
    if (fine && e->mass->has_J) add_spin(s, e->mass, &list);
  }
  m->inertias = fine ? list.n : 0;
  m->inertia = base_arena_take(s->arena, ((size_t)m->inertias + 1) * sizeof *m->inertia);
  for (int i = 0; i < m->inertias; i++) m->inertia[i] = list.at[i];
  base_list_free(&list);
}

// The model may be a copy with other constraints, whose masses are those of the one it is made
// from; one that was put together by hand has none.
int model_inertia_make(model* m)
{
  model* own = m->scope ? m->scope->m : m;
  if (m->weighed_out) return m->inertias;
  if (m->scope && !own->weighed_out) build(m->scope);
  own->weighed_out = m->weighed_out = true;
  m->inertias = own->inertias;
  m->inertia = own->inertia;
  return m->inertias;
}

// ---- how far masses are carried -----------------------------------------------------------------

// coordinates or their velocities in what tells the motion of a mass, each once
static int held_by(const model_scope* s, const expr_index* by, const model_mass* b, int most)
{
  BASE_LIST(expr) told = {0};
  expr_numbers held = {0};
  for (int i = 0; i < 3; i++) {
    if (b->axes) base_push(&told, b->axes->w[i]);
    if (b->has_J) base_push(&told, b->spin[i]);
    for (int k = 0; k < b->points; k++) base_push(&told, b->r[k][i]);
    for (const model_place* p = b->origin; p; p = p->prev) base_push(&told, p->u[i]);
  }
  expr_index_list_of(s->pool, by, told.n, told.at, &held);
  // a coordinate and its velocity are one
  const int n = s->m->coords;
  int count = 0;
  for (int i = 0; i < held.n && count <= most; i++) {
    bool new = true;
    for (int k = 0; k < i; k++) new = new&& held.at[k] % n != held.at[i] % n;
    count += new;
  }
  base_list_free(&held);
  base_list_free(&told);
  return count;
}

bool model_inertia_is_near(const model* m, int most)
{
  const model_scope* s = m->scope;
  const int n = m->coords;
  if (!s) return true;
  expr* symbol = base_alloc(sizeof *symbol * (size_t)(2 * n + 1));
  for (int i = 0; i < n; i++) {
    symbol[i] = m->coord[i].q;
    symbol[n + i] = m->coord[i].v;
  }
  expr_index* by = expr_index_new(2 * n, symbol);
  bool near = true;
  for (int i = 0; i < s->entries.n && near; i++) {
    const model_mass* b = s->entries.at[i]->mass;
    near = !b || (model_place_depth(b->origin) <= most && held_by(s, by, b, most) <= most);
  }
  expr_index_free(by);
  free(symbol);
  return near;
}
