// Axes turned by successive rotations: matrices, angular velocities, change of axes.
// For axes turned by the angle a about axis k of the axes before them:
//   R = R_prev R_k(a),   w = R_k(a)^T w_prev + a' e_k  (in the new axes)

#include <assert.h>
#include <string.h>

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

// out = M v, or M^T v
static void apply(expr_pool* p, const expr M[9], bool transposed, const expr v[3], expr out[3])
{
  expr x[3];
  for (int i = 0; i < 3; i++) {
    expr row[3] = {M[transposed ? i : 3 * i], M[transposed ? 3 + i : 3 * i + 1],
                   M[transposed ? 6 + i : 3 * i + 2]};
    x[i] = model_vec_dot(p, row, v);
  }
  for (int i = 0; i < 3; i++) out[i] = x[i];
}

// the vector v of the axes a in the axes before them, and back
static void rise(expr_pool* p, const model_axes* a, const expr v[3], expr out[3])
{
  if (a->k == MODEL_BY_QUATERNION)
    apply(p, a->turn, false, v, out);
  else
    turn(p, a->k, a->angle, v, out);
}

static void descend(expr_pool* p, const model_axes* a, const expr v[3], expr out[3])
{
  if (a->k == MODEL_BY_QUATERNION)
    apply(p, a->turn, true, v, out);
  else
    turn(p, a->k, expr_neg(p, a->angle), v, out);
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
  for (int row = 0; row < 3; row++) descend(kin->pool, a, before + 3 * row, a->R + 3 * row);
}

// angular velocity against the axes before, in the new axes; of a unit quaternion (w, r) it is
// 2 (w r' - w' r - r x r')
static void relative_spin(expr_pool* p, const model_axes* a, expr out[3])
{
  model_vec_zero(p, out);
  if (a->k != MODEL_BY_QUATERNION) {
    out[a->k] = expr_total(p, a->angle);
    return;
  }
  const expr w = a->quaternion[0], *r = a->quaternion + 1;
  expr rate[3], side[3], w1 = expr_total(p, w);
  model_vec_total(p, r, rate);
  model_vec_cross(p, r, rate, side);
  for (int i = 0; i < 3; i++) {
    expr part[3] = {expr_mul(p, w, rate[i]), expr_neg(p, expr_mul(p, w1, r[i])),
                    expr_neg(p, side[i])};
    out[i] = expr_mul(p, expr_int(p, 2), expr_sum(p, 3, part));
  }
}

static void fill_spin(const model_kin* kin, model_axes* a)
{
  expr_pool* p = kin->pool;
  expr before[3], rate[3];
  model_axes_spin(kin, a->prev, before);
  relative_spin(p, a, rate);
  descend(p, a, before, a->w);
  model_vec_add(p, a->w, rate, a->w);
  for (int row = 0; row < 3; row++) {
    expr old = a->prev ? a->prev->omega[row] : expr_int(p, 0);
    a->omega[row] = expr_add(p, old, model_vec_dot(p, a->R + 3 * row, rate));
  }
}

// R = (2 w^2 - 1) E + 2 r r^T + 2 w [r], the form that needs no quotient; written with
// 1 = w^2 + r.r in the diagonal it is the homogeneous one, orthogonal up to the square of the norm
static void fill_turn(expr_pool* p, const expr q[4], model_axes* a)
{
  for (int i = 0; i < 4; i++) a->quaternion[i] = q[i];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      expr two = expr_int(p, 2), ij = expr_mul(p, q[1 + i], q[1 + j]);
      if (i == j) {
        expr square[4];
        for (int k = 0; k < 4; k++) {
          square[k] = expr_mul(p, q[k], q[k]);
          if (k != 0 && k != 1 + i) square[k] = expr_neg(p, square[k]);
        }
        a->turn[3 * i + i] = expr_sum(p, 4, square);
        continue;
      }
      // [r]_ij = -r_k for (i, j, k) in order, +r_k against it
      int k = 3 - i - j;
      expr w = expr_mul(p, q[0], q[1 + k]);
      if ((i + 1) % 3 == j) w = expr_neg(p, w);
      a->turn[3 * i + j] = expr_mul(p, two, expr_add(p, ij, w));
    }
}

// equal axes are found again among the last few
enum { LOOK_BACK = 64 };

static model_axes* child(model_kin* kin, model_axes* from, int k, expr angle,
                         const expr quaternion[4])
{
  model_axes** list = from ? &from->children : &kin->children;
  int seen = 0;
  for (model_axes* c = *list; c && seen < LOOK_BACK; c = c->next, seen++)
    if (c->k == k && c->angle == angle &&
        (!quaternion || memcmp(c->quaternion, quaternion, sizeof c->quaternion) == 0))
      return c;
  model_axes* a = base_arena_take(kin->arena, sizeof *a);
  a->prev = from;
  a->k = k;
  a->angle = angle;
  a->depth = depth(from) + 1;
  if (quaternion) fill_turn(kin->pool, quaternion, a);
  fill_rotation(kin, a);
  fill_spin(kin, a);
  a->next = *list;
  *list = a;
  return a;
}

const model_axes* model_axes_turn(model_kin* kin, const model_axes* from, int k, expr angle)
{
  assert(k >= 0 && k < 3 && angle != EXPR_NONE);
  const model_axes* before = from && from->k == k ? from : NULL;
  const expr step = angle;
  if (before) {
    angle = expr_add(kin->pool, before->angle, step);
    from = before->prev;
  }
  if (angle == expr_int(kin->pool, 0)) return from;
  model_axes* a = child(kin, (model_axes*)from, k, angle, NULL);
  if (a->steps) return a;
  a->before = before;
  a->step = step;
  a->steps = before ? before->steps + 1 : 1;
  return a;
}

const model_axes* model_axes_orient(model_kin* kin, const model_axes* from,
                                    const expr quaternion[4])
{
  return child(kin, (model_axes*)from, MODEL_BY_QUATERNION, quaternion[0], quaternion);
}

void model_quaternion_product(expr_pool* p, const expr a[4], const expr b[4], expr out[4])
{
  expr side[3], x[4];
  model_vec_cross(p, a + 1, b + 1, side);
  x[0] = expr_sub(p, expr_mul(p, a[0], b[0]), model_vec_dot(p, a + 1, b + 1));
  for (int i = 0; i < 3; i++) {
    expr part[3] = {expr_mul(p, a[0], b[1 + i]), expr_mul(p, b[0], a[1 + i]), side[i]};
    x[1 + i] = expr_sum(p, 3, part);
  }
  for (int i = 0; i < 4; i++) out[i] = x[i];
}

void model_quaternion_conjugate(expr_pool* p, const expr a[4], expr out[4])
{
  for (int i = 0; i < 4; i++) out[i] = i ? expr_neg(p, a[i]) : a[i];
}

void model_axes_quaternion(const model_kin* kin, const model_axes* a, expr out[4])
{
  expr_pool* p = kin->pool;
  for (int i = 0; i < 4; i++) out[i] = expr_int(p, i == 0);
  for (; a; a = a->prev) {
    expr q[4] = {a->quaternion[0], a->quaternion[1], a->quaternion[2], a->quaternion[3]};
    if (a->k != MODEL_BY_QUATERNION) {
      expr half = expr_mul(p, expr_ratio(p, 1, 2), a->angle);
      q[0] = expr_fn1(p, EXPR_COS, half);
      for (int i = 0; i < 3; i++)
        q[1 + i] = i == a->k ? expr_fn1(p, EXPR_SIN, half) : expr_int(p, 0);
    }
    model_quaternion_product(p, q, out, out);
  }
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

// the two turns that meet at the junction become one while they share their axis
typedef struct junction
{
  int k;
  expr angle; // EXPR_NONE: they do not meet so
} junction;

// The angle of a less that of b, both turned from the same axes about the same one. Near each other
// in a chain they differ by a few steps, however long the sums of all steps are.
static expr angle_between(expr_pool* p, const model_axes* a, const model_axes* b)
{
  const model_axes *x = a, *y = b;
  expr sum = expr_int(p, 0);
  for (int i = 0; x != y && i < SHORT_PATH; i++) {
    const bool first = x->steps >= y->steps;
    const model_axes** at = first ? &x : &y;
    if (!(*at)->before) break;
    sum = first ? expr_add(p, sum, x->step) : expr_sub(p, sum, y->step);
    *at = (*at)->before;
  }
  return x == y ? sum : expr_sub(p, a->angle, b->angle);
}

static junction join(expr_pool* p, path* w)
{
  const expr zero = expr_int(p, 0);
  junction j = {.angle = EXPR_NONE};
  while (w->ups && w->downs && w->up[w->ups - 1]->k == w->down[w->downs - 1]->k &&
         w->up[w->ups - 1]->k != MODEL_BY_QUATERNION) {
    j.k = w->up[w->ups - 1]->k;
    w->ups--;
    w->downs--;
    j.angle = angle_between(p, w->up[w->ups], w->down[w->downs]);
    if (j.angle != zero) break;
    j.angle = EXPR_NONE;
  }
  return j;
}

static void change_short(expr_pool* p, path w, const expr v[3], expr out[3])
{
  expr x[3] = {v[0], v[1], v[2]};
  const junction middle = join(p, &w);
  for (int i = 0; i < w.ups; i++) rise(p, w.up[i], x, x);
  if (middle.angle != EXPR_NONE) turn(p, middle.k, middle.angle, x, x);
  for (int i = w.downs - 1; i >= 0; i--) descend(p, w.down[i], x, x);
  for (int i = 0; i < 3; i++) out[i] = x[i];
}

// The spin gathered on the way: each turn up takes its own away, each turn down adds its own.
static void spin_between(expr_pool* p, path w, expr out[3])
{
  expr own[3];
  model_vec_zero(p, out);
  const junction middle = join(p, &w);
  for (int i = 0; i < w.ups; i++) {
    relative_spin(p, w.up[i], own);
    model_vec_sub(p, out, own, out);
    rise(p, w.up[i], out, out);
  }
  if (middle.angle != EXPR_NONE) {
    turn(p, middle.k, middle.angle, out, out);
    out[middle.k] = expr_sub(p, out[middle.k], expr_total(p, middle.angle));
  }
  for (int i = w.downs - 1; i >= 0; i--) {
    descend(p, w.down[i], out, out);
    relative_spin(p, w.down[i], own);
    model_vec_add(p, out, own, out);
  }
}

int model_axes_between(const model_kin* kin, const model_axes* from, const model_axes* to,
                       expr turn[9], expr spin[3])
{
  expr_pool* p = kin->pool;
  path w = path_find(from, to);
  if (!w.is_short) return -1;
  for (int j = 0; j < 3; j++) {
    expr unit[3], column[3];
    for (int i = 0; i < 3; i++) unit[i] = expr_int(p, i == j);
    model_axes_change(kin, to, from, unit, column);
    for (int i = 0; i < 3; i++) turn[3 * i + j] = column[i];
  }
  spin_between(p, w, spin);
  const junction middle = join(p, &w);
  return w.ups + w.downs + (middle.angle != EXPR_NONE);
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
