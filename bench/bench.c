// Timing in turns, and where the results go.
#include "bench.h"

#include "lang/lang.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// ---- what is said -------------------------------------------------------------------------------

void bench_say(const char* format, ...)
{
  const char* path = getenv("ZWANG_RESULTS");
  FILE* kept = path ? fopen(path, "a") : NULL;
  va_list args;
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  fflush(stdout);
  if (!kept) return;
  va_start(args, format);
  vfprintf(kept, format, args);
  va_end(args);
  fclose(kept);
}

// the processor's own name, without host or date
static void processor(char* out, size_t room)
{
  snprintf(out, room, "unknown processor");
  FILE* f = fopen("/proc/cpuinfo", "r");
  char line[300];
  while (f && fgets(line, sizeof line, f)) {
    char* colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !colon) continue;
    line[strcspn(line, "\n")] = 0;
    snprintf(out, room, "%s", colon + 2);
    break;
  }
  if (f) fclose(f);
}

void bench_begin(const char* title)
{
  char name[200];
  processor(name, sizeof name);
#ifdef __clang__
  const char* compiler = "clang " __clang_version__;
#else
  const char* compiler = "gcc " __VERSION__;
#endif
  bench_say("\n%s\n  zwang %s, %s, %ld cores, %s\n", title, ZWANG_VERSION, name,
            sysconf(_SC_NPROCESSORS_ONLN), compiler);
}

void bench_near(const char* what, double a, double b, double allowed)
{
  if (fabs(a - b) <= allowed) return;
  fprintf(stderr, "%s: %.17g and %.17g differ by more than %g\n", what, a, b, allowed);
  exit(1);
}

// ---- timing -------------------------------------------------------------------------------------

static clockid_t taken = CLOCK_MONOTONIC;

void bench_processor_time(void)
{
  taken = CLOCK_PROCESS_CPUTIME_ID;
}

static double now(void)
{
  struct timespec t;
  clock_gettime(taken, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void* a, const void* b)
{
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double quantile(int n, double* x, double share)
{
  qsort(x, (size_t)n, sizeof *x, by_size);
  return x[(int)(share * (n - 1) + 0.5)];
}

bench_spread bench_spread_of(int n, double* x)
{
  return (bench_spread){quantile(n, x, 0), quantile(n, x, 0.25), quantile(n, x, 0.5),
                        quantile(n, x, 0.75)};
}

void bench_say_ratio(bench_spread r, double least, const char* of)
{
  bench_say("%.2f times %s (middle half %.2f .. %.2f, of the least times %.2f)", r.median, of,
            r.quarter, r.three_quarters, least);
}

static double least_of(int n, const double* x)
{
  double least = x[0];
  for (int i = 1; i < n; i++) least = fmin(least, x[i]);
  return least;
}

void bench_say_time(double s)
{
  if (s >= 1e-3)
    bench_say(" %.2f ms", 1e3 * s);
  else if (s >= 1e-6)
    bench_say(" %.2f us", 1e6 * s);
  else
    bench_say(" %.1f ns", 1e9 * s);
}

void bench_round(const char* title, int count, int rounds, int contestants,
                 const bench_contestant* c)
{
  assert(count > 0 && rounds > 0 && contestants > 0);
  double* took = base_alloc(sizeof *took * (size_t)(rounds * contestants));
  // one go that does not count warms caches and tables
  for (int i = 0; i < contestants; i++) c[i].work(c[i].context, count);
  for (int r = 0; r < rounds; r++)
    for (int i = 0; i < contestants; i++) {
      double begin = now();
      c[i].work(c[i].context, count);
      took[i * rounds + r] = (now() - begin) / count;
    }
  bench_say("  %s\n", title);
  double* ratio = base_alloc(sizeof *ratio * (size_t)rounds);
  for (int i = contestants - 1; i >= 0; i--) {
    // the ratios of a round before the times are sorted; the first contestant's come last
    for (int r = 0; r < rounds; r++) ratio[r] = took[i * rounds + r] / took[r];
    const bench_spread time = bench_spread_of(rounds, took + i * rounds);
    bench_say("    %-34s", c[i].name);
    bench_say_time(time.median);
    bench_say(" (least");
    bench_say_time(time.least);
    bench_say(", middle half");
    bench_say_time(time.quarter);
    bench_say(" ..");
    bench_say_time(time.three_quarters);
    bench_say(")");
    if (c[i].steps) bench_say(", %.0f steps/s", (double)*c[i].steps / time.median);
    if (i > 0) {
      bench_say(", ");
      bench_say_ratio(bench_spread_of(rounds, ratio), time.least / least_of(rounds, took),
                      "the last");
    }
    bench_say("\n");
  }
  free(ratio);
  free(took);
}

// ---- models -------------------------------------------------------------------------------------

bench_model bench_read(const char* path)
{
  return bench_read_with(path, 0, NULL);
}

bench_model bench_read_with(const char* path, int overrides, const model_override* override)
{
  bench_model b = {.notes = base_notes_new(), .arena = base_arena_new()};
  const lang_limits limits = lang_limits_default();
  const lang_tree* tree = lang_parse_file(path, &limits, b.arena, b.notes);
  b.model =
      tree && !base_notes_errors(b.notes) ? model_build(tree, overrides, override, b.notes) : NULL;
  b.system = b.model ? mech_derive(b.model, b.notes) : NULL;
  if (b.system) return b;
  for (int i = 0; i < base_notes_count(b.notes); i++)
    fprintf(stderr, "%s\n", base_notes_text(b.notes, i));
  exit(1);
}

void bench_forget(bench_model* b)
{
  mech_free(b->system);
  model_free(b->model);
  base_arena_free(b->arena);
  base_notes_free(b->notes);
}
