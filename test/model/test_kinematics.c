// Places, velocities, accelerations and angular velocities against finite differences, on frames
// turned about all axes, carried by each other and moving by laws of time and changing params.

#include <stdio.h>

#include "check.h"
#include "given.h"

static const char spatial[] = "param l = 0.7, a = 1.2, b = 0.4\n"
                              "coord x, y, p, q, r\n"
                              "frame A = world at (x, y*sin(t), l*t) rotated z(p) x(q + t) y(r)\n"
                              "frame B = A at (l, x*y, cos(a)) rotated y(0.3*q) z(a) z(x)\n"
                              "frame C = B rotated x(t^2/3)\n"
                              "frame D = world at (0, q, 1) rotated x(p*q) z(0.5)\n"
                              "point P = (l*cos(q), b*t, x) in C\n"
                              "point ex = (1, 0, 0) in C\n"
                              "point ey = (0, 1, 0) in C\n"
                              "point ez = (0, 0, 1) in C\n"
                              "point dx = (1, 0, 0) in D\n"
                              "point dy = (0, 1, 0) in D\n"
                              "point dz = (0, 0, 1) in D\n"
                              "particle M mass 1 = (x, y, p) in world\n"
                              "stage { set a = 2 over 1 }\n"
                              "output p = pos(P)\n"
                              "output v = vel(P)\n"
                              "output acc = acc(P)\n"
                              "output w = omega(C)\n"
                              "output al = alpha(C)\n"
                              "output e1 = pos(ex) - pos(C)\n"
                              "output e2 = pos(ey) - pos(C)\n"
                              "output e3 = pos(ez) - pos(C)\n"
                              "output d1 = pos(dx) - pos(D)\n"
                              "output d2 = pos(dy) - pos(D)\n"
                              "output d3 = pos(dz) - pos(D)\n"
                              "output pD = pos(P, D)\n"
                              "output vD = vel(P, D)\n"
                              "output aD = acc(P, D)\n"
                              "output wD = omega(C, D)\n"
                              "output alD = alpha(C, D)\n"
                              "output wC = omega(C, C)\n"
                              "output alC = alpha(C, C)\n"
                              "output oD = pos(D)\n"
                              "output dp = p'\n";

static void vector(given* g, const char* name, motion at, double out[3])
{
  for (int i = 0; i < 3; i++) {
    char full[16];
    snprintf(full, sizeof full, "%s.%c", name, "xyz"[i]);
    expr e = given_output(g, full);
    out[i] = e == EXPR_NONE ? NAN : given_value(g, e, at);
  }
}

// central difference of order four
static void rate(given* g, const char* name, motion at, double out[3])
{
  const double h = 1e-3, weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  const double step[4] = {-2, -1, 1, 2};
  for (int i = 0; i < 3; i++) out[i] = 0;
  for (int k = 0; k < 4; k++) {
    double x[3];
    vector(g, name, (motion){at.seed, at.t + step[k] * h}, x);
    for (int i = 0; i < 3; i++) out[i] += weight[k] / h * x[i];
  }
}

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void near_vector(const double got[3], const double want[3], double allowed)
{
  for (int i = 0; i < 3; i++) CHECK_NEAR(got[i], want[i], allowed * (1 + fabs(want[i])));
}

// the vector `name` is `whole` resolved in the axes d1, d2, d3
static void near_resolved(given* g, const char* name, const char* whole, motion at)
{
  double got[3], v[3], want[3];
  vector(g, name, at, got);
  vector(g, whole, at, v);
  const char* const axis[3] = {"d1", "d2", "d3"};
  for (int i = 0; i < 3; i++) {
    double d[3];
    vector(g, axis[i], at, d);
    want[i] = dot(v, d);
  }
  near_vector(got, want, 1e-11);
}

TEST(velocities_and_accelerations_are_the_derivatives_of_places)
{
  given g = given_text(spatial);
  CHECK_TEXT(given_errors(&g), "");
  for (unsigned seed = 1; g.m && seed <= 4; seed++) {
    motion at = {seed, 0.4};
    double got[3], want[3];
    vector(&g, "v", at, got);
    rate(&g, "p", at, want);
    near_vector(got, want, 1e-7);
    vector(&g, "acc", at, got);
    rate(&g, "v", at, want);
    near_vector(got, want, 1e-7);
    vector(&g, "al", at, got);
    rate(&g, "w", at, want);
    near_vector(got, want, 1e-7);
  }
  given_free(&g);
}

TEST(angular_velocity_turns_the_axes_of_a_frame)
{
  given g = given_text(spatial);
  const char* const axis[3] = {"e1", "e2", "e3"};
  for (unsigned seed = 1; g.m && seed <= 4; seed++) {
    motion at = {seed, 0.4};
    double w[3];
    vector(&g, "w", at, w);
    for (int k = 0; k < 3; k++) {
      double e[3], want[3];
      vector(&g, axis[k], at, e);
      rate(&g, axis[k], at, want);
      double got[3] = {w[1] * e[2] - w[2] * e[1], w[2] * e[0] - w[0] * e[2],
                       w[0] * e[1] - w[1] * e[0]};
      near_vector(got, want, 1e-7);
      CHECK_NEAR(dot(e, e), 1, 1e-12);
    }
  }
  given_free(&g);
}

TEST(axes_of_a_frame_are_right_handed)
{
  given g = given_text(spatial);
  motion at = {3, 0.4};
  double a[3], b[3], c[3];
  vector(&g, "e1", at, a);
  vector(&g, "e2", at, b);
  vector(&g, "e3", at, c);
  double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                     a[0] * b[1] - a[1] * b[0]};
  near_vector(cross, c, 1e-12);
  given_free(&g);
}

TEST(a_second_argument_resolves_in_the_axes_of_that_frame)
{
  given g = given_text(spatial);
  for (unsigned seed = 1; g.m && seed <= 3; seed++) {
    motion at = {seed, 0.4};
    near_resolved(&g, "vD", "v", at);
    near_resolved(&g, "aD", "acc", at);
    near_resolved(&g, "wD", "w", at);
    near_resolved(&g, "alD", "al", at);
  }
  given_free(&g);
}

TEST(the_place_in_a_frame_is_measured_from_its_origin)
{
  given g = given_text(spatial);
  motion at = {2, 0.4};
  double p[3], o[3], got[3], want[3];
  vector(&g, "p", at, p);
  vector(&g, "oD", at, o);
  vector(&g, "pD", at, got);
  for (int i = 0; i < 3; i++) p[i] -= o[i];
  const char* const axis[3] = {"d1", "d2", "d3"};
  for (int i = 0; i < 3; i++) {
    double d[3];
    vector(&g, axis[i], at, d);
    want[i] = dot(p, d);
  }
  near_vector(got, want, 1e-11);
  given_free(&g);
}

TEST(in_its_own_axes_the_angular_acceleration_is_the_rate_of_the_angular_velocity)
{
  given g = given_text(spatial);
  motion at = {4, 0.4};
  double got[3], want[3];
  vector(&g, "alC", at, got);
  rate(&g, "wC", at, want);
  near_vector(got, want, 1e-7);
  given_free(&g);
}

TEST(turns_about_one_axis_add_their_angles)
{
  given g = given_text("param l = 1, m = 1\ncoord a, b\n"
                       "frame A = world rotated z(a)\n"
                       "frame B = A at (l, 0, 0) rotated z(b)\n"
                       "particle P mass m = (l, 0, 0) in B\n"
                       "output p = pos(P).x\noutput w = omega(B).z\noutput v = vel(P, A).x\n"
                       "output p0 = l*cos(a) + l*cos(a + b)\noutput w0 = a' + b'\n"
                       "output v0 = -(a' + b')*l*sin(b)\n");
  CHECK_TEXT(given_errors(&g), "");
  // the same expressions, not only the same functions: no products of sines and cosines
  CHECK(given_output(&g, "p") == given_output(&g, "p0"));
  CHECK(given_output(&g, "w") == given_output(&g, "w0"));
  CHECK(given_same(&g, given_output(&g, "v"), given_output(&g, "v0")));
  given_free(&g);
}

TEST(a_chain_of_turns_undone_is_the_identity)
{
  given g = given_text("coord a, b, c\n"
                       "frame A = world rotated x(a) y(b) z(c) z(-c) y(-b) x(-a)\n"
                       "particle P mass 1 = (a, b, c) in A\n"
                       "output p = pos(P)\noutput w = omega(A)\n");
  CHECK_TEXT(given_errors(&g), "");
  CHECK_TEXT(given_print(&g, given_output(&g, "p.x")), "a");
  CHECK_TEXT(given_print(&g, given_output(&g, "p.z")), "c");
  CHECK_TEXT(given_print(&g, given_output(&g, "w.y")), "0");
  given_free(&g);
}

TEST(the_name_of_a_body_stands_for_its_centre_of_mass)
{
  given g = given_text("param l = 2, m = 1\ncoord x, a\n"
                       "frame A = world at (x, 0, 0) rotated z(a)\n"
                       "rod R mass m from (0, 0, 0) to (l, 0, 0) in A\n"
                       "plate S mass m corners (0, 0, 0) (l, 0, 0) (0, l, 0) in A\n"
                       "ball B mass m radius 0.1 at (0, l, 0) in A\n"
                       "point P = (1, 0, 0) in B\n"
                       "output r = pos(R, A)\noutput s = pos(S, A)\noutput b = pos(B, A)\n"
                       "output p = pos(P, A)\noutput w = omega(R)\n");
  CHECK_TEXT(given_errors(&g), "");
  CHECK_TEXT(given_print(&g, given_output(&g, "r.x")), "l/2");
  CHECK_TEXT(given_print(&g, given_output(&g, "s.x")), "l/2");
  CHECK_TEXT(given_print(&g, given_output(&g, "s.y")), "l/2");
  CHECK_TEXT(given_print(&g, given_output(&g, "b.y")), "l");
  CHECK_TEXT(given_print(&g, given_output(&g, "p.x")), "1");
  CHECK_TEXT(given_print(&g, given_output(&g, "p.y")), "l");
  CHECK_TEXT(given_print(&g, given_output(&g, "w.z")), "a'");
  given_free(&g);
}
