// Sines and cosines of sums from those of their parts.
#include "check.h"
#include "code/graphs.h"
#include "code/kernel.h"

#include <math.h>
#include <stdlib.h>

static int calls(const code_kernel* k)
{
  int n = 0;
  for (int i = 0; i < k->tape.ins.n; i++) {
    const uint32_t op = k->tape.ins.at[i].op;
    n += op == CODE_SIN || op == CODE_COS || op == CODE_SINCOS;
  }
  return n;
}

enum { PAIRS = GRAPH_INPUTS * (GRAPH_INPUTS - 1) / 2 };

TEST(functions_of_all_differences_need_one_call_for_each_angle)
{
  expr_pool* p = expr_pool_new(0);
  expr in[GRAPH_INPUTS], out[2 * PAIRS];
  graph_symbols(p, in);
  int n = 0;
  for (int i = 0; i < GRAPH_INPUTS; i++)
    for (int k = 0; k < i; k++) {
      out[n++] = expr_fn1(p, EXPR_COS, expr_sub(p, in[i], in[k]));
      out[n++] = expr_fn1(p, EXPR_SIN,
                          (i + k) % 2 ? expr_sub(p, in[i], in[k]) : expr_add(p, in[i], in[k]));
    }
  code_kernel* k = code_build(p, n, out, GRAPH_INPUTS, in, NULL);
  CHECK_INT(calls(k), GRAPH_INPUTS);
  double* scratch = malloc(code_scratch(k) * sizeof *scratch);
  graph_random r = {3};
  for (int trial = 0; trial < 200; trial++) {
    double x[GRAPH_INPUTS], got[2 * PAIRS], want[2 * PAIRS];
    for (int i = 0; i < GRAPH_INPUTS; i++) x[i] = graph_between(&r, -4, 4);
    code_run(k, x, got, scratch);
    expr_values(p, n, out, GRAPH_INPUTS, in, x, want);
    // two products, a sum, four functions, and the argument's own rounding in what it is held to
    for (int i = 0; i < n; i++) CHECK_NEAR(got[i], want[i], 8 * 0x1p-53 + 4 * 0x1p-52);
  }
  free(scratch);
  code_free(k);
  expr_pool_free(p);
}

// q1, q1 + q2, q1 + q2 + q3: as many parts as sums
TEST(sums_that_share_too_little_stay_whole)
{
  expr_pool* p = expr_pool_new(0);
  expr in[GRAPH_INPUTS], out[3];
  graph_symbols(p, in);
  expr sum = in[0];
  for (int i = 0; i < 3; i++, sum = expr_add(p, sum, in[i])) out[i] = expr_fn1(p, EXPR_SIN, sum);
  code_kernel* k = code_build(p, 3, out, GRAPH_INPUTS, in, NULL);
  CHECK_INT(calls(k), 3);
  const double x[GRAPH_INPUTS] = {0.3, 0.5, 0.7};
  double got[3], scratch[32];
  CHECK(code_scratch(k) <= 32);
  code_run(k, x, got, scratch);
  CHECK(got[0] == sin(0.3) && got[1] == sin(0.3 + 0.5) && got[2] == sin(0.3 + 0.5 + 0.7));
  code_free(k);
  expr_pool_free(p);
}

// Products of sums are fused by the order of operands, which is that of the inputs: what else the
// kernel puts out, and what it meets first, changes no bit.
TEST(results_do_not_depend_on_what_is_met_first)
{
  enum { shown = 2 * PAIRS + GRAPH_INPUTS };
  expr_pool* p = expr_pool_new(0);
  expr in[GRAPH_INPUTS], out[2 * PAIRS], more[shown];
  graph_symbols(p, in);
  int n = 0;
  for (int i = 0; i < GRAPH_INPUTS; i++)
    for (int k = 0; k < i; k++) {
      out[n++] = expr_fn1(p, EXPR_COS, expr_add(p, in[i], in[k]));
      out[n++] = expr_fn1(p, EXPR_SIN, expr_add(p, in[i], in[k]));
    }
  for (int i = 0; i < GRAPH_INPUTS; i++) more[i] = in[GRAPH_INPUTS - 1 - i];
  for (int i = 0; i < n; i++) more[GRAPH_INPUTS + i] = out[i];
  code_kernel* k[2] = {code_build(p, n, out, GRAPH_INPUTS, in, NULL),
                       code_build(p, shown, more, GRAPH_INPUTS, in, NULL)};
  graph_random r = {5};
  for (int trial = 0; trial < 50; trial++) {
    double x[GRAPH_INPUTS], got[2 * PAIRS], behind[shown];
    for (int i = 0; i < GRAPH_INPUTS; i++) x[i] = graph_between(&r, -4, 4);
    for (int i = 0; i < 2; i++) {
      double* scratch = malloc(code_scratch(k[i]) * sizeof *scratch);
      code_run(k[i], x, i ? behind : got, scratch);
      free(scratch);
    }
    for (int i = 0; i < n; i++) CHECK(got[i] == behind[GRAPH_INPUTS + i]);
  }
  code_free(k[0]);
  code_free(k[1]);
  expr_pool_free(p);
}
