// Roots, line integrals and checks of formulas.
#include "geom/formula.h"

#include <stdlib.h>

// formulas above this size are not simplified
#define MOST_NODES 300

static expr tidy(expr_pool* p, expr e)
{
  return expr_size(p, 1, &e) <= MOST_NODES ? expr_simplify(p, e) : e;
}

// 1 - sin^2 and 1 - cos^2 written as squares
static expr as_square(expr_pool* p, expr e)
{
  const expr one = expr_int(p, 1), two = expr_int(p, 2);
  if (expr_kind_of(p, e) != EXPR_SUM || expr_arg_count(p, e) != 2) return e;
  for (int i = 0; i < 2; i++) {
    expr term = expr_neg(p, expr_arg(p, e, i));
    if (expr_arg(p, e, 1 - i) != one || expr_kind_of(p, term) != EXPR_POWER) continue;
    const expr wave = expr_arg(p, term, 0);
    if (expr_arg(p, term, 1) != two || expr_kind_of(p, wave) != EXPR_CALL) continue;
    const expr angle = expr_arg(p, wave, 0);
    if (expr_fn_of(p, wave) == EXPR_SIN) return expr_pow(p, expr_fn1(p, EXPR_COS, angle), two);
    if (expr_fn_of(p, wave) == EXPR_COS) return expr_pow(p, expr_fn1(p, EXPR_SIN, angle), two);
  }
  return e;
}

static expr root_of_factor(expr_pool* p, expr e)
{
  long k;
  e = as_square(p, e);
  if (expr_kind_of(p, e) == EXPR_POWER && expr_is_int(p, expr_arg(p, e, 1), &k) && k % 2 == 0)
    return expr_pow(p, expr_arg(p, e, 0), expr_int(p, k / 2));
  return expr_fn1(p, EXPR_SQRT, e);
}

// a symbol or one over it: masses and lengths
static bool is_plain(expr_pool* p, expr e)
{
  if (expr_kind_of(p, e) == EXPR_SYMBOL) return true;
  long k;
  return expr_kind_of(p, e) == EXPR_POWER && expr_kind_of(p, expr_arg(p, e, 0)) == EXPR_SYMBOL &&
         expr_is_int(p, expr_arg(p, e, 1), &k);
}

static expr plain_root(expr_pool* p, expr e)
{
  if (expr_kind_of(p, e) == EXPR_SYMBOL) return expr_fn1(p, EXPR_SQRT, e);
  return expr_pow(p, expr_fn1(p, EXPR_SQRT, expr_arg(p, e, 0)), expr_arg(p, e, 1));
}

expr geom_root(expr_pool* p, expr e)
{
  e = tidy(p, e);
  if (e == EXPR_NONE || expr_kind_of(p, e) != EXPR_PRODUCT)
    return e == EXPR_NONE ? e : root_of_factor(p, e);
  expr out = expr_int(p, 1), inside = expr_int(p, 1);
  for (int i = 0; i < expr_arg_count(p, e); i++) {
    const expr f = as_square(p, expr_arg(p, e, i));
    long k;
    if (expr_kind_of(p, f) == EXPR_POWER && expr_is_int(p, expr_arg(p, f, 1), &k) && k % 2 == 0)
      out = expr_mul(p, out, root_of_factor(p, f));
    else if (is_plain(p, f))
      out = expr_mul(p, out, plain_root(p, f));
    else
      inside = expr_mul(p, inside, f);
  }
  return expr_mul(p, out, expr_fn1(p, EXPR_SQRT, inside));
}

expr geom_line_integral(expr_pool* p, int n, const expr* w, const expr* q)
{
  expr F = expr_int(p, 0);
  for (int i = 0; i < n; i++) {
    const expr left = tidy(p, expr_sub(p, w[i], expr_diff(p, F, q[i])));
    if (left == EXPR_NONE || (i > 0 && expr_has_any(p, left, i, q))) return EXPR_NONE;
    const expr part = expr_integrate(p, left, q[i]);
    if (part == EXPR_NONE) return EXPR_NONE;
    F = expr_add(p, F, part);
  }
  for (int i = 0; i < n; i++)
    if (expr_is_zero(p, expr_sub(p, expr_diff(p, F, q[i]), w[i])) != EXPR_YES) return EXPR_NONE;
  return tidy(p, F);
}

bool geom_has_metric(expr_pool* p, int n, const expr* q, const expr* g, int N, const expr* x)
{
  expr* J = base_alloc(sizeof(expr) * (size_t)(N * n + 1));
  for (int k = 0; k < N; k++) expr_gradient(p, x[k], n, q, J + k * n);
  bool same = true;
  for (int a = 0; a < n && same; a++)
    for (int b = a; b < n && same; b++) {
      expr sum = expr_neg(p, g[a * n + b]);
      for (int k = 0; k < N; k++) sum = expr_add(p, sum, expr_mul(p, J[k * n + a], J[k * n + b]));
      same = expr_is_zero(p, sum) == EXPR_YES;
    }
  free(J);
  return same;
}
