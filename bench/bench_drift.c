// The energy of a motion over many periods: how fast rounding lets it drift.
// bench_drift MODEL PERIOD PERIODS STARTS METHOD [PARAM=VALUE]; the last column of the model's rows
// is its energy, its param `start` chooses where the motion begins.
//
// Rounding errors that do not agree add up like the square root of their number (Brouwer 1937); any
// bias would let the error grow in proportion to the time. One walk tells little about its law, so
// several are made, from starts 0, 1, ..., one on each core, and the root of their mean squares is
// taken. A bias shows in their mean, and in how many of them end below zero.
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// rows of a decade of time, and the length of the window, in rows, whose mean square is taken
enum { per_decade = 48, window = 12 };

typedef struct walks
{
  const char *path, *method;
  model_override chosen[2]; // start, and what the command line says
  int overrides, starts;
  int decades, rows;
  double *at, *off; // instants; relative errors there, of one start after the other
} walks;

// what a walk tells beside its errors
typedef struct trail
{
  long steps;
  char title[100];
} trail;

static walks walks_new(double period, double periods, int starts)
{
  walks w = {.decades = (int)round(log10(periods)), .starts = starts};
  w.rows = w.decades * per_decade;
  w.at = base_alloc(sizeof(double) * (size_t)w.rows * (size_t)(1 + starts));
  w.off = w.at + w.rows;
  for (int i = 0; i < w.rows; i++) w.at[i] = period * pow(10, (i + 1) / (double)per_decade);
  return w;
}

// into the pipe: the trail, then the errors
static int walk(walks* w, int start, int pipe)
{
  char value[20];
  snprintf(value, sizeof value, "%d", start);
  w->chosen[0] = (model_override){"start", value};
  bench_model m = bench_read_with(w->path, w->overrides, w->chosen);
  walk_options o = walk_options_default();
  o.tolerance = 1e-15;
  o.method = w->method;
  o.at_count = w->rows;
  o.at = w->at;
  walk_track* t = walk_run(m.system, &o, m.notes);
  if (!t || t->status != WALK_DONE) return 1;
  trail told = {.steps = t->counts.steps};
  snprintf(told.title, sizeof told.title, "%s by %s of order %d", m.model->title, t->method,
           t->counts.order);
  double* off = w->off + (size_t)start * (size_t)w->rows;
  for (int i = 0; i < w->rows; i++) {
    const double E = t->table.value[(size_t)(i + 1) * (size_t)t->table.width - 1];
    off[i] = (E - t->energy_start) / fabs(t->energy_start);
  }
  const size_t bytes = sizeof *off * (size_t)w->rows;
  const bool written = write(pipe, &told, sizeof told) == (ssize_t)sizeof told &&
                       write(pipe, off, bytes) == (ssize_t)bytes;
  walk_track_free(t);
  bench_forget(&m);
  return !written;
}

// the walk in a process of its own; what to read from, or -1
static int set_out(walks* w, int start)
{
  int ends[2];
  fflush(stdout);
  if (pipe(ends)) return -1;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    _exit(walk(w, start, ends[1]));
  }
  close(ends[1]);
  if (child < 0) close(ends[0]);
  return child < 0 ? -1 : ends[0];
}

static bool read_all(int from, void* to, size_t bytes)
{
  for (char* at = to; bytes;) {
    const ssize_t got = read(from, at, bytes);
    if (got <= 0) return false;
    at += got;
    bytes -= (size_t)got;
  }
  return true;
}

// all walks, as many at a time as there are cores; the steps they took, or -1
static long walk_all(walks* w, trail* first)
{
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  const int cores = online < 1 ? 1 : online > w->starts ? w->starts : (int)online;
  int* from = base_alloc(sizeof *from * (size_t)w->starts);
  long steps = 0;
  for (int k = 0; k < cores; k++) from[k] = set_out(w, k);
  for (int k = 0; k < w->starts && steps >= 0; k++) {
    trail told;
    const bool fine =
        from[k] >= 0 && read_all(from[k], &told, sizeof told) &&
        read_all(from[k], w->off + (size_t)k * (size_t)w->rows, sizeof(double) * (size_t)w->rows);
    close(from[k]);
    steps = fine ? steps + told.steps : -1;
    if (fine && k == 0) *first = told;
    if (fine && k + cores < w->starts) from[k + cores] = set_out(w, k + cores);
  }
  while (wait(NULL) > 0) {
  }
  free(from);
  return steps;
}

// of the walks and the rows of a window that ends here
static double rms(const walks* w, int last)
{
  double sum = 0;
  for (int k = 0; k < w->starts; k++)
    for (int i = last - window + 1; i <= last; i++) {
      const double off = w->off[(size_t)k * (size_t)w->rows + (size_t)i];
      sum += off * off;
    }
  return sqrt(sum / (window * w->starts));
}

// the slope of log rms over log t by least squares, from 100 periods on
static double exponent(const walks* w)
{
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (int i = 2 * per_decade + window - 1; i < w->rows; i += window) {
    const double a = log(w->at[i]), b = log(rms(w, i));
    n++;
    x += a;
    y += b;
    xx += a * a;
    xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

// the mean of all walks at a row with its standard error, and how many are below zero
static void say_row(const walks* w, int decade)
{
  const int row = decade * per_decade - 1;
  double sum = 0, square = 0;
  int below = 0;
  for (int k = 0; k < w->starts; k++) {
    const double off = w->off[(size_t)k * (size_t)w->rows + (size_t)row];
    sum += off;
    square += off * off;
    below += off < 0;
  }
  bench_say("  after %8.0f periods: %.2e, mean %+.1e +- %.1e, %d of %d below zero\n",
            pow(10, decade), rms(w, row), sum / w->starts, sqrt(square) / w->starts, below,
            w->starts);
}

static void say_ends(const walks* w)
{
  bench_say("  at the end:");
  for (int k = 0; k < w->starts; k++)
    bench_say(" %+.1e", w->off[(size_t)(k + 1) * (size_t)w->rows - 1]);
  bench_say("\n");
}

int main(int argc, char** argv)
{
  if (argc != 6 && argc != 7) return 1;
  const double period = atof(argv[2]), periods = atof(argv[3]);
  const int starts = atoi(argv[4]);
  if (!(period > 0) || !(periods >= 1000) || starts < 1) return 1;
  walks w = walks_new(period, periods, starts);
  w.path = argv[1];
  w.method = argv[5];
  w.overrides = argc - 5;
  char* equals = argc == 7 ? strchr(argv[6], '=') : NULL;
  if (argc == 7 && !equals) return 1;
  if (equals) {
    *equals = 0;
    w.chosen[1] = (model_override){argv[6], equals + 1};
  }
  trail first;
  const time_t begin = time(NULL);
  const long steps = walk_all(&w, &first);
  if (steps < 0) return 1;
  bench_begin("Energy over many periods: relative error, root of the mean square over the starts");
  bench_say("  %s%s%s%s%s\n", first.title, equals ? ", " : "", equals ? argv[6] : "",
            equals ? " = " : "", equals ? equals + 1 : "");
  bench_say("  %d starts, %ld steps, %.0f s\n", starts, steps, difftime(time(NULL), begin));
  for (int d = 1; d <= w.decades; d++) say_row(&w, d);
  say_ends(&w);
  bench_say("  from 100 periods on it grows like t^%.2f\n", exponent(&w));
  free(w.at);
  return 0;
}
