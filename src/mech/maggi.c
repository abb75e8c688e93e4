// Maggi's equations: the motion along independent quasi-velocities, reactions apart from it.
#include <stdlib.h>

#include "mech/basis.h"
#include "mech/form.h"

// sum_s (E_s - G_s) dq_s'/dv_lambda = 0,         lambda = 1..l   Kondrenkina (2018), I(3.17)
// Lambda_kappa = sum_s (E_s - G_s) dq_s'/df_kappa                  I(3.18)
// with E_s = d/dt dT/dq_s' - dT/dq_s and G_s the force; Maggi (1896) for linear constraints,
// Przeborski (1931) for nonlinear ones of first order and linear ones of second.
// Unknown are the q'' alone.

static const char* unsuited(const mech_system* s, base_arena* arena)
{
  (void)s, (void)arena;
  return NULL;
}

// quasi-velocities by q', then q' by quasi-velocities
static void define(mech_equations* e, const mech_system* s, const mech_basis* b)
{
  for (int i = 0; i < b->l; i++)
    if (b->meaning[i] != EXPR_NONE) mech_add_definition(e, b->label[i], b->v[i], b->meaning[i]);
  for (int j = 0; j < s->n; j++) {
    if (b->known[j] == EXPR_NONE) continue;
    expr right =
        expr_add(s->pool, b->known[j], mech_dot(s->pool, b->l, b->Z + j * b->l, 1, b->v, 1));
    right = mech_tidy(s, right);
    if (right == s->v[j]) continue;
    mech_add_definition(e, s->model->coord[j].name, s->v[j], right);
  }
}

static void along_quasi_velocities(mech_equations* e, const mech_system* s, const mech_basis* b)
{
  expr* force = base_arena_take(e->arena, sizeof(expr) * (size_t)(s->n + 1));
  for (int i = 0; i < s->n; i++) force[i] = mech_lagrange_residual(s, i);
  for (int i = 0; i < b->l; i++) {
    mech_add_projected(e, s, b->label[i], b->Z + i, b->l, expr_int(s->pool, 0));
    mech_add_residual(e, mech_dot(s->pool, s->n, b->Z + i, b->l, force, 1));
  }
}

// the constraints that depend on the others carry no reaction of their own here
static void reactions(mech_equations* e, const mech_system* s, const mech_basis* b,
                      base_notes* notes)
{
  expr* force = base_arena_take(e->arena, sizeof(expr) * (size_t)(s->n + 1));
  for (int i = 0; i < s->n; i++) force[i] = mech_lagrange_residual(s, i);
  for (int k = 0; k < s->m; k++) {
    const model_constraint* f = &s->model->constraint[k];
    int at = 0;
    while (at < b->rank && b->row[at] != k) at++;
    expr right = expr_int(s->pool, 0);
    if (at < b->rank) {
      right = mech_dot(s->pool, s->n, b->R + at, b->rank, force, 1);
      right = expr_div(s->pool, mech_tidy(s, right), b->D);
    } else {
      base_info(notes, f->place,
                "constraint `%s` depends on the others: its reaction is taken as zero here, theirs "
                "carry it",
                f->name);
    }
    mech_add_reaction(e, f->name, s->model->reaction[k], right);
  }
}

static mech_equations* derive(mech_system* s, const mech_choice* choice, base_notes* notes)
{
  int n = s->n, m = s->m;
  base_arena* arena = base_arena_new();
  mech_basis* b = mech_basis_choose(s, choice, arena, notes);
  mech_equations* e =
      mech_equations_new(&mech_form_maggi, (mech_room){.definitions = 2 * n,
                                                       .equations = n + m,
                                                       .reactions = m,
                                                       .unknowns = n,
                                                       .residuals = n + m,
                                                       .assumptions = b->assumptions});
  define(e, s, b);
  along_quasi_velocities(e, s, b);
  for (int i = 0; i < b->rank; i++) mech_add_constraint(e, s, b->row[i]);
  reactions(e, s, b, notes);
  for (int i = 0; i < n; i++) mech_add_unknown(e, s->a[i]);
  for (int i = 0; i < b->assumptions; i++) mech_add_assumption(e, b->assumption[i]);
  base_arena_free(arena);
  const char* fault = NULL;
  for (int i = 0; i < e->residuals; i++)
    if (e->residual[i] == EXPR_NONE) fault = "the chosen velocities do not determine the others";
  if (expr_pool_full(s->pool)) fault = "the expressions are beyond their limit";
  if (!fault) return e;
  base_error(notes, BASE_NOWHERE, "Maggi's equations cannot be written down: %s", fault);
  mech_equations_free(e);
  return NULL;
}

const mech_form mech_form_maggi = {
    .name = "maggi",
    .aliases = "lagrange:pseudo",
    .title = "Maggi's equations",
    .needs =
        "independent constraints; quasi-velocities as declared or chosen, singular where their "
        "gradients and those of the constraints become dependent",
    .unsuited = unsuited,
    .derive = derive,
};
