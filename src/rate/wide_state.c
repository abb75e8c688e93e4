// States with twice the digits: back to the constraints, and the initial one.
//
// Both are Newton's method with residuals of twice the digits and matrices of doubles, as in
// project.c and start.c: every turn gains about sixteen digits.
#include "rate/rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_turns = 8 };

// ---- constraints --------------------------------------------------------------------------------

static base_wide level(const rate_wide* w, int which)
{
  return code_wide_out(w->levels.code, w->levels.scratch, which, 0);
}

static double gradient_norm(const rate_wide* w, int k)
{
  const engine* e = w->e;
  double sum = 0;
  for (int j = 0; j < e->n; j++) {
    e->LA[k * e->n + j] = level(w, 2 * e->m + k * e->n + j).hi;
    sum += e->LA[k * e->n + j] * e->LA[k * e->n + j];
  }
  return sqrt(sum);
}

// the rows of one level (0 or 1) into Ar and br; returns how many, and the largest f over its
// gradient
static int pack(rate_wide* w, int which, double* distance)
{
  engine* e = w->e;
  int rows = 0;
  *distance = 0;
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r];
    if (e->model->constraint[k].order > which) continue;
    const double f = level(w, which * e->m + k).hi, norm = gradient_norm(w, k);
    const double d = norm > 0 ? fabs(f) / norm : fabs(f);
    if (!(d <= *distance)) *distance = d; // keeps a nan
    memcpy(e->work.Ar + rows * e->n, e->LA + k * e->n, sizeof(double) * (size_t)e->n);
    e->work.br[rows++] = -f;
  }
  return rows;
}

static double largest(int n, const base_wide* x)
{
  double most = 1;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i].hi));
  return most;
}

static int settle_level(rate_wide* w, int which, base_wide t, base_wide* y)
{
  engine* e = w->e;
  base_wide* moves = y + which * e->n;
  double before = INFINITY;
  for (int turn = 0; turn < most_turns; turn++) {
    double distance;
    rate_wide_load(w, t, y);
    rate_wide_evaluate(w, &w->levels);
    const int rows = pack(w, which, &distance);
    const double size = largest(e->n, moves);
    if (distance <= engine_wide_exact * size) return 0;
    if (turn > 1 && distance >= 0.5 * before && distance < engine_wide_near_exact * size) return 0;
    if (!isfinite(distance)) return 1;
    before = distance;
    e->factored = false;
    num_null_factor(e->work.null, rows, e->n, e->work.Ar, engine_weak_pivot);
    num_null_solve(e->work.null, e->work.Ar, e->work.br, e->work.x);
    for (int i = 0; i < e->n; i++) moves[i] = base_wide_add(moves[i], base_wide_of(e->work.x[i]));
  }
  return !(before < engine_wide_near_exact * largest(e->n, moves));
}

// one row needs no factors
static void shortest(engine* e, int rows)
{
  double norm = 0;
  for (int j = 0; j < e->n; j++) norm += e->work.Ar[j] * e->work.Ar[j];
  if (rows == 1 && norm > 0) {
    for (int j = 0; j < e->n; j++) e->work.x[j] = e->work.Ar[j] * (e->work.br[0] / norm);
    return;
  }
  e->factored = false;
  num_null_factor(e->work.null, rows, e->n, e->work.Ar, engine_weak_pivot);
  num_null_solve(e->work.null, e->work.Ar, e->work.br, e->work.x);
}

int rate_wide_nudge(void* flow, base_wide t, base_wide* y)
{
  const rate_flow* f = flow;
  rate_wide* w = f->levels;
  engine* e = w->e;
  for (int which = 0; which < 2; which++) {
    base_wide* moves = y + which * e->n;
    double distance;
    rate_wide_load(w, t, y);
    rate_wide_evaluate(w, &w->levels);
    const int rows = pack(w, which, &distance);
    if (!isfinite(distance)) return 1;
    if (!rows) continue;
    shortest(e, rows);
    for (int i = 0; i < e->n; i++) moves[i] = base_wide_add(moves[i], base_wide_of(e->work.x[i]));
  }
  return 0;
}

static void keep_residuals(rate_wide* w)
{
  const engine* e = w->e;
  for (int k = 0; k < e->m; k++) {
    const int order = e->model->constraint[k].order;
    w->position[k] = order == 0 && e->mode.active[k] ? fabs(level(w, k).hi) : NAN;
    w->velocity[k] = order <= 1 && e->mode.active[k] ? fabs(level(w, e->m + k).hi) : NAN;
  }
}

int rate_wide_settle(void* flow, base_wide t, base_wide* y)
{
  const rate_flow* f = flow;
  rate_wide* w = f->wide;
  if (!w->e->mode.rows) return 0;
  if (settle_level(w, 0, t, y) || settle_level(w, 1, t, y)) return 1;
  keep_residuals(w);
  return 0;
}

void rate_wide_residuals(rate_wide* w, double* position, double* velocity)
{
  if (!w->e->m) return;
  memcpy(position, w->position, sizeof(double) * (size_t)w->e->m);
  memcpy(velocity, w->velocity, sizeof(double) * (size_t)w->e->m);
}

// ---- the initial state --------------------------------------------------------------------------

// values given for coordinates and velocities by themselves, where they were taken
static bool take_values(rate_wide* w, int count, const model_initial* initial)
{
  engine* e = w->e;
  BASE_LIST(expr) list = {0};
  for (int i = 0; i < count; i++)
    if (initial[i].coord >= 0) base_push(&list, initial[i].value);
  rate_wide_part values = rate_wide_part_new(e, list.n, list.at, 0, 0, true);
  base_list_free(&list);
  if (!values.code) return false;
  rate_wide_evaluate(w, &values);
  for (int i = 0, at = 0; i < count; i++) {
    if (initial[i].coord < 0) continue;
    const base_wide given = code_wide_out(values.code, values.scratch, at++, 0);
    base_wide* x = &w->y[initial[i].order * e->n + initial[i].coord];
    if (fabs(given.hi - x->hi) <= engine_same_double * fabs(x->hi)) *x = given;
  }
  code_wide_free(values.code);
  return true;
}

// initial equations and constraints, then their derivatives by q and v
static rate_wide_part build_equations(rate_wide* w, int count, const model_initial* initial,
                                      int* equations)
{
  engine* e = w->e;
  const mech_system* s = e->s;
  const int n2 = 2 * e->n;
  BASE_LIST(expr) list = {0};
  for (int i = 0; i < count; i++)
    if (!initial[i].guess && initial[i].coord != MODEL_TIME) base_push(&list, initial[i].f);
  for (int r = 0; r < e->mode.rows; r++) {
    if (s->f0[e->mode.row[r]] != EXPR_NONE) base_push(&list, s->f0[e->mode.row[r]]);
    if (s->f1[e->mode.row[r]] != EXPR_NONE) base_push(&list, s->f1[e->mode.row[r]]);
  }
  *equations = list.n;
  expr* slope = base_alloc(sizeof *slope * (size_t)(n2 + 1));
  base_kept_lock(s->kept);
  for (int i = 0; i < *equations; i++) {
    expr_gradient(s->pool, list.at[i], n2, e->program->input + 1, slope);
    for (int j = 0; j < n2; j++) base_push(&list, slope[j]);
  }
  base_kept_unlock(s->kept);
  const rate_wide_part part = rate_wide_part_new(e, list.n, list.at, 0, 0, true);
  base_list_free(&list);
  free(slope);
  return part;
}

// what is left of the equations after Newton's method on all of w->y, relative to the state
static double solve_equations(rate_wide* w, base_wide t, const rate_wide_part* part, int equations)
{
  const int n2 = 2 * w->e->n;
  num_null* null = num_null_new(equations ? equations : 1, n2);
  double *J = base_alloc(sizeof *J * (size_t)(equations * n2 + 1)),
         *right = base_alloc(sizeof *right * (size_t)(equations + 1)),
         *step = base_alloc(sizeof *step * (size_t)(n2 + 1)), left = INFINITY;
  for (int turn = 0; turn < most_turns; turn++) {
    rate_wide_load(w, t, w->y);
    rate_wide_evaluate(w, part);
    const double before = left;
    left = 0;
    for (int i = 0; i < equations; i++) {
      double norm = 0;
      for (int j = 0; j < n2; j++) {
        J[i * n2 + j] = code_wide_out(part->code, part->scratch, equations + i * n2 + j, 0).hi;
        norm = fmax(norm, fabs(J[i * n2 + j]));
      }
      right[i] = -code_wide_out(part->code, part->scratch, i, 0).hi;
      const double off = fabs(right[i]) / (norm > 0 ? norm : 1);
      if (!(off <= left)) left = off;
    }
    left /= largest(n2, w->y);
    if (left <= engine_wide_exact || !isfinite(left)) break;
    if (turn > 2 && left >= 0.5 * before) break;
    num_null_factor(null, equations, n2, J, engine_wide_rank);
    num_null_solve(null, J, right, step);
    for (int i = 0; i < n2; i++) w->y[i] = base_wide_add(w->y[i], base_wide_of(step[i]));
  }
  free(J);
  free(right);
  free(step);
  num_null_free(null);
  return left;
}

bool rate_wide_start(rate_wide* w, base_wide t, int count, const model_initial* initial,
                     base_notes* notes)
{
  engine* e = w->e;
  for (int i = 0; i < 2 * e->n; i++) w->y[i] = base_wide_of(e->q[i]);
  w->y[2 * e->n] = base_wide_of(0);
  rate_wide_load(w, t, w->y);
  int equations;
  rate_wide_part part = build_equations(w, count, initial, &equations);
  const bool ready = part.code && take_values(w, count, initial);
  const double left = ready ? solve_equations(w, t, &part, equations) : INFINITY;
  code_wide_free(part.code);
  if (left <= engine_wide_near_exact) return true;
  base_error(notes, BASE_NOWHERE,
             "the initial state is not determined to more digits than a double has (%.2g is left)",
             left);
  base_help(notes, "a tolerance of 1e-15 or more needs no more than those");
  return false;
}
