// Linear problems as part of a kernel.
//   M a = F + A^T lambda,   A a + b = 0,   M symmetric, positive definite
// Without dependent unknowns the whole symmetric matrix [M A^T; A 0] with (a, -lambda) is
// factored, M before what it leaves of A, which is -A M^-1 A^T. With them, a_D = T a_I + c from the
// rows of A, T = -A_D^-1 A_I, c = -A_D^-1 b, and with S = [1; T]
//   S^T M S a_I = S^T (F - M [0; c]),   lambda = A_D^-T (M a - F)_D
#include "code/solve.h"

#include "code/kernel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// ---- algebra with absent values -----------------------------------------------------------------

uint32_t code_solve_value(const code_maker* m, uint32_t v)
{
  double x;
  return code_is_const(m, v, &x) && x == 0 ? CODE_ABSENT : v;
}

uint32_t code_solve_present(code_maker* m, uint32_t v)
{
  return v == CODE_ABSENT ? code_make_const(m, 0) : v;
}

uint32_t code_solve_times(code_maker* m, uint32_t a, uint32_t b)
{
  return a == CODE_ABSENT || b == CODE_ABSENT ? CODE_ABSENT : code_make(m, CODE_MUL, a, b, 0);
}

uint32_t code_solve_neg(code_maker* m, uint32_t a)
{
  return a == CODE_ABSENT ? CODE_ABSENT : code_make_neg(m, a);
}

uint32_t code_solve_add(code_maker* m, uint32_t x, uint32_t a, uint32_t b)
{
  const uint32_t p = code_solve_times(m, a, b);
  if (p == CODE_ABSENT) return x;
  return x == CODE_ABSENT ? p : code_solve_value(m, code_make(m, CODE_ADD, x, p, 0));
}

uint32_t code_solve_sub(code_maker* m, uint32_t x, uint32_t a, uint32_t b)
{
  const uint32_t p = code_solve_times(m, a, b);
  if (p == CODE_ABSENT) return x;
  if (x == CODE_ABSENT) return code_make_neg(m, p);
  return code_solve_value(m, code_make(m, CODE_SUB, x, p, 0));
}

uint32_t code_solve_inverse(code_maker* m, uint32_t a)
{
  return code_make(m, CODE_DIV, code_make_const(m, 1), code_solve_present(m, a), 0);
}

void code_solve_guard(code_maker* m, uint32_t* guard, uint32_t x)
{
  double number;
  x = code_solve_present(m, x);
  if (code_is_const(m, x, &number) && number > 0) return;
  *guard = *guard == CODE_ABSENT ? x : code_make(m, CODE_MIN, *guard, x, 0);
}

// ---- the problem on the tape --------------------------------------------------------------------

typedef struct problem
{
  code_maker* m;
  int n, rows;
  uint32_t *M, *F, *A, *b; // M whole, both triangles
  uint32_t *a, *lambda;    // found
  double tolerance;
  uint32_t guard;
} problem;

static uint32_t* block(size_t n)
{
  uint32_t* v = base_alloc(n * sizeof *v + 1);
  for (size_t i = 0; i < n; i++) v[i] = CODE_ABSENT;
  return v;
}

static void solve_whole(problem* p)
{
  const int n = p->n, N = n + p->rows;
  uint32_t *S = block((size_t)(N * N)), *y = block((size_t)N);
  for (int i = 0; i < n; i++) {
    y[i] = p->F[i];
    for (int k = 0; k <= i; k++) S[i * N + k] = p->M[i * n + k];
  }
  for (int r = 0; r < p->rows; r++) {
    y[n + r] = code_solve_neg(p->m, p->b[r]);
    for (int k = 0; k < n; k++) S[(n + r) * N + k] = p->A[r * n + k];
  }
  code_ldl(p->m, N, n, S, y, p->tolerance, &p->guard);
  for (int i = 0; i < n; i++) p->a[i] = y[i];
  for (int r = 0; r < p->rows; r++) p->lambda[r] = code_solve_neg(p->m, y[n + r]);
  free(S);
  free(y);
}

// ---- elimination of dependent unknowns ----------------------------------------------------------

// Rows [A | b | 1], Gauss and Jordan: afterwards the row that belongs to a dependent unknown reads
// a_d + (row's entries at the independent ones) a_I + (row's entry of b) = 0, and the last columns
// hold A_D^-1.
typedef struct elimination
{
  problem* p;
  const int* dependent;
  int columns;
  uint32_t* at;
  int* row_of; // by dependent unknown
  bool *row_done, *done;
} elimination;

// numbers are the safest pivots, then few neighbours make little fill
static long cost(const elimination* g, int r, int d)
{
  const problem* p = g->p;
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

// the pivot against the length of its row of A
static void watch(elimination* g, int r, uint32_t pivot)
{
  problem* p = g->p;
  uint32_t length = CODE_ABSENT;
  for (int k = 0; k < p->n; k++)
    length = code_solve_add(p->m, length, p->A[r * p->n + k], p->A[r * p->n + k]);
  const uint32_t part = code_make_const(p->m, p->tolerance * p->tolerance);
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
  problem* p = g->p;
  for (int r = 0; r < p->rows; r++) {
    memcpy(&g->at[r * g->columns], &p->A[r * p->n], (size_t)p->n * sizeof *p->A);
    g->at[r * g->columns + p->n] = p->b[r];
    g->at[r * g->columns + p->n + 1 + r] = code_make_const(p->m, 1);
  }
  for (int step = 0; step < p->rows; step++) {
    int r, d;
    if (!choose_pivot(g, &r, &d)) return false;
    watch(g, r, g->at[r * g->columns + g->dependent[d]]);
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
  problem* p = g->p;
  const int n = p->n;
  uint32_t *W = block((size_t)(n * count)), *h = block((size_t)n);
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
  problem* p = g->p;
  for (int d = 0; d < p->rows; d++) {
    uint32_t* a = &p->a[g->dependent[d]];
    *a = code_solve_neg(p->m, T(g, d, p->n));
    for (int k = 0; k < count; k++) *a = add_T(g, *a, d, independent[k], p->a[independent[k]]);
  }
}

static void find_multipliers(elimination* g)
{
  problem* p = g->p;
  for (int d = 0; d < p->rows; d++) {
    const int i = g->dependent[d];
    uint32_t left = code_solve_neg(p->m, p->F[i]);
    for (int k = 0; k < p->n; k++) left = code_solve_add(p->m, left, p->M[i * p->n + k], p->a[k]);
    for (int r = 0; r < p->rows; r++)
      p->lambda[r] = code_solve_add(p->m, p->lambda[r], T(g, d, p->n + 1 + r), left);
  }
}

static bool solve_reduced(problem* p, const int* dependent)
{
  const size_t rows = (size_t)p->rows, n = (size_t)p->n;
  elimination g = {.p = p, .dependent = dependent, .columns = p->n + 1 + p->rows};
  g.at = block(rows * (size_t)g.columns);
  g.row_of = base_alloc(rows * sizeof *g.row_of + 1);
  g.row_done = base_alloc(rows * sizeof *g.row_done + 1);
  g.done = base_alloc(rows * sizeof *g.done + 1);
  int* independent = base_alloc(n * sizeof *independent + 1);
  int count = 0;
  for (int i = 0; i < p->n; i++) {
    bool is_dependent = false;
    for (int d = 0; d < p->rows; d++) is_dependent |= dependent[d] == i;
    if (!is_dependent) independent[count++] = i;
  }
  assert(count == p->n - p->rows);

  const bool regular = eliminate(&g);
  if (regular) {
    uint32_t *R = block((size_t)(count * count)), *y = block((size_t)count);
    reduce(&g, count, independent, R, y);
    code_ldl(p->m, count, count, R, y, p->tolerance, &p->guard);
    for (int k = 0; k < count; k++) p->a[independent[k]] = y[k];
    find_dependent(&g, count, independent);
    find_multipliers(&g);
    free(R);
    free(y);
  }
  free(g.at);
  free(g.row_of);
  free(g.row_done);
  free(g.done);
  free(independent);
  return regular;
}

// ---- the door -----------------------------------------------------------------------------------

// all expressions of the problem in one list: M's lower triangle, F, A, b, the others
static expr* listed(const code_linear* s, int* count)
{
  const int n = s->n, m = s->rows;
  expr* list = base_alloc((size_t)(n * n + n + m * n + m + s->others) * sizeof *list + 1);
  int at = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k <= i; k++) list[at++] = s->M[i * n + k];
  for (int i = 0; i < n; i++) list[at++] = s->F[i];
  for (int i = 0; i < m * n; i++) list[at++] = s->A[i];
  for (int i = 0; i < m; i++) list[at++] = s->b[i];
  for (int i = 0; i < s->others; i++) list[at++] = s->other[i];
  *count = at;
  return list;
}

static void read_values(problem* p, const uint32_t* v)
{
  code_maker* m = p->m;
  const int n = p->n;
  p->M = block((size_t)(n * n));
  p->F = block((size_t)n);
  p->A = block((size_t)(p->rows * n));
  p->b = block((size_t)p->rows);
  p->a = block((size_t)n);
  p->lambda = block((size_t)p->rows);
  for (int i = 0; i < n; i++)
    for (int k = 0; k <= i; k++) p->M[i * n + k] = p->M[k * n + i] = code_solve_value(m, *v++);
  for (int i = 0; i < n; i++) p->F[i] = code_solve_value(m, *v++);
  for (int i = 0; i < p->rows * n; i++) p->A[i] = code_solve_value(m, *v++);
  for (int i = 0; i < p->rows; i++) p->b[i] = code_solve_value(m, *v++);
}

static void free_values(problem* p)
{
  free(p->M);
  free(p->F);
  free(p->A);
  free(p->b);
  free(p->a);
  free(p->lambda);
}

// outputs: a, lambda when asked for, the guard, the others
static void put_out(problem* p, const code_linear* s, const uint32_t* other)
{
  code_tape* t = &p->m->tape;
  const int lambdas = s->multipliers ? p->rows : 0;
  uint32_t* out = base_alloc((size_t)(p->n + lambdas + 1 + s->others) * sizeof *out);
  int at = 0;
  for (int i = 0; i < p->n; i++) out[at++] = code_solve_present(p->m, p->a[i]);
  for (int r = 0; r < lambdas; r++) out[at++] = code_solve_present(p->m, p->lambda[r]);
  out[at++] = p->guard == CODE_ABSENT ? code_make_const(p->m, 1) : p->guard;
  for (int i = 0; i < s->others; i++) out[at++] = other[i];
  free(t->out);
  t->out = out;
  t->outputs = at;
}

code_kernel* code_build_solve(const expr_pool* pool, const code_linear* s, int inputs,
                              const expr* in, expr* missing)
{
  assert(pool && s->n >= 0 && s->rows >= 0 && s->rows <= s->n && s->tolerance > 0);
  int count;
  expr unknown = EXPR_NONE, *list = listed(s, &count);
  code_maker m;
  code_maker_start(&m, inputs, count);
  bool fine = code_lower(&m, pool, list, in, &unknown);
  free(list);
  if (missing) *missing = unknown;
  if (fine) {
    problem p = {.m = &m, .n = s->n, .rows = s->rows, .tolerance = s->tolerance};
    p.guard = CODE_ABSENT;
    read_values(&p, m.tape.out);
    if (s->rows && s->dependent)
      fine = solve_reduced(&p, s->dependent);
    else
      solve_whole(&p);
    if (fine) put_out(&p, s, m.tape.out + count - s->others);
    free_values(&p);
  }
  code_maker_end(&m);
  if (fine) return code_kernel_new(&m.tape);
  code_tape_free(&m.tape);
  return NULL;
}
