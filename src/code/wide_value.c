// The value of each operation with twice the digits.
#include "code/jet.h"

#include <assert.h>

static base_wide not_a_number(void)
{
  return base_wide_of(NAN);
}

static base_wide sine_or_cosine(base_wide x, bool cosine)
{
  base_wide s, c;
  base_wide_sincos(x, &s, &c);
  return cosine ? c : s;
}

static base_wide tangent(base_wide x)
{
  base_wide s, c;
  base_wide_sincos(x, &s, &c);
  return base_wide_div(s, c);
}

static base_wide hyperbolic(uint32_t op, base_wide x)
{
  base_wide s, c;
  // beyond this the tangent is a sign to all digits
  if (op == CODE_TANH && fabs(x.hi) > 40) return base_wide_of(x.hi > 0 ? 1 : -1);
  base_wide_sinhcosh(x, &s, &c);
  return op == CODE_SINH ? s : op == CODE_COSH ? c : base_wide_div(s, c);
}

static base_wide sign_of(base_wide x)
{
  return base_wide_of(x.hi > 0 ? 1 : x.hi < 0 ? -1 : x.hi);
}

// comparisons keep what is not a number
static base_wide compare(uint32_t op, base_wide a, base_wide b)
{
  if (isnan(a.hi) || isnan(b.hi)) return not_a_number();
  const bool below = base_wide_less(a, b), same = base_wide_equal(a, b);
  switch (op) {
  case CODE_MIN:
    return below ? a : b;
  case CODE_MAX:
    return below ? b : a;
  case CODE_LESS:
    return base_wide_of(below);
  default:
    return base_wide_of(below || same);
  }
}

static base_wide arithmetic(uint32_t op, base_wide A, base_wide B, base_wide C)
{
  switch (op) {
  case CODE_ADD:
    return base_wide_add(A, B);
  case CODE_SUB:
    return base_wide_sub(A, B);
  case CODE_MUL:
    return base_wide_mul(A, B);
  case CODE_DIV:
    return base_wide_div(A, B);
  case CODE_NEG:
    return base_wide_neg(A);
  case CODE_NMUL:
    return base_wide_neg(base_wide_mul(A, B));
  case CODE_NDIV:
    return base_wide_neg(base_wide_div(A, B));
  case CODE_FMA:
    return base_wide_add(base_wide_mul(A, B), C);
  case CODE_FMS:
    return base_wide_sub(base_wide_mul(A, B), C);
  case CODE_FNMA:
    return base_wide_sub(C, base_wide_mul(A, B));
  case CODE_FNMS:
    return base_wide_neg(base_wide_add(base_wide_mul(A, B), C));
  default:
    assert(!"an operation of arithmetic");
    return not_a_number();
  }
}

static bool is_arithmetic(uint32_t op)
{
  return op == CODE_ADD || op == CODE_SUB || op == CODE_MUL || op == CODE_DIV || op == CODE_NEG ||
         op == CODE_NMUL || op == CODE_NDIV || op == CODE_FMA || op == CODE_FMS ||
         op == CODE_FNMA || op == CODE_FNMS;
}

// roots, powers, and the functions of angles
static base_wide function(uint32_t op, base_wide A, base_wide B)
{
  switch (op) {
  case CODE_SQRT:
    return base_wide_sqrt(A);
  case CODE_POW:
    return base_wide_pow(A, B);
  case CODE_EXP:
    return base_wide_exp(A);
  case CODE_LOG:
    return base_wide_log(A);
  case CODE_SIN:
    return sine_or_cosine(A, false);
  case CODE_COS:
    return sine_or_cosine(A, true);
  case CODE_TAN:
    return tangent(A);
  case CODE_ASIN:
    return base_wide_asin(A);
  case CODE_ACOS:
    return base_wide_acos(A);
  case CODE_ATAN:
    return base_wide_atan2(A, base_wide_of(1));
  case CODE_ATAN2:
    return base_wide_atan2(A, B);
  case CODE_SINH:
  case CODE_COSH:
  case CODE_TANH:
    return hyperbolic(op, A);
  default:
    assert(!"an operation with a value");
    return not_a_number();
  }
}

base_wide code_wide_value(uint32_t op, base_wide A, base_wide B, base_wide C)
{
  if (is_arithmetic(op)) return arithmetic(op, A, B, C);
  switch (op) {
  case CODE_ABS:
    return A.hi < 0 ? base_wide_neg(A) : A;
  case CODE_SIGN:
    return sign_of(A);
  case CODE_MIN:
  case CODE_MAX:
  case CODE_LESS:
  case CODE_LESS_EQ:
    return compare(op, A, B);
  case CODE_SELECT:
    return A.hi > 0 ? B : A.hi == 0 ? C : A;
  default:
    return function(op, A, B);
  }
}
