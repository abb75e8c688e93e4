// Linkages that pass positions where their constraints lose rank: every form of writing them, every
// method, every tolerance against the same mechanism in one coordinate, where nothing is singular.
#include "bench.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A four-bar linkage O P Q T: OP = a turns about O, PQ = b, QT = c, T at (d, 0). On its smooth
// branch Q is a known function of the angle q of OP.
typedef struct linkage
{
  const char* name;
  double a, b, c, d;
  const char *Qx, *Qy; // of q
  double q0, w, g;
} linkage;

// parallelogram: Q = P + T. Crossed: its mirror image in the line PT. Deltoid (OP = OT, PQ = QT):
// on the axis of symmetry, at the angle q/2.
#define CROSSED_K "2*(2*(2 - cos(q)))/((2 - cos(q))^2 + sin(q)^2)"
#define DELTOID_R "(cos(q/2) + sqrt(4 - sin(q/2)^2))"
static const linkage linkages[] = {
    {"parallelogram", 1, 2, 1, 2, "cos(q) + 2", "sin(q)", 1, 1.7, 0},
    {"long parallelogram", 1, 3.5, 1, 3.5, "cos(q) + 3.5", "sin(q)", -2, 2.6, 0},
    {"high parallelogram that falls", 2, 1.2, 2, 1.2, "2*cos(q) + 1.2", "2*sin(q)", 1.2, 4, 9.81},
    {"rhombus that falls", 1, 1, 1, 1, "cos(q) + 1", "sin(q)", 1.4, -1, 9.81},
    {"antiparallelogram", 1, 2, 1, 2, "cos(q) + " CROSSED_K "*(2 - cos(q)) - 2",
     "sin(q) - " CROSSED_K "*sin(q)", 1, 1, 0},
    {"deltoid", 1, 2, 2, 1, DELTOID_R "*cos(q/2)", DELTOID_R "*sin(q/2)", 1, 1, 0},
    {"deltoid that falls", 1, 2, 2, 1, DELTOID_R "*cos(q/2)", DELTOID_R "*sin(q/2)", 1, 5, 9.81},
};

enum { room = 4000, forms = 3 };
static const char* const form_name[forms] = {"relative angles", "absolute angles", "points"};

static void reference(const linkage* l, char* text)
{
  snprintf(text, room,
           "coord q\nrod r1 mass 1 from (0, 0, 0) to (%.17g*cos(q), %.17g*sin(q), 0) in world\n"
           "rod r2 mass 2 from (%.17g*cos(q), %.17g*sin(q), 0) to (%s, %s, 0) in world\n"
           "rod r3 mass 1 from (%s, %s, 0) to (%.17g, 0, 0) in world\ngravity (0, %.17g, 0)\n"
           "initial q = %.17g\ninitial q' = %.17g\noutput Px = %.17g*cos(q)\noutput Qx = %s\n"
           "output Qy = %s\nrun 0 .. 5\n",
           l->a, l->a, l->a, l->a, l->Qx, l->Qy, l->Qx, l->Qy, l->d, -l->g, l->q0, l->w, l->a,
           l->Qx, l->Qy);
}

static void by_points(const linkage* l, const double* Q, char* text)
{
  snprintf(text, room,
           "coord x, y, u, v\nrod r1 mass 1 from (0, 0, 0) to (x, y, 0) in world\n"
           "rod r2 mass 2 from (x, y, 0) to (u, v, 0) in world\n"
           "rod r3 mass 1 from (u, v, 0) to (%.17g, 0, 0) in world\ngravity (0, %.17g, 0)\n"
           "constraint c1: x^2 + y^2 = %.17g^2\nconstraint c2: (u - x)^2 + (v - y)^2 = %.17g^2\n"
           "constraint c3: (u - %.17g)^2 + v^2 = %.17g^2\ninitial x = %.17g*cos(%.17g)\n"
           "initial y ~ %.17g\ninitial u ~ %.17g\ninitial v ~ %.17g\n"
           "initial x' = %.17g\noutput Px = x\noutput Qx = u\noutput Qy = v\nrun 0 .. 5\n",
           l->d, -l->g, l->a, l->b, l->d, l->c, l->a, l->q0, l->a * sin(l->q0), Q[0], Q[1],
           -l->a * sin(l->q0) * l->w);
}

// the angle of the second bar against the first or the world, that of the third against the second
// or the world
static void by_angles(const linkage* l, bool relative, const double* Q, char* text)
{
  char second_at[60] = "world at pos(P)", third_at[60] = "world at pos(Q)";
  if (relative) snprintf(second_at, sizeof second_at, "F1 at (%.17g, 0, 0)", l->a);
  if (relative) snprintf(third_at, sizeof third_at, "F2 at (%.17g, 0, 0)", l->b);
  const double P[2] = {l->a * cos(l->q0), l->a * sin(l->q0)};
  const double second = atan2(Q[1] - P[1], Q[0] - P[0]), third = atan2(-Q[1], l->d - Q[0]);
  snprintf(text, room,
           "coord q1, q2, q3\nframe F1 = world rotated z(q1)\n"
           "rod r1 mass 1 from (0, 0, 0) to (%.17g, 0, 0) in F1\npoint P = (%.17g, 0, 0) in F1\n"
           "frame F2 = %s rotated z(q2)\nrod r2 mass 2 from (0, 0, 0) to (%.17g, 0, 0) in F2\n"
           "point Q = (%.17g, 0, 0) in F2\nframe F3 = %s rotated z(q3)\n"
           "rod r3 mass 1 from (0, 0, 0) to (%.17g, 0, 0) in F3\npoint T = (%.17g, 0, 0) in F3\n"
           "gravity (0, %.17g, 0)\nconstraint loop: pos(T) = (%.17g, 0, 0)\ninitial q1 = %.17g\n"
           "initial q2 ~ %.17g\ninitial q3 ~ %.17g\ninitial q1' = %.17g\noutput Px = pos(P).x\n"
           "output Qx = pos(Q).x\noutput Qy = pos(Q).y\nrun 0 .. 5\n",
           l->a, l->a, second_at, l->b, l->b, third_at, l->c, l->c, -l->g, l->d, l->q0,
           relative ? second - l->q0 : second, relative ? third - second : third, l->w);
}

static void write_form(const linkage* l, int form, const double* Q, char* text)
{
  if (form == 2)
    by_points(l, Q, text);
  else
    by_angles(l, form == 0, Q, text);
}

// the reference at its start and end: Px, Qx, Qy
static bool solve(const linkage* l, double* start, double* end)
{
  static const char* const column[] = {"Px", "Qx", "Qy"};
  static const double at[] = {0, 5};
  char text[room];
  reference(l, text);
  bench b = bench_text(text);
  walk_track* t = bench_run(&b, 1e-13, 2, at);
  const bool done = t && t->status == WALK_DONE;
  for (int i = 0; done && i < 3; i++) {
    start[i] = bench_value(t, 0, column[i]);
    end[i] = bench_value(t, 1, column[i]);
  }
  walk_track_free(t);
  bench_free(&b);
  return done;
}

static double off(const walk_track* t, const double* want)
{
  static const char* const column[] = {"Px", "Qx", "Qy"};
  double most = 0;
  for (int i = 0; i < 3; i++)
    most = fmax(most, fabs(bench_value(t, t->table.rows - 1, column[i]) - want[i]));
  return most;
}

// errors of the steps before a position are carried on: some hundred tolerances in five seconds
// (some thousand with the low orders of bdf)
static double allowed(double tolerance, const char* method)
{
  return (strcmp(method, "bdf") == 0 ? 5 : 1) * (500 * tolerance + 2e-10);
}

static void run_one(const linkage* l, int form, const char* text, const char* method,
                    double tolerance, const double* want)
{
  static const double at[] = {0, 5};
  bench b = bench_text(text);
  walk_track* t = b.system ? bench_run_by(&b, method, tolerance, 2, at) : NULL;
  // the corrector of IDA often fails at tight tolerances, wherever the linkage is, and says so
  const bool may_end = strcmp(method, "ida") == 0;
  if (!t)
    check_fail(__FILE__, __LINE__, "%s in %s by %s: %s", l->name, form_name[form], method,
               bench_first_error(&b));
  else if (t->status != WALK_DONE && !may_end)
    check_fail(__FILE__, __LINE__, "%s in %s by %s to %g: %s", l->name, form_name[form], method,
               tolerance, t->reason);
  else if (t->status == WALK_DONE && !(off(t, want) < allowed(tolerance, method)))
    check_fail(__FILE__, __LINE__, "%s in %s by %s to %g is off by %g", l->name, form_name[form],
               method, tolerance, off(t, want));
  walk_track_free(t);
  bench_free(&b);
}

static void run_all(const linkage* l)
{
  static const double tolerances[] = {1e-8, 1e-10, 1e-12};
  static const char* const methods[] = {"dop853", "taylor", "gauss16", "adams", "bdf", "ida"};
  double start[3], end[3];
  char text[room];
  if (!solve(l, start, end)) {
    check_fail(__FILE__, __LINE__, "%s has no reference", l->name);
    return;
  }
  for (int form = 0; form < forms; form++) {
    write_form(l, form, start + 1, text);
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 6; k++) run_one(l, form, text, methods[k], tolerances[i], end);
  }
}

TEST(linkages_pass_their_singular_positions_in_every_form_by_every_method)
{
  for (size_t i = 0; i < sizeof linkages / sizeof *linkages; i++) run_all(&linkages[i]);
}

TEST(rows_do_not_change_how_a_singular_position_is_passed)
{
  static const char* const methods[] = {"dop853", "taylor", "gauss16", "adams"};
  static const int counts[] = {11, 101, 1001};
  const linkage* l = &linkages[2];
  double start[3], end[3], at[1001];
  char text[room];
  CHECK(solve(l, start, end));
  write_form(l, 1, start + 1, text);
  for (int k = 0; k < 4; k++) {
    static const double ends[] = {0, 5};
    bench b = bench_text(text);
    walk_track* few = bench_run_by(&b, methods[k], 1e-10, 2, ends);
    CHECK(few && few->status == WALK_DONE);
    for (int i = 0; i < 3 && few; i++) {
      for (int j = 0; j < counts[i]; j++) at[j] = 5.0 * j / (counts[i] - 1);
      walk_track* many = bench_run_by(&b, methods[k], 1e-10, counts[i], at);
      CHECK(many && many->counts.steps == few->counts.steps);
      CHECK(many && bench_value(many, counts[i] - 1, "Qx") == bench_value(few, 1, "Qx"));
      walk_track_free(many);
    }
    walk_track_free(few);
    bench_free(&b);
  }
}

// A row exactly at the position: accelerations are those of the smooth motion. The coupler must
// turn the second rod, (1/3) q2'' = -1/2 Nm, without a lever: its reaction is infinite there.
TEST(a_row_at_the_position_itself_is_as_good_as_any)
{
  bench b = bench_text("coord q1, q2\nframe F1 = world rotated z(q1)\n"
                       "rod r1 mass 1 from (0, 0, 0) to (1, 0, 0) in F1\n"
                       "frame F2 = world at (2, 0, 0) rotated z(q2)\n"
                       "rod r2 mass 1 from (0, 0, 0) to (1, 0, 0) in F2\n"
                       "point P = (1, 0, 0) in F1\npoint Q = (1, 0, 0) in F2\n"
                       "constraint c: (pos(Q).x - pos(P).x)^2 + (pos(Q).y - pos(P).y)^2 = 4\n"
                       "force q1 = cos(q1)\ninitial q1 = pi - 1\ninitial q2 = pi - 1\n"
                       "initial q1' = 3\noutput a1 = q1''\noutput a2 = q2''\nrun 0 .. 3\n");
  // 2/3 q'' = cos q: the instant of q = pi by another run, in one coordinate
  bench one = bench_text("coord q\nkinetic q'^2/3\nforce q = cos(q)\ninitial q = pi - 1\n"
                         "initial q' = 3\nevent there: q = pi report\nrun 0 .. 3\n");
  walk_track* alone = bench_run(&one, 1e-13, 0, NULL);
  CHECK(alone && alone->happenings == 1);
  const double at[] = {0, alone ? alone->happening[0].t : 1};
  walk_track* t = bench_run(&b, 1e-12, 2, at);
  CHECK(t && t->status == WALK_DONE);
  if (t) {
    CHECK_NEAR(bench_value(t, 1, "q1"), 3.14159265358979323846, 1e-11);
    CHECK_NEAR(bench_value(t, 1, "a1"), -1.5, 1e-8);
    CHECK_NEAR(bench_value(t, 1, "a2"), -1.5, 1e-8);
    CHECK(isnan(bench_value(t, 1, "reaction.c")));
  }
  walk_track_free(t);
  walk_track_free(alone);
  bench_free(&one);
  bench_free(&b);
}

// Five equal rods of 1 kg and 1 m in two rhombi, all cranks at one angle, (c, s) their direction.
// The energy gives w^2 = q'^2 and w' = q''; the middle of a coupler moves like the crank's end, so
// that its two joints carry (5/6) a + g together, and the reaction of the outer crank's length is
//   ((5/6) ay + g)/(2 s):
// without bounds where all rods lie in one line, in proportion to 1/s.
static double crank_reaction(double c, double s)
{
  const double g = 9.81, w2 = (1.5 + 3.5 * g * (1 - s)) * 2 / 3, w1 = -3.5 * g * c / 3;
  return (5.0 / 6 * (w1 * c - w2 * s) + g) / (2 * s);
}

TEST(reactions_grow_towards_a_singular_position_as_they_must)
{
  static const char* const methods[] = {"dop853", "taylor", "gauss16"};
  enum { rows = 201 };
  double at[rows];
  for (int i = 0; i < rows; i++) at[i] = 0.05 * i;
  for (int k = 0; k < 3; k++) {
    bench b = bench_file("four_bars");
    walk_track* t = bench_run_by(&b, methods[k], 1e-10, rows, at);
    CHECK(t && t->status == WALK_DONE);
    int near = 0;
    for (int i = 0; t && i < rows; i++) {
      const double s = bench_value(t, i, "y0");
      const double want = crank_reaction(bench_value(t, i, "x0"), s);
      near += fabs(s) < 0.1;
      CHECK_NEAR(bench_value(t, i, "reaction.bar_a0"), want, 1e-8 * (1 + fabs(want)));
    }
    CHECK(near > 5);
    walk_track_free(t);
    bench_free(&b);
  }
}

static void ends_with(const char* text, const char* words, double when)
{
  static const char* const methods[] = {"dop853", "taylor", "adams"};
  for (int k = 0; k < 3; k++) {
    bench b = bench_text(text);
    walk_track* t = bench_run_by(&b, methods[k], 1e-10, 0, NULL);
    CHECK(t && t->status == WALK_UNFINISHED);
    if (t && !strstr(t->reason, words))
      check_fail(__FILE__, __LINE__, "%s: %s", methods[k], t->reason);
    if (t) CHECK_NEAR(t->t_reached, when, 0.02 * when);
    walk_track_free(t);
    bench_free(&b);
  }
}

TEST(a_driven_mechanism_ends_at_its_dead_position)
{
  ends_with("coord a, b, s\nframe A = world rotated z(a)\n"
            "rod r1 mass 1 from (0, 0, 0) to (1, 0, 0) in A\n"
            "frame B = A at (1, 0, 0) rotated z(b)\n"
            "rod r2 mass 1 from (0, 0, 0) to (1.5, 0, 0) in B\npoint E = (1.5, 0, 0) in B\n"
            "constraint c: pos(E) = (s, 0, 0)\nconstraint drive: s = 2 + t\ninitial a ~ 0.7\n"
            "initial b ~ -1.2\ninitial s ~ 2\nrun 0 .. 2\n",
            "a dead position", 0.5);
}

TEST(where_branches_touch_the_run_ends_and_says_so)
{
  // along y = x^2 with the speed sqrt(5): the length from -1 to 0 is (2 sqrt(5) + asinh(2))/4
  ends_with("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: y*(y - x^2) = 0\ninitial x = -1\n"
            "initial y = 1\ninitial x' = 1\nrun 0 .. 3\n",
            "a singular position: the constraints `c` lose rank",
            (2 * sqrt(5) + asinh(2)) / 4 / sqrt(5));
}

// held to the floor by its contact, a body is led through gimbal lock of its angles
TEST(where_angles_fold_the_run_ends_and_names_them)
{
  ends_with("coord al, be, ga\nframe F = world rotated x(al) y(be) z(ga)\n"
            "body B mass 1.38 inertia (0.149, 0.079, 0.192) at (0, 0, 0.23) in F\n"
            "point E = (0, 0, 0.51) in F\npoint S = (0.41, 0, 0.23) in F\n"
            "initial rotation(F) = z(-0.82) x(1.19) z(-0.57)\n"
            "initial omega(F) = (0.04, -2.97, -1.91)\n"
            "force (-0.49, 0.61*sin(1.34*t), 0) in world at S\n"
            "constraint floor: pos(E).z >= 0\nrun 0 .. 1.01\n",
            "the coordinates `al`, `ga` move the same there", 0.2937);
}

// of a linkage that misses its change points by little no step is taken for noise
TEST(positions_that_are_nearly_met_cost_no_digits)
{
  static const char* const methods[] = {"dop853", "taylor", "gauss16"};
  const char* text = "coord q1, q2, q3\nframe F1 = world rotated z(q1)\n"
                     "rod r1 mass 1 from (0, 0, 0) to (1, 0, 0) in F1\n"
                     "frame F2 = F1 at (1, 0, 0) rotated z(q2)\n"
                     "rod r2 mass 2 from (0, 0, 0) to (2, 0, 0) in F2\n"
                     "frame F3 = F2 at (2, 0, 0) rotated z(q3)\n"
                     "rod r3 mass 1 from (0, 0, 0) to (1.00001, 0, 0) in F3\n"
                     "point T = (1.00001, 0, 0) in F3\nconstraint loop: pos(T) = (2, 0, 0)\n"
                     "initial q1 = 1\ninitial q2 ~ -1\ninitial q3 ~ -2.1\ninitial q1' = -1\n"
                     "run 0 .. 4\n";
  for (int k = 0; k < 3; k++) {
    bench b = bench_text(text);
    walk_track* t = bench_run_by(&b, methods[k], 1e-10, 0, NULL);
    CHECK(t && t->status == WALK_DONE);
    printf("# %s: %.1e of the energy\n", methods[k], t->energy_balance / t->energy_scale);
    CHECK(fabs(t->energy_balance) < 1e-9 * t->energy_scale);
    walk_track_free(t);
    bench_free(&b);
  }
}

// phi = 2 sin(x/L) and another curve that touches it at the origin, both along phi' = 2 x'/L
TEST(the_branch_at_a_singular_position_is_told_in_any_unit_and_order)
{
  static const char* const order[] = {"x, phi", "phi, x"};
  static const double length[] = {1e3, 1, 1e-3, 1e-6};
  for (int k = 0; k < 8; k++) {
    const double L = length[k / 2];
    char text[400];
    snprintf(text, sizeof text,
             "param L = %g\ncoord %s\nkinetic (x'^2/L^2 + phi'^2)/2\n"
             "constraint c: (phi - 2*sin(x/L))*(phi - 2*sin(x/L) - (x/L)^2) = 0\n"
             "initial x = -0.5*L\ninitial phi ~ -0.7\ninitial x' = L\nrun 0 .. 3\n",
             L, order[k % 2]);
    bench b = bench_text(text);
    walk_track* t = bench_run(&b, 1e-10, 0, NULL);
    CHECK(t && t->status == WALK_UNFINISHED);
    static const char* const told[] = {"1 branch is there: (x' = 1, phi' =",
                                       "1 branch is there: (phi' = 1, x' ="};
    const char* at = t ? strstr(t->reason, told[k % 2]) : NULL;
    CHECK(at);
    // the run ends a little before it
    const double want = k % 2 ? L / 2 : 2 / L;
    if (at) CHECK_NEAR(strtod(at + strlen(told[k % 2]), NULL), want, 5e-3 * want);
    walk_track_free(t);
    bench_free(&b);
  }
}

TEST(a_motion_that_turns_back_or_away_before_a_position_is_not_taken_across)
{
  // nearly a parallelogram: at the first change point it turns into the crossed linkage
  static const double at[] = {0, 10};
  double end[2] = {0};
  const char* text = "coord q1, q2, q3\nframe F1 = world rotated z(q1)\n"
                     "rod r1 mass 1 from (0, 0, 0) to (1, 0, 0) in F1\n"
                     "frame F2 = F1 at (1, 0, 0) rotated z(q2)\n"
                     "rod r2 mass 2 from (0, 0, 0) to (2, 0, 0) in F2\n"
                     "frame F3 = F2 at (2, 0, 0) rotated z(q3)\n"
                     "rod r3 mass 1 from (0, 0, 0) to (1.01, 0, 0) in F3\n"
                     "point T = (1.01, 0, 0) in F3\nconstraint loop: pos(T) = (2, 0, 0)\n"
                     "initial q1 = 1\ninitial q2 ~ -1\ninitial q3 ~ -2.1\ninitial q1' = 1\n"
                     "output E = energy()\nrun 0 .. 10\n";
  static const char* const methods[] = {"dop853", "gauss16"};
  for (int k = 0; k < 2; k++) {
    bench b = bench_text(text);
    walk_track* t = bench_run_by(&b, methods[k], 1e-11, 2, at);
    CHECK(t && t->status == WALK_DONE);
    if (t) CHECK_NEAR(bench_value(t, 1, "E"), bench_value(t, 0, "E"), 1e-8);
    if (t) end[k] = bench_value(t, 1, "q3");
    walk_track_free(t);
    bench_free(&b);
  }
  CHECK_NEAR(end[0], end[1], 1e-7);
}
