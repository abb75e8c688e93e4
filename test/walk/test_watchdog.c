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

// attempts until the watchdog objects, or all
static long follow(course c, char reason[160])
{
  double place[walk_watchdog_samples * coordinates], q[coordinates];
  walk_watchdog w;
  walk_watchdog_start(&w, coordinates, place, 1e-10, c.t);
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

TEST(a_stiff_run_changes_its_method_and_ends_with_the_reason)
{
  bench b = bench_text(stiff);
  walk_track* t = bench_run_by(&b, NULL, 1e-10, 0, NULL);
  CHECK(t && t->status == WALK_UNFINISHED && t->counts.steps < 20000);
  CHECK_TEXT(t->method, "dop853");
  CHECK(strstr(t->method_why, "changed from gauss16 at t = "));
  CHECK(strstr(t->reason, "make no headway; if the equations are stiff, try --method bdf"));
  walk_track_free(t);
  static const char* method[] = {"taylor", "gauss16", "dop853"};
  for (int m = 0; m < 3; m++) {
    t = bench_run_by(&b, method[m], 1e-10, 0, NULL);
    CHECK(t && t->status == WALK_UNFINISHED && t->counts.steps < 20000);
    CHECK_TEXT(t->method, method[m]);
    CHECK_TEXT(t->method_why, "asked for");
    walk_track_free(t);
  }
  t = bench_run_by(&b, "bdf", 1e-8, 0, NULL);
  CHECK(t && t->status == WALK_DONE);
  walk_track_free(t);
  bench_free(&b);
}
