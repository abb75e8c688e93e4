// How far rounding alone takes two forms of the same equations apart.
//
// Each form sums the terms of M a = F + A^T Lambda, A a = c in an order of its own, and rounds each
// of them by a share e of its size: its a and Lambda solve the equations with another right side,
//   M x - A^T y = e (|M| |a| + |F| + |A|^T |Lambda|),   A x = e (|A| |a| + |c|),
// each entry with a sign of its own. In a long chain x is many times e a. The largest over some
// choices of the signs is what is told.
#include "study/forms.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { choices = 4 };
// below this share of the largest a pivot is rounding
static const double least_pivot = 1e-13;

// K = [M -A^T; A 0], and the sizes of what each row adds up
static void fill(const engine* e, double* K, double* size)
{
  const int n = e->n, rows = e->mode.rows, N = n + rows;
  for (int i = 0; i < n; i++) {
    size[i] = fabs(e->F[i]);
    for (int j = 0; j < n; j++) {
      K[i * N + j] = e->M[i * n + j];
      size[i] += fabs(e->M[i * n + j] * e->a[j]);
    }
  }
  for (int r = 0; r < rows; r++) {
    const int k = e->mode.row[r];
    size[n + r] = fabs(e->c[k]);
    for (int j = 0; j < n; j++) {
      const double A = e->A[k * n + j];
      K[(n + r) * N + j] = A;
      K[j * N + n + r] = -A;
      size[n + r] += fabs(A * e->a[j]);
      size[j] += fabs(A * e->lambda[k]);
    }
  }
}

static double share_of(int count, const double* change, const double* value, const int* at)
{
  double most = 0, size = 1;
  for (int i = 0; i < count; i++) {
    most = fmax(most, fabs(change[i]));
    size = fmax(size, fabs(value[at ? at[i] : i]));
  }
  return most / size;
}

double study_verify_rounding(engine* e)
{
  if (e->sparse) return 0;
  const int n = e->n, rows = e->mode.rows, N = n + rows;
  double* K = base_alloc(sizeof(double) * (size_t)(N * N + 3 * N + 1));
  double *size = K + N * N, *b = size + N, *x = b + N, most = 0;
  engine_equations(e);
  e->factored = false;
  fill(e, K, size);
  num_null* f = num_null_new(N, N);
  num_null_factor(f, N, N, K, least_pivot);
  uint64_t signs = 1777;
  for (int choice = 0; choice < choices; choice++) {
    for (int i = 0; i < N; i++) {
      signs = signs * 6364136223846793005u + 1442695040888963407u;
      b[i] = (signs >> 63 ? -DBL_EPSILON : DBL_EPSILON) * size[i];
    }
    num_null_solve(f, K, b, x);
    most = fmax(most, share_of(n, x, e->a, NULL));
    most = fmax(most, share_of(rows, x + n, e->lambda, e->mode.row));
  }
  num_null_free(f);
  free(K);
  return isfinite(most) ? most : 0;
}
