// Right-hand sides by one kernel against the general way.
#include "bench.h"
#include "check.h"
#include "rate/rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// the engine of a model of the gallery at its start, and a flow that takes kernels
static rate_flow* flow_of(const bench* b, long evaluations)
{
  engine* e = contact_engine_new(b->system, b->notes);
  if (!e) return NULL;
  const bool started = walk_start(e, 0, b->model->initials, b->model->initial, b->notes, NULL);
  engine_time(e, 0);
  rate_flow* f = rate_flow_new(e, 1e-10, false);
  e->evaluations = evaluations;
  if (started && !contact_sides(e) && !rate_flow_rebase(f)) return f;
  engine_free(e);
  return NULL;
}

// y' both ways at states beside the start
static void compare(const char* name, long evaluations)
{
  bench b = bench_file(name);
  rate_flow* f = b.system ? flow_of(&b, evaluations) : NULL;
  CHECK(f && f->fused);
  if (f && f->fused) {
    const int n = f->ode.n;
    double y[60], one[60], two[60];
    CHECK(n <= 60);
    rate_flow_store(f, 0, y);
    srand(3);
    for (int turn = 0; turn < 20; turn++) {
      for (int i = 0; i < n - 1; i++) y[i] += 0.01 * (2.0 * rand() / RAND_MAX - 1);
      const rate_fused* kept = f->fused;
      CHECK(!f->ode.rhs(f, 0.1, y, one));
      CHECK(!rate_fused_rates(kept, f->e, 0.1, y, two));
      f->fused = NULL;
      CHECK(!f->ode.rhs(f, 0.1, y, two));
      f->fused = kept;
      double size = 1;
      for (int i = 0; i < n; i++) size = fmax(size, fabs(two[i]));
      for (int i = 0; i < n; i++) CHECK_NEAR(one[i], two[i], 1e-12 * size);
    }
    engine_free(f->e);
  }
  bench_free(&b);
}

TEST(one_kernel_gives_the_rates_of_the_general_way)
{
  const char* names[] = {"skater_benchmark", "rolling_disc",     "pendulum", "heavy_top",
                         "double_pendulum",  "chaplygin_sleigh", "pleiades", "slider_crank"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    compare(names[i], 1000);
    compare(names[i], 1000000);
  }
}

TEST(short_runs_make_no_kernel)
{
  bench b = bench_file("skater_benchmark");
  rate_flow* f = flow_of(&b, 0);
  CHECK(f && !f->fused);
  if (f) engine_free(f->e);
  bench_free(&b);
}

// the blade turns: each of both velocities becomes too small to follow the other from
TEST(the_choice_of_velocities_follows_the_motion)
{
  bench b = bench_file("skater_benchmark");
  walk_options o = walk_options_default();
  o.method = "dop853";
  o.tolerance = 1e-6;
  o.points = 2;
  o.until = 60;
  walk_track* t = walk_run(b.system, &o, b.notes);
  CHECK(t && t->status == WALK_DONE);
  CHECK(t && t->basis_changes > 20);
  CHECK(t && fabs(t->energy_balance) < 1e-5 * t->energy_scale);
  walk_track_free(t);
  bench_free(&b);
}

// where the general way has to be taken a kernel must say so
TEST(a_kernel_refuses_what_it_cannot_eliminate)
{
  bench b = bench_file("skater_benchmark");
  rate_flow* f = flow_of(&b, 1000);
  CHECK(f && f->fused);
  if (f && f->fused) {
    double y[7], dy[7];
    rate_flow_store(f, 0, y);
    const bool along = f->fused->independent[0] == 0; // xi' stays: eta' follows from it
    y[1] = along ? acos(0.0) : 0;
    CHECK(rate_fused_rates(f->fused, f->e, 0, y, dy) == RATE_ELSEWHERE);
    y[1] = NAN;
    CHECK(rate_fused_rates(f->fused, f->e, 0, y, dy) == RATE_ELSEWHERE);
    engine_free(f->e);
  }
  bench_free(&b);
}
