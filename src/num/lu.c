// LU factorisation with partial pivoting, P A = L U, in place.
#include "num/num.h"

#include <assert.h>
#include <float.h>
#include <math.h>

static int largest_in_column(int n, const double* A, int k)
{
  int best = k;
  for (int i = k + 1; i < n; i++)
    if (fabs(A[(size_t)i * n + k]) > fabs(A[(size_t)best * n + k])) best = i;
  return best;
}

static void swap_rows(int n, double* a, double* b)
{
  for (int j = 0; j < n; j++) {
    double t = a[j];
    a[j] = b[j];
    b[j] = t;
  }
}

// size of the terms whose difference the pivot is: a pivot far below it is rounding alone.
// the ratio does not change when a row or a column is measured in another unit
static double terms_of_pivot(int n, const double* A, int k)
{
  double s = 0;
  for (int j = 0; j < k; j++) s += fabs(A[(size_t)k * n + j] * A[(size_t)j * n + k]);
  return s;
}

bool num_lu(int n, double* A, int* pivot)
{
  assert(n >= 0);
  for (int k = 0; k < n; k++) {
    int p = largest_in_column(n, A, k);
    pivot[k] = p;
    double* Ak = A + (size_t)k * n;
    if (p != k) swap_rows(n, Ak, A + (size_t)p * n);
    double size = fabs(Ak[k]);
    // written so that nan fails too
    if (!(size > (40 + 20 * n) * DBL_EPSILON * terms_of_pivot(n, A, k) && isfinite(size)))
      return false;
    for (int i = k + 1; i < n; i++) {
      double* Ai = A + (size_t)i * n;
      if (Ai[k] == 0) continue;
      double l = Ai[k] /= Ak[k];
      for (int j = k + 1; j < n; j++) Ai[j] -= l * Ak[j];
    }
  }
  return true;
}

void num_lu_solve(int n, const double* A, const int* pivot, double* x)
{
  for (int k = 0; k < n; k++) {
    double t = x[k];
    x[k] = x[pivot[k]];
    x[pivot[k]] = t;
  }
  for (int i = 1; i < n; i++)
    for (int j = 0; j < i; j++) x[i] -= A[(size_t)i * n + j] * x[j];
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) x[i] -= A[(size_t)i * n + j] * x[j];
    x[i] /= A[(size_t)i * n + i];
  }
}
