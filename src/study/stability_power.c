// Forces only take energy near a steady motion where their power P is proved to be nowhere positive
// around it; that no positive value was met proves nothing.
//
// First by the signs of factors: even powers, factors with a value at the motion (continuous, so
// they keep its sign around), odd functions beside their argument. Then by series: where the second
// derivatives of -P have no negative direction, -P is a sum of squares plus what is left of it when
// the directions in which it grows are at their best (the splitting lemma, Gromoll and Meyer 1969);
// that rest must vanish in all degrees looked at, as it does of a damper across any linkage.
#include "study/energy.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_factors = 32, most_visits = 4000 };
static const double clear = 1e-9;     // a value against the terms that it is made of
static const double rounding = 1e-13; // an eigenvalue against the largest

// ---- signs of factors ---------------------------------------------------------------------------

typedef struct signs
{
  engine* e;
  expr_pool* p;
  int visits;
} signs;

// factors whose sign is not known, each once: two of the same sign are gone
typedef struct odd_factors
{
  int sign, count;
  bool full;
  expr base[most_factors];
} odd_factors;

static int sign_near(signs* s, expr x);

static int sign_of(double value)
{
  return (value > 0) - (value < 0);
}

static bool is_state(const signs* s, expr x)
{
  for (int j = 0; j < s->e->program->inputs; j++)
    if (s->e->program->input[j] == x) return true;
  return false;
}

static bool is_continuous(signs* s, expr x)
{
  const expr_kind kind = expr_kind_of(s->p, x);
  if (++s->visits > most_visits || kind == EXPR_IF || kind == EXPR_LESS || kind == EXPR_LESS_EQ ||
      (kind == EXPR_CALL && expr_fn_of(s->p, x) == EXPR_SIGN))
    return false;
  for (int i = 0; i < expr_arg_count(s->p, x); i++)
    if (!is_continuous(s, expr_arg(s->p, x, i))) return false;
  return true;
}

// the sign that x has at the motion, and so around it; 0 where it is nothing there or may jump
static int sign_at(signs* s, expr x)
{
  double size = 1, value = engine_value(s->e, x);
  if (expr_kind_of(s->p, x) == EXPR_SYMBOL && !is_state(s, x)) return sign_of(value);
  if (expr_kind_of(s->p, x) == EXPR_SUM) {
    size = 0;
    for (int i = 0; i < expr_arg_count(s->p, x); i++)
      size += fabs(engine_value(s->e, expr_arg(s->p, x, i)));
  }
  if (!isfinite(value) || !(fabs(value) > clear * size) || !is_continuous(s, x)) return 0;
  return sign_of(value);
}

// has f(x) the sign of x, for the arguments near the motion?
static bool is_odd(signs* s, expr x)
{
  if (expr_kind_of(s->p, x) != EXPR_CALL) return false;
  switch (expr_fn_of(s->p, x)) {
  case EXPR_TANH:
  case EXPR_SINH:
  case EXPR_ATAN:
  case EXPR_ASIN:
  case EXPR_SIGN:
    return true;
  case EXPR_SIN:
  case EXPR_TAN:
    return fabs(engine_value(s->e, expr_arg(s->p, x, 0))) < 1.5;
  default:
    return false;
  }
}

// c where a = c b, sums of as many terms; 0 where it is not seen to be
static double ratio(signs* s, expr a, expr b)
{
  expr_pool* p = s->p;
  if (a == b) return 1;
  if (expr_kind_of(p, a) != EXPR_SUM || expr_kind_of(p, b) != EXPR_SUM ||
      expr_arg_count(p, a) != expr_arg_count(p, b))
    return 0;
  const expr one = expr_arg(p, a, 0);
  for (int i = 0; i < expr_arg_count(p, b); i++) {
    if (expr_unnumbered(p, expr_arg(p, b, i)) != expr_unnumbered(p, one)) continue;
    const expr c = expr_div(p, one, expr_arg(p, b, i));
    const bool same = c != EXPR_NONE && expr_is_number(p, c) &&
                      expr_is_zero(p, expr_sub(p, a, expr_mul(p, c, b))) == EXPR_YES;
    return same ? expr_number(p, c) : 0;
  }
  return 0;
}

static void toggle(signs* s, odd_factors* f, expr base)
{
  for (int i = 0; i < f->count; i++) {
    const double c = ratio(s, base, f->base[i]);
    if (c == 0) continue;
    if (c < 0) f->sign = -f->sign;
    f->base[i] = f->base[--f->count];
    return;
  }
  f->full = f->full || f->count == most_factors;
  if (!f->full) f->base[f->count++] = base;
}

static void take_factor(signs* s, odd_factors* f, expr x)
{
  long k;
  if (++s->visits > most_visits) {
    f->full = true;
  } else if (expr_kind_of(s->p, x) == EXPR_PRODUCT) {
    for (int i = 0; i < expr_arg_count(s->p, x); i++) take_factor(s, f, expr_arg(s->p, x, i));
  } else if (expr_kind_of(s->p, x) == EXPR_POWER) {
    // a broken power has a value where its base is not negative only
    if (expr_is_int(s->p, expr_arg(s->p, x, 1), &k) && k % 2)
      take_factor(s, f, expr_arg(s->p, x, 0));
  } else if (is_odd(s, x)) {
    take_factor(s, f, expr_arg(s->p, x, 0));
  } else {
    const int sign = sign_near(s, x);
    if (sign)
      f->sign *= sign;
    else
      toggle(s, f, x);
  }
}

static int sign_of_product(signs* s, expr x)
{
  odd_factors f = {.sign = 1};
  take_factor(s, &f, x);
  return f.full || f.count ? 0 : f.sign;
}

// the sign that arguments from..count - 1 have in common
static int sign_of_all(signs* s, expr x, int from)
{
  const int count = expr_arg_count(s->p, x);
  const int sign = sign_near(s, expr_arg(s->p, x, from));
  for (int i = from + 1; i < count && sign; i++)
    if (sign_near(s, expr_arg(s->p, x, i)) != sign) return 0;
  return sign;
}

static int sign_of_call(signs* s, expr x)
{
  switch (expr_fn_of(s->p, x)) {
  case EXPR_SQRT:
  case EXPR_EXP:
  case EXPR_COSH:
  case EXPR_ABS:
    return 1;
  case EXPR_MIN:
  case EXPR_MAX:
    return sign_of_all(s, x, 0);
  default:
    return is_odd(s, x) ? sign_near(s, expr_arg(s->p, x, 0)) : sign_at(s, x);
  }
}

// the exponent of a base in a term, as far as it is a whole number that is seen
static long exponent_in(signs* s, expr term, expr base)
{
  long k = 0;
  if (term == base) return 1;
  if (expr_kind_of(s->p, term) == EXPR_POWER && expr_arg(s->p, term, 0) == base &&
      expr_is_int(s->p, expr_arg(s->p, term, 1), &k))
    return k;
  if (expr_kind_of(s->p, term) != EXPR_PRODUCT) return 0;
  for (int i = 0; i < expr_arg_count(s->p, term); i++)
    k += exponent_in(s, expr_arg(s->p, term, i), base);
  return k;
}

// x = base^k rest, k as large as all terms allow: base and rest into f; false where k is nothing
static bool take_out(signs* s, odd_factors* f, expr x, expr base)
{
  long least = LONG_MAX;
  expr rest = expr_int(s->p, 0);
  for (int i = 0; i < expr_arg_count(s->p, x); i++) {
    const long k = exponent_in(s, expr_arg(s->p, x, i), base);
    least = k < least ? k : least;
  }
  if (least <= 0) return false;
  const expr power = expr_pow(s->p, base, expr_int(s->p, least));
  for (int i = 0; i < expr_arg_count(s->p, x); i++)
    rest = expr_add(s->p, rest, expr_div(s->p, expr_arg(s->p, x, i), power));
  take_factor(s, f, power);
  take_factor(s, f, rest);
  return true;
}

// where neither its terms nor its value tell: near nothing the lowest powers do, x'^6 - x'^4
static int sign_of_sum(signs* s, expr x)
{
  int sign = sign_of_all(s, x, 0);
  if (!sign) sign = sign_at(s, x);
  const expr first = expr_arg(s->p, x, 0);
  const bool product = expr_kind_of(s->p, first) == EXPR_PRODUCT;
  for (int i = 0; i < (product ? expr_arg_count(s->p, first) : 1) && !sign; i++) {
    const expr factor = product ? expr_arg(s->p, first, i) : first;
    const bool raised = expr_kind_of(s->p, factor) == EXPR_POWER;
    odd_factors f = {.sign = 1};
    if (take_out(s, &f, x, raised ? expr_arg(s->p, factor, 0) : factor))
      return f.full || f.count ? 0 : f.sign;
  }
  return sign;
}

// 1: x is nowhere negative around the motion, -1: nowhere positive, 0: not known
static int sign_near(signs* s, expr x)
{
  if (++s->visits > most_visits) return 0;
  switch (expr_kind_of(s->p, x)) {
  case EXPR_NUMBER:
  case EXPR_PI:
    return sign_of(expr_number(s->p, x));
  case EXPR_SYMBOL:
    return sign_at(s, x);
  case EXPR_SUM:
    return sign_of_sum(s, x);
  case EXPR_PRODUCT:
  case EXPR_POWER:
    return sign_of_product(s, x);
  case EXPR_CALL:
    return sign_of_call(s, x);
  case EXPR_IF:
    return sign_of_all(s, x, 1);
  default:
    return 0;
  }
}

static bool factors_prove(engine* e, expr power)
{
  expr_pool* p = e->s->pool;
  const expr wide = expr_expand(p, power);
  const expr shape[4] = {power, wide, expr_simplify(p, power),
                         wide == EXPR_NONE ? EXPR_NONE : expr_simplify(p, wide)};
  for (int turn = 0; turn < 4; turn++) {
    signs s = {.e = e, .p = p};
    if (shape[turn] != EXPR_NONE && sign_near(&s, shape[turn]) < 0) return true;
  }
  return false;
}

// ---- series -------------------------------------------------------------------------------------

// second derivatives of -P; false where it has a slope
static bool bend(study_energy* y)
{
  engine* e = y->l->e;
  const int N = 2 * e->n;
  const expr* x = e->program->input + 1;
  double slope = 0;
  for (int i = 0; i < N; i++)
    slope = fmax(slope, fabs(engine_value(e, expr_diff(e->s->pool, y->E, x[i]))));
  y->size = study_energy_bend(y, y->E, y->H);
  return isfinite(y->size) && y->size > 0 && slope <= 1e-10 * y->size;
}

static bool series_prove(study_linear* l, expr power)
{
  engine* e = l->e;
  const int N = 2 * e->n;
  base_arena* arena = base_arena_new();
  study_energy y = {.l = l, .arena = arena, .E = expr_neg(e->s->pool, power)};
  y.H = base_arena_take(arena, sizeof(double) * (size_t)(2 * N * N + 2 * N + 1));
  y.null = y.H + N * N;
  double *re = y.null + N * N, *im = re + N;
  bool fine = bend(&y) && num_eigen(N, y.H, re, im);
  for (int i = 0; i < N && fine; i++) {
    fine = re[i] >= -rounding * y.size;
    y.zero += re[i] <= rounding * y.size;
  }
  fine = fine && study_steady_null(N, N, y.H, y.size, 1e-12, y.null) == y.zero;
  fine = fine && (y.zero == 0 || study_energy_is_flat(&y));
  base_arena_free(arena);
  return fine;
}

// The power with params as they are now; EXPR_NONE where it depends on more than the state: on
// time, reactions, what others give.
static expr now_of(engine* e, expr power)
{
  const engine_program* g = e->program;
  const int first = 1 + 2 * e->n, last = (int)(e->a - e->in), params = last - first;
  expr_pool* p = e->s->pool;
  expr* now = base_alloc(sizeof(expr) * (size_t)(params + 1));
  engine_fix(g, 1, &power, &power);
  for (int i = 0; i < params; i++) now[i] = expr_double(p, e->in[first + i]);
  if (power != EXPR_NONE) power = expr_substitute(p, power, params, g->input + first, now);
  free(now);
  const bool more =
      power != EXPR_NONE && (expr_has(p, power, g->input[0]) ||
                             expr_has_any(p, power, g->inputs - last, g->input + last));
  return more ? EXPR_NONE : power;
}

bool study_power_takes(study_linear* l, expr whole)
{
  const expr power = now_of(l->e, whole);
  return power != EXPR_NONE && (factors_prove(l->e, power) || series_prove(l, power));
}

bool study_power_is_somewhere(study_linear* l, expr whole)
{
  const expr power = now_of(l->e, whole);
  return power != EXPR_NONE && l->e->mode.rows == 0 &&
         expr_is_zero(l->e->s->pool, power) == EXPR_NO;
}
