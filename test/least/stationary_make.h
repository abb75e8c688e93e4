// Problems for the tests of stationary points.
#pragma once

#include "least/least.h"

#include <math.h>
#include <string.h>

enum { L = LEAST_STATIONARY_MOST };

typedef struct made
{
  least_stationary_problem p;
  double H[L * L], r[L];
  least_polynomial y[L];
  least_monomial term[L][96];
} made;

static inline void begin(made* m, int l, int s, const double* masses, const double* r)
{
  memset(m, 0, sizeof *m);
  for (int i = 0; i < l; i++) {
    m->H[i * l + i] = masses ? masses[i] : 1;
    m->r[i] = r[i];
  }
  for (int j = 0; j < s; j++) m->y[j].term = m->term[j];
  m->p = (least_stationary_problem){.l = l, .s = s, .H = m->H, .r = m->r, .polynomial = m->y};
}

// c w_a^p w_b^q to constraint j
static inline void term(made* m, int j, double c, int a, int p, int b, int q)
{
  least_monomial* t = &m->term[j][m->y[j].terms++];
  t->c = c;
  t->power[a] = (unsigned char)(t->power[a] + p);
  t->power[b] = (unsigned char)(t->power[b] + q);
}

static inline double uniform(unsigned* seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) / 16777216.0;
}

// a random full mass matrix, force and quadric with w = 0 inside: 0 ellipsoid, 1 one negative
// direction, 2 two
static inline void make_quadric(made* m, int l, int negative, unsigned* seed)
{
  double r[L], X[L * L];
  for (int i = 0; i < l; i++) r[i] = 4 * uniform(seed) - 2;
  begin(m, l, 1, NULL, r);
  for (int i = 0; i < l * l; i++) X[i] = uniform(seed) - 0.5;
  for (int i = 0; i < l; i++)
    for (int j = 0; j < l; j++) {
      m->H[i * l + j] = i == j ? 0.5 : 0;
      for (int k = 0; k < l; k++) m->H[i * l + j] += X[i * l + k] * X[j * l + k];
    }
  for (int i = 0; i < l * l; i++) X[i] = uniform(seed) - 0.5;
  for (int i = 0; i < l; i++) {
    for (int j = 0; j <= i; j++) {
      double a = i == j ? 0.3 + uniform(seed) : 0;
      if (i == j && i < negative) a = -a - 1;
      for (int k = 0; k < l; k++) a += 0.4 * X[i * l + k] * X[j * l + k];
      term(m, 0, i == j ? a : 2 * a, i, 1, j, 1);
    }
    term(m, 0, 0.2 * (uniform(seed) - 0.5), i, 1, 0, 0);
  }
  term(m, 0, -1, 0, 0, 0, 0);
}

// least U where rays from w = 0 meet the (first, quadratic) constraint
static inline double least_on_rays(const made* m, int rays, unsigned* seed)
{
  int l = m->p.l;
  double best = INFINITY, free[L], C[L * L];
  memcpy(C, m->H, sizeof C);
  memcpy(free, m->r, sizeof free);
  num_cholesky(l, C, 0);
  num_cholesky_solve(l, C, free);
  for (int k = 0; k < rays; k++) {
    double d[L], a = 0, b = 0, U = 0;
    for (int i = 0; i < l; i++) d[i] = uniform(seed) - 0.5;
    for (int t = 0; t < m->y[0].terms; t++) {
      double v = m->term[0][t].c;
      int degree = 0;
      for (int i = 0; i < l; i++)
        for (int p = 0; p < m->term[0][t].power[i]; p++, degree++) v *= d[i];
      *(degree == 2 ? &a : degree == 1 ? &b : &U) += v;
    }
    // a s^2 + b s + c = 0, c < 0 < a
    double s = (-b + sqrt(b * b - 4 * a * U)) / (2 * a);
    U = 0;
    for (int i = 0; i < l; i++)
      for (int j = 0; j < l; j++)
        U += 0.5 * (s * d[i] - free[i]) * m->H[i * l + j] * (s * d[j] - free[j]);
    best = fmin(best, U);
  }
  return best;
}
