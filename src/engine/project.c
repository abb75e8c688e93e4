// Residuals of the constraints, and the way back to them.
//
// Position level: q <- q - A^+ f0(t, q), velocity level: v <- v - A^+ f1(t, q, v), Gauss-Newton
// with the least-norm step. Near a singular position of a mechanism the engine_weak_pivot
// directions of A are left alone (they would turn rounding errors into motion); they are put right
// as soon as it has passed. Lengths of rows and steps are those of weights.c.
#include "engine/inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { most_turns = 12 };

// a row where it is packed, and its squared length
static inline double take_row(const engine* e, const double* row, double* to)
{
  const double* weight = e->work.weight;
  const int n = e->n;
  double sum = 0;
  for (int j = 0; j < n; j++) {
    const double x = row[j] * weight[j];
    to[j] = row[j];
    sum += x * x;
  }
  return sum;
}

// one row of those that are packed
static inline void pack_row(const engine* e, int k, const double* f, int at, double* square,
                            double* norm)
{
  *norm = take_row(e, e->LA + k * e->n, e->work.Ar + at * e->n);
  const double d = *norm > 0 ? f[k] * f[k] / *norm : f[k] * f[k];
  if (!(d <= *square)) *square = d; // keeps a nan
  e->work.br[at] = -f[k];
}

// pack the rows of one level (0 or 1); returns how many, the largest f over its gradient, squared,
// and the squared length of the last
static inline int pack(engine* e, int level, double* square, double* norm)
{
  const double* f = level == 0 ? e->f0 : e->f1;
  int rows = 0;
  *square = 0;
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r], order = e->model->constraint[k].order;
    if (order <= level) pack_row(e, k, f, rows++, square, norm);
  }
  for (int k = 0; k < e->m && e->mode.still_count; k++)
    if (e->mode.still[k] && e->model->constraint[k].order <= level)
      pack_row(e, k, f, rows++, square, norm);
  return rows;
}

static double dot(int n, const double* a, const double* b)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static double largest(const engine* e, const double* x)
{
  double most = 0;
  for (int i = 0; i < e->n; i++) {
    const double size = fabs(x[i]) / e->work.weight[i];
    most = size > most ? size : most;
  }
  return most;
}

// what a state is like along the run, where it is zero for the moment; one where nothing is known
static double usual(const engine* e, int level, double scale)
{
  const engine_scales* s = e->scales;
  const double seen = fmax(scale, largest(e, level == 0 ? s->place_terms : s->speed_terms));
  return seen > 0 ? seen : 1;
}

// the shortest x with Ar x = br; a single row, whose squared length this is, needs no factors
static void shortest(engine* e, int rows, double norm)
{
  const double* w = e->work.weight;
  if (rows == 1 && norm > 0) {
    const double by = e->work.br[0] / norm;
    for (int j = 0; j < e->n; j++) e->work.x[j] = w[j] * w[j] * e->work.Ar[j] * by;
    return;
  }
  num_null_factor(e->work.null, rows, e->n, e->work.Ar, engine_weak_pivot);
  num_null_solve(e->work.null, e->work.Ar, e->work.br, e->work.x);
}

// y <- y + x, and what is left there. Where all velocity levels are f1 = A v + a0, as they are for
// the positions as they stand, numbers tell it.
static void move(engine* e, int level, double* y)
{
  const int n = e->n;
  const bool by_numbers =
      level == 1 && e->mode.all_linear && !e->mode.second_order && e->mode.rows == e->m;
  e->factored = false;
  for (int r = 0; r < e->mode.rows && by_numbers; r++)
    e->f1[e->mode.row[r]] -= dot(n, e->LA + e->mode.row[r] * n, y);
  for (int i = 0; i < n; i++) y[i] += e->work.x[i];
  for (int r = 0; r < e->mode.rows && by_numbers; r++)
    e->f1[e->mode.row[r]] += dot(n, e->LA + e->mode.row[r] * n, y);
  if (!by_numbers) code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
}

// the levels are those of this state, before and after
static int project_level(engine* e, int level, double noise, double* y, bool* moved)
{
  if (e->sparse) return engine_sparse_project(e, level, noise, y, moved);
  // distances from the constraints, squared
  double before = INFINITY, scale = 0;
  for (int turn = 0; turn < most_turns; turn++) {
    double now, norm = 0;
    const int rows = pack(e, level, &now, &norm);
    // which a short way back leaves as it was
    if (!(before <= engine_hopeless * engine_hopeless * scale * scale)) scale = largest(e, y);
    const double near = noise * scale;
    if (now <= near * near) return 0;
    // no more progress: rounding has been reached
    if (turn > 1 && now >= 0.25 * before && sqrt(now) < engine_hopeless * usual(e, level, scale))
      return 0;
    if (!isfinite(now)) break;
    before = now;
    shortest(e, rows, norm);
    move(e, level, y);
    *moved = true;
  }
  if (sqrt(before) < engine_hopeless * usual(e, level, largest(e, y))) return 0;
  snprintf(e->reason, sizeof e->reason,
           "the %s cannot be brought back to the constraints (off by %.3g)",
           level == 0 ? "position" : "velocity", sqrt(before));
  return 1;
}

// is there anything to be put back on?
static bool is_bound(const engine* e)
{
  return e->mode.rows || e->mode.still_count;
}

int engine_project_positions(engine* e, bool* moved)
{
  *moved = false;
  if (!is_bound(e)) return 0;
  if (!e->sparse) code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  return project_level(e, 0, engine_put_least, e->q, moved);
}

int engine_project(engine* e, bool* moved)
{
  // mostly one evaluation of both levels shows that little or nothing is to be done
  if (is_bound(e) && !e->sparse)
    code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  return engine_project_found(e, moved);
}

int engine_project_found(engine* e, bool* moved)
{
  *moved = false;
  if (!is_bound(e) || engine_is_passing(e)) return 0;
  const double noise =
      e->margin < engine_near_singular || e->every_bit ? engine_put_least : engine_put_usual;
  return project_level(e, 0, noise, e->q, moved) || project_level(e, 1, noise, e->v, moved);
}

void engine_residuals(engine* e, double* position, double* velocity)
{
  if (!e->m) return;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  engine_residuals_found(e, position, velocity);
}

void engine_residuals_found(const engine* e, double* position, double* velocity)
{
  for (int k = 0; k < e->m; k++) {
    const int order = e->model->constraint[k].order;
    if (position) position[k] = order == 0 && e->mode.active[k] ? fabs(e->f0[k]) : NAN;
    if (velocity) velocity[k] = order <= 1 && e->mode.active[k] ? fabs(e->f1[k]) : NAN;
    // an open inequality is off by as much as it is violated
    const int sense = e->model->constraint[k].sense;
    if (sense && !e->mode.active[k] && position && order == 0)
      position[k] = fmax(0, -sense * e->f0[k]);
    if (sense && !e->mode.active[k] && velocity && order == 1)
      velocity[k] = fmax(0, -sense * e->f1[k]);
  }
}
