// Linear equations with symbolic elements: over polynomials where they stay short, else by
// elimination with chosen pivots, each row simplified.
#include "expr/solve.h"

// elements longer than this are not worth the work of simplifying
#define MOST_COST 80

typedef struct grid
{
  expr_pool* p;
  int n, width; // rows; columns of A and b together
  expr* at;     // row-major
} grid;

static expr* cell(grid* g, int row, int column)
{
  return &g->at[row * g->width + column];
}

static expr shorter(expr_pool* p, expr e)
{
  return e && expr_cost(p, e) <= MOST_COST ? expr_simplify(p, e) : e;
}

// lower is better: numbers, then elements proved not zero, then unknown ones; short before long
static double badness(grid* g, expr e, bool* sure)
{
  *sure = true;
  if (e == EXPR_ZERO) return -1;
  expr_truth zero = expr_is_zero(g->p, e);
  if (zero == EXPR_YES) return -1;
  *sure = zero == EXPR_NO;
  double b = expr_cost(g->p, e);
  if (expr_kind_at(g->p, e) != EXPR_NUMBER) b += 1;
  return *sure ? b : b + 1e200;
}

// the best row for this column; -1 when all are zero
static int pivot_row(grid* g, int column, bool* sure)
{
  int best = -1;
  double least = 0;
  for (int i = column; i < g->n; i++) {
    bool known;
    double b = badness(g, *cell(g, i, column), &known);
    if (b < 0) {
      *cell(g, i, column) = EXPR_ZERO;
      continue;
    }
    if (best >= 0 && b >= least) continue;
    best = i;
    least = b;
    *sure = known;
  }
  return best;
}

static void swap_rows(grid* g, int a, int b)
{
  for (int k = 0; a != b && k < g->width; k++) {
    expr t = *cell(g, a, k);
    *cell(g, a, k) = *cell(g, b, k);
    *cell(g, b, k) = t;
  }
}

static void clear_below(grid* g, int column)
{
  expr_pool* p = g->p;
  expr pivot = *cell(g, column, column);
  for (int i = column + 1; i < g->n; i++) {
    if (*cell(g, i, column) == EXPR_ZERO) continue;
    expr f = shorter(p, expr_div(p, *cell(g, i, column), pivot));
    *cell(g, i, column) = EXPR_ZERO;
    for (int k = column + 1; k < g->width; k++) {
      expr take = expr_mul(p, f, *cell(g, column, k));
      *cell(g, i, k) = shorter(p, expr_sub(p, *cell(g, i, k), take));
    }
  }
}

static void back(grid* g, int k, expr* x)
{
  expr_pool* p = g->p;
  for (int c = 0; c < k; c++)
    for (int i = g->n - 1; i >= 0; i--) {
      expr s = *cell(g, i, g->n + c);
      for (int j = i + 1; j < g->n; j++)
        s = expr_sub(p, s, expr_mul(p, *cell(g, i, j), x[j * k + c]));
      x[i * k + c] = shorter(p, expr_div(p, s, *cell(g, i, i)));
    }
}

static bool eliminate(grid* g, int k, expr* x, expr* assumed, int* assumed_count)
{
  for (int c = 0; c < g->n; c++) {
    bool sure = true;
    int row = pivot_row(g, c, &sure);
    if (row < 0) return false;
    swap_rows(g, c, row);
    if (!sure) assumed[(*assumed_count)++] = *cell(g, c, c);
    clear_below(g, c);
  }
  back(g, k, x);
  return true;
}

bool expr_solve(expr_pool* p, int n, int k, const expr* A, const expr* b, expr* x, expr* assumed,
                int* assumed_count)
{
  grid g = {p, n, n + k, base_alloc((size_t)n * (size_t)(n + k) * sizeof(expr) + 1)};
  *assumed_count = 0;
  bool defined = true;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n + k; j++) {
      expr e = j < n ? A[i * n + j] : b[i * k + j - n];
      *cell(&g, i, j) = expr_simplify(p, e);
      defined &= e != EXPR_NONE;
    }
  expr determinant = EXPR_NONE;
  expr_truth found = defined ? expr_solve_ring(p, n, k, g.at, x, &determinant) : EXPR_NO;
  if (found == EXPR_YES && expr_is_zero(p, determinant) != EXPR_NO)
    assumed[(*assumed_count)++] = determinant;
  bool regular = found == EXPR_YES;
  if (found == EXPR_UNKNOWN) regular = eliminate(&g, k, x, assumed, assumed_count);
  free(g.at);
  return regular;
}
