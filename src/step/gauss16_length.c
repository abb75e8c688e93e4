// How long a step of Gauss's method is: the first one, and the next by the error of the last.
#include "step/gauss16_stepper.h"

#include <math.h>

// what a turn of the first step is to gain, for a step that may err by so much
static const double first_gain = 0.02, usual_error = 1e-11;

double gauss16_first_share(double rel_tol)
{
  return pow(rel_tol / usual_error, gauss16_power);
}

// A first step: two turns of the iteration over a short one tell how much a turn gains, which grows
// with the square of the length where forces depend on places.
void gauss16_first_length(gauss16* s, double direction, double left)
{
  const step_stepper* b = &s->base;
  const step_abreast* l = s->lanes;
  double size = 0, speed = 0;
  for (int i = 0; i < b->ode.n; i++) size = step_larger(size, fabs(b->y[i]));
  for (int k = 0; k < s->steering; k++)
    speed = step_larger(speed, fabs(s->slopes[8 * s->move[k].of]));
  const double h = direction * fmin(0.01 * (speed > 0 && size > 0 ? size / speed : 1), left);
  gauss16_sums sum;
  gauss16_set_sums(s, h, b->y, s->carry, &sum);
  const bool brief = l->turn && !s->fine;
  if (brief) gauss16_begin_brief(s, &sum);
  gauss16_predict_first(s);
  gauss16_find_stages(s, &sum, brief, s->at);
  gauss16_set_times(s, b->t, s->t_carry, h);
  s->h = h;
  if (gauss16_evaluate_turn(s, brief)) return;
  const double first = gauss16_find_stages(s, &sum, brief, l->F), noise = 16 * s->rounding;
  if (gauss16_evaluate_turn(s, brief)) return;
  const double second = gauss16_find_stages(s, &sum, brief, l->F);
  const double gain = first > noise ? step_larger(second, noise) / first : first_gain * first_gain;
  const double factor = sqrt(first_gain / gain) * s->first_share;
  s->probe = fabs(h);
  s->tried = h;
  s->gain = gain;
  s->h = direction * fmin(fabs(h) * fmin(factor, 100), left);
}

// Where the error is none the step may become so much longer, behind the first one as much as this
// if turns then still gain so much. Else it becomes as long as its polynomial tells how it goes on.
static const double longer_from_nothing = 5, longer_from_first = 20, good_gain = 0.05;

static double seventeenth(double x)
{
  const double x2 = x * x, x4 = x2 * x2, x8 = x4 * x4;
  return x8 * x8 * x;
}

// How much longer than the first step, of length h, the second may be. What a turn gains grows with
// the length where forces depend on speeds, with its square where they depend on places: two
// lengths tell which.
static double beyond_first(const gauss16* s, double h)
{
  const double ratio = h / s->probe, theta = s->theta;
  if (!s->turns || !(ratio > 2) || !(s->gain > 0 && theta > 0)) return longer_from_nothing;
  const bool linear = theta < s->gain * ratio * sqrt(ratio);
  const double factor = linear ? good_gain / theta : sqrt(good_gain / theta);
  return fmin(fmax(factor, longer_from_nothing), longer_from_first);
}

static double longest_factor(const gauss16* s, double h, double error)
{
  if (error > gauss16_nothing) return gauss16_far;
  return s->probe > 0 ? beyond_first(s, fabs(h)) : longer_from_nothing;
}

// A first step is begun again where it may be at least so much longer and, as far as it tells, at
// most; where its turns were so few, and would then gain no less than this; and where it errs so
// little that a mistake about it does no harm.
static const double worth_longer = 2, most_longer = 8, gain_of_longer = 0.12, far_too_exact = 1e-4;
// what the error of a short step tells of a long one is not much
static const double safe_longer = 0.6;
enum { few_turns = 4 };

bool gauss16_begins_longer(gauss16* s, double h, int count)
{
  if (!s->turns || s->turns > few_turns) return false;
  const double by_turns = gain_of_longer / s->theta;
  // turns that hardly tell a bound leave it to components that they do not see
  if (count < s->steering && by_turns > most_longer) return false;
  const double error = gauss16_error_of(s, h, count, 8 * s->theta * s->change);
  if (!(error < far_too_exact)) return false;
  const bool none = error <= gauss16_nothing;
  const double by_error = none ? most_longer : safe_longer * gauss16_root(&s->table, error);
  const double factor = fmin(fmin(by_error, most_longer), by_turns);
  if (!(factor >= worth_longer)) return false;
  s->tried = h;
  s->longer = factor * fabs(h);
  return true;
}

// the length of the next step by the error of this one, which is taken to grow on as it did
double gauss16_next_length(gauss16* s, double h, double error)
{
  const double growth = s->error > 0 ? error / s->error * seventeenth(s->h_done / h) : 1;
  const double expected = error * (growth < 1 ? 1 : growth > 1e3 ? 1e3 : growth);
  const double longest = longest_factor(s, h, error);
  s->error = error;
  s->probe = 0;
  if (s->turns > 14) return gauss16_safety * h;
  if (expected > gauss16_low && expected <= gauss16_high) return h;
  // the power is spared where more than the longest would come out
  const bool most = expected * seventeenth(longest) <= seventeenth(gauss16_safety);
  const double factor = most ? longest : gauss16_safety * gauss16_root(&s->table, expected);
  if (factor > 1 && s->turns > 9) return h;
  return h * fmin(factor, longest);
}
