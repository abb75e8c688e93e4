// Doubles as 17 significant digits: the same characters as printf's "%.17g", by exact integers.
#include "out/number.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

// x = m 2^-r with m < 2^53. The digits are D = round(m 10^s / 2^r) with s such that D has 17 of
// them. For 1e-22 <= x < 2^52 we have 0 <= s <= 38, so 10^s < 2^127 is exact and m 10^s is a number
// of 180 bits, kept as high * 2^64 + low: no rounding before the one that is meant.
static uint64_t scaled(uint64_t m, wide ten_s, int r)
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
  } else {
    whole = (uint64_t)(high >> (r - 64));
    half = high >> (r - 65) & 1;
    rest = low != 0 || (high & (((wide)1 << (r - 65)) - 1)) != 0;
  }
  return whole + (half && (rest || (whole & 1)));
}

static wide power_of_ten(int s)
{
  wide p = 1;
  while (s-- > 0) p *= 10;
  return p;
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

int out_number(char digits[32], double x)
{
  static const uint64_t most = 100000000000000000; // 10^17
  double size = fabs(x);
  // the sign of what is not a number says nothing
  if (isnan(x)) return snprintf(digits, 32, "nan");
  if (!(size >= 1e-22 && size < 4503599627370496.0)) return snprintf(digits, 32, "%.17g", x);

  int binary;
  uint64_t m = (uint64_t)ldexp(frexp(size, &binary), 53);
  int exponent = (int)floor(log10(size));
  if (exponent > 15) exponent = 15;
  if (exponent < -22) exponent = -22;
  uint64_t D = scaled(m, power_of_ten(16 - exponent), 53 - binary);
  // log10 may be one off at a power of ten: too high, and one more digit still fits; too low, or
  // rounding carried into an 18th digit
  if (D <= most / 10) {
    uint64_t finer = exponent > -22 ? scaled(m, power_of_ten(17 - exponent), 53 - binary) : most;
    if (finer < most) D = finer, exponent--;
  } else if (D >= most) {
    exponent++;
    D = scaled(m, power_of_ten(16 - exponent), 53 - binary);
  }
  assert(D >= most / 10 && D < most);

  char d[17];
  for (int i = 16; i >= 0; i--) {
    d[i] = (char)('0' + D % 10);
    D /= 10;
  }
  return lay_out(digits, x < 0, d, exponent);
}

void out_number_add(base_text* out, double x)
{
  char digits[32];
  base_text_addn(out, digits, (size_t)out_number(digits, x));
}
