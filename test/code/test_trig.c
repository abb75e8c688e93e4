// Sine and cosine of blocks: how far from the truth over the whole range, and the same bits from
// every kind of vector.
#include "check.h"
#include "code/graphs.h"
#include "code/trig.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

// The C library's long double functions reduce exactly and are good to about one unit of 2^-64,
// which is this many units of a double.
#define REFERENCE 0x1p-10

static double off_by(double got, long double want)
{
  if (want == 0) return got == 0 ? 0 : INFINITY;
  int e;
  frexp((double)want, &e);
  const double ulp = ldexp(1, e - DBL_MANT_DIG);
  return (double)(fabsl((long double)got - want) / ulp);
}

static double worst(int n, const double* x)
{
  code_lanes_function* both = code_trig_of(CODE_TRIG_BOTH, 8, CODE_INTERPRETED);
  double most = 0;
  for (int i = 0; i + 8 <= n; i += 8) {
    double s[8], c[8];
    both(s, x + i, c);
    for (int l = 0; l < 8; l++) {
      const double d = fmax(off_by(s[l], sinl(x[i + l])), off_by(c[l], cosl(x[i + l])));
      if (!(d <= most)) most = d;
    }
  }
  return most;
}

enum { N = 40000 };

static void check_range(double from, double to)
{
  static double x[N];
  graph_random r = {77};
  for (int i = 0; i < N; i++) x[i] = graph_between(&r, from, to);
  const double most = worst(N, x);
  if (!(most + REFERENCE <= 1))
    check_fail(__FILE__, __LINE__, "%g .. %g: off by %.3f units", from, to, most);
}

TEST(sine_and_cosine_of_blocks_are_good_to_one_unit_everywhere)
{
  const double border[] = {0,   1e-300, 1e-8, 0.1,           0.8,  3.2,
                           100, 1e4,    1e6,  CODE_TRIG_FAR, 1e12, 1e22};
  for (size_t i = 0; i + 1 < sizeof border / sizeof *border; i++) {
    check_range(border[i], border[i + 1]);
    check_range(-border[i + 1], -border[i]);
  }
}

// the doubles nearest to n pi/2 and their neighbours, where the reduction cancels most
TEST(sine_and_cosine_of_blocks_are_good_next_to_multiples_of_a_right_angle)
{
  static double x[N];
  const long double right = 1.57079632679489661923132169163975144L;
  graph_random r = {78};
  for (int range = 0; range < 4; range++) {
    const double most_n = (double[]){20, 1000, 6e5, 0.6 * CODE_TRIG_FAR}[range];
    for (int i = 0; i < N; i++) {
      const double n = floor(graph_between(&r, 0, most_n));
      x[i] = (double)(n * right);
      for (int k = (int)graph_below(&r, 4); k > 0; k--) x[i] = nextafter(x[i], 0);
      if (graph_below(&r, 2)) x[i] = -x[i];
    }
    const double most = worst(N, x);
    if (!(most + REFERENCE <= 1))
      check_fail(__FILE__, __LINE__, "next to multiples up to %g: off by %.3f units", most_n, most);
  }
}

TEST(sine_and_cosine_of_blocks_of_special_values)
{
  const double x[8] = {0.0, -0.0, INFINITY, NAN, DBL_TRUE_MIN, -DBL_MIN, DBL_MAX, -INFINITY};
  double s[8], c[8];
  code_trig_of(CODE_TRIG_BOTH, 8, CODE_INTERPRETED)(s, x, c);
  CHECK(s[0] == 0 && !signbit(s[0]) && s[1] == 0 && signbit(s[1]) && c[0] == 1 && c[1] == 1);
  CHECK(isnan(s[2]) && isnan(c[2]) && isnan(s[3]) && isnan(c[3]) && isnan(s[7]) && isnan(c[7]));
  CHECK(s[4] == DBL_TRUE_MIN && c[4] == 1 && s[5] == -DBL_MIN && c[5] == 1);
  CHECK(s[6] == sin(DBL_MAX) && c[6] == cos(DBL_MAX));
}

static void same_everywhere(code_trig what, int lanes, code_level level, const double* x)
{
  double out[2][8], second[2][8];
  for (int i = 0; i < 2; i++)
    code_trig_of(what, lanes, i ? level : CODE_INTERPRETED)(out[i], x, second[i]);
  for (int l = 0; l < lanes; l++) {
    CHECK(memcmp(&out[0][l], &out[1][l], 8) == 0 || (isnan(out[0][l]) && isnan(out[1][l])));
    if (what == CODE_TRIG_BOTH)
      CHECK(memcmp(&second[0][l], &second[1][l], 8) == 0 || isnan(second[0][l]));
  }
}

TEST(sine_and_cosine_of_blocks_have_the_same_bits_on_every_kind_of_vector)
{
  const code_level here = code_level_here();
  if (here == CODE_INTERPRETED) SKIP("no vectors on this processor");
  graph_random r = {79};
  for (int i = 0; i < 20000; i++) {
    double x[8];
    const double size = pow(10, graph_between(&r, -20, i % 10 ? 9 : 12));
    for (int l = 0; l < 8; l++) x[l] = graph_between(&r, -size, size);
    if (i % 100 == 0) x[i / 100 % 8] = i % 200 ? NAN : INFINITY;
    for (code_trig what = CODE_TRIG_SINE; what <= CODE_TRIG_BOTH; what++) {
      same_everywhere(what, 4, CODE_AVX2, x);
      if (here == CODE_AVX512) same_everywhere(what, 8, CODE_AVX512, x);
    }
  }
}
