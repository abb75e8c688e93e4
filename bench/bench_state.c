// What a run through zw_state_run takes beside its integration alone.
// bench_state SKATER SLEIGH PENDULUM2 PENDULUM8 DISC ROD CRANK TOP: eight model files
//
// Both are made again and again after one set-up, in turns. The state's first input is set before
// every run, so that none is the one before.
#include "bench.h"
#include "precision.h"
#include "precision_zwang.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <zwang/zwang.h>

enum { rounds = 201, most_columns = 64 };
static const double tolerance = 1e-10;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void give_up(const char* what, const char* path)
{
  fprintf(stderr, "%s: %s\n", path, what);
  exit(1);
}

// column: of each unknown, where it stands in a row
static zw_state* open_state(const char* path, const char* method, const precision_problem* problem,
                            int* column, zw_notes* notes)
{
  const double until = problem->t_end;
  zw_run_options o = zw_run_defaults();
  o.tolerance = tolerance;
  o.method = method;
  o.until = until;
  o.at = &until;
  o.at_count = 1;
  zw_model* m = zw_model_read(path, NULL, 0, notes);
  zw_system* s = m ? zw_derive(m, notes) : NULL;
  zw_program* p = s ? zw_program_new(s, "*", &o, notes) : NULL;
  zw_state* state = p ? zw_state_new(p, notes) : NULL;
  if (!state || zw_program_columns(p) > most_columns) give_up("no state", path);
  for (int i = 0; i < problem->n; i++) {
    column[i] = zw_program_column(p, problem->column[i]);
    if (column[i] < 0) give_up("a column is missing", path);
  }
  return state; // the others end with the program
}

static void compare(int problem, const char* path, const char* method)
{
  const precision_problem* p = &precision_problem_list[problem];
  bench_model read = bench_read(path);
  zw_notes* notes = zw_notes_new();
  int column[most_unknowns];
  zw_state* state = open_state(path, method, p, column, notes);
  precision_zwang* alone = precision_zwang_open(&read, problem, method, tolerance);
  if (!alone) give_up("it cannot be integrated", path);
  double y[most_unknowns], row[most_columns], ratio[rounds], least[2] = {INFINITY, INFINITY};
  for (int i = -20; i < rounds; i++) {
    const double integration = precision_zwang_again(alone, y);
    const double from = now();
    zw_status status = zw_state_set(state, 0, zw_state_get(state, 0));
    if (status == ZW_OK) status = zw_state_run(state, NAN, row, 1, notes);
    const double whole = now() - from;
    if (integration < 0 || status != ZW_OK) give_up("it does not run", path);
    for (int k = 0; k < p->n; k++) bench_near("the ends", row[column[k]], y[k], 1e-8);
    if (i < 0) continue; // kernels become machine code
    ratio[i] = whole / integration;
    least[0] = fmin(least[0], integration);
    least[1] = fmin(least[1], whole);
  }
  bench_say("  %s, %s: integration", p->name, method);
  bench_say_time(least[0]);
  bench_say(", through zw_state_run");
  bench_say_time(least[1]);
  bench_say(", ");
  bench_say_ratio(bench_spread_of(rounds, ratio), least[1] / least[0], "that");
  bench_say("\n");
  precision_zwang_close(alone);
  bench_forget(&read);
}

int main(int argc, char** argv)
{
  if (argc != precision_problems + 1) return 1;
  bench_begin("Runs through zw_state_run beside their integration, to 1e-10");
  for (int i = 0; i < precision_problems; i++) {
    compare(i, argv[i + 1], "gauss16");
    compare(i, argv[i + 1], "taylor");
  }
  return 0;
}
