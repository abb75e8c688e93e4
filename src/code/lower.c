// Expressions to tape, each shared part once. The walk keeps its own stack: depth is the user's.
#include "code/nested.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

// beyond this power the library's pow is the better multiplication
#define POWER_MAX 32

// A value and a sign put off: sums turn it into a difference, products pass it on, and sin(-x)
// shares sin(x).
typedef struct signed_value
{
  uint32_t value;
  bool minus;
} signed_value;

#define NO_VALUE UINT32_MAX

typedef struct entry
{
  expr key; // EXPR_NONE for empty
  signed_value made;
} entry;

typedef struct lowering
{
  code_maker* m;
  const expr_pool* p;
  entry* table; // what each expression became
  uint32_t mask, used;
  int* input;                     // by symbol: its input plus one; 0: it is none
  code_nested_sums inner;         // sums that hold shorter ones
  BASE_LIST(expr) terms;          // of the sum at hand
  BASE_LIST(signed_value) values; // what they became
  double by;                      // in front of the first
} lowering;

// ---- what each expression became ----------------------------------------------------------------

// What is made one after another is asked for one after another: expressions of one block lie side
// by side, and blocks by the golden section, which keeps them apart.
static entry* find(const lowering* w, expr key)
{
  enum { BLOCK = 4 };
  const uint64_t hash = key / BLOCK * 0x9e3779b97f4a7c15u;
  const uint64_t block = (hash >> 32) * ((w->mask + 1) / BLOCK) >> 32;
  for (uint32_t i = (uint32_t)block * BLOCK + key % BLOCK;; i = (i + 1) & w->mask) {
    entry* e = &w->table[i];
    if (e->key == key || e->key == EXPR_NONE) return e;
  }
}

static bool is_made(const lowering* w, expr e)
{
  return find(w, e)->key == e;
}

static void keep(lowering* w, expr key, signed_value made)
{
  entry* e = find(w, key);
  if (e->key == key) return;
  *e = (entry){key, made};
  if (++w->used <= w->mask / 2) return;
  entry* old = w->table;
  uint32_t size = w->mask + 1;
  w->mask = 2 * size - 1;
  w->table = base_alloc(2 * (size_t)size * sizeof *w->table);
  for (uint32_t i = 0; i < size; i++)
    if (old[i].key != EXPR_NONE) *find(w, old[i].key) = old[i];
  free(old);
}

static signed_value made_of(const lowering* w, expr e)
{
  const entry* at = find(w, e);
  assert(at->key == e && e != EXPR_NONE);
  return at->made;
}

static uint32_t plain(lowering* w, signed_value v)
{
  return v.minus ? code_make_neg(w->m, v.value) : v.value;
}

static signed_value number(lowering* w, double x)
{
  return (signed_value){code_make_const(w->m, fabs(x)), signbit(x) != 0};
}

static signed_value exact_number(lowering* w, expr e)
{
  const base_wide x = expr_number_wide(w->p, e);
  const bool minus = x.hi < 0;
  return (signed_value){code_make_number(w->m, minus ? base_wide_neg(x) : x), minus};
}

static uint32_t times(lowering* w, uint32_t a, uint32_t b)
{
  return a == NO_VALUE ? b : code_make(w->m, CODE_MUL, a, b, 0);
}

// ---- powers -------------------------------------------------------------------------------------

static uint32_t power_whole(lowering* w, uint32_t base, long n)
{
  assert(n > 0 && n <= POWER_MAX);
  uint32_t made = NO_VALUE;
  for (; n; n >>= 1) {
    if (n & 1) made = times(w, made, base);
    if (n > 1) base = times(w, base, base);
  }
  return made;
}

// base^|x| for the exponents that are products and square roots; false for the others
static bool power_easy(lowering* w, signed_value base, double x, signed_value* made)
{
  x = fabs(x);
  if (!(x > 0 && x <= POWER_MAX) || 2 * x != floor(2 * x)) return false;
  long whole = (long)x;
  if (x == floor(x)) {
    *made = (signed_value){power_whole(w, base.value, whole), base.minus && whole % 2 == 1};
    return true;
  }
  // x^(n + 1/2) = x^n sqrt(x)
  uint32_t v = plain(w, base), root = code_make(w->m, CODE_SQRT, v, 0, 0);
  *made = (signed_value){whole ? times(w, power_whole(w, v, whole), root) : root, false};
  return true;
}

static signed_value power(lowering* w, expr e)
{
  signed_value base = made_of(w, expr_arg(w->p, e, 0)), made;
  expr exponent = expr_arg(w->p, e, 1);
  if (expr_is_number(w->p, exponent)) {
    double x = expr_number(w->p, exponent);
    if (power_easy(w, base, x, &made)) {
      if (x < 0) made.value = code_make(w->m, CODE_DIV, code_make_const(w->m, 1), made.value, 0);
      return made;
    }
  }
  uint32_t a = plain(w, base), b = plain(w, made_of(w, exponent));
  return (signed_value){code_make(w->m, CODE_POW, a, b, 0), false};
}

// is the factor 1 / (something easy)? then the something
static bool denominator(lowering* w, expr factor, signed_value* below)
{
  if (expr_kind_of(w->p, factor) != EXPR_POWER) return false;
  expr exponent = expr_arg(w->p, factor, 1);
  if (!expr_is_number(w->p, exponent)) return false;
  double x = expr_number(w->p, exponent);
  return x < 0 && power_easy(w, made_of(w, expr_arg(w->p, factor, 0)), x, below);
}

// ---- products and sums --------------------------------------------------------------------------

static bool may_multiply(const lowering* w, double a, double b)
{
  return !w->m->exact || base_wide_two_product(a, b).lo == 0;
}

// One division for all that is below; the number comes last, so that 2*x*y and 3*x*y share x*y.
static signed_value product(lowering* w, expr e)
{
  double factor = 1;
  uint32_t above = NO_VALUE, below = NO_VALUE;
  bool minus = false;
  for (int i = 0, n = expr_arg_count(w->p, e); i < n; i++) {
    expr part = expr_arg(w->p, e, i);
    signed_value v;
    double x;
    if (denominator(w, part, &v))
      below = times(w, below, v.value);
    else if (v = made_of(w, part), code_is_const(w->m, v.value, &x) && may_multiply(w, factor, x))
      factor *= x;
    else
      above = times(w, above, v.value);
    minus ^= v.minus;
  }
  if (above == NO_VALUE || factor != 1) above = times(w, above, code_make_const(w->m, factor));
  if (below != NO_VALUE) above = code_make(w->m, CODE_DIV, above, below, 0);
  return (signed_value){above, minus};
}

// what an expression is made of: a sum within it comes first
static void list_terms(lowering* w, expr e)
{
  const int n = expr_arg_count(w->p, e);
  const code_nested* found = code_nested_in(&w->inner, e);
  w->terms.n = 0;
  w->by = found ? found->by : 1;
  if (found) base_push(&w->terms, found->part);
  for (int i = 0, k = 0; i < n; i++) {
    const expr term = expr_arg(w->p, e, i);
    if (found && code_nested_is_next(w->p, term, found->part, k))
      k++;
    else
      base_push(&w->terms, term);
  }
}

// the value of a term that list_terms found
static signed_value term_value(lowering* w, int i)
{
  signed_value v = made_of(w, w->terms.at[i]);
  if (i > 0 || w->by == 1) return v;
  if (fabs(w->by) != 1) v.value = times(w, v.value, code_make_const(w->m, fabs(w->by)));
  return (signed_value){v.value, v.minus != (w->by < 0)};
}

static bool list_values(lowering* w)
{
  bool any_plus = false;
  w->values.n = 0;
  for (int i = 0; i < w->terms.n; i++) {
    const signed_value v = term_value(w, i);
    base_push(&w->values, v);
    any_plus = any_plus || !v.minus;
  }
  return any_plus;
}

// Terms in four passes: what is added before what is subtracted, plain values before products, so
// that a sum with a positive term needs no negation and each product can be fused into the sum.
static signed_value sum(lowering* w, expr e)
{
  list_terms(w, e);
  const bool any_plus = list_values(w);
  const int n = w->values.n;
  uint32_t made = NO_VALUE;
  for (int pass = 0; pass < 4; pass++) {
    bool products = pass & 1, minus = pass & 2;
    for (int i = 0; i < n; i++) {
      const signed_value v = w->values.at[i];
      bool is_product = w->m->tape.ins.at[v.value].op == CODE_MUL;
      // a sum of negative terms alone is the negative of their sum
      if (is_product != products || (v.minus && any_plus) != minus) continue;
      made = made == NO_VALUE ? v.value
                              : code_make(w->m, minus ? CODE_SUB : CODE_ADD, made, v.value, 0);
    }
  }
  if (made == NO_VALUE) made = code_make_const(w->m, 0);
  return (signed_value){made, !any_plus && n > 0};
}

// ---- functions and conditions -------------------------------------------------------------------

typedef enum parity { NEITHER, ODD, EVEN } parity;

// X(function, operation, what becomes of a sign)
#define FN_LIST(X)  \
  X(SQRT, NEITHER)  \
  X(EXP, NEITHER)   \
  X(LOG, NEITHER)   \
  X(SIN, ODD)       \
  X(COS, EVEN)      \
  X(TAN, ODD)       \
  X(ASIN, ODD)      \
  X(ACOS, NEITHER)  \
  X(ATAN, ODD)      \
  X(ATAN2, NEITHER) \
  X(SINH, ODD)      \
  X(COSH, EVEN)     \
  X(TANH, ODD)      \
  X(ABS, EVEN)      \
  X(SIGN, ODD)      \
  X(MIN, NEITHER)   \
  X(MAX, NEITHER)

static const struct
{
  code_op op;
  parity sign;
} functions[EXPR_FN_COUNT] = {
#define X(NAME, SIGN) [EXPR_##NAME] = {CODE_##NAME, SIGN},
    FN_LIST(X)
#undef X
};

static signed_value call(lowering* w, expr e)
{
  expr_fn f = expr_fn_of(w->p, e);
  code_op op = functions[f].op;
  signed_value v = made_of(w, expr_arg(w->p, e, 0));
  assert(expr_fn_args(f) == code_op_args(op));
  if (functions[f].sign != NEITHER)
    return (signed_value){code_make(w->m, op, v.value, 0, 0), v.minus && functions[f].sign == ODD};
  uint32_t a = plain(w, v);
  uint32_t b = expr_fn_args(f) > 1 ? plain(w, made_of(w, expr_arg(w->p, e, 1))) : 0;
  return (signed_value){code_make(w->m, op, a, b, 0), false};
}

static signed_value compare(lowering* w, expr e, code_op op)
{
  uint32_t a = plain(w, made_of(w, expr_arg(w->p, e, 0)));
  uint32_t b = plain(w, made_of(w, expr_arg(w->p, e, 1)));
  return (signed_value){code_make(w->m, op, a, b, 0), false};
}

static signed_value choose(lowering* w, expr e)
{
  uint32_t when = plain(w, made_of(w, expr_arg(w->p, e, 0)));
  signed_value yes = made_of(w, expr_arg(w->p, e, 1)), no = made_of(w, expr_arg(w->p, e, 2));
  double known;
  if (code_is_const(w->m, when, &known) && known == known) return known > 0 ? yes : no;
  uint32_t made = code_make(w->m, CODE_SELECT, when, plain(w, yes), plain(w, no));
  return (signed_value){made, false};
}

// ---- inputs -------------------------------------------------------------------------------------

// Of many inputs a kernel may need few: they are made where they are met. What comes first stays.
static void number_inputs(lowering* w, const expr* in)
{
  w->input = base_alloc((size_t)(expr_symbol_count(w->p) + 1) * sizeof *w->input);
  for (int i = w->m->tape.inputs - 1; i >= 0; i--)
    w->input[expr_symbol_number(w->p, in[i])] = i + 1;
}

static bool is_unknown(const lowering* w, expr e)
{
  return expr_kind_of(w->p, e) == EXPR_SYMBOL && !w->input[expr_symbol_number(w->p, e)];
}

// ---- the walk -----------------------------------------------------------------------------------

// an expression whose arguments are all made
static signed_value make(lowering* w, expr e)
{
  switch (expr_kind_of(w->p, e)) {
  case EXPR_NUMBER:
  case EXPR_PI:
    return w->m->exact ? exact_number(w, e) : number(w, expr_number(w->p, e));
  case EXPR_SUM:
    return sum(w, e);
  case EXPR_PRODUCT:
    return product(w, e);
  case EXPR_POWER:
    return power(w, e);
  case EXPR_CALL:
    return call(w, e);
  case EXPR_LESS:
    return compare(w, e, CODE_LESS);
  case EXPR_LESS_EQ:
    return compare(w, e, CODE_LESS_EQ);
  case EXPR_IF:
    return choose(w, e);
  case EXPR_SYMBOL:
    break;
  }
  // one that is none was refused before
  return (signed_value){code_make_in(w->m, w->input[expr_symbol_number(w->p, e)] - 1), false};
}

typedef BASE_LIST(expr) stack;

// push the arguments still to be made; false when there are none
static bool push_arguments(lowering* w, expr e, stack* pending)
{
  int before = pending->n;
  list_terms(w, e);
  for (int i = w->terms.n - 1; i >= 0; i--)
    if (!is_made(w, w->terms.at[i])) base_push(pending, w->terms.at[i]);
  return pending->n > before;
}

// Marks an expression whose arguments were pushed: they are made when it is met again. No pool has
// as many.
static const expr opened = (expr)1 << 31;

// make everything below one output, depth first
static bool reach(lowering* w, expr output, stack* pending, expr* missing)
{
  pending->n = 0;
  base_push(pending, output);
  while (pending->n > 0) {
    const expr top = pending->at[pending->n - 1], e = top & ~opened;
    const bool waited = top != e; // for its arguments: nothing else makes it meanwhile
    if (waited || !is_made(w, e)) {
      if (!waited && is_unknown(w, e)) return *missing = e, false;
      pending->at[pending->n - 1] |= opened;
      if (!waited && push_arguments(w, e, pending)) continue;
      keep(w, e, make(w, e));
    }
    pending->n--;
  }
  return true;
}

bool code_lower_bound(code_maker* m, const expr_pool* p, int count, const expr* out, const expr* in,
                      int bound, const code_bound* binding, uint32_t* to, expr* missing)
{
  if (!count) return true;
  lowering w = {.m = m, .p = p, .mask = 255};
  if (!m->tape.early) m->tape.early = m->tape.inputs;
  w.table = base_alloc(((size_t)w.mask + 1) * sizeof *w.table);
  // what is kept first stays
  for (int i = 0; i < bound; i++)
    keep(&w, binding[i].symbol, (signed_value){binding[i].value, false});
  number_inputs(&w, in);
  code_nested_find(p, m->exact, count, out, &w.inner);
  stack pending = {0};
  bool all = true;
  for (int i = 0; i < count && all; i++) {
    // a quotient that does not exist is not a number
    if (out[i] == EXPR_NONE)
      to[i] = code_make_const(m, NAN);
    else if (!(all = reach(&w, out[i], &pending, missing)))
      break;
    else
      to[i] = plain(&w, made_of(&w, out[i]));
  }
  base_list_free(&pending);
  base_list_free(&w.inner);
  base_list_free(&w.terms);
  base_list_free(&w.values);
  free(w.input);
  free(w.table);
  return all;
}

bool code_lower(code_maker* m, const expr_pool* p, const expr* out, const expr* in, expr* missing)
{
  return code_lower_bound(m, p, m->tape.outputs, out, in, 0, NULL, m->tape.out, missing);
}
