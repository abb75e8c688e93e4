// The kernel of lanes.c for LANES doubles of a machine without vectors of that width; KIND as
// there.

typedef double KIND(fused) __attribute__((vector_size(8 * LANES)));
typedef int64_t KIND(masks) __attribute__((vector_size(8 * LANES)));
#define FUSED static inline __attribute__((always_inline)) KIND(fused)

FUSED KIND(fma)(KIND(fused) a, KIND(fused) b, KIND(fused) c)
{
  for (int l = 0; l < LANES; l++) a[l] = fma(a[l], b[l], c[l]);
  return a;
}

FUSED KIND(max)(KIND(fused) a, KIND(fused) b)
{
  for (int l = 0; l < LANES; l++) a[l] = a[l] > b[l] ? a[l] : b[l];
  return a;
}

FUSED KIND(min)(KIND(fused) a, KIND(fused) b)
{
  for (int l = 0; l < LANES; l++) a[l] = a[l] < b[l] ? a[l] : b[l];
  return a;
}

static inline __attribute__((always_inline)) uint32_t KIND(marks)(KIND(masks) mask)
{
  uint32_t marks = 0;
  for (int l = 0; l < LANES; l++) marks |= (uint32_t)(mask[l] != 0) << l;
  return marks;
}

#define FMA(A, B, C)     KIND(fma)(A, B, C)
#define MARKS(MASK)      KIND(marks)(MASK)
#define MAX(A, B)        KIND(max)(A, B)
#define MIN(A, B)        KIND(min)(A, B)
#define PICK(MASK, A, B) REAL(((MASK)&BITS(A)) | (~(MASK)&BITS(B)))
#include "step/lanes_kernel.h"
#undef FUSED
#undef FMA
#undef MARKS
#undef MAX
#undef MIN
#undef PICK
