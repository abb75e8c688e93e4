// The numbers of Gauss's method with eight stages, in long double, rounded once.
//
// On x in [-1, 1] with the zeros x_i of P_8: c = (1 + x) / 2, b_j = 1 / ((1 - x_j^2) P_8'(x_j)^2),
// and from the expansion of the basis polynomials on Legendre's (Hairer, Wanner, Solving ODEs II,
// IV.5)
//   mu_ij = a_ij / b_j = (1 + x_i) / 2 + 1/2 sum_(k=1..7) P_k(x_j) (P_(k+1)(x_i) - P_(k-1)(x_i)).
// The method is symplectic where b_i a_ij + b_j a_ji = b_i b_j, that is mu_ij + mu_ji = 1, and
// symmetric where mu_ij and mu of the stages mirrored add up to 1; both are kept in the rounded
// numbers (Antonana, Makazaga, Murua, Numerical Algorithms 76 (2017), 861).
#include "step/gauss16.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

enum { S = gauss16_stages };

// P_0 .. P_S at x
static void legendre(long double x, long double P[S + 1])
{
  P[0] = 1;
  P[1] = x;
  for (int k = 1; k < S; k++) P[k + 1] = ((2 * k + 1) * x * P[k] - k * P[k - 1]) / (k + 1);
}

// Newton's method from the usual guess; *slope is P_8' there
static long double zero_of(int i, long double* slope)
{
  long double x = -cosl(acosl(-1) * (i + 0.75L) / (S + 0.5L)), P[S + 1];
  for (int turn = 0; turn < 8; turn++) {
    legendre(x, P);
    *slope = S * (P[S - 1] - x * P[S]) / (1 - x * x);
    x -= P[S] / *slope;
  }
  return x;
}

// both of a pair from the one that is not small: one less it is then exact
static void pair(gauss16_table* t, int i, int j, long double ij, long double ji)
{
  const bool first = fabsl(ij) >= fabsl(ji);
  const long double exact = first ? ij : ji;
  const double large = (double)exact, other = 1 - large, rest = (double)(exact - large);
  t->mu[8 * j + i] = first ? large : other;
  t->mu[8 * i + j] = first ? other : large;
  t->mu_rest[8 * j + i] = first ? rest : -rest;
  t->mu_rest[8 * i + j] = first ? -rest : rest;
}

// Long doubles, and the powers of them, have other digits elsewhere, in browsers few more than a
// double's. What lengths of steps are found by keeps those that all have, 32 bits behind the point,
// so that everywhere the same steps are made.
static double shortened(long double x)
{
  return ldexp(rint(ldexp((double)x, 32)), -32);
}

// the cubic through m^(-1/17) at the zeros of Chebyshev's polynomial on [1, 2], in powers of m, by
// divided differences
static void find_root(gauss16_table* t)
{
  enum { count = sizeof t->bend / sizeof *t->bend };
  long double m[count], f[count], power[count] = {0};
  for (int r = 0; r < 17; r++) t->root[r] = shortened(exp2l(-r / 17.0L));
  for (int i = 0; i < count; i++) {
    m[i] = 1.5L + cosl(acosl(-1) * (2 * i + 1) / (2 * count)) / 2;
    f[i] = powl(m[i], -1 / 17.0L);
  }
  for (int k = 1; k < count; k++)
    for (int i = count - 1; i >= k; i--) f[i] = (f[i] - f[i - 1]) / (m[i] - m[i - k]);
  for (int k = count - 1; k >= 0; k--) {
    for (int i = count - 1; i > 0; i--) power[i] = power[i - 1] - m[k] * power[i];
    power[0] = f[k] - m[k] * power[0];
  }
  for (int i = 0; i < count; i++) t->bend[i] = shortened(power[i]);
}

// x = 2^e m, e = 17 q + r; what is added to the exponent as it is kept makes q of it, and so much
// more
double gauss16_root(const gauss16_table* t, double x)
{
  enum { bias = 1023, digits = 52, more = 61, add = 17 * more - bias };
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  const unsigned exponent = (unsigned)(bits >> digits) + add, q = exponent / 17;
  const uint64_t one = (uint64_t)bias << digits, rest = bits & (((uint64_t)1 << digits) - 1);
  const uint64_t part[2] = {one | rest, (uint64_t)(bias + more - q) << digits};
  double m, power;
  memcpy(&m, part, sizeof m);
  memcpy(&power, part + 1, sizeof power);
  const double* a = t->bend;
  const double scale = power * t->root[exponent - 17 * q];
  return scale * ((a[0] + a[1] * m) + (a[2] + a[3] * m) * (m * m));
}

static gauss16_table numbers;

static void find_numbers(void)
{
  gauss16_table* t = &numbers;
  find_root(t);
  long double x[S], b[S], P[S][S + 1], mu[S][S];
  for (int i = 0; i < S; i++) {
    long double slope;
    x[i] = zero_of(i, &slope);
    legendre(x[i], P[i]);
    b[i] = 1 / ((1 - x[i] * x[i]) * slope * slope);
    t->c[i] = (double)((1 + x[i]) / 2);
    t->b[i] = (double)b[i];
    for (int k = 0; k < S; k++) t->legendre[8 * i + k] = (double)((2 * k + 1) * b[i] * P[i][k]);
  }
  for (int i = 0; i < S; i++)
    for (int j = 0; j < S; j++) {
      mu[i][j] = (1 + x[i]) / 2;
      for (int k = 1; k < S; k++) mu[i][j] += P[j][k] * (P[i][k + 1] - P[i][k - 1]) / 2;
    }
  for (int i = 0; i < S; i++) {
    long double product = 1;
    for (int j = 0; j < S; j++)
      if (j != i) product *= (x[i] - x[j]) / 2;
    t->over[i] = (double)(1 / product);
    t->mu[8 * i + i] = 0.5;
    t->mu_rest[8 * i + i] = 0;
    for (int j = 0; j < i; j++) pair(t, i, j, mu[i][j], mu[j][i]);
  }
}

// the same for every run: found once
const gauss16_table* gauss16_table_find(void)
{
  static pthread_once_t found = PTHREAD_ONCE_INIT;
  pthread_once(&found, find_numbers);
  return &numbers;
}
