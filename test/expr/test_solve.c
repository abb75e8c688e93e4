// Linear systems with symbols, against the numbers and against texts.
#include "expr/tools.h"

#include <stdio.h>

#define MOST 8

// residual of A x = b at a random point, and the size of its terms
static double residual(expr_pool* p, int n, const expr* A, const expr* b, const expr* x,
                       random_stream* r)
{
  expr all[MOST * MOST + 2 * MOST], symbols[200];
  double values[200], out[MOST * MOST + 2 * MOST], worst = 0;
  memcpy(all, A, sizeof(expr) * (size_t)(n * n));
  memcpy(all + n * n, b, sizeof(expr) * (size_t)n);
  memcpy(all + n * n + n, x, sizeof(expr) * (size_t)n);
  int count = expr_symbols(p, n * n + 2 * n, all, 200, symbols);
  for (int i = 0; i < count; i++) values[i] = random_between(r, 0.3, 2);
  expr_values(p, n * n + 2 * n, all, count, symbols, values, out);
  for (int i = 0; i < n; i++) {
    double sum = -out[n * n + i], size = fabs(out[n * n + i]);
    for (int k = 0; k < n; k++) {
      sum += out[i * n + k] * out[n * n + n + k];
      size += fabs(out[i * n + k] * out[n * n + n + k]);
    }
    if (!(fabs(sum) <= worst * (1 + size))) worst = fabs(sum) / (1 + size);
  }
  return worst;
}

TEST(rotation_is_inverted)
{
  expr_pool* p = expr_pool_new(0);
  expr A[] = {read_expr(p, "cos(t)"), read_expr(p, "sin(t)"), read_expr(p, "-sin(t)"),
              read_expr(p, "cos(t)")};
  expr b[] = {read_expr(p, "u"), read_expr(p, "v")}, x[2], assumed[2];
  int count = -1;
  CHECK(expr_solve(p, 2, 1, A, b, x, assumed, &count));
  CHECK_INT(count, 0);
  CHECK_EXPR(p, x[0], "u*cos(t) - v*sin(t)");
  CHECK_EXPR(p, x[1], "u*sin(t) + v*cos(t)");
  expr_pool_free(p);
}

TEST(singular_systems_are_refused)
{
  expr_pool* p = expr_pool_new(0);
  expr A[] = {read_expr(p, "sin(t)^2"), read_expr(p, "a"), read_expr(p, "1 - cos(t)^2"),
              read_expr(p, "a")};
  expr b[] = {read_expr(p, "u"), read_expr(p, "v")}, x[2], assumed[2];
  int count = -1;
  CHECK(!expr_solve(p, 2, 1, A, b, x, assumed, &count));
  expr_pool_free(p);
}

TEST(doubtful_pivots_are_told)
{
  expr_pool* p = expr_pool_new(0);
  // zero for x > 0, undefined else: nobody can tell
  expr A[] = {read_expr(p, "asin(x) + acos(x) - pi/2")}, b[] = {read_expr(p, "u")}, x[1],
       assumed[1];
  int count = -1;
  CHECK(expr_solve(p, 1, 1, A, b, x, assumed, &count));
  CHECK_INT(count, 1);
  CHECK(assumed[0] == A[0]);
  expr_pool_free(p);
}

TEST(systems_with_all_elements_free)
{
  for (int n = 1; n <= MOST; n++) {
    expr_pool* p = expr_pool_new(0);
    expr A[MOST * MOST], b[MOST], x[MOST], assumed[MOST];
    int count;
    char name[16];
    for (int i = 0; i < n * n; i++) {
      snprintf(name, sizeof name, "a%d", i);
      A[i] = expr_symbol(p, name);
    }
    for (int i = 0; i < n; i++) {
      snprintf(name, sizeof name, "b%d", i);
      b[i] = expr_symbol(p, name);
    }
    CHECK(expr_solve(p, n, 1, A, b, x, assumed, &count));
    CHECK_INT(count, 0);
    random_stream r = {(uint64_t)n};
    CHECK_NEAR(residual(p, n, A, b, x, &r), 0, 1e-9);
    expr_pool_free(p);
  }
}

TEST(random_systems_are_solved)
{
  for (int seed = 1; seed <= 60; seed++) {
    expr_pool* p = expr_pool_new(0);
    random_stream r = {(uint64_t)seed};
    int n = 2 + seed % 3, count;
    expr A[MOST * MOST], b[MOST], x[MOST], assumed[MOST];
    for (int i = 0; i < n * n; i++)
      A[i] = random_below(&r, 3) ? random_expr(p, &r, 3, true)
                                 : expr_int(p, (long)random_below(&r, 3));
    for (int i = 0; i < n; i++) b[i] = random_expr(p, &r, 2, true);
    if (expr_solve(p, n, 1, A, b, x, assumed, &count)) {
      double worst = residual(p, n, A, b, x, &r);
      if (isfinite(worst)) CHECK_NEAR(worst, 0, 1e-6);
    }
    expr_pool_free(p);
  }
}

TEST(several_right_hand_sides)
{
  expr_pool* p = expr_pool_new(0);
  expr A[] = {read_expr(p, "a"), read_expr(p, "b"), read_expr(p, "0"), read_expr(p, "d")};
  expr b[] = {read_expr(p, "1"), read_expr(p, "0"), read_expr(p, "0"), read_expr(p, "1")};
  expr x[4], assumed[2];
  int count;
  CHECK(expr_solve(p, 2, 2, A, b, x, assumed, &count));
  CHECK_EXPR(p, x[0], "1/a");
  CHECK_EXPR(p, x[1], "-b/(a*d)");
  CHECK_EXPR(p, x[2], "0");
  CHECK_EXPR(p, x[3], "1/d");
  expr_pool_free(p);
}
