// Sums: terms number * core, sorted by core, like terms merged.
#include "expr/pool.h"

typedef struct term
{
  expr core, coef;
  expr whole;   // coef * core where it is there already, else EXPR_NONE
  uint64_t key; // where terms are sorted: expr_order_key of the core
} term;

// most sums are short: room for them on the stack
enum { usual_terms = 32 };

typedef struct term_list
{
  term* at;
  int n, room;
  term local[usual_terms];
} term_list;

static void push(term_list* l, term t)
{
  if (l->n == l->room) {
    l->room *= 2;
    const bool first = l->at == l->local;
    l->at = base_realloc(first ? NULL : l->at, (size_t)l->room * sizeof *l->at);
    if (first) memcpy(l->at, l->local, sizeof l->local);
  }
  l->at[l->n++] = t;
}

// the sum with every sign turned; the order of the terms does not depend on their numbers
static expr turned(expr_pool* p, expr sum)
{
  const expr known = expr_spans_get(&p->turned, sum);
  if (known) return known;
  expr_list out;
  expr_list_start(&out);
  uint32_t n = expr_at(p, sum)->n;
  for (uint32_t i = 0; i < n; i++)
    expr_list_push(&out, expr_scale(p, EXPR_MINUS_ONE, expr_args_at(p, sum)[i]));
  expr r = expr_intern(p, EXPR_SUM, 0, out.n, out.at, EXPR_NONE);
  expr_list_end(&out);
  if (p->full) return r;
  *expr_spans_place(p, &p->turned, sum) = r;
  *expr_spans_place(p, &p->turned, r) = sum;
  return r;
}

expr expr_scale(expr_pool* p, expr number, expr e)
{
  expr core = expr_core(p, e);
  if (expr_kind_at(p, e) == EXPR_NUMBER) return expr_q_mul(p, number, e);
  expr c = expr_q_mul(p, number, expr_coef(p, e));
  if (c == EXPR_ONE) return core;
  if (c == EXPR_ZERO) return EXPR_ZERO;
  expr_node node = *expr_at(p, core);
  if (node.kind == EXPR_SUM && node.n <= EXPR_FLAT && c == EXPR_MINUS_ONE) return turned(p, core);
  // the minus signs of a sum go to the number before it
  if (expr_is_all_minus(p, core)) return expr_scale(p, expr_q_neg(p, c), turned(p, core));
  expr_list args;
  expr_list_start(&args);
  expr_list_push(&args, c);
  if (node.kind == EXPR_PRODUCT)
    for (uint32_t i = 0; i < node.n; i++) expr_list_push(&args, p->arg[node.first + i]);
  else
    expr_list_push(&args, core);
  expr r = expr_intern(p, EXPR_PRODUCT, 0, args.n, args.at, core);
  expr_list_end(&args);
  return r;
}

static void push_term(expr_pool* p, term_list* l, expr e, expr by)
{
  const expr whole = by == EXPR_ONE ? e : EXPR_NONE;
  if (expr_kind_at(p, e) == EXPR_NUMBER)
    push(l, (term){EXPR_ONE, expr_q_mul(p, e, by), whole, 0});
  else
    push(l, (term){expr_core(p, e), expr_q_mul(p, expr_coef(p, e), by), whole, 0});
}

// the terms of e times a number; a sum of at most `flat` terms is opened, also below a number
static void push_terms(expr_pool* p, term_list* l, expr e, expr by, uint32_t flat)
{
  expr core = expr_core(p, e);
  const expr_node* node = expr_at(p, core);
  if (node->kind != EXPR_SUM || node->n > flat) {
    push_term(p, l, e, by);
    return;
  }
  by = expr_q_mul(p, by, expr_coef(p, e));
  uint32_t n = expr_at(p, core)->n;
  for (uint32_t i = 0; i < n; i++) push_term(p, l, expr_args_at(p, core)[i], by);
}

static bool in_order(const expr_pool* p, const term* a, const term* b)
{
  return a->key != b->key ? a->key < b->key : expr_order(p, a->core, b->core) <= 0;
}

// natural merge sort by keys: lists made of sorted runs, as here, take one or two passes
static void sort_terms(const expr_pool* p, term_list* l)
{
  term few[usual_terms], *from = l->at, *spare = NULL, *more = NULL;
  for (;;) {
    int runs = 0, i = 0;
    while (i < l->n) {
      int mid = i + 1;
      while (mid < l->n && in_order(p, &from[mid - 1], &from[mid])) mid++;
      if (i == 0 && mid == l->n) break; // one run: sorted
      if (!spare && l->n > usual_terms) more = base_alloc((size_t)l->n * sizeof *more);
      if (!spare) spare = more ? more : few;
      int end = mid;
      if (end < l->n) end++;
      while (end < l->n && in_order(p, &from[end - 1], &from[end])) end++;
      int a = i, b = mid;
      for (int k = i; k < end; k++) {
        bool left = a < mid && (b >= end || in_order(p, &from[a], &from[b]));
        spare[k] = left ? from[a++] : from[b++];
      }
      i = end;
      runs++;
    }
    if (!runs) break;
    term* t = from;
    from = spare;
    spare = t;
  }
  if (from != l->at) memcpy(l->at, from, (size_t)l->n * sizeof *from);
  free(more);
}

static expr build(expr_pool* p, term_list* l)
{
  for (int i = 0; i < l->n; i++) l->at[i].key = expr_order_key(p, l->at[i].core);
  sort_terms(p, l);
  expr_list out;
  expr_list_start(&out);
  for (int i = 0; i < l->n;) {
    const int first = i;
    expr core = l->at[i].core, coef = EXPR_ZERO;
    for (; i < l->n && l->at[i].core == core; i++) coef = expr_q_add(p, coef, l->at[i].coef);
    if (coef == EXPR_ZERO) continue;
    const expr whole = i == first + 1 ? l->at[first].whole : EXPR_NONE;
    expr_list_push(&out, whole ? whole : expr_scale(p, coef, core));
  }
  expr r = EXPR_ZERO;
  if (out.n == 1)
    r = out.at[0];
  else if (out.n > 1)
    r = expr_intern(p, EXPR_SUM, 0, out.n, out.at, EXPR_NONE);
  expr_list_end(&out);
  return r;
}

static expr add_up(expr_pool* p, int n, const expr* terms, uint32_t flat)
{
  for (int i = 0; i < n; i++)
    if (!terms[i]) return EXPR_NONE;
  if (n == 1) return terms[0];
  term_list l;
  l.at = l.local;
  l.n = 0;
  l.room = usual_terms;
  for (int i = 0; i < n; i++) push_terms(p, &l, terms[i], EXPR_ONE, flat);
  expr r = build(p, &l);
  if (l.at != l.local) free(l.at);
  return r;
}

expr expr_sum(expr_pool* p, int n, const expr* terms)
{
  return add_up(p, n, terms, EXPR_FLAT);
}

// along a chain each link adds its own to what it got
expr expr_sum_long(expr_pool* p, int n, const expr* terms)
{
  return add_up(p, n, terms, EXPR_FLAT_SHARED);
}

expr expr_add(expr_pool* p, expr a, expr b)
{
  if (!a || !b) return EXPR_NONE;
  if (a == EXPR_ZERO) return b;
  if (b == EXPR_ZERO) return a;
  if (expr_kind_at(p, a) == EXPR_NUMBER && expr_kind_at(p, b) == EXPR_NUMBER)
    return expr_q_add(p, a, b);
  return expr_sum(p, 2, (expr[]){a, b});
}

expr expr_sub(expr_pool* p, expr a, expr b)
{
  if (!a || !b) return EXPR_NONE;
  return expr_add(p, a, expr_neg(p, b));
}

expr expr_neg(expr_pool* p, expr a)
{
  return a ? expr_scale(p, EXPR_MINUS_ONE, a) : EXPR_NONE;
}
