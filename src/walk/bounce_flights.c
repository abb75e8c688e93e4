// Bounces in flight where something else happens.
//
// Gaps are closed at 1e-11 of the places, as far as constraints are met; what falls with the speed
// u of a low bounce needs 1e-6 s and more from there, and is told from zero by a thousandth of
// that. Struck with what happens before, it would press another contact, or rub against another
// slip, by as much as it falls. So one that is on its way is open until its own impact.
#include "contact/contact.h"
#include "walk/instant.h"

#include <math.h>

void walk_bounces_apart(walk_job* r, double t)
{
  engine* e = r->e;
  contact_inequalities* u = e->unilateral;
  if (!u) return;
  const double pause = engine_no_pause * engine_scale_instant(e, t);
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int i = 0; i < u->count; i++) {
    u->apart[i] = false;
    if (isnan(u->hits[i].last) || !u->present[i] || e->mode.active[u->of[i]] ||
        contact_inequality_constraint(e, i)->order)
      continue;
    const double gap = contact_inequality_gap(e, i), rate = contact_inequality_rate(e, i);
    u->apart[i] = gap > engine_in_flight * contact_inequality_length(e, i) &&
                  fabs(rate) > engine_noise_speed * contact_inequality_speed(e, i) &&
                  gap > -rate * pause;
  }
}
