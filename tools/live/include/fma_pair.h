// Two fma side by side for WebAssembly, which has no such instruction that could be relied on: a b
// + c in one rounding, by plain sums and products, as src/live/fma.c has it for one and explains it
// (Boldo and Melquiond 2008).
#pragma once

#include <math.h>
#include <wasm_simd128.h>

typedef double fma_doubles __attribute__((vector_size(16)));
typedef long long fma_bits __attribute__((vector_size(16)));

typedef struct fma_exact
{
  fma_doubles high, low;
} fma_exact;

static inline __attribute__((always_inline)) fma_exact fma_sum(fma_doubles a, fma_doubles b)
{
  const fma_doubles s = a + b, part = s - a;
  return (fma_exact){s, (a - (s - part)) + (b - part)};
}

static inline __attribute__((always_inline)) fma_exact fma_split(fma_doubles a)
{
  const fma_doubles far = 134217729.0 * a, high = far - (far - a);
  return (fma_exact){high, a - high};
}

static inline __attribute__((always_inline)) fma_doubles fma_size(fma_doubles a)
{
  return (fma_doubles)wasm_f64x2_abs((v128_t)a);
}

// rounded to odd: where something is left, and the last bit is even, one unit towards what is left
static inline __attribute__((always_inline)) fma_doubles fma_sum_to_odd(fma_doubles a,
                                                                        fma_doubles b)
{
  const fma_exact s = fma_sum(a, b);
  // masks are 0 or -1, and (mask | 1) is 1 or -1
  const fma_bits bits = (fma_bits)s.high, inwards = (s.low > 0) ^ (s.high > 0);
  const fma_bits wanted = (s.low != 0) & ((bits & 1) == 0);
  return (fma_doubles)(bits + ((inwards | 1) & wanted));
}

static inline __attribute__((always_inline)) fma_doubles fma_pair(fma_doubles a, fma_doubles b,
                                                                  fma_doubles c)
{
  const double small = 0x1p-900, large = 0x1p900;
  const fma_doubles p = a * b, size = fma_size(p), third = fma_size(c);
  const fma_bits none = (a == 0) | (b == 0);
  const fma_bits plain = ((size > small) | none) & (size < large) & (fma_size(a) < large) &
                         (fma_size(b) < large) & (third < large) & ((third > small) | (c == 0));
  if (!wasm_i64x2_all_true((v128_t)plain))
    return (fma_doubles){fma(a[0], b[0], c[0]), fma(a[1], b[1], c[1])};
  const fma_exact x = fma_split(a), y = fma_split(b);
  const fma_doubles low = ((x.high * y.high - p) + x.high * y.low + x.low * y.high) + x.low * y.low;
  const fma_exact t = fma_sum(c, low), v = fma_sum(p, t.high);
  const fma_bits once = (fma_bits)(v.high + fma_sum_to_odd(t.low, v.low));
  // nothing is added to a product that is nothing, but for the sign of zero
  return (fma_doubles)((none & (fma_bits)(p + c)) | (~none & once));
}
