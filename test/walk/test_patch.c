// Friction over a patch: discs that slide and spin, which come to rest in both at once; forces and
// moments that hold together and give way together.
#include "bench.h"

#include <stdio.h>

#include "check.h"
#include "cone/cone.h"

static const double g = 9.81, a = 0.1, mu = 0.2;

// a disc of mass 1 on a table, radius of inertia a/sqrt(2), led by a clause, a start and more
static bench disc(const char* over, const char* more)
{
  char text[1500];
  snprintf(text, sizeof text,
           "param a = 0.1, mu = 0.2, g = 9.81, J = a^2/2\ncoord x, y, z, phi\n"
           "frame F = world at (x, y, z) rotated z(phi)\n"
           "body puck mass 1 inertia (J, J, J) at (0, 0, 0) in F\ngravity (0, 0, -g)\n"
           "slide puck as sphere(0.01) on world as plane at c with friction mu over radius a %s\n"
           "initial z = 0.01\n%s\noutput how = state(c)\noutput P = power(c)\nrun 0 .. 4\n",
           over, more);
  return bench_text(text);
}

static double event_time(const walk_track* t, const char* name)
{
  for (int i = 0; i < t->happenings; i++)
    if (strcmp(walk_happening_name(t, &t->happening[i]), name) == 0) return t->happening[i].t;
  return NAN;
}

// v' = -mu g F(v/u), u = a w: u' = -2 mu g M, by small steps of Runge and Kutta
static void go(cone_patch patch, double until, double s[2])
{
  enum { steps = 20000 };
  const double h = until / steps;
  for (int i = 0; i < steps; i++) {
    double k[4][2];
    for (int j = 0; j < 4; j++) {
      const double share = j == 0 ? 0 : j == 3 ? h : h / 2;
      double F, M, at[2];
      for (int c = 0; c < 2; c++) at[c] = s[c] + (j ? share * k[j - 1][c] : 0);
      cone_patch_law(patch, at[0], at[1], &F, &M);
      k[j][0] = -mu * g * F;
      k[j][1] = -2 * mu * g * M;
    }
    for (int c = 0; c < 2; c++) s[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
  }
}

// one that mostly spins, one that mostly slides, and one that passes v = a w
TEST(a_disc_slides_and_spins_as_its_patch_says)
{
  static const char* const over[] = {"hertz", "uniform", "hertz rational", "uniform rational"};
  static const double start[][2] = {{1, 30}, {1, 3}, {0.9, 9.5}, {0.7, 0}, {0, 12}};
  for (int kind = 0; kind < 4; kind++)
    for (size_t k = 0; k < sizeof start / sizeof *start; k++) {
      char more[100];
      const double at[] = {0.2};
      double s[2] = {start[k][0], a * start[k][1]};
      snprintf(more, sizeof more, "initial x' = %g\ninitial phi' = %g", start[k][0], start[k][1]);
      bench b = disc(over[kind], more);
      walk_track* t = bench_run(&b, 1e-11, 1, at);
      go((cone_patch){kind % 2 ? CONE_PATCH_UNIFORM : CONE_PATCH_HERTZ, kind > 1}, 0.2, s);
      CHECK_INT(t->status, WALK_DONE);
      CHECK_NEAR(bench_value(t, 0, "x'"), s[0], 1e-9);
      CHECK_NEAR(bench_value(t, 0, "phi'"), s[1] / a, 1e-8);
      CHECK_NEAR(bench_value(t, 0, "how"), 2, 0);
      CHECK_NEAR(t->energy_balance, 0, 1e-10);
      walk_track_free(t);
      bench_free(&b);
    }
}

// Whatever the start, a uniform disc stops in slip and spin at one instant, with v/(a w) -> 0.653
// (Farkas, Bartels, Unger and Wolf, Physical Review Letters 90 (2003) 248302): there 2 d M = F.
TEST(slip_and_spin_end_together_with_one_ratio)
{
  for (int k = 0; k < 2; k++) {
    bench b = disc("uniform", k ? "initial x' = 1\ninitial y' = 0.3\ninitial phi' = 2"
                                : "initial x' = 0.3\ninitial phi' = 12");
    walk_track* t = bench_run(&b, 1e-11, 0, NULL);
    const double end = event_time(t, "sticking of c");
    CHECK_INT(t->status, WALK_DONE);
    CHECK(isfinite(end));
    walk_track_free(t);
    const double at[] = {end * (1 - 1e-6), end + 0.1};
    t = bench_run(&b, 1e-11, 2, at);
    double F, M;
    const double v = hypot(bench_value(t, 0, "x'"), bench_value(t, 0, "y'")),
                 u = a * bench_value(t, 0, "phi'");
    cone_patch_law((cone_patch){CONE_PATCH_UNIFORM, false}, 0.653, 1, &F, &M);
    CHECK_NEAR(F, 2 * 0.653 * M, 1e-3);
    CHECK_NEAR(v / u, 0.653, 5e-3);
    for (int c = 0; c < 2; c++) CHECK_NEAR(bench_value(t, 1, c ? "phi'" : "x'"), 0, 1e-14);
    CHECK_NEAR(bench_value(t, 1, "how"), 1, 0);
    CHECK_NEAR(t->energy_balance, 0, 1e-10);
    walk_track_free(t);
    bench_free(&b);
  }
}

// a moment M(d) is held alone, until a force that grows comes to F(d)
TEST(a_force_and_a_moment_give_way_together)
{
  static const char* const over[] = {"hertz", "uniform", "hertz rational", "uniform rational"};
  for (int kind = 0; kind < 4; kind++) {
    double F, M;
    char more[300];
    cone_patch_law((cone_patch){kind % 2 ? CONE_PATCH_UNIFORM : CONE_PATCH_HERTZ, kind > 1}, 1.3, 1,
                   &F, &M);
    snprintf(more, sizeof more, "force phi = %.17g\nforce y = t\ninitial x = 0", M * mu * g * a);
    bench b = disc(over[kind], more);
    const double at[] = {F * mu * g + 0.01};
    walk_track* t = bench_run(&b, 1e-11, 1, at);
    CHECK_INT(t->status, WALK_DONE);
    CHECK_NEAR(event_time(t, "slipping of c"), F * mu * g, 1e-9);
    // and goes there in the share of both that belongs to it
    CHECK(bench_value(t, 0, "y'") > 0 && bench_value(t, 0, "phi'") > 0);
    CHECK_NEAR(bench_value(t, 0, "y'") / (a * bench_value(t, 0, "phi'")), 1.3, 0.1);
    walk_track_free(t);
    bench_free(&b);
  }
}
