// Params that are given other values from outside while a run goes on, and states that it is put
// to: one more kind of happening, decided about with all that falls on the same instant.
#include "engine/engine.h"
#include "walk/instant.h"
#include "walk/sinks.h"

#include <stdio.h>
#include <string.h>

// the state given from outside, on the constraints that hold
static bool put(walk_job* r)
{
  engine* e = r->e;
  bool moved;
  memcpy(e->q, r->put, sizeof(double) * (size_t)e->n);
  memcpy(e->v, r->put + e->n, sizeof(double) * (size_t)e->n);
  e->factored = false;
  return !engine_project(e, &moved);
}

void walk_input_happen(walk_job* r, walk_instant* in, const walk_found* found)
{
  (void)found;
  in->ends = true;
  if (!walk_instant_enter(r, in)) return;
  if (!in->set) walk_sinks_before(r);
  if (walk_change_given(r->e, r->o->number, r->notes) || (r->put && !put(r))) {
    char text[120];
    snprintf(text, sizeof text, "at t = %.10g: what was set there cannot be", in->t);
    walk_run_stop(r, WALK_UNFINISHED, text);
    return;
  }
  in->set = in->jumped = true;
}
