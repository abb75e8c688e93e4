// Is an expression identically zero? Proved by a normal form, refuted by a value clearly not zero.
#include "expr/poly.h"

#include <float.h>
#include <math.h>

#define POINTS     12
#define PROOF_WORK 400000

// a value with a bound on its rounding error
typedef struct ball
{
  double mid, err;
} ball;

static const ball undefined = {NAN, INFINITY};

static ball round_off(double mid, double err)
{
  return (ball){mid, err * (1 + 8 * DBL_EPSILON) + fabs(mid) * 4 * DBL_EPSILON + DBL_MIN};
}

static ball plus(ball a, ball b)
{
  return round_off(a.mid + b.mid, a.err + b.err);
}

static ball times(ball a, ball b)
{
  return round_off(a.mid * b.mid, fabs(a.mid) * b.err + fabs(b.mid) * a.err + a.err * b.err);
}

// f at a, where |f'| <= slope on the ball
static ball smooth(double value, double slope, ball a)
{
  return round_off(value, slope * a.err);
}

static ball inverse(ball a)
{
  double least = fabs(a.mid) - a.err;
  if (!(least > 0)) return undefined;
  return smooth(1 / a.mid, 1 / (least * least), a);
}

static ball whole_power(ball a, long n)
{
  ball r = {1, 0};
  for (long i = 0; i < labs(n); i++) r = times(r, a);
  return n < 0 ? inverse(r) : r;
}

// exp and log on balls; a^b = exp(b log a) for a > 0
static ball log_ball(ball a)
{
  double least = a.mid - a.err;
  return least > 0 ? smooth(log(a.mid), 1 / least, a) : undefined;
}

static ball exp_ball(ball a)
{
  if (!(a.err < 1)) return undefined;
  double v = exp(a.mid);
  return smooth(v, v * 3, a);
}

static ball power(const expr_pool* p, ball a, expr exponent, ball b)
{
  long n;
  if (expr_is_int(p, exponent, &n) && labs(n) <= 64) return whole_power(a, n);
  if (exponent == EXPR_HALF) {
    double least = a.mid - a.err;
    return least > 0 ? smooth(sqrt(a.mid), 0.5 / sqrt(least), a) : undefined;
  }
  return exp_ball(times(b, log_ball(a)));
}

static ball inverse_sine(expr_fn f, ball a)
{
  double most = fabs(a.mid) + a.err;
  if (!(most < 1)) return undefined;
  return smooth(f == EXPR_ASIN ? asin(a.mid) : acos(a.mid), 1 / sqrt(1 - most * most), a);
}

// away from the cut and the origin the slope is 1 / distance
static ball direction(ball a, ball b)
{
  const double least = hypot(a.mid, b.mid) - a.err - b.err;
  if (!(least > 0) || (b.mid - b.err <= 0 && fabs(a.mid) <= a.err)) return undefined;
  return round_off(atan2(a.mid, b.mid), (a.err + b.err) / least);
}

static ball call(expr_fn f, ball a, ball b)
{
  switch (f) {
  case EXPR_EXP:
    return exp_ball(a);
  case EXPR_LOG:
    return log_ball(a);
  case EXPR_SIN:
    return smooth(sin(a.mid), 1, a);
  case EXPR_COS:
    return smooth(cos(a.mid), 1, a);
  case EXPR_TAN:
    return times(smooth(sin(a.mid), 1, a), inverse(smooth(cos(a.mid), 1, a)));
  case EXPR_ASIN:
  case EXPR_ACOS:
    return inverse_sine(f, a);
  case EXPR_ATAN:
    return smooth(atan(a.mid), 1, a);
  case EXPR_SINH:
  case EXPR_COSH:
    return smooth(f == EXPR_SINH ? sinh(a.mid) : cosh(a.mid), cosh(fabs(a.mid) + a.err), a);
  case EXPR_TANH:
    return smooth(tanh(a.mid), 1, a);
  case EXPR_ABS:
    return smooth(fabs(a.mid), 1, a);
  case EXPR_SIGN:
    return fabs(a.mid) > a.err ? (ball){a.mid > 0 ? 1 : -1, 0} : undefined;
  case EXPR_ATAN2:
    return direction(a, b);
  case EXPR_MIN:
    return (ball){fmin(a.mid, b.mid), fmax(a.err, b.err)};
  case EXPR_MAX:
    return (ball){fmax(a.mid, b.mid), fmax(a.err, b.err)};
  default:
    return undefined;
  }
}

static ball node_ball(const expr_pool* p, expr e, const ball* a)
{
  const expr_node* node = expr_at(p, e);
  ball r;
  switch ((expr_kind)node->kind) {
  case EXPR_NUMBER:
  case EXPR_PI:
    return round_off(expr_number(p, e), 0);
  case EXPR_SUM:
    r = (ball){0, 0};
    for (uint32_t i = 0; i < node->n; i++) r = plus(r, a[i]);
    return r;
  case EXPR_PRODUCT:
    r = (ball){1, 0};
    for (uint32_t i = 0; i < node->n; i++) r = times(r, a[i]);
    return r;
  case EXPR_POWER:
    return power(p, a[0], expr_args_at(p, e)[1], a[1]);
  case EXPR_CALL:
    return call((expr_fn)node->fn, a[0], node->n > 1 ? a[1] : undefined);
  case EXPR_LESS:
  case EXPR_LESS_EQ:
    if (!(fabs(a[0].mid - a[1].mid) > a[0].err + a[1].err)) return undefined;
    return (ball){a[0].mid < a[1].mid, 0};
  case EXPR_IF:
    return isnan(a[0].mid) ? undefined : a[0].mid != 0 ? a[1] : a[2];
  default:
    return undefined;
  }
}

// a fixed stream of numbers, the same in every run
static double draw(uint64_t* state)
{
  *state = expr_mix(*state, 0x2545f4914f6cdd1du);
  return (double)(*state >> 11) * 0x1p-53;
}

static ball trial(const expr_pool* p, const expr_walk* w, ball* value, uint64_t seed)
{
  BASE_LIST(ball) args = {0};
  for (int k = 0; k < w->order.n; k++) {
    const expr_node* node = expr_at(p, w->order.at[k]);
    if (node->kind == EXPR_SYMBOL) {
      uint64_t state = expr_mix(node->hash, seed);
      // both signs, and mostly positive, so that roots and logarithms are often defined
      double x = 0.2 + 1.6 * draw(&state);
      value[k] = (ball){seed % 3 == 2 && draw(&state) < 0.5 ? -x : x, 0};
      continue;
    }
    args.n = 0;
    for (uint32_t i = 0; i < node->n; i++)
      base_push(&args, value[expr_walk_place(w, p->arg[node->first + i])]);
    value[k] = node_ball(p, w->order.at[k], args.at);
  }
  base_list_free(&args);
  return value[w->order.n - 1];
}

// is there a point at which e is clearly not zero?
static bool refuted(const expr_pool* p, expr e)
{
  expr_walk w = {0};
  expr_walk_from(p, &w, 1, &e, SIZE_MAX);
  ball* value = base_alloc((size_t)w.order.n * sizeof *value);
  bool found = false;
  for (uint64_t k = 0; k < POINTS && !found; k++) {
    ball b = trial(p, &w, value, k + 1);
    found = isfinite(b.mid) && fabs(b.mid) > 4 * b.err;
  }
  free(value);
  expr_walk_free(&w);
  return found;
}

// Normal form: angles split into parts, all over one line, roots and sin^2 reduced. The ring has no
// other relations that are used, so a numerator that vanishes proves the zero.
static bool proved(expr_pool* p, expr e)
{
  expr_ring r;
  bool zero = false;
  if (expr_ring_of(&r, p, 1, &e, EXPR_RING_SPLIT, PROOF_WORK)) {
    expr_poly a = expr_poly_of(&r, e);
    if (!r.failed) expr_poly_clear_below(&r, &a);
    zero = !r.failed && expr_poly_is_zero(&r, &a) && !r.failed && !p->full;
    expr_poly_free(&r, &a);
  }
  expr_ring_free(&r);
  return zero;
}

expr_truth expr_is_zero(expr_pool* p, expr e)
{
  if (!e || p->full) return EXPR_UNKNOWN;
  if (e == EXPR_ZERO) return EXPR_YES;
  if (expr_kind_at(p, e) == EXPR_NUMBER) return EXPR_NO;
  if (refuted(p, e)) return EXPR_NO;
  if (proved(p, e)) return EXPR_YES;
  // the arguments of functions may need simplifying first
  expr s = expr_simplify(p, e);
  if (p->full) return EXPR_UNKNOWN;
  return s == EXPR_ZERO || (s != e && proved(p, s)) ? EXPR_YES : EXPR_UNKNOWN;
}
