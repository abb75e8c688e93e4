// The linearised equations of a constrained system, by exact derivatives.
//
// Accelerations and reactions are functions of the state by
//   R(t, q, v, a, Lambda) = (M a - F - A^T Lambda, A a - c) = 0,
// so a change of the state changes them by
//   dR/d(a, Lambda) (da, dLambda) = -dR/d(q, v) (dq, dv):
// the reactions that the steady motion needs take part through d(A^T Lambda)/dq. The changes that
// the constraints admit, f0_q dq = 0 and f1_q dq + f1_v dv = 0, are led into each other; W is an
// orthonormal basis of them, and W^T J W the linear system on the constraint surface.
#include "study/linear.h"

#include "study/slopes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double weak = 1e-9;      // rows of the constraints that are dependent
static const double rounding = 1e-14; // derivatives of constraints against each other

static double* doubles(engine* e, size_t count)
{
  return base_arena_take(e->arena, sizeof(double) * (count + 1));
}

// ---- symbols ------------------------------------------------------------------------------------

int study_linear_residuals(const engine* e, expr* list)
{
  const mech_system* s = e->s;
  expr_pool* p = s->pool;
  const int n = e->n, m = e->m;
  int at = 0;
  expr* term = base_alloc(sizeof *term * (size_t)(n + m + 1));
  for (int i = 0; i < n; i++) {
    int terms = 0;
    term[terms++] = expr_neg(p, s->F[i]);
    for (int j = 0; j < n; j++) term[terms++] = expr_mul(p, mech_mass(s)[i * n + j], s->a[j]);
    for (int k = 0; k < m; k++)
      if (s->role[k].ideal)
        term[terms++] = expr_neg(p, expr_mul(p, s->A[k * n + i], e->model->reaction[k]));
    list[at++] = expr_sum(p, terms, term);
  }
  for (int k = 0; k < m; k++) {
    term[0] = expr_neg(p, s->c[k]);
    for (int j = 0; j < n; j++) term[1 + j] = expr_mul(p, s->A[k * n + j], s->a[j]);
    list[at++] = expr_sum(p, 1 + n, term);
  }
  free(term);
  const expr zero = expr_int(p, 0);
  for (int k = 0; k < m; k++) list[at++] = s->f0[k] == EXPR_NONE ? zero : s->f0[k];
  for (int k = 0; k < m; k++) list[at++] = s->f1[k] == EXPR_NONE ? zero : s->f1[k];
  return at;
}

void study_linear_fix(const engine* e, int count, expr* list)
{
  const model* m = e->model;
  expr* from = base_alloc(sizeof(expr) * (size_t)(2 * m->params + 1));
  expr* to = from + m->params;
  int fixed = 0;
  for (int i = 0; i < m->params; i++) {
    if (m->param[i].changes || (e->program->givens && m->param[i].given)) continue;
    from[fixed] = m->param[i].symbol;
    to[fixed++] = m->param[i].value;
  }
  expr_substitute_all(e->s->pool, count, list, fixed, from, to, list);
  if (e->program->modes.count)
    engine_corners_hold(&e->program->modes, e->s->pool, count, list, list);
  free(from);
}

// the derivatives of large systems by numbers; false where expressions are to be differentiated
static bool by_numbers(study_linear* l, int rows, const expr* list)
{
  engine* e = l->e;
  const int n = e->n, a = 1 + 2 * n + 3 * e->p;
  if (l->param >= 0) return false;
  l->slopes = study_slopes_new(e, rows, list, l->width);
  if (!l->slopes) return false;
  l->input = base_arena_take(e->arena, sizeof(int) * (size_t)(l->width + 1));
  study_slopes_inputs(e, l->input);
  l->input[2 * n] = 0;
  for (int i = 0; i < n + e->m; i++) l->input[2 * n + 1 + i] = a + i;
  return true;
}

static code_kernel* build(study_linear* l, base_notes* notes)
{
  engine* e = l->e;
  const mech_system* s = e->s;
  const int n = e->n, m = e->m, width = l->width, rows = n + 3 * m;
  const bool over = l->param >= 0;
  expr* by = base_alloc(sizeof(expr) * (size_t)(width + rows + rows * width));
  expr *list = by + width, *slope = list + rows;
  for (int i = 0; i < n; i++) {
    by[i] = s->q[i];
    by[n + i] = s->v[i];
    by[2 * n + 1 + i] = s->a[i];
  }
  by[2 * n] = e->model->t;
  for (int k = 0; k < m; k++) by[3 * n + 1 + k] = e->model->reaction[k];
  if (over) by[width - 1] = e->model->param[l->param].symbol;
  study_linear_residuals(e, list);
  if (over) engine_given_write_out(e->program, rows, list);
  study_linear_fix(e, rows, list);
  if (by_numbers(l, rows, list)) {
    free(by);
    return NULL;
  }
  bool whole = true;
  for (int i = 0; i < rows; i++) {
    whole = whole && list[i] != EXPR_NONE;
    if (whole) expr_gradient(s->pool, list[i], width, by, slope + i * width);
    for (int j = 0; whole && j < width; j++) whole = slope[i * width + j] != EXPR_NONE;
  }
  code_kernel* kernel = NULL;
  expr missing = EXPR_NONE;
  if (!whole)
    base_error(notes, BASE_NOWHERE, "the linearised equations divide by zero for these params");
  else if (expr_pool_full(s->pool))
    base_error(notes, BASE_NOWHERE, "the model is too large: its expressions pass the limit");
  else if (!(kernel = code_build(s->pool, rows * width, slope, e->program->inputs,
                                 e->program->input, &missing)))
    base_error(notes, BASE_NOWHERE, "the linearised equations need `%s`, which has no value",
               expr_name(s->pool, missing));
  free(by);
  return kernel;
}

study_linear* study_linear_new(engine* e, base_notes* notes)
{
  return study_linear_new_by(e, -1, notes);
}

study_linear* study_linear_new_by(engine* e, int param, base_notes* notes)
{
  const size_t n = (size_t)e->n, m = (size_t)e->m;
  study_linear* l = base_arena_take(e->arena, sizeof *l);
  l->e = e;
  l->n = e->n;
  l->param = param;
  l->width = 3 * e->n + 1 + e->m + (param >= 0);
  l->kernel = build(l, notes);
  if (!l->kernel && !l->slopes) return NULL;
  const size_t width = (size_t)l->width;
  l->out = doubles(e, (n + 3 * m) * width);
  l->R = l->out;
  l->D0 = l->R + (n + m) * width;
  l->D1 = l->D0 + m * width;
  if (l->kernel) l->scratch = doubles(e, code_scratch(l->kernel));
  l->null = num_null_new(e->n + e->m, e->n + e->m);
  const int states = e->n - e->model->places;
  l->tangent = num_null_new(2 * e->m + 1 + states, 2 * e->n);
  l->K = doubles(e, (n + m) * (n + m));
  l->right = doubles(e, n + m);
  l->x = doubles(e, n + m);
  l->J = doubles(e, 4 * n * n);
  l->Jp = doubles(e, n);
  l->G = doubles(e, 2 * n * (2 * m + 2 + (size_t)states));
  l->W = doubles(e, 4 * n * n);
  l->aside = base_arena_new();
  return l;
}

void study_linear_free(study_linear* l)
{
  if (!l) return;
  code_free(l->kernel);
  study_slopes_free(l->slopes);
  code_free(l->rates);
  num_null_free(l->null);
  num_null_free(l->tangent);
  base_arena_free(l->aside);
}

// ---- numbers ------------------------------------------------------------------------------------

// does constraint k bring an unknown force: an ideal reaction, or a control?
bool study_linear_is_unknown(const engine* e, int k)
{
  return engine_is_ideal(e, k) || k < e->s->written;
}

// what accelerations (and reactions) change by with symbol j
static const double* change_by(study_linear* l, int j)
{
  const engine* e = l->e;
  const int n = e->n, rows = n + e->mode.rows;
  for (int i = 0; i < rows; i++)
    l->right[i] = -l->R[(i < n ? i : n + e->mode.row[i - n]) * l->width + j];
  num_null_solve(l->null, l->K, l->right, l->x);
  return l->x;
}

void study_linear_again(study_linear* l)
{
  engine* e = l->e;
  const int n = e->n, width = l->width, rows = n + e->mode.rows;
  if (l->slopes)
    study_slopes_at(l->slopes, width, l->input, width, l->out);
  else
    code_run(l->kernel, e->in, l->out, l->scratch);
  int unknowns = n;
  for (int r = 0; r < e->mode.rows; r++) unknowns += study_linear_is_unknown(e, e->mode.row[r]);
  for (int i = 0; i < rows; i++) {
    const double* row = l->R + (i < n ? i : n + e->mode.row[i - n]) * width;
    double* to = l->K + i * unknowns;
    memcpy(to, row + 2 * n + 1, sizeof(double) * (size_t)n);
    for (int r = 0, at = n; r < e->mode.rows; r++)
      if (study_linear_is_unknown(e, e->mode.row[r])) to[at++] = row[3 * n + 1 + e->mode.row[r]];
  }
  num_null_factor(l->null, rows, unknowns, l->K, 0);
  memset(l->J, 0, sizeof(double) * (size_t)(4 * n * n));
  for (int j = 0; j < 2 * n; j++) {
    const double* x = change_by(l, j);
    for (int i = 0; i < n; i++) l->J[(n + i) * 2 * n + j] = x[i];
  }
  for (int i = 0; i < n; i++) l->J[i * 2 * n + n + i] = 1;
  if (l->param >= 0) memcpy(l->Jp, change_by(l, width - 1), sizeof(double) * (size_t)n);
}

int study_linear_at(study_linear* l)
{
  if (contact_accelerations(l->e)) return 1;
  engine_kept_reactions(l->e);
  study_linear_again(l);
  return 0;
}

int study_linear_tangent(study_linear* l)
{
  const engine* e = l->e;
  const int n = e->n;
  l->rows = 0;
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r], order = e->model->constraint[k].order;
    const size_t bytes = sizeof(double) * (size_t)(2 * n);
    if (order == 0) memcpy(l->G + l->rows++ * 2 * n, l->D0 + k * l->width, bytes);
    if (order <= 1) memcpy(l->G + l->rows++ * 2 * n, l->D1 + k * l->width, bytes);
  }
  // a derivative that vanishes but for rounding is no condition
  double size = 0;
  for (int i = 0; i < l->rows * 2 * n; i++) size = fmax(size, fabs(l->G[i]));
  for (int i = 0; i < l->rows * 2 * n; i++)
    if (fabs(l->G[i]) < rounding * size) l->G[i] = 0;
  // the integrals of states are led nowhere: nothing depends on them
  int rows = l->rows;
  for (int i = e->model->places; i < n; i++, rows++) {
    memset(l->G + rows * 2 * n, 0, sizeof(double) * (size_t)(2 * n));
    l->G[rows * 2 * n + i] = 1;
  }
  const int rank = num_null_factor(l->tangent, rows, 2 * n, l->G, weak);
  num_null_basis(l->tangent, l->W);
  return l->d = 2 * n - rank;
}

double study_linear_reduce(const study_linear* l, double* out)
{
  const int N = 2 * l->n, d = l->d;
  const size_t mark = base_arena_mark(l->aside);
  double *JW = base_arena_take(l->aside, sizeof(double) * (size_t)(N + 1)), size = 0, off = 0;
  for (int k = 0; k < d; k++) {
    for (int i = 0; i < N; i++) {
      JW[i] = 0;
      for (int j = 0; j < N; j++) JW[i] += l->J[i * N + j] * l->W[j * d + k];
      size = fmax(size, fabs(JW[i]));
    }
    for (int h = 0; h < d; h++) {
      double sum = 0;
      for (int i = 0; i < N; i++) sum += l->W[i * d + h] * JW[i];
      out[h * d + k] = sum;
    }
    for (int i = 0; i < N; i++) {
      if (i >= l->e->model->places && i < l->n) continue;
      double left = JW[i];
      for (int h = 0; h < d; h++) left -= l->W[i * d + h] * out[h * d + k];
      off = fmax(off, fabs(left));
    }
  }
  base_arena_cut(l->aside, mark);
  return size > 0 ? off / size : 0;
}

double study_linear_depends(const study_linear* l, int i)
{
  const int n = l->n, column = i < 0 ? 2 * n : i;
  double size = 0, most = 0;
  for (int k = 0; k < n + 3 * l->e->m; k++) {
    for (int j = 0; j < l->width; j++) size = fmax(size, fabs(l->out[k * l->width + j]));
    most = fmax(most, fabs(l->out[k * l->width + column]));
  }
  return size > 0 ? most / size : 0;
}

int study_linear_motion(const study_linear* l, double t, const double* y, double* dy)
{
  engine* e = l->e;
  engine_state(e, t, y, y + e->n);
  e->factored = false;
  if (contact_accelerations(e)) return 1;
  memcpy(dy, y + e->n, sizeof(double) * (size_t)e->n);
  memcpy(dy + e->n, e->a, sizeof(double) * (size_t)e->n);
  return 0;
}

int study_linear_flow(study_linear* l, int d, double t, const double* y, double* dy)
{
  engine* e = l->e;
  const int n = e->n, N = 2 * n;
  engine_state(e, t, y, y + n);
  if (study_linear_rates(l)) return 1;
  memcpy(dy, y + n, sizeof(double) * (size_t)n);
  memcpy(dy + n, e->a, sizeof(double) * (size_t)n);
  const double *X = y + N, *J = l->J + n * N;
  double* dX = dy + N;
  memcpy(dX, X + n * d, sizeof(double) * (size_t)(n * d));
  for (int i = 0; i < n; i++)
    for (int k = 0; k < d; k++) {
      double sum = 0;
      for (int j = 0; j < N; j++) sum += J[i * N + j] * X[j * d + k];
      dX[(n + i) * d + k] = sum;
    }
  return 0;
}
