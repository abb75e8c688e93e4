// Runs against closed forms: motion, constraints, reactions, energy.
#include "bench.h"

#include <stdio.h>

#include "check.h"

static const double pi = 3.14159265358979323846;

TEST(an_oscillator_follows_the_cosine)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\npotential 2*x^2\ninitial x = 0.7\nrun 0 .. 20\n");
  const double at[] = {0, 1, 7.5, 20};
  walk_track* t = bench_run(&b, 1e-12, 4, at);
  CHECK_INT(t->table.rows, 4);
  for (int i = 0; i < 4; i++) {
    CHECK_NEAR(bench_value(t, i, "t"), at[i], 0);
    CHECK_NEAR(bench_value(t, i, "x"), 0.7 * cos(2 * at[i]), 2e-11);
    CHECK_NEAR(bench_value(t, i, "x'"), -1.4 * sin(2 * at[i]), 4e-11);
  }
  CHECK_NEAR(t->energy_balance, 0, 1e-11);
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_pendulum_in_cartesian_coordinates_agrees_with_its_angle)
{
  bench a =
      bench_text("param l = 1.3, g = 9.81\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential g*y\n"
                 "constraint rod: x^2 + y^2 = l^2\ninitial x = l*sin(1)\ninitial y ~ -l*cos(1)\n"
                 "initial x' = 0\nrun 0 .. 10\n");
  bench b =
      bench_text("param l = 1.3, g = 9.81\ncoord f\nkinetic l^2*f'^2/2\npotential -g*l*cos(f)\n"
                 "initial f = 1\nrun 0 .. 10\n");
  const double at[] = {0.5, 3, 10};
  walk_track *s = bench_run(&a, 1e-12, 3, at), *t = bench_run(&b, 1e-12, 3, at);
  for (int i = 0; i < 3; i++) {
    const double f = bench_value(t, i, "f"), w = bench_value(t, i, "f'");
    CHECK_NEAR(bench_value(s, i, "x"), 1.3 * sin(f), 1e-9);
    CHECK_NEAR(bench_value(s, i, "y"), -1.3 * cos(f), 1e-9);
    // tension: 2 Lambda r = -(m l w^2 + m g cos f) r / l
    CHECK_NEAR(bench_value(s, i, "reaction.rod"), -(1.3 * w * w + 9.81 * cos(f)) / 2.6, 1e-8);
  }
  CHECK(s->residual[0].position < 1e-13);
  CHECK(s->residual[0].velocity < 1e-13);
  walk_track_free(s);
  walk_track_free(t);
  bench_free(&a);
  bench_free(&b);
}

TEST(a_moving_support_does_work_and_the_balance_knows)
{
  bench b =
      bench_text("param g = 9.81\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential g*y\n"
                 "constraint rod: (x - sin(3*t)/5)^2 + y^2 = 1\ninitial x ~ 0.3\ninitial y ~ -1\n"
                 "run 0 .. 8\n");
  walk_track* t = bench_run(&b, 1e-11, 0, NULL);
  CHECK(fabs(t->energy_end - t->energy_start) > 1e-2);
  CHECK_NEAR(t->energy_balance / t->energy_scale, 0, 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

TEST(the_skater_follows_the_damped_spiral)
{
  bench b = bench_file("skater_benchmark");
  const double at[] = {1, 10, 15};
  const double xi[] = {6.85125859625426020, 21.4074022385286730, 26.3235866130674419};
  const double eta[] = {0.0806928259393685398, 25.2014974892555519, 19.5908864113284681};
  const double blade[] = {6.70633771028478218, 45.6007340271738913, 55.2077425647068752};
  walk_track* t = bench_run(&b, 1e-12, 3, at);
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(bench_value(t, i, "xi"), xi[i], 1e-9 * fabs(xi[i]));
    CHECK_NEAR(bench_value(t, i, "eta"), eta[i], 1e-9 * fabs(eta[i]));
    CHECK_NEAR(bench_value(t, i, "reaction.blade"), blade[i], 1e-9 * blade[i]);
    CHECK_NEAR(bench_value(t, i, "v"), 7 * exp(-0.6 / 14 * at[i]), 1e-9);
  }
  walk_track_free(t);
  bench_free(&b);
}

TEST(all_methods_agree_on_a_constrained_motion)
{
  const double at[] = {2};
  for (int i = 0; i < step_method_count(); i++) {
    if (step_method_at(i)->decides) continue; // no tolerance
    bench b =
        bench_text("coord x, y, f\nkinetic (x'^2 + y'^2 + f'^2)/2\npotential x\n"
                   "constraint edge: y'*cos(f) - x'*sin(f) = 0\ninitial f = 0.3\ninitial f' = 1\n"
                   "initial x' ~ 1\nrun 0 .. 2\n");
    walk_options o = walk_options_default();
    o.method = step_method_at(i)->name;
    o.tolerance = 1e-9;
    o.at = at;
    o.at_count = 1;
    walk_track* t = walk_run(b.system, &o, b.notes);
    CHECK(t && t->status == WALK_DONE);
    walk_track* best = bench_run(&b, 1e-13, 1, at);
    CHECK_NEAR(bench_value(t, 0, "x"), bench_value(best, 0, "x"), 1e-6);
    CHECK_NEAR(bench_value(t, 0, "y"), bench_value(best, 0, "y"), 1e-6);
    walk_track_free(t);
    walk_track_free(best);
    bench_free(&b);
  }
}

TEST(a_motion_ends_where_a_nonlinear_constraint_loses_its_gradient)
{
  // Appell's constraint, rising: the particle comes to rest at t* = v0 (1 + a^2) / (g a)
  bench b =
      bench_text("param a = 0.7, g = 9.81, m = 2\ncoord x, y, z\nkinetic m/2*(x'^2 + y'^2 + z'^2)\n"
                 "potential m*g*z\nconstraint cone: z'^2 - a^2*(x'^2 + y'^2) = 0\n"
                 "initial x' = 3\ninitial y' = 4\ninitial z' ~ 3.5\nrun 0 .. 3\n");
  walk_track* t = bench_run(&b, 1e-11, 0, NULL);
  CHECK_INT(t->status, WALK_UNFINISHED);
  CHECK_NEAR(t->t_reached, 1.08489879132080967, 1e-6);
  CHECK(strstr(t->reason, "cone") != NULL);
  walk_track_free(t);
  bench_free(&b);
}

TEST(redundant_constraints_are_named_and_share_the_load)
{
  bench b = bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -6\n"
                       "constraint a: y = 0\nconstraint b: 2*y = 0\ninitial x' = 1\nrun 0 .. 1\n");
  const double at[] = {1};
  walk_track* t = bench_run(&b, 1e-10, 1, at);
  CHECK_INT(t->redundant, 1);
  CHECK_INT(t->redundant_row[0], 1);
  // La + 2 Lb = 6 with La^2 + (2 Lb)^2 least: both hold the same part of the force
  CHECK_NEAR(bench_value(t, 0, "reaction.a"), 3, 1e-10);
  CHECK_NEAR(bench_value(t, 0, "reaction.b"), 1.5, 1e-10);
  CHECK_NEAR(bench_value(t, 0, "x"), 1, 1e-10);
  walk_track_free(t);
  bench_free(&b);
}

TEST(contradictory_initial_values_are_refused_with_names)
{
  bench b = bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint ring: x^2 + y^2 = 1\n"
                       "initial x = 2\nrun 0 .. 1\n");
  walk_options o = walk_options_default();
  CHECK(walk_run(b.system, &o, b.notes) == NULL);
  CHECK(strstr(bench_first_error(&b), "ring") != NULL);
  bench_free(&b);
}

TEST(a_missing_mass_is_refused_at_the_start)
{
  bench b = bench_text("coord x, y\nkinetic x'^2/2\npotential y^2\nrun 0 .. 1\n");
  walk_options o = walk_options_default();
  CHECK(walk_run(b.system, &o, b.notes) == NULL);
  CHECK(strstr(bench_first_error(&b), "`y`") != NULL);
  bench_free(&b);
}

TEST(events_are_located_and_none_is_skipped)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\npotential x^2/2\ninitial x' = 1\n"
                       "event up: x = 0.5 rising report\nevent near_top: x = 0.999999 report\n"
                       "event stop_here: x = -0.9 falling stop\nrun 0 .. 100\n");
  walk_track* t = bench_run(&b, 1e-12, 0, NULL);
  CHECK_INT(t->status, WALK_STOPPED);
  CHECK_INT(t->happenings, 4);
  CHECK_NEAR(t->happening[0].t, pi / 6, 1e-11);
  CHECK_NEAR(t->happening[1].t, asin(0.999999), 1e-8);
  CHECK_NEAR(t->happening[2].t, pi - asin(0.999999), 1e-8);
  CHECK_NEAR(t->happening[3].t, pi + asin(0.9), 1e-11);
  CHECK_NEAR(t->t_reached, pi + asin(0.9), 1e-11);
  walk_track_free(t);
  bench_free(&b);
}

TEST(an_event_may_turn_the_velocity_round)
{
  // a ball thrown onto the floor again and again: bounce k at t0 (1 + 2 r + 2 r^2 + ...)
  bench b =
      bench_text("param g = 9.81, r = 0.8\ncoord y\nkinetic y'^2/2\npotential g*y\ninitial y = 1\n"
                 "event floor: y = 0 falling { set y' = -r*y' }\nrun 0 .. 2\n");
  walk_track* t = bench_run(&b, 1e-12, 0, NULL);
  const double fall = sqrt(2 / 9.81);
  double hit = fall, flight = 2 * fall * 0.8;
  CHECK(t->happenings >= 3);
  for (int k = 0; k < 3; k++) {
    CHECK_NEAR(t->happening[k].t, hit, 1e-11);
    hit += flight;
    flight *= 0.8;
  }
  CHECK_NEAR(t->energy_balance, 0, 1e-10);
  walk_track_free(t);
  bench_free(&b);
}

// an event that is not touched by what it sets happens once
TEST(an_event_at_a_time_sets_params_and_velocities_and_the_run_goes_on)
{
  static const char* const sets[] = {"k = 4", "x' = 2"};
  const double at[] = {2};
  for (int i = 0; i < 2; i++) {
    char text[300];
    snprintf(text, sizeof text,
             "param k = 1\ncoord x\nkinetic x'^2/2\npotential k*x^2/2\n"
             "event up: t - 0.5 = 0 rising { set %s }\ninitial x = 1\nrun 0 .. 2\n",
             sets[i]);
    bench b = bench_text(text);
    walk_track* t = bench_run(&b, 1e-12, 1, at);
    const double x = cos(0.5), v = i ? 2 : -sin(0.5), w = i ? 1 : 2;
    CHECK_INT(t->status, WALK_DONE);
    CHECK_INT(t->happenings, 1);
    CHECK_NEAR(bench_value(t, 0, "x"), x * cos(1.5 * w) + v / w * sin(1.5 * w), 1e-11);
    walk_track_free(t);
    bench_free(&b);
  }
}
