// States on the constraints: random ones, moved there by Newton's method.
#pragma once

#include "mech/hand.h"
#include "mech/mech.h"

// x -= y with J y = r (m rows, n columns); returns the largest |r| relative to the rows. Far away
// the y of least norm, close by one from elimination, which squares no condition.
static inline double consistent_step(int m, int n, const double* J, const double* r, double* x)
{
  double* G = base_alloc(sizeof(double) * (size_t)(m * m + 2 * m + 1));
  double *b = G + m * m, *y = b + m, most = 0;
  for (int i = 0; i < m; i++) {
    double size = 1e-300;
    for (int k = 0; k < n; k++) size = fmax(size, fabs(J[i * n + k]));
    most = fmax(most, isfinite(r[i]) ? fabs(r[i]) / size : INFINITY);
    b[i] = r[i];
    for (int j = 0; j < m; j++)
      for (int k = 0; k < n; k++) G[i * m + j] += J[i * n + k] * J[j * n + k];
  }
  if (most > 1e-6) {
    hand_solve(m, m, G, b, y);
    for (int k = 0; k < n; k++)
      for (int i = 0; i < m; i++) x[k] -= J[i * n + k] * y[i];
  } else {
    double* K = base_alloc(sizeof(double) * (size_t)(m * n + n + 1));
    memcpy(K, J, sizeof(double) * (size_t)(m * n));
    hand_solve(m, n, K, b, K + m * n);
    for (int k = 0; k < n; k++) x[k] -= K[m * n + k];
    free(K);
  }
  free(G);
  return most;
}

// one level: positions (level 0) or velocities (level 1); false if Newton's method does not arrive
static inline bool consistent_level(const hand* h, const mech_system* s, hand_state* at, int level)
{
  expr* list = base_alloc(sizeof(expr) * (size_t)(s->m * (s->n + 1) + 1));
  double* value = base_alloc(sizeof(double) * (size_t)(s->m * (s->n + 1) + s->n + 1));
  double* x = value + s->m * (s->n + 1);
  const expr *f = level ? s->f1 : s->f0, *symbol = level ? s->v : s->q;
  int rows = 0;
  for (int k = 0; k < s->m; k++) rows += f[k] != EXPR_NONE;
  for (int k = 0, i = 0; k < s->m; k++) {
    if (f[k] == EXPR_NONE) continue;
    list[i] = f[k];
    for (int j = 0; j < s->n; j++) list[rows + i * s->n + j] = s->A[k * s->n + j];
    i++;
  }
  int close = rows == 0 ? 3 : 0;
  for (int step = 0; step < 60 && close < 3; step++) {
    hand_get_all(h, at, rows * (s->n + 1), list, value);
    for (int j = 0; j < s->n; j++) x[j] = hand_get(h, at, symbol[j]);
    double off = consistent_step(rows, s->n, value + rows, value, x);
    if (!isfinite(off) || off > 1e6) break;
    for (int j = 0; j < s->n; j++) hand_put(at, symbol[j], x[j]);
    // a few steps more than needed: what is left is rounding
    if (off < 1e-12) close++;
  }
  free(list);
  free(value);
  return close == 3;
}

// a random state on the constraints
static inline bool consistent_throw(const hand* h, const mech_system* s, uint64_t* seed,
                                    hand_state* at)
{
  *at = hand_throw(h, seed);
  return consistent_level(h, s, at, 0) && consistent_level(h, s, at, 1);
}
