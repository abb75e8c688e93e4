// Jets with twice the digits: coefficients known in closed form, identities, and the double jets.
#include "check.h"
#include "code/graphs.h"

#include <math.h>
#include <stdlib.h>

enum { order = 24 };

typedef struct expanded
{
  code_wide* w;
  double* r;
} expanded;

// outputs along x = start + slope h, `wide` orders with twice the digits
static expanded expand(expr_pool* p, int outputs, const expr* out, expr x, base_wide start,
                       double slope, int wide)
{
  expanded s = {.w = code_wide_new(p, outputs, out, 1, &x, order, 0, NULL)};
  s.r = malloc(sizeof(double) * code_wide_scratch(s.w));
  code_wide_clear(s.w, s.r);
  for (int turn = 0; turn < 2; turn++)
    for (int k = 0; k <= order; k++) {
      const base_wide in = k == 0 ? start : base_wide_of(k == 1 ? slope : 0);
      code_wide_set(s.w, s.r, 0, 1, k, &in);
      if (k <= wide)
        code_wide_run(s.w, k, s.r);
      else
        code_jet_run(code_wide_jet(s.w), k, s.r);
    }
  return s;
}

static void forget(expanded* s)
{
  code_wide_free(s->w);
  free(s->r);
}

static base_wide factorial(int k)
{
  base_wide f = base_wide_of(1);
  for (int i = 2; i <= k; i++) f = base_wide_scale(f, i);
  return f;
}

static void check_wide(const char* name, int k, base_wide got, base_wide want, double allowed)
{
  const double off = base_wide_sub(got, want).hi;
  if (!(fabs(off) <= allowed * fmax(fabs(want.hi), 1e-12)))
    check_fail(__FILE__, __LINE__, "%s, order %d: %.17g, want %.17g, off by %.3g", name, k, got.hi,
               want.hi, off);
}

TEST(coefficients_with_twice_the_digits_are_those_of_the_textbook)
{
  expr_pool* p = expr_pool_new(0);
  const expr x = expr_symbol(p, "x"), one = expr_int(p, 1);
  const expr out[4] = {expr_fn1(p, EXPR_EXP, x), expr_div(p, one, expr_sub(p, one, x)),
                       expr_fn1(p, EXPR_LOG, expr_add(p, one, x)), expr_fn1(p, EXPR_ATAN, x)};
  expanded s = expand(p, 4, out, x, base_wide_of(0), 1, order);
  for (int k = 1; k <= order; k++) {
    const double odd = k % 2, sign = k % 4 == 1 ? 1 : -1;
    check_wide("exp", k, code_wide_out(s.w, s.r, 0, k),
               base_wide_div(base_wide_of(1), factorial(k)), 1e-29);
    check_wide("1/(1-x)", k, code_wide_out(s.w, s.r, 1, k), base_wide_of(1), 1e-29);
    check_wide("log(1+x)", k, code_wide_out(s.w, s.r, 2, k),
               base_wide_div(base_wide_of(odd ? 1 : -1), base_wide_of(k)), 1e-29);
    check_wide("atan", k, code_wide_out(s.w, s.r, 3, k),
               base_wide_div(base_wide_of(odd * sign), base_wide_of(k)), 1e-29);
  }
  forget(&s);
  expr_pool_free(p);
}

// each is zero, or a number, but not by any rule of the tape
TEST(identities_hold_with_twice_the_digits_in_every_order)
{
  static const char* const texts[] = {"sin cos", "sinh cosh", "exp log", "sqrt", "tan",
                                      "power",   "asin",      "acos",    "tanh", "atan2"};
  expr_pool* p = expr_pool_new(0);
  const expr x = expr_symbol(p, "x"), third = expr_ratio(p, 1, 3);
#define F(NAME, A) expr_fn1(p, EXPR_##NAME, A)

  // products through a sum with a number keep the pool from seeing them
  const expr y = expr_add(p, expr_mul(p, third, x), expr_decimal(p, "0.7", 3));
  const expr s = F(SIN, y), c = F(COS, y), sh = F(SINH, y), ch = F(COSH, y);
  const expr root = F(SQRT, y), t = F(TAN, y), power = expr_pow(p, y, third);
  const expr quarter = expr_div(p, y, expr_int(p, 4));
  const expr list[] = {
      expr_add(p, expr_mul(p, s, s), expr_mul(p, c, c)),
      expr_sub(p, expr_mul(p, ch, ch), expr_mul(p, sh, sh)),
      expr_sub(p, F(EXP, expr_mul(p, third, F(LOG, y))), power),
      expr_sub(p, expr_mul(p, root, root), y),
      expr_sub(p, expr_mul(p, t, c), s),
      expr_sub(p, expr_mul(p, expr_mul(p, power, power), power), y),
      expr_sub(p, F(SIN, F(ASIN, quarter)), quarter),
      expr_sub(p, F(COS, F(ACOS, quarter)), quarter),
      expr_sub(p, expr_mul(p, F(TANH, y), ch), sh),
      expr_sub(p, expr_call(p, EXPR_ATAN2, 2, (expr[]){s, c}), F(ATAN, t)),
  };
#undef F

  const int count = (int)(sizeof list / sizeof *list);
  expanded w = expand(p, count, list, x, base_wide_decimal(0.2), 0.5, order);
  for (int i = 0; i < count; i++)
    for (int k = 1; k <= order; k++)
      check_wide(texts[i], k, base_wide_mul(base_wide_of(1e-12), code_wide_out(w.w, w.r, i, k)),
                 base_wide_of(0), 1e-28);
  forget(&w);
  expr_pool_free(p);
}

TEST(orders_in_doubles_go_on_from_those_with_twice_the_digits)
{
  expr_pool* p = expr_pool_new(0);
  const expr x = expr_symbol(p, "x");
  const expr e = expr_mul(p, expr_fn1(p, EXPR_SIN, expr_mul(p, x, x)),
                          expr_pow(p, expr_add(p, x, expr_ratio(p, 7, 3)), expr_ratio(p, -2, 3)));
  expanded all = expand(p, 1, &e, x, base_wide_decimal(0.3), 1, order);
  expanded some = expand(p, 1, &e, x, base_wide_decimal(0.3), 1, 9);
  for (int k = 0; k <= order; k++)
    check_wide("mixed", k, base_wide_of(code_wide_out(some.w, some.r, 0, k).hi),
               base_wide_of(code_wide_out(all.w, all.r, 0, k).hi), 1e-13);
  forget(&all);
  forget(&some);
  expr_pool_free(p);
}

TEST(numbers_of_expressions_are_exact_to_twice_the_digits)
{
  expr_pool* p = expr_pool_new(0);
  const expr x = expr_symbol(p, "x");
  // 0.1 x + sqrt(2) - pi/3: nothing of it is a double
  const expr e = expr_add(
      p, expr_mul(p, expr_decimal(p, "0.1", 3), x),
      expr_sub(p, expr_fn1(p, EXPR_SQRT, expr_int(p, 2)), expr_div(p, expr_pi(p), expr_int(p, 3))));
  expanded s = expand(p, 1, &e, x, base_wide_of(3), 1, order);
  const base_wide tenth = base_wide_decimal(0.1);
  const base_wide want = base_wide_add(
      base_wide_scale(tenth, 3), base_wide_sub(base_wide_sqrt(base_wide_of(2)),
                                               base_wide_div(base_wide_pi(), base_wide_of(3))));
  check_wide("value", 0, code_wide_out(s.w, s.r, 0, 0), want, 1e-30);
  check_wide("slope", 1, code_wide_out(s.w, s.r, 0, 1), tenth, 1e-30);
  forget(&s);
  expr_pool_free(p);
}
