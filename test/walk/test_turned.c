// Blades by Gauss's method, whose velocities are turned into the direction the blade leaves free:
// against a method that knows nothing of that, with the constraint met to rounding.
#include "bench.h"

#include "check.h"

static walk_track* run_by(bench* b, const char* method, double tolerance)
{
  const double at[] = {0.3, 1.1, 2, 3};
  walk_options o = walk_options_default();
  o.method = method;
  o.tolerance = tolerance;
  o.at_count = 4;
  o.at = at;
  return walk_run(b->system, &o, b->notes);
}

static void compare(const char* text)
{
  bench b = bench_text(text);
  walk_track *g = run_by(&b, "gauss16", 1e-13), *t = run_by(&b, "dop853", 1e-13);
  CHECK(g && t && g->status == WALK_DONE && t->status == WALK_DONE && g->table.rows == 4);
  if (!g || !t || g->table.rows != t->table.rows) return;
  for (int i = 0; i < g->table.rows; i++)
    for (int c = 1; c < g->table.width; c++) {
      const double want = t->table.value[i * t->table.width + c];
      CHECK_NEAR(g->table.value[i * g->table.width + c], want, 1e-10 * fmax(1, fabs(want)));
    }
  for (int k = 0; k < b.model->constraints; k++) CHECK(g->residual[k].velocity < 4e-15);
  CHECK(fabs(g->energy_balance) < 1e-12 * fmax(1, g->energy_scale));
  walk_track_free(g);
  walk_track_free(t);
  bench_free(&b);
}

#define blade \
  "coord x\ncoord y\ncoord phi\ninitial phi = 0.3\ninitial phi' = 2\ninitial x' = 1\nrun 0 .. 3\n"
#define free_kinetic "kinetic (x'^2 + y'^2 + phi'^2/2)/2\n"

TEST(a_blade_under_forces)
{
  compare(blade free_kinetic
          "force x = -0.3*x' + 1\nforce y = sin(t)\nforce phi = -0.1*phi' + 0.2*x\n"
          "constraint c: x'*sin(phi) - y'*cos(phi) = 0\n");
}

// M has no axis of its own along the blade
TEST(a_blade_with_masses_that_differ_by_direction)
{
  compare(blade "kinetic (2*x'^2 + 3*y'^2 + x'*y' + phi'^2 + x'*phi'*cos(phi)/2)/2\n"
                "potential x^2/2 + y\nconstraint c: x'*sin(phi) - y'*cos(phi) = 0\n");
}

TEST(a_blade_that_is_driven_sideways)
{
  compare(blade free_kinetic "force x = 1\n"
                             "constraint c: x'*sin(phi) - y'*cos(phi) = 0.2*sin(3*t)\n");
}

// the row is twice as long, and the direction moves with time
TEST(a_blade_that_turns_by_a_law)
{
  compare(blade free_kinetic "force y = -1\n"
                             "constraint c: 2*x'*sin(phi + t^2) - 2*y'*cos(phi + t^2) = 0\n");
}

TEST(a_blade_whose_direction_depends_on_its_place)
{
  compare(blade free_kinetic "force y = -1\nforce x = 0.5\n"
                             "constraint c: x'*sin(x - 2*y) - y'*cos(x - 2*y) = 0\n");
}

TEST(a_blade_ahead_of_the_centre_of_mass)
{
  compare("param a = 0.4\nparam m = 2\ncoord x\ncoord y\ncoord phi\n"
          "frame sleigh = world at (x, y, 0) rotated z(phi)\n"
          "body b mass m inertia (0, 0, 0.3) at (a, 0.1, 0) in sleigh\n"
          "point A = (0, 0, 0) in sleigh\nconstraint c: vel(A, sleigh).y = 0\n"
          "initial x' = 1\ninitial phi' = 1.5\nrun 0 .. 3\n");
}

TEST(two_blades_on_a_spring)
{
  compare("coord x1\ncoord y1\ncoord p1\ncoord x2\ncoord y2\ncoord p2\n"
          "kinetic (x1'^2 + y1'^2 + p1'^2 + x2'^2 + y2'^2 + p2'^2)/2\n"
          "potential ((x1 - x2)^2 + (y1 - y2)^2 - 1)^2/8 + cos(p1 - p2)\n"
          "constraint c1: x1'*sin(p1) - y1'*cos(p1) = 0\n"
          "constraint c2: x2'*cos(p2) + y2'*sin(p2) = 0\n"
          "initial x2 = 1\ninitial p1' = 1\ninitial x1' = 1\nrun 0 .. 3\n");
}

// beside it a rolling wheel, whose row has a number
TEST(a_blade_and_a_wheel)
{
  compare(blade "coord s\nkinetic (x'^2 + y'^2 + phi'^2/2 + s'^2)/2\nforce s = -1\n"
                "constraint c: x'*sin(phi) - y'*cos(phi) = 0\n"
                "constraint w: s' - phi'*cos(x) = 0\n");
}

// a law that changes while it runs, an event, and the work of the forces by accelerations
TEST(a_blade_with_stages_and_events)
{
  compare(blade "param k = 1\n" free_kinetic
                "force x = 1\nconstraint c: x'*sin(k*phi) - y'*cos(k*phi) = 0\n"
                "event turn: t = 1.5 { set k = 1.4 over 0.4 }\n"
                "event far: x = 0.5 { set phi' = -phi' }\n");
}

// along the blade each force is known as soon as the angle is: the stages are there after two turns
TEST(the_skater_takes_few_evaluations)
{
  bench b = bench_file("skater_benchmark");
  walk_options o = walk_options_default();
  o.method = "gauss16";
  o.tolerance = 1e-12;
  o.at_count = 1;
  const double at[] = {15};
  o.at = at;
  walk_track* t = walk_run(b.system, &o, b.notes);
  CHECK(t && t->status == WALK_DONE && t->counts.evaluations < 3 * t->counts.steps);
  walk_track_free(t);
  bench_free(&b);
}
