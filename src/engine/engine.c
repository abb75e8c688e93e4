// The engine of a run: made from a system, with the memory it works in; its state and its rows.
#include "engine/inside.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void* engine_take(engine* e, size_t count, size_t size)
{
  return base_arena_take(e->arena, (count ? count : 1) * size);
}

double* engine_doubles(engine* e, int count)
{
  return engine_take(e, (size_t)count, sizeof(double));
}

// a param whose rates enter neither F nor c only changes forces: its jump moves no velocity
static void find_drivers(engine* e)
{
  const mech_system* s = e->s;
  for (int i = 0; i < e->p; i++) {
    const model_param* a = &e->model->param[e->program->changing[i]];
    const expr rates[2] = {a->rate, a->rate2};
    for (int j = 0; j < e->n && !e->program->drives[i]; j++)
      e->program->drives[i] = expr_has_any(s->pool, s->F[j], 2, rates);
    for (int k = 0; k < e->m && !e->program->drives[i]; k++)
      e->program->drives[i] = expr_has_any(s->pool, s->c[k], 2, rates);
  }
}

enum { kernel_count = 13 };

static void list_kernels(const engine* e, const code_kernel** list)
{
  const code_kernel* all[kernel_count] = {e->program->switches,
                                          e->program->eom,
                                          e->program->levels,
                                          e->program->momenta,
                                          e->program->energy,
                                          e->program->columns,
                                          e->program->watches,
                                          e->program->integrals,
                                          e->program->coupling,
                                          e->program->slips,
                                          e->program->guards,
                                          e->program->feet,
                                          e->least ? e->least->kernel : e->program->eom};
  memcpy(list, all, sizeof all);
}

static size_t scratch_needed(const engine* e)
{
  const code_kernel* kernels[kernel_count];
  list_kernels(e, kernels);
  size_t most = 1;
  for (int i = 0; i < kernel_count; i++) {
    const size_t need = code_scratch(kernels[i]);
    if (need > most) most = need;
  }
  return most;
}

void engine_native(engine* e)
{
  const code_kernel* kernels[kernel_count];
  list_kernels(e, kernels);
  for (int i = 0; i < kernel_count; i++)
    if (kernels[i] != e->program->momenta && code_outputs(kernels[i])) code_native(kernels[i], 1);
  for (int i = 0; i < e->parts; i++) engine_native(e->part[i].e);
}

static void take_work_space(engine* e)
{
  const int n = e->n, m = e->m;
  e->work.fused_order = engine_take(e, (size_t)(2 * m), sizeof(int));
  e->work.scratch = engine_doubles(e, (int)scratch_needed(e));
  e->work.weight = engine_doubles(e, n);
  e->work.unit = engine_doubles(e, n);
  for (int i = 0; i < n; i++) e->work.weight[i] = e->work.unit[i] = 1;
  e->work.lent = engine_doubles(e, n);
  e->work.own = engine_doubles(e, n);
  e->work.mass = engine_doubles(e, n);
  if (e->sparse) return;
  e->work.null = num_null_new(m ? m : 1, n);
  e->work.norm_seen = engine_doubles(e, m);
  e->work.Ar = engine_doubles(e, m * n);
  e->work.br = engine_doubles(e, m);
  e->work.Z = engine_doubles(e, n * n);
  e->work.S = engine_doubles(e, n * n);
  e->work.w = engine_doubles(e, n);
  e->work.x = engine_doubles(e, n);
  e->work.g = engine_doubles(e, n + m);
}

// full matrices that would fill the memory
static bool fits(const engine* e, base_notes* notes)
{
  static const double most_entries = 4e6;
  if ((double)e->m * e->n <= most_entries) return true;
  base_error(notes, BASE_NOWHERE,
             "%d constraints on %d coordinates: full matrices take no more than %.0f entries", e->m,
             e->n, most_entries);
  return false;
}

// full matrices of more coordinates than this are not made
static bool is_too_many(const mech_system* s, engine_kind kind, base_notes* notes)
{
  if (kind.large || s->n <= kind.most) return false;
  base_error(notes, BASE_NOWHERE,
             "this is done with full matrices, for at most %d coordinates; the model has %d",
             kind.most, s->n);
  return true;
}

engine* engine_plain(const mech_system* s, engine_kind kind, base_notes* notes)
{
  if (is_too_many(s, kind, notes)) return NULL;
  base_arena* arena = base_arena_new();
  engine* e = base_arena_take(arena, sizeof *e);
  e->arena = arena;
  e->s = s;
  e->model = s->model;
  e->n = s->n;
  e->m = s->m;
  e->profile = engine_profile_quintic;
  e->mode.regime = -1;
  e->is_part = kind.is_part;
  e->others = kind.others;
  e->other_symbol = kind.other;
  e->other_a = engine_doubles(e, kind.others);
  e->program = engine_take(e, 1, sizeof *e->program);
  engine_making(e)->changing = engine_take(e, (size_t)e->model->params, sizeof(int));
  for (int i = 0; i < e->model->params; i++)
    if (e->model->param[i].changes) e->program->changing[e->p++] = i;
  e->mode.ramp = engine_take(e, (size_t)e->p, sizeof(engine_ramp));
  engine_making(e)->drives = engine_take(e, (size_t)e->p, sizeof(bool));
  for (int i = 0; i < e->p; i++)
    e->mode.ramp[i].to = e->model->param[e->program->changing[i]].number;
  bool fine = true;
  if (kind.large && engine_sparse_wanted(e, &fine, notes))
    e->sparse = engine_take(e, 1, sizeof *e->sparse);
  fine = fine && (e->sparse || fits(e, notes));
  if (!fine || !engine_build(e, notes)) {
    engine_free(e);
    return NULL;
  }
  find_drivers(e);
  e->mode.active = engine_take(e, (size_t)e->m, sizeof(bool));
  e->mode.row = engine_take(e, (size_t)e->m, sizeof(int));
  e->mode.implied = engine_take(e, (size_t)e->m, sizeof(bool));
  for (int k = 0; k < e->m; k++) e->mode.active[k] = !e->model->constraint[k].starts_off;
  take_work_space(e);
  e->scales = engine_scales_new(e);
  if (e->sparse && !engine_sparse_prepare(e, notes)) {
    engine_free(e);
    return NULL;
  }
  engine_rows(e);
  return e;
}

void engine_attach(engine* e, void (*release)(void*), void* thing)
{
  base_push(&e->attached, ((engine_attached){release, thing}));
}

void engine_free(engine* e)
{
  if (!e) return;
  for (int i = e->attached.n - 1; i >= 0; i--) e->attached.at[i].release(e->attached.at[i].thing);
  base_list_free(&e->attached);
  engine_parts_free(e);
  code_free(e->watched);
  engine_sparse_free(e);
  code_free(e->program->eom);
  code_free(e->program->levels);
  code_free(e->program->momenta);
  code_free(e->program->energy);
  code_free(e->program->columns);
  code_free(e->program->watches);
  code_free(e->program->guards);
  code_free(e->program->feet);
  code_free(e->program->switches);
  code_free(e->program->coupling);
  code_free(e->program->slips);
  engine_curved_free(e->least);
  code_free(e->program->integrals);
  num_null_free(e->work.null);
  num_null_free(e->work.K_null);
  base_arena_free(e->arena);
}

bool engine_is_ideal(const engine* e, int k)
{
  return e->s->role[k].ideal;
}

void engine_rows_count(engine* e)
{
  e->mode.rows = 0;
  e->mode.all_linear = true;
  e->mode.second_order = false;
  e->factored = false;
  e->mode.coupled = e->program->forces_feel;
  e->mode.curved = false;
  for (int k = 0; k < e->m; k++) {
    // what is hidden in a servo constraint holds with it
    if (!engine_is_ideal(e, k)) {
      e->mode.active[k] = e->mode.active[e->s->role[k].servo];
      e->mode.coupled = e->mode.coupled || e->mode.active[k];
    }
    if (!e->parts) e->holds[k] = e->mode.active[k];
    e->mode.curved = e->mode.curved || (e->mode.active[k] && mech_is_nonlinear(e->s, k));
    if (!e->mode.active[k] || e->mode.implied[k]) continue;
    e->mode.row[e->mode.rows++] = k;
    const model_constraint* c = &e->model->constraint[k];
    e->mode.all_linear = e->mode.all_linear && (c->order != 1 || c->linear);
    e->mode.second_order = e->mode.second_order || c->order == 2;
  }
}

void engine_rows(engine* e)
{
  engine_rows_count(e);
  if (e->sparse) engine_sparse_rows(e);
  if (e->part_laws) e->part_laws(e);
  if (e->parts) {
    engine_parts_take_rows(e);
    return;
  }
  if (e->hold_laws) e->hold_laws(e);
  // surfaces that are apart do not rub
  for (int i = 0; i < e->model->contacts; i++)
    for (int k = 0; k < MODEL_GRIPS && !e->mode.active[e->model->contact[i].gap]; k++)
      if (e->model->contact[i].grip[k].rows) e->holds[e->model->contact[i].grip[k].stick[0]] = 1;
}

int engine_implied_beside(const engine* e, int k)
{
  return e->parts ? e->part[e->part_of_row[k]].e->mode.implied_count : e->mode.implied_count;
}

void engine_state(engine* e, double t, const double* q, const double* v)
{
  engine_time(e, t);
  e->factored = false;
  memcpy(e->q, q, sizeof(double) * (size_t)e->n);
  memcpy(e->v, v, sizeof(double) * (size_t)e->n);
}

double engine_value(engine* e, expr x)
{
  double result;
  engine_values(e, 1, &x, &result);
  return result;
}

void engine_values(engine* e, int count_wanted, const expr* x, double* out)
{
  const model* m = e->model;
  const int fixed = m->params - e->p, count = e->program->inputs + fixed;
  expr* symbol = base_alloc((size_t)count * sizeof *symbol);
  double* value = base_alloc((size_t)count * sizeof *value);
  memcpy(symbol, e->program->input, sizeof(expr) * (size_t)e->program->inputs);
  memcpy(value, e->in, sizeof(double) * (size_t)e->program->inputs);
  int at = e->program->inputs;
  for (int i = 0; i < m->params; i++) {
    if (m->param[i].changes) continue;
    symbol[at] = m->param[i].symbol;
    value[at++] = m->param[i].number;
  }
  assert(at == count);
  expr_values(e->s->pool, count_wanted, x, count, symbol, value, out);
  free(symbol);
  free(value);
}

bool engine_is_passing(engine* e)
{
  return e->passage && e->passage->gives(e->passage->context, e);
}
