// Linear equations with a band: LU with row pivoting.
//
// Row i keeps the columns i - b .. i + 2 b: pivoting lets the upper band grow to twice its width,
// and how far it has grown is kept, since most rows stand already where they should. The
// multipliers stay where they arise, and the exchanges are repeated on the right side.
#include "cone/cone.h"
#include "cone/small.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cone_band
{
  int r, b, width;
  size_t room, pivots;
  double* a;
  int *pivot, *last; // of each step the row that came up, and the last column of U
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
    f->pivot = base_realloc(f->pivot, 2 * f->pivots * sizeof *f->pivot);
    f->last = f->pivot + f->pivots;
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

// the row with the largest number in the column; the one that stands there already where its own is
// not much smaller, since every exchange makes the band wider
static int choose_pivot(const cone_band* f, int k)
{
  const int bottom = least(k + f->b, f->r - 1);
  const double own = fabs(*at(f, k, k));
  double most = own;
  int best = k;
  for (int i = k + 1; i <= bottom; i++) {
    const double size = fabs(*at(f, i, k));
    if (!(size > most)) continue;
    most = size;
    best = i;
  }
  return own >= cone_band_stays * most ? k : best;
}

static void exchange(const cone_band* f, int k, int other, int last)
{
  for (int j = k; j <= last; j++) {
    const double kept = *at(f, k, j);
    *at(f, k, j) = *at(f, other, j);
    *at(f, other, j) = kept;
  }
}

typedef double four __attribute__((vector_size(32)));

static inline four load(const double* x)
{
  four v;
  memcpy(&v, x, sizeof v);
  return v;
}

// a -= m u
static inline void take_off(int n, double m, const double* u, double* a)
{
  int j = 0;
  for (; j + 4 <= n; j += 4) {
    const four left = load(a + j) - m * load(u + j);
    memcpy(a + j, &left, sizeof left);
  }
  for (; j < n; j++) a[j] -= m * u[j];
}

bool cone_band_factor(cone_band* f)
{
  int last = 0;
  for (int k = 0; k < f->r; k++) {
    const int bottom = least(k + f->b, f->r - 1);
    const int p = f->pivot[k] = choose_pivot(f, k);
    last = f->last[k] = least(last > p + f->b ? last : p + f->b, f->r - 1);
    if (p != k) exchange(f, k, p, last);
    const double* u = at(f, k, k);
    if (!(fabs(*u) > 0)) return false;
    for (int i = k + 1; i <= bottom; i++) {
      double* a = at(f, i, k);
      if (*a == 0) continue;
      const double m = *a /= *u;
      take_off(last - k, m, u + 1, a + 1);
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
    if (top == 0) continue;
    const int bottom = least(k + f->b, f->r - 1);
    for (int i = k + 1; i <= bottom; i++) x[i] -= *at(f, i, k) * top;
  }
  for (int k = f->r - 1; k >= 0; k--) {
    const double* u = at(f, k, k);
    double sum = x[k];
    for (int j = 1; j <= f->last[k] - k; j++) sum -= u[j] * x[k + j];
    x[k] = sum / *u;
  }
}
