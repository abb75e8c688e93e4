// Steps per second of whole runs, without a table: zwang beside hand-written C with the same
// integrator at the same tolerance.  bench_steps SKATER PENDULUM (model files)
#include "bench.h"
#include "pendulum_hand.h"
#include "skater_hand.h"

#include <stdlib.h>

typedef struct job
{
  bench_model model;
  long steps, hand_steps;
  double q[8]; // at the end
} job;

static void zwang_run(void* context, int count)
{
  job* j = context;
  for (int i = 0; i < count; i++) {
    walk_options o = walk_options_default();
    o.points = 2;
    walk_track* t = walk_run(j->model.system, &o, j->model.notes);
    if (!t || t->status != WALK_DONE) exit(1);
    j->steps = t->counts.steps;
    const double* last = t->table.value + (t->table.rows - 1) * t->table.width;
    for (int k = 0; k < j->model.model->coords; k++) j->q[k] = last[1 + k];
    walk_track_free(t);
  }
}

static void skater_run(void* context, int count)
{
  job* j = context;
  double q[3];
  for (int i = 0; i < count; i++) j->hand_steps = skater_hand_run(q);
  for (int k = 0; k < 3 && j->steps; k++) bench_near("the skater's end", j->q[k], q[k], 1e-7);
}

static void pendulum_run(void* context, int count)
{
  job* j = context;
  for (int i = 0; i < count; i++) j->hand_steps = pendulum_hand_run();
}

static void compare(const char* title, const char* path, int count, int rounds, bench_work* hand)
{
  job j = {.model = bench_read(path)};
  bench_round(title, count, rounds, 2,
              (bench_contestant[]){{"hand-written C with dop853", hand, &j, &j.hand_steps},
                                   {"zwang", zwang_run, &j, &j.steps}});
  bench_forget(&j.model);
}

int main(int argc, char** argv)
{
  if (argc != 3) return 1;
  bench_processor_time();
  bench_begin("Steps per second, dop853 at tolerance 1e-10");
  compare("skater, 15 s", argv[1], 1, 1001, skater_run);
  compare("eight pendulums, 10 s", argv[2], 1, 51, pendulum_run);
  return 0;
}
