// Contacts of surfaces that fly, land, bounce and grip: impacts of rolling bodies.
#include "bench.h"

#include <stdio.h>

#include "check.h"
#include "contact/contact.h"

static double at_event(const walk_track* t, int event, const char* name)
{
  for (int i = 0; i < t->columns; i++)
    if (strcmp(t->column[i], name) == 0) return t->happening[event].row[i];
  return NAN;
}

static double impulse_of(const walk_track* t, int event, const char* constraint)
{
  for (int k = 0; k < t->model->constraints; k++)
    if (strcmp(t->model->constraint[k].name, constraint) == 0)
      return t->happening[event].impulse[k];
  return NAN;
}

static double last_time(const walk_track* t, const char* name)
{
  double found = NAN;
  for (int i = 0; i < t->happenings; i++)
    if (strcmp(walk_happening_name(t, &t->happening[i]), name) == 0) found = t->happening[i].t;
  return found;
}

#define THROWN                                                                                   \
  "initial pos(ball) = (0, 0, 1)\ninitial vel(ball) = (2, 1, 0)\ninitial omega(ball) = (3, 40, " \
  "5)\noutput p = pos(ball)\noutput v = vel(ball)\noutput w = omega(ball)\nrun 0 .. 2\n"

static bench thrown(const char* contact)
{
  char text[600];
  snprintf(text, sizeof text,
           "param R = 0.1, g = 9.81\nball ball mass 1 radius R\ngravity (0, 0, -g)\n%s\n" THROWN,
           contact);
  return bench_text(text);
}

// A ball that grips: m dv = P, 2/5 m R^2 dw = -R k x P, so that P = -2/7 m s takes the slip s away.
TEST(a_thrown_ball_that_grips_keeps_five_sevenths_of_its_slip_in_spin)
{
  bench b = thrown("roll ball as sphere(R) on world as plane at c with restitution 0.5");
  walk_track* t = bench_run(&b, 1e-11, 0, NULL);
  const double t1 = sqrt(2 * 0.9 / 9.81), u = 9.81 * t1, s[2] = {2 - 40 * 0.1, 1 + 3 * 0.1};
  CHECK_TEXT(walk_happening_name(t, &t->happening[0]), "impact of c");
  CHECK_NEAR(t->happening[0].t, t1, 1e-12);
  CHECK_NEAR(at_event(t, 0, "v.x"), 2 - 2 * s[0] / 7, 1e-10);
  CHECK_NEAR(at_event(t, 0, "v.y"), 1 - 2 * s[1] / 7, 1e-10);
  CHECK_NEAR(at_event(t, 0, "v.z"), 0.5 * u, 1e-10);
  CHECK_NEAR(at_event(t, 0, "w.x"), -(1 - 2 * s[1] / 7) / 0.1, 1e-9);
  CHECK_NEAR(at_event(t, 0, "w.z"), 5, 1e-9);
  CHECK_NEAR(impulse_of(t, 0, "c.gap"), 1.5 * u, 1e-10);
  CHECK_NEAR(hypot(impulse_of(t, 0, "c.slip1"), impulse_of(t, 0, "c.slip2")),
             2 * hypot(s[0], s[1]) / 7, 1e-10);
  // and rolls from where all its bounces are over
  CHECK_NEAR(last_time(t, "rest of c"), 3 * t1, 1e-11);
  CHECK_NEAR(t->energy_balance, 0, 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

// the same contact of a ball as an inequality of its centre
TEST(a_sliding_contact_lands_as_an_inequality_with_friction_does)
{
  bench a = thrown("slide ball as sphere(R) on world as plane at c with friction 0.04 with "
                   "restitution 0.5");
  bench b = bench_text("param R = 0.1, g = 9.81\ncoord x, y, z\norientation Q\n"
                       "frame F = world at (x, y, z) rotated by Q\nball ball mass 1 radius R at "
                       "(0, 0, 0) in F\ngravity (0, 0, -g)\nconstraint c: pos(ball).z >= R with "
                       "restitution 0.5 with friction 0.04\n" THROWN);
  const double at[] = {0.5, 1, 1.5, 2};
  const char* const column[] = {"p.x", "p.y", "p.z", "v.x", "v.y", "w.x", "w.y", "w.z"};
  walk_track *x = bench_run(&a, 1e-11, 4, at), *y = bench_run(&b, 1e-11, 4, at);
  for (int row = 0; row < 4; row++)
    for (int k = 0; k < 8; k++)
      CHECK_NEAR(bench_value(x, row, column[k]), bench_value(y, row, column[k]), 1e-9);
  CHECK_INT(x->happenings, y->happenings);
  CHECK_NEAR(last_time(x, "sticking of c"), last_time(y, "sticking of c"), 1e-9);
  walk_track_free(x);
  walk_track_free(y);
  bench_free(&a);
  bench_free(&b);
}

// Where a loaded ball would leave while it grips and fall back without, both mix (Sinitsyn 1990).
TEST(a_loaded_ball_rolls_and_slides_as_the_disc_on_its_rail)
{
  bench a = bench_text("body disc mass 1 inertia (0.3, 0.3, 0.3) at (0, 0, 0.5)\ngravity (0, 0, "
                       "-9.81)\nroll disc as sphere(1) on world as plane at rail with release\n"
                       "initial rotation(disc) = y(-2)\ninitial omega(disc) = (0, 8.5, 0)\n"
                       "initial pos(disc).x = 0\ninitial pos(disc).y = 0\noutput h = pos(disc).z\n"
                       "output s = pos(disc).x\noutput n = omega(disc).y\nrun 0 .. 0.2\n");
  bench b = bench_text("coord x, y, phi\nframe disc = world at (x, y, 0) rotated z(-phi)\n"
                       "body load mass 1 inertia (0.3, 0.3, 0.3) at (0, 0.5, 0) in disc\n"
                       "gravity (0, -9.81, 0)\nconstraint rail: y - 1 >= 0\n"
                       "constraint grip: x' = phi' while rail\ninitial y = 1\ninitial phi = -2\n"
                       "initial phi' = 8.5\noutput h = y\noutput s = x\noutput n = phi'\n"
                       "run 0 .. 0.2\n");
  const double at[] = {0.1, 0.2};
  walk_track *x = bench_run(&a, 1e-11, 2, at), *y = bench_run(&b, 1e-11, 2, at);
  CHECK_NEAR(last_time(x, "sliding regime of rail"), last_time(y, "sliding regime of rail"), 1e-9);
  CHECK_NEAR(last_time(x, "leaving of rail"), last_time(y, "loosening of rail"), 1e-9);
  for (int row = 0; row < 2; row++) {
    CHECK_NEAR(bench_value(x, row, "h"), bench_value(y, row, "h"), 1e-10);
    CHECK_NEAR(bench_value(x, row, "s"), bench_value(y, row, "s"), 1e-10);
    CHECK_NEAR(bench_value(x, row, "n"), bench_value(y, row, "n"), 1e-9);
  }
  walk_track_free(x);
  walk_track_free(y);
  bench_free(&a);
  bench_free(&b);
}

// Three impacts of a ball that flies across a bowl, the first on its far side. The numbers are
// those of a program of its own: parabolas, the nearest of all feet by Newton's method from 32
// points, bisection, and P = -(1 + e) m v_n n - 2/7 m s.
TEST(a_ball_that_flies_across_a_bowl_lands_on_its_other_side)
{
  bench b = bench_text("param R = 0.05, a = 0.2\nball ball mass 1 radius R\ngravity (0, 0, -9.81)\n"
                       "roll ball as sphere(R) on world as paraboloid(a, a) at c with restitution "
                       "0.5\ninitial pos(ball) = (0.5, 0, 0.9)\ninitial vel(ball) = (-2.5, 0.2, "
                       "0.5)\ninitial omega(ball) = (0, 0, 0)\noutput v = vel(ball)\n"
                       "output w = omega(ball)\nrun 0 .. 1\n");
  static const double want[3][4] = {
      {0.34971225013443374, 1.9994299267227937, -0.28560156829787386, 22.07623327434478},
      {0.5954089910431162, -0.5734212830897869, 1.3985835772531412, 7.172568478860372},
      {0.8575669497049807, -0.12523333670139575, 0.4991586515514548, 3.315063986293504}};
  walk_track* t = bench_run(&b, 1e-11, 0, NULL);
  for (int i = 0; i < 3; i++) {
    CHECK_TEXT(walk_happening_name(t, &t->happening[i]), "impact of c");
    CHECK_NEAR(t->happening[i].t, want[i][0], 1e-10);
    CHECK_NEAR(at_event(t, i, "v.x"), want[i][1], 1e-9);
    CHECK_NEAR(at_event(t, i, "v.z"), want[i][2], 1e-9);
    CHECK_NEAR(at_event(t, i, "w.y"), want[i][3], 1e-8);
  }
  walk_track_free(t);
  bench_free(&b);
}

// The rough wall throws a rolling ball up, v_z = 2/7 R w: the floor, which it does not press, does
// not grip it.
TEST(a_rolling_ball_climbs_a_rough_wall)
{
  bench b = bench_text("param R = 0.1\nball ball mass 1 radius R\ngravity (0, 0, -9.81)\n"
                       "frame W = world at (1, 0, 0) rotated y(-pi/2)\n"
                       "roll ball as sphere(R) on world as plane at f with release\n"
                       "roll ball as sphere(R) on W as plane at w with restitution 0.25\n"
                       "initial pos(ball) = (0, 0, R)\ninitial vel(ball) = (2, 0, 0)\n"
                       "output v = vel(ball)\noutput n = omega(ball).y\nrun 0 .. 0.5\n");
  walk_track* t = bench_run(&b, 1e-11, 0, NULL);
  CHECK_TEXT(walk_happening_name(t, &t->happening[0]), "leaving of f");
  CHECK_TEXT(walk_happening_name(t, &t->happening[1]), "impact of w");
  CHECK_NEAR(t->happening[0].t, 0.45, 1e-11);
  CHECK_NEAR(at_event(t, 1, "v.x"), -0.5, 1e-10);
  CHECK_NEAR(at_event(t, 1, "v.z"), 4.0 / 7, 1e-10);
  CHECK_NEAR(at_event(t, 1, "n"), 40.0 / 7, 1e-9);
  CHECK_NEAR(impulse_of(t, 1, "f.gap"), 0, 1e-13);
  walk_track_free(t);
  bench_free(&b);
}

// off a sphere at cos = 10/17 of the start's, down to a floor that was not touched at first
TEST(a_ball_rolls_off_a_sphere_and_lands_on_the_floor)
{
  bench b = bench_text("param R = 0.1, A = 1, g = 9.81, d = 0.1\nball ball mass 1 radius R\n"
                       "gravity (0, 0, -g)\nframe F = world at (0, 0, -0.2)\n"
                       "roll ball as sphere(R) on world as sphere(A) at c with release\n"
                       "roll ball as sphere(R) on F as plane at f with restitution 0.3\n"
                       "initial pos(c).x = A*sin(d)\ninitial pos(c).y = 0\ninitial pos(c).z ~ A\n"
                       "initial pos(ball).z ~ A\ninitial rotation(ball) = z(0)\n"
                       "initial omega(ball) = (0, 0, 0)\noutput p = pos(ball)\n"
                       "output v = vel(ball)\nrun 0 .. 1.5\n");
  walk_track* t = bench_run(&b, 1e-11, 0, NULL);
  const double c = 10 * cos(0.1) / 17, s = sqrt(1 - c * c), r = 1.1, g = 9.81, v = sqrt(g * r * c);
  const double fall = r * c + 0.1, down = v * s, u = sqrt(down * down + 2 * g * fall);
  CHECK_TEXT(walk_happening_name(t, &t->happening[0]), "leaving of c");
  CHECK_NEAR(at_event(t, 0, "p.z"), r * c, 1e-9);
  CHECK_TEXT(walk_happening_name(t, &t->happening[1]), "impact of f");
  CHECK_NEAR(t->happening[1].t - t->happening[0].t, (u - down) / g, 1e-9);
  CHECK_NEAR(at_event(t, 1, "v.z"), 0.3 * u, 1e-9);
  CHECK_NEAR(at_event(t, 1, "v.x"), v * c - 2 * (v * c - v) / 7, 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

// Inside an ellipsoid, thrown from one side of its middle to the other: the foot of the smooth ball
// is the root of the least distance, by bisection in a program of its own.
TEST(a_ball_thrown_inside_an_ellipsoid_finds_the_wall_that_is_next)
{
  bench b = bench_text("ball b mass 1 radius 0.1\ngravity (0, 0, -9.81)\n"
                       "slide b as sphere(0.1) on world as ellipsoid(1, 0.6, 0.5) inside at c "
                       "with restitution 0.8\ninitial pos(b) = (0.6, 0.05, 0.1)\n"
                       "initial vel(b) = (-3, 0.5, 1)\ninitial omega(b) = (0, 0, 0)\n"
                       "output v = vel(b)\nrun 0 .. 1.5\n");
  static const double want[3][2] = {{0.38512070452177055, -0.6978497016603975},
                                    {0.5926985529352966, 1.9606576523346684},
                                    {0.8830659540044115, 2.299944893439733}};
  walk_track* t = bench_run(&b, 1e-11, 0, NULL);
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(t->happening[i].t, want[i][0], 1e-9);
    CHECK_NEAR(at_event(t, i, "v.x"), want[i][1], 1e-8);
  }
  walk_track_free(t);
  bench_free(&b);
}

// the distance of a place from the point of the ellipsoid with axes a that is n on the unit sphere
static double from_wall(const double* a, const double* place, const double* n)
{
  double square = 0;
  for (int k = 0; k < 3; k++) square += pow(place[k] - a[k] * n[k], 2);
  return sqrt(square);
}

// The foot of a ball anywhere inside an ellipsoid: no point of a fine net of the wall is nearer. Of
// two that are nearly as near either may be taken, as the net of the search is coarse.
TEST(the_wall_that_is_next_is_found_from_everywhere)
{
  enum { net = 5000 };
  static const double axes[3][3] = {{1, 0.6, 0.5}, {1, 0.9, 0.2}, {0.3, 1, 0.8}};
  uint64_t seed = 11;
  for (int turn = 0; turn < 3; turn++) {
    const double* a = axes[turn];
    char text[400];
    snprintf(text, sizeof text,
             "ball b mass 1 radius 0.01\nslide b as sphere(0.01) on world as "
             "ellipsoid(%g, %g, %g) inside at c with restitution 0.8\n",
             a[0], a[1], a[2]);
    bench b = bench_text(text);
    engine* e = b.system ? contact_engine_new(b.system, b.notes) : NULL;
    CHECK(e && e->model->contact[0].near.count == 3);
    for (int trial = 0; e && trial < 60; trial++) {
      double place[3], q[20] = {0}, v[20] = {0}, least = INFINITY;
      for (int k = 0; k < 3; k++) {
        engine_shake(place + k, 1, &(double){0}, 1, NULL, &seed);
        place[k] *= 0.5 * a[k];
      }
      memcpy(q, place, sizeof place);
      q[model_coord_find(b.model, "b.qw")] = 1;
      const int foot = model_coord_find(b.model, "c.bx");
      q[foot] = 1;
      engine_state(e, 0, q, v);
      CHECK(contact_foot_seed(e, 0));
      for (int k = 0; k < net; k++) {
        const double z = 1 - (2 * k + 1.0) / net, r = sqrt(1 - z * z), turned = 2.4 * k;
        const double n[3] = {r * cos(turned), r * sin(turned), z};
        least = fmin(least, from_wall(a, place, n));
      }
      CHECK(from_wall(a, place, e->q + foot) <= 1.05 * least);
    }
    engine_free(e);
    bench_free(&b);
  }
}

// a wheel that grips while it stands, alone and beside what rubs elsewhere
TEST(what_holds_while_a_contact_does_holds_beside_friction)
{
  static const char* const rest[2] = {"", "coord X, Y\nparticle crate mass 2 = (X, Y, 0) in world\n"
                                          "constraint floor: pos(crate).y >= 0 with friction 0.3\n"
                                          "initial X' = 2\n"};
  const double at[] = {0.5, 1};
  double found[2][4];
  for (int k = 0; k < 2; k++) {
    char text[900];
    snprintf(text, sizeof text,
             "coord x, y, phi\nframe disc = world at (x, y, 0) rotated z(-phi)\n"
             "body load mass 1 inertia (0.3, 0.3, 0.3) at (0, 0.5, 0) in disc\n"
             "gravity (0, -9.81, 0)\nconstraint rail: y - 1 >= 0\n"
             "constraint grip: x' = phi' while rail\ninitial y = 1.2\ninitial phi = -1\n"
             "initial phi' = 3\n%srun 0 .. 1\n",
             rest[k]);
    bench b = bench_text(text);
    walk_track* t = bench_run(&b, 1e-12, 2, at);
    for (int row = 0; row < 2; row++) {
      found[k][2 * row] = bench_value(t, row, "x");
      found[k][2 * row + 1] = bench_value(t, row, "phi");
    }
    walk_track_free(t);
    bench_free(&b);
  }
  for (int i = 0; i < 4; i++) CHECK_NEAR(found[1][i], found[0][i], 1e-10);
}

// Bounces that accumulate take energy to the last: what grips at each of them grips at rest.
TEST(an_ellipsoid_that_bounces_to_rest_on_another_gains_nothing)
{
  bench b = bench_text("body E mass 1 inertia (0.01, 0.012, 0.015)\ngravity (0, 0, -9.81)\n"
                       "roll E as ellipsoid(0.2, 0.15, 0.1) on world as ellipsoid(1, 0.8, 0.5) at "
                       "c with restitution 0.6\ninitial pos(E) = (0.1, 0.05, 1)\n"
                       "initial vel(E) = (0, 0, 0)\ninitial rotation(E) = x(0.3) y(0.2)\n"
                       "initial omega(E) = (1, 0, 2)\noutput H = energy()\nrun 0 .. 1\n");
  walk_track* t = bench_run(&b, 1e-11, 0, NULL);
  CHECK_NEAR(last_time(t, "rest of c"), 0.958, 1e-3);
  double most = 0;
  for (int row = 1; row < t->table.rows; row++)
    most = fmax(most, bench_value(t, row, "H") - bench_value(t, row - 1, "H"));
  CHECK_NEAR(most, 0, 1e-10);
  walk_track_free(t);
  bench_free(&b);
}

// a start that closes begins with the impact, one that opens with the flight
TEST(a_ball_that_starts_on_the_floor_may_strike_it_or_leave_it)
{
  for (int up = -1; up < 2; up += 2) {
    char text[600];
    snprintf(text, sizeof text,
             "param R = 0.1\nball b mass 1 radius R\ngravity (0, 0, -9.81)\n"
             "roll b as sphere(R) on world as plane at c with restitution 0.5\n"
             "initial pos(b) = (0, 0, R)\ninitial vel(b) = (1, 0, %d)\n"
             "initial omega(b) = (0, 0, 0)\noutput v = vel(b)\nrun 0 .. 0.5\n",
             up);
    bench b = bench_text(text);
    walk_track* t = bench_run(&b, 1e-11, 0, NULL);
    CHECK_NEAR(bench_value(t, 0, "v.x"), up > 0 ? 1 : 5.0 / 7, 1e-12);
    CHECK_NEAR(bench_value(t, 0, "v.z"), up > 0 ? 1 : 0.5, 1e-12);
    CHECK_NEAR(t->happening[0].t, 2 * (up > 0 ? 1 : 0.5) / 9.81, 1e-11);
    walk_track_free(t);
    bench_free(&b);
  }
}

// A ball dropped with the speed 1 along the floor. The impact takes its slip, while the moment k P
// rubs: P_t (1 + R^2/I) = -1 - R k P/I. Then (I + R^2) w = k J, J being what presses until it
// stops.
TEST(rolling_friction_acts_in_impacts_and_brings_the_ball_to_rest)
{
  bench b = bench_text("param R = 0.1, k = 0.002\nball b mass 1 radius R\ngravity (0, 0, -9.81)\n"
                       "roll b as sphere(R) on world as plane at c with restitution 0.5 with "
                       "rolling friction k\ninitial pos(b) = (0, 0, 0.5)\n"
                       "initial vel(b) = (1, 0, 0)\ninitial omega(b) = (0, 0, 0)\n"
                       "output v = vel(b)\nrun 0 .. 8\n");
  walk_track* t = bench_run(&b, 1e-11, 0, NULL);
  const double R = 0.1, k = 0.002, g = 9.81, I = 0.4 * R * R, u = sqrt(2 * g * 0.4);
  const double moment = k * 1.5 * u, v = 1 - (1 + R * moment / I) / (1 + R * R / I);
  CHECK_NEAR(at_event(t, 0, "v.x"), v, 1e-11);
  CHECK_NEAR(hypot(impulse_of(t, 0, "c.rest1"), impulse_of(t, 0, "c.rest2")), moment, 1e-12);
  CHECK_NEAR(last_time(t, "rest of c"), 3 * u / g, 1e-10);
  const double J = (I + R * R) * v / (R * k);
  CHECK_NEAR(last_time(t, "end of rolling of c"), (u + J + 0.5 * u) / g, 1e-9);
  CHECK_NEAR(t->energy_balance, 0, 1e-10);
  walk_track_free(t);
  bench_free(&b);
}

// ---- two bodies in flight -----------------------------------------------------------------------

#define BALLS(FRICTION)                                                                         \
  "param r = 0.1, m = 1\nball a mass m radius r\nball b mass m radius r\n"                      \
  "slide a as sphere(r) on b as sphere(r) at c with release with restitution 0.8" FRICTION      \
  "\ninitial pos(a) = (0, 0, 0)\ninitial pos(b) = (0.5, 0.05, 0)\ninitial vel(a) = (2, 0, 0)\n" \
  "initial vel(b) = (0, 0, 0)\ninitial omega(a) = (0, 0, 0)\ninitial omega(b) = (0, 0, 0)\n"    \
  "output v = vel(a)\noutput u = vel(b)\noutput w = omega(a)\nrun 0 .. 1\n"

// No force acts, nothing touches. The centres are 0.2 apart when x = 0.5 - sqrt(0.04 - 0.0025), on
// a line with n = (sqrt(15), 1)/4: they come together at 2 n_x = sqrt(15)/2 and leave at 0.8 of it,
// by the impulse J = 0.9 sqrt(15)/2 on each.
TEST(two_smooth_balls_collide_in_flight)
{
  bench b = bench_text(BALLS(""));
  const double at[] = {1}, J = 0.45 * sqrt(15), n_x = sqrt(15) / 4;
  walk_track* t = bench_run(&b, 1e-10, 1, at);
  CHECK(t && t->happenings == 1);
  CHECK_NEAR(t->happening[0].t, (0.5 - sqrt(0.0375)) / 2, 1e-12);
  CHECK_NEAR(bench_value(t, 0, "v.x"), 2 - J * n_x, 1e-11);
  CHECK_NEAR(bench_value(t, 0, "u.y"), J / 4, 1e-11);
  CHECK_NEAR(bench_value(t, 0, "w.z"), 0, 1e-11);
  walk_track_free(t);
  bench_free(&b);
}

// The slip 1/2 across meets the mobility 2 (1 + 5/2): an impulse of 1/14, less than mu J, ends it.
TEST(two_rough_balls_that_collide_in_flight_spin_alike)
{
  bench b = bench_text(BALLS(" with friction 0.3"));
  const double at[] = {1}, J = 0.45 * sqrt(15), n_x = sqrt(15) / 4, T = 1.0 / 14;
  walk_track* t = bench_run(&b, 1e-10, 1, at);
  CHECK_NEAR(bench_value(t, 0, "v.x"), 2 - J * n_x - T / 4, 1e-10);
  CHECK_NEAR(bench_value(t, 0, "v.y"), -J / 4 + T * n_x, 1e-10);
  CHECK_NEAR(bench_value(t, 0, "w.z"), 2.5 * T / 0.1, 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

// with less friction it slips all through the impact: T = mu J
TEST(two_slippery_balls_that_collide_go_on_slipping)
{
  bench b = bench_text(BALLS(" with friction 0.02"));
  const double at[] = {1}, J = 0.45 * sqrt(15);
  walk_track* t = bench_run(&b, 1e-10, 1, at);
  CHECK_NEAR(bench_value(t, 0, "w.z"), 2.5 * 0.02 * J / 0.1, 1e-9);
  walk_track_free(t);
  bench_free(&b);
}
