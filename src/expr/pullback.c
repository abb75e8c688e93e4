// Sums of derivatives of many expressions at once, from the expressions down to the symbols.
#include "expr/pool.h"

// Legend: e_k expressions with weights w_k, s_j symbols; wanted sum_k w_k de_k/ds_j for all j.
// Each node x gets its weight y(x) = sum_k w_k de_k/dx from what uses it (reverse accumulation), so
// that every node is passed once however many symbols there are, and the weights are shared.

typedef struct pull
{
  expr_pool* p;
  int n;
  const expr* symbols;
  expr_walk walk;
  expr_list* terms; // by place: what adds up to the weight
  bool* inside;     // by place: has one of the symbols
} pull;

static void give(pull* t, expr to, expr weight)
{
  int at = expr_walk_place(&t->walk, to);
  if (t->inside[at]) expr_list_push(&t->terms[at], weight);
}

// each factor gets the product of the others
static void give_factors(pull* t, expr e, expr weight)
{
  expr_pool* p = t->p;
  uint32_t n = expr_at(p, e)->n;
  expr_list factor;
  expr_list_start(&factor);
  for (uint32_t i = 0; i < n; i++) expr_list_push(&factor, expr_args_at(p, e)[i]);
  for (uint32_t i = 0; i < n; i++) {
    expr own = factor.at[i];
    factor.at[i] = weight;
    if (t->inside[expr_walk_place(&t->walk, own)])
      give(t, own, expr_product(p, factor.n, factor.at));
    factor.at[i] = own;
  }
  expr_list_end(&factor);
}

// anything else straight to the symbols
static void give_symbols(pull* t, expr e, expr weight)
{
  for (int j = 0; j < t->n; j++) {
    expr d = expr_diff(t->p, e, t->symbols[j]);
    if (d == EXPR_ZERO) continue;
    give(t, t->symbols[j], expr_mul(t->p, d, weight));
  }
}

static void pass_on(pull* t, int at)
{
  expr e = t->walk.order.at[at];
  expr_kind kind = expr_kind_at(t->p, e);
  if (!t->inside[at] || !t->terms[at].n || kind == EXPR_SYMBOL) return;
  expr weight = expr_sum(t->p, t->terms[at].n, t->terms[at].at);
  if (kind == EXPR_SUM)
    for (uint32_t i = 0, n = expr_at(t->p, e)->n; i < n; i++)
      give(t, expr_args_at(t->p, e)[i], weight);
  else if (kind == EXPR_PRODUCT)
    give_factors(t, e, weight);
  else
    give_symbols(t, e, weight);
}

static void mark(pull* t)
{
  const expr_pool* p = t->p;
  for (int i = 0; i < t->walk.order.n; i++) {
    expr e = t->walk.order.at[i];
    for (int j = 0; j < t->n && !t->inside[i]; j++) t->inside[i] = e == t->symbols[j];
    for (uint32_t k = 0; k < expr_at(p, e)->n && !t->inside[i]; k++)
      t->inside[i] = t->inside[expr_walk_place(&t->walk, expr_args_at(p, e)[k])];
  }
}

void expr_pullback(expr_pool* p, int count, const expr* e, const expr* weight, int n,
                   const expr* symbols, expr* out)
{
  pull t = {.p = p, .n = n, .symbols = symbols};
  expr_walk_from(p, &t.walk, count, e, SIZE_MAX);
  expr_walk_from(p, &t.walk, n, symbols, SIZE_MAX);
  size_t size = (size_t)t.walk.order.n;
  t.terms = base_alloc(size * sizeof *t.terms + 1);
  t.inside = base_alloc(size * sizeof *t.inside + 1);
  for (size_t i = 0; i < size; i++) expr_list_start(&t.terms[i]);
  mark(&t);
  bool whole = true;
  for (int k = 0; k < count; k++) {
    whole = whole && e[k] && weight[k];
    if (whole) give(&t, e[k], weight[k]);
  }
  for (int at = t.walk.order.n - 1; at >= 0 && whole; at--) pass_on(&t, at);
  for (int j = 0; j < n; j++) {
    const expr_list* terms = &t.terms[expr_walk_place(&t.walk, symbols[j])];
    out[j] = whole ? expr_sum(p, terms->n, terms->at) : EXPR_NONE;
  }
  for (size_t i = 0; i < size; i++) expr_list_end(&t.terms[i]);
  free(t.terms);
  free(t.inside);
  expr_walk_free(&t.walk);
}
