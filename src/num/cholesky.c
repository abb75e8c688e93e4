// Cholesky factorisation S = L L^T of a symmetric positive definite matrix, row by row.
#include "num/num.h"

#include <assert.h>
#include <math.h>

// sum a_k b_k with four partial sums: no dependency chain through long rows
static double long_dot(int n, const double* a, const double* b)
{
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int k = 0;
  for (; k + 4 <= n; k += 4) {
    s0 += a[k] * b[k];
    s1 += a[k + 1] * b[k + 1];
    s2 += a[k + 2] * b[k + 2];
    s3 += a[k + 3] * b[k + 3];
  }
  for (; k < n; k++) s0 += a[k] * b[k];
  return (s0 + s1) + (s2 + s3);
}

// the same sum; short ones are not worth a call
static inline double dot(int n, const double* a, const double* b)
{
  if (n >= 4) return long_dot(n, a, b);
  double sum = 0;
  for (int k = 0; k < n; k++) sum += a[k] * b[k];
  return sum;
}

bool num_cholesky(int n, double* S, double tolerance)
{
  assert(n >= 0);
  if (tolerance <= 0) tolerance = 1e-13;
  for (int i = 0; i < n; i++) {
    double* Li = S + (size_t)i * n;
    // zeros before the first entry of a row stay zeros of L: coordinates that know nothing of one
    // another cost nothing
    int from = 0;
    while (from < i && Li[from] == 0) from++;
    for (int j = from; j < i; j++) {
      const double* Lj = S + (size_t)j * n;
      Li[j] = (Li[j] - dot(j - from, Li + from, Lj + from)) / Lj[j];
    }
    double pivot = Li[i] - dot(i - from, Li + from, Li + from);
    // written so that nan fails too
    if (!(Li[i] > 0 && pivot > tolerance * Li[i] && isfinite(pivot))) return false;
    Li[i] = sqrt(pivot);
  }
  return true;
}

void num_cholesky_solve(int n, const double* L, double* x)
{
  for (int i = 0; i < n; i++) {
    const double* Li = L + (size_t)i * n;
    x[i] = (x[i] - dot(i, Li, x)) / Li[i];
  }
  // L^T x = z by rows of L: each solved unknown is taken out of those above it
  for (int i = n - 1; i >= 0; i--) {
    const double* Li = L + (size_t)i * n;
    x[i] /= Li[i];
    for (int k = 0; k < i; k++) x[k] -= Li[k] * x[i];
  }
}
