// Chains of rods, one second from the horizontal: time to an error of 1e-9 of the angles between
// neighbours at the end beside C written by hand, both in proportion to the rods.
//   bench_links MODEL N ...     (chain_relative.zw, or chain_maximal.zw: centres and angles)
//
// Each takes the tolerance at which it is quickest among those that reach the error, which is
// measured against a run at 1e-13. What is derived and compiled is so once for all runs and not in
// the times: the first run tells how long it takes.
#include "bench.h"
#include "chain_hand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { rounds = 7, tolerances = 5 };
static const double tolerance[tolerances] = {1e-7, 1e-8, 1e-9, 1e-10, 1e-11}, error = 1e-9;

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void zwang_run(const bench_model* b, double to, double* q)
{
  walk_options o = walk_options_default();
  o.points = 2;
  o.tolerance = to;
  walk_track* t = walk_run(b->system, &o, b->notes);
  if (!t || t->status != WALK_DONE) exit(1);
  const double* last = t->table.value + (t->table.rows - 1) * t->table.width;
  const int n = b->model->coords;
  double before = 0;
  for (int k = 0, i = 0; k < n; k++) {
    const char* name = b->model->coord[k].name;
    if (*name == 'q') q[i++] = last[1 + k];
    if (*name != 'a') continue;
    q[i++] = last[1 + k] - before; // with the horizontal
    before = last[1 + k];
  }
  walk_track_free(t);
}

static double apart(int n, const double* a, const double* b)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

typedef struct best
{
  double time, at;
} best;

// the quickest of those good enough; b: null for the one by hand
static best quickest(const bench_model* b, int n, const double* exact, double* q)
{
  best found = {INFINITY, 0};
  for (int k = 0; k < tolerances; k++)
    for (int round = 0; round < rounds; round++) {
      const double began = seconds();
      if (b)
        zwang_run(b, tolerance[k], q);
      else
        chain_hand_run(n, 1, tolerance[k], q);
      const double took = seconds() - began;
      if (apart(n, q, exact) <= error && took < found.time) found = (best){took, tolerance[k]};
    }
  return found;
}

static void compare(const char* path, const char* number)
{
  const int n = atoi(number);
  const double began = seconds();
  bench_model b = bench_read_with(path, 1, &(model_override){"N", number});
  double *exact = malloc(2 * (size_t)n * sizeof *exact), *q = exact + n;
  if (!exact || b.model->coords % n) exit(1);
  zwang_run(&b, 1e-13, exact);
  const double first = seconds() - began;
  const best hand = quickest(NULL, n, exact, q), ours = quickest(&b, n, exact, q);
  bench_say("  %4d rods: zwang %.2f ms (at %g), C %.2f ms (at %g): %.2f times; read, derived, "
            "compiled and run at 1e-13: %.0f ms\n",
            n, 1e3 * ours.time, ours.at, 1e3 * hand.time, hand.at, ours.time / hand.time,
            1e3 * first);
  free(exact);
  bench_forget(&b);
}

int main(int argc, char** argv)
{
  if (argc < 3) return 1;
  bench_processor_time();
  bench_begin("Chains of rods, to 1e-9");
  bench_say("  %s\n", strrchr(argv[1], '/') ? strrchr(argv[1], '/') + 1 : argv[1]);
  for (int i = 2; i < argc; i++) compare(argv[1], argv[i]);
  return 0;
}
