// Stages: smooth and sudden changes, the three laws, constraints switched on and off.
#include "bench.h"

#include <string.h>

#include "check.h"

// five-part skater of the reference, stage 1 and 2; LAW goes into the second stage
#define SKATER(LAW)                                                                             \
  "param m0 = 40, l = 0.2, ma = 4, la = 0.7, ml = 11, ll = 0.85, kv = 1.2, kw = 0.15, L5 = 2\n" \
  "param a1 = 80 [deg], a2 = 60 [deg], a3 = 10 [deg], a4 = 50 [deg]\n"                          \
  "coord xi, eta, theta\n"                                                                      \
  "frame s = world at (xi, eta, 0) rotated z(theta)\npoint A = (0, 0, 0) in s\n"                \
  "plate torso mass m0 corners (0, -l, 0) (0, l, 0) (0, -l, 1) in s\n"                          \
  "rod r1 mass ma from (0, -l, 0) to (0, -l - la*sin(a1), -la*cos(a1)) in s\n"                  \
  "rod r2 mass ma from (0, l, 0) to (0, l + la*sin(a2), -la*cos(a2)) in s\n"                    \
  "rod r3 mass ml from (0, -l/2, 0) to (0, -l/2 - ll*sin(a3), -ll*cos(a3)) in s\n"              \
  "rod r4 mass ml from (0, l/2, 0) to (0, l/2 + ll*sin(a4), -ll*cos(a4)) in s\n"                \
  "force xi = -kv*xi'\nforce eta = -kv*eta'\nforce theta = -kw*theta' + L5\n"                   \
  "constraint blade: vel(A, s).y = 0\ninitial theta = 0.3\ninitial vel(A, s).x = 6\n"           \
  "initial theta' = 0.5\nstage one { until t >= 3 }\n"                                          \
  "stage two { set a1 = 10*pi/180" LAW ", a2 = 12*pi/180" LAW ", a3 = 5*pi/180" LAW             \
  ", a4 = 15*pi/180" LAW ", L5 = -0.5"
#define END "; until t >= 7 }\n"

static void compare(const char* text, const double* want)
{
  const double at[] = {3, 7};
  bench b = bench_text(text);
  walk_track* t = bench_run(&b, 1e-12, 2, at);
  CHECK_NEAR(bench_value(t, 0, "theta"), 3.08880819161029879, 3e-9);
  CHECK_NEAR(bench_value(t, 0, "theta'"), 1.34900229455744569, 2e-9);
  const char* names[] = {"xi", "theta", "eta", "xi'", "theta'", "eta'", "reaction.blade"};
  for (int i = 0; i < 7; i++)
    CHECK_NEAR(bench_value(t, 1, names[i]), want[i], 1e-9 * (1 + fabs(want[i])));
  walk_track_free(t);
  bench_free(&b);
}

TEST(velocities_may_stay_at_a_sudden_change)
{
  const double want[] = {2.75743308709106270, 5.42726677720737343,    -4.83940774369840695,
                         3.49609482296015830, -0.0993540727923103181, -4.02754601565711920,
                         -37.1001662798785363};
  compare(SKATER("") "; carry velocity" END, want);
}

TEST(momenta_may_stay_at_a_sudden_change)
{
  const double want[] = {0.560483503161632607, -3.49318181739953501, 14.0579120466876411,
                         -4.95757574662141487, -1.98574143510934803, 1.81858976614896775,
                         -737.368260629589304};
  compare(SKATER("") "; carry momentum" END, want);
}

TEST(by_default_a_sudden_change_is_the_limit_of_fast_ones)
{
  const double want[] = {3.32239238686979040,  14.9252641405203268, 13.0059845240916197,
                         -3.73731592205086287, 1.91097270340765831, 3.71719587771655558,
                         702.006486974387254};
  compare(SKATER("") END, want);
}

TEST(a_smooth_change_enters_the_equations)
{
  const double slow[] = {3.223268301676206,  14.37379832909822, 11.63929330163046,
                         -1.236091125574534, 1.936969261891833, 5.125833687146496,
                         711.73246580851};
  compare(SKATER(" over 0.4") END, slow);
  const double fast[] = {3.355041926049722,  14.78651606363534, 12.74187679230469,
                         -3.187543969894226, 1.917535559519066, 4.198678666289139,
                         704.46096903950};
  compare(SKATER(" over 0.1") END, fast);
}

// arms pulled in from 1 m to 0.2 m, late in a run
#define ARMS(OVER, METHOD)                                                    \
  "param r = 1\ncoord th, x\nframe B = world at (x, 0, 0) rotated z(th)\n"    \
  "body trunk mass 1 inertia (1, 1, 1) at (0, 0, 0) in B\n"                   \
  "particle P mass 1 = (r, 0, 0) in B\nparticle Q mass 1 = (-r, 0, 0) in B\n" \
  "potential x^2/2\ninitial th' = 2\ninitial x = 0.3\nmethod " METHOD         \
  "\nstage one { until t >= 1000 }\nstage two { set r = 0.2 over " OVER "; until t >= 1001 }\n"

TEST(a_short_smooth_change_late_in_a_run_keeps_its_digits)
{
  const char* texts[] = {ARMS("1e-4", "dop853"), ARMS("1e-4", "taylor"), ARMS("1e-6", "dop853"),
                         ARMS("1e-6", "taylor"), ARMS("1e-9", "dop853"), ARMS("1e-9", "taylor")};
  for (int i = 0; i < 6; i++) {
    bench b = bench_text(texts[i]);
    walk_track* t = bench_run(&b, 1e-13, 1, (double[]){1001});
    // the moment of momentum stays: (1 + 2) 2 = (1 + 2 * 0.04) th'
    CHECK_NEAR(bench_value(t, 0, "th'"), 6 / 1.08, 1e-12);
    walk_track_free(t);
    bench_free(&b);
  }
}

TEST(a_change_shorter_than_the_clock_can_tell_is_refused)
{
  bench b = bench_text(ARMS("1e-13", "dop853"));
  walk_track* t = bench_run(&b, 1e-10, 1, (double[]){1001});
  CHECK(t && strstr(t->reason, "t = 1000"));
  CHECK(strstr(bench_first_error(&b), "too short for the clock"));
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_released_constraint_lets_go_and_an_imposed_one_catches)
{
  // a bead on a ring is let go at t = 1 and flies straight on
  bench b = bench_text(
      "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint ring: x^2 + y^2 = 1\n"
      "constraint wall: y = 0\ninitial x = 1\ninitial y = 0\ninitial y' = 1\n"
      "stage on { release wall; until t >= 1 }\nstage off { release ring; until t >= 2 }\n");
  const double at[] = {1, 2};
  walk_track* t = bench_run(&b, 1e-12, 2, at);
  CHECK_NEAR(bench_value(t, 0, "x"), cos(1), 1e-10);
  CHECK_NEAR(bench_value(t, 1, "x"), cos(1) - sin(1), 1e-10);
  CHECK_NEAR(bench_value(t, 1, "y"), sin(1) + cos(1), 1e-10);
  CHECK_NEAR(bench_value(t, 1, "reaction.ring"), 0, 0);
  walk_track_free(t);
  bench_free(&b);
  // a free body is caught by a blade: only the velocity along it is left
  bench c = bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint blade: y' - x' = 0\n"
                       "initial x' = 3\ninitial y' = 1\nstage free { until t >= 1 }\n"
                       "stage caught { impose blade; until t >= 2 }\n");
  walk_track* s = bench_run(&c, 1e-12, 2, at);
  CHECK_NEAR(bench_value(s, 0, "x"), 3, 1e-12);
  CHECK_NEAR(bench_value(s, 1, "x'"), 2, 1e-12);
  CHECK_NEAR(bench_value(s, 1, "y'"), 2, 1e-12);
  CHECK_NEAR(s->energy_balance, 0, 1e-11);
  walk_track_free(s);
  bench_free(&c);
}

TEST(a_shortened_pendulum_keeps_its_angular_momentum)
{
  // l^2 f' stays while l halves: f' grows fourfold, the energy by 3/2 f'^2 + cos(f)/2
  bench b =
      bench_text("param l = 1\ncoord f\nkinetic l^2*f'^2/2\npotential -l*cos(f)\ninitial f' = 1\n"
                 "stage long { until t >= 1 }\nstage short { set l = 0.5; until t >= 2 }\n");
  const double at[] = {1, 2};
  walk_track* t = bench_run(&b, 1e-12, 2, at);
  const double f = bench_value(t, 0, "f"), w = bench_value(t, 0, "f'");
  CHECK_INT(t->status, WALK_DONE);
  CHECK_NEAR(t->energy_jumps, 1.5 * w * w + cos(f) / 2, 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_stage_may_end_at_a_state)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\nparam F = 1\nforce x = F\n"
                       "stage push { until x >= 2 }\nstage brake { set F = -1; until x' <= 0 }\n");
  walk_track* t = bench_run(&b, 1e-12, 0, NULL);
  CHECK_INT(t->status, WALK_DONE);
  CHECK_NEAR(t->t_reached, 4, 1e-11);
  CHECK_NEAR(bench_value(t, t->table.rows - 1, "x"), 4, 1e-11);
  walk_track_free(t);
  bench_free(&b);
}

TEST(the_last_stage_goes_on_from_its_end_where_rows_are_asked_for_beyond)
{
  bench b = bench_text("coord x, q\nkinetic x'^2 + q'^2\nforce x = -0.5*sin(3*q)\n"
                       "initial q' = 0.5\nmethod dop853\nstage a { until t >= 1 }\n"
                       "stage b { until t >= 2 }\n");
  const double at[] = {1.9, 2.5};
  walk_track* t = bench_run(&b, 1e-10, 2, at);
  if (t) CHECK_NEAR(bench_value(t, 1, "q"), 1.25, 1e-12);
  walk_track_free(t);
  bench_free(&b);
}

// A bob swings down while its arm is shortened at once. Held, the body would pull at its floor; it
// leaves, and both momenta stay: 2 y' + l s th' and l s y' + l^2 th', s = sin(th).
TEST(a_body_whose_momentum_pulls_at_the_floor_leaves_it)
{
  bench b = bench_text("param l = 1\ncoord y, th\nparticle body mass 1 = (0, y, 0) in world\n"
                       "particle bob mass 1 = (l*sin(th), y - l*cos(th), 0) in world\n"
                       "constraint floor: y >= 0\ninitial th = 1.3\ninitial th' = -2\n"
                       "output up = y'\noutput turn = th'\nstage one { until t >= 0.1 }\n"
                       "stage two { set l = 0.4; carry momentum; until t >= 0.15 }\n");
  walk_track* t = bench_run(&b, 1e-12, 0, NULL);
  const double s = sin(1.1), l = 0.4, p[2] = {-2 * s, -2}, det = 2 * l * l - l * s * l * s;
  CHECK_INT(t->happenings, 1);
  CHECK_TEXT(walk_happening_name(t, &t->happening[0]), "loosening of floor");
  const double* row = t->happening[0].row;
  for (int i = 0; i < t->columns; i++) {
    if (strcmp(t->column[i], "up") == 0)
      CHECK_NEAR(row[i], (p[0] * l * l - l * s * p[1]) / det, 1e-11);
    if (strcmp(t->column[i], "turn") == 0)
      CHECK_NEAR(row[i], (2 * p[1] - l * s * p[0]) / det, 1e-10);
  }
  walk_track_free(t);
  bench_free(&b);
}

// the profile of a smooth change is 10 x^3 - 15 x^4 + 6 x^5
TEST(one_duration_behind_a_list_moves_all_of_it)
{
  bench b = bench_text("param h = 0.2, a = 0.3, k = 1\ncoord x\nkinetic (1 + h + a + k)*x'^2/2\n"
                       "output hh = h\noutput aa = a\noutput kk = k\nstage one { until t >= 0.5 }\n"
                       "stage two { set k = 2; set h = 0.7, a = 0.6 over 0.4; until t >= 1 }\n");
  const double at = 0.6, x = 0.25, share = x * x * x * (10 - 15 * x + 6 * x * x);
  walk_track* t = bench_run(&b, 1e-10, 1, &at);
  CHECK_NEAR(bench_value(t, 0, "hh"), 0.2 + 0.5 * share, 1e-14);
  CHECK_NEAR(bench_value(t, 0, "aa"), 0.3 + 0.3 * share, 1e-14);
  CHECK_NEAR(bench_value(t, 0, "kk"), 2, 0);
  walk_track_free(t);
  bench_free(&b);
}
