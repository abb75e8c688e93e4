// One step of the motion: the power series of the solution about a state, and how far it reaches.
//
// With K x = b, K and b power series in time through q and v, order k gives
//   K_0 x_k = b_k - sum_{j=1..k} K_j x_{k-j},   v_{k+1} = a_k/(k+1),   q_{k+1} = v_k/(k+1).
//
// The proof (Picard, in complex time): let B hold all points within r_i of the ball y, and let
// tau |f_i| <= r_i for all points of B and times within tau of t, f analytic there. Then y +
// integral f maps functions with values in B into themselves: the solution is analytic for |s - t|
// <= tau and stays within r_i, so that by Cauchy |y_k| <= r_i / tau^k, and what is left out behind
// order K at t + h is at most r_i (h/tau)^(K+1) / (1 - h/tau).
#include "certify/step.h"

#include <acb_mat.h>
#include <math.h>
#include <stdlib.h>

// the proof needs no more digits than a double has
enum { proof_bits = 64 };
// how often a box is made larger before time is made shorter, and that before it is given up
enum { proof_boxes = 8, proof_times = 60 };
// the box is larger than the last image by this factor; time is shortened by the other
static const double proof_room = 1.25, proof_shorter = 0.7;

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

// ---- how far, proved ----------------------------------------------------------------------------

typedef struct box
{
  acb_ptr in, value;
  acb_mat_t K, b, x;
} box;

static void open_box(box* o, const certify_system* c)
{
  o->in = _acb_vec_init(2 * c->n + 1);
  o->value = _acb_vec_init(c->motion.node.n);
  acb_mat_init(o->K, c->size, c->size);
  acb_mat_init(o->b, c->size, 1);
  acb_mat_init(o->x, c->size, 1);
}

static void close_box(box* o, const certify_system* c)
{
  _acb_vec_clear(o->in, 2 * c->n + 1);
  _acb_vec_clear(o->value, c->motion.node.n);
  acb_mat_clear(o->K);
  acb_mat_clear(o->b);
  acb_mat_clear(o->x);
}

// a square of complex numbers that holds the disc of this radius about the ball x
static void widen(acb_t out, const arb_t x, const mag_t radius)
{
  arb_set(acb_realref(out), x);
  arb_zero(acb_imagref(out));
  arb_add_error_mag(acb_realref(out), radius);
  arb_add_error_mag(acb_imagref(out), radius);
}

// rate[i]: bounds of |f_i| over the box; false where f is not known to be analytic there
static bool rates(const certify_system* c, box* o, mag_ptr rate)
{
  certify_graph_values(&c->motion, o->in, o->value, proof_bits);
  acb_mat_zero(o->K);
  for (int e = 0; e < c->entry.n; e++) {
    const certify_entry* at = &c->entry.at[e];
    acb_set(acb_mat_entry(o->K, at->row, at->column), o->value + at->node);
  }
  for (int i = 0; i < c->size; i++) acb_set(acb_mat_entry(o->b, i, 0), o->value + c->right[i]);
  if (!acb_mat_solve(o->x, o->K, o->b, proof_bits)) return false;
  for (int i = 0; i < c->n; i++) {
    acb_get_mag(rate + i, o->in + 1 + c->n + i);
    acb_get_mag(rate + c->n + i, acb_mat_entry(o->x, i, 0));
    if (mag_is_inf(rate + i) || mag_is_inf(rate + c->n + i)) return false;
  }
  return true;
}

// is there a box that the motion does not leave within the time tau? Its sizes are put into `wide`.
static bool stays(const certify_system* c, box* o, const arb_t t, arb_srcptr y, const mag_t tau,
                  mag_ptr wide, mag_ptr rate)
{
  const int n = 2 * c->n;
  mag_t room, reach;
  mag_init(room);
  mag_init(reach);
  mag_set_d(room, proof_room);
  bool met = false, alive = true;
  for (int i = 0; i < n; i++) mag_zero(wide + i);
  for (int attempt = 0; attempt < proof_boxes && !met && alive; attempt++) {
    widen(o->in, t, tau);
    for (int i = 0; i < n; i++) widen(o->in + 1 + i, y + i, wide + i);
    alive = rates(c, o, rate);
    met = alive && attempt > 0;
    for (int i = 0; i < n && alive; i++) {
      mag_mul(reach, rate + i, tau); // rounded upwards
      if (mag_cmp(reach, wide + i) > 0) met = false;
    }
    for (int i = 0; i < n && alive && !met; i++) {
      mag_mul(reach, rate + i, tau);
      mag_mul(reach, reach, room);
      if (mag_cmp(reach, wide + i) > 0) mag_set(wide + i, reach);
    }
  }
  mag_clear(room);
  mag_clear(reach);
  return met;
}

double certify_step_reach(certify_motion* m, const arb_t t, arb_srcptr y, double first,
                          arb_ptr bound)
{
  const certify_system* c = m->c;
  const int n = 2 * c->n;
  box o;
  open_box(&o, c);
  mag_ptr wide = _mag_vec_init(n), rate = _mag_vec_init(n);
  mag_t tau;
  mag_init(tau);
  double time = m->reach > 0 ? m->reach / proof_shorter : first;
  bool met = false;
  for (int k = 0; k < proof_times && !met; k++) {
    if (k > 0) time *= proof_shorter;
    mag_set_d_lower(tau, time);
    time = mag_get_d(tau); // exactly the time that is proved
    met = stays(c, &o, t, y, tau, wide, rate);
  }
  for (int i = 0; i < n && met; i++) {
    arb_zero(bound + i);
    arf_set_mag(arb_midref(bound + i), wide + i);
  }
  m->reach = met ? time : 0;
  mag_clear(tau);
  _mag_vec_clear(wide, n);
  _mag_vec_clear(rate, n);
  close_box(&o, c);
  return m->reach;
}
