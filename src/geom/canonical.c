// Coordinates in which a flat metric is a sum of squares, found in formulas.
#include "geom/canonical.h"

#include <stdlib.h>
#include <string.h>

// Two ways, one after the other:
// 1. A coordinate j with constant g_jj whose form g_ja dq_a / sqrt(g_jj) is closed splits off as a
//    straight line: x = int of that form, and g_ab - g_aj g_bj / g_jj is left for the others.
// 2. Two coordinates: theta_1 = sqrt(g11) dq1 + g12/sqrt(g11) dq2, theta_2 = sqrt(det/g11) dq2.
// With
//    d theta_1 = A dq1^dq2, d theta_2 = B dq1^dq2 the angle alpha that turns them into closed forms
//    has alpha_1 = A/sqrt(det/g11), alpha_2 = (B + alpha_1 g12/sqrt(g11))/sqrt(g11), and
//    dx1 = cos(alpha) theta_1 - sin(alpha) theta_2, dx2 = sin(alpha) theta_1 + cos(alpha) theta_2.
// Whatever comes out is accepted only if its metric is proved to be g.

// formulas up to this size are simplified on the way
#define MOST_NODES 300

static expr tidy(expr_pool* p, expr e)
{
  return e != EXPR_NONE && expr_size(p, 1, &e) <= MOST_NODES ? expr_simplify(p, e) : e;
}

bool geom_canonical_split(expr_pool* p, int n, const expr* q, const expr* g, int j, expr* x,
                          expr* left_q, expr* left_g)
{
  if (expr_has_any(p, g[j * n + j], n, q)) return false;
  expr* w = base_alloc(sizeof(expr) * (size_t)n);
  const expr root = geom_root(p, g[j * n + j]);
  for (int a = 0; a < n; a++) w[a] = tidy(p, expr_div(p, g[j * n + a], root));
  *x = geom_line_integral(p, n, w, q);
  free(w);
  if (*x == EXPR_NONE) return false;
  int rows = 0;
  for (int a = 0; a < n; a++) {
    if (a == j) continue;
    left_q[rows] = q[a];
    int columns = 0;
    for (int b = 0; b < n; b++) {
      if (b == j) continue;
      const expr cross = expr_div(p, expr_mul(p, g[a * n + j], g[b * n + j]), g[j * n + j]);
      const expr e = tidy(p, expr_sub(p, g[a * n + b], cross));
      if (e == EXPR_NONE || expr_has(p, e, q[j])) return false;
      left_g[rows * (n - 1) + columns++] = e;
    }
    rows++;
  }
  return true;
}

static bool by_turning(expr_pool* p, const expr* q, const expr* g, expr* x)
{
  const expr root1 = geom_root(p, g[0]);
  const expr cross = tidy(p, expr_div(p, g[1], root1));
  const expr det = tidy(p, expr_sub(p, expr_mul(p, g[0], g[3]), expr_mul(p, g[1], g[1])));
  const expr root2 = geom_root(p, tidy(p, expr_div(p, det, g[0])));
  if (root1 == EXPR_NONE || root2 == EXPR_NONE) return false;
  const expr A = expr_sub(p, expr_diff(p, cross, q[0]), expr_diff(p, root1, q[1]));
  const expr B = expr_diff(p, root2, q[0]);
  expr alpha[2];
  alpha[0] = tidy(p, expr_div(p, A, root2));
  alpha[1] = tidy(p, expr_div(p, expr_add(p, B, expr_mul(p, alpha[0], cross)), root1));
  const expr angle = geom_line_integral(p, 2, alpha, q);
  if (angle == EXPR_NONE) return false;
  const expr c = expr_fn1(p, EXPR_COS, angle), s = expr_fn1(p, EXPR_SIN, angle);
  const expr one[2] = {tidy(p, expr_mul(p, c, root1)),
                       tidy(p, expr_sub(p, expr_mul(p, c, cross), expr_mul(p, s, root2)))};
  const expr two[2] = {tidy(p, expr_mul(p, s, root1)),
                       tidy(p, expr_add(p, expr_mul(p, s, cross), expr_mul(p, c, root2)))};
  x[0] = geom_line_integral(p, 2, one, q);
  x[1] = geom_line_integral(p, 2, two, q);
  return x[0] != EXPR_NONE && x[1] != EXPR_NONE;
}

// Coordinates that can be taken off are taken off in any order, and where what is left at the end
// has none, other orders lead there again: of the n! of them so many are tried.
enum { most_splits = 2000 };

// without the proof
static bool search(expr_pool* p, int n, const expr* q, const expr* g, expr* x, int* tries)
{
  if (n == 0) return true;
  if (n == 1) {
    x[0] = expr_integrate(p, tidy(p, geom_root(p, g[0])), q[0]);
    return x[0] != EXPR_NONE;
  }
  expr* left = base_alloc(sizeof(expr) * (size_t)(n * n));
  bool found = false;
  for (int j = 0; j < n && !found && ++*tries <= most_splits; j++)
    found = geom_canonical_split(p, n, q, g, j, &x[0], left, left + n) &&
            search(p, n - 1, left, left + n, x + 1, tries);
  free(left);
  if (found || n != 2) return found;
  // the same with the coordinates in the other order
  const expr q_turned[2] = {q[1], q[0]}, g_turned[4] = {g[3], g[2], g[1], g[0]};
  return by_turning(p, q, g, x) || by_turning(p, q_turned, g_turned, x);
}

bool geom_canonical_find(expr_pool* p, int n, const expr* q, const expr* g, expr* x)
{
  int tries = 0;
  return search(p, n, q, g, x, &tries) && !expr_pool_full(p) && geom_has_metric(p, n, q, g, n, x);
}
