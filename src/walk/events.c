// Events located on the dense output of a step, none skipped inside it.
#include "walk/events.h"
#include "contact/contact.h"
#include "engine/engine.h"
#include "walk/leaving.h"
#include "walk/sticking.h"

#include "rate/rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_roots = 64, most_cached = 64 };

walk_events* walk_events_new(rate_flow* flow)
{
  engine* e = flow->e;
  walk_events* w = base_arena_take(e->arena, sizeof *w);
  w->flow = flow;
  w->count = e->model->events + e->model->stages;
  w->value = base_arena_take(e->arena, sizeof(double) * (size_t)(w->count + 1));
  w->contacts = e->unilateral ? e->unilateral->count : 0;
  const int all = w->count + e->modes.count + 2 * w->contacts;
  w->last = base_arena_take(e->arena, sizeof(double) * (size_t)(all + 1));
  w->y = base_arena_take(e->arena, sizeof(double) * (size_t)(flow->ode.n + 2 * e->m));
  w->near = base_arena_take(e->arena, sizeof(double) * (size_t)flow->ode.n);
  w->cache_t = base_arena_take(e->arena, sizeof(double) * most_cached);
  w->cache = base_arena_take(e->arena, sizeof(double) * most_cached * (size_t)(w->count + 1));
  w->corner_t = base_arena_take(e->arena, sizeof(double) * most_cached);
  w->corner =
      base_arena_take(e->arena, sizeof(double) * most_cached * (size_t)(e->modes.count + 1));
  w->gradient = base_arena_take(e->arena, sizeof(double) * (size_t)e->n);
  for (int i = 0; i < all; i++) w->last[i] = NAN;
  return w;
}

double walk_events_value(walk_events* w, int which, double t, const double* y)
{
  engine* e = w->flow->e;
  if (rate_flow_load(w->flow, t, y)) return NAN;
  if (e->watch_needs_accelerations[which]) {
    if (contact_accelerations(e)) return NAN;
    contact_reactions(e);
  }
  code_run(e->watches, e->in, w->value, e->scratch);
  return w->value[which];
}

// Derivatives of what is held, and what constraints keep at zero, are noughts of rounding.
double walk_events_clear_value(walk_events* w, int which, double t, const double* y)
{
  for (int j = 0; j < w->flow->ode.n; j++)
    w->near[j] = y[j] + (j % 2 ? 1 : -1) * engine_noise_state * rate_flow_size(w->flow, j);
  const double beside = walk_events_value(w, which, t, w->near);
  const double value = walk_events_value(w, which, t, y);
  return fabs(value) > fabs(value - beside) ? value : 0;
}

static bool is_clear(walk_events* w, int which, double t)
{
  w->stepper->method->dense(w->stepper, t, w->y);
  return walk_events_clear_value(w, which, t, w->y) != 0;
}

static double watched(void* context, double t)
{
  walk_events* w = context;
  const engine* e = w->flow->e;
  // with accelerations only where this one needs them: a value without them must not be kept for
  // others
  const bool share = !e->any_watch_needs_accelerations;
  for (int i = 0; share && i < w->cached; i++)
    if (w->cache_t[i] == t) return w->cache[i * w->count + w->looking_at];
  w->stepper->method->dense(w->stepper, t, w->y);
  const double value = walk_events_value(w, w->looking_at, t, w->y);
  if (share && w->cached < most_cached && !isnan(value)) {
    memcpy(w->cache + w->cached * w->count, w->value, sizeof(double) * (size_t)w->count);
    w->cache_t[w->cached++] = t;
  }
  return value;
}

// The gradient of a constraint nonlinear in the velocities, against its direction at the start of
// the step: where this falls through zero with the gradient itself vanishing, the constraint stops
// to say anything about accelerations and the motion beyond is not defined (the reaction grows
// without bound).
static double gradient_product(void* context, double t)
{
  walk_events* w = context;
  engine* e = w->flow->e;
  w->stepper->method->dense(w->stepper, t, w->y);
  if (rate_flow_load(w->flow, t, w->y)) return NAN;
  code_run(e->levels, e->in, e->level_out, e->scratch);
  double sum = 0;
  for (int j = 0; j < e->n; j++) sum += e->LA[w->looking_at * e->n + j] * w->gradient[j];
  return sum;
}

// What is watched of corner i, at the state in the input block: its switching function; where it is
// held, how far the value between the sides is from leaving its interval.
static double corner_value(const engine* e, int i, bool failed)
{
  if (failed && (e->held[i] || e->modes.reactive[i])) return NAN;
  return e->held[i] ? 1 - e->side[i] * e->side[i] : e->switching[i];
}

// all corners at once: they are looked at for the same times
static double switched(void* context, double t)
{
  walk_events* w = context;
  engine* e = w->flow->e;
  const int corners = e->modes.count;
  for (int k = 0; k < w->corners_cached; k++)
    if (w->corner_t[k] == t) return w->corner[k * corners + w->looking_at];
  w->stepper->method->dense(w->stepper, t, w->y);
  if (rate_flow_load(w->flow, t, w->y)) return NAN;
  bool needed = e->held_count > 0;
  for (int i = 0; i < corners; i++) needed = needed || e->modes.reactive[i];
  const bool failed = needed && contact_accelerations(e);
  code_run(e->switches, e->in, e->switching, e->scratch);
  if (w->corners_cached < most_cached) {
    for (int i = 0; i < corners; i++)
      w->corner[w->corners_cached * corners + i] = corner_value(e, i, failed);
    w->corner_t[w->corners_cached++] = t;
  }
  return corner_value(e, w->looking_at, failed);
}

// which way a corner is passed: for one that held the motion, the side its value has reached
static int passed(walk_events* w, const num_root* root)
{
  engine* e = w->flow->e;
  if (!e->held[w->looking_at])
    return root->direction == e->side[w->looking_at] ? 0 : root->direction;
  w->corners_cached = 0;
  switched(w, root->t);
  return root->direction < 0 ? (e->side[w->looking_at] > 0 ? 1 : -1) : 0;
}

static double gradient_norm(const engine* e, int k)
{
  double sum = 0;
  for (int j = 0; j < e->n; j++) sum += e->LA[k * e->n + j] * e->LA[k * e->n + j];
  return sqrt(sum);
}

static bool wanted(const walk_events* w, int which, int direction)
{
  const model* m = w->flow->e->model;
  if (which >= m->events) return direction >= 0; // the end of a stage: rising, or just reached
  return !m->event[which].direction || m->event[which].direction == direction;
}

static void look_at_constraints(walk_events* w)
{
  engine* e = w->flow->e;
  step_stepper* s = w->stepper;
  for (int r = 0; r < e->rows && !e->all_linear; r++) {
    const int k = e->row[r];
    if (e->model->constraint[k].order != 1 || e->model->constraint[k].linear) continue;
    w->looking_at = k;
    gradient_product(w, s->t_old);
    memcpy(w->gradient, e->LA + k * e->n, sizeof(double) * (size_t)e->n);
    const double before = gradient_norm(e, k);
    num_root root[most_roots];
    const int roots =
        num_roots(gradient_product, w, s->t_old, s->t, w->tolerance, most_roots, root);
    for (int i = 0; i < roots; i++) {
      gradient_product(w, root[i].t);
      if (gradient_norm(e, k) > 1e-5 * before) continue;
      base_push(&w->found, (walk_found){-1 - k, root[i].t, -1});
      break;
    }
  }
}

// corners: the first crossing after the one at which the present side was taken
static void look_at_corners(walk_events* w, double from)
{
  step_stepper* s = w->stepper;
  w->corners_cached = 0;
  for (int i = 0; i < w->flow->e->modes.count; i++) {
    const int which = w->count + i;
    w->looking_at = i;
    num_root root[most_roots];
    const int roots = num_roots(switched, w, from, s->t, w->tolerance, most_roots, root);
    for (int k = 0; k < roots; k++) {
      if (!root[k].direction || root[k].t <= w->last[which] + w->same) continue;
      const int direction = passed(w, &root[k]);
      if (!direction) continue;
      base_push(&w->found, (walk_found){which, root[k].t, direction});
      break;
    }
  }
}

// what stays positive while a unilateral constraint stays in its mode
static double contact_value(void* context, double t)
{
  walk_events* w = context;
  engine* e = w->flow->e;
  w->stepper->method->dense(w->stepper, t, w->y);
  if (rate_flow_load(w->flow, t, w->y)) return NAN;
  if (contact_inequality_needs(e, w->looking_at)) {
    if (contact_accelerations(e)) return NAN;
    contact_reactions(e);
  } else {
    code_run(e->levels, e->in, e->level_out, e->scratch);
  }
  return contact_inequality_watch(e, w->looking_at);
}

// the same for friction: sticking, and slip that begins
static double friction_value(void* context, double t)
{
  walk_events* w = context;
  w->stepper->method->dense(w->stepper, t, w->y);
  return rate_flow_load(w->flow, t, w->y) ? NAN : contact_slip_watch(w->flow->e, w->looking_at);
}

static void look_at_friction(walk_events* w, double from)
{
  const engine* e = w->flow->e;
  const int first = w->count + e->modes.count + w->contacts;
  for (int i = 0; i < w->contacts; i++) {
    num_root root[most_roots];
    if (!contact_slip_is_watched(e, i)) continue;
    w->looking_at = i;
    const int roots =
        num_roots(friction_value, w, from, w->stepper->t, w->tolerance, most_roots, root);
    for (int k = 0; k < roots; k++) {
      if (root[k].direction >= 0) continue;
      base_push(&w->found, (walk_found){first + i, root[k].t, -1});
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
static double contact_watch_scale(const engine* e, int i)
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
  if (e->active[e->unilateral->of[i]]) return;
  double low = from, high = w->stepper->t;
  contact_value(w, high);
  const double nothing = engine_leak * contact_watch_scale(e, i);
  if (!(contact_value(w, high) < -nothing)) return;
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
  base_push(&w->found, (walk_found){w->count + e->modes.count + i, high, -1});
}

// a gap that has just opened is rounding for a while, and passes zero without closing
static bool is_rounding(walk_events* w, int i, double t)
{
  engine* e = w->flow->e;
  const int k = e->unilateral->of[i];
  if (e->active[k] || e->model->constraint[k].order) return false;
  contact_value(w, t);
  return contact_inequality_rate(e, i) > -engine_noise_speed * contact_inequality_speed(e, i);
}

// unilateral constraints: a gap that closes, a reaction that vanishes
static void look_at_contacts(walk_events* w, double from)
{
  step_stepper* s = w->stepper;
  const engine* e = w->flow->e;
  const int first = w->count + e->modes.count;
  const bool redundant = e->implied_count > 0;
  if (redundant) walk_redundant_look(w, from);
  for (int i = 0; i < w->contacts; i++) {
    if (!e->unilateral->present[i] || (redundant && e->active[e->unilateral->of[i]])) continue;
    w->looking_at = i;
    num_root root[most_roots];
    const int roots = num_roots(contact_value, w, from, s->t, w->tolerance, most_roots, root);
    bool found = false;
    for (int k = 0; k < roots && !found; k++) {
      found = root[k].direction < 0 && !(root[k].t <= w->last[first + i] + w->same) &&
              !is_rounding(w, i, root[k].t);
      if (found) base_push(&w->found, (walk_found){first + i, root[k].t, -1});
    }
    if (!found) look_at_leak(w, i, from);
  }
}

// how far the branch followed is below its rival
static double lead_at(walk_events* w, double t)
{
  w->stepper->method->dense(w->stepper, t, w->y);
  if (rate_flow_load(w->flow, t, w->y)) return INFINITY;
  return engine_curved_lead(w->flow->e);
}

static bool rival_at(walk_events* w, double t)
{
  w->stepper->method->dense(w->stepper, t, w->y);
  return !rate_flow_load(w->flow, t, w->y) && engine_curved_find_rival(w->flow->e);
}

// The instant at which another branch becomes less than the one followed. All branches are looked
// at in the middle of the step and at its end; then the two in question are followed.
static void look_at_branches(walk_events* w, double from)
{
  enum { most_halvings = 80 };
  double low = from, high = from + (w->stepper->t - from) / 2;
  if (!rival_at(w, high)) {
    low = high;
    high = w->stepper->t;
    if (!rival_at(w, high)) return;
  }
  for (int k = 0; k < most_halvings && high - low > w->tolerance; k++) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    if (lead_at(w, middle) < 0)
      high = middle;
    else
      low = middle;
  }
  base_push(&w->found, (walk_found){WALK_FOUND_BRANCH, high, 1});
}

static int by_time(const void* a, const void* b)
{
  const walk_found *x = a, *y = b;
  return x->t != y->t ? (x->t > y->t) - (x->t < y->t)
                      : (x->watch > y->watch) - (x->watch < y->watch);
}

// all roots of one event, or the first of the end of a stage
static void look_at(walk_events* w, int which, double from)
{
  num_root root[most_roots];
  w->looking_at = which;
  rate_series* series = w->stepper->method->series_form ? w->flow->series : NULL;
  const double to = w->stepper->t;
  const int roots = series ? rate_series_roots(series, which, watched, w, from, to, w->tolerance,
                                               most_roots, root)
                           : num_roots(watched, w, from, to, w->tolerance, most_roots, root);
  // as many as there is room for: what lies behind the last is looked for again
  if (roots == most_roots) w->searched_to = fmin(w->searched_to, root[roots - 1].t);
  for (int k = 0; k < roots; k++) {
    if (!wanted(w, which, root[k].direction)) continue;
    // what is rounding on both sides has no sign to change
    if (!is_clear(w, which, from) && !is_clear(w, which, to)) continue;
    // the root it fired at last stands at the start of what is left of this step
    if (root[k].t <= w->last[which] + w->same) continue;
    base_push(&w->found, (walk_found){which, root[k].t, root[k].direction});
    if (which >= w->flow->e->model->events) break;
  }
}

void walk_events_step(walk_events* w, step_stepper* s, double from, int stage)
{
  const model* m = w->flow->e->model;
  w->stepper = s;
  w->cached = 0;
  w->found.n = 0;
  w->searched_to = s->t;
  const double scale = fmax(fmax(fabs(s->t_old), fabs(s->t)), 1e-3);
  w->tolerance = 2e-15 * scale;
  w->same = 1e-12 * scale;
  if (s->method->series_form && w->count) rate_series_watch(w->flow->series, s->t_old);
  for (int i = 0; i < m->events; i++) look_at(w, i, from);
  // the end of a stage known as a time is stepped to, not looked for
  if (stage >= 0 && m->stage[stage].until != EXPR_NONE && m->stage[stage].until_time == EXPR_NONE)
    look_at(w, m->events + stage, from);
  look_at_corners(w, from);
  look_at_constraints(w);
  if (w->contacts) look_at_contacts(w, from);
  if (w->contacts) look_at_friction(w, from);
  if (w->flow->e->curved) look_at_branches(w, from);
  if (m->contacts) {
    walk_leave_look(w, from);
    walk_foot_look(w, from);
    walk_stick_look(w, from);
  }
  if (w->found.n) qsort(w->found.at, (size_t)w->found.n, sizeof *w->found.at, by_time);
  while (w->found.n && w->found.at[w->found.n - 1].t > w->searched_to) w->found.n--;
}

void walk_events_free(walk_events* w)
{
  if (w) base_list_free(&w->found);
}
