// Equations of a stationary point in the frame, and the two iterations on them: Levenberg-Marquardt
// from afar, Newton to rounding from near by.
#include "least/stationary.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { UNKNOWNS = STATIONARY_KKT, EQUATIONS = STATIONARY_KKT + 1 };

static double norm(int n, const double* x)
{
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return sqrt(s);
}

// F = (x - sum lambda_j g_j, phi), z = (x, lambda); J = [1 - sum lambda_j h_j, -g^T; g, 0]
static bool kkt_at(const least_stationary_frame* q, const double* w, const double* x,
                   const double* lambda, double* F, double* J)
{
  int n = q->n, m = q->m, N = n + m;
  double g[STATIONARY_L * STATIONARY_L], h[STATIONARY_L * STATIONARY_L * STATIONARY_L];
  if (!least_stationary_frame_eval(q, w, F + n, g, J ? h : NULL)) return false;
  for (int a = 0; a < n; a++) {
    F[a] = x[a];
    for (int j = 0; j < m; j++) F[a] -= lambda[j] * g[j * n + a];
    if (!J) continue;
    for (int b = 0; b < n; b++) {
      double t = a == b;
      for (int j = 0; j < m; j++) t -= lambda[j] * h[(j * n + a) * n + b];
      J[a * N + b] = t;
    }
    for (int j = 0; j < m; j++) {
      J[a * N + n + j] = -g[j * n + a];
      J[(n + j) * N + a] = g[j * n + a];
    }
  }
  for (int i = 0; J && i < m; i++)
    for (int j = 0; j < m; j++) J[(n + i) * N + n + j] = 0;
  return true;
}

bool least_stationary_kkt(const least_stationary_frame* q, const double* z, double* F, double* J)
{
  double w[STATIONARY_L];
  least_stationary_frame_place(q, z, w);
  return kkt_at(q, w, z, z + q->n, F, J);
}

bool least_stationary_feasible(const least_stationary_frame* q, const double* z, double* F,
                               double* J)
{
  double w[STATIONARY_L];
  least_stationary_frame_place(q, z, w);
  return least_stationary_frame_eval(q, w, F, J, NULL);
}

// gradients dependent: sum y_j g_j = 0, phi = 0, |y|^2 = 1, z = (x, y)
bool least_stationary_dependent(const least_stationary_frame* q, const double* z, double* F,
                                double* J)
{
  int n = q->n, m = q->m, N = n + m;
  double w[STATIONARY_L], g[STATIONARY_L * STATIONARY_L];
  double h[STATIONARY_L * STATIONARY_L * STATIONARY_L];
  const double* y = z + n;
  least_stationary_frame_place(q, z, w);
  if (!least_stationary_frame_eval(q, w, F + n, g, J ? h : NULL)) return false;
  if (J) memset(J, 0, (size_t)((N + 1) * N) * sizeof *J);
  F[N] = -1;
  for (int j = 0; j < m; j++) F[N] += y[j] * y[j];
  for (int a = 0; a < n; a++) {
    F[a] = 0;
    for (int j = 0; j < m; j++) {
      F[a] += y[j] * g[j * n + a];
      if (!J) continue;
      for (int b = 0; b < n; b++) J[a * N + b] += y[j] * h[(j * n + a) * n + b];
      J[a * N + n + j] = g[j * n + a];
      J[(n + j) * N + a] = g[j * n + a];
    }
  }
  for (int j = 0; J && j < m; j++) J[N * N + n + j] = 2 * y[j];
  return true;
}

// (J^T J + mu 1) d = -J^T F
static bool damped_step(int M, int N, const double* J, const double* F, double mu, double* d)
{
  double A[UNKNOWNS * UNKNOWNS];
  for (int a = 0; a < N; a++) {
    d[a] = 0;
    for (int i = 0; i < M; i++) d[a] -= J[i * N + a] * F[i];
    for (int b = 0; b <= a; b++) {
      double t = a == b ? mu : 0;
      for (int i = 0; i < M; i++) t += J[i * N + a] * J[i * N + b];
      A[a * N + b] = A[b * N + a] = t;
    }
  }
  if (!num_cholesky(N, A, DBL_EPSILON)) return false;
  num_cholesky_solve(N, A, d);
  return true;
}

double least_stationary_levenberg(const least_stationary_frame* q, least_stationary_system* f,
                                  int M, int N, int most, double* z)
{
  double F[EQUATIONS], J[EQUATIONS * UNKNOWNS], d[UNKNOWNS], next[UNKNOWNS], G[EQUATIONS];
  if (!f(q, z, F, J)) return INFINITY;
  double left = norm(M, F), mu = 1e-2;
  for (int k = 0; k < most && left > 1e-14 && mu < 1e12; k++) {
    bool better = damped_step(M, N, J, F, mu * fmin(1, left), d);
    for (int i = 0; better && i < N; i++) next[i] = z[i] + d[i];
    better = better && f(q, next, G, NULL) && norm(M, G) < left;
    mu = better ? fmax(mu / 8, 1e-12) : mu * 6;
    if (!better) continue;
    bool stuck = norm(N, d) < 1e-13 * (1 + norm(N, z));
    memcpy(z, next, (size_t)N * sizeof *z);
    left = norm(M, G);
    if (stuck || !f(q, z, F, J)) break;
  }
  return left;
}

void least_stationary_multipliers(const least_stationary_frame* q, const double* w, double* lambda)
{
  int n = q->n, m = q->m;
  double x[STATIONARY_L], g[STATIONARY_L * STATIONARY_L], A[STATIONARY_L * STATIONARY_L];
  for (int j = 0; j < m; j++) lambda[j] = 0;
  if (m == 0 || !least_stationary_frame_eval(q, w, NULL, g, NULL)) return;
  least_stationary_frame_coordinates(q, w, x);
  double trace = 0;
  for (int j = 0; j < m; j++) trace += norm(n, g + j * n) * norm(n, g + j * n);
  for (int j = 0; j < m; j++) {
    for (int a = 0; a < n; a++) lambda[j] += g[j * n + a] * x[a];
    for (int k = 0; k < m; k++) {
      A[j * m + k] = j == k ? 1e-15 * trace + DBL_MIN : 0;
      for (int a = 0; a < n; a++) A[j * m + k] += g[j * n + a] * g[k * n + a];
    }
  }
  if (num_cholesky(m, A, DBL_EPSILON * DBL_EPSILON))
    num_cholesky_solve(m, A, lambda);
  else
    memset(lambda, 0, (size_t)m * sizeof *lambda);
}

// The unknown is w itself, moved by T dx: no digits are lost where w is small beside the origin.
bool least_stationary_newton(const least_stationary_frame* q, double* w, double* lambda, int most,
                             int* iterations)
{
  int n = q->n, m = q->m, N = n + m, pivot[UNKNOWNS];
  double F[UNKNOWNS], J[UNKNOWNS * UNKNOWNS], x[STATIONARY_L], before = INFINITY;
  bool small = false;
  for (int k = 0; k < most; k++) {
    if (iterations) *iterations = k + 1;
    least_stationary_frame_coordinates(q, w, x);
    if (!kkt_at(q, w, x, lambda, F, J) || !num_lu(N, J, pivot)) return false;
    num_lu_solve(N, J, pivot, F);
    double moved = norm(n, F), size = 1e-6 * norm(n, x);
    for (int i = 0; i < q->l; i++) {
      double dw = 0, box = 0;
      for (int a = 0; a < n; a++) {
        dw += q->T[i * n + a] * F[a];
        box = fmax(box, fabs(q->T[i * n + a]));
      }
      w[i] -= dw;
      if (box > 0) size = fmax(size, fabs(w[i]) / box);
    }
    for (int j = 0; j < m; j++) lambda[j] -= F[n + j];
    if (!isfinite(moved) || !isfinite(norm(m, lambda))) return false;
    // quadratic until rounding stops it: done when small and no longer shrinking
    if (moved <= 1e-15 * size || (moved <= 1e-9 * size && moved >= 0.1 * before)) return true;
    before = moved;
    small = moved <= 1e-9 * size;
  }
  return small;
}
