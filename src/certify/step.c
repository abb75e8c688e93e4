// One step of the motion: the power series of the solution about a state, and how far it reaches.
//
// With K x = b, K and b power series in time through q and v, order k gives
//   K_0 x_k = b_k - sum_{j=1..k} K_j x_{k-j},   v_{k+1} = a_k/(k+1),   q_{k+1} = v_k/(k+1).
#include "certify/step.h"

#include <math.h>
#include <stdlib.h>

void certify_motion_open(certify_motion* m, const certify_system* c, int order)
{
  *m = (certify_motion){.c = c, .order = order};
  certify_series_open(&m->series, &c->motion, order);
  m->input = base_alloc(sizeof(arb_ptr) * (size_t)(2 * c->n + 1));
  m->x = base_alloc(sizeof(arb_ptr) * (size_t)(c->size + 1));
  for (int i = 0; i <= 2 * c->n; i++) m->input[i] = _arb_vec_init(order + 2);
  for (int i = 0; i < c->size; i++) m->x[i] = _arb_vec_init(order + 1);
  m->side = base_alloc((size_t)c->motion.node.n + 1);
}

void certify_motion_close(certify_motion* m)
{
  for (int i = 0; i <= 2 * m->c->n; i++) _arb_vec_clear(m->input[i], m->order + 2);
  for (int i = 0; i < m->c->size; i++) _arb_vec_clear(m->x[i], m->order + 1);
  certify_series_close(&m->series);
  free(m->input);
  free(m->x);
  free(m->side);
}

// ---- the series ---------------------------------------------------------------------------------

// right side of order k: b_k - sum_{j=1..k} K_j x_{k-j}
static void right_side(const certify_motion* m, int k, arb_mat_t b, slong bits)
{
  const certify_system* c = m->c;
  const certify_node* node = c->motion.node.at;
  arb_t sum;
  arb_init(sum);
  for (int i = 0; i < c->size; i++) {
    const int r = c->right[i];
    if (k == 0 || !node[r].still)
      arb_set(arb_mat_entry(b, i, 0), m->series.c[r] + k);
    else
      arb_zero(arb_mat_entry(b, i, 0));
  }
  for (int e = 0; e < c->entry.n && k > 0; e++) {
    const certify_entry* at = &c->entry.at[e];
    if (node[at->node].still) continue;
    arb_dot(sum, NULL, 0, m->series.c[at->node] + 1, 1, m->x[at->column] + (k - 1), -1, k, bits);
    arb_sub(arb_mat_entry(b, at->row, 0), arb_mat_entry(b, at->row, 0), sum, bits);
  }
  arb_clear(sum);
}

static bool invert(const certify_motion* m, arb_mat_t inverse, slong bits)
{
  const certify_system* c = m->c;
  arb_mat_t K;
  arb_mat_init(K, c->size, c->size);
  for (int e = 0; e < c->entry.n; e++) {
    const certify_entry* at = &c->entry.at[e];
    arb_set(arb_mat_entry(K, at->row, at->column), m->series.c[at->node]);
  }
  const bool regular = arb_mat_inv(inverse, K, bits);
  arb_mat_clear(K);
  return regular;
}

static void next_order(certify_motion* m, int k, slong bits)
{
  const int n = m->c->n;
  for (int i = 0; i < n; i++) {
    arb_div_ui(m->input[1 + i] + k + 1, m->input[1 + n + i] + k, (ulong)k + 1, bits);
    arb_div_ui(m->input[1 + n + i] + k + 1, m->x[i] + k, (ulong)k + 1, bits);
  }
}

static void begin(certify_motion* m, const arb_t t, arb_srcptr y)
{
  arb_set(m->input[0], t);
  arb_one(m->input[0] + 1);
  for (int k = 2; k <= m->order; k++) arb_zero(m->input[0] + k);
  for (int i = 0; i < 2 * m->c->n; i++) arb_set(m->input[1 + i], y + i);
}

const char* certify_step_expand(certify_motion* m, const arb_t t, arb_srcptr y, int order,
                                slong bits)
{
  const int size = m->c->size;
  const char* why = NULL;
  arb_mat_t inverse, b, x;
  arb_mat_init(inverse, size, size);
  arb_mat_init(b, size, 1);
  arb_mat_init(x, size, 1);
  begin(m, t, y);
  m->series.bits = bits;
  for (int k = 0; k <= order && !why; k++) {
    certify_series_extend(&m->series, k, m->input);
    if (k == 0 && !certify_series_is_decided(&m->series, NULL))
      why = "a corner of `abs`, `min`, `max`, `sign` or `if` is met";
    else if (k == 0 && !invert(m, inverse, bits))
      why =
          "the accelerations are not determined: constraints depend on each other, or some motion "
          "has no inertia";
    if (why) break;
    right_side(m, k, b, bits);
    arb_mat_mul(x, inverse, b, bits);
    for (int i = 0; i < size; i++) arb_set(m->x[i] + k, arb_mat_entry(x, i, 0));
    next_order(m, k, bits);
  }
  arb_mat_clear(inverse);
  arb_mat_clear(b);
  arb_mat_clear(x);
  return why;
}

void certify_step_sum(const certify_motion* m, int order, const arb_t h, arb_ptr y, slong bits)
{
  for (int i = 0; i < 2 * m->c->n; i++) {
    const arb_ptr c = m->input[1 + i];
    arb_set(y + i, c + order);
    for (int k = order - 1; k >= 0; k--) {
      arb_mul(y + i, y + i, h, bits);
      arb_add(y + i, y + i, c + k, bits);
    }
  }
}

// ---- how far, without a proof -------------------------------------------------------------------

// log2 of the largest coefficient k of places and velocities beside the largest value
static double size_of(const certify_motion* m, int k)
{
  double most = -INFINITY;
  for (int i = 0; i < 2 * m->c->n; i++) {
    const arf_struct* x = arb_midref(m->input[1 + i] + k);
    if (arf_is_special(x)) continue;
    most = fmax(most, (double)arf_abs_bound_lt_2exp_si(x));
  }
  return most;
}

double certify_step_length(const certify_motion* m, int order, slong bits)
{
  const double first = fmax(size_of(m, 0), size_of(m, 1));
  double least = INFINITY;
  for (int k = order - 1; k <= order; k++) {
    const double last = size_of(m, k);
    if (last > -INFINITY) least = fmin(least, (first - last - (double)bits) / k);
  }
  return isfinite(least) ? exp2(fmin(least, 1000)) : INFINITY;
}
