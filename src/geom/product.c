// Spaces that are products: coordinates fall apart into groups that know nothing of each other.
//
// Where g_ab = 0 for a and b of different groups, and each block of g depends on its own group
// alone, the metric is a sum of metrics of the groups; embeddings of these side by side are one of
// all.
#include <math.h>
#include <string.h>

#include "geom/canonical.h"
#include "geom/embedding.h"

static const double works = 1e-6; // as of other maps in numbers

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

static void map_slope(const void* map, const double* q, double* dx)
{
  geom_embedding_at(map, q, NULL, dx, NULL);
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

void geom_product_at(const geom_embedding* e, const double* q, double* x, double* dx, double* ddx)
{
  const geom_product* p = &e->map->product;
  const int n = e->n;
  base_arena* arena = base_arena_new();
  if (dx) memset(dx, 0, sizeof(double) * (size_t)(e->N * n));
  if (ddx) memset(ddx, 0, sizeof(double) * (size_t)(e->N * n * n));
  for (int k = 0, row = 0; k < p->count; k++) {
    const geom_factor* f = &p->factor[k];
    const int r = f->map->n, N = f->map->N;
    double* part = geom_take(arena, r + N * (1 + r + r * r), sizeof(double));
    double *fx = part + r, *fd = fx + N, *fdd = fd + N * r;
    for (int i = 0; i < r; i++) part[i] = q[f->index[i]];
    geom_embedding_at(f->map, part, fx, fd, ddx ? fdd : NULL);
    if (x) memcpy(x + row, fx, sizeof(double) * (size_t)N);
    for (int i = 0; i < N * r && dx; i++) dx[(row + i / r) * n + f->index[i % r]] = fd[i];
    for (int i = 0; i < N * r * r && ddx; i++)
      ddx[((row + i / (r * r)) * n + f->index[i / r % r]) * n + f->index[i % r]] = fdd[i];
    row += N;
  }
  base_arena_free(arena);
}

bool geom_product_inside(const geom_embedding* e, const double* q)
{
  const geom_product* p = &e->map->product;
  double part[GEOM_MOST];
  for (int k = 0; k < p->count; k++) {
    const geom_factor* f = &p->factor[k];
    for (int i = 0; i < f->map->n; i++) part[i] = q[f->index[i]];
    if (!geom_embedding_inside(f->map, part)) return false;
  }
  return true;
}

void geom_product_free(geom_product* p)
{
  for (int k = 0; k < p->count; k++) {
    geom_space* part = p->factor[k].map->s;
    geom_space* own = p->factor[k].map->own;
    geom_embedding_free(p->factor[k].map);
    if (part != own) geom_space_free(part);
  }
}
