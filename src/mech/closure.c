// The closures: with multipliers, along independent accelerations, along pseudo-accelerations.
#include "mech/closure.h"

// X_i stands for the left side of a base: E_i (Lagrange), dS/dq_i'' (Appell), N_i (Nielsen) or
// dR/dq_i'' + G_i (Tzenov), all the same function of t, q, q', q''. Do Shan (1973):
//   multipliers   X_i = G_i + sum_k Lambda_k A_ki                         (1.6), Lambda = -lambda
//   independent   X_v + sum_h g_hv X_h = G_v + sum_h g_hv G_h              (1.9), (1.16), (2.2)
//   pseudo        sum_i X_i dq_i''/dpi_v'' = sum_i G_i dq_i''/dpi_v''      (1.17), (2.2)
// each with the constraints at the level of accelerations; h dependent, v independent coordinates,
// pi'' pseudo-accelerations, A_ki = df_k/dq_i''. Errata D4-D7, D20, D27-D29.

const char* mech_suits_all(const mech_system* s, base_arena* arena)
{
  (void)s, (void)arena;
  return NULL;
}

void mech_close_multipliers(mech_equations* e, const mech_system* s, const mech_sides* sides)
{
  expr_pool* p = s->pool;
  int n = s->n;
  expr* unit = mech_take(e->arena, n);
  for (int i = 0; i < n; i++) unit[i] = s->zero[0];
  for (int i = 0; i < n; i++) {
    // row i is the projection on the i-th axis
    unit[i] = expr_int(p, 1);
    expr reactions = mech_dot(p, s->m, s->A + i, n, s->model->reaction, 1);
    mech_add_projected(e, s, sides, s->model->coord[i].name, unit, 1, reactions);
    unit[i] = s->zero[0];
  }
  mech_add_accelerations(e, s);
  for (int k = 0; k < s->m; k++) {
    mech_add_constraint(e, s, k);
    mech_add_unknown(e, s->model->reaction[k]);
  }
}

void mech_close_independent(mech_equations* e, const mech_system* s, const mech_sides* sides,
                            const mech_choice* choice, base_notes* notes)
{
  base_arena* arena = base_arena_new();
  const mech_split* k = mech_split_choose(s, choice, NULL, arena);
  const expr* Z = mech_split_columns(s, k, arena);
  mech_split_define(e, s, k);
  for (int j = 0; j < k->l; j++)
    mech_add_projected(e, s, sides, s->model->coord[k->v[j]].name, Z + j, k->l, s->zero[0]);
  for (int i = 0; i < k->rank; i++) mech_add_constraint(e, s, k->row[i]);
  mech_split_reactions(e, s, sides, k, notes);
  mech_add_accelerations(e, s);
  mech_add_assumption(e, s, k->D);
  base_arena_free(arena);
}

void mech_define_quasi(mech_equations* e, const mech_system* s, const mech_basis* b)
{
  for (int i = 0; i < b->l; i++)
    if (b->meaning[i] != EXPR_NONE && b->meaning[i] != b->v[i])
      mech_add_definition(e, b->label[i], b->v[i], b->meaning[i]);
  for (int j = 0; j < s->n; j++) {
    if (b->known[j] == EXPR_NONE) continue;
    expr right =
        expr_add(s->pool, b->known[j], mech_dot(s->pool, b->l, b->Z + j * b->l, 1, b->v, 1));
    right = mech_tidy(s, right);
    if (right == s->v[j]) continue;
    mech_add_definition(e, s->model->coord[j].name, s->v[j], right);
  }
}

void mech_close_pseudo(mech_equations* e, const mech_system* s, const mech_sides* sides,
                       const mech_choice* choice, mech_basis_kind kind, base_notes* notes)
{
  base_arena* arena = base_arena_new();
  const mech_basis* b = mech_basis_choose(s, choice, kind, arena, notes);
  mech_define_quasi(e, s, b);
  for (int i = 0; i < b->l; i++)
    mech_add_projected(e, s, sides, b->label[i], b->Z + i, b->l, s->zero[0]);
  for (int i = 0; i < b->rank; i++) mech_add_constraint(e, s, b->row[i]);
  mech_add_reactions(e, s, sides, b->rank, b->row, b->R, b->D, notes);
  mech_add_accelerations(e, s);
  mech_basis_tell(e, s, b);
  base_arena_free(arena);
}
