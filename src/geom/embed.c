// The search for an embedding: formulas first, then an ODE, then least squares, the smallest
// dimension that works.
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geom/canonical.h"
#include "geom/chart.h"
#include "geom/embedding.h"
#include "num/num.h"

// a map in numbers works when its metric is right to this part
static const double works = 1e-6;
enum { BOXES = 4 };

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

static void map_slope(const void* map, const double* q, double* dx)
{
  geom_embedding_at(map, q, NULL, dx, NULL);
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

// ---- maps ---------------------------------------------------------------------------------------

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
    geom_split_at(e, q, x, dx, ddx);
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
  }
  return false;
}

// ---- the search ---------------------------------------------------------------------------------

static bool line_on_box(geom_embedding* e)
{
  for (int degree = 15; degree <= 511; degree = 2 * degree + 1) {
    geom_patch p = geom_patch_take(e->arena, 1, 1, degree, e->low, e->high);
    double* value = geom_take(e->arena, degree + 1, sizeof(double));
    bool fine = true;
    for (int at = 0; at <= degree && fine; at++) {
      const double q = geom_patch_node(&p, at);
      fine = geom_space_metric(e->s, &q, &value[at]);
      value[at] = sqrt(fine ? value[at] : 0);
    }
    if (!fine) break;
    geom_patch_series(&p, 0, value);
    if (geom_patch_tail(&p, 0) > 1e-14 && degree < 511) continue;
    geom_patch_integrate(&p, 0);
    geom_embedding_patch(e, &p, 0, "canonical coordinates");
    e->error = geom_isometry_error(e->s, e, map_slope, 1, e->low, e->high, 101);
    if (e->error < works) return true;
    e->N = 0;
  }
  return false;
}

// One coordinate: x = int sqrt(g) dq, on the region or on the part of it where the metric has
// values.
//                                                                            Briskin (2000), (1.7)
static bool embed_line(geom_embedding* e)
{
  for (int i = 0; i < BOXES; i++) {
    if (line_on_box(e)) {
      if (i) geom_embedding_note(e, "on a part of the region only, around the point");
      return true;
    }
    geom_embedding_shrink(e, e->low, e->high);
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

static bool embed_flat(geom_embedding* e, expr_truth flat)
{
  expr* x = geom_take(e->arena, e->n, sizeof(expr));
  if (geom_canonical_find(e->s->pool, e->n, e->s->q, e->s->g, x) &&
      geom_embedding_formula(e, e->n, x, "canonical coordinates"))
    return true;
  if (geom_embedding_natural(e, e->n) || geom_cone_find(e)) return true;
  if (e->n == 1 && embed_line(e)) return true;
  if (e->n == 2 && geom_plane_find(e)) return true;
  if (flat == EXPR_YES && geom_split_find(e)) return true;
  if (flat == EXPR_YES && geom_frame_find(e, true)) return true;
  if (flat != EXPR_YES || e->n < 4) return false;
  if (e->n <= GEOM_FIT) {
    double work = geom_embedding_work(e);
    return geom_embedding_fit_somewhere(e, e->n, BOXES, NULL, "canonical coordinates", &work);
  }
  geom_embedding_note(
      e, "canonical coordinates exist, but no formula was found; more than %d are not fitted",
      GEOM_FIT);
  return false;
}

// A surface cut by constraints out of a flat space lies in that space: its canonical coordinates on
// the constraints. True where it needs at most `most` dimensions.
static bool embed_around(geom_embedding* e, int most)
{
  const geom_space* s = e->s;
  expr_pool* p = s->pool;
  const int all = s->m->coords;
  if (s->gone == 0) return false;
  expr *q = geom_take(e->arena, 3 * all, sizeof(expr)), *x = q + all, *from = x + all;
  for (int i = 0; i < all; i++) q[i] = s->m->coord[i].q;
  for (int k = 0; k < s->gone; k++) from[k] = q[s->gone_coord[k]];
  if (!geom_canonical_find(p, all, q, s->around, x)) return false;
  int N = 0;
  for (int i = 0; i < all; i++) {
    const expr on = expr_substitute(p, x[i], s->gone, from, s->gone_value);
    if (expr_has_any(p, on, s->n, s->q)) x[N++] = geom_tidy(p, on);
  }
  return N <= most && geom_has_metric(p, s->n, s->q, s->g, N, x) &&
         geom_embedding_formula(e, N, x, N == s->n + 1 ? "a hypersurface" : "a submanifold");
}

// without formulas of the metric: what needs numbers only
static void search_chart(geom_embedding* e, expr_truth flat)
{
  geom_embedding_note(e, "constraints are not solved in formulas: points of their surface by "
                         "Newton's method, in the coordinates of the region");
  if (e->n == 1)
    embed_line(e);
  else if (flat != EXPR_NO && geom_frame_find(e, true))
    return;
  else if (e->n == 2)
    geom_surface_find(e);
  else
    geom_dimensions_find(e);
}

static void search(geom_embedding* e, const geom_verdict* flat)
{
  const geom_space* s = e->s;
  if (s->det != EXPR_NONE && !s->inverse) {
    geom_embedding_note(e, "not tried: the metric is degenerate");
    return;
  }
  for (int i = 0; i < e->n; i++) {
    if (e->high[i] > e->low[i]) continue;
    geom_embedding_note(e, "not tried: the region has no extent");
    return;
  }
  if (s->chart) {
    search_chart(e, flat->flat);
    return;
  }
  if (flat->flat != EXPR_NO && embed_flat(e, flat->flat)) return;
  if (flat->flat == EXPR_YES || e->N > 0) return;
  if (embed_around(e, e->n + 1)) return;
  bool found = false;
  if (e->n == 2)
    found = geom_revolution_find(e) || geom_embedding_natural(e, 3) || geom_surface_find(e);
  else if (e->n > 2)
    found = geom_dimensions_find(e);
  if (!found) embed_around(e, e->s->m->coords);
}

geom_embedding* geom_embed(geom_space* s, const geom_verdict* flat, const double* low,
                           const double* high, bool thorough)
{
  base_arena* arena = base_arena_new();
  geom_embedding* e = base_arena_take(arena, sizeof *e);
  geom_space* chart = s->rest > 0 ? geom_chart_make(s) : NULL;
  e->arena = arena;
  e->s = chart ? chart : s;
  e->own = chart;
  e->n = e->s->n;
  e->thorough = thorough;
  e->map = base_arena_take(arena, sizeof *e->map);
  e->low = geom_take(arena, 2 * e->n, sizeof(double));
  e->high = e->low + e->n;
  for (int i = 0; i < e->n; i++) {
    const int k = chart ? chart->chart->chosen[i] : i;
    e->low[i] = low[k];
    e->high[i] = high[k];
  }
  if (s->rest > 0 && !chart)
    geom_embedding_note(e, "not tried: the constraints are singular at the point");
  else
    search(e, flat);
  if (e->N > 0 && e->map->kind == GEOM_REVOLUTION)
    e->error = geom_isometry_error(s, e, map_slope, e->N, e->low, e->high, 41);
  if (e->N > 0 && e->x) geom_embedding_forces(e);
  return e;
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
  geom_space_free(e->own);
  base_arena_free(e->arena);
}
