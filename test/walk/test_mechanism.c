// Kinematics alone: places, velocities and accelerations against closed forms; dead positions.
#include "walk/bench.h"

#include "check.h"

#include <math.h>
#include <string.h>

static const char press[] =
    "param r = 0.1 [m], l = 0.3 [m]\nrod crank from (0, 0, 0) to (r, 0, 0)\n"
    "rod link from (0, 0, 0) to (l, 0, 0)\nball slide radius 0.02\njoint A: hinge crank on world\n"
    "joint B: hinge link on crank at (r, 0, 0)\njoint S: slider slide axis x on world axis x\n"
    "joint C: hinge link at (l, 0, 0) on slide\ninitial S.s ~ 0.35\ninitial A.angle ~ 0.5\n"
    "initial B.angle ~ -0.7\nrun 0 .. 2\n";

// s = r cos u + sqrt(l^2 - r^2 sin^2 u), u = w t
static void slide(double u, double w, double out[3])
{
  const double r = 0.1, l = 0.3, d = sqrt(l * l - r * r * sin(u) * sin(u));
  const double d1 = -r * r * sin(u) * cos(u) / d, d2 = -(r * r * cos(2 * u) + d1 * d1) / d;
  out[0] = r * cos(u) + d;
  out[1] = w * (d1 - r * sin(u));
  out[2] = w * w * (d2 - r * cos(u));
}

TEST(a_slider_follows_its_crank)
{
  const char* const drive[] = {"A.angle=0.2..6.2"};
  const double at[] = {0, 0.3, 0.9, 1.4, 2};
  bench b = bench_mechanism(press, 1, drive);
  walk_track* t = bench_run(&b, 1e-12, 5, at);
  for (int i = 0; t && i < 5; i++) {
    double want[3];
    slide(0.2 + 3 * at[i], 3, want);
    CHECK_NEAR(bench_value(t, i, "S.s"), want[0], 1e-13);
    CHECK_NEAR(bench_value(t, i, "S.s'"), want[1], 1e-12);
    CHECK_NEAR(bench_value(t, i, "S.s''"), want[2], 1e-11);
  }
  // no forces are told of what has no masses
  if (t) CHECK(isnan(bench_value(t, 0, "reaction.C.x")));
  if (t) CHECK_INT(t->happenings, 1);
  if (t && t->happenings == 1) {
    CHECK(strcmp(walk_happening_name(t, &t->happening[0]), "dead position of S.s") == 0);
    CHECK_NEAR(t->happening[0].t, (M_PI - 0.2) / 3, 1e-12);
  }
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_drive_that_is_a_function_of_time)
{
  const char* const drive[] = {"A.angle=1 + 0.5*sin(3*t)"};
  const double at[] = {0, 0.7};
  bench b = bench_mechanism(press, 1, drive);
  walk_track* t = bench_run(&b, 1e-12, 2, at);
  if (t) {
    double want[3];
    const double u = 1 + 0.5 * sin(2.1), w = 1.5 * cos(2.1), a = -4.5 * sin(2.1);
    slide(u, 1, want);
    CHECK_NEAR(bench_value(t, 1, "S.s"), want[0], 1e-13);
    CHECK_NEAR(bench_value(t, 1, "S.s'"), want[1] * w, 1e-12);
    CHECK_NEAR(bench_value(t, 1, "S.s''"), want[2] * w * w + want[1] * a, 1e-11);
  }
  walk_track_free(t);
  bench_free(&b);
}

// pushed outwards, the crank and the link are in line at s = 0.4
TEST(a_drive_ends_at_its_dead_position)
{
  const char* const drive[] = {"S.s=0.3..0.5"};
  const double at[] = {0, 1.9};
  bench b = bench_mechanism(press, 1, drive);
  walk_track* t = bench_run(&b, 1e-10, 2, at);
  if (t) {
    CHECK_INT(t->status, WALK_UNFINISHED);
    CHECK(strstr(t->reason, "dead position") != NULL);
    CHECK_NEAR(t->t_reached, 1, 1e-6);
  }
  walk_track_free(t);
  bench_free(&b);
}

TEST(masses_and_forces_count_for_nothing)
{
  const char* const drive[] = {"x=0..1"};
  const double at[] = {1};
  bench b = bench_mechanism("coord x [m]\ncoord y [m]\nparticle P = (x, y, 0)\n"
                            "gravity (0, -9.81, 0)\nforce x = 7\nconstraint y = 1*x^2\n"
                            "output E = energy()\noutput v = vel(P).y\nrun 0 .. 2\n",
                            1, drive);
  walk_track* t = bench_run(&b, 1e-12, 1, at);
  if (t) {
    CHECK_NEAR(bench_value(t, 0, "y"), 0.25, 1e-14);
    CHECK_NEAR(bench_value(t, 0, "v"), 0.5, 1e-14);
    CHECK_NEAR(bench_value(t, 0, "y''"), 0.5, 1e-13);
    CHECK(isnan(bench_value(t, 0, "E")));
  }
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_stop_is_told_and_does_not_hold)
{
  const char* const drive[] = {"x=0..1"};
  const double at[] = {2};
  bench b = bench_mechanism("coord x [m]\nconstraint wall: x <= 0.3\nrun 0 .. 2\n", 1, drive);
  walk_track* t = bench_run(&b, 1e-12, 1, at);
  if (t) {
    CHECK_NEAR(bench_value(t, t->table.rows - 1, "x"), 1, 1e-14);
    CHECK_INT(t->happenings, 1);
  }
  if (t && t->happenings == 1) CHECK_NEAR(t->happening[0].t, 0.6, 1e-12);
  walk_track_free(t);
  bench_free(&b);
}

TEST(freedoms_that_nothing_drives_are_named)
{
  bench b = bench_mechanism(press, 0, NULL);
  walk_options o = walk_options_default();
  CHECK(b.system && walk_run(b.system, &o, b.notes) == NULL);
  CHECK(strstr(bench_first_error(&b), "`A.angle`, `B.angle`, `S.s` can move") != NULL);
  bench_free(&b);
}
