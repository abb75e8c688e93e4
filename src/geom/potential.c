// The potential of an integrable one-form: an integrating factor mu with d(mu omega) = 0, then
// integration coordinate by coordinate. Every result is checked by differentiation.
#include "geom/potential.h"

#include <stdlib.h>
#include <string.h>

// sizes above which nothing is tried, and the most factors tried
#define MOST_NODES   400
#define MOST_TRIES   160
#define MOST_FACTORS 5

typedef struct work
{
  const geom_pfaff* f;
  expr_pool* p;
  int N;
  const expr* w; // the form
  expr* u;       // mu omega
  int tries;
  expr found;
} work;

static bool is_zero(work* k, expr e)
{
  return expr_is_zero(k->p, e) == EXPR_YES;
}

// ---- one factor ---------------------------------------------------------------------------------

static bool closed(work* k)
{
  for (int i = 0; i < k->N; i++)
    for (int j = i + 1; j < k->N; j++)
      if (!is_zero(k, geom_curl(k->f, k->u, i, j))) return false;
  return true;
}

// P from u = dP, the coordinates taken upwards or downwards
static expr integrate(work* k, bool down)
{
  expr P = k->f->zero;
  for (int s = 0; s < k->N; s++) {
    int i = down ? k->N - 1 - s : s;
    expr rest = expr_sub(k->p, k->u[i], expr_diff(k->p, P, k->f->x[i]));
    rest = geom_tidy(k->p, rest);
    if (rest == k->f->zero) continue;
    expr part = expr_integrate(k->p, rest, k->f->x[i]);
    if (part == EXPR_NONE) part = expr_integrate(k->p, expr_expand(k->p, rest), k->f->x[i]);
    if (part == EXPR_NONE) return EXPR_NONE;
    P = expr_add(k->p, P, part);
  }
  return P;
}

// dP parallel to omega, and not zero
static bool fits(work* k, expr P)
{
  expr* d = base_alloc(sizeof(expr) * (size_t)(k->N + 1));
  expr_gradient(k->p, P, k->N, k->f->x, d);
  bool fine = true, moves = false;
  for (int i = 0; i < k->N && fine; i++) {
    moves |= expr_is_zero(k->p, d[i]) == EXPR_NO;
    for (int j = i + 1; j < k->N && fine; j++)
      fine =
          is_zero(k, expr_sub(k->p, expr_mul(k->p, k->w[i], d[j]), expr_mul(k->p, k->w[j], d[i])));
  }
  free(d);
  return fine && moves;
}

// number and log of a term c*log(u); false where it is not one
static bool log_term(const work* k, expr term, expr* c, expr* u)
{
  const expr_pool* p = k->p;
  *c = expr_int(k->p, 1);
  expr log = term;
  if (expr_kind_of(p, term) == EXPR_PRODUCT && expr_arg_count(p, term) == 2) {
    int number = expr_is_number(p, expr_arg(p, term, 0)) ? 0 : 1;
    *c = expr_arg(p, term, number);
    log = expr_arg(p, term, 1 - number);
  }
  if (!expr_is_number(p, *c) || expr_kind_of(p, log) != EXPR_CALL) return false;
  if (expr_fn_of(p, log) != EXPR_LOG) return false;
  *u = expr_arg(p, log, 0);
  // log(abs(u)): the sign is constant along the motion
  if (expr_kind_of(p, *u) == EXPR_CALL && expr_fn_of(p, *u) == EXPR_ABS) *u = expr_arg(p, *u, 0);
  return true;
}

// exp(e) with exp(c*log(u)) = u^c; sums of logarithms become products
static expr exponential(work* k, expr e)
{
  bool sum = expr_kind_of(k->p, e) == EXPR_SUM;
  int n = sum ? expr_arg_count(k->p, e) : 1;
  expr out = expr_int(k->p, 1);
  for (int i = 0; i < n; i++) {
    expr term = sum ? expr_arg(k->p, e, i) : e, c, u;
    expr factor = log_term(k, term, &c, &u) ? expr_pow(k->p, u, c) : expr_fn1(k->p, EXPR_EXP, term);
    out = expr_mul(k->p, out, factor);
  }
  return out;
}

// a sum of logarithms alone says the same as their product
static expr without_logs(work* k, expr P)
{
  bool sum = expr_kind_of(k->p, P) == EXPR_SUM;
  int n = sum ? expr_arg_count(k->p, P) : 1;
  expr first = EXPR_NONE, c, u;
  for (int i = 0; i < n; i++) {
    if (!log_term(k, sum ? expr_arg(k->p, P, i) : P, &c, &u)) return P;
    if (i == 0) first = c;
  }
  return exponential(k, geom_tidy(k->p, expr_expand(k->p, expr_div(k->p, P, first))));
}

// the number in front of a term
static expr number_of(work* k, expr term)
{
  if (expr_kind_of(k->p, term) == EXPR_PRODUCT)
    for (int i = 0; i < expr_arg_count(k->p, term); i++)
      if (expr_is_number(k->p, expr_arg(k->p, term, i))) return expr_arg(k->p, term, i);
  return expr_int(k->p, 1);
}

// a number in front of all terms changes nothing; the sign stays unless every term has a minus
static expr without_number(work* k, expr P)
{
  if (expr_kind_of(k->p, P) != EXPR_SUM) return expr_div(k->p, P, number_of(k, P));
  expr c = number_of(k, expr_arg(k->p, P, 0)), minus = expr_neg(k->p, c);
  bool plus = false;
  for (int i = 0; i < expr_arg_count(k->p, P); i++) {
    expr d = number_of(k, expr_arg(k->p, P, i));
    if (d != c && d != minus) return P;
    plus |= expr_number(k->p, d) > 0;
  }
  if (plus && expr_number(k->p, c) < 0) c = minus;
  expr sum = k->f->zero;
  for (int i = 0; i < expr_arg_count(k->p, P); i++)
    sum = expr_add(k->p, sum, expr_div(k->p, expr_arg(k->p, P, i), c));
  return sum;
}

// does mu make omega closed, and can the potential be written down?
static bool try_factor(work* k, expr mu)
{
  if (mu == EXPR_NONE || k->tries++ >= MOST_TRIES) return false;
  for (int i = 0; i < k->N; i++) {
    k->u[i] = geom_tidy(k->p, expr_mul(k->p, mu, k->w[i]));
    if (k->u[i] == EXPR_NONE || expr_size(k->p, 1, &k->u[i]) > MOST_NODES) return false;
  }
  if (!closed(k)) return false;
  for (int down = 0; down < 2; down++) {
    expr P = integrate(k, down);
    if (P == EXPR_NONE) continue;
    P = geom_tidy(k->p, P);
    expr nice = without_number(k, geom_tidy(k->p, without_logs(k, P)));
    expr choice[] = {nice, P};
    for (int i = 0; i < 2; i++)
      if (choice[i] != EXPR_NONE && fits(k, choice[i])) {
        k->found = choice[i];
        return true;
      }
  }
  return false;
}

// ---- which factors ------------------------------------------------------------------------------

// mu(x_c) alone: mu'/mu = -(d v)_cj / v_j for every j, v = scale omega, a function g of x_c only
static bool try_one_variable(work* k, expr scale)
{
  expr* v = base_alloc(sizeof(expr) * (size_t)(k->N + 1));
  for (int i = 0; i < k->N; i++) v[i] = geom_tidy(k->p, expr_mul(k->p, scale, k->w[i]));
  bool done = false;
  for (int c = 0; c < k->N && !done; c++) {
    expr g = EXPR_NONE;
    for (int j = 0; j < k->N && g == EXPR_NONE; j++)
      if (j != c && v[j] != k->f->zero)
        g = expr_neg(k->p, expr_div(k->p, geom_curl(k->f, v, c, j), v[j]));
    if (g == EXPR_NONE) continue;
    g = geom_tidy(k->p, g);
    bool alone = g != k->f->zero;
    for (int j = 0; j < k->N; j++) alone &= j == c || !expr_has(k->p, g, k->f->x[j]);
    if (!alone) continue;
    expr h = expr_integrate(k->p, g, k->f->x[c]);
    if (h != EXPR_NONE) done = try_factor(k, expr_mul(k->p, scale, exponential(k, h)));
  }
  free(v);
  return done;
}

static expr inverse(work* k, expr e)
{
  return expr_div(k->p, expr_int(k->p, 1), e);
}

// different factors that hold a coordinate, out of all coefficients
static int factors_of(work* k, expr* out)
{
  int n = 0;
  for (int i = 0; i < k->N; i++) {
    bool product = expr_kind_of(k->p, k->w[i]) == EXPR_PRODUCT;
    int count = product ? expr_arg_count(k->p, k->w[i]) : 1;
    for (int j = 0; j < count; j++) {
      expr e = product ? expr_arg(k->p, k->w[i], j) : k->w[i];
      bool known = !expr_has_any(k->p, e, k->N, k->f->x);
      for (int l = 0; l < n; l++) known |= out[l] == e;
      if (!known && n < MOST_FACTORS) out[n++] = e;
    }
  }
  return n;
}

// one over a product of some of the factors: separable forms
static bool try_factors(work* k)
{
  expr factor[MOST_FACTORS];
  int n = factors_of(k, factor);
  for (int set = 1; set < 1 << n; set++) {
    expr product = expr_int(k->p, 1);
    for (int i = 0; i < n; i++)
      if (set >> i & 1) product = expr_mul(k->p, product, factor[i]);
    if (try_factor(k, inverse(k, product))) return true;
  }
  return false;
}

// simple functions of one or two coordinates
static bool try_simple(work* k)
{
  expr_pool* p = k->p;
  for (int i = 0; i < k->N; i++) {
    expr x = k->f->x[i], c = expr_fn1(p, EXPR_COS, x), s = expr_fn1(p, EXPR_SIN, x);
    if (!expr_has_any(p, expr_sum(p, k->N, k->w), 1, &x) && k->w[i] == k->f->zero) continue;
    expr mu[] = {x, inverse(k, x), inverse(k, expr_mul(p, x, x)), c, inverse(k, c),
                 s, inverse(k, s), inverse(k, expr_mul(p, c, c))};
    for (size_t j = 0; j < sizeof mu / sizeof mu[0]; j++)
      if (try_factor(k, mu[j])) return true;
    for (int j = i + 1; j < k->N; j++) {
      expr both = expr_mul(p, x, k->f->x[j]);
      if (try_factor(k, both) || try_factor(k, inverse(k, both))) return true;
    }
  }
  return false;
}

expr geom_potential_find(const geom_pfaff* f, const expr* w)
{
  work k = {.f = f, .p = f->pool, .N = f->N, .w = w, .found = EXPR_NONE};
  int last = -1, entries = 0;
  for (int i = 0; i < k.N; i++)
    if (w[i] != f->zero) last = i, entries++;
  // one coordinate alone stands still
  if (entries == 1) return f->x[last];
  if (entries == 0 || expr_size(k.p, k.N, w) > MOST_NODES) return EXPR_NONE;
  k.u = base_alloc(sizeof(expr) * (size_t)(k.N + 1));
  expr one = expr_int(k.p, 1);
  bool done = try_factor(&k, one) || try_one_variable(&k, one);
  for (int i = 0; i < k.N && !done; i++) {
    if (w[i] == f->zero || expr_is_number(k.p, w[i])) continue;
    expr scale = inverse(&k, w[i]);
    done = try_factor(&k, scale) || try_one_variable(&k, scale);
    if (!done) done = try_factor(&k, expr_mul(k.p, scale, scale));
  }
  if (!done) done = try_factors(&k) || try_simple(&k);
  free(k.u);
  return k.found;
}
