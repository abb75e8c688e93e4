// Fewer points for the same picture.
#include <assert.h>
#include <math.h>

#include "out/page.h"

enum { BUCKETS = 4000 };

// A point nearer than this part of the spans to the last one kept is not seen.
static const double unseen = 1.0 / 4000;

static bool is_point(double x, double y)
{
  return isfinite(x) && isfinite(y);
}

// Skip points next to the one kept before; gaps (points that are not finite) and ends stay.
static int drop_near(int n, double* x, double* y, double x_span, double y_span)
{
  int kept = 0;
  for (int i = 0; i < n; i++) {
    bool edge = i == 0 || i == n - 1 || !is_point(x[i], y[i]) || !is_point(x[i - 1], y[i - 1]) ||
                !is_point(x[i + 1], y[i + 1]);
    if (!edge) {
      double dx = (x[i] - x[kept - 1]) / x_span, dy = (y[i] - y[kept - 1]) / y_span;
      if (hypot(dx, dy) < unseen) continue;
    }
    x[kept] = x[i];
    y[kept++] = y[i];
  }
  return kept;
}

// Of each of many narrow columns keep the first, lowest, highest and last point, in order: what a
// dense oscillation over time looks like.
static int keep_extremes(int n, double* x, double* y)
{
  int kept = 0;
  for (int b = 0; b < BUCKETS; b++) {
    int from = (int)((long long)n * b / BUCKETS), to = (int)((long long)n * (b + 1) / BUCKETS);
    int low = from, high = from;
    for (int i = from; i < to; i++) {
      if (!is_point(x[i], y[i])) continue;
      if (!(y[i] >= y[low])) low = i;
      if (!(y[i] <= y[high])) high = i;
    }
    for (int i = from; i < to; i++) {
      bool wanted = i == from || i == low || i == high || i == to - 1;
      if (!wanted && is_point(x[i], y[i])) continue;
      x[kept] = x[i];
      y[kept++] = y[i];
    }
  }
  return kept;
}

int out_page_thin(int n, double* x, double* y, double x_span, double y_span, bool rising)
{
  assert(x_span > 0 && y_span > 0);
  n = drop_near(n, x, y, x_span, y_span);
  if (rising && n > 5 * BUCKETS) n = keep_extremes(n, x, y);
  return n;
}
