// Events of the model and ends of stages: located on the dense output of a step, none skipped
// inside it; and what an event does.
#include "contact/contact.h"
#include "walk/instant.h"
#include "walk/sinks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_roots = 64, most_cached = WALK_CACHED };

// how many there are of each kind
static void count_all(const engine* e, int* count)
{
  const model* m = e->model;
  bool curved = false, nonlinear = false;
  for (int k = 0; k < e->m; k++) {
    curved = curved || mech_is_nonlinear(e->s, k);
    nonlinear = nonlinear || (m->constraint[k].order == 1 && !m->constraint[k].linear);
  }
  const int of[WALK_KINDS] = {[WALK_EVENT] = m->events,
                              [WALK_STAGE] = m->stages,
                              [WALK_DELAY] = m->delays > 0,
                              [WALK_LEAVING] = m->contacts,
                              [WALK_FOOT] = m->contacts,
                              [WALK_FACING] = e->unilateral && e->unilateral->facings,
                              [WALK_CORNER] = e->program->modes.count,
                              [WALK_GAP] = e->unilateral ? e->unilateral->count : 0,
                              [WALK_SLIP] = e->unilateral ? e->unilateral->count : 0,
                              [WALK_GRIP] = MODEL_GRIPS * m->contacts,
                              [WALK_BRANCH] = curved ? engine_curved_places(e) : 0,
                              [WALK_GRADIENT] = nonlinear ? e->m : 0};
  memcpy(count, of, sizeof of);
}

int walk_events_of(const engine* e, walk_kind kind)
{
  int count[WALK_KINDS];
  count_all(e, count);
  return count[kind];
}

// values of `count` functions at the times that were looked at last
static double* cache_of(const engine* e, int count, double** t)
{
  const size_t times = count ? most_cached : 1;
  *t = base_arena_take(e->arena, sizeof(double) * times);
  return base_arena_take(e->arena, sizeof(double) * times * (size_t)(count + 1));
}

walk_events* walk_events_new(rate_flow* flow)
{
  engine* e = flow->e;
  walk_events* w = base_arena_take(e->arena, sizeof *w);
  w->flow = flow;
  w->astray = -1;
  w->begun = -INFINITY;
  w->count = e->model->events + e->model->stages;
  w->value = base_arena_take(e->arena, sizeof(double) * (size_t)(w->count + 1));
  w->stands = base_arena_take(e->arena, (size_t)w->count + 1);
  w->freed = base_arena_take(e->arena, sizeof(double) * (size_t)(w->count + 1));
  for (int i = 0; i < w->count; i++) w->freed[i] = NAN;
  w->came = base_arena_take(e->arena, (size_t)w->count + 1);
  w->contacts = e->unilateral ? e->unilateral->count : 0;
  int count[WALK_KINDS];
  count_all(e, count);
  size_t sum = WALK_KINDS;
  for (int kind = 0; kind < WALK_KINDS; kind++) sum += (size_t)count[kind];
  double* last = base_arena_take(e->arena, sizeof(double) * sum);
  for (int kind = 0; kind < WALK_KINDS; kind++) {
    const int all = count[kind];
    w->last[kind] = last;
    last += all + 1;
    for (int i = 0; i < all; i++) w->last[kind][i] = NAN;
    if (all) w->looks[w->look_count++] = (walk_kind)kind;
  }
  // gaps first: the rest is looked for no farther than the first of them closes
  for (int i = w->look_count - 1; i > 0; i--) {
    if (w->looks[i] != WALK_GAP) continue;
    w->looks[i] = w->looks[i - 1];
    w->looks[i - 1] = WALK_GAP;
  }
  w->y = base_arena_take(e->arena, sizeof(double) * (size_t)(flow->ode.n + 2 * e->m));
  w->near = base_arena_take(e->arena, sizeof(double) * (size_t)flow->ode.n);
  w->cache = cache_of(e, w->count, &w->cache_t);
  w->swing = base_arena_take(e->arena, sizeof *w->swing * (size_t)(e->program->modes.count + 1));
  for (int i = 0; i < e->program->modes.count; i++) contact_accumulation_forget(&w->swing[i]);
  walk_bounces_open(w, e);
  walk_limit_open(w, e);
  w->corner = cache_of(e, e->program->modes.count, &w->corner_t);
  w->gap = cache_of(e, w->contacts, &w->gap_t);
  w->gradient = base_arena_take(e->arena, sizeof(double) * (size_t)e->n);
  return w;
}

void walk_events_free(walk_events* w)
{
  if (!w) return;
  base_list_free(&w->found);
  base_list_free(&w->ended);
  base_list_free(&w->followed);
}

int walk_events_load(walk_events* w, double t)
{
  w->loads++;
  w->stepper->method->dense(w->stepper, t, w->y);
  return rate_flow_load(w->flow, t, w->y);
}

void walk_events_found(walk_events* w, walk_kind kind, int index, double t, int direction)
{
  base_push(&w->found, (walk_found){kind, index, t, direction});
}

double walk_events_value(walk_events* w, int which, double t, const double* y)
{
  engine* e = w->flow->e;
  if (rate_flow_load(w->flow, t, y)) return NAN;
  if (e->program->watch_needs_accelerations[which] && rate_flow_forces(w->flow)) return NAN;
  code_run(e->program->watches, e->in, w->value, e->work.scratch);
  return w->value[which];
}

// Derivatives of what is held, and what constraints keep at zero, are noughts of rounding. A
// velocity may be a difference of velocities that are chosen as independent: their noise is tried
// with several signs, by the digits of their numbers, so that it does not cancel.
double walk_events_clear_value(walk_events* w, int which, double t, const double* y)
{
  enum { digits = 3 };
  double beside[digits], apart = 0;
  for (int k = 0; k < digits; k++) {
    for (int j = 0; j < w->flow->ode.n; j++)
      w->near[j] =
          y[j] + (j >> k & 1 ? 1 : -1) * engine_noise_state * rate_flow_size_at_rest(w->flow, j);
    beside[k] = walk_events_value(w, which, t, w->near);
  }
  const double value = walk_events_value(w, which, t, y);
  for (int k = 0; k < digits; k++) {
    const double off = fabs(value - beside[k]);
    if (!(off <= apart) && !isnan(apart)) apart = off;
  }
  w->felt = apart != 0;
  return fabs(value) > apart ? value : 0;
}

static bool is_clear(walk_events* w, int which, double t)
{
  w->stepper->method->dense(w->stepper, t, w->y);
  return walk_events_clear_value(w, which, t, w->y) != 0;
}

// Of the time alone: no state is read for it, which may cost as much as a step does. What others
// watch is not known then, and not kept.
static double watched_time(walk_events* w, double t)
{
  engine* e = w->flow->e;
  engine_time(e, t);
  code_run(e->program->watches, e->in, w->value, e->work.scratch);
  return w->value[w->looking_at];
}

// Of places alone: velocities may have to be solved for.
static double watched_places(walk_events* w, double t)
{
  engine* e = w->flow->e;
  rate_flow_load_places(w->flow, t, w->y);
  code_run(e->program->watches, e->in, w->value, e->work.scratch);
  return w->value[w->looking_at];
}

static double watched(void* context, double t)
{
  walk_events* w = context;
  const engine* e = w->flow->e;
  if (!e->program->watch_needs_state[w->looking_at]) return watched_time(w, t);
  // with accelerations only where this one needs them: a value without them must not be kept for
  // others
  const bool share = !e->program->any_watch_needs_accelerations;
  for (int i = 0; share && i < w->cached; i++)
    if (w->cache_t[i] == t) return w->cache[i * w->count + w->looking_at];
  w->stepper->method->dense(w->stepper, t, w->y);
  const double value = e->program->any_watch_needs_velocities
                           ? walk_events_value(w, w->looking_at, t, w->y)
                           : watched_places(w, t);
  if (share && w->cached < most_cached && !isnan(value)) {
    memcpy(w->cache + w->cached * w->count, w->value, sizeof(double) * (size_t)w->count);
    w->cache_t[w->cached++] = t;
  }
  return value;
}

static bool wanted(const walk_events* w, int which, int direction)
{
  const model* m = w->flow->e->model;
  if (which >= m->events) return direction >= 0; // the end of a stage: rising, or just reached
  return !m->event[which].direction || m->event[which].direction == direction;
}

// on a straight line, which is all that a step in which velocities jump has: by its ends
static int root_on_line(walk_events* w, double from, double to, num_root* root)
{
  const double before = watched(w, from), behind = watched(w, to);
  if (!(before * behind < 0) && !(before != 0 && behind == 0)) return 0;
  root->direction = behind > before ? 1 : -1;
  root->t = behind == 0 ? to : num_bracket(watched, w, from, before, to, behind, w->tolerance);
  return 1;
}

static int roots_in_step(walk_events* w, int which, double from, num_root* root)
{
  const step_stepper* s = w->stepper;
  if (s->method->leap_form) return root_on_line(w, from, s->t, root);
  if (!s->method->series_form)
    return num_roots(watched, w, from, s->t, w->tolerance, most_roots, root);
  return rate_series_roots(w->flow->series, which, watched, w, from, s->t, w->tolerance, most_roots,
                           root);
}

// A value that stands at zero, from the start or since it came there, leaves it without passing
// it: rounding that only comes nearer to its root, as that of a velocity that begins, or what a
// place put back on the constraints has left of the crossing just told. A short hop goes away
// first.
static bool only_leaves(walk_events* w, int which, double from, double root)
{
  if (!w->stands[which]) return false;
  w->stands[which] = !is_clear(w, which, from);
  return w->stands[which] && fabs(watched(w, from + (root - from) / 2)) <= fabs(watched(w, from));
}

// Does an event's value come to zero and go back by no more than rounding? It has not passed: where
// the farthest point of a way lies on its limit, rounding tells whether there is a root at all.
// What a stage waits for is reached there. A hop from zero that is too low to be told is none of
// that.
static bool only_touches(walk_events* w, int which, double from, const num_root* root, int left)
{
  if (which >= w->flow->e->model->events || !is_clear(w, which, from)) return false;
  if (!root->direction) return true;
  return left && root[1].direction == -root->direction &&
         !is_clear(w, which, root->t + (root[1].t - root->t) / 2);
}

// The way in which a value leaves zero that stood there until something happened at `from`, as the
// speed of a slip that begins: the sign of the first that is no rounding. 0: it stays, or passed
// zero all the time by no more than that.
static int way_of_leaving(walk_events* w, int which, double from)
{
  if (!(w->freed[which] <= from)) return 0;
  for (int k = 3; k >= 0; k--) {
    const double t = from + ldexp(w->stepper->t - from, -k);
    w->stepper->method->dense(w->stepper, t, w->y);
    const double value = walk_events_clear_value(w, which, t, w->y);
    if (value != 0) return value > 0 ? 1 : -1;
  }
  return 0;
}

// an event whose value leaves zero at the start of the step; it is the first that the step has
static void look_at_leaving(walk_events* w, int which, double from)
{
  const int way = way_of_leaving(w, which, from);
  if (!way) return;
  w->freed[which] = NAN;
  w->last[WALK_EVENT][which] = from;
  if (wanted(w, which, way)) walk_events_found(w, WALK_EVENT, which, from, way);
}

// all roots of one event, or the first of the end of a stage
static void look_at(walk_events* w, int which, double from)
{
  num_root root[most_roots];
  w->looking_at = which;
  const int events = w->flow->e->model->events;
  const bool stage = which >= events;
  const walk_kind kind = stage ? WALK_STAGE : WALK_EVENT;
  const int index = stage ? which - events : which;
  const double to = w->stepper->t;
  const int roots = roots_in_step(w, which, from, root);
  // as many as there is room for: what lies behind the last is looked for again
  if (roots == most_roots) w->searched_to = fmin(w->searched_to, root[roots - 1].t);
  for (int k = 0; k < roots; k++) {
    if (only_touches(w, which, from, root + k, roots - k - 1)) {
      k += root[k].direction != 0; // and back
      continue;
    }
    // what is rounding on both sides has no sign to change
    if (!is_clear(w, which, from) && !is_clear(w, which, to)) continue;
    // the root it fired at last stands at the start of what is left of this step
    if (root[k].t <= w->last[kind][index] + w->same) continue;
    // at the very start, off by the rounding of the state that was solved for
    if (!stage && root[k].t <= w->begun) continue;
    if (k == 0 && only_leaves(w, which, from, root[k].t)) continue;
    w->came[which] = true;
    if (!wanted(w, which, root[k].direction)) continue;
    walk_events_found(w, kind, index, root[k].t, root[k].direction);
    if (stage) break;
  }
}

void walk_event_look(walk_events* w, double from)
{
  for (int i = 0; i < w->flow->e->model->events; i++) {
    look_at_leaving(w, i, from);
    look_at(w, i, from);
  }
}

// the end of a stage known as a time is stepped to, not looked for
void walk_stage_look(walk_events* w, double from)
{
  const model* m = w->flow->e->model;
  if (w->stage < 0 || m->stage[w->stage].until == EXPR_NONE ||
      m->stage[w->stage].until_time != EXPR_NONE)
    return;
  look_at(w, m->events + w->stage, from);
}

// ---- what an event does -------------------------------------------------------------------------

static bool sets_state(const model_change* c)
{
  for (int i = 0; i < c->sets; i++)
    if (c->set[i].target != MODEL_SET_PARAM) return true;
  return c->imposes > 0;
}

// rate of the value of event k up to time t of the last step
static double rate_before(walk_job* r, int k, double t)
{
  const double back = engine_step_back * (t - r->stepper->t_old);
  if (!(back > 0)) return 0;
  r->stepper->method->dense(r->stepper, t - back, r->y);
  return -walk_events_value(r->watch, k, t - back, r->y) / back;
}

void walk_event_tell(walk_job* r, walk_instant* in, const walk_found* found)
{
  const model_event* event = &r->s->model->event[found->index];
  const bool silent = event->action == MODEL_LEAVE || event->every != EXPR_NONE;
  if (!silent) walk_sinks_happening(r, found, NULL, in->y);
  if (!r->over && !silent && event->action == MODEL_CHANGE)
    r->approach[found->index] = rate_before(r, found->index, in->t);
  if (r->over || (event->action != MODEL_STOP && event->action != MODEL_LEAVE)) return;
  // what is left at the very end is not needed any more
  if (event->action == MODEL_LEAVE && in->t >= r->t_end) return;
  char text[400];
  const bool leaves = event->action == MODEL_LEAVE;
  snprintf(text, sizeof text, leaves ? "%s at t = %.10g" : "event `%s` at t = %.10g", event->name,
           in->t);
  walk_run_stop(r, leaves ? WALK_UNFINISHED : WALK_STOPPED, text);
  in->ends = true;
}

void walk_event_happen(walk_job* r, walk_instant* in, const walk_found* found)
{
  const int k = found->index;
  const model_event* event = &r->s->model->event[k];
  const double pause = in->t - r->watch->last[WALK_EVENT][k];
  r->watch->last[WALK_EVENT][k] = in->t;
  if (event->action != MODEL_CHANGE) return;
  r->faster = r->just_happened == k && pause < r->pause;
  r->just_happened = k;
  r->pause = pause;
  // pauses that vanish: the times of this event accumulate
  r->rapid = pause < engine_no_pause * engine_scale_instant(r->e, in->t) ? r->rapid + 1 : 0;
  if (r->rapid >= 3) {
    char text[200];
    snprintf(text, sizeof text,
             "at t = %.10g: event `%s` happens ever faster; its times accumulate there", in->t,
             event->name);
    walk_run_stop(r, WALK_UNFINISHED, text);
    in->ends = true;
    return;
  }
  walk_sample_taken(r, k);
  walk_instant_set(r, in, &event->change);
  r->just_changed = sets_state(&event->change) ? k : -1;
  r->changed_at = in->t;
}
