// The end of a run before its time, with the reason.
#include "contact/contact.h"
#include "walk/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void walk_run_stop(walk_job* r, walk_status status, const char* reason)
{
  base_text text = {0}, names = {0};
  base_text_add(&text, reason);
  const int folded = status == WALK_UNFINISHED ? walk_folded_name(r->e, &names) : 0;
  if (folded > 1)
    base_text_printf(&text,
                     "; the coordinates %s move the same there (gimbal lock): an `orientation` has "
                     "no such place",
                     names.at);
  else if (folded)
    base_text_printf(&text, "; the coordinate %s moves nothing there: others have no such place",
                     names.at);
  r->track->status = status;
  r->track->reason = base_arena_strdup(r->track->arena, text.at);
  r->over = true;
  base_text_free(&text);
  base_text_free(&names);
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
