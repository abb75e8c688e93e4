// The splitting of a space into factors.
//
// A simply connected complete space is the product of a flat one and of others that do not split
// further (de Rham 1952); so is every space locally. Each factor that is not flat has exactly one
// parallel symmetric tensor, its part of the metric, a flat one of dimension m has m (m + 1)/2, and
// there are no others. They are the solutions of
//   d_c K_ab - Gamma^m_ca K_mb - Gamma^m_cb K_am = 0,
// found as power series near a random point and counted as integrals of motion are (jets.h). At the
// point they are symmetric matrices with common eigenspaces, the factors.
#include "geom/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom/jets.h"
#include "num/num.h"

enum { LEAST_DEGREE = 3, MOST_DEGREE = 7, MOST_MONOMIALS = 800 };
static const double near = 1e-6;   // eigenvalues of one eigenspace; curvatures that are the same
static const double inside = 1e-7; // a direction that lies within a factor

static int pair(int n, int a, int b)
{
  if (a > b) return pair(n, b, a);
  return a * n - a * (a - 1) / 2 + b - a;
}

static void add(geom_pde* p, int equation, int f, int i, double factor, const double* c)
{
  double* to = geom_pde_at(p, equation, f, i);
  for (int k = 0; k < p->t->count; k++) to[k] += factor * c[k];
}

static geom_pde parallel(const geom_metric_series* x)
{
  const int n = x->n, pairs = n * (n + 1) / 2, N = x->t.count;
  geom_pde p = geom_pde_make(&x->t, pairs, pairs * n);
  double* one = base_alloc(sizeof(double) * (size_t)N);
  one[0] = 1;
  for (int a = 0; a < n; a++)
    for (int b = a; b < n; b++)
      for (int c = 0; c < n; c++) {
        const int at = pair(n, a, b) * n + c;
        add(&p, at, pair(n, a, b), c, 1, one);
        for (int m = 0; m < n; m++) {
          add(&p, at, pair(n, m, b), -1, -1, x->Gamma + ((m * n + c) * n + a) * N);
          add(&p, at, pair(n, a, m), -1, -1, x->Gamma + ((m * n + c) * n + b) * N);
        }
      }
  free(one);
  return p;
}

// ---- at the point -------------------------------------------------------------------------------

// one mixture of all parallel tensors at the point: its eigenvectors as rows of W, in the order of
// its eigenvalues
static void mix(int n, const geom_jets* j, int count, double* W, double* value)
{
  double *S = base_alloc(sizeof(double) * (size_t)(2 * n * n + 2 * n)), *V = S + n * n,
         *sigma = V + n * n, shift = 0;
  int* order = base_alloc(sizeof(int) * (size_t)(n + 1));
  for (int k = 0; k < j->size; k++) {
    const double weight = cos(1.0 + 2.399963 * k); // no two alike
    for (int a = 0; a < n; a++)
      for (int b = 0; b < n; b++)
        S[a * n + b] +=
            weight * j->P[(size_t)(pair(n, a, b) * count) * (size_t)j->size + (size_t)k];
  }
  for (int a = 0; a < n * n; a++) shift += fabs(S[a]);
  for (int a = 0; a < n; a++) S[a * n + a] += 2 * shift;
  num_singular(n, n, S, V, sigma);
  for (int a = 0; a < n; a++) order[a] = a;
  for (int a = 0; a < n; a++)
    for (int b = a + 1; b < n; b++)
      if (sigma[order[b]] < sigma[order[a]]) {
        const int c = order[a];
        order[a] = order[b];
        order[b] = c;
      }
  for (int a = 0; a < n; a++) {
    memcpy(W + a * n, V + order[a] * n, sizeof(double) * (size_t)n);
    value[a] = (sigma[order[a]] - 2 * shift) / shift;
  }
  free(S);
  free(order);
}

typedef struct part
{
  int dimension;
  double* e; // dimension by n
  double mean, uneven, size;
} part;

// mean sectional curvature of a part, and how far from it its own curvatures are
static void bend(int n, const double* R, part* p)
{
  const int d = p->dimension;
  double* own = base_alloc(sizeof(double) * (size_t)(d * d * d * d));
  for (int i = 0; i < d * d * d * d; i++) {
    const double *a = p->e + i / (d * d * d) * n, *b = p->e + i / (d * d) % d * n,
                 *c = p->e + i / d % d * n, *e = p->e + i % d * n;
    for (int k = 0; k < n * n * n * n; k++)
      if (R[k] != 0)
        own[i] += R[k] * a[k / (n * n * n)] * b[k / (n * n) % n] * c[k / n % n] * e[k % n];
  }
#define OWN(A, B, C, D) own[(((A)*d + (B)) * d + (C)) * d + (D)]
  p->mean = p->uneven = 0;
  for (int a = 0; a < d; a++)
    for (int b = a + 1; b < d; b++) p->mean += 2 * OWN(a, b, a, b) / (d * (d - 1));
  for (int a = 0; a < d; a++)
    for (int b = 0; b < d; b++)
      for (int c = 0; c < d; c++)
        for (int e = 0; e < d; e++)
          p->uneven = fmax(p->uneven, fabs(OWN(a, b, c, e) -
                                           p->mean * ((a == c && b == e) - (a == e && b == c))));
#undef OWN
  free(own);
}

// Eigenspaces: lines together are the flat factor, which stands first.
static int divide(const geom_metric_series* x, const geom_jets* j, base_arena* arena, part* out)
{
  const int n = x->n;
  double *W = geom_take(arena, n * n + n, sizeof(double)), *value = W + n * n;
  mix(n, j, x->t.count, W, value);
  int parts = 1;
  out[0] = (part){.e = geom_take(arena, n * n, sizeof(double))};
  for (int a = 0; a < n;) {
    int b = a + 1;
    while (b < n && value[b] - value[a] < near) b++;
    part* p = b - a == 1 ? &out[0] : &out[parts++];
    if (p != out) *p = (part){.e = geom_take(arena, n * n, sizeof(double))};
    memcpy(p->e + p->dimension * n, W + a * n, sizeof(double) * (size_t)((b - a) * n));
    p->dimension += b - a;
    a = b;
  }
  double* R = geom_take(arena, n * n * n * n, sizeof(double));
  const double size = geom_metric_series_riemann(x, R);
  for (int i = 1; i < parts; i++) {
    bend(n, R, &out[i]);
    out[i].size = size;
  }
  return parts;
}

// ---- the report ---------------------------------------------------------------------------------

// coordinates whose directions lie within the part: where the space has no constraints
static void name_coordinates(const geom_metric_series* x, const part* p, base_arena* arena,
                             geom_space_factor* f)
{
  const int n = x->n;
  f->coord = geom_take(arena, n, sizeof(int));
  if (x->coords != n) return;
  double *E = base_alloc(sizeof(double) * (size_t)(n * n + n)), *xi = E + n * n;
  int* pivot = base_alloc(sizeof(int) * (size_t)(n + 1));
  memcpy(E, x->E, sizeof(double) * (size_t)(n * n));
  const bool fine = num_lu(n, E, pivot);
  for (int i = 0; i < n && fine; i++) {
    for (int k = 0; k < n; k++) xi[k] = k == i;
    num_lu_solve(n, E, pivot, xi);
    double whole = 0, share = 0;
    for (int k = 0; k < n; k++) whole += xi[k] * xi[k];
    for (int a = 0; a < p->dimension; a++) {
      double c = 0;
      for (int k = 0; k < n; k++) c += p->e[a * n + k] * xi[k];
      share += c * c;
    }
    if (whole - share <= inside * inside * whole) f->coord[f->coords++] = i;
  }
  if (f->coords != p->dimension) f->coords = 0;
  free(E);
  free(pivot);
}

static int degree_for(int n)
{
  int degree = LEAST_DEGREE;
  double count = 1;
  for (int k = 1; k <= MOST_DEGREE; k++) {
    count = count * (n + k) / k;
    if (k > LEAST_DEGREE && count <= MOST_MONOMIALS) degree = k;
  }
  return degree;
}

typedef struct splitting
{
  base_arena* arena;
  geom_metric_series x;
  geom_jets j;
  part* part;
  int parts; // the flat one first, of dimension 0 where there is none
} splitting;

static bool split(const geom_space* s, int n, int number, splitting* w)
{
  w->arena = base_arena_new();
  if (!geom_metric_series_make(s, degree_for(n), number, w->arena, &w->x)) return false;
  const geom_pde p = parallel(&w->x);
  w->j = geom_pde_solve(&p, w->arena);
  if (w->j.broken_off) return true;
  w->part = geom_take(w->arena, n + 1, sizeof *w->part);
  w->parts = divide(&w->x, &w->j, w->arena, w->part);
  return true;
}

// of curvatures of the same part near another point
static expr_truth is_constant(const part* p, const splitting* other)
{
  if (p->uneven > near * p->size) return EXPR_NO;
  for (int i = 1; i < other->parts; i++)
    if (other->part[i].dimension == p->dimension &&
        fabs(other->part[i].mean - p->mean) <= near * fabs(p->mean))
      return EXPR_YES;
  return EXPR_NO;
}

static bool comes_before(const geom_space_factor* a, const geom_space_factor* b)
{
  if (a->coords && b->coords) return a->coord[0] < b->coord[0];
  return a->coords ? true : !b->coords && a->dimension < b->dimension;
}

static void report(geom_shape* r, const splitting* a, const splitting* b)
{
  const int m = a->part[0].dimension, others = a->parts - 1;
  r->factor = geom_take(r->arena, a->parts, sizeof *r->factor);
  for (int i = m ? 0 : 1; i < a->parts; i++) {
    const part* p = &a->part[i];
    geom_space_factor* f = &r->factor[r->factors++];
    *f = (geom_space_factor){.dimension = p->dimension, .constant = EXPR_YES};
    if (i) {
      f->constant = is_constant(p, b);
      f->curvature =
          f->constant == EXPR_YES ? p->mean : p->mean * p->dimension * (p->dimension - 1);
    }
    name_coordinates(&a->x, p, r->arena, f);
  }
  // the count has to be that of these factors, near both points
  const bool fits = a->j.dimension == others + m * (m + 1) / 2 &&
                    b->j.dimension == a->j.dimension && b->parts == a->parts;
  r->parallel.sure = r->parallel.sure && fits;
  r->splits = !r->parallel.sure ? EXPR_UNKNOWN : m + others > 1 ? EXPR_YES : EXPR_NO;
  // a flat one first, then those with coordinates in their order
  for (int i = m ? 1 : 0; i < r->factors; i++)
    for (int k = i + 1; k < r->factors; k++)
      if (comes_before(&r->factor[k], &r->factor[i])) {
        const geom_space_factor f = r->factor[i];
        r->factor[i] = r->factor[k];
        r->factor[k] = f;
      }
}

void geom_factors_find(geom_shape* r, const geom_space* s)
{
  splitting a = {0}, b = {0};
  r->splits = EXPR_UNKNOWN;
  r->parallel.dimension = -1;
  if (split(s, r->n, 1, &a) && split(s, r->n, 2, &b) && a.parts && b.parts) {
    r->parallel = (geom_count){.sure = a.j.settled && b.j.settled,
                               .dimension = a.j.dimension,
                               .kept = fmin(a.j.kept, b.j.kept),
                               .dropped = fmax(a.j.dropped, b.j.dropped)};
    report(r, &a, &b);
  }
  base_arena_free(a.arena);
  base_arena_free(b.arena);
}
