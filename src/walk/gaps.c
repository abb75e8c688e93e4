// Inequalities during a step: gaps that close, reactions that vanish, friction that does not hold.
#include "contact/contact.h"
#include "walk/happenings.h"

#include <math.h>

enum { most_roots = 64 };

// what stays positive while a unilateral constraint stays in its mode
static double contact_value(void* context, double t)
{
  walk_events* w = context;
  engine* e = w->flow->e;
  if (walk_events_load(w, t)) return NAN;
  return contact_inequality_value(e, w->looking_at);
}

// the same for friction: sticking, and slip that begins
static double friction_value(void* context, double t)
{
  walk_events* w = context;
  return walk_events_load(w, t) ? NAN : contact_slip_watch(w->flow->e, w->looking_at);
}

void walk_slip_look(walk_events* w, double from)
{
  const engine* e = w->flow->e;
  for (int i = 0; i < w->contacts; i++) {
    num_root root[most_roots];
    if (!contact_slip_is_watched(e, i)) continue;
    w->looking_at = i;
    const int roots =
        num_roots(friction_value, w, from, w->stepper->t, w->tolerance, most_roots, root);
    for (int k = 0; k < roots; k++) {
      if (root[k].direction >= 0) continue;
      walk_events_found(w, WALK_SLIP, i, root[k].t, -1);
      break;
    }
  }
}

// the gap velocity of an open contact at t
static double rate_at(walk_events* w, int i, double t)
{
  contact_value(w, t);
  return contact_inequality_rate(w->flow->e, i);
}

// what the watched value of an open constraint is measured by; levels and, for accelerations,
// equations evaluated
static double watch_scale(const engine* e, int i)
{
  const int k = e->unilateral->of[i], order = e->model->constraint[k].order;
  return order == 0   ? engine_scale_place(e, e->LA + k * e->n)
         : order == 1 ? engine_scale_speed(e, e->LA + k * e->n)
                      : engine_scale_acceleration(e, e->A + k * e->n);
}

// A constraint taken as open at its very limit may be passed without a change of sign, where
// rounding decided at the start: the instant at which that shows. One of order 0 that is beyond it
// from the start, by what impacts taken together left, leaves for a while: the instant at which it
// turns.
static void look_at_leak(walk_events* w, int i, double from)
{
  engine* e = w->flow->e;
  if (e->mode.active[e->unilateral->of[i]]) return;
  double low = from, high = w->stepper->t;
  const double end = contact_value(w, high), nothing = engine_leak * watch_scale(e, i);
  if (!(end < -nothing)) return;
  const bool leaves = e->model->constraint[e->unilateral->of[i]].order == 0 &&
                      contact_value(w, from) < -nothing && rate_at(w, i, from) > 0;
  if (leaves && rate_at(w, i, high) > 0) return;
  for (int k = 0; k < 60 && high - low > w->tolerance; k++) {
    const double middle = low + (high - low) / 2;
    if (leaves ? rate_at(w, i, middle) < 0 : contact_value(w, middle) < -nothing)
      high = middle;
    else
      low = middle;
  }
  walk_events_found(w, WALK_GAP, i, high, -1);
}

// a gap that has just opened is rounding for a while, and passes zero without closing
static bool is_rounding(walk_events* w, int i, double t)
{
  engine* e = w->flow->e;
  const int k = e->unilateral->of[i];
  if (e->mode.active[k] || e->model->constraint[k].order) return false;
  contact_value(w, t);
  return contact_inequality_rate(e, i) > -engine_noise_speed * contact_inequality_speed(e, i);
}

// unilateral constraints: a gap that closes, a reaction that vanishes
void walk_gap_look(walk_events* w, double from)
{
  step_stepper* s = w->stepper;
  const engine* e = w->flow->e;
  if (w->contacts && e->mode.implied_count > 0) walk_redundant_look(w, from);
  for (int i = 0; i < w->contacts; i++) {
    const int row = e->unilateral->of[i];
    if (!e->unilateral->present[i] || (engine_implied_beside(e, row) && e->mode.active[row]))
      continue;
    w->looking_at = i;
    num_root root[most_roots];
    const int roots = num_roots(contact_value, w, from, s->t, w->tolerance, most_roots, root);
    bool found = false;
    for (int k = 0; k < roots && !found; k++) {
      found = root[k].direction < 0 && !(root[k].t <= w->last[WALK_GAP][i] + w->same) &&
              !is_rounding(w, i, root[k].t);
      if (found) walk_events_found(w, WALK_GAP, i, walk_impact_instant(w, i, root[k].t), -1);
    }
    if (!found) look_at_leak(w, i, from);
  }
}
