// Linear systems with complex numbers, for paths of homotopies.
#include "num/num.h"

// below this a pivot is none, and would overflow
static const double no_pivot = 1e-250;

typedef double complex cx;

#include <math.h>

static double size(cx z)
{
  return fabs(creal(z)) + fabs(cimag(z));
}

// 1 / z without the library's care for infinities
static cx inverse(cx z)
{
  double s = creal(z) * creal(z) + cimag(z) * cimag(z);
  return conj(z) / s;
}

// the diagonal is left inverted
bool num_complex_lu(int n, cx* A, int* pivot)
{
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (size(A[i * n + k]) > size(A[p * n + k])) p = i;
    pivot[k] = p;
    // written so that nan fails too
    if (!(size(A[p * n + k]) > no_pivot)) return false;
    for (int j = 0; p != k && j < n; j++) {
      cx t = A[k * n + j];
      A[k * n + j] = A[p * n + j], A[p * n + j] = t;
    }
    cx d = A[k * n + k] = inverse(A[k * n + k]);
    for (int i = k + 1; i < n; i++) {
      cx l = A[i * n + k];
      if (l == 0) continue;
      A[i * n + k] = l = num_complex_times(l, d);
      for (int j = k + 1; j < n; j++) A[i * n + j] -= num_complex_times(l, A[k * n + j]);
    }
  }
  return true;
}

void num_complex_solve(int n, const cx* A, const int* pivot, cx* x)
{
  for (int k = 0; k < n; k++) {
    cx t = x[k];
    x[k] = x[pivot[k]];
    x[pivot[k]] = t;
  }
  for (int i = 1; i < n; i++)
    for (int j = 0; j < i; j++) x[i] -= num_complex_times(A[i * n + j], x[j]);
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) x[i] -= num_complex_times(A[i * n + j], x[j]);
    x[i] = num_complex_times(x[i], A[i * n + i]);
  }
}
