// Sums over the stages of a Gauss step, for each kind of vector.
#include "step/gauss16.h"

#include <math.h>

// the functions of a kind
#define KIND(NAME)                                                                       \
  {                                                                                      \
    sweep_##NAME, fold_##NAME, turn_##NAME, miss_##NAME, apply_##NAME, far_off_##NAME,   \
        weigh_##NAME, spread_##NAME, owe_##NAME, shift_##NAME, basis_##NAME, ends_##NAME \
  }

#define GAUSS(NAME) NAME##_plain
#define GAUSS_TARGET
#define V            double
#define LANES        1
#define FMA(A, B, C) fma(A, B, C)
#define ALL(X)       (X)
#define LOAD(P)      (*(P))
#define STORE(P, X)  (*(P) = (X))
#define FAR(X, MOST) (fabs(X) > (MOST) ? fabs(X) : (MOST))
#define RISE(W, F)   gauss16_rise(W, F)
#define SETTLE(X)    ((void)(X))
#include "step/gauss16_lanes.h"
#undef GAUSS
#undef GAUSS_TARGET
#undef V
#undef LANES
#undef FMA
#undef ALL
#undef LOAD
#undef STORE
#undef FAR
#undef RISE

static const gauss16_kind plain = KIND(plain);

#if defined(__x86_64__)

#include <immintrin.h>

// as gauss16_rise, its four sums side by side
__attribute__((target("avx2"), always_inline)) static inline double rise_avx2(const double* w,
                                                                              const double* f)
{
  const __m256d low = _mm256_loadu_pd(w) * _mm256_loadu_pd(f),
                high = _mm256_loadu_pd(w + 4) * _mm256_loadu_pd(f + 4);
  const __m256d sums = low + _mm256_permute4x64_pd(high, 0x1b), pairs = _mm256_hadd_pd(sums, sums);
  return _mm_cvtsd_f64(_mm256_castpd256_pd128(pairs) + _mm256_extractf128_pd(pairs, 1));
}

#define GAUSS(NAME)  NAME##_avx2
#define GAUSS_TARGET __attribute__((target("avx2,fma")))
#define V            __m256d
#define LANES        4
#define FMA(A, B, C) _mm256_fmadd_pd(A, B, C)
#define ALL(X)       _mm256_set1_pd(X)
#define LOAD(P)      _mm256_loadu_pd(P)
#define STORE(P, X)  _mm256_storeu_pd(P, X)
#define FAR(X, MOST) _mm256_max_pd(_mm256_andnot_pd(_mm256_set1_pd(-0.0), X), MOST)
#define RISE(W, F)   rise_avx2(W, F)
#include "step/gauss16_lanes.h"
#undef GAUSS
#undef GAUSS_TARGET
#undef V
#undef LANES
#undef FMA
#undef ALL
#undef LOAD
#undef STORE
#undef FAR
#undef RISE

#define GAUSS(NAME)  NAME##_avx512
#define GAUSS_TARGET __attribute__((target("avx512f")))
#define V            __m512d
#define LANES        8
#define FMA(A, B, C) _mm512_fmadd_pd(A, B, C)
#define ALL(X)       _mm512_set1_pd(X)
#define LOAD(P)      _mm512_loadu_pd(P)
#define STORE(P, X)  _mm512_storeu_pd(P, X)
#define FAR(X, MOST) _mm512_max_pd(_mm512_abs_pd(X), MOST)
#define RISE(W, F)   rise_avx2(W, F)
#include "step/gauss16_lanes.h"

static const gauss16_kind avx2 = KIND(avx2), avx512 = KIND(avx512);
#endif

#if defined(__wasm_simd128__)

#include <fma_pair.h>

static volatile fma_doubles settled; // never read

#define GAUSS(NAME) NAME##_pair
#define GAUSS_TARGET
#define V            fma_doubles
#define LANES        2
#define FMA(A, B, C) fma_pair(A, B, C)
#define ALL(X)       ((fma_doubles){X, X})
#define LOAD(P)      ((fma_doubles)wasm_v128_load(P))
#define STORE(P, X)  wasm_v128_store(P, (v128_t)(X))
#define FAR(X, MOST) ((fma_doubles)wasm_f64x2_pmax((v128_t)(MOST), wasm_f64x2_abs((v128_t)(X))))
#define RISE(W, F)   gauss16_rise(W, F)
// browsers load all they can before they compute, up to the next store
#undef SETTLE
#define SETTLE(X) (settled = (X))
#include "step/gauss16_lanes.h"

static const gauss16_kind pair = KIND(pair);
#endif

const gauss16_kind* gauss16_kind_of(int lanes)
{
#if defined(__x86_64__)
  if (lanes == 8 && BASE_HAS_AVX512) return &avx512;
  if (lanes == 4 && BASE_HAS_AVX2 && BASE_HAS_FMA) return &avx2;
#endif
#if defined(__wasm_simd128__)
  if (lanes == 2) return &pair;
#endif
  return lanes == 1 ? &plain : NULL;
}

const gauss16_kind* gauss16_kind_here(void)
{
  for (int lanes = 8; lanes > 1; lanes /= 2)
    if (gauss16_kind_of(lanes)) return gauss16_kind_of(lanes);
  return &plain;
}
