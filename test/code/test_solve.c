// Linear problems solved within a kernel, against dense elimination in long double.
#include "check.h"
#include "code/graphs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 12, INPUTS = MOST * MOST + MOST + MOST * MOST + MOST };

// a random problem: which entries are there, and numbers for them
typedef struct sample
{
  int n, rows;
  expr M[MOST * MOST], F[MOST], A[MOST * MOST], b[MOST];
  double m[MOST * MOST], f[MOST], a[MOST * MOST], c[MOST];
  int inputs;
  expr in[INPUTS];
  double x[INPUTS];
} sample;

static expr unknown(sample* s, expr_pool* p, double value)
{
  char name[16];
  snprintf(name, sizeof name, "x%d", s->inputs);
  s->x[s->inputs] = value;
  return s->in[s->inputs++] = expr_symbol(p, name);
}

// now and then a number instead of a symbol
static expr entry(sample* s, expr_pool* p, graph_random* r, double* value)
{
  if (graph_below(r, 5) == 0) return *value = 1, expr_int(p, 1);
  return unknown(s, p, *value);
}

static void fill_mass(sample* s, expr_pool* p, graph_random* r, uint32_t sparse)
{
  const int n = s->n;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++) {
      double v = graph_below(r, 4) >= sparse ? graph_between(r, -1, 1) : 0;
      const expr e = v != 0 ? unknown(s, p, v) : expr_int(p, 0);
      s->m[i * n + k] = s->m[k * n + i] = v;
      s->M[i * n + k] = s->M[k * n + i] = e;
    }
  for (int i = 0; i < n; i++) {
    double v = graph_between(r, 0.5, 2);
    for (int k = 0; k < n; k++) v += i == k ? 0 : fabs(s->m[i * n + k]);
    s->M[i * n + i] = unknown(s, p, s->m[i * n + i] = v);
    s->f[i] = graph_between(r, -1, 1);
    s->F[i] = entry(s, p, r, &s->f[i]);
  }
}

// the first columns are regular: a large diagonal; each row has at most a few others
static void fill_rows(sample* s, expr_pool* p, graph_random* r)
{
  for (int i = 0; i < s->rows; i++) {
    for (int k = 0; k < s->n; k++) {
      double* v = &s->a[i * s->n + k];
      *v = graph_below(r, 2) ? graph_between(r, -1, 1) : 0;
      if (k == i) *v = s->n;
      s->A[i * s->n + k] = *v != 0 ? unknown(s, p, *v) : expr_int(p, 0);
    }
    s->c[i] = graph_between(r, -1, 1);
    s->b[i] = entry(s, p, r, &s->c[i]);
  }
}

// [M -A^T; A 0] (a, lambda) = (F, -b) with the largest pivot of each column
static void dense(const sample* s, long double* x)
{
  const int n = s->n, N = n + s->rows;
  long double K[2 * MOST][2 * MOST + 1] = {{0}};
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) K[i][k] = s->m[i * n + k];
    for (int r = 0; r < s->rows; r++) K[i][n + r] = -(K[n + r][i] = s->a[r * n + i]);
    K[i][N] = s->f[i];
  }
  for (int r = 0; r < s->rows; r++) K[n + r][N] = -s->c[r];
  for (int k = 0; k < N; k++) {
    int best = k;
    for (int i = k; i < N; i++)
      if (fabsl(K[i][k]) > fabsl(K[best][k])) best = i;
    for (int j = 0; j <= N; j++) {
      const long double swap = K[k][j];
      K[k][j] = K[best][j];
      K[best][j] = swap;
    }
    for (int i = 0; i < N; i++) {
      const long double factor = i == k ? 0 : K[i][k] / K[k][k];
      for (int j = k; j <= N; j++) K[i][j] -= factor * K[k][j];
    }
  }
  for (int i = 0; i < N; i++) x[i] = K[i][N] / K[i][i];
}

static code_linear problem_of(const sample* s, const int* dependent)
{
  return (code_linear){.n = s->n,
                       .rows = s->rows,
                       .M = s->M,
                       .F = s->F,
                       .A = s->A,
                       .b = s->b,
                       .dependent = dependent,
                       .tolerance = 1e-10,
                       .multipliers = true};
}

static void check_solution(expr_pool* p, const sample* s, const int* dependent, bool simplify)
{
  code_linear problem = problem_of(s, dependent);
  problem.simplify = simplify;
  code_kernel* k = code_build_solve(p, &problem, s->inputs, s->in, NULL);
  CHECK(k);
  const int N = s->n + s->rows;
  CHECK_INT(code_outputs(k), N + 1);
  double out[2 * MOST + 1], *scratch = malloc(code_scratch(k) * sizeof *scratch);
  long double want[2 * MOST];
  dense(s, want);
  code_run(k, s->x, out, scratch);
  CHECK(out[N] > 0);
  for (int i = 0; i < N; i++)
    CHECK_NEAR(out[i], (double)want[i], 1e-12 * (1 + fabs((double)want[i])));
  free(scratch);
  code_free(k);
}

TEST(random_problems_are_solved_within_the_kernel)
{
  const int dependent[MOST] = {0, 1, 2, 3, 4, 5};
  for (uint64_t seed = 0; seed < 400; seed++) {
    graph_random r = {seed * 31 + 7};
    expr_pool* p = expr_pool_new(0);
    sample s = {.n = 1 + (int)graph_below(&r, MOST)};
    s.rows = seed % 3 == 0 ? 0 : (int)graph_below(&r, (uint32_t)(s.n / 2 + 1));
    fill_mass(&s, p, &r, graph_below(&r, 5));
    fill_rows(&s, p, &r);
    for (int simplify = 0; simplify < 2; simplify++) {
      check_solution(p, &s, NULL, simplify);
      if (s.rows) check_solution(p, &s, dependent, simplify);
    }
    expr_pool_free(p);
  }
}

static int operations(int n, bool bordered)
{
  expr_pool* p = expr_pool_new(0);
  sample s = {.n = n};
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) s.M[i * n + k] = expr_int(p, 0);
    s.F[i] = unknown(&s, p, 1);
  }
  // an arrow: the first unknown is coupled to all others, and these only to it
  for (int i = 0; i < n; i++) {
    s.M[i * n + i] = unknown(&s, p, 10);
    if (i > 0 && bordered) s.M[i * n] = s.M[i] = unknown(&s, p, 1);
  }
  const code_linear problem = problem_of(&s, NULL);
  code_kernel* k = code_build_solve(p, &problem, s.inputs, s.in, NULL);
  const int count = code_operations(k);
  code_free(k);
  expr_pool_free(p);
  return count;
}

TEST(zeros_known_in_advance_cost_nothing)
{
  // a division and, but for one of them, a guard each
  CHECK_INT(operations(6, false), 6 * 2 - 1);
  // in the right order an arrow fills in nothing: the cost grows with n
  CHECK_INT(operations(12, true) - operations(11, true), operations(7, true) - operations(6, true));
}

// M = [1, x; x, 1], A = [cos y, sin y]
static double guard_of(double x, double y, bool constrained, const int* dependent)
{
  expr_pool* p = expr_pool_new(0);
  expr one = expr_int(p, 1), in[2] = {expr_symbol(p, "x"), expr_symbol(p, "y")};
  expr M[4] = {one, in[0], in[0], one}, F[2] = {one, one}, b = expr_int(p, 0);
  expr A[2] = {expr_fn1(p, EXPR_COS, in[1]), expr_fn1(p, EXPR_SIN, in[1])};
  const code_linear s = {.n = 2,
                         .rows = constrained,
                         .M = M,
                         .F = F,
                         .A = A,
                         .b = &b,
                         .dependent = dependent,
                         .tolerance = 1e-6};
  code_kernel* k = code_build_solve(p, &s, 2, in, NULL);
  double out[3], scratch[100];
  CHECK(k && code_scratch(k) <= 100);
  code_run(k, (double[]){x, y}, out, scratch);
  code_free(k);
  expr_pool_free(p);
  return out[2];
}

// a_0 = -x a_1 is eliminated: outputs are a_1, the guard, and x a_0 beside them
TEST(a_brief_kernel_leaves_out_what_is_eliminated)
{
  expr_pool* p = expr_pool_new(0);
  expr x = expr_symbol(p, "x"), a[2] = {expr_symbol(p, "a0"), expr_symbol(p, "a1")};
  const expr one = expr_int(p, 1), zero = expr_int(p, 0);
  expr M[4] = {one, zero, zero, one}, F[2] = {one, expr_int(p, 2)}, A[2] = {one, x}, b = zero;
  const expr other = expr_mul(p, x, a[0]);
  const int first = 0;
  code_linear s = {.n = 2,
                   .rows = 1,
                   .M = M,
                   .F = F,
                   .A = A,
                   .b = &b,
                   .dependent = &first,
                   .tolerance = 1e-6,
                   .others = 1,
                   .other = &other,
                   .unknown = a};
  double whole[4], brief[3], scratch[100], at = 0.3;
  code_kernel* k = code_build_solve(p, &s, 1, &x, NULL);
  s.brief = true;
  code_kernel* short_one = code_build_solve(p, &s, 1, &x, NULL);
  CHECK(k && short_one && code_outputs(k) == 4 && code_outputs(short_one) == 3);
  code_run(k, &at, whole, scratch);
  code_run(short_one, &at, brief, scratch);
  // (1 + x^2) a_1 = 2 - x
  CHECK_NEAR(whole[1], (2 - at) / (1 + at * at), 1e-15);
  CHECK_NEAR(whole[0], -at * whole[1], 1e-16);
  CHECK_NEAR(brief[0], whole[1], 0);
  CHECK_NEAR(brief[1], whole[2], 0);
  CHECK_NEAR(brief[2], at * whole[0], 1e-16);
  code_free(k);
  code_free(short_one);
  expr_pool_free(p);
}

TEST(outputs_that_are_numbers_are_known)
{
  expr_pool* p = expr_pool_new(0);
  expr x = expr_symbol(p, "x"), out[2] = {expr_int(p, 7), expr_mul(p, x, x)};
  code_kernel* k = code_build(p, 2, out, 1, &x, NULL);
  CHECK_NEAR(code_output_number(k, 0), 7, 0);
  CHECK(isnan(code_output_number(k, 1)));
  code_free(k);
  expr_pool_free(p);
}

TEST(the_guard_falls_where_a_pivot_is_lost)
{
  CHECK(guard_of(0.5, 0, false, NULL) > 0);
  CHECK(guard_of(1 - 1e-5, 0, false, NULL) > 0);
  CHECK(!(guard_of(1 - 1e-8, 0, false, NULL) > 0));
  CHECK(!(guard_of(1, 0, false, NULL) > 0));
  // not positive definite
  CHECK(!(guard_of(2, 0, false, NULL) > 0));
  CHECK(!(guard_of(NAN, 0, false, NULL) > 0));
  // a dependent unknown whose column of A vanishes
  const int first[1] = {0};
  const double right = acos(0);
  CHECK(guard_of(0.5, 1, true, first) > 0 && guard_of(0.5, right - 1e-5, true, first) > 0);
  CHECK(!(guard_of(0.5, right, true, first) > 0));
  CHECK(!(guard_of(0.5, right - 1e-8, true, first) > 0));
  CHECK(guard_of(0.5, right, true, NULL) > 0);
}

TEST(the_guard_falls_where_constraints_say_the_same)
{
  expr_pool* p = expr_pool_new(0);
  expr one = expr_int(p, 1), zero = expr_int(p, 0), x = expr_symbol(p, "x");
  expr M[9] = {one, zero, zero, zero, one, zero, zero, zero, one};
  expr F[3] = {one, one, one}, A[6] = {one, one, zero, one, x, zero}, b[2] = {zero, one};
  const code_linear s = {
      .n = 3, .rows = 2, .M = M, .F = F, .A = A, .b = b, .tolerance = 1e-8, .multipliers = true};
  code_kernel* k = code_build_solve(p, &s, 1, &x, NULL);
  double out[6], scratch[100];
  CHECK(k && code_scratch(k) <= 100);
  code_run(k, (double[]){1 + 1e-2}, out, scratch);
  CHECK(out[5] > 0);
  code_run(k, (double[]){1}, out, scratch);
  CHECK(!(out[5] > 0));
  code_free(k);

  // in every state: refused
  A[4] = one;
  const int first_two[2] = {0, 1};
  code_linear never = s;
  never.dependent = first_two;
  expr missing = x;
  CHECK(!code_build_solve(p, &never, 1, &x, &missing) && missing == EXPR_NONE);
  expr_pool_free(p);
}

// A x + x0 = 0 with A = [cos y, sin y], x0 = 1 and the second of x given; M = 1, F = x
TEST(symbols_solved_before_and_after_stand_for_their_values)
{
  expr_pool* p = expr_pool_new(0);
  expr one = expr_int(p, 1), zero = expr_int(p, 0);
  expr y = expr_symbol(p, "y"), x[2] = {expr_symbol(p, "x0"), expr_symbol(p, "x1")};
  expr a[2] = {expr_symbol(p, "a0"), expr_symbol(p, "a1")}, lambda = expr_symbol(p, "lambda");
  expr M[4] = {one, zero, zero, one}, b = zero, in[3] = {y, x[0], x[1]};
  expr A[2] = {expr_fn1(p, EXPR_COS, y), expr_fn1(p, EXPR_SIN, y)};
  // x, and what M a - F - A^T lambda leaves
  expr other[4] = {x[0], x[1]};
  for (int i = 0; i < 2; i++)
    other[2 + i] = expr_sub(p, expr_sub(p, a[i], x[i]), expr_mul(p, A[i], lambda));
  for (int way = 0; way < 4; way++) {
    const int first[1] = {0};
    const code_linear s = {.n = 2,
                           .rows = 1,
                           .M = M,
                           .F = x,
                           .A = A,
                           .b = &b,
                           .dependent = first,
                           .tolerance = 1e-6,
                           .row_tolerance = 0.1,
                           .whole = way & 1,
                           .simplify = way & 2,
                           .others = 4,
                           .other = other,
                           .x = x,
                           .x0 = &one,
                           .unknown = a,
                           .multiplier = &lambda};
    code_kernel* k = code_build_solve(p, &s, 3, in, NULL);
    double out[7], scratch[100];
    CHECK(k && code_scratch(k) <= 100);
    // what is given for the dependent one does not count
    code_run(k, (double[]){0.4, NAN, 2}, out, scratch);
    CHECK(out[2] > 0);
    CHECK_NEAR(out[3], -(1 + 2 * sin(0.4)) / cos(0.4), 1e-14);
    CHECK(out[4] == 2);
    CHECK_NEAR(out[0] * cos(0.4) + out[1] * sin(0.4), 0, 1e-14);
    CHECK_NEAR(out[5], 0, 1e-14);
    CHECK_NEAR(out[6], 0, 1e-14);
    // a tenth of its row is too little for a pivot
    code_run(k, (double[]){acos(0.09), 0, 2}, out, scratch);
    CHECK(!(out[2] > 0));
    code_free(k);
  }
  expr_pool_free(p);
}

TEST(other_outputs_follow_and_missing_symbols_are_named)
{
  expr_pool* p = expr_pool_new(0);
  expr x = expr_symbol(p, "x"), y = expr_symbol(p, "y");
  expr other[2] = {expr_mul(p, x, x), expr_fn1(p, EXPR_SIN, x)};
  code_linear s = {.n = 1, .M = &x, .F = &x, .tolerance = 1e-8, .others = 2, .other = other};
  code_kernel* k = code_build_solve(p, &s, 1, &x, NULL);
  double out[4], scratch[32];
  CHECK(k && code_scratch(k) <= 32);
  CHECK_INT(code_outputs(k), 4);
  code_run(k, (double[]){3}, out, scratch);
  CHECK(out[0] == 1 && out[1] > 0 && out[2] == 9 && out[3] == sin(3));
  code_run(k, (double[]){-3}, out, scratch);
  CHECK(!(out[1] > 0) && out[2] == 9);
  code_free(k);

  expr missing = EXPR_NONE;
  s.F = &y;
  CHECK(!code_build_solve(p, &s, 1, &x, &missing) && missing == y);
  expr_pool_free(p);
}

static long count_of(const char* text, const char* word)
{
  long n = 0;
  for (const char* at = text; (at = strstr(at, word)); at++) n++;
  return n;
}

// a blade: M = diag(x, x, 3) with x a number, A = [-sin y, cos y, 0]
TEST(exact_steps_see_that_the_squares_of_sine_and_cosine_add_up_to_one)
{
  expr_pool* p = expr_pool_new(0);
  expr zero = expr_int(p, 0), seven = expr_int(p, 7), y = expr_symbol(p, "y");
  expr s = expr_fn1(p, EXPR_SIN, y), c = expr_fn1(p, EXPR_COS, y);
  expr M[9] = {seven, zero, zero, zero, seven, zero, zero, zero, expr_int(p, 3)};
  expr F[3] = {y, c, s}, A[3] = {expr_neg(p, s), c, zero}, b[1] = {y};
  code_linear problem = {
      .n = 3, .rows = 1, .M = M, .F = F, .A = A, .b = b, .tolerance = 1e-8, .multipliers = true};
  double out[2][5], scratch[64];
  for (int simplify = 0; simplify < 2; simplify++) {
    problem.simplify = simplify;
    code_kernel* k = code_build_solve(p, &problem, 1, &y, NULL);
    CHECK(k && code_scratch(k) <= 64);
    base_text text = {0};
    code_print(k, &text);
    CHECK_INT(count_of(text.at, "= div"), 1 - simplify);
    code_run(k, (double[]){0.8}, out[simplify], scratch);
    base_text_free(&text);
    code_free(k);
  }
  for (int i = 0; i < 4; i++) CHECK_NEAR(out[1][i], out[0][i], 1e-14);
  CHECK(out[1][4] > 0);
  expr_pool_free(p);
}

// a wheel rolls along its heading: what is left depends on the heading no more
TEST(exact_steps_eliminate_dependent_unknowns_by_numbers)
{
  expr_pool* p = expr_pool_new(0);
  expr zero = expr_int(p, 0), one = expr_int(p, 1), two = expr_int(p, 2), y = expr_symbol(p, "y");
  expr s = expr_fn1(p, EXPR_SIN, y), c = expr_fn1(p, EXPR_COS, y);
  // unknowns: spin, x, z; x' = spin' cos y, z' = spin' sin y
  expr M[9] = {one, zero, zero, zero, two, zero, zero, zero, two};
  expr F[3] = {y, s, c}, b[2] = {s, y};
  expr A[6] = {expr_neg(p, c), one, zero, expr_neg(p, s), zero, one};
  const int dependent[2] = {1, 2};
  code_linear problem = {.n = 3, .rows = 2, .M = M, .F = F, .A = A, .b = b, .tolerance = 1e-8};
  problem.dependent = dependent;
  problem.multipliers = true;
  double out[2][6], scratch[64];
  int size[2];
  for (int simplify = 0; simplify < 2; simplify++) {
    problem.simplify = simplify;
    code_kernel* k = code_build_solve(p, &problem, 1, &y, NULL);
    CHECK(k && code_scratch(k) <= 64);
    size[simplify] = code_operations(k);
    code_run(k, (double[]){0.8}, out[simplify], scratch);
    code_free(k);
  }
  CHECK(size[1] < size[0]);
  for (int i = 0; i < 5; i++) CHECK_NEAR(out[1][i], out[0][i], 1e-14);
  expr_pool_free(p);
}

// an axis that nods by y: with s, c of the nod M = [2 c^2 + 3 s^2, 3 s; 3 s, 3], whose first pivot
// is 2 c^2 once the spin is eliminated; near y = pi/2 the difference of numbers loses it
TEST(exact_steps_by_numbers_on_the_diagonal_lose_no_digits)
{
  expr_pool* p = expr_pool_new(0);
  expr two = expr_int(p, 2), three = expr_int(p, 3), in[3];
  for (int i = 0; i < 3; i++) in[i] = expr_symbol(p, (const char*[]){"y", "f", "g"}[i]);
  expr s = expr_fn1(p, EXPR_SIN, in[0]), c = expr_fn1(p, EXPR_COS, in[0]);
  expr first =
      expr_add(p, expr_mul(p, two, expr_mul(p, c, c)), expr_mul(p, three, expr_mul(p, s, s)));
  expr M[4] = {first, expr_mul(p, three, s), expr_mul(p, three, s), three}, F[2] = {in[1], in[2]};
  code_linear problem = {.n = 2, .M = M, .F = F, .tolerance = 1e-12};
  double off[2], guard[2];
  for (int simplify = 0; simplify < 2; simplify++) {
    problem.simplify = simplify;
    code_kernel* k = code_build_solve(p, &problem, 3, in, NULL);
    double x[3] = {1.57, 0.3, 0.7}, out[3], scratch[64];
    CHECK(k && code_scratch(k) <= 64);
    code_run(k, x, out, scratch);
    const long double S = sinl(x[0]), C = cosl(x[0]), a = (x[1] - S * x[2]) / (2 * C * C);
    off[simplify] =
        fmax(fabs((double)(out[0] / a - 1)), fabs((double)(out[1] / (x[2] / 3.0L - S * a) - 1)));
    guard[simplify] = out[2];
    code_free(k);
  }
  CHECK(guard[0] > 0 && guard[1] > 0);
  CHECK_NEAR(off[1], 0, 2e-15);
  CHECK(off[0] > 1e-12);
  expr_pool_free(p);
}
