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

static void put_row(table* t, const double* from)
{
  double norm = 0;
  for (int j = 0; j < t->n; j++) norm += from[j] * from[j];
  norm = sqrt(norm);
  for (int j = 0; j < t->n; j++)
    t->at[t->rows * t->n + j] = norm > 0 && isfinite(norm) ? from[j] / norm : 0;
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
static int put_quasi(table* t, engine* e, int order, int* number)
{
  const model* m = e->model;
  expr* slope = base_alloc(sizeof(expr) * (size_t)(e->n + 1));
  double* value = base_alloc(sizeof(double) * (size_t)(e->n + 1));
  int count = 0;
  for (int i = 0; i < m->quasis; i++) {
    if (m->quasi[i].order != order) continue;
    expr_gradient(e->s->pool, m->quasi[i].value, e->n, order == 1 ? e->s->v : e->s->a, slope);
    study_forms_evaluate(e, e->n, slope, value);
    put_row(t, value);
    number[count++] = i;
  }
  free(slope);
  free(value);
  return count;
}

mech_choice study_minor_choose(engine* e, base_arena* arena)
{
  const int n = e->n, quasis = e->model->quasis, most = e->mode.rows + quasis;
  table t = {.n = n};
  t.at = base_arena_take(arena, sizeof(double) * (size_t)(most * n + 1));
  t.used_row = base_arena_take(arena, (size_t)most + 1);
  t.used_column = base_arena_take(arena, (size_t)n + 1);
  int *rows = base_arena_take(arena, sizeof(int) * (size_t)(most + 1)),
      *columns = base_arena_take(arena, sizeof(int) * (size_t)(most + 1)),
      *quasi = base_arena_take(arena, sizeof(int) * (size_t)(quasis + 1)),
      *number = base_arena_take(arena, sizeof(int) * (size_t)(quasis + 1));
  for (int r = 0; r < e->mode.rows; r++) {
    put_row(&t, e->A + e->mode.row[r] * n);
    t.used_row[r] = !engine_is_ideal(e, e->mode.row[r]);
  }
  const int one = put_quasi(&t, e, 1, number);
  put_quasi(&t, e, 2, number + one);
  const int first = e->mode.rows, second = first + one;
  mech_choice c = {.rows = rows, .dependent = columns, .quasi = quasi};
  c.rank = take_class(&t, 0, first, no_pivot, rows, columns);
  c.quasis = take_class(&t, first, second, bad_pivot, quasi, columns + c.rank);
  c.quasis +=
      take_class(&t, second, t.rows, bad_pivot, quasi + c.quasis, columns + c.rank + c.quasis);
  for (int i = 0; i < c.rank; i++) rows[i] = e->mode.row[rows[i]];
  for (int i = 0; i < c.quasis; i++) quasi[i] = number[quasi[i] - first];
  return c;
}
