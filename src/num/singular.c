// Singular values of a wide matrix, by rotating its rows until they are orthogonal.
//
// One-sided Jacobi (Hestenes 1958): pairs of rows are turned in their plane until all are
// orthogonal, W^T A = diag(sigma) U^T. Small singular values come out with as many digits as the
// rows have (Demmel and Veselic 1992), which is what a loss of rank is judged by. Rows that depend
// on others, as some of a tall matrix do, end as rounding of what was in them: such a rest is
// orthogonal to nothing, and is left alone.
#include "num/num.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { most_sweeps = 40 };
// of a row, over what was in it: below what rounding leaves of short ones, so that the plane of two
// small values is found as well as it can be
static const double rest = DBL_EPSILON / 4;

static double dot(int n, const double* a, const double* b)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static void rotate(int n, double c, double s, double* a, double* b)
{
  for (int i = 0; i < n; i++) {
    const double x = a[i], y = b[i];
    a[i] = c * x - s * y;
    b[i] = s * x + c * y;
  }
}

// rows p and q are made orthogonal; false if they were; held: what was in each row
static bool turn(int m, int n, double* A, double* W, double* held, int p, int q)
{
  double *a = A + p * n, *b = A + q * n;
  const double aa = dot(n, a, a), bb = dot(n, b, b), ab = dot(n, a, b);
  if (fabs(ab) <= DBL_EPSILON * sqrt(aa * bb) || !isfinite(ab)) return false;
  if (sqrt(aa) <= rest * held[p] || sqrt(bb) <= rest * held[q]) return false;
  const double zeta = (bb - aa) / (2 * ab);
  const double t = copysign(1, zeta) / (fabs(zeta) + sqrt(1 + zeta * zeta));
  const double c = 1 / sqrt(1 + t * t), s = c * t;
  rotate(n, c, s, a, b);
  rotate(m, c, s, W + p * m, W + q * m);
  const double x = held[p], y = held[q];
  held[p] = fmax(c * x, fabs(s) * y);
  held[q] = fmax(fabs(s) * x, c * y);
  return true;
}

void num_singular(int m, int n, double* A, double* W, double* sigma)
{
  assert(m >= 0 && n > 0);
  memset(W, 0, sizeof(double) * (size_t)(m * m));
  for (int i = 0; i < m; i++) W[i * m + i] = 1;
  for (int i = 0; i < m; i++) sigma[i] = sqrt(dot(n, A + i * n, A + i * n));
  bool turned = true;
  for (int sweep = 0; sweep < most_sweeps && turned; sweep++) {
    turned = false;
    for (int p = 0; p < m; p++)
      for (int q = p + 1; q < m; q++) turned = turn(m, n, A, W, sigma, p, q) || turned;
  }
  for (int i = 0; i < m; i++) {
    sigma[i] = sqrt(dot(n, A + i * n, A + i * n));
    for (int j = 0; j < n && sigma[i] > 0; j++) A[i * n + j] /= sigma[i];
  }
}
