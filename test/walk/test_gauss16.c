// Runs by Gauss's method of order 16: closed forms, other methods on the gallery, rows and events
// inside steps, states that its kernel does not take, interpreted code, long times.
#include "bench.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>

// u = 7 exp(-k t / 2m), theta = L t^2 / (4 m l^2); rows inside long steps are as good as their ends
TEST(gauss16_follows_the_skater)
{
  bench b = bench_file("skater_benchmark");
  enum { rows = 60 };
  double at[rows];
  for (int i = 0; i < rows; i++) at[i] = (i + 1) / 4.0;
  walk_track* t = bench_run_by(&b, "gauss16", 1e-12, rows, at);
  CHECK(t && t->status == WALK_DONE && t->counts.steps < 20);
  for (int i = 0; t && i < rows; i++) {
    CHECK_NEAR(bench_value(t, i, "theta"), at[i] * at[i] / 28, 1e-12);
    CHECK_NEAR(bench_value(t, i, "v"), 7 * exp(-0.6 * at[i] / 14), 1e-12);
  }
  CHECK(t && t->residual[0].velocity < 1e-13);
  walk_track_free(t);
  bench_free(&b);
}

// ---- the gallery --------------------------------------------------------------------------------

// false where a method does not take the model
static bool compare(const char* name)
{
  bench b = bench_file(name);
  walk_options o = walk_options_default();
  o.tolerance = 1e-12;
  o.points = b.model->has_run ? 12 : 0;
  o.method = "gauss16";
  walk_track* g = walk_run(b.system, &o, b.notes);
  o.method = "taylor";
  walk_track* t = g ? walk_run(b.system, &o, b.notes) : NULL;
  const bool both = g && t && g->status != WALK_UNFINISHED && t->status != WALK_UNFINISHED;
  if (both) {
    const double off = o.points ? bench_apart(g, t) : fabs(g->t_reached - t->t_reached);
    if (g->status != t->status || !(off <= 2e-8))
      check_fail(__FILE__, __LINE__, "%s: gauss16 and taylor are %.2g apart (%s)", name, off,
                 g->reason);
    CHECK_INT(g->happenings, t->happenings);
    for (int i = 0; i < g->happenings && i < t->happenings; i++)
      CHECK_NEAR(g->happening[i].t, t->happening[i].t, 1e-8 * fmax(1, t->happening[i].t));
  }
  walk_track_free(g);
  walk_track_free(t);
  bench_free(&b);
  return both;
}

TEST(gauss16_agrees_with_taylor_on_the_gallery)
{
  const int count = bench_gallery(compare);
  printf("# %d models\n", count);
  CHECK(count > 30);
}

// ---- events, kernels, code ----------------------------------------------------------------------

// x = cos t is thrown back at -1/2 with half its speed: x = -cos(s)/2 + u sin(s), s later, until it
// comes there again
TEST(gauss16_locates_events_inside_steps)
{
  const char* text = "coord x\nkinetic x'^2/2\npotential x^2/2\ninitial x = 1\n"
                     "event half: x = 0.5 falling report\n"
                     "event wall: x = -0.5 falling { set x' = -x'/2 }\nrun 0 .. 7.5\n";
  bench b = bench_text(text);
  const double at[1] = {7.5}, pi = acos(-1), hit = 2 * pi / 3, u = sin(hit) / 2;
  const double again = 2 * atan2(u, -0.5);
  walk_track* t = bench_run_by(&b, "gauss16", 1e-13, 1, at);
  CHECK(t && t->status == WALK_DONE && t->happenings == 4);
  if (!t || t->happenings != 4) return;
  CHECK_NEAR(t->happening[0].t, pi / 3, 1e-13);
  CHECK_NEAR(t->happening[1].t, hit, 1e-13);
  CHECK_NEAR(t->happening[2].t, hit + again / 2 + acos(0.5 / hypot(0.5, u)), 1e-12);
  CHECK_NEAR(t->happening[3].t, hit + again, 1e-12);
  walk_track_free(t);
  bench_free(&b);
}

// On a sphere, at a height that grows: r^2 phi' stays, phi' = L / (1 - z^2). Near the pole the two
// constraints are hardly independent, and the kernel leaves the accelerations to the general way.
TEST(gauss16_goes_on_where_its_kernel_warns)
{
  bench b = bench_text("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                       "constraint ball: x^2 + y^2 + z^2 = 1\nconstraint level: z = 0.9 + t/10\n"
                       "initial y = 0\ninitial x ~ 0.4\ninitial y' = 0.5\nrun 0 .. 0.98\n");
  const double at[2] = {0.5, 0.98};
  walk_track* t = bench_run_by(&b, "gauss16", 1e-12, 2, at);
  CHECK(t && t->status == WALK_DONE);
  const double L = sqrt(1 - 0.81) * 0.5;
  for (int i = 0; t && i < 2; i++) {
    const double z = 0.9 + at[i] / 10, phi = 10 * L * (atanh(z) - atanh(0.9)), r = sqrt(1 - z * z);
    CHECK_NEAR(bench_value(t, i, "x"), r * cos(phi), 1e-10);
    CHECK_NEAR(bench_value(t, i, "y"), r * sin(phi), 1e-10);
  }
  walk_track_free(t);
  bench_free(&b);
}

// machine code of eight lanes, of four, and none: the same bits
TEST(gauss16_gives_the_same_numbers_with_any_code)
{
  const char *name[] = {"rolling_disc", "pendulum", "heavy_top"}, *code[] = {"avx2", "interp"};
  const double at[3] = {0.3, 1.1, 2};
  for (int m = 0; m < 3; m++) {
    unsetenv("ZWANG_CODE");
    bench b = bench_file(name[m]);
    walk_track* want = bench_run_by(&b, "gauss16", 1e-11, 3, at);
    for (int c = 0; c < 2; c++) {
      setenv("ZWANG_CODE", code[c], 1);
      walk_track* t = bench_run_by(&b, "gauss16", 1e-11, 3, at);
      const int places = t->model->coords;
      for (int i = 0; i < 3; i++)
        for (int k = 1; k <= places; k++)
          CHECK_NEAR(t->table.value[i * t->table.width + k],
                     want->table.value[i * want->table.width + k], 0);
      walk_track_free(t);
    }
    unsetenv("ZWANG_CODE");
    walk_track_free(want);
    bench_free(&b);
  }
}

// ---- long times ---------------------------------------------------------------------------------

// largest relative error of the energy in roundings, over the square root of the number of steps
static double drift(const char* text)
{
  enum { rows = 400 };
  static double at[rows];
  bench b = bench_text(text);
  for (int i = 0; i < rows; i++) at[i] = 20 * (i + 1);
  walk_track* t = bench_run_by(&b, "gauss16", 1e-15, rows, at);
  CHECK(t && t->status == WALK_DONE);
  double most = 0;
  for (int i = 0; i < rows; i++)
    most = fmax(most, fabs(bench_value(t, i, "E") - t->energy_start) / fabs(t->energy_start));
  printf("# energy error after 8000 s %.2g in %ld steps\n", most, t->counts.steps);
  most /= 0x1p-52 * sqrt((double)t->counts.steps);
  walk_track_free(t);
  bench_free(&b);
  return most;
}

// as many roundings as there are steps, but none with a bias
TEST(gauss16_lets_energy_drift_like_a_random_walk)
{
  CHECK(drift("param g = 9.81\ncoord th, ph\nkinetic (th'^2 + sin(th)^2*ph'^2)/2\n"
              "potential -g*cos(th)\ninitial th = 0.64\ninitial ph' = 1.6\n"
              "output E = energy()\nrun 0 .. 1\n") < 0.1);
  CHECK(drift("param g = 9.81\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential g*z\n"
              "constraint rod: x^2 + y^2 + z^2 = 1\ninitial x = 0.6\ninitial z ~ -0.8\n"
              "initial y = 0\ninitial y' = 1\noutput E = energy()\nrun 0 .. 1\n") < 0.2);
}

// Energies after a while from several starts do not agree in sign: their mean over its standard
// error stays small. On a rod of length 1 the roundings of doubles lean, since those below a power
// of two are twice as close as those above.
TEST(gauss16_lets_no_rounding_lean_to_one_side)
{
  enum { starts = 16 };
  const double at[1] = {1000};
  double sum = 0, square = 0;
  for (int k = 0; k < starts; k++) {
    char text[300];
    snprintf(text, sizeof text,
             "param g = 9.81\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential g*z\n"
             "constraint rod: x^2 + y^2 + z^2 = 1\ninitial x = sin(0.64 + %d/37)\ninitial y = 0\n"
             "initial z ~ -0.8\ninitial x' = 0\ninitial y' = x/0.6\noutput E = energy()\n"
             "run 0 .. 1\n",
             k);
    bench b = bench_text(text);
    walk_track* t = bench_run_by(&b, "gauss16", 1e-15, 1, at);
    CHECK(t && t->status == WALK_DONE);
    const double off = (bench_value(t, 0, "E") - t->energy_start) / 9.81;
    sum += off;
    square += off * off;
    walk_track_free(t);
    bench_free(&b);
  }
  const double mean = sum / starts, rms = sqrt(square / starts);
  const double error = sqrt((rms * rms - mean * mean) / (starts - 1));
  printf("# after 500 periods %.1e, mean %.1e +- %.1e\n", rms, mean, error);
  CHECK(fabs(mean) < 4 * error && rms < 2e-15);
}

TEST(rows_within_a_first_step_from_rest_are_finite)
{
  // velocities have no size at the start, so that their units are small: turns end at roundings
  bench b = bench_text("param N = 3\nfor i in 1..N { coord x[i]\nkinetic x[i]'^2/2\n"
                       "potential x[i]^2/2\ninitial x[i] = i }\nmethod gauss16\nrun 0 .. 1\n");
  double at[601];
  for (int i = 0; i <= 600; i++) at[i] = i / 600.0;
  walk_track* t = bench_run(&b, 1e-10, 601, at);
  CHECK(t && t->table.rows == 601);
  for (int i = 0; t && i < t->table.rows; i++) {
    CHECK_NEAR(bench_value(t, i, "x[2]"), 2 * cos(at[i]), 1e-10);
    CHECK_NEAR(bench_value(t, i, "x[3]'"), -3 * sin(at[i]), 1e-10);
  }
  walk_track_free(t);
  bench_free(&b);
}

// ---- along trees --------------------------------------------------------------------------------

// n rods in relative angles, let go from the horizontal
static bench rods(int n)
{
  base_text t = {0};
  base_text_printf(&t,
                   "param m = 0.1, l = 0.1, g = 9.81\ngravity (0, -g, 0)\n"
                   "for i in 1..%d { coord q[i] }\nframe F1 = world rotated z(q[1])\n"
                   "rod R1 mass m from (0, 0, 0) to (l, 0, 0) in F1\n",
                   n);
  for (int i = 2; i <= n; i++)
    base_text_printf(&t,
                     "frame F%d = F%d at (l, 0, 0) rotated z(q[%d])\n"
                     "rod R%d mass m from (0, 0, 0) to (l, 0, 0) in F%d\n",
                     i, i - 1, i, i, i);
  base_text_printf(&t, "run 0 .. 1\n");
  bench b = bench_text(t.at);
  base_text_free(&t);
  return b;
}

// the slopes of a long chain are differences of large terms, and rows lie in every step
TEST(gauss16_is_chosen_for_long_chains_and_keeps_their_energy)
{
  static const int links[] = {12, 40, 70}, steps[] = {300, 300, 800};
  enum { rows = 501 };
  double at[rows];
  for (int i = 0; i < rows; i++) at[i] = i / (rows - 1.0);
  for (int k = 0; k < 3; k++) {
    bench b = rods(links[k]);
    walk_track* t = bench_run(&b, 1e-10, rows, at);
    CHECK(t && t->status == WALK_DONE && t->table.rows == rows);
    if (t) CHECK_TEXT(t->method, "gauss16");
    CHECK(t && fabs(t->energy_balance) < 1e-11 * t->energy_scale && t->counts.steps < steps[k]);
    if (k == 0) {
      walk_track* other = bench_run_by(&b, "dop853", 1e-12, rows, at);
      CHECK(t && other && bench_apart(t, other) < 1e-8);
      walk_track_free(other);
    }
    walk_track_free(t);
    bench_free(&b);
  }
}

// a free body with a tail of 20 joints in space: the norm of its quaternion is all that is held
TEST(gauss16_takes_a_free_body_with_a_long_tail)
{
  base_text text = {0};
  base_text_printf(&text, "param g = 9.81\ngravity (0, 0, -g)\ncoord x, y, z\norientation Q\n"
                          "frame F0 = world at (x, y, z) rotated by Q\n"
                          "body T mass 30 inertia (1, 0.9, 0.4) at (0, 0, 0) in F0\n");
  for (int i = 1; i <= 20; i++)
    base_text_printf(&text,
                     "coord j%d\nframe F%d = F%d at (0, 0, -0.2) rotated %c(j%d)\n"
                     "body B%d mass 2 inertia (0.02, 0.02, 0.005) at (0, 0, -0.1) in F%d\n"
                     "initial j%d = 0.1\nforce j%d = -20*j%d\n",
                     i, i, i - 1, "xyz"[i % 3], i, i, i, i, i, i);
  base_text_printf(&text, "run 0 .. 0.5\n");
  bench b = bench_text(text.at);
  base_text_free(&text);
  const double at[2] = {0.25, 0.5};
  walk_track* t = bench_run(&b, 1e-10, 2, at);
  walk_track* other = bench_run_by(&b, "dop853", 1e-12, 2, at);
  CHECK(t && t->status == WALK_DONE && other && bench_apart(t, other) < 1e-8);
  if (t) CHECK_TEXT(t->method, "gauss16");
  // E grows by what the springs, which are forces, do
  CHECK(t && fabs(t->energy_balance) < 1e-11 * t->energy_scale);
  walk_track_free(t);
  walk_track_free(other);
  bench_free(&b);
}

// ---- thin systems -------------------------------------------------------------------------------

// rods in centres and angles: elimination keeps their zeros, so that their number does not matter
TEST(gauss16_takes_rods_in_maximal_coordinates_whatever_their_number)
{
  static const int count[] = {4, 8, 16, 20};
  for (int k = 0; k < 4; k++) {
    char text[900];
    snprintf(text, sizeof text,
             "param N = %d, l = 0.1, m = 0.1, g = 9.81\ngravity (0, -g, 0)\nfor i in 1..N {\n"
             "coord x[i], y[i], a[i]\nframe F[i] = world at (x[i], y[i], 0) rotated z(a[i])\n"
             "rod R[i] mass m from (-l/2, 0, 0) to (l/2, 0, 0) in F[i]\n"
             "point p[i] = (-l/2, 0, 0) in F[i]\npoint e[i] = (l/2, 0, 0) in F[i]\n"
             "initial a[i] = 0.05*i\n}\nconstraint h[1]: pos(p[1]) = (0, 0, 0)\n"
             "for i in 2..N { constraint h[i]: pos(p[i]) = pos(e[i-1]) }\nrun 0 .. 0.5\n",
             count[k]);
    bench b = bench_text(text);
    const double at[2] = {0.25, 0.5};
    walk_track *t = bench_run(&b, 1e-9, 2, at), *other = bench_run_by(&b, "taylor", 1e-11, 2, at);
    CHECK(t && t->status == WALK_DONE && other && bench_apart(t, other) < 1e-7);
    if (t) CHECK_TEXT(t->method, "gauss16");
    walk_track_free(t);
    walk_track_free(other);
    bench_free(&b);
  }
}
