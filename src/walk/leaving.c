// Contacts of surfaces that come apart: where the normal force N falls through zero, the body
// leaves or the run ends; where surfaces that came apart meet again, it ends.
//
// N is found with the accelerations, which cost as much as a stage of the step. It is looked at in
// a few places of the step; only where it comes near zero against its largest value there, all its
// zeros are looked for. Whatever is seen of it on the way is noted: where surfaces pull each other,
// that is told after the run, however few its rows are.
#include "walk/leaving.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "contact/contact.h"
#include "walk/instant.h"
#include "walk/sinks.h"

enum { most_roots = 16, places = 5 };
static const double near_zero = 0.3;

// N below this is rounding: of what holds all forces back, and of the largest seen
static double rounding_of(const engine* e, int i)
{
  const double* row = e->A + e->model->contact[i].gap * e->n;
  return engine_leaving_terms * engine_scale_reaction(e, row);
}

static double floor_of(const engine* e, int i)
{
  return engine_leaving * e->push[i] + rounding_of(e, i);
}

// an event of the model about the normal force decides by itself
static bool is_watched(const engine* e, int i)
{
  const model* m = e->model;
  const model_contact* c = &m->contact[i];
  if (c->pull == MODEL_PULL_HOLDS || c->lands) return false;
  bool watched = true;
  base_kept_lock(e->s->kept);
  for (int k = 0; k < m->events; k++)
    watched = watched && !expr_has(m->pool, m->event[k].g, m->reaction[c->gap]);
  base_kept_unlock(e->s->kept);
  return watched;
}

// N of all contacts at the state in the input block
static const double* normal_forces(engine* e)
{
  if (contact_accelerations(e)) return NULL;
  contact_reactions(e);
  code_run(e->program->guards, e->in, e->work.guard, e->work.scratch);
  return e->work.guard + engine_guard_count(e->model) - e->model->contacts;
}

static double force_at(void* context, double t)
{
  walk_events* w = context;
  engine* e = w->flow->e;
  if (walk_events_load(w, t)) return NAN;
  const double* N = normal_forces(e);
  if (!N) return NAN;
  contact_guard_note(e, w->looking_at, t, N[w->looking_at], rounding_of(e, w->looking_at));
  return N[w->looking_at] + floor_of(e, w->looking_at);
}

// the distance of surfaces that came apart; its rate is then in f1
static double gap_at(void* context, double t)
{
  walk_events* w = context;
  engine* e = w->flow->e;
  if (walk_events_load(w, t)) return NAN;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  return e->f0[e->model->contact[w->looking_at].gap];
}

// may N have a zero in this step?
static bool comes_near(walk_events* w, double from)
{
  engine* e = w->flow->e;
  double least = INFINITY, most = 0;
  for (int k = 0; k < places; k++) {
    const double t = from + (w->stepper->t - from) * (k + 1) / places;
    const double N = force_at(w, t);
    if (isnan(N)) return true;
    least = fmin(least, N);
    most = fmax(most, N);
  }
  e->push[w->looking_at] = fmax(e->push[w->looking_at], most);
  return least < near_zero * most;
}

static void look_for_leaving(walk_events* w, int i, double from, bool leaves)
{
  num_root root[most_roots];
  w->looking_at = i;
  if (!comes_near(w, from)) return;
  const int roots = num_roots(force_at, w, from, w->stepper->t, w->tolerance, most_roots, root);
  for (int k = 0; k < roots && leaves; k++) {
    if (root[k].direction >= 0) continue;
    walk_events_found(w, WALK_LEAVING, i, root[k].t, -1);
    return;
  }
}

// a gap that has just opened is rounding for a while
static void look_for_return(walk_events* w, int i, double from)
{
  engine* e = w->flow->e;
  const int gap_row = e->model->contact[i].gap;
  num_root root[most_roots];
  w->looking_at = i;
  const int roots = num_roots(gap_at, w, from, w->stepper->t, w->tolerance, most_roots, root);
  for (int k = 0; k < roots; k++) {
    if (root[k].direction >= 0) continue;
    gap_at(w, root[k].t);
    if (e->f1[gap_row] > -engine_beyond_slip * engine_scale_row(e, gap_row, 1)) continue;
    walk_events_found(w, WALK_LEAVING, i, root[k].t, -1);
    return;
  }
  // what would leave while it grips may fall back at once without: it never was above
  const double gap = gap_at(w, w->stepper->t);
  if (gap < -engine_open_gap * engine_scale_row(e, gap_row, 0))
    walk_events_found(w, WALK_LEAVING, i, from, -1);
}

void walk_leaving_look(walk_events* w, double from)
{
  engine* e = w->flow->e;
  contact_guard_forget(e, from);
  for (int i = 0; i < e->model->contacts; i++) {
    // forces of redundant contacts are not determined: one that pulls does not leave
    const bool leaves = e->leaves[i] && !engine_implied_beside(e, e->model->contact[i].gap);
    if (contact_guard_tells(e, i))
      look_for_leaving(w, i, from, leaves);
    else if (leaves && e->left[i])
      look_for_return(w, i, from);
  }
}

void walk_leave_start(engine* e)
{
  for (int i = 0; i < e->model->contacts; i++) e->leaves[i] = is_watched(e, i);
}

// let go by an event of the model at the same instant?
static bool is_gone(const engine* e, int i)
{
  return !e->mode.active[e->model->contact[i].gap] && !e->left[i];
}

void walk_leaving_tell(walk_job* r, walk_instant* in, const walk_found* found)
{
  const engine* e = r->e;
  const model_contact* c = &e->model->contact[found->index];
  const bool holds = e->mode.active[c->gap];
  char text[300];
  if (is_gone(e, found->index)) return;
  snprintf(text, sizeof text, "%s of %s", holds ? "leaving" : "return", c->name);
  walk_sinks_happening(r, found, text, in->y);
  if (holds || r->over) return;
  snprintf(text, sizeof text,
           "at t = %.10g: the surfaces of contact `%s`, which came apart, meet again; impacts are "
           "not modelled beside friction against pivoting, against the rolling of what slides, or "
           "of a contact that cannot let go",
           found->t, c->name);
  walk_run_stop(r, WALK_UNFINISHED, text);
  in->ends = true;
}

void walk_leaving_happen(walk_job* r, walk_instant* in, const walk_found* found)
{
  engine* e = r->e;
  const model* m = e->model;
  const int i = found->index;
  const model_contact* c = &m->contact[i];
  if (is_gone(e, i) || c->pull != MODEL_PULL_RELEASES) return;
  e->left[i] = true;
  model_change change = {.carry = MODEL_CARRY_VELOCITY, .place = c->place};
  change.release = base_alloc(sizeof(int) * (size_t)m->constraints);
  for (int k = 0; k < m->constraints; k++)
    if (m->constraint[k].contact == i + 1) change.release[change.releases++] = k;
  walk_instant_set(r, in, &change);
  free(change.release);
}
