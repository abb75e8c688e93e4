// What our own steppers share: reasons of failure, and states that are amended after a step.
#include "step/stepper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

num_status num_stepper_fail(num_stepper* s, num_status status, const char* what, double t)
{
  snprintf(s->reason, sizeof s->reason, "%s at t = %.17g", what, t);
  return status;
}

num_status num_stepper_amend(num_stepper* s, const double* y, double owed, bool* amended,
                             double* shift, double* carry)
{
  const int n = s->ode.n;
  if (!num_all_finite((size_t)n, y))
    return num_stepper_fail(s, NUM_NOT_FINITE, "the amended state is not finite", s->t);
  if (memcmp(y, s->y, (size_t)n * sizeof *y) == 0) return NUM_OK;
  for (int i = 0; i < n; i++) {
    if (!*amended) shift[i] = 0;
    if (y[i] == s->y[i]) continue;
    const double moved = y[i] - s->y[i];
    if (!(fabs(moved) <= owed * fabs(y[i]))) carry[i] = 0;
    shift[i] += moved;
    s->y[i] = y[i];
  }
  *amended = true;
  return NUM_OK;
}
