// LU factorisation with partial pivoting, P A = L U, in place.
#include "num/num.h"

#include <assert.h>
#include <float.h>
#include <math.h>

// rows begin where they may: no alignment is taken for granted
typedef double wide __attribute__((vector_size(64), aligned(8)));
typedef double half __attribute__((vector_size(32), aligned(8)));
enum { WIDE = NUM_LU_STEP, HALF = WIDE / 2 };
#define INLINE static inline __attribute__((always_inline))
#pragma GCC diagnostic ignored "-Wpsabi"

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

// to -= l from, each entry by itself: the same bits whatever the width
INLINE void subtract(int count, double l, const double* from, double* to)
{
  int j = 0;
  for (; j + WIDE <= count; j += WIDE) *(wide*)(to + j) -= l * *(const wide*)(from + j);
  if (j + HALF <= count) {
    *(half*)(to + j) -= l * *(const half*)(from + j);
    j += HALF;
  }
  for (; j < count; j++) to[j] -= l * from[j];
}

INLINE bool factor(int n, double* A, int* pivot)
{
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
      const double l = Ai[k] /= Ak[k];
      subtract(n - k - 1, l, Ak + k + 1, Ai + k + 1);
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

// Two strips of columns side by side: neither waits for the other. Each entry is made as
// num_lu_solve makes it, in the same order.
INLINE void solve_strips(int n, const double* A, int columns, double* X)
{
  for (int i = 1; i < n; i++) {
    double* Xi = X + (size_t)i * columns;
    wide a = *(const wide*)Xi, b = *(const wide*)(Xi + WIDE);
    for (int j = 0; j < i; j++) {
      const double l = A[(size_t)i * n + j], *Xj = X + (size_t)j * columns;
      a -= l * *(const wide*)Xj;
      b -= l * *(const wide*)(Xj + WIDE);
    }
    *(wide*)Xi = a;
    *(wide*)(Xi + WIDE) = b;
  }
  for (int i = n - 1; i >= 0; i--) {
    double* Xi = X + (size_t)i * columns;
    wide a = *(const wide*)Xi, b = *(const wide*)(Xi + WIDE);
    for (int j = i + 1; j < n; j++) {
      const double u = A[(size_t)i * n + j], *Xj = X + (size_t)j * columns;
      a -= u * *(const wide*)Xj;
      b -= u * *(const wide*)(Xj + WIDE);
    }
    *(wide*)Xi = a / A[(size_t)i * n + i];
    *(wide*)(Xi + WIDE) = b / A[(size_t)i * n + i];
  }
}

INLINE void solve_all(int n, const double* A, int columns, double* X)
{
  for (int c = 0; c < columns; c += 2 * WIDE) solve_strips(n, A, columns, X + c);
}

// one kind of instructions each, the same bits
#define KERNEL(NAME, TARGET)                                                          \
  TARGET static bool factor_##NAME(int n, double* A, int* pivot)                      \
  {                                                                                   \
    return factor(n, A, pivot);                                                       \
  }                                                                                   \
  TARGET static void solve_all_##NAME(int n, const double* A, int columns, double* X) \
  {                                                                                   \
    solve_all(n, A, columns, X);                                                      \
  }

KERNEL(plain, )
#if defined __x86_64__
KERNEL(avx2, __attribute__((target("avx2"))))
KERNEL(avx512, __attribute__((target("avx512f"))))
#endif

bool num_lu(int n, double* A, int* pivot)
{
  assert(n >= 0);
#if defined __x86_64__
  if (n > HALF && BASE_HAS_AVX512) return factor_avx512(n, A, pivot);
  if (n > HALF && BASE_HAS_AVX2) return factor_avx2(n, A, pivot);
#endif
  return factor_plain(n, A, pivot);
}

void num_lu_solve_many(int n, const double* A, const int* pivot, int columns, double* X)
{
  assert(columns % (2 * WIDE) == 0);
  for (int k = 0; k < n; k++)
    if (pivot[k] != k) swap_rows(columns, X + (size_t)k * columns, X + (size_t)pivot[k] * columns);
#if defined __x86_64__
  if (BASE_HAS_AVX512)
    solve_all_avx512(n, A, columns, X);
  else if (BASE_HAS_AVX2)
    solve_all_avx2(n, A, columns, X);
  else
    solve_all_plain(n, A, columns, X);
#else
  solve_all_plain(n, A, columns, X);
#endif
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
