// One form against another: accelerations, reactions and printed equations at random states.
#pragma once

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

// put the accelerations and the reactions into the state
static inline void compare_solve(const hand* h, const compare_system* c, hand_state* s)
{
  const mech_equations* e = c->e;
  int m = e->residuals, n = e->unknowns;
  double* b = base_alloc(sizeof(double) * (size_t)(m * (n + 1) + n + 1));
  double *A = b + m, *x = A + m * n;
  for (int j = 0; j < n; j++) hand_put(s, e->unknown[j], 0);
  hand_get_all(h, s, m * (n + 1), c->all, b);
  for (int i = 0; i < m; i++) b[i] = -b[i];
  hand_solve(m, n, A, b, x);
  for (int j = 0; j < n; j++) hand_put(s, e->unknown[j], x[j]);
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
    double a = hand_get(h, s, m->reaction[k]), b = hand_get(h, r, m->reaction[k]);
    size_r = fmax(size_r, fabs(b));
    most_r = compare_worse(most_r, fabs(a - b));
  }
  return fmax(most / size, most_r / size_r);
}

// the printed equations say the same as the residuals: largest difference of their two sides
static inline double compare_printed(const hand* h, const mech_equations* e, const hand_state* s)
{
  double most = 0, size = 1;
  for (int i = 0; i < e->count; i++) {
    double left = hand_get(h, s, e->equation[i].left), right = hand_get(h, s, e->equation[i].right);
    size = fmax(size, fabs(left));
    most = compare_worse(most, fabs(left - right));
  }
  return most / size;
}

// every form against Lagrange at random states, pivots chosen by the forms
static inline void compare_forms(hand* h, bool reactions, double tolerance)
{
  base_notes* notes = base_notes_new();
  mech_system* s = mech_derive(&h->m, notes);
  CHECK(s != NULL);
  if (!s) return;
  mech_equations* lagrange = mech_form_find("lagrange")->derive(s, NULL, notes);
  compare_system first = compare_make(h, lagrange);
  for (int f = 0; f < mech_form_count(); f++) {
    mech_equations* e = mech_form_at(f)->derive(s, NULL, notes);
    compare_system other = compare_make(h, e);
    uint64_t seed = 7;
    for (int trial = 0; trial < 25; trial++) {
      hand_state a = hand_throw(h, &seed), b = a;
      compare_solve(h, &first, &a);
      compare_solve(h, &other, &b);
      CHECK_NEAR(compare_apart(h, &b, &a, reactions), 0, tolerance);
      CHECK_NEAR(compare_printed(h, e, &b), 0, tolerance);
    }
    mech_equations_free(e);
  }
  CHECK_INT(base_notes_errors(notes), 0);
  mech_equations_free(lagrange);
  mech_free(s);
  base_notes_free(notes);
}
