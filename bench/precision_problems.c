// The six problems, and their solutions to many digits.
#include "precision.h"

#include <math.h>
#include <string.h>

#define REAL     double
#define FN(NAME) NAME
#define OF(NAME) NAME
#include "precision_rhs.h"
#undef REAL
#undef FN
#undef OF
#define REAL     long double
#define FN(NAME) NAME##l
#define OF(NAME) NAME##_long
#include "precision_rhs.h"

const precision_problem precision_problem_list[precision_problems] = {
    {"skater, 15 s", 5, 3, 15, {0, 0, 0, 7, 0}, false},
    {"double pendulum, 10 s", 4, 2, 10, {1, 1, 0, 0}, false},
    {"chain of 8, 5 s", 16, 8, 5, {1, 1, 1, 1, 1, 1, 1, 1}, false},
    {"rolling disc, 2 s", 8, 5, 2, {0.3, 0.1, 1.97, -0.35, 2.27}, false},
    {"Cartesian pendulum, 10 s", 4, 2, 10, {-1, 0, 0, 0}, true},
    {"heavy top, 2 s", 6, 3, 2, {0, 0, 0, 0, -4.61538, 150}, false},
};

static void (*const plain[])(const double*, double*) = {skater, chain2, chain8, disc, rod, top};
static void (*const exact[])(const long double*, long double*) = {
    skater_long, chain2_long, chain8_long, disc_long, rod_long, top_long};

// SciPy calls it from a library of its own
__attribute__((visibility("default"))) void precision_rhs(int problem, const double* y, double* dy)
{
  plain[problem](y, dy);
}

void precision_start(int problem, double* y)
{
  const precision_problem* p = &precision_problem_list[problem];
  memcpy(y, p->start, sizeof(double) * (size_t)p->n);
  if (plain[problem] != disc) return;
  // its angular velocity is given in the axes that spin with it
  const double u[3] = {-0.2, 1.3, 0.15}, c = cos(y[2]), s = sin(y[2]);
  y[5] = u[0] * c + u[2] * s;
  y[6] = u[1];
  y[7] = u[2] * c - u[0] * s;
}

static void start_of(int problem, long double* y)
{
  double start[most_unknowns];
  precision_start(problem, start);
  for (int i = 0; i < precision_problem_list[problem].n; i++) y[i] = start[i];
}

// n steps of the modified midpoint rule over H
static void midpoint(int problem, int size, const long double* y, long double H, int n,
                     long double* out)
{
  long double a[most_unknowns], b[most_unknowns], f[most_unknowns], h = H / n;
  memcpy(a, y, sizeof a);
  exact[problem](y, f);
  for (int i = 0; i < size; i++) b[i] = y[i] + h * f[i];
  for (int k = 1; k < n; k++) {
    exact[problem](b, f);
    for (int i = 0; i < size; i++) {
      const long double next = a[i] + 2 * h * f[i];
      a[i] = b[i];
      b[i] = next;
    }
  }
  exact[problem](b, f);
  for (int i = 0; i < size; i++) out[i] = (a[i] + b[i] + h * f[i]) / 2;
}

// Gragg's extrapolation with 2, 4, ..., 14 steps: order 14
static void extrapolate(int problem, int size, long double H, long double* y)
{
  enum { columns = 7 };
  long double T[columns][most_unknowns];
  for (int k = 0; k < columns; k++) {
    midpoint(problem, size, y, H, 2 * (k + 1), T[k]);
    for (int j = k - 1; j >= 0; j--) {
      const long double q = (long double)(k + 1) / (j + 1), d = q * q - 1;
      for (int i = 0; i < size; i++) T[j][i] = T[j + 1][i] + (T[j + 1][i] - T[j][i]) / d;
    }
  }
  memcpy(y, T[0], sizeof T[0]);
}

void precision_reference(int problem, double* y, double* error)
{
  const precision_problem* p = &precision_problem_list[problem];
  long double fine[most_unknowns], coarse[most_unknowns];
  start_of(problem, fine);
  start_of(problem, coarse);
  const int steps = 1500 * (int)ceil(p->t_end);
  for (int k = 0; k < steps; k++) extrapolate(problem, p->n, p->t_end / (long double)steps, fine);
  for (int k = 0; k < steps * 2 / 3; k++)
    extrapolate(problem, p->n, p->t_end / (long double)(steps * 2 / 3), coarse);
  *error = 0;
  for (int i = 0; i < p->n; i++) {
    y[i] = (double)fine[i];
    if (i < p->places)
      *error = fmax(*error, fabs((double)(fine[i] - coarse[i])) / fmax(1, fabs(y[i])));
  }
}
