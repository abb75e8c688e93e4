// Sine and cosine of blocks to one unit in the last place: the kernel of trig_kernel.h for each
// kind of vector, and far from zero the C library. Every kind gives the same bits.
#include "code/trig.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// ---- one lane after the other, on any processor -------------------------------------------------

static inline uint64_t bits_of(double x)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double double_of(uint64_t bits)
{
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

#define TRIG(NAME) NAME##_plain
#define TRIG_TARGET
#define V              double
#define I              uint64_t
#define FMA(A, B, C)   fma(A, B, C)
#define LESS(A, B, C)  fma(-(A), B, C)
#define LOAD(P)        (*(P))
#define STORE(P, X)    (*(P) = (X))
#define ODD(Q)         (-((Q)&1))
#define BITS(VALUE)    bits_of(VALUE)
#define DOUBLES(VALUE) double_of(VALUE)
#define ALL(VALUE)     (VALUE)
#include "code/trig_kernel.h"
#undef TRIG
#undef TRIG_TARGET
#undef V
#undef I
#undef FMA
#undef LESS
#undef BITS
#undef DOUBLES
#undef ALL

static bool is_near(double x)
{
  return fabs(x) <= CODE_TRIG_FAR;
}

void code_trig_one(double x, double* sine, double* cosine)
{
  if (is_near(x))
    kernel_plain(x, sine, cosine);
  else
    sincos(x, sine, cosine);
}

static void plain(int lanes, const double* a, double* sine, double* cosine)
{
  for (int l = 0; l < lanes; l++) code_trig_one(a[l], &sine[l], &cosine[l]);
}

static void plain_block(int lanes, code_trig what, double* out, const double* a, double* b)
{
  double sine[8], cosine[8];
  const size_t bytes = (size_t)lanes * sizeof *out;
  plain(lanes, a, sine, cosine);
  memcpy(out, what == CODE_TRIG_COSINE ? cosine : sine, bytes);
  if (what == CODE_TRIG_BOTH) memcpy(b, cosine, bytes);
}

// ---- the doors: SINE, COSINE and BOTH for one kind of vector ------------------------------------

#define DOORS(NAME, LANES, TARGET, BLOCK)                                   \
  TARGET static void NAME##_sine(double* out, const double* a, double* b)   \
  {                                                                         \
    BLOCK(LANES, CODE_TRIG_SINE, out, a, b);                                \
  }                                                                         \
  TARGET static void NAME##_cosine(double* out, const double* a, double* b) \
  {                                                                         \
    BLOCK(LANES, CODE_TRIG_COSINE, out, a, b);                              \
  }                                                                         \
  TARGET static void NAME##_both(double* out, const double* a, double* b)   \
  {                                                                         \
    BLOCK(LANES, CODE_TRIG_BOTH, out, a, b);                                \
  }                                                                         \
  static code_lanes_function* const NAME[] = {NAME##_sine, NAME##_cosine, NAME##_both};

// Where an angle is far from zero, which is rare: a function of its own, so that the others need no
// room on the stack and store nothing but their results.
__attribute__((noinline, cold)) static void far_block(int lanes, code_trig what, double* out,
                                                      const double* a, double* b)
{
  plain_block(lanes, what, out, a, b);
}

DOORS(plain4, 4, , plain_block)
DOORS(plain8, 8, , plain_block)

#if defined(__x86_64__)

#include <immintrin.h>

#define TRIG_TARGET __attribute__((target("avx2,fma")))
#define TRIG(NAME)  NAME##_avx2
typedef double doubles4 __attribute__((vector_size(32)));
typedef uint64_t bits4 __attribute__((vector_size(32)));
#define V              doubles4
#define I              bits4
#define FMA(A, B, C)   ((V)_mm256_fmadd_pd((__m256d)(A), (__m256d)(B), (__m256d)(C)))
#define LESS(A, B, C)  ((V)_mm256_fnmadd_pd((__m256d)(A), (__m256d)(B), (__m256d)(C)))
#define BITS(VALUE)    ((I)(VALUE))
#define DOUBLES(VALUE) ((V)(VALUE))
#define ALL(VALUE)     ((V)_mm256_set1_pd(VALUE))
#include "code/trig_kernel.h"

TRIG_TARGET static inline void block_avx2(int lanes, code_trig what, double* out, const double* a,
                                          double* b)
{
  const __m256d x = _mm256_loadu_pd(a), size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), x);
  const __m256d is_far = _mm256_cmp_pd(size, _mm256_set1_pd(CODE_TRIG_FAR), _CMP_NLE_UQ);
  if (__builtin_expect(_mm256_movemask_pd(is_far) != 0, 0)) {
    far_block(lanes, what, out, a, b);
    return;
  }
  V sine, cosine;
  kernel_avx2((V)x, &sine, &cosine);
  _mm256_storeu_pd(out, (__m256d)(what == CODE_TRIG_COSINE ? cosine : sine));
  if (what == CODE_TRIG_BOTH) _mm256_storeu_pd(b, (__m256d)cosine);
}

DOORS(avx2_4, 4, TRIG_TARGET, block_avx2)
#undef TRIG
#undef TRIG_TARGET
#undef V
#undef I
#undef FMA
#undef LESS
#undef ALL

#define TRIG_TARGET __attribute__((target("avx512f,avx512dq,avx512vl")))
#define TRIG(NAME)  NAME##_avx512
typedef double doubles8 __attribute__((vector_size(64)));
typedef uint64_t bits8 __attribute__((vector_size(64)));
#define V             doubles8
#define I             bits8
#define FMA(A, B, C)  ((V)_mm512_fmadd_pd((__m512d)(A), (__m512d)(B), (__m512d)(C)))
#define LESS(A, B, C) ((V)_mm512_fnmadd_pd((__m512d)(A), (__m512d)(B), (__m512d)(C)))
#define ALL(VALUE)    ((V)_mm512_set1_pd(VALUE))
// by shifts, one of which is needed anyway: numbers to compare with would have to be fetched
#undef ODD
#define ODD(Q) ((I)_mm512_srai_epi64((__m512i)((Q) << 63), 63))
#include "code/trig_kernel.h"
#undef ODD

TRIG_TARGET static inline void block_avx512(int lanes, code_trig what, double* out, const double* a,
                                            double* b)
{
  const __m512d x = _mm512_loadu_pd(a), size = _mm512_abs_pd(x);
  if (__builtin_expect(_mm512_cmp_pd_mask(size, _mm512_set1_pd(CODE_TRIG_FAR), _CMP_NLE_UQ) != 0,
                       0)) {
    far_block(lanes, what, out, a, b);
    return;
  }
  V sine, cosine;
  kernel_avx512((V)x, &sine, &cosine);
  _mm512_storeu_pd(out, (__m512d)(what == CODE_TRIG_COSINE ? cosine : sine));
  if (what == CODE_TRIG_BOTH) _mm512_storeu_pd(b, (__m512d)cosine);
}

DOORS(avx512_8, 8, TRIG_TARGET, block_avx512)
#endif

#if defined(__wasm_simd128__)

#include <fma_pair.h>

#define TRIG_TARGET
#define TRIG(NAME) NAME##_pair
typedef uint64_t bits2 __attribute__((vector_size(16)));
#define V             fma_doubles
#define I             bits2
#define FMA(A, B, C)  fma_pair(A, B, C)
#define LESS(A, B, C) fma_pair_less(A, B, C)
#undef LOAD
#undef STORE
#undef ODD
#define ODD(Q)         ((I)(((Q)&1) == 1)) // browsers have no instruction for the other sign
#define LOAD(P)        ((V)wasm_v128_load(P))
#define STORE(P, X)    wasm_v128_store(P, (v128_t)(X))
#define BITS(VALUE)    ((I)(VALUE))
#define DOUBLES(VALUE) ((V)(VALUE))
// from memory: browsers make a constant vector of four or five instructions
#define ALL(VALUE)                                   \
  __extension__({                                    \
    static const double kept = VALUE;                \
    const double* at = &kept;                        \
    __asm__("" : "+r"(at)); /* not known any more */ \
    (V) wasm_v128_load64_splat(at);                  \
  })
#include "code/trig_kernel.h"

static inline __attribute__((always_inline)) void block_pair(int lanes, code_trig what, double* out,
                                                             const double* a, double* b)
{
  const v128_t far = wasm_f64x2_splat(CODE_TRIG_FAR);
  v128_t most = far; // what is no number is not larger, and comes to no number below, too
  for (int l = 0; l < lanes; l += 2)
    most = wasm_f64x2_pmax(most, wasm_f64x2_abs(wasm_v128_load(a + l)));
  if (__builtin_expect(wasm_v128_any_true(wasm_f64x2_lt(far, most)), 0)) {
    far_block(lanes, what, out, a, b);
    return;
  }
  // not known to be here alone: the compiler would keep all of it in numbers without a place
  V room[28], *r = room;
  __asm__("" : "+r"(r));
  V *y = r + 4, *t = r + 8, *s = r + 12, *c = r + 16, *z = r + 20, *w = r + 24;
  reduce_pair(lanes / 2, (const V*)a, r, y, t);
  sines_pair(lanes / 2, r, y, z, w, s);
  cosines_pair(lanes / 2, r, y, z, w, c);
  for (int i = 0; i < lanes / 2; i++) {
    V sine = LOAD(s + i), cosine = LOAD(c + i);
    turn_pair(LOAD(t + i), &sine, &cosine);
    wasm_v128_store(out + 2 * i, (v128_t)(what == CODE_TRIG_COSINE ? cosine : sine));
    if (what == CODE_TRIG_BOTH) wasm_v128_store(b + 2 * i, (v128_t)cosine);
  }
}

DOORS(pair4, 4, , block_pair)
DOORS(pair8, 8, , block_pair)
#endif

code_lanes_function* code_trig_of(code_trig what, int lanes, code_level level)
{
  assert(lanes == 4 || lanes == 8);
#if defined(__x86_64__)
  if (lanes == 4 && level >= CODE_AVX2) return avx2_4[what];
  if (lanes == 8 && level >= CODE_AVX512) return avx512_8[what];
#else
  (void)level;
#endif
#if defined(__wasm_simd128__)
  return lanes == 4 ? pair4[what] : pair8[what];
#else
  return lanes == 4 ? plain4[what] : plain8[what];
#endif
}
