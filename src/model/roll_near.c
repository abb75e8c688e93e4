// Which point of the base is next to a body in flight, of all of them.
//
// While surfaces are apart the two points that their normals belong to are followed. On a hollow
// base there may be several such pairs, and another one may become the nearest, or be it at the
// start. All points of the base that could be nearer are looked at, with
//   F(y) = 0 on the body's surface, F > 0 outside, y the point of the base, c the body's centre:
//   sphere, ellipsoid   sum (x_i/a_i)^2 - 1
//   torus, circle       ((hypot(x, y) - R)^2 + z^2 - r^2)/R^2
// x being y - c in the axes of the body. What is nearer than the point followed lies within the
// distance D = |y - c| of the centre, which bounds the coordinates of the base's chart.

#include "model/roll.h"

static expr square(expr_pool* p, expr x)
{
  return expr_mul(p, x, x);
}

// F; EXPR_NONE where the inside of the body is not told by a formula
static expr nearness(const model_touch* c, const expr x[3])
{
  expr_pool* p = c->s->pool;
  const model_surface* b = &c->on_body;
  expr part[4];
  switch (b->kind) {
  case MODEL_SPHERE:
  case MODEL_ELLIPSOID:
    for (int k = 0; k < 3; k++)
      part[k] = square(p, expr_div(p, x[k], b->size[b->kind == MODEL_SPHERE ? 0 : k]));
    part[3] = expr_int(p, -1);
    return expr_sum(p, 4, part);
  case MODEL_TORUS:
  case MODEL_CIRCLE: {
    const expr across = expr_add(p, square(p, x[0]), square(p, x[1]));
    part[0] = square(p, expr_sub(p, expr_fn1(p, EXPR_SQRT, across), b->size[0]));
    part[1] = square(p, x[2]);
    part[2] = b->kind == MODEL_TORUS ? expr_neg(p, square(p, b->size[1])) : expr_int(p, 0);
    return expr_div(p, expr_sum(p, 3, part), square(p, b->size[0]));
  }
  default:
    return EXPR_NONE;
  }
}

// the part of the chart within the distance D of the centre, as its middle and half its width
static void window(const model_touch* c, const expr centre[3], expr D, model_near* out)
{
  expr_pool* p = c->s->pool;
  const expr pi = expr_pi(p);
  const expr far = expr_fn1(p, EXPR_SQRT, model_vec_dot(p, centre, centre));
  for (int k = 0; k < 2; k++) {
    out->middle[k] = expr_int(p, 0);
    out->half[k] = pi;
  }
  switch (c->on_base.kind) {
  case MODEL_CYLINDER:
    out->middle[1] = centre[2];
    out->half[1] = D;
    return;
  case MODEL_CONE:
    out->middle[1] = far;
    out->half[1] = D;
    return;
  case MODEL_TORUS:
    return;
  case MODEL_PARABOLOID:
    for (int k = 0; k < 2; k++) {
      out->middle[k] = centre[k];
      out->half[k] = D;
    }
    return;
  default: {
    const expr* r[2] = {c->rub, c->rvb};
    out->middle[0] = c->ub;
    out->middle[1] = c->vb;
    // of a surface of the model the chart is known by its scale at the point followed
    for (int k = 0; k < 2; k++) {
      const expr scale = expr_fn1(p, EXPR_SQRT, model_vec_dot(p, r[k], r[k]));
      out->half[k] = expr_div(p, expr_mul(p, expr_int(p, 2), D), scale);
    }
  }
  }
}

void model_roll_near(const model_touch* c, model_contact* out)
{
  const model_kin* kin = &c->s->kin;
  expr_pool* p = c->s->pool;
  model_near* near = &out->near;
  expr centre[3], apart[3], x[3];
  near->count = 0;
  if (!c->lands || c->on_base.kind == MODEL_PLANE) return;
  // the nearest point of a ball and a sphere stays the nearest
  near->stays = c->on_base.kind == MODEL_SPHERE && c->on_body.kind == MODEL_SPHERE;
  model_place_between(kin, c->base->origin, c->centre, c->base->axes, centre);
  model_vec_sub(p, c->y, centre, apart);
  model_axes_change(kin, c->base->axes, c->body->axes, apart, x);
  near->F = nearness(c, x);
  if (near->F == EXPR_NONE) return;
  near->is_round = model_roll_has_normal_coords(c->on_base.kind);
  near->count = near->is_round ? 3 : 2;
  model_roll_base_coords(c, near->coord);
  for (int k = 0; k < near->count; k++) near->row[k] = c->below[k];
  near->middle[0] = near->middle[1] = near->half[0] = near->half[1] = expr_int(p, 0);
  const expr D = expr_fn1(p, EXPR_SQRT, model_vec_dot(p, apart, apart));
  if (!near->is_round) window(c, centre, D, near);
}
