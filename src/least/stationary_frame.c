// Frame for the search of stationary points: lengths measured by H, affine constraints solved,
// a natural unit of length and natural sizes of the constraints found from the numbers themselves.
#include "least/stationary.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

// affine constraints farther apart than this, relative to their terms, contradict each other
static const double contradiction = 1e-9;

static double length(int n, const double* x)
{
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return sqrt(s);
}

static bool all_finite(int n, const double* x)
{
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

// C, free motion, full = C^-T
static bool measure_lengths(least_stationary_frame* q, const least_stationary_problem* p)
{
  int l = p->l;
  if (!all_finite(l * l, p->H) || !all_finite(l, p->r)) return false;
  memcpy(q->C, p->H, (size_t)(l * l) * sizeof *q->C);
  if (!num_cholesky(l, q->C, 0)) return false;
  memcpy(q->free, p->r, (size_t)l * sizeof *q->free);
  num_cholesky_solve(l, q->C, q->free);
  for (int k = 0; k < l; k++) {
    double t[STATIONARY_L] = {0};
    t[k] = 1;
    // C^T t = e_k
    for (int i = k; i >= 0; i--) {
      for (int j = i + 1; j <= k; j++) t[i] -= q->C[j * l + i] * t[j];
      t[i] /= q->C[i * l + i];
    }
    for (int i = 0; i < l; i++) q->full[i * l + k] = t[i];
  }
  return all_finite(l, q->free);
}

static double metric_length(const least_stationary_frame* q, const double* w)
{
  double s = 0;
  for (int k = 0; k < q->l; k++) {
    double t = 0;
    for (int i = k; i < q->l; i++) t += q->C[i * q->l + k] * w[i];
    s += t * t;
  }
  return sqrt(s);
}

// what the affine constraints leave: origin nearest to the free motion and an orthonormal T
static void solve_affine(least_stationary* f, const double* phi, const double* grad,
                         const int* rows, int a)
{
  least_stationary_frame* q = &f->frame;
  int l = q->l;
  double A[STATIONARY_L * STATIONARY_L], b[STATIONARY_L], u[STATIONARY_L];
  double Z[STATIONARY_L * STATIONARY_L];
  for (int j = 0; j < a; j++) {
    b[j] = -phi[rows[j]];
    if (q->degree[rows[j]] == 0 && b[j] != 0) q->contradictory = true;
    for (int k = 0; k < l; k++) {
      A[j * l + k] = 0;
      for (int i = 0; i < l; i++) A[j * l + k] += grad[rows[j] * l + i] * q->full[i * l + k];
    }
  }
  int rank = num_null_factor(f->gradients, a, l, A, 0);
  double left = num_null_solve(f->gradients, A, b, u);
  double size = fmax(length(l, u), metric_length(q, q->free));
  q->apart = size > 0 ? left / size : 1;
  if (left > contradiction * size) q->contradictory = true;
  num_null_basis(f->gradients, Z);
  q->n = l - rank;
  q->generic_rank = rank;
  for (int i = 0; i < l; i++) {
    for (int k = 0; k < l; k++) q->origin[i] += q->full[i * l + k] * u[k];
    for (int c = 0; c < q->n; c++) {
      double t = 0;
      for (int k = 0; k < l; k++) t += q->full[i * l + k] * Z[k * q->n + c];
      q->T[i * q->n + c] = t;
    }
  }
}

static void split(least_stationary* f)
{
  least_stationary_frame* q = &f->frame;
  const least_stationary_problem* p = q->p;
  int rows[STATIONARY_L], a = 0, l = q->l;
  for (int j = 0; j < p->s; j++) {
    q->degree[j] = p->polynomial ? least_stationary_degree(p->polynomial + j, l) : 0;
    if (p->polynomial && q->degree[j] <= 1)
      rows[a++] = j;
    else
      q->index[q->m++] = j;
  }
  memcpy(q->origin, q->free, sizeof q->origin);
  if (a == 0) {
    q->n = l;
    memcpy(q->T, q->full, sizeof q->T);
    return;
  }
  double phi[STATIONARY_L], grad[STATIONARY_L * STATIONARY_L];
  if (least_stationary_eval(p, q->free, phi, grad, NULL))
    solve_affine(f, phi, grad, rows, a);
  else
    q->contradictory = true;
}

// Lengths t at which another power of P_0 + P_1 t + ... becomes the largest: the first one, where
// the lowest power is met, tells how far away the set is. How small the set is, to *shortest: the
// same, unless it is the linear term that takes over; then the set is flat there, and bends at the
// next one. The last one to *longest.
static double balance(int d, const double* P, double* shortest, double* longest)
{
  double first = 0;
  int from = 0, to;
  while (from < d && P[from] == 0) from++;
  for (bool flat = false; from < d; from = to) {
    double t = INFINITY;
    to = d;
    for (int k = from + 1; k <= d; k++) {
      if (!(P[k] > 0)) continue;
      const double meet = pow(P[from] / P[k], 1.0 / (k - from));
      if (meet <= t) to = k;
      t = fmin(t, meet);
    }
    if (!isfinite(t)) break;
    *longest = fmax(*longest, t);
    if (first == 0 || flat) *shortest = fmin(*shortest, to > 1 && t > 0 ? t : INFINITY);
    flat = to == 1;
    if (first == 0) first = t;
  }
  return first;
}

// the same from |phi|, |grad|, |hess| at the free motion, or from the monomials
static double natural_length(least_stationary_frame* q, int j, const double* phi,
                             const double* grad, const double* hess)
{
  const least_stationary_problem* p = q->p;
  int l = q->l;
  double P[17] = {0};
  if (p->polynomial) {
    const least_polynomial* y = p->polynomial + j;
    for (int t = 0; t < y->terms; t++) {
      double a = fabs(y->term[t].c);
      int d = 0;
      for (int i = 0; i < l; i++) {
        a *= pow(length(l, q->full + i * l), y->term[t].power[i]);
        d += y->term[t].power[i];
      }
      P[d < 16 ? d : 16] += a;
    }
    return balance(16, P, &q->shortest, &q->longest);
  }
  P[0] = fabs(phi[j]);
  for (int i = 0; i < l; i++) {
    double size = length(l, q->full + i * l);
    P[1] += fabs(grad[j * l + i]) * size;
    for (int k = 0; k < l; k++)
      P[2] += fabs(hess[(j * l + i) * l + k]) * size * length(l, q->full + k * l) / 2;
  }
  return balance(2, P, &q->shortest, &q->longest);
}

static void choose_unit(least_stationary_frame* q)
{
  const least_stationary_problem* p = q->p;
  double phi[STATIONARY_L], grad[STATIONARY_L * STATIONARY_L];
  double hess[STATIONARY_L * STATIONARY_L * STATIONARY_L], moved[STATIONARY_L] = {0};
  bool known = p->polynomial || least_stationary_eval(p, q->origin, phi, grad, hess);
  for (int i = 0; i < q->l; i++) moved[i] = q->origin[i] - q->free[i];
  double unit = fmax(metric_length(q, q->free), metric_length(q, moved));
  q->shortest = INFINITY;
  for (int j = 0; known && j < q->m; j++)
    unit = fmax(unit, natural_length(q, q->index[j], phi, grad, hess));
  q->unit = unit > 0 && isfinite(unit) ? unit : 1;
  for (int i = 0; i < q->l * q->l; i++) q->full[i] *= q->unit;
  for (int i = 0; i < q->l * q->n; i++) q->T[i] *= q->unit;
}

// sizes of phi_j near the origin at the distance of a unit
static void size_by_samples(least_stationary_frame* q)
{
  const least_stationary_problem* p = q->p;
  double phi[STATIONARY_L], grad[STATIONARY_L * STATIONARY_L], w[STATIONARY_L];
  int l = q->l;
  for (int k = 0; k < 2 * l + 1; k++) {
    for (int i = 0; i < l; i++)
      w[i] = q->origin[i] + (k < 2 * l ? (k % 2 ? 1 : -1) * q->full[i * l + k / 2] : 0);
    if (!least_stationary_eval(p, w, phi, grad, NULL)) continue;
    for (int j = 0; j < p->s; j++) {
      double g = 0;
      for (int c = 0; c < l; c++) {
        double t = 0;
        for (int i = 0; i < l; i++) t += grad[j * l + i] * q->full[i * l + c];
        g += t * t;
      }
      q->size[j] = fmax(q->size[j], fmax(fabs(phi[j]), sqrt(g)));
    }
  }
}

static void choose_sizes(least_stationary_frame* q)
{
  const least_stationary_problem* p = q->p;
  double box[STATIONARY_L];
  for (int i = 0; i < q->l; i++) box[i] = fabs(q->origin[i]) + length(q->l, q->full + i * q->l);
  for (int j = 0; j < p->s; j++)
    q->size[j] = p->polynomial ? least_stationary_terms(p->polynomial + j, q->l, box) : 0;
  if (!p->polynomial) size_by_samples(q);
  for (int j = 0; j < p->s; j++)
    if (!(q->size[j] > 0 && isfinite(q->size[j]))) q->size[j] = 1;
}

static bool begin(least_stationary* f, const least_stationary_problem* p)
{
  assert(p->l >= 1 && p->l <= f->l_max && p->s >= 0 && p->s <= f->s_max && p->s <= p->l);
  assert(p->s == 0 || p->eval || p->polynomial);
  least_stationary_frame* q = &f->frame;
  memset(q, 0, sizeof *q);
  q->p = p;
  q->l = p->l;
  q->generic_rank = p->s;
  return measure_lengths(q, p);
}

bool least_stationary_frame_make(least_stationary* f, const least_stationary_problem* p)
{
  if (!begin(f, p)) return false;
  split(f);
  choose_unit(&f->frame);
  choose_sizes(&f->frame);
  return true;
}

bool least_stationary_frame_near(least_stationary* f, const least_stationary_problem* p,
                                 const double* w)
{
  least_stationary_frame* q = &f->frame;
  double phi[STATIONARY_L], grad[STATIONARY_L * STATIONARY_L];
  double hess[STATIONARY_L * STATIONARY_L * STATIONARY_L];
  if (!begin(f, p) || !least_stationary_eval(p, w, phi, grad, hess)) return false;
  int l = q->l;
  double unit = fmax(metric_length(q, q->free), metric_length(q, w));
  q->n = l;
  q->m = p->s;
  q->shortest = INFINITY;
  q->unit = unit > 0 && isfinite(unit) ? unit : 1;
  memcpy(q->origin, q->free, sizeof q->origin);
  for (int i = 0; i < l * l; i++) q->T[i] = q->full[i] *= q->unit;
  for (int j = 0; j < p->s; j++) {
    q->index[j] = j;
    double size = fabs(phi[j]);
    for (int i = 0; i < l; i++) {
      double box = length(l, q->full + i * l);
      size = fmax(size, fabs(grad[j * l + i]) * box);
      for (int k = 0; k < l; k++)
        size = fmax(size, fabs(hess[(j * l + i) * l + k]) * box * length(l, q->full + k * l));
    }
    q->size[j] = size > 0 && isfinite(size) ? size : 1;
  }
  return true;
}

bool least_stationary_frame_eval(const least_stationary_frame* q, const double* w, double* phi,
                                 double* grad, double* hess)
{
  double f[STATIONARY_L], g[STATIONARY_L * STATIONARY_L];
  double h[STATIONARY_L * STATIONARY_L * STATIONARY_L], hT[STATIONARY_L * STATIONARY_L];
  int l = q->l, n = q->n;
  if (!least_stationary_eval(q->p, w, f, grad ? g : NULL, hess ? h : NULL)) return false;
  for (int j = 0; j < q->m; j++) {
    int row = q->index[j];
    double scale = 1 / q->size[row];
    if (phi) phi[j] = f[row] * scale;
    for (int k = 0; grad && k < n; k++) {
      double t = 0;
      for (int i = 0; i < l; i++) t += g[row * l + i] * q->T[i * n + k];
      grad[j * n + k] = t * scale;
    }
    if (!hess) continue;
    for (int i = 0; i < l; i++)
      for (int k = 0; k < n; k++) {
        double t = 0;
        for (int c = 0; c < l; c++) t += h[(row * l + i) * l + c] * q->T[c * n + k];
        hT[i * n + k] = t * scale;
      }
    for (int a = 0; a < n; a++)
      for (int b = 0; b < n; b++) {
        double t = 0;
        for (int i = 0; i < l; i++) t += q->T[i * n + a] * hT[i * n + b];
        hess[(j * n + a) * n + b] = t;
      }
  }
  return true;
}

void least_stationary_frame_place(const least_stationary_frame* q, const double* x, double* w)
{
  for (int i = 0; i < q->l; i++) {
    w[i] = q->origin[i];
    for (int k = 0; k < q->n; k++) w[i] += q->T[i * q->n + k] * x[k];
  }
}

// x = T^T (H w - r) / unit^2, exact too where w is small beside the free motion
void least_stationary_frame_coordinates(const least_stationary_frame* q, const double* w, double* x)
{
  int l = q->l;
  for (int k = 0; k < q->n; k++) x[k] = 0;
  for (int i = 0; i < l; i++) {
    double g = -q->p->r[i];
    for (int c = 0; c < l; c++) g += q->p->H[i * l + c] * w[c];
    for (int k = 0; k < q->n; k++) x[k] += q->T[i * q->n + k] * g / (q->unit * q->unit);
  }
}

// sqrt(d^T H d) = |C^T d|
double least_stationary_frame_length(const least_stationary_frame* q, const double* d)
{
  double s = 0;
  for (int k = 0; k < q->l; k++) {
    double t = 0;
    for (int i = k; i < q->l; i++) t += q->C[i * q->l + k] * d[i];
    s += t * t;
  }
  return sqrt(s);
}
