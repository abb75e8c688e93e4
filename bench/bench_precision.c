// Time to a true error: zwang beside integrators on right-hand sides written by hand.
// bench_precision SKATER PENDULUM2 PENDULUM8 DISC ROD TOP [PYTHON SCRIPT LIBRARY]: six model files,
// and what runs SciPy on the library's right-hand sides
//
// Each contestant solves each problem at tolerances from 1e-6 on, ever tighter; the error is that
// of the coordinates at the end, against an extrapolation in long double. What counts is the
// quickest run whose error is below the mark. Times are of integration alone: neither derivation
// and set-up of zwang (kernels included) nor compilation of the others is counted.
#include "bench.h"
#include "precision.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { marks = 2, rounds = 15, tolerances = 37 };
static const double mark[marks] = {1e-10, 1e-13};

static double tolerance_at(int i)
{
  return pow(10, -6 - i * 0.25);
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double error_of(int problem, const double* y, const double* want)
{
  double most = 0;
  for (int i = 0; i < precision_problem_list[problem].places; i++) {
    const double off = fabs(y[i] - want[i]) / fmax(1, fabs(want[i]));
    if (!(off <= most)) most = off;
  }
  return most;
}

// the run of zwang by a method (null: the one it chooses); seconds of its steps, negative if none
static double zwang_solve(const bench_model* m, int problem, const char* method, double tolerance,
                          double* y)
{
  const precision_problem* p = &precision_problem_list[problem];
  sim_options o = sim_options_default();
  o.tolerance = tolerance;
  o.method = method;
  o.at_count = 1;
  o.at = &p->t_end;
  o.until = p->t_end;
  sim_track* t = sim_run(m->system, &o, m->notes);
  if (!t) return -1;
  const double seconds = t->status == SIM_DONE && t->table.rows == 1 ? t->seconds_steps : -1;
  if (seconds >= 0)
    for (int i = 0; i < p->places; i++) y[i] = t->table.value[1 + i];
  sim_track_free(t);
  return seconds;
}

typedef struct result
{
  double seconds[marks], tolerance[marks], best_error;
} result;

// what one contestant needs for each mark; solver null: zwang
static result contest(const bench_model* m, int problem, const precision_solver* solver,
                      const char* method, const double* want)
{
  result r = {{INFINITY, INFINITY}, {0}, INFINITY};
  double y[most_unknowns];
  for (int i = 0; i < tolerances; i++) {
    const double tolerance = tolerance_at(i);
    double quickest = INFINITY, error = INFINITY;
    for (int round = 0; round < rounds; round++) {
      double took = now();
      bool fine = true;
      if (solver) {
        fine = solver->solve(problem, tolerance, y);
        took = now() - took;
      } else {
        took = zwang_solve(m, problem, method, tolerance, y);
        fine = took >= 0;
      }
      if (!fine) break;
      quickest = fmin(quickest, took);
      error = error_of(problem, y, want);
      // what cannot win any more is not timed again
      if (error > mark[0] || took > 0.2) break;
    }
    r.best_error = fmin(r.best_error, error);
    for (int k = 0; k < marks; k++)
      if (error <= mark[k] && quickest < r.seconds[k]) {
        r.seconds[k] = quickest;
        r.tolerance[k] = tolerance;
      }
  }
  return r;
}

static void say(const char* name, const result* r, const result* zwang)
{
  bench_say("    %-32s", name);
  for (int k = 0; k < marks; k++) {
    if (isinf(r->seconds[k]))
      bench_say("  %10s (best %.1e)   ", "not", r->best_error);
    else {
      bench_say("  %8.1f us (tol %.0e)", 1e6 * r->seconds[k], r->tolerance[k]);
      if (isinf(zwang->seconds[k]))
        bench_say("     -");
      else
        bench_say(" %5.2f", r->seconds[k] / zwang->seconds[k]);
    }
  }
  bench_say("\n");
}

// ---- SciPy --------------------------------------------------------------------------------------

// what the script prints; nothing where SciPy is not installed
static result by_scipy(int problem, char** with, const double* want)
{
  result r = {{INFINITY, INFINITY}, {0}, INFINITY};
  const precision_problem* p = &precision_problem_list[problem];
  double y[most_unknowns];
  char command[2000];
  int at = snprintf(command, sizeof command, "'%s' '%s' '%s' %d %.17g 3 %d", with[0], with[1],
                    with[2], problem, p->t_end, tolerances);
  precision_start(problem, y);
  for (int i = 0; i < p->n; i++)
    at += snprintf(command + at, sizeof command - (size_t)at, " %.17g", y[i]);
  snprintf(command + at, sizeof command - (size_t)at, " 2>/dev/null");
  FILE* lines = popen(command, "r");
  double tolerance, seconds;
  while (lines && fscanf(lines, "%lf %lf", &tolerance, &seconds) == 2) {
    for (int i = 0; i < p->n; i++)
      if (fscanf(lines, "%lf", &y[i]) != 1) y[i] = NAN;
    const double error = error_of(problem, y, want);
    r.best_error = fmin(r.best_error, error);
    for (int k = 0; k < marks; k++)
      if (error <= mark[k] && seconds < r.seconds[k]) {
        r.seconds[k] = seconds;
        r.tolerance[k] = tolerance;
      }
  }
  if (lines) pclose(lines);
  return r;
}

// ---- heyoka -------------------------------------------------------------------------------------

// It is in no distribution: microseconds of heyoka (Taylor, LLVM) and of dop853 by hand, measured
// together on another machine; 0: not measured.
static const double elsewhere[precision_problems][marks][2] = {
    {{3.2, 3.9}, {4.7, 11.9}}, {{266, 334}, {695, 700}}, {{936, 1007}, {1587, 1924}},
    {{178, 450}, {457, 1392}}, {{111, 169}, {130, 356}}, {{0, 0}, {0, 0}},
};

static void say_heyoka(int problem, const result* hand, const result* zwang)
{
  if (!(elsewhere[problem][0][0] > 0)) return;
  bench_say("    %-32s", "heyoka elsewhere, to scale");
  for (int k = 0; k < marks; k++) {
    const double* us = elsewhere[problem][k];
    const double seconds = hand->seconds[k] * us[0] / us[1];
    bench_say("  %8.1f us            ", 1e6 * seconds);
    if (isfinite(zwang->seconds[k])) bench_say(" %5.2f", seconds / zwang->seconds[k]);
  }
  bench_say("\n");
}

// ---- all ----------------------------------------------------------------------------------------

static void better(result* best, const result* r)
{
  for (int k = 0; k < marks; k++) best->seconds[k] = fmin(best->seconds[k], r->seconds[k]);
}

static void compare(int problem, const char* path, char** scipy)
{
  bench_model m = bench_read(path);
  double want[most_unknowns], doubt;
  precision_reference(problem, want, &doubt);
  bench_say("  %s (reference known to %.0e)\n", precision_problem_list[problem].name, doubt);
  const result zwang = contest(&m, problem, NULL, "gauss16", want);
  say("zwang gauss16", &zwang, &zwang);
  const result other = contest(&m, problem, NULL, "taylor", want);
  say("zwang taylor", &other, &zwang);
  result best = {{INFINITY, INFINITY}, {0}, INFINITY}, hand = best;
  for (int i = 0; i < precision_solvers; i++) {
    const result r = contest(&m, problem, &precision_solver_list[i], NULL, want);
    if (i == 0) hand = r;
    better(&best, &r);
    say(precision_solver_list[i].name, &r, &zwang);
  }
  const result r = scipy ? by_scipy(problem, scipy, want) : best;
  if (scipy && isfinite(r.best_error)) {
    better(&best, &r);
    say("hand-written C, SciPy dop853", &r, &zwang);
  }
  say_heyoka(problem, &hand, &zwang);
  bench_say("    best of SUNDIALS, GSL, SciPy and dop853 by hand, over zwang: %.2f, %.2f\n",
            best.seconds[0] / zwang.seconds[0], best.seconds[1] / zwang.seconds[1]);
  bench_forget(&m);
}

int main(int argc, char** argv)
{
  if (argc != 1 + precision_problems && argc != 4 + precision_problems) return 1;
  char** scipy = argc > 1 + precision_problems ? argv + 1 + precision_problems : NULL;
  bench_begin("Time to a true error of 1e-10 and of 1e-13; ratios to zwang gauss16");
  bench_say("  of integration alone; zwang chooses gauss16 in all of them\n");
  for (int i = 0; i < precision_problems; i++) compare(i, argv[1 + i], scipy);
  return 0;
}
