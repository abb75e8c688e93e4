// The interpreter over complex numbers, for paths of homotopies.
#include "code/kernel.h"

#include <complex.h>
#include <math.h>
#include <string.h>
#undef I

typedef double complex cx;

static double re(cx x)
{
  return creal(x);
}

// the angle of (x, y), by the quotient that is not large
static cx angle(cx y, cx x)
{
  if (fabs(re(x)) < fabs(re(y))) return (re(y) > 0 ? M_PI_2 : -M_PI_2) - catan(x / y);
  return catan(y / x) + (re(x) >= 0 ? 0 : re(y) >= 0 ? M_PI : -M_PI);
}

static cx power(cx a, cx b)
{
  // whole numbers keep zero and the negative axis where they belong
  if (cimag(b) == 0 && creal(b) == rint(creal(b)) && fabs(creal(b)) <= 64) {
    cx product = 1;
    for (int n = (int)fabs(creal(b)); n > 0; n--) product *= a;
    return creal(b) < 0 ? 1 / product : product;
  }
  return cpow(a, b);
}

static cx product_and_sum(uint32_t op, cx a, cx b, cx c)
{
  switch (op) {
  case CODE_FMA:
    return a * b + c;
  case CODE_FMS:
    return a * b - c;
  case CODE_FNMA:
    return c - a * b;
  case CODE_FNMS:
    return -a * b - c;
  default:
    return NAN;
  }
}

// by the side on which the real parts are
static cx value_at_corner(uint32_t op, cx a, cx b, cx c)
{
  switch (op) {
  case CODE_ABS:
    return re(a) < 0 ? -a : a;
  case CODE_SIGN:
    return re(a) > 0 ? 1 : re(a) < 0 ? -1 : 0;
  case CODE_MIN:
    return re(a) < re(b) ? a : b;
  case CODE_MAX:
    return re(a) > re(b) ? a : b;
  case CODE_LESS:
    return re(a) < re(b);
  case CODE_LESS_EQ:
    return re(a) <= re(b);
  case CODE_SELECT:
    return re(a) > 0 ? b : c;
  default:
    return product_and_sum(op, a, b, c);
  }
}

static cx value(uint32_t op, cx a, cx b, cx c)
{
  switch (op) {
  case CODE_ADD:
    return a + b;
  case CODE_SUB:
    return a - b;
  case CODE_MUL:
    return a * b;
  case CODE_DIV:
    return a / b;
  case CODE_NEG:
    return -a;
  case CODE_NMUL:
    return -a * b;
  case CODE_NDIV:
    return -a / b;
  case CODE_POW:
    return power(a, b);
  case CODE_ATAN2:
    return angle(a, b);
  default:
    return value_at_corner(op, a, b, c);
  }
}

typedef cx unary(cx);

static unary* function_of(uint32_t op)
{
  static unary* const functions[CODE_END + 1] = {
      [CODE_SQRT] = csqrt, [CODE_EXP] = cexp,   [CODE_LOG] = clog,   [CODE_SIN] = csin,
      [CODE_COS] = ccos,   [CODE_TAN] = ctan,   [CODE_ASIN] = casin, [CODE_ACOS] = cacos,
      [CODE_ATAN] = catan, [CODE_SINH] = csinh, [CODE_COSH] = ccosh, [CODE_TANH] = ctanh};
  return functions[op];
}

static void run_step(uint32_t op, const code_step* s, cx* r)
{
  unary* f = function_of(op);
  if (op == CODE_SINCOS) {
    const cx x = r[s->a];
    r[s->d] = csin(x);
    r[s->b] = ccos(x);
  } else if (f) {
    r[s->d] = f(r[s->a]);
  } else {
    const int args = code_op_args(op);
    r[s->d] = value(op, r[s->a], args > 1 ? r[s->b] : 0, args > 2 ? r[s->c] : 0);
  }
}

size_t code_scratch_complex(const code_kernel* k)
{
  return 2 * (size_t)(k->slots + 1);
}

// Both parts by themselves: numbers without a value need not become infinite again here.
static inline cx times(cx a, cx b)
{
  const double ar = creal(a), ai = cimag(a), br = creal(b), bi = cimag(b);
  // glibc gives clang no CMPLX
  return __builtin_complex(ar * br - ai * bi, ar * bi + ai * br);
}

// the operations that tapes are mostly made of, a stretch at a time; false: it is of others
static bool run_stretch(uint32_t op, const code_step* s, const code_step* end, cx* r)
{
  switch (op) {
  case CODE_ADD:
    for (; s != end; s++) r[s->d] = r[s->a] + r[s->b];
    return true;
  case CODE_SUB:
    for (; s != end; s++) r[s->d] = r[s->a] - r[s->b];
    return true;
  case CODE_MUL:
    for (; s != end; s++) r[s->d] = times(r[s->a], r[s->b]);
    return true;
  case CODE_FMA:
    for (; s != end; s++) r[s->d] = times(r[s->a], r[s->b]) + r[s->c];
    return true;
  case CODE_FMS:
    for (; s != end; s++) r[s->d] = times(r[s->a], r[s->b]) - r[s->c];
    return true;
  case CODE_FNMA:
    for (; s != end; s++) r[s->d] = r[s->c] - times(r[s->a], r[s->b]);
    return true;
  case CODE_NEG:
    for (; s != end; s++) r[s->d] = -r[s->a];
    return true;
  default:
    return false;
  }
}

void code_run_complex(const code_kernel* k, const double* in, double* out, double* scratch)
{
  cx* r = (cx*)scratch;
  memcpy(r, in, sizeof(cx) * (size_t)k->tape.inputs);
  for (int i = 0; i < k->constants; i++) r[k->tape.inputs + i] = k->constant[i];
  const code_step* s = k->step;
  for (const code_stretch* same = k->stretch; same->op != CODE_END; same++) {
    const code_step* end = s + same->count;
    if (run_stretch(same->op, s, end, r))
      s = end;
    else
      for (; s != end; s++) run_step(same->op, s, r);
  }
  for (int i = 0; i < k->tape.outputs; i++) memcpy(&out[2 * i], &r[k->out_slot[i]], sizeof(cx));
}
