// Forces with corners and jumps, motions held at a jump, events that accumulate or are crossed by a
// jump, singular positions.
#include "bench.h"

#include <stdio.h>

#include "check.h"

static const double pi = 3.14159265358979323846;

// the last row's value of a column after a run to its end
static double end_of(const char* text, double tolerance, const char* column, walk_status status)
{
  bench b = bench_text(text);
  walk_track* t = bench_run(&b, tolerance, 0, NULL);
  const double value = t ? bench_value(t, t->table.rows - 1, column) : NAN;
  if (t && t->status != status) check_fail(__FILE__, __LINE__, "%s ends with: %s", text, t->reason);
  walk_track_free(t);
  bench_free(&b);
  return value;
}

TEST(a_force_that_switches_in_time_acts_from_that_instant)
{
  CHECK_NEAR(
      end_of("coord x\nkinetic x'^2/2\nforce x = if(t < 2, 1, 0) + if(t >= 5, -2, 0)\nrun 0 .. 8\n",
             1e-12, "x", WALK_DONE),
      5, 1e-12);
}

TEST(a_short_pulse_is_not_stepped_over)
{
  CHECK_NEAR(
      end_of("coord x\nkinetic x'^2/2\nforce x = if(abs(t - 50) < 0.005, 100, 0)\ninitial x' = 1\n"
             "run 0 .. 100\n",
             1e-10, "x'", WALK_DONE),
      2, 1e-9);
  CHECK_NEAR(end_of("coord x\nkinetic x'^2/2\nforce x = exp(-((t - 60)/0.1)^2)\nrun 0 .. 100\n",
                    1e-10, "x'", WALK_DONE),
             0.1 * sqrt(pi), 1e-9);
}

// x'' = cos(3 t) + t sin(t)^2 is nowhere asleep: steps are as long as the method likes
TEST(what_is_always_awake_needs_no_short_steps)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\nforce x = cos(3*t) + t*sin(t)^2\nrun 0 .. 20\n");
  walk_track* t = bench_run(&b, 1e-12, 0, NULL);
  const double T = 20, at = bench_value(t, t->table.rows - 1, "x'");
  CHECK_NEAR(at, sin(3 * T) / 3 + T * T / 4 - T * sin(2 * T) / 4 - (cos(2 * T) - 1) / 8, 1e-9);
  CHECK(t->counts.steps < 200);
  walk_track_free(t);
  bench_free(&b);
}

TEST(dry_friction_brings_a_body_to_rest_and_holds_it)
{
  CHECK_NEAR(end_of("coord x\nkinetic x'^2/2\nforce x = -3*sign(x')\ninitial x' = 2\nrun 0 .. 5\n",
                    1e-12, "x", WALK_DONE),
             2.0 / 3, 1e-12);
  // swings of a spring lose 0.3 each; it rests where the spring is weaker than the friction
  CHECK_NEAR(
      end_of("coord x\nkinetic x'^2/2\npotential x^2/2\nforce x = -0.15*sign(x')\ninitial x = 1\n"
             "run 0 .. 20\n",
             1e-12, "x", WALK_DONE),
      -0.1, 1e-11);
}

TEST(a_growing_force_overcomes_friction_when_it_is_large_enough)
{
  CHECK_NEAR(end_of("coord x\nkinetic x'^2/2\nforce x = t - 3*sign(x')\nrun 0 .. 5\n", 1e-12, "x",
                    WALK_DONE),
             8.0 / 6, 1e-11);
}

TEST(bounces_that_accumulate_end_the_run_there)
{
  bench b = bench_text("param e = 0.8\ncoord y\nkinetic y'^2/2\npotential 9.81*y\ninitial y = 1\n"
                       "event hit: y = 0 falling { set y' = -e*y' }\nrun 0 .. 30\n");
  walk_track* t = bench_run(&b, 1e-11, 0, NULL);
  // fall + 2 fall (e + e^2 + ...) = fall (1 + e) / (1 - e)
  CHECK_INT(t->status, WALK_UNFINISHED);
  CHECK_NEAR(t->t_reached, sqrt(2 / 9.81) * 9, 1e-6);
  CHECK(strstr(t->reason, "hit") != NULL);
  walk_track_free(t);
  bench_free(&b);
}

TEST(an_event_crossed_by_a_jump_happens)
{
  bench b = bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint floor: y = 0\n"
                       "force y = -5 + 8*step(t - 1)\ninitial x' = 1\n"
                       "event off: reaction(floor) = 0 falling stop\nrun 0 .. 3\n");
  walk_track* t = bench_run(&b, 1e-11, 0, NULL);
  CHECK_INT(t->status, WALK_STOPPED);
  CHECK_NEAR(t->t_reached, 1, 1e-12);
  walk_track_free(t);
  bench_free(&b);
}

TEST(a_parallelogram_passes_its_change_point)
{
  static const char text[] =
      "coord a, b, c\nframe A = world rotated z(a)\nframe B = world at (2, 0, 0) rotated z(b)\n"
      "frame C = A at (1, 0, 0) rotated z(c)\nrod ra mass 1 from (0, 0, 0) to (1, 0, 0) in A\n"
      "rod rb mass 1 from (0, 0, 0) to (1, 0, 0) in B\nrod rc mass 2 from (0, 0, 0) to (2, 0, 0) "
      "in C\n"
      "point q1 = (2, 0, 0) in C\npoint q2 = (1, 0, 0) in B\n"
      "constraint lx: pos(q1).x - pos(q2).x = 0\nconstraint ly: pos(q1).y - pos(q2).y = 0\n"
      "initial a = 1\ninitial b ~ 1\ninitial c ~ -1\ninitial a' = 3\nrun 0 .. 3\n";
  const double tolerances[] = {1e-8, 1e-10, 1e-12};
  for (int i = 0; i < 3; i++) CHECK_NEAR(end_of(text, tolerances[i], "b", WALK_DONE), 10, 1e-6);
}

TEST(a_motion_of_micrometres_keeps_its_digits)
{
  const double x =
      end_of("coord x\nkinetic x'^2/2\npotential x^2/2\ninitial x = 1e-7\nrun 0 .. 10\n", 1e-10,
             "x", WALK_DONE);
  CHECK_NEAR(x / 1e-7, cos(10), 1e-8);
}

TEST(a_constraint_that_later_contradicts_the_others_ends_the_run)
{
  bench b =
      bench_text("coord x, y\nkinetic x'^2 + y'^2\nconstraint c: x = sin(t)\nconstraint d: x = t\n"
                 "run 0 .. 1\n");
  walk_track* t = bench_run(&b, 1e-10, 0, NULL);
  CHECK_INT(t->status, WALK_UNFINISHED);
  CHECK(strstr(t->reason, "`d`") != NULL);
  // the motion ends where both are still met, before the place at which they are not
  double when = NAN;
  CHECK(sscanf(t->reason, "at t = %lf", &when) == 1 && t->t_reached < when);
  CHECK_NEAR(sin(t->t_reached), t->t_reached, 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

// A bead on the curve y = x |x|/L, which bends at the origin but does not jump: in any unit of
// length it goes through, and the energy v^2/2 + g y tells its speed.
TEST(a_constraint_with_a_corner_along_the_motion_is_passed_at_any_size)
{
  for (double L = 1e-6; L < 1e7; L *= 1e3) {
    char text[400];
    snprintf(text, sizeof text,
             "param L = %.17g\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential L*y\n"
             "constraint wire: y = x*abs(x)/L\ninitial x = -L\ninitial x' = 2*L\nrun 0 .. 1\n",
             L);
    bench b = bench_text(text);
    walk_track* t = bench_run(&b, 1e-10, 0, NULL);
    CHECK(t && t->status == WALK_DONE);
    if (t) {
      const int last = t->table.rows - 1;
      const double x = bench_value(t, last, "x") / L, y = bench_value(t, last, "y") / L;
      const double vx = bench_value(t, last, "x'") / L, vy = bench_value(t, last, "y'") / L;
      CHECK(x > 0.1);
      CHECK_NEAR(y, x * x, 1e-8);
      // before: v = (2, 4), y = -1
      CHECK_NEAR((vx * vx + vy * vy) / 2 + y, 10 - 1, 1e-7);
    }
    walk_track_free(t);
    bench_free(&b);
  }
}

// a force that jumps at the place of the start acts on the side to which the motion goes
TEST(a_start_on_a_corner_takes_the_side_of_the_motion)
{
  for (int way = -1; way <= 1; way += 2)
    for (int pull = -1; pull <= 1; pull += 2)
      for (int beside = 0; beside < 2; beside++) {
        char text[400];
        // the force is 1 + 0.5 sign(x) away from or towards the origin
        snprintf(text, sizeof text,
                 "coord x\nkinetic x'^2/2\nforce x = %d*(0.25 + 0.5*sign(x))\ninitial x = 0\n"
                 "initial x' = %d\n%srun 0 .. 1\n",
                 pull, way, beside ? "coord z\nkinetic z'^2/2\nconstraint floor: z >= 0\n" : "");
        const double a = pull * (0.25 + 0.5 * way);
        CHECK_NEAR(end_of(text, 1e-12, "x", WALK_DONE), way + a / 2, 1e-10);
      }
}

// A force that begins where a floor is never acts above it: after the blow at this place the motion
// is that of the body without it, in one coordinate and where the corner is a function of others.
TEST(a_corner_at_a_floor_is_left_on_the_side_of_the_blow)
{
  static const char* const force[] = {"40*max(0, 0.3 - y)", "if(y < 0.3, 40, 0)",
                                      "20*abs(y - 0.3) - 20*(y - 0.3)"};
  for (int i = 0; i < 3; i++) {
    char text[200];
    snprintf(text, sizeof text,
             "coord y\nkinetic y'^2/2\nforce y = -9.81 + %s\n"
             "constraint floor: y >= 0.3 with restitution 0.5\ninitial y = 1.3\nrun 0 .. 0.7\n",
             force[i]);
    const double fall = sqrt(2 / 9.81), up = 0.7 - fall;
    CHECK_NEAR(end_of(text, 1e-12, "y", WALK_DONE),
               0.3 + 0.5 * 9.81 * fall * up - 9.81 / 2 * up * up, 1e-11);
  }
  double a[2];
  for (int i = 0; i < 2; i++) {
    char text[400];
    snprintf(
        text, sizeof text,
        "coord a\nparticle P mass 1 = (cos(a), sin(a), 0) in world\ngravity (0, -9.81, 0)\n%s"
        "constraint floor: pos(P).y >= -0.7 with restitution 0.5\ninitial a = 0.3\nrun 0 .. 1.2\n",
        i ? "force (0, 40*max(0, -0.7 - pos(P).y), 0) in world at P\n" : "");
    a[i] = end_of(text, 1e-12, "a", WALK_DONE);
  }
  CHECK_NEAR(a[1], a[0], 1e-10);
}

// Friction that fades, as where its pressure vanishes, lets go before that, however small the force
// on the body and however long the step: x'' = F - cos t sign(x') from cos t = F on.
TEST(friction_that_fades_within_a_step_lets_go)
{
  static const double given[] = {0.3, 0.01, 1e-3, 1e-5};
  for (int i = 0; i < 4; i++)
    for (int way = -1; way <= 1; way += 2) {
      const double F = given[i], t = acos(F), T = 3;
      char text[200];
      snprintf(text, sizeof text,
               "coord x\nkinetic x'^2/2\nforce x = %.17g - cos(t)*sign(x')\nrun 0 .. 3\n", way * F);
      CHECK_NEAR(end_of(text, 1e-12, "x'", WALK_DONE), way * (F * (T - t) - sin(T) + sin(t)),
                 1e-10);
    }
}

// A speed that is led away from zero, s^8 (1/20 - s) after s seconds, holds sign(x') until it is
// more than rounding of the speeds of the run. When that is does not depend on where time begins.
TEST(a_corner_that_is_held_leaves_at_the_same_time_in_any_count_of_time)
{
  double y[3];
  for (int k = 0; k < 3; k++) {
    const double starts = 2 * k - 3;
    char text[300];
    snprintf(text, sizeof text,
             "param T = %g\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n"
             "constraint led: x = (t - T)^9/180 - (t - T)^10/10\nforce y = sign(x')\n"
             "run T .. T + 1\n",
             starts);
    bench b = bench_text(text);
    const double at[] = {starts + 1};
    walk_track* t = bench_run(&b, 1e-10, 1, at);
    y[k] = bench_value(t, 0, "y'");
    walk_track_free(t);
    bench_free(&b);
  }
  CHECK(y[0] < -0.8);
  CHECK_NEAR(y[1], y[0], 1e-11);
  CHECK_NEAR(y[2], y[0], 1e-11);
}

// x = (w - t)^2 touches zero at t = w, where its force turns round and leads it below: two corners
// at one instant, and the force of one decides about the other. y is pushed while x > 0, up to w.
TEST(a_corner_is_passed_where_another_turns_the_motion_through_it)
{
  static const double when[] = {1, 0.7, 0.37, 1.1, 2.3, 0.13};
  for (int k = 0; k < 6; k++) {
    char text[300];
    snprintf(text, sizeof text,
             "param w = %g\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = if(t < w, 2, -2)\n"
             "force y = step(x)\ninitial x = w^2\ninitial x' = -2*w\nrun 0 .. 2*w\n",
             when[k]);
    bench b = bench_text(text);
    const double at[] = {2 * when[k]};
    walk_track* t = bench_run(&b, 1e-10, 1, at);
    CHECK_TEXT(t->doubt, "");
    // it touches zero but for rounding, of which the time is the root
    CHECK_NEAR(bench_value(t, 0, "y'"), when[k], 1e-7);
    CHECK_NEAR(bench_value(t, 0, "x"), -when[k] * when[k], 1e-12);
    walk_track_free(t);
    bench_free(&b);
  }
}

// ---- jumps that bounces pass --------------------------------------------------------------------

// A body falls, bounces and slides, with dry friction c against its fall: up by g + c, down by
// g - c. It comes back with r = sqrt((g - c)/(g + c)) of its speed, so all of its impacts press
// with (1 + e) (w + r e w/(1 - e r)), w that of the first, until they end; then by g - c.
static void slides_while_it_bounces(double c, double e)
{
  const double g = 10, mu = 0.2, w = sqrt(2 * (g - c)), r = sqrt((g - c) / (g + c)),
               all = (1 + e) * w * (1 + r * e / (1 - e * r)),
               rests = w / (g - c) + e * w * (1 / (g + c) + r / (g - c)) / (1 - e * r);
  char text[400];
  snprintf(text, sizeof text,
           "gravity (0, 0, -10)\ncoord x, z\nparticle p mass 1 = (x, 0, z) in world\n"
           "force z = -%.17g*sign(z')\nconstraint c: z >= 0 with restitution %.17g with friction "
           "0.2\ninitial z = 1\ninitial x' = 9\nrun 0 .. 3\n",
           c, e);
  bench b = bench_text(text);
  const double at[] = {3};
  walk_track* t = bench_run(&b, 1e-11, 1, at);
  CHECK(t && t->status == WALK_DONE && rests < 3);
  if (t) CHECK_NEAR(bench_value(t, 0, "x'"), 9 - mu * (all + (g - c) * (3 - rests)), 1e-9);
  walk_track_free(t);
  bench_free(&b);
}

TEST(friction_that_every_bounce_passes_acts_with_its_mean_in_the_last_of_them)
{
  slides_while_it_bounces(2, 0.5);
  slides_while_it_bounces(0.5, 0.6);
  slides_while_it_bounces(5, 0.7);
}

// A mass whose ways are coupled, M = (1 c; c 1), bounces with dry friction k against its fall, and
// maybe h against its slip, and each of its impacts brings the slip to rest. In flight it gains
// slip, now to one side and then to the other: none of that is the side of its friction. At the
// limit it rests, or begins to slip with nothing, where f is more than h + mu (g - k): the floor
// bears what k does not. h may act on a mass that is geared to the slip, as a part of its inertia:
// what holds that and the gear leave the contact nothing to hold.
typedef struct sticky
{
  double c, k, f, mu, e, h;
  double limit, x, a; // of the bounces, and what comes then
} sticky;

static const double falling = 10;

typedef struct flight
{
  double t, x, vx, y, vy;
} flight;

// one bounce that begins with vy = 1, piece by piece; t: nan where it does not come down
static flight fly(const sticky* s)
{
  flight w = {.vy = 1};
  const double D = 1 - s->c * s->c;
  for (bool landed = false; !landed && isfinite(w.t);) {
    const bool rises = w.vy > 0;
    const double Fy = rises ? -falling - s->k : -falling + s->k, push = -s->f - s->c * Fy,
                 way = (w.vx != 0 ? w.vx : push) > 0 ? 1 : -1, Fx = -s->f - s->h * way;
    const bool held = w.vx == 0 && fabs(push) <= s->h;
    const double ax = held ? 0 : (Fx - s->c * Fy) / D, ay = held ? Fy : (Fy - s->c * Fx) / D,
                 turns = w.vx * ax < 0 ? -w.vx / ax : INFINITY,
                 ends = rises ? -w.vy / ay : -(w.vy + sqrt(w.vy * w.vy - 2 * ay * w.y)) / ay,
                 passed = !(ay < -0.5) ? NAN : fmin(turns, ends);
    landed = !rises && ends <= turns;
    w.t += passed;
    w.x += passed * (w.vx + ax * passed / 2);
    w.y += passed * (w.vy + ay * passed / 2);
    w.vx = turns <= ends ? 0 : w.vx + ax * passed;
    w.vy = rises && ends <= turns ? 0 : w.vy + ay * passed;
  }
  return w;
}

// with h up to `braked`; false: not all impacts stick, or it is all but at the bound of friction
static bool draw_sticky(uint64_t* seed, double braked, sticky* s)
{
  double* const to[] = {&s->c, &s->k, &s->f, &s->mu, &s->e, &s->h};
  static const double most[][2] = {{-0.8, 0.8}, {0.3, 6}, {-8, 8}, {0.2, 1.2}, {0.3, 0.8}, {0, 1}};
  for (int i = 0; i < 6; i++) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    *to[i] = most[i][0] + (most[i][1] - most[i][0]) * (double)(*seed >> 11) * 0x1p-53;
  }
  s->h *= braked;
  const flight w = fly(s);
  const double g = falling, c = s->c, f = s->f, mu = s->mu, back = -w.vy, e = s->e,
               blow = (e + 1) * back - c * w.vx, rub = c * (e + 1) * back - w.vx,
               bears = s->h + mu * (g - s->k);
  s->limit = w.t / (1 - e * back);
  s->x = w.x / (1 - e * back * e * back);
  s->a = 0;
  if (!(s->limit < 2) || !(fabs(rub) < 0.95 * mu * blow)) return false;
  if (fabs(fabs(f) - bears) < 0.02 * bears) return false;
  if (fabs(f) < bears) return true;
  const double way = f > 0 ? -1 : 1, left = f + way * s->h,
               N = (g - s->k - c * left) / (1 + way * mu * c);
  s->a = -left - way * mu * N;
  return N > 0.3 && s->a * way > 0;
}

TEST(friction_that_sticks_in_every_bounce_holds_until_their_limit_beside_another)
{
  uint64_t seed = 1;
  int slips = 0;
  for (int found = 0; found < 120;) {
    sticky s;
    char text[800];
    const bool geared = found % 3 == 1;
    if (!draw_sticky(&seed, geared ? 6 : found % 3 == 0, &s)) continue;
    const int n = snprintf(
        text, sizeof text,
        "coord %s\nkinetic (%g*x'^2 + y'^2)/2 + %.17g*x'*y'\nforce x = %.17g - %.17g*sign(x')\n"
        "force y = -10 - %.17g*sign(y')\nconstraint floor: y >= 0 with restitution %.17g with "
        "friction %.17g along x\ninitial x = 0\ninitial y = 0\ninitial x' = 0\ninitial y' = 1\n"
        "run 0 .. 3\n",
        found % 2 ? "x, y" : "y, x", geared ? 0.75 : 1, s.c, -s.f, geared ? 0 : s.h, s.k, s.e,
        s.mu);
    if (geared)
      snprintf(text + n, sizeof text - (size_t)n,
               "coord z\nkinetic z'^2/2\nforce z = -%.17g*sign(z')\nconstraint gear: z = x/2\n",
               2 * s.h);
    bench b = bench_text(text);
    const double at[] = {3}, left = 3 - s.limit;
    walk_track* t = bench_run(&b, 1e-11, 1, at);
    const walk_happening* last = t && t->happenings ? &t->happening[t->happenings - 1] : NULL;
    if (!last || strcmp(walk_happening_name(t, last), "rest of floor"))
      check_fail(__FILE__, __LINE__, "something else than rest ends the bounces of\n%s", text);
    if (last) CHECK_NEAR(last->t, s.limit, 1e-11);
    if (t) CHECK_NEAR(bench_value(t, 0, "x"), s.x + s.a * left * left / 2, 1e-9);
    if (t) CHECK_NEAR(bench_value(t, 0, "x'"), s.a * left, 1e-9);
    walk_track_free(t);
    bench_free(&b);
    slips += s.a != 0;
    found++;
  }
  CHECK(slips > 2 && slips < 60);
}

// One that goes along a slope (s 1) has no way to slip that its surface leaves: at the limit its
// friction has nothing to hold.
static void falls_along_a_slope(double slope, double k, double mu, double e)
{
  char text[400];
  snprintf(text, sizeof text,
           "coord q\nparticle P mass 1 = (%.17g*q, q, 0)\ngravity (0, -10, 0)\n"
           "force q = -%.17g*sign(q')\nconstraint floor: pos(P).y >= 0 with restitution %.17g with "
           "friction %.17g\ninitial q = 0\ninitial q' = 1\nrun 0 .. 3\n",
           slope, k, e, mu);
  bench b = bench_text(text);
  const double at[] = {3}, mass = 1 + slope * slope, up = (10 + k) / mass, down = (10 - k) / mass,
               limit = (1 / up + 1 / sqrt(up * down)) / (1 - e * sqrt(down / up));
  walk_track* t = bench_run(&b, 1e-11, 1, at);
  CHECK(t && t->status == WALK_DONE);
  const walk_happening* last = t && t->happenings ? &t->happening[t->happenings - 1] : NULL;
  CHECK(last && !strcmp(walk_happening_name(t, last), "rest of floor"));
  if (last) CHECK_NEAR(last->t, limit, 1e-11);
  if (t) CHECK_NEAR(bench_value(t, 0, "q'"), 0, 1e-14);
  walk_track_free(t);
  bench_free(&b);
}

TEST(friction_of_a_contact_that_holds_all_by_its_pressure_does_not_hold_beside_it)
{
  falls_along_a_slope(0.5, 1, 0.2, 0.1);
  falls_along_a_slope(-0.5, 5, 0.5, 0.22);
  falls_along_a_slope(2, 1, 0.2, 0.1);
  falls_along_a_slope(2, 5, 0.2, 0.7);
}
