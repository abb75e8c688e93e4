// Symmetries, integrals and measures of a system: counted near a random point, once more near
// another.
#include "geom/closed.h"
#include "geom/integrals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// how many coordinates there are is seen at the first one
enum {
  FIRST_DEGREE = 2,
  MOST_DEGREE = 10,
  LEAST_DEGREE = 5,
  MOST_MONOMIALS = 1300,
  MOST_TWICE = 3
};
static const double trace_of = 1e-10; // relative: a divergence that is none

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
                      .dimension = j->broken_off ? -1 : j->dimension - less,
                      .kept = j->broken_off ? INFINITY : j->kept,
                      .dropped = j->dropped};
}

// S = Z^T g Z, the kinetic energy in u
static void energy_of(const geom_local* x, int a, int b, double* out)
{
  const geom_taylor* t = &x->t;
  const int n = x->n, l = x->l, N = t->count;
  double* half = base_alloc(sizeof(double) * (size_t)N);
  memset(out, 0, sizeof(double) * (size_t)N);
  for (int i = 0; i < n; i++) {
    memset(half, 0, sizeof(double) * (size_t)N);
    for (int j = 0; j < n; j++)
      geom_taylor_multiply(t, t->degree, x->g + (i * n + j) * N, x->Z + (j * l + b) * N, half);
    geom_taylor_multiply(t, t->degree, x->Z + (i * l + a) * N, half, out);
  }
  free(half);
}

// The dimension of products of two linear integrals, by K_ab up to the order of the quadratic ones;
// with the kinetic energy beside them
static int count_products(const geom_local* x, const geom_jets* linear, int order, bool energy)
{
  const geom_taylor* t = &x->t;
  const int l = x->l, k = linear->size, N = t->count, part = t->first[order + 1];
  const int pairs = l * (l + 1) / 2, products = k * (k + 1) / 2 + energy;
  if (products == 0) return 0;
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
          for (int m = 0; m < part; m++)
            A[(size_t)(row * part + m) * (size_t)products + (size_t)at] = c[m];
        }
  for (int f = 0, row = 0; f < l && energy; f++)
    for (int h = f; h < l; h++, row++) {
      energy_of(x, f, h, c);
      for (int m = 0; m < part; m++)
        A[(size_t)(row * part + m) * (size_t)products + (size_t)(products - 1)] = c[m];
    }
  const int rank = geom_jets_rank(pairs * part, products, A);
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
    memcpy(A + (size_t)(f * part) * (size_t)j->size,
           j->P + (size_t)(f * t->count) * (size_t)j->size,
           sizeof(double) * (size_t)(part * j->size));
  const int rank = geom_jets_rank(pairs * part, j->size, A);
  free(A);
  return rank;
}

// ---- the measure --------------------------------------------------------------------------------

static double size_of(int count, const double* a)
{
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(a[i]));
  return most;
}

// Where only the kinetic energy acts, the density of any smooth measure is one of positions at
// rest: in the terms of first degree in u of its equation nothing else stands. With a potential
// these terms hold more, and no density of positions alone is no proof (Fedorov, Garcia-Naranjo,
// Marrero 2015). At an equilibrium the divergence has to vanish, whatever the density.
static void judge_measure(geom_structure* r, const geom_local* x, const geom_jets* j)
{
  double trace = 0;
  for (int c = 0; c < x->l; c++) trace += x->B[(c * x->l + c) * x->t.count];
  const bool moved = size_of(x->l * x->t.count, x->G) > 0;
  const double speeds = size_of(x->l * x->l * x->t.count, x->B);
  if (!j->settled) {
    r->measure = EXPR_UNKNOWN;
    r->measure_why = "the equations of its density were not followed far enough";
  } else if (j->dimension == 2 + r->hidden) {
    r->measure = EXPR_YES;
    r->measure_why = r->holonomic ? "volume in positions and momenta (Liouville)"
                                  : "its density is a function of positions";
  } else if (fabs(trace) > trace_of * speeds) {
    r->measure = EXPR_NO;
    r->measure_why = "forces that depend on velocities change volumes where it rests";
  } else if (!moved) {
    r->measure = EXPR_NO;
    r->measure_why =
        "no density fits, and without a potential any would be a function of positions";
  } else {
    r->measure = EXPR_UNKNOWN;
    r->measure_why = "no density that is a function of positions alone fits";
  }
}

// ---- all of it ----------------------------------------------------------------------------------

static geom_jets solve(geom_pde p, base_arena* arena)
{
  return geom_pde_solve(&p, arena);
}

// those that symmetries keep, or where not all are known, shifts
static void count_kept(geom_structure* r, const geom_local* x, const geom_jets* symmetries,
                       const geom_jets* linear, const geom_jets* quadratic)
{
  const int count = geom_invariant_count(x, symmetries, linear, false);
  const int squares = geom_invariant_count(x, symmetries, quadratic, true);
  // constants are kept, and no integrals
  r->linear_kept = count < 0 ? -1 : count - x->speedy;
  r->quadratic_kept = squares < 0 || x->speedy ? -1 : squares - 1;
  // products and the energy may be all that the bound leaves room for
  const bool reached = r->quadratic.dimension == r->products + r->energy_apart;
  const bool open = !quadratic->settled && !(linear->settled && reached);
  if (linear->settled && !open) return;
  base_arena* arena = base_arena_new();
  const geom_jets shifts = geom_invariant_shifts(x, arena);
  r->shifts = shifts.settled ? shifts.size : 0;
  if (r->shifts && !linear->settled) {
    const geom_pde all = geom_integrals_linear(x);
    const geom_jets j = solve(geom_invariant_under(x, &shifts, &all), arena);
    r->linear_shifted = count_of(&j, x->speedy);
  }
  if (r->shifts && open && !x->speedy) {
    const geom_pde all = geom_integrals_quadratic(x);
    const geom_jets j = solve(geom_invariant_under(x, &shifts, &all), arena);
    r->quadratic_shifted = count_of(&j, 1);
  }
  base_arena_free(arena);
}

static void look(geom_structure* r, const geom_local* x)
{
  base_arena* arena = base_arena_new();
  geom_jets j = solve(geom_integrals_positions(x), arena);
  r->hidden = j.slopes - 1;
  r->n = x->n;
  r->l = x->l;
  r->holonomic = x->n - r->hidden == x->l;
  r->kept = x->kept;
  r->speedy = x->speedy;
  j = solve(geom_integrals_measure(x), arena);
  judge_measure(r, x, &j);
  const geom_jets symmetries = solve(geom_integrals_symmetries(x), arena);
  r->symmetries = count_of(&symmetries, 0);
  const geom_jets linear = solve(geom_integrals_linear(x), arena);
  r->linear = count_of(&linear, x->speedy);
  j = solve(geom_integrals_quadratic(x), arena);
  r->quadratic = count_of(&j, 1);
  if (j.settled && x->speedy) r->quadratic.dimension = count_squares(x, &j);
  if (linear.settled) {
    const int order = j.order > linear.order ? j.order : linear.order + 1;
    r->products = count_products(x, &linear, order, false);
    r->energy_apart = count_products(x, &linear, order, true) > r->products;
  }
  count_kept(r, x, &symmetries, &linear, &j);
  // what is no more than a bound is known where products reach it
  r->quadratic.sure = r->quadratic.sure || r->products == r->quadratic.dimension;
  base_arena_free(arena);
  if (r->hidden) r->unsuited = "its constraints of velocities hide constraints of positions";
}

// the same near another point
static void agree(geom_count* a, const geom_count* b)
{
  a->sure = a->sure && b->sure && a->dimension == b->dimension;
  if (b->dimension < a->dimension) a->dimension = b->dimension;
  a->kept = fmin(a->kept, b->kept);
  a->dropped = fmax(a->dropped, b->dropped);
}

static bool look_near(geom_structure* r, int n, const expr* symbols, const double* values,
                      int degree, int number)
{
  geom_local* x = geom_local_make(r->s, n, symbols, values, degree, number, &r->unsuited);
  if (x) look(r, x);
  geom_local_free(x);
  return x != NULL;
}

geom_structure* geom_structure_find(mech_system* s, int n, const expr* symbols,
                                    const double* values)
{
  geom_structure* r = base_alloc(sizeof *r);
  *r = (geom_structure){.arena = base_arena_new(), .s = s};
  geom_local* x = geom_local_make(s, n, symbols, values, FIRST_DEGREE, 0, &r->unsuited);
  const int degree = x ? degree_for(x->n) : 0;
  geom_local_free(x);
  if (!x || !look_near(r, n, symbols, values, degree, 0)) return r;
  geom_structure again = {.s = s};
  if (r->n <= MOST_TWICE && look_near(&again, n, symbols, values, degree, 1)) {
    agree(&r->symmetries, &again.symmetries);
    agree(&r->linear, &again.linear);
    agree(&r->quadratic, &again.quadratic);
    if (r->linear_kept != again.linear_kept) r->linear_kept = -1;
    if (r->quadratic_kept != again.quadratic_kept) r->quadratic_kept = -1;
    if (r->measure != again.measure) r->measure = EXPR_UNKNOWN;
  }
  if (!r->unsuited) geom_closed_find(r, n, symbols, values);
  return r;
}

void geom_structure_free(geom_structure* r)
{
  if (!r) return;
  base_arena_free(r->arena);
  free(r);
}
