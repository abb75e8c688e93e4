// The equations of motion in coordinates of the constraint surface.
//
// At the place x(z) the tangent basis N gives dx/dz = N (U^T N)^-1, and so
//   dg/dz = U^T J N (U^T N)^-1
// with the exact J of the equations.
#include "study/chart.h"

#include "study/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double found = 1e-14; // of the constraints, relative
enum { most_turns = 12 };

static double* doubles(base_arena* a, int count)
{
  return base_arena_take(a, sizeof(double) * (size_t)(count + 1));
}

// rows of the constraints and of the shifts at the engine's state, into `rows` (2n wide); how many
static int gather_rows(const study_chart* c, double* rows)
{
  const study_linear* l = c->l;
  const int n = l->n, N = 2 * n, places = l->e->model->places;
  int count = l->rows + n - places; // the integrals of states stand behind the constraints
  memcpy(rows, l->G, sizeof(double) * (size_t)(count * N));
  for (int i = 0; i < places; i++) {
    if (!c->ignorable[i]) continue;
    memset(rows + count * N, 0, sizeof(double) * (size_t)N);
    rows[count++ * N + i] = 1;
  }
  return count;
}

static int basis(study_chart* c, double* out)
{
  const int N = 2 * c->l->n;
  study_linear_tangent(c->l);
  const int count = gather_rows(c, c->work);
  return study_steady_null(N, count, c->work, 0, 1e-9, out);
}

study_chart study_chart_new(study_linear* l, const bool* ignorable, base_arena* arena)
{
  const engine* e = l->e;
  const int n = l->n, N = 2 * n, rows = 2 * e->m + 2 * n + 1;
  study_chart c = {.l = l, .ignorable = ignorable, .t = e->in[0]};
  c.x0 = doubles(arena, N);
  c.U = doubles(arena, N * N);
  c.N = doubles(arena, N * N);
  c.work = doubles(arena, 2 * (rows + N) * (N + 2) + N * N);
  memcpy(c.x0, e->q, sizeof(double) * (size_t)N);
  c.d = basis(&c, c.U);
  return c;
}

// one step of Newton's method for U^T (x - x0) = z on the constraints; how far it went
static double correct(study_chart* c, const double* z, double* x)
{
  study_linear* l = c->l;
  engine* e = l->e;
  const int n = l->n, N = 2 * n, d = c->d;
  double *A = c->work, *b, *y, size = 0;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  study_linear_tangent(l);
  int count = gather_rows(c, A);
  b = A + (count + d) * N;
  y = b + count + d;
  memset(b, 0, sizeof(double) * (size_t)(count + d));
  int at = 0;
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r], order = e->model->constraint[k].order;
    for (int level = order; level <= 1; level++) b[at++] = -(level ? e->f1[k] : e->f0[k]);
  }
  for (int k = 0; k < d; k++, count++) {
    b[count] = z[k];
    for (int j = 0; j < N; j++) {
      A[count * N + j] = c->U[j * d + k];
      b[count] -= c->U[j * d + k] * (x[j] - c->x0[j]);
    }
  }
  num_least_squares(count, N, A, b, y);
  for (int j = 0; j < N; j++) {
    x[j] += y[j];
    size = fmax(size, fabs(y[j]) / (1 + fabs(x[j])));
  }
  return size;
}

static bool go(study_chart* c, const double* z)
{
  study_linear* l = c->l;
  engine* e = l->e;
  const int n = l->n, N = 2 * n;
  double* x = base_alloc(sizeof(double) * (size_t)(N + 1));
  memcpy(x, c->x0, sizeof(double) * (size_t)N);
  for (int j = 0; j < N; j++)
    for (int k = 0; k < c->d; k++) x[j] += c->U[j * c->d + k] * z[k];
  bool fine = true, near = false;
  for (int turn = 0; turn < most_turns && fine; turn++) {
    engine_state(e, c->t, x, x + n);
    e->factored = false;
    fine = !study_linear_at(l);
    if (!fine) break;
    const double far = correct(c, z, x);
    fine = isfinite(far);
    near = fine && far < found;
    if (near) break;
  }
  // what is left then is rounding
  if (fine && !near) {
    engine_state(e, c->t, x, x + n);
    e->factored = false;
    fine = !study_linear_at(l);
  }
  free(x);
  return fine;
}

bool study_chart_slope(study_chart* c, const double* z, double* G)
{
  const int N = 2 * c->l->n, d = c->d;
  if (!go(c, z) || basis(c, c->N) != d) return false;
  double *T = base_alloc(sizeof(double) * (size_t)(2 * d * d + N * d + d + 1)), *H = T + d * d;
  double *JN = H + d * d, *row = JN + N * d;
  int* pivot = base_alloc(sizeof(int) * (size_t)(d + 1));
  for (int i = 0; i < N; i++)
    for (int k = 0; k < d; k++)
      for (int j = 0; j < N; j++) JN[i * d + k] += c->l->J[i * N + j] * c->N[j * d + k];
  // G = H T^-1 with H = U^T J N, T = U^T N: rows of G solve T^T g = h
  for (int a = 0; a < d; a++)
    for (int b = 0; b < d; b++)
      for (int i = 0; i < N; i++) {
        T[b * d + a] += c->U[i * d + a] * c->N[i * d + b];
        H[a * d + b] += c->U[i * d + a] * JN[i * d + b];
      }
  const bool fine = num_lu(d, T, pivot);
  for (int a = 0; a < d && fine; a++) {
    memcpy(row, H + a * d, sizeof(double) * (size_t)d);
    num_lu_solve(d, T, pivot, row);
    memcpy(G + a * d, row, sizeof(double) * (size_t)d);
  }
  free(pivot);
  free(T);
  return fine;
}
