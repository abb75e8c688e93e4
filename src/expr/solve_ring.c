// Linear equations over polynomials, without fractions: E. H. Bareiss, "Sylvester's identity and
// multistep integer-preserving Gaussian elimination", Math. Comp. 22 (1968).
//   m_ij <- (m_kk m_ij - m_ik m_kj) / m_(k-1)(k-1), for all rows i other than k; the division
// leaves no rest, and at the end every diagonal element is the determinant.
#include "expr/poly.h"
#include "expr/solve.h"

#define WORK       200000
#define MOST_TERMS 120

typedef struct table
{
  expr_ring r;
  int n, width;
  expr_poly* at;
} table;

static expr_poly* cell(table* t, int row, int column)
{
  return &t->at[row * t->width + column];
}

static void replace(table* t, expr_poly* a, expr_poly b)
{
  expr_poly_free(&t->r, a);
  *a = b;
}

// reads all cells; rows are multiplied by what stands below the line in them
static bool start(table* t, const expr* rows)
{
  for (int i = 0; i < t->n; i++) {
    for (int k = 0; k < t->width && !t->r.failed; k++)
      *cell(t, i, k) = expr_poly_of(&t->r, rows[i * t->width + k]);
    if (!t->r.failed) expr_poly_clear_row(&t->r, t->width, cell(t, i, 0));
  }
  return !t->r.failed;
}

// the shortest element of the column that is not zero; -1 when there is none
static int pivot_row(table* t, int k)
{
  int best = -1;
  for (int i = k; i < t->n; i++) {
    if (expr_poly_is_zero(&t->r, cell(t, i, k))) {
      expr_poly_free(&t->r, cell(t, i, k));
      continue;
    }
    if (best < 0 || cell(t, i, k)->n < cell(t, best, k)->n) best = i;
  }
  return best;
}

static void swap_rows(table* t, int a, int b)
{
  for (int k = 0; a != b && k < t->width; k++) {
    expr_poly x = *cell(t, a, k);
    *cell(t, a, k) = *cell(t, b, k);
    *cell(t, b, k) = x;
  }
}

static void eliminate(table* t, int i, int k, const expr_poly* before)
{
  expr_ring* r = &t->r;
  for (int j = 0; j < t->width && !r->failed; j++) {
    if (j == k || (j < k && j != i)) continue;
    expr_poly a = expr_poly_mul(r, cell(t, k, k), cell(t, i, j));
    expr_poly b = expr_poly_mul(r, cell(t, i, k), cell(t, k, j));
    expr_poly_add(r, &a, &b, EXPR_MINUS_ONE);
    expr_poly_free(r, &b);
    expr_poly quotient = {0};
    if (!expr_poly_divide(r, &a, before, &quotient)) r->failed = true;
    expr_poly_free(r, &a);
    replace(t, cell(t, i, j), quotient);
    if (quotient.n > MOST_TERMS) r->failed = true;
  }
  expr_poly_free(&t->r, cell(t, i, k));
}

// false when the columns run out of pivots
static bool run(table* t)
{
  expr_poly before = expr_poly_number(&t->r, EXPR_ONE);
  bool regular = true;
  for (int k = 0; k < t->n && regular && !t->r.failed; k++) {
    int row = pivot_row(t, k);
    regular = row >= 0;
    if (!regular || t->r.failed) break;
    swap_rows(t, k, row);
    for (int i = 0; i < t->n && !t->r.failed; i++)
      if (i != k) eliminate(t, i, k, &before);
    replace(t, &before, expr_poly_copy(&t->r, cell(t, k, k)));
  }
  expr_poly_free(&t->r, &before);
  return regular;
}

// a polynomial as a simplified expression
static expr written(table* t, const expr_poly* a)
{
  return expr_simplify(t->r.p, expr_poly_form(&t->r, a));
}

expr_truth expr_solve_ring(expr_pool* p, int n, int k, const expr* rows, expr* x, expr* determinant)
{
  table t = {.n = n, .width = n + k};
  expr_truth found = EXPR_UNKNOWN;
  t.at = base_alloc((size_t)n * (size_t)t.width * sizeof *t.at + 1);
  if (expr_ring_of(&t.r, p, n * t.width, rows, EXPR_RING_PLAIN, WORK) && start(&t, rows)) {
    bool regular = run(&t);
    if (!t.r.failed) found = regular ? EXPR_YES : EXPR_NO;
    if (found == EXPR_YES) {
      *determinant = n ? written(&t, cell(&t, n - 1, n - 1)) : EXPR_ONE;
      if (!*determinant) found = EXPR_UNKNOWN;
      for (int i = 0; i < n; i++)
        for (int c = 0; c < k; c++) {
          expr above = written(&t, cell(&t, i, n + c));
          x[i * k + c] = expr_simplify(p, expr_div(p, above, *determinant));
          if (!x[i * k + c]) found = EXPR_UNKNOWN;
        }
    }
  }
  for (int i = 0; i < n * t.width; i++) expr_poly_free(&t.r, &t.at[i]);
  free(t.at);
  expr_ring_free(&t.r);
  return found;
}
