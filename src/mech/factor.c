// Common factors and denominators of a vector, taken out: null vectors as people write them.
#include "mech/factor.h"

#include <stdlib.h>

typedef struct power
{
  expr base;
  long exponent;
} power;

// factor i of e, e taken as a product of whole powers
static power factor_at(const expr_pool* p, expr e, int i)
{
  expr f = expr_kind_of(p, e) == EXPR_PRODUCT ? expr_arg(p, e, i) : e;
  long k;
  if (expr_kind_of(p, f) == EXPR_POWER && expr_is_int(p, expr_arg(p, f, 1), &k))
    return (power){expr_arg(p, f, 0), k};
  return (power){f, 1};
}

static int factor_count(const expr_pool* p, expr e)
{
  return expr_kind_of(p, e) == EXPR_PRODUCT ? expr_arg_count(p, e) : 1;
}

// exponent of the base in e, 0 when it is absent
static long exponent_in(const expr_pool* p, expr e, expr base)
{
  for (int i = 0; i < factor_count(p, e); i++) {
    power f = factor_at(p, e, i);
    if (f.base == base) return f.exponent;
  }
  return 0;
}

static bool is_zero(const mech_system* s, expr e)
{
  return e == s->zero[0];
}

// least exponent of the base over the entries that are not zero
static long least_exponent(const mech_system* s, int n, const expr* z, expr base)
{
  long least = 0;
  bool first = true;
  for (int i = 0; i < n; i++) {
    if (is_zero(s, z[i])) continue;
    long k = exponent_in(s->pool, z[i], base);
    if (first || k < least) least = k;
    first = false;
  }
  return least;
}

static void scale(const mech_system* s, int n, expr* z, expr by)
{
  for (int i = 0; i < n; i++)
    if (!is_zero(s, z[i])) z[i] = expr_mul(s->pool, z[i], by);
}

bool mech_factor_is_negative(const expr_pool* p, expr e)
{
  if (expr_is_number(p, e)) return expr_number(p, e) < 0;
  if (expr_kind_of(p, e) == EXPR_PRODUCT) {
    for (int i = 0; i < expr_arg_count(p, e); i++) {
      expr f = expr_arg(p, e, i);
      if (expr_is_number(p, f) && expr_number(p, f) < 0) return true;
    }
    return false;
  }
  if (expr_kind_of(p, e) != EXPR_SUM) return false;
  int minus = 0, terms = expr_arg_count(p, e);
  for (int i = 0; i < terms; i++) minus += mech_factor_is_negative(p, expr_arg(p, e, i));
  return 2 * minus > terms;
}

expr mech_factor_number(expr_pool* p, expr e)
{
  for (int i = 0; i < factor_count(p, e); i++) {
    power f = factor_at(p, e, i);
    if (f.exponent == 1 && expr_is_number(p, f.base)) return f.base;
  }
  return expr_int(p, 1);
}

static expr magnitude(const mech_system* s, expr number)
{
  return expr_number(s->pool, number) < 0 ? expr_neg(s->pool, number) : number;
}

// a number all entries carry in front, up to sign
static void take_number(const mech_system* s, int n, expr* z)
{
  expr common = EXPR_NONE;
  for (int i = 0; i < n; i++) {
    if (is_zero(s, z[i])) continue;
    expr c = magnitude(s, mech_factor_number(s->pool, z[i]));
    if (common != EXPR_NONE && c != common) return;
    common = c;
  }
  if (common != EXPR_NONE) scale(s, n, z, expr_div(s->pool, expr_int(s->pool, 1), common));
}

static void turn(const mech_system* s, int n, expr* z)
{
  int minus = 0, plus = 0;
  for (int i = 0; i < n; i++) {
    if (is_zero(s, z[i])) continue;
    if (mech_factor_is_negative(s->pool, z[i]))
      minus++;
    else
      plus++;
  }
  if (minus > plus) scale(s, n, z, expr_int(s->pool, -1));
}

void mech_factor_clean(const mech_system* s, int n, expr* z)
{
  expr_pool* p = s->pool;
  // every base that occurs is tried; those shared by all come out, those below a fraction vanish
  BASE_LIST(expr) bases = {0};
  for (int i = 0; i < n; i++)
    for (int j = 0; j < factor_count(p, z[i]); j++) {
      power f = factor_at(p, z[i], j);
      if (!expr_is_number(p, f.base)) base_push(&bases, f.base);
    }
  for (int b = 0; b < bases.n; b++) {
    long k = least_exponent(s, n, z, bases.at[b]);
    if (k != 0) scale(s, n, z, expr_pow(p, bases.at[b], expr_int(p, -k)));
  }
  base_list_free(&bases);
  take_number(s, n, z);
  turn(s, n, z);
}
