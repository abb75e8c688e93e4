// Random expression graphs, and a slow evaluation of them with running error bounds.
#include "code/graphs.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

uint32_t graph_below(graph_random* r, uint32_t n)
{
  r->state = r->state * 6364136223846793005u + 1442695040888963407u;
  uint64_t mixed = r->state ^ (r->state >> 29);
  return (uint32_t)((mixed * 0xbf58476d1ce4e5b9u) >> 32) % n;
}

double graph_between(graph_random* r, double from, double to)
{
  return from + (to - from) * graph_below(r, 1u << 30) / (1u << 30);
}

void graph_symbols(expr_pool* p, expr in[GRAPH_INPUTS])
{
  for (int i = 0; i < GRAPH_INPUTS; i++) {
    char name[16];
    snprintf(name, sizeof name, "x%d", i);
    in[i] = expr_symbol(p, name);
  }
}

// ---- graphs -------------------------------------------------------------------------------------

static expr function(expr_pool* p, graph_random* r, expr a, expr b)
{
  expr_fn f = (expr_fn)graph_below(r, EXPR_FN_COUNT);
  // keep the argument where the function is defined and tame
  expr one = expr_int(p, 1), square = expr_mul(p, a, a), tame = expr_fn1(p, EXPR_SIN, a);
  switch (f) {
  case EXPR_SQRT:
  case EXPR_LOG:
    return expr_fn1(p, f, expr_add(p, one, square));
  case EXPR_EXP:
  case EXPR_SINH:
  case EXPR_COSH:
    return expr_fn1(p, f, tame);
  case EXPR_ASIN:
  case EXPR_ACOS:
    return expr_fn1(p, f, expr_mul(p, expr_ratio(p, 1, 2), tame));
  default:
    return expr_call(p, f, expr_fn_args(f), (expr[]){a, b});
  }
}

static expr raised(expr_pool* p, graph_random* r, expr a)
{
  expr positive = expr_add(p, expr_ratio(p, 1, 2), expr_fn1(p, EXPR_ABS, a));
  long n = (long)graph_below(r, 13) - 6;
  switch (graph_below(r, 4)) {
  case 0:
    return expr_pow(p, positive, expr_ratio(p, n, 2));
  case 1:
    return expr_pow(p, positive, expr_ratio(p, n, 3));
  case 2:
    return expr_pow(p, positive, expr_fn1(p, EXPR_COS, a));
  default:
    return expr_pow(p, a, expr_int(p, n / 2));
  }
}

static expr combined(expr_pool* p, graph_random* r, expr a, expr b, expr c)
{
  switch (graph_below(r, 12)) {
  case 0:
  case 1:
    return expr_add(p, a, b);
  case 2:
    return expr_sub(p, a, b);
  case 3:
  case 4:
    return expr_mul(p, a, b);
  case 5:
    return expr_add(p, expr_mul(p, a, b), c);
  case 6:
    return expr_sub(p, c, expr_mul(p, a, b));
  case 7:
    return expr_div(p, a, expr_add(p, expr_int(p, 1), expr_mul(p, b, b)));
  case 8:
    return expr_mul(p, expr_ratio(p, (long)graph_below(r, 9) - 4, 3), a);
  case 9:
    return raised(p, r, a);
  case 10: {
    expr when = graph_below(r, 2) ? expr_less(p, a, b) : expr_less_eq(p, a, b);
    return expr_if(p, when, c, expr_neg(p, a));
  }
  default:
    return function(p, r, a, b);
  }
}

void graph_make(expr_pool* p, graph_random* r, int size, const expr in[GRAPH_INPUTS], int outputs,
                expr* out)
{
  expr* node = calloc((size_t)(size + GRAPH_INPUTS + 2), sizeof *node);
  int n = 0;
  for (int i = 0; i < GRAPH_INPUTS; i++) node[n++] = in[i];
  node[n++] = expr_pi(p);
  node[n++] = expr_decimal(p, "0.7", 3);
  while (n < size + GRAPH_INPUTS + 2) {
    expr a = node[graph_below(r, (uint32_t)n)], b = node[graph_below(r, (uint32_t)n)];
    expr made = combined(p, r, a, b, node[n - 1 - (int)graph_below(r, 4)]);
    // where exact numbers met a pole, take another node
    node[n++] = made == EXPR_NONE ? a : made;
  }
  assert(outputs <= n);
  for (int i = 0; i < outputs; i++) out[i] = node[n - 1 - i];
  free(node);
}

// ---- values with bounds -------------------------------------------------------------------------

// unit roundoff of double, and what a function of the C library may be off
#define U       ((long double)DBL_EPSILON / 2)
#define LIBRARY (2 * U)

typedef struct memo
{
  const expr_pool* p;
  const expr* in;
  const double* x;
  size_t room, n;
  struct
  {
    expr e;
    graph_value v;
  } * at;
} memo;

// beyond this the bounds to first order say nothing
static graph_value bounded(long double value, long double error)
{
  bool lost =
      !isfinite(value) || fabsl(value) > 1e60L || !(error <= 1e-6L * (1e-3L + fabsl(value)));
  return (graph_value){value, lost ? INFINITY : error};
}

static graph_value look(memo* m, expr e);

static graph_value arg(memo* m, expr e, int i)
{
  return look(m, expr_arg(m->p, e, i));
}

static graph_value sum(memo* m, expr e)
{
  int n = expr_arg_count(m->p, e);
  long double value = 0, size = 0, error = 0;
  for (int i = 0; i < n; i++) {
    graph_value v = arg(m, e, i);
    value += v.value;
    size += fabsl(v.value);
    error += v.error;
  }
  return bounded(value, error + (n + 1) * U * size);
}

static graph_value product(memo* m, expr e)
{
  int n = expr_arg_count(m->p, e);
  long double value = 1, error = 0;
  for (int i = 0; i < n; i++) {
    graph_value v = arg(m, e, i);
    error = error * (fabsl(v.value) + v.error) + fabsl(value) * v.error;
    value *= v.value;
    error += 2 * U * fabsl(value);
  }
  return bounded(value, error);
}

static graph_value power(memo* m, expr e)
{
  graph_value x = arg(m, e, 0), y = arg(m, e, 1);
  long double value = powl(x.value, y.value);
  // the steepest slope within the error of the base
  long double near = fabsl(x.value) - x.error, far = fabsl(x.value) + x.error;
  long double steep = powl(y.value < 1 ? fmaxl(near, 0) : far, y.value - 1);
  long double by_x = x.error > 0 && y.value != 0 ? fabsl(y.value) * steep * x.error : 0;
  long double by_y = y.error > 0 ? fabsl(value * logl(fabsl(x.value))) * y.error : 0;
  return bounded(value, by_x + by_y + (2 + 2 * fabsl(y.value)) * LIBRARY * fabsl(value));
}

// value of f and the size of its slope
static long double slope_of(expr_fn f, long double x, long double* value)
{
  switch (f) {
  case EXPR_SQRT:
    return *value = sqrtl(x), 0.5L / sqrtl(x);
  case EXPR_EXP:
    return *value = expl(x), expl(x);
  case EXPR_LOG:
    return *value = logl(x), 1 / x;
  case EXPR_SIN:
    return *value = sinl(x), cosl(x);
  case EXPR_COS:
    return *value = cosl(x), sinl(x);
  case EXPR_TAN:
    return *value = tanl(x), 1 + tanl(x) * tanl(x);
  case EXPR_ASIN:
    return *value = asinl(x), 1 / sqrtl(1 - x * x);
  case EXPR_ACOS:
    return *value = acosl(x), 1 / sqrtl(1 - x * x);
  case EXPR_ATAN:
    return *value = atanl(x), 1 / (1 + x * x);
  case EXPR_SINH:
    return *value = sinhl(x), coshl(x);
  case EXPR_COSH:
    return *value = coshl(x), sinhl(x);
  case EXPR_TANH:
    return *value = tanhl(x), 1 - tanhl(x) * tanhl(x);
  case EXPR_ABS:
    return *value = fabsl(x), 1;
  default:
    return *value = x > 0 ? 1 : x < 0 ? -1 : 0, 0;
  }
}

static graph_value call(memo* m, expr e)
{
  expr_fn f = expr_fn_of(m->p, e);
  graph_value x = arg(m, e, 0);
  if (expr_fn_args(f) == 1) {
    long double value, slope = slope_of(f, x.value, &value);
    if (f == EXPR_SIGN && !(fabsl(x.value) > x.error)) return (graph_value){0, INFINITY};
    if (f == EXPR_TAN && fabsl(value) > 1e3L) return (graph_value){value, INFINITY};
    // a bend within the error would hide behind a slope of zero
    long double error = fabsl(slope) * x.error + 10 * x.error * x.error;
    return bounded(value, error + LIBRARY * fabsl(value));
  }
  graph_value y = arg(m, e, 1);
  if (f == EXPR_MIN || f == EXPR_MAX) {
    bool first = (x.value < y.value) == (f == EXPR_MIN);
    return bounded(first ? x.value : y.value, x.error + y.error);
  }
  long double r2 = x.value * x.value + y.value * y.value, value = atan2l(x.value, y.value);
  // the cut along the negative axis, and the origin
  bool on_cut = y.value <= y.error && !(fabsl(x.value) > x.error);
  if (on_cut || sqrtl(r2) < 1e3L * (x.error + y.error)) return (graph_value){value, INFINITY};
  long double error = (fabsl(y.value) * x.error + fabsl(x.value) * y.error) / r2;
  return bounded(value, error + LIBRARY * fabsl(value));
}

// a condition: 1 or 0, error infinite when rounding may turn it
static graph_value compare(memo* m, expr e)
{
  graph_value a = arg(m, e, 0), b = arg(m, e, 1);
  bool sure = fabsl(a.value - b.value) > a.error + b.error;
  return (graph_value){a.value < b.value, sure ? 0 : INFINITY};
}

static graph_value choose(memo* m, expr e)
{
  graph_value when = arg(m, e, 0);
  graph_value taken = arg(m, e, when.value != 0 ? 1 : 2);
  return (graph_value){taken.value, taken.error + when.error};
}

static graph_value leaf(memo* m, expr e)
{
  for (int i = 0; i < GRAPH_INPUTS; i++)
    if (m->in[i] == e) return (graph_value){m->x[i], 0};
  long double value = expr_kind_of(m->p, e) == EXPR_PI ? acosl(-1) : expr_number(m->p, e);
  return (graph_value){value, U * fabsl(value)};
}

static graph_value evaluate(memo* m, expr e)
{
  switch (expr_kind_of(m->p, e)) {
  case EXPR_SUM:
    return sum(m, e);
  case EXPR_PRODUCT:
    return product(m, e);
  case EXPR_POWER:
    return power(m, e);
  case EXPR_CALL:
    return call(m, e);
  case EXPR_LESS:
  case EXPR_LESS_EQ:
    return compare(m, e);
  case EXPR_IF:
    return choose(m, e);
  default:
    return leaf(m, e);
  }
}

static graph_value look(memo* m, expr e)
{
  for (size_t i = 0; i < m->n; i++)
    if (m->at[i].e == e) return m->at[i].v;
  graph_value v = evaluate(m, e);
  if (m->n == m->room) {
    m->room = m->room ? 2 * m->room : 64;
    m->at = realloc(m->at, m->room * sizeof *m->at);
  }
  m->at[m->n].e = e;
  m->at[m->n++].v = v;
  return v;
}

graph_value graph_reference(const expr_pool* p, expr e, const expr in[GRAPH_INPUTS],
                            const double x[GRAPH_INPUTS])
{
  memo m = {.p = p, .in = in, .x = x};
  graph_value v = look(&m, e);
  free(m.at);
  return v;
}
