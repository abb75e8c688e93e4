// Exact steps of elimination. What a hand sees at once, a tape cannot: that the terms with sin^2
// and cos^2 of a rolling wheel's heading add up to one. So where pivots are numbers, the steps are
// made on expressions, and their results simplified.
#include "code/exact.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static expr x_minus(expr_pool* p, expr x, expr a, expr b)
{
  return expr_sub(p, x, expr_mul(p, a, b));
}

static bool is_zero(const expr_pool* p, expr e)
{
  long value;
  return expr_is_int(p, e, &value) && value == 0;
}

// ---- dependent unknowns -------------------------------------------------------------------------

static void clear_column(expr_pool* p, int count, int columns, expr* rows, int r, int column)
{
  expr* own = rows + r * columns;
  const expr pivot = own[column];
  for (int k = 0; k < columns; k++) own[k] = expr_div(p, own[k], pivot);
  for (int i = 0; i < count; i++) {
    expr* other = rows + i * columns;
    const expr factor = other[column];
    if (i == r || is_zero(p, factor)) continue;
    for (int k = 0; k < columns; k++)
      other[k] = expr_simplify(p, x_minus(p, other[k], factor, own[k]));
  }
}

bool code_exact_rows(expr_pool* p, const code_linear* s, expr* rows, int* row_of)
{
  const int n = s->n, m = s->rows, columns = n + 1 + m;
  for (int r = 0; r < m; r++)
    for (int k = 0; k < columns; k++)
      rows[r * columns + k] = k < n    ? s->A[r * n + k]
                              : k == n ? s->b[r]
                                       : expr_int(p, k - n - 1 == r);
  for (int d = 0; d < m; d++) {
    const int column = s->dependent[d];
    int pivot = -1;
    for (int r = 0; r < m && pivot < 0; r++) {
      bool taken = false;
      for (int before = 0; before < d; before++) taken |= row_of[before] == r;
      const expr e = rows[r * columns + column];
      if (!taken && expr_is_number(p, e) && !is_zero(p, e)) pivot = r;
    }
    if (pivot < 0) return false;
    clear_column(p, m, columns, rows, pivot, column);
    row_of[d] = pivot;
  }
  return true;
}

void code_exact_reduce(expr_pool* p, const code_linear* s, const expr* rows, const int* row_of,
                       int count, const int* independent, expr* R, expr* y)
{
  const int n = s->n, m = s->rows, columns = n + 1 + m;
#define T(D, K) rows[row_of[D] * columns + (K)]
#define M(I, K) s->M[(I) > (K) ? (I)*n + (K) : (K)*n + (I)]
#define DEP(D)  s->dependent[D]
#define FREE(I) independent[I]
  expr w[m + 1];
  for (int i = 0; i < count; i++) {
    expr h = s->F[FREE(i)];
    for (int d = 0; d < m; d++) {
      h = x_minus(p, h, T(d, FREE(i)), s->F[DEP(d)]);
      w[d] = M(FREE(i), DEP(d));
      for (int f = 0; f < m; f++) w[d] = x_minus(p, w[d], T(f, FREE(i)), M(DEP(f), DEP(d)));
      // c is minus the entry in the column of b
      h = expr_add(p, h, expr_mul(p, w[d], T(d, n)));
    }
    y[i] = m ? expr_simplify(p, h) : h;
    for (int k = 0; k <= i; k++) {
      expr r = M(FREE(i), FREE(k));
      for (int d = 0; d < m; d++) {
        r = x_minus(p, r, T(d, FREE(i)), M(DEP(d), FREE(k)));
        r = x_minus(p, r, w[d], T(d, FREE(k)));
      }
      R[i * count + k] = m ? expr_simplify(p, r) : r;
    }
  }
#undef T
#undef M
#undef DEP
#undef FREE
}

// ---- numbers on the diagonal --------------------------------------------------------------------

typedef struct block
{
  expr_pool* p;
  int count;
  expr *R, *y;   // what is left
  expr *R2, *y2; // and after one more step
  bool* done;
} block;

static expr* entry(const block* b, expr* R, int i, int k)
{
  return i > k ? &R[i * b->count + k] : &R[k * b->count + i];
}

// how many unknowns of the rest are coupled to k
static int neighbours(const block* b, int k)
{
  int count = 0;
  for (int i = 0; i < b->count; i++)
    count += i != k && !b->done[i] && !is_zero(b->p, *entry(b, b->R, i, k));
  return count;
}

static expr less(const block* b, int i, int j, expr l, int k)
{
  return expr_simplify(b->p, x_minus(b->p, *entry(b, b->R, i, j), l, *entry(b, b->R, j, k)));
}

// does the pivot of k leave that of i no longer than it is?
static bool leaves_short(const block* b, int i, int k)
{
  const expr l = expr_div(b->p, *entry(b, b->R, i, k), *entry(b, b->R, k, k));
  return expr_length(b->p, less(b, i, i, l, k)) <= expr_length(b->p, *entry(b, b->R, i, i));
}

// and all the others? The first sign that terms cancel. Short ones tell soonest that they do not.
static bool shortens(const block* b, int k)
{
  bool* seen = base_alloc((size_t)b->count + 1);
  bool fine = true;
  while (fine) {
    int next = -1;
    for (int i = 0; i < b->count; i++) {
      if (i == k || seen[i] || b->done[i] || is_zero(b->p, *entry(b, b->R, i, k))) continue;
      if (next < 0 ||
          expr_length(b->p, *entry(b, b->R, i, i)) < expr_length(b->p, *entry(b, b->R, next, next)))
        next = i;
    }
    if (next < 0) break;
    seen[next] = true;
    fine = leaves_short(b, next, k);
  }
  free(seen);
  return fine;
}

// one more step, by the pivot of k, as trial
static void eliminate(block* b, int k)
{
  const int n = b->count;
  memcpy(b->R2, b->R, (size_t)(n * n) * sizeof *b->R);
  memcpy(b->y2, b->y, (size_t)n * sizeof *b->y);
  const expr pivot = *entry(b, b->R, k, k);
  b->y2[k] = expr_div(b->p, b->y[k], pivot);
  for (int i = 0; i < n; i++) {
    if (i == k || b->done[i]) continue;
    const expr l = *entry(b, b->R2, i, k) = expr_div(b->p, *entry(b, b->R, i, k), pivot);
    if (is_zero(b->p, l)) continue;
    for (int j = 0; j <= i; j++)
      if (j != k && !b->done[j])
        *entry(b, b->R2, i, j) =
            expr_simplify(b->p, x_minus(b->p, *entry(b, b->R, i, j), l, *entry(b, b->R, j, k)));
    b->y2[i] = expr_simplify(b->p, x_minus(b->p, b->y[i], l, b->y[k]));
  }
}

// operations of both sides
static double work(const block* b, expr* R, const expr* y, expr* all)
{
  int count = 0;
  for (int i = 0; i < b->count; i++) {
    all[count++] = y[i];
    for (int k = 0; k <= i; k++) all[count++] = *entry(b, R, i, k);
  }
  return expr_work(b->p, count, all);
}

// the number on the diagonal with the fewest neighbours, at least one; -1: none that was not tried
static int next_pivot(const block* b, const bool* tried)
{
  int best = -1, fewest = b->count;
  for (int k = 0; k < b->count; k++) {
    const expr pivot = *entry(b, b->R, k, k);
    if (b->done[k] || tried[k] || !expr_is_number(b->p, pivot) || !(expr_number(b->p, pivot) > 0))
      continue;
    const int others = neighbours(b, k);
    if (others == 0 || others >= fewest) continue;
    best = k;
    fewest = others;
  }
  return best;
}

int code_exact_pivots(expr_pool* p, int count, expr* R, expr* y, int* order)
{
  const size_t size = (size_t)count;
  expr* room = base_alloc((3 * size * size + 2 * size + 1) * sizeof *room);
  bool* flags = base_alloc(2 * size + 1);
  block b = {p, count, R, y, room, room + size * size, flags};
  expr* all = b.y2 + size;
  bool* tried = flags + size;
  int made = 0;
  double before = work(&b, R, y, all);
  for (int k; !expr_pool_full(p) && (k = next_pivot(&b, tried)) >= 0;) {
    tried[k] = true;
    if (!shortens(&b, k)) continue;
    eliminate(&b, k);
    // the step on the tape: factors, entries, right sides
    const int others = neighbours(&b, k), on_tape = others * (others + 5) / 2;
    const double after = work(&b, b.R2, b.y2, all);
    if (after > before + on_tape) continue;
    memcpy(R, b.R2, size * size * sizeof *R);
    memcpy(y, b.y2, size * sizeof *y);
    b.done[k] = true;
    order[made++] = k;
    before = after;
  }
  free(room);
  free(flags);
  return made;
}

// ---- unknowns that stand alone ------------------------------------------------------------------

int code_exact_alone(const expr_pool* p, const code_linear* s, bool* alone)
{
  int count = 0;
  for (int i = 0; i < s->n; i++) {
    const expr mass = s->M[i * s->n + i];
    alone[i] = expr_is_number(p, mass) && expr_number(p, mass) > 0;
    for (int k = 0; k < s->n && alone[i]; k++)
      alone[i] = k == i || is_zero(p, k < i ? s->M[i * s->n + k] : s->M[k * s->n + i]);
    count += alone[i];
  }
  return count;
}

void code_exact_border(expr_pool* p, const code_linear* s, const bool* alone, expr* G, expr* y)
{
  const int n = s->n, m = s->rows;
  for (int r = 0; r < m; r++) {
    y[r] = expr_neg(p, s->b[r]);
    for (int q = 0; q <= r; q++) G[r * m + q] = expr_int(p, 0);
    for (int k = 0; k < n; k++) {
      if (!alone[k]) continue;
      const expr l = expr_div(p, s->A[r * n + k], s->M[k * n + k]);
      y[r] = x_minus(p, y[r], l, s->F[k]);
      for (int q = 0; q <= r; q++) G[r * m + q] = x_minus(p, G[r * m + q], l, s->A[q * n + k]);
    }
    y[r] = expr_simplify(p, y[r]);
    for (int q = 0; q <= r; q++) G[r * m + q] = expr_simplify(p, G[r * m + q]);
  }
}
