// Conjugate points on a geodesic.
//
// Jacobi fields that vanish at the start are the columns of A, in a parallel frame across the
// geodesic; A'^T A is symmetric, so that the pair (A, A') spans a Lagrangian plane. With the pair
// made orthonormal the matrices
//   C = A' A'^T - A A^T,  S = A A'^T + A' A^T
// commute and have the eigenvalues cos 2 theta, sin 2 theta. A point is conjugate where some theta
// is a multiple of pi, as many times as there are such theta, and every theta passes there upwards,
// since A A'^-1 has the slope 1 where it vanishes (Arnold 1967, Duistermaat 1976). The number of
// conjugate points on an interval is therefore (change of sum theta, followed continuously, less
// the change of sum (theta mod pi))/pi, whatever their multiplicities.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom/geodesic.h"
#include "num/num.h"

enum { SAMPLES = 8, MOST_HALVINGS = 60 };

int geom_conjugate_room(int k)
{
  return 10 * k * k + 3 * k;
}

typedef struct search
{
  const geom_fields* f;
  geom_fields_at* fields;
  void* context;
  double from, unit;
  double phase[SAMPLES + 1]; // sum theta, continuous from sample to sample
  double start;              // sum (theta mod pi) at `from`
} search;

// The sum of theta mod pi, each in [0, pi), at s; `unit`: lengths are measured by it
static double angles(const search* x, double s)
{
  const int k = x->f->k;
  double *y = x->f->work, *G = y + 2 * k * k, *C = G + k * k, *S = C + k * k, *M = S + k * k,
         *W = M + k * k, *sigma = W + k * k, *column = sigma + k;
  x->fields(x->context, s, y);
  for (int i = 0; i < k * k; i++) y[i] /= x->unit;
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++) {
      G[i * k + j] = 0;
      for (int m = 0; m < 2 * k; m++) G[i * k + j] += y[m * k + i] * y[m * k + j];
    }
  if (!num_cholesky(k, G, 0)) return NAN;
  // rows a of A and A': G^-1 applied to them gives A G^-1 A^T and its like
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++) C[i * k + j] = S[i * k + j] = 0;
  for (int half = 0; half < 2; half++)
    for (int i = 0; i < k; i++) {
      memcpy(column, y + (half * k + i) * k, sizeof(double) * (size_t)k);
      num_cholesky_solve(k, G, column);
      for (int j = 0; j < k; j++)
        for (int m = 0; m < k; m++) {
          C[i * k + j] += (half ? 1 : -1) * column[m] * y[(half * k + j) * k + m];
          if (half) continue;
          S[i * k + j] += column[m] * y[(k + j) * k + m];
          S[j * k + i] += column[m] * y[(k + j) * k + m];
        }
    }
  // eigenvectors of a mixture of both, shifted so that its singular values are its eigenvalues
  const double mix = 0.4142;
  for (int i = 0; i < k * k; i++) M[i] = C[i] + mix * S[i] + (i % (k + 1) == 0 ? 2 : 0);
  num_singular(k, k, M, W, sigma);
  double sum = 0;
  for (int a = 0; a < k; a++) {
    double c = 0, z = 0;
    for (int i = 0; i < k; i++)
      for (int j = 0; j < k; j++) {
        c += W[a * k + i] * C[i * k + j] * W[a * k + j];
        z += W[a * k + i] * S[i * k + j] * W[a * k + j];
      }
    const double theta = atan2(z, c) / 2;
    sum += theta < 0 ? theta + M_PI : theta;
  }
  return sum;
}

// `sum` moved by whole pi until it is next to `near`
static double lift(double sum, double near)
{
  return sum + M_PI * round((near - sum) / M_PI);
}

// how many conjugate points lie between `from` and s
static int count(const search* x, double s)
{
  const double sum = angles(x, s), part = (s - x->from) / x->unit * SAMPLES;
  const int j = part < 0 ? 0 : part > SAMPLES - 1 ? SAMPLES - 1 : (int)part;
  const double near = x->phase[j] + (part - j) * (x->phase[j + 1] - x->phase[j]);
  const double n = (lift(sum, near) - x->phase[0] - (sum - x->start)) / M_PI;
  return isfinite(n) ? (int)lround(n) : 0;
}

int geom_conjugate_find(const geom_fields* f, geom_fields_at* fields, void* context, double from,
                        double to, double* at, int* multiple)
{
  search x = {.f = f, .fields = fields, .context = context, .from = from, .unit = to - from};
  if (f->k == 0 || !(x.unit > 0)) return 0;
  x.phase[0] = x.start = angles(&x, from);
  for (int i = 1; i <= SAMPLES; i++)
    x.phase[i] = lift(angles(&x, from + x.unit * i / SAMPLES), x.phase[i - 1]);
  const int all = count(&x, to);
  int places = 0;
  for (int found = 0; found < all && places < f->k;) {
    double low = places ? at[places - 1] : from, high = to;
    // the least s with more than `found` of them
    for (int i = 0; i < MOST_HALVINGS; i++) {
      const double middle = low + (high - low) / 2;
      if (!(middle > low && middle < high)) break;
      *(count(&x, middle) > found ? &high : &low) = middle;
    }
    // those that rounding sets apart are one place
    const double beside = high + 1e-9 * x.unit;
    const int now = beside < to ? count(&x, beside) : all;
    at[places] = high;
    multiple[places++] = now - found > 0 ? now - found : 1;
    found = now > found ? now : found + 1;
  }
  return places;
}
