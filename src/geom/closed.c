// Integrals of a system as formulas: sums of functions of a basis times momenta, whose
// coefficients are solutions of linear equations at random states.
//
// F = sum c_ij f_j(q) p_i, p = dT/dv, has the rate sum c_ij (f_j' p_i + f_j p_i'), which has to
// vanish at every state; quadratic integrals likewise with f_j p_h p_i and functions of positions.
// In the momenta coefficients seldom hold masses. What is found is checked at further states, and
// there may be no more than were counted.
#include "geom/closed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_LINEAR = 420,    // unknown coefficients
  MOST_QUADRATIC = 640, // likewise
  SPARE = 40,           // states more than coefficients
  FRESH = 12,
  MOST_SHORT = 400 // operations that the simplifier is given
};
static const double still = 1e-9;    // a rate that is none, against its terms
static const double rounded = 1e-13; // momenta that are nothing, of the largest

// ---- shared -------------------------------------------------------------------------------------

expr geom_closed_tidy(expr_pool* p, expr e)
{
  return expr_size(p, 1, &e) <= MOST_SHORT ? expr_simplify(p, e) : e;
}

expr geom_closed_momentum(const geom_search* w, const expr* X)
{
  expr_pool* p = w->s->pool;
  expr sum = expr_int(p, 0);
  for (int i = 0; i < w->s->n; i++)
    sum = expr_add(p, sum, expr_mul(p, X[i], expr_diff(p, w->s->model->T, w->s->v[i])));
  return geom_closed_tidy(p, sum);
}

static void set_state(geom_search* w, const geom_state* y)
{
  for (int j = 0; j < w->symbols; j++)
    for (int i = 0; i < w->s->n; i++) {
      if (w->symbol[j] == w->s->q[i]) w->value[j] = y->q[i];
      if (w->symbol[j] == w->s->v[i]) w->value[j] = y->v[i];
    }
}

static int by_size(const void* a, const void* b)
{
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// The rate of F at states, against its terms and against F over the time in which the state
// changes: of the states in order the one that three quarters do not exceed, as accelerations are
// not exact near places where the masses are nearly singular.
static double rate_of(geom_search* w, const geom_states* at, expr F)
{
  const mech_system* s = w->s;
  const int n = s->n;
  double seen[FRESH] = {0};
  expr* slope = base_alloc(sizeof(expr) * (size_t)(2 * n + 1));
  double* x = base_alloc(sizeof(double) * (size_t)(2 * n + 1));
  expr_gradient(s->pool, F, n, s->q, slope);
  expr_gradient(s->pool, F, n, s->v, slope + n);
  for (int k = 0; k < at->count && k < FRESH; k++) {
    const geom_state* y = &at->at[k];
    double sum = 0, size = 0, speed = 0;
    set_state(w, y);
    expr_values(s->pool, 2 * n, slope, w->symbols, w->symbol, w->value, x);
    for (int i = 0; i < n; i++) speed = fmax(speed, fabs(y->v[i]) / (1 + fabs(y->q[i])));
    for (int i = 0; i < n; i++) {
      sum += x[i] * y->v[i] + x[n + i] * y->a[i];
      size += fabs(x[i] * y->v[i]) + fabs(x[n + i]) * (fabs(y->a[i]) + speed * fabs(y->v[i]));
    }
    seen[k] = size > 0 ? fabs(sum) / size : 0;
    if (!isfinite(sum)) seen[k] = INFINITY;
  }
  free(slope);
  free(x);
  qsort(seen, FRESH, sizeof *seen, by_size);
  return seen[3 * FRESH / 4];
}

// ---- an ansatz ----------------------------------------------------------------------------------

// a column: f_j times p_i (second < 0), times p_i p_h, or a further function (i < 0)
typedef struct column
{
  int f, i, h;
} column;

typedef struct ansatz
{
  int columns;
  column* of;
  int* degree;
  int further; // functions of positions alone
  const expr* u;
} ansatz;

static double term(const column* c, const geom_state* y)
{
  if (c->i < 0) return y->u[c->f];
  return y->f[c->f] * y->p[c->i] * (c->h < 0 ? 1 : y->p[c->h]);
}

static double term_rate(const column* c, const geom_state* y)
{
  if (c->i < 0) return y->du[c->f];
  const double p = y->p[c->i], f = y->f[c->f];
  if (c->h < 0) return y->df[c->f] * p + f * y->dp[c->i];
  return y->df[c->f] * p * y->p[c->h] + f * (y->dp[c->i] * y->p[c->h] + p * y->dp[c->h]);
}

static expr formula(const geom_search* w, const ansatz* a, const double* c)
{
  expr_pool* p = w->s->pool;
  expr sum = expr_int(p, 0);
  for (int j = 0; j < a->columns; j++) {
    const column* of = &a->of[j];
    if (c[j] == 0) continue;
    expr e = geom_ansatz_number(p, c[j]);
    if (of->i < 0) {
      e = expr_mul(p, e, a->u[of->f]);
    } else {
      e = expr_mul(p, e, w->basis.f[of->f]);
      e = expr_mul(p, e, expr_diff(p, w->s->model->T, w->s->v[of->i]));
      if (of->h >= 0) e = expr_mul(p, e, expr_diff(p, w->s->model->T, w->s->v[of->h]));
    }
    sum = expr_add(p, sum, e);
  }
  return geom_closed_tidy(p, sum);
}

// Do its numbers hold at these params only? Looked for at others.
static bool is_fitted(geom_search* w, expr F)
{
  if (w->other.count == 0) return false;
  for (int j = 0; j < w->symbols; j++) w->value[j] = w->others[j];
  const double rate = rate_of(w, &w->other, F);
  for (int j = 0; j < w->symbols; j++) w->value[j] = w->given[j];
  return !(rate < still);
}

// Solutions of the ansatz that are independent of what `known` holds (values at the states), at
// most `most`, into out; returns how many.
static int solve(geom_search* w, const ansatz* a, const geom_states* at, geom_independent* known,
                 int most, geom_closed* out, const double** of)
{
  const int C = a->columns, S = at->count;
  double *A = base_alloc(sizeof(double) * (size_t)(S * C + C + S + 1)), *size = A + S * C,
         *value = size + C, *R;
  for (int k = 0; k < S; k++)
    for (int j = 0; j < C; j++) {
      A[k * C + j] = term_rate(&a->of[j], &at->at[k]);
      size[j] += fabs(term(&a->of[j], &at->at[k])) / S;
    }
  for (int j = 0; j < C; j++)
    if (!(size[j] > 0)) size[j] = 1;
  const int count = geom_ansatz_solve(S, C, A, size, w->work, &R);
  const int* order = geom_closed_order(count, C, R, a->degree, w->work);
  int found = 0;
  for (int n = 0; n < count && found < most; n++) {
    const double* c = R + order[n] * C;
    double terms = 0;
    for (int k = 0; k < S; k++) {
      value[k] = 0;
      for (int j = 0; j < C; j++) {
        const double part = c[j] == 0 ? 0 : c[j] * term(&a->of[j], &at->at[k]);
        value[k] += part;
        terms += part * part;
      }
    }
    if (!geom_independent_take(known, value, sqrt(terms))) continue;
    const expr F = formula(w, a, c);
    const double rate = rate_of(w, &w->fresh, F);
    if (!(rate < still)) {
      known->count--;
      continue;
    }
    of[found] = c;
    out[found++] = (geom_closed){.value = F, .rate = rate, .fitted = is_fitted(w, F)};
  }
  free(A);
  return found;
}

static void add_column(ansatz* a, column c, int degree)
{
  a->of[a->columns] = c;
  a->degree[a->columns++] = degree;
}

static ansatz make_ansatz(geom_search* w, bool quadratic, int further, const expr* u, int most)
{
  const int n = w->s->n, L = w->basis.count;
  const size_t room = (size_t)(L * (quadratic ? n * (n + 1) / 2 : n) + further + 1);
  ansatz a = {.further = further, .u = u};
  a.of = base_arena_take(w->work, sizeof(column) * room);
  a.degree = base_arena_take(w->work, sizeof(int) * room);
  for (int f = 0; f < L; f++) {
    const int degree = w->basis.degree[f];
    if (a.columns + (quadratic ? n * (n + 1) / 2 : n) > most - further) break;
    for (int i = 0; i < n; i++)
      for (int h = quadratic ? i : n - 1; h < n; h++)
        add_column(&a, (column){f, i, quadratic ? h : -1}, degree);
  }
  for (int f = 0; f < further; f++) add_column(&a, (column){f, -1, -1}, f ? 1 : 0);
  return a;
}

// the same system at other values of its params
static void make_other(geom_search* w)
{
  const model* m = w->s->model;
  bool any = false;
  w->others = base_arena_take(w->work, sizeof(double) * (size_t)(w->symbols + 1));
  memcpy(w->others, w->given, sizeof(double) * (size_t)w->symbols);
  for (int i = 0; i < m->params; i++)
    for (int j = 0; j < w->symbols; j++)
      if (w->symbol[j] == m->param[i].symbol) {
        w->others[j] *= 1.03 + 0.017 * (i % 7);
        any = true;
      }
  if (!any || !geom_states_make(w->s, w->symbols, w->symbol, w->others, &w->basis, 0, NULL, false,
                                FRESH, 2000, w->work, &w->other))
    w->other.count = 0;
}

// the same with momenta as large as the largest: what a term is rounding of
static double term_size(const column* c, const geom_state* y, int n)
{
  if (c->i < 0) return fabs(y->u[c->f]);
  double p = 0;
  for (int i = 0; i < n; i++) p = fmax(p, fabs(y->p[i]));
  return fabs(y->f[c->f]) * (c->h < 0 ? p : p * p);
}

// Where velocities are constrained, momenta depend on each other: columns that those before tell
// are left out, or any multiple of a constraint would stand in what is found.
static void drop_dependent(geom_search* w, ansatz* a, const geom_states* at)
{
  const int S = at->count;
  geom_independent known = geom_independent_make(S, a->columns, w->work);
  double* x = base_arena_take(w->work, sizeof(double) * (size_t)(S + 1));
  int left = 0;
  for (int j = 0; j < a->columns; j++) {
    double size = 0, whole = 0;
    for (int k = 0; k < S; k++) {
      x[k] = term(&a->of[j], &at->at[k]);
      size += x[k] * x[k];
      whole += pow(term_size(&a->of[j], &at->at[k], w->s->n), 2);
    }
    if (size <= rounded * rounded * whole) continue;
    if (!geom_independent_take(&known, x, sqrt(size))) continue;
    a->of[left] = a->of[j];
    a->degree[left++] = a->degree[j];
  }
  a->columns = left;
}

static bool make_states(geom_search* w, ansatz* a, geom_states* out)
{
  const bool made = geom_states_make(w->s, w->symbols, w->symbol, w->value, &w->basis, a->further,
                                     a->u, false, a->columns + SPARE, 5, w->work, out);
  if (made && !w->r->holonomic) drop_dependent(w, a, out);
  return made;
}

// ---- linear -------------------------------------------------------------------------------------

static void find_linear(geom_search* w)
{
  geom_structure* r = w->r;
  const int n = w->s->n, want = r->linear.dimension;
  if (want <= 0) return;
  ansatz a = make_ansatz(w, false, r->speedy ? w->basis.count - 1 : 0, w->basis.f + 1, MOST_LINEAR);
  geom_states at;
  if (!make_states(w, &a, &at)) return;
  geom_independent known = geom_independent_make(at.count, want + 1, w->work);
  geom_closed* out = base_arena_take(r->arena, sizeof *out * (size_t)(want + 2));
  const double** of = base_arena_take(w->work, sizeof *of * (size_t)(want + 2));
  const int found = solve(w, &a, &at, &known, want + 1, out, of);
  if (found > want) return; // more than there are: none of it is to be trusted
  for (int k = 0; k < found; k++) {
    out[k].field = base_arena_take(r->arena, sizeof(expr) * (size_t)n);
    expr_pool* p = w->s->pool;
    for (int i = 0; i < n; i++) out[k].field[i] = expr_int(p, 0);
    for (int j = 0; j < a.columns; j++)
      if (of[k][j] != 0 && a.of[j].i >= 0)
        out[k].field[a.of[j].i] =
            expr_add(p, out[k].field[a.of[j].i],
                     expr_mul(p, geom_ansatz_number(p, of[k][j]), w->basis.f[a.of[j].f]));
  }
  r->closed_linear = found;
  r->linear_of = out;
}

// ---- quadratic ----------------------------------------------------------------------------------

enum { MOST_TERMS = 6, MOST_FURTHER = 90 };

// Functions of positions that a quadratic integral may add: those of a basis of higher degree,
// and those of the lowest degree times the terms of the potential energy.
static int further_functions(geom_search* w, expr* u)
{
  const mech_system* s = w->s;
  expr_pool* p = s->pool;
  const expr V = expr_substitute(p, s->H, s->n, s->v, s->zero);
  const geom_library l =
      geom_library_make(s, s->n <= 2 ? 4 : 2, MOST_FURTHER / (s->n <= 2 ? 2 : 1), w->work);
  int count = 0;
  for (int i = 1; i < l.count; i++) u[count++] = l.f[i];
  const int terms = expr_kind_of(p, V) == EXPR_SUM ? expr_arg_count(p, V) : 1;
  for (int k = 0; k < terms && k < MOST_TERMS; k++) {
    const expr term = terms > 1 ? expr_arg(p, V, k) : V;
    if (!expr_has_any(p, term, s->n, s->q)) continue;
    for (int i = 0; i < w->basis.count && w->basis.degree[i] <= (s->n <= 2 ? 2 : 1); i++)
      if (count < 2 * MOST_FURTHER) u[count++] = expr_mul(p, w->basis.f[i], term);
  }
  return count;
}

static double* values_of(geom_search* w, const geom_states* at, expr e)
{
  double* x = base_arena_take(w->work, sizeof(double) * (size_t)(at->count + 1));
  for (int k = 0; k < at->count; k++) {
    set_state(w, &at->at[k]);
    x[k] = expr_value(w->s->pool, e, w->symbols, w->symbol, w->value);
  }
  return x;
}

static double norm(int n, const double* x)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

// products of linear integrals that are known, and constants
static void take_products(geom_search* w, const geom_states* at, geom_independent* known)
{
  const geom_structure* r = w->r;
  const int S = at->count;
  double *one = base_arena_take(w->work, sizeof(double) * (size_t)(S + 1)),
         *product = base_arena_take(w->work, sizeof(double) * (size_t)(S + 1));
  for (int k = 0; k < S; k++) one[k] = 1;
  geom_independent_take(known, one, norm(S, one));
  for (int i = 0; i < r->closed_linear; i++) {
    const double* a = values_of(w, at, r->linear_of[i].value);
    for (int j = i; j < r->closed_linear; j++) {
      const double* b = values_of(w, at, r->linear_of[j].value);
      for (int k = 0; k < S; k++) product[k] = a[k] * b[k];
      geom_independent_take(known, product, norm(S, product));
    }
    if (r->speedy) geom_independent_take(known, a, norm(S, a));
  }
}

static void find_quadratic(geom_search* w)
{
  geom_structure* r = w->r;
  const int want = r->quadratic.dimension - r->products;
  if (r->quadratic.dimension <= 0 || want <= 0) return;
  expr* u = base_arena_take(w->work, sizeof(expr) * (size_t)(2 * MOST_FURTHER + 1));
  const int further = further_functions(w, u);
  ansatz a = make_ansatz(w, true, further, u, MOST_QUADRATIC);
  geom_states at;
  if (!make_states(w, &a, &at)) return;
  geom_closed* out = base_arena_take(r->arena, sizeof *out * (size_t)(want + 3));
  const double** of = base_arena_take(w->work, sizeof *of * (size_t)(want + 3));
  geom_independent known =
      geom_independent_make(at.count, r->quadratic.dimension + 3 + r->closed_linear, w->work);
  take_products(w, &at, &known);
  int found = 0;
  const double rate = rate_of(w, &w->fresh, w->s->H), *H = values_of(w, &at, w->s->H);
  if (rate < still && geom_independent_take(&known, H, norm(at.count, H)))
    out[found++] = (geom_closed){.value = w->s->H, .rate = rate};
  // what is no more than a bound is known where products and the energy reach it
  r->quadratic.sure = r->quadratic.sure || (rate < still && r->energy_apart && want == 1);
  // products of linear ones that have no formula would be found among them
  if (r->closed_linear == r->linear.dimension)
    found += solve(w, &a, &at, &known, want + 1 - found, out + found, of);
  if (found > want) return;
  r->closed_quadratic = found;
  r->quadratic_of = out;
}

// ---- all of it ----------------------------------------------------------------------------------

void geom_closed_find(geom_structure* r, int symbols, const expr* symbol, const double* value)
{
  geom_search w = {.r = r, .s = r->s, .work = base_arena_new(), .symbols = symbols};
  w.symbol = symbol;
  w.value = base_arena_take(w.work, sizeof(double) * (size_t)(symbols + 1));
  memcpy(w.value, value, sizeof(double) * (size_t)symbols);
  w.given = value;
  if (r->s->M && r->s->A) {
    w.basis = geom_library_make(r->s, 2, MOST_LINEAR / r->s->n, w.work);
    if (geom_states_make(r->s, symbols, symbol, value, &w.basis, 0, NULL, false, FRESH, 1000,
                         w.work, &w.fresh)) {
      make_other(&w);
      find_linear(&w);
      find_quadratic(&w);
      geom_closed_symmetries(&w);
      if (r->measure == EXPR_YES && !r->holonomic) geom_density_find(&w);
    }
  }
  base_arena_free(w.work);
}
