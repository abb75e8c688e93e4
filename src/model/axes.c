// Axes turned by successive rotations: matrices, angular velocities, change of axes.
// For axes turned by the angle a about axis k of the axes before them:
//   R = R_prev R_k(a),   w = R_k(a)^T w_prev + a' e_k  (in the new axes)

#include <assert.h>

#include "model/kin.h"

// out = R_k(angle) v: the vector v of the turned axes, in the axes before the turn
static void turn(expr_pool* p, int k, expr angle, const expr v[3], expr out[3])
{
  int i = (k + 1) % 3, j = (k + 2) % 3;
  expr c = expr_fn1(p, EXPR_COS, angle), s = expr_fn1(p, EXPR_SIN, angle);
  expr a = expr_sub(p, expr_mul(p, c, v[i]), expr_mul(p, s, v[j]));
  expr b = expr_add(p, expr_mul(p, s, v[i]), expr_mul(p, c, v[j]));
  out[k] = v[k];
  out[i] = a;
  out[j] = b;
}

static int depth(const model_axes* a)
{
  return a ? a->depth : 0;
}

void model_axes_rotation(const model_kin* kin, const model_axes* a, expr R[9])
{
  for (int i = 0; i < 9; i++) R[i] = a ? a->R[i] : expr_int(kin->pool, i % 4 == 0);
}

void model_axes_spin(const model_kin* kin, const model_axes* a, expr w[3])
{
  for (int i = 0; i < 3; i++) w[i] = a ? a->w[i] : expr_int(kin->pool, 0);
}

// rows of R times R_k are rows turned the other way
static void fill_rotation(const model_kin* kin, model_axes* a)
{
  expr before[9];
  model_axes_rotation(kin, a->prev, before);
  expr back = expr_neg(kin->pool, a->angle);
  for (int row = 0; row < 3; row++) turn(kin->pool, a->k, back, before + 3 * row, a->R + 3 * row);
}

static void fill_spin(const model_kin* kin, model_axes* a)
{
  expr_pool* p = kin->pool;
  expr before[3], rate = expr_total(p, a->angle);
  model_axes_spin(kin, a->prev, before);
  turn(p, a->k, expr_neg(p, a->angle), before, a->w);
  a->w[a->k] = expr_add(p, a->w[a->k], rate);
  // the axis of the turn is the same before and after it
  for (int row = 0; row < 3; row++) {
    expr old = a->prev ? a->prev->omega[row] : expr_int(p, 0);
    a->omega[row] = expr_add(p, old, expr_mul(p, a->R[3 * row + a->k], rate));
  }
}

// equal axes are found again among the last few
enum { LOOK_BACK = 64 };

static const model_axes* child(model_kin* kin, model_axes* from, int k, expr angle)
{
  model_axes** list = from ? &from->children : &kin->children;
  int seen = 0;
  for (model_axes* c = *list; c && seen < LOOK_BACK; c = c->next, seen++)
    if (c->k == k && c->angle == angle) return c;
  model_axes* a = base_arena_take(kin->arena, sizeof *a);
  a->prev = from;
  a->k = k;
  a->angle = angle;
  a->depth = depth(from) + 1;
  fill_rotation(kin, a);
  fill_spin(kin, a);
  a->next = *list;
  *list = a;
  return a;
}

const model_axes* model_axes_turn(model_kin* kin, const model_axes* from, int k, expr angle)
{
  assert(k >= 0 && k < 3 && angle != EXPR_NONE);
  if (from && from->k == k) {
    angle = expr_add(kin->pool, from->angle, angle);
    from = from->prev;
  }
  if (angle == expr_int(kin->pool, 0)) return from;
  return child(kin, (model_axes*)from, k, angle);
}

// paths longer than this go by way of the world's axes, whose matrices are shared
enum { SHORT_PATH = 4 };

// Strip what both have in common: equal ancestors, and turns at the junction that undo each other.
// up[] are the turns from `from` up to the junction, down[] those from the junction to `to`.
typedef struct path
{
  int ups, downs;
  const model_axes *up[SHORT_PATH + 1], *down[SHORT_PATH + 1];
  bool is_short;
} path;

static path path_find(const model_axes* from, const model_axes* to)
{
  path w = {.is_short = true};
  while (from != to) {
    if (depth(from) >= depth(to)) {
      if (w.ups <= SHORT_PATH) w.up[w.ups++] = from;
      from = from->prev;
    } else {
      if (w.downs <= SHORT_PATH) w.down[w.downs++] = to;
      to = to->prev;
    }
  }
  w.is_short = w.ups <= SHORT_PATH && w.downs <= SHORT_PATH;
  return w;
}

static void change_short(expr_pool* p, path w, const expr v[3], expr out[3])
{
  expr x[3] = {v[0], v[1], v[2]};
  // combine the two turns that meet at the junction while they share their axis
  expr zero = expr_int(p, 0), middle = EXPR_NONE;
  int k = 0;
  while (w.ups && w.downs && w.up[w.ups - 1]->k == w.down[w.downs - 1]->k) {
    k = w.up[w.ups - 1]->k;
    middle = expr_sub(p, w.up[--w.ups]->angle, w.down[--w.downs]->angle);
    if (middle != zero) break;
    middle = EXPR_NONE;
  }
  for (int i = 0; i < w.ups; i++) turn(p, w.up[i]->k, w.up[i]->angle, x, x);
  if (middle != EXPR_NONE) turn(p, k, middle, x, x);
  for (int i = w.downs - 1; i >= 0; i--) turn(p, w.down[i]->k, expr_neg(p, w.down[i]->angle), x, x);
  for (int i = 0; i < 3; i++) out[i] = x[i];
}

static void to_world(const model_kin* kin, const model_axes* from, const expr v[3], expr out[3])
{
  expr R[9], x[3];
  model_axes_rotation(kin, from, R);
  for (int i = 0; i < 3; i++) x[i] = model_vec_dot(kin->pool, R + 3 * i, v);
  for (int i = 0; i < 3; i++) out[i] = x[i];
}

static void from_world(const model_kin* kin, const model_axes* to, const expr v[3], expr out[3])
{
  expr R[9], x[3];
  model_axes_rotation(kin, to, R);
  for (int i = 0; i < 3; i++) {
    expr column[3] = {R[i], R[3 + i], R[6 + i]};
    x[i] = model_vec_dot(kin->pool, column, v);
  }
  for (int i = 0; i < 3; i++) out[i] = x[i];
}

void model_axes_change(const model_kin* kin, const model_axes* from, const model_axes* to,
                       const expr v[3], expr out[3])
{
  path w = path_find(from, to);
  if (w.is_short) {
    change_short(kin->pool, w, v, out);
  } else {
    to_world(kin, from, v, out);
    from_world(kin, to, out, out);
  }
}

void model_axes_omega(const model_kin* kin, const model_axes* a, const model_axes* to, expr out[3])
{
  if (a == NULL)
    model_vec_zero(kin->pool, out);
  else if (to == NULL)
    for (int i = 0; i < 3; i++) out[i] = a->omega[i];
  else
    model_axes_change(kin, a, to, a->w, out);
}

// in its own axes the absolute derivative of w is w' (w x w = 0)
void model_axes_alpha(const model_kin* kin, const model_axes* a, const model_axes* to, expr out[3])
{
  if (a == NULL) {
    model_vec_zero(kin->pool, out);
  } else if (to == NULL) {
    model_vec_total(kin->pool, a->omega, out);
  } else {
    expr rate[3];
    model_vec_total(kin->pool, a->w, rate);
    model_axes_change(kin, a, to, rate, out);
  }
}
