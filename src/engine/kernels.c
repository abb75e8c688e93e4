// What a program evaluates: its lists of expressions as kernels, and the inputs that they share.
#include "engine/inside.h"

#include <stdlib.h>
#include <string.h>

// params that never change become numbers on the tapes
static void fix_params(engine_program* p)
{
  const model* m = p->model;
  p->fixed_from = engine_program_take(p, (size_t)m->params, sizeof(expr));
  p->fixed_to = engine_program_take(p, (size_t)m->params, sizeof(expr));
  for (int i = 0; i < m->params; i++) {
    if (m->param[i].changes || (p->givens && m->param[i].given)) continue;
    p->fixed_from[p->fixed] = m->param[i].symbol;
    p->fixed_to[p->fixed++] = m->param[i].value;
  }
}

static void lay_out_inputs(engine_program* p)
{
  const model* m = p->model;
  const int n = p->n, params = p->p, a = 1 + 2 * n + 3 * params;
  const int other = a + n + 2 * p->m + p->modes.count;
  const int told = other + 2 * p->others + p->givens;
  p->inputs = told + m->tells;
  p->input = engine_program_take(p, (size_t)p->inputs, sizeof(expr));
  p->input[0] = m->t;
  for (int i = 0; i < n; i++) {
    p->input[1 + i] = m->coord[i].q;
    p->input[1 + n + i] = m->coord[i].v;
    p->input[a + i] = m->coord[i].a;
  }
  for (int i = 0; i < params; i++) {
    const model_param* x = &m->param[p->changing[i]];
    p->input[1 + 2 * n + i] = x->symbol;
    // of one that only jumps nobody asks: the first that has the symbol is taken
    p->input[1 + 2 * n + params + i] = x->rate == EXPR_NONE ? m->t : x->rate;
    p->input[1 + 2 * n + 2 * params + i] = x->rate2 == EXPR_NONE ? m->t : x->rate2;
  }
  for (int k = 0; k < p->m; k++) {
    p->input[a + n + k] = m->reaction[k];
    p->input[a + n + p->m + k] = m->holds[k];
  }
  for (int i = 0; i < p->modes.count; i++) p->input[a + n + 2 * p->m + i] = p->modes.side[i];
  for (int i = 0; i < 2 * p->others; i++) p->input[other + i] = p->other_symbol[i];
  for (int i = 0; i < p->givens; i++)
    p->input[other + 2 * p->others + i] = m->param[p->given[i]].symbol;
  for (int i = 0; i < m->tells; i++) p->input[told + i] = m->tell[i].symbol;
}

void engine_numbers(const engine_program* p, int count, const expr* list, expr* fixed)
{
  expr_substitute_kept(p->s->pool, count, list, p->fixed, p->fixed_from, p->fixed_to, !p->s->small,
                       fixed);
}

void engine_fix(const engine_program* p, int count, const expr* list, expr* fixed)
{
  engine_numbers(p, count, list, fixed);
  if (p->modes.count) engine_corners_hold(&p->modes, p->s->pool, count, fixed, fixed);
}

code_kernel* engine_kernel_make(const engine_program* p, int count, const expr* list,
                                const char* what, base_notes* notes)
{
  expr_pool* pool = p->s->pool;
  expr* fixed = base_alloc((size_t)(count ? count : 1) * sizeof *fixed);
  engine_fix(p, count, list, fixed);
  code_kernel* kernel = NULL;
  bool whole = true;
  for (int i = 0; i < count; i++) whole = whole && fixed[i] != EXPR_NONE;
  expr missing = EXPR_NONE;
  if (!whole) {
    base_error(notes, BASE_NOWHERE, "%s divide by zero for these params", what);
  } else if (expr_pool_full(pool)) {
    base_error(notes, BASE_NOWHERE, "the model is too large: its expressions pass the limit");
  } else {
    kernel = code_build(pool, count, fixed, p->inputs, p->input, &missing);
    if (!kernel) {
      base_error(notes, BASE_NOWHERE, "%s need `%s`, which has no value in a run", what,
                 expr_name(pool, missing));
    }
  }
  free(fixed);
  return kernel;
}

// the equations that steps are made of, with fixed params as numbers: corners are looked for there
static engine_corners find_modes(engine_program* p)
{
  const mech_system* s = p->s;
  const int n = p->n, m = p->m;
  BASE_LIST(expr) list = {0};
  const bool sparse = s->A_rows.start;
  expr* masses;
  const int M = engine_mass_terms(s, &masses), A = sparse ? s->A_rows.count : m * n;
  for (int i = 0; i < M; i++) base_push(&list, masses[i]);
  free(masses);
  for (int i = 0; i < n; i++) base_push(&list, s->F[i]);
  for (int i = 0; i < A; i++) base_push(&list, sparse ? s->A_rows.value[i] : s->A[i]);
  for (int i = 0; i < m; i++) {
    base_push(&list, s->c[i]);
    if (s->f0[i] != EXPR_NONE) base_push(&list, s->f0[i]);
    if (s->f1[i] != EXPR_NONE) base_push(&list, s->f1[i]);
  }
  base_push(&list, s->power);
  // where an energy jumps there may be no trace of it in its derivatives
  const int equations = list.n;
  for (int i = 0; i < 2; i++) {
    expr* node;
    const int nodes = engine_corners_jumping(s->pool, i ? p->model->V : p->model->T, &node);
    for (int j = 0; j < nodes; j++) base_push(&list, node[j]);
    free(node);
  }
  engine_numbers(p, list.n, list.at, list.at);
  engine_corners modes = engine_corners_find(s->pool, p->arena, list.n, list.at, list.n - equations,
                                             m, s->model->reaction);
  base_list_free(&list);
  if (modes.count) engine_corners_tell(p, &modes);
  engine_corners_rub(p, &modes);
  return modes;
}

static code_kernel* build_switches(engine_program* p, base_notes* notes)
{
  const int count = p->modes.count;
  expr* list = engine_program_take(p, (size_t)(2 * count), sizeof(expr));
  for (int i = 0; i < count; i++) {
    list[i] = p->modes.s[i];
    list[count + i] = p->modes.rate[i];
  }
  return engine_kernel_make(p, 2 * count, list, "the switching functions", notes);
}

// Does the first rate of a jump need not feel it? That of a place, as x' of sign(x), does not; that
// of a slip, linear in the velocities, does.
static bool may_turn(const engine_program* p, int i)
{
  expr_pool* pool = p->s->pool;
  if (!p->modes.slides[i] || p->modes.reactive[i] || p->modes.outside[i]) return false;
  bool moves = false, bends = false;
  for (int j = 0; j < p->n; j++) {
    if (!expr_has(pool, p->modes.s[i], p->s->v[j])) continue;
    moves = true;
    bends = bends || expr_has_any(pool, expr_diff(pool, p->modes.s[i], p->s->v[j]), p->n, p->s->v);
  }
  return !moves || bends;
}

static bool has_value(const engine_program* p, expr x)
{
  expr_pool* pool = p->s->pool;
  expr value;
  engine_fix(p, 1, &x, &value);
  if (value == EXPR_NONE) return false;
  const int count = expr_symbols(pool, 1, &value, 0, NULL);
  expr* symbol = base_alloc(sizeof *symbol * (size_t)(count + 1));
  expr_symbols(pool, 1, &value, count, symbol);
  bool known = true;
  for (int k = 0; k < count && known; k++) {
    known = false;
    for (int j = 0; j < p->inputs && !known; j++) known = p->input[j] == symbol[k];
  }
  free(symbol);
  return known;
}

// Where the motion stands at a jump with its rate, s' without accelerations is kept at zero, too:
// these have no part in it there. Its rate is affine in them.
static code_kernel* build_turns(engine_program* p, base_notes* notes)
{
  const mech_system* s = p->s;
  const int n = p->n, corners = p->modes.count, slopes = code_outputs(p->coupling) ? n : 0,
            count = corners * (1 + slopes);
  expr* list = engine_program_take(p, (size_t)count, sizeof(expr));
  expr* zeros = engine_program_take(p, (size_t)n, sizeof(expr));
  p->turning = engine_program_take(p, (size_t)corners, sizeof(bool));
  bool any = false;
  for (int j = 0; j < n; j++) zeros[j] = expr_int(s->pool, 0);
  for (int i = 0; i < count; i++) list[i] = expr_int(s->pool, 0);
  for (int i = 0; i < corners; i++) {
    if (!may_turn(p, i)) continue;
    const expr drift = expr_substitute(s->pool, p->modes.rate[i], n, s->a, zeros);
    list[i] = expr_total(s->pool, drift);
    p->turning[i] = has_value(p, list[i]);
    if (!p->turning[i]) list[i] = zeros[0];
    any = any || p->turning[i];
    expr_gradient(s->pool, list[i], slopes, s->a, list + corners + i * slopes);
  }
  return engine_kernel_make(p, any ? count : 0, list, "the switching functions", notes);
}

static code_kernel* build_sparse_eom(engine_program* p, base_notes* notes)
{
  expr* list;
  const int count = engine_sparse_motion_list(p, &list);
  return engine_kernel_make(p, count, list, "the equations of motion", notes);
}

// what M is, or is made of; F, A, c
static code_kernel* build_eom(engine_program* p, base_notes* notes)
{
  if (p->sparse) return build_sparse_eom(p, notes);
  const mech_system* s = p->s;
  const int n = p->n, m = p->m;
  expr* terms = NULL;
  p->masses = s->hung ? mech_tree_terms(s->hung, &terms) : n * n;
  expr* list = engine_program_take(p, (size_t)(p->masses + n + m * n + m), sizeof(expr));
  expr* at = list + p->masses;
  memcpy(list, terms ? terms : s->M, sizeof(expr) * (size_t)p->masses);
  memcpy(at, s->F, sizeof(expr) * (size_t)n);
  if (m) memcpy(at + n, s->A, sizeof(expr) * (size_t)(m * n));
  if (m) memcpy(at + n + m * n, s->c, sizeof(expr) * (size_t)m);
  free(terms);
  return engine_kernel_make(p, p->masses + n + m * n + m, list, "the equations of motion", notes);
}

static code_kernel* build_levels(engine_program* p, base_notes* notes)
{
  const mech_system* s = p->s;
  const int n = p->n, m = p->m, count = 2 * m + (p->sparse ? 0 : m * n);
  expr* list = engine_program_take(p, (size_t)count, sizeof(expr));
  const expr zero = expr_int(s->pool, 0);
  for (int i = 0; i < m; i++) {
    list[i] = s->f0[i] == EXPR_NONE ? zero : s->f0[i];
    list[m + i] = s->f1[i] == EXPR_NONE ? zero : s->f1[i];
  }
  if (m && !p->sparse) memcpy(list + 2 * m, s->A, sizeof(expr) * (size_t)(m * n));
  return engine_kernel_make(p, count, list, "the constraints", notes);
}

// nodes of T times coordinates from which on its slopes are taken in one pass: one by one each
// would repeat what the others have in common
static const double large_energy = 3500;

// only where something may jump does anybody ask for them
static code_kernel* build_momenta(engine_program* p, base_notes* notes)
{
  const bool asked = p->model->events || p->model->stages || p->modes.count;
  if (p->is_part || !asked) return engine_kernel_make(p, 0, NULL, "the momenta", notes);
  expr_pool* pool = p->s->pool;
  expr* list = engine_program_take(p, (size_t)p->n, sizeof(expr));
  const expr T = p->model->T, one = expr_int(pool, 1);
  if ((double)p->n * (double)expr_size(pool, 1, &T) > large_energy) {
    expr_pullback(pool, 1, &T, &one, p->n, p->s->v, list);
    return engine_kernel_make(p, p->n, list, "the momenta", notes);
  }
  expr_slope_list slopes = {0};
  expr_index* by_v = expr_index_new(p->n, p->s->v);
  for (int i = 0; i < p->n; i++) list[i] = p->s->zero[0];
  expr_slopes(pool, by_v, p->s->v, T, &slopes);
  for (int i = 0; i < slopes.n; i++) list[slopes.at[i].number] = slopes.at[i].value;
  base_list_free(&slopes);
  expr_index_free(by_v);
  return engine_kernel_make(p, p->n, list, "the momenta", notes);
}

// which reactions the forces ask for, by constraint; what forces share is looked through once
static bool* find_felt(const engine_program* p)
{
  bool* felt = base_alloc((size_t)p->m + 1);
  if (!p->m) return felt;
  expr_index* by_reaction = expr_index_new(p->m, p->model->reaction);
  expr_numbers held = {0};
  expr_index_list_of(p->s->pool, by_reaction, p->n, p->s->F, &held);
  for (int i = 0; i < held.n; i++) felt[held.at[i]] = true;
  base_list_free(&held);
  expr_index_free(by_reaction);
  return felt;
}

// How the forces change with reactions and with corners held between their sides, and how the rates
// of the corners change with the accelerations. Only systems where the one or the other happens
// need it.
static code_kernel* build_coupling(engine_program* p, base_notes* notes)
{
  const mech_system* s = p->s;
  const int n = p->n, m = p->m, corners = p->modes.count, count = n * m + 2 * n * corners;
  bool needed = false, *felt = p->sparse ? NULL : find_felt(p);
  p->felt = engine_program_take(p, (size_t)m + 1, sizeof(bool));
  for (int i = 0; i < m && felt; i++) {
    p->felt[i] = s->role[i].ideal && felt[i];
    p->forces_feel = p->forces_feel || p->felt[i];
    needed = needed || p->forces_feel || !s->role[i].ideal;
  }
  free(felt);
  if (!needed) return engine_kernel_make(p, 0, NULL, "the forces", notes);
  expr* F = engine_program_take(p, (size_t)n, sizeof(expr));
  expr* list = engine_program_take(p, (size_t)count, sizeof(expr));
  engine_numbers(p, n, s->F, F);
  engine_corners_hold(&p->modes, s->pool, n, F, F);
  for (int i = 0; i < n; i++) {
    expr_gradient(s->pool, F[i], m, p->model->reaction, list + i * m);
    expr_gradient(s->pool, F[i], corners, p->modes.side, list + n * m + i * corners);
  }
  for (int i = 0; i < corners; i++)
    expr_gradient(s->pool, p->modes.rate[i], n, s->a, list + n * m + n * corners + i * n);
  return engine_kernel_make(p, count, list, "the forces", notes);
}

// A homogeneous linear velocity constraint does no work: A q' = f1 = 0. Its reaction leaves the
// power, unless it is felt by a force that does.
static expr power_without_idle_reactions(engine_program* p)
{
  const model* m = p->model;
  expr_pool* pool = p->s->pool;
  const expr zero = expr_int(pool, 0);
  expr *v = engine_program_take(p, (size_t)p->n, sizeof(expr)),
       *zeros = engine_program_take(p, (size_t)p->n, sizeof(expr));
  for (int i = 0; i < p->n; i++) {
    v[i] = m->coord[i].v;
    zeros[i] = zero;
  }
  expr power = p->s->power;
  bool* felt = NULL;
  for (int k = 0; k < p->m; k++) {
    if (!expr_has(pool, power, m->reaction[k])) continue;
    if (p->s->f1[k] == EXPR_NONE || (m->constraint[k].order == 1 && !m->constraint[k].linear))
      continue;
    if (!felt) felt = find_felt(p);
    if (!p->s->role[k].ideal || felt[k]) continue;
    const expr at_rest = expr_substitute(pool, p->s->f1[k], p->n, v, zeros);
    if (at_rest == EXPR_NONE || expr_is_zero(pool, at_rest) != EXPR_YES) continue;
    power = expr_substitute(pool, power, 1, &m->reaction[k], &zero);
  }
  free(felt);
  return power;
}

static code_kernel* build_energy(engine_program* p, base_notes* notes)
{
  if (p->is_part) return engine_kernel_make(p, 0, NULL, "the energies", notes);
  p->power = power_without_idle_reactions(p);
  const expr list[engine_energies] = {p->s->H, model_kinetic(p->model), p->power, p->model->V};
  p->work_needs_reactions = expr_has_any(p->s->pool, list[2], p->m, p->model->reaction);
  return engine_kernel_make(p, engine_energies, list, "the energies", notes);
}

// at every state that a step tries, where energies are asked for at its ends alone
static code_kernel* build_work(engine_program* p, base_notes* notes)
{
  return engine_kernel_make(p, !p->is_part, &p->power, "the power of forces", notes);
}

static code_kernel* build_columns(engine_program* p, base_notes* notes)
{
  if (p->is_part) return engine_kernel_make(p, 0, NULL, "the outputs", notes);
  expr* list;
  const int count = engine_column_list(p->model, &list);
  code_kernel* kernel = engine_kernel_make(p, count, list, "the outputs", notes);
  free(list);
  return kernel;
}

static code_kernel* build_integrals(engine_program* p, base_notes* notes)
{
  if (p->is_part) return engine_kernel_make(p, 0, NULL, "the integrals", notes);
  expr* list;
  const int count = engine_integral_list(p->s, p->arena, &list);
  return engine_kernel_make(p, count, list, "the integrals", notes);
}

static code_kernel* build_watches(engine_program* p, base_notes* notes)
{
  const model* m = p->model;
  const int count = m->events + m->stages;
  expr* list = engine_program_take(p, (size_t)count, sizeof(expr));
  p->watch_needs_accelerations = engine_program_take(p, (size_t)count, sizeof(bool));
  p->watch_needs_state = engine_program_take(p, (size_t)count, sizeof(bool));
  for (int i = 0; i < m->events; i++) list[i] = m->event[i].g;
  for (int i = 0; i < m->stages; i++)
    list[m->events + i] =
        m->stage[i].until == EXPR_NONE ? expr_int(p->s->pool, -1) : m->stage[i].until;
  for (int i = 0; i < count; i++) {
    const bool needs = expr_has_any(p->s->pool, list[i], p->m, m->reaction) ||
                       expr_has_any(p->s->pool, list[i], p->n, p->s->a);
    const bool moves = needs || expr_has_any(p->s->pool, list[i], p->n, p->s->v);
    p->watch_needs_accelerations[i] = needs;
    p->watch_needs_state[i] = moves || expr_has_any(p->s->pool, list[i], p->n, p->s->q);
    p->any_watch_needs_accelerations = p->any_watch_needs_accelerations || needs;
    p->any_watch_needs_velocities = p->any_watch_needs_velocities || moves;
  }
  return engine_kernel_make(p, count, list, "the events", notes);
}

static code_kernel* build_guards(engine_program* p, base_notes* notes)
{
  if (p->is_part) return engine_kernel_make(p, 0, NULL, "the contacts", notes);
  const int count = engine_guard_count(p->model);
  expr* list = engine_program_take(p, (size_t)count, sizeof(expr));
  engine_guard_list(p->model, p->s->pool, list);
  return engine_kernel_make(p, count, list, "the contacts", notes);
}

static code_kernel* build_feet(engine_program* p, base_notes* notes)
{
  if (p->is_part) return engine_kernel_make(p, 0, NULL, "the contacts", notes);
  const int count = engine_foot_list(p->model, NULL);
  expr* list = engine_program_take(p, (size_t)count, sizeof(expr));
  engine_foot_list(p->model, list);
  return engine_kernel_make(p, count, list, "the contacts", notes);
}

static code_kernel* build_slips(engine_program* p, base_notes* notes)
{
  const model* m = p->model;
  expr_pool* pool = p->s->pool;
  BASE_LIST(expr) list = {0};
  expr* slope = engine_program_take(p, (size_t)p->n, sizeof(expr));
  for (int i = 0; i < p->m; i++) {
    const model_constraint* c = &m->constraint[i];
    if (!(c->sense || c->guides) || c->friction == EXPR_NONE) continue;
    base_push(&list, expr_mul(pool, c->friction, c->pressure));
    for (int t = 0; t < c->slips; t++) {
      base_push(&list, c->slip[t]);
      expr_gradient(pool, c->slip[t], p->n, p->s->v, slope);
      for (int j = 0; j < p->n; j++) base_push(&list, slope[j]);
    }
  }
  code_kernel* kernel = engine_kernel_make(p, list.n, list.at, "the contacts", notes);
  base_list_free(&list);
  return kernel;
}

// null where no constraint is nonlinear in the accelerations
static bool build_curved(engine_program* p, base_notes* notes)
{
  expr* list;
  const int count = engine_curved_list(p, &list);
  p->curved = count ? engine_kernel_make(p, count, list, "the constraints", notes) : NULL;
  if (p->curved) p->curved_degree = engine_curved_degrees(p);
  free(list);
  return p->curved || !count;
}

bool engine_kernels_build(engine_program* p, base_notes* notes)
{
  fix_params(p);
  p->modes = find_modes(p);
  lay_out_inputs(p);
  return (p->eom = build_eom(p, notes)) && (p->levels = build_levels(p, notes)) &&
         (p->momenta = build_momenta(p, notes)) && (p->energy = build_energy(p, notes)) &&
         (p->work = build_work(p, notes)) && (p->columns = build_columns(p, notes)) &&
         (p->watches = build_watches(p, notes)) && (p->switches = build_switches(p, notes)) &&
         (p->integrals = build_integrals(p, notes)) && (p->coupling = build_coupling(p, notes)) &&
         (p->slips = build_slips(p, notes)) && (p->turns = build_turns(p, notes)) &&
         build_curved(p, notes) && engine_delayed_build(p, notes) &&
         (p->guards = build_guards(p, notes)) && (p->feet = build_feet(p, notes));
}
