// Derivatives of expressions that hold few of many symbols: only what is not zero is looked at.
#include "expr/pool.h"

#include <limits.h>

struct expr_index
{
  expr_spans place; // symbol -> number plus one
};

expr_index* expr_index_new(int n, const expr* symbols)
{
  expr_index* x = base_alloc(sizeof *x);
  expr_looked += (uint64_t)n;
  for (int i = 0; i < n; i++) *expr_spans_place(NULL, &x->place, symbols[i]) = (uint32_t)i + 1;
  return x;
}

void expr_index_free(expr_index* x)
{
  if (!x) return;
  expr_spans_free(&x->place);
  free(x);
}

static int compare_ints(const void* a, const void* b)
{
  return *(const int*)a - *(const int*)b;
}

// Most expressions asked about are small: the nodes met so far are looked through one by one, up to
// so many.
#define SMALL 24

static bool is_met(const expr_list* met, expr e)
{
  for (int i = met->n - 1; i >= 0; i--)
    if (met->at[i] == e) return true;
  return false;
}

static void add_symbol(const expr_index* x, expr symbol, expr_numbers* out)
{
  const uint32_t number = expr_spans_get(&x->place, symbol);
  if (number) base_push(out, (int)number - 1);
}

// false where there are more nodes than that; `most`: of the symbols
static bool list_of_small(const expr_pool* p, const expr_index* x, int count, const expr* e,
                          int most, expr_numbers* out)
{
  expr_list met;
  expr_list_start(&met);
  uint64_t looked = 0;
  for (int i = 0; i < count && met.n <= SMALL; i++)
    if (e[i] && !is_met(&met, e[i])) expr_list_push(&met, e[i]);
  for (int i = 0; i < met.n && met.n <= SMALL && out->n < most; i++) {
    const expr_node* node = expr_at(p, met.at[i]);
    looked += node->n + 1;
    if (node->kind == EXPR_SYMBOL) add_symbol(x, met.at[i], out);
    for (uint32_t k = 0; k < node->n && met.n <= SMALL; k++)
      if (!is_met(&met, p->arg[node->first + k])) expr_list_push(&met, p->arg[node->first + k]);
  }
  const bool small = met.n <= SMALL;
  if (small) expr_looked += looked;
  if (!small) out->n = 0;
  expr_list_end(&met);
  return small;
}

static void list_of_large(const expr_pool* p, const expr_index* x, int count, const expr* e,
                          expr_numbers* out)
{
  expr_walk w = {0};
  expr_walk_from(p, &w, count, e, SIZE_MAX);
  for (int i = 0; i < w.order.n; i++)
    if (expr_kind_at(p, w.order.at[i]) == EXPR_SYMBOL) add_symbol(x, w.order.at[i], out);
  expr_walk_free(&w);
}

void expr_index_list_of(const expr_pool* p, const expr_index* x, int count, const expr* e,
                        expr_numbers* out)
{
  out->n = 0;
  if (!list_of_small(p, x, count, e, INT_MAX, out)) list_of_large(p, x, count, e, out);
  if (out->n > 1) qsort(out->at, (size_t)out->n, sizeof *out->at, compare_ints);
}

void expr_index_list(const expr_pool* p, const expr_index* x, expr e, expr_numbers* out)
{
  expr_index_list_of(p, x, 1, &e, out);
}

bool expr_index_any_of(const expr_pool* p, const expr_index* x, int count, const expr* e)
{
  expr_numbers list = {0};
  if (!list_of_small(p, x, count, e, 1, &list)) list_of_large(p, x, count, e, &list);
  const bool found = list.n > 0;
  base_list_free(&list);
  return found;
}

bool expr_index_any(const expr_pool* p, const expr_index* x, expr e)
{
  return expr_index_any_of(p, x, 1, &e);
}

// ---- slopes -------------------------------------------------------------------------------------

// a term of a sum, times a number
typedef struct term
{
  expr e, by;
} term;

typedef BASE_LIST(term) terms;

// the terms of nested sums
static void open_sums(expr_pool* p, expr e, terms* out)
{
  terms stack = {0};
  base_push(&stack, (term){e, EXPR_ONE});
  while (stack.n) {
    const term t = stack.at[--stack.n];
    const expr core = expr_kind_at(p, t.e) == EXPR_PRODUCT ? expr_core(p, t.e) : t.e;
    if (expr_kind_at(p, core) != EXPR_SUM) {
      base_push(out, t);
      continue;
    }
    const expr by = core == t.e ? t.by : expr_q_mul(p, t.by, expr_coef(p, t.e));
    const uint32_t n = expr_at(p, core)->n;
    for (uint32_t i = 0; i < n; i++) base_push(&stack, (term){expr_args_at(p, core)[i], by});
  }
  base_list_free(&stack);
}

static int by_number(const void* a, const void* b)
{
  const expr_slope *x = a, *y = b;
  if (x->number != y->number) return x->number - y->number;
  return (x->value > y->value) - (x->value < y->value);
}

// add up what belongs to one symbol
static void merge(expr_pool* p, expr_slope_list* s)
{
  if (s->n > 1) qsort(s->at, (size_t)s->n, sizeof *s->at, by_number);
  int kept = 0;
  expr_list sum;
  for (int i = 0, next; i < s->n; i = next) {
    expr_list_start(&sum);
    bool whole = true;
    for (next = i; next < s->n && s->at[next].number == s->at[i].number; next++) {
      whole = whole && s->at[next].value;
      expr_list_push(&sum, s->at[next].value);
    }
    const expr value = whole ? expr_sum(p, sum.n, sum.at) : EXPR_NONE;
    expr_list_end(&sum);
    if (value != EXPR_ZERO) s->at[kept++] = (expr_slope){s->at[i].number, value};
  }
  s->n = kept;
}

// sums from this length on are opened below a factor: shorter ones are differentiated as they are
#define LONG 8

// e = by * sum where `by` holds no symbol and the sum is long: the sum, else EXPR_NONE
static expr only_sum(expr_pool* p, const expr_index* x, expr e, expr* by)
{
  if (expr_kind_at(p, e) != EXPR_PRODUCT) return EXPR_NONE;
  expr_list rest;
  expr_list_start(&rest);
  expr sum = EXPR_NONE;
  const uint32_t n = expr_at(p, e)->n;
  for (uint32_t i = 0; i < n; i++) {
    const expr factor = expr_args_at(p, e)[i];
    if (!sum && expr_kind_at(p, factor) == EXPR_SUM && expr_at(p, factor)->n >= LONG)
      sum = factor;
    else
      expr_list_push(&rest, factor);
  }
  if (sum && expr_index_any_of(p, x, rest.n, rest.at)) sum = EXPR_NONE;
  if (sum) *by = expr_product(p, rest.n, rest.at);
  expr_list_end(&rest);
  return sum;
}

typedef struct slopes
{
  expr_pool* p;
  const expr_index* x;
  const expr* symbols;
  expr_numbers held;
} slopes;

// by the symbols that e holds
static void add_each(slopes* s, expr e, expr by, expr_slope_list* out)
{
  expr_index_list(s->p, s->x, e, &s->held);
  for (int j = 0; j < s->held.n; j++) {
    const expr d = expr_diff(s->p, e, s->symbols[s->held.at[j]]);
    if (d != EXPR_ZERO) base_push(out, (expr_slope){s->held.at[j], expr_mul(s->p, by, d)});
  }
}

// Term by term; at the top also in sums that are multiplied by what holds no symbol.
static void add_terms(slopes* s, expr e, expr_slope_list* out, bool top)
{
  terms list = {0};
  open_sums(s->p, e, &list);
  for (int i = 0; i < list.n; i++) {
    expr factor;
    const expr inner = top ? only_sum(s->p, s->x, list.at[i].e, &factor) : EXPR_NONE;
    if (!inner) {
      add_each(s, list.at[i].e, list.at[i].by, out);
      continue;
    }
    expr_slope_list part = {0};
    add_terms(s, inner, &part, false);
    factor = expr_mul(s->p, list.at[i].by, factor);
    for (int k = 0; k < part.n; k++)
      base_push(out, (expr_slope){part.at[k].number, expr_mul(s->p, factor, part.at[k].value)});
    base_list_free(&part);
  }
  merge(s->p, out);
  base_list_free(&list);
}

void expr_slopes(expr_pool* p, const expr_index* x, const expr* symbols, expr e,
                 expr_slope_list* out)
{
  out->n = 0;
  if (!e) return;
  slopes s = {p, x, symbols, {0}};
  add_terms(&s, e, out, true);
  base_list_free(&s.held);
}
