// Linear problems as part of a kernel.
//   M a = F + A^T lambda,   A a + b = 0,   M symmetric, positive definite
// Without dependent unknowns the whole symmetric matrix [M A^T; A 0] with (a, -lambda) is
// factored, M before what it leaves of A, which is -A M^-1 A^T; with them, see solve_rows.c.
#include "code/solve.h"

#include "code/exact.h"
#include "code/kernel.h"
#include "code/tree.h"

#include <assert.h>
#include <stdlib.h>

// ---- the problem on the tape --------------------------------------------------------------------

uint32_t* code_solve_block(size_t n)
{
  uint32_t* v = base_alloc(n * sizeof *v + 1);
  for (size_t i = 0; i < n; i++) v[i] = CODE_ABSENT;
  return v;
}

// guard: of what was solved before
static code_problem problem_new(code_maker* m, const code_linear* s, uint32_t guard)
{
  const size_t n = (size_t)s->n, rows = (size_t)s->rows;
  return (code_problem){.m = m,
                        .n = s->n,
                        .rows = s->rows,
                        .M = code_solve_block(s->tree ? 0 : n * n),
                        .F = code_solve_block(n),
                        .A = code_solve_block(rows * n),
                        .b = code_solve_block(rows),
                        .a = code_solve_block(n),
                        .lambda = code_solve_block(rows),
                        .W = s->answers ? code_solve_block(rows * n) : NULL,
                        .tolerance = s->tolerance,
                        .row_tolerance = s->row_tolerance > 0 ? s->row_tolerance : s->tolerance,
                        .weight = s->weight,
                        .guard = guard};
}

static void problem_free(code_problem* p)
{
  free(p->M);
  free(p->F);
  free(p->A);
  free(p->b);
  free(p->a);
  free(p->lambda);
  free(p->W);
}

// ---- from expressions ---------------------------------------------------------------------------

// Expressions are listed, lowered, and their values read back in the same order.
typedef struct listing
{
  expr_pool* pool;
  const code_linear* s;
  int inputs;
  const expr* in;
  BASE_LIST(expr) list;
  code_maker m;
  const uint32_t* next; // the value to read
  BASE_LIST(code_bound) bound;
  uint32_t guard; // of x
} listing;

static void list(listing* l, int count, const expr* e)
{
  for (int i = 0; i < count; i++) base_push(&l->list, e[i]);
}

static void list_lower(listing* l, int n, const expr* e)
{
  for (int i = 0; i < n; i++) list(l, i + 1, e + i * n);
}

static void bind(listing* l, expr symbol, uint32_t value)
{
  base_push(&l->bound, (code_bound){symbol, code_solve_present(&l->m, value)});
}

static bool lower_to(listing* l, int count, const expr* e, uint32_t* to, expr* missing)
{
  return code_lower_bound(&l->m, l->pool, count, e, l->in, l->bound.n, l->bound.at, to, missing);
}

// the dependent ones of x take the place of their symbols
static bool find_first(listing* l, expr* missing)
{
  const code_linear* s = l->s;
  if (!s->x || !s->rows) return true;
  code_problem p = problem_new(&l->m, s, CODE_ABSENT);
  const int entries = s->rows * s->n;
  bool fine = lower_to(l, entries, s->A, p.A, missing) &&
              lower_to(l, s->rows, s->x0, p.b, missing) && lower_to(l, s->n, s->x, p.a, missing);
  for (int i = 0; i < entries && fine; i++) p.A[i] = code_solve_value(&l->m, p.A[i]);
  for (int i = 0; i < s->rows && fine; i++) p.b[i] = code_solve_value(&l->m, p.b[i]);
  fine = fine && code_solve_dependent(&p, s->dependent);
  for (int d = 0; d < s->rows && fine; d++) bind(l, s->x[s->dependent[d]], p.a[s->dependent[d]]);
  l->guard = p.guard;
  problem_free(&p);
  return fine;
}

static bool lower(listing* l, expr* missing)
{
  code_maker_start(&l->m, l->inputs, l->list.n);
  const bool fine =
      find_first(l, missing) && lower_to(l, l->list.n, l->list.at, l->m.tape.out, missing);
  l->next = l->m.tape.out;
  return fine;
}

static void read_values(listing* l, int count, uint32_t* to)
{
  for (int i = 0; i < count; i++) to[i] = code_solve_value(&l->m, *l->next++);
}

// both triangles
static void read_lower(listing* l, int n, uint32_t* to)
{
  for (int i = 0; i < n; i++)
    for (int k = 0; k <= i; k++)
      to[i * n + k] = to[k * n + i] = code_solve_value(&l->m, *l->next++);
}

static bool is_put_out(const code_linear* s, int i)
{
  for (int r = 0; r < s->rows && s->brief && s->dependent; r++)
    if (s->dependent[r] == i) return false;
  return true;
}

// outputs: a, lambda when asked for, the guard, the others
static bool put_out(listing* l, const code_problem* p, expr* missing)
{
  code_tape* t = &l->m.tape;
  const code_linear* s = l->s;
  const int lambdas = s->multipliers ? p->rows : 0, answers = p->W ? p->rows * p->n : 0;
  uint32_t* out = base_alloc((size_t)(p->n + lambdas + answers + 1 + s->others) * sizeof *out);
  int at = 0;
  for (int i = 0; i < p->n; i++)
    if (is_put_out(s, i)) out[at++] = code_solve_present(&l->m, p->a[i]);
  code_solve_list(&l->m, lambdas, p->lambda, out, &at);
  code_solve_list(&l->m, answers, p->W, out, &at);
  out[at++] = p->guard == CODE_ABSENT ? code_make_const(&l->m, 1) : p->guard;
  for (int i = 0; i < p->n && s->unknown; i++) bind(l, s->unknown[i], p->a[i]);
  for (int r = 0; r < p->rows && s->multiplier; r++) bind(l, s->multiplier[r], p->lambda[r]);
  const bool fine = lower_to(l, s->others, s->other, out + at, missing);
  free(t->out);
  t->out = out;
  t->outputs = at + s->others;
  return fine;
}

static code_kernel* finish(listing* l, bool fine)
{
  base_list_free(&l->list);
  base_list_free(&l->bound);
  code_maker_end(&l->m);
  if (fine) return code_kernel_new(&l->m.tape);
  code_tape_free(&l->m.tape);
  return NULL;
}

// everything on the tape
static code_kernel* build_plain(listing l, expr* missing)
{
  const code_linear* s = l.s;
  list_lower(&l, s->n, s->M);
  list(&l, s->n, s->F);
  list(&l, s->rows * s->n, s->A);
  list(&l, s->rows, s->b);
  bool fine = lower(&l, missing);
  if (fine) {
    code_problem p = problem_new(&l.m, s, l.guard);
    read_lower(&l, s->n, p.M);
    read_values(&l, s->n, p.F);
    read_values(&l, s->rows * s->n, p.A);
    read_values(&l, s->rows, p.b);
    if (s->rows && s->dependent && !s->whole)
      fine = code_solve_rows(&p, s->dependent);
    else
      code_solve_whole(&p);
    fine = fine && put_out(&l, &p, missing);
    problem_free(&p);
  }
  return finish(&l, fine);
}

// ---- along a tree -------------------------------------------------------------------------------

static void list_tree(listing* l, const code_tree* t)
{
  if (t->gravity) list(l, 3, t->gravity);
  for (int i = 0; i < t->nodes; i++) {
    const code_tree_node* n = &t->node[i];
    list(l, 9, n->turn);
    list(l, 3, n->r);
    list(l, 10, n->inertia);
    list(l, 6 * n->joints, n->slope);
    if (t->gravity) list(l, 12, n->motion);
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

static code_limb* read_tree(listing* l, const code_tree* t, base_arena* arena)
{
  uint32_t gravity[3];
  if (t->gravity) read_values(l, 3, gravity);
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
    read_values(l, 9, x->T);
    read_values(l, 3, x->r);
    read_values(l, 1, &x->own.m);
    read_values(l, 3, x->own.h);
    read_values(l, 6, x->own.J);
    for (int j = 0; j < n->joints; j++) read_values(l, 6, x->S[j].at);
    uint32_t* motion[4] = {x->spin, x->drift, x->spin_rate, x->drift_rate};
    for (int k = 0; k < 4 && t->gravity; k++) read_values(l, 3, motion[k]);
    x->turns = !is_unit(&l->m, x->T);
    for (int k = 0; k < 3; k++) x->shifts = x->shifts || x->r[k] != CODE_ABSENT;
    x->bias = x->force = code_six_none();
    if (t->gravity) code_limb_moves(&l->m, x, x->parent < 0 ? NULL : &limb[x->parent], gravity);
  }
  return limb;
}

static code_kernel* build_tree(listing l, expr* missing)
{
  const code_linear* s = l.s;
  list_tree(&l, s->tree);
  list(&l, s->n, s->F);
  list(&l, s->rows * s->n, s->A);
  list(&l, s->rows, s->b);
  bool fine = lower(&l, missing);
  if (fine) {
    base_arena* arena = base_arena_new();
    code_problem p = problem_new(&l.m, s, l.guard);
    code_limb* limb = read_tree(&l, s->tree, arena);
    read_values(&l, s->n, p.F);
    read_values(&l, s->rows * s->n, p.A);
    read_values(&l, s->rows, p.b);
    code_tree_solve(&p, s->tree, limb);
    fine = put_out(&l, &p, missing);
    problem_free(&p);
    base_arena_free(arena);
  }
  return finish(&l, fine);
}

// ---- with exact steps first ---------------------------------------------------------------------

static void read_cleared(listing* l, code_problem* p, int count, int* row_of, int made, int* order)
{
  const code_linear* s = l->s;
  const int columns = s->n + 1 + s->rows;
  uint32_t *R = code_solve_block((size_t)(count * count)), *y = code_solve_block((size_t)count);
  uint32_t* rows = code_solve_block((size_t)(s->rows * columns));
  read_lower(l, count, R);
  read_values(l, count, y);
  read_values(l, s->rows * columns, rows);
  read_lower(l, s->n, p->M);
  read_values(l, s->n, p->F);
  code_solve_cleared(p, s->dependent, rows, row_of, &(code_reduced){R, y, made, order});
  free(R);
  free(y);
  free(rows);
}

// the tape of what exact steps left; those of R by numbers on its diagonal are `made`
static code_kernel* solve_cleared(listing l, int count, const expr* R, const expr* y,
                                  const expr* rows, int* row_of, int made, int* order)
{
  const code_linear* s = l.s;
  list_lower(&l, count, R);
  list(&l, count, y);
  list(&l, s->rows * (s->n + 1 + s->rows), rows);
  list_lower(&l, s->n, s->M);
  list(&l, s->n, s->F);
  expr missing;
  bool fine = lower(&l, &missing);
  if (fine) {
    code_problem p = problem_new(&l.m, s, l.guard);
    read_cleared(&l, &p, count, row_of, made, order);
    fine = put_out(&l, &p, &missing);
    problem_free(&p);
  }
  return finish(&l, fine);
}

// unknowns eliminated by pivots that are numbers: dependent ones, then others
static code_kernel* build_cleared(listing l)
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
static code_kernel* build_bordered(listing l)
{
  const code_linear* s = l.s;
  const int n = s->n, m = s->rows;
  bool* alone = base_alloc((size_t)n + 1);
  expr *G = base_alloc((size_t)(m * m + m + 1) * sizeof *G), *y = G + m * m;
  code_kernel* k = NULL;
  if (code_exact_alone(l.pool, s, alone) > 0) {
    code_exact_border(l.pool, s, alone, G, y);
    list_lower(&l, n, s->M);
    for (int i = 0; i < n; i++) {
      const expr own = alone[i] ? expr_div(l.pool, s->F[i], s->M[i * n + i]) : s->F[i];
      list(&l, 1, &own);
    }
    list(&l, m * n, s->A);
    list_lower(&l, m, G);
    list(&l, m, y);
    expr missing;
    bool fine = lower(&l, &missing);
    if (fine) {
      code_problem p = problem_new(&l.m, s, l.guard);
      uint32_t *g = code_solve_block((size_t)(m * m)), *z = code_solve_block((size_t)m);
      read_lower(&l, n, p.M);
      read_values(&l, n, p.F);
      read_values(&l, m * n, p.A);
      read_lower(&l, m, g);
      read_values(&l, m, z);
      solve_bordered(&p, alone, g, z);
      fine = put_out(&l, &p, &missing);
      problem_free(&p);
      free(g);
      free(z);
    }
    k = finish(&l, fine);
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

code_kernel* code_build_solve(expr_pool* pool, const code_linear* s, int inputs, const expr* in,
                              expr* missing)
{
  assert(pool && s->n >= 0 && s->rows >= 0 && s->tolerance > 0);
  assert(!s->x || !s->rows || (s->x0 && s->dependent));
  const listing l = {.pool = pool, .s = s, .inputs = inputs, .in = in, .guard = CODE_ABSENT};
  expr unknown = EXPR_NONE;
  code_kernel* plain = s->tree ? build_tree(l, &unknown) : build_plain(l, &unknown);
  if (missing) *missing = unknown;
  if (!plain || !s->simplify || s->tree) return plain;
  code_kernel* exact =
      !s->rows || (s->dependent && !s->whole) ? build_cleared(l) : build_bordered(l);
  const bool better = exact && !expr_pool_full(pool) && cost(exact) < cost(plain);
  code_free(better ? plain : exact);
  return better ? exact : plain;
}
