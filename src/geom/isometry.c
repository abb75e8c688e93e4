// Isometric maps on a box: Levenberg-Marquardt on Chebyshev coefficients of the map itself.
#include "geom/isometry.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// r_ab(node) = (x_a . x_b - g_ab)/sqrt(g_aa g_bb) at Gauss-Chebyshev nodes          Briskin (1.14)
// min |r + J y|^2 + mu |W y|^2, W = rho^degree: high modes move little, which picks the smoothest
// of the many embeddings and, for large boxes, makes the difference between success and failure.

static const double rho = 1.5;
enum { MOST_STEPS = 60 };

bool geom_space_metric(const geom_space* s, const double* q, double* g)
{
  base_arena* arena = base_arena_new();
  double* v = geom_space_values(s, q, arena);
  expr_values(s->pool, s->n * s->n, s->g, s->symbols, s->symbol, v, g);
  base_arena_free(arena);
  for (int i = 0; i < s->n * s->n; i++)
    if (!isfinite(g[i])) return false;
  for (int i = 0; i < s->n; i++)
    if (!(g[i * s->n + i] > 0)) return false;
  return true;
}

double geom_isometry_error(const geom_space* s, const void* map, geom_map_slope* slope, int N,
                           const double* low, const double* high, int points)
{
  const int n = s->n;
  double* g = base_alloc(sizeof(double) * (size_t)(n * n + N * n + n));
  double *dx = g + n * n, *q = dx + N * n, most = 0;
  long total = 1;
  for (int i = 0; i < n; i++) total *= points;
  for (long at = 0; at < total; at++) {
    long rest = at;
    for (int i = 0; i < n; i++, rest /= points)
      q[i] = low[i] + (high[i] - low[i]) * (double)(rest % points) / (points - 1);
    if (!geom_space_metric(s, q, g)) {
      most = NAN;
      break;
    }
    slope(map, q, dx);
    for (int a = 0; a < n; a++)
      for (int b = a; b < n; b++) {
        double sum = -g[a * n + b];
        for (int k = 0; k < N; k++) sum += dx[k * n + a] * dx[k * n + b];
        const double off = fabs(sum) / sqrt(g[a * n + a] * g[b * n + b]);
        if (!(off <= most)) most = off;
      }
  }
  free(g);
  return most;
}

static void patch_slope(const void* map, const double* q, double* dx)
{
  geom_patch_eval(map, q, NULL, dx, NULL);
}

// ---- one degree ---------------------------------------------------------------------------------

typedef struct fit
{
  geom_patch* p;
  int n, N, nodes, pairs;
  int free;      // unknowns to a component: all but the constant
  double* slope; // nodes by basis by n
  double* g;     // nodes by n by n
  double* weight;
  double *A, *b, *y, *r, *c;
} fit;

static void node(const geom_patch* p, int side, long at, double* q)
{
  for (int i = 0; i < p->n; i++, at /= side) {
    const double x = cos(M_PI * ((double)(at % side) + 0.5) / side);
    q[i] = p->low[i] + (p->high[i] - p->low[i]) * (x + 1) / 2;
  }
}

static bool fit_new(fit* f, const geom_space* s, geom_patch* p)
{
  const int n = p->n, side = n <= 2 ? p->degree + 4 : p->degree + 1;
  *f = (fit){.p = p, .n = n, .N = p->N, .nodes = 1, .pairs = n * (n + 1) / 2};
  for (int i = 0; i < n; i++) f->nodes *= side;
  f->free = p->basis - 1;
  f->slope = base_alloc(sizeof(double) * (size_t)(f->nodes * p->basis * n));
  f->g = base_alloc(sizeof(double) * (size_t)(f->nodes * n * n));
  f->weight = base_alloc(sizeof(double) * (size_t)p->basis);
  double* q = base_alloc(sizeof(double) * (size_t)(n + geom_patch_room(p)));
  bool fine = true;
  for (int at = 0; at < f->nodes && fine; at++) {
    node(p, side, at, q);
    fine = geom_space_metric(s, q, f->g + at * n * n);
    geom_patch_basis(p, q, q + n, NULL, f->slope + at * p->basis * n, NULL);
  }
  free(q);
  for (int b = 0; b < p->basis; b++) {
    int total = 0;
    for (int i = 0; i < n; i++) total += p->power[b * n + i];
    f->weight[b] = pow(rho, total);
  }
  const int rows = f->nodes * f->pairs, unknowns = f->N * f->free;
  f->A = base_alloc(sizeof(double) * (size_t)(rows + unknowns) * (size_t)unknowns);
  f->b = base_alloc(sizeof(double) * (size_t)(rows + unknowns));
  f->y = base_alloc(sizeof(double) * (size_t)(unknowns + 1));
  f->r = base_alloc(sizeof(double) * (size_t)rows);
  f->c = base_alloc(sizeof(double) * (size_t)(f->N * p->basis));
  return fine;
}

static void fit_free(fit* f)
{
  free(f->slope);
  free(f->g);
  free(f->weight);
  free(f->A);
  free(f->b);
  free(f->y);
  free(f->r);
  free(f->c);
}

static void slopes(const fit* f, const double* c, int at, double* X)
{
  const int n = f->n, B = f->p->basis;
  const double* D = f->slope + at * B * n;
  for (int k = 0; k < f->N; k++)
    for (int a = 0; a < n; a++) {
      double sum = 0;
      for (int b = 0; b < B; b++) sum += c[k * B + b] * D[b * n + a];
      X[k * n + a] = sum;
    }
}

// residuals into r, their square sum returned; with A also the Jacobian by y = W c
static double residuals(const fit* f, const double* c, double* r, double* A)
{
  const int n = f->n, B = f->p->basis, wide = f->N * f->free;
  double* X = base_alloc(sizeof(double) * (size_t)(f->N * n));
  double sum = 0;
  int row = 0;
  for (int at = 0; at < f->nodes; at++) {
    slopes(f, c, at, X);
    const double *g = f->g + at * n * n, *D = f->slope + at * B * n;
    for (int a = 0; a < n; a++)
      for (int b = a; b < n; b++, row++) {
        const double scale = 1 / sqrt(g[a * n + a] * g[b * n + b]);
        double e = -g[a * n + b];
        for (int k = 0; k < f->N; k++) e += X[k * n + a] * X[k * n + b];
        r[row] = e * scale;
        sum += r[row] * r[row];
        for (int k = 0; A && k < f->N; k++)
          for (int i = 1; i < B; i++)
            A[(size_t)row * (size_t)wide + (size_t)(k * f->free + i - 1)] =
                scale * (D[i * n + a] * X[k * n + b] + X[k * n + a] * D[i * n + b]) / f->weight[i];
      }
  }
  free(X);
  return sum;
}

// one damped step from the patch's coefficients into f->c; the new square sum
static double try_step(fit* f, double mu)
{
  const int rows = f->nodes * f->pairs, wide = f->N * f->free, B = f->p->basis;
  residuals(f, f->p->c, f->b, f->A);
  for (int i = 0; i < rows; i++) f->b[i] = -f->b[i];
  memset(f->A + (size_t)rows * (size_t)wide, 0, sizeof(double) * (size_t)wide * (size_t)wide);
  for (int i = 0; i < wide; i++) {
    f->A[(size_t)(rows + i) * (size_t)wide + (size_t)i] = sqrt(mu);
    f->b[rows + i] = 0;
  }
  num_least_squares(rows + wide, wide, f->A, f->b, f->y);
  for (int k = 0; k < f->N; k++)
    for (int i = 0; i < B; i++)
      f->c[k * B + i] = f->p->c[k * B + i] + (i ? f->y[k * f->free + i - 1] / f->weight[i] : 0);
  return residuals(f, f->c, f->r, NULL);
}

static void minimise(fit* f)
{
  const int rows = f->nodes * f->pairs;
  const double done = (double)rows * 1e-26;
  double mu = 1e-3, now = residuals(f, f->p->c, f->r, NULL);
  int slow = 0;
  for (int step = 0; step < MOST_STEPS && now > done && slow < 6; step++) {
    const double next = try_step(f, mu);
    if (next < now) {
      slow = next > 0.8 * now ? slow + 1 : 0;
      memcpy(f->p->c, f->c, sizeof(double) * (size_t)(f->N * f->p->basis));
      now = next;
      mu = fmax(mu / 10, 1e-18);
    } else {
      mu = fmin(mu * 10, 1);
      slow++;
    }
  }
}

geom_isometry geom_isometry_find(const geom_space* s, base_arena* arena, const geom_patch* start,
                                 int most, double wanted)
{
  geom_isometry best = {.patch = *start, .error = NAN};
  geom_patch last = *start;
  const int points = s->n <= 2 ? 41 : s->n == 3 ? 11 : 5;
  for (int degree = start->degree; degree <= most; degree += s->n <= 2 ? 4 : 2) {
    geom_patch p = geom_patch_take(arena, start->n, start->N, degree, start->low, start->high);
    geom_patch_copy(&last, &p);
    fit f;
    const bool fine = fit_new(&f, s, &p);
    if (fine) minimise(&f);
    fit_free(&f);
    if (!fine) return best;
    const double error =
        geom_isometry_error(s, &p, patch_slope, p.N, start->low, start->high, points);
    last = p;
    if (error < best.error || isnan(best.error)) {
      best.patch = p;
      best.error = error;
    }
    if (best.error < wanted) break;
  }
  return best;
}
