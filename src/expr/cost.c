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

// a real product, not a sign or a quotient
static bool is_fusible(const expr_pool* p, expr e)
{
  return expr_kind_at(p, e) == EXPR_PRODUCT && expr_args_at(p, e)[0] != EXPR_MINUS_ONE;
}

double expr_work(const expr_pool* p, int n, const expr* e)
{
  expr_walk w = {0};
  double c = 0;
  expr_walk_from(p, &w, n, e, SIZE_MAX);
  int* uses = base_alloc((size_t)w.order.n * sizeof *uses + 1);
  for (int i = 0; i < n; i++)
    if (e[i]) uses[expr_walk_place(&w, e[i])]++;
  for (int i = w.order.n - 1; i >= 0; i--) {
    const expr_node* node = expr_at(p, w.order.at[i]);
    const expr* args = p->arg + node->first;
    c += expr_cost_own(p, (expr_kind)node->kind, (int)node->n, args);
    for (uint32_t k = 0; k < node->n; k++) uses[expr_walk_place(&w, args[k])]++;
  }
  // a product that goes into one sum alone is added as it is made
  for (int i = 0; i < w.order.n; i++) {
    const expr_node* node = expr_at(p, w.order.at[i]);
    if (node->kind != EXPR_SUM) continue;
    uint32_t fused = 0;
    for (uint32_t k = 0; k < node->n; k++) {
      expr term = p->arg[node->first + k];
      fused += is_fusible(p, term) && uses[expr_walk_place(&w, term)] == 1;
    }
    c -= fused < node->n ? fused : node->n - 1;
  }
  free(uses);
  expr_walk_free(&w);
  return c;
}
