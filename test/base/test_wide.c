// Numbers of twice the digits against values computed with sixty (mpmath).
#include "base/base.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>

static base_wide sine(base_wide x)
{
  base_wide s, c;
  base_wide_sincos(x, &s, &c);
  return s;
}

static base_wide cosine(base_wide x)
{
  base_wide s, c;
  base_wide_sincos(x, &s, &c);
  return c;
}

static base_wide hyperbolic_sine(base_wide x)
{
  base_wide s, c;
  base_wide_sinhcosh(x, &s, &c);
  return s;
}

// digits with a point and an exponent
static base_wide read(const char* text)
{
  base_wide x = base_wide_of(0);
  int after = 0, seen_point = 0;
  const char* c = text + (*text == '-');
  for (; *c && *c != 'e'; c++) {
    if (*c == '.') {
      seen_point = 1;
      continue;
    }
    x = base_wide_add(base_wide_scale(x, 10), base_wide_of(*c - '0'));
    after += seen_point;
  }
  int power = (*c ? atoi(c + 1) : 0) - after;
  for (; power > 0; power--) x = base_wide_scale(x, 10);
  for (; power < 0; power++) x = base_wide_div(x, base_wide_of(10));
  return *text == '-' ? base_wide_neg(x) : x;
}

TEST(functions_with_twice_the_digits_agree_with_sixty_digits)
{
  const struct
  {
    base_wide got;
    const char* want;
  } cases[] = {
      {base_wide_sqrt(base_wide_of(2)), "1.414213562373095048801688724"},
      {base_wide_sqrt(base_wide_decimal(0.1)), "0.3162277660168379331998893544"},
      {base_wide_exp(base_wide_of(1)), "2.718281828459045235360287471"},
      {base_wide_exp(base_wide_of(-20.5)), "1.250152866386742628937553119e-9"},
      {base_wide_exp(base_wide_decimal(300.1)), "2.146713162523149598079288489e+130"},
      {base_wide_log(base_wide_of(2)), "0.6931471805599453094172321215"},
      {base_wide_log(base_wide_decimal(1e-9)), "-20.72326583694641115616192309"},
      {base_wide_log(base_wide_of(1e18)), "41.44653167389282231232384618"},
      {base_wide_pow(base_wide_of(2), base_wide_decimal(0.3)), "1.231144413344916284499393069"},
      {base_wide_pow(base_wide_of(-3), base_wide_of(5)), "-243.0000000000000000000000000"},
      {base_wide_pow(base_wide_decimal(1.7), base_wide_of(-7)), "0.02437011341604645682518937229"},
      {sine(base_wide_of(1)), "0.8414709848078965066525023216"},
      {sine(base_wide_of(100000)), "0.03574879797201650931647050070"},
      {sine(base_wide_decimal(1e10)), "-0.4875060250875106915277942943"},
      {sine(base_wide_decimal(-0.001)), "-0.0009999998333333416666664682540"},
      {sine(base_wide_of(22)), "-0.008851309290403875921690256816"},
      {cosine(base_wide_of(1)), "0.5403023058681397174009366074"},
      {cosine(base_wide_of(11)), "0.004425697988050785748355024724"},
      {cosine(base_wide_of(123456.75)), "0.01269521406412672017006869078"},
      {base_wide_atan2(base_wide_of(1), base_wide_of(-2)), "2.677945044588987122248387152"},
      {base_wide_atan2(base_wide_decimal(1e-200), base_wide_of(3)),
       "3.333333333333333333333333333e-201"},
      {base_wide_asin(base_wide_decimal(0.3)), "0.3046926540153975079720029612"},
      {base_wide_acos(base_wide_decimal(-0.9)), "2.690565841793530805917998747"},
      {hyperbolic_sine(base_wide_decimal(0.1)), "0.1001667500198440258237293835"},
      {hyperbolic_sine(base_wide_of(-3)), "-10.01787492740990189897459362"},
      {base_wide_pi(), "3.141592653589793238462643383"},
      {base_wide_div(base_wide_of(1), base_wide_of(3)), "0.3333333333333333333333333333"},
      {base_wide_decimal(0.7), "0.7000000000000000000000000000"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const base_wide want = read(cases[i].want), off = base_wide_sub(cases[i].got, want);
    if (!(fabs(off.hi) <= 1e-27 * fabs(want.hi)))
      check_fail(__FILE__, __LINE__, "case %zu: %.17g, want %s, off by %.3g", i, cases[i].got.hi,
                 cases[i].want, off.hi);
  }
}

TEST(what_does_not_exist_with_twice_the_digits_is_not_a_number)
{
  CHECK(isnan(base_wide_sqrt(base_wide_of(-1)).hi));
  CHECK(isnan(base_wide_log(base_wide_of(-1)).hi));
  CHECK(isnan(base_wide_asin(base_wide_of(1.5)).hi));
  CHECK(isnan(sine(base_wide_of(1e17)).hi));
  CHECK(isnan(base_wide_pow(base_wide_of(-2), base_wide_decimal(0.3)).hi));
  CHECK(isinf(base_wide_div(base_wide_of(1), base_wide_of(0)).hi));
  CHECK(base_wide_sqrt(base_wide_of(0)).hi == 0);
  CHECK(base_wide_exp(base_wide_of(-1e4)).hi == 0);
}

static const char* printed(base_wide x)
{
  static char text[base_wide_room];
  const int n = base_wide_print(text, x);
  CHECK_INT(n, (long long)strlen(text));
  return text;
}

TEST(numbers_of_twice_the_digits_are_printed_and_decimals_are_exact)
{
  CHECK_TEXT(printed(base_wide_decimal(0.1)), "0.1");
  CHECK_TEXT(printed(base_wide_of(copysign(NAN, -1))), "nan");
  CHECK_TEXT(printed(base_wide_decimal(-123.456)), "-123.456");
  CHECK_TEXT(printed(base_wide_decimal(1e-7)), "1e-07");
  CHECK_TEXT(printed(base_wide_of(0.1)), "0.1000000000000000055511151231258");
  CHECK_TEXT(printed(base_wide_of(1e22)), "10000000000000000000000");
  CHECK_TEXT(printed(base_wide_of(0)), "0");
  CHECK_TEXT(printed(base_wide_sub(base_wide_of(1), base_wide_of(1e-40))), "1");
  CHECK_TEXT(printed(base_wide_pi()), "3.141592653589793238462643383279");
  CHECK_TEXT(printed(base_wide_div(base_wide_of(2), base_wide_of(3))),
             "0.6666666666666666666666666666667");
  CHECK(isnan(strtod(printed(base_wide_of(NAN)), NULL)));
}
