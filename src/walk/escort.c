// Runs whose plain stretches are stepped over by someone else: the run begins, meets what happens
// and ends by the one walker; in between, where nothing but smooth motion in one mode goes on, it
// may be taken along and set down again further on.
#include "contact/contact.h"
#include "walk/run.h"
#include "walk/singular.h"
#include "walk/sinks.h"
#include "walk/step_ends.h"

#include <math.h>
#include <stdlib.h>

struct walk_escort
{
  walk_options o;
  walk_job r;
};

walk_escort* walk_escort_open(mech_system* s, const walk_options* o, base_notes* notes)
{
  walk_escort* w = base_alloc(sizeof *w);
  w->o = *o;
  w->r = (walk_job){.s = s, .o = &w->o, .notes = notes};
  if (walk_run_open(&w->r)) {
    walk_run_begin(&w->r);
    return w;
  }
  walk_run_close(&w->r);
  walk_track_free(w->r.track);
  free(w);
  return NULL;
}

bool walk_escort_is_over(const walk_escort* w)
{
  return w->r.over || !(w->r.stepper->t < w->r.t_end);
}

double walk_escort_time(const walk_escort* w)
{
  return w->r.stepper->t;
}

double walk_escort_end(const walk_escort* w)
{
  return w->r.t_end;
}

void walk_escort_turn(walk_escort* w)
{
  walk_run_turn(&w->r);
}

walk_track* walk_escort_close(walk_escort* w)
{
  walk_job* r = &w->r;
  walk_track* t = NULL;
  if (walk_escort_is_over(w)) {
    walk_ends_note(r);
    walk_run_end(r);
    t = r->track;
  } else {
    walk_track_free(r->track);
  }
  walk_run_close(r);
  free(w);
  return t;
}

// ---- plain stretches ----------------------------------------------------------------------------

// do all params rest that may change?
static bool params_rest(const engine* e, double t)
{
  for (int i = 0; i < e->p; i++) {
    const engine_ramp* x = &e->mode.ramp[i];
    if (x->length > 0 && t < x->start + x->length) return false;
  }
  return true;
}

// surfaces that touch and keep to each other without a decision
static bool contacts_are_plain(const engine* e)
{
  for (int i = 0; i < e->model->contacts; i++)
    if (!e->mode.active[e->model->contact[i].gap] || e->left[i] || contact_foot_is_followed(e, i))
      return false;
  for (int i = 0; i < contact_grips(e); i++)
    if (contact_grip_acts(e, i)) return false;
  return true;
}

// inequalities that are open, or press without friction
static bool inequalities_are_plain(const engine* e)
{
  const contact_inequalities* u = e->unilateral;
  if (!u) return true;
  if (u->facings || e->by_impulses || e->mode.implied_count) return false;
  for (int i = 0; i < u->count; i++)
    if (u->present[i] && e->mode.active[u->of[i]] && u->rough && contact_slip_count(e, i))
      return false;
  return true;
}

static bool mode_is_plain(const engine* e)
{
  const engine_mode* m = &e->mode;
  for (int i = 0; i < e->parts; i++)
    if (!mode_is_plain(e->part[i].e)) return false;
  return !m->held_count && !m->twice_count && !m->still_count && !m->coupled && !m->curved &&
         m->regime < 0 && contacts_are_plain(e) && inequalities_are_plain(e);
}

bool walk_escort_is_plain(const walk_escort* w, walk_stretch* out)
{
  const walk_job* r = &w->r;
  engine* e = r->e;
  const step_stepper* s = r->stepper;
  const walk_singular* x = r->singular;
  if (walk_escort_is_over(w) || r->moreau || r->flights || r->f->wide || e->delays || e->passage ||
      r->just_changed >= 0 || r->fineness < 1 || s->method == &step_method_bridge ||
      s->t == r->before_t)
    return false;
  if (!params_rest(e, s->t) || (x && isfinite(x->closing)) || !mode_is_plain(e)) return false;
  const double end = isinf(r->t_end) ? walk_open_next(r) : r->t_end;
  *out = (walk_stretch){.e = e,
                        .t = s->t,
                        .until = fmin(end, walk_run_due(r)),
                        .longest = r->longest_step,
                        .work = s->y[2 * e->n],
                        .tolerance = r->track->tolerance,
                        .stage = r->stage};
  return !rate_flow_load(r->f, s->t, s->y);
}

void walk_escort_set_down(walk_escort* w, double t, const double* q, const double* v, double work)
{
  walk_job* r = &w->r;
  walk_ends_note(r);
  engine_state(r->e, t, q, v);
  r->e->factored = false;
  r->track->t_reached = t;
  if (!walk_run_restart(r, t, work)) return;
  rate_flow_load(r->f, t, r->y);
  walk_sinks_step(r, r->y);
  rate_flow_scale(r->f, r->y);
  walk_watchdog_forget(&r->watchdog);
  walk_watchdog_forget(&r->pace);
}
