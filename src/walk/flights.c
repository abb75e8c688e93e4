// Flights in a run: whether the model goes by them, and what is kept of a step.
#include "walk/flights.h"

#include <stdio.h>

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
  if (!walk_flights_fly(r->flights, to, reached)) return 0;
  snprintf(r->e->reason, sizeof r->e->reason, "%s", r->flights->reason);
  r->instant = r->flights->t;
  return -1;
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
