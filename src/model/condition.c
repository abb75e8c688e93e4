// Conditions: comparisons, and what joins them.

#include "model/scope.h"

static bool joins(const lang_node* n)
{
  return n && n->kind == LANG_BINARY && n->op >= LANG_AND;
}

// both hold where the least of them is positive, one of them where the largest is
bool model_condition_value(model_scope* s, const lang_node* n, expr* g)
{
  if (joins(n)) {
    expr of[2];
    const bool first = model_condition_value(s, n->kid[0], &of[0]);
    if (!model_condition_value(s, n->kid[1], &of[1]) || !first) return false;
    *g = expr_call(s->pool, n->op == LANG_AND ? EXPR_MIN : EXPR_MAX, 2, of);
    return true;
  }
  model_comparison c;
  if (!model_eval_comparison(s, n, &c)) return false;
  *g = expr_sub(s->pool, c.high, c.low);
  return true;
}

bool model_condition_choose(model_scope* s, const lang_node* n, expr yes, expr no, expr* out)
{
  if (joins(n)) {
    expr second;
    const bool both = n->op == LANG_AND;
    return model_condition_choose(s, n->kid[1], yes, no, &second) &&
           model_condition_choose(s, n->kid[0], both ? second : yes, both ? no : second, out);
  }
  model_comparison c;
  if (!model_eval_comparison(s, n, &c)) return false;
  const expr holds =
      c.strict ? expr_less(s->pool, c.low, c.high) : expr_less_eq(s->pool, c.low, c.high);
  *out = expr_if(s->pool, holds, yes, no);
  return true;
}
