// A control through a spring beside all that it does not reach: what is hidden behind its
// constraint, and its motion, are those of the servo alone.
#include "bench.h"

#include "check.h"

#include <stdio.h>

static const char servo[] = "coord v1, v2\nkinetic v1'^2 + v2'^2/2\npotential 25*(v1 - v2)^2\n"
                            "constraint vp: v2 = 1 + 0.01*t^3 by v1\ninitial v2 = 1\n";

// v2 = 1 + t^3/100 and v2'' = 50 (v1 - v2): v1 = v2 + 6 t/5000, and the control by its own equation
static void check_beside(const char* other)
{
  char text[2000];
  snprintf(text, sizeof text, "%s%s", other, servo);
  bench b = bench_text(text);
  walk_track* t = bench_run(&b, 1e-12, 0, NULL);
  int index = 0;
  for (int k = 0; b.system && k < b.system->written; k++)
    if (b.system->role[k].index) index = b.system->role[k].index;
  CHECK_INT(index, 5);
  CHECK(t && t->status == WALK_DONE);
  if (t) {
    const int last = t->table.rows - 1;
    CHECK_NEAR(bench_value(t, last, "v2"), 1.01, 1e-13);
    CHECK_NEAR(bench_value(t, last, "v1"), 1.0112, 1e-12);
    CHECK_NEAR(bench_value(t, last, "v1'"), 0.0312, 1e-11);
    // 2 v1'' = -50 (v1 - v2) + u
    CHECK_NEAR(bench_value(t, last, "control.vp"), 0.12 + 0.06, 1e-10);
  }
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_servo_beside_a_rolling_ball)
{
  check_beside("ball s mass 1 radius 0.1\nroll s as sphere(0.1) on world as plane at c\n"
               "force (0.3, 0.1*t, -9.81) in world at s\ninitial vel(s).x = 1\n"
               "initial vel(s).y = 0\ninitial omega(s).z = 1\nrun 0 .. 1\n");
}

TEST(a_servo_beside_a_body_turned_by_a_quaternion)
{
  check_beside("body r mass 1 inertia (1, 2, 3)\ninitial omega(r) = (0.1, 2, 0.3)\n"
               "initial rotation(r) = z(0.2)\nrun 0 .. 1\n");
}

TEST(a_servo_beside_a_constraint_nonlinear_in_the_velocities)
{
  check_beside("coord r, f\nkinetic (r'^2 + r^2*f'^2)/2\npotential -1/r\n"
               "constraint speed: (r'^2 + r^2*f'^2)/2 = 1/2\ninitial r = 3\ninitial f = 0.3\n"
               "initial r' = cos(2.2)\ninitial f' ~ sin(2.2)/3\nrun 0 .. 1\n");
}

TEST(a_servo_beside_a_constraint_that_a_stage_releases)
{
  check_beside("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint tie: x' = y'\nforce x = 1\n"
               "stage a { release tie; until t >= 0.4 }\nstage b { impose tie; until t >= 1 }\n");
}

TEST(two_servos_that_nothing_couples_are_each_as_if_alone)
{
  check_beside("coord p, w\nkinetic p'^2*(2 + sin(w))/2 + w'^2/2\npotential 20*(p - w)^2\n"
               "constraint wp: w = 0.3*t^2 by p\nrun 0 .. 1\n");
}

// What is hidden behind `c` holds `y`, but was found without the rail: it is as true while the rail
// is off. x2'' = 50 (x1 - x2) - y = 0 with y = 0.3 t.
TEST(what_is_hidden_needs_no_constraint_that_joins_later)
{
  bench b = bench_text("coord x1, x2, y\nkinetic (x1'^2 + x2'^2 + y'^2)/2\n"
                       "potential 25*(x1 - x2)^2 + x2*y\nconstraint c: x2 = 0 by x1\n"
                       "constraint rail: y = 0.3*t\ninitial y = 0\ninitial y' = 0.3\n"
                       "stage a { release rail; until t >= 1 }\n"
                       "stage b { impose rail; until t >= 2 }\n");
  walk_track* t = bench_run(&b, 1e-12, 0, NULL);
  CHECK(t && t->status == WALK_DONE);
  if (t) CHECK_NEAR(bench_value(t, t->table.rows - 1, "x1"), 0.012, 1e-13);
  walk_track_free(t);
  bench_free(&b);
}

// Dry friction between the control and what it leads, as long as that moves to one side:
// x'' = 50 (u - x) - 0.6 for x = 0.4 sin t, so u = x + (0.6 - 0.4 sin t)/50, and 2 u'' = -50 (u -
// x) + control. In coordinates of their own velocities cancel in what is hidden, but not in the
// step.
TEST(a_servo_leads_against_dry_friction)
{
  static const char* const chart[] = {
      "coord u, x\n",
      "coord p, r\nlet u = 1.5*p + 0.2*sin(p)\nlet x = 1.6*r + 0.3*sin(r) - 0.6*sin(p)\n"};
  static const char* const friction[] = {"-0.6*sign(x')", "if(x' > 0, -0.6, 0.6)"};
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) {
      char text[500];
      snprintf(text, sizeof text,
               "%sparticle A mass 2 = (u, 0, 0) in world\nparticle B mass 1 = (x, 0, 0) in world\n"
               "potential 25*(u - x)^2\nquasi lead = u'\nconstraint path: x = 0.4*sin(t) by lead\n"
               "force (%s, 0, 0) in world at B\noutput at = u\noutput pull = control(path)\n"
               "run 0 .. 1.5\n",
               chart[i], friction[k]);
      bench b = bench_text(text);
      walk_track* t = bench_run(&b, 1e-12, 0, NULL);
      CHECK(t && t->status == WALK_DONE);
      if (t) {
        const int last = t->table.rows - 1;
        const double x = 0.4 * sin(1.5), apart = (0.6 - x) / 50, faster = -x + x / 50;
        CHECK_NEAR(bench_value(t, last, "at"), x + apart, 1e-12);
        CHECK_NEAR(bench_value(t, last, "pull"), 2 * faster + 50 * apart, 1e-9);
      }
      walk_track_free(t);
      bench_free(&b);
    }
}
