// From one instant to another, forward and back, and who is asked on the way.
#include "step/step.h"

#include <math.h>

#include "check.h"

static const double tolerance[2] = {1e-13, 1e-13};

static int turning(void* context, double t, const double* y, double* dy)
{
  (void)context;
  (void)t;
  dy[0] = y[1];
  dy[1] = -y[0];
  return 0;
}

static const step_ode circle = {.n = 2, .rhs = turning, .rel_tol = 1e-13, .abs_tol = tolerance};

typedef struct asked
{
  long times;
  double t, refuse_behind;
} asked;

static step_status note(void* context, step_stepper* s)
{
  asked* a = context;
  a->times++;
  a->t = s->t;
  return s->t > a->refuse_behind ? STEP_RHS_FAILED : STEP_OK;
}

TEST(carry_ends_at_the_instant_forward_and_back)
{
  for (int back = 0; back < 2; back++) {
    const double y[2] = {1, 0}, to = back ? -3 : 3;
    step_stepper* s = step_method_dop853.create(&step_method_dop853, &circle);
    asked a = {.refuse_behind = INFINITY};
    const step_way way = {.most_steps = 1000, .ask = note, .context = &a};
    CHECK_INT(step_carry(s, 0, y, to, &way), STEP_OK);
    CHECK_NEAR(s->t, to, 0);
    CHECK_NEAR(s->y[0], cos(to), 1e-12);
    CHECK_NEAR(s->y[1], -sin(to), 1e-12);
    CHECK_INT(a.times, s->counts.steps);
    CHECK_NEAR(a.t, to, 0);
    s->method->destroy(s);
  }
}

TEST(carry_over_no_time_makes_no_step)
{
  const double y[2] = {1, 0};
  step_stepper* s = step_method_dop853.create(&step_method_dop853, &circle);
  CHECK_INT(step_carry(s, 2, y, 2, &(step_way){.most_steps = 0}), STEP_OK);
  CHECK_INT(s->counts.steps, 0);
  CHECK_NEAR(s->y[0], 1, 0);
  s->method->destroy(s);
}

TEST(carry_ends_where_it_is_refused_and_after_the_steps_allowed)
{
  const double y[2] = {1, 0};
  step_stepper* s = step_method_dop853.create(&step_method_dop853, &circle);
  asked a = {.refuse_behind = 1};
  step_way way = {.most_steps = 1000, .ask = note, .context = &a};
  CHECK_INT(step_carry(s, 0, y, 30, &way), STEP_RHS_FAILED);
  CHECK(s->t > 1 && s->t < 30);
  way = (step_way){.most_steps = 3};
  CHECK_INT(step_carry(s, 0, y, 30, &way), STEP_TOO_MANY);
  CHECK(s->t > 0 && s->t < 30);
  s->method->destroy(s);
}
