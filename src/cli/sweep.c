// zwang sweep: many runs into one table, with how fast it goes and how long it will take.
#include "cli/cli.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

typedef struct bar
{
  bool wanted, shown;
  double last;
} bar;

// 3725 -> "1 h 02 min"
static void print_time(double seconds)
{
  if (!(seconds < 1e9))
    fputs("some time", stderr);
  else if (seconds < 100)
    fprintf(stderr, "%.0f s", seconds);
  else if (seconds < 6000)
    fprintf(stderr, "%.0f min %02.0f s", floor(seconds / 60), fmod(floor(seconds), 60));
  else
    fprintf(stderr, "%.0f h %02.0f min", floor(seconds / 3600), fmod(floor(seconds / 60), 60));
}

static void draw(const zw_sweep_progress* p)
{
  enum { cells = 24 };
  char text[cells + 1];
  const double part = p->total ? (double)p->done / (double)p->total : 0;
  const double rate = (double)(p->done - p->first) / p->seconds;
  for (int i = 0; i < cells; i++) text[i] = i < part * cells ? '#' : '.';
  text[cells] = 0;
  fprintf(stderr, "\r[%s] %3.0f %%  %lld of %lld runs, %.4g/s, ", text, 100 * part, p->done,
          p->total, rate);
  print_time((double)(p->total - p->done) / rate);
  fputs(" left     ", stderr);
  fflush(stderr);
}

static bool progress(void* context, const zw_sweep_progress* p)
{
  bar* b = context;
  if (cli_interrupted()) return false;
  if (!b->wanted || p->seconds < 0.5 || p->seconds - b->last < 0.1) return true;
  b->shown = true;
  b->last = p->seconds;
  draw(p);
  return true;
}

static zw_sweep_options options_of(const cli_options* o, bar* b)
{
  zw_sweep_options s = zw_sweep_defaults();
  s.over = o->overs;
  s.over_count = o->over_count;
  s.random = o->random;
  s.sobol = o->sobol;
  s.seed = o->seed;
  s.results = o->results;
  s.basin = o->basins;
  s.basin_count = o->basin_count;
  s.until = o->until;
  s.tolerance = o->tolerance;
  s.step = o->step;
  s.every = o->every;
  s.points = o->points;
  s.method = o->method;
  s.out = o->out;
  s.plot = o->plot;
  s.resume = o->resume;
  s.threads = o->threads;
  s.device = o->device;
  s.progress = progress;
  s.progress_context = b;
  return s;
}

static int exit_of(zw_status s)
{
  if (s == ZW_BAD_INPUT) return CLI_BAD_INPUT;
  if (s == ZW_NO_ROOM) return CLI_NO_ROOM;
  return s == ZW_OK ? CLI_DONE : CLI_UNFINISHED;
}

static void summarise(const zw_sweep_progress* p)
{
  const long long runs = p->done - p->first;
  fprintf(stderr, "%lld runs in ", runs);
  if (p->seconds < 10)
    fprintf(stderr, "%.3g s", p->seconds);
  else
    print_time(p->seconds);
  fprintf(stderr, ", %.4g/s", p->seconds > 0 ? (double)runs / p->seconds : 0);
  if (p->failed) fprintf(stderr, "; %lld failed, the last column says why", p->failed);
  if (p->first) fprintf(stderr, "; %lld were there already", p->first);
  fputc('\n', stderr);
}

int cli_sweep(const cli_options* o)
{
  if (o->method && !strcmp(o->method, "list")) {
    cli_complain("`zwang run --method list` lists the methods");
    return CLI_BAD_INPUT;
  }
  bar b = {.wanted = !o->quiet && isatty(STDERR_FILENO)};
  zw_notes* notes = zw_notes_new();
  int printed = 0;
  zw_model* m = cli_read_model(o->model, o->sets, o->set_count, notes);
  zw_status status = ZW_BAD_INPUT;
  zw_sweep_progress report = {0};
  if (m) {
    const zw_sweep_options s = options_of(o, &b);
    cli_interrupts_catch();
    status = zw_sweep(m, &s, &report, notes);
  }
  if (b.shown) fprintf(stderr, "\r%78s\r", "");
  if (report.rank == 0) {
    // why the status is not 0 is told in any case
    cli_print_notes(notes, &printed, o->quiet && status != ZW_DOUBTFUL);
    const bool ran = status == ZW_OK || status == ZW_DOUBTFUL || status == ZW_INTERRUPTED;
    if (!o->quiet && ran) summarise(&report);
    if (status == ZW_INTERRUPTED)
      cli_complain(o->out && strcmp(o->out, "-") != 0
                       ? "interrupted; the same command with --resume goes on where it was"
                       : "interrupted; the rows written so far are good");
  }
  zw_model_free(m);
  zw_notes_free(notes);
  return exit_of(status);
}
