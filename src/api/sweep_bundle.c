// Runs of a sweep side by side: kernels of one system for all, with what is varied as inputs.
#include "api/sweep.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Runs at a time: so many for each thread that those who are done early wait for a small part of
// the whole, and no more than stay in a cache; but the last runs of a chunk have fewer beside them.
// Ranks must agree, whatever threads they have.
enum { least_chunk = 128, most_chunk = 2048, chunks_per_thread = 32, chunks_alone = 8 };
enum { chunk_of_ranks = 1024 };

static int chunk_of(int64_t runs, int threads)
{
  if (sweep_ranks() > 1) return chunk_of_ranks;
  const int64_t share = runs / (threads > 1 ? (int64_t)threads * chunks_per_thread : chunks_alone);
  return share < least_chunk ? least_chunk : share > most_chunk ? most_chunk : (int)share;
}

// params that differ, and further ones for starts that differ
static bool make_params(api_bundle* b, model* m, int* param)
{
  const api_sweep* s = b->s;
  // each has an equilibrium of its own
  if (m->settle) return false;
  for (int i = 0; i < s->plan.axes; i++) {
    const model_varied* v = &s->varied[i];
    param[i] = v->param >= 0 ? v->param : model_start_param(m, v);
    b->scale[i] = m->param[param[i]].scale;
  }
  return true;
}

static zw_model* open_model(const api_sweep* s, base_notes* notes)
{
  const char** name = base_alloc(sizeof *name * (size_t)(s->plan.axes + 1));
  int count = 0;
  for (int i = 0; i < s->plan.axes; i++)
    if (s->varied[i].param >= 0) name[count++] = s->plan.axis[i].name;
  zw_model* m = api_model_kept(s->source, name, count, notes);
  free(name);
  return m;
}

// The kernels hold all that runs need: of model and system nothing is left behind them.
static void make(api_bundle* b, base_notes* notes, bool gpu, const char** why)
{
  const api_sweep* s = b->s;
  const walk_options o = api_sweep_run_options(s);
  int* param = base_alloc(sizeof *param * (size_t)(s->plan.axes + 1));
  *why = "the model does not take these params as inputs";
  zw_model* m = open_model(s, notes);
  const bool fits = m && api_sum_sources(notes) == s->sources && make_params(b, m->model, param);
  zw_system* y = fits ? api_system_new(m, notes) : NULL;
  if (y && *api_sweep_warnings(s, notes, NULL, s->arena))
    *why = "warnings are given with every run";
  else if (y)
    b->bundle =
        sweep_bundle_new(y->system, &o, s->plan.axes, param, b->columns, b->column, gpu, why);
  api_object_drop(y);
  api_object_drop(m);
  free(param);
}

bool api_bundle_open(api_bundle* b, const api_sweep* s, bool gpu, const char** why)
{
  *b = (api_bundle){.s = s, .scale = base_alloc(sizeof *b->scale * (size_t)(s->plan.axes + 1))};
  b->columns = sweep_columns(&s->want, gpu, s->arena, &b->column);
  *why = "results need more than the end of the run";
  if (b->columns >= 0) {
    base_notes* notes = base_notes_new();
    make(b, notes, gpu, why);
    base_notes_free(notes);
  }
  if (b->bundle) return true;
  api_bundle_close(b);
  return false;
}

void api_bundle_close(api_bundle* b)
{
  sweep_bundle_free(b->bundle);
  free(b->scale);
  *b = (api_bundle){0};
}

static bool has_units(const api_bundle* b)
{
  bool has = false;
  for (int k = 0; k < b->s->plan.axes; k++) has = has || b->scale[k] != 1;
  return has;
}

void api_bundle_values(const api_bundle* b, const sweep_rows* rows, double* value)
{
  const int axes = b->s->plan.axes;
  if (!has_units(b)) {
    memcpy(value, rows->value, sizeof *value * (size_t)rows->count * (size_t)axes);
    return;
  }
  for (int i = 0; i < rows->count; i++)
    for (int k = 0; k < axes; k++) value[i * axes + k] = rows->value[i * axes + k] * b->scale[k];
}

// ---- one thread ---------------------------------------------------------------------------------

typedef struct worker
{
  const api_bundle* b;
  sweep_bundle_worker* lanes;
  // in units of the model, and with columns of basins behind the results; null: as they are in rows
  double *value, *result;
  bool* done;
} worker;

static double* doubles(int count)
{
  return base_alloc(sizeof(double) * (size_t)(count + 1));
}

static void* open_worker(void* context)
{
  worker* w = base_alloc(sizeof *w);
  w->b = context;
  w->lanes = sweep_bundle_open(w->b->bundle);
  const int chunk = w->b->chunk;
  if (has_units(w->b)) w->value = doubles(chunk * w->b->s->plan.axes);
  if (w->b->s->want.basins) w->result = doubles(chunk * w->b->columns);
  w->done = base_alloc((size_t)chunk);
  return w;
}

static void close_worker(void* context)
{
  worker* w = context;
  sweep_bundle_close(w->lanes);
  free(w->value);
  free(w->result);
  free(w->done);
  free(w);
}

static bool run(void* context, sweep_rows* rows)
{
  worker* w = context;
  const api_sweep* s = w->b->s;
  const int columns = w->b->columns;
  if (w->value) api_bundle_values(w->b, rows, w->value);
  double* result = w->result ? w->result : rows->result;
  assert(w->result || columns == s->want.count);
  sweep_bundle_run(w->lanes, rows->count, w->value ? w->value : rows->value, result, w->done);
  bool fine = true;
  for (int i = 0; i < rows->count && fine; i++) {
    if (!w->done[i])
      fine = api_sweep_one(s, rows, i);
    else if (w->result)
      sweep_take_columns(&s->want, result + i * columns, NULL, rows, i);
    else
      sweep_take_ends(&s->want, rows, i);
  }
  return fine;
}

sweep_maker api_bundle_maker(api_bundle* b, int threads)
{
  b->chunk = chunk_of(b->s->head.runs, threads);
  return (sweep_maker){
      .context = b, .open = open_worker, .run = run, .close = close_worker, .chunk = b->chunk};
}
