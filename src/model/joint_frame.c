// The frame of a joint on a body: origin, z along the axis, x along the normal. Directions along
// the axes of the body give turns by right angles, and so equations without roots; others are
// brought about by a constant quaternion.

#include "model/joint.h"

#include <math.h>
#include <string.h>

enum {
  NEVER = MODEL_USES_STATE | MODEL_USES_JERK | MODEL_USES_RATE | MODEL_USES_TIME,
};

// ---- directions ---------------------------------------------------------------------------------

// x, -y and the like: 1, 2, 3 with the sign; 0: something else
static int letter_of(const lang_node* n)
{
  if (n && n->kind == LANG_NEGATE) return -letter_of(n->kid[0]);
  if (!n || n->kind != LANG_NAME || n->text[0] < 'x' || n->text[0] > 'z' || n->text[1]) return 0;
  return n->text[0] - 'x' + 1;
}

static void unit(model_scope* s, int letter, expr out[3])
{
  for (int i = 0; i < 3; i++)
    out[i] = expr_int(s->pool, i + 1 == letter ? 1 : i + 1 == -letter ? -1 : 0);
}

static bool read_direction(model_scope* s, const lang_node* n, const char* what, expr out[3])
{
  model_dim d[3];
  const int letter = letter_of(n);
  if (letter) {
    unit(s, letter, out);
    return true;
  }
  if (!model_eval_vector(s, n, what, out, d)) return false;
  for (int i = 0; i < 3; i++)
    if (!model_expect_free(s, n, out[i], NEVER, what)) return false;
  return true;
}

static double size_of(model_scope* s, const expr v[3])
{
  return sqrt(model_scope_number(s, model_vec_dot(s->pool, v, v)));
}

// to length one; false: it has none
static bool normalise(model_scope* s, expr v[3])
{
  const expr square = model_vec_dot(s->pool, v, v);
  if (!(size_of(s, v) > 0)) return false;
  if (square == expr_int(s->pool, 1)) return true;
  const expr length = expr_fn1(s->pool, EXPR_SQRT, square);
  for (int i = 0; i < 3; i++) v[i] = expr_div(s->pool, v[i], length);
  return true;
}

// x across z: what is left of it without its part along z
static bool make_across(model_scope* s, const expr z[3], expr x[3])
{
  expr along[3];
  const double before = size_of(s, x);
  model_vec_scale(s->pool, model_vec_dot(s->pool, x, z), z, along);
  model_vec_sub(s->pool, x, along, x);
  return size_of(s, x) > 1e-6 * before && normalise(s, x);
}

// the body's own x, or the next of its axes that is not along z
static void own_normal(model_scope* s, const expr z[3], expr x[3])
{
  for (int k = 1; k <= 3; k++) {
    unit(s, k, x);
    if (make_across(s, z, x)) return;
  }
}

bool model_joint_frame_read(model_scope* s, const lang_end* end, int axis, model_joint_frame* out)
{
  expr x[3], y[3], z[3];
  bool fine = true;
  out->length = model_dim_unknown();
  model_vec_zero(s->pool, out->r);
  if (end->at) fine = model_place_vector(s, end->at, "a place", out->r, &out->length);
  unit(s, axis, z);
  if (end->axis) fine &= read_direction(s, end->axis, "an axis", z);
  if (fine && !normalise(s, z)) {
    base_error(s->notes, end->axis->place, "an axis has a direction, this is zero");
    return false;
  }
  if (!fine) return false;
  own_normal(s, z, x);
  if (end->normal && !read_direction(s, end->normal, "a normal", x)) return false;
  if (end->normal && !make_across(s, z, x)) {
    base_error(s->notes, end->normal->place, "the normal of a joint is not along its axis");
    return false;
  }
  model_vec_cross(s->pool, z, x, y);
  for (int i = 0; i < 3; i++) {
    out->R[3 * i] = x[i];
    out->R[3 * i + 1] = y[i];
    out->R[3 * i + 2] = z[i];
  }
  return true;
}

// ---- turns --------------------------------------------------------------------------------------

void model_joint_frame_carry(model_scope* s, const expr R[9], const expr v[3], expr out[3])
{
  for (int i = 0; i < 3; i++) out[i] = model_vec_dot(s->pool, R + 3 * i, v);
}

typedef struct whole
{
  int R[9];
} whole;

// all entries 0, 1 or -1
static bool is_whole(const model_scope* s, const expr R[9], whole* out)
{
  for (int i = 0; i < 9; i++) {
    long k;
    if (!expr_is_int(s->pool, R[i], &k) || k < -1 || k > 1) return false;
    out->R[i] = (int)k;
  }
  return true;
}

static whole times(const whole* a, const whole* b)
{
  whole c = {{0}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) c.R[3 * i + j] += a->R[3 * i + k] * b->R[3 * k + j];
  return c;
}

// by so many right angles about axis k
static whole quarter(int k, int times_90)
{
  static const int cosine[4] = {1, 0, -1, 0}, sine[4] = {0, 1, 0, -1};
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  whole a = {{0}};
  a.R[4 * k] = 1;
  a.R[4 * i] = a.R[4 * j] = cosine[times_90];
  a.R[3 * i + j] = -sine[times_90];
  a.R[3 * j + i] = sine[times_90];
  return a;
}

// Each of the 24 is one turn about an axis, or two.
static const model_axes* turn_squarely(model_scope* s, const model_axes* from, const whole* R)
{
  for (int n = 0; n < 144; n++) {
    const int k = n % 3, a = n / 3 % 4, l = n / 12 % 3, b = n / 36;
    const whole one = quarter(k, a), two = quarter(l, b), both = times(&one, &two);
    if (memcmp(&both, R, sizeof both) != 0) continue;
    const expr right = expr_div(s->pool, expr_pi(s->pool), expr_int(s->pool, 2));
    if (a) from = model_axes_turn(&s->kin, from, k, expr_mul(s->pool, expr_int(s->pool, a), right));
    if (b) from = model_axes_turn(&s->kin, from, l, expr_mul(s->pool, expr_int(s->pool, b), right));
    return from;
  }
  return from;
}

// The quaternion of a matrix, from the largest of its four squares
//   4 q_0^2 = 1 + R_00 + R_11 + R_22,  4 q_1^2 = 1 + R_00 - R_11 - R_22, ...
static void quaternion_of(model_scope* s, const expr R[9], expr q[4])
{
  expr_pool* p = s->pool;
  static const int sign[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  int best = 0;
  expr square[4];
  for (int k = 0; k < 4; k++) {
    expr part[4] = {expr_int(p, 1)};
    for (int i = 0; i < 3; i++) part[1 + i] = sign[k][i] > 0 ? R[4 * i] : expr_neg(p, R[4 * i]);
    square[k] = expr_sum(p, 4, part);
    if (model_scope_number(s, square[k]) > model_scope_number(s, square[best])) best = k;
  }
  const expr root = expr_fn1(p, EXPR_SQRT, square[best]);
  // 4 q_i q_j, from what lies beside the diagonal
  const expr skew[3] = {expr_sub(p, R[7], R[5]), expr_sub(p, R[2], R[6]), expr_sub(p, R[3], R[1])};
  for (int k = 0; k < 4; k++) {
    expr product = square[best];
    if (k != best && (k == 0 || best == 0)) product = skew[k + best - 1];
    if (k != best && k && best)
      product = expr_add(p, R[3 * (k - 1) + best - 1], R[3 * (best - 1) + k - 1]);
    q[k] = expr_div(p, product, expr_mul(p, expr_int(p, 2), root));
  }
}

const model_axes* model_joint_frame_turn(model_scope* s, const model_axes* from, const expr R[9],
                                         bool back)
{
  expr M[9], q[4];
  whole square;
  for (int i = 0; i < 9; i++) M[i] = back ? R[3 * (i % 3) + i / 3] : R[i];
  if (is_whole(s, M, &square)) return turn_squarely(s, from, &square);
  quaternion_of(s, M, q);
  return model_axes_orient(&s->kin, from, q);
}

const model_axes* model_joint_frame_spin(model_scope* s, const model_axes* from, const expr R[9],
                                         expr angle)
{
  whole square;
  if (is_whole(s, R, &square))
    for (int k = 0; k < 3; k++)
      if (square.R[3 * k + 2])
        return model_axes_turn(&s->kin, from, k,
                               square.R[3 * k + 2] > 0 ? angle : expr_neg(s->pool, angle));
  from = model_joint_frame_turn(s, from, R, false);
  from = model_axes_turn(&s->kin, from, 2, angle);
  return model_joint_frame_turn(s, from, R, true);
}

bool model_joint_frame_about(model_scope* s, const lang_node* direction, expr angle,
                             const model_axes** axes)
{
  const lang_end end = {.axis = (lang_node*)direction};
  model_joint_frame frame;
  if (!model_joint_frame_read(s, &end, 3, &frame)) return false;
  *axes = model_joint_frame_spin(s, *axes, frame.R, angle);
  return true;
}
