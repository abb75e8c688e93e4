// Time-stepping where the inertia varies with the places: the order of a step, and the length that
// led frames ask for.
#include "bench.h"

#include "check.h"

// the end of column `name`; by steps of h, or as exact as can be where h is 0
static double end_of(const bench* b, double h, double until, const char* name)
{
  walk_options o = walk_options_default();
  o.method = h > 0 ? "moreau" : "dop853";
  o.step = h;
  if (!(h > 0)) o.tolerance = 1e-12;
  o.until = until;
  o.points = 2;
  walk_track* t = b->system ? walk_run(b->system, &o, b->notes) : NULL;
  if (!t || t->status != WALK_DONE) {
    check_fail(__FILE__, __LINE__, "no run: %s", t ? t->reason : bench_first_error(b));
    return NAN;
  }
  const double value = bench_value(t, t->table.rows - 1, name);
  walk_track_free(t);
  return value;
}

// a quarter of the error by steps half as long: terms of inertia in the velocities are all there is
// in the first, springs and weights go with them in the others
TEST(steps_have_the_second_order_where_inertia_varies)
{
  static const char* const text[] = {
      "coord r, a\nkinetic (r'^2 + r^2*a'^2)/2\ninitial r = 1, r' = 0.3, a' = 2\n",
      "coord a, b\nkinetic a'^2 + cos(a - b)*a'*b' + b'^2/2\npotential -20*cos(a) - 10*cos(b)\n"
      "initial a = 1, b = -0.5, b' = 1\n",
      "coord r, a\nkinetic (r'^2 + (0.1 + r^2)*a'^2)/2\npotential 50*(r - 1)^2\n"
      "initial r = 1.2, a' = 4\n"};
  static const char* const column[] = {"r", "b", "r"};
  for (int k = 0; k < 3; k++) {
    bench b = bench_text(text[k]);
    const double want = end_of(&b, 0, 1, column[k]);
    const double long_steps = fabs(end_of(&b, 4e-3, 1, column[k]) - want),
                 short_steps = fabs(end_of(&b, 2e-3, 1, column[k]) - want);
    CHECK(long_steps < 1e-3);
    CHECK(long_steps > 1e-9);
    CHECK_NEAR(long_steps / short_steps, 4, 0.3);
    bench_free(&b);
  }
}

// A bead flung out along a spoke that turns: the time scale 1/w is that of inertia at rest.
TEST(steps_are_as_short_as_led_frames_turn)
{
  bench b = bench_text("param w = 200\ncoord r\nkinetic (r'^2 + w^2*r^2)/2\ninitial r = 1\n");
  walk_options o = walk_options_default();
  o.method = "moreau";
  o.until = 1;
  o.points = 2;
  walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
  CHECK(t && t->status == WALK_DONE);
  // a twentieth of 1/w each
  if (t) CHECK_INT(t->counts.steps, 4000);
  walk_track_free(t);
  bench_free(&b);
}

// Three moments of inertia that differ: without a torque the spin wanders in the body, but its
// energy stays, to rounding, and where the body has turned to is of the second order. The change of
// a spin, added where the body had turned on, lost a thousandth of its energy here, and left an
// error of the first order.
TEST(a_body_that_tumbles_keeps_its_energy)
{
  bench b = bench_text("body b mass 1 inertia (0.0009, 0.0011, 0.0014)\n"
                       "initial pos(b) = (0, 0, 0)\ninitial vel(b) = (0, 0, 0)\n"
                       "initial omega(b) = (-3, 4, 5)\noutput E = energy()\nrun 0 .. 0.8\n");
  double turned[3][4];
  const char* names[4] = {"b.qw", "b.qx", "b.qy", "b.qz"};
  for (int k = 0; k < 3; k++) {
    walk_options o = walk_options_default();
    o.method = "moreau";
    o.step = 4e-3 / (1 << k);
    o.points = 11;
    walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
    CHECK(t && t->status == WALK_DONE);
    for (int i = 0; i < 4; i++)
      turned[k][i] = t ? bench_value(t, t->table.rows - 1, names[i]) : NAN;
    const double E = t ? bench_value(t, 0, "E") : NAN;
    CHECK_NEAR(t ? bench_value(t, t->table.rows - 1, "E") : NAN, E, 1e-11 * E);
    walk_track_free(t);
  }
  for (int i = 0; i < 4; i++)
    CHECK_NEAR((turned[0][i] - turned[1][i]) / (turned[1][i] - turned[2][i]), 4, 0.1);
  bench_free(&b);
}
