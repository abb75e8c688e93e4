// The power series method: closed forms, the gallery against dop853, order, drift over long times.
#include "bench.h"

#include "check.h"
#include "contact/contact.h"
#include "rate/rate.h"

#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

// eccentricity 1/2 from the perihelion: E - sin(E)/2 = t
TEST(series_follow_two_bodies_to_the_tolerance)
{
  bench b = bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/hypot(x, y)\n"
                       "initial x = 0.5\ninitial y' = sqrt(3)\nrun 0 .. 20\n");
  const double at[3] = {1, 6.5, 20}, e = 0.5;
  for (double tolerance = 1e-6; tolerance > 1e-15; tolerance /= 1000) {
    walk_track* t = bench_run_by(&b, "taylor", tolerance, 3, at);
    CHECK(t && t->status == WALK_DONE && t->table.rows == 3);
    for (int i = 0; t && i < 3; i++) {
      double E = at[i];
      for (int k = 0; k < 60; k++) E -= (E - e * sin(E) - at[i]) / (1 - e * cos(E));
      const double allowed = fmax(100 * tolerance, 1e-13);
      CHECK_NEAR(bench_value(t, i, "x"), cos(E) - e, allowed);
      CHECK_NEAR(bench_value(t, i, "y"), sqrt(1 - e * e) * sin(E), allowed);
    }
    walk_track_free(t);
  }
  bench_free(&b);
}

// the period of a pendulum by the arithmetic-geometric mean: 2 pi / M(1, cos(q0 / 2)), g = l = 1
TEST(series_keep_the_period_of_a_pendulum)
{
  bench b = bench_text("coord q\nkinetic q'^2/2\npotential -cos(q)\ninitial q = 2\nrun 0 .. 1\n");
  double a = 1, g = cos(1.0);
  for (int k = 0; k < 10; k++) {
    const double mean = (a + g) / 2;
    g = sqrt(a * g);
    a = mean;
  }
  const double period = 2 * pi / a, at[3] = {period / 4, period / 2, 10 * period};
  walk_track* t = bench_run_by(&b, "taylor", 1e-13, 3, at);
  CHECK_NEAR(bench_value(t, 0, "q"), 0, 1e-13);
  CHECK_NEAR(bench_value(t, 1, "q"), -2, 1e-13);
  CHECK_NEAR(bench_value(t, 2, "q"), 2, 2e-12);
  walk_track_free(t);
  bench_free(&b);
}

// along its blade the skater slows down by itself: u = 7 exp(-k t / 2m), theta = L t^2 / (4 m l^2)
TEST(series_follow_the_skater)
{
  bench b = bench_file("skater_benchmark");
  const double at[2] = {7.3, 15};
  walk_track* t = bench_run_by(&b, "taylor", 1e-12, 2, at);
  for (int i = 0; i < 2; i++) {
    CHECK_NEAR(bench_value(t, i, "theta"), at[i] * at[i] / 28, 1e-12);
    CHECK_NEAR(bench_value(t, i, "v"), 7 * exp(-0.6 * at[i] / 14), 1e-12);
  }
  CHECK(t->counts.steps < 40 && t->residual[0].velocity < 1e-13);
  walk_track_free(t);
  bench_free(&b);
}

// the spin of a symmetric top about its axis and its moment about the vertical stay
TEST(series_keep_the_integrals_of_the_heavy_top)
{
  bench b = bench_file("heavy_top");
  const double at = 2;
  walk_track *t = bench_run_by(&b, "taylor", 1e-13, 1, &at),
             *d = bench_run_by(&b, "dop853", 1e-13, 1, &at);
  CHECK(fabs(t->energy_balance) < 1e-11 * t->energy_scale);
  const double spin =
      bench_value(t, 0, "phi'") - bench_value(t, 0, "alpha'") * sin(bench_value(t, 0, "beta"));
  CHECK_NEAR(spin, 150, 1e-9);
  CHECK_NEAR(bench_value(t, 0, "cz"), bench_value(d, 0, "cz"), 1e-11);
  walk_track_free(t);
  walk_track_free(d);
  bench_free(&b);
}

// machine code for the equations, for one kernel, and the interpreter of jets: with and without
// constraints, velocities that depend, events, changing params
TEST(series_by_machine_code_are_those_of_jets)
{
  static const char* name[] = {"double_pendulum", "rolling_disc",      "pendulum",
                               "heavy_top",       "skater_benchmark",  "spatial_fourbar",
                               "figure_eight",    "pendulum_released", "hanging_chain",
                               "snakeboard",      "gimbal_on_ship",    "whipple_bicycle"};
  static const char* code[] = {"interp", "avx2"};
  const double at[2] = {0.3, 0.9};
  for (size_t m = 0; m < sizeof name / sizeof *name; m++) {
    unsetenv("ZWANG_CODE");
    bench b = bench_file(name[m]);
    walk_track* t = bench_run_by(&b, "taylor", 1e-12, 2, at);
    for (int c = 0; c < 2; c++) {
      setenv("ZWANG_CODE", code[c], 1);
      walk_track* want = bench_run_by(&b, "taylor", 1e-12, 2, at);
      CHECK(t && want && t->status == want->status && t->table.rows == want->table.rows);
      const int places = t && want ? 2 * t->model->coords : 0;
      for (int i = 0; i < 2 && places; i++)
        for (int k = 1; k <= places; k++) {
          const double got = t->table.value[i * t->table.width + k];
          const double other = want->table.value[i * want->table.width + k];
          if (!(fabs(got - other) <= 2e-10 * fmax(1, fabs(other))))
            check_fail(__FILE__, __LINE__, "%s with %s, column %d: %.17g, want %.17g", name[m],
                       code[c], k, got, other);
        }
      walk_track_free(want);
    }
    unsetenv("ZWANG_CODE");
    walk_track_free(t);
    bench_free(&b);
  }
}

TEST(the_order_of_the_series_grows_with_the_digits_asked_for)
{
  bench b = bench_file("double_pendulum");
  int order = 0;
  long steps = 0;
  static const double asked[] = {1e-7, 1e-9, 1e-11, 1e-13, 1e-15};
  for (int i = 0; i < 5; i++) {
    walk_track* t = bench_run_by(&b, "taylor", asked[i], 0, NULL);
    CHECK(t->counts.order > order);
    order = t->counts.order;
    // more terms, not more steps
    if (steps) CHECK(t->counts.steps < 1.5 * (double)steps);
    steps = t->counts.steps;
    walk_track_free(t);
  }
  bench_free(&b);
}

// ---- the gallery --------------------------------------------------------------------------------

static bool compare_methods(const char* name)
{
  bench b = bench_file(name);
  walk_options o = walk_options_default();
  o.tolerance = 1e-11;
  o.points = b.model->has_run ? 7 : 0;
  walk_track* t = walk_run(b.system, &o, b.notes);
  o.method = "dop853";
  walk_track* d = walk_run(b.system, &o, b.notes);
  // shapes that are looked for are taken by steps of time alone, and dop853 says so
  const bool leaps = !d && t && strcmp(t->method, "moreau") == 0;
  if (leaps) CHECK(strstr(base_notes_text(b.notes, base_notes_count(b.notes) - 1), "moreau"));
  CHECK(leaps || (d && t));
  if (!d || !t) {
    walk_track_free(t);
    bench_free(&b);
    return leaps;
  }
  const double off = o.points ? bench_apart(d, t) : fabs(d->t_reached - t->t_reached);
  if (t->status != d->status || !(off <= 2e-7))
    check_fail(__FILE__, __LINE__, "%s: %s and dop853 are %.2g apart (%s)", name, t->method, off,
               t->reason);
  CHECK_INT(t->happenings, d->happenings);
  for (int i = 0; i < t->happenings && i < d->happenings; i++)
    CHECK_NEAR(t->happening[i].t, d->happening[i].t, 1e-7 * fmax(1, d->happening[i].t));
  walk_track_free(d);
  walk_track_free(t);
  bench_free(&b);
  return true;
}

TEST(the_method_chosen_agrees_with_dop853_on_every_model_of_the_gallery)
{
  CHECK(bench_gallery(compare_methods) > 50);
}

// ---- choice -------------------------------------------------------------------------------------

TEST(the_choice_of_a_method_is_stated)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\npotential x^2/2\ninitial x = 1\nrun 0 .. 5\n");
  walk_track* t = bench_run_by(&b, NULL, 1e-10, 0, NULL);
  CHECK_TEXT(t->method, "gauss16");
  CHECK_TEXT(t->method_why, "smooth without events, one kernel, and the tolerance is tight");
  walk_track_free(t);
  t = bench_run_by(&b, NULL, 1e-5, 0, NULL);
  CHECK_TEXT(t->method, "dop853");
  CHECK_TEXT(t->method_why, "the tolerance is loose");
  walk_track_free(t);
  t = bench_run_by(&b, "dop853", 1e-10, 0, NULL);
  CHECK_TEXT(t->method_why, "asked for");
  walk_track_free(t);
  bench_free(&b);
  b = bench_text("coord x\nkinetic x'^2/2\npotential x^2/2\ninitial x = 1\n"
                 "event zero: x = 0 report\nrun 0 .. 5\n");
  t = bench_run_by(&b, NULL, 1e-10, 0, NULL);
  CHECK_TEXT(t->method, "taylor");
  CHECK_TEXT(t->method_why, "smooth, and the tolerance is tight");
  walk_track_free(t);
  bench_free(&b);
}

// sqrt(x) has no power series where x begins to grow from 0
TEST(a_run_goes_on_with_dop853_where_the_series_ends)
{
  const char* text = "coord x\nkinetic x'^2/2\nforce x = sqrt(x)\ninitial x' = 1\n"
                     "event far: x = 9 report\nrun 0 .. 1\n";
  bench b = bench_text(text);
  walk_track* t = bench_run_by(&b, NULL, 1e-9, 0, NULL);
  CHECK(t && t->status == WALK_DONE);
  CHECK_TEXT(t->method, "dop853");
  CHECK(strstr(t->method_why, "changed from taylor at t = 0: "));
  walk_track_free(t);
  t = bench_run_by(&b, "taylor", 1e-9, 0, NULL);
  CHECK(t && t->status == WALK_UNFINISHED && strstr(t->reason, "not smooth"));
  walk_track_free(t);
  bench_free(&b);
}

// ---- long times ---------------------------------------------------------------------------------

// largest relative error of the energy up to each tenth of a run
static void drift(const char* text, double tolerance, double tenth[10])
{
  enum { rows = 1600 };
  static double at[rows];
  bench b = bench_text(text);
  for (int i = 0; i < rows; i++) at[i] = i + 1;
  walk_track* t = bench_run_by(&b, "taylor", tolerance, rows, at);
  CHECK(t && t->status == WALK_DONE);
  double most = 0;
  for (int i = 0; i < rows; i++) {
    most = fmax(most, fabs(bench_value(t, i, "E") - t->energy_start) / fabs(t->energy_start));
    tenth[i / (rows / 10)] = most;
  }
  printf("# energy error after 160 s %.2g, after 1600 s %.2g\n", tenth[0], tenth[9]);
  walk_track_free(t);
  bench_free(&b);
}

// Rounding errors that do not agree add up like the square root of their number, those of a rule
// with a bias like the number: 36000 steps leave no more than a few roundings.
TEST(the_energy_of_a_long_run_drifts_like_a_random_walk)
{
  double tenth[10];
  drift("param g = 9.81\ncoord th, ph\nkinetic (th'^2 + sin(th)^2*ph'^2)/2\n"
        "potential -g*cos(th)\ninitial th = 0.64\ninitial ph' = 1.6\n"
        "output E = energy()\nrun 0 .. 1\n",
        1e-15, tenth);
  CHECK(tenth[9] < 4e-15);
  // with a constraint and its projections a little more
  drift("param g = 9.81\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential g*z\n"
        "constraint rod: x^2 + y^2 + z^2 = 1\ninitial x = 0.6\ninitial z ~ -0.8\ninitial y = 0\n"
        "initial y' = 1\noutput E = energy()\nrun 0 .. 1\n",
        1e-15, tenth);
  CHECK(tenth[9] < 4e-14);
}

// A light mass tied to a heavy one: in the measures of the coordinates the row of the constraint is
// as large as the masses, so that pivots are chosen among numbers that can be compared.
TEST(rows_of_constraints_are_brought_to_the_size_of_the_masses)
{
  for (int power = 0; power <= 8; power += 2)
    for (int unit = -6; unit <= 6; unit += 6) {
      char text[300];
      snprintf(text, sizeof text,
               "coord x, y\nkinetic (x'^2 + 1e-%d*y'^2)/2\nconstraint c: 1e%d*(x + y) = 0\n", power,
               unit);
      bench b = bench_text(text);
      engine* e = b.system ? contact_engine_new(b.system, b.notes) : NULL;
      CHECK(e != NULL);
      if (e) {
        const double none[2] = {0};
        engine_state(e, 0, none, none);
        engine_weigh(e);
        rate_series* s = rate_series_new(e, 8);
        const double* w = e->work.weight;
        s->rows = 1;
        s->row[0] = 0;
        for (int i = 0; i < 2; i++) {
          for (int j = 0; j < 2; j++) s->K0[i * 3 + j] = e->M[i * 2 + j];
          s->K0[2 * 3 + i] = e->A[i];
        }
        CHECK_INT(rate_series_factor(s), 0);
        const double mass = fmax(e->M[0] * w[0] * w[0], e->M[3] * w[1] * w[1]),
                     row = fmax(fabs(e->A[0]) * w[0], fabs(e->A[1]) * w[1]);
        CHECK(s->scale[2] * row >= mass / 2 && s->scale[2] * row <= 2 * mass);
      }
      engine_free(e);
      bench_free(&b);
    }
}
