// Velocities from quasi-velocities by what was found where these were chosen.
//
// There C Z = 1 and A Z = 0. With
//   N = A^+ - Z C A^+,  so that C N = 0 and A N = 1 there,
// A v = -a0 and C v = u hold at any other state for
//   v = Z u + N mu,  (A N) mu = -a0 - A Z u:
// as many equations as rows, with no basis of the directions that they leave free there. Whether
// the choice grows old is judged where a step ends, by its quality (flow.c).
#include "rate/complement.h"

#include <math.h>
#include <string.h>

struct rate_complement
{
  int rows; // 0: there is none
  double *Z, *N, *G, *mu;
  double* norm; // of the rows there
  int* pivot;
};

// The rows must not be so near to depending on each other, nor A N to being singular, that digits
// are lost that a step needs.
static const double least_margin = 0.01, least_pivot = 0.5;

static struct rate_complement* room_of(rate_flow* f)
{
  if (f->complement) return f->complement;
  base_arena* a = f->e->arena;
  const size_t n = (size_t)f->e->n, m = (size_t)f->e->m;
  struct rate_complement* x = f->complement = base_arena_take(a, sizeof *x);
  x->Z = base_arena_take(a, sizeof(double) * (n * n + n * m + m * m + 2 * m));
  x->N = x->Z + n * n;
  x->G = x->N + n * m;
  x->mu = x->G + m * m;
  x->norm = x->mu + m;
  x->pivot = base_arena_take(a, sizeof(int) * m);
  return x;
}

void rate_complement_leave(rate_flow* f)
{
  if (f->complement) f->complement->rows = 0;
}

// column r of A^+, less its part along Z
static void take_column(const rate_flow* f, int r, double* unit, double* column)
{
  const engine* e = f->e;
  const int n = e->n, l = f->l;
  unit[r] = 1;
  num_null_find(e->work.null, unit, column);
  unit[r] = 0;
  double* s = e->work.w;
  for (int k = 0; k < l; k++) {
    s[k] = 0;
    for (int j = 0; j < n; j++) s[k] += f->C[k * n + j] * column[j];
  }
  for (int i = 0; i < n; i++)
    for (int k = 0; k < l; k++) column[i] -= e->work.Z[i * l + k] * s[k];
}

static double norm_of(int n, const double* row)
{
  double square = 0;
  for (int j = 0; j < n; j++) square += row[j] * row[j];
  return sqrt(square);
}

void rate_complement_make(rate_flow* f)
{
  const engine* e = f->e;
  const int n = e->n, l = f->l, m = n - l;
  // more equations than there are free directions are no gain, unless nothing else is factored
  if (m > l && !engine_tree_is_taken(e)) return;
  struct rate_complement* x = room_of(f);
  x->rows = m;
  memcpy(x->Z, e->work.Z, sizeof(double) * (size_t)(n * l));
  memset(x->mu, 0, sizeof(double) * (size_t)m);
  for (int r = 0; r < m; r++) {
    x->norm[r] = norm_of(n, e->work.Ar + r * n);
    take_column(f, r, x->mu, e->work.x);
    for (int i = 0; i < n; i++) x->N[i * m + r] = e->work.x[i];
  }
}

// The rows as evaluated last, as long as they were there: then A N is 1 as long as they do not
// turn.
static void scale_rows(engine* e, const struct rate_complement* x)
{
  const int n = e->n;
  for (int r = 0; r < x->rows; r++) {
    const double scale = x->norm[r] / norm_of(n, e->work.Ar + r * n);
    for (int j = 0; j < n; j++) e->work.Ar[r * n + j] *= scale;
    e->work.br[r] *= scale;
  }
}

static bool factor(struct rate_complement* x)
{
  bool fine = num_lu(x->rows, x->G, x->pivot);
  for (int r = 0; r < x->rows && fine; r++) fine = fabs(x->G[r * x->rows + r]) > least_pivot;
  return fine;
}

// sum_k a_k x_k added to each of the rows of `to`
static void add_product(int rows, int columns, const double* a, const double* x, double* to)
{
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int k = 0; k < columns; k++) sum += a[i * columns + k] * x[k];
    to[i] += sum;
  }
}

bool rate_complement_velocities(rate_flow* f, const double* u)
{
  engine* e = f->e;
  struct rate_complement* x = f->complement;
  const int n = e->n, l = f->l;
  if (!x || !x->rows || !e->trial || f->settling || !(e->margin > least_margin)) return false;
  const int m = x->rows;
  if (engine_velocity_level(e) != m) return false;
  scale_rows(e, x);
  num_multiply(m, n, m, e->work.Ar, x->N, x->G);
  if (!factor(x)) return false;
  memset(e->v, 0, sizeof(double) * (size_t)n);
  add_product(n, l, x->Z, u, e->v);
  for (int r = 0; r < m; r++) {
    x->mu[r] = e->work.br[r];
    for (int j = 0; j < n; j++) x->mu[r] -= e->work.Ar[r * n + j] * e->v[j];
  }
  num_lu_solve(m, x->G, x->pivot, x->mu);
  add_product(n, m, x->N, x->mu, e->v);
  e->rank = m;
  e->bound = true;
  return true;
}
