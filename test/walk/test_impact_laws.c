// Laws of impact with friction, each against its closed form.
#include "bench.h"

#include "check.h"

#include <stdio.h>

// A rod of half length 1 and mass 1 strikes the floor with its end P = (x + cos th, y + sin th),
// which comes with (u, -1): W = J M^-1 J^T, M = diag(1, 1, 1/3).
typedef struct rod
{
  double th, u, mu, e;
  double nn, nt, tt; // W
} rod;

static rod rod_of(double th, double u, double mu, double e)
{
  const double c = cos(th), s = sin(th);
  return (rod){th, u, mu, e, 1 + 3 * c * c, -3 * c * s, 1 + 3 * s * s};
}

// velocities of the end after the impact by a law, in the plane or in space
static void strike(const rod* r, const char* law, bool space, double* n, double* t)
{
  char text[800];
  snprintf(
      text, sizeof text,
      "param th0 = %.17g, u = %.17g, mu = %.17g\ncoord x, y, th%s\n"
      "kinetic (x'^2 + y'^2%s)/2 + th'^2/6\npoint P = (x + cos(th), y + sin(th), %s) in world\n"
      "constraint floor: pos(P).y >= 0 with restitution %.17g %s with friction mu\n"
      "initial th = th0\ninitial y = -sin(th0)\ninitial y' = -1\ninitial x' = u\n"
      "output un = y' + cos(th)*th'\noutput ut = x' - sin(th)*th'\nrun 0 .. 1\n",
      r->th, r->u, r->mu, space ? ", z" : "", space ? " + z'^2" : "", space ? "z" : "0", r->e, law);
  bench b = bench_text(text);
  const double at[] = {0};
  walk_track* track = bench_run(&b, 1e-12, 1, at);
  *n = bench_value(track, 0, "un");
  *t = bench_value(track, 0, "ut");
  walk_track_free(track);
  bench_free(&b);
}

// by this law, in the plane and in space
static void comes_to(const rod* r, const char* law, double n, double t)
{
  for (int space = 0; space < 2; space++) {
    double got_n, got_t;
    strike(r, law, space, &got_n, &got_t);
    CHECK_NEAR(got_n, n, 1e-10);
    CHECK_NEAR(got_t, t, 1e-10);
  }
}

// ---- slip that lasts ----------------------------------------------------------------------------

// mu small, slip to the left all through: p = nn + mu nt (friction to the right), P = (1 + e)/p by
// Newton, Poisson and Stronge alike
TEST(with_slip_that_lasts_all_laws_are_one)
{
  static const char* const law[] = {"newton", "poisson", "energetic", "sequential", "moreau"};
  const rod r = rod_of(2.2, -3, 0.2, 0.6);
  const double P = (1 + r.e) / (r.nn + r.mu * r.nt);
  for (int i = 0; i < 5; i++) comes_to(&r, law[i], r.e, r.u + (r.nt + r.mu * r.tt) * P);
}

// ---- slip that ends -----------------------------------------------------------------------------

// Slip to the left ends at P_s in compression, and sticking lasts (nt/tt < mu): from there the end
// rises by k = nn - nt^2/tt for each unit of P.
TEST(slip_that_ends_in_compression_and_sticks_after_stronges_law)
{
  const rod r = rod_of(2.2, -0.4, 0.9, 0.6);
  const double p = r.nn + r.mu * r.nt, q = r.nt + r.mu * r.tt, k = r.nn - r.nt * r.nt / r.tt;
  const double P_s = -r.u / q, n_s = -1 + p * P_s;
  CHECK(n_s < 0 && fabs(r.nt / r.tt) < r.mu);
  // the work of compression, slipping and sticking; e^2 of it is given back while sticking
  const double W = (n_s * n_s - 1) / (2 * p) - n_s * n_s / (2 * k);
  comes_to(&r, "energetic", r.e * sqrt(-2 * k * W), 0);
  // Poisson: e of the impulse of compression, which ends the slip: W (P, T) = (1, -u)
  const double P_c = (r.tt + r.u * r.nt) / (r.nn * r.tt - r.nt * r.nt);
  comes_to(&r, "poisson", r.e * P_c * k, 0);
  comes_to(&r, "newton", r.e, 0);
}

// ---- slip that turns ----------------------------------------------------------------------------

// Friction too weak to hold: slip ends in compression and begins the other way, to the right where
// nt > 0. Then friction acts to the left.
TEST(slip_that_turns_in_compression)
{
  const rod r = rod_of(2.2, -0.2, 0.3, 0.6);
  const double p = r.nn + r.mu * r.nt, q = r.nt + r.mu * r.tt, p_2 = r.nn - r.mu * r.nt,
               q_2 = r.nt - r.mu * r.tt, P_s = -r.u / q, n_s = -1 + p * P_s;
  CHECK(n_s < 0 && q_2 > 0);
  const double W = (n_s * n_s - 1) / (2 * p) - n_s * n_s / (2 * p_2);
  const double n = r.e * sqrt(-2 * p_2 * W), P_2 = (n - n_s) / p_2;
  comes_to(&r, "energetic", n, q_2 * P_2);
  // Newton decides by the slip after it alone
  comes_to(&r, "newton", r.e, r.u + q_2 * (1 + r.e) / p_2);
}

// ---- slip that ends in expansion ----------------------------------------------------------------

TEST(slip_that_ends_in_expansion)
{
  const rod r = rod_of(2.2, -1.3, 0.9, 0.9);
  const double p = r.nn + r.mu * r.nt, q = r.nt + r.mu * r.tt, k = r.nn - r.nt * r.nt / r.tt;
  const double P_s = -r.u / q, n_s = -1 + p * P_s, W_c = -1 / (2 * p);
  CHECK(n_s > 0 && n_s < r.e);
  // W from the turn on: n_s^2/(2 p) slipping, the rest sticking
  const double left = -r.e * r.e * W_c - n_s * n_s / (2 * p);
  comes_to(&r, "energetic", sqrt(n_s * n_s + 2 * k * left), 0);
}

// ---- a ball: normal and slip do not feel each other ---------------------------------------------

// W_tt = 7/2 for a ball of mass 1: an impulse 2 u/7 ends the slip, or mu P where that is less; the
// normal speed is e by every law
TEST(a_ball_that_bounces_obliquely_is_the_same_by_every_law)
{
  static const char* const law[] = {"newton", "poisson", "energetic", "sequential"};
  static const double mu[] = {0.1, 0.6};
  for (int i = 0; i < 8; i++) {
    char text[600];
    snprintf(text, sizeof text,
             "ball b mass 1 radius 0.1\nslide b as sphere(0.1) on world as plane at c with "
             "restitution 0.7 %s with friction %g\ninitial pos(b) = (0, 0, 0.1)\n"
             "initial vel(b) = (0.9, 1.2, -1)\ninitial omega(b) = (0, 0, 0)\noutput v = vel(b)\n"
             "run 0 .. 1\n",
             law[i / 2], mu[i % 2]);
    bench b = bench_text(text);
    const double at[] = {0}, T = fmin(mu[i % 2] * 1.7, 1.5 * 2 / 7), left = 1.5 - T;
    walk_track* t = bench_run(&b, 1e-12, 1, at);
    CHECK_NEAR(bench_value(t, 0, "v.x"), 0.6 * left, 1e-10);
    CHECK_NEAR(bench_value(t, 0, "v.y"), 0.8 * left, 1e-10);
    CHECK_NEAR(bench_value(t, 0, "v.z"), 0.7, 1e-10);
    walk_track_free(t);
    bench_free(&b);
  }
}

// ---- in space, where slip turns -----------------------------------------------------------------

// A body whose contact has coupled mobilities: its slip is carried through the impact here by steps
// of the normal impulse itself, a thousandth each and halved, by another method.
static void by_steps(const double W[3][3], double mu, double e, int steps, double y[3])
{
  double work = 0, lost = 0;
  bool expands = false;
  const double dP = 4.0 / steps;
  for (int i = 0; i < 100 * steps; i++) {
    double before[3] = {y[0], y[1], y[2]}, middle[3], f[2];
    for (int half = 0; half < 2; half++) {
      const double* at = half ? middle : before;
      const double size = hypot(at[1], at[2]);
      f[0] = -mu * at[1] / size;
      f[1] = -mu * at[2] / size;
      for (int k = 0; k < 3; k++) {
        const double rate = W[k][0] + W[k][1] * f[0] + W[k][2] * f[1];
        if (half)
          y[k] = before[k] + dP * rate;
        else
          middle[k] = before[k] + dP / 2 * rate;
      }
    }
    work += dP * (before[0] + y[0]) / 2;
    if (!expands && y[0] >= 0) {
      expands = true;
      lost = work;
    }
    if (expands && work >= (1 - e * e) * lost) return;
  }
}

TEST(slip_that_turns_in_space_is_followed_through_the_impact)
{
  // a point at (0.4, 0.3, -0.5) of a body with unit mass and inertia (0.2, 0.3, 0.4):
  // W = 1/m - [r] I^-1 [r], on z, x, y
  const double r[3] = {0.4, 0.3, -0.5}, I[3] = {0.2, 0.3, 0.4}, axis[3] = {2, 0, 1};
  double W[3][3];
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      const int i = (int)axis[a], j = (int)axis[b];
      double sum = i == j;
      // (r x e_i) I^-1 (r x e_j)
      double x[3] = {0}, y[3] = {0};
      x[(i + 1) % 3] = r[(i + 2) % 3], x[(i + 2) % 3] = -r[(i + 1) % 3];
      y[(j + 1) % 3] = r[(j + 2) % 3], y[(j + 2) % 3] = -r[(j + 1) % 3];
      for (int k = 0; k < 3; k++) sum += x[k] * y[k] / I[k];
      W[a][b] = sum;
    }
  double fine[3] = {-1, 2, 1}, coarse[3] = {-1, 2, 1};
  by_steps((const double(*)[3])W, 0.25, 0.5, 400000, fine);
  by_steps((const double(*)[3])W, 0.25, 0.5, 200000, coarse);
  bench b = bench_text(
      "body B mass 1 inertia (0.2, 0.3, 0.4)\npoint P = (0.4, 0.3, -0.5) in B\n"
      "constraint floor: pos(P).z >= 0 with restitution 0.5 energetic with friction 0.25\n"
      "initial pos(P) = (0, 0, 0)\ninitial rotation(B) = z(0)\ninitial vel(P) = (2, 1, -1)\n"
      "initial omega(B) = (0, 0, 0)\noutput v = vel(P)\nrun 0 .. 1\n");
  const double at[] = {0};
  walk_track* t = bench_run(&b, 1e-12, 1, at);
  CHECK_NEAR(fine[0], coarse[0], 1e-4);
  CHECK_NEAR(bench_value(t, 0, "v.z"), fine[0], 1e-4);
  CHECK_NEAR(bench_value(t, 0, "v.x"), fine[1], 1e-4);
  CHECK_NEAR(bench_value(t, 0, "v.y"), fine[2], 1e-4);
  walk_track_free(t);
  bench_free(&b);
}

// ---- energy -------------------------------------------------------------------------------------

// where Newton's law makes energy (see test_impacts.c), Stronge's and Poisson's do not
TEST(energetic_restitution_never_gives_energy)
{
  for (int i = 0; i < 60; i++) {
    const rod r = rod_of(1.6 + 0.025 * i, -1.2 + 0.11 * (i % 20), 0.05 + 0.03 * (i % 30), 1);
    double n, t;
    strike(&r, "energetic", false, &n, &t);
    // T of the end alone: what W^-1 measures; the rest of the motion keeps its part
    const double det = r.nn * r.tt - r.nt * r.nt;
    const double before = r.tt - 2 * r.nt * -r.u + r.nn * r.u * r.u,
                 after = r.tt * n * n - 2 * r.nt * n * t + r.nn * t * t;
    CHECK(after <= before + 1e-9 * det);
  }
}
