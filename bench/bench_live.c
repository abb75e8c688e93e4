// bench_live MODEL [FOR]: runs of one model in one process, again and again for FOR seconds (0.5),
// and prints the milliseconds of the shortest: what bench/live.mjs compares with the same runs in
// WebAssembly. What is made once, kernels above all, is made by the first.
#include <zwang/zwang.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double once(zw_system* s, zw_notes* notes)
{
  zw_run_options o = zw_run_defaults();
  o.points = 2;
  const double begin = now();
  zw_track* track = zw_run(s, &o, notes);
  const double took = now() - begin;
  if (!track) exit(1);
  zw_track_free(track);
  return took;
}

int main(int argc, char** argv)
{
  if (argc < 2) return 1;
  const double whole = argc > 2 ? atof(argv[2]) : 0.5;
  zw_notes* notes = zw_notes_new();
  zw_model* model = zw_model_read(argv[1], NULL, 0, notes);
  zw_system* system = model ? zw_derive(model, notes) : NULL;
  if (!system) return 1;
  const double begin = now();
  double least = once(system, notes);
  while (now() - begin < whole) {
    const double took = once(system, notes);
    if (took < least) least = took;
  }
  printf("%.6f\n", 1e3 * least);
  zw_system_free(system);
  zw_model_free(model);
  zw_notes_free(notes);
  return 0;
}
