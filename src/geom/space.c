// From the kinetic energy to the metric of the space the position constraints leave.
#include "geom/space.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rounding = 1e-12; // relative: eigenvalues that may be zero

// 2 T = M_ij q_i' q_j' + ...; with q = q(u) on the constraints, g_ab = M_ij dq_i/du_a dq_j/du_b.

void* geom_take(base_arena* a, int n, size_t size)
{
  return base_arena_take(a, (size_t)(n > 0 ? n : 1) * size);
}

static geom_known known(const geom_space* s)
{
  return (geom_known){s->pool, s->symbols, s->symbol, s->value};
}

// ---- the kinetic energy -------------------------------------------------------------------------

// is the second derivative free of velocities, perhaps after shortening?
static bool is_free(const model* m, expr* e, const expr* v)
{
  if (!expr_has_any(m->pool, *e, m->coords, v)) return true;
  *e = expr_simplify(m->pool, *e);
  if (!expr_has_any(m->pool, *e, m->coords, v)) return true;
  expr* zero = base_alloc(sizeof(expr) * (size_t)m->coords);
  bool free_of = true;
  for (int i = 0; i < m->coords; i++) {
    zero[i] = expr_int(m->pool, 0);
    free_of &= expr_is_zero(m->pool, expr_diff(m->pool, *e, v[i])) == EXPR_YES;
  }
  if (free_of) *e = expr_substitute(m->pool, *e, m->coords, v, zero);
  free(zero);
  return free_of;
}

// M, and what of T it does not hold; false where T is no quadratic form
static bool mass_matrix(geom_space* s, expr* M)
{
  const model* m = s->m;
  expr_pool* p = s->pool;
  const int n = m->coords;
  expr *v = geom_take(s->arena, 3 * n, sizeof(expr)), *slope = v + n, *zero = slope + n;
  for (int i = 0; i < n; i++) {
    v[i] = m->coord[i].v;
    zero[i] = expr_int(p, 0);
  }
  const expr T = geom_hold_params(m, m->T);
  s->driven = T != m->T;
  expr_gradient(p, T, n, v, slope);
  for (int i = 0; i < n; i++) {
    for (int j = i; j < n; j++) {
      expr e = expr_diff(p, slope[i], v[j]);
      if (!is_free(m, &e, v)) return false;
      M[i * n + j] = M[j * n + i] = geom_tidy(p, e);
    }
    const expr at_rest = expr_substitute(p, slope[i], n, v, zero);
    s->moving |= expr_is_zero(p, at_rest) != EXPR_YES;
  }
  s->moving |= expr_is_zero(p, expr_substitute(p, T, n, v, zero)) != EXPR_YES;
  return true;
}

// ---- the constraints ----------------------------------------------------------------------------

// functions of the position that are constant: f = 0 each
static int collect(geom_space* s, const geom_report* r, expr* f)
{
  const model* m = s->m;
  const geom_known k = known(s);
  int count = 0;
  for (int i = 0; i < m->constraints; i++) {
    if (!model_constraint_starts(m, i)) continue;
    const model_constraint* c = &m->constraint[i];
    const geom_constraint* g = r ? &r->constraint[i] : NULL;
    if (c->order == 0) {
      f[count++] = geom_hold_params(m, c->f);
    } else if (g && g->integrable == EXPR_YES && g->alone && g->potential != EXPR_NONE) {
      const double level = geom_known_value(&k, g->potential);
      f[count++] = expr_sub(s->pool, g->potential, expr_double(s->pool, level));
    } else {
      s->velocity++;
    }
  }
  return count;
}

// the simplest way to solve one of the constraints for one of the coordinates; false if none is
static bool next_elimination(const geom_space* s, int count, const expr* f, int* which, int* coord,
                             expr* value)
{
  const geom_known k = known(s);
  double least = INFINITY;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < s->n; j++) {
      double cost;
      const expr e = geom_eliminate(&k, f[i], s->q[j], &cost);
      if (e == EXPR_NONE || cost >= least) continue;
      least = cost;
      *which = i;
      *coord = j;
      *value = e;
    }
  return isfinite(least);
}

static void solve_constraints(geom_space* s, int count, expr* f)
{
  expr_pool* p = s->pool;
  int which = 0, j = 0;
  expr value = EXPR_NONE;
  while (count > 0 && s->n > 1 && next_elimination(s, count, f, &which, &j, &value)) {
    const expr from = s->q[j];
    for (int i = which; i + 1 < count; i++) f[i] = f[i + 1];
    count--;
    expr_substitute_all(p, count, f, 1, &from, &value, f);
    expr_substitute_all(p, s->gone, s->gone_value, 1, &from, &value, s->gone_value);
    s->gone_coord[s->gone] = s->coord[j];
    s->gone_value[s->gone++] = value;
    s->n--;
    for (int i = j; i < s->n; i++) {
      s->q[i] = s->q[i + 1];
      s->coord[i] = s->coord[i + 1];
    }
    // what has become true of itself says nothing more
    int left = 0;
    for (int i = 0; i < count; i++) {
      f[i] = geom_tidy(p, f[i]);
      if (expr_is_zero(p, f[i]) != EXPR_YES) f[left++] = f[i];
    }
    count = left;
  }
  s->rest = count;
  s->rest_f = f;
}

// g = J^T M J on what the constraints left
static void induce(geom_space* s, const expr* M)
{
  expr_pool* p = s->pool;
  const int N = s->m->coords, n = s->n;
  expr* J = geom_take(s->arena, N * n, sizeof(expr));
  expr* at = geom_take(s->arena, N * N, sizeof(expr));
  expr* from = geom_take(s->arena, s->gone, sizeof(expr));
  for (int i = 0; i < N * n; i++) J[i] = expr_int(p, 0);
  for (int a = 0; a < n; a++) J[s->coord[a] * n + a] = expr_int(p, 1);
  for (int k = 0; k < s->gone; k++) {
    from[k] = s->m->coord[s->gone_coord[k]].q;
    expr_gradient(p, s->gone_value[k], n, s->q, J + s->gone_coord[k] * n);
  }
  expr_substitute_all(p, N * N, M, s->gone, from, s->gone_value, at);
  for (int a = 0; a < n; a++)
    for (int b = a; b < n; b++) {
      expr sum = expr_int(p, 0);
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
          sum = expr_add(p, sum,
                         expr_product(p, 3, (expr[]){J[i * n + a], at[i * N + j], J[j * n + b]}));
      s->g[a * n + b] = s->g[b * n + a] = geom_tidy(p, sum);
    }
}

// ---- derivatives --------------------------------------------------------------------------------

// g and the unsolved constraints with two derivatives each, packed for evaluation at once
static void make_jet(geom_space* s)
{
  expr_pool* p = s->pool;
  const int n = s->n, T = n * (n + 1) / 2, count = T + s->rest;
  s->jet = geom_take(s->arena, count * (1 + n + T), sizeof(expr));
  s->jet_count = count * (1 + n + T);
  expr *e = s->jet, *d = e + count, *dd = d + count * n;
  int at = 0;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) e[at++] = s->g[i * n + j];
  for (int k = 0; k < s->rest; k++) e[at++] = s->rest_f[k];
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < n; k++) d[i * n + k] = expr_diff(p, e[i], s->q[k]);
    at = 0;
    for (int k = 0; k < n; k++)
      for (int l = k; l < n; l++) dd[i * T + at++] = expr_diff(p, d[i * n + k], s->q[l]);
  }
}

static void gather_numbers(geom_space* s, int n, const expr* symbols, const double* values)
{
  s->symbols = n;
  s->symbol = geom_take(s->arena, n, sizeof(expr));
  s->value = geom_take(s->arena, n, sizeof(double));
  for (int i = 0; i < n; i++) s->symbol[i] = symbols[i], s->value[i] = values[i];
}

// Has 2 T a negative direction at the point, along the constraints left? Zero ones are left to
// whoever asks for more.
static bool is_indefinite(const geom_space* s)
{
  geom_place* p = s->rest ? geom_place_make(s, NULL) : NULL;
  const int n = p ? p->n : s->n;
  double *g = base_alloc(sizeof(double) * (size_t)(n * n + 2 * n + 1)), *re = g + n * n;
  bool finite = s->rest == 0 || p;
  if (p)
    memcpy(g, p->at->g, sizeof(double) * (size_t)(n * n));
  else if (finite)
    expr_values(s->pool, n * n, s->g, s->symbols, s->symbol, s->value, g);
  geom_place_free(p);
  for (int i = 0; i < n * n; i++) finite = finite && isfinite(g[i]);
  double least = 0, most = 0;
  if (finite && num_eigen(n, g, re, re + n))
    for (int i = 0; i < n; i++) {
      least = fmin(least, re[i]);
      most = fmax(most, fabs(re[i]));
    }
  free(g);
  return least < -rounding * most;
}

static const char* make(geom_space* s, const geom_report* r, const geom_metric* which)
{
  const model* m = s->m;
  const int N = m->coords;
  if (N == 0) return "the model has no coordinates";
  expr* M = geom_take(s->arena, N * N, sizeof(expr));
  if (!mass_matrix(s, M)) return "the kinetic energy is no quadratic form in the velocities";
  s->factor = which->factor;
  for (int i = 0; i < N * N && s->factor != EXPR_NONE; i++)
    M[i] = expr_mul(s->pool, s->factor, M[i]);
  s->around = M;
  s->n = N;
  s->q = geom_take(s->arena, N, sizeof(expr));
  s->coord = geom_take(s->arena, N, sizeof(int));
  s->gone_coord = geom_take(s->arena, N, sizeof(int));
  s->gone_value = geom_take(s->arena, N, sizeof(expr));
  for (int i = 0; i < N; i++) s->q[i] = m->coord[i].q, s->coord[i] = i;
  expr* f = geom_take(s->arena, m->constraints, sizeof(expr));
  const int held = collect(s, r, f);
  s->rest = held;
  s->rest_f = f;
  if (!which->whole) solve_constraints(s, held, f);
  if (s->n > GEOM_MOST) return "more than 24 coordinates are left by the constraints";
  s->g = geom_take(s->arena, s->n * s->n, sizeof(expr));
  induce(s, M);
  for (int i = 0; i < s->n * s->n; i++) {
    if (s->g[i] == EXPR_NONE) return "the metric divides by zero";
    s->timed |= expr_has(s->pool, s->g[i], m->t);
  }
  for (int k = 0; k < s->rest; k++) s->timed |= expr_has(s->pool, s->rest_f[k], m->t);
  make_jet(s);
  if (is_indefinite(s))
    return "the kinetic energy is not positive, some velocities make it negative";
  return expr_pool_full(s->pool) ? "its formulas are beyond the limit of expressions" : NULL;
}

geom_space* geom_space_make(const model* m, const geom_report* r, const geom_metric* which, int n,
                            const expr* symbols, const double* values, base_notes* notes)
{
  base_arena* arena = base_arena_new();
  geom_space* s = base_arena_take(arena, sizeof *s);
  s->arena = arena;
  s->m = m;
  s->pool = m->pool;
  gather_numbers(s, n, symbols, values);
  const char* fault = m->coords > m->places
                          ? "states of first order have no inertia that it could hold"
                          : make(s, r, which);
  if (!fault) return s;
  base_error(notes, BASE_NOWHERE, "this model has no metric: %s", fault);
  geom_space_free(s);
  return NULL;
}

geom_space* geom_space_part(const geom_space* s, int n, const expr* q, const expr* g)
{
  base_arena* arena = base_arena_new();
  geom_space* part = base_arena_take(arena, sizeof *part);
  part->arena = arena;
  part->m = s->m;
  part->pool = s->pool;
  part->n = n;
  part->q = geom_take(arena, n, sizeof(expr));
  part->coord = geom_take(arena, n, sizeof(int));
  part->g = geom_take(arena, n * n, sizeof(expr));
  memcpy(part->q, q, sizeof(expr) * (size_t)n);
  memcpy(part->g, g, sizeof(expr) * (size_t)(n * n));
  for (int i = 0; i < n; i++)
    for (int k = 0; k < s->n; k++)
      if (s->q[k] == q[i]) part->coord[i] = s->coord[k];
  gather_numbers(part, s->symbols, s->symbol, s->value);
  make_jet(part);
  return part;
}

void geom_space_free(geom_space* s)
{
  if (s) base_arena_free(s->arena);
}
