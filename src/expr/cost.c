// How many operations an expression takes when written out.
#include "expr/pool.h"

static bool is_below(const expr_pool* p, expr e)
{
  return expr_kind_at(p, e) == EXPR_POWER &&
         expr_kind_at(p, expr_args_at(p, e)[1]) == EXPR_NUMBER &&
         expr_q_sign(p, expr_args_at(p, e)[1]) < 0;
}

// 1/x is one operation, x^2 is one, 1/x^2 is two
static double of_power(const expr_pool* p, const expr_node* node, const double* a)
{
  expr exponent = p->arg[node->first + 1];
  if (expr_kind_at(p, exponent) != EXPR_NUMBER) return a[0] + a[1] + 1;
  return a[0] + (expr_q_sign(p, exponent) < 0) + (exponent != EXPR_MINUS_ONE);
}

static double of_product(const expr_pool* p, const expr_node* node, const double* a)
{
  double c = (double)node->n - 1;
  uint32_t below = 0;
  for (uint32_t i = 0; i < node->n; i++) {
    c += a[i];
    below += is_below(p, p->arg[node->first + i]);
  }
  // a division takes the place of a multiplication, except the first where nothing stands above
  c -= below < node->n ? below : below - 1;
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
    } else if (node->kind == EXPR_POWER) {
      c = of_power(p, node, args.at);
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
