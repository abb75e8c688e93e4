// Motions that come back after a turn: a symmetry of the equations leads the end to the start.
//
// x(T) = g x(0) with an element g of the group whose fields are eta_k(q) = C_k q + c_k
// (symmetry.c): a relative periodic motion, periodic in axes that turn. The end is led back by
// P = g^-1, an affine map. Where P x(T) misses x(0) by rho, P is changed to exp(-delta) P with
//   sum delta_k eta_k(x(0)) = rho
// in the sense of least squares, alone (to fit P to a motion) or as further unknowns of the
// shooting.
#include "study/orbit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { terms = 18, eighths = 8, most_turns = 30 };

// out = a b for affine maps of order n + 1 written as full matrices
static void multiply(int m, const double* a, const double* b, double* out)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) {
      double sum = 0;
      for (int k = 0; k < m; k++) sum += a[i * m + k] * b[k * m + j];
      out[i * m + j] = sum;
    }
}

// exp of the field sum delta_k eta_k, by its series on a small part and squaring
static void exponential(const study_symmetry* s, const double* delta, double* out)
{
  const int n = s->n, m = n + 1;
  double* work = base_alloc(sizeof(double) * (size_t)(4 * m * m + n * n + n));
  double *X = work, *power = X + m * m, *next = power + m * m, *C = next + 2 * m * m;
  double *c = C + n * n, size = 0;
  int halvings = 0;
  study_symmetry_sum(s, delta, 0, C, c);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) X[i * m + j] = C[i * n + j];
    X[i * m + n] = c[i];
    for (int j = 0; j < n; j++) size = fmax(size, fabs(C[i * n + j]) * n);
  }
  for (; size > 0.5; size /= 2) halvings++;
  for (int i = 0; i < m * m; i++) {
    X[i] = ldexp(X[i], -halvings);
    power[i] = out[i] = i / m == i % m;
  }
  for (int k = 1; k <= terms; k++) {
    multiply(m, power, X, next);
    for (int i = 0; i < m * m; i++) {
      power[i] = next[i] / k;
      out[i] += power[i];
    }
  }
  for (; halvings > 0; halvings--) {
    multiply(m, out, out, next);
    memcpy(out, next, sizeof(double) * (size_t)(m * m));
  }
  free(work);
}

static void set_one(study_orbit* o)
{
  const int m = o->l->n + 1;
  for (int i = 0; i < m * m; i++) o->P[i] = i / m == i % m;
}

void study_orbit_use_group(study_orbit* o, const study_symmetry* s, base_arena* arena)
{
  const int m = o->l->n + 1;
  o->s = s;
  if (!o->P) o->P = base_arena_take(arena, sizeof(double) * (size_t)(m * m + 1));
  set_one(o);
}

// P <- exp(-delta) P
void study_orbit_turn(study_orbit* o, const double* delta)
{
  const int m = o->l->n + 1, g = o->s->count;
  double *E = base_alloc(sizeof(double) * (size_t)(2 * m * m + g + 1)), *to = E + m * m;
  double* back = to + m * m;
  for (int k = 0; k < g; k++) back[k] = -delta[k];
  exponential(o->s, back, E);
  multiply(m, E, o->P, to);
  memcpy(o->P, to, sizeof(double) * (size_t)(m * m));
  free(E);
}

// a state (q, v) or a change of one by P
static void lead(const study_orbit* o, bool change, double* x, int stride, double* work)
{
  const int n = o->l->n, m = n + 1;
  for (int half = 0; half < 2; half++) {
    double* y = x + half * n * stride;
    for (int i = 0; i < n; i++) {
      work[i] = change || half ? 0 : o->P[i * m + n];
      for (int j = 0; j < n; j++) work[i] += o->P[i * m + j] * y[j * stride];
    }
    for (int i = 0; i < n; i++) y[i * stride] = work[i];
  }
}

void study_orbit_lead_back(study_orbit* o)
{
  const int n = o->l->n, N = 2 * n, d = o->d;
  if (!o->s) return;
  double* work = base_alloc(sizeof(double) * (size_t)(n + 1));
  lead(o, false, o->y, 1, work);
  for (int k = 0; k < d; k++) lead(o, true, o->y + N + k, d, work);
  free(work);
}

// ---- which turn fits a motion? ------------------------------------------------------------------

// what P leaves between the end and the start, ignorable coordinates and whole turns aside
static double rest(const study_orbit* o, const study_stability* r, const double* end, double* rho)
{
  const int n = r->n;
  double *x = base_alloc(sizeof(double) * (size_t)(3 * n + 1)), most = 0;
  memcpy(x, end, sizeof(double) * (size_t)(2 * n));
  lead(o, false, x, 1, x + 2 * n);
  for (int i = 0; i < n; i++) {
    double off = x[i] - r->q[i];
    if (o->angle[i]) off -= 2 * M_PI * round(off / (2 * M_PI));
    rho[i] = o->ignorable[i] ? 0 : off;
    rho[n + i] = x[n + i] - r->v[i];
    most = fmax(most, fabs(rho[i]) / (1 + fabs(r->q[i])));
    most = fmax(most, fabs(rho[n + i]) / (1 + fabs(r->v[i])));
  }
  free(x);
  return most;
}

static double improve(study_orbit* o, const study_stability* r, const double* end)
{
  const int n = r->n, N = 2 * n, g = o->s->count, rows = N + g;
  double* A = base_alloc(sizeof(double) * (size_t)(rows * g + rows + g + 2 * N + 1));
  double *b = A + rows * g, *delta = b + rows, *rho = delta + g, *X = rho + N;
  double off = rest(o, r, end, rho);
  for (int turn = 0; turn < most_turns && off > 1e-13; turn++) {
    for (int k = 0; k < g; k++) {
      study_symmetry_at(o->s, k, r->q, r->v, X);
      for (int i = 0; i < N; i++) A[i * g + k] = i < n && o->ignorable[i] ? 0 : X[i];
    }
    for (int i = 0; i < rows; i++) b[i] = i < N ? rho[i] : 0;
    for (int i = 0; i < g * g; i++) A[N * g + i] = i / g == i % g ? 1e-9 : 0;
    num_least_squares(rows, g, A, b, delta);
    for (int k = 0; k < g; k++) delta[k] = fmax(-1, fmin(1, delta[k]));
    study_orbit_turn(o, delta);
    const double now = rest(o, r, end, rho);
    if (now > 0.999 * off && turn > 8) break;
    off = now;
  }
  free(A);
  return off;
}

double study_orbit_fit(study_orbit* o, const study_stability* r, const double* end)
{
  const int n = r->n, m = n + 1, g = o->s->count;
  double *best = base_alloc(sizeof(double) * (size_t)(m * m + g + 1)), *delta = best + m * m;
  double least = INFINITY;
  for (int k = 0; k < g; k++) {
    // -trace(C^2)/2 = square of the angular speed of a plain turn
    const double* C = o->s->C + k * n * n;
    double trace = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) trace += C[i * n + j] * C[j * n + i];
    const double speed = trace < 0 ? sqrt(-trace / 2) : 0;
    for (int j = 0; j < (speed > 0 ? eighths : 1); j++) {
      set_one(o);
      memset(delta, 0, sizeof(double) * (size_t)g);
      delta[k] = j ? 2 * M_PI * j / eighths / speed : 0;
      study_orbit_turn(o, delta);
      const double off = improve(o, r, end);
      if (!(off < least)) continue;
      least = off;
      memcpy(best, o->P, sizeof(double) * (size_t)(m * m));
    }
  }
  if (isfinite(least)) memcpy(o->P, best, sizeof(double) * (size_t)(m * m));
  free(best);
  return least;
}

// the map g itself, the inverse of P; false where it is no more than a shift of nothing
bool study_orbit_map(const study_orbit* o, double* C, double* c)
{
  const int n = o->l->n, m = n + 1;
  double* A = base_alloc(sizeof(double) * (size_t)(n * n + n + 1));
  int* pivot = base_alloc(sizeof(int) * (size_t)(n + 1));
  double *column = A + n * n, off = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) A[i * n + j] = o->P[i * m + j];
  const bool fine = num_lu(n, A, pivot);
  for (int j = 0; j <= n && fine; j++) {
    for (int i = 0; i < n; i++) column[i] = j < n ? i == j : -o->P[i * m + n];
    num_lu_solve(n, A, pivot, column);
    for (int i = 0; i < n; i++) {
      *(j < n ? C + i * n + j : c + i) = column[i];
      off = fmax(off, fabs(column[i] - (i == j)));
    }
  }
  free(pivot);
  free(A);
  return fine && off > 1e-9;
}
