// Impacts in a run: their impulses, one after the other, energy that a law makes.
#include "bench.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_told(const bench* b, const char* part)
{
  for (int i = 0; i < base_notes_count(b->notes); i++)
    if (strstr(base_notes_reason(b->notes, i), part)) return true;
  return false;
}

// ---- a rod of half length 1 and mass 1 strikes a rough floor with its end -----------------------

#define ROD(LAW)                                                                          \
  "param th0 = 2.2, u = -0.8, w = 1, mu = 0.7\ncoord x, y, th\n"                          \
  "kinetic (x'^2 + y'^2)/2 + th'^2/6\npoint P = (x + cos(th), y + sin(th), 0) in world\n" \
  "constraint floor: pos(P).y >= 0 with restitution 1" LAW " with friction mu\n"          \
  "initial th = th0\ninitial y = -sin(th0)\ninitial y' = -1 - w*cos(th0)\n"               \
  "initial x' = u + w*sin(th0)\ninitial th' = w\noutput T = kinetic()\nrun 0 .. 1e-6\n"

// Newton's law: the end leaves as fast as it came; friction stops its slip or is mu of the
// pressure. W = J M^-1 J^T of the normal and the tangent, from M = diag(1, 1, 1/3).
static double energy_by_hand(double th, double u, double w, double mu)
{
  const double c = cos(th), s = sin(th), W_nn = 1 + 3 * c * c, W_nt = -3 * c * s,
               W_tt = 1 + 3 * s * s;
  const double vx = u + w * s, vy = -1 - w * c;
  // sticking: W (P_n, P_t) = (2, -u)
  const double det = W_nn * W_tt - W_nt * W_nt;
  double n = (2 * W_tt + u * W_nt) / det, t = (-u * W_nn - 2 * W_nt) / det;
  for (int way = -1; way <= 1 && fabs(t) > mu * n; way += 2) {
    const double press = 2 / (W_nn + way * mu * W_nt);
    if (press > 0 && way * (u + (W_nt + way * mu * W_tt) * press) <= 0) {
      n = press;
      t = way * mu * press;
    }
  }
  const double x = vx + t, y = vy + n, turn = w + 3 * (c * n - s * t);
  return (x * x + y * y) / 2 + turn * turn / 6;
}

TEST(energy_that_newtons_law_makes_with_friction_is_told)
{
  bench b = bench_text(ROD(""));
  const double at[] = {1e-6};
  walk_track* t = bench_run(&b, 1e-12, 1, at);
  const double before = (0.5 * (pow(-0.8 + sin(2.2), 2) + pow(-1 - cos(2.2), 2)) + 1.0 / 6);
  const double after = energy_by_hand(2.2, -0.8, 1, 0.7);
  CHECK(after > 1.01 * before);
  CHECK_NEAR(bench_value(t, 0, "T"), after, 1e-9);
  CHECK(is_told(&b, "more energy after the impact"));
  walk_track_free(t);
  bench_free(&b);
}

// At the start no scale of speeds or masses has been seen; the speed given is not the one that the
// run begins with, and that is said. What begins at rest on the floor is not struck.
TEST(a_start_that_runs_into_a_wall_is_told)
{
  static const struct
  {
    const char* text;
    bool told;
  } start[] = {
      {"coord y\nkinetic y'^2/2\ninitial y' = -1\n", true},
      {"coord y, x\nkinetic (x'^2 + y'^2)/2\ninitial y' = -1\n", true},
      {"coord y\nkinetic 1e-12*y'^2/2\ninitial y' = -1e-6\n", true},
      {"coord y\nkinetic y'^2/2\n", false},
      {"coord y, x\nkinetic (x'^2 + y'^2)/2\ninitial x' = 1\n", false},
  };
  for (int k = 0; k < 5; k++) {
    char text[256];
    snprintf(text, sizeof text, "%sforce y = -1e-12\n%s", start[k].text,
             "constraint floor: y >= 0 with restitution 0.5\ninitial y = 0\nrun 0 .. 1e-3\n");
    bench b = bench_text(text);
    const double at[] = {0};
    walk_track* t = bench_run(&b, 1e-10, 1, at);
    CHECK(is_told(&b, "runs into `floor`") == start[k].told);
    walk_track_free(t);
    bench_free(&b);
  }
}

TEST(poissons_law_makes_none)
{
  bench b = bench_text(ROD(" poisson"));
  const double at[] = {1e-6};
  walk_track* t = bench_run(&b, 1e-12, 1, at);
  const double before = (0.5 * (pow(-0.8 + sin(2.2), 2) + pow(-1 - cos(2.2), 2)) + 1.0 / 6);
  CHECK(bench_value(t, 0, "T") <= before);
  CHECK(!is_told(&b, "more energy after the impact"));
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_moving_paddle_gives_energy_without_a_warning)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\nconstraint paddle: x - t >= 0 with restitution 1\n"
                       "initial x = 1\ninitial x' = -1\nrun 0 .. 1\n");
  const double at[] = {1};
  walk_track* t = bench_run(&b, 1e-12, 1, at);
  CHECK_NEAR(bench_value(t, 0, "x'"), 3, 1e-12);
  CHECK(!is_told(&b, "more energy"));
  walk_track_free(t);
  bench_free(&b);
}

// ---- where an impact happens --------------------------------------------------------------------

// The product of the angular momenta about the foci is kept by an impact on the ellipse, and by no
// impact beside it: after 8,726 of them, by every method, nothing but rounding is left.
TEST(a_billiard_keeps_its_caustic_over_thousands_of_impacts)
{
  static const char* const method[] = {"taylor", "dop853"};
  bench b = bench_text("param A = 2, B = 1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n"
                       "constraint wall: 1 - (x/A)^2 - (y/B)^2 >= 0 with restitution 1\n"
                       "initial x = 0.3\ninitial y = 0.2\ninitial x' = 1\ninitial y' = 0.7\n"
                       "output J = (x*y' - y*x')^2 - (A^2 - B^2)*y'^2\nrun 0 .. 15000\n");
  const double at[] = {0, 15000};
  for (int i = 0; i < 2; i++) {
    walk_track* t = bench_run_by(&b, method[i], 1e-10, 2, at);
    CHECK_NEAR(bench_value(t, 1, "J"), bench_value(t, 0, "J"), 1e-12);
    walk_track_free(t);
  }
  bench_free(&b);
}

// the same under gravity, where the time of an impact is no root of a line: the
// ball falls through 1/2 g t^2 and climbs back, its energy kept by 1,000 bounces
TEST(a_ball_keeps_its_height_over_a_thousand_bounces)
{
  bench b = bench_text("coord y\nkinetic y'^2/2\npotential 9.81*y\n"
                       "constraint floor: y >= 0 with restitution 1\ninitial y = 1\n"
                       "output E = energy()\nrun 0 .. 900\n");
  const double at[] = {0, 900};
  walk_track* t = bench_run(&b, 1e-10, 2, at);
  CHECK_NEAR(bench_value(t, 1, "E"), 9.81, 1e-12);
  walk_track_free(t);
  bench_free(&b);
}

// ---- no motion ----------------------------------------------------------------------------------

// Painleve's rod in space: no reactions, by our methods and by Siconos, which is asked then and
// ends by an assertion of its own, not of this process
TEST(a_contact_in_space_without_a_motion_ends_the_run_with_the_reason)
{
  bench b = bench_text(
      "coord x, y, z, th, ps\nframe F = world at (x, y, z) rotated z(ps) y(-th)\n"
      "body R mass 1 inertia (0.001, 1/3, 1/3) at (0, 0, 0) in F\npoint P = (-1, 0, 0) in F\n"
      "gravity (0, 0, -9.81)\nconstraint floor: pos(P).z >= 0 with friction 2.5\n"
      "initial th = 0.6\ninitial z = sin(0.6)\ninitial vel(P).x = -2\ninitial vel(P).z = 0\n"
      "initial th' = 0\nrun 0 .. 1\n");
  walk_options o = walk_options_default();
  walk_track* t = walk_run(b.system, &o, b.notes);
  CHECK(!t);
  CHECK(is_told(&b, "there may be none (Painleve)"));
  walk_track_free(t);
  bench_free(&b);
}

// ---- one after the other ------------------------------------------------------------------------

// balls of masses 1, 2, .., each hit once: v' = 2 m/(m + m') v, the last leaves with the product
TEST(unequal_balls_in_a_row_pass_the_blow_on)
{
  enum { balls = 6 };
  char text[1200];
  int at = snprintf(text, sizeof text, "coord x1");
  for (int i = 2; i <= balls; i++) at += snprintf(text + at, sizeof text - (size_t)at, ", x%d", i);
  at += snprintf(text + at, sizeof text - (size_t)at, "\nkinetic x1'^2/2");
  for (int i = 2; i <= balls; i++)
    at += snprintf(text + at, sizeof text - (size_t)at, " + %d*x%d'^2/2", i, i);
  for (int i = 1; i < balls; i++)
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "\nconstraint c%d: x%d - x%d >= 0 with restitution 1 sequential", i, i + 1, i);
  snprintf(text + at, sizeof text - (size_t)at, "\ninitial x1' = 1\nrun 0 .. 1\n");
  bench b = bench_text(text);
  const double when[] = {1};
  walk_track* t = bench_run(&b, 1e-12, 1, when);
  double v = 1;
  for (int i = 1; i < balls; i++) v *= 2.0 * i / (2 * i + 1);
  char column[8];
  snprintf(column, sizeof column, "x%d'", balls);
  CHECK_NEAR(bench_value(t, 0, column), v, 1e-13);
  CHECK_NEAR(bench_value(t, 0, "x1'"), -1.0 / 3, 1e-13);
  walk_track_free(t);
  bench_free(&b);
}

// ---- impulses -----------------------------------------------------------------------------------

// 2 kg at (3, -4) m/s on a floor with mu = 0.25, e = 0.5: P = 2*4*1.5 = 12, friction 3
TEST(an_impact_tells_its_impulses)
{
  bench b = bench_text("coord x, y\nparticle p mass 2 = (x, y, 0) in world\n"
                       "constraint floor: pos(p).y >= 0 with restitution 0.5 with friction 0.25\n"
                       "initial y = 4\ninitial x' = 3\ninitial y' = -4\nrun 0 .. 2\n");
  walk_track* t = bench_run(&b, 1e-12, 0, NULL);
  CHECK(t && t->happenings == 1 && t->happening[0].impulse);
  if (t && t->happenings && t->happening[0].impulse) {
    const model_constraint* c = &t->model->constraint[0];
    CHECK_NEAR(t->happening[0].impulse[0], 12, 1e-12);
    CHECK_NEAR(fabs(t->happening[0].impulse[c->stick[0]]), 3, 1e-12);
  }
  walk_track_free(t);
  bench_free(&b);
}

// Housner (1963): a block that rocks from one edge to the other on a floor so rough that it does
// not slip keeps the share 1 - 3/2 sin(a)^2 of its turning, tan(a) = width/height
TEST(a_block_rocks_over_with_the_share_of_housner)
{
  bench b =
      bench_text("param w = 1, h = 4\ncoord x, y, th\nframe B = world at (x, y, 0) rotated z(th)\n"
                 "body block mass 1 inertia (1, 1, (w^2 + h^2)/12) at (0, h/2, 0) in B\n"
                 "point P = (-w/2, 0, 0) in B\npoint Q = (w/2, 0, 0) in B\ngravity (0, -9.81, 0)\n"
                 "constraint left: pos(P).y >= 0 with friction 5\n"
                 "constraint right: pos(Q).y >= 0 with friction 5\n"
                 "initial th = 0.1\ninitial y = w/2*sin(0.1)\ninitial th' = -1\n"
                 "initial vel(P).x = 0\ninitial vel(P).y = 0\n"
                 "event flat: th = 0 falling report\nrun 0 .. 0.2\n");
  walk_track* t = bench_run(&b, 1e-12, 0, NULL);
  CHECK(t && t->happenings >= 2);
  if (t && t->happenings >= 2) {
    int turn = 0;
    while (strcmp(t->column[turn], "th'") != 0) turn++;
    const double before = t->happening[0].row[turn], after = t->happening[1].row[turn];
    CHECK_NEAR(after / before, 1 - 1.5 / 17, 1e-10);
  }
  walk_track_free(t);
  bench_free(&b);
}

// A falls on B, which rests on the floor. Compression brings both to rest by m V, of the floor,
// too; Poisson gives e m V of that back, which lifts both: m e V/(m + M), whether weight presses B
// or not
TEST(poissons_law_gives_back_what_pressed_a_contact_that_only_touched)
{
  const char* weight[] = {"0", "9.81"};
  for (int k = 0; k < 2; k++) {
    char text[400];
    snprintf(text, sizeof text,
             "param g = %s\ncoord a, b\nkinetic (a'^2 + 2*b'^2)/2\npotential g*(a + 2*b)\n"
             "constraint floor: b >= 0 with restitution 0.5 poisson\n"
             "constraint pair: a - b >= 0 with restitution 0 poisson\n"
             "initial a = 0\ninitial a' = -3\ninitial b = 0\nrun 0 .. 0.01\n",
             weight[k]);
    bench b = bench_text(text);
    const double at[] = {0.01};
    walk_track* t = bench_run(&b, 1e-12, 1, at);
    const double lost = k ? 9.81 * 0.01 : 0;
    CHECK_NEAR(bench_value(t, 0, "a'"), 0.5 - lost, 1e-10);
    CHECK_NEAR(bench_value(t, 0, "b'"), 0.5 - lost, 1e-10);
    walk_track_free(t);
    bench_free(&b);
  }
}

// ---- bounces that come to rest ------------------------------------------------------------------

// A body driven to its greatest speed runs into another again and again, sooner each time, and goes
// on with it at that speed.
TEST(bounces_of_a_body_at_its_greatest_speed_end_at_that_speed)
{
  static const double mass[] = {1.5, 2, 3}, back[] = {0.3, 0.4, 0.45};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      char text[400];
      snprintf(text, sizeof text,
               "coord x, y\nkinetic 3*x'^2/2 + %g*y'^2/2\nconstraint limit: x' <= 1\n"
               "constraint meet: y - x >= 0 with restitution %g\nforce x = 4\n"
               "initial y = 0.1\ninitial y' = 0.5\noutput gap = y - x\nrun 0 .. 20\n",
               mass[i], back[k]);
      bench b = bench_text(text);
      walk_track* t = bench_run(&b, 1e-10, 0, NULL);
      CHECK(t->status == WALK_DONE);
      CHECK_NEAR(bench_value(t, t->table.rows - 1, "x'"), 1, 1e-13);
      CHECK_NEAR(bench_value(t, t->table.rows - 1, "y'"), 1, 1e-13);
      CHECK_NEAR(bench_value(t, t->table.rows - 1, "gap"), 0, 1e-11);
      walk_track_free(t);
      bench_free(&b);
    }
}

// The end of a double pendulum falls on a rough floor. Where one of its last bounces sticks, all
// do: it rests where that one was, without a slip that would have to end.
TEST(bounces_that_stick_end_without_slip)
{
  static const double rub[] = {0.6, 0.8, 1.5};
  for (int i = 0; i < 3; i++) {
    char text[600];
    snprintf(text, sizeof text,
             "coord a, b\ngravity (0, -9.81, 0)\nframe A = world rotated z(a)\n"
             "frame B = A at (0.8, 0, 0) rotated z(b)\n"
             "body one mass 1.2 inertia (0, 0, 0.08) at (0.5, 0, 0) in A\n"
             "body two mass 0.8 inertia (0, 0, 0.02) at (0.3, 0, 0) in B\n"
             "point E = (0.6, 0, 0) in B\n"
             "constraint floor: pos(E).y >= 0 with restitution 0.45 with friction %g\n"
             "output e = pos(E)\ninitial a = 1.9\ninitial b = 0.8\nrun 0 .. 2\n",
             rub[i]);
    bench b = bench_text(text);
    walk_track* t = bench_run(&b, 1e-10, 0, NULL);
    CHECK(t->status == WALK_DONE);
    const int last = t->table.rows - 1, rest = t->happenings - 1;
    CHECK(rest > 0 && !strcmp(walk_happening_name(t, &t->happening[rest]), "rest of floor"));
    CHECK_NEAR(bench_value(t, last, "a'"), 0, 1e-12);
    CHECK_NEAR(bench_value(t, last, "b'"), 0, 1e-12);
    walk_track_free(t);
    bench_free(&b);
  }
}

// ---- touches ------------------------------------------------------------------------------------

// A pendulum whose lowest place is on the floor swings as if that were not there, in whatever
// coordinates its height is computed.
TEST(a_way_that_touches_its_limit_from_inside_is_no_impact)
{
  static const char* const chart[] = {
      "coord x, y\nconstraint rod: x^2 + y^2 = 0.4^2\ninitial x = 0.4*sin(1.1)\n"
      "initial y ~ -0.4*cos(1.1)\n",
      "coord a\nlet x = 0.4*sin(a)\nlet y = -0.4*cos(a)\ninitial a = 1.1\n",
      "coord p, r\nlet x = 1.3*p + 0.2*sin(r)\nlet y = 0.9*r - 0.3*p\n"
      "constraint rod: x^2 + y^2 = 0.4^2\ninitial x = 0.4*sin(1.1)\ninitial y ~ -0.4*cos(1.1)\n"};
  double end[3][2];
  for (int i = 0; i < 3; i++)
    for (int floor = 0; floor < 2; floor++) {
      char text[500];
      snprintf(text, sizeof text,
               "%sparticle P mass 1 = (x, y, 0) in world\ngravity (0, -9.81, 0)\n%s"
               "output at = x\nrun 0 .. 5\n",
               chart[i], floor ? "constraint floor: y >= -0.4 with restitution 0.8\n" : "");
      bench b = bench_text(text);
      walk_track* t = bench_run(&b, 1e-12, 0, NULL);
      CHECK(t && t->status == WALK_DONE && !t->happenings);
      end[i][floor] = t ? bench_value(t, t->table.rows - 1, "at") : NAN;
      walk_track_free(t);
      bench_free(&b);
      CHECK_NEAR(end[i][floor], end[0][0], 1e-9);
    }
}

// Bounces of a mass whose ways are coupled, M = (1 c; c 1): each brings its slip to rest, as what
// presses also pushes along, by (c (1 + e) - 2 a)/((1 + e) - 2 c a) of the blow, a the gain of slip
// in free fall over that of the fall. At rest on the floor friction does not suffice, f > mu g: it
// begins to slip at the limit of the bounces, with nothing.
TEST(what_sticks_in_every_bounce_begins_to_slip_at_their_limit)
{
  const double f = -4, g = 10, c = 0.5, mu = 0.38, e = 0.5, end = 1;
  const double falls = (g + c * f) / (1 - c * c), limit = 2 / (falls * (1 - e)),
               slips = (f + mu * g) / (1 - mu * c), pause = 2 / falls,
               gained = (f + c * g) / (1 - c * c) * pause * pause / 2 / (1 - e * e);
  bench b =
      bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2 + 0.5*x'*y'\nforce x = -4\n"
                 "force y = -10\n"
                 "constraint floor: y >= 0 with restitution 0.5 with friction 0.38\n"
                 "initial x = 0\ninitial y = 0\ninitial x' = 0\ninitial y' = 1\nrun 0 .. 1\n");
  walk_track* t = bench_run(&b, 1e-10, 1, &end);
  CHECK(t->status == WALK_DONE);
  CHECK_NEAR(bench_value(t, 0, "x'"), slips * (end - limit), 1e-11);
  CHECK_NEAR(bench_value(t, 0, "x"), gained + slips * (end - limit) * (end - limit) / 2, 1e-11);
  walk_track_free(t);
  bench_free(&b);
}

// Friction in space with a coefficient of nothing is none, beside a friction that is some, too
TEST(friction_of_nothing_in_space_is_none)
{
  static const char* const frictions[] = {"", " with friction 0", " with friction mu"};
  const double end = 0.8;
  double at[3][2];
  for (int k = 0; k < 3; k++) {
    char text[400];
    snprintf(text, sizeof text,
             "param mu = 0\ncoord x, y, z\nparticle p mass 1 = (x, y, z) in world\n"
             "gravity (0, 0, -9.81)\nforce x = -0.3*sign(x')\n"
             "constraint floor: pos(p).z >= 0 with restitution 0.5%s\n"
             "initial z = 1\ninitial x' = 1\nrun 0 .. 0.8\n",
             frictions[k]);
    bench b = bench_text(text);
    walk_track* t = b.system ? bench_run(&b, 1e-10, 1, &end) : NULL;
    CHECK(t && t->status == WALK_DONE);
    at[k][0] = t ? bench_value(t, 0, "x") : NAN;
    at[k][1] = t ? bench_value(t, 0, "z") : NAN;
    walk_track_free(t);
    bench_free(&b);
    CHECK_NEAR(at[k][0], end - 0.3 * end * end / 2, 1e-11);
    CHECK_NEAR(at[k][1], at[0][1], 1e-11);
  }
}

// A mass between a wall and another that comes to it: blows on the wall and between them take turns
// until all rest at the wall, and the other, which a force draws away, leaves from that instant on.
// The pieces between blows are parabolas.
TEST(what_leaves_at_the_limit_of_bounces_begins_with_nothing)
{
  const double M = 2.69, m = 0.79, a = 2 / M, b1 = -1.45 / m, end = 0.4;
  double x = 0.1, v = -0.5, y = 0.05, w = 0, t = 0, pause = 1;
  while (pause > 1e-17) {
    const double gap = x - y, rate = v - w, gain = a - b1;
    const double wall = (w + sqrt(fmax(0, w * w - 2 * b1 * y))) / -b1,
                 root = rate * rate - 2 * gain * gap,
                 meet = root >= 0 && rate < 0 ? 2 * gap / (-rate + sqrt(root)) : INFINITY;
    pause = fmin(wall, meet);
    t += pause;
    x += pause * (v + a * pause / 2);
    y += pause * (w + b1 * pause / 2);
    v += a * pause;
    w += b1 * pause;
    const double P = 1.22 * (w - v) / (1 / M + 1 / m);
    if (wall <= meet) {
      w *= -0.4;
      y = 0;
    } else {
      v += P / M;
      w -= P / m;
      x = y;
    }
  }
  bench b = bench_text("coord x, y\nparticle P mass 2.69 = (x, 0, 0) in world\n"
                       "particle Q mass 0.79 = (y, 0, 0) in world\nforce (2, 0, 0) in world at P\n"
                       "force (-1.45, 0, 0) in world at Q\n"
                       "constraint wall: y >= 0 with restitution 0.4\n"
                       "constraint meet: x - y >= 0 with restitution 0.22\n"
                       "initial x = 0.1, x' = -0.5, y = 0.05, y' = 0\nrun 0 .. 0.4\n");
  walk_track* k = bench_run(&b, 1e-10, 1, &end);
  CHECK(k->status == WALK_DONE);
  CHECK_NEAR(bench_value(k, 0, "x'"), a * (end - t), 3e-11);
  CHECK_NEAR(bench_value(k, 0, "x"), a * (end - t) * (end - t) / 2, 1e-11);
  walk_track_free(k);
  bench_free(&b);
}
