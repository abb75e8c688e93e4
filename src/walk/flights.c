// Flights in a run: whether the model goes by them, and what is kept of a step.
#include "walk/flights.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double restitution_of(const walk_job* r, expr x)
{
  const model* m = r->s->model;
  expr* symbol = base_alloc(sizeof(expr) * (size_t)(m->params + 1));
  double* value = base_alloc(sizeof(double) * (size_t)(m->params + 1));
  for (int i = 0; i < m->params; i++) {
    symbol[i] = m->param[i].symbol;
    value[i] = r->o->number ? r->o->number[i] : m->param[i].number;
  }
  base_kept_lock(r->s->kept);
  const double result = expr_value(r->s->pool, x, m->params, symbol, value);
  base_kept_unlock(r->s->kept);
  free(symbol);
  free(value);
  return result;
}

// what is less elastic comes to rest, which is no flight
bool walk_flights_are_meant(const walk_job* r)
{
  const model* m = r->s->model;
  bool any = false, all = true;
  for (int i = 0; i < m->meetings && all; i++) {
    const model_meeting* x = &m->meeting[i];
    if (!x->looked_for) continue;
    any = true;
    all = x->friction == EXPR_NONE && x->restitution != EXPR_NONE &&
          restitution_of(r, x->restitution) == 1;
    for (int k = 0; k < x->solids && all; k++) {
      const model_solid* s = &m->solid[x->solid[k]];
      all = s->kind == MODEL_SOLID_PLANE || s->points == 1;
    }
  }
  return any && all;
}

const char* walk_flights_open(walk_job* r)
{
  return walk_flights_build(r, &r->flights);
}

static int launch(void* context, double t, const double* y)
{
  walk_job* r = context;
  r->flights->until = r->t_end;
  walk_flights_launch(r->flights, t, y);
  return 0;
}

static int fly(void* context, double to, double* reached)
{
  walk_job* r = context;
  const int failed = walk_flights_fly(r->flights, to, reached);
  if (failed) snprintf(r->e->reason, sizeof r->e->reason, "%s", r->flights->reason);
  return -failed;
}

static void at(void* context, double t, double* y)
{
  const walk_job* r = context;
  walk_flights_at(r->flights, t, y);
}

void walk_flights_prepare(walk_job* r)
{
  r->flights->ode = (step_flights){r, launch, fly, at};
  r->f->ode.flights = &r->flights->ode;
}

void walk_flights_note(walk_job* r)
{
  r->jumps += r->flights->released;
  r->track->impacts += r->flights->made_impacts;
}
