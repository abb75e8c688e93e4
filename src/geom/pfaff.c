// The velocity-level constraints of a model as one-forms on the space of its coordinates and time.
#include "geom/pfaff.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// expressions above this size are left as they are
#define TIDY_SIZE 80

expr geom_tidy(expr_pool* p, expr e)
{
  return expr_size(p, 1, &e) <= TIDY_SIZE ? expr_simplify(p, e) : e;
}

static void* take(base_arena* a, int n, size_t size)
{
  return base_arena_take(a, (size_t)(n > 0 ? n : 1) * size);
}

// is the constraint a one-form at all?
static bool is_pfaffian(const model_constraint* c)
{
  return c->order == 0 || (c->order == 1 && c->linear);
}

expr geom_hold_params(const model* m, expr e)
{
  for (int i = 0; i < m->params; i++) {
    const model_param* a = &m->param[i];
    if (!a->changes) continue;
    expr from[2], to[2] = {expr_int(m->pool, 0), expr_int(m->pool, 0)};
    int n = 0;
    if (a->rate != EXPR_NONE) from[n++] = a->rate;
    if (a->rate2 != EXPR_NONE) from[n++] = a->rate2;
    if (n > 0) e = expr_substitute(m->pool, e, n, from, to);
  }
  return e;
}

// the coefficients of one constraint: of dq_i, then of dt
static void coefficients(const model* m, const model_constraint* c, const expr* q, const expr* v,
                         const expr* zero, expr* w)
{
  expr_pool* p = m->pool;
  expr f = geom_hold_params(m, c->f);
  expr_gradient(p, f, m->coords, c->order == 0 ? q : v, w);
  w[m->coords] = c->order == 0 ? expr_diff(p, f, m->t) : expr_substitute(p, f, m->coords, v, zero);
  for (int i = 0; i <= m->coords; i++) w[i] = geom_tidy(p, w[i]);
}

// every symbol with its number; a coordinate that was not given stands at zero
static void gather_numbers(geom_pfaff* f, int n, const expr* symbols, const double* values)
{
  int room = n + f->m->coords + 1;
  f->symbol = take(f->arena, room, sizeof(expr));
  f->value = take(f->arena, room, sizeof(double));
  for (int i = 0; i < n; i++) f->symbol[i] = symbols[i], f->value[i] = values[i];
  f->symbols = n;
  for (int i = 0; i <= f->m->coords; i++) {
    expr s = i < f->m->coords ? f->m->coord[i].q : f->m->t;
    bool known = false;
    for (int j = 0; j < f->symbols; j++) known |= f->symbol[j] == s;
    if (!known) f->symbol[f->symbols++] = s;
  }
  assert(f->symbols <= room);
}

geom_pfaff geom_pfaff_make(const model* m, const bool* use, base_arena* arena, int n,
                           const expr* symbols, const double* values)
{
  expr_pool* p = m->pool;
  int coords = m->coords, wide = coords + 1;
  geom_pfaff f = {.m = m, .pool = p, .arena = arena, .zero = expr_int(p, 0)};
  f.x = take(arena, wide, sizeof(expr));
  f.of = take(arena, m->constraints, sizeof(int));
  expr* v = take(arena, wide, sizeof(expr));
  expr* zero = take(arena, wide, sizeof(expr));
  expr* w = take(arena, m->constraints * wide, sizeof(expr));
  for (int i = 0; i < coords; i++) {
    f.x[i] = m->coord[i].q;
    v[i] = m->coord[i].v;
    zero[i] = f.zero;
  }
  f.x[coords] = m->t;
  for (int k = 0; k < m->constraints; k++) {
    if (!use[k] || !is_pfaffian(&m->constraint[k])) continue;
    expr* row = w + f.count * wide;
    coefficients(m, &m->constraint[k], f.x, v, zero, row);
    f.timed |= row[coords] != f.zero;
    for (int i = 0; i < coords; i++) f.timed |= expr_has(p, row[i], m->t);
    f.of[f.count++] = k;
  }
  // without time the last column goes
  f.N = f.timed ? wide : coords;
  f.w = take(arena, f.count * f.N, sizeof(expr));
  for (int k = 0; k < f.count; k++) memcpy(f.w + k * f.N, w + k * wide, sizeof(expr) * (size_t)f.N);
  gather_numbers(&f, n, symbols, values);
  return f;
}

expr* geom_pfaff_numbers(const geom_pfaff* f)
{
  const model* m = f->m;
  expr* from = take(f->arena, m->params, sizeof(expr));
  expr* to = take(f->arena, m->params, sizeof(expr));
  expr* out = take(f->arena, f->count * f->N, sizeof(expr));
  int n = 0;
  for (int i = 0; i < m->params; i++)
    if (!m->param[i].changes && m->param[i].value != EXPR_NONE) {
      from[n] = m->param[i].symbol;
      to[n++] = m->param[i].value;
    }
  expr_substitute_all(f->pool, f->count * f->N, f->w, n, from, to, out);
  // a division by zero at these values: keep the general form
  for (int i = 0; i < f->count * f->N; i++)
    out[i] = out[i] == EXPR_NONE ? f->w[i] : geom_tidy(f->pool, out[i]);
  return out;
}

expr geom_curl(const geom_pfaff* f, const expr* w, int i, int j)
{
  return expr_sub(f->pool, expr_diff(f->pool, w[j], f->x[i]), expr_diff(f->pool, w[i], f->x[j]));
}
