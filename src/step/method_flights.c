// Flights: steps over many impacts of bodies that fly by themselves in between.
//
// Each body has a way of its own, exact until it is hit; who hands over the motion keeps them in a
// queue (step_ode.flights). A step is as many impacts as make what is done behind it cheap, and its
// dense output is where each body is on its way.
#include "step/stepper.h"

#include <stdlib.h>
#include <string.h>

static step_stepper* create(const step_method* method, const step_ode* ode)
{
  step_stepper* s = base_alloc(sizeof *s);
  s->method = method;
  s->ode = *ode;
  s->slack = 1;
  s->y = base_alloc(((size_t)ode->n + 1) * sizeof *s->y);
  s->counts.order = 2;
  return s;
}

static void destroy(step_stepper* s)
{
  free(s->y);
  free(s);
}

static step_status start(step_stepper* s, double t, const double* y, double t_end)
{
  (void)t_end;
  const step_status status = step_stepper_begin(s, t, y);
  if (status != STEP_OK) return status;
  const step_flights* f = s->ode.flights;
  const int code = f->launch(f->context, t, s->y);
  return code ? step_stepper_refuse(s, code, t) : STEP_OK;
}

static step_status step(step_stepper* s, double t_limit)
{
  const step_flights* f = s->ode.flights;
  double reached;
  s->counts.evaluations++;
  const int code = f->fly(f->context, t_limit, &reached);
  if (code) return step_stepper_refuse(s, code, s->t);
  s->t_old = s->t;
  s->t = reached;
  f->at(f->context, reached, s->y);
  if (!step_all_finite((size_t)s->ode.n, s->y))
    return step_stepper_fail(s, STEP_NOT_FINITE, "the motion is no longer finite", s->t);
  step_stepper_count(s, s->t - s->t_old);
  return STEP_OK;
}

// what is carried along with the motion is that of the end
static void dense(step_stepper* s, double t, double* y)
{
  memcpy(y, s->y, (size_t)s->ode.n * sizeof *y);
  if (t != s->t) s->ode.flights->at(s->ode.flights->context, t, y);
}

static step_status amend(step_stepper* s, const double* y)
{
  return start(s, s->t, y, s->t);
}

const step_method step_method_flights = {
    .name = "flights",
    .summary = "bodies in free flight, impact by impact from one queue, for thousands of them",
    .flight_form = true,
    .decides = true,
    .create = create,
    .destroy = destroy,
    .start = start,
    .step = step,
    .dense = dense,
    .amend = amend,
};
