// What kind of point a stationary point is: multipliers, rank of the gradients, second-order test.
//
// In lengths measured by H the Lagrangian's Hessian is 1 - sum lambda_j hess phi_j; its smallest
// eigenvalue on the common null space of the gradients decides (Nocedal and Wright, Numerical
// Optimization (2006), theorems 12.5 and 12.6).
#include "least/stationary.h"

#include <math.h>
#include <string.h>

// |curvature| below this: undecided
static const double undecided = 1e-9;
// a gradient shorter than this, relative to the size of its constraint near by, counts as zero
static const double vanishing = 1e-12;

static double norm(int n, const double* x)
{
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return sqrt(s);
}

// C^T d / unit
static void measured(const least_stationary_frame* q, const double* d, double* u)
{
  for (int k = 0; k < q->l; k++) {
    u[k] = 0;
    for (int i = k; i < q->l; i++) u[k] += q->C[i * q->l + k] * d[i] / q->unit;
  }
}

// size of phi_j within the natural length of the constraints around w, over size_j
static double local_size(const least_stationary_frame* q, int j, const double* w)
{
  if (!q->p->polynomial) return 1;
  double box[STATIONARY_L], rate = fmin(1, q->shortest / q->unit);
  for (int i = 0; i < q->l; i++) box[i] = fabs(w[i]) + rate * norm(q->l, q->full + i * q->l);
  return least_stationary_terms(q->p->polynomial + j, q->l, box) / q->size[j];
}

// rows of G in the metric, scaled; rows that vanish are made exactly zero
static void measured_gradients(const least_stationary_frame* q, const double* w, const double* grad,
                               double* G)
{
  double rate = q->p->polynomial ? fmin(1, q->shortest / q->unit) : 1;
  int l = q->l;
  for (int j = 0; j < q->p->s; j++) {
    for (int k = 0; k < l; k++) {
      double t = 0;
      for (int i = 0; i < l; i++) t += grad[j * l + i] * q->full[i * l + k];
      G[j * l + k] = t / q->size[j];
    }
    if (rate * norm(l, G + j * l) <= vanishing * local_size(q, j, w))
      memset(G + j * l, 0, (size_t)l * sizeof *G);
  }
}

// A = Z^T (1 - sum lambda_j h_j) Z in the metric
static void reduced_hessian(const least_stationary_frame* q, const double* hess,
                            const double* lambda, int k, const double* Z, double* A)
{
  int l = q->l;
  double S[STATIONARY_L * STATIONARY_L], Y[STATIONARY_L * STATIONARY_L];
  for (int i = 0; i < l * l; i++) {
    S[i] = 0;
    for (int j = 0; j < q->p->s; j++) S[i] += lambda[j] / q->size[j] * hess[j * l * l + i];
  }
  for (int i = 0; i < l; i++)
    for (int a = 0; a < k; a++) {
      Y[i * k + a] = 0;
      for (int c = 0; c < l; c++) Y[i * k + a] += q->full[i * l + c] * Z[c * k + a];
    }
  for (int a = 0; a < k; a++)
    for (int b = 0; b < k; b++) {
      double t = a == b;
      for (int i = 0; i < l; i++)
        for (int c = 0; c < l; c++) t -= Y[i * k + a] * S[i * l + c] * Y[c * k + b];
      A[a * k + b] = t;
    }
}

static void second_order(const least_stationary_frame* q, const double* hess, const double* lambda,
                         int k, const double* Z, least_stationary_point* out,
                         least_stationary_flat* flat)
{
  int l = q->l;
  double A[STATIONARY_L * STATIONARY_L], V[STATIONARY_L * STATIONARY_L], e[STATIONARY_L];
  out->curvature = 1;
  flat->least = INFINITY;
  if (k == 0) return;
  reduced_hessian(q, hess, lambda, k, Z, A);
  least_stationary_eigen(k, A, V, e);
  out->curvature = e[0];
  for (int a = 0; a < k; a++) out->index += e[a] < -undecided;
  int flattest = 0;
  for (int a = 1; a < k; a++)
    if (fabs(e[a]) < fabs(e[flattest])) flattest = a;
  flat->least = fabs(e[flattest]);
  for (int i = 0; i < l; i++) {
    flat->along[i] = 0;
    for (int c = 0; c < l; c++)
      for (int a = 0; a < k; a++)
        flat->along[i] += q->full[i * l + c] * Z[c * k + a] * V[a * k + flattest] / q->unit;
  }
}

static double constraint_residual(const least_stationary_frame* q, const double* w,
                                  const double* phi)
{
  const least_stationary_problem* p = q->p;
  double worst = 0;
  for (int j = 0; j < p->s; j++) {
    double size = p->polynomial ? least_stationary_terms(p->polynomial + j, q->l, w) : q->size[j];
    // at an apex all terms may vanish together: there the natural size is the only measure
    size = fmax(size, 1e-6 * q->size[j] * local_size(q, j, w));
    worst = fmax(worst, fabs(phi[j]) / size);
  }
  return worst;
}

// length of the shortest step to phi = 0 by the independent gradients: tells a point of the set
// from one where phi is merely flat
static double distance(least_stationary* f, const double* G, const double* phi)
{
  const least_stationary_frame* q = &f->frame;
  double b[STATIONARY_L], d[STATIONARY_L];
  for (int j = 0; j < q->p->s; j++) {
    bool gone = norm(q->l, G + j * q->l) == 0;
    b[j] = gone ? 0 : phi[j] / q->size[j];
  }
  num_null_solve(f->gradients, G, b, d);
  return norm(q->l, d);
}

bool least_stationary_judge(least_stationary* f, const double* w, least_stationary_point* out,
                            least_stationary_flat* flat)
{
  least_stationary_frame* q = &f->frame;
  int l = q->l, s = q->p->s;
  double phi[STATIONARY_L], grad[STATIONARY_L * STATIONARY_L], G[STATIONARY_L * STATIONARY_L];
  double hess[STATIONARY_L * STATIONARY_L * STATIONARY_L], Z[STATIONARY_L * STATIONARY_L];
  double d[STATIONARY_L] = {0}, u[STATIONARY_L], at[STATIONARY_L], home[STATIONARY_L];
  double lambda[STATIONARY_L] = {0};
  memset(out, 0, sizeof *out);
  if (!least_stationary_eval(q->p, w, phi, grad, hess)) return false;
  memcpy(out->w, w, (size_t)l * sizeof *w);
  for (int i = 0; i < l; i++) d[i] = w[i] - q->free[i];
  measured(q, d, u);
  measured(q, w, at);
  measured(q, q->free, home);
  out->U = 0.5 * q->unit * q->unit * norm(l, u) * norm(l, u);
  measured_gradients(q, w, grad, G);
  out->rank = num_null_factor(f->gradients, s, l, G, 1e-9);
  double left = num_null_solve_t(f->gradients, G, u, lambda);
  double size = norm(l, u) + 1e-3 * (norm(l, at) + norm(l, home));
  double off = constraint_residual(q, w, phi);
  if (size > 0) off = fmax(off, distance(f, G, phi) / fmax(norm(l, at), 1e-6 * size));
  for (int j = 0; j < s; j++) out->lambda[j] = lambda[j] * q->unit * q->unit / q->size[j];
  num_null_basis(f->gradients, Z);
  second_order(q, hess, lambda, l - out->rank, Z, out, flat);
  out->kind = out->rank < q->generic_rank   ? LEAST_STATIONARY_SINGULAR
              : out->curvature > undecided  ? LEAST_STATIONARY_MINIMUM
              : out->curvature < -undecided ? LEAST_STATIONARY_SADDLE
                                            : LEAST_STATIONARY_DEGENERATE;
  // at a singular point no multipliers need exist
  bool free_of_multipliers = out->kind == LEAST_STATIONARY_SINGULAR || size == 0;
  out->residual = free_of_multipliers ? off : fmax(off, left / size);
  return true;
}
