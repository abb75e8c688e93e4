// Systems of many coordinates: M and A row by row, nothing kept for what is zero.
//
// The same mathematics as in derive.c. T and V are sums over bodies, each of which knows few
// coordinates: their derivatives are taken term by term, by the symbols a term holds.
#include "mech/sparse.h"
#include "mech/tree.h"

#include <stdlib.h>
#include <string.h>

static expr* take(mech_system* s, size_t n)
{
  return base_arena_take(s->arena, sizeof(expr) * (n + 1));
}

// rows being collected
typedef struct rows
{
  int n;
  BASE_LIST(int) start, column;
  BASE_LIST(expr) value;
} rows;

static void end_row(rows* r)
{
  base_push(&r->start, r->column.n);
  r->n++;
}

static mech_rows seal(mech_system* s, rows* r)
{
  mech_rows out = {.count = r->column.n};
  out.start = base_arena_take(s->arena, sizeof(int) * (size_t)(r->n + 1));
  out.column = base_arena_take(s->arena, sizeof(int) * (size_t)(out.count + 1));
  out.value = take(s, (size_t)out.count);
  if (r->n) memcpy(out.start + 1, r->start.at, sizeof(int) * (size_t)r->n);
  if (out.count) memcpy(out.column, r->column.at, sizeof(int) * (size_t)out.count);
  if (out.count) memcpy(out.value, r->value.at, sizeof(expr) * (size_t)out.count);
  base_list_free(&r->start);
  base_list_free(&r->column);
  base_list_free(&r->value);
  return out;
}

// ---- motion -------------------------------------------------------------------------------------

// one row of the lower triangle of M; the diagonal is always there
static void add_row(const mech_system* s, rows* r, int i, const expr_slope_list* list)
{
  bool met = false;
  for (int k = 0; k < list->n && list->at[k].number <= i; k++) {
    met = list->at[k].number == i;
    base_push(&r->column, list->at[k].number);
    base_push(&r->value, list->at[k].value);
  }
  if (!met) {
    base_push(&r->column, i);
    base_push(&r->value, s->zero[0]);
  }
  end_row(r);
}

// M and h by T
static void by_energy(mech_system* s, expr* p)
{
  rows r = {0};
  expr_slope_list list = {0};
  mech_hessian* w = mech_hessian_new(s, s->model->T, p);
  for (int i = 0; i < s->n; i++) {
    mech_hessian_row(w, i, &list);
    add_row(s, &r, i, &list);
  }
  base_list_free(&list);
  s->M_rows = seal(s, &r);
  mech_hessian_rest(w, s->h);
  mech_hessian_free(w);
}

// M by the masses
static void write_rows(mech_system* s, mech_masses* w)
{
  rows r = {0};
  expr_slope_list list = {0};
  for (int i = 0; i < s->n; i++) {
    mech_masses_row(w, i, &list);
    add_row(s, &r, i, &list);
  }
  base_list_free(&list);
  s->M_rows = seal(s, &r);
}

static void write_mass(mech_system* s);

// M and h by the masses
static void by_masses(mech_system* s, mech_masses* w)
{
  if (!mech_tree_hang(s, mech_masses_tree(w), write_mass)) write_rows(s, w);
  mech_masses_rest(w, s->h);
}

static void motion(mech_system* s, expr* p)
{
  const model* m = s->model;
  const int n = s->n;
  expr* Vq = take(s, (size_t)n);
  s->F = take(s, (size_t)n);
  s->h = take(s, (size_t)n);
  s->G = take(s, (size_t)n);
  mech_masses* chain = mech_masses_chained(s);
  for (int i = 0; i < n; i++) p[i] = EXPR_NONE;
  if (chain)
    by_masses(s, chain);
  else
    by_energy(s, p);
  mech_gradient(s, m->V, s->q, Vq);
  mech_masses_free(chain);
  for (int i = 0; i < n; i++) s->G[i] = expr_sub(s->pool, m->Q[i], Vq[i]);
}

// ---- constraints --------------------------------------------------------------------------------

static void constraints(mech_system* s, const expr_index* by_q, const expr_index* by_v)
{
  const int m = s->m;
  expr_index* by_a = expr_index_new(s->n, s->a);
  rows r = {0};
  expr_slope_list list = {0};
  s->c = take(s, (size_t)m);
  s->f0 = take(s, (size_t)m);
  s->f1 = take(s, (size_t)m);
  s->role = base_arena_take(s->arena, sizeof *s->role * (size_t)(m + 1));
  for (int k = 0; k < m; k++) {
    const model_constraint* f = &s->model->constraint[k];
    const int order = f->order;
    const expr_index* index = order == 0 ? by_q : order == 1 ? by_v : by_a;
    const expr* by = order == 0 ? s->q : order == 1 ? s->v : s->a;
    mech_row_slopes(s, index, by, f->f, &list);
    for (int i = 0; i < list.n; i++) {
      base_push(&r.column, list.at[i].number);
      base_push(&r.value, list.at[i].value);
    }
    end_row(&r);
    s->f0[k] = order == 0 ? f->f : EXPR_NONE;
    s->f1[k] = order == 0 ? expr_total(s->pool, f->f) : order == 1 ? f->f : EXPR_NONE;
    s->c[k] = order == 2 ? f->f : expr_total(s->pool, s->f1[k]);
    s->role[k] = (mech_role){.ideal = true, .servo = -1};
  }
  s->A_rows = seal(s, &r);
  // what is left without accelerations; nonlinear ones keep theirs: A a = c says f = 0
  expr* rest = take(s, (size_t)m);
  expr_substitute_all(s->pool, m, s->c, s->n, s->a, s->zero, rest);
  for (int k = 0; k < m; k++)
    s->c[k] = mech_is_nonlinear(s, k)
                  ? expr_sub(s->pool, mech_row_dot(s, k, s->a), s->model->constraint[k].f)
                  : expr_neg(s->pool, rest[k]);
  base_list_free(&list);
  expr_index_free(by_a);
}

expr mech_row_dot(const mech_system* s, int k, const expr* x)
{
  const mech_rows* A = &s->A_rows;
  if (!A->start) return mech_dot(s->pool, s->n, s->A + k * s->n, 1, x, 1);
  expr sum = s->zero[0];
  for (int p = A->start[k]; p < A->start[k + 1]; p++)
    sum = expr_add(s->pool, sum, expr_mul(s->pool, A->value[p], x[A->column[p]]));
  return sum;
}

void mech_sparse_fill(mech_system* s, expr* p)
{
  expr_index* by_q = expr_index_new(s->n, s->q);
  expr_index* by_v = expr_index_new(s->n, s->v);
  motion(s, p);
  constraints(s, by_q, by_v);
  expr_index_free(by_q);
  expr_index_free(by_v);
}

// ---- the rest -----------------------------------------------------------------------------------

bool mech_is_quadratic(const mech_system* s)
{
  expr* term = NULL;
  const int terms = s->hung           ? mech_tree_terms(s->hung, &term)
                    : s->M_rows.start ? s->M_rows.count
                                      : s->n * s->n;
  const expr* list = term ? term : s->M_rows.start ? s->M_rows.value : s->M;
  expr_index* by_v = expr_index_new(s->n, s->v);
  const bool quadratic = !expr_index_any_of(s->pool, by_v, terms, list);
  expr_index_free(by_v);
  free(term);
  return quadratic;
}

static void spread_mass(mech_system* s)
{
  const size_t n = (size_t)s->n;
  s->M = take(s, n * n);
  for (size_t i = 0; i < n * n; i++) s->M[i] = s->zero[0];
  for (int i = 0; i < s->n; i++)
    for (int p = s->M_rows.start[i]; p < s->M_rows.start[i + 1]; p++) {
      const int j = s->M_rows.column[p];
      s->M[i * s->n + j] = s->M[j * s->n + i] = s->M_rows.value[p];
    }
}

static void write_mass(mech_system* s)
{
  mech_masses* w = mech_masses_chained(s);
  write_rows(s, w);
  mech_masses_free(w);
  spread_mass(s);
}

void mech_sparse_spread(mech_system* s)
{
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  if (!s->hung) spread_mass(s);
  s->A = take(s, m * n);
  for (size_t i = 0; i < m * n; i++) s->A[i] = s->zero[0];
  for (int k = 0; k < s->m; k++)
    for (int p = s->A_rows.start[k]; p < s->A_rows.start[k + 1]; p++)
      s->A[k * s->n + s->A_rows.column[p]] = s->A_rows.value[p];
}

// ---- few coordinates ----------------------------------------------------------------------------

// how many times the work of full matrices must be that of the entries to be worth leaving them
static const double worth = 8;

// M (columns up to the diagonal, which stays) or A, of what is not zero
static mech_rows thin_of(mech_system* s, int count, bool lower, const expr* full)
{
  const int n = s->n;
  BASE_LIST(int) column = {0};
  BASE_LIST(expr) value = {0};
  mech_rows out = {.start = base_arena_take(s->arena, sizeof(int) * (size_t)(count + 1))};
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < (lower ? i + 1 : n); k++) {
      if (full[i * n + k] == s->zero[0] && !(lower && i == k)) continue;
      base_push(&column, k);
      base_push(&value, full[i * n + k]);
    }
    out.start[i + 1] = column.n;
  }
  out.count = column.n;
  out.column = base_arena_take(s->arena, sizeof(int) * (size_t)(column.n + 1));
  out.value = take(s, (size_t)value.n + 1);
  memcpy(out.column, column.at, sizeof(int) * (size_t)column.n);
  memcpy(out.value, value.at, sizeof(expr) * (size_t)value.n);
  base_list_free(&column);
  base_list_free(&value);
  return out;
}

// what stands alone in the only row left that has column j
static bool is_number(const mech_system* s, const mech_rows* A, int row, int j)
{
  for (int k = A->start[row]; k < A->start[row + 1]; k++)
    if (A->column[k] == j)
      return expr_is_number(s->pool, A->value[k]) && expr_number(s->pool, A->value[k]) != 0;
  return false;
}

// Are the rows of A independent wherever the system is? They are if they can be taken away one by
// one, each with a column that no other row left has and where its entry is a number: A is then
// triangular but for the order. So are the joints of bodies that hang on each other as a tree, in
// coordinates of each body; no position of them is singular.
static bool never_singular(const mech_system* s, const mech_rows* A)
{
  const int n = s->n, m = s->m;
  int *held = base_alloc(sizeof(int) * (size_t)(2 * n + 1)), *sum = held + n, left = m;
  bool* gone = base_alloc((size_t)m + 1);
  for (int r = 0; r < m; r++)
    for (int k = A->start[r]; k < A->start[r + 1]; k++) {
      held[A->column[k]]++;
      sum[A->column[k]] += r;
    }
  for (bool found = true; found && left;) {
    found = false;
    for (int j = 0; j < n; j++) {
      const int row = sum[j];
      if (held[j] != 1 || gone[row] || !is_number(s, A, row, j)) continue;
      gone[row] = found = true;
      left--;
      for (int k = A->start[row]; k < A->start[row + 1]; k++) {
        held[A->column[k]]--;
        sum[A->column[k]] -= row;
      }
    }
  }
  free(held);
  free(gone);
  return !left;
}

void mech_sparse_thin(mech_system* s)
{
  if (!s->m || !s->M) return;
  const mech_rows M = thin_of(s, s->n, true, s->M), A = thin_of(s, s->m, false, s->A);
  const double full = (double)s->m * s->m * s->n;
  if (full < worth * (M.count + A.count) || !never_singular(s, &A)) return;
  s->M_rows = M;
  s->A_rows = A;
}

static bool none_missing(int n, const expr* e)
{
  for (int i = 0; i < n; i++)
    if (e[i] == EXPR_NONE) return false;
  return true;
}

bool mech_sparse_whole(const mech_system* s)
{
  if (s->hung && !mech_tree_whole(s->hung)) return false;
  return none_missing(s->M_rows.count, s->M_rows.value) && none_missing(s->n, s->h) &&
         none_missing(s->n, s->G) && none_missing(s->A_rows.count, s->A_rows.value) &&
         none_missing(s->m, s->c) && s->H != EXPR_NONE && s->power != EXPR_NONE;
}
