// Delayed values of an engine: their times, and room for what is remembered.
#include "engine/engine.h"

#include <math.h>

static void release(void* delays)
{
  engine_delays* d = delays;
  base_list_free(&d->segment);
  base_list_free(&d->piece);
  base_list_free(&d->term);
}

static bool read_lags(engine* e, engine_delays* d, base_notes* notes)
{
  const model* m = e->model;
  d->shortest = INFINITY;
  for (int k = 0; k < d->count; k++) {
    d->lag[k] = engine_value_again(e, m->delay[k].lag);
    if (!(d->lag[k] > 0) || !isfinite(d->lag[k])) {
      base_error(notes, m->delay[k].place, "the time of this delay is %g", d->lag[k]);
      return false;
    }
    d->longest = fmax(d->longest, d->lag[k]);
    d->shortest = fmin(d->shortest, d->lag[k]);
    for (int i = 0; i < e->p; i++)
      if (e->program->changing[i] == m->delay[k].param) d->param[k] = i;
  }
  return true;
}

bool engine_delays_open(engine* e, base_notes* notes)
{
  const int count = e->model->delays;
  if (!count || e->program->is_part) return true;
  engine_delays* d =
      engine_take(e, sizeof *d + sizeof(double) * (size_t)(count * (engine_delay_terms + 1)), 1);
  d->count = count;
  d->param = engine_take(e, (size_t)count, sizeof(int));
  d->reads = engine_take(e, (size_t)count, sizeof(int));
  d->lag = engine_doubles(e, count);
  for (int k = 0; k < count; k++) d->reads[k] = engine_delay_none;
  e->delays = d;
  engine_attach(e, release, d);
  for (int p = 0; p < e->parts; p++) e->part[p].e->delays = d;
  return read_lags(e, d, notes);
}
