// A run: steps, rows, residuals, until the end or a reason to stop.
#include "contact/contact.h"
#include "engine/engine.h"
#include "rate/rate.h"
#include "walk/checkpoint.h"
#include "walk/leaving.h"
#include "walk/method.h"
#include "walk/moreau.h"
#include "walk/singular.h"
#include "walk/sinks.h"
#include "walk/step_ends.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

walk_options walk_options_default(void)
{
  return (walk_options){.until = NAN};
}

static double seconds_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + engine_nanosecond * (double)now.tv_nsec;
}

// ---- the loop -----------------------------------------------------------------------------------

// inlined, as this is asked in every step; the first where one is not a number
static inline double sooner(double a, double b)
{
  return b < a ? b : a;
}

// choose new quasi-velocities before the present ones grow singular
static void renew_basis(walk_job* r)
{
  step_stepper* s = r->stepper;
  if (r->f->full || rate_flow_load(r->f, s->t, s->y)) return;
  if (!rate_flow_is_poor(r->f)) return;
  const bool reduced = r->f->reduced;
  if (rate_flow_rebase(r->f)) {
    walk_run_give_up(r, r->e->reason);
    return;
  }
  rate_flow_store(r->f, s->y[2 * r->e->n], r->y);
  r->track->basis_changes += reduced;
  r->track->restarts += reduced;
  if (s->method->amend(s, r->y) != STEP_OK) walk_run_give_up(r, s->reason);
}

// steps that stability alone keeps short are left to a method that is not limited by it
static bool drags(walk_job* r, double end, long attempts)
{
  const step_stepper* s = r->stepper;
  if (!r->may_change_method || s->method->has_history || s->method->decides) return false;
  if (!walk_watchdog_drags(&r->pace, s->t, end, attempts, s->y)) return false;
  const bool changed = walk_method_fall_back(r, r->pace.reason, true);
  walk_watchdog_forget(&r->pace);
  walk_watchdog_forget(&r->watchdog);
  return changed;
}

// steps that do not get on change the method, or end the run
static void watch_progress(walk_job* r)
{
  walk_watchdog* p = &r->watchdog;
  const step_stepper* s = r->stepper;
  const double end = isinf(r->t_end) ? walk_open_far(r) : r->t_end;
  const bool history = s->method->has_history;
  const long attempts = ++r->turns + s->counts.rejected;
  if (drags(r, end, attempts) || walk_watchdog_look(p, s->t, end, attempts, s->y, history)) return;
  if (walk_paradox_blocks(r)) return;
  if (!walk_singular_blocks(r) && !walk_method_fall_back(r, p->reason, false)) {
    char text[240];
    snprintf(text, sizeof text, "%s%s", p->reason,
             !p->hopeless ? ""
             : history    ? "; --method dop853 may"
                          : "; if the equations are stiff, try --method bdf");
    walk_run_give_up(r, text);
  }
  walk_watchdog_forget(p);
}

// of event k so long behind the start of this step; zero where that is rounding, or no more than is
// left at the place at which it happened
static double value_behind(walk_job* r, int k, double later)
{
  const double t = r->stepper->t_old + later;
  r->stepper->method->dense(r->stepper, t, r->y);
  const double value = walk_events_value(r->watch, k, t, r->y);
  return fabs(value) > r->changed_value ? value : 0;
}

static bool end_at_event(walk_job* r, const model_event* event)
{
  char text[300];
  snprintf(text, sizeof text,
           r->faster ? "at t = %.10g: event `%s` happens ever faster; its times accumulate there"
                     : "at t = %.10g: event `%s` happens again and again without end there",
           r->changed_at, event->name);
  walk_run_stop(r, WALK_UNFINISHED, text);
  r->track->t_reached = r->stepper->t_old;
  return true;
}

// After an event that sets the state so that it comes to its zero at another rate, the motion must
// leave it on the other side. Where it goes on through it, the event would happen again at once,
// and again: bounces that accumulate end here.
static bool passes_through(walk_job* r)
{
  const int k = r->just_changed;
  step_stepper* s = r->stepper;
  const model_event* event = &r->s->model->event[k];
  // the way it came, where both count
  const int way = event->direction ? event->direction : (r->approach[k] > 0) - (r->approach[k] < 0);
  const double instant = engine_same_time * engine_scale_instant(r->e, s->t_old);
  const double step = s->t - s->t_old, since = s->t - r->changed_at;
  r->just_changed = -1;
  if (!way) return false;
  if (!(r->changed_at < s->t_old)) {
    s->method->dense(s, s->t_old, r->y);
    // it was set itself to another value
    if (walk_events_clear_value(r->watch, k, s->t_old, r->y) != 0) return false;
    r->changed_value = 2 * fabs(walk_events_value(r->watch, k, s->t_old, r->y));
    double size = 0;
    for (int i = 0; i < r->f->ode.n; i++) size = fmax(size, rate_flow_size(r->f, i));
    r->changed_value += engine_noise_met * size;
  }
  // what begins at rest shows itself late, perhaps steps later
  if (value_behind(r, k, step) == 0) {
    r->just_changed = k;
    return false;
  }
  if (r->changed_at < s->t_old) {
    const double rate = value_behind(r, k, step) / since;
    return rate * way > 0 && fabs(rate) < 0.05 * fabs(r->approach[k]) && end_at_event(r, event);
  }
  double rate = 0, rate_before = 0;
  // A moment later, shorter and shorter: the step may be longer than the time to the next event.
  // The first step of some methods is hardly longer than an instant; in a shorter one nothing
  // shows.
  double first = fmax(engine_short_look * step, fmin(step, 1e3 * instant));
  if (!(first > instant)) return false;
  // two looks at least at what shows
  while (first < step && value_behind(r, k, first / 20) == 0) first = fmin(10 * first, step);
  for (double later = first; later > instant; later /= 10) {
    const double value = value_behind(r, k, later);
    // in a shorter time there is nothing but the rounding of the place at which it happened
    if (value == 0 && rate != 0) break;
    if (!(value * way > 0)) return false;
    // what was set has nothing to do with the event
    if (fabs(value / later - r->approach[k]) <= 0.05 * fabs(r->approach[k])) return false;
    rate_before = rate;
    rate = value / later;
  }
  // what was set lets it pass with a speed of its own: a push on the way. One turned back would
  // show that only in the shortest times.
  return !(rate * way > rate_before * way / 2) && end_at_event(r, event);
}

// Near a singular position rounding is all that an error estimate sees, and shorter steps only
// bring more stages nearer to it: the tolerance is loosened, and, nearer still, steps of a fiftieth
// of the usual ones are taken as they are.
static void allow_for_noise(walk_job* r)
{
  step_stepper* s = r->stepper;
  if (r->f->settling) {
    s->slack = fmax(1, engine_singular_exact / r->track->tolerance);
    s->least_step = r->e->margin < engine_blown_up ? r->usual_step / 50 : 0;
  } else {
    s->slack = r->fineness;
    s->least_step = 0;
    const double step = s->t - s->t_old, like_before = 0.8 * r->usual_step;
    r->usual_step = step > like_before ? step : like_before;
  }
}

// whatever lies in the last step happens, in its order; false when the step ends there
static bool search_step(walk_job* r, double* from)
{
  walk_events* w = r->watch;
  step_stepper* s = r->stepper;
  do {
    walk_events_step(w, s, *from, r->stage);
    for (int i = 0, next; i < w->found.n; i = next) {
      walk_found* at = w->found.at + i;
      for (next = i + 1; next < w->found.n && w->found.at[next].t <= at->t + w->same;) next++;
      const bool cut = walk_run_cut(r, *from, at, next - i);
      const double t = at->t;
      walk_delay_along(r, *from, t);
      walk_sinks_along(r, *from, t, false);
      if (r->over || walk_run_happen(r, at, next - i) || cut) return false;
      *from = t;
    }
    if (w->searched_to < s->t) *from = w->searched_to;
  } while (w->searched_to < s->t);
  return true;
}

// what happens with the end of the step: a stage is over, slip has come to rest; false: nothing
// does
static bool end_step(walk_job* r)
{
  const double t = r->stepper->t;
  walk_found_list* ended = &r->watch->ended;
  ended->n = 0;
  if (t >= r->stage_until) base_push(ended, (walk_found){WALK_STAGE, r->stage, t, 1});
  if (t < r->t_end && r->sample_next < INFINITY) walk_sample_due(r, t, ended);
  if (t < r->t_end && r->e->delays) walk_delay_due(r, t, ended);
  walk_limit_due(r, t, ended);
  if (!r->stepper->method->decides) {
    walk_grips_ended(r, ended);
    walk_slip_ended(r, ended);
  }
  return ended->n && walk_run_happen(r, ended->at, ended->n);
}

// how far the next step may go; what a model does not have is not asked for
static double limit_of(const walk_job* r, double before_position)
{
  const double t = r->stepper->t, end = isinf(r->t_end) ? walk_open_next(r) : r->t_end;
  const double ramp = r->e->p ? engine_ramp_next(r->e, t) : INFINITY;
  const double limit = sooner(sooner(sooner(end, walk_run_due(r)), sooner(ramp, before_position)),
                              t + r->longest_step);
  return r->e->delays ? walk_delay_before(r, limit) : limit;
}

// a step across a singular position, or through an event that must be left on its other side
static inline bool is_not_kept(walk_job* r)
{
  return (r->singular && walk_singular_inside(r)) || (r->just_changed >= 0 && passes_through(r));
}

static void one_step(walk_job* r)
{
  const double before_position = r->singular ? walk_singular_before(r) : INFINITY;
  if (r->over) return;
  step_stepper* s = r->stepper;
  const double limit = limit_of(r, before_position);
  *r->e->reason = 0;
  r->placed = false;
  rate_flow_before_step(r->f);
  allow_for_noise(r);
  r->doing = "no further step could be made";
  const step_status status = s->method->step(s, limit);
  if (status != STEP_OK && engine_curved_lost(r->e) >= 0) {
    walk_run_branch_lost(r);
    return;
  }
  if (status != STEP_OK && (walk_singular_blocks(r) || walk_paradox_blocks(r))) return;
  if (status != STEP_OK) {
    const char* why = *r->e->reason ? r->e->reason : s->reason;
    // the other method may know better why
    if (!walk_method_fall_back(r, why, false))
      walk_run_give_up(r, *r->e->reason ? r->e->reason : why);
    return;
  }
  if (is_not_kept(r)) return;
  double from = s->t_old;
  *s->reason = 0; // of attempts that were made good
  if (!search_step(r, &from)) return;
  // what cannot be looked into may hide anything
  if (*s->reason) {
    walk_run_give_up(r, s->reason);
    return;
  }
  walk_run_finish_step(r);
  walk_delay_along(r, from, s->t);
  if (r->over) return;
  walk_sinks_along(r, from, s->t, true);
  if (r->over) return;
  if (!end_step(r)) renew_basis(r);
}

// events that are true at the very start are not crossings
static void silence_start(walk_job* r)
{
  const double from = r->track->t_from, span = r->t_end - from;
  r->watch->begun = from + (isfinite(span) ? engine_same_time * span : 0);
  for (int i = 0; i < r->s->model->events; i++) {
    r->watch->stands[i] = walk_events_clear_value(r->watch, i, r->track->t_from, r->y) == 0;
    if (r->watch->stands[i]) r->watch->last[WALK_EVENT][i] = r->track->t_from;
  }
}

// the very start: what is kept of it, and a stage that ends there
static void begin(walk_job* r, double t)
{
  memcpy(r->y_start, r->y, sizeof(double) * (size_t)r->f->ode.n);
  silence_start(r);
  walk_leave_start(r->e);
  // looking for events has moved the engine
  if (r->s->model->events || r->e->delays) rate_flow_load(r->f, t, r->y_start);
  walk_sinks_open(r);
  if (r->over || !walk_stage_is_over(r, t, r->y_start)) return;
  const walk_found end = {WALK_STAGE, r->stage, t, 1};
  walk_run_happen(r, &end, 1);
}

// operations of an attempt by power series: those of the equations for each two of its orders;
// others are told nothing of
static double effort_of(const walk_job* r)
{
  if (!r->stepper->method->series_form) return 0;
  const double orders = step_method_taylor_order(r->track->tolerance);
  return engine_operations(r->e->program) * orders * orders / 2;
}

bool walk_run_begin(walk_job* r)
{
  r->told = base_notes_count(r->notes);
  const double t = r->track->t_from;
  for (int kind = 0; kind < WALK_KINDS; kind++) r->idle[kind] = (walk_idle){-INFINITY, 0};
  r->just_changed = -1;
  r->start = walk_run_energy(r);
  r->track->energy_start = r->start.E;
  r->track->t_reached = t;
  const step_status status = walk_method_start(r, t);
  if (status != STEP_OK) {
    walk_run_give_up(r, *r->e->reason ? r->e->reason : r->stepper->reason);
    return false;
  }
  rate_flow_load(r->f, t, r->y);
  contact_still_find(r->e);
  engine_delays_begin(r->e, t);
  if (r->moreau) engine_scales_see(r->e, r->e->q, r->e->v, r->e->a);
  begin(r, t);
  const int n = r->e->n;
  walk_watchdog_start(&r->watchdog, n, r->places, r->track->tolerance, t);
  walk_watchdog_start_for_others(&r->pace, n, r->places + walk_watchdog_rows * n,
                                 r->track->tolerance, r->f->abs_tol, t);
  r->watchdog.effort = effort_of(r);
  return true;
}

void walk_run_turn(walk_job* r)
{
  one_step(r);
  if (!r->over) watch_progress(r);
  if (!r->over) walk_need_look(r);
  if (isinf(r->t_end)) walk_open_watch(r);
  walk_sinks_turn(r);
  walk_checkpoint_turn(r);
}

void walk_run_go_on(walk_job* r)
{
  while (!r->over && r->stepper->t < r->t_end) walk_run_turn(r);
  walk_ends_note(r);
}

void walk_run_steps(walk_job* r)
{
  if (!walk_run_begin(r)) return;
  if (r->o->onward) walk_checkpoint_take_up(r);
  walk_run_go_on(r);
}

static void judge(walk_job* r)
{
  const char* help = "try a smaller --tol, or another --method";
  if (r->moreau) {
    walk_moreau_judge(r);
    return;
  }
  walk_trust_energy(r, walk_trust_allowed(r->track->tolerance), help);
  walk_trust_constraints(r, help);
  walk_trust_sides(r, help);
}

bool walk_run_open(walk_job* r)
{
  const mech_system* s = r->s;
  walk_track* t = r->track = walk_track_new_of(s);
  t->residual = base_arena_take(t->arena, sizeof *t->residual * (size_t)(s->m + 1));
  for (int k = 0; k < s->m; k++) t->residual[k] = (walk_residual){NAN, NAN, NAN};
  const walk_options* o = r->o;
  r->instant = NAN;
  r->fineness = 1;
  r->e = walk_method_engine(r);
  if (r->e && o->siconos) contact_inequality_use_siconos(r->e);
  if (r->e) r->e->beyond = o->beyond ? o->beyond : s->model->beyond;
  t->watched.width = o->watched;
  if (!r->e || (o->watched && !engine_watch(r->e, o->watched, o->watch, r->notes))) return false;
  return walk_run_prepare(r);
}

void walk_run_close(walk_job* r)
{
  if (r->stepper && r->stepper->method != &step_method_bridge)
    r->stepper->method->destroy(r->stepper);
  walk_singular_free(r->singular);
  walk_events_free(r->watch);
  walk_moreau_free(r->moreau);
  walk_flights_free(r->flights);
  if (r->f) rate_wide_free(r->f->wide);
  if (r->f) rate_wide_free(r->f->levels);
  engine_free(r->e);
}

static void note_sizes(const walk_job* r)
{
  const int n = r->e->n;
  double* size = base_arena_take(r->track->arena, sizeof(double) * (size_t)(2 * n + 1));
  for (int i = 0; i < n; i++)
    for (int level = 0; level < 2; level++) size[level * n + i] = walk_trust_rest(r, i, level);
  const double most = r->track->digits.good;
  r->track->digits = (walk_digits){.good = most > 0 ? most : NAN, .size = size};
}

void walk_run_end(walk_job* r)
{
  walk_track* t = r->track;
  judge(r);
  note_sizes(r);
  contact_guard_warn(r->e, t->t_reached, r->notes);
  t->counts = r->stepper->counts;
  if (t->status == WALK_DONE) t->t_to = t->t_reached;
}

walk_track* walk_run_plainly(mech_system* s, const walk_options* o, base_notes* notes)
{
  const double started = seconds_now();
  walk_job r = {.s = s, .o = o, .notes = notes};
  const bool ready = walk_run_open(&r);
  walk_track* t = r.track;
  if (ready) {
    walk_run_steps(&r);
    t = r.track; // another one, where it has started anew
    walk_run_end(&r);
    // the clock is asked no more than it has to be: short runs feel it
    t->seconds = seconds_now() - started;
  }
  walk_run_close(&r);
  if (ready) return t;
  walk_track_free(t);
  return NULL;
}
