// Friction in space of what holds both ways: surfaces that guide a bead, by closed forms.
#include "bench.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

// Without gravity in a tube a bead keeps the angle a of its screw: N = m (v cos a)^2/R, so that
// v = v0/(1 + k v0 t) and the way is ln(1 + k v0 t)/k with k = mu cos^2 a/R.
TEST(friction_in_a_tube_slows_a_bead_along_its_screw)
{
  // the surface from either side: the normal force has either sign
  static const char* const tube[] = {"x^2 + y^2 = 4", "4 - x^2 - y^2 = 0"};
  for (int i = 0; i < 2; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "coord x, y, z\nparticle b mass 3 = (x, y, z) in world\n"
             "constraint tube: %s with friction 0.4\ninitial x = 2\ninitial y' = 1.5\n"
             "initial z' = 2\nrun 0 .. 3\n",
             tube[i]);
    bench b = bench_text(text);
    const double at[] = {1, 3}, v0 = 2.5, c = 1.5 / v0, k = 0.4 * c * c / 2;
    walk_track* t = bench_run(&b, 1e-11, 2, at);
    CHECK(t->happenings == 0);
    for (int j = 0; j < 2; j++) {
      const double way = log(1 + k * v0 * at[j]) / k, v = v0 / (1 + k * v0 * at[j]);
      CHECK_NEAR(bench_value(t, j, "z"), way * 2 / v0, 1e-9);
      CHECK_NEAR(bench_value(t, j, "z'"), v * 2 / v0, 1e-9);
      CHECK_NEAR(bench_value(t, j, "x"), 2 * cos(way * c / 2), 1e-9);
    }
    walk_track_free(t);
    bench_free(&b);
  }
}

// A plate between two plates: it stops after v/(mu g) and v^2/(2 mu g), whatever presses it.
TEST(friction_of_a_guide_stops_a_block_pressed_to_either_side)
{
  static const double gravity[] = {-9.81, 9.81};
  for (int i = 0; i < 2; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "coord x, y, z\nparticle c mass 2 = (x, y, z) in world\ngravity (0, 0, %g)\n"
             "constraint guide: pos(c).z = 0 with friction 0.3\ninitial x' = 1.2\n"
             "initial y' = 1.6\nrun 0 .. 1\n",
             gravity[i]);
    bench b = bench_text(text);
    const double at[] = {1};
    walk_track* t = bench_run(&b, 1e-11, 1, at);
    CHECK(t->happenings == 1);
    CHECK_NEAR(t->happening[0].t, 2 / (0.3 * 9.81), 1e-10);
    CHECK_NEAR(bench_value(t, 0, "x"), 0.6 * 4 / (2 * 0.3 * 9.81), 1e-10);
    CHECK_NEAR(bench_value(t, 0, "reaction.guide"), -2 * gravity[i], 1e-10);
    walk_track_free(t);
    bench_free(&b);
  }
}

// Pressed by p cos t from both sides in turn and pushed by F along it, a block of mass 1 slips
// from rest at once where mu p |cos t| < F; it begins where F = mu p cos t and never stops if F is
// more than the mean 2 mu p/pi.
TEST(a_guide_is_pressed_from_both_sides_in_turn)
{
  bench b = bench_text("param p = 5, mu = 0.4, F = 1.6\ncoord x, y, z\n"
                       "particle c mass 1 = (x, y, z) in world\n"
                       "force z = p*cos(t)\nforce x = F*0.6\nforce y = F*0.8\n"
                       "constraint guide: z = 0 with friction mu\nrun 0 .. 6\n");
  const double at[] = {2, 6}, F = 1.6, mu = 0.4, p = 5, from = acos(F / (mu * p));
  walk_track* t = bench_run(&b, 1e-11, 2, at);
  CHECK(t->status == WALK_DONE);
  CHECK_NEAR(t->happening[0].t, from, 1e-8);
  for (int j = 0; j < 2; j++) {
    // of |cos t| from 0 on
    const double half = floor(at[j] / M_PI + 0.5), all = 2 * half + pow(-1, half) * sin(at[j]);
    const double v = F * (at[j] - from) - mu * p * (all - sin(from));
    CHECK_NEAR(bench_value(t, j, "x'"), 0.6 * v, 1e-7);
    CHECK_NEAR(bench_value(t, j, "y'"), 0.8 * v, 1e-7);
  }
  walk_track_free(t);
  bench_free(&b);
}

// On a cone of half angle a about the vertical a bead stays where it is as long as mu > tan a's
// complement says: steepness s = cot a against mu.
TEST(a_guide_holds_a_bead_within_its_cone)
{
  static const double mu[] = {0.749, 0.751};
  for (int i = 0; i < 2; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "coord x, y, z\nparticle b mass 1 = (x, y, z) in world\ngravity (0, 0, -9.81)\n"
             "constraint funnel: 0.75*sqrt(x^2 + y^2) - z = 0 with friction %g\n"
             "initial x = 3\ninitial y = 4\ninitial z ~ 3.75\nrun 0 .. 1\n",
             mu[i]);
    bench b = bench_text(text);
    const double at[] = {1};
    walk_track* t = bench_run(&b, 1e-10, 1, at);
    // it slides down the fall line with g (sin - mu cos)
    const double down = 9.81 * fmax(0, 0.6 - mu[i] * 0.8) / 2;
    CHECK_NEAR(bench_value(t, 0, "z"), 3.75 - 0.6 * down, 1e-8);
    CHECK_NEAR(bench_value(t, 0, "x"), 3 - 0.8 * down * 0.6, 1e-8);
    walk_track_free(t);
    bench_free(&b);
  }
}

// What falls on a slider on a rail gives it m v (1 + e), and friction takes mu/M times that of its
// speed, in each of the impacts; between them it brakes by mu g.
TEST(an_impact_on_a_slider_rubs_on_its_rail)
{
  bench b =
      bench_text("coord x, z, h\ngravity (0, 0, -10)\nparticle a mass 2 = (x, 0, z) in world\n"
                 "particle b mass 0.5 = (5, 0, h) in world\n"
                 "constraint rail: pos(a).z = 0 with friction 0.2\n"
                 "constraint gap: h - z >= 0 with restitution 0.5\n"
                 "initial x' = 1\ninitial h = 0.2\nrun 0 .. 0.45\n");
  const double at[] = {0.199, 0.201, 0.45};
  walk_track* t = bench_run(&b, 1e-11, 3, at);
  CHECK(t->status == WALK_DONE);
  CHECK_NEAR(bench_value(t, 0, "x'"), 1 - 2 * 0.199, 1e-10);
  CHECK_NEAR(bench_value(t, 1, "x'"), 1 - 2 * 0.201 - 0.2 * 1.5 / 2, 1e-10);
  // the second one, of half the speed, and the brake have stopped it: 0.05 s before it the speed is
  // less than 0.1, and 0.075 is taken
  CHECK_NEAR(bench_value(t, 2, "x'"), 0, 1e-10);
  // told with what strikes it
  for (int k = 0; k < t->happenings; k++) CHECK(!strstr(t->happening[k].name, "rail"));
  walk_track_free(t);
  bench_free(&b);
}
