// The period that equations depending on time have of their own.
//
// Time may stand in arguments of sin, cos and tan alone, as k t + ..., k a number. With k_i = k_1
// p_i/q_i in whole numbers all terms come back after 2 pi/(k_1 gcd(p_i)/lcm(q_i)); where the
// equations come back after a whole part of that time (squares, products), the part is their
// period.
#include "study/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_terms = 64, largest_ratio = 1000, times = 5, states = 3 };
static const double rational = 1e-12; // ratios this near to a fraction are it
static const double told =
    1e-3; // of a period: what it may be off where it was told in a few digits
static const double same = 1e-10; // derivatives of the equations, relative

// ---- frequencies --------------------------------------------------------------------------------

typedef struct search
{
  engine* e;
  expr_pool* pool;
  expr t;
  expr first;           // slope of the first argument found
  BASE_LIST(bool) seen; // by id
  double rate[most_terms];
  int count;
  bool periodic;
} search;

static bool is_new(search* s, expr e)
{
  while ((expr)s->seen.n <= e) base_push(&s->seen, false);
  if (s->seen.at[e]) return false;
  return s->seen.at[e] = true;
}

static void add_rate(search* s, expr argument)
{
  const expr slope = expr_simplify(s->pool, expr_diff(s->pool, argument, s->t));
  const double k = fabs(engine_value(s->e, slope));
  if (s->count == 0) s->first = slope;
  s->periodic = s->periodic && isfinite(k) && k > 0 && s->count < most_terms;
  if (s->periodic) s->rate[s->count++] = k;
}

static void walk(search* s, expr e)
{
  if (!s->periodic || e == EXPR_NONE || !expr_has(s->pool, e, s->t) || !is_new(s, e)) return;
  if (e == s->t) {
    s->periodic = false;
    return;
  }
  if (expr_kind_of(s->pool, e) == EXPR_CALL) {
    const expr_fn f = expr_fn_of(s->pool, e);
    const expr argument = expr_arg(s->pool, e, 0);
    if (f == EXPR_SIN || f == EXPR_COS || f == EXPR_TAN) {
      // nested: sin(cos(k t) + ...) comes back with its argument
      const expr slope = expr_diff(s->pool, argument, s->t);
      if (!expr_has(s->pool, slope, s->t)) {
        add_rate(s, argument);
        return;
      }
    }
  }
  for (int i = 0; i < expr_arg_count(s->pool, e); i++) walk(s, expr_arg(s->pool, e, i));
}

static void gather(search* s, engine* e)
{
  const mech_system* m = e->s;
  const int n = e->n, rows = e->m;
  BASE_LIST(expr) list = {0};
  expr* masses;
  const int terms = engine_mass_terms(m, &masses);
  for (int i = 0; i < terms; i++) base_push(&list, masses[i]);
  free(masses);
  for (int i = 0; i < n; i++) base_push(&list, m->F[i]);
  for (int i = 0; i < rows * n; i++) base_push(&list, m->A[i]);
  for (int k = 0; k < rows; k++) {
    base_push(&list, m->c[k]);
    if (m->f0[k] != EXPR_NONE) base_push(&list, m->f0[k]);
    if (m->f1[k] != EXPR_NONE) base_push(&list, m->f1[k]);
  }
  engine_fix(e->program, list.n, list.at, list.at);
  for (int i = 0; i < list.n; i++) walk(s, list.at[i]);
  base_list_free(&list);
  base_list_free(&s->seen);
}

// ---- the common period --------------------------------------------------------------------------

static long gcd(long a, long b)
{
  while (b) {
    const long rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// x = p/q by its continued fraction
static bool fraction(double x, long* p, long* q)
{
  long p0 = 0, q0 = 1, p1 = 1, q1 = 0;
  for (double rest = x; fabs(rest) < 1e9;) {
    const long whole = (long)floor(rest + 1e-9);
    const long p2 = whole * p1 + p0, q2 = whole * q1 + q0;
    p0 = p1, q0 = q1, p1 = p2, q1 = q2;
    if (q1 > largest_ratio || p1 > 1000000) return false;
    if (fabs(x - (double)p1 / (double)q1) <= rational * x) {
      *p = p1;
      *q = q1;
      return true;
    }
    rest = 1 / (rest - (double)whole);
  }
  return false;
}

static bool common(const search* s, double* period)
{
  long above = 1, below = 1;
  for (int i = 0; i < s->count; i++) {
    long p, q;
    if (!fraction(s->rate[i] / s->rate[0], &p, &q)) return false;
    // gcd of fractions: gcd(above q, p below)/(below q), made short
    above = gcd(above * q, p * below);
    below *= q;
    const long shared = gcd(above, below);
    above /= shared;
    below /= shared;
    if (below > largest_ratio) return false;
  }
  *period = 2 * M_PI / s->rate[0] * (double)below / (double)above;
  return true;
}

// ---- does it hold? ------------------------------------------------------------------------------

static double draw(uint64_t* seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

// what the equations are at a time: their derivatives by all they hold, forces and right sides
static void evaluate(study_linear* l, double t, double* out)
{
  engine* e = l->e;
  const int count = (l->n + 3 * e->m) * l->width;
  engine_time(e, t);
  code_run(l->kernel, e->in, out, l->scratch);
  // a frequency that is the param itself: its derivative grows with time
  for (int i = l->width - 1; l->param >= 0 && i < count; i += l->width) out[i] = 0;
  engine_equations(e);
  memcpy(out + count, e->F, sizeof(double) * (size_t)e->n);
  memcpy(out + count + e->n, e->c, sizeof(double) * (size_t)e->m);
}

// At times that have nothing to do with the period, at the state and at others, accelerations and
// reactions being those of the start.
bool study_period_repeats(study_linear* l, double period)
{
  engine* e = l->e;
  const int count = (l->n + 3 * e->m) * l->width + e->n + e->m, N = 2 * e->n;
  double* before = base_alloc(sizeof(double) * (size_t)(2 * count + N + 1));
  double *after = before + count, *here = after + count, off = 0, size = 0;
  const double start = e->in[0];
  uint64_t seed = 1883;
  memcpy(here, e->q, sizeof(double) * (size_t)N);
  for (int state = 0; state < states; state++)
    for (int turn = 0; turn < times; turn++) {
      const double t = start + period * turn * 0.3819660112501051;
      for (int i = 0; i < N; i++) e->q[i] = here[i] + (state ? 0.3 * draw(&seed) : 0);
      evaluate(l, t, before);
      evaluate(l, t + period, after);
      for (int i = 0; i < count; i++) {
        if (!isfinite(before[i]) || !isfinite(after[i])) continue;
        off = fmax(off, fabs(after[i] - before[i]));
        size = fmax(size, fabs(before[i]));
      }
    }
  memcpy(e->q, here, sizeof(double) * (size_t)N);
  engine_time(e, start);
  e->factored = false;
  free(before);
  return off <= same * size;
}

// the shortest period: parts of the common one that do as well
static double shorten(study_linear* l, double period)
{
  static const int part[] = {2, 3, 5, 7};
  for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
    while (study_period_repeats(l, period / part[i])) period /= part[i];
  return period;
}

bool study_period_find(study_linear* l, double* period)
{
  engine* e = l->e;
  search s = {.e = e, .pool = e->s->pool, .t = e->model->t, .periodic = true};
  if (!mech_mass(e->s)) return false;
  gather(&s, e);
  if (!s.periodic || s.count == 0 || !common(&s, period) || !study_period_repeats(l, *period))
    return false;
  *period = shorten(l, *period);
  return true;
}

expr study_period_rate(study_linear* l, expr* slope)
{
  engine* e = l->e;
  search s = {.e = e, .pool = e->s->pool, .t = e->model->t, .periodic = true};
  *slope = EXPR_NONE;
  if (!mech_mass(e->s)) return EXPR_NONE;
  gather(&s, e);
  if (!s.periodic || s.count == 0) return EXPR_NONE;
  expr rate = s.first;
  engine_given_write_out(e->program, 1, &rate);
  if (rate == EXPR_NONE) return EXPR_NONE;
  *slope = l->param < 0 ? expr_int(s.pool, 0)
                        : expr_diff(s.pool, rate, e->model->param[l->param].symbol);
  return *slope == EXPR_NONE ? EXPR_NONE : rate;
}

double study_period_told(study_linear* l, double period)
{
  double own = 0;
  if (!study_period_find(l, &own)) return period;
  const double rounds = round(period / own);
  return rounds >= 1 && fabs(period - rounds * own) < told * period ? rounds * own : period;
}
