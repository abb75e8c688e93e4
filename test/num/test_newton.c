// Nonlinear equations: nearest solutions, redundancy, contradictions, bad starts.
#include "check.h"
#include "num/num.h"

#include <stdio.h>

static int circle(void* context, const double* x, double* F, double* J)
{
  double r = *(double*)context;
  F[0] = x[0] * x[0] + x[1] * x[1] - r * r;
  J[0] = 2 * x[0];
  J[1] = 2 * x[1];
  return 0;
}

TEST(newton_finds_the_nearest_point_of_a_circle)
{
  for (int k = 0; k < 24; k++) {
    double r = 2, a = k * 0.27, x[2] = {2.3 * cos(a), 2.3 * sin(a)};
    num_newton_result n = num_newton(1, 2, circle, &r, NULL, NULL, 1e-12, 30, x);
    CHECK(n.solved);
    CHECK_NEAR(x[0], 2 * cos(a), 1e-14);
    CHECK_NEAR(x[1], 2 * sin(a), 1e-14);
    CHECK(n.residual <= 1e-15);
    CHECK(n.iterations <= 8);
  }
}

TEST(newton_leaves_the_centre_of_a_circle)
{
  // the derivative says nothing at 0, where guesses begin
  double r = 3, x[2] = {0, 0};
  num_newton_result n = num_newton(1, 2, circle, &r, NULL, NULL, 1e-12, 60, x);
  CHECK(n.solved);
  CHECK_NEAR(hypot(x[0], x[1]), 3, 1e-14);
}

static int square_angle(void* context, const double* x, double* F, double* J)
{
  const double lean = *(double*)context;
  F[0] = cos(x[0]) * cos(x[1] - lean);
  F[1] = sin(x[1]) * cos(lean) - sin(lean) * cos(x[1]);
  const double rows[] = {-sin(x[0]) * cos(x[1] - lean), -cos(x[0]) * sin(x[1] - lean), 0,
                         cos(x[1]) * cos(lean) + sin(lean) * sin(x[1])};
  memcpy(J, rows, sizeof rows);
  return 0;
}

TEST(newton_gives_angles_within_a_turn_of_their_guess)
{
  // J vanishes near the guess, so that a step may lead over many turns
  for (int k = 1; k < 40; k++) {
    double lean = 0.03 * k, x[2] = {0, 0};
    CHECK(num_newton(2, 2, square_angle, &lean, NULL, NULL, 1e-12, 60, x).solved);
    CHECK_NEAR(cos(x[0]), 0, 1e-12);
    CHECK(fabs(x[0]) < 3.2 && fabs(x[1]) < 3.2);
  }
}

TEST(newton_moves_heavy_unknowns_less)
{
  double r = 2, even[2] = {1.5, 1.5}, uneven[2] = {1.5, 1.5};
  const double weight[2] = {1e4, 1};
  CHECK(num_newton(1, 2, circle, &r, NULL, NULL, 1e-12, 30, even).solved);
  CHECK_NEAR(even[0], even[1], 1e-14);
  CHECK(num_newton(1, 2, circle, &r, weight, NULL, 1e-12, 30, uneven).solved);
  CHECK_NEAR(uneven[0], 1.5, 1e-6);
  CHECK_NEAR(uneven[1], sqrt(4 - 2.25), 1e-6);
}

// a circle and a line, the line said twice in another unit
static int redundant(void* context, const double* x, double* F, double* J)
{
  double shift = *(double*)context;
  F[0] = x[0] * x[0] + x[1] * x[1] - 25;
  F[1] = x[0] - 3;
  F[2] = 1000 * x[0] - 3000 - 1000 * shift;
  const double rows[] = {2 * x[0], 2 * x[1], 1, 0, 1000, 0};
  memcpy(J, rows, sizeof rows);
  return 0;
}

TEST(newton_accepts_redundant_equations_and_refuses_contradictory_ones)
{
  double shift = 0, x[2] = {1, 1};
  num_newton_result n = num_newton(3, 2, redundant, &shift, NULL, NULL, 1e-12, 50, x);
  CHECK(n.solved);
  CHECK_NEAR(x[0], 3, 1e-14);
  CHECK_NEAR(x[1], 4, 1e-14);
  shift = 0.1;
  const double scale[3] = {1, 1, 1000};
  x[0] = x[1] = 1;
  n = num_newton(3, 2, redundant, &shift, NULL, scale, 1e-12, 100, x);
  CHECK(!n.solved);
  // half of the gap is left to each line, none to the circle
  CHECK_NEAR(n.residual, 0.05, 1e-3);
  CHECK(n.worst == 1 || n.worst == 2);
}

static int no_solution(void* context, const double* x, double* F, double* J)
{
  (void)context;
  F[0] = x[0] - x[1];
  F[1] = x[0] * x[0] + x[1] * x[1] + 1;
  const double rows[] = {1, -1, 2 * x[0], 2 * x[1]};
  memcpy(J, rows, sizeof rows);
  return 0;
}

TEST(newton_names_the_equation_that_cannot_be_met)
{
  double x[2] = {3, 5};
  num_newton_result n = num_newton(2, 2, no_solution, NULL, NULL, NULL, 1e-10, 200, x);
  CHECK(!n.solved);
  CHECK_INT(n.worst, 1);
  CHECK_NEAR(n.residual, 1, 1e-6);
}

// two arms of a four-bar, far from the guess
static int four_bar(void* context, const double* x, double* F, double* J)
{
  double drive = *(double*)context;
  F[0] = 2 * cos(drive) + 5 * cos(x[0]) - 4 * cos(x[1]) - 6;
  F[1] = 2 * sin(drive) + 5 * sin(x[0]) - 4 * sin(x[1]);
  const double rows[] = {-5 * sin(x[0]), 4 * sin(x[1]), 5 * cos(x[0]), -4 * cos(x[1])};
  memcpy(J, rows, sizeof rows);
  return 0;
}

TEST(newton_closes_a_four_bar_from_anywhere)
{
  int failed = 0;
  double farthest = 0;
  for (int a = 0; a < 12; a++)
    for (int b = 0; b < 12; b++) {
      double drive = 0.7, x[2] = {a * 0.5236, b * 0.5236}, F[2], J[4];
      num_newton_result n = num_newton(2, 2, four_bar, &drive, NULL, NULL, 1e-11, 100, x);
      four_bar(&drive, x, F, J);
      if (n.solved) CHECK_NEAR(fmax(fabs(F[0]), fabs(F[1])), 0, 1e-14);
      failed += !n.solved;
      // a solution near the guess, not some turns away
      farthest = fmax(farthest, hypot(x[0] - a * 0.5236, x[1] - b * 0.5236));
    }
  printf("# %d of 144 starts failed, farthest walk %.3g\n", failed, farthest);
  CHECK_INT(failed, 0);
  CHECK(farthest < 5);
}

// sqrt(x) = 2, not a number for x < 0: the full step from 40 would leave
static int root_of(void* context, const double* x, double* F, double* J)
{
  (void)context;
  if (x[0] < 0) return 1;
  F[0] = sqrt(x[0]) - 2;
  J[0] = 0.5 / sqrt(x[0]);
  return 0;
}

TEST(newton_steps_back_from_where_nothing_can_be_evaluated)
{
  double x = 40;
  num_newton_result n = num_newton(1, 1, root_of, NULL, NULL, NULL, 1e-12, 50, &x);
  CHECK(n.solved);
  CHECK_NEAR(x, 4, 1e-14);
  x = -1;
  n = num_newton(1, 1, root_of, NULL, NULL, NULL, 1e-12, 50, &x);
  CHECK(!n.solved);
  CHECK(isinf(n.residual));
  CHECK_NEAR(x, -1, 0);
}

static int double_root(void* context, const double* x, double* F, double* J)
{
  (void)context;
  F[0] = (x[0] - 1) * (x[0] - 1);
  J[0] = 2 * (x[0] - 1);
  return 0;
}

TEST(newton_reaches_a_double_root)
{
  double x = 3;
  num_newton_result n = num_newton(1, 1, double_root, NULL, NULL, NULL, 1e-16, 100, &x);
  CHECK(n.solved);
  CHECK_NEAR(x, 1, 1e-7);
}

TEST(newton_has_nothing_to_do_without_equations)
{
  double x[2] = {5, 6};
  num_newton_result n = num_newton(0, 2, circle, NULL, NULL, NULL, 1e-12, 10, x);
  CHECK(n.solved);
  CHECK_INT(n.iterations, 0);
  CHECK_NEAR(x[0], 5, 0);
}

// a chain of 60 rods: larger than the stack buffer
enum { rods = 60 };

static int chain(void* context, const double* x, double* F, double* J)
{
  (void)context;
  memset(J, 0, sizeof(double) * rods * 2 * rods);
  for (int i = 0; i < rods; i++) {
    double dx = x[2 * i] - (i ? x[2 * i - 2] : 0), dy = x[2 * i + 1] - (i ? x[2 * i - 1] : 0);
    double* row = J + i * 2 * rods;
    F[i] = dx * dx + dy * dy - 1;
    row[2 * i] = 2 * dx;
    row[2 * i + 1] = 2 * dy;
    if (i) {
      row[2 * i - 2] = -2 * dx;
      row[2 * i - 1] = -2 * dy;
    }
  }
  return 0;
}

TEST(newton_straightens_a_long_chain)
{
  double x[2 * rods];
  for (int i = 0; i < rods; i++) {
    x[2 * i] = (i + 1) * 0.9 + 0.2 * sin(i);
    x[2 * i + 1] = 0.3 * cos(1.7 * i);
  }
  num_newton_result n = num_newton(rods, 2 * rods, chain, NULL, NULL, NULL, 1e-12, 50, x);
  CHECK(n.solved);
  CHECK(n.residual < 1e-13);
}

// more equations than unknowns, curved enough for damped steps: an exponential through nine
// readings, far from the guess
static int readings(void* context, const double* x, double* F, double* J)
{
  (void)context;
  for (int i = 0; i < 9; i++) {
    const double t = i - 4, e = exp(0.3 * x[0] * t);
    F[i] = e + x[1] * t - exp(0.3 * t) - 2 * t + 0.1 * (i % 3);
    if (J) J[i * 2] = 0.3 * t * e, J[i * 2 + 1] = t;
  }
  return 0;
}

TEST(newton_gives_the_point_whose_residual_it_tells)
{
  int solved = 0;
  for (int i = 0; i < 400; i++) {
    double x[2] = {-8 + 0.04 * i, 9 - 0.11 * i}, F[9], most = 0;
    const num_newton_result r = num_newton(9, 2, readings, NULL, NULL, NULL, 1e-10, 60, x);
    readings(NULL, x, F, NULL);
    for (int k = 0; k < 9; k++) most = fmax(most, fabs(F[k]));
    CHECK_NEAR(most, r.residual, 1e-12 * (1 + r.residual));
    solved += r.solved;
  }
  CHECK_INT(solved, 0);
}
