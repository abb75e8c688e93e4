// Time-stepping of what grips: contacts of surfaces, constraints that hold while another does, and
// dry friction that no contact presses.
#include "bench.h"

#include "check.h"

#include <stdio.h>

// several columns of one run
static void ends(const char* text, double h, double until, int n, const char* const* columns,
                 double* values)
{
  bench b = bench_text(text);
  walk_options o = walk_options_default();
  o.points = 2;
  o.until = until;
  if (h > 0) {
    o.method = "moreau";
    o.step = h;
  }
  walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
  if (!t || t->status != WALK_DONE)
    check_fail(__FILE__, __LINE__, "no run: %s", t ? t->reason : bench_first_error(&b));
  for (int i = 0; i < n; i++) values[i] = t ? bench_value(t, t->table.rows - 1, columns[i]) : NAN;
  walk_track_free(t);
  bench_free(&b);
}

static double at_end(const char* text, double h, double until, const char* column)
{
  double value;
  ends(text, h, until, 1, &column, &value);
  return value;
}

// a fourth of the step leaves a fourth of the error, against the event-driven answer
static void nears(double want, double coarse, double fine, const char* column, double least)
{
  coarse = fabs(coarse - want);
  fine = fabs(fine - want);
  if (!(coarse < 1e-2 && fine < 0.35 * coarse + least))
    check_fail(__FILE__, __LINE__, "%s: off by %g, then %g", column, coarse, fine);
}

static void converges(const char* text, double until, const char* column, double h, double least)
{
  nears(at_end(text, 0, until, column), at_end(text, h, until, column),
        at_end(text, h / 4, until, column), column, least);
}

TEST(a_ball_that_grips_bounces_and_rolls_by_time_steps)
{
  static const char text[] =
      "ball b mass 1 radius 0.1\ngravity (0, 0, -9.81)\nroll b as sphere(0.1) on world as plane at "
      "c with restitution 0.5\ninitial pos(b) = (0, 0, 1)\ninitial vel(b) = (2, 1, 0)\n"
      "initial omega(b) = (3, 40, 5)\noutput p = pos(b)\noutput v = vel(b)\noutput w = omega(b)\n"
      "run 0 .. 2\n";
  converges(text, 2, "p.x", 1e-3, 1e-12);
  converges(text, 2, "p.y", 1e-3, 1e-12);
  converges(text, 2, "v.x", 4e-4, 1e-12);
  converges(text, 2, "v.y", 4e-4, 1e-12);
}

TEST(a_loaded_disc_passes_its_sliding_regime_by_time_steps)
{
  static const char disc[] =
      "coord x, y, phi\nframe disc = world at (x, y, 0) rotated z(-phi)\nbody load mass 1 inertia "
      "(0.3, 0.3, 0.3) at (0, 0.5, 0) in disc\ngravity (0, -9.81, 0)\nconstraint rail: y - 1 >= 0\n"
      "constraint grip: x' = phi' while rail\ninitial y = 1\ninitial phi = -2\n"
      "initial phi' = 8.5\nrun 0 .. 0.2\n";
  static const char loaded[] =
      "body disc mass 1 inertia (0.3, 0.3, 0.3) at (0, 0, 0.5)\ngravity (0, 0, -9.81)\n"
      "roll disc as sphere(1) on world as plane at rail with release\n"
      "initial rotation(disc) = y(-2)\ninitial omega(disc) = (0, 8.5, 0)\n"
      "initial pos(disc).x = 0\ninitial pos(disc).y = 0\noutput y = pos(disc).z\n"
      "output x = pos(disc).x\nrun 0 .. 0.2\n";
  static const char* const xy[] = {"x", "y"};
  double want[2], coarse[2], fine[2], steps[2];
  ends(disc, 0, 0.2, 2, xy, want);
  ends(disc, 4e-4, 0.2, 2, xy, coarse);
  ends(disc, 1e-4, 0.2, 2, xy, fine);
  for (int i = 0; i < 2; i++) nears(want[i], coarse[i], fine[i], xy[i], 1e-12);
  // by shorter steps what is left, less than 1e-6, hangs on where in a step it lets go
  ends(loaded, 4e-4, 0.2, 2, xy, steps);
  nears(at_end(loaded, 0, 0.2, "y"), at_end(loaded, 1.6e-3, 0.2, "y"), steps[1], "y", 1e-12);
  CHECK_NEAR(steps[0], want[0], 1e-6);
}

// thrown up by the wall it rolls into, for the floor that it does not press does not grip it
TEST(a_ball_climbs_a_rough_wall_by_time_steps)
{
  static const char text[] =
      "ball b mass 1 radius 0.1\ngravity (0, 0, -9.81)\n"
      "frame W = world at (1, 0, 0) rotated y(-pi/2)\n"
      "roll b as sphere(0.1) on world as plane at f with release\n"
      "roll b as sphere(0.1) on W as plane at w with restitution 0.25\n"
      "initial pos(b) = (0, 0, 0.1)\ninitial vel(b) = (2, 0, 0)\noutput p = pos(b)\n"
      "output v = vel(b)\nrun 0 .. 0.5\n";
  CHECK_NEAR(at_end(text, 1e-4, 0.5, "v.x"), -0.5, 1e-6);
  CHECK_NEAR(at_end(text, 1e-4, 0.5, "v.z"), 4.0 / 7 - 9.81 * 0.05, 2e-3);
}

// Against the sign of a velocity a spring loses 2 F/k a half swing and sticks where it is held.
TEST(dry_friction_without_a_contact_by_time_steps)
{
  static const char spring[] = "coord x\nkinetic x'^2/2\npotential 50*x^2\nforce x = -3*sign(x')\n"
                               "initial x = 1\nrun 0 .. 8\n";
  static const char two[] = "coord x, y\nkinetic (x'^2 + 2*y'^2)/2\npotential 50*x^2 + 20*(x-y)^2\n"
                            "force x = -(2 + x^2)*sign(x' - y')\n"
                            "force y = (2 + x^2)*sign(x' - y') - sign(y')\n"
                            "constraint stop: y >= -0.3 with restitution 0.5\ninitial x = 1\n"
                            "run 0 .. 2\n";
  converges(spring, 2, "x", 1e-3, 1e-12);
  // velocities of some metres a second change an event early or late
  for (double h = 4e-3; h > 1e-5; h /= 4) {
    CHECK_NEAR(at_end(two, h, 1, "x"), at_end(two, 0, 1, "x"), 2 * h);
    CHECK_NEAR(at_end(two, h, 1, "y"), at_end(two, 0, 1, "y"), 2 * h);
  }
  // 1 - 0.06 k after k half swings, of which 17 are needed to come below 0.03
  CHECK_NEAR(at_end(spring, 1e-3, 8, "x'"), 0, 1e-12);
  CHECK_NEAR(fabs(at_end(spring, 2.5e-4, 8, "x")), 0.02, 2.5e-4);
}
