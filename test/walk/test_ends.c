// The ends of steps noted several side by side, against one at a time.
#include "bench.h"

#include "check.h"

#include <string.h>

static bool go_on(void* context, const walk_progress* p)
{
  (void)p;
  ++*(int*)context;
  return true;
}

// who is told of every step is told what was noted of it: then ends are noted one at a time
static void compare(bench* b, double tolerance)
{
  int told = 0;
  walk_options o = walk_options_default();
  o.method = "gauss16";
  o.tolerance = tolerance;
  o.points = 50;
  walk_track* many = walk_run(b->system, &o, b->notes);
  o.progress = go_on;
  o.progress_context = &told;
  walk_track* one = walk_run(b->system, &o, b->notes);
  CHECK(many && one && many->status == WALK_DONE && one->status == WALK_DONE);
  if (many && one) {
    const double size = one->energy_scale;
    CHECK_INT(told, (int)one->counts.steps);
    CHECK_INT((int)many->counts.steps, (int)one->counts.steps);
    CHECK(size > 0);
    // of velocities put on the constraints, or eliminated by them: alike to their rounding
    CHECK_NEAR(many->energy_end, one->energy_end, 3e-14 * size);
    CHECK_NEAR(many->energy_work, one->energy_work, 3e-14 * size);
    CHECK_NEAR(many->energy_scale, size, 3e-14 * size);
    CHECK_NEAR(many->energy_balance, one->energy_balance, 3e-14 * size);
    CHECK_NEAR(many->t_reached, one->t_reached, 0);
    for (int k = 0; k < many->model->constraints; k++) {
      const walk_residual *x = &many->residual[k], *y = &one->residual[k];
      CHECK(isnan(x->position) == isnan(y->position) && isnan(x->velocity) == isnan(y->velocity));
      CHECK(isnan(x->position) || x->position < 1e-13);
      CHECK(isnan(x->velocity) || x->velocity < 1e-12);
    }
    CHECK_INT(many->table.rows, one->table.rows);
    for (int i = 0; i < one->table.rows * one->table.width; i++)
      CHECK(many->table.value[i] == one->table.value[i]);
    CHECK_INT(many->integrals, one->integrals);
    for (int i = 0; i < many->integrals; i++)
      CHECK_NEAR(many->integral[i].drift, one->integral[i].drift, 1e-14);
  }
  walk_track_free(many);
  walk_track_free(one);
}

// free, with all velocities kept, with places bound, with velocities eliminated
TEST(ends_noted_together_are_those_noted_alone)
{
  const char* name[] = {"heavy_top", "skater_benchmark", "pendulum", "rolling_disc"};
  for (int i = 0; i < 4; i++) {
    bench b = bench_file(name[i]);
    for (double tolerance = 1e-8; tolerance > 1e-13; tolerance /= 10) compare(&b, tolerance);
    bench_free(&b);
  }
}

// the work of what moves a base, and a frame that time moves
TEST(ends_know_their_time)
{
  bench b = bench_text("coord x, y\n"
                       "frame table = world rotated z(t^2)\n"
                       "particle P mass 2 = (x, y, 0) in table\n"
                       "potential x^2 + y^2\n"
                       "force x = sin(3*t)\n"
                       "initial x = 1\n"
                       "run 0 .. 3\n");
  compare(&b, 1e-10);
  bench_free(&b);
}

// a force that grows too much for the energies of the first ends to be the largest
TEST(the_largest_energy_of_any_end_counts)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\npotential -100*exp(-x^2)\n"
                       "initial x = -5\ninitial x' = 3\nrun 0 .. 4\n");
  walk_options o = walk_options_default();
  o.tolerance = 1e-10;
  walk_track* t = walk_run(b.system, &o, b.notes);
  CHECK(t && strcmp(t->method, "gauss16") == 0);
  // it passes the middle with nearly 100 + 4.5
  CHECK(t && t->energy_scale > 40);
  walk_track_free(t);
  compare(&b, 1e-10);
  bench_free(&b);
}
