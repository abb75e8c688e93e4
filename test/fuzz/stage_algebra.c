// The stage of symbolic expressions: built, changed, printed, compiled, and their values compared.
#include "code/code.h"
#include "expr/expr.h"
#include "fuzz.h"
#include "lang/lang.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SYMBOLS = 3, HEAP = 24, NODES = 20000 };

// An expression beside its value at one place, and the largest value met on the way to it: what
// that is rounded to is lost to all.
typedef struct built
{
  expr e;
  double value, most;
} built;

typedef struct heap
{
  expr_pool* pool;
  expr symbol[SYMBOLS];
  double at[SYMBOLS];
  built item[HEAP];
  int n;
} heap;

static built leaf(heap* h, fuzz_choices* c)
{
  static const long whole[] = {0, 1, -1, 2, 3, 10, -7, 1000003};
  const int which = fuzz_pick(c, 8);
  if (which < SYMBOLS) return (built){h->symbol[which], h->at[which], fabs(h->at[which])};
  if (which == 3) return (built){expr_pi(h->pool), M_PI, M_PI};
  const long a = whole[fuzz_pick(c, 8)], b = 1 + fuzz_pick(c, 5);
  const double value = (double)a / (double)b;
  return (built){expr_ratio(h->pool, a, b), value, fabs(value)};
}

static double value_of(expr_fn f, double a, double b)
{
  switch (f) {
  case EXPR_SQRT:
    return sqrt(a);
  case EXPR_EXP:
    return exp(a);
  case EXPR_LOG:
    return log(a);
  case EXPR_SIN:
    return sin(a);
  case EXPR_COS:
    return cos(a);
  case EXPR_TAN:
    return tan(a);
  case EXPR_ASIN:
    return asin(a);
  case EXPR_ACOS:
    return acos(a);
  case EXPR_ATAN:
    return atan(a);
  case EXPR_ATAN2:
    return atan2(a, b);
  case EXPR_SINH:
    return sinh(a);
  case EXPR_COSH:
    return cosh(a);
  case EXPR_TANH:
    return tanh(a);
  case EXPR_ABS:
    return fabs(a);
  case EXPR_SIGN:
    return (double)((a > 0) - (a < 0));
  case EXPR_MIN:
    return fmin(a, b);
  case EXPR_MAX:
    return fmax(a, b);
  case EXPR_FN_COUNT:
    break;
  }
  return NAN;
}

// Values that are large on the way, or that are nearly those of a pole or a jump, say little.
static const double tame = 1e3, close_to = 1e-6;

static bool is_sharp(double x, double most)
{
  return !(fabs(x) > close_to * (1 + most));
}

static built call(heap* h, fuzz_choices* c, built a, built b)
{
  const expr_fn f = (expr_fn)fuzz_pick(c, EXPR_FN_COUNT);
  const expr args[] = {a.e, b.e};
  const bool at_one = (f == EXPR_ASIN || f == EXPR_ACOS) && is_sharp(1 - fabs(a.value), a.most);
  const bool at_zero = (f == EXPR_SIGN || f == EXPR_ATAN2 || f == EXPR_SQRT || f == EXPR_LOG) &&
                       is_sharp(a.value, a.most);
  return (built){expr_call(h->pool, f, expr_fn_args(f), args), value_of(f, a.value, b.value),
                 at_one || at_zero ? INFINITY : 0};
}

static built choose(heap* h, fuzz_choices* c, built a, built b)
{
  const bool equal = fuzz_pick(c, 2);
  const expr e = equal ? expr_less_eq(h->pool, a.e, b.e) : expr_less(h->pool, a.e, b.e);
  const built x = h->item[fuzz_pick(c, h->n)], y = h->item[fuzz_pick(c, h->n)];
  const double value = (equal ? a.value <= b.value : a.value < b.value) ? x.value : y.value;
  const double most = is_sharp(a.value - b.value, a.most + b.most) ? INFINITY : x.most + y.most;
  return (built){expr_if(h->pool, e, x.e, y.e), value, most};
}

static built power(heap* h, fuzz_choices* c, built a)
{
  static const long above[] = {2, -1, 3, 1, -2, 0, 1, -1}, below[] = {1, 1, 1, 2, 1, 1, 3, 2};
  const int k = fuzz_pick(c, 8);
  const expr exponent = expr_ratio(h->pool, above[k], below[k]);
  return (built){expr_pow(h->pool, a.e, exponent),
                 pow(a.value, (double)above[k] / (double)below[k]),
                 is_sharp(a.value, a.most) ? INFINITY : 0};
}

static built made(heap* h, fuzz_choices* c)
{
  const built a = h->item[fuzz_pick(c, h->n)], b = h->item[fuzz_pick(c, h->n)];
  built r;
  switch (fuzz_pick(c, 10)) {
  case 0:
  case 1:
    r = (built){expr_add(h->pool, a.e, b.e), a.value + b.value, 0};
    break;
  case 2:
    r = (built){expr_sub(h->pool, a.e, b.e), a.value - b.value, 0};
    break;
  case 3:
  case 4:
    r = (built){expr_mul(h->pool, a.e, b.e), a.value * b.value, 0};
    break;
  case 5:
    r = (built){expr_div(h->pool, a.e, b.e), a.value / b.value, 0};
    break;
  case 6:
    r = power(h, c, a);
    break;
  case 7:
    r = choose(h, c, a, b);
    break;
  default:
    r = call(h, c, a, b);
  }
  // what has no value here says nothing of what is made of it
  const bool none = isnan(a.value) || isnan(b.value) || isnan(r.value);
  r.most = none ? INFINITY : fmax(fmax(r.most, fabs(r.value)), fmax(a.most, b.most));
  return r;
}

// ---- what must hold -----------------------------------------------------------------------------

static double at_place(const heap* h, expr e)
{
  return e == EXPR_NONE ? NAN : expr_value(h->pool, e, SYMBOLS, h->symbol, h->at);
}

static bool agree(double a, double b, double most)
{
  if (!isfinite(a) || !isfinite(b) || !(most < tame)) return true;
  return fabs(a - b) <= close_to * (1 + most);
}

static void check_text(const heap* h, expr e)
{
  base_text text = {0};
  expr_print(h->pool, &text, e);
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  const bool read = lang_parse_expression("printed", text.at, arena, notes) != NULL;
  bool deep = false;
  for (int i = 0; i < base_notes_count(notes); i++)
    deep |= strstr(base_notes_reason(notes, i), "more than 200") != NULL;
  FUZZ_HOLDS(read || deep);
  expr_print_latex(h->pool, &text, e);
  base_notes_free(notes);
  base_arena_free(arena);
  base_text_free(&text);
}

static void check_kernel(const heap* h, expr e, double most)
{
  expr missing;
  code_kernel* k = code_build(h->pool, 1, &e, SYMBOLS, h->symbol, &missing);
  FUZZ_HOLDS(k);
  double* scratch = base_alloc(sizeof *scratch * (code_scratch(k) + 1));
  double out = NAN;
  code_run(k, h->at, &out, scratch);
  FUZZ_HOLDS(agree(at_place(h, e), out, most));
  free(scratch);
  code_free(k);
}

static void check_slopes(heap* h, expr e)
{
  expr slope[SYMBOLS];
  expr_gradient(h->pool, e, SYMBOLS, h->symbol, slope);
  for (int i = 0; i < SYMBOLS; i++) {
    const double a = at_place(h, expr_diff(h->pool, e, h->symbol[i])), b = at_place(h, slope[i]);
    FUZZ_HOLDS(expr_pool_full(h->pool) || agree(a, b, fabs(a)));
  }
}

static void show(const heap* h, const built* b)
{
  base_text text = {0};
  expr_print(h->pool, &text, b->e);
  base_text_printf(&text, "   # %.12g, expected %.12g", at_place(h, b->e), b->value);
  fuzz_show(text.at);
  base_text_free(&text);
}

static void check_one(heap* h, fuzz_choices* c, built b)
{
  if (b.e == EXPR_NONE || expr_pool_full(h->pool)) return;
  FUZZ_HOLDS(agree(at_place(h, b.e), b.value, b.most));
  expr other = b.e;
  switch (fuzz_pick(c, 8)) {
  case 0:
    other = expr_simplify(h->pool, b.e);
    break;
  case 1:
    other = expr_expand(h->pool, b.e);
    break;
  case 2:
    other = expr_collect(h->pool, b.e, 1, h->symbol);
    break;
  case 3:
    check_slopes(h, b.e);
    break;
  case 4:
    check_text(h, b.e);
    break;
  case 5:
    check_kernel(h, b.e, b.most);
    break;
  case 6:
    FUZZ_HOLDS(expr_is_zero(h->pool, b.e) != EXPR_YES || agree(b.value, 0, b.most));
    break;
  default:
    other = expr_integrate(h->pool, b.e, h->symbol[0]);
    if (other != EXPR_NONE) other = expr_diff(h->pool, other, h->symbol[0]);
  }
  if (expr_pool_full(h->pool)) return;
  if (fuzz_shown && other != EXPR_NONE) show(h, &(built){other, b.value, b.most});
  FUZZ_HOLDS(agree(at_place(h, other), b.value, b.most));
}

void fuzz_feed_algebra(fuzz_choices* c)
{
  static const double places[][SYMBOLS] = {
      {0.37, -1.21, 0.59}, {1.83, 0.71, -2.3}, {-0.29, 0.13, 1.7}};
  heap h = {.pool = expr_pool_new(NODES)};
  const char* const names[SYMBOLS] = {"x", "y", "t"};
  memcpy(h.at, places[fuzz_pick(c, 3)], sizeof h.at);
  for (int i = 0; i < SYMBOLS; i++) h.symbol[i] = expr_symbol(h.pool, names[i]);
  const int leaves = 2 + fuzz_pick(c, 4), more = fuzz_pick(c, HEAP - 6);
  for (int i = 0; i < leaves; i++) h.item[h.n++] = leaf(&h, c);
  for (int i = 0; i < more; i++) {
    const built b = made(&h, c);
    if (b.e != EXPR_NONE) h.item[h.n++] = b;
  }
  for (int i = 0; i < h.n && fuzz_shown; i++) show(&h, &h.item[i]);
  check_one(&h, c, h.item[h.n - 1]);
  expr_pool_free(h.pool);
}
