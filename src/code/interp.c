// The interpreter: one pass over the steps, one state at a time, one dispatch for each stretch of
// equal operations.
#include "code/kernel.h"

#include <math.h>
#include <string.h>

// operands of the table's values
#define A r[s->a]
#define B r[s->b]
#define C r[s->c]

static inline __attribute__((always_inline)) void walk(const code_kernel* k, const double* in,
                                                       double* out, double* r)
{
  size_t inputs = (size_t)k->tape.inputs;
  if (inputs) memcpy(r, in, inputs * sizeof *r);
  memcpy(r + inputs, k->constant, (size_t)k->constants * sizeof *r);
  const code_step* s = k->step;
  for (const code_stretch* same = k->stretch;; same++) {
    const code_step* end = s + same->count;
    switch (same->op) {
#define X(NAME, TEXT, ARGS, VALUE)         \
  case CODE_##NAME:                        \
    for (; s != end; s++) r[s->d] = VALUE; \
    break;
      CODE_OP_LIST(X)
#undef X
    case CODE_SINCOS:
      for (; s != end; s++) {
        double sine, cosine;
        sincos(A, &sine, &cosine);
        r[s->d] = sine;
        r[s->b] = cosine;
      }
      break;
    case CODE_END:
      for (int i = 0; i < k->tape.outputs; i++) out[i] = r[k->out_slot[i]];
      return;
    default:
      __builtin_unreachable();
    }
  }
}

static void run_anywhere(const code_kernel* k, const double* in, double* out, double* scratch)
{
  walk(k, in, out, scratch);
}

#if defined(__x86_64__)
// the same bits: only the fused operations become one instruction instead of a call
__attribute__((target("fma"))) static void run_fma(const code_kernel* k, const double* in,
                                                   double* out, double* scratch)
{
  walk(k, in, out, scratch);
}

code_runner* code_interpreter(void)
{
  return __builtin_cpu_supports("fma") ? run_fma : run_anywhere;
}
#else
code_runner* code_interpreter(void)
{
  return run_anywhere;
}
#endif
