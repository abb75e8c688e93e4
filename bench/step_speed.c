// Speed of the integrators on a cheap problem, and of the null-space factorisation at small sizes.
// Part of make bench; prints one line per figure.
#include "step/step.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int kepler(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)t;
  double r2 = y[0] * y[0] + y[1] * y[1], r3 = r2 * sqrt(r2);
  dy[0] = y[2];
  dy[1] = y[3];
  dy[2] = -y[0] / r3;
  dy[3] = -y[1] / r3;
  return 0;
}

static void integrate(const step_method* m, double t_end)
{
  const double tol[4] = {1e-10, 1e-10, 1e-10, 1e-10}, y[4] = {0.7, 0, 0, sqrt(1.3 / 0.7)};
  step_ode ode = {.n = 4, .rhs = kepler, .rel_tol = 1e-10, .abs_tol = tol};
  step_stepper* s = m->create(m, &ode);
  double begin = now();
  if (m->start(s, 0, y, t_end) == STEP_OK)
    while (s->t < t_end && m->step(s, t_end) == STEP_OK) continue;
  double took = now() - begin;
  double energy = (s->y[2] * s->y[2] + s->y[3] * s->y[3]) / 2 - 1 / hypot(s->y[0], s->y[1]);
  printf("%-7s %9.0f steps/s %10.0f evaluations/s  %6.1f ns per evaluation  energy off by %.1e\n",
         m->name, (double)s->counts.steps / took, (double)s->counts.evaluations / took,
         1e9 * took / (double)s->counts.evaluations, energy + 0.5);
  m->destroy(s);
}

static void factor(int m, int n, int repeat)
{
  double A[64], Z[64], x[8], b[8], sum = 0;
  for (int i = 0; i < m * n; i++) A[i] = sin(1 + i * i);
  for (int i = 0; i < m; i++) b[i] = 1;
  num_null* f = num_null_new(m, n);
  double begin = now();
  for (int k = 0; k < repeat; k++) {
    A[0] = 1 + 1e-9 * k;
    num_null_factor(f, m, n, A, 0);
    num_null_basis(f, Z);
    num_null_solve(f, A, b, x);
    sum += Z[0] + x[0];
  }
  double took = now() - begin;
  printf("null    %d by %d: factor, basis and solve in %.0f ns (sum %.3g)\n", m, n,
         1e9 * took / repeat, sum);
  num_null_free(f);
}

int main(void)
{
  // those that take a plain right-hand side
  for (int i = 0; i < step_method_count(); i++) {
    const step_method* m = step_method_at(i);
    if (!m->implicit_form && !m->series_form && !m->leap_form && !m->flight_form)
      integrate(m, i == 0 ? 1e5 : 2e3);
  }
  factor(1, 3, 1000000);
  factor(2, 4, 1000000);
  factor(4, 8, 300000);
  return 0;
}
