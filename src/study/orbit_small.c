// Multipliers that are far smaller than the largest.
//
// In the map over a whole period they are lost in the rounding of the largest. Over short stretches
// they are not: X_k = Phi_k Q_(k-1) = Q_k R_k, and where Q comes back to itself after a period, but
// for signs, the multipliers are the products of the diagonals of R_k with those signs (orthogonal
// iteration, Bauer 1957; as for Lyapunov's exponents, Benettin 1980). It does so after few periods,
// as their moduli are far apart.
#include "study/orbit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { stretches = 64, most_periods = 6 };
static const double lost = 1e-8;     // multipliers below this, over the largest, are looked at
static const double is_back = 1e-7;  // cosine between a direction and what it comes back as, less 1
static const double smallest = -690; // logarithms of what a double can hold

// the d columns of X (N by d, row by row) made orthonormal; logarithms of their lengths are added
static bool orthonormal(int N, int d, double* X, double* logs)
{
  for (int k = 0; k < d; k++) {
    double before = 0, length = 0;
    for (int i = 0; i < N; i++) before += X[i * d + k] * X[i * d + k];
    for (int turn = 0; turn < 2; turn++)
      for (int h = 0; h < k; h++) {
        double sum = 0;
        for (int i = 0; i < N; i++) sum += X[i * d + h] * X[i * d + k];
        for (int i = 0; i < N; i++) X[i * d + k] -= sum * X[i * d + h];
      }
    for (int i = 0; i < N; i++) length += X[i * d + k] * X[i * d + k];
    // nothing is left of it but rounding
    if (!(sqrt(length) > 1e-11 * sqrt(before))) return false;
    for (int i = 0; i < N; i++) X[i * d + k] /= sqrt(length);
    logs[k] += log(length) / 2;
  }
  return true;
}

// one period from the basis Q; Q becomes what it comes back as
static bool go_round(study_orbit* o, const study_stability* r, double* Q, double* logs)
{
  const int n = r->n, N = 2 * n, d = o->d;
  base_notes* quiet = base_notes_new();
  bool fine = true;
  memset(logs, 0, sizeof(double) * (size_t)d);
  memcpy(o->y, r->q, sizeof(double) * (size_t)n);
  memcpy(o->y + n, r->v, sizeof(double) * (size_t)n);
  memcpy(o->y + N, Q, sizeof(double) * (size_t)(N * d));
  for (int k = 0; k < stretches && fine; k++)
    fine = study_orbit_fly(o, r->t + k * r->period / stretches, r->period / stretches, quiet) &&
           orthonormal(N, d, o->y + N, logs);
  memcpy(Q, o->y + N, sizeof(double) * (size_t)(N * d));
  base_notes_free(quiet);
  return fine;
}

// number of the multiplier with exactly k of larger modulus
static int ranked(const study_stability* r, int k)
{
  for (int i = 0; i < r->multipliers; i++) {
    const double size = hypot(r->multiplier_re[i], r->multiplier_im[i]);
    int before = 0;
    for (int j = 0; j < r->multipliers; j++) {
      const double other = hypot(r->multiplier_re[j], r->multiplier_im[j]);
      before += other > size || (other == size && j < i);
    }
    if (before == k) return i;
  }
  return 0;
}

void study_orbit_sharpen(study_orbit* o, study_stability* r)
{
  const int N = 2 * r->n, d = o->d;
  double most = 0;
  int small = 0;
  for (int i = 0; i < d; i++) most = fmax(most, hypot(r->multiplier_re[i], r->multiplier_im[i]));
  for (int i = 0; i < d; i++)
    small += hypot(r->multiplier_re[i], r->multiplier_im[i]) < lost * most;
  if (!small || o->s) return;
  double* Q = base_alloc(sizeof(double) * (size_t)(2 * N * d + 2 * d + 1));
  double *before = Q + N * d, *logs = before + N * d, *value = logs + d;
  memcpy(Q, o->W, sizeof(double) * (size_t)(N * d));
  bool fine = true, back = false;
  for (int turn = 0; turn < most_periods && fine && !back; turn++) {
    memcpy(before, Q, sizeof(double) * (size_t)(N * d));
    fine = go_round(o, r, Q, logs);
    back = fine && turn > 0;
    for (int k = d - small; k < d && back; k++) {
      double sum = 0;
      for (int i = 0; i < N; i++) sum += Q[i * d + k] * before[i * d + k];
      back = 1 - fabs(sum) < is_back && logs[k] > smallest;
      value[k] = copysign(exp(logs[k]), sum);
    }
  }
  // in the order of their moduli, the lost ones last
  int* at = base_alloc(sizeof(int) * (size_t)(d + 1));
  for (int k = d - small; k < d; k++) at[k] = ranked(r, k);
  for (int k = d - small; k < d && back; k++) {
    r->multiplier_re[at[k]] = value[k];
    r->multiplier_im[at[k]] = 0;
  }
  free(at);
  free(Q);
}
