// A run: steps, events, stages, rows, residuals, until the end or a reason to stop.
#include "sim/record.h"
#include "sim/watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  default_points = 501,
  most_at_once = 32,
  most_idle_changes = 10000,
  most_idle_corners = 50,
  curve_points_per_step = 6
};

// accelerations near a singular position are known to no more than this
static const double singular_tolerance = 1e-11;

typedef struct run
{
  mech_system* s;
  sim_engine* e;
  sim_flow* f;
  num_stepper* stepper;
  sim_record* record;
  sim_watch* watch;
  sim_track* track;
  const sim_options* o;
  base_notes* notes;
  double t_end;
  int stage;          // under way, -1 when the model has none
  double stage_until; // known end of it, infinity if not known
  double* y;
  double H0, jumps;
  double last_change; // when velocities or params last changed at once
  int idle_changes;   // changes without progress of time
  double last_corner; // when a force last turned a corner
  int corners;        // corners without progress of time
  bool over;
} run;

sim_options sim_options_default(void)
{
  return (sim_options){.until = NAN};
}

static double seconds_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void stop(run* r, sim_status status, const char* reason)
{
  r->track->status = status;
  r->track->reason = base_arena_strdup(r->track->arena, reason);
  r->over = true;
}

static void give_up(run* r, const char* reason)
{
  char text[400];
  snprintf(text, sizeof text, "at t = %.10g: %s", r->stepper->t, reason);
  stop(r, SIM_UNFINISHED, text);
}

static double hamiltonian(run* r, double* kinetic)
{
  double out[3];
  code_run(r->e->energy, r->e->in, out, r->e->scratch);
  *kinetic = out[1];
  return out[0];
}

// ---- before the first step ----------------------------------------------------------------------

static int compare_doubles(const void* a, const void* b)
{
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static bool find_span(run* r)
{
  const model* m = r->s->model;
  sim_track* t = r->track;
  t->t_from = m->has_run ? sim_value(r->e, m->run_from) : 0;
  r->t_end = m->has_run ? sim_value(r->e, m->run_to) : m->stages ? INFINITY : 10;
  if (!isnan(r->o->until)) r->t_end = r->o->until;
  for (int i = 0; i < r->o->at_count; i++) {
    if (r->o->at[i] < t->t_from) {
      base_error(r->notes, BASE_NOWHERE, "--at %g lies before the start of the run at t = %g",
                 r->o->at[i], t->t_from);
      return false;
    }
    if (r->o->at[i] <= r->t_end) continue;
    if (!isnan(r->o->until)) {
      base_error(r->notes, BASE_NOWHERE, "--at %g lies behind the end of the run at t = %g",
                 r->o->at[i], r->t_end);
      return false;
    }
    r->t_end = r->o->at[i];
  }
  if (!(r->t_end > t->t_from)) {
    base_error(r->notes, BASE_NOWHERE, "the run ends at t = %g, not after its start at t = %g",
               r->t_end, t->t_from);
    return false;
  }
  t->t_to = r->t_end;
  return true;
}

static void even_times(sim_record* c, base_arena* a, double from, double to, int count)
{
  c->times = base_arena_take(a, sizeof(double) * (size_t)count);
  c->count = count;
  for (int i = 0; i < count; i++) c->times[i] = from + (to - from) * i / (count - 1);
  c->times[count - 1] = to;
}

static bool plan_rows(run* r)
{
  sim_record* c = r->record;
  const sim_options* o = r->o;
  base_arena* a = r->track->arena;
  const double from = r->track->t_from;
  c->curves = o->curves && r->track->curve_columns > 1;
  if (o->at_count) {
    c->times = base_arena_take(a, sizeof(double) * (size_t)o->at_count);
    memcpy(c->times, o->at, sizeof(double) * (size_t)o->at_count);
    qsort(c->times, (size_t)o->at_count, sizeof(double), compare_doubles);
    c->count = o->at_count;
    c->fixed_rows = true;
    return true;
  }
  const bool endless = isinf(r->t_end);
  if (o->every > 0) {
    const double most = endless ? 1e6 : floor((r->t_end - from) / o->every * (1 + 1e-12)) + 1;
    if (most > 2e7) {
      base_error(r->notes, BASE_NOWHERE, "--every %g would give %.0f rows", o->every, most);
      return false;
    }
    c->count = (int)most;
    c->times = base_arena_take(a, sizeof(double) * (size_t)c->count);
    for (int i = 0; i < c->count; i++) {
      c->times[i] = from + i * o->every;
      if (c->times[i] > r->t_end) c->times[i] = r->t_end;
    }
    return true;
  }
  if (endless && o->points) {
    base_error(r->notes, BASE_NOWHERE, "--points needs to know the end of the run");
    base_help(r->notes, "say where it ends with --until, or use --every");
    return false;
  }
  if (!endless) even_times(c, a, from, r->t_end, o->points ? o->points : default_points);
  return true;
}

static const num_method* choose_method(run* r, const char* asked)
{
  const char* name = asked ? asked : *r->s->model->method ? r->s->model->method : "dop853";
  const num_method* method = num_method_find(name);
  if (method) return method;
  base_text list = {0};
  for (int i = 0; i < num_method_count(); i++)
    base_text_printf(&list, "%s%s", i ? ", " : "", num_method_at(i)->name);
  base_error(r->notes, BASE_NOWHERE, "there is no method `%s`", name);
  base_help(r->notes, "the methods are %s", list.at);
  base_text_free(&list);
  return NULL;
}

static void warn_redundant(run* r)
{
  sim_track* t = r->track;
  t->redundant_row = base_arena_take(t->arena, sizeof(int) * (size_t)(r->e->m + 1));
  t->redundant = sim_redundant(r->e, t->redundant_row);
  for (int i = 0; i < t->redundant; i++) {
    const model_constraint* c = &r->s->model->constraint[t->redundant_row[i]];
    base_warning(r->notes, c->place,
                 "the constraint `%s` follows from the others; reactions of least norm are given",
                 c->name);
  }
}

// can the accelerations be found at the start, and do redundant constraints agree?
bool sim_first_accelerations(sim_engine* e, base_notes* notes)
{
  if (sim_sides(e) || sim_accelerations(e)) {
    base_error(notes, BASE_NOWHERE, "at the start: %s", e->reason);
    return false;
  }
  double worst = 0, fastest = 0;
  int which = -1;
  for (int j = 0; j < e->n; j++) fastest = fmax(fastest, fabs(e->a[j]));
  for (int r = 0; r < e->rows; r++) {
    const int k = e->row[r];
    double left = -e->c[k], norm = 0;
    for (int j = 0; j < e->n; j++) {
      left += e->A[k * e->n + j] * e->a[j];
      norm = fmax(norm, fabs(e->A[k * e->n + j]));
    }
    const double size = fabs(e->c[k]) + norm * fastest;
    if (size == 0 || fabs(left) / size <= worst) continue;
    worst = fabs(left) / size;
    which = k;
  }
  if (worst <= 1e-6) return true;
  base_error(
      notes, e->model->constraint[which].place,
      "the constraint `%s` contradicts the others: no accelerations satisfy all of them (relative "
      "residual %.3g)",
      e->model->constraint[which].name, worst);
  return false;
}

static void begin_stage(run* r, int stage)
{
  const model* m = r->s->model;
  r->stage = stage;
  r->stage_until = INFINITY;
  if (m->stage[stage].until_time != EXPR_NONE)
    r->stage_until = sim_value(r->e, m->stage[stage].until_time);
}

static bool prepare(run* r)
{
  const model* m = r->s->model;
  sim_track* t = r->track;
  sim_engine_time(r->e, 0);
  if (!find_span(r)) return false;
  sim_engine_time(r->e, t->t_from);
  r->stage = -1;
  r->stage_until = INFINITY;
  if (m->stages && sim_change_first(r->e, &m->stage[0].change, r->notes)) return false;
  if (!sim_start(r->e, t->t_from, m->initials, m->initial, r->notes)) return false;
  sim_engine_time(r->e, t->t_from);
  warn_redundant(r);
  if (!sim_first_accelerations(r->e, r->notes)) return false;
  t->tolerance = r->o->tolerance > 0 ? r->o->tolerance : m->tolerance > 0 ? m->tolerance : 1e-10;
  const num_method* method = choose_method(r, r->o->method);
  if (!method) return false;
  if (method->implicit_form && t->redundant) {
    base_error(r->notes, BASE_NOWHERE, "the method `%s` cannot take redundant constraints",
               method->name);
    base_help(r->notes, "leave `%s` out, or use another method",
              m->constraint[t->redundant_row[0]].name);
    return false;
  }
  t->method = method->name;
  r->f = sim_flow_new(r->e, t->tolerance, method->implicit_form);
  if (sim_flow_rebase(r->f)) {
    base_error(r->notes, BASE_NOWHERE, "at the start: %s", r->e->reason);
    return false;
  }
  r->record = sim_record_new(t, r->f);
  r->watch = sim_watch_new(r->f);
  if (!plan_rows(r)) return false;
  r->stepper = method->create(method, &r->f->ode);
  r->y = base_arena_take(t->arena, sizeof(double) * (size_t)(r->f->ode.n + 2 * r->e->m));
  sim_flow_store(r->f, 0, r->y);
  if (m->stages) begin_stage(r, 0);
  return true;
}

// ---- rows and records ---------------------------------------------------------------------------

static void add_row(run* r, double t, const double* y, int event)
{
  if (sim_record_row(r->record, t, y, r->stage, event)) give_up(r, r->e->reason);
}

// rows that are due up to `until`, from the dense output of the last step
static void rows_up_to(run* r, double until, bool to_the_end)
{
  sim_record* c = r->record;
  num_stepper* s = r->stepper;
  while (!r->over && c->due < c->count && c->times[c->due] <= until) {
    const double t = c->times[c->due++];
    if (t == s->t && to_the_end) {
      memcpy(r->y, s->y, sizeof(double) * (size_t)r->f->ode.n);
    } else {
      s->method->dense(s, t, r->y);
    }
    add_row(r, t, r->y, -1);
  }
}

static void curves_up_to(run* r, double from, double until)
{
  if (!r->record->curves || !(until > from)) return;
  for (int i = 1; i <= curve_points_per_step; i++) {
    const double t =
        i == curve_points_per_step ? until : from + (until - from) * i / curve_points_per_step;
    r->stepper->method->dense(r->stepper, t, r->y);
    if (sim_record_curve(r->record, t, r->y, r->stage)) return;
  }
}

static void note_residuals(run* r)
{
  sim_engine* e = r->e;
  double *position = e->g, *velocity = e->br;
  sim_residuals(e, position, velocity);
  for (int k = 0; k < e->m; k++) {
    sim_residual* most = &r->track->residual[k];
    if (!isnan(position[k]))
      most->position = fmax(isnan(most->position) ? 0 : most->position, position[k]);
    if (!isnan(velocity[k]))
      most->velocity = fmax(isnan(most->velocity) ? 0 : most->velocity, velocity[k]);
  }
}

static void note_energy(run* r, const double* y)
{
  double kinetic;
  sim_track* t = r->track;
  const double H = hamiltonian(r, &kinetic), work = y[2 * r->e->n];
  t->energy_end = H;
  t->energy_work = work;
  t->energy_jumps = r->jumps;
  t->energy_balance = H - r->H0 - r->jumps - work;
  t->energy_scale = fmax(fmax(t->energy_scale, fabs(H)), fmax(fabs(kinetic), fabs(work)));
}

static void remember(run* r, const sim_found* f, const double* y)
{
  sim_track* t = r->track;
  const int width = t->columns;
  if (sim_record_row(r->record, f->t, y, r->stage, f->watch)) return;
  sim_happening h = {.event = f->watch, .t = f->t, .direction = f->direction};
  h.row = base_arena_take(t->arena, sizeof(double) * (size_t)width);
  memcpy(h.row, t->table.value + (size_t)(t->table.rows - 1) * (size_t)width,
         sizeof(double) * (size_t)width);
  if (r->record->fixed_rows) t->table.rows--;
  if ((t->happenings & (t->happenings + 1)) == 0)
    t->happening =
        base_realloc(t->happening, sizeof *t->happening * (size_t)(2 * t->happenings + 2));
  t->happening[t->happenings++] = h;
}

// ---- changes ------------------------------------------------------------------------------------

static bool restart(run* r, double t, double work)
{
  num_stepper* s = r->stepper;
  if (sim_flow_rebase(r->f)) {
    give_up(r, r->e->reason);
    return false;
  }
  sim_flow_store(r->f, work, r->y);
  // the implicit form has as many unknowns as there are constraints now
  if (s->method->implicit_form && s->ode.dae_n != r->f->ode.dae_n) {
    const num_method* method = s->method;
    const num_counts counts = s->counts;
    method->destroy(s);
    r->stepper = s = method->create(method, &r->f->ode);
    s->counts = counts;
  }
  const num_status status = s->method->start(s, t, r->y, r->t_end);
  r->track->restarts++;
  if (status == NUM_OK) return true;
  give_up(r, *r->e->reason ? r->e->reason : s->reason);
  return false;
}

// apply a change at time t to the state y, which then is the one after it, as is the engine's
static bool apply(run* r, const model_change* c, double t, double* y)
{
  double kinetic;
  bool moved;
  if (sim_flow_load(r->f, t, y) || sim_project(r->e, &moved)) {
    give_up(r, r->e->reason);
    return false;
  }
  const double before = hamiltonian(r, &kinetic);
  if (sim_change(r->e, c, r->notes)) {
    char text[120];
    snprintf(text, sizeof text, "at t = %.10g: the change asked for there could not be made", t);
    stop(r, SIM_UNFINISHED, text);
    return false;
  }
  sim_engine_time(r->e, t);
  r->jumps += hamiltonian(r, &kinetic) - before;
  if (t <= r->last_change + 1e-12 * fmax(1, fabs(t))) {
    if (++r->idle_changes > most_idle_changes) {
      give_up(r, "events follow each other without end at this time");
      return false;
    }
  } else {
    r->idle_changes = 0;
  }
  r->last_change = t;
  if (sim_sides(r->e) || sim_flow_rebase(r->f)) {
    give_up(r, r->e->reason);
    return false;
  }
  sim_flow_store(r->f, y[2 * r->e->n], y);
  return true;
}

// the stage that follows, and those after it whose end is already reached; false when the run is
// over
static bool next_stages(run* r, double t, const double* y)
{
  const model* m = r->s->model;
  memcpy(r->y, y, sizeof(double) * (size_t)r->f->ode.n);
  for (;;) {
    if (r->stage + 1 >= m->stages) {
      // the model's own span, or rows still asked for, keep the last stage going
      const sim_record* c = r->record;
      if (isinf(r->t_end) && c->fixed_rows && c->due < c->count) r->t_end = c->times[c->count - 1];
      if (isfinite(r->t_end)) {
        r->stage_until = INFINITY;
        return true;
      }
      stop(r, SIM_DONE, "");
      return false;
    }
    const model_stage* next = &m->stage[r->stage + 1];
    if (!apply(r, &next->change, t, r->y)) return false;
    begin_stage(r, r->stage + 1);
    if (r->stage_until <= t) continue;
    if (next->until != EXPR_NONE && next->until_time == EXPR_NONE &&
        sim_watch_value(r->watch, m->events + r->stage, t, r->y) >= 0)
      continue;
    sim_flow_load(r->f, t, r->y);
    return true;
  }
}

static void change_stage(run* r, double t, const double* y)
{
  const double work = y[2 * r->e->n];
  const sim_table* table = &r->track->table;
  const bool shown =
      table->rows && table->value[(size_t)(table->rows - 1) * (size_t)table->width] == t;
  if (!r->record->fixed_rows && !shown) add_row(r, t, y, -1);
  if (r->over) return;
  if (!next_stages(r, t, y)) {
    r->track->t_reached = t;
    return;
  }
  if (!restart(r, t, work)) return;
  if (!r->record->fixed_rows) add_row(r, t, r->stepper->y, -1);
}

// go on behind a corner of the forces, on the other side of it
static void turn_corner(run* r, double t, const double* y)
{
  bool moved;
  r->corners = t <= r->last_corner + 1e-9 * fmax(1e-3, fabs(t)) ? r->corners + 1 : 0;
  r->last_corner = t;
  if (r->corners > most_idle_corners) {
    give_up(r, "a force with a jump holds the motion where it jumps (as dry friction at rest "
               "does); that is not "
               "supported yet: smooth the jump, for example with tanh");
    return;
  }
  if (sim_flow_load(r->f, t, y) || sim_project(r->e, &moved)) {
    give_up(r, r->e->reason);
    return;
  }
  restart(r, t, y[2 * r->e->n]);
}

// everything that was found at one instant; true if the step ends there
static bool happen(run* r, const sim_found* found, int count)
{
  const model* m = r->s->model;
  const double t = found[0].t;
  double* y = base_alloc(sizeof(double) * (size_t)r->f->ode.n);
  r->stepper->method->dense(r->stepper, t, y);
  const double work = y[2 * r->e->n];
  bool ends = false, stage_ends = false, changed = false, cornered = false;
  for (int i = 0; i < count && !r->over; i++) {
    const int k = found[i].watch;
    if (k < 0) {
      char text[200];
      snprintf(text, sizeof text,
               "at t = %.10g: the constraint `%s` loses its gradient there; the motion beyond is "
               "not defined",
               t, m->constraint[-1 - k].name);
      stop(r, SIM_UNFINISHED, text);
      ends = true;
      continue;
    }
    r->watch->last[k] = t;
    if (k >= m->events + m->stages) {
      r->e->side[k - m->events - m->stages] = found[i].direction;
      ends = cornered = true;
      continue;
    }
    if (k >= m->events) {
      stage_ends = ends = true;
      continue;
    }
    remember(r, &found[i], y);
    if (m->event[k].action == MODEL_STOP) {
      char text[200];
      snprintf(text, sizeof text, "event `%s` at t = %.10g", m->event[k].name, t);
      stop(r, SIM_STOPPED, text);
      ends = true;
    } else if (m->event[k].action == MODEL_CHANGE) {
      ends = true;
      changed = apply(r, &m->event[k].change, t, y) || changed;
    }
  }
  if (ends) r->track->t_reached = t;
  if (!r->over && stage_ends) {
    change_stage(r, t, y);
  } else if (!r->over && cornered && !changed) {
    turn_corner(r, t, y);
  } else if (!r->over && changed) {
    sim_flow_load(r->f, t, y);
    if (restart(r, t, work) && !r->record->fixed_rows) add_row(r, t, r->stepper->y, -1);
  }
  if (r->over) {
    sim_flow_load(r->f, t, y);
    note_energy(r, y);
  }
  free(y);
  return ends;
}

// ---- the loop -----------------------------------------------------------------------------------

static bool go_on(run* r)
{
  if (!r->o->progress) return true;
  double worst = 0;
  for (int k = 0; k < r->e->m; k++) {
    if (r->track->residual[k].position > worst) worst = r->track->residual[k].position;
    if (r->track->residual[k].velocity > worst) worst = r->track->residual[k].velocity;
  }
  const num_stepper* s = r->stepper;
  const sim_progress p = {s->t,  r->track->t_from, r->t_end, s->t - s->t_old,
                          worst, s->counts.steps};
  return r->o->progress(r->o->progress_context, &p);
}

// bring the end of the step back to the constraints
static void finish_step(run* r)
{
  num_stepper* s = r->stepper;
  bool moved;
  if (sim_flow_load(r->f, s->t, s->y) || sim_project(r->e, &moved)) {
    give_up(r, r->e->reason);
    return;
  }
  note_residuals(r);
  if (moved) {
    sim_flow_store(r->f, s->y[2 * r->e->n], r->y);
    if (s->method->amend(s, r->y) != NUM_OK) {
      give_up(r, s->reason);
      return;
    }
    sim_flow_load(r->f, s->t, s->y);
  }
  note_energy(r, s->y);
  r->track->t_reached = s->t;
}

// choose new quasi-velocities before the present ones grow singular
static void renew_basis(run* r)
{
  num_stepper* s = r->stepper;
  if (!r->f->reduced || sim_flow_load(r->f, s->t, s->y)) return;
  if (r->f->quality > 0.5 && r->e->margin > 0.3) return;
  if (sim_flow_rebase(r->f)) {
    give_up(r, r->e->reason);
    return;
  }
  sim_flow_store(r->f, s->y[2 * r->e->n], r->y);
  r->track->basis_changes++;
  if (s->method->amend(s, r->y) != NUM_OK) give_up(r, s->reason);
}

static void one_step(run* r)
{
  num_stepper* s = r->stepper;
  const double limit = fmin(fmin(r->t_end, r->stage_until), sim_ramp_next(r->e, s->t));
  *r->e->reason = 0;
  sim_flow_before_step(r->f);
  s->slack = r->f->settling ? fmax(1, singular_tolerance / r->track->tolerance) : 1;
  const num_status status = s->method->step(s, limit);
  if (status != NUM_OK) {
    give_up(r, *r->e->reason ? r->e->reason : s->reason);
    return;
  }
  double from = s->t_old;
  sim_found found[most_at_once];
  int count;
  while ((count = sim_watch_step(r->watch, s, from, r->stage, most_at_once, found)) > 0) {
    rows_up_to(r, found[0].t, false);
    curves_up_to(r, from, found[0].t);
    if (r->over || happen(r, found, count)) return;
    from = found[0].t;
  }
  const bool step_to_end = s->t >= r->stage_until;
  finish_step(r);
  if (r->over) return;
  curves_up_to(r, from, s->t);
  rows_up_to(r, s->t, true);
  if (!r->record->times && !r->over) {
    memcpy(r->y, s->y, sizeof(double) * (size_t)r->f->ode.n);
    add_row(r, s->t, r->y, -1);
  }
  if (r->over) return;
  if (step_to_end) {
    double* y = base_alloc(sizeof(double) * (size_t)r->f->ode.n);
    memcpy(y, s->y, sizeof(double) * (size_t)r->f->ode.n);
    change_stage(r, s->t, y);
    free(y);
    return;
  }
  renew_basis(r);
}

// events that are true at the very start are not crossings
static void silence_start(run* r)
{
  const model* m = r->s->model;
  for (int i = 0; i < m->events; i++)
    if (sim_watch_value(r->watch, i, r->track->t_from, r->y) == 0)
      r->watch->last[i] = r->track->t_from;
}

static void go(run* r)
{
  const model* m = r->s->model;
  double kinetic;
  const double t = r->track->t_from;
  r->last_change = -INFINITY;
  r->last_corner = -INFINITY;
  r->H0 = hamiltonian(r, &kinetic);
  r->track->energy_start = r->H0;
  r->track->t_reached = t;
  const num_status status = r->stepper->method->start(r->stepper, t, r->y, r->t_end);
  if (status != NUM_OK) {
    give_up(r, *r->e->reason ? r->e->reason : r->stepper->reason);
    return;
  }
  sim_flow_load(r->f, t, r->y);
  note_residuals(r);
  note_energy(r, r->y);
  silence_start(r);
  double* y = base_alloc(sizeof(double) * (size_t)r->f->ode.n);
  memcpy(y, r->y, sizeof(double) * (size_t)r->f->ode.n);
  if (!r->record->times) add_row(r, t, y, -1);
  while (!r->over && r->record->due < r->record->count && r->record->times[r->record->due] <= t) {
    r->record->due++;
    add_row(r, t, y, -1);
  }
  if (r->record->curves) sim_record_curve(r->record, t, y, r->stage);
  if (m->stages && !r->over &&
      (r->stage_until <= t ||
       (m->stage[0].until != EXPR_NONE && m->stage[0].until_time == EXPR_NONE &&
        sim_watch_value(r->watch, m->events, t, y) >= 0)))
    change_stage(r, t, y);
  free(y);
  while (!r->over && r->stepper->t < r->t_end) {
    one_step(r);
    if (!r->over && !go_on(r)) stop(r, SIM_INTERRUPTED, "interrupted; what was computed is kept");
  }
}

sim_track* sim_run(mech_system* s, const sim_options* o, base_notes* notes)
{
  const double started = seconds_now();
  base_arena* arena = base_arena_new();
  sim_track* t = base_arena_take(arena, sizeof *t);
  t->arena = arena;
  t->model = s->model;
  t->reason = "";
  sim_record_columns(t);
  t->residual = base_arena_take(arena, sizeof *t->residual * (size_t)(s->m + 1));
  for (int k = 0; k < s->m; k++) t->residual[k] = (sim_residual){NAN, NAN, NAN};
  run r = {.s = s, .o = o, .notes = notes, .track = t};
  r.e = sim_engine_new(s, notes);
  const bool ready = r.e && prepare(&r);
  if (ready) {
    go(&r);
    t->counts = r.stepper->counts;
    if (t->status == SIM_DONE) t->t_to = t->t_reached;
  }
  if (r.stepper) r.stepper->method->destroy(r.stepper);
  sim_engine_free(r.e);
  t->seconds = seconds_now() - started;
  if (ready) return t;
  sim_track_free(t);
  return NULL;
}

void sim_track_free(sim_track* t)
{
  if (!t) return;
  free(t->table.value);
  free(t->table.stage);
  free(t->table.event);
  free(t->curves.value);
  free(t->curves.stage);
  free(t->curves.event);
  free(t->happening);
  base_arena_free(t->arena);
}
