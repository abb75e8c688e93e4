// Isometric maps on a box: Levenberg-Marquardt on Chebyshev coefficients of the map itself.
#include "geom/isometry.h"
#include "num/num.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// r_ab(node) = (x_a . x_b - g_ab)/sqrt(g_aa g_bb) at Gauss-Chebyshev nodes          Briskin (1.14)
// min |r + J y|^2 + mu |W y|^2, W = rho^degree: high modes move little, which picks the smoothest
// of the many embeddings and, for large boxes, makes the difference between success and failure.

static const double rho = 1.5;
enum {
  MOST_STEPS = 60,
  MOST_UNKNOWNS = 2400,
  MOST_SLOPES = GEOM_FIT * GEOM_FIT * (GEOM_FIT + 1) / 2
};

bool geom_space_metric(const geom_space* s, const double* q, double* g)
{
  if (s->chart) {
    geom_place* p = geom_place_make(s, q);
    const bool fine = p && p->at->regular;
    if (fine) memcpy(g, p->at->g, sizeof(double) * (size_t)(s->n * s->n));
    geom_place_free(p);
    return fine;
  }
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
  double *A, *b, *y, *a, *r, *c;
} fit;

// Nodes of Gauss and Chebyshev, side by side; of many coordinates that would be too many: points of
// a sequence that fills the box evenly (multiples of 1/phi^i, phi^(n+1) = phi + 1), as dense to the
// edges as they are.
static void node(const geom_patch* p, int side, long at, double* q)
{
  double phi = 1.5;
  for (int k = 0; k < 30; k++) phi = pow(1 + phi, 1.0 / (p->n + 1));
  for (int i = 0; i < p->n; i++) {
    double part = ((double)(at % (side ? side : 1)) + 0.5) / side;
    if (side == 0) part = fmod(0.5 + (double)(at + 1) * pow(phi, -(i + 1)), 1);
    q[i] = p->low[i] + (p->high[i] - p->low[i]) * (cos(M_PI * part) + 1) / 2;
    if (side > 0) at /= side;
  }
}

// nodes to a side; 0: no grid
static int side_of(const geom_patch* p)
{
  return p->n <= 2 ? p->degree + 4 : p->n == 3 ? p->degree + 1 : 0;
}

static int count_nodes(const geom_patch* p)
{
  const int side = side_of(p), pairs = p->n * (p->n + 1) / 2;
  int nodes = 1;
  for (int i = 0; i < p->n; i++) nodes *= side;
  return side ? nodes : (8 * p->basis * p->N) / (5 * pairs) + 1;
}

static bool fit_new(fit* f, const geom_space* s, geom_patch* p)
{
  const int n = p->n, side = side_of(p);
  *f = (fit){.p = p, .n = n, .N = p->N, .nodes = count_nodes(p), .pairs = n * (n + 1) / 2};
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
  f->a = base_alloc(sizeof(double) * (size_t)(unknowns + 1));
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
  free(f->a);
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
  double X[MOST_SLOPES];
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
  return sum;
}

// q_ab = y_a . y_b / sqrt(g_aa g_bb), the part of second order along a step y: the equations are
// quadratic, r(c + y) = r + J y + q
static void second_order(const fit* f, const double* y, double* q)
{
  const int n = f->n;
  double X[MOST_SLOPES];
  int row = 0;
  for (int at = 0; at < f->nodes; at++) {
    slopes(f, y, at, X);
    const double* g = f->g + at * n * n;
    for (int a = 0; a < n; a++)
      for (int b = a; b < n; b++, row++) {
        q[row] = 0;
        for (int k = 0; k < f->N; k++) q[row] += X[k * n + a] * X[k * n + b];
        q[row] /= sqrt(g[a * n + a] * g[b * n + b]);
      }
  }
}

// J^T q by y = W c, at the patch's coefficients
static void transposed(const fit* f, const double* q, double* out)
{
  const int n = f->n, B = f->p->basis;
  double X[MOST_SLOPES], Z[MOST_SLOPES];
  memset(out, 0, sizeof(double) * (size_t)(f->N * f->free));
  for (int at = 0, row = 0; at < f->nodes; at++) {
    slopes(f, f->p->c, at, X);
    const double *g = f->g + at * n * n, *D = f->slope + at * B * n;
    memset(Z, 0, sizeof Z);
    for (int a = 0; a < n; a++)
      for (int b = a; b < n; b++, row++) {
        const double part = q[row] / sqrt(g[a * n + a] * g[b * n + b]);
        for (int k = 0; k < f->N; k++) {
          Z[k * n + a] += part * X[k * n + b];
          Z[k * n + b] += part * X[k * n + a];
        }
      }
    for (int k = 0; k < f->N; k++)
      for (int i = 1; i < B; i++)
        for (int a = 0; a < n; a++)
          out[k * f->free + i - 1] += D[i * n + a] * Z[k * n + a] / f->weight[i];
  }
}

// R^T R x = x, R the triangle on top of A
static void twice_triangle(const fit* f, double* x)
{
  const size_t wide = (size_t)(f->N * f->free);
  for (size_t i = 0; i < wide; i++) {
    if (f->A[i * wide + i] != 0) x[i] /= f->A[i * wide + i];
    for (size_t j = i + 1; j < wide; j++) x[j] -= f->A[i * wide + j] * x[i];
  }
  for (size_t i = wide; i-- > 0;) {
    for (size_t j = i + 1; j < wide; j++) x[i] -= f->A[i * wide + j] * x[j];
    if (f->A[i * wide + i] != 0) x[i] /= f->A[i * wide + i];
  }
}

static double length(int n, const double* y)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += y[i] * y[i];
  return sqrt(sum);
}

// y as changes of the coefficients
static void unweigh(const fit* f, const double* y, double* c)
{
  const int B = f->p->basis;
  for (int k = 0; k < f->N; k++)
    for (int i = 0; i < B; i++) c[k * B + i] = i ? y[k * f->free + i - 1] / f->weight[i] : 0;
}

// One damped step from the patch's coefficients into f->c; the new square sum. `promise`: what the
// linear model says it saves.
static double try_step(fit* f, double mu, double* promise)
{
  const int rows = f->nodes * f->pairs, wide = f->N * f->free, all = f->N * f->p->basis;
  residuals(f, f->p->c, f->b, f->A);
  for (int i = 0; i < rows; i++) f->b[i] = -f->b[i];
  memset(f->A + (size_t)rows * (size_t)wide, 0, sizeof(double) * (size_t)wide * (size_t)wide);
  for (int i = 0; i < wide; i++) {
    f->A[(size_t)(rows + i) * (size_t)wide + (size_t)i] = sqrt(mu);
    f->b[rows + i] = 0;
  }
  num_least_squares(rows + wide, wide, f->A, f->b, f->y);
  // |r|^2 - |r + J y|^2 = |J y|^2 + 2 mu |y|^2, and |J y|^2 + mu |y|^2 = |R y|^2 = |top of Q^T b|^2
  const double top = length(wide, f->b), size = length(wide, f->y);
  *promise = top * top + mu * size * size;
  // the step of second order: (J^T J + mu) a = -J^T q                  Transtrum, Sethna (2012)
  unweigh(f, f->y, f->c);
  second_order(f, f->c, f->r);
  transposed(f, f->r, f->a);
  twice_triangle(f, f->a);
  if (length(wide, f->a) <= 0.75 * size)
    for (int i = 0; i < wide; i++) f->y[i] -= f->a[i];
  unweigh(f, f->y, f->c);
  for (int i = 0; i < all; i++) f->c[i] += f->p->c[i];
  return residuals(f, f->c, f->r, NULL);
}

// operations of one step: those of the reflections
static double step_work(const fit* f)
{
  const double wide = f->N * f->free;
  return 2 * (double)(f->nodes * f->pairs) * wide * wide;
}

// Damping by what a step gave of what it promised                            Nielsen (1999)
static void minimise(fit* f, double* work)
{
  const int rows = f->nodes * f->pairs;
  const double done = (double)rows * 1e-26;
  double mu = 1e-3, more = 2, now = residuals(f, f->p->c, f->r, NULL);
  int slow = 0;
  for (int step = 0; step < MOST_STEPS && now > done && slow < 6 && *work > 0; step++) {
    *work -= step_work(f);
    double promise;
    const double next = try_step(f, mu, &promise);
    if (next < now) {
      slow = next > 0.8 * now ? slow + 1 : 0;
      memcpy(f->p->c, f->c, sizeof(double) * (size_t)(f->N * f->p->basis));
      const double gain = (now - next) / promise;
      mu = fmax(mu * fmax(0.03, 1 - pow(2 * gain - 1, 3)), 1e-18);
      now = next;
      more = 2;
    } else {
      mu = fmin(mu * more, 10);
      more *= 2;
      slow += mu == 10;
    }
  }
}

// Of three and more coordinates the error falls evenly with the degree: where it will not be small
// enough at the last one, the box is too large. (Of two it may stay for degrees, and then fall.)
geom_isometry geom_isometry_find(const geom_space* s, base_arena* arena, const geom_patch* start,
                                 int most, double wanted, double* work)
{
  geom_isometry best = {.patch = *start, .error = NAN, .before = NAN};
  geom_patch last = *start;
  double before = NAN;
  const int points = s->n <= 2 ? 41 : s->n == 3 ? 11 : s->n == 4 ? 5 : 4;
  const int higher = s->n <= 2 ? 4 : s->n == 3 ? 2 : 1;
  for (int degree = start->degree; degree <= most && *work > 0; degree += higher) {
    geom_patch p = geom_patch_take(arena, start->n, start->N, degree, start->low, start->high);
    if (p.N * p.basis > MOST_UNKNOWNS) break;
    geom_patch_copy(&last, &p);
    fit f;
    const bool fine = fit_new(&f, s, &p);
    if (fine) minimise(&f, work);
    fit_free(&f);
    if (!fine) return best;
    const double error =
        geom_isometry_error(s, &p, patch_slope, p.N, start->low, start->high, points);
    last = p;
    if (error < best.error || isnan(best.error)) {
      best.patch = p;
      best.error = error;
      best.before = before;
    }
    const int left = (most - degree) / higher;
    const bool late = s->n > 2 && !(error * pow(fmin(error / before, 1), left) < 1e-6);
    before = error;
    if (best.error < wanted || (late && (degree > start->degree || error > 0.02))) break;
  }
  return best;
}
