// Functions in polynomials: sines and cosines of sums and multiples of angles.
#include "expr/ring.h"

#include <stdlib.h>

#define MOST_MULTIPLE 12

// the parts of an angle: a sum of number * core
static uint32_t parts_of(const expr_pool* p, expr angle)
{
  return expr_kind_at(p, angle) == EXPR_SUM ? expr_at(p, angle)->n : 1;
}

static expr part_at(const expr_pool* p, expr angle, uint32_t i, expr* number)
{
  expr t = expr_kind_at(p, angle) == EXPR_SUM ? expr_args_at(p, angle)[i] : angle;
  bool plain = expr_kind_at(p, t) == EXPR_NUMBER;
  *number = plain ? t : expr_coef(p, t);
  return plain ? EXPR_ONE : expr_core(p, t);
}

static void collect_angle(expr_ring* r, expr angle)
{
  uint32_t n = parts_of(r->p, angle);
  for (uint32_t i = 0; i < n; i++) {
    expr number, core = part_at(r->p, angle, i, &number);
    expr unit = expr_map_get(&r->unit, core);
    expr_map_set(&r->unit, core, expr_q_gcd(r->p, unit ? unit : number, number));
  }
}

// a pair (sin u, cos u) or (sinh u, cosh u)
typedef struct turn
{
  expr_poly s, c;
} turn;

static turn turn_of(expr_reading* x, expr angle, int sign)
{
  expr_pool* p = x->r->p;
  bool minus = expr_is_minus(p, angle);
  if (minus) angle = expr_neg(p, angle);
  expr sine = expr_intern(p, EXPR_CALL, sign > 0 ? EXPR_SIN : EXPR_SINH, 1, &angle, EXPR_NONE);
  expr cosine = expr_intern(p, EXPR_CALL, sign > 0 ? EXPR_COS : EXPR_COSH, 1, &angle, EXPR_NONE);
  turn t = {expr_reading_of_kernel(x, sine, 1), expr_reading_of_kernel(x, cosine, 1)};
  for (int k = 0; minus && k < t.s.n; k++) t.s.coef[k] = expr_q_neg(p, t.s.coef[k]);
  return t;
}

// a fixed angle: its sine and cosine may be roots of numbers
static expr_poly fixed(expr_reading* x, expr_fn f, expr angle)
{
  expr e = expr_trig(x->r->p, f, angle);
  expr core = expr_core(x->r->p, e);
  if (expr_kind_at(x->r->p, core) != EXPR_CALL) return expr_reading_read(x, e);
  expr_poly a = expr_reading_of_kernel(x, core, 1);
  for (int k = 0; k < a.n; k++) a.coef[k] = expr_q_mul(x->r->p, a.coef[k], expr_coef(x->r->p, e));
  return a;
}

static void turn_free(expr_reading* x, turn* a)
{
  expr_poly_free(x->r, &a->s);
  expr_poly_free(x->r, &a->c);
}

// sin(a+b) = sa cb + ca sb, cos(a+b) = ca cb - sign sa sb
static turn turn_add(expr_reading* x, const turn* a, const turn* b, int sign)
{
  turn t = {0};
  if (x->collect || x->r->failed) return t;
  expr_poly second = expr_poly_mul(x->r, &a->c, &b->s);
  t.s = expr_poly_mul(x->r, &a->s, &b->c);
  expr_poly_add(x->r, &t.s, &second, EXPR_ONE);
  expr_poly_free(x->r, &second);
  second = expr_poly_mul(x->r, &a->s, &b->s);
  t.c = expr_poly_mul(x->r, &a->c, &b->c);
  expr_poly_add(x->r, &t.c, &second, sign > 0 ? EXPR_MINUS_ONE : EXPR_ONE);
  expr_poly_free(x->r, &second);
  return t;
}

// sine and cosine of number * core as powers of those of the unit of this core
static turn part_turn(expr_reading* x, expr core, expr number, int sign)
{
  expr_pool* p = x->r->p;
  turn t = {(expr_poly){0}, expr_reading_one(x)};
  expr unit = expr_map_get(&x->r->unit, core);
  long times = 0;
  if (!unit) unit = EXPR_ONE;
  if (!expr_is_int(p, expr_q_mul(p, number, expr_q_inverse(p, unit)), &times) ||
      labs(times) > MOST_MULTIPLE)
    x->r->failed = true;
  turn b = turn_of(x, core == EXPR_ONE ? unit : expr_scale(p, unit, core), sign);
  for (int k = 0; times < 0 && k < b.s.n; k++) b.s.coef[k] = expr_q_neg(p, b.s.coef[k]);
  for (long k = 0; k < labs(times) && !x->r->failed; k++) {
    turn next = turn_add(x, &t, &b, sign);
    turn_free(x, &t);
    t = next;
  }
  turn_free(x, &b);
  return t;
}

static turn turn_split(expr_reading* x, expr angle, int sign)
{
  expr_pool* p = x->r->p;
  turn t = {(expr_poly){0}, expr_reading_one(x)};
  uint32_t n = parts_of(p, angle);
  for (uint32_t i = 0; i < n && !x->r->failed; i++) {
    expr number, core = part_at(p, angle, i, &number);
    turn b;
    if (core == EXPR_PI_ID && sign > 0) {
      expr part = expr_scale(p, number, core);
      b = (turn){fixed(x, EXPR_SIN, part), fixed(x, EXPR_COS, part)};
    } else {
      b = part_turn(x, core, number, sign);
    }
    turn next = turn_add(x, &t, &b, sign);
    turn_free(x, &t);
    turn_free(x, &b);
    t = next;
  }
  return t;
}

static turn angle_of(expr_reading* x, expr angle, int sign)
{
  return x->r->mode == EXPR_RING_SPLIT ? turn_split(x, angle, sign) : turn_of(x, angle, sign);
}

static expr_poly of_tangent(expr_reading* x, expr angle, int sign)
{
  turn t = angle_of(x, angle, sign);
  // only a single cosine can stand below the line: else the angle stays whole
  if (x->collect || t.c.n != 1) {
    turn_free(x, &t);
    t = turn_of(x, angle, sign);
  }
  if (x->collect || x->r->failed) {
    turn_free(x, &t);
    return (expr_poly){0};
  }
  for (int i = 0; i < x->r->width; i++) t.c.power[i] = (int8_t)-t.c.power[i];
  t.c.coef[0] = expr_q_inverse(x->r->p, t.c.coef[0]);
  return expr_reading_times(x, t.s, t.c);
}

expr_poly expr_reading_of_call(expr_reading* x, expr e)
{
  expr_pool* p = x->r->p;
  expr_fn f = (expr_fn)expr_at(p, e)->fn;
  expr a = expr_args_at(p, e)[0];
  bool round = f == EXPR_SIN || f == EXPR_COS || f == EXPR_TAN;
  bool hyper = f == EXPR_SINH || f == EXPR_COSH || f == EXPR_TANH;
  if (!round && !hyper) {
    if (f == EXPR_ABS && x->collect) expr_reading_read(x, a);
    return expr_reading_of_kernel(x, e, 1);
  }
  int sign = round ? 1 : -1;
  if (x->collect) collect_angle(x->r, a);
  if (f == EXPR_TAN || f == EXPR_TANH) return of_tangent(x, a, sign);
  turn t = angle_of(x, a, sign);
  bool sine = f == EXPR_SIN || f == EXPR_SINH;
  expr_poly_free(x->r, sine ? &t.c : &t.s);
  return sine ? t.s : t.c;
}

bool expr_ring_has_related_angles(expr_ring* r)
{
  expr_map seen = {0};
  bool related = false;
  for (int i = 0; i < r->kernel.n && !related; i++) {
    if (r->kernel.at[i].kind != EXPR_KERNEL_SINE) continue;
    expr angle = expr_args_at(r->p, r->kernel.at[i].e)[0];
    uint32_t n = parts_of(r->p, angle);
    for (uint32_t k = 0; k < n; k++) {
      expr number, core = part_at(r->p, angle, k, &number);
      related |= expr_map_get(&seen, core) != 0;
      expr_map_set(&seen, core, 1);
    }
  }
  expr_map_free(&seen);
  return related;
}

// the print of the parts of an angle; 0 where one of them is fixed, or taken more than once
static uint64_t print_of_parts(expr_ring* r, expr angle)
{
  expr_pool* p = r->p;
  const uint32_t n = parts_of(p, angle);
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n; i++) {
    expr number, core = part_at(p, angle, i, &number);
    const expr unit = expr_map_get(&r->unit, core);
    if (core == EXPR_ONE || core == EXPR_PI_ID || !unit) return 0;
    if (number != unit && number != expr_q_neg(p, unit)) return 0;
    sum += expr_mix(core, 1);
  }
  return sum;
}

// is there at most one sine or cosine in each term, and no root and no closed sum in any?
static bool is_of_waves(const expr_ring* r, const expr_poly* a, bool* held)
{
  for (int i = 0; i < a->n; i++) {
    const int8_t* row = expr_poly_row(r, a, i);
    int waves = 0;
    for (int k = 0; k < r->kernel.n; k++) {
      const expr_kernel_kind kind = r->kernel.at[k].kind;
      if (!row[k] || kind <= EXPR_KERNEL_RATE || kind == EXPR_KERNEL_OTHER) continue;
      held[k] = true;
      waves += r->kernel.at[k].pair >= 0 && row[k] == 1 ? 1 : 2;
    }
    if (waves > 1) return false;
  }
  return true;
}

bool expr_poly_is_split_in_vain(expr_ring* r, const expr_poly* a)
{
  bool held[r->kernel.n + 1];
  memset(held, 0, sizeof held);
  if (!is_of_waves(r, a, held)) return false;
  uint64_t seen[r->kernel.n + 1];
  int n = 0;
  for (int k = 0; k < r->kernel.n; k++) {
    const int pair = r->kernel.at[k].pair;
    if (!held[k] || (pair < k && held[pair])) continue;
    seen[n] = print_of_parts(r, expr_args_at(r->p, r->kernel.at[k].e)[0]);
    if (!seen[n]) return false;
    for (int i = 0; i < n; i++)
      if (seen[i] == seen[n]) return false;
    n++;
  }
  return true;
}
