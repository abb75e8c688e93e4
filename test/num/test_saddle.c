// Sparse saddle-point problems against full matrices.
#include "check.h"
#include "num/saddle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double noise(uint64_t* seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

// A ladder: n coordinates with neighbours coupled in K, a constraint between i and i + 2
enum { n = 40, m = n - 2 };

typedef struct ladder
{
  int K_start[n + 1], K_column[2 * n], A_start[m + 2], A_column[3 * n];
  double K[2 * n], A[3 * n];
  num_rows K_rows, A_rows;
} ladder;

static void make(ladder* l, bool massless)
{
  uint64_t seed = 5;
  int k = 0, a = 0;
  memset(l, 0, sizeof *l);
  for (int i = 0; i < n; i++) {
    if (i > 0) {
      l->K_column[k] = i - 1;
      l->K[k++] = massless ? 0 : 0.3 * noise(&seed);
    }
    l->K_column[k] = i;
    l->K[k++] = massless && i % 7 == 3 ? 0 : 2 + noise(&seed);
    l->K_start[i + 1] = k;
  }
  for (int r = 0; r < m; r += 2) {
    for (int j = 0; j < 3; j++) {
      l->A_column[a] = r + j;
      l->A[a++] = 1 + noise(&seed);
    }
    l->A_start[r / 2 + 1] = a;
  }
  l->K_rows = (num_rows){l->K_start, l->K_column};
  l->A_rows = (num_rows){l->A_start, l->A_column};
}

// largest residual of both equations
static double residual(const ladder* l, int rows, const double* f, const double* c, const double* x,
                       const double* y)
{
  double r[n], most = 0;
  for (int i = 0; i < n; i++) r[i] = -f[i];
  for (int i = 0; i < n; i++)
    for (int p = l->K_start[i]; p < l->K_start[i + 1]; p++) {
      const int j = l->K_column[p];
      r[i] += l->K[p] * x[j];
      if (j != i) r[j] += l->K[p] * x[i];
    }
  for (int k = 0; k < rows; k++) {
    double left = -c[k];
    for (int p = l->A_start[k]; p < l->A_start[k + 1]; p++) {
      left += l->A[p] * x[l->A_column[p]];
      r[l->A_column[p]] += l->A[p] * y[k];
    }
    most = fmax(most, fabs(left));
  }
  for (int i = 0; i < n; i++) most = fmax(most, fabs(r[i]));
  return most;
}

static double solve(const ladder* l, int rows, bool stiff, int* bad)
{
  double f[n], c[m], x[n], y[m];
  for (int i = 0; i < n; i++) f[i] = sin(i);
  for (int k = 0; k < rows; k++) c[k] = cos(3 * k);
  num_saddle* s = num_saddle_new(n, &l->K_rows, rows, &l->A_rows, stiff);
  *bad = num_saddle_factor(s, l->K, l->A, NULL, 0, 1e-12);
  num_saddle_solve(s, f, c, x, y);
  num_saddle_free(s);
  return residual(l, rows, f, c, x, y);
}

TEST(a_saddle_is_solved_to_rounding)
{
  ladder l;
  int bad;
  make(&l, false);
  CHECK(solve(&l, m / 2, false, &bad) < 1e-12);
  CHECK_INT(bad, -1);
  CHECK(solve(&l, m / 2, true, &bad) < 1e-11);
  CHECK_INT(bad, -1);
}

TEST(coordinates_without_mass_are_named_or_held_by_the_constraints)
{
  ladder l;
  int bad;
  make(&l, true);
  num_saddle* s = num_saddle_new(n, &l.K_rows, m / 2, &l.A_rows, false);
  CHECK(num_saddle_factor(s, l.K, l.A, NULL, 0, 1e-12) % 7 == 3);
  num_saddle_free(s);
  CHECK(solve(&l, m / 2, true, &bad) < 1e-11);
  CHECK_INT(bad, -1);
}

// the last row again, doubled: it drops out, whichever of the two it is
TEST(a_row_that_depends_on_others_drops_out)
{
  ladder l;
  make(&l, false);
  const int rows = m / 2;
  for (int j = 0; j < 3; j++) {
    const int from = l.A_start[rows - 1] + j, to = l.A_start[rows] + j;
    l.A_column[to] = l.A_column[from];
    l.A[to] = 2 * l.A[from];
  }
  l.A_start[rows + 1] = l.A_start[rows] + 3;
  num_saddle* s = num_saddle_new(n, &l.K_rows, rows + 1, &l.A_rows, false);
  double f[n], c[m] = {0}, x[n], y[m];
  for (int i = 0; i < n; i++) f[i] = sin(i);
  CHECK_INT(num_saddle_factor(s, l.K, l.A, NULL, 0, 1e-12), -1);
  int dependent = 0;
  for (int k = 0; k <= rows; k++) dependent += num_saddle_is_dependent(s, k);
  CHECK_INT(dependent, 1);
  num_saddle_solve(s, f, c, x, y);
  CHECK(residual(&l, rows + 1, f, c, x, y) < 1e-12);
  num_saddle_free(s);
}

TEST(the_factor_of_a_chain_grows_with_its_length)
{
  size_t entries[2];
  for (int turn = 0; turn < 2; turn++) {
    const int count = turn ? 20000 : 2000;
    int* start = malloc(sizeof(int) * (size_t)(count + 1));
    int* column = malloc(sizeof(int) * 2 * (size_t)count);
    int* A_start = malloc(sizeof(int) * (size_t)(count + 1));
    for (int i = 0; i <= count; i++) start[i] = i;
    for (int i = 0; i < count; i++) A_start[i] = 2 * i;
    for (int i = 0; i < count - 1; i++) {
      column[2 * i] = i;
      column[2 * i + 1] = i + 1;
    }
    const num_rows K = {start, start}, A = {A_start, column};
    num_saddle* s = num_saddle_new(count, &K, count - 1, &A, false);
    entries[turn] = num_saddle_entries(s);
    num_saddle_free(s);
    free(start);
    free(column);
    free(A_start);
  }
  CHECK_NEAR((double)entries[1] / (double)entries[0], 10, 0.1);
}

// what elimination in the order of the factor fills, row by row and column by column
static size_t filled(const num_saddle* s)
{
  static bool full[2 * n][2 * n];
  memset(full, 0, sizeof full);
  for (int i = 0; i < s->n; i++)
    for (int p = s->K.start[i]; p < s->K.start[i + 1]; p++) {
      const int a = s->place[i], b = s->place[s->K.column[p]];
      full[a][b] = full[b][a] = true;
    }
  for (int k = 0; k < s->m; k++)
    for (int p = s->A.start[k]; p < s->A.start[k + 1]; p++) {
      const int a = s->place[s->n + k], b = s->place[s->A.column[p]];
      full[a][b] = full[b][a] = true;
      for (int q = s->A.start[k]; s->stiff && q < p; q++) {
        const int c = s->place[s->A.column[q]];
        full[c][b] = full[b][c] = true;
      }
    }
  size_t count = 0;
  for (int j = 0; j < s->nodes; j++)
    for (int i = j + 1; i < s->nodes; i++) {
      if (!full[i][j]) continue;
      count++;
      for (int k = j + 1; k < s->nodes; k++)
        if (full[k][j]) full[i][k] = true;
    }
  return count;
}

TEST(the_factor_holds_what_elimination_fills_and_nothing_twice)
{
  ladder l;
  make(&l, false);
  for (int stiff = 0; stiff < 2; stiff++) {
    num_saddle* s = num_saddle_new(n, &l.K_rows, m / 2, &l.A_rows, stiff);
    CHECK_INT((long)num_saddle_entries(s), (long)filled(s));
    for (int j = 0; j < s->nodes; j++)
      for (size_t p = s->start[j] + 1; p < s->start[j + 1]; p++) CHECK(s->row[p - 1] < s->row[p]);
    num_saddle_free(s);
  }
}
