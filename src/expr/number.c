// Exact rationals: small ones in machine words, long ones in GMP, both interned in the pool.
#include "expr/pool.h"

#include <limits.h>
#include <math.h>

#define SMALL     ((int64_t)1 << 62)
#define HALF_WORD ((int64_t)1 << 31)

__extension__ typedef __int128 wide;

static expr_rational value_of(const expr_pool* p, expr a)
{
  assert(expr_kind_at(p, a) == EXPR_NUMBER);
  return p->numbers.at[expr_at(p, a)->first];
}

static uint64_t gcd_of(uint64_t a, uint64_t b)
{
  while (b) {
    uint64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

static uint64_t magnitude(int64_t a)
{
  return a < 0 ? -(uint64_t)a : (uint64_t)a;
}

// GMP takes and gives long, which has 32 bits on some machines
static void integer_set(mpz_ptr z, int64_t a)
{
  if (sizeof(long) == sizeof a) {
    mpz_set_si(z, (long)a);
    return;
  }
  const uint64_t size = magnitude(a);
  mpz_import(z, 1, -1, sizeof size, 0, 0, &size);
  if (a < 0) mpz_neg(z, z);
}

// of 63 bits at most
static int64_t integer_get(mpz_srcptr z)
{
  if (sizeof(long) == sizeof(int64_t)) return mpz_get_si(z);
  uint64_t size = 0;
  mpz_export(&size, NULL, -1, sizeof size, 0, 0, z);
  return mpz_sgn(z) < 0 ? -(int64_t)size : (int64_t)size;
}

// above / below in lowest terms; both within the small range
static expr small(expr_pool* p, int64_t above, int64_t below)
{
  int64_t g = (int64_t)gcd_of(magnitude(above), magnitude(below));
  if (below < 0) g = -g;
  return expr_intern_number(p, (expr_rational){above / g, below / g, NULL});
}

void expr_q_get(const expr_pool* p, expr a, mpq_t out)
{
  expr_rational q = value_of(p, a);
  if (q.big)
    mpq_set(out, q.big);
  else {
    integer_set(mpq_numref(out), q.above);
    integer_set(mpq_denref(out), q.below);
  }
}

expr expr_q_put(expr_pool* p, mpq_t value)
{
  mpz_ptr above = mpq_numref(value), below = mpq_denref(value);
  if (mpz_sizeinbase(above, 2) <= 62 && mpz_sizeinbase(below, 2) <= 62)
    return expr_intern_number(p, (expr_rational){integer_get(above), integer_get(below), NULL});
  if (mpz_sizeinbase(above, 2) > EXPR_NUMBER_BITS || mpz_sizeinbase(below, 2) > EXPR_NUMBER_BITS) {
    p->full = true;
    return EXPR_ZERO;
  }
  return expr_intern_number(p, (expr_rational){0, 0, value});
}

typedef void rational_op(mpq_ptr, mpq_srcptr, mpq_srcptr);

static expr in_gmp(expr_pool* p, rational_op* op, expr a, expr b)
{
  mpq_t x, y;
  mpq_inits(x, y, NULL);
  expr_q_get(p, a, x);
  expr_q_get(p, b, y);
  op(x, x, y);
  expr r = expr_q_put(p, x);
  mpq_clears(x, y, NULL);
  return r;
}

static bool is_short(expr_rational q)
{
  return !q.big && q.above < HALF_WORD && q.above > -HALF_WORD && q.below < HALF_WORD;
}

expr expr_q_add(expr_pool* p, expr a, expr b)
{
  if (a == EXPR_ZERO) return b;
  if (b == EXPR_ZERO) return a;
  expr_rational x = value_of(p, a), y = value_of(p, b);
  if (!x.big && !y.big && x.below == 1 && y.below == 1) {
    int64_t s = x.above + y.above; // both below 2^62
    if (s < SMALL && s > -SMALL) return expr_intern_number(p, (expr_rational){s, 1, NULL});
  } else if (is_short(x) && is_short(y)) {
    int64_t s = x.above * y.below + y.above * x.below; // both products below 2^62
    if (s < SMALL && s > -SMALL) return small(p, s, x.below * y.below);
  }
  return in_gmp(p, mpq_add, a, b);
}

expr expr_q_mul(expr_pool* p, expr a, expr b)
{
  if (a == EXPR_ONE) return b;
  if (b == EXPR_ONE) return a;
  if (a == EXPR_ZERO || b == EXPR_ZERO) return EXPR_ZERO;
  expr_rational x = value_of(p, a), y = value_of(p, b);
  if (is_short(x) && is_short(y)) return small(p, x.above * y.above, x.below * y.below);
  return in_gmp(p, mpq_mul, a, b);
}

expr expr_q_neg(expr_pool* p, expr a)
{
  return expr_q_mul(p, EXPR_MINUS_ONE, a);
}

expr expr_q_inverse(expr_pool* p, expr a)
{
  assert(a != EXPR_ZERO || p->full);
  // a full pool builds zeros everywhere
  if (a == EXPR_ZERO) return EXPR_ZERO;
  expr_rational x = value_of(p, a);
  if (!x.big) return small(p, x.below, x.above);
  mpq_t q;
  mpq_init(q);
  mpq_inv(q, x.big);
  expr r = expr_q_put(p, q);
  mpq_clear(q);
  return r;
}

size_t expr_q_bits(const expr_pool* p, expr a)
{
  expr_rational x = value_of(p, a);
  if (!x.big) {
    uint64_t most = magnitude(x.above) > (uint64_t)x.below ? magnitude(x.above) : (uint64_t)x.below;
    return most ? 64 - (size_t)__builtin_clzll(most) : 1;
  }
  size_t above = mpz_sizeinbase(mpq_numref(x.big), 2), below = mpz_sizeinbase(mpq_denref(x.big), 2);
  return above > below ? above : below;
}

expr expr_q_pow(expr_pool* p, expr a, long n)
{
  if (n == 0 || a == EXPR_ONE) return EXPR_ONE;
  if (n == 1) return a;
  if (a == EXPR_MINUS_ONE) return n % 2 ? EXPR_MINUS_ONE : EXPR_ONE;
  if (a == EXPR_ZERO) return n > 0 ? EXPR_ZERO : EXPR_NONE;
  unsigned long m = n < 0 ? -(unsigned long)n : (unsigned long)n;
  if (m > EXPR_NUMBER_BITS || m * expr_q_bits(p, a) > EXPR_NUMBER_BITS) return EXPR_NONE;
  mpq_t q;
  mpq_init(q);
  expr_q_get(p, a, q);
  mpz_pow_ui(mpq_numref(q), mpq_numref(q), m);
  mpz_pow_ui(mpq_denref(q), mpq_denref(q), m);
  if (n < 0) mpq_inv(q, q);
  expr r = expr_q_put(p, q);
  mpq_clear(q);
  return r;
}

int expr_q_compare(const expr_pool* p, expr a, expr b)
{
  if (a == b) return 0;
  expr_rational x = value_of(p, a), y = value_of(p, b);
  if (!x.big && !y.big) {
    wide l = (wide)x.above * y.below, r = (wide)y.above * x.below;
    return (l > r) - (l < r);
  }
  mpq_t u, v;
  mpq_inits(u, v, NULL);
  expr_q_get(p, a, u);
  expr_q_get(p, b, v);
  int c = mpq_cmp(u, v);
  mpq_clears(u, v, NULL);
  return (c > 0) - (c < 0);
}

int expr_q_sign(const expr_pool* p, expr a)
{
  expr_rational x = value_of(p, a);
  return x.big ? mpq_sgn(x.big) : (x.above > 0) - (x.above < 0);
}

bool expr_q_is_whole(const expr_pool* p, expr a)
{
  expr_rational x = value_of(p, a);
  return x.big ? mpz_cmp_ui(mpq_denref(x.big), 1) == 0 : x.below == 1;
}

bool expr_q_is_even(const expr_pool* p, expr a)
{
  expr_rational x = value_of(p, a);
  return expr_q_is_whole(p, a) && (x.big ? mpz_even_p(mpq_numref(x.big)) : x.above % 2 == 0);
}

expr expr_q_gcd(expr_pool* p, expr a, expr b)
{
  // gcd(n1/d1, n2/d2) = gcd(n1 d2, n2 d1) / (d1 d2)
  expr_rational u = value_of(p, a), v = value_of(p, b);
  if (is_short(u) && is_short(v)) {
    uint64_t g = gcd_of(magnitude(u.above * v.below), magnitude(v.above * u.below));
    return small(p, (int64_t)g, u.below * v.below);
  }
  mpq_t x, y;
  mpq_inits(x, y, NULL);
  expr_q_get(p, a, x);
  expr_q_get(p, b, y);
  mpz_mul(mpq_numref(x), mpq_numref(x), mpq_denref(y));
  mpz_mul(mpq_numref(y), mpq_numref(y), mpq_denref(x));
  mpz_gcd(mpq_numref(x), mpq_numref(x), mpq_numref(y));
  mpz_mul(mpq_denref(x), mpq_denref(x), mpq_denref(y));
  mpq_canonicalize(x);
  expr r = expr_q_put(p, x);
  mpq_clears(x, y, NULL);
  return r;
}

expr expr_q_floor(expr_pool* p, expr a)
{
  if (expr_q_is_whole(p, a)) return a;
  mpq_t x;
  mpq_init(x);
  expr_q_get(p, a, x);
  mpz_fdiv_q(mpq_numref(x), mpq_numref(x), mpq_denref(x));
  mpz_set_ui(mpq_denref(x), 1);
  expr r = expr_q_put(p, x);
  mpq_clear(x);
  return r;
}

// ---- numbers from outside -----------------------------------------------------------------------

expr expr_int(expr_pool* p, long value)
{
  return expr_ratio(p, value, 1);
}

expr expr_ratio(expr_pool* p, long above, long below)
{
  if (below == 0) return EXPR_NONE;
  if (magnitude(above) < (uint64_t)SMALL && magnitude(below) < (uint64_t)SMALL)
    return small(p, above, below);
  mpq_t q;
  mpq_init(q);
  mpz_set_si(mpq_numref(q), above);
  mpz_set_si(mpq_denref(q), below);
  mpq_canonicalize(q);
  expr r = expr_q_put(p, q);
  mpq_clear(q);
  return r;
}

// nearest double of a long fraction: 64 leading bits of the quotient, then one rounding
static double big_to_double(mpq_srcptr q)
{
  mpz_t above, quotient;
  mpz_inits(above, quotient, NULL);
  mpz_abs(above, mpq_numref(q));
  long shift = 66 - ((long)mpz_sizeinbase(above, 2) - (long)mpz_sizeinbase(mpq_denref(q), 2));
  // where the result is subnormal fewer bits remain
  if (shift > 1074) shift = 1074;
  if (shift >= 0) mpz_mul_2exp(above, above, (mp_bitcnt_t)shift);
  mpz_t below;
  mpz_init_set(below, mpq_denref(q));
  if (shift < 0) mpz_mul_2exp(below, below, (mp_bitcnt_t)-shift);
  mpz_t rest;
  mpz_init(rest);
  mpz_tdiv_qr(quotient, rest, above, below);
  // round half to even by hand: mpz_get_d truncates
  size_t bits = mpz_sizeinbase(quotient, 2);
  long drop = bits > 53 ? (long)bits - 53 : 0;
  if (drop > 0) {
    bool half = mpz_tstbit(quotient, (mp_bitcnt_t)drop - 1);
    bool sticky = mpz_sgn(rest) != 0 || mpz_scan1(quotient, 0) < (mp_bitcnt_t)drop - 1;
    mpz_fdiv_q_2exp(quotient, quotient, (mp_bitcnt_t)drop);
    if (half && (sticky || mpz_odd_p(quotient))) mpz_add_ui(quotient, quotient, 1);
  } else {
    mpz_mul_2exp(rest, rest, 1);
    int c = mpz_cmp(rest, below);
    if (c > 0 || (c == 0 && mpz_odd_p(quotient))) mpz_add_ui(quotient, quotient, 1);
  }
  long power = drop - shift;
  if (power > 4000) power = 4000;
  double r = ldexp(mpz_get_d(quotient), (int)power);
  r = mpq_sgn(q) < 0 ? -r : r;
  mpz_clears(above, quotient, below, rest, NULL);
  return r;
}

double expr_number(const expr_pool* p, expr number)
{
  if (expr_kind_at(p, number) == EXPR_PI) return 3.14159265358979323846;
  if (expr_kind_at(p, number) != EXPR_NUMBER) return NAN;
  expr_rational q = value_of(p, number);
  int64_t exact = (int64_t)1 << 53;
  if (!q.big && q.above <= exact && q.above >= -exact && q.below <= exact)
    return (double)q.above / (double)q.below;
  mpq_t x;
  mpq_init(x);
  expr_q_get(p, number, x);
  double r = big_to_double(x);
  mpq_clear(x);
  return r;
}

base_wide expr_number_wide(const expr_pool* p, expr number)
{
  if (expr_kind_at(p, number) == EXPR_PI) return base_wide_pi();
  const double first = expr_number(p, number);
  if (!isfinite(first)) return base_wide_of(first);
  mpq_t x, high;
  mpq_inits(x, high, NULL);
  expr_q_get(p, number, x);
  mpq_set_d(high, first);
  mpq_sub(x, x, high);
  const double rest = mpq_sgn(x) ? big_to_double(x) : 0;
  mpq_clears(x, high, NULL);
  return base_wide_quick_sum(first, rest);
}

bool expr_is_number(const expr_pool* p, expr e)
{
  return e && expr_kind_at(p, e) == EXPR_NUMBER;
}

bool expr_is_int(const expr_pool* p, expr e, long* value)
{
  if (!expr_is_number(p, e)) return false;
  expr_rational q = value_of(p, e);
  if (q.big || q.below != 1) return false;
  if (value) *value = (long)q.above;
  return !value || *value == q.above; // where long has 32 bits not all fit
}

void expr_number_exact(const expr_pool* p, base_text* out, expr number)
{
  mpq_t value;
  mpq_init(value);
  expr_q_get(p, number, value);
  const size_t room = mpz_sizeinbase(mpq_numref(value), 10) + mpz_sizeinbase(mpq_denref(value), 10);
  char* text = base_alloc(room + 3);
  base_text_add(out, mpq_get_str(text, 10, value));
  free(text);
  mpq_clear(value);
}
