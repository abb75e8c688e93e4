// Building: numbers, sums, products, powers and functions in their cheap normal form.
#include "expr/tools.h"

// reads as the left text and is built as the right one
static void same(expr_pool* p, const char* text, const char* want)
{
  expr e = read_expr(p, text);
  CHECK_EXPR(p, e, want);
  CHECK(e == read_expr(p, want));
}

TEST(like_terms_are_merged)
{
  expr_pool* p = expr_pool_new(0);
  expr x = expr_symbol(p, "x"), y = expr_symbol(p, "y");
  expr e = expr_add(p, expr_add(p, x, y), expr_sub(p, x, y));
  CHECK(e == expr_mul(p, expr_int(p, 2), x));
  CHECK(expr_mul(p, x, expr_mul(p, y, x)) == expr_mul(p, y, expr_pow(p, x, expr_int(p, 2))));
  same(p, "x - (x + y)", "-y");
  same(p, "3*x*y - y*x/2", "5*x*y/2");
  same(p, "2*(x + y) - 2*x", "2*y");
  same(p, "x*y/(y*x)", "1");
  same(p, "-(x - y)", "y - x");
  same(p, "(-x - y)*z", "-z*(x + y)");
  same(p, "1/(-x - y)", "-1/(x + y)");
  expr_pool_free(p);
}

TEST(numbers_are_exact)
{
  expr_pool* p = expr_pool_new(0);
  CHECK(expr_decimal(p, "0.6", 3) == expr_ratio(p, 3, 5));
  CHECK(expr_decimal(p, "1.5e-3", 6) == expr_ratio(p, 3, 2000));
  CHECK(expr_decimal(p, "12", 2) == expr_int(p, 12));
  CHECK(expr_decimal(p, "-0.250", 6) == expr_ratio(p, -1, 4));
  CHECK(expr_decimal(p, "0.1250000000000000000", 21) == expr_ratio(p, 1, 8));
  CHECK(expr_decimal(p, "123456789.012345", 16) == expr_decimal(p, "123456789012345e-6", 18));
  CHECK(expr_decimal(p, "-0", 2) == expr_int(p, 0) && expr_decimal(p, "5.", 2) == expr_int(p, 5));
  CHECK(expr_decimal(p, "-", 1) == EXPR_NONE);
  CHECK(expr_double(p, 0.1) == expr_ratio(p, 1, 10));
  CHECK(expr_double(p, -2.5) == expr_ratio(p, -5, 2));
  CHECK(expr_double(p, INFINITY) == EXPR_NONE);
  CHECK(expr_decimal(p, "1e401", 5) == EXPR_NONE);
  CHECK(expr_decimal(p, "1e", 2) == EXPR_NONE);
  CHECK(expr_decimal(p, ".", 1) == EXPR_NONE);
  CHECK(expr_decimal(p, "1.2.3", 5) == EXPR_NONE);
  CHECK(expr_decimal(p, "", 0) == EXPR_NONE);
  CHECK(expr_ratio(p, 1, 0) == EXPR_NONE);
  expr third = expr_ratio(p, 1, 3);
  CHECK(expr_sum(p, 3, (expr[]){third, third, third}) == expr_int(p, 1));
  expr big = expr_pow(p, expr_int(p, 3), expr_int(p, 200));
  CHECK(expr_div(p, expr_mul(p, big, big), big) == big);
  CHECK_NEAR(expr_number(p, big) / pow(3, 200), 1, 1e-15);
  CHECK_NEAR(expr_number(p, expr_ratio(p, 1, 3)), 1.0 / 3, 0);
  expr_pool_free(p);
}

TEST(long_numbers_round_to_the_nearest_double)
{
  expr_pool* p = expr_pool_new(0);
  const char* const texts[] = {"9007199254740993",        "9007199254740993.0000000001",
                               "4.9406564584124654e-324", "2.4703282292062328e-324",
                               "1.7976931348623157e308",  "123456789012345678901234567890",
                               "2.2250738585072011e-308", "0.1000000000000000055511151231257827"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    double got = expr_number(p, expr_decimal(p, texts[i], strlen(texts[i])));
    CHECK(got == strtod(texts[i], NULL));
  }
  expr_pool_free(p);
}

TEST(powers_merge_only_where_that_holds)
{
  expr_pool* p = expr_pool_new(0);
  same(p, "x^0", "1");
  same(p, "sqrt(x^2)", "abs(x)");
  same(p, "sqrt(x^4)", "x^2");
  same(p, "sqrt(x)*sqrt(x)", "x");
  same(p, "sqrt(x)^3", "x^(3/2)");
  same(p, "(x^3)^(1/3)", "(x^3)^(1/3)");
  same(p, "(x^2)^3", "x^6");
  same(p, "(x*y)^2", "x^2*y^2");
  same(p, "sqrt(x*y)", "sqrt(x*y)");
  same(p, "sqrt(4*x)", "2*sqrt(x)");
  same(p, "sqrt(x^2*y)", "sqrt(y)*abs(x)");
  same(p, "x^a*x^b", "x^(a + b)");
  same(p, "(x^a)^b", "(x^a)^b");
  same(p, "(x - y)^2 - (y - x)^2", "0");
  same(p, "exp(x)*exp(y)", "exp(x + y)");
  same(p, "exp(x)^2/exp(2*x)", "1");
  same(p, "sqrt(8)", "2*sqrt(2)");
  same(p, "sqrt(2)*sqrt(3)*sqrt(6)", "6");
  same(p, "sqrt(1/2)", "sqrt(2)/2");
  same(p, "8^(2/3)", "4");
  same(p, "(-8)^(1/3)", "(-8)^(1/3)");
  expr_pool_free(p);
}

TEST(undefined_operations_give_none)
{
  expr_pool* p = expr_pool_new(0);
  expr x = expr_symbol(p, "x"), zero = expr_int(p, 0);
  CHECK(expr_div(p, x, zero) == EXPR_NONE);
  CHECK(expr_pow(p, zero, expr_int(p, -2)) == EXPR_NONE);
  CHECK(expr_add(p, x, EXPR_NONE) == EXPR_NONE);
  CHECK(expr_mul(p, zero, EXPR_NONE) == EXPR_NONE);
  CHECK(expr_fn1(p, EXPR_SIN, EXPR_NONE) == EXPR_NONE);
  CHECK(expr_substitute(p, expr_div(p, x, expr_sub(p, x, expr_int(p, 1))), 1, &x,
                        (expr[]){expr_int(p, 1)}) == EXPR_NONE);
  expr_pool_free(p);
}

TEST(functions_have_their_exact_values)
{
  expr_pool* p = expr_pool_new(0);
  same(p, "sin(0)", "0");
  same(p, "cos(0)", "1");
  same(p, "sin(-x)", "-sin(x)");
  same(p, "cos(-x)", "cos(x)");
  same(p, "sin(y - x)", "-sin(x - y)");
  same(p, "sin(pi/6)", "1/2");
  same(p, "cos(pi/4)", "sqrt(2)/2");
  same(p, "sin(-7*pi/3)", "-sqrt(3)/2");
  same(p, "tan(pi/3)", "sqrt(3)");
  same(p, "sin(x + pi/2)", "cos(x)");
  same(p, "cos(x - 3*pi/2)", "-sin(x)");
  same(p, "tan(x + pi)", "tan(x)");
  same(p, "sin(asin(x))", "x");
  same(p, "asin(1/2)", "pi/6");
  same(p, "acos(-1)", "pi");
  same(p, "atan(-1)", "-pi/4");
  same(p, "exp(log(x))", "x");
  same(p, "log(1)", "0");
  same(p, "abs(-3*x)", "3*abs(x)");
  same(p, "abs(x^2*y)", "x^2*abs(y)");
  same(p, "sign(-2*x)", "-sign(x)");
  same(p, "sign(-2)", "-1");
  same(p, "sign(exp(x))", "1");
  same(p, "min(2, 3) + max(2, 3)", "5");
  same(p, "min(x, x)", "x");
  same(p, "max(pi, 3)", "pi");
  same(p, "if(1 < 2, x, y)", "x");
  same(p, "if(x < y, z, z)", "z");
  same(p, "tanh(-x)", "-tanh(x)");
  same(p, "atan2(0, 2)", "0");
  expr_pool_free(p);
}

TEST(the_order_of_building_does_not_show)
{
  expr_pool *p = expr_pool_new(0), *q = expr_pool_new(0);
  const char* const texts[] = {"c", "b", "a", "sin(b - a)", "exp(c)*a", "(a + b)^2"};
  const char* whole = "a*b + c*sin(a - b) - exp(c)*a*(a + b)^2 - c*cos(b - a)/b";
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) read_expr(q, texts[i]);
  char *x = show_expr(p, read_expr(p, whole)), *y = show_expr(q, read_expr(q, whole));
  CHECK_TEXT(x, y);
  free(x);
  free(y);
  expr_pool_free(p);
  expr_pool_free(q);
}
