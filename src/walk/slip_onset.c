// Slip that begins smoothly: the first stretch of it by one implicit step.
//
// Where |T| reaches mu N, slip begins with no rate, s = c t^2/2 e, while its direction turns back
// to the one that the forces want at the rate mu N W/|s|, W being the mobility of the slip: without
// bound at the start, and an explicit method would take about mu N W/sqrt(c s0) steps from s0 on.
// On the solution that begins at rest nothing is fast: collocation, which asks for the law at later
// times only, takes it in one step (step/onset.c).
//
// What begins is a grip of surfaces, or the slip of a rough contact. Each is a kind of its own in
// how it is let go and guessed; all else is the same.
#include "walk/slip_onset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "walk/losses.h"
#include "walk/slip_kinds.h"

enum { most_unknowns = 1200 };
// of the slip of the first stage
static const double small_difference = 0.02;
// of the time until something is due
static const double before_due = 0.9;

// how far nothing else is due, which is for steps to meet
static double horizon(const walk_slip_begins* o)
{
  const walk_job* r = o->r;
  const double due = fmin(fmin(r->t_end, walk_run_due(r)), engine_ramp_next(r->e, o->t)),
               known = r->e->delays ? r->e->delays->shortest : INFINITY;
  return fmin(before_due * (walk_delay_before(r, due) - o->t), known);
}

void walk_onset_look(engine* e, double* value)
{
  const int corners = e->program->modes.count, contacts = e->unilateral ? e->unilateral->count : 0;
  const bool failed = e->mode.held_count && contact_accelerations(e);
  if (corners) code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  for (int i = 0; i < corners; i++)
    value[i] = contact_slip_is_off(e, i) || contact_slip_is_idle(e, i) ? 1
               // one that begins is on its side from zero on
               : !e->mode.held[i] ? (e->side[i] < 0 ? -1 : 1) * e->work.switching[i]
               : failed           ? NAN
                                  : 1 - e->side[i] * e->side[i];
  for (int i = 0; i < contacts; i++) {
    value[corners + 2 * i] = contact_inequality_value(e, i);
    value[corners + 2 * i + 1] = contact_slip_is_watched(e, i) ? contact_slip_watch(e, i) : 1;
  }
  value[corners + 2 * contacts] = contact_facing_changes(e) ? -1 : 1;
}

static int modes_looked_at(const engine* e)
{
  return e->program->modes.count + (e->unilateral ? 2 * e->unilateral->count : 0) + 1;
}

// Is watch k looked at now? Of the ends of stages only that of the one under way.
static bool is_looked_at(const walk_job* r, int k)
{
  const int events = r->s->model->events;
  return k < events || k == events + r->stage;
}

// A corner at which the motion stands has no side yet, whatever rounding has left of its value.
static void stand(engine* e, double* value)
{
  for (int i = 0; i < e->program->modes.count; i++)
    if (!e->mode.held[i] && fabs(value[i]) < engine_noise_held * engine_scale_corner(e, i))
      value[i] = 0;
}

// no more exact than rounding in the slip allows; the speeds are those that were chosen for the
// slip
static void loosen(walk_slip_begins* o)
{
  o->ode = o->r->f->ode;
  const double looser = fmax(1, engine_slip_exact / o->ode.rel_tol);
  for (int k = 0; k < o->ode.n; k++) o->tolerances[k] = looser * o->ode.abs_tol[k];
  o->ode.rel_tol *= looser;
  o->ode.abs_tol = o->tolerances;
}

// what is watched, where it begins; events of this very instant are passed, whatever rounding
// leaves of them
static bool look(walk_slip_begins* o, const walk_instant* in, const double* y)
{
  walk_job* r = o->r;
  engine* e = r->e;
  const double t = o->t;
  for (int k = 0; k < r->watch->count; k++)
    if (is_looked_at(r, k)) o->watched[k] = walk_events_value(r->watch, k, t, y);
  for (int k = 0; k < in->count; k++)
    if (in->found[k].kind == WALK_EVENT) o->watched[in->found[k].index] = NAN;
  engine_state(e, t, o->q, o->v);
  walk_onset_look(e, o->watched + r->watch->count);
  stand(e, o->watched + r->watch->count);
  engine_state(e, t, o->q, o->v);
  if (!o->kind->let_go(o) || rate_flow_rebase(r->f)) return false;
  rate_flow_store(r->f, y[2 * e->n], o->y);
  loosen(o);
  return true;
}

// the slowest of the slips at the time h, of what it is measured by
static double least_slip_at(const walk_slip_begins* o, double h)
{
  double least = INFINITY;
  for (int k = 0; k < o->count; k++) {
    const walk_starting* g = &o->slip[k];
    least = fmin(least, (g->speed + h * (g->rate + 0.5 * g->growth * h)) / g->scale);
  }
  return least;
}

// with less an impulse does as well
static bool is_worth(void* context, double h)
{
  return least_slip_at(context, h) > engine_slip_smooth;
}

// how much all slips together change, of what they are measured by, with component k of the state
static double slips_by(walk_slip_begins* o, int k, double width)
{
  engine* e = o->r->e;
  double change = 0, *y = o->beside;
  memcpy(y, o->y, sizeof(double) * (size_t)o->ode.n);
  y[k] += width;
  if (rate_flow_load(o->r->f, o->t, y)) return INFINITY;
  for (int i = 0; i < o->count; i++)
    change = fmax(change, o->kind->speed(e, o->slip[i].i) / o->slip[i].scale);
  return change / width;
}

// differences small against the slip of the first stage, by which the law is curved; the slips are
// zero where it begins
static void choose_widths(void* context, double h, double* width)
{
  walk_slip_begins* o = context;
  const rate_flow* f = o->r->f;
  double c[STEP_ONSET_POINTS];
  step_radau_points(STEP_ONSET_POINTS, c);
  const double wish = small_difference * least_slip_at(o, c[0] * h);
  for (int k = 0; k < f->ode.n; k++) {
    const double size = k < o->r->e->n + f->l ? rate_flow_size(f, k) : 0;
    const double most = engine_difference * size, slope = size > 0 ? slips_by(o, k, most) : 0;
    width[k] = fmax(engine_least_difference * size, slope > 0 ? fmin(most, wish / slope) : most);
  }
}

// does a corner or an inequality pass its limit within the stretch?
static bool mode_changes(walk_slip_begins* o)
{
  engine* e = o->r->e;
  const int before = o->r->watch->count, count = modes_looked_at(e);
  double* value = o->watched + before + count;
  walk_onset_look(e, value);
  stand(e, value);
  for (int k = 0; k < count; k++)
    if (!(o->watched[before + k] * value[k] > 0) && (o->watched[before + k] != 0 || value[k] < 0))
      return true;
  return false;
}

// has anything happened within the stretch that steps would have found?
static bool eventful(walk_slip_begins* o, double t, const double* y)
{
  walk_job* r = o->r;
  engine* e = r->e;
  contact_load load;
  for (int k = 0; k < r->watch->count; k++)
    if (is_looked_at(r, k) && o->watched[k] * walk_events_value(r->watch, k, t, y) <= 0)
      return true;
  if (rate_flow_load(r->f, t, y) || mode_changes(o)) return true;
  if (rate_flow_load(r->f, t, y) || contact_guard_broken(e)) return true;
  for (int k = 0; k < o->count; k++)
    if (!(o->kind->speed(e, o->slip[k].i) > engine_slip_smooth * o->slip[k].scale) ||
        !(o->kind->gain(e, o->slip[k].i) > 0))
      return true;
  for (int k = 0; k < contact_grips(e); k++) {
    if (!contact_grip_acts(e, k)) continue;
    if (!contact_grip_load(e, k, &load) || !(e->lambda[contact_grip_contact(e, k)->gap] > 0))
      return true;
    if (contact_grip_sticks(e, k) && !(load.size <= load.most)) return true;
  }
  return false;
}

static bool is_quiet(void* context, double h, const double* y)
{
  walk_slip_begins* o = context;
  return !eventful(o, o->t + h, y);
}

// all is as it was, and it sticks, or begins to slip
static void restore(walk_slip_begins* o)
{
  engine* e = o->r->e;
  o->kind->hold(o);
  engine_state(e, o->t, o->q, o->v);
  engine_set_aside(e);
  *e->reason = 0;
}

static void state_in_stretch(void* context, double t, double* y)
{
  const walk_slip_begins* o = context;
  step_onset_value(&o->step, (t - o->t) / o->h, y);
}

// rows that are due in the stretch, from its polynomial
static void rows_of_stretch(walk_slip_begins* o)
{
  walk_job* r = o->r;
  walk_rows* c = r->record;
  while (!r->over && c->due < c->count && c->times[c->due] < o->t + o->h) {
    const double t = c->times[c->due++];
    state_in_stretch(o, t, o->beside);
    walk_run_add_row(r, t, o->beside, -1);
  }
}

// delayed values of the stretch, which begins with a break of its own
static void record_stretch(walk_slip_begins* o)
{
  engine_delays_break(o->r->e, o->t, 0);
  walk_delay_record(o->r, o->t, o->t + o->h, state_in_stretch, o);
}

double walk_onset_rate(walk_job* r, int i, double t)
{
  const step_stepper* s = r->stepper;
  // at the very start of a step, as behind something else that happened there, from what follows
  const bool behind = t - s->t_old > engine_step_start * (s->t - s->t_old);
  const double away = 0.1 * (behind ? s->t_old - t : s->t - t);
  contact_load load;
  s->method->dense(r->stepper, t + away, r->y);
  if (away == 0 || rate_flow_load(r->f, t + away, r->y) || !contact_grip_load(r->e, i, &load))
    return NAN;
  return (load.size - load.most) / away;
}

// the engine goes to the end of the stretch, and its rows are told; false: it is as it was
static bool take(walk_slip_begins* o, double* work)
{
  engine* e = o->r->e;
  bool moved;
  if (isfinite(o->h)) step_onset_value(&o->step, 1, o->beside);
  if (!isfinite(o->h) || rate_flow_load(o->r->f, o->t + o->h, o->beside) ||
      engine_project(e, &moved)) {
    restore(o);
    return false;
  }
  *work = o->beside[2 * e->n];
  walk_losses_follow(o->r, state_in_stretch, o);
  rows_of_stretch(o);
  walk_losses_along(o->r, o->t, o->t + o->h, false);
  walk_losses_follow(o->r, NULL, NULL);
  record_stretch(o);
  return true;
}

// What a slip begins with is of no exact direction. How many digits are good is told by a second
// pass, which may begin it in the same way: this is known beforehand. One that had begun goes on.
static void lose_digits(const walk_slip_begins* o)
{
  walk_digits* d = &o->r->track->digits;
  const double most = -log10(*o->kind->bit);
  bool begins = false;
  for (int k = 0; k < o->count; k++) begins = begins || !o->slip[k].young;
  if (begins && (!(d->good > 0) || most < d->good)) d->good = most;
}

int walk_onset_count(const walk_job* r, const walk_slip_kind* kind, const walk_instant* in)
{
  return kind->find(r, in, NULL);
}

double walk_onset(walk_job* r, const walk_slip_kind* kind, const walk_instant* in, double t,
                  const double* y, double* work)
{
  engine* e = r->e;
  const size_t n = (size_t)e->n, all = (size_t)r->f->ode.n,
               watches = (size_t)(r->watch->count + 2 * modes_looked_at(e));
  const bool large = all * STEP_ONSET_POINTS > most_unknowns;
  const size_t room = large ? 0 : step_onset_room(r->f->ode.n);
  double* space = base_alloc(sizeof(double) * (3 * n + 3 * all + room + watches + 1));
  walk_slip_begins o = {
      .r = r, .kind = kind, .t = t, .q = space, .v = space + n, .a = space + 2 * n};
  o.slip = base_alloc(sizeof *o.slip * (size_t)(walk_onset_count(r, kind, in) + 1));
  o.count = kind->find(r, in, o.slip);
  o.y = o.a + n;
  o.beside = o.y + all;
  o.tolerances = o.beside + all;
  double* stages = o.tolerances + all;
  o.watched = stages + room;
  memcpy(o.q, e->q, sizeof(double) * n);
  memcpy(o.v, e->v, sizeof(double) * n);
  o.step = (step_onset){.ode = &o.ode,
                        .t = t,
                        .y = o.y,
                        .context = &o,
                        .is_worth = is_worth,
                        .guess = kind->guess,
                        .widths = choose_widths,
                        .accept = is_quiet};
  const step_stepper* last = r->stepper;
  // the last step may be short for it ended where something was due
  o.longest = fmin(fmax(4 * (last->t - last->t_old), 16 * r->usual_step), horizon(&o));
  // what is tried is no part of the motion
  engine_scales_freeze(e, true);
  o.h = look(&o, in, y) && !large ? step_onset_find(&o.step, o.longest, stages) : NAN;
  engine_scales_freeze(e, false);
  if (!take(&o, work)) o.h = NAN;
  if (isnan(o.h) && !o.as_well) lose_digits(&o);
  free(space);
  free(o.slip);
  return t + o.h;
}
