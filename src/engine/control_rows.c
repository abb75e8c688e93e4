// Which constraints lead the controls.
//
// A servo constraint and the constraints hidden behind it all hold, so that their accelerations
// give more equations than there are controls; where the motion is on all of them they agree. As
// many as there are controls are used. Which ones is a choice of pivots: a choice that is regular
// at one state may lose its influence at another where the next one has it, as with a crane whose
// rope hangs straight down.
#include "engine/engine.h"

#include <math.h>
#include <string.h>

// the present leads stay unless others are better by this factor
static const double faithful = 10;

typedef struct table
{
  engine* e;
  int n, columns, fixed, rows; // the first `fixed` rows are used in any case
} table;

static double* row_of(const table* t, int i)
{
  return t->e->work.K + i * t->columns;
}

// rows of one size
static void scale(const table* t)
{
  for (int i = 0; i < t->rows; i++) {
    double *row = row_of(t, i), most = 0;
    for (int j = 0; j < t->columns; j++) most = fmax(most, fabs(row[j]));
    for (int j = 0; j < t->columns && most > 0; j++) row[j] /= most;
  }
}

// M a - F(Lambda, u, sigma) - A^T Lambda; A a; s'(a); then the rows to choose from, into e->row
// order
static table fill(engine* e, int* candidate)
{
  const int n = e->n, m = e->m, corners = e->program->modes.count;
  table t = {.e = e, .n = n, .columns = n, .fixed = n};
  for (int r = 0; r < e->mode.rows; r++) {
    const bool ideal = engine_is_ideal(e, e->mode.row[r]);
    t.columns += ideal || e->mode.row[r] < e->s->written;
    t.fixed += ideal;
  }
  t.columns += e->mode.held_count;
  t.fixed += e->mode.held_count;
  const double *D = e->work.coupling_out, *Ds = D + n * m, *R = Ds + n * corners;
  memset(e->work.K, 0, sizeof(double) * (size_t)((n + m + corners) * t.columns));
  int column = n, row = n, last = t.fixed;
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r];
    const bool ideal = engine_is_ideal(e, k);
    if (!ideal) candidate[last - t.fixed] = k;
    memcpy(row_of(&t, ideal ? row++ : last++), e->A + k * n, sizeof(double) * (size_t)n);
    if (!ideal && k >= e->s->written) continue;
    for (int i = 0; i < n; i++)
      row_of(&t, i)[column] = -D[i * m + k] - (ideal ? e->A[k * n + i] : 0);
    column++;
  }
  for (int c = 0; c < corners; c++) {
    if (!e->mode.held[c]) continue;
    for (int i = 0; i < n; i++) row_of(&t, i)[column] = -Ds[i * corners + c];
    memcpy(row_of(&t, row++), R + c * n, sizeof(double) * (size_t)n);
    column++;
  }
  for (int i = 0; i < n; i++) memcpy(row_of(&t, i), e->M + i * n, sizeof(double) * (size_t)n);
  t.rows = last;
  scale(&t);
  return t;
}

// clear the column from all rows that are not used yet
static void eliminate(const table* t, int pivot, int column, const bool* used)
{
  const double* from = row_of(t, pivot);
  for (int i = 0; i < t->rows; i++) {
    double* to = row_of(t, i);
    if (used[i] || i == pivot || to[column] == 0) continue;
    const double factor = to[column] / from[column];
    for (int j = 0; j < t->columns; j++) to[j] -= factor * from[j];
    to[column] = 0;
  }
}

// the largest entry of the rows [first, end) that are not used, those of the present leads counting
// more
static double largest(const table* t, int first, int end, const bool* used, const int* candidate,
                      int* row, int* column)
{
  double most = 0;
  for (int i = first; i < end; i++) {
    const bool leads = candidate && t->e->mode.leads[candidate[i - first]];
    for (int j = 0; j < t->columns && !used[i]; j++) {
      const double x = fabs(row_of(t, i)[j]) * (leads ? faithful : 1);
      if (!(x > most)) continue;
      most = x;
      *row = i;
      *column = j;
    }
  }
  return most;
}

static int control_rows(engine* e)
{
  if (e->mode.coupled) engine_control_rows(e);
  return 0;
}

void engine_control_rows(engine* e)
{
  if (e->parts) {
    engine_each_part(e, control_rows);
    return;
  }
  int controls = 0, servo_rows = 0;
  for (int r = 0; r < e->mode.rows; r++)
    if (!engine_is_ideal(e, e->mode.row[r])) {
      servo_rows++;
      controls += e->mode.row[r] < e->s->written;
    }
  if (servo_rows == controls) {
    for (int r = 0; r < e->mode.rows; r++)
      e->mode.leads[e->mode.row[r]] = !engine_is_ideal(e, e->mode.row[r]);
    return;
  }
  engine_equations(e);
  code_run(e->program->coupling, e->in, e->work.coupling_out, e->work.scratch);
  int* candidate = e->work.K_pivot;
  bool* used = e->work.lead_used;
  const table t = fill(e, candidate);
  memset(used, 0, (size_t)t.rows);
  for (int step = 0; step < t.columns; step++) {
    const bool choosing = step >= t.fixed;
    int row = 0, column = 0;
    const double pivot = choosing ? largest(&t, t.fixed, t.rows, used, candidate, &row, &column)
                                  : largest(&t, 0, t.fixed, used, NULL, &row, &column);
    if (!(pivot > engine_least_influence)) return; // singular here: what leads now is as good
    eliminate(&t, row, column, used);
    used[row] = true;
  }
  for (int i = t.fixed; i < t.rows; i++) e->mode.leads[candidate[i - t.fixed]] = used[i];
}
