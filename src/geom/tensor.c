// Christoffel symbols and curvature of a metric from the numbers of its jet at one point.
#include "geom/tensor.h"
#include "num/num.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Gamma_{a,cv} = 1/2 (d_v g_ca + d_c g_va - d_a g_cv)                     Briskin (2000), (1.5)
// R_{lxba} = d_x Gamma_{a,bl} - d_l Gamma_{a,bx}
//            + g^{mn} (Gamma_{n,bx} Gamma_{m,al} - Gamma_{n,bl} Gamma_{m,ax})               (1.3)
// where the first two terms are 1/2 (d_x d_b g_la - d_x d_a g_bl - d_l d_b g_xa + d_l d_a g_bx);
// R_1212 = K det g. Ricci R_xa = g^{lb} R_{lxba}, scalar g^{xa} R_xa.

static double* take(base_arena* arena, int n)
{
  return base_arena_take(arena, sizeof(double) * (size_t)(n > 0 ? n : 1));
}

geom_jet geom_jet_take(base_arena* arena, int n)
{
  geom_jet j = {.n = n};
  j.g = take(arena, n * n);
  j.dg = take(arena, n * n * n);
  j.ddg = take(arena, n * n * n * n);
  return j;
}

double geom_riemann(const geom_numbers* r, int l, int x, int b, int a)
{
  if (l == x || a == b) return 0;
  double sign = 1;
  int t;
  if (l > x) sign = -sign, t = l, l = x, x = t;
  if (b > a) sign = -sign, t = b, b = a, a = t;
  const int P = geom_pairs(r->n);
  return sign * r->riemann[geom_pair(r->n, l, x) * P + geom_pair(r->n, b, a)];
}

// inverse and determinant by Cholesky; false where the metric is not positive definite
static bool invert(int n, const double* g, double* inverse, double* det)
{
  double* L = base_alloc(sizeof(double) * (size_t)(n * n + n));
  double* column = L + n * n;
  memcpy(L, g, sizeof(double) * (size_t)(n * n));
  bool fine = true;
  for (int i = 0; i < n * n; i++) fine &= isfinite(g[i]) != 0;
  fine = fine && num_cholesky(n, L, 0);
  *det = fine;
  for (int j = 0; j < n && fine; j++) {
    *det *= L[j * n + j] * L[j * n + j];
    for (int i = 0; i < n; i++) column[i] = i == j;
    num_cholesky_solve(n, L, column);
    for (int i = 0; i < n; i++) inverse[i * n + j] = column[i];
  }
  free(L);
  return fine;
}

static void christoffel(const geom_jet* j, geom_numbers* r)
{
  const int n = r->n;
  for (int a = 0; a < n; a++)
    for (int c = 0; c < n; c++)
      for (int v = 0; v < n; v++)
        r->first[(a * n + c) * n + v] =
            0.5 *
            (j->dg[(v * n + c) * n + a] + j->dg[(c * n + v) * n + a] - j->dg[(a * n + c) * n + v]);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n * n; i++) {
      double sum = 0;
      for (int a = 0; a < n; a++) sum += r->inverse[k * n + a] * r->first[a * n * n + i];
      r->second[k * n * n + i] = sum;
    }
}

static void component(const geom_jet* j, int l, int x, int b, int a, geom_numbers* r)
{
  const int n = r->n, P = geom_pairs(n);
  const double *h = j->ddg, *G = r->first, *S = r->second;
#define H(K, L, I, J) h[(((K)*n + (L)) * n + (I)) * n + (J)]
  const double part[4] = {H(x, b, l, a), -H(x, a, b, l), -H(l, b, x, a), H(l, a, b, x)};
#undef H
  double sum = 0, size = 0;
  for (int i = 0; i < 4; i++) {
    sum += 0.5 * part[i];
    size += 0.5 * fabs(part[i]);
  }
  for (int m = 0; m < n; m++) {
    const double up = S[(m * n + b) * n + x] * G[(m * n + a) * n + l];
    const double down = S[(m * n + b) * n + l] * G[(m * n + a) * n + x];
    sum += up - down;
    size += fabs(up) + fabs(down);
  }
  const int p = geom_pair(n, l, x), q = geom_pair(n, b, a);
  r->riemann[p * P + q] = r->riemann[q * P + p] = sum;
  r->size[p * P + q] = r->size[q * P + p] = size;
}

static void riemann(const geom_jet* j, geom_numbers* r)
{
  const int n = r->n;
  for (int l = 0; l < n; l++)
    for (int x = l + 1; x < n; x++)
      for (int b = l; b < n; b++)
        for (int a = b + 1; a < n; a++)
          if (geom_pair(n, b, a) >= geom_pair(n, l, x)) component(j, l, x, b, a, r);
}

static void contract(geom_numbers* r)
{
  const int n = r->n;
  r->scalar = 0;
  for (int x = 0; x < n; x++)
    for (int a = 0; a < n; a++) {
      double sum = 0;
      for (int l = 0; l < n; l++)
        for (int b = 0; b < n; b++) sum += r->inverse[l * n + b] * geom_riemann(r, l, x, b, a);
      r->ricci[x * n + a] = sum;
      r->scalar += r->inverse[x * n + a] * sum;
    }
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) {
      const double area = r->g[i * n + i] * r->g[j * n + j] - r->g[i * n + j] * r->g[i * n + j];
      r->sectional[geom_pair(n, i, j)] = geom_riemann(r, i, j, i, j) / area;
    }
}

geom_numbers* geom_numbers_make(base_arena* arena, const geom_jet* j)
{
  const int n = j->n, P = geom_pairs(n);
  assert(n > 0);
  geom_numbers* r = base_arena_take(arena, sizeof *r);
  r->n = n;
  r->g = take(arena, n * n);
  memcpy(r->g, j->g, sizeof(double) * (size_t)(n * n));
  r->inverse = take(arena, n * n);
  r->first = take(arena, n * n * n);
  r->second = take(arena, n * n * n);
  r->riemann = take(arena, P * P);
  r->size = take(arena, P * P);
  r->ricci = take(arena, n * n);
  r->sectional = take(arena, P);
  r->regular = invert(n, r->g, r->inverse, &r->det);
  if (!r->regular) return r;
  christoffel(j, r);
  riemann(j, r);
  contract(r);
  return r;
}
