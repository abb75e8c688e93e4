// A round shape and a box, a capsule, a cylinder or a segment: they touch in one point, and the gap
// is a formula whose corners are located like all others.
//
// With y the centre of A in the axes of B, and c(y) the point of the core of B nearest to it, e = y
// - c is what of y lies beyond the core: of a box with half edges h
//   e_k = y_k - min(max(y_k, -h_k), h_k),
// of a segment in the plane the same about its middle and along it, and of a cylinder of radius R
// about z, with rho^2 = y_1^2 + y_2^2,
//   (e_1, e_2) = (1 - R/sqrt(max(rho^2, R^2))) (y_1, y_2),  e_3 as of a box.
// The gap is |e| - r, r being the radii that round both. It has a continuous gradient n = e/|e|, so
// that a ball that rolls off a side onto an edge goes on without a jump; its curvature jumps there.
// What touches slips with the part across n of y' + omega x (-r_A n).

#include "model/meeting.h"

// what of y lies beyond -h .. h
static expr beyond(expr_pool* p, expr y, expr h)
{
  const expr zero = expr_int(p, 0);
  if (h == zero || y == zero) return y;
  const expr low[2] = {y, expr_neg(p, h)}, high[2] = {expr_call(p, EXPR_MAX, 2, low), h};
  return expr_sub(p, y, expr_call(p, EXPR_MIN, 2, high));
}

static void beyond_box(expr_pool* p, const model_solid* B, const expr y[3], expr e[3])
{
  for (int k = 0; k < 3; k++) e[k] = beyond(p, y[k], B->half[k]);
}

// of a segment in the plane: the axes about its middle and along it
static void lay_along(expr_pool* p, const model_solid* B, expr y[3])
{
  const expr* t = B->along;
  const expr d[2] = {expr_sub(p, y[0], B->middle[0]), expr_sub(p, y[1], B->middle[1])};
  y[0] = expr_add(p, expr_mul(p, t[0], d[0]), expr_mul(p, t[1], d[1]));
  y[1] = expr_sub(p, expr_mul(p, t[0], d[1]), expr_mul(p, t[1], d[0]));
}

static void beyond_cylinder(expr_pool* p, const model_solid* B, const expr y[3], expr e[3])
{
  const expr R = B->radius, one = expr_int(p, 1);
  const expr squares[2] = {expr_add(p, expr_mul(p, y[0], y[0]), expr_mul(p, y[1], y[1])),
                           expr_mul(p, R, R)};
  const expr out = expr_fn1(p, EXPR_SQRT, expr_call(p, EXPR_MAX, 2, squares));
  const expr share = expr_sub(p, one, expr_div(p, R, out));
  for (int k = 0; k < 2; k++) e[k] = expr_mul(p, share, y[k]);
  e[2] = beyond(p, y[2], expr_mul(p, expr_ratio(p, 1, 2), B->length));
}

// the axis of B along which nothing moves, and across which the centre stays in one plane; -1: none
static int still_axis(model_scope* s, const expr y[3], const expr v[3])
{
  for (int k = 2; k >= 0; k--)
    if (!model_meeting_moves(s, v[k]) && !model_meeting_moves(s, expr_total(s->pool, y[k])))
      return k;
  return -1;
}

// in a plane across axis k: the one direction of slip, along it and across n
static expr slip_in_plane(expr_pool* p, const expr n[3], const expr v[3], int k)
{
  const int a = (k + 1) % 3, b = (k + 2) % 3;
  const expr slip = expr_sub(p, expr_mul(p, n[a], v[b]), expr_mul(p, n[b], v[a]));
  if (n[k] == expr_int(p, 0)) return slip;
  const expr part = expr_add(p, expr_mul(p, n[a], n[a]), expr_mul(p, n[b], n[b]));
  return expr_div(p, slip, expr_fn1(p, EXPR_SQRT, part));
}

static bool refuse_space(model_scope* s, const model_meeting_pair* x)
{
  const model_solid* flat = x->A->flat ? x->A : x->B;
  base_error(s->notes, flat->place, "a %s is a shape in the plane, `%s` moves in space",
             flat->shape, x->A->fixed ? x->B->name : x->A->name);
  return false;
}

// no direction leads from the core to a centre that never leaves it
static bool refuse_inside(const model_scope* s, const model_meeting_pair* x)
{
  if (expr_pool_full(s->pool)) return false;
  base_error(s->notes, x->A->place, "the centre of `%s` always stays inside of `%s`", x->A->name,
             x->B->name);
  base_help(s->notes, "shapes that touch begin apart, or side by side");
  return false;
}

bool model_meeting_core(model_scope* s, const model_meeting_pair* x, model_meeting_points* out)
{
  expr_pool* p = s->pool;
  const model_solid* B = x->B;
  const bool flat = x->A->flat || B->flat, cylinder = B->kind == MODEL_SOLID_CYLINDER;
  expr y[3], e[3], n[3], arm[3], v[3], t[2][3], slip[2];
  model_place_between(&s->kin, x->b->origin, x->a->origin, x->b->axes, y);
  if (B->askew) lay_along(p, B, y);
  for (int k = 0; k < 3; k++) y[k] = model_simpler(s, y[k]);
  (cylinder ? beyond_cylinder : beyond_box)(p, B, y, e);
  if (flat) e[2] = expr_int(p, 0);
  const expr distance = expr_fn1(p, EXPR_SQRT, model_vec_dot(p, e, e));
  const expr reach = cylinder ? x->A->radius : expr_add(p, x->A->radius, B->radius);
  for (int k = 0; k < 3; k++) n[k] = expr_div(p, e[k], distance);
  if (n[0] == EXPR_NONE || n[1] == EXPR_NONE || n[2] == EXPR_NONE) return refuse_inside(s, x);
  model_vec_scale(p, expr_neg(p, x->A->radius), n, arm);
  model_meeting_velocity(s, x, y, arm, v);
  const int still = flat ? 2 : still_axis(s, y, v);
  if (flat && model_meeting_moves(s, v[2])) return refuse_space(s, x);
  if (still >= 0) {
    slip[0] = slip_in_plane(p, n, v, still);
  } else {
    model_meeting_tangents(s, n, t);
    for (int k = 0; k < 2; k++) slip[k] = model_vec_dot(p, t[k], v);
  }
  model_meeting_add(s, x, expr_sub(p, distance, reach), still >= 0 ? 1 : 2, slip, out->n, out);
  return true;
}
