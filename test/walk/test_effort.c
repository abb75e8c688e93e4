// Runs that take no more steps than they need: where slopes are noise, and where variables change.
#include "bench.h"

#include "check.h"

#include <stdio.h>

// A chain of eight in absolute angles, let go from the horizontal: at first only the topmost
// accelerates, and the accelerations of the others are differences of large terms, rounding alone.
static bench chain_from_rest(void)
{
  char text[2000];
  int at = snprintf(text, sizeof text, "coord q1");
  for (int i = 2; i <= 8; i++) at += snprintf(text + at, sizeof text - (size_t)at, ", q%d", i);
  at += snprintf(text + at, sizeof text - (size_t)at, "\nlet x0 = 0\nlet y0 = 0\n");
  for (int i = 1; i <= 8; i++)
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "let x%d = x%d + sin(q%d)\nlet y%d = y%d - cos(q%d)\n"
                   "particle P%d mass 1 = (x%d, y%d, 0) in world\ninitial q%d = 1.57\n",
                   i, i - 1, i, i, i - 1, i, i, i, i, i);
  snprintf(text + at, sizeof text - (size_t)at, "gravity (0, -9.81, 0)\nrun 0 .. 5\n");
  return bench_text(text);
}

TEST(accelerations_that_are_rounding_do_not_shorten_steps)
{
  static const char* method[] = {"gauss16", "taylor", "dop853"};
  static const double tolerance[] = {1e-13, 1e-14, 2e-15, 1e-15};
  bench b = chain_from_rest();
  const double at[2] = {1, 5};
  walk_track* want = bench_run_by(&b, "taylor", 1e-13, 2, at);
  for (int m = 0; m < 3; m++)
    for (int k = 0; k < 4; k++) {
      walk_options o = walk_options_default();
      o.method = method[m];
      o.tolerance = tolerance[k];
      o.at_count = 2;
      o.at = at;
      walk_track* t = walk_run(b.system, &o, b.notes);
      CHECK(t && t->status == WALK_DONE && t->counts.steps < 3000 && t->counts.rejected < 300);
      CHECK(t && fabs(t->energy_balance) < 1e-13 * t->energy_scale);
      for (int i = 1; t && i <= 8; i++)
        CHECK_NEAR(t->table.value[i], want->table.value[i], 1e-11 * fabs(want->table.value[i]));
      walk_track_free(t);
    }
  walk_track_free(want);
  bench_free(&b);
}

// Three rods whose end runs along a line: the constraint comes near a singular position, where a
// new choice of quasi-velocities would cost a multistep method its history.
TEST(multistep_methods_keep_their_history_near_singular_positions)
{
  const char* text =
      "param g = 9.81\ngravity (0, -g, 0)\ncoord r0, r1, r2\n"
      "frame B0 = world rotated z(r0)\nframe B1 = B0 at (1.096, 0, 0) rotated z(r1)\n"
      "frame B2 = B1 at (0.835, 0, 0) rotated z(r2)\n"
      "rod R0 mass 1.288 from (0, 0, 0) to (1.096, 0, 0) in B0\n"
      "rod R1 mass 0.624 from (0, 0, 0) to (0.835, 0, 0) in B1\n"
      "rod R2 mass 1.11 from (0, 0, 0) to (0.883, 0, 0) in B2\npoint E = (0.883, 0, 0) in B2\n"
      "force r0 = -0.038*r0' - 0.758*r0\nforce r1 = -0.046*r1' - 3.798*r1\n"
      "force r2 = -0.061*r2' - 1.336*r2\ninitial r0 = -2.319\ninitial r0' = -1.709\n"
      "initial r1 = -0.927\ninitial r1' = 1.619\ninitial r2 ~ -0.455\ninitial r2' ~ 1.874\n"
      "constraint on: pos(E).y = 0.3*pos(E).x - 0.2\nrun 0 .. 1.5\n";
  static const char* method[] = {"adams", "bdf", "ida"};
  bench b = bench_text(text);
  const double end = 1.5;
  walk_track* want = bench_run_by(&b, "dop853", 1e-12, 1, &end);
  for (int m = 0; m < 3; m++) {
    walk_track* t = bench_run_by(&b, method[m], 1e-10, 1, &end);
    CHECK(t && t->status == WALK_DONE && t->counts.steps < 20000);
    CHECK(t && fabs(t->energy_balance) < 1e-9 * t->energy_scale);
    CHECK(bench_apart(want, t) < 1e-7);
    walk_track_free(t);
  }
  walk_track_free(want);
  bench_free(&b);
}

// power series end where the motion is a polynomial: however long it flies, nothing is cut off
TEST(a_free_flight_is_one_step)
{
  for (double until = 1; until < 2e6; until *= 100) {
    char text[200];
    snprintf(text, sizeof text,
             "coord x, z\nkinetic (x'^2 + z'^2)/2\npotential 9.81*z\ninitial x' = 3\n"
             "initial z' = 2\nrun 0 .. %.17g\n",
             until);
    bench b = bench_text(text);
    walk_track* t = bench_run_by(&b, "taylor", 1e-12, 1, &until);
    CHECK(t && t->status == WALK_DONE && t->counts.steps == 1);
    if (t) {
      const double z = 2 * until - 9.81 / 2 * until * until;
      CHECK_NEAR(bench_value(t, 0, "z"), z, 1e-12 * fabs(z));
      CHECK_NEAR(bench_value(t, 0, "x"), 3 * until, 1e-12 * until);
    }
    walk_track_free(t);
    bench_free(&b);
  }
}

// Impacts and projections leave rounding where there is no speed: it says nothing of how large the
// motion becomes, and what is allowed of its error is what it is from rest.
TEST(a_start_with_the_speed_of_a_rounding_is_as_exact_as_one_from_rest)
{
  static const char* const method[] = {"dop853", "taylor", "gauss16", "adams"};
  static const double speed[] = {0, 1e-17, -1e-14, 1e-30};
  for (int m = 0; m < 4; m++)
    for (int k = 0; k < 4; k++) {
      char text[200];
      snprintf(text, sizeof text,
               "coord x\nkinetic x'^2/2\npotential 2*x^2\ninitial x = 0.3\ninitial x' = %g\n"
               "run 0 .. 10\n",
               speed[k]);
      bench b = bench_text(text);
      walk_track* t = bench_run_by(&b, method[m], 1e-10, 1, &(double){10});
      CHECK(t && t->status == WALK_DONE);
      CHECK_NEAR(bench_value(t, 0, "x"), 0.3 * cos(20), 1e-10);
      walk_track_free(t);
      bench_free(&b);
    }
}
