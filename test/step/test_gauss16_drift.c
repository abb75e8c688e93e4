// Energy over many periods by Gauss's method: it walks like the square root of time.
#include "check.h"
#include "step/step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// a pendulum whose coordinate is known to have its velocity as rate: q'' = -sin q
typedef struct swinging
{
  double q[STEP_ABREAST], v[STEP_ABREAST], a[STEP_ABREAST];
  double seen[4][STEP_ABREAST]; // where the slopes were looked at last, the latest first
  double* Y[2];
  const double* F[2];
  int rate[2];
  step_abreast lanes;
} swinging;

static void no_times(void* context, const double* t)
{
  (void)context, (void)t;
}

static int accelerations(void* context)
{
  swinging* s = context;
  memmove(s->seen[1], s->seen[0], 3 * sizeof *s->seen);
  memcpy(s->seen[0], s->q, sizeof s->q);
  for (int l = 0; l < STEP_ABREAST; l++) s->a[l] = -sin(s->q[l]);
  return 0;
}

static void swinging_fill(swinging* s)
{
  *s = (swinging){.Y = {s->q, s->v}, .F = {NULL, s->a}, .rate = {1, -1}};
  s->lanes = (step_abreast){
      .Y = s->Y, .F = s->F, .rate = s->rate, .times = no_times, .evaluate = accelerations};
}

// a moment's move away drops what the sums of the state owe
static void forget(step_stepper* s)
{
  const double y[2] = {s->y[0], s->y[1]};
  const double away[2] = {y[0] + 1e-6 + 1e-6 * fabs(y[0]), y[1] + 1e-6 + 1e-6 * fabs(y[1])};
  CHECK_INT(s->method->amend(s, away), STEP_OK);
  CHECK_INT(s->method->amend(s, y), STEP_OK);
}

static long double energy(const double* y)
{
  const long double v = y[1], s = sinl(y[0] / 2.0L);
  return v * v / 2 + 2 * s * s;
}

// relative error after about `periods`, from one of several starts
static double drift(int start, int periods, bool compensated)
{
  swinging context;
  swinging_fill(&context);
  const double abs_tol[2] = {1e-16, 1e-16}, y[2] = {0.5 + 0.1 * start, 0.3}, end = 7.0 * periods;
  const step_ode ode = {
      .n = 2, .context = &context, .abreast = &context.lanes, .rel_tol = 1e-15, .abs_tol = abs_tol};
  step_stepper* s = step_method_gauss16.create(&step_method_gauss16, &ode);
  CHECK_INT(step_method_gauss16.start(s, 0, y, end), STEP_OK);
  while (s->t < end && step_method_gauss16.step(s, end) == STEP_OK)
    if (!compensated) forget(s);
  CHECK_NEAR(s->t, end, 0);
  const double off = (double)((energy(s->y) - energy(y)) / energy(y));
  step_method_gauss16.destroy(s);
  return off;
}

static double rms(int periods, bool compensated)
{
  enum { starts = 16 };
  double sum = 0;
  for (int k = 0; k < starts; k++) {
    const double off = drift(k, periods, compensated);
    sum += off * off;
  }
  return sqrt(sum / starts);
}

TEST(gauss16_lets_the_energy_walk_like_the_square_root_of_time)
{
  const double soon = rms(40, true), late = rms(2560, true), power = log(late / soon) / log(64);
  printf("# after 40 periods %.1e, after 2560 %.1e: t^%.2f\n", soon, late, power);
  CHECK(power > 0.35 && power < 0.65);
  CHECK(late < 8e-15);
}

// the control: the same steps without compensation walk beyond the bound
TEST(gauss16_without_compensation_lets_the_energy_walk_farther)
{
  CHECK(rms(2560, false) > 8e-15);
}

// nothing to be put on
static int free_state(void* context, base_wide t, base_wide* y)
{
  (void)context, (void)t, (void)y;
  return 0;
}

// A step that ends with twice the digits looks at slopes on both sides of its stages, twice: in the
// middle of either pair are the same stages.
TEST(gauss16_looks_at_both_sides_of_the_same_stages)
{
  swinging context;
  swinging_fill(&context);
  const double abs_tol[2] = {1e-16, 1e-16}, y[2] = {0.5, 0.3};
  const step_ode ode = {.n = 2,
                        .context = &context,
                        .abreast = &context.lanes,
                        .wide_settle = free_state,
                        .rel_tol = 1e-15,
                        .abs_tol = abs_tol};
  step_stepper* s = step_method_gauss16.create(&step_method_gauss16, &ode);
  CHECK_INT(step_method_gauss16.start(s, 0, y, 100), STEP_OK);
  double apart = 0;
  for (int step = 0; step < 30; step++) {
    CHECK_INT(step_method_gauss16.step(s, 100), STEP_OK);
    for (int l = 0; l < STEP_ABREAST; l++) {
      const double later = (context.seen[0][l] + context.seen[1][l]) / 2,
                   sooner = (context.seen[2][l] + context.seen[3][l]) / 2;
      CHECK_NEAR(later, sooner, 4e-16);
      apart = fmax(apart, fabs(context.seen[2][l] - context.seen[3][l]));
    }
  }
  // and the sides lie farther apart than that
  CHECK(apart > 1e-14);
  step_method_gauss16.destroy(s);
}
