// What joints do to their first body: force, moment, power.
//
// A joint that closes a loop is its equations, and their reactions are its force. One that places a
// body has none. It is let go: the text is read once more with six further coordinates, by which B
// is displaced and turned at the joint, along A's axes. What would hold them at zero,
//   R_k = d/dt dT/dd_k' - dT/dd_k + dV/dd_k - Q_k - sum_j Lambda_j df_j/dd_k    at d = d' = d'' =
//   0,
// is the force and the moment of A on B (Newton's and Euler's equations of all that the joint
// carries, with everything that acts on it). What is written by the joint's own coordinates, as a
// motor, a torsion spring or a stop, does no work on d: it acts across the joint, and belongs to R.

#include "model/joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GIVES = MODEL_GIVES };

// ---- the joint that is let go -------------------------------------------------------------------

// last of all coordinates with a place, so that the others keep their ranks; states stand behind
void model_joint_release(model_scope* s)
{
  static const char* const part[GIVES] = {"(x)", "(y)", "(z)", "(wx)", "(wy)", "(wz)"};
  const model_entry* e = model_names_find(&s->constraint_names, s->released);
  for (int i = 0; i < GIVES; i++) model_coord_make(s, e, part[i], "", 0);
}

void model_joint_release_name(model_scope* s)
{
  for (int i = 0; i < GIVES; i++) {
    const model_coord* x = &s->m->coord[s->m->places - GIVES + i];
    s->give[i] = x->q;
    s->give_v[i] = x->v;
    s->give_a[i] = x->a;
  }
}

// ---- its six equations --------------------------------------------------------------------------

static void add_all(expr_pool* p, const expr* x, expr R[GIVES])
{
  for (int i = 0; i < GIVES; i++) R[i] = expr_add(p, R[i], x[i]);
}

static void subtract_all(expr_pool* p, const expr* x, expr R[GIVES])
{
  for (int i = 0; i < GIVES; i++) R[i] = expr_sub(p, R[i], x[i]);
}

// sum of p* . dv/dd' over the masses
static void add_masses(model_scope* s, expr R[GIVES])
{
  const model* m = s->m;
  const int n = 3 * model_inertia_make(s->m);
  expr *v = base_arena_take(s->arena, (size_t)(n + 1) * sizeof *v), got[GIVES],
       *rate = base_arena_take(s->arena, (size_t)(n + 1) * sizeof *rate);
  for (int i = 0; i < n; i++) {
    v[i] = m->inertia[i / 3].v[i % 3];
    rate[i] = m->inertia[i / 3].rate[i % 3];
  }
  model_scope_hold(s, n, rate);
  expr_pullback(s->pool, n, v, rate, GIVES, s->give_v, got);
  add_all(s->pool, got, R);
}

static void add_energies(model_scope* s, expr R[GIVES])
{
  expr_pool* p = s->pool;
  const model* m = s->m;
  const expr T = model_inertia_make(s->m) ? m->T_added : m->T;
  expr slope[GIVES];
  expr_gradient(p, T, GIVES, s->give_v, slope);
  for (int i = 0; i < GIVES; i++) R[i] = expr_add(p, R[i], expr_total(p, slope[i]));
  expr_gradient(p, expr_sub(p, T, m->V), GIVES, s->give, slope);
  subtract_all(p, slope, R);
}

// forces, and reactions along the derivatives of their equations by what is of highest order
static void subtract_forces(model_scope* s, expr R[GIVES])
{
  expr_pool* p = s->pool;
  const model* m = s->m;
  const size_t room = (size_t)(m->constraints + 1) * sizeof(expr);
  expr *f = base_arena_take(s->arena, room), *weight = base_arena_take(s->arena, room), got[GIVES];
  subtract_all(p, m->Q + m->places - GIVES, R);
  for (int order = 0; order <= 2; order++) {
    int n = 0;
    for (int k = 0; k < m->constraints; k++) {
      const model_constraint* c = &m->constraint[k];
      // a control stands among the forces
      if (c->order != order || c->along) continue;
      f[n] = c->f;
      weight[n++] = m->reaction[k];
    }
    expr_pullback(p, n, f, weight, GIVES,
                  order == 0   ? s->give
                  : order == 1 ? s->give_v
                               : s->give_a,
                  got);
    subtract_all(p, got, R);
  }
}

// ---- is it the same model? ----------------------------------------------------------------------

// rounding of long sums, over what they come to; another model differs by more
static const double rounding = 1e-9;
enum { trials = 3, most_symbols = 4000 };

static double* number_of(int n, const expr* symbol, double* number, expr e)
{
  for (int i = 0; i < n; i++)
    if (symbol[i] == e) return &number[i];
  return NULL;
}

// parts of unit vectors and quaternions are those of one of length one
static void make_units(const model* m, int n, const expr* symbol, double* number)
{
  for (int i = 0, end; i < m->coords; i = end) {
    double length = 0, *at[4];
    for (end = i + 1; end < m->coords && m->coord[i].vector && end - i < 4; end++)
      if (m->coord[end].vector != m->coord[i].vector) break;
    for (int k = i; k < end; k++) {
      at[k - i] = number_of(n, symbol, number, m->coord[k].q);
      length = hypot(length, at[k - i] ? *at[k - i] : 0);
    }
    for (int k = i; k < end && m->coord[i].vector && length > 0; k++)
      if (at[k - i]) *at[k - i] /= length;
  }
}

// two functions of the same symbols at some states, by their numbers
static bool have_same_numbers(model_scope* s, const expr both[2])
{
  expr* symbol = base_alloc(sizeof(expr) * most_symbols);
  double *number = base_alloc(sizeof(double) * most_symbols), value[2], apart = 0, size = 0;
  const int n = expr_symbols(s->pool, 2, both, most_symbols, symbol);
  for (int k = 0; k < trials && n <= most_symbols; k++) {
    for (int i = 0; i < n; i++) number[i] = 0.3 + sin(1 + 2.7 * i + 1.3 * k) / 2;
    make_units(s->m, n, symbol, number);
    expr_values(s->pool, 2, both, n, symbol, number, value);
    apart = fmax(apart, fabs(value[0] - value[1]));
    size = fmax(size, fabs(value[0]) + fabs(value[1]));
  }
  free(symbol);
  free(number);
  return n <= most_symbols && apart <= rounding * size;
}

static bool are_alike(model_scope* s, expr a, expr released)
{
  const expr both[2] = {a, model_scope_held(s, released)};
  if (both[0] == both[1]) return true;
  if (both[0] == EXPR_NONE || both[1] == EXPR_NONE) return false;
  return have_same_numbers(s, both) ||
         expr_is_zero(s->pool, expr_sub(s->pool, both[0], both[1])) != EXPR_NO;
}

// with the joint held: what is decided by how expressions look may be decided otherwise
static bool is_same(const model* m, model_scope* s)
{
  const model* x = s->m;
  bool same = x->coords == m->coords + GIVES && x->constraints == m->constraints;
  for (int k = 0; k < m->constraints && same; k++)
    same = strcmp(m->constraint[k].name, x->constraint[k].name) == 0 &&
           m->constraint[k].order == x->constraint[k].order &&
           are_alike(s, m->constraint[k].f, x->constraint[k].f);
  for (int i = 0; i < m->coords && same; i++) {
    const int j = i < m->places ? i : i + GIVES;
    same = m->coord[i].q == x->coord[j].q && are_alike(s, m->Q[i], x->Q[j]);
  }
  return same && are_alike(s, m->V, x->V);
}

static bool refuse(model_scope* s, const lang_node* n, const model_entry* e, const char* why)
{
  base_error(s->notes, n->place, why, e->name);
  base_help(s->notes, "as equations it has them: joint %s: ... as constraint", e->name);
  return false;
}

// force and moment in A's axes; false with an error noted
static bool let_go(model_scope* s, const lang_node* n, const model_entry* e, expr R[GIVES])
{
  base_notes* notes = base_notes_new();
  model* x = s->again(s, e->name, notes);
  const bool same = base_notes_errors(notes) == 0 && is_same(s->m, x->scope);
  for (int i = 0; i < GIVES; i++) R[i] = expr_int(s->pool, 0);
  if (same) {
    add_masses(x->scope, R);
    add_energies(x->scope, R);
    subtract_forces(x->scope, R);
    model_scope_hold(x->scope, GIVES, R);
  }
  s->drop(x);
  base_notes_free(notes);
  return same ||
         refuse(s, n, e, "the force of `%s` is not found: without it this is another model");
}

static bool find(model_scope* s, const lang_node* n, model_entry* e)
{
  expr R[GIVES];
  if (e->carries) return true;
  // what is wrong with the model would be wrong again
  if (base_notes_errors(s->notes) > 0) return false;
  for (int i = 0; i < s->m->meetings; i++)
    if (s->m->meeting[i].looked_for)
      return refuse(s, n, e,
                    "the force of `%s` is not known beside contacts that steps of time look for");
  if (!let_go(s, n, e, R)) return false;
  for (int i = 0; i < GIVES; i++) R[i] = model_simpler(s, R[i]);
  model_axes_change(&s->kin, e->carrier->axes, NULL, R, e->force);
  model_axes_change(&s->kin, e->carrier->axes, NULL, R + 3, e->moment);
  e->carries = true;
  return true;
}

// ---- calls --------------------------------------------------------------------------------------

// F . v + M . omega with the velocities of B at the joint as A sees them
static expr power_of(model_scope* s, const model_entry* e)
{
  expr_pool* p = s->pool;
  const model_axes* A = e->carrier->axes;
  expr v[3], w[3], carried[3], F[3], M[3];
  model_vec_total(p, e->way, v);
  model_axes_omega(&s->kin, e->axes, A, w);
  model_axes_omega(&s->kin, A, A, carried);
  model_vec_sub(p, w, carried, w);
  model_axes_change(&s->kin, NULL, A, e->force, F);
  model_axes_change(&s->kin, NULL, A, e->moment, M);
  return model_simpler(s, expr_add(p, model_vec_dot(p, F, v), model_vec_dot(p, M, w)));
}

// the frame in whose axes it is asked for; false with an error noted
static bool read_frame(model_scope* s, const lang_node* n, const model_axes** out)
{
  *out = NULL;
  if (n->n < 2) return true;
  if (n->kid[1]->kind != LANG_NAME) {
    base_error(s->notes, n->kid[1]->place, "expected the name of a frame");
    return false;
  }
  const model_entry* F = model_scope_frame(s, (lang_word){n->kid[1]->text, n->kid[1]->place});
  if (F) *out = F->axes;
  return F;
}

model_value model_joint_call(model_scope* s, const lang_node* n, model_entry* e, int part,
                             int which)
{
  const model_axes* to;
  expr out[3];
  if (!read_frame(s, n, &to)) return model_value_poison();
  // the text is read again for it
  if (e->places && (!s->acts || (!s->tree && !e->carries))) {
    base_error(s->notes, n->place,
               "the force of `%s`, which places a body, follows from the motion", e->name);
    base_help(s->notes,
              "ask for it in an output, a plot or an event; as equations it is known "
              "everywhere: joint %s: ... as constraint",
              e->name);
    return model_value_poison();
  }
  if (e->places && !find(s, n, e)) return model_value_poison();
  if (which == MODEL_JOINT_POWER) return model_value_scalar(power_of(s, e), model_dim_of(2, 1, -3));
  const bool moment = which == MODEL_JOINT_MOMENT;
  model_axes_change(&s->kin, NULL, to, moment ? e->moment : e->force, out);
  const model_dim d = model_dim_of(moment ? 2 : 1, 1, -2);
  return part >= 0 ? model_value_scalar(out[part], d) : model_value_vector(out, d);
}
