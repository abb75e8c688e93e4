// All roots of a smooth function on an interval.
//
// The interval is halved until f is a Chebyshev polynomial of degree 16 to rounding on each leaf.
// On a leaf the polynomial is halved until it has no root (|c_0| > sum |c_k|), or f' or f'' has one
// sign; then at most one or two roots are left, and they are found on f itself.
// After Boyd, SIAM J. Numer. Anal. 40 (2002), 1666, with exclusion in place of eigenvalues.
#include "num/bracket.h"
#include "num/chebyshev.h"
#include "num/num.h"

#include <assert.h>
#include <float.h>
#include <math.h>

enum { N = num_chebyshev_degree, deepest = 24, budget = 20000 };

typedef struct search
{
  num_function* f;
  void* context;
  double a, b, tolerance;
  double scale; // largest |f| seen
  int evaluations;
  int room, n;
  num_root* out;
  int left, right; // signs of f on both sides of the last root, 0 if not known
  bool full;
} search;

static double value(search* s, double t)
{
  s->evaluations++;
  return s->f(s->context, t);
}

static int sign(double x)
{
  return (x > 0) - (x < 0);
}

static int direction(int left, int right)
{
  if (left == right && left != 0) return 0;
  if (right != 0 && left != 0) return right;
  // at an end of the interval only one side is known
  return right != 0 ? right : -left;
}

// add a root with the signs of f around it; one within the tolerance of the last is the same
static void add(search* s, double t, int left, int right)
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
  if (s->n == s->room) {
    s->full = true;
    return;
  }
  s->left = left;
  s->right = right;
  s->out[s->n++] = (num_root){.t = t, .direction = direction(left, right)};
}

// the root between two ends with values; zeros at the ends count
static void between(search* s, double lo, double f_lo, double hi, double f_hi)
{
  if (!isfinite(f_lo) || !isfinite(f_hi)) return;
  int l = sign(f_lo), h = sign(f_hi);
  if (l == 0) add(s, lo, 0, h);
  if (l * h < 0) add(s, num_bracket(s->f, s->context, lo, f_lo, hi, f_hi, s->tolerance), l, h);
  if (h == 0 && !(l == 0 && s->full)) add(s, hi, l, 0);
}

// a stretch too short or too faint to look into: a crossing shows at its ends, a touch by its depth
static void lump(search* s, double lo, double hi, double faint)
{
  double middle = lo + (hi - lo) / 2;
  double f_lo = value(s, lo), f_mid = value(s, middle), f_hi = value(s, hi);
  int l = sign(f_lo), m = sign(f_mid), h = sign(f_hi);
  if (l == 0 && m == 0 && h == 0) return;
  if (l == h && l != 0 && fabs(f_mid) <= faint && m * l >= 0)
    add(s, middle, l, h);
  else {
    between(s, lo, f_lo, middle, f_mid);
    between(s, middle, f_mid, hi, f_hi);
  }
}

typedef struct leaf
{
  double lo, hi;
  double size;  // largest |f| on it
  double noise; // below this the polynomial says nothing
  int depth;
} leaf;

static void resolve(search* s, double lo, double hi, int depth, double tail_above, int stale);

static double at(const leaf* e, double x)
{
  return x <= -1 ? e->lo : x >= 1 ? e->hi : e->lo + (e->hi - e->lo) * (1 + x) / 2;
}

// f at an end of a stretch where f' has one sign may still touch zero there: f' vanishes too
static void touch_at_end(search* s, const leaf* e, const num_chebyshev* d, double t, double f,
                         double x)
{
  bool flat = fabs(num_chebyshev_value(d, x)) <= 1e-6 * (fabs(d->c[0]) + num_chebyshev_spread(d));
  if (flat && f != 0 && fabs(f) <= 16 * DBL_EPSILON * e->size) add(s, t, sign(f), sign(f));
}

// f' has one sign
static void monotone(search* s, const leaf* e, const num_chebyshev* d, double lo, double hi)
{
  double f_lo = value(s, lo), f_hi = value(s, hi);
  if (sign(f_lo) * sign(f_hi) > 0) {
    touch_at_end(s, e, d, lo, f_lo, -1);
    touch_at_end(s, e, d, hi, f_hi, 1);
    return;
  }
  between(s, lo, f_lo, hi, f_hi);
}

// root of the increasing or decreasing polynomial d on [-1, 1], by bisection to rounding
static double turning_point(const num_chebyshev* d)
{
  double lo = -1, hi = 1, rising = num_chebyshev_value(d, 1) > 0 ? 1 : -1;
  for (int i = 0; i < 60 && hi - lo > DBL_EPSILON; i++) {
    double x = (lo + hi) / 2;
    if (num_chebyshev_value(d, x) * rising > 0)
      hi = x;
    else
      lo = x;
  }
  return (lo + hi) / 2;
}

// f'' has one sign and f' changes sign: two roots, a touch, or none
static void bowl(search* s, const leaf* e, const num_chebyshev* d, const num_chebyshev* dd,
                 double lo, double hi)
{
  double x = turning_point(d), half = (hi - lo) / 2, t = lo + half * (1 + x);
  double f_lo = value(s, lo), f_mid = value(s, t), f_hi = value(s, hi);
  double reach = half > 0 ? s->tolerance / half : 0;
  double faint =
      fmax(16 * DBL_EPSILON * e->size, fabs(num_chebyshev_value(dd, x)) * reach * reach / 8);
  int l = sign(f_lo), h = sign(f_hi);
  if (l == h && l != 0 && fabs(f_mid) <= faint)
    add(s, t, l, h);
  else {
    between(s, lo, f_lo, t, f_mid);
    between(s, t, f_mid, hi, f_hi);
  }
}

// roots of the polynomial p of the stretch [lo, hi] of a leaf
static void isolate(search* s, const leaf* e, const num_chebyshev* p, double lo, double hi)
{
  if (s->full) return;
  double spread = num_chebyshev_spread(p);
  if (fabs(p->c[0]) > spread + e->noise) return;
  if (hi - lo <= s->tolerance) {
    lump(s, lo, hi, fmax(e->noise, 16 * DBL_EPSILON * e->size));
    return;
  }
  // nothing but noise here: look at f again with this stretch as its own leaf
  if (fabs(p->c[0]) + spread <= 4 * e->noise && hi - lo < (e->hi - e->lo) / 2) {
    resolve(s, lo, hi, e->depth + 1, INFINITY, 0);
    return;
  }
  num_chebyshev d = num_chebyshev_derivative(p);
  if (fabs(d.c[0]) > num_chebyshev_spread(&d)) {
    monotone(s, e, &d, lo, hi);
    return;
  }
  num_chebyshev dd = num_chebyshev_derivative(&d);
  if (fabs(dd.c[0]) > num_chebyshev_spread(&dd)) {
    if (num_chebyshev_value(&d, -1) * num_chebyshev_value(&d, 1) < 0)
      bowl(s, e, &d, &dd, lo, hi);
    else
      monotone(s, e, &d, lo, hi);
    return;
  }
  double middle = lo + (hi - lo) / 2;
  num_chebyshev part = num_chebyshev_part(p, -1, 0);
  isolate(s, e, &part, lo, middle);
  part = num_chebyshev_part(p, 0, 1);
  isolate(s, e, &part, middle, hi);
}

// share of the upper half of the coefficients: about one half for noise, little for anything smooth
static double roughness(const num_chebyshev* p)
{
  double all = 0, upper = 0;
  for (int k = 1; k <= N; k++) {
    double square = p->c[k] * p->c[k];
    all += square;
    if (k > N / 2) upper += square;
  }
  return all > 0 ? upper / all : 0;
}

// a leaf no polynomial fits and that will not be halved again: sign changes of the samples
static void sampled(search* s, const leaf* e, const double* f)
{
  int changes = 0;
  for (int j = 0; j < N; j++) changes += sign(f[j]) * sign(f[j + 1]) < 0;
  if (changes > 3) return;
  for (int j = N; j > 0; j--) {
    double lo = at(e, num_chebyshev_node(j)), hi = at(e, num_chebyshev_node(j - 1));
    if (sign(f[j]) * sign(f[j - 1]) <= 0 && !(f[j] == 0 && f[j - 1] == 0))
      between(s, lo, f[j], hi, f[j - 1]);
  }
}

// does p agree with f away from the nodes?
static bool holds(search* s, const leaf* e, const num_chebyshev* p, double allowed)
{
  static const double probe[] = {-0.8931, -0.2713, 0.4187};
  for (int i = 0; i < 3; i++)
    if (!(fabs(value(s, at(e, probe[i])) - num_chebyshev_value(p, probe[i])) <= allowed))
      return false;
  return true;
}

static void halve(search* s, const leaf* e, double tail, int stale)
{
  double middle = e->lo + (e->hi - e->lo) / 2;
  if (!(middle > e->lo && middle < e->hi)) return;
  resolve(s, e->lo, middle, e->depth + 1, tail, stale);
  resolve(s, middle, e->hi, e->depth + 1, tail, stale);
}

// samples at the nodes; returns how many are finite
static int sample(search* s, leaf* e, double* f)
{
  int good = 0;
  e->size = 0;
  for (int j = 0; j <= N; j++) {
    f[j] = value(s, at(e, num_chebyshev_node(j)));
    if (!isfinite(f[j])) continue;
    good++;
    e->size = fmax(e->size, fabs(f[j]));
  }
  s->scale = fmax(s->scale, e->size);
  return good;
}

// roots on [lo, hi]. tail_above: the unresolved part on the leaf above; stale: for how many
// halvings it has not become smaller
static void resolve(search* s, double lo, double hi, int depth, double tail_above, int stale)
{
  if (s->full) return;
  leaf e = {.lo = lo, .hi = hi, .depth = depth};
  double f[N + 1];
  int good = sample(s, &e, f);
  bool may_halve = depth < deepest && s->evaluations < budget && hi - lo > s->tolerance;
  if (good <= N) {
    // walk up to where f ceases to be a number, but no farther
    if (good > 0 && may_halve && depth < 10) halve(s, &e, INFINITY, 0);
    return;
  }
  if (e.size == 0) return;
  num_chebyshev p = num_chebyshev_fit(f);
  double tail = fmax(fmax(fabs(p.c[N]), fabs(p.c[N - 1])), fabs(p.c[N - 2]));
  e.noise = fmax(4 * tail, 8 * DBL_EPSILON * e.size);
  if (tail <= 1e-13 * e.size && holds(s, &e, &p, 1e-11 * e.size)) {
    isolate(s, &e, &p, lo, hi);
    return;
  }
  // a tail that no halving lowers is noise
  stale = tail > tail_above / 1.5 ? stale + 1 : 0;
  bool faint = e.size <= 1e-12 * s->scale;
  if (stale >= 4 && (faint || roughness(&p) > 0.25)) {
    if (faint)
      lump(s, lo, hi, e.size);
    else if (tail <= 1e-3 * e.size)
      isolate(s, &e, &p, lo, hi);
    return;
  }
  if (stale >= 4 && tail <= 1e-3 * e.size) {
    isolate(s, &e, &p, lo, hi);
    return;
  }
  if (may_halve)
    halve(s, &e, tail, stale);
  else
    sampled(s, &e, f);
}

int num_roots(num_function* f, void* context, double a, double b, double tolerance, int room,
              num_root* out)
{
  assert(a <= b && room >= 0);
  double rounding = 4 * DBL_EPSILON * fmax(fabs(a), fabs(b));
  search s = {.f = f,
              .context = context,
              .a = a,
              .b = b,
              .tolerance = fmax(tolerance, rounding),
              .room = room,
              .out = out};
  if (b > a) resolve(&s, a, b, 0, INFINITY, 0);
  return s.n;
}
