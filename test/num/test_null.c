// The orthogonal factorisation: rank, null space, least-norm solutions, on random matrices.
#include "check.h"
#include "num/num.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t seed = 88172645463325252u;

static double uniform(void)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (double)(seed >> 11) / 4503599627370496.0 - 1;
}

enum { most = 24 };

// m by n of rank r, rows scaled over many powers of ten
static void random_of_rank(int m, int n, int r, double decades, double* A)
{
  double L[most * most], R[most * most];
  for (int i = 0; i < m * r; i++) L[i] = uniform();
  for (int i = 0; i < r * n; i++) R[i] = uniform();
  for (int i = 0; i < m; i++) {
    double scale = pow(10, decades * uniform());
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < r; k++) s += L[i * r + k] * R[k * n + j];
      A[i * n + j] = s * scale;
    }
  }
}

static double dot(int n, const double* a, int step_a, const double* b, int step_b)
{
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i * step_a] * b[i * step_b];
  return s;
}

static double norm(int n, const double* a)
{
  return sqrt(dot(n, a, 1, a, 1));
}

TEST(null_space_is_orthonormal_and_annihilated_at_any_rank)
{
  num_null* f = num_null_new(most, most);
  double worst_ortho = 0, worst_zero = 0;
  for (int run = 0; run < 3000; run++) {
    int m = 1 + (int)(fabs(uniform()) * 12), n = 1 + (int)(fabs(uniform()) * 12);
    int least = m < n ? m : n, r = (int)(fabs(uniform()) * (least + 1));
    if (r > least) r = least;
    double A[most * most], Z[most * most];
    random_of_rank(m, n, r, 6, A);
    int rank = num_null_factor(f, m, n, A, 1e-10);
    CHECK_INT(rank, r);
    CHECK_INT(num_null_rank(f), r);
    num_null_basis(f, Z);
    int q = n - r;
    for (int a = 0; a < q; a++) {
      for (int b = 0; b <= a; b++)
        worst_ortho = fmax(worst_ortho, fabs(dot(n, Z + a, q, Z + b, q) - (a == b)));
      for (int i = 0; i < m; i++) {
        double s = norm(n, A + i * n);
        if (s > 0) worst_zero = fmax(worst_zero, fabs(dot(n, A + i * n, 1, Z + a, q)) / s);
      }
    }
    CHECK(num_null_margin(f) > 0 && num_null_margin(f) <= 1);
  }
  printf("# orthonormal to %.2g, annihilated to %.2g\n", worst_ortho, worst_zero);
  CHECK_NEAR(worst_ortho, 0, 3e-15);
  CHECK_NEAR(worst_zero, 0, 1e-10);
  num_null_free(f);
}

TEST(null_order_names_the_dependent_rows_last)
{
  // rows 2 = 0 + 1 and 4 = 3 in another unit
  const double A[] = {1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 2e5, 2e5};
  num_null* f = num_null_new(5, 4);
  CHECK_INT(num_null_factor(f, 5, 4, A, 0), 3);
  const int* order = num_null_order(f);
  bool seen[5] = {false};
  for (int i = 0; i < 5; i++) seen[order[i]] = true;
  for (int i = 0; i < 5; i++) CHECK(seen[i]);
  // of two equal rows the later is the dependent one
  CHECK(order[3] == 4 || order[4] == 4);
  CHECK(order[3] <= 2 || order[4] <= 2);
  num_null_free(f);
}

TEST(null_solves_with_the_least_norm_and_tells_contradictions)
{
  num_null* f = num_null_new(most, most);
  for (int run = 0; run < 1000; run++) {
    int m = 1 + (int)(fabs(uniform()) * 8), n = 1 + (int)(fabs(uniform()) * 8);
    int least = m < n ? m : n, r = 1 + (int)(fabs(uniform()) * least);
    if (r > least) r = least;
    double A[most * most], Z[most * most], want[most], b[most], x[most];
    random_of_rank(m, n, r, 2, A);
    for (int j = 0; j < n; j++) want[j] = uniform();
    for (int i = 0; i < m; i++) b[i] = dot(n, A + i * n, 1, want, 1);
    CHECK_INT(num_null_factor(f, m, n, A, 1e-9), r);
    double left = num_null_solve(f, A, b, x);
    CHECK_NEAR(left, 0, 1e-12 / num_null_margin(f));
    // the least norm has nothing in the null space
    num_null_basis(f, Z);
    for (int c = 0; c < n - r; c++)
      CHECK_NEAR(dot(n, Z + c, n - r, x, 1), 0, 1e-13 / num_null_margin(f));
    if (r == m) continue;
    // a contradiction in a dependent row shows in units of x
    int row = num_null_order(f)[m - 1];
    double unit = norm(n, A + row * n);
    b[row] += 0.5 * unit;
    CHECK_NEAR(num_null_solve(f, A, b, x), 0.5, 1e-10 / num_null_margin(f));
  }
  num_null_free(f);
}

TEST(null_solves_transposed_with_the_least_multipliers)
{
  num_null* f = num_null_new(most, most);
  num_null* g = num_null_new(most, most);
  for (int run = 0; run < 1000; run++) {
    int m = 1 + (int)(fabs(uniform()) * 8), n = 1 + (int)(fabs(uniform()) * 8);
    int least = m < n ? m : n, r = 1 + (int)(fabs(uniform()) * least);
    if (r > least) r = least;
    double A[most * most], At[most * most], N[most * most], rhs[most], y[most], left[most];
    random_of_rank(m, n, r, 1, A);
    for (int j = 0; j < n; j++) rhs[j] = uniform();
    CHECK_INT(num_null_factor(f, m, n, A, 1e-9), r);
    double rest = num_null_solve_t(f, A, rhs, y);
    // what is left is orthogonal to all rows: least squares
    for (int j = 0; j < n; j++) left[j] = rhs[j] - dot(m, A + j, n, y, 1);
    double scale = norm(m, y) + 1, margin = num_null_margin(f);
    CHECK_NEAR(rest, norm(n, left), 1e-13 * scale);
    for (int i = 0; i < m; i++)
      CHECK_NEAR(dot(n, A + i * n, 1, left, 1) / norm(n, A + i * n), 0, 1e-12 * scale / margin);
    // y has nothing in the null space of A^T: the shortest of all, in the rows' own units
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) At[j * m + i] = A[i * n + j];
    CHECK_INT(num_null_factor(g, n, m, At, 1e-8), r);
    num_null_basis(g, N);
    for (int c = 0; c < m - r; c++)
      CHECK_NEAR(dot(m, N + c, m - r, y, 1), 0, 1e-11 * scale / margin);
  }
  num_null_free(f);
  num_null_free(g);
}

TEST(two_equal_rows_share_a_reaction_by_their_own_units)
{
  // A^T y = g with rows a and 3 a: y is along (1, 3)
  const double A[] = {1, 2, 3, 6}, g[] = {10, 20};
  double y[2];
  num_null* f = num_null_new(2, 2);
  CHECK_INT(num_null_factor(f, 2, 2, A, 0), 1);
  CHECK_NEAR(num_null_solve_t(f, A, g, y), 0, 1e-14);
  CHECK_NEAR(y[0], 1, 1e-15);
  CHECK_NEAR(y[1], 3, 4e-15);
  num_null_free(f);
}

TEST(null_handles_zero_rows_empty_sizes_and_wild_scales)
{
  num_null* f = num_null_new(4, 4);
  double Z[16], x[4], y[4];
  CHECK_INT(num_null_factor(f, 0, 3, NULL, 0), 0);
  num_null_basis(f, Z);
  for (int i = 0; i < 9; i++) CHECK_NEAR(Z[i], i % 4 == 0, 0);
  const double A[] = {0, 0, 0, 1e200, 1e200, 0, 0, 0, 0, 0, 1e-200, 1e-200};
  CHECK_INT(num_null_factor(f, 4, 3, A, 0), 2);
  CHECK(num_null_order(f)[2] == 0 && num_null_order(f)[3] == 2);
  const double b[] = {0, 2e200, 0, 2e-200};
  CHECK_NEAR(num_null_solve(f, A, b, x), 0, 1e-15);
  CHECK_NEAR(x[0] + x[1], 2, 1e-15);
  CHECK_NEAR(x[1] + x[2], 2, 1e-15);
  // a zero row with a right side is a contradiction
  const double c[] = {0.25, 2e200, 0, 2e-200};
  CHECK_NEAR(num_null_solve(f, A, c, x), 0.25, 1e-15);
  const double g[] = {1, 1, 0};
  num_null_solve_t(f, A, g, y);
  CHECK_NEAR(y[0], 0, 0);
  CHECK_NEAR(y[2], 0, 0);
  CHECK_NEAR(y[1] * 1e200, 1, 1e-15);
  // not a number comes out as not a number
  const double bad[] = {1, NAN, 0};
  CHECK_INT(num_null_factor(f, 1, 3, bad, 0), 0);
  num_null_basis(f, Z);
  CHECK(isnan(Z[0]));
  CHECK(isnan(num_null_solve(f, bad, b, x)) && isnan(x[0]));
  CHECK(num_null_margin(f) == 0);
  num_null_free(f);
}

TEST(margin_falls_as_rows_become_dependent)
{
  num_null* f = num_null_new(2, 2);
  double before = 2;
  for (int p = 0; p <= 10; p++) {
    double A[] = {1, 0, 1, pow(10, -p)};
    CHECK_INT(num_null_factor(f, 2, 2, A, 1e-11), 2);
    double margin = num_null_margin(f);
    CHECK(margin < before);
    CHECK_NEAR(margin * hypot(1, A[3]) / A[3], 1, 1e-5);
    before = margin;
  }
  double A[] = {1, 0, 1, 1e-12};
  CHECK_INT(num_null_factor(f, 2, 2, A, 0), 1);
  num_null_free(f);
}

TEST(rank_does_not_depend_on_units)
{
  for (int run = 0; run < 500; run++) {
    int m = 1 + (int)(fabs(uniform()) * 10), n = 1 + (int)(fabs(uniform()) * 10);
    int least = m < n ? m : n, r = (int)(fabs(uniform()) * (least + 1));
    if (r > least) r = least;
    double A[most * most];
    random_of_rank(m, n, r, 5, A);
    for (int j = 0; j < n; j++) {
      double unit = pow(10, 5 * uniform());
      for (int i = 0; i < m; i++) A[i * n + j] *= unit;
    }
    CHECK_INT(num_rank(m, n, A, 1e-10), r);
  }
  CHECK_INT(num_rank(0, 3, NULL, 0), 0);
}

// what counts as zero is a share of the largest, whatever that is
TEST(null_factor_finds_the_rank_at_any_size)
{
  for (int run = 0; run < 200; run++) {
    const int m = 1 + (int)(fabs(uniform()) * 8), n = 1 + (int)(fabs(uniform()) * 8);
    const int least = m < n ? m : n, r = (int)(fabs(uniform()) * least);
    double A[most * most], B[most * most];
    random_of_rank(m, n, r, 1, A);
    num_null* f = num_null_new(m, n);
    for (double size = 1e-9; size < 1e10; size *= 1e3) {
      for (int i = 0; i < m * n; i++) B[i] = size * A[i];
      CHECK_INT(num_null_factor(f, m, n, B, 1e-10), r);
    }
    num_null_free(f);
  }
}

// a coordinate in small units that only one equation knows, whichever of them that is
TEST(rank_counts_what_stands_in_one_row_alone)
{
  enum { m = 4, n = 5 };
  for (int own = 0; own < m; own++)
    for (double unit = 1e-14; unit < 1e15; unit *= 1e4) {
      double A[m * n] = {0};
      // the others are two equations, each written twice
      for (int i = 0; i < m; i++) A[i * n + (i + m - own) % m / 2] = A[i * n + 3] = 1;
      A[own * n + 4] = unit;
      CHECK_INT(num_rank(m, n, A, 1e-10), 3);
    }
}

// Cholesky and LU against their products
// Columns multiplied by powers of two and weighed by their inverses: bit for bit the same answers
// in the other units, redundant rows included.
TEST(weighed_columns_give_the_same_in_any_units)
{
  enum { m = 4, n = 6, r = 3 };
  num_null* f = num_null_new(m, n);
  for (int run = 0; run < 200; run++) {
    double A[m * n], B[m * n], one[n], weight[n], b[m], g[n], h[n];
    random_of_rank(m, n, r, 0, A);
    for (int j = 0; j < n; j++) {
      const double unit = ldexp(1, (int)(40 * uniform()));
      one[j] = 1;
      weight[j] = 1 / unit;
      g[j] = uniform();
      h[j] = g[j] * unit;
      for (int i = 0; i < m; i++) B[i * n + j] = A[i * n + j] * unit;
    }
    for (int i = 0; i < m; i++) b[i] = uniform();
    double Z[n * n], x[n], y[m], Z_other[n * n], x_other[n], y_other[m];
    num_null_weigh(f, one);
    CHECK_INT(num_null_factor(f, m, n, A, 1e-10), r);
    num_null_basis(f, Z);
    num_null_solve(f, A, b, x);
    num_null_solve_t(f, A, g, y);
    num_null_weigh(f, weight);
    CHECK_INT(num_null_factor(f, m, n, B, 1e-10), r);
    num_null_basis(f, Z_other);
    num_null_solve(f, B, b, x_other);
    num_null_solve_t(f, B, h, y_other);
    for (int j = 0; j < n; j++) {
      CHECK(x_other[j] == x[j] * weight[j]);
      for (int k = 0; k < n - r; k++)
        CHECK(Z_other[j * (n - r) + k] == Z[j * (n - r) + k] * weight[j]);
    }
    for (int i = 0; i < m; i++) CHECK(y_other[i] == y[i]);
  }
  num_null_free(f);
}

// a redundant row written larger carries the same force, not a larger one
TEST(redundant_rows_share_by_their_lengths_where_columns_are_weighed)
{
  num_null* f = num_null_new(2, 1);
  const double A[2] = {1, 4}, g[1] = {8}, weight[1] = {2};
  double y[2];
  num_null_weigh(f, weight);
  num_null_factor(f, 2, 1, A, 0);
  num_null_solve_t(f, A, g, y);
  CHECK_NEAR(y[0], 4, 1e-14);
  CHECK_NEAR(y[1], 1, 1e-14);
  num_null_weigh(f, NULL);
  num_null_factor(f, 2, 1, A, 0);
  num_null_solve_t(f, A, g, y);
  CHECK_NEAR(y[0], 8.0 / 17, 1e-14);
  CHECK_NEAR(y[1], 32.0 / 17, 1e-14);
  num_null_free(f);
}

TEST(cholesky_and_lu_solve_what_they_factor)
{
  static const int sizes[] = {1, 2, 3, 7, 24, 64, 150};
  for (int k = 0; k < 7; k++) {
    int n = sizes[k];
    size_t bytes = (size_t)n * (size_t)n * sizeof(double);
    double *B = malloc(bytes), *S = malloc(bytes), *x = malloc((size_t)n * 16);
    int* pivot = malloc((size_t)n * sizeof *pivot);
    for (int i = 0; i < n * n; i++) B[i] = uniform();
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        S[i * n + j] = dot(n, B + i * n, 1, B + j * n, 1) + (i == j ? 0.1 : 0);
    for (int i = 0; i < n; i++) {
      x[i] = 0;
      for (int j = 0; j < n; j++) x[i] += S[i * n + j] * (j + 1);
    }
    CHECK(num_cholesky(n, S, 0));
    num_cholesky_solve(n, S, x);
    for (int i = 0; i < n; i++) CHECK_NEAR(x[i], i + 1, 1e-9 * n);
    for (int i = 0; i < n; i++) {
      x[i] = 0;
      for (int j = 0; j < n; j++) x[i] += B[i * n + j] * (j + 1);
    }
    CHECK(num_lu(n, B, pivot));
    num_lu_solve(n, B, pivot, x);
    for (int i = 0; i < n; i++) CHECK_NEAR(x[i], i + 1, 1e-9 * n);
    free(B), free(S), free(x), free(pivot);
  }
}

TEST(cholesky_refuses_what_is_not_positive)
{
  double indefinite[] = {1, 2, 2, 1}, half[] = {1, 1, 1, 1}, nan[] = {NAN}, zero[] = {0};
  CHECK(!num_cholesky(2, indefinite, 0));
  CHECK(!num_cholesky(2, half, 0));
  CHECK(!num_cholesky(1, nan, 0));
  CHECK(!num_cholesky(1, zero, 0));
  // units do not matter
  double units[] = {1e-12, 1e-7, 1e-7, 1.1e-2};
  CHECK(num_cholesky(2, units, 0));
}

TEST(lu_refuses_what_is_singular_in_any_unit)
{
  int slipped = 0;
  for (int run = 0; run < 300; run++) {
    int n = 2 + (int)(fabs(uniform()) * 10), pivot[most];
    double A[most * most], good[most * most];
    random_of_rank(n, n, n - 1, 0, A);
    random_of_rank(n, n, n, 0, good);
    for (int j = 0; j < n; j++) {
      double unit = pow(10, 4 * uniform());
      for (int i = 0; i < n; i++) A[i * n + j] *= unit, good[i * n + j] *= unit;
    }
    // the rounded entries themselves may make a regular matrix out of a singular one
    slipped += num_lu(n, A, pivot);
    CHECK(num_lu(n, good, pivot));
  }
  CHECK(slipped <= 3);
  double zero[] = {0}, nan[] = {NAN};
  int pivot[1];
  CHECK(!num_lu(1, zero, pivot));
  CHECK(!num_lu(1, nan, pivot));
}
