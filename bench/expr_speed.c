// How fast expressions are built, differentiated, evaluated and simplified.
// Part of make bench.
#include "expr/expr.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static expr symbol(expr_pool* p, const char* name, int i)
{
  char text[32];
  snprintf(text, sizeof text, name, i);
  return expr_symbol(p, text);
}

// kinetic energy of a chain of n links in the plane, from the velocities of its masses
static expr chain(expr_pool* p, int n)
{
  expr vx = expr_int(p, 0), vy = vx, T = vx, two = expr_int(p, 2);
  for (int i = 1; i <= n; i++) {
    expr q = symbol(p, "q%d", i), v = symbol(p, "q%d'", i), l = symbol(p, "l%d", i);
    expr_rate_set(p, q, v);
    expr_rate_set(p, v, symbol(p, "q%d''", i));
    expr lv = expr_mul(p, l, v);
    vx = expr_add(p, vx, expr_mul(p, lv, expr_fn1(p, EXPR_COS, q)));
    vy = expr_add(p, vy, expr_mul(p, lv, expr_fn1(p, EXPR_SIN, q)));
    expr square = expr_add(p, expr_pow(p, vx, two), expr_pow(p, vy, two));
    T = expr_add(p, T,
                 expr_product(p, 3, (expr[]){expr_ratio(p, 1, 2), symbol(p, "m%d", i), square}));
  }
  return T;
}

static void build_many(void)
{
  expr_pool* p = expr_pool_new(0);
  double start = now();
  expr x = expr_symbol(p, "x"), y = expr_symbol(p, "y"), a = x, b = y;
  long calls = 0;
  for (int i = 0; i < 300000; i++, calls += 5) {
    expr c = expr_add(p, expr_mul(p, a, y), expr_int(p, i % 7));
    b = expr_mul(p, expr_fn1(p, EXPR_SIN, b), x);
    a = expr_fn1(p, EXPR_COS, expr_add(p, c, b));
  }
  double t = now() - start;
  printf("build: %.2f million operations/s, %zu nodes\n", 1e-6 * (double)calls / t,
         expr_size(p, 1, &a));
  start = now();
  expr_diff(p, a, x);
  printf("diff:  %.2f million input nodes/s\n",
         1e-6 * (double)expr_size(p, 1, &a) / (now() - start));
  expr_pool_free(p);
}

static void lagrange(int n)
{
  expr_pool* p = expr_pool_new(0);
  double start = now();
  expr T = chain(p, n);
  double built = now();
  expr s = expr_simplify(p, T);
  double simple = now();
  expr* out = malloc((size_t)n * sizeof *out);
  for (int i = 1; i <= n; i++) {
    expr momentum = expr_diff(p, s, symbol(p, "q%d'", i));
    out[i - 1] = expr_sub(p, expr_total(p, momentum), expr_diff(p, s, symbol(p, "q%d", i)));
  }
  double derived = now();
  size_t raw = expr_size(p, n, out);
  for (int i = 0; i < n; i++) out[i] = expr_simplify(p, out[i]);
  printf(
      "chain of %2d: build %.3f ms, simplify T %.3f ms (%zu -> %zu nodes), equations %.3f ms (%zu "
      "nodes), simplified %.3f ms (%zu nodes)\n",
      n, 1e3 * (built - start), 1e3 * (simple - built), expr_size(p, 1, &T), expr_size(p, 1, &s),
      1e3 * (derived - simple), raw, 1e3 * (now() - derived), expr_size(p, n, out));
  free(out);
  expr_pool_free(p);
}

int main(void)
{
  build_many();
  const int sizes[] = {1, 2, 3, 5, 10, 20};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) lagrange(sizes[i]);
  return 0;
}
