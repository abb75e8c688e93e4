// Round shapes against boxes, capsules, cylinders and segments, event by event.
#include "bench.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_columns = 8 };

// columns of the last row, event by event (h = 0) or by steps of time; false: there is no run
// tolerance: 0 for the one that users get
static bool at_end_to(double tolerance, const char* text, double h, int count,
                      const char* const* column, double* out)
{
  bench b = bench_text(text);
  walk_options o = walk_options_default();
  o.points = 2;
  if (tolerance > 0) o.tolerance = tolerance;
  o.method = h > 0 ? "moreau" : NULL;
  o.step = h;
  walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
  const bool fine = t && t->status == WALK_DONE;
  if (!fine)
    check_fail(__FILE__, __LINE__, "no run: %s\n%s", t ? t->reason : bench_first_error(&b), text);
  for (int i = 0; fine && i < count; i++) out[i] = bench_value(t, t->table.rows - 1, column[i]);
  walk_track_free(t);
  bench_free(&b);
  return fine;
}

static bool at_end(const char* text, double h, int count, const char* const* column, double* out)
{
  return at_end_to(0, text, h, count, column, out);
}

// A smooth ball that slides over an edge from the angle th on leaves it where cos = 2/3 cos(th): N
// = m g cos - m v^2/r = 0 with v^2 = 2 g r (cos(th) - cos). In flight v_x stays what it is there.
// The way there, on the top, changes nothing.
TEST(a_smooth_ball_slides_off_an_edge)
{
  static const char* const shapes[] = {
      "sphere(0.5), k as box(2, 2, 2)", "sphere(0.4), k as cylinder(1, 2)",
      "circle(0.5), flat as box(2, 2)", "circle(0.5), low as segment(2)",
      "sphere(0.3), lying as capsule(0.2, 2)"};
  static const char form[] =
      "gravity (0, 0, -10)\ncoord x, z\nframe F = world at (x, 0, z) rotated x(pi/2)\n"
      "frame k = world\nframe flat = world rotated x(pi/2)\nframe low = world at (0, 0, 1) "
      "rotated x(pi/2)\nframe lying = world at (0, 0, 1) rotated y(pi/2)\n"
      "particle b mass 1 = (0, 0, 0) in F\n"
      "contact c: F as %s\ninitial x = 0.9\ninitial z = %.17g\ninitial x' = 0.2\noutput g = "
      "gap(c)\n"
      "run 0 .. 1.6\n";
  static const char* const columns[] = {"x'", "z", "g"};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    char text[1024];
    double got[3];
    const double r = i == 1 ? 0.4 : 0.5;
    snprintf(text, sizeof text, form, shapes[i], 1 + r);
    if (!at_end(text, 0, 3, columns, got)) continue;
    // from the speed at the top: v^2 = 0.04 + 2 g r (1 - cos) = g r cos
    const double cosine = (0.04 + 20 * r) / (30 * r), v = sqrt(10 * r * cosine);
    CHECK_NEAR(got[0], v * cosine, 1e-9);
    CHECK(got[1] < 1 && got[2] > 0);
  }
}

// With friction it turns about the edge, 7/10 r phi'^2 = g (cos(th) - cos(phi)), until 2/7 g sin,
// what that needs, is mu N, N = g cos - r phi'^2. Then it slips, r phi'' = g sin - mu N and 2/5 r
// w' = mu N, until N = 0. In flight it turns with what w is then.
static double turning_at_last(double g, double r, double th, double mu)
{
  double low = th, high = acos(10 * cos(th) / 17), step = 1e-3 * sqrt(r / g) / mu;
  for (int turn = 0; turn < 80; turn++) {
    const double phi = (low + high) / 2, square = 10 * g / (7 * r) * (cos(th) - cos(phi));
    *(mu * (g * cos(phi) - r * square) > 2 * g * sin(phi) / 7 ? &low : &high) = phi;
  }
  double y[3] = {low, sqrt(10 * g / (7 * r) * (cos(th) - cos(low))), 0}, kept[3];
  y[2] = y[1];
  // Heun's steps, the last of them shared where N passes zero
  for (double N = 1, before = 1; N > 0;) {
    double slope[2][3];
    for (int stage = 0; stage < 2; stage++) {
      const double at[2] = {y[0] + stage * step * slope[0][0], y[1] + stage * step * slope[0][1]};
      N = g * cos(at[0]) - r * at[1] * at[1];
      slope[stage][0] = at[1];
      slope[stage][1] = (g * sin(at[0]) - mu * N) / r;
      slope[stage][2] = 5 * mu * N / (2 * r);
      if (!stage) before = N;
    }
    for (int k = 0; k < 3; k++) kept[k] = y[k];
    for (int k = 0; k < 3; k++) y[k] += step / 2 * (slope[0][k] + slope[1][k]);
    N = g * cos(y[0]) - r * y[1] * y[1];
    if (N <= 0) y[2] = kept[2] + before / (before - N) * (y[2] - kept[2]);
  }
  return y[2];
}

static void roll_off(const char* shape, double mu, double tolerance)
{
  static const char form[] = "gravity (0, 0, -10)\nball b mass 1 radius 0.5\n"
                             "contact c: b as sphere(0.5), world as %s with friction %g\n"
                             "initial pos(b) = (1 + 0.5*sin(0.2), 0, 1 + 0.5*cos(0.2))\n"
                             "initial vel(b) = (0, 0, 0)\ninitial omega(b) = (0, 0, 0)\n"
                             "output w = omega(b)\noutput g = gap(c)\nrun 0 .. 0.9\n";
  static const char* const columns[] = {"w.x", "w.y", "g"};
  char text[1024];
  double got[3];
  snprintf(text, sizeof text, form, shape, mu);
  if (!at_end_to(tolerance, text, 0, 3, columns, got)) return;
  CHECK_NEAR(got[1], turning_at_last(10, 0.5, 0.2, mu), 1e-8);
  CHECK_NEAR(got[0], 0, 1e-9);
  CHECK(got[2] > 0.01);
}

// The rougher, the shorter it slips: at last within less than a millionth of a step.
TEST(a_rough_ball_rolls_off_an_edge)
{
  static const char* const shapes[] = {"box(2, 2, 2)", "cylinder(1, 2)"};
  static const double mu[] = {200, 1000, 5000, 20000};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (size_t k = 0; k < sizeof mu / sizeof *mu; k++)
      for (double tolerance = 1e-9; tolerance > 1e-13; tolerance /= 10)
        roll_off(shapes[i], mu[k], tolerance);
}

// ---- drawn pairs against those that steps of time look for --------------------------------------

static double drawn(uint64_t* seed, double from, double to)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return from + (to - from) * (double)(*seed >> 11) * 0x1p-53;
}

// a ball on its way to a free body; `beside`: a box far off, with which no pair has a formula
static void draw_pair(uint64_t seed, const char* beside, size_t room, char* text)
{
  char shape[80];
  const double a = drawn(&seed, 0.3, 1), b = drawn(&seed, 0.3, 1), c = drawn(&seed, 0.3, 1),
               kind = drawn(&seed, 0, 3);
  snprintf(shape, sizeof shape,
           kind < 1   ? "box(%.4f, %.4f, %.4f)"
           : kind < 2 ? "capsule(%.4f, %.4f)"
                      : "cylinder(%.4f, %.4f)",
           a, b, c);
  double n[3], v[3], w[6];
  for (int k = 0; k < 3; k++) n[k] = drawn(&seed, -1, 1);
  const double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (int k = 0; k < 3; k++) v[k] = -2.5 * n[k] / size + drawn(&seed, -0.4, 0.4);
  for (int k = 0; k < 6; k++) w[k] = drawn(&seed, -1, 1);
  snprintf(text, room,
           "ball b mass 1 radius 0.2\nbody k mass 2 inertia (0.3, 0.4, 0.5)\nframe off = world at "
           "(0, 0, 90)\ncontacts c: among b as sphere(0.2) and k as %s%s with friction %.3f with "
           "restitution %.3f\n"
           "initial pos(b) = (%.17g, %.17g, %.17g)\ninitial vel(b) = (%.17g, %.17g, %.17g)\n"
           "initial omega(b) = (%.5f, %.5f, %.5f)\ninitial pos(k) = (0, 0, 0)\n"
           "initial rotation(k) = x(%.5f) y(%.5f) z(%.5f)\ninitial vel(k) = (0, 0, 0)\n"
           "initial omega(k) = (%.5f, %.5f, %.5f)\noutput p = pos(b)\noutput q = pos(k)\n"
           "output e = energy()\noutput g = gap(c)\nrun 0 .. 1\n",
           shape, beside, drawn(&seed, 0, 0.6), drawn(&seed, 0, 0.9), 1.9 * n[0] / size,
           1.9 * n[1] / size, 1.9 * n[2] / size, v[0], v[1], v[2], w[0], w[1], w[2],
           drawn(&seed, -3, 3), drawn(&seed, -1, 1), drawn(&seed, -3, 3), w[3], w[4], w[5]);
}

TEST(drawn_pairs_move_as_those_that_are_looked_for)
{
  static const char* const columns[] = {"p.x", "p.y", "p.z", "q.x", "q.y", "q.z", "g"};
  int struck = 0;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    char formula[2048], looked_for[2048];
    double at[3][most_columns];
    draw_pair(seed * 7919, "", sizeof formula, formula);
    draw_pair(seed * 7919, " and off as box(1, 1, 1)", sizeof looked_for, looked_for);
    if (!at_end(formula, 0, 7, columns, at[0]) || !at_end(looked_for, 1e-3, 7, columns, at[1]) ||
        !at_end(looked_for, 5e-4, 7, columns, at[2]))
      continue;
    struck += hypot(at[0][3], hypot(at[0][4], at[0][5])) > 1e-3;
    for (int k = 0; k < 7; k++)
      CHECK_NEAR(at[2][k], at[0][k], 5 * fabs(at[2][k] - at[1][k]) + 1e-3);
  }
  CHECK(struck >= 9);
}

// ---- what stands still --------------------------------------------------------------------------

// a ball and the steps of a stair, which meet nobody else; `more` moves one, or nothing
static walk_track* hop(const char* more, bench* b)
{
  char text[1024];
  snprintf(
      text, sizeof text,
      "param a = 0.3\ngravity (0, 0, -9.81)\nball b mass 0.2 radius 0.05\n"
      "for i in 1..4 { frame s[i] = world at (a*i, 0, -0.2*i) rotated z(pi/2) }\n"
      "contacts c: among b as sphere(0.05) and s[*] as box(1, 0.3, 0.2) with friction 0.4 with "
      "restitution 0.6\ninitial pos(b) = (0.2, 0, 0.3)\ninitial vel(b) = (0.4, 0.1, 0)\n"
      "initial omega(b) = (0, 0, 0)\nrun 0 .. 1.2\n%s",
      more);
  *b = bench_text(text);
  walk_options o = walk_options_default();
  o.points = 2;
  return b->system ? walk_run(b->system, &o, b->notes) : NULL;
}

TEST(steps_of_a_stair_stand_still_and_need_no_looking)
{
  bench b;
  walk_track* t = hop("", &b);
  CHECK(t && t->status == WALK_DONE && strcmp(t->method, "dop853") == 0);
  // three on the first step, one on the second
  CHECK(t && t->happenings == 4);
  for (int i = 0; t && i < t->happenings; i++)
    CHECK_TEXT(walk_happening_name(t, &t->happening[i]),
               i < 3 ? "impact of c.b.s[1]" : "impact of c.b.s[2]");
  walk_track_free(t);
  bench_free(&b);
}

// what an event moves does not stand still, and boxes that move are looked for
TEST(what_an_event_sets_does_not_stand_still)
{
  bench b;
  walk_track* t = hop("event away: t = 1.1 { set a = 0.31 }\n", &b);
  CHECK(b.model && strcmp(b.model->method, "moreau") == 0);
  walk_track_free(t);
  bench_free(&b);
}

// ---- flat ones ----------------------------------------------------------------------------------

static const char disc_above[] =
    "coord x, y\ncoord a\nframe F = world at (x, y, 0) rotated z(a)\n"
    "body b mass 1 inertia (0.005, 0.005, 0.005) at (0, 0, 0) in F\ngravity (0, -9.81, 0)\n"
    "%s\ncontact c: b as circle(0.1), %s with friction 0.4 with restitution 0.3\n"
    "initial x = -0.3\ninitial y = 0.6\ninitial a' = 5\nrun 0 .. %g\n";

// a segment between two points is that of the same length about its middle: on it, and off its end
TEST(a_disc_rolls_down_a_segment_between_two_points)
{
  static const char* const columns[] = {"x", "y", "a", "x'", "a'"};
  char text[2][1000];
  double got[2][5];
  snprintf(text[0], sizeof text[0], disc_above, "", "world as segment (-0.5, 0.5) (0.5, -0.1)",
           1.2);
  snprintf(text[1], sizeof text[1], disc_above,
           "frame P = world at (0, 0.2, 0) rotated z(-0.54041950027058416)",
           "P as segment(1.1661903789690602)", 1.2);
  if (!at_end(text[0], 0, 5, columns, got[0]) || !at_end(text[1], 0, 5, columns, got[1])) return;
  for (int k = 0; k < 5; k++) CHECK_NEAR(got[0][k], got[1][k], 1e-9);
  CHECK(got[0][1] < -0.5);
}

// the law of its friction is looked for where the disc is outside of the box, whose middle is where
// the coordinates are zero
TEST(a_disc_on_a_box_rubs_in_steps_as_event_by_event)
{
  static const char* const columns[] = {"x", "y", "a"};
  char text[1000];
  double events[3], steps[3];
  snprintf(text, sizeof text, disc_above, "", "world as box(1.6, 0.3)", 1.0);
  if (!at_end(text, 0, 3, columns, events) || !at_end(text, 1e-4, 3, columns, steps)) return;
  for (int k = 0; k < 3; k++) CHECK_NEAR(steps[k], events[k], 2e-3);
  CHECK(events[2] > 0.5);
}
