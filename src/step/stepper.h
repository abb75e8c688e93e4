// What steppers share. Private to step.
#pragma once

#include "step/step.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

// the larger of two numbers; fmax would be a call
static inline double step_larger(double a, double b)
{
  return a > b ? a : b;
}

// Components that do not steer a step, such as the work, follow the others and err no more than
// they do, but where these go on evenly, as all that constraints hold: then nothing else would
// bound their errors.
static const double step_quiet_slack = 1000;

// Slopes that are differences of large terms are known to more than a rounding of the largest
// slope. What a step leaves unexplained and a shorter one leaves as well is such noise, up to this
// share of that slope (a hundred thousand roundings); beyond it, it is a jump.
static const double step_most_noise = 1e-11;

static inline bool step_all_finite(size_t n, const double* x)
{
  // four sums, so that none waits for the one before
  double sum[4] = {0};
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (int l = 0; l < 4; l++) sum[l] += x[i + (size_t)l] * 0;
  for (; i < n; i++) sum[0] += x[i] * 0;
  return sum[0] + sum[1] + sum[2] + sum[3] == 0;
}

// the status, with the reason and the time noted
__attribute__((cold)) step_status step_stepper_fail(step_stepper* s, step_status status,
                                                    const char* what, double t);
// A length that was found by functions of the C library, to 24 bits: these differ in their last
// bits from one library to another, and a motion that multiplies differences would show it.
static inline double step_rounded(double length)
{
  uint64_t bits;
  memcpy(&bits, &length, sizeof bits);
  bits = (bits + (UINT64_C(1) << 28)) & ~((UINT64_C(1) << 29) - 1);
  memcpy(&length, &bits, sizeof bits);
  return length;
}

// The next trial from t towards t_limit: as long as wished, or up to the limit where that is all
// but reached, or half the way rather than leave a crumb; spent where it cannot be told from none.
typedef struct step_trial
{
  double length;
  bool last, spent;
} step_trial;
static inline step_trial step_trial_of(double t, double t_limit, double wish)
{
  const double left = fabs(t_limit - t);
  const bool last = wish >= left * (1 - 1e-12);
  const double length = last ? left : 2 * wish > left ? left / 2 : wish;
  return (step_trial){length, last, !last && length < 16 * DBL_EPSILON * fabs(t)};
}

// Is a trial of this length with this error, in units of what it may err, the step? Those below
// least_step are taken beyond that, too, where they err by noise: that falls with the length, while
// errors of a method fall with a high power of it.
bool step_stepper_takes(step_stepper* s, double length, double error);

// what became of a right-hand side that failed at t: its own code, or that its values are no
// numbers
enum { step_not_finite = INT32_MAX };
__attribute__((cold)) step_status step_stepper_refuse(step_stepper* s, int code, double t);

// y is the state at t of what begins there; refused where it is not finite
step_status step_stepper_begin(step_stepper* s, double t, const double* y);
// a step of this length was made
void step_stepper_count(step_stepper* s, double length);

// The state at the end of the last step becomes y. `shift` gathers how far it was moved since the
// step (which `amended` tells), for dense output; `carry`, what the sum of the state has lost to
// rounding, is still owed after moves of up to `owed` of its size.
step_status step_stepper_amend(step_stepper* s, const double* y, double owed, bool* amended,
                               double* shift, double* carry);

static inline void step_swap(double** a, double** b)
{
  double* t = *a;
  *a = *b;
  *b = t;
}
