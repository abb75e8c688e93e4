// Nonlinear equations F(x) = 0, m equations in n unknowns: Gauss-Newton with least-norm steps.
//
// A step solves  J dx = -F  in the least-squares sense with the shortest  |w dx|. Where the linear
// model proves poor over that step (|F| does not fall to a half, or J changes by its own size), the
// step is shortened as Levenberg and Marquardt do,
//   |J dx + F|^2 + mu^2 |w dx|^2 -> min,   which is the shortest solution of  (J, mu 1) (dx; s) =
//   -F,
// so that a nearly singular J never throws x far away from the guess.
// Nocedal and Wright, Numerical Optimization (2006), 10.3; Deuflhard, Newton Methods (2004), 4.3.
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
  num_null *wide, *tall, *damped; // factors of J, of J^T, of (J, mu 1)
  int rank;                       // by those of the last J that a full step was made with, or -1
  double *F, *J;                  // at x, divided by scale and weight
  double *F_old, *J_old;          // at the point the step starts from
  double* work;                   // J^T or (J, mu 1)
  double *x, *x_old, *dx, *best;
  double residual, merit; // largest and euclidean |F / scale| at x
  double least;           // residual at best
  int worst;              // equation of that residual
  double mu;              // damping relative to |J|
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

static double euclid(size_t n, const double* x)
{
  double s = 0;
  for (size_t i = 0; i < n; i++) s += x[i] * x[i];
  return sqrt(s);
}

// dx: the shortest least-squares solution of J_old dx = -F_old
static void full_step(newton* s)
{
  int m = s->m, n = s->n;
  // of linear equations the factors stay
  const bool same = s->rank >= 0 && !memcmp(s->J, s->J_old, sizeof *s->J * (size_t)m * (size_t)n);
  if (!same) s->rank = num_null_factor(s->wide, m, n, s->J_old, 0);
  if (s->rank == m) {
    num_null_solve(s->wide, s->J_old, s->F_old, s->dx);
  } else {
    // rows depend on each other: all of them have a say, in the least-squares sense
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) s->work[(size_t)j * m + i] = s->J_old[(size_t)i * n + j];
    num_null_factor(s->tall, n, m, s->work, 0);
    num_null_solve_t(s->tall, s->work, s->F_old, s->dx);
  }
  for (int j = 0; j < n; j++) s->dx[j] = -s->dx[j];
}

// dx: the step damped by mu times the size of J
static void damped_step(newton* s)
{
  int m = s->m, n = s->n, wide = n + m;
  double mu = s->mu * fmax(euclid((size_t)m * n, s->J_old), DBL_MIN / DBL_EPSILON);
  memset(s->work, 0, (size_t)m * (size_t)wide * sizeof *s->work);
  for (int i = 0; i < m; i++) {
    memcpy(s->work + (size_t)i * wide, s->J_old + (size_t)i * n, (size_t)n * sizeof *s->work);
    s->work[(size_t)i * wide + n + i] = mu;
  }
  num_null_factor(s->damped, m, wide, s->work, 1e-15);
  num_null_solve(s->damped, s->work, s->F_old, s->dx);
  for (int j = 0; j < n; j++) s->dx[j] = -s->dx[j];
}

// |F|^2 - |F + J dx|^2: what the linear model promises
static double promise(const newton* s)
{
  double sum = 0;
  for (int i = 0; i < s->m; i++) {
    double t = 0;
    for (int j = 0; j < s->n; j++) t += s->J_old[(size_t)i * s->n + j] * s->dx[j];
    sum -= t * (2 * s->F_old[i] + t);
  }
  return sum;
}

// go to x_old + dx and evaluate there; false if nothing moves or nothing can be evaluated
static bool go(newton* s)
{
  bool moved = false;
  for (int j = 0; j < s->n; j++) {
    s->x[j] = s->x_old[j] + s->dx[j] / weight_of(s, j);
    moved |= s->x[j] != s->x_old[j];
  }
  return moved && evaluate(s);
}

// did every row of J keep its size and direction roughly over the step?
static bool model_held(const newton* s)
{
  for (int i = 0; i < s->m; i++) {
    double change = 0, size = 0;
    for (int j = 0; j < s->n; j++) {
      size_t k = (size_t)i * s->n + j;
      change += (s->J[k] - s->J_old[k]) * (s->J[k] - s->J_old[k]);
      size += s->J_old[k] * s->J_old[k];
    }
    // a row of zeros says nothing about its future size
    if (size > 0 && change > size) return false;
  }
  return true;
}

static void remember(newton* s)
{
  double* t = s->F;
  s->F = s->F_old;
  s->F_old = t;
  t = s->J;
  s->J = s->J_old;
  s->J_old = t;
  memcpy(s->x_old, s->x, (size_t)s->n * sizeof *s->x);
}

// one step down from x, full or damped; false if |F| cannot be lowered from here
static bool descend(newton* s, bool finishing)
{
  double merit = s->merit, residual = s->residual;
  remember(s);
  full_step(s);
  double gain = promise(s);
  bool hopeful = gain > 1e-14 * merit * merit;
  if (hopeful && go(s)) {
    if (finishing ? s->merit < merit : s->merit <= merit / 2 && model_held(s)) return true;
  }
  // below the tolerance one try is enough: what is left is rounding
  for (int tries = 0; hopeful && !finishing && tries < 40; tries++, s->mu *= 4) {
    damped_step(s);
    gain = promise(s);
    if (!(gain > 1e-14 * merit * merit)) break;
    if (!go(s)) continue;
    double kept = (merit - s->merit) * (merit + s->merit) / gain;
    if (kept < 0.1 || !model_held(s)) continue;
    if (kept > 0.5) s->mu = fmax(s->mu / 8, 1e-3);
    return true;
  }
  memcpy(s->x, s->x_old, (size_t)s->n * sizeof *s->x);
  s->merit = merit;
  s->residual = residual;
  s->mu = 0.1;
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
  return num_null_size(m, n) + num_null_size(n, m) + num_null_size(m, n + m) +
         (3 * M + 2 * M * N + M * (N + M) + 4 * N) * sizeof(double) + 16 * 9;
}

static void lay_out(newton* s, char* p)
{
  size_t m = (size_t)s->m, n = (size_t)s->n;
  s->wide = num_null_place(p, s->m, s->n);
  p += num_null_size(s->m, s->n);
  s->tall = num_null_place(p, s->n, s->m);
  p += num_null_size(s->n, s->m);
  s->damped = num_null_place(p, s->m, s->n + s->m);
  p += num_null_size(s->m, s->n + s->m);
  s->F = carve(&p, m);
  s->F_old = carve(&p, m);
  s->J = carve(&p, m * n);
  s->J_old = carve(&p, m * n);
  s->work = carve(&p, m * (n + m));
  s->x = carve(&p, n);
  s->x_old = carve(&p, n);
  s->dx = carve(&p, n + m); // a damped step has as many further entries as there are equations
  s->best = carve(&p, n);
}

// iterate; returns the number of steps taken, and of nudges
static int iterate(newton* s, double tolerance, int most, int* nudged)
{
  int nudges = 0, steps = 0;
  bool can = evaluate(s);
  while (can && s->residual > 0 && steps < most) {
    double before = s->residual;
    bool finishing = s->least <= tolerance;
    steps++;
    if (descend(s, finishing)) {
      // at the level of rounding a step that no longer halves the residual is the last
      if (finishing && s->residual > before / 2) break;
      continue;
    }
    if (finishing || nudges == 4) break;
    do nudge(s, nudges++);
    while (!(can = evaluate(s)) && nudges < 4);
  }
  *nudged = nudges;
  return steps;
}

// Angles may come out whole turns away, from steps over places where J nearly vanishes. Of answers
// that fit equally well the one nearest the guess is meant.
static void unwind(newton* s, const double* guess, double tolerance)
{
  const double turn = 6.283185307179586; // 2 pi
  for (int j = 0; j < s->n; j++) {
    const double turns = round((s->best[j] - guess[j]) / turn);
    if (turns == 0 || !isfinite(turns)) continue;
    memcpy(s->x, s->best, (size_t)s->n * sizeof *s->x);
    s->x[j] -= turns * turn;
    const double least = s->least;
    if (!evaluate(s) || s->residual > tolerance || s->residual < least) continue;
    memcpy(s->best, s->x, (size_t)s->n * sizeof *s->x);
    s->least = s->residual;
  }
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
  lay_out(&s, memory);
  s.mu = 0.1;
  s.rank = -1;
  s.least = INFINITY;
  memcpy(s.x, x, (size_t)n * sizeof *x);
  memcpy(s.best, x, (size_t)n * sizeof *x);

  r.iterations = iterate(&s, tolerance, most, &r.nudges);
  if (s.least <= tolerance) unwind(&s, x, tolerance);
  r.residual = s.least;
  r.worst = s.worst;
  r.solved = s.least <= tolerance;
  memcpy(x, s.best, (size_t)n * sizeof *x);
  if (memory != small) free(memory);
  return r;
}
