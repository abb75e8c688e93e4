// Which constraints hold: the linear complementarity problem of least constraint, scaled, solved,
// judged. Sinitsyn (1990); alpha = A lambda + q >= 0, lambda >= 0, lambda.alpha = 0.
#include "cone/lcp.h"
#include "cone/small.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

cone_lcp* cone_lcp_new(int r_max)
{
  assert(r_max >= 0);
  size_t r = (size_t)r_max, wide = r + 1;
  cone_lcp* f = base_alloc(sizeof *f);
  memset(f, 0, sizeof *f);
  f->r_max = r_max;
  f->set = cone_lcp_set_new(r_max);
  f->inner = cone_lcp_set_new(r_max + 1);
  f->null = num_null_new(r_max, r_max);
  size_t doubles = r * r + 2 * wide * wide + r * (2 * r + 2) + 8 * r + wide;
  double* m = base_alloc(doubles * sizeof *m);
  f->S = m, m += r * r;
  f->P = m, m += wide * wide;
  f->Z = m, m += wide * wide;
  f->tableau = m, m += r * (2 * r + 2);
  f->d = m, m += r;
  f->q = m, m += r;
  f->noise = m, m += r;
  f->x = m, m += r;
  f->a = m, m += r;
  f->lambda = m, m += r;
  f->alpha = m, m += r;
  f->y = m, m += r;
  f->p = m;
  f->B = base_alloc(r * sizeof *f->B);
  f->basis = base_alloc(2 * r * sizeof *f->basis);
  f->pivot = f->basis + r;
  f->mode = base_alloc(r * sizeof *f->mode);
  return f;
}

void cone_lcp_free(cone_lcp* f)
{
  if (!f) return;
  cone_lcp_set_free(f->set);
  cone_lcp_set_free(f->inner);
  num_null_free(f->null);
  free(f->S);
  free(f->B);
  free(f->basis);
  free(f->mode);
  free(f);
}

// S = D^-1 A D^-1, q / d with d_s = sqrt(A_ss); what is wrong with A, or null
static const char* scale(cone_lcp* f, int r, const double* A, const double* q, const double* noise)
{
  for (int s = 0; s < r; s++) {
    double d = A[(size_t)s * r + s];
    if (!isfinite(d) || !isfinite(q[s])) return "a number of the problem is not finite";
    if (d < 0) return "the matrix has a negative diagonal entry";
    f->d[s] = sqrt(d);
  }
  for (int s = 0; s < r; s++) {
    double ds = f->d[s] > 0 ? f->d[s] : 1;
    f->q[s] = q[s] / ds;
    f->noise[s] = noise ? noise[s] / ds : 0;
    for (int j = 0; j < r; j++) {
      double a = (A[(size_t)s * r + j] + A[(size_t)j * r + s]) / 2;
      if (!isfinite(a)) return "a number of the problem is not finite";
      if (a != 0 && (f->d[s] == 0 || f->d[j] == 0))
        return "the matrix is not positive semidefinite";
      a = a == 0 ? 0 : a / f->d[s] / f->d[j];
      if (fabs(a) > 1 + cone_indefinite) return "the matrix is not positive semidefinite";
      f->S[(size_t)s * r + j] = a;
    }
  }
  return NULL;
}

// a = S x + q in long arithmetic; the largest scaled number
static double evaluate(cone_lcp* f, int r)
{
  double most = 0;
  for (int s = 0; s < r; s++) {
    long double a = f->q[s];
    for (int j = 0; j < r; j++)
      if (f->x[j] != 0) a += (long double)f->S[(size_t)s * r + j] * f->x[j];
    f->a[s] = (double)a;
    most = fmax(most, fmax(fabs(f->q[s]), f->x[s]));
  }
  return most;
}

static double worst(const cone_lcp* f, int r, double most)
{
  double w = 0;
  for (int s = 0; s < r; s++) {
    double a = f->a[s];
    w = fmax(w, f->x[s] > 0 ? fmin(fabs(a), fmax(f->x[s], -a)) : -a);
  }
  return most > 0 ? fmax(0, w) / most : 0;
}

// modes, and the answer in the caller's units
static void judge(cone_lcp* f, int r, double most, cone_lcp_result* out)
{
  for (int s = 0; s < r; s++) {
    double size = cone_lcp_zero * most + f->noise[s], d = f->d[s] > 0 ? f->d[s] : 1;
    bool pressed = f->x[s] > size, loose = f->a[s] > size && f->x[s] == 0;
    f->mode[s] = loose ? CONE_LCP_LOOSE : pressed ? CONE_LCP_ACTIVE : CONE_LCP_DEGENERATE;
    out->active += f->mode[s] == CONE_LCP_ACTIVE;
    out->degenerate += f->mode[s] == CONE_LCP_DEGENERATE;
    f->lambda[s] = f->x[s] / d;
    f->alpha[s] = f->x[s] > 0 ? 0 : fmax(0, f->a[s]) * d;
  }
}

// the certificate in the caller's units, and how well A y = 0 holds
static void disprove(cone_lcp* f, int r, cone_lcp_result* out)
{
  double largest = 0, rest = 0;
  for (int s = 0; s < r; s++) {
    double t = 0;
    for (int j = 0; j < r; j++) t += f->S[(size_t)s * r + j] * f->set->y[j];
    rest = fmax(rest, fabs(t));
    largest = fmax(largest, f->set->y[s]);
    f->y[s] = f->set->y[s] / (f->d[s] > 0 ? f->d[s] : 1);
  }
  out->residual = rest / largest;
  bool proved = out->residual <= cone_lcp_proved;
  out->status = proved ? CONE_LCP_INFEASIBLE : CONE_LCP_FAILED;
  out->reason = proved ? "no solution: some of the constraints contradict each other"
                       : "the matrix is not positive semidefinite";
}

cone_lcp_result cone_lcp_solve(cone_lcp* f, int r, const double* A, const double* q,
                               const bool* guess, const double* noise)
{
  assert(r >= 0 && r <= f->r_max);
  cone_lcp_result out = {
      .reason = "solved", .lambda = f->lambda, .alpha = f->alpha, .mode = f->mode, .y = f->y};
  const char* fault = scale(f, r, A, q, noise);
  if (fault) {
    out.status = CONE_LCP_FAILED;
    out.reason = fault;
    return out;
  }
  cone_lcp_outcome outcome = cone_lcp_dual(f->set, r, f->S, f->q, guess, f->noise);
  out.pivots = f->set->pivots;
  if (outcome == CONE_LCP_EMPTY) {
    disprove(f, r, &out);
    return out;
  }
  memcpy(f->x, f->set->x, (size_t)r * sizeof *f->x);
  if (outcome == CONE_LCP_LOST && cone_lcp_lemke(f, r, f->S, f->q, f->x) != CONE_LCP_SOLVED) {
    out.status = CONE_LCP_FAILED;
    out.reason = "pivoting came to no end";
    return out;
  }
  double most = evaluate(f, r);
  out.unique = cone_lcp_shortest(f, r, most);
  most = evaluate(f, r);
  out.residual = worst(f, r, most);
  judge(f, r, most, &out);
  double allowed = cone_lcp_allowed;
  for (int s = 0; s < r; s++) allowed = most > 0 ? fmax(allowed, f->noise[s] / most) : allowed;
  if (!(out.residual <= allowed)) {
    out.status = CONE_LCP_FAILED;
    out.reason = "the matrix is too near to losing rank, or not positive semidefinite";
  }
  return out;
}
