// Friction of surfaces against slip, rolling and pivoting, dry and viscous, against closed forms;
// and Jellett's integral, which no friction at the contact of a sphere changes.
#include "bench.h"

#include <stdio.h>

#include "check.h"

static const double g = 9.81, R = 0.1, m = 2;

// a ball on a level table, with a contact and a start
static bench ball(const char* contact, const char* start)
{
  char text[1200];
  snprintf(text, sizeof text,
           "param R = 0.1, g = 9.81\nball b mass 2 radius R\ngravity (0, 0, -g)\n%s\n"
           "initial rotation(b) = z(0)\n%s\noutput v = vel(b).x\noutput w = omega(b).y\n"
           "output spin = omega(b).z\noutput P = power(c)\noutput M = moment(c)\nrun 0 .. 60\n",
           contact, start);
  return bench_text(text);
}

static double event_time(const walk_track* t, const char* name)
{
  for (int i = 0; i < t->happenings; i++)
    if (strcmp(walk_happening_name(t, &t->happening[i]), name) == 0) return t->happening[i].t;
  return NAN;
}

// 7/5 m R^2 w' = -k N, 2/5 m R^2 spin' = -kp N
TEST(rolling_and_pivoting_friction_bring_a_ball_to_rest_at_their_times)
{
  const double k = 0.002, kp = 0.001, at[] = {1, 7.5, 20};
  bench b = ball("roll b as sphere(R) on world as plane at c with rolling friction 0.002 with "
                 "pivoting friction 0.001",
                 "initial omega(b) = (0, 10, 20)");
  walk_track* t = bench_run(&b, 1e-12, 3, at);
  CHECK_INT(t->status, WALK_DONE);
  CHECK_NEAR(bench_value(t, 0, "v"), 1 - 5 * g * k / (7 * R), 1e-11);
  CHECK_NEAR(bench_value(t, 0, "spin"), 20 - 5 * g * kp / (2 * R * R), 1e-10);
  CHECK_NEAR(bench_value(t, 0, "moment.c.y"), -k * m * g, 1e-12);
  CHECK_NEAR(bench_value(t, 0, "M.z"), -kp * m * g, 1e-12);
  CHECK_NEAR(bench_value(t, 0, "P"),
             -m * g * (k * bench_value(t, 0, "w") + kp * bench_value(t, 0, "spin")), 1e-11);
  CHECK_NEAR(event_time(t, "end of rolling of c"), 7 * R / (5 * g * k), 1e-10);
  CHECK_NEAR(event_time(t, "end of pivoting of c"), 2 * R * R * 20 / (5 * kp * g), 1e-10);
  CHECK_NEAR(bench_value(t, 1, "v"), 0, 1e-13);
  CHECK_NEAR(bench_value(t, 2, "spin"), 0, 1e-13);
  CHECK_NEAR(t->energy_balance, 0, 1e-11);
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_ball_slips_then_rolls_then_rests)
{
  const double mu = 0.2, k = 0.002, at[] = {60};
  bench b = ball("slide b as sphere(R) on world as plane at c with friction 0.2 with rolling "
                 "friction 0.002",
                 "initial vel(b) = (7, 0, 0)\ninitial omega(b) = (0, 0, 0)");
  walk_track* t = bench_run(&b, 1e-11, 1, at);
  const double t1 = 7 / (g * mu + 5 * g * (mu * R - k) / (2 * R)), v1 = 7 - mu * g * t1;
  CHECK_NEAR(event_time(t, "sticking of c"), t1, 1e-9);
  CHECK_NEAR(event_time(t, "end of rolling of c"), t1 + 7 * v1 * R / (5 * g * k), 1e-7);
  CHECK_NEAR(bench_value(t, 0, "v"), 0, 1e-13);
  walk_track_free(t);
  bench_free(&b);
}

// a slope holds a ball up to the angle with tan = k/R, from where it rolls with g(sin - k/R cos)
// 5/7
TEST(rolling_friction_holds_a_ball_on_a_gentle_slope)
{
  for (int steep = 0; steep < 2; steep++) {
    const double slope = steep ? 0.03 : 0.019, k = 0.002, at[] = {2};
    char text[800];
    snprintf(text, sizeof text,
             "param R = 0.1, g = 9.81\nball b mass 2 radius R\n"
             "gravity (g*sin(%g), 0, -g*cos(%g))\n"
             "roll b as sphere(R) on world as plane at c with rolling friction 0.002\n"
             "initial rotation(b) = z(0)\ninitial omega(b) = (0, 0, 0)\n"
             "output v = vel(b).x\noutput M = moment(c)\nrun 0 .. 3\n",
             slope, slope);
    bench b = bench_text(text);
    walk_track* t = bench_run(&b, 1e-12, 1, at);
    const double a = steep ? 5 * g * (sin(slope) - k / R * cos(slope)) / 7 : 0;
    CHECK_NEAR(bench_value(t, 0, "v"), 2 * a, 1e-10);
    if (!steep) CHECK_NEAR(bench_value(t, 0, "M.y"), -m * g * R * sin(slope), 1e-12);
    walk_track_free(t);
    bench_free(&b);
  }
}

// s' = -7/2 d/m s; 7/5 m R^2 w' = -d w; 2/5 m R^2 spin' = -d spin
TEST(viscous_friction_makes_exponentials)
{
  const double at[] = {1};
  const double inertia = m * R * R;
  bench b = ball("slide b as sphere(R) on world as plane at c with viscous friction 0.7",
                 "initial vel(b) = (7, 0, 0)\ninitial omega(b) = (0, 0, 0)");
  walk_track* t = bench_run(&b, 1e-12, 1, at);
  CHECK_NEAR(bench_value(t, 0, "v") - R * bench_value(t, 0, "w"), 7 * exp(-3.5 * 0.7 / m), 1e-11);
  CHECK_NEAR(t->energy_balance, 0, 1e-10);
  walk_track_free(t);
  bench_free(&b);
  b = ball("roll b as sphere(R) on world as plane at c with viscous rolling friction 0.01 with "
           "viscous pivoting friction 0.02",
           "initial omega(b) = (0, 10, 20)");
  t = bench_run(&b, 1e-12, 1, at);
  CHECK_NEAR(bench_value(t, 0, "w"), 10 * exp(-5 * 0.01 / (7 * inertia)), 1e-10);
  CHECK_NEAR(bench_value(t, 0, "spin"), 20 * exp(-5 * 0.02 / (2 * inertia)), 1e-10);
  CHECK_NEAR(t->energy_balance, 0, 1e-10);
  walk_track_free(t);
  bench_free(&b);
}

// friction of a contact that is let go stops with it
TEST(a_ball_that_leaves_is_not_slowed_by_viscous_friction)
{
  const double at[] = {1.2};
  bench b = ball("slide b as sphere(R) on world as plane at c with viscous friction 0.7 with "
                 "viscous pivoting friction 0.02\nevent up: t - 0.5 = 0 rising { release c }",
                 "initial vel(b) = (7, 0, 0)\ninitial omega(b) = (0, 0, 3)");
  walk_track* t = bench_run(&b, 1e-11, 1, at);
  const double slip = 7 * exp(-3.5 * 0.7 / m * 0.5);
  CHECK_NEAR(bench_value(t, 0, "v"), 5 + 2 * slip / 7, 1e-9);
  CHECK_NEAR(bench_value(t, 0, "P"), 0, 1e-14);
  walk_track_free(t);
  bench_free(&b);
}

// L.(contact - centre of mass) with L the angular momentum about the centre of mass
TEST(jellett_keeps_his_integral_whatever_the_friction_of_a_tippe_top)
{
  static const char* const laws[] = {"with viscous friction 0.06", "with friction 0.1",
                                     "with friction 0.05 with viscous friction 0.02"};
  for (int i = 0; i < 3; i++) {
    char text[1500];
    snprintf(text, sizeof text,
             "param m = 0.02, R = 0.02, e = 0.006, g = 9.81, A = 131/350*m*R^2, C = 2/5*m*R^2\n"
             "param th0 = 0.1, w0 = 155\n"
             "body top mass m inertia (A, A, C) at (0, 0, -e)\ngravity (0, 0, -g)\n"
             "slide top as sphere(R) on world as plane at c %s\n"
             "point G = (0, 0, -e) in top\npoint Z = (0, 0, 1) in top\n"
             "initial rotation(top) = x(th0)\ninitial vel(top).x = %g\ninitial vel(top).y = 0\n"
             "initial omega(top) = (0, -w0*sin(th0), w0*cos(th0))\n"
             "output J = dot(angmomentum(G), pos(c) - pos(G))\n"
             "output up = pos(Z).z - pos(top).z\nrun 0 .. 8\n",
             laws[i], i ? 0.5 : 0.0);
    bench b = bench_text(text);
    const double at[] = {0, 0.2, 2, 8};
    walk_track* t = bench_run(&b, 1e-13, 4, at);
    CHECK_INT(t->status, WALK_DONE);
    const double J = bench_value(t, 0, "J");
    for (int k = 1; k < 4; k++) CHECK_NEAR(bench_value(t, k, "J") / J, 1, i < 2 ? 2e-13 : 5e-12);
    // the first and the last turn over
    if (i != 1) CHECK(bench_value(t, 3, "up") < -0.99);
    walk_track_free(t);
    bench_free(&b);
  }
}

// ---- rolling, slipping, leaving -----------------------------------------------------------------

enum { ANGLE, SPEED, SPIN, UNKNOWNS };
static const double length = 1.1, rough = 0.5;

// theta, v, omega of a ball that slips down a cylinder of radius 1
static void slipping(const double* y, double* dy)
{
  const double N = g * cos(y[ANGLE]) - y[SPEED] * y[SPEED] / length;
  dy[ANGLE] = y[SPEED] / length;
  dy[SPEED] = g * sin(y[ANGLE]) - rough * N;
  dy[SPIN] = 5 * rough * N / (2 * R);
}

static void runge_kutta(double* y, double h)
{
  double k[4][UNKNOWNS], z[UNKNOWNS];
  slipping(y, k[0]);
  for (int s = 1; s < 4; s++) {
    for (int i = 0; i < UNKNOWNS; i++) z[i] = y[i] + (s < 3 ? h / 2 : h) * k[s - 1][i];
    slipping(z, k[s]);
  }
  for (int i = 0; i < UNKNOWNS; i++)
    y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

// While it rolls N = m g (17 cos - 10 cos0)/7 and T = 2/7 m g sin.
TEST(a_ball_rolls_down_a_cylinder_then_slips_then_leaves)
{
  bench b = bench_text("param R = 0.1, A = 1, g = 9.81, th0 = 0.05\nball b mass 1 radius R\n"
                       "gravity (0, 0, -g)\nframe F = world rotated x(pi/2)\n"
                       "slide b as sphere(R) on F as cylinder(A) at c with friction 0.5 with "
                       "release\n"
                       "initial pos(b).x = (A + R)*sin(th0)\ninitial pos(b).y = 0\n"
                       "initial pos(b).z ~ (A + R)*cos(th0)\ninitial rotation(b) = z(0)\n"
                       "initial omega(b) = (0, 0, 0)\ninitial vel(b) = (0, 0, 0)\n"
                       "output th = atan2(pos(b).x, pos(b).z)\noutput v = norm(vel(b))\n"
                       "output w = omega(b).y\noutput z = vel(b).z\nrun 0 .. 3\n");
  const double at[] = {1.6};
  walk_track* t = bench_run(&b, 1e-12, 1, at);
  const double t1 = event_time(t, "slipping of c"), t2 = event_time(t, "leaving of c");
  CHECK(t1 < t2);
  CHECK(t->counts.steps < 2000);
  double low = 0.1, high = 1;
  for (int i = 0; i < 60; i++) {
    const double th = (low + high) / 2;
    const bool rolls = 2 * sin(th) < rough * (17 * cos(th) - 10 * cos(0.05));
    *(rolls ? &low : &high) = th;
  }
  const double v = sqrt(10 * g * length * (cos(0.05) - cos(low)) / 7);
  double y[UNKNOWNS] = {low, v, v / R};
  const int steps = 4000;
  for (int i = 0; i < steps; i++) runge_kutta(y, (t2 - t1) / steps);
  CHECK_NEAR(g * cos(y[ANGLE]) - y[SPEED] * y[SPEED] / length, 0, 1e-9);
  // it flies on from there
  CHECK_NEAR(bench_value(t, 0, "w"), y[SPIN], 1e-9);
  CHECK_NEAR(bench_value(t, 0, "z"), -y[SPEED] * sin(y[ANGLE]) - g * (1.6 - t2), 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

// ---- where a contact ceases to be one -----------------------------------------------------------

// Euler's disc loses its energy m g R sin(tilt) .. to rolling friction and lies down, still turning
// about its axis
TEST(a_disc_with_rolling_friction_comes_to_lie_flat)
{
  bench b = bench_text(
      "param R = 0.0375, m = 0.4, g = 9.81, k = 4e-3\n"
      "body coin mass m inertia (m*R^2/4, m*R^2/4, m*R^2/2)\ngravity (0, 0, -g)\n"
      "roll coin as circle(R) on world as plane at c with rolling friction k\n"
      "initial pos(coin).x = 0\ninitial pos(coin).y = 0\ninitial rotation(coin) = x(0.3)\n"
      "initial omega(coin) = sqrt(4*g/(R*sin(0.3)))*(0, -cos(0.3)*sin(0.3), sin(0.3)^2)\n"
      "run 0 .. 20\n");
  walk_track* t = bench_run(&b, 1e-8, 0, NULL);
  CHECK(t->status == WALK_UNFINISHED);
  CHECK(strstr(t->reason, "contact `c`: the body lies flat"));
  CHECK(t->t_reached > 0.1 && t->t_reached < 1);
  walk_track_free(t);
  bench_free(&b);
}

// the rim of a coin and the bowl come to the same curvature, and both are told
TEST(a_coin_that_meets_the_curvature_of_its_bowl_ends_there)
{
  bench b = bench_text(
      "frame bowl = world at (0.03*sin(5*t), 0.02*sin(4*t), 0) rotated z(0.5*t)\n"
      "disc coin mass 0.2 radius 0.15 normal (0, 0, 1)\ngravity (0, 0, -9.81)\n"
      "roll coin as circle(0.15) on bowl as paraboloid(0.6, 0.9) at c\ninitial c.ub = 0.2\n"
      "initial c.vb = 0.1\ninitial rotation(coin) = z(0.3) x(1.3)\n"
      "initial omega(coin) = (0.5, -2, 9)\nrun 0 .. 1\n");
  walk_track* t = bench_run(&b, 1e-10, 0, NULL);
  double body = 0, base = 1;
  CHECK(t->status == WALK_UNFINISHED);
  CHECK(strstr(t->reason, "contact `c`: the contact is no longer one point"));
  const char* at = strstr(t->reason, "(curvature");
  CHECK(at && sscanf(at, "(curvature %lf of the body, %lf of the base)", &body, &base) == 2);
  CHECK_NEAR(body, base, 1e-4 * base);
  walk_track_free(t);
  bench_free(&b);
}
