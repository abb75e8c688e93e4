// Kernels over complex numbers: on the real line as the others, beside it along the derivative.
#include "check.h"
#include "code/code.h"

#include <math.h>
#include <stdlib.h>

enum { inputs = 2, functions = 13 };
static const double small = 1e-20; // times i: what is beside the real line

static void make(expr_pool* p, const expr in[inputs], expr* out)
{
  const expr x = in[0], y = in[1];
  static const expr_fn names[] = {EXPR_SQRT, EXPR_EXP,  EXPR_LOG,  EXPR_SIN,  EXPR_COS, EXPR_TAN,
                                  EXPR_ASIN, EXPR_ATAN, EXPR_SINH, EXPR_COSH, EXPR_ABS};
  for (int i = 0; i < 11; i++) out[i] = expr_mul(p, y, expr_call(p, names[i], 1, &x));
  const expr both[2] = {x, y};
  out[11] = expr_call(p, EXPR_ATAN2, 2, both);
  out[12] = expr_add(p, expr_pow(p, x, y), expr_div(p, expr_pow(p, x, expr_int(p, -3)), y));
}

TEST(beside_the_real_line_values_change_along_the_derivative)
{
  expr_pool* p = expr_pool_new(0);
  const expr in[inputs] = {expr_symbol(p, "x"), expr_symbol(p, "y")};
  expr list[2 * functions], missing;
  make(p, in, list);
  for (int i = 0; i < functions; i++) list[functions + i] = expr_diff(p, list[i], in[0]);
  code_kernel* k = code_build(p, 2 * functions, list, inputs, in, &missing);
  if (k) {
    const double at[inputs] = {0.37, 1.3}, beside[2 * inputs] = {0.37, small, 1.3, 0};
    double real[2 * functions], out[4 * functions];
    double* scratch = malloc(sizeof(double) * (code_scratch(k) + code_scratch_complex(k)));
    code_run(k, at, real, scratch);
    code_run_complex(k, beside, out, scratch);
    for (int i = 0; i < functions; i++) {
      CHECK_NEAR(out[2 * i], real[i], 1e-14);
      CHECK_NEAR(out[2 * i + 1] / small, real[functions + i], 1e-13);
    }
    free(scratch);
  }
  CHECK(k != NULL);
  code_free(k);
  expr_pool_free(p);
}
