// Initial equations that a steady motion keeps, with their derivatives by the state.
#include "study/stability.h"

#include <math.h>
#include <stdlib.h>

static const double holds = 1e-8; // what an initial equation may be off by

void study_kept_build(engine* e, int param, int count, const expr* f, study_kept* k)
{
  expr_pool* p = e->s->pool;
  const int N = 2 * e->n, rows = count * (N + 2);
  *k = (study_kept){0};
  if (!count) return;
  expr* list = base_alloc(sizeof(expr) * (size_t)rows);
  for (int i = 0; i < count; i++) {
    expr one = f[i];
    if (param >= 0) engine_given_write_out(e->program, 1, &one);
    list[i] = one;
    if (one != EXPR_NONE) expr_gradient(p, one, N, e->program->input + 1, list + count + i * N);
    list[count * (N + 1) + i] = param >= 0 && one != EXPR_NONE
                                    ? expr_diff(p, one, e->model->param[param].symbol)
                                    : expr_int(p, 0);
  }
  engine_fix(e->program, rows, list, list);
  expr missing;
  bool whole = true;
  for (int i = 0; i < rows; i++) whole = whole && list[i] != EXPR_NONE;
  if (whole) k->kernel = code_build(p, rows, list, e->program->inputs, e->program->input, &missing);
  free(list);
  if (!k->kernel) return;
  k->count = count;
  k->value = base_alloc(sizeof(double) * (size_t)rows);
  k->scratch = base_alloc(sizeof(double) * (code_scratch(k->kernel) + 1));
}

void study_kept_run(const engine* e, const study_kept* k)
{
  if (k->count) code_run(k->kernel, e->in, k->value, k->scratch);
}

void study_kept_free(study_kept* k)
{
  code_free(k->kernel);
  free(k->value);
  free(k->scratch);
  *k = (study_kept){0};
}

bool study_kept_is_exact(const model_initial* g)
{
  return !g->guess && g->coord != MODEL_TIME;
}

// does a shift along the group change f, so that it can be made to hold?
static bool is_shifted(engine* e, const study_symmetry* s, expr f)
{
  const int N = 2 * e->n;
  double* X = base_alloc(sizeof(double) * (size_t)(2 * N + 1));
  double *slope = X + N, most = 0;
  for (int j = 0; j < N; j++)
    slope[j] = engine_value(e, expr_diff(e->s->pool, f, e->program->input[1 + j]));
  for (int k = 0; k < s->count; k++) {
    double sum = 0;
    study_symmetry_at(s, k, e->q, e->v, X);
    for (int j = 0; j < N; j++) sum += slope[j] * X[j];
    most = fmax(most, fabs(sum));
  }
  free(X);
  return most > holds;
}

int study_kept_broken(engine* e, const study_symmetry* s, int count, const model_initial* initial,
                      int* first)
{
  int broken = 0;
  *first = count;
  for (int i = count - 1; i >= 0; i--) {
    if (!study_kept_is_exact(&initial[i])) continue;
    if (fabs(engine_value(e, initial[i].f)) <= holds || is_shifted(e, s, initial[i].f)) continue;
    broken++;
    *first = i;
  }
  return broken;
}
