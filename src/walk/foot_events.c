// Where another point of a base becomes the nearest in flight, during a step.
#include "contact/contact.h"
#include "walk/instant.h"

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

void walk_foot_happen(walk_job* r, walk_instant* in, const walk_found* found)
{
  in->ends = true;
  if (!walk_instant_enter(r, in)) return;
  // coordinates without mass move, and nothing else
  if (contact_foot_change(r->e, found->index)) walk_run_give_up(r, r->e->reason);
}
