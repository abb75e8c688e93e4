// What can be reached along a motion: the growth vector at each of its points, and how many
// brackets it takes to get there.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom/taylor.h"

// D_1 = D, D_k+1 = D_k + [D, D_k] at the point itself, where brackets may vanish that do not
// nearby. The fields are polynomials about the point: a bracket of k fields at the point needs them
// to degree k - 1, and is exact but for rounding. What rounding is, is told by a majorant: the same
// brackets of the sizes of all coefficients. D_k is spanned by the brackets [X_1, [X_2, ... X_k]].
// The degree of nonholonomy is the k at which D_k is all that can be reached.

enum { MOST_LEVELS = 14, MOST_DOUBLES = 20000000 };
static const double MOST_WORK = 2e9; // products of coefficients, all points together
static const double rounding = 1e-11;

typedef struct work
{
  const geom_pfaff* f;
  geom_reach* r;
  geom_taylor t;
  int active, *variable; // coordinates that the forms hold
  int D;                 // fields at first
  double left;           // of the work
  double* X;             // a field is N polynomials, then N majorants
} work;

// coefficients of polynomials of degree d, and doubles of a field of them
static int stride(const work* w, int d)
{
  return w->t.first[d + 1];
}

static size_t field_size(const work* w, int d)
{
  return (size_t)(2 * w->f->N) * (size_t)stride(w, d);
}

// ---- the distribution at a point ----------------------------------------------------------------

static void subtract_times(const work* w, const double* factor, const double* from, double* to)
{
  const geom_taylor* t = &w->t;
  double* minus = base_alloc(sizeof(double) * (size_t)t->count);
  for (int k = 0; k < t->count; k++) minus[k] = -factor[k];
  geom_taylor_multiply(t, t->degree, minus, from, to);
  free(minus);
}

// the pivot row by its pivot, then the column out of all other rows
static bool eliminate(const work* w, double* A, int row, int column)
{
  const geom_taylor* t = &w->t;
  const int N = w->f->N, rows = w->f->count, c = t->count;
  double *inverse = base_alloc(sizeof(double) * (size_t)(2 * c)), *factor = inverse + c;
  double* lead = A + (row * N) * c;
  const bool fine = geom_taylor_power(t, lead + column * c, -1, inverse);
  for (int j = 0; j < N && fine; j++) {
    memcpy(factor, lead + j * c, sizeof(double) * (size_t)c);
    memset(lead + j * c, 0, sizeof(double) * (size_t)c);
    geom_taylor_multiply(t, t->degree, inverse, factor, lead + j * c);
  }
  for (int i = 0; i < rows && fine; i++) {
    if (i == row) continue;
    memcpy(factor, A + (i * N + column) * c, sizeof(double) * (size_t)c);
    for (int j = 0; j < N; j++) subtract_times(w, factor, lead + j * c, A + (i * N + j) * c);
  }
  free(inverse);
  return fine;
}

static bool find_pivot(const work* w, const double* A, const bool* used, const double* scale,
                       int* row, int* column)
{
  const int N = w->f->N;
  double best = 1e-9;
  for (int i = 0; i < w->f->count; i++)
    for (int j = 0; j < N && !used[i]; j++) {
      const double worth = fabs(A[(size_t)(i * N + j) * (size_t)w->t.count]) / scale[i];
      if (scale[i] > 0 && worth > best) best = worth, *row = i, *column = j;
    }
  return best > 1e-9;
}

// Behind a field the sizes of its coefficients. What cancels, as cos(pi/2), is known to rounding of
// what it is made of: a small part of the largest coefficient is added to all.
static void add_majorants(const work* w, double* X)
{
  const int N = w->f->N, c = w->t.count;
  double most = 0;
  for (int i = 0; i < N * c; i++) most = fmax(most, fabs(X[i]));
  for (int i = 0; i < N * c; i++) X[N * c + i] = fabs(X[i]) + 1e-4 * most;
}

// fields that span the kernel of the forms, into w->X; false where a form has no value
static bool find_fields(work* w, const double* values)
{
  const int N = w->f->N, rows = w->f->count, c = w->t.count;
  double* A = base_arena_take(w->t.arena, sizeof(double) * ((size_t)(rows * N) * (size_t)c + 1));
  if (!geom_taylor_expand(&w->t, w->f, w->variable, values, rows * N, w->f->w, A)) return false;
  bool *used = base_alloc((size_t)(rows + N + 1)), *bound = used + rows, fine = true;
  int* pivot = base_alloc(sizeof(int) * (size_t)(N + 1));
  double* scale = base_alloc(sizeof(double) * (size_t)(rows + 1));
  for (int i = 0; i < rows * N; i++)
    scale[i / N] = fmax(scale[i / N], fabs(A[(size_t)i * (size_t)c]));
  int row, column, rank = 0;
  while (fine && find_pivot(w, A, used, scale, &row, &column)) {
    fine = eliminate(w, A, row, column);
    used[row] = bound[column] = true;
    pivot[column] = row;
    rank++;
  }
  w->D = N - rank;
  w->X =
      base_arena_take(w->t.arena, sizeof(double) * (field_size(w, w->t.degree) * (size_t)w->D + 1));
  for (int j = 0, k = 0; j < N && fine; j++) {
    if (bound[j]) continue;
    double* X = w->X + field_size(w, w->t.degree) * (size_t)k++;
    for (int i = 0; i < N; i++) {
      const double* from =
          A + ((size_t)(bound[i] ? pivot[i] : 0) * (size_t)N + (size_t)j) * (size_t)c;
      for (int h = 0; h < c; h++) X[i * c + h] = bound[i] ? -from[h] : h == 0 && i == j;
    }
    add_majorants(w, X);
  }
  free(scale);
  free(pivot);
  free(used);
  return fine;
}

// ---- brackets -----------------------------------------------------------------------------------

// [X, Y] up to degree d into Z; Y is known to d + 1, X to all. Of the majorants all terms are
// added.
static void bracket(const work* w, int d, const double* X, const double* Y, double* Z)
{
  const geom_taylor* t = &w->t;
  const int N = w->f->N, cx = t->count, cy = stride(w, d + 1), cz = stride(w, d);
  double *slope = base_alloc(sizeof(double) * (size_t)(2 * cz)), *minus = slope + cz;
  for (int half = 0; half < 2; half++)
    for (int i = 0; i < N; i++) {
      double* to = Z + (half * N + i) * cz;
      for (int j = 0; j < w->active; j++) {
        const int at = half * N + w->variable[j];
        geom_taylor_diff(t, d, Y + (half * N + i) * cy, j, slope);
        geom_taylor_multiply(t, d, X + at * cx, slope, to);
        geom_taylor_diff(t, d, X + (half * N + i) * cx, j, slope);
        for (int k = 0; k < cz; k++) minus[k] = half ? slope[k] : -slope[k];
        geom_taylor_multiply(t, d, Y + at * cy, minus, to);
      }
    }
  free(slope);
}

typedef struct span
{
  int N, count;
  double* basis; // orthonormal rows
} span;

// take the value of a field at the point in, where it leaves the span by more than rounding
static void extend(span* s, int c, const double* Z)
{
  const int N = s->N;
  double *z = s->basis + s->count * N, left = 0, size = 0;
  if (s->count == N) return;
  for (int i = 0; i < N; i++) {
    z[i] = Z[i * c];
    size = fmax(size, Z[(N + i) * c]);
  }
  for (int turn = 0; turn < 2; turn++)
    for (int b = 0; b < s->count; b++) {
      double along = 0;
      for (int i = 0; i < N; i++) along += s->basis[b * N + i] * z[i];
      for (int i = 0; i < N; i++) z[i] -= along * s->basis[b * N + i];
    }
  for (int i = 0; i < N; i++) left = hypot(left, z[i]);
  if (!(left > rounding * size)) return;
  for (int i = 0; i < N; i++) z[i] /= left;
  s->count++;
}

// products that the brackets of all levels up to `levels` take
static double cost(const work* w, int levels)
{
  double sum = 0, fields = 1;
  for (int k = 2; k <= levels; k++) {
    fields *= w->D;
    double pairs = 1;
    for (int j = 1; j <= levels - k; j++) pairs *= (2.0 * w->active + j) / j;
    sum += fields * pairs * 4 * w->f->N * w->active;
  }
  return sum;
}

// the growth vector at a point with brackets of up to `levels` fields; false where it has no value
// or is too much
static bool grow(work* w, const double* values, int levels, int* dimension)
{
  if (!geom_taylor_make(w->active, levels - 1, w->t.arena, &w->t)) return false;
  if (!find_fields(w, values)) return false;
  const double needed = cost(w, levels);
  if (needed > w->left) return false;
  w->left -= needed;
  const int N = w->f->N;
  span s = {.N = N, .basis = base_alloc(sizeof(double) * (size_t)((N + 1) * N))};
  double *last = w->X, *own = NULL;
  int count = w->D;
  for (int k = 0; k < count; k++)
    extend(&s, w->t.count, last + field_size(w, levels - 1) * (size_t)k);
  dimension[0] = s.count;
  for (int level = 1; level < levels && s.count < w->r->most; level++) {
    const int d = levels - 1 - level;
    if (field_size(w, d) * (size_t)(w->D * count) > MOST_DOUBLES) break;
    double* next = base_alloc(sizeof(double) * (field_size(w, d) * (size_t)(w->D * count) + 1));
    int made = 0;
    for (int i = 0; i < w->D; i++)
      for (int j = 0; j < count; j++) {
        if (level == 1 && j <= i) continue;
        double* Z = next + field_size(w, d) * (size_t)made++;
        bracket(w, d, w->X + field_size(w, levels - 1) * (size_t)i,
                last + field_size(w, d + 1) * (size_t)j, Z);
        extend(&s, stride(w, d), Z);
      }
    dimension[level] = s.count;
    free(own);
    last = own = next;
    count = made;
  }
  free(own);
  free(s.basis);
  return true;
}

// with more and more levels, until all that can be reached is, or it becomes too much
static void look(work* w, const double* values, int* dimension, int* known)
{
  *known = 0;
  dimension[0] = -1;
  for (int levels = w->r->usual; levels <= MOST_LEVELS; levels++) {
    int now[MOST_LEVELS] = {0};
    w->t.arena = base_arena_new();
    const bool fine = grow(w, values, levels, now);
    base_arena_free(w->t.arena);
    if (!fine) break;
    *known = 0;
    while (*known < levels && now[*known]) {
      dimension[*known] = now[*known];
      if (now[(*known)++] >= w->r->most) return;
    }
  }
  w->r->whole = false;
}

// coordinates that the forms hold
static void find_active(work* w)
{
  const geom_pfaff* f = w->f;
  w->variable = base_arena_take(f->arena, sizeof(int) * (size_t)(f->N + 1));
  for (int j = 0; j < f->N; j++) {
    bool holds = false;
    for (int k = 0; k < f->count * f->N && !holds; k++) holds = expr_has(f->pool, f->w[k], f->x[j]);
    if (holds) w->variable[w->active++] = j;
  }
}

// the first point at which the coordinates that the forms hold have the values that they have at p
static int known_point(const work* w, int p, int symbols, const double* values)
{
  for (int before = 0; before < p; before++) {
    bool same = true;
    for (int i = 0; i < symbols && same; i++)
      for (int j = 0; j < w->active; j++)
        if (w->f->symbol[i] == w->f->x[w->variable[j]])
          same = same && values[before * symbols + i] == values[p * symbols + i];
    if (same) return before;
  }
  return p;
}

geom_reach* geom_reach_make(const model* m, const geom_report* report, int symbols,
                            const expr* symbol, int points, const double* values)
{
  base_arena* arena = base_arena_new();
  geom_reach* r = base_arena_take(arena, sizeof *r);
  r->arena = arena;
  r->points = points;
  r->most = report->growth_length ? report->growth[report->growth_length - 1] : 0;
  r->usual = report->growth_length > 1 ? report->growth_length : 1;
  if (r->usual > MOST_LEVELS) r->usual = MOST_LEVELS;
  r->whole = true;
  r->stride = MOST_LEVELS;
  r->dimension = base_arena_take(arena, sizeof(int) * (size_t)(points * MOST_LEVELS + 1));
  r->known = base_arena_take(arena, sizeof(int) * (size_t)(points + 1));
  bool* use = base_arena_take(arena, sizeof(bool) * (size_t)(m->constraints + 1));
  for (int k = 0; k < m->constraints; k++)
    use[k] = model_constraint_starts(m, k) && model_constraint_binds(m, k);
  geom_pfaff f = geom_pfaff_make(m, use, arena, symbols, symbol, values);
  work w = {.f = &f, .r = r, .left = MOST_WORK};
  find_active(&w);
  double* at = base_arena_take(arena, sizeof(double) * (size_t)(f.symbols + 1));
  for (int p = 0; p < points; p++) {
    const int before = known_point(&w, p, symbols, values);
    int* dimension = r->dimension + p * MOST_LEVELS;
    if (before < p) {
      memcpy(dimension, r->dimension + before * MOST_LEVELS, sizeof(int) * MOST_LEVELS);
      r->known[p] = r->known[before];
      continue;
    }
    memcpy(at, values + p * symbols, sizeof(double) * (size_t)symbols);
    look(&w, at, dimension, &r->known[p]);
  }
  return r;
}

int geom_reach_degree(const geom_reach* r, int point)
{
  for (int k = 0; k < r->known[point]; k++)
    if (r->dimension[point * r->stride + k] >= r->most) return k + 1;
  return 0;
}

void geom_reach_free(geom_reach* r)
{
  if (r) base_arena_free(r->arena);
}
