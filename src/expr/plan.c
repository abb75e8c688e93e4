// Expressions copied out of their pool, to be evaluated again and again while others write there.
#include "expr/value.h"

typedef struct plan_step
{
  expr_step step;
  int first, n;  // its arguments, places in `arg`
  double number; // of a number
  int symbol;    // of a symbol, else -1
} plan_step;

struct expr_plan
{
  base_arena* arena;
  int steps, symbols, root;
  plan_step* step;
  int* arg;
  expr* symbol;
};

static void fill_step(expr_plan* plan, const expr_pool* p, const expr_walk* w, int k, int first)
{
  const expr e = w->order.at[k];
  const expr_node* node = expr_at(p, e);
  plan_step* s = &plan->step[k];
  *s = (plan_step){.step = expr_step_of(p, e), .first = first, .symbol = -1};
  if (s->step.kind == EXPR_NUMBER || s->step.kind == EXPR_PI) {
    s->number = expr_number(p, e);
  } else if (s->step.kind == EXPR_SYMBOL) {
    s->symbol = plan->symbols;
    plan->symbol[plan->symbols++] = e;
  } else {
    s->n = (int)node->n;
    for (int i = 0; i < s->n; i++)
      plan->arg[first + i] = expr_walk_place(w, p->arg[node->first + (uint32_t)i]);
  }
}

expr_plan* expr_plan_new(const expr_pool* p, expr e)
{
  expr_walk w = {0};
  expr_walk_from(p, &w, 1, &e, SIZE_MAX);
  base_arena* arena = base_arena_new();
  expr_plan* plan = base_arena_take(arena, sizeof *plan);
  const size_t count = (size_t)w.order.n;
  size_t args = 0;
  for (int k = 0; k < w.order.n; k++) args += expr_at(p, w.order.at[k])->n;
  *plan = (expr_plan){.arena = arena,
                      .steps = w.order.n,
                      .root = expr_walk_place(&w, e),
                      .step = base_arena_take(arena, sizeof *plan->step * (count + 1)),
                      .arg = base_arena_take(arena, sizeof *plan->arg * (args + 1)),
                      .symbol = base_arena_take(arena, sizeof *plan->symbol * (count + 1))};
  for (int k = 0, first = 0; k < w.order.n; first += plan->step[k++].n)
    fill_step(plan, p, &w, k, first);
  expr_walk_free(&w);
  return plan;
}

void expr_plan_free(expr_plan* plan)
{
  if (plan) base_arena_free(plan->arena);
}

int expr_plan_symbols(const expr_plan* plan, const expr** symbol)
{
  *symbol = plan->symbol;
  return plan->symbols;
}

double expr_plan_value(const expr_plan* plan, const double* value)
{
  const plan_step* root = &plan->step[plan->root];
  // most are a number, or a param
  if (root->symbol >= 0) return value[root->symbol];
  if (plan->steps == 1 && !root->n) return expr_step_value(&root->step, 0, NULL, root->number);
  double* all = base_alloc(sizeof *all * (size_t)(plan->steps + 1));
  BASE_LIST(double) args = {0};
  for (int k = 0; k < plan->steps; k++) {
    const plan_step* s = &plan->step[k];
    args.n = 0;
    for (int i = 0; i < s->n; i++) base_push(&args, all[plan->arg[s->first + i]]);
    all[k] =
        s->symbol >= 0 ? value[s->symbol] : expr_step_value(&s->step, s->n, args.at, s->number);
  }
  const double result = all[plan->root];
  base_list_free(&args);
  free(all);
  return result;
}
