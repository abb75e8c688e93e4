// Gauss's method where turns of its iteration take less than all slopes.
#include "check.h"
#include "step/step.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// v' = -v w, w' = v^2 - w^2 / 4 turn about each other; theta' = w is a sum of one of them; nothing
// depends on x' = v cos theta + t
enum { V, W, THETA, X, N };

typedef struct lanes
{
  step_abreast ode;
  double t[8], y[N][8], dy[N][8];
  double* Y[N];
  const double* F[N];
  int rate[N];
  bool turning[N];
  int turns, whole;
} lanes;

static void times(void* context, const double* t)
{
  memcpy(((lanes*)context)->t, t, sizeof(double) * 8);
}

static int turn(void* context)
{
  lanes* l = context;
  l->turns++;
  for (int i = 0; i < 8; i++) {
    const double v = l->y[V][i], w = l->y[W][i];
    l->dy[V][i] = -v * w;
    l->dy[W][i] = v * v - w * w / 4;
  }
  return 0;
}

static int evaluate(void* context)
{
  lanes* l = context;
  turn(context);
  l->turns--;
  l->whole++;
  for (int i = 0; i < 8; i++) l->dy[X][i] = l->y[V][i] * cos(l->y[THETA][i]) + l->t[i];
  return 0;
}

static lanes* lanes_of(lanes* l, bool turns)
{
  memset(l, 0, sizeof *l);
  for (int i = 0; i < N; i++) {
    l->Y[i] = i == X ? NULL : l->y[i];
    l->F[i] = i == THETA ? NULL : l->dy[i];
    l->rate[i] = i == THETA ? W : -1;
    l->turning[i] = i == V || i == W;
  }
  l->ode = (step_abreast){.Y = l->Y,
                          .F = l->F,
                          .rate = l->rate,
                          .times = times,
                          .evaluate = evaluate,
                          .turn = turns ? turn : NULL,
                          .turning = l->turning};
  return l;
}

static void run(lanes* l, double tolerance, double* y)
{
  const double abs_tol[N] = {tolerance, tolerance, tolerance, tolerance}, start[N] = {2, 0.5, 0, 0};
  const step_ode ode = {
      .n = N, .abreast = &l->ode, .context = l, .rel_tol = tolerance, .abs_tol = abs_tol};
  const step_method* m = &step_method_gauss16;
  step_stepper* s = m->create(m, &ode);
  CHECK(m->start(s, 0, start, 5) == STEP_OK);
  while (s->t < 5) CHECK(m->step(s, 5) == STEP_OK);
  memcpy(y, s->y, sizeof(double) * N);
  m->destroy(s);
}

TEST(gauss16_turns_about_what_depends_on_itself_alone)
{
  lanes brief, whole;
  double want[N], y[N];
  run(lanes_of(&whole, false), 1e-14, want);
  CHECK(whole.turns == 0);
  for (double tolerance = 1e-6; tolerance > 1e-13; tolerance /= 10) {
    run(lanes_of(&brief, true), tolerance, y);
    for (int i = 0; i < N; i++) CHECK_NEAR(y[i], want[i], 3 * tolerance);
    run(lanes_of(&whole, false), tolerance, y);
    for (int i = 0; i < N; i++) CHECK_NEAR(y[i], want[i], 3 * tolerance);
    // all slopes are asked for once in a step of several turns, which are no more than they were
    printf("# %d and %d instead of %d\n", brief.whole, brief.turns, whole.whole);
    CHECK(2 * brief.whole < whole.whole);
    CHECK(brief.whole + brief.turns < 1.15 * whole.whole);
  }
}

// where all digits are asked for every turn is a whole one, and the bits are those without turns
TEST(gauss16_has_the_same_bits_with_all_digits)
{
  lanes brief, whole;
  double a[N], b[N];
  run(lanes_of(&brief, true), 1e-15, a);
  run(lanes_of(&whole, false), 1e-15, b);
  for (int i = 0; i < N; i++) CHECK_NEAR(a[i], b[i], 0);
}
