// Doubles with as few digits as read back equal, by exact integers: 17 of them, then the nearest
// number of 15 or 16 where that lies nearer than half the distance to the next double.
#include "out/number.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

// x 2^power, for normal numbers: exact, as ldexp is
static double times_two_to(double x, int power)
{
  const uint64_t bits = (uint64_t)(power + 1023) << 52;
  double factor;
  memcpy(&factor, &bits, sizeof factor);
  return x * factor;
}

// x = m 2^-r with m < 2^53. The digits are D = round(m 10^s / 2^r) with s such that D has 17 of
// them. For 1e-22 <= x < 2^52 we have 0 <= s <= 38, so 10^s < 2^127 is exact and m 10^s is a number
// of 180 bits, kept as high * 2^64 + low: no rounding before the one that is meant. `left`: what
// the number is above D, to 2^-52.
static uint64_t scaled(uint64_t m, wide ten_s, int r, double* left)
{
  assert(r > 0 && r < 128);
  wide below = (wide)m * (uint64_t)ten_s;
  wide high = (wide)m * (uint64_t)(ten_s >> 64) + (below >> 64);
  uint64_t low = (uint64_t)below;

  // split at bit r: whole part, the bit of a half, and whether anything lies below it
  uint64_t whole;
  bool half, rest;
  if (r <= 64) {
    whole = r == 64 ? (uint64_t)high : (uint64_t)(high << (64 - r)) | low >> r;
    half = low >> (r - 1) & 1;
    rest = (low & (((uint64_t)1 << (r - 1)) - 1)) != 0;
    *left = times_two_to((double)(r == 64 ? low : low & (((uint64_t)1 << r) - 1)), -r);
  } else {
    whole = (uint64_t)(high >> (r - 64));
    half = high >> (r - 65) & 1;
    rest = low != 0 || (high & (((wide)1 << (r - 65)) - 1)) != 0;
    *left = times_two_to((double)(high & (((wide)1 << (r - 64)) - 1)), 64 - r) +
            times_two_to((double)low, -r);
  }
  const bool up = half && (rest || (whole & 1));
  *left -= up;
  return whole + up;
}

// 10^s for s = 0 .. 38
static wide power_of_ten(int s)
{
  static const uint64_t small[20] = {1,
                                     10,
                                     100,
                                     1000,
                                     10000,
                                     100000,
                                     1000000,
                                     10000000,
                                     100000000,
                                     1000000000,
                                     10000000000,
                                     100000000000,
                                     1000000000000,
                                     10000000000000,
                                     100000000000000,
                                     1000000000000000,
                                     10000000000000000,
                                     100000000000000000,
                                     1000000000000000000,
                                     10000000000000000000u};
  assert(s >= 0 && s < 39);
  return s < 20 ? small[s] : (wide)small[19] * small[s - 19];
}

// the double next to it
static double rounded_power_of_ten(int s)
{
  static const double list[39] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
                                  1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
                                  1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29,
                                  1e30, 1e31, 1e32, 1e33, 1e34, 1e35, 1e36, 1e37, 1e38};
  assert(s >= 0 && s < 39);
  return list[s];
}

// the last `count` digits of x, two at a time
static void put_digits(char* out, uint32_t x, int count)
{
  static const char pair[] = "00010203040506070809101112131415161718192021222324252627282930313233"
                             "34353637383940414243444546474849505152535455565758596061626364656667"
                             "6869707172737475767778798081828384858687888990919293949596979899";
  for (; count > 1; x /= 100) {
    count -= 2;
    memcpy(out + count, pair + 2 * (x % 100), 2);
  }
  if (count) *out = (char)('0' + x % 10);
}

// digits and decimal exponent as %g lays them out: no trailing zeros, an exponent only when needed
static int lay_out(char* out, bool minus, const char digits[17], int exponent)
{
  char* o = out;
  int n = 17;
  while (n > 1 && digits[n - 1] == '0') n--;
  if (minus) *o++ = '-';
  if (exponent < -4) {
    *o++ = digits[0];
    if (n > 1) *o++ = '.';
    memcpy(o, digits + 1, (size_t)n - 1);
    o += n - 1;
    o += snprintf(o, 8, "e-%02d", -exponent);
    return (int)(o - out);
  }
  if (exponent < 0) {
    memcpy(o, "0.0000", 6);
    o += 1 - exponent;
    memcpy(o, digits, (size_t)n);
    o += n;
  } else {
    int whole = exponent + 1;
    for (int i = 0; i < whole; i++) *o++ = i < n ? digits[i] : '0';
    if (n > whole) {
      *o++ = '.';
      memcpy(o, digits + whole, (size_t)(n - whole));
      o += n - whole;
    }
  }
  *o = 0;
  return (int)(o - out);
}

// floor(p log10 2) for |p| < 100
static int floor_of_log(int p)
{
  return (p * 1233 - (p < 0 ? 4095 : 0)) / 4096;
}

// 17 digits and the decimal exponent as characters
static int write_digits(char out[32], bool minus, uint64_t D, int exponent)
{
  char d[17];
  put_digits(d, (uint32_t)(D / 100000000), 9);
  put_digits(d + 9, (uint32_t)(D % 100000000), 8);
  return lay_out(out, minus, d, exponent);
}

// what is rare: trial by reading back; below the normal numbers there are fewer digits
static int by_trial(char out[32], double x)
{
  int n = 0;
  for (int p = fabs(x) < DBL_MIN ? 1 : 15; p <= 17; p++) {
    n = snprintf(out, 32, "%.*g", p, x);
    if (strtod(out, NULL) == x) break;
  }
  return n;
}

// Does the number D + away stand for the same double? 1: yes, 0: no, -1: too near to say. In units
// of the last of 17 digits the number is D + left, and what rounds to it is no further off than
// half of one unit of m, 10^s / 2^(r+1); half of that below a power of two.
static int stands_for(double away, double left, double half, bool power_of_two)
{
  static const double doubt = 1e-9; // far more than the error of these few operations
  const double off = away - left, room = power_of_two && off < 0 ? half / 2 : half;
  return fabs(off) < room - doubt ? 1 : fabs(off) > room + doubt ? 0 : -1;
}

// D of 17 digits, what the number is above it, and what stands_for() is told
typedef struct spread
{
  uint64_t D;
  double left, half;
  bool power_of_two;
} spread;

// The nearest number that ends with the noughts of `step`, one for 15 digits or for 16; of two the
// even one. As stands_for(). The step is a number where this is called, and divides as one.
static inline int try_fewer(const spread* s, unsigned step, uint64_t* nearest)
{
  const uint64_t whole = s->D / step;
  const int over = (int)(s->D - whole * step);
  const bool tie = over + s->left == step / 2.0;
  const int away = over + s->left > step / 2.0 || (tie && whole % 2) ? (int)step - over : -over;
  *nearest = s->D + (uint64_t)away;
  return stands_for(away, s->left, s->half, s->power_of_two);
}

int out_number(char digits[32], double x)
{
  static const uint64_t most = 100000000000000000; // 10^17
  double size = fabs(x);
  // the sign of what is not a number says nothing
  if (isnan(x)) return snprintf(digits, 32, "nan");
  if (size == 0) {
    const bool minus = signbit(x);
    memcpy(digits, minus ? "-0" : "0", minus ? 3 : 2);
    return minus ? 2 : 1;
  }
  if (!(size >= 1e-22 && size < 4503599627370496.0)) return by_trial(digits, x);

  uint64_t bits;
  memcpy(&bits, &size, sizeof bits);
  const int binary = (int)(bits >> 52) - 1022; // 2^(binary-1) <= x < 2^binary
  const uint64_t m = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
  // (binary - 1) log10 2, rounded down: the exponent, or one less
  int exponent = floor_of_log(binary - 1);
  if (exponent < -22) exponent = -22;
  // two powers of ten may lie between two powers of two: then the size says which
  if (exponent >= -1 && exponent < 15 && size >= rounded_power_of_ten(exponent + 1)) exponent++;
  double left;
  uint64_t D = scaled(m, power_of_ten(16 - exponent), 53 - binary, &left);
  // it was one less, or rounding carried into an 18th digit
  while (D >= most) {
    exponent++;
    D = scaled(m, power_of_ten(16 - exponent), 53 - binary, &left);
  }
  assert(D >= most / 10 && D < most);

  const double half = times_two_to(rounded_power_of_ten(16 - exponent), binary - 54);
  const spread all = {D, left, half, m == (uint64_t)1 << 52};
  uint64_t nearest;
  int same = try_fewer(&all, 100, &nearest);
  if (!same) same = try_fewer(&all, 10, &nearest);
  if (!same) return write_digits(digits, x < 0, D, exponent);
  if (same < 0 || nearest >= most) return by_trial(digits, x);
  return write_digits(digits, x < 0, nearest, exponent);
}

void out_number_add(base_text* out, double x)
{
  char digits[32];
  base_text_addn(out, digits, (size_t)out_number(digits, x));
}

void out_numbers_add(base_text* out, int n, const double* x)
{
  for (int i = 0; i < n; i++) {
    base_text_addn(out, ",", 1);
    out_number_add(out, x[i]);
  }
}
