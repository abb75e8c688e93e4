// Flat shapes with corners, event by event, against closed forms and steps of time.
#include "bench.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

#define BLOCK                                                                      \
  "param g = 9.81, w = 0.4, h = 0.2, m = 1, J = m*(w^2 + h^2)/12\n"                \
  "gravity (0, -g, 0)\ncoord x, y, a\nframe F = world at (x, y, 0) rotated z(a)\n" \
  "body b mass m inertia (J, J, J) at (0, 0, 0) in F\n"
#define TABLE     "world as polygon (-1, -0.5) (0, -0.5) (0, 0) (-1, 0)"
#define BY_EVENTS "method dop853\n"

static walk_track* run(bench* b, const char* text, double h, int points)
{
  *b = bench_text(text);
  walk_options o = walk_options_default();
  o.points = points;
  o.step = h;
  walk_track* t = b->system ? walk_run(b->system, &o, b->notes) : NULL;
  if (!t || t->status != WALK_DONE || *t->doubt)
    check_fail(__FILE__, __LINE__, "no run: %s",
               t ? (*t->doubt ? t->doubt : t->reason) : bench_first_error(b));
  return t;
}

static void at_end(const char* text, double h, int count, const char* const* column, double* out)
{
  bench b;
  walk_track* t = run(&b, text, h, 2);
  for (int i = 0; i < count; i++) out[i] = t ? bench_value(t, t->table.rows - 1, column[i]) : NAN;
  walk_track_free(t);
  bench_free(&b);
}

static const walk_happening* first_of(const walk_track* t, const char* word)
{
  for (int i = 0; t && i < t->happenings; i++)
    if (!strncmp(t->happening[i].name, word, strlen(word))) return &t->happening[i];
  return NULL;
}

// The pressure comes to the corner of the table where the line of weight and friction meets it:
// x = -mu h/2, which is reached at v0 t - mu g t^2/2 = 0.4 - mu h/2.
TEST(a_sliding_block_tips_where_its_friction_lets_it)
{
  static const char text[] =
      BLOCK "contact c: b as box(w, h), " TABLE " with friction 0.2\ninitial x = -0.4\n"
            "initial y = h/2\ninitial x' = 1.5\nrun 0 .. 0.5\n" BY_EVENTS;
  const double mu = 0.2, g = 9.81, way = 0.4 - mu * 0.2 / 2;
  const double t = (1.5 - sqrt(1.5 * 1.5 - 2 * mu * g * way)) / (mu * g);
  bench b;
  walk_track* track = run(&b, text, 0, 2);
  const walk_happening* tips = first_of(track, "loosening of c.");
  CHECK(tips);
  if (tips) CHECK_NEAR(tips->t, t, 1e-9);
  walk_track_free(track);
  bench_free(&b);
}

// about the corner of the table, which it does not leave: J_c a'^2/2 = m g (y(0) - y)
TEST(a_block_turns_about_the_corner_of_a_table)
{
  static const char text[] =
      BLOCK "param d = 0.05\ncontact c: b as box(w, h), " TABLE " with friction 2\ninitial x = d\n"
            "initial y = h/2\noutput N = reaction(c)\noutput gp = gap(c)\noutput st = state(c)\n"
            "run 0 .. 0.25\n" BY_EVENTS;
  static const char* const columns[] = {"x", "y", "a'", "N", "gp", "st"};
  const double J = (0.16 + 0.04) / 12 + 0.05 * 0.05 + 0.01;
  double got[6];
  at_end(text, 0, 6, columns, got);
  CHECK_NEAR(hypot(got[0], got[1]), hypot(0.05, 0.1), 1e-10);
  CHECK_NEAR(got[2] * got[2], 2 * 9.81 * (0.1 - got[1]) / J, 1e-8);
  CHECK(got[3] > 1);
  CHECK_NEAR(got[4], 0, 1e-12);
  CHECK_NEAR(got[5], 1, 0);
}

// P = (1 + e) v / (2/m + (y1^2 + y2^2)/J), y the heights of the corner above both centres
TEST(a_corner_hits_a_side)
{
  static const char text[] =
      "param w = 0.4, h = 0.2, m = 1, J = m*(w^2 + h^2)/12\nfor i in 1..2 {\n"
      "coord x[i], y[i], a[i]\nframe F[i] = world at (x[i], y[i], 0) rotated z(a[i])\n"
      "body b[i] mass m inertia (J, J, J) at (0, 0, 0) in F[i]\n}\n"
      "contact c: b[1] as box(w, h), b[2] as box(w, h) with restitution 0.5\n"
      "initial x[1] = -0.5\ninitial y[1] = 0.03\ninitial a[1] = 0.4\ninitial x[1]' = 1\n"
      "initial x[2] = 0\nrun 0 .. 0.2\n" BY_EVENTS;
  static const char* const columns[] = {"x[1]'", "x[2]'", "a[1]'", "a[2]'", "y[1]'"};
  const double J = 0.2 / 12, y1 = 0.2 * sin(0.4) - 0.1 * cos(0.4), y2 = 0.03 + y1;
  const double P = 1.5 / (2 + (y1 * y1 + y2 * y2) / J);
  double got[5];
  at_end(text, 0, 5, columns, got);
  CHECK_NEAR(got[0], 1 - P, 1e-11);
  CHECK_NEAR(got[1], P, 1e-11);
  CHECK_NEAR(got[2], P * y1 / J, 1e-10);
  CHECK_NEAR(got[3], -P * y2 / J, 1e-10);
  CHECK_NEAR(got[4], 0, 1e-12);
}

// Housner (1963): a block that rocks loses speed at each change of corners, in the ratio
// 1 - 3/2 sin^2(alpha), tan(alpha) = w/h.
TEST(a_rocking_block_loses_speed_as_housner_has_it)
{
  static const char text[] =
      "param g = 9.81, w = 0.2, h = 1, m = 1, J = m*(w^2 + h^2)/12, th = 0.1\n"
      "gravity (0, -g, 0)\ncoord x, y, a\nframe F = world at (x, y, 0) rotated z(a)\n"
      "body b mass m inertia (J, J, J) at (0, 0, 0) in F\n"
      "contact c: b as box(w, h), world as polygon (-2, -1) (2, -1) (2, 0) (-2, 0) with friction "
      "2\n"
      "initial a = th\ninitial y = w/2*sin(th) + h/2*cos(th)\noutput E = energy()\n"
      "run 0 .. 0.75\n" BY_EVENTS;
  static const char* const columns[] = {"E", "a"};
  const double start = 9.81 * (0.1 * sin(0.1) + 0.5 * cos(0.1)), flat = 9.81 * 0.5;
  const double ratio = 1 - 1.5 * 0.04 / 1.04;
  double got[2];
  at_end(text, 0, 2, columns, got);
  CHECK(got[1] < -0.01);
  CHECK_NEAR((got[0] - flat) / (start - flat), ratio * ratio, 1e-9);
}

// off the table in a turn, by both
TEST(events_and_steps_of_time_agree_about_a_block_that_falls)
{
  static const char text[] =
      BLOCK "contact c: b as box(w, h), " TABLE " with friction 0.2\ninitial x = -0.4\n"
            "initial y = h/2\ninitial x' = 1.5\nrun 0 .. 1\n%s";
  static const char* const columns[] = {"x", "y", "a"};
  char by[2][1024];
  double got[2][3];
  snprintf(by[0], sizeof by[0], text, BY_EVENTS);
  snprintf(by[1], sizeof by[1], text, "");
  at_end(by[0], 0, 3, columns, got[0]);
  at_end(by[1], 2e-4, 3, columns, got[1]);
  for (int i = 0; i < 3; i++) CHECK_NEAR(got[0][i], got[1][i], 2e-3);
  CHECK(got[0][1] < -1);
}

// a triangle, a box and a pentagon fall into a pit, hit each other and come to lie there
TEST(shapes_in_a_pit_never_overlap_and_gain_no_energy)
{
  static const char text[] =
      "param g = 9.81\ngravity (0, -g, 0)\nfor i in 1..3 {\ncoord x[i], y[i], a[i]\n"
      "frame F[i] = world at (x[i], y[i], 0) rotated z(a[i])\n"
      "body b[i] mass 1 inertia (0.01, 0.01, 0.01) at (0, 0, 0) in F[i]\n"
      "initial x[i] = 0.1*cos(7*i)\ninitial y[i] = 0.4*i\ninitial a[i] = 2*sin(5*i)\n"
      "initial a[i]' = 6*cos(3*i)\n}\nframe L = world at (-0.5, 0.5, 0)\n"
      "contacts c: among b[1] as polygon (0.15, 0) (-0.08, 0.13) (-0.07, -0.13) and "
      "b[2] as box(0.3, 0.2) and b[3] as polygon (0.15, 0) (0.05, 0.14) (-0.12, 0.09) (-0.12, "
      "-0.09) (0.05, -0.14) and world as polygon (-1, -0.5) (1, -0.5) (1, 0) (-1, 0) and L as "
      "box(0.2, 2) with restitution 0.3\noutput gp = gap(c)\noutput E = energy()\nrun 0 .. "
      "0.8\n" BY_EVENTS;
  bench b;
  walk_track* t = run(&b, text, 0, 200);
  CHECK(t && t->happenings > 10);
  for (int i = 1; t && i < t->table.rows; i++) {
    CHECK(bench_value(t, i, "gp") > -1e-9);
    CHECK(bench_value(t, i, "E") < bench_value(t, i - 1, "E") + 1e-9);
  }
  walk_track_free(t);
  bench_free(&b);
}

TEST(steps_of_time_do_not_take_what_is_decided_event_by_event)
{
  static const char text[] = BLOCK "contact c: b as box(w, h), " TABLE
                                   "\ninitial x = -0.4\ninitial y = h/2\nrun 0 .. 1\n" BY_EVENTS;
  bench b = bench_text(text);
  walk_options o = walk_options_default();
  o.method = "moreau";
  walk_track* t = walk_run(b.system, &o, b.notes);
  CHECK(!t);
  CHECK(strstr(bench_first_error(&b), "decided event by event"));
  walk_track_free(t);
  bench_free(&b);
}

// A disc rolls over the edge and turns about it: its centre is at height r cos(th), and
// 3/4 m v^2 + m g r cos(th) is kept while it rolls. By steps of time the same.
TEST(a_disc_rolls_over_an_edge)
{
  static const char text[] =
      "param g = 9.81, r = 0.1, J = r^2/2\ngravity (0, -g, 0)\ncoord x, y, a\n"
      "frame F = world at (x, y, 0) rotated z(a)\nbody b mass 1 inertia (J, J, J) at (0, 0, 0) in "
      "F\n"
      "contact c: b as circle(r), " TABLE " with friction 1\ninitial x = -0.1\ninitial y = r\n"
      "initial x' = 0.5\ninitial a' = -5\noutput gp = gap(c)\noutput v = hypot(x', y')\n"
      "run 0 .. 0.3\n%s";
  static const char* const columns[] = {"x", "y", "v", "a'", "gp"};
  char by[2][1024];
  double got[2][5];
  snprintf(by[0], sizeof by[0], text, BY_EVENTS);
  snprintf(by[1], sizeof by[1], text, "");
  at_end(by[0], 0, 5, columns, got[0]);
  at_end(by[1], 2e-4, 5, columns, got[1]);
  const double v = got[0][2], y = got[0][1];
  CHECK(got[0][0] > 0.05);
  CHECK_NEAR(hypot(got[0][0], y), 0.1, 1e-10);
  CHECK_NEAR(0.75 * v * v + 9.81 * y, 0.75 * 0.25 + 9.81 * 0.1, 1e-9);
  CHECK_NEAR(got[0][3], -v / 0.1, 1e-8);
  CHECK_NEAR(got[0][4], 0, 1e-10);
  for (int i = 0; i < 3; i++) CHECK_NEAR(got[0][i], got[1][i], 1e-3);
}

TEST(friction_across_a_link_that_its_joint_holds_in_the_plane_is_none)
{
  // The tip sticks while the jump of a force shares its load: the friction along z moves nothing,
  // since the joint holds the link there, and neither of them may press against the other.
  bench b = bench_text(
      "coord X, Y, x, y, z\npoint O = (X, Y, 0) in world\n"
      "kinetic vel(O).x^2 + vel(O).y^2\ngravity (0, -9.81, 0)\npotential 2*9.81*Y\n"
      "orientation Q\nframe F = world at (x, y, z) rotated by Q\n"
      "body B mass 1 inertia (0.03, 0.03, 0.03) at (0, 0, 0) in F\n"
      "point H = (-0.4, 0, 0) in F\npoint E = (0.4, 0, 0) in F\npoint Z = (0, 0, 1) in F\n"
      "constraint joint: pos(H) = pos(O)\n"
      "constraint flatx: pos(Z).x - x = 0\nconstraint flaty: pos(Z).y - y = 0\n"
      "constraint floor: pos(E).y >= 0 with friction 0.5\n"
      "force (20*t - 8*sign(vel(E).x), 0, 0) in world at E\n"
      "initial pos(E).y = 0\ninitial X = 0\ninitial Y = 0.8*sin(1.2)\n"
      "initial x ~ 0.15\ninitial y ~ 0.37\ninitial Q.z ~ -0.56\ninitial Q.w ~ 0.82\n"
      "run 0 .. 0.4\n");
  const double at[] = {0.1, 0.2, 0.3};
  walk_track* t = bench_run(&b, 1e-10, 3, at);
  CHECK_INT(t->status, WALK_DONE);
  for (int r = 0; r < 3; r++) {
    CHECK_NEAR(bench_value(t, r, "reaction.joint.z"), 0, 1e-9);
    CHECK_NEAR(bench_value(t, r, "reaction.flatx"), 0, 1e-9);
    CHECK_NEAR(bench_value(t, r, "reaction.flaty"), 0, 1e-9);
  }
  walk_track_free(t);
  bench_free(&b);
}
