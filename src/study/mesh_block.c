// The linear equations of one interval of a mesh, M X = S: Gauss's elimination with the largest
// pivots.
//
// A row holds its right sides first, then its entries of M, each part filled up with zeros to whole
// vectors: rows are changed vector by vector, on every processor by the same operations in the same
// order.
#include "study/mesh.h"

#include <math.h>

typedef double four __attribute__((vector_size(32), aligned(8)));

#define INLINE __attribute__((always_inline)) static inline

int study_block_part(int count)
{
  return (count + 3) / 4 * 4;
}

// to -= times from, over so many numbers
INLINE void subtract(int count, double times, const double* from, double* to)
{
  for (int j = 0; j < count; j += 4) *(four*)(to + j) -= times * *(const four*)(from + j);
}

INLINE void swap(int count, double* a, double* b)
{
  for (int j = 0; j < count; j += 4) {
    const four x = *(four*)(a + j);
    *(four*)(a + j) = *(four*)(b + j);
    *(four*)(b + j) = x;
  }
}

INLINE bool solve(int size, int wide, double* M)
{
  const int right = study_block_part(wide), stride = right + study_block_part(size);
  for (int k = 0; k < size; k++) {
    double* row = M + (long)k * stride;
    const int from = right + k / 4 * 4; // before it the row is done with
    int best = k;
    for (int i = k + 1; i < size; i++)
      if (fabs(M[(long)i * stride + right + k]) > fabs(M[(long)best * stride + right + k]))
        best = i;
    if (best != k) swap(stride, row, M + (long)best * stride);
    if (!(fabs(row[right + k]) > 0) || !isfinite(row[right + k])) return false;
    const double over = 1 / row[right + k];
    for (int i = k + 1; i < size; i++) {
      double* below = M + (long)i * stride;
      const double times = below[right + k] * over;
      if (times == 0) continue;
      subtract(right, times, row, below);
      subtract(stride - from, times, row + from, below + from);
    }
  }
  for (int k = size - 1; k >= 0; k--) {
    double* row = M + (long)k * stride;
    const double over = 1 / row[right + k];
    for (int j = k + 1; j < size; j++) subtract(right, row[right + j], M + (long)j * stride, row);
    for (int c = 0; c < right; c += 4) *(four*)(row + c) *= over;
  }
  return true;
}

enum { m = study_mesh_degree };

// for one coordinate and for two the sizes are numbers
#define KERNEL(NAME, TARGET)                                     \
  TARGET static bool solve_##NAME(int size, int wide, double* M) \
  {                                                              \
    if (size == m && wide == 4) return solve(m, 4, M);           \
    if (size == 2 * m && wide == 6) return solve(2 * m, 6, M);   \
    return solve(size, wide, M);                                 \
  }

KERNEL(plain, )
#if defined __x86_64__
KERNEL(avx2, __attribute__((target("avx2"))))
#endif

bool study_block_solve(int size, int wide, double* M)
{
#if defined __x86_64__
  if (BASE_HAS_AVX2) return solve_avx2(size, wide, M);
#endif
  return solve_plain(size, wide, M);
}
