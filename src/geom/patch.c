// Maps as polynomials on a box: products of Chebyshev polynomials up to a total degree.
#include "geom/patch.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// the next multi-index of entries up to `most`; false behind the last
static bool next_power(int n, int most, int* k)
{
  int i = 0;
  while (i < n && ++k[i] > most) k[i++] = 0;
  return i < n;
}

// all multi-indices of a total degree, entries up to the patch's degree; how many
static int list_total(const geom_patch* p, int total, int* k, int* out)
{
  int count = 0;
  memset(k, 0, sizeof(int) * (size_t)p->n);
  do {
    int sum = 0;
    for (int i = 0; i < p->n; i++) sum += k[i];
    if (sum != total) continue;
    if (out) memcpy(out + count * p->n, k, sizeof(int) * (size_t)p->n);
    count++;
  } while (next_power(p->n, p->degree < total ? p->degree : total, k));
  return count;
}

static geom_patch take(base_arena* arena, int n, int N, int degree, int total, const double* low,
                       const double* high)
{
  geom_patch p = {.n = n, .N = N, .degree = degree, .low = low, .high = high};
  int* k = base_alloc(sizeof(int) * (size_t)(n + 1));
  for (int d = 0; d <= total; d++) p.basis += list_total(&p, d, k, NULL);
  p.power = geom_take(arena, p.basis * n, sizeof(int));
  p.c = geom_take(arena, N * p.basis, sizeof(double));
  for (int d = 0, at = 0; d <= total; d++) at += list_total(&p, d, k, p.power + at * n);
  free(k);
  return p;
}

geom_patch geom_patch_take(base_arena* arena, int n, int N, int degree, const double* low,
                           const double* high)
{
  return take(arena, n, N, degree, degree, low, high);
}

geom_patch geom_patch_take_full(base_arena* arena, int n, int N, int degree, const double* low,
                                const double* high)
{
  return take(arena, n, N, degree, n * degree, low, high);
}

int geom_patch_room(const geom_patch* p)
{
  return 3 * p->n * (p->degree + 1);
}

// T_k and two derivatives by q at every coordinate: [coordinate][order][k]
static void lines(const geom_patch* p, const double* q, double* t)
{
  const int d = p->degree + 1;
  for (int i = 0; i < p->n; i++) {
    double *T = t + 3 * i * d, *D = T + d, *E = D + d;
    const double scale = 2 / (p->high[i] - p->low[i]);
    const double x = scale * (q[i] - p->low[i]) - 1;
    for (int k = 0; k < d; k++) {
      T[k] = k == 0 ? 1 : k == 1 ? x : 2 * x * T[k - 1] - T[k - 2];
      D[k] = k == 0 ? 0 : k == 1 ? scale : 2 * scale * T[k - 1] + 2 * x * D[k - 1] - D[k - 2];
      E[k] = k < 2 ? 0 : 4 * scale * D[k - 1] + 2 * x * E[k - 1] - E[k - 2];
    }
  }
}

// product over the coordinates, `first` and `second` differentiated (-1: none)
static double product(const geom_patch* p, const double* t, int b, int first, int second)
{
  const int d = p->degree + 1;
  double v = 1;
  for (int i = 0; i < p->n; i++)
    v *= t[(3 * i + (i == first) + (i == second)) * d + p->power[b * p->n + i]];
  return v;
}

void geom_patch_basis(const geom_patch* p, const double* q, double* room, double* value,
                      double* slope, double* bend)
{
  const int n = p->n;
  lines(p, q, room);
  for (int b = 0; b < p->basis; b++) {
    if (value) value[b] = product(p, room, b, -1, -1);
    for (int i = 0; slope && i < n; i++) slope[b * n + i] = product(p, room, b, i, -1);
    for (int i = 0; bend && i < n; i++)
      for (int j = i; j < n; j++)
        bend[(b * n + i) * n + j] = bend[(b * n + j) * n + i] = product(p, room, b, i, j);
  }
}

// the place of a multi-index in another patch, which lists it no earlier
static int find_power(const geom_patch* p, const int* power, int from)
{
  while (from < p->basis && memcmp(p->power + from * p->n, power, sizeof(int) * (size_t)p->n))
    from++;
  return from;
}

void geom_patch_copy(const geom_patch* from, geom_patch* to)
{
  assert(from->n == to->n && from->N <= to->N && from->degree <= to->degree);
  for (int i = 0, at = 0; i < from->basis; i++, at++) {
    at = find_power(to, from->power + i * from->n, at);
    assert(at < to->basis);
    for (int k = 0; k < from->N; k++) to->c[k * to->basis + at] = from->c[k * from->basis + i];
  }
}

void geom_patch_eval(const geom_patch* p, const double* q, double* x, double* dx, double* ddx)
{
  const int n = p->n, B = p->basis;
  double* v = base_alloc(sizeof(double) * (size_t)(geom_patch_room(p) + B * (1 + n + n * n)));
  double *slope = v + B, *bend = slope + B * n, *room = bend + B * n * n;
  geom_patch_basis(p, q, room, v, slope, ddx ? bend : NULL);
  for (int k = 0; k < p->N; k++) {
    const double* c = p->c + k * B;
    if (x) x[k] = 0;
    for (int i = 0; dx && i < n; i++) dx[k * n + i] = 0;
    for (int i = 0; ddx && i < n * n; i++) ddx[k * n * n + i] = 0;
    for (int b = 0; b < B; b++) {
      if (x) x[k] += c[b] * v[b];
      for (int i = 0; dx && i < n; i++) dx[k * n + i] += c[b] * slope[b * n + i];
      for (int i = 0; ddx && i < n * n; i++) ddx[k * n * n + i] += c[b] * bend[b * n * n + i];
    }
  }
  free(v);
}

// ---- one coordinate -----------------------------------------------------------------------------

double geom_patch_node(const geom_patch* p, int at)
{
  const double x = cos(M_PI * (at + 0.5) / (p->degree + 1));
  return p->low[0] + (p->high[0] - p->low[0]) * (x + 1) / 2;
}

void geom_patch_series(geom_patch* p, int k, const double* value)
{
  const int count = p->degree + 1;
  double* c = p->c + k * count;
  for (int d = 0; d < count; d++) {
    c[d] = 0;
    for (int at = 0; at < count; at++)
      c[d] += (d ? 2.0 : 1.0) / count * value[at] * cos(d * M_PI * (at + 0.5) / count);
  }
}

double geom_patch_tail(const geom_patch* p, int k)
{
  const int count = p->degree + 1;
  double tail = 0, size = 0;
  for (int d = 0; d < count; d++) {
    const double c = fabs(p->c[k * count + d]);
    size = fmax(size, c);
    if (d >= count - 2) tail = fmax(tail, c);
  }
  return size > 0 ? tail / size : 0;
}

void geom_patch_integrate(geom_patch* p, int k)
{
  const int count = p->degree + 1;
  double* c = p->c + k * count;
  double* a = base_alloc(sizeof(double) * (size_t)(count + 2));
  const double half = (p->high[0] - p->low[0]) / 2;
  for (int d = 0; d < count; d++) a[d] = c[d] * (d ? 1 : 2);
  double middle = 0;
  for (int d = 1; d < count; d++) {
    c[d] = half * (a[d - 1] - a[d + 1]) / (2 * d);
    if (d % 2 == 0) middle += d % 4 ? -c[d] : c[d];
  }
  c[0] = -middle;
  free(a);
}
