// All roots of a smooth function on an interval.
//
// The interval is halved until f is a Chebyshev polynomial p of degree 16 to rounding on each leaf.
// On a leaf the polynomial is halved until it has no root (|c_0| > sum |c_k|), or p' or p'' has one
// sign; then at most one or two roots are left, and they are found on f itself.
// After Boyd, SIAM J. Numer. Anal. 40 (2002), 1666, with exclusion in place of eigenvalues.
//
// Stretches where p is no more than its own noise are put together and looked at again as a leaf of
// their own: a triple root is smooth there, or it is rounding, and then counts as one place.
#include "num/chebyshev.h"
#include "num/num.h"

#include <assert.h>
#include <float.h>
#include <math.h>

static_assert((int)NUM_ROOTS_SAMPLES == (int)num_chebyshev_terms, "samples are taken at the nodes");

enum { N = num_chebyshev_degree, deepest = 24, budget = 20000, patience = 100 };

typedef struct search
{
  num_function* f;
  num_size* noise_of; // null: nothing is known of it
  void* context;
  double tolerance;
  double noise;    // |f| below this is rounding; 0 until it is asked for
  double rounding; // of t
  double scale;    // largest |f| seen
  double floor;    // largest |f| on leaves that were rounding alone
  int evaluations;
  int room, n;
  num_root* out;
  int left, right; // signs of f on both sides of the last root, 0 if not known
  bool full;
  // stretch of noise not yet looked into
  bool waiting, final; // final: it was looked into, and is noise
  double from, to;
  int depth;
} search;

// a stretch of t on which f is sampled
typedef struct leaf
{
  double lo, hi;
  double size;  // largest |f| on it
  double noise; // below this the polynomial says nothing
  int depth;
} leaf;

// how a leaf came about
typedef struct descent
{
  int depth;
  double tail;     // what was unresolved on the leaf above
  int stale;       // for how many halvings that has not become smaller
  double least;    // of all such tails
  int stuck;       // for how many halvings none was smaller
  bool from_noise; // it was noise on a larger leaf
} descent;

static void resolve(search* s, double lo, double hi, descent d);

// Beyond this the second derivatives of a polynomial (16^4 times as large) come near to overflow,
// and coefficients that are no numbers are halved without end: only the sign of f counts there.
static const double greatest = 0x1p960;

static double value(search* s, double t)
{
  s->evaluations++;
  const double f = s->f(s->context, t);
  return isfinite(f) && fabs(f) > greatest ? copysign(greatest, f) : f;
}

static int sign(double x)
{
  return (x > 0) - (x < 0);
}

static int direction(int left, int right)
{
  if (left != 0 && right != 0) return left == right ? 0 : right;
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

// the polynomial on its stretch of t, if there is one to help
typedef struct guide
{
  const num_chebyshev* p;
  double lo, hi;
} guide;

// narrow a sign change: first on the polynomial, which costs nothing, then on f around that place
static double narrow(search* s, const guide* g, double lo, double f_lo, double hi, double f_hi)
{
  if (g) {
    double half = (g->hi - g->lo) / 2, a = (lo - g->lo) / half - 1, b = (hi - g->lo) / half - 1;
    double p_a = num_chebyshev_value(g->p, a), p_b = num_chebyshev_value(g->p, b);
    if (sign(p_a) * sign(p_b) < 0) {
      num_chebyshev copy = *g->p;
      double x = num_bracket(value_of_polynomial, &copy, a, p_a, b, p_b, 0);
      double t = g->lo + half * (1 + x), reach = 0.45 * s->tolerance;
      double l = fmax(lo, t - reach), h = fmin(hi, t + reach);
      double f_l = l > lo ? value(s, l) : f_lo, f_h = h < hi ? value(s, h) : f_hi;
      if (sign(f_l) * sign(f_h) < 0) return l + (h - l) / 2;
      // the root of f lies beside that of p: keep the side it is on
      if (sign(f_l) == sign(f_hi))
        hi = l, f_hi = f_l;
      else if (sign(f_h) == sign(f_lo))
        lo = h, f_lo = f_h;
      if (f_lo == 0) return lo;
      if (f_hi == 0) return hi;
    }
  }
  return num_bracket(s->f, s->context, lo, f_lo, hi, f_hi, s->tolerance);
}

// the root between two ends with values; zeros at the ends count
static void between(search* s, const guide* g, double lo, double f_lo, double hi, double f_hi)
{
  if (!isfinite(f_lo) || !isfinite(f_hi)) return;
  int l = sign(f_lo), h = sign(f_hi);
  if (l == 0 && h == 0) return;
  if (l == 0) add(s, lo, 0, h);
  if (l * h < 0) add(s, narrow(s, g, lo, f_lo, hi, f_hi), l, h);
  if (h == 0) add(s, hi, l, 0);
}

// a stretch too short or too faint to look into: it crosses zero if its ends say so, else it
// touches
static void lump(search* s, double lo, double hi)
{
  double f_lo = value(s, lo), f_hi = value(s, hi);
  int l = sign(f_lo), h = sign(f_hi);
  if (l == h && l != 0)
    add(s, lo + (hi - lo) / 2, l, h);
  else
    between(s, NULL, lo, f_lo, hi, f_hi);
}

// look into the stretch of noise that was put together, and into what that leaves
static void flush(search* s)
{
  while (s->waiting) {
    s->waiting = false;
    if (!s->final && s->depth < deepest && s->to - s->from > s->tolerance)
      resolve(s, s->from, s->to, (descent){s->depth + 1, INFINITY, 0, INFINITY, 0, true});
    else
      lump(s, s->from, s->to);
  }
}

static void put_aside(search* s, const leaf* e, double lo, double hi, bool final)
{
  if (s->waiting && s->to == lo) {
    s->to = hi;
    s->final |= final;
    if (e->depth > s->depth) s->depth = e->depth;
    return;
  }
  flush(s);
  s->waiting = true;
  s->final = final;
  s->from = lo;
  s->to = hi;
  s->depth = e->depth;
}

// p' has one sign
static void monotone(search* s, const num_chebyshev* p, double lo, double hi)
{
  double f_lo = value(s, lo), f_hi = value(s, hi);
  between(s, &(guide){p, lo, hi}, lo, f_lo, hi, f_hi);
}

// where p' vanishes: the zero of d on [-1, 1], or the end where it all but vanishes; false if none
static bool turning_point(const num_chebyshev* d, double* x)
{
  double at_lo = num_chebyshev_value(d, -1), at_hi = num_chebyshev_value(d, 1);
  double flat = 1e-10 * (fabs(d->c[0]) + num_chebyshev_spread(d));
  if (sign(at_lo) * sign(at_hi) < 0) {
    num_chebyshev copy = *d;
    *x = num_bracket(value_of_polynomial, &copy, -1, at_lo, 1, at_hi, 0);
    return true;
  }
  *x = fabs(at_lo) < fabs(at_hi) ? -1 : 1;
  return fmin(fabs(at_lo), fabs(at_hi)) <= flat;
}

// p'' has one sign and p' vanishes at x: two roots, a touch, or none
static void bowl(search* s, const leaf* e, const num_chebyshev* p, const num_chebyshev* dd,
                 double x, double lo, double hi)
{
  double half = (hi - lo) / 2, t = x <= -1 ? lo : x >= 1 ? hi : lo + half * (1 + x);
  double f_lo = value(s, lo), f_mid = value(s, t), f_hi = value(s, hi);
  // a touch is known to the rounding of f, and to the tolerance in t
  double reach = s->tolerance / half;
  double faint =
      fmax(16 * DBL_EPSILON * e->size, fabs(num_chebyshev_value(dd, x)) * reach * reach / 8);
  int l = sign(f_lo), m = sign(f_mid), h = sign(f_hi);
  if (l == h && l != 0 && l * m >= 0) {
    if (fabs(f_mid) <= faint) add(s, t, l, h);
    return;
  }
  guide g = {p, lo, hi};
  between(s, &g, lo, f_lo, t, f_mid);
  between(s, &g, t, f_mid, hi, f_hi);
}

// roots of the polynomial p of the stretch [lo, hi] of a leaf
static void isolate(search* s, const leaf* e, const num_chebyshev* p, double lo, double hi)
{
  if (s->full) return;
  double spread = num_chebyshev_spread(p);
  if (fabs(p->c[0]) > spread + e->noise) return;
  bool small = hi - lo < (e->hi - e->lo) / 2;
  if (small && (fabs(p->c[0]) + spread <= 4 * e->noise || hi - lo <= s->tolerance)) {
    put_aside(s, e, lo, hi, false);
    return;
  }
  num_chebyshev d = num_chebyshev_derivative(p);
  num_chebyshev dd = num_chebyshev_derivative(&d);
  double x;
  if (fabs(dd.c[0]) > num_chebyshev_spread(&dd) && turning_point(&d, &x)) {
    flush(s);
    bowl(s, e, p, &dd, x, lo, hi);
    return;
  }
  if (fabs(d.c[0]) > num_chebyshev_spread(&d) || fabs(dd.c[0]) > num_chebyshev_spread(&dd)) {
    flush(s);
    monotone(s, p, lo, hi);
    return;
  }
  double middle = lo + (hi - lo) / 2;
  if (!(middle > lo && middle < hi)) {
    put_aside(s, e, lo, hi, false);
    return;
  }
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

static double place(double lo, double hi, double x)
{
  return x <= -1 ? lo : x >= 1 ? hi : lo + (hi - lo) * (1 + x) / 2;
}

static double at(const leaf* e, double x)
{
  return place(e->lo, e->hi, x);
}

// a leaf no polynomial fits and that will not be halved again: sign changes of the samples
static void sampled(search* s, const leaf* e, const double* f)
{
  int changes = 0;
  for (int j = 0; j < N; j++) changes += sign(f[j]) * sign(f[j + 1]) < 0;
  if (changes > 3) return;
  flush(s);
  for (int j = N; j > 0; j--)
    if (sign(f[j]) * sign(f[j - 1]) <= 0)
      between(s, NULL, at(e, num_chebyshev_node(j)), f[j], at(e, num_chebyshev_node(j - 1)),
              f[j - 1]);
}

double num_roots_sample(double a, double b, int j)
{
  return place(a, b, num_chebyshev_node(j));
}

static double tail_of(const num_chebyshev* p)
{
  return fmax(fmax(fabs(p->c[N]), fabs(p->c[N - 1])), fabs(p->c[N - 2]));
}

// p stays within its spread of c_0, and f within what the series leaves out of p: that of |x|,
// whose coefficients fall like 1/k^2, sums up to eight times its last one.
bool num_roots_none(const double* sample)
{
  const num_chebyshev p = num_chebyshev_fit(sample);
  return fabs(p.c[0]) > num_chebyshev_spread(&p) + N * tail_of(&p);
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

static void halve(search* s, const leaf* e, descent d)
{
  double middle = e->lo + (e->hi - e->lo) / 2;
  if (!(middle > e->lo && middle < e->hi)) return;
  d.depth++;
  resolve(s, e->lo, middle, d);
  resolve(s, middle, e->hi, d);
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
  if (s->evaluations > patience && s->noise_of && !s->noise) s->noise = s->noise_of(s->context);
  return good;
}

// what the rounding of t does to f on a leaf
static double noise_of_time(const search* s, const leaf* e, const num_chebyshev* p)
{
  num_chebyshev d = num_chebyshev_derivative(p);
  return 2 * s->rounding / (e->hi - e->lo) * (fabs(d.c[0]) + num_chebyshev_spread(&d));
}

typedef enum verdict { smooth, noisy, nothing, unknown } verdict;

// what a leaf is, from its coefficients and how they came down
static verdict judge(search* s, leaf* e, const num_chebyshev* p, double tail, descent d)
{
  double time = noise_of_time(s, e, p);
  e->noise = fmax(fmax(4 * tail, 8 * DBL_EPSILON * e->size), time);
  double allowed = fmax(1e-13 * e->size, fmin(time, 1e-3 * e->size));
  if (tail <= allowed && holds(s, e, p, 100 * allowed)) return smooth;
  if (d.from_noise && roughness(p) > 0.1) return noisy;
  // a tail that halving does not lower is noise: on top of something smooth, or alone
  if (d.stale >= 2 && tail <= 1e-6 * e->size) return smooth;
  if (d.stuck >= 2 && tail <= 1e-7 * e->size) return smooth;
  if (d.stale >= 4 && tail <= 1e-3 * e->size) return smooth;
  if (d.stale >= 4 && roughness(p) > 0.25) return nothing;
  return unknown;
}

static void resolve(search* s, double lo, double hi, descent d)
{
  if (s->full) return;
  leaf e = {.lo = lo, .hi = hi, .depth = d.depth};
  double f[N + 1];
  int good = sample(s, &e, f);
  bool may_halve = d.depth < deepest && s->evaluations < budget && hi - lo > s->tolerance;
  if (good <= N) {
    // walk up to where f ceases to be a number, but no farther
    if (good > 0 && may_halve && d.depth < 10)
      halve(s, &e, (descent){d.depth, INFINITY, 0, INFINITY, 0, false});
    return;
  }
  if (e.size <= 4 * s->floor) return;
  if (e.size <= s->noise) {
    sampled(s, &e, f);
    return;
  }
  num_chebyshev p = num_chebyshev_fit(f);
  double tail = tail_of(&p);
  d.stale = tail > d.tail / 1.5 ? d.stale + 1 : d.stale > 0 ? d.stale - 1 : 0;
  d.tail = tail;
  d.stuck = tail > d.least / 1.5 ? d.stuck + 1 : 0;
  d.least = fmin(d.least, tail);
  switch (judge(s, &e, &p, tail, d)) {
  case smooth:
    isolate(s, &e, &p, lo, hi);
    break;
  case noisy:
    put_aside(s, &e, lo, hi, true);
    break;
  case nothing:
    s->floor = fmax(s->floor, e.size);
    break;
  case unknown:
    if (may_halve)
      halve(s, &e, d);
    else
      sampled(s, &e, f);
  }
}

int num_roots(num_function* f, void* context, double a, double b, double tolerance, int room,
              num_root* out)
{
  return num_roots_beyond(f, NULL, context, a, b, tolerance, room, out);
}

int num_roots_beyond(num_function* f, num_size* noise, void* context, double a, double b,
                     double tolerance, int room, num_root* out)
{
  assert(a <= b && room >= 0);
  double rounding = DBL_EPSILON * fmax(fabs(a), fabs(b));
  search s = {.f = f,
              .noise_of = noise,
              .context = context,
              .tolerance = fmax(tolerance, 4 * rounding),
              .rounding = rounding,
              .room = room,
              .out = out};
  if (b > a) resolve(&s, a, b, (descent){0, INFINITY, 0, INFINITY, 0, false});
  flush(&s);
  // where rounding is all there is, no sign means anything
  return s.floor >= s.scale / 4 ? 0 : s.n;
}
