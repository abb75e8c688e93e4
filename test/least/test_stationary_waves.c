// Many minima on a surface: the search finds the least one, and a good part of the others.
#include "check.h"
#include "stationary_make.h"

#include <stdio.h>

// two waves over a plane: w_2 = sin(k w_0), w_3 = cos(k w_1)
static int waves(void* context, const double* w, double* phi, double* grad, double* hess)
{
  const double k = *(double*)context;
  if (phi) phi[0] = w[2] - sin(k * w[0]), phi[1] = w[3] - cos(k * w[1]);
  if (grad) {
    memset(grad, 0, 8 * sizeof *grad);
    grad[0] = -k * cos(k * w[0]), grad[2] = 1;
    grad[5] = k * sin(k * w[1]), grad[7] = 1;
  }
  if (hess) {
    memset(hess, 0, 32 * sizeof *hess);
    hess[0] = k * k * sin(k * w[0]);
    hess[16 + 5] = k * k * cos(k * w[1]);
  }
  return 0;
}

// the least of ((x - a)^2 + (f(k x) - b)^2)/2 over a scan, and how many minima it has
static double scan(double (*f)(double), double k, double a, double b, int* minima)
{
  enum { places = 100000 };
  double U[3] = {0}, least = INFINITY;
  *minima = 0;
  for (int i = 0; i < places; i++) {
    const double x = -5 + 10.0 * i / places, y = f(k * x) - b;
    U[0] = U[1], U[1] = U[2];
    U[2] = ((x - a) * (x - a) + y * y) / 2;
    least = fmin(least, U[2]);
    *minima += i > 1 && U[1] < U[0] && U[1] <= U[2];
  }
  return least;
}

// U is the sum of one of each wave: so is its least value, and every pair of minima is one
TEST(stationary_search_finds_the_least_of_many_minima_and_nearly_half_of_them)
{
  unsigned seed = 9;
  int all = 0, found = 0;
  least_stationary* f = least_stationary_new(4, 2);
  for (int c = 0; c < 60; c++) {
    double k = 2 + 3 * uniform(&seed), a[4], H[16] = {0};
    for (int i = 0; i < 4; i++) {
      a[i] = 3 * uniform(&seed) - 1.5;
      H[5 * i] = 1;
    }
    least_stationary_problem p = {.l = 4, .s = 2, .H = H, .r = a, .eval = waves};
    p.context = &k;
    const least_stationary_set* set = least_stationary_all(f, &p);
    int one, other;
    const double least = scan(sin, k, a[0], a[2], &one) + scan(cos, k, a[1], a[3], &other);
    CHECK(set && set->count > 0);
    if (!set || !set->count) continue;
    CHECK_NEAR(set->point[0].U, least, 1e-7);
    int here = 0;
    for (int i = 0; i < set->count; i++) here += set->point[i].kind == LEAST_STATIONARY_MINIMUM;
    CHECK(here <= one * other);
    all += one * other;
    found += here;
  }
  printf("# %d of %d minima found\n", found, all);
  CHECK(found > 0.45 * all);
  least_stationary_free(f);
}
