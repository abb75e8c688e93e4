// All roots of a function that is known to be near a polynomial, by isolating those of the
// polynomial.
//
// In Bernstein's form p(x) = sum_i b_i C(d,i) x^i (1-x)^(d-i) on [0, 1] the curve lies between the
// least and the largest b_i, and has no more roots than the b_i have changes of sign; one change
// means one root (Descartes' rule; Lane and Riesenfeld, BIT 21 (1981), 112). Halving by de
// Casteljau's construction goes on until each piece has none or one. Pieces on which p cannot be
// told from noise are left to num_roots on the function itself.
#include "num/num.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { deepest = 40, roomy = 64, most_unclear = 64, most_coefficients = num_series_most + 1 };

typedef struct isolation
{
  num_function* f;
  void* context;
  int d;
  double noise, tolerance;
  int room, n;
  num_root* out;
  bool waiting; // a stretch that is noise, not yet looked into
  double from, to;
  double a, b; // all of it
} isolation;

// coefficients about `origin` -> Bernstein's on [a, b]; returns the sum of their sizes
static double to_bernstein(int d, const double* c, double origin, double a, double b, double* out)
{
  double p[most_coefficients], size = 0, power = 1;
  memcpy(p, c, sizeof(double) * (size_t)(d + 1));
  // Taylor's shift to a, then a unit of b - a
  for (int i = 0; i < d; i++)
    for (int k = d - 1; k >= i; k--) p[k] += (a - origin) * p[k + 1];
  for (int k = 0; k <= d; k++, power *= b - a) {
    p[k] *= power;
    size += fabs(p[k]);
  }
  for (int i = 0; i <= d; i++) {
    double sum = 0, weight = 1; // C(i, k) / C(d, k)
    for (int k = 0; k <= i; k++) {
      sum += weight * p[k];
      weight *= (double)(i - k) / (d - k > 0 ? d - k : 1);
    }
    out[i] = sum;
  }
  return size;
}

// a root twice within the tolerance is one
static void add(isolation* s, num_root root)
{
  if (s->n > 0 && root.t - s->out[s->n - 1].t <= 2 * s->tolerance) return;
  if (s->n < s->room) s->out[s->n++] = root;
}

static void ask(isolation* s, double lo, double hi)
{
  num_root root[most_unclear];
  const int n = num_roots(s->f, s->context, lo, hi, s->tolerance, most_unclear, root);
  for (int i = 0; i < n; i++) add(s, root[i]);
}

// Neighbouring pieces of noise are one stretch: a root where they meet is seen from both sides.
// With some room around it f changes its sign clearly, or comes near zero and goes again. It may be
// shorter than what times are told apart by, where a short interval is halved at a root of p.
static void look_into_noise(isolation* s)
{
  if (!s->waiting) return;
  s->waiting = false;
  const double told = 4 * DBL_EPSILON * fmax(fabs(s->from), fabs(s->to));
  const double w = fmax(s->to - s->from, fmax(s->tolerance, told));
  double lo = fmax(s->a, s->from - w), hi = fmin(s->b, s->to + w);
  const double f_lo = s->f(s->context, lo), f_hi = s->f(s->context, hi);
  if (f_lo * f_hi < 0) {
    add(s, (num_root){num_bracket(s->f, s->context, lo, f_lo, hi, f_hi, s->tolerance),
                      f_hi > 0 ? 1 : -1});
    return;
  }
  ask(s, fmax(s->a, s->from - roomy * w), fmin(s->b, s->to + roomy * w));
}

static void put_off(isolation* s, double lo, double hi)
{
  if (!s->waiting || s->to != lo) {
    look_into_noise(s);
    s->from = lo;
  }
  s->waiting = true;
  s->to = hi;
}

static void cross(isolation* s, double lo, double hi)
{
  look_into_noise(s);
  const double f_lo = s->f(s->context, lo), f_hi = s->f(s->context, hi);
  // the ends of p are clear of noise, so f changes its sign as p does; should it not, ask f alone
  if (f_lo * f_hi < 0)
    add(s, (num_root){num_bracket(s->f, s->context, lo, f_lo, hi, f_hi, s->tolerance),
                      f_hi > 0 ? 1 : -1});
  else
    ask(s, lo, hi);
}

static int sign(double x, double noise)
{
  return x > noise ? 1 : x < -noise ? -1 : 0;
}

static void isolate(isolation* s, const double* b, double lo, double hi, int depth)
{
  const int d = s->d;
  int changes = 0, unclear = 0, last = 0;
  for (int i = 0; i <= d; i++) {
    const int now = sign(b[i], s->noise);
    unclear += now == 0;
    changes += now * last < 0;
    if (now) last = now;
  }
  if (s->n == s->room || (changes == 0 && unclear == 0)) return;
  if (changes == 1 && unclear == 0) {
    cross(s, lo, hi);
    return;
  }
  if (unclear == d + 1 || depth == deepest) {
    put_off(s, lo, hi);
    return;
  }
  double left[most_coefficients], right[most_coefficients];
  memcpy(right, b, sizeof(double) * (size_t)(d + 1));
  for (int i = 0; i <= d; i++) {
    left[i] = right[0];
    for (int k = 0; k < d - i; k++) right[k] = (right[k] + right[k + 1]) / 2;
  }
  // what is left in `right` now runs from the middle to the end
  const double middle = lo + (hi - lo) / 2;
  isolate(s, left, lo, middle, depth + 1);
  isolate(s, right, middle, hi, depth + 1);
}

int num_roots_series(num_function* f, void* context, double origin, int degree, const double* c,
                     double noise, double a, double b, double tolerance, int room, num_root* out)
{
  assert(degree >= 0 && degree < most_coefficients);
  if (!(b > a) || room <= 0) return 0;
  double bernstein[most_coefficients];
  const double size = to_bernstein(degree, c, origin, a, b, bernstein);
  isolation s = {
      .f = f, .context = context, .d = degree, .tolerance = tolerance, .room = room, .out = out};
  s.a = a;
  s.b = b;
  s.noise = noise + 4 * degree * DBL_EPSILON * size;
  if (!isfinite(size) || !(s.noise < 1e-3 * size))
    return num_roots(f, context, a, b, tolerance, room, out);
  isolate(&s, bernstein, a, b, 0);
  look_into_noise(&s);
  return s.n;
}
