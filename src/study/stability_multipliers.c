// Multipliers where what stays constant does not fix them.
//
// At a motion of special symmetry the slopes of constants depend on each other: sum nu_r dc_r = 0.
// The sleeping top is one: its momenta about its own axis and about the vertical have the same
// slopes. E = H - sum (mu_r + t nu_r) c_r is then stationary for every t, and one t for which its
// second variation is definite proves stability (Chetaev's bundle of integrals). The least
// eigenvalue is concave in t, so that it is found by closing in on its top.
#include "study/energy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { sections = 120, sweeps = 3 };
static const double cancelled = 1e-9; // of a sum, against its terms
static const double furthest = 1e3;   // t, against the sizes of both forms

// Y^T H Y
static void project(const study_energy* y, const double* H, double* S)
{
  const int N = 2 * y->l->n, k = y->k;
  memset(S, 0, sizeof(double) * (size_t)(k * k));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int h = 0; h < k && H[i * N + j] != 0; h++)
        for (int m = 0; m < k; m++)
          S[h * k + m] += y->Y[i * k + h] * H[i * N + j] * y->Y[j * k + m];
}

static double largest(int count, const double* x)
{
  double size = 0;
  for (int i = 0; i < count; i++) size = fmax(size, fabs(x[i]));
  return size;
}

// the least eigenvalue of S - t G; work: k k + 2 k
static double least(int k, const double* S, const double* G, double t, double* work)
{
  for (int i = 0; i < k * k; i++) work[i] = S[i] - t * G[i];
  double *re = work + k * k, low = INFINITY;
  if (!num_eigen(k, work, re, re + k)) return -INFINITY;
  for (int i = 0; i < k; i++) low = fmin(low, re[i]);
  return low;
}

// t where the least eigenvalue of S - t G is greatest
static double best(int k, const double* S, const double* G, double* work)
{
  const double golden = 0.6180339887498949, size = largest(k * k, G);
  if (!(size > 0)) return 0;
  double low = -furthest * largest(k * k, S) / size, high = -low;
  for (int turn = 0; turn < sections; turn++) {
    const double a = high - golden * (high - low), b = low + golden * (high - low);
    if (least(k, S, G, a, work) > least(k, S, G, b, work))
      high = b;
    else
      low = a;
  }
  return (low + high) / 2;
}

// nu: rows by what is returned
static int find_dependence(const study_energy* y, double* nu)
{
  const int N = 2 * y->l->n, m = y->rows;
  double* columns = base_alloc(sizeof(double) * (size_t)(N * m + 1));
  for (int r = 0; r < m; r++)
    for (int j = 0; j < N; j++) columns[j * m + r] = y->dc[r * N + j];
  const int count = study_steady_null(m, N, columns, largest(N * m, y->dc), 1e-9, nu);
  free(columns);
  return count;
}

// Second derivatives of sum nu_r c_r. What cancels is made nothing: constants that are the same, or
// sums of others, would else give any form, from rounding.
static void bend_sum(const study_energy* y, const double* nu, int stride, double* out)
{
  const int N = 2 * y->l->n;
  double *one = base_alloc(sizeof(double) * (size_t)(N * N + 1)), size = 0;
  const study_energy alone = {.l = y->l}; // no forces belong to c
  memset(out, 0, sizeof(double) * (size_t)(N * N));
  for (int r = 0; r < y->rows; r++) {
    size = fmax(size, fabs(nu[r * stride]) * study_energy_bend(&alone, y->c[r], one));
    for (int i = 0; i < N * N; i++) out[i] += nu[r * stride] * one[i];
  }
  for (int i = 0; i < N * N; i++)
    if (fabs(out[i]) < cancelled * size) out[i] = 0;
  free(one);
}

void study_energy_choose(study_energy* y)
{
  const int N = 2 * y->l->n, k = y->k, m = y->rows;
  double* nu = base_alloc(sizeof(double) * (size_t)(m * m + N * N + 3 * k * k + 2 * k + 1));
  double *bent = nu + m * m, *S = bent + N * N, *G = S + k * k, *work = G + k * k;
  const int free_ones = m ? find_dependence(y, nu) : 0;
  for (int turn = 0; turn < sweeps * free_ones; turn++) {
    const int h = turn % free_ones;
    bend_sum(y, nu + h, free_ones, bent);
    project(y, y->H, S);
    project(y, bent, G);
    const double t = best(k, S, G, work);
    for (int i = 0; i < N * N; i++) y->H[i] -= t * bent[i];
    for (int r = 0; r < m; r++) y->mu[r] += t * nu[r * free_ones + h];
  }
  y->size = largest(N * N, y->H);
  free(nu);
}
