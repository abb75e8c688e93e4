// Inequalities during a step: gaps that close, reactions that vanish, friction that does not hold.
#include "contact/contact.h"
#include "walk/happenings.h"

#include <math.h>

enum { most_roots = 64 };
// of the time until the first gap closes at its present speed: the stretch that is searched
static const double more_than_due = 1.25;

// ---- values -------------------------------------------------------------------------------------

// an open gap asks for places alone, and velocities may have to be solved for
static bool is_place(const engine* e, int i)
{
  const int k = e->unilateral->of[i];
  return !e->mode.active[k] && !e->model->constraint[k].order && e->mode.regime != i;
}

static int load(walk_events* w, double t)
{
  if (!w->by_places) return walk_events_load(w, t);
  w->loads++;
  w->stepper->method->dense(w->stepper, t, w->y);
  rate_flow_load_places(w->flow, t, w->y);
  return 0;
}

// What stays positive while the inequalities stay in their modes, or friction in its own: of all at
// time t, since they share its evaluation; null where it has no room among those kept.
static const double* values_at(walk_events* w, double t)
{
  for (int i = 0; i < w->gaps_cached; i++)
    if (w->gap_t[i] == t) return w->gap + i * w->contacts;
  if (w->gaps_cached == WALK_CACHED) return NULL;
  double* value = w->gap + w->gaps_cached * w->contacts;
  if (load(w, t))
    for (int i = 0; i < w->contacts; i++) value[i] = NAN;
  else
    w->values(w->flow->e, value);
  w->gap_t[w->gaps_cached++] = t;
  return value;
}

// of one, with the engine there
static double contact_value(walk_events* w, double t)
{
  return walk_events_load(w, t) ? NAN : contact_inequality_value(w->flow->e, w->looking_at);
}

static double place_value(walk_events* w, double t)
{
  engine* e = w->flow->e;
  w->stepper->method->dense(w->stepper, t, w->y);
  rate_flow_load_places(w->flow, t, w->y);
  return contact_inequality_value(e, w->looking_at);
}

static double kept_value(void* context, double t)
{
  walk_events* w = context;
  const double* value = values_at(w, t);
  if (value) return value[w->looking_at];
  return is_place(w->flow->e, w->looking_at) ? place_value(w, t) : contact_value(w, t);
}

// the same for friction: sticking, and slip that begins
static double friction_value(void* context, double t)
{
  walk_events* w = context;
  const double* value = values_at(w, t);
  if (value) return value[w->looking_at];
  return walk_events_load(w, t) ? NAN : contact_slip_watch(w->flow->e, w->looking_at);
}

// all of what is kept is to be of this kind, at NUM_ROOTS_SAMPLES places of a stretch to begin with
static void sample_all(walk_events* w, void (*values)(engine*, double*), double from, double to,
                       const double** value)
{
  const engine* e = w->flow->e;
  w->values = values;
  w->gaps_cached = 0;
  w->by_places = values == contact_inequality_values;
  for (int i = 0; i < w->contacts && w->by_places; i++)
    w->by_places = !e->unilateral->present[i] || is_place(e, i);
  for (int j = 0; j < NUM_ROOTS_SAMPLES; j++)
    value[j] = values_at(w, num_roots_sample(from, to, j));
}

// samples that show that the value of i stays positive
static bool stays(const double* const* value, int i)
{
  double sample[NUM_ROOTS_SAMPLES];
  for (int j = 0; j < NUM_ROOTS_SAMPLES; j++) sample[j] = value[j][i];
  return sample[0] > 0 && num_roots_none(sample);
}

// what is held whatever it presses with neither leaves nor begins to slip
static bool is_carried(const walk_events* w, int i)
{
  return w->carried && w->carried[i];
}

static bool any_friction(const walk_events* w)
{
  bool any = false;
  for (int i = 0; i < w->contacts && !any; i++) any = contact_slip_is_watched(w->flow->e, i);
  return any;
}

// the slip in space of the one looked at, along what it was at the start
typedef struct turning
{
  walk_events* w;
  double first[2];
} turning;

static double along_first(void* context, double t)
{
  const turning* x = context;
  double slip[2] = {0};
  if (walk_events_load(x->w, t)) return NAN;
  contact_slip_in_space(x->w->flow->e, x->w->looking_at, slip);
  return slip[0] * x->first[0] + slip[1] * x->first[1];
}

// Slip in space that is led through zero turns back there: without a force of its own to notice,
// as friction is what it was but for its direction.
static void look_at_turn(walk_events* w, int i, double from)
{
  engine* e = w->flow->e;
  turning x = {.w = w};
  num_root root[most_roots];
  w->looking_at = i;
  if (walk_events_load(w, from) || contact_slip_has_stopped(e, i, w->flow->ode.rel_tol)) return;
  if (!contact_slip_in_space(e, i, x.first) || !(along_first(&x, w->searched_to) < 0)) return;
  const int roots =
      num_roots(along_first, &x, from, w->searched_to, w->tolerance, most_roots, root);
  for (int k = 0; k < roots; k++) {
    if (root[k].direction >= 0 || walk_events_load(w, root[k].t)) continue;
    if (contact_slip_speed(e, i) > 0 && !contact_slip_has_stopped(e, i, w->flow->ode.rel_tol))
      return;
    walk_events_found(w, WALK_SLIP, i, root[k].t, -1);
    return;
  }
}

// the first instant at which friction of one does not hold any more, if any
static void look_at_friction(walk_events* w, int i, double from)
{
  num_root root[most_roots];
  w->looking_at = i;
  const int roots =
      num_roots(friction_value, w, from, w->searched_to, w->tolerance, most_roots, root);
  for (int k = 0; k < roots; k++) {
    if (root[k].direction >= 0) continue;
    walk_events_found(w, WALK_SLIP, i, root[k].t, -1);
    return;
  }
  const double shows = walk_events_shows(friction_value, w, from, w->searched_to, engine_over_cone);
  if (!isnan(shows)) walk_events_found(w, WALK_SLIP, i, shows, -1);
}

void walk_slip_look(walk_events* w, double from)
{
  const engine* e = w->flow->e;
  const double* value[NUM_ROOTS_SAMPLES];
  for (int i = 0; i < w->contacts && contact_slips_in_space(e); i++) look_at_turn(w, i, from);
  if (!any_friction(w)) return;
  sample_all(w, contact_slip_watches, from, w->searched_to, value);
  for (int i = 0; i < w->contacts; i++)
    if (contact_slip_is_watched(e, i) && !is_carried(w, i) && !stays(value, i))
      look_at_friction(w, i, from);
}

// the gap velocity of an open contact at t
static double rate_at(walk_events* w, int i, double t)
{
  contact_value(w, t);
  return contact_inequality_rate(w->flow->e, i);
}

// what is nothing of the watched value of a constraint below zero; levels and, for accelerations
// and forces, equations evaluated
static double watch_noise(const engine* e, int i)
{
  const int k = e->unilateral->of[i], order = e->model->constraint[k].order;
  if (e->mode.active[k]) {
    const engine* own = contact_inequality_place(e, &i);
    return engine_has_pulled * engine_scale_reaction(own, own->A + own->unilateral->of[i] * own->n);
  }
  return engine_leak * (order == 0   ? engine_scale_place(e, e->LA + k * e->n)
                        : order == 1 ? engine_scale_speed(e, e->LA + k * e->n)
                                     : engine_scale_acceleration(e, e->A + k * e->n));
}

// A constraint taken as open at its very limit may be passed without a change of sign, where
// rounding decided at the start: the instant at which that shows. So may one that is taken to hold,
// and pulls from the start. One of order 0 that is beyond its limit from the start, by what impacts
// taken together left, leaves for a while: the instant at which it turns.
static void look_at_leak(walk_events* w, int i, double from, double to)
{
  engine* e = w->flow->e;
  if (!(kept_value(w, to) < 0)) return;
  double low = from, high = to;
  const double end = contact_value(w, high), nothing = watch_noise(e, i);
  if (!(end < -nothing)) return;
  const int k = e->unilateral->of[i];
  const bool leaves = e->model->constraint[k].order == 0 && !e->mode.active[k] &&
                      contact_value(w, from) < -nothing && rate_at(w, i, from) > 0;
  if (leaves && rate_at(w, i, high) > 0) return;
  for (int turn = 0; turn < 60 && high - low > w->tolerance; turn++) {
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

// Does the gap looked at pass zero and come back by no more than rounding, as that of a point whose
// way touches its limit from inside? Where it does depends on how the gap is computed.
static bool only_touches(walk_events* w, int i, const num_root* root, int left)
{
  engine* e = w->flow->e;
  const int k = e->unilateral->of[i];
  if (e->mode.active[k] || e->model->constraint[k].order) return false;
  if (!left || root[1].direction <= 0) return false;
  const double deepest = contact_value(w, root->t + (root[1].t - root->t) / 2);
  return deepest > -engine_noise_gap * engine_scale_place(e, e->LA + k * e->n);
}

// is it looked at by its own value?
static bool is_watched(const walk_events* w, int i)
{
  const engine* e = w->flow->e;
  const int row = e->unilateral->of[i];
  return e->unilateral->present[i] && !is_carried(w, i) && !contact_is_still(e, i) &&
         !(e->mode.active[row] && contact_is_redundant_beside(e, row));
}

// What is rounding in the gap looked at, less than any bounce is high: one that stands at its limit
// without a motion, as where friction holds the body there, has nothing else, and a polynomial is
// sought for it in vain.
static double noise_of_gap(void* context)
{
  const walk_events* w = context;
  const engine* e = w->flow->e;
  if (!is_place(e, w->looking_at)) return 0;
  return engine_least_hop * engine_scale_place(e, e->LA + e->unilateral->of[w->looking_at] * e->n);
}

// Is there nothing but rounding in it? Where it only leaves its limit, as t^3 does, its rounding
// taken for noise would fill the room of roots with touches.
static bool only_stands(walk_events* w, double from, double to)
{
  static const double places[] = {0, 0.2713, 0.5, 0.7187, 1};
  bool stands = true;
  double noise = 0;
  for (int k = 0; k < 5 && stands; k++) {
    const double value = kept_value(w, from + (to - from) * places[k]);
    if (!k) noise = noise_of_gap(w);
    stands = fabs(value) <= noise;
  }
  return stands;
}

// the first closing of one in a stretch of the step, if any
static void look_at(walk_events* w, int i, double from, double to)
{
  num_root root[most_roots];
  w->looking_at = i;
  const int roots = num_roots_beyond(kept_value, only_stands(w, from, to) ? noise_of_gap : NULL, w,
                                     from, to, w->tolerance, most_roots, root);
  for (int k = 0; k < roots; k++) {
    if (root[k].direction >= 0 || root[k].t <= w->last[WALK_GAP][i] + w->same ||
        is_rounding(w, i, root[k].t) || only_touches(w, i, root + k, roots - k - 1))
      continue;
    walk_events_found(w, WALK_GAP, i, walk_impact_instant(w, i, root[k].t), -1);
    return;
  }
  look_at_leak(w, i, from, to);
}

// ---- stretches ----------------------------------------------------------------------------------

// The time in which the first of the open gaps would close at its present speed. That of bodies
// that pass each other would not, but the gap of a straight motion is convex: it closes no sooner.
static double time_to_close(walk_events* w, double t)
{
  engine* e = w->flow->e;
  const contact_inequalities* u = e->unilateral;
  double first = INFINITY;
  if (walk_events_load(w, t)) return first;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int i = 0; i < w->contacts; i++) {
    const int k = u->of[i];
    if (!u->present[i] || e->mode.active[k] || e->model->constraint[k].order ||
        contact_is_still(e, i))
      continue;
    const double gap = u->sign[i] * e->f0[k], rate = u->sign[i] * e->f1[k];
    if (gap > 0 && rate < 0) first = fmin(first, -gap / rate);
  }
  return first;
}

// all of them in one stretch of the step, sampled together
static void look_at_all(walk_events* w, double from, double to)
{
  const double* value[NUM_ROOTS_SAMPLES];
  sample_all(w, contact_inequality_values, from, to, value);
  for (int i = 0; i < w->contacts; i++)
    if (is_watched(w, i) && !stays(value, i)) look_at(w, i, from, to);
}

static double first_found(const walk_events* w)
{
  double first = INFINITY;
  for (int k = 0; k < w->found.n; k++)
    if (w->found.at[k].kind == WALK_GAP) first = fmin(first, w->found.at[k].t);
  return first;
}

// Do those that were still at the start of the step stay so? Seen at its end, on the constraints.
static void see_still(walk_events* w)
{
  engine* e = w->flow->e;
  bool moved;
  if (!e->mode.still_count) return;
  if (walk_events_load(w, w->stepper->t) || engine_project(e, &moved))
    contact_still_forget(e);
  else
    contact_still_look(e);
}

// Unilateral constraints: a gap that closes, a reaction that vanishes. The first of them ends the
// step, and a step may be much longer than the way to it: it is searched stretch by stretch, the
// first a little longer than the first gap needs to close.
void walk_gap_look(walk_events* w, double from)
{
  const double end = w->stepper->t;
  const engine* e = w->flow->e;
  see_still(w);
  if (w->contacts && contact_is_redundant(e)) walk_redundant_look(w, from);
  double length = engine_short_look * (end - from), at = from;
  while (at < end && at <= first_found(w) + w->same) {
    // what falls on the same instant as what was found may lie just behind
    length =
        at > first_found(w) ? 2 * w->same : fmax(2 * length, more_than_due * time_to_close(w, at));
    const double to = length < end - at ? at + length : end;
    look_at_all(w, at, to);
    at = to;
  }
  // the instant of an impact may be found a rounding behind
  const double found = first_found(w);
  w->searched_to = fmin(w->searched_to, isfinite(found) ? fmax(at, found) : at);
}
