// Accelerations and their derivatives in one go, for small systems without constraints.
//
// Periodic motions are flown over with all their changes, again and again: a = M^-1 F is solved in
// symbols once, and one tape has a with its derivatives by the state and the param.
#include "study/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_coords = 2, most_nodes = 600 };

// a from M a = F, where R = M a - F are the residuals; false where that is not seen
static bool solve(const study_linear* l, expr* R, expr* a)
{
  const mech_system* s = l->e->s;
  expr_pool* p = s->pool;
  const int n = l->n;
  expr M[most_coords * most_coords], F[most_coords], zero[most_coords], assumed[most_coords];
  int count = 0;
  for (int i = 0; i < n; i++) zero[i] = expr_int(p, 0);
  for (int i = 0; i < n; i++) {
    if (R[i] == EXPR_NONE) return false;
    F[i] = expr_neg(p, expr_substitute(p, R[i], n, s->a, zero));
    expr_gradient(p, R[i], n, s->a, M + i * n);
    for (int j = 0; j < n; j++)
      if (M[i * n + j] == EXPR_NONE || expr_has_any(p, M[i * n + j], n, s->a)) return false;
    if (F[i] == EXPR_NONE) return false;
  }
  if (expr_size(p, n * n, M) + expr_size(p, n, F) > most_nodes) return false;
  return expr_solve(p, n, 1, M, F, a, assumed, &count) && expr_size(p, n, a) <= most_nodes;
}

static void build(study_linear* l)
{
  engine* e = l->e;
  expr_pool* p = e->s->pool;
  const int n = l->n, wide = 2 * n + 1 + (l->param >= 0);
  if (e->m || n > most_coords || e->program->modes.count || e->program->forces_feel) return;
  expr list[most_coords * (2 * most_coords + 2)], by[2 * most_coords + 1], a[most_coords];
  expr R[most_coords];
  study_linear_residuals(e, R);
  if (l->param >= 0) engine_given_write_out(e->program, n, R);
  study_linear_fix(e, n, R);
  if (!solve(l, R, a)) return;
  memcpy(by, e->s->q, sizeof(expr) * (size_t)n);
  memcpy(by + n, e->s->v, sizeof(expr) * (size_t)n);
  if (l->param >= 0) by[2 * n] = e->model->param[l->param].symbol;
  bool whole = !expr_pool_full(p);
  for (int i = 0; i < n; i++) {
    list[i * wide] = a[i];
    expr_gradient(p, a[i], wide - 1, by, list + i * wide + 1);
  }
  for (int i = 0; i < n * wide; i++) whole = whole && list[i] != EXPR_NONE;
  expr missing;
  if (!whole || expr_pool_full(p)) return;
  l->rates = code_build(p, n * wide, list, e->program->inputs, e->program->input, &missing);
  if (!l->rates) return;
  l->rates_out = base_arena_take(e->arena, sizeof(double) * (size_t)(n * wide + 1));
  l->rates_scratch = base_arena_take(e->arena, sizeof(double) * (code_scratch(l->rates) + 1));
}

int study_linear_rates(study_linear* l)
{
  engine* e = l->e;
  const int n = l->n, N = 2 * n, wide = N + 1 + (l->param >= 0);
  // steady motions never ask
  if (!l->rates_sought) build(l);
  l->rates_sought = true;
  if (!l->rates) return study_linear_at(l);
  code_run(l->rates, e->in, l->rates_out, l->rates_scratch);
  for (int i = 0; i < n; i++) {
    const double* row = l->rates_out + i * wide;
    // where there is none, the other way says why
    if (!isfinite(row[0])) return study_linear_at(l);
    e->a[i] = row[0];
    memcpy(l->J + (n + i) * N, row + 1, sizeof(double) * (size_t)N);
    if (l->param >= 0) l->Jp[i] = row[N + 1];
  }
  return 0;
}
