// Time-stepping: closed forms, and the event-driven answers as the step goes to zero.
#include "bench.h"

#include "check.h"

#include <stdio.h>

static walk_track* stepped(const bench* b, double h, double until)
{
  walk_options o = walk_options_default();
  o.method = "moreau";
  o.step = h;
  o.until = until;
  o.points = 2;
  walk_track* t = b->system ? walk_run(b->system, &o, b->notes) : NULL;
  if (!t || t->status != WALK_DONE)
    check_fail(__FILE__, __LINE__, "no run: %s", t ? t->reason : bench_first_error(b));
  return t;
}

static double last(const walk_track* t, const char* column)
{
  return t ? bench_value(t, t->table.rows - 1, column) : NAN;
}

static double end_of(const char* text, double h, double until, const char* column)
{
  bench b = bench_text(text);
  walk_track* t = stepped(&b, h, until);
  const double value = last(t, column);
  walk_track_free(t);
  bench_free(&b);
  return value;
}

// ---- closed forms -------------------------------------------------------------------------------

static const char ball[] = "param e0 = 0.8, g = 9.81\ncoord z\nkinetic z'^2/2\npotential g*z\n"
                           "constraint floor: z >= 0 with restitution e0\ninitial z = 1\n";

// height at t of a ball dropped from 1, bounce after bounce
static double height(double t)
{
  double v = sqrt(2 * 9.81), at = v / 9.81;
  if (t < at) return 1 - 9.81 * t * t / 2;
  for (;;) {
    v *= 0.8;
    if (t < at + 2 * v / 9.81) return v * (t - at) - 9.81 * (t - at) * (t - at) / 2;
    at += 2 * v / 9.81;
  }
}

// an impact is up to h late or early: (1 + e) v h at most in the height, for each of two bounces
TEST(a_bouncing_ball_converges_with_the_first_order)
{
  const double v = sqrt(2 * 9.81), bound = 1.8 * v + 1.8 * 0.8 * v;
  for (double h = 4e-3; h > 1e-5; h /= 4)
    CHECK_NEAR(end_of(ball, h, 1.3, "z"), height(1.3), bound * h);
}

TEST(a_ball_is_at_rest_after_infinitely_many_bounces)
{
  const double h = 1e-3;
  CHECK_NEAR(end_of(ball, h, 6, "z"), 0, 9.81 * h * h);
  CHECK_NEAR(end_of(ball, h, 6, "z'"), 0, 1e-14);
  CHECK_NEAR(end_of(ball, h, 6, "reaction.floor"), 9.81, 1e-9);
}

static const char block[] = "param g = 9.81, mu = 0.3\ncoord x, y\n"
                            "particle P mass 2 = (x, y, 0) in world\ngravity (0, -g, 0)\n"
                            "constraint floor: y >= 0 with friction mu\ninitial x' = 3\n";

TEST(a_block_slides_as_far_as_friction_lets_it)
{
  const double h = 1e-3, stop = 9 / (2 * 0.3 * 9.81);
  // all but the last step are exact; in that one the velocity is at most mu g h
  CHECK_NEAR(end_of(block, h, 2, "x"), stop, 0.3 * 9.81 * h * h);
  CHECK_NEAR(end_of(block, h, 2, "x'"), 0, 1e-13);
  CHECK_NEAR(end_of(block, h, 2, "reaction.floor"), 2 * 9.81, 1e-9);
  CHECK_NEAR(end_of(block, h, 0.5, "x'"), 3 - 0.3 * 9.81 * 0.5, 1e-11);
}

// sign() of a speed that friction has brought to zero is what holds it there, whichever way it came
TEST(what_friction_holds_has_the_side_that_holds_it)
{
  for (int way = -1; way <= 1; way++) {
    char text[200];
    snprintf(text, sizeof text,
             "coord x\nkinetic x'^2/2\nforce x = 1 - 3*sign(x')\noutput side = sign(x')\n"
             "initial x' = %d\n",
             2 * way);
    CHECK_NEAR(end_of(text, 0.01, 5, "side"), 1.0 / 3, 1e-12);
    CHECK_NEAR(end_of(text, 0.01, 0.1, "side"), way ? way : 1.0 / 3, 1e-12);
    // v^2/2 = x (3 - 1), or (3 + 1) on the way back
    CHECK_NEAR(end_of(text, 0.01, 5, "x"), way > 0 ? 1 : way < 0 ? -0.5 : 0, 0.02);
  }
}

// Its normal speed is all it has left at some steps: the square of its slip, multiplied out in
// three velocities, is a rounding above or below zero there
TEST(friction_that_falls_with_slip_holds_on_a_slope_in_space)
{
  const char* text =
      "coord x, y, z\nparticle b mass 0.5 = (x, y, z)\ngravity (-0.7892, -1.681, -10)\n"
      "constraint c: pos(b).z + 0.119*pos(b).x + 0.089*pos(b).y >= 0 with friction 0.486 + "
      "0.365*exp(-slip(c)/0.3) with restitution 0.3\ninitial z = 0.2, x' = -0.727, y' = 1.81\n"
      "initial z' = -0.119*x' - 0.089*y'\nrun 0 .. 1\n";
  bench b = bench_text(text);
  const walk_options o = walk_options_default();
  walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
  const double x = last(t, "x"), y = last(t, "y");
  for (double h = 4e-4; h > 1e-5; h /= 2) {
    CHECK_NEAR(end_of(text, h, 1, "x"), x, h);
    CHECK_NEAR(end_of(text, h, 1, "y"), y, h);
  }
  walk_track_free(t);
  bench_free(&b);
}

TEST(friction_is_counted_among_what_contacts_take)
{
  bench b = bench_text(block);
  walk_track* t = stepped(&b, 1e-3, 2);
  CHECK(t != NULL);
  if (t) CHECK_NEAR(t->energy_jumps, -9, 1e-9);
  if (t) CHECK_NEAR(t->energy_balance, 0, 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

#define BALLS(GAP)                                                                          \
  "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"                                         \
  "constraint a: y - x >= 0 with restitution 1\nconstraint b: z - y >= 0 with restitution " \
  "1\ninitial x = -1\ninitial x' = 1\ninitial y = 0\ninitial z = " GAP "\n"

// touching balls are struck at once, Newton's law for both contacts: -1/3, 2/3, 2/3; with a gap
// between them one after the other, and only the last one goes on
TEST(three_balls_together_and_one_after_the_other)
{
  CHECK_NEAR(end_of(BALLS("0"), 1e-3, 1.5, "x'"), -1.0 / 3, 1e-11);
  CHECK_NEAR(end_of(BALLS("0"), 1e-3, 1.5, "y'"), 2.0 / 3, 1e-11);
  CHECK_NEAR(end_of(BALLS("0"), 1e-3, 1.5, "z'"), 2.0 / 3, 1e-11);
  CHECK_NEAR(end_of(BALLS("0.1"), 1e-3, 1.5, "x'"), 0, 1e-11);
  CHECK_NEAR(end_of(BALLS("0.1"), 1e-3, 1.5, "y'"), 0, 1e-11);
  CHECK_NEAR(end_of(BALLS("0.1"), 1e-3, 1.5, "z'"), 1, 1e-11);
}

// n blocks, the lowest at `foot` above the floor
static bench stack(int n, double foot, const char* restitution)
{
  base_text text = {0};
  base_text_printf(&text, "coord z1");
  for (int i = 2; i <= n; i++) base_text_printf(&text, ", z%d", i);
  base_text_printf(&text, "\nkinetic z1'^2/2");
  for (int i = 2; i <= n; i++) base_text_printf(&text, " + z%d'^2/2", i);
  base_text_printf(&text, "\npotential 10*z1");
  for (int i = 2; i <= n; i++) base_text_printf(&text, " + 10*z%d", i);
  base_text_printf(&text, "\nconstraint c1: z1 >= 0%s\ninitial z1 = %g\n", restitution, foot);
  for (int i = 2; i <= n; i++)
    base_text_printf(&text, "constraint c%d: z%d - z%d - 1 >= 0%s\ninitial z%d = %g\n", i, i, i - 1,
                     restitution, i, foot + i - 1);
  bench b = bench_text(text.at);
  base_text_free(&text);
  return b;
}

TEST(a_stack_at_rest_stays_at_rest)
{
  bench b = stack(10, 0, "");
  walk_track* t = stepped(&b, 1e-3, 1);
  for (int i = 1; i <= 10 && t; i++) {
    char name[20];
    snprintf(name, sizeof name, "z%d", i);
    CHECK_NEAR(last(t, name), i - 1, 1e-12);
    snprintf(name, sizeof name, "z%d'", i);
    CHECK_NEAR(last(t, name), 0, 1e-12);
    snprintf(name, sizeof name, "reaction.c%d", i);
    CHECK_NEAR(last(t, name), 10.0 * (11 - i), 1e-7);
  }
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_stack_that_falls_and_bounces_comes_to_rest_and_gains_no_energy)
{
  bench b = stack(30, 0.2, " with restitution 0.5");
  walk_track* t = stepped(&b, 1e-3, 3);
  if (t) {
    CHECK(t->energy_jumps < 0);
    CHECK_NEAR(last(t, "z30'"), 0, 1e-2);
    CHECK_NEAR(last(t, "z30"), 29, 1e-2);
    CHECK_NEAR(t->energy_balance / t->energy_scale, 0, 1e-12);
    // an impact from u to -e u moves on by (1 - e) u h/2 in its step; nothing closes faster than
    // (1 + e) times the speed of the fall, 2
    for (int k = 0; k < 30; k++) CHECK(t->residual[k].position < 0.25 * 3 * 1e-3);
  }
  walk_track_free(t);
  bench_free(&b);
}

TEST(bilateral_constraints_hold_to_rounding)
{
  bench b =
      bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\n"
                 "constraint rod: x^2 + y^2 = 1\ninitial x = 1\ninitial y ~ 0.1\nrun 0 .. 1\n");
  walk_track* t = stepped(&b, 1e-3, 1);
  if (t) CHECK(t->residual[0].position < 1e-14 && t->residual[0].velocity < 1e-13);
  walk_track_free(t);
  bench_free(&b);
}

// ---- against the event-driven answers -----------------------------------------------------------

static double off(const bench* b, const walk_track* want, double h, double t_end)
{
  walk_track* t = stepped(b, h, t_end);
  double most = t ? 0 : INFINITY;
  for (int i = 0; t && i < b->model->coords; i++) {
    const char* name = b->model->coord[i].name;
    most = fmax(most, fabs(last(t, name) - last(want, name)));
  }
  walk_track_free(t);
  return most;
}

// a step a fourth as long leaves no more than 0.35 of the error
TEST(the_gallery_converges_to_the_event_driven_answers)
{
  static const struct
  {
    const char* name;
    double t, allowed; // at h = 1e-3
  } scene[] = {{"string_pendulum", 0.9, 2e-2},   {"chain_with_stops", 1.7, 1e-5},
               {"disc_leaves_rail", 0.85, 1e-4}, {"eccentric_disc", 0.9, 0.1},
               {"one_way_clutch", 11, 1e-5},     {"speed_limiter", 1, 1e-5},
               {"vibrating_table", 0.39, 1e-5},  {"one_sided_skate", 1, 5e-4},
               {"slide_off_sphere", 0.5, 1e-3},  {"coulomb_oscillator", 1.9, 1e-4},
               {"string_slack", 1, 5e-2}};
  for (size_t i = 0; i < sizeof scene / sizeof *scene; i++) {
    bench b = bench_file(scene[i].name);
    walk_track* want = bench_run(&b, 1e-10, 1, &scene[i].t);
    const double coarse = off(&b, want, 1e-3, scene[i].t), fine = off(&b, want, 2.5e-4, scene[i].t);
    if (!(coarse <= scene[i].allowed) || !(fine <= 0.35 * coarse))
      check_fail(__FILE__, __LINE__, "%s is off by %.3g, then %.3g", scene[i].name, coarse, fine);
    walk_track_free(want);
    bench_free(&b);
  }
}

// ---- the frame ----------------------------------------------------------------------------------

TEST(rows_lie_where_they_are_asked_for_and_a_stop_stops)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\ninitial x' = 2\nevent half: x = 1 rising stop\n"
                       "run 0 .. 2\n");
  const double at[3] = {0, 0.123, 0.2};
  walk_options o = walk_options_default();
  o.method = "moreau";
  o.step = 0.01;
  o.at_count = 3;
  o.at = at;
  o.until = 2;
  walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
  CHECK(t && t->status == WALK_STOPPED && t->table.rows == 3);
  for (int i = 0; t && i < 3; i++) CHECK_NEAR(bench_value(t, i, "x"), 2 * at[i], 1e-14);
  CHECK(t && t->happenings == 1);
  if (t && t->happenings) CHECK_NEAR(t->happening[0].t, 0.5, 1e-13);
  if (t) CHECK_NEAR(t->t_reached, 0.5, 1e-13);
  walk_track_free(t);
  bench_free(&b);
}

static void refused(const char* text, const char* part)
{
  bench b = bench_text(text);
  walk_options o = walk_options_default();
  o.method = "moreau";
  walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
  CHECK(b.system && !t);
  if (!strstr(bench_first_error(&b), part))
    check_fail(__FILE__, __LINE__, "`%s` is not said: %s", part, bench_first_error(&b));
  walk_track_free(t);
  bench_free(&b);
}

// At rest to t = 1, then pushed with 3 N against 1.962 N of friction to x = 1, then let go: it
// stops after another 1.038/1.962 m. Then thrown up, and the floor is taken away.
TEST(stages_follow_each_other)
{
  static const char text[] =
      "param k = 0\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\nforce x = k\n"
      "constraint floor: y >= 0 with friction 0.2\nstage rest { until t >= 1 }\n"
      "stage push { set k = 3; until x >= 1 }\nstage glide { set k = 0; until t >= 4 }\n"
      "stage hurl { set y' = 2; release floor; until t >= 5 }\n";
  CHECK_NEAR(end_of(text, 1e-3, 1, "x"), 0, 1e-15);
  CHECK_NEAR(end_of(text, 1e-3, 1.5, "x"), 1.038 / 8, 1e-9);
  const double stops = 1 + 1.038 / 1.962;
  const double coarse = end_of(text, 1e-2, 4, "x") - stops,
               fine = end_of(text, 1e-3, 4, "x") - stops;
  CHECK(fabs(coarse) < 3e-2 && fabs(fine) < 3e-3);
  CHECK_NEAR(end_of(text, 1e-3, 5, "y"), 2 - 9.81 / 2, 1e-9);
}

TEST(a_constraint_released_by_a_stage_lets_go)
{
  // on a circle with the speed 2, let go at t = 1: straight on
  static const char text[] =
      "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint rod: x^2 + y^2 = 1\ninitial x = 1\n"
      "initial y = 0\ninitial y' = 2\nstage round { until t >= 1 }\n"
      "stage off { release rod; until t >= 2 }\n";
  const double x = end_of(text, 1e-3, 1, "x"), y = end_of(text, 1e-3, 1, "y");
  CHECK_NEAR(hypot(x, y), 1, 1e-12);
  CHECK_NEAR(atan2(y, x), 2, 4e-3);
  CHECK_NEAR(end_of(text, 1e-3, 2, "x"), x + end_of(text, 1e-3, 1, "x'"), 1e-12);
  CHECK_NEAR(end_of(text, 1e-3, 2, "y"), y + end_of(text, 1e-3, 1, "y'"), 1e-12);
}

// The impact of the event is where the fall comes to it, not at the end of a step: between impacts
// the middle of a step is exact for a constant force.
TEST(an_event_sets_the_state_where_it_happens)
{
  static const char text[] = "coord z\nkinetic z'^2/2\npotential 9.81*z\ninitial z = 1\n"
                             "event floor: z = 0 falling { set z' = -0.8*z' }\nrun 0 .. 1.3\n";
  // the same upside down
  static const char mirrored[] = "coord z\nkinetic z'^2/2\npotential -9.81*z\ninitial z = -1\n"
                                 "event floor: z = 0 rising { set z' = -0.8*z' }\nrun 0 .. 1.3\n";
  for (double h = 4e-2; h > 1e-3; h /= 4) {
    CHECK_NEAR(end_of(text, h, 1.3, "z"), height(1.3), 1e-11);
    CHECK_NEAR(end_of(mirrored, h, 1.3, "z"), -height(1.3), 1e-11);
  }
}

// Half an impact is no state: the event comes in the step in which the ball hits the wall, and what
// it keeps is the speed before or behind it.
TEST(an_event_in_the_step_of_an_impact_finds_a_whole_velocity)
{
  static const char text[] =
      "param kept = 0, g = 0\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n"
      "constraint wall: 1 - x >= 0 with restitution 1\ninitial x = 0\ninitial x' = 1\n"
      "initial y = 0\ninitial y' = 1\nevent pass: y = 0.999 rising { set kept = x' }\n"
      "output speed = kept\nrun 0 .. 2\n";
  for (double h = 0.04; h > 1e-3; h /= 3) CHECK_NEAR(fabs(end_of(text, h, 2, "speed")), 1, 1e-12);
}

// an open run, ended by what happens; its steps by the spring
TEST(a_run_ends_with_its_last_stage_wherever_that_is)
{
  bench b =
      bench_text("coord x\nkinetic x'^2/2\npotential 2*x^2\ninitial x = 1\n"
                 "stage back { until x <= 0 }\nstage forth { until x >= 0 }\nmethod moreau\n");
  walk_track* t = bench_run(&b, 0, 0, NULL);
  CHECK(t && t->status == WALK_DONE);
  // x = cos 2t
  if (t) CHECK_NEAR(t->t_reached, 0.75 * M_PI, 1e-3);
  walk_track_free(t);
  bench_free(&b);
}

// A rod that is drawn in at once, on a foot that stands on the floor: what presses takes part in
// the change, by every law that carries the velocities.
TEST(what_presses_takes_part_in_a_sudden_change)
{
  static const char* const law[] = {"limit", "momentum", "velocity"};
  static const char form[] =
      "param r = 1\ncoord x, z, f\nkinetic 3*(x'^2 + z'^2)/2 + ((x' - r*sin(f)*f')^2 + "
      "(z' + r*cos(f)*f')^2)/2\npotential 9.81*(4*z + r*sin(f))\nconstraint floor: z >= 0\n"
      "initial x' = 0.2\ninitial f = 0.3\ninitial f' = 2\n"
      "event draw: t = 0.2 { set r = 0.8; carry %s }\nrun 0 .. 0.4\n";
  for (int i = 0; i < 3; i++) {
    char text[500];
    snprintf(text, sizeof text, form, law[i]);
    const double at = 0.4;
    bench b = bench_text(text);
    walk_track* want = bench_run(&b, 1e-12, 1, &at);
    CHECK(want && want->status == WALK_DONE);
    CHECK_NEAR(end_of(text, 1e-3, at, "x'"), bench_value(want, 0, "x'"), 1e-5);
    CHECK_NEAR(end_of(text, 1e-4, at, "x'"), bench_value(want, 0, "x'"), 1e-7);
    CHECK_NEAR(end_of(text, 1e-4, at, "f'"), bench_value(want, 0, "f'"), 1e-7);
    walk_track_free(want);
    bench_free(&b);
  }
}

// what is read of a run leaves no trace in it, and steps do not depend on how many rows there are
TEST(leaps_do_not_depend_on_the_rows)
{
  bench b = bench_text(block);
  double end[2] = {0};
  for (int many = 0; many < 2; many++) {
    walk_options o = walk_options_default();
    o.method = "moreau";
    o.step = 1e-3;
    o.until = 1.7;
    o.points = many ? 777 : 2;
    walk_track* t = walk_run(b.system, &o, b.notes);
    end[many] = last(t, "x");
    CHECK_INT(t->counts.steps, 1700);
    walk_track_free(t);
  }
  CHECK_NEAR(end[1], end[0], 0);
  bench_free(&b);
}

TEST(what_it_cannot_take_is_refused_with_the_reason)
{
  refused("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x = t by y\nforce x = y\n",
          "control");
  refused("coord x\nkinetic x'^2/2\nforce x = sign(x')\ninitial x' = 1\n", "sign of a velocity");
  refused("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -sign(x')\ninitial x' = 1\n",
          "sign of a velocity");
  refused("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x''^2 + y''^2 = 4\n", "nonlinear");
  refused("coord x\nkinetic x'^2/2\ninitial x' = 1\nstage a { until x >= 1 }\n",
          "neither the end of the run nor the forces");
}

TEST(a_step_belongs_to_time_stepping_alone)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\n");
  walk_options o = walk_options_default();
  o.step = 0.1;
  walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
  CHECK(!t && strstr(bench_first_error(&b), "--step"));
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_box_without_friction_lands_on_its_corners_by_steps)
{
  // eight corners, four of them redundant at rest, and the norm of the quaternion
  char text[3000], *end = text;
  end += sprintf(end, "param a = 0.2, b = 0.15, c = 0.1, m = 1\ncoord x, y, z\norientation Q\n"
                      "frame B = world at (x, y, z) rotated by Q\nbody box mass m inertia "
                      "(m*(b^2 + c^2)/3, m*(a^2 + c^2)/3, m*(a^2 + b^2)/3) at (0, 0, 0) in B\n"
                      "gravity (0, 0, -9.81)\ninitial z = 0.6\ninitial x' = 1\ninitial Q.wx = 3\n"
                      "initial Q.wy = 1\ninitial Q.wz = 2\nrun 0 .. 2\nmethod moreau\n");
  for (int i = 0; i < 8; i++)
    end += sprintf(end,
                   "point P%d = (%d*a, %d*b, %d*c) in B\n"
                   "constraint c%d: pos(P%d).z >= 0 with restitution 0.3\n",
                   i, i & 4 ? 1 : -1, i & 2 ? 1 : -1, i & 1 ? 1 : -1, i, i);
  bench b = bench_text(text);
  walk_track* t = bench_run(&b, 0, 0, NULL);
  CHECK(t && t->status == WALK_DONE);
  const double z = t ? bench_value(t, t->table.rows - 1, "z") : NAN;
  CHECK_NEAR(fmin(fabs(z - 0.1), fmin(fabs(z - 0.15), fabs(z - 0.2))), 0, 2e-3);
  walk_track_free(t);
  bench_free(&b);
}
