// Initial equations that a steady motion keeps, with their derivatives by the state.
#include "study/stability.h"

#include <stdlib.h>

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
