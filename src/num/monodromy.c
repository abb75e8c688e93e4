// All solutions of F(x) = 0 by monodromy: n analytic equations in n unknowns.
//
// Any x0 solves F(x) = g0 for g0 = F(x0). As g is led around a loop and back to g0, x follows it
// along dx = J^-1 dg and may come back as another solution of the same equations: loops permute the
// solutions. The graph of F over a connected space of x is connected, and stays so without the
// points where J is singular, which are of codimension one over the complex numbers; so loops lead
// from any solution to all others. They are gathered until many loops bring none that is new, and
// then led from g0 to 0: isolated solutions of F = 0 are ends of such paths, others go to infinity.
// (Sommese and Wampler, The Numerical Solution of Systems of Polynomials, 2005, chapters 7 and 15;
// Duff et al., Solving polynomial systems via homotopy continuation and monodromy, 2018.)
#include "num/num.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double complex cx;

static const double first_step = 0.05, least_step = 1e-8, largest_step = 0.25;
// first correction beside the size of x, above which a step may have left its path
static const double near_path = 1e-4;
static const double on_path = 1e-11; // last correction of a step
static const double far_away = 1e7;  // times the size of an unknown: gone to infinity
static const double same_marks = 1e-6;
// what is left of g where a path that does not come to its end is good enough to go on from
static const double near_end = 1e-3;
static const double farther = 1.5; // logarithm of how much larger or smaller right sides are tried
// Loops in a row that bring nothing new: `quiet_paths` paths, but not more loops than the second
// nor fewer than the third.
enum { quiet_paths = 2000, most_quiet = 40, least_quiet = 12 };
enum { corrections = 3, corners = 3, most_a_loop = 500, step_grows_after = 3 };

typedef struct work
{
  const num_monodromy* p;
  int n;
  uint64_t seed;
  cx *F, *J, *d, *slope[4], *y, *x, *from, *to, *mark;
  double* reach; // of each F
  int* pivot;
  int count, room;
  cx *found, *marks;
  bool stopped;
} work;

// ---- random numbers -----------------------------------------------------------------------------

static double uniform(work* w)
{
  w->seed = w->seed * 6364136223846793005u + 1442695040888963407u;
  uint64_t z = w->seed ^ (w->seed >> 33);
  z *= 0xff51afd7ed558ccdu;
  z ^= z >> 33;
  return (double)(z >> 11) / 9007199254740992.0;
}

// somewhere about the circle of radius one
static cx turn(work* w)
{
  const double r = 0.5 + uniform(w), a = 6.283185307179586 * uniform(w);
  return CMPLX(r * cos(a), r * sin(a));
}

static void random_x(work* w, cx* x)
{
  for (int i = 0; i < w->n; i++) x[i] = w->p->size[i] * turn(w);
}

// near and far: a loop leads to other solutions where it winds about a place at which two meet
static void random_g(work* w, cx* g)
{
  const double far = exp(farther * (2 * uniform(w) - 1));
  for (int i = 0; i < w->n; i++) g[i] = far * w->reach[i] * turn(w);
}

// ---- paths --------------------------------------------------------------------------------------

static double beside(const work* w, const cx* by, const cx* x)
{
  double most = 0;
  for (int i = 0; i < w->n; i++) {
    const double share = cabs(by[i]) / fmax(w->p->size[i], cabs(x[i]));
    // written so that nan counts
    if (!(share <= most)) most = isfinite(share) ? share : INFINITY;
  }
  return most;
}

// slope = J^-1 d at x
static bool slope_at(work* w, const cx* x, const cx* d, cx* slope)
{
  w->p->values(w->p->context, x, w->F, w->J);
  memcpy(slope, d, sizeof(cx) * (size_t)w->n);
  if (!num_complex_lu(w->n, w->J, w->pivot)) return false;
  num_complex_solve(w->n, w->J, w->pivot, slope);
  return true;
}

static void along(const work* w, const cx* x, double h, const cx* slope, cx* out)
{
  for (int i = 0; i < w->n; i++) out[i] = x[i] + h * slope[i];
}

// Runge and Kutta's fourth order along the path
static bool predict(work* w, const cx* x, double h, cx* out)
{
  static const double share[4] = {0, 0.5, 0.5, 1}, weight[4] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
  for (int k = 0; k < 4; k++) {
    if (k)
      along(w, x, share[k] * h, w->slope[k - 1], w->y);
    else
      memcpy(w->y, x, sizeof(cx) * (size_t)w->n);
    if (!slope_at(w, w->y, w->d, w->slope[k])) return false;
  }
  for (int i = 0; i < w->n; i++) {
    out[i] = x[i];
    for (int k = 0; k < 4; k++) out[i] += h * weight[k] * w->slope[k][i];
  }
  return true;
}

// Newton's steps to F(x) = from + s (to - from)
static bool correct(work* w, double s, cx* x)
{
  for (int k = 0; k < corrections; k++) {
    w->p->values(w->p->context, x, w->F, w->J);
    for (int i = 0; i < w->n; i++) w->y[i] = w->from[i] + s * w->d[i] - w->F[i];
    if (!num_complex_lu(w->n, w->J, w->pivot)) return false;
    num_complex_solve(w->n, w->J, w->pivot, w->y);
    const double off = beside(w, w->y, x);
    if (!(off < near_path)) return false;
    along(w, x, 1, w->y, x);
    if (off < on_path) return true;
  }
  return false;
}

static bool is_gone(const work* w, const cx* x)
{
  for (int i = 0; i < w->n; i++)
    if (!(cabs(x[i]) < far_away * w->p->size[i])) return true;
  return false;
}

// x from F = `from` to F = `to`, in place; how far it came, 1: all the way
static double follow(work* w, const cx* from, const cx* to, cx* x)
{
  double s = 0, h = first_step;
  int well = 0;
  memcpy(w->from, from, sizeof(cx) * (size_t)w->n);
  for (int i = 0; i < w->n; i++) w->d[i] = to[i] - from[i];
  while (s < 1 && h > least_step) {
    const double end = s + h < 1 ? s + h : 1;
    if (is_gone(w, x)) break;
    if (!predict(w, x, end - s, w->x) || !correct(w, end, w->x)) {
      h /= 2;
      well = 0;
      continue;
    }
    memcpy(x, w->x, sizeof(cx) * (size_t)w->n);
    s = end;
    if (++well < step_grows_after) continue;
    well = 0;
    h = fmin(2 * h, largest_step);
  }
  return s;
}

// ---- solutions ----------------------------------------------------------------------------------

static bool is_known(const work* w, const cx* mark)
{
  const int m = w->p->marks;
  for (int k = 0; k < w->count; k++) {
    const cx* other = w->marks + (size_t)k * (size_t)m;
    bool same = true;
    for (int i = 0; i < m && same; i++)
      same = cabs(mark[i] - other[i]) <= same_marks * (1 + cabs(other[i]));
    if (same) return true;
  }
  return false;
}

static bool add(work* w, const cx* x)
{
  const size_t n = (size_t)w->n, m = (size_t)w->p->marks;
  w->p->mark(w->p->context, x, w->mark);
  if (w->count >= w->p->most || is_known(w, w->mark)) return false;
  if (w->count == w->room) {
    w->room = w->room ? 2 * w->room : 16;
    w->found = base_realloc(w->found, sizeof(cx) * (size_t)w->room * n);
    w->marks = base_realloc(w->marks, sizeof(cx) * (size_t)w->room * m);
  }
  memcpy(w->found + (size_t)w->count * n, x, sizeof(cx) * n);
  memcpy(w->marks + (size_t)w->count * m, w->mark, sizeof(cx) * m);
  w->count++;
  return true;
}

static bool goes_on(work* w)
{
  if (w->p->go_on && !w->p->go_on(w->p->context)) w->stopped = true;
  return !w->stopped;
}

// one loop from g0 by some corners back to g0 with those known, or many of them; how many are new
static int loop(work* w, const cx* g0, cx* corner, cx* x)
{
  const int known = w->count, many = known < most_a_loop ? known : most_a_loop, n = w->n;
  const int first = (int)(uniform(w) * known);
  int added = 0;
  for (int i = 0; i < corners; i++) random_g(w, corner + i * n);
  for (int k = 0; k < many && goes_on(w); k++) {
    const size_t which = (size_t)((first + k) % known);
    bool came = true;
    memcpy(x, w->found + which * (size_t)n, sizeof(cx) * (size_t)n);
    for (int i = 0; i <= corners && came; i++)
      came = follow(w, i ? corner + (i - 1) * n : g0, i < corners ? corner + i * n : g0, x) == 1;
    if (came) added += add(w, x);
  }
  return added;
}

static bool is_quiet(const work* w, int loops)
{
  const int enough = quiet_paths / w->count;
  return loops >= (enough > most_quiet ? most_quiet : enough < least_quiet ? least_quiet : enough);
}

static void see_reach(work* w, cx* x)
{
  for (int turns = 0; turns < 8; turns++) {
    random_x(w, x);
    w->p->values(w->p->context, x, w->F, w->J);
    for (int i = 0; i < w->n; i++)
      if (isfinite(cabs(w->F[i]))) w->reach[i] = fmax(w->reach[i], cabs(w->F[i]));
  }
}

// the ends of all paths from g0 to 0
static void finish(work* w, const cx* g0, cx* g1, cx* x, num_monodromy_end* out)
{
  const size_t n = (size_t)w->n;
  cx* zero = base_alloc(sizeof(cx) * (n + 1));
  memset(zero, 0, sizeof(cx) * (n + 1));
  out->x = base_alloc(sizeof(cx) * ((size_t)w->count * n + 1));
  for (int k = 0; k < w->count && goes_on(w); k++) {
    memcpy(x, w->found + (size_t)k * n, sizeof(cx) * n);
    double came = follow(w, g0, zero, x);
    if (came < 1 - near_end && !is_gone(w, x)) {
      // by another way
      random_g(w, g1);
      memcpy(x, w->found + (size_t)k * n, sizeof(cx) * n);
      came = follow(w, g0, g1, x) == 1 ? follow(w, g1, zero, x) : 0;
    }
    if (came >= 1 - near_end)
      memcpy(out->x + (size_t)out->count++ * n, x, sizeof(cx) * n);
    else if (!is_gone(w, x))
      out->lost++;
  }
  free(zero);
}

num_monodromy_end num_monodromy_solve(const num_monodromy* p)
{
  const size_t n = (size_t)p->n;
  work w = {.p = p, .n = p->n, .seed = p->seed};
  cx* block = base_alloc(sizeof(cx) * (n * n + (15 + corners) * n + (size_t)p->marks + 1));
  cx *at = block, *g0, *corner, *x;
  cx** parts[] = {&w.F, &w.d,    &w.slope[0], &w.slope[1], &w.slope[2], &w.slope[3], &w.y,
                  &w.x, &w.from, &w.to,       &g0,         &x,          &corner};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++, at += n) *parts[i] = at;
  at += (size_t)(corners - 1) * n;
  w.mark = at;
  w.J = at + p->marks;
  memset(block, 0, sizeof(cx) * (n * n + (15 + corners) * n + (size_t)p->marks + 1));
  w.reach = base_alloc(sizeof(double) * (n + 1));
  w.pivot = base_alloc(sizeof(int) * (n + 1));
  for (size_t i = 0; i < n; i++) w.reach[i] = DBL_MIN;
  num_monodromy_end out = {0};
  see_reach(&w, x);
  random_x(&w, x);
  p->values(p->context, x, w.F, w.J);
  memcpy(g0, w.F, sizeof(cx) * n);
  add(&w, x);
  for (int quiet = 0; !is_quiet(&w, quiet) && goes_on(&w) && w.count < p->most;)
    quiet = loop(&w, g0, corner, x) ? 0 : quiet + 1;
  finish(&w, g0, corner, x, &out);
  out.generic = w.count;
  out.whole = !w.stopped && w.count < p->most;
  free(block);
  free(w.reach);
  free(w.pivot);
  free(w.found);
  free(w.marks);
  return out;
}
