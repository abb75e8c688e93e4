// Equilibria that the first order does not decide, and what the energy says of them.
#include "walk/bench.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void decides(const char* text, study_stability_verdict verdict, const char* why)
{
  bench b = bench_text(text);
  study_stability* r = bench_stability(&b, 0);
  if (r && (r->verdict != verdict || !strstr(r->why, why)))
    check_fail(__FILE__, __LINE__, "%s: %s: %s", text, study_stability_word(r->verdict), r->why);
  study_stability_free(r);
  bench_free(&b);
}

TEST(the_lowest_form_of_the_potential_decides)
{
  decides("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^4 + y^4 + x^2*y^2\n", STUDY_STABLE,
          "degree 4 is positive");
  decides("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2/2 - y^4\n", STUDY_UNSTABLE,
          "degree 4 can be negative");
  decides("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential x^4 + y^4 - 3*x^2*y^2 + z^2\n",
          STUDY_UNSTABLE, "degree 4 can be negative");
  decides("coord x\nkinetic x'^2/2\npotential x^3\n", STUDY_UNSTABLE, "degree 3");
  decides("coord x\nkinetic x'^2/2\npotential x^6\nforce x = -x'^3\n", STUDY_STABLE, "degree 6");
  decides("coord x\nkinetic x'^2/2\npotential -x^4\nforce x = -x'\n", STUDY_UNSTABLE,
          "from every motion");
  // (x^2 - y)^2 along y = x^2 is a family; x^4 y^2 alone is neither
  decides("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^4*y^2 + x^2*y^4\n", STUDY_MARGINAL,
          "degree 6 of the energy is not definite");
}

// V = y^2/2 - x^2 y + a x^4: with y at its best (a - 1/2) x^4, whatever a x^4 alone looks like
TEST(other_coordinates_give_way)
{
  decides("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential y^2/2 - x^2*y + 0.51*x^4\n", STUDY_STABLE,
          "degree 4 is positive");
  decides("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential y^2/2 - x^2*y + 0.49*x^4\n",
          STUDY_UNSTABLE, "degree 4 can be negative");
  // the same as a wire
  decides("coord x, y\nparticle P mass 1 = (x, y, 0) in world\ngravity (0, -9.81, 0)\n"
          "constraint wire: y = x^4 - 2*x^6\n",
          STUDY_STABLE, "degree 4 is positive");
}

// zeros of a degenerate equilibrium are eigenvalues, not a family
TEST(a_degenerate_equilibrium_is_no_family)
{
  bench b = bench_text("coord th\nkinetic (th'^2 + 9*sin(th)^2)/2\npotential -9*cos(th)\n");
  study_stability* r = bench_stability(&b, 0);
  if (r) CHECK(r->family == 0 && r->count == 2 && r->re[0] == 0 && r->re[1] == 0);
  if (r) CHECK(r->verdict == STUDY_STABLE && strstr(r->why, "degree 4") != NULL);
  study_stability_free(r);
  bench_free(&b);
}

// forces of high degree are nothing near by, but no family lies along them
TEST(a_hilltop_of_high_order_is_no_family)
{
  static const int degree[] = {10, 14, 16, 20};
  for (int k = 0; k < 8; k++) {
    char text[200];
    snprintf(text, sizeof text, "coord x\nkinetic x'^2/2\npotential %s*x^%d\n",
             k % 2 ? "-1" : "0.001", degree[k / 2]);
    bench b = bench_text(text);
    study_stability* r = bench_stability(&b, 0);
    CHECK(r && r->family == 0 && r->count == 2);
    CHECK(r && r->verdict == (k % 2 ? STUDY_UNSTABLE : STUDY_STABLE));
    study_stability_free(r);
    bench_free(&b);
  }
  // beyond the series: not decided
  bench b = bench_text("coord x\nkinetic x'^2/2\npotential -x^24\n");
  study_stability* r = bench_stability(&b, 0);
  CHECK(r && r->family == 0 && r->verdict == STUDY_MARGINAL && !strstr(r->why, "least"));
  study_stability_free(r);
  bench_free(&b);
}

// a body turning about its shortest axis: the energy is greatest on the sphere of its momentum
TEST(a_free_body_about_each_axis)
{
  static const char* const spin[3] = {"(1.5, 0, 0)", "(0, 1.5, 0)", "(0, 0, 1.5)"};
  static const char* const why[3] = {"positive real part", "least", "greatest"};
  for (int k = 0; k < 3; k++) {
    char text[300];
    snprintf(text, sizeof text,
             "orientation Q\nframe F = world rotated by Q\n"
             "body S mass 1 inertia (3, 4, 2) at (0, 0, 0) in F\ninitial omega(F, F) = %s\n",
             spin[k]);
    decides(text, k ? STUDY_STABLE : STUDY_UNSTABLE, why[k]);
  }
}

// by Euler's angles, its momentum along z: that about z is a momentum of psi and of the body
TEST(a_free_body_by_angles)
{
  static const char* const why[3] = {"greatest", "positive real part", "least"};
  static const char* const inertia[3] = {"(1, 2, 3)", "(2, 1, 3)", "(3, 2, 1)"};
  for (int k = 0; k < 3; k++) {
    char text[300];
    snprintf(text, sizeof text,
             "coord psi, theta, phi\nframe F = world rotated z(psi) x(theta) z(phi)\n"
             "body S mass 1 inertia %s at (0, 0, 0) in F\n"
             "initial theta = pi/2\ninitial phi = pi/2\ninitial psi' = 1.5\n",
             inertia[k]);
    decides(text, k == 1 ? STUDY_UNSTABLE : STUDY_STABLE, why[k]);
  }
}

TEST(forces_that_only_take_energy)
{
  // one of two is damped, to the third power
  decides("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2 + y^2 + x*y^3\nforce x = -x'^3\n",
          STUDY_STABLE, "only take energy");
  // a ball at the bottom of a bowl, which it rolls in, may turn on the spot for ever
  decides("ball B mass 1 radius 0.1\nroll B as sphere(0.1) on world as sphere(1) inside at c\n"
          "gravity (0, 0, -9.81)\ninitial B.z ~ -0.9\n",
          STUDY_MARGINAL, "least across the family");
  // a force that gives energy proves nothing
  decides("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2 + y^2\nforce x = x'^3\n",
          STUDY_MARGINAL, "does not decide");
}

// Power that is positive near the motion only, or along one direction only, or against a large one:
// no sample need meet it.
TEST(forces_that_give_energy_somewhere)
{
#define ONE "coord x\nkinetic x'^2/2\npotential x^2/2\n"
#define TWO "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2 + 3*y^2/2 + x*y/7\n"
  decides(ONE "force x = 1e-5*x'^3 - x'^5\n", STUDY_UNSTABLE, "oscillations grow");
  decides(ONE "force x = 1e-9*x'^3 - x'^5\n", STUDY_UNSTABLE, "oscillations grow");
  decides(ONE "force x = 1e-11*x'^3\n", STUDY_UNSTABLE, "oscillations grow");
  decides(ONE "force x = (1e-9 - x^2)*x'^3\n", STUDY_UNSTABLE, "oscillations grow");
  decides(TWO "force x = -x'^3\nforce y = 1e-6*y'^5 - y'^7\n", STUDY_MARGINAL, "does not decide");
  decides("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2 + 3*y^2/2\n"
          "force x = -x'\nforce y = 1e-5*y'^3 - y'^5\n",
          STUDY_UNSTABLE, "oscillations grow");
  // smaller than any rounding of what is beside it, and no linear force for that
  decides(ONE "force x = 1e-12*x'^3\n", STUDY_UNSTABLE, "oscillations grow");
  // l1 vanishes: the fifth power decides, which is not looked at
  decides(ONE "force x = 1e-3*x'^5\n", STUDY_MARGINAL, "does not decide");
  // linear, and small
  decides(ONE "force x = 1e-10*x' - x'^3\n", STUDY_UNSTABLE, "positive real part");
}

// a param that stages change is a number meanwhile
TEST(stages_leave_the_power_as_it_is_now)
{
  decides(
      "param k = 1, c = 2\ncoord x\nkinetic x'^2/2\npotential k*x^2/2 + x^4\nforce x = -c*x'^3\n"
      "stage one { until t >= 1 }\nstage two { set k = 4 over 0.5; set c = 1 over 0.5; until t >= "
      "2 }\n",
      STUDY_STABLE, "only take energy");
  decides("param k = 1\ncoord x\nkinetic x'^2/2\npotential k*x^2/2 + x^4\n"
          "stage one { until t >= 1 }\nstage two { set k = 4 over 0.5; until t >= 2 }\n",
          STUDY_STABLE, "potential energy is least (");
}

// bodies that fly apart: nothing holds them, and nothing is proved
TEST(bodies_that_fly_apart_are_not_stable)
{
  decides("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/hypot(x - y, 0.1)\ninitial x = 1e6\n",
          STUDY_MARGINAL, "");
}

// what is proved: by factors, by their common factor, by series
TEST(forces_that_take_energy_for_certain)
{
  decides(ONE "force x = -(2 + x)*x'^3\n", STUDY_STABLE, "only take energy");
  decides(ONE "force x = -exp(x)*x'^3 - x^2*tanh(3*x')\n", STUDY_STABLE, "only take energy");
  // they give it far away
  decides(ONE "force x = -x'^3 + 3e4*x'^5\n", STUDY_STABLE, "only take energy");
  decides(TWO "force x = -(x' - y')^3\nforce y = (x' - y')^3\n", STUDY_STABLE, "only take energy");
  // a damper along a line that turns, one direction being free
  decides("param c = 0.3\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
          "potential x^2 + y^2/2 + 2*z^2\n"
          "force x = -c*cos(z)*(cos(z)*x' + sin(x)*y')\n"
          "force y = -c*sin(x)*(cos(z)*x' + sin(x)*y')\n",
          STUDY_STABLE, "only take energy");
#undef ONE
#undef TWO
}

// ---- one value and many say the same ------------------------------------------------------------

typedef struct tops
{
  int count;
  bench at[200];
} tops;

static study_stability* top_at(void* context, double w, const study_stability* near)
{
  (void)near;
  tops* t = context;
  char text[400];
  snprintf(text, sizeof text,
           "coord a, b, c\nframe F = world rotated x(a) y(b) z(c)\n"
           "body T mass 1 inertia (0.02, 0.02, 0.01) at (0, 0, 0.1) in F\n"
           "gravity (0, 0, -9.81)\ninitial c' = %.17g\n",
           w);
  t->at[t->count] = bench_text(text);
  return bench_stability(&t->at[t->count++], 0);
}

// C^2 w^2 = 4 A m g l with A = 0.03 about the point that is held
TEST(a_sleeping_top_becomes_what_is_said_of_it_alone)
{
  static tops t;
  study_stability* first = top_at(&t, 25, NULL);
  study_scan* s = study_stability_scan(25, 45, 3, first, top_at, &t);
  CHECK(s->criticals == 1);
  CHECK_NEAR(s->critical[0].value, sqrt(4 * 0.03 * 9.81 * 0.1) / 0.01, 1e-6);
  study_stability* alone = top_at(&t, 40, NULL);
  const char* becomes = study_critical_becomes(&s->critical[0]);
  CHECK(alone && becomes && !strcmp(becomes, study_stability_word(alone->verdict)));
  CHECK(alone && alone->verdict == STUDY_STABLE && strstr(alone->why, "Routh"));
  study_stability_free(alone);
  study_scan_free(s);
  study_stability_free(first);
  for (int i = 0; i < t.count; i++) bench_free(&t.at[i]);
}

// Lagrange's triangle point: gyroscopic forces hold it on a hill
TEST(a_hill_is_named)
{
  bench b = bench_text("coord x, y\nkinetic ((x' - y)^2 + (y' + x)^2)/2\n"
                       "potential -0.97/hypot(x + 0.03, y) - 0.03/hypot(x - 0.97, y)\n"
                       "initial x ~ 0.47\ninitial y ~ 0.86\n");
  study_stability* r = bench_stability(&b, 0);
  if (r) {
    // lambda^4 + lambda^2 + 27 mu (1 - mu)/4 = 0
    const double root = sqrt(1 - 27 * 0.03 * 0.97);
    CHECK_NEAR(r->im[3], sqrt((1 + root) / 2), 1e-12);
    CHECK_NEAR(r->im[2], sqrt((1 - root) / 2), 1e-12);
    CHECK(r->verdict == STUDY_STABLE && r->remark && strstr(r->remark, "gyroscopic") != NULL);
  }
  study_stability_free(r);
  bench_free(&b);
}

// Potentials written as forces: the verdicts are those of the energy.
TEST(forces_that_have_a_potential_are_one)
{
  static const char head[] = "coord x, y\nkinetic (x'^2 + y'^2)/2\n";
  static const struct
  {
    const char *forces, *why;
    study_stability_verdict verdict;
  } list[] = {
      {"force x = -x - x^3 - y\nforce y = -x - 2*y", "is least (Lagrange", STUDY_STABLE},
      {"force x = -x - x*y^2\nforce y = -2*y - x^2*y - y'^3", "only take energy", STUDY_STABLE},
      {"force x = x^13\nforce y = -y", "degree 14 can be negative", STUDY_UNSTABLE},
      {"force x = -x^3 + y'\nforce y = -y^3 - x'", "degree 4 is positive", STUDY_STABLE},
      // these have none
      {"force x = -x - y/2\nforce y = -y + x/2", "positive real part", STUDY_UNSTABLE},
      {"force x = -x + x*y\nforce y = -2.1*y - x*y", "forces can give", STUDY_MARGINAL},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    char text[256];
    snprintf(text, sizeof text, "%s%s\n", head, list[i].forces);
    decides(text, list[i].verdict, list[i].why);
  }
}

// The triangular points of three bodies: with x = w1 w2 the determinant of Birkhoff's form is
// (36 - 541 x^2 + 644 x^4)/(8 (4 x^2 - 1)(25 x^2 - 4)) (Deprit and Deprit-Bartholome 1967), which
// vanishes at mu = 0.0109137; there, and where frequencies are as 2 or 3 to 1, nothing is claimed.
TEST(triangular_points_are_kept_by_tori)
{
  static const struct
  {
    double mu;
    study_stability_verdict verdict;
  } list[] = {{0.001, STUDY_STABLE},          {0.01, STUDY_STABLE},
              {0.02, STUDY_STABLE},           {0.038, STUDY_STABLE},
              {0.0109136679, STUDY_MARGINAL}, {0.0135160, STUDY_MARGINAL},
              {0.024293897, STUDY_MARGINAL},  {0.039, STUDY_UNSTABLE}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "param mu = %.17g\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n"
             "let a = hypot(x + mu, y)\nlet b = hypot(x - 1 + mu, y)\n"
             "force x = 2*y' + x - (1 - mu)*(x + mu)/a^3 - mu*(x - 1 + mu)/b^3\n"
             "force y = -2*x' + y - (1 - mu)*y/a^3 - mu*y/b^3\n"
             "initial x = 0.5 - mu\ninitial y = sqrt(3)/2\n",
             list[i].mu);
    bench b = bench_text(text);
    study_stability* r = bench_stability(&b, 0);
    if (r) CHECK(r->verdict == list[i].verdict);
    if (r && list[i].verdict == STUDY_STABLE) {
      const double x2 = 27.0 / 4 * list[i].mu * (1 - list[i].mu);
      const double want = (36 - 541 * x2 + 644 * x2 * x2) / (8 * (4 * x2 - 1) * (25 * x2 - 4));
      const char* at = strstr(r->why, "form is ");
      CHECK(at != NULL);
      if (at) CHECK_NEAR(strtod(at + 8, NULL) / want, 1, 1e-6);
    }
    study_stability_free(r);
    bench_free(&b);
  }
}

// a bead on a turning hoop of w^2 = 16: bottom, top and two between, cos th = g/w^2
TEST(all_equilibria_of_a_hoop)
{
  bench b = bench_text("coord th\nkinetic (th'^2 + 16*sin(th)^2)/2\npotential -9*cos(th)\n");
  const study_stability_options o = {.all = true};
  study_stability* r = study_stability_find(b.system, &o, b.notes);
  CHECK(r && r->verdict == STUDY_UNSTABLE && r->others == 3);
  for (int k = 0; r && k < r->others; k++) {
    const bool between = fabs(r->other[k]->q[0]) < 3;
    CHECK(r->other[k]->verdict == (between ? STUDY_STABLE : STUDY_UNSTABLE));
    if (between) CHECK_NEAR(cos(r->other[k]->q[0]), 9.0 / 16, 1e-12);
  }
  study_stability_free(r);
  bench_free(&b);
}

// The same hoop turning freely, slowly or fast: all are found, none of them twice.
TEST(all_steady_motions_of_a_hoop_that_turns_freely)
{
  for (double W = 4e-3; W < 100; W *= 10) {
    char text[300];
    snprintf(text, sizeof text,
             "coord th, phi\nkinetic (th'^2 + (1 + sin(th)^2)*phi'^2)/2\n"
             "potential -%.17g*cos(th)\ninitial phi' = %.17g\n",
             9.0 / 16 * W * W, W);
    bench b = bench_text(text);
    const study_stability_options o = {.all = true};
    study_stability* r = b.system ? study_stability_find(b.system, &o, b.notes) : NULL;
    CHECK(r && r->others == 3);
    for (int k = 0; r && k < r->others; k++) {
      CHECK_NEAR(r->other[k]->v[1] / W, 1, 1e-9);
      const double c = cos(r->other[k]->q[0]);
      CHECK(fabs(c - 9.0 / 16) < 1e-9 || fabs(fabs(c) - 1) < 1e-9);
    }
    study_stability_free(r);
    bench_free(&b);
  }
}
