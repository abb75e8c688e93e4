// LU of unknowns that nothing couples, block by block, against the whole at once.
#include "check.h"
#include "num/num.h"

#include <stdlib.h>

enum { n = 12 };

static uint64_t seed = 2463534242u;

static double uniform(void)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (double)(seed >> 11) / 4503599627370496.0 - 1;
}

// unknowns i and j are coupled where i % blocks == j % blocks
static void random_blocks(int blocks, double* A, double* b)
{
  for (int i = 0; i < n; i++) {
    b[i] = uniform();
    for (int j = 0; j < n; j++) A[i * n + j] = i % blocks == j % blocks ? uniform() : 0;
  }
}

// of the whole, and whether its determinant is negative
static bool solve_whole(double* A, double* x)
{
  int pivot[n];
  bool negative = false;
  CHECK(num_lu(n, A, pivot));
  num_lu_solve(n, A, pivot, x);
  for (int i = 0; i < n; i++) negative ^= (pivot[i] != i) != (A[i * n + i] < 0);
  return negative;
}

TEST(blocks_that_nothing_couples_are_solved_as_the_whole_is)
{
  void* memory = malloc(num_lu_apart_size(n));
  for (int blocks = 1; blocks <= 6; blocks++)
    for (int trial = 0; trial < 50; trial++) {
      double A[n * n], B[n * n], x[n], y[n];
      random_blocks(blocks, A, x);
      memcpy(B, A, sizeof B);
      memcpy(y, x, sizeof y);
      const bool negative = solve_whole(B, y);
      CHECK_INT(num_lu_apart(n, A, x, 1e-9, memory), negative ? -1 : 1);
      for (int i = 0; i < n; i++) CHECK_NEAR(x[i], y[i], 1e-9 * (1 + fabs(y[i])));
    }
  free(memory);
}

TEST(one_singular_block_makes_the_whole_singular)
{
  void* memory = malloc(num_lu_apart_size(n));
  double A[n * n], x[n];
  random_blocks(3, A, x);
  for (int j = 0; j < n; j++) A[4 * n + j] = 2 * A[7 * n + j];
  CHECK_INT(num_lu_apart(n, A, x, 1e-9, memory), 0);
  // and one whose pivots are small against those of the others
  random_blocks(3, A, x);
  for (int i = 1; i < n; i += 3)
    for (int j = 0; j < n; j++) A[i * n + j] *= 1e-12;
  CHECK_INT(num_lu_apart(n, A, x, 1e-9, memory), 0);
  free(memory);
}
