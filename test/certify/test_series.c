// Power series of single functions, held against those of Arb's own polynomials, and values over
// boxes of complex numbers against values at points.
#include "certify/graph.h"
#include "check.h"

#include <arb_poly.h>
#include <stdlib.h>

enum { order = 30, bits = 200 };

typedef struct bench
{
  expr_pool* pool;
  expr t;
  certify_graph graph;
  certify_series series;
} bench;

static void open_bench(bench* b)
{
  b->pool = expr_pool_new(0);
  b->t = expr_symbol(b->pool, "t");
  certify_graph_open(&b->graph, b->pool, 1, &b->t, 0, NULL, NULL);
}

static void close_bench(bench* b)
{
  certify_graph_close(&b->graph);
  expr_pool_free(b->pool);
}

// x = 1/3 + t: its coefficients as the input of the graph
static void expand(bench* b, arb_ptr input)
{
  arb_set_ui(input, 1);
  arb_div_ui(input, input, 3, bits);
  arb_one(input + 1);
  certify_series_open(&b->series, &b->graph, order);
  b->series.bits = bits;
  for (int k = 0; k <= order; k++) certify_series_extend(&b->series, k, &input);
}

static void compare(const bench* b, int node, const arb_poly_t want, const char* what)
{
  arb_t c;
  arb_init(c);
  for (int k = 0; k <= order; k++) {
    arb_poly_get_coeff_arb(c, want, k);
    const arb_ptr got = b->series.c[node] + k;
    arb_sub(c, c, got, bits);
    // both are balls, and small ones beside the number
    mag_t allowed;
    mag_init(allowed);
    arb_get_mag(allowed, got);
    mag_add_ui(allowed, allowed, 1);
    mag_mul_2exp_si(allowed, allowed, -100);
    const bool near = arb_contains_zero(c) && mag_cmp(arb_radref(c), allowed) < 0;
    mag_clear(allowed);
    if (!near) check_fail(__FILE__, __LINE__, "%s, order %d", what, k);
  }
  arb_clear(c);
}

typedef void (*series_function)(arb_poly_t, const arb_poly_t, slong, slong);

// f of t and of t^2 - 1/7 against Arb's own series
static void check_function(expr_fn f, series_function of)
{
  bench b;
  open_bench(&b);
  const expr square = expr_mul(b.pool, b.t, b.t);
  const expr inner = expr_add(b.pool, square, expr_ratio(b.pool, 1, 7));
  const int plain = certify_graph_add(&b.graph, expr_fn1(b.pool, f, b.t));
  const int nested = certify_graph_add(&b.graph, expr_fn1(b.pool, f, inner));
  arb_ptr input = _arb_vec_init(order + 1);
  expand(&b, input);
  arb_poly_t x, y;
  arb_poly_init(x);
  arb_poly_init(y);
  for (int k = 0; k < 2; k++) arb_poly_set_coeff_arb(x, k, input + k);
  of(y, x, order + 1, bits);
  compare(&b, plain, y, expr_fn_name(f));
  arb_poly_mullow(x, x, x, order + 1, bits);
  arb_t c;
  arb_init(c);
  arb_set_ui(c, 1);
  arb_div_ui(c, c, 7, bits);
  arb_poly_get_coeff_arb(input, x, 0);
  arb_add(input, input, c, bits);
  arb_poly_set_coeff_arb(x, 0, input);
  of(y, x, order + 1, bits);
  compare(&b, nested, y, expr_fn_name(f));
  arb_clear(c);
  arb_poly_clear(x);
  arb_poly_clear(y);
  _arb_vec_clear(input, order + 1);
  certify_series_close(&b.series);
  close_bench(&b);
}

TEST(series_of_functions_are_those_of_arb)
{
  check_function(EXPR_SQRT, arb_poly_sqrt_series);
  check_function(EXPR_EXP, arb_poly_exp_series);
  check_function(EXPR_LOG, arb_poly_log_series);
  check_function(EXPR_SIN, arb_poly_sin_series);
  check_function(EXPR_COS, arb_poly_cos_series);
  check_function(EXPR_TAN, arb_poly_tan_series);
  check_function(EXPR_ASIN, arb_poly_asin_series);
  check_function(EXPR_ACOS, arb_poly_acos_series);
  check_function(EXPR_ATAN, arb_poly_atan_series);
  check_function(EXPR_SINH, arb_poly_sinh_series);
  check_function(EXPR_COSH, arb_poly_cosh_series);
}

// identities that every coefficient must obey
TEST(series_obey_identities)
{
  bench b;
  open_bench(&b);
  expr_pool* p = b.pool;
  const expr t = b.t, t2 = expr_mul(p, t, t);
  const expr two[2] = {expr_fn1(p, EXPR_SIN, t2), expr_fn1(p, EXPR_COS, t2)};
  const int angle = certify_graph_add(&b.graph, expr_call(p, EXPR_ATAN2, 2, two));
  const int square = certify_graph_add(&b.graph, t2);
  const expr third = expr_ratio(p, 1, 3), power = expr_pow(p, t, third);
  const int cube = certify_graph_add(&b.graph, expr_pow(p, power, expr_int(p, 3)));
  const int root = certify_graph_add(&b.graph, power);
  const int plain = certify_graph_add(&b.graph, t);
  const int turned = certify_graph_add(&b.graph, expr_pow(p, t, t));
  const int inverse = certify_graph_add(&b.graph, expr_pow(p, t2, expr_int(p, -3)));
  arb_ptr input = _arb_vec_init(order + 1);
  expand(&b, input);
  arb_poly_t x, y;
  arb_poly_init(x);
  arb_poly_init(y);
  for (int k = 0; k <= order; k++) arb_poly_set_coeff_arb(y, k, b.series.c[square] + k);
  compare(&b, angle, y, "atan2(sin t^2, cos t^2) = t^2");
  for (int k = 0; k <= order; k++) arb_poly_set_coeff_arb(x, k, b.series.c[root] + k);
  arb_poly_pow_ui_trunc_binexp(y, x, 3, order + 1, bits);
  compare(&b, plain, y, "(t^(1/3))^3 = t");
  compare(&b, cube, y, "(t^(1/3))^3 = t, by nodes");
  for (int k = 0; k <= order; k++) arb_poly_set_coeff_arb(x, k, b.series.c[plain] + k);
  arb_poly_log_series(y, x, order + 1, bits);
  arb_poly_mullow(y, y, x, order + 1, bits);
  arb_poly_exp_series(y, y, order + 1, bits);
  compare(&b, turned, y, "t^t = exp(t log t)");
  arb_poly_pow_ui_trunc_binexp(x, x, 6, order + 1, bits);
  arb_poly_inv_series(y, x, order + 1, bits);
  compare(&b, inverse, y, "(t^2)^-3 = 1/t^6");
  arb_poly_clear(x);
  arb_poly_clear(y);
  _arb_vec_clear(input, order + 1);
  certify_series_close(&b.series);
  close_bench(&b);
}

TEST(corners_take_the_side_of_the_state_and_are_undecided_on_the_edge)
{
  bench b;
  open_bench(&b);
  const expr off = expr_sub(b.pool, b.t, expr_ratio(b.pool, 1, 3));
  const expr less = expr_sub(b.pool, b.t, expr_int(b.pool, 1));
  const int size = certify_graph_add(&b.graph, expr_fn1(b.pool, EXPR_ABS, less));
  const int edge = certify_graph_add(&b.graph, expr_fn1(b.pool, EXPR_ABS, off));
  arb_ptr input = _arb_vec_init(order + 1);
  expand(&b, input);
  CHECK_NEAR(arf_get_d(arb_midref(b.series.c[size]), ARF_RND_NEAR), 2.0 / 3, 1e-15);
  CHECK_NEAR(arf_get_d(arb_midref(b.series.c[size] + 1), ARF_RND_NEAR), -1, 1e-15);
  CHECK(!arb_is_finite(b.series.c[edge]));
  CHECK(!certify_series_is_decided(&b.series, NULL));
  _arb_vec_clear(input, order + 1);
  certify_series_close(&b.series);
  close_bench(&b);
}

// ---- over boxes ---------------------------------------------------------------------------------

// values of f over the box middle +- wide in both parts
static void over_box(expr_fn f, double middle, double wide, acb_t out)
{
  bench b;
  open_bench(&b);
  const int node = certify_graph_add(&b.graph, expr_fn1(b.pool, f, b.t));
  acb_ptr value = _acb_vec_init(b.graph.node.n);
  acb_t x;
  acb_init(x);
  acb_set_d(x, middle);
  mag_t radius;
  mag_init(radius);
  mag_set_d(radius, wide);
  arb_add_error_mag(acb_realref(x), radius);
  arb_add_error_mag(acb_imagref(x), radius);
  certify_graph_values(&b.graph, x, value, 64, false);
  acb_set(out, value + node);
  mag_clear(radius);
  acb_clear(x);
  _acb_vec_clear(value, b.graph.node.n);
  close_bench(&b);
}

TEST(values_over_a_box_hold_those_at_its_points)
{
  static const struct
  {
    expr_fn f;
    void (*of)(acb_t, const acb_t, slong);
  } all[] = {{EXPR_SIN, acb_sin},   {EXPR_EXP, acb_exp},   {EXPR_LOG, acb_log},
             {EXPR_ATAN, acb_atan}, {EXPR_ASIN, acb_asin}, {EXPR_SQRT, acb_sqrt}};
  acb_t box, x, y;
  acb_init(box);
  acb_init(x);
  acb_init(y);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    over_box(all[i].f, 0.5, 0.1, box);
    CHECK(acb_is_finite(box));
    for (int k = 0; k < 9; k++) {
      acb_set_d_d(x, 0.5 + 0.099 * (k % 3 - 1), 0.099 * (k / 3 - 1));
      all[i].of(y, x, 64);
      if (!acb_contains(box, y)) check_fail(__FILE__, __LINE__, "%s", expr_fn_name(all[i].f));
    }
  }
  acb_clear(box);
  acb_clear(x);
  acb_clear(y);
}

TEST(where_a_function_is_not_analytic_a_box_has_no_value)
{
  acb_t box;
  acb_init(box);
  over_box(EXPR_SQRT, 0.05, 0.1, box);
  CHECK(!acb_is_finite(box));
  over_box(EXPR_LOG, 0, 0.1, box);
  CHECK(!acb_is_finite(box));
  over_box(EXPR_ASIN, 0.95, 0.1, box);
  CHECK(!acb_is_finite(box));
  over_box(EXPR_ABS, 0.05, 0.1, box);
  CHECK(!acb_is_finite(box));
  acb_clear(box);
}

// the derivative of every kind of node: what coefficient 1 of its series is, where t runs as t
TEST(slopes_are_the_first_coefficients_of_series)
{
  bench b;
  open_bench(&b);
  expr_pool* p = b.pool;
  const expr t = b.t, two = expr_int(p, 2), up = expr_add(p, t, two);
  const expr all[] = {expr_mul(p, t, expr_fn1(p, EXPR_SIN, t)),
                      expr_fn1(p, EXPR_COS, up),
                      expr_fn1(p, EXPR_SINH, t),
                      expr_fn1(p, EXPR_COSH, t),
                      expr_fn1(p, EXPR_EXP, expr_mul(p, t, t)),
                      expr_fn1(p, EXPR_LOG, up),
                      expr_fn1(p, EXPR_SQRT, up),
                      expr_fn1(p, EXPR_ASIN, t),
                      expr_fn1(p, EXPR_ATAN, up),
                      expr_fn1(p, EXPR_ABS, up),
                      expr_div(p, two, up),
                      expr_pow(p, up, expr_ratio(p, 5, 3)),
                      expr_call(p, EXPR_ATAN2, 2, (const expr[]){t, up}),
                      expr_call(p, EXPR_ATAN2, 2, (const expr[]){up, t})};
  enum { count = sizeof all / sizeof *all };
  int node[count];
  for (int i = 0; i < count; i++) node[i] = certify_graph_add(&b.graph, all[i]);
  arb_ptr input = _arb_vec_init(order + 1);
  expand(&b, input);
  acb_ptr value = _acb_vec_init(b.graph.node.n), slope = _acb_vec_init(b.graph.node.n);
  acb_t x;
  acb_init(x);
  acb_set_arb(x, input);
  certify_graph_values(&b.graph, x, value, 64, false);
  certify_graph_slopes(&b.graph, 0, value, slope, 64);
  for (int i = 0; i < count; i++)
    if (!arb_overlaps(acb_realref(slope + node[i]), b.series.c[node[i]] + 1) ||
        !acb_is_finite(slope + node[i]))
      check_fail(__FILE__, __LINE__, "derivative %d is not that of the series", i);
  acb_clear(x);
  _acb_vec_clear(value, b.graph.node.n);
  _acb_vec_clear(slope, b.graph.node.n);
  _arb_vec_clear(input, order + 1);
  certify_series_close(&b.series);
  close_bench(&b);
}
