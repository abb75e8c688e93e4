// The lists of expressions that the exported C evaluates.
//
// With the sides sigma of forces that jump in place of sign(w), and reactions lambda in the forces,
//   M a = F(lambda, sigma) + A^T lambda,   A a = c,
// is solved for what holds. G = dF/dlambda and D = dF/dsigma make it linear about a guess; where
// the motion is held at a jump, w' = (dw/dq') a - drift = 0 gives sigma.
#include "out/exported.h"

#include <stdlib.h>
#include <string.h>

static expr* take(base_arena* arena, int count)
{
  return base_arena_take(arena, sizeof(expr) * (size_t)(count + 1));
}

static bool depends_on(const mech_system* s, expr e, const expr* list)
{
  return expr_has_any(s->pool, e, s->n, list);
}

// ---- what there is no C for ---------------------------------------------------------------------

static const char* shapes_in_the_way(const model* m)
{
  for (int i = 0; i < m->meetings; i++)
    if (m->meeting[i].looked_for) return "contacts between shapes are looked for as it moves";
  return m->facings || m->footings ? "corners and sides face each other as they move" : NULL;
}

const char* out_exported_unsuited(const mech_system* s)
{
  const model* m = s->model;
  const char* shapes = shapes_in_the_way(m);
  if (shapes) return shapes;
  for (int k = 0; k < s->m; k++)
    if (depends_on(s, s->c[k], s->a)) return "a constraint is not linear in the accelerations";
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < m->tells; k++)
      if (expr_has(s->pool, s->F[i], m->tell[k].symbol))
        return "a force depends on a result of contacts";
  return expr_pool_full(s->pool) ? "the expressions are larger than the limit" : NULL;
}

// ---- forces that jump ---------------------------------------------------------------------------

static bool is_sign(const expr_pool* p, expr e)
{
  return expr_kind_of(p, e) == EXPR_CALL && expr_fn_of(p, e) == EXPR_SIGN;
}

static bool is_condition(const expr_pool* p, expr e)
{
  return expr_kind_of(p, e) == EXPR_IF;
}

// the nodes of a kind in the forces that the state has a part in
static int find(const out_exported* x, bool (*is_one)(const expr_pool* p, expr e), expr** out)
{
  const mech_system* s = x->s;
  const expr_pool* p = s->pool;
  expr most = 0;
  for (int i = 0; i < s->n; i++) most = s->F[i] > most ? s->F[i] : most;
  // arguments are older than what is made of them
  bool* below = base_alloc((size_t)most + 1);
  for (int i = 0; i < s->n; i++) below[s->F[i]] = true;
  BASE_LIST(expr) found = {0};
  for (expr e = most; e > 0; e--) {
    if (!below[e]) continue;
    for (int k = 0; k < expr_arg_count(p, e); k++) below[expr_arg(p, e, k)] = true;
    const expr w = expr_arg_count(p, e) ? expr_arg(p, e, 0) : e;
    if (is_one(p, e) && (depends_on(s, w, s->q) || depends_on(s, w, s->v))) base_push(&found, e);
  }
  free(below);
  *out = take(x->arena, found.n);
  if (found.n) memcpy(*out, found.at, sizeof **out * (size_t)found.n);
  const int count = found.n;
  base_list_free(&found);
  return count;
}

static void find_jumps(out_exported* x)
{
  const mech_system* s = x->s;
  expr_pool* p = s->pool;
  const int n = s->n;
  x->jumps = find(x, is_sign, &x->node);
  x->side = take(x->arena, x->jumps);
  x->w = take(x->arena, x->jumps);
  x->drift = take(x->arena, x->jumps);
  x->slope = take(x->arena, x->jumps * n);
  x->slides = base_arena_take(x->arena, sizeof(bool) * (size_t)(x->jumps + 1));
  for (int j = 0; j < x->jumps; j++) {
    x->side[j] = expr_symbol(p, base_arena_printf(x->arena, "(side %d)", j));
    x->w[j] = expr_arg(p, x->node[j], 0);
    x->slides[j] = depends_on(s, x->w[j], s->v);
    expr_gradient(p, x->w[j], n, s->v, x->slope + j * n);
    const expr rate = x->slides[j] ? expr_total(p, x->w[j]) : expr_int(p, 0);
    x->drift[j] = expr_neg(p, expr_substitute(p, rate, n, s->a, s->zero));
  }
}

static void find_branches(out_exported* x)
{
  expr* node;
  expr_pool* p = x->s->pool;
  x->branches = find(x, is_condition, &node);
  x->branch = take(x->arena, 3 * x->branches);
  for (int i = 0; i < x->branches; i++) {
    const expr condition = expr_arg(p, node[i], 0);
    x->branch[3 * i] = expr_sub(p, expr_arg(p, condition, 0), expr_arg(p, condition, 1));
    x->branch[3 * i + 1] = expr_arg(p, node[i], 1);
    x->branch[3 * i + 2] = expr_arg(p, node[i], 2);
  }
}

// forces with sides, and how they depend on sides and reactions
static void find_forces(out_exported* x)
{
  const mech_system* s = x->s;
  const int n = s->n, m = s->m, J = x->jumps;
  x->F = take(x->arena, n);
  x->G = take(x->arena, n * m);
  x->D = take(x->arena, n * J);
  for (int i = 0; i < n; i++) {
    x->F[i] = J ? expr_substitute(s->pool, s->F[i], J, x->node, x->side) : s->F[i];
    expr_gradient(s->pool, x->F[i], m, s->model->reaction, x->G + i * m);
    expr_gradient(s->pool, x->F[i], J, x->side, x->D + i * J);
    for (int k = 0; k < m; k++) {
      const expr g = x->G[i * m + k];
      x->coupled = x->coupled || g != expr_int(s->pool, 0);
      x->reactive[k] = x->reactive[k] || expr_has_any(s->pool, g, m, s->model->reaction) ||
                       expr_has_any(s->pool, g, J, x->side);
    }
    for (int j = 0; j < J; j++)
      x->coupled = x->coupled || expr_has_any(s->pool, x->D[i * J + j], J, x->side);
  }
}

// ---- what holds ---------------------------------------------------------------------------------

static void add_pair(out_exported* x, out_friction f)
{
  for (int k = 0; k < f.rows; k++) x->friction_of[f.row[k]] = x->pairs.n;
  base_push(&x->pairs, f);
}

static void find_pairs(out_exported* x)
{
  const model* m = x->s->model;
  for (int k = 0; k < x->s->m; k++) {
    const model_constraint* c = &m->constraint[k];
    if (c->friction == EXPR_NONE || !(c->sense || c->guides)) continue;
    add_pair(x, (out_friction){.normal = k,
                               .rows = c->slips,
                               .row = {c->stick[0], c->stick[1]},
                               .bound = expr_mul(x->s->pool, c->friction, c->pressure)});
  }
  for (int i = 0; i < m->contacts; i++)
    for (int g = 0; g < MODEL_GRIPS; g++) {
      const model_grip* grip = &m->contact[i].grip[g];
      if (grip->mu == EXPR_NONE || !grip->rows || x->friction_of[grip->stick[0]] >= 0) continue;
      add_pair(x, (out_friction){.normal = m->contact[i].gap,
                                 .rows = grip->rows,
                                 .row = {grip->stick[0], grip->stick[1], grip->stick[2]},
                                 .bound = grip->mu});
    }
}

// a surface that does not pull lets go
static void let_go(out_exported* x, int k)
{
  const model* m = x->s->model;
  const int i = m->constraint[k].contact - 1;
  if (i < 0 || m->contact[i].pull != MODEL_PULL_RELEASES) return;
  const int gap = m->contact[i].gap;
  if (k == gap)
    x->sense[k] = 1;
  else if (x->during[k] < 0)
    x->during[k] = gap;
}

static void find_rows(out_exported* x)
{
  const mech_system* s = x->s;
  const size_t ints = sizeof(int) * (size_t)(s->m + 1), bools = (size_t)s->m + 1;
  x->sense = base_arena_take(x->arena, ints);
  x->order = base_arena_take(x->arena, ints);
  x->during = base_arena_take(x->arena, ints);
  x->friction_of = base_arena_take(x->arena, ints);
  x->ideal = base_arena_take(x->arena, bools);
  x->leads = base_arena_take(x->arena, bools);
  x->reactive = base_arena_take(x->arena, bools);
  x->starts = base_arena_take(x->arena, bools);
  x->bounces = base_arena_take(x->arena, bools);
  for (int k = 0; k < s->m; k++) {
    const model_constraint* c = &s->model->constraint[k];
    x->sense[k] = c->sense;
    x->order[k] = c->order;
    x->during[k] = c->during - 1;
    x->ideal[k] = s->role ? s->role[k].ideal : true;
    x->leads[k] = s->role && s->role[k].leads;
    if (k >= s->written && s->role) x->during[k] = s->role[k].servo;
    x->starts[k] = k >= s->written || model_constraint_starts(s->model, k);
    x->bounces[k] = c->impact == MODEL_NEWTON;
    x->friction_of[k] = -1;
    let_go(x, k);
  }
}

static void find_guards(out_exported* x)
{
  const model* m = x->s->model;
  x->guard = take(x->arena, m->events + m->contacts * MODEL_GUARDS);
  for (int i = 0; i < m->events; i++)
    if (m->event[i].action == MODEL_LEAVE) x->guard[x->guards++] = m->event[i].g;
  for (int i = 0; i < m->contacts; i++)
    for (int k = 0; k < m->contact[i].guards && !m->contact[i].lands; k++)
      x->guard[x->guards++] = m->contact[i].guard[k].g;
}

// ---- lists --------------------------------------------------------------------------------------

expr* out_exported_terms(const out_exported* x, int* count)
{
  const mech_system* s = x->s;
  const int n = s->n, m = s->m;
  const struct
  {
    const expr* from;
    int count;
  } part[] = {{mech_mass(s), n * n}, {x->F, n},           {s->A, m * n}, {s->c, m},
              {x->G, n * m},         {x->D, n * x->jumps}};
  *count = 0;
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) *count += part[i].count;
  expr *all = take(x->arena, *count), *at = all;
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
    if (part[i].count) memcpy(at, part[i].from, sizeof *at * (size_t)part[i].count);
    at += part[i].count;
  }
  return all;
}

static expr or_zero(const mech_system* s, const expr* list, int k)
{
  return list && list[k] != EXPR_NONE ? list[k] : expr_int(s->pool, 0);
}

expr* out_exported_levels(const out_exported* x, int* count)
{
  const mech_system* s = x->s;
  const int n = s->n, m = s->m, J = x->jumps;
  *count = 3 * m + J * (2 + n) + x->pairs.n + x->guards + 3 * x->branches;
  expr *all = take(x->arena, *count), *at = all;
  for (int k = 0; k < m; k++) *at++ = or_zero(s, s->f0, k);
  for (int k = 0; k < m; k++) *at++ = or_zero(s, s->f1, k);
  for (int j = 0; j < J; j++) *at++ = x->w[j];
  for (int j = 0; j < J * n; j++) *at++ = x->slope[j];
  for (int j = 0; j < J; j++) *at++ = x->drift[j];
  for (int i = 0; i < x->pairs.n; i++) *at++ = x->pairs.at[i].bound;
  for (int i = 0; i < x->guards; i++) *at++ = x->guard[i];
  for (int i = 0; i < 3 * x->branches; i++) *at++ = x->branch[i];
  for (int k = 0; k < m; k++) {
    const expr e = s->model->constraint[k].restitution;
    *at++ = k < s->written && s->model->constraint[k].sense && e != EXPR_NONE
                ? e
                : expr_int(s->pool, 0);
  }
  return all;
}

int out_exported_layout(const out_exported* x, expr** input)
{
  const mech_system* s = x->s;
  expr* in = *input = take(x->arena, 1 + 3 * s->n + x->inputs + 2 * s->m + x->jumps + x->speeds);
  int at = 0;
  in[at++] = s->model->t;
  for (int i = 0; i < s->n; i++) in[at++] = s->model->coord[i].q;
  for (int i = 0; i < s->n; i++) in[at++] = s->model->coord[i].v;
  for (int i = 0; i < x->inputs; i++) in[at++] = x->input[i];
  for (int k = 0; k < s->m; k++) in[at++] = s->model->reaction[k];
  for (int k = 0; k < s->m; k++) in[at++] = s->model->holds[k];
  for (int j = 0; j < x->jumps; j++) in[at++] = x->side[j];
  for (int i = 0; i < s->n; i++) in[at++] = s->model->coord[i].a;
  for (int i = 0; i < x->speeds; i++) in[at++] = x->speed[i];
  return at;
}

void out_exported_inputs(out_exported* x, int count, const expr* list)
{
  const model* m = x->s->model;
  expr* known;
  const int room = expr_symbols(x->s->pool, count, list, 0, NULL);
  expr* symbol = take(x->arena, room);
  expr_symbols(x->s->pool, count, list, room, symbol);
  expr* input = take(x->arena, m->params + x->inputs + room);
  if (!x->inputs)
    for (int i = 0; i < m->params; i++) input[x->inputs++] = m->param[i].symbol;
  else
    memcpy(input, x->input, sizeof *input * (size_t)x->inputs);
  x->input = input;
  for (int i = 0; i < room; i++) {
    const int inputs = out_exported_layout(x, &known);
    bool found = false;
    for (int k = 0; k < inputs && !found; k++) found = known[k] == symbol[i];
    if (!found) x->input[x->inputs++] = symbol[i];
  }
}

void out_exported_make(out_exported* x, const mech_system* s, base_arena* arena)
{
  *x = (out_exported){.s = s, .arena = arena};
  find_rows(x);
  find_jumps(x);
  find_branches(x);
  find_forces(x);
  find_pairs(x);
  find_guards(x);
  out_exported_reduce(x);
}
