// Taylor's method: the power series of the solution, of an order that suits the tolerance.
//
// From the coefficients c_k of the solution about t, y(t + h) = sum_k c_k h^k. The order p and the
// step h follow Jorba and Zou, Experimental Mathematics 14 (2005), 99: for a tolerance eps per step
//   p = 1 - 3/4 ln(eps),   h: the last two terms just below eps,
// near the cheapest pair for a series whose terms fall like (h / rho)^k where the cost of an order
// hardly grows with the order; where it does, theirs has 1/2. What is left out is then seen in the
// defect d = y'(h) - f(y(h)) of the polynomial, whose size is that of the first term left
// out: |d| h / (p + 1). A step whose defect is too large is shortened; this costs no new
// coefficients. t and y are summed with compensation; the polynomial itself is the dense output.
#include "step/stepper.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { least_order = 8, least_short = 4, most_shortenings = 60 };

// a tolerance that means: as exact as the numbers are
static const double all_digits = 2e-15;

// the error of a step that is aimed at, in units of the tolerance
static const double target = 0.1;

typedef struct taylor
{
  step_stepper base;
  int most, p;                    // order for long steps, and of the present step
  double log_radius;              // of the terms of the last series; nan if not known
  double* unit;                   // of the error of each component at the start of the step
  double share, rel_tol;          // of the tolerance that a step may err; the tolerance of a step
  double log_rel_tol, log_target; // of that tolerance, and of what of it is aimed at
  double direction;
  double boost;            // what the defects seen so far leave of the length by the rule
  double h_done;           // the last step, with sign
  double t_carry;          // t + t_carry is the time
  double *carry, *carried; // y + carry is the state; the same for the step being tried
  double* c;               // p + 1 rows of n
  double *y_old, *y_new, *slope, *f;
  double *defect, *noise; // of the slopes at the end of a step; what rounding makes of it
  double* shift;          // what amend added at the end of the step
  bool stepped, amended;
  bool heard, noisy; // noise was found in this step, or in one since the start
  int code;          // why the last evaluation was refused, 0 if it was not
} taylor;

static int order_for(double eps)
{
  const int p = (int)ceil(1 - 0.75 * log(eps));
  return p < least_order ? least_order : p > num_series_most ? num_series_most : p;
}

// A step is held to a tenth of the tolerance, as in dop853. Where all digits are asked for it is
// held to far less than a rounding: what a series leaves out has the same sign in every step and
// adds up with the time, roundings add up with its square root.
static double share_of(double tolerance)
{
  return tolerance <= all_digits ? 1e-4 : 0.1;
}

static double per_step(double tolerance)
{
  return fmax(share_of(tolerance) * tolerance, DBL_MIN);
}

int step_method_taylor_order(double tolerance)
{
  return order_for(per_step(tolerance));
}

static step_stepper* create(const step_method* method, const step_ode* ode)
{
  assert(ode->n >= 0 && ode->rhs && ode->series);
  const double rel_tol = per_step(ode->rel_tol);
  const int p = order_for(rel_tol);
  const size_t n = (size_t)ode->n, vectors = 11 + (size_t)p + 1;
  taylor* s = base_alloc(sizeof *s + (vectors * n + 1) * sizeof(double));
  double* at = (double*)(s + 1);
  double** place[] = {&s->base.y, &s->carry, &s->carried, &s->y_old,  &s->y_new, &s->slope,
                      &s->f,      &s->shift, &s->unit,    &s->defect, &s->noise};
  for (size_t i = 0; i < sizeof place / sizeof *place; i++, at += n) *place[i] = at;
  s->c = at;
  s->base.method = method;
  s->base.ode = *ode;
  s->base.slack = 1;
  s->base.counts.order = p;
  s->most = s->p = p;
  s->log_radius = NAN;
  s->rel_tol = rel_tol;
  s->log_rel_tol = log(rel_tol);
  s->log_target = log(target * rel_tol);
  s->share = share_of(ode->rel_tol);
  s->boost = 1;
  return &s->base;
}

static void destroy(step_stepper* s)
{
  free(s);
}

static double scale(const taylor* s, int i, double y)
{
  const double absolute = s->base.ode.abs_tol ? s->share * s->base.ode.abs_tol[i] : 0;
  return step_larger(DBL_MIN / DBL_EPSILON, s->base.slack * (absolute + s->rel_tol * fabs(y)));
}

static bool quiet(const taylor* s, int i)
{
  return s->base.ode.quiet && s->base.ode.quiet[i];
}

// f(t, y) into s->f; the code of a refusal, or 0
static int evaluate(taylor* s, double t, const double* y)
{
  step_stepper* b = &s->base;
  b->counts.evaluations++;
  s->code = b->ode.rhs(b->ode.context, t, y, s->f);
  if (!s->code && !step_all_finite((size_t)b->ode.n, s->f)) s->code = step_not_finite;
  return s->code;
}

static step_status start(step_stepper* base, double t, const double* y, double t_end)
{
  taylor* s = (taylor*)base;
  const size_t bytes = (size_t)base->ode.n * sizeof(double);
  const step_status status = step_stepper_begin(base, t, y);
  memset(s->carry, 0, bytes);
  s->t_carry = 0;
  s->direction = t_end < t ? -1 : 1;
  s->stepped = s->amended = s->noisy = false;
  memset(s->noise, 0, bytes);
  s->h_done = 0;
  if (status != STEP_OK) return status;
  step_ode_tell(&base->ode, t, 0, 0);
  return evaluate(s, t, base->y) ? step_stepper_refuse(&s->base, s->code, t) : STEP_OK;
}

static step_status expand(taylor* s, int order)
{
  step_stepper* b = &s->base;
  s->p = order;
  for (int i = 0; i < b->ode.n; i++) s->unit[i] = quiet(s, i) ? INFINITY : scale(s, i, b->y[i]);
  b->counts.evaluations++;
  step_ode_tell(&b->ode, b->t, 0, s->t_carry);
  if (b->ode.series(b->ode.context, b->t, b->y, s->p, s->c))
    return step_stepper_fail(&s->base, STEP_RHS_FAILED, "the motion has no power series", b->t);
  if (!step_all_finite((size_t)b->ode.n * (size_t)(s->p + 1), s->c))
    return step_stepper_fail(&s->base, STEP_NOT_FINITE, "the motion has no power series", b->t);
  return STEP_OK;
}

// A step that may not be longer than `left` needs fewer terms: (left / radius)^p below the
// tolerance.
static int order_within(const taylor* s, double left)
{
  const double ratio = log(left) - s->log_radius;
  if (!(ratio < -0.1)) return s->most;
  const double p = 2 + s->log_target / ratio;
  return p < least_short ? least_short : p < s->most ? (int)p : s->most;
}

static double smaller(double a, double b)
{
  return b < a ? b : a;
}

// the step at which the last two terms reach the tolerance
static double length_of(taylor* s)
{
  const int n = s->base.ode.n;
  double h = INFINITY;
  s->log_radius = INFINITY;
  for (int k = s->p - 1; k <= s->p; k++) {
    const double* c = s->c + (size_t)k * (size_t)n;
    double most = 0, any = 0;
    for (int i = 0; i < n; i++) {
      const double size = fabs(c[i]) / s->unit[i];
      most = most > size ? most : size;
      if (quiet(s, i)) any = step_larger(fabs(c[i]) / scale(s, i, s->base.y[i]), any);
    }
    // those that do not steer the length count for the number of terms
    const double log_most = most > 0 ? log(most) : -INFINITY,
                 log_any = any > most ? log(any) : log_most;
    if (most > 0) h = smaller(h, -log_most / k);
    if (log_any > -INFINITY)
      s->log_radius = smaller(s->log_radius, -(log_any + s->log_rel_tol) / k);
  }
  return exp(h);
}

// Have the components that do not steer the step as many terms as it needs? Of a motion that is a
// polynomial few are left, and its work may need more.
static bool has_quiet_terms(const taylor* s, double left)
{
  const int n = s->base.ode.n;
  for (int i = 0; i < n; i++) {
    if (!quiet(s, i)) continue;
    const double unit = scale(s, i, s->base.y[i]);
    for (int k = s->p - 1; k <= s->p; k++)
      if (fabs(s->c[(size_t)k * (size_t)n + (size_t)i]) * pow(left, k) > unit) return false;
  }
  return true;
}

// The series, of as many terms as a step of this length needs, and the step that it allows. Where
// some terms do not suffice they show a radius, too, and that asks for more; then all are taken.
static step_status expand_within(taylor* s, double left, double* wish)
{
  int order = order_within(s, left);
  for (bool again = false;; again = true) {
    const step_status status = expand(s, order);
    if (status != STEP_OK) return status;
    *wish = step_rounded(s->boost * length_of(s));
    const bool enough = *wish >= left;
    if (order >= s->most || (enough && has_quiet_terms(s, left))) return STEP_OK;
    const int more = again ? s->most : order_within(s, left) + 1;
    order = !enough && more > order && more < s->most ? more : s->most;
  }
}

// two numbers side by side, as every processor has them
typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));

static inline pair pair_at(const double* x)
{
  return *(const pair*)x;
}

// c_1 + h (c_2 + ...) and its slope, of 2 PAIRS components at once
#define HORNER(PAIRS)                                                                 \
  static inline void horner_##PAIRS(const taylor* s, double h, int i)                 \
  {                                                                                   \
    const size_t n = (size_t)s->base.ode.n;                                           \
    const double* c = s->c + (size_t)s->p * n + i;                                    \
    pair rise[PAIRS], slope[PAIRS];                                                   \
    for (int l = 0; l < PAIRS; l++) slope[l] = s->p * (rise[l] = pair_at(c + 2 * l)); \
    for (int k = s->p - 1; k > 0; k--) {                                              \
      c -= n;                                                                         \
      const double by = k;                                                            \
      _Pragma("GCC unroll 4") for (int l = 0; l < PAIRS; l++)                         \
      {                                                                               \
        const pair x = pair_at(c + 2 * l);                                            \
        rise[l] = rise[l] * h + x;                                                    \
        slope[l] = slope[l] * h + by * x;                                             \
      }                                                                               \
    }                                                                                 \
    for (int l = 0; l < PAIRS; l++) {                                                 \
      *(pair*)(s->y_new + i + 2 * l) = rise[l];                                       \
      *(pair*)(s->slope + i + 2 * l) = slope[l];                                      \
    }                                                                                 \
  }
HORNER(4)
HORNER(2)
HORNER(1)
#undef HORNER

// the same of one
static void horner_alone(const taylor* s, double h, int i)
{
  const size_t n = (size_t)s->base.ode.n;
  const double* c = s->c + (size_t)s->p * n + i;
  double rise = *c, slope = s->p * rise;
  for (int k = s->p - 1; k > 0; k--) {
    c -= n;
    rise = rise * h + *c;
    slope = slope * h + k * *c;
  }
  s->y_new[i] = rise;
  s->slope[i] = slope;
}

// y_new = y + h (c_1 + h (c_2 + ...)), with the rounding of the sum kept in `carried`; its slope
static void sum_series(taylor* s, double h)
{
  const int n = s->base.ode.n;
  int i = 0;
  for (; i + 8 <= n; i += 8) horner_4(s, h, i);
  for (; i + 4 <= n; i += 4) horner_2(s, h, i);
  for (; i + 2 <= n; i += 2) horner_1(s, h, i);
  for (; i < n; i++) horner_alone(s, h, i);
  for (i = 0; i < n; i++) {
    const double y = s->base.y[i], add = h * s->y_new[i] + s->carry[i];
    const double sum = y + add, part = sum - y;
    s->y_new[i] = sum;
    s->carried[i] = (y - (sum - part)) + (add - part);
  }
}

// A defect falls with the power p of the length. What is left of it in a step of `ratio` times the
// length of the one before is noise where it has not come half as far.
static void hear(taylor* s, double ratio)
{
  const double fall = pow(ratio, s->p / 2.0);
  double most = 0;
  for (int i = 0; i < s->base.ode.n; i++) most = step_larger(most, fabs(s->f[i]));
  for (int i = 0; i < s->base.ode.n; i++) {
    const double defect = fabs(s->slope[i] - s->f[i]);
    if (defect > fall * s->defect[i] && defect <= step_most_noise * most)
      s->noise[i] = step_larger(s->noise[i], 2 * defect), s->noisy = s->heard = true;
  }
}

// the first term left out, by the defect at the end of the step, in units of the tolerance;
// infinite where the end cannot be evaluated
static double error_of(taylor* s, double t, double t_carry, double h, double ratio)
{
  step_stepper* b = &s->base;
  s->code = 0;
  step_ode_tell(&b->ode, t, 0, t_carry);
  if (!step_all_finite((size_t)b->ode.n, s->y_new) || evaluate(s, t, s->y_new)) return INFINITY;
  double most = 0;
  const double share = fabs(h) / (s->p + 1), rounding = 4 * DBL_EPSILON * fabs(h);
  if (ratio > 0) hear(s, ratio);
  for (int i = 0; i < b->ode.n; i++) {
    s->defect[i] = fabs(s->slope[i] - s->f[i]);
    const double left_out = s->defect[i] > s->noise[i] ? share * s->defect[i] : 0;
    // slopes and state carry rounding: below it no step is better
    const double noise = step_larger(rounding * fabs(s->f[i]), DBL_EPSILON / 4 * fabs(s->y_new[i]));
    const double unit = step_larger(s->unit[i], noise);
    if (!(left_out / unit <= most)) most = left_out / unit;
  }
  return isnan(most) ? INFINITY : most;
}

static void accept(taylor* s, double h, double t_new, double t_carry)
{
  step_swap(&s->y_old, &s->base.y);
  step_swap(&s->base.y, &s->y_new);
  step_swap(&s->carry, &s->carried);
  s->base.t_old = s->base.t;
  s->base.t = t_new;
  s->t_carry = t_carry;
  s->h_done = h;
  s->stepped = true;
  s->amended = false;
  step_stepper_count(&s->base, fabs(h));
  // what rounding makes of the slopes is to be found again after some steps
  for (int i = 0; s->noisy && i < s->base.ode.n; i++) s->noise[i] /= 2;
}

// errors steer the share of the rule's length that is used
static void learn(taylor* s, double error)
{
  // most steps err by far less than they may, and the boost is as large as can be
  if (s->boost == 1 && error <= target) return;
  const double wish = pow(target / fmax(error, 1e-6), 1.0 / (s->p + 1));
  s->boost = fmin(fmax(s->boost * fmin(fmax(wish, 0.8), 1.05), 0.3), 1);
}

// A trial of this length: true where the step is made. *wish: what is tried next, where it is not,
// 0 where no length is left; *before: the length tried before, where its defect is known.
static bool attempt(taylor* s, double t_limit, double boost, double* wish, double* before)
{
  step_stepper* base = &s->base;
  const double t = base->t;
  const step_trial trial = step_trial_of(t, t_limit, *wish);
  const double length = trial.length;
  const bool last = trial.last;
  if (trial.spent) return *wish = 0, false;
  // the state is that of t + t_carry
  const bool carried = last && fabs(s->t_carry) < 0.5 * length;
  const double h = carried ? t_limit - t - s->t_carry : s->direction * length;
  const double add = h + s->t_carry, t_new = last ? t_limit : t + add;
  const double t_carry = last ? 0 : add - (t_new - t);
  sum_series(s, h);
  const double error = error_of(s, t_new, t_carry, h, length / *before);
  if (step_stepper_takes(base, length, error)) {
    if (s->heard)
      s->boost = boost;
    else if (length == *wish)
      learn(s, error);
    accept(s, h, t_new, t_carry);
    return true;
  }
  if (s->code < 0) return *wish = 0, false;
  base->counts.rejected++;
  if (length == *wish) learn(s, error);
  *before = isinf(error) ? INFINITY : length;
  const double shorter = isinf(error) ? 0.5 : fmax(pow(target / error, 1.0 / (s->p + 1)), 0.1);
  *wish = step_rounded(length * fmin(shorter, 0.9));
  return false;
}

static step_status step(step_stepper* base, double t_limit)
{
  taylor* s = (taylor*)base;
  const double t = base->t, left = fabs(t_limit - t);
  if (left == 0) return STEP_OK;
  s->direction = t_limit < t ? -1 : 1;
  double wish;
  const step_status status = expand_within(s, left, &wish);
  if (status != STEP_OK) return status;
  // a polynomial motion towards an end not known
  if (isinf(wish) && isinf(left)) wish = fmax(1, 10 * fabs(s->h_done));
  const double boost = s->boost;
  s->heard = false;
  double before = INFINITY;
  for (int turn = 0; turn < most_shortenings && (turn == 0 || wish > 0); turn++)
    if (attempt(s, t_limit, boost, &wish, &before)) return STEP_OK;
  // no length is left: was it the right-hand side or the error?
  if (s->code != 0) return step_stepper_refuse(&s->base, s->code, t);
  return step_stepper_fail(&s->base, STEP_STEP_TOO_SMALL, "the step size became too small", t);
}

static void dense(step_stepper* base, double t, double* y)
{
  taylor* s = (taylor*)base;
  const int n = base->ode.n;
  if (!s->stepped || t == base->t) {
    memcpy(y, base->y, (size_t)n * sizeof *y);
    return;
  }
  const double h = t - base->t_old;
  for (int i = 0; i < n; i++) {
    const double* c = s->c + (size_t)s->p * (size_t)n + i;
    double sum = *c;
    for (int k = s->p - 1; k > 0; k--) sum = sum * h + *(c -= n);
    y[i] = s->y_old[i] + sum * h;
  }
  // an amended end bends the curve in proportion
  if (s->amended)
    for (int i = 0; i < n; i++) y[i] += h / s->h_done * s->shift[i];
}

static step_status amend(step_stepper* base, const double* y)
{
  taylor* s = (taylor*)base;
  return step_stepper_amend(base, y, 1e4 * DBL_EPSILON, &s->amended, s->shift, s->carry);
}

const step_method step_method_taylor = {
    .name = "taylor",
    .summary = "power series of the motion, of the order that suits the tolerance",
    .series_form = true,
    .create = create,
    .destroy = destroy,
    .start = start,
    .step = step,
    .dense = dense,
    .amend = amend,
};
