// The map of a product: those of its factors side by side.
#include <string.h>

#include "geom/embedding.h"

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
