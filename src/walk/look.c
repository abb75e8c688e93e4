// What is found in a step: every kind of the table looks for its own instants.
#include "rate/rate.h"
#include "walk/happenings.h"

#include <math.h>
#include <stdlib.h>

static int by_time(const void* a, const void* b)
{
  const walk_found *x = a, *y = b;
  if (x->t != y->t) return (x->t > y->t) - (x->t < y->t);
  if (x->kind != y->kind) return (x->kind > y->kind) - (x->kind < y->kind);
  return (x->index > y->index) - (x->index < y->index);
}

double walk_events_shows(num_function* value, walk_events* w, double from, double to, double most)
{
  double low = from, high = to;
  if (!(value(w, high) < -most && value(w, low) > -most)) return NAN;
  while (high - low > w->tolerance) {
    const double middle = low + (high - low) / 2;
    if (value(w, middle) < -most)
      high = middle;
    else
      low = middle;
  }
  return high;
}

void walk_events_step(walk_events* w, step_stepper* s, double from, int stage)
{
  w->stepper = s;
  w->stage = stage;
  w->cached = 0;
  w->found.n = 0;
  w->searched_to = s->t;
  const double before = fabs(s->t_old), now = fabs(s->t), scale = now > before ? now : before;
  w->tolerance = engine_noise_root * scale;
  w->same = engine_same_time * scale;
  if (s->method->series_form && w->count) rate_series_watch(w->flow->series, s->t_old);
  for (int i = 0; i < w->look_count; i++) {
    const walk_kind_row* kind = &walk_kinds[w->looks[i]];
    if (!kind->decided || !s->method->decides) kind->look(w, from);
  }
  if (w->found.n) qsort(w->found.at, (size_t)w->found.n, sizeof *w->found.at, by_time);
  while (w->found.n && w->found.at[w->found.n - 1].t > w->searched_to) w->found.n--;
}
