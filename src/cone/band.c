// Linear equations with a band: LU with row pivoting.
//
// Row i keeps the columns i - b .. i + 2 b: pivoting lets the upper band grow to twice its width.
// Most rows fill a part of it only: where each begins and ends is looked up once, the end grows
// with what is taken off, and what lies outside is neither cleared nor touched. The multipliers
// stay where they arise, and the exchanges are repeated on the right side.
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
  int* pivot;        // of each step the row that came up
  int *begin, *last; // of each row its first and last column, the latter of U in the end
  int* bottom;       // of each column the last row that has begun
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
    f->pivot = base_realloc(f->pivot, 4 * f->pivots * sizeof *f->pivot);
    f->begin = f->pivot + f->pivots;
    f->last = f->begin + f->pivots;
    f->bottom = f->last + f->pivots;
  }
  for (int i = 0; i < r; i++)
    memset(f->a + (size_t)i * (size_t)f->width, 0, sizeof *f->a * (size_t)(2 * b + 1));
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

// where rows begin and end, not behind or before their own column
static void find_ends(cone_band* f)
{
  for (int i = 0; i < f->r; i++) {
    const int from = i > f->b ? i - f->b : 0, to = least(i + f->b, f->r - 1);
    int first = from, last = to;
    while (first < i && *at(f, i, first) == 0) first++;
    while (last > i && *at(f, i, last) == 0) last--;
    f->begin[i] = first;
    f->last[i] = last;
    f->bottom[i] = i;
  }
  for (int i = 0; i < f->r; i++) f->bottom[f->begin[i]] = i;
  for (int k = 1; k < f->r; k++)
    if (f->bottom[k] < f->bottom[k - 1]) f->bottom[k] = f->bottom[k - 1];
}

// row i reaches this column
static inline void reach(const cone_band* f, int i, int last)
{
  if (last <= f->last[i]) return;
  memset(at(f, i, f->last[i] + 1), 0, sizeof *f->a * (size_t)(last - f->last[i]));
  f->last[i] = last;
}

// the row with the largest number in the column; the one that stands there already where its own is
// not much smaller, since every exchange makes the band wider
static int choose_pivot(const cone_band* f, int k)
{
  const double own = fabs(*at(f, k, k));
  double most = own;
  int best = k;
  for (int i = k + 1; i <= f->bottom[k]; i++) {
    if (f->begin[i] > k) continue;
    const double size = fabs(*at(f, i, k));
    if (!(size > most)) continue;
    most = size;
    best = i;
  }
  return own >= cone_band_stays * most ? k : best;
}

static void exchange(const cone_band* f, int k, int other)
{
  reach(f, k, f->last[other]);
  reach(f, other, f->last[k]);
  for (int j = k; j <= f->last[k]; j++) {
    const double kept = *at(f, k, j);
    *at(f, k, j) = *at(f, other, j);
    *at(f, other, j) = kept;
  }
}

// every processor has registers for these; wider ones would pass through memory where it has none
typedef double two __attribute__((vector_size(16)));

static inline two load(const double* x)
{
  two v;
  memcpy(&v, x, sizeof v);
  return v;
}

// a -= m u
static inline void take_off(int n, double m, const double* u, double* a)
{
  int j = 0;
  for (; j + 4 <= n; j += 4) {
    const two first = load(a + j) - m * load(u + j);
    const two second = load(a + j + 2) - m * load(u + j + 2);
    memcpy(a + j, &first, sizeof first);
    memcpy(a + j + 2, &second, sizeof second);
  }
  for (; j < n; j++) a[j] -= m * u[j];
}

bool cone_band_factor(cone_band* f)
{
  find_ends(f);
  for (int k = 0; k < f->r; k++) {
    const int p = f->pivot[k] = choose_pivot(f, k), last = f->last[p];
    if (p != k) exchange(f, k, p);
    const double* u = at(f, k, k);
    if (!(fabs(*u) > 0)) return false;
    for (int i = k + 1; i <= f->bottom[k]; i++) {
      double* a = at(f, i, k);
      if (f->begin[i] > k || *a == 0) continue;
      const double m = *a /= *u;
      reach(f, i, last);
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
    for (int i = k + 1; i <= f->bottom[k]; i++)
      if (f->begin[i] <= k) x[i] -= *at(f, i, k) * top;
  }
  for (int k = f->r - 1; k >= 0; k--) {
    const double* u = at(f, k, k);
    double sum = x[k];
    for (int j = 1; j <= f->last[k] - k; j++) sum -= u[j] * x[k + j];
    x[k] = sum / *u;
  }
}
