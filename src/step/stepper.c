// What steppers share: how they begin, are counted and refuse, and states amended after a step.
#include "step/stepper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

step_status step_stepper_fail(step_stepper* s, step_status status, const char* what, double t)
{
  snprintf(s->reason, sizeof s->reason, "%s at t = %.17g", what, t);
  return status;
}

step_status step_stepper_refuse(step_stepper* s, int code, double t)
{
  if (code == step_not_finite)
    return step_stepper_fail(s, STEP_NOT_FINITE, "the right-hand side is not finite", t);
  if (code > 0)
    return step_stepper_fail(s, STEP_RHS_FAILED, "the right-hand side cannot be evaluated", t);
  snprintf(s->reason, sizeof s->reason, "the right-hand side gave up with code %d at t = %.17g",
           code, t);
  return STEP_RHS_FAILED;
}

step_status step_stepper_begin(step_stepper* s, double t, const double* y)
{
  const size_t n = (size_t)s->ode.n;
  s->t = s->t_old = t;
  s->reason[0] = 0;
  memmove(s->y, y, n * sizeof *y);
  if (step_all_finite(n, s->y)) return STEP_OK;
  return step_stepper_fail(s, STEP_NOT_FINITE, "the state is not finite", t);
}

bool step_stepper_takes(step_stepper* s, double length, double error)
{
  const double part = length / s->tried_length;
  const bool known = s->tried_length > 0 && isfinite(s->tried_error) && part < 1,
             noise = known && error > s->tried_error * part * part,
             takes = error <= 1 || (length <= s->least_step && isfinite(error) && noise);
  s->tried_length = takes ? 0 : length;
  s->tried_error = takes ? 0 : error;
  return takes;
}

void step_stepper_count(step_stepper* s, double length)
{
  step_counts* c = &s->counts;
  if (c->steps == 0 || length < c->smallest_step) c->smallest_step = length;
  if (length > c->largest_step) c->largest_step = length;
  c->last_step = length;
  c->steps++;
}

step_status step_stepper_amend(step_stepper* s, const double* y, double owed, bool* amended,
                               double* shift, double* carry)
{
  const int n = s->ode.n;
  if (!step_all_finite((size_t)n, y))
    return step_stepper_fail(s, STEP_NOT_FINITE, "the amended state is not finite", s->t);
  bool same = true;
  for (int i = 0; i < n; i++) same &= y[i] == s->y[i];
  if (same) return STEP_OK;
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
