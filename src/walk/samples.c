// Samples: events at known times from + k every, stepped to and not looked for.
#include "walk/run.h"

#include <math.h>

static bool is_sample(const model_event* e)
{
  return e->every != EXPR_NONE;
}

static double time_of(const walk_job* r, int i)
{
  const walk_sample* x = &r->sample[i];
  return x->first + (double)x->taken * x->every;
}

void walk_sample_open(walk_job* r)
{
  const model* m = r->s->model;
  r->sample = base_arena_take(r->track->arena, sizeof *r->sample * (size_t)(m->events + 1));
  for (int i = 0; i < m->events; i++) {
    if (!is_sample(&m->event[i])) continue;
    walk_sample* x = &r->sample[i];
    x->first = engine_value_again(r->e, m->event[i].from);
    x->every = engine_value_again(r->e, m->event[i].every);
    const double late = r->track->t_from - x->first;
    if (late > 0) x->taken = (long)ceil(late / x->every * (1 - engine_same_time));
  }
  walk_sample_plan(r);
}

void walk_sample_plan(walk_job* r)
{
  const model* m = r->s->model;
  r->sample_next = INFINITY;
  for (int i = 0; i < m->events; i++)
    if (is_sample(&m->event[i])) r->sample_next = fmin(r->sample_next, time_of(r, i));
}

bool walk_sample_start(walk_job* r)
{
  const model* m = r->s->model;
  const double t = r->track->t_from;
  for (int i = 0; i < m->events; i++) {
    if (!is_sample(&m->event[i]) || time_of(r, i) > t) continue;
    r->sample[i].taken++;
    if (walk_change(r->e, &m->event[i].change, r->notes)) return false;
  }
  walk_sample_plan(r);
  return true;
}

void walk_sample_due(walk_job* r, double t, walk_found_list* list)
{
  const model* m = r->s->model;
  if (!(r->sample_next <= t + r->watch->same)) return;
  for (int i = 0; i < m->events; i++) {
    if (!is_sample(&m->event[i]) || time_of(r, i) > t + r->watch->same) continue;
    bool listed = false;
    for (int k = 0; k < list->n; k++)
      listed = listed || (list->at[k].kind == WALK_EVENT && list->at[k].index == i);
    if (!listed) base_push(list, (walk_found){WALK_EVENT, i, t, 1});
  }
}

void walk_sample_taken(walk_job* r, int i)
{
  if (!is_sample(&r->s->model->event[i])) return;
  r->sample[i].taken++;
  walk_sample_plan(r);
}

bool walk_sample_alone(const walk_job* r, int count, const walk_found* found)
{
  bool alone = true;
  for (int i = 0; i < count; i++)
    alone =
        alone && (found[i].kind == WALK_DELAY ||
                  (found[i].kind == WALK_EVENT && is_sample(&r->s->model->event[found[i].index])));
  return alone && count > 0;
}
