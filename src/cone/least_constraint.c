// Least constraint with inequalities, Sinitsyn (1990), as a quadratic programme:
//   min 1/2 w^T M w - F^T w,  N_B w + d_B = 0,  alpha = N_U w + d_U >= 0.
// The bilateral rows are eliminated (least_reduce.c); the multipliers of the others solve the
// complementarity problem with A = N_U P_B N_U^T, q = N_U w_b + d_U.
#include "cone/least_constraint.h"
#include "cone/small.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

cone_least* cone_least_new(int n_max, int b_max, int u_max)
{
  assert(n_max >= 0 && b_max >= 0 && u_max >= 0);
  size_t n = (size_t)n_max, b = (size_t)b_max, u = (size_t)u_max;
  cone_least* f = base_alloc(sizeof *f);
  memset(f, 0, sizeof *f);
  f->n_max = n_max;
  f->b_max = b_max;
  f->u_max = u_max;
  f->null_B = num_null_new(b_max, n_max);
  f->null_G = num_null_new(u_max, n_max);
  f->lcp = cone_lcp_new(u_max);
  double* m =
      base_alloc((3 * n * n + b * n + 2 * u * n + u * u + 7 * n + 7 * u + 3 * b + 1) * sizeof *m);
  f->M = m, m += n * n;
  f->Z = m, m += n * n;
  f->L = m, m += n * n;
  f->N = m, m += b * n;
  f->G = m, m += u * n;
  f->active = m, m += u * n;
  f->A = m, m += u * u;
  f->C = m, m += n;
  f->x = m, m += n;
  f->z = m, m += n;
  f->g = m, m += n;
  f->scratch = m, m += n;
  f->w = m, m += n;
  f->direction = m, m += n;
  f->q = m, m += u;
  f->noise = m, m += u;
  f->lambda = m, m += u;
  f->alpha = m, m += u;
  f->y_U = m, m += u;
  f->lift = m, m += 2 * u;
  f->lambda_B = m, m += b;
  f->y_B = m, m += b;
  f->rest = m;
  f->pressed = base_alloc(u * sizeof *f->pressed);
  return f;
}

void cone_least_free(cone_least* f)
{
  if (!f) return;
  num_null_free(f->null_B);
  num_null_free(f->null_G);
  cone_lcp_free(f->lcp);
  free(f->M);
  free(f->pressed);
  free(f);
}

// N w + d in long arithmetic, and the size of its terms
static double row_value(int n, const double* N, const double* w, double d, double* size)
{
  long double s = d;
  *size = fabs(d);
  for (int j = 0; j < n; j++) {
    s += (long double)N[j] * w[j];
    *size += fabs(N[j] * w[j]);
  }
  return (double)s;
}

// A = G G^T, q and what q may be off by; false where a number is not finite
static bool collect(cone_least* f, const cone_least_problem* p)
{
  int n = f->n, m = f->m;
  memset(f->z, 0, (size_t)m * sizeof *f->z);
  cone_least_motion(f, f->z, f->w);
  for (int s = 0; s < f->u; s++) {
    const double* N = p->N_U + (size_t)s * n;
    double size, norm = 0;
    cone_least_row(f, N, f->G + (size_t)s * m);
    f->q[s] = row_value(n, N, f->w, p->d_U[s], &size);
    for (int j = 0; j < n; j++) norm += N[j] * f->C[j] * N[j] * f->C[j];
    f->noise[s] =
        cone_least_noise * (size + sqrt(norm) * f->size) + (p->noise_U ? p->noise_U[s] : 0);
    if (!isfinite(f->q[s]) || !isfinite(norm)) return false;
  }
  for (int s = 0; s < f->u; s++)
    for (int t = 0; t <= s; t++) {
      double a = 0;
      for (int k = 0; k < m; k++) a += f->G[(size_t)s * m + k] * f->G[(size_t)t * m + k];
      f->A[(size_t)s * f->u + t] = f->A[(size_t)t * f->u + s] = a;
    }
  return true;
}

// z = G^T lambda, w
static void move(cone_least* f)
{
  memset(f->z, 0, (size_t)f->m * sizeof *f->z);
  for (int s = 0; s < f->u; s++)
    for (int k = 0; k < f->m; k++) f->z[k] += f->G[(size_t)s * f->m + k] * f->lambda[s];
  cone_least_motion(f, f->z, f->w);
}

// A has the square of the condition of G. One step with G itself: dz of least length that closes
// the pressing rows, and the multipliers that give it.
static void sharpen(cone_least* f, const cone_least_problem* p)
{
  int m = f->m, k = 0;
  double size;
  for (int s = 0; s < f->u; s++) {
    if (!(f->lambda[s] > 0)) continue;
    f->pressed[k] = s;
    f->lift[k] = -row_value(f->n, p->N_U + (size_t)s * f->n, f->w, p->d_U[s], &size);
    memcpy(f->active + (size_t)k * m, f->G + (size_t)s * m, (size_t)m * sizeof *f->active);
    k++;
  }
  if (k == 0) return;
  num_null_factor(f->null_G, k, m, f->active, 0);
  double* change = f->lift + f->u_max;
  num_null_solve(f->null_G, f->active, f->lift, f->g);
  num_null_solve_t(f->null_G, f->active, f->g, change);
  for (int i = 0; i < k; i++)
    if (!(f->lambda[f->pressed[i]] + change[i] > 0)) return;
  for (int i = 0; i < k; i++) f->lambda[f->pressed[i]] += change[i];
  move(f);
}

// force = M w - F - N_U^T lambda_U, which the bilateral rows have to give. Where masses are free of
// forces and what moves has none, all of its terms are rounding: they are measured by what the
// masses would need for a motion of the size met on the way, too.
static double balance(cone_least* f, const cone_least_problem* p, double motion)
{
  int n = f->n;
  double size = 0;
  for (int i = 0; i < n; i++) {
    long double s = -p->F[i];
    double most = fabs(p->F[i]);
    for (int j = 0; j < n; j++) {
      s += (long double)p->M[(size_t)i * n + j] * f->w[j];
      most = fmax(most, fabs(p->M[(size_t)i * n + j]) * fmax(fabs(f->w[j]), f->C[j] * motion));
    }
    for (int u = 0; u < f->u; u++) {
      s -= (long double)p->N_U[(size_t)u * n + i] * f->lambda[u];
      most = fmax(most, fabs(p->N_U[(size_t)u * n + i] * f->lambda[u]));
    }
    f->g[i] = (double)s;
    size = fmax(size, f->C[i] * most);
  }
  double rest = cone_least_bilateral(f, f->g, f->lambda_B);
  return size > 0 ? rest / size : 0;
}

// a row is off by `fault`: over the size it has for motions of the size met on the way
static double relative(const cone_least* f, const double* N, double d, double motion, double fault)
{
  double norm = 0;
  for (int j = 0; j < f->n; j++) norm += N[j] * f->C[j] * N[j] * f->C[j];
  double size = fabs(d) + sqrt(norm) * motion;
  return fault > 0 && size > 0 ? fault / size : 0;
}

// alpha from the motion itself; the worst fault of all conditions
static double check(cone_least* f, const cone_least_problem* p)
{
  double motion = 0, size;
  for (int k = 0; k < f->m; k++) motion += f->z[k] * f->z[k];
  motion = sqrt(motion) + f->size;
  double worst = balance(f, p, motion);
  for (int i = 0; i < f->b; i++) {
    const double* N = p->N_B + (size_t)i * f->n;
    double r = row_value(f->n, N, f->w, p->d_B[i], &size);
    double noise = p->noise_B ? p->noise_B[i] : 0;
    if (fabs(r) > noise) worst = fmax(worst, relative(f, N, p->d_B[i], motion, fabs(r)));
  }
  for (int s = 0; s < f->u; s++) {
    const double* N = p->N_U + (size_t)s * f->n;
    double a = row_value(f->n, N, f->w, p->d_U[s], &size);
    double fault = f->lambda[s] > 0 ? fabs(a) : -a;
    if (!p->noise_U || fault > p->noise_U[s])
      worst = fmax(worst, relative(f, N, p->d_U[s], motion, fault));
    f->alpha[s] = f->lambda[s] > 0 || a < 0 ? 0 : a;
  }
  return worst;
}

// y_B with N_U^T y_U + N_B^T y_B = 0
static void disprove(cone_least* f, const cone_least_problem* p)
{
  for (int j = 0; j < f->n; j++) {
    double s = 0;
    for (int u = 0; u < f->u; u++) s -= p->N_U[(size_t)u * f->n + j] * f->y_U[u];
    f->g[j] = s;
  }
  cone_least_bilateral(f, f->g, f->y_B);
}

static void solve(cone_least* f, const cone_least_problem* p, cone_least_result* out)
{
  cone_lcp_result r = cone_lcp_solve(f->lcp, f->u, f->A, f->q, p->guess, f->noise);
  out->pivots = r.pivots;
  if (r.status == CONE_LCP_FAILED) {
    out->status = CONE_LEAST_FAILED;
    out->reason = r.reason;
    return;
  }
  if (r.status == CONE_LCP_INFEASIBLE) {
    out->status = CONE_LEAST_INFEASIBLE;
    out->reason = "no motion obeys all constraints: they contradict each other";
    memcpy(f->y_U, r.y, (size_t)f->u * sizeof *f->y_U);
    disprove(f, p);
    return;
  }
  out->mode = r.mode;
  out->unique = r.unique;
  out->active = r.active;
  out->degenerate = r.degenerate;
  memcpy(f->lambda, r.lambda, (size_t)f->u * sizeof *f->lambda);
  move(f);
  sharpen(f, p);
  out->residual = check(f, p);
  if (!(out->residual <= cone_least_residual)) {
    out->status = CONE_LEAST_FAILED;
    out->reason = "the constraints are too near to losing rank";
  }
}

cone_least_result cone_least_solve(cone_least* f, const cone_least_problem* p)
{
  assert(p->n >= 0 && p->n <= f->n_max && p->b >= 0 && p->b <= f->b_max);
  assert(p->u >= 0 && p->u <= f->u_max);
  cone_least_result out = {.reason = "solved",
                           .w = f->w,
                           .lambda_B = f->lambda_B,
                           .lambda_U = f->lambda,
                           .alpha_U = f->alpha,
                           .y_B = f->y_B,
                           .y_U = f->y_U,
                           .direction = f->direction};
  f->u = p->u;
  if (!cone_least_reduce(f, p, &out)) return out;
  if (!collect(f, p)) {
    out.status = CONE_LEAST_FAILED;
    out.reason = "a number of the problem is not finite";
    return out;
  }
  solve(f, p, &out);
  return out;
}
