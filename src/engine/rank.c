// How near the rows that bind velocities are to a loss of rank.
//
// With W A = diag(sigma) U, the rate of a singular value along the motion is
//   sigma_i' = w_i^T A' u_i,   A' = dA/dt + sum_j dA/dq_j v_j.
// On a branch of the constraints that passes a singular position, some of them vanish there, and
// their signed values go through zero at these rates: t - sigma_i/sigma_i' is where.
#include "engine/engine.h"

#include <math.h>
#include <string.h>

enum { inverse_turns = 4 };
// a share of the distance over which the rows change by about themselves: differences of A keep
// half their digits
static const double short_way = 1e-5;

engine_rank* engine_rank_new(engine* e)
{
  const int m = e->m, n = e->n;
  engine_rank* k = engine_take(e, 1, sizeof *k);
  k->e = e;
  k->n = n;
  k->seen = engine_doubles(e, m);
  k->A = engine_doubles(e, m * n);
  k->U = engine_doubles(e, m * n);
  k->W = engine_doubles(e, m * m);
  k->sigma = engine_doubles(e, m);
  k->slope = engine_doubles(e, m);
  k->up = engine_doubles(e, m * n);
  k->down = engine_doubles(e, m * n);
  k->state = engine_doubles(e, 2 * n);
  k->null = num_null_new(m, n);
  engine_attach(e, (void (*)(void*))num_null_free, k->null);
  k->G = engine_doubles(e, m * m);
  k->x = engine_doubles(e, m);
  return k;
}

bool engine_rank_counts(const engine* e, int k)
{
  return e->model->constraint[k].order < 2 && engine_is_ideal(e, k);
}

// rows that bind velocities, as the levels kernel gave them
static int pack(const engine_rank* k, double* A)
{
  const engine* e = k->e;
  const int n = k->n;
  int rows = 0;
  for (int r = 0; r < e->rows; r++) {
    const int c = e->row[r];
    if (!engine_rank_counts(e, c)) continue;
    const double scale = k->seen[c] > 0 ? 1 / k->seen[c] : 1;
    for (int j = 0; j < n; j++) A[rows * n + j] = e->LA[c * n + j] * scale;
    rows++;
  }
  return rows;
}

void engine_rank_see(engine_rank* k)
{
  const engine* e = k->e;
  for (int r = 0; r < e->rows; r++)
    k->seen[e->row[r]] = fmax(k->seen[e->row[r]], engine_level_norm(e, e->row[r]));
}

void engine_rank_take(engine_rank* k)
{
  k->rows = pack(k, k->A);
}

// G = A A^T, whose least eigenvalue is sigma^2, by inverse iteration from the vector found last
double engine_rank_margin(engine_rank* k)
{
  const int m = k->rows, n = k->n;
  double *G = k->G, *x = k->x, size = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int c = 0; c < n; c++) sum += k->A[i * n + c] * k->A[j * n + c];
      G[i * m + j] = G[j * m + i] = sum;
    }
  if (m == 1) return sqrt(G[0]);
  if (!num_cholesky(m, G, 0)) return 0;
  for (int i = 0; i < m; i++) size += x[i] * x[i];
  // a direction that no row is left out of, at first
  for (int i = 0; i < m && !(size > 0); i++) x[i] = 1 + 0.1 * (i % 7);
  for (int turn = 0; turn < inverse_turns; turn++) {
    size = 0;
    for (int i = 0; i < m; i++) size += x[i] * x[i];
    for (int i = 0; i < m; i++) x[i] /= sqrt(size);
    num_cholesky_solve(m, G, x);
  }
  size = 0;
  for (int i = 0; i < m; i++) size += x[i] * x[i];
  return 1 / sqrt(sqrt(size));
}

double engine_rank_pivot(engine_rank* k)
{
  // the factorisation brings rows to length one: what one has lost is counted here
  double shortest = 1;
  for (int r = 0; r < k->rows; r++) {
    double square = 0;
    for (int j = 0; j < k->n; j++) square += k->A[r * k->n + j] * k->A[r * k->n + j];
    shortest = fmin(shortest, square);
  }
  if (k->rows == 1) return sqrt(shortest);
  const int rank = num_null_factor(k->null, k->rows, k->n, k->A, 0);
  return rank < k->rows ? 0 : num_null_margin(k->null) * sqrt(shortest);
}

static void levels_at(engine_rank* k, double t, double h, double* A)
{
  engine* e = k->e;
  for (int i = 0; i < k->n; i++) e->q[i] = k->state[i] + h * k->state[k->n + i];
  engine_time(e, t + h);
  code_run(e->levels, e->in, e->level_out, e->scratch);
  pack(k, A);
}

void engine_rank_ahead(engine_rank* k, double h, double* A)
{
  engine* e = k->e;
  const double t = e->in[0];
  memcpy(k->state, e->q, sizeof(double) * (size_t)(2 * k->n));
  levels_at(k, t, h, A);
  levels_at(k, t, 0, k->down);
  e->factored = false;
}

static double largest_change(const engine_rank* k, const double* A)
{
  double most = 0;
  for (int i = 0; i < k->rows * k->n; i++) most = fmax(most, fabs(A[i] - k->A[i]));
  return most;
}

// A' by central differences over a time in which the rows change a little
static void rates(engine_rank* k)
{
  engine* e = k->e;
  const double t = e->in[0];
  double h = short_way;
  memcpy(k->state, e->q, sizeof(double) * (size_t)(2 * k->n));
  // twice: the first try tells how fast they change
  for (int turn = 0; turn < 3; turn++) {
    levels_at(k, t, h, k->up);
    const double change = largest_change(k, k->up);
    if (!(change > 0) || (change > short_way / 10 && change < short_way * 10)) break;
    h *= fmin(fmax(short_way / change, 1e-6), 1e6);
  }
  levels_at(k, t, h, k->up);
  levels_at(k, t, -h, k->down);
  for (int i = 0; i < k->rows * k->n; i++) k->up[i] = (k->up[i] - k->down[i]) / (2 * h);
  levels_at(k, t, 0, k->down);
  e->factored = false;
}

void engine_rank_values(engine_rank* k)
{
  engine* e = k->e;
  const int n = k->n;
  code_run(e->levels, e->in, e->level_out, e->scratch);
  engine_rank_take(k);
  memcpy(k->U, k->A, sizeof(double) * (size_t)(k->rows * n));
  num_singular(k->rows, n, k->U, k->W, k->sigma);
  rates(k);
  for (int i = 0; i < k->rows; i++) {
    double sum = 0;
    for (int r = 0; r < k->rows; r++)
      for (int j = 0; j < n; j++) sum += k->W[i * k->rows + r] * k->up[r * n + j] * k->U[i * n + j];
    k->slope[i] = sum;
  }
}
