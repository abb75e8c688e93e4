// Smaller equal expressions.
#include "expr/pool.h"

expr expr_simplify(expr_pool* p, expr e)
{
  if (!e) return EXPR_NONE;
  expr wide = expr_expand(p, e);
  return wide && expr_cost(p, wide) < expr_cost(p, e) ? wide : e;
}
