// Places as sums of vectors, each in the axes where it is short: p = sum R_i r_i.
// Velocity and acceleration keep the axes of each term:
//   p' = sum R_i u_i,  u_i = r_i' + w_i x r_i;   p'' = sum R_i (u_i' + w_i x u_i)

#include <assert.h>
#include <stdlib.h>

#include "model/kin.h"

int model_place_depth(const model_place* p)
{
  return p ? p->depth : 0;
}

void model_place_term(const model_kin* kin, const model_axes* axes, const expr r[3], expr out[3])
{
  expr rate[3], w[3], turning[3];
  model_vec_total(kin->pool, r, rate);
  model_axes_spin(kin, axes, w);
  model_vec_cross(kin->pool, w, r, turning);
  model_vec_add(kin->pool, rate, turning, out);
}

const model_place* model_place_add(model_kin* kin, const model_place* at, const model_axes* axes,
                                   const expr r[3])
{
  if (model_vec_is_zero(kin->pool, r)) return at;
  model_place* p = base_arena_take(kin->arena, sizeof *p);
  p->prev = at;
  p->axes = axes;
  for (int i = 0; i < 3; i++) p->r[i] = r[i];
  // vectors in the same axes add up
  if (at && at->axes == axes) {
    model_vec_add(kin->pool, at->r, r, p->r);
    p->prev = at->prev;
    p->before = at;
    for (int i = 0; i < 3; i++) p->more[i] = r[i];
  }
  p->depth = model_place_depth(p->prev) + 1;
  model_place_term(kin, axes, p->r, p->u);
  return p;
}

// Sum of all terms of one kind in the axes `to`; terms in equal axes are added before turning.
typedef struct gather
{
  const model_kin* kin;
  BASE_LIST(struct {
    const model_axes* axes;
    expr v[3];
  })
  term;
} gather;

static void gather_add(gather* g, const model_axes* axes, const expr v[3], int sign)
{
  expr_pool* p = g->kin->pool;
  expr x[3] = {v[0], v[1], v[2]};
  if (sign < 0) model_vec_scale(p, expr_int(p, -1), v, x);
  for (int i = 0; i < g->term.n; i++) {
    if (g->term.at[i].axes != axes) continue;
    model_vec_add(p, g->term.at[i].v, x, g->term.at[i].v);
    return;
  }
  if (g->term.n == g->term.room) {
    g->term.room = g->term.room ? 2 * g->term.room : 8;
    g->term.at = base_realloc(g->term.at, (size_t)g->term.room * sizeof *g->term.at);
  }
  g->term.at[g->term.n].axes = axes;
  for (int i = 0; i < 3; i++) g->term.at[g->term.n].v[i] = x[i];
  g->term.n++;
}

static void gather_take(gather* g, const model_axes* to, expr out[3])
{
  expr_pool* p = g->kin->pool;
  BASE_LIST(expr) sum[3] = {0};
  for (int i = 0; i < g->term.n; i++) {
    expr x[3];
    model_axes_change(g->kin, g->term.at[i].axes, to, g->term.at[i].v, x);
    for (int k = 0; k < 3; k++) base_push(&sum[k], x[k]);
  }
  for (int k = 0; k < 3; k++) {
    out[k] = sum[k].n ? expr_sum(p, sum[k].n, sum[k].at) : expr_int(p, 0);
    base_list_free(&sum[k]);
  }
  base_list_free(&g->term);
}

void model_place_between(const model_kin* kin, const model_place* from, const model_place* p,
                         const model_axes* to, expr out[3])
{
  gather g = {.kin = kin};
  while (from != p) {
    if (model_place_depth(p) >= model_place_depth(from)) {
      gather_add(&g, p->axes, p->r, 1);
      p = p->prev;
    } else {
      gather_add(&g, from->axes, from->r, -1);
      from = from->prev;
    }
  }
  gather_take(&g, to, out);
}

void model_place_velocity(const model_kin* kin, const model_place* p, const model_axes* to,
                          expr out[3])
{
  gather g = {.kin = kin};
  for (; p; p = p->prev) gather_add(&g, p->axes, p->u, 1);
  gather_take(&g, to, out);
}

void model_place_acceleration(const model_kin* kin, const model_place* p, const model_axes* to,
                              expr out[3])
{
  gather g = {.kin = kin};
  for (; p; p = p->prev) {
    expr a[3];
    model_place_term(kin, p->axes, p->u, a);
    gather_add(&g, p->axes, a, 1);
  }
  gather_take(&g, to, out);
}

expr model_place_dot(const model_kin* kin, const model_place* p, const model_axes* axes,
                     const expr u[3])
{
  BASE_LIST(expr) sum = {0};
  for (; p && !expr_pool_full(kin->pool); p = p->prev) {
    expr x[3];
    model_axes_change(kin, axes, p->axes, u, x);
    base_push(&sum, model_vec_dot(kin->pool, p->u, x));
  }
  expr all = sum.n ? expr_sum(kin->pool, sum.n, sum.at) : expr_int(kin->pool, 0);
  base_list_free(&sum);
  return all;
}

// |v|^2 = |v_before|^2 + 2 v_before . R u + u . u
expr model_place_increment(const model_kin* kin, const model_place* p)
{
  expr_pool* pool = kin->pool;
  expr cross = model_place_dot(kin, p->prev, p->axes, p->u);
  expr twice = expr_mul(pool, expr_int(pool, 2), cross);
  return expr_add(pool, twice, model_vec_dot(pool, p->u, p->u));
}
