// A position constraint solved in a formula for one of its coordinates.
#include "geom/eliminate.h"

#include <math.h>

// formulas above this size, or longer than this written out, are not tried: put into one another
// they would fill pages, and numbers serve better
#define MOST_NODES  400
#define MOST_LENGTH 600

double geom_known_value(const geom_known* k, expr e)
{
  return expr_value(k->pool, e, k->symbols, k->symbol, k->value);
}

static expr number(const geom_known* k, long n)
{
  return expr_int(k->pool, n);
}

// c1 q + c0
static expr solve_linear(const geom_known* k, expr f, expr q, expr c1)
{
  const expr zero = number(k, 0);
  const expr c0 = expr_substitute(k->pool, f, 1, &q, &zero);
  return expr_neg(k->pool, expr_div(k->pool, c0, c1));
}

// c2 q^2 + c1 q + c0, with 2 c2 given
static expr solve_quadratic(const geom_known* k, expr f, expr q, expr slope, expr twice_c2)
{
  expr_pool* p = k->pool;
  const expr zero = number(k, 0);
  const expr c1 = expr_substitute(p, slope, 1, &q, &zero);
  const expr c0 = expr_substitute(p, f, 1, &q, &zero);
  const expr root = expr_fn1(
      p, EXPR_SQRT,
      expr_simplify(p, expr_sub(p, expr_pow(p, c1, number(k, 2)),
                                expr_product(p, 3, (expr[]){number(k, 2), twice_c2, c0}))));
  // the slope at the root is + or - the root of the discriminant
  const bool minus = geom_known_value(k, slope) < 0;
  return expr_div(p, minus ? expr_neg(p, expr_add(p, c1, root)) : expr_sub(p, root, c1), twice_c2);
}

// c1 w(q) + c0 with w = sin or cos: q = asin(-c0/c1) and its other branches
static expr solve_wave(const geom_known* k, expr f, expr q, expr_fn wave)
{
  expr_pool* p = k->pool;
  const expr w = expr_fn1(p, wave, q), stand_in = expr_symbol(p, " wave");
  const expr g = expr_substitute(p, f, 1, &w, &stand_in);
  if (expr_has(p, g, q) || !expr_has(p, g, stand_in)) return EXPR_NONE;
  const expr c1 = expr_simplify(p, expr_diff(p, g, stand_in));
  if (expr_has(p, c1, stand_in)) return EXPR_NONE;
  const expr at = solve_linear(k, g, stand_in, c1);
  expr angle = expr_fn1(p, wave == EXPR_SIN ? EXPR_ASIN : EXPR_ACOS, at);
  const double here = geom_known_value(k, q);
  if (wave == EXPR_SIN && cos(here) < 0) angle = expr_sub(p, expr_pi(p), angle);
  if (wave == EXPR_COS && sin(here) < 0) angle = expr_neg(p, angle);
  const double turns = nearbyint((here - geom_known_value(k, angle)) / (2 * M_PI));
  if (!(fabs(turns) < 1e6)) return EXPR_NONE;
  const expr shift = expr_mul(p, number(k, 2 * (long)turns), expr_pi(p));
  return expr_add(p, angle, shift);
}

// the value must be the coordinate's own at the point: the branch is the right one
static bool passes(const geom_known* k, expr value, expr q)
{
  if (value == EXPR_NONE || expr_has(k->pool, value, q)) return false;
  const double got = geom_known_value(k, value), want = geom_known_value(k, q);
  return fabs(got - want) <= 1e-6 * (1 + fabs(want));
}

expr geom_eliminate(const geom_known* k, expr f, expr q, double* cost)
{
  expr_pool* p = k->pool;
  if (!expr_has(p, f, q) || expr_size(p, 1, &f) > MOST_NODES) return EXPR_NONE;
  if (expr_length(p, f) > MOST_LENGTH) return EXPR_NONE;
  const expr slope = expr_simplify(p, expr_diff(p, f, q));
  // a coordinate the constraint hardly sees here cannot be solved for near the point
  if (!(fabs(geom_known_value(k, slope)) > 1e-6)) return EXPR_NONE;
  expr value = EXPR_NONE;
  const expr bend = expr_has(p, slope, q) ? expr_simplify(p, expr_diff(p, slope, q)) : EXPR_NONE;
  if (bend == EXPR_NONE) {
    value = solve_linear(k, f, q, slope);
    *cost = expr_is_number(p, slope) ? 0 : 1;
  } else if (!expr_has(p, bend, q)) {
    value = solve_quadratic(k, f, q, slope, bend);
    *cost = 100;
  } else {
    value = solve_wave(k, f, q, EXPR_SIN);
    if (value == EXPR_NONE) value = solve_wave(k, f, q, EXPR_COS);
    *cost = 200;
  }
  if (value != EXPR_NONE) value = expr_simplify(p, value);
  if (!passes(k, value, q) || expr_pool_full(p)) return EXPR_NONE;
  if (expr_length(p, value) > MOST_LENGTH) return EXPR_NONE;
  // among equals the coordinate that the constraint sees best
  *cost += 1 / (1 + fabs(geom_known_value(k, slope)));
  *cost += 0.5 * (double)expr_size(p, 1, &value) / MOST_NODES;
  return value;
}
