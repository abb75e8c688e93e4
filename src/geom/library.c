// Functions from which coefficients of integrals are made up: products of functions of single
// coordinates, those that the kinetic energy, the potential and the constraints suggest.
#include "geom/ansatz.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_OF_ONE = 8 };

typedef struct single
{
  int count;
  expr f[MOST_OF_ONE];
  int degree[MOST_OF_ONE];
} single;

// does q stand inside a sine or a cosine, and elsewhere?
typedef struct use
{
  bool angle, plain;
} use;

static void look(const expr_pool* p, expr e, expr q, bool inside, int depth, use* u)
{
  if (depth > 60 || (u->angle && u->plain) || !expr_has(p, e, q)) return;
  if (e == q) {
    *(inside ? &u->angle : &u->plain) = true;
    return;
  }
  const expr_kind kind = expr_kind_of(p, e);
  if (kind == EXPR_CALL) {
    const expr_fn f = expr_fn_of(p, e);
    inside = inside || f == EXPR_SIN || f == EXPR_COS || f == EXPR_TAN;
  }
  for (int i = 0; i < expr_arg_count(p, e); i++)
    look(p, expr_arg(p, e, i), q, inside, depth + 1, u);
}

static void add(single* x, expr f, int degree)
{
  x->f[x->count] = f;
  x->degree[x->count++] = degree;
}

static single functions_of(expr_pool* p, expr q, use u, bool in_metric)
{
  single x = {0};
  const bool absent = !u.angle && !u.plain;
  if (u.plain || absent) {
    add(&x, q, 1);
    add(&x, expr_pow(p, q, expr_int(p, 2)), 2);
  }
  if (u.plain && in_metric) {
    add(&x, expr_pow(p, q, expr_int(p, -1)), 1);
    add(&x, expr_pow(p, q, expr_int(p, -2)), 2);
  }
  if (u.angle || absent) {
    const expr s = expr_fn1(p, EXPR_SIN, q), c = expr_fn1(p, EXPR_COS, q);
    add(&x, s, 1);
    add(&x, c, 1);
    if (u.angle) {
      add(&x, expr_mul(p, s, s), 2);
      add(&x, expr_mul(p, s, c), 2);
    }
    if (u.angle && in_metric) {
      add(&x, expr_pow(p, s, expr_int(p, -1)), 1);
      add(&x, expr_div(p, c, s), 1);
    }
  }
  return x;
}

static void multiply(geom_library* l, expr_pool* p, const single* of, int from, expr so_far,
                     int left, int spent, int most)
{
  for (int i = from; i < l->n; i++)
    for (int k = 0; k < of[i].count; k++) {
      if (of[i].degree[k] > left || l->count >= most) continue;
      const expr f = expr_mul(p, so_far, of[i].f[k]);
      l->f[l->count] = f;
      l->degree[l->count++] = spent + of[i].degree[k];
      multiply(l, p, of, i + 1, f, left - of[i].degree[k], spent + of[i].degree[k], most);
    }
}

geom_library geom_library_make(const mech_system* s, int degree, int most, base_arena* arena)
{
  const int n = s->n;
  expr_pool* p = s->pool;
  geom_library l = {.n = n};
  single* of = base_alloc(sizeof(single) * (size_t)(n + 1));
  for (int i = 0; i < n; i++) {
    use metric = {0}, all;
    for (int k = 0; k < n * n; k++) look(p, s->M[k], s->q[i], false, 0, &metric);
    all = metric;
    look(p, s->H, s->q[i], false, 0, &all);
    for (int k = 0; k < s->m * n; k++) look(p, s->A[k], s->q[i], false, 0, &all);
    of[i] = functions_of(p, s->q[i], all, metric.angle || metric.plain);
  }
  l.f = base_arena_take(arena, sizeof(expr) * (size_t)(most + 1));
  l.degree = base_arena_take(arena, sizeof(int) * (size_t)(most + 1));
  l.f[l.count++] = expr_int(p, 1);
  // by degrees, so that simple ones come first
  for (int d = 1; d <= degree; d++) {
    const int before = l.count;
    multiply(&l, p, of, 0, expr_int(p, 1), d, 0, most);
    int kept = before;
    for (int i = before; i < l.count; i++)
      if (l.degree[i] == d) {
        l.f[kept] = l.f[i];
        l.degree[kept++] = d;
      }
    l.count = kept;
  }
  free(of);
  l.slope = base_arena_take(arena, sizeof(expr) * (size_t)(l.count * n + 1));
  for (int i = 0; i < l.count; i++) expr_gradient(p, l.f[i], n, s->q, l.slope + i * n);
  return l;
}
