// Accelerations found together with the forces that depend on them: laws of resistance that hold
// reactions, controls of servo constraints, and corners held between their sides.
//
//   M a = F(Lambda, u, sigma) + A^T Lambda      the motion; F holds the controls u
//   A a = c                                     ideal constraints
//   A_s a = c_s                                 the constraints that lead the controls
//   s_i'(a) = 0                                 corners at which the motion is held, sigma_i theirs
//
// For given sides of the corners all of it is smooth, mostly affine, and solved by Newton's method.
// Corners that lie in the reactions themselves, as in mu*abs(reaction(C)), have no side known in
// advance; decide.c finds them.
#include "engine/engine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { most_turns = 40 };

// the numbering of the unknowns: accelerations, forces of constraints, held corners
typedef struct layout
{
  int n, forces, held, size;
} layout;

// a servo constraint as written: its force is a control
static bool is_control(const engine* e, int k)
{
  return !engine_is_ideal(e, k) && k < e->s->written;
}

static layout lay_out(const engine* e, bool hold)
{
  layout l = {.n = e->n};
  for (int r = 0; r < e->mode.rows; r++)
    l.forces += engine_is_ideal(e, e->mode.row[r]) || is_control(e, e->mode.row[r]);
  for (int i = 0; hold && i < e->program->modes.count; i++) l.held += e->mode.held[i];
  l.size = l.n + l.forces + l.held;
  return l;
}

// ---- one linear problem -------------------------------------------------------------------------

static void fill_motion(engine* e, const layout* l)
{
  const int n = l->n, m = e->m, corners = e->program->modes.count;
  const double *D = e->work.coupling_out, *Ds = D + n * m;
  for (int i = 0; i < n; i++) {
    double* K = e->work.K + i * l->size;
    double right = e->F[i];
    for (int j = 0; j < n; j++) {
      K[j] = e->M[i * n + j];
      right -= e->M[i * n + j] * e->a[j];
    }
    int at = n;
    for (int r = 0; r < e->mode.rows; r++) {
      const int k = e->mode.row[r];
      const bool ideal = engine_is_ideal(e, k);
      if (!ideal && !is_control(e, k)) continue;
      K[at] = -D[i * m + k];
      if (ideal) {
        K[at] -= e->A[k * n + i];
        right += e->A[k * n + i] * e->lambda[k];
      }
      at++;
    }
    for (int c = 0; c < corners && at < l->size; c++)
      if (e->mode.held[c]) K[at++] = -Ds[i * corners + c];
    e->work.K_right[i] = right;
  }
}

static void fill_rows(engine* e, const layout* l)
{
  const int n = l->n, corners = e->program->modes.count;
  const double* R = e->work.coupling_out + n * e->m + n * corners;
  int at = n;
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r];
    if (!engine_is_ideal(e, k) && !e->mode.leads[k]) continue;
    memcpy(e->work.K + at * l->size, e->A + k * n, sizeof(double) * (size_t)n);
    e->work.K_right[at] = e->c[k];
    for (int j = 0; j < n; j++) e->work.K_right[at] -= e->A[k * n + j] * e->a[j];
    at++;
  }
  if (at < l->size) code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  for (int c = 0; c < corners && at < l->size; c++) {
    if (!e->mode.held[c]) continue;
    memcpy(e->work.K + at * l->size, R + c * n, sizeof(double) * (size_t)n);
    e->work.K_right[at++] = -e->work.switching[corners + c];
  }
}

// rows of one size, so that pivots can be compared
static bool balance(engine* e, int size)
{
  for (int i = 0; i < size; i++) {
    double most = 0;
    for (int j = 0; j < size; j++) most = fmax(most, fabs(e->work.K[i * size + j]));
    if (!(most > 0) || !isfinite(most)) return false;
    for (int j = 0; j < size; j++) e->work.K[i * size + j] /= most;
    e->work.K_right[i] /= most;
  }
  return true;
}

static bool regular(const engine* e, int size)
{
  double least = INFINITY, most = 0;
  for (int i = 0; i < size; i++) {
    least = fmin(least, fabs(e->work.K[i * size + i]));
    most = fmax(most, fabs(e->work.K[i * size + i]));
  }
  return least > 1e-13 * most;
}

static double size_of_step(const engine* e, const layout* l)
{
  double most = 0;
  for (int i = 0; i < l->size; i++) most = fmax(most, fabs(e->work.K_step[i]));
  for (int i = 0; i < e->n; i++) most = fmax(most, fabs(e->a[i]));
  for (int k = 0; k < e->m; k++) most = fmax(most, fabs(e->lambda[k]));
  return most;
}

// Corners that hold the same motion, as both feet of a box at rest, share the force in any way: the
// least values of all are taken. Accelerations and reactions must be determined all the same.
static bool shared_holds(engine* e, const layout* l)
{
  const int size = l->size, first = size - l->held;
  if (l->held < 2) return false;
  for (int i = 0, at = first; i < e->program->modes.count; i++) {
    if (!e->mode.held[i]) continue;
    for (int r = 0; r < size; r++) e->work.K_right[r] += e->work.K_kept[r * size + at] * e->side[i];
    at++;
  }
  const int rank = num_null_factor(e->work.K_null, size, size, e->work.K_kept, 1e-11),
            open = size - rank;
  num_null_basis(e->work.K_null, e->work.K_basis);
  for (int r = 0; r < first; r++)
    for (int k = 0; k < open; k++)
      if (fabs(e->work.K_basis[r * open + k]) > 1e-8) return false;
  num_null_solve(e->work.K_null, e->work.K_kept, e->work.K_right, e->work.K_step);
  for (int r = 0; r < size; r++) {
    double left = -e->work.K_right[r], scale = fabs(e->work.K_right[r]);
    for (int j = 0; j < size; j++) {
      left += e->work.K_kept[r * size + j] * e->work.K_step[j];
      scale += fabs(e->work.K_kept[r * size + j] * e->work.K_step[j]);
    }
    // rows say the same to rounding of the accelerations, or the corners do not hold together
    if (fabs(left) > 1e-7 * scale + 1e-9 * size_of_step(e, l)) return false;
  }
  memcpy(e->work.K_right, e->work.K_step, sizeof(double) * (size_t)size);
  for (int i = 0, at = first; i < e->program->modes.count; i++)
    if (e->mode.held[i]) e->work.K_right[at++] -= e->side[i];
  return true;
}

// the correction of all unknowns, into K_right; false where it is not determined
static bool correction(engine* e, const layout* l)
{
  memset(e->work.K, 0, sizeof(double) * (size_t)(l->size * l->size));
  code_run(e->program->eom, e->in, e->work.eom_out, e->work.scratch);
  code_run(e->program->coupling, e->in, e->work.coupling_out, e->work.scratch);
  // a law such as hypot of two reactions has no slope where both are zero: none is as good as any
  for (int i = 0; i < e->n * (e->m + e->program->modes.count); i++)
    if (isnan(e->work.coupling_out[i])) e->work.coupling_out[i] = 0;
  fill_motion(e, l);
  fill_rows(e, l);
  if (!balance(e, l->size)) return false;
  memcpy(e->work.K_kept, e->work.K, sizeof(double) * (size_t)(l->size * l->size));
  if (!num_lu(l->size, e->work.K, e->work.K_pivot) || !regular(e, l->size))
    return shared_holds(e, l);
  num_lu_solve(l->size, e->work.K, e->work.K_pivot, e->work.K_right);
  return true;
}

// ---- Newton -------------------------------------------------------------------------------------

// add the correction; false where it is not a number
static bool advance(engine* e, const layout* l)
{
  int at = 0;
  for (int i = 0; i < l->size; i++)
    if (!isfinite(e->work.K_right[i])) return false;
  for (; at < l->n; at++) e->a[at] += e->work.K_right[at];
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r];
    if (engine_is_ideal(e, k) || is_control(e, k)) e->lambda[k] += e->work.K_right[at++];
  }
  for (int c = 0; c < e->program->modes.count && at < l->size; c++)
    if (e->mode.held[c]) e->side[c] += e->work.K_right[at++];
  return true;
}

// How much the slopes of the forces differ from those of the turn before. Where they are the same
// the problem is affine there and the last correction was exact but for rounding, however large the
// terms are that cancel in it.
static double slopes_moved(engine* e)
{
  const int count = e->n * (e->m + e->program->modes.count);
  double moved = 0, size = 0;
  for (int i = 0; i < count; i++) {
    moved = fmax(moved, fabs(e->work.coupling_out[i] - e->work.coupling_before[i]));
    size = fmax(size, fabs(e->work.coupling_out[i]));
    e->work.coupling_before[i] = e->work.coupling_out[i];
  }
  return moved > 0 ? moved / size : 0;
}

static int not_determined(engine* e)
{
  int lead = -1;
  for (int r = 0; r < e->mode.rows; r++)
    if (is_control(e, e->mode.row[r]) && lead < 0) lead = e->mode.row[r];
  if (lead >= 0)
    snprintf(e->reason, sizeof e->reason,
             "the control of `%s` along `%s` has no influence on it in this configuration%s",
             e->model->constraint[lead].name, e->model->constraint[lead].by,
             e->s->role[lead].index ? "" : "; what is hidden behind it was too large to be found");
  else
    snprintf(e->reason, sizeof e->reason,
             "the reactions are not determined together with the forces that depend on them");
  return 1;
}

static int newton(engine* e, bool hold)
{
  const layout l = lay_out(e, hold);
  for (int turn = 0; turn < most_turns; turn++) {
    if (!correction(e, &l) || !advance(e, &l)) return not_determined(e);
    if (slopes_moved(e) <= 1e-14 && turn > 0) return 0;
  }
  snprintf(e->reason, sizeof e->reason,
           "no reactions were found together with the forces that depend on them");
  return 1;
}

// reactions of constraints that are off, or set aside, are none
static void clear_idle(engine* e)
{
  for (int k = 0; k < e->m; k++) {
    const bool idle = !e->mode.active[k] || e->mode.implied[k] || k >= e->s->written;
    if (idle || !isfinite(e->lambda[k])) e->lambda[k] = 0;
  }
  for (int i = 0; i < e->n; i++)
    if (!isfinite(e->a[i])) e->a[i] = 0;
}

static void release_sides(engine* e)
{
  clear_idle(e);
  for (int i = 0; i < e->program->modes.count; i++)
    if (e->mode.held[i]) e->side[i] = 0;
}

int engine_coupled_solve(engine* e)
{
  e->factored = false;
  clear_idle(e);
  for (int i = 0; i < e->program->modes.count; i++)
    if (e->mode.held[i] && !(fabs(e->side[i]) <= 1)) e->side[i] = 0;
  if (!e->mode.held_count) return newton(e, false);
  if (!newton(e, true)) return 0;
  // friction without a first guess of the pressure: as if there were none, then with it
  release_sides(e);
  if (!newton(e, false) && !newton(e, true)) return 0;
  // the pressure may come from the friction itself: begin with one of the size of the forces
  release_sides(e);
  double size = 0;
  for (int i = 0; i < e->n; i++) size = fmax(size, fabs(e->F[i]));
  for (int k = 0; k < e->m; k++)
    if (e->mode.active[k] && !e->mode.implied[k] && engine_is_ideal(e, k))
      e->lambda[k] = e->model->constraint[k].sense < 0 ? -size : size;
  return newton(e, true);
}
