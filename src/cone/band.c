// Linear equations with a band: LU with row pivoting.
//
// Row i keeps the columns i - b .. i + 2 b: pivoting lets the upper band grow to twice its width.
// The multipliers stay where they arise, and the exchanges are repeated on the right side.
#include "cone/cone.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cone_band
{
  int r, b, width;
  size_t room, pivots;
  double* a;
  int* pivot;
};

cone_band* cone_band_new(void)
{
  cone_band* f = base_alloc(sizeof *f);
  *f = (cone_band){0};
  return f;
}

void cone_band_free(cone_band* f)
{
  if (!f) return;
  free(f->a);
  free(f->pivot);
  free(f);
}

void cone_band_clear(cone_band* f, int r, int b)
{
  const size_t need = (size_t)r * (size_t)(3 * b + 1);
  f->r = r;
  f->b = b;
  f->width = 3 * b + 1;
  // room grows by half beyond the widest so far, which a motion soon has met
  if (need > f->room) {
    f->room = need + need / 2;
    f->a = base_realloc(f->a, f->room * sizeof *f->a);
  }
  if ((size_t)r > f->pivots) {
    f->pivots = (size_t)r + (size_t)r / 2;
    f->pivot = base_realloc(f->pivot, f->pivots * sizeof *f->pivot);
  }
  if (need) memset(f->a, 0, need * sizeof *f->a);
}

static double* at(const cone_band* f, int i, int j)
{
  return f->a + (size_t)i * (size_t)f->width + (j - i + f->b);
}

double* cone_band_at(cone_band* f, int i, int j)
{
  assert(abs(i - j) <= f->b && i >= 0 && i < f->r && j >= 0 && j < f->r);
  return at(f, i, j);
}

static int least(int a, int b)
{
  return a < b ? a : b;
}

static int largest_in_column(const cone_band* f, int k)
{
  int best = k;
  for (int i = k + 1; i <= least(k + f->b, f->r - 1); i++)
    if (fabs(*at(f, i, k)) > fabs(*at(f, best, k))) best = i;
  return best;
}

static void exchange(const cone_band* f, int k, int other, int last)
{
  for (int j = k; j <= last; j++) {
    const double kept = *at(f, k, j);
    *at(f, k, j) = *at(f, other, j);
    *at(f, other, j) = kept;
  }
}

bool cone_band_factor(cone_band* f)
{
  for (int k = 0; k < f->r; k++) {
    const int last = least(k + 2 * f->b, f->r - 1);
    const int p = f->pivot[k] = largest_in_column(f, k);
    if (p != k) exchange(f, k, p, last);
    const double* u = at(f, k, k);
    if (!(fabs(*u) > 0)) return false;
    for (int i = k + 1; i <= least(k + f->b, f->r - 1); i++) {
      double* a = at(f, i, k);
      if (*a == 0) continue;
      const double m = *a /= *u;
      for (int j = 1; j <= last - k; j++) a[j] -= m * u[j];
    }
  }
  return true;
}

void cone_band_solve(const cone_band* f, double* x)
{
  for (int k = 0; k < f->r; k++) {
    const double top = x[f->pivot[k]];
    x[f->pivot[k]] = x[k];
    x[k] = top;
    for (int i = k + 1; i <= least(k + f->b, f->r - 1); i++) x[i] -= *at(f, i, k) * top;
  }
  for (int k = f->r - 1; k >= 0; k--) {
    const double* u = at(f, k, k);
    for (int j = 1; j <= least(2 * f->b, f->r - 1 - k); j++) x[k] -= u[j] * x[k + j];
    x[k] /= *u;
  }
}
