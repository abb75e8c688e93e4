// One path of the homotopy (1 - t) F + gamma t G from t = 1 to t = 0: Hermite's cubic through the
// last two points and their tangents as predictor, Newton as corrector (Allgower and Georg 1990,
// chapter 6). Paths to singular ends and to infinity are followed until t is tiny and told apart by
// the power of t with which x_0 goes to zero.
#include "least/stationary_paths.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct place
{
  double t;
  cx X[PATHS_SIDE], V[PATHS_SIDE]; // V = dX/dt
} place;

// the tail: a path that is not at its end at last_t, or halts below halt_t, has a singular end
static const double last_t = 1e-10, halt_t = 1e-6;

static double norm(int n, const cx* x)
{
  double s = 0;
  for (int i = 0; i < n; i++) s += creal(x[i]) * creal(x[i]) + cimag(x[i]) * cimag(x[i]);
  return sqrt(s);
}

// factored Jacobian of the homotopy; value to R, d/dt to S
static bool factored(const least_stationary_paths* h, const cx* X, double t, cx* R, cx* S, cx* J,
                     int* pivot)
{
  int n = h->n, m = h->m, N = h->N;
  cx F[PATHS_SIDE], G[PATHS_SIDE], JG[PATHS_SIDE * PATHS_SIDE];
  least_stationary_paths_system(h, &h->target, X, F, J);
  if (t > 0) {
    if (h->near)
      least_stationary_paths_system(h, &h->before, X, G, JG);
    else
      least_stationary_paths_origin(h, X, G, JG);
    cx a = h->gamma * t;
    for (int i = 0; i < n + m; i++) {
      for (int k = 0; k < N; k++)
        J[i * N + k] = (1 - t) * J[i * N + k] + cx_times(a, JG[i * N + k]);
      R[i] = (1 - t) * F[i] + cx_times(a, G[i]);
      S[i] = cx_times(h->gamma, G[i]) - F[i];
    }
  } else
    memcpy(R, F, (size_t)(n + m) * sizeof *R);
  R[n + m] = R[n + m + 1] = -1;
  S[n + m] = S[n + m + 1] = 0;
  for (int i = 0; i <= n; i++) {
    J[(n + m) * N + i] = h->patch_x[i];
    R[n + m] += cx_times(h->patch_x[i], X[i]);
  }
  for (int j = 0; j <= m; j++) {
    J[(n + m + 1) * N + n + 1 + j] = h->patch_mu[j];
    R[n + m + 1] += cx_times(h->patch_mu[j], X[n + 1 + j]);
  }
  return num_complex_lu(N, J, pivot);
}

// Newton at fixed t; first and last correction, relative; tangent from the last Jacobian
static bool correct(const least_stationary_paths* h, place* p, int most, double goal, double* first)
{
  int N = h->N, pivot[PATHS_SIDE];
  cx R[PATHS_SIDE], S[PATHS_SIDE], J[PATHS_SIDE * PATHS_SIDE];
  double before = 0;
  for (int k = 0; k < most; k++) {
    if (!factored(h, p->X, p->t, R, S, J, pivot)) return false;
    num_complex_solve(N, J, pivot, R);
    for (int i = 0; i < N; i++) p->X[i] -= R[i];
    double size = norm(N, R) / norm(N, p->X);
    if (!isfinite(size)) return false;
    if (k == 0) *first = size;
    if (k > 0 && size > 0.5 * before && size > goal) return false;
    before = size;
    if (size > goal) continue;
    num_complex_solve(N, J, pivot, S);
    for (int i = 0; i < N; i++) p->V[i] = -S[i];
    return true;
  }
  return false;
}

// cubic through a and b with their tangents, at t (beyond b); Euler where there is no a
static void predict(int N, const place* a, const place* b, double t, place* out)
{
  double w = b->t - a->t, s = w != 0 ? (t - a->t) / w : 0;
  out->t = t;
  double h00 = (1 + 2 * s) * (1 - s) * (1 - s), h10 = s * (1 - s) * (1 - s);
  double h01 = s * s * (3 - 2 * s), h11 = s * s * (s - 1);
  for (int i = 0; i < N; i++)
    out->X[i] = w == 0 ? b->X[i] + (t - b->t) * b->V[i]
                       : h00 * a->X[i] + h10 * w * a->V[i] + h01 * b->X[i] + h11 * w * b->V[i];
}

static bool finish(const least_stationary_paths* h, place* p)
{
  double first;
  return correct(h, p, 6, 1e-12, &first);
}

// In the tail x_0 / |x| ~ t^e: e = 1/c > 0 at infinity, 0 at a finite singular end. From the
// tangent, e = d log (x_0 / |x|) / d log t.
static path_end end_of_tail(const least_stationary_paths* h, const place* p, cx* X)
{
  double size = norm(h->n + 1, p->X);
  cx along = 0;
  for (int i = 0; i <= h->n; i++) along += conj(p->X[i]) * p->V[i];
  double e = p->t * creal(p->V[0] / p->X[0] - along / (size * size));
  memcpy(X, p->X, (size_t)h->N * sizeof *X);
  if (e > 0.06 && cabs(p->X[0]) < 0.05 * size) return END_INFINITE;
  return fabs(e) < 0.02 ? END_SINGULAR : END_FAILED;
}

path_end least_stationary_paths_track(const least_stationary_paths* h, int k, cx* X)
{
  int N = h->N;
  place a, b, next;
  // from roots of a problem near by the end is tried at once
  double step = h->near ? 1 : 0.01 / h->care, first;
  b.t = 1;
  if (h->near)
    memcpy(b.X, h->start + k * N, (size_t)N * sizeof *X);
  else if (!least_stationary_paths_start(h, k, b.X))
    return END_FAILED;
  if (!correct(h, &b, 4, 1e-10, &first)) return END_FAILED;
  a = b;
  for (int steps = 0; steps < 3000; steps++) {
    if (b.t <= last_t) return end_of_tail(h, &b, X);
    bool landing = step >= b.t;
    predict(N, &a, &b, landing ? 0 : b.t - step, &next);
    double allowed = 3e-3 / h->care;
    bool good =
        correct(h, &next, landing ? 6 : 3, landing ? 1e-11 : 1e-6, &first) && first < allowed;
    if (!good) {
      step = fmin(step, b.t) / 2;
      if (step < 1e-8 * b.t) return b.t < halt_t ? end_of_tail(h, &b, X) : END_FAILED;
      continue;
    }
    if (landing) {
      memcpy(X, next.X, (size_t)N * sizeof *X);
      bool done = finish(h, &next);
      if (done) memcpy(X, next.X, (size_t)N * sizeof *X);
      return cabs(X[0]) < 1e-9 * norm(h->n + 1, X) ? END_INFINITE : END_REGULAR;
    }
    a = b;
    b = next;
    step *= fmin(3, fmax(0.4, pow(0.1 * allowed / (first + 1e-30), 0.25)));
    step = fmin(step, 0.2 / h->care);
  }
  return END_FAILED;
}
