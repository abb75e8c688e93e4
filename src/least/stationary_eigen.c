// Eigenvalues of a small symmetric matrix by cyclic Jacobi rotations. Golub and Van Loan, Matrix
// Computations (2013), 8.5: accurate for small eigenvalues too, eigenvectors orthogonal to
// rounding.
#include "least/stationary.h"

#include <float.h>
#include <math.h>

// rotation in the plane (p, q) that makes A_pq zero
static void rotate(int n, double* A, double* V, int p, int q)
{
  double apq = A[p * n + q], tau = (A[q * n + q] - A[p * n + p]) / (2 * apq);
  double t = fabs(tau) > 1e150 ? 0.5 / tau : copysign(1, tau) / (fabs(tau) + sqrt(1 + tau * tau));
  double c = 1 / sqrt(1 + t * t), s = t * c;
  for (int k = 0; k < n; k++) {
    double x = A[k * n + p], y = A[k * n + q];
    A[k * n + p] = c * x - s * y, A[k * n + q] = s * x + c * y;
  }
  for (int k = 0; k < n; k++) {
    double x = A[p * n + k], y = A[q * n + k];
    A[p * n + k] = c * x - s * y, A[q * n + k] = s * x + c * y;
    x = V[k * n + p], y = V[k * n + q];
    V[k * n + p] = c * x - s * y, V[k * n + q] = s * x + c * y;
  }
  A[p * n + q] = A[q * n + p] = 0;
}

// ascending, eigenvectors along
static void order(int n, double* V, double* e)
{
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && e[j] < e[j - 1]; j--) {
      double t = e[j];
      e[j] = e[j - 1], e[j - 1] = t;
      for (int k = 0; k < n; k++) {
        t = V[k * n + j];
        V[k * n + j] = V[k * n + j - 1], V[k * n + j - 1] = t;
      }
    }
}

void least_stationary_eigen(int n, double* A, double* V, double* e)
{
  double size = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      V[i * n + j] = i == j;
      size = fmax(size, fabs(A[i * n + j]));
    }
  for (int sweep = 0, busy = 1; busy && sweep < 40; sweep++) {
    busy = 0;
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++)
        if (fabs(A[p * n + q]) > 0.01 * DBL_EPSILON * size) {
          rotate(n, A, V, p, q);
          busy = 1;
        }
  }
  for (int i = 0; i < n; i++) e[i] = A[i * n + i];
  order(n, V, e);
}
