// Values on a tape that may be absent: zeros known in advance cost nothing.
#include "code/solve.h"

#include <math.h>

uint32_t code_solve_value(const code_maker* m, uint32_t v)
{
  double x;
  return code_is_const(m, v, &x) && x == 0 ? CODE_ABSENT : v;
}

uint32_t code_solve_present(code_maker* m, uint32_t v)
{
  return v == CODE_ABSENT ? code_make_const(m, 0) : v;
}

void code_solve_list(code_maker* m, int count, const uint32_t* v, uint32_t* out, int* at)
{
  for (int i = 0; i < count; i++) out[(*at)++] = code_solve_present(m, v[i]);
}

// (x c) d with numbers c and d is x (c d)
static bool times_number(code_maker* m, uint32_t a, uint32_t d, uint32_t* made)
{
  const code_ins x = m->tape.ins.at[a];
  double c, number;
  if (x.op != CODE_MUL || !code_is_const(m, d, &number)) return false;
  const bool first = code_is_const(m, x.a, &c);
  if (!first && !code_is_const(m, x.b, &c)) return false;
  *made = code_make(m, CODE_MUL, first ? x.b : x.a, code_make_const(m, c * number), 0);
  return true;
}

uint32_t code_solve_unsigned(const code_maker* m, uint32_t a, bool* minus)
{
  for (; a != CODE_ABSENT && m->tape.ins.at[a].op == CODE_NEG; a = m->tape.ins.at[a].a)
    *minus = !*minus;
  return a;
}

// a sign goes before the product, where the sum it is put into takes it
uint32_t code_solve_times(code_maker* m, uint32_t a, uint32_t b)
{
  if (a == CODE_ABSENT || b == CODE_ABSENT) return CODE_ABSENT;
  bool minus = false;
  uint32_t made;
  a = code_solve_unsigned(m, a, &minus);
  b = code_solve_unsigned(m, b, &minus);
  if (!times_number(m, a, b, &made) && !times_number(m, b, a, &made))
    made = code_make(m, CODE_MUL, a, b, 0);
  return minus ? code_make_neg(m, made) : made;
}

// x + a*b, or x - a*b; the same bits, since rounding is symmetric
static uint32_t combined(code_maker* m, uint32_t x, uint32_t a, uint32_t b, bool minus)
{
  const uint32_t p = code_solve_unsigned(m, code_solve_times(m, a, b), &minus);
  if (p == CODE_ABSENT) return x;
  if (x == CODE_ABSENT) return minus ? code_make_neg(m, p) : p;
  bool below = false;
  x = code_solve_unsigned(m, x, &below);
  if (below && !minus) return code_solve_value(m, code_make(m, CODE_SUB, p, x, 0));
  const uint32_t sum =
      code_solve_value(m, code_make(m, minus && !below ? CODE_SUB : CODE_ADD, x, p, 0));
  return below ? code_solve_neg(m, sum) : sum;
}

uint32_t code_solve_neg(code_maker* m, uint32_t a)
{
  return a == CODE_ABSENT ? CODE_ABSENT : code_make_neg(m, a);
}

uint32_t code_solve_add(code_maker* m, uint32_t x, uint32_t a, uint32_t b)
{
  return combined(m, x, a, b, false);
}

uint32_t code_solve_sub(code_maker* m, uint32_t x, uint32_t a, uint32_t b)
{
  return combined(m, x, a, b, true);
}

uint32_t code_solve_inverse(code_maker* m, uint32_t a)
{
  const uint32_t by = code_solve_present(m, a); // before the one: see own() in series_tangent.c
  return code_make(m, CODE_DIV, code_make_const(m, 1), by, 0);
}

// ---- what a guard need not watch ----------------------------------------------------------------

// values that are looked at for a bound
enum { most_values = 100 };
// a bound this far from zero stays on its side however it is rounded
static const double clearly = 1e-6;

typedef struct range
{
  double least, most;
} range;

static const range anything = {-INFINITY, INFINITY};

static range sum_of(range a, range b)
{
  return (range){a.least + b.least, a.most + b.most};
}

static range negative(range a)
{
  return (range){-a.most, -a.least};
}

static range product(range a, range b, bool square)
{
  const double x[4] = {a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most};
  range r = {INFINITY, -INFINITY};
  for (int i = 0; i < 4; i++) {
    // nought times anything
    const double value = isnan(x[i]) ? 0 : x[i];
    if (value < r.least) r.least = value;
    if (value > r.most) r.most = value;
  }
  if (square) r.least = fmax(r.least, 0);
  return r;
}

static bool is_anything(range a)
{
  return a.least == -INFINITY && a.most == INFINITY;
}

static range range_of(const code_maker* m, uint32_t value, int* left);

// The operand made last is looked at first: along a chain the other one is all that came before.
static range range_of_two(const code_maker* m, const code_ins* x, int* left)
{
  const bool adds = x->op == CODE_ADD || x->op == CODE_SUB, turned = x->b > x->a;
  const range last = range_of(m, turned ? x->b : x->a, left);
  if (x->a == x->b && !adds) return product(last, last, true);
  // but for a factor that is nought, which no tape has
  if (is_anything(last)) return anything;
  const range first = range_of(m, turned ? x->a : x->b, left), a = turned ? first : last,
              b = turned ? last : first;
  return adds ? sum_of(a, x->op == CODE_ADD ? b : negative(b)) : product(a, b, false);
}

// within what every value of finite inputs lies, but for rounding: sines and squares are bounded.
// *left: values that may still be looked at
static range range_of(const code_maker* m, uint32_t value, int* left)
{
  const code_ins* x = &m->tape.ins.at[value];
  double number;
  switch (x->op) {
  case CODE_CONST:
    number = code_ins_const(x);
    return (range){number, number};
  case CODE_SIN:
  case CODE_COS:
    return (range){-1, 1};
  case CODE_NEG:
    return --*left < 0 ? anything : negative(range_of(m, x->a, left));
  case CODE_ADD:
  case CODE_SUB:
  case CODE_MUL:
    return --*left < 0 ? anything : range_of_two(m, x, left);
  default:
    return anything;
  }
}

void code_solve_guard(code_maker* m, uint32_t* guard, uint32_t x)
{
  double number;
  x = code_solve_present(m, x);
  if (code_is_const(m, x, &number) && number > 0) return;
  int left = most_values;
  if (range_of(m, x, &left).least > clearly) return;
  *guard = *guard == CODE_ABSENT ? x : code_make(m, CODE_MIN, *guard, x, 0);
}
