// States of first order beside mechanics: against closed forms, and through all methods.

#include <math.h>
#include <string.h>

#include "bench.h"
#include "check.h"

static const char filter[] = "coord x\nkinetic x'^2/2\npotential 2*x^2\nstate z = 0.25\n"
                             "rate z = 2*(x - z)\ninitial x = 1\nrun 0 .. 5\n";

// x = cos 2t; z' = 2(cos 2t - z)
static double filtered(double t)
{
  return 0.5 * cos(2 * t) + 0.5 * sin(2 * t) - 0.25 * exp(-2 * t);
}

TEST(a_filter_follows_its_closed_form_by_every_method)
{
  const struct
  {
    const char* method;
    double near;
  } of[] = {{"dop853", 1e-10}, {"taylor", 1e-12}, {"gauss16", 1e-12},
            {"adams", 1e-9},   {"bdf", 1e-7},     {"ida", 1e-7}};
  const double at[] = {0, 0.7, 5};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    bench b = bench_text(filter);
    walk_track* t = bench_run_by(&b, of[i].method, 1e-12, 3, at);
    for (int k = 0; k < 3; k++) CHECK_NEAR(bench_value(t, k, "z"), filtered(at[k]), of[i].near);
    walk_track_free(t);
    bench_free(&b);
  }
}

// the oscillator keeps its energy, whatever states do beside it
TEST(states_have_no_energy)
{
  bench b = bench_text(filter);
  const double at[] = {0, 5};
  walk_track* t = bench_run(&b, 1e-12, 2, at);
  CHECK_NEAR(t->energy_scale, 2, 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

// PID on a mass against a constant load: the integral takes the load, and x goes by
// x''' + kd x'' + kp x' + ki x = 0 with roots -1, -2, -3
TEST(a_pid_controller_has_its_three_roots)
{
  bench b = bench_text("param kp = 11, ki = 6, kd = 6, F = 0.7\ncoord x\nkinetic x'^2/2\n"
                       "state s = 0\nrate s = x\nforce x = F - kp*x - ki*s - kd*x'\n"
                       "initial x = 1\nrun 0 .. 4\n");
  const double at[] = {0.5, 4};
  walk_track* t = bench_run(&b, 1e-13, 2, at);
  // x(0) = 1, x'(0) = 0, x''(0) = F - kp
  // x = A e^-t + B e^-2t + C e^-3t
  const double x2 = 0.7 - 11;
  const double A = (6 + x2) / 2, B = -(3 + x2), C = (2 + x2) / 2;
  for (int k = 0; k < 2; k++) {
    const double e = exp(-at[k]);
    CHECK_NEAR(bench_value(t, k, "x"), A * e + B * e * e + C * e * e * e, 1e-11);
  }
  walk_track_free(t);
  bench_free(&b);
}

// an event sets a state: charge and discharge between 1 and 2 of z' = u - z
TEST(events_see_and_set_states)
{
  bench b = bench_text("param u = 3\nstate z = 1, n = 0\nrate z = u - z\nrate n = 0\n"
                       "event up: z = 2 rising { set u = 0, n = n + 1 }\n"
                       "event down: z = 1 falling { set u = 3 }\nrun 0 .. 10\n");
  const double at[] = {10};
  walk_track* t = bench_run(&b, 1e-12, 1, at);
  // each way takes log 2
  CHECK_NEAR(bench_value(t, t->table.rows - 1, "n"), 7, 1e-12);
  const double since = 10 - 14 * log(2);
  CHECK_NEAR(bench_value(t, t->table.rows - 1, "z"), 3 - 2 * exp(-since), 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

// dry friction of first order: z' = -sign(z) comes to zero at t = 1 and stays there
TEST(a_state_comes_to_rest_at_a_jump_of_its_rate)
{
  bench b = bench_text("state z = 1\nrate z = -sign(z)\nrun 0 .. 3\n");
  const double at[] = {0.5, 3};
  walk_track* t = bench_run(&b, 1e-10, 2, at);
  CHECK_NEAR(bench_value(t, 0, "z"), 0.5, 1e-12);
  CHECK_NEAR(bench_value(t, t->table.rows - 1, "z"), 0, 1e-12);
  walk_track_free(t);
  bench_free(&b);
}

// an impact leaves states as they are
TEST(impacts_pass_states_by)
{
  bench b = bench_text("coord y\nkinetic y'^2/2\nforce y = -10\nconstraint floor: y >= 0 with "
                       "restitution 0.5\nstate z = 0\nrate z = 1\ninitial y = 1\nrun 0 .. 1\n");
  const double at[] = {1};
  walk_track* t = bench_run(&b, 1e-11, 1, at);
  CHECK_NEAR(bench_value(t, t->table.rows - 1, "z"), 1, 1e-12);
  walk_track_free(t);
  bench_free(&b);
}

TEST(stability_counts_a_state_once)
{
  bench b = bench_text(filter);
  study_stability* r = bench_stability(&b, 0);
  CHECK(r->dimension == 3 && r->count == 3);
  double least = 0;
  for (int i = 0; i < r->count; i++) least = fmin(least, r->re[i]);
  CHECK_NEAR(least, -2, 1e-12);
  study_stability_free(r);
  bench_free(&b);
}
