// What the CVODE and the IDA stepper share.
//
// Amendments: a state moved by about the tolerance must not cost the history of a multistep method.
// The library goes on with its own z, and y = z + offset; moving the offset is the same as moving
// every value of the history by one constant, as CVODE's own projection does.
#include "step/sundials.h"

#include "step/stepper.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// where a call is given up
static void destroy(void* stepper)
{
  step_stepper* s = stepper;
  s->method->destroy(s);
}

void* step_sundials_new(size_t bytes, const step_method* method, const step_sundials_library* calls,
                        const step_ode* ode, int size)
{
  assert(size >= 1 && size >= ode->n);
  size_t n = (size_t)size;
  step_sundials* s = base_alloc(bytes);
  s->base.method = method;
  s->base.ode = *ode;
  s->base.slack = 1;
  s->calls = calls;
  s->size = size;
  double* p = base_alloc(6 * n * sizeof *p);
  double** place[] = {&s->base.y, &s->offset, &s->y_old, &s->work, &s->gap_old, &s->gap};
  for (int i = 0; i < 6; i++, p += n) *place[i] = p;
  s->hold = base_hold_begin(destroy, s);
  if (SUNContext_Create(NULL, &s->library) == 0) s->z = N_VNew_Serial(size, s->library);
  return s;
}

void step_sundials_free(step_sundials* s)
{
  base_hold_end(s->hold);
  if (s->z) N_VDestroy(s->z);
  if (s->library) SUNContext_Free(&s->library);
  free(s->base.y);
  free(s);
}

const double* step_sundials_state(step_sundials* s, const double* z)
{
  for (int i = 0; i < s->size; i++) s->work[i] = z[i] + s->offset[i];
  return s->work;
}

// The error of a run with a multistep method is some hundred times the error allowed per step.
// Steps are held to a hundredth of the tolerance, so that a tolerance means about the same in every
// method.
static const double per_step = 0.01;
// What low bounces may ask of steps, in roundings. Of the implicit form y' is known to those of y
// over the step size, so that shorter steps err more: held to less they shrink a hundredfold.
static const double finest = 50 * DBL_EPSILON, finest_implicit = 500 * DBL_EPSILON;

// of the tolerance
static double share_of(const step_sundials* s)
{
  const step_ode* o = &s->base.ode;
  const double least = s->base.method->implicit_form ? finest_implicit : finest;
  const double slack = o->rel_tol > 0 ? fmin(1, least / (per_step * o->rel_tol)) : 0;
  return per_step * fmax(s->base.slack, slack);
}

static double tolerance(const step_sundials* s, int i, double y)
{
  const step_ode* o = &s->base.ode;
  const double share = share_of(s);
  double rel = fmax(share * o->rel_tol, finest);
  // unknowns beyond the ode's state are multipliers: no error test holds them, and Newton's
  // iteration knows them only to rounding over the step size, so they must not stop it from ending
  if (i >= o->n) return sqrt(rel) * (1 + fabs(y));
  double absolute = o->abs_tol ? share * o->abs_tol[i] : 0;
  return fmax(absolute + rel * fabs(y), DBL_MIN / DBL_EPSILON);
}

double step_sundials_weight(const step_sundials* s, int i, double y)
{
  const step_ode* o = &s->base.ode;
  const double slack = i < o->n && o->quiet && o->quiet[i] ? step_quiet_slack : 1;
  // the library's mean over all components becomes a sum: no component hides behind the others
  return sqrt(s->size) / (slack * tolerance(s, i, y));
}

double step_sundials_increment(const step_sundials* s, int i, double y, double hf)
{
  const step_ode* o = &s->base.ode;
  double natural = 0;
  if (i < o->n && o->abs_tol && o->rel_tol > 0) natural = fmin(o->abs_tol[i] / o->rel_tol, 1);
  double size = fmax(fmax(fabs(y), fabs(hf)), natural);
  if (size == 0) size = 1;
  double inc = copysign(sqrt(DBL_EPSILON) * size, hf);
  // a power of two of itself away: y + inc - y is inc
  volatile double moved = y + inc;
  return moved - y;
}

step_status step_sundials_begin(step_sundials* s, double t, const double* y, double t_end)
{
  step_stepper* b = &s->base;
  b->t = b->t_old = t;
  memmove(b->y, y, (size_t)b->ode.n * sizeof *y);
  b->reason[0] = 0;
  s->t_end = t_end;
  s->direction = (t_end > t) - (t_end < t);
  s->code = 0;
  s->restart = s->not_finite = s->gaps_ready = false;
  s->started = true;
  memset(s->offset, 0, (size_t)s->size * sizeof *s->offset);
  if (!step_sundials_finite(b->ode.n, b->y))
    return step_sundials_fail(s, STEP_NOT_FINITE, "the state is not finite");
  if (!s->z) return step_sundials_fail(s, STEP_SOLVER, "the library cannot be started");
  N_VConst(0, s->z);
  return STEP_OK;
}

// before a step to t_limit: restarts where the direction turns or the state was amended by much
static step_status get_ready(step_sundials* s, double t_limit)
{
  step_stepper* b = &s->base;
  // the library keeps to the direction it was started in
  if ((t_limit - b->t) * s->direction <= 0) {
    s->restart = true;
    s->t_end = t_limit;
  }
  step_status status = STEP_OK;
  if (s->restart) status = b->method->start(b, b->t, b->y, s->t_end);
  s->code = 0;
  s->not_finite = false;
  return status;
}

// is the way to t_limit too short for the library to begin with?
static bool is_crumb(const step_sundials* s, double t_limit)
{
  const double t = s->base.t, reach = fmax(fabs(t_limit), fabs(t));
  return s->started && fabs(t_limit - t) < 1000 * DBL_EPSILON * reach;
}

// bookkeeping of a step that ended at t with z
static void took(step_sundials* s, double t)
{
  step_stepper* b = &s->base;
  const double* z = N_VGetArrayPointer(s->z);
  memcpy(s->y_old, b->y, (size_t)b->ode.n * sizeof *b->y);
  for (int i = 0; i < b->ode.n; i++) b->y[i] = z[i] + s->offset[i];
  b->t_old = b->t;
  b->t = t;
  s->gaps_ready = false;
  s->started = false;
  step_stepper_count(b, fabs(b->t - b->t_old));
  b->counts.rejected = s->rejected_before + s->calls->rejected(s);
}

step_status step_sundials_step(step_stepper* base, double t_limit)
{
  step_sundials* s = (step_sundials*)base;
  if (t_limit == base->t) return STEP_OK;
  step_status status = get_ready(s, t_limit);
  if (status != STEP_OK) return status;
  const bool crumb = is_crumb(s, t_limit);
  double t = t_limit;
  if (crumb) {
    status = s->calls->euler(s, t_limit - base->t);
    if (status != STEP_OK) return status;
  } else {
    // the far end only gives the direction and the scale of the first step
    double far = s->direction * (s->t_end - t_limit) > 0 ? s->t_end : t_limit;
    if (!isfinite(far) && s->calls->far_end) far = s->calls->far_end(s);
    t = base->t;
    const int flag = s->calls->advance(s, far, t_limit, &t);
    if (flag < 0) return s->calls->status_of(s, flag);
  }
  took(s, t);
  s->restart = s->restart || crumb;
  return STEP_OK;
}

// what the interpolant lacks at both ends of the step
static void find_gaps(step_sundials* s)
{
  const step_stepper* b = &s->base;
  const double* z = N_VGetArrayPointer(s->z);
  bool ok = s->calls->interpolate(s, b->t_old);
  for (int i = 0; i < b->ode.n; i++) s->gap_old[i] = ok ? s->y_old[i] - z[i] - s->offset[i] : 0;
  ok = s->calls->interpolate(s, b->t);
  for (int i = 0; i < b->ode.n; i++) s->gap[i] = ok ? b->y[i] - z[i] - s->offset[i] : 0;
  s->gaps_ready = true;
}

void step_sundials_dense(step_stepper* b, double t, double* y)
{
  step_sundials* s = (step_sundials*)b;
  int n = b->ode.n;
  if (s->started || t == b->t || b->t == b->t_old) {
    memcpy(y, b->y, (size_t)n * sizeof *y);
    return;
  }
  if (!s->gaps_ready) find_gaps(s);
  bool ok = s->calls->interpolate(s, t);
  const double* z = N_VGetArrayPointer(s->z);
  double x = (t - b->t_old) / (b->t - b->t_old);
  for (int i = 0; i < n; i++)
    y[i] = ok ? z[i] + s->offset[i] + (1 - x) * s->gap_old[i] + x * s->gap[i] : NAN;
}

step_status step_sundials_amend(step_stepper* b, const double* y)
{
  step_sundials* s = (step_sundials*)b;
  if (!step_sundials_finite(b->ode.n, y))
    return step_sundials_fail(s, STEP_NOT_FINITE, "the amended state is not finite");
  for (int i = 0; i < b->ode.n; i++) {
    double move = y[i] - b->y[i];
    if (fabs(move) > 1e3 / per_step * tolerance(s, i, y[i])) s->restart = true;
    s->offset[i] += move;
    b->y[i] = y[i];
  }
  s->gaps_ready = false;
  if (s->started) s->restart = true;
  return STEP_OK;
}

step_status step_sundials_fail(step_sundials* s, step_status status, const char* what)
{
  snprintf(s->base.reason, sizeof s->base.reason, "%s at t = %.17g", what, s->base.t);
  return status;
}

step_status step_sundials_refuse(step_sundials* s)
{
  return step_stepper_refuse(&s->base, s->not_finite ? step_not_finite : s->code, s->base.t);
}

bool step_sundials_finite(int n, const double* x)
{
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * 0;
  return s == 0;
}

void step_sundials_message(int code, const char* module, const char* function, char* text, void* s)
{
  step_stepper* b = s;
  if (code < 0) snprintf(b->reason, sizeof b->reason, "%s %s: %s", module, function, text);
}
