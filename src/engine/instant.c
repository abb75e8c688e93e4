// The instant in the block of inputs: time and state put there, values of expressions at it, and
// what follows a moment later.
#include "engine/engine.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void engine_state(engine* e, double t, const double* q, const double* v)
{
  engine_time(e, t);
  e->factored = false;
  engine_copy(e->n, q, e->q);
  engine_copy(e->n, v, e->v);
}

double engine_value(engine* e, expr x)
{
  double result = NAN;
  // as the bounds of a run mostly are
  base_kept_lock(e->s->kept);
  const bool known = expr_is_number(e->s->pool, x);
  if (known) result = expr_number(e->s->pool, x);
  base_kept_unlock(e->s->kept);
  if (!known) engine_values(e, 1, &x, &result);
  return result;
}

void engine_values(engine* e, int count_wanted, const expr* x, double* out)
{
  const model* m = e->model;
  const int fixed = e->program->fixed, count = e->program->inputs + fixed;
  expr* symbol = base_alloc((size_t)count * sizeof *symbol);
  double* value = base_alloc((size_t)count * sizeof *value);
  memcpy(symbol, e->program->input, sizeof(expr) * (size_t)e->program->inputs);
  memcpy(value, e->in, sizeof(double) * (size_t)e->program->inputs);
  int at = e->program->inputs;
  for (int i = 0; i < m->params; i++) {
    if (m->param[i].changes || (e->program->givens && m->param[i].given)) continue;
    symbol[at] = m->param[i].symbol;
    value[at++] = m->param[i].number;
  }
  assert(at == count);
  base_kept_lock(e->s->kept);
  expr_values(e->s->pool, count_wanted, x, count, symbol, value, out);
  base_kept_unlock(e->s->kept);
  free(symbol);
  free(value);
}

void engine_corner_rates(engine* e)
{
  const int corners = e->program->modes.count;
  code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  if (!e->mode.twice_count) return;
  code_run(e->program->turns, e->in, e->work.turn_out, e->work.scratch);
  for (int i = 0; i < corners; i++)
    if (e->mode.twice[i]) e->work.switching[corners + i] = e->work.turn_out[i];
}

bool engine_is_passing(engine* e)
{
  return e->passage && e->passage->gives(e->passage->context, e);
}

void engine_glide(engine* e, double h, const double* a)
{
  const int others = e->others;
  for (int j = 0; j < e->n; j++) {
    e->q[j] += h * (e->v[j] + h / 2 * a[j]);
    e->v[j] += h * a[j];
  }
  for (int j = 0; j < others; j++) {
    e->other[j] += h * (e->other[others + j] + h / 2 * e->other_a[j]);
    e->other[others + j] += h * e->other_a[j];
  }
  engine_time(e, e->in[0] + h);
}
