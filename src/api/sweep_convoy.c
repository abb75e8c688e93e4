// Runs of a sweep that share one program and go side by side where they can. What is not in order
// with one of them is told by an ordinary run of the same point.
#include "api/sweep.h"

#include <stdlib.h>
#include <string.h>

// runs at a time: at least as many as fill the lanes, at most so many that little is lost when the
// sweep is killed; all threads are to have some
enum { least_chunk = 8, most_chunk = 64, least_gpu = 256, most_gpu = 4096, shares = 4 };

typedef struct worker
{
  const api_sweep* s;
  sweep_convoy* convoy;
  api_convoy_counts* counts;
  sweep_rows* rows;
  int next;
  double* number; // of the params, by run
  bool* again;    // it is to be made once more
} worker;

const char* api_convoy_refusal(const api_sweep* s)
{
  const walk_options o = api_sweep_run_options(s);
  const model* m = s->shared->model->model;
  const char* method = o.method ? o.method : m->method;
  if (*method && strcmp(method, "dop853") != 0) return "another method than dop853 is asked for";
  if (sweep_needs_rows(&s->want) || o.every > 0 || o.points != 2)
    return "results need more than the end of the run";
  return sweep_convoy_refusal(s->shared->system->system, &o);
}

static int chunk_of(const api_convoy* c)
{
  const api_sweep* s = c->s;
  const int threads = s->o->threads ? s->o->threads : sweep_threads();
  const int least = c->gpu ? least_gpu : least_chunk, most = c->gpu ? most_gpu : most_chunk;
  const int64_t share = s->head.runs / ((int64_t)shares * threads * sweep_ranks());
  return share < least ? least : share > most ? most : (int)share;
}

static void* open_worker(void* context)
{
  api_convoy* c = context;
  const api_sweep* s = c->s;
  worker* w = base_alloc(sizeof *w);
  w->s = s;
  w->counts = &c->counts;
  w->convoy =
      sweep_convoy_open(s->shared->system->system, c->gpu ? sweep_gpu_carrier_of(c->gpu) : NULL);
  const int most = chunk_of(c);
  w->number = base_alloc(sizeof(double) * (size_t)(most * (s->shared->model->model->params + 1)));
  w->again = base_alloc((size_t)most);
  return w;
}

static void close_worker(void* context)
{
  worker* w = context;
  const sweep_convoy_counts c = sweep_convoy_look(w->convoy);
  __atomic_add_fetch(&w->counts->runs, c.runs, __ATOMIC_RELAXED);
  __atomic_add_fetch(&w->counts->along, c.along, __ATOMIC_RELAXED);
  if (c.why) __atomic_store_n(&w->counts->why, c.why, __ATOMIC_RELAXED);
  sweep_convoy_close(w->convoy);
  free(w->number);
  free(w->again);
  free(w);
}

static bool next(void* context, walk_options* o, base_notes** notes, int* run)
{
  worker* w = context;
  const api_shared* b = w->s->shared;
  const model* m = b->model->model;
  if (w->next == w->rows->count) return false;
  *run = w->next++;
  double* number = w->number + *run * (m->params + 1);
  for (int k = 0; k < m->params; k++) number[k] = m->param[k].number;
  const int axes = w->s->plan.axes;
  for (int k = 0; k < axes; k++)
    number[b->param[k]] = w->rows->value[*run * axes + k] * b->scale[k];
  *o = api_sweep_run_options(w->s);
  o->number = number;
  *notes = base_notes_new();
  return true;
}

static void end(void* context, int run, walk_track* t, base_notes* notes, bool told)
{
  worker* w = context;
  const bool fine =
      t && !told && !*t->doubt && (t->status == WALK_DONE || t->status == WALK_STOPPED);
  w->again[run] = !fine;
  if (fine) api_sweep_keep(w->s, t, notes, w->rows, run);
  walk_track_free(t);
  base_notes_free(notes);
}

static bool run(void* context, sweep_rows* rows)
{
  worker* w = context;
  const sweep_convoy_task task = {.context = w, .next = next, .end = end};
  w->rows = rows;
  w->next = 0;
  sweep_convoy_run(w->convoy, &task);
  bool same = true;
  for (int i = 0; i < rows->count && same; i++)
    if (w->again[i]) same = api_sweep_one(w->s, rows, i);
  return same;
}

sweep_maker api_convoy_maker(api_convoy* c)
{
  return (sweep_maker){
      .context = c, .open = open_worker, .run = run, .close = close_worker, .chunk = chunk_of(c)};
}
