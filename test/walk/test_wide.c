// Runs with twice the digits: closed forms, doubles, tighter tolerances, and what is refused.
#include "bench.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

static base_wide value(const walk_track* t, int row, const char* name)
{
  for (int i = 0; i < t->columns; i++) {
    const size_t at = (size_t)(row * t->table.width + i);
    if (strcmp(t->column[i], name) == 0) return (base_wide){t->table.value[at], t->table.low[at]};
  }
  return base_wide_of(NAN);
}

TEST(a_free_symmetric_body_keeps_its_attitude_for_a_thousand_seconds)
{
  static const char* const off[5] = {"off_w", "off_x", "off_y", "off_z", "off_norm"};
  bench b = bench_file("free_symmetric_body");
  const double at[] = {10, 100, 1000};
  walk_track* t = bench_run(&b, 1e-20, 3, at);
  CHECK_TEXT(t->method, "taylor, double-double");
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 5; k++) CHECK_NEAR(value(t, i, off[k]).hi, 0, k == 4 ? 3e-31 : 1e-20);
  CHECK_NEAR(t->residual[0].position, 0, 1e-30);
  walk_track_free(t);
  bench_free(&b);
}

// q'' = -4 q from q = 0.1, q' = 0.3: numbers of the model are decimals, not doubles
TEST(an_oscillator_has_thirty_digits_of_its_closed_form)
{
  bench b = bench_text("coord q\nparam k = 0.4, m = 0.1\nparticle P mass m = (q, 0, 0) in world\n"
                       "potential k*q^2/2\ninitial q = 0.1\ninitial q' = 0.3\n"
                       "output off = q - (0.1*cos(2*t) + 0.15*sin(2*t))\n"
                       "output off_v = q' - (-0.2*sin(2*t) + 0.3*cos(2*t))\nrun 0 .. 10\n");
  const double at[] = {0, 0.1, 1, 3.3, 10};
  walk_track* t = bench_run(&b, 1e-28, 5, at);
  for (int i = 0; i < 5; i++) {
    CHECK_NEAR(value(t, i, "off").hi, 0, 1e-28);
    CHECK_NEAR(value(t, i, "off_v").hi, 0, 1e-28);
  }
  // a row asked for at 0.1 is at a tenth
  CHECK(base_wide_equal(value(t, 1, "t"), base_wide_decimal(0.1)));
  CHECK(base_wide_equal(value(t, 0, "q"), base_wide_decimal(0.1)));
  walk_track_free(t);
  bench_free(&b);
}

// x' = x^2 + 1 held as a velocity constraint, forces with every function: tan is its solution
TEST(a_constraint_on_velocities_is_held_with_twice_the_digits)
{
  bench b = bench_text("coord x, y\nparticle P mass 1 = (x, y, 0) in world\n"
                       "constraint riccati: x' = x^2 + 1\ninitial x = 0\ninitial y = 0\n"
                       "initial y' = 1\noutput off = x - tan(t)\n"
                       "output off_r = reaction(riccati) - 2*x*x'\nrun 0 .. 1.2\n");
  const double at[] = {0.5, 1.2};
  walk_track* t = bench_run(&b, 1e-26, 2, at);
  for (int i = 0; i < 2; i++) {
    CHECK_NEAR(value(t, i, "off").hi, 0, 1e-25);
    CHECK_NEAR(value(t, i, "off_r").hi, 0, 1e-23);
  }
  CHECK_NEAR(t->residual[0].velocity, 0, 1e-29);
  walk_track_free(t);
  bench_free(&b);
}

static double furthest(const walk_track* a, const walk_track* b, bool low)
{
  double most = 0;
  for (int row = 0; row < a->table.rows; row++)
    for (int i = 1; i < 1 + 2 * a->model->coords; i++) {
      const size_t at = (size_t)(row * a->table.width + i);
      const base_wide x = {a->table.value[at], low ? a->table.low[at] : 0};
      const base_wide y = {b->table.value[at], low ? b->table.low[at] : 0};
      const double off = fabs(base_wide_sub(x, y).hi) / fmax(1, fabs(y.hi));
      if (!(off <= most)) most = off;
    }
  return most;
}

TEST(models_of_the_gallery_agree_with_doubles_and_with_tighter_runs)
{
  static const struct
  {
    const char* name;
    double until;
  } models[] = {{"double_pendulum", 1}, {"heavy_top", 1},
                {"pendulum", 2},        {"arenstorf", 5},
                {"pleiades", 1},        {"planar_fourbar", 1},
                {"rolling_disc", 1},    {"skater_benchmark", 2},
                {"wheelset", 0.5},      {"rolling_shaken_plane", 1},
                {"spatial_fourbar", 1}, {"point_gravity", 2}};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    bench b = bench_file(models[i].name);
    const double at[] = {0, models[i].until / 2, models[i].until};
    walk_track* plain = bench_run(&b, 1e-14, 3, at);
    walk_track* wide = bench_run(&b, 1e-20, 3, at);
    walk_track* tight = bench_run(&b, 1e-26, 3, at);
    const double from_plain = furthest(wide, plain, false),
                 from_tight = furthest(wide, tight, true);
    if (!(from_plain <= 2e-10 && from_tight <= 1e-18))
      check_fail(__FILE__, __LINE__, "%s: %.3g from doubles, %.3g from a tighter run",
                 models[i].name, from_plain, from_tight);
    walk_track_free(plain);
    walk_track_free(wide);
    walk_track_free(tight);
    bench_free(&b);
  }
}

static const char* refusal(const char* text, const char* method)
{
  static char kept[400];
  bench b = bench_text(text);
  walk_options o = walk_options_default();
  o.tolerance = 1e-20;
  o.method = method;
  o.until = 1;
  walk_track* t = walk_run(b.system, &o, b.notes);
  snprintf(kept, sizeof kept, "%s", t ? "" : bench_first_error(&b));
  walk_track_free(t);
  bench_free(&b);
  return kept;
}

TEST(what_has_no_run_with_twice_the_digits_is_refused)
{
  const char* falls = "coord z\nparticle P mass 1 = (0, 0, z) in world\ngravity (0, 0, -9.81)\n"
                      "initial z = 1\ninitial z' = 0\n";
  char text[600];
  snprintf(text, sizeof text, "%sevent hit: z = 0 falling { set z' = -z' }\n", falls);
  CHECK(strstr(refusal(text, NULL), "an event changes its state"));
  snprintf(text, sizeof text, "%sforce z = -abs(z')\n", falls);
  CHECK(strstr(refusal(text, NULL), "corners or jumps"));
  CHECK(strstr(refusal(falls, "dop853"), "no digits for a tolerance"));
  CHECK_TEXT(refusal(falls, "taylor"), "");
}
