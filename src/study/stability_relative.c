// Relative equilibria: motions that a group carries along, steady in axes that move with it.
//
// With a symmetry eta(q) = C q + c of the equations (symmetry.c) a state with
//   v = C q + c,  a(q, v) = C v
// is led along q(t) = exp(t eta) q for ever: a disc that rolls in a circle, a pendulum on a cone.
// In axes that move with it the changes z of the state obey z' = (J - A) z, A = diag(C, C), with
// constant coefficients. Changes with (J - A) z = X_d for a field X_d of the group lead to
// neighbours of the same kind: that family is invariant, and what decides is the rest.
#include "study/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double noise = 1e-12, vanished = 1e-9, steady = 1e-10, ridge = 1e-7;
static const double explained = 0.3; // of the speeds that no ignorable coordinate accounts for
enum { most_turns = 100, levels = 3 };

static double* doubles(base_arena* a, int count)
{
  return base_arena_take(a, sizeof(double) * (size_t)(count + 1));
}

// ---- the group's speed at a state ---------------------------------------------------------------

double study_relative_speed(const study_symmetry* s, const double* q, const double* v, double* xi)
{
  const int n = s->n, g = s->count, rows = n + g;
  double *A = base_alloc(sizeof(double) * (size_t)(rows * g + rows + 2 * n + 1)), left = 0;
  double *b = A + rows * g, *eta = b + rows;
  for (int k = 0; k < g; k++) {
    study_symmetry_apply(n, s->C + k * n * n, s->c + k * n, q, eta);
    for (int i = 0; i < n; i++) A[i * g + k] = eta[i];
    for (int i = 0; i < g; i++) A[(n + i) * g + k] = i == k ? ridge : 0;
  }
  memcpy(b, v, sizeof(double) * (size_t)n);
  for (int i = n; i < rows; i++) b[i] = 0;
  num_least_squares(rows, g, A, b, xi);
  for (int i = 0; i < n; i++) {
    double off = v[i];
    for (int k = 0; k < g; k++) {
      study_symmetry_apply(n, s->C + k * n * n, s->c + k * n, q, eta);
      off -= xi[k] * eta[i];
    }
    left += off * off;
  }
  free(A);
  return sqrt(left);
}

bool study_relative_explains(const study_symmetry* s, const engine* e, const bool* ignorable)
{
  double held = 0;
  for (int i = 0; i < e->n; i++)
    if (!ignorable[i]) held += e->v[i] * e->v[i];
  if (!(held > 0) || s->count == 0) return false;
  double* xi = base_alloc(sizeof(double) * (size_t)s->count);
  const double left = study_relative_speed(s, e->q, e->v, xi);
  free(xi);
  return left < explained * sqrt(held);
}

// ---- the relative equilibrium next to a state ---------------------------------------------------

static double fastest(const engine* e)
{
  double most = 0;
  for (int i = 0; i < e->n; i++) most = fmax(most, fabs(e->v[i]));
  return most;
}

// Where the speed of a field enters by its square, Newton's method leaves the root of its
// tolerance: what is small and need not be is made nothing.
static void drop_small(study_carried* c, int rows, const double* scale, double* x, double* F)
{
  const int n = c->s->n;
  double most = 0;
  for (int k = 0; k < c->s->count; k++) most = fmax(most, fabs(x[n + k]));
  for (int k = 0; k < c->s->count; k++) {
    const double before = x[n + k];
    if (before == 0 || fabs(before) > 1e-4 * most) continue;
    x[n + k] = 0;
    double left = study_carried_at(c, x, F, NULL) ? INFINITY : 0;
    for (int i = 0; i < rows; i++) left = fmax(left, fabs(F[i]) / scale[i]);
    if (!(left < steady)) x[n + k] = before;
  }
}

// From the speed of the engine's state, that of field `without` left out (-1: none); c: what is to
// hold, `free` where no equation gives a speed
static bool solve(study_carried* c, int without, bool free, base_arena* arena, double* xi)
{
  const study_symmetry* s = c->s;
  engine* e = c->l->e;
  const int n = e->n, g = s->count, rows = c->rows;
  double *x = doubles(arena, 2 * (n + g)), *weight = x + n + g;
  double* scale = doubles(arena, rows);
  memcpy(x, e->q, sizeof(double) * (size_t)n);
  study_relative_speed(s, e->q, e->v, x + n);
  if (without >= 0) x[n + without] = 0;
  // speeds that no equation gives move less than places; accelerations are those of a turn
  const double heavy = free ? 10 : 0.1;
  const double fast = fastest(e);
  for (int i = 0; i < n + g; i++) weight[i] = i < n ? 1 : heavy / (1 + fabs(x[i]));
  for (int i = 0; i < rows; i++) scale[i] = i < n ? 1 + fast * fast : 1;
  const num_newton_result r =
      num_newton(rows, n + g, study_carried_at, c, weight, scale, steady, most_turns, x);
  if (r.solved) {
    drop_small(c, rows, scale, x, doubles(arena, rows));
    memcpy(e->q, x, sizeof(double) * (size_t)n);
    study_symmetry_sum(s, x + n, 0, c->C, c->c);
    study_symmetry_apply(n, c->C, c->c, e->q, e->v);
    memcpy(xi, x + n, sizeof(double) * (size_t)g);
  }
  return r.solved;
}

// level 0: all exact initial equations hold, 1: those on speeds, 2: none
static bool try_to_find(study_linear* l, const study_symmetry* s, int level, int without, int count,
                        const model_initial* initial, base_arena* arena, double* xi)
{
  study_carried c = study_carried_new(l, s, false, arena);
  study_carried_keep_initial(&c, level, count, initial);
  const bool solved = solve(&c, without, level == 2, arena, xi);
  study_kept_free(&c.kept);
  return solved;
}

static double distance(int n, const double* a, const double* b)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]) / (1 + fabs(a[i])));
  return most;
}

bool study_relative_find(study_linear* l, const study_symmetry* s, int count,
                         const model_initial* initial, base_arena* arena, double* xi, int* kept)
{
  engine* e = l->e;
  const int N = 2 * e->n;
  double* here = doubles(arena, N);
  memcpy(here, e->q, sizeof(double) * (size_t)N);
  // the nearest of those found from different starts, with as many initial equations as can be
  double *best = doubles(arena, N), *speed = doubles(arena, s->count), nearest = INFINITY;
  const double fast = fastest(e);
  for (int level = 0; level < levels && isinf(nearest); level++)
    for (int without = -1; without < s->count; without++) {
      memcpy(e->q, here, sizeof(double) * (size_t)N);
      if (!try_to_find(l, s, level, without, count, initial, arena, speed)) continue;
      const double away = distance(N, here, e->q);
      // a place that the turn leaves where it is does not turn
      if (away >= nearest || fastest(e) < 1e-6 * fast) continue;
      nearest = away;
      memcpy(best, e->q, sizeof(double) * (size_t)N);
      memcpy(xi, speed, sizeof(double) * (size_t)s->count);
      *kept = levels - 1 - level;
      if (away < 1e-6) break;
    }
  const bool found = isfinite(nearest);
  memcpy(e->q, found ? best : here, sizeof(double) * (size_t)N);
  e->factored = false;
  return found;
}

// Where not all exact initial equations can hold: one after the other in the order told, each where
// a motion has it beside those before. False where there is none with any of them.
bool study_relative_keep(study_linear* l, const study_symmetry* s, int count,
                         const model_initial* initial, base_arena* arena, double* xi)
{
  engine* e = l->e;
  const size_t bytes = sizeof(double) * (size_t)(2 * e->n);
  double *here = doubles(arena, 2 * e->n), *best = doubles(arena, 2 * e->n);
  double* speed = doubles(arena, s->count);
  const double fast = fastest(e);
  BASE_LIST(expr) list = {0};
  study_carried c = study_carried_new(l, s, false, arena);
  memcpy(here, e->q, bytes);
  for (int i = 0; i < count; i++) {
    if (!study_kept_is_exact(&initial[i])) continue;
    base_push(&list, initial[i].f);
    study_carried_keep(&c, list.n, list.at);
    bool fine = false;
    for (int turn = 0; turn < 2 * (s->count + 1) && !fine; turn++) {
      memcpy(e->q, here, bytes);
      e->factored = false;
      fine = solve(&c, turn / 2 - 1, turn % 2, arena, speed) && fastest(e) > 1e-6 * fast;
    }
    if (!fine) list.n--;
    if (!fine) continue;
    memcpy(best, e->q, bytes);
    memcpy(xi, speed, sizeof(double) * (size_t)s->count);
  }
  const bool found = list.n > 0;
  memcpy(e->q, found ? best : here, bytes);
  e->factored = false;
  study_kept_free(&c.kept);
  base_list_free(&list);
  return found;
}

// ---- which axes ---------------------------------------------------------------------------------

// Fields that leave the state as it is may be added to the one that carries it: bodies whose centre
// of mass rests may be seen from axes in which it turns, or not. tr(M C M^-1 C^T) is least for the
// axes that turn least. With M = L L^T
// it is the square sum of K = L^T C L^-T.
static void weigh(int n, const double* L, const double* C, double* K)
{
  double* row = base_alloc(sizeof(double) * (size_t)(n * n));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = i; k < n; k++) row[i * n + j] += L[k * n + i] * C[k * n + j];
  // X L^T = row, column by column from the left: L is lower, so X_j = (row_j - sum X_k L_jk)/L_jj
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = row[i * n + j];
      for (int k = 0; k < j; k++) sum -= K[i * n + k] * L[j * n + k];
      K[i * n + j] = sum / L[j * n + j];
    }
  free(row);
}

void study_relative_calm(study_linear* l, const study_symmetry* s, double* xi)
{
  engine* e = l->e;
  const int n = e->n, N = 2 * n, g = s->count;
  double* X = base_alloc(sizeof(double) * (size_t)(g * N + N * g + g * g + (g + 2) * n * n + n));
  double *rows = X + g * N, *Z = rows + N * g, *L = Z + g * g, *C = L + n * n, *K = C + n * n + n;
  double size = 0;
  if (g == 0 || contact_accelerations(e)) {
    free(X);
    return;
  }
  for (int k = 0; k < g; k++) study_symmetry_at(s, k, e->q, e->v, X + k * N);
  for (int i = 0; i < N; i++)
    for (int k = 0; k < g; k++) {
      rows[i * g + k] = X[k * N + i];
      size = fmax(size, fabs(X[k * N + i]));
    }
  const int z = study_steady_null(g, N, rows, 1e2 * size, 1e-9, Z);
  // without inertia in some direction every field counts the same
  memcpy(L, e->M, sizeof(double) * (size_t)(n * n));
  if (!num_cholesky(n, L, 1e-9))
    for (int i = 0; i < n * n; i++) L[i] = i / n == i % n;
  if (z > 0) {
    double* A = base_alloc(sizeof(double) * (size_t)((n * n + z) * (z + 1) + z + g));
    double *b = A + (n * n + z) * z, *y = b + n * n + z, *one = y + z;
    study_symmetry_sum(s, xi, 0, C, C + n * n);
    weigh(n, L, C, K);
    for (int i = 0; i < n * n; i++) b[i] = -K[i];
    for (int h = 0; h < z; h++) {
      for (int k = 0; k < g; k++) one[k] = Z[k * z + h];
      study_symmetry_sum(s, one, 0, C, C + n * n);
      weigh(n, L, C, K);
      for (int i = 0; i < n * n; i++) A[i * z + h] = K[i];
      A[(n * n + h) * z + h] = 1e-9;
    }
    num_least_squares(n * n + z, z, A, b, y);
    for (int k = 0; k < g; k++)
      for (int h = 0; h < z; h++) xi[k] += Z[k * z + h] * y[h];
    free(A);
  }
  free(X);
}

// ---- in axes that move along --------------------------------------------------------------------

void study_relative_turn(study_linear* l, const study_symmetry* s, const double* xi)
{
  const int n = l->n, N = 2 * n;
  double* C = base_alloc(sizeof(double) * (size_t)(n * n + n));
  study_symmetry_sum(s, xi, 0, C, C + n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      l->J[i * N + j] -= C[i * n + j];
      l->J[(n + i) * N + n + j] -= C[i * n + j];
    }
  free(C);
}

// orthonormal columns of what is not nothing among the first N entries of the columns of Z
static int orthonormal(int N, int count, const double* Z, double* F)
{
  int f = 0;
  double* kept = base_alloc(sizeof(double) * (size_t)(N * (count + 1)));
  for (int k = 0; k < count; k++) {
    double *x = kept + f * N, size = 0;
    for (int i = 0; i < N; i++) x[i] = Z[i * count + k];
    for (int turn = 0; turn < 2; turn++)
      for (int h = 0; h < f; h++) {
        double sum = 0;
        for (int i = 0; i < N; i++) sum += kept[h * N + i] * x[i];
        for (int i = 0; i < N; i++) x[i] -= sum * kept[h * N + i];
      }
    for (int i = 0; i < N; i++) size += x[i] * x[i];
    if (sqrt(size) < 1e-7) continue;
    for (int i = 0; i < N; i++) x[i] /= sqrt(size);
    f++;
  }
  for (int i = 0; i < N; i++)
    for (int k = 0; k < f; k++) F[i * f + k] = kept[k * N + i];
  free(kept);
  return f;
}

int study_relative_family(study_linear* l, const study_symmetry* s, double* F, double* U)
{
  const engine* e = l->e;
  const int n = l->n, N = 2 * n, g = s->count, wide = N + g;
  double* rows = base_alloc(sizeof(double) * (size_t)((2 * N + l->rows + 1) * wide));
  double *X = base_alloc(sizeof(double) * (size_t)(g * N + 1)), size = 0;
  double* Z = base_alloc(sizeof(double) * (size_t)(wide * wide));
  for (int k = 0; k < g; k++) study_symmetry_at(s, k, e->q, e->v, X + k * N);
  for (int i = 0; i < N * N; i++) size = fmax(size, fabs(l->J[i]));
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++)
      rows[i * wide + j] = fabs(l->J[i * N + j]) > noise * size ? l->J[i * N + j] : 0;
    for (int k = 0; k < g; k++) rows[i * wide + N + k] = -X[k * N + i];
  }
  for (int i = 0; i < l->rows; i++)
    for (int j = 0; j < wide; j++) rows[(N + i) * wide + j] = j < N ? l->G[i * N + j] : 0;
  const int count = study_steady_null(wide, N + l->rows, rows, 0, vanished, Z);
  const int f = orthonormal(N, count, Z, F);
  memcpy(rows, l->G, sizeof(double) * (size_t)(l->rows * N));
  for (int k = 0; k < f; k++)
    for (int j = 0; j < N; j++) rows[(l->rows + k) * N + j] = F[j * f + k];
  study_steady_null(N, l->rows + f, rows, 0, vanished, U);
  free(Z);
  free(X);
  free(rows);
  return f;
}
