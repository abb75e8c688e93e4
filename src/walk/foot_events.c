// Where another point of a base becomes the nearest in flight, during a step.
#include "walk/events.h"

enum { places = 8 }; // looked at in a step

void walk_foot_look(walk_events* w, double from)
{
  engine* e = w->flow->e;
  for (int i = 0; i < e->model->contacts; i++) {
    if (!contact_foot_is_followed(e, i)) continue;
    for (int k = 1; k <= places; k++) {
      const double t = from + (w->stepper->t - from) * k / places;
      w->stepper->method->dense(w->stepper, t, w->y);
      if (rate_flow_load(w->flow, t, w->y) || !contact_foot_is_passed(e, i)) continue;
      base_push(&w->found, (walk_found){WALK_FOUND_FOOT + i, t, 0});
      break;
    }
  }
}
