// Power series with twice the digits, against sine and cosine with as many.
#include "check.h"
#include "step/step.h"

#include <math.h>

static int oscillator(void* context, base_wide t, const base_wide* y, int order, int wide,
                      base_wide* c)
{
  (void)context, (void)t, (void)wide;
  c[0] = y[0];
  c[1] = y[1];
  for (int k = 0; k < order; k++) {
    const base_wide next = base_wide_of(k + 1);
    c[2 * k + 2] = base_wide_div(c[2 * k + 1], next);
    c[2 * k + 3] = base_wide_div(base_wide_neg(c[2 * k]), next);
  }
  return 0;
}

static double off(base_wide a, base_wide b)
{
  return fabs(base_wide_sub(a, b).hi);
}

static step_stepper* made(double tolerance, const double* absolute)
{
  const step_ode ode = {
      .n = 2, .wide_series = oscillator, .rel_tol = tolerance, .abs_tol = absolute};
  return step_method_taylor_wide.create(&step_method_taylor_wide, &ode);
}

// the tolerance of components that have none of their own is a share of their values alone
TEST(wide_series_keep_the_digits_that_are_asked_for)
{
  const double tolerances[] = {1e-16, 1e-20, 1e-24, 1e-28}, none[2] = {0, 0};
  for (int k = 0; k < 8; k++) {
    const double tolerance = tolerances[k / 2], until = 10, y[2] = {1, 0};
    step_stepper* s = made(tolerance, k % 2 ? none : NULL);
    CHECK_INT(s->method->start(s, 0, y, until), STEP_OK);
    int steps = 0;
    for (; s->t != until && steps < 1000; steps++) {
      if (s->method->step(s, until) != STEP_OK) break;
      // at the end of the step, and inside it
      for (int j = 1; j <= 2; j++) {
        const double t = j == 2 ? s->t : s->t_old + (s->t - s->t_old) / 4;
        base_wide got[2], sine, cosine;
        step_method_taylor_wide_dense(s, t, got);
        base_wide_sincos(step_method_taylor_wide_time(s, t), &sine, &cosine);
        CHECK(off(got[0], cosine) < 100 * tolerance + 1e-29);
        CHECK(off(got[1], base_wide_neg(sine)) < 100 * tolerance + 1e-29);
        CHECK(j == 1 || s->y[0] == got[0].hi);
      }
    }
    CHECK(s->t == until && steps < 60);
    s->method->destroy(s);
  }
}

// a component that is moved goes on from there; the other keeps its digits
TEST(wide_series_take_amended_states)
{
  for (int moved = 0; moved < 2; moved++) {
    const double until = 3, y[2] = {1, 0};
    step_stepper* s = made(1e-26, NULL);
    CHECK_INT(s->method->start(s, 0, y, until), STEP_OK);
    CHECK_INT(s->method->step(s, 1), STEP_OK);
    while (s->t != 1 && s->method->step(s, 1) == STEP_OK) {
    }
    base_wide now[2], sine, cosine, got[2];
    step_method_taylor_wide_dense(s, 1, now);
    double other[2] = {s->y[0], s->y[1]};
    other[moved] += 0.25;
    CHECK_INT(s->method->amend(s, other), STEP_OK);
    now[moved] = base_wide_of(other[moved]);
    while (s->t != until && s->method->step(s, until) == STEP_OK) {
    }
    step_method_taylor_wide_dense(s, until, got);
    base_wide_sincos(base_wide_of(2), &sine, &cosine);
    const base_wide want[2] = {
        base_wide_add(base_wide_mul(now[0], cosine), base_wide_mul(now[1], sine)),
        base_wide_sub(base_wide_mul(now[1], cosine), base_wide_mul(now[0], sine))};
    for (int i = 0; i < 2; i++) CHECK(off(got[i], want[i]) < 1e-24);
    s->method->destroy(s);
  }
}
