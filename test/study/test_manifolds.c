// Stable and unstable manifolds against closed forms.
#include "walk/bench.h"

#include "check.h"

#include <math.h>
#include <string.h>

static study_manifolds* follow(bench* b, double period)
{
  const study_manifold_options o = {.until = INFINITY, .tolerance = 1e-12, .period = period};
  return b->system ? study_manifolds_find(b->system, &o, b->notes) : NULL;
}

static void refused(const char* text, double period, const char* reason)
{
  bench b = bench_text(text);
  study_manifolds* r = follow(&b, period);
  CHECK(r == NULL);
  CHECK(strstr(bench_first_error(&b), reason) != NULL);
  study_manifolds_free(r);
  bench_free(&b);
}

// the separatrix x' = +-2 cos(x/2) of the pendulum
TEST(manifolds_of_the_pendulum_are_its_separatrix)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\npotential -cos(x)\ninitial x = 3\n");
  study_manifolds* r = follow(&b, 0);
  CHECK(r && r->count == 4 && r->unstable == 1 && r->stable == 1);
  for (int k = 0; r && k < r->count; k++) {
    const study_manifold* c = &r->curve[k];
    double far = 0, off = 0, way = 0;
    CHECK_NEAR(c->rate, c->stable ? -1 : 1, 1e-12);
    CHECK(c->points > 100);
    for (int p = 0; p < c->points; p++) {
      const double x = c->point[3 * p + 1], v = c->point[3 * p + 2];
      far = fmax(far, fabs(x - M_PI));
      off = fmax(off, fabs(v * v - 4 * cos(x / 2) * cos(x / 2)));
      way = fmin(way, c->point[3 * p] * (c->stable ? -1 : 1));
    }
    // as far as the next saddle, a turn away
    CHECK_NEAR(far, 2 * M_PI, 1e-3);
    CHECK(off < 1e-10);
    CHECK(way == 0);
  }
  study_manifolds_free(r);
  bench_free(&b);
}

// the same on a circle, kept by a constraint: the energy is that of the upright rest
TEST(manifolds_stay_on_constraints)
{
  bench b = bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential y\n"
                       "constraint c: x^2 + y^2 = 1\ninitial x = 0.01\ninitial y ~ 1\n"
                       "initial x' = 0\n");
  study_manifolds* r = follow(&b, 0);
  CHECK(r && r->count == 4);
  for (int k = 0; r && k < r->count; k++) {
    double off = 0, energy = 0;
    for (int p = 0; p < r->curve[k].points; p++) {
      const double* y = r->curve[k].point + 5 * p + 1;
      off = fmax(off, fabs(y[0] * y[0] + y[1] * y[1] - 1));
      energy = fmax(energy, fabs((y[2] * y[2] + y[3] * y[3]) / 2 + y[1] - 1));
    }
    CHECK(off < 1e-11);
    CHECK(energy < 1e-8);
  }
  study_manifolds_free(r);
  bench_free(&b);
}

// of the loop x = sqrt(2)/cosh(t), x' = -x tanh(t)
static double length_of_loop(void)
{
  double sum = 0;
  for (double t = -15; t < 15; t += 0.01) {
    const double x = sqrt(2) / cosh(t), v = -x * tanh(t), a = x - x * x * x;
    sum += 0.01 * hypot(v, a);
  }
  return sum;
}

// A double well x'' = x - x^3 seen from a box that is shaken, x = z + 0.3 sin t: what is periodic
// there is at rest here, and its manifolds at t = 0 are x'^2 = x^2 - x^4/2, one loop on each side.
TEST(manifolds_of_a_periodic_motion_are_those_of_the_rest_it_is)
{
  bench b = bench_text("coord z\nkinetic z'^2/2\n"
                       "force z = z + 0.3*sin(t) - (z + 0.3*sin(t))^3 + 0.3*sin(t)\n"
                       "initial z = 0.001\ninitial z' = -0.3\n");
  study_manifolds* r = follow(&b, 0);
  CHECK(r && r->count == 4);
  for (int k = 0; r && k < r->count; k++) {
    const study_manifold* c = &r->curve[k];
    double far = 0, off = 0, across = 0;
    CHECK_NEAR(c->rate, exp(c->stable ? -2 * M_PI : 2 * M_PI), 1e-8);
    for (int p = 0; p < c->points; p++) {
      const double x = c->point[3 * p + 1], v = c->point[3 * p + 2] + 0.3;
      far = fmax(far, fabs(x));
      off = fmax(off, fabs(v * v - x * x + x * x * x * x / 2));
      across = fmax(across, -x * c->side);
    }
    CHECK_NEAR(far, sqrt(2), 1e-3);
    CHECK(off < 1e-9);
    CHECK(across < 1e-4);
    CHECK(c->back < 1e-3);
    CHECK_NEAR(c->length, length_of_loop(), 1e-3);
  }
  study_manifolds_free(r);
  bench_free(&b);
}

// A linear saddle whose multipliers are below zero: x'' + 2 z x' + (1 + eps cos 2t) x = 0 in its
// first tongue. Manifolds are straight lines.
TEST(manifolds_of_a_flip_are_on_both_sides)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\nforce x = -0.1*x' - (1 + 0.6*cos(2*t))*x\n"
                       "initial x = 0\n");
  study_manifolds* r = follow(&b, M_PI);
  CHECK(r && r->count == 4);
  for (int k = 0; r && k < r->count; k++) {
    const study_manifold* c = &r->curve[k];
    CHECK(c->rate < 0);
    const double slope = c->point[2] / c->point[1];
    for (int p = 0; p < c->points; p++) {
      CHECK(c->point[3 * p + 1] * c->side > 0);
      CHECK_NEAR(c->point[3 * p + 2] / c->point[3 * p + 1], slope, 1e-7 * (1 + fabs(slope)));
    }
  }
  if (r && r->count == 4) CHECK_NEAR(r->curve[0].rate * r->curve[2].rate, exp(-0.1 * M_PI), 1e-9);
  study_manifolds_free(r);
  bench_free(&b);
}

TEST(manifolds_that_are_no_curves_are_refused)
{
  refused("coord x\nkinetic x'^2/2\npotential x^2/2\n", 0, "unstable manifold has 0 dimensions");
  refused("coord x, y\nkinetic (x'^2+y'^2)/2\npotential -x^2/2 - y^2\n", 0,
          "unstable manifold has 2 dimensions, its stable one 2");
  refused("coord x\nkinetic x'^2/2\npotential -cos(x)\ninitial x = 1\n", 6.699, "surfaces");
  refused("coord x\nkinetic x'^2/2\npotential -x^2/2\nevent bounce: x = 1 { set x' = -x' }\n", 0,
          "events");
}
