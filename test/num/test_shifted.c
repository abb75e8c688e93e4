// I - g J beside a full factorisation of it.
#include "check.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>

enum { most = 90 };

typedef BASE_LIST(int) numbers;
typedef BASE_LIST(double) values;

typedef struct made
{
  int n;
  numbers start, row;
  values J;
  double full[most * most];
} made;

static double number(unsigned* seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (1 << 23) - 1;
}

static void take(made* m, double g)
{
  for (int j = 0; j < m->n; j++) {
    base_push(&m->start, m->row.n);
    for (int i = 0; i < m->n; i++) {
      double* x = &m->full[i * m->n + j];
      if (*x != 0) {
        base_push(&m->row, i);
        base_push(&m->J, *x);
      }
      *x = (i == j) - g * *x;
    }
  }
  base_push(&m->start, m->row.n);
}

// the answers for a right-hand side; dense: whether it ends up so
static void check(made* m, double g, bool dense)
{
  double x[most], y[most];
  int pivot[most];
  take(m, g);
  num_shifted* s = num_shifted_new(m->n, &(num_rows){m->start.at, m->row.at});
  CHECK(num_shifted_factor(s, g, m->J.at));
  CHECK_INT(num_shifted_is_dense(s), dense);
  for (int i = 0; i < m->n; i++) x[i] = y[i] = sin(1 + 3 * i);
  num_shifted_solve(s, x);
  CHECK(num_lu(m->n, m->full, pivot));
  num_lu_solve(m->n, m->full, pivot, y);
  for (int i = 0; i < m->n; i++) CHECK_NEAR(x[i], y[i], 1e-9 * (1 + fabs(y[i])));
  num_shifted_free(s);
  base_list_free(&m->start);
  base_list_free(&m->row);
  base_list_free(&m->J);
}

TEST(a_full_matrix_of_places_and_speeds_is_solved_by_its_speeds)
{
  static made m;
  unsigned seed = 5;
  m = (made){.n = 83};
  const int half = 41;
  for (int i = 0; i < half; i++) m.full[i * m.n + half + i] = 1;
  for (int i = half; i < m.n; i++)
    for (int j = 0; j < m.n; j++) m.full[i * m.n + j] = 5 * number(&seed) - (i == j) * 300;
  check(&m, 0.3, true);
}

TEST(a_chain_stays_sparse)
{
  static made m;
  m = (made){.n = 90};
  for (int i = 0; i < 45; i++) {
    m.full[i * m.n + 45 + i] = 1;
    for (int k = -1; k <= 1; k++)
      if (i + k >= 0 && i + k < 45) {
        m.full[(45 + i) * m.n + i + k] = k ? 1000 : -2000;
        m.full[(45 + i) * m.n + 45 + i + k] = k ? 3 : -6;
      }
  }
  check(&m, 0.1, false);
}

// I - g J has noughts on its diagonal: pivots inside of a front do not do
TEST(a_sparse_matrix_that_needs_other_pivots_becomes_dense)
{
  static made m;
  m = (made){.n = 80};
  for (int i = 0; i < m.n; i++) {
    m.full[i * m.n + i] = 2;
    m.full[i * m.n + (i + 37) % m.n] = 1 + 0.01 * i;
  }
  check(&m, 0.5, true);
}

TEST(a_matrix_without_an_inverse_is_refused)
{
  const int start[] = {0, 1, 2}, row[] = {0, 1};
  const double J[] = {2, 1};
  num_shifted* s = num_shifted_new(2, &(num_rows){start, row});
  CHECK(!num_shifted_factor(s, 0.5, J));
  CHECK(num_shifted_factor(s, 0.25, J));
  num_shifted_free(s);
}
