// Christoffel symbols and curvature in formulas: only what is independent, what is equal once.
#include <stdlib.h>
#include <string.h>

#include "geom/space.h"

// As in tensor.c, with the inverse as adjugate over determinant; nothing is multiplied out except
// where the result is short.

// coordinates up to which the inverse is written as a formula
enum { MOST_SYMBOLIC = 8 };

typedef struct curving
{
  geom_space* s;
  expr_pool* p;
  int n;
  expr zero, half;
  size_t short_size; // expressions up to this size are worth the simplifier
} curving;

static expr shorten(const curving* w, expr e)
{
  return expr_size(w->p, 1, &e) <= w->short_size ? expr_simplify(w->p, e) : e;
}

static bool is_zero(const curving* w, expr e)
{
  return e == w->zero;
}

// ---- inverse ------------------------------------------------------------------------------------

// minor of the given rows with all sets of as many columns: D[set], by expansion along the last row
static void minors(const curving* w, int count, const int* row, expr* D)
{
  const int n = w->n;
  D[0] = expr_int(w->p, 1);
  for (unsigned set = 1; set < 1u << n; set++) {
    const int size = __builtin_popcount(set);
    D[set] = w->zero;
    if (size > count) continue;
    int sign = size % 2 ? 1 : -1; // of the first column of the set against the last row
    for (int c = 0; c < n; c++) {
      if (!(set >> c & 1)) continue;
      const expr term = expr_mul(w->p, w->s->g[row[size - 1] * n + c], D[set & ~(1u << c)]);
      D[set] = sign > 0 ? expr_add(w->p, D[set], term) : expr_sub(w->p, D[set], term);
      sign = -sign;
    }
    D[set] = shorten(w, D[set]);
  }
}

static void invert(const curving* w, expr* adjugate)
{
  const int n = w->n;
  int row[MOST_SYMBOLIC] = {0};
  expr D[1 << MOST_SYMBOLIC];
  for (int i = 0; i < n; i++) row[i] = i;
  minors(w, n, row, D);
  w->s->det = D[(1u << n) - 1];
  for (int i = 0; i < n; i++) {
    int rows[MOST_SYMBOLIC] = {0}, count = 0;
    for (int k = 0; k < n; k++)
      if (k != i) rows[count++] = k;
    minors(w, count, rows, D);
    for (int j = 0; j <= i; j++) {
      const expr minor = D[((1u << n) - 1) & ~(1u << j)];
      const expr a = (i + j) % 2 ? expr_neg(w->p, minor) : minor;
      adjugate[i * n + j] = adjugate[j * n + i] = a;
      const expr e = is_zero(w, a) ? a : shorten(w, expr_div(w->p, a, w->s->det));
      w->s->inverse[i * n + j] = w->s->inverse[j * n + i] = e;
    }
  }
}

// ---- Christoffel symbols ------------------------------------------------------------------------

static void christoffel(const curving* w)
{
  geom_space* s = w->s;
  expr_pool* p = w->p;
  const int n = w->n;
  for (int a = 0; a < n; a++)
    for (int c = 0; c < n; c++)
      for (int v = c; v < n; v++) {
        expr sum = expr_add(p, expr_diff(p, s->g[c * n + a], s->q[v]),
                            expr_diff(p, s->g[v * n + a], s->q[c]));
        sum = expr_sub(p, sum, expr_diff(p, s->g[c * n + v], s->q[a]));
        const expr e = shorten(w, expr_mul(p, w->half, sum));
        s->first[(a * n + c) * n + v] = s->first[(a * n + v) * n + c] = e;
      }
}

// Gamma^k = g^{ka} Gamma_a; the determinant taken out of the sum
static void raise(const curving* w, const expr* adjugate)
{
  geom_space* s = w->s;
  expr_pool* p = w->p;
  const int n = w->n;
  for (int k = 0; k < n; k++)
    for (int c = 0; c < n; c++)
      for (int v = c; v < n; v++) {
        expr sum = w->zero;
        for (int a = 0; a < n; a++)
          sum = expr_add(p, sum, expr_mul(p, adjugate[k * n + a], s->first[(a * n + c) * n + v]));
        sum = shorten(w, sum);
        const expr e = is_zero(w, sum) ? sum : shorten(w, expr_div(p, sum, s->det));
        s->second[(k * n + c) * n + v] = s->second[(k * n + v) * n + c] = e;
      }
}

// ---- curvature ----------------------------------------------------------------------------------

static expr component(const curving* w, int l, int x, int b, int a)
{
  const geom_space* s = w->s;
  expr_pool* p = w->p;
  const int n = w->n;
#define G(A, B, C) s->first[((A)*n + (B)) * n + (C)]
#define S(A, B, C) s->second[((A)*n + (B)) * n + (C)]
  expr sum = expr_sub(p, expr_diff(p, G(a, b, l), s->q[x]), expr_diff(p, G(a, b, x), s->q[l]));
  for (int m = 0; m < n; m++) {
    sum = expr_add(p, sum, expr_mul(p, S(m, b, x), G(m, a, l)));
    sum = expr_sub(p, sum, expr_mul(p, S(m, b, l), G(m, a, x)));
  }
#undef G
#undef S
  return shorten(w, sum);
}

static void riemann(const curving* w)
{
  const int n = w->n, P = geom_pairs(n);
  for (int l = 0; l < n; l++)
    for (int x = l + 1; x < n; x++)
      for (int b = l; b < n; b++)
        for (int a = b + 1; a < n; a++) {
          const int i = geom_pair(n, l, x), j = geom_pair(n, b, a);
          if (j < i) continue;
          w->s->riemann[i * P + j] = w->s->riemann[j * P + i] = component(w, l, x, b, a);
        }
}

static expr signed_riemann(const curving* w, int l, int x, int b, int a)
{
  if (l == x || a == b) return w->zero;
  const int n = w->n, P = geom_pairs(n);
  const int i = l < x ? geom_pair(n, l, x) : geom_pair(n, x, l);
  const int j = b < a ? geom_pair(n, b, a) : geom_pair(n, a, b);
  const expr e = w->s->riemann[i * P + j];
  return (l > x) != (b > a) ? expr_neg(w->p, e) : e;
}

static void contract(const curving* w)
{
  geom_space* s = w->s;
  expr_pool* p = w->p;
  const int n = w->n;
  s->scalar = w->zero;
  for (int x = 0; x < n; x++)
    for (int a = x; a < n; a++) {
      expr sum = w->zero;
      for (int l = 0; l < n; l++)
        for (int b = 0; b < n; b++)
          sum = expr_add(p, sum, expr_mul(p, s->inverse[l * n + b], signed_riemann(w, l, x, b, a)));
      s->ricci[x * n + a] = s->ricci[a * n + x] = shorten(w, sum);
      const expr part = expr_mul(p, s->inverse[x * n + a], s->ricci[x * n + a]);
      s->scalar = expr_add(p, s->scalar, a == x ? part : expr_mul(p, expr_int(p, 2), part));
    }
  s->scalar = shorten(w, s->scalar);
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) {
      const expr R = signed_riemann(w, i, j, i, j);
      const expr cross = expr_pow(p, s->g[i * n + j], expr_int(p, 2));
      const expr area = expr_sub(p, expr_mul(p, s->g[i * n + i], s->g[j * n + j]), cross);
      s->sectional[geom_pair(n, i, j)] =
          is_zero(w, R) || is_zero(w, area) ? R : shorten(w, expr_div(p, R, area));
    }
}

// the more components, the less work on each
static size_t worth(int n)
{
  static const size_t sizes[] = {0, 600, 400, 160, 100, 60, 40, 40, 40};
  return sizes[n];
}

void geom_space_curve(geom_space* s)
{
  const int n = s->n, P = geom_pairs(n);
  if (s->rest > 0)
    s->why = "some position constraints are not solved for a coordinate in a formula";
  if (n > MOST_SYMBOLIC) s->why = "more than 8 coordinates: numbers only";
  if (s->why || s->riemann) return;
  curving w = {.s = s, .p = s->pool, .n = n, .short_size = worth(n)};
  w.zero = expr_int(s->pool, 0);
  w.half = expr_ratio(s->pool, 1, 2);
  expr* adjugate = geom_take(s->arena, n * n, sizeof(expr));
  s->inverse = geom_take(s->arena, n * n, sizeof(expr));
  invert(&w, adjugate);
  if (expr_is_zero(s->pool, s->det) == EXPR_YES) {
    s->inverse = NULL;
    s->why = "the metric is degenerate: its determinant vanishes";
    return;
  }
  s->first = geom_take(s->arena, n * n * n, sizeof(expr));
  s->second = geom_take(s->arena, n * n * n, sizeof(expr));
  expr* R = geom_take(s->arena, P * P, sizeof(expr));
  s->ricci = geom_take(s->arena, n * n, sizeof(expr));
  s->sectional = geom_take(s->arena, P, sizeof(expr));
  christoffel(&w);
  raise(&w, adjugate);
  s->riemann = R;
  riemann(&w);
  contract(&w);
  if (!expr_pool_full(s->pool)) return;
  s->inverse = s->first = s->second = s->riemann = s->ricci = s->sectional = NULL;
  s->why = "the formulas are beyond the limit of expressions";
}
