// <gmp.h> where zwang becomes WebAssembly: mini-gmp with limbs of 64 bits, as they are elsewhere, so that sums of big
// numbers come in the same order; and the few functions of GMP that it lacks.
#pragma once

#define MINI_GMP_LIMB_TYPE long long
#include "mini-gmp.h"
#include "mini-mpq.h"

// clang-format off
#define LIVE_EACH(NAME, TYPE, ONE)                                                                 \
  static inline void NAME(TYPE first, ...)                                                         \
  {                                                                                                \
    __builtin_va_list rest;                                                                        \
    __builtin_va_start(rest, first);                                                               \
    for (TYPE x = first; x; x = __builtin_va_arg(rest, TYPE)) ONE(x);                              \
    __builtin_va_end(rest);                                                                        \
  }
// clang-format on
typedef __mpq_struct* mpq_ptr;
typedef const __mpq_struct* mpq_srcptr;
LIVE_EACH(mpz_inits, mpz_ptr, mpz_init)
LIVE_EACH(mpz_clears, mpz_ptr, mpz_clear)
LIVE_EACH(mpq_inits, mpq_ptr, mpq_init)
LIVE_EACH(mpq_clears, mpq_ptr, mpq_clear)
#undef LIVE_EACH
