// Common subexpressions: what is used more than once and costs something gets a name.
#include "expr/pool.h"

#include <stdio.h>

static bool is_worth(const expr_pool* p, expr e)
{
  const expr_node* node = expr_at(p, e);
  switch ((expr_kind)node->kind) {
  case EXPR_SUM:
  case EXPR_CALL:
  case EXPR_IF:
    return true;
  case EXPR_POWER:
    return true;
  case EXPR_PRODUCT:
    // number * symbol is as cheap as the name
    return !(node->n == 2 && node->core != e && expr_at(p, node->core)->n == 0);
  default:
    return false;
  }
}

static void count_uses(const expr_pool* p, const expr_walk* w, int n, const expr* e, int* uses)
{
  for (int k = 0; k < w->order.n; k++) {
    const expr_node* node = expr_at(p, w->order.at[k]);
    for (uint32_t i = 0; i < node->n; i++) uses[expr_walk_place(w, p->arg[node->first + i])]++;
  }
  for (int i = 0; i < n; i++)
    if (e[i]) uses[expr_walk_place(w, e[i])]++;
}

// a fresh symbol prefix1, prefix2, ... that the expressions do not hold yet
static expr next_name(expr_pool* p, const expr_walk* w, const char* prefix, int* number)
{
  for (;;) {
    base_text t = {0};
    base_text_printf(&t, "%s%d", prefix, ++*number);
    expr s = expr_symbol(p, t.at);
    base_text_free(&t);
    if (expr_walk_place(w, s) < 0 || p->full) return s;
  }
}

expr_cse expr_cse_find(expr_pool* p, base_arena* arena, int n, const expr* e, const char* prefix)
{
  expr_walk w = {0};
  expr_walk_from(p, &w, n, e, SIZE_MAX);
  size_t room = (size_t)w.order.n + 1;
  int* uses = base_alloc(room * sizeof *uses);
  expr* to = base_alloc(room * sizeof *to);
  BASE_LIST(expr) names = {0};
  BASE_LIST(expr) values = {0};
  count_uses(p, &w, n, e, uses);
  int number = 0;
  expr_list args;
  expr_list_start(&args);
  for (int k = 0; k < w.order.n; k++) {
    expr old = w.order.at[k];
    expr_node node = *expr_at(p, old);
    args.n = 0;
    for (uint32_t i = 0; i < node.n; i++)
      expr_list_push(&args, to[expr_walk_place(&w, p->arg[node.first + i])]);
    to[k] = expr_rebuild(p, old, args.at);
    if (uses[k] < 2 || !is_worth(p, old)) continue;
    expr name = next_name(p, &w, prefix, &number);
    base_push(&names, name);
    base_push(&values, to[k]);
    to[k] = name;
  }
  expr_list_end(&args);
  expr_cse r = {.count = names.n};
  r.name = base_arena_take(arena, ((size_t)names.n + 1) * sizeof *r.name);
  r.value = base_arena_take(arena, ((size_t)names.n + 1) * sizeof *r.value);
  r.out = base_arena_take(arena, ((size_t)n + 1) * sizeof *r.out);
  if (names.n) memcpy(r.name, names.at, (size_t)names.n * sizeof *r.name);
  if (names.n) memcpy(r.value, values.at, (size_t)names.n * sizeof *r.value);
  for (int i = 0; i < n; i++) r.out[i] = e[i] ? to[expr_walk_place(&w, e[i])] : EXPR_NONE;
  base_list_free(&names);
  base_list_free(&values);
  free(uses);
  free(to);
  expr_walk_free(&w);
  return r;
}
