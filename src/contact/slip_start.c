// Slip in space that begins. While its speed is nothing the law has no value, and friction acts
// against the acceleration alpha of the slip (slip.c). Where alpha itself begins at zero, as at the
// limit of sticking, the slip lags behind it by a third of the angle that it turns by: the walk
// then takes the first stretch with the law itself (walk/slip_onset.c).
#include "contact/contact.h"

#include <math.h>

bool contact_slip_starts(const engine* e, int i)
{
  const engine* x = contact_inequality_place(e, &i);
  return x->unilateral->rough && x->unilateral->starts[i];
}

void contact_slip_set_start(engine* e, int i, bool starts)
{
  contact_inequalities* u = contact_inequality_place(e, &i)->unilateral;
  u->starting += starts - u->starts[i];
  u->starts[i] = starts;
  engine_rows(e);
}

bool contact_slip_start(engine* e, int i, contact_start* out)
{
  engine_scales_see(e, e->q, e->v, NULL);
  engine* x = e->parts ? contact_parts_enter(e, &i) : e;
  if (contact_accelerations(x)) return false;
  code_run(x->program->slips, x->in, x->work.slip_out, x->work.scratch);
  out->scale = contact_slip_scale(x, i);
  out->begun = contact_slip_begun(x, i);
  contact_slip_growth(x, i, &out->alpha);
  return isfinite(out->alpha);
}

bool contact_slip_is_young(engine* e, int i)
{
  const double speed = contact_slip_speed(e, i);
  const engine* x = contact_inequality_place(e, &i);
  return speed > 0 && speed < contact_slip_begun(x, i);
}
