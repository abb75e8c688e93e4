// Which integrals the symmetries of a system keep: those of the reduced system.
//
// Along a symmetry X an integral F goes over into another one, with the rate
//   X F = sum_b u_b (X c_b + sum_a c_a Z_b X_a)   for F = sum c_a u_a,
// as u_a = xi_a' for the first l coordinates; a function of positions has the rate X U, and K_ab
// that of a form with two indices. An integral is known by its derivatives up to some order, and so
// is its rate: those that all X keep are a null space. Where the space of all integrals is not
// known, those that shifts keep are counted alone: of a symmetry whose field is constant the
// equation X w = 0 is exact.
#include "geom/integrals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// component f of solution j
static void component(const geom_jets* of, int N, int f, int j, double* out)
{
  for (int m = 0; m < N; m++) out[m] = of->P[(size_t)(f * N + m) * (size_t)of->size + (size_t)j];
}

// derivatives up to this order tell solutions from each other, all that is found there being such?
static bool tells(const geom_taylor* t, const geom_jets* j, int unknowns, int order)
{
  if (!j->settled || order + 1 > j->degree) return false;
  const int part = t->first[order + 1];
  double* A = base_alloc(sizeof(double) * ((size_t)(unknowns * part * j->size) + 1));
  for (int f = 0; f < unknowns; f++)
    memcpy(A + (size_t)(f * part) * (size_t)j->size,
           j->P + (size_t)(f * t->count) * (size_t)j->size,
           sizeof(double) * (size_t)(part * j->size));
  const int rank = geom_jets_rank(unknowns * part, j->size, A);
  free(A);
  return rank == j->dimension;
}

// one symmetry: its field, and Z_b X_a for the first l components
typedef struct field
{
  const geom_local* x;
  int order;
  double *X, *D; // n; l by l
  double* work;
} field;

static void take_field(field* w, const geom_jets* symmetries, int s)
{
  const geom_local* x = w->x;
  const geom_taylor* t = &x->t;
  const int n = x->n, l = x->l, N = t->count;
  for (int i = 0; i < n; i++) component(symmetries, N, i, s, w->X + i * N);
  memset(w->D, 0, sizeof(double) * (size_t)(l * l * N));
  for (int a = 0; a < l; a++)
    for (int i = 0; i < n; i++) {
      geom_taylor_diff(t, t->degree, w->X + a * N, i, w->work);
      for (int b = 0; b < l; b++)
        geom_taylor_multiply(t, w->order, x->Z + (i * l + b) * N, w->work, w->D + (a * l + b) * N);
    }
}

// out += X f
static void add_rate(const field* w, const double* f, double* out)
{
  const geom_taylor* t = &w->x->t;
  for (int i = 0; i < w->x->n; i++) {
    geom_taylor_diff(t, t->degree, f, i, w->work);
    geom_taylor_multiply(t, w->order, w->X + i * t->count, w->work, out);
  }
}

// out += sum_a c_a Z_b X_a, c_a the components of[a]
static void add_turn(const field* w, double* const* of, int b, double* out)
{
  const int l = w->x->l, N = w->x->t.count;
  for (int a = 0; a < l; a++)
    geom_taylor_multiply(&w->x->t, w->order, of[a], w->D + (a * l + b) * N, out);
}

// the rates of all components of an integral, quadratic or linear, as they stand in its unknowns
static void rates(const field* w, bool quadratic, double* const* F, double* out)
{
  const int l = w->x->l, N = w->x->t.count, pairs = quadratic ? l * (l + 1) / 2 : 0;
  const int U = quadratic ? pairs : l, linear = quadratic ? pairs + 1 : 0;
  double** row = base_alloc(sizeof(double*) * (size_t)(l + 1));
  for (int b = 0; b < l && quadratic; b++) {
    for (int a = 0; a < l; a++) row[a] = F[geom_integrals_pair(l, a, b)];
    // K_ab + K_ba of the sum over both
    for (int c = 0; c < l; c++) add_turn(w, row, c, out + geom_integrals_pair(l, b, c) * N);
    add_turn(w, row, b, out + geom_integrals_pair(l, b, b) * N);
  }
  for (int f = 0; f < pairs; f++) add_rate(w, F[f], out + f * N);
  if (quadratic || w->x->speedy) add_rate(w, F[U], out + U * N);
  for (int b = 0; b < l && (!quadratic || w->x->speedy); b++) {
    add_rate(w, F[linear + b], out + (linear + b) * N);
    add_turn(w, F + linear, b, out + (linear + b) * N);
  }
  free(row);
}

int geom_invariant_count(const geom_local* x, const geom_jets* symmetries, const geom_jets* of,
                         bool quadratic)
{
  const int l = x->l, n = x->n, N = x->t.count;
  const int unknowns = quadratic ? l * (l + 1) / 2 + 1 + (x->speedy ? l : 0) : l + x->speedy;
  const int order = of->order > symmetries->order ? of->order : symmetries->order;
  if (of->broken_off || !tells(&x->t, of, unknowns, order + 1)) return -1;
  if (!tells(&x->t, symmetries, n, order + 1)) return -1;
  const int part = x->t.first[order + 1], rows = symmetries->size * unknowns * part;
  base_arena* arena = base_arena_new();
  field w = {.x = x, .order = order};
  w.X = base_arena_take(arena, sizeof(double) * (size_t)((n + l * l + 2 * unknowns + 1) * N));
  w.D = w.X + n * N;
  w.work = w.D + l * l * N;
  double *to = w.work + N, *from = to + unknowns * N;
  double* A = base_arena_take(arena, sizeof(double) * ((size_t)rows * (size_t)of->size + 1));
  double** F = base_arena_take(arena, sizeof(double*) * (size_t)(unknowns + 1));
  for (int f = 0; f < unknowns; f++) F[f] = from + f * N;
  for (int s = 0; s < symmetries->size; s++) {
    take_field(&w, symmetries, s);
    for (int j = 0; j < of->size; j++) {
      for (int f = 0; f < unknowns; f++) component(of, N, f, j, F[f]);
      memset(to, 0, sizeof(double) * (size_t)(unknowns * N));
      rates(&w, quadratic, F, to);
      for (int f = 0; f < unknowns; f++)
        for (int m = 0; m < part; m++)
          A[(size_t)((s * unknowns + f) * part + m) * (size_t)of->size + (size_t)j] = to[f * N + m];
    }
  }
  double* Y = base_arena_take(arena, sizeof(double) * ((size_t)of->size * (size_t)of->size + 1));
  geom_jets gap = {.kept = INFINITY};
  const int left = geom_jets_null(rows, of->size, A, 1, Y, &gap);
  base_arena_free(arena);
  // what is not told by these derivatives is no integral, and has no rate
  return left - (of->size - of->dimension);
}

// ---- shifts -------------------------------------------------------------------------------------

// with room for further equations
static geom_pde widened(const geom_pde* p, int further)
{
  const size_t row = (size_t)(p->unknowns * (p->t->m + 1));
  geom_pde out = geom_pde_make(p->t, p->unknowns, p->equations + further);
  memcpy(out.c, p->c, sizeof(double*) * row * (size_t)p->equations);
  return out;
}

geom_jets geom_invariant_shifts(const geom_local* x, base_arena* arena)
{
  const int n = x->n;
  geom_pde all = geom_integrals_symmetries(x), p = widened(&all, n * n);
  for (int f = 0; f < n; f++)
    for (int i = 0; i < n; i++) *geom_pde_at(&p, all.equations + f * n + i, f, i) = 1;
  return geom_pde_solve(&p, arena);
}

geom_pde geom_invariant_under(const geom_local* x, const geom_jets* shifts, const geom_pde* of)
{
  const int N = x->t.count;
  geom_pde p = widened(of, shifts->size * of->unknowns);
  for (int s = 0; s < shifts->size; s++)
    for (int f = 0; f < of->unknowns; f++)
      for (int i = 0; i < x->n; i++)
        *geom_pde_at(&p, of->equations + s * of->unknowns + f, f, i) =
            shifts->P[(size_t)(i * N) * (size_t)shifts->size + (size_t)s];
  return p;
}
