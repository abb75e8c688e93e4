// The engine of a run: made from a system, with the memory it works in.
#include "engine/inside.h"

#include <stdlib.h>
#include <string.h>

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
  e->by_impulses = kind.by_impulses;
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
  for (int i = 0; i < e->parts; i++) engine_free(e->part[i].e);
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
