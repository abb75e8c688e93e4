// One step of time-stepping.
//
// Moreau (1988, 1999), Jean (1999): a step takes velocities from v to v+ by the impulses of forces
// and of all contacts in it, impacts or not,
//   W (v+ - v) = h F(t + h/2, q + h v/2, v) + A^T P,   W = M - h/2 dF/dq' - h^2/4 dG/dq,
//   q+ = q + h (v + v+)/2,
// the midpoint rule made linear (theta = 1/2), G being F without terms of inertia in the velocities
// (moreau_build.c). Contacts whose gap would close without impulses take
// part with Newton's law of impact, P >= 0, u+ + e u- >= 0, complementary, and with Coulomb's law
// |P_t| <= mu P; bilateral constraints with u+ = 0 (order 2: A (v+ - v) = h c). Gaps that only the
// impulses of others could close are kept from closing beyond zero; what is found closed at the end
// of the step all the same takes part, too, and the step is made again.
#include "contact/contact.h"
#include "walk/moreau.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_again = 6 };

// ---- the motion without contacts ----------------------------------------------------------------

static void add_entries(walk_moreau* s, const walk_entries* x, double factor)
{
  for (int k = 0; k < x->count; k++) {
    const int b = s->block_of[x->i[k]], size = s->block_start[b + 1] - s->block_start[b];
    s->W[s->W_start[b] + (size_t)(s->place[x->i[k]] * size + s->place[x->j[k]])] +=
        factor * x->value[k];
  }
}

bool walk_moreau_is_norm(const walk_moreau* s, int k)
{
  const model_constraint* c = &s->e->model->constraint[k];
  return c->internal && !c->sticks && !c->sense && c->order == 0;
}

// No inertia resists a growth of a quaternion Q, which its norm excludes. Along Q any may be added,
// rho Q Q^T, and forces along Q taken away: the reaction of the norm would take back what they do.
static void stiffen_norms(walk_moreau* s)
{
  for (int k = 0; k < s->m; k++) {
    if (!walk_moreau_is_norm(s, k)) continue;
    const int* c = s->A.column + s->A.start[k];
    const int count = s->A.start[k + 1] - s->A.start[k], b = s->block_of[*c];
    const int size = s->block_start[b + 1] - s->block_start[b];
    double *W = s->W + s->W_start[b], most = 0, square = 0, along = 0;
    for (int p = 0; p < count; p++) {
      const int i = s->place[c[p]];
      most = fmax(most, W[i * size + i]);
      square += s->q_look[c[p]] * s->q_look[c[p]];
      along += s->q_look[c[p]] * s->motion_out[c[p]];
    }
    for (int p = 0; p < count; p++) {
      s->motion_out[c[p]] -= along / square * s->q_look[c[p]];
      for (int o = 0; o < count; o++)
        W[s->place[c[p]] * size + s->place[c[o]]] +=
            (most > 0 ? most : 1) / square * s->q_look[c[p]] * s->q_look[c[o]];
    }
  }
}

static int factor_blocks(walk_moreau* s)
{
  for (int b = 0; b < s->blocks; b++) {
    const int from = s->block_start[b], size = s->block_start[b + 1] - from;
    const double* W = s->W + s->W_start[b];
    // most blocks are of one coordinate: there W is its own factor
    if (size == 1 ? *W != 0 && isfinite(*W) : num_lu(size, s->W + s->W_start[b], s->pivot + from))
      continue;
    snprintf(s->e->reason, sizeof s->e->reason,
             "the matrix of the step is singular at coordinate `%s`",
             s->e->model->coord[s->block_coord[from]].name);
    return 1;
  }
  return 0;
}

// a b, and with `back` conj(a) b
static void multiply(const double a[4], const double b[4], bool back, double out[4])
{
  const double s = back ? -1 : 1, x = s * a[1], y = s * a[2], z = s * a[3];
  out[0] = a[0] * b[0] - x * b[1] - y * b[2] - z * b[3];
  out[1] = a[0] * b[1] + x * b[0] + y * b[3] - z * b[2];
  out[2] = a[0] * b[2] - x * b[3] + y * b[0] + z * b[1];
  out[3] = a[0] * b[3] + x * b[2] - y * b[1] + z * b[0];
}

static bool is_quaternion(const walk_moreau* s, int k)
{
  return walk_moreau_is_norm(s, k) && s->A.start[k + 1] - s->A.start[k] == 4;
}

void walk_moreau_unit(const walk_moreau* s, double* q)
{
  for (int k = 0; k < s->m; k++) {
    const int* c = s->A.column + s->A.start[k];
    double square = 0;
    if (!is_quaternion(s, k)) continue;
    for (int p = 0; p < 4; p++) square += q[c[p]] * q[c[p]];
    for (int p = 0; p < 4; p++) q[c[p]] /= sqrt(square);
  }
}

// The rate of a quaternion, Q' = Q omega/2, turns with it: without forces omega, in the axes of the
// body, stays, and in P the rate is P conj(Q) Q'.
void walk_moreau_carry(const walk_moreau* s, const double* from, const double* to, double* v)
{
  for (int k = 0; k < s->m; k++) {
    const int* c = s->A.column + s->A.start[k];
    if (!is_quaternion(s, k)) continue;
    double Q[4], rate[4], P[4], spin[4];
    for (int p = 0; p < 4; p++) {
      Q[p] = from[c[p]];
      rate[p] = v[c[p]];
      P[p] = to[c[p]];
    }
    multiply(Q, rate, true, spin);
    multiply(P, spin, false, rate);
    for (int p = 0; p < 4; p++) v[c[p]] = rate[p];
  }
}

// What becomes of a quaternion and its rate without impulses. Q with the spin s, Q' = Q s, goes to
// R with the spin z: R - h/2 R z is along Q + h/2 Q s, as for any other coordinate, and so R along
// Q (1 + h/2 s) (1 + h/2 z).
static void end_freely(double h, const double Q[4], const double s[4], const double z[4],
                       double R[4], double rate[4])
{
  const double first[4] = {1, h / 2 * s[1], h / 2 * s[2], h / 2 * s[3]};
  const double second[4] = {1, h / 2 * z[1], h / 2 * z[2], h / 2 * z[3]};
  const double pure[4] = {0, z[1], z[2], z[3]};
  double half[4], square = 0;
  multiply(Q, first, false, half);
  multiply(half, second, false, R);
  for (int p = 0; p < 4; p++) square += R[p] * R[p];
  for (int p = 0; p < 4; p++) R[p] /= sqrt(square);
  multiply(R, pure, false, rate);
}

// The change of rates, s->v_free less those of the start, belongs to the middle of the step: to add
// it at its end as it is would turn it by h omega/4, and the spin would be off by h^2 in each step.
static void carry_free(walk_moreau* s)
{
  double *middle = s->spin, *rate = s->dv, *change = s->spin + s->n;
  for (int i = 0; i < s->n; i++) {
    middle[i] = s->q[i] + s->h / 2 * s->v[i];
    change[i] = s->v_free[i] - s->v[i];
    rate[i] = s->v[i];
  }
  walk_moreau_unit(s, middle);
  walk_moreau_carry(s, s->q, middle, rate);
  walk_moreau_keep_spin(s, rate, change);
  for (int k = 0; k < s->m; k++) {
    const int* c = s->A.column + s->A.start[k];
    double Q[4], P[4], v[4], w[4], spin[2][4], R[4];
    if (!is_quaternion(s, k)) continue;
    for (int p = 0; p < 4; p++) {
      Q[p] = s->q[c[p]];
      v[p] = s->v[c[p]];
      P[p] = middle[c[p]];
      w[p] = rate[c[p]] + change[c[p]];
    }
    multiply(Q, v, true, spin[0]);
    multiply(P, w, true, spin[1]);
    end_freely(s->h, Q, spin[0], spin[1], R, w);
    for (int p = 0; p < 4; p++) {
      s->q_look[c[p]] = R[p];
      s->v_free[c[p]] = w[p];
    }
  }
}

bool walk_moreau_meet_norms(walk_moreau* s)
{
  const engine* e = s->e;
  bool alone = true;
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r], *c = s->A.column + s->A.start[k];
    if (!is_quaternion(s, k)) {
      alone = false;
      continue;
    }
    double square = 0, along = 0;
    for (int p = 0; p < 4; p++) square += s->q_end[c[p]] * s->q_end[c[p]];
    for (int p = 0; p < 4; p++) s->q_end[c[p]] /= sqrt(square);
    for (int p = 0; p < 4; p++) along += s->q_end[c[p]] * s->v_end[c[p]];
    for (int p = 0; p < 4; p++) s->v_end[c[p]] -= along * s->q_end[c[p]];
  }
  return alone;
}

int walk_moreau_factor(walk_moreau* s)
{
  engine* e = s->e;
  const double h = s->h;
  for (int i = 0; i < s->n; i++) {
    s->q_look[i] = s->q[i] + h / 2 * s->v[i];
    s->dv[i] = s->v[i];
  }
  walk_moreau_unit(s, s->q_look);
  walk_moreau_carry(s, s->q, s->q_look, s->dv);
  engine_state(e, s->t + h / 2, s->q_look, s->dv);
  code_run(s->motion, e->in, s->motion_out, s->scratch);
  memset(s->W, 0, sizeof(double) * s->W_start[s->blocks]);
  add_entries(s, &s->M, 1);
  add_entries(s, &s->C, -h / 2);
  add_entries(s, &s->K, -h * h / 4);
  stiffen_norms(s);
  memcpy(s->inertia, s->W, sizeof(double) * s->W_start[s->blocks]);
  return factor_blocks(s);
}

// x <- W^-1 x for one block, x in the places of s->right
static void solve_block(walk_moreau* s, int b)
{
  const int from = s->block_start[b], size = s->block_start[b + 1] - from;
  if (size == 1)
    *s->right /= s->W[s->W_start[b]];
  else
    num_lu_solve(size, s->W + s->W_start[b], s->pivot + from, s->right);
}

// s->fall: the energy that forces give in the step to what is at rest
static void move_freely(walk_moreau* s)
{
  s->fall = 0;
  for (int b = 0; b < s->blocks; b++) {
    const int from = s->block_start[b], to = s->block_start[b + 1];
    for (int i = from; i < to; i++) s->right[i - from] = s->h * s->F[s->block_coord[i]];
    solve_block(s, b);
    for (int i = from; i < to; i++) {
      const int c = s->block_coord[i];
      s->v_free[c] = s->v[c] + s->right[i - from];
      s->fall += s->h / 2 * s->F[c] * s->right[i - from];
    }
  }
  for (int i = 0; i < s->n; i++) s->q_look[i] = s->q[i] + s->h / 2 * (s->v[i] + s->v_free[i]);
  carry_free(s);
}

void walk_moreau_look(walk_moreau* s, double t, const double* q, const double* v)
{
  engine_state(s->e, t, q, v);
  code_run(s->limits, s->e->in, s->limits_out, s->scratch);
}

// ---- the step -----------------------------------------------------------------------------------

static void apply_impulses(walk_moreau* s)
{
  memcpy(s->v_end, s->v_free, sizeof(double) * (size_t)s->n);
  for (int row = 0; row < s->rows; row++)
    for (int p = s->row[row].spread; p < s->row[row + 1].spread; p++)
      s->v_end[s->reached.at[p]] += s->spread.at[p] * s->x[row];
  for (int i = 0; i < s->n; i++) s->q_end[i] = s->q[i] + s->h / 2 * (s->v[i] + s->v_end[i]);
}

// reactions as means over the step; energy that contacts take: P . (u + u+)/2
static void note_impulses(walk_moreau* s)
{
  memset(s->lambda, 0, sizeof(double) * (size_t)s->m);
  const int first_touch = walk_moreau_first_touch(s), last_dry = s->m + s->T.count;
  memset(s->x_kept, 0, sizeof(double) * (size_t)first_touch);
  for (int i = 0; i < s->dries; i++) s->dry_side[i] = NAN;
  s->released = 0;
  for (int row = 0; row < s->rows; row++) {
    const int of = s->row[row].of;
    if (of < first_touch) s->x_kept[of] = s->x[row];
    if (of < s->m) s->lambda[of] = s->row[row].sign * s->x[row] / s->h;
    if (of >= s->m && of < s->m + s->first_dry)
      s->lambda[s->stick_of[of - s->m]] = s->row[row].sign * s->x[row] / s->h;
    // forces with the sign of a velocity are among those that do work
    const bool dry = of >= s->m + s->first_dry && of < first_touch;
    if (dry && of < last_dry)
      s->dry_side[of - s->m - s->first_dry] = -s->x[row] / (s->h * s->bound[of - s->m]);
    if (s->kind[row] == CONE_MANY_EQUAL || dry) continue;
    s->released +=
        s->x[row] * (walk_moreau_along(s, row, s->v) + walk_moreau_along(s, row, s->v_end)) / 2;
  }
  for (int i = 0; i < s->n; i++) s->a[i] = (s->v_end[i] - s->v[i]) / s->h;
}

// gaps closed at the end that took no part; the limits there are evaluated
static int force_closed(walk_moreau* s)
{
  const contact_inequalities* u = s->e->unilateral;
  double size = 0;
  int found = 0;
  for (int i = 0; i < s->n; i++) size = fmax(size, fabs(s->q_end[i]));
  for (int row = 0; row < s->rows; row++)
    if (s->row[row].of < s->m) s->forced[s->row[row].of] = true;
  for (int i = 0; u && i < u->count; i++) {
    const int k = u->of[i];
    if (!u->present[i] || u->both[i] || s->e->model->constraint[k].order || s->forced[k]) continue;
    if (!(u->sign[i] * s->f0[k] < fmin(s->gap[k], 0) - engine_moreau_gap * size)) continue;
    s->forced[k] = true;
    found++;
  }
  return found;
}

// what was found at the end of the step before
static void take_gaps(walk_moreau* s)
{
  const contact_inequalities* u = s->e->unilateral;
  for (int i = 0; u && i < u->count; i++) {
    const int k = u->of[i];
    s->gap[k] = u->sign[i] * s->f0[k];
    s->rate[k] = u->sign[i] * s->f1[k];
  }
}

// forces by other reactions
static int drive_again(walk_moreau* s)
{
  if (!s->driven) return 0;
  if (walk_moreau_factor(s)) return 1;
  move_freely(s);
  return 0;
}

int walk_moreau_step(walk_moreau* s)
{
  engine* e = s->e;
  bool moved;
  take_gaps(s);
  if (s->feels) memcpy(e->lambda, s->lambda, sizeof(double) * (size_t)s->m);
  if (walk_moreau_factor(s) || walk_moreau_find_touches(s)) return 1;
  move_freely(s);
  if (walk_moreau_look_at_touches(s)) return 1;
  memset(s->forced, 0, sizeof(bool) * (size_t)s->m);
  s->unsettled = 0;
  for (int again = 0, turn = 0;;) {
    for (int i = 0; i < s->n; i++) s->q_look[i] = s->q[i] + s->h / 2 * (s->v[i] + s->v_free[i]);
    walk_moreau_look(s, s->t + s->h, s->q_look, s->v_free);
    if (walk_moreau_drives(s)) return 1;
    walk_moreau_choose_rows(s);
    if (walk_moreau_assemble(s)) return 1;
    walk_moreau_solve(s);
    apply_impulses(s);
    note_impulses(s);
    if (s->feels && !walk_moreau_settled(s, turn++)) {
      if (drive_again(s)) return 1;
      continue;
    }
    walk_moreau_look(s, s->t + s->h, s->q_end, s->v_end);
    if (again++ == most_again || !force_closed(s)) break;
    turn = 0;
  }
  s->fault = fmax(s->fault, s->unsettled);
  walk_moreau_count_losses(s);
  walk_moreau_keep_touches(s);
  if (walk_moreau_put_back(s)) return 1;
  if (!e->mode.rows) return 0;
  if (!walk_moreau_meet_norms(s)) {
    engine_state(e, s->t + s->h, s->q_end, s->v_end);
    if (engine_project(e, &moved)) return 1;
    memcpy(s->q_end, e->q, sizeof(double) * (size_t)s->n);
    memcpy(s->v_end, e->v, sizeof(double) * (size_t)s->n);
  }
  walk_moreau_look(s, s->t + s->h, s->q_end, s->v_end);
  return 0;
}
