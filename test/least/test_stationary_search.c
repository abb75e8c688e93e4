// Stationary points by search, empty and singular sets, several constraints, units, following.
#include "check.h"
#include "stationary_make.h"

#include <stdio.h>
#include <time.h>

static least_stationary* room(void)
{
  static least_stationary* f;
  if (!f) f = least_stationary_new(L, L);
  return f;
}

// ---- several constraints ------------------------------------------------------------------------

// sphere and plane: a circle about its axis, by hand
TEST(stationary_sphere_and_plane_are_solved_as_a_circle)
{
  made m;
  begin(&m, 3, 2, NULL, (double[]){1, 2, 5});
  for (int i = 0; i < 3; i++) term(&m, 0, 1, i, 2, 0, 0);
  term(&m, 0, -4, 0, 0, 0, 0);
  term(&m, 1, 1, 2, 1, 0, 0);
  term(&m, 1, -1, 0, 0, 0, 0);
  const least_stationary_set* set = least_stationary_all(room(), &m.p);
  CHECK_TEXT(set->method, "quadric");
  CHECK(set->complete);
  CHECK_INT(set->count, 2);
  double r = sqrt(3.0 / 5);
  CHECK_NEAR(set->point[0].w[0], r, 1e-15);
  CHECK_NEAR(set->point[0].w[1], 2 * r, 1e-15);
  CHECK_NEAR(set->point[0].w[2], 1, 1e-15);
  // H w - r = lambda_1 2 w + lambda_2 e_3
  CHECK_NEAR(set->point[0].lambda[0], (r - 1) / (2 * r), 1e-14);
  CHECK_NEAR(set->point[0].lambda[1], -4 - 2 * set->point[0].lambda[0], 1e-14);
  CHECK_INT(set->point[0].kind, LEAST_STATIONARY_MINIMUM);
  CHECK_INT(set->point[1].kind, LEAST_STATIONARY_SADDLE);
}

// two cylinders x^2 + y^2 = 1, x^2 + z^2 = 4: y = sin t, x = cos t, z = +-sqrt(4 - x^2)
TEST(stationary_two_cylinders_agree_with_a_scan_of_their_curve)
{
  unsigned seed = 21;
  for (int k = 0; k < 20; k++) {
    double r[3], M[3];
    for (int i = 0; i < 3; i++) {
      r[i] = 4 * uniform(&seed) - 2;
      M[i] = 0.5 + uniform(&seed);
    }
    made m;
    begin(&m, 3, 2, M, r);
    term(&m, 0, 1, 0, 2, 0, 0);
    term(&m, 0, 1, 1, 2, 0, 0);
    term(&m, 0, -1, 0, 0, 0, 0);
    term(&m, 1, 1, 0, 2, 0, 0);
    term(&m, 1, 1, 2, 2, 0, 0);
    term(&m, 1, -4, 0, 0, 0, 0);
    const least_stationary_set* set = least_stationary_all(room(), &m.p);
    int turns = 0, n = 20000;
    double least = INFINITY;
    for (int side = -1; side <= 1; side += 2) {
      double U[3] = {0};
      for (int i = -2; i <= n; i++) {
        double t = 2 * M_PI * i / n, w[3] = {cos(t), sin(t), side * sqrt(4 - cos(t) * cos(t))};
        U[0] = U[1];
        U[1] = U[2];
        U[2] = 0;
        for (int c = 0; c < 3; c++) U[2] += 0.5 * M[c] * pow(w[c] - r[c] / M[c], 2);
        if (i > 0) turns += (U[1] - U[0]) * (U[2] - U[1]) < 0;
        least = fmin(least, U[2]);
      }
    }
    CHECK(set->complete);
    CHECK_TEXT(set->method, "homotopy");
    CHECK_INT(set->count, turns);
    CHECK_NEAR(set->point[0].U, least, 1e-6);
  }
}

TEST(stationary_redundant_constraints_change_nothing)
{
  made m;
  begin(&m, 3, 3, NULL, (double[]){1, 2, 5});
  for (int j = 0; j < 2; j++) {
    for (int i = 0; i < 3; i++) term(&m, j, 1 + j, i, 1, 0, 0);
    term(&m, j, -1 - j, 0, 0, 0, 0);
  }
  for (int i = 0; i < 3; i++) term(&m, 2, 1, i, 2, 0, 0);
  term(&m, 2, -4, 0, 0, 0, 0);
  const least_stationary_set* set = least_stationary_all(room(), &m.p);
  CHECK(set->complete);
  CHECK_INT(set->count, 2);
  CHECK_INT(set->point[0].rank, 2);
  CHECK_INT(set->point[0].kind, LEAST_STATIONARY_MINIMUM);
  // two spheres that are one
  begin(&m, 2, 2, NULL, (double[]){1, 2});
  for (int j = 0; j < 2; j++) {
    for (int i = 0; i < 2; i++) term(&m, j, 1 + j, i, 2, 0, 0);
    term(&m, j, -1 - j, 0, 0, 0, 0);
  }
  set = least_stationary_all(room(), &m.p);
  CHECK_INT(set->count, 2);
  CHECK_NEAR(set->point[0].w[0], 1 / sqrt(5), 1e-9);
  CHECK_INT(set->point[0].kind, LEAST_STATIONARY_MINIMUM);
}

TEST(stationary_affine_constraints_are_a_projection)
{
  made m;
  begin(&m, 3, 1, (double[]){1, 2, 4}, (double[]){1, 2, 4});
  for (int i = 0; i < 3; i++) term(&m, 0, 1, i, 1, 0, 0);
  const least_stationary_set* set = least_stationary_all(room(), &m.p);
  CHECK_TEXT(set->method, "affine");
  CHECK_INT(set->count, 1);
  // w = w0 + H^-1 A^T lambda, lambda = -3 / 1.75
  CHECK_NEAR(set->point[0].lambda[0], -3 / 1.75, 1e-15);
  CHECK_NEAR(set->point[0].w[2], 1 - 3 / 1.75 / 4, 1e-15);
  CHECK_NEAR(set->point[0].curvature, 1, 1e-15);
  // none at all: the free motion
  begin(&m, 3, 0, NULL, (double[]){1, 2, 4});
  set = least_stationary_all(room(), &m.p);
  CHECK_INT(set->count, 1);
  CHECK_NEAR(set->point[0].w[2], 4, 0);
}

// ---- nothing there ------------------------------------------------------------------------------

TEST(stationary_empty_sets_are_proved_empty)
{
  made m;
  // x^2 + y^2 = -1
  begin(&m, 2, 1, NULL, (double[]){1, 2});
  for (int i = 0; i < 2; i++) term(&m, 0, 1, i, 2, 0, 0);
  term(&m, 0, 1, 0, 0, 0, 0);
  const least_stationary_set* set = least_stationary_all(room(), &m.p);
  CHECK(set->empty && set->complete && set->least_phi > 0.1);
  // the same to the fourth power
  begin(&m, 2, 1, NULL, (double[]){1, 2});
  for (int i = 0; i < 2; i++) term(&m, 0, 1, i, 4, 0, 0);
  term(&m, 0, 1, 0, 0, 0, 0);
  set = least_stationary_all(room(), &m.p);
  CHECK(set->empty && set->complete && set->least_phi > 0.1);
  // two parallel planes
  begin(&m, 2, 2, NULL, (double[]){1, 2});
  for (int j = 0; j < 2; j++) {
    term(&m, j, 1, 0, 1, 0, 0);
    term(&m, j, j, 0, 0, 0, 0);
  }
  set = least_stationary_all(room(), &m.p);
  CHECK(set->empty && set->complete && set->least_phi > 0.01);
  // a sphere and a plane that misses it
  begin(&m, 3, 2, NULL, (double[]){1, 2, 0});
  for (int i = 0; i < 3; i++) term(&m, 0, 1, i, 2, 0, 0);
  term(&m, 0, -1, 0, 0, 0, 0);
  term(&m, 1, 1, 2, 1, 0, 0);
  term(&m, 1, -1.01, 0, 0, 0, 0);
  set = least_stationary_all(room(), &m.p);
  CHECK(set->empty && set->complete);
}

TEST(stationary_wrong_input_is_refused)
{
  made m;
  begin(&m, 2, 0, (double[]){1, -1}, (double[]){1, 2});
  CHECK(!least_stationary_all(room(), &m.p));
  begin(&m, 2, 0, NULL, (double[]){1, NAN});
  CHECK(!least_stationary_all(room(), &m.p));
}

// ---- singular points ----------------------------------------------------------------------------

// x y = 0: the two planes and the line where they cross
TEST(stationary_crossing_planes_show_their_line)
{
  made m;
  begin(&m, 3, 1, NULL, (double[]){1, 2, 3});
  term(&m, 0, 1, 0, 1, 1, 1);
  const least_stationary_set* set = least_stationary_all(room(), &m.p);
  CHECK(set->complete);
  CHECK_INT(set->count, 3);
  CHECK_NEAR(set->point[0].U, 0.5, 1e-15);
  CHECK_NEAR(set->point[1].U, 2, 1e-15);
  CHECK_NEAR(set->point[2].U, 2.5, 1e-15);
  CHECK_INT(set->point[2].kind, LEAST_STATIONARY_SINGULAR);
}

// quartic cone z^4 = x^4 + y^4, free motion (0, 0.1, 0) outside it: the apex is the minimum... or
// not
TEST(stationary_apex_of_a_quartic_cone_is_found)
{
  made m;
  begin(&m, 3, 1, NULL, (double[]){0.3, 0.1, 2});
  term(&m, 0, 1, 0, 4, 0, 0);
  term(&m, 0, 1, 1, 4, 0, 0);
  term(&m, 0, -1, 2, 4, 0, 0);
  const least_stationary_set* set = least_stationary_all(room(), &m.p);
  bool apex = false;
  for (int i = 0; i < set->count; i++)
    apex |= set->point[i].kind == LEAST_STATIONARY_SINGULAR && fabs(set->point[i].U - 2.05) < 1e-4;
  CHECK(apex);
}

// y^2 = x^3 pulled from the left: its cusp is the nearest point and no multiplier exists
TEST(stationary_cusp_is_the_minimum)
{
  made m;
  begin(&m, 2, 1, NULL, (double[]){-1, 0});
  term(&m, 0, 1, 0, 3, 0, 0);
  term(&m, 0, -1, 1, 2, 0, 0);
  const least_stationary_set* set = least_stationary_all(room(), &m.p);
  CHECK_INT(set->count, 1);
  CHECK_INT(set->point[0].kind, LEAST_STATIONARY_SINGULAR);
  CHECK_NEAR(set->point[0].w[0], 0, 1e-6);
  CHECK_NEAR(set->point[0].U, 0.5, 1e-6);
}

// two circles that touch: the set is one point, the gradients there are parallel
TEST(stationary_touching_circles_meet_in_a_singular_point)
{
  made m;
  begin(&m, 2, 2, NULL, (double[]){1, 2});
  for (int j = 0; j < 2; j++)
    for (int i = 0; i < 2; i++) term(&m, j, 1, i, 2, 0, 0);
  term(&m, 0, -1, 0, 0, 0, 0);
  term(&m, 1, -4, 0, 1, 0, 0);
  term(&m, 1, 3, 0, 0, 0, 0);
  const least_stationary_set* set = least_stationary_all(room(), &m.p);
  CHECK_INT(set->count, 1);
  CHECK_INT(set->point[0].kind, LEAST_STATIONARY_SINGULAR);
  CHECK_NEAR(set->point[0].w[0], 1, 1e-9);
  CHECK_NEAR(set->point[0].w[1], 0, 1e-9);
}

// torus (x^2+y^2+z^2+3)^2 = 16 (x^2+y^2), a force along its axis: circles
TEST(stationary_torus_under_axial_force_has_a_continuum)
{
  made m;
  begin(&m, 3, 1, NULL, (double[]){0, 0, 3});
  for (int i = 0; i < 3; i++) {
    term(&m, 0, 1, i, 4, 0, 0);
    term(&m, 0, 2, i, 2, (i + 1) % 3, 2);
    term(&m, 0, i < 2 ? 6 - 16 : 6, i, 2, 0, 0);
  }
  term(&m, 0, 9, 0, 0, 0, 0);
  const least_stationary_set* set = least_stationary_all(room(), &m.p);
  CHECK(set->continuum);
  // nearest circle: distance from (0, 0, 3) to the circle of radius 2, less 1
  CHECK_NEAR(set->point[0].U, 0.5 * pow(sqrt(13) - 1, 2), 1e-9);
  CHECK_INT(set->point[0].kind, LEAST_STATIONARY_DEGENERATE);
  // pushed aside: four isolated points in the plane of force and axis
  m.r[0] = 0.5;
  set = least_stationary_all(room(), &m.p);
  CHECK(set->complete && !set->continuum);
  CHECK_INT(set->count, 4);
  CHECK_NEAR(set->point[0].U, 0.5 * pow(hypot(1.5, 3) - 1, 2), 1e-13);
}

// ---- not polynomial -----------------------------------------------------------------------------

// y = sin(5 x) pulled to (a, b)
static int wave(void* context, const double* w, double* phi, double* grad, double* hess)
{
  double k = *(double*)context;
  if (phi) phi[0] = w[1] - sin(k * w[0]);
  if (grad) grad[0] = -k * cos(k * w[0]), grad[1] = 1;
  if (hess) hess[0] = k * k * sin(k * w[0]), hess[1] = hess[2] = hess[3] = 0;
  return 0;
}

TEST(stationary_search_finds_every_point_of_a_wave)
{
  unsigned seed = 9;
  int missed = 0, all = 0;
  for (int c = 0; c < 30; c++) {
    double k = 3 + 3 * uniform(&seed), a[2] = {2 * uniform(&seed) - 1, 3 * uniform(&seed) - 1};
    least_stationary_problem p = {
        .l = 2, .s = 1, .H = (double[]){1, 0, 0, 1}, .r = a, .eval = wave};
    p.context = &k;
    const least_stationary_set* set = least_stationary_all(room(), &p);
    CHECK(set && !set->complete && !set->empty);
    int turns = 0, n = 800000;
    double U[3] = {0}, least = INFINITY;
    for (int i = 0; i < n; i++) {
      double x = -25 + 50.0 * i / n, y = sin(k * x);
      U[0] = U[1];
      U[1] = U[2];
      U[2] = 0.5 * ((x - a[0]) * (x - a[0]) + (y - a[1]) * (y - a[1]));
      if (i > 1) turns += (U[1] - U[0]) * (U[2] - U[1]) < 0;
      least = fmin(least, U[2]);
    }
    CHECK_NEAR(set->point[0].U, least, 1e-8);
    CHECK(set->count <= turns);
    missed += turns - set->count;
    all += turns;
  }
  printf("# waves: %d of %d stationary points found, all least ones\n", all - missed, all);
  CHECK_INT(missed, 0);
}

// exp(x) + exp(y) = 3, evaluable only for x < 2
static int exponentials(void* context, const double* w, double* phi, double* grad, double* hess)
{
  (void)context;
  if (w[0] >= 2) return 1;
  double e[2] = {exp(w[0]), exp(w[1])};
  if (phi) phi[0] = e[0] + e[1] - 3;
  if (grad) grad[0] = e[0], grad[1] = e[1];
  if (hess) hess[0] = e[0], hess[1] = hess[2] = 0, hess[3] = e[1];
  return 0;
}

static int never_zero(void* context, const double* w, double* phi, double* grad, double* hess)
{
  (void)context;
  if (phi) phi[0] = exp(w[0]) + 0.1;
  if (grad) grad[0] = exp(w[0]);
  if (hess) hess[0] = exp(w[0]);
  return 0;
}

static int nowhere(void* context, const double* w, double* phi, double* grad, double* hess)
{
  (void)context, (void)w, (void)phi, (void)grad, (void)hess;
  return 1;
}

TEST(stationary_search_on_exponentials)
{
  least_stationary_problem p = {.l = 2, .s = 1, .H = (double[]){1, 0, 0, 1}, .eval = exponentials};
  p.r = (double[]){-1, -1};
  const least_stationary_set* set = least_stationary_all(room(), &p);
  CHECK(!set->empty && !set->complete);
  // symmetric: x = y = log(3/2) is stationary; the curve bends away from (-1, -1): a maximum there,
  // or minima beside it; whatever it is, no sampled point is lower
  double least = INFINITY;
  for (int i = 0; i < 400000; i++) {
    double x = -6 + 7.0986 * i / 400000, e = 3 - exp(x);
    if (e > 0) least = fmin(least, 0.5 * (pow(x + 1, 2) + pow(log(e) + 1, 2)));
  }
  CHECK_NEAR(set->point[0].U, least, 1e-8);
  p = (least_stationary_problem){
      .l = 1, .s = 1, .H = (double[]){1}, .r = (double[]){1}, .eval = never_zero};
  set = least_stationary_all(room(), &p);
  CHECK(set->empty && !set->complete && set->least_phi > 1e-3);
  p.eval = nowhere;
  CHECK(!least_stationary_all(room(), &p));
}

// the crane given as a function: the same points
static int circle(void* context, const double* w, double* phi, double* grad, double* hess)
{
  double scale = *(double*)context;
  if (phi) phi[0] = scale * (w[0] * w[0] + w[1] * w[1] - 1.44);
  for (int i = 0; grad && i < 2; i++) grad[i] = 2 * scale * w[i];
  if (hess) hess[0] = hess[3] = 2 * scale, hess[1] = hess[2] = 0;
  return 0;
}

TEST(stationary_search_finds_the_cranes_points)
{
  double scale = 1e5;
  least_stationary_problem p = {
      .l = 2, .s = 1, .H = (double[]){3, 0, 0, 1}, .r = (double[]){1, 0.3}};
  p.eval = circle;
  p.context = &scale;
  const least_stationary_set* set = least_stationary_all(room(), &p);
  CHECK_INT(set->count, 4);
  CHECK_NEAR(set->point[0].U, 0.3503391346700133, 1e-15);
  CHECK_NEAR(set->point[3].U, 3.587539913009087, 1e-14);
  CHECK_NEAR(set->point[0].lambda[0] * scale, 0.3656060248019202, 1e-14);
  p.r = (double[]){0, 0};
  p.H = (double[]){1, 0, 0, 1};
  set = least_stationary_all(room(), &p);
  CHECK(set->continuum);
  CHECK_INT(set->count, 1);
}

// ---- units --------------------------------------------------------------------------------------

TEST(stationary_units_do_not_matter)
{
  unsigned seed = 17;
  for (int k = 0; k < 60; k++) {
    made m, o;
    int l = 2 + k % 3;
    make_quadric(&m, l, k % 2, &seed);
    // a quartic term makes it a matter for the paths
    if (k % 4 == 3 && l == 2) term(&m, 0, 0.5, 0, 4, 0, 0);
    o = m;
    o.p.H = o.H, o.p.r = o.r, o.p.polynomial = o.y;
    o.y[0].term = o.term[0];
    double unit[L], mass = pow(10, 12 * uniform(&seed) - 6),
                    size = pow(10, 12 * uniform(&seed) - 6);
    for (int i = 0; i < l; i++) unit[i] = pow(10, 12 * uniform(&seed) - 6);
    // w = unit w'
    for (int i = 0; i < l; i++) {
      o.r[i] *= mass * unit[i];
      for (int j = 0; j < l; j++) o.H[i * l + j] *= mass * unit[i] * unit[j];
    }
    for (int t = 0; t < o.y[0].terms; t++) {
      o.term[0][t].c *= size;
      for (int i = 0; i < l; i++) o.term[0][t].c *= pow(unit[i], o.term[0][t].power[i]);
    }
    static least_stationary_set first;
    first = *least_stationary_all(room(), &m.p);
    const least_stationary_set* set = least_stationary_all(room(), &o.p);
    CHECK(set && set->complete == first.complete);
    CHECK_INT(set->count, first.count);
    for (int i = 0; i < set->count && i < first.count; i++) {
      CHECK_NEAR(set->point[i].U / mass, first.point[i].U, 1e-11 * (1 + first.point[i].U));
      CHECK_INT(set->point[i].kind, first.point[i].kind);
      CHECK_NEAR(set->point[i].curvature, first.point[i].curvature,
                 1e-9 * (1 + fabs(first.point[i].curvature)));
    }
  }
}

// stationary points of the distance from (3, 4) on x^4 + y^4 = a0^4: (p - (3, 4)) . (-y^3, x^3)
// changes sign
static int turns_of_quartic(double a0)
{
  int turns = 0, n = 1000000;
  double before = 0;
  for (int i = 0; i <= n; i++) {
    double t = 2 * M_PI * (i + 0.5) / n, C = cos(t), S = sin(t);
    double r = a0 * pow(C * C * C * C + S * S * S * S, -0.25);
    double d = -(r * C - 3) * S * S * S + (r * S - 4) * C * C * C;
    turns += i > 0 && d * before < 0;
    before = d;
  }
  return turns;
}

// a circle tiny beside the force, up to nine orders
TEST(stationary_small_circle_far_from_the_free_motion)
{
  for (double a0 = 1; a0 > 1e-9; a0 *= 0.1) {
    made m;
    begin(&m, 2, 1, NULL, (double[]){3, 4});
    for (int i = 0; i < 2; i++) term(&m, 0, 1, i, 2, 0, 0);
    term(&m, 0, -a0 * a0, 0, 0, 0, 0);
    const least_stationary_set* set = least_stationary_all(room(), &m.p);
    CHECK_INT(set->count, 2);
    CHECK_NEAR(set->point[0].w[0], 0.6 * a0, 1e-14 * a0);
    CHECK_NEAR(set->point[1].w[1], -0.8 * a0, 1e-14 * a0);
    // a quartic may not claim what it cannot know
    m.term[0][0].power[0] = m.term[0][1].power[1] = 4;
    m.term[0][2].c = -a0 * a0 * a0 * a0;
    set = least_stationary_all(room(), &m.p);
    CHECK(!set->complete || set->count == turns_of_quartic(a0));
  }
}

// ---- following ----------------------------------------------------------------------------------

TEST(stationary_follow_keeps_a_branch_and_sees_its_end)
{
  double scale = 1, r[2] = {1, 0.3}, w[2], lambda[1];
  least_stationary_problem p = {
      .l = 2, .s = 1, .H = (double[]){3, 0, 0, 1}, .r = r, .eval = circle};
  p.context = &scale;
  least_stationary_step step;
  const least_stationary_set* set = least_stationary_all(room(), &p);
  // the second minimum, y'' < 0, ends in a fold as Q2 grows
  memcpy(w, set->point[1].w, sizeof w);
  lambda[0] = set->point[1].lambda[0];
  double last = set->point[1].curvature, Q = 0.3;
  least_stationary_status s = LEAST_STATIONARY_FOLLOWED;
  for (; s == LEAST_STATIONARY_FOLLOWED && Q < 2; Q += 0.002) {
    r[1] = Q;
    s = least_stationary_follow(room(), &p, 0, w, lambda, &step);
    if (s != LEAST_STATIONARY_FOLLOWED) break;
    CHECK(step.curvature < last + 1e-12 && step.residual < 1e-13);
    last = step.curvature;
  }
  // evolute of the circle in this metric: (Q1/a0)^(2/3) + (Q2/a0)^(2/3) = (m1 - m2)^(2/3)
  double fold = 1.2 * pow(pow(2, 2.0 / 3) - pow(1 / 1.2, 2.0 / 3), 1.5);
  CHECK(s == LEAST_STATIONARY_LOST || s == LEAST_STATIONARY_FOLD);
  CHECK_NEAR(Q, fold, 0.003);
  CHECK(last < 0.1);
  // at the centre the gradient vanishes
  r[1] = 0.3;
  w[0] = w[1] = 0;
  CHECK(least_stationary_follow(room(), &p, 0, w, lambda, &step) != LEAST_STATIONARY_FOLLOWED);
  // a maximum is told as such
  set = least_stationary_all(room(), &p);
  memcpy(w, set->point[3].w, sizeof w);
  lambda[0] = set->point[3].lambda[0];
  CHECK_INT(least_stationary_follow(room(), &p, 0, w, lambda, &step), LEAST_STATIONARY_FOLD);
  CHECK(step.curvature < 0);
  CHECK_NEAR(step.U, 3.587539913009087, 1e-14);
}

// at the fold itself a degenerate point is seen and nothing is lost beside it
TEST(stationary_fold_is_a_degenerate_point)
{
  double fold = 1.2 * pow(pow(2, 2.0 / 3) - pow(1 / 1.2, 2.0 / 3), 1.5);
  for (int side = -1; side <= 1; side++) {
    made m;
    begin(&m, 2, 1, (double[]){3, 1}, (double[]){1, fold * (1 + side * 1e-6)});
    term(&m, 0, 1, 0, 2, 0, 0);
    term(&m, 0, 1, 1, 2, 0, 0);
    term(&m, 0, -1.44, 0, 0, 0, 0);
    const least_stationary_set* set = least_stationary_all(room(), &m.p);
    CHECK(set->complete);
    if (side == -1) CHECK_INT(set->count, 4);
    if (side == 0) CHECK(set->count == 3 && fabs(set->point[1].curvature) < 1e-6);
    if (side == 1) CHECK_INT(set->count, 2);
  }
}

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

TEST(stationary_speed)
{
  made m;
  begin(&m, 2, 1, (double[]){3, 1}, (double[]){1, 0.3});
  term(&m, 0, 1, 0, 2, 0, 0);
  term(&m, 0, 1, 1, 2, 0, 0);
  term(&m, 0, -1.44, 0, 0, 0, 0);
  double from = seconds(), w[2], lambda[1];
  for (int i = 0; i < 2000; i++) least_stationary_all(room(), &m.p);
  double quadric = (seconds() - from) / 2000;
  least_stationary_step step;
  const least_stationary_set* set = least_stationary_all(room(), &m.p);
  memcpy(w, set->point[0].w, sizeof w);
  lambda[0] = set->point[0].lambda[0];
  from = seconds();
  for (int i = 0; i < 2000; i++)
    CHECK_INT(least_stationary_follow(room(), &m.p, 0, w, lambda, &step),
              LEAST_STATIONARY_FOLLOWED);
  double follow = (seconds() - from) / 2000;
  m.term[0][0].power[0] = m.term[0][1].power[1] = 4;
  from = seconds();
  for (int i = 0; i < 20; i++) set = least_stationary_all(room(), &m.p);
  double paths = (seconds() - from) / 20;
  printf("# quadric %.1f us, follow %.1f us, %d paths and search %.2f ms\n", 1e6 * quadric,
         1e6 * follow, set->paths, 1e3 * paths);
  CHECK(set->complete);
}
