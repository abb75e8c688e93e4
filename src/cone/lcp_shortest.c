// The set of solutions where it is more than a point: its shortest member, and whether it is a
// point.
#include "cone/lcp.h"
#include "cone/small.h"

#include <math.h>
#include <string.h>

// Legend: B the rows with a = 0, S_BB x' = S_BB x for every solution x' (Cottle, Pang and Stone
// 1992, 3.1.7: S symmetric positive semidefinite), so x' = x + Z z with Z a basis of the null space
// of S_BB. The shortest is
//   min |x'|^2 with x' >= 0:  x' = p + P mu,  0 <= mu _|_ x' >= 0,  P = Z Z^T, p = x - P x,
// a problem of the same kind with a matrix that is positive semidefinite again.

// rows with a = 0 to the scale, rows of zeros left out; how many
static int tight(cone_lcp* f, int r, double scale)
{
  int k = 0;
  for (int s = 0; s < r; s++)
    if (f->d[s] > 0 && (f->x[s] > 0 || fabs(f->a[s]) <= cone_lcp_zero * scale)) f->B[k++] = s;
  return k;
}

static void multiply_transpose(int m, int k, const double* Z, double* P)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) {
      double s = 0;
      for (int c = 0; c < k; c++) s += Z[i * k + c] * Z[j * k + c];
      P[i * m + j] = s;
    }
}

// Is there z != 0 with (Z z)_i >= 0 on the rows where x is zero? If Z has full rank there, exactly
// when Z_I z >= 0 with sum Z_I z >= 1 has a solution: the shortest such z is a problem of this
// kind.
static bool can_move(cone_lcp* f, int k, int nulls, double scale)
{
  int zeros = 0;
  for (int i = 0; i < k; i++)
    if (f->p[i] <= cone_lcp_zero * scale) {
      memmove(f->Z + zeros * nulls, f->Z + i * nulls, (size_t)nulls * sizeof *f->Z);
      zeros++;
    }
  if (zeros < nulls || num_null_factor(f->null, zeros, nulls, f->Z, cone_shortest_rank) < nulls)
    return true;
  double* sum = f->Z + zeros * nulls;
  memset(sum, 0, (size_t)nulls * sizeof *sum);
  for (int i = 0; i < zeros; i++)
    for (int c = 0; c < nulls; c++) sum[c] += f->Z[i * nulls + c];
  multiply_transpose(zeros + 1, nulls, f->Z, f->P);
  memset(f->p, 0, (size_t)zeros * sizeof *f->p);
  f->p[zeros] = -1;
  return cone_lcp_dual(f->inner, zeros + 1, f->P, f->p, NULL, NULL) != CONE_LCP_EMPTY;
}

bool cone_lcp_shortest(cone_lcp* f, int r, double scale)
{
  int k = tight(f, r, scale);
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++) f->P[i * k + j] = f->S[(size_t)f->B[i] * r + f->B[j]];
  int nulls = k - num_null_factor(f->null, k, k, f->P, cone_shortest_null);
  if (nulls == 0) return true;

  num_null_basis(f->null, f->Z);
  multiply_transpose(k, nulls, f->Z, f->P);
  for (int i = 0; i < k; i++) {
    double s = f->x[f->B[i]];
    for (int j = 0; j < k; j++) s -= f->P[i * k + j] * f->x[f->B[j]];
    f->p[i] = s;
  }
  // it has solutions, x itself shows it; if rounding hides them, x stays
  if (cone_lcp_dual(f->inner, k, f->P, f->p, NULL, NULL) == CONE_LCP_DONE)
    for (int i = 0; i < k; i++) {
      double x = f->inner->a[i];
      f->x[f->B[i]] = x > cone_rounding * scale ? x : 0;
    }
  for (int i = 0; i < k; i++) f->p[i] = f->x[f->B[i]];
  return !can_move(f, k, nulls, scale);
}
