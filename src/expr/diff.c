// Derivatives: with respect to a symbol, and the total time derivative; each node once.
#include "expr/pool.h"

// what is differentiated by: a symbol, or time through the rates of all symbols
typedef struct rule
{
  expr_pool* p;
  expr symbol; // EXPR_NONE: time
  uint64_t mask;
  expr_map* memo;
  const expr_pool* owner; // of the memo; null: it is the walk's own
} rule;

static uint64_t key_of(const rule* r, expr e)
{
  return (uint64_t)e << 32 | r->symbol;
}

// 0 when not yet known
static expr known(const rule* r, expr e)
{
  if (!(expr_at(r->p, e)->symbols & r->mask)) return EXPR_ZERO;
  return expr_map_get(r->memo, key_of(r, e));
}

static expr of_symbol(const rule* r, expr e)
{
  if (r->symbol) return e == r->symbol ? EXPR_ONE : EXPR_ZERO;
  expr rate = expr_rate(r->p, e);
  return rate ? rate : EXPR_ZERO;
}

// a sum kept closed within another one has a derivative to be shared as well
static expr of_sum(const rule* r, expr e)
{
  expr_pool* p = r->p;
  expr_list out;
  expr_list_start(&out);
  uint32_t n = expr_at(p, e)->n;
  bool nested = false;
  for (uint32_t i = 0; i < n; i++) {
    const expr term = expr_args_at(p, e)[i];
    nested = nested || expr_kind_at(p, term) == EXPR_SUM;
    expr d = known(r, term);
    if (d != EXPR_ZERO) expr_list_push(&out, d);
  }
  expr d = nested ? expr_sum_long(p, out.n, out.at) : expr_sum(p, out.n, out.at);
  expr_list_end(&out);
  return d;
}

static expr of_product(const rule* r, expr e)
{
  expr_pool* p = r->p;
  expr_list out, factors;
  expr_list_start(&out);
  expr_list_start(&factors);
  uint32_t n = expr_at(p, e)->n;
  for (uint32_t i = 0; i < n; i++) expr_list_push(&factors, expr_args_at(p, e)[i]);
  for (uint32_t i = 0; i < n; i++) {
    expr d = known(r, factors.at[i]), kept = factors.at[i];
    if (d == EXPR_ZERO) continue;
    factors.at[i] = d;
    expr_list_push(&out, expr_product(p, factors.n, factors.at));
    factors.at[i] = kept;
  }
  expr d = expr_sum(p, out.n, out.at);
  expr_list_end(&out);
  expr_list_end(&factors);
  return d;
}

// d(b^e) = e b^(e-1) db + b^e log(b) de
static expr of_power(const rule* r, expr e)
{
  expr_pool* p = r->p;
  expr b = expr_args_at(p, e)[0], x = expr_args_at(p, e)[1];
  expr db = known(r, b), dx = known(r, x), d = EXPR_ZERO;
  if (db != EXPR_ZERO) {
    expr lower = expr_pow(p, b, expr_add(p, x, EXPR_MINUS_ONE));
    d = expr_product(p, 3, (expr[]){x, lower, db});
  }
  if (dx == EXPR_ZERO) return d;
  return expr_add(p, d, expr_product(p, 3, (expr[]){e, expr_fn1(p, EXPR_LOG, b), dx}));
}

// the outer derivative of a function of one argument
static expr slope(expr_pool* p, expr_fn f, expr e, expr a)
{
  expr square = expr_pow(p, a, EXPR_TWO), minus_half = expr_ratio(p, -1, 2);
  switch (f) {
  case EXPR_EXP:
    return e;
  case EXPR_LOG:
    return expr_pow(p, a, EXPR_MINUS_ONE);
  case EXPR_SIN:
    return expr_fn1(p, EXPR_COS, a);
  case EXPR_COS:
    return expr_neg(p, expr_fn1(p, EXPR_SIN, a));
  case EXPR_TAN:
    return expr_pow(p, expr_fn1(p, EXPR_COS, a), expr_int(p, -2));
  case EXPR_ASIN:
    return expr_pow(p, expr_sub(p, EXPR_ONE, square), minus_half);
  case EXPR_ACOS:
    return expr_neg(p, expr_pow(p, expr_sub(p, EXPR_ONE, square), minus_half));
  case EXPR_ATAN:
    return expr_pow(p, expr_add(p, EXPR_ONE, square), EXPR_MINUS_ONE);
  case EXPR_SINH:
    return expr_fn1(p, EXPR_COSH, a);
  case EXPR_COSH:
    return expr_fn1(p, EXPR_SINH, a);
  case EXPR_TANH:
    return expr_pow(p, expr_fn1(p, EXPR_COSH, a), expr_int(p, -2));
  case EXPR_ABS:
    return expr_fn1(p, EXPR_SIGN, a);
  default:
    return EXPR_ZERO; // sign
  }
}

expr expr_partial(expr_pool* p, expr e, int i)
{
  const expr a = expr_args_at(p, e)[0];
  if (expr_kind_at(p, e) == EXPR_CALL && expr_at(p, e)->n == 1)
    return slope(p, (expr_fn)expr_at(p, e)->fn, e, a);
  const expr b = expr_args_at(p, e)[1];
  if (expr_kind_at(p, e) == EXPR_POWER)
    return i ? expr_mul(p, e, expr_fn1(p, EXPR_LOG, a))
             : expr_mul(p, b, expr_pow(p, a, expr_add(p, b, EXPR_MINUS_ONE)));
  assert(expr_is_fn(p, e, EXPR_ATAN2));
  const expr below = expr_add(p, expr_pow(p, a, EXPR_TWO), expr_pow(p, b, EXPR_TWO));
  return expr_div(p, i ? expr_neg(p, a) : b, below);
}

static expr of_call(const rule* r, expr e)
{
  expr_pool* p = r->p;
  expr_fn f = (expr_fn)expr_at(p, e)->fn;
  expr a = expr_args_at(p, e)[0], da = known(r, a);
  if (expr_at(p, e)->n == 1) return expr_mul(p, slope(p, f, e, a), da);
  expr b = expr_args_at(p, e)[1], db = known(r, b);
  if (f == EXPR_MIN) return expr_if(p, expr_less_eq(p, a, b), da, db);
  if (f == EXPR_MAX) return expr_if(p, expr_less_eq(p, b, a), da, db);
  // atan2(a, b): (b da - a db) / (a^2 + b^2)
  expr above = expr_sub(p, expr_mul(p, b, da), expr_mul(p, a, db));
  expr below = expr_add(p, expr_pow(p, a, EXPR_TWO), expr_pow(p, b, EXPR_TWO));
  return expr_div(p, above, below);
}

static expr derive(const rule* r, expr e)
{
  expr_pool* p = r->p;
  switch (expr_kind_at(p, e)) {
  case EXPR_SYMBOL:
    return of_symbol(r, e);
  case EXPR_SUM:
    return of_sum(r, e);
  case EXPR_PRODUCT:
    return of_product(r, e);
  case EXPR_POWER:
    return of_power(r, e);
  case EXPR_CALL:
    return of_call(r, e);
  case EXPR_IF: {
    expr c = expr_args_at(p, e)[0], a = expr_args_at(p, e)[1], b = expr_args_at(p, e)[2];
    return expr_if(p, c, known(r, a), known(r, b));
  }
  default:
    return EXPR_ZERO; // conditions jump, they have no slope
  }
}

// the derivative of e after those of its arguments; an explicit stack, so any depth
static expr run(const rule* r, expr e)
{
  expr_list stack;
  expr_list_start(&stack);
  expr_list_push(&stack, e);
  while (stack.n) {
    expr top = stack.at[stack.n - 1];
    if (known(r, top)) {
      stack.n--;
      continue;
    }
    bool ready = true;
    uint32_t n = expr_at(r->p, top)->n;
    expr_looked += n + 1;
    for (uint32_t i = 0; i < n; i++) {
      expr child = expr_args_at(r->p, top)[i];
      if (known(r, child)) continue;
      expr_list_push(&stack, child);
      ready = false;
    }
    if (!ready) continue;
    expr d = derive(r, top);
    // where it is undefined (a division by zero inside) the whole is
    if (!d) {
      expr_list_end(&stack);
      return EXPR_NONE;
    }
    expr_map_set_with(r->owner, r->memo, key_of(r, top), d);
    stack.n--;
  }
  expr_list_end(&stack);
  return known(r, e);
}

expr expr_diff(expr_pool* p, expr e, expr symbol)
{
  if (!e || !symbol) return EXPR_NONE;
  if (expr_kind_at(p, symbol) != EXPR_SYMBOL) return p->full ? EXPR_ZERO : EXPR_NONE;
  rule r = {p, symbol, expr_at(p, symbol)->symbols, &p->diffs, p};
  return run(&r, e);
}

void expr_gradient(expr_pool* p, expr e, int n, const expr* symbols, expr* out)
{
  for (int i = 0; i < n; i++) out[i] = expr_diff(p, e, symbols[i]);
}

expr expr_rate(const expr_pool* p, expr symbol)
{
  if (!symbol || expr_kind_at(p, symbol) != EXPR_SYMBOL) return EXPR_NONE;
  return p->symbols.at[expr_at(p, symbol)->first].rate;
}

void expr_rate_set(expr_pool* p, expr symbol, expr rate)
{
  if (!symbol || expr_kind_at(p, symbol) != EXPR_SYMBOL) return;
  p->symbols.at[expr_at(p, symbol)->first].rate = rate;
  p->rate_mask |= expr_at(p, symbol)->symbols;
  expr_map_free(&p->totals);
}

expr expr_total(expr_pool* p, expr e)
{
  if (!e) return EXPR_NONE;
  rule r = {p, EXPR_NONE, p->rate_mask, &p->totals, p};
  return run(&r, e);
}

void expr_totals_at(expr_pool* p, int count, const expr* e, int n, const expr* held, expr* out)
{
  expr* rate = base_alloc((size_t)(n + 1) * sizeof *rate);
  for (int i = 0; i < n; i++) {
    expr_name_entry* s = &p->symbols.at[expr_at(p, held[i])->first];
    rate[i] = s->rate;
    s->rate = EXPR_NONE;
  }
  uint64_t mask = 0;
  for (int i = 0; i < p->symbols.n; i++)
    if (p->symbols.at[i].rate) mask |= expr_at(p, p->symbols.at[i].node)->symbols;
  expr_map memo = {0};
  const rule r = {p, EXPR_NONE, mask, &memo, NULL};
  for (int i = 0; i < count; i++) out[i] = e[i] ? run(&r, e[i]) : EXPR_NONE;
  expr_map_free(&memo);
  for (int i = 0; i < n; i++) p->symbols.at[expr_at(p, held[i])->first].rate = rate[i];
  free(rate);
}
