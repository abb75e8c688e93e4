// Numbers in lanes, included by lanes_kernel.h for each kind of vector with what it says there: one
// for all, choices, sizes, the logarithm and power that steer steps, and what comes near zero.

INLINE V KIND(all)(double x)
{
  V v;
  for (int l = 0; l < LANES; l++) v[l] = x;
  return v;
}

INLINE I KIND(count)(int64_t n)
{
  return (I){0} + n;
}

INLINE V KIND(choose)(MASK mask, V yes, V no)
{
  return PICK(mask, yes, no);
}

INLINE V KIND(size)(V x)
{
  return REAL(BITS(x) & INT64_MAX);
}

INLINE MASK KIND(finite)(V x)
{
  const V none = x * ALL(0); // or no number
  return UPTO(none, ALL(0));
}

// log2 and 2^x to six digits, enough to steer steps, and without a division: polynomials that meet
// them at Chebyshev's points, log2(m)/(m - 1) for x = 2^e m with m between sqrt(1/2) and sqrt 2
INLINE V KIND(log2)(V x)
{
  const I bits = BITS(x), high = (I)(((bits & 0xfffffffffffff) > 0x6a09e667f3bcd) & 1);
  const I e = ((bits >> 52) & 0x7ff) - 1023 + high;
  const V m = REAL((bits & 0xfffffffffffff) | ((1023 - high) << 52));
  const V shift = ALL(0x1.8p52), whole = REAL(e + BITS(shift)) - shift;
  const V f = m - ALL(1), z = f * f;
  const V s01 = FMA(ALL(-0.7213601786), f, ALL(1.442696523)),
          s23 = FMA(ALL(-0.3595244555), f, ALL(0.4806131255)),
          s45 = FMA(ALL(-0.2679638705), f, ALL(0.2961195572));
  const V s = FMA(FMA(FMA(ALL(0.1681865911), z, s45), z, s23), z, s01);
  return FMA(f, s, whole);
}

INLINE V KIND(exp2)(V x)
{
  const V shift = ALL(0x1.8p52);
  x = MAX(MIN(x, ALL(1000)), ALL(-1000));
  const V moved = x + shift, r = x - (moved - shift), z = r * r;
  const V s01 = FMA(ALL(0.693147188026), r, ALL(1.000000075455)),
          s23 = FMA(ALL(0.055503571142), r, ALL(0.240221074853)),
          s45 = FMA(ALL(0.001339086336), r, ALL(0.009676031918));
  const V s = FMA(FMA(s45, z, s23), z, s01);
  return REAL(BITS(s) + ((BITS(moved) - BITS(shift)) << 52));
}

// no number where one of the two is none
INLINE V KIND(least)(V a, V b)
{
  return KIND(choose)(LESS(a, b), a, KIND(choose)(UPTO(b, a), b, a + b));
}

// A parabola through values a, b, c at times 0, B, C comes down to zero, or near it, between them
// and rises again.
INLINE MASK KIND(dips)(V a, V b, V c, double B, double C)
{
  const V left = (b - a) * ALL(1 / B), right = (c - b) * ALL(1 / (C - B));
  const V bend = (right - left) * ALL(1 / C), down = left - bend * ALL(B),
          up = right + bend * ALL(C - B);
  return LESS(down, ALL(0)) & LESS(ALL(0), up) &
         ~LESS(ALL(step_near) * b, a - down * down / (ALL(4) * bend));
}
