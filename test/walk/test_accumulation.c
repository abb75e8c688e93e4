// Jumps that are passed again and again, sooner each time: the motion comes to their limit and
// rests there. And relays that are passed for ever, by their closed forms.
#include "bench.h"

#include <stdio.h>

#include "check.h"

typedef struct two
{
  double first, last;
} two;

// a column at two times, the last one the end of the run
static two at_two(const char* text, double tolerance, const char* column, double t1, double t2)
{
  bench b = bench_text(text);
  const double at[] = {t1, t2};
  walk_track* t = bench_run(&b, tolerance, 2, at);
  two got = {NAN, NAN};
  if (!t || t->status != WALK_DONE) {
    check_fail(__FILE__, __LINE__, "%s ends with: %s", text, t ? t->reason : "it is refused");
  } else {
    if (*t->doubt) check_fail(__FILE__, __LINE__, "%s: %s", text, t->doubt);
    got = (two){bench_value(t, 0, column), bench_value(t, t->table.rows - 1, column)};
  }
  walk_track_free(t);
  bench_free(&b);
  return got;
}

// ---- rest at the limit --------------------------------------------------------------------------

// x'' = p - A sign(x) - B sign(x') from rest at x > 0: back by A - B, then out against A + B. The
// time of all swings, or of the first `some`, and the place behind these.
static double swings(double p, double A, double B, double x, int some, double* place)
{
  double t = 0;
  for (int k = 0; k < some && x > 0; k++) {
    const double with = k % 2 ? -p : p, back = A - B - with, out = A + B + with,
                 speed = sqrt(2 * x * back);
    t += sqrt(2 * x / back) + speed / out;
    x = speed * speed / 2 / out;
    if (place) *place = k % 2 ? x : -x;
  }
  return t;
}

TEST(a_motion_that_twists_about_a_relay_comes_to_rest)
{
  static const double given[][4] = {
      {0, 3, 1, 1}, {0, 1, 0.5, 1}, {0.7, 3, 1, 20}, {-1.9, 3, 1, 0.01}, {0.1, 2, 0.1, 1}};
  for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
    const double p = given[k][0], A = given[k][1], B = given[k][2], x0 = given[k][3];
    char text[400];
    double place = NAN;
    const double limit = swings(p, A, B, x0, 10000, NULL), some = swings(p, A, B, x0, 5, &place);
    snprintf(text, sizeof text,
             "coord x\nkinetic x'^2\nforce x = %.17g - %.17g*sign(x) - %.17g*sign(x')\n"
             "initial x = %.17g\nrun 0 .. %.17g\n",
             2 * p, 2 * A, 2 * B, x0, 2 * limit);
    const two x = at_two(text, 1e-11, "x", some, 2 * limit),
              v = at_two(text, 1e-11, "x'", limit * (1 + 1e-9), 2 * limit);
    CHECK_NEAR(x.first, place, 1e-10 * x0);
    CHECK_NEAR(x.last, 0, 1e-11 * x0);
    // a billionth of it later nothing is left
    CHECK_NEAR(v.first, 0, 1e-10 * sqrt(x0));
  }
}

TEST(the_limit_of_swings_is_where_they_add_up)
{
  // amplitudes fall by half; that of the last swings is seen
  const double limit = 1.5 / (1 - sqrt(0.5)), last = swings(0, 3, 1, 1, 26, NULL);
  const two x = at_two("coord x\nkinetic x'^2/2\nforce x = -3*sign(x) - sign(x')\ninitial x = 1\n"
                       "run 0 .. 10\n",
                       1e-12, "x", last, 10);
  CHECK_NEAR(limit, 5.12132034, 1e-8);
  CHECK_NEAR(x.first, pow(0.5, 26), 1e-12);
}

TEST(fullers_problem_comes_to_its_limit)
{
  // x'' = -sign(x + c x'|x'|): with every switch a of its height is left, sqrt(a) of its pauses
  const double c = 0.44462, a = (0.5 - c) / (0.5 + c), limit = 2 / sqrt(0.5 + c) / (1 - sqrt(a));
  static const char text[] = "coord x\nkinetic x'^2/2\nforce x = -sign(x + 0.44462*x'*abs(x'))\n"
                             "initial x = 1\nrun 0 .. 10\n";
  const two x = at_two(text, 1e-11, "x", 2 / sqrt(0.5 + c), 10),
            v = at_two(text, 1e-11, "x'", limit * (1 + 1e-9), 10);
  CHECK_NEAR(x.first, -a, 1e-11);
  CHECK_NEAR(v.first, 0, 1e-10);
  CHECK_NEAR(x.last, 0, 1e-12);
}

TEST(a_bead_in_a_v_rests_at_its_bottom)
{
  // amplitudes fall to a third
  const double limit = 8.0 / 3 / (1 - sqrt(1.0 / 3));
  static const char text[] = "coord x\nkinetic x'^2/2\npotential abs(x)\nforce x = -0.5*sign(x')\n"
                             "initial x = 1\nrun 0 .. 20\n";
  const two x = at_two(text, 1e-11, "x", 8.0 / 3, 20),
            v = at_two(text, 1e-11, "x'", limit * (1 + 1e-9), 20);
  CHECK_NEAR(x.first, -1.0 / 3, 1e-11);
  CHECK_NEAR(v.first, 0, 1e-10);
  CHECK_NEAR(x.last, 0, 1e-12);
}

TEST(a_growing_force_ends_the_rest_at_a_relay)
{
  // together they hold 4; behind that x'' = (t - 8)/2
  static const char rest[] = "coord x\nkinetic x'^2/2\nforce x = t/2 - 3*sign(x) - sign(x')\n"
                             "run 0 .. 10\n";
  const two x = at_two(rest, 1e-11, "x", 7.9, 10);
  CHECK_NEAR(x.first, 0, 1e-12);
  CHECK_NEAR(x.last, 8.0 / 12, 1e-10);
  // and the other way round, after it came there by swings that add up, with a force that turns
  static const char turned[] =
      "coord x\nkinetic x'^2/2\nforce x = if(t < 6, 0, 6 - t) - 3*sign(x) - sign(x')\n"
      "initial x = 1\nrun 0 .. 12\n";
  const two y = at_two(turned, 1e-11, "x", 9.9, 12);
  CHECK_NEAR(y.first, 0, 1e-11);
  CHECK_NEAR(y.last, -8.0 / 6, 1e-10);
}

// a t - b sign(x) - c sign(x') holds until a t = b + c; x = a (t - (b + c)/a)^3/6 behind. While the
// first holds, the speed is rounding of either sign, which must not tell the side of the second.
TEST(a_relay_and_friction_let_go_together_by_any_method)
{
  static const double law[][3] = {{0.5, 3, 1}, {-0.5, 3, 1}, {1.3, 3.1, 3.3}, {-1.9, 0.7, 2.2}};
  static const char* const method[] = {"bdf", "adams", "dop853"};
  for (int i = 0; i < 12; i++) {
    const double *p = law[i / 3], begins = (p[1] + p[2]) / fabs(p[0]);
    const double at[] = {0, 1.25 * begins};
    char text[200];
    snprintf(text, sizeof text,
             "coord x\nkinetic x'^2/2\nforce x = %.17g*t - %.17g*sign(x) - %.17g*sign(x')\n"
             "run 0 .. %.17g\n",
             p[0], p[1], p[2], at[1]);
    bench b = bench_text(text);
    walk_track* t = bench_run_by(&b, method[i % 3], 1e-10, 2, at);
    CHECK(t && t->status == WALK_DONE);
    const double want = p[0] * pow(0.25 * begins, 3) / 6;
    CHECK_NEAR(bench_value(t, 1, "x"), want, 1e-7 * fabs(want));
    walk_track_free(t);
    bench_free(&b);
  }
}

// Against friction that presses by its reaction the curve x = v^2/2 is met at v1^2 = 2 b/(1 + b),
// b = 3 - 0.981, and followed with x'' = 1 to its end, where the motion rests until the force that
// grows has come to 3.981.
TEST(the_way_along_a_jump_beside_a_law_of_reactions_ends_at_rest)
{
  static const char text[] =
      "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\nconstraint floor: y = 0\n"
      "resist floor = -0.1*abs(reaction(floor))*sign(x') along x\n"
      "force x = -3*sign(x + abs(x')*x'/2) + if(t < 4, 0, t - 4)\ninitial x = 1\nrun 0 .. 9\n";
  const double b = 3 - 0.981, v1 = sqrt(2 * b / (1 + b)), left = v1 + v1 / b - 1;
  const two x = at_two(text, 1e-11, "x", 1, 9), v = at_two(text, 1e-11, "x'", 3, 9);
  CHECK_NEAR(x.first, left * left / 2, 1e-10);
  CHECK_NEAR(v.first, 0, 1e-12);
  CHECK_NEAR(x.last, pow(9 - 7.981, 3) / 6, 1e-10);
}

// a jump that cannot hold is named as what it is, also beside such a law
TEST(a_jump_that_cannot_hold_beside_a_law_of_reactions_is_no_paradox)
{
  bench b =
      bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\nconstraint floor: y = 0\n"
                 "resist floor = -0.1*abs(reaction(floor))*sign(x') along x\n"
                 "force x = if(x' > 0.5, -3, 3)\nrun 0 .. 5\n");
  walk_track* t = bench_run(&b, 1e-10, 0, NULL);
  CHECK(t && t->status == WALK_UNFINISHED);
  CHECK(t && strstr(t->reason, "drives the motion back to the jump from both sides"));
  if (t) CHECK_NEAR(t->t_reached, 0.5 / (3 - 0.981), 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_force_that_grows_overcomes_friction_that_has_never_moved)
{
  // as a law of resistance, twice along one speed: x'' = t - 3/2
  const two x = at_two("coord x, n, m\nkinetic (x'^2 + n'^2 + m'^2)/2\npotential 10*n + 10*m\n"
                       "constraint k: n = 0\nconstraint l: m = 0\nforce x = t\n"
                       "resist k = -0.1*abs(reaction(k))*sign(x') along x\n"
                       "resist l = -0.05*abs(reaction(l))*sign(x') along x\nrun 0 .. 3\n",
                       1e-11, "x", 1.49, 3);
  CHECK_NEAR(x.first, 0, 1e-12);
  CHECK_NEAR(x.last, 1.5 * 1.5 * 1.5 / 6, 1e-10);
  // held between two others: of three frictions in two directions each may carry a part
  const two y = at_two("coord x, y\nkinetic (3*x'^2 + y'^2)/2\nforce x = t\n"
                       "force x = -sign(x' - y') - 2*sign(x' + y')\n"
                       "force y = sign(x' - y') - 2*sign(x' + y') - 2*sign(y')\nrun 0 .. 4\n",
                       1e-11, "x", 2.99, 4);
  CHECK_NEAR(y.first, 0, 1e-12);
  CHECK_NEAR(y.last, 1.0 / 18, 1e-10);
}

TEST(a_law_written_with_two_multiples_of_a_speed_is_one_law)
{
  // the force is along the circle, on which friction brings the point to rest: v^2/2 = s
  static const char text[] =
      "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint rod: x^2 + y^2 = 0.51^2\n"
      "let w = (x/0.51)*(y/0.51)' - (y/0.51)*(x/0.51)'\nlet m = x*y' - y*x'\n"
      "force x = y/0.51*sign(w)\nforce y = -x/0.51*sign(m) - if(t < 1, 0, 0.5)\n"
      "initial x = 0.51\ninitial y ~ 0\ninitial y' = 0.8\nrun 0 .. 2\n";
  const two x = at_two(text, 1e-11, "x", 1, 2);
  CHECK_NEAR(x.first, 0.51 * cos(0.32 / 0.51), 1e-10);
  CHECK_NEAR(x.last, 0.51 * cos(0.32 / 0.51), 1e-10);
}

TEST(a_friction_that_sticks_sooner_each_time_does_not_swing)
{
  // three frictions in two directions; by contacts the same
  static const char masses[] = "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                               "potential 2*(x - y)^2 + 2*(z - x)^2 + 1.8*(z - y)^2\n"
                               "force x = 3*sin(3*t)\nforce y = 2*sin(5*t + 1)\n"
                               "initial y' = -0.8\ninitial z' = -0.5\nrun 0 .. 6\n",
                    by_sign[] = "force x = -1.1*sign(x' - y' - z') - 0.9*sign(x' - y' + z')\n"
                                "force x = 0.3*sign(y' - x')\nforce y = -0.3*sign(y' - x')\n"
                                "force y = 1.1*sign(x' - y' - z') + 0.9*sign(x' - y' + z')\n"
                                "force z = 1.1*sign(x' - y' - z') - 0.9*sign(x' - y' + z')\n",
                    by_contact[] =
                        "coord a, b, c\nkinetic (a'^2 + b'^2 + c'^2)/2\npotential 10*(a + b + c)\n"
                        "quasi u = x' - y' - z'\nquasi v = x' - y' + z'\nquasi w = y' - x'\n"
                        "constraint p: a >= 0 with friction 0.11 along u\n"
                        "constraint q: b >= 0 with friction 0.09 along v\n"
                        "constraint r: c >= 0 with friction 0.03 along w\n";
  char text[2][1200];
  snprintf(text[0], sizeof text[0], "%s%s", masses, by_sign);
  snprintf(text[1], sizeof text[1], "%s%s", masses, by_contact);
  const two x = at_two(text[0], 1e-11, "x", 3, 6), y = at_two(text[1], 1e-11, "x", 3, 6);
  CHECK_NEAR(x.first, y.first, 1e-9);
  CHECK_NEAR(x.last, y.last, 1e-9);
}

TEST(a_wall_presses_from_where_friction_no_longer_holds)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\nforce x = 2*t - 0.5 - sign(x')\n"
                       "constraint wall: x <= 0\ninitial x = -0.5\ninitial x' = 4\nrun 0 .. 2\n");
  walk_track* t = bench_run(&b, 1e-10, 0, NULL);
  CHECK_INT(t->happenings, 2);
  CHECK_NEAR(t->happening[1].t, 0.75, 1e-12);
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_motion_comes_to_rest_at_a_relay_that_moves)
{
  // the same twisting about 2 sin t
  const double limit = swings(0, 3, 1, 1, 10000, NULL);
  const two x = at_two("coord x\nkinetic x'^2/2\nforce x = -2*sin(t) - 3*sign(x - 2*sin(t))"
                       " - sign(x' - 2*cos(t))\ninitial x = 1\ninitial x' = 2\nrun 0 .. 9\n",
                       1e-11, "x", limit + 1e-8, 9);
  CHECK_NEAR(x.first, 2 * sin(limit + 1e-8), 1e-9);
  CHECK_NEAR(x.last, 2 * sin(9), 1e-9);
}

// The quickest way to the origin with a force of at most F: there after x0' + 2 sqrt(x0 + x0'^2/2)
// for F = 1. It goes along the jump, whose rate no force moves at its end, and rests there; a
// steady force c beside it moves the way, and one beyond F, at last, takes it off again.
TEST(the_quickest_way_to_the_origin_ends_there)
{
  const double there = 0.3 + 2 * sqrt(1.045);
  const two x = at_two("coord x\nkinetic x'^2/2\nforce x = -sign(x + x'*abs(x')/2)\n"
                       "initial x = 1\ninitial x' = 0.3\nrun 0 .. 6\n",
                       1e-10, "x", there - 0.01, 6);
  CHECK_NEAR(x.first, 0.01 * 0.01 / 2, 1e-11);
  CHECK_NEAR(x.last, 0, 1e-12);
  const two y = at_two("coord x\nkinetic x'^2/2\n"
                       "force x = -sign(x + x'*abs(x')/2) + if(t > 5, 1.5, 0.3)\n"
                       "initial x = -1\ninitial x' = 0.2\nrun 0 .. 8\n",
                       1e-10, "x", 5, 8);
  CHECK_NEAR(y.first, 0, 1e-12);
  CHECK_NEAR(y.last, 2.25, 1e-9);
}

TEST(what_rests_without_energy_is_trusted)
{
  const two x = at_two("coord x\nkinetic x'^2/2\nforce x = 0.3*sin(t) - sign(x')\nrun 0 .. 10\n",
                       1e-10, "x", 5, 10);
  CHECK_NEAR(x.last, 0, 1e-12);
}

// ---- for ever -----------------------------------------------------------------------------------

// A block on a belt of speed v whose friction falls by c with the slip: from x = F/k it slips along
// x'' - c x' + k x = F - c v until its speed is that of the belt again.
typedef struct belt
{
  double k, F, c, v;
} belt;

static double slip_place(const belt* b, double t, double* speed)
{
  const double rest = (b->F - b->c * b->v) / b->k, y = b->F / b->k - rest,
               w = sqrt(b->k - b->c * b->c / 4), z = (b->v - b->c / 2 * y) / w,
               grown = exp(b->c / 2 * t), place = grown * (y * cos(w * t) + z * sin(w * t));
  *speed = b->c / 2 * place + grown * w * (z * cos(w * t) - y * sin(w * t));
  return rest + place;
}

// the time of a slip, between one in which it surely has not ended and one in which it has
static double slip_time(const belt* b, double low, double high)
{
  for (int k = 0; k < 200; k++) {
    double speed;
    slip_place(b, (low + high) / 2, &speed);
    *(speed < b->v ? &low : &high) = (low + high) / 2;
  }
  return high;
}

TEST(a_block_on_a_belt_sticks_and_slips_for_a_thousand_periods)
{
  const belt b = {100, 5, 2, 0.1};
  double speed;
  const double slip = slip_time(&b, 0.3, 0.6), back = slip_place(&b, slip, &speed),
               stick = (b.F / b.k - back) / b.v, first = b.F / b.k / b.v,
               end = first + 1000 * (slip + stick) + slip + stick / 2;
  static const char by_sign[] = "coord x\nkinetic x'^2/2\npotential 50*x^2\n"
                                "force x = -(5 - 2*abs(x' - 0.1))*sign(x' - 0.1)\n"
                                "initial x' = 0.1\nrun 0 .. %.17g\n",
                    by_contact[] =
                        "coord x, n\nkinetic x'^2/2 + n'^2/2\npotential 50*x^2 + 10*n\n"
                        "quasi u = x' - 0.1\ninitial x' = 0.1\n"
                        "constraint floor: n >= 0 with friction 0.5 - 0.2*abs(u) along u\n"
                        "run 0 .. %.17g\n";
  for (int contact = 0; contact < 2; contact++) {
    const double until = contact ? end - 900 * (slip + stick) : end;
    char text[400];
    snprintf(text, sizeof text, contact ? by_contact : by_sign, until);
    const two x = at_two(text, 1e-12, "x", first + slip / 2, until);
    CHECK_NEAR(x.first, slip_place(&b, slip / 2, &speed), 1e-11);
    CHECK_NEAR(x.last, back + b.v * stick / 2, 2e-11);
  }
}

TEST(a_relay_with_hysteresis_keeps_its_period)
{
  // v' = u - v with u = 1 up to v = 1/2, -1 down to v = -1/2; half a period takes log 3
  const double half = log(3), first = log(2), end = first + 2000 * half + half / 2;
  char text[400];
  snprintf(text, sizeof text,
           "param u = 1\ncoord x\nkinetic x'^2/2\nforce x = u - x'\n"
           "event off: x' = 1/2 rising { set u = -1 }\nevent on: x' = -1/2 falling { set u = 1 }\n"
           "run 0 .. %.17g\n",
           end);
  const two v = at_two(text, 1e-12, "x'", first / 2, end), x = at_two(text, 1e-12, "x", first, end);
  CHECK_NEAR(v.first, 1 - sqrt(0.5), 1e-12);
  CHECK_NEAR(v.last, -1 + 1.5 / sqrt(3), 5e-10);
  // x' = u - v' adds up to nothing over a period
  CHECK_NEAR(x.first, first - 0.5, 1e-12);
  CHECK_NEAR(x.last, first - 0.5 - half / 2 - (-1 + 1.5 / sqrt(3) - 0.5), 1e-9);
}

// Two balls that know nothing of each other: the bounces of one end at 0.6 s, from the last impacts
// on without steps; the other lands before, within that time, at its end or behind it. Each contact
// has taken all the energy of its own ball.
TEST(what_lands_while_bounces_end_takes_its_own_energy)
{
  const double lands[] = {0.5, 0.6 - 0.4 / 32768, 0.6 - 0.4 / 65536, 0.599997, 0.6, 0.7};
  for (size_t k = 0; k < sizeof lands / sizeof *lands; k++) {
    char text[400];
    snprintf(text, sizeof text,
             "param h = %.17g\ncoord x, y\nparticle p mass 2 = (0, x, 0)\n"
             "particle q mass 3 = (1, y, 0)\ngravity (0, -10, 0)\n"
             "constraint a: pos(p).y >= 0 with restitution 0.5\nconstraint b: pos(q).y >= 0\n"
             "initial x = 0.2\ninitial y = h\noutput of_a = loss(a)\noutput of_b = loss(b)\n"
             "run 0 .. 1\n",
             5 * lands[k] * lands[k]);
    bench b = bench_text(text);
    const double at[] = {1};
    walk_track* t = bench_run(&b, 1e-11, 1, at);
    CHECK_NEAR(bench_value(t, 0, "of_a"), 4, 1e-8);
    CHECK_NEAR(bench_value(t, 0, "of_b"), 30 * 5 * lands[k] * lands[k], 1e-8);
    walk_track_free(t);
    bench_free(&b);
  }
}

// A mass that is pressed to a wall and one that presses it: their blows take turns, and the pauses
// between those on the wall are a third and two thirds of the ones before, for ever. The limit is
// that of the exact pieces, 140 of them in 60 digits.
TEST(blows_that_take_turns_end_at_their_limit_and_both_rest)
{
  static const char* const texts[] = {"coord x, y\nlet z = y\n", "coord x, d\nlet z = x + d\n",
                                      "coord y, z\nlet x = z - y\n"};
  for (int i = 0; i < 3; i++) {
    char text[800];
    snprintf(
        text, sizeof text,
        "%sparticle P mass 0.58 = (x, 0, 0) in world\nparticle Q mass 0.77 = (z, 0, 0) in world\n"
        "force (3.68 - 0.17*x', 0, 0) in world at P\nforce (7.54, 0, 0) in world at Q\n"
        "constraint meet: z - x >= 0 with restitution 0.15\n"
        "constraint wall: z <= -0.07 with restitution 0.67\n"
        "initial x = -0.88, x' = -0.45, z = -0.77, z' = 0.21\nrun 0 .. 1.48\n",
        texts[i]);
    bench b = bench_text(text);
    walk_track* t = bench_run(&b, 1e-10, 0, NULL);
    CHECK(t && t->status == WALK_DONE);
    static const char* const rests[] = {"rest of meet", "rest of wall"};
    for (int k = 0; t && t->happenings > 2 && k < 2; k++) {
      const walk_happening* h = &t->happening[t->happenings - 2 + k];
      CHECK_TEXT(walk_happening_name(t, h), rests[k]);
      CHECK_NEAR(h->t, 1.0427806797220841, 2e-7);
    }
    walk_track_free(t);
    bench_free(&b);
  }
}

// A ball pushed along bounces up with 2 m/s, then with 0.8 of that and so on. At each impact the
// friction brings its speed back to a limit, from which the push takes it again: the limit is met
// as often as the floor, and stays met the less the lower the bounces are, but those go on.
TEST(a_limit_of_speeds_ends_no_bounces_of_others)
{
  const double g = 10, e = 0.8, push = 0.5, end = 1.8;
  double t = 0, up = 2, x = 0;
  while (t + 2 * up / g < end) {
    const double pause = 2 * up / g;
    x -= pause + push * pause * pause / 2;
    t += pause;
    up *= e;
  }
  const double rest = end - t;
  bench b = bench_text("coord x, y\nkinetic (x'^2+y'^2)/2\nforce x = -0.5\nforce y = -10\n"
                       "constraint floor: y >= 0 with restitution 0.8 with friction 0.5\n"
                       "constraint limit: x' <= -1\ninitial x = 0\ninitial y = 0\n"
                       "initial x' = -1\ninitial y' = 2\nrun 0 .. 1.8\n");
  walk_track* k = bench_run(&b, 1e-10, 1, &end);
  CHECK(k->status == WALK_DONE);
  CHECK_NEAR(bench_value(k, 0, "y"), up * rest - g * rest * rest / 2, 1e-11);
  CHECK_NEAR(bench_value(k, 0, "x'"), -1 - push * rest, 1e-11);
  CHECK_NEAR(bench_value(k, 0, "x"), x - rest - push * rest * rest / 2, 1e-11);
  walk_track_free(k);
  bench_free(&b);
}
