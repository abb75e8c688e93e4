// The kinetic energy as it is written: a sum of squares of velocities is an embedding already.
//
//   2 T = sum_k c_k (dX_k/dt)^2, X_k functions of the coordinates                Briskin (2000), 3
// x_k = sqrt(c_k) X_k. Those that depend on one and the same coordinate alone make a curve, and the
// length along it does for all of them.
#include <stdlib.h>
#include <string.h>

#include "geom/formula.h"
#include "geom/natural.h"

enum { MOST_DEPTH = 40, MOST_MASSES = 4 };

typedef struct squares
{
  geom_embedding* e;
  expr_pool* p;
  int n, count;
  expr* v; // velocities of the space's coordinates
  expr form[GEOM_SQUARES], weight[GEOM_SQUARES];
} squares;

static bool add(squares* s, expr form, expr weight)
{
  for (int i = 0; i < s->count; i++) {
    const bool same = s->form[i] == form || s->form[i] == expr_neg(s->p, form);
    if (!same) continue;
    s->weight[i] = expr_add(s->p, s->weight[i], weight);
    return true;
  }
  if (s->count == GEOM_SQUARES) return false;
  s->form[s->count] = form;
  s->weight[s->count++] = weight;
  return true;
}

// weight * e as a sum of squares of forms in the velocities
static bool collect(squares* s, expr e, expr weight, int depth)
{
  expr_pool* p = s->p;
  long k;
  const expr_kind kind = expr_kind_of(p, e);
  if (depth > MOST_DEPTH) return false;
  if (kind == EXPR_SUM) {
    for (int i = 0; i < expr_arg_count(p, e); i++)
      if (!collect(s, expr_arg(p, e, i), weight, depth + 1)) return false;
    return true;
  }
  if (kind == EXPR_PRODUCT) {
    expr with = EXPR_NONE;
    for (int i = 0; i < expr_arg_count(p, e); i++) {
      const expr arg = expr_arg(p, e, i);
      const bool moves = expr_has_any(p, arg, s->n, s->v);
      if (moves && with != EXPR_NONE) return false;
      if (moves)
        with = arg;
      else
        weight = expr_mul(p, weight, arg);
    }
    return with != EXPR_NONE && collect(s, with, weight, depth + 1);
  }
  return kind == EXPR_POWER && expr_is_int(p, expr_arg(p, e, 1), &k) && k == 2 &&
         !expr_has_any(p, weight, s->n, s->e->s->q) && add(s, expr_arg(p, e, 0), weight);
}

// X with dX/dt = the form; EXPR_NONE where it is none
static expr whole(const squares* s, expr form)
{
  expr_pool* p = s->p;
  expr w[GEOM_MOST];
  for (int a = 0; a < s->n; a++) {
    w[a] = expr_diff(p, form, s->v[a]);
    if (expr_has_any(p, w[a], s->n, s->v)) return EXPR_NONE;
  }
  return geom_line_integral(p, s->n, w, s->e->s->q);
}

// the one coordinate that x depends on, or -1
static int only(const geom_space* g, expr x)
{
  int at = -1;
  for (int a = 0; a < g->n; a++) {
    if (!expr_has(g->pool, x, g->q[a])) continue;
    if (at >= 0) return -1;
    at = a;
  }
  return at;
}

// curves of one coordinate made straight; returns how many functions are left
static int straighten(const geom_space* g, int N, expr* x)
{
  expr_pool* p = g->pool;
  for (int a = 0; a < g->n; a++) {
    const expr q = g->q[a];
    expr sum = expr_int(p, 0);
    int count = 0;
    for (int k = 0; k < N; k++) {
      if (only(g, x[k]) != a) continue;
      const expr d = expr_diff(p, x[k], q);
      sum = expr_add(p, sum, expr_mul(p, d, d));
      count++;
    }
    if (count < 2) continue;
    const expr speed = geom_root(p, expr_simplify(p, sum));
    const expr length = speed == EXPR_NONE ? EXPR_NONE : expr_integrate(p, speed, q);
    if (length == EXPR_NONE) continue;
    int left = 0;
    for (int k = 0; k < N; k++)
      if (only(g, x[k]) != a) x[left++] = x[k];
    x[left++] = length;
    N = left;
  }
  return N;
}

// functions that are multiples of one another made one; returns how many are left
static int merge(const geom_space* g, int N, expr* x)
{
  expr_pool* p = g->pool;
  const expr one = expr_int(p, 1);
  for (int k = 0; k < N; k++)
    for (int l = k + 1; l < N;) {
      const expr c =
          expr_size(p, 1, &x[l]) < 200 ? expr_simplify(p, expr_div(p, x[l], x[k])) : x[l];
      const bool same = c != EXPR_NONE && !expr_has_any(p, c, g->n, g->q);
      const expr root = same ? geom_root(p, expr_add(p, one, expr_mul(p, c, c))) : EXPR_NONE;
      if (root == EXPR_NONE) {
        l++;
        continue;
      }
      x[k] = expr_mul(p, root, x[k]);
      x[l] = x[--N];
    }
  return N;
}

// x from the squares that T is written with; 0 where it is not
static int from_squares(geom_embedding* e, expr* x)
{
  const geom_space* g = e->s;
  squares* s = base_alloc(sizeof *s);
  *s = (squares){.e = e, .p = g->pool, .n = e->n, .v = geom_take(e->arena, e->n, sizeof(expr))};
  for (int a = 0; a < e->n; a++) s->v[a] = g->m->coord[g->coord[a]].v;
  int N = 0;
  bool fine = collect(s, geom_hold_params(g->m, g->m->T), expr_int(s->p, 2), 0);
  for (int k = 0; k < s->count && fine; k++) {
    const expr X = whole(s, s->form[k]);
    const expr root = X == EXPR_NONE ? X : geom_root(s->p, s->weight[k]);
    fine = root != EXPR_NONE;
    if (fine && expr_has_any(s->p, X, e->n, g->q)) x[N++] = expr_mul(s->p, root, X);
  }
  free(s);
  return fine ? N : 0;
}

// curves made straight, the metric proved
static bool accept(geom_embedding* e, int N, expr* x)
{
  const geom_space* g = e->s;
  const int n = e->n;
  if (N == 0) return false;
  N = straighten(g, merge(g, N, x), x);
  return N >= n && !expr_pool_full(g->pool) && geom_has_metric(g->pool, n, g->q, g->g, N, x) &&
         geom_embedding_formula(e, N, x,
                                N == n       ? "canonical coordinates"
                                : N == n + 1 ? (n == 2 ? "a surface" : "a hypersurface")
                                             : "a submanifold");
}

bool geom_natural_find(geom_embedding* e)
{
  const geom_space* g = e->s;
  if (g->gone > 0 || g->rest > 0 || g->moving || e->n > GEOM_MOST) return false;
  // a part of a space has a metric that is not that of T
  if (g->n < g->m->coords) return false;
  expr x[GEOM_SQUARES];
  if (accept(e, from_squares(e, x), x)) return true;
  return e->n <= MOST_MASSES && accept(e, geom_masses_places(g, x), x);
}
