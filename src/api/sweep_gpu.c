// Runs of a sweep on a GPU; what it cannot make goes the ordinary way.
#include "api/sweep.h"

#include <stdlib.h>
#include <string.h>

typedef struct worker
{
  api_gpu* g;
  sweep_gpu_worker* runs; // null: the GPU failed
} worker;

// Runs that begin and end here, plain stretches made there; false where they do not suit, else the
// carrier is null, with an error noted, where there is no GPU.
static bool open_convoy(api_gpu* g, api_sweep* s, const char** why, base_notes* notes)
{
  if (!api_shared_open(&g->shared, s)) return false;
  s->shared = &g->shared;
  const char* refusal = api_convoy_refusal(s);
  if (refusal) *why = refusal;
  if (!refusal) g->carrier = sweep_gpu_carrier_open(notes);
  return !refusal;
}

bool api_gpu_open(api_gpu* g, api_sweep* s, base_notes* notes)
{
  const char* why = "";
  *g = (api_gpu){0};
  if (!api_bundle_open(&g->bundle, s, true, &why)) {
    if (open_convoy(g, s, &why, notes)) return g->carrier != NULL;
    base_error(notes, BASE_NOWHERE, "--device gpu does not suit: %s", why);
    base_help(notes, "without --device every model is taken");
    return false;
  }
  const model* m = s->source->model;
  const char** event = base_arena_take(s->arena, sizeof *event * (size_t)(m->events + 1));
  for (int i = 0; i < m->events; i++) event[i] = m->event[i].name;
  const sweep_gpu_problem p = {.bundle = g->bundle.bundle,
                               .axes = s->plan.axes,
                               .columns = g->bundle.columns,
                               .want = &s->want,
                               .events = m->events,
                               .event = event};
  g->gpu = sweep_gpu_open(&p, notes);
  if (g->gpu) return true;
  api_gpu_close(g);
  return false;
}

void api_gpu_close(api_gpu* g)
{
  sweep_gpu_close(g->gpu);
  sweep_gpu_carrier_close(g->carrier);
  api_shared_close(&g->shared);
  api_bundle_close(&g->bundle);
  *g = (api_gpu){0};
}

static void* open_worker(void* context)
{
  worker* w = base_alloc(sizeof *w);
  w->g = context;
  w->runs = sweep_gpu_worker_open(w->g->gpu);
  return w;
}

static void close_worker(void* context)
{
  worker* w = context;
  sweep_gpu_worker_close(w->runs);
  free(w);
}

static bool run(void* context, sweep_rows* rows)
{
  worker* w = context;
  const api_bundle* b = &w->g->bundle;
  const api_sweep* s = b->s;
  const int width = sweep_gpu_width(w->g->gpu);
  double* value = w->runs ? sweep_gpu_values(w->runs) : NULL;
  if (value) api_bundle_values(b, rows, value);
  double* results;
  const int* trials;
  bool all = false, fine = value && sweep_gpu_run(w->runs, rows->count, &results, &trials, &all);
  if (!fine) w->g->failed = true;
  if (fine && all) sweep_take_chunk(&s->want, results, b->columns, width, rows);
  for (int i = 0; i < rows->count && fine && !all; i++) {
    const double* result = results + (size_t)i * (size_t)width;
    if (trials[i])
      sweep_take_columns(&s->want, result, result + b->columns, rows, i);
    else
      fine = api_sweep_one(s, rows, i);
  }
  return fine;
}

sweep_maker api_gpu_maker(api_gpu* g)
{
  return (sweep_maker){.context = g,
                       .open = open_worker,
                       .run = run,
                       .close = close_worker,
                       .chunk = sweep_gpu_chunk()};
}
