// Accelerations and reactions at a state, by the null space of the constraints.
//
//   M a = F + A^T Lambda,  A a = c
//
// With the columns of Z an orthonormal basis of the directions the constraints leave free (A Z = 0)
// and a_p any solution of A a_p = c:   a = a_p + Z w,   (Z^T M Z) w = Z^T (F - M a_p).
// These are Maggi's equations (Kondrenkina 2018, I(3.17)) in quasi-velocities chosen anew at every
// evaluation, so that the choice is never singular while the constraints are not; M itself may be
// singular as long as Z^T M Z is not. Redundant rows drop out of the factorisation.
#include "engine/inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// the active rows of a full block of m rows, packed
static void gather(const engine* e, const double* A, const double* c, double* Ar, double* cr)
{
  for (int r = 0; r < e->mode.rows; r++) {
    memcpy(Ar + r * e->n, A + e->mode.row[r] * e->n, sizeof(double) * (size_t)e->n);
    cr[r] = c[e->mode.row[r]];
  }
}

static const char* first_not_finite(const engine* e)
{
  const model* m = e->model;
  const int n = e->n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (!isfinite(e->M[i * n + j])) return m->coord[i].name;
  for (int i = 0; i < n; i++)
    if (!isfinite(e->F[i])) return m->coord[i].name;
  return NULL;
}

__attribute__((cold)) static int not_finite(engine* e)
{
  const char* name = first_not_finite(e);
  if (name) {
    snprintf(e->reason, sizeof e->reason, "the equation of motion of `%s` has no finite value",
             name);
    return 1;
  }
  for (int r = 0; r < e->mode.rows; r++) {
    bool fine = isfinite(e->c[e->mode.row[r]]);
    for (int j = 0; j < e->n; j++) fine = fine && isfinite(e->A[e->mode.row[r] * e->n + j]);
    if (fine) continue;
    snprintf(e->reason, sizeof e->reason, "the constraint `%s` has no finite derivative",
             e->model->constraint[e->mode.row[r]].name);
    return 1;
  }
  return 0;
}

__attribute__((cold)) static int singular_mass(engine* e)
{
  const char* name = NULL;
  for (int i = 0; i < e->n && !name; i++)
    if (e->M[i * e->n + i] == 0) name = e->model->coord[i].name;
  if (name)
    snprintf(e->reason, sizeof e->reason,
             "the mass matrix is singular: no mass resists an acceleration of `%s`", name);
  else
    snprintf(e->reason, sizeof e->reason,
             "the mass matrix is singular or not positive: some motion has no inertia");
  return 1;
}

static int free_accelerations(engine* e)
{
  memcpy(e->work.S, e->M, sizeof(double) * (size_t)(e->n * e->n));
  memcpy(e->a, e->F, sizeof(double) * (size_t)e->n);
  if (!num_cholesky(e->n, e->work.S, 0)) return singular_mass(e);
  num_cholesky_solve(e->n, e->work.S, e->a);
  return 0;
}

// Z^T M Z into S and Z^T r into w
static void reduce(engine* e, int l, const double* r)
{
  const int n = e->n;
  const double* Z = e->work.Z;
  for (int k = 0; k < l; k++) e->work.w[k] = 0;
  for (int j = 0; j < n; j++)
    for (int k = 0; k < l; k++) e->work.w[k] += Z[j * l + k] * r[j];
  num_multiply(n, n, l, e->M, Z, e->work.MZ);
  num_multiply_symmetric(n, l, e->work.MZ, Z, e->work.S);
}

// How near a loss of rank is: rows becoming dependent (the factorisation knows), or the gradient of
// a single constraint vanishing against what it was along the motion. States that a step tries say
// nothing of that: those of one that is far too long may lie anywhere.
static double margin_of(engine* e, const double* A)
{
  double margin = num_null_margin(e->work.null);
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r];
    if (mech_is_nonlinear(e->s, k)) continue; // a gradient at other accelerations says nothing
    double norm = 0;
    for (int j = 0; j < e->n; j++) norm += A[k * e->n + j] * A[k * e->n + j];
    norm = sqrt(norm);
    if (!e->trial && norm > e->work.norm_seen[k]) e->work.norm_seen[k] = norm;
    if (norm < margin * e->work.norm_seen[k]) margin = norm / e->work.norm_seen[k];
  }
  return margin;
}

int engine_velocity_level(engine* e)
{
  const int n = e->n;
  double* v = e->work.x;
  memcpy(v, e->v, sizeof(double) * (size_t)n);
  memset(e->v, 0, sizeof(double) * (size_t)n);
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  memcpy(e->v, v, sizeof(double) * (size_t)n);
  int rows = 0;
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r];
    if (e->model->constraint[k].order == 2) continue;
    memcpy(e->work.Ar + rows * n, e->LA + k * n, sizeof(double) * (size_t)n);
    e->work.br[rows++] = -e->f1[k];
  }
  return rows;
}

int engine_velocity_rows(engine* e)
{
  const int rows = engine_velocity_level(e);
  e->rank = num_null_factor(e->work.null, rows, e->n, e->work.Ar, 0);
  e->margin = margin_of(e, e->LA);
  num_null_basis(e->work.null, e->work.Z);
  e->factored = !e->mode.second_order;
  return e->rank;
}

void engine_see_margin(engine* e)
{
  if (!e->mode.rows || e->sparse || e->mode.curved || e->mode.coupled) return;
  code_run(e->program->eom, e->in, e->work.eom_out, e->work.scratch);
  gather(e, e->A, e->c, e->work.Ar, e->work.br);
  e->rank = num_null_factor(e->work.null, e->mode.rows, e->n, e->work.Ar, 0);
  e->margin = margin_of(e, e->A);
  e->factored = false;
}

int engine_factor(engine* e)
{
  gather(e, e->A, e->c, e->work.Ar, e->work.br);
  e->rank = num_null_factor(e->work.null, e->mode.rows, e->n, e->work.Ar, 0);
  e->margin = margin_of(e, e->A);
  num_null_basis(e->work.null, e->work.Z);
  return e->rank;
}

static int constrained_accelerations(engine* e)
{
  const int n = e->n;
  if (e->factored)
    for (int r = 0; r < e->mode.rows; r++) e->work.br[r] = e->c[e->mode.row[r]];
  else
    engine_factor(e);
  e->factored = false;
  num_null_find(e->work.null, e->work.br, e->a);
  const int l = n - e->rank;
  if (l == 0) return 0;
  for (int i = 0; i < n; i++) {
    double sum = e->F[i];
    for (int j = 0; j < n; j++) sum -= e->M[i * n + j] * e->a[j];
    e->work.g[i] = sum;
  }
  reduce(e, l, e->work.g);
  if (!num_cholesky(l, e->work.S, 0)) return singular_mass(e);
  num_cholesky_solve(l, e->work.S, e->work.w);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < l; k++) e->a[i] += e->work.Z[i * l + k] * e->work.w[k];
  return 0;
}

static int general_accelerations(engine* e)
{
  engine_equations(e);
  return e->mode.rows ? constrained_accelerations(e) : free_accelerations(e);
}

int engine_plain_accelerations(engine* e)
{
  const int failed = engine_tree_accelerations(e) ? 0 : general_accelerations(e);
  bool finite = !failed;
  for (int i = 0; i < e->n && finite; i++) finite = isfinite(e->a[i]);
  if (finite) return 0;
  if (not_finite(e)) return 1;
  if (!failed) snprintf(e->reason, sizeof e->reason, "the accelerations are not finite");
  return 1;
}

// M a - F: what the constraints must add
static void missing_forces(engine* e, double* g)
{
  const int n = e->n;
  for (int i = 0; i < n; i++) {
    double sum = -e->F[i];
    for (int j = 0; j < n; j++) sum += e->M[i * n + j] * e->a[j];
    g[i] = sum;
  }
}

static int kept_reactions(engine* e)
{
  engine_kept_reactions(e);
  return 0;
}

void engine_kept_reactions(engine* e)
{
  if (e->parts) {
    engine_each_part(e, kept_reactions);
    return;
  }
  if (e->mode.coupled || e->mode.regime >= 0) return; // found with the accelerations
  if (e->sparse) {
    engine_sparse_kept_reactions(e);
    return;
  }
  for (int k = 0; k < e->m; k++) e->lambda[k] = 0;
  if (!e->mode.rows) return;
  missing_forces(e, e->work.g);
  num_null_solve_t(e->work.null, e->work.Ar, e->work.g, e->work.br);
  for (int r = 0; r < e->mode.rows; r++) e->lambda[e->mode.row[r]] = e->work.br[r];
}

// A^T Lambda = M a - F; where the constraints are redundant with
//   sum_k (A diag(1/m) A^T)_kk Lambda_k^2
// least, m at this state: each reaction is measured by the acceleration it gives, whatever units it
// is written in, and wherever the motion came from
double engine_plain_reactions(engine* e)
{
  const int n = e->n;
  if (e->mode.coupled || e->mode.regime >= 0) return 0; // found with the accelerations
  if (e->sparse) return engine_sparse_reactions(e);
  for (int k = 0; k < e->m; k++) e->lambda[k] = 0;
  if (!e->mode.rows) return 0;
  int rows = e->mode.rows;
  if (e->mode.implied_count) {
    rows = 0;
    for (int k = 0; k < e->m; k++)
      if (e->mode.active[k])
        memcpy(e->work.Ar + rows++ * n, e->A + k * n, sizeof(double) * (size_t)n);
    engine_masses_here(e, e->work.here);
    for (int j = 0; j < n; j++)
      e->work.here[j] = e->work.here[j] > 0 ? 1 / sqrt(e->work.here[j]) : 1;
    num_null_weigh(e->work.null, e->work.here);
    num_null_factor(e->work.null, rows, n, e->work.Ar, engine_redundant);
    e->factored = false;
  }
  missing_forces(e, e->work.g);
  const double left = num_null_solve_t(e->work.null, e->work.Ar, e->work.g, e->work.br);
  num_null_weigh(e->work.null, e->work.weight);
  for (int k = 0, r = 0; k < e->m; k++)
    if (e->mode.active[k] && (e->mode.implied_count || !e->mode.implied[k]))
      e->lambda[k] = e->work.br[r++];
  return left;
}

// one step of it, into `step`: rows of the velocity level; constraints of second order do not bind
// velocities
static int kick_step(engine* e, const double* g, const double* v0, double* step, double* r)
{
  const int n = e->n;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  int rows = 0;
  for (int k = 0; k < e->mode.rows; k++) {
    if (e->model->constraint[e->mode.row[k]].order == 2) continue;
    memcpy(e->work.Ar + rows * n, e->LA + e->mode.row[k] * n, sizeof(double) * (size_t)n);
    e->work.br[rows++] = -e->f1[e->mode.row[k]];
  }
  const int rank = num_null_factor(e->work.null, rows, n, e->work.Ar, 0), l = n - rank;
  num_null_find(e->work.null, e->work.br, step);
  for (int i = 0; i < n; i++) {
    double sum = g ? g[i] : 0;
    for (int j = 0; j < n; j++) sum -= e->M[i * n + j] * (e->v[j] + step[j] - v0[j]);
    r[i] = sum;
  }
  if (l == 0) return 0;
  num_null_basis(e->work.null, e->work.Z);
  reduce(e, l, r);
  if (!num_cholesky(l, e->work.S, 0)) return singular_mass(e);
  num_cholesky_solve(l, e->work.S, e->work.w);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < l; k++) step[i] += e->work.Z[i * l + k] * e->work.w[k];
  return 0;
}

// v+ = v + A^+ (-f1) + Z w with Z^T (M (v+ - v0) - g) = 0, repeated while f1 is not linear
int engine_kick(engine* e, const double* g)
{
  for (int p = 0; p < e->parts; p++)
    if (engine_part_kick(e, p, g)) return 1;
  if (e->parts) return 0;
  const int n = e->n;
  if (e->sparse) return engine_sparse_kick(e, g);
  if (engine_kick_by_controls(e)) return engine_kick_controls(e, g);
  engine_equations(e);
  if (not_finite(e)) return 1;
  double* v0 = base_alloc((size_t)(3 * n) * sizeof *v0);
  double *step = v0 + n, *r = step + n;
  memcpy(v0, e->v, sizeof(double) * (size_t)n);
  int failed = 0;
  double size = INFINITY;
  for (int turn = 0; turn < 30 && size > 0; turn++) {
    failed = kick_step(e, g, v0, step, r);
    if (failed) break;
    double moved = 0, scale = 1;
    for (int i = 0; i < n; i++) {
      e->v[i] += step[i];
      moved = fmax(moved, fabs(step[i]));
      scale = fmax(scale, fabs(e->v[i]));
    }
    if (moved <= engine_balanced * scale || (turn > 2 && moved >= size)) break;
    size = moved;
  }
  free(v0);
  return failed;
}

int engine_part_kick(engine* e, int which, const double* g)
{
  const engine_part* p = &e->part[which];
  double* own = base_alloc(sizeof(double) * (size_t)(p->n + 1));
  for (int i = 0; i < p->n && g; i++) own[i] = g[p->coord[i]];
  const int failed = engine_kick(engine_part_enter(e, which), g ? own : NULL);
  engine_part_leave(e, which);
  free(own);
  return failed;
}
