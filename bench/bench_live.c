// bench_live MODEL [FOR]: runs of one model in one process, again and again for FOR seconds (0.5),
// and prints the milliseconds of the shortest, as means over 0.2 ms: what bench/live.mjs compares
// with the same runs in WebAssembly. What is made once, kernels above all, is made by the first.
#include <zwang/zwang.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// the seconds of one of `together` runs, each with its track given back
static double once(zw_system* s, int together, zw_notes* notes)
{
  zw_run_options o = zw_run_defaults();
  o.points = 2;
  const double begin = now();
  for (int i = 0; i < together; i++) {
    zw_track* track = zw_run(s, &o, notes);
    if (!track) exit(1);
    zw_track_free(track);
  }
  return (now() - begin) / together;
}

int main(int argc, char** argv)
{
  if (argc < 2) return 1;
  const double whole = argc > 2 ? atof(argv[2]) : 0.5;
  zw_notes* notes = zw_notes_new();
  zw_model* model = zw_model_read(argv[1], NULL, 0, notes);
  zw_system* system = model ? zw_derive(model, notes) : NULL;
  if (!system) return 1;
  // as many together as in WebAssembly, where clocks are coarser
  once(system, 1, notes);
  const int together = (int)ceil(0.2e-3 / fmax(once(system, 3, notes), 0.01e-3));
  const double begin = now();
  double least = once(system, together, notes);
  while (now() - begin < whole) {
    const double took = once(system, together, notes);
    if (took < least) least = took;
  }
  printf("%.6f\n", 1e3 * least);
  zw_system_free(system);
  zw_model_free(model);
  zw_notes_free(notes);
  return 0;
}
