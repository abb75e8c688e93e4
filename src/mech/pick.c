// Independent rows by elimination, a pivot only where it is proved not to be zero everywhere.
#include "mech/pick.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

mech_pick mech_pick_new(const mech_system* s, base_arena* arena)
{
  size_t n = (size_t)s->n;
  return (mech_pick){.s = s,
                     .E = base_arena_take(arena, sizeof(expr) * (n * n + 1)),
                     .column = base_arena_take(arena, sizeof(int) * (n + 1))};
}

// subtract multiples of the first `count` rows so that their columns vanish from x
static void reduce(const mech_pick* k, int count, expr* x)
{
  expr_pool* p = k->s->pool;
  int n = k->s->n;
  for (int i = 0; i < count; i++) {
    const expr* row = k->E + i * n;
    int c = k->column[i];
    if (x[c] == k->s->zero[0]) continue;
    expr factor = expr_div(p, x[c], row[c]);
    for (int j = 0; j < n; j++)
      if (j != c) x[j] = mech_tidy(k->s, expr_sub(p, x[j], expr_mul(p, factor, row[j])));
    x[c] = k->s->zero[0];
  }
}

static bool usable(const mech_pick* k, expr e, bool numbers)
{
  if (e == k->s->zero[0]) return false;
  if (expr_is_number(k->s->pool, e)) return true;
  return !numbers && expr_is_zero(k->s->pool, e) == EXPR_NO;
}

// the best pivot: a number, else the shortest expression; -1 if there is none
static int find(const mech_pick* k, const expr* x, const bool* allowed, bool numbers)
{
  int best = -1;
  size_t best_size = 0;
  for (int j = 0; j < k->s->n; j++) {
    if (allowed && !allowed[j]) continue;
    size_t size = expr_is_number(k->s->pool, x[j]) ? 0 : expr_size(k->s->pool, 1, &x[j]);
    if (best >= 0 && size >= best_size) continue;
    if (!usable(k, x[j], numbers)) continue;
    best = j;
    best_size = size;
  }
  return best;
}

bool mech_pick_try(mech_pick* k, const expr* row, const bool* allowed, bool numbers)
{
  int n = k->s->n;
  if (k->count == n) return false;
  expr* x = k->E + k->count * n;
  memcpy(x, row, sizeof(expr) * (size_t)n);
  reduce(k, k->count, x);
  int c = find(k, x, allowed, numbers);
  if (c < 0) return false;
  k->column[k->count++] = c;
  return true;
}

bool mech_pick_spans(const mech_pick* k, int count, const expr* row)
{
  int n = k->s->n;
  assert(count <= k->count);
  expr* x = base_alloc(sizeof(expr) * (size_t)(n + 1));
  memcpy(x, row, sizeof(expr) * (size_t)n);
  reduce(k, count, x);
  bool left = find(k, x, NULL, false) >= 0;
  free(x);
  return !left;
}

int mech_pick_constraints(mech_pick* k, const mech_choice* choice, const bool* allowed,
                          base_arena* arena, int* row)
{
  const mech_system* s = k->s;
  int rank = 0;
  bool* done = base_arena_take(arena, sizeof(bool) * (size_t)(s->m + 1));
  if (choice && choice->rows) {
    memset(done, true, sizeof(bool) * (size_t)s->m);
    for (int i = 0; i < choice->rank; i++) done[choice->rows[i]] = false;
    if (choice->dependent && !allowed) {
      bool* given = base_arena_take(arena, sizeof(bool) * (size_t)(s->n + 1));
      for (int i = 0; i < choice->rank; i++) given[choice->dependent[i]] = true;
      allowed = given;
    }
  }
  for (int numbers = 1; numbers >= 0; numbers--)
    for (int i = 0; i < s->m; i++) {
      if (done[i] || !mech_pick_try(k, s->A + i * s->n, allowed, numbers)) continue;
      done[i] = true;
      row[rank++] = i;
      if (numbers) i = -1; // this row may have made room for another number
    }
  return rank;
}
