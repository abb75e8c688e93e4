// The first step away from a state at which the right-hand side has no value.
//
// Collocation asks for it at later times only. Two orders are compared, and the step halved until
// they agree; each solution is the guess of the next.
#include "step/step.h"

#include <math.h>
#include <string.h>

enum { high = STEP_ONSET_POINTS, low = high - 1, most_halvings = 12 };
// The lower of the two orders may be off by this many tolerances where the higher one is not.
static const double agreed = 20;

size_t step_onset_room(int n)
{
  return (size_t)(n * (2 * high + low + 1));
}

void step_onset_value(const step_onset* o, double share, double* y)
{
  const int n = o->ode->n;
  if (share == 1) {
    memcpy(y, o->Y + (high - 1) * n, sizeof *y * (size_t)n);
    return;
  }
  double c[high + 1] = {0};
  step_radau_points(high, c + 1);
  for (int k = 0; k < n; k++) y[k] = 0;
  for (int j = 0; j <= high; j++) {
    double weight = 1;
    for (int l = 0; l <= high; l++)
      if (l != j) weight *= (share - c[l]) / (c[j] - c[l]);
    const double* at = j ? o->Y + (j - 1) * n : o->y;
    for (int k = 0; k < n; k++) y[k] += weight * at[k];
  }
}

// stages of a step of `part` of the length of the one in Y
static void shorten(const step_onset* o, double part, int stages, double* out)
{
  double c[high];
  step_radau_points(stages, c);
  for (int j = 0; j < stages; j++) step_onset_value(o, part * c[j], out + j * o->ode->n);
}

// Do both orders agree at the points of the lower one? At the end alone both are much better than
// within the step, where rows are read.
static bool agree(const step_onset* o, const double* higher, const double* lower)
{
  const step_ode* ode = o->ode;
  for (int i = 0; i < low * ode->n; i++) {
    const int k = i % ode->n;
    const double bound = ode->abs_tol[k] + ode->rel_tol * fabs(higher[i]);
    if (!(fabs(higher[i] - lower[i]) <= agreed * bound)) return false;
  }
  return true;
}

// Y holds a guess; its solution on success, true where that also is good and nobody objects
static bool serves(step_onset* o, double h, double* room, bool* solved)
{
  const int n = o->ode->n;
  double *higher = room, *lower = higher + high * n, *width = lower + low * n;
  o->widths(o->context, h, width);
  *solved = step_radau(o->ode, high, o->t, o->y, h, width, o->Y);
  if (!*solved) return false;
  shorten(o, 1, low, higher);
  memcpy(lower, higher, sizeof *lower * (size_t)(low * n));
  return step_radau(o->ode, low, o->t, o->y, h, width, lower) && agree(o, higher, lower) &&
         o->accept(o->context, h, o->Y + (high - 1) * o->ode->n);
}

double step_onset_find(step_onset* o, double h, double* room)
{
  const int n = o->ode->n;
  double* old = room + high * n;
  bool solved = false;
  o->Y = room;
  for (int k = 0; k < most_halvings; k++, h /= 2) {
    if (!o->is_worth(o->context, h)) return NAN;
    if (solved) {
      shorten(o, 0.5, high, old);
      memcpy(o->Y, old, sizeof *old * (size_t)(high * n));
    } else if (!o->guess(o->context, h, o->Y)) {
      return NAN;
    }
    if (serves(o, h, old, &solved)) return h;
  }
  return NAN;
}
