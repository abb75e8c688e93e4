// Kernels by hand: each operation, each power, conditions, and the edges of the door.
#include "check.h"
#include "code/native.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static expr_pool* pool;
static expr x, y;

static void start(void)
{
  pool = expr_pool_new(0);
  x = expr_symbol(pool, "x");
  y = expr_symbol(pool, "y");
}

static code_kernel* build(expr e)
{
  expr missing = EXPR_NONE;
  code_kernel* k = code_build(pool, 1, &e, 2, (expr[]){x, y}, &missing);
  CHECK(k && missing == EXPR_NONE);
  return k;
}

static double run(const code_kernel* k, double a, double b)
{
  double out, *scratch = malloc(code_scratch(k) * sizeof *scratch + 1);
  code_run(k, (double[]){a, b}, &out, scratch);
  free(scratch);
  return out;
}

static double value(expr e, double a, double b)
{
  code_kernel* k = build(e);
  double out = run(k, a, b);
  code_free(k);
  return out;
}

static int operations(expr e)
{
  code_kernel* k = build(e);
  int n = code_operations(k);
  code_free(k);
  return n;
}

static expr call1(expr_fn f)
{
  return expr_fn1(pool, f, x);
}

static expr call2(expr_fn f)
{
  return expr_call(pool, f, 2, (expr[]){x, y});
}

TEST(every_function_is_the_one_of_the_c_library)
{
  start();
  static const struct
  {
    expr_fn f;
    double (*c)(double);
  } list[] = {{EXPR_SQRT, sqrt}, {EXPR_EXP, exp},   {EXPR_LOG, log},   {EXPR_SIN, sin},
              {EXPR_COS, cos},   {EXPR_TAN, tan},   {EXPR_ASIN, asin}, {EXPR_ACOS, acos},
              {EXPR_ATAN, atan}, {EXPR_SINH, sinh}, {EXPR_COSH, cosh}, {EXPR_TANH, tanh},
              {EXPR_ABS, fabs}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    CHECK(value(call1(list[i].f), 0.37, 0) == list[i].c(0.37));
    double at_minus = value(call1(list[i].f), -0.37, 0), want = list[i].c(-0.37);
    CHECK(at_minus == want || (isnan(at_minus) && isnan(want)));
  }
  for (double a = -1; a <= 1; a++)
    for (double b = -1; b <= 1; b++)
      CHECK(value(call2(EXPR_ATAN2), a * 0.3, b * 0.7) == atan2(a * 0.3, b * 0.7));
  expr_pool_free(pool);
}

TEST(sign_min_and_max_pass_nan_on)
{
  start();
  expr sign = call1(EXPR_SIGN), min = call2(EXPR_MIN), max = call2(EXPR_MAX);
  CHECK(value(sign, 3, 0) == 1 && value(sign, -3, 0) == -1 && value(sign, 0, 0) == 0);
  CHECK(isnan(value(sign, NAN, 0)));
  CHECK(value(min, 1, 2) == 1 && value(min, 2, 1) == 1 && value(min, 2, 2) == 2);
  CHECK(value(max, 1, 2) == 2 && value(max, 2, 1) == 2 && value(max, 2, 2) == 2);
  CHECK(isnan(value(min, NAN, 1)) && isnan(value(min, 1, NAN)));
  CHECK(isnan(value(max, NAN, 1)) && isnan(value(max, 1, NAN)));
  expr_pool_free(pool);
}

TEST(whole_and_half_powers_are_near_pow)
{
  start();
  for (int n = -80; n <= 80; n++) {
    expr e = expr_pow(pool, x, expr_ratio(pool, n, 2));
    double want = pow(1.37, n / 2.0);
    CHECK_NEAR(value(e, 1.37, 0), want, 40 * 0x1p-53 * want);
    // a negative base has whole powers only
    double minus = value(e, -1.37, 0);
    if (n % 2)
      CHECK(isnan(minus));
    else
      CHECK_NEAR(minus, n % 4 ? -want : want, 40 * 0x1p-53 * want);
  }
  CHECK(value(expr_pow(pool, x, expr_ratio(pool, 3, 10)), 2.5, 0) == pow(2.5, 0.3));
  CHECK(value(expr_pow(pool, x, y), 2.5, -1.25) == pow(2.5, -1.25));
  CHECK(value(expr_pow(pool, x, expr_int(pool, 1000)), 1.001, 0) == pow(1.001, 1000));
  expr_pool_free(pool);
}

TEST(small_powers_are_multiplications_and_roots)
{
  start();
  expr half = expr_ratio(pool, 1, 2), three_halves = expr_ratio(pool, 3, 2);
  CHECK(value(expr_pow(pool, x, half), 2, 0) == sqrt(2));
  CHECK(value(expr_pow(pool, x, three_halves), 2, 0) == 2 * sqrt(2));
  CHECK(value(expr_pow(pool, x, expr_int(pool, -1)), 3, 0) == 1.0 / 3);
  CHECK(value(expr_div(pool, y, expr_pow(pool, x, half)), 3, 5) == 5 / sqrt(3));
  CHECK_INT(operations(expr_pow(pool, x, expr_int(pool, 2))), 1);
  CHECK_INT(operations(expr_pow(pool, x, expr_int(pool, 8))), 3);
  CHECK_INT(operations(expr_pow(pool, x, half)), 1);
  CHECK_INT(operations(expr_pow(pool, x, three_halves)), 2);
  CHECK_INT(operations(expr_div(pool, y, x)), 1);
  CHECK_INT(operations(expr_div(pool, y, expr_pow(pool, x, half))), 2);
  expr_pool_free(pool);
}

TEST(the_branch_not_taken_leaks_nothing)
{
  start();
  expr zero = expr_int(pool, 0);
  expr log_minus = expr_fn1(pool, EXPR_LOG, expr_neg(pool, x));
  expr e = expr_if(pool, expr_less(pool, x, zero), log_minus, call1(EXPR_SQRT));
  CHECK(value(e, -2, 0) == log(2) && value(e, 4, 0) == 2 && value(e, 0, 0) == 0);
  // and in what follows: y + 3*if(...)
  expr further = expr_add(pool, y, expr_mul(pool, expr_int(pool, 3), e));
  CHECK_NEAR(value(further, 4, 1), 7, 0);
  CHECK_NEAR(value(further, -1, 1), 1, 0);
  // 0*inf in the branch not taken: x*(1/x) does not fold when it is y*(1/x)
  expr pole = expr_if(pool, expr_less_eq(pool, x, zero), y, expr_div(pool, y, x));
  CHECK(value(pole, 0, 0) == 0 && value(pole, 2, 1) == 0.5);
  expr_pool_free(pool);
}

TEST(conditions_stand_on_their_borders_and_pass_nan_on)
{
  start();
  expr one = expr_int(pool, 1), two = expr_int(pool, 2);
  expr less = expr_if(pool, expr_less(pool, x, y), one, two);
  expr less_eq = expr_if(pool, expr_less_eq(pool, x, y), one, two);
  CHECK(value(less, 1, 2) == 1 && value(less, 2, 2) == 2 && value(less, 3, 2) == 2);
  CHECK(value(less_eq, 1, 2) == 1 && value(less_eq, 2, 2) == 1 && value(less_eq, 3, 2) == 2);
  CHECK(isnan(value(less, NAN, 2)) && isnan(value(less, 2, NAN)));
  CHECK(isnan(value(less_eq, NAN, 2)) && isnan(value(less_eq, 2, NAN)));
  expr_pool_free(pool);
}

TEST(products_are_fused_into_sums)
{
  start();
  expr one = expr_int(pool, 1), xy = expr_mul(pool, x, y);
  double eps = 0x1p-30, a = 1 + eps, b = 1 - eps;
  CHECK_INT(operations(expr_sub(pool, xy, one)), 1);
  CHECK(value(expr_sub(pool, xy, one), a, b) == fma(a, b, -1));
  CHECK(value(expr_sub(pool, one, xy), a, b) == fma(-a, b, 1));
  CHECK(value(expr_add(pool, one, xy), a, b) == fma(a, b, 1));
  expr minus_one = expr_int(pool, -1), minus_sum = expr_sub(pool, minus_one, xy);
  CHECK(value(minus_sum, a, b) == fma(-a, b, -1));
  CHECK_INT(operations(minus_sum), 1);
  CHECK_INT(operations(expr_neg(pool, xy)), 1);
  CHECK_INT(operations(expr_neg(pool, expr_div(pool, x, y))), 1);
  expr_pool_free(pool);
}

TEST(sine_and_cosine_of_one_argument_are_one_operation)
{
  start();
  expr s = call1(EXPR_SIN), c = call1(EXPR_COS), out[3] = {c, s, expr_add(pool, s, c)};
  expr_fn1(pool, EXPR_SIN, expr_neg(pool, x));
  code_kernel* k = code_build(pool, 3, out, 1, &x, NULL);
  double in = 0.8, got[3], *scratch = malloc(code_scratch(k) * sizeof *scratch);
  code_run(k, &in, got, scratch);
  CHECK_INT(code_operations(k), 2);
  CHECK(got[0] == cos(in) && got[1] == sin(in) && got[2] == sin(in) + cos(in));
  free(scratch);
  code_free(k);
  expr_pool_free(pool);
}

TEST(shared_parts_are_computed_once)
{
  start();
  expr r = expr_fn1(pool, EXPR_EXP, expr_mul(pool, x, y));
  expr out[4] = {r, expr_mul(pool, expr_int(pool, 2), r), expr_neg(pool, r), r};
  code_kernel* k = code_build(pool, 4, out, 2, (expr[]){x, y}, NULL);
  CHECK_INT(code_operations(k), 4);
  code_free(k);
  expr_pool_free(pool);
}

TEST(a_symbol_that_is_no_input_is_named)
{
  start();
  expr e = expr_add(pool, expr_fn1(pool, EXPR_SIN, y), x), missing = EXPR_NONE;
  CHECK(!code_build(pool, 1, &e, 1, &x, &missing));
  CHECK(missing == y);
  CHECK(!code_build(pool, 1, &e, 1, &x, NULL));
  expr_pool_free(pool);
}

TEST(outputs_may_be_inputs_numbers_repeated_absent_or_none)
{
  start();
  expr out[5] = {x, expr_ratio(pool, 1, 4), x, EXPR_NONE, expr_pi(pool)};
  code_kernel* k = code_build(pool, 5, out, 2, (expr[]){x, y}, NULL);
  double got[5], scratch[16];
  CHECK(code_scratch(k) <= 16);
  code_run(k, (double[]){7, 8}, got, scratch);
  CHECK(got[0] == 7 && got[1] == 0.25 && got[2] == 7 && isnan(got[3]) && got[4] == acos(-1));
  CHECK_INT(code_operations(k), 0);
  CHECK_INT(code_inputs(k), 2);
  CHECK_INT(code_outputs(k), 5);
  code_free(k);

  k = code_build(pool, 0, NULL, 0, NULL, NULL);
  code_run(k, NULL, NULL, scratch);
  CHECK_INT(code_operations(k), 0);
  code_free(k);
  code_free(NULL);
  expr_pool_free(pool);
}

// y(k+1) = x + sin(y(k))/2, far deeper than any stack of the machine
TEST(a_chain_of_300000_needs_few_slots)
{
  start();
  expr e = y, half = expr_ratio(pool, 1, 2);
  double want = 0.3;
  for (int i = 0; i < 300000; i++) {
    e = expr_add(pool, x, expr_mul(pool, half, expr_fn1(pool, EXPR_SIN, e)));
    want = fma(sin(want), 0.5, 0.1);
  }
  code_kernel* k = build(e);
  CHECK_INT(code_operations(k), 600000);
  CHECK(code_scratch(k) <= 8);
  CHECK(run(k, 0.1, 0.3) == want);
  code_free(k);
  expr_pool_free(pool);
}

static void check_print(int n, const expr* out, const char* want)
{
  base_text text = {0};
  code_kernel* k = code_build(pool, n, out, 2, (expr[]){x, y}, NULL);
  code_print(k, &text);
  CHECK_TEXT(text.at, want);
  base_text_free(&text);
  code_free(k);
}

TEST(a_tape_prints_one_operation_a_line)
{
  start();
  expr s = expr_fn1(pool, EXPR_SIN, x), c = expr_fn1(pool, EXPR_COS, x);
  expr quarter = expr_ratio(pool, -1, 4);
  check_print(1, (expr[]){expr_sub(pool, expr_mul(pool, s, y), c)},
              "t1, t2 = sincos in0\n"
              "t3 = fms in1 t1 t2\n"
              "out0 = t3\n");
  check_print(2, (expr[]){expr_mul(pool, quarter, expr_div(pool, x, y)), y},
              "t1 = mul in0 0.25\n"
              "t2 = ndiv t1 in1\n"
              "out0 = t2\n"
              "out1 = in1\n");
  expr chosen = expr_if(pool, expr_less(pool, x, y), s, expr_fn1(pool, EXPR_SQRT, x));
  check_print(1, &chosen,
              "t1 = sin in0\n"
              "t2 = sqrt in0\n"
              "t3 = less in0 in1\n"
              "t4 = select t3 t1 t2\n"
              "out0 = t4\n");
  expr_pool_free(pool);
}

// as the rows of a sparse matrix have them, written many at a time, and nothing beside them
TEST(runs_of_zeros_are_written_and_nothing_else)
{
  enum { longest = 70, rooms = longest + 20 };
  start();
  for (int run_length = 0; run_length <= longest; run_length++) {
    const int outputs = run_length + 4;
    expr list[rooms];
    double out[rooms];
    for (int i = 0; i < rooms; i++) list[i] = expr_int(pool, 0);
    list[0] = list[outputs - 2] = x;
    list[1] = expr_mul(pool, x, y);
    list[outputs - 1] = expr_int(pool, 7);
    expr missing;
    code_kernel* k = code_build(pool, outputs, list, 2, (expr[]){x, y}, &missing);
    double* scratch = malloc(code_scratch(k) * sizeof *scratch + 1);
    if (code_level_here() != CODE_INTERPRETED) CHECK(code_native(k, 1));
    for (int i = 0; i < rooms; i++) out[i] = -1;
    code_run(k, (double[]){2, 3}, out, scratch);
    for (int i = 0; i < rooms; i++)
      CHECK_NEAR(out[i],
                 i == 0 || i == outputs - 2 ? 2
                 : i == 1                   ? 6
                 : i == outputs - 1         ? 7
                 : i < outputs              ? 0
                                            : -1,
                 0);
    free(scratch);
    code_free(k);
  }
  expr_pool_free(pool);
}

TEST(kernels_are_put_into_others)
{
  start();
  const expr sine = expr_fn1(pool, EXPR_SIN, x), cosine = expr_fn1(pool, EXPR_COS, x);
  const expr list[] = {expr_mul(pool, sine, cosine), expr_sub(pool, x, expr_mul(pool, y, y))};
  expr missing;
  code_kernel* inner = code_build(pool, 2, list, 2, (expr[]){x, y}, &missing);
  // f(f(a, b)), then fma, mul, sub and least of what comes out
  code_draft* d = code_draft_new(2);
  int at[2] = {code_draft_input(d, 0), code_draft_input(d, 1)}, first[2], second[2];
  code_draft_put(d, inner, at, first);
  code_draft_put(d, inner, first, second);
  const int half = code_draft_number(d, 0.5);
  const int out[] = {second[0],
                     second[1],
                     code_draft_fma(d, half, first[0], second[1]),
                     code_draft_mul(d, half, second[0]),
                     code_draft_sub(d, first[1], second[1]),
                     code_draft_least(d, first[0], second[0])};
  code_kernel* k = code_draft_end(d, 6, out);
  double value[6], *scratch = malloc(code_scratch(k) * sizeof *scratch + 1);
  code_run(k, (double[]){0.7, 1.3}, value, scratch);
  const double s = sin(0.7) * cos(0.7), p = fma(-1.3, 1.3, 0.7);
  CHECK_NEAR(value[0], sin(s) * cos(s), 1e-16);
  CHECK_NEAR(value[1], fma(-p, p, s), 1e-16);
  CHECK_NEAR(value[2], fma(0.5, s, value[1]), 0);
  CHECK_NEAR(value[3], 0.5 * value[0], 0);
  CHECK_NEAR(value[4], p - value[1], 0);
  CHECK_NEAR(value[5], fmin(s, value[0]), 0);
  // one sine-cosine pair for each of the two
  base_text text = {0};
  code_print(k, &text);
  int pairs = 0;
  for (const char* c = text.at; (c = strstr(c, "sincos")); c++) pairs++;
  CHECK(pairs == 2);
  base_text_free(&text);
  free(scratch);
  code_free(k);
  code_free(inner);
  expr_pool_free(pool);
}

TEST(quotients_by_what_stays_become_products_made_once)
{
  start();
  const expr p = expr_symbol(pool, "p"), twice = expr_mul(pool, expr_int(pool, 2), p);
  // by 2 p, which stays; by y, which does not; and of what stays
  const expr list[] = {expr_div(pool, x, twice), expr_div(pool, x, y), expr_div(pool, p, twice),
                       expr_neg(pool, expr_div(pool, expr_mul(pool, x, y), twice))};
  expr missing;
  code_kernel* k = code_build(pool, 4, list, 3, (expr[]){x, y, p}, &missing);
  code_kernel* products = code_by_reciprocals(k, 2);
  double value[4], before[4], *scratch = malloc(code_scratch(products) * sizeof *scratch + 1);
  const double in[] = {0.7, 1.3, 3};
  code_run(products, in, value, scratch);
  CHECK_NEAR(value[1], 0.7 / 1.3, 0);
  CHECK_NEAR(value[2], 0.5, 0);
  // put in twice, the reciprocal is made once
  code_draft* d = code_draft_new(3);
  int at[3], out[8];
  for (int i = 0; i < 3; i++) at[i] = code_draft_input(d, i);
  code_draft_put(d, products, at, out);
  code_draft_put(d, products, (int[]){out[0], out[1], at[2]}, out + 4);
  code_kernel* both = code_draft_end(d, 8, out);
  base_text text = {0};
  code_print(both, &text);
  int quotients = 0;
  for (const char* c = text.at; (c = strstr(c, "div")); c++) quotients++;
  CHECK_INT(quotients, 3);
  base_text_free(&text);
  double* room = malloc(code_scratch(k) * sizeof *room + 1);
  code_run(k, in, before, room);
  for (int i = 0; i < 4; i++) CHECK_NEAR(value[i], before[i], 1e-16);
  free(room);
  free(scratch);
  code_free(both);
  code_free(products);
  code_free(k);
  expr_pool_free(pool);
}
