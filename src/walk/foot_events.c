// Where another point of a base becomes the nearest in flight, during a step.
#include "walk/events.h"

enum { places = 8 }; // looked at in a step

void sim_foot_look(sim_watch* w, double from)
{
  sim_engine* e = w->flow->e;
  for (int i = 0; i < e->model->contacts; i++) {
    if (!sim_foot_is_followed(e, i)) continue;
    for (int k = 1; k <= places; k++) {
      const double t = from + (w->stepper->t - from) * k / places;
      w->stepper->method->dense(w->stepper, t, w->y);
      if (sim_flow_load(w->flow, t, w->y) || !sim_foot_is_passed(e, i)) continue;
      base_push(&w->found, (sim_found){SIM_FOUND_FOOT + i, t, 0});
      break;
    }
  }
}
