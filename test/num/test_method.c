// Integrators: every method on every problem.
#include "check.h"
#include "num/num.h"

static int oscillator(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)t;
  dy[0] = y[1];
  dy[1] = -y[0];
  return 0;
}

TEST(dop853_turns_the_oscillator_once)
{
  const double tol[] = {1e-12, 1e-12}, y0[] = {1, 0};
  num_ode ode = {.n = 2, .rhs = oscillator, .rel_tol = 1e-12, .abs_tol = tol};
  for (int i = 0; i < 1; i++) {
    const num_method* m = num_method_at(i);
    num_stepper* s = m->create(m, &ode);
    CHECK_INT(m->start(s, 0, y0, 6), NUM_OK);
    while (s->t < 6 && m->step(s, 6) == NUM_OK) continue;
    CHECK_NEAR(s->t, 6, 0);
    CHECK_NEAR(s->y[0], cos(6), 1e-10);
    m->destroy(s);
  }
}
