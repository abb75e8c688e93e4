// An instant at which something happens: the state there, and what is set at it.
#include "walk/instant.h"
#include "contact/contact.h"
#include "walk/moreau.h"
#include "walk/sinks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void walk_instant_open(walk_job* r, walk_instant* in)
{
  const engine* e = r->e;
  const size_t bytes = sizeof(double) * (size_t)r->f->ode.n;
  const size_t inequalities = e->unilateral ? (size_t)e->unilateral->count : 0;
  in->y = base_alloc(bytes +
                     sizeof(double) * (size_t)(2 * e->program->modes.count + contact_grips(e) + 1));
  in->side = in->y + r->f->ode.n;
  in->switching = in->side + e->program->modes.count;
  in->excess_rate = in->switching + e->program->modes.count;
  in->active =
      base_alloc((size_t)(e->m + 2 * e->program->modes.count + e->parts) + inequalities + 2);
  in->held = in->active + e->m;
  in->stands = in->held + e->program->modes.count;
  in->closing = in->stands + e->program->modes.count;
  in->parts = in->closing + inequalities;
  in->regime = base_alloc(sizeof(int) * (size_t)(e->parts + 1));
  r->instant = in->t;
  r->doing = "what happens there could not be decided";
  if (in->t == r->stepper->t)
    memcpy(in->y, r->stepper->y, bytes);
  else
    r->stepper->method->dense(r->stepper, in->t, in->y);
  in->work = in->y[2 * e->n];
}

void walk_instant_close(walk_job* r, walk_instant* in)
{
  r->instant = NAN;
  contact_before_free(&in->kept);
  free(in->y);
  free(in->active);
  free(in->regime);
}

// the engine at the state before, on the constraints
static bool place(walk_job* r, const walk_instant* in)
{
  bool moved;
  if (!rate_flow_load(r->f, in->t, in->y) && !engine_project(r->e, &moved)) return true;
  walk_run_give_up(r, r->e->reason);
  return false;
}

bool walk_instant_enter(walk_job* r, walk_instant* in)
{
  engine* e = r->e;
  if (in->entered) return true;
  walk_run_keep_before(r, in->t, in->y);
  if (!place(r, in)) return false;
  contact_still_forget(e);
  in->entered = true;
  const walk_energy before = walk_run_energy(r);
  in->H = before.H;
  walk_run_see_energy(r, before, in->work);
  walk_sinks_enter(r);
  in->kept = contact_before_keep(e);
  contact_regime_keep(e, in->regime);
  walk_bounces_apart(r, in->t);
  memcpy(in->active, e->mode.active, (size_t)e->m);
  if (!e->program->modes.count) return true;
  code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  memcpy(in->switching, e->work.switching, sizeof(double) * (size_t)e->program->modes.count);
  memcpy(in->held, e->mode.held, (size_t)e->program->modes.count);
  for (int i = 0; i < e->program->modes.count; i++) in->stands[i] = contact_corner_stands(e, i);
  memcpy(in->side, e->side, sizeof(double) * (size_t)e->program->modes.count);
  walk_bounces_pass(r, in);
  return true;
}

bool walk_instant_set(walk_job* r, walk_instant* in, const model_change* c)
{
  in->ends = true;
  if (!walk_instant_enter(r, in)) return false;
  if (!in->set) walk_sinks_before(r);
  if (r->moreau && walk_moreau_hold(r, c)) {
    walk_run_give_up(r, r->e->reason);
    return false;
  }
  if (walk_change(r->e, c, r->notes)) {
    char text[120];
    snprintf(text, sizeof text, "at t = %.10g: the change asked for there could not be made",
             in->t);
    walk_run_stop(r, WALK_UNFINISHED, text);
    return false;
  }
  engine_time(r->e, in->t);
  in->set = in->jumped = true;
  in->recounted = in->recounted || c->releases || c->imposes;
  return true;
}
