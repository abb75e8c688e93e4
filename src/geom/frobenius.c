// Frobenius' theorem: symbolic where it can be proved, by numbers where it can be refuted.
#include "geom/frobenius.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// the most nodes of a component whose vanishing is tried symbolically
#define MOST_NODES 3000

static expr_truth vanishes(expr_pool* p, expr e)
{
  if (expr_size(p, 1, &e) > MOST_NODES) return EXPR_UNKNOWN;
  return expr_is_zero(p, e);
}

// Where w_p is not zero, omega ^ d omega = 0 already follows from its components (p, j, l):
//   w_p (d omega)_jl + w_j (d omega)_lp + w_l (d omega)_pj = 0.
expr_truth geom_frobenius_alone(const geom_pfaff* f, const expr* w)
{
  expr_pool* pool = f->pool;
  int N = f->N, p = -1;
  for (int i = 0; i < N; i++)
    if (w[i] != f->zero && (p < 0 || expr_is_number(pool, w[i]))) p = i;
  if (p < 0) return EXPR_YES;
  expr_truth all = EXPR_YES;
  for (int j = 0; j < N; j++)
    for (int l = j + 1; l < N; l++) {
      if (j == p || l == p) continue;
      expr sum = expr_mul(pool, w[p], geom_curl(f, w, j, l));
      sum = expr_add(pool, sum, expr_mul(pool, w[j], geom_curl(f, w, l, p)));
      sum = expr_add(pool, sum, expr_mul(pool, w[l], geom_curl(f, w, p, j)));
      expr_truth zero = vanishes(pool, sum);
      if (zero == EXPR_NO) return EXPR_NO;
      if (zero == EXPR_UNKNOWN) all = EXPR_UNKNOWN;
    }
  return all;
}

// ---- together -----------------------------------------------------------------------------------

// A set K of forms is integrable when every d omega_k, k in K, vanishes on the kernel of K. The
// largest such set is found by leaving out what fails, again and again. It is not enough that
// d omega_k vanishes on the kernel of all forms: for dy - z dx, dz - w dx that holds for the first
// form, and neither is integrable.

typedef struct curls
{
  const geom_pfaff* f;
  expr* d; // forms by N by N
} curls;

// those of solid forms are not needed
static curls curls_make(const geom_pfaff* f, const expr* w, const bool* solid)
{
  int N = f->N;
  curls c = {f, base_arena_take(f->arena, sizeof(expr) * (size_t)(f->count * N * N + 1))};
  for (int k = 0; k < f->count; k++)
    for (int i = 0; i < N && !solid[k]; i++)
      for (int j = 0; j < N; j++) {
        expr d = geom_tidy(f->pool, geom_curl(f, w + k * N, i, j));
        c.d[(k * N + i) * N + j] = vanishes(f->pool, d) == EXPR_YES ? f->zero : d;
      }
  return c;
}

// the largest |d omega(Z_a, Z_b)| over pairs of orthonormal kernel vectors, relative to d omega
static double curl_on(int N, const double* d, int l, const double* Z)
{
  double most = 0, size = 0;
  for (int i = 0; i < N * N; i++) size = fmax(size, fabs(d[i]));
  if (size == 0) return 0;
  for (int a = 0; a < l; a++)
    for (int b = a + 1; b < l; b++) {
      double sum = 0;
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) sum += d[i * N + j] * Z[i * l + a] * Z[j * l + b];
      most = fmax(most, fabs(sum) / size);
    }
  return most;
}

// does d omega_k vanish on the kernel of the set at every point, by numbers?
static bool closed_by_numbers(const curls* c, const expr* w, const geom_points* at, const bool* in,
                              int k)
{
  const geom_pfaff* f = c->f;
  int N = f->N, rows = 0;
  bool closed = true;
  double* A = base_alloc(sizeof(double) * (size_t)(f->count * N + 2 * N * N + 1));
  double *Z = A + f->count * N, *d = Z + N * N;
  num_null* null = num_null_new(f->count, N);
  for (int point = 0; point < at->count && closed; point++) {
    rows = 0;
    for (int i = 0; i < f->count; i++)
      if (in[i]) geom_points_eval(f, at, point, N, w + i * N, A + N * rows++);
    int l = N - num_null_factor(null, rows, N, A, 1e-9);
    num_null_basis(null, Z);
    geom_points_eval(f, at, point, N * N, c->d + k * N * N, d);
    closed = curl_on(N, d, l, Z) <= 1e-9;
  }
  num_null_free(null);
  free(A);
  return closed;
}

// the same, proved: every component zero on the symbolic kernel
static bool closed_by_proof(const curls* c, const geom_fields* D, int k)
{
  const geom_pfaff* f = c->f;
  expr_pool* p = f->pool;
  int N = f->N;
  const expr* d = c->d + k * N * N;
  for (int a = 0; a < D->count; a++)
    for (int b = a + 1; b < D->count; b++) {
      const expr *X = D->X + a * N, *Y = D->X + b * N;
      expr sum = f->zero;
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
          if (X[i] == f->zero || Y[j] == f->zero || d[i * N + j] == f->zero) continue;
          sum = expr_add(p, sum, expr_mul(p, d[i * N + j], expr_mul(p, X[i], Y[j])));
        }
      if (vanishes(p, sum) != EXPR_YES) return false;
    }
  return true;
}

// does the form not vanish on some vector that brackets reach, at most of the points?
static bool is_left(const geom_pfaff* f, const expr* w, const geom_points* at, const geom_growth* g)
{
  int N = f->N, points = 0;
  double* v = base_alloc(sizeof(double) * (size_t)(N + 1));
  for (int point = 0; point < at->count; point++) {
    bool left = false;
    geom_points_eval(f, at, point, N, w, v);
    double size = 0;
    for (int i = 0; i < N; i++) size = fmax(size, fabs(v[i]));
    for (int b = 0; b < g->dim[point]; b++) {
      double along = 0;
      for (int i = 0; i < N; i++) along += v[i] * g->closure[point][b * N + i];
      left |= fabs(along) > 1e-7 * size;
    }
    points += left;
  }
  free(v);
  return 2 * points > at->count;
}

void geom_frobenius_together(const geom_pfaff* f, const expr* w, const geom_points* at,
                             const geom_growth* g, const bool* solid, expr_truth* truth)
{
  curls c = curls_make(f, w, solid);
  bool* in = base_arena_take(f->arena, sizeof(bool) * (size_t)(f->count + 1));
  for (int k = 0; k < f->count; k++) in[k] = true;
  for (bool again = true; again;) {
    again = false;
    for (int k = 0; k < f->count; k++)
      if (in[k] && !solid[k] && !closed_by_numbers(&c, w, at, in, k)) in[k] = false, again = true;
  }
  // prove what is left
  int* form = base_arena_take(f->arena, sizeof(int) * (size_t)(f->count + 1));
  int forms = 0, open = 0;
  for (int k = 0; k < f->count; k++) {
    if (in[k]) form[forms++] = k;
    open += in[k] && !solid[k];
  }
  bool proved = at->count > 0;
  if (proved && open > 0) {
    geom_fields D = geom_kernel(f, w, forms, form, at);
    for (int i = 0; i < forms && proved; i++)
      proved = solid[form[i]] || closed_by_proof(&c, &D, form[i]);
  }
  for (int k = 0; k < f->count; k++) {
    if (in[k])
      truth[k] = proved ? EXPR_YES : EXPR_UNKNOWN;
    else
      truth[k] = is_left(f, w + k * f->N, at, g) ? EXPR_NO : EXPR_UNKNOWN;
  }
}
