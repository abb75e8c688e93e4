// Dense least squares by Householder reflections, rows contiguous so that every loop is an axpy.
#include <math.h>
#include <string.h>

#include "num/least_squares_blocked.h"
#include "num/num.h"

// unknowns from which blocks are faster
enum { MANY = 96 };

// y += a x
static void add_scaled(int n, double a, const double* x, double* y)
{
  for (int i = 0; i < n; i++) y[i] += a * x[i];
}

// Column j below row j becomes a multiple of e_1: v = a -+ |a| e_1, H = I - 2 v v^T / v^T v,
// applied to the columns behind it and to b; w is room for one row.
static void reflect(int m, int n, int j, double* A, double* b, double* w)
{
  double norm = 0;
  for (int i = j; i < m; i++) norm = hypot(norm, A[i * n + j]);
  if (norm == 0) return;
  const double head = A[j * n + j] + copysign(norm, A[j * n + j]);
  // v^T v = 2 norm |head|
  const double factor = -1 / (norm * fabs(head));
  A[j * n + j] = head;
  const int wide = n - j - 1;
  memset(w, 0, sizeof(double) * (size_t)(wide + 1));
  double along = 0;
  for (int i = j; i < m; i++) {
    const double v = A[i * n + j];
    if (v == 0) continue;
    add_scaled(wide, v, A + i * n + j + 1, w);
    along += v * b[i];
  }
  for (int i = j; i < m; i++) {
    const double v = factor * A[i * n + j];
    if (v == 0) continue;
    add_scaled(wide, v, w, A + i * n + j + 1);
    b[i] += v * along;
  }
  A[j * n + j] = -copysign(norm, head);
}

void num_least_squares(int m, int n, double* A, double* b, double* x)
{
  if (n >= MANY) {
    num_least_squares_blocked(m, n, A, b, x);
    return;
  }
  for (int j = 0; j < n; j++) reflect(m, n, j, A, b, x);
  for (int i = n - 1; i >= 0; i--) {
    double sum = b[i];
    for (int k = i + 1; k < n; k++) sum -= A[i * n + k] * x[k];
    x[i] = A[i * n + i] != 0 ? sum / A[i * n + i] : 0;
  }
}
