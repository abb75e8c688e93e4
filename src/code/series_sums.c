// Sums of products over lower orders, as many side by side as a vector has lanes.
#include "code/series.h"

// vectors pass between inlined functions only: no binary interface is touched
#pragma GCC diagnostic ignored "-Wpsabi"

#if defined(__x86_64__)
#include <immintrin.h>

#define ALWAYS static inline __attribute__((always_inline))

// COUNT vectors from lane b on: sum over j of f_j g_(k-j), the rows of f upwards, those of g down
#define PART(NAME, V, WIDTH, COUNT, ZERO, LOAD, STORE, FMA, TARGET)                           \
  __attribute__((target(TARGET)))                                                             \
  ALWAYS void NAME##COUNT(const code_series* s, int k, int b, const double* rows, double* in) \
  {                                                                                           \
    V sum[COUNT];                                                                             \
    for (int i = 0; i < COUNT; i++) sum[i] = ZERO();                                          \
    const double* f = rows + s->stride + b;                                                   \
    const double* g = rows + (k - 1) * s->stride + s->lanes + b;                              \
    for (int j = 1; j < k; j++, f += s->stride, g -= s->stride)                               \
      for (int i = 0; i < COUNT; i++)                                                         \
        sum[i] = FMA(LOAD(f + i * WIDTH), LOAD(g + i * WIDTH), sum[i]);                       \
    for (int i = 0; i < COUNT; i++) STORE(in + b + i * WIDTH, sum[i]);                        \
  }

#define ALL(NAME, V, WIDTH, SPREAD, LOAD, STORE, DIV, TARGET)                            \
  __attribute__((target(TARGET))) static void NAME(const code_series* s, int k,          \
                                                   const double* rows, double* in)       \
  {                                                                                      \
    int b = 0;                                                                           \
    for (; b + 4 * WIDTH <= s->lanes; b += 4 * WIDTH) NAME##_part4(s, k, b, rows, in);   \
    for (; b + 2 * WIDTH <= s->lanes; b += 2 * WIDTH) NAME##_part2(s, k, b, rows, in);   \
    for (; b < s->lanes; b += WIDTH) NAME##_part1(s, k, b, rows, in);                    \
    const V over = SPREAD(k);                                                            \
    for (b = s->plain; b < s->lanes; b += WIDTH) STORE(in + b, DIV(LOAD(in + b), over)); \
  }

#define KIND(NAME, V, WIDTH, P, TARGET)                                                         \
  PART(NAME##_part, V, WIDTH, 4, P##setzero_pd, P##loadu_pd, P##storeu_pd, P##fmadd_pd, TARGET) \
  PART(NAME##_part, V, WIDTH, 2, P##setzero_pd, P##loadu_pd, P##storeu_pd, P##fmadd_pd, TARGET) \
  PART(NAME##_part, V, WIDTH, 1, P##setzero_pd, P##loadu_pd, P##storeu_pd, P##fmadd_pd, TARGET) \
  ALL(NAME, V, WIDTH, P##set1_pd, P##loadu_pd, P##storeu_pd, P##div_pd, TARGET)

KIND(avx2, __m256d, 4, _mm256_, "avx2,fma")
KIND(avx512, __m512d, 8, _mm512_, "avx512f,avx512dq,avx512vl")

void code_series_sums_choose(code_series* s, code_level level)
{
  s->sums = level == CODE_AVX512 ? avx512 : avx2;
}
#else
void code_series_sums_choose(code_series* s, code_level level)
{
  (void)level;
  s->sums = NULL;
}
#endif
