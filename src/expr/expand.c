// Products over sums multiplied out, from the inside out, within a bound on the terms.
#include "expr/pool.h"

#define MOST_TERMS 4000

static uint32_t terms_of(const expr_pool* p, expr e)
{
  return expr_kind_at(p, e) == EXPR_SUM ? expr_at(p, e)->n : 1;
}

static expr term_at(const expr_pool* p, expr e, uint32_t i)
{
  return expr_kind_at(p, e) == EXPR_SUM ? expr_args_at(p, e)[i] : e;
}

static expr times(expr_pool* p, expr a, expr b)
{
  uint32_t m = terms_of(p, a), n = terms_of(p, b);
  if (m == 1 && n == 1) return expr_mul(p, a, b);
  if ((uint64_t)m * n > MOST_TERMS) return expr_mul(p, a, b);
  expr_list out;
  expr_list_start(&out);
  for (uint32_t i = 0; i < m; i++)
    for (uint32_t k = 0; k < n; k++)
      expr_list_push(&out, expr_mul(p, term_at(p, a, i), term_at(p, b, k)));
  expr r = expr_sum(p, out.n, out.at);
  expr_list_end(&out);
  return r;
}

static expr product(expr_pool* p, int n, const expr* args)
{
  // plain factors first, then the sums
  expr r = EXPR_ONE;
  for (int i = 0; i < n; i++)
    if (expr_kind_at(p, args[i]) != EXPR_SUM) r = expr_mul(p, r, args[i]);
  for (int i = 0; i < n; i++)
    if (expr_kind_at(p, args[i]) == EXPR_SUM) r = times(p, r, args[i]);
  return r;
}

static expr power(expr_pool* p, expr base, expr exponent)
{
  long n;
  if (expr_kind_at(p, base) != EXPR_SUM || !expr_is_int(p, exponent, &n) || n < 2 || n > 64)
    return expr_pow(p, base, exponent);
  // terms of a power of a sum of m terms: at most m (m+1) ... (m+n-1) / n!
  double most = 1;
  for (long i = 0; i < n; i++)
    most = most * (double)(expr_at(p, base)->n + (uint32_t)i) / (double)(i + 1);
  if (most > MOST_TERMS) return expr_pow(p, base, exponent);
  expr r = base;
  for (long i = 1; i < n; i++) r = times(p, r, base);
  return r;
}

expr expr_expand(expr_pool* p, expr e)
{
  if (!e) return EXPR_NONE;
  expr_walk w = {0};
  expr_walk_from(p, &w, 1, &e, SIZE_MAX);
  expr* to = base_alloc((size_t)w.order.n * sizeof *to);
  expr_list args;
  expr_list_start(&args);
  for (int k = 0; k < w.order.n; k++) {
    expr_node node = *expr_at(p, w.order.at[k]);
    args.n = 0;
    bool defined = true;
    for (uint32_t i = 0; i < node.n; i++) {
      expr_list_push(&args, to[expr_walk_place(&w, p->arg[node.first + i])]);
      defined &= args.at[i] != EXPR_NONE;
    }
    if (!defined)
      to[k] = EXPR_NONE;
    else if (node.kind == EXPR_PRODUCT)
      to[k] = product(p, args.n, args.at);
    else if (node.kind == EXPR_POWER)
      to[k] = power(p, args.at[0], args.at[1]);
    else
      to[k] = expr_rebuild(p, w.order.at[k], args.at);
  }
  expr r = to[w.order.n - 1];
  expr_list_end(&args);
  free(to);
  expr_walk_free(&w);
  return r;
}
