// Sums of products over lower orders, as many side by side as a vector has lanes.
#include "code/native.h"
#include "code/series.h"

// vectors pass between inlined functions only: no binary interface is touched
#pragma GCC diagnostic ignored "-Wpsabi"

#if defined(__x86_64__)
#include <immintrin.h>

#define ALWAYS static inline __attribute__((always_inline))

// written out: the sums live in registers
#define EACH(I, COUNT) _Pragma("GCC unroll 8") for (int I = 0; I < COUNT; I++)

// COUNT vectors from lane b on: sum over j = 1 .. k-1 of f_j g_(k-j), the rows of f upwards, those
// of g down
#define PART(NAME, V, WIDTH, COUNT, P, TARGET)                                                \
  __attribute__((target(TARGET)))                                                             \
  ALWAYS void NAME##COUNT(const code_series* s, int k, int b, const double* rows, double* in) \
  {                                                                                           \
    V sum[COUNT];                                                                             \
    EACH(i, COUNT) sum[i] = P##setzero_pd();                                                  \
    const double* f = rows + s->stride + b;                                                   \
    const double* g = rows + (k - 1) * s->stride + s->lanes + b;                              \
    for (int j = 1; j < k; j++, f += s->stride, g -= s->stride) EACH(i, COUNT)                \
    sum[i] = P##fmadd_pd(P##loadu_pd(f + i * WIDTH), P##loadu_pd(g + i * WIDTH), sum[i]);     \
    EACH(i, COUNT) P##storeu_pd(in + b + i * WIDTH, sum[i]);                                  \
  }

#define ALL(NAME, V, WIDTH, P, TARGET)                                                 \
  __attribute__((target(TARGET))) static void NAME(const code_series* s, int k,        \
                                                   const double* rows, double* in)     \
  {                                                                                    \
    int b = 0;                                                                         \
    for (; b + 4 * WIDTH <= s->lanes; b += 4 * WIDTH) NAME##_part4(s, k, b, rows, in); \
    const int left = (s->lanes - b) / WIDTH;                                           \
    if (left == 3) NAME##_part3(s, k, b, rows, in);                                    \
    if (left == 2) NAME##_part2(s, k, b, rows, in);                                    \
    if (left == 1) NAME##_part1(s, k, b, rows, in);                                    \
    const V one = P##set1_pd(1), more = P##set1_pd(k - 1);                             \
    for (b = s->plain; b < s->lanes; b += WIDTH) {                                     \
      const V by = P##fmadd_pd(P##loadu_pd(s->over + b), more, one);                   \
      P##storeu_pd(in + b, P##div_pd(P##loadu_pd(in + b), by));                        \
    }                                                                                  \
  }

#define KIND(NAME, V, WIDTH, P, TARGET)     \
  PART(NAME##_part, V, WIDTH, 4, P, TARGET) \
  PART(NAME##_part, V, WIDTH, 3, P, TARGET) \
  PART(NAME##_part, V, WIDTH, 2, P, TARGET) \
  PART(NAME##_part, V, WIDTH, 1, P, TARGET) \
  ALL(NAME, V, WIDTH, P, TARGET)

KIND(avx2, __m256d, 4, _mm256_, "avx2,fma")
KIND(avx512, __m512d, 8, _mm512_, "avx512f,avx512dq,avx512vl")

void code_series_sums_choose(code_series* s, code_level level)
{
  s->sums = level == CODE_AVX512 ? avx512 : avx2;
}
#else

enum { together = 8 }; // lanes whose sums are kept while the orders pass

static void divide(const code_series* s, int k, double* in)
{
  for (int b = s->plain; b < s->lanes; b++) in[b] /= s->over[b] * (k - 1) + 1;
}

// the products are rounded, too, where no instruction takes both steps in one
static void plain(const code_series* s, int k, const double* rows, double* in)
{
  for (int b = 0; b < s->lanes; b += together) {
    double sum[together] = {0};
    const double* f = rows + s->stride + b;
    const double* g = rows + (k - 1) * s->stride + s->lanes + b;
    for (int j = 1; j < k; j++, f += s->stride, g -= s->stride)
      for (int i = 0; i < together; i++) sum[i] += f[i] * g[i];
    for (int i = 0; i < together; i++) in[b + i] = sum[i];
  }
  divide(s, k, in);
}

#if defined(__wasm_simd128__)
#include <fma_pair.h>

// a browser that has such an instruction: the bits are those of other processors
static void fused(const code_series* s, int k, const double* rows, double* in)
{
  enum { vectors = together / 2 };
  for (int b = 0; b < s->lanes; b += together) {
    fma_doubles sum[vectors] = {{0}};
    const double* f = rows + s->stride + b;
    const double* g = rows + (k - 1) * s->stride + s->lanes + b;
    for (int j = 1; j < k; j++, f += s->stride, g -= s->stride)
      for (int i = 0; i < vectors; i++)
        sum[i] = fma_pair((fma_doubles)wasm_v128_load(f + 2 * i),
                          (fma_doubles)wasm_v128_load(g + 2 * i), sum[i]);
    for (int i = 0; i < vectors; i++) wasm_v128_store(in + b + 2 * i, (v128_t)sum[i]);
  }
  divide(s, k, in);
}
#else
#define fused plain
#endif

void code_series_sums_choose(code_series* s, code_level level)
{
  (void)level;
  s->sums = code_module_fuses() ? fused : plain;
}
#endif
