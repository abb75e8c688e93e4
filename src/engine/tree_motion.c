// Motions along the tree of masses as kernels: that of the forces alone, and what the reaction of
// each constraint adds to it, J M^-1 in the language of contacts. Operations grow with the joints
// times the constraints; M is nowhere.
#include "engine/inside.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// operations of a kernel, roughly, of each node, and of each node and constraint; more than so many
// are not made
enum { node_operations = 400, answer_operations = 50, most_operations = 2000000 };
// operations of one step of dense elimination, against one on a tape
static const double dense_operation = 1;

typedef struct motion_kernel
{
  const code_kernel* kernel;
  double *out, *scratch;
} motion_kernel;

struct engine_tree_kernels
{
  double spent; // operations of elimination where the tree was not taken
  bool tried, pays;
  motion_kernel by[2]; // without and with W
  // where rows hold that keep no norm: these, and G = A W of them
  int* row;
  double *G, *x;
  int* pivot;
};

static void release(void* kernel)
{
  code_free(kernel);
}

// The rows of the problem: all constraints, or those alone that keep norms, which are numbered anew
// in the tree.
static int choose_rows(const engine* e, bool W, code_tree_node* node, code_tree* tree, int* row)
{
  int rows = 0;
  memcpy(node, tree->node, sizeof *node * (size_t)tree->nodes);
  tree->node = node;
  for (int k = 0; k < e->m && W; k++) row[rows++] = k;
  for (int i = 0; i < tree->nodes && !W; i++) {
    if (node[i].norm < 0) continue;
    row[rows] = node[i].norm;
    node[i].norm = rows++;
  }
  return rows;
}

// F, A and c as they lie behind M in the equations of motion, then A and -c of the rows; false
// where one has no value
static bool list_equations(const engine* e, int rows, const int* row, expr* list)
{
  const mech_system* s = e->s;
  const int n = e->n, m = e->m, others = n + m * n + m, count = others + rows * (n + 1);
  expr *A = list + others, *b = A + rows * n;
  memcpy(list, s->F, sizeof *list * (size_t)n);
  if (m) memcpy(list + n, s->A, sizeof *list * (size_t)(m * n));
  if (m) memcpy(list + n + m * n, s->c, sizeof *list * (size_t)m);
  for (int r = 0; r < rows; r++) {
    memcpy(A + r * n, s->A + row[r] * n, sizeof *list * (size_t)n);
    b[r] = expr_neg(s->pool, s->c[row[r]]);
  }
  for (int i = 0; i < count; i++)
    if (list[i] == EXPR_NONE) return false;
  engine_fix(e->program, count, list, list);
  for (int i = 0; i < count; i++)
    if (list[i] == EXPR_NONE) return false;
  return true;
}

// outputs: a0, W of the rows, the guard, the equations
static code_kernel* build(const engine* e, bool W)
{
  code_tree tree;
  const engine_program* p = e->program;
  const int n = e->n, m = e->m, others = n + m * n + m;
  if (!engine_tree_whole(e, &tree)) return NULL;
  if ((long)tree.nodes * (node_operations + (W ? answer_operations * m : 0)) > most_operations)
    return NULL;
  const int most = m + tree.nodes;
  code_tree_node* node = base_alloc(sizeof *node * (size_t)(tree.nodes + 1));
  int* row = base_alloc(sizeof *row * (size_t)(most + 1));
  const int rows = choose_rows(e, W, node, &tree, row);
  expr* list = base_alloc((size_t)(others + rows * (n + 1) + 1) * sizeof *list);
  const bool whole = list_equations(e, rows, row, list);
  const code_linear problem = {.n = n,
                               .rows = rows,
                               .tree = &tree,
                               .F = engine_tree_forces(e, list),
                               .A = list + others,
                               .b = list + others + rows * n,
                               .tolerance = engine_safe_pivot,
                               .answers = true,
                               .others = others,
                               .other = list};
  code_kernel* k = whole ? code_build_solve(p->s->pool, &problem, p->inputs, p->input, NULL) : NULL;
  free(list);
  free(row);
  free(node);
  return k;
}

static const code_kernel* kernel_of(const engine* e, bool W)
{
  struct
  {
    const engine_program* program;
    long W;
  } by = {e->program, W};
  const base_key key = {"tree motion", &by, sizeof by};
  void* found;
  base_kept_open(e->s->kept);
  if (!base_kept_find(e->s->kept, key, &found)) {
    found = build(e, W);
    base_kept_add(e->s->kept, key, found, release);
  }
  base_kept_unlock(e->s->kept);
  return found;
}

// Elimination of the masses and what each row takes of it, beside what M itself takes.
static double dense_operations(const engine* e)
{
  const double n = e->n;
  return engine_operations(e->program) + dense_operation * n * n * (n / 3 + e->m);
}

static bool take_kernel(engine* e, motion_kernel* x, bool W)
{
  if (x->kernel) return true;
  x->kernel = kernel_of(e, W);
  if (!x->kernel) return false;
  x->out = engine_lines(e, (size_t)code_outputs(x->kernel));
  x->scratch = engine_lines(e, code_scratch(x->kernel));
  return true;
}

static struct engine_tree_kernels* kernels_of(engine* e)
{
  if (!e->along) e->along = engine_take(e, 1, sizeof *e->along);
  struct engine_tree_kernels* t = e->along;
  if (t->tried) return t;
  t->tried = true;
  for (int W = 0; W < 2; W++)
    if (!take_kernel(e, &t->by[W], W)) return t;
  t->pays = code_operations(t->by[1].kernel) < dense_operations(e);
  return t;
}

bool engine_tree_pays(engine* e)
{
  return !e->sparse && !e->parts && !e->least && kernels_of(e)->pays;
}

bool engine_tree_is_taken(const engine* e)
{
  return e->along && e->along->pays;
}

bool engine_tree_move(engine* e, bool W, engine_tree_motion* out)
{
  assert(e->along && e->along->by[W].kernel);
  const motion_kernel* x = &e->along->by[W];
  const int n = e->n, m = e->m, others = n + m * n + m,
            guard = code_outputs(x->kernel) - others - 1;
  code_run(x->kernel, e->in, x->out, x->scratch);
  memcpy(e->F, x->out + guard + 1, sizeof(double) * (size_t)others);
  *out = (engine_tree_motion){x->out, W ? x->out + n : NULL};
  return x->out[guard] > 0;
}

// operations that making a kernel takes, against one of its own
static const double making = 2000;

// The rows must not be so near to depending on each other that G, of the square of their margin,
// loses digits that a step needs.
static const double least_margin = 0.01;

static double along(int n, const double* A, const double* w)
{
  double sum = 0;
  for (int j = 0; j < n; j++) sum += A[j] * w[j];
  return sum;
}

// rows that hold and keep no norm, into t->row
static int list_bound(engine* e, struct engine_tree_kernels* t)
{
  int count = 0;
  if (!t->row) {
    t->row = engine_take(e, e->m, sizeof *t->row);
    t->pivot = engine_take(e, e->m, sizeof *t->pivot);
    t->G = engine_doubles(e, e->m * e->m);
    t->x = engine_doubles(e, e->m);
  }
  for (int r = 0; r < e->mode.rows; r++)
    if (!engine_tree_keeps(e, e->mode.row[r])) t->row[count++] = e->mode.row[r];
  return count;
}

static double kernel_operations(const engine* e)
{
  code_tree tree;
  engine_tree_whole(e, &tree);
  return (double)tree.nodes * (node_operations + answer_operations * e->m);
}

// Are the rows that hold known to be independent, and not nearly otherwise?
static bool is_bound(const engine* e)
{
  return e->bound || (e->factored && e->rank == e->mode.rows && e->margin > least_margin);
}

// a = a0 + sum_r W_r x_r with A a = c. At a state that a step tries nobody asks for M or the
// factors of A, which are not found then; of A it is known that its rows are independent.
static bool bound_accelerations(engine* e)
{
  const int n = e->n;
  if (!e->trial || !is_bound(e) || e->program->work_needs_reactions || !engine_tree_serves(e))
    return false;
  if (!e->along) e->along = engine_take(e, 1, sizeof *e->along);
  struct engine_tree_kernels* t = e->along;
  t->spent += dense_operation * n * n * n;
  if ((!t->tried && t->spent < making * kernel_operations(e)) || !engine_tree_pays(e)) return false;
  engine_tree_motion motion;
  const int count = list_bound(e, t);
  if (!engine_tree_move(e, count > 0, &motion)) return false;
  for (int i = 0; i < count; i++) {
    const double* A = e->A + t->row[i] * n;
    t->x[i] = e->c[t->row[i]] - along(n, A, motion.a0);
    for (int k = 0; k < count; k++) t->G[i * count + k] = along(n, A, motion.W + t->row[k] * n);
  }
  if (!num_lu(count, t->G, t->pivot)) return false;
  num_lu_solve(count, t->G, t->pivot, t->x);
  memcpy(e->a, motion.a0, sizeof(double) * (size_t)n);
  for (int i = 0; i < count; i++)
    for (int j = 0; j < n; j++) e->a[j] += motion.W[t->row[i] * n + j] * t->x[i];
  e->factored = false;
  return true;
}

// A kernel is made once as much was spent without it as it takes to be made.
bool engine_tree_accelerations(engine* e)
{
  const double n = e->n;
  if (e->mode.rows) return bound_accelerations(e);
  if (e->m || !e->hung) return false;
  if (!e->along) e->along = engine_take(e, 1, sizeof *e->along);
  struct engine_tree_kernels* t = e->along;
  t->spent += dense_operation * n * n * n / 6;
  if (!t->by[0].kernel && t->spent < making * node_operations * e->s->hung->nodes) return false;
  engine_tree_motion m;
  if (!take_kernel(e, &t->by[0], false) || !engine_tree_move(e, false, &m)) return false;
  engine_tree_own_masses(e);
  memcpy(e->a, m.a0, sizeof(double) * (size_t)e->n);
  return true;
}
