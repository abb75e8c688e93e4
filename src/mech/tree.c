// The mass matrix along the tree of masses, joint by joint: what hangs behind a joint is one
// inertia, the sum of those on it seen from its origin (Walker and Orin, 1982). For joints i and j,
// the first of them the farther out,
//   M_ij = S_j . f,   f = K_i S_i carried inward to the node of j
// with S the motion a joint gives its node and K the inertia of all that hangs on that.
#include "mech/tree.h"

#include <stdlib.h>

typedef struct six
{
  expr at[6]; // of a motion (w, v), of a force (moment, force)
} six;

typedef struct inertia
{
  expr m, h[3], J[9];
} inertia;

typedef struct gathering
{
  const mech_system* s;
  const model_tree* t;
  inertia* all; // of each node, with those that hang on it
  expr_slope_list* row;
} gathering;

static bool is_zero(const gathering* w, expr x)
{
  return x == w->s->zero[0];
}

// ---- vectors ------------------------------------------------------------------------------------

// x + a b
static expr add(const gathering* w, expr x, expr a, expr b)
{
  if (is_zero(w, a) || is_zero(w, b)) return x;
  return expr_sum_long(w->s->pool, 2, (expr[]){x, expr_mul(w->s->pool, a, b)});
}

static expr sub(const gathering* w, expr x, expr a, expr b)
{
  if (is_zero(w, a) || is_zero(w, b)) return x;
  return expr_sum_long(w->s->pool, 2,
                       (expr[]){x, expr_neg(w->s->pool, expr_mul(w->s->pool, a, b))});
}

static expr dot(const gathering* w, int n, const expr* a, const expr* b)
{
  expr sum = w->s->zero[0];
  for (int i = 0; i < n; i++) sum = add(w, sum, a[i], b[i]);
  return sum;
}

static void add_cross(const gathering* w, const expr* a, const expr* b, expr* sum)
{
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    sum[i] = sub(w, add(w, sum[i], a[j], b[k]), a[k], b[j]);
  }
}

// T x
static void turn(const gathering* w, const expr T[9], const expr* x, expr* out)
{
  expr made[3];
  for (int i = 0; i < 3; i++) made[i] = dot(w, 3, T + 3 * i, x);
  for (int i = 0; i < 3; i++) out[i] = made[i];
}

// ---- inertias -----------------------------------------------------------------------------------

static inertia inertia_of(const model_node* n)
{
  static const int place[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
  inertia b = {.m = n->m};
  for (int i = 0; i < 3; i++) b.h[i] = n->mr[i];
  for (int i = 0; i < 9; i++) b.J[i] = n->J[place[i]];
  return b;
}

// T J T^T, symmetric
static void turn_tensor(const gathering* w, const expr T[9], const expr J[9], expr out[9])
{
  expr half[9];
  for (int k = 0; k < 3; k++) turn(w, T, J + 3 * k, half + 3 * k); // rows of (T J)^T, J = J^T
  for (int i = 0; i < 3; i++)
    for (int k = 0; k <= i; k++) {
      const expr column[3] = {half[i], half[3 + i], half[6 + i]};
      out[3 * i + k] = out[3 * k + i] = dot(w, 3, T + 3 * k, column);
    }
}

// Seen from the parent, with g = 2 T h + m r:
//   h_p = T h + m r,   J_p = T J T^T + (g.r) E - (g r^T + r g^T)/2
static void hang(const gathering* w, const model_node* n, const inertia* b, inertia* to)
{
  expr_pool* p = w->s->pool;
  expr h[3], g[3], J[9];
  turn(w, n->turn, b->h, h);
  turn_tensor(w, n->turn, b->J, J);
  for (int i = 0; i < 3; i++) {
    g[i] = add(w, expr_mul(p, expr_int(p, 2), h[i]), b->m, n->r[i]);
    to->h[i] = expr_sum_long(p, 2, (expr[]){to->h[i], add(w, h[i], b->m, n->r[i])});
  }
  to->m = expr_add(p, to->m, b->m);
  const expr along = dot(w, 3, g, n->r), half = expr_ratio(p, -1, 2);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k <= i; k++) {
      expr shift = add(w, add(w, w->s->zero[0], g[i], n->r[k]), g[k], n->r[i]);
      shift = expr_mul(p, half, shift);
      if (i == k) shift = expr_add(p, shift, along);
      to->J[3 * i + k] = to->J[3 * k + i] =
          expr_sum_long(p, 3, (expr[]){to->J[3 * i + k], J[3 * i + k], shift});
    }
}

// K x
static six times(const gathering* w, const inertia* b, const expr x[6])
{
  six f;
  for (int i = 0; i < 3; i++) {
    f.at[i] = dot(w, 3, b->J + 3 * i, x);
    f.at[3 + i] = add(w, w->s->zero[0], b->m, x[3 + i]);
  }
  add_cross(w, b->h, x + 3, f.at);
  add_cross(w, x, b->h, f.at + 3);
  return f;
}

// as the parent feels it
static six inward(const gathering* w, const model_node* n, const six* f)
{
  six to;
  turn(w, n->turn, f->at, to.at);
  turn(w, n->turn, f->at + 3, to.at + 3);
  add_cross(w, n->r, to.at + 3, to.at);
  return to;
}

// ---- the matrix ---------------------------------------------------------------------------------

static void put(gathering* w, int i, int j, expr value)
{
  if (is_zero(w, value)) return;
  base_push(&w->row[i > j ? i : j], (expr_slope){i > j ? j : i, value});
}

static void fill(gathering* w, int node, int joint)
{
  const model_tree* t = w->t;
  const model_joint_slope* own = &t->node[node].joint[joint];
  six f = times(w, &w->all[node], own->slope);
  for (int k = 0; k <= joint; k++) {
    const model_joint_slope* x = &t->node[node].joint[k];
    put(w, own->coord, x->coord, dot(w, 6, x->slope, f.at));
  }
  for (int at = node; t->node[at].parent >= 0; at = t->node[at].parent) {
    const model_node* parent = &t->node[t->node[at].parent];
    f = inward(w, &t->node[at], &f);
    for (int k = 0; k < parent->joints; k++)
      put(w, own->coord, parent->joint[k].coord, dot(w, 6, parent->joint[k].slope, f.at));
  }
}

void mech_tree_forces(const mech_system* s, const model_tree* t, expr* out)
{
  mech_gradient(s, t->V_beside, s->q, out);
  for (int i = 0; i < s->n; i++) out[i] = expr_sub(s->pool, s->model->Q[i], out[i]);
}

int mech_tree_terms(const model_tree* t, expr** out)
{
  BASE_LIST(expr) list = {0};
  for (int i = 0; i < t->nodes; i++) {
    const model_node* x = &t->node[i];
    base_push(&list, x->m);
    for (int k = 0; k < 9; k++) base_push(&list, x->turn[k]);
    for (int k = 0; k < 3; k++) base_push(&list, x->r[k]);
    for (int k = 0; k < 3; k++) base_push(&list, x->mr[k]);
    for (int k = 0; k < 6; k++) base_push(&list, x->J[k]);
    for (int k = 0; k < 6 * x->joints; k++) base_push(&list, x->joint[k / 6].slope[k % 6]);
  }
  *out = list.at;
  return list.n;
}

double mech_tree_pairs(const model_tree* t)
{
  double pairs = 0;
  int* before = base_alloc(sizeof *before * (size_t)(t->nodes + 1));
  for (int i = 0; i < t->nodes; i++) {
    const int parent = t->node[i].parent;
    before[i] = t->node[i].joints + (parent < 0 ? 0 : before[parent]);
    pairs += (double)t->node[i].joints * before[i];
  }
  free(before);
  return pairs;
}

// share of the entries of M beside which those that are zero do not matter
static const double full_enough = 0.1;

// One machine with most of the coordinates, some of them quaternions: M alone is singular then, and
// by its entries only the general way would be left. Many small ones are quicker so.
static bool is_machine(const mech_system* s, const model_tree* t)
{
  bool whirls = false;
  int most = 0, *root = base_alloc(sizeof *root * 2 * (size_t)(t->nodes + 1)),
      *count = root + t->nodes + 1;
  for (int i = 0; i < t->nodes; i++) {
    const int parent = t->node[i].parent;
    root[i] = parent < 0 || !count[root[parent]] ? i : root[parent];
    count[root[i]] += t->node[i].joints;
    most = count[root[i]] > most ? count[root[i]] : most;
    whirls = whirls || t->node[i].by_quaternion;
  }
  free(root);
  return whirls && most > s->n / 2;
}

bool mech_tree_hang(mech_system* s, const model_tree* t, void (*write)(mech_system* s))
{
  if (!t || s->n > MECH_FULL) return false;
  if (!(mech_tree_pairs(t) > full_enough * s->n * s->n) && !is_machine(s, t)) return false;
  s->hung = t;
  s->write = write;
  return true;
}

bool mech_tree_whole(const model_tree* t)
{
  expr* term;
  bool whole = true;
  const int terms = mech_tree_terms(t, &term);
  for (int i = 0; i < terms; i++) whole = whole && term[i] != EXPR_NONE;
  free(term);
  return whole;
}

static int by_number(const void* a, const void* b)
{
  return ((const expr_slope*)a)->number - ((const expr_slope*)b)->number;
}

expr_slope_list* mech_tree_rows(const mech_system* s, const model_tree* t)
{
  gathering w = {.s = s, .t = t};
  w.row = base_alloc((size_t)(s->n + 1) * sizeof *w.row);
  for (int i = 0; i < s->n; i++) w.row[i] = (expr_slope_list){0};
  w.all = base_alloc((size_t)(t->nodes + 1) * sizeof *w.all);
  for (int i = 0; i < t->nodes; i++) w.all[i] = inertia_of(&t->node[i]);
  for (int i = t->nodes - 1; i >= 0; i--)
    if (t->node[i].parent >= 0) hang(&w, &t->node[i], &w.all[i], &w.all[t->node[i].parent]);
  for (int i = 0; i < t->nodes && !expr_pool_full(s->pool); i++)
    for (int k = 0; k < t->node[i].joints; k++) fill(&w, i, k);
  for (int i = 0; i < s->n; i++)
    if (w.row[i].n) qsort(w.row[i].at, (size_t)w.row[i].n, sizeof *w.row[i].at, by_number);
  free(w.all);
  return w.row;
}
