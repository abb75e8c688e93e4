// The one text of the sine-cosine kernel, included once for each kind of vector with
//   TRIG(name)      the name of a function for this kind
//   TRIG_TARGET     what the compiler may use
//   V, I            doubles and 64-bit integers, LANES of them
//   FMA(a, b, c), BITS(v), DOUBLES(i), ALL(x)
//
// Reduction (Cody and Waite 1980, with fused products): x = n pi/2 + r + y, |r| <= pi/4, where
// pi/2 = P1 + P2 + P3. P1 is a multiple of 2^-52, so x - n P1 is exact as long as it is less than
// one; n P2 is a product of two parts, and the difference keeps its rounding error (Knuth's
// two-sum), because n P2 may exceed x - n P1 when x is next to a multiple of pi/2. The tail y holds
// what r lost, to a relative 2^-34 of it even there.
//
// Polynomials: sin r = r + S1 r^3 + ... + S6 r^13 and cos r = 1 - r^2/2 + C1 r^4 + ... + C6 r^14,
// the minimax coefficients published with FDLIBM (Ng 1993), to first order in y.
static inline __attribute__((always_inline)) TRIG_TARGET void TRIG(kernel)(V x, V* sine, V* cosine)
{
  const V shift = ALL(0x1.8p52), half = ALL(0.5), one = ALL(1);
  const V p1 = ALL(0x1.921fb54442d18p+0), p2 = ALL(0x1.1a62633145c07p-54);
  const V p3 = ALL(-0x1.f1976b7ed8fbcp-110);

  // n to the nearest; its last bits are those of the sum
  const V t = FMA(x, ALL(0x1.45f306dc9c883p-1), shift), n = t - shift;
  const I q = BITS(t);
  const V r0 = FMA(-n, p1, x), b = n * p2, b_low = FMA(n, p2, -b);
  const V r = r0 - b, b_back = r0 - r, r0_back = r + b_back;
  const V lost = (r0 - r0_back) + (b_back - b);
  const V y = FMA(-n, p3, lost - b_low);

  const V z = r * r, w = z * z, v = z * r;
  V s = FMA(ALL(1.58969099521155010221e-10), z, ALL(-2.50507602534068634195e-08));
  s = FMA(s, z, ALL(2.75573137070700676789e-06));
  s = FMA(s, w, FMA(ALL(-1.98412698298579493134e-04), z, ALL(8.33333333332248946124e-03)));
  const V bend = FMA(z, FMA(half, y, -(v * s)), -y);
  s = r - FMA(v, ALL(1.66666666666666324348e-01), bend);

  V c = FMA(ALL(-1.13596475577881948265e-11), z, ALL(2.08757232129817482790e-09));
  c = FMA(c, z, ALL(-2.75573143513906633035e-07));
  c = FMA(c, w, FMA(ALL(2.48015872894767294178e-05), z, ALL(-1.38888888888741095749e-03)));
  c = FMA(c, z, ALL(4.16666666666666019037e-02));
  const V hz = half * z, top = one - hz;
  c = top + (((one - top) - hz) + FMA(w, c, -(r * y)));

  // odd quarters swap the two, and each changes its sign in two of four
  const I odd = -(q & 1), sign_s = (q & 2) << 62, sign_c = ((q + 1) & 2) << 62;
  const I si = BITS(s), ci = BITS(c);
  *sine = DOUBLES(((si & ~odd) | (ci & odd)) ^ sign_s);
  *cosine = DOUBLES(((ci & ~odd) | (si & odd)) ^ sign_c);
}
