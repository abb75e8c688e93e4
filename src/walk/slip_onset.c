// Slip that begins smoothly: the first stretch of it by one implicit step.
//
// Where |T| reaches mu N, slip begins with no rate, s = c t^2/2 e, while its direction turns back
// to the one that the forces want at the rate mu N W/|s|, W being the mobility of the slip: without
// bound at the start, and an explicit method would take about mu N W/sqrt(c s0) steps from s0 on.
// On the solution that begins at rest nothing is fast: collocation, which asks for the law at later
// times only, takes it in one step (step/onset.c).
#include "walk/slip_onset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/contact.h"

enum { most_unknowns = 1200 };
// of the slip of the first stage
static const double small_difference = 0.02;

// one grip that begins to slip
typedef struct starting
{
  int i;
  double excess_rate;                // d(|T| - mu N)/dt
  double direction[MODEL_GRIP_ROWS]; // of the slip
  double growth;                     // c: of the rate of slip
  double scale;                      // what it is measured by
} starting;

typedef struct onset
{
  walk_job* r;
  int count;
  starting* grip;
  double t, h;       // where it begins, and the length of the stretch
  double *q, *v, *a; // where it begins
  double* y;         // the state there, in the quasi-velocities of slip
  double* beside;    // work space
  double* watched;   // values of the events at the start, then of corners and inequalities
  step_ode ode;      // the flow's, no more exact than rounding in the slip allows
  step_onset step;
} onset;

// how far nothing else is due
static double horizon(const onset* o)
{
  const walk_job* r = o->r;
  const double due = fmin(fmin(r->t_end, fmin(r->stage_until, r->sample_next)),
                          engine_ramp_next(r->e, o->t)),
               known = r->e->delays ? r->e->delays->shortest : INFINITY;
  return fmin(walk_delay_before(r, due) - o->t, known);
}

// Corners and inequalities at the state in the input block: what keeps its sign while nothing
// happens to them; nan where it is not known
static void look_at_modes(engine* e, double* value)
{
  const int corners = e->program->modes.count, contacts = e->unilateral ? e->unilateral->count : 0;
  const bool failed = e->mode.held_count && contact_accelerations(e);
  if (corners) code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  for (int i = 0; i < corners; i++)
    value[i] = contact_slip_is_off(e, i) ? 1
               : !e->mode.held[i]        ? e->work.switching[i]
               : failed                  ? NAN
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

// the direction of the slip, against the force that holds
static bool find_direction(engine* e, starting* g)
{
  contact_load load;
  if (!contact_grip_load(e, g->i, &load)) return false;
  memcpy(g->direction, load.direction, sizeof g->direction);
  return true;
}

// c = W d(|T| - mu N)/dt along it
static bool find_growth(engine* e, starting* g)
{
  double W[MODEL_GRIP_ROWS * MODEL_GRIP_ROWS], sum = 0;
  if (contact_grip_mobility(e, g->i, W)) return false;
  for (int k = 0; k < MODEL_GRIP_ROWS; k++)
    for (int j = 0; j < MODEL_GRIP_ROWS; j++)
      sum += g->direction[k] * W[MODEL_GRIP_ROWS * k + j] * g->direction[j];
  g->growth = g->excess_rate * sum;
  return g->growth > 0 && isfinite(g->growth);
}

// all of them slip from here on; false where one does not do so smoothly
static bool let_go(onset* o)
{
  engine* e = o->r->e;
  bool fine = true;
  for (int k = 0; k < o->count; k++) fine = fine && find_direction(e, &o->grip[k]);
  for (int k = 0; k < o->count; k++) o->grip[k].scale = contact_grip_scale(e, o->grip[k].i);
  memcpy(o->a, e->a, sizeof(double) * (size_t)e->n);
  for (int k = 0; k < o->count; k++) contact_grip_set(e, o->grip[k].i, false);
  engine_set_aside(e);
  for (int k = 0; k < o->count; k++) fine = fine && find_growth(e, &o->grip[k]);
  return fine;
}

// Is watch k looked at now? Of the ends of stages only that of the one under way.
static bool is_looked_at(const walk_job* r, int k)
{
  const int events = r->s->model->events;
  return k < events || k == events + r->stage;
}

// The law of a patch has corners in the motion that begins: their sides are those of its first bit.
static bool choose_sides(onset* o)
{
  engine* e = o->r->e;
  bool any = false;
  for (int k = 0; k < o->count; k++) {
    const starting* g = &o->grip[k];
    double wanted[MODEL_GRIP_ROWS];
    if (!contact_grip_is_spread(e, g->i)) continue;
    any = true;
    for (int d = 0; d < MODEL_GRIP_ROWS; d++)
      wanted[d] = engine_slip_smooth * g->scale * g->direction[d];
    if (contact_grip_push(e, g->i, wanted)) return false;
  }
  if (any && contact_sides(e)) return false;
  if (any) look_at_modes(e, o->watched + o->r->watch->count);
  engine_state(e, o->t, o->q, o->v);
  return true;
}

// what is watched, where it begins; events of this very instant are passed, whatever rounding
// leaves of them
static bool look(onset* o, const walk_instant* in, const double* y)
{
  walk_job* r = o->r;
  engine* e = r->e;
  const double t = o->t;
  for (int k = 0; k < r->watch->count; k++)
    if (is_looked_at(r, k)) o->watched[k] = walk_events_value(r->watch, k, t, y);
  for (int k = 0; k < in->count; k++)
    if (in->found[k].kind == WALK_EVENT) o->watched[in->found[k].index] = NAN;
  engine_state(e, t, o->q, o->v);
  look_at_modes(e, o->watched + r->watch->count);
  engine_state(e, t, o->q, o->v);
  if (!let_go(o) || !choose_sides(o) || rate_flow_rebase(r->f)) return false;
  rate_flow_store(r->f, y[2 * e->n], o->y);
  return true;
}

// the slowest of the slips at the time h, of what it is measured by
static double least_slip_at(const onset* o, double h)
{
  double least = INFINITY;
  for (int k = 0; k < o->count; k++)
    least = fmin(least, 0.5 * o->grip[k].growth * h * h / o->grip[k].scale);
  return least;
}

// with less an impulse does as well
static bool is_worth(void* context, double h)
{
  return least_slip_at(context, h) > engine_slip_smooth;
}

// the motion as it was before, and slip c s^2/2
static bool guess(void* context, double h, double* Y)
{
  const onset* o = context;
  engine* e = o->r->e;
  double c[STEP_ONSET_POINTS];
  step_radau_points(STEP_ONSET_POINTS, c);
  for (int j = 0; j < STEP_ONSET_POINTS; j++) {
    const double s = c[j] * h;
    engine_time(e, o->t + s);
    for (int k = 0; k < e->n; k++) {
      e->q[k] = o->q[k] + s * (o->v[k] + 0.5 * s * o->a[k]);
      e->v[k] = o->v[k] + s * o->a[k];
    }
    for (int k = 0; k < o->count; k++) {
      const starting* g = &o->grip[k];
      const double slip = 0.5 * g->growth * s * s;
      double wanted[MODEL_GRIP_ROWS];
      for (int d = 0; d < MODEL_GRIP_ROWS; d++) wanted[d] = slip * g->direction[d];
      if (contact_grip_push(e, g->i, wanted)) return false;
    }
    rate_flow_store(o->r->f, o->y[2 * e->n], Y + j * o->r->f->ode.n);
  }
  return true;
}

// how much all slips together change, of what they are measured by, with component k of the state
static double slips_by(onset* o, int k, double width)
{
  engine* e = o->r->e;
  double s[MODEL_GRIP_ROWS], change = 0, *y = o->beside;
  memcpy(y, o->y, sizeof(double) * (size_t)o->ode.n);
  y[k] += width;
  if (rate_flow_load(o->r->f, o->t, y)) return INFINITY;
  for (int i = 0; i < o->count; i++)
    change = fmax(change, contact_grip_speed(e, o->grip[i].i, s) / o->grip[i].scale);
  return change / width;
}

// differences small against the slip of the first stage, by which the law is curved; the slips are
// zero where it begins
static void choose_widths(void* context, double h, double* width)
{
  onset* o = context;
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
static bool mode_changes(onset* o)
{
  engine* e = o->r->e;
  const int before = o->r->watch->count, count = modes_looked_at(e);
  double* value = o->watched + before + count;
  look_at_modes(e, value);
  for (int k = 0; k < count; k++)
    if (!(o->watched[before + k] * value[k] > 0) && (o->watched[before + k] != 0 || value[k] < 0))
      return true;
  return false;
}

// has anything happened within the stretch that steps would have found?
static bool eventful(onset* o, double t, const double* y)
{
  walk_job* r = o->r;
  engine* e = r->e;
  contact_load load;
  double s[MODEL_GRIP_ROWS];
  for (int k = 0; k < r->watch->count; k++)
    if (is_looked_at(r, k) && o->watched[k] * walk_events_value(r->watch, k, t, y) <= 0)
      return true;
  if (rate_flow_load(r->f, t, y) || mode_changes(o)) return true;
  if (rate_flow_load(r->f, t, y) || contact_guard_broken(e)) return true;
  for (int k = 0; k < o->count; k++)
    if (!(contact_grip_speed(e, o->grip[k].i, s) > engine_slip_smooth * o->grip[k].scale) ||
        !(contact_grip_growth(e, o->grip[k].i) > 0))
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
  onset* o = context;
  return !eventful(o, o->t + h, y);
}

// all is as it was, and it sticks
static void restore(onset* o)
{
  engine* e = o->r->e;
  for (int k = 0; k < o->count; k++) contact_grip_set(e, o->grip[k].i, true);
  engine_state(e, o->t, o->q, o->v);
  engine_set_aside(e);
  *e->reason = 0;
}

static void state_in_stretch(void* context, double t, double* y)
{
  const onset* o = context;
  step_onset_value(&o->step, (t - o->t) / o->h, y);
}

// rows that are due in the stretch, from its polynomial
static void rows_of_stretch(onset* o)
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
static void record_stretch(onset* o)
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

double walk_onset(walk_job* r, const walk_instant* in, double t, const double* y, double* work)
{
  engine* e = r->e;
  const size_t n = (size_t)e->n, all = (size_t)r->f->ode.n, room = step_onset_room(r->f->ode.n),
               watches = (size_t)(r->watch->count + 2 * modes_looked_at(e));
  if (all * STEP_ONSET_POINTS > most_unknowns) return NAN;
  double* space = base_alloc(sizeof(double) * (3 * n + 3 * all + room + watches + 1));
  onset o = {.r = r, .t = t, .q = space, .v = space + n, .a = space + 2 * n};
  o.grip = base_alloc(sizeof *o.grip * (size_t)(in->count + 1));
  for (int k = 0; k < in->count; k++)
    if (in->found[k].kind == WALK_GRIP && in->found[k].direction > 0 &&
        contact_grip_sticks(e, in->found[k].index))
      o.grip[o.count++] =
          (starting){.i = in->found[k].index, .excess_rate = in->excess_rate[in->found[k].index]};
  o.y = o.a + n;
  o.beside = o.y + all;
  double *tolerances = o.beside + all, *stages = tolerances + all;
  o.watched = stages + room;
  o.ode = r->f->ode;
  const double looser = fmax(1, engine_slip_exact / o.ode.rel_tol);
  for (size_t k = 0; k < all; k++) tolerances[k] = looser * o.ode.abs_tol[k];
  o.ode.rel_tol *= looser;
  o.ode.abs_tol = tolerances;
  memcpy(o.q, e->q, sizeof(double) * n);
  memcpy(o.v, e->v, sizeof(double) * n);
  bool moved;
  o.step = (step_onset){.ode = &o.ode,
                        .t = t,
                        .y = o.y,
                        .context = &o,
                        .is_worth = is_worth,
                        .guess = guess,
                        .widths = choose_widths,
                        .accept = is_quiet};
  const step_stepper* last = r->stepper;
  // the last step may be short for it ended where something was due
  const double longest = fmin(fmax(4 * (last->t - last->t_old), 16 * r->usual_step), horizon(&o));
  o.h = look(&o, in, y) ? step_onset_find(&o.step, longest, stages) : NAN;
  if (isfinite(o.h)) step_onset_value(&o.step, 1, o.beside);
  if (isfinite(o.h) && !rate_flow_load(r->f, t + o.h, o.beside) && !engine_project(e, &moved)) {
    *work = o.beside[2 * n];
    rows_of_stretch(&o);
    record_stretch(&o);
  } else {
    restore(&o), o.h = NAN;
  }
  free(space);
  free(o.grip);
  return t + o.h;
}
