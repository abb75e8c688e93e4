// Hamel's equations: Euler's and Lagrange's in quasi-velocities, with the three-index symbols.
#include "mech/frame.h"

// n quasi-velocities w = W q' + w0, q' = Z w + k, the first l independent, the others the
// constraints themselves. T* is T in them, d/dpi_l = sum_i Z_il d/dq_i. Boltzmann (1902), Hamel
// (1904):
//   d/dt dT*/dw_l - dT*/dpi_l + sum_r dT*/dw_r (sum_m gamma^r_lm w_m + eps^r_l) = sum_i Z_il G_i
//   gamma^r_lm = sum_ij (dW_ri/dq_j - dW_rj/dq_i) Z_il Z_jm
//   eps^r_l    = sum_i Z_il (sum_j (dW_ri/dq_j - dW_rj/dq_i) k_j + dW_ri/dt - dw0_r/dq_i)
// for l = 1..l; r runs over all n. The constraints w = 0 are put in after T* was differentiated by
// them. eps vanishes where nothing moves by a given law.

typedef struct work
{
  mech_equations* e;
  const mech_system* s;
  const mech_frame* f;
  expr* P;  // n: dT*/dw, the constraints put in
  expr* Tq; // n: dT*/dq likewise
} work;

// sum_j (dW_ri/dq_j - dW_rj/dq_i) x_j as a covector in i; x has the stride
static void curl(const work* w, int r, const expr* x, int stride, expr* out)
{
  const mech_system* s = w->s;
  expr_pool* p = s->pool;
  const expr* W = w->f->W + r * s->n;
  expr* by = mech_take(w->e->arena, s->n);
  for (int i = 0; i < s->n; i++) out[i] = s->zero[0];
  for (int i = 0; i < s->n; i++) {
    if (expr_is_number(p, W[i])) continue;
    expr_gradient(p, W[i], s->n, s->q, by);
    for (int j = 0; j < s->n; j++) {
      if (by[j] == s->zero[0]) continue;
      out[i] = expr_add(p, out[i], expr_mul(p, by[j], x[j * stride]));
      out[j] = expr_sub(p, out[j], expr_mul(p, by[j], x[i * stride]));
    }
  }
}

static void differentiate(work* w)
{
  const mech_system* s = w->s;
  const mech_frame* f = w->f;
  expr_pool* p = s->pool;
  int n = s->n;
  expr* velocity = mech_take(w->e->arena, n);
  w->P = mech_take(w->e->arena, n);
  w->Tq = mech_take(w->e->arena, n);
  for (int i = 0; i < n; i++)
    velocity[i] = expr_add(p, mech_dot(p, n, f->Z + i * n, 1, f->w, 1), f->k[i]);
  // worth more than the usual work: everything after is made of it, and in the right
  // quasi-velocities the coordinates leave it (Euler's equations)
  expr T = expr_substitute(p, s->model->T, n, s->v, velocity);
  T = s->small ? expr_simplify(p, T) : mech_tidy(s, T);
  if (s->small) mech_add_definition(w->e, "T", mech_name_symbol(s, w->e->arena, "T", ""), T);
  expr_gradient(p, T, n, f->w, w->P);
  expr_gradient(p, T, n, s->q, w->Tq);
  expr_substitute_all(p, n, w->P, n - f->l, f->w + f->l, s->zero, w->P);
  expr_substitute_all(p, n, w->Tq, n - f->l, f->w + f->l, s->zero, w->Tq);
  for (int i = 0; i < n; i++) w->P[i] = mech_tidy(s, w->P[i]);
}

// sum_m gamma^r_lm w_m + eps^r_l; the symbols are shown
static expr three_index(const work* w, int r, int l)
{
  const mech_system* s = w->s;
  const mech_frame* f = w->f;
  expr_pool* p = s->pool;
  int n = s->n;
  expr *c = mech_take(w->e->arena, n), *rate = mech_take(w->e->arena, n), sum = s->zero[0];
  for (int m = 0; m < f->l; m++) {
    if (m == l) continue;
    curl(w, r, f->Z + m, n, c);
    expr gamma = mech_tidy(s, mech_dot(p, n, c, 1, f->Z + l, n));
    sum = expr_add(p, sum, expr_mul(p, gamma, f->w[m]));
    if (m < l || gamma == s->zero[0] || !s->small) continue;
    const mech_basis* b = f->u->b;
    const char* above = r < f->l ? b->label[r] : s->model->constraint[b->row[r - f->l]].name;
    char* name = base_arena_printf(w->e->arena, "gamma_%s_%s_%s", above, b->label[l], b->label[m]);
    mech_add_definition(w->e, "gamma", mech_name_symbol(s, w->e->arena, name, ""), gamma);
  }
  // what moves by a given law
  curl(w, r, f->k, 1, c);
  expr_gradient(p, f->w0[r], n, s->q, rate);
  for (int i = 0; i < n; i++) {
    expr own = expr_substitute(p, expr_total(p, f->W[r * n + i]), n, s->v, s->zero);
    c[i] = expr_add(p, c[i], expr_sub(p, own, rate[i]));
  }
  return expr_add(p, sum, mech_tidy(s, mech_dot(p, n, c, 1, f->Z + l, n)));
}

// d/dt of a momentum along the motion
static expr momentum_rate(const work* w, expr P)
{
  const mech_frame* f = w->f;
  expr_pool* p = w->s->pool;
  expr sum = expr_total(p, P);
  for (int m = 0; m < f->l; m++)
    if (expr_rate(p, f->w[m]) == EXPR_NONE)
      sum = expr_add(p, sum, expr_mul(p, expr_diff(p, P, f->w[m]), f->u->pi[m]));
  return mech_frame_in(w->s, f, sum);
}

static void add_row(const work* w, int l)
{
  const mech_system* s = w->s;
  const mech_frame* f = w->f;
  expr_pool* p = s->pool;
  int n = s->n;
  expr left = momentum_rate(w, w->P[l]);
  left = expr_sub(p, left, mech_dot(p, n, f->Z + l, n, w->Tq, 1));
  for (int r = 0; r < n; r++) left = expr_add(p, left, expr_mul(p, w->P[r], three_index(w, r, l)));
  expr right = mech_frame_in(s, f, mech_dot(p, n, f->Z + l, n, s->G, 1));
  mech_add_residual(w->e, mech_frame_out(s, f, expr_sub(p, left, right)));
  mech_add_equation(w->e, f->u->b->label[l], mech_tidy(s, left), mech_tidy(s, right));
}

static mech_equations* derive(mech_system* s, const mech_choice* choice, base_notes* notes)
{
  if (mech_form_refuses(&mech_form_hamel, s, notes)) return NULL;
  mech_equations* e = mech_equations_new(&mech_form_hamel);
  const mech_frame* f = mech_frame_choose(s, choice, e->arena, notes);
  if (!f) {
    base_error(notes, BASE_NOWHERE, "the velocities are not affine in quasi-velocities");
    mech_equations_free(e);
    return NULL;
  }
  work w = {.e = e, .s = s, .f = f};
  const mech_basis* b = f->u->b;
  mech_frame_define(e, s, f, true);
  differentiate(&w);
  for (int l = 0; l < f->l; l++) add_row(&w, l);
  mech_pseudo_unknowns(e, s, f->u);
  mech_sides sides = mech_sides_lagrange(s);
  mech_add_reactions(e, s, &sides, b->rank, b->row, b->R, b->D, notes);
  for (int i = 0; i < b->assumptions; i++) mech_add_assumption(e, s, b->assumption[i]);
  return mech_equations_finish(e, s, notes);
}

const mech_form mech_form_hamel = {
    .name = "hamel",
    .aliases = "",
    .title = "Hamel's equations (Euler and Lagrange in quasi-velocities)",
    .needs = "constraints linear in the velocities; quasi-velocities as declared or chosen, "
             "singular where their gradients and those of the constraints become dependent",
    .unsuited = mech_basis_obstacle,
    .derive = derive,
};
