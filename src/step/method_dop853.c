// Explicit Runge-Kutta method of Dormand and Prince, order 8(5,3), with dense output of order 7.
// Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I (1993), II.4 to II.6.
//
// Step h from (t, y):  k_s = f(t + c_s h, y + h sum_j a_sj k_j),  y_new = y + h sum_s b_s k_s,
// k_12 = f(t + h, y_new) is k_0 of the next step. t and y are summed with compensation, so long
// runs lose no digits to the number of steps.
#include "step/dop853_table.h"
#include "step/stepper.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { stages = 16 };

typedef struct dop853
{
  step_stepper base;
  double rel_tol;
  double direction;        // +1 or -1
  double h;                // the next step to try, without sign
  double h_done;           // the last step, with sign
  double error_old;        // error of the step before, for the PI controller
  double t_carry;          // t + t_carry is the time
  double t_carry_old;      // the same before the step
  double *carry, *carried; // y + carry is the state; the same for the step being tried
  double* k[stages];
  double *y_old, *y_new, *work;
  double *r1, *r2, *r3, *r4, *r5, *r6, *r7; // dense output
  double* shift;                            // what amend added at the end of the step
  bool stepped;                             // a step was made since the start
  bool amended;                             // k_12 is not f at y any more
  bool dense_ready, dense_failed;
  bool wary;         // a state was refused since the start
  bool inside_known; // the stages of the dense output are made
  bool last_rejected;
} dop853;

static step_stepper* create(const step_method* method, const step_ode* ode)
{
  assert(ode->n >= 0 && ode->rhs);
  size_t n = (size_t)ode->n, vectors = stages + 14;
  dop853* s = base_alloc(sizeof *s + (vectors * n + 1) * sizeof(double));
  double* p = (double*)(s + 1);
  double** place[] = {&s->base.y, &s->carry, &s->carried, &s->y_old, &s->y_new,
                      &s->work,   &s->r1,    &s->r2,      &s->r3,    &s->r4,
                      &s->r5,     &s->r6,    &s->r7,      &s->shift};
  for (size_t i = 0; i < sizeof place / sizeof *place; i++, p += n) *place[i] = p;
  for (int i = 0; i < stages; i++, p += n) s->k[i] = p;
  s->base.method = method;
  s->base.ode = *ode;
  s->base.slack = 1;
  s->base.counts.order = 8;
  // a step is held to a tenth of the tolerance, so that the error of a run is near the tolerance;
  // below a few roundings of the state there is nothing to control
  s->rel_tol = fmax(0.1 * ode->rel_tol, 4 * DBL_EPSILON);
  return &s->base;
}

static void destroy(step_stepper* s)
{
  free(s);
}

static double scale(const dop853* s, int i, double y)
{
  double absolute = s->base.ode.abs_tol ? 0.1 * s->base.ode.abs_tol[i] : 0;
  return step_larger(DBL_MIN / DBL_EPSILON, s->base.slack * (absolute + s->rel_tol * fabs(y)));
}

static bool quiet(const dop853* s, int i)
{
  return s->base.ode.quiet && s->base.ode.quiet[i];
}

// dy = f(t, y); 0, or the code of the right-hand side, or step_not_finite
static int evaluate(dop853* s, double t, const double* y, double* dy)
{
  s->base.counts.evaluations++;
  int code = s->base.ode.rhs(s->base.ode.context, t, y, dy);
  if (code != 0) return code;
  return step_all_finite((size_t)s->base.ode.n, dy) ? 0 : step_not_finite;
}

// largest |x_i| / scale_i over the components that steer
static double size(const dop853* s, const double* y, const double* x)
{
  double most = 0;
  for (int i = 0; i < s->base.ode.n; i++)
    if (!quiet(s, i)) most = fmax(most, fabs(x[i]) / scale(s, i, y[i]));
  return most;
}

// first step from the sizes of y, y' and y''; Hairer, Norsett and Wanner II.4
static double first_step(dop853* s, double span)
{
  int n = s->base.ode.n;
  const double *y = s->base.y, *k = s->k[0];
  double d0 = size(s, y, y), d1 = size(s, y, k);
  double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
  // a state near zero says nothing of the scale of time: begin well above rounding, errors are
  // caught
  double least = 1e4 * DBL_EPSILON * fmax(fabs(s->base.t), fmin(span, 1));
  h0 = fmin(fmax(h0, least), span);
  double sign = s->direction;
  for (int i = 0; i < n; i++) s->work[i] = y[i] + sign * h0 * k[i];
  step_ode_tell(&s->base.ode, s->base.t, sign * h0, s->t_carry);
  if (evaluate(s, s->base.t + sign * h0, s->work, s->k[1]) != 0) return h0 / 16;
  for (int i = 0; i < n; i++) s->work[i] = (s->k[1][i] - k[i]) / h0;
  double d2 = size(s, y, s->work), most = fmax(d1, d2);
  double h1 = most <= 1e-15 ? fmax(1e-6, h0 * 1e-3) : pow(0.01 / most, 1.0 / 8);
  return fmin(fmax(fmin(100 * h0, h1), least), span);
}

static step_status start(step_stepper* base, double t, const double* y, double t_end)
{
  dop853* s = (dop853*)base;
  size_t bytes = (size_t)base->ode.n * sizeof(double);
  const step_status status = step_stepper_begin(base, t, y);
  memset(s->carry, 0, bytes);
  s->t_carry = 0;
  s->direction = t_end < t ? -1 : 1;
  s->error_old = 1e-4;
  s->stepped = s->amended = s->dense_ready = s->last_rejected = false;
  s->wary = s->inside_known = false;
  s->h_done = 0;
  s->h = 0;
  if (status != STEP_OK) return status;
  step_ode_tell(&base->ode, t, 0, 0);
  int code = evaluate(s, t, base->y, s->k[0]);
  if (code != 0) return step_stepper_refuse(&s->base, code, t);
  double span = fabs(t_end - t);
  if (span > 0) s->h = first_step(s, span);
  return STEP_OK;
}

// stage s: evaluate f at y + h SUM, where SUM is written in k[j][i]
#define STAGE(NUMBER, C, SUM)                            \
  do {                                                   \
    for (int i = 0; i < n; i++) w[i] = y[i] + h * (SUM); \
    step_ode_tell(&s->base.ode, t, (C)*h, carry);        \
    int code_ = evaluate(s, t + (C)*h, w, k[NUMBER]);    \
    if (code_ != 0) return code_;                        \
  } while (0)
#define K(NUMBER) k[NUMBER][i]

// stages 1 to 11; 0 or the code of the evaluation that failed
static int run_stages(dop853* s, double t, double h)
{
  int n = s->base.ode.n;
  const double *y = s->base.y, carry = s->t_carry;
  double *w = s->work, *const *k = s->k;
  STAGE(1, c1, a1_0 * K(0));
  STAGE(2, c2, a2_0 * K(0) + a2_1 * K(1));
  STAGE(3, c3, a3_0 * K(0) + a3_2 * K(2));
  STAGE(4, c4, a4_0 * K(0) + a4_2 * K(2) + a4_3 * K(3));
  STAGE(5, c5, a5_0 * K(0) + a5_3 * K(3) + a5_4 * K(4));
  STAGE(6, c6, a6_0 * K(0) + a6_3 * K(3) + a6_4 * K(4) + a6_5 * K(5));
  STAGE(7, c7, a7_0 * K(0) + a7_3 * K(3) + a7_4 * K(4) + a7_5 * K(5) + a7_6 * K(6));
  STAGE(8, c8, a8_0 * K(0) + a8_3 * K(3) + a8_4 * K(4) + a8_5 * K(5) + a8_6 * K(6) + a8_7 * K(7));
  STAGE(9, c9,
        a9_0 * K(0) + a9_3 * K(3) + a9_4 * K(4) + a9_5 * K(5) + a9_6 * K(6) + a9_7 * K(7) +
            a9_8 * K(8));
  STAGE(10, c10,
        a10_0 * K(0) + a10_3 * K(3) + a10_4 * K(4) + a10_5 * K(5) + a10_6 * K(6) + a10_7 * K(7) +
            a10_8 * K(8) + a10_9 * K(9));
  STAGE(11, 1,
        a11_0 * K(0) + a11_3 * K(3) + a11_4 * K(4) + a11_5 * K(5) + a11_6 * K(6) + a11_7 * K(7) +
            a11_8 * K(8) + a11_9 * K(9) + a11_10 * K(10));
  return 0;
}

// y_new = y + h sum b k, with the rounding of the sum kept in `carried`
static void advance(dop853* s, double h)
{
  int n = s->base.ode.n;
  const double* y = s->base.y;
  double* const* k = s->k;
  for (int i = 0; i < n; i++) {
    // the weights sum to one: on differences their rounding cannot pile up to a drift
    double k0 = K(0);
    double slope =
        k0 + (b_5 * (K(5) - k0) + b_6 * (K(6) - k0) + b_7 * (K(7) - k0) + b_8 * (K(8) - k0) +
              b_9 * (K(9) - k0) + b_10 * (K(10) - k0) + b_11 * (K(11) - k0));
    double add = h * slope + s->carry[i];
    double sum = y[i] + add, part = sum - y[i];
    s->y_new[i] = sum;
    s->carried[i] = (y[i] - (sum - part)) + (add - part);
  }
}

// error of the step in units of the tolerance, from the embedded solutions of order 5 and 3:
// h e5^2 / sqrt(e5^2 + e3^2 / 100), which falls like h^8
static double error_of(const dop853* s, double h)
{
  int n = s->base.ode.n;
  double most5 = 0, most3 = 0;
  double* const* k = s->k;
  for (int i = 0; i < n; i++) {
    if (quiet(s, i)) continue;
    double e5 = e_0 * K(0) + e_5 * K(5) + e_6 * K(6) + e_7 * K(7) + e_8 * K(8) + e_9 * K(9) +
                e_10 * K(10) + e_11 * K(11);
    double e3 = (b_0 - w_0) * K(0) + b_5 * K(5) + b_6 * K(6) + b_7 * K(7) + (b_8 - w_8) * K(8) +
                b_9 * K(9) + b_10 * K(10) + (b_11 - w_11) * K(11);
    if (!isfinite(e5 + e3)) return INFINITY;
    double unit = scale(s, i, step_larger(fabs(s->base.y[i]), fabs(s->y_new[i])));
    // the sums above carry the rounding of the slopes: below it no step is better
    double noise = 8 * DBL_EPSILON * step_larger(fabs(K(0)), fabs(K(11)));
    if (s->base.ode.slope_noise) noise = step_larger(noise, s->base.ode.slope_noise[i]);
    unit = step_larger(unit, fabs(h) * noise);
    most5 = step_larger(most5, fabs(e5) / unit);
    most3 = step_larger(most3, fabs(e3) / unit);
  }
  if (most5 == 0) return 0;
  return fabs(h) * most5 / sqrt(1 + 0.01 * (most3 / most5) * (most3 / most5));
}

// PI controller: the factor by which the step may change after an error e
static double factor(dop853* s, double e)
{
  const double beta = 0.04, exponent = 1.0 / 8 - 0.2 * beta;
  double f = 0.9 * pow(fmax(e, 1e-14), -exponent) * pow(s->error_old, beta);
  s->error_old = fmax(e, 1e-4);
  return fmin(fmax(f, 1.0 / 3), 6);
}

// the trial becomes the step
static void accept(dop853* s, double h, double t_new, double t_carry)
{
  step_swap(&s->y_old, &s->base.y);
  step_swap(&s->base.y, &s->y_new);
  step_swap(&s->carry, &s->carried);
  s->base.t = t_new;
  s->t_carry_old = s->t_carry;
  s->t_carry = t_carry;
  s->h_done = h;
  s->stepped = true;
  s->dense_ready = false;
  step_stepper_count(&s->base, fabs(h));
}

// k_0 for the step to come: the last stage, or afresh where the state was amended
static int first_stage(dop853* s)
{
  if (s->amended) {
    step_ode_tell(&s->base.ode, s->base.t, 0, s->t_carry);
    int code = evaluate(s, s->base.t, s->base.y, s->k[0]);
    s->amended = code != 0;
    return code;
  }
  if (s->stepped) step_swap(&s->k[0], &s->k[12]);
  return 0;
}

// a step about to be tried
typedef struct trial
{
  double wish, length; // what the controller wants, what the limit leaves of it
  double h;            // length with its sign
  double t_new, t_carry;
} trial;

// lay the next trial out; false if no step of that length can be told from none
static bool plan(const dop853* s, double t_limit, trial* r)
{
  const double t = s->base.t;
  const step_trial next = step_trial_of(t, t_limit, s->h);
  const bool last = next.last;
  r->wish = s->h;
  r->length = next.length;
  if (next.spent || !(r->length >= DBL_MIN)) return false;
  r->h = s->direction * r->length;
  // the state is that of t + t_carry
  if (last && fabs(s->t_carry) < 0.5 * r->length) r->h = t_limit - t - s->t_carry;
  double add = r->h + s->t_carry;
  r->t_new = last ? t_limit : t + add;
  r->t_carry = last ? 0 : add - (r->t_new - t);
  return true;
}

// stages 13 to 15 of a step of length h from y at t + carry
static int run_dense_stages(dop853* s, const double* y, double t, double carry, double h)
{
  int n = s->base.ode.n;
  double *w = s->work, *const *k = s->k;
  STAGE(13, c13,
        a13_0 * K(0) + a13_6 * K(6) + a13_7 * K(7) + a13_8 * K(8) + a13_9 * K(9) + a13_10 * K(10) +
            a13_11 * K(11) + a13_12 * K(12));
  STAGE(14, c14,
        a14_0 * K(0) + a14_5 * K(5) + a14_6 * K(6) + a14_7 * K(7) + a14_10 * K(10) +
            a14_11 * K(11) + a14_12 * K(12) + a14_13 * K(13));
  STAGE(15, c15,
        a15_0 * K(0) + a15_5 * K(5) + a15_6 * K(6) + a15_7 * K(7) + a15_8 * K(8) + a15_12 * K(12) +
            a15_13 * K(13) + a15_14 * K(14));
  return 0;
}

// all stages of a trial; 0 or the code of the evaluation that failed
static int attempt(dop853* s, const trial* r)
{
  int code = run_stages(s, s->base.t, r->h);
  if (code != 0) return code;
  advance(s, r->h);
  if (!step_all_finite((size_t)s->base.ode.n, s->y_new)) return step_not_finite;
  step_ode_tell(&s->base.ode, r->t_new, 0, r->t_carry);
  code = evaluate(s, r->t_new, s->y_new, s->k[12]);
  // where states were refused before, one that can be looked into is wanted
  s->inside_known = code == 0 && s->wary;
  if (!s->inside_known) return code;
  return run_dense_stages(s, s->base.y, s->base.t, s->t_carry, r->h);
}

static void reject(dop853* s, double length)
{
  s->base.counts.rejected++;
  s->h = length;
  s->last_rejected = true;
}

// the length to try after an accepted trial of error e
static double next_length(dop853* s, const trial* r, double e)
{
  double next = r->length * factor(s, e);
  if (s->last_rejected) next = fmin(next, r->length);
  s->last_rejected = false;
  // a step cut short by the limit says little against the length wished for
  return r->length < r->wish ? fmax(next, r->wish) : next;
}

static step_status step(step_stepper* base, double t_limit)
{
  dop853* s = (dop853*)base;
  double t = base->t;
  if (t_limit == t) return STEP_OK;
  s->direction = t_limit < t ? -1 : 1;
  int code = first_stage(s);
  s->stepped = false;
  if (code != 0) return step_stepper_refuse(&s->base, code, t);
  base->t_old = t;
  if (s->h == 0) s->h = first_step(s, fabs(t_limit - t));
  for (trial r; plan(s, t_limit, &r);) {
    code = attempt(s, &r);
    if (code < 0) return step_stepper_refuse(&s->base, code, t);
    if (code > 0) {
      s->wary = true;
      reject(s, r.length / 2);
      continue;
    }
    double e = error_of(s, r.h);
    if (step_stepper_takes(base, r.length, e)) {
      // what noise says of the length is nothing
      s->h = e <= 1 ? next_length(s, &r, e) : base->least_step;
      accept(s, r.h, r.t_new, r.t_carry);
      return STEP_OK;
    }
    // two lengths tell noise: the second is not to be much shorter
    const double least = r.length <= base->least_step ? 0.5 : 1.0 / 6;
    reject(s, r.length * fmax(0.9 * pow(e, -1.0 / 8), least));
  }
  // no length is left: was it the right-hand side or the error?
  if (code != 0) return step_stepper_refuse(&s->base, code, t);
  return step_stepper_fail(&s->base, STEP_STEP_TOO_SMALL, "the step size became too small", t);
}

// the polynomial of the last step in Hairer's nested form
static void prepare_dense(dop853* s)
{
  int n = s->base.ode.n;
  double h = s->h_done, *const *k = s->k;
  double* high[4] = {s->r4, s->r5, s->r6, s->r7};
  s->dense_ready = true;
  s->dense_failed = !s->inside_known &&
                    run_dense_stages(s, s->y_old, s->base.t_old, s->t_carry_old, s->h_done) != 0;
  if (s->dense_failed) {
    step_stepper_fail(&s->base, STEP_RHS_FAILED,
                      "the right-hand side cannot be evaluated inside the step", s->base.t);
    return;
  }
  for (int i = 0; i < n; i++) {
    double rise = s->base.y[i] - (s->amended ? s->shift[i] : 0) - s->y_old[i];
    s->r1[i] = rise;
    s->r2[i] = h * K(0) - rise;
    s->r3[i] = rise - h * K(12) - s->r2[i];
    for (int p = 0; p < 4; p++) {
      double sum = d[p][0] * K(0);
      for (int j = 1; j < 12; j++) sum += d[p][j] * K(j + 4);
      high[p][i] = h * sum;
    }
  }
}

static void dense(step_stepper* base, double t, double* y)
{
  dop853* s = (dop853*)base;
  int n = base->ode.n;
  if (!s->stepped || t == base->t) {
    memcpy(y, base->y, (size_t)n * sizeof *y);
    return;
  }
  if (!s->dense_ready) prepare_dense(s);
  if (s->dense_failed) {
    for (int i = 0; i < n; i++) y[i] = NAN;
    return;
  }
  double x = (t - base->t_old) / s->h_done, z = 1 - x;
  for (int i = 0; i < n; i++) {
    double p = s->r4[i] + x * (s->r5[i] + z * (s->r6[i] + x * s->r7[i]));
    p = s->r1[i] + z * (s->r2[i] + x * (s->r3[i] + z * p));
    y[i] = s->y_old[i] + x * p;
  }
  // an amended end bends the curve in proportion
  if (s->amended)
    for (int i = 0; i < n; i++) y[i] += x * s->shift[i];
}

static step_status amend(step_stepper* base, const double* y)
{
  dop853* s = (dop853*)base;
  return step_stepper_amend(base, y, 0, &s->amended, s->shift, s->carry);
}

const step_method step_method_dop853 = {
    .name = "dop853",
    .summary = "explicit Runge-Kutta of order 8 with dense output, for smooth motion",
    .heeds_noise = true,
    .create = create,
    .destroy = destroy,
    .start = start,
    .step = step,
    .dense = dense,
    .amend = amend,
};
