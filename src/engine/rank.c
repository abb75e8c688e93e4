// How near the rows that bind velocities are to a loss of rank.
//
// With W A = diag(sigma) U, the rate of a singular value along the motion is
//   sigma_i' = w_i^T A' u_i,   A' = dA/dt + sum_j dA/dq_j v_j,
// A with its columns weighed (weights.c).
// On a branch of the constraints that passes a singular position, some of them vanish there, and
// their signed values go through zero at these rates: t - sigma_i/sigma_i' is where.
#include "engine/inside.h"

#include <math.h>
#include <string.h>

enum { inverse_turns = 6 };
// of a vector that nearly is the one looked for: how much of all others is mixed to it
static const double others = 0.1;
// of an eigenvalue: turns that change it by less are over
static const double settled = 0.01;
// times what is near: a singular value that is found nearly shows that rows are not
static const double well_beyond = 1.2;

engine_rank* engine_rank_new(engine* e)
{
  const int m = e->m, n = e->n;
  engine_rank* k = engine_take(e, 1, sizeof *k);
  k->e = e;
  k->n = n;
  const engine_room list[] = {{&k->seen, m},      {&k->over, m},   {&k->A, m * n},
                              {&k->U, m * n},     {&k->W, m * m},  {&k->sigma, m},
                              {&k->slope, m},     {&k->up, m * n}, {&k->down, m * n},
                              {&k->state, 2 * n}, {&k->G, m * m},  {&k->x, m}};
  engine_rooms(e, sizeof list / sizeof *list, list);
  for (int c = 0; c < m; c++) k->over[c] = 1;
  k->null = num_null_new(m, n);
  engine_attach(e, (void (*)(void*))num_null_free, k->null);
  k->way = engine_short_way;
  return k;
}

// the length of the row of constraint c is seen
static inline void see(engine_rank* k, int c, const double* row)
{
  const double* weight = k->e->work.weight;
  double square = 0;
  for (int j = 0; j < k->n; j++) {
    const double x = row[j] * weight[j];
    square += x * x;
  }
  if (!(square > k->seen[c])) return;
  k->seen[c] = square;
  k->over[c] = 1 / sqrt(square);
}

// rows that bind velocities, as the levels kernel gave them; seen: so are their lengths
static inline int pack(engine_rank* k, bool seen, double* A)
{
  const engine* e = k->e;
  const double* weight = e->work.weight;
  const int n = k->n, count = e->mode.rows;
  int rows = 0;
  for (int r = 0; r < count; r++) {
    const int c = e->mode.row[r];
    const double* row = e->LA + c * n;
    if (seen) see(k, c, row);
    if (!engine_rank_counts(e, c)) continue;
    const double scale = k->over[c];
    for (int j = 0; j < n; j++) A[j] = row[j] * (scale * weight[j]);
    A += n;
    rows++;
  }
  return rows;
}

void engine_rank_take(engine_rank* k, bool seen)
{
  k->rows = pack(k, seen, k->A);
}

// x of length one, and no direction left out of it: where it was found last another may be the
// least by now, and what rows know nothing of each other would not show that
static void begin_anew(int m, double* x)
{
  double size = 0;
  for (int i = 0; i < m; i++) size += x[i] * x[i];
  const double unit = size > 0 ? 1 / sqrt(size) : 0;
  for (int i = 0; i < m; i++) x[i] = x[i] * unit + others * (1 + others * (i % 7));
}

static double length_of(int n, const double* row)
{
  double square = 0;
  for (int j = 0; j < n; j++) square += row[j] * row[j];
  return sqrt(square);
}

// the least of the two eigenvalues of G: their product over the larger one
static double least_of_two(const double* G)
{
  const double half = (G[0] - G[3]) / 2, cross = G[2] * G[2], square = G[0] * G[3];
  if (!(square - cross > engine_least_pivot * square)) return 0;
  return (square - cross) / ((G[0] + G[3]) / 2 + sqrt(half * half + cross));
}

// G = A A^T, whose least eigenvalue is sigma^2: of two rows by its formula, of more by inverse
// iteration from the vector found last
double engine_rank_margin(engine_rank* k)
{
  const int m = k->rows, n = k->n;
  if (m == 1) return length_of(n, k->A);
  double *G = k->G, *x = k->x, size = 0, shortest = 1;
  for (int i = 0; i < m; i++) {
    const double* row = k->A + i * n;
    for (int j = 0; j <= i; j++) {
      const double* other = k->A + j * n;
      double sum = 0;
      for (int c = 0; c < n; c++) sum += row[c] * other[c];
      G[i * m + j] = sum;
    }
    const double square = G[i * m + i];
    if (square < shortest) shortest = square;
  }
  k->shortest = shortest;
  if (m == 2) return sqrt(least_of_two(G));
  if (!num_cholesky(m, G, engine_least_pivot)) return 0;
  begin_anew(m, x);
  for (int i = 0; i < m; i++) size += x[i] * x[i];
  double growth = 0, before = INFINITY;
  for (int turn = 0; turn < inverse_turns && !(fabs(growth - before) < settled * growth); turn++) {
    before = growth;
    const double unit = 1 / sqrt(size);
    for (int i = 0; i < m; i++) x[i] *= unit;
    num_cholesky_solve(m, G, x);
    size = 0;
    for (int i = 0; i < m; i++) size += x[i] * x[i];
    growth = sqrt(size);
  }
  return 1 / sqrt(growth);
}

double engine_rank_pivot(engine_rank* k, double sigma)
{
  // the factorisation brings rows to length one: what one has lost is counted here
  if (k->rows == 1) return sigma < 1 ? sigma : 1;
  const double shortest = k->shortest;
  // rows of length one have no smaller singular values than these, which are no longer, and no
  // pivot is less than the smallest of them
  const double bound = sigma * sqrt(shortest);
  if (bound > well_beyond * engine_near_singular) return bound;
  const int rank = num_null_factor(k->null, k->rows, k->n, k->A, 0);
  return rank < k->rows ? 0 : num_null_margin(k->null) * sqrt(shortest);
}

static void levels_at(engine_rank* k, double t, double h, double* A)
{
  engine* e = k->e;
  for (int i = 0; i < k->n; i++) e->q[i] = k->state[i] + h * k->state[k->n + i];
  engine_time(e, t + h);
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  pack(k, false, A);
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
  double h = k->way;
  memcpy(k->state, e->q, sizeof(double) * (size_t)(2 * k->n));
  levels_at(k, t, h, k->up);
  // the first try tells how fast they change
  for (int turn = 0; turn < 3; turn++) {
    const double change = largest_change(k, k->up);
    if (!(change > 0) || (change > engine_short_way / 10 && change < engine_short_way * 10)) break;
    h *= fmin(fmax(engine_short_way / change, engine_way_shorter), 1e6);
    levels_at(k, t, h, k->up);
  }
  k->way = h;
  levels_at(k, t, -h, k->down);
  for (int i = 0; i < k->rows * k->n; i++) k->up[i] = (k->up[i] - k->down[i]) / (2 * h);
  levels_at(k, t, 0, k->down);
  e->factored = false;
}

void engine_rank_values(engine_rank* k)
{
  engine* e = k->e;
  const int n = k->n;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  engine_rank_take(k, false);
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
