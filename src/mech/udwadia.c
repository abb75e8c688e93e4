// The explicit equations of Udwadia and Kalaba.
#include "mech/closure.h"
#include "mech/linear.h"
#include "mech/mass.h"
#include "mech/pick.h"

// With the accelerations b = M^-1 F of the system without constraints,
//   q'' = b + M^-1/2 (A M^-1/2)^+ (c - A b)                    Udwadia and Kalaba (1992)
// where ^+ is the inverse of Moore and Penrose. For independent rows of A, which are chosen first,
// it is M^-1/2 (A M^-1/2)^+ = M^-1 A^T (A M^-1 A^T)^-1, so that
//   Lambda = (A M^-1 A^T)^-1 (c - A b),   q'' = b + M^-1 A^T Lambda.
// Dependent rows add nothing: they lie in the span, and b is corrected by the same vector.

static const char* unsuited(const mech_system* s, base_arena* arena)
{
  (void)arena;
  return mech_mass_is_singular(s) ? "the mass matrix is singular: without the constraints the "
                                    "accelerations are not determined"
                                  : NULL;
}

// Lambda of the chosen rows
static void multipliers(mech_equations* e, const mech_system* s, int rank, const int* row,
                        const expr* b, const expr* X, expr* y)
{
  expr_pool* p = s->pool;
  int n = s->n;
  expr *K = mech_take(e->arena, rank * rank), *r = mech_take(e->arena, rank), D = expr_int(p, 1);
  for (int i = 0; i < rank; i++) {
    const expr* A = s->A + row[i] * n;
    for (int j = 0; j < rank; j++)
      K[i * rank + j] = mech_tidy(s, mech_dot(p, n, A, 1, X + j, rank));
    r[i] = mech_tidy(s, expr_sub(p, s->c[row[i]], mech_dot(p, n, A, 1, b, 1)));
  }
  if (!s->small || mech_linear_fraction(s, rank, 1, K, r, y, &D) != MECH_SOLVED) {
    D = expr_int(p, 1);
    mech_linear_positive(s, rank, 1, K, r, y);
  }
  mech_add_assumption(e, s, D);
  for (int i = 0; i < rank; i++) y[i] = mech_tidy(s, expr_div(p, y[i], D));
}

static mech_equations* derive(mech_system* s, const mech_choice* choice, base_notes* notes)
{
  if (mech_form_refuses(&mech_form_udwadia, s, notes)) return NULL;
  expr_pool* p = s->pool;
  int n = s->n;
  mech_equations* e = mech_equations_new(&mech_form_udwadia);
  int* row = base_arena_take(e->arena, sizeof(int) * (size_t)(s->m + 1));
  mech_pick pick = mech_pick_new(s, e->arena);
  int rank = mech_pick_constraints(&pick, choice, NULL, e->arena, row);
  expr *b = mech_take(e->arena, n), *B = mech_take(e->arena, n * rank),
       *X = mech_take(e->arena, n * rank), *y = mech_take(e->arena, rank);
  mech_mass_solve(e, s, 1, s->F, b);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < rank; k++) B[i * rank + k] = s->A[row[k] * n + i];
  mech_mass_solve(e, s, rank, B, X);
  multipliers(e, s, rank, row, b, X, y);
  for (int i = 0; i < n; i++) {
    char* name = base_arena_printf(e->arena, "b_%s", s->model->coord[i].name);
    mech_add_definition(e, "b", mech_name_symbol(s, e->arena, name, ""), b[i]);
  }
  for (int i = 0; i < n; i++) {
    expr right = expr_add(p, b[i], mech_dot(p, rank, X + i * rank, 1, y, 1));
    mech_add_equation(e, s->model->coord[i].name, s->a[i], mech_tidy(s, right));
    mech_add_residual(e, expr_sub(p, s->a[i], right));
  }
  mech_add_accelerations(e, s);
  for (int k = 0; k < s->m; k++) {
    int at = 0;
    while (at < rank && row[at] != k) at++;
    mech_add_reaction(e, s->model->constraint[k].name, s->model->reaction[k],
                      at < rank ? y[at] : s->zero[0]);
  }
  return mech_equations_finish(e, s, notes);
}

const mech_form mech_form_udwadia = {
    .name = "udwadia",
    .aliases = "",
    .title = "The explicit equations of Udwadia and Kalaba",
    .needs = "a regular mass matrix; any constraints affine in the accelerations; dependent ones "
             "are left out of the reactions",
    .speeds = MECH_ANGULAR,
    .unsuited = unsuited,
    .derive = derive,
};
