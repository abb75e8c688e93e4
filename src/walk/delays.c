// Delayed values along a run: what is delayed is recorded step by step, and where a break of it
// arrives the steps start anew.
#include "contact/contact.h"
#include "walk/instant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// a step that ends at a break may end beyond it by a rounding
static double due_by(const walk_job* r, double t)
{
  return t + engine_same_time * engine_scale_instant(r->e, t);
}

static void dense(void* job, double t, double* y)
{
  const walk_job* r = job;
  r->stepper->method->dense(r->stepper, t, y);
}

void walk_delay_record(walk_job* r, double from, double to, walk_states_of states, void* context)
{
  const engine_delays* d = r->e->delays;
  if (!d || !(to > from) || r->over) return;
  walk_aside_begin(r->record->aside, r->f);
  for (int i = 0; i < engine_delay_terms; i++) {
    const double t = engine_delays_place(from, to, i);
    states(context, t, r->y);
    if (rate_flow_load(r->f, t, r->y)) {
      walk_run_give_up(r, r->e->reason);
      break;
    }
    engine_delays_read(r->e, i);
  }
  walk_aside_end(r->record->aside, r->f);
  if (!r->over) engine_delays_piece(r->e, from, to);
}

void walk_delay_along(walk_job* r, double from, double to)
{
  walk_delay_record(r, from, to, dense, r);
}

void walk_delay_due(walk_job* r, double t, walk_found_list* list)
{
  if (!r->e->delays || !(engine_delays_next(r->e) <= due_by(r, t))) return;
  for (int i = 0; i < list->n; i++)
    if (list->at[i].kind == WALK_DELAY) return;
  base_push(list, ((walk_found){WALK_DELAY, 0, t, 1}));
}

double walk_delay_before(const walk_job* r, double limit)
{
  const double next = engine_delays_next(r->e);
  return due_by(r, next) < limit ? next : limit;
}

// they are listed where they are due
void walk_delay_look(walk_events* w, double from)
{
  (void)w;
  (void)from;
}

void walk_delay_happen(walk_job* r, walk_instant* in, const walk_found* found)
{
  (void)found;
  if (!walk_instant_enter(r, in)) return;
  in->arrived = engine_delays_arrive(r->e, due_by(r, in->t));
  engine_time(r->e, in->t);
  in->ends = true;
}

void walk_delay_limit(walk_job* r, const walk_instant* in)
{
  engine* e = r->e;
  const int n = e->n;
  if (!e->delays || !(in->until > in->t)) return;
  walk_aside_begin(r->record->aside, r->f);
  const bool failed = rate_flow_rebase(r->f) || contact_accelerations(e);
  double *q = base_alloc(sizeof(double) * (size_t)(3 * n)), *v = q + n, *a = v + n;
  memcpy(q, e->q, sizeof(double) * (size_t)(2 * n));
  memcpy(a, e->a, sizeof(double) * (size_t)n);
  for (int i = 0; i < engine_delay_terms && !failed; i++) {
    const double t = engine_delays_place(in->t, in->until, i), h = t - in->until;
    for (int j = 0; j < n; j++) {
      e->q[j] = q[j] + h * (v[j] + h / 2 * a[j]);
      e->v[j] = v[j] + h * a[j];
    }
    engine_time(e, t);
    engine_delays_read(e, i);
  }
  free(q);
  walk_aside_end(r->record->aside, r->f);
  if (failed)
    walk_run_give_up(r, e->reason);
  else
    engine_delays_piece(e, in->t, in->until);
}

// what is delayed feels a break one derivative later than forces do
void walk_delay_go_on(walk_job* r, const walk_instant* in)
{
  bool alone = in->count > 0;
  for (int i = 0; i < in->count; i++) alone = alone && in->found[i].kind == WALK_DELAY;
  engine_delays_break(r->e, in->until, alone ? in->arrived + 1 : 0);
}
