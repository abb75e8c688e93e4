// Growth vector: dimensions of D, D + [D, D], D + [D, D] + [D, [D, D]], ... at generic points.
#include "geom/growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// [X, Y]^i = sum_j X^j dY^i/dx_j - Y^j dX^i/dx_j, exact derivatives; ranks by numbers. Only
// brackets that add a dimension are kept: [X, f Y] = f [X, Y] + X(f) Y adds nothing new to the
// others.

// the most nodes that may be worked through, all brackets together
#define MOST_NODES 400000

typedef struct field
{
  expr* X; // N
  expr* J; // N by N, d X^i / d x_j; made when first needed
} field;

typedef struct work
{
  const geom_pfaff* f;
  const geom_points* at;
  geom_growth* g;
  BASE_LIST(field) all;
  size_t nodes;                // worked through so far
  double* normal[GEOM_POINTS]; // orthonormal basis of the solid forms at each point
  int normals[GEOM_POINTS];
} work;

static expr* take(const work* w, int n)
{
  return base_arena_take(w->f->arena, sizeof(expr) * (size_t)n);
}

static void jacobian(const work* w, field* X)
{
  int N = w->f->N;
  if (X->J) return;
  X->J = take(w, N * N);
  for (int i = 0; i < N; i++) expr_gradient(w->f->pool, X->X[i], N, w->f->x, X->J + i * N);
}

static expr* bracket(const work* w, const field* X, const field* Y)
{
  expr_pool* p = w->f->pool;
  int N = w->f->N;
  expr* Z = take(w, N);
  for (int i = 0; i < N; i++) {
    expr sum = w->f->zero;
    for (int j = 0; j < N; j++) {
      sum = expr_add(p, sum, expr_mul(p, X->X[j], Y->J[i * N + j]));
      sum = expr_sub(p, sum, expr_mul(p, Y->X[j], X->J[i * N + j]));
    }
    Z[i] = geom_tidy(p, sum);
  }
  return Z;
}

// size of the terms the bracket is made of, at a point: what rounding is measured against
static double term_size(const work* w, const field* X, const field* Y, int point)
{
  int N = w->f->N;
  double* v = base_alloc(sizeof(double) * (size_t)(2 * (N + N * N)));
  double *x = v, *y = v + N, *jx = y + N, *jy = jx + N * N, size = 0;
  geom_points_eval(w->f, w->at, point, N, X->X, x);
  geom_points_eval(w->f, w->at, point, N, Y->X, y);
  geom_points_eval(w->f, w->at, point, N * N, X->J, jx);
  geom_points_eval(w->f, w->at, point, N * N, Y->J, jy);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      size = fmax(size, fabs(x[j] * jy[i * N + j]) + fabs(y[j] * jx[i * N + j]));
  free(v);
  return size;
}

// z without its parts along d orthonormal vectors: Gram-Schmidt twice; returns what is left
static double remove_span(int N, int d, const double* basis, double* z)
{
  double left = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int b = 0; b < d; b++) {
      const double* e = basis + b * N;
      double along = 0;
      for (int i = 0; i < N; i++) along += e[i] * z[i];
      for (int i = 0; i < N; i++) z[i] -= along * e[i];
    }
  for (int i = 0; i < N; i++) left += z[i] * z[i];
  return sqrt(left);
}

static void scale(int N, double* z, double by)
{
  for (int i = 0; i < N; i++) z[i] *= by;
}

// the directions no bracket can reach
static void find_normals(work* w, const bool* solid)
{
  int N = w->f->N;
  for (int point = 0; point < w->at->count; point++) {
    double* basis = base_arena_take(w->f->arena, sizeof(double) * (size_t)(N * N + 1));
    w->normal[point] = basis;
    for (int k = 0; k < w->f->count && w->normals[point] < N; k++) {
      if (!solid[k]) continue;
      double *z = basis + w->normals[point] * N, size = 0;
      geom_points_eval(w->f, w->at, point, N, w->f->w + k * N, z);
      for (int i = 0; i < N; i++) size = fmax(size, fabs(z[i]));
      if (size == 0) continue;
      scale(N, z, 1 / size);
      double left = remove_span(N, w->normals[point], basis, z);
      if (left <= 1e-9) continue;
      scale(N, z, 1 / left);
      w->normals[point]++;
    }
  }
}

// the dimension that cannot be passed
static int most(const work* w)
{
  int least = w->f->N;
  for (int point = 0; point < w->at->count; point++)
    if (w->normals[point] < least) least = w->normals[point];
  return w->f->N - least;
}

// take z into the basis at a point if it leaves the span by more than rounding of `size`
static bool extend(work* w, int point, const expr* Z, double size)
{
  int N = w->f->N, d = w->g->dim[point];
  if (d == N - w->normals[point]) return false;
  double* z = w->g->closure[point] + d * N;
  geom_points_eval(w->f, w->at, point, N, Z, z);
  double whole = 0;
  for (int i = 0; i < N; i++) whole = fmax(whole, fabs(z[i]));
  if (!isfinite(whole) || whole == 0) return false;
  remove_span(N, w->normals[point], w->normal[point], z);
  double left = remove_span(N, d, w->g->closure[point], z);
  if (!(left > 1e-9 * fmax(size, whole))) return false;
  scale(N, z, 1 / left);
  w->g->dim[point]++;
  return true;
}

// the dimension most points agree on: one unlucky point, near a vanishing pivot, decides nothing
static int dimension(const work* w)
{
  int best = 0;
  for (int i = 0; i < w->at->count; i++) {
    int reached = 0;
    for (int j = 0; j < w->at->count; j++) reached += w->g->dim[j] >= w->g->dim[i];
    if (2 * reached > w->at->count && w->g->dim[i] > best) best = w->g->dim[i];
  }
  return best;
}

static bool affordable(work* w, const field* X, const field* Y)
{
  int N = w->f->N;
  w->nodes += expr_size(w->f->pool, N * N, X->J) + expr_size(w->f->pool, N * N, Y->J);
  return w->nodes < MOST_NODES && !expr_pool_full(w->f->pool);
}

// brackets of D with the fields from..to, kept where they are new; false where the work is too much
static bool next_level(work* w, int D, int from, int to)
{
  for (int i = 0; i < D; i++)
    for (int j = from; j < to; j++) {
      if (j <= i) continue;
      jacobian(w, &w->all.at[i]);
      jacobian(w, &w->all.at[j]);
      if (!affordable(w, &w->all.at[i], &w->all.at[j])) return false;
      field new = {.X = bracket(w, &w->all.at[i], &w->all.at[j])};
      int added = 0;
      for (int point = 0; point < w->at->count; point++) {
        double size = term_size(w, &w->all.at[i], &w->all.at[j], point);
        added += extend(w, point, new.X, size);
      }
      if (2 * added > w->at->count) base_push(&w->all, new);
      if (dimension(w) == most(w)) return true;
    }
  return true;
}

geom_growth geom_growth_find(const geom_pfaff* f, const geom_fields* D, const geom_points* at,
                             const bool* solid)
{
  int N = f->N;
  geom_growth g = {.whole = true};
  g.dimension = base_arena_take(f->arena, sizeof(int) * (size_t)(N + 1));
  for (int i = 0; i < at->count; i++)
    g.closure[i] = base_arena_take(f->arena, sizeof(double) * (size_t)(N * N + 1));
  work w = {.f = f, .at = at, .g = &g};
  find_normals(&w, solid);
  for (int i = 0; i < D->count; i++) {
    base_push(&w.all, (field){.X = D->X + i * N});
    for (int point = 0; point < at->count; point++) extend(&w, point, D->X + i * N, 0);
  }
  g.dimension[g.length++] = dimension(&w);
  int from = 0;
  while (dimension(&w) < most(&w) && g.length <= N) {
    int to = w.all.n;
    g.whole = next_level(&w, D->count, from, to);
    if (!g.whole || dimension(&w) == g.dimension[g.length - 1]) break;
    g.dimension[g.length++] = dimension(&w);
    from = to;
  }
  free(w.all.at);
  return g;
}
