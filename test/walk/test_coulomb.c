// Coulomb's law in full: coefficients that change, cones over ellipses, rolling without pivoting.
#include "bench.h"

#include "check.h"

#include <stdio.h>

// ---- coefficients that depend on the slip, the place, the time
// -----------------------------------

#define STRIBECK "0.2 + 0.3*exp(-abs(x')/0.5)"

// x = int_0^v u du/(g mu(u)), t = int_0^v du/(g mu(u)), by Simpson's rule
static double stribeck(double v, int power)
{
  enum { n = 2000 };
  double sum = 0;
  for (int i = 0; i <= n; i++) {
    const double u = v * i / n, weight = i == 0 || i == n ? 1 : i % 2 ? 4 : 2;
    sum += weight * (power ? u : 1) / (9.81 * (0.2 + 0.3 * exp(-u / 0.5)));
  }
  return sum * v / (3 * n);
}

TEST(friction_that_falls_with_the_slip_stops_a_crate_where_the_integral_says)
{
  bench b = bench_text("coord x, y\nparticle c mass 1 = (x, y, 0) in world\ngravity (0, -9.81, 0)\n"
                       "constraint floor: pos(c).y >= 0 with friction " STRIBECK
                       "\ninitial x' = 2\nrun 0 .. 2\n");
  const double at[] = {2};
  walk_track* t = bench_run(&b, 1e-11, 1, at);
  CHECK(t->happenings == 1);
  CHECK_NEAR(t->happening[0].t, stribeck(2, 0), 1e-10);
  CHECK_NEAR(bench_value(t, 0, "x"), stribeck(2, 1), 1e-10);
  walk_track_free(t);
  // the same in space, and by time steps
  bench s =
      bench_text("coord x, y, z\nparticle c mass 1 = (x, y, z) in world\ngravity (0, 0, -9.81)\n"
                 "constraint floor: pos(c).z >= 0 with friction 0.2 + 0.3*exp(-hypot(x', y')/0.5)\n"
                 "initial x' = 1.2\ninitial y' = 1.6\nrun 0 .. 2\n");
  t = bench_run(&s, 1e-11, 1, at);
  CHECK_NEAR(hypot(bench_value(t, 0, "x"), bench_value(t, 0, "y")), stribeck(2, 1), 1e-9);
  walk_track_free(t);
  bench* both[] = {&b, &s};
  for (int i = 0; i < 2; i++) {
    t = bench_run_by(both[i], "moreau", 1e-10, 1, at);
    CHECK_NEAR(hypot(bench_value(t, 0, "x"), i ? bench_value(t, 0, "y") : 0), stribeck(2, 1), 2e-2);
    walk_track_free(t);
  }
  bench_free(&b);
  bench_free(&s);
}

// mu = k x: x'' = -g k x, a harmonic motion until it stops at x = v/sqrt(g k)
TEST(friction_that_grows_with_the_place_stops_it_at_a_quarter_of_a_period)
{
  bench b = bench_text("coord x, y\nparticle c mass 1 = (x, y, 0) in world\ngravity (0, -9.81, 0)\n"
                       "constraint floor: pos(c).y >= 0 with friction 0.3*x\ninitial x' = 2\n"
                       "run 0 .. 2\n");
  const double at[] = {2}, w = sqrt(9.81 * 0.3);
  walk_track* t = bench_run(&b, 1e-11, 1, at);
  CHECK_NEAR(bench_value(t, 0, "x"), 2 / w, 1e-10);
  CHECK_NEAR(t->happening[0].t, 2 * atan(1) / w, 1e-10);
  walk_track_free(t);
  bench_free(&b);
}

// mu = k t: v - g k t^2/2
TEST(friction_that_grows_with_time)
{
  bench b = bench_text(
      "coord x, y\nparticle c mass 1 = (x, y, 0) in world\ngravity (0, -9.81, 0)\n"
      "param k = 0.3 [1/s]\nconstraint floor: pos(c).y >= 0 with friction k*t\ninitial x' = 2\n"
      "run 0 .. 2\n");
  walk_track* t = bench_run(&b, 1e-11, 0, NULL);
  CHECK_NEAR(t->happening[0].t, sqrt(2 * 2 / (9.81 * 0.3)), 1e-10);
  walk_track_free(t);
  bench_free(&b);
}

// in an impact the coefficient is that of the slip with which it begins
TEST(an_impact_rubs_by_the_slip_with_which_it_begins)
{
  bench b =
      bench_text("coord x, y\nparticle c mass 1 = (x, y, 0) in world\n"
                 "constraint floor: pos(c).y >= 0 with restitution 0.5 with friction " STRIBECK
                 "\ninitial x' = 2\ninitial y' = -1\nrun 0 .. 1\n");
  const double at[] = {0};
  walk_track* t = bench_run(&b, 1e-11, 1, at);
  CHECK_NEAR(bench_value(t, 0, "x'"), 2 - 1.5 * (0.2 + 0.3 * exp(-4)), 1e-12);
  walk_track_free(t);
  bench_free(&b);
}

// ---- cones over ellipses ------------------------------------------------------------------------

// u_k' = -g mu_k^2 u_k/|mu u|: d ln u_1/mu_1^2 = d ln u_2/mu_2^2, so with mu_1^2 = 2 mu_2^2 the
// slip goes along u_1 = C u_2^2
#define ELLIPSE "(0.4*sqrt(2), 0.4)"

static void goes_along_a_parabola(const char* text, const char* u, const char* w)
{
  bench b = bench_text(text);
  const double at[] = {0, 0.1, 0.2, 0.3};
  walk_track* t = bench_run(&b, 1e-11, 4, at);
  for (int i = 1; i < 4; i++)
    CHECK_NEAR(bench_value(t, i, u) / pow(bench_value(t, i, w), 2), 1.5 / 4, 1e-8);
  CHECK(bench_value(t, 3, w) < 1.5);
  walk_track_free(t);
  bench_free(&b);
}

TEST(friction_of_two_coefficients_bends_the_way)
{
  goes_along_a_parabola(
      "coord x, y, z\nparticle c mass 1 = (x, y, z) in world\ngravity (0, 0, -9.81)\n"
      "constraint floor: pos(c).z >= 0 with friction " ELLIPSE
      "\ninitial x' = 1.5\ninitial y' = 2\nrun 0 .. 1\n",
      "x'", "y'");
  // of surfaces: a ball that does not turn
  goes_along_a_parabola("ball b mass 1 radius 0.1\ngravity (0, 0, -9.81)\nslide b as sphere(0.1) "
                        "on world as plane at c "
                        "with friction " ELLIPSE "\nconstraint turn: omega(b) = (0, 0, 0)\n"
                        "initial vel(b) = (1.5, 2, 0)\noutput v = vel(b)\nrun 0 .. 1\n",
                        "v.x", "v.y");
}

// T_k = -N mu_k^2 u_k/|mu u| with coefficients that fall with the slip, by steps of Runge and Kutta
static void pull_by_ellipse(double t, const double y[4], double out[4])
{
  const double s = hypot(y[2], y[3]), f = 1 / (1 + 2 * s), mu[2] = {0.3 * f, 0.2 * f},
               size = hypot(mu[0] * y[2], mu[1] * y[3]),
               force[2] = {-3 * y[0] - 0.5, -6 * y[1] + 0.3 * sin(2 * t)};
  for (int k = 0; k < 2; k++) {
    out[k] = y[2 + k];
    out[2 + k] = force[k] - 9.81 * mu[k] * mu[k] * y[2 + k] / size;
  }
}

static void step_by_ellipse(double t, double h, double y[4])
{
  static const double share[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
  double slope[4] = {0}, sum[4] = {0}, at[4];
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 4; k++) at[k] = y[k] + share[i] * h * slope[k];
    pull_by_ellipse(t + share[i] * h, at, slope);
    for (int k = 0; k < 4; k++) sum[k] += weight[i] * slope[k];
  }
  for (int k = 0; k < 4; k++) y[k] += h / 6 * sum[k];
}

TEST(an_ellipse_that_falls_with_the_slip_pulls_along_itself)
{
  static const char* const laws[] = {
      "with friction (0.3/(1 + 2*slip(c)), 0.2/(1 + 2*slip(c)))",
      "with friction (0.3/(1 + 2*norm(vel(p))), 0.2/(1 + 2*norm(vel(p))))"};
  const double at[] = {0.5};
  double y[4] = {0.8, 0.5, 0.1, -1};
  for (int i = 0; i < 500; i++) step_by_ellipse(1e-3 * i, 1e-3, y);
  for (int i = 0; i < 2; i++) {
    char text[500];
    snprintf(text, sizeof text,
             "gravity (0, 0, -9.81)\ncoord x, y, z\nparticle p mass 1 = (x, y, z) in world\n"
             "force x = -3*x - 0.5\nforce y = -6*y + 0.3*sin(2*t)\n"
             "constraint c: z >= 0 %s\n"
             "initial x = 0.8, y = 0.5, z = 0, x' = 0.1, y' = -1, z' = 0\nrun 0 .. 0.5\n",
             laws[i]);
    bench b = bench_text(text);
    walk_track* t = bench_run(&b, 1e-11, 1, at);
    CHECK_NEAR(bench_value(t, 0, "x'"), y[2], 1e-9);
    CHECK_NEAR(bench_value(t, 0, "y'"), y[3], 1e-9);
    walk_track_free(t);
    bench_free(&b);
  }
}

// On an incline it stays where (tan a cos p/mu_1)^2 + (tan a sin p/mu_2)^2 < 1, p the direction of
// the fall line.
TEST(friction_of_two_coefficients_holds_within_its_ellipse)
{
  static const double share[] = {0.999, 1.001};
  for (int i = 0; i < 2; i++) {
    const double p = 0.7, tan_a = share[i] / hypot(cos(p) / 0.6, sin(p) / 0.3);
    char text[500];
    snprintf(text, sizeof text,
             "coord x, y, z\nparticle c mass 1 = (x, y, z) in world\n"
             "gravity (%.17g, %.17g, -9.81)\n"
             "constraint floor: pos(c).z >= 0 with friction (0.6, 0.3)\nrun 0 .. 1\n",
             9.81 * tan_a * cos(p), 9.81 * tan_a * sin(p));
    bench b = bench_text(text);
    const double at[] = {1};
    walk_track* t = bench_run(&b, 1e-10, 1, at);
    CHECK((hypot(bench_value(t, 0, "x"), bench_value(t, 0, "y")) > 1e-6) == i);
    walk_track_free(t);
    bench_free(&b);
  }
}

// In an impact the slip after it, u, tells the impulse: T_k = -P mu_k^2 u_k/|mu u|.
TEST(an_impact_on_a_grain_obeys_its_ellipse)
{
  const double u[2] = {0.7, -0.4}, mu[2] = {0.6, 0.3}, P = 1.5,
               size = hypot(mu[0] * u[0], mu[1] * u[1]);
  char text[500];
  snprintf(text, sizeof text,
           "coord x, y, z\nparticle c mass 1 = (x, y, z) in world\n"
           "constraint floor: pos(c).z >= 0 with restitution 0.5 with friction (0.6, 0.3)\n"
           "initial x' = %.17g\ninitial y' = %.17g\ninitial z' = -1\nrun 0 .. 1\n",
           u[0] + P * mu[0] * mu[0] * u[0] / size, u[1] + P * mu[1] * mu[1] * u[1] / size);
  bench b = bench_text(text);
  const double at[] = {0};
  walk_track* t = bench_run(&b, 1e-10, 1, at);
  CHECK_NEAR(bench_value(t, 0, "x'"), u[0], 1e-10);
  CHECK_NEAR(bench_value(t, 0, "y'"), u[1], 1e-10);
  walk_track_free(t);
  bench_free(&b);
}

// ---- rolling without pivoting -------------------------------------------------------------------

// Inside an upright cylinder a ball that may pivot goes up and down, one that may not falls with
// 5/7 g, however fast it goes round.
TEST(a_ball_without_pivoting_falls_in_an_upright_pipe)
{
  bench b = bench_text(
      "ball b mass 1 radius 0.1\ngravity (0, 0, -9.81)\n"
      "roll b as sphere(0.1) on world as cylinder(0.5) inside at c without pivoting with hold\n"
      "initial pos(b) = (0.4, 0, 0)\ninitial vel(b) = (0, 2, 0)\noutput p = pos(b)\n"
      "run 0 .. 0.5\n");
  const double at[] = {0.5};
  walk_track* t = bench_run(&b, 1e-11, 1, at);
  CHECK_NEAR(bench_value(t, 0, "p.z"), -5.0 / 14 * 9.81 * 0.25, 1e-9);
  CHECK_NEAR(bench_value(t, 0, "p.x"), 0.4 * cos(2.5), 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

// where it lands its spin about the normal ends with its slip; in flight it is free
TEST(a_ball_without_pivoting_loses_its_spin_where_it_lands)
{
  bench b =
      bench_text("ball b mass 1 radius 0.1\ngravity (0, 0, -10)\n"
                 "roll b as sphere(0.1) on world as plane at c without pivoting with release\n"
                 "initial pos(b) = (0, 0, 0.3)\ninitial vel(b) = (7, 0, 0)\n"
                 "initial omega(b) = (0, 0, 9)\noutput w = omega(b)\noutput v = vel(b)\n"
                 "run 0 .. 1\n");
  const double at[] = {0.1, 0.5};
  walk_track* t = bench_run(&b, 1e-11, 2, at);
  CHECK_NEAR(bench_value(t, 0, "w.z"), 9, 1e-9);
  CHECK_NEAR(bench_value(t, 1, "w.z"), 0, 1e-9);
  CHECK_NEAR(bench_value(t, 1, "v.x"), 5, 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

// Two bodies on rough floors that begin to slip together: where one of them has begun, the other
// has a speed, too, which friction may not take at once. The further frictions as forces, and as
// contacts of their own.
#define TWO_BODIES                                                                      \
  "coord x0, y0, h0\nparticle p0 mass 2 = (x0, y0, h0) in world\n"                      \
  "constraint floor0: pos(p0).z >= 0 with friction 0.151\n"                             \
  "coord x1, y1, h1\nparticle p1 mass 1 = (x1, y1, h1) in world\n"                      \
  "constraint floor1: pos(p1).z >= 0 with friction 0.151\n"                             \
  "gravity (0, 0, -10)\ncoord w0\nkinetic 0.5*w0'^2/2 + 0.207*(y0' - w0')^2/2\n"        \
  "initial x0' = -0.394\nforce y0 = 3.181*sin(4.185*t + 2.15)\ninitial y0' = -0.4345\n" \
  "potential 1.582*(x1 - x0)^2\nforce x1 = 1.604*sin(5.687*t + 4.931)\n"                \
  "initial x1' = -0.3109\npotential 1.481*(y1 - x0)^2\npotential 0.4771*(y1 - y0)^2\n"  \
  "initial y1' = 0.9211\nrun 0 .. 1.6\n"

TEST(what_has_begun_to_slip_keeps_its_speed)
{
  static const char* const further[] = {
      "force y1 = 1.271*sign(- y1' - y0' - x0')\nforce y0 = 1.271*sign(- y1' - y0' - x0')\n"
      "force x0 = 1.271*sign(- y1' - y0' - x0')\nforce x1 = -0.118*sign(x1')\n",
      "coord n0, n1\nkinetic (n0'^2 + n1'^2)/2\npotential 10*(n0 + n1)\n"
      "quasi u0 = - y1' - y0' - x0'\nconstraint k0: n0 >= 0 with friction 0.1271 along u0\n"
      "quasi u1 = x1'\nconstraint k1: n1 >= 0 with friction 0.0118 along u1\n"};
  const double at[] = {1.6};
  double x[2];
  for (int k = 0; k < 2; k++) {
    char text[2000];
    snprintf(text, sizeof text, "%s%s", TWO_BODIES, further[k]);
    bench b = bench_text(text);
    walk_track* t = bench_run(&b, 1e-10, 1, at);
    CHECK_INT(t->status, WALK_DONE);
    CHECK_NEAR(t->energy_balance, 0, 5e-10);
    x[k] = bench_value(t, 0, "x1");
    walk_track_free(t);
    bench_free(&b);
  }
  CHECK_NEAR(x[0], x[1], 1e-10);
}

// With two coefficients, T_k = -N mu_k^2 u_k/sqrt(mu_1^2 u_1^2 + mu_2^2 u_2^2): results are those
// of the force and the slip themselves. A block that begins to slide down an incline keeps its
// direction, in which u_k = (g_k - T_k) t: both are found by halves of the way.
TEST(results_of_two_coefficients_are_those_of_force_and_slip)
{
  static const char* const form[] = {
      "coord x, y, z\nparticle b mass 2 = (x, y, z)\n"
      "constraint c: pos(b).z >= 0 with friction (0.2, 0.4)\n",
      "frame B = world at (x, y, z)\ncoord x, y, z\nbody b mass 2 inertia (1, 1, 1) at (0, 0, 0) "
      "in B\n"
      "slide b as sphere(0.1) on world as plane at c with friction (0.2, 0.4)\ninitial z = 0.1\n"};
  const double N = 20 * cos(0.5), p1 = 10 * sin(0.5) * cos(0.7), p2 = 10 * sin(0.5) * sin(0.7);
  double u = 1, w = 0.5, T1 = 0, T2 = 0;
  for (int i = 0; i < 200; i++) {
    const double size = hypot(0.2 * u, 0.4 * w);
    T1 = N * 0.04 * u / size;
    T2 = N * 0.16 * w / size;
    u = (u + p1 - T1 / 2) / 2;
    w = (w + p2 - T2 / 2) / 2;
  }
  for (int i = 0; i < 2; i++) {
    char text[900];
    snprintf(text, sizeof text,
             "%sgravity (10*sin(0.5)*cos(0.7), 10*sin(0.5)*sin(0.7), -10*cos(0.5))\n"
             "output F = friction(c)\noutput s = slip(c)\noutput how = state(c)\n"
             "output lost = loss(c)\noutput E = energy()\nrun 0 .. 2\n",
             form[i]);
    bench b = bench_text(text);
    const double at = 2;
    walk_track* t = bench_run(&b, 1e-11, 1, &at);
    CHECK_NEAR(bench_value(t, 0, "x'"), 2 * u, 1e-9);
    CHECK_NEAR(bench_value(t, 0, "F"), hypot(T1, T2), 1e-9);
    CHECK_NEAR(bench_value(t, 0, "s"), 2 * hypot(u, w), 1e-9);
    CHECK_NEAR(bench_value(t, 0, "how"), 2, 0);
    CHECK_NEAR(bench_value(t, 0, "lost"), 2 * (T1 * u + T2 * w), 1e-8);
    walk_track_free(t);
    bench_free(&b);
  }
}

// the size of its impulses in an impact, too: of the change of momentum along the floor
TEST(impulses_of_two_coefficients_are_those_along_the_floor)
{
  bench b = bench_text("coord x, y, z\nparticle b mass 2 = (x, y, z)\ngravity (0, 0, -10)\n"
                       "constraint c: pos(b).z >= 0 with friction (0.2, 0.4) with restitution 0.5\n"
                       "initial z = 0.2\ninitial x' = 3\ninitial y' = 1\nrun 0 .. 0.21\n");
  const double at = 0.21;
  walk_track* t = bench_run(&b, 1e-11, 1, &at);
  CHECK_INT(t->happenings, 1);
  const model_constraint* c = &b.model->constraint[0];
  const double* P = t->happenings ? t->happening[0].impulse : NULL;
  CHECK(P != NULL);
  if (P) {
    CHECK_NEAR(P[c->stick[0]], 2 * (bench_value(t, 0, "x'") - 3), 1e-12);
    CHECK_NEAR(P[c->stick[1]], 2 * (bench_value(t, 0, "y'") - 1), 1e-12);
  }
  walk_track_free(t);
  bench_free(&b);
}

// a coordinate that is part of the place of what touches says where it is, as pos(P) does
TEST(a_surface_may_be_written_by_the_coordinates_of_the_point)
{
  static const char* const slope[] = {"pos(b).z >= 0.3*x", "pos(b).z >= 0.3*pos(b).x",
                                      "z >= 0.3*x"};
  double end[3];
  for (int i = 0; i < 3; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "coord x, y, z\nparticle b mass 2 = (x, y, z)\ngravity (0, 0, -10)\n"
             "constraint c: %s with friction 0.2\ninitial y' = 1\ninitial x' = -0.3\nrun 0 .. 1\n",
             slope[i]);
    bench b = bench_text(text);
    const double at = 1;
    walk_track* t = bench_run(&b, 1e-11, 1, &at);
    end[i] = bench_value(t, 0, "y");
    walk_track_free(t);
    bench_free(&b);
  }
  CHECK_NEAR(end[0], end[1], 1e-12);
  CHECK_NEAR(end[2], end[1], 1e-12);
}

// A box that is looked for, with friction that falls with the slip of each of its points, stops
// after the integral of v dv/(g mu(v)); the error is that of the steps.
TEST(friction_of_shapes_that_are_looked_for_depends_on_their_slip)
{
  bench b = bench_text("gravity (0, 0, -10)\nbox b size (0.4, 0.4, 0.1) mass 1\n"
                       "contact c: b as box(0.4, 0.4, 0.1), world as box(20, 20, 2) with friction "
                       "0.1 + 0.2*exp(-slip(c)/0.5)\ninitial pos(b) = (0, 0, 1.05)\n"
                       "initial vel(b) = (1.6, 1.2, 0)\nrun 0 .. 2\n");
  const int pieces = 1000;
  double way = 0;
  for (int i = 0; i < pieces; i++) {
    const double v = 2 * (i + 0.5) / pieces;
    way += 2.0 / pieces * v / (10 * (0.1 + 0.2 * exp(-v / 0.5)));
  }
  const double at = 2;
  walk_track* t = bench_run(&b, 0, 1, &at);
  CHECK_NEAR(bench_value(t, 0, "b.x"), 0.8 * way, 1e-3);
  CHECK_NEAR(bench_value(t, 0, "b.y"), 0.6 * way, 1e-3);
  walk_track_free(t);
  bench_free(&b);
}

// steps of time have Newton's law: another is not taken for it in silence
TEST(stronges_law_is_refused_where_shapes_are_looked_for)
{
  static const char* const law[] = {"energetic", "poisson", "sequential"};
  for (int i = 0; i < 3; i++) {
    char text[400];
    snprintf(
        text, sizeof text,
        "gravity (0, 0, -10)\nbox b size (1, 1, 1) mass 1\ncontact c: b as box(1, 1, 1), world "
        "as box(9, 9, 2) with restitution 0.5 %s\ninitial pos(b) = (0, 0, 2)\nrun 0 .. 1\n",
        law[i]);
    bench b = bench_text(text);
    walk_options o = walk_options_default();
    walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
    CHECK(!t && strstr(bench_first_error(&b), "Newton's law"));
    walk_track_free(t);
    bench_free(&b);
  }
}
