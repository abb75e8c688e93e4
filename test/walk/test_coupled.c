// Forces that depend on reactions, controls of servo constraints, and accelerations under
// constraints nonlinear in them.
#include "bench.h"

#include "check.h"
#include "contact/contact.h"

#include <stdio.h>

static bool noted(const bench* b, const char* words)
{
  for (int i = 0; i < base_notes_count(b->notes); i++)
    if (strstr(base_notes_reason(b->notes, i), words)) return true;
  return false;
}

// the model is refused at its start, with these words among the reasons
static void refused(const char* text, const char* words)
{
  bench b = bench_text(text);
  walk_options o = walk_options_default();
  walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
  if (t || !noted(&b, words))
    check_fail(__FILE__, __LINE__, "not refused with `%s`: %s", words, text);
  walk_track_free(t);
  bench_free(&b);
}

// the last value of a column
static double end_of(const char* text, const char* column)
{
  bench b = bench_text(text);
  walk_track* t = bench_run(&b, 1e-12, 0, NULL);
  const double value = t ? bench_value(t, t->table.rows - 1, column) : NAN;
  if (t && t->status != WALK_DONE) check_fail(__FILE__, __LINE__, "ends with: %s", t->reason);
  walk_track_free(t);
  bench_free(&b);
  return value;
}

TEST(every_form_agrees_where_the_problem_is_not_linear)
{
  static const char* const names[] = {"crane_modulus",    "crane_jump",       "central_modulus",
                                      "block_on_incline", "skater_dry_blade", "servo_two_masses"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    bench b = bench_file(names[i]);
    study_verdict* v = b.system ? study_verify(b.system, 200, b.notes) : NULL;
    CHECK(v != NULL);
    if (v && (!v->agrees || !v->least || v->states < 150))
      check_fail(__FILE__, __LINE__, "%s: agrees %d, least %d, %d states", names[i], v->agrees,
                 v->least, v->states);
    study_verdict_free(v);
    bench_free(&b);
  }
}

// ---- resistance ---------------------------------------------------------------------------------

// A bead on a wire that is a circle, with friction mu |N|: v v_s = -mu sqrt(v^4/R^2), so that
// v = v0 exp(-mu phi) without gravity.
TEST(friction_of_a_bead_on_a_ring_takes_its_speed_exponentially)
{
  const char* text = "param R = 0.5, mu = 0.2\ncoord x, y\nparticle P mass 3 = (x, y, 0) in world\n"
                     "quasi v = (x*y' - y*x')/R\n"
                     "constraint ring: x^2 + y^2 = R^2\n"
                     "resist ring = -mu*2*R*abs(reaction(ring))*sign(v) along v\n"
                     "initial x = 0.5\ninitial y' = 2\nevent turn: y = 0 falling stop\nrun 0 .. 9\n"
                     "output speed = v\n";
  bench b = bench_text(text);
  walk_track* t = bench_run(&b, 1e-12, 0, NULL);
  CHECK(t && t->status == WALK_STOPPED);
  // half a turn: phi = pi; |grad f| = 2 R
  if (t) CHECK_NEAR(bench_value(t, t->table.rows - 1, "speed"), 2 * exp(-0.2 * acos(-1)), 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_block_sticks_until_the_pull_exceeds_the_friction_its_weight_allows)
{
  // N = 10 - 2 t, pull = 3 t: it slips where 3 t = 0.5 (10 - 2 t), t = 1.25
  const char* text = "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 3*t\nforce y = -10 + 2*t\n"
                     "constraint floor: y = 0\n"
                     "resist floor = -0.5*abs(reaction(floor))*sign(x') along x\nrun 0 .. 2\n";
  // x'' = 3 t - 0.5 (10 - 2 t) = 4 t - 5 behind 1.25: x' = 2 (t - 1.25)^2
  CHECK_NEAR(end_of(text, "x'"), 2 * 0.75 * 0.75, 1e-10);
  CHECK_NEAR(end_of(text, "x"), 2.0 / 3 * 0.75 * 0.75 * 0.75, 1e-10);
}

TEST(a_resistance_ends_with_its_constraint)
{
  const char* text = "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint rail: y = 0\n"
                     "resist rail = -x' along x\ninitial x' = 1\n"
                     "stage on { until t >= 1 }\nstage off { release rail }\nrun 0 .. 3\n";
  CHECK_NEAR(end_of(text, "x'"), exp(-1), 1e-11);
}

TEST(many_contacts_of_their_own_are_decided_apart_from_each_other)
{
  // twelve blocks, every second one pressed against its rail from the other side
  char text[4000];
  int at = snprintf(text, sizeof text, "run 0 .. 1\ntolerance 1e-8\n");
  for (int i = 1; i <= 12; i++)
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "coord x%d, y%d\nkinetic (x%d'^2 + y%d'^2)/2\nforce y%d = %d\n"
                   "constraint c%d: y%d = 0\ninitial x%d' = %d\n"
                   "resist c%d = -0.3*abs(reaction(c%d))*sign(x%d') along x%d\n",
                   i, i, i, i, i, i % 2 ? -10 : 10, i, i, i, i + 4, i, i, i, i);
  CHECK_NEAR(end_of(text, "x11'"), 15 - 3, 1e-9);
  CHECK_NEAR(end_of(text, "x12'"), 16 - 3, 1e-9);
}

TEST(friction_of_the_resultant_of_two_reactions)
{
  // on a straight rail the pressure is hypot of both reactions: 0.5*hypot(3, 4)
  const char* text = "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce y = -3\nforce z = 4\n"
                     "constraint a: y = 0\nconstraint b: z = 0\n"
                     "resist a = -0.5*hypot(reaction(a), reaction(b))*sign(x') along x\n"
                     "initial x' = 4\nrun 0 .. 1\n";
  CHECK_NEAR(end_of(text, "x'"), 4 - 2.5, 1e-11);
}

TEST(friction_of_a_reaction_that_is_not_determined_is_refused)
{
  refused("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -10\nconstraint a: y = 0\n"
          "constraint b: 2*y = 0\nresist a = -0.3*abs(reaction(a))*sign(x') along x\n"
          "initial x' = 1\nrun 0 .. 1\n",
          "which is not determined");
}

// A rod of mass 1 and half length 1 whose lower end slides along a rough guide, after Painleve:
// with N along the normal the end would accelerate by b + N (1 + 3 cos^2 - 3 mu sin cos), so for
// large mu the pressure that keeps it on the guide does not exist, or there are two.
#define ROD(TURN, EXTRA)                                                \
  "param mu = 3, g = 9.81\ncoord x, y, q\n"                             \
  "frame F = world at (x, y, 0) rotated z(q)\n"                         \
  "rod R mass 1 from (0, 0, 0) to (2, 0, 0) in F\ngravity (0, -g, 0)\n" \
  "constraint guide: y = 0\n"                                           \
  "resist guide = -mu*abs(reaction(guide))*sign(x') along x\n"          \
  "initial q = 0.9\ninitial x' = -1\ninitial q' = " TURN "\nrun 0 .. 0.01\n" EXTRA

TEST(no_motion_exists_in_painleves_rod_pressed_down)
{
  refused(ROD("0", ""), "does not exist");
}

TEST(painleves_rod_thrown_up_has_more_than_one_motion)
{
  bench b = bench_text(ROD("9", ""));
  walk_options o = walk_options_default();
  walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
  CHECK(noted(&b, "more than one motion"));
  walk_track_free(t);
  bench_free(&b);
}

// ---- controls -----------------------------------------------------------------------------------

TEST(a_control_along_another_coordinate_holds_a_pendulum)
{
  // a cart accelerated so that its pendulum stays at 0.3 rad: x'' = g tan 0.3
  const char* text = "param m = 1, M = 2, g = 9.81\ncoord x, q\nframe cart = world at (x, 0, 0)\n"
                     "body C mass M inertia (1, 1, 1) at (0, 0, 0) in cart\n"
                     "frame arm = cart rotated z(q)\nparticle P mass m = (0, 1, 0) in arm\n"
                     "gravity (0, -g, 0)\nconstraint lean: q = 0.3 by x\ninitial q ~ 0.3\n"
                     "run 0 .. 1\n";
  CHECK_NEAR(end_of(text, "x'"), -9.81 * tan(0.3), 1e-10);
  CHECK_NEAR(end_of(text, "control.lean"), -3 * 9.81 * tan(0.3), 1e-9);
}

TEST(two_controls_that_reach_their_constraints_together)
{
  // polar robot: r = 1 + t/2, phi = t^2 by a force along r and a torque along phi
  const char* text = "coord r, phi\nkinetic (r'^2 + r^2*phi'^2)/2\n"
                     "constraint a: r = 1 + t/2 by r\nconstraint b: phi = t^2 by phi\n"
                     "initial r ~ 1\nrun 0 .. 2\n";
  CHECK_NEAR(end_of(text, "control.a"), -2 * 16, 1e-9);
  CHECK_NEAR(end_of(text, "control.b"), 4 * 2 + 2 * 2 * 0.5 * 4, 1e-9);
}

TEST(a_chain_of_three_masses_has_index_seven)
{
  bench b = bench_text("coord x1, x2, x3\nkinetic (x1'^2 + x2'^2 + x3'^2)/2\n"
                       "potential 10*((x1 - x2)^2 + (x2 - x3)^2)\n"
                       "constraint path: x3 = sin(t) by x1\nrun 0 .. 1\n");
  CHECK(b.system && b.system->role[0].index == 7);
  const double at[] = {0.7};
  walk_track* t = bench_run(&b, 1e-12, 1, at);
  // x2 = y + y''/20, x1 = x2 + (x2'' + 20 (x2 - x3))/20, u = x1'' + x2'' + x3''
  const double y = sin(0.7), x2 = 0.95 * y, x1 = x2 + (-x2 + 20 * (x2 - y)) / 20;
  CHECK_NEAR(bench_value(t, 0, "x1"), x1, 1e-11);
  CHECK_NEAR(bench_value(t, 0, "control.path"), -(x1 + x2 + y), 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_crane_leads_its_load_through_the_place_below_the_trolley)
{
  // (x - xt)/y = x''/(y'' - g): the rope points along the force on the load; index 5, and the
  // trolley has no influence on the place of the load where the rope hangs straight down
  bench b = bench_text("param mt = 3, m = 1, J = 0.1, g = 9.81\ncoord xt, r, x, y\n"
                       "kinetic mt/2*xt'^2 + m/2*(x'^2 + y'^2) + J/2*r'^2\npotential -m*g*y\n"
                       "constraint rope: (x - xt)^2 + y^2 = r^2\n"
                       "constraint px: x = 0.3*sin(t) by xt\n"
                       "constraint py: y = 2 - 0.2*(1 - cos(t)) by r\n"
                       "initial r ~ 2\ninitial y ~ 2\nrun 0 .. 4\n");
  CHECK(b.system && b.system->role[2].index == 5);
  const double at[] = {0, 2};
  walk_track* t = bench_run(&b, 1e-12, 2, at);
  CHECK(t && t->status == WALK_DONE);
  for (int i = 0; t && i < 2; i++) {
    const double x = 0.3 * sin(at[i]), y = 2 - 0.2 * (1 - cos(at[i]));
    const double xt = x - y * -x / (-0.2 * cos(at[i]) - 9.81);
    CHECK_NEAR(bench_value(t, i, "xt"), xt, 1e-10);
    CHECK_NEAR(bench_value(t, i, "r"), hypot(x - xt, y), 1e-10);
  }
  walk_track_free(t);
  bench_free(&b);
}

// which constraints lead the crane at a place of its trolley, a bit each; two blocks that friction
// holds stand beside it or not
static int leads_at(bool blocks, double xt)
{
  char text[600];
  snprintf(text, sizeof text,
           "param mt = 3, m = 1, J = 0.1, g = 9.81\ncoord xt, r, x, y%s\n"
           "kinetic mt/2*xt'^2 + m/2*(x'^2 + y'^2) + J/2*r'^2%s\npotential -m*g*y\n"
           "constraint rope: (x - xt)^2 + y^2 = r^2\nconstraint px: x = 0.3*sin(t) by xt\n"
           "constraint py: y = 2 - 0.2*(1 - cos(t)) by r\ninitial r ~ 2\ninitial y ~ 2\n%s",
           blocks ? ", a, b" : "", blocks ? " + a'^2 + b'^2/2 + a'*b'/3" : "",
           blocks ? "force a = -5*sign(a')\nforce b = -3*sign(b' + a'/7)\n" : "");
  bench b = bench_text(text);
  engine* e = b.system ? contact_engine_new_leaps(b.system, false, b.notes) : NULL;
  int leads = 0;
  CHECK(e && !e->parts);
  if (e) {
    const double q[6] = {xt, hypot(xt, 2), 0, 2}, v[6] = {0};
    CHECK_INT(e->program->modes.count, blocks ? 2 : 0);
    for (int i = 0; i < e->program->modes.count; i++) e->mode.held[i] = true;
    e->mode.held_count = e->program->modes.count;
    engine_state(e, 0, q, v);
    memset(e->mode.leads, 0, (size_t)e->m);
    engine_control_rows(e);
    for (int k = 0; k < e->m; k++) leads |= e->mode.leads[k] << k;
  }
  engine_free(e);
  bench_free(&b);
  return leads;
}

TEST(what_friction_holds_beside_a_crane_does_not_change_what_leads_it)
{
  CHECK(leads_at(false, 0) && leads_at(false, 0) != leads_at(false, 2));
  for (int k = -4; k <= 4; k++) CHECK_INT(leads_at(true, k), leads_at(false, k));
}

TEST(a_sleigh_is_led_along_a_path_by_a_push_and_a_turn)
{
  // the blade points along the path: tan th = y'/x'; its direction follows from the velocities
  const char* text = "coord x, y\ncoord th\nframe S = world at (x, y, 0) rotated z(th)\n"
                     "body B mass 2 inertia (1, 1, 0.5) at (0.3, 0, 0) in S\n"
                     "quasi u = x'*cos(th) + y'*sin(th)\nconstraint blade: vel(S, S).y = 0\n"
                     "constraint px: x = t by u\nconstraint py: y = 0.3*sin(t) by th\n"
                     "initial x' ~ 1\ninitial th ~ 0.3\nrun 0 .. 5\n";
  CHECK_NEAR(end_of(text, "th"), atan(0.3 * cos(5)), 1e-10);
}

TEST(a_control_imposed_on_a_motion_strikes_along_its_own_direction)
{
  // a blow on the cart: m (q'+ - q') + m cos q (x'+ - x') = 0 stays for the pendulum
  const char* text = "coord x, q\nkinetic 3/2*x'^2 + q'^2/2 + x'*q'*cos(q)\n"
                     "constraint lean: q' = 0.5 by x\ninitial q = 0.4\ninitial x' = 1\n"
                     "initial q' = 0.2\nevent go: t = 0.5 { impose lean }\n"
                     "run 0 .. 0.5\noutput p = q' + x'*cos(q)\n";
  bench b = bench_text(text);
  walk_track* t = bench_run(&b, 1e-12, 0, NULL);
  CHECK(t && t->status == WALK_DONE && t->table.rows > 2);
  const int last = t ? t->table.rows - 1 : 0;
  if (t) {
    int before = last;
    while (before > 0 && bench_value(t, before, "t") >= 0.5 - 1e-9 &&
           bench_value(t, before, "q'") == 0.5)
      before--;
    CHECK_NEAR(bench_value(t, last, "q'"), 0.5, 1e-12);
    CHECK_NEAR(bench_value(t, last, "p"), bench_value(t, before, "p"), 1e-9);
  }
  walk_track_free(t);
  bench_free(&b);
}

TEST(what_is_hidden_needs_the_constraints_it_was_derived_with)
{
  refused("coord x1, x2, y\nkinetic (x1'^2 + x2'^2 + y'^2)/2 + x2'*y'/2\n"
          "potential 25*(x1 - x2)^2 + x2*y\n"
          "constraint c: x2 = 0 by x1\nconstraint rail: y = 0\n"
          "stage a { until t >= 1 }\nstage b { impose rail; until t >= 2 }\n",
          "is known only where it holds");
}

TEST(a_blow_that_no_control_can_give_is_refused)
{
  bench b = bench_text("coord x1, x2\nkinetic x1'^2 + x2'^2/2\npotential 25*(x1 - x2)^2\n"
                       "constraint c: x2 = 1 + 0.3*(t - 1) by x1\ninitial x1 = 1\n"
                       "initial x2 = 1\nstage a { until t >= 1 }\n"
                       "stage b { impose c; until t >= 2 }\n");
  walk_options o = walk_options_default();
  walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
  CHECK(t && t->status == WALK_UNFINISHED && noted(&b, "no impulse of its control"));
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_configuration_where_the_control_loses_its_influence_ends_the_run)
{
  // the torque on an arm moves its end up; at q = pi/2 the end moves sideways only
  bench b = bench_text("coord q, y\nkinetic (q'^2 + y'^2)/2\nconstraint rope: y = sin(q)\n"
                       "constraint lift: y = t by q\nrun 0 .. 2\n");
  walk_options o = walk_options_default();
  walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
  CHECK(t && t->status == WALK_UNFINISHED);
  if (t) CHECK_NEAR(t->t_reached, 1, 1e-6);
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_control_that_can_do_nothing_is_refused)
{
  bench b =
      bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: y = t by x\nrun 0 .. 1\n");
  CHECK(!b.system && noted(&b, "no influence"));
  bench_free(&b);
}

// ---- nonlinear accelerations --------------------------------------------------------------------

TEST(constraints_without_accelerations_are_told)
{
  refused("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x''^2 + y''^2 = -1\nrun 0 .. 1\n",
          "no accelerations satisfy");
}

TEST(least_accelerations_that_are_not_unique_are_told)
{
  refused("coord x, y\nkinetic (3*x'^2 + y'^2)/2\nforce x = 1\n"
          "constraint c: x''^2 + y''^2 = 1.44\nrun 0 .. 1\n",
          "at 2 different accelerations (`y''` =");
  refused("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce z = -9.81\n"
          "constraint c: z''^2 = 0.49*(x''^2 + y''^2)\nrun 0 .. 1\n",
          "continuum");
}

TEST(a_cone_of_accelerations_is_met_on_the_right_side)
{
  const char* text = "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce x = 0.5\n"
                     "force z = -9.81\nconstraint c: z''^2 = 0.49*(x''^2 + y''^2)\nrun 0 .. 1\n";
  CHECK_NEAR(end_of(text, "x'"), 4.944295302013423, 1e-11);
  CHECK_NEAR(end_of(text, "z'"), -3.461006711409396, 1e-11);
}

TEST(a_set_of_accelerations_that_becomes_empty_ends_the_run_there)
{
  bench b = bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 1\n"
                       "constraint c: x''^2 + 2*y''^2 = 1 - t\nrun 0 .. 2\n");
  walk_options o = walk_options_default();
  walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
  CHECK(t && t->status == WALK_UNFINISHED);
  if (t) CHECK_NEAR(t->t_reached, 1, 1e-9);
  if (t) CHECK(strstr(t->reason, "no accelerations satisfy"));
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_branch_that_ends_is_left_for_another)
{
  // two circles of accelerations, the nearer one shrinks and is gone at t = 1/0.9
  bench b = bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 0.5\n"
                       "constraint c: (x''^2 + y''^2 - 1 + 0.9*t)*((x'' - 5)^2 + y''^2 - 1) = 0\n"
                       "run 1.05 .. 1.2\n");
  const double at[] = {1.2};
  walk_track* t = bench_run(&b, 1e-10, 1, at);
  CHECK(t && t->happenings == 1);
  if (t && t->happenings == 1) CHECK_NEAR(t->happening[0].t, 1 / 0.9, 1e-8);
  // before: x'' = sqrt(1 - 0.9 t), then 4
  const double before = 2.0 / 2.7 * pow(1 - 0.9 * 1.05, 1.5);
  if (t) CHECK_NEAR(bench_value(t, 0, "x'"), before + 4 * (1.2 - 1 / 0.9), 1e-7);
  walk_track_free(t);
  bench_free(&b);
}

TEST(the_norm_of_an_acceleration_can_be_given_as_it_stands)
{
  const char* head = "coord x, y\nparticle P mass 3 = (x, y, 0) in world\nforce x = -6*x\n"
                     "force y = 2 - y\ninitial x = 1\nrun 0 .. 2\n";
  char norm[400], square[400];
  snprintf(norm, sizeof norm, "%sconstraint c: norm(acc(P)) = 1.2\n", head);
  snprintf(square, sizeof square, "%sconstraint c: x''^2 + y''^2 = 1.44\n", head);
  CHECK_NEAR(end_of(norm, "x"), end_of(square, "x"), 1e-10);
}

TEST(a_linear_constraint_beside_a_nonlinear_one)
{
  // in the plane x + y + z = 0 the modulus leaves a circle; the force along (1, -1, 0) is followed
  const char* text = "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce x = 1\nforce y = -1\n"
                     "constraint plane: x + y + z = 0\nconstraint c: x''^2 + y''^2 + z''^2 = 8\n"
                     "run 0 .. 1\n";
  CHECK_NEAR(end_of(text, "x"), 1, 1e-11);
  CHECK_NEAR(end_of(text, "z"), 0, 1e-11);
}

// ---- several systems ----------------------------------------------------------------------------

// the crane that passes to another branch at 0.2021119, begun a little aside
static const char* crane(char* room, size_t size, int n, double y)
{
  snprintf(room, size,
           "coord x%d, y%d\nkinetic 3/2*x%d'^2 + y%d'^2/2\nforce x%d = -6*x%d\nforce y%d = -y%d\n"
           "constraint m%d: x%d''^2 + y%d''^2 = 1.44\ninitial x%d = 0.3\ninitial y%d = %.17g\n"
           "initial x%d' = -0.1\ninitial y%d' = -0.9\n",
           n, n, n, n, n, n, n, n, n, n, n, n, n, y, n, n);
  return room;
}

// both jump within one step, the first or the second one first
TEST(branches_of_two_systems_each_change_at_their_own_instant)
{
  static const double begin[2][2] = {{0.2, 0.2003}, {0.2003, 0.2}};
  char one[600], two[600], text[1300];
  for (int order = 0; order < 2; order++) {
    crane(one, sizeof one, 1, begin[order][0]);
    crane(two, sizeof two, 2, begin[order][1]);
    snprintf(text, sizeof text, "%s%srun 0 .. 0.5\n", one, two);
    const double together[] = {end_of(text, "y1"), end_of(text, "y2")};
    snprintf(text, sizeof text, "%srun 0 .. 0.5\n", one);
    CHECK_NEAR(together[0], end_of(text, "y1"), 1e-12);
    snprintf(text, sizeof text, "%srun 0 .. 0.5\n", two);
    CHECK_NEAR(together[1], end_of(text, "y2"), 1e-12);
  }
}

// every system that jumps is told by the name of its own constraint, two at one instant
TEST(a_jump_bears_the_name_of_its_own_constraint)
{
  char one[600], two[600], text[1300];
  snprintf(text, sizeof text, "%s%srun 0 .. 0.5\n", crane(one, sizeof one, 1, 0.2),
           crane(two, sizeof two, 2, 0.2));
  bench b = bench_text(text);
  walk_track* t = bench_run(&b, 1e-12, 0, NULL);
  CHECK(t && t->status == WALK_DONE);
  CHECK(noted(&b, "under `m1`; the acceleration jumps, `y1''`"));
  CHECK(noted(&b, "under `m2`; the acceleration jumps, `y2''`"));
  CHECK(!noted(&b, "was less already before"));
  walk_track_free(t);
  bench_free(&b);
}

// One friction whose velocity stands in two forms, roots within roots: (1 + sqrt 2)^2 = 3 + 2
// sqrt 2. With a side for each form it would be held in one equation and slide in the other.
TEST(a_friction_in_two_forms_is_one)
{
  static const char form[] = "coord x, y\nkinetic (x'^2 + y'^2)/2\n"
                             "force x = -(1 + sqrt(2))*sign(%s*x' - y') + 0.3*sin(t)\n"
                             "force y = sign((1 + sqrt(2))*x' - y')\ninitial x' = 1\nrun 0 .. 3\n";
  char one[400], two[400];
  snprintf(one, sizeof one, form, "(1 + sqrt(2))");
  snprintf(two, sizeof two, form, "sqrt(3 + 2*sqrt(2))");
  CHECK_NEAR(end_of(two, "x"), end_of(one, "x"), 1e-12);
  CHECK_NEAR(end_of(two, "y'"), (1 + sqrt(2)) * end_of(two, "x'"), 1e-12);
}
