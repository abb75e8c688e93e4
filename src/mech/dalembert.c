// M and h from the inertia of each mass, where that takes fewer operations than T does.
#include "mech/form.h"
#include "mech/tree.h"

#include <stdlib.h>

// Legend: v velocities of the masses (three for each part), p their momenta, p* the absolute rates
// of these; q' the velocities of the coordinates. Lagrange's central equation:
//   E_i = sum p* . dv/dq_i' = sum_j M_ij q_j'' + h_i,   M_ij = sum dp/dq_j' . dv/dq_i'
// The sums are pulled back from the masses to the coordinates along the frames that carry them, so
// that what a frame carries is added up once, as Newton's and Euler's equations are solved from the
// last link of a chain to the first (Luh, Walker and Paul, 1980).

// what T gives is what people know: it stays where it is short, or little would be won
#define SHORT 100
#define WORTH 0.95
// nodes of T times coordinates from which on T is not tried: each entry of M by it has a term for
// each mass behind both joints of a chain, which all the links before would repeat; and where most
// entries are such ones, a mass being moved by so large a share of the coordinates. In a tree that
// nothing binds so many nodes said again are enough, but for people.
#define LARGE        3500
#define LARGE_CHAIN  600
#define MOST_ENTRIES 0.34
#define REPEATED     150
#define OWN          3 // coordinates of a body in the plane, which tell without further looks
// how far apart counts of operations with params as symbols must be to be believed
#define CLEAR 0.7

// coordinates that move a mass, on an average over them, from which on the many coordinates of a
// system count as a chain: M by T would hold terms for each mass and each two of its coordinates
#define CHAIN 20
// the same of joints on the way to a node of a tree
#define DEEP 6

// terms of an entry of dp/dq', on an average, from which on M is made from the momenta of the
// coordinates: in a chain with relative angles each entry is a sum over the links between
#define CROWD 6

// ---- the masses ---------------------------------------------------------------------------------

struct mech_masses
{
  const mech_system* s;
  int n;
  expr *v, *p;
  expr_slope_list* column; // dp/dq_j': number of the momentum, derivative
  bool crowded;            // the columns are long sums, and not finished
  expr_pull* along;        // from velocities of masses to those of coordinates
  mech_hessian* momenta;   // of the coordinates by their velocities, where columns are crowded
  mech_hessian* added;     // what T has beside the masses, or null
  const model_tree* tree;  // the masses as they hang on each other, or null
  expr_slope_list* hung;   // then the rows of M along it
  expr *P, *P_added;
};

static int inertias_of(const mech_system* s)
{
  return model_inertia_make((model*)s->model);
}

static double square(double x)
{
  return x * x;
}

// terms of a sum, of a product those of its longest factor
static int terms_of(const expr_pool* p, expr e)
{
  int most = 1;
  if (!e) return most;
  const bool product = expr_kind_of(p, e) == EXPR_PRODUCT;
  for (int i = 0; i < (product ? expr_arg_count(p, e) : 1); i++) {
    const expr x = product ? expr_arg(p, e, i) : e;
    const int n = expr_kind_of(p, x) == EXPR_SUM ? expr_arg_count(p, x) : 1;
    if (n > most) most = n;
  }
  return most;
}

// dp/dq' column by column; returns how many coordinates move a mass
static double fill_columns(mech_masses* w)
{
  const mech_system* s = w->s;
  double held = 0, squares = 0, terms = 0;
  expr_index* by_v = expr_index_new(s->n, s->v);
  expr_slope_list row = {0};
  w->column = base_alloc((size_t)s->n * sizeof *w->column + 1);
  for (int k = 0; k < w->n && !w->crowded; k++) {
    expr_slopes(s->pool, by_v, s->v, w->p[k], &row);
    for (int i = 0; i < row.n; i++) {
      base_push(&w->column[row.at[i].number], (expr_slope){k, row.at[i].value});
      terms += terms_of(s->pool, row.at[i].value);
    }
    held += row.n;
    squares += square(row.n);
    w->crowded = terms > CROWD * (held + s->n);
  }
  base_list_free(&row);
  expr_index_free(by_v);
  return held > 0 ? squares / held : 0;
}

// joints on the way to each node of a tree, but for those whose inertia is `none`: their sum, and
// that of their squares
static double joints_before(const model_tree* t, expr none, double* squares)
{
  double held = 0;
  *squares = 0;
  int* before = base_alloc(sizeof *before * (size_t)(t->nodes + 1));
  for (int i = 0; i < t->nodes; i++) {
    const model_node* x = &t->node[i];
    bool heavy = x->m != none;
    for (int k = 0; k < 6; k++) heavy = heavy || x->J[k] != none;
    before[i] = x->joints + (x->parent < 0 ? 0 : before[x->parent]);
    held += heavy ? before[i] : 0;
    *squares += heavy ? square(before[i]) : 0;
  }
  free(before);
  return held;
}

// coupling null: columns wait until a row is asked for, which may never be
static mech_masses* gather(const mech_system* s, double* coupling)
{
  const model* m = s->model;
  mech_masses* w = base_alloc(sizeof *w);
  *w = (mech_masses){.s = s, .n = 3 * inertias_of(s)};
  w->v = base_alloc((size_t)w->n * 2 * sizeof *w->v + 1);
  w->p = w->v + w->n;
  for (int i = 0; i < w->n; i++) {
    w->v[i] = m->inertia[i / 3].v[i % 3];
    w->p[i] = m->inertia[i / 3].p[i % 3];
  }
  // of few and short ones people know what comes out of the energy
  w->tree = s->small ? NULL : model_tree_make((model*)m);
  double squares, held = coupling && w->tree ? joints_before(w->tree, EXPR_NONE, &squares) : 0;
  if (coupling) *coupling = !w->tree ? fill_columns(w) : held > 0 ? squares / held : 0;
  return w;
}

// weights of all velocities of masses, pulled back to those of the coordinates
static void pull_all(mech_masses* w, const expr* weight, expr* out)
{
  expr_slope_list given = {0}, got = {0};
  for (int i = 0; i < w->n; i++) base_push(&given, (expr_slope){i, weight[i]});
  expr_pull_run(w->along, given.n, given.at, w->s->n, &got);
  for (int i = 0; i < w->s->n; i++) out[i] = w->s->zero[0];
  for (int i = 0; i < got.n; i++) out[got.at[i].number] = got.at[i].value;
  base_list_free(&given);
  base_list_free(&got);
}

static void pull_momenta(mech_masses* w)
{
  pull_all(w, w->p, w->P);
  w->momenta = mech_hessian_of(w->s, w->P);
}

// ready for rows and rest
static mech_masses* prepared(mech_masses* w)
{
  const mech_system* s = w->s;
  const size_t n = (size_t)s->n;
  w->along = expr_pull_new(s->pool, w->n, w->v, s->n, s->v);
  w->P = base_alloc(2 * n * sizeof *w->P + 1);
  w->P_added = w->P + n;
  if (!w->tree && w->crowded) pull_momenta(w);
  if (s->model->T_added != s->zero[0])
    w->added = mech_hessian_new(s, s->model->T_added, w->P_added);
  return w;
}

static mech_masses* masses_of(const mech_system* s)
{
  return prepared(gather(s, NULL));
}

const model_tree* mech_masses_tree(const mech_masses* w)
{
  return w->tree;
}

mech_masses* mech_masses_chained(const mech_system* s)
{
  double coupling = 0;
  // then no tree is deep, nor can its columns be long
  if (model_inertia_is_near(s->model, DEEP)) return NULL;
  mech_masses* w = inertias_of(s) ? gather(s, &coupling) : NULL;
  if (w && (w->crowded || coupling > (w->tree ? DEEP : CHAIN))) return prepared(w);
  mech_masses_free(w);
  return NULL;
}

void mech_masses_free(mech_masses* w)
{
  if (!w) return;
  for (int j = 0; j < w->s->n && w->column; j++) base_list_free(&w->column[j]);
  for (int j = 0; j < w->s->n && w->hung; j++) base_list_free(&w->hung[j]);
  free(w->hung);
  free(w->column);
  expr_pull_free(w->along);
  mech_hessian_free(w->momenta);
  mech_hessian_free(w->added);
  free(w->P);
  free(w->v);
  free(w);
}

// a += b, both by ascending numbers
static void add_lists(expr_pool* p, expr_slope_list* a, const expr_slope_list* b)
{
  expr_slope_list sum = {0};
  for (int i = 0, k = 0; i < a->n || k < b->n;) {
    const bool left = i < a->n && (k == b->n || a->at[i].number <= b->at[k].number);
    const bool right = k < b->n && (i == a->n || b->at[k].number <= a->at[i].number);
    expr_slope x = left ? a->at[i++] : b->at[k];
    if (left && right) x.value = expr_add(p, x.value, b->at[k].value);
    k += right;
    base_push(&sum, x);
  }
  base_list_free(a);
  *a = sum;
}

void mech_masses_row(mech_masses* w, int j, expr_slope_list* out)
{
  if (!w->tree && !w->column) {
    fill_columns(w);
    if (w->crowded) pull_momenta(w);
  }
  if (w->tree) {
    if (!w->hung) w->hung = mech_tree_rows(w->s, w->tree);
    out->n = 0;
    for (int k = 0; k < w->hung[j].n; k++) base_push(out, w->hung[j].at[k]);
  } else if (w->momenta)
    mech_hessian_row(w->momenta, j, out);
  else
    expr_pull_run(w->along, w->column[j].n, w->column[j].at, j + 1, out);
  if (!w->added) return;
  expr_slope_list more = {0};
  mech_hessian_row(w->added, j, &more);
  add_lists(w->s->pool, out, &more);
  base_list_free(&more);
}

void mech_masses_rest(mech_masses* w, expr* h)
{
  const mech_system* s = w->s;
  const size_t most = (size_t)(w->n > s->n ? w->n : s->n);
  expr* rest = base_alloc(most * sizeof *rest + 1);
  for (int i = 0; i < w->n; i++) rest[i] = s->model->inertia[i / 3].rate[i % 3];
  // p* without its terms in q''
  expr_substitute_all(s->pool, w->n, rest, s->n, s->a, s->zero, rest);
  pull_all(w, rest, h);
  if (w->added) {
    mech_hessian_rest(w->added, rest);
    for (int i = 0; i < s->n; i++) h[i] = expr_add(s->pool, h[i], rest[i]);
  }
  free(rest);
}

static void fill_mass(mech_masses* w, expr* M)
{
  const int n = w->s->n;
  expr_slope_list row = {0};
  for (int j = 0; j < n; j++) {
    for (int i = 0; i <= j; i++) M[j * n + i] = w->s->zero[0];
    mech_masses_row(w, j, &row);
    for (int i = 0; i < row.n; i++) M[j * n + row.at[i].number] = row.at[i].value;
    for (int i = 0; i < j; i++) M[i * n + j] = M[j * n + i];
  }
  base_list_free(&row);
}

// ---- compared with T ----------------------------------------------------------------------------

// one way to write M and h, and the operations it takes, with symbols and with numbers for the
// params; 0: not yet counted
typedef struct choice
{
  const expr *M, *h;
  double counted[2];
} choice;

// operations of M and h together; fixed: params that never change as numbers
static double work(const mech_system* s, choice* c, bool fixed, base_arena* arena)
{
  const model* m = s->model;
  int n = s->n, count = 0;
  if (c->counted[fixed] > 0) return c->counted[fixed];
  expr *all = mech_take(arena, n * n + n), *from = mech_take(arena, m->params),
       *to = mech_take(arena, m->params);
  for (int i = 0; i < n * n; i++) all[i] = c->M[i];
  for (int i = 0; i < n; i++) all[n * n + i] = c->h[i];
  for (int i = 0; i < m->params && fixed; i++) {
    if (m->param[i].changes || m->param[i].given) continue;
    from[count] = m->param[i].symbol;
    to[count++] = m->param[i].value;
  }
  if (count) expr_substitute_all(s->pool, n * n + n, all, count, from, to, all);
  return c->counted[fixed] = expr_work(s->pool, n * n + n, all);
}

// Does a take less than `share` of the work of b? Numbers for the params decide where symbols do
// not do so clearly: putting them in costs as much as many derivatives.
static bool is_less(const mech_system* s, choice* a, choice* b, double share, base_arena* arena)
{
  double ratio = work(s, a, false, arena) / work(s, b, false, arena);
  if (s->small || (ratio > CLEAR * share && ratio < share / CLEAR))
    ratio = work(s, a, true, arena) / work(s, b, true, arena);
  return ratio < share;
}

// in small systems as short as that they are compared with
static void shorten_mass(const mech_system* s, expr* M)
{
  int n = s->n;
  for (int j = 0; j < n && s->small; j++)
    for (int i = 0; i <= j; i++) M[i * n + j] = M[j * n + i] = mech_tidy(s, M[j * n + i]);
}

static double nodes_of_T(const mech_system* s)
{
  const size_t most = s->n ? LARGE / (size_t)s->n : 0; // no bound on them is higher
  return s->n * (double)expr_size_within(s->pool, 1, &s->model->T, most);
}

// What T repeats of its nodes in M, and again in h: entries of M by it have a term for each mass
// behind both joints, on an average; all but one say again what the links before have said. Null:
// as much as can be, of a chain of single joints.
static double repeated(const mech_system* s, const model_tree* t)
{
  const double n = s->n > 0 ? s->n : 1;
  double squares = n * (n + 1) * (2 * n + 1) / 6;
  if (t) joints_before(t, s->zero[0], &squares);
  return nodes_of_T(s) * (square(squares / square(n)) - 1);
}

static bool is_bound(const model* m)
{
  for (int k = 0; k < m->constraints; k++)
    if (!m->constraint[k].internal) return true;
  return false;
}

bool mech_dalembert_moves(const mech_system* s)
{
  if (is_bound(s->model) || nodes_of_T(s) > LARGE_CHAIN || !(repeated(s, NULL) > REPEATED))
    return false;
  const model_tree* t = model_tree_make((model*)s->model);
  return t && repeated(s, t) > REPEATED;
}

bool mech_is_large(const mech_system* s)
{
  const double size = nodes_of_T(s);
  if (s->moves) return true;
  if (size > LARGE || size <= LARGE_CHAIN) return size > LARGE;
  if (model_inertia_is_near(s->model, OWN) || !inertias_of(s)) return false;
  double coupling;
  mech_masses_free(gather(s, &coupling));
  return coupling > MOST_ENTRIES * s->n;
}

bool mech_dalembert_alone(const mech_system* s)
{
  return mech_is_large(s) && inertias_of(s);
}

static void write_mass(mech_system* s)
{
  mech_masses* w = masses_of(s);
  s->M = mech_take(s->arena, s->n * s->n);
  fill_mass(w, s->M);
  mech_masses_free(w);
}

// Is M left to whoever needs it? Few constraints are solved with it as it is written.
static bool is_hung(mech_system* s, double coupling)
{
  const model* m = s->model;
  if (!(coupling > DEEP) || is_bound(m)) return false;
  return mech_tree_hang(s, model_tree_make((model*)m), write_mass);
}

void mech_dalembert_fill(mech_system* s)
{
  double coupling;
  mech_masses* w = prepared(gather(s, &coupling));
  mech_masses_rest(w, s->h);
  if (!is_hung(s, coupling)) {
    s->M = mech_take(s->arena, s->n * s->n);
    fill_mass(w, s->M);
  }
  mech_masses_free(w);
}

// is what T has beside the masses of second degree alone, as far as that shows?
static bool added_rests(const mech_system* s)
{
  const expr T = s->model->T_added;
  if (T == s->zero[0]) return true;
  expr* p = base_alloc((size_t)(s->n + 1) * sizeof *p);
  mech_gradient(s, T, s->v, p);
  p[s->n] = T;
  expr_substitute_all(s->pool, s->n + 1, p, s->n, s->v, s->zero, p);
  bool rest = true;
  for (int i = 0; i <= s->n; i++) rest = rest && p[i] == s->zero[0];
  free(p);
  return rest;
}

// do the masses stay where they are when the coordinates do?
bool mech_dalembert_rests(const mech_system* s)
{
  const model* m = s->model;
  const int n = 3 * inertias_of(s);
  bool rest = n > 0 && added_rests(s);
  expr* v = base_alloc((size_t)n * sizeof *v + 1);
  for (int i = 0; i < n; i++) v[i] = m->inertia[i / 3].v[i % 3];
  expr_substitute_all(s->pool, n, v, s->n, s->v, s->zero, v);
  for (int i = 0; i < n && rest; i++) rest = v[i] == s->zero[0];
  free(v);
  return rest;
}

void mech_dalembert(mech_system* s)
{
  if (mech_dalembert_alone(s)) return;
  base_arena* arena = base_arena_new();
  int n = s->n;
  expr *M = mech_take(s->arena, n * n), *h = mech_take(s->arena, n);
  choice by_T = {s->M, s->h, {0}}, by_masses = {M, h, {0}}, mixed = {s->M, h, {0}};
  if (work(s, &by_T, s->small, arena) > SHORT && inertias_of(s) && !expr_pool_full(s->pool)) {
    mech_masses* w = masses_of(s);
    mech_masses_rest(w, h);
    for (int j = 0; j < n && s->small; j++) h[j] = mech_tidy(s, h[j]);
    const bool h_is_less = is_less(s, &mixed, &by_T, WORTH, arena);
    if (h_is_less) s->h = h;
    // in larger systems the whole may win even if h alone does not
    if (h_is_less || !s->small) {
      fill_mass(w, M);
      shorten_mass(s, M);
      choice* best = h_is_less ? &mixed : &by_T;
      if (is_less(s, &by_masses, best, h_is_less ? 1 : WORTH, arena)) s->M = M, s->h = h;
    }
    mech_masses_free(w);
  }
  base_arena_free(arena);
}
