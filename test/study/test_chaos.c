// Lyapunov exponents against sums and values that are known, sections against exact returns.
#include "walk/bench.h"

#include "check.h"

#include <math.h>
#include <string.h>

static study_chaos* follow(bench* b, double until, double tolerance, expr section)
{
  const study_chaos_options o = {.until = until, .tolerance = tolerance, .section = section};
  study_chaos* r = b->system ? study_chaos_find(b->system, &o, b->notes) : NULL;
  if (!r) check_fail(__FILE__, __LINE__, "%s", bench_first_error(b));
  return r;
}

// the sum is the divergence, -0.25; the largest 0.11736 +- 0.00018 (4e6 s in another program)
TEST(a_driven_double_well_has_its_exponents)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\nforce x = -0.25*x' + x - x^3 + 0.3*cos(t)\n"
                       "initial x = 0.1\ninitial x' = 0.1\n");
  study_chaos* r = follow(&b, 20000, 1e-9, EXPR_NONE);
  if (r) {
    CHECK_INT(r->exponents, 2);
    CHECK_NEAR(r->value[0] + r->value[1], -0.25, 1e-7);
    CHECK_NEAR(r->value[0], 0.11736, 4 * r->error[0]);
    CHECK(r->error[0] < 0.004 && r->chaotic);
    CHECK_NEAR(r->dimension, 1 + r->value[0] / -r->value[1], 1e-12);
  }
  study_chaos_free(r);
  bench_free(&b);
}

// a linear oscillator: both exponents are minus half the damping
TEST(a_damped_oscillator_has_the_exponents_of_its_eigenvalues)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\npotential 2*x^2\nforce x = -0.3*x'\n"
                       "initial x = 1\n");
  study_chaos* r = follow(&b, 2000, 1e-10, EXPR_NONE);
  if (r) {
    CHECK_NEAR(r->value[0], -0.15, 1e-3);
    CHECK_NEAR(r->value[1], -0.15, 1e-3);
    CHECK(!r->chaotic);
    CHECK_NEAR(r->dimension, 0, 1e-12);
  }
  study_chaos_free(r);
  bench_free(&b);
}

// the double pendulum with rods as constraints: four exponents of eight, in pairs, 1.34 at E = 12.2
TEST(exponents_live_on_the_constraints)
{
  bench b = bench_text(
      "coord x, y, u, v\nkinetic (x'^2 + y'^2 + u'^2 + v'^2)/2\npotential 9.81*(y + v)\n"
      "constraint r1: x^2 + y^2 = 1\nconstraint r2: (u - x)^2 + (v - y)^2 = 1\n"
      "initial x = sin(2)\ninitial y ~ -cos(2)\ninitial u = 2*sin(2)\ninitial v ~ -2*cos(2)\n");
  study_chaos* r = follow(&b, 300, 1e-9, EXPR_NONE);
  if (r) {
    CHECK_INT(r->exponents, 4);
    CHECK_NEAR(r->sum, 0, 0.01);
    CHECK_NEAR(r->value[0] + r->value[3], 0, 0.05);
    CHECK_NEAR(r->value[0], 1.3394, 0.25);
    CHECK(r->chaotic);
  }
  study_chaos_free(r);
  bench_free(&b);
}

// a regular motion is not called chaotic: Kepler's
TEST(changes_that_grow_with_time_are_no_chaos)
{
  bench b = bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/sqrt(x^2 + y^2)\n"
                       "initial x = 1\ninitial y' = 1.1\n");
  study_chaos* r = follow(&b, 2000, 1e-10, EXPR_NONE);
  if (r) CHECK(!r->chaotic);
  study_chaos_free(r);
  bench_free(&b);
}

// Henon and Heiles at E = 1/12: the first, the second, the tenth and the twentieth return to x = 0
// (113 bits)
TEST(returns_to_a_section_are_exact)
{
  static const struct
  {
    int number;
    double t, y, v;
  } want[] = {{1, 6.311759955902215169, 0.1723588468181162266, -0.07374133880060618148},
              {2, 12.62633809136503831, 0.3078743994647878193, -0.08703493045268307171},
              {10, 62.24642821900434314, 0.3147319718705677591, 0.08505391056486615978},
              {20, 124.9341453846973253, 0.2973482861911767669, -0.08938243943188760734}};
  bench b = bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2\n"
                       "potential (x^2 + y^2)/2 + x^2*y - y^3/3\ninitial x = 0\ninitial y = 0.1\n"
                       "initial y' = 0\ninitial x' ~ 0.4\n"
                       "initial x'^2/2 + y^2/2 - y^3/3 = 1/12\n");
  study_chaos* r = follow(&b, 130, 1e-14, b.model ? b.model->coord[0].q : EXPR_NONE);
  if (r) {
    CHECK_INT(r->points, 20);
    for (int k = 0; k < 4 && r->points == 20; k++) {
      const double* p = r->point + (want[k].number - 1) * 5;
      CHECK_NEAR(p[0], want[k].t, 1e-11);
      CHECK_NEAR(p[1], 0, 1e-12);
      CHECK_NEAR(p[2], want[k].y, 1e-11);
      CHECK_NEAR(p[4], want[k].v, 1e-11);
    }
  }
  study_chaos_free(r);
  bench_free(&b);
}

// along a periodic motion they are those of its multipliers: here ln(0.7)/T - 0.05 both, T = 2
// pi/1.5
TEST(exponents_of_a_motion_with_impacts_are_those_of_its_multipliers)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\npotential x^2/2\nforce x = -0.1*x' + cos(1.5*t)\n"
                       "constraint stop: 0.5 - x >= 0 with restitution 0.7\ninitial x' = 1\n");
  study_chaos* r = follow(&b, 2000, 1e-9, EXPR_NONE);
  CHECK(r && r->exponents == 2 && !r->chaotic);
  if (r && r->exponents == 2) {
    const double want = log(0.7) * 1.5 / (2 * M_PI) - 0.05;
    CHECK_NEAR(r->value[0], want, 1e-3);
    CHECK_NEAR(r->value[1], want, 1e-3);
    CHECK_NEAR(r->sum, 2 * want, 1e-3);
  }
  study_chaos_free(r);
  bench_free(&b);
}

TEST(exponents_of_a_motion_that_ends_are_refused)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\nforce x = -1\ninitial x = 1\n"
                       "event bounce: x = 0 falling { set x' = -0.8*x' }\n");
  if (b.system) {
    const study_chaos_options o = {.until = 100, .tolerance = 1e-9};
    CHECK(study_chaos_find(b.system, &o, b.notes) == NULL);
    CHECK(strstr(bench_first_error(&b), "accumulate") != NULL);
  }
  bench_free(&b);
}

// along the motion nothing grows; what differs otherwise is lost while it sticks
TEST(changes_are_lost_where_a_motion_sticks)
{
  bench b = bench_text(
      "coord x\nkinetic x'^2/2\npotential x^2/2\nforce x = 1\nconstraint belt: x' = 0.2\n"
      "stage slip { release belt }\nevent catch: x' - 0.2 = 0 rising { impose belt }\n"
      "event break: x - 1.5 = 0 rising { release belt }\ninitial x = 1.5\ninitial x' = 0.1\n");
  study_chaos* r = follow(&b, 200, 1e-9, EXPR_NONE);
  CHECK(r && r->exponents == 2 && !r->chaotic);
  if (r && r->exponents == 2) {
    CHECK(fabs(r->value[0]) < 3 * r->error[0] && r->error[0] < 0.1);
    CHECK(isinf(r->value[1]) && r->value[1] < 0);
    CHECK_NEAR(r->dimension, 1, 1e-9);
  }
  study_chaos_free(r);
  bench_free(&b);
}

TEST(sections_of_a_motion_with_jumps_are_refused)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\nforce x = -1\ninitial x = 1\n"
                       "event bounce: x = 0 falling { set x' = -0.8*x' }\n");
  if (b.system) {
    const study_chaos_options o = {.until = 10, .tolerance = 1e-9, .section = b.model->coord[0].q};
    CHECK(study_chaos_find(b.system, &o, b.notes) == NULL);
    CHECK(strstr(bench_first_error(&b), "smooth") != NULL);
  }
  bench_free(&b);
}
