// The implicit step of high order: its points, its order, and a right-hand side without a value at
// the start.
#include "step/step.h"

#include <math.h>

#include "check.h"

static const double tolerance[2] = {1e-14, 1e-14}, width[2] = {1e-6, 1e-6};

static int turning(void* context, double t, const double* y, double* dy)
{
  (void)context;
  (void)t;
  dy[0] = y[1];
  dy[1] = -y[0];
  return 0;
}

// y' = -(y - t^2)/t^2 + 2t, fast at first; y = t^2 on the solution that begins at rest
static int fast(void* context, double t, const double* y, double* dy)
{
  (void)context;
  if (t == 0) return 1;
  dy[0] = -(y[0] - t * t) / (t * t) + 2 * t;
  return 0;
}

TEST(radau_points_of_three_stages_are_the_textbooks)
{
  double c[3];
  step_radau_points(3, c);
  CHECK_NEAR(c[0], (4 - sqrt(6)) / 10, 1e-15);
  CHECK_NEAR(c[1], (4 + sqrt(6)) / 10, 1e-15);
  CHECK_NEAR(c[2], 1, 0);
}

TEST(radau_has_order_two_s_less_one)
{
  const step_ode ode = {.n = 2, .rhs = turning, .rel_tol = 1e-14, .abs_tol = tolerance};
  for (int s = 2; s <= 4; s++) {
    double error[2];
    for (int k = 0; k < 2; k++) {
      const double h = k ? 0.4 : 0.8, y[2] = {1, 0};
      double Y[8];
      for (int j = 0; j < s; j++) Y[2 * j] = 1, Y[2 * j + 1] = 0;
      CHECK(step_radau(&ode, s, 0, y, h, width, Y));
      error[k] = hypot(Y[2 * s - 2] - cos(h), Y[2 * s - 1] + sin(h));
    }
    // of one step: one more
    CHECK_NEAR(log2(error[0] / error[1]), 2 * s, 0.3);
  }
}

TEST(radau_steps_away_from_where_the_right_hand_side_has_no_value)
{
  const step_ode ode = {.n = 1, .rhs = fast, .rel_tol = 1e-13, .abs_tol = tolerance};
  const double y[1] = {0};
  double Y[6] = {0};
  CHECK(step_radau(&ode, 6, 0, y, 0.01, width, Y));
  CHECK_NEAR(Y[5], 1e-4, 1e-16);
}

TEST(radau_says_no_where_the_right_hand_side_refuses)
{
  const step_ode ode = {.n = 1, .rhs = fast, .rel_tol = 1e-13, .abs_tol = tolerance};
  const double y[1] = {0};
  double Y[3] = {0};
  CHECK(!step_radau(&ode, 3, -0.01, y, 0.01, width, Y));
}
