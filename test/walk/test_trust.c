// Whether a run tells that its constraints were missed, whatever its units and its rows are.
#include "bench.h"

#include "check.h"
#include "walk/run.h"

#include <stdio.h>

// a pendulum of this length, its rod off by `share` of it, its speed by as much of that
static bool is_doubted(double length, double share, int level)
{
  char text[300];
  snprintf(text, sizeof text,
           "param L = %g\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\n"
           "constraint rod: x^2 + y^2 = L^2\ninitial x = L\ninitial y ~ 0\nrun 0 .. %g\n",
           length, sqrt(length));
  bench b = bench_text(text);
  walk_options o = walk_options_default();
  walk_job r = {.s = b.system, .o = &o, .notes = b.notes};
  bool doubted = false;
  CHECK(b.system && walk_run_open(&r));
  if (b.system) {
    walk_run_steps(&r);
    CHECK(!*r.track->doubt);
    const double speed = sqrt(2 * 9.81 * length);
    if (level == 0) r.track->residual[0].position = share * length;
    if (level == 1) r.track->residual[0].velocity = share * speed;
    walk_trust_constraints(&r, "");
    doubted = *r.track->doubt;
  }
  walk_track* t = r.track;
  walk_run_close(&r);
  walk_track_free(t);
  bench_free(&b);
  return doubted;
}

TEST(a_constraint_that_is_missed_is_told_in_all_units)
{
  const double length[] = {1e-9, 1e-3, 1, 1e6};
  for (int i = 0; i < 4; i++)
    for (int level = 0; level < 2; level++) {
      if (!is_doubted(length[i], 1e-4, level))
        check_fail(__FILE__, __LINE__, "length %g: 1e-4 of level %d is not told", length[i], level);
      if (is_doubted(length[i], 1e-8, level))
        check_fail(__FILE__, __LINE__, "length %g: 1e-8 of level %d is told", length[i], level);
    }
}

// over the pole of a logarithm, by steps that know nothing of it; from `x` at the start
static bool is_doubted_over_a_pole(const char* x, const char* speed)
{
  char text[200];
  snprintf(text, sizeof text,
           "coord x\nkinetic x'^2/2\npotential 3*log(x)\ninitial x = %s\ninitial x' = %s\n"
           "run 0 .. 1\n",
           x, speed);
  bench b = bench_text(text);
  walk_options o = walk_options_default();
  o.method = "moreau";
  walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
  CHECK(t && t->status == WALK_DONE);
  const bool doubted = t && *t->doubt;
  walk_track_free(t);
  bench_free(&b);
  return doubted;
}

TEST(an_energy_that_ceases_to_be_a_number_is_told)
{
  CHECK(is_doubted_over_a_pole("0.5", "1"));
  CHECK(!is_doubted_over_a_pole("5", "1"));
  CHECK(!is_doubted_over_a_pole("-5", "-1")); // none from the start: it says nothing
}

// A body that is stopped at the start rests under its weight: the rounding of its speed is no
// energy that was lost, however large it is against the nothing that is left.
TEST(what_is_stopped_at_the_start_and_rests_is_not_doubted)
{
  bench b = bench_text("coord x, y\nkinetic 2.3/2*(x'^2 + y'^2)\nforce y = -21.66\n"
                       "quasi u = x'\nconstraint floor: y >= -0.15 with friction 0.57 along u\n"
                       "initial x = 0.09\ninitial x' = 0.1\ninitial y = -0.15\n"
                       "initial y' = -0.68\nrun 0 .. 1.55\n");
  walk_track* t = bench_run(&b, 1e-10, 0, NULL);
  CHECK(t && t->status == WALK_DONE);
  if (t) CHECK_TEXT(t->doubt, "");
  walk_track_free(t);
  bench_free(&b);
}

// By time-stepping too: a box on its two feet under a force that is no weight.
TEST(a_box_that_stands_is_not_doubted)
{
  static const char* const force[] = {"3.7", "21.66", "1000"};
  for (int k = 0; k < 3; k++) {
    char text[500];
    snprintf(text, sizeof text,
             "coord x, y, th\nframe A = world at (x, y, 0) rotated z(th)\n"
             "body B mass 2.3 inertia (1, 1, 0.1) at (0.03, 0.1, 0) in A\n"
             "point P = (-0.2, -0.1, 0) in A\npoint Q = (0.3, -0.1, 0) in A\nforce y = -%s\n"
             "constraint p: pos(P).y >= 0.05 with friction 0.3\n"
             "constraint q: pos(Q).y >= 0.05 with friction 0.3\ninitial y = 0.15\n"
             "run 0 .. 1.55\nmethod moreau\n",
             force[k]);
    bench b = bench_text(text);
    walk_track* t = bench_run(&b, 0, 0, NULL);
    CHECK(t && t->status == WALK_DONE);
    if (t) CHECK_TEXT(t->doubt, "");
    walk_track_free(t);
    bench_free(&b);
  }
}

// Walls that meet at t = 1, a body between them: from then on no impulse obeys both. Steps are made
// in halves, which does not help, and it is told.
TEST(no_step_is_short_enough_between_walls_that_have_met)
{
  for (int late = 0; late < 2; late++) {
    bench b = bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint a: x >= t - 1\n"
                         "constraint b: x <= 1 - t\ninitial x = 0.1\ninitial x' = 0.2\n");
    walk_options o = walk_options_default();
    o.method = "moreau";
    o.step = 0.01;
    o.until = late ? 1.02 : 0.98;
    walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
    CHECK(t && t->status == WALK_DONE);
    CHECK(t && (t->laws.halved > 0) == late && (*t->doubt != 0) == late);
    walk_track_free(t);
    bench_free(&b);
  }
}

// The same slowly beside a weight on the body: the laws hold nearly, to less than halves were made
// for, and are tried for in halves all the same.
TEST(steps_that_obey_their_laws_nearly_are_made_in_halves)
{
  bench b = bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\n"
                       "constraint a: x >= 1e-5*(t - 1)\nconstraint b: x <= 1e-5*(1 - t)\n"
                       "constraint c: y + x >= 0\n");
  walk_options o = walk_options_default();
  o.method = "moreau";
  o.step = 0.01;
  o.until = 1.03;
  walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
  CHECK(t && t->status == WALK_DONE && t->laws.unsolved > 0 && t->laws.fault < 1e-3);
  CHECK(t && t->laws.halved > 0 && *t->doubt == 0);
  walk_track_free(t);
  bench_free(&b);
}

// While constraints hold all that moves, nothing but the work itself bounds the errors of its sum:
// at unit scale and at others
TEST(the_work_is_summed_while_all_velocities_are_held)
{
  const char* method[] = {"dop853", "adams", "bdf", "ida"};
  const double mass[] = {1, 1e-6, 1e6};
  for (int i = 0; i < 12; i++) {
    char text[500];
    snprintf(text, sizeof text,
             "param m = %g\ncoord a, b\nkinetic m*(a'^2 + 2*b'^2)/2\npotential 20*m*(a-b)^2/2\n"
             "force a = m*(3*sin(2*t) - 0.1*a')\nconstraint stop: b <= 0.1 with restitution 0\n"
             "constraint lim: a' >= -0.6\ninitial a = 0, b = 0\nrun 0 .. 3\n",
             mass[i / 4]);
    bench b = bench_text(text);
    walk_options o = walk_options_default();
    o.method = method[i % 4];
    walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
    CHECK(t);
    if (t && (*t->doubt || !(fabs(t->energy_balance) < 1e-8 * t->energy_scale)))
      check_fail(__FILE__, __LINE__, "%s, mass %g: %g of %g", o.method, mass[i / 4],
                 t->energy_balance, t->energy_scale);
    if (t) walk_track_free(t);
    bench_free(&b);
  }
}
