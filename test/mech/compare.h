// One form against another: accelerations, reactions and printed equations at random states.
#pragma once

#include "mech/consistent.h"
#include "mech/hand.h"
#include "mech/mech.h"

// the linear problem of a form, ready for numbers: residuals, then their derivatives
typedef struct compare_system
{
  const mech_equations* e;
  expr* all;
} compare_system;

static inline compare_system compare_make(const hand* h, const mech_equations* e)
{
  int m = e->residuals, n = e->unknowns;
  compare_system c = {e, base_arena_take(h->m.arena, sizeof(expr) * (size_t)(m * (n + 1) + 1))};
  for (int i = 0; i < m; i++) {
    c.all[i] = e->residual[i];
    expr_gradient(h->m.pool, e->residual[i], n, e->unknown, c.all + m + i * n);
  }
  return c;
}

// rows and columns of unlike units made alike; x of the scaled problem is to be multiplied by
// `unit`
static inline void compare_scale(int m, int n, double* A, double* b, double* unit)
{
  for (int j = 0; j < n; j++) unit[j] = 1;
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < m; i++) {
      double most = 0;
      for (int j = 0; j < n; j++) most = fmax(most, fabs(A[i * n + j]));
      for (int j = 0; j < n && most > 0; j++) A[i * n + j] /= most;
      if (most > 0) b[i] /= most;
    }
    for (int j = 0; j < n; j++) {
      double most = 0;
      for (int i = 0; i < m; i++) most = fmax(most, fabs(A[i * n + j]));
      for (int i = 0; i < m && most > 0; i++) A[i * n + j] /= most;
      if (most > 0) unit[j] /= most;
    }
  }
}

// put the accelerations and the reactions into the state
static inline void compare_solve(const hand* h, const compare_system* c, hand_state* s)
{
  const mech_equations* e = c->e;
  int m = e->residuals, n = e->unknowns;
  double* b = base_alloc(sizeof(double) * (size_t)(m * (n + 1) + 2 * n + 1));
  double *A = b + m, *x = A + m * n, *unit = x + n;
  for (int j = 0; j < n; j++) hand_put(s, e->unknown[j], 0);
  hand_get_all(h, s, m * (n + 1), c->all, b);
  for (int i = 0; i < m; i++) b[i] = -b[i];
  compare_scale(m, n, A, b, unit);
  hand_solve(m, n, A, b, x);
  for (int j = 0; j < n; j++) hand_put(s, e->unknown[j], unit[j] * x[j]);
  for (int k = 0; k < e->reactions; k++)
    hand_put(s, e->reaction[k].left, hand_get(h, s, e->reaction[k].right));
  free(b);
}

static inline double compare_worse(double a, double b)
{
  return isnan(b) ? INFINITY : fmax(a, b);
}

// largest difference of accelerations (and reactions) between two solved states, relative
static inline double compare_apart(const hand* h, const hand_state* s, const hand_state* r,
                                   bool reactions)
{
  const model* m = &h->m;
  double most = 0, size = 1, most_r = 0, size_r = 1;
  for (int i = 0; i < m->coords; i++) {
    double a = hand_get(h, s, m->coord[i].a), b = hand_get(h, r, m->coord[i].a);
    size = fmax(size, fabs(b));
    most = compare_worse(most, fabs(a - b));
  }
  for (int k = 0; k < m->constraints && reactions; k++) {
    // what holds a quaternion to its sphere is no force
    if (m->constraint[k].internal) continue;
    double a = hand_get(h, s, m->reaction[k]), b = hand_get(h, r, m->reaction[k]);
    size_r = fmax(size_r, fabs(b));
    most_r = compare_worse(most_r, fabs(a - b));
  }
  return fmax(most / size, most_r / size_r);
}

// sum of the magnitudes of the terms
static inline double compare_size(const hand* h, const hand_state* s, expr e)
{
  if (expr_kind_of(h->m.pool, e) != EXPR_SUM) return fabs(hand_get(h, s, e));
  double sum = 0;
  for (int i = 0; i < expr_arg_count(h->m.pool, e); i++)
    sum += fabs(hand_get(h, s, expr_arg(h->m.pool, e, i)));
  return sum;
}

// the printed equations say the same as the residuals: largest difference of their two sides
static inline double compare_printed(const hand* h, const mech_equations* e, const hand_state* s)
{
  double most = 0, size = 1;
  for (int i = 0; i < e->count; i++) {
    double left = hand_get(h, s, e->equation[i].left), right = hand_get(h, s, e->equation[i].right);
    size = fmax(size, compare_size(h, s, e->equation[i].left));
    most = compare_worse(most, fabs(left - right));
  }
  return most / size;
}

// how far the answer moves when every number of the state is rounded differently
static inline double compare_rounding(const hand* h, const compare_system* c, const hand_state* at,
                                      bool reactions)
{
  hand_state moved = *at, here = *at;
  for (int i = 0; i < moved.n; i++) moved.value[i] *= 1 + (i % 2 ? 4e-16 : -4e-16);
  compare_solve(h, c, &moved);
  compare_solve(h, c, &here);
  return compare_apart(h, &moved, &here, reactions);
}

// values for the symbols a form brings along, from its definitions and from lines of its own such
// as p' = ...
static inline void compare_define(const hand* h, const mech_equations* e, hand_state* s)
{
  const expr_pool* p = h->m.pool;
  for (int round = 0; round < 2; round++) {
    int n = round ? e->count : e->definitions;
    const mech_equation* line = round ? e->equation : e->definition;
    for (int i = 0; i < n; i++)
      if (expr_kind_of(p, line[i].left) == EXPR_SYMBOL && isnan(hand_get(h, s, line[i].left)))
        hand_put(s, line[i].left, hand_get(h, s, line[i].right));
  }
}

// every form that suits against Lagrange at random states on the constraints, pivots chosen by the
// forms; the printed equations must say the same
static inline void compare_forms(hand* h, bool reactions, double tolerance)
{
  base_notes* notes = base_notes_new();
  mech_system* s = mech_derive(&h->m, notes);
  CHECK(s != NULL);
  if (!s) return;
  mech_equations* lagrange = mech_form_find("lagrange")->derive(s, NULL, notes);
  compare_system first = compare_make(h, lagrange);
  for (int f = 0; f < mech_form_count(); f++) {
    const mech_form* form = mech_form_at(f);
    if (form->unsuited(s, s->arena)) continue;
    mech_equations* e = form->derive(s, NULL, notes);
    CHECK(e != NULL);
    if (!e) continue;
    compare_system other = compare_make(h, e);
    uint64_t seed = 7;
    int good = 0;
    for (int trial = 0; trial < 100 && good < 25; trial++) {
      hand_state a;
      if (!consistent_throw(h, s, &seed, &a)) continue;
      hand_state b = a;
      compare_solve(h, &first, &a);
      compare_solve(h, &other, &b);
      compare_define(h, e, &b);
      // near a singular state of the form's own no more can be asked than a rounding leaves
      const double allowed = fmax(tolerance, 100 * compare_rounding(h, &other, &b, reactions));
      const double off = compare_apart(h, &b, &a, reactions), said = compare_printed(h, e, &b);
      if (!(off <= allowed)) check_fail(__FILE__, __LINE__, "%s differs by %g", form->name, off);
      if (!(said <= allowed))
        check_fail(__FILE__, __LINE__, "%s is printed with a difference of %g", form->name, said);
      good++;
    }
    CHECK_INT(good, 25);
    mech_equations_free(e);
  }
  CHECK_INT(base_notes_errors(notes), 0);
  mech_equations_free(lagrange);
  mech_free(s);
  base_notes_free(notes);
}
