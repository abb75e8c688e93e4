// Appell's equations: from the energy of accelerations S.
#include "mech/closure.h"
#include "mech/pseudo.h"

// S = 1/2 sum m w^2 (Gibbs, Appell) is quadratic in q'', and dS/dq_i'' = E_i = sum_j M_ij q_j'' +
// h_i (Do Shan 1973, (1.14)). So without particles at hand
//   S = 1/2 sum_ij M_ij q_i'' q_j'' + sum_i h_i q_i''
// up to terms free of accelerations, which no equation below needs. With S:
//   multipliers   dS/dq_i'' = G_i + sum_k Lambda_k A_ki                       (1.6), Lambda =
//   -lambda independent   dS/dq_v'' + sum_h g_hv dS/dq_h'' = G_v + sum_h g_hv G_h      (1.9)
//   substituted   dS_r/dq_v'' = G_v + sum_h g_hv G_h, S_r = S with q_h'' put in  (1.11), errata D7
//   pseudo        dS/dpi_v'' = sum_i G_i dq_i''/dpi_v'', S with q''(pi'') put in  (1.13)

expr mech_energy_of_accelerations(const mech_system* s)
{
  expr_pool* p = s->pool;
  expr sum = s->zero[0];
  for (int i = 0; i < s->n; i++) {
    expr half =
        expr_mul(p, expr_ratio(p, 1, 2), mech_dot(p, s->n, mech_mass(s) + i * s->n, 1, s->a, 1));
    sum = expr_add(p, sum, expr_mul(p, s->a[i], expr_add(p, half, s->h[i])));
  }
  return sum;
}

expr mech_without_states(const mech_system* s, expr S)
{
  for (int i = s->model->places; i < s->n; i++)
    S = expr_sub(s->pool, S,
                 expr_mul(s->pool, expr_ratio(s->pool, 1, 2), expr_mul(s->pool, s->a[i], s->a[i])));
  return S;
}

static void show(mech_equations* e, const mech_system* s, expr S)
{
  if (s->small)
    mech_add_definition(e, "S", mech_name_symbol(s, e->arena, "S", ""),
                        mech_tidy(s, mech_without_states(s, S)));
}

static mech_sides sides_of(mech_equations* e, const mech_system* s)
{
  expr* left = mech_take(e->arena, s->n);
  expr S = mech_energy_of_accelerations(s);
  show(e, s, S);
  expr_gradient(s->pool, S, s->n, s->a, left);
  return mech_sides_from(s, left, e->arena);
}

static mech_equations* derive(mech_system* s, const mech_choice* choice, base_notes* notes)
{
  (void)choice;
  mech_equations* e = mech_equations_new(&mech_form_appell);
  mech_sides sides = sides_of(e, s);
  mech_close_multipliers(e, s, &sides);
  return mech_equations_finish(e, s, notes);
}

static mech_equations* derive_independent(mech_system* s, const mech_choice* choice,
                                          base_notes* notes)
{
  mech_equations* e = mech_equations_new(&mech_form_appell_independent);
  mech_sides sides = sides_of(e, s);
  mech_close_independent(e, s, &sides, choice, notes);
  return mech_equations_finish(e, s, notes);
}

// ---- S as a function of fewer variables ---------------------------------------------------------

// S in l variables x, terms free of them left out: N_ij = d2S/dx_i dx_j, d_i = dS/dx_i at x = 0
typedef struct reduced
{
  int l;
  const expr* x;
  expr *N, *d;
} reduced;

static reduced reduce(const mech_system* s, expr S, int l, const expr* x, base_arena* arena)
{
  reduced r = {l, x, mech_take(arena, l * l), mech_take(arena, l)};
  expr *slope = mech_take(arena, l), *zero = mech_take(arena, l);
  for (int i = 0; i < l; i++) zero[i] = s->zero[0];
  expr_gradient(s->pool, S, l, x, slope);
  for (int i = 0; i < l; i++) {
    expr_gradient(s->pool, slope[i], l, x, r.N + i * l);
    for (int j = 0; j < l; j++) r.N[i * l + j] = mech_tidy(s, r.N[i * l + j]);
    r.d[i] = mech_tidy(s, expr_substitute(s->pool, slope[i], l, x, zero));
  }
  return r;
}

static expr reduced_energy(const mech_system* s, const reduced* r)
{
  expr_pool* p = s->pool;
  expr sum = s->zero[0];
  for (int i = 0; i < r->l; i++) {
    expr half = mech_dot(p, r->l, r->N + i * r->l, 1, r->x, 1);
    half = expr_add(p, expr_mul(p, expr_ratio(p, 1, 2), half), r->d[i]);
    sum = expr_add(p, sum, expr_mul(p, r->x[i], half));
  }
  return sum;
}

// dS/dx_i = sum_j z_j G_j, printed with these velocities
static void add_slope(mech_equations* e, const mech_system* s, const reduced* r, int i,
                      const char* label, const expr* z, const expr* velocity)
{
  expr_pool* p = s->pool;
  expr left = expr_add(p, mech_dot(p, r->l, r->N + i * r->l, 1, r->x, 1), r->d[i]);
  expr right = mech_dot(p, s->n, z, r->l, s->G, 1);
  mech_add_residual(e, expr_sub(p, left, right));
  left = mech_tidy(s, expr_substitute(p, left, s->n, s->v, velocity));
  right = mech_tidy(s, expr_substitute(p, right, s->n, s->v, velocity));
  mech_add_equation(e, label, left, right);
}

static mech_equations* derive_substituted(mech_system* s, const mech_choice* choice,
                                          base_notes* notes)
{
  expr_pool* p = s->pool;
  mech_equations* e = mech_equations_new(&mech_form_appell_substituted);
  const mech_split* k = mech_split_choose(s, choice, NULL, e->arena);
  const expr* Z = mech_split_columns(s, k, e->arena);
  expr *x = mech_take(e->arena, k->l), *c = mech_take(e->arena, k->rank),
       *from = mech_take(e->arena, k->rank), *to = mech_take(e->arena, k->rank);
  for (int j = 0; j < k->l; j++) x[j] = s->a[k->v[j]];
  for (int i = 0; i < k->rank; i++) c[i] = s->c[k->row[i]];
  for (int i = 0; i < k->rank; i++) {
    expr known = mech_dot(p, k->rank, k->inverse + i * k->rank, 1, c, 1);
    from[i] = s->a[k->h[i]];
    to[i] = expr_add(p, mech_dot(p, k->l, k->g + i * k->l, 1, x, 1), mech_tidy(s, known));
    mech_add_definition(e, s->model->coord[k->h[i]].name, from[i], mech_tidy(s, to[i]));
  }
  reduced r = reduce(s, expr_substitute(p, mech_energy_of_accelerations(s), k->rank, from, to),
                     k->l, x, e->arena);
  show(e, s, reduced_energy(s, &r));
  for (int j = 0; j < k->l; j++) add_slope(e, s, &r, j, s->model->coord[k->v[j]].name, Z + j, s->v);
  for (int i = 0; i < k->rank; i++) mech_add_residual(e, expr_sub(p, from[i], to[i]));
  mech_add_accelerations(e, s);
  mech_sides sides = mech_sides_lagrange(s);
  mech_split_reactions(e, s, &sides, k, notes);
  mech_add_assumption(e, s, k->D);
  return mech_equations_finish(e, s, notes);
}

// q' in quasi-velocities where it is affine in them, else q' itself
static expr* velocities(const mech_system* s, const mech_basis* b, base_arena* arena)
{
  expr_pool* p = s->pool;
  expr* v = mech_take(arena, s->n);
  for (int j = 0; j < s->n; j++) {
    v[j] = s->v[j];
    if (b->known[j] == EXPR_NONE) continue;
    expr moving = mech_dot(p, b->l, b->Z + j * b->l, 1, b->v, 1);
    v[j] = mech_tidy(s, expr_add(p, moving, b->known[j]));
  }
  return v;
}

static mech_equations* derive_pseudo(mech_system* s, const mech_choice* choice, base_notes* notes)
{
  expr_pool* p = s->pool;
  mech_equations* e = mech_equations_new(&mech_form_appell_pseudo);
  const mech_pseudo* u = mech_pseudo_choose(s, choice, MECH_ACCELERATIONS_FIRST, e->arena, notes);
  const mech_basis* b = u->b;
  const expr* velocity = velocities(s, b, e->arena);
  expr* to = mech_take(e->arena, s->n);
  for (int i = 0; i < b->l; i++) {
    if (u->speed[i] != EXPR_NONE && u->speed[i] != b->v[i])
      mech_add_definition(e, b->label[i], b->v[i], u->speed[i]);
    if (u->meaning[i] != u->pi[i]) mech_add_definition(e, b->label[i], u->pi[i], u->meaning[i]);
  }
  for (int j = 0; j < s->n; j++)
    if (velocity[j] != s->v[j])
      mech_add_definition(e, s->model->coord[j].name, s->v[j], velocity[j]);
  for (int j = 0; j < s->n; j++) {
    to[j] = mech_pseudo_acceleration(s, u, j);
    expr right = mech_tidy(s, expr_substitute(p, to[j], s->n, s->v, velocity));
    if (right != s->a[j]) mech_add_definition(e, s->model->coord[j].name, s->a[j], right);
  }
  reduced r = reduce(s, expr_substitute(p, mech_energy_of_accelerations(s), s->n, s->a, to), b->l,
                     u->pi, e->arena);
  show(e, s, expr_substitute(p, reduced_energy(s, &r), s->n, s->v, velocity));
  for (int i = 0; i < b->l; i++) add_slope(e, s, &r, i, b->label[i], b->Z + i, velocity);
  mech_pseudo_unknowns(e, s, u);
  mech_sides sides = mech_sides_lagrange(s);
  mech_add_reactions(e, s, &sides, b->rank, b->row, b->R, b->D, notes);
  mech_basis_tell(e, s, b);
  return mech_equations_finish(e, s, notes);
}

const mech_form mech_form_appell = {
    .name = "appell",
    .aliases = "appell:multipliers",
    .title = "Appell's equations with multipliers",
    .needs = "the energy of accelerations S, made from T; any constraints; singular where "
             "Lagrange's equations are",
    .curved = true,
    .speeds = MECH_AS_DECLARED,
    .unsuited = mech_suits_all,
    .derive = derive,
};

const mech_form mech_form_appell_independent = {
    .name = "appell:independent",
    .aliases = "",
    .title = "Appell's equations, dependent accelerations eliminated",
    .needs = "S; constraints solved for the accelerations of some coordinates; singular where "
             "these do not determine them",
    .curved = true,
    .speeds = MECH_AS_DECLARED,
    .unsuited = mech_suits_all,
    .derive = derive_independent,
};

const mech_form mech_form_appell_substituted = {
    .name = "appell:substituted",
    .aliases = "",
    .title = "Appell's equations, dependent accelerations put into S",
    .needs = "S and explicit dependent accelerations; singular where the constraints do not "
             "determine these",
    .speeds = MECH_AS_DECLARED,
    .unsuited = mech_suits_all,
    .derive = derive_substituted,
};

const mech_form mech_form_appell_pseudo = {
    .name = "appell:pseudo",
    .aliases = "",
    .title = "Appell's equations in pseudo-accelerations",
    .needs = "S; pseudo-accelerations or quasi-velocities as declared or chosen, singular where "
             "their gradients and those of the constraints become dependent",
    .speeds = MECH_AS_DECLARED,
    .unsuited = mech_suits_all,
    .derive = derive_pseudo,
};
