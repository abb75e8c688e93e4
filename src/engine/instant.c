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
  e->factored = e->bound = false;
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

// ---- what every run asks for --------------------------------------------------------------------

enum { most_kept = 64, most_symbols = 8 };

// where its symbols are found: inputs of the kernels, behind them params by their numbers; -1: no
// number is known
typedef struct kept_value
{
  expr_plan* plan;
  int symbols, *from;
} kept_value;

static void release(void* thing)
{
  kept_value* x = thing;
  expr_plan_free(x->plan);
  free(x->from);
  free(x);
}

static int place_of(const engine_program* p, expr symbol)
{
  const model* m = p->model;
  for (int i = 0; i < p->inputs; i++)
    if (p->input[i] == symbol) return i;
  for (int i = 0; i < m->params; i++)
    if (m->param[i].symbol == symbol && !m->param[i].changes && !(p->givens && m->param[i].given))
      return p->inputs + i;
  return -1;
}

static kept_value* make(const engine_program* p, expr x)
{
  const expr* symbol;
  kept_value* v = base_alloc(sizeof *v);
  v->plan = expr_plan_new(p->s->pool, x);
  v->symbols = expr_plan_symbols(v->plan, &symbol);
  v->from = base_alloc(sizeof *v->from * (size_t)(v->symbols + 1));
  for (int i = 0; i < v->symbols; i++) v->from[i] = place_of(p, symbol[i]);
  return v;
}

static double value_of(const engine* e, const kept_value* v)
{
  const int inputs = e->program->inputs;
  double few[most_symbols], *value = few;
  if (v->symbols > most_symbols) value = base_alloc(sizeof *value * (size_t)v->symbols);
  for (int i = 0; i < v->symbols; i++) {
    const int from = v->from[i];
    value[i] = from < 0 ? NAN : from < inputs ? e->in[from] : e->model->param[from - inputs].number;
  }
  const double result = expr_plan_value(v->plan, value);
  if (value != few) free(value);
  return result;
}

double engine_value_again(engine* e, expr x)
{
  if (x == EXPR_NONE) return NAN;
  // starts that are given are inputs themselves
  for (int i = 0; i < e->program->inputs; i++)
    if (e->program->input[i] == x) return e->in[i];
  const struct by
  {
    const engine_program* program;
    uint64_t x;
  } by = {e->program, x};
  const base_key key = {"value", &by, sizeof by};
  void* found = NULL;
  base_kept_open(e->s->kept);
  if (!base_kept_find(e->s->kept, key, &found) &&
      base_kept_count(e->s->kept, key.what) < most_kept) {
    found = make(e->program, x);
    base_kept_add(e->s->kept, key, found, release);
  }
  base_kept_unlock(e->s->kept);
  return found ? value_of(e, found) : engine_value(e, x);
}

// ---- a moment later -----------------------------------------------------------------------------

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
