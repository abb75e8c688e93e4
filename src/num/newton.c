// Nonlinear equations F(x) = 0, m equations in n unknowns: Gauss-Newton with least-norm steps.
//
// A step solves  J dx = -F  in the least-squares sense with the shortest  |w dx|; with rows divided
// by the scale of their equation and columns by the weight of their unknown this is the shortest
// least-squares solution of one matrix. Steps are damped by halving until |F| falls.
// Deuflhard, Newton Methods for Nonlinear Problems (2004), 4.3 and 4.4.
#include "num/null.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct newton
{
  int m, n;
  num_equations* f;
  void* context;
  const double *weight, *scale;
  num_null *wide, *tall; // factors of J and of J^T
  double *F, *J, *Jt;    // at the current point
  double *x, *dx, *best;
  double residual, merit; // largest and euclidean |F / scale| at x
  double least;           // residual at best
  int worst;              // equation of that residual
} newton;

static double weight_of(const newton* s, int j)
{
  return s->weight ? s->weight[j] : 1;
}

static double scale_of(const newton* s, int i)
{
  return s->scale && s->scale[i] > 0 ? s->scale[i] : 1;
}

// F, J at x, scaled; false where they cannot be evaluated
static bool evaluate(newton* s)
{
  if (s->f(s->context, s->x, s->F, s->J) != 0) return false;
  double most = 0, square = 0;
  int worst = 0;
  for (int i = 0; i < s->m; i++) {
    double r = 1 / scale_of(s, i);
    s->F[i] *= r;
    if (!isfinite(s->F[i])) return false;
    square += s->F[i] * s->F[i];
    if (fabs(s->F[i]) > most) {
      most = fabs(s->F[i]);
      worst = i;
    }
    for (int j = 0; j < s->n; j++) {
      double* e = s->J + (size_t)i * s->n + j;
      *e *= r / weight_of(s, j);
      if (!isfinite(*e)) return false;
    }
  }
  s->residual = most;
  s->merit = sqrt(square);
  if (most < s->least) {
    s->least = most;
    s->worst = worst;
    memcpy(s->best, s->x, (size_t)s->n * sizeof *s->x);
  }
  return true;
}

// shortest least-squares step into dx; false where F cannot be lowered to first order
static bool direction(newton* s)
{
  int m = s->m, n = s->n;
  for (int i = 0; i < m; i++) s->F[i] = -s->F[i];
  if (num_null_factor(s->wide, m, n, s->J, 0) == m) {
    num_null_solve(s->wide, s->J, s->F, s->dx);
  } else {
    // rows depend on each other: all of them have a say, in the least-squares sense
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) s->Jt[(size_t)j * m + i] = s->J[(size_t)i * n + j];
    num_null_factor(s->tall, n, m, s->Jt, 0);
    num_null_solve_t(s->tall, s->Jt, s->F, s->dx);
  }
  // decrease of |F|^2 to first order: dx^T J^T F
  double gain = 0;
  for (int i = 0; i < m; i++) {
    double t = 0;
    for (int j = 0; j < n; j++) t += s->J[(size_t)i * n + j] * s->dx[j];
    gain += t * s->F[i];
  }
  for (int j = 0; j < n; j++) s->dx[j] /= weight_of(s, j);
  return gain > 1e-14 * s->merit * s->merit;
}

// walk along dx, halving until |F| falls; false if it does not within `most` tries
static bool descend(newton* s, int most, double* from)
{
  int n = s->n;
  double merit = s->merit, residual = s->residual, step = 1;
  memcpy(from, s->x, (size_t)n * sizeof *from);
  for (int halvings = 0; halvings < most; halvings++, step /= 2) {
    bool moved = false;
    for (int j = 0; j < n; j++) {
      s->x[j] = from[j] + step * s->dx[j];
      moved |= s->x[j] != from[j];
    }
    if (!moved) break;
    if (evaluate(s) && s->merit <= (1 - 1e-4 * step) * merit) return true;
  }
  memcpy(s->x, from, (size_t)n * sizeof *from);
  s->merit = merit;
  s->residual = residual;
  return false;
}

// leave a point where J says nothing, such as x^2 = 1 at x = 0: a small move, another each time
static void nudge(newton* s, int attempt)
{
  double size = 1e-3 * pow(16, attempt);
  for (int j = 0; j < s->n; j++) {
    double golden = fmod((j + 1) * 0.6180339887498949 + attempt * 0.4142135623730951, 1);
    s->x[j] = s->best[j] + size * (0.5 + golden) * (1 + fabs(s->best[j])) / weight_of(s, j);
  }
}

static double* carve(char** p, size_t count)
{
  double* at = (double*)*p;
  *p += (count * sizeof(double) + 15) & ~(size_t)15;
  return at;
}

static size_t memory_needed(int m, int n)
{
  size_t M = (size_t)m, N = (size_t)n;
  return num_null_size(m, n) + num_null_size(n, m) + (M + 2 * M * N + 4 * N) * sizeof(double) +
         16 * 7;
}

// returns the scratch vector of n numbers
static double* lay_out(newton* s, char* p)
{
  size_t m = (size_t)s->m, n = (size_t)s->n;
  s->wide = num_null_place(p, s->m, s->n);
  p += num_null_size(s->m, s->n);
  s->tall = num_null_place(p, s->n, s->m);
  p += num_null_size(s->n, s->m);
  s->F = carve(&p, m);
  s->J = carve(&p, m * n);
  s->Jt = carve(&p, m * n);
  s->x = carve(&p, n);
  s->dx = carve(&p, n);
  s->best = carve(&p, n);
  return carve(&p, n);
}

// iterate; returns the number of steps taken
static int iterate(newton* s, double tolerance, int most, double* scratch)
{
  int nudges = 0, steps = 0;
  bool can = evaluate(s);
  while (can && s->residual > 0 && steps < most) {
    double before = s->residual;
    steps++;
    // below the tolerance one try is enough: what is left is rounding
    if (direction(s) && descend(s, s->least <= tolerance ? 1 : 40, scratch)) {
      // at the level of rounding a step that no longer halves the residual is the last
      if (s->least <= tolerance && s->residual > before / 2) break;
      continue;
    }
    if (s->least <= tolerance || nudges == 4) break;
    nudge(s, nudges++);
    can = evaluate(s);
  }
  return steps;
}

num_newton_result num_newton(int m, int n, num_equations* f, void* context, const double* weight,
                             const double* scale, double tolerance, int most, double* x)
{
  assert(m >= 0 && n >= 0);
  num_newton_result r = {.solved = m == 0};
  if (m == 0) return r;
  // small systems live on the stack: no allocation inside a step
  _Alignas(16) char small[16384];
  size_t need = memory_needed(m, n);
  char* memory = need <= sizeof small ? small : base_alloc(need);
  newton s = {.m = m, .n = n, .f = f, .context = context, .weight = weight, .scale = scale};
  double* scratch = lay_out(&s, memory);
  s.least = INFINITY;
  memcpy(s.x, x, (size_t)n * sizeof *x);
  memcpy(s.best, x, (size_t)n * sizeof *x);

  r.iterations = iterate(&s, tolerance, most, scratch);
  r.residual = s.least;
  r.worst = s.worst;
  r.solved = s.least <= tolerance;
  memcpy(x, s.best, (size_t)n * sizeof *x);
  if (memory != small) free(memory);
  return r;
}
