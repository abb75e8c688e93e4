// Friction of surfaces in space: slip that ends, sticking, and slip that begins.
#include "bench.h"

#include <math.h>
#include <stdio.h>

#include "check.h"

static const char ball[] = "param R = 0.1, g = 9.81, mu = %g, slope = %g, v0 = %g, k = %g\n"
                           "ball ball mass 1 radius R\n"
                           "gravity (g*sin(slope), 0, -g*cos(slope))\n"
                           "frame table = world at (k*t^3/6, 0, 0)\n"
                           "slide ball as sphere(R) on table as plane at c with friction mu\n"
                           "initial pos(ball).x = 0\ninitial pos(ball).y = 0\n"
                           "initial rotation(ball) = z(0)\ninitial vel(ball) = (v0, 0, 0)\n"
                           "initial omega(ball) = (0, 0, 0)\n"
                           "output v = vel(ball).x\noutput w = omega(ball).y\nrun 0 .. 3\n";

static bench with(double mu, double slope, double v0, double k)
{
  char text[800];
  snprintf(text, sizeof text, ball, mu, slope, v0, k);
  return bench_text(text);
}

TEST(a_ball_that_slips_comes_to_roll_with_five_sevenths_of_its_speed)
{
  bench b = with(0.2, 0, 7, 0);
  const double at[] = {2};
  walk_track* t = bench_run(&b, 1e-12, 1, at);
  CHECK_INT(t->status, WALK_DONE);
  CHECK_INT(t->happenings, 1);
  CHECK_TEXT(walk_happening_name(t, &t->happening[0]), "sticking of c");
  CHECK_NEAR(t->happening[0].t, 2 * 7 / (7 * 0.2 * 9.81), 1e-11);
  CHECK_NEAR(bench_value(t, 0, "v"), 5, 1e-11);
  CHECK_NEAR(bench_value(t, 0, "w"), 50, 1e-10);
  CHECK_NEAR(bench_value(t, 0, "reaction.c.x"), 0, 1e-10);
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_ball_on_a_slope_rolls_where_friction_suffices_and_slips_where_not)
{
  const double slope = 0.3, mu[] = {0.2, 0.05}, at[] = {2};
  const double a[] = {5.0 / 7 * 9.81 * sin(slope), 9.81 * (sin(slope) - 0.05 * cos(slope))};
  for (int i = 0; i < 2; i++) {
    bench b = with(mu[i], slope, 0, 0);
    walk_track* t = bench_run(&b, 1e-12, 1, at);
    CHECK_NEAR(bench_value(t, 0, "v"), 2 * a[i], 1e-10);
    walk_track_free(t);
    bench_free(&b);
  }
}

TEST(a_ball_on_a_table_that_is_pulled_ever_faster_begins_to_slip)
{
  bench b = with(0.2, 0, 0, 5);
  const double at[] = {1, 2}, t1 = 7 * 0.2 * 9.81 / (2 * 5);
  walk_track* t = bench_run(&b, 1e-11, 2, at);
  CHECK_INT(t->happenings, 1);
  CHECK_TEXT(walk_happening_name(t, &t->happening[0]), "slipping of c");
  CHECK_NEAR(t->happening[0].t, t1, 1e-10);
  CHECK_NEAR(bench_value(t, 0, "v"), 5.0 / 7, 1e-11);
  CHECK_NEAR(bench_value(t, 1, "v"), 5 * t1 * t1 / 7 + 0.2 * 9.81 * (2 - t1), 1e-10);
  walk_track_free(t);
  bench_free(&b);
}

// A ball of radius 1/10 at rest on a plane with mu N = 0.4, drawn by 2.8 t: it rolls with the speed
// t^2 until 2/7 of the force are what friction gives, t = 1/2, then slips: omega = 2.5 + 10 (t -
// 1/2). The motion behind the onset is as exact between its ends as there.
TEST(rows_within_the_first_stretch_of_a_slip_are_as_exact_as_the_run)
{
  static const char text[] =
      "ball b mass 1 radius 0.1\nslide b as sphere(0.1) on world as plane at c with friction 0.2\n"
      "force (2.8*t, 0, -2) in world at b\ninitial vel(b) = (0, 0, 0)\n"
      "initial omega(b) = (0, 0, 0)\nrun 0 .. 1\n";
  static const double tolerances[] = {1e-8, 1e-10, 1e-12, 1e-13};
  double at[48];
  for (int i = 0; i < 48; i++) at[i] = 0.52 + 0.01 * i;
  for (int i = 0; i < 4; i++) {
    bench b = bench_text(text);
    walk_track* t = bench_run(&b, tolerances[i], 48, at);
    double most = 0;
    for (int k = 0; t && k < t->table.rows; k++) {
      const double s = bench_value(t, k, "t") - 0.5;
      const double angle = 1.25 / 3 + 2.5 * s + 5 * s * s, rate = 2.5 + 10 * s;
      if (!(s > 0)) continue;
      most = fmax(most, fabs(bench_value(t, k, "b.qy'") - cos(angle / 2) * rate / 2));
    }
    if (!t || t->status != WALK_DONE || !(most < 5 * tolerances[i] + 1e-11))
      check_fail(__FILE__, __LINE__, "to %g off by %g", tolerances[i], most);
    walk_track_free(t);
    bench_free(&b);
  }
}

// On a table that is drawn away ever faster and shaken across, slip begins along a curve: the first
// stretch of it is found at any tolerance, so that a run to more digits takes a few times the steps
// and ends where the others do.
TEST(slip_begins_along_a_curve_at_any_tolerance)
{
  static const char text[] =
      "ball b mass 1 radius 0.1\ngravity (0, 0, -9.81)\n"
      "frame table = world at (5*t^3/6, 0.3*sin(t), 0)\n"
      "slide b as sphere(0.1) on table as plane at c with friction 0.2\n"
      "initial pos(b).x = 0\ninitial pos(b).y = 0\ninitial vel(b) = (0, 0, 0)\n"
      "initial omega(b) = (0, 0, 0)\noutput v = vel(b).x\noutput w = vel(b).y\nrun 0 .. 1.5\n";
  static const double tolerances[] = {1e-9, 1e-12, 1e-13};
  double v[3], w[3], steps[3];
  for (int i = 0; i < 3; i++) {
    bench b = bench_text(text);
    const double at[] = {1.5};
    walk_track* t = bench_run(&b, tolerances[i], 1, at);
    // at first it slips, as the table is jerked away under it
    CHECK_INT(t->happenings, 2);
    CHECK_TEXT(walk_happening_name(t, &t->happening[1]), "slipping of c");
    v[i] = bench_value(t, 0, "v");
    w[i] = bench_value(t, 0, "w");
    steps[i] = (double)t->counts.steps;
    walk_track_free(t);
    bench_free(&b);
  }
  for (int i = 1; i < 3; i++) {
    CHECK_NEAR(v[i], v[0], 1e-10);
    CHECK_NEAR(w[i], w[0], 1e-10);
    CHECK(steps[i] < 8 * steps[0]);
  }
}
