// What happens within the last of what accumulates (bounces: test/unions/meanwhile.py).
#include <math.h>
#include <stdio.h>

#include "bench.h"
#include "check.h"

// x'' = -3 sign(x) - sign(x') from x = 1 swings to its limit at 1.5/(1 - sqrt(1/2)). Another mass,
// which knows nothing of that, is told where it is within the last of the swings.
TEST(what_happens_while_swings_end_is_told_when_it_does)
{
  const double limit = 1.5 / (1 - sqrt(0.5));
  for (double before = 1e-9; before < 1e-3; before *= 3) {
    char text[300];
    const double at = limit - before;
    snprintf(text, sizeof text,
             "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -3*sign(x) - sign(x')\n"
             "event mark: y = %.17g rising report\ninitial x = 1\ninitial y' = 1\nrun 0 .. 6\n",
             at);
    bench b = bench_text(text);
    walk_track* t = bench_run(&b, 1e-11, 0, NULL);
    CHECK_INT(t->happenings, 1);
    CHECK_NEAR(t->happening[0].t, at, 1e-12);
    CHECK_NEAR(bench_value(t, t->table.rows - 1, "x"), 0, 1e-11);
    walk_track_free(t);
    bench_free(&b);
  }
}
