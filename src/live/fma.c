// fma() in browsers: by their instruction for pairs, and where they have none from plain sums and
// products, both a b + c in one rounding.
//
// S. Boldo, G. Melquiond, Emulation of a FMA and correctly rounded sums: proved algorithms using
// rounding to odd, IEEE Trans. Computers 57 (2008), 462-471, algorithm 4: with exact pairs
//   (uh, ul) = a b,  (th, tl) = c + ul,  (vh, vl) = uh + th,  z = tl + vl rounded to odd,
// a b + c rounded once is vh + z. It holds while nothing overflows and no error of a product is
// too small to be a number; beyond these bounds the work is done in whole numbers by fma of the C
// library, which is some ten times slower everywhere.
#include <fma_pair.h>

#include <emscripten.h>
#include <math.h>

typedef long long fma_bits __attribute__((vector_size(16)));

typedef struct exact
{
  fma_doubles high, low; // their sum is exact, |low| at most half a unit of high's last place
} exact;

// D. E. Knuth, The Art of Computer Programming 2, 4.2.2, theorem B
static inline exact sum(fma_doubles a, fma_doubles b)
{
  const fma_doubles s = a + b, part = s - a;
  return (exact){s, (a - (s - part)) + (b - part)};
}

// T. J. Dekker, A floating-point technique for extending the available precision (1971)
static inline exact split(fma_doubles a)
{
  const fma_doubles far = 134217729.0 * a, high = far - (far - a); // 2^27 + 1
  return (exact){high, a - high};
}

static inline fma_doubles size_of(fma_doubles a)
{
  return (fma_doubles)wasm_f64x2_abs((v128_t)a);
}

// rounded to odd: where something is left, and the last bit is even, one unit towards what is left
static inline fma_doubles sum_to_odd(fma_doubles a, fma_doubles b)
{
  const exact s = sum(a, b);
  // masks are 0 or -1, and (mask | 1) is 1 or -1
  const fma_bits bits = (fma_bits)s.high, inwards = (s.low > 0) ^ (s.high > 0);
  const fma_bits wanted = (s.low != 0) & ((bits & 1) == 0);
  return (fma_doubles)(bits + ((inwards | 1) & wanted));
}

// The linker sends calls of fma to __wrap_fma, and those of __real_fma to the C library's.
double __real_fma(double a, double b, double c);
double __wrap_fma(double a, double b, double c);

// kept for the loader, which finds it by its name
EMSCRIPTEN_KEEPALIVE fma_doubles fma_pair_plain(fma_doubles a, fma_doubles b, fma_doubles c)
{
  // the smallest error of a product is 2^-106 of it; split() multiplies by 2^27
  const double small = 0x1p-900, large = 0x1p900;
  const fma_doubles p = a * b, size = size_of(p), third = size_of(c);
  const fma_bits none = (a == 0) | (b == 0);
  const fma_bits plain = ((size > small) | none) & (size < large) & (size_of(a) < large) &
                         (size_of(b) < large) & (third < large) & ((third > small) | (c == 0));
  if (!wasm_i64x2_all_true((v128_t)plain))
    return (fma_doubles){__real_fma(a[0], b[0], c[0]), __real_fma(a[1], b[1], c[1])};
  const exact x = split(a), y = split(b);
  const fma_doubles low = ((x.high * y.high - p) + x.high * y.low + x.low * y.high) + x.low * y.low;
  const exact t = sum(c, low), v = sum(p, t.high);
  const fma_bits once = (fma_bits)(v.high + sum_to_odd(t.low, v.low));
  // nothing is added to a product that is nothing, but for the sign of zero
  return (fma_doubles)((none & (fma_bits)(p + c)) | (~none & once));
}

EMSCRIPTEN_KEEPALIVE fma_doubles fma_pair_less_plain(fma_doubles a, fma_doubles b, fma_doubles c)
{
  return fma_pair_plain(-a, b, c);
}

double __wrap_fma(double a, double b, double c)
{
  return fma_pair((fma_doubles){a, a}, (fma_doubles){b, b}, (fma_doubles){c, c})[0];
}
