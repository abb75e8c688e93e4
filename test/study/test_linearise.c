// Linear models about a state: closed forms, published matrices, differences of the accelerations.
#include "walk/bench.h"
#include <stdio.h>

#include "check.h"

#include <math.h>
#include <string.h>

static study_linearised* linearise(bench* b, study_where where, int inputs,
                                   const char* const* input, int outputs, const char* const* output)
{
  const study_linearise_options o = {
      .where = where, .inputs = inputs, .outputs = outputs, .input = input, .output = output};
  study_linearised* r = b->system ? study_linearise(b->system, &o, b->notes) : NULL;
  if (!r) check_fail(__FILE__, __LINE__, "%s", bench_first_error(b));
  return r;
}

static void are_near(int n, const double* got, const double* want, double allowed)
{
  for (int i = 0; i < n; i++) CHECK_NEAR(got[i], want[i], allowed);
}

// M = 2, m = 0.5, l = 0.7, g = 9.81:  x'' = (u - m g th)/M ..., th'' = ((M + m) g th - u)/(M l)
static const char cart_pole[] =
    "param M = 2, m = 0.5, l = 0.7, g = 9.81, u = 0\ncoord x, th\n"
    "particle C mass M = (x, 0, 0)\nparticle P mass m = (x + l*sin(th), l*cos(th), 0)\n"
    "gravity (0, -g, 0)\nforce x = u\noutput tip = pos(P).x\noutput a = x''\ninitial th ~ 0.05\n";

TEST(a_cart_with_a_pole_at_rest)
{
  bench b = bench_text(cart_pole);
  const char* const input[] = {"u", "th"};
  const char* const output[] = {"tip", "a", "th'"};
  study_linearised* r = linearise(&b, STUDY_AT_REST, 2, input, 3, output);
  if (r) {
    const double g = 9.81,
                 A[16] = {0, 0, 1, 0, 0, 0, 0, 1, 0, -0.25 * g, 0, 0, 0, 2.5 * g / 1.4, 0, 0},
                 B[8] = {0, 0, 0, 0, 0.5, -1 / 1.4, -1 / 1.4, 2.5 / (0.5 * 2 * 0.49)},
                 C[12] = {1, 0.7, 0, 0, 0, -0.25 * g, 0, 0, 0, 0, 0, 1},
                 D[6] = {0, 0, 0.5, -1 / 1.4, 0, 0};
    CHECK_INT(r->states, 4);
    are_near(16, r->A, A, 1e-13);
    are_near(8, r->B, B, 1e-13);
    are_near(12, r->C, C, 1e-13);
    are_near(6, r->D, D, 1e-13);
  }
  study_linearised_free(r);
  bench_free(&b);
}

// the same pole held by a constraint: one state less of each, reactions as outputs
TEST(constraints_leave_independent_states)
{
  bench b =
      bench_text("param u = 0\ncoord x, y\nparticle P mass 2 = (x, y, 0)\n"
                 "gravity (0, -9, 0)\nforce (u, 0, 0) at P\nconstraint rod: sqrt(x^2 + y^2) = 3\n"
                 "output N = reaction(rod)\ninitial x ~ 0.1\ninitial y ~ -3\n");
  const char* const input[] = {"u"};
  const char* const output[] = {"x", "y", "x''", "N"};
  study_linearised* r = linearise(&b, STUDY_AT_REST, 1, input, 4, output);
  if (r) {
    const double A[4] = {0, 1, -3, 0}, B[2] = {0, 0.5}, C[8] = {1, 0, 0, 0, -3, 0, 0, 0},
                 D[4] = {0, 0, 0.5, 0};
    CHECK_INT(r->states, 2);
    CHECK(r->state[0] == 0 && r->state[1] == 2);
    are_near(4, r->A, A, 1e-12);
    are_near(2, r->B, B, 1e-12);
    are_near(8, r->C, C, 1e-11);
    are_near(4, r->D, D, 1e-12);
  }
  study_linearised_free(r);
  bench_free(&b);
}

// Meijaard, Papadopoulos, Ruina, Schwab (2007): M q'' + v C1 q' + (g K0 + v^2 K2) q = 0 for lean
// and steer with the matrices of their benchmark
TEST(the_whipple_bicycle_has_its_published_matrices)
{
  static const double M[4] = {80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686},
                      C1[4] = {0, 33.86641391492494, -0.85035641456978, 1.68540397397560},
                      K0[4] = {-80.95, -2.59951685249872, -2.59951685249872, -0.80329488458618},
                      K2[4] = {0, 76.59734589573222, 0, 2.65431523794604};
  bench b = bench_file("whipple_bicycle");
  study_linearised* r = linearise(&b, STUDY_AT_STEADY, 0, NULL, 0, NULL);
  if (r) {
    const double v = r->model->param[model_param_find(r->model, "v")].number, g = 9.81;
    int at[4] = {-1, -1, -1, -1};
    static const char* const name[2] = {"phi", "delta"};
    for (int k = 0; k < r->states; k++)
      for (int j = 0; j < 2; j++) {
        const int i = r->state[k];
        if (strcmp(r->model->coord[i % r->n].name, name[j]) == 0) at[2 * (i >= r->n) + j] = k;
      }
    const double* row[2] = {r->A + at[2] * r->states, r->A + at[3] * r->states};
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++) {
        const double a = M[2 * i] * row[0][at[j]] + M[2 * i + 1] * row[1][at[j]],
                     c = M[2 * i] * row[0][at[2 + j]] + M[2 * i + 1] * row[1][at[2 + j]];
        CHECK_NEAR(a, -g * K0[2 * i + j] - v * v * K2[2 * i + j], 5e-12);
        CHECK_NEAR(c, -v * C1[2 * i + j], 1e-12);
      }
  }
  study_linearised_free(r);
  bench_free(&b);
}

TEST(wrong_linear_models_are_refused)
{
  static const struct
  {
    const char *text, *input, *output, *why;
  } wrong[] = {
      {"coord x\nkinetic x'^2/2\n", "u", "x", "there is no input `u`"},
      {"coord x\nkinetic x'^2/2\n", "x", "y", "there is no output `y`"},
      {"param u = 1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x = u\ninitial x ~ 1\n",
       "u", "y", "the input `u` moves the constraint `c`"},
      {"coord x\nkinetic x'^2/2\nconstraint floor: x >= 0\n", "x", "x",
       "the model has inequalities: its motion is not smooth, and stability is not decided by "
       "linear "
       "equations"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    bench b = bench_text(wrong[i].text);
    const study_linearise_options o = {
        .inputs = 1, .outputs = 1, .input = &wrong[i].input, .output = &wrong[i].output};
    study_linearised* r = study_linearise(b.system, &o, b.notes);
    CHECK(!r);
    CHECK(strstr(bench_first_error(&b), wrong[i].why) != NULL);
    study_linearised_free(r);
    bench_free(&b);
  }
}

// which of two inputs comes first is of no account, nor that another stands beside it
TEST(each_of_two_inputs_is_a_force_or_moves_a_constraint)
{
  static const char text[] = "param u = 0, w = 0, h = 0\ncoord x, y, z\n"
                             "kinetic (x'^2 + y'^2 + z'^2)/2\nforce x = u\nforce z = w\n"
                             "constraint c: x + y = h\n";
  static const char* const input[][2] = {{"u", "w"}, {"w", "u"}, {"h", "u"}, {"u", "h"}};
  for (int k = 0; k < 4; k++) {
    bench b = bench_text(text);
    const study_linearise_options o = {.inputs = 2, .input = input[k]};
    study_linearised* r = b.system ? study_linearise(b.system, &o, b.notes) : NULL;
    CHECK((r != NULL) == (k < 2));
    if (k >= 2) CHECK(strstr(bench_first_error(&b), "the input `h` moves the constraint `c`"));
    // u is shared by x and y, w moves z alone: the rows of rates of the states among them
    double u = 0, w = 0;
    for (int i = 0; r && i < r->states; i++) {
      u = fmax(u, fabs(r->B[2 * i + (k == 1)]));
      w = fmax(w, fabs(r->B[2 * i + (k == 0)]));
    }
    if (r) CHECK_NEAR(u, 0.5, 1e-14);
    if (r) CHECK_NEAR(w, 1, 1e-14);
    study_linearised_free(r);
    bench_free(&b);
  }
}

// ---- starts -------------------------------------------------------------------------------------

static void settles(const char* text, int n, const double* q, const double* v)
{
  bench b = bench_text(text);
  double before[20], at[10], speed[10];
  CHECK(b.system && study_settle(b.system, before, at, speed, b.notes));
  CHECK_TEXT(bench_first_error(&b), "");
  are_near(n, at, q, 1e-10);
  are_near(n, speed, v, 1e-10);
  bench_free(&b);
}

TEST(a_start_at_rest_and_a_steady_one)
{
  const double none[2] = {0, 0}, rest[2] = {0.25, 0}, turns[2] = {0, 4};
  settles("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 2*(x - 1/4)^2 + y^2\ninitial x ~ 3\n"
          "initial y' ~ 2\ninitial rest\n",
          2, rest, none);
  // a conical pendulum: cos(th) = 9/16 at psi' = 4
  const double cone[2] = {acos(9.0 / 16), 0};
  settles("coord th, psi\nkinetic (th'^2 + sin(th)^2*psi'^2)/2\npotential -9*cos(th)\n"
          "initial th ~ 0.9\ninitial psi' = 4\ninitial steady\n",
          2, cone, turns);
}

// A start as it stands where friction holds it, else where the other forces balance.
TEST(a_start_at_rest_beside_friction)
{
  static const char* const block =
      "coord x, y\nparticle P mass 1 = (x, y, 0)\ngravity (0, -10, 0)\n"
      "potential 5*(x - 0.5)^2\nconstraint floor: y >= 0 with friction 0.3\n"
      "initial x ~ %s, y ~ %s\ninitial rest\n";
  const double none[5] = {0, 0, 0, 0, 0}, stays[2] = {0.25, 0}, middle[2] = {0.5, 0};
  char text[400];
  snprintf(text, sizeof text, block, "0.25", "0");
  settles(text, 2, stays, none);
  snprintf(text, sizeof text, block, "0.1", "0");
  settles(text, 2, middle, none);
  snprintf(text, sizeof text, block, "0.1", "2");
  settles(text, 2, middle, none);
  static const char* const rubs = "coord x\nkinetic x'^2/2\npotential 5*(x - 0.5)^2\n"
                                  "force x = -0.3*sign(x')\ninitial x ~ %s\ninitial rest\n";
  const double held[1] = {0.48}, free[1] = {0.5};
  snprintf(text, sizeof text, rubs, "0.48");
  settles(text, 1, held, none);
  snprintf(text, sizeof text, rubs, "0.2");
  settles(text, 1, free, none);
  // a table comes to stand on its three feet
  const double stands[5] = {0, 0, 0, 0, 0};
  settles("coord x, y, z, a, b\nframe B = world at (x, y, z) rotated x(a) y(b)\n"
          "body top mass 3 inertia (1, 1, 1.5) at (0.1, 0.05, 0.4) in B\n"
          "point A = (0.5, 0, 0) in B\npoint C = (-0.4, 0.4, 0) in B\n"
          "point D = (-0.4, -0.4, 0) in B\ngravity (0, 0, -9.81)\n"
          "constraint f: pos(A).z >= 0 with friction 0.5\n"
          "constraint g: pos(C).z >= 0 with friction 0.5\n"
          "constraint h: pos(D).z >= 0 with friction 0.5\n"
          "initial z ~ 0.3, a ~ 0.1, b ~ 0.05\ninitial rest\n",
          5, stands, none);
}

TEST(a_steady_start_beside_a_stop)
{
  // a conical pendulum: cos(th) = 9/16 at psi' = 4; and one that a stop holds below that
  static const char* const text =
      "coord th, psi\nkinetic (th'^2 + sin(th)^2*psi'^2)/2\npotential -9*cos(th)\n"
      "constraint stop: th <= %s\ninitial th ~ 0.7\ninitial psi' = 4\ninitial steady\n";
  const double cone[2] = {acos(9.0 / 16), 0}, stopped[2] = {0.8, 0}, turns[2] = {0, 4};
  char one[300];
  snprintf(one, sizeof one, text, "2");
  settles(one, 2, cone, turns);
  snprintf(one, sizeof one, text, "0.8");
  settles(one, 2, stopped, turns);
}

TEST(a_start_at_rest_finds_what_presses_and_where_states_stay)
{
  // the wall and the floor press, the roof is far; pulled up it is the roof
  const double none[2] = {0, 0}, down[2] = {1, 0}, up[2] = {1, 3}, stays[2] = {0, 0.3};
  static const char* const box =
      "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x - 2)^2 + 0.5*(y - 1)^2\nforce y = %s\n"
      "constraint floor: y >= 0\nconstraint wall: x <= 1\nconstraint roof: y <= 3\n"
      "initial y ~ 1\ninitial rest\n";
  char text[400];
  snprintf(text, sizeof text, box, "-9.81");
  settles(text, 2, down, none);
  snprintf(text, sizeof text, box, "9.81");
  settles(text, 2, up, none);
  // 4 x - 1 = z, z = 0.3; a stop that it does not reach
  const double place[1] = {0.325};
  settles("coord x\nkinetic x'^2/2\npotential 2*x^2 - x\nforce x = z - x'\nstate z = 0\n"
          "rate z = 0.3 - z\nconstraint stop: x <= 5\ninitial rest\n",
          1, place, none);
  bench b = bench_text("coord x\nkinetic x'^2/2\npotential 2*x^2 - x\nforce x = z - x'\n"
                       "state z = 0\nrate z = 0.3 - z\ninitial rest\n");
  double before[8], at[4], speed[4];
  CHECK(b.system && study_settle(b.system, before, at, speed, b.notes));
  are_near(2, speed, stays, 1e-10);
  bench_free(&b);
}

// Outputs of reactions play no part in it, and points of shapes are inequalities like others.
TEST(a_start_at_rest_beside_contacts_of_shapes)
{
  const double none[3] = {0, 0, 0}, lies[3] = {0, 0.1, 0}, leans[1] = {asin(0.45)};
  settles("coord x, y, th\nframe F = world at (x, y, 0) rotated z(th)\n"
          "body b mass 1 inertia (1, 1, 0.01) at (0, 0, 0) in F\ngravity (0, -9.81, 0)\n"
          "contact f: b as box(0.4, 0.2), world as segment with friction 0.5\n"
          "initial y ~ 0.2\ninitial rest\noutput N = reaction(f)\n",
          3, lies, none);
  settles("rod r mass 1 from (0, 0, 0) to (1, 0, 0)\nball foot mass 0.1 radius 0.05\n"
          "joint j: hinge r axis y on world at (0, 0, 0.5) axis y\n"
          "joint w: weld foot on r at (1, 0, 0)\ngravity (0, 0, -9.81)\n"
          "contact c: foot as sphere(0.05), world as plane\ninitial rest\n"
          "output N = reaction(c)\noutput R = reaction(j)\n",
          1, leans, none);
  // two balls in a groove: the heavier below, on both sides, the other on it and on the left
  // of it, 0.2 up along the side from the place of the lower
  const double lean = 0.6, low = 0.1 / cos(lean);
  const double groove[6] = {-0.2 * cos(lean), -low - 0.2 * sin(lean), NAN, 0, -low, NAN};
  bench b = bench_text(
      "frame L = world rotated y(0.6)\nframe R = world rotated y(-0.6)\n"
      "ball a mass 1 radius 0.1\nball b mass 2 radius 0.1\n"
      "joint p: planar a axis y on world axis y\njoint q: planar b axis y on world axis y\n"
      "gravity (0, 0, -9.81)\ncontact c1: a as sphere(0.1), L as plane\n"
      "contact c2: b as sphere(0.1), R as plane\ncontact c3: a as sphere(0.1), b as sphere(0.1)\n"
      "contact c4: a as sphere(0.1), R as plane\ncontact c5: b as sphere(0.1), L as plane\n"
      "initial pos(a).x ~ -0.3, pos(a).z ~ 0.5, pos(b).x ~ 0.1, pos(b).z ~ 0.4\ninitial rest\n");
  double before[12], at[6], speed[6];
  CHECK(b.system && study_settle(b.system, before, at, speed, b.notes));
  for (int i = 0; i < 6; i++)
    if (!isnan(groove[i])) CHECK_NEAR(at[i], groove[i], 1e-10);
  bench_free(&b);
  // upright is farther than the stop
  const double stop[1] = {-0.5};
  settles("rod r mass 1 from (0, 0, 0) to (1, 0, 0)\njoint j: hinge r on world\n"
          "constraint lim: j.angle >= -0.5\ngravity (0, -9.81, 0)\ninitial rest\n"
          "output M = moment(j)\noutput L = reaction(lim)\n",
          1, stop, none);
  // what is delayed was always there
  const double late[1] = {0.25};
  settles("coord x\nkinetic x'^2/2\nforce x = 1 - 3*delay(x, 0.1) - delay(delay(x, 0.2), 0.1)"
          " - delay(x', 0.1)\ninitial rest\noutput d = delay(x, 0.1)\n",
          1, late, none);
  // a rope over two pulleys: its tension is 3 g, and 100 l = 2 g stretches the spring
  const double hang[2] = {-0.5 + 0.02 * 9.81, 1.5 - 0.02 * 9.81};
  settles("box u size (0.1, 0.1, 0.1) mass 1\nbox w size (0.1, 0.1, 0.1) mass 3\n"
          "joint a: slider u on world at (-0.2, 0, 0)\njoint b: slider w on world at (0.2, 0, 0)\n"
          "gravity (0, 0, -9.81)\nrope r: u, (-0.2, 0, 2), (0.2, 0, 2), w length 3.4\n"
          "spring s: from (-0.2, 0, -1) to u stiffness 100 length 0.5\n"
          "initial a.s ~ 0.5, b.s ~ 0.5\ninitial rest\noutput T = reaction(r)\n",
          2, hang, none);
}
