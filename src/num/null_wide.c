// Reflections of many rows or columns at once, eight side by side. Rows lie across for that, so
// that what is done to each of them, in its own order, is done to eight; the bits are those of one
// after the other.
#include "num/null.h"

#include <string.h>

// rows begin where they may: no alignment is taken for granted
typedef double wide __attribute__((vector_size(64), aligned(8)));
enum { WIDE = NUM_NULL_WIDE };
#define INLINE static inline __attribute__((always_inline))
#pragma GCC diagnostic ignored "-Wpsabi"

void num_null_spread(num_null* f)
{
  const size_t columns = num_null_columns(f), n = (size_t)f->n;
  memset(f->across, 0, n * columns * sizeof *f->across);
  for (size_t i = 0; i < (size_t)f->live; i++)
    for (size_t j = 0; j < n; j++) f->across[j * columns + i] = f->W[i * n + j];
}

void num_null_take_row(num_null* f, int k)
{
  const size_t columns = num_null_columns(f), n = (size_t)f->n;
  for (size_t j = 0; j < n; j++) f->W[(size_t)k * n + j] = f->across[j * columns + (size_t)k];
}

// Rows before the next one may change as well: they were taken before. What is left of each is
// summed afresh.
INLINE void turn_rows(num_null* f, int k)
{
  const size_t columns = num_null_columns(f), n = (size_t)f->n;
  const double *v = f->W + (size_t)k * n, tau = f->tau[k];
  size_t from = (size_t)k + 1, end = n;
  while (end > from && v[end - 1] == 0) end--;
  while (from < end && v[from] == 0) from++;
  for (size_t c = ((size_t)k + 1) / WIDE * WIDE; c < columns; c += WIDE) {
    double *at = f->across + c, *first = at + (size_t)k * columns;
    wide s = *(const wide*)first, left = {0};
    for (size_t j = from; j < end; j++) s += v[j] * *(const wide*)(at + j * columns);
    s *= tau;
    *(wide*)first -= s;
    for (size_t j = from; j < end; j++) *(wide*)(at + j * columns) -= s * v[j];
    for (size_t j = (size_t)k + 1; j < n; j++) {
      const wide x = *(const wide*)(at + j * columns);
      left += x * x;
    }
    for (int i = 0; i < WIDE; i++)
      if ((int)c + i > k && (int)c + i < f->live) f->left[(int)c + i] = left[i];
  }
}

// a row that binds few coordinates touches few rows of Z
INLINE void turn_all(const num_null* f, int k, int q, double* Z)
{
  const double *v = f->W + (size_t)k * f->n, tau = f->tau[k];
  double* Zk = Z + (size_t)k * q;
  int end = f->n, c = 0;
  while (end > k + 1 && v[end - 1] == 0) end--;
  for (; c + WIDE <= q; c += WIDE) {
    wide s = *(const wide*)(Zk + c);
    for (int i = k + 1; i < end; i++) s += v[i] * *(const wide*)(Z + (size_t)i * q + c);
    s *= tau;
    *(wide*)(Zk + c) -= s;
    for (int i = k + 1; i < end; i++)
      if (v[i] != 0) *(wide*)(Z + (size_t)i * q + c) -= s * v[i];
  }
  for (; c < q; c++) {
    double s = Zk[c];
    for (int i = k + 1; i < end; i++) s += v[i] * Z[(size_t)i * q + c];
    s *= tau;
    Zk[c] -= s;
    for (int i = k + 1; i < end; i++)
      if (v[i] != 0) Z[(size_t)i * q + c] -= s * v[i];
  }
}

// one kind of instructions each, the same bits
#define KERNEL(NAME, TARGET)                                                     \
  TARGET static void turn_rows_##NAME(num_null* f, int k)                        \
  {                                                                              \
    turn_rows(f, k);                                                             \
  }                                                                              \
  TARGET static void turn_all_##NAME(const num_null* f, int k, int q, double* Z) \
  {                                                                              \
    turn_all(f, k, q, Z);                                                        \
  }

KERNEL(plain, )
#if defined __x86_64__
KERNEL(avx2, __attribute__((target("avx2"))))
KERNEL(avx512, __attribute__((target("avx512f"))))
#endif

void num_null_turn_rows(num_null* f, int k)
{
#if defined __x86_64__
  if (BASE_HAS_AVX512) {
    turn_rows_avx512(f, k);
    return;
  }
  if (BASE_HAS_AVX2) {
    turn_rows_avx2(f, k);
    return;
  }
#endif
  turn_rows_plain(f, k);
}

void num_null_turn_all(const num_null* f, int k, int q, double* Z)
{
#if defined __x86_64__
  if (q >= WIDE && BASE_HAS_AVX512) {
    turn_all_avx512(f, k, q, Z);
    return;
  }
  if (q >= WIDE && BASE_HAS_AVX2) {
    turn_all_avx2(f, k, q, Z);
    return;
  }
#endif
  turn_all_plain(f, k, q, Z);
}
