// Masses on the axes of a contact, and the equations of momentum of Bychkov's paper.
#include "model/roll_paper.h"

// is what turns with the frame, about one point of it
bool model_paper_suits(const model_entry* e)
{
  return e->mass->points == 1 && !e->turns;
}

static void onto_axes(const model_paper* x, const expr v[3], expr out[3])
{
  expr on[3];
  for (int k = 0; k < 3; k++) on[k] = model_vec_dot(x->s->pool, v, x->body.e[k]);
  for (int k = 0; k < 3; k++) out[k] = on[k];
}

// axes of a frame in the body, as columns, and their angular velocity there
static void relative_axes(const model_paper* x, const model_axes* axes, expr column[3][3],
                          expr w[3])
{
  expr_pool* p = x->s->pool;
  expr rate[3][3];
  model_vec_zero(p, w);
  for (int k = 0; k < 3; k++) {
    const expr unit[3] = {expr_int(p, k == 0), expr_int(p, k == 1), expr_int(p, k == 2)};
    model_axes_change(&x->s->kin, axes, x->c->body->axes, unit, column[k]);
    model_vec_total(p, column[k], rate[k]);
  }
  for (int k = 0; k < 3; k++) {
    expr part[3];
    const expr along = model_vec_dot(p, rate[(k + 1) % 3], column[(k + 2) % 3]);
    model_vec_scale(p, along, column[k], part);
    model_vec_add(p, w, part, w);
  }
  for (int k = 0; k < 3; k++) w[k] = model_simpler(x->s, w[k]);
}

static void angular(const model_paper* x, const model_mass* b, model_weight* out)
{
  static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
  expr_pool* p = x->s->pool;
  expr column[3][3], own[3], on[3], sum[3];
  relative_axes(x, b->axes, column, out->own);
  onto_axes(x, out->own, own);
  model_vec_add(p, own, x->w, own);
  model_vec_zero(p, out->H);
  // H = sum over the frame's axes f_i of (J_ij f_j.w) f_i
  for (int i = 0; i < 3; i++) {
    sum[i] = expr_int(p, 0);
    for (int j = 0; j < 3; j++) {
      onto_axes(x, column[j], on);
      sum[i] = expr_add(p, sum[i], expr_mul(p, b->J[at[i][j]], model_vec_dot(p, on, own)));
    }
  }
  for (int i = 0; i < 3; i++) {
    expr part[3];
    onto_axes(x, column[i], on);
    model_vec_scale(p, sum[i], on, part);
    model_vec_add(p, out->H, part, out->H);
  }
}

void model_paper_weigh(const model_paper* x, const model_entry* e, model_weight* out)
{
  expr_pool* p = x->s->pool;
  const model_mass* b = e->mass;
  expr place[3], rate[3], arm[3], turning[3];
  out->m = b->m;
  const model_place* centre = model_place_add(&x->s->kin, b->origin, b->axes, b->r[0]);
  model_place_between(&x->s->kin, x->c->body->origin, centre, x->c->body->axes, place);
  for (int i = 0; i < 3; i++) out->x[i] = model_simpler(x->s, place[i]);
  model_vec_total(p, out->x, rate);
  model_vec_sub(p, out->x, x->body.r, arm);
  onto_axes(x, arm, out->d);
  onto_axes(x, rate, out->v);
  model_vec_cross(p, x->w, out->d, turning);
  model_vec_add(p, out->v, turning, out->v);
  model_vec_add(p, out->v, x->j, out->v);
  model_vec_zero(p, out->H);
  model_vec_zero(p, out->own);
  if (b->has_J) angular(x, b, out);
}

// inertial rate of a vector on e
static void rate_of(const model_paper* x, const expr v[3], expr out[3])
{
  expr turned[3];
  model_vec_cross(x->s->pool, x->W, v, turned);
  model_vec_total(x->s->pool, v, out);
  model_vec_add(x->s->pool, out, turned, out);
}

// along a carried coordinate: m a.dr/dalpha + H'.dw/dalpha', and the same for gravity
void model_paper_carried(model_paper* x, int count, const model_weight* list,
                         const model_coord* alpha)
{
  expr_pool* p = x->s->pool;
  expr left = expr_int(p, 0), right = expr_int(p, 0);
  for (int i = 0; i < count; i++) {
    expr by[3], on[3], a[3], H[3];
    for (int k = 0; k < 3; k++) by[k] = expr_diff(p, list[i].x[k], alpha->q);
    onto_axes(x, by, on);
    rate_of(x, list[i].v, a);
    left = expr_add(p, left, expr_mul(p, list[i].m, model_vec_dot(p, a, on)));
    right = expr_add(p, right, expr_mul(p, list[i].m, model_vec_dot(p, x->gravity, on)));
    for (int k = 0; k < 3; k++) by[k] = expr_diff(p, list[i].own[k], alpha->v);
    onto_axes(x, by, on);
    rate_of(x, list[i].H, H);
    left = expr_add(p, left, model_vec_dot(p, H, on));
  }
  model_paper_equate(x, alpha->name, model_simpler(x->s, left), right);
}

// The force of the contact on its axes is what Newton's law asks beside the weight,
//   F_1 = Q_1' + W_2 Q_3 - W_3 Q_2 - m G_1   and cyclic.
static void write_force(model_paper* x, expr mass, const expr rate[3], const expr Q[3])
{
  expr_pool* p = x->s->pool;
  expr turned[3];
  model_vec_cross(p, x->W, Q, turned);
  for (int k = 0; k < 3; k++) {
    const char* wish = base_arena_printf(x->s->arena, "F_%s", model_paper_label[k]);
    const char* name = model_paper_part_name(x, wish, "");
    x->force[k] = (model_named){name, expr_symbol(p, name), expr_add(p, rate[k], turned[k])};
    x->weight[k] = expr_mul(p, mass, x->gravity[k]);
  }
}

// (2.5) in letters, and what they stand for
void model_paper_momenta(model_paper* x, int count, const model_weight* list, const expr u[2])
{
  expr_pool* p = x->s->pool;
  expr Q[3], m[3], first[3], P[3], rate[3], push[3], mass = expr_int(p, 0);
  model_vec_zero(p, Q);
  model_vec_zero(p, m);
  model_vec_zero(p, first);
  for (int i = 0; i < count; i++) {
    expr part[3], turned[3];
    model_vec_scale(p, list[i].m, list[i].v, part);
    model_vec_add(p, Q, part, Q);
    model_vec_cross(p, list[i].d, part, turned);
    model_vec_add(p, m, turned, m);
    model_vec_add(p, m, list[i].H, m);
    model_vec_scale(p, list[i].m, list[i].d, part);
    model_vec_add(p, first, part, first);
    mass = expr_add(p, mass, list[i].m);
  }
  model_vec_cross(p, first, x->gravity, P);
  for (int k = 0; k < 3; k++) m[k] = model_simpler(x->s, m[k]);
  model_vec_total(p, m, rate);
  model_vec_total(p, Q, push);
  for (int k = 0; k < 3; k++) {
    rate[k] = model_paper_define(x, base_arena_printf(x->s->arena, "m_%s'", model_paper_label[k]),
                                 rate[k]);
    Q[k] =
        model_paper_define(x, base_arena_printf(x->s->arena, "Q_%s", model_paper_label[k]), Q[k]);
    m[k] =
        model_paper_define(x, base_arena_printf(x->s->arena, "m_%s", model_paper_label[k]), m[k]);
    P[k] =
        model_paper_define(x, base_arena_printf(x->s->arena, "P_%s", model_paper_label[k]), P[k]);
  }
  for (int k = 0; k < 3; k++)
    push[k] = model_paper_define(x, base_arena_printf(x->s->arena, "Q_%s'", model_paper_label[k]),
                                 push[k]);
  write_force(x, mass, push, Q);
  const expr v[3] = {expr_add(p, u[0], x->j[0]), expr_add(p, u[1], x->j[1]), x->j[2]};
  expr turned[3], moved[3];
  model_vec_cross(p, x->W, m, turned);
  model_vec_cross(p, v, Q, moved);
  for (int k = 0; k < 3; k++)
    model_paper_equate(x, model_paper_part_name(x, model_paper_label[k], ""),
                       expr_add(p, rate[k], expr_add(p, turned[k], moved[k])), P[k]);
}
