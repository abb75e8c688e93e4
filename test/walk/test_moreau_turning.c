// Contacts of shapes by steps of time: friction against rolling and pivoting, and the reactions of
// what rests.
#include "bench.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// rows belong to where the motion without impulses ends, g h^2/2 below: of the radius, 1e-5
static const double near = 5e-6;

static walk_track* stepped(const bench* b, double h, int points)
{
  walk_options o = walk_options_default();
  o.method = "moreau";
  o.step = h;
  o.points = points;
  walk_track* t = b->system ? walk_run(b->system, &o, b->notes) : NULL;
  if (!t || t->status != WALK_DONE)
    check_fail(__FILE__, __LINE__, "no run: %s", t ? t->reason : bench_first_error(b));
  return t;
}

static double at_end(const walk_track* t, const char* column)
{
  return bench_value(t, t->table.rows - 1, column);
}

// ---- one ball -----------------------------------------------------------------------------------

static const char ball[] =
    "param r = 0.2, g = 9.81, k = 0.004, p = 0.003, a = %s\ngravity (0, 0, -g)\n"
    "frame F = world rotated y(a)\nball b mass 1.5 radius r\n"
    "contact c: b as sphere(r), F as plane with friction 0.4 %s\n"
    "initial pos(b, F) = (0, 0, r)\ninitial vel(b, F) = (%s, 0, 0)\n"
    "initial omega(b, F) = (0, %s, %s)\noutput w = omega(b, F)\noutput s = pos(b, F).x\n"
    "output v = vel(b, F).x\noutput N = reaction(c)\noutput L = loss(c)\nrun 0 .. %s\n";

static bench one_ball(const char* slope, const char* law, const char* v, const char* w,
                      const char* spin, const char* until)
{
  char text[1024];
  snprintf(text, sizeof text, ball, slope, law, v, w, spin, until);
  return bench_text(text);
}

// About the point of contact (7/5) m r^2 w' = -k N: it stops after v^2/2a with a = 5/7 k g/r, and
// all of its energy is lost there.
TEST(a_ball_that_rolls_is_stopped_by_rolling_friction)
{
  bench b = one_ball("0", "with rolling friction k", "0.3", "0.3/r", "0", "4");
  walk_track* t = stepped(&b, 1e-3, 5);
  const double a = 5.0 / 7 * 0.004 * 9.81 / 0.2, stop = 0.3 / a;
  if (t) {
    CHECK(stop > 2 && stop < 3);
    CHECK_NEAR(bench_value(t, 2, "v"), 0.3 - 2 * a, near);
    CHECK_NEAR(at_end(t, "s"), 0.3 * stop / 2, near);
    CHECK(fabs(at_end(t, "v")) < 1e-12);
    CHECK_NEAR(at_end(t, "L"), 0.7 * 1.5 * 0.09, 1e-8);
    CHECK_NEAR(at_end(t, "N"), 1.5 * 9.81, 1e-10);
  }
  walk_track_free(t);
  bench_free(&b);
}

// (2/5) m r^2 w' = -p N
TEST(a_ball_that_spins_is_stopped_by_pivoting_friction)
{
  bench b = one_ball("0", "with pivoting friction p", "0", "0", "2", "2");
  walk_track* t = stepped(&b, 1e-3, 5);
  const double fall = 0.003 * 9.81 / (0.4 * 0.04);
  if (t) {
    CHECK_NEAR(bench_value(t, 1, "w.z"), 2 - 0.5 * fall, near);
    CHECK(fabs(at_end(t, "w.z")) < 1e-12);
  }
  walk_track_free(t);
  bench_free(&b);
}

// on a slope: held while tan(a) <= k/r, else it rolls with 5/7 g (sin a - k/r cos a)
TEST(a_ball_on_a_slope_is_held_by_rolling_friction_up_to_its_bound)
{
  bench b = one_ball("0.019", "with rolling friction k", "0", "0", "0", "1");
  walk_track* t = stepped(&b, 1e-3, 3);
  if (t) CHECK(fabs(at_end(t, "s")) < 1e-9 && fabs(at_end(t, "v")) < 1e-12);
  walk_track_free(t);
  bench_free(&b);
  b = one_ball("0.03", "with rolling friction k", "0", "0", "0", "1");
  t = stepped(&b, 1e-3, 3);
  if (t) CHECK_NEAR(at_end(t, "v"), 5.0 / 7 * 9.81 * (sin(0.03) - 0.02 * cos(0.03)), near);
  walk_track_free(t);
  bench_free(&b);
}

// Event by event a contact of surfaces has the same law, slip, rolling and pivoting at once: steps
// come to it with their length.
TEST(steps_agree_with_a_contact_of_surfaces)
{
  static const char surfaces[] =
      "param r = 0.2, g = 9.81\ngravity (0, 0, -g)\nball b mass 1.5 radius r\n"
      "slide b as sphere(r) on world as plane at c with friction 0.1 with rolling friction 0.004 "
      "with pivoting friction 0.003\ninitial c.u = 0\ninitial c.v = 0\n"
      "initial vel(b) = (1, 0.2, 0)\ninitial omega(b) = (2, -3, 5)\n"
      "output x = pos(b).x\noutput y = pos(b).y\noutput w = omega(b)\nrun 0 .. 2\n";
  static const char shapes[] =
      "param r = 0.2, g = 9.81\ngravity (0, 0, -g)\nball b mass 1.5 radius r\n"
      "contact c: b as sphere(r), world as plane with friction 0.1 with rolling friction 0.004 "
      "with pivoting friction 0.003\ninitial pos(b) = (0, 0, r)\n"
      "initial vel(b) = (1, 0.2, 0)\ninitial omega(b) = (2, -3, 5)\n"
      "output x = pos(b).x\noutput y = pos(b).y\noutput w = omega(b)\nrun 0 .. 2\n";
  static const char* const column[] = {"x", "y", "w.x", "w.y", "w.z"};
  bench exact = bench_text(surfaces), b = bench_text(shapes);
  walk_options o = walk_options_default();
  o.points = 5;
  walk_track* e = exact.system ? walk_run(exact.system, &o, exact.notes) : NULL;
  CHECK(e && e->status == WALK_DONE);
  double off[2] = {0};
  for (int i = 0; e && i < 2; i++) {
    walk_track* t = stepped(&b, i ? 2.5e-4 : 1e-3, 5);
    for (int k = 0; t && k < 5; k++)
      off[i] = fmax(off[i], fabs(at_end(t, column[k]) - at_end(e, column[k])));
    walk_track_free(t);
  }
  CHECK(off[0] < 2e-3 && off[1] < 5e-4);
  walk_track_free(e);
  bench_free(&exact);
  bench_free(&b);
}

// in the plane, about the axis across it; (3/2) m r^2 w' = -k N of a disc
TEST(a_disc_in_the_plane_is_stopped_by_rolling_friction)
{
  bench b = bench_text(
      "param r = 0.2, g = 9.81\ngravity (0, -g, 0)\ncoord x, y, a\n"
      "frame F = world at (x, y, 0) rotated z(a)\n"
      "disc d mass 1 radius r normal (0, 0, 1) at (0, 0, 0) in F\n"
      "contact c: d as circle(r), world as segment with friction 0.4 with rolling friction 0.004\n"
      "initial y = r, x' = 0.3, a' = -0.3/r\nrun 0 .. 1\n");
  walk_track* t = stepped(&b, 1e-3, 3);
  if (t) CHECK_NEAR(at_end(t, "x'"), 0.3 - 2.0 / 3 * 0.004 * 9.81 / 0.2, near);
  walk_track_free(t);
  bench_free(&b);
}

// points do not turn: nothing is resisted, and nothing ends
TEST(points_know_no_rolling_friction)
{
  bench b = bench_text("param r = 0.1\ngravity (0, 0, -9.81)\ncoord x, z\n"
                       "particle p mass 1 = (x, 0, z) in world\n"
                       "contact c: p as sphere(r), world as plane with friction 0.1 with rolling "
                       "friction 0.01 with pivoting friction 0.01\n"
                       "initial z = r, x' = 1\nrun 0 .. 0.5\n");
  walk_track* t = stepped(&b, 1e-3, 3);
  if (t) CHECK_NEAR(at_end(t, "x'"), 1 - 0.1 * 9.81 * 0.5, 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

// ---- piles --------------------------------------------------------------------------------------

static const char poured[] =
    "param r = 0.1, g = 9.81\ngravity (0, 0, -g)\nfor i in 1..6 {\nball s[i] mass 1 radius r\n"
    "initial pos(s[i]) = (0.06*sin(2*i), 0.06*cos(3*i), 0.12 + 0.21*i)\n"
    "initial vel(s[i]) = (0.3*cos(i), 0, 0)\ninitial omega(s[i]) = (0, 0, i)\n}\n"
    "contacts c: among s[*] as sphere(r) and world as plane with friction 0.5 with restitution "
    "0.1 %s\noutput T = kinetic()\noutput N = reaction(c)\nrun 0 .. 4\n";

TEST(spheres_poured_with_rolling_friction_come_to_rest)
{
  static const char* const laws[] = {"with rolling friction 0.02 with pivoting friction 0.01", ""};
  for (int i = 0; i < 2; i++) {
    char text[1024];
    snprintf(text, sizeof text, poured, laws[i]);
    bench b = bench_text(text);
    walk_track* t = stepped(&b, 2e-3, 5);
    if (t && !i) {
      CHECK(at_end(t, "T") < 1e-20);
      CHECK_NEAR(at_end(t, "N"), 6 * 9.81, 1e-8);
    }
    // slip alone never stops them
    if (t && i) CHECK(at_end(t, "T") > 1e-3);
    walk_track_free(t);
    bench_free(&b);
  }
}

// Each contact has three discs, for slip, rolling and pivoting: one island of hundreds of rows.
TEST(layers_of_spheres_with_rolling_friction_obey_their_laws_and_come_to_rest)
{
  bench b = bench_text(
      "param w = 0.21875\ngravity (0, 0, -9.81)\n"
      "frame left = world at (-w, 0, 0) rotated y(pi/2)\n"
      "frame right = world at (w, 0, 0) rotated y(-pi/2)\n"
      "frame front = world at (0, -w, 0) rotated x(-pi/2)\n"
      "frame back = world at (0, w, 0) rotated x(pi/2)\n"
      "for k in 0..2 { for j in 0..2 { for i in 0..2 {\n"
      "body b[i + 3*j + 9*k] mass 1 inertia (0.001, 0.001, 0.001)\n"
      "initial pos(b[i + 3*j + 9*k]) = (0.125*i - 0.15625 + 0.0625*sin(pi*k/2)^2 + "
      "0.004*sin(7*i + 21*j + 63*k), 0.125*j - 0.15625 + 0.0625*sin(pi*k/2)^2 + "
      "0.004*cos(5*i + 15*j + 45*k), 0.125*k + 0.06)\n"
      "initial vel(b[i + 3*j + 9*k]) = (0, 0, 0)\n"
      "initial omega(b[i + 3*j + 9*k]) = (0, 0, 0)\n} } }\n"
      "contacts c: among b[*] as sphere(0.05) and world as plane and left as plane and right as "
      "plane and front as plane and back as plane with friction 0.4 with rolling friction 0.002 "
      "with pivoting friction 0.002\noutput E = energy()\nrun 0 .. 1.4\n");
  walk_track* t = stepped(&b, 4e-3, 351);
  if (t) {
    CHECK(t->laws.rows > 300 && t->laws.fault <= 1e-6);
    CHECK(t->laws.rest < 1.3);
    CHECK(t->laws.overlap <= 1e-6 * 0.1);
    for (int k = 1; k < t->table.rows; k++)
      CHECK(bench_value(t, k, "E") <= bench_value(t, k - 1, "E") * (1 + 1e-13));
    printf("# %ld rows, fault %.1e, at rest from %.3g s on\n", t->laws.rows, t->laws.fault,
           t->laws.rest);
  }
  walk_track_free(t);
  bench_free(&b);
}

// ---- what rests ---------------------------------------------------------------------------------

static void weigh(const char* text, double h, double weight)
{
  bench b = bench_text(text);
  walk_track* t = stepped(&b, h, 301);
  for (int k = 250; t && k < t->table.rows; k++)
    CHECK_NEAR(bench_value(t, k, "N"), weight, 1e-12 * weight);
  walk_track_free(t);
  bench_free(&b);
}

// What lies on another falls as it does without impulses: its gap, of rounding, is not closed and
// opened in turn, which would press more and less from step to step, by gap/h^2.
TEST(reactions_of_what_rests_are_its_weight_at_every_step)
{
  static const char stacked[] =
      "param r = 0.1, g = 9.81\ngravity (0, 0, -g)\nfor i in 1..2 {\nball b[i] mass 1 radius r\n"
      "initial pos(b[i]) = (0, 0, r*(2*i - 1) + 0.001*i)\ninitial vel(b[i]) = (0, 0, 0)\n"
      "initial omega(b[i]) = (0, 0, 0)\n}\n"
      "contacts c: among b[*] as sphere(r) and world as plane with friction 0.3 with restitution "
      "0.3\noutput N = reaction(c)\nrun 0 .. 0.3\n";
  static const char written[] =
      "param r = 0.1\ngravity (0, 0, -9.81)\ncoord x, z\nparticle p mass 1 = (0, 0, x) in world\n"
      "particle q mass 1 = (0, 0, z) in world\nconstraint low: x >= r with restitution 0.3\n"
      "constraint c: z - x >= 2*r with restitution 0.3\ninitial x = 0.102\ninitial z = 0.305\n"
      "output N = reaction(c)\nrun 0 .. 0.3\n";
  for (double h = 1e-3; h > 1e-5; h /= 5) {
    weigh(stacked, h, 3 * 9.81);
    weigh(written, h, 9.81);
  }
}
