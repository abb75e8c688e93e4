// The family of steady motions along a branch.
//
// Zeros of the linearised equations that belong to the family are none of a bifurcation. Where a
// branch crosses another one more direction leads to steady motions, and the null space alone would
// not tell which of them are the family's: its dimension is kept, and of the null space the part
// nearest to the directions of the place before.
#include "study/stability.h"
#include "study/symmetry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double noise = 1e-12; // relative entries of a linear system that are rounding
static const double small = 1e-7;  // singular values of directions that may belong to it
static const double weak = 1e-9;   // pivots
static const double same = 1e-6;   // length of what is new in a direction

// conditions on a change z of the state (and of the group's speed) to lead to a steady motion, row
// by row; how many
static int conditions(const study_linear* l, const study_carrier* c, const bool* ignorable,
                      int wide, double* rows)
{
  const engine* e = l->e;
  const int n = l->n, N = 2 * n;
  double size = 0, *X = base_alloc(sizeof(double) * (size_t)N);
  int count = 0;
  for (int i = 0; i < N * N; i++) size = fmax(size, fabs(l->J[i]));
  for (int i = c->relative ? 0 : n; i < N; i++, count++)
    for (int j = 0; j < N; j++)
      rows[count * wide + j] = fabs(l->J[i * N + j]) > noise * size ? l->J[i * N + j] : 0;
  for (int k = 0; k < wide - N; k++) {
    study_symmetry_at(&c->s, k, e->q, e->v, X);
    for (int i = 0; i < N; i++) rows[i * wide + N + k] = -X[i];
  }
  for (int i = 0; i < l->rows; i++, count++)
    memcpy(rows + count * wide, l->G + i * N, sizeof(double) * (size_t)N);
  for (int i = 0; i < n; i++) {
    if (c->relative || (ignorable[i] && i < e->model->places)) continue;
    if (!ignorable[i]) rows[count++ * wide + n + i] = 1;
    if (i >= e->model->places) rows[count++ * wide + i] = 1;
  }
  free(X);
  return count;
}

// orthonormal directions that may belong to it, at least f of them, N by N room; how many
static int candidates(int N, int wide, int count, double* rows, int f, double* Z)
{
  double* T = base_alloc(sizeof(double) * (size_t)(wide * count + wide * wide + 2 * wide + 1));
  double *W = T + wide * count, *sigma = W + wide * wide, *x = sigma + wide, most = 0;
  for (int i = 0; i < count; i++) {
    double size = 0;
    for (int j = 0; j < wide; j++) size = fmax(size, fabs(rows[i * wide + j]));
    for (int j = 0; j < wide; j++) T[j * count + i] = size > 0 ? rows[i * wide + j] / size : 0;
  }
  num_singular(wide, count, T, W, sigma);
  for (int j = 0; j < wide; j++) most = fmax(most, sigma[j]);
  int found = 0;
  for (int turn = 0; turn < wide && found < N; turn++) {
    int k = -1;
    for (int j = 0; j < wide; j++)
      if (sigma[j] >= 0 && (k < 0 || sigma[j] < sigma[k])) k = j;
    if (k < 0 || (sigma[k] > small * most && found >= f)) break;
    memcpy(x, W + k * wide, sizeof(double) * (size_t)N);
    found += study_symmetry_column(N, N, found, same, x, Z);
    sigma[k] = -1;
  }
  free(T);
  return found;
}

// of the candidates, the f directions nearest to those before
static void choose(int N, int f, int found, const double* Z, const study_family* before, double* F)
{
  double* x = base_alloc(sizeof(double) * (size_t)N);
  int at = 0;
  for (int k = 0; k < found && found == f; k++, at++)
    for (int i = 0; i < N; i++) F[i * f + k] = Z[i * N + k];
  for (int k = 0; k < before->f && at < f; k++) {
    memset(x, 0, sizeof(double) * (size_t)N);
    for (int h = 0; h < found; h++) {
      double sum = 0;
      for (int i = 0; i < N; i++) sum += Z[i * N + h] * before->F[i * f + k];
      for (int i = 0; i < N; i++) x[i] += sum * Z[i * N + h];
    }
    at += study_symmetry_column(N, f, at, same, x, F);
  }
  free(x);
}

int study_family_follow(study_linear* l, const study_carrier* c, const bool* ignorable,
                        study_family* before, double* F, double* U)
{
  const int n = l->n, N = 2 * n, wide = c->relative ? N + c->s.count : N;
  const int most = 2 * N + l->rows + n;
  if (!before->known || before->relative != c->relative) {
    before->f = c->relative ? study_relative_family(l, &c->s, F, U)
                            : study_steady_family(l, ignorable, F, U);
    before->known = true;
    before->relative = c->relative;
  } else {
    double* rows = base_alloc(sizeof(double) * (size_t)(most * wide + N * N));
    double* Z = rows + most * wide;
    const int f = before->f, count = f ? conditions(l, c, ignorable, wide, rows) : 0;
    if (f) choose(N, f, candidates(N, wide, count, rows, f, Z), Z, before, F);
    // the complement on the constraint surface
    int at = 0;
    memcpy(rows, l->G, sizeof(double) * (size_t)(l->rows * N));
    at = l->rows;
    for (int i = l->e->model->places; i < n; i++, at++) {
      memset(rows + at * N, 0, sizeof(double) * (size_t)N);
      rows[at * N + i] = 1;
    }
    for (int k = 0; k < f; k++, at++)
      for (int j = 0; j < N; j++) rows[at * N + j] = F[j * f + k];
    study_steady_null(N, at, rows, 0, weak, U);
    free(rows);
  }
  memcpy(before->F, F, sizeof(double) * (size_t)(N * before->f));
  return before->f;
}
