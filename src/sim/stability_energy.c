// A conserved energy that is definite proves stability where linearisation is silent.
//
// Position constraints only, nothing that does work: then H is constant, and so are the momenta
// p_k = dT/dv . eta_k of symmetries (of ignorable coordinates: dT/dq_i'), where no force acts along
// them. With the group's speed xi at the steady motion and its reactions,
//   E = H - sum xi_k p_k - sum Lambda_k f_k
// is stationary there; where its second variation is definite on the changes that keep constraints
// and momenta, less the shifts along the group that keep them too, the motion is stable (Lagrange,
// Dirichlet; Routh 1877 with ignorable coordinates; Arnold 1966, Simo, Lewis, Marsden 1991).
#include "sim/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double idle = 1e-10;     // power against the size of its terms
static const double constancy = 1e-9; // rates of momenta
static const double margin = 1e-10;   // of the smallest pivot against the largest entry

// symbols of the state with their numbers, to be put into an expression
static double value(sim_engine* e, expr x)
{
  return sim_value(e, x);
}

// momentum of field k
static expr momentum(sim_engine* e, const sim_symmetry* s, int k)
{
  expr_pool* p = e->s->pool;
  const int n = e->n;
  expr sum = expr_int(p, 0);
  for (int i = 0; i < n; i++) {
    expr eta = expr_double(p, s->c[k * n + i]);
    for (int j = 0; j < n; j++)
      if (s->C[(k * n + i) * n + j] != 0)
        eta = expr_add(p, eta, expr_mul(p, expr_double(p, s->C[(k * n + i) * n + j]), e->s->q[j]));
    sum = expr_add(p, sum, expr_mul(p, eta, expr_diff(p, e->model->T, e->s->v[i])));
  }
  return sum;
}

// slopes of x by q and v at the engine's state
static void slope_of(sim_engine* e, expr x, double* out)
{
  for (int j = 0; j < 2 * e->n; j++)
    out[j] = value(e, expr_diff(e->s->pool, x, j < e->n ? e->s->q[j] : e->s->v[j - e->n]));
}

// which of the momenta do not change at the engine's state
static void look_at_momenta(sim_engine* e, int count, const expr* p, bool* constant)
{
  double* slope = base_alloc(sizeof(double) * (size_t)(2 * e->n + 1));
  for (int k = 0; k < count; k++) {
    double rate = 0, size = 0;
    slope_of(e, p[k], slope);
    for (int j = 0; j < 2 * e->n; j++) {
      const double term = slope[j] * (j < e->n ? e->v[j] : e->a[j - e->n]);
      rate += term;
      size += fabs(term);
    }
    constant[k] = constant[k] && fabs(rate) <= constancy * (size + 1e-6);
  }
  free(slope);
}

// nothing does work; `constant`: the momenta that stay as they are
static bool is_conservative(sim_engine* e, int count, const expr* momenta, bool* constant)
{
  for (int r = 0; r < e->rows; r++)
    if (e->model->constraint[e->row[r]].order != 0 || !sim_is_ideal(e, e->row[r])) return false;
  if (e->forces_feel) return false;
  const size_t bytes = sizeof(double) * (size_t)(2 * e->n);
  double* here = base_alloc(bytes);
  memcpy(here, e->q, bytes);
  uint64_t seed = 1788;
  bool calm = true;
  for (int k = 0; k < count; k++) constant[k] = true;
  for (int turn = 0; turn < 6 && calm; turn++) {
    bool moved;
    for (int i = 0; i < 2 * e->n; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      e->q[i] = here[i] + 0.1 * ((double)(seed >> 11) / 4503599627370496.0 - 1);
    }
    e->factored = false;
    if (sim_project(e, &moved) || sim_accelerations(e)) {
      calm = false;
      break;
    }
    sim_kept_reactions(e);
    double out[sim_energies], size = 0;
    code_run(e->energy, e->in, out, e->scratch);
    for (int i = 0; i < e->n; i++) size += fabs(e->F[i] * e->v[i]);
    calm = fabs(out[sim_power]) <= idle * size;
    if (turn < 2) look_at_momenta(e, count, momenta, constant);
  }
  memcpy(e->q, here, bytes);
  e->factored = false;
  free(here);
  return calm;
}

// H - sum xi_k p_k
static expr without_momenta(sim_engine* e, int count, const expr* momenta, const double* xi)
{
  expr_pool* p = e->s->pool;
  expr E = e->s->H;
  for (int k = 0; k < count; k++)
    if (xi[k] != 0) E = expr_sub(p, E, expr_mul(p, expr_double(p, xi[k]), momenta[k]));
  return E;
}

// less Lambda_k f_k with the Lambda that makes it stationary; EXPR_NONE where none does
static expr stationary(sim_linear* l, expr E)
{
  sim_engine* e = l->e;
  expr_pool* p = e->s->pool;
  const int n = e->n, m = e->rows;
  double* A = base_alloc(sizeof(double) * (size_t)(m * n + 2 * n + m + 1));
  double *slope = A + m * n, *Lambda = slope + 2 * n, size = 0, left = 0;
  slope_of(e, E, slope);
  for (int r = 0; r < m; r++)
    memcpy(A + r * n, l->D0 + e->row[r] * l->width, sizeof(double) * (size_t)n);
  if (m) {
    num_null* f = num_null_new(m, n);
    num_null_factor(f, m, n, A, 0);
    num_null_solve_t(f, A, slope, Lambda);
    num_null_free(f);
  }
  for (int j = 0; j < 2 * n; j++) {
    double off = slope[j];
    for (int r = 0; j < n && r < m; r++) {
      off -= A[r * n + j] * Lambda[r];
      size = fmax(size, fabs(A[r * n + j] * Lambda[r]));
    }
    size = fmax(size, fabs(slope[j]));
    left = fmax(left, fabs(off));
  }
  for (int r = 0; r < m; r++)
    E = expr_sub(p, E, expr_mul(p, expr_double(p, Lambda[r]), e->s->f0[e->row[r]]));
  free(A);
  return left <= 1e-8 * (1 + size) ? E : EXPR_NONE;
}

// the shifts along the group that keep the momenta (rows dp), as rows behind `count` others
static int shifts(const sim_engine* e, const sim_symmetry* s, int momenta, const double* dp,
                  double* rows, int count)
{
  const int N = 2 * e->n, g = s->count;
  double* X = base_alloc(sizeof(double) * (size_t)(g * N + momenta * g + g * g + 1));
  double *D = X + g * N, *Z = D + momenta * g;
  for (int k = 0; k < g; k++) sim_symmetry_at(s, k, e->q, e->v, X + k * N);
  // against the terms they are made of: those of shifts that keep them are rounding
  for (int h = 0; h < momenta; h++)
    for (int k = 0; k < g; k++) {
      double sum = 0, size = 0;
      for (int j = 0; j < N; j++) {
        sum += dp[h * N + j] * X[k * N + j];
        size += fabs(dp[h * N + j] * X[k * N + j]);
      }
      D[h * g + k] = fabs(sum) > 1e-9 * size ? sum : 0;
    }
  const int free_ones = sim_steady_null(g, momenta, D, 0, 1e-8, Z);
  for (int h = 0; h < free_ones; h++, count++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < g; k++) rows[count * N + j] += Z[k * free_ones + h] * X[k * N + j];
  free(X);
  return count;
}

// columns of Y (N by k): what keeps constraints and momenta and is no shift along the group
static int admissible(sim_linear* l, const sim_symmetry* s, const expr* momenta,
                      const bool* constant, double* Y)
{
  sim_engine* e = l->e;
  const int N = 2 * e->n;
  double* rows = base_alloc(sizeof(double) * (size_t)((l->rows + 2 * s->count + 1) * N));
  int count = l->rows, kept = 0;
  memcpy(rows, l->G, sizeof(double) * (size_t)(count * N));
  for (int k = 0; k < s->count; k++)
    if (constant[k]) slope_of(e, momenta[k], rows + (count + kept++) * N);
  count = shifts(e, s, kept, rows + count * N, rows, count + kept);
  const int free_ones = sim_steady_null(N, count, rows, 0, 1e-9, Y);
  free(rows);
  return free_ones;
}

// second derivatives of E at the state, N by N; returns their size
static double second_variation(sim_engine* e, expr E, double* H)
{
  expr_pool* p = e->s->pool;
  const int n = e->n, N = 2 * n;
  double size = 0;
  for (int i = 0; i < N; i++) {
    const expr slope = expr_diff(p, E, i < n ? e->s->q[i] : e->s->v[i - n]);
    for (int j = 0; j <= i; j++) {
      H[i * N + j] = H[j * N + i] =
          value(e, expr_diff(p, slope, j < n ? e->s->q[j] : e->s->v[j - n]));
      size = fmax(size, fabs(H[i * N + j]));
    }
  }
  return size;
}

// Y^T H Y has pivots above zero
static bool is_definite(int N, int k, const double* Y, const double* H, double size)
{
  double* S = base_alloc(sizeof(double) * (size_t)(k * k + 1));
  for (int h = 0; h < k; h++)
    for (int m = 0; m < k; m++)
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) S[h * k + m] += Y[i * k + h] * H[i * N + j] * Y[j * k + m];
  bool definite = k > 0 && isfinite(size);
  for (int h = 0; h < k; h++) definite = definite && S[h * k + h] > margin * size;
  definite = definite && num_cholesky(k, S, margin);
  free(S);
  return definite;
}

bool sim_energy_definite(sim_linear* l, const sim_symmetry* s, const double* xi, const char** why)
{
  sim_engine* e = l->e;
  const int N = 2 * e->n, g = s->count;
  expr* momenta = base_alloc(sizeof(expr) * (size_t)(g + 1));
  bool *constant = base_alloc((size_t)g + 1), definite = false, fits = true;
  for (int k = 0; k < g; k++) momenta[k] = momentum(e, s, k);
  if (is_conservative(e, g, momenta, constant) && !sim_linear_at(l)) {
    for (int k = 0; k < g; k++) fits = fits && (constant[k] || fabs(xi[k]) < 1e-12);
    sim_linear_tangent(l);
    double *Y = base_alloc(sizeof(double) * (size_t)(2 * N * N + 1)), *H = Y + N * N;
    const int k = admissible(l, s, momenta, constant, Y);
    const expr E = stationary(l, without_momenta(e, g, momenta, xi));
    definite = fits && E != EXPR_NONE && is_definite(N, k, Y, H, second_variation(e, E, H));
    free(Y);
  }
  free(momenta);
  free(constant);
  if (definite)
    *why = g ? "the energy is least among motions with the same momenta (Routh)"
             : "the potential energy is least (Lagrange, Dirichlet)";
  return definite;
}
