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

static void map_slope(const void* map, const double* q, double* dx)
{
  geom_embedding_at(map, q, NULL, dx, NULL);
}

// ---- maps ---------------------------------------------------------------------------------------

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
    found = geom_product_find(e) || geom_dimensions_find(e);
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
