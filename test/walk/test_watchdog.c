// Steps that do not get on end a run or its method; long and fast motions do not.
#include "bench.h"

#include "check.h"
#include "walk/watchdog.h"

#include <stdio.h>

enum { coordinates = 2, attempts = 200000 };

typedef struct course
{
  double t, step, growth; // each step is so many times the last
  double end;
  void (*place)(double t, double* q);
  bool history;
} course;

// attempts of so many operations until the watchdog objects, or all
static long follow_long(course c, double effort, char reason[160])
{
  double place[walk_watchdog_rows * coordinates], q[coordinates];
  walk_watchdog w;
  walk_watchdog_start(&w, coordinates, place, 1e-10, c.t);
  w.effort = effort;
  reason[0] = 0;
  for (long k = 1; k <= attempts; k++) {
    if (c.t >= c.end) return k;
    c.t += c.step;
    c.step *= c.growth;
    c.place(c.t, q);
    if (walk_watchdog_look(&w, c.t, c.end, k, q, c.history)) continue;
    snprintf(reason, 160, "%s", w.reason);
    return k;
  }
  return attempts;
}

static long follow(course c, char reason[160])
{
  return follow_long(c, 0, reason);
}

static void turning(double t, double* q)
{
  q[0] = cos(t);
  q[1] = sin(t);
}

static void falling(double t, double* q)
{
  q[0] = 1 - 4.9 * t * t;
  q[1] = 0;
}

// steps of a twentieth of a period, for as long as anybody asks
TEST(a_motion_of_many_periods_is_let_run)
{
  char reason[160];
  const course c = {0, 0.3, 1, 1e15, turning, false};
  CHECK_INT(follow(c, reason), attempts);
  const course late = {1e9, 0.3, 1, 1e15, turning, false};
  CHECK_INT(follow(late, reason), attempts);
}

TEST(steps_of_nothing_from_the_start_do_not_get_on)
{
  char reason[160];
  const course c = {0, 4e-18, 1, 0.5, falling, false};
  CHECK(follow(c, reason) < 6000);
  CHECK(strstr(reason, "far shorter than the motion needs"));
  // the same within a motion that turns
  const course turn = {3, 1e-13, 1, 8, turning, false};
  CHECK(follow(turn, reason) < 6000);
  CHECK(strstr(reason, "far shorter than the motion needs"));
}

// a hundred million attempts are some minutes of short ones, and days of long ones
TEST(attempts_that_take_long_are_waited_for_less)
{
  char reason[160];
  const course c = {0, 5e-9, 1, 0.5, falling, false};
  CHECK_INT(follow(c, reason), attempts);
  CHECK(follow_long(c, 3e6, reason) < 6000);
  CHECK(strstr(reason, "far shorter than the motion needs"));
}

// what another method would do in some steps
TEST(a_method_with_a_history_is_waited_for_less)
{
  char reason[160];
  const course plain = {0, 1e-8, 1, 1, turning, false}, history = {0, 1e-8, 1, 1, turning, true};
  CHECK_INT(follow(plain, reason), attempts);
  CHECK(follow(history, reason) < 6000);
  CHECK(strstr(reason, "far shorter than the motion needs"));
  // steps as long as the motion asks for are let be, however many there are
  const course many = {0, 0.01, 1, 1e9, turning, true};
  CHECK_INT(follow(many, reason), attempts);
}

TEST(first_steps_that_grow_are_let_grow)
{
  char reason[160];
  const course c = {0, 1e-15, 1.001, 1, falling, false};
  CHECK(follow(c, reason) < attempts);
  CHECK_TEXT(reason, "");
}

// to a point behind which there is nothing
TEST(steps_that_fall_to_nothing_do_not_get_on)
{
  char reason[160];
  const course c = {0, 0.1, 0.99, 100, turning, false};
  const long k = follow(c, reason);
  CHECK(k > 1000 && k < 6000);
  CHECK(strstr(reason, "no longer get on"));
}

TEST(time_that_stands_still_does_not_get_on)
{
  char reason[160];
  const course c = {1, 0, 1, 2, turning, false};
  CHECK(follow(c, reason) < 3000);
  CHECK(strstr(reason, "did not get on in time"));
}

// x' follows cos(t) at a rate of 1e9, while y swings: explicit steps are bound to 1e-9
static const char stiff[] = "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -1e9*(x' - cos(t))\n"
                            "potential y^2/2\ninitial y = 1\nrun 0 .. 100\n";

TEST(a_stiff_run_changes_its_method_or_ends_with_the_reason)
{
  bench b = bench_text(stiff);
  walk_track* t = bench_run(&b, 1e-10, 1, (double[]){100});
  CHECK(t && t->status == WALK_DONE && t->counts.steps < 50000);
  CHECK_TEXT(t->method, "bdf");
  CHECK(strstr(t->method_why, "stiff: changed from dop853 at t = "));
  CHECK_NEAR(bench_value(t, 0, "x"), sin(100), 1e-7);
  CHECK_NEAR(bench_value(t, 0, "y"), cos(100), 1e-7);
  walk_track_free(t);
  static const char* method[] = {"taylor", "gauss16", "dop853"};
  for (int m = 0; m < 3; m++) {
    t = bench_run_by(&b, method[m], 1e-10, 0, NULL);
    CHECK(t && t->status == WALK_UNFINISHED && t->counts.steps < 20000);
    CHECK_TEXT(t->method, method[m]);
    CHECK_TEXT(t->method_why, "asked for");
    CHECK(strstr(t->reason, "make no headway; if the equations are stiff, try --method bdf"));
    walk_track_free(t);
  }
  t = bench_run_by(&b, "bdf", 1e-8, 0, NULL);
  CHECK(t && t->status == WALK_DONE);
  walk_track_free(t);
  bench_free(&b);
}

// attempts until another method would be better, or all
static long drag(course c, double tolerance, const double* absolute)
{
  double place[walk_watchdog_rows * coordinates], q[coordinates];
  walk_watchdog w;
  walk_watchdog_start_for_others(&w, coordinates, place, tolerance, absolute, c.t);
  for (long k = 1; k <= attempts && c.t < c.end; k++) {
    c.t += c.step;
    c.place(c.t, q);
    if (walk_watchdog_drags(&w, c.t, c.end, k, q)) return k;
  }
  return attempts;
}

// turning, while what is next to nothing trembles faster than anybody looks
static void trembling(double t, double* q)
{
  q[0] = cos(t);
  q[1] = 1e-9 * sin(1e9 * t);
}

// A step is not made shorter for what is below its absolute tolerance: that says nothing about how
// long steps may be.
TEST(what_counts_for_no_step_does_not_keep_a_method)
{
  const course c = {0, 1e-6, 1, 1, trembling, false};
  CHECK(drag(c, 1e-10, (double[]){1e-10, 1e-10}) < 2000);
  CHECK_INT(drag(c, 1e-10, (double[]){1e-12, 1e-12}), attempts);
  CHECK_INT(drag(c, 1e-10, NULL), attempts);
}

TEST(short_steps_of_a_slow_motion_are_left_to_another_method)
{
  CHECK(drag((course){0, 1e-6, 1, 1, turning, false}, 1e-10, NULL) < 2000);
  // a few more of them are not worth a change
  CHECK_INT(drag((course){0, 1e-6, 1, 0.02, turning, false}, 1e-10, NULL), attempts);
  // they are as long as the motion asks for
  CHECK_INT(drag((course){0, 0.3, 1, 1e9, turning, false}, 1e-10, NULL), attempts);
  CHECK_INT(drag((course){0, 1e-3, 1, 1e9, turning, false}, 1e-10, NULL), attempts);
}

// x = (b e^(-a t) - a e^(-b t))/(b - a), a + b = 1e6, a b = 1e4: explicit steps of 1e-5, motion of
// minutes
TEST(an_overdamped_motion_goes_by_a_stiff_method)
{
  bench b = bench_text("coord x\nparticle p = (x, 0, 0) mass 1\nforce x = -1e4*x - 1e6*x'\n"
                       "initial x = 1\nrun 0 .. 100\n");
  walk_track* t = bench_run(&b, 1e-10, 1, (double[]){100});
  const double root = sqrt(1e12 - 4e4), fast = (1e6 + root) / 2, slow = 1e4 / fast;
  CHECK(t && t->status == WALK_DONE && t->counts.steps < 10000);
  CHECK(strcmp(t->method, "bdf") == 0);
  CHECK(strstr(t->method_why, "stiff"));
  CHECK_NEAR(bench_value(t, 0, "x"), fast / (fast - slow) * exp(-slow * 100), 1e-8);
  walk_track_free(t);
  bench_free(&b);
}

// the same beside a constraint, against steps that stability keeps short
TEST(stiff_parts_beside_constraints_are_left_to_another_method)
{
  bench b = bench_text("gravity (0, -9.81, 0)\ncoord x, y, z\nparticle p = (x, y, 0) mass 1\n"
                       "particle s = (x + z, 0, 0) mass 1\nconstraint rod: x^2 + y^2 = 1\n"
                       "force z = -1e8*z - 1e6*z'\ninitial x = 1\nrun 0 .. 2\n");
  walk_track *t = bench_run(&b, 1e-10, 1, (double[]){2}),
             *want = bench_run_by(&b, "dop853", 1e-10, 1, (double[]){2});
  CHECK(strcmp(t->method, "bdf") == 0);
  CHECK(5 * t->counts.evaluations < want->counts.evaluations);
  CHECK(bench_apart(t, want) < 1e-6);
  walk_track_free(t);
  walk_track_free(want);
  bench_free(&b);
}
