// Changes that a model asks for at an instant, and the stages that follow one another.
#include "contact/contact.h"
#include "walk/integrals.h"
#include "walk/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_idle_changes = 10000 };

// apply a change at time t to the state y, which then is the one after it, as is the engine's
bool walk_run_apply(walk_job* r, const model_change* c, double t, double* y)
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
  contact_before kept = contact_before_keep(r->e);
  if (walk_change(r->e, c, r->notes)) {
    contact_before_free(&kept);
    char text[120];
    snprintf(text, sizeof text, "at t = %.10g: the change asked for there could not be made", t);
    walk_run_stop(r, WALK_UNFINISHED, text);
    return false;
  }
  engine_time(r->e, t);
  if (t <= r->last_change + 1e-12 * fmax(1, fabs(t))) {
    if (++r->idle_changes > most_idle_changes) {
      contact_before_free(&kept);
      walk_run_give_up(r, "events follow each other without end at this time");
      return false;
    }
  } else {
    r->idle_changes = 0;
  }
  r->last_change = t;
  bool* touched = contact_touched_since(r->e, &kept);
  contact_before_free(&kept);
  const int failed = r->e->unilateral &&
                     (contact_sides(r->e) || contact_inequality_decide(r->e, true, NULL, touched));
  free(touched);
  if (failed) {
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

void walk_run_tell_stage_over(walk_job* r, double t)
{
  const model* m = r->s->model;
  // who asks for times on the command line knows
  if (r->told_stage || !m->has_run || !isnan(r->o->until) || r->o->at_count) return;
  r->told_stage = true;
  const model_stage* last = &m->stage[m->stages - 1];
  base_info(
      r->notes, last->place,
      "the last stage `%s` comes to its end at t = %.10g, but `run` goes on in it to t = %.10g",
      last->name, t, r->t_end);
  base_help(r->notes, "without `run` the end of the last stage is that of the run");
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
        walk_run_tell_stage_over(r, t);
        // rows shown since then stood elsewhere
        rate_flow_load(r->f, t, r->y);
        return true;
      }
      walk_run_stop(r, WALK_DONE, "");
      return false;
    }
    const model_stage* next = &m->stage[r->stage + 1];
    if (!walk_run_apply(r, &next->change, t, r->y)) return false;
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

void walk_stage_happen(walk_job* r, walk_instant* in, const walk_found* found)
{
  r->watch->last[WALK_STAGE][found->index] = in->t;
  in->stage_ends = in->ends = true;
}
