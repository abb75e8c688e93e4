// Params that are given other values from outside while a run goes on: one more kind of happening,
// decided about with all that falls on the same instant.
#include "walk/instant.h"
#include "walk/sinks.h"

#include <stdio.h>

void walk_input_happen(walk_job* r, walk_instant* in, const walk_found* found)
{
  (void)found;
  in->ends = true;
  if (!walk_instant_enter(r, in)) return;
  if (!in->set) walk_sinks_before(r);
  if (walk_change_given(r->e, r->o->number, r->notes)) {
    char text[120];
    snprintf(text, sizeof text, "at t = %.10g: what was set there cannot be", in->t);
    walk_run_stop(r, WALK_UNFINISHED, text);
    return;
  }
  in->set = in->jumped = true;
}
