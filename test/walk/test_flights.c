// Flights: bodies that meet only in impacts, against closed forms, other methods, and each other.
#include "bench.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

static walk_track* run_by(bench* b, const char* method, double until)
{
  walk_options o = walk_options_default();
  o.points = 2;
  o.until = until;
  o.method = method;
  return b->system ? walk_run(b->system, &o, b->notes) : NULL;
}

// columns of the last row
static void at_end(const char* text, const char* method, double until, int count,
                   const char* const* column, double* out)
{
  bench b = bench_text(text);
  walk_track* t = run_by(&b, method, until);
  if (!t || t->status != WALK_DONE)
    check_fail(__FILE__, __LINE__, "no run: %s", t ? t->reason : bench_first_error(&b));
  for (int i = 0; i < count; i++) out[i] = t ? bench_value(t, t->table.rows - 1, column[i]) : NAN;
  walk_track_free(t);
  bench_free(&b);
}

// what does not fly is run by another method, and why is told
static void check_handed_over(const char* text, const char* why)
{
  bench b = bench_text(text);
  walk_track* t = run_by(&b, "flights", 5);
  bool told = false;
  for (int i = 0; i < base_notes_count(b.notes); i++) {
    const char* note = base_notes_reason(b.notes, i);
    told = told || (strstr(note, "the run was made by `dop853`: ") && strstr(note, why));
  }
  if (!t || t->status != WALK_DONE || !told)
    check_fail(__FILE__, __LINE__, "`%s` is not told, or no run: %s", why, bench_first_error(&b));
  walk_track_free(t);
  bench_free(&b);
}

#define BALL(MORE)                                                                           \
  "param e = 1\ncoord z\nparticle p mass 2 = (0, 0, z) in world\ngravity (0, 0, -10)\n" MORE \
  "constraint floor: z >= 0 with restitution e\ninitial z = 5\n"

TEST(a_ball_bounces_as_high_as_it_fell)
{
  // falls for one second, and is back at its height every two
  static const char* const column[] = {"z", "z'"};
  double got[2];
  at_end(BALL(""), "flights", 2000.5, 2, column, got);
  CHECK_NEAR(got[0], 5 - 5 * 0.25, 1e-9);
  CHECK_NEAR(got[1], -5, 1e-9);
}

TEST(what_a_bounce_takes_is_no_fault_of_the_balance)
{
  bench b = bench_text("param e = 0.5\ncoord z\nparticle p mass 2 = (0, 0, z) in world\n"
                       "gravity (0, 0, -10)\nconstraint floor: z >= 0 with restitution e\n"
                       "initial z = 5\nrun 0 .. 2.2\n");
  walk_track* t = run_by(&b, "flights", 2.2);
  CHECK(t && t->status == WALK_DONE);
  // at 1 s with 10 m/s, at 2 s with 5 m/s
  CHECK_INT((int)t->impacts, 2);
  CHECK_NEAR(t->energy_jumps, -(100 - 25) - (25 - 6.25), 1e-12);
  CHECK_NEAR(t->energy_balance, 0, 1e-12);
  CHECK_INT(t->happenings, 0);
  walk_track_free(t);
  bench_free(&b);
}

// chords of a circle meet it under one angle for ever
TEST(a_billiard_in_a_circle_keeps_its_angle)
{
  static const char text[] = "coord x, y\nkinetic (x'^2 + y'^2)/2\n"
                             "constraint wall: hypot(x, y) <= 1 with restitution 1\n"
                             "initial x = 1/2\ninitial y = 0\ninitial x' = 0.3\ninitial y' = 0.7\n"
                             "output J = x*y' - y*x'\noutput E = (x'^2 + y'^2)/2\n";
  static const char* const column[] = {"J", "E", "x", "y"};
  double got[4], other[4];
  at_end(text, "flights", 10000, 4, column, got);
  CHECK_NEAR(got[0], 0.35, 1e-11);
  CHECK_NEAR(got[1], 0.29, 1e-12);
  at_end(text, "flights", 20, 4, column, got);
  at_end(text, "taylor", 20, 4, column, other);
  CHECK_NEAR(got[2], other[2], 1e-11);
  CHECK_NEAR(got[3], other[3], 1e-11);
}

#define GAS(DISCS, LAW)                                        \
  "param r = 0.07\nfor i in 1..6 {\n coord x[i], y[i]\n" DISCS \
  "initial x[i] = 0.2 + 0.3*(i - 1) - 0.9*if(i > 3, 1, 0)\n"   \
  "initial y[i] = 0.3 + 0.4*if(i > 3, 1, 0)\n"                 \
  "initial x[i]' = sin(3*i)\ninitial y[i]' = cos(7*i)\n}\n" LAW "integral E = energy()\n"
#define PARTICLES "particle d[i] mass 1 + i/10 = (x[i], y[i], 0) in world\n"
#define WALLS                                            \
  " constraint a[i]: x[i] >= r with restitution 1\n"     \
  " constraint b[i]: x[i] <= 1 - r with restitution 1\n" \
  " constraint c[i]: y[i] >= r with restitution 1\n"     \
  " constraint e[i]: y[i] <= 1 - r with restitution 1\n"
#define WRITTEN                         \
  "for i in 1..6 { for j in i+1..6 {\n" \
  "constraint k[i,j]: hypot(x[i] - x[j], y[i] - y[j]) >= 2*r with restitution 1\n} }\n"
#define SHAPES                                                                       \
  "frame floor = world at (0, 0, 0)\nframe top = world at (0, 1, 0) rotated z(pi)\n" \
  "frame left = world at (0, 0, 0) rotated z(-pi/2)\n"                               \
  "frame right = world at (1, 0, 0) rotated z(pi/2)\n"                               \
  "contacts gas: among d[*] as circle(r) and floor as segment and top as segment "   \
  "and left as segment and right as segment with restitution 1\n"

static const char* const places[] = {"x[1]", "y[1]", "x[2]", "y[2]", "x[5]", "y[5]", "x[6]'"};
enum { place_count = sizeof places / sizeof *places };

// some dozen impacts, before the roundings of both have grown
static void check_same(const char* text, const char* method, const char* other_text,
                       const char* other, double until, double allowed)
{
  double got[place_count], want[place_count];
  at_end(text, method, until, place_count, places, got);
  at_end(other_text, other, until, place_count, places, want);
  for (int i = 0; i < place_count; i++) CHECK_NEAR(got[i], want[i], allowed);
}

TEST(a_gas_flies_as_it_steps)
{
  static const char text[] = GAS(PARTICLES WALLS, WRITTEN);
  check_same(text, "flights", text, "taylor", 1, 1e-9);
  // as polynomials, without roots
  static const char squares[] = GAS(
      PARTICLES WALLS, "for i in 1..6 { for j in i+1..6 {\nconstraint k[i,j]: (x[i] - x[j])^2 + "
                       "(y[i] - y[j])^2 - 4*r^2 >= 0 with restitution 1\n} }\n");
  check_same(squares, "flights", text, "taylor", 1, 1e-9);
}

TEST(shapes_fly_as_what_is_written)
{
  static const char text[] = GAS(PARTICLES WALLS, WRITTEN), shapes[] = GAS(PARTICLES, SHAPES);
  check_same(shapes, "flights", text, "flights", 1, 1e-9);
}

// some fall and others do not: gaps of the fourth degree in time
TEST(bodies_with_accelerations_of_their_own_meet)
{
  static const char text[] =
      GAS(PARTICLES WALLS "force y[i] = if(i > 3, -3, 1)*0\npotential if(i > 3, 2, -1)*y[i]\n",
          WRITTEN);
  check_same(text, "flights", text, "taylor", 0.8, 1e-9);
}

// hundreds in cells, by the same law as all pairs of a few
TEST(many_discs_are_found_in_cells)
{
  bench b =
      bench_text("param r = 0.02\nfor i in 1..100 {\n coord x[i], y[i]\n"
                 "particle d[i] mass 1 = (x[i], y[i], 0) in world\n"
                 "initial x[i]' = sin(3*i)\ninitial y[i]' = cos(7*i)\n}\n"
                 "for i in 1..10 { for j in 1..10 {\ninitial x[10*i + j - 10] = (i - 1/2)/10\n"
                 "initial y[10*i + j - 10] = (j - 1/2)/10\n} }\n" SHAPES "integral E = energy()\n");
  // chosen by itself
  walk_track* t = run_by(&b, NULL, 20);
  if (!t) check_fail(__FILE__, __LINE__, "no run: %s", bench_first_error(&b));
  CHECK(t && !strcmp(t->method, "flights") && t->status == WALK_DONE);
  CHECK(t->impacts > 10000);
  CHECK(t->integral[0].drift < 1e-13);
  const int last = t->table.rows - 1;
  double x[100], y[100];
  for (int i = 0; i < 100; i++) {
    char name[20];
    snprintf(name, sizeof name, "x[%d]", i + 1);
    x[i] = bench_value(t, last, name);
    snprintf(name, sizeof name, "y[%d]", i + 1);
    y[i] = bench_value(t, last, name);
    CHECK(x[i] > 0.02 - 1e-12 && x[i] < 0.98 + 1e-12 && y[i] > 0.02 - 1e-12 && y[i] < 0.98 + 1e-12);
    for (int j = 0; j < i; j++) CHECK(hypot(x[i] - x[j], y[i] - y[j]) > 0.04 - 1e-12);
  }
  walk_track_free(t);
  bench_free(&b);
}

TEST(energy_is_kept_over_a_hundred_thousand_impacts)
{
  bench b = bench_text(GAS(PARTICLES, SHAPES));
  walk_track* t = run_by(&b, "flights", 8000);
  CHECK(t && t->status == WALK_DONE && t->impacts > 100000);
  CHECK(t->integral[0].drift < 1e-12);
  CHECK_NEAR(t->energy_balance, 0, 1e-12);
  CHECK_INT(t->happenings, 0);
  walk_track_free(t);
  bench_free(&b);
}

// two balls run into one from both sides
#define SQUEEZED(LAW)                                                                     \
  "coord x1, x2, x3\nkinetic (x1'^2 + x2'^2 + x3'^2)/2\ninitial x1 = 0\ninitial x2 = 2\n" \
  "initial x3 = 4\ninitial x1' = 1\ninitial x3' = -1\n"                                   \
  "constraint a: x2 - x1 >= 1 with restitution 1" LAW "\n"                                \
  "constraint b: x3 - x2 >= 1 with restitution 1" LAW "\n"

TEST(impacts_at_one_instant_are_one_after_the_other_only_where_the_law_says_so)
{
  static const char* const column[] = {"x1'", "x2'", "x3'"};
  double got[3];
  at_end(SQUEEZED(" sequential"), "flights", 2, 3, column, got);
  CHECK_NEAR(got[0], -1, 1e-14);
  CHECK_NEAR(got[1], 0, 1e-14);
  CHECK_NEAR(got[2], 1, 1e-14);
  check_handed_over(SQUEEZED(""), "at t = 1: at the impact of `b` several contacts that feel");
  // in the corner of a box walls do not feel each other
  static const char corner[] =
      "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint a: x >= 0 with restitution 1\n"
      "constraint b: y >= 0 with restitution 1\ninitial x = 1\ninitial y = 2\ninitial x' = -1\n"
      "initial y' = -2\n";
  static const char* const velocity[] = {"x'", "y'"};
  at_end(corner, "flights", 3, 2, velocity, got);
  CHECK_NEAR(got[0], 1, 1e-14);
  CHECK_NEAR(got[1], 2, 1e-14);
}

TEST(what_does_not_fly_is_run_by_another_method_with_the_reason)
{
  check_handed_over(
      "param e = 0.5\ncoord z\nparticle p mass 2 = (0, 0, z) in world\n"
      "gravity (0, 0, -10)\nconstraint floor: z >= 0 with restitution e\ninitial z = 1\n",
      "at the impact of `floor` bounces accumulate");
  check_handed_over(BALL("potential 3*z^2\n"), "its forces change with the motion");
  check_handed_over(BALL("event low: z - 1 = 0 report\n"), "it has events or stages");
  check_handed_over(BALL("coord s\nconstraint c: s - z = 0\nkinetic s'^2\n"), "no gaps of places");
  check_handed_over("coord z\nparticle p mass 2 = (0, 0, z) in world\ngravity (0, 0, -10)\n"
                    "constraint floor: z >= 0 with restitution 1\ninitial z = 0\n",
                    "closed at the start");
  check_handed_over("coord x, y\nkinetic (x'^2 + y'^2)/2\n"
                    "constraint c: y - x^3 >= 0 with restitution 1\ninitial y = 1\n",
                    "neither quadratic nor a distance");
}
