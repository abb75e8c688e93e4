// Eigenvalues of general matrices.
#include "num/num.h"

#include "check.h"

#include <stdlib.h>

enum { most = 24 };

static double draw(uint64_t* seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

TEST(eigenvalues_of_a_companion_matrix_are_the_roots)
{
  // (x - 1)(x + 2)(x^2 + 2x + 5): roots 1, -2, -1 +- 2i
  const double A[16] = {-3, -5, -1, 10, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  double re[4], im[4];
  CHECK(num_eigen(4, A, re, im));
  const double want_re[4] = {-2, -1, -1, 1}, want_im[4] = {0, -2, 2, 0};
  for (int i = 0; i < 4; i++) {
    CHECK_NEAR(re[i], want_re[i], 1e-13);
    CHECK_NEAR(im[i], want_im[i], 1e-13);
  }
  CHECK(im[1] == -im[2] && re[1] == re[2]);
}

// trace and trace of the square are the sums of eigenvalues and of their squares
TEST(sums_of_eigenvalues_are_traces_of_random_matrices)
{
  uint64_t seed = 1961;
  for (int trial = 0; trial < 200; trial++) {
    const int n = 1 + trial % most;
    double A[most * most], re[most], im[most], trace = 0, square = 0, sum = 0, squares = 0;
    for (int i = 0; i < n * n; i++) A[i] = draw(&seed) * (trial % 3 ? 1 : pow(10, 4 * draw(&seed)));
    CHECK(num_eigen(n, A, re, im));
    double size = 0;
    for (int i = 0; i < n; i++) {
      trace += A[i * n + i];
      sum += re[i];
      squares += re[i] * re[i] - im[i] * im[i];
      for (int j = 0; j < n; j++) {
        square += A[i * n + j] * A[j * n + i];
        size += A[i * n + j] * A[i * n + j];
      }
    }
    CHECK_NEAR(sum, trace, 1e-13 * (1 + sqrt(size)) * n);
    CHECK_NEAR(squares, square, 1e-13 * (1 + size) * n);
    for (int i = 1; i < n; i++) CHECK(re[i - 1] <= re[i] + 1e-12 * sqrt(size));
  }
}

TEST(vectors_belong_to_their_eigenvalues)
{
  uint64_t seed = 1846;
  for (int trial = 0; trial < 40; trial++) {
    const int n = 2 + trial % 9;
    double A[most * most], re[most], im[most], x[most], y[most];
    for (int i = 0; i < n * n; i++) A[i] = draw(&seed);
    CHECK(num_eigen(n, A, re, im));
    for (int k = 0; k < n; k++) {
      num_eigen_vector(n, A, re[k], im[k], x, y);
      double largest = 0;
      for (int i = 0; i < n; i++) {
        double left = -re[k] * x[i] + im[k] * y[i], right = -re[k] * y[i] - im[k] * x[i];
        for (int j = 0; j < n; j++) {
          left += A[i * n + j] * x[j];
          right += A[i * n + j] * y[j];
        }
        CHECK_NEAR(left, 0, 1e-11);
        CHECK_NEAR(right, 0, 1e-11);
        largest = fmax(largest, hypot(x[i], y[i]));
      }
      CHECK_NEAR(largest, 1, 1e-8);
    }
  }
}

TEST(eigenvalues_of_badly_scaled_and_empty_matrices)
{
  // similar to [[0, 1], [-4, 0]] by a change of units
  const double A[4] = {0, 1e9, -4e-9, 0};
  double re[2], im[2];
  CHECK(num_eigen(2, A, re, im));
  CHECK_NEAR(im[1], 2, 1e-15);
  CHECK_NEAR(re[1], 0, 1e-15);
  CHECK(num_eigen(0, NULL, re, im));
  const double zero[4] = {0}, bad[4] = {0, NAN, 0, 0};
  CHECK(num_eigen(2, zero, re, im) && re[0] == 0 && im[1] == 0);
  CHECK(!num_eigen(2, bad, re, im));
}

// A cycle of n places: its eigenvalues lie on the unit circle, all of one size, and steps of QR
// without a shift leave it as it is. The same with a weak link.
TEST(eigenvalues_of_cycles_are_the_roots_of_unity)
{
  double A[24 * 24], re[24], im[24];
  for (int n = 2; n <= 24; n++) {
    memset(A, 0, sizeof A);
    for (int i = 0; i < n; i++) A[((i + 1) % n) * n + i] = 1;
    CHECK(num_eigen(n, A, re, im));
    for (int k = 0; k < n; k++) {
      double off = INFINITY;
      for (int i = 0; i < n; i++)
        off = fmin(off, hypot(re[i] - cos(2 * M_PI * k / n), im[i] - sin(2 * M_PI * k / n)));
      CHECK_NEAR(off, 0, 1e-13);
    }
    // the n-th roots of a small number are not small
    A[n - 1] = 1e-12;
    CHECK(num_eigen(n, A, re, im));
    for (int i = 0; i < n; i++) CHECK_NEAR(hypot(re[i], im[i]) / pow(1e-12, 1.0 / n), 1, 1e-10);
  }
}
