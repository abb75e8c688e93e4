// The frame of the search for stationary points: units of constraints near a point, multipliers of
// dependent ones, the largest number of unknowns, constraints that say nothing of them.
#include "check.h"
#include "least/stationary.h"
#include "stationary_make.h"

static least_stationary* room(void)
{
  static least_stationary* f;
  if (!f) f = least_stationary_new(L, L);
  return f;
}

// a plane through w and a sphere about 0, in units of their own
static void plane_and_sphere(made* m, double plane, double sphere)
{
  begin(m, 3, 2, NULL, (double[]){1, 2, 5});
  term(m, 0, plane, 0, 1, 0, 0);
  term(m, 0, 2 * plane, 1, 1, 0, 0);
  for (int i = 0; i < 3; i++) term(m, 1, sphere, i, 2, 0, 0);
  term(m, 1, -4 * sphere, 0, 0, 0, 0);
}

TEST(stationary_units_of_constraints_near_a_point_do_not_matter)
{
  const double w[] = {2, -1, 0.5};
  double phi[2][2], grad[2][6];
  for (int k = 0; k < 8; k++) {
    for (int turn = 0; turn < 2; turn++) {
      made m;
      const double unit = ldexp(1, turn * 10 * (k - 4)), other = ldexp(1, turn * 7 * (3 - k));
      plane_and_sphere(&m, unit, other);
      CHECK(least_stationary_frame_near(room(), &m.p, w));
      const least_stationary_frame* q = &room()->frame;
      CHECK(least_stationary_frame_eval(q, w, phi[turn], grad[turn], NULL));
    }
    // all of them pure numbers near one
    for (int i = 0; i < 2; i++) CHECK_NEAR(phi[1][i], phi[0][i], 0);
    for (int i = 0; i < 6; i++) CHECK_NEAR(grad[1][i], grad[0][i], 0);
    for (int j = 0; j < 2; j++) {
      const double* g = grad[1] + 3 * j;
      const double size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
      CHECK(size > 0.1 && size < 10);
    }
  }
}

// g^T lambda is as near to x as it can be: what is left is at right angles to the gradients
TEST(stationary_multipliers_of_dependent_constraints_are_those_of_least_squares)
{
  const double w[] = {1.2, -0.9, 0.5};
  for (int twice = 0; twice < 2; twice++) {
    made m;
    begin(&m, 3, 1 + twice, NULL, (double[]){1, 2, 5});
    for (int j = 0; j <= twice; j++) {
      for (int i = 0; i < 3; i++) term(&m, j, 1 + j, i, 2, 0, 0);
      term(&m, j, -4 * (1 + j), 0, 0, 0, 0);
    }
    CHECK(least_stationary_frame_near(room(), &m.p, w));
    const least_stationary_frame* q = &room()->frame;
    double lambda[L], x[L], g[L * L];
    least_stationary_multipliers(q, w, lambda);
    least_stationary_frame_coordinates(q, w, x);
    CHECK(least_stationary_frame_eval(q, w, NULL, g, NULL));
    double left[3], size = 0;
    for (int a = 0; a < 3; a++) {
      left[a] = x[a];
      for (int j = 0; j <= twice; j++) left[a] -= lambda[j] * g[3 * j + a];
      size += fabs(x[a]);
    }
    for (int j = 0; j <= twice; j++) {
      double along = 0;
      for (int a = 0; a < 3; a++) along += g[3 * j + a] * left[a];
      CHECK_NEAR(along, 0, 1e-12 * size);
    }
  }
}

// |w| = 2 in as many dimensions as there may be: the nearest and the farthest point lie on the line
// through the centre
TEST(stationary_spheres_of_all_dimensions_have_two_points)
{
  for (int l = 1; l <= L; l++) {
    made m;
    double r[L], size = 0;
    for (int i = 0; i < l; i++) {
      r[i] = 1 + 0.3 * i;
      size = hypot(size, r[i]);
    }
    begin(&m, l, 1, NULL, r);
    for (int i = 0; i < l; i++) term(&m, 0, 1, i, 2, 0, 0);
    term(&m, 0, -4, 0, 0, 0, 0);
    const least_stationary_set* set = least_stationary_all(room(), &m.p);
    CHECK(set && set->complete);
    if (!set) continue;
    CHECK_INT(set->count, 2);
    for (int k = 0; k < set->count; k++)
      for (int i = 0; i < l; i++) CHECK_NEAR(set->point[k].w[i], (k ? -2 : 2) * r[i] / size, 1e-13);
  }
}

// an ellipsoid with as many different axes: found points lie on it, each once, and the force is
// along the gradient
TEST(stationary_ellipsoids_of_all_dimensions_have_their_points_once)
{
  for (int l = 2; l <= L; l++) {
    made m;
    double r[L];
    for (int i = 0; i < l; i++) r[i] = 1e-5 * (i + 1);
    begin(&m, l, 1, NULL, r);
    for (int i = 0; i < l; i++) term(&m, 0, 1 + 0.5 * i, i, 2, 0, 0);
    term(&m, 0, -1, 0, 0, 0, 0);
    const least_stationary_set* set = least_stationary_all(room(), &m.p);
    CHECK(set && set->complete);
    if (!set) continue;
    // a small force from the middle: near both ends of each axis there is one
    CHECK_INT(set->count, 2 * l);
    for (int k = 0; k < set->count; k++) {
      double on = -1;
      for (int i = 0; i < l; i++) {
        const double a = 1 + 0.5 * i, w = set->point[k].w[i];
        on += a * w * w;
        CHECK_NEAR(w - r[i], set->point[k].lambda[0] * 2 * a * w, 1e-12);
      }
      CHECK_NEAR(on, 0, 1e-12);
    }
  }
}

// A constraint without unknowns is a contradiction unless it is 0 = 0, however small it is beside
// what is free.
TEST(stationary_constant_constraints_are_contradictions)
{
  for (int k = -12; k <= 12; k += 4) {
    made m;
    const double large = pow(10, k);
    begin(&m, 2, 1, NULL, (double[]){large, 2 * large});
    term(&m, 0, 1e-3, 0, 0, 0, 0);
    const least_stationary_set* set = least_stationary_all(room(), &m.p);
    CHECK(set && set->empty && set->count == 0);
    CHECK(set && set->least_phi > 0 && isfinite(set->least_phi));
    begin(&m, 2, 1, NULL, (double[]){large, 2 * large});
    term(&m, 0, 0, 0, 0, 0, 0);
    set = least_stationary_all(room(), &m.p);
    CHECK(set && set->count == 1 && !set->empty);
    if (set && set->count) CHECK_NEAR(set->point[0].w[1] / large, 2, 1e-15);
  }
}
