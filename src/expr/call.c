// Functions of arguments: exact values, signs and inverses folded on building.
#include "expr/pool.h"

#include <math.h>

typedef struct fn_entry
{
  const char* name;
  int args;
} fn_entry;

static const fn_entry fns[] = {
#define X(NAME, TEXT, ARGS) {TEXT, ARGS},
    EXPR_FN_LIST(X)
#undef X
};

const char* expr_fn_name(expr_fn f)
{
  assert(f >= 0 && f < EXPR_FN_COUNT);
  return fns[f].name;
}

int expr_fn_args(expr_fn f)
{
  assert(f >= 0 && f < EXPR_FN_COUNT);
  return fns[f].args;
}

static expr plain(expr_pool* p, expr_fn f, expr a)
{
  return expr_intern(p, EXPR_CALL, f, 1, &a, EXPR_NONE);
}

static expr inside(const expr_pool* p, expr a, expr_fn f)
{
  return expr_is_fn(p, a, f) ? expr_args_at(p, a)[0] : EXPR_NONE;
}

bool expr_known_order(const expr_pool* p, expr a, expr b, int* order)
{
  expr_kind k = expr_kind_at(p, a), l = expr_kind_at(p, b);
  if (a == b) {
    *order = 0;
    return true;
  }
  if (k == EXPR_NUMBER && l == EXPR_NUMBER) {
    *order = expr_q_compare(p, a, b);
    return true;
  }
  if (expr_at(p, a)->symbols || expr_at(p, b)->symbols) return false;
  // constants such as pi/2 or sqrt(2): a clear difference of the values decides
  if (expr_cost(p, a) + expr_cost(p, b) > 32) return false;
  double x = expr_value(p, a, 0, NULL, NULL), y = expr_value(p, b, 0, NULL, NULL);
  if (!(fabs(x - y) > 1e-9 * (fabs(x) + fabs(y)))) return false;
  if (isinf(x) || isinf(y)) return false;
  *order = x < y ? -1 : 1;
  return true;
}

// ---- abs and sign -------------------------------------------------------------------------------

// |c x y| = |c| |x y| with factors of known sign taken out
static expr absolute(expr_pool* p, expr a)
{
  if (expr_at(p, a)->flags & EXPR_NONNEG) return a;
  if (expr_kind_at(p, a) == EXPR_NUMBER) return expr_q_neg(p, a);
  int order;
  if (expr_known_order(p, a, EXPR_ZERO, &order)) return order < 0 ? expr_neg(p, a) : a;
  if (expr_kind_at(p, a) == EXPR_SUM)
    return plain(p, EXPR_ABS, expr_is_minus(p, a) ? expr_neg(p, a) : a);
  if (expr_kind_at(p, a) != EXPR_PRODUCT) return plain(p, EXPR_ABS, a);
  expr_list out, in;
  expr_list_start(&out);
  expr_list_start(&in);
  uint32_t n = expr_at(p, a)->n;
  for (uint32_t i = 0; i < n; i++) {
    expr f = expr_args_at(p, a)[i];
    if (expr_kind_at(p, f) == EXPR_NUMBER)
      expr_list_push(&out, expr_q_sign(p, f) < 0 ? expr_q_neg(p, f) : f);
    else
      expr_list_push(expr_at(p, f)->flags & EXPR_NONNEG ? &out : &in, f);
  }
  if (in.n) expr_list_push(&out, plain(p, EXPR_ABS, expr_product(p, in.n, in.at)));
  expr r = expr_product(p, out.n, out.at);
  expr_list_end(&out);
  expr_list_end(&in);
  return r;
}

// sign(c x y) with factors of known sign taken out
static expr sign(expr_pool* p, expr a)
{
  if (a == EXPR_ZERO) return EXPR_ZERO;
  if (expr_at(p, a)->flags & EXPR_POSITIVE) return EXPR_ONE;
  if (expr_kind_at(p, a) == EXPR_NUMBER) return EXPR_MINUS_ONE;
  int order;
  if (expr_known_order(p, a, EXPR_ZERO, &order)) return expr_int(p, order);
  if (inside(p, a, EXPR_SIGN)) return a;
  if (expr_kind_at(p, a) == EXPR_SUM)
    return expr_is_minus(p, a) ? expr_neg(p, plain(p, EXPR_SIGN, expr_neg(p, a)))
                               : plain(p, EXPR_SIGN, a);
  if (expr_kind_at(p, a) != EXPR_PRODUCT) return plain(p, EXPR_SIGN, a);
  expr_list in;
  expr_list_start(&in);
  bool minus = false;
  uint32_t n = expr_at(p, a)->n;
  for (uint32_t i = 0; i < n; i++) {
    expr f = expr_args_at(p, a)[i];
    if (expr_kind_at(p, f) == EXPR_NUMBER)
      minus = expr_q_sign(p, f) < 0;
    else if (!(expr_at(p, f)->flags & EXPR_POSITIVE))
      expr_list_push(&in, f);
  }
  expr r = in.n ? plain(p, EXPR_SIGN, expr_product(p, in.n, in.at)) : EXPR_ONE;
  expr_list_end(&in);
  return minus ? expr_neg(p, r) : r;
}

// ---- others -------------------------------------------------------------------------------------

static expr odd(expr_pool* p, expr_fn f, expr a)
{
  if (a == EXPR_ZERO) return EXPR_ZERO;
  if (expr_is_minus(p, a)) return expr_neg(p, plain(p, f, expr_neg(p, a)));
  return plain(p, f, a);
}

// pi * number, or EXPR_NONE
static expr of_pi(expr_pool* p, long above, long below)
{
  return expr_scale(p, expr_ratio(p, above, below), EXPR_PI_ID);
}

// inverse functions at the few arguments with exact angles
static expr angle(expr_pool* p, expr_fn f, expr a)
{
  const long turn[][4] = {{0, 1, 0, 1}, {1, 2, 1, 6}, {1, 1, 1, 2}};
  bool minus = expr_is_minus(p, a);
  expr positive = minus ? expr_neg(p, a) : a;
  expr r = EXPR_NONE;
  if (f == EXPR_ATAN) {
    if (positive == EXPR_ZERO) return EXPR_ZERO;
    if (positive == EXPR_ONE) r = of_pi(p, 1, 4);
  } else {
    for (int i = 0; i < 3; i++)
      if (positive == expr_ratio(p, turn[i][0], turn[i][1])) r = of_pi(p, turn[i][2], turn[i][3]);
  }
  if (f != EXPR_ACOS) {
    if (!r) r = plain(p, f, positive);
    return minus ? expr_neg(p, r) : r;
  }
  // acos(a) = pi/2 - asin(a)
  if (!r) return plain(p, f, a);
  return expr_add(p, of_pi(p, 1, 2), minus ? r : expr_neg(p, r));
}

static expr smaller(expr_pool* p, expr_fn f, expr a, expr b)
{
  int order;
  if (expr_known_order(p, a, b, &order)) return (order < 0) == (f == EXPR_MIN) ? a : b;
  expr args[2] = {a, b};
  if (expr_order_nice(p, a, b) > 0) {
    args[0] = b;
    args[1] = a;
  }
  return expr_intern(p, EXPR_CALL, f, 2, args, EXPR_NONE);
}

// f(g(x)) = x
static expr undone(expr_pool* p, expr_fn f, expr_fn g, expr a)
{
  const expr x = inside(p, a, g);
  return x ? x : plain(p, f, a);
}

static expr call1(expr_pool* p, expr_fn f, expr a)
{
  switch (f) {
  case EXPR_SQRT:
    return expr_pow(p, a, EXPR_HALF);
  case EXPR_EXP:
    return a == EXPR_ZERO ? EXPR_ONE : undone(p, f, EXPR_LOG, a);
  case EXPR_LOG:
    return a == EXPR_ONE ? EXPR_ZERO : undone(p, f, EXPR_EXP, a);
  case EXPR_SIN:
  case EXPR_COS:
  case EXPR_TAN:
    return expr_trig(p, f, a);
  case EXPR_ASIN:
  case EXPR_ACOS:
  case EXPR_ATAN:
    return angle(p, f, a);
  case EXPR_SINH:
  case EXPR_TANH:
    return odd(p, f, a);
  case EXPR_COSH:
    if (a == EXPR_ZERO) return EXPR_ONE;
    return plain(p, f, expr_is_minus(p, a) ? expr_neg(p, a) : a);
  case EXPR_ABS:
    return absolute(p, a);
  case EXPR_SIGN:
    return sign(p, a);
  default:
    assert(!"a function of one argument");
    return EXPR_NONE;
  }
}

expr expr_fn1(expr_pool* p, expr_fn f, expr a)
{
  return expr_call(p, f, 1, &a);
}

expr expr_call(expr_pool* p, expr_fn f, int n, const expr* args)
{
  assert(n == expr_fn_args(f));
  for (int i = 0; i < n; i++)
    if (!args[i]) return EXPR_NONE;
  if (p->depth >= EXPR_DEPTH && f != EXPR_SQRT)
    return expr_intern(p, EXPR_CALL, f, n, args, EXPR_NONE);
  p->depth++;
  expr r;
  if (n == 1)
    r = call1(p, f, args[0]);
  else if (f == EXPR_ATAN2)
    r = args[0] == EXPR_ZERO && expr_at(p, args[1])->flags & EXPR_POSITIVE
            ? EXPR_ZERO
            : expr_intern(p, EXPR_CALL, f, 2, args, EXPR_NONE);
  else
    r = smaller(p, f, args[0], args[1]);
  p->depth--;
  return r;
}

expr expr_pi(expr_pool* p)
{
  (void)p;
  return EXPR_PI_ID;
}

// ---- conditions ---------------------------------------------------------------------------------

expr expr_less(expr_pool* p, expr a, expr b)
{
  if (!a || !b) return EXPR_NONE;
  return expr_intern(p, EXPR_LESS, 0, 2, (expr[]){a, b}, EXPR_NONE);
}

expr expr_less_eq(expr_pool* p, expr a, expr b)
{
  if (!a || !b) return EXPR_NONE;
  return expr_intern(p, EXPR_LESS_EQ, 0, 2, (expr[]){a, b}, EXPR_NONE);
}

expr expr_if(expr_pool* p, expr condition, expr yes, expr no)
{
  if (!condition || !yes || !no) return EXPR_NONE;
  if (yes == no) return yes;
  expr_kind kind = expr_kind_at(p, condition);
  if (kind != EXPR_LESS && kind != EXPR_LESS_EQ) return p->full ? EXPR_ZERO : EXPR_NONE;
  int order;
  if (expr_known_order(p, expr_args_at(p, condition)[0], expr_args_at(p, condition)[1], &order))
    return order < 0 || (order == 0 && kind == EXPR_LESS_EQ) ? yes : no;
  return expr_intern(p, EXPR_IF, 0, 3, (expr[]){condition, yes, no}, EXPR_NONE);
}
