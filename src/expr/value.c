// Values of expressions in doubles, shared parts once.
#include "expr/value.h"

#include <math.h>

// functions of two arguments
static double of_two(expr_fn f, double a, double b)
{
  if (f == EXPR_ATAN2) return atan2(a, b);
  if (isnan(a) || isnan(b)) return NAN;
  return f == EXPR_MIN ? fmin(a, b) : f == EXPR_MAX ? fmax(a, b) : NAN;
}

static double call(expr_fn f, double a, double b)
{
  switch (f) {
  case EXPR_SQRT:
    return sqrt(a);
  case EXPR_EXP:
    return exp(a);
  case EXPR_LOG:
    return log(a);
  case EXPR_SIN:
    return sin(a);
  case EXPR_COS:
    return cos(a);
  case EXPR_TAN:
    return tan(a);
  case EXPR_ASIN:
    return asin(a);
  case EXPR_ACOS:
    return acos(a);
  case EXPR_ATAN:
    return atan(a);
  case EXPR_SINH:
    return sinh(a);
  case EXPR_COSH:
    return cosh(a);
  case EXPR_TANH:
    return tanh(a);
  case EXPR_ABS:
    return fabs(a);
  case EXPR_SIGN:
    return isnan(a) ? a : (a > 0) - (a < 0);
  default:
    return of_two(f, a, b);
  }
}

static double power(expr_powering exponent, double base, double e)
{
  switch (exponent) {
  case EXPR_ROOT:
    return sqrt(base);
  case EXPR_SQUARE:
    return base * base;
  case EXPR_INVERSE:
    return 1 / base;
  default:
    return pow(base, e);
  }
}

static expr_powering exponent_of(const expr_pool* p, expr exponent)
{
  long n;
  if (exponent == EXPR_HALF) return EXPR_ROOT;
  if (!expr_is_int(p, exponent, &n)) return EXPR_BY_POW;
  return n == 2 ? EXPR_SQUARE : n == -1 ? EXPR_INVERSE : EXPR_BY_POW;
}

expr_step expr_step_of(const expr_pool* p, expr e)
{
  const expr_node* node = expr_at(p, e);
  const expr_kind kind = (expr_kind)node->kind;
  return (expr_step){.kind = kind,
                     .fn = (expr_fn)node->fn,
                     .exponent =
                         kind == EXPR_POWER ? exponent_of(p, expr_args_at(p, e)[1]) : EXPR_BY_POW};
}

double expr_step_value(const expr_step* s, int n, const double* a, double number)
{
  double r;
  switch (s->kind) {
  case EXPR_NUMBER:
  case EXPR_PI:
    return number;
  case EXPR_SUM:
    r = 0;
    for (int i = 0; i < n; i++) r += a[i];
    return r;
  case EXPR_PRODUCT:
    r = 1;
    for (int i = 0; i < n; i++) r *= a[i];
    return r;
  case EXPR_POWER:
    return power(s->exponent, a[0], a[1]);
  case EXPR_CALL:
    return call(s->fn, a[0], n > 1 ? a[1] : 0);
  case EXPR_LESS:
    return isnan(a[0]) || isnan(a[1]) ? NAN : a[0] < a[1];
  case EXPR_LESS_EQ:
    return isnan(a[0]) || isnan(a[1]) ? NAN : a[0] <= a[1];
  case EXPR_IF:
    return isnan(a[0]) ? NAN : a[0] != 0 ? a[1] : a[2];
  default:
    return NAN;
  }
}

static double node_value(const expr_pool* p, expr e, const double* a)
{
  const expr_step step = expr_step_of(p, e);
  const bool known = step.kind == EXPR_NUMBER || step.kind == EXPR_PI;
  return expr_step_value(&step, (int)expr_at(p, e)->n, a, known ? expr_number(p, e) : 0);
}

// Of many: arguments are older than what is made of them, so all can be found in the order of their
// ids, without a map from these to places. What nobody asks for is passed over, which costs little
// as long as it is not EACH_PASSED for each.
#define MANY        16
#define EACH_PASSED 1024

static void values_by_age(const expr_pool* p, expr last, int count, const expr* e, int n,
                          const expr* symbols, const double* values, double* out)
{
  BASE_LIST(double) args = {0};
  double* value = base_alloc(((size_t)last + 1) * sizeof *value);
  bool* asked = base_alloc((size_t)last + 1);
  for (int i = 0; i < count; i++) asked[e[i]] = true;
  for (expr id = last; id; id--) {
    if (!asked[id]) continue;
    const expr_node* node = expr_at(p, id);
    expr_looked += node->n + 1;
    for (uint32_t i = 0; i < node->n; i++) asked[p->arg[node->first + i]] = true;
    if (node->kind == EXPR_SYMBOL) value[id] = NAN;
  }
  for (int i = 0; i < n; i++)
    if (symbols[i] && symbols[i] <= last) value[symbols[i]] = values[i];
  for (expr id = 1; id <= last; id++) {
    const expr_node* node = expr_at(p, id);
    if (!asked[id] || node->kind == EXPR_SYMBOL) continue;
    args.n = 0;
    for (uint32_t i = 0; i < node->n; i++) base_push(&args, value[p->arg[node->first + i]]);
    value[id] = node_value(p, id, args.at);
  }
  for (int i = 0; i < count; i++) out[i] = e[i] ? value[e[i]] : NAN;
  free(value);
  free(asked);
  base_list_free(&args);
}

void expr_values(const expr_pool* p, int count, const expr* e, int n, const expr* symbols,
                 const double* values, double* out)
{
  expr last = EXPR_NONE;
  for (int i = 0; i < count; i++)
    if (e[i] > last) last = e[i];
  if (count >= MANY && last / EACH_PASSED < (size_t)count) {
    values_by_age(p, last, count, e, n, symbols, values, out);
    return;
  }
  expr_walk w = {0};
  BASE_LIST(double) args = {0};
  expr_walk_from(p, &w, count, e, SIZE_MAX);
  double* value = base_alloc(((size_t)w.order.n + 1) * sizeof *value);
  for (int k = 0; k < w.order.n; k++)
    if (expr_kind_at(p, w.order.at[k]) == EXPR_SYMBOL) value[k] = NAN;
  // most of what is given may be asked for by nobody here
  for (int i = 0; i < n; i++) {
    const int k = symbols[i] ? expr_walk_place(&w, symbols[i]) : -1;
    if (k >= 0) value[k] = values[i];
  }
  for (int k = 0; k < w.order.n; k++) {
    expr id = w.order.at[k];
    const expr_node* node = expr_at(p, id);
    if (node->kind == EXPR_SYMBOL) continue;
    args.n = 0;
    for (uint32_t i = 0; i < node->n; i++)
      base_push(&args, value[expr_walk_place(&w, p->arg[node->first + i])]);
    value[k] = node_value(p, id, args.at);
  }
  for (int i = 0; i < count; i++) out[i] = e[i] ? value[expr_walk_place(&w, e[i])] : NAN;
  free(value);
  base_list_free(&args);
  expr_walk_free(&w);
}

double expr_value(const expr_pool* p, expr e, int n, const expr* symbols, const double* values)
{
  double r;
  expr_values(p, 1, &e, n, symbols, values, &r);
  return r;
}
