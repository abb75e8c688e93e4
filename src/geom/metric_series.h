// Private to geom: a metric as power series about a point.
#pragma once

#include "geom/space.h"
#include "geom/taylor.h"

// Legend: xi (n) are coordinates of the space, zero at the point, in which the metric there is
// g_ab = (unit matrix); one of xi is `unit` in the measure of the metric, so that g/unit^2 is what
// the series hold, and they converge for |xi| well above one.
typedef struct geom_metric_series
{
  base_arena* arena;
  geom_taylor t;
  int n, coords;
  double unit;
  double* q;      // coords: the point
  double* E;      // coords by n: dq/dxi there
  double* g;      // n by n
  double* Gamma;  // second kind, [k][i][j]: good to the degree - 1
  double* values; // room
} geom_metric_series;

// About the point given (number 0) or random ones near it. False where there are none.
bool geom_metric_series_make(const geom_space* s, int degree, int number, base_arena* arena,
                             geom_metric_series* x);
// R_abcd at the point (R_abab positive on spheres), measured in the metric itself: n^4 entries;
// returns the size of the terms they are made of
double geom_metric_series_riemann(const geom_metric_series* x, double* R);
