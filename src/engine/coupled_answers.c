// How accelerations answer forces, with reactions, controls and held corners coupled to them.
#include "engine/coupled.h"

#include <math.h>
#include <string.h>

static bool regular(const engine* e, int size)
{
  double least = INFINITY, most = 0;
  for (int i = 0; i < size; i++) {
    least = fmin(least, fabs(e->work.K[i * size + i]));
    most = fmax(most, fabs(e->work.K[i * size + i]));
  }
  return least > engine_least_pivot * most;
}

// are accelerations determined where forces are not, as those of constraints that say the same?
static bool moves_one_way(engine* e, const engine_layout* l)
{
  const int open = l->size - num_null_factor(e->work.K_null, l->size, l->size, e->work.K_kept,
                                             engine_not_shared);
  num_null_basis(e->work.K_null, e->work.K_basis);
  for (int r = 0; r < l->n; r++)
    for (int k = 0; k < open; k++)
      if (fabs(e->work.K_basis[r * open + k]) > engine_shared_motion) return false;
  return true;
}

// the unknowns that belong to K_right, out of it
static void hand_out(const engine* e, const engine_layout* l, double* w, double* lambda,
                     double* side)
{
  const double *x = e->work.K_right, *column = e->work.K_column;
  int at = l->n;
  for (int j = 0; j < l->n; j++) w[j] = x[j] * column[j];
  memset(lambda, 0, sizeof(double) * (size_t)e->m);
  memset(side, 0, sizeof(double) * (size_t)e->program->modes.count);
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r];
    if (!engine_coupled_has_force(e, k)) continue;
    lambda[k] = x[at] * column[at];
    at++;
  }
  for (int c = 0; c < e->program->modes.count && at < l->size; c++) {
    if (!e->mode.held[c]) continue;
    side[c] = x[at] * column[at];
    at++;
  }
}

int engine_coupled_answers(engine* e, bool hold, int count, const double* force,
                           const engine_answers* out)
{
  const int n = e->n, m = e->m, corners = e->program->modes.count;
  const engine_layout l = engine_coupled_lay_out(e, hold);
  if (!engine_coupled_fill(e, &l)) return engine_coupled_not_determined(e);
  memcpy(e->work.K_kept, e->work.K, sizeof(double) * (size_t)(l.size * l.size));
  const bool alone = num_lu(l.size, e->work.K, e->work.K_pivot) && regular(e, l.size);
  if (!alone && !moves_one_way(e, &l)) return engine_coupled_not_determined(e);
  for (int c = 0; c <= count; c++) {
    double* right = e->work.K_right;
    for (int i = 0; i < l.size && c; i++)
      right[i] = i < n ? force[(c - 1) * n + i] / e->work.K_row[i] : 0;
    if (alone)
      num_lu_solve(l.size, e->work.K, e->work.K_pivot, right);
    else {
      num_null_solve(e->work.K_null, e->work.K_kept, right, e->work.K_step);
      memcpy(right, e->work.K_step, sizeof(double) * (size_t)l.size);
    }
    hand_out(e, &l, out->w + c * n, out->lambda + c * m, out->side + c * corners);
  }
  // the first is a correction of what was there
  for (int j = 0; j < n; j++) out->w[j] += e->a[j];
  for (int k = 0; k < m; k++) out->lambda[k] += e->lambda[k];
  for (int c = 0; c < corners; c++) out->side[c] += e->side[c];
  return 0;
}
