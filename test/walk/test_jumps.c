// Impacts and changes at once, and what they meet: speed limits, constraints nonlinear in the
// velocities, events and stages whose functions jump, contacts that take turns or would be pulled.
#include "bench.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

static double value_at(const char* text, double t, const char* column, const char* ends_with)
{
  bench b = bench_text(text);
  walk_track* track = bench_run(&b, 1e-12, 1, &t);
  const double value =
      track && track->table.rows ? bench_value(track, track->table.rows - 1, column) : NAN;
  if (ends_with)
    CHECK(bench_first_error(&b) && strstr(bench_first_error(&b), ends_with));
  else
    CHECK(track && track->status == WALK_DONE);
  walk_track_free(track);
  bench_free(&b);
  return value;
}

// name and time of the i-th happening, from the end where i is negative
static void happens(const char* text, int i, const char* name, double when, double allowed)
{
  bench b = bench_text(text);
  walk_track* t = bench_run(&b, 1e-12, 0, NULL);
  const int at = t && i < 0 ? t->happenings + i : i;
  if (t && at >= 0 && at < t->happenings) {
    CHECK_TEXT(walk_happening_name(t, &t->happening[at]), name);
    CHECK_NEAR(t->happening[at].t, when, allowed);
  } else {
    check_fail(__FILE__, __LINE__, "`%s` does not happen", name);
  }
  walk_track_free(t);
  bench_free(&b);
}

// ---- one impact for all -------------------------------------------------------------------------

TEST(an_impact_takes_in_the_clutch_it_closes)
{
  // b' = 2 strikes its stop with e = 1/2: b' = -1 after it, and a' <= b' follows at once
  const char* text = "coord a, b\nkinetic a'^2/2 + 2*b'^2/2\nconstraint clutch: b' >= a'\n"
                     "constraint stop: b <= 1 with restitution 0.5\ninitial a' = 1\n"
                     "initial b' = 2\nrun 0 .. 1\n";
  CHECK_NEAR(value_at(text, 0.6, "a'", NULL), -1, 1e-13);
  CHECK_NEAR(value_at(text, 0.6, "b'", NULL), -1, 1e-13);
}

TEST(an_impact_keeps_a_given_speed)
{
  // x' turns to -e x', y' takes what is left of the speed 5
  const char* text = "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint speed: x'^2 + y'^2 = 25\n"
                     "constraint wall: x <= 1 with restitution 0.5\ninitial x' = 3\n"
                     "initial y' = 4\nrun 0 .. 1\n";
  CHECK_NEAR(value_at(text, 0.5, "x'", NULL), -1.5, 1e-13);
  CHECK_NEAR(value_at(text, 0.5, "y'", NULL), sqrt(22.75), 1e-13);
}

// ---- contacts that take turns -------------------------------------------------------------------

TEST(a_rocking_block_comes_to_rest)
{
  // Housner (1963): edges that stick, w+ = (1 - 3/2 sin^2 a) w-. The sum of all half swings, by
  // quadrature with 30 digits: 1.4734947335637
  const char* text =
      "param b = 0.5, h = 1, m = 1, g = 9.81, th0 = 0.1\ncoord x, y, th\n"
      "frame B = world at (x, y, 0) rotated z(th)\n"
      "body block mass m inertia (m*h^2/3, m*b^2/3, m*(b^2 + h^2)/3) at (0, 0, 0) in B\n"
      "point L = (-b, -h, 0) in B\npoint R = (b, -h, 0) in B\ngravity (0, -g, 0)\n"
      "constraint left: pos(L).y >= 0 with friction 3\n"
      "constraint right: pos(R).y >= 0 with friction 3\ninitial th = th0\n"
      "initial x = -b + b*cos(th0) - h*sin(th0)\ninitial y = b*sin(th0) + h*cos(th0)\n"
      "run 0 .. 1.5\n";
  happens(text, -1, "rest of right", 1.4734947335637, 1e-9);
  happens(text, -2, "rest of left", 1.4734947335637, 1e-9);
  CHECK_NEAR(value_at(text, 1.5, "reaction.left", NULL), 9.81 / 2, 1e-9);
}

// ---- functions that jump ------------------------------------------------------------------------

#define DROP                                                            \
  "coord z\nkinetic z'^2/2\npotential 9.81*z\ninitial z = 1\n"          \
  "constraint floor: z >= 0 with restitution 0.5\nconstraint belt: z' " \
  "= 2\n"

TEST(an_impact_may_end_a_stage)
{
  // z' passes 2 by the jump of the impact only; then the belt takes the ball up
  const double hit = sqrt(2 / 9.81);
  const char* text = DROP "stage fall { release belt; until z' >= 2 }\n"
                          "stage rise { impose belt; until t >= 1 }\nrun 0 .. 1\n";
  CHECK_NEAR(value_at(text, 0.9, "z", NULL), 2 * (0.9 - hit), 1e-12);
}

TEST(an_impact_may_be_an_event)
{
  const double hit = sqrt(2 / 9.81);
  const char* text = DROP "stage all { release belt; until t >= 0.6 }\n"
                          "event fast: z' = 1 rising report\nrun 0 .. 0.6\n";
  happens(text, 0, "impact of floor", hit, 1e-13);
  happens(text, 1, "fast", hit, 1e-13);
}

TEST(a_push_on_the_way_happens_once_a_swing)
{
  // an escapement: q'' = -4 q, pushed at every upward passage of 0; there q' is 2, 2 + 1/20, ...
  const double pi = acos(-1);
  const char* text = "coord q\nkinetic q'^2/2\npotential 2*q^2\ninitial q = 1\n"
                     "event push: q = 0 rising { set q' = q' + 0.05 }\nrun 0 .. 10\n";
  happens(text, 0, "push", 0.75 * pi, 1e-12);
  happens(text, 2, "push", 2.75 * pi, 1e-11);
  CHECK_NEAR(value_at(text, 3 * pi, "q", NULL), 1 + 3 * 0.025, 1e-11);
}

// ---- changes at once ----------------------------------------------------------------------------

#define LIFT(H, CARRY)                                                                      \
  "param h = 0\ncoord z\nkinetic z'^2/2\npotential 9.81*z\n"                                \
  "constraint lift: z >= h\nstage rest { until t >= 1 }\nstage off { set h = " H "; " CARRY \
  "until t >= 2 }\nrun 0 .. 2\n"

TEST(a_floor_that_drops_at_once_leaves_what_stood_on_it)
{
  CHECK_NEAR(value_at(LIFT("-1", ""), 1.2, "z", NULL), -0.02 * 9.81, 1e-11);
  CHECK_NEAR(value_at(LIFT("-1", "carry velocity; "), 1.2, "z", NULL), -0.02 * 9.81, 1e-11);
  CHECK_NEAR(value_at(LIFT("-1", "carry momentum; "), 1.2, "z", NULL), -0.02 * 9.81, 1e-11);
  happens(LIFT("-1", ""), 0, "loosening of lift", 1, 0);
  happens(LIFT("-1", ""), 1, "engagement of lift", 1 + sqrt(2 / 9.81), 1e-11);
}

TEST(a_floor_that_rises_at_once_has_no_limit)
{
  value_at(LIFT("1", ""), 2, "z", "the harder `lift` is struck");
}

TEST(a_speed_limit_that_changes_at_once_slows_but_does_not_speed_up)
{
#define LIMIT(V)                                                                 \
  "param V = 1\ncoord x\nkinetic x'^2/2\nforce x = 2\nconstraint lim: x' <= V\n" \
  "stage a { until t >= 2 }\nstage b { set V = " V "; until t >= 4 }\nrun 0 .. 4\n"
  CHECK_NEAR(value_at(LIMIT("0.5"), 2.1, "x'", NULL), 0.5, 1e-12);
  CHECK_NEAR(value_at(LIMIT("3"), 2.1, "x'", NULL), 1.2, 1e-11);
  CHECK_NEAR(value_at(LIMIT("3"), 3.5, "x'", NULL), 3, 1e-12);
}

// ---- forces that jump ---------------------------------------------------------------------------

TEST(a_force_that_turns_lifts_what_it_pressed)
{
  const char* text = "coord y\nkinetic y'^2/2\nforce y = if(t < 1, -1, 1)\nconstraint f: y >= 0\n"
                     "run 0 .. 2\n";
  CHECK_NEAR(value_at(text, 2, "y", NULL), 0.5, 1e-12);
  happens(text, 0, "loosening of f", 1, 1e-13);
  CHECK_NEAR(value_at("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = if(x < 1, -1, 1)\n"
                      "constraint f: y >= 0\ninitial x' = 1\nrun 0 .. 2\n",
                      2, "y", NULL),
             0.5, 1e-12);
}

TEST(a_force_that_jumps_makes_a_block_slip_and_lifts_it)
{
  // 8 - 9.81/2 from t = 1 on, 8 from t = 2 on, where 20 N lift it
  const char* text = "coord x, y\nparticle p mass 1 = (x, y, 0) in world\ngravity (0, -9.81, 0)\n"
                     "constraint f: pos(p).y >= 0 with friction 0.5\nforce x = if(t < 1, 2, 8)\n"
                     "force y = if(t < 2, 0, 20)\nrun 0 .. 3\n";
  happens(text, 0, "slipping of f", 1, 1e-12);
  happens(text, 1, "loosening of f", 2, 1e-12);
  CHECK_NEAR(value_at(text, 3, "x", NULL), 1.5 * (8 - 9.81 / 2) + 4, 1e-11);
  CHECK_NEAR(value_at(text, 3, "y", NULL), (20 - 9.81) / 2, 1e-11);
}

// ---- several contacts that clatter --------------------------------------------------------------

TEST(a_box_that_clatters_comes_to_rest_on_a_face)
{
  // eight corners without friction: the energy left is that of the sliding, the turning about the
  // vertical and the height of a face
  for (int k = 0; k < 4; k++) {
    static const char* const e[] = {"0.3", "0.4", "0.55", "0.9"};
    char text[3000], *end = text;
    end += sprintf(end,
                   "param a = 0.2, b = 0.15, c = 0.1, m = 1, e = %s\ncoord x, y, z\norientation Q\n"
                   "frame B = world at (x, y, z) rotated by Q\nbody box mass m inertia "
                   "(m*(b^2 + c^2)/3, m*(a^2 + c^2)/3, m*(a^2 + b^2)/3) at (0, 0, 0) in B\n"
                   "gravity (0, 0, -9.81)\ninitial z = 0.6\ninitial x' = 1\ninitial Q.wx = 3\n"
                   "initial Q.wy = 1\ninitial Q.wz = 2\nrun 0 .. 7\n",
                   e[k]);
    for (int i = 0; i < 8; i++)
      end += sprintf(end,
                     "point P%d = (%d*a, %d*b, %d*c) in B\n"
                     "constraint c%d: pos(P%d).z >= 0 with restitution e\n",
                     i, i & 4 ? 1 : -1, i & 2 ? 1 : -1, i & 1 ? 1 : -1, i, i);
    const double z = value_at(text, 7, "z", NULL);
    const double off = fmin(fabs(z - 0.1), fmin(fabs(z - 0.15), fabs(z - 0.2)));
    CHECK_NEAR(off, 0, 1e-11);
    CHECK_NEAR(value_at(text, 7, "x'", NULL), 1, 1e-12);
  }
}

TEST(rows_between_impacts_taken_together_are_those_of_their_time)
{
  // e = 0.99: the last bounces, taken together, last some 1e-3 s, in which x goes on
  const double rest = sqrt(2 / 9.81) * 1.99 / 0.01, t = rest - 5e-5;
  CHECK_NEAR(value_at("coord x, z\nkinetic (x'^2 + z'^2)/2\npotential 9.81*z\nforce x = 0.3\n"
                      "constraint f: z >= 0 with restitution 0.99\ninitial z = 1\n"
                      "initial x' = 2\nrun 0 .. 100\n",
                      t, "x", NULL),
             2 * t + 0.15 * t * t, 1e-9);
}

TEST(impacts_taken_together_rub_as_they_would_one_by_one)
{
  // thrown along a rough floor: each impact takes mu (1 + e) v, then the ball slides to its end
  const double g = 9.81, mu = 0.3, e = 0.5;
  double v = sqrt(2 * g), u = 3 * v, t = v / g, x = u * t;
  for (; v > 1e-15; v *= e) {
    u -= mu * (1 + e) * v;
    t += 2 * e * v / g;
    x += u * 2 * e * v / g;
  }
  const char* text = "coord x, y\nparticle p mass 2 = (x, y, 0) in world\ngravity (0, -9.81, 0)\n"
                     "constraint f: pos(p).y >= 0 with restitution 0.5 with friction 0.3\n"
                     "initial y = 1\ninitial x' = 3*sqrt(2*9.81)\nrun 0 .. 10\n";
  happens(text, -2, "rest of f", t, 1e-11);
  happens(text, -1, "sticking of f", t + u / (mu * g), 1e-11);
  CHECK_NEAR(value_at(text, 10, "x", NULL), x + u * u / (2 * mu * g), 1e-10);
}

TEST(a_constraint_that_is_imposed_lifts_what_lies_on_a_floor)
{
  // b, thrown up, ties itself to a, which lies there: both go on with half of its speed
  const double v = sqrt(25 - 9.81), t = (5 - v) / 9.81;
  const char* text = "coord a, b\nkinetic a'^2/2 + b'^2/2\npotential 9.81*(a + b)\n"
                     "constraint floor: a >= 0\nconstraint tie: b - a = 0.5\ninitial b = 0\n"
                     "initial b' = 5\nstage apart { release tie; until b >= 0.5 }\n"
                     "stage tied { impose tie; until t >= 2 }\nrun 0 .. 0.4\n";
  CHECK_NEAR(value_at(text, 0.2, "a'", NULL), v / 2 - 9.81 * (0.2 - t), 1e-11);
  happens(text, 0, "loosening of floor", t, 1e-12);
}

// ---- floors with steps and bends ----------------------------------------------------------------

#define STEP(FLOOR, Y, E)                                                               \
  "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\nconstraint floor: y - " FLOOR \
  " >= 0 with restitution " E "\ninitial x = 0\ninitial y = " Y "\ninitial x' = 1\nrun 0 .. 2\n"

// the floor rises by 1 at x = 1: the ball starts below that, and comes to the riser at t = 1
static void ends_at_riser(const char* text)
{
  bench b = bench_text(text);
  const double at[] = {0.1};
  walk_track* t = bench_run(&b, 1e-12, 1, at);
  CHECK_NEAR(bench_value(t, 0, "y"), 0.15095, 1e-12);
  CHECK(t->status == WALK_UNFINISHED);
  CHECK(strstr(t->reason, "at t = 1: the gap of `floor` jumps there"));
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_ball_starts_beside_a_step_and_ends_at_its_riser)
{
  ends_at_riser(STEP("if(x < 1, 0, 1)", "0.2", "0.5")); // it has come to rest on the floor
  ends_at_riser(STEP("if(x < 1, 0, 1)", "0.2", "0.95"));
}

// at the edge of a step down it leaves, and falls through 1 in sqrt(2/g)
TEST(a_ball_leaves_at_the_edge_of_a_step)
{
  happens(STEP("if(x < 1, 1, 0)", "1", "0"), 0, "loosening of floor", 1, 1e-12);
  happens(STEP("if(x < 1, 1, 0)", "1", "0"), 1, "engagement of floor", 1 + sqrt(2 / 9.81), 1e-12);
}

// A bend in what the body slides along is an impact on the other side, without restitution: of the
// speed v along a slope of -1/2 the part along 1/2 is left, v cos(2 atan(1/2)) = 3/5 v.
TEST(a_bend_of_the_floor_is_an_impact)
{
  const char* text = STEP("0.5*abs(x - 1)", "0.5", "0") "initial y' = -0.5\n";
  // down the slope x'' = g sin cos = 2/5 g
  const double a = 0.4 * 9.81, t = (sqrt(1 + 2 * a) - 1) / a;
  happens(text, 0, "impact of floor", t, 1e-12);
  CHECK_NEAR(value_at(text, t + 0.01, "x'", NULL), 0.6 * (1 + a * t) - a * 0.01, 1e-11);
}

// an equation would have the place jump with it, at the instant x = 0 and before any row behind it
TEST(an_equation_that_jumps_ends_the_run)
{
  bench b = bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint stair: y = step(x)\n"
                       "initial x = -1\ninitial x' = 2\nrun 0 .. 2\n");
  const double at[] = {0.25, 1};
  walk_track* t = bench_run(&b, 1e-10, 2, at);
  CHECK(t->status == WALK_UNFINISHED && t->table.rows == 1);
  CHECK(strstr(t->reason, "at t = 0.5: the constraint `stair` jumps there: the place"));
  walk_track_free(t);
  bench_free(&b);
}
