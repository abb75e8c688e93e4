// Taylor's method with twice the digits, for tolerances that doubles cannot meet.
//
// Order, step and defect as in method_taylor.c. The terms of the series fall like e^(-2k) over a
// step, so only those of the first orders need all digits: from order `wide` on the rounding of a
// double, 2^-52 of the term, is below the tolerance. That this holds is seen on the terms
// themselves; where it does not, the expansion is made again with more of them wide. A time t is
// the decimal number that the double t is written as, and the end of a step that nobody asked for
// is that double itself.
#include "step/stepper.h"

#include <assert.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { least_order = 12, most_order = 60, most_shortenings = 60 };

// of the tolerance that a step may err: what series leave out adds up with the time
static const double share = 0.01;
// the error of a step that is aimed at, in units of that
static const double target = 0.1;
// rounding of a term computed in doubles, and of one with twice the digits
static const double rounding = 16 * DBL_EPSILON, least_rounding = 0x1p-100;

typedef struct taylor_wide
{
  step_stepper base;
  int p, wide;
  double rel_tol, direction, boost, h_done;
  bool stepped;
  base_wide time, time_old; // what base.t and base.t_old stand for
  base_wide *block, *y, *y_old, *y_new, *slope, *f, *c;
  double* unit;
} taylor_wide;

static double per_step(double tolerance)
{
  return share * tolerance;
}

int step_method_taylor_wide_order(double tolerance)
{
  const int p = (int)ceil(1 - log(per_step(tolerance)) / 2);
  return p < least_order ? least_order : p > most_order ? most_order : p;
}

static step_stepper* create(const step_method* method, const step_ode* ode)
{
  assert(ode->n >= 0 && ode->wide_series);
  const int p = step_method_taylor_wide_order(ode->rel_tol);
  const size_t n = (size_t)ode->n;
  taylor_wide* s = base_alloc(sizeof *s);
  base_wide* at = base_alloc(sizeof *at * (n * (size_t)(p + 3 + 6) + 1));
  s->block = at;
  base_wide** place[] = {&s->y, &s->y_old, &s->y_new, &s->slope, &s->f};
  for (size_t i = 0; i < sizeof place / sizeof *place; i++, at += n) *place[i] = at;
  s->c = at;
  s->base.y = base_alloc(sizeof(double) * (2 * n + 1));
  s->unit = s->base.y + n;
  s->base.method = method;
  s->base.ode = *ode;
  s->base.slack = 1;
  s->base.counts.order = p;
  s->p = p;
  s->rel_tol = per_step(ode->rel_tol);
  s->wide = (int)ceil(log(rounding / s->rel_tol) / 2);
  s->boost = 1;
  return &s->base;
}

static void destroy(step_stepper* base)
{
  taylor_wide* s = (taylor_wide*)base;
  free(s->block);
  free(base->y);
  free(s);
}

static step_status fail(taylor_wide* s, step_status status, const char* what)
{
  snprintf(s->base.reason, sizeof s->base.reason, "%s at t = %.17g", what, s->base.t);
  return status;
}

static bool all_finite(int n, const base_wide* x)
{
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i].hi) || !isfinite(x[i].lo)) return false;
  return true;
}

static void show_state(taylor_wide* s)
{
  for (int i = 0; i < s->base.ode.n; i++) s->base.y[i] = s->y[i].hi;
}

step_status step_method_taylor_wide_start(step_stepper* base, base_wide t, const base_wide* y,
                                          double t_end)
{
  taylor_wide* s = (taylor_wide*)base;
  base->t = base->t_old = t.hi;
  s->time = s->time_old = t;
  base->reason[0] = 0;
  memmove(s->y, y, sizeof *y * (size_t)base->ode.n);
  show_state(s);
  s->direction = t_end < t.hi ? -1 : 1;
  s->stepped = false;
  s->h_done = 0;
  return all_finite(base->ode.n, y) ? STEP_OK : fail(s, STEP_NOT_FINITE, "the state is not finite");
}

static step_status start(step_stepper* base, double t, const double* y, double t_end)
{
  taylor_wide* s = (taylor_wide*)base;
  for (int i = 0; i < base->ode.n; i++) s->y_new[i] = base_wide_of(y[i]);
  return step_method_taylor_wide_start(base, base_wide_decimal(t), s->y_new, t_end);
}

static bool quiet(const taylor_wide* s, int i)
{
  return s->base.ode.quiet && s->base.ode.quiet[i];
}

static step_status expand(taylor_wide* s)
{
  step_stepper* b = &s->base;
  for (int i = 0; i < b->ode.n; i++) {
    const double absolute = b->ode.abs_tol ? share * b->ode.abs_tol[i] : 0;
    const double unit = absolute + s->rel_tol * fabs(s->y[i].hi);
    s->unit[i] = quiet(s, i) ? INFINITY : fmax(unit, DBL_MIN / DBL_EPSILON);
  }
  b->counts.evaluations++;
  const int wide = s->wide < s->p ? s->wide : s->p;
  if (b->ode.wide_series(b->ode.context, s->time, s->y, s->p, wide, s->c))
    return fail(s, STEP_RHS_FAILED, "the motion has no power series");
  if (!all_finite(b->ode.n * (s->p + 1), s->c))
    return fail(s, STEP_NOT_FINITE, "the motion has no power series");
  return STEP_OK;
}

// largest coefficient of order k, in units of the tolerance
static double size_of(const taylor_wide* s, int k)
{
  const int n = s->base.ode.n;
  double most = 0;
  for (int i = 0; i < n; i++) {
    const double size = fabs(s->c[(size_t)k * (size_t)n + (size_t)i].hi) / s->unit[i];
    most = most > size ? most : size;
  }
  return most;
}

// the step at which the last two terms reach the tolerance
static double length_of(const taylor_wide* s)
{
  double h = INFINITY;
  for (int k = s->p - 1; k <= s->p; k++) {
    const double most = size_of(s, k);
    if (most > 0) h = fmin(h, -log(most) / k);
  }
  return exp(h);
}

// the least order from which on terms in doubles are exact enough for a step h
static int enough_for(const taylor_wide* s, double h)
{
  int k = s->p;
  while (k > 0 && size_of(s, k) * pow(h, k) * rounding <= 1) k--;
  return k;
}

// y_new = y + h (c_1 + h (c_2 + ...)) and its slope; the orders in doubles first
static void sum_series(taylor_wide* s, base_wide h)
{
  const int n = s->base.ode.n;
  for (int i = 0; i < n; i++) {
    const base_wide* c = s->c + i;
    double high = 0, high_slope = 0;
    for (int k = s->p; k > s->wide; k--) {
      high = high * h.hi + c[k * n].hi;
      high_slope = high_slope * h.hi + k * c[k * n].hi;
    }
    base_wide rise = base_wide_of(high), slope = base_wide_of(high_slope);
    for (int k = s->wide < s->p ? s->wide : s->p; k > 0; k--) {
      rise = base_wide_add(base_wide_mul(rise, h), c[k * n]);
      slope = base_wide_add(base_wide_mul(slope, h), base_wide_scale(c[k * n], k));
    }
    s->y_new[i] = base_wide_add(c[0], base_wide_mul(rise, h));
    s->slope[i] = slope;
  }
}

// the first term left out, by the defect at the end of the step, in units of the tolerance
static double error_of(taylor_wide* s, base_wide t, double h)
{
  step_stepper* b = &s->base;
  const int n = b->ode.n;
  base_wide* f = s->c + (size_t)(s->p + 1) * (size_t)n; // two rows behind the series
  if (!all_finite(n, s->y_new)) return INFINITY;
  b->counts.evaluations++;
  if (b->ode.wide_series(b->ode.context, t, s->y_new, 1, 1, f)) return INFINITY;
  double most = 0;
  for (int i = 0; i < n; i++) {
    const base_wide defect = base_wide_sub(s->slope[i], f[n + i]);
    const double left_out = fabs(h * defect.hi) / (s->p + 1);
    const double noise = least_rounding * fmax(fabs(h * f[n + i].hi), fabs(s->y_new[i].hi));
    if (!(left_out / fmax(s->unit[i], noise) <= most)) most = left_out / fmax(s->unit[i], noise);
  }
  return isnan(most) ? INFINITY : most;
}

static void accept(taylor_wide* s, double h, double t_new, base_wide time_new)
{
  base_wide* spare = s->y_old;
  s->y_old = s->y;
  s->y = s->y_new;
  s->y_new = spare;
  show_state(s);
  s->base.t_old = s->base.t;
  s->base.t = t_new;
  s->time_old = s->time;
  s->time = time_new;
  s->h_done = h;
  s->stepped = true;
  step_stepper_count(&s->base, fabs(h));
}

static void learn(taylor_wide* s, double error)
{
  const double wish = pow(target / fmax(error, 1e-6), 1.0 / (s->p + 1));
  s->boost = fmin(fmax(s->boost * fmin(fmax(wish, 0.8), 1.05), 0.3), 1);
}

// the series, with as many wide orders as its terms ask for
static step_status prepare(taylor_wide* s, double left, double* wish)
{
  step_status status = expand(s);
  if (status != STEP_OK) return status;
  *wish = s->boost * length_of(s);
  const int enough = enough_for(s, fmin(*wish, left));
  if (enough <= s->wide) return STEP_OK;
  s->wide = enough;
  status = expand(s);
  if (status == STEP_OK) *wish = s->boost * length_of(s);
  return status;
}

static step_status step(step_stepper* base, double t_limit)
{
  taylor_wide* s = (taylor_wide*)base;
  const double t = base->t, left = fabs(t_limit - t);
  if (left == 0) return STEP_OK;
  s->direction = t_limit < t ? -1 : 1;
  double wish;
  const step_status status = prepare(s, left, &wish);
  if (status != STEP_OK) return status;
  // a polynomial motion towards an end not known
  if (isinf(wish) && isinf(left)) wish = fmax(1, 10 * fabs(s->h_done));
  for (int turn = 0; turn < most_shortenings; turn++) {
    const step_trial trial = step_trial_of(t, t_limit, wish);
    const double length = trial.length;
    const bool last = trial.last;
    if (trial.spent) break;
    const double t_new = last ? t_limit : t + s->direction * length;
    const base_wide time_new = last ? base_wide_decimal(t_limit) : base_wide_of(t_new);
    const base_wide h = base_wide_sub(time_new, s->time);
    sum_series(s, h);
    const bool settled =
        all_finite(base->ode.n, s->y_new) &&
        (!base->ode.wide_settle || !base->ode.wide_settle(base->ode.context, time_new, s->y_new));
    const double error = settled ? error_of(s, time_new, h.hi) : INFINITY;
    if (length == wish && isfinite(error)) learn(s, error);
    if (error <= 1) {
      accept(s, h.hi, t_new, time_new);
      return STEP_OK;
    }
    base->counts.rejected++;
    const double shorter = isinf(error) ? 0.5 : fmax(pow(target / error, 1.0 / (s->p + 1)), 0.1);
    wish = length * fmin(shorter, 0.9);
  }
  return fail(s, STEP_STEP_TOO_SMALL, "the step size became too small");
}

base_wide step_method_taylor_wide_time(const step_stepper* base, double t)
{
  const taylor_wide* s = (const taylor_wide*)base;
  return t == base->t ? s->time : t == base->t_old ? s->time_old : base_wide_decimal(t);
}

void step_method_taylor_wide_dense(step_stepper* base, double t, base_wide* y)
{
  taylor_wide* s = (taylor_wide*)base;
  const size_t n = (size_t)base->ode.n;
  const bool at_end = !s->stepped || t == base->t;
  if (at_end || t == base->t_old) {
    memcpy(y, at_end ? s->y : s->y_old, n * sizeof *y);
    return;
  }
  sum_series(s, base_wide_sub(base_wide_decimal(t), s->time_old));
  memcpy(y, s->y_new, n * sizeof *y);
}

static void dense(step_stepper* base, double t, double* y)
{
  taylor_wide* s = (taylor_wide*)base;
  step_method_taylor_wide_dense(base, t, s->f);
  for (int i = 0; i < base->ode.n; i++) y[i] = s->f[i].hi;
}

// components that are moved go on as doubles
static step_status amend(step_stepper* base, const double* y)
{
  taylor_wide* s = (taylor_wide*)base;
  for (int i = 0; i < base->ode.n; i++)
    if (y[i] != base->y[i]) s->y[i] = base_wide_of(y[i]);
  show_state(s);
  return all_finite(base->ode.n, s->y)
             ? STEP_OK
             : fail(s, STEP_NOT_FINITE, "the amended state is not finite");
}

const step_method step_method_taylor_wide = {
    .name = "taylor, double-double",
    .summary = "power series of the motion with twice the digits",
    .create = create,
    .destroy = destroy,
    .start = start,
    .step = step,
    .dense = dense,
    .amend = amend,
};
