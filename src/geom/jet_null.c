// Ranks and null spaces that are told by a gap between singular values.
#include "geom/jets.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double surely_zero = 1e-12, surely_not = 1e-5; // relative: the gap lies between

// column k of A (m by n) from row k on, whose square is given, turned into that row
static void reflect(int m, int n, int k, double square, double* A, double* sum)
{
  const double alpha = A[k * n + k] > 0 ? -sqrt(square) : sqrt(square);
  const double factor = 1 / (square - alpha * A[k * n + k]);
  A[k * n + k] -= alpha;
  memset(sum, 0, sizeof(double) * (size_t)n);
  for (int i = k; i < m; i++)
    for (int j = k + 1; j < n; j++) sum[j] += A[i * n + k] * A[i * n + j];
  for (int i = k; i < m; i++) {
    const double with = factor * A[i * n + k];
    for (int j = k + 1; j < n && with != 0; j++) A[i * n + j] -= with * sum[j];
  }
  A[k * n + k] = alpha;
  for (int i = k + 1; i < m; i++) A[i * n + k] = 0;
}

// rows of A (m by n) turned into a triangle on top: R with A = Q R; returns its rows
static int triangle(int m, int n, double* A)
{
  const int most = m < n ? m : n;
  double* sum = base_alloc(sizeof(double) * (size_t)(n + 1));
  for (int k = 0; k < most; k++) {
    double square = 0;
    for (int i = k; i < m; i++) square += A[i * n + k] * A[i * n + k];
    if (square > 0) reflect(m, n, k, square, A, sum);
  }
  free(sum);
  return most;
}

static int falling(const void* a, const void* b)
{
  const double x = *(const double*)a, y = *(const double*)b;
  return (x < y) - (x > y);
}

// Below which value singular values are none: in the widest gap between what is surely one and what
// is surely none.
static double cut(int n, const double* sigma, double size, geom_jets* gap)
{
  double* s = base_alloc(sizeof(double) * (size_t)(n + 2));
  memcpy(s + 1, sigma, sizeof(double) * (size_t)n);
  qsort(s + 1, (size_t)n, sizeof *s, falling);
  double at = surely_not * size, widest = 0, kept = INFINITY, dropped = 0;
  for (int i = 0; i <= n; i++) {
    const double above = i ? fmin(s[i], surely_not * size) : surely_not * size;
    const double below = fmax(i < n ? s[i + 1] : 0, surely_zero * size);
    if (above > below && above / below > widest) {
      widest = above / below;
      at = sqrt(above * below);
      kept = i ? s[i] : INFINITY;
      dropped = i < n ? s[i + 1] : 0;
    }
  }
  if (gap && size > 0) {
    gap->kept = fmin(gap->kept, kept / size);
    gap->dropped = fmax(gap->dropped, dropped / size);
  }
  free(s);
  return at;
}

int geom_jets_null(int m, int n, double* A, double size, double* out, geom_jets* gap)
{
  const int rows = triangle(m, n, A);
  double *T = base_alloc(sizeof(double) * (size_t)(n * (rows + 1) + n * n + n + 1)),
         *W = T + n * (rows + 1), *sigma = W + n * n;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++) T[j * (rows + 1) + i] = A[i * n + j];
  num_singular(n, rows + 1, T, W, sigma);
  const double at = cut(n, sigma, size, gap);
  int count = 0;
  for (int i = 0; i < n; i++)
    if (sigma[i] <= at) memcpy(out + count++ * n, W + i * n, sizeof(double) * (size_t)n);
  free(T);
  return count;
}

// the columns of A (rows by size; lost) in the order of what is left of them, by reflections:
// |R_kk|, falling
static int pivots(int rows, int size, double* A, double* R)
{
  const int most = rows < size ? rows : size;
  double* sum = base_alloc(sizeof(double) * (size_t)(size + 1));
  for (int k = 0; k < most; k++) {
    memset(sum, 0, sizeof(double) * (size_t)size);
    for (int i = k; i < rows; i++)
      for (int j = k; j < size; j++) sum[j] += A[i * size + j] * A[i * size + j];
    int best = k;
    for (int j = k; j < size; j++)
      if (sum[j] > sum[best]) best = j;
    const double square = sum[best];
    R[k] = sqrt(square);
    if (!(square > 0)) {
      free(sum);
      return k;
    }
    for (int i = 0; i < rows; i++) {
      const double x = A[i * size + k];
      A[i * size + k] = A[i * size + best];
      A[i * size + best] = x;
    }
    reflect(rows, size, k, square, A, sum);
  }
  free(sum);
  return most;
}

int geom_jets_rank(int rows, int size, const double* A)
{
  if (rows == 0 || size == 0) return 0;
  double *copy = base_alloc(sizeof(double) * (size_t)(rows * size + size + 1)),
         *R = copy + rows * size;
  memcpy(copy, A, sizeof(double) * (size_t)(rows * size));
  const int found = pivots(rows, size, copy, R);
  const double at = cut(found, R, R[0], NULL);
  int rank = 0;
  while (rank < found && R[rank] > at) rank++;
  free(copy);
  return rank;
}
