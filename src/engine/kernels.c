// What an engine evaluates: lists of expressions become kernels, and the block of inputs they share
// is laid out.
#include "engine/inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// params that never change become numbers on the tapes
typedef struct constants
{
  int n;
  expr *from, *to;
} constants;

static constants fixed_params(engine* e)
{
  const model* m = e->model;
  constants k = {0, engine_take(e, (size_t)m->params, sizeof(expr)),
                 engine_take(e, (size_t)m->params, sizeof(expr))};
  for (int i = 0; i < m->params; i++) {
    if (m->param[i].changes) continue;
    k.from[k.n] = m->param[i].symbol;
    k.to[k.n++] = m->param[i].value;
  }
  return k;
}

static void lay_out_inputs(engine* e)
{
  const model* m = e->model;
  const int n = e->n, p = e->p;
  engine_making(e)->inputs =
      1 + 2 * n + 3 * p + n + 2 * e->m + e->program->modes.count + 2 * e->others;
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
  e->other = e->side + e->program->modes.count;
  engine_making(e)->input = engine_take(e, (size_t)e->program->inputs, sizeof(expr));
  e->program->input[0] = m->t;
  for (int i = 0; i < n; i++) {
    e->program->input[1 + i] = m->coord[i].q;
    e->program->input[1 + n + i] = m->coord[i].v;
    e->program->input[1 + 2 * n + 3 * p + i] = m->coord[i].a;
  }
  for (int i = 0; i < p; i++) {
    const model_param* a = &m->param[e->program->changing[i]];
    e->program->input[1 + 2 * n + i] = a->symbol;
    e->program->input[1 + 2 * n + p + i] = a->rate;
    e->program->input[1 + 2 * n + 2 * p + i] = a->rate2;
  }
  for (int k = 0; k < e->m; k++) {
    e->program->input[1 + 3 * n + 3 * p + k] = m->reaction[k];
    e->program->input[1 + 3 * n + 3 * p + e->m + k] = m->holds[k];
  }
  for (int i = 0; i < e->program->modes.count; i++) {
    e->program->input[1 + 3 * n + 3 * p + 2 * e->m + i] = e->program->modes.side[i];
    e->side[i] = 1;
  }
  for (int i = 0; i < 2 * e->others; i++)
    e->program->input[e->program->inputs - 2 * e->others + i] = e->other_symbol[i];
}

static void fix(const engine* e, const constants* k, int count, const expr* list, expr* fixed)
{
  expr_substitute_all(e->s->pool, count, list, k->n, k->from, k->to, fixed);
  if (e->program->modes.count)
    engine_corners_hold(&e->program->modes, e->s->pool, count, fixed, fixed);
}

void engine_fix(engine* e, int count, const expr* list, expr* fixed)
{
  const constants k = fixed_params(e);
  fix(e, &k, count, list, fixed);
}

static code_kernel* build(engine* e, const constants* k, int count, const expr* list,
                          const char* what, base_notes* notes)
{
  expr_pool* pool = e->s->pool;
  expr* fixed = base_alloc((size_t)(count ? count : 1) * sizeof *fixed);
  fix(e, k, count, list, fixed);
  code_kernel* kernel = NULL;
  bool whole = true;
  for (int i = 0; i < count; i++) whole = whole && fixed[i] != EXPR_NONE;
  expr missing = EXPR_NONE;
  if (!whole) {
    base_error(notes, BASE_NOWHERE, "%s divide by zero for these params", what);
  } else if (expr_pool_full(pool)) {
    base_error(notes, BASE_NOWHERE, "the model is too large: its expressions pass the limit");
  } else {
    kernel = code_build(pool, count, fixed, e->program->inputs, e->program->input, &missing);
    if (!kernel) {
      base_error(notes, BASE_NOWHERE, "%s need `%s`, which has no value in a run", what,
                 expr_name(pool, missing));
    }
  }
  free(fixed);
  return kernel;
}

// of each corner, whether the state has a part in it, and which statement on energies holds it
static void tell_modes(engine* e, const constants* k, engine_corners* modes)
{
  const model* m = e->model;
  expr_pool* pool = e->s->pool;
  expr* state = base_alloc(2 * (size_t)e->n * sizeof *state + 1);
  for (int i = 0; i < e->n; i++) {
    state[i] = m->coord[i].q;
    state[e->n + i] = m->coord[i].v;
  }
  for (int i = 0; i < modes->count; i++)
    modes->outside[i] = !modes->reactive[i] && !expr_has_any(pool, modes->s[i], 2 * e->n, state);
  for (int j = 0; j < m->energy_terms && modes->count; j++) {
    expr f;
    expr_substitute_all(pool, 1, &m->energy_term[j].f, k->n, k->from, k->to, &f);
    engine_corners_hold(modes, pool, 1, &f, &f);
    for (int i = 0; i < modes->count && f != EXPR_NONE; i++)
      if (expr_has(pool, f, modes->side[i])) modes->place[i] = m->energy_term[j].place;
  }
  free(state);
}

// the equations that steps are made of, with fixed params as numbers: corners are looked for there
static engine_corners find_modes(engine* e, const constants* k)
{
  const mech_system* s = e->s;
  const int n = e->n, m = e->m;
  BASE_LIST(expr) list = {0};
  const bool sparse = s->M_rows.start;
  const int M = sparse ? s->M_rows.count : n * n, A = sparse ? s->A_rows.count : m * n;
  for (int i = 0; i < M; i++) base_push(&list, sparse ? s->M_rows.value[i] : s->M[i]);
  for (int i = 0; i < n; i++) base_push(&list, s->F[i]);
  for (int i = 0; i < A; i++) base_push(&list, sparse ? s->A_rows.value[i] : s->A[i]);
  for (int i = 0; i < m; i++) {
    base_push(&list, s->c[i]);
    if (s->f0[i] != EXPR_NONE) base_push(&list, s->f0[i]);
    if (s->f1[i] != EXPR_NONE) base_push(&list, s->f1[i]);
  }
  base_push(&list, s->power);
  // where an energy jumps there may be no trace of it in its derivatives
  for (int i = 0; i < 2; i++) {
    expr* node;
    const int nodes = engine_corners_jumping(s->pool, i ? e->model->V : e->model->T, &node);
    for (int j = 0; j < nodes; j++) base_push(&list, node[j]);
    free(node);
  }
  expr_substitute_all(s->pool, list.n, list.at, k->n, k->from, k->to, list.at);
  engine_corners modes =
      engine_corners_find(s->pool, e->arena, list.n, list.at, m, s->model->reaction);
  base_list_free(&list);
  tell_modes(e, k, &modes);
  return modes;
}

static code_kernel* build_switches(engine* e, const constants* k, base_notes* notes)
{
  const int count = e->program->modes.count;
  e->work.switching = engine_doubles(e, 2 * count);
  e->mode.held = engine_take(e, (size_t)count, sizeof(bool));
  e->work.hold_G = engine_doubles(e, count * count);
  e->work.hold_b = engine_doubles(e, count);
  e->work.hold_pivot = engine_take(e, (size_t)count, sizeof(int));
  e->work.hold_list = engine_take(e, (size_t)count, sizeof(int));
  expr* list = engine_take(e, (size_t)(2 * count), sizeof(expr));
  for (int i = 0; i < count; i++) {
    list[i] = e->program->modes.s[i];
    list[count + i] = e->program->modes.rate[i];
  }
  return build(e, k, 2 * count, list, "the switching functions", notes);
}

static code_kernel* build_sparse_eom(engine* e, const constants* k, base_notes* notes)
{
  expr* list;
  const int count = engine_sparse_motion_list(e, &list);
  e->work.eom_out = engine_doubles(e, count);
  return build(e, k, count, list, "the equations of motion", notes);
}

static code_kernel* build_eom(engine* e, const constants* k, base_notes* notes)
{
  if (e->sparse) return build_sparse_eom(e, k, notes);
  const mech_system* s = e->s;
  const int n = e->n, m = e->m, count = n * n + n + m * n + m;
  expr* list = engine_take(e, (size_t)count, sizeof(expr));
  memcpy(list, s->M, sizeof(expr) * (size_t)(n * n));
  memcpy(list + n * n, s->F, sizeof(expr) * (size_t)n);
  if (m) memcpy(list + n * n + n, s->A, sizeof(expr) * (size_t)(m * n));
  if (m) memcpy(list + n * n + n + m * n, s->c, sizeof(expr) * (size_t)m);
  e->work.eom_out = engine_doubles(e, count);
  e->M = e->work.eom_out;
  e->F = e->M + n * n;
  e->A = e->F + n;
  e->c = e->A + m * n;
  return build(e, k, count, list, "the equations of motion", notes);
}

static code_kernel* build_levels(engine* e, const constants* k, base_notes* notes)
{
  const mech_system* s = e->s;
  const int n = e->n, m = e->m, count = 2 * m + (e->sparse ? 0 : m * n);
  expr* list = engine_take(e, (size_t)count, sizeof(expr));
  const expr zero = expr_int(s->pool, 0);
  for (int i = 0; i < m; i++) {
    list[i] = s->f0[i] == EXPR_NONE ? zero : s->f0[i];
    list[m + i] = s->f1[i] == EXPR_NONE ? zero : s->f1[i];
  }
  if (m && !e->sparse) memcpy(list + 2 * m, s->A, sizeof(expr) * (size_t)(m * n));
  e->work.level_out = engine_doubles(e, count);
  e->f0 = e->work.level_out;
  e->f1 = e->f0 + m;
  e->LA = e->f1 + m;
  return build(e, k, count, list, "the constraints", notes);
}

static code_kernel* build_momenta(engine* e, const constants* k, base_notes* notes)
{
  if (e->is_part) return build(e, k, 0, NULL, "the momenta", notes);
  expr* list = engine_take(e, (size_t)e->n, sizeof(expr));
  expr_slope_list slopes = {0};
  expr_index* by_v = expr_index_new(e->n, e->s->v);
  for (int i = 0; i < e->n; i++) list[i] = e->s->zero[0];
  expr_slopes(e->s->pool, by_v, e->s->v, e->model->T, &slopes);
  for (int i = 0; i < slopes.n; i++) list[slopes.at[i].number] = slopes.at[i].value;
  base_list_free(&slopes);
  expr_index_free(by_v);
  return build(e, k, e->n, list, "the momenta", notes);
}

static bool felt(const engine* e, int k)
{
  for (int i = 0; i < e->n; i++)
    if (expr_has(e->s->pool, e->s->F[i], e->model->reaction[k])) return true;
  return false;
}

// How the forces change with reactions and with corners held between their sides, and how the rates
// of the corners change with the accelerations. Only systems where the one or the other happens
// need it.
static code_kernel* build_coupling(engine* e, const constants* k, base_notes* notes)
{
  const mech_system* s = e->s;
  const int n = e->n, m = e->m, corners = e->program->modes.count;
  const int count = n * m + 2 * n * corners, most = n + m + corners;
  bool needed = false;
  engine_making(e)->felt = engine_take(e, (size_t)m + 1, sizeof(bool));
  for (int i = 0; i < m && !e->sparse; i++) {
    e->program->felt[i] = s->role[i].ideal && felt(e, i);
    engine_making(e)->forces_feel = e->program->forces_feel || e->program->felt[i];
    needed = needed || e->program->forces_feel || !s->role[i].ideal;
  }
  if (!needed) return build(e, k, 0, NULL, "the forces", notes);
  expr* F = engine_take(e, (size_t)n, sizeof(expr));
  expr* list = engine_take(e, (size_t)count, sizeof(expr));
  expr_substitute_all(s->pool, n, s->F, k->n, k->from, k->to, F);
  engine_corners_hold(&e->program->modes, s->pool, n, F, F);
  for (int i = 0; i < n; i++) {
    expr_gradient(s->pool, F[i], m, e->model->reaction, list + i * m);
    expr_gradient(s->pool, F[i], corners, e->program->modes.side, list + n * m + i * corners);
  }
  for (int i = 0; i < corners; i++)
    expr_gradient(s->pool, e->program->modes.rate[i], n, s->a, list + n * m + n * corners + i * n);
  e->work.coupling_out = engine_doubles(e, count);
  e->work.coupling_before = engine_doubles(e, n * m + n * corners);
  e->work.K = engine_doubles(e, most * most);
  e->work.K_right = engine_doubles(e, most);
  e->work.K_column = engine_doubles(e, most);
  e->work.K_pivot = engine_take(e, (size_t)most, sizeof(int));
  e->work.K_null = num_null_new(most, most);
  e->work.K_kept = engine_doubles(e, most * most);
  e->work.K_basis = engine_doubles(e, most * most);
  e->work.K_step = engine_doubles(e, most);
  e->mode.leads = engine_take(e, (size_t)m, sizeof(bool));
  e->work.lead_used = engine_take(e, (size_t)most, sizeof(bool));
  for (int i = 0; i < m; i++) e->mode.leads[i] = s->role[i].leads;
  return build(e, k, count, list, "the forces", notes);
}

// A homogeneous linear velocity constraint does no work: A q' = f1 = 0. Its reaction leaves the
// power, unless it is felt by a force that does.
static expr power_without_idle_reactions(engine* e)
{
  const model* m = e->model;
  expr_pool* pool = e->s->pool;
  const expr zero = expr_int(pool, 0);
  expr *v = engine_take(e, (size_t)e->n, sizeof(expr)),
       *zeros = engine_take(e, (size_t)e->n, sizeof(expr));
  for (int i = 0; i < e->n; i++) {
    v[i] = m->coord[i].v;
    zeros[i] = zero;
  }
  expr power = e->s->power;
  for (int k = 0; k < e->m; k++) {
    if (!expr_has(pool, power, m->reaction[k])) continue;
    if (e->s->f1[k] == EXPR_NONE || (m->constraint[k].order == 1 && !m->constraint[k].linear))
      continue;
    if (!e->s->role[k].ideal || felt(e, k)) continue;
    const expr at_rest = expr_substitute(pool, e->s->f1[k], e->n, v, zeros);
    if (at_rest == EXPR_NONE || expr_is_zero(pool, at_rest) != EXPR_YES) continue;
    power = expr_substitute(pool, power, 1, &m->reaction[k], &zero);
  }
  return power;
}

static code_kernel* build_energy(engine* e, const constants* k, base_notes* notes)
{
  if (e->is_part) return build(e, k, 0, NULL, "the energies", notes);
  engine_making(e)->power = power_without_idle_reactions(e);
  const expr list[engine_energies] = {e->s->H, e->model->T, e->program->power, e->model->V};
  engine_making(e)->work_needs_reactions =
      expr_has_any(e->s->pool, list[2], e->m, e->model->reaction);
  return build(e, k, engine_energies, list, "the energies", notes);
}

static code_kernel* build_columns(engine* e, const constants* k, base_notes* notes)
{
  if (e->is_part) return build(e, k, 0, NULL, "the outputs", notes);
  expr* list;
  const int count = engine_column_list(e, &list);
  code_kernel* kernel = build(e, k, count, list, "the outputs", notes);
  free(list);
  return kernel;
}

static code_kernel* build_integrals(engine* e, const constants* k, base_notes* notes)
{
  if (e->is_part) return build(e, k, 0, NULL, "the integrals", notes);
  expr* list;
  const int count = engine_integral_list(e->s, e->arena, &list);
  return build(e, k, count, list, "the integrals", notes);
}

static code_kernel* build_watches(engine* e, const constants* k, base_notes* notes)
{
  const model* m = e->model;
  const int count = m->events + m->stages;
  expr* list = engine_take(e, (size_t)count, sizeof(expr));
  engine_making(e)->watch_needs_accelerations = engine_take(e, (size_t)count, sizeof(bool));
  for (int i = 0; i < m->events; i++) list[i] = m->event[i].g;
  for (int i = 0; i < m->stages; i++) {
    const expr until = m->stage[i].until;
    list[m->events + i] = until == EXPR_NONE ? expr_int(e->s->pool, -1) : until;
  }
  for (int i = 0; i < count; i++) {
    bool needs = expr_has_any(e->s->pool, list[i], e->m, m->reaction);
    for (int j = 0; j < e->n; j++) needs = needs || expr_has(e->s->pool, list[i], m->coord[j].a);
    e->program->watch_needs_accelerations[i] = needs;
    engine_making(e)->any_watch_needs_accelerations =
        e->program->any_watch_needs_accelerations || needs;
  }
  return build(e, k, count, list, "the events", notes);
}

static code_kernel* build_guards(engine* e, const constants* k, base_notes* notes)
{
  if (e->is_part) return build(e, k, 0, NULL, "the contacts", notes);
  const int count = engine_guard_count(e->model), contacts = e->model->contacts;
  expr* list = engine_take(e, (size_t)count, sizeof(expr));
  engine_guard_list(e->model, e->s->pool, list);
  e->work.guard = engine_doubles(e, count);
  e->pull = engine_doubles(e, contacts);
  e->push = engine_doubles(e, contacts);
  e->shown = engine_doubles(e, contacts);
  for (int i = 0; i < contacts; i++) e->pull[i] = NAN;
  e->leaves = engine_take(e, (size_t)contacts, sizeof(bool));
  e->left = engine_take(e, (size_t)contacts, sizeof(bool));
  return build(e, k, count, list, "the contacts", notes);
}

static code_kernel* build_feet(engine* e, const constants* k, base_notes* notes)
{
  if (e->is_part) return build(e, k, 0, NULL, "the contacts", notes);
  const int count = engine_foot_list(e->model, NULL);
  expr* list = engine_take(e, (size_t)count, sizeof(expr));
  engine_foot_list(e->model, list);
  e->work.foot_out = engine_doubles(e, count);
  return build(e, k, count, list, "the contacts", notes);
}

static code_kernel* build_slips(engine* e, const constants* k, base_notes* notes)
{
  const model* m = e->model;
  expr_pool* p = e->s->pool;
  BASE_LIST(expr) list = {0};
  expr* slope = engine_take(e, (size_t)e->n, sizeof(expr));
  for (int i = 0; i < e->m; i++) {
    const model_constraint* c = &m->constraint[i];
    if (!c->sense || c->friction == EXPR_NONE) continue;
    base_push(&list, expr_mul(p, c->friction, c->pressure));
    for (int t = 0; t < c->slips; t++) {
      base_push(&list, c->slip[t]);
      expr_gradient(p, c->slip[t], e->n, e->s->v, slope);
      for (int j = 0; j < e->n; j++) base_push(&list, slope[j]);
    }
  }
  e->work.slip_out = engine_doubles(e, list.n);
  code_kernel* kernel = build(e, k, list.n, list.at, "the contacts", notes);
  base_list_free(&list);
  return kernel;
}

static bool build_least(engine* e, const constants* k, base_notes* notes)
{
  expr* list;
  const int count = engine_curved_list(e, &list);
  code_kernel* kernel = count ? build(e, k, count, list, "the constraints", notes) : NULL;
  if (kernel) e->least = engine_curved_new(e, kernel);
  free(list);
  return kernel || !count;
}

bool engine_build(engine* e, base_notes* notes)
{
  const constants k = fixed_params(e);
  engine_making(e)->modes = find_modes(e, &k);
  lay_out_inputs(e);
  return (engine_making(e)->eom = build_eom(e, &k, notes)) &&
         (engine_making(e)->levels = build_levels(e, &k, notes)) &&
         (engine_making(e)->momenta = build_momenta(e, &k, notes)) &&
         (engine_making(e)->energy = build_energy(e, &k, notes)) &&
         (engine_making(e)->columns = build_columns(e, &k, notes)) &&
         (engine_making(e)->watches = build_watches(e, &k, notes)) &&
         (engine_making(e)->switches = build_switches(e, &k, notes)) &&
         (engine_making(e)->integrals = build_integrals(e, &k, notes)) &&
         (engine_making(e)->coupling = build_coupling(e, &k, notes)) &&
         (engine_making(e)->slips = build_slips(e, &k, notes)) && build_least(e, &k, notes) &&
         (engine_making(e)->guards = build_guards(e, &k, notes)) &&
         (engine_making(e)->feet = build_feet(e, &k, notes));
}

bool engine_watch(engine* e, int count, const expr* list, base_notes* notes)
{
  const constants k = fixed_params(e);
  e->watched = build(e, &k, count, list, "what is to be seen", notes);
  if (!e->watched) return false;
  e->work.watched_scratch = engine_doubles(e, (int)code_scratch(e->watched) + 1);
  return true;
}
