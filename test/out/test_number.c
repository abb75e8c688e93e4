#include "out/number.h"

#include <stdio.h>

#include "check.h"

static void same_as_printf(double x)
{
  char got[32], want[32];
  int n = out_number(got, x);
  snprintf(want, sizeof want, "%.17g", x);
  CHECK_TEXT(got, want);
  CHECK_INT(n, (int)strlen(want));
}

TEST(what_is_no_number_has_no_sign)
{
  char text[32];
  const double none[] = {NAN, -NAN, copysign(NAN, -1)};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    CHECK_INT(out_number(text, none[i]), 3);
    CHECK_TEXT(text, "nan");
  }
}

TEST(numbers_are_the_characters_of_printf_at_the_edges)
{
  static const double xs[] = {0,
                              1,
                              0.1,
                              1.0 / 3,
                              9.5,
                              10,
                              99,
                              1e-4,
                              9.9999999999999995e-5,
                              1e-5,
                              123456789,
                              1e15,
                              1e16,
                              1e17,
                              9007199254740991.0,
                              9007199254740992.0,
                              9007199254740993.0,
                              1e22,
                              1e23,
                              1e-21,
                              1e-22,
                              9.9e-23,
                              1e-23,
                              5e-324,
                              1.7976931348623157e308,
                              0.5,
                              0.25,
                              2.5,
                              1e-7,
                              4.35,
                              0.99999999999999989,
                              9.9999999999999982,
                              INFINITY,
                              4503599627370496.5,
                              4503599627370497.5};
  for (size_t i = 0; i < sizeof xs / sizeof *xs; i++) {
    same_as_printf(xs[i]);
    same_as_printf(-xs[i]);
  }
  for (int e = -30; e < 30; e++) {
    same_as_printf(pow(10, e));
    same_as_printf(nextafter(pow(10, e), 0));
    same_as_printf(nextafter(pow(10, e), INFINITY));
  }
}

TEST(numbers_are_the_characters_of_printf_at_random)
{
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < 200000; i++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    // mantissas of all lengths: short ones make ties
    uint64_t bits = state;
    double x;
    if (i % 3 == 0) bits &= ~(uint64_t)0 << (i % 50);
    if (i % 2 == 0)
      bits = (bits & 0x800fffffffffffffu) | (uint64_t)(1023 - 76 + (state >> 20) % 132) << 52;
    memcpy(&x, &bits, sizeof x);
    if (!isnan(x)) same_as_printf(x);
  }
}
