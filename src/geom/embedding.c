// A map of the configuration space into flat space: made from a formula, evaluated, noted.
#include "geom/embedding.h"

#include "geom/canonical.h"
#include "geom/chart.h"
#include "num/num.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void geom_embedding_note(geom_embedding* e, const char* format, ...)
{
  char words[400];
  va_list args;
  va_start(args, format);
  vsnprintf(words, sizeof words, format, args);
  va_end(args);
  const char** longer = geom_take(e->arena, e->notes + 1, sizeof *longer);
  if (e->notes) memcpy(longer, e->note, sizeof *longer * (size_t)e->notes);
  longer[e->notes++] = base_arena_strdup(e->arena, words);
  e->note = longer;
}

char* geom_point_words(const geom_space* s, const double* q, base_arena* arena)
{
  base_text t = {0};
  for (int i = 0; i < s->n; i++)
    base_text_printf(&t, "%s%s = %.6g", i ? ", " : "", s->m->coord[s->coord[i]].name, q[i]);
  char* words = base_arena_strdup(arena, t.at);
  base_text_free(&t);
  return words;
}

// Proved as a formula; but a root may have no value at these params. On a grid of the box: wherever
// the metric is one (corners of the box may lie outside the space).
static bool has_values(const geom_embedding* e)
{
  const int n = e->n, points = n <= 2 ? 9 : n <= 4 ? 3 : 2;
  double* q = base_alloc(sizeof(double) * (size_t)(n + n * n + e->N * n));
  double *g = q + n, *dx = g + n * n;
  long total = 1;
  bool fine = true;
  for (int i = 0; i < n; i++) total *= points;
  for (long at = 0; at < total && fine; at++) {
    long rest = at;
    for (int i = 0; i < n; i++, rest /= points)
      q[i] = e->low[i] + (e->high[i] - e->low[i]) * (double)(rest % points) / (points - 1);
    if (!geom_space_metric(e->s, q, g) || !num_cholesky(n, g, 0)) continue;
    geom_embedding_at(e, q, NULL, dx, NULL);
    for (int i = 0; i < e->N * n; i++) fine = fine && isfinite(dx[i]);
  }
  free(q);
  return fine;
}

static void plane_at(const geom_revolution* r, const double* q, double* x, double* dx, double* ddx)
{
  const double du[2] = {r->i == 0 ? 1 : -r->c, r->i == 0 ? -r->c : 1};
  const double u = q[r->i] - r->c * q[r->j];
  double f[3], d[3], dd[3];
  geom_patch_eval(&r->profile, &u, f, d, dd);
  if (x) x[0] = f[0] * (q[r->j] + f[1]), x[1] = f[2];
  for (int a = 0; a < 2; a++) {
    if (dx) dx[a] = f[0] * ((a == r->j) + d[1] * du[a]), dx[2 + a] = d[2] * du[a];
    for (int b = 0; ddx && b < 2; b++) {
      ddx[a * 2 + b] = f[0] * dd[1] * du[a] * du[b];
      ddx[4 + a * 2 + b] = dd[2] * du[a] * du[b];
    }
  }
}

static void revolution_at(const geom_revolution* r, const double* q, double* x, double* dx,
                          double* ddx)
{
  const double du[2] = {r->i == 0 ? 1 : -r->c, r->i == 0 ? -r->c : 1};
  const double u = q[r->i] - r->c * q[r->j];
  double f[3], d[3], dd[3];
  geom_patch_eval(&r->profile, &u, f, d, dd);
  const double angle = (q[r->j] + f[1]) / r->m, c = cos(angle), s = sin(angle);
  const double w[2][2] = {{c, -s}, {s, c}};
  double turn[2];
  for (int a = 0; a < 2; a++) turn[a] = ((a == r->j) + d[1] * du[a]) / r->m;
  if (x) x[0] = r->m * f[0] * c, x[1] = r->m * f[0] * s, x[2] = f[2];
  for (int a = 0; a < 2; a++) {
    const double ra = r->m * d[0] * du[a];
    for (int k = 0; dx && k < 2; k++)
      dx[k * 2 + a] = ra * w[k][0] + r->m * f[0] * turn[a] * w[k][1];
    if (dx) dx[4 + a] = d[2] * du[a];
    for (int b = 0; ddx && b < 2; b++) {
      const double rb = r->m * d[0] * du[b], rab = r->m * dd[0] * du[a] * du[b];
      const double bend = dd[1] * du[a] * du[b] / r->m;
      const double along = rab - r->m * f[0] * turn[a] * turn[b];
      const double across = ra * turn[b] + rb * turn[a] + r->m * f[0] * bend;
      for (int k = 0; k < 2; k++) ddx[(k * 2 + a) * 2 + b] = along * w[k][0] + across * w[k][1];
      ddx[(4 + a) * 2 + b] = dd[2] * du[a] * du[b];
    }
  }
}

static void formula_at(const geom_embedding* e, const double* q, double* x, double* dx, double* ddx)
{
  const geom_space* s = e->s;
  const int N = e->N, n = e->n, all = N * (1 + n + n * n);
  base_arena* arena = base_arena_new();
  double* v = geom_space_values(s, q, arena);
  double* out = geom_take(arena, all, sizeof(double));
  const int count = ddx ? all : dx ? N * (1 + n) : N;
  expr_values(s->pool, count, e->map->formula, s->symbols, s->symbol, v, out);
  if (x) memcpy(x, out, sizeof(double) * (size_t)N);
  if (dx) memcpy(dx, out + N, sizeof(double) * (size_t)(N * n));
  if (ddx) memcpy(ddx, out + N * (1 + n), sizeof(double) * (size_t)(N * n * n));
  base_arena_free(arena);
}

bool geom_embedding_formula(geom_embedding* e, int N, const expr* x, const char* how)
{
  expr_pool* p = e->s->pool;
  const int n = e->n;
  expr* f = geom_take(e->arena, N * (1 + n + n * n), sizeof(expr));
  for (int k = 0; k < N; k++) {
    f[k] = x[k];
    expr* d = f + N + k * n;
    expr_gradient(p, x[k], n, e->s->q, d);
    for (int a = 0; a < n; a++)
      expr_gradient(p, d[a], n, e->s->q, f + N * (1 + n) + (k * n + a) * n);
  }
  if (expr_pool_full(p)) return false;
  e->map->kind = GEOM_FORMULA;
  e->map->formula = f;
  e->N = N;
  e->how = how;
  if (!has_values(e)) {
    e->N = 0;
    return false;
  }
  e->x = f;
  return true;
}

bool geom_embedding_patch(geom_embedding* e, const geom_patch* p, double error, const char* how)
{
  if (isnan(error)) return false;
  e->map->kind = GEOM_PATCH;
  e->map->patch = *p;
  e->N = p->N;
  e->error = error;
  e->how = how;
  return true;
}

static void split_at(const geom_embedding* e, const double* q, double* x, double* dx, double* ddx)
{
  const geom_split* t = &e->map->split;
  const geom_space* s = e->s;
  const int n = e->n, k = t->lines, r = t->rest->n, N = t->rest->N;
  base_arena* arena = base_arena_new();
  double* v = geom_space_values(s, q, arena);
  double* out = geom_take(arena, k * (1 + n + n * n), sizeof(double));
  double* inner = geom_take(arena, r + N * (1 + r + r * r), sizeof(double));
  double *ix = inner + r, *id = ix + N, *idd = id + N * r;
  expr_values(s->pool, k * (1 + n + n * n), t->formula, s->symbols, s->symbol, v, out);
  for (int i = 0; i < r; i++) inner[i] = q[t->index[i]];
  geom_embedding_at(t->rest, inner, ix, id, ddx ? idd : NULL);
  if (x) memcpy(x, out, sizeof(double) * (size_t)k);
  if (x) memcpy(x + k, ix, sizeof(double) * (size_t)N);
  if (dx) {
    memset(dx, 0, sizeof(double) * (size_t)((k + N) * n));
    memcpy(dx, out + k, sizeof(double) * (size_t)(k * n));
    for (int i = 0; i < N * r; i++) dx[(k + i / r) * n + t->index[i % r]] = id[i];
  }
  if (ddx) {
    memset(ddx, 0, sizeof(double) * (size_t)((k + N) * n * n));
    memcpy(ddx, out + k * (1 + n), sizeof(double) * (size_t)(k * n * n));
    for (int i = 0; i < N * r * r; i++) {
      const int row = k + i / (r * r), a = t->index[i / r % r], b = t->index[i % r];
      ddx[(row * n + a) * n + b] = idd[i];
    }
  }
  base_arena_free(arena);
}

void geom_embedding_at(const geom_embedding* e, const double* q, double* x, double* dx, double* ddx)
{
  assert(e->N > 0);
  switch (e->map->kind) {
  case GEOM_FORMULA:
    formula_at(e, q, x, dx, ddx);
    return;
  case GEOM_REVOLUTION:
    (e->map->revolution.plane ? plane_at : revolution_at)(&e->map->revolution, q, x, dx, ddx);
    return;
  case GEOM_PATCH:
    geom_patch_eval(&e->map->patch, q, x, dx, ddx);
    return;
  case GEOM_SPLIT:
    split_at(e, q, x, dx, ddx);
    return;
  case GEOM_PRODUCT:
    geom_product_at(e, q, x, dx, ddx);
    return;
  }
}

bool geom_embedding_inside(const geom_embedding* e, const double* q)
{
  const geom_revolution* f = &e->map->revolution;
  double part[GEOM_MOST];
  switch (e->map->kind) {
  case GEOM_FORMULA:
    return true;
  case GEOM_PATCH:
    for (int i = 0; i < e->n; i++) {
      const double slack = 1e-9 * (e->high[i] - e->low[i]);
      if (!(q[i] >= e->low[i] - slack && q[i] <= e->high[i] + slack)) return false;
    }
    return true;
  case GEOM_REVOLUTION: {
    const double u = q[f->i] - f->c * q[f->j];
    return u >= f->profile.low[0] && u <= f->profile.high[0];
  }
  case GEOM_SPLIT:
    for (int i = 0; i < e->map->split.rest->n; i++) part[i] = q[e->map->split.index[i]];
    return geom_embedding_inside(e->map->split.rest, part);
  case GEOM_PRODUCT:
    return geom_product_inside(e, q);
  }
  return false;
}

bool geom_embedding_natural(geom_embedding* e, int most)
{
  if (!geom_natural_find(e)) return false;
  if (e->N <= most) return true;
  e->N = 0;
  e->x = NULL;
  return false;
}

void geom_embedding_free(geom_embedding* e)
{
  if (!e) return;
  geom_embedding* rest = e->map->split.rest;
  if (rest) {
    geom_space* part = rest->s;
    geom_embedding_free(rest);
    geom_space_free(part);
  }
  geom_product_free(&e->map->product);
  geom_space_free(e->own);
  base_arena_free(e->arena);
}
