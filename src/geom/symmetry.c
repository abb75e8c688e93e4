// A constant direction along which a metric of two coordinates does not change.
#include "geom/symmetry.h"

#include <math.h>
#include <stdlib.h>

// slopes of all entries along both coordinates at a point near the one given
static bool slopes(const geom_space* s, int try, double* d)
{
  double q[2];
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < s->symbols; k++)
      if (s->symbol[k] == s->q[i]) q[i] = s->value[k] + 0.11 * (try + 1) * (i ? 0.7 : -1);
  base_arena* arena = base_arena_new();
  double* v = geom_space_values(s, q, arena);
  // packed jets of three entries: values, then slopes
  expr_values(s->pool, 6, s->jet + 3, s->symbols, s->symbol, v, d);
  base_arena_free(arena);
  for (int i = 0; i < 6; i++)
    if (!isfinite(d[i])) return false;
  return true;
}

// sum over entries and points of (c . slope)^2 is least along the smaller eigenvector
static bool guess(const geom_space* s, double* c)
{
  double a = 0, b = 0, e = 0;
  int seen = 0;
  for (int try = 0; try < 6; try++) {
    double d[6];
    if (!slopes(s, try, d)) continue;
    seen++;
    for (int k = 0; k < 3; k++) {
      a += d[2 * k] * d[2 * k];
      b += d[2 * k] * d[2 * k + 1];
      e += d[2 * k + 1] * d[2 * k + 1];
    }
  }
  if (seen < 3) return false;
  const double mean = (a + e) / 2, apart = hypot((a - e) / 2, b);
  if (mean - apart > 1e-10 * mean) return false;
  // (S - least I) c = 0
  const double least = mean - apart;
  if (mean == 0) {
    c[0] = 0;
    c[1] = 1;
  } else if (fabs(a - least) + fabs(b) > fabs(e - least) + fabs(b)) {
    c[0] = -b;
    c[1] = a - least;
  } else {
    c[0] = e - least;
    c[1] = -b;
  }
  return hypot(c[0], c[1]) > 0;
}

// the fraction of small denominator nearest to x
static bool as_fraction(double x, long* above, long* below)
{
  for (*below = 1; *below <= 24; (*below)++) {
    *above = lround(x * (double)*below);
    if (fabs(x * (double)*below - (double)*above) < 1e-7) return true;
  }
  return false;
}

bool geom_symmetry_find(const geom_space* s, double* c, expr* exact, int* along)
{
  if (s->n != 2 || s->rest > 0 || !guess(s, c)) return false;
  *along = fabs(c[0]) > fabs(c[1]) + 1e-12 ? 0 : 1;
  const double scale = c[*along];
  long above, below;
  for (int i = 0; i < 2; i++) {
    if (!as_fraction(c[i] / scale, &above, &below)) return false;
    c[i] = (double)above / (double)below;
    exact[i] = expr_ratio(s->pool, above, below);
  }
  for (int k = 0; k < 3; k++) {
    const expr* d = s->jet + 3 + 2 * k;
    const expr sum =
        expr_add(s->pool, expr_mul(s->pool, exact[0], d[0]), expr_mul(s->pool, exact[1], d[1]));
    if (expr_is_zero(s->pool, sum) != EXPR_YES) return false;
  }
  return true;
}
