// What can be reached along a motion: the growth vector at each of its points, and how many
// brackets it takes to get there.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom/growth.h"

// D_1 = D, D_k+1 = D_k + [D, D_k] at the point itself. At special points brackets vanish that do
// not nearby, and longer ones take their place: all brackets are kept, up to a bound. The degree of
// nonholonomy is the k at which D_k is all that can be reached.

enum { MOST_FIELDS = 120, MOST_LEVELS = 6 };
#define MOST_NODES 20000

typedef struct field
{
  expr *X, *J; // N, N by N
} field;

typedef struct work
{
  const geom_pfaff* f;
  geom_reach* r;
  BASE_LIST(field) all;
  int points;
  double* values; // points by f->symbols
  double** rows;  // per point: the fields so far, each of length one
  int* count;
  bool* bad; // a field has no value there
} work;

static expr* take(const work* w, int n)
{
  return base_arena_take(w->f->arena, sizeof(expr) * (size_t)n);
}

static void add_field(work* w, expr* X)
{
  const int N = w->f->N;
  field new = {.X = X, .J = take(w, N * N)};
  for (int i = 0; i < N; i++) expr_gradient(w->f->pool, X[i], N, w->f->x, new.J + i* N);
  base_push(&w->all, new);
  for (int p = 0; p < w->points; p++) {
    double* row = w->rows[p] + w->count[p] * N;
    expr_values(w->f->pool, N, X, w->f->symbols, w->f->symbol, w->values + p * w->f->symbols, row);
    double size = 0;
    for (int i = 0; i < N; i++) size = hypot(size, row[i]);
    if (!isfinite(size)) w->bad[p] = true;
    if (!(size > 1e-9)) continue;
    for (int i = 0; i < N; i++) row[i] /= size;
    w->count[p]++;
  }
}

static expr* bracket(const work* w, const field* X, const field* Y)
{
  expr_pool* p = w->f->pool;
  const int N = w->f->N;
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

static bool is_nothing(const work* w, const expr* Z)
{
  for (int i = 0; i < w->f->N; i++)
    if (Z[i] != w->f->zero) return false;
  return true;
}

// the dimension reached so far at every point, as the next entry of its growth vector
static void record(work* w)
{
  const int level = w->r->levels++;
  for (int p = 0; p < w->points; p++)
    w->r->dimension[p * MOST_LEVELS + level] =
        w->bad[p] ? -1 : num_rank(w->count[p], w->f->N, w->rows[p], 1e-8);
}

static bool is_done(const work* w)
{
  for (int p = 0; p < w->points; p++)
    if (!w->bad[p] && w->r->dimension[p * MOST_LEVELS + w->r->levels - 1] < w->r->most)
      return false;
  return true;
}

// brackets of D with the last level; false where it becomes too much
static bool next_level(work* w, int D, int from, int to)
{
  for (int i = 0; i < D; i++)
    for (int j = from; j < to; j++) {
      if (from == 0 && j <= i) continue;
      const size_t nodes = expr_size(w->f->pool, w->f->N * w->f->N, w->all.at[j].J);
      if (w->all.n >= MOST_FIELDS || nodes > MOST_NODES || expr_pool_full(w->f->pool)) return false;
      expr* Z = bracket(w, &w->all.at[i], &w->all.at[j]);
      if (!is_nothing(w, Z)) add_field(w, Z);
    }
  return true;
}

static void grow(work* w, const geom_fields* D)
{
  for (int i = 0; i < D->count; i++) add_field(w, D->X + i * w->f->N);
  record(w);
  int from = 0;
  while (!is_done(w) && w->r->levels < MOST_LEVELS) {
    const int to = w->all.n;
    w->r->whole = next_level(w, D->count, from, to) && w->r->whole;
    if (w->all.n == to || !w->r->whole) break;
    record(w);
    from = to;
  }
}

static geom_fields distribution(geom_pfaff* f)
{
  int* form = base_arena_take(f->arena, sizeof(int) * (size_t)(f->count + 1));
  for (int k = 0; k < f->count; k++) form[k] = k;
  geom_points at = {.count = 1, .values = f->value};
  return geom_kernel(f, f->w, f->count, form, &at);
}

geom_reach* geom_reach_make(const model* m, const geom_report* report, int symbols,
                            const expr* symbol, int points, const double* values)
{
  base_arena* arena = base_arena_new();
  geom_reach* r = base_arena_take(arena, sizeof *r);
  r->arena = arena;
  r->points = points;
  r->most = report->growth_length ? report->growth[report->growth_length - 1] : 0;
  r->whole = true;
  r->stride = MOST_LEVELS;
  r->dimension = base_arena_take(arena, sizeof(int) * (size_t)(points * MOST_LEVELS + 1));
  bool* use = base_arena_take(arena, sizeof(bool) * (size_t)(m->constraints + 1));
  for (int k = 0; k < m->constraints; k++) use[k] = model_constraint_starts(m, k);
  geom_pfaff f = geom_pfaff_make(m, use, arena, symbols, symbol, values);
  work w = {.f = &f, .r = r, .points = points};
  w.values = base_arena_take(arena, sizeof(double) * (size_t)(points * f.symbols + 1));
  w.rows = base_arena_take(arena, sizeof(double*) * (size_t)(points + 1));
  w.count = base_arena_take(arena, sizeof(int) * (size_t)(points + 1));
  w.bad = base_arena_take(arena, sizeof(bool) * (size_t)(points + 1));
  for (int p = 0; p < points; p++) {
    memcpy(w.values + p * f.symbols, values + p * symbols, sizeof(double) * (size_t)symbols);
    w.rows[p] = base_arena_take(arena, sizeof(double) * (size_t)((MOST_FIELDS + f.N) * f.N));
  }
  const geom_fields D = distribution(&f);
  if (D.count > 0 && D.count < MOST_FIELDS) grow(&w, &D);
  base_list_free(&w.all);
  return r;
}

int geom_reach_degree(const geom_reach* r, int point)
{
  for (int k = 0; k < r->levels; k++)
    if (r->dimension[point * r->stride + k] >= r->most) return k + 1;
  return 0;
}

void geom_reach_free(geom_reach* r)
{
  if (r) base_arena_free(r->arena);
}
