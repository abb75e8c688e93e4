// Points of a sweep from the number of the run.
#include "check.h"
#include "sweep/sweep.h"

#include <stdlib.h>

TEST(grids_and_lists_go_together_with_the_last_fastest)
{
  const double list[] = {5, 7};
  const sweep_axis axis[] = {{.name = "a", .kind = SWEEP_LIST, .count = 2, .value = list},
                             {.name = "b", .kind = SWEEP_GRID, .from = 0.2, .to = 1, .count = 3}};
  const sweep_plan p = {.axes = 2, .axis = axis};
  const double want[6][2] = {{5, 0.2}, {5, 0.6}, {5, 1}, {7, 0.2}, {7, 0.6}, {7, 1}};
  CHECK_INT(sweep_plan_runs(&p), 6);
  for (int i = 0; i < 6; i++) {
    double x[2];
    sweep_plan_point(&p, i, x);
    CHECK(x[0] == want[i][0] && x[1] == want[i][1]);
  }
}

TEST(points_that_follow_each_other_are_those_of_their_runs)
{
  const double list[] = {5, 7, 1};
  const sweep_axis axis[] = {
      {.name = "a", .kind = SWEEP_LIST, .count = 3, .value = list},
      {.name = "b", .kind = SWEEP_GRID, .logarithmic = true, .from = 0.2, .to = 3, .count = 4},
      {.name = "c", .kind = SWEEP_LIST, .count = 1, .value = list},
      {.name = "d", .kind = SWEEP_GRID, .from = 0.1, .to = 1, .count = 5},
      {.name = "e", .kind = SWEEP_SAMPLED, .from = 2, .to = 4}};
  for (int axes = 4; axes <= 5; axes++) {
    sweep_plan p = {.axes = axes, .axis = axis};
    if (axes == 5) p.samples = 2, p.sampling = SWEEP_RANDOM;
    const int runs = (int)sweep_plan_runs(&p);
    CHECK_INT(runs, axes == 4 ? 60 : 120);
    for (int first = 0; first < runs; first += 7) {
      double all[120 * 5], one[5];
      sweep_plan_points(&p, first, runs - first, all);
      for (int i = first; i < runs; i++) {
        sweep_plan_point(&p, i, one);
        for (int k = 0; k < axes; k++) CHECK(all[(i - first) * axes + k] == one[k]);
      }
    }
  }
}

TEST(a_logarithmic_grid_multiplies_by_equal_factors_and_meets_its_ends)
{
  const sweep_axis axis = {
      .name = "a", .kind = SWEEP_GRID, .logarithmic = true, .from = 0.01, .to = 100, .count = 5};
  const sweep_plan p = {.axes = 1, .axis = &axis};
  double x[5];
  for (int i = 0; i < 5; i++) sweep_plan_point(&p, i, &x[i]);
  CHECK(x[0] == 0.01 && x[4] == 100);
  for (int i = 1; i < 5; i++) CHECK_NEAR(x[i] / x[i - 1], 10, 1e-12);
}

TEST(more_runs_than_counters_hold_are_noticed)
{
  sweep_axis axis[3];
  for (int i = 0; i < 3; i++)
    axis[i] = (sweep_axis){.kind = SWEEP_GRID, .to = 1, .count = (int64_t)1 << 31};
  const sweep_plan p = {.axes = 3, .axis = axis};
  CHECK_INT(sweep_plan_runs(&p), -1);
}

// Each block of 2^k consecutive points, begun at a multiple of 2^k, has one point in every interval
// of length 2^-k of every dimension.
TEST(sobol_points_fall_once_into_every_interval_of_every_dimension)
{
  enum { k = 8, n = 1 << k };
  for (int d = 0; d < SWEEP_SOBOL_MOST; d++)
    for (uint64_t block = 0; block < 3; block++) {
      int seen[n] = {0};
      for (uint64_t i = 0; i < n; i++) {
        const double x = sweep_sobol(d, block * n + i);
        CHECK(x > 0 && x < 1);
        seen[(int)(x * n)]++;
      }
      for (int i = 0; i < n; i++) CHECK_INT(seen[i], 1);
    }
}

// the first two dimensions are a (0, 2)-sequence: one point in every dyadic rectangle
TEST(sobol_points_of_two_dimensions_fall_once_into_every_rectangle)
{
  enum { k = 6, n = 1 << k };
  for (int a = 0; a <= k; a++) {
    int seen[n] = {0};
    for (uint64_t i = 0; i < n; i++) {
      const int x = (int)(sweep_sobol(0, i) * (1 << a));
      const int y = (int)(sweep_sobol(1, i) * (1 << (k - a)));
      seen[(x << (k - a)) + y]++;
    }
    for (int i = 0; i < n; i++) CHECK_INT(seen[i], 1);
  }
}

// no two dimensions may be the same or nearly so: over 2^12 points their correlation is small
// Sobol's property A, which the numbers of Joe and Kuo (2008) are chosen for: of the first 2^d
// points one falls into each part of the cube in d dimensions whose axes are all halved
TEST(sobol_points_fall_once_into_every_orthant)
{
  for (int d = 1; d <= 12; d++) {
    bool* seen = calloc((size_t)1 << d, sizeof *seen);
    for (uint64_t i = 0; i < (uint64_t)1 << d; i++) {
      size_t part = 0;
      for (int k = 0; k < d; k++) part |= (size_t)(sweep_sobol(k, i) >= 0.5) << k;
      CHECK(!seen[part]);
      seen[part] = true;
    }
    free(seen);
  }
}

TEST(sobol_dimensions_are_not_correlated)
{
  enum { n = 1 << 12 };
  static double x[SWEEP_SOBOL_MOST][n];
  for (int d = 0; d < SWEEP_SOBOL_MOST; d++)
    for (uint64_t i = 0; i < n; i++) x[d][i] = sweep_sobol(d, i) - 0.5;
  for (int a = 0; a < SWEEP_SOBOL_MOST; a++)
    for (int b = 0; b < a; b++) {
      double sum = 0;
      for (int i = 0; i < n; i++) sum += x[a][i] * x[b][i];
      CHECK_NEAR(12 * sum / n, 0, 0.02);
    }
}

TEST(random_points_depend_on_seed_and_run_alone_and_fill_the_range)
{
  const sweep_axis axis[] = {{.kind = SWEEP_SAMPLED, .from = 2, .to = 4},
                             {.kind = SWEEP_SAMPLED, .from = -1, .to = 1}};
  sweep_plan p = {.axes = 2, .axis = axis, .sampling = SWEEP_RANDOM, .samples = 20000, .seed = 3};
  double sum = 0, square = 0, product = 0, x[2], again[2];
  for (int64_t i = 0; i < p.samples; i++) {
    sweep_plan_point(&p, i, x);
    CHECK(x[0] > 2 && x[0] < 4 && x[1] > -1 && x[1] < 1);
    sum += x[0] - 3;
    square += (x[0] - 3) * (x[0] - 3);
    product += (x[0] - 3) * x[1];
  }
  // mean, variance and covariance of an even distribution, within five standard errors
  CHECK_NEAR(sum / 20000, 0, 5 * sqrt(1. / 3 / 20000));
  CHECK_NEAR(square / 20000, 1. / 3, 5 * sqrt(4. / 45 / 20000));
  CHECK_NEAR(product / 20000, 0, 5. / 3 / sqrt(20000));
  sweep_plan_point(&p, 17, x);
  p.seed = 4;
  sweep_plan_point(&p, 17, again);
  CHECK(x[0] != again[0]);
  p.seed = 3;
  sweep_plan_point(&p, 17, again);
  CHECK(x[0] == again[0] && x[1] == again[1]);
}

// the same bits, wherever a piece begins and whatever else is varied
TEST(points_of_many_runs_are_those_of_each)
{
  const sweep_axis axis[] = {{.kind = SWEEP_SAMPLED, .from = 2, .to = 4},
                             {.kind = SWEEP_SAMPLED, .from = 0.1, .to = 10, .logarithmic = true},
                             {.kind = SWEEP_GRID, .from = 0, .to = 1, .count = 3}};
  enum { most = 300 };
  double many[3 * most], one[3];
  for (int sampling = 0; sampling < 2; sampling++)
    for (int axes = 2; axes <= 3; axes++) {
      sweep_plan p = {.axes = axes,
                      .axis = axis,
                      .sampling = sampling ? SWEEP_SOBOL : SWEEP_RANDOM,
                      .samples = (int64_t)1 << 40,
                      .seed = 9};
      const int64_t first[] = {0, 1, 255, 1000, ((int64_t)1 << 33) - 100};
      for (int k = 0; k < 5; k++) {
        sweep_plan_points(&p, first[k], most, many);
        for (int i = 0; i < most; i++) {
          sweep_plan_point(&p, first[k] + i, one);
          for (int a = 0; a < axes; a++) CHECK(one[a] == many[i * axes + a]);
        }
      }
    }
}
