// Power series order by order: the recurrences of jet_orders.h over the steps of a jet.
#include "code/jet_orders.h"

static void go_rare(const at_order* o, const jet_step* s, int order)
{
  go(o, s, s->op, order);
}

// the coefficients of the order just done into their places, and 0 where the next ones will be
ALWAYS void settle(const code_jet* j, const at_order* o)
{
  for (int i = 0; i < j->live; i++) {
    const uint32_t p = j->live_at[i];
    const double value = o->r[p + o->now];
    o->r[p + (uint32_t)o->k] = value;
    o->r[p + (uint32_t)o->k + 1] = 0;
    o->r[p + o->mirror + o->top] = value;
  }
}

ALWAYS void walk(const code_jet* j, int k, double* r)
{
  const at_order o = {r, j->mirror, (uint32_t)(j->order - k), j->now, k};
  const jet_step* s = j->step;
  for (const code_stretch* same = j->stretch;; same++) {
    const jet_step* end = s + same->count;
    switch (same->op) {
      // one dispatch for each stretch of equal operations
#define X(OP)                                      \
  case OP:                                         \
    for (; s != end; s++) go(&o, s, OP, j->order); \
    break;
      X(CODE_ADD)
      X(CODE_SUB)
      X(CODE_NEG)
      X(CODE_MUL)
      X(CODE_NMUL)
      X(CODE_FMA)
      X(CODE_FMS)
      X(CODE_FNMA)
      X(CODE_FNMS)
      X(JET_SCALE)
      X(JET_AXPY)
      X(JET_AXMY)
      X(CODE_DIV)
      X(CODE_SINCOS)
      X(CODE_SIN)
      X(CODE_COS)
      X(CODE_SQRT)
#undef X
    case CODE_END:
      settle(j, &o);
      return;
    default:
      for (; s != end; s++) go_rare(&o, s, j->order);
      break;
    }
  }
}

ALWAYS void multiply(const code_jet* j, const double* r, int k, int count,
                     const code_jet_product* list, double* sum)
{
  const uint32_t top = j->mirror + (uint32_t)(j->order - k) + 1;
  for (int i = 0; i < count; i++)
    sum[list[i].row] += dot(r + j->out[list[i].output] + 1, r + j->in[list[i].input] + top, k);
}

static void begin(const code_jet* j, double* r, uint32_t p, double value)
{
  r[p] = value;
  r[p + j->mirror + (uint32_t)j->order] = value;
}

// value and helpers at order 0; helpers that hold j a_j begin with 0 and are never set
static void start(const code_jet* j, double* r, const jet_step* s)
{
  const double a = r[s->a];
  switch (s->op) {
  case JET_SCALE:
    begin(j, r, s->d, s->z * a);
    return;
  case JET_OVER:
    begin(j, r, s->d, a / s->z);
    return;
  case JET_AXPY:
    begin(j, r, s->d, fma(s->z, a, r[s->c]));
    return;
  case JET_AXMY:
    begin(j, r, s->d, fma(s->z, a, -r[s->c]));
    return;
  case JET_POWER:
    begin(j, r, s->d, pow(a, s->z));
    return;
  case CODE_SINCOS: {
    double sine, cosine;
    sincos(a, &sine, &cosine);
    begin(j, r, s->d, sine);
    begin(j, r, s->y, cosine);
    return;
  }
  default:
    break;
  }
  const double b = r[s->b], w = code_op_value(s->op, a, b, r[s->c]);
  begin(j, r, s->d, w);
  switch (s->op) {
  case CODE_SIN:
    begin(j, r, s->y, cos(a));
    break;
  case CODE_COS:
    begin(j, r, s->y, sin(a));
    break;
  case CODE_SINH:
    begin(j, r, s->y, cosh(a));
    break;
  case CODE_COSH:
    begin(j, r, s->y, sinh(a));
    break;
  case CODE_TAN:
    begin(j, r, s->y, 1 + w * w);
    break;
  case CODE_TANH:
    begin(j, r, s->y, 1 - w * w);
    break;
  case CODE_ATAN:
    begin(j, r, s->y, 1 + a * a);
    break;
  case CODE_ASIN:
  case CODE_ACOS:
    begin(j, r, s->y, sqrt((1 - a) * (1 + a)));
    break;
  case CODE_ATAN2:
    begin(j, r, s->y, a * a + b * b);
    break;
  default:
    break;
  }
}

void code_jet_run(const code_jet* j, int k, double* scratch)
{
  if (k > 0) {
    j->run(j, k, scratch);
    return;
  }
  for (int i = 0; i < j->steps; i++) start(j, scratch, &j->step[i]);
  for (int i = 0; i < j->live; i++) scratch[j->live_at[i] + 1] = 0;
}

// ---- the same for the processor at hand ---------------------------------------------------------

static void walk_anywhere(const code_jet* j, int k, double* r)
{
  walk(j, k, r);
}

static void multiply_anywhere(const code_jet* j, const double* r, int k, int count,
                              const code_jet_product* list, double* sum)
{
  multiply(j, r, k, count, list, sum);
}

#if defined(__x86_64__)
// the sums run in the same order, so all three give the same bits
#define FOR(NAME, TARGET)                                                                      \
  __attribute__((target(TARGET))) static void walk_##NAME(const code_jet* j, int k, double* r) \
  {                                                                                            \
    walk(j, k, r);                                                                             \
  }                                                                                            \
  __attribute__((target(TARGET))) static void multiply_##NAME(                                 \
      const code_jet* j, const double* r, int k, int count, const code_jet_product* list,      \
      double* sum)                                                                             \
  {                                                                                            \
    multiply(j, r, k, count, list, sum);                                                       \
  }
FOR(avx2, "avx2")
FOR(avx512, "avx512f,avx512vl")

void code_jet_choose(code_jet* j)
{
  j->run = walk_anywhere;
  j->products = multiply_anywhere;
  if (BASE_HAS_AVX2) {
    j->run = walk_avx2;
    j->products = multiply_avx2;
  }
  if (BASE_HAS_AVX512_VL) {
    j->run = walk_avx512;
    j->products = multiply_avx512;
  }
}
#else
void code_jet_choose(code_jet* j)
{
  j->run = walk_anywhere;
  j->products = multiply_anywhere;
}
#endif
