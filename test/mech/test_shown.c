// The functions shown by name are those that the forms differentiate.
#include "mech/hand.h"
#include "mech/mech.h"

static hand* skater(void)
{
  hand* h = hand_new("xi theta eta", "m=7 l=2 a=0.3 k=0.6 L=1");
  hand_energies(h, "m*(xi'^2 + eta'^2 + l^2*theta'^2 + a*cos(theta)*xi'*theta')", "k*xi*eta");
  hand_force(h, "theta", "L - k*theta'");
  hand_constraint(h, "blade", "eta'*cos(theta) - xi'*sin(theta)");
  return h;
}

static expr shown(const mech_equations* e, const expr_pool* p, const char* name)
{
  for (int i = 0; e && i < e->definitions; i++)
    if (strcmp(expr_name(p, e->definition[i].left), name) == 0) return e->definition[i].right;
  check_fail(__FILE__, __LINE__, "`%s` is not shown", name);
  return EXPR_NONE;
}

TEST(functions_shown_by_name_give_the_left_sides_of_their_forms)
{
  hand* h = skater();
  base_notes* notes = base_notes_new();
  mech_system* s = mech_derive(&h->m, notes);
  expr_pool* p = s->pool;
  mech_equations* e = mech_show(s, "T, V, T',T'' S,R,g,gamma", NULL, notes);
  CHECK(e && e->count == 0 && base_notes_errors(notes) == 0);
  expr T = shown(e, p, "T"), T1 = shown(e, p, "T'"), T2 = shown(e, p, "T''");
  expr S = shown(e, p, "S"), R = shown(e, p, "R");
  for (int i = 0; e && i < s->n; i++) {
    // Lagrange, Appell, Nielsen, Tzenov: d/dt dT/dq' - dT/dq = dS/dq'' = dT'/dq' - 2 dT/dq
    //   = (dT''/dq'' - 3 dT/dq)/2 = dR/dq'' + G
    expr Tq = expr_diff(p, T, s->q[i]);
    expr E = expr_sub(p, expr_total(p, expr_diff(p, T, s->v[i])), Tq);
    expr appell = expr_diff(p, S, s->a[i]);
    expr nielsen = expr_sub(p, expr_diff(p, T1, s->v[i]), expr_mul(p, expr_int(p, 2), Tq));
    expr tzenov = expr_sub(p, expr_diff(p, T2, s->a[i]), expr_mul(p, expr_int(p, 3), Tq));
    tzenov = expr_mul(p, expr_ratio(p, 1, 2), tzenov);
    expr with_forces = expr_add(p, expr_diff(p, R, s->a[i]), s->G[i]);
    CHECK(expr_is_zero(p, expr_sub(p, appell, E)) == EXPR_YES);
    CHECK(expr_is_zero(p, expr_sub(p, nielsen, E)) == EXPR_YES);
    CHECK(expr_is_zero(p, expr_sub(p, tzenov, E)) == EXPR_YES);
    CHECK(expr_is_zero(p, expr_sub(p, with_forces, E)) == EXPR_YES);
  }
  // eta'' = tan(theta) xi'' + ...
  expr g = shown(e, p, "g_eta_xi");
  expr want = expr_fn1(p, EXPR_TAN, expr_symbol(p, "theta"));
  CHECK(expr_is_zero(p, expr_sub(p, g, want)) == EXPR_YES);
  mech_equations_free(e);
  mech_free(s);
  base_notes_free(notes);
  hand_free(h);
}

TEST(functions_nobody_knows_are_refused)
{
  hand* h = skater();
  base_notes* notes = base_notes_new();
  mech_system* s = mech_derive(&h->m, notes);
  CHECK(mech_show(s, "T,energy", NULL, notes) == NULL);
  CHECK_INT(base_notes_errors(notes), 1);
  CHECK(mech_show(s, " , ", NULL, notes) == NULL);
  CHECK_INT(base_notes_errors(notes), 2);
  mech_free(s);
  base_notes_free(notes);
  hand_free(h);
}
