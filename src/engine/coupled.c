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
#include "engine/coupled.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { most_turns = 40 };

typedef engine_layout layout;

// a servo constraint as written: its force is a control
static bool is_control(const engine* e, int k)
{
  return !engine_is_ideal(e, k) && k < e->s->written;
}

// a reaction or a control: an unknown
bool engine_coupled_has_force(const engine* e, int k)
{
  return engine_is_ideal(e, k) || is_control(e, k);
}

engine_layout engine_coupled_lay_out(const engine* e, bool hold)
{
  layout l = {.n = e->n};
  for (int r = 0; r < e->mode.rows; r++) l.forces += engine_coupled_has_force(e, e->mode.row[r]);
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
      if (!engine_coupled_has_force(e, k)) continue;
      K[at] = -D[i * m + k];
      if (engine_is_ideal(e, k)) {
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
  const double *R = e->work.coupling_out + n * e->m + n * corners, *R2 = e->work.turn_out + corners;
  int at = n;
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r];
    if (!engine_is_ideal(e, k) && !e->mode.leads[k]) continue;
    memcpy(e->work.K + at * l->size, e->A + k * n, sizeof(double) * (size_t)n);
    e->work.K_right[at] = e->c[k];
    for (int j = 0; j < n; j++) e->work.K_right[at] -= e->A[k * n + j] * e->a[j];
    at++;
  }
  if (at < l->size) engine_corner_rates(e);
  for (int c = 0; c < corners && at < l->size; c++) {
    if (!e->mode.held[c]) continue;
    memcpy(e->work.K + at * l->size, (e->mode.twice[c] ? R2 : R) + c * n,
           sizeof(double) * (size_t)n);
    e->work.K_right[at++] = -e->work.switching[corners + c];
  }
}

// inlined, and nan counts for nothing
static inline double larger(double a, double b)
{
  return b > a ? b : a;
}

// Without mass a row is measured by the largest of its forces: the first may be one by rounding
// alone, and so may the mass be, as that of a part of a quaternion which is all of it. own: the
// largest of its masses, or of its rates, in the metric.
static double size_of_row(const engine* e, const layout* l, int i, double own)
{
  const bool massless = own == 0 || (i < l->n && own * e->work.unit[i] < engine_hardly_mass);
  for (int j = l->n; j < l->size && massless; j++)
    own = larger(own, fabs(e->work.K[i * l->size + j]));
  return own;
}

// Rows and columns of one size, so that pivots can be compared, whatever their units: in the metric
// of the kinetic energy, then by the largest of each row and of each column of forces. The unknowns
// become x_j / K_column_j, the right side is that over K_row_i.
static bool balance(engine* e, const layout* l)
{
  const int size = l->size, n = l->n;
  double *K = e->work.K, *column = e->work.K_column;
  for (int j = 0; j < size; j++) column[j] = j < n ? e->work.unit[j] : 1;
  for (int i = 0; i < size; i++) {
    double *row = K + i * size, most = 0;
    for (int j = 0; j < n; j++) {
      row[j] *= column[j];
      most = larger(most, fabs(row[j]));
    }
    most = size_of_row(e, l, i, most);
    if (!(most > 0) || !isfinite(most)) return false;
    for (int j = 0; j < size; j++) row[j] /= most;
    e->work.K_right[i] /= most;
    e->work.K_row[i] = most;
  }
  for (int j = n; j < size; j++) column[j] = 0;
  for (int i = 0; i < size; i++)
    for (int j = n; j < size; j++) column[j] = larger(column[j], fabs(K[i * size + j]));
  for (int j = n; j < size; j++)
    if (!(column[j] > 0) || !isfinite(column[j])) return false;
  for (int i = 0; i < size; i++)
    for (int j = n; j < size; j++)
      if (K[i * size + j] != 0) K[i * size + j] /= column[j];
  for (int j = n; j < size; j++) column[j] = 1 / column[j];
  return true;
}

static double size_of_step(const engine* e, const layout* l)
{
  const double* column = e->work.K_column;
  double most = 0;
  for (int i = 0; i < l->size; i++) most = fmax(most, fabs(e->work.K_step[i]));
  for (int i = 0; i < e->n; i++) most = fmax(most, fabs(e->a[i]) / column[i]);
  for (int r = 0, at = e->n; r < e->mode.rows; r++)
    if (engine_coupled_has_force(e, e->mode.row[r]))
      most = fmax(most, fabs(e->lambda[e->mode.row[r]]) / column[at++]);
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
    for (int r = 0; r < size; r++)
      e->work.K_right[r] += e->work.K_kept[r * size + at] * e->side[i] / e->work.K_column[at];
    at++;
  }
  const int rank = num_null_factor(e->work.K_null, size, size, e->work.K_kept, engine_not_shared),
            open = size - rank;
  num_null_basis(e->work.K_null, e->work.K_basis);
  for (int r = 0; r < first; r++)
    for (int k = 0; k < open; k++)
      if (fabs(e->work.K_basis[r * open + k]) > engine_shared_motion) return false;
  num_null_solve(e->work.K_null, e->work.K_kept, e->work.K_right, e->work.K_step);
  for (int r = 0; r < size; r++) {
    double left = -e->work.K_right[r], scale = fabs(e->work.K_right[r]);
    for (int j = 0; j < size; j++) {
      left += e->work.K_kept[r * size + j] * e->work.K_step[j];
      scale += fabs(e->work.K_kept[r * size + j] * e->work.K_step[j]);
    }
    // rows say the same to rounding of the accelerations, or the corners do not hold together
    if (fabs(left) > engine_shared_rows * scale + engine_shared_size * size_of_step(e, l))
      return false;
  }
  memcpy(e->work.K_right, e->work.K_step, sizeof(double) * (size_t)size);
  for (int i = 0, at = first; i < e->program->modes.count; i++)
    if (e->mode.held[i]) {
      e->work.K_right[at] -= e->side[i] / e->work.K_column[at];
      at++;
    }
  return true;
}

// the slopes of the forces by a reaction or control, or by a corner behind these
typedef struct slopes
{
  int first, stride;
} slopes;

static slopes slopes_of(const engine* e, int column)
{
  const int corners = e->program->modes.count;
  return column < e->m ? (slopes){column, e->m} : (slopes){e->n * e->m + column - e->m, corners};
}

// forces depend on few of many reactions: slopes by the others are none
static bool has_slopes(const engine* e, int column)
{
  return column >= e->m || e->program->felt[column] || !e->s->role[column].ideal;
}

// a law such as hypot of two reactions has no slope where both are zero: none is as good as any
static void clear_slopes(engine* e)
{
  for (int column = 0; column < e->m + e->program->modes.count; column++) {
    const slopes of = slopes_of(e, column);
    for (int i = 0; i < e->n && has_slopes(e, column); i++)
      if (isnan(e->work.coupling_out[of.first + i * of.stride]))
        e->work.coupling_out[of.first + i * of.stride] = 0;
  }
}

void engine_coupled_see(engine* e)
{
  engine_equations(e);
  code_run(e->program->coupling, e->in, e->work.coupling_out, e->work.scratch);
  clear_slopes(e);
}

bool engine_coupled_fill(engine* e, const engine_layout* l)
{
  memset(e->work.K, 0, sizeof(double) * (size_t)(l->size * l->size));
  fill_motion(e, l);
  fill_rows(e, l);
  return balance(e, l);
}

// the correction of all unknowns, into K_right; false where it is not determined
static bool correction(engine* e, layout* l)
{
  engine_coupled_see(e);
  if (!engine_coupled_fill(e, l)) return false;
  memcpy(e->work.K_kept, e->work.K, sizeof(double) * (size_t)(l->size * l->size));
  memcpy(e->work.K_step, e->work.K_right, sizeof(double) * (size_t)l->size);
  l->sign = num_lu_apart(l->size, e->work.K, e->work.K_step, engine_least_pivot, e->work.K_apart);
  if (l->sign)
    memcpy(e->work.K_right, e->work.K_step, sizeof(double) * (size_t)l->size);
  else if (!shared_holds(e, l))
    return false;
  for (int j = 0; j < l->size; j++) e->work.K_right[j] *= e->work.K_column[j];
  return true;
}

int engine_coupled_not_determined(engine* e)
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

// ---- Newton -------------------------------------------------------------------------------------

// how large a correction is, and what it was added to, both in units of their columns
typedef struct correction_size
{
  double step, whole;
} correction_size;

static void add(engine* e, int at, double* unknown, correction_size* size)
{
  const double step = e->work.K_right[at], unit = e->work.K_column[at];
  *unknown += step;
  size->step = larger(size->step, fabs(step) / unit);
  size->whole = larger(size->whole, fabs(*unknown) / unit);
}

// add the correction; false where it is not a number
static bool advance(engine* e, const layout* l, correction_size* size)
{
  int at = 0;
  *size = (correction_size){0};
  for (int i = 0; i < l->size; i++)
    if (!isfinite(e->work.K_right[i])) return false;
  for (; at < l->n; at++) add(e, at, &e->a[at], size);
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r];
    if (engine_coupled_has_force(e, k)) add(e, at++, &e->lambda[k], size);
  }
  for (int c = 0; c < e->program->modes.count && at < l->size; c++)
    if (e->mode.held[c]) add(e, at++, &e->side[c], size);
  return true;
}

// is a column of slopes part of the problem? those of corners only where they are held
static bool counts(const engine* e, int column, bool hold)
{
  return column < e->m ? e->mode.active[column] : hold && e->mode.held[column - e->m];
}

// How much the slopes of the forces differ from those of the turn before, each column of its own
// size, reactions and sides having different units: that of a reaction is what it does by itself,
// too, as the friction it lends may be none. Where they are the same the problem is affine there
// and the last correction was exact but for rounding, however large the terms are that cancel in
// it.
static double slopes_moved(engine* e, bool hold)
{
  double most = 0;
  for (int column = 0; column < e->m + e->program->modes.count; column++) {
    if (!has_slopes(e, column) || !counts(e, column, hold)) continue;
    const slopes of = slopes_of(e, column);
    const double* own = column < e->m && engine_is_ideal(e, column) ? e->A + column * e->n : NULL;
    double moved = 0, size = 0;
    for (int i = 0; i < e->n; i++) {
      const int at = of.first + i * of.stride;
      const double now = e->work.coupling_out[at], unit = e->work.unit[i];
      moved = larger(moved, unit * fabs(now - e->work.coupling_before[at]));
      size = larger(size, unit * larger(fabs(now), own ? fabs(own[i]) : 0));
      e->work.coupling_before[at] = now;
    }
    if (moved > 0) most = fmax(most, moved / size);
  }
  return most;
}

// Has the determinant of the problem changed its sign since the rows, sides and unknowns are those
// of now? Then a step has passed over a place where the reactions have no bound, and what it finds
// behind it is no motion that comes from before (Painleve's paradox). In a run only: elsewhere
// states do not follow each other.
bool engine_is_turned(engine* e, engine_orientation now)
{
  if (!e->look_ahead || e->deciding) return false;
  const engine_orientation* was = &e->orientation;
  const bool same = was->size == now.size && was->held == now.held && was->sides == now.sides;
  if (same && now.sign && was->sign == -now.sign) return true;
  e->orientation = now;
  return false;
}

static bool is_turned(engine* e, const layout* l)
{
  engine_orientation now = {.sign = l->sign, .size = l->size, .held = l->held};
  for (int i = 0; i < e->program->modes.count; i++)
    if (!e->mode.held[i]) now.sides = 31 * now.sides + (e->side[i] > 0) + 1;
  return engine_is_turned(e, now);
}

static int newton(engine* e, bool hold)
{
  layout l = engine_coupled_lay_out(e, hold);
  double before = INFINITY, step = INFINITY;
  for (int turn = 0; turn < most_turns; turn++) {
    correction_size size;
    if (!correction(e, &l) || !advance(e, &l, &size)) return engine_coupled_not_determined(e);
    const double moved = slopes_moved(e, hold);
    const bool rounding = moved >= before && moved <= engine_noise_force;
    // A first guess beyond all bounds, as a step that was much too long leaves, has a rounding that
    // is more than the answer: the correction is to be small against that, or fall no more.
    const bool exact = size.step <= engine_near_answer * size.whole || size.step >= step;
    if (turn > 0 && exact && (moved <= engine_noise_slope || rounding))
      return is_turned(e, &l) ? engine_coupled_not_determined(e) : 0;
    before = moved;
    step = size.step;
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
  if (!e->mode.held_count) {
    if (!newton(e, false)) return 0;
    // by no guess at all, where the last one was as far off as numbers reach
    memset(e->a, 0, sizeof(double) * (size_t)e->n);
    memset(e->lambda, 0, sizeof(double) * (size_t)e->m);
    return newton(e, false);
  }
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
