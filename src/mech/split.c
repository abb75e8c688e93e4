// Dependent and independent coordinates: the constraints solved for as many accelerations.
#include "mech/split.h"

#include <assert.h>
#include <string.h>

#include "mech/linear.h"
#include "mech/pick.h"

// K q_h'' = c - N q_v'' with the minor K = A_h and N = A_v: g = -K^-1 N. By Cramer's rule where a
// person would use it; K^T (K K^T)^-1 where that is too large: an elimination without zero pivots.

static void sort(int n, int* x)
{
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && x[j] < x[j - 1]; j--) {
      int keep = x[j];
      x[j] = x[j - 1];
      x[j - 1] = keep;
    }
}

static bool is_in(int n, const int* list, int x)
{
  for (int i = 0; i < n; i++)
    if (list[i] == x) return true;
  return false;
}

// rows and columns
static void choose(const mech_system* s, const mech_choice* choice, const bool* allowed,
                   base_arena* arena, mech_split* k)
{
  k->row = base_arena_take(arena, sizeof(int) * (size_t)(s->m + 1));
  k->h = base_arena_take(arena, sizeof(int) * (size_t)(s->n + 1));
  k->v = base_arena_take(arena, sizeof(int) * (size_t)(s->n + 1));
  if (choice && choice->rows && choice->dependent && !allowed) {
    k->rank = choice->rank;
    memcpy(k->row, choice->rows, sizeof(int) * (size_t)k->rank);
    memcpy(k->h, choice->dependent, sizeof(int) * (size_t)k->rank);
  } else {
    mech_pick pick = mech_pick_new(s, arena);
    k->rank = mech_pick_constraints(&pick, choice, allowed, arena, k->row);
    memcpy(k->h, pick.column, sizeof(int) * (size_t)k->rank);
  }
  sort(k->rank, k->row);
  sort(k->rank, k->h);
  for (int i = 0; i < s->n; i++)
    if (!is_in(k->rank, k->h, i)) k->v[k->l++] = i;
  assert(k->rank + k->l == s->n);
}

// X = K^-1 B for large K
static void solve_large(const mech_system* s, int n, int width, const expr* K, const expr* B,
                        expr* X, base_arena* arena)
{
  expr *G = mech_take(arena, n * n), *Y = mech_take(arena, n * width);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) G[i * n + j] = mech_dot(s->pool, n, K + i * n, 1, K + j * n, 1);
  mech_linear_positive(s, n, width, G, B, Y);
  for (int i = 0; i < n; i++)
    for (int c = 0; c < width; c++) X[i * width + c] = mech_dot(s->pool, n, K + i, n, Y + c, width);
}

mech_split* mech_split_choose(const mech_system* s, const mech_choice* choice, const bool* allowed,
                              base_arena* arena)
{
  mech_split* k = base_arena_take(arena, sizeof *k);
  choose(s, choice, allowed, arena, k);
  int rank = k->rank, l = k->l, width = l + rank;
  expr *K = mech_take(arena, rank * rank), *B = mech_take(arena, rank * width),
       *X = mech_take(arena, rank * width);
  for (int i = 0; i < rank; i++) {
    const expr* row = s->A + k->row[i] * s->n;
    for (int j = 0; j < rank; j++) K[i * rank + j] = row[k->h[j]];
    for (int j = 0; j < l; j++) B[i * width + j] = expr_neg(s->pool, row[k->v[j]]);
    for (int j = 0; j < rank; j++) B[i * width + l + j] = expr_int(s->pool, i == j);
  }
  k->D = expr_int(s->pool, 1);
  if (rank > 0 && mech_linear_fraction(s, rank, width, K, B, X, &k->D) == MECH_SOLVED) {
    for (int i = 0; i < rank * width; i++) X[i] = mech_tidy(s, expr_div(s->pool, X[i], k->D));
  } else {
    k->D = expr_int(s->pool, 1);
    solve_large(s, rank, width, K, B, X, arena);
  }
  k->g = mech_take(arena, rank * l);
  k->inverse = mech_take(arena, rank * rank);
  for (int i = 0; i < rank; i++) {
    for (int j = 0; j < l; j++) k->g[i * l + j] = X[i * width + j];
    for (int j = 0; j < rank; j++) k->inverse[i * rank + j] = X[i * width + l + j];
  }
  return k;
}

expr* mech_split_columns(const mech_system* s, const mech_split* k, base_arena* arena)
{
  expr* Z = mech_take(arena, s->n * k->l);
  for (int j = 0; j < k->l; j++) {
    for (int i = 0; i < k->l; i++) Z[k->v[i] * k->l + j] = expr_int(s->pool, i == j);
    for (int i = 0; i < k->rank; i++) Z[k->h[i] * k->l + j] = k->g[i * k->l + j];
  }
  return Z;
}

void mech_split_define(mech_equations* e, const mech_system* s, const mech_split* k)
{
  const model_coord* q = s->model->coord;
  for (int i = 0; i < k->rank; i++)
    for (int j = 0; j < k->l; j++) {
      if (k->g[i * k->l + j] == s->zero[0]) continue;
      char* name = base_arena_printf(e->arena, "g_%s_%s", q[k->h[i]].name, q[k->v[j]].name);
      mech_add_definition(e, "g", mech_name_symbol(s, e->arena, name, ""), k->g[i * k->l + j]);
    }
}

void mech_split_reactions(mech_equations* e, const mech_system* s, const mech_sides* sides,
                          const mech_split* k, base_notes* notes)
{
  int rank = k->rank;
  expr* R = mech_take(e->arena, s->n * rank);
  for (int i = 0; i < s->n * rank; i++) R[i] = s->zero[0];
  for (int i = 0; i < rank; i++)
    for (int j = 0; j < rank; j++) R[k->h[i] * rank + j] = k->inverse[i * rank + j];
  mech_add_reactions(e, s, sides, rank, k->row, R, expr_int(s->pool, 1), notes);
}
