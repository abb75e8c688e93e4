// Straight lines split off: carts and other coordinates that only carry the rest along.
//
// Where g_jj is constant and the form g_ja dq_a/sqrt(g_jj) is closed, the space is a product of a
// line x = int of that form and a space with the metric g_ab - g_aj g_bj/g_jj; an embedding of the
// latter beside the line is one of the whole, of one dimension more.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom/canonical.h"
#include "geom/embedding.h"

typedef struct pieces
{
  int lines, left;
  expr line[GEOM_MOST], q[GEOM_MOST], g[GEOM_MOST * GEOM_MOST];
} pieces;

static pieces split(const geom_space* s)
{
  pieces a = {.left = s->n};
  memcpy(a.q, s->q, sizeof(expr) * (size_t)s->n);
  memcpy(a.g, s->g, sizeof(expr) * (size_t)(s->n * s->n));
  expr *q = base_alloc(sizeof(expr) * (GEOM_MOST + GEOM_MOST * GEOM_MOST)), *g = q + GEOM_MOST;
  for (int j = 0; j < a.left;) {
    expr x;
    if (a.left < 2 || !geom_canonical_split(s->pool, a.left, a.q, a.g, j, &x, q, g)) {
      j++;
      continue;
    }
    a.line[a.lines++] = x;
    a.left--;
    memcpy(a.q, q, sizeof(expr) * (size_t)a.left);
    memcpy(a.g, g, sizeof(expr) * (size_t)(a.left * a.left));
    j = 0;
  }
  free(q);
  return a;
}

static void take_lines(geom_embedding* e, const pieces* a)
{
  geom_split* t = &e->map->split;
  expr_pool* p = e->s->pool;
  const int n = e->n, k = a->lines;
  t->lines = k;
  t->formula = geom_take(e->arena, k * (1 + n + n * n), sizeof(expr));
  for (int i = 0; i < k; i++) {
    expr* d = t->formula + k + i * n;
    t->formula[i] = a->line[i];
    expr_gradient(p, a->line[i], n, e->s->q, d);
    for (int j = 0; j < n; j++)
      expr_gradient(p, d[j], n, e->s->q, t->formula + k * (1 + n) + (i * n + j) * n);
  }
}

static void map_slope(const void* map, const double* q, double* dx)
{
  geom_embedding_at(map, q, NULL, dx, NULL);
}

// the pieces as one map: formulas where all of them are
static bool join(geom_embedding* e, const pieces* a)
{
  geom_split* t = &e->map->split;
  const geom_embedding* rest = t->rest;
  const char* how = a->lines + rest->N == e->n + 1 ? "a hypersurface" : "a submanifold";
  for (int i = 0; i < rest->notes; i++) geom_embedding_note(e, "the rest: %s", rest->note[i]);
  if (rest->N == 0) return false;
  for (int i = 0; i < rest->n; i++) {
    e->low[t->index[i]] = rest->low[i];
    e->high[t->index[i]] = rest->high[i];
  }
  if (rest->x) {
    expr* x = geom_take(e->arena, a->lines + rest->N, sizeof(expr));
    memcpy(x, a->line, sizeof(expr) * (size_t)a->lines);
    memcpy(x + a->lines, rest->x, sizeof(expr) * (size_t)rest->N);
    if (geom_has_metric(e->s->pool, e->n, e->s->q, e->s->g, a->lines + rest->N, x) &&
        geom_embedding_formula(e, a->lines + rest->N, x, how))
      return true;
  }
  take_lines(e, a);
  e->map->kind = GEOM_SPLIT;
  e->N = a->lines + rest->N;
  e->how = how;
  e->error = geom_isometry_error(e->s, e, map_slope, e->N, e->low, e->high, e->n <= 3 ? 11 : 5);
  if (e->error < 1e-6) return true;
  e->N = 0;
  return false;
}

bool geom_split_find(geom_embedding* e)
{
  pieces* a = base_alloc(sizeof *a);
  *a = split(e->s);
  bool found = false;
  if (a->lines > 0) {
    geom_split* t = &e->map->split;
    geom_space* part = geom_space_part(e->s, a->left, a->q, a->g);
    geom_space_curve(part);
    const geom_verdict flat = geom_flat(part);
    double *low = geom_take(e->arena, 2 * a->left, sizeof(double)), *high = low + a->left;
    t->index = geom_take(e->arena, a->left, sizeof(int));
    for (int i = 0; i < a->left; i++)
      for (int k = 0; k < e->n; k++)
        if (e->s->q[k] == a->q[i]) t->index[i] = k;
    for (int i = 0; i < a->left; i++) {
      low[i] = e->low[t->index[i]];
      high[i] = e->high[t->index[i]];
    }
    geom_embedding_note(e, "%d straight line%s split%s off: the space is a product", a->lines,
                        a->lines > 1 ? "s" : "", a->lines > 1 ? "" : "s");
    t->rest = geom_embed(part, &flat, low, high, e->thorough);
    found = join(e, a);
  }
  free(a);
  return found;
}
