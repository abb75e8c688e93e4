// Where a body touches with a given normal: inverse Gauss maps in closed form, and the way back
// from a place to the coordinates of its chart. m is the unit normal into the body, in its axes.

#include "model/surface.h"

bool model_surface_has_gauss(model_surface_kind kind)
{
  return kind == MODEL_SPHERE || kind == MODEL_ELLIPSOID || kind == MODEL_TORUS ||
         kind == MODEL_CIRCLE || kind == MODEL_PARABOLOID;
}

static expr root(expr_pool* p, expr a, expr b)
{
  return expr_fn1(p, EXPR_SQRT, expr_add(p, expr_mul(p, a, a), expr_mul(p, b, b)));
}

// x = -A^2 m/|A m|, A = diag(a, b, c)
static void gauss_ellipsoid(expr_pool* p, const expr* a, const expr m[3], expr out[3])
{
  expr am[3], aam[3];
  for (int i = 0; i < 3; i++) {
    am[i] = expr_mul(p, a[i], m[i]);
    aam[i] = expr_mul(p, a[i], am[i]);
  }
  expr size = expr_fn1(p, EXPR_SQRT, model_vec_dot(p, am, am));
  model_vec_scale(p, expr_div(p, expr_int(p, -1), size), aam, out);
}

// the outer half: x = -(R m_perp/|m_perp| + r m)
static void gauss_torus(expr_pool* p, const expr* size, const expr m[3], expr out[3])
{
  expr across = expr_div(p, size[0], root(p, m[0], m[1]));
  expr sum = expr_add(p, across, size[1]);
  out[0] = expr_neg(p, expr_mul(p, sum, m[0]));
  out[1] = expr_neg(p, expr_mul(p, sum, m[1]));
  out[2] = expr_neg(p, expr_mul(p, size[1], m[2]));
}

// the body lies above z = x^2/(2a) + y^2/(2b): m is along (-x/a, -y/b, 1)
static void gauss_paraboloid(expr_pool* p, const expr* size, const expr m[3], expr out[3])
{
  expr half = expr_ratio(p, 1, 2), sum[2];
  for (int i = 0; i < 2; i++) {
    out[i] = expr_neg(p, expr_div(p, expr_mul(p, size[i], m[i]), m[2]));
    sum[i] = expr_div(p, expr_mul(p, half, expr_mul(p, out[i], out[i])), size[i]);
  }
  out[2] = expr_add(p, sum[0], sum[1]);
}

void model_surface_gauss(const model_scope* s, const model_surface* x, const expr m[3], expr out[3])
{
  expr_pool* p = s->pool;
  expr back[3];
  switch (x->kind) {
  case MODEL_SPHERE:
    model_vec_scale(p, expr_neg(p, x->size[0]), m, back);
    for (int i = 0; i < 3; i++) out[i] = back[i];
    break;
  case MODEL_ELLIPSOID:
    gauss_ellipsoid(p, x->size, m, out);
    break;
  case MODEL_PARABOLOID:
    gauss_paraboloid(p, x->size, m, out);
    break;
  default:
    gauss_torus(p, x->size, m, out);
    break;
  }
}

static expr atan_of(expr_pool* p, expr y, expr x)
{
  const expr both[2] = {y, x};
  return expr_call(p, EXPR_ATAN2, 2, both);
}

// r = (a sin v, b cos v cos u, c cos v sin u)
static void chart_round(expr_pool* p, const model_surface* x, const expr r[3], expr uv[2],
                        expr e1[3])
{
  expr f[3], along[3];
  for (int i = 0; i < 3; i++) f[i] = expr_div(p, r[i], x->size[i]);
  uv[0] = atan_of(p, f[2], f[1]);
  uv[1] = atan_of(p, f[0], root(p, f[1], f[2]));
  along[0] = expr_int(p, 0);
  along[1] = expr_neg(p, expr_mul(p, x->size[1], f[2]));
  along[2] = expr_mul(p, x->size[2], f[1]);
  model_vec_unit(p, along, e1);
}

void model_surface_chart(const model_scope* s, const model_surface* x, const expr r[3],
                         const expr n[3], expr uv[2], expr e1[3])
{
  expr_pool* p = s->pool;
  expr at[3], ru[3], rv[3];
  if (x->kind == MODEL_SPHERE || x->kind == MODEL_ELLIPSOID) {
    chart_round(p, x, r, uv, e1);
  } else if (x->kind == MODEL_TORUS || x->kind == MODEL_CIRCLE) {
    expr across = root(p, n[0], n[1]);
    uv[0] = atan_of(p, n[1], n[0]);
    uv[1] = atan_of(p, n[2], across);
    e1[0] = expr_neg(p, expr_div(p, n[1], across));
    e1[1] = expr_div(p, n[0], across);
    e1[2] = expr_int(p, 0);
  } else { // plane, paraboloid
    uv[0] = r[0];
    uv[1] = r[1];
    model_surface_at(s, x, uv[0], uv[1], at, ru, rv);
    model_vec_unit(p, ru, e1);
  }
}
