// Products of full matrices, four rows and eight columns at a time. Each entry is a sum in the
// order of the inner index, beginning with zero, whatever the width: the same bits on every
// machine.
#include "num/num.h"

// rows begin where they may: no alignment is taken for granted
typedef double wide __attribute__((vector_size(64), aligned(8)));
typedef double half __attribute__((vector_size(32), aligned(8)));
enum { WIDE = 8, HALF = WIDE / 2, ROWS = 4 };
#define INLINE static inline __attribute__((always_inline))
#pragma GCC diagnostic ignored "-Wpsabi"

// A's entry of row r and inner index j lies at r*across + j*along; B's rows are `columns` long
typedef struct factors
{
  int inner, columns;
  size_t across, along;
  const double *A, *B;
} factors;

INLINE bool are_zero(const factors* f, const double* a)
{
  return a[0] == 0 && a[f->across] == 0 && a[2 * f->across] == 0 && a[3 * f->across] == 0;
}

// ROWS rows of the columns from c on, as many as T has; rows of zeros bind nothing
#define STRIP(NAME, T)                                                           \
  INLINE void NAME(const factors* f, int c, double* C)                           \
  {                                                                              \
    T s[ROWS] = {0};                                                             \
    for (int j = 0; j < f->inner; j++) {                                         \
      const double* a = f->A + (size_t)j * f->along;                             \
      if (are_zero(f, a)) continue;                                              \
      const T b = *(const T*)(f->B + (size_t)j * f->columns + c);                \
      for (int r = 0; r < ROWS; r++) s[r] += a[r * f->across] * b;               \
    }                                                                            \
    for (int r = 0; r < ROWS; r++) *(T*)(C + (size_t)r * f->columns + c) = s[r]; \
  }
STRIP(strip_wide, wide)
STRIP(strip_half, half)
STRIP(strip_one, double)

INLINE void strip_pair(const factors* f, int c, double* C)
{
  wide s[ROWS] = {0}, t[ROWS] = {0};
  for (int j = 0; j < f->inner; j++) {
    const double* a = f->A + (size_t)j * f->along;
    if (are_zero(f, a)) continue;
    const double* b = f->B + (size_t)j * f->columns + c;
    const wide b0 = *(const wide*)b, b1 = *(const wide*)(b + WIDE);
    for (int r = 0; r < ROWS; r++) {
      s[r] += a[r * f->across] * b0;
      t[r] += a[r * f->across] * b1;
    }
  }
  for (int r = 0; r < ROWS; r++) {
    *(wide*)(C + (size_t)r * f->columns + c) = s[r];
    *(wide*)(C + (size_t)r * f->columns + c + WIDE) = t[r];
  }
}

// ROWS rows from column c on; the last strip may begin where the one before it is, if there is
// room for it
INLINE void strips(const factors* f, int c, double* C)
{
  const int end = f->columns;
  for (; c + 2 * WIDE <= end; c += 2 * WIDE) strip_pair(f, c, C);
  if (end - c > WIDE && end >= 2 * WIDE)
    strip_pair(f, end - 2 * WIDE, C);
  else if (c < end && end >= WIDE) {
    if (end - c > WIDE) strip_wide(f, c, C);
    strip_wide(f, end - WIDE, C);
  } else {
    for (; c + HALF <= end; c += HALF) strip_half(f, c, C);
    for (; c < end; c++) strip_one(f, c, C);
  }
}

INLINE void one_row(const factors* f, int from, double* C)
{
  const int halves = (f->columns - from) / HALF * HALF;
  for (int c = from; c < from + halves; c++) C[c] = 0;
  for (int j = 0; j < f->inner && halves; j++) {
    const double a = f->A[(size_t)j * f->along], *b = f->B + (size_t)j * f->columns;
    if (a == 0) continue;
    for (int c = from; c < from + halves; c += HALF) *(half*)(C + c) += a * *(const half*)(b + c);
  }
  // of a few columns each sum stays in a register: through memory a term would wait for the last
  for (int c = from + halves; c < f->columns; c++) {
    double sum = 0;
    for (int j = 0; j < f->inner; j++) {
      const double a = f->A[(size_t)j * f->along];
      if (a != 0) sum += a * f->B[(size_t)j * f->columns + c];
    }
    C[c] = sum;
  }
}

// upper: of a square result the part from the diagonal on, and some beside it
INLINE void multiply(factors f, int rows, bool upper, double* C)
{
  int r = 0;
  for (; r + ROWS <= rows; r += ROWS, f.A += ROWS * f.across, C += (size_t)ROWS * f.columns) {
    strips(&f, upper ? r : 0, C);
  }
  for (; r < rows; r++, f.A += f.across, C += f.columns) one_row(&f, upper ? r : 0, C);
}

// one kind of instructions each, the same bits
#define KERNEL(NAME, TARGET)                                                     \
  TARGET static void multiply_##NAME(factors f, int rows, bool upper, double* C) \
  {                                                                              \
    multiply(f, rows, upper, C);                                                 \
  }

KERNEL(plain, )
#if defined __x86_64__
KERNEL(avx2, __attribute__((target("avx2"))))
KERNEL(avx512, __attribute__((target("avx512f"))))
#endif

static void best(factors f, int rows, bool upper, double* C)
{
#if defined __x86_64__
  if (f.columns >= HALF && BASE_HAS_AVX512) {
    multiply_avx512(f, rows, upper, C);
    return;
  }
  if (f.columns >= HALF && BASE_HAS_AVX2) {
    multiply_avx2(f, rows, upper, C);
    return;
  }
#endif
  multiply_plain(f, rows, upper, C);
}

void num_multiply(int rows, int inner, int columns, const double* A, const double* B, double* C)
{
  best((factors){inner, columns, (size_t)inner, 1, A, B}, rows, false, C);
}

void num_multiply_symmetric(int inner, int n, const double* A, const double* B, double* C)
{
  best((factors){inner, n, 1, (size_t)n, A, B}, n, true, C);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++) C[i * n + k] = C[k * n + i];
}
