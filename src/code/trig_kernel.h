// The one text of the sine-cosine kernel, included once for each kind of vector with
//   TRIG(name)      the name of a function for this kind
//   TRIG_TARGET     what the compiler may use
//   V, I            doubles and 64-bit integers, LANES of them
//   FMA(a, b, c), LESS(a, b, c) = c - a b, BITS(v), DOUBLES(i), ALL(x)
//   LOAD(p), STORE(p, v), ODD(i): all bits where the last one is set
// What is known of N vectors goes from part to part through memory, so that each part has no more
// numbers than there are registers; where N is one the compiler keeps it there.
//
// Reduction (Cody and Waite 1980, with fused products): x = n pi/2 + r + y, |r| <= pi/4, where
// pi/2 = P1 + P2 + P3. P1 is a multiple of 2^-52, so r0 = x - n P1 is exact as long as it is less
// than one. With b = n P2 rounded, r = r0 - b rounded, and r - r0 is exact as in Dekker's sum, even
// where b exceeds r0 because x is next to a multiple of pi/2: r0 is a multiple of the last place of
// b, so r - r0 is one, too, and no longer than b. Then -y = n P2 + (r - r0), rounded once, is all
// that the product and the difference lost, and with n P3 it is right to a relative 2^-34 of r.
//
// Polynomials: sin r = r + S1 r^3 + ... + S6 r^13 and cos r = 1 - r^2/2 + C1 r^4 + ... + C6 r^14,
// the minimax coefficients published with FDLIBM (Ng 1993), to first order in y.
#define PART static inline __attribute__((always_inline)) TRIG_TARGET void

// r, -y, and n in the last bits of t
PART TRIG(reduce)(int n, const V* x, V* r, V* y, V* t)
{
  const V shift = ALL(0x1.8p52), over = ALL(0x1.45f306dc9c883p-1);
  const V p1 = ALL(0x1.921fb54442d18p+0), p2 = ALL(0x1.1a62633145c07p-54);
  const V p3 = ALL(-0x1.f1976b7ed8fbcp-110);
  for (int i = 0; i < n; i++) {
    // to the nearest; its last bits are those of the sum
    const V sum = FMA(LOAD(x + i), over, shift), whole = sum - shift;
    const V r0 = LESS(whole, p1, LOAD(x + i)), rest = r0 - whole * p2;
    STORE(t + i, sum);
    STORE(r + i, rest);
    STORE(y + i, FMA(whole, p3, FMA(whole, p2, rest - r0)));
  }
}

// z and w: the second and fourth powers of r
PART TRIG(sines)(int n, const V* r, const V* y, V* z_of, V* w_of, V* s)
{
  const V s1 = ALL(1.66666666666666324348e-01), s2 = ALL(8.33333333332248946124e-03);
  const V s3 = ALL(-1.98412698298579493134e-04), s4 = ALL(2.75573137070700676789e-06);
  const V s5 = ALL(-2.50507602534068634195e-08), s6 = ALL(1.58969099521155010221e-10);
  const V half = ALL(0.5);
  for (int i = 0; i < n; i++) {
    const V x = LOAD(r + i), tail = LOAD(y + i), z = x * x, w = z * z, v = z * x;
    STORE(z_of + i, z);
    STORE(w_of + i, w);
    V sum = FMA(FMA(s6, z, s5), z, s4);
    sum = FMA(sum, w, FMA(s3, z, s2));
    const V bend = LESS(z, FMA(half, tail, v * sum), tail);
    STORE(s + i, x - FMA(v, s1, bend));
  }
}

PART TRIG(cosines)(int n, const V* r, const V* y, const V* z_of, const V* w_of, V* c)
{
  const V c1 = ALL(4.16666666666666019037e-02), c2 = ALL(-1.38888888888741095749e-03);
  const V c3 = ALL(2.48015872894767294178e-05), c4 = ALL(-2.75573143513906633035e-07);
  const V c5 = ALL(2.08757232129817482790e-09), c6 = ALL(-1.13596475577881948265e-11);
  const V half = ALL(0.5), one = ALL(1);
  for (int i = 0; i < n; i++) {
    const V z = LOAD(z_of + i), w = LOAD(w_of + i);
    V sum = FMA(FMA(c6, z, c5), z, c4);
    sum = FMA(sum, w, FMA(c3, z, c2));
    sum = FMA(sum, z, c1);
    const V top = LESS(half, z, one), left = LESS(half, z, one - top);
    STORE(c + i, top + (left + FMA(w, sum, LOAD(r + i) * LOAD(y + i))));
  }
}

// odd quarters swap the two, and each changes its sign in two of four
PART TRIG(turn)(V t, V* sine, V* cosine)
{
  const I q = BITS(t), odd = ODD(q), sign = (q << 62) & BITS(ALL(-0.0));
  const I si = BITS(*sine), ci = BITS(*cosine), change = ((si ^ ci) & odd) ^ sign;
  *sine = DOUBLES(si ^ change);
  *cosine = DOUBLES(ci ^ change ^ (q << 63)); // of its sign in the second and the third
}

PART TRIG(kernel)(V x, V* sine, V* cosine)
{
  V r, y, t, z, w;
  TRIG(reduce)(1, &x, &r, &y, &t);
  TRIG(sines)(1, &r, &y, &z, &w, sine);
  TRIG(cosines)(1, &r, &y, &z, &w, cosine);
  TRIG(turn)(t, sine, cosine);
}

#undef PART
