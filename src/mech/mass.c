// Equations with the mass matrix, which falls into blocks that do not know of each other.
#include "mech/mass.h"

#include <stdlib.h>

#include "mech/linear.h"

// what is left up to this size is solved by Cramer's rule, larger ones by elimination on the
// diagonal
#define BLOCK 4

// number the blocks: coordinates that M connects have the same
static int find_blocks(const mech_system* s, int* block)
{
  int n = s->n, count = 0;
  for (int i = 0; i < n; i++) block[i] = -1;
  for (int first = 0; first < n; first++) {
    if (block[first] >= 0) continue;
    block[first] = count;
    for (bool more = true; more;) {
      more = false;
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n && block[i] == count; j++)
          if (block[j] < 0 && mech_mass(s)[i * n + j] != s->zero[0]) block[j] = count, more = true;
    }
    count++;
  }
  return count;
}

// coordinates of a block
static int members(const mech_system* s, const int* block, int which, int* at)
{
  int count = 0;
  for (int i = 0; i < s->n; i++)
    if (block[i] == which) at[count++] = i;
  return count;
}

// ---- one block ----------------------------------------------------------------------------------

// K x = B during elimination along the diagonal: pivots free of the state first (the masses of
// translations), which leaves the inertia about the centre of mass for the others
typedef struct table
{
  const mech_system* s;
  int n, k;
  expr *K, *B;
  bool* done;
  int* order; // rows in the order of elimination
  int count;
} table;

// entries after a step are worth more work than others: everything after is made of them
static expr shorten(const mech_system* s, expr e)
{
  if (!s->small || expr_size(s->pool, 1, &e) > 4 * MECH_SHORT) return e;
  return expr_simplify(s->pool, e);
}

static bool is_free(const mech_system* s, expr e)
{
  return e != s->zero[0] && !mech_is_of_state(s, e);
}

static int next_pivot(const table* t)
{
  int best = -1;
  size_t least = 0;
  for (int i = 0; i < t->n; i++) {
    expr d = t->K[i * t->n + i];
    if (t->done[i] || !is_free(t->s, d)) continue;
    size_t size = expr_size(t->s->pool, 1, &d);
    if (best < 0 || size < least) best = i, least = size;
  }
  return best;
}

static void eliminate(table* t, int i)
{
  expr_pool* p = t->s->pool;
  int n = t->n;
  t->done[i] = true;
  t->order[t->count++] = i;
  for (int r = 0; r < n; r++) {
    if (t->done[r] || t->K[r * n + i] == t->s->zero[0]) continue;
    expr factor = mech_tidy(t->s, expr_div(p, t->K[r * n + i], t->K[i * n + i]));
    for (int c = 0; c < n; c++)
      if (!t->done[c] && t->K[i * n + c] != t->s->zero[0])
        t->K[r * n + c] =
            shorten(t->s, expr_sub(p, t->K[r * n + c], expr_mul(p, factor, t->K[i * n + c])));
    for (int c = 0; c < t->k; c++)
      t->B[r * t->k + c] =
          shorten(t->s, expr_sub(p, t->B[r * t->k + c], expr_mul(p, factor, t->B[i * t->k + c])));
  }
}

// the block of the coordinates `at`, its free pivots eliminated; memory from the arena
static table begin(const mech_system* s, int n, const int* at, int k, const expr* B,
                   base_arena* arena)
{
  table t = {.s = s, .n = n, .k = k, .K = mech_take(arena, n * n), .B = mech_take(arena, n * k)};
  t.done = base_arena_take(arena, sizeof(bool) * (size_t)(n + 1));
  t.order = base_arena_take(arena, sizeof(int) * (size_t)(n + 1));
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) t.K[i * n + j] = mech_mass(s)[at[i] * s->n + at[j]];
    for (int c = 0; c < k; c++) t.B[i * k + c] = B[at[i] * k + c];
  }
  for (int i = next_pivot(&t); i >= 0; i = next_pivot(&t)) eliminate(&t, i);
  return t;
}

// what is left, as equations of their own
static int core(const table* t, int* row, expr* K, expr* B)
{
  int n = 0;
  for (int i = 0; i < t->n; i++)
    if (!t->done[i]) row[n++] = i;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) K[i * n + j] = t->K[row[i] * t->n + row[j]];
    for (int c = 0; c < t->k; c++) B[i * t->k + c] = t->B[row[i] * t->k + c];
  }
  return n;
}

static bool block_is_singular(const mech_system* s, int n, const int* at, base_arena* arena)
{
  expr *zero = mech_take(arena, s->n), *K = mech_take(arena, n * n), *B = mech_take(arena, n), D;
  expr* Y = mech_take(arena, n);
  for (int i = 0; i < s->n; i++) zero[i] = s->zero[0];
  table t = begin(s, n, at, 1, zero, arena);
  int* row = base_arena_take(arena, sizeof(int) * (size_t)(n + 1));
  int left = core(&t, row, K, B);
  for (int i = 0; i < left; i++)
    if (K[i * left + i] == s->zero[0]) return true;
  return left > 0 && left <= BLOCK &&
         mech_linear_fraction(s, left, 1, K, B, Y, &D) == MECH_SINGULAR;
}

bool mech_mass_is_singular(const mech_system* s)
{
  if (s->model->massless) return true;
  base_arena* arena = base_arena_new();
  int* block = base_arena_take(arena, sizeof(int) * (size_t)(2 * s->n + 1));
  int *at = block + s->n, blocks = find_blocks(s, block);
  bool singular = false;
  for (int b = 0; b < blocks && !singular; b++)
    singular = block_is_singular(s, members(s, block, b, at), at, arena);
  base_arena_free(arena);
  return singular;
}

static void solve_block(mech_equations* e, const mech_system* s, int n, const int* at, int k,
                        const expr* B, expr* X)
{
  expr_pool* p = s->pool;
  table t = begin(s, n, at, k, B, e->arena);
  int* row = base_arena_take(e->arena, sizeof(int) * (size_t)(n + 1));
  expr *K = mech_take(e->arena, n * n), *b = mech_take(e->arena, n * k),
       *y = mech_take(e->arena, n * k), D = expr_int(p, 1);
  int left = core(&t, row, K, b);
  if (left > BLOCK || mech_linear_fraction(s, left, k, K, b, y, &D) != MECH_SOLVED) {
    D = expr_int(p, 1);
    mech_linear_positive(s, left, k, K, b, y);
  }
  mech_add_assumption(e, s, D);
  for (int i = 0; i < left; i++)
    for (int c = 0; c < k; c++) X[at[row[i]] * k + c] = shorten(s, expr_div(p, y[i * k + c], D));
  // back, the last eliminated first
  for (int o = t.count - 1; o >= 0; o--) {
    int i = t.order[o];
    for (int c = 0; c < k; c++) {
      expr sum = t.B[i * k + c];
      for (int j = 0; j < n; j++) {
        bool before = j == i;
        for (int q = 0; q < o; q++) before |= t.order[q] == j;
        if (!before && t.K[i * n + j] != s->zero[0])
          sum = expr_sub(p, sum, expr_mul(p, t.K[i * n + j], X[at[j] * k + c]));
      }
      X[at[i] * k + c] = shorten(s, expr_div(p, sum, t.K[i * n + i]));
    }
  }
}

void mech_mass_solve(mech_equations* e, const mech_system* s, int k, const expr* B, expr* X)
{
  int* block = base_alloc(sizeof(int) * (size_t)(2 * s->n + 1));
  int* at = block + s->n;
  int blocks = find_blocks(s, block);
  for (int b = 0; b < blocks; b++) {
    int count = members(s, block, b, at);
    solve_block(e, s, count, at, k, B, X);
  }
  free(block);
}
