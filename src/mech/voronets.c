// Voronets' equations: T in the independent velocities alone.
#include <stdlib.h>

#include "mech/voronets.h"

#include "mech/basis.h"

// Constraints linear in the velocities, solved for the dependent ones: q_h' = sum_v g_hv q_v' +
// g_h0. Theta is T with them put in, theta_h = dT/dq_h' likewise. Along a virtual displacement of
// q_v the dependent ones follow, D_v = d/dq_v + sum_h g_hv d/dq_h, and along the motion at rest D_0
// = d/dt + sum_h g_h0 d/dq_h. Voronets (1901):
//   d/dt dTheta/dq_v' - D_v Theta - sum_h theta_h (sum_w beta^h_vw q_w' + beta^h_v)
//     = G_v + sum_h g_hv G_h
//   beta^h_vw = D_w g_hv - D_v g_hw,   beta^h_v = D_0 g_hv - D_v g_h0
// Unknown are the q_v''; the dependent accelerations follow from the constraints.

typedef struct work
{
  mech_equations* e;
  const mech_system* s;
  const mech_split* k;
  const expr* Z;   // n by l
  expr* g0;        // rank
  expr *from, *to; // q_h' and what it is
  // by q: of all g_hv, then of g_h0, for each h in turn; those of entry i from first[i] on
  expr_slope_list slopes;
  int* first;
} work;

static expr put_in(const work* w, expr x)
{
  return expr_substitute(w->s->pool, x, w->k->rank, w->from, w->to);
}

// D_v f for an f free of velocities or with them held, of which the slopes by q are given
static expr along(const work* w, int v, int n, const expr_slope* by)
{
  expr_pool* p = w->s->pool;
  expr sum = w->s->zero[0];
  for (int i = 0; i < n; i++)
    sum = expr_add(p, sum, expr_mul(p, by[i].value, w->Z[by[i].number * w->k->l + v]));
  return sum;
}

// the same of g_hu (u < l) or g_h0 (u = l)
static expr along_g(const work* w, int v, int h, int u)
{
  const int* first = w->first + h * (w->k->l + 1) + u;
  return along(w, v, first[1] - first[0], w->slopes.at + first[0]);
}

static void find_slopes(work* w)
{
  const mech_split* k = w->k;
  const int l = k->l;
  w->first = base_arena_take(w->e->arena, sizeof(int) * (size_t)(k->rank * (l + 1) + 1));
  expr_index* by_q = expr_index_new(w->s->n, w->s->q);
  for (int h = 0; h < k->rank; h++)
    for (int u = 0; u <= l; u++) {
      const expr g = u < l ? k->g[h * l + u] : w->g0[h];
      mech_add_slopes(w->s, by_q, w->s->q, g, &w->slopes);
      w->first[h * (l + 1) + u + 1] = w->slopes.n;
    }
  expr_index_free(by_q);
}

// D_0 f for an f free of velocities: its total derivative with q_v' = 0, q_h' = g_h0
static expr at_rest(const work* w, expr f)
{
  const mech_system* s = w->s;
  if (expr_is_number(s->pool, f)) return s->zero[0];
  expr* to = mech_take(w->e->arena, s->n);
  for (int i = 0; i < s->n; i++) to[i] = s->zero[0];
  for (int h = 0; h < w->k->rank; h++) to[w->k->h[h]] = w->g0[h];
  return expr_substitute(s->pool, expr_total(s->pool, f), s->n, s->v, to);
}

static void dependent_velocities(work* w)
{
  const mech_system* s = w->s;
  const mech_split* k = w->k;
  expr_pool* p = s->pool;
  base_arena* arena = w->e->arena;
  w->g0 = mech_take(arena, k->rank);
  w->from = mech_take(arena, k->rank);
  w->to = mech_take(arena, k->rank);
  expr *side = mech_take(arena, k->rank), *v = mech_take(arena, k->l);
  for (int i = 0; i < k->rank; i++)
    side[i] = expr_neg(p, expr_substitute(p, s->f1[k->row[i]], s->n, s->v, s->zero));
  for (int j = 0; j < k->l; j++) v[j] = s->v[k->v[j]];
  for (int h = 0; h < k->rank; h++) {
    w->g0[h] = mech_tidy(s, mech_dot(p, k->rank, k->inverse + h * k->rank, 1, side, 1));
    w->from[h] = s->v[k->h[h]];
    w->to[h] = expr_add(p, mech_dot(p, k->l, k->g + h * k->l, 1, v, 1), w->g0[h]);
    mech_add_definition(w->e, s->model->coord[k->h[h]].name, w->from[h], mech_tidy(s, w->to[h]));
  }
}

// sum_w beta^h_vw q_w' + beta^h_v; the coefficients are shown
static expr turning(const work* w, int h, int v)
{
  const mech_system* s = w->s;
  const mech_split* k = w->k;
  const model_coord* q = s->model->coord;
  expr_pool* p = s->pool;
  expr sum = s->zero[0];
  const int* first = w->first + h * (k->l + 1);
  for (int u = 0; u < k->l; u++) {
    if (u == v || (first[v + 1] == first[v] && first[u + 1] == first[u])) continue;
    expr beta = expr_sub(p, along_g(w, u, h, v), along_g(w, v, h, u));
    if (beta == s->zero[0]) continue;
    beta = mech_tidy(s, beta);
    sum = expr_add(p, sum, expr_mul(p, beta, s->v[k->v[u]]));
    if (beta == s->zero[0] || u < v || !s->small) continue;
    char* name = base_arena_printf(w->e->arena, "beta_%s_%s_%s", q[k->h[h]].name, q[k->v[v]].name,
                                   q[k->v[u]].name);
    mech_add_definition(w->e, "beta", mech_name_symbol(s, w->e->arena, name, ""), beta);
  }
  expr rest = expr_sub(p, at_rest(w, k->g[h * k->l + v]), along_g(w, v, h, k->l));
  return expr_add(p, sum, mech_tidy(s, rest));
}

static void add_row(const work* w, int v, expr Theta, const expr_slope_list* by_q,
                    const expr* theta)
{
  const mech_system* s = w->s;
  const mech_split* k = w->k;
  expr_pool* p = s->pool;
  expr momentum = mech_tidy(s, expr_diff(p, Theta, s->v[k->v[v]]));
  expr left = expr_sub(p, expr_total(p, momentum), along(w, v, by_q->n, by_q->at));
  for (int h = 0; h < k->rank; h++)
    left = expr_sub(p, left, expr_mul(p, theta[h], turning(w, h, v)));
  left = put_in(w, left);
  expr right = put_in(w, mech_dot(p, s->n, w->Z + v, k->l, s->G, 1));
  mech_add_residual(w->e, expr_sub(p, left, right));
  mech_add_equation(w->e, s->model->coord[k->v[v]].name, mech_tidy(s, left), mech_tidy(s, right));
}

void mech_voronets_write(mech_equations* e, const mech_system* s, const mech_split* k,
                         base_notes* notes)
{
  work w = {.e = e, .s = s, .k = k, .Z = mech_split_columns(s, k, e->arena)};
  dependent_velocities(&w);
  expr* theta = mech_take(e->arena, k->rank);
  for (int h = 0; h < k->rank; h++)
    theta[h] = mech_tidy(s, put_in(&w, expr_diff(s->pool, s->model->T, w.from[h])));
  expr Theta = mech_tidy(s, put_in(&w, s->model->T));
  if (s->small) mech_add_definition(e, "Theta", mech_name_symbol(s, e->arena, "Theta", ""), Theta);
  find_slopes(&w);
  expr_slope_list by_q = {0};
  expr_index* index = expr_index_new(s->n, s->q);
  mech_add_slopes(s, index, s->q, Theta, &by_q);
  for (int v = 0; v < k->l; v++) add_row(&w, v, Theta, &by_q, theta);
  expr_index_free(index);
  base_list_free(&by_q);
  base_list_free(&w.slopes);
  for (int i = 0; i < k->rank; i++) mech_add_constraint_residual(e, s, k->row[i]);
  mech_add_accelerations(e, s);
  mech_sides sides = mech_sides_lagrange(s);
  mech_split_reactions(e, s, &sides, k, notes);
  mech_add_assumption(e, s, k->D);
}

static mech_equations* derive(mech_system* s, const mech_choice* choice, base_notes* notes)
{
  if (mech_form_refuses(&mech_form_voronets, s, notes)) return NULL;
  mech_equations* e = mech_equations_new(&mech_form_voronets);
  mech_voronets_write(e, s, mech_split_choose(s, choice, NULL, e->arena), notes);
  return mech_equations_finish(e, s, notes);
}

const mech_form mech_form_voronets = {
    .name = "voronets",
    .aliases = "",
    .title = "Voronets' equations",
    .needs = "constraints linear in the velocities, solved for some of these; singular where these "
             "are not determined",
    .unsuited = mech_basis_obstacle,
    .derive = derive,
};
