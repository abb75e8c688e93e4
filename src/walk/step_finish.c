// The end of a step: back on the constraints, and what is noted there.
#include "contact/contact.h"
#include "rate/rate.h"
#include "walk/moreau.h"
#include "walk/run.h"
#include "walk/singular.h"
#include "walk/sinks.h"
#include "walk/step_ends.h"

#include <math.h>
#include <stdio.h>

// Is row k more than rounding? What was at rest until now may have set out in this very step.
static bool is_off(engine* e, int k, int order, double off)
{
  if (!(off > engine_met_redundant * engine_scale_row(e, k, order))) return false;
  engine_scales_see(e, e->q, e->v, NULL);
  return off > engine_met_redundant * engine_scale_row(e, k, order);
}

// a constraint that followed from the others at the start was set aside; does it still hold?
static bool contradicted(walk_job* r)
{
  engine* e = r->e;
  for (int k = 0; k < e->m && e->mode.implied_count; k++) {
    if (!e->mode.active[k] || !e->mode.implied[k]) continue;
    const int order = e->model->constraint[k].order;
    const double off = order == 0 ? fabs(e->f0[k]) : order == 1 ? fabs(e->f1[k]) : 0;
    if (order > 1 || !is_off(e, k, order, off)) continue;
    char text[200];
    snprintf(text, sizeof text,
             "the constraint `%s` contradicts the others from here on (off by %.2g)",
             e->model->constraint[k].name, off);
    walk_run_give_up(r, text);
    return true;
  }
  return false;
}

// the state was put on the constraints: the steps go on from there
static bool amend(walk_job* r)
{
  step_stepper* s = r->stepper;
  rate_flow_store(r->f, s->y[2 * r->e->n], r->y);
  if (s->method->amend(s, r->y) == STEP_OK) return true;
  walk_run_give_up(r, s->reason);
  return false;
}

// put the engine's state on the constraints, where the step has not done that; leveled: they are
// evaluated
static int meet_constraints(walk_job* r, bool leveled, bool* moved)
{
  engine* e = r->e;
  *moved = false;
  if (r->f->wide) return 0;
  if (!r->f->levels) return leveled ? engine_project_found(e, moved) : engine_project(e, moved);
  if (!leveled) code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  return 0;
}

// Is the engine at the end of the step, its constraints evaluated? The watch for singular positions
// has left it there, if nothing else was looked for.
static bool is_leveled(const walk_job* r)
{
  const walk_singular* w = r->singular;
  return w && w->loaded && !r->watch->look_count && !rate_lanes_eliminates(r->f->abreast);
}

// where singular positions are watched for, the next step begins with the margin
static void see_margin(walk_job* r)
{
  if (!walk_singular_is_watched(r)) engine_see_margin(r->e);
}

// the end of a step where only the constraints, if any, may have to be met again
static void finish_plain_step(walk_job* r)
{
  step_stepper* s = r->stepper;
  engine* e = r->e;
  if (e->mode.rows && !r->f->meets) {
    bool moved;
    const bool leveled = is_leveled(r);
    if (!leveled) {
      engine_state(e, s->t, s->y, s->y + e->n);
      rate_lanes_settle(r->f->abreast);
    }
    if (meet_constraints(r, leveled, &moved)) {
      if (!walk_singular_lost(r)) walk_run_give_up(r, e->reason);
      return;
    }
    rate_lanes_put_back(r->f->abreast, s->y);
    engine_residuals_found(e, e->work.g, e->work.br);
    walk_run_keep_residuals(r, e->work.g, e->work.br);
    if (moved && !amend(r)) return;
    if (!leveled) see_margin(r);
    r->placed = true;
  }
  walk_ends_add(r, s->t, s->y);
  rate_flow_scale(r->f, s->y);
  r->track->t_reached = s->t;
}

// bring the end of the step back to the constraints
// accelerations that are looked at, or followed from here on; 0, or 1 with the engine's reason
static int see_accelerations(walk_job* r)
{
  engine* e = r->e;
  if (!e->mode.second_order && !e->unilateral) return 0;
  if (contact_accelerations(e)) return 1;
  if (e->unilateral) contact_inequality_see(e);
  if (e->mode.curved) engine_curved_anchor(e);
  walk_run_note_accelerations(r);
  return 0;
}

// the end of a step that was decided, and put on the constraints, by itself
static void finish_leap(walk_job* r)
{
  const step_stepper* s = r->stepper;
  rate_flow_load(r->f, s->t, s->y);
  walk_moreau_note(r);
  if (contact_guard_broken(r->e)) {
    walk_run_give_up(r, r->e->reason);
    return;
  }
  walk_run_note_energy(r, s->y);
  // no tolerance follows from them; values of events are judged by them
  if (r->watch->count) rate_flow_scale(r->f, s->y);
  r->track->t_reached = s->t;
}

// the end of a step of flights: no constraint holds, and none is passed
static void finish_flights(walk_job* r)
{
  const step_stepper* s = r->stepper;
  rate_flow_load(r->f, s->t, s->y);
  walk_flights_note(r);
  walk_sinks_step(r, s->y);
  r->track->t_reached = s->t;
}

void walk_run_finish_step(walk_job* r)
{
  step_stepper* s = r->stepper;
  bool moved = false;
  if (r->flights) {
    finish_flights(r);
    return;
  }
  if (r->moreau) {
    finish_leap(r);
    return;
  }
  r->doing = "the end of the step could not be brought back to the constraints";
  if (r->ends && r->f->abreast) {
    finish_plain_step(r);
    return;
  }
  walk_ends_note(r);
  if (rate_flow_load(r->f, s->t, s->y) || meet_constraints(r, false, &moved)) {
    if (!walk_singular_lost(r)) walk_run_give_up(r, r->e->reason);
    return;
  }
  if (r->f->abreast) rate_lanes_put_back(r->f->abreast, s->y);
  if (r->e->mode.coupled) engine_control_rows(r->e);
  if (see_accelerations(r)) {
    walk_run_give_up(r, r->e->reason);
    return;
  }
  walk_sinks_met(r);
  if (contradicted(r)) return;
  // quasi-velocities have asked for it already
  if (!r->f->reduced && !r->f->wide) see_margin(r);
  if (contact_guard_broken(r->e)) {
    walk_run_give_up(r, r->e->reason);
    return;
  }
  if (moved) {
    if (!amend(r)) return;
    rate_flow_load(r->f, s->t, s->y);
  }
  walk_sinks_step(r, s->y);
  rate_flow_scale(r->f, s->y);
  r->track->t_reached = s->t;
}
