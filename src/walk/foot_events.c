// Where another point of a base becomes the nearest in flight, during a step.
#include "contact/contact.h"
#include "walk/run.h"

enum { places = 8 }; // looked at in a step

void walk_foot_look(walk_events* w, double from)
{
  engine* e = w->flow->e;
  for (int i = 0; i < e->model->contacts; i++) {
    if (!contact_foot_is_followed(e, i)) continue;
    for (int k = 1; k <= places; k++) {
      const double t = from + (w->stepper->t - from) * k / places;
      if (walk_events_load(w, t) || !contact_foot_is_passed(e, i)) continue;
      walk_events_found(w, WALK_FOOT, i, t, 0);
      break;
    }
  }
}

// another point of the base of contact i is followed from here on
static bool change_foot(walk_job* r, int i, double t, double* y)
{
  bool moved;
  const double work = y[2 * r->e->n];
  if (rate_flow_load(r->f, t, y) || engine_project(r->e, &moved) || contact_foot_change(r->e, i) ||
      rate_flow_rebase(r->f)) {
    walk_run_give_up(r, r->e->reason);
    return false;
  }
  rate_flow_store(r->f, work, y);
  return true;
}

void walk_foot_happen(walk_job* r, walk_instant* in, const walk_found* found)
{
  in->changed = change_foot(r, found->index, in->t, in->y) || in->changed;
  in->ends = true;
}
