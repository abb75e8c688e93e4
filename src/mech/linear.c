// Linear equations with expressions: number pivots first, Cramer's rule for the core that is left.
#include "mech/linear.h"

#include <assert.h>
#include <stdlib.h>

#include "mech/factor.h"

// the largest core for Cramer's rule
#define CORE 4

// [K | B] during elimination: w columns; pivot[i] is the column solved by row i, or -1
typedef struct table
{
  const mech_system* s;
  int n, w;
  expr* at;
  int* pivot;
  bool* solved; // per column
} table;

static bool is_zero(const table* t, int i, int j)
{
  return t->at[i * t->w + j] == t->s->zero[0];
}

static bool is_open(const table* t, int i, int j)
{
  return t->pivot[i] < 0 && !t->solved[j];
}

// fill-in a pivot at (i, j) may cause, after Markowitz
static int fill(const table* t, int i, int j)
{
  int row = 0, column = 0;
  for (int c = 0; c < t->w; c++) row += !is_zero(t, i, c);
  for (int r = 0; r < t->n; r++) column += !is_zero(t, r, j);
  return (row - 1) * (column - 1);
}

// the open entry that is a number and causes least fill-in
static bool find_number(const table* t, int* row, int* column)
{
  int least = -1;
  for (int i = 0; i < t->n; i++)
    for (int j = 0; j < t->n; j++) {
      if (!is_open(t, i, j) || is_zero(t, i, j)) continue;
      if (!expr_is_number(t->s->pool, t->at[i * t->w + j])) continue;
      int f = fill(t, i, j);
      if (least < 0 || f < least) least = f, *row = i, *column = j;
    }
  return least >= 0;
}

// clear column j from every row but i
static void eliminate(table* t, int i, int j)
{
  expr_pool* p = t->s->pool;
  const expr* from = t->at + i * t->w;
  for (int r = 0; r < t->n; r++) {
    if (r == i || is_zero(t, r, j)) continue;
    expr* to = t->at + r * t->w;
    expr factor = expr_div(p, to[j], from[j]);
    for (int c = 0; c < t->w; c++)
      if (!is_zero(t, i, c) && c != j)
        to[c] = mech_tidy(t->s, expr_sub(p, to[c], expr_mul(p, factor, from[c])));
    to[j] = t->s->zero[0];
  }
  t->pivot[i] = j;
  t->solved[j] = true;
}

// determinant of the rows and columns in the two sets (bit i: index i)
static expr minor(const mech_system* s, int n, const expr* K, unsigned rows, unsigned columns)
{
  expr_pool* p = s->pool;
  int i = 0;
  while (i < n && !(rows >> i & 1)) i++;
  if (i == n) return expr_int(p, 1);
  // Laplace along the first row that is left
  expr sum = s->zero[0];
  bool minus = false;
  for (int j = 0; j < n; j++) {
    if (!(columns >> j & 1)) continue;
    if (K[i * n + j] != s->zero[0]) {
      expr sub = minor(s, n, K, rows & ~(1u << i), columns & ~(1u << j));
      expr term = expr_mul(p, K[i * n + j], sub);
      sum = minus ? expr_sub(p, sum, term) : expr_add(p, sum, term);
    }
    minus = !minus;
  }
  return sum;
}

// Y = adj(K) B, D = det K
static void cramer(const mech_system* s, int n, int k, const expr* K, const expr* B, expr* Y,
                   expr* D)
{
  expr_pool* p = s->pool;
  unsigned all = (1u << n) - 1;
  expr adjoint[CORE * CORE];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      expr c = minor(s, n, K, all & ~(1u << j), all & ~(1u << i));
      adjoint[i * n + j] = (i + j) % 2 ? expr_neg(p, c) : c;
    }
  *D = mech_tidy(s, minor(s, n, K, all, all));
  for (int i = 0; i < n; i++)
    for (int c = 0; c < k; c++)
      Y[i * k + c] = mech_tidy(s, mech_dot(p, n, adjoint + i * n, 1, B + c, k));
}

// Rows and columns the number pivots left open, solved by Cramer; the others by substitution:
// row i says  d x_j + sum over open u of w_u x_u = b,  with d a number, so  Y_j = (b D - w.Y_u) /
// d.
static mech_linear finish(table* t, int k, expr* Y, expr* D)
{
  expr_pool* p = t->s->pool;
  int n = t->n, core = 0;
  int rows[CORE], columns[CORE], found = 0;
  for (int i = 0; i < n; i++) core += t->pivot[i] < 0;
  if (core > CORE) return MECH_LARGE;
  for (int i = 0; i < n; i++)
    if (t->pivot[i] < 0) rows[found++] = i;
  found = 0;
  for (int j = 0; j < n; j++)
    if (!t->solved[j]) columns[found++] = j;
  assert(found == core);
  expr K[CORE * CORE];
  expr* B = base_alloc(sizeof(expr) * (size_t)(2 * CORE * k + 1));
  expr* open = B + CORE * k;
  for (int i = 0; i < core; i++) {
    for (int j = 0; j < core; j++) K[i * core + j] = t->at[rows[i] * t->w + columns[j]];
    for (int c = 0; c < k; c++) B[i * k + c] = t->at[rows[i] * t->w + n + c];
  }
  cramer(t->s, core, k, K, B, open, D);
  for (int i = 0; i < core; i++)
    for (int c = 0; c < k; c++) Y[columns[i] * k + c] = open[i * k + c];
  for (int i = 0; i < n; i++) {
    if (t->pivot[i] < 0) continue;
    const expr* row = t->at + i * t->w;
    for (int c = 0; c < k; c++) {
      expr sum = expr_mul(p, row[n + c], *D);
      for (int u = 0; u < core; u++)
        sum = expr_sub(p, sum, expr_mul(p, row[columns[u]], open[u * k + c]));
      Y[t->pivot[i] * k + c] = mech_tidy(t->s, expr_div(p, sum, row[t->pivot[i]]));
    }
  }
  free(B);
  if (mech_factor_is_negative(p, *D)) {
    *D = expr_neg(p, *D);
    for (int i = 0; i < n * k; i++) Y[i] = expr_neg(p, Y[i]);
  }
  return core > 0 && expr_is_zero(p, *D) == EXPR_YES ? MECH_SINGULAR : MECH_SOLVED;
}

mech_linear mech_linear_fraction(const mech_system* s, int n, int k, const expr* K, const expr* B,
                                 expr* Y, expr* D)
{
  table t = {.s = s, .n = n, .w = n + k};
  t.at = base_alloc(sizeof(expr) * (size_t)(n * t.w + 1));
  t.pivot = base_alloc(sizeof(int) * (size_t)(n + 1));
  t.solved = base_alloc(sizeof(bool) * (size_t)(n + 1));
  for (int i = 0; i < n; i++) {
    t.pivot[i] = -1;
    for (int j = 0; j < n; j++) t.at[i * t.w + j] = K[i * n + j];
    for (int c = 0; c < k; c++) t.at[i * t.w + n + c] = B[i * k + c];
  }
  int i, j;
  while (find_number(&t, &i, &j)) eliminate(&t, i, j);
  mech_linear status = finish(&t, k, Y, D);
  free(t.at);
  free(t.pivot);
  free(t.solved);
  return status;
}

void mech_linear_positive(const mech_system* s, int n, int k, const expr* G, const expr* B, expr* X)
{
  expr_pool* p = s->pool;
  expr* U = base_alloc(sizeof(expr) * (size_t)(n * n + 1));
  for (int i = 0; i < n * n; i++) U[i] = G[i];
  for (int i = 0; i < n * k; i++) X[i] = B[i];
  // forward: the pivots are the squares of Cholesky's diagonal
  for (int i = 0; i < n; i++)
    for (int r = i + 1; r < n; r++) {
      if (U[r * n + i] == s->zero[0]) continue;
      expr factor = expr_div(p, U[r * n + i], U[i * n + i]);
      for (int c = i + 1; c < n; c++)
        if (U[i * n + c] != s->zero[0])
          U[r * n + c] = expr_sub(p, U[r * n + c], expr_mul(p, factor, U[i * n + c]));
      for (int c = 0; c < k; c++)
        if (X[i * k + c] != s->zero[0])
          X[r * k + c] = expr_sub(p, X[r * k + c], expr_mul(p, factor, X[i * k + c]));
    }
  // back
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      for (int c = 0; c < k && U[i * n + j] != s->zero[0]; c++)
        X[i * k + c] = expr_sub(p, X[i * k + c], expr_mul(p, U[i * n + j], X[j * k + c]));
    for (int c = 0; c < k; c++)
      if (X[i * k + c] != s->zero[0]) X[i * k + c] = expr_div(p, X[i * k + c], U[i * n + i]);
  }
  free(U);
}
