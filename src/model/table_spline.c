// A table as an expression.
//
// Along one argument the function is f(x) = y_0 + sum_k P_k(u_k), P_k the polynomial of piece k and
//   u_k = g_(k+1) - g_k,   g_k = min(x, x_k),
// the part of piece k that lies before x: it grows from 0 to the length of the piece and stays
// there. So each knot is one corner, pieces that are passed add what they are worth and no more,
// and nothing large cancels. Of steps u_k is 0 before the knot and 1 behind. Along two arguments
// f is the sum of all products of these terms.
//
// Cubic: the slopes s_k at the knots make second derivatives continuous; at the second and the last
// but one knot the third, too (de Boor 1978, not-a-knot). Three points are a parabola.

#include <stdlib.h>

#include "model/table.h"

// terms of one argument beside the constant
static int terms_of(model_table_way way, int n)
{
  return way == MODEL_TABLE_CUBIC ? 3 * (n - 1) : n - 1;
}

// ---- numbers ------------------------------------------------------------------------------------

// slopes at n >= 2 knots; w: room for 2n
static void find_slopes(int n, const double* x, const double* y, int stride, double* s, double* w)
{
  double *diagonal = w, *above = w + n;
#define H(k) (x[(k) + 1] - x[k])
#define D(k) ((y[((k) + 1) * stride] - y[(k)*stride]) / H(k))
  if (n == 2) {
    s[0] = s[1] = D(0);
    return;
  }
  if (n == 3) {
    const double bend = (D(1) - D(0)) / (x[2] - x[0]);
    s[0] = D(0) - bend * H(0);
    s[1] = D(0) + bend * H(0);
    s[2] = D(1) + bend * H(1);
    return;
  }
  // the first row, each of the others eliminated as it comes, and the last
  const double first = x[2] - x[0], last = x[n - 1] - x[n - 3];
  diagonal[0] = H(1);
  above[0] = first;
  s[0] = ((H(0) + 2 * first) * H(1) * D(0) + H(0) * H(0) * D(1)) / first;
  for (int k = 1; k < n - 1; k++) {
    const double times = H(k) / diagonal[k - 1];
    diagonal[k] = 2 * (x[k + 1] - x[k - 1]) - times * above[k - 1];
    above[k] = H(k - 1);
    s[k] = 3 * (H(k) * D(k - 1) + H(k - 1) * D(k)) - times * s[k - 1];
  }
  const double times = last / diagonal[n - 2];
  const double right =
      (H(n - 2) * H(n - 2) * D(n - 3) + (2 * last + H(n - 2)) * H(n - 3) * D(n - 2)) / last;
  s[n - 1] = (right - times * s[n - 2]) / (H(n - 3) - times * above[n - 2]);
  for (int k = n - 2; k >= 0; k--) s[k] = (s[k] - above[k] * s[k + 1]) / diagonal[k];
#undef H
#undef D
}

// factors of 1 and of the terms, from values y by `stride`, to `out` by `step`
static void find_factors(model_table_way way, int n, const double* x, const double* y, int stride,
                         double* out, int step)
{
  out[0] = y[0];
  double* s = base_alloc(sizeof(double) * (size_t)(3 * n + 1));
  if (way == MODEL_TABLE_CUBIC && n > 1) find_slopes(n, x, y, stride, s, s + n);
  for (int k = 0; k + 1 < n; k++) {
    const double rise = y[(k + 1) * stride] - y[k * stride], h = x[k + 1] - x[k], d = rise / h;
    if (way == MODEL_TABLE_STEPS) out[(k + 1) * step] = rise;
    if (way == MODEL_TABLE_LINEAR) out[(k + 1) * step] = d;
    if (way != MODEL_TABLE_CUBIC) continue;
    out[(3 * k + 1) * step] = s[k];
    out[(3 * k + 2) * step] = (3 * d - 2 * s[k] - s[k + 1]) / h;
    out[(3 * k + 3) * step] = (s[k] + s[k + 1] - 2 * d) / (h * h);
  }
  free(s);
}

// ---- expressions --------------------------------------------------------------------------------

static expr least(expr_pool* p, expr a, expr b)
{
  const expr both[2] = {a, b};
  return expr_call(p, EXPR_MIN, 2, both);
}

// 1 and the terms of an argument
static void find_terms(expr_pool* p, const model_table* t, int along, expr x, expr* term)
{
  const int n = t->count[along];
  const double* at = t->knot[along];
  const bool hold = t->outside == MODEL_TABLE_HOLD;
  term[0] = expr_int(p, 1);
  expr before = hold && n > 1 ? least(p, x, expr_double(p, at[0])) : expr_double(p, at[0]);
  for (int k = 0; k + 1 < n; k++) {
    const expr knot = expr_double(p, at[k + 1]);
    if (t->way == MODEL_TABLE_STEPS) {
      term[k + 1] = expr_if(p, expr_less(p, x, knot), expr_int(p, 0), expr_int(p, 1));
      continue;
    }
    const expr behind = k + 2 < n || hold ? least(p, x, knot) : x;
    const expr u = expr_sub(p, behind, before);
    before = behind;
    if (t->way == MODEL_TABLE_LINEAR) term[k + 1] = u;
    for (int power = 1; power <= 3 && t->way == MODEL_TABLE_CUBIC; power++)
      term[3 * k + power] = expr_pow(p, u, expr_int(p, power));
  }
}

expr model_table_expr(expr_pool* p, const model_table* t, const expr* x)
{
  const int n = t->count[0], m = t->count[1];
  const int rows = 1 + terms_of(t->way, n), columns = 1 + terms_of(t->way, m);
  double* half = base_alloc(sizeof(double) * (size_t)(n * columns + rows * columns));
  double* all = half + n * columns;
  expr* term = base_alloc(sizeof(expr) * (size_t)(rows + columns + rows * columns));
  expr *other = term + rows, *sum = other + columns;
  for (int i = 0; i < n; i++)
    find_factors(t->way, m, t->knot[1], t->value + i * m, 1, half + i * columns, 1);
  for (int j = 0; j < columns; j++)
    find_factors(t->way, n, t->knot[0], half + j, columns, all + j, columns);
  find_terms(p, t, 0, x[0], term);
  if (t->arguments == 2)
    find_terms(p, t, 1, x[1], other);
  else
    other[0] = expr_int(p, 1);
  int count = 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      const expr factor[3] = {expr_double(p, all[i * columns + j]), term[i], other[j]};
      if (all[i * columns + j] != 0) sum[count++] = expr_product(p, 3, factor);
    }
  const expr f = count ? expr_sum(p, count, sum) : expr_int(p, 0);
  free(half);
  free(term);
  return f;
}
