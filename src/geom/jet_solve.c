// Solutions of linear differential equations of first order near a point, as Taylor polynomials.
//
// The equations' terms of degree e hold the unknown coefficients x of degree e + 1 with constant
// factors, L x, and lower ones, which are known up to the numbers p: L x + N p = 0. The left null
// space of L leaves conditions on p, the rest is solved for x, and what L does not tell adds to p.
// L falls apart into small blocks, each factored by its singular values.
//
// r(d, k): dimension of what polynomials of degree d that solve all terms up to degree d - 1 have
// as derivatives up to order k. Where r(d, k) = r(d, k + 1) derivatives of order k tell all others,
// and where that is the same for d and d + 1 nothing more follows from further differentiation: r
// is the dimension of the space of solutions (Cartan 1901, Kuranishi 1957; at generic points).
#include "geom/jets.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIZE = 1500, MOST_BLOCK = 1200 };
// rows^2 columns, summed over the blocks of a degree: some ten seconds
static const double most_work = 3e8;
// and of all degrees together, with all else that is done: operations, each no more than a product
// and a sum
static const double most_effort = 6e9;
static const double of_symbol = 1e-9; // relative rank of the blocks of L
static const double rounded = 1e-15;  // relative: coefficients of equations that are none

geom_pde geom_pde_make(const geom_taylor* t, int unknowns, int equations)
{
  geom_pde p = {.t = t, .unknowns = unknowns, .equations = equations};
  p.c =
      base_arena_take(t->arena, sizeof(double*) * (size_t)(unknowns * equations * (t->m + 1) + 1));
  return p;
}

double* geom_pde_at(geom_pde* p, int equation, int f, int i)
{
  double** c = &p->c[(equation * p->unknowns + f) * (p->t->m + 1) + 1 + i];
  if (!*c) *c = base_arena_take(p->t->arena, sizeof(double) * (size_t)p->t->count);
  return *c;
}

// ---- one degree ---------------------------------------------------------------------------------

// an entry of L
typedef struct entry
{
  int row, column;
  double value;
} entry;

typedef struct step
{
  const geom_pde* p;
  int e;                // degree of the equations' terms
  int monomials, fresh; // of degree e; of degree e + 1
  int rows, columns;    // of L
  BASE_LIST(entry) L;
  double* N;    // rows by size
  double* size; // of the terms that each row of N is made of
  geom_jets* j;
} step;

// the terms of the product c * (a derivative of w_f) in row's monomials: c's monomial a, the
// derivative's monomial b with a b of degree e
static void add_pair(step* w, int row, int f, int i, double c, int b)
{
  const geom_taylor* t = w->p->t;
  int at = b;
  if (i >= 0) {
    at = t->up[b * t->m + i];
    c *= t->power[at * t->m + i];
  }
  if (at >= t->first[w->e + 1]) {
    const entry x = {row, f * w->fresh + at - t->first[w->e + 1], c};
    base_push(&w->L, x);
    return;
  }
  const int size = w->j->size;
  const double* P = w->j->P + (size_t)(f * t->count + at) * (size_t)size;
  double* to = w->N + (size_t)row * (size_t)size;
  for (int k = 0; k < size; k++) to[k] += c * P[k];
  w->size[row] += fabs(c); // columns of P have length one, and its entries no more digits than that
}

static void add_term(step* w, int equation, int f, int i, const double* c)
{
  const geom_taylor* t = w->p->t;
  int* to = base_alloc(sizeof(int) * (size_t)(t->count + 1));
  for (int da = 0; da <= w->e; da++)
    for (int a = t->first[da]; a < t->first[da + 1]; a++) {
      if (c[a] == 0) continue;
      to[0] = a;
      for (int b = 1; b < t->first[w->e - da + 1]; b++)
        to[b] = t->up[to[t->parent[b]] * t->m + t->last[b]];
      for (int b = t->first[w->e - da]; b < t->first[w->e - da + 1]; b++)
        add_pair(w, equation * w->monomials + to[b] - t->first[w->e], f, i, c[a], b);
    }
  free(to);
}

static void fill(step* w)
{
  const geom_pde* p = w->p;
  const int width = p->t->m + 1;
  for (int k = 0; k < p->equations; k++)
    for (int f = 0; f < p->unknowns; f++)
      for (int i = -1; i < p->t->m; i++) {
        const double* c = p->c[(k * p->unknowns + f) * width + 1 + i];
        if (c) add_term(w, k, f, i, c);
      }
}

// ---- the blocks of L ----------------------------------------------------------------------------

static int root(int* up, int i)
{
  while (up[i] != i) i = up[i] = up[up[i]];
  return i;
}

// rows and columns of one block, in the order of their roots
typedef struct block
{
  int rows, columns;
  const int *row, *column;
} block;

typedef struct blocks
{
  int* up;           // rows, then columns
  int* order;        // nodes by root
  int count, *start; // in order
} blocks;

static blocks find_blocks(const step* w, base_arena* arena)
{
  const int nodes = w->rows + w->columns;
  blocks b = {.up = base_arena_take(arena, sizeof(int) * (size_t)(nodes + 1)),
              .order = base_arena_take(arena, sizeof(int) * (size_t)(nodes + 1)),
              .start = base_arena_take(arena, sizeof(int) * (size_t)(nodes + 2))};
  int* number = base_arena_take(arena, sizeof(int) * (size_t)(nodes + 1));
  for (int i = 0; i < nodes; i++) b.up[i] = i;
  for (int k = 0; k < w->L.n; k++) {
    const entry* x = &w->L.at[k];
    b.up[root(b.up, x->row)] = root(b.up, w->rows + x->column);
  }
  for (int i = 0; i < nodes; i++)
    if (root(b.up, i) == i) number[i] = b.count++;
  for (int i = 0; i < nodes; i++) b.start[number[root(b.up, i)] + 1]++;
  for (int k = 0; k < b.count; k++) b.start[k + 1] += b.start[k];
  int* at = base_arena_take(arena, sizeof(int) * (size_t)(b.count + 1));
  memcpy(at, b.start, sizeof(int) * (size_t)b.count);
  for (int i = 0; i < nodes; i++) b.order[at[number[root(b.up, i)]]++] = i;
  return b;
}

// What the blocks say: conditions C p = 0, x = X p + (kernel) p'
typedef struct solved
{
  int conditions;
  double *C, *C_size;
  double* X; // columns by size
  int kernel;
  BASE_LIST(entry) K; // column of L, number of the new unknown
} solved;

static void solve_block(const step* w, const block* b, const double* L, solved* out)
{
  const int m = b->rows, n = b->columns, size = w->j->size;
  double* U = base_alloc(sizeof(double) * (size_t)(m * (n + 1) + m * m + m + 1));
  double *W = U + m * (n + 1), *sigma = W + m * m, most = 0;
  for (int i = 0; i < m; i++) memcpy(U + i * (n + 1), L + i * n, sizeof(double) * (size_t)n);
  num_singular(m, n + 1, U, W, sigma);
  for (int i = 0; i < m; i++) most = fmax(most, sigma[i]);
  double* with = base_alloc(sizeof(double) * (size_t)(size + 1));
  for (int i = 0; i < m; i++) {
    memset(with, 0, sizeof(double) * (size_t)size);
    double terms = 0;
    for (int r = 0; r < m; r++) {
      const double c = W[i * m + r];
      const double* N = w->N + (size_t)b->row[r] * (size_t)size;
      for (int k = 0; k < size && c != 0; k++) with[k] += c * N[k];
      terms += fabs(c) * w->size[b->row[r]];
    }
    if (sigma[i] > of_symbol * most) {
      for (int c = 0; c < n; c++)
        for (int k = 0; k < size; k++)
          out->X[(size_t)b->column[c] * (size_t)size + (size_t)k] -=
              U[i * (n + 1) + c] / sigma[i] * with[k];
    } else if (terms > 0) {
      memcpy(out->C + (size_t)out->conditions * (size_t)size, with, sizeof(double) * (size_t)size);
      out->C_size[out->conditions++] = terms;
    }
  }
  free(with);
  free(U);
}

static void kernel_block(const block* b, const double* L, solved* out)
{
  const int m = b->rows, n = b->columns;
  double* U = base_alloc(sizeof(double) * (size_t)(n * (m + 1) + n * n + n + 1));
  double *W = U + n * (m + 1), *sigma = W + n * n, most = 0;
  for (int i = 0; i < m; i++)
    for (int c = 0; c < n; c++) U[c * (m + 1) + i] = L[i * n + c];
  num_singular(n, m + 1, U, W, sigma);
  for (int c = 0; c < n; c++) most = fmax(most, sigma[c]);
  for (int i = 0; i < n; i++) {
    if (sigma[i] > of_symbol * most) continue;
    for (int c = 0; c < n; c++) {
      const entry x = {b->column[c], out->kernel, W[i * n + c]};
      if (x.value != 0) base_push(&out->K, x);
    }
    out->kernel++;
  }
  free(U);
}

// false: a block is too large
static bool solve_blocks(const step* w, solved* out)
{
  base_arena* arena = base_arena_new();
  const blocks b = find_blocks(w, arena);
  int *place = base_arena_take(arena, sizeof(int) * (size_t)(w->rows + w->columns + 1)),
      largest = 0;
  double work = 0, **L = base_arena_take(arena, sizeof(double*) * (size_t)(b.count + 1));
  block* of = base_arena_take(arena, sizeof(block) * (size_t)(b.count + 1));
  int* number = base_arena_take(arena, sizeof(int) * (size_t)(w->rows + w->columns + 1));
  for (int k = 0; k < b.count; k++) {
    int* list = b.order + b.start[k];
    for (int i = b.start[k]; i < b.start[k + 1]; i++) {
      const int node = b.order[i];
      number[node] = k;
      place[node] = node < w->rows ? of[k].rows++ : of[k].columns++;
      if (node >= w->rows) b.order[i] -= w->rows;
    }
    of[k].row = list;
    of[k].column = list + of[k].rows;
    const int most = of[k].rows > of[k].columns ? of[k].rows : of[k].columns;
    largest = most > largest ? most : largest;
    work += (double)of[k].rows * of[k].rows * of[k].columns;
    w->j->effort += (double)of[k].rows * (of[k].rows + of[k].columns) * w->j->size;
  }
  const bool fine =
      largest <= MOST_BLOCK && work <= most_work && w->j->effort + 20 * work <= most_effort;
  w->j->effort += 20 * work;
  for (int k = 0; k < b.count && fine; k++)
    L[k] =
        base_arena_take(arena, sizeof(double) * ((size_t)of[k].rows * (size_t)of[k].columns + 1));
  for (int i = 0; i < w->L.n && fine; i++) {
    const entry* x = &w->L.at[i];
    const int k = number[x->row];
    L[k][place[x->row] * of[k].columns + place[w->rows + x->column]] += x->value;
  }
  for (int k = 0; k < b.count && fine; k++) {
    if (of[k].rows) solve_block(w, &of[k], L[k], out);
    if (of[k].columns) kernel_block(&of[k], L[k], out);
  }
  base_arena_free(arena);
  return fine;
}

// ---- the next polynomials -----------------------------------------------------------------------

// P in terms of the new unknowns: old ones are rows of Y (left by size), then those of the kernel.
// false: that takes too long
static bool renew(const step* w, const solved* x, int left, const double* Y)
{
  const geom_taylor* t = w->p->t;
  geom_jets* j = w->j;
  const size_t old = (size_t)j->size, now = (size_t)(left + x->kernel);
  const size_t rows = (size_t)(w->p->unknowns * t->count);
  double* P = base_alloc(sizeof(double) * (rows * now + 1));
  for (int f = 0; f < w->p->unknowns; f++)
    for (int a = 0; a < t->first[w->e + 2]; a++) {
      const size_t row = (size_t)(f * t->count + a);
      const int fresh = a - t->first[w->e + 1];
      const double* from =
          fresh < 0 ? j->P + row * old : x->X + (size_t)(f * w->fresh + fresh) * old;
      for (size_t k = 0; k < (size_t)left; k++)
        for (size_t i = 0; i < old; i++) P[row * now + k] += from[i] * Y[k * old + i];
    }
  for (int i = 0; i < x->K.n; i++) {
    const entry* k = &x->K.at[i];
    const int f = k->row / w->fresh, a = t->first[w->e + 1] + k->row % w->fresh;
    P[(size_t)(f * t->count + a) * now + (size_t)(left + k->column)] = k->value;
  }
  j->effort += geom_jets_orthonormal_effort(rows, now, P);
  if (j->effort > most_effort) {
    free(P);
    return false;
  }
  geom_jets_orthonormal(rows, now, P);
  free(j->P);
  j->P = P;
  j->size = (int)now;
  j->degree = w->e + 1;
  return true;
}

// What geom_jets_null() takes for so many conditions on the unknowns: a triangle, and about ten
// sweeps over pairs of its columns.
static double null_effort(double conditions, double size)
{
  return conditions * size * size + 20 * size * size * fmin(conditions, size);
}

static bool advance(const geom_pde* p, geom_jets* j)
{
  const geom_taylor* t = p->t;
  step w = {.p = p, .e = j->degree, .j = j};
  w.monomials = t->first[w.e + 1] - t->first[w.e];
  w.fresh = t->first[w.e + 2] - t->first[w.e + 1];
  w.rows = p->equations * w.monomials;
  w.columns = p->unknowns * w.fresh;
  const size_t size = (size_t)j->size;
  w.N = base_alloc(sizeof(double) * ((size_t)w.rows * size + 1));
  w.size = base_alloc(sizeof(double) * (size_t)(w.rows + 1));
  fill(&w);
  solved x = {.C = base_alloc(sizeof(double) * ((size_t)w.rows * size + 1)),
              .C_size = base_alloc(sizeof(double) * (size_t)(w.rows + 1)),
              .X = base_alloc(sizeof(double) * ((size_t)w.columns * size + 1))};
  bool fine = solve_blocks(&w, &x);
  j->effort += null_effort(x.conditions, j->size);
  fine = fine && j->effort <= most_effort;
  if (fine) {
    double most = 0, *Y = base_alloc(sizeof(double) * (size * size + 1));
    for (int i = 0; i < x.conditions; i++) most = fmax(most, x.C_size[i]);
    const int left = geom_jets_null(x.conditions, j->size, x.C, most, Y, j);
    j->effort += (double)p->unknowns * t->first[w.e + 2] * left * j->size;
    fine = left + x.kernel <= MOST_SIZE && j->effort <= most_effort && renew(&w, &x, left, Y);
    free(Y);
  }
  free(w.N);
  free(w.size);
  free(w.L.at);
  free(x.C);
  free(x.C_size);
  free(x.X);
  free(x.K.at);
  return fine;
}

// ---- when it is known ---------------------------------------------------------------------------

// what ranks() takes: of each, a reflection for every vector that counts
static double ranks_effort(const geom_pde* p, const geom_jets* j)
{
  double sum = 0;
  for (int k = 0; k < j->degree; k++) {
    const double rows = (double)p->unknowns * p->t->first[k + 1];
    sum += 3 * rows * j->size * fmin(rows, j->size);
  }
  return sum;
}

// r(d, k) for all k <= d - 1
static void ranks(const geom_pde* p, geom_jets* j, int* r)
{
  const geom_taylor* t = p->t;
  for (int k = 0; k < j->degree; k++) {
    const int part = t->first[k + 1];
    double* A = base_alloc(sizeof(double) * ((size_t)(p->unknowns * part * j->size) + 1));
    for (int f = 0; f < p->unknowns; f++)
      memcpy(A + (size_t)(f * part) * (size_t)j->size,
             j->P + (size_t)(f * t->count) * (size_t)j->size,
             sizeof(double) * (size_t)(part * j->size));
    r[k] = geom_jets_rank(p->unknowns * part, j->size, A);
    free(A);
  }
}

static bool settled(int degree, const int* before, const int* now, geom_jets* j)
{
  for (int k = 0; k + 2 < degree; k++) {
    if (now[k] != now[k + 1] || before[k] != now[k] || before[k + 1] != now[k]) continue;
    j->dimension = now[k];
    j->order = k;
    return true;
  }
  return false;
}

// each equation divided by its largest coefficient
static void normalise(const geom_pde* p)
{
  const int width = p->unknowns * (p->t->m + 1);
  for (int k = 0; k < p->equations; k++) {
    double most = 0;
    for (int i = 0; i < width; i++)
      for (int a = 0; p->c[k * width + i] && a < p->t->count; a++)
        most = fmax(most, fabs(p->c[k * width + i][a]));
    for (int i = 0; i < width && most > 0; i++)
      for (int a = 0; p->c[k * width + i] && a < p->t->count; a++) {
        double* c = &p->c[k * width + i][a];
        *c = fabs(*c) < rounded * most ? 0 : *c / most;
      }
  }
}

geom_jets geom_pde_solve(const geom_pde* p, base_arena* arena)
{
  const geom_taylor* t = p->t;
  geom_jets j = {.arena = arena, .size = p->unknowns, .kept = INFINITY};
  int *before = base_arena_take(arena, sizeof(int) * (size_t)(t->degree + 2)),
      *now = base_arena_take(arena, sizeof(int) * (size_t)(t->degree + 2));
  j.P = base_alloc(sizeof(double) * ((size_t)(p->unknowns * t->count * p->unknowns) + 1));
  for (int f = 0; f < p->unknowns; f++) j.P[f * t->count * p->unknowns + f] = 1;
  normalise(p);
  bool fine = true;
  while (fine && !j.settled && j.degree + 1 < t->degree) {
    fine = advance(p, &j);
    j.effort += ranks_effort(p, &j);
    j.broken_off = !fine || j.effort > most_effort;
    if (j.broken_off) break;
    memcpy(before, now, sizeof(int) * (size_t)(t->degree + 1));
    ranks(p, &j, now);
    j.settled = settled(j.degree, before, now, &j);
    j.slopes = now[j.degree > 1];
    if (!j.settled) j.dimension = now[j.degree / 2];
  }
  double* P =
      base_arena_take(arena, sizeof(double) * ((size_t)(p->unknowns * t->count * j.size) + 1));
  memcpy(P, j.P, sizeof(double) * (size_t)(p->unknowns * t->count * j.size));
  free(j.P);
  j.P = P;
  return j;
}
