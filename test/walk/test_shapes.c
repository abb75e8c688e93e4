// Contacts between shapes, against closed forms.
#include "bench.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

enum { most_values = 8 };

// columns of the last row, event by event (h = 0) or by steps of time
static void at_end(const char* text, double h, double until, int count, const char* const* column,
                   double* out)
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
  if (!t || t->status > WALK_STOPPED)
    check_fail(__FILE__, __LINE__, "no run: %s", t ? t->reason : bench_first_error(&b));
  for (int i = 0; i < count; i++) out[i] = t ? bench_value(t, t->table.rows - 1, column[i]) : NAN;
  walk_track_free(t);
  bench_free(&b);
}

TEST(two_rough_balls_collide)
{
  // J = m/2 (1 + e) u_n; the slip of 0.5 across ends in the impact: T = 0.5/(2/m (1 + 5/2))
  static const char text[] =
      "param r = 0.1, m = 1\nball a mass m radius r\nball b mass m radius r\n"
      "contact c: a as sphere(r), b as sphere(r) with restitution 0.8 with friction 0.3\n"
      "initial pos(a) = (0, 0, 0)\ninitial pos(b) = (0.5, 0.05, 0)\ninitial vel(a) = (2, 0, 0)\n"
      "initial vel(b) = (0, 0, 0)\ninitial omega(a) = (0, 0, 0)\ninitial omega(b) = (0, 0, 0)\n"
      "output u = vel(a)\noutput w = omega(a)\noutput G = gap(c)\nrun 0 .. 0.2\n";
  static const char* const columns[] = {"u.x", "u.y", "u.z", "w.z", "G"};
  const double nx = sqrt(0.9375), J = 0.9 * 2 * nx, T = 0.5 / 7;
  const double t = 0.2 - (0.5 - 0.2 * nx) / 2;
  double got[5];
  at_end(text, 0, 0.2, 5, columns, got);
  CHECK_NEAR(got[0], 2 - J * nx - T * 0.25, 1e-12);
  CHECK_NEAR(got[1], -J * 0.25 + T * nx, 1e-12);
  CHECK_NEAR(got[2], 0, 1e-12);
  CHECK_NEAR(got[3], 1.7857142857142857, 1e-12);
  // they part along the line of centres with 0.8 of their speed of approach, and turn about it
  const double away = 0.8 * 2 * nx * t, across = 2 * (0.25 - T) * t;
  CHECK_NEAR(got[4], hypot(0.2 + away, across) - 0.2, 1e-11);
}

TEST(a_ball_bounces_on_a_plane)
{
  static const char text[] =
      "param r = 0.1, g = 9.81\ngravity (0, 0, -g)\nball a mass 2 radius r\n"
      "contact c: a as sphere(r), world as plane with restitution 0.8 with friction 0.3\n"
      "initial pos(a) = (0, 0, 1.1)\ninitial vel(a) = (1, 0, 0)\ninitial omega(a) = (0, 0, 0)\n"
      "output p = pos(a)\noutput v = vel(a)\noutput w = omega(a)\nrun 0 .. 1\n";
  static const char* const columns[] = {"p.z", "v.x", "w.y"};
  const double fall = sqrt(2 / 9.81), rest = 1 - fall, up = 0.8 * 9.81 * fall;
  double got[3];
  at_end(text, 0, 1, 3, columns, got);
  CHECK_NEAR(got[0], 0.1 + up * rest - 9.81 / 2 * rest * rest, 1e-11);
  // it grips: v = 5/7, w = v/r
  CHECK_NEAR(got[1], 5.0 / 7, 1e-11);
  CHECK_NEAR(got[2], 50.0 / 7, 1e-10);
  at_end(text, 1e-4, 1, 3, columns, got);
  CHECK_NEAR(got[0], 0.1 + up * rest - 9.81 / 2 * rest * rest, 1e-3);
  CHECK_NEAR(got[1], 5.0 / 7, 1e-9);
}

TEST(the_last_ball_of_a_cradle_takes_all)
{
  static const char text[] =
      "param N = 5, r = 0.5\nfor i in 1..N {\ncoord x[i]\nparticle b[i] mass 1 = (x[i], 0, 0) in "
      "world\ninitial x[i] = i + if(i > 1, 1, 0)\ninitial x[i]' = if(i > 1, 0, 3)\n}\n"
      "contacts row: among b[*] as sphere(r) with restitution 1 sequential\nrun 0 .. 1\n";
  static const char* const columns[] = {"x[1]'", "x[2]'", "x[3]'", "x[4]'", "x[5]'"};
  double got[5];
  at_end(text, 0, 1, 5, columns, got);
  for (int i = 0; i < 5; i++) CHECK_NEAR(got[i], i == 4 ? 3 : 0, 1e-12);
}

// the same cradle of parts: the balls are what their instances own
TEST(a_pattern_names_what_instances_of_a_part_own)
{
  static const char text[] =
      "part swing(x0 = 0, v0 = 0) {\ncoord x\nparticle ball mass 1 = (x, 0, 0) in world\n"
      "particle other mass 1 = (x, 5, 0) in world\ninitial x = x0\ninitial x' = v0\n}\n"
      "for i in 1..3 { put swing(x0 = i + if(i > 1, 1, 0), v0 = if(i > 1, 0, 3)) on world as s[i] "
      "}\n"
      "contacts row: among s[*].ball as sphere(0.5) with restitution 1 sequential\nrun 0 .. 1\n";
  static const char* const columns[] = {"s[1].x'", "s[2].x'", "s[3].x'", "s[3].x"};
  double got[4];
  at_end(text, 0, 1, 4, columns, got);
  for (int i = 0; i < 3; i++) CHECK_NEAR(got[i], i == 2 ? 3 : 0, 1e-12);
}

#define PLANAR_BOX                                                                        \
  "param m = 2, w = 1, h = 0.5, g = 9.81, I = m*(w^2 + h^2)/12\ncoord x, y, a\n"          \
  "frame F = world at (x, y, 0) rotated z(a)\nbody b mass m inertia (I, I, I) at (0, 0, " \
  "0) in F\ngravity (0, -g, 0)\n"

TEST(a_box_falls_on_its_edge)
{
  // the corner at d beside the centre is struck by J = (1 + e) v/(1/m + d^2/I)
  static const char text[] =
      PLANAR_BOX "contact c: b as box(w, h), world as segment with restitution 0.5\n"
                 "initial y = 1\ninitial a = 0.3\nrun 0 .. 0.4\n";
  static const char* const columns[] = {"a'", "x'", "y'"};
  const double I = 2 * 1.25 / 12, d = -0.5 * cos(0.3) + 0.25 * sin(0.3);
  const double low = 0.5 * sin(0.3) + 0.25 * cos(0.3), v = sqrt(2 * 9.81 * (1 - low));
  // the lowest corner is (-w/2, -h/2) turned by a: its arm along x
  const double J = 1.5 * v / (0.5 + d * d / I);
  double got[3];
  at_end(text, 0, 0.4, 3, columns, got);
  CHECK_NEAR(got[0], d * J / I, 1e-10);
  CHECK_NEAR(got[1], 0, 1e-12);
  CHECK_NEAR(got[2], -v + J / 2 - 9.81 * (0.4 - v / 9.81), 1e-10);
}

TEST(a_box_on_an_incline_sticks_or_slips)
{
  static const char text[] =
      PLANAR_BOX "param al = %s\nframe slope = world rotated z(al)\n"
                 "contact c: b as box(w, h), slope as segment with friction 0.3\n"
                 "initial a = al\ninitial pos(b, slope).y = h/2\ninitial pos(b, slope).x = 0\n"
                 "output s = pos(b, slope).x\noutput N = reaction(c)\noutput F = friction(c)\n"
                 "output u = slip(c)\noutput S = state(c)\noutput G = gap(c)\nrun 0 .. 1\n";
  static const char* const columns[] = {"s", "N", "F", "u", "S", "G"};
  char steep[1024], gentle[1024];
  double got[6];
  snprintf(gentle, sizeof gentle, text, "0.2");
  snprintf(steep, sizeof steep, text, "0.4");
  at_end(gentle, 0, 1, 6, columns, got);
  CHECK_NEAR(got[0], 0, 1e-12);
  CHECK_NEAR(got[1], 2 * 9.81 * cos(0.2), 1e-10);
  CHECK_NEAR(got[2], 2 * 9.81 * sin(0.2), 1e-10);
  CHECK_NEAR(got[3], 0, 1e-12);
  CHECK(got[4] == 1);
  const double down = 9.81 * (sin(0.4) - 0.3 * cos(0.4));
  at_end(steep, 0, 1, 6, columns, got);
  CHECK_NEAR(got[0], -down / 2, 1e-10);
  CHECK_NEAR(got[2], 0.3 * 2 * 9.81 * cos(0.4), 1e-10);
  CHECK_NEAR(got[3], down, 1e-10);
  CHECK(got[4] == 2);
  CHECK_NEAR(got[5], 0, 1e-12);
  at_end(steep, 1e-3, 1, 6, columns, got);
  CHECK_NEAR(got[2], 0.3 * 2 * 9.81 * cos(0.4), 1e-8);
  CHECK(got[4] == 2);
  at_end(gentle, 1e-3, 1, 6, columns, got);
  CHECK_NEAR(got[2], 2 * 9.81 * sin(0.2), 1e-8);
  CHECK(got[4] == 1);
}

TEST(discs_rest_on_each_other)
{
  static const char text[] =
      "param r = 0.1, g = 9.81\ngravity (0, -g, 0)\nfor i in 1..3 {\ncoord x[i], y[i], a[i]\n"
      "frame F[i] = world at (x[i], y[i], 0) rotated z(a[i])\ndisc d[i] mass 1 radius r normal "
      "(0, 0, 1) at (0, 0, 0) in F[i]\ninitial x[i] = 0\ninitial y[i] = r*(2*i - 1)\n}\n"
      "contact floor: d[1] as circle(r), world as segment with friction 0.3\n"
      "contact one: d[1] as circle(r), d[2] as circle(r) with friction 0.3\n"
      "contact two: d[3] as circle(r), d[2] as circle(r) with friction 0.3\n"
      "output N0 = reaction(floor)\noutput N1 = reaction(one)\noutput N2 = reaction(two)\n"
      "output S = state(one)\nrun 0 .. 1\n";
  static const char* const columns[] = {"N0", "N1", "N2", "S"};
  double got[4];
  for (int k = 0; k < 2; k++) {
    at_end(text, k ? 1e-3 : 0, 1, 3, columns, got);
    for (int i = 0; i < 3; i++) CHECK_NEAR(got[i], 9.81 * (3 - i), 1e-9);
  }
}

// a circle that rolls on another, held: as if its centre were a pendulum of length R + r
TEST(a_particle_slides_off_a_round_shape)
{
  // cos(theta) = 2/3 where it leaves a smooth sphere of radius 1 from its top
  static const char text[] =
      "param g = 9.81\ncoord x, y\nparticle p mass 1 = (x, y, 0) in world\ngravity (0, -g, 0)\n"
      "contact c: p as circle(0.1), world as circle(0.9)\nevent off: reaction(c) = 0 falling stop\n"
      "initial x = 1e-4\ninitial y ~ 1\nrun 0 .. 10\n";
  static const char* const columns[] = {"y", "x'"};
  double got[2];
  at_end(text, 0, 10, 2, columns, got);
  CHECK_NEAR(got[0], 2.0 / 3, 1e-7);
}

// ---- looked for, in steps of time ---------------------------------------------------------------

TEST(a_stack_of_boxes_rests)
{
  static const char text[] =
      "param N = 5, w = 1, h = 0.5, m = 1, I = m*(w^2 + h^2)/12\ngravity (0, -9.81, 0)\n"
      "for i in 1..N {\ncoord x[i], y[i], a[i]\nframe F[i] = world at (x[i], y[i], 0) rotated "
      "z(a[i])\nbody b[i] mass m inertia (I, I, I) at (0, 0, 0) in F[i]\ninitial x[i] = "
      "0.05*sin(3*i)\ninitial y[i] = h*(i - 0.5) + 0.01*i\n}\n"
      "contacts c: among b[*] as box(w, h) and world as segment with friction 0.5\n"
      "output L = loss(c)\noutput E = energy()\nrun 0 .. 1\n";
  static const char* const columns[] = {"y[1]", "y[5]", "a[5]", "x[5]", "y[5]'", "L"};
  double got[6];
  at_end(text, 2e-3, 1, 6, columns, got);
  // all that they fell by, 0.01 (1 + ... + 5); places that were put back gave some of it
  CHECK_NEAR(got[5], 9.81 * 0.15, 5e-3 * 9.81);
  CHECK_NEAR(got[0], 0.25, 1e-8);
  CHECK_NEAR(got[1], 2.25, 1e-7);
  CHECK_NEAR(got[2], 0, 1e-9);
  CHECK_NEAR(got[3], 0.05 * sin(15), 1e-9);
  CHECK_NEAR(got[4], 0, 1e-9);
}

TEST(a_box_slides_on_a_tilted_box_in_space)
{
  // a long fixed box is the slope: s = g (sin - mu cos) t^2/2
  static const char text[] =
      "param al = %s, m = 2\ngravity (0, 0, -9.81)\nframe slope = world rotated y(al)\n"
      "body b mass m inertia (m/12*0.29, m/12*0.29, m/12*0.32)\n"
      "contact c: b as box(0.4, 0.4, 0.3), slope as box(40, 2, 0.2) with friction 0.3\n"
      "initial rotation(b) = y(al)\ninitial pos(b, slope) = (0, 0, 0.25)\n"
      "initial vel(b) = (0, 0, 0)\ninitial omega(b) = (0, 0, 0)\noutput s = pos(b, slope)\n"
      "output G = gap(c)\noutput N = reaction(c)\noutput F = friction(c)\noutput u = slip(c)\n"
      "output S = state(c)\noutput L = loss(c)\nrun 0 .. 1\n";
  static const char* const columns[] = {"s.x", "s.y", "s.z", "G", "N", "F", "u", "S", "L"};
  char steep[1024], gentle[1024];
  double got[9];
  snprintf(gentle, sizeof gentle, text, "0.2");
  snprintf(steep, sizeof steep, text, "0.4");
  at_end(gentle, 1e-3, 1, 9, columns, got);
  for (int k = 0; k < 3; k++) CHECK_NEAR(got[k], k == 2 ? 0.25 : 0, 1e-6);
  CHECK_NEAR(got[4], 2 * 9.81 * cos(0.2), 1e-6);
  CHECK_NEAR(got[5], 2 * 9.81 * sin(0.2), 1e-6);
  CHECK(got[7] == 1);
  CHECK_NEAR(got[8], 0, 1e-9);
  at_end(steep, 1e-3, 1, 9, columns, got);
  const double N = 2 * 9.81 * cos(0.4), a = 9.81 * (sin(0.4) - 0.3 * cos(0.4));
  CHECK_NEAR(got[3], 0, 1e-9);
  CHECK_NEAR(got[4], N, 1e-8);
  CHECK_NEAR(got[5], 0.3 * N, 1e-8);
  CHECK_NEAR(got[6], a, 1e-8);
  CHECK(got[7] == 2);
  CHECK_NEAR(got[8], 0.3 * N * a / 2, 1e-8);
  CHECK_NEAR(got[0], a / 2, 1e-5);
  CHECK_NEAR(got[1], 0, 1e-6);
  CHECK_NEAR(got[2], 0.25, 1e-6);
}

// the same balls by inequalities, event by event, and as near pairs that are looked for
TEST(pairs_looked_for_move_as_those_written)
{
  static const char text[] =
      "param r = 0.1\nframe under = world at (0, 0, -1)\ngravity (0, 0, -9.81)\nfor i in 1..3 "
      "{\nball b[i] mass i radius r\n"
      "initial pos(b[i]) = (0.02*i, 0.01*i^2, 0.3*i)\ninitial vel(b[i]) = (0.1*i, 0, 0)\n"
      "initial omega(b[i]) = (0, i, 0)\n}\n"
      "contacts c: among b[*] as %s and %s with friction 0.4 with restitution 0.5\n"
      "output p = pos(b[2])\noutput w = omega(b[3])\nrun 0 .. 0.5\n";
  static const char* const columns[] = {"p.x", "p.y", "p.z", "w.x", "w.y", "w.z"};
  char written[1024], boxed[1024], looked_for[1024];
  double a[6], b[6];
  snprintf(written, sizeof written, text, "sphere(r)", "world as plane");
  // against the top of a large box; pairs of boxes that move have no formula
  snprintf(boxed, sizeof boxed, text, "sphere(r)", "under as box(100, 100, 2)");
  snprintf(looked_for, sizeof looked_for, text, "sphere(r)",
           "under as box(100, 100, 2) and off as box(1, 1, 1)");
  strcat(looked_for, "box off mass 1 size (1, 1, 1)\ninitial pos(off) = (0, 0, 90)\n"
                     "initial vel(off) = (0, 0, 0)\ninitial omega(off) = (0, 0, 0)\n");
  at_end(written, 0, 0.5, 6, columns, a);
  at_end(boxed, 0, 0.5, 6, columns, b);
  for (int k = 0; k < 6; k++) CHECK_NEAR(b[k], a[k], 1e-8);
  at_end(looked_for, 1e-4, 0.5, 6, columns, b);
  for (int k = 0; k < 6; k++) CHECK_NEAR(b[k], a[k], k < 3 ? 5e-4 : 3e-2);
}

TEST(capsules_cylinders_and_hulls_come_to_lie)
{
  static const char text[] =
      "gravity (0, 0, -9.81)\nbody b mass 1 inertia (0.02, 0.02, 0.01)\n"
      "contacts c: among b as %s and world as plane with friction 0.4\n"
      "initial rotation(b) = x(%s)\ninitial pos(b) = (0, 0, 0.6)\noutput z = pos(b).z\n"
      "output v = norm(vel(b))\nrun 0 .. 3\n";
  static const char* const columns[] = {"z", "v"};
  static const struct
  {
    const char *shape, *turn;
    double height;
  } cases[] = {{"capsule(0.1, 0.4)", "1", 0.1},
               {"cylinder(0.1, 0.4)", "1.2", 0.1},
               {"cylinder(0.3, 0.1)", "0.3", 0.05},
               {"box(0.2, 0.3, 0.4)", "1.2", 0.15}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char one[1024];
    double got[2];
    snprintf(one, sizeof one, text, cases[i].shape, cases[i].turn);
    at_end(one, 1e-3, 3, 2, columns, got);
    CHECK_NEAR(got[0], cases[i].height, 1e-4);
    CHECK_NEAR(got[1], 0, 1e-2);
  }
}

// A block slides down a wedge, which slides back on the floor by A:
//   N = m (g cos - A sin),  A (M + m k sin) = m g cos k - nu M g,
//   k = sin - mu cos - nu (cos + mu sin),  down the slope a = g sin + A cos - mu N/m
TEST(a_block_slides_down_a_wedge_that_slides_back)
{
  static const char text[] =
      "param al = 0.6, m = 1, M = 2\ngravity (0, -9.81, 0)\ncoord X, Y, A, x, y, a\n"
      "frame W = world at (X, Y, 0) rotated z(A)\nframe F = world at (x, y, 0) rotated z(a)\n"
      "body wedge mass M inertia (0.1, 0.1, 0.4) at (2/3, 2/3*tan(al), 0) in W\n"
      "body b mass m inertia (0.004, 0.004, 0.004) at (0, 0, 0) in F\n"
      "contact floor: wedge as polygon %s, world as segment with friction 0.05\n"
      "contact slope: b as box(0.2, 0.1), wedge as polygon %s with friction %s\n"
      "initial a = -al\ninitial x = 0.5 + 0.05*sin(al)\ninitial y = 1.5*tan(al) + 0.05*cos(al)\n"
      "run 0 .. 0.5\n";
  static const char triangle[] = "(-2/3, -2/3*tan(al)) (4/3, -2/3*tan(al)) (-2/3, 4/3*tan(al))";
  static const char* const columns[] = {"X", "x", "y", "A", "Y"};
  const double g = 9.81, al = 0.6, mu = 0.2, nu = 0.05, s = sin(al), c = cos(al);
  const double k = s - mu * c - nu * (c + mu * s), A = (g * c * k - 2 * nu * g) / (2 + k * s);
  const double a = g * s + A * c - mu * (g * c - A * s), x = 0.5 + 0.05 * s,
               y = 1.5 * tan(al) + 0.05 * c;
  char one[1024];
  double got[5];
  snprintf(one, sizeof one, text, triangle, triangle, "0.2");
  at_end(one, 1e-3, 0.5, 5, columns, got);
  CHECK_NEAR(got[0], -A / 8, 1e-12);
  CHECK_NEAR(got[1], x + (a * c - A) / 8, 1e-12);
  CHECK_NEAR(got[2], y - a * s / 8, 1e-12);
  for (int i = 3; i < 5; i++) CHECK_NEAR(got[i], 0, 1e-12);
  // tan(0.6) = 0.684 is the friction that holds it
  snprintf(one, sizeof one, text, triangle, triangle, "0.69");
  at_end(one, 1e-3, 0.5, 5, columns, got);
  CHECK_NEAR(got[1], x, 1e-9);
  snprintf(one, sizeof one, text, triangle, triangle, "0.68");
  at_end(one, 1e-3, 0.5, 5, columns, got);
  CHECK(got[1] > x + 1e-3);
}

// Two cards lean on each other with round ends: about the lower one H (L cos + r) = m g L/2 sin,
// and the floor must hold H by m g
TEST(two_cards_stand_by_the_friction_they_need)
{
  static const char text[] =
      "param th = 0.3, L = 1, m = 1, r = 0.01\ngravity (0, 0, -9.81)\nfor i in 1..2 {\n"
      "coord x[i], z[i], a[i]\nframe F[i] = world at (x[i], 0, z[i]) rotated y(a[i])\n"
      "body b[i] mass m inertia (m/12, m/12, m/12) at (0, 0, 0) in F[i]\n"
      "initial a[i] = (3 - 2*i)*th\ninitial z[i] = L/2*cos(th) + r\n"
      "initial x[i] = (2*i - 3)*(L/2*sin(th) + r)\n}\n"
      "contacts c: among b[*] as capsule(r, L) and world as plane with friction %.6f\n"
      "run 0 .. 1\n";
  static const char* const columns[] = {"a[1]", "a[2]"};
  const double needed = sin(0.3) / (2 * (cos(0.3) + 0.01));
  char one[1024];
  double got[2];
  snprintf(one, sizeof one, text, 1.002 * needed);
  at_end(one, 1e-3, 1, 2, columns, got);
  CHECK_NEAR(got[0], 0.3, 1e-6);
  CHECK_NEAR(got[1], -0.3, 1e-6);
  snprintf(one, sizeof one, text, 0.998 * needed);
  at_end(one, 1e-3, 1, 2, columns, got);
  CHECK(got[0] > 0.31);
}

// A foot of four edges hops in a plane, or on a mast about which it could turn as well: then its
// corners behind each other are as high, but slip otherwise, and friction is in space. It begins to
// slip from rest, fastest at 0.147, and grips at 0.166: what begins to slip is not held by what
// would hold it at rest. How two corners share their load is not determined, so that the mast turns
// a little.
TEST(a_foot_slips_alike_in_the_plane_and_in_space)
{
  static const char* const leg =
      "box trunk size (0.3, 0.2, 0.2) mass 8\nrod thigh mass 2 from (0, 0, 0) to (0, 0, -0.4)\n"
      "rod shank mass 1.5 from (0, 0, 0) to (0, 0, -0.4)\nbox foot size (0.2, 0.1, 0.05) mass 0.5\n"
      "gravity (0, 0, -9.81)\njoint ride: %s trunk on world\n"
      "joint hip: hinge thigh axis y on trunk axis y\n"
      "joint knee: hinge shank axis y on thigh at (0, 0, -0.4) axis y\n"
      "joint ankle: hinge foot axis y on shank at (0, 0, -0.4) axis y\n"
      "contact ground: foot as box(0.2, 0.1, 0.05), world as plane with friction 0.3\n"
      "point back = (-0.15, 0, 0) in trunk\npoint calf = (-0.05, 0, -0.1) in shank\n"
      "point heel = (-0.1, 0, 0) in foot\n"
      "spring muscle: from back to calf stiffness 900 length 0.4 damping 10\n"
      "spring tendon: from calf to heel stiffness 600 length 0.3 damping 2\n"
      "initial ride.s = 0.8, hip.angle = 0.5, knee.angle = -0.9, ankle.angle = 0.4\n"
      "output s = slip(ground)\noutput N = reaction(ride)\nrun 0 .. 0.2\n";
  static const char* const ride[] = {"slider", "cylindrical"};
  static const double at[] = {0.14, 0.16, 0.2};
  double slip[2], angle[2], force[2];
  for (int i = 0; i < 2; i++) {
    char text[1600];
    snprintf(text, sizeof text, leg, ride[i]);
    bench b = bench_text(text);
    walk_track* t = bench_run(&b, 1e-10, 3, at);
    CHECK_INT(t ? (int)t->status : -1, WALK_DONE);
    for (int row = 0; t && row < t->table.rows; row++)
      if (bench_value(t, row, "t") == 0.16) slip[i] = bench_value(t, row, "s");
    angle[i] = bench_value(t, t ? t->table.rows - 1 : 0, "hip.angle");
    force[i] = bench_value(t, t ? t->table.rows - 1 : 0, "N.x");
    if (i) CHECK_NEAR(bench_value(t, t ? t->table.rows - 1 : 0, "ride.angle"), 0, 1e-5);
    walk_track_free(t);
    bench_free(&b);
  }
  CHECK_NEAR(slip[1], slip[0], 1e-5);
  CHECK_NEAR(angle[1], angle[0], 1e-5);
  CHECK_NEAR(force[1], force[0], 1e-2);
}

// More corners stick than the rest needs, and which of their rows span it changes with the place:
// on a lift with z = t^2 the box presses with m (g + 2), and stops after v^2/(2 mu (g + 2))
TEST(a_box_comes_to_rest_on_a_lift)
{
  static const char text[] =
      "gravity (0, 0, -9.81)\nbox b size (0.2, 0.2, 0.2) mass 1\nframe lift = world at (0, 0, "
      "t^2)\n"
      "contact c: b as box(0.2, 0.2, 0.2), lift as plane with friction 0.3\n"
      "initial pos(b) = (0, 0, 0.1)\ninitial vel(b) = (0.5, 0, 0)\ninitial omega(b) = (0, 0, 0)\n"
      "output p = pos(b)\noutput N = reaction(c)\noutput how = state(c)\nrun 0 .. 1\n";
  static const char* const columns[] = {"p.x", "p.y", "p.z", "N", "how"};
  const double want[] = {0.25 / (2 * 0.3 * 11.81), 0, 1.1, 11.81, 1};
  double got[5];
  at_end(text, 0, 1, 5, columns, got);
  for (int i = 0; i < 5; i++) CHECK_NEAR(got[i], want[i], 1e-11);
}

// Each side holds N + F = m g/sqrt(2) together: how much by friction is open, but no more than mu N
TEST(a_disc_rests_in_a_v_by_forces_that_friction_allows)
{
  static const char text[] =
      "param r = 0.1, mu = %g\ngravity (0, -9.81, 0)\ncoord x, y, a\n"
      "frame F = world at (x, y, 0) rotated z(a)\n"
      "disc d mass 1 radius r normal (0, 0, 1) at (0, 0, 0) in F\n"
      "frame L = world rotated z(-pi/4)\nframe R = world rotated z(pi/4)\n"
      "contact l: d as circle(r), L as segment with friction mu\n"
      "contact q: d as circle(r), R as segment with friction mu\ninitial y = r*sqrt(2)\n"
      "output nl = reaction(l)\noutput nq = reaction(q)\noutput fl = friction(l)\nrun 0 .. 0.1\n";
  static const char* const columns[] = {"nl", "nq", "fl", "y"};
  static const double mu[] = {0.1, 0.6};
  char one[1024];
  double got[4];
  for (int i = 0; i < 2; i++) {
    snprintf(one, sizeof one, text, mu[i]);
    at_end(one, 0, 0.1, 4, columns, got);
    CHECK(got[2] <= mu[i] * got[0] * (1 + 1e-9));
    CHECK_NEAR(got[0], got[1], 1e-9);
    CHECK_NEAR(got[0] + got[2], 9.81 / sqrt(2), 1e-9);
    CHECK_NEAR(got[3], 0.1 * sqrt(2), 1e-12);
  }
}

// A solid cylinder that rolls down a round one leaves it where cos = 4/7 of where it began from
// rest, and goes down a flat one with 2/3 of gravity along it.
TEST(a_cylinder_rolls_over_a_cylinder_and_a_box)
{
  static const char off[] =
      "param r = 0.1, R = 0.3, th = 0.1\ngravity (0, 0, -9.81)\n"
      "cylinder b radius r length 0.4 mass 1\nframe F = world rotated x(pi/2)\n"
      "contact c: b as cylinder(r, 0.4), F as cylinder(R, 1) with friction 2000\n"
      "initial pos(b) = ((r + R)*sin(th), 0, (r + R)*cos(th))\ninitial rotation(b) = x(pi/2)\n"
      "initial vel(b) = (0, 0, 0)\ninitial omega(b) = (0, 0, 0)\noutput v = vel(b)\noutput w = "
      "omega(b)\n"
      "output p = pos(b)\noutput G = gap(c)\nrun 0 .. 0.9\n";
  static const char on[] =
      "param r = 0.1, al = 0.2\ngravity (9.81*sin(al), 0, -9.81*cos(al))\n"
      "cylinder b radius r length 0.4 mass 1\n"
      "contact c: b as cylinder(r, 0.4), world as box(4, 1, 1) with friction 0.5\n"
      "initial pos(b) = (0, 0, 0.5 + r)\ninitial rotation(b) = x(pi/2)\ninitial vel(b) = (0, 0, "
      "0)\n"
      "initial omega(b) = (0, 0, 0)\noutput p = pos(b)\noutput N = reaction(c)\nrun 0 .. 1\n";
  static const char* const leaves[] = {"w.y", "p.y", "G"};
  static const char* const goes[] = {"p.x", "p.z", "N"};
  double got[3];
  // in flight it turns as fast as where it left: r w = v, v^2 = g (r + R) cos
  at_end(off, 2.5e-4, 0.9, 3, leaves, got);
  CHECK_NEAR(got[0], sqrt(9.81 * 0.4 * 4 * cos(0.1) / 7) / 0.1, 5e-3);
  CHECK_NEAR(got[1], 0, 1e-9);
  CHECK(got[2] > 0.01);
  at_end(on, 5e-4, 1, 3, goes, got);
  CHECK_NEAR(got[0], 9.81 * sin(0.2) / 3, 1e-5);
  CHECK_NEAR(got[1], 0.6, 1e-9);
  CHECK_NEAR(got[2], 9.81 * cos(0.2), 1e-6);
}
