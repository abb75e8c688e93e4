// A motion in long arithmetic, step by step. Balls grow from step to step, so that a proof begins
// with more bits than the digits asked for; where they do not suffice it begins again with more.
// Without a proof the motion is computed again with more bits until both agree.
#include "certify/certify.h"
#include "certify/start.h"
#include "certify/tube.h"

#include <math.h>
#include <stdlib.h>

enum {
  usual_most_bits = 20000, // of one number
  spare_bits = 64,         // worked with beyond what a ball still knows, or is to know
  proof_spare_bits = 256,  // to begin with, for what balls lose on their way
  most_steps = 1000000
};
static const double bits_per_digit = 3.3219280948873623;
// terms fall by e^2 at the best order (A. Jorba, M. Zou 2005), 2/ln 2 bits each
static const double bits_per_order = 2.885390081777927;

typedef struct motion
{
  certify_system* c;
  const certify_request* r;
  certify_motion series;
  certify_tube tube;
  arb_t t, until, h;
  arb_ptr y;
  mag_ptr off; // of motions that begin in the ball y from that of its middle
  slong bits, work_bits;
  int order, steps;
  const char* why;
  bool interrupted;
} motion;

// ---- one step -----------------------------------------------------------------------------------

// bits that the least known number of the state still has, 0: none
static slong known_bits(const motion* o)
{
  slong least = o->bits;
  for (int i = 0; i < 2 * o->c->n; i++) {
    if (mag_is_zero(arb_radref(o->y + i))) continue;
    const double exponent = mag_get_d_log2_approx(arb_radref(o->y + i));
    if (!(-exponent > 0)) return 0;
    if (-exponent < (double)least) least = (slong)-exponent;
  }
  return least;
}

// the rest of the motion, or a step of this length, exact as a binary number
static void set_length(motion* o, double length)
{
  arb_sub(o->h, o->until, o->t, o->work_bits);
  arf_t most;
  arf_init(most);
  arf_set_d(most, length);
  if (arf_cmp(arb_midref(o->h), most) > 0) arb_set_arf(o->h, most);
  arf_clear(most);
}

// what is left out behind the last order, w (h/tau)^(K+1) / (1 - h/tau), and what was off before
static void add_rest(motion* o, double tau)
{
  arb_t share, rest, whole;
  arb_init(share);
  arb_init(rest);
  arb_init(whole);
  arb_set_d(rest, tau);
  arb_div(share, o->h, rest, spare_bits);
  arb_pow_ui(rest, share, (ulong)o->order + 1, spare_bits);
  arb_sub_ui(whole, share, 1, spare_bits);
  arb_neg(whole, whole);
  arb_div(rest, rest, whole, spare_bits);
  for (int i = 0; i < 2 * o->c->n; i++) {
    arf_set_mag(arb_midref(whole), o->tube.wide + i);
    mag_zero(arb_radref(whole));
    arb_mul(whole, rest, whole, spare_bits);
    arb_add_error(o->y + i, whole);
    arb_add_error_mag(o->y + i, o->off + i);
  }
  arb_clear(share);
  arb_clear(rest);
  arb_clear(whole);
}

// The middle of the ball goes along its series; the others are at a distance from it that the tube
// bounds.
static void proved_step(motion* o)
{
  const slong known = known_bits(o);
  o->why = known < spare_bits / 2 ? "the enclosure became too wide" : NULL;
  if (o->why) return;
  o->work_bits = known + spare_bits;
  o->order = (int)((double)o->work_bits / bits_per_order) + 2;
  if (o->order > o->series.order) o->order = o->series.order;
  for (int i = 0; i < 2 * o->c->n; i++) {
    mag_set(o->off + i, arb_radref(o->y + i));
    mag_zero(arb_radref(o->y + i));
  }
  o->why = certify_step_expand(&o->series, o->t, o->y, o->order, o->work_bits);
  if (o->why) return;
  const double tau = certify_tube_reach(&o->tube, &o->series, o->order);
  o->why = tau > 0 ? NULL : "no neighbourhood was found in which the motion is proved to exist";
  if (o->why) return;
  set_length(o, tau * exp2(-(double)o->work_bits / (o->order + 1)));
  if (!certify_tube_spread(&o->tube, o->h, o->off)) o->why = "the enclosure became too wide";
  certify_step_sum(&o->series, o->order, o->h, o->y, o->work_bits);
  add_rest(o, tau);
}

// are the sides of corners others than at the step before?
static bool turns_a_corner(motion* o)
{
  if (certify_series_is_decided(&o->series.series, o->series.side)) return false;
  o->why = "a corner of `abs`, `min`, `max`, `sign` or `if` is met";
  return true;
}

static void plain_step(motion* o)
{
  o->why = certify_step_expand(&o->series, o->t, o->y, o->order, o->work_bits);
  if (o->why) return;
  if (o->steps > 1 && turns_a_corner(o)) return;
  for (int i = 0; i < o->c->motion.node.n; i++) o->series.side[i] = o->series.series.side[i];
  set_length(o, certify_step_length(&o->series, o->order, o->work_bits));
  certify_step_sum(&o->series, o->order, o->h, o->y, o->work_bits);
  for (int i = 0; i < 2 * o->c->n; i++) mag_zero(arb_radref(o->y + i));
}

static bool is_done(const motion* o)
{
  arb_t rest;
  arb_init(rest);
  arb_sub(rest, o->until, o->t, o->work_bits);
  const bool done = !arb_is_positive(rest);
  arb_clear(rest);
  return done;
}

// ---- a motion -----------------------------------------------------------------------------------

static void number(const motion* o, expr e, arb_t out)
{
  certify_graph g;
  certify_graph_open(&g, o->c->s->pool, 0, NULL, o->c->s->model->params, o->c->known, o->c->value);
  const int at = certify_graph_add(&g, e);
  certify_series s;
  certify_series_open(&s, &g, 0);
  s.bits = o->bits;
  certify_series_extend(&s, 0, NULL);
  arb_set(out, s.c[at]);
  certify_series_close(&s);
  certify_graph_close(&g);
}

static void times(motion* o)
{
  const model* m = o->c->s->model;
  if (m->has_run) number(o, m->run_from, o->t);
  if (m->has_run) number(o, m->run_to, o->until);
  if (isfinite(o->r->until)) arb_set_d(o->until, o->r->until);
  if (!m->has_run && !isfinite(o->r->until)) o->why = "the model does not say until when";
}

static double near(const arb_t x)
{
  return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

static void ask(motion* o, double from)
{
  const certify_request* r = o->r;
  if (!r->progress || o->why) return;
  const certify_progress p = {near(o->t), from, near(o->until), near(o->h), o->steps};
  o->interrupted = !r->progress(r->context, &p);
  if (o->interrupted) o->why = "interrupted";
}

static void go(motion* o)
{
  const bool proves = o->r->proves;
  o->work_bits = o->bits;
  o->order = (int)((double)o->bits / bits_per_order) + 2;
  certify_motion_open(&o->series, o->c, o->order);
  certify_tube_open(&o->tube, o->c);
  times(o);
  if (!o->why) o->why = certify_start_find(o->c, o->t, o->r->q, o->r->v, proves, o->bits, o->y);
  const double from = near(o->t);
  while (!o->why && !is_done(o)) {
    if (++o->steps > most_steps)
      o->why = "too many steps";
    else if (proves)
      proved_step(o);
    else
      plain_step(o);
    arb_add(o->t, o->t, o->h, o->bits);
    ask(o, from);
  }
  // a proof has seen them all along the way
  if (!o->why && !proves && o->steps > 0) {
    o->why = certify_step_expand(&o->series, o->t, o->y, 0, o->work_bits);
    if (!o->why) turns_a_corner(o);
  }
  certify_tube_close(&o->tube);
  certify_motion_close(&o->series);
}

static void open_motion(motion* o, certify_system* c, const certify_request* r, slong bits)
{
  *o = (motion){.c = c, .r = r, .bits = bits, .work_bits = bits};
  arb_init(o->t);
  arb_init(o->until);
  arb_init(o->h);
  o->y = _arb_vec_init(2 * c->n);
  o->off = _mag_vec_init(2 * c->n);
}

static void close_motion(motion* o)
{
  arb_clear(o->t);
  arb_clear(o->until);
  arb_clear(o->h);
  _arb_vec_clear(o->y, 2 * o->c->n);
  _mag_vec_clear(o->off, 2 * o->c->n);
}

// ---- the answer ---------------------------------------------------------------------------------

// Are the balls small enough? Proved ones are what they are; without a proof each number of the
// state is as wide as it is away from that of a motion with fewer bits.
static bool is_sharp(const motion* o)
{
  arb_t size;
  arb_init(size);
  bool sharp = !o->why;
  for (int i = 0; i < 2 * o->c->n && sharp; i++) {
    // of a number below one the last of the digits asked for, of others so many digits
    arb_get_mag(arb_radref(size), o->y + i);
    const double beside = fmax(0, mag_get_d_log2_approx(arb_radref(size)));
    const double wide = mag_get_d_log2_approx(arb_radref(o->y + i));
    sharp = !(wide > beside - o->r->digits * bits_per_digit);
  }
  arb_clear(size);
  return sharp;
}

static void compare(motion* o, arb_srcptr before)
{
  arb_t off;
  arb_init(off);
  for (int i = 0; i < 2 * o->c->n; i++) {
    arb_sub(off, o->y + i, before + i, o->work_bits);
    arb_add_error(o->y + i, off);
  }
  arb_clear(off);
}

static char* decimals(const arb_t x, int digits)
{
  char* text = arb_get_str(x, digits, ARB_STR_MORE | ARB_STR_NO_RADIUS);
  char* kept = base_strdup(text);
  flint_free(text);
  return kept;
}

// of the ball and of its decimals
static double error_of(const arb_t x, int digits)
{
  const double half = 0.5 * fabs(arf_get_d(arb_midref(x), ARF_RND_UP)) * pow(10, 1 - digits);
  return mag_get_d(arb_radref(x)) + half * (1 + 1e-9);
}

static certify_end* answer(const motion* o)
{
  const int n = o->c->n;
  certify_end* e = base_alloc(sizeof *e);
  *e = (certify_end){.n = n, .steps = o->steps, .order = o->order, .bits = (int)o->bits};
  e->q = base_alloc(sizeof(char*) * (size_t)(n + 1));
  e->v = base_alloc(sizeof(char*) * (size_t)(n + 1));
  e->q_error = base_alloc(sizeof(double) * (size_t)(n + 1));
  e->v_error = base_alloc(sizeof(double) * (size_t)(n + 1));
  for (int i = 0; i < n; i++) {
    e->q[i] = decimals(o->y + i, o->r->digits);
    e->v[i] = decimals(o->y + n + i, o->r->digits);
    e->q_error[i] = error_of(o->y + i, o->r->digits);
    e->v_error[i] = error_of(o->y + n + i, o->r->digits);
    e->width = fmax(e->width, mag_get_d(arb_radref(o->y + i)));
    e->width = fmax(e->width, mag_get_d(arb_radref(o->y + n + i)));
  }
  e->until = arf_get_d(arb_midref(o->until), ARF_RND_NEAR);
  e->drift = certify_start_drift(o->c, o->until, o->y, o->work_bits);
  return e;
}

certify_end* certify_run(certify_system* c, const certify_request* r, base_notes* notes)
{
  const int most = r->bits ? r->bits : usual_most_bits;
  slong bits = (slong)(r->digits * bits_per_digit) + (r->proves ? proof_spare_bits : spare_bits);
  certify_end* end = NULL;
  const char* why = NULL;
  arb_ptr before = _arb_vec_init(2 * c->n);
  bool again = true;
  for (int k = 0; again; k++) {
    motion o;
    open_motion(&o, c, r, bits);
    go(&o);
    why = o.why;
    if (!why && !r->proves && k > 0) compare(&o, before);
    _arb_vec_set(before, o.y, 2 * c->n);
    for (int i = 0; i < 2 * c->n; i++) mag_zero(arb_radref(before + i));
    if ((r->proves || k > 0) && is_sharp(&o)) end = answer(&o);
    // a motion without a proof that fails does so with any number of bits
    bits = r->proves ? 2 * bits : bits + spare_bits + bits / 2;
    again = !end && bits <= most && !o.interrupted && (r->proves || !why);
    close_motion(&o);
  }
  _arb_vec_clear(before, 2 * c->n);
  flint_cleanup();
  if (!end)
    base_error(notes, BASE_NOWHERE, "in long arithmetic: %s",
               why ? why : "so many digits were not reached");
  return end;
}

void certify_end_free(certify_end* e)
{
  if (!e) return;
  for (int i = 0; i < e->n; i++) {
    free(e->q[i]);
    free(e->v[i]);
  }
  free(e->q);
  free(e->v);
  free(e->q_error);
  free(e->v_error);
  free(e);
}
