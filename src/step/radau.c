// One implicit step of high order, by collocation at the Radau points (Radau IIA).
//
// With the points c_i, the roots of P_s(2c - 1) - P_{s-1}(2c - 1), c_s = 1:
//   Y_i = y + h sum_j a_ij f(t + c_j h, Y_j),   a_ij = the integral from 0 to c_i of the j-th
// Lagrange polynomial; y(t + h) = Y_s, order 2s - 1 (Hairer and Wanner 1996, IV.5). The right-hand
// side is never asked for at t itself, where it may have no value. Newton's method on all stages
// together, with derivatives by differences.
#include "step/step.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

enum { most_stages = 9, most_turns = 20, grid = 2000 };
static const double pi = 3.14159265358979323846;

static double radau_polynomial(int s, double c)
{
  const double x = 2 * c - 1;
  double before = 1, now = x;
  for (int k = 2; k <= s; k++) {
    const double next = ((2 * k - 1) * x * now - (k - 1) * before) / k;
    before = now;
    now = next;
  }
  return now - before;
}

// the roots below 1 by halving between changes of sign, then 1 itself
void step_radau_points(int s, double* c)
{
  int n = 0;
  for (int i = 0; i < grid && n < s - 1; i++) {
    double a = 0.5 - 0.5 * cos(pi * i / (grid + 0.5));
    double b = 0.5 - 0.5 * cos(pi * (i + 1) / (grid + 0.5));
    const double sign = radau_polynomial(s, a);
    if (sign * radau_polynomial(s, b) > 0) continue;
    for (int k = 0; k < 60; k++) {
      const double m = 0.5 * (a + b);
      if (sign * radau_polynomial(s, m) > 0)
        a = m;
      else
        b = m;
    }
    c[n++] = 0.5 * (a + b);
  }
  assert(n == s - 1);
  c[s - 1] = 1;
}

// sum_j a_ij c_j^(k-1) = c_i^k/k for k = 1 .. s
static void radau_weights(int s, const double* c, double* a)
{
  double V[most_stages * most_stages];
  int pivot[most_stages];
  for (int k = 0; k < s; k++)
    for (int j = 0; j < s; j++) V[k * s + j] = pow(c[j], k);
  const bool regular = num_lu(s, V, pivot);
  assert(regular);
  (void)regular;
  for (int i = 0; i < s; i++) {
    for (int k = 0; k < s; k++) a[i * s + k] = pow(c[i], k + 1) / (k + 1);
    num_lu_solve(s, V, pivot, a + i * s);
  }
}

typedef struct work
{
  const step_ode* ode;
  int s, n;
  double t, h;
  const double *y, *width;
  double c[most_stages], a[most_stages * most_stages];
  double *f, *J, *K, *right, *shifted, *up, *down;
  int* pivot;
} work;

// columns of df/dy at stage j, by central differences
static int jacobian(work* w, int j, double* Y)
{
  const double at = w->t + w->c[j] * w->h;
  memcpy(w->shifted, Y, sizeof(double) * (size_t)w->n);
  for (int k = 0; k < w->n; k++) {
    if (w->width[k] == 0) {
      for (int i = 0; i < w->n; i++) w->J[i * w->n + k] = 0;
      continue;
    }
    w->shifted[k] = Y[k] + w->width[k];
    if (w->ode->rhs(w->ode->context, at, w->shifted, w->up)) return 1;
    w->shifted[k] = Y[k] - w->width[k];
    if (w->ode->rhs(w->ode->context, at, w->shifted, w->down)) return 1;
    w->shifted[k] = Y[k];
    for (int i = 0; i < w->n; i++) w->J[i * w->n + k] = (w->up[i] - w->down[i]) / (2 * w->width[k]);
  }
  return 0;
}

// blocks [i = j] - h a_ij J_j
static int fill(work* w, double* Y)
{
  const int n = w->n, s = w->s, all = s * n;
  for (int j = 0; j < s; j++) {
    if (jacobian(w, j, Y + j * n)) return 1;
    for (int i = 0; i < s; i++)
      for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
          w->K[(size_t)(i * n + k) * (size_t)all + (size_t)(j * n + l)] =
              (i == j && k == l) - w->h * w->a[i * s + j] * w->J[k * n + l];
  }
  return 0;
}

// y + h sum a f - Y; false where f has no value
static bool residual(work* w, const double* Y)
{
  const int n = w->n, s = w->s;
  for (int j = 0; j < s; j++)
    if (w->ode->rhs(w->ode->context, w->t + w->c[j] * w->h, Y + j * n, w->f + j * n)) return false;
  for (int i = 0; i < s; i++)
    for (int k = 0; k < n; k++) {
      double sum = 0;
      for (int j = 0; j < s; j++) sum += w->a[i * s + j] * w->f[j * n + k];
      w->right[i * n + k] = w->y[k] + w->h * sum - Y[i * n + k];
      if (!isfinite(w->right[i * n + k])) return false;
    }
  return true;
}

// add the correction; its largest part in units of the tolerance
static double correct(work* w, double* Y)
{
  double most = 0;
  for (int i = 0; i < w->s * w->n; i++) {
    const int k = i % w->n;
    Y[i] += w->right[i];
    const double unit = w->ode->abs_tol[k] + w->ode->rel_tol * fabs(Y[i]);
    most = fmax(most, fabs(w->right[i]) / unit);
  }
  return most;
}

// The residual is noisy where f is fast, the corrections are not: they tell when to end, which is
// when they are small against the tolerance, or within it and no longer getting smaller.
static bool solve(work* w, double* Y)
{
  const int all = w->s * w->n;
  double before = INFINITY;
  for (int turn = 0; turn < most_turns; turn++) {
    if (!residual(w, Y) || fill(w, Y) || !num_lu(all, w->K, w->pivot)) return false;
    num_lu_solve(all, w->K, w->pivot, w->right);
    const double off = correct(w, Y);
    if (off < 0.02 || (off < 0.5 && off > 0.3 * before)) return true;
    before = off;
  }
  return false;
}

bool step_radau(const step_ode* ode, int stages, double t, const double* y, double h,
                const double* width, double* Y)
{
  assert(stages >= 2 && stages <= most_stages);
  const size_t n = (size_t)ode->n, all = (size_t)stages * n;
  work w = {.ode = ode, .s = stages, .n = ode->n, .t = t, .h = h, .y = y, .width = width};
  step_radau_points(stages, w.c);
  radau_weights(stages, w.c, w.a);
  double* space = base_alloc(sizeof(double) * (all * all + 2 * all + n * n + 3 * n));
  w.K = space;
  w.f = w.K + all * all;
  w.right = w.f + all;
  w.J = w.right + all;
  w.shifted = w.J + n * n;
  w.up = w.shifted + n;
  w.down = w.up + n;
  w.pivot = base_alloc(sizeof(int) * all);
  const bool solved = solve(&w, Y);
  free(space);
  free(w.pivot);
  return solved;
}
