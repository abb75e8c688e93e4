// What our own steppers share: reasons of failure, and states that are amended after a step.
#include "step/stepper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

step_status step_stepper_fail(step_stepper* s, step_status status, const char* what, double t)
{
  snprintf(s->reason, sizeof s->reason, "%s at t = %.17g", what, t);
  return status;
}

step_status step_stepper_amend(step_stepper* s, const double* y, double owed, bool* amended,
                               double* shift, double* carry)
{
  const int n = s->ode.n;
  if (!step_all_finite((size_t)n, y))
    return step_stepper_fail(s, STEP_NOT_FINITE, "the amended state is not finite", s->t);
  if (memcmp(y, s->y, (size_t)n * sizeof *y) == 0) return STEP_OK;
  for (int i = 0; i < n; i++) {
    if (!*amended) shift[i] = 0;
    if (y[i] == s->y[i]) continue;
    const double moved = y[i] - s->y[i];
    if (!(fabs(moved) <= owed * fabs(y[i]))) carry[i] = 0;
    shift[i] += moved;
    s->y[i] = y[i];
  }
  *amended = true;
  return STEP_OK;
}
