// A metric as power series about a point, on the surface of its constraints.
#include "geom/metric_series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/num.h"

enum { PROBE = 4 };              // degree at which the radius is judged
static const double share = 0.6; // of the radius of convergence
static const double fade[] = {0.3, 0.1, 0.03};

// the same points on every machine
static double uniform(uint64_t* seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

static double* series(const geom_metric_series* x, int count)
{
  return geom_take(x->arena, count * x->t.count, sizeof(double));
}

// ---- the point ----------------------------------------------------------------------------------

typedef struct spot
{
  const geom_space* s;
  base_arena* arena;
  geom_place* p;
  double *g, *df; // at the point; rows of the constraints that count first
} spot;

static double inner(const spot* w, const double* X, const double* Y)
{
  const int n = w->s->n;
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) sum += w->g[i * n + j] * X[i] * Y[j];
  return sum;
}

// gradients by gradients, factored; false where they depend on each other
static bool gram(const spot* w, double* S, int* pivot)
{
  const int n = w->s->n, r = w->p->rank;
  for (int a = 0; a < r; a++)
    for (int b = 0; b < r; b++)
      for (int i = 0; i < n; i++) S[a * r + b] += w->df[a * n + i] * w->df[b * n + i];
  return r == 0 || num_lu(r, S, pivot);
}

// X without its parts across the constraints and along `count` vectors e; c: room
static void clear(const spot* w, const double* S, const int* pivot, int count, const double* e,
                  double* c, double* X)
{
  const int n = w->s->n, r = w->p->rank;
  for (int a = 0; a < r; a++) {
    c[a] = 0;
    for (int i = 0; i < n; i++) c[a] += w->df[a * n + i] * X[i];
  }
  if (r) num_lu_solve(r, S, pivot, c);
  for (int a = 0; a < r; a++)
    for (int i = 0; i < n; i++) X[i] -= c[a] * w->df[a * n + i];
  for (int k = 0; k < count; k++) {
    const double part = inner(w, X, e + k * n);
    for (int i = 0; i < n; i++) X[i] -= part * e[k * n + i];
  }
}

// E: columns along the constraints, orthonormal in g, from the directions of the coordinates
static bool make_frame(const spot* w, double* E)
{
  const int n = w->s->n, d = w->p->n, r = w->p->rank;
  double* e = base_alloc(sizeof(double) * (size_t)(n * (d + 1)));
  double *S = base_alloc(sizeof(double) * (size_t)(r * r + r + 1)), *c = S + r * r;
  int* pivot = base_alloc(sizeof(int) * (size_t)(r + 1));
  const bool fine = gram(w, S, pivot);
  int found = 0;
  for (int tried = 0; tried < n && found < d && fine; tried++) {
    double* X = e + found * n;
    memset(X, 0, sizeof(double) * (size_t)n);
    X[tried] = 1;
    for (int round = 0; round < 2; round++) clear(w, S, pivot, found, e, c, X);
    const double left = sqrt(inner(w, X, X));
    if (!(left > 1e-5 * sqrt(w->g[tried * n + tried]))) continue;
    for (int i = 0; i < n; i++) X[i] /= left;
    found++;
  }
  for (int k = 0; k < d; k++)
    for (int i = 0; i < n; i++) E[i * d + k] = e[k * n + i];
  free(e);
  free(S);
  free(pivot);
  return fine && found == d;
}

static bool find_spot(spot* w, const double* q)
{
  const geom_space* s = w->s;
  const int n = s->n, m = s->rest;
  w->p = geom_place_make(s, q);
  if (!w->p || !w->p->at->regular) return false;
  geom_jet j = geom_jet_take(w->arena, n);
  double* f = geom_take(w->arena, m * (1 + n + n * n), sizeof(double));
  if (!geom_space_jets(s, w->p->q, w->arena, &j, f, f + m, f + m + m * n)) return false;
  w->g = j.g;
  w->df = geom_take(w->arena, w->p->rank * n, sizeof(double));
  for (int a = 0; a < w->p->rank; a++)
    memcpy(w->df + a * n, f + m + w->p->row[a] * n, sizeof(double) * (size_t)n);
  return true;
}

// ---- series -------------------------------------------------------------------------------------

// q = q0 + E xi + (gradients) eta(xi), eta degree by degree from the constraints
static bool place(geom_metric_series* x, const spot* w, const double** along, double* q)
{
  const geom_space* s = w->s;
  const geom_taylor* t = &x->t;
  const int n = s->n, d = x->n, r = w->p->rank, N = t->count;
  for (int i = 0; i < n; i++) {
    q[i * N] = x->q[i];
    for (int a = 0; a < d; a++) q[i * N + t->up[a]] = x->E[i * d + a];
  }
  if (!r) return true;
  double *S = base_alloc(sizeof(double) * (size_t)(r * r + r + 1)), *eta = S + r * r;
  double* f = base_alloc(sizeof(double) * (size_t)(r * N + 1));
  int* pivot = base_alloc(sizeof(int) * (size_t)(r + 1));
  expr* e = base_alloc(sizeof(expr) * (size_t)(r + 1));
  for (int a = 0; a < r; a++) e[a] = s->rest_f[w->p->row[a]];
  bool fine = gram(w, S, pivot);
  for (int round = 0; round <= t->degree && fine; round++) {
    fine = geom_taylor_expand_along(t, s->pool, s->symbols, s->symbol, x->values, along, r, e, f);
    for (int m = 1; m < N && fine; m++) {
      for (int a = 0; a < r; a++) eta[a] = f[a * N + m];
      num_lu_solve(r, S, pivot, eta);
      for (int i = 0; i < n; i++)
        for (int a = 0; a < r; a++) q[i * N + m] -= w->df[a * n + i] * eta[a];
    }
  }
  free(S);
  free(f);
  free(pivot);
  free(e);
  return fine;
}

// g = (dq/dxi)^T g(q) (dq/dxi)
static bool measure(geom_metric_series* x, const spot* w)
{
  const geom_space* s = w->s;
  const geom_taylor* t = &x->t;
  const int n = s->n, d = x->n, N = t->count;
  const double** along = geom_take(x->arena, s->symbols, sizeof *along);
  double *q = series(x, n), *J = series(x, n * d), *G = series(x, n * n), *GJ = series(x, n * d);
  x->values = geom_space_values(s, x->q, x->arena);
  for (int i = 0; i < s->symbols; i++)
    for (int k = 0; k < n; k++)
      if (s->symbol[i] == s->q[k]) along[i] = q + k * N;
  if (!place(x, w, along, q)) return false;
  if (!geom_taylor_expand_along(t, s->pool, s->symbols, s->symbol, x->values, along, n * n, s->g,
                                G))
    return false;
  for (int i = 0; i < n; i++)
    for (int a = 0; a < d; a++) geom_taylor_diff(t, t->degree, q + i * N, a, J + (i * d + a) * N);
  x->g = series(x, d * d);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int a = 0; a < d; a++)
        geom_taylor_multiply(t, t->degree, J + (k * d + a) * N, G + (i * n + k) * N,
                             GJ + (i * d + a) * N);
  for (int a = 0; a < d; a++)
    for (int b = 0; b < d; b++)
      for (int i = 0; i < n; i++)
        geom_taylor_multiply(t, t->degree, J + (i * d + a) * N, GJ + (i * d + b) * N,
                             x->g + (a * d + b) * N);
  for (int i = 0; i < d * d * N; i++) x->g[i] /= x->unit * x->unit;
  for (int i = 0; i < d * d * N; i++)
    if (!isfinite(x->g[i])) return false;
  return true;
}

// Gamma^k_ij from g_km Gamma^k_ij = (d_i g_jm + d_j g_im - d_m g_ij)/2
static bool connect(geom_metric_series* x)
{
  const geom_taylor* t = &x->t;
  const int n = x->n, N = t->count;
  double *first = series(x, n * n * n), *d = series(x, 1);
  x->Gamma = series(x, n * n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
        geom_taylor_diff(t, t->degree, x->g + (i * n + j) * N, k, d);
        for (int m = 0; m < N; m++) {
          first[((i * n + j) * n + k) * N + m] += d[m] / 2;
          first[((i * n + k) * n + j) * N + m] += d[m] / 2;
          first[((k * n + i) * n + j) * N + m] -= d[m] / 2;
        }
      }
  return geom_taylor_divide(t, n, n * n, x->g, first, x->Gamma);
}

// one over the radius of convergence, by the growth of the coefficients of the metric
static double growth(const geom_metric_series* x)
{
  const geom_taylor* t = &x->t;
  double worst = 0;
  for (int i = 0; i < x->n * x->n; i++)
    for (int d = 1; d < t->degree; d++)
      for (int m = t->first[d]; m < t->first[d + 1]; m++)
        worst = fmax(worst, pow(fabs(x->g[i * t->count + m]), 1.0 / d));
  return worst;
}

static bool make(const spot* w, int degree, double unit, base_arena* arena, geom_metric_series* x)
{
  const int n = w->s->n, d = w->p->n;
  *x = (geom_metric_series){.arena = arena, .n = d, .coords = n, .unit = unit};
  x->q = geom_take(arena, n, sizeof(double));
  memcpy(x->q, w->p->q, sizeof(double) * (size_t)n);
  x->E = geom_take(arena, n * d, sizeof(double));
  if (!geom_taylor_make(d, degree, arena, &x->t) || !make_frame(w, x->E)) return false;
  for (int i = 0; i < n * d; i++) x->E[i] *= unit;
  return measure(x, w);
}

bool geom_metric_series_make(const geom_space* s, int degree, int number, base_arena* arena,
                             geom_metric_series* x)
{
  uint64_t seed = 1901u + 7u * (uint64_t)number;
  double* q = geom_take(arena, s->n, sizeof(double));
  bool fine = false;
  for (size_t try = 0; try < 4 * sizeof fade / sizeof *fade && !fine; try++) {
    for (int k = 0; k < s->n; k++)
      for (int j = 0; j < s->symbols; j++)
        if (s->symbol[j] == s->q[k])
          q[k] = s->value[j] + fade[try / 4] * (1 + 0.5 * fabs(s->value[j])) * uniform(&seed);
    spot w = {.s = s, .arena = arena};
    if (find_spot(&w, number ? q : NULL)) {
      base_arena* scratch = base_arena_new();
      geom_metric_series probe;
      fine = make(&w, PROBE, 1, scratch, &probe);
      const double most = fine ? growth(&probe) : 0;
      base_arena_free(scratch);
      fine = fine && make(&w, degree, most > 0 ? share / most : 1, arena, x) && connect(x);
    }
    geom_place_free(w.p);
    if (!number) break;
  }
  return fine;
}

double geom_metric_series_riemann(const geom_metric_series* x, double* R)
{
  const geom_taylor* t = &x->t;
  const int n = x->n, N = t->count;
  const double *G = x->Gamma, scale = 1 / (x->unit * x->unit);
  double size = 0;
#define GAMMA(K, I, J)     G[(((K)*n + (I)) * n + (J)) * N]
#define SLOPE(K, I, J, BY) G[(((K)*n + (I)) * n + (J)) * N + t->up[BY]]
  // the metric is the unit matrix: R_abcd = d_c Gamma^a_db - d_d Gamma^a_cb + ...
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++)
      for (int c = 0; c < n; c++)
        for (int d = 0; d < n; d++) {
          double sum = SLOPE(a, d, b, c) - SLOPE(a, c, b, d);
          size = fmax(size, fabs(SLOPE(a, d, b, c)));
          for (int m = 0; m < n; m++) {
            sum += GAMMA(a, c, m) * GAMMA(m, d, b) - GAMMA(a, d, m) * GAMMA(m, c, b);
            size = fmax(size, fabs(GAMMA(a, c, m) * GAMMA(m, d, b)));
          }
          R[((a * n + b) * n + c) * n + d] = sum * scale;
        }
#undef GAMMA
#undef SLOPE
  return size * scale;
}
