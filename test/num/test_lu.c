// Products. LU: many right-hand sides against each by itself; unknowns that nothing couples, block
// by block, against the whole at once.
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

// P A = L U, with the rows exchanged one after the other
static void check_factors(int size, const double* A, const double* LU, const int* pivot)
{
  enum { most = 40 };
  int row[most];
  for (int i = 0; i < size; i++) row[i] = i;
  for (int k = 0; k < size; k++) {
    const int kept = row[k];
    row[k] = row[pivot[k]];
    row[pivot[k]] = kept;
  }
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      double sum = i <= j ? LU[i * size + j] : 0;
      for (int k = 0; k < i && k <= j; k++) sum += LU[i * size + k] * LU[k * size + j];
      CHECK_NEAR(sum, A[row[i] * size + j], 1e-12);
    }
}

TEST(right_hand_sides_side_by_side_are_solved_to_the_bits_of_each_by_itself)
{
  enum { most = 40, columns = 2 * NUM_LU_COLUMNS };
  for (int size = 1; size <= most; size++) {
    static double A[most * most], LU[most * most], X[most * columns], x[most];
    int pivot[most];
    for (int i = 0; i < size * size; i++) LU[i] = A[i] = uniform();
    for (int i = 0; i < size * columns; i++) X[i] = uniform();
    CHECK(num_lu(size, LU, pivot));
    check_factors(size, A, LU, pivot);
    static double kept[most * columns];
    memcpy(kept, X, sizeof kept);
    num_lu_solve_many(size, LU, pivot, columns, X);
    for (int c = 0; c < columns; c++) {
      for (int i = 0; i < size; i++) x[i] = kept[i * columns + c];
      num_lu_solve(size, LU, pivot, x);
      for (int i = 0; i < size; i++) CHECK(x[i] == X[i * columns + c]);
    }
  }
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

// each entry in the order of the inner index, whatever the sizes; a third of the left side is zero
TEST(products_have_the_bits_of_sums_in_order)
{
  enum { most = 40 };
  static double A[most * most], B[most * most], C[most * most], D[most * most];
  int bad = 0;
  for (int turn = 0; turn < 400; turn++) {
    const int rows = 1 + turn % most, inner = 1 + turn * 7 % most, columns = 1 + turn * 13 % most;
    for (int i = 0; i < most * most; i++) {
      A[i] = i % 3 == turn % 3 ? 0 : uniform();
      B[i] = uniform();
    }
    num_multiply(rows, inner, columns, A, B, C);
    num_multiply_symmetric(inner, columns, B, A, D);
    for (int i = 0; i < rows; i++)
      for (int k = 0; k < columns; k++) {
        double sum = 0;
        for (int j = 0; j < inner; j++) sum += A[i * inner + j] * B[j * columns + k];
        bad += sum != C[i * columns + k];
      }
    for (int i = 0; i < columns; i++)
      for (int k = i; k < columns; k++) {
        double sum = 0;
        for (int j = 0; j < inner; j++) sum += B[j * columns + i] * A[j * columns + k];
        bad += sum != D[i * columns + k] || sum != D[k * columns + i];
      }
  }
  CHECK(bad == 0);
}
