// The engine of a run: made from a system, with the memory it works in; its state and its rows.
#include "engine/inside.h"

#include <assert.h>
#include <math.h>
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

// ---- memory -------------------------------------------------------------------------------------

static void take_inputs(engine* e)
{
  const int n = e->n, p = e->p, corners = e->program->modes.count;
  e->in = engine_doubles(e, e->program->inputs);
  e->q = e->in + 1;
  e->v = e->q + n;
  e->par = e->v + n;
  e->rate = e->par + p;
  e->rate2 = e->rate + p;
  e->a = e->rate2 + p;
  e->lambda = e->a + n;
  e->holds = e->lambda + e->m;
  e->side = e->holds + e->m;
  e->other = e->side + corners;
  e->other_a = engine_doubles(e, e->others);
  for (int i = 0; i < corners; i++) e->side[i] = 1;
}

static double* outputs_of(engine* e, const code_kernel* k)
{
  return engine_doubles(e, code_outputs(k));
}

static void take_outputs(engine* e)
{
  const engine_program* p = e->program;
  const int n = e->n, m = e->m, corners = p->modes.count;
  e->work.eom_out = outputs_of(e, p->eom);
  if (!e->sparse) {
    e->M = e->work.eom_out;
    e->F = e->M + n * n;
    e->A = e->F + n;
    e->c = e->A + m * n;
  }
  e->work.level_out = outputs_of(e, p->levels);
  e->f0 = e->work.level_out;
  e->f1 = e->f0 + m;
  e->LA = e->f1 + m;
  e->work.switching = outputs_of(e, p->switches);
  e->work.hold_G = engine_doubles(e, corners * corners);
  e->work.hold_b = engine_doubles(e, corners);
  e->work.hold_pivot = engine_take(e, (size_t)corners, sizeof(int));
  e->work.hold_list = engine_take(e, (size_t)corners, sizeof(int));
  e->work.slip_out = outputs_of(e, p->slips);
}

// only systems where forces feel reactions, or controls act
static void take_coupling(engine* e)
{
  const int n = e->n, m = e->m, corners = e->program->modes.count, most = n + m + corners;
  if (!code_outputs(e->program->coupling)) return;
  e->work.coupling_out = outputs_of(e, e->program->coupling);
  e->work.coupling_before = engine_doubles(e, n * m + n * corners);
  e->work.K = engine_doubles(e, most * most);
  e->work.K_right = engine_doubles(e, most);
  e->work.K_pivot = engine_take(e, (size_t)most, sizeof(int));
  e->work.K_null = num_null_new(most, most);
  e->work.K_kept = engine_doubles(e, most * most);
  e->work.K_basis = engine_doubles(e, most * most);
  e->work.K_step = engine_doubles(e, most);
  e->work.lead_used = engine_take(e, (size_t)most, sizeof(bool));
  e->mode.leads = engine_take(e, (size_t)m, sizeof(bool));
  for (int i = 0; i < m; i++) e->mode.leads[i] = e->s->role[i].leads;
}

static void take_contacts(engine* e)
{
  const int contacts = e->model->contacts;
  if (e->program->is_part) return;
  e->work.guard = outputs_of(e, e->program->guards);
  e->work.foot_out = outputs_of(e, e->program->feet);
  e->pull = engine_doubles(e, contacts);
  e->push = engine_doubles(e, contacts);
  e->shown = engine_doubles(e, contacts);
  for (int i = 0; i < contacts; i++) e->pull[i] = NAN;
  e->leaves = engine_take(e, (size_t)contacts, sizeof(bool));
  e->left = engine_take(e, (size_t)contacts, sizeof(bool));
}

static void take_work_space(engine* e)
{
  const int n = e->n, m = e->m;
  e->work.fused_order = engine_take(e, (size_t)(2 * m), sizeof(int));
  e->work.scratch = engine_doubles(e, (int)e->program->scratch);
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

static void take_mode(engine* e)
{
  e->mode.regime = -1;
  e->mode.ramp = engine_take(e, (size_t)e->p, sizeof(engine_ramp));
  for (int i = 0; i < e->p; i++)
    e->mode.ramp[i].to = e->model->param[e->program->changing[i]].number;
  e->mode.held = engine_take(e, (size_t)e->program->modes.count, sizeof(bool));
  e->mode.active = engine_take(e, (size_t)e->m, sizeof(bool));
  e->mode.row = engine_take(e, (size_t)e->m, sizeof(int));
  e->mode.implied = engine_take(e, (size_t)e->m, sizeof(bool));
  for (int k = 0; k < e->m; k++) e->mode.active[k] = !e->model->constraint[k].starts_off;
}

engine* engine_new(const engine_program* p, base_notes* notes)
{
  base_arena* arena = base_arena_new();
  engine* e = base_arena_take(arena, sizeof *e);
  e->arena = arena;
  e->program = p;
  e->s = p->s;
  e->model = p->model;
  e->n = p->n;
  e->m = p->m;
  e->p = p->p;
  e->others = p->others;
  e->profile = engine_profile_quintic;
  if (p->sparse) e->sparse = engine_take(e, 1, sizeof *e->sparse);
  take_inputs(e);
  take_mode(e);
  take_outputs(e);
  take_coupling(e);
  take_contacts(e);
  take_work_space(e);
  if (p->curved) e->least = engine_curved_new(e);
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
  engine_curved_free(e->least);
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
