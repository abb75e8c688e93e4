// The recurrences of power series, one for each operation.
//
// With w = f(a) and w' a known combination of series, coefficient k of w follows from lower ones:
//   w = a b         w_k = sum_j a_j b_(k-j)
//   w = a / b       w_k = (a_k - sum_(j>0) b_j w_(k-j)) / b_0
//   w = exp a       w' = w a'        k w_k = sum_j j a_j w_(k-j)
//   w = a ^ z       a w' = z w a'
//   w = tan a       w' = (1 + w^2) a',   and so on.
// Moore, Interval Analysis (1966), ch. 11; Griewank and Walther, Evaluating Derivatives (2008),
// table 13.2. `slope` is the series j a_j.
#include "code/jet.h"

#include <math.h>
#include <string.h>

#define ALWAYS static inline __attribute__((always_inline))

typedef double eight __attribute__((vector_size(64)));
typedef double four __attribute__((vector_size(32)));
typedef double two __attribute__((vector_size(16)));

// sum of f_j g_j over j < n, in blocks of eight: behind the last term g is zero (see jet.h)
ALWAYS double dot(const double* f, const double* g, int n)
{
  if (n <= 4) {
    four x, y;
    memcpy(&x, f, sizeof x);
    memcpy(&y, g, sizeof y);
    const four h = x * y;
    const two q = __builtin_shufflevector(h, h, 0, 1) + __builtin_shufflevector(h, h, 2, 3);
    return q[0] + q[1];
  }
  eight x, y;
  memcpy(&x, f, sizeof x);
  memcpy(&y, g, sizeof y);
  eight sum = x * y;
  for (int i = 8; i < n; i += 8) {
    memcpy(&x, f + i, sizeof x);
    memcpy(&y, g + i, sizeof y);
    sum += x * y;
  }
  const four h =
      __builtin_shufflevector(sum, sum, 0, 1, 2, 3) + __builtin_shufflevector(sum, sum, 4, 5, 6, 7);
  const two q = __builtin_shufflevector(h, h, 0, 1) + __builtin_shufflevector(h, h, 2, 3);
  return q[0] + q[1];
}

typedef struct at_order
{
  double* r;
  uint32_t mirror, top; // the mirror of coefficient k is at mirror + top
  int k;
} at_order;

ALWAYS void put(const at_order* o, uint32_t p, double value)
{
  o->r[p + (uint32_t)o->k] = value;
  o->r[p + o->mirror + o->top] = value;
}

// sum over j = 0 .. k of f_j g_(k-j)
ALWAYS double whole(const at_order* o, uint32_t f, uint32_t g)
{
  return dot(o->r + f, o->r + g + o->mirror + o->top, o->k + 1);
}

// sum over j = 1 .. k of f_j g_(k-j)
ALWAYS double tail(const at_order* o, uint32_t f, uint32_t g)
{
  return dot(o->r + f + 1, o->r + g + o->mirror + o->top + 1, o->k);
}

#define AT(P)    o->r[s->P + (uint32_t)o->k]
#define FIRST(P) o->r[s->P]

ALWAYS void set_slope(const at_order* o, uint32_t slope, double value)
{
  put(o, slope, o->k * value);
}

// w' = sign_w y a',  y' = sign_y w a': sine and cosine, plain and hyperbolic
ALWAYS void pair(const at_order* o, const jet_step* s, double sign_w, double sign_y)
{
  set_slope(o, s->x, AT(a));
  const double w = sign_w * tail(o, s->x, s->y) / o->k, y = sign_y * tail(o, s->x, s->d) / o->k;
  put(o, s->d, w);
  put(o, s->y, y);
}

// w' = y a',  y = 1 + sign w^2
ALWAYS void tangent(const at_order* o, const jet_step* s, double sign)
{
  set_slope(o, s->x, AT(a));
  put(o, s->d, tail(o, s->x, s->y) / o->k);
  put(o, s->y, sign * whole(o, s->d, s->d));
}

// y w' = rhs, with the series j w_j in x
ALWAYS void quotient(const at_order* o, const jet_step* s, double rhs)
{
  put(o, s->x, 0);
  const double w = (rhs - tail(o, s->x, s->y)) / (o->k * FIRST(y));
  put(o, s->d, w);
  set_slope(o, s->x, w);
}

static void arctangent2(const at_order* o, const jet_step* s)
{
  const double *a = o->r + s->a, *b = o->r + s->b;
  double rhs = 0;
  for (int j = 0; j <= o->k; j++) rhs += (2 * j - o->k) * a[j] * b[o->k - j];
  put(o, s->y, whole(o, s->a, s->a) + whole(o, s->b, s->b));
  quotient(o, s, rhs);
}

ALWAYS double root(const at_order* o, const jet_step* s)
{
  if (FIRST(d) == 0) return AT(a) == 0 ? 0 : NAN; // nothing but the zero series has a root there
  put(o, s->d, 0);
  return (AT(a) - tail(o, s->d, s->d)) / (2 * FIRST(d));
}

static void power(const at_order* o, const jet_step* s, int order)
{
  set_slope(o, s->x, AT(a));
  put(o, s->y, 0);
  double w;
  if (FIRST(a) != 0)
    w = (s->z * tail(o, s->x, s->d) - tail(o, s->y, s->a)) / (o->k * FIRST(a));
  else
    w = s->z > 0 && (AT(a) == 0 || (s->z > order && s->z == floor(s->z))) ? 0 : NAN;
  put(o, s->d, w);
  set_slope(o, s->y, w);
}

// sign of the first coefficient that is not zero: of the series just behind its start
static int leading_sign(const at_order* o, uint32_t a)
{
  for (int j = 0; j <= o->k; j++)
    if (o->r[a + (uint32_t)j] != 0) return o->r[a + (uint32_t)j] > 0 ? 1 : -1;
  return 0;
}

// is a below b at the start, or just behind it?
static bool below(const at_order* o, uint32_t a, uint32_t b)
{
  for (int j = 0; j <= o->k; j++) {
    const double x = o->r[a + (uint32_t)j], y = o->r[b + (uint32_t)j];
    if (x != y) return x < y;
  }
  return true;
}

ALWAYS void go(const at_order* o, const jet_step* s, uint32_t op, int order)
{
  switch (op) {
  case CODE_ADD:
    put(o, s->d, AT(a) + AT(b));
    break;
  case CODE_SUB:
    put(o, s->d, AT(a) - AT(b));
    break;
  case CODE_NEG:
    put(o, s->d, -AT(a));
    break;
  case CODE_MUL:
    put(o, s->d, whole(o, s->a, s->b));
    break;
  case CODE_NMUL:
    put(o, s->d, -whole(o, s->a, s->b));
    break;
  case CODE_FMA:
    put(o, s->d, AT(c) + whole(o, s->a, s->b));
    break;
  case CODE_FMS:
    put(o, s->d, whole(o, s->a, s->b) - AT(c));
    break;
  case CODE_FNMA:
    put(o, s->d, AT(c) - whole(o, s->a, s->b));
    break;
  case CODE_FNMS:
    put(o, s->d, -AT(c) - whole(o, s->a, s->b));
    break;
  case JET_SCALE:
    put(o, s->d, s->z * AT(a));
    break;
  case JET_OVER:
    put(o, s->d, AT(a) / s->z);
    break;
  case JET_AXPY:
    put(o, s->d, s->z * AT(a) + AT(c));
    break;
  case JET_AXMY:
    put(o, s->d, s->z * AT(a) - AT(c));
    break;
  case CODE_DIV:
    put(o, s->d, (AT(a) - tail(o, s->b, s->d)) / FIRST(b));
    break;
  case CODE_NDIV:
    put(o, s->d, (-AT(a) - tail(o, s->b, s->d)) / FIRST(b));
    break;
  case CODE_SQRT:
    put(o, s->d, root(o, s));
    break;
  case JET_POWER:
    power(o, s, order);
    break;
  case CODE_EXP:
    set_slope(o, s->x, AT(a));
    put(o, s->d, tail(o, s->x, s->d) / o->k);
    break;
  case CODE_LOG: {
    put(o, s->x, 0);
    const double w = (AT(a) - tail(o, s->x, s->a) / o->k) / FIRST(a);
    put(o, s->d, w);
    set_slope(o, s->x, w);
    break;
  }
  case CODE_SIN:
  case CODE_SINCOS:
    pair(o, s, 1, -1);
    break;
  case CODE_COS:
    pair(o, s, -1, 1);
    break;
  case CODE_SINH:
  case CODE_COSH:
    pair(o, s, 1, 1);
    break;
  case CODE_TAN:
    tangent(o, s, 1);
    break;
  case CODE_TANH:
    tangent(o, s, -1);
    break;
  case CODE_ATAN:
    put(o, s->y, whole(o, s->a, s->a));
    quotient(o, s, o->k * AT(a));
    break;
  case CODE_ASIN: // y = sqrt(1 - a^2),  y' = -a w'
    quotient(o, s, o->k * AT(a));
    put(o, s->y, -tail(o, s->x, s->a) / o->k);
    break;
  case CODE_ACOS:
    quotient(o, s, -o->k * AT(a));
    put(o, s->y, tail(o, s->x, s->a) / o->k);
    break;
  case CODE_ATAN2:
    arctangent2(o, s);
    break;
  case CODE_ABS:
    put(o, s->d, leading_sign(o, s->a) * AT(a));
    break;
  case CODE_MIN:
    put(o, s->d, below(o, s->a, s->b) ? AT(a) : AT(b));
    break;
  case CODE_MAX:
    put(o, s->d, below(o, s->b, s->a) ? AT(a) : AT(b));
    break;
  case CODE_SELECT:
    put(o, s->d, FIRST(a) > 0 ? AT(b) : FIRST(a) == 0 ? AT(c) : NAN);
    break;
  default: // sign and comparisons: steps
    put(o, s->d, 0);
    break;
  }
}

static void go_rare(const at_order* o, const jet_step* s, int order)
{
  go(o, s, s->op, order);
}

ALWAYS void walk(const code_jet* j, int k, double* r)
{
  const at_order o = {r, j->mirror, (uint32_t)(j->order - k), k};
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

// value and helpers at order 0
static void start(const at_order* o, const jet_step* s)
{
  const double a = FIRST(a);
  switch (s->op) {
  case JET_SCALE:
    put(o, s->d, s->z * a);
    return;
  case JET_OVER:
    put(o, s->d, a / s->z);
    return;
  case JET_AXPY:
    put(o, s->d, fma(s->z, a, FIRST(c)));
    return;
  case JET_AXMY:
    put(o, s->d, fma(s->z, a, -FIRST(c)));
    return;
  case JET_POWER:
    put(o, s->d, pow(a, s->z));
    return;
  case CODE_SINCOS: {
    double sine, cosine;
    sincos(a, &sine, &cosine);
    put(o, s->d, sine);
    put(o, s->y, cosine);
    return;
  }
  default:
    break;
  }
  const double b = FIRST(b), w = code_op_value(s->op, a, b, FIRST(c));
  put(o, s->d, w);
  switch (s->op) {
  case CODE_SIN:
    put(o, s->y, cos(a));
    break;
  case CODE_COS:
    put(o, s->y, sin(a));
    break;
  case CODE_SINH:
    put(o, s->y, cosh(a));
    break;
  case CODE_COSH:
    put(o, s->y, sinh(a));
    break;
  case CODE_TAN:
    put(o, s->y, 1 + w * w);
    break;
  case CODE_TANH:
    put(o, s->y, 1 - w * w);
    break;
  case CODE_ATAN:
    put(o, s->y, 1 + a * a);
    break;
  case CODE_ASIN:
  case CODE_ACOS:
    put(o, s->y, sqrt((1 - a) * (1 + a)));
    break;
  case CODE_ATAN2:
    put(o, s->y, a * a + b * b);
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
  const at_order o = {scratch, j->mirror, (uint32_t)j->order, 0};
  for (int i = 0; i < j->steps; i++) start(&o, &j->step[i]);
}

// ---- the same for the processor at hand
// ----------------------------------------------------------

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
  if (__builtin_cpu_supports("avx2")) {
    j->run = walk_avx2;
    j->products = multiply_avx2;
  }
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) {
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
