// Antiderivatives by rules: sums, powers, functions of linear arguments, polynomials times those.
#include "expr/pool.h"

#include <stdio.h>

#define MOST_PARTS 40

static expr integrate(expr_pool* p, expr e, expr x, int depth);

// e = a x + b with a, b free of x
static bool linear(expr_pool* p, expr e, expr x, expr* a)
{
  *a = expr_simplify(p, expr_diff(p, e, x));
  return *a && *a != EXPR_ZERO && !expr_has(p, *a, x);
}

// the antiderivative of f(u) in u for a function of one argument
static expr primitive(expr_pool* p, expr_fn f, expr e, expr u)
{
  switch (f) {
  case EXPR_EXP:
    return e;
  case EXPR_SIN:
    return expr_neg(p, expr_fn1(p, EXPR_COS, u));
  case EXPR_COS:
    return expr_fn1(p, EXPR_SIN, u);
  case EXPR_SINH:
    return expr_fn1(p, EXPR_COSH, u);
  case EXPR_COSH:
    return expr_fn1(p, EXPR_SINH, u);
  case EXPR_TAN:
    return expr_neg(p, expr_fn1(p, EXPR_LOG, expr_fn1(p, EXPR_ABS, expr_fn1(p, EXPR_COS, u))));
  case EXPR_TANH:
    return expr_fn1(p, EXPR_LOG, expr_fn1(p, EXPR_COSH, u));
  case EXPR_LOG:
    return expr_sub(p, expr_mul(p, u, e), u);
  default:
    return EXPR_NONE;
  }
}

static bool is_inverse(const expr_pool* p, expr e)
{
  return expr_is_fn(p, e, EXPR_LOG) || expr_is_fn(p, e, EXPR_ATAN) || expr_is_fn(p, e, EXPR_ASIN) ||
         expr_is_fn(p, e, EXPR_ACOS);
}

// by parts the other way round: int P f = Q f - int Q f', where f' is simpler than f
static expr by_slope(expr_pool* p, expr poly, expr f, expr x, int depth)
{
  expr Q = integrate(p, poly, x, depth + 1), d = expr_diff(p, f, x);
  if (!Q || !d) return EXPR_NONE;
  expr rest = integrate(p, expr_simplify(p, expr_mul(p, Q, d)), x, depth + 8);
  return rest ? expr_sub(p, expr_mul(p, Q, f), rest) : EXPR_NONE;
}

static expr of_call(expr_pool* p, expr e, expr x, int depth)
{
  if (is_inverse(p, e)) return by_slope(p, EXPR_ONE, e, x, depth);
  expr a, u = expr_args_at(p, e)[0];
  if (expr_at(p, e)->n != 1 || !linear(p, u, x, &a)) return EXPR_NONE;
  return expr_div(p, primitive(p, (expr_fn)expr_at(p, e)->fn, e, u), a);
}

// sin^n and cos^n of linear arguments: through the double angle for n = 2, by parts above
static expr of_trig_power(expr_pool* p, expr e, expr x, int depth)
{
  expr base = expr_args_at(p, e)[0], a, u;
  long n;
  if (!expr_is_int(p, expr_args_at(p, e)[1], &n)) return EXPR_NONE;
  bool sine = expr_is_fn(p, base, EXPR_SIN), cosine = expr_is_fn(p, base, EXPR_COS);
  if (!sine && !cosine) return EXPR_NONE;
  u = expr_args_at(p, base)[0];
  if (!linear(p, u, x, &a)) return EXPR_NONE;
  expr s = expr_fn1(p, EXPR_SIN, u), c = expr_fn1(p, EXPR_COS, u);
  if (n == -2) // 1/cos^2 and 1/sin^2
    return expr_div(p, sine ? expr_neg(p, expr_div(p, c, s)) : expr_fn1(p, EXPR_TAN, u), a);
  if (n < 2 || n > 24) return EXPR_NONE;
  // int cos^n = cos^(n-1) sin / (n a) + (n-1)/n int cos^(n-2)
  expr edge = expr_mul(p, expr_pow(p, base, expr_int(p, n - 1)), sine ? expr_neg(p, c) : s);
  edge = expr_div(p, edge, expr_mul(p, expr_int(p, n), a));
  expr rest = integrate(p, expr_pow(p, base, expr_int(p, n - 2)), x, depth + 1);
  return expr_add(p, edge, expr_mul(p, expr_ratio(p, n - 1, n), rest));
}

// 1 / (u^2 + c) with u linear: an arctangent where c is known positive
static expr of_quadratic(expr_pool* p, expr base, expr x)
{
  expr a = expr_coefficient(p, base, x, 2), b = expr_coefficient(p, base, x, 1),
       c = expr_coefficient(p, base, x, 0);
  if (!a || !b || !c || a == EXPR_ZERO) return EXPR_NONE;
  if (expr_coefficient(p, base, x, 3) != EXPR_ZERO) return EXPR_NONE;
  // 4 a c - b^2 > 0
  expr four_ac = expr_product(p, 3, (expr[]){expr_int(p, 4), a, c});
  expr d = expr_simplify(p, expr_sub(p, four_ac, expr_pow(p, b, EXPR_TWO)));
  if (!d || !(expr_at(p, d)->flags & EXPR_POSITIVE)) return EXPR_NONE;
  expr root = expr_pow(p, d, EXPR_HALF);
  expr slope = expr_add(p, expr_product(p, 3, (expr[]){EXPR_TWO, a, x}), b);
  expr t = expr_fn1(p, EXPR_ATAN, expr_div(p, slope, root));
  return expr_div(p, expr_mul(p, EXPR_TWO, t), root);
}

static expr of_power(expr_pool* p, expr e, expr x, int depth)
{
  expr base = expr_args_at(p, e)[0], n = expr_args_at(p, e)[1], a;
  if (!expr_has(p, n, x) && linear(p, base, x, &a)) {
    if (n == EXPR_MINUS_ONE)
      return expr_div(p, expr_fn1(p, EXPR_LOG, expr_fn1(p, EXPR_ABS, base)), a);
    expr up = expr_add(p, n, EXPR_ONE);
    return expr_div(p, expr_pow(p, base, up), expr_mul(p, up, a));
  }
  if (!expr_has(p, base, x) && linear(p, n, x, &a))
    return expr_div(p, e, expr_mul(p, expr_fn1(p, EXPR_LOG, base), a));
  if (n == EXPR_MINUS_ONE && of_quadratic(p, base, x)) return of_quadratic(p, base, x);
  expr r = of_trig_power(p, e, x, depth);
  long k;
  if (r || !expr_is_int(p, n, &k) || k < 2) return r;
  expr wide = expr_expand(p, e);
  return wide == e ? EXPR_NONE : integrate(p, wide, x, depth + 1);
}

// is e a polynomial in x times nothing else of x?
static bool is_polynomial(expr_pool* p, expr e, expr x)
{
  return expr_coefficient(p, e, x, 0) != EXPR_NONE;
}

// by parts: int P f = P F - int P' F, where P is a polynomial and f has a primitive of its kind
static expr by_parts(expr_pool* p, expr poly, expr f, expr x, int depth)
{
  expr F = integrate(p, f, x, depth + 1);
  if (!F) return EXPR_NONE;
  expr d = expr_diff(p, poly, x);
  if (!d) return EXPR_NONE;
  expr rest = integrate(p, expr_mul(p, d, F), x, depth + 1);
  return rest ? expr_sub(p, expr_mul(p, poly, F), rest) : EXPR_NONE;
}

// f(u) u' where u' is a factor up to a constant: sin^n cos, x exp(x^2), ...
static expr by_inner(expr_pool* p, expr e, expr x, int depth)
{
  expr_walk w = {0};
  expr r = EXPR_NONE;
  // one of this depth: that of the integral around this one may stand in e
  char name[40];
  snprintf(name, sizeof name, "integration variable %d", depth);
  expr u = expr_symbol(p, name);
  expr_walk_from(p, &w, 1, &e, 2000);
  for (int i = 0; i < w.order.n && !r; i++) {
    expr inner = w.order.at[i];
    if (inner == x || inner == e || !expr_has(p, inner, x)) continue;
    if (expr_kind_at(p, inner) > EXPR_CALL) continue;
    expr d = expr_diff(p, inner, x);
    if (!d || d == EXPR_ZERO) continue;
    expr rest = expr_simplify(p, expr_div(p, e, d));
    if (!rest) continue;
    rest = expr_substitute(p, rest, 1, &inner, &u);
    if (!rest || expr_has(p, rest, x)) continue;
    expr F = integrate(p, rest, u, depth + 8);
    if (F) r = expr_substitute(p, F, 1, &u, &inner);
  }
  expr_walk_free(&w);
  return r;
}

static expr of_product(expr_pool* p, expr e, expr x, int depth)
{
  expr constant = EXPR_ONE, poly = EXPR_ONE, other = EXPR_ONE;
  uint32_t n = expr_at(p, e)->n;
  for (uint32_t i = 0; i < n; i++) {
    expr f = expr_args_at(p, e)[i];
    if (!expr_has(p, f, x))
      constant = expr_mul(p, constant, f);
    else if (is_polynomial(p, f, x))
      poly = expr_mul(p, poly, f);
    else
      other = expr_mul(p, other, f);
  }
  expr r = EXPR_NONE;
  if (constant != EXPR_ONE) {
    r = integrate(p, expr_mul(p, poly, other), x, depth + 1);
  } else if (other == EXPR_ONE) {
    expr wide = expr_expand(p, poly);
    r = wide == e ? EXPR_NONE : integrate(p, wide, x, depth + 1);
  } else {
    r = by_inner(p, e, x, depth);
    if (!r && is_inverse(p, other))
      r = by_slope(p, poly, other, x, depth);
    else if (!r && poly != EXPR_ONE)
      r = by_parts(p, poly, other, x, depth);
    expr wide = r ? e : expr_expand(p, e);
    if (!r && wide != e) r = integrate(p, wide, x, depth + 1);
  }
  return r ? expr_mul(p, constant, r) : EXPR_NONE;
}

static expr of_sum(expr_pool* p, expr e, expr x, int depth)
{
  expr_list out;
  expr_list_start(&out);
  uint32_t n = expr_at(p, e)->n;
  bool all = true;
  for (uint32_t i = 0; i < n && all; i++) {
    expr t = integrate(p, expr_args_at(p, e)[i], x, depth + 1);
    all = t != EXPR_NONE;
    if (all) expr_list_push(&out, t);
  }
  expr r = all ? expr_sum(p, out.n, out.at) : EXPR_NONE;
  expr_list_end(&out);
  return r;
}

static expr integrate(expr_pool* p, expr e, expr x, int depth)
{
  if (!e || depth > MOST_PARTS || p->full) return EXPR_NONE;
  if (!expr_has(p, e, x)) return expr_mul(p, e, x);
  switch (expr_kind_at(p, e)) {
  case EXPR_SYMBOL:
    return expr_scale(p, EXPR_HALF, expr_pow(p, x, EXPR_TWO));
  case EXPR_SUM:
    return of_sum(p, e, x, depth);
  case EXPR_PRODUCT:
    return of_product(p, e, x, depth);
  case EXPR_POWER:
    return of_power(p, e, x, depth);
  case EXPR_CALL:
    return of_call(p, e, x, depth);
  default:
    return EXPR_NONE;
  }
}

expr expr_integrate(expr_pool* p, expr e, expr symbol)
{
  if (!e || !symbol || expr_kind_at(p, symbol) != EXPR_SYMBOL) return EXPR_NONE;
  expr r = integrate(p, e, symbol, 0);
  if (!r) r = integrate(p, expr_expand(p, e), symbol, 0);
  return r ? expr_simplify(p, r) : EXPR_NONE;
}
