// Time to a true error: zwang beside integrators on right-hand sides written by hand.
// bench_precision SKATER SLEIGH PENDULUM2 PENDULUM8 DISC ROD CRANK TOP [PYTHON SCIPY LIBRARY
// PICTURES]: eight model files, what runs SciPy on the library's right-hand sides, and what draws
//
// Each contestant solves each problem at tolerances from 1e-6 on, ever tighter; the error is the
// largest of all unknowns at the end, each relative to max(1, |value|). What counts is the
// quickest run whose error is below the mark; those are then run in turns. Times are of integration
// alone: neither derivation and set-up of zwang (kernels included) nor compilation of the others is
// counted. zwang and GSL integrate several times in a row what was set up once; dop853 and SUNDIALS
// are set up each time, a small part of what they take.
#include "bench.h"
#include "precision.h"
#include "precision_zwang.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { marks = 2, rounds = 11, tolerances = 37 };
static const double slow = 0.1; // seconds of a run that is not repeated
static const double mark[marks] = {1e-10, 1e-13};

static double tolerance_at(int i)
{
  return pow(10, -6 - i * 0.25);
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double error_of(int problem, const double* y)
{
  const precision_problem* p = &precision_problem_list[problem];
  double most = 0;
  for (int i = 0; i < p->n; i++) {
    const double off = fabs(y[i] - p->end[i]) / fmax(1, fabs(p->end[i]));
    if (!(off <= most)) most = off;
  }
  return most;
}

// ---- contestants --------------------------------------------------------------------------------

// one way to solve a problem: a method of zwang, a solver by hand, or SciPy
typedef struct contestant
{
  const char* name;
  const char* method;             // of zwang; null: not zwang
  const precision_solver* solver; // null: zwang or SciPy
  double seconds[marks], tolerance[marks], best_error;
  precision_zwang* run; // of zwang, set up for a tolerance
  double run_for;
} contestant;

enum { most_contestants = 16, final_rounds = 31 };

typedef struct contest
{
  const bench_model* m;
  int problem, count;
  contestant c[most_contestants];
  FILE* points; // every run for the pictures; null: not kept
} contest;

static contestant* enter(contest* x, const char* name, const char* method,
                         const precision_solver* solver)
{
  contestant* c = &x->c[x->count++];
  *c = (contestant){name, method, solver, {INFINITY, INFINITY}, {0}, INFINITY, NULL, 0};
  return c;
}

// seconds of one run, negative if it failed
static double once(const contest* x, contestant* c, double tolerance, double* y)
{
  if (c->method && c->run_for != tolerance) {
    precision_zwang_close(c->run);
    c->run = precision_zwang_open(x->m, x->problem, c->method, tolerance);
    c->run_for = tolerance;
  }
  if (c->method) return c->run ? precision_zwang_again(c->run, y) : -1;
  const double begin = now();
  return c->solver->solve(x->problem, tolerance, y) ? now() - begin : -1;
}

// what a tolerance gave
static void note(contest* x, contestant* c, double tolerance, double error, double seconds)
{
  c->best_error = fmin(c->best_error, error);
  for (int k = 0; k < marks; k++)
    if (error <= mark[k] && seconds < c->seconds[k]) {
      c->seconds[k] = seconds;
      c->tolerance[k] = tolerance;
    }
  if (x->points && isfinite(error) && isfinite(seconds))
    fprintf(x->points, "%s;%s;%.3g;%.3g;%.4g\n", precision_problem_list[x->problem].name, c->name,
            tolerance, error, seconds);
}

// every tolerance, a few times each
static void qualify(contest* x, contestant* c)
{
  double y[most_unknowns];
  for (int i = 0; i < tolerances; i++) {
    double quickest = INFINITY, error = INFINITY;
    for (int round = 0; round < rounds; round++) {
      const double took = once(x, c, tolerance_at(i), y);
      if (took < 0) break;
      quickest = fmin(quickest, took);
      error = error_of(x->problem, y);
      // what cannot win any more is timed for the picture alone
      if ((error > mark[0] && round == 2) || took > slow) break;
    }
    note(x, c, tolerance_at(i), error, quickest);
    // tighter ones take longer still
    if (quickest > slow && isfinite(quickest)) break;
  }
}

// ---- SciPy --------------------------------------------------------------------------------------

// what the script prints; nothing where SciPy is not installed
static void qualify_scipy(contest* x, contestant* c, char** with)
{
  const precision_problem* p = &precision_problem_list[x->problem];
  double y[most_unknowns];
  char command[2000];
  int at = snprintf(command, sizeof command, "'%s' '%s' '%s' %d %.17g 5 %d", with[0], with[1],
                    with[2], x->problem, p->t_end, tolerances);
  for (int i = 0; i < p->n; i++)
    at += snprintf(command + at, sizeof command - (size_t)at, " %.17g", p->start[i]);
  snprintf(command + at, sizeof command - (size_t)at, " 2>/dev/null");
  FILE* lines = popen(command, "r");
  double tolerance, seconds;
  while (lines && fscanf(lines, "%lf %lf", &tolerance, &seconds) == 2) {
    for (int i = 0; i < p->n; i++)
      if (fscanf(lines, "%lf", &y[i]) != 1) y[i] = NAN;
    note(x, c, tolerance, error_of(x->problem, y), seconds);
  }
  if (lines) pclose(lines);
}

// ---- finals -------------------------------------------------------------------------------------

static void say(const contestant* c, int k, const contestant* zwang, const double* took,
                const double* by_zwang)
{
  bench_say("      %-32s", c->name);
  if (isinf(c->seconds[k])) {
    bench_say(" does not reach it (best %.1e)\n", c->best_error);
    return;
  }
  bench_say(" %9.1f us (tolerance %.0e)", 1e6 * c->seconds[k], c->tolerance[k]);
  if (c != zwang && isfinite(zwang->seconds[k])) {
    bench_say(", ");
    if (took) {
      double ratio[final_rounds];
      for (int r = 0; r < final_rounds; r++) ratio[r] = took[r] / by_zwang[r];
      bench_say_ratio(bench_spread_of(final_rounds, ratio), c->seconds[k] / zwang->seconds[k],
                      zwang->name);
    } else {
      bench_say("%.2f times %s, least times alone", c->seconds[k] / zwang->seconds[k], zwang->name);
    }
  }
  bench_say("\n");
}

// a few runs one after the other, the quickest of them: the first finds the caches full of others
static double few(const contest* x, contestant* c, double tolerance)
{
  enum { in_a_row = 5 };
  double y[most_unknowns], least = INFINITY;
  for (int i = 0; i < in_a_row; i++) {
    const double took = once(x, c, tolerance, y);
    if (took > 0) least = fmin(least, took);
    if (took > slow / 10) break;
  }
  return least;
}

// all that reach a mark in turns, each at the tolerance that was its quickest
static void final(contest* x, int k)
{
  double took[most_contestants][final_rounds];
  for (int r = 0; r < final_rounds; r++)
    for (int i = 0; i < x->count; i++) {
      contestant* c = &x->c[i];
      if (isinf(c->seconds[k]) || (!c->method && !c->solver)) continue;
      // the slow ones in fewer rounds
      const bool again = r < 5 || c->seconds[k] < slow / 10;
      took[i][r] = again ? few(x, c, c->tolerance[k]) : took[i][r % 5];
      c->seconds[k] = fmin(c->seconds[k], took[i][r]);
    }
  bench_say("    to %.0e\n", mark[k]);
  for (int i = 0; i < x->count; i++) {
    const bool timed = x->c[i].method || x->c[i].solver;
    say(&x->c[i], k, &x->c[0], timed ? took[i] : NULL, took[0]);
  }
}

// ---- heyoka -------------------------------------------------------------------------------------

// It is in no distribution: microseconds of heyoka (Taylor, LLVM) and of dop853 by hand, measured
// together on another machine; 0: not measured.
static const double elsewhere[precision_problems][marks][2] = {
    {{3.2, 3.9}, {4.7, 11.9}}, {{177, 505}, {211, 1097}},
    {{266, 334}, {695, 700}},  {{936, 1007}, {1587, 1924}},
    {{178, 450}, {457, 1392}}, {{111, 169}, {130, 356}},
    {{0, 0}, {0, 0}},          {{0, 0}, {0, 0}},
};

static void say_heyoka(const contest* x, const contestant* hand)
{
  const contestant* zwang = &x->c[0];
  if (!(elsewhere[x->problem][0][0] > 0)) return;
  bench_say("    heyoka elsewhere, to the scale of dop853 by hand:");
  for (int k = 0; k < marks; k++) {
    const double* us = elsewhere[x->problem][k];
    const double seconds = hand->seconds[k] * us[0] / us[1];
    bench_say(" %.1f us", 1e6 * seconds);
    if (isfinite(zwang->seconds[k])) bench_say(", %.2f times zwang", seconds / zwang->seconds[k]);
    bench_say(k + 1 < marks ? ";" : "\n");
  }
}

// ---- all ----------------------------------------------------------------------------------------

static void say_best(const contest* x, int first)
{
  double best[marks] = {INFINITY, INFINITY};
  for (int i = first; i < x->count; i++)
    for (int k = 0; k < marks; k++) best[k] = fmin(best[k], x->c[i].seconds[k]);
  bench_say("    best of SUNDIALS, GSL, SciPy and dop853 by hand, over zwang: %.2f, %.2f\n",
            best[0] / x->c[0].seconds[0], best[1] / x->c[0].seconds[1]);
}

static void compare(int problem, const char* path, char** scipy, FILE* points)
{
  bench_model m = bench_read(path);
  contest x = {.m = &m, .problem = problem, .points = points};
  bench_say("  %s\n", precision_problem_list[problem].name);
  qualify(&x, enter(&x, "zwang gauss16", "gauss16", NULL));
  qualify(&x, enter(&x, "zwang taylor", "taylor", NULL));
  const int peers = x.count;
  for (int i = 0; i < precision_solvers; i++)
    qualify(&x, enter(&x, precision_solver_list[i].name, NULL, &precision_solver_list[i]));
  if (scipy) {
    qualify_scipy(&x, enter(&x, "hand-written C, SciPy dop853", NULL, NULL), scipy);
    if (isinf(x.c[x.count - 1].best_error)) x.count--;
  }
  for (int k = 0; k < marks; k++) final(&x, k);
  say_heyoka(&x, &x.c[peers]);
  say_best(&x, peers);
  for (int i = 0; i < x.count; i++) precision_zwang_close(x.c[i].run);
  bench_forget(&m);
}

// a picture for each problem, beside the results
static void draw(char** with, const char* points)
{
  char command[2000];
  snprintf(command, sizeof command, "'%s' '%s' '%s'", with[0], with[3], points);
  if (system(command)) bench_say("  no pictures: %s failed\n", with[3]);
}

int main(int argc, char** argv)
{
  const int models = 1 + precision_problems;
  if (argc != models && argc != models + 4) return 1;
  char** scripts = argc > models ? argv + models : NULL;
  const char* results = getenv("ZWANG_RESULTS");
  char points[1000] = "";
  if (results && scripts) snprintf(points, sizeof points, "%s.points", results);
  FILE* kept = *points ? fopen(points, "w") : NULL;
  bench_begin("Time to a true error of 1e-10 and of 1e-13; ratios to zwang gauss16");
  bench_say(
      "  of integration alone, several in a row after one set-up; zwang chooses gauss16 in all "
      "of them\n");
  for (int i = 0; i < precision_problems; i++) compare(i, argv[1 + i], scripts, kept);
  if (!kept) return 0;
  fclose(kept);
  draw(scripts, points);
  return 0;
}
