// Power series as machine code against jets: random tapes order by order, every operation, linear
// problems, corners.
#include "check.h"
#include "code/series.h"
#include "code/tapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { order = 20, most_outputs = TAPE_OUTPUTS };

typedef struct table
{
  double c[most_outputs][order + 1];
} table;

// inputs that are polynomials of degree 2
typedef struct curves
{
  int count;
  double c[TAPE_INPUTS][3];
} curves;

static double input_at(const curves* x, int i, int k)
{
  return k < 3 ? x->c[i][k] : 0;
}

static void expand_jet(const code_kernel* k, const curves* x, table* out)
{
  code_jet* j = code_jet_new(k, order, 0);
  double* r = malloc(code_jet_scratch(j) * sizeof *r);
  code_jet_clear(j, r);
  for (int n = 0; n <= order; n++) {
    for (int i = 0; i < x->count; i++) code_jet_set(j, r, i, n, input_at(x, i, n));
    code_jet_run(j, n, r);
  }
  for (int i = 0; i < code_outputs(k); i++)
    memcpy(out->c[i], code_jet_out(j, r, i), sizeof out->c[i]);
  free(r);
  code_jet_free(j);
}

static void set_order(const code_series* s, double* scratch, const curves* x, int n)
{
  double now[TAPE_INPUTS];
  for (int i = 0; i < x->count; i++) now[i] = input_at(x, i, n);
  code_series_set(s, scratch, 0, x->count, now);
}

// all outputs as they are
static bool expand_series(const code_kernel* k, const curves* x, table* out)
{
  int r[most_outputs];
  const int count = code_outputs(k);
  for (int i = 0; i < count; i++) r[i] = i;
  code_series* s =
      code_series_new(&(code_series_plan){.of = k, .unknowns = count, .r = r, .order = order + 1});
  if (!s) return false;
  double* scratch = calloc(code_series_scratch(s), sizeof *scratch);
  double in[TAPE_INPUTS], start[most_outputs];
  for (int i = 0; i < x->count; i++) in[i] = x->c[i][0];
  // of what was there before nothing may be left
  for (int turn = 0; turn < 2; turn++) {
    code_series_start(s, scratch, in, NULL, start);
    code_series_begin(s, scratch, NULL, start);
    for (int n = 0; n <= order; n++) {
      if (n > 0) {
        set_order(s, scratch, x, n);
        code_series_run(s, scratch, n);
      }
      for (int i = 0; i < count; i++) out->c[i][n] = code_series_row(s, scratch, n)[i];
    }
  }
  free(scratch);
  code_series_free(s);
  return true;
}

// 1 / radius, so that c_k / growth^k does not grow
static double growth_of(const double* c)
{
  double most = 1;
  for (int k = 1; k <= order; k++) most = fmax(most, pow(fabs(c[k]), 1.0 / k));
  return most;
}

static bool all_finite(const double* c)
{
  for (int k = 0; k <= order; k++)
    if (!isfinite(c[k])) return false;
  return true;
}

// largest difference over orders, with the terms brought to one size, relative to the largest term
static double difference(const double* a, const double* b)
{
  const double growth = growth_of(b);
  double most = 0, size = 0.01; // what cancels leaves rounding of the parts
  for (int k = 0; k <= order; k++) {
    const double unit = pow(growth, -k);
    most = fmax(most, fabs(a[k] - b[k]) * unit);
    size = fmax(size, fabs(b[k]) * unit);
  }
  return most / size;
}

static curves random_curves(graph_random* r)
{
  curves x = {.count = TAPE_INPUTS};
  for (int i = 0; i < x.count; i++) {
    x.c[i][0] = graph_between(r, 0.2, 0.9);
    x.c[i][1] = graph_between(r, -0.5, 0.5);
    x.c[i][2] = graph_between(r, -0.5, 0.5);
  }
  return x;
}

// Where the tape itself loses digits both do, each its own: of thousands of tapes all but a few
// agree to rounding.
TEST(series_of_random_tapes_are_those_of_jets)
{
  graph_random r = {11};
  long compared = 0, off = 0, lost = 0;
  double sum = 0;
  for (int turn = 0; turn < 4000; turn++) {
    code_kernel* k = tape_kernel(&r, 4 + (int)graph_below(&r, 30), turn % 2);
    const curves x = random_curves(&r);
    table jet, series;
    expand_jet(k, &x, &jet);
    if (!expand_series(k, &x, &series)) {
      code_free(k);
      SKIP("no machine code here");
    }
    for (int i = 0; i < code_outputs(k); i++) {
      if (!all_finite(jet.c[i]) || growth_of(jet.c[i]) > 1e6) continue;
      // a corner, a root of zero: what is not a number asks for jets
      if (!all_finite(series.c[i])) {
        lost++;
        continue;
      }
      const double d = difference(series.c[i], jet.c[i]);
      compared++;
      off += d > 1e-12;
      sum += log10(fmax(d, 1e-18));
      if (d > 1e-7) check_fail(__FILE__, __LINE__, "tape %d, output %d: off by %.1e", turn, i, d);
    }
    code_free(k);
  }
  printf("# %ld outputs, %ld off by more than 1e-12, %ld not decided, 1e%.1f in the mean\n",
         compared, off, lost, sum / (double)compared);
  CHECK(compared > 20000);
  CHECK((double)off < 0.005 * (double)compared);
  CHECK((double)lost < 0.02 * (double)compared);
}

// K x = r with K = (2 + a b, sin a; sin a, 3 + b^2), r = (a, b exp a), and z = x_0 x_1 a: against
// jets and elimination order by order
TEST(series_solve_a_linear_problem_in_every_order)
{
  expr_pool* p = expr_pool_new(0);
  const expr a = expr_symbol(p, "a"), b = expr_symbol(p, "b");
  const expr in[4] = {a, b, expr_symbol(p, "u"), expr_symbol(p, "w")};
  const expr out[5] = {expr_add(p, expr_int(p, 2), expr_mul(p, a, b)), expr_fn1(p, EXPR_SIN, a),
                       expr_add(p, expr_int(p, 3), expr_mul(p, b, b)), a,
                       expr_mul(p, b, expr_fn1(p, EXPR_EXP, a))};
  const expr z = expr_mul(p, expr_mul(p, in[2], in[3]), a);
  code_kernel* of = code_build(p, 5, out, 4, in, NULL);
  code_kernel* also = code_build(p, 1, &z, 4, in, NULL);
  const int K[4] = {0, 1, 1, 2}, r[2] = {3, 4}, input[2] = {2, 3};
  const double sign[2] = {1, -1};
  code_series* s = code_series_new(&(code_series_plan){.of = of,
                                                       .unknowns = 2,
                                                       .K = K,
                                                       .r = r,
                                                       .also = also,
                                                       .input = input,
                                                       .sign = sign,
                                                       .order = order + 1});
  if (!s) SKIP("no machine code here");
  const curves c = {.count = 4, .c = {{0.4, 0.7, -0.3}, {-0.6, 0.2, 0.5}}};
  table e, x;
  expand_jet(of, &c, &e);
  double* scratch = calloc(code_series_scratch(s), sizeof *scratch);
  double k0[4], r0[2], x0[2], inverse[4];
  code_series_start(s, scratch, (double[]){0.4, -0.6, 0, 0}, k0, r0);
  const double det = k0[0] * k0[3] - k0[1] * k0[2];
  memcpy(inverse, (double[]){k0[3] / det, -k0[1] / det, -k0[2] / det, k0[0] / det}, sizeof inverse);
  for (int i = 0; i < 2; i++) x0[i] = inverse[2 * i] * r0[0] + inverse[2 * i + 1] * r0[1];
  code_series_begin(s, scratch, inverse, x0);
  for (int n = 0; n <= order; n++) {
    double right[2] = {e.c[3][n], e.c[4][n]}, product = 0;
    for (int j = 1; j <= n; j++)
      for (int i = 0; i < 2; i++)
        right[i] -= e.c[K[2 * i]][j] * x.c[0][n - j] + e.c[K[2 * i + 1]][j] * x.c[1][n - j];
    for (int i = 0; i < 2; i++)
      x.c[i][n] = inverse[2 * i] * right[0] + inverse[2 * i + 1] * right[1];
    for (int i = 0; i <= n; i++)
      for (int j = 0; i + j <= n; j++)
        product -= x.c[0][i] * x.c[1][j] * input_at(&c, 0, n - i - j);
    if (n > 0) {
      set_order(s, scratch, &c, n);
      code_series_run(s, scratch, n);
    }
    const double* row = code_series_row(s, scratch, n);
    for (int i = 0; i < 2; i++) CHECK_NEAR(row[i], x.c[i][n], 1e-14);
    CHECK_NEAR(row[2], product, 1e-14);
  }
  free(scratch);
  code_series_free(s);
  code_free(of);
  code_free(also);
  expr_pool_free(p);
}

// what order 0 does not decide is not a number, never a guess
TEST(series_leave_corners_to_jets)
{
  expr_pool* p = expr_pool_new(0);
  const expr in[2] = {expr_symbol(p, "x"), expr_symbol(p, "y")};
  const expr out[5] = {expr_fn1(p, EXPR_ABS, in[0]), expr_call(p, EXPR_MAX, 2, in),
                       expr_call(p, EXPR_MIN, 2, in), expr_fn1(p, EXPR_SQRT, in[0]),
                       expr_fn1(p, EXPR_LOG, in[0])};
  code_kernel* k = code_build(p, 5, out, 2, in, NULL);
  const curves x = {.count = 2, .c = {{0, 1, 0}, {0, -1, 0}}};
  table series;
  const bool made = expand_series(k, &x, &series);
  for (int i = 0; made && i < 5; i++) CHECK(!isfinite(series.c[i][1]));
  code_free(k);
  expr_pool_free(p);
  if (!made) SKIP("no machine code here");
}
