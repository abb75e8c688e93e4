// The initial state: nearest to the guesses, also where these lie at a point without a gradient.
#include <stdio.h>

#include "check.h"
#include "walk/bench.h"

TEST(what_has_no_part_in_a_constraint_stays_at_its_guess)
{
  // at x = 0 these constraints have no gradient, or no value: the solver leaves that point by
  // moving
  static const char* const constraint[] = {"x^2 = 4", "x^3 = 8", "hypot(x, y) = 2", "4/x = 2"};
  for (int i = 0; i < 4; i++) {
    char text[300];
    snprintf(text, sizeof text,
             "coord x, y, z, w\nkinetic (x'^2 + y'^2 + z'^2 + w'^2)/2\nconstraint c: %s\n"
             "constraint d: z = w + 1\ninitial z ~ 1\nrun 0 .. 1\n",
             constraint[i]);
    bench b = bench_text(text);
    const double at[1] = {0};
    walk_track* t = bench_run(&b, 1e-10, 1, at);
    CHECK(t && t->status == WALK_DONE);
    if (t) {
      CHECK_NEAR(hypot(bench_value(t, 0, "x"), bench_value(t, 0, "y")), 2, 1e-12);
      CHECK_NEAR(bench_value(t, 0, "z"), 1, 1e-14);
      CHECK_NEAR(bench_value(t, 0, "w"), 0, 1e-14);
      if (i != 2) CHECK_NEAR(bench_value(t, 0, "y"), 0, 1e-14);
    }
    walk_track_free(t);
    bench_free(&b);
  }
}

// An open chain whose end lies 1e-3 from where it is to be held: in relative angles, where guesses
// of directions are sums, it must close in the shape that they describe.
TEST(chains_close_near_the_shape_that_guesses_describe)
{
  static const double angle[] = {1.57, 0.02, -1.24, -1.88, -3.15};
  static const double length[] = {0.97, 1.12, 0.51, 1, 0.43};
  double x = 1e-3, y = -1e-3;
  for (int i = 0; i < 5; i++) {
    x += length[i] * cos(angle[i]);
    y += length[i] * sin(angle[i]);
  }
  base_text text = {0};
  for (int i = 0; i < 5; i++) {
    base_text_printf(&text, "coord q%d\n", i);
    if (i)
      base_text_printf(&text, "let a%d = a%d + q%d\nframe F%d = F%d at (%g, 0, 0) rotated z(q%d)\n",
                       i, i - 1, i, i, i - 1, length[i - 1], i);
    else
      base_text_add(&text, "let a0 = q0\nframe F0 = world rotated z(q0)\n");
    base_text_printf(&text, "rod r%d mass 1 from (0, 0, 0) to (%g, 0, 0) in F%d\n", i, length[i],
                     i);
    base_text_printf(&text, "initial a%d %s %g\noutput d%d = a%d\n", i, i < 3 ? "=" : "~", angle[i],
                     i, i);
  }
  base_text_printf(&text,
                   "point E = (%g, 0, 0) in F4\nconstraint x: pos(E).x = %.17g\n"
                   "constraint y: pos(E).y = %.17g\nrun 0 .. 0.1\n",
                   length[4], x, y);
  bench b = bench_text(text.at);
  const double at[1] = {0};
  walk_track* t = bench_run(&b, 1e-10, 1, at);
  CHECK(t && t->status == WALK_DONE);
  for (int i = 0; t && i < 5; i++) {
    const char column[] = {'d', (char)('0' + i), 0};
    CHECK_NEAR(bench_value(t, 0, column), angle[i], i < 3 ? 1e-12 : 0.01);
  }
  walk_track_free(t);
  bench_free(&b);
  base_text_free(&text);
}

TEST(so_it_does_among_many_coordinates)
{
  bench b =
      bench_text("for i in 1..70 { coord x[i]\nkinetic x[i]'^2/2 }\nconstraint c: x[1]^2 = 4\n"
                 "constraint d: x[2] = x[3]\nrun 0 .. 1\n");
  const double at[1] = {0};
  walk_track* t = bench_run(&b, 1e-10, 1, at);
  CHECK(t && t->status == WALK_DONE);
  if (t) {
    CHECK_NEAR(fabs(bench_value(t, 0, "x[1]")), 2, 1e-12);
    CHECK_NEAR(bench_value(t, 0, "x[2]"), 0, 1e-14);
    CHECK_NEAR(bench_value(t, 0, "x[70]"), 0, 1e-14);
  }
  walk_track_free(t);
  bench_free(&b);
}

// A cylinder lies across another. The equations of the contact also hold with one inside the other,
// and below: it is found above, where the guess is, whatever the start of the charts.
TEST(bodies_start_outside_of_each_other)
{
  bench b = bench_text("body b mass 1 inertia (0.02, 0.005, 0.02)\ngravity (0, 0, -9.81)\n"
                       "frame base = world rotated y(pi/2)\nframe cyl = b rotated x(pi/2)\n"
                       "roll cyl as cylinder(0.1) on base as cylinder(0.3) at c\n"
                       "initial pos(b).x = 0\ninitial pos(b).y = 0\ninitial pos(b).z ~ 0.4\n"
                       "initial rotation(b) = x(0.1)\ninitial omega(b) = (0.3, 0, 0)\n"
                       "output height = pos(b).z\nrun 0 .. 1\n");
  const double at[1] = {0};
  walk_track* t = bench_run(&b, 1e-10, 1, at);
  CHECK(t && t->status == WALK_DONE);
  // the axis of the upper one, at x = y = 0, is tilted by 0.1 across the lower one
  if (t) CHECK_NEAR(bench_value(t, 0, "height"), 0.4 / cos(0.1), 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

// ---- guesses that give way ----------------------------------------------------------------------

// "x ~ 0.36 by 0.00236; ..." of all that were moved
static void moves_are(const char* text, const char* want)
{
  bench b = bench_text(text);
  const double at[1] = {0};
  walk_track* t = bench_run(&b, 1e-10, 1, at);
  char got[500] = "";
  for (int i = 0, end = 0; t && i < t->guesses.count; i++)
    end += snprintf(got + end, sizeof got - (size_t)end, "%s%s by %.3g", i ? "; " : "",
                    t->guesses.at[i].text, t->guesses.at[i].moved);
  CHECK_TEXT(got, want);
  walk_track_free(t);
  bench_free(&b);
}

TEST(guesses_that_were_moved_are_told_with_how_far)
{
  const char* two = "coord x, y\nkinetic (x'^2 + y'^2)/2\n";
  char text[300];
  snprintf(text, sizeof text, "%sconstraint c: x^2 + y^2 = 25\ninitial x = 3\ninitial y ~ 3.9\n%s",
           two, "run 0 .. 1\n");
  moves_are(text, "y ~ 3.9 by 0.1");
  // wherever it stands among what is given, and several of them
  snprintf(text, sizeof text, "%sconstraint c: x^2 + y^2 = 25\ninitial y ~ 3.9\ninitial x = 3\n%s",
           two, "run 0 .. 1\n");
  moves_are(text, "y ~ 3.9 by 0.1");
  snprintf(text, sizeof text,
           "%sconstraint c: x^2 = 4\nconstraint d: y^2 = 9\ninitial x ~ 1.5\ninitial y ~ 3.25\n%s",
           two, "run 0 .. 1\n");
  moves_are(text, "x ~ 1.5 by 0.5; y ~ 3.25 by -0.25");
  // a guess that holds, to the rounding of its text
  snprintf(text, sizeof text, "%sconstraint c: x^2 + y^2 = 25\ninitial x = 3\ninitial y ~ 4\n%s",
           two, "run 0 .. 1\n");
  moves_are(text, "");
  snprintf(text, sizeof text,
           "%sconstraint c: y = sqrt(2)*x\ninitial x = 1\ninitial y ~ 1.414213562373\n%s", two,
           "run 0 .. 1\n");
  moves_are(text, "");
  // velocities, and guesses of what is no coordinate
  snprintf(text, sizeof text,
           "%sconstraint c: y' = 2*x'\ninitial x' = 1\ninitial y' ~ 1.5\nrun 0 .. 1\n", two);
  moves_are(text, "y' ~ 1.5 by 0.5");
  snprintf(text, sizeof text,
           "%spoint P = (x, y, 0) in world\nconstraint c: x^2 + y^2 = 25\ninitial x = 3\n"
           "initial pos(P).y + 1 ~ 4.9\nrun 0 .. 1\n",
           two);
  moves_are(text, "pos(P).y + 1 ~ 4.9 by 0.1");
}

// x' and y' are not told: the speed along the blade and the blade determine them
TEST(what_the_equations_determine_is_no_guess)
{
  moves_are("coord x, y, th\nkinetic (x'^2 + y'^2 + th'^2)/2\n"
            "constraint blade: x'*sin(th) = y'*cos(th)\nquasi v = x'*cos(th) + y'*sin(th)\n"
            "initial v = 2\ninitial th = 0.3\nrun 0 .. 1\n",
            "");
}

// a ball spins on a plank that is free to slide, and nothing is said of either's speed
// nearest in the metric of the kinetic energy: the plank of 2 kg moves half as much as the ball
TEST(what_is_left_open_and_moves_is_told)
{
  moves_are("coord x\nframe plank = world at (x, 0, 0)\n"
            "body pl mass 2 inertia (1, 1, 1) at (0, 0, 0) in plank\nball b mass 1 radius 0.1\n"
            "gravity (0, 0, -9.81)\nroll b as sphere(0.1) on plank as plane at c\n"
            "initial omega(b) = (0, 1, 0)\nrun 0 .. 1\n",
            "x' ~ 0 by -0.0333; b.x' ~ 0 by 0.0667");
}

// ---- in any unit --------------------------------------------------------------------------------

TEST(a_rod_of_any_length_is_met_at_the_start)
{
  for (double length = 1e6; length > 1e-10; length *= 1e-3) {
    char text[300];
    snprintf(text, sizeof text,
             "param L = %g\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\n"
             "constraint rod: x^2 + y^2 = L^2\ninitial x = 0.6*L\ninitial y ~ -0.7*L\n"
             "initial x' = L\nrun 0 .. %g\n",
             length, 1e-3 * sqrt(length));
    bench b = bench_text(text);
    const double at[] = {0};
    walk_track* t = bench_run(&b, 1e-10, 1, at);
    CHECK_NEAR(bench_value(t, 0, "y") / length, -0.8, 1e-12);
    CHECK_NEAR(bench_value(t, 0, "y'") / length, 0.75, 1e-12);
    walk_track_free(t);
    bench_free(&b);
  }
}

// x' = s t and x' = 2 s t agree at the start, their accelerations never, however small s is
TEST(accelerations_that_contradict_each_other_are_told_however_small)
{
  for (double size = 1; size > 1e-13; size *= 1e-4) {
    char text[200];
    snprintf(text, sizeof text,
             "param s = %g\ncoord x\nkinetic x'^2/2\nconstraint a: x' = s*t\n"
             "constraint b: x' = 2*s*t\nrun 0 .. 1\n",
             size);
    bench b = bench_text(text);
    const walk_options o = walk_options_default();
    walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
    CHECK(b.system && !t);
    CHECK(strstr(bench_first_error(&b), "contradicts the others: no accelerations satisfy"));
    walk_track_free(t);
    bench_free(&b);
  }
}

// ---- what is told of a start that cannot be -----------------------------------------------------

// the first error of a start, as it is shown
static void is_refused(const char* text, int line, const char* words)
{
  bench b = bench_text(text);
  const walk_options o = walk_options_default();
  walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
  CHECK(b.system && !t && base_notes_errors(b.notes) == 1);
  for (int i = 0; i < base_notes_count(b.notes); i++) {
    int at = 0, column;
    if (base_notes_level(b.notes, i) != BASE_ERROR) continue;
    base_notes_where(b.notes, i, &at, &column);
    CHECK_INT(at, line);
    if (!strstr(base_notes_text(b.notes, i), words))
      check_fail(__FILE__, __LINE__, "%s: %s", words, base_notes_text(b.notes, i));
  }
  walk_track_free(t);
  bench_free(&b);
}

TEST(of_constraints_that_are_as_far_off_the_first_is_pointed_at)
{
  is_refused("coord x\nkinetic x'^2/2\nconstraint a: x = -1\nconstraint b: x = 1\n"
             "constraint c: x = 1\nconstraint d: x = -1\n",
             3, "`a`, `b`, `c` and `d` contradict each other");
}

// the one against two is the farthest off
TEST(what_contradicts_is_told_in_any_unit)
{
  for (double length = 1e3; length > 1e-16; length *= 1e-6) {
    char text[300];
    snprintf(text, sizeof text,
             "param L = %g\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint a: x = L\n"
             "constraint b: x = -L\nconstraint c: x = L\n",
             length);
    is_refused(text, 5, "the constraints `a`, `b` and `c` contradict each other");
    snprintf(text, sizeof text,
             "param L = %g\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint rod: x^2 + y^2 = L^2\n"
             "initial x = 2*L\ninitial y ~ 0\n",
             length);
    is_refused(text, 5, "the initial values and the constraints contradict each other");
  }
}

// of all coordinates that take part the fastest is one
TEST(a_motion_without_inertia_is_named)
{
  is_refused("coord x, y\nkinetic y'^2/2\n", 1, "x' = -1 costs no kinetic energy");
  is_refused("coord x, y\nkinetic x'^2/2\n", 1, "the motion y' = 1 costs");
  is_refused("coord x, y, z\nkinetic ((x' + 4*y')^2 + z'^2)/2\n", 1,
             "x' = 1, y' = -0.25 costs no kinetic");
}

// ---- between two assemblies ---------------------------------------------------------------------

// what a note says of another assembly, "" where there is none
static void other_is(const char* text, const char* want)
{
  bench b = bench_text(text);
  const double at[1] = {0};
  walk_track* t = bench_run(&b, 1e-10, 1, at);
  const char* got = "";
  for (int i = 0; i < base_notes_count(b.notes); i++) {
    const char* said = strstr(base_notes_reason(b.notes, i), "this one has ");
    if (said) got = said;
  }
  CHECK_TEXT(got, want);
  walk_track_free(t);
  bench_free(&b);
}

// a point on a circle: its height is +-0.8, and nothing between the two is said, or too little
TEST(a_guess_that_decides_between_assemblies_is_told)
{
  static const char circle[] = "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x^2 + y^2 = 1\n"
                               "initial x = 0.6\n%srun 0 .. 1\n";
  char text[300];
  snprintf(text, sizeof text, circle, "");
  other_is(text, "this one has y = 0.8, another y = -0.8");
  snprintf(text, sizeof text, circle, "initial y ~ -0.05\n");
  other_is(text, "this one has y = -0.8, another y = 0.8");
  snprintf(text, sizeof text, circle, "initial y ~ -0.5\n");
  other_is(text, "");
  // one assembly alone, however far from the guess
  other_is(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x + y = 5\ninitial x = 1\nrun 0 .. 1\n",
      "");
}

// What is at rest at the start has no speed to measure rounding by until its first step is made.
TEST(constraints_that_follow_from_others_hold_on_from_rest)
{
  uint64_t seed = 3;
  for (int run = 0; run < 20; run++) {
    double x[4];
    for (int i = 0; i < 4; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      x[i] = 0.3 + (double)(seed >> 11) / 9007199254740992.0;
    }
    char text[400];
    snprintf(text, sizeof text,
             "coord a, b\nconstraint geared: b = %.17g*a\nconstraint twice: b' = %.17g*a'\n"
             "particle A mass %.17g = (a, 0, 0) in world\nparticle B mass 1 = (b, 0, 0) in world\n"
             "force (%.17g*sin(3*t), 0, 0) in world at A\ninitial a = 0.7\ninitial a' = 0\n"
             "run 0 .. 1\n",
             x[0], x[0], x[1], x[2]);
    bench b = bench_text(text);
    const double at[1] = {1}, m = x[1] + x[0] * x[0];
    walk_track* t = bench_run(&b, 1e-10, 1, at);
    CHECK(t && t->status == WALK_DONE);
    if (t && t->status == WALK_DONE)
      CHECK_NEAR(bench_value(t, 0, "a"), 0.7 + x[2] / m * (1 - sin(3) / 3) / 3, 1e-9);
    walk_track_free(t);
    bench_free(&b);
  }
}
