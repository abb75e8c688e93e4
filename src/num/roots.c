// All roots of a smooth function on an interval.
//
// The interval is halved until f is a Chebyshev polynomial p of degree 16 to rounding on each leaf.
// On a leaf the polynomial is halved until it has no root (|c_0| > sum |c_k|), or p' or p'' has one
// sign; then at most one or two roots are left, and they are found on f itself.
// After Boyd, SIAM J. Numer. Anal. 40 (2002), 1666, with exclusion in place of eigenvalues.
//
// Nor is it halved where that no longer lowers what p leaves: this is then the rounding of f, and
// what is heard of it on one leaf is known on others.
//
// Stretches where p is no more than its own noise are put together and looked at again as a leaf of
// their own: a triple root is smooth there, or it is rounding, and then counts as one place.
#include "num/roots_search.h"

#include <assert.h>
#include <float.h>
#include <math.h>

static_assert((int)NUM_ROOTS_SAMPLES == (int)num_chebyshev_terms, "samples are taken at the nodes");

enum { N = num_chebyshev_degree, budget = 20000, patience = 100 };

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

static void resolve(num_search* s, double lo, double hi, descent d);

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

static double at(const num_leaf* e, double x)
{
  return place(e->lo, e->hi, x);
}

// a leaf no polynomial fits and that will not be halved again: sign changes of the samples
static void sampled(num_search* s, const num_leaf* e, const double* f)
{
  int changes = 0;
  for (int j = 0; j < N; j++) changes += num_search_sign(f[j]) * num_search_sign(f[j + 1]) < 0;
  if (changes > 3) return;
  num_search_flush(s);
  for (int j = N; j > 0; j--)
    if (num_search_sign(f[j]) * num_search_sign(f[j - 1]) <= 0)
      num_search_between(s, NULL, at(e, num_chebyshev_node(j)), f[j],
                         at(e, num_chebyshev_node(j - 1)), f[j - 1]);
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
static bool holds(num_search* s, const num_leaf* e, const num_chebyshev* p, double allowed)
{
  static const double probe[] = {-0.8931, -0.2713, 0.4187};
  for (int i = 0; i < 3; i++)
    if (!(fabs(num_search_value(s, at(e, probe[i])) - num_chebyshev_value(p, probe[i])) <= allowed))
      return false;
  return true;
}

static void halve(num_search* s, const num_leaf* e, descent d)
{
  double middle = e->lo + (e->hi - e->lo) / 2;
  if (!(middle > e->lo && middle < e->hi)) return;
  d.depth++;
  resolve(s, e->lo, middle, d);
  resolve(s, middle, e->hi, d);
}

// samples at the nodes; returns how many are finite
static int sample(num_search* s, num_leaf* e, double* f)
{
  int good = 0;
  e->size = 0;
  for (int j = 0; j <= N; j++) {
    f[j] = num_search_value(s, at(e, num_chebyshev_node(j)));
    if (!isfinite(f[j])) continue;
    good++;
    e->size = fmax(e->size, fabs(f[j]));
  }
  s->scale = fmax(s->scale, e->size);
  if (s->evaluations > patience && s->noise_of && !s->noise) s->noise = s->noise_of(s->context);
  return good;
}

// what the rounding of t does to f on a leaf
static double noise_of_time(const num_search* s, const num_leaf* e, const num_chebyshev* p)
{
  num_chebyshev d = num_chebyshev_derivative(p);
  return 2 * s->rounding / (e->hi - e->lo) * (fabs(d.c[0]) + num_chebyshev_spread(&d));
}

// Does f shake by as much as this between places side by side? Their fourth difference knows no
// other motion; what only bends sharply somewhere, as a root does, bends so at one of three places.
static bool shakes(num_search* s, const num_leaf* e, double tail)
{
  static const double middle[] = {-0.7263, 0.0467, 0.7419};
  // what moves by few roundings from place to place goes by equal ones
  const bool wide = tail > 1e-4 * e->size;
  const double apart = wide ? 0.1 : 0.02;
  int count = 0;
  for (int i = 0; i < 3; i++) {
    double f[5];
    for (int k = 0; k < 5; k++) f[k] = num_search_value(s, at(e, middle[i] + (k - 2) * apart));
    count += fabs(f[0] + f[4] - 4 * (f[1] + f[3]) + 6 * f[2]) > tail / (wide ? 2 : 8);
  }
  return count >= 2;
}

typedef enum verdict { smooth, noisy, nothing, unknown } verdict;

// what a leaf is, from its coefficients and how they came down
static verdict judge(num_search* s, num_leaf* e, const num_chebyshev* p, double tail, descent d)
{
  double time = noise_of_time(s, e, p);
  e->noise = fmax(fmax(4 * tail, 8 * DBL_EPSILON * e->size), time);
  double allowed = fmax(1e-13 * e->size, fmin(time, 1e-3 * e->size));
  if (tail <= allowed && holds(s, e, p, 100 * allowed)) return smooth;
  if (d.from_noise && roughness(p) > 0.1) return noisy;
  // a tail that halving does not lower is noise: on top of something smooth, or alone
  if (d.stuck >= (tail <= 1e-3 * e->size ? 3 : 4) && tail <= 1e-2 * e->size && tail > s->heard &&
      shakes(s, e, tail))
    s->heard = tail;
  // as small a tail elsewhere is the same noise: there is nothing to be gained by halving it
  if (tail <= 2 * s->heard) return tail <= 1e-2 * e->size ? smooth : noisy;
  if (d.stale >= 2 && tail <= 1e-6 * e->size) return smooth;
  if (d.stuck >= 2 && tail <= 1e-7 * e->size) return smooth;
  if (d.stale >= 4 && tail <= 1e-3 * e->size) return smooth;
  if (d.stale >= 4 && roughness(p) > 0.25) return nothing;
  return unknown;
}

static void resolve(num_search* s, double lo, double hi, descent d)
{
  if (s->full) return;
  num_leaf e = {.lo = lo, .hi = hi, .depth = d.depth};
  double f[N + 1];
  int good = sample(s, &e, f);
  bool may_halve =
      d.depth < num_search_deepest && s->evaluations < budget && hi - lo > s->tolerance;
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
    num_search_isolate(s, &e, &p, lo, hi);
    break;
  case noisy:
    num_search_put_aside(s, &e, lo, hi, true);
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

// A change of sign between ends that both stand out of the rounding, where no other was found.
static void cross(num_search* s, double a, double b)
{
  if (s->floor == 0 && s->heard == 0) return;
  const double f_a = num_search_value(s, a), f_b = num_search_value(s, b),
               rounding = fmax(4 * s->floor, s->noise);
  bool found = s->full || !(fabs(f_a) > rounding && fabs(f_b) > rounding);
  for (int i = 0; i < s->n && !found; i++) found = s->out[i].direction != 0;
  if (found || num_search_sign(f_a) * num_search_sign(f_b) >= 0) return;
  s->n = 0;
  num_search_between(s, NULL, a, f_a, b, f_b);
}

void num_search_resolve_noise(num_search* s)
{
  resolve(s, s->from, s->to, (descent){s->depth + 1, INFINITY, 0, INFINITY, 0, true});
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
  num_search s = {.f = f,
                  .noise_of = noise,
                  .context = context,
                  .tolerance = fmax(tolerance, 4 * rounding),
                  .rounding = rounding,
                  .room = room,
                  .out = out};
  if (b > a) resolve(&s, a, b, (descent){0, INFINITY, 0, INFINITY, 0, false});
  num_search_flush(&s);
  cross(&s, a, b);
  // where rounding is all there is, no sign means anything
  return s.floor >= s.scale / 4 ? 0 : s.n;
}
