// How many operations an expression takes when written out.
#include "expr/pool.h"

// beyond this all are equally long
#define MOST 1e30

static bool is_below(const expr_pool* p, expr e)
{
  return expr_kind_at(p, e) == EXPR_POWER &&
         expr_kind_at(p, expr_args_at(p, e)[1]) == EXPR_NUMBER &&
         expr_q_sign(p, expr_args_at(p, e)[1]) < 0;
}

// 1/x is one operation, x^2 is one, 1/x^2 is two
static double of_power(const expr_pool* p, const expr* args)
{
  if (expr_kind_at(p, args[1]) != EXPR_NUMBER) return 1;
  return (expr_q_sign(p, args[1]) < 0) + (args[1] != EXPR_MINUS_ONE);
}

static double of_product(const expr_pool* p, int n, const expr* args)
{
  int below = 0;
  for (int i = 0; i < n; i++) below += is_below(p, args[i]);
  // a division takes the place of a multiplication, except the first where nothing stands above
  double c = n - 1 - (below < n ? below : below - 1);
  // a minus sign alone is half an operation
  return args[0] == EXPR_MINUS_ONE ? c - 0.5 : c;
}

double expr_cost_own(const expr_pool* p, expr_kind kind, int n, const expr* args)
{
  switch (kind) {
  case EXPR_SUM:
    return n - 1;
  case EXPR_PRODUCT:
    return of_product(p, n, args);
  case EXPR_POWER:
    return of_power(p, args);
  default:
    return n > 0;
  }
}

double expr_cost_of(const expr_pool* p, expr_kind kind, int n, const expr* args)
{
  double c = expr_cost_own(p, kind, n, args);
  for (int i = 0; i < n; i++) c += expr_cost(p, args[i]);
  return c < MOST ? c : MOST;
}

double expr_length(const expr_pool* p, expr e)
{
  return expr_cost(p, e);
}

double expr_cost_shared(const expr_pool* p, expr e, int most, int* nodes)
{
  expr_walk w = {0};
  double c = 0;
  bool whole = expr_walk_from(p, &w, 1, &e, (size_t)most);
  for (int i = 0; i < w.order.n; i++) {
    const expr_node* node = expr_at(p, w.order.at[i]);
    c += expr_cost_own(p, (expr_kind)node->kind, (int)node->n, p->arg + node->first);
  }
  *nodes = w.order.n;
  expr_walk_free(&w);
  return whole ? c : MOST;
}
