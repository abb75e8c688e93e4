// From energies, forces and constraints to the one linear problem under all forms.
#include <assert.h>
#include <stdlib.h>

#include "mech/form.h"
#include "mech/mech.h"
#include "mech/servo.h"
#include "mech/sparse.h"
#include "mech/tree.h"

// Legend: q coordinates, v = q', a = q''; p = dT/dv momenta. Lagrange's left side is
//   E_i = d/dt p_i - dT/dq_i = sum_j M_ij a_j + h_i,   right side  G_i = Q_i - dV/dq_i,
// so that F = G - h. Kondrenkina (2018), I(3.20), with MW_sigma = E_sigma.

static expr* take(mech_system* s, int n)
{
  return base_arena_take(s->arena, sizeof(expr) * (size_t)(n > 0 ? n : 1));
}

// the symbols of the state, in the order of the coordinates
static void gather(mech_system* s)
{
  const model* m = s->model;
  s->q = take(s, s->n);
  s->v = take(s, s->n);
  s->a = take(s, s->n);
  s->zero = take(s, s->n);
  s->zero[0] = expr_int(s->pool, 0);
  for (int i = 0; i < s->n; i++) {
    s->q[i] = m->coord[i].q;
    s->v[i] = m->coord[i].v;
    s->a[i] = m->coord[i].a;
    s->zero[i] = expr_int(s->pool, 0);
  }
}

// what the mathematics below cannot take is refused, never ignored
static bool suits(const mech_system* s, base_notes* notes)
{
  const model* m = s->model;
  int errors = base_notes_errors(notes);
  expr_index *by_v = expr_index_new(s->n, s->v), *by_a = expr_index_new(s->n, s->a);
  if (expr_index_any(s->pool, by_a, m->T))
    base_error(notes, BASE_NOWHERE, "the kinetic energy contains an acceleration");
  if (expr_index_any(s->pool, by_v, m->V) || expr_index_any(s->pool, by_a, m->V))
    base_error(notes, BASE_NOWHERE, "the potential energy contains a velocity or an acceleration");
  for (int i = 0; i < s->n; i++)
    if (expr_index_any(s->pool, by_a, m->Q[i]))
      base_error(notes, m->coord[i].place, "the force on `%s` contains an acceleration",
                 m->coord[i].name);
  expr_index_free(by_v);
  expr_index_free(by_a);
  return base_notes_errors(notes) == errors;
}

// total time derivatives without their terms in the accelerations
static void rates_at_rest(mech_system* s, int count, const expr* e, expr* out)
{
  expr_totals_at(s->pool, count, e, s->n, s->v, out);
}

// M and h from T by one pass over it for all derivatives at once
static void by_passes(mech_system* s, expr* p)
{
  const int n = s->n;
  expr_slope_list row = {0};
  mech_hessian* w = mech_hessian_new(s, s->model->T, p);
  for (int i = 0; i < n * n; i++) s->M[i] = s->zero[0];
  for (int i = 0; i < n; i++) {
    mech_hessian_row(w, i, &row);
    for (int k = 0; k < row.n; k++)
      s->M[i * n + row.at[k].number] = s->M[row.at[k].number * n + i] = row.at[k].value;
  }
  mech_hessian_rest(w, s->h);
  mech_hessian_free(w);
  base_list_free(&row);
}

// M and h from T symbol by symbol: of few and short ones people know what comes out
static void by_symbols(mech_system* s, expr* p)
{
  const int n = s->n;
  expr *Tq = take(s, n), *pdot = take(s, n);
  expr_gradient(s->pool, s->model->T, n, s->v, p);
  expr_gradient(s->pool, s->model->T, n, s->q, Tq);
  rates_at_rest(s, n, p, pdot);
  for (int i = 0; i < n; i++) {
    // M is symmetric: the upper half is enough
    expr_gradient(s->pool, p[i], n - i, s->v + i, s->M + i * n + i);
    for (int j = i + 1; j < n; j++) s->M[j * n + i] = s->M[i * n + j];
    s->h[i] = expr_sub(s->pool, pdot[i], Tq[i]);
  }
}

// M, h, G, F and the momenta p; EXPR_NONE for those that M and h did not need
static void motion(mech_system* s, expr* p)
{
  const model* m = s->model;
  int n = s->n;
  if (!mech_dalembert_alone(s)) s->M = take(s, n * n);
  s->F = take(s, n);
  s->h = take(s, n);
  s->G = take(s, n);
  expr* Vq = take(s, n);
  const bool large = mech_is_large(s);
  if (large)
    mech_gradient(s, m->V, s->q, Vq);
  else
    expr_gradient(s->pool, m->V, n, s->q, Vq);
  for (int i = 0; i < n; i++) s->G[i] = expr_sub(s->pool, m->Q[i], Vq[i]);
  for (int i = 0; i < n; i++) p[i] = EXPR_NONE;
  if (!large)
    by_symbols(s, p);
  else if (model_inertia_make((model*)m))
    mech_dalembert_fill(s);
  else
    by_passes(s, p);
}

static void gradient(const mech_system* s, expr e, const expr* by, expr* out)
{
  expr_slope_list list = {0};
  expr_index* index = expr_index_new(s->n, by);
  mech_row_slopes(s, index, by, e, &list);
  for (int i = 0; i < s->n; i++) out[i] = s->zero[0];
  for (int i = 0; i < list.n; i++) out[list.at[i].number] = list.at[i].value;
  expr_index_free(index);
  base_list_free(&list);
}

// Row of A and right side c. Order 0: f'' = 0, order 1: f' = 0, order 2: f = 0, each affine in a
// but where f is nonlinear in the accelerations.
void mech_derive_row(mech_system* s, int k)
{
  const model_constraint* f = &s->model->constraint[k];
  const expr* by = f->order == 0 ? s->q : f->order == 1 ? s->v : s->a;
  expr* A = s->A + k * s->n;
  gradient(s, f->f, by, A);
  s->f0[k] = f->order == 0 ? f->f : EXPR_NONE;
  s->f1[k] = f->order == 0 ? expr_total(s->pool, f->f) : f->order == 1 ? f->f : EXPR_NONE;
  if (mech_is_nonlinear(s, k)) {
    s->c[k] = expr_sub(s->pool, mech_dot(s->pool, s->n, A, 1, s->a, 1), f->f);
    return;
  }
  expr rest;
  if (f->order == 2)
    rest = expr_substitute(s->pool, f->f, s->n, s->a, s->zero);
  else
    rates_at_rest(s, 1, &s->f1[k], &rest);
  s->c[k] = expr_neg(s->pool, rest);
}

static void constraints(mech_system* s)
{
  const int most = mech_servo_room(s->model);
  s->A = take(s, most * s->n);
  s->c = take(s, most);
  s->f0 = take(s, most);
  s->f1 = take(s, most);
  s->role = base_arena_take(s->arena, sizeof *s->role * (size_t)(most + 1));
  for (int k = 0; k < s->m; k++) {
    mech_derive_row(s, k);
    const bool ideal = !s->model->constraint[k].along;
    s->role[k] = (mech_role){.ideal = ideal, .leads = !ideal, .servo = ideal ? -1 : k};
  }
}

// time derivative of e through t and the driven params alone, the state held
static expr explicit_rate(const mech_system* s, expr e)
{
  const model* m = s->model;
  expr sum = expr_diff(s->pool, e, m->t);
  for (int i = 0; i < m->params; i++) {
    const model_param* a = &m->param[i];
    if (!a->changes || a->rate == EXPR_NONE) continue;
    expr d = expr_diff(s->pool, e, a->symbol);
    sum = expr_add(s->pool, sum, expr_mul(s->pool, d, a->rate));
    if (a->rate2 == EXPR_NONE) continue;
    d = expr_diff(s->pool, e, a->rate);
    sum = expr_add(s->pool, sum, expr_mul(s->pool, d, a->rate2));
  }
  return sum;
}

// is A_k.v a whole multiple of f, as for a form in the velocities? then it vanishes with f (Euler)
static bool is_form(const mech_system* s, expr f, expr along)
{
  if (expr_size_within(s->pool, 1, &along, MECH_SHORT) > MECH_SHORT) return false;
  for (long d = 1; d <= 4; d++) {
    expr rest = expr_sub(s->pool, along, expr_mul(s->pool, expr_int(s->pool, d), f));
    if (expr_is_zero(s->pool, rest) == EXPR_YES) return true;
  }
  return false;
}

// minus what is left of a constraint linear in the velocities when they are zero
static expr at_rest(const mech_system* s, int k)
{
  const expr f = s->model->constraint[k].f;
  const mech_rows* A = &s->A_rows;
  if (!A->start) return expr_neg(s->pool, expr_substitute(s->pool, f, s->n, s->v, s->zero));
  const int count = A->start[k + 1] - A->start[k];
  expr* held = base_alloc(sizeof(expr) * (size_t)(count + 1));
  for (int i = 0; i < count; i++) held[i] = s->v[A->column[A->start[k] + i]];
  const expr rest = expr_substitute(s->pool, f, count, held, s->zero);
  free(held);
  return expr_neg(s->pool, rest);
}

// A_k . v, what the reaction works against, with f1 = 0 used where that removes the velocities
static expr yielding(const mech_system* s, int k)
{
  const model_constraint* f = &s->model->constraint[k];
  if (f->order == 0) return expr_neg(s->pool, explicit_rate(s, f->f));
  if (f->order == 1 && f->linear) return at_rest(s, k);
  expr along = mech_row_dot(s, k, s->v);
  return f->order == 1 && is_form(s, f->f, along) ? s->zero[0] : along;
}

// p.v - T. For T = T2 + T1 + T0 by degree in the velocities it is T2 - T0 = T - T1 - 2 T0, and that
// is shorter: T itself when nothing moves by a given law
static expr jacobi(const mech_system* s, expr* p)
{
  const model* m = s->model;
  expr_pool* pool = s->pool;
  const bool quadratic = mech_is_quadratic(s);
  if (!p[0]) {
    if (quadratic && mech_dalembert_rests(s)) return m->T;
    mech_gradient(s, m->T, s->v, p);
  }
  if (!quadratic) return expr_sub(pool, mech_dot(pool, s->n, p, 1, s->v, 1), m->T);
  expr* p0 = base_arena_take(s->arena, sizeof(expr) * (size_t)(s->n + 1));
  expr_substitute_all(pool, s->n, p, s->n, s->v, s->zero, p0);
  expr T0 = expr_substitute(pool, m->T, s->n, s->v, s->zero);
  expr T1 = mech_dot(pool, s->n, p0, 1, s->v, 1);
  return expr_sub(pool, expr_sub(pool, m->T, T1), expr_mul(pool, expr_int(pool, 2), T0));
}

// H = p.v - T + V; dH/dt = Q.v + sum_k Lambda_k A_k.v - dL/dt at held state, L = T - V
static void energy(mech_system* s, expr* p)
{
  const model* m = s->model;
  // the inertia of states is no energy, and their rates do no work
  s->H = expr_add(s->pool, expr_sub(s->pool, jacobi(s, p), m->T_states), m->V);
  expr power = expr_neg(s->pool, explicit_rate(s, expr_sub(s->pool, m->T, m->V)));
  power = expr_add(s->pool, power, mech_dot(s->pool, m->places, m->Q, 1, s->v, 1));
  for (int k = 0; k < s->m; k++)
    if (s->role[k].ideal)
      power = expr_add(s->pool, power, expr_mul(s->pool, m->reaction[k], yielding(s, k)));
  s->power = power;
}

// a division by the number zero anywhere in the derivatives
static bool whole(const mech_system* s)
{
  int n = s->n, m = s->m;
  if (s->hung && !mech_tree_whole(s->hung)) return false;
  for (int i = 0; i < n * n && !s->hung; i++)
    if (s->M[i] == EXPR_NONE) return false;
  for (int i = 0; i < n; i++)
    if (s->h[i] == EXPR_NONE || s->G[i] == EXPR_NONE) return false;
  for (int i = 0; i < m * n; i++)
    if (s->A[i] == EXPR_NONE) return false;
  for (int k = 0; k < m; k++)
    if (s->c[k] == EXPR_NONE) return false;
  return s->H != EXPR_NONE && s->power != EXPR_NONE;
}

static void tidy_all(const mech_system* s, int n, expr* e)
{
  for (int i = 0; i < n; i++) e[i] = mech_tidy(s, e[i]);
}

// small systems are worth the simplifier: shorter tapes, equations for people
static void tidy(mech_system* s)
{
  int n = s->n;
  s->small = !mech_dalembert_alone(s) && mech_size(s) <= MECH_SMALL;
  if (!s->small) return;
  for (int i = 0; i < n; i++) {
    tidy_all(s, n - i, s->M + i * n + i);
    for (int j = i + 1; j < n; j++) s->M[j * n + i] = s->M[i * n + j];
  }
  tidy_all(s, n, s->h);
  tidy_all(s, n, s->G);
  tidy_all(s, s->m * n, s->A);
  tidy_all(s, s->m, s->c);
  s->H = mech_tidy(s, s->H);
  s->power = mech_tidy(s, s->power);
}

size_t mech_size(const mech_system* s)
{
  int n = s->n, m = s->m, count = 0;
  expr* all = base_alloc(sizeof(expr) * (size_t)(n * n + 2 * n + m * n + m + 1));
  for (int i = 0; i < n * n; i++) all[count++] = s->M[i];
  for (int i = 0; i < n; i++) all[count++] = s->h[i];
  for (int i = 0; i < n; i++) all[count++] = s->G[i];
  for (int i = 0; i < m * n; i++) all[count++] = s->A[i];
  for (int k = 0; k < m; k++) all[count++] = s->c[k];
  size_t size = expr_size(s->pool, count, all);
  free(all);
  return size;
}

// Many coordinates: row by row, without simplification. Controls are found in full matrices alone.
static bool is_sparse(const mech_system* s)
{
  if (s->n <= MECH_MANY) return false;
  return s->n > MECH_DENSE || mech_servo_room(s->model) == s->model->constraints;
}

static bool has_controls(const mech_system* s, base_notes* notes)
{
  if (mech_servo_room(s->model) == s->model->constraints) return false;
  base_error(notes, BASE_NOWHERE,
             "a system of %d coordinates cannot have servo constraints: they are found for at most "
             "%d",
             s->n, MECH_DENSE);
  return true;
}

static const char* derive_sparse(mech_system* s, expr* p)
{
  mech_sparse_fill(s, p);
  energy(s, p);
  if (!mech_sparse_whole(s)) return "a derivative of the energies or constraints divides by zero";
  for (int i = 0; i < s->n; i++) s->F[i] = expr_sub(s->pool, s->G[i], s->h[i]);
  if (s->n <= MECH_FULL) mech_sparse_spread(s);
  return NULL;
}

static const char* derive_dense(mech_system* s, expr* p)
{
  energy(s, p);
  if (!whole(s)) return "a derivative of the energies or constraints divides by zero";
  tidy(s);
  // what stays large is not worth the simplifier, nor are the forms made from it
  mech_dalembert(s);
  for (int i = 0; i < s->n; i++) s->F[i] = expr_sub(s->pool, s->G[i], s->h[i]);
  mech_sparse_thin(s);
  return NULL;
}

static mech_system* derive(const model* m, bool to_read, base_notes* notes)
{
  base_arena* arena = base_arena_new();
  mech_system* s = base_arena_take(arena, sizeof *s);
  s->model = m;
  s->pool = m->pool;
  s->arena = arena;
  s->kept = base_kept_new();
  s->n = m->coords;
  s->m = s->written = m->constraints;
  gather(s);
  s->moves = !to_read && mech_dalembert_moves(s);
  const bool sparse = is_sparse(s);
  if (!suits(s, notes) || (sparse && has_controls(s, notes))) {
    mech_free(s);
    return NULL;
  }
  expr* p = take(s, s->n);
  if (!sparse) {
    motion(s, p);
    constraints(s);
    if (!mech_servo_reduce(s, notes)) {
      mech_free(s);
      return NULL;
    }
  }
  const char* fault = sparse ? derive_sparse(s, p) : derive_dense(s, p);
  if (expr_pool_full(s->pool))
    fault = "the equations of motion are beyond the limit of expressions";
  if (fault) {
    base_error(notes, BASE_NOWHERE, "%s", fault);
    mech_free(s);
    return NULL;
  }
  return s;
}

mech_system* mech_derive(const model* m, base_notes* notes)
{
  assert(m && m->pool && notes);
  return derive(m, false, notes);
}

static void release(void* s)
{
  mech_free(s);
}

const mech_system* mech_to_read(const mech_system* s)
{
  if (!s->moves) return s;
  const base_key key = {"system to be read", &s->model, sizeof s->model};
  void* found;
  base_kept_open(s->kept);
  if (!base_kept_find(s->kept, key, &found)) {
    base_notes* aside = base_notes_new();
    found = derive(s->model, true, aside);
    base_notes_free(aside);
    base_kept_add(s->kept, key, found, release);
  }
  base_kept_unlock(s->kept);
  return found ? found : s;
}

void mech_free(mech_system* s)
{
  if (!s) return;
  base_kept_free(s->kept);
  base_arena_free(s->arena);
}
