// Steady motions, their eigenvalues and verdicts; multipliers against a proved criterion.
#include "walk/bench.h"

#include "check.h"
#include "study/energy.h"

#include <stdio.h>

TEST(pendulum_in_cartesian_coordinates_hangs_or_stands)
{
  static const char* const start[2] = {"-3", "2"};
  for (int up = 0; up < 2; up++) {
    char text[300];
    snprintf(text, sizeof text,
             "coord x, y\nparticle P mass 2 = (x, y, 0) in world\ngravity (0, -9, 0)\n"
             "constraint rod: x^2 + y^2 = 4\ninitial x ~ 0.1\ninitial y ~ %s\n",
             start[up]);
    bench b = bench_text(text);
    study_stability* r = bench_stability(&b, 0);
    if (r) {
      CHECK(r->dimension == 2 && r->family == 0 && r->count == 2);
      CHECK_NEAR(r->q[1], up ? 2 : -2, 1e-12);
      CHECK_NEAR(up ? r->re[1] : r->im[1], sqrt(4.5), 1e-13);
      CHECK(r->verdict == (up ? STUDY_UNSTABLE : STUDY_STABLE));
      if (!up) CHECK(strstr(r->why, "Dirichlet") != NULL);
    }
    study_stability_free(r);
    bench_free(&b);
  }
}

// a motion found before is what is looked for next, wherever the initial state is
TEST(the_motion_next_to_another_is_found)
{
#define SWING "coord phi\nkinetic phi'^2/2\npotential -(1 + 1e-3)*cos(phi)\ninitial phi ~ "
  bench hangs = bench_text(SWING "0.1\n"), stands = bench_text(SWING "3.1\n");
#undef SWING
  study_stability* r[3] = {bench_stability(&hangs, 0), bench_stability(&stands, 0)};
  const study_stability_options o = {.near = r[1]};
  r[2] = hangs.system ? study_stability_find(hangs.system, &o, hangs.notes) : NULL;
  const double want[] = {0, acos(-1), acos(-1)};
  for (int k = 0; k < 3; k++) {
    CHECK(r[k] && r[k]->verdict == (k ? STUDY_UNSTABLE : STUDY_STABLE));
    if (r[k]) CHECK_NEAR(r[k]->q[0], want[k], 1e-12);
  }
  for (int k = 2; k >= 0; k--) study_stability_free(r[k]);
  bench_free(&hangs);
  bench_free(&stands);
}

// Steady precession of a particle on a sphere: th' = 0, w^2 = g/(l cos th), small changes of th
// with frequency^2 = w^2 (1 + 3 cos^2 th)
TEST(conical_pendulum_is_stable_by_routh)
{
  bench b = bench_text("coord th, psi\nkinetic (th'^2 + sin(th)^2*psi'^2)/2\n"
                       "potential -9*cos(th)\ninitial th ~ 0.9\ninitial psi' = 4\n");
  study_stability* r = bench_stability(&b, 0);
  if (r) {
    const double c = 9.0 / 16;
    CHECK(!r->ignorable[0] && r->ignorable[1]);
    CHECK_NEAR(cos(r->q[0]), c, 1e-13);
    CHECK_NEAR(r->v[1], 4, 1e-13);
    CHECK(r->family == 2 && r->count == 2);
    CHECK_NEAR(r->im[1], 4 * sqrt(1 + 3 * c * c), 1e-12);
    CHECK(r->verdict == STUDY_STABLE && strstr(r->why, "Routh") != NULL);
  }
  study_stability_free(r);
  bench_free(&b);
}

// Gyroscopic stabilisation. Linear equations with simple imaginary eigenvalues are stable; with
// more in them, the first order alone does not decide, and no energy says so.
TEST(a_hill_with_magnetic_forces)
{
  static const char* const more[2] = {"", " + x^3*y"};
  for (int k = 0; k < 2; k++) {
    char text[300];
    snprintf(text, sizeof text,
             "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential -(x^2 + y^2)/2%s\n"
             "force x = 3*y'\nforce y = -3*x'\n",
             more[k]);
    bench b = bench_text(text);
    study_stability* r = bench_stability(&b, 0);
    if (r) {
      const double w = sqrt(5);
      CHECK(r->count == 4 && r->verdict == (k ? STUDY_MARGINAL : STUDY_STABLE));
      CHECK(strstr(r->why, k ? "does not decide" : "linear") != NULL);
      CHECK(r->remark && strstr(r->remark, "2 directions: gyroscopic stabilisation") != NULL);
      CHECK_NEAR(fabs(r->im[0]) + fabs(r->im[3]) + fabs(r->im[1]) + fabs(r->im[2]),
                 2 * ((3 + w) / 2 + (3 - w) / 2), 1e-12);
    }
    study_stability_free(r);
    bench_free(&b);
  }
}

// do the accelerations of this slow motion stay when it is turned round?
static bool is_reversible(const char* forces, double slow)
{
  char text[300];
  snprintf(text, sizeof text,
           "param k = %g\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential -k^2*(x^4 + y^4)\n%s\n",
           slow, forces);
  bench b = bench_text(text);
  engine* e = b.system ? contact_engine_new(b.system, b.notes) : NULL;
  const study_stability_options o = {0};
  study_linear* l =
      e && study_stability_begin(e, &o, b.notes) ? study_linear_new(e, b.notes) : NULL;
  CHECK(l);
  const study_energy y = {.l = l};
  const bool reversible = l && study_energy_is_reversible(&y);
  study_linear_free(l);
  engine_free(e);
  bench_free(&b);
  return reversible;
}

TEST(a_force_across_the_velocity_is_seen_in_any_unit_of_time)
{
  for (double slow = 1; slow > 1e-13; slow *= 1e-4) {
    CHECK(is_reversible("", slow));
    CHECK(!is_reversible("force x = k*y'\nforce y = -k*x'", slow));
  }
}

TEST(force_free_linkage_is_no_stable_equilibrium)
{
  bench b = bench_file("fourbar_rods");
  study_stability* r = bench_stability(&b, 0);
  if (r) CHECK(r->verdict == STUDY_MARGINAL && r->family == 1 && r->count == 1 && r->re[0] == 0);
  study_stability_free(r);
  bench_free(&b);
}

TEST(what_cannot_be_linearised_is_refused)
{
  bench_stability_refused("coord x\nkinetic x'^2/2\nforce x = -sign(x') - x\n", 0, "corner");
  bench_stability_refused("coord x\nkinetic x'^2/2\nforce x = -x + 0.1*t\n", 0, "depend on time");
  // resonance: no motion comes back
  bench_stability_refused("coord x\nkinetic x'^2/2\nforce x = -x + sin(t)\n", 0,
                          "does not come back");
  bench_stability_refused("coord x\nkinetic x'^2/2\nforce x = -1\n", 0, "no steady motion");
  bench_stability_refused("coord x\nkinetic x'^2/2\nforce x = -1\nconstraint floor: x >= 0\n", 0,
                          "inequalities");
  // at rest it comes back after any time, its equations do not
  bench_stability_refused("coord x\nkinetic x'^2/2\npotential (1 + 0.2*cos(2*t))*x^2/2\n", 2,
                          "not with the period");
}

// x'' + (1 + e cos 2t) x = 0 in its first tongue: the product of the multipliers is 1 (Liouville)
TEST(multipliers_of_mathieu_and_of_an_orbit)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\npotential (1 + 0.2*cos(2*t))*x^2/2\n");
  study_stability* r = bench_stability(&b, acos(-1));
  if (r) {
    CHECK(r->multipliers == 2 && r->verdict == STUDY_UNSTABLE);
    CHECK_NEAR(r->multiplier_re[0] * r->multiplier_re[1], 1, 1e-11);
  }
  study_stability_free(r);
  bench_free(&b);
  // a circular orbit: all four multipliers are one
  b = bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/hypot(x, y)\n"
                 "initial x = 1\ninitial y' = 1\n");
  r = bench_stability(&b, 2 * acos(-1));
  if (r) {
    CHECK(r->multipliers == 4 && r->verdict == STUDY_MARGINAL && r->closure < 1e-10);
    double sum = 0;
    for (int i = 0; i < 4; i++) sum += r->multiplier_re[i];
    CHECK_NEAR(sum, 4, 1e-9);
  }
  study_stability_free(r);
  bench_free(&b);
}

// ---- the top on a vibrating pivot ---------------------------------------------------------------

static double draw(uint64_t* seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 9007199254740992.0;
}

// A sleeping top, moments A, A, C about the pivot, centre of mass at height z0, spin r0, pivot
// moving by alpha cos(k t), in a field with gradient mu. Chetaev's function x1 y2 - x2 y1 proves
// instability where
//   C^2 r0^2 - 4 m z0 A (g - alpha k^2) + 4 mu A (A - C) < 0
// (the printed inequalities lack a factor and have a sign wrong).
TEST(multipliers_of_200_tops_agree_with_chetaevs_criterion)
{
  uint64_t seed = 1962;
  int speaks = 0, sleeping = 0, unproved = 0;
  for (int i = 0; i < 200; i++) {
    const double z0 = 0.2 + 0.8 * draw(&seed), Ac = 0.1 + 0.9 * draw(&seed), A = Ac + z0 * z0;
    const double C = 2 * Ac * (0.1 + 0.9 * draw(&seed)), g = 9.81, r0 = 25 * draw(&seed);
    const double k = 2 + 18 * draw(&seed), alpha = g * draw(&seed) / (k * k), mu = 3 * draw(&seed);
    char text[600];
    snprintf(text, sizeof text,
             "coord a, b, c\n"
             "frame top = world at (0, 0, %.17g*cos(%.17g*t)) rotated x(a) y(b) z(c)\n"
             "body B mass 1 inertia (%.17g, %.17g, %.17g) at (0, 0, %.17g) in top\n"
             "gravity (0, 0, -%.17g)\n"
             "potential -%.17g*(%.17g - %.17g)*(cos(a)*cos(b))^2/2\ninitial c' = %.17g\n",
             alpha, k, Ac, Ac, C, z0, g, mu, A, C, r0);
    bench b = bench_text(text);
    study_stability* r = bench_stability(&b, 2 * acos(-1) / k);
    const bool proved =
        C * C * r0 * r0 - 4 * z0 * A * (g - alpha * k * k) + 4 * mu * A * (A - C) < 0;
    if (r) {
      CHECK(r->multipliers == 6 && r->chetaev.fits && r->chetaev.speaks == proved);
      if (proved) CHECK(r->verdict == STUDY_UNSTABLE);
      speaks += proved;
      sleeping += r->verdict != STUDY_UNSTABLE;
      unproved += !proved && r->verdict == STUDY_UNSTABLE;
    }
    study_stability_free(r);
    bench_free(&b);
  }
  // all three kinds are there
  CHECK(speaks > 20 && sleeping > 20 && unproved > 0);
}
