// Contacts with friction on bodies of a tree: accelerations of the forces alone and what the rows
// add to them come along the tree (engine/tree_motion.c), and with them
//   w = w0 + sum_r W_r x_r
// over the forces x_r of the contacts. Bilateral rows B other than norms are eliminated from both:
//   lambda_B = G^-1 (c_B - A_B w),   G = A_B W_B
#include "contact/contact.h"

#include <math.h>
#include <string.h>

struct contact_tree
{
  bool* norm;      // of each constraint: it keeps one, which the tree does by itself
  int bound, *row; // bilateral rows that are eliminated
  double *w0, *W;  // n; contacts times 1 + tangents by n
  double *G, *x;   // bound by bound; what the motion of w0 and of each of W asks of lambda_B
  int* pivot;
  double* force; // n
};

static void* take(engine* e, int count, size_t size)
{
  return base_arena_take(e->arena, (size_t)(count + 1) * size);
}

void contact_tree_new(engine* e)
{
  contact_inequalities* u = e->unilateral;
  if (!u->rough || u->beside || u->tangents != 2 || !engine_tree_pays(e)) return;
  const int columns = u->count * (1 + u->tangents), m = e->m;
  struct contact_tree* t = take(e, 1, sizeof *t);
  t->norm = take(e, m, sizeof(bool));
  for (int k = 0; k < m; k++) t->norm[k] = engine_tree_keeps(e, k);
  t->row = take(e, m, sizeof(int));
  t->w0 = take(e, e->n, sizeof(double));
  t->W = take(e, columns * e->n, sizeof(double));
  t->G = take(e, m * m, sizeof(double));
  t->x = take(e, m * (columns + 1), sizeof(double));
  t->pivot = take(e, m, sizeof(int));
  t->force = take(e, e->n, sizeof(double));
  u->tree = t;
}

// columns of W in the order of the problem
static void take_columns(engine* e, int count, const int* row, const engine_tree_motion* motion)
{
  const contact_inequalities* u = e->unilateral;
  struct contact_tree* t = u->tree;
  const int n = e->n, tangents = u->tangents;
  memcpy(t->w0, motion->a0, sizeof(double) * (size_t)n);
  for (int r = 0; r < count; r++) {
    const model_constraint* c = contact_inequality_constraint(e, row[r]);
    double* to = t->W + r * (1 + tangents) * n;
    for (int j = 0; j < n; j++) to[j] = u->sign[row[r]] * motion->W[u->of[row[r]] * n + j];
    for (int k = 0; k < tangents; k++, to += n) {
      if (c->friction != EXPR_NONE && k < c->slips)
        memcpy(to + n, motion->W + c->stick[k] * n, sizeof(double) * (size_t)n);
      else
        memset(to + n, 0, sizeof(double) * (size_t)n);
    }
  }
}

static double along(int n, const double* A, const double* w)
{
  double sum = 0;
  for (int j = 0; j < n; j++) sum += A[j] * w[j];
  return sum;
}

// w keeps to the bilateral rows: A_B w = c_B for that of the forces (first), else 0
static void bind(engine* e, const engine_tree_motion* motion, bool first, double* w, double* x)
{
  const struct contact_tree* t = e->unilateral->tree;
  const int n = e->n, b = t->bound;
  for (int i = 0; i < b; i++)
    x[i] = (first ? e->c[t->row[i]] : 0) - along(n, e->A + t->row[i] * n, w);
  num_lu_solve(b, t->G, t->pivot, x);
  for (int i = 0; i < b; i++)
    for (int j = 0; j < n; j++) w[j] += motion->W[t->row[i] * n + j] * x[i];
}

// false where the bilateral rows depend on each other
static bool eliminate(engine* e, int columns, const engine_tree_motion* motion)
{
  struct contact_tree* t = e->unilateral->tree;
  const int n = e->n, b = t->bound;
  if (!b) return true;
  for (int i = 0; i < b; i++)
    for (int k = 0; k < b; k++)
      t->G[i * b + k] = along(n, e->A + t->row[i] * n, motion->W + t->row[k] * n);
  if (!num_lu(b, t->G, t->pivot)) return false;
  bind(e, motion, true, t->w0, t->x);
  for (int c = 0; c < columns; c++) bind(e, motion, false, t->W + c * n, t->x + (c + 1) * b);
  return true;
}

bool contact_tree_move(engine* e, int count, const int* row)
{
  const contact_inequalities* u = e->unilateral;
  struct contact_tree* t = u->tree;
  engine_tree_motion motion;
  t->bound = 0;
  for (int k = 0; k < e->m; k++)
    if (contact_inequality_binds(e, k, false, false) && !t->norm[k]) t->row[t->bound++] = k;
  if (!engine_tree_move(e, count || t->bound, &motion)) return false;
  take_columns(e, count, row, &motion);
  return eliminate(e, count * (1 + u->tangents), &motion);
}

void contact_tree_take(const engine* e, cone_contact_problem* p)
{
  p->b = 0;
  p->w0 = e->unilateral->tree->w0;
  p->W = e->unilateral->tree->W;
}

// all forces but those that keep norms
static void add_forces(const engine* e, int count, const cone_contact_solution* s, double* force)
{
  const contact_inequalities* u = e->unilateral;
  const struct contact_tree* t = u->tree;
  const int n = e->n, tangents = u->tangents;
  memcpy(force, e->F, sizeof(double) * (size_t)n);
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < t->bound; i++) force[j] += e->A[t->row[i] * n + j] * e->lambda[t->row[i]];
    for (int r = 0; r < count; r++) force[j] += u->N[r * n + j] * s->lambda_N[r];
    for (int r = 0; r < count * tangents; r++) force[j] += u->T[r * n + j] * s->lambda_T[r];
  }
}

// that of row k, which keeps a norm: M has no part along its gradient
static double norm_reaction(const engine* e, int k, const double* force)
{
  const double *g = e->A + k * e->n, square = along(e->n, g, g);
  return square > 0 ? -along(e->n, g, force) / square : 0;
}

void contact_tree_reactions(engine* e, int count, const cone_contact_solution* s)
{
  const contact_inequalities* u = e->unilateral;
  const struct contact_tree* t = u->tree;
  const int b = t->bound, tangents = u->tangents;
  for (int i = 0; i < b; i++) {
    double sum = t->x[i];
    for (int r = 0; r < count; r++)
      for (int k = 0; k <= tangents; k++)
        sum += t->x[(1 + r * (1 + tangents) + k) * b + i] *
               (k ? s->lambda_T[r * tangents + k - 1] : s->lambda_N[r]);
    e->lambda[t->row[i]] = sum;
  }
  add_forces(e, count, s, t->force);
  for (int k = 0; k < e->m; k++)
    if (contact_inequality_binds(e, k, false, false) && t->norm[k])
      e->lambda[k] = norm_reaction(e, k, t->force);
}
