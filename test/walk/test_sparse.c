// Systems of many coordinates: against the same systems in few coordinates, and against themselves.
#include "bench.h"
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// a chain of rods with hinges, in centres and angles; the ends are free or held
static const char* const chain =
    "param N = 21, l = 0.1 [m], m = 0.2 [kg], g = 9.81 [m/s^2]\n"
    "gravity (0, -g, 0)\n"
    "for i in 1..N {\n"
    "  coord x[i], y[i] [m]\n  coord a[i]\n"
    "  frame F[i] = world at (x[i], y[i], 0) rotated z(a[i])\n"
    "  rod R[i] mass m from (-l/2, 0, 0) to (l/2, 0, 0) in F[i]\n"
    "  point p[i] = (-l/2, 0, 0) in F[i]\n  point e[i] = (l/2, 0, 0) in F[i]\n"
    "  initial a[i] = 0.05*i\n  initial a[i]' = 0\n"
    "}\n"
    "constraint h[1]: pos(p[1]) = (0, 0, 0)\n"
    "for i in 2..N { constraint h[i]: pos(p[i]) = pos(e[i-1]) }\n"
    "output X = pos(e[N]).x\noutput Y = pos(e[N]).y\nrun 0 .. 0.5\n";

// the same in angles alone
static const char* const angles =
    "param N = 21, l = 0.1 [m], m = 0.2 [kg], g = 9.81 [m/s^2]\n"
    "for i in 1..N { coord a[i] }\n"
    "let X[0] = 0*l\nlet Y[0] = 0*l\n"
    "for i in 1..N {\n"
    "  let X[i] = X[i-1] + l*cos(a[i])\n  let Y[i] = Y[i-1] + l*sin(a[i])\n"
    "  let cx[i] = X[i-1] + l/2*cos(a[i])\n  let cy[i] = Y[i-1] + l/2*sin(a[i])\n"
    "  kinetic m/2*(cx[i]'^2 + cy[i]'^2) + m*l^2/24*a[i]'^2\n  potential m*g*cy[i]\n"
    "  initial a[i] = 0.05*i\n"
    "}\n"
    "output X = X[N]\noutput Y = Y[N]\nrun 0 .. 0.5\n";

TEST(a_chain_of_rods_moves_as_in_angles_alone)
{
  const double at[] = {0.25, 0.5};
  bench b = bench_text(chain), c = bench_text(angles);
  walk_track *t = bench_run(&b, 1e-12, 2, at), *u = bench_run(&c, 1e-12, 2, at);
  CHECK(t && u);
  if (t && u) {
    CHECK_TEXT(t->method, "gauss16");
    for (int i = 0; i < 2; i++) {
      CHECK_NEAR(bench_value(t, i, "X"), bench_value(u, i, "X"), 1e-10);
      CHECK_NEAR(bench_value(t, i, "Y"), bench_value(u, i, "Y"), 1e-10);
      CHECK_NEAR(bench_value(t, i, "a[21]'"), bench_value(u, i, "a[21]'"), 1e-8);
    }
    CHECK(fabs(t->energy_balance) < 1e-12 * t->energy_scale);
    for (int k = 0; k < b.model->constraints; k++) {
      CHECK(t->residual[k].position < 1e-13);
      CHECK(t->residual[k].velocity < 1e-12);
    }
  }
  walk_track_free(t);
  walk_track_free(u);
  bench_free(&b);
  bench_free(&c);
}

// At rest, hanging straight down: hinge i carries the weight of all rods from i on.
TEST(reactions_of_a_hanging_chain_are_the_weights_below)
{
  char text[2000];
  snprintf(text, sizeof text, "%s", chain);
  char* from = strstr(text, "0.05*i");
  memcpy(from, "-pi/2 ", 6);
  const double at[] = {0.5};
  bench b = bench_text(text);
  walk_track* t = bench_run(&b, 1e-10, 1, at);
  CHECK(t != NULL);
  for (int i = 1; t && i <= 21; i += 5) {
    char name[40];
    snprintf(name, sizeof name, "reaction.h[%d].y", i);
    CHECK_NEAR(fabs(bench_value(t, 0, name)), 0.2 * 9.81 * (22 - i), 1e-9);
  }
  walk_track_free(t);
  bench_free(&b);
}

// A row of parallelograms: each bar but the first is superfluous. They swing as one pendulum.
TEST(redundant_loops_move_as_one_pendulum)
{
  const char* text =
      "param N = 24, l = 1, g = 9.81\n"
      "coord x, y, a\n"
      "kinetic x'^2 + y'^2 + 1e-3*a'^2\npotential 2*g*y\n"
      "for i in 1..N {\n  coord b[i]\n  kinetic 0.05*b[i]'^2\n"
      "  constraint u[i]: x + i*cos(a) - (i + l*sin(b[i])) = 0\n"
      "  constraint w[i]: y + i*sin(a) - (-l*cos(b[i])) = 0\n"
      "  coord z[i]\n  kinetic z[i]'^2\n  potential z[i]^2\n"
      "}\n"
      "for i in 1..N { coord s[i]\n kinetic s[i]'^2 }\n"
      "initial b[1] = 0.4\ninitial a = 0\nfor i in 2..N { initial b[i] ~ 0.4 }\nrun 0 .. 1\n";
  const double at[] = {0, 1};
  bench b = bench_text(text);
  walk_track* t = bench_run(&b, 1e-11, 2, at);
  CHECK(t != NULL);
  if (t) {
    CHECK_INT(t->redundant, 22);
    CHECK_NEAR(bench_value(t, 1, "a"), 0, 1e-12);
    CHECK_NEAR(bench_value(t, 1, "b[24]"), bench_value(t, 1, "b[1]"), 1e-11);
    CHECK(fabs(t->energy_balance) < 1e-11 * t->energy_scale);
    // (2 + 24*0.1) b'' = -2 g sin b at the start, all bars alike
    double sum = 0;
    for (int i = 1; i <= 24; i++) {
      char name[40];
      snprintf(name, sizeof name, "reaction.u[%d]", i);
      sum += bench_value(t, 0, name);
    }
    const double down = 2 * 9.81 * sin(0.4) / (2 + 24 * 0.1);
    CHECK_NEAR(sum, 2 * -down * cos(0.4), 1e-8);
  }
  walk_track_free(t);
  bench_free(&b);
}

// 70 particles as quaternions would be long; massless pulleys are short: M alone is singular
TEST(coordinates_without_mass_move_with_the_constraints)
{
  const char* text = "param N = 40\n"
                     "for i in 1..N {\n  coord x[i], u[i] [m]\n  kinetic x[i]'^2/2\n"
                     "  potential u[i]^2/2\n  constraint c[i]: u[i] - 2*x[i] = 0\n"
                     "  initial x[i] = i/10\n}\nrun 0 .. 1\n";
  const double at[] = {1};
  bench b = bench_text(text);
  walk_track* t = bench_run(&b, 1e-12, 1, at);
  CHECK(t != NULL);
  if (t) CHECK_NEAR(bench_value(t, 0, "x[40]"), 4 * cos(2), 1e-10);
  walk_track_free(t);
  bench_free(&b);
}

// Oscillators, all but the first with a companion; at t = 1/2 the first is pushed and the springs
// are made four times as strong, by an event or a stage, in either order.
TEST(velocities_are_set_among_many)
{
  static const char* const how[4] = {
      "event e: t = 0.5 rising { set x[1]' = 3, k = 4 }\nrun 0 .. 1\n",
      "event e: t = 0.5 rising { set k = 4, x[1]' = 3 }\nrun 0 .. 1\n",
      "stage a { until t >= 0.5 }\nstage b { set x[1]' = 3, k = 4; until t >= 1 }\n",
      "stage a { until t >= 0.5 }\nstage b { set k = 4, x[1]' = 3; until t >= 1 }\n"};
  for (int k = 0; k < 4; k++) {
    char text[600];
    snprintf(text, sizeof text,
             "param N = 60, k = 1\nfor i in 1..N {\n coord x[i], y[i]\n"
             " kinetic (x[i]'^2 + y[i]'^2)/2\n potential k*x[i]^2/2\n initial x[i] = 1\n}\n"
             "for i in 2..N { constraint c[i]: y[i] = 2*x[i] }\n%s",
             how[k]);
    bench b = bench_text(text);
    const double at[1] = {1};
    walk_track* t = bench_run(&b, 1e-11, 1, at);
    CHECK(t && t->status == WALK_DONE);
    if (t) {
      CHECK_NEAR(bench_value(t, 0, "x[1]"), cos(0.5) * cos(1) + 1.5 * sin(1), 1e-9);
      // five times the mass: w^2 = k/5
      const double w = sqrt(0.2), x = cos(w / 2) * cos(w) - sin(w / 2) * sin(w) / 2;
      for (int i = 2; i <= 60; i += 29) {
        char name[16];
        snprintf(name, sizeof name, "x[%d]", i);
        CHECK_NEAR(bench_value(t, 0, name), x, 1e-9);
      }
    }
    walk_track_free(t);
    bench_free(&b);
  }
}

TEST(what_full_matrices_are_for_is_refused_beyond_them)
{
  bench b = bench_text("for i in 1..2001 { coord x[i]\n kinetic x[i]'^2\n"
                       "constraint c[i]: x[i] >= 0 }\n");
  const walk_options o = walk_options_default();
  walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
  CHECK(t == NULL);
  CHECK(strstr(bench_first_error(&b), "unilateral constraints") != NULL);
  walk_track_free(t);
  bench_free(&b);
}

// the chain above with so many rods, its last end held as well where it is closed
static bench chain_of(int rods, bool closed)
{
  char text[2000];
  snprintf(text, sizeof text, "%s%s", chain,
           closed ? "constraint end: pos(e[N]).y = 0\ninitial a[1] ~ 0.3\n" : "");
  char number[8];
  snprintf(number, sizeof number, "%2d", rods);
  memcpy(strstr(text, "21"), number, 2);
  // where it is closed the equations tell the angles
  for (char* at; closed && (at = strstr(text, "a[i] = ")) != NULL;) at[5] = '~';
  return bench_text(text);
}

// Joints of a tree are never dependent: such constraints are solved through their entries, however
// few the coordinates are, and the motion is that by full matrices, which power series ask for.
TEST(few_rods_move_through_entries_as_by_full_matrices)
{
  const double at[] = {0.3};
  bench b = chain_of(9, false);
  CHECK(b.system && b.system->M_rows.start && b.system->M);
  walk_track *t = bench_run(&b, 1e-12, 1, at), *u = bench_run_by(&b, "taylor", 1e-12, 1, at);
  CHECK(t && u && bench_apart(t, u) < 1e-10);
  if (t) CHECK_TEXT(t->method, "gauss16");
  for (int k = 0; t && k < b.model->constraints; k++) CHECK(t->residual[k].position < 1e-13);
  walk_track_free(t);
  walk_track_free(u);
  bench_free(&b);
}

// a loop may come to a position where its constraints are: full matrices watch for it
TEST(a_loop_of_few_rods_is_watched)
{
  bench b = chain_of(9, true);
  CHECK(b.system && !b.system->M_rows.start);
  bench_free(&b);
}
