// Motions that symmetries carry along, and periodic orbits found by shooting.
#include "walk/bench.h"

#include "check.h"

#include <string.h>

// w^2 = g/(l cos th), frequency^2 = w^2 (1 + 3 cos^2 th), with no angle among the coordinates
TEST(a_conical_pendulum_in_fixed_axes_is_steady)
{
  bench b = bench_text("coord x, y, z\nparticle P mass 1.2 = (x, y, z) in world\n"
                       "gravity (0, 0, -9.81)\nconstraint rod: x^2 + y^2 + z^2 = 0.64\n"
                       "initial x ~ 0.5\ninitial y' = 4*x\ninitial z ~ -0.6\n");
  study_stability* r = bench_stability(&b, 0);
  if (r) {
    const double c = 9.81 / (0.8 * 16);
    CHECK(r->C != NULL && r->moved && r->count == 2 && r->family == 2);
    CHECK_NEAR(r->q[2], -0.8 * c, 1e-13);
    CHECK_NEAR(r->im[1], 4 * sqrt(1 + 3 * c * c), 1e-12);
    CHECK(r->verdict == STUDY_STABLE && strstr(r->why, "Routh") != NULL);
  }
  study_stability_free(r);
  bench_free(&b);
}

#define ROLLING_DISC                                                                      \
  "param m = 3.43, r = 0.26, g = 9.81\ncoord q1, q2, q3, x, y\n"                          \
  "frame yaw = world at (x, y, 0) rotated z(q1)\nframe lean = yaw rotated x(q2)\n"        \
  "frame spin = lean at (0, 0, r) rotated y(q3)\n"                                        \
  "disc coin mass m radius r normal (0, 1, 0) at (0, 0, 0) in spin\ngravity (0, 0, -g)\n" \
  "let slip = vel(spin) + cross(omega(spin), (x, y, 0) - pos(spin))\n"                    \
  "constraint gripx: slip.x = 0\nconstraint gripy: slip.y = 0\n"

// A thin disc that rolls in a circle, lean 0.3, turning with 2 rad/s: spin and frequency of the
// lean from the three equations of the reduced motion in 40 digits.
TEST(a_disc_rolls_in_a_circle)
{
  bench b = bench_text(ROLLING_DISC "initial q2 = 0.3\ninitial q1' = 2\ninitial q3' ~ -5\n");
  study_stability* r = bench_stability(&b, 0);
  if (r) {
    CHECK(r->C != NULL && r->count == 2 && r->family == 6);
    CHECK_NEAR(r->v[2], -4.383031894013006877, 1e-12);
    CHECK_NEAR(r->im[1], 3.743837999168281826, 1e-11);
  }
  study_stability_free(r);
  bench_free(&b);
}

// The lean that is given is not given up for the upright disc, although the speeds guessed are no
// turn: A P^2 sin cos - (C + m r^2) n P sin - m g r cos = 0 with the angle of the axis.
TEST(a_lean_that_is_given_stays)
{
  bench b = bench_text(ROLLING_DISC
                       "initial q2 = 0.3\ninitial q1' ~ 1\ninitial q2' ~ 4\ninitial q3' ~ -5\n");
  study_stability* r = bench_stability(&b, 0);
  if (r) {
    const double A = 0.25, C = 0.5, th = M_PI / 2 - 0.3, P = r->v[0];
    const double n = r->v[2] + P * sin(0.3), g = 9.81 / 0.26;
    CHECK(r->C != NULL);
    CHECK_NEAR(r->q[1], 0.3, 1e-14);
    CHECK_NEAR((C + 1) * n * P * sin(th) + g * cos(th), A * P * P * sin(th) * cos(th), 1e-9);
  }
  study_stability_free(r);
  bench_free(&b);
}

// Fast top with a horizontal axis: precession m g h/(C w), nutation^2 = precession^2 + (C w/A)^2
TEST(a_top_by_quaternion_precesses_steadily)
{
  bench b = bench_file("heavy_top_quaternion");
  study_stability* r = bench_stability(&b, 0);
  if (r) {
    const double C = 0.46875, A = 0.234375 + 15, p = 15 * 9.81 / (C * 150);
    CHECK(r->C != NULL && r->count == 2);
    CHECK_NEAR(2 * r->v[3], p, 1e-10);
    CHECK_NEAR(r->im[1], sqrt(p * p + C * 150 / A * C * 150 / A), 1e-10);
    CHECK(r->verdict == STUDY_STABLE);
  }
  study_stability_free(r);
  bench_free(&b);
}

// Two angles from fixed axes turn together: reduced mass (AC - B^2)/I, I = A + C + 2B, spring k and
// the stiffening of the turn, p^2 B/I^2 with p = I w
TEST(two_angles_turn_together)
{
  bench b = bench_text("coord a, b\nkinetic a'^2 + cos(a - b)*a'*b' + b'^2/2\n"
                       "potential 3*(1 - cos(a - b))\ninitial a' = 2\ninitial b' = 2\n");
  study_stability* r = bench_stability(&b, 0);
  if (r) {
    CHECK(r->C != NULL && !r->moved && r->count == 2);
    CHECK_NEAR(r->im[1], sqrt(35), 1e-12);
    CHECK(r->verdict == STUDY_STABLE);
  }
  study_stability_free(r);
  bench_free(&b);
}

// In a magnetic field the momentum of the turn is no constant: no energy may be claimed with it.
TEST(momenta_that_change_prove_nothing)
{
  bench b = bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential -(x^2 + y^2)/2\n"
                       "force x = 3*y'\nforce y = -3*x'\ninitial x = 1\n"
                       "initial y' = (-3 + sqrt(5))/2\n");
  study_stability* r = bench_stability(&b, 0);
  if (r) CHECK(r->C != NULL && r->verdict == STUDY_MARGINAL);
  study_stability_free(r);
  bench_free(&b);
}

TEST(a_turn_that_no_steady_motion_is_near_is_refused)
{
  // a force along the turn: it has the speed of one, but grows
  bench_stability_refused("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = y\nforce y = -x\n"
                          "initial x = 1\ninitial y' = 1\n",
                          0, "turns steadily");
}

// van der Pol's limit cycle, mu = 1: period and multiplier of the literature
TEST(a_limit_cycle_is_found_by_shooting)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\npotential x^2/2\nforce x = (1 - x^2)*x'\n"
                       "initial x = 2\n");
  study_stability* r = bench_stability(&b, 6.5);
  if (r) {
    CHECK(r->moved && r->multipliers == 2 && r->verdict == STUDY_STABLE);
    CHECK_NEAR(r->period, 6.6632868593231301, 1e-10);
    CHECK_NEAR(r->multiplier_re[0] + r->multiplier_re[1] - 1, 8.5969506e-4, 1e-9);
  }
  study_stability_free(r);
  bench_free(&b);
}

// Turning over and over against a torque: the angle grows by 2 pi, and Liouville's formula gives
// the multiplier exp(-c T).
TEST(an_angle_comes_back_after_a_turn)
{
  bench b = bench_text("coord a\nkinetic a'^2/2\npotential -cos(a)\nforce a = 0.5 - 0.2*a'\n"
                       "initial a' = 2.5\n");
  study_stability* r = bench_stability(&b, 2.4);
  if (r) {
    CHECK(r->moved && r->verdict == STUDY_STABLE);
    CHECK_NEAR(r->multiplier_re[0] * r->multiplier_re[1], exp(-0.2 * r->period), 1e-11);
  }
  study_stability_free(r);
  bench_free(&b);
}

// a pendulum with the period asked for: T = 4 K(sin(amplitude/2))
TEST(of_a_family_the_motion_with_the_period_told_is_found)
{
  bench b = bench_text("coord a\nkinetic a'^2/2\npotential -cos(a)\ninitial a = 1\n");
  study_stability* r = bench_stability(&b, 7);
  if (r) {
    CHECK_NEAR(r->period, 7, 1e-15);
    const double E = r->v[0] * r->v[0] / 2 - cos(r->q[0]), k = sqrt((E + 1) / 2);
    double a = 1, g = sqrt(1 - k * k);
    for (int i = 0; i < 8; i++) {
      const double mean = (a + g) / 2;
      g = sqrt(a * g);
      a = mean;
    }
    CHECK_NEAR(2 * acos(-1) / a, 7, 1e-9);
  }
  study_stability_free(r);
  bench_free(&b);
}

// Lagrange's triangle of three bodies, its centre of mass free: with k = 27 (m1 m2 + m1 m3 + m2
// m3)/M^2
//   lambda^2 = -w^2 (1 +- sqrt(1 - k))/2 and -w^2; shifts and pushes of the whole belong to the
//   family
TEST(three_bodies_turn_in_a_triangle)
{
  bench b = bench_text(
      "coord x1,y1,x2,y2,x3,y3\n"
      "particle P1 mass 1.0 = (x1,y1,0) in world\n"
      "particle P2 mass 0.02 = (x2,y2,0) in world\n"
      "particle P3 mass 0.01 = (x3,y3,0) in world\n"
      "potential -0.02/hypot(x1-x2,y1-y2)-0.01/hypot(x1-x3,y1-y3)-0.0002/hypot(x2-x3,y2-y3)\n"
      "initial x1 = -0.024271844660194174\n"
      "initial y1 = -0.008408013628975133\n"
      "initial x1' = 0.0085332018598286152\n"
      "initial y1' = -0.02463323195410733\n"
      "initial x2 = 0.97572815533980584\n"
      "initial y2 = -0.008408013628975133\n"
      "initial x2' = 0.0085332018598286152\n"
      "initial y2' = 0.99025592455511469\n"
      "initial x3 = 0.47572815533980584\n"
      "initial y3 = 0.85761739015546345\n"
      "initial x3' = -0.87038658970251859\n"
      "initial y3' = 0.48281134630050365\n");
  study_stability* r = bench_stability(&b, 0);
  if (r) {
    const double M = 1.03, w = sqrt(M), k = 27 * (0.02 + 0.01 + 0.0002) / (M * M);
    double want[3] = {w, w * sqrt((1 + sqrt(1 - k)) / 2), w * sqrt((1 - sqrt(1 - k)) / 2)};
    CHECK(r->C != NULL && r->family == 6 && r->count == 6);
    for (int i = 0; i < 3; i++) {
      double near = 1;
      for (int j = 0; j < r->count; j++) near = fmin(near, hypot(r->re[j], r->im[j] - want[i]));
      CHECK(near < 1e-10);
    }
  }
  study_stability_free(r);
  bench_free(&b);
}

// a ball that rolls round in a cylinder goes up and down by sqrt(2/7) of its turning (Neimark,
// Fufaev)
TEST(a_ball_in_a_cylinder_goes_up_and_down)
{
  bench b = bench_file("rolling_in_cylinder");
  study_stability* r = bench_stability(&b, 0);
  if (r) {
    const int x = model_coord_find(b.model, "ball.x"), y = model_coord_find(b.model, "ball.y");
    const double turn = hypot(r->v[x], r->v[y]) / hypot(r->q[x], r->q[y]);
    CHECK(r->C != NULL && r->count == 2);
    CHECK_NEAR(r->im[1], sqrt(2.0 / 7) * turn, 1e-9);
  }
  study_stability_free(r);
  bench_free(&b);
}

// straight ahead; a turn enters the conditions by its square only, and must not be left over
TEST(a_sleigh_with_a_sprung_mass_glides_straight)
{
  bench b = bench_file("sleigh_moving_mass");
  study_stability* r = bench_stability(&b, 0);
  if (r) CHECK(r->v[3] == 0 && r->verdict == STUDY_STABLE);
  study_stability_free(r);
  bench_free(&b);
}

// Whipple's bicycle in steady turns without hands (Meijaard, Papadopoulos, Ruina, Schwab 2007): the
// lean is given, and speed and steering follow. It has a greatest value, found along the turns over
// their speed, too; where the wheels are told to be is no part of that.
TEST(a_bicycle_in_a_turn_leans_so_far_and_no_further)
{
  bench b = bench_text(
      "param w = 1.02, c = 0.08, tilt = pi/10, rR = 0.3, rF = 0.35, lean = 0.2\n"
      "coord x, y, z, psi, phi, th, de, tR, tF\n"
      "frame rear = world at (x, y, z) rotated z(psi) x(phi) y(th)\n"
      "frame fork = rear at (w + c, 0, rR) rotated y(tilt) z(de) y(-tilt)\n"
      "frame wR = rear rotated y(tR)\nframe wF = fork at (-c, 0, -rF) rotated y(tF)\n"
      "body R mass 2 inertia (0.0603, 0.12, 0.0603) at (0, 0, 0) in wR\n"
      "body B mass 85 inertia (9.2, 11, 2.8, 0, 2.4, 0) at (0.3, 0, -0.9 + rR) in rear\n"
      "body H mass 4 inertia (0.05892, 0.06, 0.00708, 0, -0.00756, 0) at (0.9 - w - c, 0, -0.7) "
      "in fork\nbody F mass 3 inertia (0.1405, 0.28, 0.1405) at (0, 0, 0) in wF\n"
      "gravity (0, 0, 9.81)\nframe ground = world rotated x(pi)\n"
      "frame rimR = wR rotated x(pi/2)\nframe rimF = wF rotated x(pi/2)\n"
      "roll rimR as circle(rR) on ground as plane at cr\n"
      "roll rimF as circle(rF) on ground as plane at cf\n"
      "initial pos(cr).x = 0\ninitial pos(cr).y = 0\ninitial psi = 0\ninitial phi = lean\n"
      "initial de ~ 0.06\ninitial th ~ 0\ninitial psi' ~ 0.36\ninitial tR = 0\n"
      "initial tF = 0\ninitial phi' ~ 0\ninitial de' ~ 0\ninitial tR' ~ -19.7\n");
  mech_free(b.system);
  CHECK(model_give(b.model, model_param_find(b.model, "lean")));
  b.system = mech_derive(b.model, b.notes);
  const study_branches_options o = {
      .param = model_param_find(b.model, "lean"), .from = 0.02, .to = 0.6, .points = 40};
  study_branches* r = study_branches_find(b.system, &o, b.notes);
  CHECK(r && r->path[0].specials == 1);
  if (r && r->path[0].specials == 1) {
    const study_path* p = &r->path[0];
    CHECK(!strcmp(p->special[0].kind, "fold"));
    CHECK_NEAR(p->special[0].value, 0.4200892508206126, 1e-11);
    CHECK_NEAR(p->value[0], 0.02, 1e-12);
    CHECK_NEAR(p->value[p->points - 1], 0.02, 1e-12);
    for (int i = 0; i < p->points; i++) CHECK_NEAR(p->point[i]->q[4], p->value[i], 1e-12);
  }
  study_branches_free(r);
  bench_free(&b);
}
