// Expressions as truncated polynomials about a point.
#include "geom/taylor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct node
{
  expr e;
  double* a;
} node;

typedef struct walk
{
  const geom_taylor* t;
  const expr_pool* pool;
  int symbols;
  const expr* symbol;
  const double* values;        // of each symbol,
  const double* const* series; // or null and its polynomial
  node* table;                 // by hash; power of two
  int room, used;
  bool fine;
} walk;

static double* polynomial(const walk* w)
{
  return base_arena_take(w->t->arena, sizeof(double) * (size_t)w->t->count);
}

static node* slot(walk* w, expr e)
{
  unsigned at = (e * 2654435761u) & (unsigned)(w->room - 1);
  while (w->table[at].a && w->table[at].e != e) at = (at + 1) & (unsigned)(w->room - 1);
  return &w->table[at];
}

static void keep(walk* w, expr e, double* a)
{
  if (2 * ++w->used > w->room) {
    node* old = w->table;
    const int before = w->room;
    w->room *= 2;
    w->table = base_alloc(sizeof(node) * (size_t)w->room);
    for (int i = 0; i < before; i++)
      if (old[i].a) *slot(w, old[i].e) = old[i];
    free(old);
  }
  *slot(w, e) = (node){e, a};
}

// ---- functions of one variable: coefficients about x --------------------------------------------

// f' = g with the coefficients of g
static void integrate(int n, double value, const double* g, double* f)
{
  f[0] = value;
  for (int k = 1; k <= n; k++) f[k] = g[k - 1] / k;
}

// (c0 + c1 s + c2 s^2)^p
static void quadratic_power(int n, const double* c, double p, double* g)
{
  g[0] = pow(c[0], p);
  for (int k = 1; k <= n; k++) {
    double sum = 0;
    for (int j = 1; j <= 2 && j <= k; j++) sum += (p * j - (k - j)) * c[j] * g[k - j];
    g[k] = sum / (k * c[0]);
  }
}

// coefficients of sin, cos, sinh, cosh, exp: derivatives repeat
static void circular(int n, double f0, double f1, double sign, double* f)
{
  double factorial = 1;
  for (int k = 0; k <= n; k++) {
    f[k] = (k % 2 ? f1 : f0) * (k / 2 % 2 ? sign : 1) / factorial;
    factorial *= k + 1;
  }
}

// tan and tanh: f' = 1 + sign f^2
static void tangent(int n, double value, double sign, double* f)
{
  f[0] = value;
  for (int k = 0; k < n; k++) {
    double sum = k == 0;
    for (int j = 0; j <= k; j++) sum += sign * f[j] * f[k - j];
    f[k + 1] = sum / (k + 1);
  }
}

// functions whose derivative is a power of 1 + x^2 or 1 - x^2
static void angle(expr_fn fn, int n, double x, double* f, double* g)
{
  const double plus[3] = {1 + x * x, 2 * x, 1}, minus[3] = {1 - x * x, -2 * x, -1};
  quadratic_power(n, fn == EXPR_ATAN ? plus : minus, fn == EXPR_ATAN ? -1 : -0.5, g);
  for (int k = 0; k <= n && fn == EXPR_ACOS; k++) g[k] = -g[k];
  integrate(n, fn == EXPR_ATAN ? atan(x) : fn == EXPR_ASIN ? asin(x) : acos(x), g, f);
}

// |x| and its sign; false at the corner
static bool sided(expr_fn fn, int n, double x, double* f)
{
  const double side = x > 0 ? 1 : -1;
  f[0] = fn == EXPR_ABS ? fabs(x) : side;
  for (int k = 1; k <= n; k++) f[k] = fn == EXPR_ABS && k == 1 ? side : 0;
  return x != 0;
}

static bool coefficients(expr_fn fn, int n, double x, double* f, double* g)
{
  switch (fn) {
  case EXPR_EXP:
    circular(n, exp(x), exp(x), 1, f);
    break;
  case EXPR_SIN:
    circular(n, sin(x), cos(x), -1, f);
    break;
  case EXPR_COS:
    circular(n, cos(x), -sin(x), -1, f);
    break;
  case EXPR_SINH:
    circular(n, sinh(x), cosh(x), 1, f);
    break;
  case EXPR_COSH:
    circular(n, cosh(x), sinh(x), 1, f);
    break;
  case EXPR_TAN:
    tangent(n, tan(x), 1, f);
    break;
  case EXPR_TANH:
    tangent(n, tanh(x), -1, f);
    break;
  case EXPR_LOG:
    f[0] = log(x);
    for (int k = 1; k <= n; k++) f[k] = (k % 2 ? 1 : -1) / (k * pow(x, k));
    break;
  case EXPR_ATAN:
  case EXPR_ASIN:
  case EXPR_ACOS:
    angle(fn, n, x, f, g);
    break;
  case EXPR_ABS:
  case EXPR_SIGN:
    return sided(fn, n, x, f);
  default:
    return false;
  }
  return true;
}

// ---- nodes --------------------------------------------------------------------------------------

static const double* expand(walk* w, expr e);

// atan2(y, x) by the atan whose argument is small; a constant more or less does not matter, but
// the value is kept right
static bool two_arguments(walk* w, const double* y, const double* x, double* out)
{
  const geom_taylor* t = w->t;
  const bool upright = fabs(x[0]) < fabs(y[0]);
  const double *above = upright ? x : y, *below = upright ? y : x;
  double* q = base_alloc(sizeof(double) * (size_t)(2 * t->count + 2 * t->degree + 2));
  double *inverse = q + t->count, *f = inverse + t->count, *g = f + t->degree + 1;
  bool fine = geom_taylor_power(t, below, -1, inverse);
  if (fine) {
    geom_taylor_multiply(t, t->degree, above, inverse, q);
    fine = coefficients(EXPR_ATAN, t->degree, q[0], f, g);
    for (int k = 0; k <= t->degree && upright; k++) f[k] = -f[k];
    f[0] = atan2(y[0], x[0]);
    if (fine) geom_taylor_compose(t, q, f, out);
  }
  free(q);
  return fine;
}

static bool call(walk* w, expr e, double* out)
{
  const geom_taylor* t = w->t;
  const expr_fn fn = expr_fn_of(w->pool, e);
  const double* a = expand(w, expr_arg(w->pool, e, 0));
  const double* b = expr_arg_count(w->pool, e) > 1 ? expand(w, expr_arg(w->pool, e, 1)) : a;
  if (!a || !b) return false;
  if (fn == EXPR_SQRT) return geom_taylor_power(t, a, 0.5, out);
  if (fn == EXPR_ATAN2) return two_arguments(w, a, b, out);
  if (fn == EXPR_MIN || fn == EXPR_MAX) {
    memcpy(out, (fn == EXPR_MIN) == (a[0] < b[0]) ? a : b, sizeof(double) * (size_t)t->count);
    return a[0] != b[0];
  }
  double *f = base_alloc(sizeof(double) * (size_t)(2 * t->degree + 2)), *g = f + t->degree + 1;
  const bool fine = coefficients(fn, t->degree, a[0], f, g);
  if (fine) geom_taylor_compose(t, a, f, out);
  free(f);
  return fine;
}

static bool symbol(walk* w, expr e, double* out)
{
  for (int i = 0; i < w->symbols; i++) {
    if (w->symbol[i] != e) continue;
    if (w->series[i])
      memcpy(out, w->series[i], sizeof(double) * (size_t)w->t->count);
    else
      out[0] = w->values[i];
    return true;
  }
  return false;
}

static bool product(walk* w, expr e, double* out)
{
  const geom_taylor* t = w->t;
  double* next = base_alloc(sizeof(double) * (size_t)t->count);
  bool fine = true;
  out[0] = 1;
  for (int i = 0; i < expr_arg_count(w->pool, e) && fine; i++) {
    const double* a = expand(w, expr_arg(w->pool, e, i));
    if (!(fine = a != NULL)) break;
    memset(next, 0, sizeof(double) * (size_t)t->count);
    geom_taylor_multiply(t, t->degree, out, a, next);
    memcpy(out, next, sizeof(double) * (size_t)t->count);
  }
  free(next);
  return fine;
}

static bool condition(walk* w, expr e, double* out)
{
  const expr c = expr_arg(w->pool, e, 0);
  const double *a = expand(w, expr_arg(w->pool, c, 0)), *b = expand(w, expr_arg(w->pool, c, 1));
  if (!a || !b || a[0] == b[0]) return false;
  const double* x = expand(w, expr_arg(w->pool, e, a[0] < b[0] ? 1 : 2));
  if (x) memcpy(out, x, sizeof(double) * (size_t)w->t->count);
  return x != NULL;
}

static bool power(walk* w, expr e, double* out)
{
  const expr exponent = expr_arg(w->pool, e, 1);
  const double *a = expand(w, expr_arg(w->pool, e, 0)), *p = expand(w, exponent);
  if (!a || !p) return false;
  for (int k = 1; k < w->t->count; k++)
    if (p[k] != 0) return false;
  return geom_taylor_power(w->t, a, p[0], out);
}

static bool fill(walk* w, expr e, double* out)
{
  const expr_pool* p = w->pool;
  switch (expr_kind_of(p, e)) {
  case EXPR_NUMBER:
  case EXPR_PI:
    out[0] = expr_number(p, e);
    return true;
  case EXPR_SYMBOL:
    return symbol(w, e, out);
  case EXPR_SUM:
    for (int i = 0; i < expr_arg_count(p, e); i++) {
      const double* a = expand(w, expr_arg(p, e, i));
      if (!a) return false;
      for (int k = 0; k < w->t->count; k++) out[k] += a[k];
    }
    return true;
  case EXPR_PRODUCT:
    return product(w, e, out);
  case EXPR_POWER:
    return power(w, e, out);
  case EXPR_CALL:
    return call(w, e, out);
  case EXPR_IF:
    return condition(w, e, out);
  default:
    return false;
  }
}

// null where it has no value
static const double* expand(walk* w, expr e)
{
  if (!w->fine || e == EXPR_NONE) return NULL;
  const node* known = slot(w, e);
  if (known->a) return known->a;
  double* out = polynomial(w);
  w->fine = fill(w, e, out) && isfinite(out[0]);
  if (w->fine) keep(w, e, out);
  return w->fine ? out : NULL;
}

bool geom_taylor_expand_along(const geom_taylor* t, const expr_pool* pool, int symbols,
                              const expr* symbol, const double* values, const double* const* series,
                              int count, const expr* e, double* out)
{
  walk w = {.t = t, .pool = pool, .symbols = symbols, .symbol = symbol, .values = values};
  w.series = series;
  w.room = 256;
  w.fine = true;
  w.table = base_alloc(sizeof(node) * (size_t)w.room);
  for (int i = 0; i < count && w.fine; i++) {
    const double* a = expand(&w, e[i]);
    if (a) memcpy(out + i * t->count, a, sizeof(double) * (size_t)t->count);
  }
  free(w.table);
  return w.fine;
}

bool geom_taylor_expand(const geom_taylor* t, const geom_pfaff* f, const int* variable,
                        const double* values, int count, const expr* e, double* out)
{
  const double** series = base_arena_take(t->arena, sizeof(double*) * (size_t)(f->symbols + 1));
  for (int i = 0; i < f->symbols; i++)
    for (int j = 0; j < t->m; j++) {
      if (f->x[variable[j]] != f->symbol[i]) continue;
      double* x = base_arena_take(t->arena, sizeof(double) * (size_t)t->count);
      x[0] = values[i];
      x[t->up[j]] = 1;
      series[i] = x;
    }
  return geom_taylor_expand_along(t, f->pool, f->symbols, f->symbol, values, series, count, e, out);
}
