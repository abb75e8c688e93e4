// Small changes of a steady or periodic motion in a basis of those that the constraints leave:
// their rates, or the map over a period by the equations linearised along the motion.
#include "study/saddle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_steps = 200000 };
static const double told = 1e-6;    // growth that is not nothing, over the largest
static const double nothing = 1e-9; // parts of a unit vector

static int rhs(void* context, double t, const double* y, double* dy)
{
  const study_saddle* z = context;
  return study_linear_flow(z->l, z->d, t, y, dy);
}

// changes X = W over the period, into those at its end
static bool fly(study_saddle* z, double tolerance, double* X)
{
  const int N = 2 * z->l->n, size = N * (1 + z->d);
  double *y = base_arena_take(z->arena, sizeof(double) * (size_t)(2 * size + 1)), *off = y + size;
  for (int i = 0; i < size; i++) off[i] = tolerance;
  memcpy(y, z->x0, sizeof(double) * (size_t)N);
  memcpy(y + N, X, sizeof(double) * (size_t)(N * z->d));
  const step_ode ode = {.n = size, .rhs = rhs, .context = z, .rel_tol = tolerance, .abs_tol = off};
  step_stepper* s = step_method_dop853.create(&step_method_dop853, &ode);
  const step_way way = {.most_steps = most_steps, .context = z};
  const bool there = step_carry(s, z->t, y, z->t + z->period, &way) == STEP_OK;
  if (there) memcpy(X, s->y + N, sizeof(double) * (size_t)(N * z->d));
  step_method_dop853.destroy(s);
  return there;
}

bool study_saddle_take(study_saddle* z, double tolerance)
{
  study_linear* l = z->l;
  engine* e = l->e;
  const int n = e->n, N = 2 * n;
  engine_state(e, z->t, z->x0, z->x0 + n);
  e->factored = false;
  if (study_linear_at(l)) return false;
  const int d = z->d = study_linear_tangent(l);
  z->W = base_arena_take(z->arena, sizeof(double) * (size_t)(2 * N * d + d * d + 2 * d + 1));
  double* X = z->W + N * d;
  z->B = X + N * d;
  z->re = z->B + d * d;
  z->im = z->re + d;
  memcpy(z->W, l->W, sizeof(double) * (size_t)(N * d));
  memcpy(X, l->W, sizeof(double) * (size_t)(N * d));
  for (int i = 0; i < N && !(z->period > 0); i++)
    for (int k = 0; k < d; k++) {
      X[i * d + k] = 0;
      for (int j = 0; j < N; j++) X[i * d + k] += l->J[i * N + j] * z->W[j * d + k];
    }
  if (z->period > 0 && !fly(z, tolerance, X)) return false;
  for (int h = 0; h < d; h++)
    for (int k = 0; k < d; k++)
      for (int i = 0; i < N; i++) z->B[h * d + k] += z->W[i * d + h] * X[i * d + k];
  return num_eigen(d, z->B, z->re, z->im);
}

static double growth(const study_saddle* z, int k)
{
  return z->period > 0 ? log(hypot(z->re[k], z->im[k])) / z->period : z->re[k];
}

int study_saddle_only(const study_saddle* z, bool stable, int* count)
{
  double size = 0;
  int which = -1;
  *count = 0;
  for (int k = 0; k < z->d; k++) size = fmax(size, fabs(growth(z, k)));
  for (int k = 0; k < z->d; k++) {
    if (!(stable ? growth(z, k) < -told * size : growth(z, k) > told * size)) continue;
    (*count)++;
    which = k;
  }
  return *count == 1 ? which : -1;
}

void study_saddle_vector(const study_saddle* z, int which, double* out)
{
  const int d = z->d, N = 2 * z->l->n;
  double *x = base_alloc(sizeof(double) * (size_t)(2 * d + 1)), size = 0;
  num_eigenvectors* v = num_eigenvectors_new(d, z->B);
  num_eigenvectors_of(v, z->re[which], 0, x, x + d);
  num_eigenvectors_free(v);
  for (int i = 0; i < N; i++) {
    out[i] = 0;
    for (int k = 0; k < d; k++) out[i] += z->W[i * d + k] * x[k];
    size += out[i] * out[i];
  }
  int first = 0;
  while (first < N - 1 && fabs(out[first]) < nothing * sqrt(size)) first++;
  const double by = copysign(1 / sqrt(size), out[first]);
  for (int i = 0; i < N; i++) out[i] *= by;
  free(x);
}
