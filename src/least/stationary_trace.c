// A set of dimension one is walked along from a point of it, both ways: U turns where its
// derivative along the tangent changes sign. What lies on a piece of the curve that was met is not
// missed.
#include "least/stationary.h"

#include <math.h>
#include <string.h>

static const double farthest = 60; // units from the free motion
enum { STEPS = 8000 };

static double dot(int n, const double* a, const double* b)
{
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i] * b[i];
  return s;
}

// unit tangent at x, turned to agree with `before`; false: none or more than one
static bool tangent(least_stationary* f, const double* x, const double* before, double* t)
{
  const least_stationary_frame* q = &f->frame;
  double w[STATIONARY_L], g[STATIONARY_L * STATIONARY_L];
  least_stationary_frame_place(q, x, w);
  if (!least_stationary_frame_eval(q, w, NULL, g, NULL)) return false;
  if (num_null_factor(f->jacobian, q->m, q->n, g, 1e-9) < q->m) return false;
  num_null_basis(f->jacobian, t);
  if (before && dot(q->n, before, t) < 0)
    for (int i = 0; i < q->n; i++) t[i] = -t[i];
  return true;
}

// one step of length h along the curve; the cosine of the turn goes to *cosine
static bool walk(least_stationary* f, const double* x, const double* t, double h, double* next,
                 double* next_t, double* cosine)
{
  const least_stationary_frame* q = &f->frame;
  for (int i = 0; i < q->n; i++) next[i] = x[i] + h * t[i];
  if (!(least_stationary_levenberg(q, least_stationary_feasible, q->m, q->n, 8, next) < 1e-9))
    return false;
  if (!tangent(f, next, t, next_t)) return false;
  double d[STATIONARY_L];
  for (int i = 0; i < q->n; i++) d[i] = next[i] - x[i];
  double gone = sqrt(dot(q->n, d, d));
  *cosine = fmin(dot(q->n, t, next_t), dot(q->n, d, t) / fmax(gone, 1e-300));
  return gone < 2 * h && gone > 0.5 * h;
}

static void offer_between(least_stationary* f, const double* x, const double* next, double a,
                          double b)
{
  const least_stationary_frame* q = &f->frame;
  double z[STATIONARY_KKT], w[STATIONARY_L], s = a != b ? a / (a - b) : 0.5;
  int N = q->n + q->m;
  for (int i = 0; i < q->n; i++) z[i] = x[i] + s * (next[i] - x[i]);
  least_stationary_frame_place(q, z, w);
  least_stationary_multipliers(q, w, z + q->n);
  if (!(least_stationary_levenberg(q, least_stationary_kkt, N, N, 40, z) < 1e-9)) return;
  least_stationary_frame_place(q, z, w);
  least_stationary_add(f, w, z + q->n);
}

// true: the curve closed, the other way need not be walked
static bool one_way(least_stationary* f, const double* from, double sense)
{
  const least_stationary_frame* q = &f->frame;
  int n = q->n;
  double x[STATIONARY_L], t[STATIONARY_L], next[STATIONARY_L], next_t[STATIONARY_L],
      d[STATIONARY_L];
  double last[STATIONARY_L], before = 0, h = 0.01, cosine;
  memcpy(x, from, (size_t)n * sizeof *x);
  if (!tangent(f, x, NULL, t)) return true;
  for (int i = 0; i < n; i++) t[i] *= sense;
  for (int k = 0; k < STEPS && h > 1e-7 && dot(n, x, x) < farthest * farthest; k++) {
    if (!walk(f, x, t, h, next, next_t, &cosine) || cosine < 0.98) {
      h /= 3;
      continue;
    }
    double a = dot(n, x, t), b = dot(n, next, next_t);
    if ((a > 0) != (b > 0)) offer_between(f, x, next, a, b);
    // nearly a turn: two turns may lie within a step, on either side of here
    if (k > 0 && fabs(a) < fabs(b) && fabs(a) < fabs(before)) {
      offer_between(f, last, x, 1, -1);
      offer_between(f, x, next, 1, -1);
    }
    before = a;
    memcpy(last, x, sizeof last);
    for (int i = 0; i < n; i++) d[i] = next[i] - from[i];
    if (k > 8 && dot(n, d, d) < h * h && dot(n, d, next_t) > 0) return true;
    if (cosine > 0.996) h = fmin(2 * h, 0.1 * (1 + sqrt(dot(n, x, x))));
    memcpy(x, next, sizeof x);
    memcpy(t, next_t, sizeof t);
  }
  return false;
}

void least_stationary_trace(least_stationary* f, const double* x)
{
  if (f->frame.n - f->frame.m != 1) return;
  if (!one_way(f, x, 1)) one_way(f, x, -1);
}
