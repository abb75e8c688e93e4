// What all engines of a program share of its rates: equations, problems of the rows that hold,
// kernels. Each is made by the engine that asks first and depends on its key alone, so that a run
// does not depend on the runs beside it.
#include "rate/key.h"

#include <stdlib.h>
#include <string.h>

static void release_kernel(void* kernel)
{
  code_free(kernel);
}

void rate_shared_keep_kernel(engine* e, base_key key, code_kernel* kernel)
{
  engine_keep(e, key, kernel, release_kernel);
}

// ---- the equations ------------------------------------------------------------------------------

static void* take(base_arena* arena, size_t count, size_t size)
{
  return base_arena_take(arena, (count + 1) * size);
}

// what A v + a0 is at rest
static expr at_rest(const mech_system* y, int k)
{
  return y->f1[k] == EXPR_NONE ? y->zero[0]
                               : expr_substitute(y->pool, y->f1[k], y->n, y->v, y->zero);
}

// M, F, A, -c, A v + a0 at rest, power, in one list; of many coordinates without what is at rest,
// and of M and A the entries that are there
static void fix_expressions(const engine_program* p, rate_equations* s)
{
  const mech_system* y = p->s;
  expr* terms = NULL;
  const int n = p->n, m = p->m, slopes = p->sparse ? y->A_rows.count : m * n;
  const int masses = p->sparse ? y->M_rows.count
                     : y->hung ? mech_tree_terms(y->hung, &terms)
                               : n * n;
  const int count = s->count = masses + n + slopes + 2 * m + 1;
  expr* list = take(s->arena, (size_t)count, sizeof(expr));
  s->all = list;
  s->M = terms ? NULL : list;
  s->F = list + masses;
  s->A = s->F + n;
  s->b = s->A + slopes;
  s->a0 = s->b + m;
  const expr* own = p->sparse ? y->M_rows.value : terms ? terms : y->M;
  memcpy(list, own, sizeof(expr) * (size_t)masses);
  free(terms);
  memcpy(s->F, y->F, sizeof(expr) * (size_t)n);
  if (slopes) memcpy(s->A, p->sparse ? y->A_rows.value : y->A, sizeof(expr) * (size_t)slopes);
  for (int k = 0; k < m; k++) {
    s->b[k] = expr_neg(y->pool, y->c[k]);
    s->a0[k] = p->sparse ? y->zero[0] : at_rest(y, k);
  }
  list[count - 1] = p->power;
  for (int i = 0; i < count; i++) s->undefined = s->undefined || list[i] == EXPR_NONE;
  if (s->undefined) return;
  engine_fix(p, count, list, list);
  s->power = list[count - 1];
  for (int i = 0; i < count; i++) s->undefined = s->undefined || list[i] == EXPR_NONE;
}

// which of the first inputs (time, places, velocities, params) the equations depend on
static void find_needs(const engine_program* p, rate_equations* s)
{
  const int first = 1 + 2 * p->n + 3 * p->p;
  s->needed = take(s->arena, (size_t)p->n, sizeof(bool));
  if (s->undefined) return;
  expr_index* index = expr_index_new(first, p->input);
  expr_numbers held = {0};
  // the power stands behind the others
  expr_index_list_of(p->s->pool, index, s->count, s->all, &held);
  for (int i = 0; i < held.n; i++) {
    const int at = held.at[i];
    if (at > 0 && at <= p->n) s->needed[at - 1] = true;
    s->timed = s->timed || at == 0 || at > 2 * p->n;
  }
  base_list_free(&held);
  expr_index_free(index);
}

static void release_equations(void* thing)
{
  base_arena_free(((rate_equations*)thing)->arena);
}

const rate_equations* rate_shared_equations(const engine_program* p)
{
  const base_key key = {"equations", &p, sizeof p};
  void* found;
  base_kept_open(p->s->kept);
  if (!base_kept_find(p->s->kept, key, &found)) {
    base_arena* arena = base_arena_new();
    rate_equations* s = base_arena_take(arena, sizeof *s);
    s->arena = arena;
    fix_expressions(p, s);
    find_needs(p, s);
    found = s;
    base_kept_add(p->s->kept, key, s, release_equations);
  }
  base_kept_unlock(p->s->kept);
  return found;
}

// ---- the problem of the rows that hold ----------------------------------------------------------

static void release_problem(void* thing)
{
  rate_problem* p = thing;
  code_free(p->A);
  code_free(p->turn);
  base_arena_free(p->arena);
}

static code_kernel* kernel_of(const engine_program* p, int count, const expr* list)
{
  return code_build(p->s->pool, count, list, p->inputs, p->input, NULL);
}

const rate_problem* rate_shared_problem(engine* e, bool turned)
{
  rate_key room;
  const base_key key = rate_key_by(&room, e, "problem", 1, &(int){turned}, 0, NULL);
  void* found;
  if (!base_kept_find(e->s->kept, key, &found)) {
    base_arena* arena = base_arena_new();
    rate_problem* p = base_arena_take(arena, sizeof *p);
    p->arena = arena;
    p->rows = rate_rows_of(e, arena, rate_shared_equations(e->program));
    p->turned = turned && p->rows.M && rate_rows_turn(e->program, &p->rows);
    if (p->turned) {
      p->A = kernel_of(e->program, p->rows.rows * p->rows.n, p->rows.A);
      p->turn = kernel_of(e->program, 4 * p->rows.turns, p->rows.turned[0]);
    }
    found = p;
    engine_keep(e, key, p, release_problem);
  }
  rate_key_end(&room);
  return found;
}
