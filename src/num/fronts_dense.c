// One dense front: LU in panels, so that the rest is read once for all pivots of a panel. Pivots
// are looked for among the rows of the front that are eliminated in it.
#include "num/fronts.h"

#include <math.h>
#include <stdint.h>

enum { PANEL = 32, STRIP = NUM_FRONT_STEP, ROWS = 8 };

// rows of a front begin where they may: no alignment is taken for granted
typedef double wide __attribute__((vector_size(64), aligned(8)));
#define INLINE static inline __attribute__((always_inline))
#pragma GCC diagnostic ignored "-Wpsabi"

// F -= L U for `count` rows and one strip of columns, L from column `from`, U from row `from`
INLINE void subtract(int width, double* F, int rows, int from, int r, int c, int count)
{
  wide sum[ROWS];
  for (int i = 0; i < count; i++) sum[i] = *(const wide*)(F + (size_t)(r + i) * (size_t)rows + c);
  const double* L = F + (size_t)r * (size_t)rows + from;
  const double* U = F + (size_t)from * (size_t)rows + c;
  for (int k = 0; k < width; k++) {
    const wide u = *(const wide*)(U + (size_t)k * (size_t)rows);
    for (int i = 0; i < count; i++) sum[i] -= L[(size_t)i * (size_t)rows + k] * u;
  }
  for (int i = 0; i < count; i++) *(wide*)(F + (size_t)(r + i) * (size_t)rows + c) = sum[i];
}

// the largest of column k among the rows of the pivots that are left comes first; whole rows change
// places, what of them is factored already, too
INLINE bool choose(int pivots, double* F, int rows, int k, int* swap)
{
  int best = k;
  for (int r = k + 1; r < pivots; r++)
    if (fabs(F[(size_t)r * (size_t)rows + (size_t)k]) >
        fabs(F[(size_t)best * (size_t)rows + (size_t)k]))
      best = r;
  swap[k] = best;
  const double pivot = F[(size_t)best * (size_t)rows + (size_t)k];
  if (!(fabs(pivot) > 0) || !isfinite(pivot)) return false;
  if (best == k) return true;
  double *a = F + (size_t)k * (size_t)rows, *b = F + (size_t)best * (size_t)rows;
  for (int c = 0; c < rows; c += STRIP) {
    const wide kept = *(const wide*)(a + c);
    *(wide*)(a + c) = *(const wide*)(b + c);
    *(wide*)(b + c) = kept;
  }
  return true;
}

// L of a row in the columns from .. to
INLINE void eliminate(double* F, int rows, int r, int from, int to)
{
  double* row = F + (size_t)r * (size_t)rows;
  for (int k = from; k < to; k++) {
    const double* pivot = F + (size_t)k * (size_t)rows;
    const double l = row[k] /= pivot[k];
    for (int c = k + 1; c < to; c++) row[c] -= l * pivot[c];
  }
}

// the columns from .. from + width: L of all rows, U beside them
INLINE bool panel(int width, int pivots, double* F, int rows, int from, int* swap)
{
  const int to = from + width;
  for (int k = from; k < to; k++) {
    if (!choose(pivots, F, rows, k, swap)) return false;
    const double* pivot = F + (size_t)k * (size_t)rows;
    for (int r = k + 1; r < pivots; r++) {
      double* row = F + (size_t)r * (size_t)rows;
      const double l = row[k] /= pivot[k];
      for (int c = k + 1; c < to; c++) row[c] -= l * pivot[c];
    }
  }
  for (int r = from + 1; r < to; r++)
    for (int k = from; k < r; k++) {
      const double l = F[(size_t)r * (size_t)rows + (size_t)k];
      for (int c = to; c < rows; c += STRIP)
        *(wide*)(F + (size_t)r * (size_t)rows + c) -=
            l * *(const wide*)(F + (size_t)k * (size_t)rows + c);
    }
  for (int r = pivots; r < rows; r++) eliminate(F, rows, r, from, to);
  return true;
}

INLINE bool factor(int pivots, int rows, double* F, int* swap)
{
  for (int from = 0; from < pivots; from += PANEL) {
    const int width = pivots - from < PANEL ? pivots - from : PANEL, to = from + width;
    if (!panel(width, pivots, F, rows, from, swap)) return false;
    for (int c = to; c < rows; c += STRIP)
      for (int r = to; r < rows; r += ROWS) subtract(width, F, rows, from, r, c, ROWS);
  }
  return true;
}

// ---- one kind of instructions each, the same bits -----------------------------------------------

#define KERNEL(NAME, TARGET)                                                   \
  TARGET static bool factor_##NAME(int pivots, int rows, double* F, int* swap) \
  {                                                                            \
    return factor(pivots, rows, F, swap);                                      \
  }

KERNEL(plain, )
#if defined __x86_64__
KERNEL(avx2, __attribute__((target("avx2"))))
KERNEL(avx512, __attribute__((target("avx512f"))))
#endif

bool num_fronts_dense(int pivots, int rows, double* F, int* swap)
{
#if defined __x86_64__
  if (BASE_HAS_AVX512) return factor_avx512(pivots, rows, F, swap);
  if (BASE_HAS_AVX2) return factor_avx2(pivots, rows, F, swap);
#endif
  return factor_plain(pivots, rows, F, swap);
}
