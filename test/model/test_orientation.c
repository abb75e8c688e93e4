// Orientations: kinematics against finite differences, the norm, the attitude at the start.

#include <math.h>
#include <stdio.h>

#include "check.h"
#include "given.h"

static const char text[] = "coord x, p\n"
                           "orientation Q\n"
                           "orientation P\n"
                           "frame A = world at (x, 0, t) rotated z(p)\n"
                           "frame H = A at (0, x, 1) rotated by Q\n"
                           "frame B = H rotated x(0.3*t)\n"
                           "frame C = B rotated by P\n"
                           "point E = (0.4, p, 0.7) in C\n"
                           "body K mass 2 inertia (1, 2, 2.5) in C\n"
                           "output r = pos(E)\n"
                           "output v = vel(E)\n"
                           "output a = acc(E)\n"
                           "output w = omega(C)\n"
                           "output al = alpha(C)\n"
                           "point e1 = (0.6, 0.8, 0) in C\n"
                           "output e = pos(e1) - pos(C)\n";

// Coordinates of a motion on the unit spheres at time t: x, p, then Q and P.
static void place_at(double t, double q[10])
{
  q[0] = 0.3 + 0.5 * t - 0.2 * t * t;
  q[1] = 0.8 - t + 0.3 * sin(t);
  for (int k = 0; k < 2; k++) {
    double* u = q + 2 + 4 * k;
    double size = 0;
    for (int i = 0; i < 4; i++) {
      u[i] = (i == 0 ? 2 : 0) + cos((0.5 + 0.2 * i + 0.3 * k) * t + 0.7 * i * i + 2 * k);
      size += u[i] * u[i];
    }
    for (int i = 0; i < 4; i++) u[i] /= sqrt(size);
  }
}

// rates by central differences of order four
static const double h = 2e-3, weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
static const double apart[4] = {-2, -1, 1, 2};

static void rate_at(double t, double v[10])
{
  for (int i = 0; i < 10; i++) v[i] = 0;
  for (int k = 0; k < 4; k++) {
    double q[10];
    place_at(t + apart[k] * h, q);
    for (int i = 0; i < 10; i++) v[i] += weight[k] / h * q[i];
  }
}

static void acceleration_at(double t, double a[10])
{
  for (int i = 0; i < 10; i++) a[i] = 0;
  for (int k = 0; k < 4; k++) {
    double v[10];
    rate_at(t + apart[k] * h, v);
    for (int i = 0; i < 10; i++) a[i] += weight[k] / h * v[i];
  }
}

static void vector(given* g, const char* name, double t, double out[3])
{
  double q[10], v[10], a[10], value[31];
  expr symbol[31], e[3];
  place_at(t, q);
  rate_at(t, v);
  acceleration_at(t, a);
  for (int i = 0; i < 10; i++) {
    const model_coord* c = &g->m->coord[i];
    symbol[3 * i] = c->q, value[3 * i] = q[i];
    symbol[3 * i + 1] = c->v, value[3 * i + 1] = v[i];
    symbol[3 * i + 2] = c->a, value[3 * i + 2] = a[i];
  }
  symbol[30] = g->m->t, value[30] = t;
  for (int i = 0; i < 3; i++) {
    char full[16];
    snprintf(full, sizeof full, "%s.%c", name, "xyz"[i]);
    e[i] = given_output(g, full);
  }
  expr_values(g->m->pool, 3, e, 31, symbol, value, out);
}

static void is_rate_of(given* g, const char* name, const char* of, double t)
{
  double got[3], want[3] = {0};
  vector(g, name, t, got);
  for (int k = 0; k < 4; k++) {
    double x[3];
    vector(g, of, t + apart[k] * h, x);
    for (int i = 0; i < 3; i++) want[i] += weight[k] / h * x[i];
  }
  for (int i = 0; i < 3; i++) CHECK_NEAR(got[i], want[i], 1e-7 * (1 + fabs(want[i])));
}

TEST(velocities_by_quaternion_are_rates_of_places)
{
  given g = given_text(text);
  CHECK(g.m != NULL);
  for (double t = 0; g.m && t < 2; t += 0.37) {
    is_rate_of(&g, "v", "r", t);
    is_rate_of(&g, "a", "v", t);
    is_rate_of(&g, "al", "w", t);
  }
  given_free(&g);
}

// e' = omega x e for an axis e of the frame
TEST(the_axes_turn_with_the_angular_velocity)
{
  given g = given_text(text);
  CHECK(g.m != NULL);
  for (double t = 0; g.m && t < 2; t += 0.37) {
    double w[3], e[3], want[3] = {0};
    vector(&g, "w", t, w);
    vector(&g, "e", t, e);
    for (int k = 0; k < 4; k++) {
      double x[3];
      vector(&g, "e", t + apart[k] * h, x);
      for (int i = 0; i < 3; i++) want[i] += weight[k] / h * x[i];
    }
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3, k = (i + 2) % 3;
      CHECK_NEAR(w[j] * e[k] - w[k] * e[j], want[i], 1e-8);
    }
  }
  given_free(&g);
}

TEST(an_orientation_is_four_coordinates_three_speeds_and_an_internal_constraint)
{
  given g = given_text(text);
  CHECK(g.m != NULL);
  if (g.m) {
    CHECK_INT(g.m->coords, 10);
    CHECK_INT(g.m->quasis, 6);
    CHECK_INT(g.m->constraints, 2);
    CHECK_INT(model_constraints_shown(g.m), 0);
    CHECK_TEXT(g.m->coord[2].name, "Q.w");
    CHECK_INT(g.m->coord[2].start, 1);
    CHECK_INT(g.m->coord[3].start, 0);
    CHECK_TEXT(g.m->constraint[0].name, "Q.norm");
    CHECK_TEXT(g.m->quasi[1].name, "Q.wy");
  }
  given_free(&g);
}

// the energy is Euler's: (A p^2 + B q^2 + C r^2)/2 in the speeds
TEST(the_energy_of_a_body_turned_by_a_quaternion_is_eulers)
{
  given g = given_text("orientation Q\n"
                       "frame F = world rotated by Q\n"
                       "body K mass 2 inertia (1, 2, 2.5) in F\n"
                       "output T = kinetic()\n"
                       "output E = (Q.wx^2 + 2*Q.wy^2 + 2.5*Q.wz^2)/2\n");
  CHECK(g.m != NULL);
  if (g.m) CHECK(given_same(&g, given_output(&g, "T"), given_output(&g, "E")));
  given_free(&g);
}

// a quaternion is no turn about an axis of the body, however round the body is
TEST(a_round_body_keeps_the_energy_of_its_quaternion)
{
  static const char* const inertia[][3] = {{"1", "1", "1"}, {"2", "1", "1"}, {"1", "1", "2"}};
  for (int i = 0; i < 3; i++) {
    const char* const* J = inertia[i];
    char top[400];
    snprintf(top, sizeof top,
             "orientation Q\nframe F = world rotated by Q\n"
             "body K mass 2 inertia (%s, %s, %s) in F\n"
             "output T = kinetic()\noutput E = (%s*Q.wx^2 + %s*Q.wy^2 + %s*Q.wz^2)/2\n",
             J[0], J[1], J[2], J[0], J[1], J[2]);
    given g = given_text(top);
    CHECK(g.m != NULL);
    if (g.m) CHECK(given_same(&g, given_output(&g, "T"), given_output(&g, "E")));
    given_free(&g);
  }
}

TEST(an_attitude_at_the_start_gives_three_equations_and_guesses)
{
  given g = given_text("orientation Q\n"
                       "frame A = world rotated z(t)\n"
                       "frame H = A rotated by Q\n"
                       "frame F = H rotated y(0.2)\n"
                       "body K mass 2 inertia (1, 2, 2.5) in F\n"
                       "initial rotation(K) = z(0.1) x(pi/2)\n");
  CHECK(g.m != NULL);
  if (g.m) {
    CHECK_INT(g.m->initials, 7);
    for (int i = 0; i < 7; i++) CHECK_INT(g.m->initial[i].guess, i < 4);
  }
  given_free(&g);
}
