// Constraints that can let go: which of them act, impacts, rest, friction.
#include "bench.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

static walk_track* run_text(bench* b, const char* text)
{
  *b = bench_text(text);
  return bench_run(b, 1e-12, 0, NULL);
}

static double end_of(const char* text, const char* column)
{
  bench b;
  walk_track* t = run_text(&b, text);
  const double value = t ? bench_value(t, t->table.rows - 1, column) : NAN;
  if (t && t->status != WALK_DONE) check_fail(__FILE__, __LINE__, "ends with: %s", t->reason);
  walk_track_free(t);
  bench_free(&b);
  return value;
}

// the i-th happening has this name and time
static void happens(const walk_track* t, int i, const char* name, double when, double allowed)
{
  if (!t || i >= t->happenings) {
    check_fail(__FILE__, __LINE__, "`%s` does not happen", name);
    return;
  }
  CHECK_TEXT(walk_happening_name(t, &t->happening[i]), name);
  CHECK_NEAR(t->happening[i].t, when, allowed);
}

// ---- which ones act -----------------------------------------------------------------------------

#define CORNER(ANGLE)                                                                \
  "param b = " ANGLE "*pi/180, c = 40*pi/180\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n" \
  "force x = 10*cos(b)\nforce y = 10*sin(b)\nconstraint floor: y >= 0\n"             \
  "constraint wall: x*sin(c) - y*cos(c) >= 0\nrun 0 .. 1\n"

TEST(in_a_corner_the_least_constraint_chooses)
{
  CHECK_NEAR(end_of(CORNER("-30"), "reaction.floor"), 5, 1e-12);
  CHECK_NEAR(end_of(CORNER("-30"), "reaction.wall"), 0, 0);
  CHECK_NEAR(end_of(CORNER("-110"), "reaction.floor"), 13.4729635533386, 1e-11);
  CHECK_NEAR(end_of(CORNER("-110"), "reaction.wall"), 5.32088886237956, 1e-11);
  CHECK_NEAR(end_of(CORNER("20"), "x"), 5 * cos(20 * acos(-1) / 180), 1e-11);
}

TEST(at_most_gives_a_reaction_that_is_not_positive)
{
  CHECK_NEAR(end_of("coord x\nkinetic x'^2/2\nforce x = 4\nconstraint c: x <= 0\nrun 0 .. 1\n",
                    "reaction.c"),
             -4, 1e-13);
}

TEST(a_table_on_four_legs_shares_its_load_and_tips_in_time)
{
  const char* text = "coord z, a, b\nkinetic z'^2/2 + a'^2/4 + b'^2/4\nforce z = -9.81\n"
                     "force a = 3*t\nconstraint l1: z + a + b >= 0\nconstraint l2: z + a - b >= 0\n"
                     "constraint l3: z - a + b >= 0\nconstraint l4: z - a - b >= 0\n";
  char still[600], tips[600];
  snprintf(still, sizeof still, "%srun 0 .. 1\n", text);
  snprintf(tips, sizeof tips, "%srun 0 .. 4\n", text);
  CHECK_NEAR(end_of(still, "reaction.l1"), 9.81 / 4 - 0.75, 1e-11);
  CHECK_NEAR(end_of(still, "reaction.l4"), 9.81 / 4 + 0.75, 1e-11);
  bench b;
  walk_track* t = run_text(&b, tips);
  happens(t, 0, "loosening of l1", 9.81 / 3, 1e-13);
  walk_track_free(t);
  bench_free(&b);
}

// legs at (+-1, 0) and (0, +-1): it tips where |a| + |b| of the torques is the weight
TEST(a_table_tips_over_an_edge_at_the_instant_of_the_torque)
{
  bench b;
  walk_track* t = run_text(&b, "coord z, a, b\nkinetic z'^2/2 + a'^2/4 + b'^2/4\nforce z = -9.81\n"
                               "force a = 9*sin(t)\nforce b = 3*sin(t)\nconstraint l1: z + a >= 0\n"
                               "constraint l2: z - a >= 0\nconstraint l3: z + b >= 0\n"
                               "constraint l4: z - b >= 0\nrun 0 .. 1.2\n");
  happens(t, 0, "loosening of l1", asin(9.81 / 12), 1e-13);
  happens(t, 1, "loosening of l3", asin(9.81 / 12), 1e-13);
  walk_track_free(t);
  bench_free(&b);
}

// On six legs around it stands as long as the load lies within the hexagon; then four lift at once,
// and the two of one edge stay.
TEST(a_table_on_six_legs_tips_over_two_of_them)
{
  bench b;
  walk_track* t = run_text(
      &b, "coord z, a, b\nparam c = 1/2, s = sqrt(3)/2\nkinetic z'^2/2 + (a'^2 + b'^2)/4\n"
          "force z = -10\nforce a = 4*t*cos(0.3)\nforce b = 4*t*sin(0.3)\n"
          "constraint c0: z + a >= 0\nconstraint c1: z + a*c + b*s >= 0\n"
          "constraint c2: z - a*c + b*s >= 0\nconstraint c3: z - a >= 0\n"
          "constraint c4: z - a*c - b*s >= 0\nconstraint c5: z + a*c - b*s >= 0\nrun 0 .. 3\n");
  const double pi = acos(-1), when = 10 * cos(pi / 6) / cos(pi / 6 - 0.3) / 4;
  static const char* const lifted[] = {"loosening of c0", "loosening of c1", "loosening of c2",
                                       "loosening of c5"};
  CHECK(t && t->happenings == 4);
  for (int i = 0; i < 4; i++) happens(t, i, lifted[i], when, 1e-12);
  walk_track_free(t);
  bench_free(&b);
}

TEST(an_acceleration_can_be_limited)
{
  bench b;
  walk_track* t = run_text(
      &b, "coord x\nkinetic x'^2/2\nforce x = 3*sin(t)\nconstraint c: x'' <= 1\nrun 0 .. 3\n");
  happens(t, 0, "engagement of c", asin(1.0 / 3), 1e-11);
  happens(t, 1, "loosening of c", acos(-1) - asin(1.0 / 3), 1e-11);
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_released_inequality_does_not_act_and_an_imposed_one_does)
{
  const char* text = "coord z\nkinetic z'^2/2\nforce z = -1\nconstraint floor: z >= 0\n"
                     "stage on { until t >= 1 }\nstage off { release floor; until t >= 2 }\n"
                     "run 0 .. 2\n";
  CHECK_NEAR(end_of(text, "z"), -0.5, 1e-12);
}

TEST(a_start_beyond_the_limit_is_moved_to_it_where_it_may)
{
  CHECK_NEAR(end_of("coord z\nkinetic z'^2/2\nforce z = -1\nconstraint floor: z >= 2\n"
                    "initial z ~ 1\nrun 0 .. 1\n",
                    "z"),
             2, 1e-12);
}

// ---- impacts ------------------------------------------------------------------------------------

#define BALLS(E, LAW)                                             \
  "coord x1, x2, x3\nkinetic (x1'^2 + x2'^2 + x3'^2)/2\n"         \
  "constraint c12: x2 - x1 >= 1 with restitution " E " " LAW "\n" \
  "constraint c23: x3 - x2 >= 1 with restitution " E " " LAW "\n" \
  "initial x1 = -1\ninitial x2 = 1\ninitial x3 = 2\ninitial x1' = 1\nrun 0 .. 2\n"

TEST(three_balls_are_hit_together)
{
  CHECK_NEAR(end_of(BALLS("1", ""), "x1'"), -1.0 / 3, 1e-12);
  CHECK_NEAR(end_of(BALLS("1", ""), "x3'"), 2.0 / 3, 1e-12);
  CHECK_NEAR(end_of(BALLS("0.5", "moreau"), "x1'"), 0, 1e-12);
  CHECK_NEAR(end_of(BALLS("0", ""), "x2'"), 1.0 / 3, 1e-12);
}

TEST(impacts_that_accumulate_end_in_rest_at_their_limit)
{
  const double e = 0.7, fall = sqrt(2 / 9.81), limit = fall * (1 + e) / (1 - e);
  bench b;
  walk_track* t = run_text(&b, "coord z\nkinetic z'^2/2\nforce z = -9.81\n"
                               "constraint floor: z >= 0 with restitution 0.7\ninitial z = 1\n"
                               "run 0 .. 4\n");
  CHECK(t && t->happenings > 10);
  if (t && t->happenings) happens(t, t->happenings - 1, "rest of floor", limit, 1e-9);
  if (t) CHECK_NEAR(bench_value(t, t->table.rows - 1, "reaction.floor"), 9.81, 1e-12);
  // all of the energy went in jumps
  if (t) CHECK_NEAR(t->energy_jumps, -9.81, 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

#define ROD(E, TH)                                                                         \
  "coord y, th\nkinetic y'^2/2 + th'^2/6\npotential 9.81*y\n"                              \
  "constraint l: y - sin(th) >= 0 with restitution " E "\n"                                \
  "constraint r: y + sin(th) >= 0 with restitution " E "\ninitial y = 1\ninitial th = " TH \
  "\nrun 0 .. 3\n"

// both ends bounce together like the ball: t = sqrt(2h/g) (1 + e)/(1 - e)
TEST(a_rod_that_falls_flat_comes_to_rest_on_both_ends)
{
  bench b;
  walk_track* t = run_text(&b, ROD("0.5", "0"));
  const int last = t ? t->happenings : 0;
  happens(t, last - 2, "rest of l", 3 * sqrt(2 / 9.81), 1e-9);
  happens(t, last - 1, "rest of r", 3 * sqrt(2 / 9.81), 1e-9);
  CHECK_NEAR(t ? bench_value(t, t->table.rows - 1, "reaction.l") : NAN, 9.81 / 2, 1e-12);
  walk_track_free(t);
  bench_free(&b);
}

// while one end is held the other one bounces about it: the held one has impulses, but no bounces
TEST(a_rod_that_rocks_comes_to_rest)
{
  CHECK_NEAR(end_of(ROD("0.4", "0.1"), "y"), 0, 1e-12);
  CHECK_NEAR(end_of(ROD("0.4", "0.1"), "reaction.l"), 9.81 / 2, 1e-11);
  CHECK_NEAR(end_of(ROD("0.4", "0.1"), "reaction.r"), 9.81 / 2, 1e-11);
}

TEST(a_table_that_falls_comes_to_rest_on_its_legs)
{
  const char* text = "coord z, a, b\nkinetic z'^2/2 + a'^2/4 + b'^2/4\nforce z = -9.81\n"
                     "constraint l1: z + a + b >= 0 with restitution 0.5\n"
                     "constraint l2: z + a - b >= 0 with restitution 0.5\n"
                     "constraint l3: z - a + b >= 0 with restitution 0.5\n"
                     "constraint l4: z - a - b >= 0 with restitution 0.5\n"
                     "initial z = 0.5\ninitial a = 0.05\ninitial b = -0.02\nrun 0 .. 5\n";
  CHECK_NEAR(end_of(text, "z"), 0, 1e-12);
  CHECK_NEAR(end_of(text, "reaction.l1"), 9.81 / 4, 1e-11);
  CHECK_NEAR(end_of(text, "reaction.l4"), 9.81 / 4, 1e-11);
}

TEST(walls_that_close_end_the_run_where_they_meet)
{
  bench b;
  walk_track* t =
      run_text(&b, "coord x\nkinetic x'^2/2\nconstraint a: x >= t with restitution 0.5\n"
                   "constraint b: x <= 1 - t with restitution 0.5\ninitial x = 0.4\n"
                   "run 0 .. 1\n");
  CHECK(t && t->status == WALK_UNFINISHED);
  CHECK(t && !strncmp(t->reason, "at t = 0.5:", 11));
  CHECK_NEAR(t ? t->table.value[(t->table.rows - 1) * t->table.width] : NAN, 0.5, 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

// thrown up at 0.1 from the floor, back at 0.1 + 2/9.81
TEST(what_rests_can_be_thrown_up_by_an_event)
{
  bench b;
  walk_track* t = run_text(&b, "coord h\nkinetic h'^2/2\npotential 9.81*h\nconstraint f: h >= 0\n"
                               "event e: t = 0.1 { set h' = 1 }\nrun 0 .. 1\noutput hh = h\n");
  happens(t, 0, "e", 0.1, 1e-12);
  happens(t, 1, "loosening of f", 0.1, 1e-12);
  happens(t, 2, "engagement of f", 0.1 + 2 / 9.81, 1e-11);
  CHECK(t && t->status == WALK_DONE);
  walk_track_free(t);
  bench_free(&b);
}

TEST(an_elastic_ball_keeps_bouncing)
{
  // a bounce every 2 sqrt(2 h/g): h = 1 at the whole multiples of it
  const double period = 2 * sqrt(2 / 9.81);
  char text[300];
  snprintf(text, sizeof text,
           "coord z\nkinetic z'^2/2\nforce z = -9.81\nconstraint floor: z >= 0 with restitution 1\n"
           "initial z = 1\nrun 0 .. %.17g\n",
           20 * period);
  CHECK_NEAR(end_of(text, "z"), 1, 1e-9);
}

TEST(a_moving_wall_throws_a_ball_that_rests_on_it)
{
  // the wall moves with speed 1 towards a ball at rest: it leaves with twice that
  CHECK_NEAR(end_of("coord x\nkinetic x'^2/2\nconstraint wall: x - t >= 0 with restitution 1\n"
                    "initial x = 1\nrun 0 .. 3\n",
                    "x'"),
             2, 1e-12);
}

// ---- friction -----------------------------------------------------------------------------------

TEST(an_impact_on_a_rough_floor_takes_speed_along_it)
{
  const double fall = sqrt(2 * 9.81);
  const char* text = "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -9.81\n"
                     "constraint floor: y >= 0 with friction 0.3\ninitial y = 1\ninitial x' = 3\n"
                     "run 0 .. 0.5\n";
  const double t = 0.5 - fall / 9.81;
  CHECK_NEAR(end_of(text, "x'"), 3 - 0.3 * fall - 0.3 * 9.81 * t, 1e-9);
}

#define BOX(MU)                                                                           \
  "param w = 0.5, h = 1, mu = " MU "\ncoord x, y, q\n"                                    \
  "frame B = world at (x, y, 0) rotated z(q)\n"                                           \
  "body box mass 1 inertia (0, 0, 5/12) at (0, 0, 0) in B\npoint L = (-w, -h, 0) in B\n"  \
  "point R = (w, -h, 0) in B\ngravity (0, -9.81, 0)\nforce (4*t, 0, 0) in world at box\n" \
  "constraint left: pos(L).y >= 0 with friction mu\n"                                     \
  "constraint right: pos(R).y >= 0 with friction mu\ninitial y = h\n"

TEST(a_pushed_box_tips_where_it_does_not_slide)
{
  bench b;
  walk_track* t = run_text(&b, BOX("0.6") "run 0 .. 1.5\n");
  happens(t, 0, "loosening of left", 9.81 * 0.5 / 4, 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_pushed_box_slides_where_the_floor_is_smooth_enough)
{
  // from 4 t = mu g on: x'' = 4 t - mu g
  const double mu = 0.3, from = mu * 9.81 / 4;
  CHECK_NEAR(end_of(BOX("0.3") "run 0 .. 1\n", "x'"), 2 * pow(1 - from, 2), 1e-9);
}

TEST(a_block_on_a_moving_belt_sticks_and_slips)
{
  // the belt drags with mu g until the block has its speed
  const char* text = "param v = 0.5\ncoord x, y\nframe belt = world at (v*t, 0, 0)\n"
                     "particle P mass 2 = (x, y, 0) in world\ngravity (0, -9.81, 0)\n"
                     "constraint floor: pos(P, belt).y >= 0 with friction 0.2\nrun 0 .. 1\n";
  const double until = 0.5 / (0.2 * 9.81);
  CHECK_NEAR(end_of(text, "x'"), 0.5, 1e-11);
  CHECK_NEAR(end_of(text, "x"), 0.5 * until / 2 + 0.5 * (1 - until), 1e-10);
}

// Bodies on floors that know nothing of each other. A param of one changes at an instant: that one
// lifts off, the others stay, whichever it is.
TEST(a_param_that_changes_lifts_the_body_whose_weight_it_is)
{
  for (int which = 0; which < 3; which++)
    for (int stage = 0; stage < 2; stage++) {
      char text[700];
      int at = 0;
      for (int k = 0; k < 3; k++)
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "param g%d = 1\ncoord z%d\nkinetic z%d'^2/2\npotential g%d*z%d\n"
                       "constraint floor%d: z%d >= 0\n",
                       k, k, k, k, k, k, k);
      snprintf(text + at, sizeof text - (size_t)at,
               stage ? "stage a { until t >= 0.5 }\nstage b { set g%d = -1; until t >= 1 }\n"
                     : "event up: t = 0.5 rising { set g%d = -1 }\nrun 0 .. 1\n",
               which);
      bench b = bench_text(text);
      const double end[1] = {1};
      walk_track* t = bench_run(&b, 1e-11, 1, end);
      CHECK(t && t->status == WALK_DONE);
      for (int k = 0; t && k < 3; k++) {
        char name[16];
        snprintf(name, sizeof name, "z%d", k);
        CHECK_NEAR(bench_value(t, 0, name), k == which ? 0.125 : 0, 1e-10);
      }
      walk_track_free(t);
      bench_free(&b);
    }
}

// max(y, x - 1) >= 0: ground up to x = 1, and nothing beyond
TEST(a_body_leaves_where_its_inequality_bends_away)
{
  const double at[] = {0.5, 1.5};
  bench b = bench_text("coord x, y\nparticle p mass 1 = (x, y, 0) in world\n"
                       "gravity (0, -10, 0)\nconstraint ground: max(y, x - 1) >= 0\n"
                       "initial x' = 1\nrun 0 .. 2\n");
  walk_track* t = bench_run(&b, 1e-10, 2, at);
  CHECK_INT(t->status, WALK_DONE);
  CHECK_NEAR(bench_value(t, 0, "y"), 0, 0);
  CHECK_NEAR(bench_value(t, 1, "x"), 1.5, 1e-12);
  CHECK_NEAR(bench_value(t, 1, "y"), -10 * 0.25 / 2, 1e-12);
  CHECK_NEAR(t->energy_balance, 0, 1e-12);
  walk_track_free(t);
  bench_free(&b);
}

// min(y, x + 1) >= 0 is a floor and a wall: in its corner both press
TEST(both_of_the_least_hold_at_its_corner)
{
  const double at[] = {2};
  bench b = bench_text("coord x, y\nparticle p mass 1 = (x, y, 0) in world\n"
                       "gravity (-3, -10, 0)\nconstraint corner: min(y, x + 1) >= 0\n"
                       "initial x' = -1\noutput N = reaction(corner)\nrun 0 .. 2\n");
  walk_track* t = bench_run(&b, 1e-10, 1, at);
  CHECK_INT(t->status, WALK_DONE);
  CHECK_NEAR(bench_value(t, 0, "x"), -1, 1e-12);
  CHECK_NEAR(bench_value(t, 0, "y"), 0, 1e-12);
  CHECK_NEAR(bench_value(t, 0, "N"), 13, 1e-12);
  CHECK_NEAR(bench_value(t, 0, "reaction.corner.2"), 3, 1e-12);
  walk_track_free(t);
  bench_free(&b);
}

// a block that slides to rest, then a ball that bounces to rest: all of the energy is theirs
TEST(contacts_tell_what_they_have_taken)
{
  const double at[] = {0.1, 1, 3};
  bench b = bench_text("coord x, y\nparticle p mass 2 = (x, y, 0) in world\n"
                       "gravity (0, -10, 0)\nconstraint f: pos(p).y >= 0 with friction 0.2\n"
                       "initial x' = 3\noutput lost = loss(f)\nrun 0 .. 3\n");
  walk_track* t = bench_run(&b, 1e-11, 3, at);
  CHECK_NEAR(bench_value(t, 0, "lost"), 4 * (3 * 0.1 - 0.01), 1e-10);
  CHECK_NEAR(bench_value(t, 1, "lost"), 4 * (3 - 1), 1e-10);
  CHECK_NEAR(bench_value(t, 2, "lost"), 9, 1e-9);
  walk_track_free(t);
  bench_free(&b);
  b = bench_text("coord x, y\nparticle p mass 2 = (x, y, 0) in world\ngravity (0, -10, 0)\n"
                 "constraint f: pos(p).y >= 0 with friction 0.1 with restitution 0.5\n"
                 "initial y = 0.2\ninitial x' = 3\noutput lost = loss(f)\n"
                 "output had = 2*10*0.2 + 9 - (x'^2 + y'^2 + 20*y)\nrun 0 .. 3\n");
  const double then[] = {0.1, 0.3, 0.5, 0.7, 2};
  t = bench_run(&b, 1e-11, 5, then);
  CHECK_INT(t->status, WALK_DONE);
  CHECK_NEAR(bench_value(t, 0, "lost"), 0, 1e-12);
  for (int i = 0; i < 5; i++)
    CHECK_NEAR(bench_value(t, i, "lost"), bench_value(t, i, "had"), 1e-13);
  walk_track_free(t);
  bench_free(&b);
}

// a ball thrown up leaves the floor, in whatever units the gap is written
TEST(units_of_an_inequality_do_not_matter)
{
  for (int k = -12; k <= 12; k += 3) {
    char text[300];
    snprintf(text, sizeof text,
             "coord y\nkinetic y'^2/2\nforce y = -10\nconstraint floor: 1e%d*y >= 0\n"
             "initial y = 0\ninitial y' = 1\nrun 0 .. 0.3\n",
             k);
    bench b = bench_text(text);
    const double at[] = {0.1, 0.3};
    walk_track* t = bench_run(&b, 1e-12, 2, at);
    CHECK(t && t->status == WALK_DONE);
    if (t) {
      CHECK_NEAR(bench_value(t, 0, "y"), 0.05, 1e-13);
      // it comes down after 0.2, and stays
      CHECK_NEAR(bench_value(t, 1, "y"), 0, 1e-13);
      CHECK_NEAR(bench_value(t, 1, "y'"), 0, 1e-13);
    }
    walk_track_free(t);
    bench_free(&b);
  }
}
