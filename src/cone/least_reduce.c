// The bilateral half of least constraint: motions that obey the bilateral rows, in coordinates in
// which Gauss's function is a sum of squares.
#include "cone/least_constraint.h"
#include "cone/small.h"

#include <math.h>
#include <string.h>

static double length(int n, const double* x)
{
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return sqrt(s);
}

// C, and M and N_B in the scaled coordinates
static bool scale(cone_least* f, const cone_least_problem* p)
{
  int n = p->n;
  for (int j = 0; j < n; j++) {
    double d = p->M[(size_t)j * n + j];
    if (!isfinite(d) || !isfinite(p->F[j])) return false;
    f->C[j] = p->unit ? p->unit[j] : d > 0 ? 1 / sqrt(d) : 1;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double a = (p->M[(size_t)i * n + j] + p->M[(size_t)j * n + i]) / 2;
      f->M[(size_t)i * n + j] = f->C[i] * a * f->C[j];
      if (!isfinite(a)) return false;
    }
  for (int i = 0; i < p->b; i++) {
    if (!isfinite(p->d_B[i])) return false;
    for (int j = 0; j < n; j++) {
      f->N[(size_t)i * n + j] = p->N_B[(size_t)i * n + j] * f->C[j];
      if (!isfinite(f->N[(size_t)i * n + j])) return false;
    }
  }
  return true;
}

// L = Z^T M Z; bodies that nothing binds to each other share no entry
static void reduce_mass(cone_least* f)
{
  int n = f->n, m = f->m;
  memset(f->L, 0, (size_t)m * (size_t)m * sizeof *f->L);
  for (int c = 0; c < m; c++) {
    memset(f->scratch, 0, (size_t)n * sizeof *f->scratch);
    for (int j = 0; j < n; j++) {
      double z = f->Z[(size_t)j * m + c];
      if (z == 0) continue;
      for (int i = 0; i < n; i++) f->scratch[i] += f->M[(size_t)i * n + j] * z;
    }
    double* row = f->L + (size_t)c * m;
    for (int i = 0; i < n; i++) {
      double s = f->scratch[i];
      if (s == 0) continue;
      for (int k = 0; k < m; k++) row[k] += f->Z[(size_t)i * m + k] * s;
    }
  }
}

// Z^T M Z factored in place; the row where it stops being positive definite, m if nowhere
static int factor(cone_least* f)
{
  int m = f->m;
  double largest = 0;
  reduce_mass(f);
  for (int c = 0; c < m; c++) largest = fmax(largest, f->L[(size_t)c * m + c]);
  for (int i = 0; i < m; i++) {
    double* Li = f->L + (size_t)i * m;
    double whole = Li[i];
    int first = 0; // what is zero before it stays so
    while (first < i && Li[first] == 0) first++;
    for (int j = first; j < i; j++) {
      const double* Lj = f->L + (size_t)j * m;
      double s = Li[j];
      for (int k = first; k < j; k++) s -= Li[k] * Lj[k];
      Li[j] = s / Lj[j];
    }
    for (int k = first; k < i; k++) Li[i] -= Li[k] * Li[k];
    if (!(Li[i] > cone_least_singular * whole && Li[i] > 0.1 * cone_least_singular * largest))
      return i;
    Li[i] = sqrt(Li[i]);
  }
  return m;
}

// z := L^-1 z
static void forward(const cone_least* f, double* z)
{
  for (int i = 0; i < f->m; i++) {
    const double* Li = f->L + (size_t)i * f->m;
    for (int k = 0; k < i; k++) z[i] -= Li[k] * z[k];
    z[i] /= Li[i];
  }
}

// z := L^-T z on the first m unknowns
static void backward(const cone_least* f, int m, double* z)
{
  for (int i = m - 1; i >= 0; i--) {
    const double* Li = f->L + (size_t)i * f->m;
    z[i] /= Li[i];
    for (int k = 0; k < i; k++) z[k] -= Li[k] * z[i];
  }
}

// x (n) = Z z
static void spread(const cone_least* f, const double* z, double* x)
{
  for (int i = 0; i < f->n; i++) {
    double s = 0;
    for (int c = 0; c < f->m; c++) s += f->Z[(size_t)i * f->m + c] * z[c];
    x[i] = s;
  }
}

// z (m) = Z^T x
static void gather(const cone_least* f, const double* x, double* z)
{
  for (int c = 0; c < f->m; c++) z[c] = 0;
  for (int i = 0; i < f->n; i++)
    for (int c = 0; c < f->m; c++) z[c] += f->Z[(size_t)i * f->m + c] * x[i];
}

// the direction along which the reduced mass matrix vanishes: L11^T u = -l, x = C Z (u, 1, 0)
static void find_direction(cone_least* f, int stop)
{
  memset(f->z, 0, (size_t)f->m * sizeof *f->z);
  for (int k = 0; k < stop; k++) f->z[k] = -f->L[(size_t)stop * f->m + k];
  backward(f, stop, f->z);
  f->z[stop] = 1;
  spread(f, f->z, f->direction);
  for (int j = 0; j < f->n; j++) f->direction[j] *= f->C[j];
  double s = length(f->n, f->direction);
  for (int j = 0; j < f->n; j++) f->direction[j] /= s;
}

static bool refuse(cone_least_result* out, cone_least_status status, const char* reason)
{
  out->status = status;
  out->reason = reason;
  return false;
}

// worst residual of the bilateral rows beyond their noise, over the size of the motion
static bool contradicts(const cone_least* f, const cone_least_problem* p)
{
  double size = length(f->n, f->x);
  for (int i = 0; i < p->b; i++) {
    double norm = length(f->n, f->N + (size_t)i * f->n);
    size = fmax(size, norm > 0 ? fabs(p->d_B[i]) / norm : 0);
  }
  for (int i = 0; i < p->b; i++) {
    const double* N = f->N + (size_t)i * f->n;
    double norm = length(f->n, N), s = p->d_B[i];
    for (int j = 0; j < f->n; j++) s += N[j] * f->x[j];
    double noise = p->noise_B ? p->noise_B[i] : 0;
    if (fabs(s) > cone_least_contradicts * norm * size + noise) return true;
  }
  return false;
}

bool cone_least_reduce(cone_least* f, const cone_least_problem* p, cone_least_result* out)
{
  int n = f->n = p->n;
  f->b = p->b;
  if (!scale(f, p)) return refuse(out, CONE_LEAST_FAILED, "a number of the problem is not finite");
  int rank = out->rank_B = num_null_factor(f->null_B, p->b, n, f->N, 0);
  int m = f->m = n - rank;
  num_null_basis(f->null_B, f->Z);
  int stop = factor(f);
  if (stop < m) {
    find_direction(f, stop);
    return refuse(out, CONE_LEAST_SINGULAR,
                  "the mass matrix is not positive definite on the motions the bilateral "
                  "constraints allow: the model is not well posed");
  }
  // x_p of least length, then H z = Z^T (C F - M x_p)
  for (int i = 0; i < p->b; i++) f->rest[i] = -p->d_B[i];
  num_null_solve(f->null_B, f->N, f->rest, f->x);
  for (int i = 0; i < n; i++) {
    double s = f->C[i] * p->F[i];
    for (int j = 0; j < n; j++) s -= f->M[(size_t)i * n + j] * f->x[j];
    f->scratch[i] = s;
  }
  gather(f, f->scratch, f->z);
  forward(f, f->z);
  backward(f, m, f->z);
  spread(f, f->z, f->scratch);
  for (int j = 0; j < n; j++) f->x[j] += f->scratch[j];
  f->size = length(n, f->x);
  if (contradicts(f, p))
    return refuse(out, CONE_LEAST_CONTRADICTION, "the bilateral constraints contradict each other");
  return true;
}

bool cone_least_row(cone_least* f, const double* N, double* g)
{
  for (int j = 0; j < f->n; j++) f->scratch[j] = N[j] * f->C[j];
  gather(f, f->scratch, g);
  // what is left of a row that depends on the bilateral ones is rounding
  if (length(f->m, g) <= cone_least_follows * length(f->n, f->scratch)) {
    memset(g, 0, (size_t)f->m * sizeof *g);
    return false;
  }
  forward(f, g);
  return true;
}

void cone_least_motion(cone_least* f, const double* z, double* w)
{
  memcpy(f->scratch, z, (size_t)f->m * sizeof *z);
  backward(f, f->m, f->scratch);
  spread(f, f->scratch, w);
  for (int j = 0; j < f->n; j++) w[j] = f->C[j] * (f->x[j] + w[j]);
}

double cone_least_bilateral(cone_least* f, const double* force, double* lambda_B)
{
  for (int j = 0; j < f->n; j++) f->scratch[j] = f->C[j] * force[j];
  return num_null_solve_t(f->null_B, f->N, f->scratch, lambda_B);
}
