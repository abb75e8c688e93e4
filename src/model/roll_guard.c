// Where a contact stops being one: charts that are not regular, surfaces that conform or would
// penetrate beside the contact.
// All curvatures are counted to N, the normal into the body, on the tangents t1, t2 of the base:
// S r_a.r_b = r_ab.N. With S_b of the body, S_c of the base the contact is free of penetration
// while S_b - S_c is positive definite; where it is singular the contact is no point.
// A body known by its normal, x = G(m), has E = -dG/dm = S_b^-1, which may vanish at an edge: then
// the eigenvalues of E S_c must be below 1.

#include "model/roll.h"

typedef struct form
{
  expr a[2][2];
} form;

static expr dot_with(const model_touch* c, const expr a[3], const expr b[3])
{
  return model_vec_dot(c->s->pool, a, b);
}

// r_ab . n on the unit tangents, given in the axes of the surface: S = X^T B X with
// X = A^-1 (r_a . t_b), A the metric
static form patch_form(const model_touch* c, const model_surface* x, expr u, expr v,
                       const expr n[3], const expr t1[3], const expr t2[3])
{
  expr_pool* p = c->s->pool;
  const expr from[2] = {x->u, x->v}, to[2] = {u, v};
  const expr* first[2] = {x->ru, x->rv};
  expr A[2][2], B[2][2], X[2][2], r[2][3];
  for (int i = 0; i < 2; i++) expr_substitute_all(p, 3, first[i], 2, from, to, r[i]);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      expr second[3];
      for (int k = 0; k < 3; k++) second[k] = expr_diff(p, first[i][k], from[j]);
      expr_substitute_all(p, 3, second, 2, from, to, second);
      B[i][j] = dot_with(c, second, n);
      A[i][j] = dot_with(c, r[i], r[j]);
    }
  expr det = expr_sub(p, expr_mul(p, A[0][0], A[1][1]), expr_mul(p, A[0][1], A[0][1]));
  const expr* t[2] = {t1, t2};
  for (int j = 0; j < 2; j++) {
    expr b0 = dot_with(c, r[0], t[j]), b1 = dot_with(c, r[1], t[j]);
    expr x0 = expr_sub(p, expr_mul(p, A[1][1], b0), expr_mul(p, A[0][1], b1));
    expr x1 = expr_sub(p, expr_mul(p, A[0][0], b1), expr_mul(p, A[0][1], b0));
    X[0][j] = expr_div(p, x0, det);
    X[1][j] = expr_div(p, x1, det);
  }
  form S;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      S.a[i][j] = expr_int(p, 0);
      for (int k = 0; k < 4; k++) {
        expr f[3] = {X[k / 2][i], B[k / 2][k % 2], X[k % 2][j]};
        S.a[i][j] = expr_add(p, S.a[i][j], expr_product(p, 3, f));
      }
    }
  return S;
}

static form flat(expr_pool* p)
{
  expr zero = expr_int(p, 0);
  return (form){{{zero, zero}, {zero, zero}}};
}

// -side t.diag(1/a^2) t/|grad|, grad = y/a^2
static form round_form(const model_touch* c)
{
  expr_pool* p = c->s->pool;
  expr grad[3], t[2][3];
  for (int k = 0; k < 3; k++) {
    expr square = expr_mul(p, c->on_base.size[k], c->on_base.size[k]);
    grad[k] = expr_div(p, c->y[k], square);
    t[0][k] = expr_div(p, c->t1[k], square);
    t[1][k] = expr_div(p, c->t2[k], square);
  }
  expr size = expr_fn1(p, EXPR_SQRT, dot_with(c, grad, grad));
  expr factor = expr_div(p, expr_int(p, -c->side), size);
  const expr* with[2] = {c->t1, c->t2};
  form S;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) S.a[i][j] = expr_mul(p, factor, dot_with(c, t[i], with[j]));
  return S;
}

static form base_form(const model_touch* c)
{
  if (c->on_base.kind == MODEL_PLANE) return flat(c->s->pool);
  if (model_roll_has_normal_coords(c->on_base.kind)) return round_form(c);
  return patch_form(c, &c->on_base, c->ub, c->vb, c->N, c->t1, c->t2);
}

// the tangents of the base in the body's axes
static void body_tangents(const model_touch* c, expr t1[3], expr t2[3])
{
  model_axes_change(&c->s->kin, c->base->axes, c->body->axes, c->t1, t1);
  model_axes_change(&c->s->kin, c->base->axes, c->body->axes, c->t2, t2);
}

// E_ab = -t_a . dG/dm t_b
static form radii(const model_touch* c)
{
  expr_pool* p = c->s->pool;
  expr m[3], G[3], t[2][3];
  body_tangents(c, t[0], t[1]);
  for (int i = 0; i < 3; i++) {
    m[i] = expr_symbol(p, base_arena_printf(c->s->arena, "surface.m%d", i));
    model_scope_mark(c->s, m[i], 0);
  }
  model_surface_gauss(c->s, &c->on_body, m, G);
  form E = flat(p);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      expr slope = expr_diff(p, G[i], m[j]);
      slope = expr_neg(p, expr_substitute(p, slope, 3, m, c->m));
      for (int k = 0; k < 4; k++) {
        expr f[3] = {t[k / 2][i], slope, t[k % 2][j]};
        E.a[k / 2][k % 2] = expr_add(p, E.a[k / 2][k % 2], expr_product(p, 3, f));
      }
    }
  return E;
}

// determinant, and trace
static expr det_of(expr_pool* p, const form* f)
{
  return expr_sub(p, expr_mul(p, f->a[0][0], f->a[1][1]), expr_mul(p, f->a[0][1], f->a[1][0]));
}

static expr trace_of(expr_pool* p, const form* f)
{
  return expr_add(p, f->a[0][0], f->a[1][1]);
}

// how small a relative curvature may be before the contact is taken for a line
static expr least(expr_pool* p)
{
  return expr_double(p, 1e-8);
}

void model_roll_no_point(const model_touch* c)
{
  const lang_statement* st = c->e->statement;
  base_error(c->s->notes, c->e->place,
             "`%s` and `%s` never touch: nowhere have their surfaces opposite normals",
             st->name.text, st->on.text);
  base_help(c->s->notes, "turn the frame of one of them, or take another surface");
}

static void add(const model_touch* c, expr g, const char* reason, model_contact* out)
{
  if (g == EXPR_NONE) {
    model_roll_no_point(c);
    return;
  }
  out->guard[out->guards++] = (model_guard){.g = model_simpler(c->s, g), .reason = reason};
}

static const char* const conform =
    "the contact is no longer one point: the surfaces touch along a line or an area, or would "
    "penetrate beside it";

static void keep_shape(const form* body, const form* base, bool by_radii, model_contact* out)
{
  const form* both[2] = {body, base};
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++) out->shape[i][k] = both[i]->a[k / 2][(k + 1) / 2];
  out->has_shape = true;
  out->by_radii = by_radii;
}

// determinant and trace stay positive, `size` being what the first is measured by
static void guard_shape(const model_touch* c, const form* f, expr size, model_contact* out)
{
  expr_pool* p = c->s->pool;
  const int first = out->guards;
  const bool flat_both = size == expr_int(p, 0);
  const expr det = det_of(p, f);
  add(c, expr_sub(p, flat_both ? det : expr_div(p, det, size), least(p)), conform, out);
  add(c, trace_of(p, f), conform, out);
  if (first < out->guards) out->guard[first].conforms = true;
}

// What touches with its rim lies flat where the normal is its axis: no one point of it touches
// then. A millionth of its radius is nothing, and the way there is endless turning.
static void guard_rim(const model_touch* c, model_contact* out)
{
  expr_pool* p = c->s->pool;
  if (c->on_body.kind != MODEL_TORUS && c->on_body.kind != MODEL_CIRCLE) return;
  expr across = expr_add(p, expr_mul(p, c->m[0], c->m[0]), expr_mul(p, c->m[1], c->m[1]));
  add(c, expr_sub(p, across, expr_double(p, 1e-12)),
      c->on_base.kind == MODEL_PLANE
          ? "the body lies flat: it touches with its whole rim, and no law of the model says how "
            "that rubs"
          : "the rim of the body is level with the base: which point of it touches is not "
            "determined",
      out);
}

// I - E S_c, positive
static void guard_known(const model_touch* c, model_contact* out)
{
  expr_pool* p = c->s->pool;
  if (c->on_base.kind == MODEL_PLANE) return;
  form S = base_form(c), E = radii(c), F;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      expr sum = expr_add(p, expr_mul(p, E.a[i][0], S.a[0][j]), expr_mul(p, E.a[i][1], S.a[1][j]));
      F.a[i][j] = expr_sub(p, expr_int(p, i == j), sum);
    }
  keep_shape(&E, &S, true, out);
  guard_shape(c, &F, expr_int(p, 1), out);
}

// S_b - S_c, positive against the squares of both
static void guard_patch(const model_touch* c, model_contact* out)
{
  expr_pool* p = c->s->pool;
  expr t1[3], t2[3], size = expr_int(p, 0);
  body_tangents(c, t1, t2);
  form S = base_form(c), B = flat(p), D;
  if (c->on_body.kind != MODEL_PLANE) B = patch_form(c, &c->on_body, c->u, c->v, c->m, t1, t2);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      D.a[i][j] = expr_sub(p, B.a[i][j], S.a[i][j]);
      expr both = expr_add(p, expr_mul(p, B.a[i][j], B.a[i][j]), expr_mul(p, S.a[i][j], S.a[i][j]));
      size = expr_add(p, size, both);
    }
  keep_shape(&B, &S, false, out);
  guard_shape(c, &D, size, out);
}

// |r_u x r_v|^2 against (r_u^2 + r_v^2)^2
static void guard_chart(const model_touch* c, const expr ru[3], const expr rv[3],
                        const char* reason, model_contact* out)
{
  expr_pool* p = c->s->pool;
  expr n[3];
  model_vec_cross(p, ru, rv, n);
  expr sum = expr_add(p, dot_with(c, ru, ru), dot_with(c, rv, rv));
  expr bound = expr_mul(p, expr_double(p, 1e-12), expr_mul(p, sum, sum));
  add(c, expr_sub(p, dot_with(c, n, n), bound), reason, out);
}

void model_roll_guard(const model_touch* c, model_contact* out)
{
  expr_pool* p = c->s->pool;
  // the chart of a cylinder, an angle beside a length, is regular everywhere
  if (c->ub != EXPR_NONE && c->on_base.kind != MODEL_CYLINDER)
    guard_chart(c, c->rub, c->rvb, "the surface of the base is not regular there", out);
  if (c->u != EXPR_NONE) {
    expr outward[3];
    if (c->on_body.kind != MODEL_CYLINDER)
      guard_chart(c, c->ru, c->rv, "the surface of the body is not regular there", out);
    // opposite normals, not equal ones
    model_vec_cross(p, c->ru, c->rv, outward);
    expr side = dot_with(c, outward, c->m);
    add(c, c->on_body.open ? side : expr_neg(p, side),
        "the body lies on the wrong side of its own surface; give a guess for its coordinates, or "
        "exchange them",
        out);
    guard_patch(c, out);
  } else {
    guard_rim(c, out);
    guard_known(c, out);
  }
  if (c->on_body.kind == MODEL_PARABOLOID)
    add(c, c->m[2], "no point of the body's surface has this normal", out);
}
