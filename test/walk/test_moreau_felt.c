// Time-stepping where forces and bounds of friction depend on reactions: guides, laws of
// resistance, controls of a force by another. Against closed forms and against the same event by
// event.
#include "bench.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

// column at a time by steps of time
static double by_steps(const char* text, double step, double at, const char* column)
{
  bench b = bench_text(text);
  walk_options o = walk_options_default();
  o.method = "moreau";
  o.step = step;
  o.at = &at;
  o.at_count = 1;
  walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
  CHECK(t && t->status == WALK_DONE);
  const double value = t && t->status == WALK_DONE ? bench_value(t, 0, column) : NAN;
  walk_track_free(t);
  bench_free(&b);
  return value;
}

static double by_events(const char* text, double at, const char* column)
{
  bench b = bench_text(text);
  walk_track* t = bench_run(&b, 1e-11, 1, &at);
  const double value = t && t->status == WALK_DONE ? bench_value(t, 0, column) : NAN;
  walk_track_free(t);
  bench_free(&b);
  return value;
}

// Without gravity in a tube a bead keeps the angle of its screw: v = v0/(1 + k v0 t) with
// k = mu cos^2 a/R; the error of a step is of first order.
TEST(a_bead_in_a_rough_tube_by_steps_keeps_its_screw)
{
  static const char text[] =
      "coord x, y, z\nparticle b mass 3 = (x, y, z) in world\n"
      "constraint tube: x^2 + y^2 = 4 with friction 0.4\ninitial x = 2\ninitial y' = 1.5\n"
      "initial z' = 2\noutput lost = loss(tube)\nrun 0 .. 2\n";
  const double v0 = 2.5, c = 1.5 / v0, k = 0.4 * c * c / 2, v = v0 / (1 + k * v0 * 2);
  CHECK_NEAR(by_steps(text, 1e-3, 2, "z'"), v * 2 / v0, 2e-4);
  CHECK_NEAR(by_steps(text, 1e-4, 2, "z'"), v * 2 / v0, 2e-5);
  CHECK_NEAR(by_steps(text, 1e-4, 2, "lost"), 1.5 * (v0 * v0 - v * v), 2e-4);
}

// A block thrown up an incline that holds it both ways stops after v/(g (sin a + mu cos a)) and is
// held by m g sin a, however the law is written; the pressing force may be written without abs().
TEST(friction_of_an_equation_by_steps_holds_on_an_incline)
{
  static const char* const law[] = {
      "constraint plane: pos(b).y = 0 with friction mu\noutput F = friction(plane)\n"
      "output how = state(plane)\n",
      "constraint plane: y = 0\nresist plane = -mu*reaction(plane)*sign(x') along x\n"
      "output F = mu*reaction(plane)*abs(sign(x'))\noutput how = 2 - step(mu*reaction(plane) - "
      "1.001*F)\n",
      "constraint plane: y = 0\nforce x = -mu*abs(reaction(plane))*sign(x')\n"
      "output F = mu*reaction(plane)*abs(sign(x'))\noutput how = 2 - step(mu*reaction(plane) - "
      "1.001*F)\n"};
  const double g = 9.81, a = 0.3, mu = 0.5, v = 2, brake = g * (sin(a) + mu * cos(a));
  for (int i = 0; i < 3; i++) {
    char text[600];
    snprintf(text, sizeof text,
             "param mu = 0.5, a = 0.3, g = 9.81\ncoord x, y\nparticle b mass 2 = (x, y, 0)\n"
             "gravity (-g*sin(a), -g*cos(a), 0)\ninitial x' = 2\nrun 0 .. 1\n%s",
             law[i]);
    CHECK_NEAR(by_steps(text, 1e-3, 1, "x"), v * v / (2 * brake), 1e-5);
    CHECK_NEAR(by_steps(text, 1e-3, 1, "F"), 2 * g * sin(a), 1e-9);
    CHECK_NEAR(by_steps(text, 1e-3, 1, "how"), 1, 0);
    CHECK_NEAR(by_steps(text, 1e-3, 0.1, "F"), 2 * g * mu * cos(a), 1e-9);
  }
}

// Two guides that press each other: their reactions are found turn by turn.
TEST(a_ladder_in_two_rough_guides_by_steps)
{
  static const char text[] =
      "coord th, x, y\nframe F = world at (x, y, 0) rotated z(th)\n"
      "rod r mass 2 from (-0.5, 0, 0) to (0.5, 0, 0) in F\npoint A = (-0.5, 0, 0) in F\n"
      "point B = (0.5, 0, 0) in F\ngravity (0, -10, 0)\n"
      "constraint a: pos(A).y = 0 with friction 0.2\nconstraint b: pos(B).x = 0 with friction "
      "0.25\n"
      "initial th = 2\ninitial th' = 0.3\noutput la = loss(a)\noutput lb = loss(b)\nrun 0 .. 0.5\n";
  static const char* const column[] = {"th", "th'", "la", "lb", "reaction.a"};
  for (int i = 0; i < 5; i++) {
    const double want = by_events(text, 0.5, column[i]), got = by_steps(text, 1e-4, 0.5, column[i]);
    CHECK_NEAR(got, want, 1e-3);
  }
}

// An impact presses a rough guide: its friction takes part with the share mu of the impulse.
TEST(a_rough_guide_is_struck_by_steps)
{
  static const char text[] =
      "coord x, y, z\nparticle p mass 3 = (x, 0, y)\nparticle b mass 1 = (0, 0, z)\n"
      "gravity (0, 0, -10)\npotential 40*x^2\nconstraint g: pos(p).z = 0.2*x with friction 0.3\n"
      "constraint f: z - y >= 0 with restitution 0.4\ninitial z = 0.5\ninitial x' = 1\nrun 0 .. "
      "1.5\n";
  const double want = by_events(text, 1.5, "x");
  CHECK_NEAR(by_steps(text, 1e-3, 1.5, "x"), want, 2e-4);
  CHECK_NEAR(by_steps(text, 2e-4, 1.5, "x"), want, 4e-5);
}

// A force made of the reaction of a speed limiter, and its work in the balance of energy.
TEST(forces_that_depend_on_reactions_by_steps)
{
  bench b = bench_text("coord x, w\nkinetic x'^2/2 + w'^2/2\nforce x = 5*sin(t) - x'/2\n"
                       "force w = -reaction(limit)*x'\nconstraint limit: x' <= 3\nrun 0 .. 10\n");
  const double at = 10;
  walk_track *want = bench_run(&b, 1e-11, 1, &at), *got = bench_run_by(&b, "moreau", 0, 1, &at);
  CHECK(want && got);
  if (want && got) {
    CHECK_NEAR(bench_value(got, 0, "w'"), bench_value(want, 0, "w'"), 1e-4);
    CHECK(fabs(got->energy_balance) < 1e-6);
  }
  walk_track_free(want);
  walk_track_free(got);
  bench_free(&b);
}

TEST(a_coordinate_without_mass_is_refused_at_its_place)
{
  bench b = bench_text("coord x, y, u\nparticle p mass 1 = (x, y, 0)\ngravity (0, -10, 0)\n"
                       "constraint c: pos(p) = (cos(u), sin(u), 0)\ninitial u = 1\nrun 0 .. 1\n");
  walk_options o = walk_options_default();
  o.method = "moreau";
  walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
  CHECK(!t && strstr(bench_first_error(&b), "coordinates without mass"));
  walk_track_free(t);
  bench_free(&b);
}

// The reaction of a contact that rubs drives something else, too: its friction acts once, also
// behind an event that has the rows counted anew.
TEST(a_rough_contact_that_drives_another_by_steps_rubs_once)
{
  static const char text[] =
      "param k = 0\ncoord x, y, w\nparticle c mass 1 = (x, y, 0)\nforce y = -9.81\nforce x = k\n"
      "constraint f: pos(c).y >= 0 with friction 0.15\nkinetic w'^2/2\nforce w = -reaction(f)*0.1\n"
      "event push: t = 0.1 { set k = 0.2 }\ninitial x' = 0.5\nrun 0 .. 1\n";
  const double first = 0.15 * 9.81, v = 0.5 - 0.1 * first, brake = first - 0.2;
  const double way = 0.05 - first * 0.005 + v * v / (2 * brake);
  CHECK_NEAR(by_steps(text, 1e-3, 1, "x"), way, 1e-5);
  CHECK_NEAR(by_events(text, 1, "x"), way, 1e-10);
  CHECK_NEAR(by_steps(text, 1e-3, 1, "w'"), -0.981, 1e-9);
}
