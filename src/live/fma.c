// fma() where no instruction has it: a b + c in one rounding, from plain sums and products.
//
// S. Boldo, G. Melquiond, Emulation of a FMA and correctly rounded sums: proved algorithms using
// rounding to odd, IEEE Trans. Computers 57 (2008), 462-471, algorithm 4: with exact pairs
//   (uh, ul) = a b,  (th, tl) = c + ul,  (vh, vl) = uh + th,  z = tl + vl rounded to odd,
// a b + c rounded once is vh + z. It holds while nothing overflows and no error of a product is
// too small to be a number; beyond these bounds the work is done in whole numbers by fma of the C
// library, which is some ten times slower everywhere.
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct pair
{
  double high, low; // their sum is exact, |low| at most half a unit of high's last place
} pair;

// T. J. Dekker, A floating-point technique for extending the available precision (1971)
static inline pair split(double a)
{
  const double far = 134217729.0 * a; // 2^27 + 1
  const double high = far - (far - a);
  return (pair){high, a - high};
}

static inline pair product(double a, double b)
{
  const double p = a * b;
  const pair x = split(a), y = split(b);
  const double low = ((x.high * y.high - p) + x.high * y.low + x.low * y.high) + x.low * y.low;
  return (pair){p, low};
}

// D. E. Knuth, The Art of Computer Programming 2, 4.2.2, theorem B
static inline pair sum(double a, double b)
{
  const double s = a + b, part = s - a;
  return (pair){s, (a - (s - part)) + (b - part)};
}

// a + b, and where that is no double the neighbour with an odd last bit
static inline double sum_to_odd(double a, double b)
{
  const pair s = sum(a, b);
  int64_t bits;
  memcpy(&bits, &s.high, sizeof bits);
  if (s.low == 0 || (bits & 1)) return s.high;
  // what is left points away from zero, or towards it
  bits += (s.low > 0) == (s.high > 0) ? 1 : -1;
  double odd;
  memcpy(&odd, &bits, sizeof odd);
  return odd;
}

// The linker sends calls of fma here, and those of __real_fma to the C library's.
double __real_fma(double a, double b, double c);
double __wrap_fma(double a, double b, double c);

double __wrap_fma(double a, double b, double c)
{
  // the smallest error of a product is 2^-106 of it; split() multiplies by 2^27
  static const double small = 0x1p-900, large = 0x1p900;
  const double p = fabs(a * b);
  const bool plain = p > small && p < large && fabs(a) < large && fabs(b) < large &&
                     fabs(c) < large && (fabs(c) > small || c == 0);
  if (!plain) return a == 0 || b == 0 ? a * b + c : __real_fma(a, b, c);
  const pair u = product(a, b), t = sum(c, u.low), v = sum(u.high, t.high);
  return v.high + sum_to_odd(t.low, v.low);
}
