// The end of a run before its time, with the reason.
#include "contact/contact.h"
#include "walk/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void walk_run_stop(walk_job* r, walk_status status, const char* reason)
{
  r->track->status = status;
  r->track->reason = base_arena_strdup(r->track->arena, reason);
  r->over = true;
}

void walk_run_give_up(walk_job* r, const char* reason)
{
  char text[400];
  const double t = isnan(r->instant) ? r->stepper->t : r->instant;
  // what failed without a word is named by what was being done
  const char* doing = r->doing ? r->doing : "the motion could not go on";
  snprintf(text, sizeof text, "at t = %.10g: %s", t, *reason ? reason : doing);
  r->track->closed = contact_closed(r->e);
  walk_run_stop(r, WALK_UNFINISHED, text);
}
