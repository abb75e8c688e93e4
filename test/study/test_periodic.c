// Periods of equations, motions that come back after a turn, Chetaev's verdict.
#include "walk/bench.h"

#include "check.h"

#include <stdio.h>

static double period_of(const char* law)
{
  char text[300];
  snprintf(text, sizeof text, "coord x\nkinetic x'^2/2\npotential x^2\nforce x = -x' + %s\n", law);
  bench b = bench_text(text);
  study_stability* r = bench_stability(&b, 0);
  const double period = r && r->own_period ? r->period : NAN;
  CHECK(r && r->verdict == STUDY_STABLE);
  study_stability_free(r);
  bench_free(&b);
  return period;
}

TEST(the_period_of_equations_is_found)
{
  const double pi = acos(-1);
  CHECK_NEAR(period_of("cos(3*t)"), 2 * pi / 3, 1e-12);
  CHECK_NEAR(period_of("cos(3*t + 0.2) + sin(2*t)"), 2 * pi, 1e-12);
  CHECK_NEAR(period_of("sin(t)^2*x"), pi, 1e-12);
  CHECK_NEAR(period_of("0.2*sin(x + cos(1.5*t)) + 0.1*sin(2.5*t)"), 4 * pi, 1e-12);
}

// 71 times as fast, in numbers whose ratio is no whole number by rounding
TEST(the_period_of_slow_and_fast_terms_is_found_in_any_order)
{
  static const char* const rate[] = {"1.1", "78.1"};
  for (int k = 0; k < 2; k++) {
    char text[300];
    snprintf(text, sizeof text,
             "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -x - x' + cos(%s*t)\n"
             "force y = -y - y' + cos(%s*t)\n",
             rate[k], rate[!k]);
    bench b = bench_text(text);
    study_stability* r = bench_stability(&b, 0);
    if (r) CHECK_NEAR(r->period, 2 * acos(-1) / 1.1, 1e-12);
    study_stability_free(r);
    bench_free(&b);
  }
}

TEST(laws_of_time_without_a_period_are_refused)
{
  bench_stability_refused("coord x\nkinetic x'^2/2\nforce x = -x + cos(t) + cos(sqrt(2)*t)\n", 0,
                          "no period");
  bench_stability_refused("coord x\nkinetic x'^2/2\nforce x = -x*exp(-t)\n", 0, "no period");
  bench_stability_refused("coord x\nkinetic x'^2/2\nforce x = -x - x' + 0.1*t\n", 2,
                          "not with the period");
  // accelerations that are imposed come back only where they are the same again
  bench_stability_refused("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -y - y'\n"
                          "constraint c: x'' = 0.1*t\n",
                          2, "not with the period");
}

// Mathieu's equation x'' + (d + e cos 2t) x = 0 itself is linear: inside the chart it is stable.
// Edges of its second tongue by the series a_2 = 4 + 5 q^2/12 ..., b_2 = 4 - q^2/12, q = e/2.
TEST(mathieu_is_stable_between_its_tongues)
{
  static const double d[3] = {3.9966, 4.005, 4.0167};
  for (int k = 0; k < 3; k++) {
    char text[200];
    snprintf(text, sizeof text, "coord x\nkinetic x'^2/2\npotential (%.17g + 0.4*cos(2*t))*x^2/2\n",
             d[k]);
    bench b = bench_text(text);
    study_stability* r = bench_stability(&b, 0);
    if (r) CHECK(r->verdict == (k == 1 ? STUDY_UNSTABLE : STUDY_STABLE) && r->symplectic < 1e-11);
    study_stability_free(r);
    bench_free(&b);
  }
}

// A spherical pendulum comes back to its height after a time, turned by an angle: the same motion
// in the angles of the sphere is periodic, and has the same multipliers.
TEST(a_motion_comes_back_after_a_turn)
{
  bench b = bench_text("coord x, y, z\nparticle P mass 1 = (x, y, z) in world\n"
                       "constraint rod: x^2 + y^2 + z^2 = 1\ngravity (0, 0, -9.81)\n"
                       "initial x = 0.6\ninitial y' = 1.2\ninitial z ~ -0.8\n");
  study_stability* r = bench_stability(&b, 1.1);
  if (r) {
    char text[400];
    const double rho = hypot(r->q[0], r->q[1]);
    const double radial = (r->q[0] * r->v[0] + r->q[1] * r->v[1]) / rho;
    const double turn = (r->q[0] * r->v[1] - r->q[1] * r->v[0]) / (rho * rho);
    CHECK(r->C != NULL && r->closure < 1e-12);
    // the map is a turn about the vertical
    CHECK_NEAR(hypot(r->C[0], r->C[3]), 1, 1e-9);
    CHECK_NEAR(r->C[8], 1, 1e-9);
    snprintf(text, sizeof text,
             "coord th, ps\nkinetic (th'^2 + sin(th)^2*ps'^2)/2\npotential -9.81*cos(th)\n"
             "initial th = %.17g\ninitial th' = %.17g\ninitial ps' = %.17g\n",
             atan2(rho, -r->q[2]), radial / -r->q[2], turn);
    bench other = bench_text(text);
    study_stability* s = bench_stability(&other, 1.1);
    if (s) {
      CHECK(!s->C && s->multipliers == 4 && r->multipliers == 4);
      double sum[2] = {0};
      for (int i = 0; i < 4; i++) {
        sum[0] += r->multiplier_re[i];
        sum[1] += s->multiplier_re[i];
      }
      CHECK_NEAR(sum[0], sum[1], 1e-8);
    }
    study_stability_free(s);
    bench_free(&other);
  }
  study_stability_free(r);
  bench_free(&b);
}

// The same top by angles and by quaternion: one value of Chetaev's criterion, from both.
TEST(chetaevs_criterion_is_the_same_in_any_axes)
{
  static const char* const start[2] = {"coord a, b, c\n", "orientation Q\n"};
  static const char* const axes[2] = {"x(a) y(b) z(c)", "by Q"};
  static const char* const spin[2] = {"c' = 3", "omega(top, top) = (0, 0, 3)"};
  const double A = 0.3 + 0.25, C = 0.2, k = 10, alpha = 0.02;
  for (int i = 0; i < 2; i++) {
    char text[500];
    snprintf(text, sizeof text,
             "%sframe top = world at (0, 0, 0.02*cos(10*t)) rotated %s\n"
             "body B mass 1 inertia (0.3, 0.3, 0.2) at (0, 0, 0.5) in top\n"
             "gravity (0, 0, -9.81)\ninitial %s\n",
             start[i], axes[i], spin[i]);
    bench b = bench_text(text);
    study_stability* r = bench_stability(&b, 0);
    if (r) {
      CHECK(r->own_period && r->verdict == STUDY_UNSTABLE && r->chetaev.fits && r->chetaev.speaks);
      CHECK_NEAR(r->chetaev.value * A * A, C * C * 9 - 4 * 0.5 * A * (9.81 - alpha * k * k), 1e-9);
    }
    study_stability_free(r);
    bench_free(&b);
  }
}

// Of a swing of x'' = -x - c x^3 there is one for every amplitude A, with the period T = 4
// K(k)/sqrt(1 + c A^2), k^2 = c A^2/(2 + 2 c A^2): two multipliers are one, and linearisation does
// not decide, however strongly what goes beside it is damped.
TEST(a_swing_among_others_beside_what_is_damped_is_not_called_stable)
{
  for (int c = 0; c < 2; c++)
    for (int beside = 0; beside < 3; beside++) {
      const double A = 1, k2 = c * A * A / (2 + 2 * c * A * A);
      double a = 1, g = sqrt(1 - k2);
      for (int i = 0; i < 10; i++) {
        const double mean = (a + g) / 2;
        g = sqrt(a * g);
        a = mean;
      }
      const double period = 4 * acos(-1) / (2 * a) / sqrt(1 + c * A * A);
      char text[300];
      snprintf(text, sizeof text,
               "coord x\nkinetic x'^2/2\npotential x^2/2 + %d*x^4/4\ninitial x = %.17g\n"
               "initial x' = %.17g\n%s",
               c, c ? A : A * cos(1), c ? 0 : -A * sin(1),
               beside == 0   ? ""
               : beside == 1 ? "coord y\nkinetic y'^2/2\npotential y^2/2\nforce y = -y'/2\n"
                             : "coord y\nkinetic y'^2/2\npotential -y^2/2\nforce y = -y'/2\n");
      bench b = bench_text(text);
      study_stability* r = bench_stability(&b, period);
      if (r) {
        CHECK(r->verdict == (beside == 2 ? STUDY_UNSTABLE : STUDY_MARGINAL));
        int ones = 0;
        for (int i = 0; i < r->multipliers; i++)
          ones += hypot(r->multiplier_re[i] - 1, r->multiplier_im[i]) < 1e-4;
        CHECK_INT(ones, 2);
      }
      study_stability_free(r);
      bench_free(&b);
    }
}

// Nobody says the period: van der Pol's cycle from near the rest, which it leaves slowly (113-bit
// arithmetic); of families a member near by:
// a mode of two masses; a pendulum that turns over, (x'^2)/2 - cos x = 3.
TEST(periods_are_found_from_the_motion)
{
  static const struct
  {
    const char* text;
    double period, off;
  } list[] = {
      {"coord x\nkinetic x'^2/2\npotential x^2/2\nforce x = (1 - x^2)*x'\ninitial x = 0.01\n",
       6.663286859323130189700, 1e-11},
      {"coord x1, x2\nkinetic (x1'^2 + x2'^2)/2\ninitial x1 = 0.6\n"
       "potential (x1^2 + x2^2 + (x1 - x2)^2)/2 + x1^4/8\ninitial x2 = 0.6371460710485872381\n",
       2 * M_PI / 1.031909794900242806, 0.02},
      {"coord x\nkinetic x'^2/2\npotential -cos(x)\ninitial x' = sqrt(8)\n",
       2.6220575542921198104648, 1e-4},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    bench b = bench_text(list[i].text);
    const study_stability_options o = {.orbit = true};
    study_stability* r = study_stability_find(b.system, &o, b.notes);
    CHECK(r != NULL);
    if (r) CHECK_NEAR(r->period, list[i].period, list[i].off);
    study_stability_free(r);
    bench_free(&b);
  }
  // one that never comes back
  bench b = bench_text("coord x\nkinetic x'^2/2\nforce x = 1\n");
  const study_stability_options o = {.orbit = true};
  CHECK(study_stability_find(b.system, &o, b.notes) == NULL);
  bench_free(&b);
}

// Van der Pol's cycle: the integral of mu (1 - x^2) over a period, in 113 bits. The map over the
// period holds no digit of the smaller multipliers.
TEST(multipliers_far_below_one_have_their_digits)
{
  static const struct
  {
    double mu, period, log;
  } list[] = {{1, 6.66, -7.058932808798959179}, {5, 11.6, -85.45201854488354065}};
  for (int i = 0; i < 2; i++) {
    char text[200];
    snprintf(text, sizeof text,
             "coord x\nkinetic x'^2/2\npotential x^2/2\nforce x = %g*(1 - x^2)*x'\n"
             "initial x = 2\n",
             list[i].mu);
    bench b = bench_text(text);
    study_stability* r = bench_stability(&b, list[i].period);
    if (r) CHECK_NEAR(log(fmin(r->multiplier_re[0], r->multiplier_re[1])), list[i].log, 1e-10);
    study_stability_free(r);
    bench_free(&b);
  }
}

// ---- over a param -------------------------------------------------------------------------------

typedef struct swings
{
  double fast; // times
  int count;
  bench at[200];
} swings;

// x'' + 2 z x' + (1 + e cos 2 t) x = 0 with z = 0.01, its time `fast` times as quick
static study_stability* swing_at(void* context, double e, const study_stability* near)
{
  (void)near;
  swings* s = context;
  char text[300];
  snprintf(text, sizeof text,
           "param w = %.17g\ncoord x\nkinetic x'^2/2\n"
           "force x = -w^2*(1 + %.17g*cos(2*w*t))*x - 0.02*w*x'\n",
           s->fast, e);
  s->at[s->count] = bench_text(text);
  return bench_stability(&s->at[s->count++], 0);
}

// At e = 4 z to the first order a multiplier passes -1, whose argument is pi: at the same e in any
// unit of time.
TEST(a_swing_is_driven_by_the_same_amount_in_any_unit_of_time)
{
  static const double fast[] = {1, 30};
  static swings s[2];
  double value[2] = {NAN, NAN};
  for (int k = 0; k < 2; k++) {
    s[k].fast = fast[k];
    study_scan* scan = study_stability_scan(0.03, 0.05, 3, NULL, swing_at, &s[k]);
    CHECK_INT(scan->criticals, 1);
    if (scan->criticals) {
      value[k] = scan->critical[0].value;
      CHECK_NEAR(value[k], 0.04, 1e-4);
      CHECK_NEAR(scan->critical[0].im, acos(-1), 1e-9);
      CHECK(scan->critical[0].rising);
    }
    study_scan_free(scan);
    for (int i = 0; i < s[k].count; i++) bench_free(&s[k].at[i]);
  }
  CHECK_NEAR(value[0], value[1], 1e-9);
}

// x'' + 0.1 x' + x = 2 + cos(1.5 t) in closed form
TEST(how_far_motions_swing_is_told)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\npotential x^2/2\n"
                       "force x = 2 - 0.1*x' + cos(1.5*t)\n");
  const study_stability_options o = {.swings = true};
  study_stability* r = study_stability_find(b.system, &o, b.notes);
  CHECK(r && r->swing);
  if (r && r->swing) {
    const double re = 1 - 1.5 * 1.5, im = 0.1 * 1.5, amplitude = 1 / hypot(re, im);
    const study_swing* s = r->swing;
    CHECK_NEAR(s->mean, 2, 1e-12);
    CHECK_NEAR(s->amplitude, amplitude, 1e-12);
    CHECK_NEAR(s->lag, atan2(im, re), 1e-12);
    CHECK_NEAR(s->most, 2 + amplitude, 1e-12);
    CHECK_NEAR(s->least, 2 - amplitude, 1e-12);
  }
  study_stability_free(r);
  bench_free(&b);
}
