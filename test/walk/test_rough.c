// Friction of contacts: sticking, slipping, what several contacts do together, sliding regimes.
#include "bench.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double end_of(const char* text, const char* column)
{
  bench b = bench_text(text);
  walk_track* t = bench_run(&b, 1e-11, 0, NULL);
  const double value = t ? bench_value(t, t->table.rows - 1, column) : NAN;
  if (t && t->status != WALK_DONE) check_fail(__FILE__, __LINE__, "ends with: %s", t->reason);
  walk_track_free(t);
  bench_free(&b);
  return value;
}

// how many happenings have this name
static int count_of(const char* text, const char* name)
{
  bench b = bench_text(text);
  walk_track* t = bench_run(&b, 1e-11, 0, NULL);
  int count = 0;
  for (int i = 0; t && i < t->happenings; i++)
    count += strcmp(walk_happening_name(t, &t->happening[i]), name) == 0;
  walk_track_free(t);
  bench_free(&b);
  return count;
}

static bool warns(const char* text, const char* part)
{
  bench b = bench_text(text);
  walk_track* t = bench_run(&b, 1e-9, 0, NULL);
  bool found = false;
  for (int i = 0; i < base_notes_count(b.notes); i++)
    found = found || strstr(base_notes_reason(b.notes, i), part);
  walk_track_free(t);
  bench_free(&b);
  return found;
}

// ---- in the plane -------------------------------------------------------------------------------

// Leaning at 1 rad against a wall, both ends with mu: at rest for mu = tan(1/2 (pi/2 - 1)) and more
#define LADDER(MU)                                                                         \
  "param mu = " MU "\ncoord x, y, th\nframe F = world at (x, y, 0) rotated z(th)\n"        \
  "rod R mass 1 from (-1, 0, 0) to (1, 0, 0) in F\npoint A = (-1, 0, 0) in F\n"            \
  "point B = (1, 0, 0) in F\ngravity (0, -9.81, 0)\n"                                      \
  "constraint floor: pos(A).y >= 0 with friction mu\n"                                     \
  "constraint wall: pos(B).x <= 0 with friction mu\ninitial th = 1\ninitial x = -cos(1)\n" \
  "initial y = sin(1)\nrun 0 .. 0.5\n"

TEST(a_ladder_rests_up_to_its_limit_and_not_beyond)
{
  CHECK_NEAR(end_of(LADDER("0.3"), "th"), 1, 1e-13);
  CHECK_NEAR(end_of(LADDER("0.294"), "th"), 1, 1e-13);
  CHECK(end_of(LADDER("0.292"), "th") < 1 - 1e-6);
}

// A climber of 7 weights of the ladder at the distance t from its foot. At the limit both ends have
// all their friction: N = P/(1 + mu^2) under the foot, R = mu N at the wall, and about the foot
// W cos + C t cos = 2 R (sin + mu cos), W the ladder, C the climber, P = W + C.
TEST(a_ladder_slips_where_its_climber_is_too_high)
{
  bench b = bench_text(
      "coord x, y, th\nframe F = world at (x, y, 0) rotated z(th)\n"
      "rod R mass 1 from (-1, 0, 0) to (1, 0, 0) in F\npoint A = (-1, 0, 0) in F\n"
      "point B = (1, 0, 0) in F\npoint C = (t - 1, 0, 0) in F\ngravity (0, -9.81, 0)\n"
      "force (0, -7*9.81, 0) in world at C\nconstraint floor: pos(A).y >= 0 with friction 0.3\n"
      "constraint wall: pos(B).x <= 0 with friction 0.3\ninitial th = 1\ninitial x = -cos(1)\n"
      "initial y = sin(1)\nrun 0 .. 1.1\n");
  walk_track* t = bench_run(&b, 1e-11, 0, NULL);
  const double W = 9.81, C = 7 * W, mu = 0.3, R = mu * (W + C) / (1 + mu * mu);
  const double when = (2 * R * (sin(1) + mu * cos(1)) - W * cos(1)) / (C * cos(1));
  CHECK(t && t->happenings == 2);
  for (int i = 0; t && i < t->happenings; i++) {
    CHECK_TEXT(walk_happening_name(t, &t->happening[i]),
               i ? "slipping of wall" : "slipping of floor");
    CHECK_NEAR(t->happening[i].t, when, 1e-11);
  }
  walk_track_free(t);
  bench_free(&b);
}

// b wide, h high, pushed at its top by F: slides before it tips where mu < b/(2 h), F > mu m g
#define BOX(H, MU, F)                                                                     \
  "param h = " H ", mu = " MU ", F = " F                                                  \
  "\ncoord x, y, th\nframe B = world at (x, y, 0) rotated z(th)\n"                        \
  "body box mass 1 inertia (1, 1, (1 + h^2)/12) at (0, h/2, 0) in B\n"                    \
  "point P = (-1/2, 0, 0) in B\npoint Q = (1/2, 0, 0) in B\npoint top = (0, h, 0) in B\n" \
  "gravity (0, -10, 0)\nforce (F, 0, 0) in world at top\n"                                \
  "constraint left: pos(P).y >= 0 with friction mu\n"                                     \
  "constraint right: pos(Q).y >= 0 with friction mu\nrun 0 .. 0.2\n"

TEST(a_box_that_is_pushed_rests_slides_or_tips)
{
  CHECK_NEAR(end_of(BOX("1", "0.3", "2.9"), "x"), 0, 1e-13);
  CHECK_NEAR(end_of(BOX("1", "0.3", "4"), "x'"), 0.2 * (4 - 3), 1e-11);
  CHECK_NEAR(end_of(BOX("1", "0.3", "4"), "th"), 0, 1e-13);
  CHECK(end_of(BOX("3", "0.5", "3"), "th") < -1e-3);
  CHECK(!warns(BOX("3", "0.5", "3"), "more than one motion"));
}

TEST(many_contacts_with_friction_close_at_once)
{
  // a row of blocks on one floor, each let fall a little, slides as each would alone
  char text[4000] = "gravity (0, -10, 0)\n";
  for (int i = 0; i < 16; i++) {
    char more[300];
    snprintf(more, sizeof more,
             "coord x%d, y%d\nparticle p%d mass %d = (x%d, y%d, 0) in world\n"
             "constraint c%d: pos(p%d).y >= 0 with friction 0.2\ninitial x%d' = 1\n",
             i, i, i, i + 1, i, i, i, i, i);
    strcat(text, more);
  }
  strcat(text, "run 0 .. 1\n");
  CHECK_NEAR(end_of(text, "x15"), 1.0 / (2 * 0.2 * 10), 1e-11);
  CHECK_NEAR(end_of(text, "x0"), 1.0 / (2 * 0.2 * 10), 1e-11);
}

TEST(a_disc_on_a_plane_slides_then_rolls)
{
  // thin disc: 1/2 m r^2 about its axis; v = 2/3 v0 at t = v0/(3 mu g)
  static const char text[] =
      "coord x, y, a\nframe F = world at (x, y, 0) rotated z(a)\n"
      "disc D mass 2 radius 0.1 normal (0, 0, 1) at (0, 0, 0) in F\ngravity (0, -10, 0)\n"
      "constraint floor: pos(D).y >= 0.1 with friction 0.2\ninitial y = 0.1\n"
      "initial x' = 3\nrun 0 .. 1\n";
  CHECK_NEAR(end_of(text, "x'"), 2, 1e-10);
  CHECK_NEAR(end_of(text, "a'"), -20, 1e-9);
  CHECK(count_of(text, "sticking of floor") == 1);
}

// A rod slides on the floor behind a cart, and its hinge rubs: what the floor and the hinge bear
// each is not determined. The hinge bears what it can. About the hinge, E the foot and G the
// centre:
//   N (x_E - mu y_E + m mu y_G/(M + m)) = m g x_G + k,   (M + m) X'' = mu N
TEST(a_hinge_that_rubs_bears_what_it_can_beside_a_floor_in_any_coordinates)
{
  static const char* const texts[] = {
      "param k = 0.37\n"
      "coord X, x, y, z\n"
      "point O = (X, 0, 0) in world\n"
      "kinetic 2.57/2*X'^2\n"
      "gravity (0, -9.81, 0)\n"
      "orientation Q\n"
      "frame F = world at (x, y, z) rotated by Q\n"
      "body B mass 0.83 inertia (0.02, 0.02, 0.02) at (0, 0, 0) in F\n"
      "point H = (-0.264, 0, 0) in F\n"
      "point E = (0.396, 0, 0) in F\n"
      "point Z = (0, 0, 1) in F\n"
      "constraint joint: pos(H) = pos(O)\n"
      "constraint flatx: pos(Z).x - x = 0\n"
      "constraint flaty: pos(Z).y - y = 0\n"
      "torque (0, 0, -k*sign(omega(F).z)) in world on F\n"
      "constraint floor: pos(E).y >= -0.3 with friction 0.22\n"
      "initial X = 0\n"
      "initial X' = -0.5\n"
      "initial pos(E).y = -0.3\n"
      "initial omega(F).z = 0\n"
      "initial x ~ -0.235\n"
      "initial y ~ -0.12\n"
      "initial Q.w ~ 0.23\n"
      "initial Q.z ~ -0.97\n"
      "run 0 .. 1\n",
      "param k = 0.37\n"
      "coord X, q\n"
      "kinetic 2.57/2*X'^2\n"
      "gravity (0, -9.81, 0)\n"
      "frame F = world at (X, 0, 0) rotated z(q)\n"
      "body B mass 0.83 inertia (0.02, 0.02, 0.02) at (0.264, 0, 0) in F\n"
      "point E = (0.66, 0, 0) in F\n"
      "torque (0, 0, -k*sign(q')) in world on F\n"
      "constraint floor: pos(E).y >= -0.3 with friction 0.22\n"
      "initial X = 0\n"
      "initial X' = -0.5\n"
      "initial pos(E).y = -0.3\n"
      "initial q' = 0\n"
      "initial q ~ -2.67\n"
      "run 0 .. 1\n"};
  const double M = 2.57, m = 0.83, mu = 0.22, k = 0.37, y = -0.3, x = -sqrt(0.66 * 0.66 - y * y);
  const double N = (m * 9.81 * 0.4 * x + k) / (x - mu * y + m * mu * 0.4 * y / (M + m));
  for (int i = 0; i < 2; i++) CHECK_NEAR(end_of(texts[i], "X'"), -0.5 + mu * N / (M + m), 1e-12);
}

// The same while the foot sticks: the cart is pushed by t, and the rod slips where the friction of
// what the floor bears at least no longer suffices. At rest, T = -t at the foot and about the hinge
//   N x_E = m g x_G - y_E t + k;   then   (M + m) X'' = t - mu N,
//   N (x_E + mu y_E - m mu y_G/(M + m)) = m g x_G + k - m y_G t/(M + m)
TEST(a_hinge_that_rubs_bears_what_it_can_while_the_floor_holds_in_any_coordinates)
{
  static const char* const texts[] = {"coord X, x, y, z\n"
                                      "orientation Q\n"
                                      "point O = (X, 0, 0) in world\n"
                                      "frame F = world at (x, y, z) rotated by Q\n"
                                      "point Z = (0, 0, 1) in F\n"
                                      "point H = (0, 0, 0) in F\n"
                                      "constraint joint: pos(H) = pos(O)\n"
                                      "constraint flatx: pos(Z).x - x = 0\n"
                                      "constraint flaty: pos(Z).y - y = 0\n"
                                      "initial Q.w ~ 0.23\n"
                                      "initial Q.z ~ -0.97\n",
                                      "coord X, q\n"
                                      "frame F = world at (X, 0, 0) rotated z(q)\n"
                                      "initial q ~ -2.67\n"};
  const double M = 2.57, m = 0.83, mu = 0.22, k = 0.37, y = -0.3, x = -sqrt(0.66 * 0.66 - y * y);
  const double P = m * 9.81 * 0.4 * x + k, D = x + mu * y - m * mu * 0.4 * y / (M + m);
  const double slips = mu * P / (x + mu * y);
  const double pushed = 1 + mu * m * 0.4 * y / (M + m) / D; // of t, without what P does
  const double speed = (pushed * (1 - slips * slips) / 2 - mu * P / D * (1 - slips)) / (M + m);
  for (int i = 0; i < 2; i++) {
    char text[1200];
    snprintf(text, sizeof text,
             "%skinetic 2.57/2*X'^2\ngravity (0, -9.81, 0)\nforce X = t\n"
             "body B mass 0.83 inertia (0.02, 0.02, 0.02) at (0.264, 0, 0) in F\n"
             "point E = (0.66, 0, 0) in F\n"
             "torque (0, 0, -0.37*sign(omega(F).z)) in world on F\n"
             "constraint floor: pos(E).y >= -0.3 with friction 0.22\n"
             "initial X = 0\ninitial X' = 0\ninitial omega(F).z = 0\ninitial pos(E).y = -0.3\n"
             "run 0 .. 1\n",
             texts[i]);
    CHECK_NEAR(end_of(text, "X'"), speed, 1e-10);
  }
}

// It falls on a floor, which holds it at rest, to either side. There the friction of the floor, and
// of the hinge, bear what they can: N (x + mu y) = m g x_G - k.
#define FALLS(ANGLE, SPEED)                                                                       \
  "coord q\nframe F = world rotated z(q)\nbody B mass 2 inertia (0.1, 0.1, 0.1) at (0.4, 0, 0) "  \
  "in "                                                                                           \
  "F\npoint E = (1, 0, 0) in F\ngravity (0, -9.81, 0)\ntorque (0, 0, -1.5*sign(q')) in world on " \
  "F\n"                                                                                           \
  "constraint floor: pos(E).y >= 0.9 with friction 0.5\noutput N = reaction(floor)\n"             \
  "initial q = " ANGLE "\ninitial q' = " SPEED "\nrun 0 .. 1\n"

TEST(a_rod_that_falls_on_a_floor_beside_a_hinge_that_rubs_rests_there_on_either_side)
{
  const double y = 0.9, x = sqrt(1 - y * y), N = (2 * 9.81 * 0.4 * x - 1.5) / (x + 0.5 * y);
  CHECK_NEAR(end_of(FALLS("1.4", "-0.8"), "q"), asin(y), 1e-12);
  CHECK_NEAR(end_of(FALLS("1.4", "-0.8"), "N"), N, 1e-11);
  CHECK_NEAR(end_of(FALLS("pi - 1.4", "0.8"), "q"), M_PI - asin(y), 1e-12);
  CHECK_NEAR(end_of(FALLS("pi - 1.4", "0.8"), "N"), N, 1e-11);
}

// ---- in space -----------------------------------------------------------------------------------

TEST(a_table_on_four_legs_slides_like_a_block)
{
  // reactions are not determined, the motion is: all legs slip the same way
  static const char text[] =
      "coord x, y, z, a, b, c\nframe F = world at (x, y, z) rotated z(c) y(b) x(a)\n"
      "body T mass 4 inertia (1, 1, 2) at (0, 0, 0.5) in F\ngravity (0, 0, -10)\n"
      "point p1 = (1, 1, 0) in F\npoint p2 = (1, -1, 0) in F\npoint p3 = (-1, 1, 0) in F\n"
      "point p4 = (-1, -1, 0) in F\nconstraint c1: pos(p1).z >= 0 with friction 0.3\n"
      "constraint c2: pos(p2).z >= 0 with friction 0.3\n"
      "constraint c3: pos(p3).z >= 0 with friction 0.3\n"
      "constraint c4: pos(p4).z >= 0 with friction 0.3\ninitial x' = 3\ninitial y' = 4\n"
      "initial z = 0\ninitial a = 0\ninitial b = 0\ninitial c = 0\nrun 0 .. 1\n";
  CHECK_NEAR(end_of(text, "x'"), 0.6 * (5 - 3), 1e-9);
  CHECK_NEAR(end_of(text, "y'"), 0.8 * (5 - 3), 1e-9);
  CHECK_NEAR(end_of(text, "c"), 0, 1e-10);
}

TEST(a_ball_that_lands_with_spin_leaves_rolling_where_friction_suffices)
{
  // sticks in the impact: u+ = 0, v+ = v - 2/7 u with the slip u before it
  static const char text[] =
      "coord x, y, z\norientation Q\nframe F = world at (x, y, z) rotated by Q\n"
      "ball B mass 1 radius 0.1 at (0, 0, 0) in F\ngravity (0, 0, -10)\n"
      "constraint floor: pos(B).z >= 0.1 with restitution 0.5 with friction 0.6\n"
      "initial z = 0.55\ninitial x' = 1\ninitial omega(B) = (5, -4, 3)\n"
      "output wz = omega(B).z\nrun 0 .. 0.4\n";
  CHECK_NEAR(end_of(text, "x'"), 1 - 2.0 / 7 * (1 + 0.4), 1e-9);
  CHECK_NEAR(end_of(text, "y'"), -2.0 / 7 * 0.5, 1e-9);
  CHECK_NEAR(end_of(text, "wz"), 3, 1e-9);
}

TEST(slip_in_space_begins_where_friction_no_longer_suffices)
{
  // a push that grows as 5 t along (3, 4): m u' = 5 t - mu m g
  static const char text[] =
      "coord x, y, z\nparticle b mass 2 = (x, y, z) in world\ngravity (0, 0, -10)\n"
      "force (3*t, 4*t, 0) in world at b\nconstraint plane: pos(b).z >= 0 with friction 0.3\n"
      "run 0 .. 3\n";
  const double t0 = 1.2, speed = (2.5 * (9 - t0 * t0) - 6 * (3 - t0)) / 2;
  CHECK_NEAR(end_of(text, "x'"), 0.6 * speed, 1e-9);
  CHECK_NEAR(end_of(text, "y'"), 0.8 * speed, 1e-9);
  CHECK(count_of(text, "slipping of plane") == 1);
}

// ---- Painleve -----------------------------------------------------------------------------------

// a rod slides on its lower end; 1 + 3 c (c - mu s) < 0 against the side it leans to
#define ROD(SPEED)                                                              \
  "coord x, y, th\nframe F = world at (x, y, 0) rotated z(th)\n"                \
  "rod R mass 1 from (-1, 0, 0) to (1, 0, 0) in F\npoint A = (-1, 0, 0) in F\n" \
  "gravity (0, -9.81, 0)\nconstraint floor: pos(A).y >= 0 with friction 2\n"    \
  "initial th = 1.1\ninitial x = 0\ninitial y ~ 0.9\ninitial pos(A).y = 0\n"    \
  "initial vel(A).x = " SPEED "\ninitial vel(A).y = 0\ninitial th' = 0\nrun 0 .. 0.01\n"

TEST(a_rod_that_jams_is_told_and_the_other_way_it_slides)
{
  bench b = bench_text(ROD("-1"));
  walk_options o = walk_options_default();
  walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
  CHECK(!t || t->status != WALK_DONE);
  CHECK(strstr(t ? t->reason : bench_first_error(&b), "Painleve") != NULL);
  walk_track_free(t);
  bench_free(&b);
  CHECK(end_of(ROD("1"), "x'") < 1);
}

// ---- sliding regimes ----------------------------------------------------------------------------

TEST(a_link_that_is_lost_with_the_contact_is_off_in_flight)
{
  // thrown up without spin: in flight x' and the spin are independent, landing makes them fit
  static const char text[] =
      "param R = 1, m = 1, J = 0.5\ncoord x, y, p\nkinetic m/2*(x'^2 + y'^2) + J/2*p'^2\n"
      "potential 10*m*y\nconstraint rail: y >= 0\nconstraint grip: x' = R*p' while rail\n"
      "initial y = 0\ninitial y' = 5\ninitial x' = 3\nrun 0 .. 2\n";
  bench b = bench_text(text);
  const double at[] = {0.5, 2};
  walk_track* t = bench_run(&b, 1e-12, 2, at);
  if (t) {
    CHECK_NEAR(bench_value(t, 0, "x'"), 3, 1e-12);
    CHECK_NEAR(bench_value(t, 0, "p'"), 0, 1e-12);
    // m x' + J p'/R is kept by the impulse of the link
    CHECK_NEAR(bench_value(t, 1, "x'"), 2, 1e-11);
    CHECK_NEAR(bench_value(t, 1, "p'"), 2, 1e-11);
  }
  walk_track_free(t);
  bench_free(&b);
}

TEST(what_falls_straight_on_a_rough_floor_in_space_bounces_and_rests)
{
  // no slip at all: its direction has no value, and is not asked for
  static const char text[] =
      "coord x, y, z\nparticle b mass 2 = (x, y, z) in world\ngravity (0, 0, -10)\n"
      "constraint floor: pos(b).z >= 0 with restitution 0.5 with friction 0.3\n"
      "initial z = 0.2\nrun 0 .. 2\n";
  CHECK_NEAR(end_of(text, "reaction.floor"), 20, 1e-10);
  CHECK_NEAR(end_of(text, "x"), 0, 0);
  CHECK(count_of(text, "rest of floor") == 1);
}

// two feet of a body that cannot turn: how they share its weight is open, and matters only where
// their friction differs
static bool is_ambiguous(const char* friction)
{
  char text[600];
  snprintf(text, sizeof text,
           "coord x, y\nparticle p mass 1 = (x, y, 0) in world\ngravity (0, -9.81, 0)\n"
           "point q = (x + 1, y, 0) in world\nconstraint left: pos(p).y >= 0 with friction 0.3\n"
           "constraint right: pos(q).y >= 0 with friction %s\ninitial x' = 1\nrun 0 .. 0.1\n",
           friction);
  bench b = bench_text(text);
  walk_track* t = bench_run(&b, 1e-10, 0, NULL);
  bool told = false;
  for (int i = 0; i < base_notes_count(b.notes); i++)
    told = told || strstr(base_notes_reason(b.notes, i), "more than one motion");
  CHECK(t && t->status == WALK_DONE);
  walk_track_free(t);
  bench_free(&b);
  return told;
}

TEST(a_load_that_may_be_shared_in_many_ways_leaves_the_motion_open)
{
  CHECK(is_ambiguous("0.1"));
  CHECK(!is_ambiguous("0.3"));
}

// Beside the disc a mass lies on a stop and is lifted from it during the regime, at t1; nothing but
// a trace in the kinetic energy couples the two, so that they are decided together. Neither feels
// the other: the mass goes 10 (t - t1)^3/6, the disc as it does alone.
TEST(a_sliding_regime_goes_on_while_others_are_decided)
{
  double alone[2] = {0};
  const double t1[] = {1, 0.06, 0.07, 0.09, 0.12, 0.13, 0.14};
  for (int k = 0; k < 7; k++) {
    char text[900];
    snprintf(text, sizeof text,
             "param R = 1, a = 0.5, J = 0.3, t1 = %g\ncoord x, y, phi, z\n"
             "frame disc = world at (x, y, 0) rotated z(-phi)\n"
             "body load mass 1 inertia (J, J, J) at (0, a, 0) in disc\ngravity (0, -9.81, 0)\n"
             "kinetic z'^2/2 + 1e-9*z'*phi'\nconstraint rail: y - R >= 0\n"
             "constraint grip: x' - R*phi' = 0 while rail\nconstraint stop: z >= 0\n"
             "force z = 10*(t - t1)\ninitial y = R\ninitial phi = -2\ninitial phi' = 8.5\n"
             "run 0 .. 0.2\n",
             t1[k]);
    bench b = bench_text(text);
    const double at[] = {0.1, 0.2};
    walk_track* t = bench_run(&b, 1e-11, 2, at);
    CHECK(t && t->status == WALK_DONE);
    for (int row = 0; row < 2; row++) {
      const double x = bench_value(t, row, "x"), lifted = fmax(0, at[row] - t1[k]);
      if (k == 0) alone[row] = x;
      CHECK_NEAR(x, alone[row], 1e-8);
      CHECK_NEAR(bench_value(t, row, "z"), 10 * lifted * lifted * lifted / 6, 1e-8);
    }
    walk_track_free(t);
    bench_free(&b);
  }
}

// On a plane a ball that slides has 7/2 of the friction of a block: u' = -7/2 g (a + b exp(-u)),
// with the end exp(u) = ((a exp(u0) + b) exp(-7/2 a g t) - b)/a
TEST(friction_of_a_contact_depends_on_its_own_slip)
{
  bench b = bench_text(
      "gravity (0, 0, -9.81)\nball b mass 1 radius 0.1\n"
      "contact c: b as sphere(0.1), world as plane with friction 0.2 + 0.3*exp(-slip(c))\n"
      "initial pos(b) = (0, 0, 0.1)\ninitial vel(b) = (0.6, 0.8, 0)\ninitial omega(b) = (0, 0, 0)\n"
      "output s = slip(c)\nrun 0 .. 0.05\n");
  const double at[] = {0.02, 0.05};
  walk_track* t = bench_run(&b, 1e-11, 2, at);
  CHECK(t->status == WALK_DONE);
  for (int i = 0; i < 2; i++) {
    const double left = (0.2 * exp(1) + 0.3) * exp(-3.5 * 0.2 * 9.81 * at[i]) - 0.3;
    CHECK_NEAR(bench_value(t, i, "s"), log(left / 0.2), 1e-9);
  }
  walk_track_free(t);
  bench_free(&b);
}
