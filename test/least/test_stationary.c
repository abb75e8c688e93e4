// Stationary points of a quadratic on curved sets: tables, exact cases, brute force.
#include "check.h"
#include "stationary_make.h"

static least_stationary* room(void)
{
  static least_stationary* f;
  if (!f) f = least_stationary_new(L, L);
  return f;
}

static void crane(made* m, double Q1, double Q2)
{
  begin(m, 2, 1, (double[]){3, 1}, (double[]){Q1, Q2});
  term(m, 0, 1, 0, 2, 0, 0);
  term(m, 0, 1, 1, 2, 0, 0);
  term(m, 0, -1.44, 0, 0, 0, 0);
}

// the tables' lambda is that of M a = Q - lambda df/da: minus ours
static void check_table(const made* m, int rows, const double (*want)[4])
{
  const least_stationary_set* set = least_stationary_all(room(), &m->p);
  CHECK(set && set->complete && !set->empty && !set->continuum);
  CHECK_INT(set->count, rows);
  for (int i = 0; i < rows && i < set->count; i++) {
    const least_stationary_point* x = set->point + i;
    CHECK_NEAR(-x->lambda[0], want[i][0], 4e-15 * (1 + fabs(want[i][0])));
    CHECK_NEAR(x->w[0], want[i][1], 2e-15);
    CHECK_NEAR(x->w[1], want[i][2], 2e-15);
    CHECK_NEAR(x->U, want[i][3], 4e-15 * (1 + want[i][3]));
    CHECK_INT(x->kind == LEAST_STATIONARY_MINIMUM, i == 0 || (rows == 4 && i == 1));
    CHECK_INT(x->rank, 1);
    CHECK(x->residual < 1e-14);
  }
}

TEST(stationary_points_of_the_crane_are_those_of_the_tables)
{
  made m;
  crane(&m, 3, 2);
  check_table(
      &m, 2,
      (const double[][4]){
          {0.5510792795043478, 0.7313222921166077, 0.9514030192580382, 0.6580593800807893},
          {-2.837878596264507, -1.121177963522365, -0.4277382074491862, 9.696050331353623}});
  crane(&m, 1, 0.3);
  check_table(
      &m, 4,
      (const double[][4]){
          {-0.3656060248019202, 0.4407639770060428, 1.116121461389313, 0.3503391346700133},
          {-0.6430472714466650, 0.5834627551091122, -1.048604412254919, 1.003214021833546},
          {-1.073052296724919, 1.171103617994758, -0.2617562146723307, 1.210573597154020},
          {-1.918294407026496, -1.195330350109913, -0.1057608344620637, 3.587539913009087}});
  crane(&m, 6, -0.5);
  check_table(
      &m, 2,
      (const double[][4]){
          {1.023701180627771, 1.188730275608046, -0.1640741657081338, 1.043660931644840},
          {-4.004429410339686, -1.197877643352342, 0.07133828955503697, 15.50284585333493}});
}

TEST(stationary_hard_case_has_two_minimisers_and_two_maxima)
{
  made m;
  crane(&m, 1, 0);
  const least_stationary_set* set = least_stationary_all(room(), &m.p);
  CHECK_INT(set->count, 4);
  CHECK(set->complete && !set->continuum);
  for (int i = 0; i < 2; i++) {
    CHECK_NEAR(set->point[i].w[0], 0.5, 1e-15);
    CHECK_NEAR(fabs(set->point[i].w[1]), 1.090871211463571, 1e-15);
    CHECK_NEAR(set->point[i].lambda[0], 0.5, 1e-15);
    CHECK_NEAR(set->point[i].U, 0.6366666666666667, 2e-15);
    CHECK_INT(set->point[i].kind, LEAST_STATIONARY_MINIMUM);
  }
  CHECK(set->point[0].w[1] * set->point[1].w[1] < 0);
  CHECK_NEAR(set->point[2].w[0], 1.2, 1e-15);
  CHECK_NEAR(set->point[2].U, 1.126666666666667, 1e-14);
  CHECK_NEAR(set->point[3].w[0], -1.2, 1e-15);
  CHECK_NEAR(set->point[3].U, 3.526666666666667, 1e-14);
  CHECK_INT(set->point[3].kind, LEAST_STATIONARY_SADDLE);
}

// near the hard case the two minimisers stay, and their values differ by 2 y'' Q2
TEST(stationary_near_hard_case_keeps_both_branches)
{
  for (double Q2 = 1e-2; Q2 > 1e-18; Q2 *= 1e-2) {
    made m;
    crane(&m, 1, Q2);
    const least_stationary_set* set = least_stationary_all(room(), &m.p);
    CHECK_INT(set->count, 4);
    CHECK_NEAR(set->point[1].U - set->point[0].U, 2 * Q2 * 1.090871211463571, 1e-3 * Q2 + 1e-14);
    CHECK_NEAR(fabs(set->point[0].w[1]), 1.090871211463571, Q2 + 1e-15);
    if (Q2 > 1e-15) CHECK(set->point[0].w[1] > 0 && set->point[1].w[1] < 0);
    CHECK_INT(set->point[1].kind, LEAST_STATIONARY_MINIMUM);
  }
}

static void cone(made* m, double Fx)
{
  begin(m, 3, 1, NULL, (double[]){Fx, 0, -9.81});
  term(m, 0, 1, 2, 2, 0, 0);
  term(m, 0, -0.49, 0, 2, 0, 0);
  term(m, 0, -0.49, 1, 2, 0, 0);
}

TEST(stationary_cone_under_vertical_force_has_a_circle_of_minimisers_and_an_apex)
{
  made m;
  cone(&m, 0);
  const least_stationary_set* set = least_stationary_all(room(), &m.p);
  CHECK(set->complete && set->continuum);
  CHECK_INT(set->count, 2);
  const least_stationary_point* x = set->point;
  CHECK_INT(x->kind, LEAST_STATIONARY_DEGENERATE);
  CHECK(x->continuum);
  CHECK_NEAR(hypot(x->w[0], x->w[1]), 4.608724832214765, 1e-14);
  CHECK_NEAR(x->w[2], -3.226107382550336, 1e-14);
  CHECK_NEAR(x->U, 32.29399328859060, 1e-13);
  CHECK_INT(set->point[1].kind, LEAST_STATIONARY_SINGULAR);
  CHECK_NEAR(set->point[1].U, 9.81 * 9.81 / 2, 1e-13);
}

TEST(stationary_cone_under_slanted_force_has_one_minimiser_and_a_saddle)
{
  made m;
  cone(&m, 0.5);
  const least_stationary_set* set = least_stationary_all(room(), &m.p);
  CHECK(set->complete && !set->continuum);
  CHECK_INT(set->count, 3);
  CHECK_NEAR(set->point[0].w[0], 4.944295302013423, 1e-14);
  CHECK_NEAR(set->point[0].w[1], 0, 1e-14);
  CHECK_NEAR(set->point[0].w[2], -3.461006711409396, 1e-14);
  CHECK_INT(set->point[0].kind, LEAST_STATIONARY_MINIMUM);
  CHECK_NEAR(set->point[1].w[0], -4.273154362416107, 1e-14);
  CHECK_NEAR(set->point[1].w[2], -2.991208053691275, 1e-14);
  CHECK_INT(set->point[1].kind, LEAST_STATIONARY_SADDLE);
  CHECK_INT(set->point[2].kind, LEAST_STATIONARY_SINGULAR);
}

TEST(stationary_sphere_without_force_is_all_minimisers)
{
  made m;
  for (int l = 2; l <= 6; l++) {
    begin(&m, l, 1, NULL, (double[L]){0});
    for (int i = 0; i < l; i++) term(&m, 0, 1, i, 2, 0, 0);
    term(&m, 0, -0.64, 0, 0, 0, 0);
    const least_stationary_set* set = least_stationary_all(room(), &m.p);
    CHECK(set->complete && set->continuum);
    CHECK_INT(set->count, 1);
    CHECK_NEAR(set->point[0].U, 0.32, 1e-15);
    // a force, however small, singles out one point
    m.r[0] = 1e-6;
    set = least_stationary_all(room(), &m.p);
    CHECK_INT(set->count, 2);
    CHECK(!set->continuum);
    CHECK_NEAR(set->point[0].w[0], 0.8, 1e-12);
  }
}
