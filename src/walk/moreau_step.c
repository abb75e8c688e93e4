// One step of time-stepping.
//
// Moreau (1988, 1999), Jean (1999): a step takes velocities from v to v+ by the impulses of forces
// and of all contacts in it, impacts or not,
//   W (v+ - v) = h F(t + h/2, q + h v/2, v) + A^T P,   W = M - h/2 dF/dq' - h^2/4 dF/dq,
//   q+ = q + h (v + v+)/2,
// the midpoint rule made linear (theta = 1/2). Contacts whose gap would close without impulses take
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
static const double gap_noise = 1e-12; // against the size of the motion
static const double rough = 1e6;       // a coefficient of friction beyond all others

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
    if (num_lu(size, s->W + s->W_start[b], s->pivot + from)) continue;
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

// The rate of a quaternion, Q' = Q omega/2, turns with it: without forces omega, in the axes of the
// body, stays, and in P, the quaternion in q made one of length one, the rate is P conj(Q) Q'. What
// it differs from the one before is added to v.
static void carry_rates(const walk_moreau* s, double* q, double* v)
{
  for (int k = 0; k < s->m; k++) {
    const int* c = s->A.column + s->A.start[k];
    if (!walk_moreau_is_norm(s, k) || s->A.start[k + 1] - s->A.start[k] != 4) continue;
    double Q[4], rate[4], P[4], spin[4], carried[4], norm = 0;
    for (int p = 0; p < 4; p++) {
      Q[p] = s->q[c[p]];
      rate[p] = s->v[c[p]];
      norm = hypot(norm, q[c[p]]);
    }
    for (int p = 0; p < 4; p++) P[p] = q[c[p]] /= norm;
    multiply(Q, rate, true, spin);
    multiply(P, spin, false, carried);
    for (int p = 0; p < 4; p++) v[c[p]] += carried[p] - rate[p];
  }
}

int walk_moreau_factor(walk_moreau* s)
{
  engine* e = s->e;
  const double h = s->h;
  for (int i = 0; i < s->n; i++) {
    s->q_look[i] = s->q[i] + h / 2 * s->v[i];
    s->dv[i] = s->v[i];
  }
  carry_rates(s, s->q_look, s->dv);
  engine_state(e, s->t + h / 2, s->q_look, s->dv);
  code_run(s->motion, e->in, s->motion_out, s->scratch);
  memset(s->W, 0, sizeof(double) * s->W_start[s->blocks]);
  add_entries(s, &s->M, 1);
  add_entries(s, &s->C, -h / 2);
  add_entries(s, &s->K, -h * h / 4);
  stiffen_norms(s);
  return factor_blocks(s);
}

// x <- W^-1 x for one block, x in the places of s->right
static void solve_block(walk_moreau* s, int b)
{
  const int from = s->block_start[b], size = s->block_start[b + 1] - from;
  num_lu_solve(size, s->W + s->W_start[b], s->pivot + from, s->right);
}

static void move_freely(walk_moreau* s)
{
  for (int b = 0; b < s->blocks; b++) {
    const int from = s->block_start[b], to = s->block_start[b + 1];
    for (int i = from; i < to; i++) s->right[i - from] = s->h * s->F[s->block_coord[i]];
    solve_block(s, b);
    for (int i = from; i < to; i++) {
      const int c = s->block_coord[i];
      s->v_free[c] = s->v[c] + s->right[i - from];
    }
  }
}

void walk_moreau_look(walk_moreau* s, double t, const double* q, const double* v)
{
  engine_state(s->e, t, q, v);
  code_run(s->limits, s->e->in, s->limits_out, s->scratch);
}

// ---- rows ---------------------------------------------------------------------------------------

static const walk_gradients* gradients(const walk_moreau* s, int row, int* k)
{
  const int of = s->row_of[row];
  *k = of < s->m ? of : of - s->m;
  if (of >= s->m + s->T.count) {
    *k = 0;
    return &s->nothing;
  }
  return of < s->m ? &s->A : &s->T;
}

// a row that presses dry friction, and moves nothing
static bool is_pressure(const walk_moreau* s, int row)
{
  return s->row_of[row] >= s->m + s->T.count;
}

static double along(const walk_moreau* s, int row, const double* v)
{
  int k;
  const walk_gradients* g = gradients(s, row, &k);
  double sum = 0;
  for (int p = g->start[k]; p < g->start[k + 1]; p++) sum += g->value[p] * v[g->column[p]];
  return s->sign[row] * sum;
}

static void add_row(walk_moreau* s, cone_many_kind kind, int of, double sign, double shift)
{
  const int row = s->rows++;
  s->kind[row] = kind;
  s->row_of[row] = of;
  s->sign[row] = sign;
  s->shift[row] = shift;
  s->x[row] = s->x_kept[of];
}

// A (v_free - v) - h c
static void accelerate(walk_moreau* s, double sign, int k)
{
  const int row = s->rows - 1;
  s->shift[row] = along(s, row, s->v_free) - along(s, row, s->v) - sign * s->h * s->c[k];
}

// Could other impulses close the gap of a constraint in this step? Bounded by the largest velocity.
static bool is_near(const walk_moreau* s, int k, double gap)
{
  double norm = 0;
  for (int p = s->A.start[k]; p < s->A.start[k + 1]; p++) norm += fabs(s->A.value[p]);
  return s->forced[k] || gap <= s->h * norm * s->speed;
}

// What holds while inequality i touches: friction that nothing exceeds, but for none where it does
// not press.
static void add_links(walk_moreau* s, int i, int normal)
{
  const contact_inequalities* u = s->e->unilateral;
  const int first = s->rows;
  for (int j = 0; j < u->links; j++) {
    if (u->link_of[j] != i || !u->link_present[j]) continue;
    add_row(s, CONE_MANY_TANGENT, u->link[j], 1, s->f1[u->link[j]]);
    s->normal[s->rows - 1] = normal;
    s->mu[s->rows - 1] = rough;
    s->pair[s->rows - 1] = -1;
  }
  if (s->rows < first + 2) return;
  s->pair[first] = first + 1;
  s->pair[first + 1] = first;
}

// at its limit: Newton's law; near it: the gap at the end, gap + h/2 A (v+ - v_free), stays open
static void add_unilateral(walk_moreau* s, int i)
{
  const contact_inequalities* u = s->e->unilateral;
  const int k = u->of[i], order = s->e->model->constraint[k].order;
  const double sign = u->sign[i], gap = sign * s->f0[k];
  if (!u->present[i]) return;
  const bool closed = order || gap <= 0;
  if (!closed && !is_near(s, k, gap)) return;
  const double bounce = order == 0 ? u->restitution[i] * fmin(s->rate[k], 0) : 0;
  add_row(s, CONE_MANY_NORMAL, k, sign, closed ? sign * s->f1[k] + bounce : 2 * gap / s->h);
  if (order == 2) accelerate(s, sign, k);
  const int slip = s->slip_of[k], normal = s->rows - 1;
  add_links(s, i, normal);
  if (slip < 0 || !(s->bound[slip] > 0)) return;
  const int slips = s->e->model->constraint[k].slips;
  for (int t = 0; t < slips; t++) {
    add_row(s, CONE_MANY_TANGENT, s->m + slip + t, 1, s->slip[slip + t]);
    s->normal[s->rows - 1] = normal;
    s->mu[s->rows - 1] = s->bound[slip];
    s->pair[s->rows - 1] = slips == 1 ? -1 : normal + 2 - t;
  }
}

// dry friction that no contact presses: its bound as a pressure
static void add_dry(walk_moreau* s, int i)
{
  const int slip = s->first_dry + i;
  if (!(s->bound[slip] > 0)) return;
  add_row(s, CONE_MANY_NORMAL, s->m + s->T.count + i, 1, -s->h * s->bound[slip]);
  add_row(s, CONE_MANY_TANGENT, s->m + slip, 1, s->slip[slip]);
  s->normal[s->rows - 1] = s->rows - 2;
  s->mu[s->rows - 1] = 1;
  s->pair[s->rows - 1] = -1;
}

// a force with the sign of a velocity that would drive it there
static bool drives(walk_moreau* s)
{
  for (int i = 0; i < s->dries; i++) {
    if (!(s->bound[s->first_dry + i] < 0)) continue;
    snprintf(s->e->reason, sizeof s->e->reason,
             "a force with the sign of a velocity drives it there; the method `moreau` takes those "
             "that slow it down");
    return true;
  }
  return false;
}

static void choose_rows(walk_moreau* s)
{
  engine* e = s->e;
  s->rows = 0;
  s->speed = 0;
  for (int i = 0; i < s->n; i++) s->speed = fmax(s->speed, fmax(fabs(s->v[i]), fabs(s->v_free[i])));
  for (int r = 0; r < e->rows; r++) {
    const int k = e->row[r];
    add_row(s, CONE_MANY_EQUAL, k, 1, s->f1[k]);
    if (e->model->constraint[k].order == 2) accelerate(s, 1, k);
  }
  for (int i = 0; e->unilateral && i < e->unilateral->count; i++) add_unilateral(s, i);
  for (int i = 0; i < s->dries; i++) add_dry(s, i);
}

// ---- G = A W^-1 A^T -----------------------------------------------------------------------------

// W^-1 A^T of a row, into its place
static void spread_row(walk_moreau* s, int row)
{
  int k;
  const walk_gradients* g = gradients(s, row, &k);
  for (int at = g->reach[k]; at < g->reach[k + 1];) {
    const int b = s->block_of[g->reached[at]], size = s->block_start[b + 1] - s->block_start[b];
    memset(s->right, 0, sizeof(double) * (size_t)size);
    for (int p = g->start[k]; p < g->start[k + 1]; p++)
      if (s->block_of[g->column[p]] == b)
        s->right[s->place[g->column[p]]] += s->sign[row] * g->value[p];
    solve_block(s, b);
    memcpy(g->spread + at, s->right, sizeof(double) * (size_t)size);
    at += size;
  }
}

// which rows have an entry at each coordinate
static void list_touches(walk_moreau* s)
{
  int k;
  memset(s->touch_start, 0, sizeof(int) * (size_t)(s->n + 1));
  for (int row = 0; row < s->rows; row++) {
    const walk_gradients* g = gradients(s, row, &k);
    for (int p = g->start[k]; p < g->start[k + 1]; p++) s->touch_start[g->column[p] + 1]++;
  }
  for (int i = 0; i < s->n; i++) s->touch_start[i + 1] += s->touch_start[i];
  for (int row = s->rows - 1; row >= 0; row--) {
    const walk_gradients* g = gradients(s, row, &k);
    for (int p = g->start[k]; p < g->start[k + 1]; p++)
      s->touch[--s->touch_start[g->column[p] + 1]] = row;
  }
  // now touch_start[i + 1] is where coordinate i begins
}

static int touches_from(const walk_moreau* s, int i)
{
  return s->touch_start[i + 1];
}

static int touches_to(const walk_moreau* s, int i, int total)
{
  return i + 1 < s->n ? s->touch_start[i + 2] : total;
}

// entries of a step beyond the most so far need more room; a motion has soon met its most
static void make_room(walk_moreau* s, int need)
{
  if (need <= s->G_room) return;
  s->G_room = need + need / 2 + 64;
  const size_t room = (size_t)s->G_room;
  s->G = base_realloc(s->G, room * sizeof *s->G);
  s->G_column = base_realloc(s->G_column, room * sizeof *s->G_column);
  s->col = base_realloc(s->col, room * sizeof *s->col);
  s->col_row = base_realloc(s->col_row, room * sizeof *s->col_row);
}

static double value_at(const walk_moreau* s, int row, int coordinate)
{
  int k;
  const walk_gradients* g = gradients(s, row, &k);
  for (int p = g->start[k]; p < g->start[k + 1]; p++)
    if (g->column[p] == coordinate) return s->sign[row] * g->value[p];
  return 0;
}

// column j of G: the rows that meet what row j moves
static int add_column(walk_moreau* s, int j, int at, int total)
{
  int k;
  const walk_gradients* g = gradients(s, j, &k);
  const int from = at;
  if (is_pressure(s, j)) {
    s->mark[j] = j + 1;
    s->sum[j] = 1;
    make_room(s, at + 1);
    s->col_row[at++] = j;
  }
  for (int p = g->reach[k]; p < g->reach[k + 1]; p++) {
    const int c = g->reached[p];
    for (int t = touches_from(s, c); t < touches_to(s, c, total); t++) {
      const int i = s->touch[t];
      if (s->mark[i] != j + 1) {
        s->mark[i] = j + 1;
        s->sum[i] = 0;
        make_room(s, at + 1);
        s->col_row[at++] = i;
      }
      s->sum[i] += value_at(s, i, c) * g->spread[p];
    }
  }
  for (int p = from; p < at; p++) s->col[p] = s->sum[s->col_row[p]];
  return at;
}

static void transpose(walk_moreau* s, int entries)
{
  memset(s->G_start, 0, sizeof(int) * (size_t)(s->rows + 1));
  for (int p = 0; p < entries; p++) s->G_start[s->col_row[p] + 1]++;
  for (int i = 0; i < s->rows; i++) s->G_start[i + 1] += s->G_start[i];
  memcpy(s->G_fill, s->G_start, sizeof(int) * (size_t)s->rows);
  for (int j = 0; j < s->rows; j++)
    for (int p = s->col_start[j]; p < s->col_start[j + 1]; p++) {
      const int at = s->G_fill[s->col_row[p]]++;
      s->G_column[at] = j;
      s->G[at] = s->col[p];
    }
}

// 0, or 1 where a row moves nothing
static int assemble(walk_moreau* s)
{
  int total = 0, at = 0, k;
  list_touches(s);
  for (int row = 0; row < s->rows; row++) {
    const walk_gradients* g = gradients(s, row, &k);
    total += g->start[k + 1] - g->start[k];
    spread_row(s, row);
  }
  memset(s->mark, 0, sizeof(int) * (size_t)(s->rows + 1));
  for (int j = 0; j < s->rows; j++) {
    s->col_start[j] = at;
    at = add_column(s, j, at, total);
    if (s->mark[j] == j + 1 && s->sum[j] > 0 && isfinite(s->sum[j])) continue;
    k = s->row_of[j] < s->m ? s->row_of[j] : s->row_of[s->normal[j]];
    snprintf(s->e->reason, sizeof s->e->reason, "the constraint `%s` has no gradient there",
             s->e->model->constraint[k].name);
    return 1;
  }
  s->col_start[s->rows] = at;
  transpose(s, at);
  return 0;
}

// ---- the step -----------------------------------------------------------------------------------

static int solve_rows(walk_moreau* s)
{
  if (assemble(s)) return 1;
  const cone_many_problem p = {.r = s->rows,
                               .start = s->G_start,
                               .column = s->G_column,
                               .G = s->G,
                               .q = s->shift,
                               .kind = s->kind,
                               .of = s->normal,
                               .pair = s->pair,
                               .mu = s->mu};
  const cone_many_result out = cone_many_solve(s->many, &p, s->x, s->w);
  s->solved++;
  s->sweeps += out.sweeps;
  s->turns += out.turns;
  s->most_rows = s->rows > s->most_rows ? s->rows : s->most_rows;
  s->worst_fault = fmax(s->worst_fault, out.fault);
  if (out.solved) return 0;
  snprintf(s->e->reason, sizeof s->e->reason,
           "no impulses were found that obey the laws of the %d contacts and constraints of the "
           "step (off by %.2g)",
           s->rows, out.fault);
  return 1;
}

static void apply_impulses(walk_moreau* s)
{
  memcpy(s->v_end, s->v_free, sizeof(double) * (size_t)s->n);
  for (int row = 0; row < s->rows; row++) {
    int k;
    const walk_gradients* g = gradients(s, row, &k);
    for (int p = g->reach[k]; p < g->reach[k + 1]; p++)
      s->v_end[g->reached[p]] += g->spread[p] * s->x[row];
  }
  for (int i = 0; i < s->n; i++) s->q_end[i] = s->q[i] + s->h / 2 * (s->v[i] + s->v_end[i]);
}

// reactions as means over the step; energy that contacts take: P . (u + u+)/2
static void note_impulses(walk_moreau* s)
{
  memset(s->lambda, 0, sizeof(double) * (size_t)s->m);
  memset(s->x_kept, 0, sizeof(double) * (size_t)(s->m + s->T.count + s->dries));
  s->released = 0;
  for (int row = 0; row < s->rows; row++) {
    s->x_kept[s->row_of[row]] = s->x[row];
    if (s->row_of[row] < s->m) s->lambda[s->row_of[row]] = s->sign[row] * s->x[row] / s->h;
    // forces with the sign of a velocity are among those that do work
    if (s->kind[row] == CONE_MANY_EQUAL || s->row_of[row] >= s->m + s->first_dry) continue;
    s->released += s->x[row] * (along(s, row, s->v) + along(s, row, s->v_end)) / 2;
  }
  for (int i = 0; i < s->n; i++) s->a[i] = (s->v_end[i] - s->v[i]) / s->h;
}

// gaps closed at the end that took no part; the limits there are evaluated
static int force_closed(walk_moreau* s)
{
  const contact_inequalities* u = s->e->unilateral;
  double size = 1e-6;
  int found = 0;
  for (int i = 0; i < s->n; i++) size = fmax(size, fabs(s->q_end[i]));
  for (int row = 0; row < s->rows; row++)
    if (s->row_of[row] < s->m) s->forced[s->row_of[row]] = true;
  for (int i = 0; u && i < u->count; i++) {
    const int k = u->of[i];
    if (!u->present[i] || s->e->model->constraint[k].order || s->forced[k]) continue;
    if (!(u->sign[i] * s->f0[k] < fmin(s->gap[k], 0) - gap_noise * size)) continue;
    s->forced[k] = true;
    found++;
  }
  return found;
}

int walk_moreau_step(walk_moreau* s)
{
  engine* e = s->e;
  bool moved;
  // what was found at the end of the step before
  for (int i = 0; e->unilateral && i < e->unilateral->count; i++) {
    const int k = e->unilateral->of[i];
    s->gap[k] = e->unilateral->sign[i] * s->f0[k];
    s->rate[k] = e->unilateral->sign[i] * s->f1[k];
  }
  if (walk_moreau_factor(s)) return 1;
  move_freely(s);
  for (int i = 0; i < s->n; i++) s->q_look[i] = s->q[i] + s->h / 2 * (s->v[i] + s->v_free[i]);
  carry_rates(s, s->q_look, s->v_free);
  memset(s->forced, 0, sizeof(bool) * (size_t)s->m);
  for (int again = 0;; again++) {
    for (int i = 0; i < s->n; i++) s->q_look[i] = s->q[i] + s->h / 2 * (s->v[i] + s->v_free[i]);
    walk_moreau_look(s, s->t + s->h, s->q_look, s->v_free);
    if (drives(s)) return 1;
    choose_rows(s);
    if (solve_rows(s)) return 1;
    apply_impulses(s);
    note_impulses(s);
    walk_moreau_look(s, s->t + s->h, s->q_end, s->v_end);
    if (again == most_again || !force_closed(s)) break;
  }
  if (!e->rows) return 0;
  if (engine_project(e, &moved)) return 1;
  memcpy(s->q_end, e->q, sizeof(double) * (size_t)s->n);
  memcpy(s->v_end, e->v, sizeof(double) * (size_t)s->n);
  walk_moreau_look(s, s->t + s->h, s->q_end, s->v_end);
  return 0;
}
