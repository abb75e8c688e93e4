// Jumps of the acceleration: where constraints are nonlinear in the accelerations, the least of
// Gauss's function may pass to another branch, or the branch followed may end.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/contact.h"
#include "walk/instant.h"
#include "walk/sinks.h"

// how far the branch followed in a place is below its rival
static double lead_at(walk_events* w, int place, double t)
{
  if (walk_events_load(w, t)) return INFINITY;
  return engine_curved_lead(engine_curved_enter(w->flow->e, place));
}

static bool rival_at(walk_events* w, int place, double t)
{
  if (walk_events_load(w, t)) return false;
  return engine_curved_find_rival(engine_curved_enter(w->flow->e, place));
}

// All branches are looked at in the middle of the step and at its end; then the two in question are
// followed. Infinite: no other becomes less.
static double look_at(walk_events* w, int place, double from, bool* late)
{
  enum { most_halvings = 80 };
  double low = from, high = from + (w->stepper->t - from) / 2;
  if (!rival_at(w, place, high)) {
    low = high;
    high = w->stepper->t;
    if (!rival_at(w, place, high)) return INFINITY;
  }
  const double U = engine_curved_enter(w->flow->e, place)->least->U;
  *late = low == from && lead_at(w, place, from) < -engine_less_already * U;
  for (int k = 0; k < most_halvings && high - low > w->tolerance; k++) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    if (lead_at(w, place, middle) < 0)
      high = middle;
    else
      low = middle;
  }
  return high;
}

// The first instant at which another branch becomes less than the one followed, in any place.
void walk_branch_look(walk_events* w, double from)
{
  const engine* e = w->flow->e;
  double first = INFINITY;
  int place = 0;
  bool late = false;
  for (int p = 0; p < engine_curved_places(e) && e->mode.curved; p++) {
    bool here = false;
    const double t = engine_curved_holds(e, p) ? look_at(w, p, from, &here) : INFINITY;
    if (!(t < first)) continue;
    first = t;
    place = p;
    late = here;
  }
  // less already at the start of the step: nothing passes zero
  if (isfinite(first)) walk_events_found(w, WALK_BRANCH, place, first, late ? 0 : 1);
}

// the places whose accelerations jump, and what is told of them
static void tell(walk_job* r, double t, const char* what)
{
  const engine* e = r->e;
  const double* before = r->least_before;
  for (int p = 0; p < engine_curved_places(e); p++) {
    int i = 0;
    r->least_jumps[p] =
        engine_curved_holds(e, p) && engine_curved_change(e, p, before, &i) > engine_other_branch;
    if (!r->least_jumps[p]) continue;
    base_info(r->notes, BASE_NOWHERE,
              "at t = %.12g: %s under `%s`; the acceleration jumps, `%s''` from %.10g to %.10g", t,
              what, engine_curved_name_at(e, p), e->model->coord[i].name, before[i], e->a[i]);
  }
}

// ---- another branch -----------------------------------------------------------------------------

void walk_branch_tell(walk_job* r, walk_instant* in, const walk_found* found)
{
  (void)found;
  if (!r->record->fixed_rows) walk_run_add_row(r, in->t, in->y, -1);
}

void walk_branch_happen(walk_job* r, walk_instant* in, const walk_found* found)
{
  in->branched = in->ends = true;
  if (!found->direction)
    base_warning(
        r->notes, BASE_NOWHERE,
        "at t = %.12g: another branch of least constraint was less already before, but was "
        "not seen; the motion may be wrong up to here",
        in->t);
  // accelerations before, to be compared
  if (!walk_instant_enter(r, in)) return;
  if (contact_accelerations(r->e))
    walk_run_give_up(r, r->e->reason);
  else
    memcpy(r->least_before, r->e->a, sizeof(double) * (size_t)r->e->n);
}

bool walk_branch_follow(walk_job* r)
{
  engine* e = r->e;
  if (!e->mode.curved || contact_accelerations(e)) return false;
  memcpy(r->least_before, e->a, sizeof(double) * (size_t)e->n);
  return true;
}

bool walk_branch_left(const walk_job* r)
{
  const engine* e = r->e;
  for (int p = 0, most; p < engine_curved_places(e); p++)
    if (engine_curved_holds(e, p) &&
        engine_curved_change(e, p, r->least_before, &most) > engine_other_branch)
      return true;
  return false;
}

int walk_branch_decide(walk_job* r, const walk_instant* in)
{
  if (!in->chosen && engine_curved_choose(r->e, true)) return 1;
  tell(r, in->t, "the least of Gauss's function passes to another branch");
  return 0;
}

static void remember_jumps(walk_job* r, double t)
{
  const engine* e = r->e;
  const walk_found jump = {WALK_BRANCH, 0, t, 1};
  for (int p = 0; p < engine_curved_places(e); p++) {
    char name[120];
    if (!r->least_jumps[p]) continue;
    snprintf(name, sizeof name, "jump of %s", engine_curved_name_at(e, p));
    walk_sinks_happening(r, &jump, name, r->stepper->y);
  }
}

void walk_branch_told(walk_job* r, const walk_instant* in)
{
  if (in->branched && !r->over) remember_jumps(r, in->until);
}

// ---- the branch ends ----------------------------------------------------------------------------

// the engine at the last state reached, moved on by h along the accelerations there
static int move_on(walk_job* r, const double* a, double h)
{
  engine* e = r->e;
  bool moved;
  const step_stepper* s = r->stepper;
  if (rate_flow_load(r->f, s->t, s->y)) return 1;
  for (int i = 0; i < e->n; i++) {
    e->q[i] += h * (e->v[i] + h / 2 * a[i]);
    e->v[i] += h * a[i];
  }
  engine_time(e, s->t + h);
  return engine_project(e, &moved);
}

// What is there behind the end of the branch shows a moment later; how long a moment has to be
// depends on how the branch ends, so it is made longer until something shows.
void walk_run_branch_lost(walk_job* r)
{
  engine* e = r->e;
  const step_stepper* s = r->stepper;
  const int n = e->n, place = engine_curved_lost(e);
  char reason[sizeof e->reason];
  memcpy(reason, e->reason, sizeof reason);
  if (walk_run_idles(r, WALK_BRANCH, s->t)) return;
  double* before = r->least_before;
  const double work = s->y[2 * n];
  engine_curved_anchored(e, before);
  bool found = false;
  int most;
  const double time = engine_scale_instant(e, s->t);
  for (double h = engine_branch_first * time; h < engine_branch_last * time && !found; h *= 10) {
    if (move_on(r, before, h)) break;
    if (engine_curved_choose(e, true))
      memcpy(reason, e->reason, sizeof reason);
    else
      found = engine_curved_change(e, place, before, &most) > engine_behind_end;
  }
  if (found) {
    const double t = e->in[0];
    tell(r, t, "the branch of least constraint ends");
    if (walk_run_restart(r, t, work)) remember_jumps(r, t);
    walk_run_follow_up(r);
  } else {
    walk_run_give_up(r, reason);
  }
}
