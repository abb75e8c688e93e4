// What happens during a run: events, stages, corners of the forces, and the restart behind each.
#include "contact/contact.h"
#include "walk/integrals.h"
#include "walk/leaving.h"
#include "walk/sticking.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_idle_changes = 10000, most_idle_corners = 50, most_jumps = 32 };

void walk_run_remember(walk_job* r, const walk_found* f, const char* name, const double* y)
{
  const int event = name ? -2 - r->track->happenings : f->watch;
  if (walk_rows_row(r->record, f->t, y, r->stage, event)) return;
  if (r->record->curves && !name) walk_rows_put_curve(r->record, f->t, r->stage, event);
  walk_run_keep(r, f, name);
}

void walk_run_keep(walk_job* r, const walk_found* f, const char* name)
{
  walk_track* t = r->track;
  const int width = t->columns, event = name ? -1 : f->watch;
  walk_happening h = {.event = event,
                      .name = name ? base_arena_strdup(t->arena, name) : NULL,
                      .t = f->t,
                      .direction = f->direction};
  h.row = base_arena_take(t->arena, sizeof(double) * (size_t)width);
  memcpy(h.row, t->table.value + (size_t)(t->table.rows - 1) * (size_t)width,
         sizeof(double) * (size_t)width);
  if (r->record->fixed_rows) {
    t->table.rows--;
    if (t->watched.rows) t->watched.rows--;
  }
  if ((t->happenings & (t->happenings + 1)) == 0)
    t->happening =
        base_realloc(t->happening, sizeof *t->happening * (size_t)(2 * t->happenings + 2));
  t->happening[t->happenings++] = h;
}

// ---- jumps --------------------------------------------------------------------------------------

// A watched function may pass zero by a jump, where a force switches or something is set: no root
// of it lies in any step. Its values before the first change at an instant are kept, and compared
// behind the restart.
void walk_run_keep_before(walk_job* r, double t, const double* y)
{
  if (r->before_t == t) return;
  r->before_t = t;
  for (int i = 0; i < r->watch->count; i++)
    r->before[i] = walk_events_clear_value(r->watch, i, t, y);
}

static int jumped(walk_job* r, double t, walk_found* out)
{
  const model* m = r->s->model;
  int count = 0;
  if (r->before_t != t) return 0;
  r->before_t = NAN;
  for (int i = 0; i < r->watch->count && count < most_jumps; i++) {
    if (i >= m->events && (i - m->events != r->stage || m->stage[r->stage].until == EXPR_NONE ||
                           m->stage[r->stage].until_time != EXPR_NONE))
      continue;
    const double after = walk_events_clear_value(r->watch, i, t, r->stepper->y);
    // a root of it found at this very instant is one of rounding
    if (after == 0) r->watch->last[i] = t;
    const int direction = r->before[i] < 0 && after > 0   ? 1
                          : r->before[i] > 0 && after < 0 ? -1
                                                          : 0;
    const int wanted = i >= m->events ? 1 : m->event[i].direction;
    if (!direction || (wanted && wanted != direction) || r->watch->last[i] == t) continue;
    out[count++] = (walk_found){i, t, direction};
  }
  return count;
}

bool walk_run_restart(walk_job* r, double t, double work)
{
  step_stepper* s = r->stepper;
  if (r->f->wide) {
    walk_run_give_up(r, "the motion changes at once there, and goes on from it with no more digits "
                        "than a double has; --tol 1e-15 goes on");
    return false;
  }
  if (rate_flow_rebase(r->f)) {
    walk_run_give_up(r, r->e->reason);
    return false;
  }
  rate_flow_store(r->f, work, r->y);
  // the implicit form has as many unknowns as there are constraints now
  if (s->method->implicit_form && s->ode.dae_n != r->f->ode.dae_n) {
    const step_method* method = s->method;
    const step_counts counts = s->counts;
    method->destroy(s);
    r->stepper = s = method->create(method, &r->f->ode);
    s->counts = counts;
  }
  walk_run_warn_laws(r, t);
  const step_status status = s->method->start(s, t, r->y, r->t_end);
  r->track->restarts++;
  if (status != STEP_OK) {
    walk_run_give_up(r, *r->e->reason ? r->e->reason : s->reason);
    return false;
  }
  walk_contact_tell(r, t);
  if (r->over) return false;
  walk_found found[most_jumps];
  const int count = jumped(r, t, found);
  if (count) walk_run_happen(r, found, count);
  return !r->over;
}

// apply a change at time t to the state y, which then is the one after it, as is the engine's
static bool apply(walk_job* r, const model_change* c, double t, double* y)
{
  bool moved;
  if (rate_flow_load(r->f, t, y) || engine_project(r->e, &moved)) {
    walk_run_give_up(r, r->e->reason);
    return false;
  }
  walk_run_keep_before(r, t, y);
  if (rate_flow_load(r->f, t, y) || engine_project(r->e, &moved)) return false;
  const double before = walk_run_energy(r).H;
  walk_integrals_note(r);
  if (walk_change(r->e, c, r->notes)) {
    char text[120];
    snprintf(text, sizeof text, "at t = %.10g: the change asked for there could not be made", t);
    walk_run_stop(r, WALK_UNFINISHED, text);
    return false;
  }
  engine_time(r->e, t);
  if (t <= r->last_change + 1e-12 * fmax(1, fabs(t))) {
    if (++r->idle_changes > most_idle_changes) {
      walk_run_give_up(r, "events follow each other without end at this time");
      return false;
    }
  } else {
    r->idle_changes = 0;
  }
  r->last_change = t;
  if (r->e->unilateral && (contact_sides(r->e) || contact_inequality_decide(r->e, true, NULL))) {
    walk_run_give_up(r, r->e->reason);
    return false;
  }
  walk_contact_note(r);
  // what the state set runs into takes energy, too
  r->jumps += walk_run_energy(r).H - before;
  walk_integrals_jump(r);
  if (c->releases || c->imposes || r->e->unilateral) engine_set_aside(r->e);
  if (contact_sides(r->e) || rate_flow_rebase(r->f)) {
    walk_run_give_up(r, r->e->reason);
    return false;
  }
  rate_flow_store(r->f, y[2 * r->e->n], y);
  return true;
}

// the stage that follows, and those after it whose end is already reached; false when the run is
// over
static bool next_stages(walk_job* r, double t, const double* y)
{
  const model* m = r->s->model;
  memcpy(r->y, y, sizeof(double) * (size_t)r->f->ode.n);
  for (;;) {
    if (r->stage + 1 >= m->stages) {
      // the model's own span, or rows still asked for, keep the last stage going
      const walk_rows* c = r->record;
      if (isinf(r->t_end) && c->fixed_rows && c->due < c->count) r->t_end = c->times[c->count - 1];
      if (isfinite(r->t_end)) {
        r->stage_until = INFINITY;
        // rows shown since then stood elsewhere
        rate_flow_load(r->f, t, r->y);
        return true;
      }
      walk_run_stop(r, WALK_DONE, "");
      return false;
    }
    const model_stage* next = &m->stage[r->stage + 1];
    if (!apply(r, &next->change, t, r->y)) return false;
    walk_run_begin_stage(r, r->stage + 1);
    if (r->stage_until <= t) continue;
    if (next->until != EXPR_NONE && next->until_time == EXPR_NONE &&
        walk_events_value(r->watch, m->events + r->stage, t, r->y) >= 0)
      continue;
    rate_flow_load(r->f, t, r->y);
    return true;
  }
}

void walk_run_change_stage(walk_job* r, double t, const double* y)
{
  // nothing is shown of a change at the very end
  if (t >= r->t_end) return;
  const double work = y[2 * r->e->n];
  const walk_table* table = &r->track->table;
  const bool shown =
      table->rows && table->value[(size_t)(table->rows - 1) * (size_t)table->width] == t;
  if (!r->record->fixed_rows && !shown) walk_run_add_row(r, t, y, -1);
  if (r->over) return;
  if (!next_stages(r, t, y)) {
    r->track->t_reached = t;
    return;
  }
  if (!walk_run_restart(r, t, work)) return;
  if (!r->record->fixed_rows) walk_run_add_row(r, t, r->stepper->y, -1);
}

// the largest place (level 0) or speed (level 1) at the ends and in the middle of the last step
static double size_in_step(walk_job* r, int level)
{
  const step_stepper* s = r->stepper;
  const int n = r->e->n;
  double most = 0, *y = base_alloc(sizeof(double) * (size_t)r->f->ode.n);
  for (int k = 0; k <= 2 && s->t > s->t_old; k++) {
    const double t = s->t_old + (s->t - s->t_old) * k / 2;
    s->method->dense(r->stepper, t, y);
    for (int i = 0; i < n; i++) most = fmax(most, fabs(y[level * n + i]));
  }
  free(y);
  return most;
}

// A constraint whose function has a jump, or a corner across the motion, would have places or
// velocities jump with it. No law says how: on the sides now taken, some constraint does not hold.
static int torn(walk_job* r)
{
  engine* e = r->e;
  if (!e->rows) return 0;
  code_run(e->levels, e->in, e->level_out, e->scratch);
  for (int level = 0; level <= 1; level++) {
    const double allowed = 1e-9 * size_in_step(r, level) + 1e-13;
    for (int i = 0; i < e->rows; i++) {
      const int k = e->row[i];
      if (e->model->constraint[k].order > level) continue;
      const double off = fabs(level == 0 ? e->f0[k] : e->f1[k]);
      if (off <= allowed * fmax(1, engine_level_norm(e, k))) continue;
      snprintf(e->reason, sizeof e->reason,
               "the constraint `%s` jumps there: %s would have to jump with it (by about %.3g); "
               "smooth it, or let a stage `impose` what holds from there on",
               e->model->constraint[k].name, level == 0 ? "the place" : "velocities", off);
      return 1;
    }
  }
  return 0;
}

int walk_run_meet_corners(walk_job* r, const walk_found* found, int count)
{
  const int first = r->s->model->events + r->s->model->stages;
  int failed = 0;
  for (int i = 0; i < count && !failed; i++) {
    const int corner = found[i].watch - first;
    if (corner >= 0 && corner < r->e->modes.count && !contact_slip_owns(r->e, corner))
      failed = contact_meet_corner(r->e, corner, found[i].direction);
  }
  return failed || torn(r);
}

// go on behind the corners met, on their other side or held there
static void turn_corners(walk_job* r, const walk_found* found, int count, const double* y)
{
  const double t = found[0].t;
  bool moved;
  r->corners = t <= r->last_corner + 1e-9 * fmax(1e-3, fabs(t)) ? r->corners + 1 : 0;
  r->last_corner = t;
  walk_run_keep_before(r, t, y);
  const int failed = rate_flow_load(r->f, t, y) || engine_project(r->e, &moved) ||
                     walk_run_meet_corners(r, found, count) || walk_contact_follow(r);
  if (failed)
    walk_run_give_up(r, r->e->reason);
  else if (r->corners > most_idle_corners)
    walk_run_give_up(r, "the forces jump to and fro without end at this time");
  else
    walk_run_restart(r, t, y[2 * r->e->n]);
}

static bool sets_state(const model_change* c)
{
  for (int i = 0; i < c->sets; i++)
    if (c->set[i].target != MODEL_SET_PARAM) return true;
  return c->imposes > 0;
}

// rate of the value of event k up to time t of the last step
static double rate_before(walk_job* r, int k, double t)
{
  const double back = 1e-3 * (t - r->stepper->t_old);
  if (!(back > 0)) return 0;
  r->stepper->method->dense(r->stepper, t - back, r->y);
  return -walk_events_value(r->watch, k, t - back, r->y) / back;
}

// another point of the base of contact i is followed from here on
static bool change_foot(walk_job* r, int i, double t, double* y)
{
  bool moved;
  const double work = y[2 * r->e->n];
  if (rate_flow_load(r->f, t, y) || engine_project(r->e, &moved) || contact_foot_change(r->e, i) ||
      rate_flow_rebase(r->f)) {
    walk_run_give_up(r, r->e->reason);
    return false;
  }
  rate_flow_store(r->f, work, y);
  return true;
}

// everything that was found at one instant; true if the step ends there
bool walk_run_happen(walk_job* r, const walk_found* found, int count)
{
  const model* m = r->s->model;
  const double t = found[0].t;
  double* y = base_alloc(sizeof(double) * (size_t)r->f->ode.n);
  r->instant = t;
  if (t == r->stepper->t)
    memcpy(y, r->stepper->y, sizeof(double) * (size_t)r->f->ode.n);
  else
    r->stepper->method->dense(r->stepper, t, y);
  const double work = y[2 * r->e->n];
  bool ends = false, stage_ends = false, changed = false, cornered = false, branched = false,
       touched = false;
  int sticking = -1;
  for (int i = 0; i < count && !r->over; i++) {
    const int k = found[i].watch;
    if (k == WALK_FOUND_BRANCH) {
      branched = ends = true;
      continue;
    }
    if (k >= WALK_FOUND_STICKING && k < WALK_FOUND_STICKING + MODEL_GRIPS * m->contacts) {
      sticking = i;
      ends = true;
      continue;
    }
    if (k >= WALK_FOUND_LEAVING && k < WALK_FOUND_LEAVING + m->contacts) {
      model_change c;
      if (walk_leave_happen(r, &found[i], y, &c)) changed = apply(r, &c, t, y) || changed;
      ends = ends || changed || r->over;
      continue;
    }
    if (k >= WALK_FOUND_FOOT && k < WALK_FOUND_FOOT + m->contacts) {
      changed = change_foot(r, k - WALK_FOUND_FOOT, t, y) || changed;
      ends = true;
      continue;
    }
    if (k < 0) {
      char text[200];
      snprintf(text, sizeof text,
               "at t = %.10g: the constraint `%s` loses its gradient there; the motion beyond is "
               "not defined",
               t, m->constraint[-1 - k].name);
      walk_run_stop(r, WALK_UNFINISHED, text);
      ends = true;
      continue;
    }
    const double pause = t - r->watch->last[k];
    r->watch->last[k] = t;
    if (k >= m->events + m->stages) {
      ends = true;
      const int corner = k - m->events - m->stages;
      if (corner >= r->e->modes.count || contact_slip_owns(r->e, corner))
        touched = true;
      else
        cornered = true;
      continue;
    }
    if (k >= m->events) {
      stage_ends = ends = true;
      continue;
    }
    walk_run_remember(r, &found[i], NULL, y);
    if (m->event[k].action == MODEL_STOP) {
      char text[200];
      snprintf(text, sizeof text, "event `%s` at t = %.10g", m->event[k].name, t);
      walk_run_stop(r, WALK_STOPPED, text);
      ends = true;
    } else if (m->event[k].action == MODEL_CHANGE) {
      ends = true;
      // pauses that vanish: the times of this event accumulate
      r->rapid = pause < 1e-9 * fmax(1e-3, fabs(t)) ? r->rapid + 1 : 0;
      if (r->rapid >= 3) {
        char text[200];
        snprintf(text, sizeof text,
                 "at t = %.10g: event `%s` happens ever faster; its times accumulate there", t,
                 m->event[k].name);
        walk_run_stop(r, WALK_UNFINISHED, text);
        continue;
      }
      r->approach = rate_before(r, k, t);
      changed = apply(r, &m->event[k].change, t, y) || changed;
      r->just_changed = sets_state(&m->event[k].change) ? k : -1;
    }
  }
  if (ends) r->track->t_reached = t;
  if (!r->over && stage_ends) {
    walk_run_change_stage(r, t, y);
  } else if (!r->over && touched && !changed) {
    walk_run_contact(r, found, count, y);
  } else if (!r->over && cornered && !changed) {
    turn_corners(r, found, count, y);
  } else if (!r->over && changed) {
    rate_flow_load(r->f, t, y);
    if (walk_run_restart(r, t, work) && !r->record->fixed_rows)
      walk_run_add_row(r, t, r->stepper->y, -1);
  }
  if (!r->over && sticking >= 0 && !changed && !stage_ends && !touched && !cornered)
    walk_stick_happen(r, &found[sticking], y);
  // a change chooses among all branches anew
  if (!r->over && branched && !changed && !stage_ends && !cornered) walk_run_change_branch(r, t, y);
  if (r->over) {
    rate_flow_load(r->f, t, y);
    walk_run_note_energy(r, y);
    walk_integrals_note(r);
  }
  r->instant = NAN;
  free(y);
  return ends;
}
