// LU factorisation with partial pivoting, P A = L U, in place.
#include "num/num.h"

#include <assert.h>
#include <float.h>
#include <math.h>

static int largest_in_column(int n, const double* A, int k)
{
  int best = k;
  for (int i = k + 1; i < n; i++)
    if (fabs(A[(size_t)i * n + k]) > fabs(A[(size_t)best * n + k])) best = i;
  return best;
}

static void swap_rows(int n, double* a, double* b)
{
  for (int j = 0; j < n; j++) {
    double t = a[j];
    a[j] = b[j];
    b[j] = t;
  }
}

// size of the terms whose difference the pivot is: a pivot far below it is rounding alone.
// the ratio does not change when a row or a column is measured in another unit
static double terms_of_pivot(int n, const double* A, int k)
{
  double s = 0;
  for (int j = 0; j < k; j++) s += fabs(A[(size_t)k * n + j] * A[(size_t)j * n + k]);
  return s;
}

bool num_lu(int n, double* A, int* pivot)
{
  assert(n >= 0);
  for (int k = 0; k < n; k++) {
    int p = largest_in_column(n, A, k);
    pivot[k] = p;
    double* Ak = A + (size_t)k * n;
    if (p != k) swap_rows(n, Ak, A + (size_t)p * n);
    double size = fabs(Ak[k]);
    // written so that nan fails too
    if (!(size > (40 + 20 * n) * DBL_EPSILON * terms_of_pivot(n, A, k) && isfinite(size)))
      return false;
    for (int i = k + 1; i < n; i++) {
      double* Ai = A + (size_t)i * n;
      if (Ai[k] == 0) continue;
      double l = Ai[k] /= Ak[k];
      for (int j = k + 1; j < n; j++) Ai[j] -= l * Ak[j];
    }
  }
  return true;
}

void num_lu_solve(int n, const double* A, const int* pivot, double* x)
{
  for (int k = 0; k < n; k++) {
    double t = x[k];
    x[k] = x[pivot[k]];
    x[pivot[k]] = t;
  }
  for (int i = 1; i < n; i++)
    for (int j = 0; j < i; j++) x[i] -= A[(size_t)i * n + j] * x[j];
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) x[i] -= A[(size_t)i * n + j] * x[j];
    x[i] /= A[(size_t)i * n + i];
  }
}

// ---- blocks -------------------------------------------------------------------------------------

static int leader_of(int* leader, int i)
{
  while (leader[i] != i) i = leader[i] = leader[leader[i]];
  return i;
}

// unknowns that some row knows both of are led by the first of them
static void find_blocks(int n, const double* A, int* leader)
{
  for (int i = 0; i < n; i++) leader[i] = i;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (A[(size_t)i * n + j] == 0 || leader[j] == leader[i]) continue;
      int a = leader_of(leader, i), b = leader_of(leader, j);
      leader[a > b ? a : b] = a < b ? a : b;
    }
  for (int i = 0; i < n; i++) leader[i] = leader_of(leader, i);
}

// one block solved in place; the sign of its determinant, 0 where it is singular
static int solve_block(int n, double* A, int* pivot, double* x, double* least, double* most)
{
  int sign = 1;
  if (!num_lu(n, A, pivot)) return 0;
  num_lu_solve(n, A, pivot, x);
  for (int i = 0; i < n; i++) {
    double d = A[(size_t)i * n + i];
    if ((pivot[i] != i) != (d < 0)) sign = -sign;
    *least = fmin(*least, fabs(d));
    *most = fmax(*most, fabs(d));
  }
  return sign;
}

size_t num_lu_apart_size(int n)
{
  return (size_t)n * ((size_t)n + 1) * sizeof(double) + 3 * (size_t)n * sizeof(int);
}

int num_lu_apart(int n, double* A, double* x, double margin, void* memory)
{
  double *block = memory, *part = block + (size_t)n * n, least = INFINITY, most = 0;
  int *leader = (int*)(part + n), *pivot = leader + n, *member = pivot + n, sign = 1;
  find_blocks(n, A, leader);
  for (int first = 0; first < n && sign; first++) {
    int size = 0;
    if (leader[first] != first) continue;
    for (int i = first; i < n; i++)
      if (leader[i] == first) member[size++] = i;
    const bool whole = size == n;
    for (int r = 0; r < size && !whole; r++) {
      part[r] = x[member[r]];
      for (int c = 0; c < size; c++) block[r * size + c] = A[(size_t)member[r] * n + member[c]];
    }
    sign *= solve_block(size, whole ? A : block, pivot, whole ? x : part, &least, &most);
    for (int r = 0; r < size && !whole && sign; r++) x[member[r]] = part[r];
  }
  return least > margin * most ? sign : 0;
}
