// A conserved energy that is definite proves stability where linearisation is silent.
//
// Position constraints only, nothing that does work: then H is constant, and so are the momenta
// p_i = dT/dq_i' of ignorable coordinates. With the speeds w_i of the steady motion and its
// reactions,
//   E = H - sum w_i p_i - sum Lambda_k f_k
// is stationary there; where its second variation is definite on the changes that keep constraints
// and momenta, less the shifts of ignorable coordinates, the motion is stable (Lagrange, Dirichlet;
// Routh 1877 with ignorable coordinates).
#include "sim/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double idle = 1e-10;   // power against the size of its terms
static const double margin = 1e-10; // of the smallest pivot against the largest entry

// symbols of the state with their numbers, to be put into an expression
static double value(sim_engine* e, expr x)
{
  return sim_value(e, x);
}

static bool is_conservative(sim_engine* e)
{
  for (int r = 0; r < e->rows; r++)
    if (e->model->constraint[e->row[r]].order != 0 || !sim_is_ideal(e, e->row[r])) return false;
  if (e->forces_feel) return false;
  const size_t bytes = sizeof(double) * (size_t)(2 * e->n);
  double* here = base_alloc(bytes);
  memcpy(here, e->q, bytes);
  uint64_t seed = 1788;
  bool calm = true;
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
  }
  memcpy(e->q, here, bytes);
  e->factored = false;
  return calm;
}

// E as an expression, its numbers at the steady motion put in
static expr augmented(sim_engine* e, const bool* ignorable)
{
  const mech_system* s = e->s;
  expr_pool* p = s->pool;
  expr E = s->H;
  for (int i = 0; i < e->n; i++)
    if (ignorable[i] && e->v[i] != 0)
      E = expr_sub(p, E, expr_mul(p, expr_double(p, e->v[i]), expr_diff(p, e->model->T, s->v[i])));
  for (int r = 0; r < e->rows; r++)
    E = expr_sub(p, E, expr_mul(p, expr_double(p, e->lambda[e->row[r]]), s->f0[e->row[r]]));
  return E;
}

// columns of Y (N by k): what keeps constraints and momenta and is no shift of ignorable ones
static int admissible(sim_linear* l, const bool* ignorable, double* Y)
{
  sim_engine* e = l->e;
  const int n = e->n, N = 2 * n;
  double* rows = base_alloc(sizeof(double) * (size_t)((l->rows + 2 * n + 1) * N));
  int count = l->rows;
  memcpy(rows, l->G, sizeof(double) * (size_t)(count * N));
  for (int i = 0; i < n; i++) {
    if (!ignorable[i]) continue;
    const expr p = expr_diff(e->s->pool, e->model->T, e->s->v[i]);
    for (int j = 0; j < N; j++) {
      const expr by = j < n ? e->s->q[j] : e->s->v[j - n];
      rows[count * N + j] = value(e, expr_diff(e->s->pool, p, by));
    }
    count++;
    for (int j = 0; j < N; j++) rows[count * N + j] = j == i;
    count++;
  }
  num_null* f = num_null_new(count + 1, N);
  const int rank = num_null_factor(f, count, N, rows, 0);
  num_null_basis(f, Y);
  num_null_free(f);
  free(rows);
  return N - rank;
}

bool sim_energy_definite(sim_linear* l, const bool* ignorable, const char** why)
{
  sim_engine* e = l->e;
  const int n = e->n, N = 2 * n;
  if (!is_conservative(e)) return false;
  if (sim_linear_at(l)) return false;
  sim_linear_tangent(l);
  expr_pool* p = e->s->pool;
  double* Y = base_alloc(sizeof(double) * (size_t)(3 * N * N + 1));
  double *H = Y + N * N, *S = H + N * N;
  const int k = admissible(l, ignorable, Y);
  const expr E = augmented(e, ignorable);
  double size = 0;
  for (int i = 0; i < N; i++) {
    const expr slope = expr_diff(p, E, i < n ? e->s->q[i] : e->s->v[i - n]);
    for (int j = 0; j <= i; j++) {
      H[i * N + j] = H[j * N + i] =
          value(e, expr_diff(p, slope, j < n ? e->s->q[j] : e->s->v[j - n]));
      size = fmax(size, fabs(H[i * N + j]));
    }
  }
  for (int h = 0; h < k; h++)
    for (int m = 0; m < k; m++) {
      double sum = 0;
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) sum += Y[i * k + h] * H[i * N + j] * Y[j * k + m];
      S[h * k + m] = sum;
    }
  bool definite = k > 0 && isfinite(size);
  for (int h = 0; h < k; h++) definite = definite && S[h * k + h] > margin * size;
  definite = definite && num_cholesky(k, S, margin);
  free(Y);
  bool moves = false;
  for (int i = 0; i < n; i++) moves = moves || ignorable[i];
  if (definite)
    *why = moves ? "the energy is least among motions with the same momenta (Routh)"
                 : "the potential energy is least (Lagrange, Dirichlet)";
  return definite;
}
