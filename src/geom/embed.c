// The search for an embedding: formulas first, then an ODE, then least squares, the smallest
// dimension that works.
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geom/canonical.h"
#include "geom/embedding.h"

// a map in numbers works when its metric is right to this part
static const double works = 1e-6;

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

// ---- starts of the least squares ----------------------------------------------------------------

// the monomials u_a u_b of a coefficient put into the basis: u = half xi
static void add_quadratic(geom_patch* p, int k, const double* half, int a, int b, double value)
{
  for (int i = 0; i < p->basis; i++) {
    int total = 0, fits = 1;
    for (int j = 0; j < p->n; j++) {
      const int want = (j == a) + (j == b);
      total += p->power[i * p->n + j];
      fits &= p->power[i * p->n + j] == want;
    }
    // xi^2 = (1 + T_2)/2
    if (fits && total == 2)
      p->c[k * p->basis + i] += value * half[a] * half[b] * (a == b ? 0.5 : 1);
  }
}

static double uniform(uint64_t* seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

// Second tensors of the normals at the middle: the one of Gauss's equations where known; for two
// coordinates k1 in one direction and K/k1 in the other; else of the right size at random.
static void bend_start(geom_patch* p, const geom_numbers* r, const double* L, const double* half,
                       const double* b)
{
  const int n = p->n;
  uint64_t seed = 11;
  double size = 0;
  for (int k = 0; k < geom_pairs(n); k++) size = fmax(size, fabs(r->sectional[k]));
  const double k1 = sqrt(size + 0.1 / (1 + size)), k2 = n == 2 ? r->sectional[0] / k1 : 0;
  for (int k = n; k < p->N; k++)
    for (int i = 0; i < n; i++)
      for (int j = i; j < n; j++) {
        double value = 0;
        if (b && k == n)
          value = b[i * n + j];
        else if (n == 2)
          value = k == n ? k1 * L[i * n] * L[j * n] + k2 * L[i * n + 1] * L[j * n + 1] : 0;
        else
          value = sqrt(r->g[i * n + i] * r->g[j * n + j]) * sqrt(size) * uniform(&seed);
        add_quadratic(p, k, half, i, j, (i == j ? 0.5 : 1) * value);
      }
}

// x = L^T (u + Gamma u u/2) + normals, of degree 2
static bool start(const geom_embedding* e, geom_patch* p, const double* b)
{
  const int n = p->n;
  double *middle = geom_take(e->arena, 2 * n + n * n, sizeof(double)), *half = middle + n;
  double* L = half + n;
  for (int i = 0; i < n; i++) {
    middle[i] = (p->low[i] + p->high[i]) / 2;
    half[i] = (p->high[i] - p->low[i]) / 2;
  }
  geom_place* at = geom_place_make(e->s, middle);
  const bool fine = at && at->at->regular;
  if (fine) {
    const geom_numbers* r = at->at;
    memcpy(L, r->g, sizeof(double) * (size_t)(n * n));
    num_cholesky(n, L, 0);
    for (int i = 0; i < n; i++)
      for (int j = i + 1; j < n; j++) L[i * n + j] = 0;
    for (int k = 0; k < n; k++) {
      // the linear basis functions stand behind the constant, in the order of the powers
      for (int i = 1; i <= n; i++)
        for (int a = 0; a < n; a++)
          if (p->power[i * n + a] == 1) p->c[k * p->basis + i] += L[a * n + k] * half[a];
      for (int a = 0; a < n; a++)
        for (int c = a; c < n; c++) {
          double sum = 0;
          for (int d = 0; d < n; d++) sum += L[d * n + k] * r->second[(d * n + a) * n + c];
          add_quadratic(p, k, half, a, c, (a == c ? 0.5 : 1) * sum);
        }
    }
    bend_start(p, r, L, half, b);
  }
  geom_place_free(at);
  return fine;
}

// ---- the search ---------------------------------------------------------------------------------

void geom_embedding_shrink(const geom_embedding* e, double* low, double* high)
{
  for (int i = 0; i < e->n; i++) {
    double here = (low[i] + high[i]) / 2;
    for (int k = 0; k < e->s->symbols; k++)
      if (e->s->symbol[k] == e->s->q[i]) here = e->s->value[k];
    here = fmin(fmax(here, low[i]), high[i]);
    low[i] = here + (low[i] - here) / 2;
    high[i] = here + (high[i] - here) / 2;
  }
}

// least squares in N dimensions on the box
geom_isometry geom_embedding_fit(geom_embedding* e, int N, const double* low, const double* high,
                                 const double* b)
{
  geom_patch p = geom_patch_take(e->arena, e->n, N, 4, low, high);
  geom_isometry r = {.error = NAN};
  const int most = e->n <= 2             ? (e->thorough ? 24 : 16)
                   : e->n == 3 && N <= 4 ? 8
                   : e->n <= 3           ? 6
                                         : 4;
  return start(e, &p, b) ? geom_isometry_find(e->s, e->arena, &p, most, e->n <= 2 ? 2e-11 : 1e-8)
                         : r;
}

// on the box, or on ever smaller ones around the point
static bool fit_somewhere(geom_embedding* e, int N, const double* b, const char* how)
{
  double* low = geom_take(e->arena, 2 * e->n, sizeof(double));
  double* high = low + e->n;
  memcpy(low, e->low, sizeof(double) * (size_t)e->n);
  memcpy(high, e->high, sizeof(double) * (size_t)e->n);
  double best = INFINITY;
  for (int i = 0; i < 4; i++) {
    double *l = geom_take(e->arena, 2 * e->n, sizeof(double)), *h = l + e->n;
    memcpy(l, low, sizeof(double) * (size_t)e->n);
    memcpy(h, high, sizeof(double) * (size_t)e->n);
    const geom_isometry r = geom_embedding_fit(e, N, l, h, b);
    if (r.error < works) {
      if (i) geom_embedding_note(e, "on a part of the region only, around the point");
      e->low = l;
      e->high = h;
      return geom_embedding_patch(e, &r.patch, r.error, how);
    }
    // an error that does not fall with the box is an obstruction, not a truncation
    if (r.error > 0.05 * best && i > 1) break;
    best = fmin(best, r.error);
    geom_embedding_shrink(e, low, high);
  }
  geom_embedding_note(e, "no map into %d dimensions found: least error of the metric %.2g", N,
                      best);
  return false;
}

// one coordinate: x = int sqrt(g) dq                                          Briskin (2000), (1.7)
static bool embed_line(geom_embedding* e)
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

// the squares of T where they need no more than `most` dimensions
static bool natural_find(geom_embedding* e, int most)
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
  if (natural_find(e, e->n) || geom_cone_find(e)) return true;
  if (e->n == 1 && embed_line(e)) return true;
  if (e->n == 2 && geom_plane_find(e)) return true;
  if (flat == EXPR_YES && geom_split_find(e)) return true;
  if (flat == EXPR_YES && geom_frame_find(e, true)) return true;
  if (flat != EXPR_YES || e->n != 4) return false;
  if (e->thorough) return fit_somewhere(e, e->n, NULL, "canonical coordinates");
  geom_embedding_note(
      e,
      "canonical coordinates exist, but no formula was found; --embed looks for them in numbers");
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

// what is known of fewer dimensions than N
static void tell_fewer(geom_embedding* e, const geom_gauss* g, int N)
{
  const int least = g->verdict == GEOM_GAUSS_NONE ? e->n + 2 : e->n + 1;
  if (N <= least)
    geom_embedding_note(e, "fewer than %d dimensions do not suffice", N);
  else
    geom_embedding_note(e, "fewer than %d dimensions are not excluded%s", N,
                        e->n == 3 && !e->thorough ? "; --embed looks for a map in numbers" : "");
}

// maps in numbers from `first` dimensions on, fewer than `before`
static bool fit_dimensions(geom_embedding* e, const geom_gauss* g, int first, int before)
{
  for (int N = first; N < before; N++)
    if (fit_somewhere(e, N, N == e->n + 1 ? g->b : NULL,
                      N == e->n + 1 ? "a hypersurface" : "a submanifold"))
      return true;
  return false;
}

// Three and more: formulas first, the map in numbers where it was asked for and may need less.
static bool embed_more(geom_embedding* e)
{
  const geom_gauss g = geom_gauss_solve(e);
  const int most = e->n * (e->n + 1) / 2;
  const int first = g.verdict == GEOM_GAUSS_NONE ? e->n + 2 : e->n + 1;
  if (geom_chain_find(e) || natural_find(e, first) || geom_split_find(e) ||
      (g.verdict == GEOM_GAUSS_UNIQUE && geom_frame_find(e, false))) {
    tell_fewer(e, &g, e->N);
    return true;
  }
  const bool written = geom_natural_find(e);
  if (written && (e->n > 3 || !e->thorough)) {
    tell_fewer(e, &g, e->N);
    return true;
  }
  if (e->n > 3) {
    geom_embedding_note(e,
                        "a map in numbers is not tried for more than 3 coordinates; every analytic "
                        "metric has one near a point into %d dimensions (Janet, Cartan)",
                        most);
    return false;
  }
  if (!e->thorough) {
    geom_embedding_note(e, "%s; --embed looks for a map in numbers",
                        g.verdict == GEOM_GAUSS_NONE ? "5 or 6 dimensions are needed"
                        : g.verdict == GEOM_GAUSS_UNIQUE
                            ? "a hypersurface of 4 dimensions fits"
                            : "the curvature excludes no hypersurface");
    return false;
  }
  const int before = written && e->N <= most ? e->N : most + 1;
  e->N = 0;
  e->x = NULL;
  return fit_dimensions(e, &g, first, before) || (written && geom_natural_find(e));
}

static void search(geom_embedding* e, const geom_verdict* flat)
{
  const geom_space* s = e->s;
  if (s->rest > 0) {
    geom_embedding_note(e, "not tried: constraints are not solved in formulas");
    return;
  }
  if (s->det != EXPR_NONE && !s->inverse) {
    geom_embedding_note(e, "not tried: the metric is degenerate");
    return;
  }
  for (int i = 0; i < e->n; i++) {
    if (e->high[i] > e->low[i]) continue;
    geom_embedding_note(e, "not tried: the region has no extent");
    return;
  }
  if (flat->flat != EXPR_NO && embed_flat(e, flat->flat)) return;
  if (flat->flat == EXPR_YES || e->N > 0) return;
  if (embed_around(e, e->n + 1)) return;
  bool found = false;
  if (e->n == 2)
    found = geom_revolution_find(e) || natural_find(e, 3) || geom_surface_find(e);
  else if (e->n > 2)
    found = embed_more(e);
  if (!found) embed_around(e, e->s->m->coords);
}

geom_embedding* geom_embed(geom_space* s, const geom_verdict* flat, const double* low,
                           const double* high, bool thorough)
{
  base_arena* arena = base_arena_new();
  geom_embedding* e = base_arena_take(arena, sizeof *e);
  e->arena = arena;
  e->s = s;
  e->n = s->n;
  e->thorough = thorough;
  e->map = base_arena_take(arena, sizeof *e->map);
  e->low = geom_take(arena, 2 * s->n, sizeof(double));
  e->high = e->low + s->n;
  memcpy(e->low, low, sizeof(double) * (size_t)s->n);
  memcpy(e->high, high, sizeof(double) * (size_t)s->n);
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
  base_arena_free(e->arena);
}
