// Numbers of twice the digits as text, and from the decimals that doubles stand for.
#include "base/wide.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { exact_tens = 22 }; // powers of ten that are doubles

static base_wide power_of_ten(int n)
{
  base_wide p = base_wide_of(1);
  for (; n >= exact_tens; n -= exact_tens) p = base_wide_scale(p, 1e22);
  double rest = 1;
  while (n-- > 0) rest *= 10;
  return base_wide_scale(p, rest);
}

// x 10^n
static base_wide shifted(base_wide x, int n)
{
  return n < 0 ? base_wide_div(x, power_of_ten(-n)) : base_wide_mul(x, power_of_ten(n));
}

base_wide base_wide_decimal(double x)
{
  char text[40];
  if (!(fabs(x) < 1e280) || fabs(x) < 1e-250) return base_wide_of(x);
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*e", digits - 1, x);
    if (strtod(text, NULL) == x) break;
  }
  // the digits as a whole number, behind the sign, and the place of the point
  int64_t whole = 0;
  int after = 0;
  const char *c = text + (*text == '-'), *e = strchr(text, 'e');
  for (; c < e; c++) {
    if (*c == '.') continue;
    whole = 10 * whole + (*c - '0');
    after += c > text + (*text == '-');
  }
  const double high = (double)whole;
  const base_wide sum = base_wide_quick_sum(high, (double)(whole - (int64_t)high));
  const base_wide value = shifted(sum, atoi(e + 1) - after);
  return x < 0 ? base_wide_neg(value) : value;
}

// as %g: no zeros at the end, an exponent only when needed
static int lay_out(char* text, bool minus, const char* digit, int exponent)
{
  int n = base_wide_digits;
  while (n > 1 && digit[n - 1] == '0') n--;
  char* o = text;
  if (minus) *o++ = '-';
  if (exponent < -4 || exponent >= base_wide_digits) {
    *o++ = digit[0];
    if (n > 1) *o++ = '.';
    for (int i = 1; i < n; i++) *o++ = digit[i];
    return (int)(o - text) + snprintf(o, 8, "e%+03d", exponent);
  }
  if (exponent < 0) *o++ = '0', *o++ = '.';
  for (int i = exponent; i < -1; i++) *o++ = '0';
  for (int i = 0; i < n || i <= exponent; i++) {
    if (i > 0 && i == exponent + 1) *o++ = '.';
    *o++ = i < n ? digit[i] : '0';
  }
  *o = 0;
  return (int)(o - text);
}

int base_wide_print(char text[base_wide_room], base_wide x)
{
  const bool minus = x.hi < 0;
  if (isnan(x.hi)) return snprintf(text, base_wide_room, "nan");
  if (minus) x = base_wide_neg(x);
  if (!(x.hi < 1e280) || !(x.hi > 1e-250))
    return snprintf(text, base_wide_room, "%.17g", minus ? -x.hi : x.hi);
  int exponent = (int)floor(log10(x.hi));
  x = shifted(x, -exponent);
  // one off where log10 was rounded, also by half a unit of the last digit
  base_wide half = base_wide_of(5);
  half = shifted(half, -base_wide_digits);
  const base_wide ten = base_wide_of(10);
  if (!base_wide_less(base_wide_add(x, half), ten)) {
    x = base_wide_div(x, ten);
    exponent++;
  }
  if (x.hi < 1 || (x.hi == 1 && x.lo < -half.hi)) {
    x = base_wide_mul(x, ten);
    exponent--;
  }
  x = base_wide_add(x, half);
  char digit[base_wide_digits];
  for (int i = 0; i < base_wide_digits; i++) {
    double d = floor(x.hi);
    if (d == x.hi && x.lo < 0) d--;
    d = d < 0 ? 0 : d > 9 ? 9 : d;
    digit[i] = (char)('0' + (int)d);
    x = base_wide_scale(base_wide_sub(x, base_wide_of(d)), 10);
  }
  return lay_out(text, minus, digit, exponent);
}
