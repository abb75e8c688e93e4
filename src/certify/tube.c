// How far a series of the motion reaches, proved by a tube about its polynomial.
//
// y' = f(t, y), p the Taylor polynomial of degree d of the solution through y_0.
// 1. f(t + s, p(s)) is analytic for |s| <= R, and there |f_i| <= M_i. Its coefficients below s^d
// are
//    those of p', so that by Cauchy |f_i(p) - p_i'| <= delta_i = M_i (tau/R)^d / (1 - tau/R) for
//    |s| <= tau < R.
// 2. Within w_i of p(s), |s| <= tau, f is analytic and |df_i/dy_j| <= J_ij. As long as e = y - p
//    stays there, |e|' <= J |e| + delta along every ray, so |e| <= tau exp(tau J) delta. Where that
//    is less than w, e never leaves: y is analytic for |s| <= tau, and coefficients of y behind
//    those of p are at most w_i / tau^k.
// 3. Along real times u = the difference of two motions obeys |u|' <= A |u| with A_ii >= df_i/dy_i,
//    A_ij >= |df_i/dy_j|, and so |u(h)| <= exp(h A) |u(0)|, while they stay within w of p.
// Bounds over discs are bounds over the squares that cover them; squares over which nothing is
// known are divided. Coefficients are real, so that half a disc suffices.
#include "certify/tube.h"

#include <math.h>
#include <stdlib.h>

enum { proof_bits = certify_tube_bits, most_terms = certify_tube_terms };
enum {
  first_halvings = 2,
  most_halvings = 6,
  most_pieces = 200,
  many_pieces = 40,
  most_trials = 40,
  real_pieces = 4
};
// of the reach that the coefficients show: where to begin, at most, and what follows a failure, a
// success
static const double first_share = 0.3, most_share = 0.8, shorter = 0.9, longer = 1.05;
// log2 of the tube beside the size of the motion, and of what the polynomial may leave out; between
// them there is room for exp(tau J)
static const double tube_bits = 24, defect_bits = 60;
static const double farthest = 1e3; // where the coefficients show no end of it
enum { plain_bits = 24 };

void certify_tube_open(certify_tube* u, const certify_system* c)
{
  const int n = 2 * c->n;
  *u = (certify_tube){.c = c, .share = first_share};
  u->in = _acb_vec_init(n + 1);
  u->value = _acb_vec_init(c->motion.node.n);
  u->slope = _acb_vec_init(c->motion.node.n);
  acb_mat_init(u->K, c->size, c->size);
  acb_mat_init(u->b, c->size, 1);
  acb_mat_init(u->x, c->size, 1);
  acb_mat_init(u->right, c->size, n);
  acb_mat_init(u->slopes, c->size, n);
  u->p = base_alloc(sizeof(arb_ptr) * (size_t)(n + 1));
  u->rise = base_alloc(sizeof(arb_ptr) * (size_t)(n + 1));
  for (int i = 0; i <= n; i++) u->p[i] = _arb_vec_init(most_terms + 1);
  for (int i = 0; i <= n; i++) u->rise[i] = _arb_vec_init(most_terms + 1);
  u->tail = _mag_vec_init(n + 1);
  mag_init(u->more);
  u->most = _mag_vec_init(n);
  u->wide = _mag_vec_init(n);
  arb_mat_init(u->rate, n, n);
}

void certify_tube_close(certify_tube* u)
{
  const int n = 2 * u->c->n;
  _acb_vec_clear(u->in, n + 1);
  _acb_vec_clear(u->value, u->c->motion.node.n);
  _acb_vec_clear(u->slope, u->c->motion.node.n);
  acb_mat_clear(u->K);
  acb_mat_clear(u->b);
  acb_mat_clear(u->x);
  acb_mat_clear(u->right);
  acb_mat_clear(u->slopes);
  for (int i = 0; i <= n; i++) _arb_vec_clear(u->p[i], most_terms + 1);
  for (int i = 0; i <= n; i++) _arb_vec_clear(u->rise[i], most_terms + 1);
  free(u->p);
  free(u->rise);
  _mag_vec_clear(u->tail, n + 1);
  mag_clear(u->more);
  _mag_vec_clear(u->most, n);
  _mag_vec_clear(u->wide, n);
  arb_mat_clear(u->rate);
}

// ---- discs --------------------------------------------------------------------------------------

typedef struct disc
{
  double radius;
  bool tubed; // slopes in the tube, else rates
} disc;

// the square of this corner and side, and those that it is divided into; all numbers are exact
static bool cover(certify_tube* u, const disc* d, double re, double im, double side, int halvings)
{
  const double near_re = re > 0 ? re : re + side < 0 ? re + side : 0;
  if (hypot(near_re, im) > d->radius * (1 + 1e-9)) return true;
  if (halvings >= first_halvings) {
    if (++u->pieces > most_pieces) return false;
    acb_t s;
    acb_init(s);
    arb_set_d(acb_realref(s), re + side / 2);
    arb_set_d(acb_imagref(s), im + side / 2);
    mag_set_d(arb_radref(acb_realref(s)), side / 2);
    mag_set_d(arb_radref(acb_imagref(s)), side / 2);
    certify_square_place(u, s, d->tubed);
    acb_clear(s);
    if (d->tubed ? certify_square_slopes(u, false, d->radius) : certify_square_rates(u))
      return true;
    if (halvings == most_halvings) return false;
  }
  const double half = side / 2;
  return cover(u, d, re, im, half, halvings + 1) &&
         cover(u, d, re + half, im, half, halvings + 1) &&
         cover(u, d, re, im + half, half, halvings + 1) &&
         cover(u, d, re + half, im + half, half, halvings + 1);
}

// the upper half of a disc in two squares
static bool cover_disc(certify_tube* u, const disc* d)
{
  return cover(u, d, -d->radius, 0, d->radius, 1) && cover(u, d, 0, 0, d->radius, 1);
}

// ---- the tube -----------------------------------------------------------------------------------

// how far the motion goes within the disc, from its coefficients: the tube is a part of it
static void choose_width(certify_tube* u, const certify_motion* m, int order, double radius)
{
  mag_t power, term, step;
  mag_init(power);
  mag_init(term);
  mag_init(step);
  mag_set_d(step, radius);
  for (int i = 0; i < 2 * u->c->n; i++) {
    mag_zero(u->wide + i);
    mag_one(power);
    for (int k = 1; k <= order; k++) {
      mag_mul(power, power, step);
      arb_get_mag(term, m->input[1 + i] + k);
      mag_mul(term, term, power);
      mag_max(u->wide + i, u->wide + i, term);
    }
    arb_get_mag(term, m->input[1 + i]);
    mag_max(u->wide + i, u->wide + i, term);
    // what rests at zero has the width of nothing else: a number far below all others
    mag_mul_2exp_si(u->wide + i, u->wide + i, -(slong)tube_bits);
  }
  mag_zero(term);
  for (int i = 0; i < 2 * u->c->n; i++) mag_max(term, term, u->wide + i);
  mag_mul_2exp_si(term, term, -(slong)tube_bits);
  for (int i = 0; i < 2 * u->c->n; i++) mag_max(u->wide + i, u->wide + i, term);
  mag_clear(power);
  mag_clear(term);
  mag_clear(step);
}

// exp(h rate) applied to x, rounded upwards
static void spread(const certify_tube* u, const arb_t h, arb_mat_t x)
{
  const int n = 2 * u->c->n;
  arb_mat_t grown;
  arb_mat_init(grown, n, n);
  arb_mat_scalar_mul_arb(grown, u->rate, h, proof_bits);
  arb_mat_exp(grown, grown, proof_bits);
  arb_mat_mul(x, grown, x, proof_bits);
  arb_mat_clear(grown);
}

// In half the tube: what is off beside what the polynomial leaves out stays in the whole.
static bool is_within(const certify_tube* u, const arb_mat_t x)
{
  bool within = true;
  mag_t size;
  mag_init(size);
  for (int i = 0; i < 2 * u->c->n && within; i++) {
    arb_get_mag(size, arb_mat_entry(x, i, 0));
    mag_mul_2exp_si(size, size, 1);
    within = mag_cmp(size, u->wide + i) < 0;
  }
  mag_clear(size);
  return within;
}

// is tau exp(tau J) delta within the tube?
static bool stays(const certify_tube* u, int order, double tau, double radius)
{
  const int n = 2 * u->c->n;
  arb_t left, time;
  arb_mat_t x;
  arb_init(left);
  arb_init(time);
  arb_mat_init(x, n, 1);
  // tau (tau/R)^d / (1 - tau/R)
  arb_set_d(left, tau);
  arb_set_d(time, radius);
  arb_div(left, left, time, proof_bits);
  arb_sub_ui(time, left, 1, proof_bits);
  arb_neg(time, time);
  arb_pow_ui(left, left, (ulong)order, proof_bits);
  arb_div(left, left, time, proof_bits);
  arb_set_d(time, tau);
  arb_mul(left, left, time, proof_bits);
  for (int i = 0; i < n; i++) {
    arf_set_mag(arb_midref(arb_mat_entry(x, i, 0)), u->most + i);
    arb_mul(arb_mat_entry(x, i, 0), arb_mat_entry(x, i, 0), left, proof_bits);
  }
  spread(u, time, x);
  const bool within = is_within(u, x);
  arb_clear(left);
  arb_clear(time);
  arb_mat_clear(x);
  return within;
}

// below x, with so few bits that halves and sums of halves are exact
static double plain(double x)
{
  int exponent;
  const double part = frexp(x, &exponent);
  return ldexp(floor(ldexp(part, plain_bits)), exponent - plain_bits);
}

static bool is_proved(certify_tube* u, const certify_motion* m, int order, double tau,
                      double radius)
{
  u->pieces = 0;
  for (int i = 0; i < 2 * u->c->n; i++) mag_zero(u->most + i);
  arb_mat_zero(u->rate);
  choose_width(u, m, order, tau);
  certify_square_shorten(u, m, order, radius);
  return cover_disc(u, &(disc){radius, false}) && cover_disc(u, &(disc){tau, true}) &&
         stays(u, order, tau, radius);
}

double certify_tube_reach(certify_tube* u, const certify_motion* m, int order)
{
  const double shown = fmin(certify_step_length(m, order, 0), farthest);
  for (int k = 0; k < most_trials; k++) {
    const double radius = plain(u->share * shown), tau = plain(radius * exp2(-defect_bits / order));
    if (is_proved(u, m, order, tau, radius)) {
      u->share = fmin(most_share, u->share * (u->pieces > many_pieces ? shorter : longer));
      return tau;
    }
    u->share *= shorter;
  }
  return 0;
}

bool certify_tube_spread(certify_tube* u, const arb_t h, mag_ptr off)
{
  const int n = 2 * u->c->n;
  arb_mat_t x;
  arb_t part;
  acb_t s;
  acb_init(s);
  arb_init(part);
  arb_mat_init(x, n, 1);
  for (int i = 0; i < n; i++) arf_set_mag(arb_midref(arb_mat_entry(x, i, 0)), off + i);
  arb_div_ui(part, h, real_pieces, proof_bits);
  bool within = is_within(u, x);
  for (int k = 0; k < real_pieces && within; k++) {
    // from k to k + 1 parts
    arb_mul_2exp_si(acb_realref(s), part, -1);
    arb_get_mag(arb_radref(acb_realref(s)), acb_realref(s));
    arb_addmul_ui(acb_realref(s), part, (ulong)k, proof_bits);
    arb_mat_zero(u->rate);
    certify_square_place(u, s, true);
    within = certify_square_slopes(u, true, 0);
    if (!within) break;
    spread(u, part, x);
    within = is_within(u, x);
  }
  for (int i = 0; i < n && within; i++) arb_get_mag(off + i, arb_mat_entry(x, i, 0));
  arb_mat_clear(x);
  arb_clear(part);
  acb_clear(s);
  return within;
}
