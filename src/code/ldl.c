// S = L D L^T on a tape, right-looking (Golub and Van Loan, Matrix Computations, 4th ed., section
// 4.1.2), unknowns in an order of least degree (Markowitz 1957; Tinney and Walker 1967), so that
// entries that are zero in every state cost nothing.
#include "code/solve.h"

#include <assert.h>
#include <stdlib.h>

typedef struct factoring
{
  code_maker* m;
  int n, positive;
  uint32_t *S, *y;
  uint32_t* scale; // by unknown: the pivot before elimination, or what elimination alone made of it
  bool* done;
  double tolerance;
  uint32_t* guard;
} factoring;

static uint32_t* entry(const factoring* f, int i, int k)
{
  return i > k ? &f->S[i * f->n + k] : &f->S[k * f->n + i];
}

static bool has(const factoring* f, int i, int k)
{
  return *entry(f, i, k) != CODE_ABSENT;
}

// a pivot of the second block is made by the first: all its neighbours there go before it
static bool is_ready(const factoring* f, int i)
{
  if (i < f->positive) return true;
  for (int k = 0; k < f->positive; k++)
    if (!f->done[k] && has(f, i, k)) return false;
  return true;
}

static int next_unknown(const factoring* f)
{
  int best = -1, least = f->n + 1;
  for (int i = 0; i < f->n; i++) {
    if (f->done[i] || !is_ready(f, i)) continue;
    int degree = 0;
    for (int k = 0; k < f->n; k++) degree += !f->done[k] && k != i && has(f, i, k);
    if (degree < least) {
      least = degree;
      best = i;
    }
  }
  assert(best >= 0);
  return best;
}

// the pivot's size against its scale; untouched by elimination it only has to be above zero
static void watch(factoring* f, int k)
{
  code_maker* m = f->m;
  const uint32_t pivot = *entry(f, k, k);
  const uint32_t size = k < f->positive ? pivot : code_solve_neg(m, pivot);
  const bool touched = k < f->positive ? pivot != f->scale[k] : size != f->scale[k];
  const uint32_t part = code_make_const(m, f->tolerance);
  code_solve_guard(m, f->guard, touched ? code_solve_sub(m, size, part, f->scale[k]) : size);
}

static bool is_last(const factoring* f, int k)
{
  for (int i = 0; i < f->n; i++)
    if (!f->done[i] && has(f, i, k)) return false;
  return true;
}

// *inverse: of the pivot; absent where it would serve only once, for then a quotient is as cheap
// and rounded once: near 1 the roundings of inverses lean to one side
static void eliminate(factoring* f, int k, uint32_t* inverse)
{
  code_maker* m = f->m;
  double number;
  watch(f, k);
  f->done[k] = true;
  const uint32_t pivot = code_solve_present(m, *entry(f, k, k));
  *inverse = CODE_ABSENT;
  if (is_last(f, k) && !code_is_const(m, pivot, &number)) return;
  *inverse = code_solve_inverse(m, pivot);
  for (int i = 0; i < f->n; i++) {
    if (f->done[i] || !has(f, i, k)) continue;
    const uint32_t l = code_solve_times(m, *entry(f, i, k), *inverse);
    for (int j = 0; j <= i; j++)
      if (!f->done[j] && has(f, j, k))
        *entry(f, i, j) = code_solve_sub(m, *entry(f, i, j), l, *entry(f, j, k));
    if (i >= f->positive && k < f->positive)
      f->scale[i] = code_solve_add(m, f->scale[i], l, *entry(f, i, k));
    f->y[i] = code_solve_sub(m, f->y[i], l, f->y[k]);
  }
  // from here on column k holds L
  for (int i = 0; i < f->n; i++)
    if (!f->done[i]) *entry(f, i, k) = code_solve_times(m, *entry(f, i, k), *inverse);
}

void code_ldl(code_maker* m, int n, int positive, uint32_t* S, uint32_t* y, double tolerance,
              uint32_t* guard)
{
  factoring f = {m, n, positive, S, y, NULL, NULL, tolerance, guard};
  f.scale = base_alloc((size_t)n * sizeof *f.scale + 1);
  f.done = base_alloc((size_t)n * sizeof *f.done + 1);
  uint32_t* inverse = base_alloc((size_t)n * sizeof *inverse + 1);
  int* order = base_alloc((size_t)n * sizeof *order + 1);
  for (int i = 0; i < n; i++)
    f.scale[i] = i < positive ? *entry(&f, i, i) : code_solve_neg(m, *entry(&f, i, i));

  for (int at = 0; at < n; at++) {
    order[at] = next_unknown(&f);
    eliminate(&f, order[at], &inverse[at]);
  }
  for (int at = n - 1; at >= 0; at--) {
    const int k = order[at];
    if (inverse[at] != CODE_ABSENT)
      y[k] = code_solve_times(m, y[k], inverse[at]);
    else if (y[k] != CODE_ABSENT)
      y[k] = code_make(m, CODE_DIV, y[k], *entry(&f, k, k), 0);
    // unknowns after this one are those already found
    for (int after = n - 1; after > at; after--)
      y[k] = code_solve_sub(m, y[k], *entry(&f, order[after], k), y[order[after]]);
  }
  free(f.scale);
  free(f.done);
  free(inverse);
  free(order);
}

void code_solve_whole(code_problem* p)
{
  const int n = p->n, N = n + p->rows;
  uint32_t *S = code_solve_block((size_t)(N * N)), *y = code_solve_block((size_t)N);
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
