// What equations of a form take for independent at a state, told by numbers.
#include "study/forms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Legend: the rows are gradients by the velocities, of constraints, then of the declared
// quasi-velocities, then of the declared pseudo-accelerations (by the accelerations), all of length
// one. Elimination with row and column pivoting takes class after class: what is left of a row when
// those before it are taken out is the part of it that is its own, and the largest is taken first.

// of a row of length one: what is left of a constraint that depends on others
static const double no_pivot = 1e-9;
// the same of a quasi-velocity that would be a bad one here: a coordinate's velocity serves better,
// and equations that divide by this three times keep half of their digits
static const double bad_pivot = 3e-3;

typedef struct table
{
  int n, rows;
  double* at;
  bool *used_row, *used_column;
} table;

static void put_row(table* t, engine* e, const mech_view* v, const expr* row)
{
  double *to = t->at + t->rows * t->n, norm = 0;
  study_forms_evaluate(e, v, t->n, row, to);
  for (int j = 0; j < t->n; j++) norm += to[j] * to[j];
  norm = sqrt(norm);
  for (int j = 0; j < t->n; j++) to[j] = norm > 0 && isfinite(norm) ? to[j] / norm : 0;
  t->rows++;
}

// the largest entry that is left of the rows from .. to; false where none exceeds the least
static bool find_pivot(const table* t, int from, int to, double least, int* row, int* column)
{
  bool found = false;
  for (int r = from; r < to; r++)
    for (int j = 0; j < t->n && !t->used_row[r]; j++)
      if (!t->used_column[j] && fabs(t->at[r * t->n + j]) > least) {
        least = fabs(t->at[r * t->n + j]);
        *row = r;
        *column = j;
        found = true;
      }
  return found;
}

static void eliminate(table* t, int row, int column)
{
  t->used_row[row] = true;
  t->used_column[column] = true;
  const double* from = t->at + row * t->n;
  for (int r = 0; r < t->rows; r++) {
    if (t->used_row[r]) continue;
    double* to = t->at + r * t->n;
    const double factor = to[column] / from[column];
    for (int j = 0; j < t->n; j++) to[j] -= factor * from[j];
  }
}

// rows and columns of one class in the order in which they are taken; how many
static int take_class(table* t, int from, int to, double least, int* rows, int* columns)
{
  int count = 0, row, column;
  while (find_pivot(t, from, to, least, &row, &column)) {
    eliminate(t, row, column);
    rows[count] = row;
    columns[count++] = column;
  }
  return count;
}

// gradients of the declared ones of that order; their numbers
static int put_quasi(table* t, engine* e, const mech_view* v, int order, int* number)
{
  const mech_system* s = v->system;
  const model* m = s->model;
  expr* slope = base_alloc(sizeof(expr) * (size_t)(s->n + 1));
  int count = 0;
  for (int i = 0; i < m->quasis; i++) {
    if (m->quasi[i].order != order) continue;
    expr_gradient(s->pool, m->quasi[i].value, s->n, order == 1 ? s->v : s->a, slope);
    put_row(t, e, v, slope);
    number[count++] = i;
  }
  free(slope);
  return count;
}

mech_choice study_minor_choose(engine* e, const mech_view* v, base_arena* arena)
{
  const int n = v->system->n, m = v->system->m, quasis = v->system->model->quasis;
  const int most = m + quasis;
  table t = {.n = n};
  t.at = base_arena_take(arena, sizeof(double) * (size_t)(most * n + 1));
  t.used_row = base_arena_take(arena, (size_t)most + 1);
  t.used_column = base_arena_take(arena, (size_t)n + 1);
  int *rows = base_arena_take(arena, sizeof(int) * (size_t)(most + 1)),
      *columns = base_arena_take(arena, sizeof(int) * (size_t)(most + 1)),
      *quasi = base_arena_take(arena, sizeof(int) * (size_t)(quasis + 1)),
      *number = base_arena_take(arena, sizeof(int) * (size_t)(quasis + 1));
  for (int k = 0; k < m; k++) put_row(&t, e, v, v->system->A + k * n);
  const int one = put_quasi(&t, e, v, 1, number), second = m + one;
  put_quasi(&t, e, v, 2, number + one);
  mech_choice c = {.rows = rows, .dependent = columns, .quasi = quasi};
  c.rank = take_class(&t, 0, m, no_pivot, rows, columns);
  c.quasis = take_class(&t, m, second, bad_pivot, quasi, columns + c.rank);
  c.quasis +=
      take_class(&t, second, t.rows, bad_pivot, quasi + c.quasis, columns + c.rank + c.quasis);
  for (int i = 0; i < c.quasis; i++) quasi[i] = number[quasi[i] - m];
  return c;
}
