// Random expressions: values before and after, derivatives against differences, text read back.
#include "expr/pool.h"
#include "expr/tools.h"

#include <stdio.h>

#define CASES 3000

typedef struct sample
{
  expr symbols[RANDOM_SYMBOLS];
  double at[RANDOM_SYMBOLS];
} sample;

static sample draw_sample(expr_pool* p, random_stream* r)
{
  sample s;
  random_symbols(p, s.symbols);
  for (int i = 0; i < RANDOM_SYMBOLS; i++) s.at[i] = random_between(r, -1.5, 1.5);
  return s;
}

static double value_at(expr_pool* p, expr e, const sample* s)
{
  return expr_value(p, e, RANDOM_SYMBOLS, s->symbols, s->at);
}

// largest of all intermediate values: how much rounding errors may have grown
static double scale_at(expr_pool* p, expr e, const sample* s)
{
  double most = fabs(value_at(p, e, s));
  for (int i = 0; i < expr_arg_count(p, e); i++) {
    double a = scale_at(p, expr_arg(p, e, i), s);
    if (!(a <= most)) most = a;
  }
  return most;
}

// equal where both are well conditioned: the error allowed follows the largest intermediate value
static bool same_value(expr_pool* p, expr a, expr b, const sample* s)
{
  double x = value_at(p, a, s), y = value_at(p, b, s);
  // a point where the given form is undefined says nothing
  if (!isfinite(x)) return true;
  double scale = scale_at(p, a, s);
  if (!(scale < 1e4)) return true;
  return fabs(x - y) <= 1e-9 * (1 + scale) * (1 + scale);
}

static void complain(expr_pool* p, const char* what, int seed, expr a, expr b, const sample* s)
{
  char *x = show_expr(p, a), *y = show_expr(p, b);
  check_fail(__FILE__, __LINE__, "%s of case %d: %s -> %s: %.17g, %.17g", what, seed, x, y,
             value_at(p, a, s), value_at(p, b, s));
  free(x);
  free(y);
}

static double planned_value(expr_pool* p, expr e, const sample* s)
{
  const expr* symbol;
  expr_plan* plan = expr_plan_new(p, e);
  double at[RANDOM_SYMBOLS];
  const int count = expr_plan_symbols(plan, &symbol);
  CHECK(count <= RANDOM_SYMBOLS);
  for (int k = 0; k < count; k++)
    for (int i = 0; i < RANDOM_SYMBOLS; i++)
      if (s->symbols[i] == symbol[k]) at[k] = s->at[i];
  const double value = expr_plan_value(plan, at);
  expr_plan_free(plan);
  return value;
}

TEST(plans_of_random_expressions_have_the_same_bits)
{
  int same = 0, count = 0;
  for (int seed = 1; seed <= CASES; seed++) {
    expr_pool* p = expr_pool_new(0);
    random_stream r = {(uint64_t)seed};
    const expr e = seed % 3 ? random_expr(p, &r, 1 + seed % 27, seed % 2) : random_mechanics(p, &r);
    const sample at = draw_sample(p, &r);
    const double x = value_at(p, e, &at), y = planned_value(p, e, &at);
    same += isnan(x) ? isnan(y) : memcmp(&x, &y, sizeof x) == 0;
    count++;
    expr_pool_free(p);
  }
  CHECK_INT(same, count);
}

// with a symbol that nobody gives a number, and one that is no expression at all
TEST(many_random_expressions_have_the_bits_of_each_alone)
{
  enum { LIST = 40, POOLS = 100 };
  int same = 0, missing = 0;
  for (int seed = 1; seed <= POOLS; seed++) {
    expr_pool* p = expr_pool_new(0);
    random_stream r = {(uint64_t)seed + 500000};
    expr list[LIST];
    double all[LIST];
    for (int i = 0; i < LIST; i++)
      list[i] = i % 2 ? random_expr(p, &r, 1 + i % 27, seed % 2) : random_mechanics(p, &r);
    list[(seed + 1) % LIST] = list[seed % LIST];
    list[(seed + 7) % LIST] = EXPR_NONE;
    const sample at = draw_sample(p, &r);
    const int given = RANDOM_SYMBOLS - seed % 2;
    expr_values(p, LIST, list, given, at.symbols, at.at, all);
    for (int i = 0; i < LIST; i++) {
      const double one = expr_value(p, list[i], given, at.symbols, at.at);
      same += memcmp(&one, &all[i], sizeof one) == 0;
      missing += isnan(one);
    }
    expr_pool_free(p);
  }
  CHECK_INT(same, LIST * POOLS);
  CHECK(missing > LIST && missing < LIST * POOLS / 2);
}

TEST(simplify_keeps_the_value_of_random_expressions)
{
  int told = 0;
  for (int seed = 1; seed <= CASES && told < 5; seed++) {
    expr_pool* p = expr_pool_new(0);
    random_stream r = {(uint64_t)seed};
    expr e = seed % 3 ? random_expr(p, &r, 3 + seed % 27, seed % 2) : random_mechanics(p, &r);
    expr s = expr_simplify(p, e);
    for (int k = 0; k < 4; k++) {
      sample at = draw_sample(p, &r);
      if (same_value(p, e, s, &at)) continue;
      complain(p, "simplify", seed, e, s, &at);
      told++;
      break;
    }
    expr_pool_free(p);
  }
}

TEST(simplify_is_idempotent_and_does_not_grow)
{
  for (int seed = 1; seed <= CASES / 4; seed++) {
    expr_pool* p = expr_pool_new(0);
    random_stream r = {(uint64_t)seed};
    expr e = random_expr(p, &r, 3 + seed % 12, seed % 2), s = expr_simplify(p, e);
    CHECK(expr_simplify(p, s) == s);
    CHECK(expr_cost(p, s) <= expr_cost(p, e));
    CHECK(!expr_pool_full(p));
    expr_pool_free(p);
  }
}

TEST(a_simplified_expression_differs_by_zero)
{
  for (int seed = 1; seed <= CASES / 8; seed++) {
    expr_pool* p = expr_pool_new(0);
    random_stream r = {(uint64_t)seed + 400000};
    expr e = random_mechanics(p, &r), off = expr_sub(p, expr_simplify(p, e), e);
    CHECK(expr_is_zero(p, off) != EXPR_NO);
    CHECK(expr_is_zero(p, expr_add(p, off, expr_ratio(p, 1, 1000))) != EXPR_YES);
    expr_pool_free(p);
  }
}

TEST(expand_keeps_the_value_of_random_expressions)
{
  int told = 0;
  for (int seed = 1; seed <= CASES && told < 5; seed++) {
    expr_pool* p = expr_pool_new(0);
    random_stream r = {(uint64_t)seed + 100000};
    expr e = random_expr(p, &r, 3 + seed % 10, seed % 2), s = expr_expand(p, e);
    sample at = draw_sample(p, &r);
    if (s && !same_value(p, e, s, &at)) {
      complain(p, "expand", seed, e, s, &at);
      told++;
    }
    expr_pool_free(p);
  }
}

TEST(derivatives_agree_with_differences)
{
  int told = 0, compared = 0;
  for (int seed = 1; seed <= CASES && told < 5; seed++) {
    expr_pool* p = expr_pool_new(0);
    random_stream r = {(uint64_t)seed + 200000};
    expr e = random_expr(p, &r, 2 + seed % 10, true);
    sample at = draw_sample(p, &r);
    int k = (int)random_below(&r, RANDOM_SYMBOLS);
    expr d = expr_diff(p, e, at.symbols[k]);
    // two widths: where they agree to seven digits the difference is trusted
    double slope[2], h = 1e-4;
    for (int i = 0; i < 2; i++, h /= 2) {
      sample up = at, down = at;
      up.at[k] += h;
      down.at[k] -= h;
      slope[i] = (value_at(p, e, &up) - value_at(p, e, &down)) / (2 * h);
    }
    double better = (4 * slope[1] - slope[0]) / 3, got = d ? value_at(p, d, &at) : NAN;
    if (fabs(slope[0] - slope[1]) < 1e-6 * (1 + fabs(better)) && fabs(better) < 1e3) {
      compared++;
      if (!(fabs(got - better) < 1e-5 * (1 + fabs(better)))) {
        complain(p, "derivative", seed, e, d ? d : e, &at);
        told++;
      }
    }
    expr_pool_free(p);
  }
  CHECK(compared > CASES / 2);
}

TEST(texts_read_back_as_the_same_expression)
{
  int told = 0;
  for (int seed = 1; seed <= CASES && told < 5; seed++) {
    expr_pool* p = expr_pool_new(0);
    random_stream r = {(uint64_t)seed + 300000};
    expr e = random_expr(p, &r, 2 + seed % 14, seed % 2);
    char* text = show_expr(p, e);
    expr back = read_expr(p, text);
    char* again = show_expr(p, back);
    sample at = draw_sample(p, &r);
    if (strcmp(text, again) != 0 || !same_value(p, e, back, &at)) {
      complain(p, "reading", seed, e, back, &at);
      told++;
    }
    free(text);
    free(again);
    expr_pool_free(p);
  }
}
