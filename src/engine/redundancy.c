// Constraints that follow from the others on the constraint surface: found, and set aside.
#include "engine/inside.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// of its size: how far each coordinate is moved to a neighbour, which a singular position is not
static const double neighbour = 0.05;
// numbers that are kept on the stack
enum { most_few = 96 };

// a small deterministic shake to leave points where the gradient of an equation vanishes
void engine_shake(double* x, int n, const double* from, double share, const double* size,
                  uint64_t* seed)
{
  for (int i = 0; i < n; i++) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    x[i] =
        from[i] + share * (size ? size[i] : 1) * ((double)(*seed >> 11) / 4503599627370496.0 - 1);
  }
}

// what is left of a row of length one when the directions of those kept are taken out of it, twice
// for the sake of rounding; Q holds the kept ones, orthonormal
double engine_left_over(int kept, int n, const double* Q, double* x)
{
  double norm = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < kept; k++) {
      double along = 0;
      for (int j = 0; j < n; j++) along += Q[k * n + j] * x[j];
      for (int j = 0; j < n; j++) x[j] -= along * Q[k * n + j];
    }
  for (int j = 0; j < n; j++) norm += x[j] * x[j];
  return sqrt(norm);
}

// what constraint k asks for, as a row of length one; false: nothing
static bool unit_row(const engine* e, int k, double* x)
{
  const int n = e->n;
  double norm = 0;
  for (int j = 0; j < n; j++) {
    x[j] = e->LA[k * n + j] * e->work.weight[j];
    norm += x[j] * x[j];
  }
  norm = sqrt(norm);
  for (int j = 0; j < n && norm > 0; j++) x[j] /= norm;
  return norm > 0;
}

// Is what row r asks for dependent on the `kept` rows of Q? If it is not it joins them.
static bool follows(engine* e, int r, double* Q, int* kept)
{
  const int n = e->n;
  double* x = Q + *kept * n;
  const bool asks = unit_row(e, e->mode.row[r], x);
  const double left = asks && *kept < n ? engine_left_over(*kept, n, Q, x) : 0;
  if (!(left > engine_redundant)) return true;
  for (int j = 0; j < n; j++) x[j] /= left;
  ++*kept;
  return false;
}

// Takes the flags off the active rows that add something to those before them: positions first,
// then velocities, then accelerations (a position constraint says more than its derivative), each
// in the order of the model, but those without a flag before the others: which rows span the rest
// depends on the place, as of the points of a face that stick, and rows chosen at one place have to
// do at the next. What controls hold comes last: it makes no ideal constraint superfluous.
static void dependent_rows(engine* e, bool* flag)
{
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  e->factored = false;
  double* Q = e->work.Ar;
  int kept = 0;
  for (int order = 0; order <= 2; order++)
    for (int again = 0; again < 2; again++)
      for (int r = 0; r < e->mode.rows; r++) {
        const int c = e->mode.row[r];
        if (e->model->constraint[c].order != order || flag[r] != (again == 1)) continue;
        if (!engine_is_ideal(e, c))
          flag[r] = false;
        else
          flag[r] = follows(e, r, Q, &kept) && flag[r] && !mech_is_nonlinear(e->s, c);
      }
}

// Rows that are set aside, A_k = sum c_i A_i over those kept, leave open how the load is shared:
// lambda_k may grow by any s where each lambda_i falls by c_i s. The reactions of the others are
// determined all the same, those with c_i = 0.
static void see_open_loads(engine* e)
{
  const int n = e->n, rows = e->mode.rows;
  num_null* null = num_null_new(rows, n);
  double *A = base_alloc(sizeof(double) * (size_t)((rows + 1) * (n + 1))), *target = A + rows * n,
         *c = target + n;
  for (int r = 0; r <= rows; r++) c[r] = 0;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int r = 0; r < rows; r++)
    if (!unit_row(e, e->mode.row[r], A + r * n)) memset(A + r * n, 0, sizeof(double) * (size_t)n);
  num_null_factor(null, rows, n, A, engine_redundant);
  for (int k = 0; k < e->m; k++) {
    if (!e->mode.active[k] || !e->mode.implied[k]) continue;
    e->mode.open_load[k] = true;
    if (!unit_row(e, k, target)) continue;
    num_null_solve_t(null, A, target, c);
    for (int r = 0; r < rows; r++)
      if (fabs(c[r]) > engine_redundant) e->mode.open_load[e->mode.row[r]] = true;
  }
  num_null_free(null);
  free(A);
}

// here, and at a neighbour: a singular position may have less of it
static void open_loads(engine* e, const double* here, const double* size)
{
  memset(e->mode.open_load, 0, (size_t)e->m);
  if (!e->mode.implied_count) return;
  bool moved;
  uint64_t seed = 177;
  see_open_loads(e);
  engine_shake(e->q, 2 * e->n, here, neighbour, size, &seed);
  if (engine_project(e, &moved) == 0) see_open_loads(e);
  memcpy(e->q, here, sizeof(double) * (size_t)(2 * e->n));
  e->factored = false;
}

static int set_aside(engine* e)
{
  engine_set_aside(e);
  return 0;
}

int engine_set_aside(engine* e)
{
  if (e->parts) {
    engine_each_part(e, set_aside);
    return e->mode.implied_count;
  }
  memset(e->mode.implied, 0, (size_t)e->m);
  e->mode.implied_count = 0;
  engine_rows(e);
  if (!e->mode.rows) return 0;
  if (e->sparse) {
    const int count = engine_sparse_set_aside(e);
    // of many which they are is not asked: any may be
    memset(e->mode.open_load, count > 0, (size_t)e->m);
    engine_rows(e);
    return count;
  }
  const size_t bytes = sizeof(double) * (size_t)(2 * e->n);
  bool few_flags[most_few], *flag = few_flags;
  double few[most_few], *here = few;
  if (4 * e->n > most_few) here = base_alloc(2 * bytes);
  if (e->mode.rows > most_few) flag = base_alloc((size_t)e->mode.rows);
  double* size = here + 2 * e->n;
  memcpy(here, e->q, bytes);
  memset(flag, 1, (size_t)e->mode.rows);
  // engine_redundant at this state and at neighbours that satisfy the constraints too: not just a
  // singular position
  uint64_t seed = 77;
  dependent_rows(e, flag);
  if (memchr(flag, true, (size_t)e->mode.rows)) engine_state_sizes(e, size);
  // none that adds something here is asked again
  for (int turn = 0; turn < 3 && memchr(flag, true, (size_t)e->mode.rows); turn++) {
    bool moved;
    engine_shake(e->q, 2 * e->n, here, neighbour, size, &seed);
    if (engine_project(e, &moved) == 0) dependent_rows(e, flag);
  }
  memcpy(e->q, here, bytes);
  for (int r = 0; r < e->mode.rows; r++) {
    e->mode.implied[e->mode.row[r]] = flag[r];
    e->mode.implied_count += flag[r];
  }
  engine_rows(e);
  open_loads(e, here, size);
  if (here != few) free(here);
  if (flag != few_flags) free(flag);
  return e->mode.implied_count;
}
