// M of masses that hang on each other as a deep tree, by numbers: the same sums as mech_tree_rows()
// writes as expressions, joint by joint (Walker and Orin, 1982). For joints i and j, the first of
// them the farther out,
//   M_ij = S_j . f,   f = K_i S_i carried inward to the node of j
// with S the motion a joint gives its node and K the inertia of all that hangs on that. As
// expressions they would be as many as the entries of M, which few evaluations of a run need.
#include "engine/inside.h"

#include <stdlib.h>
#include <string.h>

// as mech_tree_terms() lists them: m, turn, r, m r, J, then the slopes of the joints
enum { at_turn = 1, at_r = 10, at_mr = 13, at_J = 16, at_slopes = 22 };

typedef struct inertia
{
  double m, h[3], J[9];
} inertia;

struct engine_hung
{
  int* first;   // by node: the number of its first term
  inertia* all; // by node: with those that hang on it
};

static inline double dot(const double* a, const double* b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void add_cross(const double* a, const double* b, double* sum)
{
  sum[0] += a[1] * b[2] - a[2] * b[1];
  sum[1] += a[2] * b[0] - a[0] * b[2];
  sum[2] += a[0] * b[1] - a[1] * b[0];
}

static inline void turn(const double* T, const double* x, double* out)
{
  out[0] = dot(T, x);
  out[1] = dot(T + 3, x);
  out[2] = dot(T + 6, x);
}

static void read_inertia(const double* term, inertia* out)
{
  static const int place[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
  out->m = term[0];
  memcpy(out->h, term + at_mr, sizeof out->h);
  for (int i = 0; i < 9; i++) out->J[i] = term[at_J + place[i]];
}

// T J T^T
static void turn_tensor(const double* T, const double* J, double* out)
{
  double half[9];
  for (int k = 0; k < 3; k++) turn(T, J + 3 * k, half + 3 * k);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      const double column[3] = {half[i], half[3 + i], half[6 + i]};
      out[3 * i + k] = dot(T + 3 * k, column);
    }
}

// Seen from the parent, with g = 2 T h + m r:
//   h_p = T h + m r,   J_p = T J T^T + (g.r) E - (g r^T + r g^T)/2
static void hang(const double* term, const inertia* b, inertia* to)
{
  double h[3], g[3], J[9];
  const double* r = term + at_r;
  turn(term + at_turn, b->h, h);
  turn_tensor(term + at_turn, b->J, J);
  to->m += b->m;
  for (int i = 0; i < 3; i++) {
    g[i] = 2 * h[i] + b->m * r[i];
    to->h[i] += h[i] + b->m * r[i];
  }
  const double along = dot(g, r);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      to->J[3 * i + k] += J[3 * i + k] + (i == k ? along : 0) - (g[i] * r[k] + g[k] * r[i]) / 2;
}

// f = K x
static void weigh(const inertia* b, const double* x, double* f)
{
  for (int i = 0; i < 3; i++) {
    f[i] = dot(b->J + 3 * i, x);
    f[3 + i] = b->m * x[3 + i];
  }
  add_cross(b->h, x + 3, f);
  add_cross(x, b->h, f + 3);
}

// as the parent feels it
static void inward(const double* term, double* f)
{
  double to[6];
  turn(term + at_turn, f, to);
  turn(term + at_turn, f + 3, to + 3);
  add_cross(term + at_r, to + 3, to);
  memcpy(f, to, sizeof to);
}

// inward as far as to the node `last`
static void fill(const engine* e, const double* term, int node, int joint, int last)
{
  const model_tree* t = e->s->hung;
  const int n = e->n, own = t->node[node].joint[joint].coord, *first = e->hung->first;
  double f[6];
  weigh(&e->hung->all[node], term + first[node] + at_slopes + 6 * joint, f);
  for (int at = node; at >= 0; at = t->node[at].parent) {
    for (int k = 0; k < t->node[at].joints; k++) {
      const int other = t->node[at].joint[k].coord;
      const double* S = term + first[at] + at_slopes + 6 * k;
      e->M[own * n + other] = e->M[other * n + own] = dot(S, f) + dot(S + 3, f + 3);
    }
    if (at == last) return;
    inward(term + first[at], f);
  }
}

void engine_tree_prepare(engine* e)
{
  const model_tree* t = e->s->hung;
  e->hung = engine_take(e, 1, sizeof *e->hung);
  e->hung->first = engine_take(e, (size_t)t->nodes + 1, sizeof(int));
  e->hung->all = engine_take(e, (size_t)t->nodes + 1, sizeof(inertia));
  for (int i = 0; i < t->nodes; i++)
    e->hung->first[i + 1] = e->hung->first[i] + at_slopes + 6 * t->node[i].joints;
}

static void gather(engine* e)
{
  const model_tree* t = e->s->hung;
  const double* term = e->work.eom_out;
  struct engine_hung* w = e->hung;
  for (int i = 0; i < t->nodes; i++) read_inertia(term + w->first[i], &w->all[i]);
  for (int i = t->nodes - 1; i >= 0; i--)
    if (t->node[i].parent >= 0) hang(term + w->first[i], &w->all[i], &w->all[t->node[i].parent]);
}

void engine_equations(engine* e)
{
  const model_tree* t = e->s->hung;
  code_run(e->program->eom, e->in, e->work.eom_out, e->work.scratch);
  if (!t) return;
  gather(e);
  // what lies on no way to another's joint stays zero, as it was taken
  for (int i = 0; i < t->nodes; i++)
    for (int k = 0; k < t->node[i].joints; k++) fill(e, e->work.eom_out, i, k, -1);
}

void engine_tree_own_masses(engine* e)
{
  const model_tree* t = e->s->hung;
  code_run(e->program->eom, e->in, e->work.eom_out, e->work.scratch);
  gather(e);
  for (int i = 0; i < t->nodes; i++)
    for (int k = 0; k < t->node[i].joints; k++) fill(e, e->work.eom_out, i, k, i);
}

// ---- what M is made of --------------------------------------------------------------------------

int engine_mass_terms(const mech_system* s, expr** out)
{
  if (s->hung) return mech_tree_terms(s->hung, out);
  const bool rows = s->M_rows.start;
  const int count = rows ? s->M_rows.count : s->n * s->n;
  *out = base_alloc(sizeof(expr) * (size_t)(count + 1));
  if (count) memcpy(*out, rows ? s->M_rows.value : s->M, sizeof(expr) * (size_t)count);
  return count;
}

// operations of one entry of M along a tree, roughly
static const double entry_operations = 12;

double engine_operations(const engine_program* p)
{
  const double own = code_operations(p->eom);
  return p->s->hung ? own + entry_operations * mech_tree_pairs(p->s->hung) : own;
}
