// Sine, cosine and tangent on building: exact values, quarter turns, signs, inverses.
#include "expr/pool.h"

static expr plain(expr_pool* p, expr_fn f, expr a)
{
  return expr_intern(p, EXPR_CALL, f, 1, &a, EXPR_NONE);
}

// the number c of a term c*pi inside a, or zero; *rest is a without it
static expr turns_in(expr_pool* p, expr a, expr* rest)
{
  *rest = EXPR_ZERO;
  if (a == EXPR_ZERO) return EXPR_ZERO;
  if (expr_core(p, a) == EXPR_PI_ID) return expr_coef(p, a);
  *rest = a;
  if (expr_kind_at(p, a) != EXPR_SUM) return EXPR_ZERO;
  uint32_t n = expr_at(p, a)->n;
  for (uint32_t i = 0; i < n; i++) {
    expr t = expr_args_at(p, a)[i];
    if (expr_core(p, t) != EXPR_PI_ID) continue;
    *rest = expr_sub(p, a, t);
    return expr_coef(p, t);
  }
  return EXPR_ZERO;
}

// sin(c pi) for 0 <= c <= 1/2, or EXPR_NONE where it is no simple number
static expr sine_of_turn(expr_pool* p, expr c)
{
  if (c == EXPR_ZERO) return EXPR_ZERO;
  if (c == EXPR_HALF) return EXPR_ONE;
  if (c == expr_ratio(p, 1, 6)) return EXPR_HALF;
  expr root = c == expr_ratio(p, 1, 4)   ? EXPR_TWO
              : c == expr_ratio(p, 1, 3) ? expr_int(p, 3)
                                         : EXPR_NONE;
  return root ? expr_scale(p, EXPR_HALF, expr_pow(p, root, EXPR_HALF)) : EXPR_NONE;
}

// sin(c pi) for any c
static expr sine_of_pi(expr_pool* p, expr c)
{
  // c in [0, 2), then [0, 1) with a sign, then [0, 1/2]
  expr two_turns = expr_q_floor(p, expr_q_mul(p, c, EXPR_HALF));
  c = expr_q_add(p, c, expr_q_mul(p, two_turns, expr_int(p, -2)));
  bool minus = expr_q_compare(p, c, EXPR_ONE) >= 0;
  if (minus) c = expr_q_add(p, c, EXPR_MINUS_ONE);
  if (expr_q_compare(p, c, EXPR_HALF) > 0) c = expr_q_add(p, EXPR_ONE, expr_q_neg(p, c));
  expr r = sine_of_turn(p, c);
  if (!r) r = plain(p, EXPR_SIN, expr_scale(p, c, EXPR_PI_ID));
  return minus ? expr_neg(p, r) : r;
}

// f(rest + k pi/2) for k in 0 .. 3
static expr shifted(expr_pool* p, expr_fn f, expr rest, long k)
{
  if (f == EXPR_TAN) {
    expr t = expr_trig(p, EXPR_TAN, rest);
    return k % 2 ? expr_neg(p, expr_pow(p, t, EXPR_MINUS_ONE)) : t;
  }
  if (f == EXPR_COS) k += 1; // cos u = sin(u + pi/2)
  expr r = expr_trig(p, k % 2 ? EXPR_COS : EXPR_SIN, rest);
  return k % 4 >= 2 ? expr_neg(p, r) : r;
}

static expr of_turns(expr_pool* p, expr_fn f, expr a, expr c)
{
  if (f == EXPR_SIN) return sine_of_pi(p, c);
  expr cosine = sine_of_pi(p, expr_q_add(p, c, EXPR_HALF));
  if (f == EXPR_COS) return cosine;
  if (cosine == EXPR_ZERO) return plain(p, f, a);
  return expr_div(p, sine_of_pi(p, c), cosine);
}

expr expr_trig(expr_pool* p, expr_fn f, expr a)
{
  expr_fn inverse = f == EXPR_SIN ? EXPR_ASIN : f == EXPR_COS ? EXPR_ACOS : EXPR_ATAN;
  if (expr_is_fn(p, a, inverse)) return expr_args_at(p, a)[0];
  expr rest, c = turns_in(p, a, &rest);
  if (rest == EXPR_ZERO) return of_turns(p, f, a, c);
  // whole quarter turns leave the argument
  expr quarters = expr_q_mul(p, c, EXPR_TWO);
  if (quarters != EXPR_ZERO && expr_q_is_whole(p, quarters)) {
    expr cycles = expr_q_floor(p, expr_q_mul(p, quarters, expr_ratio(p, 1, 4)));
    expr left = expr_q_add(p, quarters, expr_q_mul(p, cycles, expr_int(p, -4)));
    long k = 0;
    if (expr_is_int(p, left, &k) && k >= 0 && k < 4) return shifted(p, f, rest, k);
  }
  if (expr_is_minus(p, a)) {
    expr r = expr_trig(p, f, expr_neg(p, a));
    return f == EXPR_COS ? r : expr_neg(p, r);
  }
  return plain(p, f, a);
}
