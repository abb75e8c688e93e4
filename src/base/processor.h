// What the processor, and the system that keeps its registers, can do.
//
// The C library asked the processor when the program was loaded and tells what it found. The
// library of the compiler would ask again, at every start: a dozen questions, each of which takes
// microseconds where the machine is the guest of another.
#pragma once

#if defined(__x86_64__)
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif

#if defined(CPU_FEATURE_ACTIVE)
// as x86_cpu_active(), which shifts an int into its sign for the last bit of a word
static inline _Bool base_processor_has(unsigned feature)
{
  const unsigned word = 32, leaf = 4 * word;
  const struct cpuid_feature* f = __x86_get_cpuid_feature_leaf(feature / leaf);
  return f->active_array[feature % leaf / word] >> feature % word & 1;
}
#define BASE_HAS(ACTIVE, NAME) base_processor_has(x86_cpu_##ACTIVE)
#else
#define BASE_HAS(ACTIVE, NAME) __builtin_cpu_supports(NAME)
#endif

#define BASE_HAS_FMA    BASE_HAS(FMA, "fma")
#define BASE_HAS_AVX2   BASE_HAS(AVX2, "avx2")
#define BASE_HAS_AVX512 BASE_HAS(AVX512F, "avx512f")
// also what acts on whole numbers and on shorter vectors
#define BASE_HAS_AVX512_DQ (BASE_HAS_AVX512 && BASE_HAS(AVX512DQ, "avx512dq"))
#define BASE_HAS_AVX512_VL (BASE_HAS_AVX512 && BASE_HAS(AVX512VL, "avx512vl"))
#endif
