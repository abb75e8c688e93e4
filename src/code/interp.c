// The interpreter: one pass over the steps, one dispatch for each stretch of equal operations. In
// slots of `width` doubles it evaluates as many states side by side.
#include "code/kernel.h"

#include "code/trig.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// operands of the table's values
#define A r[s->a * W + l]
#define B r[s->b * W + l]
#define C r[s->c * W + l]

#define INLINE static inline __attribute__((always_inline))

INLINE void fill(const code_kernel* k, const double* in, double* r, uint32_t W)
{
  size_t inputs = (size_t)k->tape.inputs * W;
  if (inputs) memcpy(r, in, inputs * sizeof *r);
  for (int i = 0; i < k->constants; i++)
    for (uint32_t l = 0; l < W; l++) r[inputs + (uint32_t)i * W + l] = k->constant[i];
}

// sine and cosine of a block come from code's own kernel, like those of machine code
INLINE bool walk_trig(uint32_t op, const code_step* s, const code_step* end, double* r, uint32_t W)
{
  if (W == 1 || (op != CODE_SIN && op != CODE_COS && op != CODE_SINCOS)) return false;
  code_lanes_function* f = code_lanes_function_of(op, (int)W, CODE_INTERPRETED);
  for (; s != end; s++) f(&r[s->d * W], &r[s->a * W], &r[s->b * W]);
  return true;
}

INLINE void walk(const code_kernel* k, const double* in, double* out, double* r, uint32_t W)
{
  fill(k, in, r, W);
  const code_step* s = k->step;
  for (const code_stretch* same = k->stretch;; same++) {
    const code_step* end = s + same->count;
    if (walk_trig(same->op, s, end, r, W)) {
      s = end;
      continue;
    }
    switch (same->op) {
#define X(NAME, TEXT, ARGS, VALUE)                              \
  case CODE_##NAME:                                             \
    for (; s != end; s++)                                       \
      for (uint32_t l = 0; l < W; l++) r[s->d * W + l] = VALUE; \
    break;
      CODE_OP_LIST(X)
#undef X
    case CODE_SINCOS:
      for (; s != end; s++) {
        double sine, cosine;
        (k->tape.own_pairs ? code_trig_one : sincos)(r[s->a], &sine, &cosine);
        r[s->d] = sine;
        r[s->b] = cosine;
      }
      break;
    case CODE_END:
      for (int i = 0; i < k->tape.outputs; i++)
        memcpy(&out[(uint32_t)i * W], &r[k->out_slot[i] * W], W * sizeof *r);
      return;
    default:
      __builtin_unreachable();
    }
  }
}

#define RUNNERS(NAME, TARGET)                                                                 \
  TARGET static void NAME##_1(const code_kernel* k, const double* in, double* out, double* r) \
  {                                                                                           \
    walk(k, in, out, r, 1);                                                                   \
  }                                                                                           \
  TARGET static void NAME##_4(const code_kernel* k, const double* in, double* out, double* r) \
  {                                                                                           \
    walk(k, in, out, r, 4);                                                                   \
  }                                                                                           \
  TARGET static void NAME##_8(const code_kernel* k, const double* in, double* out, double* r) \
  {                                                                                           \
    walk(k, in, out, r, 8);                                                                   \
  }

static int which(int width)
{
  assert(width == 1 || width == 4 || width == 8);
  return width / 4;
}

RUNNERS(anywhere, )

#if defined(__x86_64__)
// the same bits: only the fused operations become one instruction instead of a call
RUNNERS(fma, __attribute__((target("fma"))))

code_runner* code_interpreter(int width)
{
  static code_runner* const plain[] = {anywhere_1, anywhere_4, anywhere_8};
  static code_runner* const with_fma[] = {fma_1, fma_4, fma_8};
  return (BASE_HAS_FMA ? with_fma : plain)[which(width)];
}
#else
code_runner* code_interpreter(int width)
{
  static code_runner* const plain[] = {anywhere_1, anywhere_4, anywhere_8};
  return plain[which(width)];
}
#endif
