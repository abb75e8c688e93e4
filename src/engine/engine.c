// The engine of a run: made from a system, with the memory it works in.
#include "engine/inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void take_inputs(engine* e)
{
  const int n = e->n, p = e->p, corners = e->program->modes.count;
  // time is the last of a line, so that the places, which are copied as vectors, begin one
  const size_t before = ENGINE_LINE - 1;
  e->in = engine_lines(e, (size_t)e->program->inputs + before) + before;
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
  e->given = e->other + 2 * e->others;
  e->told = e->given + e->program->givens;
  e->other_a = engine_doubles(e, e->others);
  for (int i = 0; i < corners; i++) e->side[i] = 1;
  // known once steps have told it
  for (int i = 0; i < e->model->tells; i++) e->told[i] = NAN;
}

static double* outputs_of(engine* e, const code_kernel* k)
{
  return engine_lines(e, (size_t)code_outputs(k));
}

static void take_outputs(engine* e)
{
  const engine_program* p = e->program;
  const int n = e->n, m = e->m, corners = p->modes.count;
  e->work.eom_out = outputs_of(e, p->eom);
  if (!e->sparse) {
    e->M = p->s->hung ? engine_doubles(e, n * n) : e->work.eom_out;
    e->F = e->work.eom_out + p->masses;
    if (p->s->hung) engine_tree_prepare(e);
    e->A = e->F + n;
    e->c = e->A + m * n;
  }
  e->work.level_out = outputs_of(e, p->levels);
  e->f0 = e->work.level_out;
  e->f1 = e->f0 + m;
  e->LA = e->f1 + m;
  e->work.switching = outputs_of(e, p->switches);
  e->work.turn_out = outputs_of(e, p->turns);
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
  e->work.K_column = engine_doubles(e, most);
  e->work.K_row = engine_doubles(e, most);
  e->work.K_pivot = engine_take(e, (size_t)most, sizeof(int));
  e->work.K_apart = engine_take(e, num_lu_apart_size(most), 1);
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
  e->work.scratch = engine_lines(e, e->program->scratch);
  engine_work* w = &e->work;
  const engine_room list[] = {{&w->weight, n}, {&w->unit, n}, {&w->lent, n},
                              {&w->own, n},    {&w->here, n}, {&w->mass, n}};
  engine_rooms(e, sizeof list / sizeof *list, list);
  for (int i = 0; i < n; i++) w->weight[i] = w->unit[i] = 1;
  if (e->sparse) return;
  w->null = num_null_new(m ? m : 1, n);
  const engine_room full[] = {{&w->norm_seen, m}, {&w->Ar, m * n}, {&w->br, m},
                              {&w->Z, n * n},     {&w->S, n * n},  {&w->MZ, n * n},
                              {&w->w, n},         {&w->x, n},      {&w->g, n + m}};
  engine_rooms(e, sizeof full / sizeof *full, full);
}

static void take_mode(engine* e)
{
  e->mode.regime = -1;
  e->mode.ramp = engine_take(e, (size_t)e->p, sizeof(engine_ramp));
  for (int i = 0; i < e->p; i++)
    e->mode.ramp[i].to = e->model->param[e->program->changing[i]].number;
  e->mode.held = engine_take(e, (size_t)e->program->modes.count, sizeof(bool));
  e->mode.twice = engine_take(e, (size_t)e->program->modes.count, sizeof(bool));
  e->mode.standing = engine_take(e, (size_t)e->program->modes.count, sizeof *e->mode.standing);
  e->mode.resting = engine_take(e, (size_t)e->program->modes.count, sizeof(bool));
  e->mode.pressed = engine_take(e, (size_t)e->program->modes.count, sizeof(bool));
  e->mode.active = engine_take(e, (size_t)e->m, sizeof(bool));
  e->mode.row = engine_take(e, (size_t)e->m, sizeof(int));
  e->mode.implied = engine_take(e, (size_t)e->m, sizeof(bool));
  e->mode.still = engine_take(e, (size_t)e->m, sizeof(bool));
  e->mode.open_load = engine_take(e, (size_t)e->m, sizeof(bool));
  for (int k = 0; k < e->m; k++) e->mode.active[k] = !e->model->constraint[k].starts_off;
}

engine* engine_new(const engine_program* p, const double* number, base_notes* notes)
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
  if (!engine_given_set(e, number, notes) || (e->sparse && !engine_sparse_prepare(e, notes))) {
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

bool engine_has_attached(const engine* e, const void* thing)
{
  for (int i = 0; i < e->attached.n; i++)
    if (e->attached.at[i].thing == thing) return true;
  return false;
}

// what holds, and so what is made for it, may change in many ways
enum { most_kept = 64 };

void engine_keep(engine* e, base_key key, void* thing, void (*release)(void*))
{
  if (base_kept_count(e->s->kept, key.what) < most_kept)
    base_kept_add(e->s->kept, key, thing, release);
  else if (thing)
    engine_attach(e, release, thing);
}

void engine_free(engine* e)
{
  if (!e) return;
  for (int i = e->attached.n - 1; i >= 0; i--) e->attached.at[i].release(e->attached.at[i].thing);
  base_list_free(&e->attached);
  for (int i = 0; i < e->parts; i++) engine_free(e->part[i].e);
  engine_sparse_free(e);
  engine_curved_free(e->least);
  num_null_free(e->work.null);
  num_null_free(e->work.K_null);
  base_arena_free(e->arena);
}
