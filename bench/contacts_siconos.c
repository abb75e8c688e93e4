// The contact problem of the column of balls of contacts.py in Siconos: contacts_siconos BALLS
// SOLVER, where SOLVER is newtonmin, lemke or pgs. Prints ms a problem and the relative error of
// the lowest reaction.
#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int count, char** word)
{
  const int n = count > 1 ? atoi(word[1]) : 300;
  const char* name = count > 2 ? word[2] : "newtonmin";
  const int solver = strcmp(name, "lemke") == 0 ? SICONOS_LCP_LEMKE
                     : strcmp(name, "pgs") == 0 ? SICONOS_LCP_PGS
                                                : SICONOS_LCP_NEWTONMIN;
  double *A = calloc((size_t)n * (size_t)n, sizeof *A), *x = calloc(3 * (size_t)n, sizeof *x);
  for (int i = 0; i < n; i++) {
    A[(size_t)i * (size_t)n + (size_t)i] = i ? 2 : 1;
    if (i)
      A[(size_t)(i - 1) * (size_t)n + (size_t)i] = A[(size_t)i * (size_t)n + (size_t)i - 1] = -1;
  }
  x[0] = -9.81;
  LinearComplementarityProblem p = {.size = n, .q = x, .M = NM_create_from_data(NM_DENSE, n, n, A)};
  SolverOptions* o = solver_options_create(solver);
  o->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
  o->dparam[SICONOS_DPARAM_TOL] = 1e-11;
  const double t = now();
  const int status = linearComplementarity_driver(&p, x + n, x + 2 * n, o);
  printf("%.3f %.3g %d\n", 1e3 * (now() - t), fabs(x[n] / (9.81 * n) - 1), status);
  solver_options_delete(o);
  free(A);
  free(x);
  return 0;
}
