// Symmetries, integrals and measures of a system: counted near a random point, once more near
// another.
#include "geom/integrals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEGREE = 10, LEAST_DEGREE = 5, MOST_MONOMIALS = 1300, POINTS = 2 };

static int degree_for(int n)
{
  int degree = LEAST_DEGREE;
  double count = 1;
  for (int k = 1; k <= LEAST_DEGREE; k++) count = count * (n + k) / k;
  for (int k = LEAST_DEGREE + 1; k <= MOST_DEGREE; k++) {
    count = count * (n + k) / k;
    if (count <= MOST_MONOMIALS) degree = k;
  }
  return degree;
}

static geom_count count_of(const geom_jets* j, int less)
{
  return (geom_count){.sure = j->settled,
                      .dimension = j->dimension - less,
                      .kept = j->kept,
                      .dropped = j->dropped};
}

// K_ab of the product of two linear integrals up to the order of the quadratic ones
static int count_products(const geom_local* x, const geom_jets* linear, int order)
{
  const geom_taylor* t = &x->t;
  const int l = x->l, k = linear->size, N = t->count, part = t->first[order + 1];
  const int pairs = l * (l + 1) / 2, products = k * (k + 1) / 2;
  if (k == 0) return 0;
  double *A = base_alloc(sizeof(double) * ((size_t)(pairs * part * products) + 1)),
         *a = base_alloc(sizeof(double) * (size_t)(3 * N)), *b = a + N, *c = b + N;
  for (int i = 0, at = 0; i < k; i++)
    for (int j = i; j < k; j++, at++)
      for (int f = 0, row = 0; f < l; f++)
        for (int h = f; h < l; h++, row++) {
          memset(c, 0, sizeof(double) * (size_t)N);
          for (int side = 0; side < 2; side++) {
            for (int m = 0; m < N; m++) {
              a[m] = linear->P[(size_t)(f * N + m) * (size_t)k + (size_t)(side ? j : i)];
              b[m] = linear->P[(size_t)(h * N + m) * (size_t)k + (size_t)(side ? i : j)];
            }
            geom_taylor_multiply(t, order, a, b, c);
          }
          for (int m = 0; m < part; m++) A[(size_t)(row * part + m) * (size_t)products + (size_t)at] = c[m];
        }
  const int rank = geom_jets_rank(pairs * part, products, A, NULL);
  free(A);
  free(a);
  return rank;
}

// of quadratic integrals those with a part that is quadratic: K_ab up to the order that tells
static int count_squares(const geom_local* x, const geom_jets* j)
{
  const geom_taylor* t = &x->t;
  const int pairs = x->l * (x->l + 1) / 2, part = t->first[j->order + 1];
  double* A = base_alloc(sizeof(double) * ((size_t)(pairs * part * j->size) + 1));
  for (int f = 0; f < pairs; f++)
    memcpy(A + (size_t)(f * part) * (size_t)j->size, j->P + (size_t)(f * t->count) * (size_t)j->size,
           sizeof(double) * (size_t)(part * j->size));
  const int rank = geom_jets_rank(pairs * part, j->size, A, NULL);
  free(A);
  return rank;
}

static void measure(geom_structure* r, const geom_local* x, base_arena* arena)
{
  const geom_pde p = geom_integrals_measure(x);
  const geom_jets j = geom_pde_solve(&p, arena);
  r->measure = !j.settled ? EXPR_UNKNOWN : j.dimension == 2 + r->hidden ? EXPR_YES : EXPR_NO;
}

static void look(geom_structure* r, const geom_local* x)
{
  base_arena* arena = base_arena_new();
  geom_pde p = geom_integrals_positions(x);
  geom_jets j = geom_pde_solve(&p, arena);
  r->hidden = j.dimension - 1;
  r->n = x->n;
  r->l = x->l;
  r->holonomic = x->n == x->l;
  r->kept = x->kept;
  r->speedy = x->speedy;
  p = geom_integrals_symmetries(x);
  j = geom_pde_solve(&p, arena);
  r->symmetries = count_of(&j, 0);
  p = geom_integrals_linear(x);
  const geom_jets linear = geom_pde_solve(&p, arena);
  r->linear = count_of(&linear, x->speedy);
  p = geom_integrals_quadratic(x);
  j = geom_pde_solve(&p, arena);
  r->quadratic = count_of(&j, 1);
  if (j.settled && x->speedy) r->quadratic.dimension = count_squares(x, &j);
  r->products = count_products(x, &linear, j.order);
  measure(r, x, arena);
  base_arena_free(arena);
}

geom_structure* geom_structure_find(mech_system* s, int n, const expr* symbols,
                                    const double* values)
{
  geom_structure* r = base_alloc(sizeof *r);
  *r = (geom_structure){.arena = base_arena_new(), .s = s};
  geom_local* x = geom_local_make(s, n, symbols, values, LEAST_DEGREE, 0, &r->unsuited);
  const int degree = x ? degree_for(x->n) : 0;
  geom_local_free(x);
  x = x ? geom_local_make(s, n, symbols, values, degree, 0, &r->unsuited) : NULL;
  if (x) look(r, x);
  geom_local_free(x);
  return r;
}

void geom_structure_free(geom_structure* r)
{
  if (!r) return;
  base_arena_free(r->arena);
  free(r);
}
