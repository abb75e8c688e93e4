// y' = f(t, y) of a system, and its implicit form for methods that solve that.
#include "sim/flow.h"

#include <math.h>
#include <string.h>

// absolute tolerance as a share of the relative one: components near zero are still worth digits
static const double absolute_share = 1e-2;

void sim_flow_load(const sim_flow* f, double t, const double* y)
{
  sim_engine_state(f->e, t, y, y + f->e->n);
}

static double power_now(sim_engine* e)
{
  double out[3];
  if (e->work_needs_reactions) sim_reactions(e);
  code_run(e->energy, e->in, out, e->scratch);
  return out[2];
}

static int rhs(void* context, double t, const double* y, double* dy)
{
  sim_flow* f = context;
  sim_engine* e = f->e;
  const size_t n = (size_t)e->n;
  sim_flow_load(f, t, y);
  if (sim_accelerations(e)) return 1;
  memcpy(dy, e->v, sizeof(double) * n);
  memcpy(dy + n, e->a, sizeof(double) * n);
  dy[2 * n] = power_now(e);
  return 0;
}

// Implicit form with both levels kept (Gear, Gupta, Leimkuhler 1985), y = (q, v, work, Lambda, mu):
//   q' = v + A0^T mu,  M v' = F + A^T Lambda,  work' = power,  f1 = 0 (order 2: A v' = c),  f0 = 0
static int residual(void* context, double t, const double* y, const double* dy, double* r)
{
  sim_flow* f = context;
  sim_engine* e = f->e;
  const int n = e->n, base = 2 * n + 1;
  const double *lambda = y + base, *mu = lambda + e->rows;
  sim_flow_load(f, t, y);
  memcpy(e->a, dy + n, sizeof(double) * (size_t)n);
  for (int k = 0; k < e->rows; k++) e->lambda[e->row[k]] = lambda[k];
  code_run(e->eom, e->in, e->eom_out, e->scratch);
  if (e->m) code_run(e->levels, e->in, e->level_out, e->scratch);
  double energy[3];
  code_run(e->energy, e->in, energy, e->scratch);
  for (int i = 0; i < n; i++) {
    r[i] = dy[i] - e->v[i];
    double sum = -e->F[i];
    for (int j = 0; j < n; j++) sum += e->M[i * n + j] * dy[n + j];
    for (int k = 0; k < e->rows; k++) sum -= e->A[e->row[k] * n + i] * lambda[k];
    r[n + i] = sum;
  }
  r[2 * n] = dy[2 * n] - energy[2];
  for (int k = 0, at = 0; k < e->rows; k++) {
    const int row = e->row[k], order = e->model->constraint[row].order;
    r[base + k] = e->f1[row];
    if (order == 2) {
      r[base + k] = -e->c[row];
      for (int j = 0; j < n; j++) r[base + k] += e->A[row * n + j] * dy[n + j];
    }
    if (order > 0) continue;
    for (int i = 0; i < n; i++) r[i] -= e->A[row * n + i] * mu[at];
    r[base + e->rows + at++] = e->f0[row];
  }
  for (int i = 0; i < f->ode.dae_n; i++)
    if (!isfinite(r[i])) return 1;
  return 0;
}

static int consistent(void* context, double t, const double* ode_y, double* y, double* dy)
{
  sim_flow* f = context;
  sim_engine* e = f->e;
  memset(y, 0, sizeof(double) * (size_t)f->ode.dae_n);
  memset(dy, 0, sizeof(double) * (size_t)f->ode.dae_n);
  memcpy(y, ode_y, sizeof(double) * (size_t)f->ode.n);
  if (rhs(f, t, ode_y, dy)) return 1;
  sim_reactions(e);
  for (int k = 0; k < e->rows; k++) y[f->ode.n + k] = e->lambda[e->row[k]];
  return 0;
}

void sim_flow_update(sim_flow* f)
{
  f->rows0 = 0;
  for (int k = 0; k < f->e->rows; k++) f->rows0 += f->e->model->constraint[f->e->row[k]].order == 0;
  f->ode.dae_n = f->ode.n + f->e->rows + f->rows0;
}

sim_flow* sim_flow_new(sim_engine* e, double tolerance)
{
  sim_flow* f = base_arena_take(e->arena, sizeof *f);
  const int n = 2 * e->n + 1, most = n + 2 * e->m;
  double* abs_tol = base_arena_take(e->arena, sizeof(double) * (size_t)most);
  bool* quiet = base_arena_take(e->arena, sizeof(bool) * (size_t)most);
  for (int i = 0; i < most; i++) abs_tol[i] = tolerance * absolute_share;
  quiet[2 * e->n] = true;
  f->e = e;
  f->ode = (num_ode){.n = n,
                     .rhs = rhs,
                     .context = f,
                     .residual = residual,
                     .consistent = consistent,
                     .rel_tol = tolerance,
                     .abs_tol = abs_tol,
                     .quiet = quiet};
  sim_flow_update(f);
  return f;
}
