// The distribution of the admissible velocities as vector fields: symbolic elimination whose
// pivots are chosen by numbers at a generic point.
#include "geom/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct table
{
  const geom_pfaff* f;
  int rows, N;
  expr* e;   // rows by N
  double* v; // the same at the point
  int* pivot;
  bool* bound;
} table;

// numbers of all entries at the first point, zero where they are rounding only
static void refresh(table* t, const geom_points* at)
{
  geom_points_eval(t->f, at, 0, t->rows * t->N, t->e, t->v);
}

static double row_size(const table* t, int i)
{
  double most = 0;
  for (int j = 0; j < t->N; j++) most = fmax(most, fabs(t->v[i * t->N + j]));
  return most;
}

// the pivot: a number where one is large enough in its row, else the largest; false at full rank
static bool find(const table* t, const double* scale, int* row, int* column)
{
  double best = 0;
  for (int i = 0; i < t->rows; i++) {
    if (t->pivot[i] >= 0) continue;
    for (int j = 0; j < t->N; j++) {
      double a = fabs(t->v[i * t->N + j]);
      if (t->bound[j] || !(a > 1e-9 * scale[i]) || scale[i] == 0) continue;
      double worth = a / scale[i];
      if (expr_is_number(t->f->pool, t->e[i * t->N + j]) && worth > 1e-3) worth += 2;
      if (worth > best) best = worth, *row = i, *column = j;
    }
  }
  return best > 0;
}

static void eliminate(table* t, int i, int j)
{
  expr_pool* p = t->f->pool;
  expr* from = t->e + i * t->N;
  expr lead = from[j];
  for (int c = 0; c < t->N; c++) from[c] = geom_tidy(p, expr_div(p, from[c], lead));
  from[j] = expr_int(p, 1);
  for (int r = 0; r < t->rows; r++) {
    expr* to = t->e + r * t->N;
    expr factor = to[j];
    if (r == i || factor == t->f->zero) continue;
    for (int c = 0; c < t->N; c++)
      if (c != j && from[c] != t->f->zero)
        to[c] = geom_tidy(p, expr_sub(p, to[c], expr_mul(p, factor, from[c])));
    to[j] = t->f->zero;
  }
  t->pivot[i] = j;
  t->bound[j] = true;
}

geom_fields geom_kernel(const geom_pfaff* f, const expr* w, int forms, const int* form,
                        const geom_points* at)
{
  int N = f->N;
  table t = {.f = f, .rows = forms, .N = N};
  t.e = base_alloc(sizeof(expr) * (size_t)(forms * N + 1));
  t.v = base_alloc(sizeof(double) * (size_t)(forms * N + 1));
  t.pivot = base_alloc(sizeof(int) * (size_t)(forms + 1));
  t.bound = base_alloc(sizeof(bool) * (size_t)(N + 1));
  double* scale = base_alloc(sizeof(double) * (size_t)(forms + 1));
  for (int i = 0; i < forms; i++) {
    t.pivot[i] = -1;
    memcpy(t.e + i * N, w + form[i] * N, sizeof(expr) * (size_t)N);
  }
  refresh(&t, at);
  for (int i = 0; i < forms; i++) scale[i] = row_size(&t, i);
  int i, j, rank = 0;
  while (find(&t, scale, &i, &j)) {
    eliminate(&t, i, j);
    refresh(&t, at);
    // rows in use only shrink the unknowns, the others keep their first scale
    rank++;
  }
  // each column without a pivot gives one field
  geom_fields out = {.X = base_arena_take(f->arena, sizeof(expr) * (size_t)(N * (N - rank) + 1))};
  for (int c = 0; c < N; c++) {
    if (t.bound[c]) continue;
    expr* X = out.X + N * out.count++;
    for (int k = 0; k < N; k++) X[k] = expr_int(f->pool, k == c);
    for (int r = 0; r < forms; r++)
      if (t.pivot[r] >= 0) X[t.pivot[r]] = expr_neg(f->pool, t.e[r * N + c]);
  }
  free(t.e);
  free(t.v);
  free(t.pivot);
  free(t.bound);
  free(scale);
  return out;
}
