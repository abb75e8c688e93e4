// Roots of a smooth function on a leaf, where a polynomial is known of it, and in stretches of
// noise (see roots.c).
#include "num/roots_search.h"

#include <float.h>
#include <math.h>

// Beyond this the second derivatives of a polynomial (16^4 times as large) come near to overflow,
// and coefficients that are no numbers are halved without end: only the sign of f counts there.
static const double greatest = 0x1p960;

double num_search_value(num_search* s, double t)
{
  s->evaluations++;
  const double f = s->f(s->context, t);
  return isfinite(f) && fabs(f) > greatest ? copysign(greatest, f) : f;
}

static int direction(int left, int right)
{
  if (left != 0 && right != 0) return left == right ? 0 : right;
  // at an end of the interval only one side is known
  return right != 0 ? right : -left;
}

// add a root with the signs of f around it; one within the tolerance of the last is the same
static void add(num_search* s, double t, int left, int right)
{
  if (s->n > 0 && t - s->out[s->n - 1].t <= s->tolerance) {
    num_root* last = &s->out[s->n - 1];
    bool crossing = left != 0 && right != 0 && left != right;
    if (crossing && last->direction == 0) last->t = t;
    if (s->left == 0) s->left = left;
    if (right != 0) s->right = right;
    last->direction = direction(s->left, s->right);
    return;
  }
  s->full = s->n == s->room;
  if (s->full) return;
  s->left = left;
  s->right = right;
  s->out[s->n++] = (num_root){.t = t, .direction = direction(left, right)};
}

static double value_of_polynomial(void* context, double x)
{
  return num_chebyshev_value(context, x);
}

// narrow a sign change: first on the polynomial, which costs nothing, then on f around that place
static double narrow(num_search* s, const num_search_guide* g, double lo, double f_lo, double hi,
                     double f_hi)
{
  if (g) {
    double half = (g->hi - g->lo) / 2, a = (lo - g->lo) / half - 1, b = (hi - g->lo) / half - 1;
    double p_a = num_chebyshev_value(g->p, a), p_b = num_chebyshev_value(g->p, b);
    if (num_search_sign(p_a) * num_search_sign(p_b) < 0) {
      num_chebyshev copy = *g->p;
      double x = num_bracket(value_of_polynomial, &copy, a, p_a, b, p_b, 0);
      double t = g->lo + half * (1 + x), reach = 0.45 * s->tolerance;
      double l = fmax(lo, t - reach), h = fmin(hi, t + reach);
      double f_l = l > lo ? num_search_value(s, l) : f_lo,
             f_h = h < hi ? num_search_value(s, h) : f_hi;
      if (num_search_sign(f_l) * num_search_sign(f_h) < 0) return l + (h - l) / 2;
      // the root of f lies beside that of p: keep the side it is on
      if (num_search_sign(f_l) == num_search_sign(f_hi))
        hi = l, f_hi = f_l;
      else if (num_search_sign(f_h) == num_search_sign(f_lo))
        lo = h, f_lo = f_h;
      if (f_lo == 0) return lo;
      if (f_hi == 0) return hi;
    }
  }
  return num_bracket(s->f, s->context, lo, f_lo, hi, f_hi, s->tolerance);
}

// the root between two ends with values; zeros at the ends count
void num_search_between(num_search* s, const num_search_guide* g, double lo, double f_lo, double hi,
                        double f_hi)
{
  if (!isfinite(f_lo) || !isfinite(f_hi)) return;
  int l = num_search_sign(f_lo), h = num_search_sign(f_hi);
  if (l == 0 && h == 0) return;
  if (l == 0) add(s, lo, 0, h);
  if (l * h < 0) add(s, narrow(s, g, lo, f_lo, hi, f_hi), l, h);
  if (h == 0) add(s, hi, l, 0);
}

// a stretch too short or too faint to look into: it crosses zero if its ends say so, else it
// touches
static void lump(num_search* s, double lo, double hi)
{
  double f_lo = num_search_value(s, lo), f_hi = num_search_value(s, hi);
  int l = num_search_sign(f_lo), h = num_search_sign(f_hi);
  if (l == h && l != 0)
    add(s, lo + (hi - lo) / 2, l, h);
  else
    num_search_between(s, NULL, lo, f_lo, hi, f_hi);
}

// look into the stretch of noise that was put together, and into what that leaves
void num_search_flush(num_search* s)
{
  while (s->waiting) {
    s->waiting = false;
    if (!s->final && s->depth < num_search_deepest && s->to - s->from > s->tolerance)
      num_search_resolve_noise(s);
    else
      lump(s, s->from, s->to);
  }
}

void num_search_put_aside(num_search* s, const num_leaf* e, double lo, double hi, bool final)
{
  if (s->waiting && s->to == lo) {
    s->to = hi;
    s->final |= final;
    if (e->depth > s->depth) s->depth = e->depth;
    return;
  }
  num_search_flush(s);
  s->waiting = true;
  s->final = final;
  s->from = lo;
  s->to = hi;
  s->depth = e->depth;
}

// p' has one sign
static void monotone(num_search* s, const num_chebyshev* p, double lo, double hi)
{
  double f_lo = num_search_value(s, lo), f_hi = num_search_value(s, hi);
  num_search_between(s, &(num_search_guide){p, lo, hi}, lo, f_lo, hi, f_hi);
}

// where p' vanishes: the zero of d on [-1, 1], or the end where it all but vanishes; false if none
static bool turning_point(const num_chebyshev* d, double* x)
{
  double at_lo = num_chebyshev_value(d, -1), at_hi = num_chebyshev_value(d, 1);
  double flat = 1e-10 * (fabs(d->c[0]) + num_chebyshev_spread(d));
  if (num_search_sign(at_lo) * num_search_sign(at_hi) < 0) {
    num_chebyshev copy = *d;
    *x = num_bracket(value_of_polynomial, &copy, -1, at_lo, 1, at_hi, 0);
    return true;
  }
  *x = fabs(at_lo) < fabs(at_hi) ? -1 : 1;
  return fmin(fabs(at_lo), fabs(at_hi)) <= flat;
}

// p'' has one sign and p' vanishes at x: two roots, a touch, or none
static void bowl(num_search* s, const num_leaf* e, const num_chebyshev* p, const num_chebyshev* dd,
                 double x, double lo, double hi)
{
  double half = (hi - lo) / 2, t = x <= -1 ? lo : x >= 1 ? hi : lo + half * (1 + x);
  double f_lo = num_search_value(s, lo), f_mid = num_search_value(s, t),
         f_hi = num_search_value(s, hi);
  // a touch is known to the rounding of f, and to the tolerance in t
  double reach = s->tolerance / half;
  double faint =
      fmax(16 * DBL_EPSILON * e->size, fabs(num_chebyshev_value(dd, x)) * reach * reach / 8);
  int l = num_search_sign(f_lo), m = num_search_sign(f_mid), h = num_search_sign(f_hi);
  if (l == h && l != 0 && l * m >= 0) {
    if (fabs(f_mid) <= faint) add(s, t, l, h);
    return;
  }
  num_search_guide g = {p, lo, hi};
  num_search_between(s, &g, lo, f_lo, t, f_mid);
  num_search_between(s, &g, t, f_mid, hi, f_hi);
}

// roots of the polynomial p of the stretch [lo, hi] of a leaf
void num_search_isolate(num_search* s, const num_leaf* e, const num_chebyshev* p, double lo,
                        double hi)
{
  if (s->full) return;
  double spread = num_chebyshev_spread(p);
  if (fabs(p->c[0]) > spread + e->noise) return;
  bool small = hi - lo < (e->hi - e->lo) / 2;
  if (small && (fabs(p->c[0]) + spread <= 4 * e->noise || hi - lo <= s->tolerance)) {
    num_search_put_aside(s, e, lo, hi, false);
    return;
  }
  num_chebyshev d = num_chebyshev_derivative(p);
  num_chebyshev dd = num_chebyshev_derivative(&d);
  double x;
  if (fabs(dd.c[0]) > num_chebyshev_spread(&dd) && turning_point(&d, &x)) {
    num_search_flush(s);
    bowl(s, e, p, &dd, x, lo, hi);
    return;
  }
  if (fabs(d.c[0]) > num_chebyshev_spread(&d) || fabs(dd.c[0]) > num_chebyshev_spread(&dd)) {
    num_search_flush(s);
    monotone(s, p, lo, hi);
    return;
  }
  double middle = lo + (hi - lo) / 2;
  if (!(middle > lo && middle < hi)) {
    num_search_put_aside(s, e, lo, hi, false);
    return;
  }
  num_chebyshev part = num_chebyshev_part(p, -1, 0);
  num_search_isolate(s, e, &part, lo, middle);
  part = num_chebyshev_part(p, 0, 1);
  num_search_isolate(s, e, &part, middle, hi);
}
