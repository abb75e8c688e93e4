// Friction of contacts in the plane beside forces that jump where it does.
#include "bench.h"

#include "check.h"

#include <math.h>
#include <stdio.h>

// The slip of a mass on a floor is braked by another friction, too, and a rail with friction, which
// holds both ways, is decided as in space. In flight, and at rest, the sign of that slip is not the
// contact's: it is as where the other friction is all but a sign.
TEST(a_slip_that_is_braked_twice_is_not_the_sign_of_its_contact_alone)
{
  double end[2];
  for (int smooth = 0; smooth < 2; smooth++) {
    char text[700];
    snprintf(text, sizeof text,
             "coord x, y, z, u\nkinetic 0.3*x'*z'\nparticle p mass 1 = (x, y, 0) in world\n"
             "particle q mass 1 = (z, u, 0) in world\ngravity (0, -10, 0)\n"
             "constraint rail: u = 0 with friction 0.3\n"
             "constraint floor: y >= 0 with friction 0.3 with restitution 0.5\n"
             "force (%s, 0, 0) in world at p\nforce (8*sin(t) - (x - z), 0, 0) in world at p\n"
             "force (x - z, 0, 0) in world at q\ninitial x' = 1\ninitial y = 1\nrun 0 .. 6\n",
             smooth ? "-2*tanh(1e6*x')" : "-2*sign(x')");
    bench b = bench_text(text);
    const double at[] = {6};
    walk_track* t = bench_run(&b, 1e-10, 1, at);
    CHECK(t && t->status == WALK_DONE);
    end[smooth] = t ? bench_value(t, 0, "x") : NAN;
    walk_track_free(t);
    bench_free(&b);
  }
  CHECK_NEAR(end[0], end[1], 1e-5);
}
