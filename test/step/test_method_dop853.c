// The Runge-Kutta method: its coefficients, its order, its dense output, its manners.
#include "check.h"
#include "step/dop853_table.h"
#include "step/step.h"

#include <stdio.h>

// two bodies, eccentricity e, from the pericentre: period 2 pi
static int kepler(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)t;
  double r2 = y[0] * y[0] + y[1] * y[1], r3 = r2 * sqrt(r2);
  dy[0] = y[2];
  dy[1] = y[3];
  dy[2] = -y[0] / r3;
  dy[3] = -y[1] / r3;
  return 0;
}

static void kepler_start(double e, double* y)
{
  y[0] = 1 - e;
  y[1] = 0;
  y[2] = 0;
  y[3] = sqrt((1 + e) / (1 - e));
}

// a problem with time, products and nested functions in it; before t = 0 nothing moves
static int mixed(void* context, double t, const double* y, double* dy)
{
  (void)context;
  memset(dy, 0, 4 * sizeof *dy);
  if (t < 0) return 0;
  dy[0] = y[0] * cos(t);
  dy[1] = -2 * t * y[1] * y[1];
  dy[2] = y[0] * y[1];
  dy[3] = y[1] * cos(y[2]) - y[3] * y[0];
  return 0;
}

static step_stepper* make(const step_ode* ode)
{
  return step_method_dop853.create(&step_method_dop853, ode);
}

static void walk(step_stepper* s, double t_end)
{
  const step_method* m = s->method;
  for (int i = 0; i < 10000000 && s->t != t_end; i++) {
    step_status status = m->step(s, t_end);
    if (status != STEP_OK) {
      CHECK_TEXT(s->reason, "");
      CHECK_INT(status, STEP_OK);
      return;
    }
  }
}

TEST(dop853_rows_sum_to_the_nodes)
{
  CHECK_NEAR(a1_0, c1, 1e-16);
  CHECK_NEAR(a2_0 + a2_1, c2, 1e-16);
  CHECK_NEAR(a3_0 + a3_2, c3, 1e-16);
  CHECK_NEAR(a4_0 + a4_2 + a4_3, c4, 4e-16);
  CHECK_NEAR(a5_0 + a5_3 + a5_4, c5, 4e-16);
  CHECK_NEAR(a6_0 + a6_3 + a6_4 + a6_5, c6, 4e-16);
  CHECK_NEAR(a7_0 + a7_3 + a7_4 + a7_5 + a7_6, c7, 4e-16);
  CHECK_NEAR(a8_0 + a8_3 + a8_4 + a8_5 + a8_6 + a8_7, c8, 3e-14);
  CHECK_NEAR(a9_0 + a9_3 + a9_4 + a9_5 + a9_6 + a9_7 + a9_8, c9, 3e-14);
  CHECK_NEAR(a10_0 + a10_3 + a10_4 + a10_5 + a10_6 + a10_7 + a10_8 + a10_9, c10, 3e-14);
  CHECK_NEAR(a11_0 + a11_3 + a11_4 + a11_5 + a11_6 + a11_7 + a11_8 + a11_9 + a11_10, 1, 3e-14);
  CHECK_NEAR(a13_0 + a13_6 + a13_7 + a13_8 + a13_9 + a13_10 + a13_11 + a13_12, c13, 1e-15);
  CHECK_NEAR(a14_0 + a14_5 + a14_6 + a14_7 + a14_10 + a14_11 + a14_12 + a14_13, c14, 1e-15);
  CHECK_NEAR(a15_0 + a15_5 + a15_6 + a15_7 + a15_8 + a15_12 + a15_13 + a15_14, c15, 1e-14);
}

TEST(dop853_weights_integrate_polynomials)
{
  const double b[] = {b_0, b_5, b_6, b_7, b_8, b_9, b_10, b_11};
  const double e[] = {e_0, e_5, e_6, e_7, e_8, e_9, e_10, e_11};
  const double c[] = {0, c5, c6, c7, c8, c9, c10, 1};
  for (int k = 0; k < 8; k++) {
    double sum = 0, gap = 0;
    for (int j = 0; j < 8; j++) {
      sum += b[j] * pow(c[j], k);
      gap += e[j] * pow(c[j], k);
    }
    CHECK_NEAR(sum, 1.0 / (k + 1), 4e-15);
    // the embedded solution is exact up to degree 4
    if (k < 5) CHECK_NEAR(gap, 0, 2e-15);
  }
  for (int k = 0; k < 3; k++)
    CHECK_NEAR(w_0 * (k == 0) + w_8 * pow(c8, k) + w_11, 1.0 / (k + 1), 1e-15);
}

// error at t = 1, and of the dense output inside the steps, with `steps` equal steps on [0, 1]
static void with_equal_steps(int steps, double* at_end, double* inside)
{
  const double loose[4] = {1e30, 1e30, 1e30, 1e30}, tight[4] = {1e-15, 1e-15, 1e-15, 1e-15};
  double y[4] = {1, 1, 0, 0.5}, fine[4];
  step_ode ode = {.n = 4, .rhs = mixed, .rel_tol = 1e-15, .abs_tol = tight};
  step_stepper* exact = make(&ode);
  exact->method->start(exact, 0, y, 1);
  ode.rel_tol = 1;
  ode.abs_tol = loose;
  step_stepper* s = make(&ode);
  // without error control the step grows until only the limit holds it
  s->method->start(s, -60, y, 0);
  walk(s, 0);
  s->method->amend(s, y);
  *inside = 0;
  for (int i = 1; i <= steps; i++) {
    CHECK_INT(s->method->step(s, (double)i / steps), STEP_OK);
    CHECK_NEAR(s->t, (double)i / steps, 0);
    for (int j = 1; j < 8; j++) {
      double t = s->t_old + (s->t - s->t_old) * j / 8;
      s->method->dense(s, t, fine);
      walk(exact, t);
      for (int k = 0; k < 4; k++) *inside = fmax(*inside, fabs(fine[k] - exact->y[k]));
    }
  }
  walk(exact, 1);
  *at_end = 0;
  for (int k = 0; k < 4; k++) *at_end = fmax(*at_end, fabs(s->y[k] - exact->y[k]));
  s->method->destroy(s);
  exact->method->destroy(exact);
}

TEST(dop853_has_order_eight_and_its_dense_output_order_seven)
{
  double end[4], inside[4];
  for (int i = 0; i < 4; i++) with_equal_steps(2 << i, &end[i], &inside[i]);
  double order = log2(end[0] / end[2]) / 2, order_inside = log2(inside[0] / inside[2]) / 2;
  printf("# order %.2f, inside %.2f; errors %.2g .. %.2g, %.2g .. %.2g\n", order, order_inside,
         end[0], end[3], inside[0], inside[3]);
  CHECK(order > 7.6 && order < 9.0);
  CHECK(order_inside > 7.4 && order_inside < 9.0);
}

TEST(dop853_dense_output_is_continuous_with_its_derivative)
{
  double y[4], before[4], after[4], tol[4] = {1e-9, 1e-9, 1e-9, 1e-9};
  step_ode ode = {.n = 4, .rhs = kepler, .rel_tol = 1e-9, .abs_tol = tol};
  kepler_start(0.5, y);
  step_stepper* s = make(&ode);
  s->method->start(s, 0, y, 10);
  for (int i = 0; i < 20; i++) {
    const double bit = 1e-6;
    CHECK_INT(s->method->step(s, 10), STEP_OK);
    double t = s->t, slope[4];
    s->method->dense(s, t - bit, before);
    memcpy(y, s->y, sizeof y);
    kepler(NULL, t, y, slope);
    for (int k = 0; k < 4; k++) CHECK_NEAR(before[k], y[k] - bit * slope[k], 1e-10);
    CHECK_INT(s->method->step(s, 10), STEP_OK);
    s->method->dense(s, t, after);
    for (int k = 0; k < 4; k++) CHECK_NEAR(after[k], y[k], 1e-15);
    s->method->dense(s, t + bit, after);
    for (int k = 0; k < 4; k++) CHECK_NEAR(after[k], y[k] + bit * slope[k], 1e-10);
  }
  s->method->destroy(s);
}

TEST(dop853_global_error_is_near_the_tolerance)
{
  for (int p = 4; p <= 14; p++) {
    double y[4], tol[4], eps = pow(10, -p), end[4];
    for (int k = 0; k < 4; k++) tol[k] = eps;
    step_ode ode = {.n = 4, .rhs = kepler, .rel_tol = eps, .abs_tol = tol};
    kepler_start(0.3, y);
    memcpy(end, y, sizeof y);
    step_stepper* s = make(&ode);
    double period = 2 * acos(-1);
    s->method->start(s, 0, y, period);
    walk(s, period);
    double off = 0;
    for (int k = 0; k < 4; k++) off = fmax(off, fabs(s->y[k] - end[k]));
    printf("# tol %.0e: error %.2g, %ld steps, %ld rejected\n", eps, off, s->counts.steps,
           s->counts.rejected);
    CHECK_NEAR(off, 0, fmax(10 * eps, 1e-13));
    s->method->destroy(s);
  }
}

TEST(dop853_turns_an_oscillator_ten_thousand_times)
{
  double y[4], tol[4] = {1e-13, 1e-13, 1e-13, 1e-13}, end[4];
  step_ode ode = {.n = 4, .rhs = kepler, .rel_tol = 1e-13, .abs_tol = tol};
  kepler_start(0, y);
  memcpy(end, y, sizeof y);
  step_stepper* s = make(&ode);
  double far = 2e4 * acos(-1);
  s->method->start(s, 0, y, far);
  walk(s, far);
  double energy = (s->y[2] * s->y[2] + s->y[3] * s->y[3]) / 2 - 1 / hypot(s->y[0], s->y[1]);
  printf("# energy off by %.2g, place by %.2g after %ld steps\n", energy + 0.5,
         hypot(s->y[0] - end[0], s->y[1] - end[1]), s->counts.steps);
  CHECK_NEAR(energy, -0.5, 2e-11);
  CHECK_NEAR(hypot(s->y[0] - end[0], s->y[1] - end[1]), 0, 1e-5);
  s->method->destroy(s);
}

static int slope_one(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)t, (void)y;
  dy[0] = 0.1;
  return 0;
}

TEST(dop853_sums_many_steps_without_losing_digits)
{
  double y = 0, tol = 1e-10;
  step_ode ode = {.n = 1, .rhs = slope_one, .rel_tol = 1e-10, .abs_tol = &tol};
  step_stepper* s = make(&ode);
  s->method->start(s, 0, &y, 1e6);
  // a thousandth at a time, none of them a binary fraction
  for (int i = 1; i <= 1000000; i++) s->method->step(s, i * 0.001);
  CHECK_INT(s->counts.steps, 1000000);
  CHECK_NEAR(s->y[0], 100, 3e-14);
  s->method->destroy(s);
}

// sqrt(1 - t) y': beyond t = 1 not evaluable
static int edge(void* context, double t, const double* y, double* dy)
{
  int* mode = context;
  if (t > 1) return *mode;
  dy[0] = -y[0] + (1 - t);
  return 0;
}

TEST(dop853_ends_before_the_place_where_the_right_side_ends)
{
  double y = 1, tol = 1e-10;
  int mode = 1;
  step_ode ode = {.n = 1, .rhs = edge, .context = &mode, .rel_tol = 1e-10, .abs_tol = &tol};
  step_stepper* s = make(&ode);
  CHECK_INT(s->method->start(s, 0, &y, 2), STEP_OK);
  step_status status = STEP_OK;
  for (int i = 0; i < 10000 && status == STEP_OK; i++) status = s->method->step(s, 2);
  CHECK_INT(status, STEP_RHS_FAILED);
  CHECK_NEAR(s->t, 1, 1e-13);
  CHECK(strstr(s->reason, "cannot be evaluated"));
  // -1: stop at once
  mode = -7;
  CHECK_INT(s->method->start(s, 0, &y, 2), STEP_OK);
  status = STEP_OK;
  for (int i = 0; i < 10000 && status == STEP_OK; i++) status = s->method->step(s, 2);
  CHECK_INT(status, STEP_RHS_FAILED);
  CHECK(strstr(s->reason, "-7"));
  s->method->destroy(s);
}

// y' = y^2 blows up at t = 1
static int blow_up(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)t;
  dy[0] = y[0] * y[0];
  return 0;
}

TEST(dop853_says_when_the_solution_blows_up)
{
  double y = 1, tol = 1e-10;
  step_ode ode = {.n = 1, .rhs = blow_up, .rel_tol = 1e-10, .abs_tol = &tol};
  step_stepper* s = make(&ode);
  CHECK_INT(s->method->start(s, 0, &y, 2), STEP_OK);
  step_status status = STEP_OK;
  for (int i = 0; i < 100000 && status == STEP_OK; i++) status = s->method->step(s, 2);
  CHECK(status == STEP_STEP_TOO_SMALL || status == STEP_NOT_FINITE);
  CHECK_NEAR(s->t, 1, 1e-9);
  CHECK(s->reason[0]);
  s->method->destroy(s);
}

static int with_quiet(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)y;
  dy[0] = 1;
  dy[1] = sin(1000 * t);
  return 0;
}

TEST(dop853_quiet_components_do_not_steer)
{
  double y[2] = {0, 0}, tol[2] = {1e-10, 1e-10};
  const bool quiet[2] = {false, true};
  step_ode ode = {.n = 2, .rhs = with_quiet, .rel_tol = 1e-10, .abs_tol = tol, .quiet = quiet};
  step_stepper* s = make(&ode);
  s->method->start(s, 0, y, 10);
  walk(s, 10);
  CHECK(s->counts.steps < 30);
  CHECK_NEAR(s->y[0], 10, 1e-13);
  s->method->destroy(s);
}

TEST(dop853_runs_backwards_and_from_far_away)
{
  double y[4] = {1, 1, 0, 0.5}, tol[4] = {1e-12, 1e-12, 1e-12, 1e-12};
  step_ode ode = {.n = 4, .rhs = kepler, .rel_tol = 1e-12, .abs_tol = tol};
  double begin[4];
  kepler_start(0.2, begin);
  step_stepper* s = make(&ode);
  s->method->start(s, 1e6, begin, 1e6 + 5);
  walk(s, 1e6 + 5);
  memcpy(y, s->y, sizeof y);
  s->method->start(s, 1e6 + 5, y, 1e6);
  walk(s, 1e6);
  for (int k = 0; k < 4; k++) CHECK_NEAR(s->y[k], begin[k], 2e-10);
  double inside[4], check[4];
  s->method->dense(s, s->t_old, inside);
  s->method->dense(s, (s->t_old + s->t) / 2, check);
  CHECK(isfinite(check[0]));
  s->method->destroy(s);
}

TEST(dop853_takes_amended_states_without_losing_its_step)
{
  double y[4], tol[4] = {1e-10, 1e-10, 1e-10, 1e-10}, period = 2 * acos(-1);
  step_ode ode = {.n = 4, .rhs = kepler, .rel_tol = 1e-10, .abs_tol = tol};
  kepler_start(0.2, y);
  step_stepper *s = make(&ode), *plain = make(&ode);
  plain->method->start(plain, 0, y, 10 * period);
  walk(plain, 10 * period);
  s->method->start(s, 0, y, 10 * period);
  double old[4], inside[4], before_amend[4];
  while (s->t < 10 * period) {
    memcpy(old, s->y, sizeof old);
    CHECK_INT(s->method->step(s, 10 * period), STEP_OK);
    memcpy(before_amend, s->y, sizeof before_amend);
    // hold the energy: scale the velocity
    double v2 = s->y[2] * s->y[2] + s->y[3] * s->y[3], r = hypot(s->y[0], s->y[1]);
    double f = sqrt((2 / r - 1) / v2);
    double z[4] = {s->y[0], s->y[1], s->y[2] * f, s->y[3] * f};
    CHECK_INT(s->method->amend(s, z), STEP_OK);
    // the curve still joins the old state with the new one
    s->method->dense(s, s->t_old, inside);
    for (int k = 0; k < 4; k++) CHECK_NEAR(inside[k], old[k], 1e-14);
    s->method->dense(s, s->t - 1e-13, inside);
    for (int k = 0; k < 4; k++) CHECK_NEAR(inside[k], z[k], 2e-12);
  }
  CHECK(s->counts.steps <= plain->counts.steps + 3);
  for (int k = 0; k < 4; k++) CHECK_NEAR(s->y[k], y[k], 3e-8);
  s->method->destroy(s);
  plain->method->destroy(plain);
}

static int nothing(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)t, (void)y, (void)dy;
  return 0;
}

TEST(dop853_carries_an_empty_system)
{
  step_ode ode = {.n = 0, .rhs = nothing, .rel_tol = 1e-10};
  step_stepper* s = make(&ode);
  double y = 0;
  CHECK_INT(s->method->start(s, 0, &y, 3), STEP_OK);
  walk(s, 3);
  CHECK_NEAR(s->t, 3, 0);
  s->method->destroy(s);
}

// r'' = - r / sqrt(1 - r^2), which is refused beyond r = 1
static int bowl(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)t;
  if (!(fabs(y[0]) < 1)) return 1;
  dy[0] = y[1];
  dy[1] = -y[0] / sqrt(1 - y[0] * y[0]);
  return 0;
}

// steps along a wall, behind one that led beyond it, can all be looked into
TEST(dop853_looks_into_steps_along_what_is_refused)
{
  int refused = 0;
  for (int k = 0; k < 200; k++) {
    const double depth = 1e-4 * (1 + k), abs_tol[2] = {1e-3, 1e-3};
    const double y[2] = {0, sqrt(2 * (1 - depth))};
    const step_ode ode = {.n = 2, .rhs = bowl, .rel_tol = 1e-3, .abs_tol = abs_tol};
    step_stepper* s = step_method_dop853.create(&step_method_dop853, &ode);
    CHECK_INT(step_method_dop853.start(s, 0, y, 20), STEP_OK);
    while (s->t < 20 && step_method_dop853.step(s, 20) == STEP_OK) {
      double at[2];
      refused += s->counts.rejected > 0;
      step_method_dop853.dense(s, (s->t_old + s->t) / 2, at);
      CHECK(s->counts.rejected == 0 || (isfinite(at[0]) && isfinite(at[1])));
    }
    step_method_dop853.destroy(s);
  }
  CHECK(refused > 0);
}
