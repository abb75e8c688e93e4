// Systems of many coordinates: which they are, their kernels, the order of elimination.
#include "engine/inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* take(engine* e, size_t count, size_t size)
{
  return base_arena_take(e->arena, (count + 1) * size);
}

static bool sets_velocities(const model_change* c)
{
  for (int i = 0; i < c->sets; i++)
    if (c->set[i].target == MODEL_SET_VELOCITY) return true;
  return false;
}

static bool velocities_by_hand(const model* m)
{
  bool found = false;
  for (int i = 0; i < m->stages; i++) found = found || sets_velocities(&m->stage[i].change);
  for (int i = 0; i < m->events; i++) found = found || sets_velocities(&m->event[i].change);
  return found;
}

// what only full matrices are made for, in words; null: nothing of the kind
static const char* obstacle(const engine_program* p)
{
  const model* m = p->model;
  const mech_system* s = p->s;
  if (m->contacts) return "contacts of surfaces";
  if (velocities_by_hand(m)) return "velocities set by a stage or an event";
  for (int k = 0; k < p->m; k++) {
    const model_constraint* c = &m->constraint[k];
    if (c->sense) return "unilateral constraints";
    if (!s->role[k].ideal) return "servo constraints";
    if (c->order > 0 && !c->linear) return "constraints nonlinear in velocities or accelerations";
  }
  expr_index* reactions = expr_index_new(p->m, m->reaction);
  const bool felt = expr_index_any_of(s->pool, reactions, p->n, s->F);
  expr_index_free(reactions);
  return felt ? "forces that depend on reactions" : NULL;
}

// few entries to a row: else full matrices are faster
static bool is_thin(const engine_program* p)
{
  return (double)p->s->M_rows.count < 0.1 * p->n * p->n;
}

bool engine_sparse_wanted(const engine_program* p, bool* fine, base_notes* notes)
{
  *fine = true;
  if (!p->s->M_rows.start || p->s->hung) return false;
  const char* why = obstacle(p);
  if (p->s->M) return !why && is_thin(p);
  *fine = !why;
  if (why)
    base_error(
        notes, BASE_NOWHERE,
        "a system of %d coordinates cannot have %s: these are solved with full matrices, for "
        "at most %d coordinates",
        p->n, why, MECH_FULL);
  return !why;
}

int engine_sparse_motion_list(engine_program* p, expr** out)
{
  const mech_system* s = p->s;
  const size_t n = (size_t)p->n, m = (size_t)p->m, M = (size_t)s->M_rows.count,
               A = (size_t)s->A_rows.count;
  expr* list = engine_program_take(p, M + n + A + m, sizeof(expr));
  memcpy(list, s->M_rows.value, sizeof(expr) * M);
  memcpy(list + M, s->F, sizeof(expr) * n);
  if (A) memcpy(list + M + n, s->A_rows.value, sizeof(expr) * A);
  if (m) memcpy(list + M + n + A, s->c, sizeof(expr) * m);
  *out = list;
  return (int)(M + n + A + m);
}

static bool find_order(engine* e)
{
  engine_sparse* p = e->sparse;
  num_saddle_free(p->motion);
  p->motion = num_saddle_new(e->n, &p->M, e->m, &p->A, p->stiff);
  p->factored = false;
  return p->motion;
}

bool engine_sparse_prepare(engine* e, base_notes* notes)
{
  const mech_system* s = e->s;
  engine_sparse* p = e->sparse;
  const size_t n = (size_t)e->n, m = (size_t)e->m;
  p->M = (num_rows){s->M_rows.start, s->M_rows.column};
  p->A = (num_rows){s->A_rows.start, s->A_rows.column};
  p->M_count = s->M_rows.count;
  p->A_count = s->A_rows.count;
  p->diagonal = take(e, n, sizeof(int));
  p->unit = take(e, (size_t)p->M_count, sizeof(double));
  p->measured = take(e, (size_t)p->A_count, sizeof(double));
  p->size = take(e, m, sizeof(double));
  for (int i = 0; i < e->n; i++)
    for (int k = p->M.start[i]; k < p->M.start[i + 1]; k++)
      if (p->M.column[k] == i) p->diagonal[i] = k;
  for (int i = 0; i < e->n; i++) p->unit[p->diagonal[i]] = 1;
  p->M_value = e->work.eom_out;
  e->F = e->work.eom_out + p->M_count;
  p->A_value = e->F + n;
  e->c = e->work.eom_out + (size_t)p->M_count + n + (size_t)p->A_count;
  p->use = take(e, m, sizeof(bool));
  p->lambda = take(e, m, sizeof(double));
  p->f = take(e, n, sizeof(double));
  p->c = take(e, m, sizeof(double));
  p->x = take(e, n, sizeof(double));
  p->y = take(e, m, sizeof(double));
  e->work.norm_seen = take(e, m, sizeof(double));
  e->work.br = take(e, m, sizeof(double));
  e->work.w = take(e, n, sizeof(double));
  e->work.x = take(e, n, sizeof(double));
  e->work.g = take(e, n + m, sizeof(double));
  e->margin = 1;
  if (find_order(e)) return true;
  base_error(notes, BASE_NOWHERE,
             "the equations are coupled too closely for %d coordinates: their factor would not fit "
             "the memory",
             e->n);
  return false;
}

void engine_sparse_free(engine* e)
{
  if (e->sparse) num_saddle_free(e->sparse->motion);
}

void engine_sparse_rows(engine* e)
{
  for (int k = 0; k < e->m; k++) e->sparse->use[k] = e->mode.active[k] && !e->mode.implied[k];
  e->sparse->factored = false;
}

// ---- rows of either kind of system --------------------------------------------------------------

double engine_row_dot(const engine* e, int k, const double* x)
{
  double sum = 0;
  if (e->sparse) {
    const engine_sparse* p = e->sparse;
    for (int i = p->A.start[k]; i < p->A.start[k + 1]; i++)
      sum += p->A_value[i] * x[p->A.column[i]];
    return sum;
  }
  for (int j = 0; j < e->n; j++) sum += e->A[k * e->n + j] * x[j];
  return sum;
}

static double norm_of(int n, const double* x)
{
  double sum = 0;
  for (int j = 0; j < n; j++) sum += x[j] * x[j];
  return sqrt(sum);
}

double engine_row_norm(const engine* e, int k)
{
  if (!e->sparse) return norm_of(e->n, e->A + k * e->n);
  const engine_sparse* p = e->sparse;
  return norm_of(p->A.start[k + 1] - p->A.start[k], p->A_value + p->A.start[k]);
}

double engine_level_norm(const engine* e, int k)
{
  return e->sparse ? engine_row_norm(e, k) : norm_of(e->n, e->LA + k * e->n);
}

double engine_mass_of(const engine* e, int i)
{
  return e->sparse ? e->sparse->M_value[e->sparse->diagonal[i]] : e->M[i * e->n + i];
}

// ---- factor -------------------------------------------------------------------------------------

static int without_mass(engine* e, int i)
{
  snprintf(e->reason, sizeof e->reason,
           "the mass matrix is singular: no mass resists an acceleration of `%s`",
           e->model->coord[i].name);
  return 1;
}

static int not_finite(engine* e)
{
  const engine_sparse* p = e->sparse;
  for (int i = 0; i < e->n; i++) {
    bool fine = isfinite(e->F[i]);
    for (int k = p->M.start[i]; k < p->M.start[i + 1]; k++) fine = fine && isfinite(p->M_value[k]);
    if (fine) continue;
    snprintf(e->reason, sizeof e->reason, "the equation of motion of `%s` has no finite value",
             e->model->coord[i].name);
    return 1;
  }
  for (int k = 0; k < e->m; k++) {
    bool fine = isfinite(e->c[k]);
    for (int i = p->A.start[k]; i < p->A.start[k + 1]; i++) fine = fine && isfinite(p->A_value[i]);
    if (fine || !e->mode.active[k]) continue;
    snprintf(e->reason, sizeof e->reason, "the constraint `%s` has no finite derivative",
             e->model->constraint[k].name);
    return 1;
  }
  return 0;
}

int engine_sparse_factor(engine* e, const bool* use, double tolerance)
{
  engine_sparse* p = e->sparse;
  code_run(e->program->eom, e->in, e->work.eom_out, e->work.scratch);
  p->factored = false;
  int bad = num_saddle_factor(p->motion, p->M_value, p->A_value, use, 0, tolerance);
  if (bad >= 0 && not_finite(e)) return 1;
  // masses that only the constraints make sense of: once and for all in the other way
  if (bad >= 0 && !p->stiff) {
    p->stiff = true;
    if (!find_order(e)) return without_mass(e, bad);
    bad = num_saddle_factor(p->motion, p->M_value, p->A_value, use, 0, tolerance);
  }
  if (bad >= 0) return without_mass(e, bad);
  p->factored = true;
  return 0;
}

int engine_sparse_accelerations(engine* e)
{
  engine_sparse* p = e->sparse;
  if (engine_sparse_factor(e, p->use, engine_sparse_pivot)) return 1;
  num_saddle_solve(p->motion, e->F, e->c, e->a, p->y);
  bool finite = true;
  for (int i = 0; i < e->n; i++) finite = finite && isfinite(e->a[i]);
  for (int k = 0; k < e->m; k++) p->lambda[k] = -p->y[k];
  if (finite) return 0;
  if (!not_finite(e)) snprintf(e->reason, sizeof e->reason, "the accelerations are not finite");
  return 1;
}

// M x
static void mass_times(const engine* e, const double* x, double* out)
{
  const engine_sparse* p = e->sparse;
  memset(out, 0, sizeof(double) * (size_t)e->n);
  for (int i = 0; i < e->n; i++)
    for (int k = p->M.start[i]; k < p->M.start[i + 1]; k++) {
      const int j = p->M.column[k];
      out[i] += p->M_value[k] * x[j];
      if (j != i) out[j] += p->M_value[k] * x[i];
    }
}

// g - A^T y
static void take_reactions(const engine* e, const double* y, double* g)
{
  const engine_sparse* p = e->sparse;
  for (int k = 0; k < e->m; k++)
    for (int i = p->A.start[k]; i < p->A.start[k + 1] && y[k] != 0; i++)
      g[p->A.column[i]] -= p->A_value[i] * y[k];
}

void engine_sparse_kept_reactions(engine* e)
{
  const engine_sparse* p = e->sparse;
  for (int k = 0; k < e->m; k++) e->lambda[k] = p->use[k] ? p->lambda[k] : 0;
}

double engine_sparse_push(const engine* e)
{
  const engine_sparse* p = e->sparse;
  double most = 0;
  for (int k = 0; k < e->m; k++)
    for (int i = p->A.start[k]; i < p->A.start[k + 1]; i++) {
      const double mass = p->M_value[p->diagonal[p->A.column[i]]];
      if (mass > 0) most = fmax(most, fabs(p->A_value[i] * p->lambda[k]) / mass);
    }
  return most;
}

// |A_k|^2 = sum_j A_kj^2/m_j, by which a reaction is measured, and A_k/|A_k|
static void measure_rows(engine* e)
{
  engine_sparse* p = e->sparse;
  engine_masses_here(e, e->work.here);
  for (int k = 0; k < e->m; k++) {
    double sum = 0;
    for (int i = p->A.start[k]; i < p->A.start[k + 1]; i++) {
      const double mass = e->work.here[p->A.column[i]];
      sum += mass > 0 ? p->A_value[i] * p->A_value[i] / mass : 0;
    }
    p->size[k] = sum > 0 ? sqrt(sum) : 1;
    for (int i = p->A.start[k]; i < p->A.start[k + 1]; i++)
      p->measured[i] = p->A_value[i] / p->size[k];
  }
}

// Where constraints are redundant: A^T Lambda = g = M a - F with sum_k |A_k|^2 Lambda_k^2 least (as
// in engine_plain_reactions), with rows of length one by
//   Lambda <- Lambda + (A A^T + eps)^-1 A (g - A^T Lambda),
// which stays in the range of A (the proximal point method, Rockafellar 1976): each turn leaves
// eps / (sigma^2 + eps) of what is along a singular value sigma.
double engine_sparse_reactions(engine* e)
{
  enum { most_turns = 200 };
  engine_sparse* p = e->sparse;
  engine_sparse_kept_reactions(e);
  if (!e->mode.implied_count) return 0;
  memset(e->lambda, 0, sizeof(double) * (size_t)e->m);
  p->factored = false;
  measure_rows(e);
  if (num_saddle_factor(p->motion, p->unit, p->measured, e->mode.active, engine_sparse_share, 0) >=
      0)
    return NAN;
  mass_times(e, e->a, p->f);
  double size = 0, left = 0, before = INFINITY;
  for (int i = 0; i < e->n; i++) {
    p->f[i] -= e->F[i];
    size = fmax(size, fabs(p->f[i]));
  }
  for (int turn = 0; turn < most_turns; turn++) {
    // x + A^T y = f, A x - eps y = 0: y = (A A^T + eps)^-1 A f
    num_saddle_solve(p->motion, p->f, NULL, p->x, p->y);
    for (int k = 0; k < e->m; k++) {
      p->y[k] /= p->size[k];
      e->lambda[k] += p->y[k];
    }
    take_reactions(e, p->y, p->f);
    left = norm_of(e->n, p->f);
    if (left <= engine_sparse_left * size || left > 0.9 * before) break;
    before = left;
  }
  return left;
}

void engine_sparse_split(engine* e, const double* a, double* Gamma, double* WL, double* WK)
{
  engine_sparse* p = e->sparse;
  bool* none = base_alloc((size_t)e->m + 1);
  double* W = p->x;
  engine_values(e, e->n, e->s->h, p->f);
  p->factored = false;
  bool fine = num_saddle_factor(p->motion, p->M_value, p->A_value, none, 0, 0) < 0;
  if (fine) num_saddle_solve(p->motion, p->f, NULL, Gamma, NULL);
  for (int i = 0; i < e->n; i++) W[i] = a[i] + Gamma[i];
  if (fine) mass_times(e, W, p->f);
  fine = fine &&
         num_saddle_factor(p->motion, p->M_value, p->A_value, p->use, 0, engine_sparse_pivot) < 0;
  if (fine) num_saddle_solve(p->motion, p->f, NULL, WL, NULL);
  for (int i = 0; i < e->n; i++) {
    if (!fine) Gamma[i] = WL[i] = W[i] = NAN;
    WK[i] = W[i] - WL[i];
  }
  free(none);
}

// ---- velocities and positions -------------------------------------------------------------------

// M (v+ - v) + A^T y = g, f1(v+) = 0; the velocity level is linear
int engine_sparse_kick(engine* e, const double* g)
{
  engine_sparse* p = e->sparse;
  if (engine_sparse_factor(e, p->use, engine_sparse_pivot)) return 1;
  for (int turn = 0; turn < 3; turn++) {
    if (e->m) code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
    for (int k = 0; k < e->m; k++)
      p->c[k] = e->model->constraint[k].order == 2 || !p->use[k] ? 0 : -e->f1[k];
    num_saddle_solve(p->motion, turn ? NULL : g, p->c, p->x, p->y);
    for (int i = 0; i < e->n; i++) e->v[i] += p->x[i];
  }
  return 0;
}

// largest f over its gradient, and -f of the level into p->c
static double distance_of(const engine* e, int level)
{
  const engine_sparse* p = e->sparse;
  const double* f = level == 0 ? e->f0 : e->f1;
  double most = 0;
  for (int k = 0; k < e->m; k++) {
    p->c[k] = 0;
    if (!p->use[k] || e->model->constraint[k].order > level) continue;
    p->c[k] = -f[k];
    const double norm = engine_row_norm(e, k);
    const double d = norm > 0 ? fabs(f[k]) / norm : fabs(f[k]);
    if (!(d <= most)) most = d; // keeps a nan
  }
  return most;
}

static double largest(int n, const double* x)
{
  double most = 1;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

// Newton's steps with a factor of some state near by, made anew where they do not shorten the way;
// the step is the shortest in the metric of the kinetic energy.
int engine_sparse_project(engine* e, int level, double noise, double* y, bool* moved)
{
  enum { most_turns = 12 };
  engine_sparse* p = e->sparse;
  double before = INFINITY;
  bool fresh = !p->factored;
  if (fresh && engine_sparse_factor(e, p->use, engine_sparse_pivot)) return 1;
  for (int turn = 0; turn < most_turns; turn++) {
    code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
    const double distance = distance_of(e, level), scale = largest(e->n, y);
    if (distance <= noise * scale) return 0;
    // no more progress: rounding has been reached
    if (fresh && turn > 1 && distance >= 0.5 * before && distance < engine_hopeless * scale)
      return 0;
    if (!isfinite(distance)) break;
    const bool slow = distance > 0.1 * before;
    if (slow && engine_sparse_factor(e, p->use, engine_sparse_pivot)) return 1;
    fresh = slow;
    before = distance;
    num_saddle_solve(p->motion, NULL, p->c, p->x, p->y);
    for (int i = 0; i < e->n; i++) y[i] += p->x[i];
    *moved = true;
  }
  if (before < engine_hopeless * largest(e->n, y)) {
    code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
    return 0;
  }
  snprintf(e->reason, sizeof e->reason,
           "the %s cannot be brought back to the constraints (off by %.3g)",
           level == 0 ? "position" : "velocity", before);
  return 1;
}
