// Stiff systems and equations with multipliers: what the library's methods are here for.
#include "check.h"
#include "step/step.h"

#include <stdio.h>

static step_status walk(step_stepper* s, double t_end)
{
  step_status status = STEP_OK;
  for (int i = 0; i < 2000000 && status == STEP_OK && s->t != t_end; i++)
    status = s->method->step(s, t_end);
  if (status != STEP_OK) printf("# %s at %.17g: %s\n", s->method->name, s->t, s->reason);
  return status;
}

// Robertson's reaction
static int robertson(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)t;
  dy[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
  dy[2] = 3e7 * y[1] * y[1];
  dy[1] = -dy[0] - dy[2];
  return 0;
}

TEST(bdf_meets_the_published_values_of_robertson)
{
  const double tol[3] = {1e-10, 1e-15, 1e-10}, y[3] = {1, 0, 0};
  step_ode ode = {.n = 3, .rhs = robertson, .rel_tol = 1e-10, .abs_tol = tol};
  step_stepper* s = step_method_bdf.create(&step_method_bdf, &ode);
  CHECK_INT(s->method->start(s, 0, y, 1e11), STEP_OK);
  CHECK_INT(walk(s, 40), STEP_OK);
  CHECK_NEAR(s->y[0], 0.7158270688, 2e-9);
  CHECK_NEAR(s->y[1], 0.9185534765e-5, 2e-14);
  CHECK_NEAR(s->y[2], 0.2841637457, 2e-9);
  // Hairer and Wanner II (1996), test set: t = 1e11
  CHECK_INT(walk(s, 1e11), STEP_OK);
  CHECK_NEAR(s->y[0] / 0.2083340149701255e-7, 1, 1e-4);
  CHECK_NEAR(s->y[1] / 0.8333360770334713e-13, 1, 1e-4);
  CHECK_NEAR(s->y[2], 0.9999999791665050, 1e-8);
  CHECK(s->counts.steps < 6000);
  s->method->destroy(s);
}

// van der Pol in stretched time, eps = 1e-6
static int vanderpol(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)t;
  dy[0] = y[1];
  dy[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) / 1e-6;
  return 0;
}

TEST(bdf_meets_the_published_values_of_van_der_pol)
{
  const double tol[2] = {1e-9, 1e-9}, y[2] = {2, 0};
  step_ode ode = {.n = 2, .rhs = vanderpol, .rel_tol = 1e-9, .abs_tol = tol};
  step_stepper* s = step_method_bdf.create(&step_method_bdf, &ode);
  CHECK_INT(s->method->start(s, 0, y, 2), STEP_OK);
  CHECK_INT(walk(s, 2), STEP_OK);
  // Hairer and Wanner II (1996), test set
  CHECK_NEAR(s->y[0], 0.1706167732170483e1, 1e-7);
  CHECK_NEAR(s->y[1], -0.8928097010247975, 1e-7);
  CHECK(s->counts.steps < 10000);
  s->method->destroy(s);
}

// The plane pendulum, mass 1, length 1, weight 9.81, in Cartesian coordinates y = x, z, u, w.
// index: 1 with the constraint on accelerations, 2 with the one on velocities and a second
// multiplier that holds the position.
static const double weight = 9.81;

static int pendulum(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)t;
  double l2 = y[0] * y[0] + y[1] * y[1];
  double lambda = (y[2] * y[2] + y[3] * y[3] - weight * y[1]) / l2;
  dy[0] = y[2];
  dy[1] = y[3];
  dy[2] = -lambda * y[0];
  dy[3] = -lambda * y[1] - weight;
  return 0;
}

static int pendulum_one(void* context, double t, const double* y, const double* dy, double* r)
{
  (void)context, (void)t;
  r[0] = dy[0] - y[2];
  r[1] = dy[1] - y[3];
  r[2] = dy[2] + y[4] * y[0];
  r[3] = dy[3] + y[4] * y[1] + weight;
  r[4] = y[2] * y[2] + y[3] * y[3] - weight * y[1] - y[4] * (y[0] * y[0] + y[1] * y[1]);
  return 0;
}

static int pendulum_one_start(void* context, double t, const double* ode_y, double* y, double* dy)
{
  memcpy(y, ode_y, 4 * sizeof *y);
  pendulum(context, t, y, dy);
  y[4] = (y[2] * y[2] + y[3] * y[3] - weight * y[1]) / (y[0] * y[0] + y[1] * y[1]);
  dy[4] = 0;
  return 0;
}

static int pendulum_two(void* context, double t, const double* y, const double* dy, double* r)
{
  (void)context, (void)t;
  r[0] = dy[0] - y[2] + y[5] * y[0];
  r[1] = dy[1] - y[3] + y[5] * y[1];
  r[2] = dy[2] + y[4] * y[0];
  r[3] = dy[3] + y[4] * y[1] + weight;
  r[4] = y[0] * y[2] + y[1] * y[3];
  r[5] = (y[0] * y[0] + y[1] * y[1] - 1) / 2;
  return 0;
}

static int pendulum_two_start(void* context, double t, const double* ode_y, double* y, double* dy)
{
  pendulum_one_start(context, t, ode_y, y, dy);
  y[5] = dy[5] = 0;
  return 0;
}

// dop853 in the angle: z = -cos a
static int angle(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)t;
  dy[0] = y[1];
  dy[1] = -weight * sin(y[0]);
  return 0;
}

TEST(ida_swings_the_cartesian_pendulum)
{
  const double tol[4] = {1e-9, 1e-9, 1e-9, 1e-9}, fine[2] = {1e-14, 1e-14}, a0[2] = {1.5, 0};
  step_ode reference = {.n = 2, .rhs = angle, .rel_tol = 1e-14, .abs_tol = fine};
  step_stepper* exact = step_method_dop853.create(&step_method_dop853, &reference);
  exact->method->start(exact, 0, a0, 10);
  CHECK_INT(walk(exact, 10), STEP_OK);
  for (int index = 1; index <= 2; index++) {
    step_ode ode = {.n = 4,
                    .rhs = pendulum,
                    .dae_n = 4 + index,
                    .residual = index == 1 ? pendulum_one : pendulum_two,
                    .consistent = index == 1 ? pendulum_one_start : pendulum_two_start,
                    .rel_tol = 1e-9,
                    .abs_tol = tol};
    const double y[4] = {sin(1.5), -cos(1.5), 0, 0};
    step_stepper* s = step_method_ida.create(&step_method_ida, &ode);
    CHECK_INT(s->method->start(s, 0, y, 10), STEP_OK);
    CHECK_INT(walk(s, 10), STEP_OK);
    printf("# index %d: off by %.2g, %.2g; length off by %.2g; %ld steps, %ld rejected\n", index,
           s->y[0] - sin(exact->y[0]), s->y[1] + cos(exact->y[0]), hypot(s->y[0], s->y[1]) - 1,
           s->counts.steps, s->counts.rejected);
    CHECK_NEAR(s->y[0], sin(exact->y[0]), 3e-7);
    CHECK_NEAR(s->y[1], -cos(exact->y[0]), 3e-7);
    if (index == 2) CHECK_NEAR(hypot(s->y[0], s->y[1]), 1, 1e-9);
    s->method->destroy(s);
  }
  exact->method->destroy(exact);
}

TEST(ida_keeps_the_pendulum_projected_at_every_step)
{
  const double tol[4] = {1e-8, 1e-8, 1e-8, 1e-8}, y[4] = {1, 0, 0, 0};
  step_ode ode = {.n = 4,
                  .rhs = pendulum,
                  .dae_n = 5,
                  .residual = pendulum_one,
                  .consistent = pendulum_one_start,
                  .rel_tol = 1e-8,
                  .abs_tol = tol};
  long steps[2];
  for (int project = 0; project < 2; project++) {
    step_stepper* s = step_method_ida.create(&step_method_ida, &ode);
    CHECK_INT(s->method->start(s, 0, y, 20), STEP_OK);
    for (int i = 0; i < 100000 && s->t != 20; i++) {
      CHECK_INT(s->method->step(s, 20), STEP_OK);
      if (!project) continue;
      double r = hypot(s->y[0], s->y[1]), x = s->y[0] / r, z = s->y[1] / r;
      double along = z * s->y[2] - x * s->y[3];
      const double p[4] = {x, z, along * z, -along * x};
      CHECK_INT(s->method->amend(s, p), STEP_OK);
    }
    steps[project] = s->counts.steps;
    if (project) CHECK_NEAR(hypot(s->y[0], s->y[1]), 1, 1e-15);
    s->method->destroy(s);
  }
  CHECK(steps[1] < steps[0] * 1.2);
}
