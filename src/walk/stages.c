// Stages that follow one another in a run.
#include <math.h>
#include <stdio.h>

#include "engine/engine.h"
#include "walk/instant.h"

// is the end of the stage under way reached at a state?
bool walk_stage_is_over(walk_job* r, double t, const double* y)
{
  const model* m = r->s->model;
  if (r->stage < 0) return false;
  if (r->stage_until <= t) return true;
  const model_stage* now = &m->stage[r->stage];
  return now->until != EXPR_NONE && now->until_time == EXPR_NONE &&
         walk_events_value(r->watch, m->events + r->stage, t, y) >= 0;
}

// nothing is shown of a change at the very end
void walk_stage_tell(walk_job* r, walk_instant* in, const walk_found* found)
{
  (void)found;
  const walk_table* table = &r->track->table;
  const bool shown =
      table->rows && table->value[(size_t)(table->rows - 1) * (size_t)table->width] == in->t;
  if (in->t < r->t_end && !r->record->fixed_rows && !shown) walk_run_add_row(r, in->t, in->y, -1);
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

// the model's own span, or rows still asked for, keep the last stage going
static void end_last(walk_job* r, double t)
{
  const walk_rows* c = r->record;
  if (isinf(r->t_end) && c->fixed_rows && c->due < c->count) r->t_end = c->times[c->count - 1];
  r->stage_until = INFINITY;
  if (isinf(r->t_end))
    walk_run_stop(r, WALK_DONE, "");
  else
    walk_run_tell_stage_over(r, t);
}

void walk_stage_happen(walk_job* r, walk_instant* in, const walk_found* found)
{
  const model* m = r->s->model;
  r->watch->last[WALK_STAGE][found->index] = in->t;
  if (in->t >= r->t_end || found->index != r->stage) return;
  in->ends = true;
  if (r->stage + 1 >= m->stages) {
    end_last(r, in->t);
    return;
  }
  if (walk_instant_set(r, in, &m->stage[r->stage + 1].change))
    walk_run_begin_stage(r, r->stage + 1);
}

void walk_stage_begun(walk_job* r, const walk_instant* in, int before)
{
  walk_events* w = r->watch;
  (void)in;
  if (r->over || r->stage == before) return;
  for (int i = 0; i < w->followed.n; i++)
    if (w->followed.at[i].kind == WALK_STAGE) return;
  const double t = r->stepper->t;
  if (!walk_stage_is_over(r, t, r->stepper->y)) return;
  base_push(&w->followed, (walk_found){WALK_STAGE, r->stage, t, 1});
}

// ---- runs without an end of their own -----------------------------------------------------------

// steps that nobody waits for
enum { most_open_steps = 100000 };

double walk_open_next(const walk_job* r)
{
  const double t = r->stepper->t, made = t - r->track->t_from;
  return t + fmax(r->open_time, engine_open_stride * made);
}

double walk_open_far(const walk_job* r)
{
  return r->stepper->t + engine_open_time * r->open_time;
}

void walk_open_watch(walk_job* r)
{
  const double made = r->stepper->t - r->track->t_from;
  if (r->over || (r->turns < most_open_steps && made < engine_open_clock * r->open_time)) return;
  char text[200];
  snprintf(text, sizeof text,
           "stage `%s` has not come to its end in %.3g s; say where to stop with --until",
           r->s->model->stage[r->stage].name, made);
  walk_run_give_up(r, text);
}
