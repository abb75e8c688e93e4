// Rank of a matrix, with rows and columns brought to one scale first.
#include "num/null.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// divide every column by its largest entry
static void level_columns(int m, int n, double* A)
{
  for (int j = 0; j < n; j++) {
    double most = 0;
    for (int i = 0; i < m; i++) most = fmax(most, fabs(A[(size_t)i * n + j]));
    if (most == 0 || !isfinite(most)) continue;
    for (int i = 0; i < m; i++) A[(size_t)i * n + j] /= most;
  }
}

static void level_rows(int m, int n, double* A)
{
  for (int i = 0; i < m; i++) {
    double* a = A + (size_t)i * n;
    double most = 0;
    for (int j = 0; j < n; j++) most = fmax(most, fabs(a[j]));
    if (most == 0 || !isfinite(most)) continue;
    for (int j = 0; j < n; j++) a[j] /= most;
  }
}

int num_rank(int m, int n, const double* A, double tolerance)
{
  if (m <= 0 || n <= 0) return 0;
  double* copy = base_alloc((size_t)m * (size_t)n * sizeof *copy);
  memcpy(copy, A, (size_t)m * (size_t)n * sizeof *copy);
  level_rows(m, n, copy);
  level_columns(m, n, copy);
  num_null* f = num_null_new(m, n);
  int rank = num_null_factor(f, m, n, copy, tolerance);
  num_null_free(f);
  free(copy);
  return rank;
}
