// Steps of Gauss's method that are as exact as the numbers are: what the stages lose to rounding.
#include "step/gauss16_stepper.h"

#include <string.h>

// how far beyond their stages slopes are looked at, in units of what the stages miss
static const double magnified = 4096;

static double rise_of(const gauss16* s, int i)
{
  return s->rate[i] ? gauss16_rise(s->weight, s->rate[i]) : 0;
}

// sum_j h b_j x_j
static double weighed(const gauss16* s, const double* x)
{
  double sum = 0;
  for (int j = 0; j < 4; j++) sum += s->weight[j] * (x[j] + x[7 - j]);
  return sum;
}

// Y + times by of all stages, and by what that is as doubles
static int evaluate_beside(gauss16* s, double times, double* by)
{
  s->kind->shift(s->base.ode.n, s->lanes->Y, times, by);
  return gauss16_evaluate(s);
}

// What the stages miss, s->miss, by slopes half way between those on both sides of them. Where
// constraints hold quantities at powers of two, slopes of the stages themselves have roundings that
// lean, since doubles below a power of two are twice as close as above.
static int miss_beside(gauss16* s, const gauss16_sums* sum)
{
  const double* const* F = s->lanes->F;
  if (evaluate_beside(s, magnified, s->miss)) return s->code;
  for (int k = 0; k < s->count; k++)
    memcpy(s->predicted + 8 * s->move[k].of, F[s->move[k].of], 8 * sizeof(double));
  if (evaluate_beside(s, -2, s->miss)) return s->code;
  for (int k = 0; k < s->count; k++)
    for (int l = 0, i = s->move[k].of; l < 8; l++)
      s->predicted[8 * i + l] = (s->predicted[8 * i + l] + F[i][l]) / 2;
  for (int i = 0; i < s->base.ode.n; i++)
    for (int l = 0; l < 8 && s->lanes->Y[i]; l++) s->lanes->Y[i][l] -= s->miss[8 * i + l] / 2;
  s->kind->miss(sum, s->at, s->miss);
  return 0;
}

// the rise of components with slopes of their own, from both sides of the stages
static int rise_beside(gauss16* s)
{
  const step_abreast* lanes = s->lanes;
  const int n = s->base.ode.n;
  double* ahead = s->y_new; // not needed before the rise is known
  if (evaluate_beside(s, magnified, s->miss)) return s->code;
  for (int i = 0; i < n; i++) ahead[i] = lanes->rate[i] < 0 ? rise_of(s, i) : 0;
  if (evaluate_beside(s, -2, s->miss)) return s->code;
  for (int i = 0; i < n; i++) {
    if (lanes->rate[i] >= 0) continue;
    const double apart = rise_of(s, i) - ahead[i];
    s->rise[i] = ahead[i];
    s->more[i] = apart / 2 - apart / (2 * magnified);
  }
  return 0;
}

// The rise, and what more it were without the rounding of the stages.
//
// Rounded stages have more than one rest, and the iteration ends in the one on the side it comes
// from, which is always the same: the energy would fall in proportion to time. So what the stages
// miss, d, is found, and the slopes f(Y + d) are those half way between f(Y + D) and f(Y - D), and
// (f(Y + D) - f(Y - D)) / 2 K more, D = K d. What that leaves out is of order D^2, 1e-24.
bool gauss16_refine(gauss16* s, const gauss16_sums* sum)
{
  // slopes of the stages as they stand
  if (!s->settled && gauss16_evaluate(s)) return false;
  s->kind->miss(sum, s->lanes->F, s->miss);
  if (s->base.ode.wide_settle && miss_beside(s, sum)) return false;
  for (int i = 0; i < s->base.ode.n; i++) {
    const int rate = s->lanes->rate[i];
    if (rate < 0) continue;
    s->rise[i] = rise_of(s, i);
    s->more[i] = weighed(s, s->miss + 8 * rate);
  }
  return !rise_beside(s);
}
