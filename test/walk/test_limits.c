// The limit of instants that accumulate, told by their pauses and speeds.
#include "bench.h"

#include "check.h"
#include "contact/contact.h"

#include <math.h>
#include <stdio.h>

// the time left after the last of `count` instants behind a first one, each after `pause` and left
// with `speed`
static double left_after(int count, const double* pause, const double* speed)
{
  contact_accumulation a;
  double t = 1, left = 0;
  contact_accumulation_forget(&a);
  contact_accumulation_note(&a, t, speed[0] * pause[0] / pause[1], 0);
  for (int k = 0; k < count; k++) {
    t += pause[k];
    left = contact_accumulation_note(&a, t, speed[k], 0);
  }
  return left;
}

TEST(pauses_and_speeds_that_fall_alike_tell_their_limit)
{
  double pause[6], speed[6];
  for (int k = 0; k < 6; k++) {
    pause[k] = pow(0.35, k);
    speed[k] = 5 * pow(0.35, k);
  }
  CHECK_NEAR(left_after(6, pause, speed), pow(0.35, 6) / (1 - 0.35), 1e-12);
}

// A wall is hit by a ball, which hits the floor meanwhile and loses most of its speed by friction:
// the next pause is short, and those behind it are not.
TEST(a_blow_from_elsewhere_tells_no_limit)
{
  static const double pause[] = {3.27e-3, 1.0086e-3, 2.276e-5, 1.2492e-5},
                      speed[] = {3.5e-3, 1.1e-3, 1.42e-5, 4.37e-6};
  CHECK_NEAR(left_after(4, pause, speed), 0, 0);
  static const double by_chance[] = {0.08, 4.65e-4}, fallen[] = {1.16e-4, 1.52e-5};
  CHECK_NEAR(left_after(2, by_chance, fallen), 0, 0);
}

// of two that take turns the speeds go to and fro, and the pauses do not
TEST(speeds_that_go_to_and_fro_tell_no_limit)
{
  double pause[8], speed[8];
  for (int k = 0; k < 8; k++) {
    pause[k] = pow(0.66, k);
    speed[k] = pow(0.67, k) * (k % 2 ? 1.003 : 0.997);
  }
  const double left = pow(0.66, 8) / (1 - 0.66);
  CHECK_NEAR(left_after(8, pause, speed), left, 1e-12 * left);
}

// What is squeezed between two others is slowed down less than its pauses, whose ratios go to their
// limit by parts of yet another ratio: the pauses alone tell, and how they change.
TEST(speeds_that_fall_more_slowly_than_pauses_tell_no_limit)
{
  double pause[8], speed[8], next = 1, left = 0;
  for (int k = 0; k < 8; k++) {
    speed[k] = pow(0.535, k);
    pause[k] = next;
    next *= 0.306 + 0.003 * pow(0.58, k);
  }
  for (int k = 8; k < 60; k++) {
    left += next;
    next *= 0.306 + 0.003 * pow(0.58, k);
  }
  CHECK_NEAR(left_after(8, pause, speed), left, 1e-6 * left);
}

// In the pause after the last one what is left of it counts. Without a limit that is known, the
// next ones are taken to be slower as the last one was.
TEST(what_is_left_within_a_pause)
{
  contact_accumulation a;
  contact_accumulation_forget(&a);
  CHECK_NEAR(contact_accumulation_left(&a, 1), 0, 0);
  contact_accumulation_note(&a, 1, 4, 0);
  contact_accumulation_note(&a, 2, 2, 0);
  CHECK_NEAR(contact_accumulation_left(&a, 2.1), 0, 0);
  contact_accumulation_note(&a, 2.5, 1, 0);
  CHECK(isnan(a.limit));
  CHECK_NEAR(contact_accumulation_left(&a, 2.6), 0.4, 1e-14);
  CHECK_NEAR(contact_accumulation_left(&a, 2.8), 0, 0);
  contact_accumulation_note(&a, 2.75, 0.5, 0);
  CHECK_NEAR(contact_accumulation_left(&a, 2.8), 0.2, 1e-14);
}

// A steep rod bounces on its end and slides: there friction presses it more than it rubs. What is
// left of the bounces at their limit stops it along with its friction. Angular velocities by an
// integration from bounce to bounce down to 1e-12 m/s; they do not depend on the slip.
TEST(the_last_bounces_rub_as_much_as_they_press)
{
  static const char* const rod[] = {"body B mass 1 inertia (0.05, 0.05, 0.05) at (0, 0, 0) in F\n"
                                    "point E = (-1, 0, 0) in F\n",
                                    "body B mass 1 inertia (0.05, 0.05, 0.05) at (1, 0, 0) in F\n"
                                    "point E = (0, 0, 0) in F\n"};
  static const double mu[] = {0.6, 0.5}, want[] = {-2.6677233710988, -2.6424975254481};
  const double at[] = {0.12};
  for (int k = 0; k < 8; k++) {
    char text[800];
    snprintf(text, sizeof text,
             "coord x, y, a\nframe F = world at (x, y, 0) rotated z(a)\n%s"
             "gravity (0, -9.81, 0)\n"
             "constraint floor: pos(E).y >= 0 with restitution 0.3 with friction %g\n"
             "initial a = 1.35\ninitial pos(E) = (0, 0.002, 0)\ninitial vel(E) = (%d, -0.1, 0)\n"
             "initial omega(F).z = 0\nrun 0 .. 0.12\n",
             rod[k % 2], mu[k / 4], k / 2 % 2 ? 15 : 6);
    bench b = bench_text(text);
    walk_track* t = bench_run(&b, 1e-12, 1, at);
    CHECK(t && t->status == WALK_DONE);
    if (t) CHECK_NEAR(bench_value(t, 0, "a'"), want[k / 4], 1e-10);
    walk_track_free(t);
    bench_free(&b);
  }
}

// A limit of speed beside friction that holds another motion, both coupled by masses: friction
// takes what comes, and the limit lets go where its own force is nothing, at 0.5 s.
TEST(a_limit_beside_friction_that_holds_lets_go_where_it_presses_no_more)
{
  const double end = 1;
  bench b =
      bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2 + 0.5*x'*y'\n"
                 "force x = 4*t - 5*sign(x')\nforce y = t - 0.5\nconstraint limit: y' >= 1\n"
                 "initial x = 0\ninitial y = 0\ninitial x' = 0\ninitial y' = 1\nrun 0 .. 1\n");
  walk_track* t = bench_run(&b, 1e-10, 1, &end);
  CHECK(t->status == WALK_DONE && t->happenings == 1);
  if (t->happenings) CHECK_NEAR(t->happening[0].t, 0.5, 1e-12);
  CHECK_NEAR(bench_value(t, 0, "y'"), 1.125, 1e-12);
  walk_track_free(t);
  bench_free(&b);
}
