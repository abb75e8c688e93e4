// A run by time-stepping: fixed steps, rows between them, events, residuals, energy.
#include "walk/moreau.h"

#include "contact/contact.h"
#include "walk/integrals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char* const walk_moreau_name = "moreau";
const char* const walk_moreau_summary =
    "time-stepping of Moreau and Jean, for many contacts; order 1, step by --step";

enum { steps_of_a_span = 2000 };
static const double steps_of_a_scale = 0.05; // of the shortest time scale
static const double most_steps = 2e7;
static const double doubtful = 0.05; // an energy balance off by more is worth a warning

bool walk_moreau_asked(const walk_job* r)
{
  const char* name = r->o->method ? r->o->method : r->s->model->method;
  return !strcmp(name, walk_moreau_name);
}

// ---- before the first step ----------------------------------------------------------------------

// Bound of the rates of the motion without contacts: with M's diagonal, the row sums of dF/dq give
// squares of frequencies, those of dF/dq' rates of decay.
double walk_moreau_rate(walk_moreau* s)
{
  double *mass = s->q_look, *stiff = s->dv, *damp = s->v_free, most = 0;
  engine_state(s->e, s->t, s->q, s->v);
  code_run(s->motion, s->e->in, s->motion_out, s->scratch);
  for (int i = 0; i < s->n; i++) mass[i] = stiff[i] = damp[i] = 0;
  for (int k = 0; k < s->M.count; k++)
    if (s->M.i[k] == s->M.j[k]) mass[s->M.i[k]] = s->M.value[k];
  for (int k = 0; k < s->K.count; k++) stiff[s->K.i[k]] += fabs(s->K.value[k]);
  for (int k = 0; k < s->C.count; k++) damp[s->C.i[k]] += fabs(s->C.value[k]);
  for (int i = 0; i < s->n; i++) {
    if (!(mass[i] > 0)) continue;
    most = fmax(most, fmax(sqrt(stiff[i] / mass[i]), damp[i] / mass[i]));
  }
  return most;
}

// stages that end by what happens have no span of their own
static bool has_end(walk_job* r)
{
  if (isfinite(r->t_end)) return true;
  base_error(r->notes, BASE_NOWHERE, "the end of the run is not known beforehand");
  base_help(r->notes, "the method `moreau` has fixed steps: say where to stop with --until");
  return false;
}

static bool choose_step(walk_job* r, walk_moreau* s)
{
  const double span = r->t_end - r->track->t_from, rate = walk_moreau_rate(s);
  const double by_span = span / steps_of_a_span, by_rate = steps_of_a_scale / rate;
  double h = r->o->step > 0 ? r->o->step : fmin(by_span, by_rate);
  const double steps = ceil(span / h * (1 - engine_row_rounding));
  if (!(steps <= most_steps)) {
    base_error(r->notes, BASE_NOWHERE, "steps of %.3g s would be %.3g in this run, more than %.0g",
               h, steps, most_steps);
    base_help(r->notes, "say how long they shall be with --step");
    return false;
  }
  s->h = span / fmax(steps, 1);
  const char* why = r->o->step > 0      ? "given"
                    : by_rate < by_span ? "a twentieth of the shortest time scale"
                                        : "1/2000 of the span";
  r->track->method_why =
      base_arena_printf(r->track->arena,
                        "asked for; fixed step %.6g s: %s; the tolerance is that "
                        "of the contact problem",
                        s->h, why);
  return true;
}

static void read_restitutions(engine* e)
{
  contact_inequalities* u = e->unilateral;
  for (int i = 0; u && i < u->count; i++) {
    const expr x = e->model->constraint[u->of[i]].restitution;
    u->restitution[i] = x == EXPR_NONE ? 0 : engine_value(e, x);
  }
}

void walk_moreau_let_go(engine* e)
{
  contact_inequalities* u = e->unilateral;
  for (int i = 0; u && i < u->count; i++) e->mode.active[u->of[i]] = false;
  for (int j = 0; u && j < u->links; j++) e->mode.active[u->link[j]] = false;
  engine_rows(e);
  read_restitutions(e);
}

bool walk_moreau_prepare(walk_job* r)
{
  engine* e = r->e;
  walk_track* t = r->track;
  e->by_impulses = true;
  engine_time(e, 0);
  if (!walk_run_span(r)) return false;
  engine_time(e, t->t_from);
  walk_moreau* s = r->moreau = walk_moreau_new(e, r->notes);
  if (!s || !walk_moreau_stage_first(r) ||
      !walk_start(e, t->t_from, e->model->initials, e->model->initial, r->notes, &t->guesses))
    return false;
  walk_moreau_let_go(e);
  engine_time(e, t->t_from);
  if (walk_gradient_missing(e, r->notes)) return false;
  walk_run_warn_redundant(r);
  // friction comes from the contact problem: its law in the forces is off, as where it sticks
  for (int k = 0; k < e->m; k++)
    if (e->model->constraint[k].sticks) e->holds[k] = 1;
  s->t = t->t_from;
  memcpy(s->q, e->q, sizeof(double) * (size_t)e->n);
  memcpy(s->v, e->v, sizeof(double) * (size_t)e->n);
  t->method = walk_moreau_name;
  t->tolerance = cone_many_tolerance;
  t->counts.order = 1;
  if (!has_end(r) || !choose_step(r, s)) return false;
  r->f = base_arena_take(t->arena, sizeof *r->f);
  r->f->e = e;
  r->record = walk_rows_new(t, r->f);
  r->before = base_arena_take(t->arena, sizeof(double) * (size_t)(2 * e->model->events + 1));
  const int watches = e->model->events + e->model->stages;
  r->watched = base_arena_take(t->arena, sizeof(double) * (size_t)(watches + 1));
  if (e->model->stages) walk_run_begin_stage(r, 0);
  return walk_run_rows(r);
}

// ---- a state with what belongs to it ------------------------------------------------------------

// the sides of corners in forces and outputs, each by its own switching function
void walk_moreau_sides(engine* e)
{
  if (!e->program->modes.count) return;
  code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  for (int i = 0; i < e->program->modes.count; i++) {
    const double x = e->work.switching[i];
    e->side[i] = x > 0 ? 1 : x < 0 ? -1 : e->program->modes.slides[i] ? 0 : 1;
  }
}

// a share x of the way from the start of the step to its end
void walk_moreau_load(walk_job* r, double x)
{
  walk_moreau* s = r->moreau;
  engine* e = s->e;
  for (int i = 0; i < s->n; i++) {
    s->q_look[i] = s->q[i] + x * (s->q_end[i] - s->q[i]);
    s->dv[i] = s->v[i] + x * (s->v_end[i] - s->v[i]);
  }
  engine_state(e, s->t + x * s->h, s->q_look, s->dv);
  memcpy(e->a, s->a, sizeof(double) * (size_t)s->n);
  if (s->m) memcpy(e->lambda, s->lambda, sizeof(double) * (size_t)s->m);
  walk_moreau_sides(e);
}

void walk_moreau_load_end(walk_job* r)
{
  walk_moreau_load(r, 1);
  // without the rounding of the way there
  memcpy(r->e->q, r->moreau->q_end, sizeof(double) * (size_t)r->e->n);
  memcpy(r->e->v, r->moreau->v_end, sizeof(double) * (size_t)r->e->n);
}

// ---- what is noted ------------------------------------------------------------------------------

static void note_residual(double* most, double value)
{
  *most = fmax(isnan(*most) ? 0 : *most, value);
}

// the limits are evaluated at the end of the step
static void note_residuals(walk_job* r)
{
  const walk_moreau* s = r->moreau;
  for (int k = 0; k < s->m; k++) {
    const model_constraint* c = &s->e->model->constraint[k];
    walk_residual* most = &r->track->residual[k];
    const int i = c->sense ? contact_inequality_find(s->e->unilateral, k) : -1;
    if (c->sense ? !s->e->unilateral->present[i] : !s->e->mode.active[k]) continue;
    const double f0 = c->sense ? fmax(0, -c->sense * s->f0[k]) : fabs(s->f0[k]);
    const double f1 = c->sense ? fmax(0, -c->sense * s->f1[k]) : fabs(s->f1[k]);
    if (c->order == 0) note_residual(&most->position, f0);
    if (c->order == 1 || (c->order == 0 && !c->sense)) note_residual(&most->velocity, f1);
    if (c->order != 2) continue;
    double left = -s->c[k], norm = 0;
    for (int p = s->A.start[k]; p < s->A.start[k + 1]; p++) {
      left += s->A.value[p] * s->a[s->A.column[p]];
      norm += s->A.value[p] * s->A.value[p];
    }
    left /= norm > 0 ? sqrt(norm) : 1;
    note_residual(&most->acceleration, c->sense ? fmax(0, -c->sense * left) : fabs(left));
  }
}

// work of forces and of moving constraints by the middle of the step; what contacts take are jumps
static void note_energy(walk_job* r)
{
  walk_moreau* s = r->moreau;
  engine* e = r->e;
  double out[engine_energies];
  walk_moreau_load(r, 0.5);
  for (int k = 0; k < s->m; k++)
    if (e->model->constraint[k].sense) e->lambda[k] = 0;
  code_run(e->program->energy, e->in, out, e->work.scratch);
  r->work += s->h * out[engine_power];
  r->jumps += s->released;
  walk_moreau_load_end(r);
  const walk_energy now = walk_run_energy(r);
  walk_run_keep_energy(r, now, r->work);
}

// the stage under way; the last one goes on behind its end
static int stage_of(const walk_job* r)
{
  return r->stage < r->s->model->stages ? r->stage : r->stage - 1;
}

static void rows_of_step(walk_job* r, double until)
{
  walk_rows* c = r->record;
  const walk_moreau* s = r->moreau;
  while (c->due < c->count && c->times[c->due] <= until) {
    const double t = c->times[c->due++];
    if (t == s->t + s->h)
      walk_moreau_load_end(r);
    else
      walk_moreau_load(r, (t - s->t) / s->h);
    walk_rows_put(c, t, stage_of(r), -1);
  }
}

// ---- events -------------------------------------------------------------------------------------

// Events that the last step passed, in the order of their times on the straight line between the
// values at its ends. True when one of them stops the run.
static bool events_of_step(walk_job* r)
{
  const model* m = r->s->model;
  const walk_moreau* s = r->moreau;
  double *old = r->before, *now = r->before + m->events;
  double from = 0;
  for (int turn = 0; turn < m->events; turn++) {
    int next = -1;
    double least = INFINITY;
    for (int i = 0; i < m->events; i++) {
      if (!(old[i] * now[i] < 0 || (now[i] == 0 && old[i] != 0))) continue;
      if (m->event[i].direction * (now[i] - old[i]) < 0) continue;
      const double x = old[i] / (old[i] - now[i]);
      if (x < least && x >= from) least = x, next = i;
    }
    if (next < 0) return false;
    const double t = s->t + least * s->h;
    rows_of_step(r, t);
    walk_moreau_load(r, least);
    const walk_found found = {WALK_EVENT, next, t, now[next] > old[next] ? 1 : -1};
    walk_rows_put(r->record, t, stage_of(r), next);
    if (r->record->curves) walk_rows_put_curve(r->record, t, stage_of(r), next);
    walk_run_keep(r, &found, NULL);
    from = least;
    old[next] = now[next];
    if (m->event[next].action != MODEL_STOP) continue;
    char text[200];
    snprintf(text, sizeof text, "event `%s` at t = %.10g", m->event[next].name, t);
    walk_run_stop(r, WALK_STOPPED, text);
    r->track->t_reached = t;
    return true;
  }
  return false;
}

// ---- the loop -----------------------------------------------------------------------------------

static void begin(walk_job* r)
{
  walk_moreau* s = r->moreau;
  const size_t bytes = sizeof(double) * (size_t)s->n;
  memcpy(s->q_end, s->q, bytes);
  memcpy(s->v_end, s->v, bytes);
  walk_moreau_look(s, s->t, s->q, s->v);
  note_residuals(r);
  engine_state(r->e, s->t, s->q, s->v);
  walk_moreau_sides(r->e);
  r->start = walk_run_energy(r);
  r->track->energy_start = r->track->energy_end = r->start.E;
  r->track->t_reached = s->t;
  walk_integrals_start(r);
  if (r->s->model->events) {
    code_run(r->e->program->watches, r->e->in, r->watched, r->e->work.scratch);
    memcpy(r->before, r->watched, sizeof(double) * (size_t)r->s->model->events);
  }
}

static bool is_finite(const walk_moreau* s)
{
  for (int i = 0; i < s->n; i++)
    if (!isfinite(s->q_end[i]) || !isfinite(s->v_end[i])) return false;
  return true;
}

// the end of the step has been computed; everything that is told of it
static void finish_step(walk_job* r, bool first)
{
  walk_moreau* s = r->moreau;
  const model* m = r->s->model;
  note_residuals(r);
  note_energy(r);
  // between contacts; an impact may change what is kept
  if (s->released == 0)
    walk_integrals_note(r);
  else
    walk_integrals_jump(r);
  if (first) rows_of_step(r, s->t);
  if (m->events) {
    walk_moreau_load_end(r);
    double* values = r->before;
    code_run(r->e->program->watches, r->e->in, r->watched, r->e->work.scratch);
    memcpy(values + m->events, r->watched, sizeof(double) * (size_t)m->events);
    if (events_of_step(r)) return;
    memcpy(values, r->watched, sizeof(double) * (size_t)m->events);
  }
  rows_of_step(r, s->t + s->h);
  if (r->record->curves) {
    walk_moreau_load_end(r);
    walk_rows_put_curve(r->record, s->t + s->h, stage_of(r), -1);
  }
  walk_moreau_load_end(r);
  if (contact_guard_broken(r->e)) walk_run_give_up(r, r->e->reason);
}

static void warn(walk_job* r)
{
  walk_trust_energy(r, doubtful, "try a smaller --step");
  if (r->o->tolerance > 0)
    base_warning(r->notes, BASE_NOWHERE,
                 "--tol does not steer the method moreau; its steps are fixed, by --step");
}

// one step to the time `to`
static void advance(walk_job* r, double to)
{
  walk_moreau* s = r->moreau;
  walk_track* t = r->track;
  const size_t bytes = sizeof(double) * (size_t)s->n;
  s->h = to - s->t;
  walk_moreau_look(s, s->t, s->q, s->v);
  if (walk_moreau_step(s)) {
    walk_run_give_up(r, r->e->reason);
    return;
  }
  if (!is_finite(s)) {
    walk_run_give_up(r, "the motion is no longer finite; try a smaller --step");
    return;
  }
  if (walk_moreau_jumps(r)) {
    walk_run_give_up(r, r->e->reason);
    return;
  }
  t->counts.steps++;
  finish_step(r, t->counts.steps == 1);
  if (r->over) return;
  memcpy(s->q, s->q_end, bytes);
  memcpy(s->v, s->v_end, bytes);
  s->t = t->t_reached = to;
  walk_run_asks(r, to, s->h, t->counts.steps);
}

void walk_moreau_go(walk_job* r)
{
  walk_moreau* s = r->moreau;
  walk_track* t = r->track;
  const double h = s->h;
  begin(r);
  walk_moreau_stage_next(r);
  while (!r->over && s->t < r->t_end) {
    // steps of equal length to the end of the stage; times do not add up rounding
    const int stage = r->stage;
    const double from = s->t, end = fmin(r->t_end, r->stage_until);
    const double steps = fmax(1, ceil((end - from) / h * (1 - engine_step_rounding)));
    for (double i = 1; i <= steps && !r->over && r->stage == stage; i++) {
      advance(r, i < steps ? from + (end - from) * i / steps : end);
      if (!r->over) walk_moreau_stage_next(r);
    }
  }
  // a last row may be due a rounding behind the last step
  while (!r->over && r->record->due < r->record->count) {
    walk_moreau_load_end(r);
    walk_rows_put(r->record, r->record->times[r->record->due++], stage_of(r), -1);
  }
  t->counts.evaluations = s->solved;
  t->counts.smallest_step = t->counts.largest_step = t->counts.last_step = h;
  warn(r);
}
