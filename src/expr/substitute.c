// Substitution: expressions replaced all at once, each node of the graph rebuilt at most once.
#include "expr/pool.h"

typedef struct exchange
{
  expr_pool* p;
  const void* owner; // of what is done, or null
  expr_spans* done;  // node -> its replacement plus one
  uint64_t mask;     // symbols inside the replaced expressions
  bool by_symbols;   // only symbols are replaced
  bool shares;       // long sums stay closed
  expr least;        // no node before this one holds a replaced one
} exchange;

// the new node, or EXPR_NONE when not yet known; nodes that stay are known at once
static bool known(const exchange* x, expr e, expr* to)
{
  *to = e;
  if (e < x->least) return true;
  if (x->by_symbols && !(expr_at(x->p, e)->symbols & x->mask)) return true;
  const uint32_t r = expr_spans_get(x->done, e);
  *to = r - 1;
  return r != 0;
}

expr expr_rebuild(expr_pool* p, expr e, const expr* args)
{
  expr_node node = *expr_at(p, e);
  switch ((expr_kind)node.kind) {
  case EXPR_SUM:
    return expr_sum(p, (int)node.n, args);
  case EXPR_PRODUCT:
    return expr_product(p, (int)node.n, args);
  case EXPR_POWER:
    return expr_pow(p, args[0], args[1]);
  case EXPR_CALL:
    return expr_call(p, (expr_fn)node.fn, (int)node.n, args);
  case EXPR_LESS:
    return expr_less(p, args[0], args[1]);
  case EXPR_LESS_EQ:
    return expr_less_eq(p, args[0], args[1]);
  case EXPR_IF:
    return expr_if(p, args[0], args[1], args[2]);
  default:
    return e;
  }
}

static expr rebuilt(exchange* x, expr e)
{
  expr_pool* p = x->p;
  expr_list args;
  expr_list_start(&args);
  bool same = true;
  uint32_t n = expr_at(p, e)->n;
  for (uint32_t i = 0; i < n; i++) {
    expr old = expr_args_at(p, e)[i], to;
    known(x, old, &to);
    same &= to == old;
    expr_list_push(&args, to);
  }
  const bool is_shared = x->shares && expr_kind_at(p, e) == EXPR_SUM;
  expr r = e;
  if (!same) r = is_shared ? expr_sum_long(p, (int)n, args.at) : expr_rebuild(p, e, args.at);
  expr_list_end(&args);
  return r;
}

static expr run(exchange* x, expr e)
{
  expr_list stack;
  expr_list_start(&stack);
  expr to = EXPR_NONE;
  expr_list_push(&stack, e);
  while (stack.n) {
    expr top = stack.at[stack.n - 1];
    if (known(x, top, &to)) {
      stack.n--;
      continue;
    }
    bool ready = true;
    uint32_t n = expr_at(x->p, top)->n;
    expr_looked += n + 1;
    for (uint32_t i = 0; i < n; i++) {
      expr child = expr_args_at(x->p, top)[i];
      if (known(x, child, &to)) continue;
      expr_list_push(&stack, child);
      ready = false;
    }
    if (!ready) continue;
    const expr made = rebuilt(x, top);
    *expr_spans_place(x->owner, x->done, top) = made + 1;
    stack.n--;
  }
  expr_list_end(&stack);
  known(x, e, &to);
  return to;
}

static void begin(exchange* x, int n, const expr* from, const expr* to)
{
  expr_looked += (uint64_t)n;
  for (int i = 0; i < n; i++) {
    if (!from[i]) continue;
    x->mask |= expr_at(x->p, from[i])->symbols;
    x->by_symbols &= expr_kind_at(x->p, from[i]) == EXPR_SYMBOL;
    if (from[i] < x->least) x->least = from[i];
    // the first of equal ones counts
    uint32_t* const done = expr_spans_place(x->owner, x->done, from[i]);
    if (!*done) *done = to[i] + 1;
  }
}

void expr_substitute_all(expr_pool* p, int count, const expr* e, int n, const expr* from,
                         const expr* to, expr* out)
{
  expr_spans done = {0};
  exchange x = {.p = p, .done = &done, .by_symbols = true, .least = UINT32_MAX};
  begin(&x, n, from, to);
  for (int i = 0; i < count; i++) out[i] = e[i] ? run(&x, e[i]) : EXPR_NONE;
  expr_spans_free(&done);
}

expr expr_substitute(expr_pool* p, expr e, int n, const expr* from, const expr* to)
{
  expr r;
  expr_substitute_all(p, 1, &e, n, from, to, &r);
  return r;
}

// ---- kept ---------------------------------------------------------------------------------------

static bool is_kept(const expr_kept* k, int n, const expr* from, const expr* to, bool shares)
{
  const size_t size = sizeof(expr) * (size_t)n;
  return k->pairs.n == 2 * n && k->shares == shares &&
         (!n || (memcmp(k->pairs.at, from, size) == 0 && memcmp(k->pairs.at + n, to, size) == 0));
}

static void keep(expr_pool* p, int n, const expr* from, const expr* to, bool shares)
{
  expr_kept* k = &p->kept;
  expr_spans_free(&k->done);
  k->pairs.n = 0;
  for (int i = 0; i < 2 * n; i++) base_push_with(p, &k->pairs, i < n ? from[i] : to[i - n]);
  k->shares = shares;
}

void expr_substitute_kept(expr_pool* p, int count, const expr* e, int n, const expr* from,
                          const expr* to, bool shares, expr* out)
{
  if (!is_kept(&p->kept, n, from, to, shares)) keep(p, n, from, to, shares);
  exchange x = {.p = p,
                .owner = p,
                .done = &p->kept.done,
                .by_symbols = true,
                .shares = shares,
                .least = UINT32_MAX};
  begin(&x, n, from, to);
  for (int i = 0; i < count; i++) out[i] = e[i] ? run(&x, e[i]) : EXPR_NONE;
}
