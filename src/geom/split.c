// Spaces that are products: straight lines split off, and groups of coordinates that know nothing
// of each other.
//
// Straight lines: carts and other coordinates that only carry the rest along.
//
// Where g_jj is constant and the form g_ja dq_a/sqrt(g_jj) is closed, the space is a product of a
// line x = int of that form and a space with the metric g_ab - g_aj g_bj/g_jj; an embedding of the
// latter beside the line is one of the whole, of one dimension more.
//
// Groups: where g_ab = 0 for a and b of different groups, and each block of g depends on its own
// group alone, the metric is a sum of metrics of the groups; embeddings of these side by side are
// one of all.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom/canonical.h"
#include "geom/embedding.h"
#include "geom/formula.h"

static const double works = 1e-6; // as of other maps in numbers

// ---- lines --------------------------------------------------------------------------------------

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
  if (e->error < works) return true;
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

// ---- groups -------------------------------------------------------------------------------------

static int root(int* up, int i)
{
  while (up[i] != i) i = up[i] = up[up[i]];
  return i;
}

// the group of each coordinate, numbered from 0; returns how many
static int find_groups(const geom_space* s, int* group)
{
  const int n = s->n;
  int up[GEOM_MOST], number[GEOM_MOST], count = 0;
  for (int i = 0; i < n; i++) up[i] = i;
  const expr zero = expr_int(s->pool, 0);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      const expr g = s->g[a * n + b];
      if (g == zero) continue;
      up[root(up, a)] = root(up, b);
      for (int c = 0; c < n; c++)
        if (expr_has(s->pool, g, s->q[c])) up[root(up, c)] = root(up, a);
    }
  for (int i = 0; i < n; i++)
    if (root(up, i) == i) number[i] = count++;
  for (int i = 0; i < n; i++) group[i] = number[root(up, i)];
  return count;
}

static geom_embedding* embed_group(const geom_embedding* e, const int* group, int k, geom_factor* f)
{
  const geom_space* s = e->s;
  const int n = e->n;
  expr q[GEOM_MOST], *g = geom_take(e->arena, n * n, sizeof(expr));
  double low[GEOM_MOST], high[GEOM_MOST];
  int size = 0;
  f->index = geom_take(e->arena, n, sizeof(int));
  for (int i = 0; i < n; i++)
    if (group[i] == k) {
      q[size] = s->q[i];
      low[size] = e->low[i];
      high[size] = e->high[i];
      f->index[size++] = i;
    }
  for (int a = 0; a < size; a++)
    for (int b = 0; b < size; b++) g[a * size + b] = s->g[f->index[a] * n + f->index[b]];
  geom_space* part = geom_space_part(s, size, q, g);
  geom_space_curve(part);
  const geom_verdict flat = geom_flat(part);
  return geom_embed(part, &flat, low, high, e->thorough);
}

// formulas where all factors have them
static bool in_formulas(geom_embedding* e, int N, const char* how)
{
  const geom_product* p = &e->map->product;
  expr* x = geom_take(e->arena, N, sizeof(expr));
  int at = 0;
  for (int k = 0; k < p->count; k++) {
    const geom_embedding* f = p->factor[k].map;
    if (!f->x) return false;
    memcpy(x + at, f->x, sizeof(expr) * (size_t)f->N);
    at += f->N;
  }
  return geom_has_metric(e->s->pool, e->n, e->s->q, e->s->g, N, x) &&
         geom_embedding_formula(e, N, x, how);
}

bool geom_product_find(geom_embedding* e)
{
  int group[GEOM_MOST], N = 0;
  geom_product* p = &e->map->product;
  const int count = find_groups(e->s, group);
  if (count < 2) return false;
  p->factor = geom_take(e->arena, count, sizeof *p->factor);
  geom_embedding_note(e, "the space is a product of %d spaces, each embedded by itself", count);
  bool found = true;
  for (int k = 0; k < count; k++) {
    geom_factor* f = &p->factor[p->count++];
    f->map = embed_group(e, group, k, f);
    for (int i = 0; i < f->map->notes; i++)
      geom_embedding_note(e, "factor %d: %s", k + 1, f->map->note[i]);
    for (int i = 0; i < f->map->n && f->map->N > 0; i++) {
      e->low[f->index[i]] = f->map->low[i];
      e->high[f->index[i]] = f->map->high[i];
    }
    N += f->map->N;
    found = found && f->map->N > 0;
  }
  const char* how = N == e->n + 1 ? "a hypersurface" : "a product of submanifolds";
  if (!found) return false;
  if (in_formulas(e, N, how)) return true;
  e->map->kind = GEOM_PRODUCT;
  e->N = N;
  e->how = how;
  e->error = geom_isometry_error(e->s, e, map_slope, N, e->low, e->high, e->n <= 3 ? 11 : 5);
  if (e->error < works) return true;
  e->N = 0;
  return false;
}
