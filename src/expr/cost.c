// How many operations an expression takes when written out.
#include "expr/pool.h"

static double of_product(const expr_pool* p, const expr_node* node, const double* a)
{
  double c = (double)node->n - 1;
  for (uint32_t i = 0; i < node->n; i++) c += a[i];
  // a minus sign alone is half an operation
  if (p->arg[node->first] == EXPR_MINUS_ONE) c -= 0.5;
  return c;
}

double expr_cost(const expr_pool* p, expr e)
{
  expr_walk w = {0};
  expr_walk_from(p, &w, 1, &e, SIZE_MAX);
  double* cost = base_alloc((size_t)w.order.n * sizeof *cost);
  BASE_LIST(double) args = {0};
  for (int k = 0; k < w.order.n; k++) {
    const expr_node* node = expr_at(p, w.order.at[k]);
    args.n = 0;
    for (uint32_t i = 0; i < node->n; i++)
      base_push(&args, cost[expr_walk_place(&w, p->arg[node->first + i])]);
    double c = 0;
    if (node->kind == EXPR_PRODUCT) {
      c = of_product(p, node, args.at);
    } else {
      c = node->n == 0 ? 0 : node->kind == EXPR_SUM ? (double)node->n - 1 : 1;
      for (int i = 0; i < args.n; i++) c += args.at[i];
    }
    // beyond this all are equally long
    cost[k] = c < 1e300 ? c : 1e300;
  }
  double r = cost[w.order.n - 1];
  base_list_free(&args);
  free(cost);
  expr_walk_free(&w);
  return r;
}
