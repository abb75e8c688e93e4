// Dependent unknowns eliminated on a tape: a_D = T a_I + c from the rows of A, T = -A_D^-1 A_I,
// c = -A_D^-1 b, and with S = [1; T]
//   S^T M S a_I = S^T (F - M [0; c]),   lambda = A_D^-T (M a - F)_D
#include "code/solve.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Rows [A | b | 1], Gauss and Jordan: afterwards the row that belongs to a dependent unknown reads
// a_d + (row's entries at the independent ones) a_I + (row's entry of b) = 0, and the last columns
// hold A_D^-1.
typedef struct elimination
{
  code_problem* p;
  const int* dependent;
  int columns;
  uint32_t* at;
  int* row_of; // by dependent unknown
  bool *row_done, *done;
  int count, *independent;
} elimination;

// numbers are the safest pivots, then few neighbours make little fill
static long cost(const elimination* g, int r, int d)
{
  const code_problem* p = g->p;
  const uint32_t v = g->at[r * g->columns + g->dependent[d]];
  if (v == CODE_ABSENT) return -1;
  double number;
  long in_row = 0, in_column = 0;
  for (int k = 0; k < p->n; k++) in_row += g->at[r * g->columns + k] != CODE_ABSENT;
  for (int k = 0; k < p->rows; k++)
    in_column += g->at[k * g->columns + g->dependent[d]] != CODE_ABSENT;
  return in_row * in_column + (code_is_const(p->m, v, &number) ? 0 : 1000000);
}

static bool choose_pivot(const elimination* g, int* row, int* unknown)
{
  long least = -1;
  for (int r = 0; r < g->p->rows; r++)
    for (int d = 0; d < g->p->rows; d++) {
      const long c = g->row_done[r] || g->done[d] ? -1 : cost(g, r, d);
      if (c < 0 || (least >= 0 && c >= least)) continue;
      least = c;
      *row = r;
      *unknown = d;
    }
  return least >= 0;
}

// the pivot, of unknown d, against the length of its row of A, in the measure of d
static void watch(elimination* g, int r, int d, uint32_t pivot)
{
  code_problem* p = g->p;
  uint32_t length = CODE_ABSENT;
  for (int k = 0; k < p->n; k++) {
    const double ratio = p->weight ? p->weight[k] / p->weight[d] : 1;
    const uint32_t a = p->A[r * p->n + k], square = code_make_const(p->m, ratio * ratio);
    length = code_solve_add(p->m, length, ratio == 1 ? a : code_solve_times(p->m, square, a), a);
  }
  const uint32_t part = code_make_const(p->m, p->row_tolerance * p->row_tolerance);
  const uint32_t square = code_solve_times(p->m, pivot, pivot);
  code_solve_guard(p->m, &p->guard, code_solve_sub(p->m, square, part, length));
}

static void clear_column(elimination* g, int r, int column)
{
  code_maker* m = g->p->m;
  uint32_t* own = &g->at[r * g->columns];
  const uint32_t inverse = code_solve_inverse(m, own[column]);
  for (int k = 0; k < g->columns; k++)
    own[k] = k == column ? code_make_const(m, 1) : code_solve_times(m, own[k], inverse);
  for (int i = 0; i < g->p->rows; i++) {
    uint32_t* other = &g->at[i * g->columns];
    const uint32_t factor = other[column];
    if (i == r || factor == CODE_ABSENT) continue;
    for (int k = 0; k < g->columns; k++)
      other[k] = k == column ? CODE_ABSENT : code_solve_sub(m, other[k], factor, own[k]);
  }
}

static bool eliminate(elimination* g)
{
  code_problem* p = g->p;
  for (int r = 0; r < p->rows; r++) {
    memcpy(&g->at[r * g->columns], &p->A[r * p->n], (size_t)p->n * sizeof *p->A);
    g->at[r * g->columns + p->n] = p->b[r];
    g->at[r * g->columns + p->n + 1 + r] = code_make_const(p->m, 1);
  }
  for (int step = 0; step < p->rows; step++) {
    int r, d;
    if (!choose_pivot(g, &r, &d)) return false;
    watch(g, r, g->dependent[d], g->at[r * g->columns + g->dependent[d]]);
    clear_column(g, r, g->dependent[d]);
    g->row_done[r] = g->done[d] = true;
    g->row_of[d] = r;
  }
  return true;
}

// T (by dependent unknown and unknown) and c
static uint32_t T(const elimination* g, int d, int k)
{
  return g->at[g->row_of[d] * g->columns + k];
}

// x + T_dk v, with the sign the rows carry
static uint32_t add_T(elimination* g, uint32_t x, int d, int k, uint32_t v)
{
  return code_solve_sub(g->p->m, x, T(g, d, k), v);
}

// S^T M S and S^T (F - M [0; c]) for the independent unknowns
static void reduce(elimination* g, int count, const int* independent, uint32_t* R, uint32_t* y)
{
  code_problem* p = g->p;
  const int n = p->n;
  uint32_t *W = code_solve_block((size_t)(n * count)), *h = code_solve_block((size_t)n);
  for (int i = 0; i < n; i++) {
    h[i] = p->F[i];
    for (int d = 0; d < p->rows; d++)
      h[i] = code_solve_add(p->m, h[i], p->M[i * n + g->dependent[d]], T(g, d, n));
    for (int k = 0; k < count; k++) {
      uint32_t* w = &W[i * count + k];
      *w = p->M[i * n + independent[k]];
      for (int d = 0; d < p->rows; d++)
        *w = add_T(g, *w, d, independent[k], p->M[i * n + g->dependent[d]]);
    }
  }
  for (int i = 0; i < count; i++) {
    y[i] = h[independent[i]];
    for (int d = 0; d < p->rows; d++) y[i] = add_T(g, y[i], d, independent[i], h[g->dependent[d]]);
    for (int k = 0; k <= i; k++) {
      uint32_t* r = &R[i * count + k];
      *r = W[independent[i] * count + k];
      for (int d = 0; d < p->rows; d++)
        *r = add_T(g, *r, d, independent[i], W[g->dependent[d] * count + k]);
    }
  }
  free(W);
  free(h);
}

static void find_dependent(elimination* g, int count, const int* independent)
{
  code_problem* p = g->p;
  for (int d = 0; d < p->rows; d++) {
    uint32_t* a = &p->a[g->dependent[d]];
    *a = code_solve_neg(p->m, T(g, d, p->n));
    for (int k = 0; k < count; k++) *a = add_T(g, *a, d, independent[k], p->a[independent[k]]);
  }
}

static void find_multipliers(elimination* g)
{
  code_problem* p = g->p;
  for (int d = 0; d < p->rows; d++) {
    const int i = g->dependent[d];
    uint32_t left = code_solve_neg(p->m, p->F[i]);
    for (int k = 0; k < p->n; k++) left = code_solve_add(p->m, left, p->M[i * p->n + k], p->a[k]);
    for (int r = 0; r < p->rows; r++)
      p->lambda[r] = code_solve_add(p->m, p->lambda[r], T(g, d, p->n + 1 + r), left);
  }
}

int code_solve_independent(int n, int rows, const int* dependent, int* independent)
{
  int count = 0;
  for (int i = 0; i < n; i++) {
    bool is_dependent = false;
    for (int d = 0; d < rows; d++) is_dependent |= dependent[d] == i;
    if (!is_dependent) independent[count++] = i;
  }
  assert(count == n - rows);
  return count;
}

// the unknowns of l that its steps have not eliminated, then those, the last one first
static void solve_left(code_problem* p, int count, const code_reduced* l)
{
  const int kept = count - l->made;
  int *keep = base_alloc((size_t)count * sizeof *keep + 1), at = 0;
  uint32_t *S = code_solve_block((size_t)(kept * kept)), *z = code_solve_block((size_t)kept);
#define R(I, K) l->R[(I) > (K) ? (I)*count + (K) : (K)*count + (I)]
  for (int k = 0; k < count; k++) {
    bool eliminated = false;
    for (int i = 0; i < l->made; i++) eliminated |= l->order[i] == k;
    if (!eliminated) keep[at++] = k;
  }
  for (int i = 0; i < kept; i++) {
    z[i] = l->y[keep[i]];
    for (int k = 0; k <= i; k++) S[i * kept + k] = R(keep[i], keep[k]);
  }
  code_ldl(p->m, kept, kept, S, z, p->tolerance, &p->guard);
  for (int i = 0; i < kept; i++) l->y[keep[i]] = z[i];
  for (int step = l->made - 1; step >= 0; step--) {
    const int k = l->order[step];
    for (int i = 0; i < kept; i++) l->y[k] = code_solve_sub(p->m, l->y[k], R(keep[i], k), z[i]);
    for (int after = step + 1; after < l->made; after++)
      l->y[k] = code_solve_sub(p->m, l->y[k], R(l->order[after], k), l->y[l->order[after]]);
  }
#undef R
  free(keep);
  free(S);
  free(z);
}

// R a_I = y, then everything else from a_I
static void finish(elimination* g, int count, const int* independent, const code_reduced* l)
{
  code_problem* p = g->p;
  solve_left(p, count, l);
  for (int k = 0; k < count; k++) p->a[independent[k]] = l->y[k];
  find_dependent(g, count, independent);
  find_multipliers(g);
}

void code_solve_cleared(code_problem* p, const int* dependent, uint32_t* rows, int* row_of,
                        const code_reduced* left)
{
  elimination g = {.p = p, .dependent = dependent, .columns = p->n + 1 + p->rows};
  g.at = rows;
  g.row_of = row_of;
  int* independent = base_alloc((size_t)p->n * sizeof *independent + 1);
  const int count = code_solve_independent(p->n, p->rows, dependent, independent);
  finish(&g, count, independent, left);
  free(independent);
}

static elimination begin(code_problem* p, const int* dependent)
{
  const size_t rows = (size_t)p->rows;
  elimination g = {.p = p, .dependent = dependent, .columns = p->n + 1 + p->rows};
  g.at = code_solve_block(rows * (size_t)g.columns);
  g.row_of = base_alloc(rows * sizeof *g.row_of + 1);
  g.row_done = base_alloc(rows * sizeof *g.row_done + 1);
  g.done = base_alloc(rows * sizeof *g.done + 1);
  g.independent = base_alloc((size_t)p->n * sizeof *g.independent + 1);
  g.count = code_solve_independent(p->n, p->rows, dependent, g.independent);
  return g;
}

static void end(elimination* g)
{
  free(g->at);
  free(g->row_of);
  free(g->row_done);
  free(g->done);
  free(g->independent);
}

bool code_solve_rows(code_problem* p, const int* dependent)
{
  elimination g = begin(p, dependent);
  const int count = g.count;
  const bool regular = eliminate(&g);
  if (regular) {
    uint32_t* R = code_solve_block((size_t)(count * count));
    uint32_t* y = code_solve_block((size_t)count);
    reduce(&g, count, g.independent, R, y);
    finish(&g, count, g.independent, &(code_reduced){.R = R, .y = y});
    free(R);
    free(y);
  }
  end(&g);
  return regular;
}

bool code_solve_dependent(code_problem* p, const int* dependent)
{
  elimination g = begin(p, dependent);
  const bool regular = eliminate(&g);
  if (regular) find_dependent(&g, g.count, g.independent);
  end(&g);
  return regular;
}
