#include "out/number.h"

#include <stdio.h>
#include <stdlib.h>

#include "check.h"

// the digits alone, without zeros at either end
static void digits_of(const char* text, char out[32])
{
  int n = 0;
  for (; *text && *text != 'e'; text++)
    if (*text >= '0' && *text <= '9' && (n || *text != '0')) out[n++] = *text;
  while (n && out[n - 1] == '0') n--;
  out[n] = 0;
}

// it reads back as the same double, and printf needs as many digits, and the same, for that
static void is_shortest(double x)
{
  char got[32], want[32] = "", a[32], b[32];
  const int n = out_number(got, x);
  CHECK_INT(n, (int)strlen(got));
  const double back = strtod(got, NULL);
  if (memcmp(&back, &x, sizeof x) != 0)
    check_fail(__FILE__, __LINE__, "%.17g is written as %s", x, got);
  if (!isfinite(x)) return;
  for (int p = 1; p <= 17 && (!*want || strtod(want, NULL) != x); p++)
    snprintf(want, sizeof want, "%.*e", p - 1, x);
  digits_of(got, a);
  digits_of(want, b);
  CHECK_TEXT(a, b);
}

TEST(numbers_are_laid_out_as_people_write_them)
{
  static const struct
  {
    double x;
    const char* text;
  } are[] = {{0.1, "0.1"},
             {0.3, "0.3"},
             {9.81, "9.81"},
             {-0.0, "-0"},
             {1.0 / 3, "0.3333333333333333"},
             {1e-7, "1e-07"},
             {123456789, "123456789"},
             {0.1 + 0.2, "0.30000000000000004"},
             {1e22, "1e+22"},
             {1e15, "1000000000000000"},
             {5e-324, "5e-324"},
             {0.00015, "0.00015"},
             {INFINITY, "inf"}};
  for (size_t i = 0; i < sizeof are / sizeof *are; i++) {
    char got[32];
    out_number(got, are[i].x);
    CHECK_TEXT(got, are[i].text);
  }
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

TEST(numbers_are_the_shortest_at_the_edges)
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
    is_shortest(xs[i]);
    is_shortest(-xs[i]);
  }
  for (int e = -30; e < 30; e++) {
    is_shortest(pow(10, e));
    is_shortest(nextafter(pow(10, e), 0));
    is_shortest(nextafter(pow(10, e), INFINITY));
  }
}

TEST(numbers_are_the_shortest_at_random)
{
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < 100000; i++) {
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
    if (isfinite(x)) is_shortest(x);
  }
}
