// Simplification where it is cheap: what would have many terms when multiplied out is left alone.

#include "model/parts.h"

enum { LARGEST_SIZE = 300, MOST_TERMS = 64, MOST_STEPS = 2000 };

// terms of e multiplied out, at most MOST_TERMS + 1; the steps bound the walk over shared parts
static long terms_of(const expr_pool* p, expr e, int* steps)
{
  long sum = 0, product = 1, k;
  if (++*steps > MOST_STEPS) return MOST_TERMS + 1;
  int n = expr_arg_count(p, e);
  switch (expr_kind_of(p, e)) {
  case EXPR_SUM:
    for (int i = 0; i < n && sum <= MOST_TERMS; i++) sum += terms_of(p, expr_arg(p, e, i), steps);
    return sum;
  case EXPR_PRODUCT:
    for (int i = 0; i < n && product <= MOST_TERMS; i++)
      product *= terms_of(p, expr_arg(p, e, i), steps);
    return product;
  case EXPR_POWER:
    if (!expr_is_int(p, expr_arg(p, e, 1), &k) || k < 0) return 1;
    sum = terms_of(p, expr_arg(p, e, 0), steps);
    for (long i = 0; sum > 1 && i < k && product <= MOST_TERMS; i++) product *= sum;
    return product;
  default:
    return 1;
  }
}

expr model_simpler(model_scope* s, expr e)
{
  int steps = 0;
  if (expr_size_within(s->pool, 1, &e, LARGEST_SIZE) > LARGEST_SIZE) return e;
  return terms_of(s->pool, e, &steps) <= MOST_TERMS ? expr_simplify(s->pool, e) : e;
}
