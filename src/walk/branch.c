// Jumps of the acceleration: where constraints are nonlinear in the accelerations, the least of
// Gauss's function may pass to another branch, or the branch followed may end.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/contact.h"
#include "walk/instant.h"

// how far the branch followed is below its rival
static double lead_at(walk_events* w, double t)
{
  if (walk_events_load(w, t)) return INFINITY;
  return engine_curved_lead(w->flow->e);
}

static bool rival_at(walk_events* w, double t)
{
  return !walk_events_load(w, t) && engine_curved_find_rival(w->flow->e);
}

// Gauss's function of a rival is less by more than rounding, relative to its value
static const double less_already = 1e-9;

// The instant at which another branch becomes less than the one followed. All branches are looked
// at in the middle of the step and at its end; then the two in question are followed.
void walk_branch_look(walk_events* w, double from)
{
  enum { most_halvings = 80 };
  if (!w->flow->e->curved) return;
  double low = from, high = from + (w->stepper->t - from) / 2;
  if (!rival_at(w, high)) {
    low = high;
    high = w->stepper->t;
    if (!rival_at(w, high)) return;
  }
  engine_curved* f = w->flow->e->least;
  f->late = low == from && lead_at(w, from) < -less_already * f->U;
  for (int k = 0; k < most_halvings && high - low > w->tolerance; k++) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    if (lead_at(w, middle) < 0)
      high = middle;
    else
      low = middle;
  }
  walk_events_found(w, WALK_BRANCH, 0, high, 1);
}

// which constraint is nonlinear: the first that holds
static const char* constraint_name(const engine* e)
{
  for (int j = 0; j < e->least->count; j++)
    if (e->active[e->least->of[j]]) return e->model->constraint[e->least->of[j]].name;
  return "";
}

// the coordinate whose acceleration differs most from the one before
static int most_changed(const engine* e, const double* before)
{
  int most = 0;
  for (int i = 1; i < e->n; i++)
    if (fabs(e->a[i] - before[i]) > fabs(e->a[most] - before[most])) most = i;
  return most;
}

static void tell(walk_job* r, double t, const double* before, const char* what)
{
  const engine* e = r->e;
  const int i = most_changed(e, before);
  base_info(r->notes, BASE_NOWHERE,
            "at t = %.12g: %s under `%s`; the acceleration jumps, `%s''` from %.10g to %.10g", t,
            what, constraint_name(e), e->model->coord[i].name, before[i], e->a[i]);
}

// ---- another branch -----------------------------------------------------------------------------

void walk_branch_tell(walk_job* r, walk_instant* in, const walk_found* found)
{
  (void)found;
  if (!r->record->fixed_rows) walk_run_add_row(r, in->t, in->y, -1);
}

void walk_branch_happen(walk_job* r, walk_instant* in, const walk_found* found)
{
  (void)found;
  in->branched = in->ends = true;
  // accelerations before, to be compared
  if (!walk_instant_enter(r, in)) return;
  if (contact_accelerations(r->e))
    walk_run_give_up(r, r->e->reason);
  else
    memcpy(r->least_before, r->e->a, sizeof(double) * (size_t)r->e->n);
}

int walk_branch_decide(walk_job* r, walk_instant* in, bool chosen)
{
  if (!chosen && engine_curved_choose(r->e, true)) return 1;
  tell(r, in->t, r->least_before, "the least of Gauss's function passes to another branch");
  if (r->e->least->late)
    base_warning(r->notes, BASE_NOWHERE,
                 "at t = %.12g: these accelerations were less already before, but were not seen; "
                 "the motion may be wrong up to here",
                 in->t);
  return 0;
}

static void remember_jump(walk_job* r, double t)
{
  const walk_found jump = {WALK_BRANCH, 0, t, 1};
  char name[120];
  snprintf(name, sizeof name, "jump of %s", constraint_name(r->e));
  walk_run_remember(r, &jump, name, r->stepper->y);
}

void walk_branch_told(walk_job* r, const walk_instant* in)
{
  if (in->branched && !r->over) remember_jump(r, in->until);
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

static double difference(const engine* e, const double* before)
{
  double apart = 0, size = 0;
  for (int i = 0; i < e->n; i++) {
    apart = fmax(apart, fabs(e->a[i] - before[i]));
    size = fmax(size, fmax(fabs(e->a[i]), fabs(before[i])));
  }
  return size > 0 ? apart / size : 0;
}

// What is there behind the end of the branch shows a moment later; how long a moment has to be
// depends on how the branch ends, so it is made longer until something shows.
void walk_run_branch_lost(walk_job* r)
{
  engine* e = r->e;
  const step_stepper* s = r->stepper;
  const int n = e->n;
  char reason[sizeof e->reason];
  memcpy(reason, e->reason, sizeof reason);
  if (walk_run_idles(r, WALK_BRANCH, s->t)) return;
  double* before = base_alloc(sizeof(double) * (size_t)(n + r->f->ode.n));
  double* y = before + n;
  memcpy(y, s->y, sizeof(double) * (size_t)r->f->ode.n);
  engine_curved_anchored(e, before);
  bool found = false;
  for (double h = 1e-11 * fmax(1e-2, fabs(s->t)); h < 1e-6 * fmax(1e-2, fabs(s->t)) && !found;
       h *= 10) {
    if (move_on(r, before, h)) break;
    if (engine_curved_choose(e, true))
      memcpy(reason, e->reason, sizeof reason);
    else
      found = difference(e, before) > 1e-3;
  }
  if (found) {
    const double t = e->in[0];
    tell(r, t, before, "the branch of least constraint ends");
    if (walk_run_restart(r, t, y[2 * n])) remember_jump(r, t);
    walk_run_follow_up(r);
  } else {
    walk_run_give_up(r, reason);
  }
  free(before);
}
