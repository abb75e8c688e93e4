// Runs of a sweep that share one program: what is varied is given with each run.
#include "api/sweep.h"

#include <stdlib.h>
#include <string.h>

// below it numbers have twice the digits of the doubles that a sweep is made of
static const double least_tolerance = 1e-15;

static bool has_doubles(const api_sweep* s)
{
  const double tolerance = s->o->tolerance > 0 ? s->o->tolerance : s->source->model->tolerance;
  return !(tolerance > 0) || tolerance >= least_tolerance;
}

// false where the model is another one for other values
static bool give(api_shared* b, const api_sweep* s)
{
  // each has an equilibrium of its own
  if (b->model->model->settle) return false;
  for (int i = 0; i < s->plan.axes; i++) {
    model* m = b->model->model;
    const model_varied* v = &s->varied[i];
    b->param[i] = v->param >= 0 ? v->param : model_start_given(m, v);
    b->scale[i] = b->model->model->param[b->param[i]].scale;
    if (v->param >= 0 && !model_give(m, v->param)) return false;
  }
  return true;
}

bool api_shared_open(api_shared* b, const api_sweep* s)
{
  const size_t axes = (size_t)s->plan.axes + 1;
  *b = (api_shared){.notes = base_notes_new(),
                    .param = base_alloc(sizeof *b->param * axes),
                    .scale = base_alloc(sizeof *b->scale * axes)};
  if (has_doubles(s)) b->model = api_sweep_model(s, NULL, b->notes);
  if (b->model && api_sum_sources(b->notes) == s->sources && give(b, s))
    b->system = api_system_new(b->model, b->notes);
  if (b->system) return true;
  api_shared_close(b);
  return false;
}

void api_shared_close(api_shared* b)
{
  if (!b->notes) return;
  api_object_drop(b->system);
  api_object_drop(b->model);
  base_notes_free(b->notes);
  free(b->param);
  free(b->scale);
  *b = (api_shared){0};
}

bool api_shared_run(const api_sweep* s, sweep_rows* rows, int i)
{
  const api_shared* b = s->shared;
  const model* m = b->model->model;
  const int axes = s->plan.axes;
  double* number = base_alloc(sizeof *number * (size_t)(m->params + 1));
  for (int k = 0; k < m->params; k++) number[k] = m->param[k].number;
  for (int k = 0; k < axes; k++) number[b->param[k]] = rows->value[i * axes + k] * b->scale[k];
  walk_options o = api_sweep_run_options(s);
  o.number = number;
  base_notes* notes = base_notes_new();
  walk_track* t = walk_run(b->system->system, &o, notes);
  if (t) api_sweep_keep(s, t, notes, rows, i);
  const bool made = t;
  walk_track_free(t);
  base_notes_free(notes);
  free(number);
  return made;
}
