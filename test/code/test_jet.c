// Jets: the series of every operation against its values nearby and against derivatives.
#include "check.h"
#include "code/graphs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { order = 27 };

static double sum_of(const double* c, double h)
{
  double sum = 0;
  for (int k = order; k >= 0; k--) sum = sum * h + c[k];
  return sum;
}

// inputs that are series themselves: x_i = start_i + slope_i h + bend_i h^2
typedef struct curve
{
  double start, slope, bend;
} curve;

static double curve_at(const curve* c, double h)
{
  return c->start + h * (c->slope + h * c->bend);
}

static double* expand(const code_jet* j, int inputs, const curve* in)
{
  double* r = malloc(code_jet_scratch(j) * sizeof *r);
  code_jet_clear(j, r);
  // of what was there before nothing may be left
  for (int turn = 0; turn < 2; turn++)
    for (int k = 0; k <= order; k++) {
      for (int i = 0; i < inputs; i++)
        code_jet_set(j, r, i, k,
                     k == 0   ? in[i].start
                     : k == 1 ? in[i].slope
                     : k == 2 ? in[i].bend
                              : 0);
      code_jet_run(j, k, r);
    }
  return r;
}

// the sum of the series at h is the value of the kernel there
static void check_sum(expr_pool* p, const char* name, expr e, const expr* in, const curve* c)
{
  code_kernel* k = code_build(p, 1, &e, 2, in, NULL);
  code_jet* j = code_jet_new(k, order, 0);
  double* r = expand(j, 2, c);
  double* scratch = malloc(code_scratch(k) * sizeof *scratch + 1);
  for (double h = -0.06; h <= 0.06; h += 0.03) {
    double want;
    code_run(k, (double[]){curve_at(&c[0], h), curve_at(&c[1], h)}, &want, scratch);
    const double got = sum_of(code_jet_out(j, r, 0), h);
    if (!(fabs(got - want) <= 4e-15 * fmax(1, fabs(want))))
      check_fail(__FILE__, __LINE__, "%s at h = %g: %.17g, want %.17g", name, h, got, want);
  }
  free(scratch);
  free(r);
  code_jet_free(j);
  code_free(k);
}

TEST(jets_sum_to_the_values_of_every_function)
{
  expr_pool* p = expr_pool_new(0);
  const expr in[2] = {expr_symbol(p, "x"), expr_symbol(p, "y")};
  const curve c[2] = {{0.41, 0.7, -0.3}, {0.63, -0.8, 0.5}};
  static const expr_fn one[] = {EXPR_SQRT, EXPR_EXP,  EXPR_LOG,  EXPR_SIN,  EXPR_COS,
                                EXPR_TAN,  EXPR_ASIN, EXPR_ACOS, EXPR_ATAN, EXPR_SINH,
                                EXPR_COSH, EXPR_TANH, EXPR_ABS,  EXPR_SIGN};
  for (size_t i = 0; i < sizeof one / sizeof *one; i++)
    check_sum(p, "function of one", expr_fn1(p, one[i], in[0]), in, c);
  static const expr_fn two[] = {EXPR_ATAN2, EXPR_MIN, EXPR_MAX};
  for (size_t i = 0; i < sizeof two / sizeof *two; i++)
    check_sum(p, "function of two", expr_call(p, two[i], 2, in), in, c);
  const curve below[2] = {{-0.41, 0.7, -0.3}, {-0.63, -0.8, 0.5}};
  check_sum(p, "abs", expr_fn1(p, EXPR_ABS, in[0]), in, below);
  check_sum(p, "atan2", expr_call(p, EXPR_ATAN2, 2, in), in, below);
  check_sum(p, "x^y", expr_pow(p, in[0], in[1]), in, c);
  check_sum(p, "x^0.3", expr_pow(p, in[0], expr_ratio(p, 3, 10)), in, c);
  check_sum(p, "x^-2.7", expr_pow(p, in[0], expr_ratio(p, -27, 10)), in, c);
  check_sum(p, "x^40", expr_pow(p, in[0], expr_int(p, 40)), in, c);
  check_sum(p, "x/y", expr_div(p, in[0], in[1]), in, c);
  const expr s = expr_fn1(p, EXPR_SIN, in[0]), k = expr_fn1(p, EXPR_COS, in[0]);
  check_sum(p, "pair", expr_sub(p, expr_mul(p, s, in[1]), expr_mul(p, k, k)), in, c);
  check_sum(p, "if", expr_if(p, expr_less(p, in[0], in[1]), s, k), in, c);
  expr_pool_free(p);
}

// coefficient k is the k-th derivative over k!, by symbolic differentiation
TEST(jet_coefficients_are_derivatives)
{
  expr_pool* p = expr_pool_new(0);
  const expr t = expr_symbol(p, "t"), y = expr_symbol(p, "y");
  const expr inner = expr_add(p, expr_mul(p, t, expr_fn1(p, EXPR_SIN, t)), y);
  const expr e = expr_div(p, expr_fn1(p, EXPR_EXP, inner), expr_fn1(p, EXPR_SQRT, inner));
  code_kernel* k = code_build(p, 1, &e, 2, (expr[]){t, y}, NULL);
  code_jet* j = code_jet_new(k, order, 0);
  const curve c[2] = {{0.3, 1, 0}, {0.9, 0, 0}};
  double* r = expand(j, 2, c);
  expr d = e;
  double factorial = 1;
  for (int n = 0; n <= 6; n++) {
    const double want = expr_value(p, d, 2, (expr[]){t, y}, (double[]){0.3, 0.9}) / factorial;
    CHECK_NEAR(code_jet_out(j, r, 0)[n], want, 1e-13 * fmax(1, fabs(want)));
    d = expr_diff(p, d, t);
    factorial *= n + 1;
  }
  free(r);
  code_jet_free(j);
  code_free(k);
  expr_pool_free(p);
}

// y' = y^2 from y = 1: what comes out at order k sets the input at order k + 1; y_k = 1
TEST(jets_grow_the_series_of_a_solution)
{
  expr_pool* p = expr_pool_new(0);
  const expr y = expr_symbol(p, "y"), e = expr_mul(p, y, y);
  code_kernel* k = code_build(p, 1, &e, 1, &y, NULL);
  code_jet* j = code_jet_new(k, order, 0);
  double* r = malloc(code_jet_scratch(j) * sizeof *r);
  code_jet_clear(j, r);
  for (int turn = 0; turn < 2; turn++) {
    code_jet_set(j, r, 0, 0, 1);
    for (int n = 0; n < order; n++) {
      code_jet_run(j, n, r);
      code_jet_set(j, r, 0, n + 1, code_jet_out(j, r, 0)[n] / (n + 1));
    }
    for (int n = 0; n < order; n++) CHECK_NEAR(code_jet_in(j, r, 0)[n], 1, 1e-14);
  }
  free(r);
  code_jet_free(j);
  code_free(k);
  expr_pool_free(p);
}

// the right side of a zero is what counts where a function has a corner or ends there
TEST(jets_at_corners_take_what_follows)
{
  expr_pool* p = expr_pool_new(0);
  const expr in[2] = {expr_symbol(p, "x"), expr_symbol(p, "y")};
  const expr out[3] = {expr_fn1(p, EXPR_ABS, in[0]), expr_call(p, EXPR_MAX, 2, in),
                       expr_fn1(p, EXPR_SQRT, in[0])};
  code_kernel* k = code_build(p, 3, out, 2, in, NULL);
  code_jet* j = code_jet_new(k, order, 0);
  const curve c[2] = {{0, -2, 1}, {0, -3, 0}};
  double* r = expand(j, 2, c);
  CHECK(code_jet_out(j, r, 0)[1] == 2 && code_jet_out(j, r, 0)[2] == -1);
  CHECK(code_jet_out(j, r, 1)[1] == -2 && code_jet_out(j, r, 1)[2] == 1);
  CHECK(isnan(code_jet_out(j, r, 2)[1]));
  free(r);
  code_jet_free(j);
  code_free(k);
  expr_pool_free(p);
}

// products of outputs with series kept beside the inputs
TEST(jet_products_are_convolutions_without_their_first_term)
{
  expr_pool* p = expr_pool_new(0);
  const expr x = expr_symbol(p, "x"), out[2] = {expr_fn1(p, EXPR_EXP, x), expr_int(p, 3)};
  code_kernel* k = code_build(p, 2, out, 1, &x, NULL);
  code_jet* j = code_jet_new(k, order, 1);
  CHECK(!code_jet_is_steady(j, 0) && code_jet_is_steady(j, 1));
  double* r = expand(j, 1, (curve[]){{0.2, 1, 0}});
  for (int n = 0; n <= order; n++) code_jet_set(j, r, 1, n, 1.0 / (n + 2));
  for (int n = 1; n <= order; n++) {
    double want = 0, got[2] = {7, 5};
    for (int i = 1; i <= n; i++) want += code_jet_out(j, r, 0)[i] / (n - i + 2);
    code_jet_products(j, r, n, 2, (code_jet_product[]){{0, 1, 1}, {1, 1, 0}}, got);
    CHECK_NEAR(got[1], 5 + want, 1e-14);
    CHECK(got[0] == 7);
  }
  free(r);
  code_jet_free(j);
  code_free(k);
  expr_pool_free(p);
}

// first and second coefficients against differences of the kernel, on thousands of random graphs
TEST(jets_of_random_graphs_agree_with_differences)
{
  expr_pool* p = expr_pool_new(0);
  expr in[GRAPH_INPUTS];
  graph_symbols(p, in);
  int compared = 0;
  for (uint64_t seed = 1; seed <= 1500; seed++) {
    graph_random random = {seed * 104729 + 5};
    expr out;
    graph_make(p, &random, 5 + (int)graph_below(&random, 40), in, 1, &out);
    code_kernel* k = code_build(p, 1, &out, GRAPH_INPUTS, in, NULL);
    code_jet* j = code_jet_new(k, order, 0);
    curve c[GRAPH_INPUTS];
    for (int i = 0; i < GRAPH_INPUTS; i++)
      c[i] = (curve){graph_between(&random, 0.2, 1.5), graph_between(&random, -1, 1), 0};
    double *r = expand(j, GRAPH_INPUTS, c), *scratch = malloc(code_scratch(k) * sizeof(double) + 1);
    const double* w = code_jet_out(j, r, 0);
    // only where the series has a radius of convergence well above h
    bool tame = true;
    const double h = 1e-3;
    for (int n = 0; n <= order; n++) tame = tame && fabs(w[n]) <= 100 * pow(30, n);
    if (tame) {
      double x[GRAPH_INPUTS], want;
      for (int i = 0; i < GRAPH_INPUTS; i++) x[i] = curve_at(&c[i], h);
      code_run(k, x, &want, scratch);
      CHECK_NEAR(sum_of(w, h), want, 1e-11 * fmax(1, fabs(want)));
      compared++;
    }
    free(scratch);
    free(r);
    code_jet_free(j);
    code_free(k);
  }
  CHECK(compared > 500);
  expr_pool_free(p);
}
