// Two fma side by side for WebAssembly: the one instruction that browsers have for it, which
// tools/live/fuse.mjs finds again in the linked program. Where a browser lacks it, or rounds the
// product, too, calls of fma_pair_plain() are put in its place as the program is loaded.
#pragma once

#include <wasm_simd128.h>

typedef double fma_doubles __attribute__((vector_size(16)));

static inline __attribute__((always_inline)) fma_doubles fma_pair(fma_doubles a, fma_doubles b,
                                                                  fma_doubles c)
{
  return (fma_doubles)__builtin_wasm_fma_f64x2(a, b, c);
}

// c - a b
static inline __attribute__((always_inline)) fma_doubles fma_pair_less(fma_doubles a, fma_doubles b,
                                                                       fma_doubles c)
{
  return (fma_doubles)__builtin_wasm_fms_f64x2(a, b, c);
}

// the same bits from plain sums and products; see src/live/fma.c
fma_doubles fma_pair_plain(fma_doubles a, fma_doubles b, fma_doubles c);
fma_doubles fma_pair_less_plain(fma_doubles a, fma_doubles b, fma_doubles c);
