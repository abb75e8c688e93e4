// Expressions that cannot be written in any other way.
#include "expr/poly.h"

// Is it a number, a symbol, or a power of one, above the line where asked so?
static bool is_bare_factor(const expr_pool* p, expr e, bool above)
{
  const expr exponent = expr_exponent(p, e);
  const expr_kind kind = expr_kind_at(p, expr_base(p, e));
  if (kind == EXPR_NUMBER) return exponent == EXPR_ONE;
  return kind == EXPR_SYMBOL && expr_kind_at(p, exponent) == EXPR_NUMBER &&
         expr_q_is_whole(p, exponent) && !(above && expr_q_sign(p, exponent) < 0);
}

// symbols, at most one of them with a minus sign?
static bool is_bare_sum(const expr_pool* p, expr e)
{
  const expr* args = expr_args_at(p, e);
  int minus = 0;
  for (uint32_t i = 0; i < expr_at(p, e)->n; i++) {
    const expr number = expr_coef(p, args[i]);
    minus += number == EXPR_MINUS_ONE;
    if (number != EXPR_ONE && number != EXPR_MINUS_ONE) return false;
    if (minus > 1 || expr_kind_at(p, expr_core(p, args[i])) != EXPR_SYMBOL) return false;
  }
  return true;
}

static bool has_minus(const expr_pool* p, expr sum)
{
  const expr* args = expr_args_at(p, sum);
  for (uint32_t i = 0; i < expr_at(p, sum)->n; i++) {
    const expr number = expr_kind_at(p, args[i]) == EXPR_NUMBER ? args[i] : expr_coef(p, args[i]);
    if (expr_q_sign(p, number) < 0) return true;
  }
  return false;
}

bool expr_is_bare(const expr_pool* p, expr e)
{
  const expr_node* node = expr_at(p, e);
  const expr* args = expr_args_at(p, e);
  expr sum = EXPR_NONE, number = EXPR_ONE;
  if (node->kind == EXPR_SUM) return is_bare_sum(p, e);
  if (node->kind != EXPR_PRODUCT) return false;
  for (uint32_t i = 0; i < node->n; i++)
    if (expr_kind_at(p, args[i]) == EXPR_SUM && !sum)
      sum = args[i];
    else if (expr_kind_at(p, args[i]) == EXPR_NUMBER)
      number = args[i];
  for (uint32_t i = 0; i < node->n; i++)
    if (args[i] != sum && !is_bare_factor(p, args[i], sum != EXPR_NONE)) return false;
  return !sum || number == EXPR_ONE || (number == EXPR_MINUS_ONE && !has_minus(p, sum));
}
