// Expressions as polynomials in chosen symbols, with expressions as coefficients.
#include "expr/pool.h"

#define MOST_TERMS  2000
#define MOST_DEGREE 64

typedef BASE_LIST(expr) exprs;

typedef struct part
{
  exprs monomial, coef;
} part;

typedef struct job
{
  expr_pool* p;
  int n;
  const expr* symbols;
  bool strict, failed;
  expr_walk walk;
  part* at;  // one for each node of the walk; empty for nodes without the symbols
  bool* has; // does the node hold one of the symbols?
} job;

static void part_free(part* a)
{
  base_list_free(&a->monomial);
  base_list_free(&a->coef);
}

static void part_push(part* a, expr monomial, expr coef)
{
  base_push(&a->monomial, monomial);
  base_push(&a->coef, coef);
}

typedef struct pair
{
  expr monomial, coef;
} pair;

static int by_monomial(const void* a, const void* b)
{
  expr x = ((const pair*)a)->monomial, y = ((const pair*)b)->monomial;
  return (x > y) - (x < y);
}

// one entry for each monomial
static void part_merge(expr_pool* p, part* a)
{
  int n = a->monomial.n, out = 0;
  if (n < 2) return;
  pair* pairs = base_alloc((size_t)n * sizeof *pairs);
  for (int i = 0; i < n; i++) pairs[i] = (pair){a->monomial.at[i], a->coef.at[i]};
  qsort(pairs, (size_t)n, sizeof *pairs, by_monomial);
  for (int i = 0; i < n;) {
    expr_list terms;
    expr_list_start(&terms);
    expr m = pairs[i].monomial;
    for (; i < n && pairs[i].monomial == m; i++) expr_list_push(&terms, pairs[i].coef);
    expr c = expr_sum(p, terms.n, terms.at);
    expr_list_end(&terms);
    if (c == EXPR_ZERO) continue;
    a->monomial.at[out] = m;
    a->coef.at[out++] = c;
  }
  a->monomial.n = a->coef.n = out;
  free(pairs);
}

static part part_of(const job* j, expr e)
{
  part r = {0};
  int place = expr_walk_place(&j->walk, e);
  const part* known = &j->at[place];
  if (!j->has[place]) {
    part_push(&r, EXPR_ONE, e);
    return r;
  }
  for (int i = 0; i < known->monomial.n; i++)
    part_push(&r, known->monomial.at[i], known->coef.at[i]);
  return r;
}

static part times(job* j, const part* a, const part* b)
{
  part r = {0};
  if ((long)a->monomial.n * b->monomial.n > MOST_TERMS) {
    j->failed = true;
    return r;
  }
  for (int i = 0; i < a->monomial.n; i++)
    for (int k = 0; k < b->monomial.n; k++)
      part_push(&r, expr_mul(j->p, a->monomial.at[i], b->monomial.at[k]),
                expr_mul(j->p, a->coef.at[i], b->coef.at[k]));
  part_merge(j->p, &r);
  return r;
}

static part of_sum(job* j, expr e)
{
  part r = {0};
  uint32_t n = expr_at(j->p, e)->n;
  for (uint32_t i = 0; i < n; i++) {
    part a = part_of(j, expr_args_at(j->p, e)[i]);
    for (int k = 0; k < a.monomial.n; k++) part_push(&r, a.monomial.at[k], a.coef.at[k]);
    part_free(&a);
  }
  part_merge(j->p, &r);
  if (r.monomial.n > MOST_TERMS) j->failed = true;
  return r;
}

static part of_product(job* j, expr e)
{
  part r = {0};
  part_push(&r, EXPR_ONE, EXPR_ONE);
  uint32_t n = expr_at(j->p, e)->n;
  for (uint32_t i = 0; i < n && !j->failed; i++) {
    part a = part_of(j, expr_args_at(j->p, e)[i]), product = times(j, &r, &a);
    part_free(&a);
    part_free(&r);
    r = product;
  }
  return r;
}

static part of_power(job* j, expr e, long n)
{
  part r = {0}, base = part_of(j, expr_args_at(j->p, e)[0]);
  part_push(&r, EXPR_ONE, EXPR_ONE);
  for (long i = 0; i < n && !j->failed; i++) {
    part product = times(j, &r, &base);
    part_free(&r);
    r = product;
  }
  part_free(&base);
  return r;
}

static bool has_symbol(const job* j, expr e)
{
  const expr_node* node = expr_at(j->p, e);
  for (int i = 0; node->kind == EXPR_SYMBOL && i < j->n; i++)
    if (j->symbols[i] == e) return true;
  for (uint32_t i = 0; i < node->n; i++)
    if (j->has[expr_walk_place(&j->walk, j->p->arg[node->first + i])]) return true;
  return false;
}

static part of_node(job* j, expr e)
{
  expr_pool* p = j->p;
  part r = {0};
  long n;
  switch (expr_kind_at(p, e)) {
  case EXPR_SYMBOL:
    part_push(&r, e, EXPR_ONE);
    return r;
  case EXPR_SUM:
    return of_sum(j, e);
  case EXPR_PRODUCT:
    return of_product(j, e);
  case EXPR_POWER:
    if (expr_is_int(p, expr_args_at(p, e)[1], &n) && n > 0 && n <= MOST_DEGREE)
      return of_power(j, e, n);
    break;
  default:
    break;
  }
  if (j->strict)
    j->failed = true;
  else
    part_push(&r, EXPR_ONE, e);
  return r;
}

bool expr_group_by(expr_pool* p, expr e, int n, const expr* symbols, bool strict, expr_group* out)
{
  job j = {.p = p, .n = n, .symbols = symbols, .strict = strict};
  *out = (expr_group){0};
  expr_walk_from(p, &j.walk, 1, &e, SIZE_MAX);
  j.at = base_alloc((size_t)j.walk.order.n * sizeof *j.at);
  j.has = base_alloc((size_t)j.walk.order.n * sizeof *j.has);
  for (int i = 0; i < j.walk.order.n && !j.failed; i++) {
    j.has[i] = has_symbol(&j, j.walk.order.at[i]);
    if (j.has[i]) j.at[i] = of_node(&j, j.walk.order.at[i]);
  }
  if (!j.failed) {
    part r = part_of(&j, e);
    out->n = r.monomial.n;
    out->monomial = r.monomial.at;
    out->coef = r.coef.at;
  }
  for (int i = 0; i < j.walk.order.n; i++) part_free(&j.at[i]);
  free(j.at);
  free(j.has);
  expr_walk_free(&j.walk);
  return !j.failed;
}

void expr_group_free(expr_group* g)
{
  free(g->monomial);
  free(g->coef);
  *g = (expr_group){0};
}

expr expr_coefficient(expr_pool* p, expr e, expr symbol, int k)
{
  if (!e || !symbol || k < 0) return EXPR_NONE;
  if (!expr_has(p, e, symbol)) return k == 0 ? e : EXPR_ZERO;
  expr_group g;
  if (!expr_group_by(p, e, 1, &symbol, true, &g)) return EXPR_NONE;
  expr want = expr_pow(p, symbol, expr_int(p, k)), r = EXPR_ZERO;
  for (int i = 0; i < g.n; i++)
    if (g.monomial[i] == want) r = g.coef[i];
  expr_group_free(&g);
  return r;
}

expr expr_collect(expr_pool* p, expr e, int n, const expr* symbols)
{
  if (!e) return EXPR_NONE;
  expr_group g;
  if (!expr_group_by(p, e, n, symbols, false, &g)) return e;
  expr_list terms;
  expr_list_start(&terms);
  for (int i = 0; i < g.n; i++)
    expr_list_push(&terms, expr_mul(p, expr_simplify(p, g.coef[i]), g.monomial[i]));
  expr r = expr_sum(p, terms.n, terms.at);
  expr_list_end(&terms);
  expr_group_free(&g);
  return r;
}
