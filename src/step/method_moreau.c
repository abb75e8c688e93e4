// Time-stepping: steps of fixed length, in each of which velocities may jump.
//
// What switches is decided inside the step, at the level of velocities, by who hands over the
// motion (step_ode.leap; Moreau 1988, Jean 1999). Here are the instants between which it leaps: a
// grid that what happens on the way does not shift, so that two systems in one model disturb each
// other's steps no more than by one instant more. Between its ends a step is a straight line, good
// for rows and for looking where something happens; who goes on from there cuts the step.
#include "step/stepper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// of a step: one shorter than this is made together with the next, since the impulse of a force
// over hardly any time says nothing about the force
static const double least_share = 0.125;

typedef struct leaper
{
  step_stepper base;
  double* y_old;
  double *ahead, ahead_to; // the step from t, made before it is asked for; nan: it is not
  double origin, length;   // of the grid
} leaper;

static step_stepper* create(const step_method* method, const step_ode* ode)
{
  leaper* s = base_alloc(sizeof *s);
  const size_t n = (size_t)ode->n;
  s->base.method = method;
  s->base.ode = *ode;
  s->base.y = base_alloc(3 * n * sizeof *s->base.y);
  s->y_old = s->base.y + n;
  s->ahead = s->y_old + n;
  s->origin = s->ahead_to = NAN;
  s->base.counts.order = 1;
  return &s->base;
}

static void destroy(step_stepper* base)
{
  leaper* s = (leaper*)base;
  double* first = s->base.y;
  // they take turns
  if (s->y_old < first) first = s->y_old;
  if (s->ahead < first) first = s->ahead;
  free(first);
  free(s);
}

// the next instant of the grid behind t, or the limit where that is as near
static double next_instant(const leaper* s, double limit)
{
  const double t = s->base.t, least = least_share * s->length;
  double next = s->origin + s->length * (floor((t - s->origin) / s->length) + 1);
  if (next - t < least) next += s->length;
  return next > limit - least ? limit : next;
}

static step_status leap(leaper* s, double t, const double* y, double to, double* out)
{
  const step_ode* ode = &s->base.ode;
  s->base.counts.evaluations++;
  if (ode->leap(ode->context, t, y, to, out))
    return step_stepper_fail(&s->base, STEP_RHS_FAILED, "no step could be made", t);
  if (step_all_finite((size_t)ode->n, out)) return STEP_OK;
  return step_stepper_fail(&s->base, STEP_NOT_FINITE,
                           "the motion is no longer finite; try a smaller --step", t);
}

static step_status start(step_stepper* base, double t, const double* y, double t_end)
{
  leaper* s = (leaper*)base;
  if (isnan(s->origin)) {
    const double steps = ceil((t_end - t) / base->ode.leap_length * (1 - 1e-12));
    s->origin = t;
    s->length = isfinite(steps) ? (t_end - t) / fmax(steps, 1) : base->ode.leap_length;
  }
  base->t = base->t_old = t;
  memcpy(base->y, y, sizeof *y * (size_t)base->ode.n);
  memcpy(s->y_old, y, sizeof *y * (size_t)base->ode.n);
  // forces at the start are those of the step from there
  s->ahead_to = next_instant(s, t_end);
  return leap(s, t, y, s->ahead_to, s->ahead);
}

static step_status step(step_stepper* base, double limit)
{
  leaper* s = (leaper*)base;
  step_counts* c = &base->counts;
  const double to = next_instant(s, limit);
  if (to != s->ahead_to) {
    const step_status status = leap(s, base->t, base->y, to, s->ahead);
    if (status != STEP_OK) return status;
  }
  double* old = s->y_old;
  s->y_old = base->y;
  base->y = s->ahead;
  s->ahead = old;
  s->ahead_to = NAN;
  base->t_old = base->t;
  base->t = to;
  const double h = to - base->t_old;
  c->smallest_step = c->steps ? fmin(c->smallest_step, h) : h;
  c->largest_step = fmax(c->largest_step, h);
  c->last_step = h;
  c->steps++;
  return STEP_OK;
}

static void dense(step_stepper* base, double t, double* y)
{
  const leaper* s = (leaper*)base;
  const size_t n = (size_t)base->ode.n;
  if (!(t < base->t)) {
    memcpy(y, base->y, n * sizeof *y);
    return;
  }
  const double share = (t - base->t_old) / (base->t - base->t_old);
  for (size_t i = 0; i < n; i++) y[i] = s->y_old[i] + share * (base->y[i] - s->y_old[i]);
}

static step_status amend(step_stepper* base, const double* y)
{
  leaper* s = (leaper*)base;
  if (!step_all_finite((size_t)base->ode.n, y))
    return step_stepper_fail(base, STEP_NOT_FINITE, "the amended state is not finite", base->t);
  memcpy(base->y, y, sizeof *y * (size_t)base->ode.n);
  s->ahead_to = NAN;
  return STEP_OK;
}

static step_status cut(step_stepper* base, double t)
{
  leaper* s = (leaper*)base;
  const step_status status = leap(s, base->t_old, s->y_old, t, base->y);
  base->t = t;
  base->counts.last_step = t - base->t_old;
  return status;
}

const step_method step_method_moreau = {
    .name = "moreau",
    .summary = "time-stepping of Moreau and Jean, for many contacts; order 1, step by --step",
    .leap_form = true,
    .decides = true,
    .create = create,
    .destroy = destroy,
    .start = start,
    .step = step,
    .dense = dense,
    .amend = amend,
    .cut = cut,
};
