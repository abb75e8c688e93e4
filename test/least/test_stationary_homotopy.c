// Stationary points found by homotopy and by search: against the quadric's direct solution, scans
// of curves, counts that topology fixes.
#include "check.h"
#include "least/stationary.h"
#include "stationary_make.h"

#include <stdio.h>
#include <stdlib.h>

// the same problem by the paths alone
static const least_stationary_set* by_paths(least_stationary* f, const least_stationary_problem* p)
{
  CHECK(least_stationary_frame_make(f, p));
  f->set.count = 0;
  f->overflow = false;
  f->set.complete = least_stationary_homotopy(f);
  return &f->set;
}

static int by_U(const void* a, const void* b)
{
  double x = ((const least_stationary_point*)a)->U, y = ((const least_stationary_point*)b)->U;
  return (x > y) - (x < y);
}

TEST(stationary_paths_find_what_the_secular_equation_finds)
{
  least_stationary* f = least_stationary_new(L, L);
  least_stationary* g = least_stationary_new(L, L);
  unsigned seed = 7;
  for (int k = 0; k < 60; k++) {
    made m;
    make_quadric(&m, 2 + k % 5, k % 3, &seed);
    const least_stationary_set* direct = least_stationary_all(f, &m.p);
    const least_stationary_set* paths = by_paths(g, &m.p);
    CHECK(direct->complete && paths->complete);
    CHECK_INT(paths->count, direct->count);
    least_stationary_point sorted[LEAST_STATIONARY_POINTS];
    memcpy(sorted, paths->point, sizeof sorted);
    qsort(sorted, (size_t)paths->count, sizeof *sorted, by_U);
    for (int i = 0; i < direct->count && i < paths->count; i++) {
      CHECK_NEAR(sorted[i].U, direct->point[i].U, 1e-11 * (1 + direct->point[i].U));
      CHECK_INT(sorted[i].kind, direct->point[i].kind);
    }
  }
  least_stationary_free(f);
  least_stationary_free(g);
}

// Poincare and Hopf: on a closed surface like a sphere the indices add up to 1 + (-1)^dim
static void check_sphere_count(const least_stationary_set* set, int dim)
{
  int sum = 0;
  for (int i = 0; i < set->count; i++) sum += set->point[i].index % 2 ? -1 : 1;
  CHECK_INT(sum, dim % 2 ? 0 : 2);
}

TEST(stationary_ellipsoids_have_the_right_number_and_no_better_point)
{
  least_stationary* f = least_stationary_new(L, L);
  unsigned seed = 3;
  for (int k = 0; k < 200; k++) {
    made m;
    int l = 2 + k % 5;
    make_quadric(&m, l, 0, &seed);
    const least_stationary_set* set = least_stationary_all(f, &m.p);
    CHECK(set->complete && set->count >= 2);
    check_sphere_count(set, l - 1);
    CHECK_INT(set->point[0].kind, LEAST_STATIONARY_MINIMUM);
    double best = least_on_rays(&m, 4000, &seed);
    CHECK(best >= set->point[0].U * (1 - 1e-12));
    CHECK(best <= set->point[0].U + 0.5 * (set->point[set->count - 1].U - set->point[0].U));
  }
  least_stationary_free(f);
}

// x^4 form round the origin: r(angle) is explicit, so U along the curve can be scanned
static double on_quartic(const double* c, const double* a, double H, double t, double* x, double* y)
{
  double C = cos(t), S = sin(t);
  double r =
      pow(c[0] * C * C * C * C + c[1] * C * C * S * S + c[2] * S * S * S * S + c[3] * C * S * S * S,
          -0.25);
  *x = r * C;
  *y = r * S;
  return 0.5 * ((*x - a[0]) * (*x - a[0]) + H * (*y - a[1]) * (*y - a[1]));
}

static int scan_quartic(const double* c, const double* a, double H, double* least)
{
  int turns = 0, n = 40000;
  double x, y, before = on_quartic(c, a, H, -2 * M_PI / n, &x, &y);
  double at = on_quartic(c, a, H, 0, &x, &y);
  *least = at;
  for (int i = 1; i <= n; i++) {
    double next = on_quartic(c, a, H, 2 * M_PI * i / n, &x, &y);
    turns += (at - before) * (next - at) < 0;
    *least = fmin(*least, next);
    before = at;
    at = next;
  }
  return turns;
}

TEST(stationary_quartic_curves_agree_with_a_scan)
{
  least_stationary* f = least_stationary_new(L, L);
  unsigned seed = 11;
  int most = 0, all = 0;
  for (int k = 0; k < 60; k++) {
    double c[4] = {1, 30 * uniform(&seed), 0.3 + uniform(&seed), 0.5 * uniform(&seed)};
    double a[2] = {0.6 * uniform(&seed) - 0.3, 0.6 * uniform(&seed) - 0.3},
           H = 0.5 + uniform(&seed);
    double least;
    made m;
    begin(&m, 2, 1, (double[]){1, H}, (double[]){a[0], H * a[1]});
    term(&m, 0, c[0], 0, 4, 0, 0);
    term(&m, 0, c[1], 0, 2, 1, 2);
    term(&m, 0, c[2], 1, 4, 0, 0);
    term(&m, 0, c[3], 0, 1, 1, 3);
    term(&m, 0, -1, 0, 0, 0, 0);
    int want = scan_quartic(c, a, H, &least);
    const least_stationary_set* set = least_stationary_all(f, &m.p);
    CHECK(set->complete);
    CHECK_INT(set->count, want);
    CHECK_NEAR(set->point[0].U, least, 1e-6 * (least + 1e-3));
    most = want > most ? want : most;
    all += want;
  }
  printf("# quartic curves: up to %d stationary points, %d in all\n", most, all);
  CHECK(most >= 8);
  least_stationary_free(f);
}

TEST(stationary_quartic_surfaces_have_the_count_of_a_sphere)
{
  least_stationary* f = least_stationary_new(L, L);
  unsigned seed = 5;
  for (int k = 0; k < 12; k++) {
    made m;
    begin(&m, 3, 1, NULL,
          (double[]){uniform(&seed) - 0.5, uniform(&seed) - 0.5, 0.3 * uniform(&seed)});
    for (int i = 0; i < 3; i++) {
      term(&m, 0, 0.5 + uniform(&seed), i, 4, 0, 0);
      term(&m, 0, 6 * uniform(&seed), i, 2, (i + 1) % 3, 2);
    }
    term(&m, 0, -1, 0, 0, 0, 0);
    const least_stationary_set* set = least_stationary_all(f, &m.p);
    CHECK(set->complete);
    CHECK_INT(set->paths, 108);
    check_sphere_count(set, 2);
  }
  least_stationary_free(f);
}
