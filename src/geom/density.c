// The density of an invariant measure as a formula.
//
// Near a point the density exp(s) of d xi du is known as a power series (integrals.c). In the
// coordinates q and the velocities v_I of l of them, v_I = W(xi) u, it is N = exp(s)/det W, so that
// the slopes of log N are known there. An ansatz log N = sum c_k log f_k + c log det S, with f_k
// functions of single coordinates and S the matrix of T in v_I, has to have these slopes at all
// points.
#include "geom/closed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom/integrals.h"
#include "num/num.h"

enum { POINTS = 12, DEGREE = 3, MOST_CANDIDATES = 40 };
static const double fits = 1e-8; // relative

typedef struct fit
{
  geom_search* w;
  int n, l, count;
  int* speed;
  expr f[MOST_CANDIDATES]; // the first is det S, which has no formula here
  double *A, *b;           // equations, POINTS * n by count
  int rows;
} fit;

// d/dxi_i log det of a matrix of series, m by m, regular at the point
static bool log_det_slope(const geom_taylor* t, int m, const double* W, double* out)
{
  const int N = t->count;
  double *LU = base_alloc(sizeof(double) * (size_t)(m * m + m + 1)), *x = LU + m * m;
  int* pivot = base_alloc(sizeof(int) * (size_t)(m + 1));
  for (int i = 0; i < m * m; i++) LU[i] = W[i * N];
  const bool fine = num_lu(m, LU, pivot);
  for (int k = 0; k < t->m && fine; k++) {
    out[k] = 0;
    for (int c = 0; c < m; c++) {
      for (int r = 0; r < m; r++) x[r] = W[(r * m + c) * N + t->up[k]];
      num_lu_solve(m, LU, pivot, x);
      out[k] += x[c];
    }
  }
  free(LU);
  free(pivot);
  return fine;
}

// W: rows of J Z for the velocities chosen
static double* speeds_in(const geom_local* x, int count, const int* row)
{
  const int N = x->t.count, l = x->l;
  double* W = base_alloc(sizeof(double) * (size_t)(count * l * N + 1));
  for (int i = 0; i < count; i++)
    for (int a = 0; a < l; a++)
      for (int k = 0; k < x->n; k++)
        geom_taylor_multiply(&x->t, x->t.degree, x->J + (row[i] * x->n + k) * N,
                             x->Z + (k * l + a) * N, W + (i * l + a) * N);
  return W;
}

// from the last coordinate on those whose velocities are well independent
static bool choose_speeds(fit* y, const geom_local* x)
{
  const int l = x->l, C = x->coords, N = x->t.count;
  int* all = base_alloc(sizeof(int) * (size_t)(C + 1));
  double *rows = base_alloc(sizeof(double) * (size_t)(C * l + 1)), *e = rows;
  int found = 0;
  for (int i = 0; i < C; i++) all[i] = i;
  double* W = speeds_in(x, C, all);
  for (int i = C - 1; i >= 0 && found < l; i--) {
    double* r = e + found * l;
    double whole = 0, left = 0;
    for (int a = 0; a < l; a++) r[a] = W[(i * l + a) * N];
    for (int a = 0; a < l; a++) whole += r[a] * r[a];
    for (int k = 0; k < found; k++) {
      double c = 0;
      for (int a = 0; a < l; a++) c += r[a] * e[k * l + a];
      for (int a = 0; a < l; a++) r[a] -= c * e[k * l + a];
    }
    for (int a = 0; a < l; a++) left += r[a] * r[a];
    if (!(left > 1e-4 * whole)) continue;
    for (int a = 0; a < l; a++) r[a] /= sqrt(left);
    y->speed[found++] = i;
  }
  for (int i = 0; i < found / 2; i++) {
    const int c = y->speed[i];
    y->speed[i] = y->speed[found - 1 - i];
    y->speed[found - 1 - i] = c;
  }
  free(W);
  free(rows);
  free(all);
  return found == l;
}

// slopes of log N and log det S at one point, by xi
static bool slopes(const fit* y, const geom_local* x, base_arena* arena, double* N_slope,
                   double* S_slope)
{
  const int n = x->n, l = x->l, N = x->t.count;
  geom_pde p = geom_integrals_measure(x);
  const geom_jets j = geom_pde_solve(&p, arena);
  int best = -1;
  double most = 0;
  for (int k = 0; k < j.size; k++) {
    const double one = fabs(j.P[(size_t)N * (size_t)j.size + (size_t)k]);
    if (one > most) most = one, best = k;
  }
  if (best < 0) return false;
  const double one = j.P[(size_t)N * (size_t)j.size + (size_t)best];
  double *W = speeds_in(x, l, y->speed), *det = base_alloc(sizeof(double) * (size_t)(2 * n + 1)),
         *inner = det + n, *S = base_alloc(sizeof(double) * (size_t)(l * l * N + 1)),
         *gZ = base_alloc(sizeof(double) * (size_t)(n * l * N + 1));
  bool fine = log_det_slope(&x->t, l, W, det);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int a = 0; a < l; a++)
        geom_taylor_multiply(&x->t, x->t.degree, x->Z + (k * l + a) * N, x->g + (i * n + k) * N,
                             gZ + (i * l + a) * N);
  for (int a = 0; a < l; a++)
    for (int b = 0; b < l; b++)
      for (int i = 0; i < n; i++)
        geom_taylor_multiply(&x->t, x->t.degree, x->Z + (i * l + a) * N, gZ + (i * l + b) * N,
                             S + (a * l + b) * N);
  fine = fine && log_det_slope(&x->t, l, S, inner);
  for (int k = 0; k < n && fine; k++) {
    N_slope[k] = j.P[(size_t)x->t.up[k] * (size_t)j.size + (size_t)best] / one - det[k];
    S_slope[k] = inner[k] - 2 * det[k];
  }
  free(W);
  free(det);
  free(S);
  free(gZ);
  return fine;
}

// functions of single coordinates
static void candidates(fit* y)
{
  const geom_library* l = &y->w->basis;
  y->f[y->count++] = EXPR_NONE;
  for (int i = 1; i < l->count && l->degree[i] <= 1 && y->count < MOST_CANDIDATES; i++) {
    const expr_pool* p = y->w->s->pool;
    const bool quotient =
        expr_kind_of(p, l->f[i]) == EXPR_PRODUCT || expr_kind_of(p, l->f[i]) == EXPR_POWER;
    if (!quotient) y->f[y->count++] = l->f[i];
  }
}

static void add_rows(fit* y, const geom_local* x, const double* N_slope, const double* S_slope)
{
  const mech_system* s = y->w->s;
  const int n = x->n;
  for (int k = 0; k < n; k++) {
    double* row = y->A + y->rows * y->count;
    row[0] = S_slope[k];
    for (int c = 1; c < y->count; c++)
      for (int i = 0; i < s->n; i++) {
        const expr d = expr_diff(s->pool, y->f[c], s->q[i]);
        if (d == s->zero[0]) continue;
        row[c] += x->E[i * n + k] * expr_value(s->pool, expr_div(s->pool, d, y->f[c]), x->symbols,
                                               x->symbol, x->value);
      }
    y->b[y->rows++] = N_slope[k];
  }
}

// the numbers in front of columns i and k (the same: one of them) with the least squares
static bool weigh(const fit* y, int i, int k, double* x)
{
  double aa = 0, ab = 0, bb = 0, ah = 0, bh = 0;
  for (int r = 0; r < y->rows; r++) {
    const double a = y->A[r * y->count + i], b = y->A[r * y->count + k];
    aa += a * a;
    ab += a * b;
    bb += b * b;
    ah += a * y->b[r];
    bh += b * y->b[r];
  }
  x[1] = 0;
  if (i == k) {
    x[0] = ah / aa;
    return aa > 0;
  }
  const double det = aa * bb - ab * ab;
  if (!(det > 1e-9 * aa * bb)) return false;
  x[0] = (ah * bb - bh * ab) / det;
  x[1] = (bh * aa - ah * ab) / det;
  return true;
}

static bool is_solved(const fit* y, int i, int k, const double* x, double size)
{
  for (int r = 0; r < y->rows; r++) {
    const double sum = y->b[r] - x[0] * y->A[r * y->count + i] - x[1] * y->A[r * y->count + k];
    if (!(fabs(sum) <= fits * fmax(size, 1e-3))) return false;
  }
  return true;
}

// few candidates first: none, each alone, then pairs; the numbers are halves
static bool solve(const fit* y, double* c)
{
  double size = 0, x[2] = {0};
  for (int r = 0; r < y->rows; r++) size = fmax(size, fabs(y->b[r]));
  if (is_solved(y, 0, 0, x, size)) return true;
  for (int pairs = 0; pairs < 2; pairs++)
    for (int i = 0; i < y->count; i++)
      for (int k = i + pairs; k < (pairs ? y->count : i + 1); k++) {
        if (!weigh(y, i, k, x)) continue;
        for (int e = 0; e < 2; e++) x[e] = round(2 * x[e]) / 2;
        if (!is_solved(y, i, k, x, size)) continue;
        c[i] += x[0];
        c[k] += x[1];
        return true;
      }
  return false;
}

// Chaplygin's form: the other coordinates stand nowhere
static bool is_chaplygin(const fit* y)
{
  const mech_system* s = y->w->s;
  for (int i = 0; i < s->n; i++) {
    bool own = false;
    for (int k = 0; k < y->l; k++) own = own || y->speed[k] == i;
    if (own) continue;
    if (expr_has(s->pool, s->H, s->q[i])) return false;
    for (int k = 0; k < s->m * s->n; k++)
      if (expr_has(s->pool, s->A[k], s->q[i])) return false;
  }
  return true;
}

static void report(const fit* y, const double* c)
{
  geom_structure* r = y->w->r;
  expr_pool* p = y->w->s->pool;
  r->density = expr_int(p, 1);
  for (int k = 1; k < y->count; k++)
    if (c[k] != 0)
      r->density =
          expr_mul(p, r->density, expr_pow(p, y->f[k], expr_ratio(p, lround(2 * c[k]), 2)));
  r->power = c[0];
  r->speeds = y->l;
  r->speed = base_arena_take(r->arena, sizeof(int) * (size_t)y->l);
  memcpy(r->speed, y->speed, sizeof(int) * (size_t)y->l);
  r->multiplier = y->l == 2 && !r->speedy && is_chaplygin(y);
}

void geom_density_find(geom_search* w)
{
  const mech_system* s = w->s;
  fit y = {.w = w};
  candidates(&y);
  bool fine = true;
  for (int number = 0; number < POINTS && fine; number++) {
    const char* why;
    geom_local* x = geom_local_make(s, w->symbols, w->symbol, w->given, DEGREE, number + 10, &why);
    // coordinates have to be those of positions
    fine = x && x->n == s->n;
    if (fine && !y.speed) {
      y.n = x->n;
      y.l = x->l;
      y.speed = base_arena_take(w->work, sizeof(int) * (size_t)(x->l + 1));
      y.A = base_arena_take(w->work, sizeof(double) * (size_t)(POINTS * x->n * y.count + 1));
      y.b = base_arena_take(w->work, sizeof(double) * (size_t)(POINTS * x->n + 1));
      fine = choose_speeds(&y, x);
    }
    if (fine) {
      double *N_slope = base_arena_take(w->work, sizeof(double) * (size_t)(2 * x->n + 1)),
             *S_slope = N_slope + x->n;
      fine = slopes(&y, x, w->work, N_slope, S_slope);
      if (fine) add_rows(&y, x, N_slope, S_slope);
    }
    geom_local_free(x);
  }
  double c[MOST_CANDIDATES] = {0};
  if (fine && solve(&y, c)) report(&y, c);
}
