// A map as Chebyshev series on its box: what it consists of, or what it is sampled to.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom/embedding.h"

enum { MOST_POINTS = 40000, PROBES = 200 };
static const double tail = 1e-14; // last coefficients against the largest: enough

static void copy_patch(const geom_patch* p, base_arena* arena, geom_map_series* out)
{
  out->basis = p->basis;
  out->power = geom_take(arena, p->basis * p->n, sizeof(int));
  out->c = geom_take(arena, p->basis * p->N, sizeof(double));
  memcpy(out->power, p->power, sizeof(int) * (size_t)(p->basis * p->n));
  memcpy(out->c, p->c, sizeof(double) * (size_t)(p->basis * p->N));
}

// Values at the product of `m` Gauss-Chebyshev points into coefficients, along one coordinate after
// the other: c_k = (2 - [k = 0])/m sum_j f(x_j) cos(k theta_j), theta_j = pi (j + 1/2)/m
static void transform(int n, int m, long total, double* f)
{
  double *line = base_alloc(sizeof(double) * (size_t)(2 * m)), *c = line + m;
  for (long stride = 1, k = 0; k < n; k++, stride *= m)
    for (long at = 0; at < total; at++) {
      if (at / stride % m) continue;
      for (int j = 0; j < m; j++) line[j] = f[at + j * stride];
      for (int i = 0; i < m; i++) {
        c[i] = 0;
        for (int j = 0; j < m; j++) c[i] += line[j] * cos(M_PI * i * (j + 0.5) / m);
        c[i] *= (i ? 2.0 : 1.0) / m;
      }
      for (int i = 0; i < m; i++) f[at + i * stride] = c[i];
    }
  free(line);
}

// m points each way; the coefficients, and the size of the last of them
static double sample(const geom_embedding* e, int m, long total, double* c)
{
  const int n = e->n, N = e->N;
  double *q = base_alloc(sizeof(double) * (size_t)(n + N)), *x = q + n, most = 0, last = 0;
  for (long at = 0; at < total; at++) {
    long rest = at;
    for (int i = 0; i < n; i++, rest /= m)
      q[i] = (e->low[i] + e->high[i]) / 2 +
             (e->high[i] - e->low[i]) / 2 * cos(M_PI * ((double)(rest % m) + 0.5) / m);
    geom_embedding_at(e, q, x, NULL, NULL);
    for (int k = 0; k < N; k++) c[k * total + at] = x[k];
  }
  for (int k = 0; k < N; k++) transform(n, m, total, c + k * total);
  for (int k = 0; k < N; k++)
    for (long at = 0; at < total; at++) {
      bool edge = false;
      long rest = at;
      for (int i = 0; i < n; i++, rest /= m) edge = edge || rest % m >= m - 2;
      most = fmax(most, fabs(c[k * total + at]));
      if (edge) last = fmax(last, fabs(c[k * total + at]));
    }
  free(q);
  return isfinite(most) ? last / fmax(most, 1e-300) : INFINITY;
}

static bool fit(const geom_embedding* e, base_arena* arena, geom_map_series* out)
{
  const int n = e->n, N = e->N;
  for (int m = 8;; m += m / 2) {
    long total = 1;
    for (int i = 0; i < n; i++) total *= m;
    if (total > MOST_POINTS) return out->basis > 0;
    double* c = base_alloc(sizeof(double) * (size_t)(total * N));
    const double last = sample(e, m, total, c);
    if (isfinite(last)) {
      out->basis = (int)total;
      out->power = geom_take(arena, out->basis * n, sizeof(int));
      out->c = geom_take(arena, out->basis * N, sizeof(double));
      for (long at = 0; at < total; at++) {
        long rest = at;
        for (int i = 0; i < n; i++, rest /= m) out->power[at * n + i] = (int)(rest % m);
      }
      memcpy(out->c, c, sizeof(double) * (size_t)(total * N));
    }
    free(c);
    if (!(last > tail)) return isfinite(last);
  }
}

void geom_map_series_at(const geom_map_series* s, const double* q, double* x)
{
  for (int k = 0; k < s->N; k++) x[k] = 0;
  for (int b = 0; b < s->basis; b++) {
    double value = 1;
    for (int i = 0; i < s->n; i++) {
      const double xi = (2 * q[i] - s->low[i] - s->high[i]) / (s->high[i] - s->low[i]);
      value *= cos(s->power[b * s->n + i] * acos(fmax(-1, fmin(1, xi))));
    }
    for (int k = 0; k < s->N; k++) x[k] += s->c[k * s->basis + b] * value;
  }
}

// how far the series are from the map
static double compare(const geom_embedding* e, const geom_map_series* s)
{
  double *q = base_alloc(sizeof(double) * (size_t)(s->n + 2 * s->N)), *x = q + s->n, *y = x + s->N,
         worst = 0;
  uint64_t seed = 11;
  for (int p = 0; p < PROBES; p++) {
    for (int i = 0; i < s->n; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      q[i] = s->low[i] + (s->high[i] - s->low[i]) * ((double)(seed >> 11) / 9007199254740992.0);
    }
    geom_embedding_at(e, q, x, NULL, NULL);
    geom_map_series_at(s, q, y);
    for (int k = 0; k < s->N; k++) worst = fmax(worst, fabs(x[k] - y[k]));
  }
  free(q);
  return worst;
}

bool geom_embedding_series(const geom_embedding* e, base_arena* arena, geom_map_series* out)
{
  *out = (geom_map_series){.n = e->n, .N = e->N, .low = e->low, .high = e->high};
  if (e->N == 0) return false;
  if (e->map->kind == GEOM_PATCH)
    copy_patch(&e->map->patch, arena, out);
  else if (!fit(e, arena, out))
    return false;
  // small ones say nothing
  double most = 0;
  int kept = 0;
  for (int i = 0; i < out->basis * out->N; i++) most = fmax(most, fabs(out->c[i]));
  double* c = geom_take(arena, out->basis * out->N, sizeof(double));
  int* from = base_alloc(sizeof(int) * (size_t)(out->basis + 1));
  for (int b = 0; b < out->basis; b++) {
    double here = 0;
    for (int k = 0; k < out->N; k++) here = fmax(here, fabs(out->c[k * out->basis + b]));
    if (here > 1e-17 * most) from[kept++] = b;
  }
  for (int b = 0; b < kept; b++) {
    memmove(out->power + b * out->n, out->power + from[b] * out->n, sizeof(int) * (size_t)out->n);
    for (int k = 0; k < out->N; k++) c[k * kept + b] = out->c[k * out->basis + from[b]];
  }
  free(from);
  out->basis = kept;
  out->c = c;
  out->error = compare(e, out);
  return true;
}
