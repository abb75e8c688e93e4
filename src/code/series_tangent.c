// Coefficient k of every operation, linear in the coefficients k of its operands.
//
// The recurrences are those of jet_run.c, with what is of order k taken out of the sums: with
//   S(f, g) = sum over j = 1 .. k-1 of f_j g_(k-j),   a' the series j a_j,   R = S / k
//   w = a b     w_k = S(a, b) + a_k b_0 + a_0 b_k
//   w = a / b   w_k = (a_k - S(b, w) - w_0 b_k) / b_0
//   w = exp a   w_k = R(a', w) + w_0 a_k
//   w = a ^ z   w_k = ((z+1) R(a', w) - S(a, w) + z w_0 a_k) / a_0
// and so on (Griewank and Walther, Evaluating Derivatives, 2008, table 13.2). Factors of order 0,
// reciprocals among them, are made once an expansion.
#include "code/series_make.h"

// a series beside the operation: `zero` is its coefficient 0 in the source
typedef struct helper
{
  uint32_t factor, zero;
} helper;

static uint32_t now_of(const series_maker* m, uint32_t v)
{
  return m->value.at[v].now;
}

static void put(series_maker* m, uint32_t v, uint32_t now)
{
  m->value.at[v].now = now;
}

static uint32_t reciprocal(series_maker* m, uint32_t v)
{
  const uint32_t one = series_source_number(m, 1);
  return series_source(m, CODE_DIV, one, v, 0);
}

// x y_0
static uint32_t scaled(series_maker* m, uint32_t x, uint32_t y)
{
  return x == SERIES_NONE ? SERIES_NONE : series_mul(m, x, series_number(m, y));
}

// x / y_0; a number of the model divides as it stands
static uint32_t over(series_maker* m, uint32_t x, uint32_t y)
{
  double number;
  if (x == SERIES_NONE) return SERIES_NONE;
  if (code_is_const(&m->from, y, &number))
    return code_make(&m->step, CODE_DIV, x, code_make_const(&m->step, number), 0);
  return scaled(m, x, reciprocal(m, y));
}

// R(a', g) + a_k g_0: the coefficient of the integral of g a'
static uint32_t integral(series_maker* m, uint32_t a, uint32_t a_now, helper g)
{
  const uint32_t sum = series_sum(m, series_slopes(m, a), g.factor, true);
  return series_add(m, sum, scaled(m, a_now, g.zero));
}

// What is made has its number by when it is made, and compilers are free in the order of arguments:
// two that make something are made one after the other, so that every compiler makes the same tape.

static helper own(series_maker* m, uint32_t v)
{
  return (helper){series_factor_of(m, v), v};
}

static void settle(series_maker* m, uint32_t factor, uint32_t now)
{
  m->factor.at[factor].now = now;
}

// w = f(a) with w' = sign y a', and y' = back w a'; y_0 is `beside` of a
static uint32_t pair(series_maker* m, uint32_t v, uint32_t beside, bool minus, bool minus_back)
{
  const uint32_t a = m->from.tape.ins.at[v].a, f = series_factor_of(m, a);
  const helper w = own(m, v), y = own(m, series_source(m, beside, a, 0, 0));
  const uint32_t back = integral(m, f, now_of(m, a), w);
  put(m, y.zero, minus_back ? series_neg(m, back) : back);
  const uint32_t it = integral(m, f, now_of(m, a), y);
  return minus ? series_neg(m, it) : it;
}

// w' = y a', y = 1 +- w^2
static uint32_t tangent(series_maker* m, uint32_t v, bool minus)
{
  const uint32_t a = m->from.tape.ins.at[v].a, one = series_source_number(m, 1);
  const uint32_t square = series_source(m, CODE_MUL, v, v, 0);
  const helper y = {series_helper(m),
                    series_source(m, minus ? CODE_SUB : CODE_ADD, one, square, 0)};
  const uint32_t w = integral(m, series_factor_of(m, a), now_of(m, a), y);
  put(m, v, w);
  const uint32_t squared = series_product(m, v, v);
  settle(m, y.factor, minus ? series_neg(m, squared) : squared);
  return w;
}

// y w' = a', given y's series and the right side without a_k already there
static uint32_t inverse_slope(series_maker* m, uint32_t v, uint32_t right, helper y)
{
  const uint32_t slopes = series_slopes(m, series_factor_of(m, v));
  return over(m, series_sub(m, right, series_sum(m, slopes, y.factor, true)), y.zero);
}

static uint32_t arctangent(series_maker* m, uint32_t v)
{
  const uint32_t a = m->from.tape.ins.at[v].a, one = series_source_number(m, 1);
  const uint32_t square = series_source(m, CODE_MUL, a, a, 0);
  const helper y = {series_helper(m), series_source(m, CODE_ADD, one, square, 0)};
  settle(m, y.factor, series_product(m, a, a));
  return inverse_slope(m, v, now_of(m, a), y);
}

// y = sqrt(1 - a^2): w' y = +- a', y' = -+ a w'
static uint32_t arcsine(series_maker* m, uint32_t v, bool minus)
{
  const uint32_t a = m->from.tape.ins.at[v].a, one = series_source_number(m, 1);
  const uint32_t left = series_source(m, CODE_SUB, one, a, 0);
  const uint32_t right = series_source(m, CODE_ADD, one, a, 0);
  const uint32_t square = series_source(m, CODE_MUL, left, right, 0);
  const helper y = {series_helper(m), series_source(m, CODE_SQRT, square, 0, 0)};
  const uint32_t a_now = now_of(m, a);
  const uint32_t w = inverse_slope(m, v, minus ? series_neg(m, a_now) : a_now, y);
  const helper of = own(m, a);
  const uint32_t back = integral(m, series_factor_of(m, v), w, of);
  settle(m, y.factor, minus ? back : series_neg(m, back));
  return w;
}

// y = a^2 + b^2: y w' = b a' - a b', and R(a', b) - R(b', a) = 2 R(a', b) - S(a, b)
static uint32_t arctangent2(series_maker* m, uint32_t v)
{
  const code_ins x = m->from.tape.ins.at[v];
  const uint32_t fa = series_factor_of(m, x.a), fb = series_factor_of(m, x.b);
  const uint32_t bb = series_source(m, CODE_MUL, x.b, x.b, 0);
  const uint32_t aa = series_source(m, CODE_MUL, x.a, x.a, 0);
  const uint32_t squares = series_source(m, CODE_ADD, aa, bb, 0);
  const helper y = {series_helper(m), squares};
  const uint32_t bb_now = series_product(m, x.b, x.b), aa_now = series_product(m, x.a, x.a);
  settle(m, y.factor, series_add(m, aa_now, bb_now));
  uint32_t right = SERIES_NONE;
  if (now_of(m, x.a) != SERIES_NONE && now_of(m, x.b) != SERIES_NONE) {
    const uint32_t two = code_make_const(&m->step, 2);
    const uint32_t twice = series_mul(m, two, series_sum(m, series_slopes(m, fa), fb, true));
    right = series_sub(m, twice, series_sum(m, fa, fb, false));
  }
  right = series_add(m, right, scaled(m, now_of(m, x.a), x.b));
  right = series_sub(m, right, scaled(m, now_of(m, x.b), x.a));
  return inverse_slope(m, v, right, y);
}

// a w' = z w a' with a number z
static uint32_t power(series_maker* m, uint32_t v, double z)
{
  const uint32_t a = m->from.tape.ins.at[v].a;
  const uint32_t f = series_factor_of(m, a), w = series_factor_of(m, v);
  const uint32_t more = code_make_const(&m->step, z + 1);
  const uint32_t sum = series_mul(m, more, series_sum(m, series_slopes(m, f), w, true));
  const uint32_t factor = series_source(m, CODE_MUL, series_source_number(m, z), v, 0);
  uint32_t right = series_sub(m, sum, series_sum(m, f, w, false));
  right = series_add(m, right, scaled(m, now_of(m, a), factor));
  return over(m, right, a);
}

static uint32_t logarithm(series_maker* m, uint32_t v, uint32_t a)
{
  return inverse_slope(m, v, now_of(m, a), own(m, a));
}

// w' = w a'
static uint32_t exponential(series_maker* m, uint32_t v, uint32_t a)
{
  const helper w = own(m, v);
  return integral(m, series_factor_of(m, a), now_of(m, a), w);
}

// exp(b log a)
static uint32_t power_of_series(series_maker* m, uint32_t v)
{
  const code_ins x = m->from.tape.ins.at[v];
  const uint32_t log = series_source(m, CODE_LOG, x.a, 0, 0);
  if (now_of(m, log) == SERIES_NONE && now_of(m, x.a) != SERIES_NONE)
    put(m, log, logarithm(m, log, x.a));
  const uint32_t both = series_source(m, CODE_MUL, log, x.b, 0);
  if (now_of(m, both) == SERIES_NONE) put(m, both, series_product(m, log, x.b));
  return exponential(m, v, both);
}

static uint32_t quotient(series_maker* m, uint32_t v, bool minus)
{
  const code_ins x = m->from.tape.ins.at[v];
  const uint32_t a = now_of(m, x.a), b = now_of(m, x.b);
  uint32_t right = minus ? series_neg(m, a) : a;
  if (b == SERIES_NONE) return over(m, right, x.b);
  const uint32_t w = series_factor_of(m, v), f = series_factor_of(m, x.b);
  right = series_sub(m, right, series_sum(m, f, w, false));
  return over(m, series_sub(m, right, scaled(m, b, v)), x.b);
}

static uint32_t root(series_maker* m, uint32_t v, uint32_t a)
{
  const uint32_t w = series_factor_of(m, v);
  const uint32_t half = series_source(m, CODE_DIV, series_source_number(m, 0.5), v, 0);
  return scaled(m, series_sub(m, now_of(m, a), series_sum(m, w, w, false)), half);
}

// 0, but nan where the number x is zero: there the branch is not decided by order 0
static uint32_t undecided(series_maker* m, uint32_t x)
{
  const uint32_t zero = series_source_number(m, 0);
  return series_number(m, series_source(m, CODE_MUL, zero, reciprocal(m, x), 0));
}

static uint32_t magnitude(series_maker* m, uint32_t a)
{
  const uint32_t sign = series_source(m, CODE_SIGN, a, 0, 0);
  const uint32_t branch = undecided(m, a);
  return series_add(m, scaled(m, now_of(m, a), sign), branch);
}

static uint32_t value_or_zero(series_maker* m, uint32_t x)
{
  return x == SERIES_NONE ? code_make_const(&m->step, 0) : x;
}

static uint32_t choice(series_maker* m, uint32_t decides, uint32_t a, uint32_t b)
{
  const uint32_t second = value_or_zero(m, b), first = value_or_zero(m, a);
  return code_make(&m->step, CODE_SELECT, series_number(m, decides), first, second);
}

static uint32_t extreme(series_maker* m, uint32_t v, bool most)
{
  const code_ins x = m->from.tape.ins.at[v];
  const uint32_t less = series_source(m, CODE_LESS, most ? x.b : x.a, most ? x.a : x.b, 0);
  const uint32_t chosen = choice(m, less, now_of(m, x.a), now_of(m, x.b));
  return series_add(m, chosen, undecided(m, series_source(m, CODE_SUB, x.a, x.b, 0)));
}

// roots, powers, and the functions of angles
static uint32_t function(series_maker* m, uint32_t v)
{
  const code_ins x = m->from.tape.ins.at[v];
  double z;
  switch (x.op) {
  case CODE_SQRT:
    return root(m, v, x.a);
  case CODE_POW:
    return code_is_const(&m->from, x.b, &z) ? power(m, v, z) : power_of_series(m, v);
  case CODE_EXP:
    return exponential(m, v, x.a);
  case CODE_LOG:
    return logarithm(m, v, x.a);
  case CODE_SIN:
    return pair(m, v, CODE_COS, false, true);
  case CODE_COS:
    return pair(m, v, CODE_SIN, true, false);
  case CODE_SINH:
    return pair(m, v, CODE_COSH, false, false);
  case CODE_COSH:
    return pair(m, v, CODE_SINH, false, false);
  case CODE_TAN:
    return tangent(m, v, false);
  case CODE_TANH:
    return tangent(m, v, true);
  case CODE_ATAN:
    return arctangent(m, v);
  case CODE_ASIN:
    return arcsine(m, v, false);
  case CODE_ACOS:
    return arcsine(m, v, true);
  case CODE_ATAN2:
    return arctangent2(m, v);
  default: // sign and comparisons: steps
    return SERIES_NONE;
  }
}

static uint32_t coefficient(series_maker* m, uint32_t v)
{
  const code_ins x = m->from.tape.ins.at[v];
  const uint32_t a = code_op_args(x.op) > 0 ? now_of(m, x.a) : SERIES_NONE;
  const uint32_t b = code_op_args(x.op) > 1 ? now_of(m, x.b) : SERIES_NONE;
  const uint32_t c = code_op_args(x.op) > 2 ? now_of(m, x.c) : SERIES_NONE;
  switch (x.op) {
  case CODE_ADD:
    return series_add(m, a, b);
  case CODE_SUB:
    return series_sub(m, a, b);
  case CODE_NEG:
    return series_neg(m, a);
  case CODE_MUL:
    return series_product(m, x.a, x.b);
  case CODE_NMUL:
    return series_neg(m, series_product(m, x.a, x.b));
  case CODE_FMA:
    return series_add(m, series_product(m, x.a, x.b), c);
  case CODE_FMS:
    return series_sub(m, series_product(m, x.a, x.b), c);
  case CODE_FNMA:
    return series_sub(m, c, series_product(m, x.a, x.b));
  case CODE_FNMS:
    return series_neg(m, series_add(m, series_product(m, x.a, x.b), c));
  case CODE_DIV:
  case CODE_NDIV:
    return quotient(m, v, x.op == CODE_NDIV);
  case CODE_ABS:
    return magnitude(m, x.a);
  case CODE_MIN:
  case CODE_MAX:
    return extreme(m, v, x.op == CODE_MAX);
  case CODE_SELECT:
    return choice(m, x.a, b, c);
  default:
    return function(m, v);
  }
}

void series_tangent(series_maker* m, uint32_t v)
{
  if (m->value.at[v].now != SERIES_NONE) return; // with its other half
  const code_ins x = m->from.tape.ins.at[v];
  const uint32_t of[3] = {x.a, x.b, x.c};
  bool moves = false;
  for (int i = 0; i < code_op_args(x.op); i++) moves |= now_of(m, of[i]) != SERIES_NONE;
  if (!moves) return;
  put(m, v, coefficient(m, v));
}
