// Steps that come to nothing where a contact jams (Painleve's paradox), or is no longer one point.
#include "contact/contact.h"
#include "walk/instant.h"

bool walk_paradox_blocks(walk_job* r)
{
  engine* e = r->e;
  const step_stepper* s = r->stepper;
  double margin;
  if (rate_flow_load(r->f, s->t, s->y)) return false;
  if (contact_guard_blocks(e)) {
    walk_run_give_up(r, e->reason);
    return true;
  }
  if (!e->unilateral) return false;
  const int i = contact_paradox_nearest(e, &margin);
  if (i < 0 || !(margin < engine_jammed)) return false;
  contact_paradox_explain(e, i);
  if (e->beyond != MODEL_BEYOND_IMPACT) {
    walk_run_give_up(r, e->reason);
    return true;
  }
  int own = i;
  engine* x = contact_inequality_place(e, &own);
  x->unilateral->jams = own + 1;
  const walk_found found = {WALK_SLIP, i, s->t, -1};
  walk_run_happen(r, &found, 1);
  return true;
}
