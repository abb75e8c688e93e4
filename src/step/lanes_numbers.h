// Numbers in lanes, included by lanes_kernel.h for each kind of vector with what it says there: one
// for all, choices, sizes, the logarithm and power that steer steps, and what comes near zero.

INLINE V KIND(all)(double x)
{
  V v;
  for (int l = 0; l < LANES; l++) v[l] = x;
  return v;
}

INLINE V KIND(choose)(I mask, V yes, V no)
{
  return REAL((mask & BITS(yes)) | (~mask & BITS(no)));
}

INLINE V KIND(size)(V x)
{
  return REAL(BITS(x) & INT64_MAX);
}

// log2 and 2^x to ten digits, enough to steer steps: x = 2^e m with m around 1,
//   log2 m = 2/ln 2 (f + f^3/3 + f^5/5 + ...), f = (m - 1)/(m + 1)
INLINE V KIND(log2)(V x)
{
  const I bits = BITS(x), high = (I)(((bits & 0xfffffffffffff) > 0x6a09e667f3bcd) & 1);
  const I e = ((bits >> 52) & 0x7ff) - 1023 + high;
  const V m = REAL((bits & 0xfffffffffffff) | ((1023 - high) << 52));
  const V shift = ALL(0x1.8p52), whole = REAL(e + BITS(shift)) - shift;
  const V f = (m - ALL(1)) / (m + ALL(1)), z = f * f;
  V s = FMA(z, ALL(1.0 / 13), ALL(1.0 / 11));
  s = FMA(s, z, ALL(1.0 / 9));
  s = FMA(s, z, ALL(1.0 / 7));
  s = FMA(s, z, ALL(1.0 / 5));
  s = FMA(s, z, ALL(1.0 / 3));
  s = FMA(s, z, ALL(1));
  return FMA(ALL(2 / 0x1.62e42fefa39efp-1) * f, s, whole);
}

INLINE V KIND(exp2)(V x)
{
  const V shift = ALL(0x1.8p52);
  x = MAX(MIN(x, ALL(1000)), ALL(-1000));
  const V moved = x + shift, r = (x - (moved - shift)) * ALL(0x1.62e42fefa39efp-1);
  V s = FMA(r, ALL(1.0 / 362880), ALL(1.0 / 40320));
  s = FMA(s, r, ALL(1.0 / 5040));
  s = FMA(s, r, ALL(1.0 / 720));
  s = FMA(s, r, ALL(1.0 / 120));
  s = FMA(s, r, ALL(1.0 / 24));
  s = FMA(s, r, ALL(1.0 / 6));
  s = FMA(s, r, ALL(0.5));
  s = FMA(s, r, ALL(1));
  s = FMA(s, r, ALL(1));
  return REAL(BITS(s) + ((BITS(moved) - BITS(shift)) << 52));
}

// no number where one of the two is none
INLINE V KIND(least)(V a, V b)
{
  return KIND(choose)(a < b, a, KIND(choose)(b <= a, b, a + b));
}

// A parabola through values a, b, c at times 0, B, C comes down to zero, or near it, between them
// and rises again.
INLINE I KIND(dips)(V a, V b, V c, double B, double C)
{
  const V left = (b - a) * ALL(1 / B), right = (c - b) * ALL(1 / (C - B));
  const V bend = (right - left) * ALL(1 / C), down = left - bend * ALL(B),
          up = right + bend * ALL(C - B);
  return (down < ALL(0)) & (up > ALL(0)) &
         ~(a - down * down / (ALL(4) * bend) > ALL(step_near) * b);
}
