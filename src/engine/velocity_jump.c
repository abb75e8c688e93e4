// Jumps of the velocities where controls act.
//
//   M (v+ - v) = g + A^T Lambda + B u,   f1(v+) = 0
// with impulses Lambda of the ideal constraints along their gradients and u of the controls along
// their directions. The constraints hidden behind those that are led bind velocities too, so there
// may be more conditions than impulses: then no control can make the jump.
#include "engine/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_turns = 30 };

// does row k of the active ones bind velocities?
static bool binds(const engine* e, int k)
{
  return e->model->constraint[k].order < 2;
}

static bool has_impulse(const engine* e, int k)
{
  return binds(e, k) && k < e->s->written;
}

bool engine_kick_by_controls(const engine* e)
{
  for (int r = 0; r < e->mode.rows; r++)
    if (!engine_is_ideal(e, e->mode.row[r]) && binds(e, e->mode.row[r])) return true;
  return false;
}

// the linear problem for v+ - v and the impulses, about the velocities of the present turn
static void fill(engine* e, int rows, int columns, const double* v0, const double* g, double* K,
                 double* right)
{
  const int n = e->n, m = e->m;
  memset(K, 0, sizeof(double) * (size_t)(rows * columns));
  for (int i = 0; i < n; i++) {
    memcpy(K + i * columns, e->M + i * n, sizeof(double) * (size_t)n);
    right[i] = g ? g[i] : 0;
    for (int j = 0; j < n; j++) right[i] -= e->M[i * n + j] * (e->v[j] - v0[j]);
  }
  int row = n, column = n;
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r];
    if (!binds(e, k)) continue;
    memcpy(K + row * columns, e->LA + k * n, sizeof(double) * (size_t)n);
    right[row++] = -e->f1[k];
    if (!has_impulse(e, k)) continue;
    for (int i = 0; i < n; i++)
      K[i * columns + column] =
          engine_is_ideal(e, k) ? -e->LA[k * n + i] : -e->work.coupling_out[i * m + k];
    column++;
  }
}

static int impossible(engine* e)
{
  const char* name = "";
  for (int r = e->mode.rows - 1; r >= 0; r--)
    if (!engine_is_ideal(e, e->mode.row[r]) && e->mode.row[r] < e->s->written)
      name = e->model->constraint[e->mode.row[r]].name;
  snprintf(e->reason, sizeof e->reason,
           "the velocities would have to jump for the constraint `%s`, and no impulse of its "
           "control does that",
           name);
  return 1;
}

int engine_kick_controls(engine* e, const double* g)
{
  const int n = e->n;
  int rows = n, columns = n, failed = 0;
  for (int r = 0; r < e->mode.rows; r++) {
    rows += binds(e, e->mode.row[r]);
    columns += has_impulse(e, e->mode.row[r]);
  }
  double* K = base_alloc(sizeof(double) * (size_t)(rows * columns + rows + columns + n));
  double *right = K + rows * columns, *x = right + rows, *v0 = x + columns;
  num_null* null = num_null_new(rows, columns);
  memcpy(v0, e->v, sizeof(double) * (size_t)n);
  engine_equations(e);
  code_run(e->program->coupling, e->in, e->work.coupling_out, e->work.scratch);
  double size = INFINITY;
  for (int turn = 0; turn < most_turns && !failed; turn++) {
    code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
    fill(e, rows, columns, v0, g, K, right);
    num_null_factor(null, rows, columns, K, 0);
    const double off = num_null_solve(null, K, right, x);
    double moved = 0, scale = 1;
    for (int i = 0; i < n; i++) {
      e->v[i] += x[i];
      moved = fmax(moved, fabs(x[i]));
      scale = fmax(scale, fabs(e->v[i]));
    }
    if (!(off <= engine_jump_made * scale)) failed = impossible(e);
    if (moved <= engine_balanced * scale || (turn > 2 && moved >= size)) break;
    size = moved;
  }
  num_null_free(null);
  free(K);
  return failed;
}
