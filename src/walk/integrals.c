// Declared integrals of the motion: how far they drift in a run, and their rates at a state.
//
// Drift is measured against the size of what an integral is made of: the largest value seen of the
// same expression with |terms| in its sums. So an integral that happens to be zero has a size, too.
#include "walk/integrals.h"

#include <math.h>

// ---- in a run -----------------------------------------------------------------------------------

void walk_integrals_start(walk_job* r)
{
  const model* m = r->s->model;
  walk_track* t = r->track;
  t->integrals = engine_integral_count(m);
  if (!t->integrals) return;
  const size_t room = (size_t)t->integrals + 1;
  t->integral = base_arena_take(t->arena, sizeof *t->integral * room);
  r->integral = base_arena_take(t->arena, sizeof *r->integral * room);
  r->integral_out = base_arena_take(t->arena, sizeof(double) * 2 * room);
  walk_integrals_jump(r);
  for (int i = 0; i < t->integrals; i++) {
    t->integral[i].name = engine_integral_at(m, i)->name;
    t->integral[i].start = r->integral[i].from;
  }
}

void walk_integrals_jump(walk_job* r)
{
  if (!r->track->integrals) return;
  code_run(r->e->program->integrals, r->e->in, r->integral_out, r->e->work.scratch);
  for (int i = 0; i < r->track->integrals; i++) r->integral[i].from = r->integral_out[2 * i];
}

void walk_integrals_note(walk_job* r)
{
  if (!r->track->integrals) return;
  code_run(r->e->program->integrals, r->e->in, r->integral_out, r->e->work.scratch);
  walk_integrals_keep(r, r->integral_out, 1);
}

void walk_integrals_keep(walk_job* r, const double* value, int apart)
{
  for (int i = 0; i < r->track->integrals; i++, value += 2 * apart) {
    walk_held_integral* x = &r->integral[i];
    const double off = fabs(value[0] - x->from);
    // a value that is not a number stays one
    if (!(off <= x->off)) x->off = off;
    if (value[apart] > x->size) x->size = value[apart];
    r->track->integral[i].drift = x->size > 0 ? x->off / x->size : x->off;
  }
}

// ---- at a state ---------------------------------------------------------------------------------

// dI/dt = dI/dt at rest + sum of dI/dq q' + sum of dI/dq' q''
double walk_integral_rate(engine* e, const model_output* x)
{
  const mech_system* s = e->s;
  expr_pool* p = s->pool;
  base_kept_lock(s->kept);
  double sum = engine_value(e, expr_diff(p, x->value, e->model->t)), size = fabs(sum);
  for (int i = 0; i < 2 * s->n; i++) {
    const expr by = i < s->n ? s->q[i] : s->v[i - s->n];
    const expr slope = expr_diff(p, x->value, by);
    if (slope == s->zero[0]) continue;
    const double part = engine_value(e, slope) * (i < s->n ? e->v[i] : e->a[i - s->n]);
    sum += part;
    size += fabs(part);
  }
  base_kept_unlock(s->kept);
  return size > 0 ? fabs(sum) / size : fabs(sum);
}
