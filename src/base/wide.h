// Numbers of twice the digits: the unevaluated sum of two doubles, about 32 decimal digits.
//
// Sums and products of doubles are split into the rounded result and its exact error (Dekker 1971;
// the product by fma); the operations on pairs are those of Joldes, Muller and Popescu, ACM TOMS 44
// (2017), with relative errors of a few 2^-106. The bits need -ffp-contract=off.
#pragma once

#include <math.h>
#include <stdbool.h>

typedef struct base_wide
{
  double hi, lo; // |lo| is at most half a unit in the last place of hi
} base_wide;

#define BASE_WIDE static inline __attribute__((always_inline))

BASE_WIDE base_wide base_wide_of(double x)
{
  return (base_wide){x, 0};
}

// a + b exactly
BASE_WIDE base_wide base_wide_two_sum(double a, double b)
{
  const double s = a + b, part = s - a;
  return (base_wide){s, (a - (s - part)) + (b - part)};
}

// the same where |a| >= |b|, or a is 0
BASE_WIDE base_wide base_wide_quick_sum(double a, double b)
{
  const double s = a + b;
  return (base_wide){s, b - (s - a)};
}

// a b exactly
BASE_WIDE base_wide base_wide_two_product(double a, double b)
{
  const double p = a * b;
  return (base_wide){p, __builtin_fma(a, b, -p)};
}

BASE_WIDE base_wide base_wide_neg(base_wide a)
{
  return (base_wide){-a.hi, -a.lo};
}

BASE_WIDE base_wide base_wide_add(base_wide a, base_wide b)
{
  const base_wide s = base_wide_two_sum(a.hi, b.hi), t = base_wide_two_sum(a.lo, b.lo);
  const base_wide v = base_wide_quick_sum(s.hi, s.lo + t.hi);
  return base_wide_quick_sum(v.hi, t.lo + v.lo);
}

BASE_WIDE base_wide base_wide_sub(base_wide a, base_wide b)
{
  return base_wide_add(a, base_wide_neg(b));
}

BASE_WIDE base_wide base_wide_mul(base_wide a, base_wide b)
{
  const base_wide p = base_wide_two_product(a.hi, b.hi);
  const double rest = __builtin_fma(a.hi, b.lo, a.lo * b.hi);
  return base_wide_quick_sum(p.hi, p.lo + rest);
}

BASE_WIDE base_wide base_wide_scale(base_wide a, double z)
{
  const base_wide p = base_wide_two_product(a.hi, z);
  return base_wide_quick_sum(p.hi, __builtin_fma(a.lo, z, p.lo));
}

BASE_WIDE base_wide base_wide_div(base_wide a, base_wide b)
{
  const double first = a.hi / b.hi;
  // infinities and not-a-numbers have no remainder
  if (!(fabs(first) < HUGE_VAL) || first == 0) return base_wide_of(first);
  const base_wide left = base_wide_sub(a, base_wide_scale(b, first));
  const double second = left.hi / b.hi;
  const base_wide rest = base_wide_sub(left, base_wide_scale(b, second));
  const base_wide sum = base_wide_quick_sum(first, second);
  return base_wide_add(sum, base_wide_of(rest.hi / b.hi));
}

BASE_WIDE bool base_wide_less(base_wide a, base_wide b)
{
  return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

BASE_WIDE bool base_wide_equal(base_wide a, base_wide b)
{
  return a.hi == b.hi && a.lo == b.lo;
}

// Functions, to a few 1e-31 of the result or of 1. Sine and cosine of arguments beyond 2^50 are not
// a number: so are results that do not exist.
base_wide base_wide_sqrt(base_wide x);
base_wide base_wide_exp(base_wide x);
base_wide base_wide_log(base_wide x);
base_wide base_wide_pow(base_wide x, base_wide y);
void base_wide_sincos(base_wide x, base_wide* sine, base_wide* cosine);
base_wide base_wide_atan2(base_wide y, base_wide x);
base_wide base_wide_asin(base_wide x);
base_wide base_wide_acos(base_wide x);
void base_wide_sinhcosh(base_wide x, base_wide* sine, base_wide* cosine);
base_wide base_wide_pi(void);
// the shortest decimal number that rounds to x
base_wide base_wide_decimal(double x);
// 31 significant digits, as printf's %g lays them out; returns their length
enum { base_wide_digits = 31, base_wide_room = 48 };
int base_wide_print(char text[base_wide_room], base_wide x);
