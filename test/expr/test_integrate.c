// Antiderivatives: each is differentiated again and compared.
#include "expr/tools.h"

// is there one? Then it is right
static bool integral_holds(const char* text)
{
  expr_pool* p = expr_pool_new(0);
  expr x = expr_symbol(p, "x"), e = read_expr(p, text), F = expr_integrate(p, e, x);
  if (F) {
    expr off = expr_sub(p, expr_diff(p, F, x), e);
    expr s[] = {x, expr_symbol(p, "a"), expr_symbol(p, "b"), expr_symbol(p, "n")};
    double at[][4] = {{0.3, 1.2, 0.7, 3}, {0.8, 0.4, 1.1, 2.5}, {1.3, 2.1, 0.2, 0.5}};
    for (int i = 0; i < 3; i++) CHECK_NEAR(expr_value(p, off, 4, s, at[i]), 0, 1e-10);
  }
  expr_pool_free(p);
  return F;
}

static void integral(const char* text)
{
  if (!integral_holds(text)) check_fail(__FILE__, __LINE__, "no integral of %s", text);
}

TEST(antiderivatives_differentiate_back)
{
  const char* const texts[] = {
      "0",
      "a",
      "x",
      "x^3 - 2*x",
      "1/x",
      "1/(a*x + b)",
      "sqrt(x)",
      "x^n",
      "sin(a*x + b)",
      "cos(x)",
      "exp(-a*x)",
      "x*sin(x)",
      "x^2*exp(a*x)",
      "x^3*cos(2*x)",
      "sin(x)^2",
      "cos(x)^3",
      "sin(x)*cos(x)",
      "(a*x + b)^5",
      "1/(x^2 + 1)",
      "x*exp(x^2)",
      "tan(x)",
      "1/cos(x)^2",
      "2^x",
      "x/(x^2 + 1)",
      "sinh(a*x)",
      "log(x)",
      "x*log(x)",
      "(x + 1)*(x - a)",
      "exp(x)*sin(b)",
      "3*x^2*sin(x^3)",
      "x*y + y^2",
  };
  for (size_t i = 0; i + 1 < sizeof texts / sizeof *texts; i++) integral(texts[i]);
}

// an integral within an integral has a variable of its own
TEST(nested_substitutions_do_not_meet)
{
  const char* const texts[] = {"atan(x^(1/3))/x^(1/3)", "sqrt(x)*atan(sqrt(x))", "x^2/(x^2 + 1)",
                               "x*atan(x)", "atan(sqrt(x))/sqrt(x)"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) integral_holds(texts[i]);
}

TEST(what_the_rules_do_not_reach_is_none)
{
  expr_pool* p = expr_pool_new(0);
  expr x = expr_symbol(p, "x");
  const char* const texts[] = {"exp(x^2)", "sin(x)/x", "sqrt(1 + x^3)", "exp(x)*tan(x)",
                               "if(x < 1, x, 2)"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    CHECK(expr_integrate(p, read_expr(p, texts[i]), x) == EXPR_NONE);
  expr_pool_free(p);
}
