// Depth, size and full pools: nothing recurses without bound, nothing crashes.
#include "expr/tools.h"

#include <math.h>
#include <stdio.h>

#define DEPTH 100000

TEST(graphs_a_hundred_thousand_levels_deep)
{
  expr_pool* p = expr_pool_new(0);
  expr x = expr_symbol(p, "x"), y = expr_symbol(p, "y"), e = x;
  for (int i = 0; i < DEPTH; i++) e = expr_fn1(p, i % 2 ? EXPR_SIN : EXPR_ATAN, expr_add(p, e, y));
  CHECK(!expr_pool_full(p));
  CHECK(expr_size(p, 1, &e) > DEPTH);
  CHECK(expr_has(p, e, x));
  CHECK(isfinite(expr_value(p, e, 2, (expr[]){x, y}, (double[]){0.3, 0.1})));
  expr d = expr_diff(p, e, x);
  CHECK(isfinite(expr_value(p, d, 2, (expr[]){x, y}, (double[]){0.3, 0.1})));
  CHECK(expr_substitute(p, e, 1, &x, &y) != EXPR_NONE);
  expr_rate_set(p, x, y);
  double slope = expr_value(p, d, 2, (expr[]){x, y}, (double[]){0.3, 0.1});
  expr total = expr_total(p, e);
  CHECK_NEAR(expr_value(p, total, 2, (expr[]){x, y}, (double[]){0.3, 0.1}), 0.1 * slope, 1e-12);
  base_text t = {0};
  expr_print(p, &t, e);
  CHECK(t.n > DEPTH);
  base_text_free(&t);
  expr_print_latex(p, &t, e);
  base_text_free(&t);
  CHECK(expr_simplify(p, e) != EXPR_NONE);
  expr_is_zero(p, e);
  CHECK(expr_expand(p, e) != EXPR_NONE);
  CHECK(expr_coefficient(p, e, x, 1) == EXPR_NONE);
  CHECK(expr_integrate(p, e, x) == EXPR_NONE);
  expr_pool_free(p);
}

// sums too long to be turned term by term, each sign of which is minus
TEST(functions_of_minus_a_long_sum_end)
{
  expr_pool* p = expr_pool_new(0);
  expr term[300];
  double value[300];
  expr symbol[300];
  char name[20];
  for (int i = 0; i < 300; i++) {
    snprintf(name, sizeof name, "x%d", i);
    symbol[i] = expr_symbol(p, name);
    term[i] = expr_neg(p, symbol[i]);
    value[i] = 0.001 * i;
  }
  const expr_fn fn[] = {EXPR_SIN, EXPR_COS, EXPR_TAN, EXPR_ABS, EXPR_SIGN, EXPR_ATAN, EXPR_SINH};
  double sum = 0;
  for (int i = 0; i < 300; i++) sum -= value[i];
  const double expected[] = {sin(sum), cos(sum), tan(sum), -sum, -1, atan(sum), sinh(sum)};
  for (size_t k = 0; k < sizeof fn / sizeof *fn; k++)
    for (int sign = 0; sign < 2; sign++) {
      expr e = expr_sum(p, 300, term);
      if (sign) e = expr_neg(p, expr_neg(p, e));
      e = expr_fn1(p, fn[k], e);
      const double got = expr_value(p, e, 300, symbol, value);
      CHECK_NEAR(got, expected[k], 1e-9 * (1 + fabs(expected[k])));
    }
  expr_pool_free(p);
}

TEST(chains_of_additions_take_memory_in_proportion)
{
  expr_pool* p = expr_pool_new(400000);
  expr e = expr_symbol(p, "s");
  char name[16];
  for (int i = 0; i < 20000; i++) {
    snprintf(name, sizeof name, "y%d", i);
    e = expr_add(p, e, expr_symbol(p, name));
  }
  CHECK(!expr_pool_full(p));
  CHECK_INT(expr_symbols(p, 1, &e, 0, NULL), 20001);
  expr_pool_free(p);
}

TEST(nested_roots_and_powers_stay_bounded)
{
  expr_pool* p = expr_pool_new(0);
  expr x = expr_symbol(p, "x"), y = expr_symbol(p, "y"), e = x;
  for (int i = 0; i < 20000; i++) e = expr_fn1(p, EXPR_SQRT, expr_mul(p, e, y));
  expr huge = expr_pow(p, expr_int(p, 2), expr_int(p, 60000));
  CHECK(expr_pow(p, e, huge) != EXPR_NONE);
  CHECK(expr_pow(p, expr_int(p, 9), expr_int(p, 1000000000)) != EXPR_NONE);
  CHECK(!expr_pool_full(p));
  // numbers that double their digits end at a limit
  expr n = expr_int(p, 7);
  for (int i = 0; i < 64 && !expr_pool_full(p); i++) n = expr_mul(p, n, n);
  CHECK(expr_pool_full(p));
  expr_pool_free(p);
}

TEST(expanding_stops_at_its_bound)
{
  expr_pool* p = expr_pool_new(0);
  expr e = read_expr(p, "(a + b + c + d + e + f + g + h)^30*(i + j + k)^20");
  CHECK(expr_expand(p, e) != EXPR_NONE);
  CHECK(expr_simplify(p, e) != EXPR_NONE);
  expr_is_zero(p, expr_sub(p, e, expr_expand(p, e)));
  CHECK(!expr_pool_full(p));
  expr_pool_free(p);
}

static void everything(expr_pool* p, uint64_t seed)
{
  random_stream r = {seed};
  expr a = random_expr(p, &r, 12, false), b = random_expr(p, &r, 8, true);
  expr x = expr_symbol(p, "x"), y = expr_symbol(p, "y"), out[4], assumed[2];
  int count;
  base_arena* arena = base_arena_new();
  base_text t = {0};
  expr_simplify(p, a);
  expr_is_zero(p, expr_sub(p, a, b));
  expr_diff(p, a, x);
  expr_rate_set(p, x, y);
  expr_total(p, a);
  expr_expand(p, a);
  expr_integrate(p, b, x);
  expr_collect(p, a, 1, &x);
  expr_coefficient(p, b, x, 1);
  expr_substitute(p, a, 1, &x, &b);
  expr_solve(p, 2, 1, (expr[]){a, b, b, x}, (expr[]){x, y}, out, assumed, &count);
  expr_cse_find(p, arena, 2, (expr[]){a, b}, "c");
  expr_print(p, &t, a);
  expr_print_latex(p, &t, b);
  base_text_free(&t);
  base_arena_free(arena);
}

TEST(full_pools_say_so_and_do_not_crash)
{
  int full = 0;
  for (size_t limit = 1; limit < 400; limit += 3) {
    expr_pool* p = expr_pool_new(limit);
    everything(p, limit);
    full += expr_pool_full(p);
    expr_pool_free(p);
  }
  CHECK(full > 20);
}

TEST(a_full_pool_builds_zero)
{
  expr_pool* p = expr_pool_new(16);
  char name[16];
  for (int i = 0; i < 16; i++) {
    snprintf(name, sizeof name, "y%d", i);
    expr_symbol(p, name);
  }
  CHECK(expr_pool_full(p));
  CHECK(expr_symbol(p, "fresh") == expr_int(p, 0));
  expr_pool_free(p);
}

TEST(wide_nested_sums_are_ordered_in_time)
{
  expr_pool* p = expr_pool_new(0);
  char name[16];
  expr row[30];
  for (int i = 0; i < 30; i++) {
    snprintf(name, sizeof name, "y%d", i);
    row[i] = expr_symbol(p, name);
  }
  // every level: sums of products of the sums below, much alike
  for (int level = 0; level < 4; level++) {
    expr up[30];
    for (int i = 0; i < 30; i++) {
      expr terms[30];
      for (int k = 0; k < 30; k++)
        terms[k] = expr_product(p, 3, (expr[]){row[k], row[(k + i + 1) % 30], expr_int(p, k - 15)});
      up[i] = expr_sum(p, 30, terms);
    }
    memcpy(row, up, sizeof row);
  }
  expr e = expr_fn1(p, EXPR_SIN, expr_sub(p, row[0], row[1]));
  base_text t = {0};
  expr_print(p, &t, e);
  CHECK(t.n > 1000000);
  base_text_free(&t);
  CHECK(expr_simplify(p, e) != EXPR_NONE);
  CHECK(expr_diff(p, e, expr_symbol(p, "y3")) != EXPR_NONE);
  expr_pool_free(p);
}

// Counted up to a bound: exact up to it, above it nothing more is looked at.
TEST(sizes_are_counted_up_to_a_bound)
{
  expr_pool* p = expr_pool_new(0);
  expr x = expr_symbol(p, "x"), y = expr_symbol(p, "y"), e = x;
  for (int i = 0; i < 5000; i++) e = expr_fn1(p, EXPR_ATAN, expr_add(p, e, y));
  const size_t whole = expr_size(p, 1, &e);
  CHECK(expr_size_within(p, 1, &e, whole) == whole);
  CHECK(expr_size_within(p, 1, &e, whole - 1) > whole - 1);
  CHECK(expr_size_within(p, 1, &x, 0) > 0);
  const uint64_t before = expr_looks();
  CHECK(expr_size_within(p, 1, &e, 100) > 100);
  CHECK(expr_looks() - before < whole / 4);
  expr_pool_free(p);
}
