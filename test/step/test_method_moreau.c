// Steps of fixed length that are leaps: their grid, a straight line inside, and steps cut short.
#include "step/step.h"

#include <math.h>

#include "check.h"

// z'' = -1 above a floor that throws back with all speed, by the middle of the step; refused where
// z is beyond `most`
typedef struct bounce
{
  double most;
  int asked;
} bounce;

static int leap(void* context, double t, const double* y, double to, double* y_to)
{
  bounce* b = context;
  const double h = to - t;
  b->asked++;
  if (y[0] > b->most) return 1;
  y_to[1] = y[1] - h;
  if (y[0] + h / 2 * (y[1] + y_to[1]) < 0) y_to[1] = -y[1];
  y_to[0] = y[0] + h / 2 * (y[1] + y_to[1]);
  return 0;
}

static const double tolerance[2] = {1e-10, 1e-10};

static step_stepper* stepper(bounce* b, double h)
{
  const step_ode ode = {
      .n = 2, .leap = leap, .context = b, .leap_length = h, .rel_tol = 1e-10, .abs_tol = tolerance};
  return step_method_moreau.create(&step_method_moreau, &ode);
}

TEST(leaps_divide_the_run_evenly_and_end_with_it)
{
  bounce b = {.most = INFINITY};
  step_stepper* s = stepper(&b, 0.3);
  const double y[2] = {1, 0};
  CHECK_INT(s->method->start(s, 0, y, 1), STEP_OK);
  for (int i = 1; i <= 4; i++) {
    CHECK_INT(s->method->step(s, 1), STEP_OK);
    CHECK_NEAR(s->t, 0.25 * i, 1e-15);
    CHECK_NEAR(s->y[0], 1 - s->t * s->t / 2, 1e-15);
  }
  CHECK_NEAR(s->t, 1, 0);
  // the one made at the start is the first
  CHECK_INT(s->counts.evaluations, 4);
  CHECK_INT(b.asked, 4);
  s->method->destroy(s);
}

TEST(leaps_are_straight_lines_to_look_at)
{
  bounce b = {.most = INFINITY};
  step_stepper* s = stepper(&b, 0.5);
  const double y[2] = {0.1, -1};
  double inside[2];
  CHECK_INT(s->method->start(s, 0, y, 1), STEP_OK);
  CHECK_INT(s->method->step(s, 1), STEP_OK);
  CHECK_NEAR(s->y[1], 1, 0);
  s->method->dense(s, 0.125, inside);
  CHECK_NEAR(inside[0], 0.1, 1e-15);
  CHECK_NEAR(inside[1], -0.5, 1e-15);
  s->method->dense(s, s->t, inside);
  CHECK_NEAR(inside[1], 1, 0);
  s->method->destroy(s);
}

// half of an impact is no state: the shorter step has not met the floor, and goes on to the grid
TEST(a_leap_cut_short_is_a_leap_and_the_grid_stays)
{
  bounce b = {.most = INFINITY};
  step_stepper* s = stepper(&b, 0.5);
  const double y[2] = {0.1, -1};
  CHECK_INT(s->method->start(s, 0, y, 1), STEP_OK);
  CHECK_INT(s->method->step(s, 1), STEP_OK);
  CHECK_INT(s->method->cut(s, 0.08), STEP_OK);
  CHECK_NEAR(s->t, 0.08, 0);
  CHECK_NEAR(s->t_old, 0, 0);
  CHECK_NEAR(s->y[1], -1.08, 1e-15);
  CHECK_NEAR(s->y[0], 0.1 - 0.08 - 0.0032, 1e-15);
  CHECK_INT(s->method->start(s, 0.08, (double[2]){s->y[0], s->y[1]}, 1), STEP_OK);
  CHECK_INT(s->method->step(s, 1), STEP_OK);
  CHECK_NEAR(s->t, 0.5, 0);
  // hardly any time before the grid, or before a limit, goes with the next
  CHECK_INT(s->method->cut(s, 0.46), STEP_OK);
  CHECK_INT(s->method->start(s, 0.46, (double[2]){s->y[0], s->y[1]}, 1), STEP_OK);
  CHECK_INT(s->method->step(s, 1), STEP_OK);
  CHECK_NEAR(s->t, 1, 0);
  s->method->destroy(s);
}

TEST(a_leap_that_is_refused_leaves_the_state)
{
  bounce b = {.most = 1.2};
  step_stepper* s = stepper(&b, 0.5);
  const double y[2] = {0.5, 2};
  CHECK_INT(s->method->start(s, 0, y, 1), STEP_OK);
  CHECK_INT(s->method->step(s, 1), STEP_OK);
  CHECK_INT(s->method->step(s, 1), STEP_RHS_FAILED);
  CHECK_NEAR(s->t, 0.5, 0);
  CHECK_NEAR(s->y[0], 1.375, 1e-15);
  CHECK(s->reason[0]);
  s->method->destroy(s);
}
