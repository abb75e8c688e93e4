// Friction of what a curve or a surface guides: it cannot let go, and rubs with its whole reaction.
//
// The point is at y = g(u) on a curve, y = g(u, v) on a surface, both in the axes of the guide.
// Nothing but a drive along u or v acts along the guide, so the part R of the reaction across it is
// the normal force.
//   curve:   t = g_u/|g_u|,  slip t.s,  N = |R x t|
//   surface: t1 = g_u/|g_u|, n = g_u x g_v/|g_u x g_v|, t2 = n x t1, slip (t1.s, t2.s),  N = |R.n|
// with s = y' - dg/dt at fixed u, v: what the guide sees of the point.

#include "model/guide.h"

static expr length(model_scope* s, const expr v[3])
{
  expr_pool* p = s->pool;
  int parts = 0, last = 0;
  for (int k = 0; k < 3; k++)
    if (v[k] != expr_int(p, 0)) parts++, last = k;
  return parts == 1 ? expr_fn1(p, EXPR_ABS, v[last])
                    : expr_fn1(p, EXPR_SQRT, model_vec_dot(p, v, v));
}

// of the point against the guide, where u and v stay
static void speed_of(model_scope* s, const model_guide* g, expr out[3])
{
  expr_pool* p = s->pool;
  const expr zero[2] = {expr_int(p, 0), expr_int(p, 0)};
  for (int k = 0; k < 3; k++) {
    const expr carried = expr_substitute(p, expr_total(p, g->at[k]), g->ways, g->rate, zero);
    out[k] = expr_sub(p, expr_total(p, g->y[k]), carried);
  }
}

void model_guide_axes(model_scope* s, const model_guide* g, expr t[2][3], expr n[3])
{
  expr_pool* p = s->pool;
  expr across[3];
  for (int k = 0; k < 3; k++) t[0][k] = expr_diff(p, g->at[k], g->way[0]);
  for (int k = 0; k < 3 && g->ways == 2; k++) t[1][k] = expr_diff(p, g->at[k], g->way[1]);
  if (g->ways == 2) {
    model_vec_cross(p, t[0], t[1], across);
    model_vec_unit(p, across, n);
    for (int k = 0; k < 3; k++) n[k] = model_simpler(s, n[k]);
  }
  model_vec_unit(p, t[0], t[0]);
  for (int k = 0; k < 3; k++) t[0][k] = model_simpler(s, t[0][k]);
  if (g->ways == 2) model_vec_cross(p, n, t[0], t[1]);
}

bool model_guide_slip(model_scope* s, const model_guide* g, model_constraint* c)
{
  expr_pool* p = s->pool;
  expr t[2][3], n[3], v[3], turned[3];
  model_guide_axes(s, g, t, n);
  speed_of(s, g, v);
  c->pressure = expr_int(p, 1);
  c->slips = g->ways;
  for (int k = 0; k < g->ways; k++) {
    c->slip[k] = model_simpler(s, model_vec_dot(p, t[k], v));
    if (c->slip[k] == EXPR_NONE) return false;
  }
  if (g->ways == 2) return true;
  model_vec_cross(p, g->reaction, t[0], turned);
  for (int k = 0; k < 3; k++) turned[k] = model_simpler(s, turned[k]);
  c->normal = length(s, turned);
  return true;
}

// ---- a vector constraint pos(P) = (x, y, z) -----------------------------------------------------

static bool refuse(model_scope* s, const model_entry* e, const char* why)
{
  base_error(s->notes, e->statement->friction->place, why, e->name);
  base_help(s->notes,
            "it is written: constraint %s: pos(P) = (x, y, z) with friction mu, x, y and z "
            "by one coordinate without mass, or pos(P, F) = ... in the axes of F",
            e->name);
  return false;
}

// the coordinates of the model that g depends on, besides the place of the point itself
static int ways_of(model_scope* s, model_guide* g)
{
  int ways = 0;
  for (int i = 0; i < s->m->coords; i++) {
    bool found = false;
    for (int k = 0; k < 3; k++) found = found || expr_has(s->pool, g->at[k], s->m->coord[i].q);
    if (!found) continue;
    if (ways < 2) {
      g->way[ways] = s->m->coord[i].q;
      g->rate[ways] = s->m->coord[i].v;
    }
    ways++;
  }
  return ways;
}

// f = +-(y - g): the sign, 0 where it is none
static int sign_of(model_scope* s, const model_contact_point* touch, const expr f[3])
{
  int sign = 0;
  for (int k = 0; k < 3; k++)
    for (int j = 0; j < 3; j++) {
      const expr slope = model_simpler(s, expr_diff(s->pool, f[k], touch->at[j]));
      if (j != k && slope != expr_int(s->pool, 0)) return 0;
      if (j != k) continue;
      const int one = slope == expr_int(s->pool, 1) ? 1 : slope == expr_int(s->pool, -1) ? -1 : 0;
      if (!one || (sign && one != sign)) return 0;
      sign = one;
    }
  return sign;
}

bool model_guide_read(model_scope* s, const model_entry* e, model_guide* g)
{
  const lang_statement* st = e->statement;
  expr_pool* p = s->pool;
  expr f[3];
  const expr zero[3] = {expr_int(p, 0), expr_int(p, 0), expr_int(p, 0)};
  model_contact_point touch = {.at = {expr_symbol(p, "(place x)"), expr_symbol(p, "(place y)"),
                                      expr_symbol(p, "(place z)")}};
  s->touch = &touch;
  const model_value left = model_eval(s, st->left), right = model_eval(s, st->right);
  s->touch = NULL;
  if (left.kind != MODEL_VECTOR || right.kind != MODEL_VECTOR) return false;
  if (!touch.thing || touch.several) return refuse(s, e, "it is not clear which point `%s` guides");
  model_vec_sub(p, left.e, right.e, f);
  const int sign = sign_of(s, &touch, f);
  if (!sign) return refuse(s, e, "`%s` does not say where its point is on the guide");
  const model_entry* frame = touch.frame ? touch.frame : s->world;
  model_place_between(&s->kin, frame->origin, touch.thing->origin, frame->axes, g->y);
  for (int k = 0; k < 3; k++) {
    g->at[k] = expr_substitute(p, f[k], 3, touch.at, zero);
    if (sign > 0) g->at[k] = expr_neg(p, g->at[k]);
    g->at[k] = model_simpler(s, g->at[k]);
    g->reaction[k] = e->part_index[k] < 0 ? zero[k] : s->m->reaction[e->part_index[k]];
  }
  g->ways = ways_of(s, g);
  if (g->ways != 1) return refuse(s, e, "`%s` guides its point along no curve");
  if (expr_has(p, s->m->T, g->rate[0]))
    return refuse(s, e, "the coordinate along the guide of `%s` has a mass of its own");
  return true;
}
