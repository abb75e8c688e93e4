// Contacts of surfaces that come apart: a ball that does not get round a loop.
#include "bench.h"

#include <stdio.h>

#include "check.h"

// a ball rolls inside a sphere from its lowest point; the rest of the contact's statement is given
static bench loop(const char* rest)
{
  char text[600];
  snprintf(text, sizeof text,
           "param R = 0.1, A = 1, g = 9.81\nball ball mass 1 radius R\ngravity (0, 0, -g)\n"
           "roll ball as sphere(R) on world as sphere(A) inside at c%s\n"
           "initial pos(c).x = 0\ninitial pos(c).y = 0\ninitial pos(c).z ~ -A\n"
           "initial rotation(ball) = z(0)\ninitial omega(ball) = (0, 50, 0)\n"
           "output r = pos(ball)\noutput v = vel(ball)\noutput N = -dot(reaction(c), pos(c))/A\n"
           "run 0 .. 3\n",
           rest);
  return bench_text(text);
}

static double at_event(const walk_track* t, int event, const char* name)
{
  for (int i = 0; i < t->columns; i++)
    if (strcmp(t->column[i], name) == 0) return t->happening[event].row[i];
  return NAN;
}

// N = 0 where v^2 = -g r cos, with 7/10 v^2 + g r (1 - cos) = 7/10 v0^2
static double cosine(void)
{
  const double g = 9.81, r = 0.9, v0 = 5;
  return (1 - 0.7 * v0 * v0 / (g * r)) / 1.7;
}

// the rest of the contact's statement, and how the second event is called
static void leave_and_meet_again(const char* rest, const char* meets)
{
  bench b = loop(rest);
  walk_track* t = bench_run(&b, 1e-12, 0, NULL);
  CHECK(t->happenings >= 2);
  CHECK_TEXT(walk_happening_name(t, &t->happening[0]), "leaving of c");
  CHECK_TEXT(walk_happening_name(t, &t->happening[1]), meets);
  const double c = cosine(), s = sqrt(1 - c * c), r = 0.9, g = 9.81, v = sqrt(-g * r * c);
  CHECK_NEAR(at_event(t, 0, "r.x"), r * s, 1e-10);
  CHECK_NEAR(at_event(t, 0, "r.z"), -r * c, 1e-10);
  CHECK_NEAR(at_event(t, 0, "N"), 0, 1e-9);
  // the parabola that osculates the circle meets it again after 4 v s/g
  CHECK_NEAR(t->happening[1].t - t->happening[0].t, 4 * v * s / g, 1e-9);
  CHECK_NEAR(hypot(at_event(t, 1, "r.x"), at_event(t, 1, "r.z")), r, 1e-10);
  CHECK_INT(t->status, strcmp(meets, "return of c") == 0 ? WALK_UNFINISHED : WALK_DONE);
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_ball_leaves_the_loop_where_nothing_presses_and_lands_where_the_parabola_meets_it)
{
  leave_and_meet_again(" with release", "landing of c");
}

TEST(beside_pivoting_friction_the_run_ends_where_surfaces_meet_again)
{
  leave_and_meet_again(" with pivoting friction 0 with release", "return of c");
}

TEST(a_contact_that_holds_both_ways_tells_where_it_would_be_left)
{
  bench b = loop("");
  const double at[] = {0.6};
  walk_track* t = bench_run(&b, 1e-12, 1, at);
  CHECK_INT(t->status, WALK_DONE);
  CHECK(t->happenings >= 1);
  CHECK_TEXT(walk_happening_name(t, &t->happening[0]), "leaving of c");
  CHECK_NEAR(at_event(t, 0, "r.z"), -0.9 * cosine(), 1e-10);
  CHECK(bench_value(t, 0, "N") < 0);
  CHECK_NEAR(hypot(bench_value(t, 0, "r.x"), bench_value(t, 0, "r.z")), 0.9, 1e-12);
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_contact_with_hold_tells_nothing)
{
  bench b = loop(" with hold");
  const double at[] = {0.6};
  walk_track* t = bench_run(&b, 1e-12, 1, at);
  CHECK_INT(t->happenings, 0);
  CHECK(bench_value(t, 0, "N") < 0);
  walk_track_free(t);
  bench_free(&b);
}

// a loaded ball that leaves while it grips would fall back at once without: nothing passes through
TEST(beside_pivoting_friction_the_run_ends_where_a_body_falls_back_at_once)
{
  bench b = bench_text("body disc mass 1 inertia (0.3, 0.3, 0.3) at (0, 0, 0.5)\ngravity (0, 0, "
                       "-9.81)\nroll disc as sphere(1) on world as plane at c with pivoting "
                       "friction 1e-12 with release\ninitial rotation(disc) = y(-2)\n"
                       "initial omega(disc) = (0, 8.5, 0)\ninitial pos(disc).x = 0\n"
                       "initial pos(disc).y = 0\nrun 0 .. 0.2\n");
  walk_track* t = bench_run(&b, 1e-11, 0, NULL);
  CHECK_INT(t->status, WALK_UNFINISHED);
  const walk_happening* end = &t->happening[t->happenings - 1];
  CHECK_TEXT(walk_happening_name(t, &end[-1]), "leaving of c");
  CHECK_TEXT(walk_happening_name(t, end), "return of c");
  CHECK_NEAR(end->t, 0.0569726261, 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

// A ball on a table that is shaken upright: nothing presses where B w^2 sin w t = g, and soon after
// it presses again. The shorter that is, the easier it falls between two places of a step.
TEST(however_short_nothing_presses_it_is_told)
{
  const double g = 9.81, w = 11, until = 3, pi = acos(-1);
  for (double more = 0.1; more > 1e-7; more /= 10) {
    char text[500];
    snprintf(text, sizeof text,
             "param w = %g, B = %.17g\nball ball mass 1 radius 0.1\ngravity (0, 0, -%g)\n"
             "frame table = world at (0, 0, B*sin(w*t))\n"
             "roll ball as sphere(0.1) on table as plane at c\n"
             "initial pos(c, table).x = 0.2\ninitial pos(c, table).y = -0.1\n"
             "initial rotation(ball) = z(0)\ninitial omega(ball) = (1, 2, 3)\nrun 0 .. %g\n",
             w, g * (1 + more) / (w * w), g, until);
    bench b = bench_text(text);
    walk_track* t = bench_run(&b, 1e-11, 0, NULL);
    const double first = asin(1 / (1 + more)) / w;
    CHECK_INT(t->happenings, 1 + (int)((until - first) * w / (2 * pi)));
    for (int k = 0; k < t->happenings; k++) {
      CHECK_TEXT(walk_happening_name(t, &t->happening[k]), "leaving of c");
      CHECK_NEAR(t->happening[k].t, first + 2 * pi * k / w, 1e-9);
    }
    walk_track_free(t);
    bench_free(&b);
  }
}
