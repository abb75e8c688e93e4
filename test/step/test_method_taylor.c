// Taylor's method: as many terms as a step needs.
#include "check.h"
#include "step/step.h"

#include <math.h>

// a fall, and how many terms it was asked for
static int falls(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)t;
  dy[0] = y[1];
  dy[1] = -10;
  return 0;
}

static int terms_of_a_fall(void* context, double t, const double* y, int order, double* c)
{
  (void)t;
  *(int*)context = order;
  for (int i = 0; i < 2 * (order + 1); i++) c[i] = 0;
  c[0] = y[0];
  c[1] = y[1];
  if (order >= 1) c[2] = y[1], c[3] = -10;
  if (order >= 2) c[4] = -5;
  return 0;
}

// A polynomial of the second degree: once it is seen to be one, no step to a given end needs many
// terms.
TEST(a_fall_needs_few_terms)
{
  static const double abs_tol[] = {1e-12, 1e-12};
  int order = 0;
  const step_ode ode = {.n = 2,
                        .rhs = falls,
                        .context = &order,
                        .series = terms_of_a_fall,
                        .rel_tol = 1e-12,
                        .abs_tol = abs_tol};
  const step_method* method = &step_method_taylor;
  step_stepper* s = method->create(method, &ode);
  CHECK_INT(method->start(s, 0, (const double[]){100, 3}, 4), STEP_OK);
  for (int k = 1; k <= 4; k++) {
    CHECK_INT(method->step(s, k), STEP_OK);
    CHECK_NEAR(s->t, k, 0);
    CHECK_NEAR(s->y[0], 100 + 3 * k - 5 * k * k, 1e-12);
    CHECK_NEAR(s->y[1], 3 - 10 * k, 1e-13);
    CHECK(k == 1 || order <= 4);
  }
  method->destroy(s);
}
