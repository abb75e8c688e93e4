// Dense least squares against the normal equations and against data that fit exactly.
#include <math.h>

#include "check.h"
#include "num/num.h"

TEST(least_squares_leaves_a_residual_orthogonal_to_the_columns)
{
  enum { m = 9, n = 4 };
  double A[m * n], b[m], x[n], keep[m * n], right[m];
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++) keep[i * n + j] = A[i * n + j] = sin(1 + i * (1 + 0.7 * j) + j * j);
    right[i] = b[i] = cos(0.3 * i * i);
  }
  num_least_squares(m, n, A, b, x);
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int i = 0; i < m; i++) {
      double r = right[i];
      for (int k = 0; k < n; k++) r -= keep[i * n + k] * x[k];
      sum += r * keep[i * n + j];
    }
    CHECK_NEAR(sum, 0, 1e-13);
  }
}

TEST(least_squares_solves_what_can_be_solved)
{
  double A[6] = {1, 0, 0, 2, 1, 1}, b[3] = {3, 8, 7}, x[2];
  num_least_squares(3, 2, A, b, x);
  CHECK_NEAR(x[0], 3, 1e-14);
  CHECK_NEAR(x[1], 4, 1e-14);
}
