// Sparse saddle-point problems: equations of motion with their constraints, projections.
//
//   K x + A^T y = f,   A x = c          K symmetric (n by n), A of m rows, both sparse
//
// are factored as P (K A^T; A 0) P^T = L D L^T with D diagonal and an order P found once in which a
// constraint comes after its coordinates. Let E be the nodes eliminated before constraint k: their
// constraints have all their coordinates in E, so that with K positive definite and independent
// rows the pivot is minus the Schur complement of a positive definite matrix, < 0, and that of a
// coordinate is > 0: no pivoting is needed, and the errors are those of Cholesky's method for K and
// for A K^-1 A^T. A row that depends on those before it shows as a pivot that vanishes against
// a_k K^-1 a_k^T; it drops out, and y_k = 0.
//
// Where K is positive definite only along the directions the constraints leave free (massless
// coordinates, quaternions), K + sum gamma_k a_k a_k^T takes its place with f + sum gamma_k c_k a_k
// on the right: where A x = c this changes neither x nor y.
#include "num/saddle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void* take(num_saddle* s, size_t count, size_t size)
{
  return base_arena_take(s->arena, (count + 1) * size);
}

static num_rows copy(num_saddle* s, const num_rows* r, int rows)
{
  num_rows out = {0};
  int* start = take(s, (size_t)rows + 1, sizeof(int));
  int* column = take(s, (size_t)r->start[rows], sizeof(int));
  memcpy(start, r->start, sizeof(int) * (size_t)(rows + 1));
  if (r->start[rows]) memcpy(column, r->column, sizeof(int) * (size_t)r->start[rows]);
  out.start = start;
  out.column = column;
  return out;
}

num_saddle* num_saddle_new(int n, const num_rows* K, int m, const num_rows* A, bool stiff)
{
  base_arena* arena = base_arena_new();
  num_saddle* s = base_arena_take(arena, sizeof *s);
  s->arena = arena;
  s->n = n;
  s->m = m;
  s->nodes = n + m;
  s->stiff = stiff;
  s->K = copy(s, K, n);
  s->A = copy(s, A, m);
  s->place = take(s, (size_t)s->nodes, sizeof(int));
  if (!num_saddle_order(s) || !num_saddle_pattern(s)) {
    base_arena_free(arena);
    return NULL;
  }
  const size_t nodes = (size_t)s->nodes;
  s->L = take(s, s->entries + nodes, sizeof(double)); // the diagonal behind
  s->D = s->L + s->entries;
  s->inverse = take(s, nodes, sizeof(double));
  s->work = take(s, nodes, sizeof(double));
  s->x = take(s, nodes, sizeof(double));
  s->gamma = take(s, (size_t)m, sizeof(double));
  s->A_value = take(s, (size_t)s->A.start[m], sizeof(double));
  s->dependent = take(s, (size_t)m, sizeof(bool));
  s->is_row = take(s, nodes, sizeof(bool));
  for (int k = 0; k < m; k++) s->is_row[s->place[n + k]] = true;
  return s;
}

void num_saddle_free(num_saddle* s)
{
  if (s) base_arena_free(s->arena);
}

size_t num_saddle_entries(const num_saddle* s)
{
  return s->entries;
}

double num_saddle_work(const num_saddle* s)
{
  double sum = 0;
  for (int j = 0; j < s->nodes; j++) {
    const double c = (double)(s->start[j + 1] - s->start[j]);
    sum += c * c;
  }
  return sum;
}

// ---- factorisation ------------------------------------------------------------------------------

static void add_products(num_saddle* s, const double* K, const double* A, const bool* use)
{
  size_t next = 0;
  double* diagonal = s->x;
  memset(diagonal, 0, sizeof(double) * (size_t)s->n);
  for (int i = 0; i < s->n; i++)
    for (int p = s->K.start[i]; p < s->K.start[i + 1]; p++)
      if (s->K.column[p] == i) diagonal[i] = fabs(K[p]);
  for (int k = 0; k < s->m; k++) {
    const int from = s->A.start[k], to = s->A.start[k + 1];
    double mass = 0, norm = 0;
    for (int p = from; p < to; p++) {
      mass = fmax(mass, diagonal[s->A.column[p]]);
      norm += A[p] * A[p];
    }
    s->gamma[k] = use && !use[k] ? 0 : norm > 0 ? (mass > 0 ? mass : 1) / norm : 0;
    for (int p = from; p < to; p++)
      for (int q = from; q <= p; q++) s->L[s->AA_at[next++]] += s->gamma[k] * A[p] * A[q];
  }
}

static void assemble(num_saddle* s, const double* K, const double* A, const bool* use)
{
  memset(s->L, 0, sizeof(double) * (s->entries + (size_t)s->nodes));
  for (int p = 0; p < s->K.start[s->n]; p++) s->L[s->K_at[p]] += K[p];
  for (int k = 0; k < s->m; k++) {
    if (use && !use[k]) continue;
    for (int p = s->A.start[k]; p < s->A.start[k + 1]; p++) s->L[s->A_at[p]] += A[p];
  }
  if (!s->stiff) return;
  add_products(s, K, A, use);
  memcpy(s->A_value, A, sizeof(double) * (size_t)s->A.start[s->m]);
}

// Pivot j from what is left of its diagonal entry; `size` is what the coordinates before took from
// it. False where a coordinate has no mass left.
static bool pivot(num_saddle* s, int j, double before, double left, double size, double share,
                  double tolerance)
{
  if (s->is_row[j]) {
    left -= share * size;
    const bool gone = !(-left > tolerance * size);
    s->inverse[j] = gone ? 0 : 1 / left;
  } else {
    if (!(left > 1e-13 * before)) return false;
    s->inverse[j] = 1 / left;
  }
  s->D[j] = left;
  return true;
}

int num_saddle_factor(num_saddle* s, const double* K, const double* A, const bool* use,
                      double share, double tolerance)
{
  assemble(s, K, A, use);
  double *w = s->work, *L = s->L;
  for (int j = 0; j < s->nodes; j++) {
    const size_t from = s->start[j], to = s->start[j + 1];
    for (size_t q = from; q < to; q++) w[s->row[q]] = L[q];
    double left = s->D[j], size = 0;
    const double before = left;
    for (size_t r = s->left_start[j]; r < s->left_start[j + 1]; r++) {
      const int k = s->left_column[r];
      const size_t at = s->left_at[r];
      const double l = L[at], ld = l * s->D[k];
      left -= l * ld;
      size += s->is_row[k] ? 0 : l * ld;
      for (size_t q = at + 1; q < s->start[k + 1]; q++) w[s->row[q]] -= L[q] * ld;
    }
    if (!pivot(s, j, before, left, size, share, tolerance)) {
      memset(w, 0, sizeof(double) * (size_t)s->nodes);
      for (int i = 0; i < s->n; i++)
        if (s->place[i] == j) return i;
    }
    const double inverse = s->inverse[j];
    for (size_t q = from; q < to; q++) {
      L[q] = w[s->row[q]] * inverse;
      w[s->row[q]] = 0;
    }
  }
  for (int k = 0; k < s->m; k++) s->dependent[k] = s->inverse[s->place[s->n + k]] == 0;
  return -1;
}

bool num_saddle_is_dependent(const num_saddle* s, int k)
{
  return s->dependent[k];
}

// ---- solution -----------------------------------------------------------------------------------

static void substitute(const num_saddle* s, double* x)
{
  const double* L = s->L;
  for (int j = 0; j < s->nodes; j++) {
    const double xj = x[j];
    for (size_t q = s->start[j]; q < s->start[j + 1]; q++) x[s->row[q]] -= L[q] * xj;
  }
  for (int j = 0; j < s->nodes; j++) x[j] *= s->inverse[j];
  for (int j = s->nodes - 1; j >= 0; j--) {
    double xj = x[j];
    for (size_t q = s->start[j]; q < s->start[j + 1]; q++) xj -= L[q] * x[s->row[q]];
    x[j] = xj;
  }
}

void num_saddle_solve(num_saddle* s, const double* f, const double* c, double* x, double* y)
{
  double* z = s->x;
  for (int i = 0; i < s->n; i++) z[s->place[i]] = f ? f[i] : 0;
  for (int k = 0; k < s->m; k++) z[s->place[s->n + k]] = c ? c[k] : 0;
  for (int k = 0; k < s->m && s->stiff && c; k++)
    for (int p = s->A.start[k]; p < s->A.start[k + 1]; p++)
      z[s->place[s->A.column[p]]] += s->gamma[k] * s->A_value[p] * c[k];
  substitute(s, z);
  for (int i = 0; i < s->n; i++) x[i] = z[s->place[i]];
  for (int k = 0; k < s->m && y; k++) y[k] = z[s->place[s->n + k]];
}
