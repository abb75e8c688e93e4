// Behind an instant: the steps start anew.
#include "contact/contact.h"
#include "walk/method.h"
#include "walk/singular.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool walk_run_restart(walk_job* r, double t, double work)
{
  walk_singular_restart(r);
  step_stepper* s = r->stepper;
  r->doing = "the steps could not start anew behind what happens there";
  if (r->f->wide) {
    walk_run_give_up(r, "the motion changes at once there, and goes on from it with no more digits "
                        "than a double has; --tol 1e-15 goes on");
    return false;
  }
  contact_still_find(r->e);
  if (rate_flow_rebase(r->f)) {
    walk_run_give_up(r, r->e->reason);
    return false;
  }
  // of the rows that hold from here on
  if (!r->f->reduced && !r->f->leaps) engine_see_margin(r->e);
  rate_flow_store(r->f, work, r->y);
  r->stepper = s = walk_method_renew(r);
  s->slack = r->fineness;
  walk_run_warn_laws(r, t);
  const step_status status = s->method->start(s, t, r->y, r->t_end);
  r->track->restarts++;
  if (status != STEP_OK) {
    walk_run_give_up(r, *r->e->reason ? r->e->reason : s->reason);
    return false;
  }
  walk_contact_tell(r, t, s->y);
  if (r->over) return false;
  walk_run_find_jumped(r, t);
  return true;
}
