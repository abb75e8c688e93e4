// Chains of links in a plane: embeddings in formulas.
//
// In angles th_i from a fixed direction their metric is g_ij = a_ij cos(th_i - th_j) with constants
// a_ij. Planes x + i y = sum_j alpha_j e^(i th_j) and lines sqrt(c_j) th_j have this metric where
//   A = sum alpha alpha^T + diag(c)
// so 2 rank(A - diag(c)) + (number of c_j > 0) dimensions suffice. Taking c_i = 1/(A^-1)_ii lowers
// the rank by one; for several i at once it does so for each where (A^-1)_ij = 0 among them. For
// masses at the joints A^-1 has entries next to its diagonal only, and every other link may be
// chosen: the double pendulum lies in 3 dimensions, the triple one in 4, one of N links in
// 2 N - (N + 1)/2.
#include <stdlib.h>
#include <string.h>

#include "geom/embedding.h"
#include "geom/formula.h"

enum { MOST_LINKS = 6 };

typedef struct chain
{
  geom_embedding* e;
  expr_pool* p;
  int n;
  expr* q;                               // coordinates
  expr angle[MOST_LINKS];                // th_i in them
  int S[MOST_LINKS][MOST_LINKS];         // th = S q
  expr A[MOST_LINKS * MOST_LINKS];       // a_ij
  expr inverse[MOST_LINKS * MOST_LINKS]; // of A
} chain;

static expr tidy(expr_pool* p, expr e)
{
  return e != EXPR_NONE && expr_size(p, 1, &e) <= 400 ? expr_simplify(p, e) : e;
}

// ---- is it one? ---------------------------------------------------------------------------------

// q = S^-1 th: the coordinates themselves, or each link's angle from the one before
static void turn(chain* c, bool relative)
{
  for (int i = 0; i < c->n; i++) {
    c->angle[i] = expr_int(c->p, 0);
    for (int j = 0; j < c->n; j++) {
      c->S[i][j] = relative ? j <= i : j == i;
      if (c->S[i][j]) c->angle[i] = expr_add(c->p, c->angle[i], c->q[j]);
    }
  }
}

// g of the angles: with th_i' = v_i, q_i' = v_i - v_(i-1) for relative ones
static expr in_angles(const chain* c, bool relative, int i, int j)
{
  const expr* g = c->e->s->g;
  expr_pool* p = c->p;
  const int n = c->n;
  expr sum = g[i * n + j];
  if (!relative) return sum;
  if (i + 1 < n) sum = expr_sub(p, sum, g[(i + 1) * n + j]);
  if (j + 1 < n) sum = expr_sub(p, sum, g[i * n + j + 1]);
  if (i + 1 < n && j + 1 < n) sum = expr_add(p, sum, g[(i + 1) * n + j + 1]);
  return tidy(p, sum);
}

// e = a cos(th_i - th_j) with constant a, or EXPR_NONE
static expr amplitude(const chain* c, expr e, int i, int j)
{
  expr_pool* p = c->p;
  expr zero[MOST_LINKS];
  for (int k = 0; k < c->n; k++) zero[k] = expr_int(p, 0);
  const expr a = tidy(p, expr_substitute(p, e, c->n, c->q, zero));
  if (a == EXPR_NONE || expr_has_any(p, a, c->n, c->q)) return EXPR_NONE;
  const expr wave = expr_fn1(p, EXPR_COS, expr_sub(p, c->angle[i], c->angle[j]));
  const expr off = expr_sub(p, e, expr_mul(p, a, wave));
  return expr_is_zero(p, off) == EXPR_YES ? a : EXPR_NONE;
}

static bool is_chain(chain* c, bool relative)
{
  turn(c, relative);
  for (int i = 0; i < c->n; i++)
    for (int j = i; j < c->n; j++) {
      const expr a = amplitude(c, in_angles(c, relative, i, j), i, j);
      if (a == EXPR_NONE) return false;
      c->A[i * c->n + j] = c->A[j * c->n + i] = a;
    }
  return true;
}

// ---- the smallest of these maps -----------------------------------------------------------------

// Gauss and Jordan on (A, 1); false where a pivot is nothing
static bool invert(chain* c)
{
  const int n = c->n;
  expr_pool* p = c->p;
  expr M[MOST_LINKS * MOST_LINKS];
  memcpy(M, c->A, sizeof M);
  for (int i = 0; i < n * n; i++) c->inverse[i] = expr_int(p, i / n == i % n);
  for (int k = 0; k < n; k++) {
    const expr pivot = M[k * n + k];
    if (expr_is_zero(p, pivot) != EXPR_NO) return false;
    for (int j = 0; j < n; j++) {
      M[k * n + j] = tidy(p, expr_div(p, M[k * n + j], pivot));
      c->inverse[k * n + j] = tidy(p, expr_div(p, c->inverse[k * n + j], pivot));
    }
    for (int i = 0; i < n; i++) {
      const expr part = M[i * n + k];
      if (i == k || part == expr_int(p, 0)) continue;
      for (int j = 0; j < n; j++) {
        M[i * n + j] = tidy(p, expr_sub(p, M[i * n + j], expr_mul(p, part, M[k * n + j])));
        c->inverse[i * n + j] =
            tidy(p, expr_sub(p, c->inverse[i * n + j], expr_mul(p, part, c->inverse[k * n + j])));
      }
    }
  }
  return !expr_pool_full(p);
}

// the largest set of links whose entries of A^-1 vanish among each other, as bits
static int choose_lines(const chain* c)
{
  const int n = c->n;
  int best = 1, most = 1;
  for (int set = 1; set < 1 << n; set++) {
    int count = 0;
    bool fits = true;
    for (int i = 0; i < n; i++) {
      if (!(set >> i & 1)) continue;
      count++;
      for (int j = 0; j < i; j++)
        if (set >> j & 1) fits = fits && expr_is_zero(c->p, c->inverse[i * n + j]) == EXPR_YES;
    }
    if (!fits || count <= most || count == n) continue;
    most = count;
    best = set;
  }
  return best;
}

// alpha (n by r) with A - diag(c) = alpha alpha^T, by Cholesky on the r links of the planes
static bool factor(const chain* c, int r, const int* plane, expr* alpha)
{
  const int n = c->n;
  expr_pool* p = c->p;
  // rows of the links of the planes first, then those of the others
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < n; i++) {
      int at = -1;
      for (int k = 0; k < r; k++)
        if (plane[k] == i) at = k;
      if ((at >= 0) != (pass == 0)) continue;
      for (int k = 0; k < r; k++) alpha[i * r + k] = expr_int(p, 0);
      for (int k = 0; k < (at >= 0 ? at : r); k++) {
        expr sum = c->A[i * n + plane[k]];
        for (int h = 0; h < k; h++)
          sum = expr_sub(p, sum, expr_mul(p, alpha[i * r + h], alpha[plane[k] * r + h]));
        alpha[i * r + k] = tidy(p, expr_div(p, sum, alpha[plane[k] * r + k]));
      }
      if (at < 0) continue;
      expr left = c->A[i * n + i];
      for (int h = 0; h < at; h++)
        left = expr_sub(p, left, expr_mul(p, alpha[i * r + h], alpha[i * r + h]));
      alpha[i * r + at] = geom_root(p, tidy(p, left));
      if (alpha[i * r + at] == EXPR_NONE || expr_is_zero(p, alpha[i * r + at]) == EXPR_YES)
        return false;
    }
  return !expr_pool_full(p);
}

static bool make_map(chain* c)
{
  const int n = c->n, lines = choose_lines(c);
  expr_pool* p = c->p;
  expr alpha[MOST_LINKS * MOST_LINKS], x[2 * MOST_LINKS];
  int plane[MOST_LINKS], r = 0, N = 0;
  for (int i = 0; i < n; i++)
    if (!(lines >> i & 1)) plane[r++] = i;
  if (!factor(c, r, plane, alpha)) return false;
  for (int k = 0; k < r; k++)
    for (int part = 0; part < 2; part++) {
      expr sum = expr_int(p, 0);
      for (int i = 0; i < n; i++) {
        const expr wave = expr_fn1(p, part ? EXPR_SIN : EXPR_COS, c->angle[i]);
        sum = expr_add(p, sum, expr_mul(p, alpha[i * r + k], wave));
      }
      x[N++] = sum;
    }
  for (int i = 0; i < n; i++)
    if (lines >> i & 1) {
      const expr length = tidy(p, expr_div(p, expr_int(p, 1), c->inverse[i * n + i]));
      x[N++] = expr_mul(p, geom_root(p, length), c->angle[i]);
    }
  if (expr_pool_full(p) || !geom_has_metric(p, n, c->q, c->e->s->g, N, x)) return false;
  return geom_embedding_formula(c->e, N, x, N == n + 1 ? "a hypersurface" : "a submanifold");
}

bool geom_chain_find(geom_embedding* e)
{
  chain c = {.e = e, .p = e->s->pool, .n = e->n, .q = e->s->q};
  if (e->n < 3 || e->n > MOST_LINKS) return false;
  return (is_chain(&c, false) || is_chain(&c, true)) && invert(&c) && make_map(&c);
}
