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
