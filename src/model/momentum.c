// Momentum and angular momentum of all declared masses, in world axes.
// About a point p, with d = x_o - p from there to the frame's origin (weights as in energy.c):
//   L = m (d x v + R r_mean x v_o) + R (m sum G_ij r_i x u_j + J spin),  v = v_o + R u_mean

#include <stdlib.h>

#include "model/parts.h"

// a sum of vectors, built at once
typedef struct vector_sum
{
  BASE_LIST(expr) part[3];
} vector_sum;

static void sum_add(vector_sum* sum, const expr v[3])
{
  for (int i = 0; i < 3; i++) base_push(&sum->part[i], v[i]);
}

static void sum_take(model_scope* s, vector_sum* sum, expr out[3])
{
  for (int i = 0; i < 3; i++) {
    int n = sum->part[i].n;
    out[i] = n ? expr_sum(s->pool, n, sum->part[i].at) : expr_int(s->pool, 0);
    base_list_free(&sum->part[i]);
  }
}

// mean of the velocities relative to the frame's origin, in the frame's axes
static void mean_velocity(model_scope* s, const model_mass* b, expr u[3])
{
  expr r[3];
  model_mass_centre(s, b, r);
  model_place_term(&s->kin, b->axes, r, u);
}

void model_momentum(model_scope* s, expr out[3])
{
  vector_sum sum = {0};
  for (int i = 0; i < s->entries.n && !expr_pool_full(s->pool); i++) {
    const model_mass* b = s->entries.at[i]->mass;
    if (!b) continue;
    expr centre[3], v[3];
    model_mass_centre(s, b, centre);
    const model_place* p = model_place_add(&s->kin, b->origin, b->axes, centre);
    model_place_velocity(&s->kin, p, NULL, v);
    model_vec_scale(s->pool, b->m, v, v);
    sum_add(&sum, v);
  }
  sum_take(s, &sum, out);
}

// about the frame's origin, relative velocities, in the frame's axes
static void relative_angmomentum(model_scope* s, const model_mass* b, expr L[3])
{
  expr_pool* p = s->pool;
  model_vec_zero(p, L);
  for (int i = 0; i < b->points; i++)
    for (int j = 0; j < b->points; j++) {
      expr u[3], c[3];
      model_place_term(&s->kin, b->axes, b->r[j], u);
      model_vec_cross(p, b->r[i], u, c);
      model_vec_scale(p, expr_mul(p, b->m, model_mass_moment(s, b, i, j)), c, c);
      model_vec_add(p, L, c, L);
    }
  if (!b->has_J) return;
  expr own[3];
  model_mass_angular(s, b, own);
  model_vec_add(p, L, own, L);
}

static void mass_angmomentum(model_scope* s, const model_mass* b, const model_place* about,
                             expr out[3])
{
  expr_pool* p = s->pool;
  expr d[3], v[3], vo[3], r[3], u[3], c[3], L[3];
  model_place_between(&s->kin, about, b->origin, NULL, d);
  model_place_velocity(&s->kin, b->origin, NULL, vo);
  mean_velocity(s, b, u);
  model_axes_change(&s->kin, b->axes, NULL, u, u);
  model_vec_add(p, vo, u, v);
  model_vec_cross(p, d, v, out);
  model_mass_centre(s, b, r);
  model_axes_change(&s->kin, b->axes, NULL, r, r);
  model_vec_cross(p, r, vo, c);
  model_vec_add(p, out, c, out);
  model_vec_scale(p, b->m, out, out);
  relative_angmomentum(s, b, L);
  model_axes_change(&s->kin, b->axes, NULL, L, L);
  model_vec_add(p, out, L, out);
}

void model_angmomentum(model_scope* s, const model_place* about, expr out[3])
{
  vector_sum sum = {0};
  for (int i = 0; i < s->entries.n && !expr_pool_full(s->pool); i++) {
    const model_mass* b = s->entries.at[i]->mass;
    if (!b) continue;
    expr L[3];
    mass_angmomentum(s, b, about, L);
    sum_add(&sum, L);
  }
  sum_take(s, &sum, out);
}

void model_turning(model* m, expr out[3])
{
  model_angmomentum(m->scope, NULL, out);
}
