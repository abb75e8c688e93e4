// Inertia in other velocities, mass by mass: Newton's and Euler's equations projected.
#include "mech/change.h"

// For a part of the inertia with velocity u, momentum p and absolute rate p* on axes of its own
// (model/inertia.c), and u, p in the new velocities v:
//   sum_i Z_ij E_i = sum p* . du/dv_j,   p* = dp/dt + (p* - dp/dt)
// where the bracket, the turning of the axes, is free of accelerations. For a body with the angular
// velocity of its axes as v this is Euler's A v1' + (C - B) v2 v3. Without masses E is projected as
// it is.

typedef struct work
{
  mech_change* c;
  const mech_system* s;
  expr* left; // l
  expr T;
} work;

static void add_part(work* w, const model_inertia* x)
{
  const mech_change* c = w->c;
  const mech_system *s = w->s, *to = c->to;
  expr_pool* p = s->pool;
  for (int i = 0; i < 3; i++) {
    const expr u = mech_tidy(s, mech_change_in(c, x->v[i]));
    const expr momentum = mech_tidy(s, mech_change_in(c, x->p[i]));
    expr turned = expr_sub(p, x->rate[i], expr_total(p, x->p[i]));
    turned = mech_tidy(s, mech_change_in(c, turned));
    const expr rate = expr_add(p, mech_total(to, momentum), turned);
    w->T = expr_add(p, w->T, expr_mul(p, expr_ratio(p, 1, 2), expr_mul(p, momentum, u)));
    for (int j = 0; j < c->l; j++) {
      const expr slope = expr_diff(p, u, to->v[j]);
      if (slope == s->zero[0]) continue;
      w->left[j] = expr_add(p, w->left[j], expr_mul(p, mech_tidy(s, slope), rate));
    }
  }
}

// E of a kinetic energy that no mass tells
static void add_energy(work* w, expr T)
{
  const mech_change* c = w->c;
  const mech_system* s = w->s;
  expr_pool* p = s->pool;
  expr *P = mech_take(c->arena, s->n), *Tq = mech_take(c->arena, s->n);
  if (T == s->zero[0]) return;
  expr_gradient(p, T, s->n, s->v, P);
  expr_gradient(p, T, s->n, s->q, Tq);
  for (int i = 0; i < s->n; i++) P[i] = expr_sub(p, expr_total(p, P[i]), Tq[i]);
  for (int j = 0; j < c->l; j++) {
    const expr along = mech_dot(p, s->n, c->Z + j, c->l, P, 1);
    w->left[j] = expr_add(p, w->left[j], mech_tidy(s, mech_change_in(c, along)));
  }
  w->T = expr_add(p, w->T, mech_tidy(s, mech_change_in(c, T)));
}

void mech_change_inertia(mech_change* c)
{
  const mech_system* s = c->from;
  const model* m = s->model;
  mech_system* to = c->to;
  work w = {.c = c, .s = s, .left = mech_take(c->arena, c->l), .T = s->zero[0]};
  for (int j = 0; j < c->l; j++) w.left[j] = s->zero[0];
  const int inertias = model_inertia_make((model*)m);
  for (int i = 0; i < inertias; i++) add_part(&w, &m->inertia[i]);
  add_energy(&w, inertias ? m->T_added : m->T);
  for (int j = 0; j < c->l; j++) {
    expr_gradient(s->pool, w.left[j], c->l, to->a, to->M + j * c->l);
    for (int i = 0; i < c->l; i++) to->M[j * c->l + i] = mech_tidy(s, to->M[j * c->l + i]);
    to->h[j] = expr_substitute(s->pool, w.left[j], c->l, to->a, to->zero);
    to->h[j] = mech_tidy(s, to->h[j]);
  }
  ((model*)to->model)->T = mech_tidy(s, w.T);
}
