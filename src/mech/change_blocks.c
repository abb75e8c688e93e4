// Velocities that take the place of those of coordinates.
#include "mech/change.h"
#include "mech/linear.h"

#include <string.h>

// ---- orientations -------------------------------------------------------------------------------

// Of a unit quaternion q = (w, r), with the angular velocity W on the turned axes:
//   W = 2 (w r' - w' r - r x r'),   w' = -r.W/2,   r' = (w W + r x W)/2
// and the norm is kept by itself.

// the four coordinates of a constraint w^2 + r.r = 1 of the coordinates themselves
static bool is_norm(const mech_system* s, int k, int column[4])
{
  const model_constraint* f = &s->model->constraint[k];
  expr_pool* p = s->pool;
  if (!f->internal || f->order != 0) return false;
  int count = 0;
  expr part[5];
  for (int j = 0; j < s->n; j++) {
    if (s->A[k * s->n + j] == s->zero[0]) continue;
    if (count == 4) return false;
    part[count] = expr_mul(p, s->q[j], s->q[j]);
    column[count++] = j;
  }
  part[4] = expr_int(p, -1);
  return count == 4 && f->f == expr_sum(p, 5, part);
}

// "Q" of "Q.norm"
static const char* owner(const mech_system* s, int k, base_arena* arena)
{
  const char* name = s->model->constraint[k].name;
  const char* dot = strrchr(name, '.');
  return dot ? base_arena_strndup(arena, name, (size_t)(dot - name)) : name;
}

static mech_block take_block(base_arena* arena, int rows, int columns)
{
  return (mech_block){.rows = rows,
                      .columns = columns,
                      .column = base_arena_take(arena, sizeof(int) * (size_t)columns),
                      .label = base_arena_take(arena, sizeof(char*) * (size_t)rows),
                      .v = mech_take(arena, rows),
                      .meaning = mech_take(arena, rows),
                      .Z = mech_take(arena, rows * columns),
                      .k = mech_take(arena, columns),
                      .norm = -1};
}

static void fill_orientation(const mech_system* s, mech_block* b)
{
  expr_pool* p = s->pool;
  const expr half = expr_ratio(p, 1, 2), two = expr_int(p, 2);
  expr q[4], v[4];
  for (int i = 0; i < 4; i++) {
    q[i] = s->q[b->column[i]];
    v[i] = s->v[b->column[i]];
    b->k[i] = s->zero[0];
  }
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const expr part[4] = {expr_mul(p, q[0], v[1 + i]), expr_neg(p, expr_mul(p, q[1 + i], v[0])),
                          expr_neg(p, expr_mul(p, q[1 + j], v[1 + k])),
                          expr_mul(p, q[1 + k], v[1 + j])};
    b->meaning[i] = expr_mul(p, two, expr_sum(p, 4, part));
    // column i of the way back: W along axis i alone
    b->Z[i] = expr_mul(p, half, expr_neg(p, q[1 + i]));
    b->Z[(1 + i) * 3 + i] = expr_mul(p, half, q[0]);
    b->Z[(1 + j) * 3 + i] = expr_mul(p, half, q[1 + k]);
    b->Z[(1 + k) * 3 + i] = expr_mul(p, half, expr_neg(p, q[1 + j]));
  }
  b->D = expr_int(p, 1);
}

bool mech_is_norm(const mech_system* s, int k)
{
  int column[4];
  return is_norm(s, k, column);
}

void mech_change_orientations(const mech_system* s, base_arena* arena, mech_blocks* out)
{
  static const char* const part[3] = {"wx", "wy", "wz"};
  for (int k = 0; k < s->m; k++) {
    int column[4];
    if (!is_norm(s, k, column)) continue;
    mech_block b = take_block(arena, 3, 4);
    memcpy(b.column, column, sizeof column);
    const char* name = owner(s, k, arena);
    for (int i = 0; i < 3; i++) {
      b.label[i] = base_arena_printf(arena, "%s.%s", name, part[i]);
      b.v[i] = expr_symbol(s->pool, b.label[i]);
    }
    fill_orientation(s, &b);
    b.norm = k;
    const expr four[4] = {s->q[column[0]], s->q[column[1]], s->q[column[2]], s->q[column[3]]};
    expr_unit_set(s->pool, four);
    base_push(out, b);
  }
}

// ---- declared -----------------------------------------------------------------------------------

typedef struct declared
{
  int rows;
  int* quasi;
  expr* row; // n of each
  int* set;  // which belong together: the least number of one of them
} declared;

static bool is_allowed(const mech_choice* choice, int i)
{
  if (!choice || !choice->quasi) return true;
  for (int k = 0; k < choice->quasis; k++)
    if (choice->quasi[k] == i) return true;
  return false;
}

// derivatives by the velocities; false where it is nonlinear in them, or only one of them renamed
static bool is_linear(const mech_system* s, const model_quasi* u, expr* row)
{
  if (u->order != 1) return false;
  for (int j = 0; j < s->n; j++)
    if (u->value == s->v[j]) return false;
  expr_gradient(s->pool, u->value, s->n, s->v, row);
  for (int j = 0; j < s->n; j++) {
    if (expr_has_any(s->pool, row[j], s->n, s->v)) return false;
    row[j] = mech_tidy(s, row[j]);
  }
  return true;
}

static bool is_used(const mech_system* s, const mech_blocks* blocks, const expr* row)
{
  for (int i = 0; i < blocks->n; i++)
    for (int j = 0; j < blocks->at[i].columns; j++)
      if (row[blocks->at[i].column[j]] != s->zero[0]) return true;
  return false;
}

static declared gather(const mech_system* s, const mech_choice* choice, const mech_blocks* blocks,
                       base_arena* arena)
{
  const model* m = s->model;
  declared d = {.quasi = base_arena_take(arena, sizeof(int) * (size_t)(m->quasis + 1)),
                .row = mech_take(arena, (m->quasis + 1) * s->n),
                .set = base_arena_take(arena, sizeof(int) * (size_t)(m->quasis + 1))};
  for (int i = 0; i < m->quasis; i++) {
    expr* row = d.row + d.rows * s->n;
    if (!is_allowed(choice, i) || !is_linear(s, &m->quasi[i], row) || is_used(s, blocks, row))
      continue;
    d.set[d.rows] = d.rows;
    d.quasi[d.rows++] = i;
  }
  return d;
}

// rows that share a velocity belong together
static void join(const mech_system* s, declared* d)
{
  for (bool changed = true; changed;) {
    changed = false;
    for (int a = 0; a < d->rows; a++)
      for (int b = 0; b < a; b++) {
        bool share = false;
        for (int j = 0; j < s->n && !share; j++)
          share = d->row[a * s->n + j] != s->zero[0] && d->row[b * s->n + j] != s->zero[0];
        if (!share || d->set[a] == d->set[b]) continue;
        d->set[a] = d->set[b] = d->set[a] < d->set[b] ? d->set[a] : d->set[b];
        changed = true;
      }
  }
}

// the set solved for the velocities in it; false where it has more or fewer of them
static bool solve_set(const mech_system* s, const declared* d, int set, base_arena* arena,
                      mech_block* out)
{
  expr_pool* p = s->pool;
  const int n = s->n;
  int rows = 0, columns = 0;
  int* row = base_arena_take(arena, sizeof(int) * (size_t)(d->rows + 1));
  int* column = base_arena_take(arena, sizeof(int) * (size_t)(n + 1));
  for (int i = 0; i < d->rows; i++)
    if (d->set[i] == set) row[rows++] = i;
  for (int j = 0; j < n; j++) {
    bool held = false;
    for (int i = 0; i < rows; i++) held = held || d->row[row[i] * n + j] != s->zero[0];
    if (held) column[columns++] = j;
  }
  if (rows != columns) return false;
  mech_block b = take_block(arena, rows, columns);
  memcpy(b.column, column, sizeof(int) * (size_t)columns);
  // v - meaning without velocities on the right, and as many columns for the v
  expr *K = mech_take(arena, rows * rows), *B = mech_take(arena, rows * (rows + 1)),
       *Y = mech_take(arena, rows * (rows + 1));
  for (int i = 0; i < rows; i++) {
    const model_quasi* u = &s->model->quasi[d->quasi[row[i]]];
    b.label[i] = u->name;
    b.v[i] = expr_symbol(p, u->name);
    b.meaning[i] = u->value;
    for (int j = 0; j < rows; j++) {
      K[i * rows + j] = d->row[row[i] * n + column[j]];
      B[i * (rows + 1) + j] = expr_int(p, i == j);
    }
    const expr rest = expr_substitute(p, u->value, n, s->v, s->zero);
    B[i * (rows + 1) + rows] = expr_neg(p, rest);
  }
  if (mech_linear_fraction(s, rows, rows + 1, K, B, Y, &b.D) != MECH_SOLVED) return false;
  for (int j = 0; j < rows; j++) {
    for (int i = 0; i <= rows; i++) {
      const expr x = mech_tidy(s, expr_div(p, Y[j * (rows + 1) + i], b.D));
      if (i < rows)
        b.Z[j * rows + i] = x;
      else
        b.k[j] = x;
    }
  }
  *out = b;
  return true;
}

void mech_change_declared(const mech_system* s, const mech_choice* choice, base_arena* arena,
                          mech_blocks* out)
{
  declared d = gather(s, choice, out, arena);
  join(s, &d);
  for (int i = 0; i < d.rows; i++) {
    mech_block b;
    if (d.set[i] == i && solve_set(s, &d, i, arena, &b)) base_push(out, b);
  }
}
