// Linear problems as part of a kernel.
//   M a = F + A^T lambda,   A a + b = 0,   M symmetric, positive definite
// Without dependent unknowns the whole symmetric matrix [M A^T; A 0] with (a, -lambda) is
// factored, M before what it leaves of A, which is -A M^-1 A^T; with them, see solve_rows.c.
#include "code/exact.h"
#include "code/kernel.h"
#include "code/listing.h"
#include "code/twins.h"

#include <assert.h>
#include <stdlib.h>

// ---- the problem on the tape --------------------------------------------------------------------

uint32_t* code_solve_block(size_t n)
{
  uint32_t* v = base_alloc(n * sizeof *v + 1);
  for (size_t i = 0; i < n; i++) v[i] = CODE_ABSENT;
  return v;
}

// everything on the tape
static code_kernel* build_plain(code_listing l, expr* missing)
{
  const code_linear* s = l.s;
  code_listing_add_lower(&l, s->n, s->M);
  code_listing_add(&l, s->n, s->F);
  code_listing_add(&l, s->rows * s->n, s->A);
  code_listing_add(&l, s->rows, s->b);
  bool fine = code_listing_lower(&l, missing);
  if (fine) {
    code_problem p = code_problem_new(&l.m, s, l.guard);
    code_listing_read_lower(&l, s->n, p.M);
    code_listing_read(&l, s->n, p.F);
    code_listing_read(&l, s->rows * s->n, p.A);
    code_listing_read(&l, s->rows, p.b);
    if (s->rows && s->dependent && !s->whole)
      fine = code_solve_rows(&p, s->dependent);
    else
      code_solve_whole(&p);
    fine = fine && code_listing_put_out(&l, &p, missing);
    code_problem_free(&p);
  }
  return code_listing_finish(&l, fine);
}

// ---- entry by entry -----------------------------------------------------------------------------

static uint32_t read_one(code_listing* l)
{
  return code_solve_value(&l->m, *l->next++);
}

// [M A^T; A 0] of the entries that are there
static void solve_entries(code_listing* l, code_problem* p)
{
  const code_pattern *M = l->s->M_at, *A = l->s->A_at;
  const int n = p->n, N = n + p->rows;
  uint32_t* y = code_solve_block((size_t)N);
  code_symmetric* f = code_symmetric_new(&l->m, N, n);
  for (int i = 0; i < n; i++)
    for (int k = M->start[i]; k < M->start[i + 1]; k++)
      code_symmetric_put(f, i, M->column[k], read_one(l));
  for (int i = 0; i < n; i++) y[i] = read_one(l);
  for (int r = 0; r < p->rows; r++)
    for (int k = A->start[r]; k < A->start[r + 1]; k++)
      code_symmetric_put(f, n + r, A->column[k], read_one(l));
  for (int r = 0; r < p->rows; r++) y[n + r] = code_solve_neg(&l->m, read_one(l));
  code_symmetric_solve(f, y, p->tolerance, &p->guard);
  for (int i = 0; i < n; i++) p->a[i] = y[i];
  for (int r = 0; r < p->rows; r++) p->lambda[r] = code_solve_neg(&l->m, y[n + r]);
  free(y);
}

static code_kernel* build_entries(code_listing l, expr* missing)
{
  const code_linear* s = l.s;
  code_listing_add(&l, s->M_at->start[s->n], s->M);
  code_listing_add(&l, s->n, s->F);
  code_listing_add(&l, s->A_at->start[s->rows], s->A);
  code_listing_add(&l, s->rows, s->b);
  bool fine = code_listing_lower(&l, missing);
  if (fine) {
    code_problem p = code_problem_new(&l.m, s, l.guard);
    solve_entries(&l, &p);
    fine = code_listing_put_out(&l, &p, missing);
    code_problem_free(&p);
  }
  return code_listing_finish(&l, fine);
}

// ---- along a tree -------------------------------------------------------------------------------

static void list_tree(code_listing* l, const code_tree* t)
{
  if (t->gravity) code_listing_add(l, 3, t->gravity);
  for (int i = 0; i < t->nodes; i++) {
    const code_tree_node* n = &t->node[i];
    code_listing_add(l, 9, n->turn);
    code_listing_add(l, 3, n->r);
    code_listing_add(l, 10, n->inertia);
    code_listing_add(l, 6 * n->joints, n->slope);
    if (t->gravity) code_listing_add(l, 12, n->motion);
  }
}

static bool is_unit(const code_maker* m, const uint32_t T[9])
{
  double x;
  for (int i = 0; i < 9; i++) {
    if (i % 4 ? T[i] != CODE_ABSENT : T[i] == CODE_ABSENT) return false;
    if (i % 4 == 0 && !(code_is_const(m, T[i], &x) && x == 1)) return false;
  }
  return true;
}

static code_limb* read_tree(code_listing* l, const code_tree* t, base_arena* arena)
{
  uint32_t gravity[3];
  if (t->gravity) code_listing_read(l, 3, gravity);
  code_limb* limb = base_arena_take(arena, sizeof *limb * (size_t)(t->nodes + 1));
  for (int i = 0; i < t->nodes; i++) {
    const code_tree_node* n = &t->node[i];
    code_limb* x = &limb[i];
    const size_t joints = (size_t)n->joints + 1;
    *x = (code_limb){.parent = n->parent, .joints = n->joints, .unknown = n->unknown};
    x->S = base_arena_take(arena, 2 * joints * sizeof *x->S);
    x->L = x->S + joints;
    x->inverse = base_arena_take(arena, (joints + joints * joints) * sizeof *x->inverse);
    x->among = x->inverse + joints;
    code_listing_read(l, 9, x->T);
    code_listing_read(l, 3, x->r);
    code_listing_read(l, 1, &x->own.m);
    code_listing_read(l, 3, x->own.h);
    code_listing_read(l, 6, x->own.J);
    for (int j = 0; j < n->joints; j++) code_listing_read(l, 6, x->S[j].at);
    uint32_t* motion[4] = {x->spin, x->drift, x->spin_rate, x->drift_rate};
    for (int k = 0; k < 4 && t->gravity; k++) code_listing_read(l, 3, motion[k]);
    x->turns = !is_unit(&l->m, x->T);
    for (int k = 0; k < 3; k++) x->shifts = x->shifts || x->r[k] != CODE_ABSENT;
    x->bias = x->force = code_six_none();
  }
  l->twin = code_twins(&l->m, t, limb);
  for (int i = 0; i < t->nodes && t->gravity; i++)
    code_limb_moves(&l->m, &limb[i], limb[i].parent < 0 ? NULL : &limb[limb[i].parent], gravity);
  return limb;
}

static code_kernel* build_tree(code_listing l, expr* missing)
{
  const code_linear* s = l.s;
  list_tree(&l, s->tree);
  code_listing_add(&l, s->n, s->F);
  code_listing_add(&l, s->rows * s->n, s->A);
  code_listing_add(&l, s->rows, s->b);
  bool fine = code_listing_lower(&l, missing);
  if (fine) {
    base_arena* arena = base_arena_new();
    code_problem p = code_problem_new(&l.m, s, l.guard);
    code_limb* limb = read_tree(&l, s->tree, arena);
    code_listing_read(&l, s->n, p.F);
    code_listing_read(&l, s->rows * s->n, p.A);
    code_listing_read(&l, s->rows, p.b);
    code_tree_solve(&p, s->tree, limb);
    fine = code_listing_put_out(&l, &p, missing);
    code_problem_free(&p);
    base_arena_free(arena);
  }
  return code_listing_finish(&l, fine);
}

// ---- with exact steps first ---------------------------------------------------------------------

static void read_cleared(code_listing* l, code_problem* p, int count, int* row_of, int made,
                         int* order)
{
  const code_linear* s = l->s;
  const int columns = s->n + 1 + s->rows;
  uint32_t *R = code_solve_block((size_t)(count * count)), *y = code_solve_block((size_t)count);
  uint32_t* rows = code_solve_block((size_t)(s->rows * columns));
  code_listing_read_lower(l, count, R);
  code_listing_read(l, count, y);
  code_listing_read(l, s->rows * columns, rows);
  code_listing_read_lower(l, s->n, p->M);
  code_listing_read(l, s->n, p->F);
  code_solve_cleared(p, s->dependent, rows, row_of, &(code_reduced){R, y, made, order});
  free(R);
  free(y);
  free(rows);
}

// the tape of what exact steps left; those of R by numbers on its diagonal are `made`
static code_kernel* solve_cleared(code_listing l, int count, const expr* R, const expr* y,
                                  const expr* rows, int* row_of, int made, int* order)
{
  const code_linear* s = l.s;
  code_listing_add_lower(&l, count, R);
  code_listing_add(&l, count, y);
  code_listing_add(&l, s->rows * (s->n + 1 + s->rows), rows);
  code_listing_add_lower(&l, s->n, s->M);
  code_listing_add(&l, s->n, s->F);
  expr missing;
  bool fine = code_listing_lower(&l, &missing);
  if (fine) {
    code_problem p = code_problem_new(&l.m, s, l.guard);
    read_cleared(&l, &p, count, row_of, made, order);
    fine = code_listing_put_out(&l, &p, &missing);
    code_problem_free(&p);
  }
  return code_listing_finish(&l, fine);
}

// unknowns eliminated by pivots that are numbers: dependent ones, then others
static code_kernel* build_cleared(code_listing l)
{
  const code_linear* s = l.s;
  const int n = s->n, m = s->rows, columns = n + 1 + m, count = n - m;
  const size_t room = (size_t)(m * columns + count * count + count + 1);
  expr *rows = base_alloc(room * sizeof *rows), *R = rows + m * columns, *y = R + count * count;
  int* row_of = base_alloc((size_t)(2 * n + m + 1) * sizeof *row_of);
  int *independent = row_of + m, *order = independent + n;
  code_solve_independent(n, m, s->dependent, independent);
  code_kernel* k = NULL;
  if (code_exact_rows(l.pool, s, rows, row_of)) {
    code_exact_reduce(l.pool, s, rows, row_of, count, independent, R, y);
    const int made = code_exact_pivots(l.pool, count, R, y, order);
    if (m || made) k = solve_cleared(l, count, R, y, rows, row_of, made, order);
  }
  free(row_of);
  free(rows);
  return k;
}

// [M_U A_U^T; A_U -G] of the unknowns that do not stand alone; the others follow from the
// multipliers
static void solve_bordered(code_problem* p, const bool* alone, const uint32_t* G, const uint32_t* z)
{
  const int n = p->n, m = p->rows;
  int* left = base_alloc((size_t)n * sizeof *left + 1);
  int u = 0;
  for (int i = 0; i < n; i++)
    if (!alone[i]) left[u++] = i;
  const int N = u + m;
  uint32_t *S = code_solve_block((size_t)(N * N)), *y = code_solve_block((size_t)N);
  for (int i = 0; i < u; i++) {
    y[i] = p->F[left[i]];
    for (int k = 0; k <= i; k++) S[i * N + k] = p->M[left[i] * n + left[k]];
  }
  for (int r = 0; r < m; r++) {
    y[u + r] = z[r];
    for (int k = 0; k < u; k++) S[(u + r) * N + k] = p->A[r * n + left[k]];
    for (int q = 0; q <= r; q++) S[(u + r) * N + u + q] = G[r * m + q];
  }
  code_ldl(p->m, N, u, S, y, p->tolerance, &p->guard);
  for (int i = 0; i < u; i++) p->a[left[i]] = y[i];
  for (int r = 0; r < m; r++) p->lambda[r] = code_solve_neg(p->m, y[u + r]);
  for (int i = 0; i < n; i++) {
    if (!alone[i]) continue;
    // F holds what they would do without constraints
    const uint32_t inverse = code_solve_inverse(p->m, p->M[i * n + i]);
    p->a[i] = p->F[i];
    for (int r = 0; r < m; r++)
      p->a[i] =
          code_solve_sub(p->m, p->a[i], p->A[r * n + i], code_solve_times(p->m, y[u + r], inverse));
  }
  free(left);
  free(S);
  free(y);
}

// unknowns that stand alone eliminated into the constraints
static code_kernel* build_bordered(code_listing l)
{
  const code_linear* s = l.s;
  const int n = s->n, m = s->rows;
  bool* alone = base_alloc((size_t)n + 1);
  expr *G = base_alloc((size_t)(m * m + m + 1) * sizeof *G), *y = G + m * m;
  code_kernel* k = NULL;
  if (code_exact_alone(l.pool, s, alone) > 0) {
    code_exact_border(l.pool, s, alone, G, y);
    code_listing_add_lower(&l, n, s->M);
    for (int i = 0; i < n; i++) {
      const expr own = alone[i] ? expr_div(l.pool, s->F[i], s->M[i * n + i]) : s->F[i];
      code_listing_add(&l, 1, &own);
    }
    code_listing_add(&l, m * n, s->A);
    code_listing_add_lower(&l, m, G);
    code_listing_add(&l, m, y);
    expr missing;
    bool fine = code_listing_lower(&l, &missing);
    if (fine) {
      code_problem p = code_problem_new(&l.m, s, l.guard);
      uint32_t *g = code_solve_block((size_t)(m * m)), *z = code_solve_block((size_t)m);
      code_listing_read_lower(&l, n, p.M);
      code_listing_read(&l, n, p.F);
      code_listing_read(&l, m * n, p.A);
      code_listing_read_lower(&l, m, g);
      code_listing_read(&l, m, z);
      solve_bordered(&p, alone, g, z);
      fine = code_listing_put_out(&l, &p, &missing);
      code_problem_free(&p);
      free(g);
      free(z);
    }
    k = code_listing_finish(&l, fine);
  }
  free(alone);
  free(G);
  return k;
}

// ---- the door -----------------------------------------------------------------------------------

// what the operations of a kernel cost, in additions
static long cost(const code_kernel* k)
{
  long sum = 0;
  for (int i = 0; i < k->tape.ins.n; i++) {
    const uint32_t op = k->tape.ins.at[i].op;
    const bool divides = op == CODE_DIV || op == CODE_NDIV || op == CODE_SQRT;
    const bool calls = (op >= CODE_POW && op <= CODE_TANH) || op == CODE_SINCOS;
    const bool chooses = op >= CODE_SIGN && op <= CODE_SELECT;
    sum += divides ? 8 : calls ? 30 : chooses ? 3 : op < CODE_CONST;
  }
  return sum;
}

static code_kernel* build_first(code_listing l, expr* missing)
{
  if (l.s->M_at) return build_entries(l, missing);
  return l.s->tree ? build_tree(l, missing) : build_plain(l, missing);
}

code_kernel* code_build_solve(expr_pool* pool, const code_linear* s, int inputs, const expr* in,
                              expr* missing)
{
  assert(pool && s->n >= 0 && s->rows >= 0 && s->tolerance > 0);
  assert(!s->x || !s->rows || (s->x0 && s->dependent));
  const code_listing l = {.pool = pool, .s = s, .inputs = inputs, .in = in, .guard = CODE_ABSENT};
  expr unknown = EXPR_NONE;
  code_kernel* plain = build_first(l, &unknown);
  if (missing) *missing = unknown;
  if (!plain || !s->simplify || s->M_at || s->tree) return plain;
  code_kernel* exact =
      !s->rows || (s->dependent && !s->whole) ? build_cleared(l) : build_bordered(l);
  const bool better = exact && !expr_pool_full(pool) && cost(exact) < cost(plain);
  code_free(better ? plain : exact);
  return better ? exact : plain;
}
