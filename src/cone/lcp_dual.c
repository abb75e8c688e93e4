// The linear complementarity problem of least constraint by a dual active set method.
//   a = S x + q >= 0, x >= 0, x.a = 0,  S symmetric positive semidefinite, scaled to S_ss = 1.
// Goldfarb and Idnani, Mathematical Programming 27 (1983) 1, in the space of the multipliers: the
// working set F always has a_F = 0, x_F >= 0 and S_FF positive definite. A cone_dual_violated row s
// enters by letting x_s grow, x_F following with a_F = 0:
//   dx_F = -S_FF^-1 S_Fs,  da_s = sigma = S_ss + S_sF dx_F >= 0.
// Rows of F whose x falls to zero leave on the way. The dual function grows strictly with each
// entered row, so no set comes twice, degenerate or not. Where sigma = 0 and nothing falls,
// y = (1, dx_F) has y >= 0, S y = 0, q.y = a_s < 0: no solution exists (Farkas).
#include "cone/lcp.h"
#include "cone/small.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

cone_lcp_set* cone_lcp_set_new(int r_max)
{
  assert(r_max >= 0);
  size_t r = (size_t)r_max;
  cone_lcp_set* f = base_alloc(sizeof *f);
  memset(f, 0, sizeof *f);
  f->r_max = r_max;
  f->set.stride = r_max;
  f->set.F = base_alloc(r * sizeof *f->set.F);
  f->set.in = base_alloc(2 * r * sizeof *f->set.in);
  f->excused = f->set.in + r;
  f->set.L = base_alloc((r * r + 6 * r) * sizeof *f->set.L);
  f->x = f->set.L + r * r;
  f->a = f->x + r;
  f->size = f->a + r;
  f->dx = f->size + r;
  f->u = f->dx + r;
  f->y = f->u + r;
  return f;
}

void cone_lcp_set_free(cone_lcp_set* f)
{
  if (!f) return;
  free(f->set.F);
  free(f->set.in);
  free(f->set.L);
  free(f);
}

// u = L^-1 S_Fs, dx = -L^-T u; gives sigma
static double direction(cone_lcp_set* f, const double* S, int s)
{
  const double* Ss = S + (size_t)s * f->r;
  double sigma = Ss[s];
  for (int i = 0; i < f->set.k; i++) {
    const double* Li = cone_active_factor_row(&f->set, i);
    double t = Ss[f->set.F[i]];
    for (int j = 0; j < i; j++) t -= Li[j] * f->u[j];
    f->u[i] = t / Li[i];
    sigma -= f->u[i] * f->u[i];
  }
  for (int i = 0; i < f->set.k; i++) f->dx[i] = -f->u[i];
  cone_active_factor_back(&f->set, f->dx);
  return sigma;
}

// sigma = y^T S y in long arithmetic, wrong only by the square of the error of dx
static double sharp(const cone_lcp_set* f, const double* S, int s)
{
  long double sigma = S[(size_t)s * f->r + s];
  for (int i = 0; i < f->set.k; i++) {
    const double* Si = S + (size_t)f->set.F[i] * f->r;
    long double t = 2 * (long double)Si[s];
    for (int j = 0; j < f->set.k; j++) t += (long double)Si[f->set.F[j]] * f->dx[j];
    sigma += t * f->dx[i];
  }
  return (double)sigma;
}

static void append(cone_lcp_set* f, int s, double sigma)
{
  cone_active_factor_append(&f->set, s, f->u, sigma);
}

static void leave(cone_lcp_set* f, int j)
{
  f->x[cone_active_factor_leave(&f->set, j)] = 0;
}

// x_F = -S_FF^-1 q_F with refinement in long arithmetic
static void solve_set(cone_lcp_set* f, const double* S, const double* q)
{
  for (int i = 0; i < f->set.k; i++) f->x[f->set.F[i]] = 0;
  for (int pass = 0; pass < 3; pass++) {
    for (int i = 0; i < f->set.k; i++) {
      const double* Si = S + (size_t)f->set.F[i] * f->r;
      long double t = -q[f->set.F[i]];
      if (pass)
        for (int j = 0; j < f->set.k; j++) t -= (long double)Si[f->set.F[j]] * f->x[f->set.F[j]];
      f->u[i] = (double)t;
    }
    for (int i = 0; i < f->set.k; i++) {
      const double* Li = cone_active_factor_row(&f->set, i);
      for (int j = 0; j < i; j++) f->u[i] -= Li[j] * f->u[j];
      f->u[i] /= Li[i];
    }
    cone_active_factor_back(&f->set, f->u);
    for (int i = 0; i < f->set.k; i++) f->x[f->set.F[i]] += f->u[i];
  }
}

// x_F solved afresh; rows that would need to pull are let go, the strongest first
static void settle(cone_lcp_set* f, const double* S, const double* q)
{
  for (;;) {
    solve_set(f, S, q);
    int worst = -1;
    for (int i = 0; i < f->set.k; i++)
      if (f->x[f->set.F[i]] < 0 && (worst < 0 || f->x[f->set.F[i]] < f->x[f->set.F[worst]]))
        worst = i;
    if (worst < 0) return;
    leave(f, worst);
    f->pivots++;
  }
}

static bool is_dependent(const cone_lcp_set* f, double sigma)
{
  double sum = 1;
  for (int i = 0; i < f->set.k; i++) sum += fabs(f->dx[i]);
  return sigma <= cone_dual_dependent * sum * sum;
}

static void begin(cone_lcp_set* f, const double* S, const double* q, const bool* guess)
{
  f->set.k = 0;
  f->pivots = 0;
  for (int s = 0; s < f->r; s++) {
    f->x[s] = 0;
    f->set.in[s] = f->excused[s] = false;
  }
  if (!guess) return;
  for (int s = 0; s < f->r; s++) {
    if (!guess[s] || !(S[(size_t)s * f->r + s] > 0)) continue;
    double sigma = direction(f, S, s);
    if (sigma < cone_dual_sharp) sigma = sharp(f, S, s);
    if (!is_dependent(f, sigma)) append(f, s, sigma);
  }
  settle(f, S, q);
}

static void evaluate(cone_lcp_set* f, const double* S, const double* q)
{
  for (int s = 0; s < f->r; s++) {
    const double* Ss = S + (size_t)s * f->r;
    double a = q[s], size = fabs(q[s]);
    for (int j = 0; j < f->set.k; j++) {
      double t = Ss[f->set.F[j]] * f->x[f->set.F[j]];
      a += t;
      size += fabs(t);
    }
    f->a[s] = a;
    f->size[s] = size;
  }
}

static int most_violated(const cone_lcp_set* f)
{
  int s = -1;
  double least = 0;
  for (int i = 0; i < f->r; i++) {
    if (f->set.in[i] || f->excused[i] || !(f->a[i] < -cone_dual_violated * f->size[i])) continue;
    if (f->a[i] < least) {
      least = f->a[i];
      s = i;
    }
  }
  return s;
}

// q.y = a_s is zero to rounding and noise, for the y = (1 at s, dx at F) of either sign with S y =
// 0
static bool is_noise(const cone_lcp_set* f, const double* q, const double* noise, int s)
{
  double sum = q[s], size = cone_dual_empty * fabs(q[s]) + (noise ? noise[s] : 0);
  for (int i = 0; i < f->set.k; i++) {
    int j = f->set.F[i];
    sum += q[j] * f->dx[i];
    size += fabs(f->dx[i]) * (cone_dual_empty * fabs(q[j]) + (noise ? noise[j] : 0));
  }
  return fabs(sum) <= size;
}

// y = (1 at s, dx at F); true if it proves emptiness beyond the noise
static bool certify(cone_lcp_set* f, const double* q, const double* noise, int s)
{
  memset(f->y, 0, (size_t)f->r * sizeof *f->y);
  f->y[s] = 1;
  double most = 1;
  for (int i = 0; i < f->set.k; i++) most = fmax(most, fabs(f->dx[i]));
  // an entry of rounding is none
  for (int i = 0; i < f->set.k; i++)
    f->y[f->set.F[i]] = f->dx[i] > cone_dual_none * most ? f->dx[i] : 0;
  double sum = 0, size = 0;
  for (int i = 0; i < f->r; i++) {
    sum += q[i] * f->y[i];
    size += cone_dual_empty * fabs(q[i]) * f->y[i] + (noise ? noise[i] * f->y[i] : 0);
  }
  return sum < -size;
}

// the member of F that falls to zero first as x_s grows, and when; -1: none
static int first_to_fall(const cone_lcp_set* f, double* when)
{
  double most = 1;
  for (int i = 0; i < f->set.k; i++) most = fmax(most, fabs(f->dx[i]));
  int j = -1;
  *when = INFINITY;
  for (int i = 0; i < f->set.k; i++) {
    // a change of rounding is none
    if (!(f->dx[i] < -cone_dual_none * most)) continue;
    double t = fmax(0, f->x[f->set.F[i]]) / -f->dx[i];
    if (j < 0 || t < *when || (t == *when && f->dx[i] < f->dx[j])) {
      *when = t;
      j = i;
    }
  }
  return j;
}

typedef enum entering { ENTERED, EXCUSED, EMPTY } entering;

static entering enter(cone_lcp_set* f, const double* S, const double* q, const double* noise, int s)
{
  double a = f->a[s];
  for (bool first = true;; first = false) {
    f->pivots++;
    double sigma = direction(f, S, s), fall;
    if (sigma < cone_dual_sharp) sigma = sharp(f, S, s);
    bool flat = is_dependent(f, sigma);
    if (first && flat && is_noise(f, q, noise, s)) return EXCUSED;
    int j = first_to_fall(f, &fall);
    if (flat && j < 0) {
      if (certify(f, q, noise, s)) return EMPTY;
      f->x[s] = 0;
      return EXCUSED;
    }
    double full = flat ? INFINITY : -a / sigma;
    double t = fmin(full, fall);
    for (int i = 0; i < f->set.k; i++) f->x[f->set.F[i]] += t * f->dx[i];
    f->x[s] += t;
    if (full <= fall) {
      append(f, s, sigma);
      return ENTERED;
    }
    if (!flat) a += t * sigma;
    leave(f, j);
  }
}

cone_lcp_outcome cone_lcp_dual(cone_lcp_set* f, int r, const double* S, const double* q,
                               const bool* guess, const double* noise)
{
  assert(r >= 0 && r <= f->r_max);
  f->r = r;
  begin(f, S, q, guess);
  for (int turn = 0; turn < 50 * (r + 2); turn++) {
    evaluate(f, S, q);
    int s = most_violated(f);
    if (s < 0) return CONE_LCP_DONE;
    entering e = enter(f, S, q, noise, s);
    if (e == EMPTY) return CONE_LCP_EMPTY;
    if (e == ENTERED) memset(f->excused, 0, (size_t)r * sizeof *f->excused);
    f->excused[s] = e == EXCUSED;
    settle(f, S, q);
  }
  return CONE_LCP_LOST;
}
