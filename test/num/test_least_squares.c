// Dense least squares against the normal equations and against data that fit exactly.
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

// reflections in panels against one by one: a matrix beside others, n = 95 and n above the limit
TEST(least_squares_of_many_unknowns_by_panels_is_that_of_single_reflections)
{
  static const int size[] = {95, 96, 103, 104, 130, 161};
  for (int c = 0; c < 6; c++) {
    const int n = size[c], m = n + 40, all = m + n;
    double* A = base_alloc(sizeof(double) * (size_t)(2 * all * n + 2 * all + n));
    double *keep = A + all * n, *b = keep + all * n, *right = b + all, *x = right + all;
    for (int i = 0; i < m; i++) {
      for (int j = 0; j < n; j++) A[i * n + j] = sin(1 + i * (1 + 0.7 * j) + 0.37 * j * j);
      b[i] = cos(0.3 * i * i);
    }
    // rows of a damping term below
    for (int j = 0; j < n; j++) A[(m + j) * n + j] = 0.1;
    memcpy(keep, A, sizeof(double) * (size_t)(all * n));
    memcpy(right, b, sizeof(double) * (size_t)all);
    num_least_squares(all, n, A, b, x);
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int i = 0; i < all; i++) {
        double r = right[i];
        for (int k = 0; k < n; k++) r -= keep[i * n + k] * x[k];
        sum += r * keep[i * n + j];
      }
      CHECK_NEAR(sum, 0, 1e-11);
    }
    free(A);
  }
}
