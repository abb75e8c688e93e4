// Hamel's equations: Euler's and Lagrange's in quasi-velocities, with the three-index symbols.
#include <stdlib.h>

#include "mech/change.h"
#include "mech/frame.h"

// n quasi-velocities w = W q' + w0, q' = Z w + k, the first l independent, the others the
// constraints themselves. T* is T in them, d/dpi_l = sum_i Z_il d/dq_i. Boltzmann (1902), Hamel
// (1904):
//   d/dt dT*/dw_l - dT*/dpi_l + sum_r dT*/dw_r (sum_m gamma^r_lm w_m + eps^r_l) = sum_i Z_il G_i
//   gamma^r_lm = sum_ij (dW_ri/dq_j - dW_rj/dq_i) Z_il Z_jm
//   eps^r_l    = sum_i Z_il (sum_j (dW_ri/dq_j - dW_rj/dq_i) k_j + dW_ri/dt - dw0_r/dq_i)
// for l = 1..l; r runs over all n. The constraints w = 0 are put in after T* was differentiated by
// them. eps vanishes where nothing moves by a given law.

// dW_ri/dq_j
typedef struct bend
{
  int i, j;
  expr value;
} bend;

// what row r of W and w0 depends on: entries [first[r], first[r + 1]) of the lists
typedef struct work
{
  mech_equations* e;
  const mech_system* s;
  const mech_frame* f;
  // the same in the velocities of coordinates, of which there may be more than quasi-velocities:
  // norms of quaternions are integrable, and zero in T* at once
  const mech_system* base;
  const expr *W, *Z, *k, *w0; // n by base->n, base->n by n, base->n, n
  expr* P;                    // n: dT*/dw, the constraints put in
  expr* Tq;                   // dT*/dq likewise, one for each coordinate
  BASE_LIST(bend) bends;
  expr_slope_list moved; // what stands in eps beside Z: number of the coordinate, value
  int *bends_first, *moved_first;
  expr* c; // room for one for each coordinate
} work;

// sum_j (dW_ri/dq_j - dW_rj/dq_i) x_j as a covector in i; x has the stride
static void curl(const work* w, int r, const expr* x, int stride, expr* out)
{
  const mech_system* s = w->s;
  expr_pool* p = s->pool;
  for (int i = 0; i < w->base->n; i++) out[i] = s->zero[0];
  for (int k = w->bends_first[r]; k < w->bends_first[r + 1]; k++) {
    const bend* b = &w->bends.at[k];
    out[b->i] = expr_add(p, out[b->i], expr_mul(p, b->value, x[b->j * stride]));
    out[b->j] = expr_sub(p, out[b->j], expr_mul(p, b->value, x[b->i * stride]));
  }
}

static void find_bends(work* w, const expr_index* by_q, int r)
{
  const mech_system* s = w->base;
  expr_slope_list list = {0};
  for (int i = 0; i < s->n; i++) {
    list.n = 0;
    mech_add_slopes(s, by_q, s->q, w->W[r * s->n + i], &list);
    for (int k = 0; k < list.n; k++)
      base_push(&w->bends, (bend){i, list.at[k].number, list.at[k].value});
  }
  base_list_free(&list);
  w->bends_first[r + 1] = w->bends.n;
}

// what moves by a given law
static void find_moved(work* w, const expr_index* by_q, int r, expr* c)
{
  const mech_system* s = w->base;
  expr_pool* p = s->pool;
  expr_slope_list rate = {0};
  curl(w, r, w->k, 1, c);
  for (int i = 0; i < s->n; i++) {
    const expr W = w->W[r * s->n + i];
    if (expr_is_number(p, W)) continue;
    c[i] = expr_add(p, c[i], expr_substitute(p, expr_total(p, W), s->n, s->v, s->zero));
  }
  mech_add_slopes(s, by_q, s->q, w->w0[r], &rate);
  for (int k = 0; k < rate.n; k++)
    c[rate.at[k].number] = expr_sub(p, c[rate.at[k].number], rate.at[k].value);
  base_list_free(&rate);
  for (int i = 0; i < s->n; i++)
    if (c[i] != s->zero[0]) base_push(&w->moved, (expr_slope){i, c[i]});
  w->moved_first[r + 1] = w->moved.n;
}

static void find_turning(work* w)
{
  const int n = w->s->n;
  w->c = mech_take(w->e->arena, w->base->n);
  w->bends_first = base_arena_take(w->e->arena, sizeof(int) * (size_t)(n + 1));
  w->moved_first = base_arena_take(w->e->arena, sizeof(int) * (size_t)(n + 1));
  expr_index* by_q = expr_index_new(w->base->n, w->base->q);
  for (int r = 0; r < n; r++) {
    find_bends(w, by_q, r);
    find_moved(w, by_q, r, w->c);
  }
  expr_index_free(by_q);
}

// does quasi-velocity m move a coordinate that row r bends with?
static bool touches(const work* w, int r, int m)
{
  const expr *Z = w->Z, zero = w->s->zero[0];
  for (int k = w->bends_first[r]; k < w->bends_first[r + 1]; k++) {
    const bend* b = &w->bends.at[k];
    if (Z[b->i * w->s->n + m] != zero || Z[b->j * w->s->n + m] != zero) return true;
  }
  return false;
}

static void differentiate(work* w)
{
  const mech_system* s = w->s;
  const mech_frame* f = w->f;
  expr_pool* p = s->pool;
  int n = s->n;
  expr* velocity = mech_take(w->e->arena, n);
  w->P = mech_take(w->e->arena, n);
  w->Tq = mech_take(w->e->arena, w->base->n);
  for (int i = 0; i < n; i++)
    velocity[i] = expr_add(p, mech_dot(p, n, f->Z + i * n, 1, f->w, 1), f->k[i]);
  // worth more than the usual work: everything after is made of it, and in the right
  // quasi-velocities the coordinates leave it (Euler's equations)
  expr T = expr_substitute(p, s->model->T, n, s->v, velocity);
  T = s->small ? expr_simplify(p, T) : mech_tidy(s, T);
  if (s->small) mech_add_definition(w->e, "T", mech_name_symbol(s, w->e->arena, "T", ""), T);
  expr_gradient(p, T, n, f->w, w->P);
  expr_gradient(p, T, w->base->n, w->base->q, w->Tq);
  expr_substitute_all(p, n, w->P, n - f->l, f->w + f->l, s->zero, w->P);
  expr_substitute_all(p, w->base->n, w->Tq, n - f->l, f->w + f->l, s->zero, w->Tq);
  for (int i = 0; i < n; i++) w->P[i] = mech_tidy(s, w->P[i]);
}

// sum_m gamma^r_lm w_m + eps^r_l; the symbols are shown
static expr three_index(const work* w, int r, int l)
{
  const mech_system* s = w->s;
  const mech_frame* f = w->f;
  expr_pool* p = s->pool;
  int n = s->n;
  expr *c = w->c, sum = s->zero[0];
  for (int m = 0; m < f->l && touches(w, r, l); m++) {
    if (m == l || !touches(w, r, m)) continue;
    curl(w, r, w->Z + m, n, c);
    expr gamma = mech_tidy(s, mech_dot(p, w->base->n, c, 1, w->Z + l, n));
    sum = expr_add(p, sum, expr_mul(p, gamma, f->w[m]));
    if (m < l || gamma == s->zero[0] || !s->small) continue;
    const mech_basis* b = f->u->b;
    const char* above = r < f->l ? b->label[r] : s->model->constraint[b->row[r - f->l]].name;
    char* name = base_arena_printf(w->e->arena, "gamma_%s_%s_%s", above, b->label[l], b->label[m]);
    mech_add_definition(w->e, "gamma", mech_name_symbol(s, w->e->arena, name, ""), gamma);
  }
  expr eps = s->zero[0];
  for (int k = w->moved_first[r]; k < w->moved_first[r + 1]; k++) {
    const expr_slope* x = &w->moved.at[k];
    eps = expr_add(p, eps, expr_mul(p, x->value, w->Z[x->number * n + l]));
  }
  return expr_add(p, sum, mech_tidy(s, eps));
}

// d/dt of a momentum along the motion
static expr momentum_rate(const work* w, expr P)
{
  const mech_frame* f = w->f;
  expr_pool* p = w->s->pool;
  expr sum = mech_total(w->s, P);
  for (int m = 0; m < f->l; m++)
    if (!mech_is_velocity(w->s, f->w[m]))
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
  left = expr_sub(p, left, mech_dot(p, w->base->n, w->Z + l, n, w->Tq, 1));
  for (int r = 0; r < n; r++) left = expr_add(p, left, expr_mul(p, w->P[r], three_index(w, r, l)));
  expr right = mech_frame_in(s, f, mech_dot(p, n, f->Z + l, n, s->G, 1));
  mech_add_residual(w->e, mech_frame_out(s, f, expr_sub(p, left, right)));
  mech_add_equation(w->e, f->u->b->label[l], mech_tidy(s, left), mech_tidy(s, right));
}

// w = W v + w0 and v = Z w + k, told of the velocities of the coordinates
static void lift(work* w)
{
  const mech_system* s = w->s;
  const mech_change* c = s->change;
  const mech_frame* f = w->f;
  expr_pool* p = s->pool;
  base_arena* arena = w->e->arena;
  const int n = s->n, most = c ? c->from->n : n;
  w->base = c ? c->from : s;
  w->W = f->W;
  w->Z = f->Z;
  w->k = f->k;
  w->w0 = f->w0;
  if (!c) return;
  expr *slope = mech_take(arena, n * most), *W = mech_take(arena, n * most),
       *Z = mech_take(arena, n * most), *k = mech_take(arena, most), *w0 = mech_take(arena, n),
       *rest = mech_take(arena, n);
  for (int i = 0; i < n; i++) {
    expr_gradient(p, c->meaning[i], most, c->from->v, slope + i * most);
    rest[i] = expr_substitute(p, c->meaning[i], most, c->from->v, c->from->zero);
  }
  for (int r = 0; r < n; r++)
    w0[r] = expr_add(p, f->w0[r], mech_dot(p, n, f->W + r * n, 1, rest, 1));
  for (int j = 0; j < most; j++) {
    const expr moved = mech_dot(p, n, c->Z + j * n, 1, f->k, 1);
    k[j] = mech_tidy(s, expr_add(p, moved, c->k[j]));
    for (int r = 0; r < n; r++) {
      W[r * most + j] = mech_tidy(s, mech_dot(p, n, f->W + r * n, 1, slope + j, most));
      Z[j * n + r] = mech_tidy(s, mech_dot(p, n, c->Z + j * n, 1, f->Z + r, n));
    }
  }
  w->W = W;
  w->Z = Z;
  w->k = k;
  w->w0 = w0;
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
  lift(&w);
  mech_frame_define(e, s, f, true);
  differentiate(&w);
  find_turning(&w);
  for (int l = 0; l < f->l; l++) add_row(&w, l);
  base_list_free(&w.bends);
  base_list_free(&w.moved);
  mech_pseudo_unknowns(e, s, f->u);
  mech_sides sides = mech_sides_lagrange(s);
  mech_add_reactions(e, s, &sides, b->rank, b->row, b->R, b->D, notes);
  mech_basis_tell(e, s, b);
  return mech_equations_finish(e, s, notes);
}

const mech_form mech_form_hamel = {
    .name = "hamel",
    .aliases = "",
    .title = "Hamel's equations (Euler and Lagrange in quasi-velocities)",
    .needs = "constraints linear in the velocities; quasi-velocities as declared or chosen, "
             "singular where their gradients and those of the constraints become dependent",
    .speeds = MECH_AS_DECLARED,
    .unsuited = mech_basis_obstacle,
    .derive = derive,
};
