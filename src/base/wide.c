// Functions of numbers of twice the digits: series after reduction of the argument, or one step of
// refinement from the double result.
#include "base/wide.h"

// pi/2 and ln 2 to 160 bits and more, in parts of 53 bits
static const double half_pi[4] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54,
                                  -0x1.f1976b7ed8fbcp-110, 0x1.4cf98e804177dp-164};
static const double ln_2[3] = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56, 0x1.7b57a079a1934p-111};

static const double negligible = 0x1p-112; // of 1
static const double largest_angle = 0x1p50;

enum { most_terms = 60, halvings = 8 };

base_wide base_wide_pi(void)
{
  return (base_wide){2 * half_pi[0], 2 * half_pi[1]};
}

// x - k (parts[0] + parts[1] + ...), each product exact
static base_wide reduced(base_wide x, double k, int count, const double* parts)
{
  for (int i = 0; i < count; i++) x = base_wide_sub(x, base_wide_two_product(k, parts[i]));
  return x;
}

base_wide base_wide_sqrt(base_wide x)
{
  const double root = sqrt(x.hi);
  if (!(root > 0) || !(root < HUGE_VAL)) return base_wide_of(root);
  const base_wide left = base_wide_sub(x, base_wide_two_product(root, root));
  return base_wide_add(base_wide_of(root), base_wide_of(left.hi / (2 * root)));
}

// x - x^3/3! + ... from the term of order `first` on, sign -1; or all signs plus
static base_wide series(base_wide term, base_wide square, int first, double sign)
{
  base_wide sum = term;
  const double enough = negligible * fabs(term.hi);
  for (int n = first; n < most_terms; n += 2) {
    term = base_wide_mul(term, base_wide_scale(square, sign));
    term = base_wide_div(term, base_wide_of((double)(n + 1) * (n + 2)));
    sum = base_wide_add(sum, term);
    if (!(fabs(term.hi) > enough)) break;
  }
  return sum;
}

void base_wide_sincos(base_wide x, base_wide* sine, base_wide* cosine)
{
  if (!(fabs(x.hi) < largest_angle)) {
    *sine = *cosine = base_wide_of(NAN);
    return;
  }
  const double k = nearbyint(x.hi / half_pi[0]);
  const base_wide r = reduced(x, k, 4, half_pi), square = base_wide_mul(r, r);
  const base_wide s = series(r, square, 1, -1), c = series(base_wide_of(1), square, 0, -1);
  const int quarter = (int)(k - 4 * floor(k / 4));
  const base_wide parts[4] = {s, c, base_wide_neg(s), base_wide_neg(c)};
  *sine = parts[quarter];
  *cosine = parts[(quarter + 1) % 4];
}

// exp(x) - 1 for small x, by halvings: e^(2x) - 1 = 2 y + y^2
static base_wide small_exp(base_wide x)
{
  const base_wide r = base_wide_scale(x, 1.0 / (1 << halvings));
  base_wide term = r, sum = r;
  for (int n = 2; n < most_terms && fabs(term.hi) > negligible * fabs(r.hi); n++) {
    term = base_wide_div(base_wide_mul(term, r), base_wide_of(n));
    sum = base_wide_add(sum, term);
  }
  for (int i = 0; i < halvings; i++)
    sum = base_wide_add(base_wide_scale(sum, 2), base_wide_mul(sum, sum));
  return sum;
}

base_wide base_wide_exp(base_wide x)
{
  if (!(fabs(x.hi) < 700)) return base_wide_of(exp(x.hi));
  const double k = nearbyint(x.hi / ln_2[0]);
  const base_wide y = base_wide_add(base_wide_of(1), small_exp(reduced(x, k, 3, ln_2)));
  return (base_wide){ldexp(y.hi, (int)k), ldexp(y.lo, (int)k)};
}

// y + 2 (x - e^y) / (x + e^y), of third order (Halley)
base_wide base_wide_log(base_wide x)
{
  const double first = log(x.hi);
  if (!(fabs(first) < 700)) return base_wide_of(first);
  const base_wide e = base_wide_exp(base_wide_of(first));
  const base_wide step = base_wide_div(base_wide_sub(x, e), base_wide_add(x, e));
  return base_wide_add(base_wide_of(first), base_wide_scale(step, 2));
}

static base_wide whole_power(base_wide x, double n)
{
  base_wide y = base_wide_of(1);
  for (unsigned k = (unsigned)fabs(n); k; k >>= 1) {
    if (k & 1) y = base_wide_mul(y, x);
    if (k > 1) x = base_wide_mul(x, x);
  }
  return n < 0 ? base_wide_div(base_wide_of(1), y) : y;
}

base_wide base_wide_pow(base_wide x, base_wide y)
{
  const double first = pow(x.hi, y.hi);
  const bool whole = y.lo == 0 && y.hi == floor(y.hi);
  if (!(fabs(first) < HUGE_VAL) || first == 0 || x.hi == 0) return base_wide_of(first);
  if (whole && fabs(y.hi) <= 64) return whole_power(x, y.hi);
  const base_wide size = x.hi < 0 ? base_wide_neg(x) : x;
  const base_wide power = base_wide_exp(base_wide_mul(y, base_wide_log(size)));
  return first < 0 ? base_wide_neg(power) : power;
}

// a + atan of what a misses: (y cos a - x sin a) / (x cos a + y sin a)
base_wide base_wide_atan2(base_wide y, base_wide x)
{
  const double a = atan2(y.hi, x.hi);
  if ((x.hi == 0 && y.hi == 0) || !(fabs(a) < 4)) return base_wide_of(a);
  const double most = fmax(fabs(x.hi), fabs(y.hi));
  if (!(most < HUGE_VAL)) return base_wide_of(a);
  // both to the size of 1: nothing under- or overflows below
  int exponent;
  frexp(most, &exponent);
  x = (base_wide){ldexp(x.hi, -exponent), ldexp(x.lo, -exponent)};
  y = (base_wide){ldexp(y.hi, -exponent), ldexp(y.lo, -exponent)};
  base_wide s, c;
  base_wide_sincos(base_wide_of(a), &s, &c);
  const base_wide above = base_wide_sub(base_wide_mul(y, c), base_wide_mul(x, s));
  const base_wide below = base_wide_add(base_wide_mul(x, c), base_wide_mul(y, s));
  return base_wide_add(base_wide_of(a), base_wide_div(above, below));
}

// sqrt(1 - x^2)
static base_wide beside(base_wide x)
{
  const base_wide one = base_wide_of(1);
  return base_wide_sqrt(base_wide_mul(base_wide_sub(one, x), base_wide_add(one, x)));
}

base_wide base_wide_asin(base_wide x)
{
  return base_wide_atan2(x, beside(x));
}

base_wide base_wide_acos(base_wide x)
{
  return base_wide_atan2(beside(x), x);
}

void base_wide_sinhcosh(base_wide x, base_wide* sine, base_wide* cosine)
{
  if (fabs(x.hi) < 0.5) {
    const base_wide square = base_wide_mul(x, x);
    *sine = series(x, square, 1, 1);
    *cosine = series(base_wide_of(1), square, 0, 1);
    return;
  }
  const base_wide e = base_wide_exp(x), f = base_wide_div(base_wide_of(1), e);
  *sine = base_wide_scale(base_wide_sub(e, f), 0.5);
  *cosine = base_wide_scale(base_wide_add(e, f), 0.5);
}
