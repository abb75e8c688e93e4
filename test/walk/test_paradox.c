// Painleve's paradox: where it is met on the way or at the start, and what is asked for beyond it.
#include "bench.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

// A rod of half length 1 and mass 1 slides with its lower end. With the slip to the left
//   p = 1 + 3 c (c - mu s),  b = -g + s th'^2,  c = cos th, s = sin th.
#define ROD(BEYOND, FLOOR, TH, U, W)                                                            \
  "param mu = 1.6\ncoord x, y, th\nframe R = world at (x, y, 0) rotated z(th)\n"                \
  "rod rod mass 1 from (-1, 0, 0) to (1, 0, 0) in R\ngravity (0, -9.81, 0)\n"                   \
  "point P = (-1, 0, 0) in R\nconstraint tip: pos(P).y >= 0 with friction mu" FLOOR "\n" BEYOND \
  "initial th = " TH "\ninitial pos(P) = (0, 0, 0)\ninitial vel(P) = (" U ", 0, 0)\n"           \
  "initial th' = " W "\noutput u = vel(P).x\noutput w = vel(P).y\nrun 0 .. 0.3\n"

static bool is_told(const bench* b, const char* part)
{
  for (int i = 0; i < base_notes_count(b->notes); i++)
    if (strstr(base_notes_reason(b->notes, i), part)) return true;
  return false;
}

// ---- on the way ---------------------------------------------------------------------------------

TEST(a_rod_that_jams_on_its_way_ends_there_and_says_where)
{
  bench b = bench_text(ROD("", "", "0.6", "-6", "1.5"));
  walk_track* t = bench_run(&b, 1e-10, 0, NULL);
  CHECK(t->status == WALK_UNFINISHED);
  CHECK(strstr(t->reason, "Painleve"));
  CHECK(strstr(t->reason, "`tip` jams, slipping with friction mu = 1.6"));
  // the root of 1 + 3 c (c - mu s)
  CHECK(strstr(t->reason, "th = 0.8207609834"));
  walk_track_free(t);
  bench_free(&b);
}

// the same at another tolerance, by another method: no more than its place is known
TEST(where_a_rod_jams_depends_on_no_tolerance)
{
  static const double tolerance[] = {1e-6, 1e-8, 1e-12};
  for (int i = 0; i < 3; i++) {
    bench b = bench_text(ROD("", "", "0.6", "-6", "1.5"));
    walk_track* t = bench_run(&b, tolerance[i], 0, NULL);
    CHECK(t->status == WALK_UNFINISHED);
    CHECK(strstr(t->reason, "th = 0.82076098"));
    walk_track_free(t);
    bench_free(&b);
  }
}

TEST(beyond_it_an_impact_without_collision_ends_the_slip)
{
  bench b = bench_text(ROD("beyond paradox: impact\n", "", "0.6", "-6", "1.5"));
  const double at[] = {0.107427256831, 0.3};
  walk_track* t = bench_run(&b, 1e-10, 2, at);
  CHECK(t->status == WALK_DONE);
  CHECK(t->happenings == 1);
  CHECK_TEXT(walk_happening_name(t, &t->happening[0]), "impact without collision of tip");
  walk_track_free(t);
  bench_free(&b);
}

// ---- at the start -------------------------------------------------------------------------------

// No motion exists at th = 0.9 (p < 0, b < 0). The impulse acts at the tip, about which the moment
// of momentum is kept: c x y' - s x' = 2 s before, (1 + 1/3) th' after, with the tip at rest.
TEST(an_impact_without_collision_keeps_the_moment_about_the_tip)
{
  bench b = bench_text(ROD("beyond paradox: impact\n", "", "0.9", "-2", "0"));
  const double at[] = {1e-9};
  walk_track* t = bench_run(&b, 1e-10, 1, at);
  CHECK_NEAR(bench_value(t, 0, "th'"), 1.5 * sin(0.9), 1e-7);
  CHECK_NEAR(bench_value(t, 0, "u"), 0, 1e-7);
  CHECK_NEAR(bench_value(t, 0, "w"), 0, 1e-7);
  walk_track_free(t);
  bench_free(&b);
}

// Poisson's law gives e of its impulse back: P = -s/2 x .. of the slip 2, from W (P_n, P_t) =
// (0, 2); sticking, the tip rises with (W_nn - W_nt^2/W_tt) e P_n.
TEST(poissons_law_lifts_it_off_the_floor)
{
  bench b = bench_text(
      ROD("beyond paradox: impact\n", " with restitution 0.5 poisson", "0.9", "-2", "0"));
  const double at[] = {1e-9}, c = cos(0.9), s = sin(0.9), nn = 1 + 3 * c * c, nt = -3 * c * s,
               tt = 1 + 3 * s * s, P = -nt * 2 / (nn * tt - nt * nt);
  walk_track* t = bench_run(&b, 1e-10, 1, at);
  CHECK_NEAR(bench_value(t, 0, "u"), 0, 1e-7);
  CHECK_NEAR(bench_value(t, 0, "w"), 0.5 * P * (nn - nt * nt / tt), 1e-7);
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_start_without_a_motion_is_refused)
{
  bench b = bench_text(ROD("", "", "0.9", "-2", "0"));
  walk_options o = walk_options_default();
  walk_track* t = walk_run(b.system, &o, b.notes);
  CHECK(!t);
  CHECK(is_told(&b, "Painleve"));
  walk_track_free(t);
  bench_free(&b);
}

// ---- several motions ----------------------------------------------------------------------------

// At th = 0.9 and th' = 5 the tip may leave (b > 0), or go on slipping with the force -b/p.
TEST(of_several_motions_all_are_told)
{
  bench b = bench_text(ROD("", "", "0.9", "-2", "5"));
  const double at[] = {1e-6};
  walk_track* t = bench_run(&b, 1e-10, 1, at);
  CHECK(is_told(&b, "more than one motion"));
  CHECK(is_told(&b, "`tip` opens"));
  CHECK(is_told(&b, "`tip` slips"));
  walk_track_free(t);
  bench_free(&b);
}

TEST(of_several_motions_the_one_that_slips_may_be_asked_for)
{
  bench b = bench_text(ROD("beyond paradox: slip\n", "", "0.9", "-2", "5"));
  const double at[] = {0}, c = cos(0.9), s = sin(0.9);
  walk_track* t = bench_run(&b, 1e-10, 1, at);
  CHECK_NEAR(bench_value(t, 0, "reaction.tip"), -(-9.81 + 25 * s) / (1 + 3 * c * (c - 1.6 * s)),
             1e-9);
  walk_track_free(t);
  bench_free(&b);
}

TEST(several_motions_may_end_the_run)
{
  bench b = bench_text(ROD("beyond paradox: stop\n", "", "0.9", "-2", "5"));
  walk_options o = walk_options_default();
  walk_track* t = walk_run(b.system, &o, b.notes);
  CHECK(!t);
  CHECK(is_told(&b, "more than one motion"));
  walk_track_free(t);
  bench_free(&b);
}
