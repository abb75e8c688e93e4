// The door's functions of power series as machine code: order 0, then one order after the other.
#include "code/series.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

code_series* code_series_new(const code_series_plan* plan)
{
  const code_level level = code_level_here();
  if (level == CODE_INTERPRETED) return NULL;
  code_series* s = base_alloc(sizeof *s);
  if (!code_series_make(s, plan)) {
    code_series_free(s);
    return NULL;
  }
  code_series_sums_choose(s, level);
  return s;
}

void code_series_free(code_series* s)
{
  if (!s) return;
  code_free(s->early);
  code_free(s->late);
  code_free(s->step);
  free(s->place);
  free(s->over);
  free(s->unknown_of);
  free(s->input_of);
  free(s->sign);
  free(s);
}

double code_series_cost(const code_series* s)
{
  const double n = s->unknowns, orders = s->order;
  const double sums = (double)s->lanes / SERIES_LANES * orders * orders;
  const double start = code_operations(s->early) + (s->late ? code_operations(s->late) : 0);
  // a matrix is factored and inverted
  const double inverse = s->cells ? 2 * n * n * n + 60 * n * n : 0;
  return sums + orders * code_operations(s->step) + start + inverse;
}

// ---- the scratch block: inputs of the step, rows, inputs of order 0, room for the kernels
// --------

typedef struct parts
{
  double *in, *rows, *start, *work;
} parts;

static size_t rounded(size_t n)
{
  return (n + SERIES_LANES - 1) / SERIES_LANES * SERIES_LANES;
}

static parts parts_of(const code_series* s, double* scratch)
{
  const size_t line = SERIES_LANES * sizeof(double);
  double* in = (double*)(((uintptr_t)scratch + line - 1) / line * line);
  double* rows = in + rounded((size_t)s->width);
  double* start = rows + (size_t)s->order * (size_t)s->stride;
  return (parts){in, rows, start, start + rounded((size_t)s->inputs)};
}

size_t code_series_scratch(const code_series* s)
{
  return rounded((size_t)s->width) + (size_t)s->order * (size_t)s->stride +
         rounded((size_t)s->inputs) + s->work + SERIES_LANES;
}

// ---- orders -------------------------------------------------------------------------------------

void code_series_start(const code_series* s, double* scratch, const double* in, double* K,
                       double* r)
{
  const parts p = parts_of(s, scratch);
  const size_t n = (size_t)s->unknowns, cells = (size_t)s->cells;
  memcpy(p.start, in, (size_t)s->inputs * sizeof *in);
  code_run(s->early, p.start, p.in + s->early_at, p.work);
  if (cells) memcpy(K, p.in + s->K_at, cells * sizeof *K);
  memcpy(r, p.in + s->K_at + cells, (n + (size_t)s->starts) * sizeof *r);
}

void code_series_begin(const code_series* s, double* scratch, const double* inverse,
                       const double* x)
{
  const parts p = parts_of(s, scratch);
  const size_t n = (size_t)s->unknowns;
  double* row = p.rows + 2 * s->lanes;
  memcpy(p.in + s->x_at, x, n * sizeof *x);
  if (s->cells) memcpy(p.in + s->inverse_at, inverse, (size_t)s->cells * sizeof *x);
  memcpy(row, x, n * sizeof *x);
  if (!s->late) return;
  for (int i = 0; i < s->also_inputs; i++)
    p.start[s->input_of[i]] = s->sign[i] * x[s->unknown_of[i]];
  code_run(s->late, p.start, p.in + s->late_at, p.work);
  row[n] = p.in[s->also_at];
}

void code_series_set(const code_series* s, double* scratch, int first, int count,
                     const double* value)
{
  assert(first >= 0 && first + count <= s->inputs);
  const parts p = parts_of(s, scratch);
  for (int i = 0; i < count; i++) p.in[s->place[first + i]] = value[i];
}

void code_series_run(const code_series* s, double* scratch, int k)
{
  assert(k > 0 && k < s->order);
  const parts p = parts_of(s, scratch);
  p.in[s->k_at] = k;
  s->sums(s, k, p.rows, p.in);
  code_run(s->step, p.in, p.rows + (size_t)k * (size_t)s->stride, p.work);
}

const double* code_series_row(const code_series* s, const double* scratch, int k)
{
  const parts p = parts_of(s, (double*)scratch);
  return p.rows + (size_t)k * (size_t)s->stride + 2 * s->lanes;
}
