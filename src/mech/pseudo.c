// Pseudo-accelerations: declared, derivatives of quasi-velocities, or chosen.
#include "mech/pseudo.h"

// Legend: W are the derivatives of the pi'' by q'', W Z = 1, and R / D those of q'' by the
// constraints, W R = 0, A R = D. From  W q'' + r = pi''  and  A q'' = c:
//   q'' = Z (pi'' - r) + R c / D = Z pi'' + k.

// the acceleration that is the rate of this velocity, EXPR_NONE where it is none of the system's
static expr rate_of(const mech_system* s, expr symbol)
{
  for (int j = 0; j < s->n; j++)
    if (s->v[j] == symbol) return s->a[j];
  return EXPR_NONE;
}

// the symbol of pi'' and what it means
static void mean(const mech_system* s, mech_pseudo* u, int i, base_arena* arena)
{
  expr_pool* p = s->pool;
  const mech_basis* b = u->b;
  if (i < b->declared && s->model->quasi[b->quasi[i]].order == 2) {
    u->pi[i] = b->v[i];
    u->meaning[i] = s->model->quasi[b->quasi[i]].value;
    return;
  }
  expr along = mech_dot(p, s->n, b->W + i * s->n, 1, s->v, 1);
  if (i < b->declared) along = s->model->quasi[b->quasi[i]].value;
  bool affine = i < b->declared;
  for (int j = 0; j < s->n && !affine; j++)
    if (expr_has_any(p, b->W[i * s->n + j], s->n, s->v)) {
      // no velocity has these derivatives: the combination of accelerations alone
      u->pi[i] = mech_name_symbol(s, arena, base_arena_printf(arena, "pi%d", i + 1), "''");
      u->meaning[i] = mech_dot(p, s->n, b->W + i * s->n, 1, s->a, 1);
      return;
    }
  u->speed[i] = mech_tidy(s, along);
  u->meaning[i] = mech_total(s, along);
  u->pi[i] = rate_of(s, b->v[i]);
  if (!u->pi[i]) u->pi[i] = expr_symbol(p, base_arena_printf(arena, "%s'", b->label[i]));
}

mech_pseudo* mech_pseudo_choose(const mech_system* s, const mech_choice* choice,
                                mech_basis_kind kind, base_arena* arena, base_notes* notes)
{
  expr_pool* p = s->pool;
  int n = s->n;
  mech_pseudo* u = base_arena_take(arena, sizeof *u);
  mech_basis* b = u->b = mech_basis_choose(s, choice, kind, arena, notes);
  u->pi = mech_take(arena, b->l);
  u->meaning = mech_take(arena, b->l);
  u->speed = mech_take(arena, b->l);
  u->k = mech_take(arena, n);
  expr *rest = mech_take(arena, b->l), *c = mech_take(arena, b->rank);
  for (int i = 0; i < b->l; i++) {
    mean(s, u, i, arena);
    rest[i] = mech_tidy(s, expr_substitute(p, u->meaning[i], n, s->a, s->zero));
    u->meaning[i] = mech_tidy(s, u->meaning[i]);
  }
  for (int i = 0; i < b->rank; i++) c[i] = s->c[b->row[i]];
  for (int j = 0; j < n; j++) {
    expr fixed = mech_tidy(s, mech_dot(p, b->rank, b->R + j * b->rank, 1, c, 1));
    expr turned = mech_dot(p, b->l, b->Z + j * b->l, 1, rest, 1);
    u->k[j] = mech_tidy(s, expr_sub(p, expr_div(p, fixed, b->D), turned));
  }
  return u;
}

expr mech_pseudo_acceleration(const mech_system* s, const mech_pseudo* u, int i)
{
  int l = u->b->l;
  return expr_add(s->pool, mech_dot(s->pool, l, u->b->Z + i * l, 1, u->pi, 1), u->k[i]);
}

void mech_pseudo_unknowns(mech_equations* e, const mech_system* s, const mech_pseudo* u)
{
  mech_add_accelerations(e, s);
  for (int i = 0; i < u->b->l; i++) {
    bool new = true;
    for (int j = 0; j < s->n; j++) new &= u->pi[i] != s->a[j];
    if (new) mech_add_unknown(e, u->pi[i]);
  }
  for (int j = 0; j < s->n; j++) {
    expr r = expr_sub(s->pool, s->a[j], mech_pseudo_acceleration(s, u, j));
    if (r != s->zero[0]) mech_add_residual(e, r);
  }
}
