// Accelerations in two parts: what the constraints fix, and what they leave to the forces.
#include "../walk/bench.h"
#include "check.h"

#include <math.h>
#include <stdio.h>

// A particle on a circle: across it v^2/R towards the centre, along it what gravity makes. In
// coordinates that are not of one unit, as the metric has it.
TEST(the_constraints_fix_the_centripetal_part_and_leave_the_tangential_one)
{
  for (int k = 0; k < 12; k++) {
    const double angle = 0.3 + 0.5 * k, w = 1.5 - 0.4 * k, unit = k % 2 ? 1 : 3, R = 2, g = 9.81;
    char text[400];
    snprintf(text, sizeof text,
             "coord x, y\nkinetic ((%g*x')^2 + y'^2)/2\npotential %g*y\n"
             "constraint rod: (%g*x)^2 + y^2 = %g\n"
             "initial x = %.17g\ninitial y ~ %.17g\ninitial x' = %.17g\n",
             unit, g, unit, R * R, R * cos(angle) / unit, R * sin(angle),
             -R * w * sin(angle) / unit);
    bench b = bench_text(text);
    study_point* p = b.system ? study_point_solve(b.system, NULL, 0, NULL, b.notes) : NULL;
    CHECK(p && p->WL && p->WK);
    if (p && p->WL) {
      const double along = -g * cos(angle);
      CHECK_NEAR(p->WL[0] * unit, -along * sin(angle), 1e-10);
      CHECK_NEAR(p->WL[1], along * cos(angle), 1e-10);
      CHECK_NEAR(p->WK[0] * unit, -R * w * w * cos(angle), 1e-10);
      CHECK_NEAR(p->WK[1], -R * w * w * sin(angle), 1e-10);
    }
    study_point_free(p);
    bench_free(&b);
  }
}
