// Powers: exponents are merged only where that holds for every real base.
#include "expr/pool.h"

expr expr_intern_power(expr_pool* p, expr base, expr exponent)
{
  if (exponent == EXPR_ONE) return base;
  return expr_intern(p, EXPR_POWER, 0, 2, (expr[]){base, exponent}, EXPR_NONE);
}

static bool is_number(const expr_pool* p, expr e)
{
  return expr_kind_at(p, e) == EXPR_NUMBER;
}

static bool is_whole(const expr_pool* p, expr e)
{
  return is_number(p, e) && expr_q_is_whole(p, e);
}

static expr number_power(expr_pool* p, expr a, expr b)
{
  long n;
  if (!expr_q_is_whole(p, b)) return expr_radical(p, a, b);
  expr r = EXPR_NONE;
  if (expr_is_int(p, b, &n)) r = expr_q_pow(p, a, n);
  // a number too long to write out stays a power
  return r ? r : expr_intern_power(p, a, b);
}

// (x^m)^b
static expr power_of_power(expr_pool* p, expr a, expr b)
{
  expr x = expr_base(p, a), m = expr_exponent(p, a);
  if (is_whole(p, b) || expr_at(p, x)->flags & EXPR_NONNEG)
    return expr_pow(p, x, expr_mul(p, m, b));
  if (!is_number(p, m) || !is_number(p, b)) return expr_intern_power(p, a, b);
  expr r = expr_q_mul(p, m, b);
  // (x^2)^(1/2) = |x|
  if (expr_q_is_even(p, m)) return expr_pow(p, expr_fn1(p, EXPR_ABS, x), r);
  // an odd power keeps the sign of x: where the root exists x >= 0, but r whole would also exist
  // for x < 0
  if (expr_q_is_whole(p, m) && expr_q_is_whole(p, r)) return expr_intern_power(p, a, b);
  return expr_pow(p, x, r);
}

// (c x y)^b: whole powers of each factor; else only factors that are never negative come out
static expr power_of_product(expr_pool* p, expr a, expr b)
{
  bool all = is_whole(p, b);
  if (!all && !is_number(p, b)) return expr_intern_power(p, a, b);
  expr_list out, in;
  expr_list_start(&out);
  expr_list_start(&in);
  uint32_t n = expr_at(p, a)->n;
  for (uint32_t i = 0; i < n; i++) {
    expr f = expr_args_at(p, a)[i];
    if (all || expr_at(p, f)->flags & EXPR_NONNEG) {
      expr_list_push(&out, expr_pow(p, f, b));
    } else if (is_number(p, f) && f != EXPR_MINUS_ONE) {
      expr_list_push(&out, expr_pow(p, expr_q_neg(p, f), b));
      expr_list_push(&in, EXPR_MINUS_ONE);
    } else {
      expr_list_push(&in, f);
    }
  }
  expr r;
  if (out.n == 0) {
    r = expr_intern_power(p, a, b);
  } else {
    if (in.n) expr_list_push(&out, expr_pow(p, expr_product(p, in.n, in.at), b));
    r = expr_product(p, out.n, out.at);
  }
  expr_list_end(&out);
  expr_list_end(&in);
  return r;
}

static expr power(expr_pool* p, expr a, expr b)
{
  const expr_node* node = expr_at(p, a);
  switch ((expr_kind)node->kind) {
  case EXPR_NUMBER:
    if (is_number(p, b)) return number_power(p, a, b);
    break;
  case EXPR_POWER:
    return power_of_power(p, a, b);
  case EXPR_PRODUCT:
    return power_of_product(p, a, b);
  case EXPR_SUM:
    // (b - a)^2 = (a - b)^2
    if (is_number(p, b) && expr_q_is_even(p, b) && expr_is_minus(p, a)) a = expr_neg(p, a);
    // 1/(-a - b) = -1/(a + b)
    if (is_whole(p, b) && expr_is_all_minus(p, a))
      return expr_neg(p, expr_intern_power(p, expr_neg(p, a), b));
    break;
  case EXPR_CALL:
    if (node->fn == EXPR_EXP) return expr_fn1(p, EXPR_EXP, expr_mul(p, expr_args_at(p, a)[0], b));
    if (node->fn == EXPR_ABS && is_number(p, b) && expr_q_is_even(p, b))
      return expr_pow(p, expr_args_at(p, a)[0], b);
    break;
  default:
    break;
  }
  return expr_intern_power(p, a, b);
}

expr expr_pow(expr_pool* p, expr a, expr b)
{
  if (!a || !b) return EXPR_NONE;
  if (b == EXPR_ZERO || a == EXPR_ONE) return EXPR_ONE;
  if (b == EXPR_ONE) return a;
  if (a == EXPR_ZERO && is_number(p, b)) return expr_q_sign(p, b) > 0 ? EXPR_ZERO : EXPR_NONE;
  if (p->depth >= EXPR_DEPTH) return expr_intern_power(p, a, b);
  p->depth++;
  expr r = power(p, a, b);
  p->depth--;
  return r;
}

// ---- roots of numbers ---------------------------------------------------------------------------

// c^r for r a fraction, c > 0, as number * product of prime^f with 0 < f < 1; primes beyond the
// search stay together in one factor
typedef struct root
{
  expr_pool* p;
  expr exponent, number;
  expr_list factors;
} root;

// z^(sign exponent); z is an integer above one
static void root_factor(root* r, mpz_srcptr z, long times)
{
  expr_pool* p = r->p;
  mpq_t q;
  mpq_init(q);
  mpz_set(mpq_numref(q), z);
  expr base = expr_q_put(p, q);
  mpq_clear(q);
  expr e = expr_q_mul(p, r->exponent, expr_int(p, times));
  expr floor = expr_q_floor(p, e);
  long n;
  expr whole = expr_is_int(p, floor, &n) ? expr_q_pow(p, base, n) : EXPR_NONE;
  if (!whole) {
    expr_list_push(&r->factors, expr_intern_power(p, base, e));
    return;
  }
  r->number = expr_q_mul(p, r->number, whole);
  expr rest = expr_q_add(p, e, expr_q_neg(p, floor));
  if (rest != EXPR_ZERO) expr_list_push(&r->factors, expr_intern_power(p, base, rest));
}

static void root_integer(root* r, mpz_ptr z, long sign)
{
  for (unsigned long prime = 2; prime < 2000 && mpz_cmp_ui(z, 1) > 0; prime += 1 + (prime > 2)) {
    long times = 0;
    while (mpz_divisible_ui_p(z, prime)) {
      mpz_divexact_ui(z, z, prime);
      times++;
    }
    if (!times) continue;
    mpz_t f;
    mpz_init_set_ui(f, prime);
    root_factor(r, f, sign * times);
    mpz_clear(f);
  }
  if (mpz_cmp_ui(z, 1) <= 0) return;
  // the rest may itself be a power
  long times = 1;
  mpz_t b;
  mpz_init(b);
  for (unsigned long k = 2; k < 12; k++)
    while (mpz_root(b, z, k)) {
      mpz_set(z, b);
      times *= (long)k;
    }
  root_factor(r, z, sign * times);
  mpz_clear(b);
}

expr expr_radical(expr_pool* p, expr number, expr exponent)
{
  // no real root, or no use in factoring
  if (expr_q_sign(p, number) < 0 || expr_q_bits(p, number) > 512 || expr_q_bits(p, exponent) > 16)
    return expr_intern_power(p, number, exponent);
  root r = {.p = p, .exponent = exponent, .number = EXPR_ONE};
  expr_list_start(&r.factors);
  mpq_t q;
  mpq_init(q);
  expr_q_get(p, number, q);
  root_integer(&r, mpq_numref(q), 1);
  root_integer(&r, mpq_denref(q), -1);
  mpq_clear(q);
  expr e;
  if (r.factors.n == 0)
    e = r.number;
  else if (r.factors.n == 1)
    e = expr_scale(p, r.number, r.factors.at[0]);
  else {
    expr_list_push(&r.factors, r.number);
    e = expr_product(p, r.factors.n, r.factors.at);
  }
  expr_list_end(&r.factors);
  return e;
}
