// Cylinders above planes, event by event: the lowest points of their rims.
#include "bench.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// columns of the last row
static bool at_end(const char* text, int count, const char* const* column, double* out)
{
  bench b = bench_text(text);
  walk_options o = walk_options_default();
  o.points = 2;
  walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
  const bool fine = t && t->status == WALK_DONE;
  if (!fine)
    check_fail(__FILE__, __LINE__, "no run: %s\n%s", t ? t->reason : bench_first_error(&b), text);
  for (int i = 0; fine && i < count; i++) out[i] = bench_value(t, t->table.rows - 1, column[i]);
  walk_track_free(t);
  bench_free(&b);
  return fine;
}

// Lying it touches along a line: it rolls with 2/3 g sin, or slips with g (sin - mu cos).
TEST(a_cylinder_rolls_or_slips_down_a_slope)
{
  static const char form[] =
      "cylinder b mass 1 radius 0.1 length 0.5\ngravity (0, 0, -9.81)\n"
      "frame s = world rotated y(0.2)\n"
      "contact c: b as cylinder(0.1, 0.5), s as plane with friction %g\n"
      "initial pos(b, s) = (0, 0, 0.1)\ninitial rotation(b) = y(0.2) x(pi/2)\n"
      "initial vel(b) = (0, 0, 0)\ninitial omega(b) = (0, 0, 0)\noutput X = pos(b, s).x\n"
      "output N = reaction(c)\noutput F = friction(c)\noutput S = state(c)\nrun 0 .. 1\n"
      "method dop853\n";
  static const char* const columns[] = {"X", "N", "F", "S"};
  const double down = 9.81 * sin(0.2), press = 9.81 * cos(0.2);
  char text[800];
  double got[4];
  snprintf(text, sizeof text, form, 0.5);
  if (!at_end(text, 4, columns, got)) return;
  CHECK_NEAR(got[0], down / 3, 1e-9);
  CHECK_NEAR(got[1], press, 1e-9);
  CHECK_NEAR(got[2], down / 3, 1e-9);
  CHECK(got[3] == 1);
  snprintf(text, sizeof text, form, 0.02);
  if (!at_end(text, 4, columns, got)) return;
  CHECK_NEAR(got[0], (down - 0.02 * press) / 2, 1e-9);
  CHECK_NEAR(got[2], 0.02 * press, 1e-9);
  CHECK(got[3] == 2);
}

// Tilted by th it falls on the lowest point of one rim, at (l/2 sin - R cos) beside its centre,
// with J = (1 + e) v/(1/m + y^2/I) and no friction.
TEST(a_tilted_cylinder_bounces_on_its_rim)
{
  static const char text[] =
      "cylinder b mass 1 radius 0.1 length 0.5\ngravity (0, 0, -9.81)\n"
      "contact c: b as cylinder(0.1, 0.5), world as plane with restitution 0.5\n"
      "initial pos(b) = (0, 0, 0.7)\ninitial rotation(b) = x(1.2)\ninitial vel(b) = (0, 0, 0)\n"
      "initial omega(b) = (0, 0, 0)\noutput v = vel(b).z\noutput w = omega(b)\nrun 0 .. 0.325\n"
      "method taylor\n";
  static const char* const columns[] = {"v", "w.x", "w.z"};
  const double drop = 0.7 - 0.25 * cos(1.2) - 0.1 * sin(1.2), t = sqrt(2 * drop / 9.81);
  const double beside = 0.25 * sin(1.2) - 0.1 * cos(1.2), I = (3 * 0.01 + 0.25) / 12;
  const double J = 1.5 * 9.81 * t / (1 + beside * beside / I);
  double got[3];
  if (!at_end(text, 3, columns, got)) return;
  CHECK_NEAR(got[0], J - 9.81 * 0.325, 1e-9);
  CHECK_NEAR(got[1], beside * J / I, 1e-9);
  CHECK_NEAR(got[2], 0, 1e-12);
}

// It falls on its rim and over to its end: there it has no lowest point, and the run says so.
TEST(a_cylinder_that_comes_to_stand_ends_with_that_name)
{
  static const char* const texts[] = {
      "gravity (0, 0, -9.81)\nbody b mass 1 inertia (0.0142, 0.0142, 0.005)\n"
      "contact c: b as cylinder(0.1, 0.1), world as plane with friction 0.4\n"
      "initial pos(b) = (0, 0, 0.2)\ninitial rotation(b) = x(0.2)\n"
      "initial vel(b) = (0, 0, 0)\ninitial omega(b) = (0, 0, 0)\nrun 0 .. 3\nmethod dop853\n",
      "gravity (0, 0, -9.81)\ncoord y, z, a\nframe F = world at (0, y, z) rotated x(a)\n"
      "body b mass 1 inertia (0.00142, 0.00142, 0.005) at (0, 0, 0) in F\n"
      "contact c: b as cylinder(0.1, 0.1), world as plane with friction 0.9\n"
      "initial z = 0.1\ninitial a = 0.2\nrun 0 .. 3\nmethod dop853\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    bench b = bench_text(texts[i]);
    walk_options o = walk_options_default();
    walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
    CHECK(t && t->status != WALK_DONE && strstr(t->reason, "`b` comes to stand"));
    if (t && !strstr(t->reason, "`b` comes to stand"))
      check_fail(__FILE__, __LINE__, "it ends with: %s", t->reason);
    walk_track_free(t);
    bench_free(&b);
  }
}
