// Gauss's method of order 16: its numbers, its order, its symmetry, the same bits on every
// processor.
#include "check.h"
#include "step/gauss16.h"

#include <stdio.h>
#include <stdlib.h>

TEST(gauss16_weights_integrate_polynomials_of_degree_15)
{
  gauss16_table t;
  t = *gauss16_table_find();
  for (int degree = 0; degree <= 15; degree++) {
    long double sum = 0;
    for (int i = 0; i < 8; i++) sum += (long double)t.b[i] * powl(t.c[i], degree);
    CHECK_NEAR((double)sum, 1.0 / (degree + 1), 2e-16);
  }
}

// C(8), which with the weights and symplecticity makes order 16 (Butcher 1964)
TEST(gauss16_stages_integrate_polynomials)
{
  gauss16_table t;
  t = *gauss16_table_find();
  for (int degree = 0; degree <= 7; degree++)
    for (int i = 0; i < 8; i++) {
      double sum = 0;
      for (int j = 0; j < 8; j++) sum += t.mu[8 * j + i] * t.b[j] * pow(t.c[j], degree);
      CHECK_NEAR(sum, pow(t.c[i], degree + 1) / (degree + 1), 1e-15);
    }
}

TEST(gauss16_is_symplectic_and_symmetric_to_the_last_bit)
{
  gauss16_table t;
  t = *gauss16_table_find();
  for (int i = 0; i < 8; i++) {
    CHECK_NEAR(t.b[i], t.b[7 - i], 0);
    for (int j = 0; j < 8; j++) {
      CHECK_NEAR(t.mu[8 * j + i] + t.mu[8 * i + j], 1, 0);
      CHECK_NEAR(t.mu[8 * j + i] + t.mu[8 * (7 - j) + 7 - i], 1, 0);
    }
  }
}

// no digits that other long doubles may not have
TEST(gauss16_finds_lengths_by_short_numbers)
{
  const gauss16_table* t = gauss16_table_find();
  const double short_one = 4294967296.0;
  for (int r = 0; r < 17; r++) CHECK(t->root[r] * short_one == floor(t->root[r] * short_one));
  for (int i = 0; i < 4; i++) CHECK(t->bend[i] * short_one == floor(t->bend[i] * short_one));
}

TEST(gauss16_finds_roots_for_lengths)
{
  const gauss16_table* t = gauss16_table_find();
  double worst = 0;
  for (double x = 0x1p-1022; x < 1e300; x *= 1.0123)
    worst = fmax(worst, fabs(gauss16_root(t, x) * pow(x, 1.0 / 17) - 1));
  CHECK(worst < 2e-4);
  // no leap where the exponent changes
  for (double x = 0x1p-90; x < 1e20; x *= 2)
    CHECK_NEAR(gauss16_root(t, nextafter(x, 0)) / gauss16_root(t, x), 1, 4e-4);
}

// zeros of P_8 by bisection, on [0, 1]
static long double node(int i)
{
  // one lies between each pair of these
  long double lo = (1 - cosl(acosl(-1) * i / 8)) / 2;
  long double hi = (1 - cosl(acosl(-1) * (i + 1) / 8)) / 2;
  for (int turn = 0; turn < 80; turn++) {
    long double x[2] = {2 * lo - 1, lo + hi - 1}, P[2];
    for (int e = 0; e < 2; e++) {
      long double before = 1, now = x[e];
      for (int k = 1; k < 8; k++) {
        const long double next = ((2 * k + 1) * x[e] * now - k * before) / (k + 1);
        before = now;
        now = next;
      }
      P[e] = now;
    }
    *(P[0] * P[1] <= 0 ? &hi : &lo) = (lo + hi) / 2;
  }
  return (lo + hi) / 2;
}

// the integral to x of the j-th polynomial of Lagrange, by the same nodes
static long double integral(const long double* c, const long double* b, int j, long double x)
{
  long double sum = 0;
  for (int k = 0; k < 8; k++) {
    long double l = b[k] * x;
    for (int m = 0; m < 8; m++)
      if (m != j) l *= (c[k] * x - c[m]) / (c[j] - c[m]);
    sum += l;
  }
  return sum;
}

// with what they lost, the numbers are exact far beyond a double: a_ij = int_0^c_i l_j
TEST(gauss16_knows_what_its_numbers_lost_to_rounding)
{
  gauss16_table t;
  t = *gauss16_table_find();
  long double c[8], b[8], most = 0, rounded = 0;
  for (int i = 0; i < 8; i++) c[i] = node(i);
  for (int i = 0; i < 8; i++) {
    // b = 1 / (4 c (1 - c) (prod (c - c_m))^2), up to one factor for all: their sum is 1
    b[i] = 1 / (c[i] * (1 - c[i]));
    for (int m = 0; m < 8; m++)
      if (m != i) b[i] /= (c[i] - c[m]) * (c[i] - c[m]);
  }
  long double sum = 0;
  for (int i = 0; i < 8; i++) sum += b[i];
  for (int i = 0; i < 8; i++) b[i] /= sum;
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
      const long double mu = integral(c, b, j, c[i]) / b[j];
      rounded = fmaxl(rounded, fabsl(mu - t.mu[8 * j + i]));
      most = fmaxl(most, fabsl((mu - t.mu[8 * j + i]) - t.mu_rest[8 * j + i]));
    }
  printf("# off by %.1Le, and by %.1Le without what they lost\n", most, rounded);
  CHECK(most < 3e-18L && rounded > 1e-17L);
}

TEST(gauss16_expands_on_polynomials_of_legendre)
{
  gauss16_table t;
  t = *gauss16_table_find();
  // 3 P_0 - 2 P_1 + 5 P_3
  double a[8] = {0};
  for (int j = 0; j < 8; j++) {
    const double x = 2 * t.c[j] - 1, f = 3 - 2 * x + 5 * (5 * x * x * x - 3 * x) / 2;
    for (int k = 0; k < 8; k++) a[k] += t.legendre[8 * j + k] * f;
  }
  const double want[8] = {3, -2, 0, 5};
  for (int k = 0; k < 8; k++) CHECK_NEAR(a[k], want[k], 1e-14);
}

// ---- kinds of vectors ---------------------------------------------------------------------------

static double noise(unsigned* seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return *seed / 4294967296.0 - 0.5;
}

TEST(gauss16_sums_have_the_same_bits_on_every_processor)
{
  enum { n = 5 };
  gauss16_table t;
  t = *gauss16_table_find();
  double want[n][8], want_columns[64], want_applied[8 * n], want_far[8][8 * n], want_weighed[8];
  double want_miss[8 * n], want_turned[n][8], want_change = 0, want_turn = 0;
  for (int lanes = 1; lanes <= 8; lanes *= 2) {
    const gauss16_kind* kind = gauss16_kind_of(lanes);
    if (!kind) continue;
    unsigned seed = 7;
    double F[n][8], Y[n][8], y[n], carry[n], over[n], weight[8], columns[64];
    double applied[8 * n], far[8][8 * n] = {0}, weighed[8], one[8], miss[8 * n] = {0}, rest[8 * n],
                                      lines[8 * gauss16_block];
    for (int i = 0; i < 8 * n; i++) rest[i] = 1e-16 * noise(&seed);
    for (int l = 0; l < 8; l++) weight[l] = noise(&seed);
    const double ratio = 1 + noise(&seed);
    for (int i = 0; i < n; i++) {
      y[i] = noise(&seed);
      carry[i] = 1e-16 * noise(&seed);
      over[i] = 1 + noise(&seed);
      for (int l = 0; l < 8; l++) {
        F[i][l] = noise(&seed);
        Y[i][l] = noise(&seed);
      }
    }
    double* stages[n] = {Y[0], Y[1], Y[2], Y[3], Y[4]};
    const double* slopes[n] = {F[0], F[1], F[2], F[3], F[4]};
    const gauss16_move move[3] = {{0, 3}, {1, 1}, {2, 4}};
    gauss16_sums sums = {.mu = t.mu,
                         .weight = weight,
                         .count = 3,
                         .move = move,
                         .Y = stages,
                         .y = y,
                         .carry = carry,
                         .over = over,
                         .lines = lines};
    const double change = kind->sweep(&sums, slopes);
    // the first two in turns of their own, a third summed from the first
    double folded[64], turned[n][8];
    gauss16_turned turn[3] = {{.i = 0}, {.i = 1}, {.from = turned[0]}};
    for (int k = 0; k < 3; k++) {
      turn[k].Y = memcpy(turned[k], F[k + 2], sizeof turned[k]);
      turn[k].y = y[k];
      turn[k].over = over[k];
    }
    kind->fold(t.mu, weight, folded);
    const double largest = kind->turn(folded, 2, 1, turn, slopes);
    sums.rest = rest;
    kind->miss(&sums, slopes, miss);
    kind->basis(1, ratio, t.c, t.over, columns);
    kind->apply(columns, 3, move, slopes, applied);
    // terms that fall faster and slower, nearer and farther: of some all count, of others few
    for (int k = 0; k < 8; k++) {
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 8; j++) far[k][8 * i + j] = applied[8 * i + j] * pow(0.1 + 0.05 * i, j);
      kind->far_off(&t, 1, (1 + k) * ratio, 3, move, far[k]);
    }
    kind->weigh(ratio, t.b, weighed);
    kind->spread(ratio, one);
    for (int l = 0; l < 8; l++) CHECK(one[l] == ratio);
    if (lanes == 1) {
      memcpy(want, Y, sizeof Y);
      memcpy(want_columns, columns, sizeof columns);
      memcpy(want_applied, applied, sizeof applied);
      memcpy(want_far, far, sizeof far);
      memcpy(want_weighed, weighed, sizeof weighed);
      memcpy(want_miss, miss, sizeof miss);
      memcpy(want_turned, turned, sizeof turned);
      want_turn = largest;
      want_change = change;
    }
    CHECK(memcmp(want, Y, sizeof Y) == 0 && change == want_change);
    CHECK(memcmp(want_miss, miss, sizeof miss) == 0);
    CHECK(memcmp(want_turned[0], turned[0], 3 * sizeof *turned) == 0 && largest == want_turn);
    // Y of a sweep is the same to roundings
    for (int l = 0; l < 8; l++) CHECK_NEAR(turned[0][l], Y[0][l], 1e-14);
    CHECK(memcmp(want_columns, columns, sizeof columns) == 0);
    CHECK(memcmp(want_applied, applied, 24 * sizeof *applied) == 0);
    CHECK(memcmp(want_far, far, sizeof far) == 0);
    CHECK(memcmp(want_weighed, weighed, sizeof weighed) == 0);
  }
}

// ---- steps --------------------------------------------------------------------------------------

static int pendulum(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)t;
  dy[0] = y[1];
  dy[1] = -sin(y[0]);
  return 0;
}

static step_stepper* swing(double tolerance, double* abs_tol, double t_end)
{
  abs_tol[0] = abs_tol[1] = tolerance;
  const step_ode ode = {.n = 2, .rhs = pendulum, .rel_tol = tolerance, .abs_tol = abs_tol};
  step_stepper* s = step_method_gauss16.create(&step_method_gauss16, &ode);
  const double y[2] = {0.3, 0};
  CHECK_INT(step_method_gauss16.start(s, 0, y, t_end), STEP_OK);
  while (s->t < t_end && step_method_gauss16.step(s, t_end) == STEP_OK) continue;
  CHECK_NEAR(s->t, t_end, 0);
  return s;
}

static int oscillator(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)t;
  dy[0] = y[1];
  dy[1] = -y[0];
  return 0;
}

// error of a long oscillation in equal steps, which are taken whatever their error: as if longer
// ones had had none
static double error_of(double h, int steps)
{
  const double abs_tol[2] = {1e-15, 1e-15}, y[2] = {1, 0};
  const step_ode ode = {.n = 2, .rhs = oscillator, .rel_tol = 1e-14, .abs_tol = abs_tol};
  step_stepper* s = step_method_gauss16.create(&step_method_gauss16, &ode);
  CHECK_INT(step_method_gauss16.start(s, 0, y, steps * h), STEP_OK);
  s->least_step = 1.01 * h;
  for (int k = 1; k <= steps; k++) {
    s->tried_length = 2 * h;
    s->tried_error = 0;
    CHECK_INT(step_method_gauss16.step(s, k * h), STEP_OK);
  }
  CHECK_INT(s->counts.steps, steps);
  // the first is shorter
  CHECK_NEAR(s->t, steps * h, 2 * h);
  const double error = hypot(s->y[0] - cos(s->t), s->y[1] + sin(s->t));
  step_method_gauss16.destroy(s);
  return error;
}

TEST(gauss16_has_order_sixteen)
{
  const double coarse = error_of(2, 3000), fine = error_of(1.75, 3429);
  const double order = log(coarse / fine) / log(2 / 1.75);
  printf("# order %.2f; errors %.1e, %.1e\n", order, coarse, fine);
  CHECK_NEAR(order, 16, 0.5);
}

// a first step that is far too short is begun again longer
TEST(gauss16_comes_to_long_steps_soon)
{
  const double abs_tol[2] = {1e-9, 1e-9}, y[2] = {1, 0}, t_end = 15;
  const step_ode ode = {.n = 2, .rhs = oscillator, .rel_tol = 1e-9, .abs_tol = abs_tol};
  step_stepper* s = step_method_gauss16.create(&step_method_gauss16, &ode);
  double length[3];
  CHECK_INT(step_method_gauss16.start(s, 0, y, t_end), STEP_OK);
  for (int k = 0; k < 3; k++) {
    CHECK_INT(step_method_gauss16.step(s, t_end), STEP_OK);
    length[k] = s->t - s->t_old;
  }
  while (s->t < t_end && step_method_gauss16.step(s, t_end) == STEP_OK) continue;
  printf("# steps of %.3g, %.3g, %.3g, the longest %.3g; %ld in all, %ld rejected\n", length[0],
         length[1], length[2], s->counts.largest_step, (long)s->counts.steps,
         (long)s->counts.rejected);
  CHECK(length[0] > s->counts.largest_step / 4);
  CHECK_INT(s->counts.rejected, 0);
  CHECK_NEAR(s->y[0], cos(t_end), 1e-9);
  step_method_gauss16.destroy(s);
}

// Each trial of the first step begins from the polynomial of the one before: together they take
// hardly more turns than a step of that length does.
TEST(gauss16_begins_long_steps_near_where_they_end)
{
  const double abs_tol[2] = {1e-9, 1e-9}, y[2] = {1, 0}, t_end = 15;
  const step_ode ode = {.n = 2, .rhs = oscillator, .rel_tol = 1e-9, .abs_tol = abs_tol};
  step_stepper* s = step_method_gauss16.create(&step_method_gauss16, &ode);
  CHECK_INT(step_method_gauss16.start(s, 0, y, t_end), STEP_OK);
  long turns[2];
  for (int k = 0; k < 2; k++) {
    const long before = (long)s->counts.evaluations;
    CHECK_INT(step_method_gauss16.step(s, t_end), STEP_OK);
    turns[k] = (long)s->counts.evaluations - before;
  }
  while (s->t < t_end && step_method_gauss16.step(s, t_end) == STEP_OK) continue;
  printf("# %ld and %ld turns, %ld in all\n", turns[0], turns[1], (long)s->counts.evaluations);
  // two more tell how long the first may be, one is left out of the second
  CHECK(turns[0] <= 2 + turns[1] + 2);
  step_method_gauss16.destroy(s);
}

TEST(gauss16_comes_back_the_way_it_went)
{
  double abs_tol[2];
  step_stepper* s = swing(1e-15, abs_tol, 100);
  while (s->t > 0 && step_method_gauss16.step(s, 0) == STEP_OK) continue;
  CHECK_NEAR(s->y[0], 0.3, 1e-14);
  CHECK_NEAR(s->y[1], 0, 1e-14);
  step_method_gauss16.destroy(s);
}

// ---- slopes with noise, stages without a slope --------------------------------------------------

// the oscillator with a slope that is a difference of terms of 2e4: known to 2e-12
static int noisy(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)t;
  const volatile double large = 2e4 + y[0];
  dy[0] = y[1];
  dy[1] = 2e4 - large;
  return 0;
}

// from y to t_end, with a look into every step
static step_stepper* follow(const step_ode* ode, const double* y, double t_end)
{
  step_stepper* s = step_method_gauss16.create(&step_method_gauss16, ode);
  CHECK_INT(step_method_gauss16.start(s, 0, y, t_end), STEP_OK);
  step_status status = STEP_OK;
  while (s->t < t_end && status == STEP_OK) {
    status = step_method_gauss16.step(s, t_end);
    for (int k = 1; k < 8 && status == STEP_OK; k++) {
      double at[2];
      step_method_gauss16.dense(s, s->t_old + k * (s->t - s->t_old) / 8, at);
      CHECK(isfinite(at[0]) && isfinite(at[1]));
    }
  }
  CHECK_INT(status, STEP_OK);
  CHECK_TEXT(s->reason, "");
  return s;
}

// where turns change the stages by that noise only, more of them or a shorter step gain nothing
TEST(gauss16_goes_on_where_stages_go_round_among_noise)
{
  static const double tolerance[] = {1e-11, 1e-12, 1e-13};
  for (int k = 0; k < 3; k++) {
    const double abs_tol[2] = {tolerance[k], tolerance[k]}, y[2] = {1, 0}, t_end = 50;
    const step_ode ode = {.n = 2, .rhs = noisy, .rel_tol = tolerance[k], .abs_tol = abs_tol};
    step_stepper* s = follow(&ode, y, t_end);
    printf("# tolerance %g: %ld steps, %ld rejected, %ld evaluations\n", tolerance[k],
           (long)s->counts.steps, (long)s->counts.rejected, (long)s->counts.evaluations);
    CHECK(s->counts.steps < 80 && s->counts.rejected < 40);
    // the noise of every slope, all on one side
    CHECK_NEAR(s->y[0], cos(t_end), 2e-12 * t_end + 10 * tolerance[k]);
    step_method_gauss16.destroy(s);
  }
}

// a mass in a bowl whose wall has no slope beyond r = 1: r'' = - r / sqrt(1 - r^2)
static int bowl(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)t;
  dy[0] = y[1];
  dy[1] = -y[0] / sqrt(1 - y[0] * y[0]);
  return 0;
}

// v^2 / 2 - sqrt(1 - r^2) is kept, though trials lead beyond the wall
TEST(gauss16_cuts_steps_whose_stages_have_no_slope)
{
  const double abs_tol[2] = {1e-10, 1e-10}, y[2] = {0, sqrt(2 * (1 - 1e-3))}, t_end = 20;
  const step_ode ode = {.n = 2, .rhs = bowl, .rel_tol = 1e-10, .abs_tol = abs_tol};
  step_stepper* s = follow(&ode, y, t_end);
  printf("# %ld steps, %ld rejected\n", (long)s->counts.steps, (long)s->counts.rejected);
  CHECK_NEAR(s->t, t_end, 0);
  CHECK_NEAR(s->y[1] * s->y[1] / 2 - sqrt(1 - s->y[0] * s->y[0]), -1e-3, 1e-8);
  step_method_gauss16.destroy(s);
}
