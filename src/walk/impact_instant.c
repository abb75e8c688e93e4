// The instant of an impact, to the rounding of the gap whatever the clock shows.
//
// A root of the gap is found to the clock's digits at the end of the step. Newton's method on the
// dense output brings it to those of its own instant, and what is left, the way of a rounding of
// that time, the state goes along its motion: dt = -g/g', with the clock as it is. Impacts then
// happen on the surface, after a long time as at the start.
#include "contact/contact.h"
#include "walk/instant.h"

#include <float.h>
#include <math.h>

enum { most_turns = 3 };

// the gap of an open constraint of order 0, and its rate; levels evaluated
static bool is_gap(const engine* e, int i)
{
  const int k = e->unilateral->of[i];
  return !e->mode.active[k] && e->model->constraint[k].order == 0;
}

double walk_impact_instant(walk_events* w, int i, double t)
{
  engine* e = w->flow->e;
  if (!is_gap(e, i)) return t;
  const double found = t;
  for (int turn = 0; turn < most_turns; turn++) {
    if (walk_events_load(w, t)) return found;
    const double gap = contact_inequality_value(e, i), rate = contact_inequality_rate(e, i);
    const double next = t - gap / rate;
    if (!(rate < 0) || !(fabs(next - found) <= 2 * w->tolerance)) return found;
    if (fabs(next - t) <= DBL_EPSILON * fabs(t)) break;
    t = next;
  }
  return t < w->stepper->t_old || t > w->stepper->t ? found : t;
}

// how long until the first of the gaps that close here is closed; 0 where rounding hides it
static double until_closed(engine* e, const walk_instant* in, double blink)
{
  double first = NAN;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int i = 0; i < in->count; i++) {
    const int at = in->found[i].index;
    if (in->found[i].kind != WALK_GAP || !is_gap(e, at)) continue;
    const double gap = contact_inequality_gap(e, at), rate = contact_inequality_rate(e, at);
    if (!(rate < 0) || !(fabs(gap) > engine_noise_place * contact_inequality_length(e, at)))
      continue;
    const double dt = -gap / rate;
    if (fabs(dt) <= blink && !(dt >= first)) first = dt;
  }
  return isnan(first) ? 0 : first;
}

int walk_impact_place(walk_job* r, const walk_instant* in)
{
  engine* e = r->e;
  const double dt = until_closed(e, in, r->watch->tolerance);
  bool moved;
  if (dt == 0) return 0;
  if (contact_accelerations(e)) return 1;
  engine_glide(e, dt, e->a);
  return engine_project(e, &moved);
}
