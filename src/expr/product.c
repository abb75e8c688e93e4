// Products: a number and factors base ^ exponent, sorted by base, like bases merged.
#include "expr/pool.h"

typedef struct factor
{
  expr base, exponent;
  expr whole; // base ^ exponent as it came, EXPR_NONE once merged
} factor;

// most products are short: room for them on the stack
enum { usual_factors = 16 };

typedef struct factors
{
  expr number;
  struct
  {
    factor* at;
    int n, room;
  } list;
  factor local[usual_factors];
} factors;

static void start(factors* f, expr number)
{
  f->number = number;
  f->list.at = f->local;
  f->list.n = 0;
  f->list.room = usual_factors;
}

static void end(factors* f)
{
  if (f->list.at != f->local) free(f->list.at);
}

static void push(factors* f, factor x)
{
  if (f->list.n == f->list.room) {
    f->list.room *= 2;
    const bool first = f->list.at == f->local;
    f->list.at = base_realloc(first ? NULL : f->list.at, (size_t)f->list.room * sizeof x);
    if (first) memcpy(f->list.at, f->local, sizeof f->local);
  }
  f->list.at[f->list.n++] = x;
}

static void push_factor(expr_pool* p, factors* f, expr e)
{
  // the minus signs of a sum go to the number
  if (expr_is_all_minus(p, e)) {
    e = expr_neg(p, e);
    f->number = expr_q_neg(p, f->number);
  }
  const expr_node* node = expr_at(p, e);
  if (node->kind == EXPR_NUMBER)
    f->number = expr_q_mul(p, f->number, e);
  else if (expr_is_fn(p, e, EXPR_EXP))
    push(f, (factor){EXPR_E_ID, expr_args_at(p, e)[0], e});
  else
    push(f, (factor){expr_base(p, e), expr_exponent(p, e), e});
}

static void push_factors(expr_pool* p, factors* f, expr e)
{
  const expr_node* node = expr_at(p, e);
  if (node->kind != EXPR_PRODUCT || node->n > EXPR_FLAT_PRODUCT) {
    push_factor(p, f, e);
    return;
  }
  uint32_t n = node->n;
  for (uint32_t i = 0; i < n; i++) push_factor(p, f, expr_args_at(p, e)[i]);
}

static int by_base(const expr_pool* p, const factor* a, const factor* b)
{
  return expr_order(p, a->base, b->base);
}

// insertion sort: lists are short and mostly in order; long ones come in sorted runs
static void sort_factors(const expr_pool* p, factors* f)
{
  for (int i = 1; i < f->list.n; i++) {
    factor x = f->list.at[i];
    int k = i;
    for (; k > 0 && by_base(p, &f->list.at[k - 1], &x) > 0; k--) f->list.at[k] = f->list.at[k - 1];
    f->list.at[k] = x;
  }
}

// adds up the exponents of equal bases; true when something merged
static bool merge(expr_pool* p, factors* f)
{
  bool merged = false;
  int n = 0;
  for (int i = 0; i < f->list.n; i++) {
    factor x = f->list.at[i];
    if (n && f->list.at[n - 1].base == x.base) {
      factor* last = &f->list.at[n - 1];
      last->exponent = expr_add(p, last->exponent, x.exponent);
      last->whole = EXPR_NONE;
      merged = true;
    } else {
      f->list.at[n++] = x;
    }
  }
  f->list.n = n;
  return merged;
}

// builds the powers of merged factors; what comes out may be a number or a product again
static bool rebuild(expr_pool* p, factors* f)
{
  factors out;
  bool defined = true;
  start(&out, f->number);
  for (int i = 0; i < f->list.n; i++) {
    factor x = f->list.at[i];
    if (!x.whole) x.whole = expr_pow(p, x.base, x.exponent);
    if (!x.whole) defined = false;
    if (defined) push_factors(p, &out, x.whole);
  }
  // the new ones take the place of the old
  f->number = out.number;
  f->list.n = 0;
  for (int i = 0; i < out.list.n; i++) push(f, out.list.at[i]);
  end(&out);
  return defined;
}

static expr build(expr_pool* p, factors* f)
{
  if (f->number == EXPR_ZERO) return EXPR_ZERO;
  if (f->list.n == 0) return f->number;
  if (f->list.n == 1) return expr_scale(p, f->number, f->list.at[0].whole);
  expr_list args;
  expr_list_start(&args);
  for (int i = 0; i < f->list.n; i++) expr_list_push(&args, f->list.at[i].whole);
  expr core = expr_intern(p, EXPR_PRODUCT, 0, args.n, args.at, EXPR_NONE);
  expr_list_end(&args);
  return expr_scale(p, f->number, core);
}

expr expr_product(expr_pool* p, int n, const expr* list)
{
  for (int i = 0; i < n; i++)
    if (!list[i]) return EXPR_NONE;
  if (n == 1) return list[0];
  factors f;
  start(&f, EXPR_ONE);
  for (int i = 0; i < n; i++) push_factors(p, &f, list[i]);
  sort_factors(p, &f);
  expr r = EXPR_NONE;
  bool defined = true;
  p->depth++;
  // every round that merges leaves fewer factors or opens a nested product, so few are needed
  for (int round = 0; defined && round < EXPR_DEPTH && merge(p, &f); round++) {
    defined = rebuild(p, &f);
    sort_factors(p, &f);
  }
  p->depth--;
  if (defined) {
    for (int i = 0; i < f.list.n; i++)
      if (!f.list.at[i].whole)
        f.list.at[i].whole = expr_intern_power(p, f.list.at[i].base, f.list.at[i].exponent);
    r = build(p, &f);
  }
  end(&f);
  return r;
}

expr expr_mul(expr_pool* p, expr a, expr b)
{
  if (!a || !b) return EXPR_NONE;
  if (a == EXPR_ZERO || b == EXPR_ZERO) return EXPR_ZERO;
  if (a == EXPR_ONE) return b;
  if (b == EXPR_ONE) return a;
  if (expr_kind_at(p, a) == EXPR_NUMBER) return expr_scale(p, a, b);
  if (expr_kind_at(p, b) == EXPR_NUMBER) return expr_scale(p, b, a);
  return expr_product(p, 2, (expr[]){a, b});
}

expr expr_div(expr_pool* p, expr a, expr b)
{
  if (!a || !b || b == EXPR_ZERO) return EXPR_NONE;
  return expr_mul(p, a, expr_pow(p, b, EXPR_MINUS_ONE));
}
