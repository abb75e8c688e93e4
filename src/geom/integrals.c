// What a motion keeps, as linear differential equations near a point: symmetries, integrals linear
// and quadratic in the velocities, an invariant measure.
//
// With xi' = Z u, u_c' = -Gamma_cab u_a u_b + B_ca u_a + G_c (jets.h) the rate of a polynomial in u
// is one, too, and has to vanish term by term. Z_a f stands for sum_i Z_ia df/dxi_i.
#include "geom/integrals.h"

#include <stdlib.h>
#include <string.h>

int geom_integrals_pair(int l, int a, int b)
{
  if (a > b) return geom_integrals_pair(l, b, a);
  return a * l - a * (a - 1) / 2 + b - a;
}

static int pair(int l, int a, int b)
{
  return geom_integrals_pair(l, a, b);
}

static void add(geom_pde* p, int equation, int f, int i, double factor, const double* c)
{
  double* to = geom_pde_at(p, equation, f, i);
  for (int k = 0; k < p->t->count; k++) to[k] += factor * c[k];
}

// factor * Z_a w_f
static void add_along(geom_pde* p, const geom_local* x, int equation, int f, int a, double factor)
{
  for (int i = 0; i < x->n; i++) add(p, equation, f, i, factor, x->Z + (i * x->l + a) * x->t.count);
}

static const double* gamma_of(const geom_local* x, int c, int a, int b)
{
  return x->Gamma + ((c * x->l + a) * x->l + b) * x->t.count;
}

static const double* B_of(const geom_local* x, int c, int a)
{
  return x->B + (c * x->l + a) * x->t.count;
}

// ---- integrals ----------------------------------------------------------------------------------

// Functions of positions alone: Z_a w = 0. Constants, and what constraints of velocities hide.
geom_pde geom_integrals_positions(const geom_local* x)
{
  geom_pde p = geom_pde_make(&x->t, 1, x->l);
  for (int a = 0; a < x->l; a++) add_along(&p, x, a, 0, a, 1);
  return p;
}

// the rate of sum c_a u_a + U: unknowns first + a and U, equations for u_a u_b, u_a, 1
static void linear_rates(geom_pde* p, const geom_local* x, int first, int U, int squares, int ones,
                         int none)
{
  const int l = x->l;
  for (int a = 0; a < l; a++)
    for (int b = 0; b < l; b++) {
      add_along(p, x, squares + pair(l, a, b), first + a, b, 1);
      for (int c = 0; c < l; c++)
        add(p, squares + pair(l, a, b), first + c, -1, -1, gamma_of(x, c, a, b));
      add(p, ones + a, first + b, -1, 1, B_of(x, b, a));
    }
  for (int c = 0; c < l; c++) add(p, none, first + c, -1, 1, x->G + c * x->t.count);
  for (int a = 0; a < l && U >= 0; a++) add_along(p, x, ones + a, U, a, 1);
}

// sum c_a u_a, and + U where forces depend on velocities
geom_pde geom_integrals_linear(const geom_local* x)
{
  const int l = x->l, squares = l * (l + 1) / 2;
  geom_pde p = geom_pde_make(&x->t, l + x->speedy, squares + l + 1);
  linear_rates(&p, x, 0, x->speedy ? l : -1, 0, squares, squares + l);
  return p;
}

// numbers of u_a u_b u_c, a <= b <= c
static int* triples(const geom_local* x, int* count)
{
  const int l = x->l;
  int* of = base_arena_take(x->arena, sizeof(int) * (size_t)(l * l * l + 1));
  *count = 0;
  for (int a = 0; a < l; a++)
    for (int b = a; b < l; b++)
      for (int c = b; c < l; c++) {
        const int at[6][3] = {{a, b, c}, {a, c, b}, {b, a, c}, {b, c, a}, {c, a, b}, {c, b, a}};
        for (int k = 0; k < 6; k++) of[(at[k][0] * l + at[k][1]) * l + at[k][2]] = *count;
        ++*count;
      }
  return of;
}

// sum K_ab u_a u_b + U, and + sum c_a u_a where forces depend on velocities
geom_pde geom_integrals_quadratic(const geom_local* x)
{
  const int l = x->l, pairs = l * (l + 1) / 2, N = x->t.count;
  int cubes;
  const int* cube = triples(x, &cubes);
  geom_pde p = geom_pde_make(&x->t, pairs + 1 + (x->speedy ? l : 0),
                             cubes + l + (x->speedy ? pairs + 1 : 0));
  for (int a = 0; a < l; a++)
    for (int b = 0; b < l; b++)
      for (int c = 0; c < l; c++) {
        const int at = cube[(a * l + b) * l + c];
        add_along(&p, x, at, pair(l, a, b), c, 1);
        for (int m = 0; m < l; m++) add(&p, at, pair(l, m, a), -1, -2, gamma_of(x, m, b, c));
        if (x->speedy) add(&p, cubes + l + pair(l, a, b), pair(l, c, a), -1, 2, B_of(x, c, b));
      }
  for (int a = 0; a < l; a++) {
    add_along(&p, x, cubes + a, pairs, a, 1);
    for (int m = 0; m < l; m++) add(&p, cubes + a, pair(l, m, a), -1, 2, x->G + m * N);
  }
  if (x->speedy) linear_rates(&p, x, pairs + 1, -1, cubes + l, cubes, cubes + l + pairs);
  return p;
}

// ---- the measure --------------------------------------------------------------------------------

// A density exp(s(xi)) of dxi du: the divergence of the flow along it vanishes,
//   Z_a s + k (div Z_a - sum_c (Gamma_cca + Gamma_cac)) = 0,  k sum_c B_cc = 0
// with k = 1; k is made an unknown constant, so that the equations are homogeneous.
geom_pde geom_integrals_measure(const geom_local* x)
{
  const geom_taylor* t = &x->t;
  const int l = x->l, n = x->n, N = t->count;
  geom_pde p = geom_pde_make(t, 2, l + n + 1);
  double *d = base_alloc(sizeof(double) * (size_t)N), *one = base_alloc(sizeof(double) * (size_t)N);
  one[0] = 1;
  for (int a = 0; a < l; a++) {
    add_along(&p, x, a, 0, a, 1);
    for (int i = 0; i < n; i++) {
      geom_taylor_diff(t, t->degree, x->Z + (i * l + a) * N, i, d);
      add(&p, a, 1, -1, 1, d);
    }
    for (int c = 0; c < l; c++) {
      add(&p, a, 1, -1, -1, gamma_of(x, c, c, a));
      add(&p, a, 1, -1, -1, gamma_of(x, c, a, c));
    }
    add(&p, l + n, 1, -1, 1, B_of(x, a, a));
  }
  for (int i = 0; i < n; i++) add(&p, l + i, 1, i, 1, one);
  free(d);
  free(one);
  return p;
}

// ---- symmetries ---------------------------------------------------------------------------------

// the Lie derivative of a tensor with one or two lower indices along X vanishes: from `first` on
static void keep_tensor(geom_pde* p, const geom_local* x, int first, bool two, const double* T)
{
  const geom_taylor* t = &x->t;
  const int n = x->n, N = t->count, columns = two ? n : 1;
  double* d = base_alloc(sizeof(double) * (size_t)N);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < columns; j++) {
      const int at = first + i * columns + j;
      for (int k = 0; k < n; k++) {
        geom_taylor_diff(t, t->degree, T + (i * columns + j) * N, k, d);
        add(p, at, k, -1, 1, d);
        add(p, at, k, i, 1, T + (k * columns + j) * N);
        if (two) add(p, at, k, j, 1, T + (i * columns + k) * N);
      }
    }
  free(d);
}

// [X, Z_a] stays among the admissible velocities: with Z = (1, Y) for each row r of Y
//   X Y_ra - Z_a X_r + sum_b Y_rb Z_a X_b = 0
static void keep_constraints(geom_pde* p, const geom_local* x, int first)
{
  const geom_taylor* t = &x->t;
  const int n = x->n, l = x->l, N = t->count;
  double* d = base_alloc(sizeof(double) * (size_t)N);
  for (int r = l; r < n; r++)
    for (int a = 0; a < l; a++) {
      const int at = first + (r - l) * l + a;
      for (int k = 0; k < n; k++) {
        geom_taylor_diff(t, t->degree, x->Z + (r * l + a) * N, k, d);
        add(p, at, k, -1, 1, d);
      }
      add_along(p, x, at, r, a, -1);
      for (int b = 0; b < l; b++)
        for (int i = 0; i < n; i++) {
          memset(d, 0, sizeof(double) * (size_t)N);
          geom_taylor_multiply(t, t->degree, x->Z + (r * l + b) * N, x->Z + (i * l + a) * N, d);
          add(p, at, b, i, 1, d);
        }
    }
  free(d);
}

// Killing vectors X of the kinetic energy along which potential, forces and constraints stay
geom_pde geom_integrals_symmetries(const geom_local* x)
{
  const geom_taylor* t = &x->t;
  const int n = x->n, l = x->l, N = t->count;
  geom_pde p = geom_pde_make(t, n, 2 * n * n + n + 1 + (n - l) * l);
  int at = 0;
  keep_tensor(&p, x, at, true, x->g);
  at += n * n;
  if (x->speedy) keep_tensor(&p, x, at, true, x->F);
  at += n * n;
  if (!x->kept) keep_tensor(&p, x, at, false, x->R);
  at += n;
  double* d = base_alloc(sizeof(double) * (size_t)N);
  for (int k = 0; k < n; k++) {
    geom_taylor_diff(t, t->degree, x->V, k, d);
    add(&p, at, k, -1, 1, d);
  }
  free(d);
  keep_constraints(&p, x, at + 1);
  return p;
}
