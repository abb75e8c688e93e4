// From one instant to another: the loop of all who want no more of an integrator than the way
// there.
#include "step/stepper.h"

step_status step_carry(step_stepper* s, double t, const double* y, double to, const step_way* way)
{
  step_status status = s->method->start(s, t, y, to);
  for (long steps = 0; status == STEP_OK && s->t != to; steps++) {
    if (steps == way->most_steps) return STEP_TOO_MANY;
    status = s->method->step(s, to);
    if (status == STEP_OK && way->ask) status = way->ask(way->context, s);
  }
  return status;
}
