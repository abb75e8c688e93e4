// Stationary points by search from many starts: where phi is no polynomial, and beside the
// homotopy.
//
// Starts lie evenly (Halton's sequence, each coordinate in its own prime base) in balls of several
// radii about the free motion and about the set itself. From each: down to the set, along it
// downhill to a minimum, straight to any stationary point, and to places where the gradients
// depend on one another. Deterministic.
#include "least/stationary.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double norm(int n, const double* x)
{
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return sqrt(s);
}

static double radical_inverse(int base, int k)
{
  double x = 0, f = 1.0 / base;
  for (; k > 0; k /= base, f /= base) x += f * (k % base);
  return x;
}

// start number k: odd ones in a ball, even ones on the axes and diagonals of the cube
static void start(int n, int k, double radius, double* x)
{
  static const int prime[STATIONARY_L] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  for (int i = 0; i < n; i++) x[i] = 2 * radical_inverse(prime[i], k + 1) - 1;
  if (k % 4 == 0 && k / 4 < 2 * n) {
    memset(x, 0, (size_t)n * sizeof *x);
    x[k / 8] = k / 4 % 2 ? -1 : 1;
  }
  for (int i = 0; i < n; i++) x[i] *= radius;
}

// least |phi| over its terms, for the report on an empty set
static void remember(least_stationary* f, const double* w)
{
  const least_stationary_frame* q = &f->frame;
  const least_stationary_problem* p = q->p;
  double phi[STATIONARY_L], worst = 0;
  if (!least_stationary_eval(p, w, phi, NULL, NULL)) return;
  for (int j = 0; j < p->s; j++) {
    double size = p->polynomial ? least_stationary_terms(p->polynomial + j, q->l, w) : q->size[j];
    if (size > 0) worst = fmax(worst, fabs(phi[j]) / size);
  }
  if (worst < f->best_phi) {
    f->best_phi = worst;
    memcpy(f->best_at, w, (size_t)q->l * sizeof *w);
  }
}

// down to the set phi = 0; true when reached
static bool settle(least_stationary* f, double* x, int most)
{
  const least_stationary_frame* q = &f->frame;
  double w[STATIONARY_L];
  double left = least_stationary_levenberg(q, least_stationary_feasible, q->m, q->n, most, x);
  least_stationary_frame_place(q, x, w);
  if (isfinite(left)) remember(f, w);
  return left < 1e-9;
}

// direction of steepest descent of |x|^2/2 along the set: minus what is left of x - g^T lambda
static double downhill(const least_stationary_frame* q, const double* x, double* d)
{
  double w[STATIONARY_L], lambda[STATIONARY_L], g[STATIONARY_L * STATIONARY_L];
  least_stationary_frame_place(q, x, w);
  if (!least_stationary_frame_eval(q, w, NULL, g, NULL)) return 0;
  least_stationary_multipliers(q, w, lambda);
  for (int a = 0; a < q->n; a++) {
    d[a] = -x[a];
    for (int j = 0; j < q->m; j++) d[a] += lambda[j] * g[j * q->n + a];
  }
  return norm(q->n, d);
}

// along the set, downhill, with backtracking; the full step would be right for an affine set
static void descend(least_stationary* f, double* x)
{
  const least_stationary_frame* q = &f->frame;
  double d[STATIONARY_L], next[STATIONARY_L], reach = 1;
  for (int k = 0; k < 60 && reach > 1e-6; k++) {
    double steep = downhill(q, x, d), U = norm(q->n, x);
    if (steep <= 1e-7 * (U + 1e-12)) return;
    bool better = false;
    for (; !better && reach > 1e-6; reach *= better ? 1 : 0.4) {
      for (int a = 0; a < q->n; a++) next[a] = x[a] + reach * d[a];
      better = settle(f, next, 12) && norm(q->n, next) < U - 1e-3 * reach * steep * steep / U;
    }
    if (!better) return;
    memcpy(x, next, (size_t)q->n * sizeof *x);
    reach = fmin(1, 2 * reach);
  }
}

static void offer(least_stationary* f, const double* x, bool iterate)
{
  const least_stationary_frame* q = &f->frame;
  double z[STATIONARY_KKT], w[STATIONARY_L];
  int N = q->n + q->m;
  memcpy(z, x, (size_t)q->n * sizeof *x);
  least_stationary_frame_place(q, z, w);
  least_stationary_multipliers(q, w, z + q->n);
  if (iterate && !(least_stationary_levenberg(q, least_stationary_kkt, N, N, 60, z) < 1e-9)) return;
  least_stationary_frame_place(q, z, w);
  least_stationary_add(f, w, z + q->n);
}

// least |x| among the places where the gradients are dependent: Gauss-Newton steps on their
// equations, and within the null space of these towards x = 0
static void slide(least_stationary* f, double* z)
{
  const least_stationary_frame* q = &f->frame;
  int n = q->n, N = n + q->m;
  double F[STATIONARY_KKT + 1], J[(STATIONARY_KKT + 1) * STATIONARY_KKT];
  double Z[STATIONARY_KKT * STATIONARY_KKT], d[STATIONARY_KKT], next[STATIONARY_KKT];
  for (int k = 0; k < 30; k++) {
    if (!least_stationary_dependent(q, z, F, J)) return;
    int rank = num_null_factor(f->jacobian, N + 1, N, J, 1e-7), free = N - rank;
    if (free == 0) return;
    num_null_basis(f->jacobian, Z);
    memset(d, 0, sizeof d);
    for (int c = 0; c < free; c++) {
      double t = 0;
      for (int a = 0; a < n; a++) t -= Z[a * free + c] * z[a];
      for (int i = 0; i < N; i++) d[i] += Z[i * free + c] * t;
    }
    for (int i = 0; i < N; i++) next[i] = z[i] + d[i];
    double left = least_stationary_levenberg(q, least_stationary_dependent, N + 1, N, 30, next);
    if (!(left < 1e-10) || !(norm(n, next) < norm(n, z) * (1 - 1e-12))) return;
    memcpy(z, next, (size_t)N * sizeof *z);
  }
}

static void offer_singular(least_stationary* f, const double* x, int k)
{
  const least_stationary_frame* q = &f->frame;
  int N = q->n + q->m;
  double z[STATIONARY_KKT], w[STATIONARY_L];
  memcpy(z, x, (size_t)q->n * sizeof *x);
  for (int j = 0; j < q->m; j++) z[q->n + j] = cos(1 + 2.4 * j + k) + 0.1;
  if (q->m == 1) z[q->n] = 1;
  if (!(least_stationary_levenberg(q, least_stationary_dependent, N + 1, N, 50, z) < 1e-10)) return;
  slide(f, z);
  least_stationary_frame_place(q, z, w);
  least_stationary_add_singular(f, w);
}

void least_stationary_search(least_stationary* f, int starts)
{
  const least_stationary_frame* q = &f->frame;
  static const double radius[] = {1, 0.1, 3, 0.5, 10, 2, 0.01, 30, 0.003, 100};
  double x[STATIONARY_L], y[STATIONARY_L], set_size = 0;
  bool traced = false;
  for (int k = 0; k < starts; k++) {
    // once the set was met, every other start keeps to its distance
    double size = k % 2 && set_size > 0 ? set_size * (0.25 + k % 7) : radius[k / 2 % 10];
    start(q->n, k, size, x);
    if (k == 0) memset(x, 0, sizeof x);
    if (k % 2 == 0 || k > starts / 2) offer(f, x, true);
    if (k % 3 == 0) offer_singular(f, x, k);
    memcpy(y, x, sizeof y);
    if (!settle(f, y, 40)) continue;
    set_size = set_size > 0 ? fmin(set_size, norm(q->n, y)) : norm(q->n, y);
    int known = f->set.count;
    offer(f, y, true);
    descend(f, y);
    offer(f, y, true);
    // something new: perhaps a piece of the set not met before
    if (!f->set.complete && (f->set.count > known || !traced)) {
      least_stationary_trace(f, y);
      traced = true;
    }
  }
}
