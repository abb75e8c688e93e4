// Rates, gradients, substitution, coefficients, collecting, common subexpressions.
#include "expr/tools.h"

#include <stdio.h>

TEST(total_derivatives_follow_the_rates)
{
  expr_pool* p = expr_pool_new(0);
  expr x = expr_symbol(p, "x"), v = expr_symbol(p, "x'"), a = expr_symbol(p, "x''");
  expr_rate_set(p, x, v);
  expr_rate_set(p, v, a);
  CHECK(expr_rate(p, x) == v);
  CHECK(expr_rate(p, a) == EXPR_NONE);
  expr e = read_expr(p, "m*x^2*sin(x)");
  CHECK(expr_total(p, e) == read_expr(p, "2*m*x*x'*sin(x) + m*x^2*x'*cos(x)"));
  CHECK(expr_total(p, expr_total(p, x)) == a);
  CHECK(expr_total(p, expr_symbol(p, "m")) == expr_int(p, 0));
  // a new rate counts at once
  expr_rate_set(p, expr_symbol(p, "m"), expr_int(p, 3));
  CHECK(expr_total(p, read_expr(p, "m*t")) == read_expr(p, "3*t"));
  expr_pool_free(p);
}

TEST(branches_differentiate_by_branch)
{
  expr_pool* p = expr_pool_new(0);
  expr x = expr_symbol(p, "x");
  CHECK_EXPR(p, expr_diff(p, read_expr(p, "if(x < 2, x^2, 3*x)"), x), "if(x < 2, 2*x, 3)");
  CHECK_EXPR(p, expr_diff(p, read_expr(p, "abs(x)"), x), "sign(x)");
  CHECK_EXPR(p, expr_diff(p, read_expr(p, "sign(x)"), x), "0");
  expr d = expr_diff(p, read_expr(p, "min(x^2, 3*x)"), x);
  CHECK_NEAR(expr_value(p, d, 1, &x, (double[]){1}), 2, 0);
  CHECK_NEAR(expr_value(p, d, 1, &x, (double[]){5}), 3, 0);
  expr_pool_free(p);
}

TEST(gradients_are_derivatives)
{
  expr_pool* p = expr_pool_new(0);
  expr s[RANDOM_SYMBOLS], g[RANDOM_SYMBOLS];
  random_symbols(p, s);
  for (int seed = 1; seed <= 50; seed++) {
    random_stream r = {(uint64_t)seed};
    expr e = random_expr(p, &r, 10, true);
    expr_gradient(p, e, RANDOM_SYMBOLS, s, g);
    for (int i = 0; i < RANDOM_SYMBOLS; i++) CHECK(g[i] == expr_diff(p, e, s[i]));
  }
  expr_pool_free(p);
}

// two expressions with weights, which themselves hold the symbols
TEST(pulled_back_weights_are_sums_of_derivatives)
{
  expr_pool* p = expr_pool_new(0);
  expr s[RANDOM_SYMBOLS], out[RANDOM_SYMBOLS];
  random_symbols(p, s);
  int compared = 0;
  for (int seed = 1; seed <= 100; seed++) {
    random_stream r = {(uint64_t)seed};
    expr e[2] = {random_expr(p, &r, 10, true), random_expr(p, &r, 6, true)};
    expr w[2] = {random_expr(p, &r, 4, true), random_expr(p, &r, 4, true)};
    expr_pullback(p, 2, e, w, RANDOM_SYMBOLS, s, out);
    double value[RANDOM_SYMBOLS];
    for (int i = 0; i < RANDOM_SYMBOLS; i++) value[i] = 0.3 + 0.17 * i;
    for (int i = 0; i < RANDOM_SYMBOLS; i++) {
      expr want = expr_add(p, expr_mul(p, w[0], expr_diff(p, e[0], s[i])),
                           expr_mul(p, w[1], expr_diff(p, e[1], s[i])));
      if (want == EXPR_NONE) continue;
      const double x = expr_value(p, want, RANDOM_SYMBOLS, s, value);
      if (!isfinite(x) || fabs(x) > 1e6) continue;
      CHECK_NEAR(expr_value(p, out[i], RANDOM_SYMBOLS, s, value), x, 1e-9 * (1 + fabs(x)));
      compared++;
    }
  }
  CHECK(compared > 100);
  expr_pool_free(p);
}

TEST(substitution_is_simultaneous)
{
  expr_pool* p = expr_pool_new(0);
  expr from[] = {expr_symbol(p, "x"), expr_symbol(p, "y")};
  expr to[] = {from[1], from[0]};
  CHECK(expr_substitute(p, read_expr(p, "x - 2*y"), 2, from, to) == read_expr(p, "y - 2*x"));
  // whole expressions can be replaced too
  expr s = read_expr(p, "sin(x)"), u = expr_symbol(p, "u");
  CHECK(expr_substitute(p, read_expr(p, "sin(x)^2 + x"), 1, &s, &u) == read_expr(p, "u^2 + x"));
  expr_pool_free(p);
}

// what is remembered of one substitution is not taken for another
TEST(kept_substitution)
{
  expr_pool* p = expr_pool_new(0);
  const expr x = expr_symbol(p, "x"), two = expr_int(p, 2), three = expr_int(p, 3);
  const expr e[2] = {read_expr(p, "sin(x)^2 + x*y"), read_expr(p, "exp(sin(x)) - y")};
  const expr y = expr_symbol(p, "y"), to[2] = {two, three}, from[2] = {x, y};
  expr out[2];
  for (int round = 0; round < 2; round++) {
    expr_substitute_kept(p, 1, e, 1, &x, &two, false, out);
    CHECK(out[0] == expr_substitute(p, e[0], 1, &x, &two));
    expr_substitute_kept(p, 2, e, 1, &x, &two, false, out);
    CHECK(out[1] == expr_substitute(p, e[1], 1, &x, &two));
    expr_substitute_kept(p, 2, e, 1, &x, &three, false, out);
    CHECK(out[0] == expr_substitute(p, e[0], 1, &x, &three));
    expr_substitute_kept(p, 2, e, 2, from, to, true, out);
    CHECK(out[0] == expr_substitute(p, e[0], 2, from, to));
    CHECK(out[1] == expr_substitute(p, e[1], 2, from, to));
    expr_substitute_kept(p, 2, e, 1, &y, &two, true, out);
    CHECK(out[1] == expr_substitute(p, e[1], 1, &y, &two));
  }
  // the second time nothing is left to do
  const uint64_t before = expr_pool_work(p);
  expr_substitute_kept(p, 2, e, 1, &y, &two, true, out);
  CHECK(expr_pool_work(p) == before);
  expr_pool_free(p);
}

TEST(symbols_and_values_are_found)
{
  expr_pool* p = expr_pool_new(0);
  expr e = read_expr(p, "a*sin(b)/c + 2"), out[4];
  CHECK_INT(expr_symbols(p, 1, &e, 4, out), 3);
  CHECK(expr_has(p, e, expr_symbol(p, "b")));
  CHECK(!expr_has(p, e, expr_symbol(p, "d")));
  for (int i = 0; i < 100; i++) {
    char name[16];
    snprintf(name, sizeof name, "n%d", i);
    CHECK(!expr_has(p, e, expr_symbol(p, name)));
  }
  CHECK(expr_has(p, e, expr_symbol(p, "c")));
  CHECK(isnan(expr_value(p, e, 0, NULL, NULL)));
  expr s[] = {expr_symbol(p, "a"), expr_symbol(p, "b"), expr_symbol(p, "c")};
  CHECK_NEAR(expr_value(p, e, 3, s, (double[]){3, 0.5, 2}), 3 * sin(0.5) / 2 + 2, 1e-15);
  expr_pool_free(p);
}

TEST(coefficients_of_polynomials)
{
  expr_pool* p = expr_pool_new(0);
  expr x = expr_symbol(p, "x"), e = read_expr(p, "(a*x + b)^2*c + sin(a)");
  CHECK(expr_coefficient(p, e, x, 2) == read_expr(p, "a^2*c"));
  CHECK(expr_coefficient(p, e, x, 1) == read_expr(p, "2*a*b*c"));
  CHECK(expr_is_zero(p, expr_sub(p, expr_coefficient(p, e, x, 0),
                                 read_expr(p, "b^2*c + sin(a)"))) == EXPR_YES);
  CHECK(expr_coefficient(p, e, x, 3) == expr_int(p, 0));
  CHECK(expr_coefficient(p, read_expr(p, "sin(x)"), x, 1) == EXPR_NONE);
  CHECK(expr_coefficient(p, read_expr(p, "1/x"), x, 1) == EXPR_NONE);
  CHECK(expr_coefficient(p, read_expr(p, "a + b"), x, 0) == read_expr(p, "a + b"));
  expr_pool_free(p);
}

TEST(collecting_groups_by_symbols)
{
  expr_pool* p = expr_pool_new(0);
  expr s[] = {expr_symbol(p, "x''"), expr_symbol(p, "y''")};
  expr e = read_expr(p, "m*(x'' + l*y''*cos(q)) + m*l*(x''*cos(q) + l*y'') - k*x");
  CHECK_EXPR(p, expr_collect(p, e, 2, s), "l*m*y''*(l + cos(q)) + m*x''*(l*cos(q) + 1) - k*x");
  expr_pool_free(p);
}

TEST(common_subexpressions_are_named_once)
{
  expr_pool* p = expr_pool_new(0);
  base_arena* arena = base_arena_new();
  expr e[] = {read_expr(p, "sin(x + y)^2 + a"), read_expr(p, "sin(x + y)*b + cos(x + y)"),
              read_expr(p, "c1 + 2*a")};
  expr_cse c = expr_cse_find(p, arena, 3, e, "c");
  CHECK_INT(c.count, 2);
  // the name c1 is taken by the model
  for (int i = 0; i < c.count; i++) CHECK(strcmp(expr_name(p, c.name[i]), "c1") != 0);
  CHECK_EXPR(p, c.value[0], "x + y");
  CHECK_EXPR(p, c.value[1], "sin(c2)");
  CHECK_EXPR(p, c.out[0], "a + c3^2");
  CHECK_EXPR(p, c.out[1], "b*c3 + cos(c2)");
  for (int k = 0; k < 3; k++) {
    expr back = c.out[k];
    for (int i = c.count - 1; i >= 0; i--)
      back = expr_substitute(p, back, 1, &c.name[i], &c.value[i]);
    CHECK(back == e[k]);
  }
  base_arena_free(arena);
  expr_pool_free(p);
}

// the numbers of symbols, of expressions from one node to many more than are looked through one by
// one
TEST(symbols_are_listed_of_small_and_large_expressions_alike)
{
  enum { MOST = 40 };
  expr_pool* p = expr_pool_new(0);
  expr symbol[MOST], e = expr_int(p, 1);
  char name[16];
  for (int i = 0; i < MOST; i++) {
    snprintf(name, sizeof name, "x%d", i);
    symbol[i] = expr_symbol(p, name);
  }
  // only every other one is in the index
  expr known[MOST / 2];
  for (int i = 0; i < MOST / 2; i++) known[i] = symbol[2 * i];
  expr_index* x = expr_index_new(MOST / 2, known);
  expr_numbers list = {0};
  for (int i = 0; i < MOST; i++) {
    // the earlier ones twice
    e = expr_call(p, EXPR_SIN, 1, (expr[]){expr_add(p, expr_mul(p, e, symbol[i]), symbol[i / 2])});
    expr_index_list(p, x, e, &list);
    CHECK_INT(list.n, i / 2 + 1);
    for (int k = 0; k < list.n; k++) CHECK_INT(list.at[k], k);
    CHECK(expr_index_any(p, x, e));
    CHECK(!expr_index_any(p, x, symbol[i | 1]));
  }
  base_list_free(&list);
  expr_index_free(x);
  expr_pool_free(p);
}
